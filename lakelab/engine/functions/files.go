package functions

import (
	"fmt"
	"os"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// What the readers of files need beside from_csv and from_json.

func init() {
	define("spark_csv_fields", "string, string, string, string -> strings", func(a []any) any {
		return SplitCSV(a[0].(string), map[string]string{"sep": a[1].(string), "quote": a[2].(string), "escape": a[3].(string)})
	})
	// read_text of DuckDB has no row for a file that is gone. Bytes that are no text are as Spark shows them.
	failing("spark_file_text", "string -> string", func(a []any) (any, error) {
		b, err := os.ReadFile(a[0].(string))
		if os.IsNotExist(err) {
			return nil, fmt.Errorf(`IO Error: Cannot open file "%s": No such file or directory`, a[0]) // as its other readers say it
		}
		return strings.ToValidUTF8(string(b), "\uFFFD"), err
	})
	// Internal, without a signature: what FAILFAST does with a malformed record.
	spark(&expr.Func{Name: "$malformed_record", Resolve: func(c *expr.Call) error {
		if len(c.Args) != 1 {
			return errclass.WrongNumArgs("malformed_record", "1", len(c.Args))
		}
		c.T, c.Null = types.Of(types.Boolean), true
		return nil
	}, Duck: func(c *expr.Call, a []string) string {
		return "CAST(" + Fail(c, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", a[0]) + " AS BOOLEAN)"
	}})
}

// SplitCSV cuts a line into its fields; nil is one that is empty. Options are those of from_csv, in lower case.
func SplitCSV(line string, options map[string]string) []any {
	return csvFormatOf(options).split(line)
}

// InferJSON is the type of a JSON text that begins with an object, or with an array of them where arrays is set; its nulls are
// open. It is false for any other text.
func InferJSON(text string, asText, arrays bool) (types.Type, bool) {
	n, _, ok := parseJSON(text, jsonFlags{})
	if !ok || n == nil {
		return types.Type{}, false
	}
	switch t := inferred(n, asText); {
	case t.Kind == types.Struct:
		return t, true
	case t.Kind == types.Array && arrays && (t.Elem.Kind == types.Struct || t.Elem.Kind == types.Null):
		return *t.Elem, true
	}
	return types.Type{}, false
}

// MergeJSON is the type that holds the values of both.
func MergeJSON(a, b types.Type) types.Type { return either(a, b) }

// SettleJSON makes STRING of what was null everywhere.
func SettleJSON(t types.Type) types.Type {
	if t.Kind == types.Null {
		return types.StructOf()
	}
	return settled(t)
}
