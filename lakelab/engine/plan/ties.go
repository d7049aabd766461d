package plan

import (
	"context"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// ties is Trino's FETCH FIRST n ROWS WITH TIES: the rows whose rank in the query's order is not behind the last one's, without those
// that OFFSET leaves out.
func (a *Analyzer) ties(ctx context.Context, q *sql.Query, n Node) (Node, error) {
	if len(q.OrderBy) == 0 {
		return nil, errclass.TrinoTiesOrder().At(q.LimitAt.Pos)
	}
	count, err := a.constantInt(ctx, q.Limit, "limit", q.Span())
	if err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, errclass.TrinoFetchCount(count).At(q.LimitAt.Pos)
	}
	offset := int64(0)
	if q.Offset != nil {
		if offset, err = a.constantInt(ctx, q.Offset, "offset", q.Span()); err != nil {
			return nil, err
		}
	}
	return a.above(n, func(sorted *Sort) (Node, error) {
		rank, err := a.placeOf("rank", sorted.Keys)
		if err != nil {
			return nil, err
		}
		place, err := a.placeOf("row_number", sorted.Keys)
		if err != nil {
			return nil, err
		}
		first, err := a.beyond("<=", rank, count+offset)
		if err != nil {
			return nil, err
		}
		behind, err := a.beyond(">", place, offset)
		if err != nil {
			return nil, err
		}
		kept := &Filter{Cond: behind, Child: &Filter{Cond: first, Child: &Window{Items: []Item{rank, place}, Child: sorted.Child}}}
		return &Sort{Keys: sorted.Keys, Child: kept}, nil
	})
}

// above replaces the sort of a query by another, below what the query takes from the sorted rows; its columns stay.
func (a *Analyzer) above(n Node, change func(*Sort) (Node, error)) (Node, error) {
	switch n := n.(type) {
	case *Sort:
		out, err := change(n)
		if err != nil {
			return nil, err
		}
		items := make([]Item, len(n.Output()))
		for i, c := range n.Output() {
			items[i] = Item{Column: c, X: ref(c)}
		}
		return &Project{Items: items, Child: out}, nil
	case *Project:
		child, err := a.above(n.Child, change)
		if err != nil {
			return nil, err
		}
		k := *n
		k.Child = child
		return &k, nil
	case *Narrow:
		child, err := a.above(n.Child, change)
		if err != nil {
			return nil, err
		}
		k := *n
		k.Child = child
		return &k, nil
	}
	return nil, fmt.Errorf("no order in a %T", n)
}

// placeOf is a column with a row's place in an order, as a window function counts it.
func (a *Analyzer) placeOf(function string, keys []expr.SortKey) (Item, error) {
	c, err := functions.Resolve(a.Dialect, function, nil, keys[0].X.Span())
	if err != nil {
		return Item{}, err
	}
	call := c.(*expr.Call)
	w := &expr.Window{Call: call, OrderBy: keys}
	w.T, w.At = call.T, call.At
	return NewItem("", w), nil
}

// beyond compares a column with a number.
func (a *Analyzer) beyond(op string, it Item, n int64) (expr.Expr, error) {
	return functions.Resolve(a.Dialect, op, []expr.Expr{ref(it.Column), lit(n, types.Of(types.Long))}, it.X.Span())
}
