package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// orderKeys resolves ORDER BY: an ordinal, ALL, or an expression over the items' names and then FROM's columns.
func (b *block) orderKeys(ctx context.Context, order []sql.SortItem, q *sql.Select) ([]expr.SortKey, error) {
	a := b.a
	out := columnsOf(b.items)
	if a.orderByAll(order, append(concat(out, b.scope.columns), nil)[:len(out)+len(b.scope.columns)]) {
		keys := make([]expr.SortKey, len(b.items))
		for i, it := range b.items {
			keys[i] = a.key(order[0], it.X)
		}
		return keys, nil
	}
	keys := make([]expr.SortKey, len(order))
	for i, it := range order {
		c, ok, err := a.ordinal(it.X, out, "ORDER_BY")
		if err != nil {
			return nil, err
		}
		if ok {
			keys[i] = a.key(it, b.itemOf(c).X)
			continue
		}
		s := *b.scope
		s.first, s.suggest = b.items, out
		e, err := a.expr(ctx, it.X, &s)
		if err != nil {
			return nil, err
		}
		keys[i] = a.key(it, e)
		if err := a.orderable(keys[i]); err != nil {
			return nil, err
		}
		if q.Distinct && b.selected(e) == nil {
			at := it.X.Span()
			if a.Dialect == sql.Trino {
				at = q.Span()
			}
			return nil, errclass.DistinctOrder(int(a.Dialect)).At(at)
		}
	}
	return keys, nil
}

// sortOutput orders a finished relation by its own columns.
func (a *Analyzer) sortOutput(ctx context.Context, n Node, order []sql.SortItem, frame *scope) (Node, error) {
	if len(order) == 0 {
		return n, nil
	}
	out := visible(n.Output())
	if a.orderByAll(order, out) {
		keys := make([]expr.SortKey, len(out))
		for i, c := range out {
			keys[i] = a.key(order[0], ref(c))
		}
		return &Sort{Keys: keys, Child: n}, nil
	}
	s := &scope{columns: n.Output(), outer: frame}
	keys := make([]expr.SortKey, len(order))
	for i, it := range order {
		if c, ok, err := a.ordinal(it.X, out, "ORDER_BY"); err != nil {
			return nil, err
		} else if ok {
			keys[i] = a.key(it, ref(c))
			continue
		}
		e, err := a.expr(ctx, it.X, s)
		if err != nil {
			return nil, err
		}
		keys[i] = a.key(it, e)
		if err := a.orderable(keys[i]); err != nil {
			return nil, err
		}
	}
	return &Sort{Keys: keys, Child: n}, nil
}

// orderByAll reports whether ORDER BY is the word ALL alone, which no column is called.
func (a *Analyzer) orderByAll(order []sql.SortItem, cols []*expr.Column) bool {
	if a.Dialect != sql.Spark || len(order) != 1 {
		return false
	}
	id, ok := order[0].X.(*sql.Ident)
	if !ok || len(id.Parts) != 1 || id.Parts[0].Quoted || !strings.EqualFold(id.Parts[0].Text, "all") {
		return false
	}
	for _, c := range cols {
		if strings.EqualFold(c.Name, "all") {
			return false
		}
	}
	return true
}

// ordinal reads ORDER BY 2.
func (a *Analyzer) ordinal(x sql.Expr, out []*expr.Column, clause string) (*expr.Column, bool, error) {
	neg := false
	if u, ok := x.(*sql.Unary); ok && u.Op == "-" && a.Dialect == sql.Spark {
		x, neg = u.X, true
	}
	l, ok := x.(*sql.Literal)
	if !ok || l.Kind != sql.NumberLit || l.Suffix != "" || strings.ContainsAny(l.Text, ".eE") {
		return nil, false, nil
	}
	text, minus := strings.CutPrefix(l.Text, "-")
	neg = neg || minus
	i := 0
	for _, d := range text {
		if i = i*10 + int(d-'0'); i > 1<<20 {
			break
		}
	}
	if neg {
		i = -i
	}
	if i < 1 || i > len(out) {
		return nil, false, errclass.OrdinalOutOfRange(int(a.Dialect), clause, i, len(out)).At(x.Span())
	}
	return out[i-1], true, nil
}

// itemOf is the item with an output column.
func (b *block) itemOf(c *expr.Column) Item {
	for _, it := range b.items {
		if it.Column == c {
			return it
		}
	}
	return Item{}
}
