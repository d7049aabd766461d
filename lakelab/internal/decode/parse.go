package decode

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Schema reads a schema as spark.createDataFrame takes it: columns in DDL, "a INT, b STRING NOT NULL", with or without colons, or
// one type, such as "int" or "struct<a: int>".
func Schema(ddl string) (types.Type, error) {
	cols, err := sql.ParseSchema(ddl)
	if err != nil {
		for _, text := range []string{ddl, "struct<" + ddl + ">"} {
			if name, typeErr := parseType(text); typeErr == nil {
				if t, typeErr := functions.TypeOf(sql.Spark, name); typeErr == nil {
					return t, nil
				}
			}
		}
		return types.Type{}, errclass.InText(err, ddl)
	}
	out := types.Type{Kind: types.Struct, Fields: make([]types.Field, len(cols))}
	for i, c := range cols {
		t, err := functions.TypeOf(sql.Spark, c.Type)
		if err != nil {
			return types.Type{}, errclass.Place(err, c.Span())
		}
		out.Fields[i] = types.Field{Name: c.Name.Text, Type: t, Nullable: !c.NotNull}
		if c.Comment != nil {
			out.Fields[i].Comment = *c.Comment
		}
	}
	return out, nil
}

// Params reads the arguments of spark.sql(text, args).
func Params(args any) (plan.Params, error) {
	a, err := readArguments(args)
	return plan.Params{Named: a.named, Positional: a.positional}, err
}

// parseQuery reads the text of a "sql" relation. Only queries become one: commands have run before and are rows.
func parseQuery(text string) (*sql.Query, error) {
	st, err := sql.Parse(sql.Spark, text)
	if err != nil {
		return nil, errclass.InText(err, text)
	}
	q, ok := st.(*sql.QueryStmt)
	if !ok {
		return nil, tree{kind: `relation "sql"`}.malformed("the text is a command, not a query")
	}
	return q.Query, nil
}

func parseExpr(text string) (sql.Expr, error) {
	x, err := sql.ParseExpr(sql.Spark, text)
	return x, errclass.InText(err, text)
}

func parseType(text string) (*sql.TypeName, error) {
	t, err := sql.ParseType(text)
	return t, errclass.InText(err, text)
}

// SoleText is the SQL text of a relation that holds one, for errors that come while it runs; empty if there are several, because an
// error's place does not say in which.
func SoleText(relation any) string {
	texts := texts(relation, nil)
	if len(texts) == 1 {
		return texts[0]
	}
	return ""
}

func texts(v any, found []string) []string {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"n", "c"} { // a relation's kind, a column's
			if kind, _ := v[key].(string); kind == "sql" || kind == "expr" {
				if text, ok := v["text"].(string); ok {
					found = append(found, text)
				}
			}
		}
		for _, x := range v {
			found = texts(x, found)
		}
	case []any:
		for _, x := range v {
			found = texts(x, found)
		}
	}
	return found
}
