package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// trinoClause resolves a WHEN clause by Trino's rules ("MERGE" in its documentation): its columns are looked up first, a value must have a
// type that Trino writes into its column, and INSERT sees the target's columns, too, which are NULL there. n numbers the clause.
func (m *merge) trinoClause(ctx context.Context, w *sql.MergeWhen, n int) (*mergeClause, error) {
	c := &mergeClause{kind: w.Kind}
	columns, values := w.Columns, w.Values
	for _, s := range w.Set {
		columns, values = append(columns, s.Column), append(values, s.Value)
	}
	places, err := m.trinoColumns(columns)
	if err != nil {
		return nil, err
	}
	if w.Action == "INSERT" && len(columns) == 0 {
		places = make([]int, len(m.t.fields))
		for i := range places {
			places[i] = i
		}
	}
	if w.Cond != nil {
		if c.cond, err = m.a.condition(ctx, w.Cond, m.matched, "MERGE"); err == nil {
			err = m.a.checkScalar(c.cond, "MERGE", w.Cond)
		}
		if err != nil {
			return nil, err
		}
	}
	switch w.Action {
	case "DELETE":
		c.action = rowDeleted
		return c, nil
	case "UPDATE":
		c.action = rowUpdated
	default:
		c.action = rowInserted
	}
	given := make([]expr.Expr, len(values))
	for i, v := range values {
		if given[i], err = m.a.expr(ctx, v, m.matched); err != nil {
			return nil, err
		}
		if err := m.a.checkScalar(given[i], "MERGE", v); err != nil {
			return nil, err
		}
	}
	if len(places) != len(given) {
		return nil, errclass.TrinoInternal(fmt.Sprintf("Number of merge columns (%d) isn't equal to number of expressions (%d)", len(places), len(given)))
	}
	into, from, fits := make([]types.Type, len(given)), make([]types.Type, len(given)), true
	for i, x := range given {
		into[i], from[i] = m.t.fields[places[i]].Type, x.Type()
		fits = fits && functions.TrinoInsertable(from[i], into[i])
	}
	if !fits {
		return nil, errclass.TrinoMergeTypes(n, into, from).At(w.Span())
	}
	c.values = make([]expr.Expr, len(m.t.fields))
	for i, f := range m.t.fields {
		if c.values[i] = null(f.Type); c.action == rowUpdated {
			c.values[i] = ref(m.t.columns[i])
		}
	}
	for i, x := range given {
		f := m.t.fields[places[i]]
		if c.values[places[i]], err = m.a.assign(m.t.name, x, f); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// trinoColumns are the places of a clause's columns among the target's.
func (m *merge) trinoColumns(columns []sql.Ident) ([]int, error) {
	places := make([]int, len(columns))
	for i := range columns {
		name := strings.ToLower(columns[i].Parts[0].Text)
		at := slices.IndexFunc(m.t.fields, func(f types.Field) bool { return strings.EqualFold(f.Name, name) })
		if at < 0 {
			return nil, errclass.TrinoMergeColumn(name).At(m.at)
		}
		if slices.Contains(places[:i], at) {
			return nil, errclass.TrinoMergeTwice(name).At(m.at)
		}
		places[i] = at
	}
	return places, nil
}
