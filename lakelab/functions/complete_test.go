package functions_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// elsewhere are functions of Spark SQL that PySpark has no function for, with what a cell writes instead.
var elsewhere = map[string]string{
	"if": "F.When", "when": "F.When", "cast": "Column.Cast", "boolean": "Column.Cast", "tinyint": "Column.Cast", "smallint": "Column.Cast", "int": "Column.Cast", "bigint": "Column.Cast", "float": "Column.Cast",
	"double": "Column.Cast", "decimal": "Column.Cast", "string": "Column.Cast", "binary": "Column.Cast", "date": "Column.Cast", "timestamp": "Column.Cast",
	"<<": "F.ShiftLeft", ">>": "F.ShiftRight", ">>>": "F.ShiftRightUnsigned", "div": "F.Expr", "mod": "Column.Mod", "power": "F.Pow", "pow": "F.Pow", "bitwise_not": "F.BitwiseNot",
	"any": "F.BoolOr", "random": "F.Rand", "uuid": "F.CallFunction", "space": "F.CallFunction", "quote": "F.CallFunction", "chr": "F.Char", "len": "F.Length", "luhn_check": "F.CallFunction",
	"percentile_cont": "F.Expr: it has a clause WITHIN GROUP", "percentile_disc": "F.Expr: it has a clause WITHIN GROUP", "collations": "SQL", "collation": "F.CallFunction", "isnull": "F.IsNull", "isnotnull": "F.IsNotNull",
	"map": "F.CreateMap", "timestampadd": "F.TimestampAdd", "timestampdiff": "F.TimestampDiff", "named_struct": "F.Struct", "dateadd": "F.DateAdd", "date_diff": "F.DateDiff", "datepart": "F.DatePart",
	"raise_error": "F.RaiseError", "sha": "F.SHA", "count_if": "F.CountIf",
}

// TestComplete: every function of the engine's table has one here, or a place where it is found instead.
func TestComplete(t *testing.T) {
	have := called(t)
	for _, f := range functions.All(sql.Spark) {
		if f.Missing != "" {
			continue
		}
		found := elsewhere[f.Name] != "" || have[f.Name]
		for _, a := range f.Aliases {
			found = found || have[a]
		}
		if !found {
			t.Errorf("%s (%s) has no function in this package", f.Name, f.Signature)
		}
	}
	if len(have) < 300 {
		t.Errorf("only %d functions were found in the source", len(have))
	}
}

// called lists the functions of Spark SQL that this package's source names: the first string in a call, or the operator that a
// method of Column stands for.
func called(t *testing.T) map[string]bool {
	out := map[string]bool{}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || len(c.Args) == 0 {
				return true
			}
			if l, ok := c.Args[0].(*ast.BasicLit); ok && l.Kind == token.STRING {
				if name, err := strconv.Unquote(l.Value); err == nil {
					out[name] = true
				}
			}
			return true
		})
	}
	return out
}
