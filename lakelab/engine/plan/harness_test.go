package plan_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// emptyTable is a source without rows: analysis needs none.
type emptyTable struct{ schema types.Type }

func (e emptyTable) Schema() types.Type { return e.schema }

func (e emptyTable) SQL(_ context.Context, columns []int, _ expr.Expr) (string, error) {
	items := []string{}
	for _, i := range columns {
		f := e.schema.Fields[i]
		items = append(items, "CAST(NULL AS "+functions.DuckType(f.Type)+") AS "+duck.Ident(f.Name))
	}
	if len(items) == 0 {
		items = append(items, "1")
	}
	return "SELECT " + strings.Join(items, ", ") + " WHERE false", nil
}

// tables is a catalog of empty tables, all in lakehouse.default.
type tables map[string]types.Type

func (ts tables) Files(context.Context, *sql.Files) (*plan.Relation, error) { return nil, nil }

func (ts tables) Resolve(_ context.Context, ref *sql.TableRef, _ plan.Eval) (*plan.Relation, error) {
	full := []string{"lakehouse", "default"}
	parts := []string{}
	for _, n := range ref.Name {
		parts = append(parts, strings.ToLower(n.Text))
	}
	if len(parts) > 3 {
		return nil, nil
	}
	full = append(full[:3-len(parts)], parts...)
	schema, ok := ts[full[2]]
	if !ok || full[0] != "lakehouse" || full[1] != "default" {
		return nil, nil
	}
	return &plan.Relation{Name: full, Source: emptyTable{schema}}, nil
}

// readTables reads testdata/tables.sql, which real Spark executes, too.
func readTables(t testing.TB) tables {
	t.Helper()
	text, err := os.ReadFile("testdata/tables.sql")
	if err != nil {
		t.Fatal(err)
	}
	ts := tables{}
	for _, ddl := range strings.Split(string(text), ";") {
		st, err := sql.Parse(sql.Spark, ddl)
		if err != nil {
			t.Fatal(err)
		}
		ct := st.(*sql.CreateTable)
		var fields []types.Field
		for _, c := range ct.Columns {
			typ, err := functions.TypeOf(sql.Spark, c.Type)
			if err != nil {
				t.Fatal(err)
			}
			fields = append(fields, types.Field{Name: c.Name.Text, Type: typ, Nullable: !c.NotNull})
		}
		ts[ct.Name[len(ct.Name)-1].Text] = types.StructOf(fields...)
	}
	return ts
}

type harness struct{ *plan.Analyzer }

type outcome struct {
	node plan.Node
	err  error
}

// analyzer makes an analyzer over the tables; constants are computed by DuckDB, as in a session.
func analyzer(t testing.TB, d sql.Dialect) harness {
	t.Helper()
	db, err := duck.Open(t.Context(), duck.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	a := &plan.Analyzer{Dialect: d, Catalog: readTables(t), Settings: plan.Settings{TimeZone: "UTC", CurrentCatalog: "lakehouse", CurrentNamespace: "default", User: "student"}}
	a.Eval = func(ctx context.Context, x sql.Expr, to types.Type) (any, error) {
		e, err := a.Constant(ctx, x, to)
		if err != nil {
			return nil, err
		}
		n := &plan.Project{Items: []plan.Item{plan.NewItem("value", e)}, Child: &plan.OneRow{}}
		r, err := duck.Run(ctx, db, n, duck.RunOptions{TimeZone: "UTC"})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		rows, err := r.Next()
		if err != nil {
			return nil, err
		}
		if len(rows) != 1 {
			return nil, fmt.Errorf("a constant gave %d rows", len(rows))
		}
		return rows[0][0], nil
	}
	return harness{a}
}

func (h harness) query(ctx context.Context, text string) outcome {
	st, err := sql.Parse(h.Dialect, text)
	if err != nil {
		return outcome{err: err}
	}
	q, ok := st.(*sql.QueryStmt)
	if !ok {
		return outcome{err: fmt.Errorf("not a query: %T", st)}
	}
	n, err := h.Query(ctx, q.Query)
	return outcome{n, err}
}
