package decode

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Schema reads a schema in DDL, as spark.createDataFrame takes it: "a INT, b STRING NOT NULL".
func Schema(ddl string) (types.Type, error) {
	cols, err := sql.ParseSchema(ddl)
	if err != nil {
		return types.Type{}, err
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
		return nil, err
	}
	q, ok := st.(*sql.QueryStmt)
	if !ok {
		return nil, tree{kind: `relation "sql"`}.malformed("the text is a command, not a query")
	}
	return q.Query, nil
}

func parseExpr(text string) (sql.Expr, error) { return sql.ParseExpr(sql.Spark, text) }

func parseType(text string) (*sql.TypeName, error) { return sql.ParseType(text) }
