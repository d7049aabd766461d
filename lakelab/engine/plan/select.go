package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// selectBlock analyzes one SELECT with the ORDER BY that belongs to it.
func (a *Analyzer) selectBlock(ctx context.Context, q *sql.Select, order []sql.SortItem, windows []sql.NamedWindow, frame *scope) (Node, error) {
	if len(q.Laterals) > 0 {
		return nil, a.unsupported("LATERAL VIEW", &q.Laterals[0])
	}
	n, err := a.from(ctx, q.From, frame)
	if err != nil {
		return nil, err
	}
	s := &scope{columns: n.Output(), outer: frame, windows: append(windows, q.Windows...)}
	if q.Where != nil {
		c, err := a.condition(ctx, q.Where, s, "WHERE")
		if err != nil {
			return nil, err
		}
		if hasAggregate(c) {
			return nil, errclass.InvalidWhere(int(a.Dialect), NameOf(a.Dialect, c), a.aggregateNames(c)).At(q.Where.Span())
		}
		n = &Filter{Cond: c, Child: n}
	}
	items, err := a.items(ctx, q.Items, s)
	if err != nil {
		return nil, err
	}
	b := &block{a: a, scope: s, items: items, child: n}
	grouped := len(q.GroupBy) > 0 || q.GroupByAll || q.GroupByEmpty || q.Having != nil
	for _, it := range items {
		grouped = grouped || hasAggregate(it.X)
	}
	keys, err := b.orderKeys(ctx, order, q.Distinct)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		grouped = grouped || hasAggregate(k.X)
	}
	if grouped {
		if err := b.group(ctx, q, keys); err != nil {
			return nil, err
		}
	}
	return b.finish(keys, q.Distinct), nil
}

// from joins the relations of FROM.
func (a *Analyzer) from(ctx context.Context, rels []sql.Relation, frame *scope) (Node, error) {
	if len(rels) == 0 {
		return &OneRow{}, nil
	}
	var n Node
	for _, r := range rels {
		s := frame
		lateral := false
		if d, ok := r.(*sql.Derived); ok && d.Lateral {
			lateral = true
			if n != nil {
				s = &scope{columns: n.Output(), outer: frame}
			}
		}
		if u, ok := r.(*sql.Unnest); ok {
			return nil, a.unsupported("UNNEST", u)
		}
		m, err := a.relation(ctx, r, s)
		if err != nil {
			return nil, err
		}
		if n == nil {
			n = m
		} else {
			n = &Join{Kind: "CROSS", Lateral: lateral, L: n, R: m}
		}
	}
	return n, nil
}

// condition resolves a boolean expression.
func (a *Analyzer) condition(ctx context.Context, x sql.Expr, s *scope, clause string) (expr.Expr, error) {
	e, err := a.expr(ctx, x, s)
	if err != nil {
		return nil, err
	}
	b, ok := functions.Coerce(e, types.Of(types.Boolean))
	if !ok {
		return nil, errclass.FilterNotBoolean(int(a.Dialect), clause, NameOf(a.Dialect, e), e.Type()).At(x.Span())
	}
	return b, nil
}

// items resolves the select list; stars become one item for each column.
func (a *Analyzer) items(ctx context.Context, list []sql.Expr, s *scope) ([]Item, error) {
	var out []Item
	for i, x := range list {
		if st, ok := x.(*sql.Star); ok {
			cols, err := a.star(st, s)
			if err != nil {
				return nil, err
			}
			for _, c := range cols {
				keep := *c
				out = append(out, Item{Column: &keep, X: ref(c)})
			}
			continue
		}
		if k, ok := x.(*sql.SortKey); ok {
			x = k.Item.X
		}
		e, err := a.expr(ctx, x, s)
		if err != nil {
			// An alias further left may be used (lateral column alias).
			if len(out) == 0 || a.Dialect != sql.Spark {
				return nil, err
			}
			l := *s
			l.aliases, l.lateral = out, true
			var again error
			if e, again = a.expr(ctx, x, &l); again != nil {
				return nil, err
			}
		}
		out = append(out, a.item(e, i))
	}
	return out, nil
}

// item names a select item.
func (a *Analyzer) item(e expr.Expr, i int) Item {
	switch x := e.(type) {
	case *expr.Alias:
		return NewItem(x.Name, x.X)
	case *expr.Ref:
		c := *x.Column
		c.Name, c.Null = NameOf(a.Dialect, x), x.Nullable()
		return Item{Column: &c, X: e}
	case *expr.Field:
		return NewItem(x.Name, e)
	case *expr.Cast:
		if r, ok := x.X.(*expr.Ref); ok && !x.Implicit && a.Dialect == sql.Spark {
			return NewItem(NameOf(a.Dialect, r), e) // a cast of a column keeps its name
		}
	}
	if a.Dialect == sql.Trino {
		return NewItem("_col"+itoa(i), e)
	}
	return NewItem(NameOf(a.Dialect, e), e)
}

// star lists the columns of * or t.*, those of EXCEPT left out.
func (a *Analyzer) star(st *sql.Star, s *scope) ([]*expr.Column, error) {
	q := a.texts(st.Qualifier)
	var out []*expr.Column
	for _, c := range s.columns {
		if len(q) == 0 || matches(c, append(append([]string{}, q...), c.Name)) {
			out = append(out, c)
		}
	}
	if len(out) == 0 && len(q) > 0 {
		var have []string
		for _, c := range s.columns {
			have = append(have, c.Name)
		}
		return nil, errclass.CannotResolveStar(q, have).At(st.Span())
	}
	for i := range st.Except {
		parts := a.texts(st.Except[i].Parts)
		kept := out[:0:0]
		for _, c := range out {
			if !matches(c, parts) {
				kept = append(kept, c)
			}
		}
		if len(kept) == len(out) {
			return nil, a.unresolved(&st.Except[i], parts, s)
		}
		out = kept
	}
	return out, nil
}

// block is a SELECT in the making: its items over child, grouped or not.
type block struct {
	a     *Analyzer
	scope *scope
	items []Item
	child Node
}

// orderKeys resolves ORDER BY: an ordinal, the name of an item, or an expression over FROM's columns and the items' names.
func (b *block) orderKeys(ctx context.Context, order []sql.SortItem, distinct bool) ([]expr.SortKey, error) {
	a := b.a
	out := columnsOf(b.items)
	keys := make([]expr.SortKey, len(order))
	for i, it := range order {
		c, ok, err := a.ordinal(it.X, out, "ORDER_BY")
		if err != nil {
			return nil, err
		}
		if !ok {
			c = b.named(it.X)
		}
		if c != nil {
			keys[i] = a.key(it, b.itemOf(c).X)
			continue
		}
		s := *b.scope
		s.aliases = b.items
		e, err := a.expr(ctx, it.X, &s)
		if err != nil {
			return nil, err
		}
		keys[i] = a.key(it, e)
	}
	if distinct {
		for i, k := range keys {
			found := false
			for _, it := range b.items {
				found = found || identity(it.X) == identity(k.X)
			}
			if !found {
				return nil, errclass.DistinctOrder(int(a.Dialect)).At(order[i].X.Span())
			}
		}
	}
	return keys, nil
}

// named finds the item whose name a sort expression is.
func (b *block) named(x sql.Expr) *expr.Column {
	id, ok := x.(*sql.Ident)
	if !ok || len(id.Parts) != 1 {
		return nil
	}
	var found *expr.Column
	for _, it := range b.items {
		if strings.EqualFold(it.Column.Name, b.a.texts(id.Parts)[0]) {
			if found != nil {
				return nil
			}
			found = it.Column
		}
	}
	return found
}

func (b *block) itemOf(c *expr.Column) Item {
	for _, it := range b.items {
		if it.Column == c {
			return it
		}
	}
	return Item{}
}

// finish puts windows, projection, DISTINCT and order on top.
func (b *block) finish(keys []expr.SortKey, distinct bool) Node {
	b.windows(keys)
	if distinct {
		var n Node = &Distinct{Child: &Project{Items: b.items, Child: b.child}}
		if len(keys) == 0 {
			return n
		}
		for i := range keys {
			for _, it := range b.items {
				if identity(it.X) == identity(keys[i].X) {
					keys[i].X = ref(it.Column)
					break
				}
			}
		}
		return &Sort{Keys: keys, Child: n}
	}
	if len(keys) == 0 {
		return &Project{Items: b.items, Child: b.child}
	}
	// Keys that are items are sorted by their columns; others are carried along and dropped above the sort.
	items := append([]Item{}, b.items...)
	for i := range keys {
		found := false
		for _, it := range b.items {
			if identity(it.X) == identity(keys[i].X) {
				keys[i].X, found = ref(it.Column), true
				break
			}
		}
		if !found {
			it := NewItem("sort"+itoa(i), keys[i].X)
			items = append(items, it)
			keys[i].X = ref(it.Column)
		}
	}
	var n Node = &Sort{Keys: keys, Child: &Project{Items: items, Child: b.child}}
	if len(items) > len(b.items) {
		// The columns keep their identity: this only narrows.
		n = &Narrow{Columns: columnsOf(b.items), Child: n}
	}
	return n
}

// windows moves window expressions below the projection.
func (b *block) windows(keys []expr.SortKey) {
	var found []Item
	seen := map[string]*expr.Column{}
	lift := func(x expr.Expr) expr.Expr {
		if !anyExpr(x, isWindow) {
			return x
		}
		y, _ := rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
			w, ok := e.(*expr.Window)
			if !ok {
				return nil, false, nil
			}
			id := identity(w)
			if seen[id] == nil {
				it := NewItem("window"+itoa(len(found)), w)
				found = append(found, it)
				seen[id] = it.Column
			}
			return ref(seen[id]), true, nil
		})
		return y
	}
	for i := range b.items {
		b.items[i].X = lift(b.items[i].X)
	}
	for i := range keys {
		keys[i].X = lift(keys[i].X)
	}
	if len(found) > 0 {
		b.child = &Window{Items: found, Child: b.child}
	}
}

// aggregateNames lists the aggregate calls in an expression.
func (a *Analyzer) aggregateNames(x expr.Expr) []string {
	var out []string
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if isAggregate(e) {
			out = append(out, NameOf(a.Dialect, e))
			return e, true, nil
		}
		return nil, false, nil
	})
	return out
}
