package plan

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// What only Trino's dialect has, or words in its own way.

// trinoUncommon names the first of CASE's results that has no type in common with those before it.
func trinoUncommon(results []expr.Expr) error {
	ts := make([]types.Type, len(results))
	for i, r := range results {
		ts[i] = r.Type()
	}
	common := ts[0]
	for i, t := range ts {
		to, ok := functions.CommonType(sql.Trino, common, t)
		if !ok {
			return errclass.TrinoElementTypes("CASE results", ts, common, t).At(results[i].Span())
		}
		common = to
	}
	return errclass.TrinoElementTypes("CASE results", ts, ts[0], ts[len(ts)-1]).At(results[0].Span())
}

// atOffset is x AT TIME ZONE INTERVAL '3' HOUR: a zone of that offset.
func (a *Analyzer) atOffset(ctx context.Context, x *sql.AtTimeZone, iv *sql.Interval, s *scope) (expr.Expr, error) {
	e, err := functions.Interval(sql.Trino, iv)
	if err != nil {
		return nil, err
	}
	micros, _ := e.(*expr.Lit).Value.(int64)
	zone := &sql.Literal{At: iv.At, Kind: sql.StringLit, Text: functions.OffsetName(int(micros / 60e6))}
	return a.apply(ctx, "$at_timezone", []sql.Expr{x.X, zone}, x.Span(), s)
}

// trinoValues checks that the rows of VALUES have types in common.
func trinoValues(rows [][]expr.Expr) error {
	row := func(xs []expr.Expr) []types.Type {
		ts := make([]types.Type, len(xs))
		for i, x := range xs {
			ts[i] = x.Type()
		}
		return ts
	}
	first := row(rows[0])
	for _, r := range rows[1:] {
		ts := row(r)
		for i, t := range ts {
			if _, ok := functions.CommonType(sql.Trino, first[i], t); !ok {
				return errclass.TrinoValuesTypes(first, ts)
			}
		}
	}
	return errclass.TrinoValuesTypes(first, row(rows[len(rows)-1]))
}

// AsStored casts the columns that a table keeps in another form than a query gives them: without picoseconds, and CHAR with its blanks.
func AsStored(n Node, table types.Type) (Node, error) {
	items := make([]Item, len(table.Fields))
	found := false
	for i, c := range n.Output() {
		to := table.Fields[i].Type
		items[i] = Item{Column: c, X: ref(c)}
		if !c.T.Holds(func(t types.Type) bool { return t.InPicos() || t.Kind == types.Char }) {
			continue
		}
		x, err := functions.TrinoCast(ref(c), to, false, token.Span{})
		if err != nil {
			return nil, err
		}
		k := *c
		k.T = to
		items[i], found = Item{Column: &k, X: x}, true
	}
	if !found {
		return n, nil
	}
	return &Project{Items: items, Child: n}, nil
}
