package lakelab

import (
	"strings"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// TrinoResult is the whole result of a Trino statement. Printed, it is a text table like a pandas DataFrame; Display
// shows it as an HTML table. A statement without rows has one row "status: Success".
type TrinoResult struct {
	// Columns are the column names, Types Trino's names of their types: bigint, varchar(10), timestamp(6) with time zone.
	Columns, Types []string
	// Rows are the values. Numbers, texts, dates and so on are read with the methods of Row.
	Rows []Row
	// UpdateType is what Trino calls a statement that is no query, such as INSERT; else empty.
	UpdateType string

	html, text string
}

// TrinoQuery runs a statement of Trino's SQL over Trino's HTTP protocol, in the catalog lakehouse, and waits for all
// rows. A failure is a TrinoUserError (or TrinoInternalError …) with Trino's own message.
func TrinoQuery(sql string) *TrinoResult {
	reply := call(node{"op": wire.OpTrino, "sql": sql, "catalog": "lakehouse", "user": "jupyter"})
	r := &TrinoResult{
		Columns: texts(reply["columns"]), Types: texts(reply["types"]), UpdateType: str(reply["updateType"]),
		html: str(reply["html"]), text: str(reply["text"]),
	}
	schema := Type{Kind: types.Struct, Fields: make([]Field, len(r.Columns))}
	for i, name := range r.Columns {
		schema.Fields[i] = Field{Name: name, Nullable: true}
		if i < len(r.Types) {
			schema.Fields[i].Type = trinoType(r.Types[i])
		}
	}
	for _, values := range rowsOf(reply["rows"]) {
		if len(values) != len(schema.Fields) {
			raise("EngineError", "", "строка из %d значений при %d колонках", len(values), len(schema.Fields))
		}
		r.Rows = append(r.Rows, Row{schema: &schema, values: values})
	}
	return r
}

// HTML is the table as markup.
func (r *TrinoResult) HTML() string { return r.html }

// Text is the table as text.
func (r *TrinoResult) Text() string { return r.text }

// String is Text, for fmt.
func (r *TrinoResult) String() string { return strings.TrimRight(r.text, "\n") }

// trinoType is the Spark type that holds a Trino type's values, as far as Row's messages and methods need it. Values of
// the others come as text.
func trinoType(name string) Type {
	base, rest, _ := strings.Cut(name, "(")
	switch base {
	case "boolean":
		return types.Of(types.Boolean)
	case "tinyint":
		return types.Of(types.Byte)
	case "smallint":
		return types.Of(types.Short)
	case "integer":
		return types.Of(types.Int)
	case "bigint":
		return types.Of(types.Long)
	case "real":
		return types.Of(types.Float)
	case "double":
		return types.Of(types.Double)
	case "date":
		return types.Of(types.Date)
	case "timestamp":
		if strings.HasSuffix(rest, "with time zone") {
			return types.Of(types.Timestamp)
		}
		return types.Of(types.TimestampNTZ)
	case "varbinary":
		return types.Of(types.Binary)
	}
	return types.Of(types.String)
}

// texts reads a list of strings in either of its forms.
func texts(v any) []string {
	if list, ok := v.([]string); ok {
		return list
	}
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = str(x)
	}
	return out
}

// rowsOf reads rows in either of their forms.
func rowsOf(v any) [][]any {
	if rows, ok := v.([][]any); ok {
		return rows
	}
	list, _ := v.([]any)
	out := make([][]any, 0, len(list))
	for _, x := range list {
		row, ok := x.([]any)
		if !ok {
			raise("EngineError", "", "строка результата имеет вид %T", x)
		}
		out = append(out, row)
	}
	return out
}
