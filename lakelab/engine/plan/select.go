package plan

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// block is a SELECT in the making: its items over child, grouped or not.
type block struct {
	a     *Analyzer
	scope *scope
	items []Item
	child Node
	// generates are the generators of the select list, which come above the grouping.
	generates []*Generate
}

// selectBlock analyzes one SELECT with the ORDER BY that belongs to it.
func (a *Analyzer) selectBlock(ctx context.Context, q *sql.Select, order []sql.SortItem, windows []sql.NamedWindow, frame *scope) (Node, error) {
	n, err := a.from(ctx, q.From, frame)
	if err != nil {
		return nil, err
	}
	for i := range q.Laterals {
		if n, err = a.lateralView(ctx, &q.Laterals[i], n, frame); err != nil {
			return nil, err
		}
	}
	s := &scope{columns: n.Output(), outer: frame, windows: append(windows, q.Windows...), query: q.Span()}
	if a.Dialect == sql.Trino {
		if err := a.checkWindows(ctx, q.Windows, s); err != nil {
			return nil, err
		}
	}
	if q.Where != nil {
		var c expr.Expr
		where := func(s *scope) (err error) {
			c, err = a.where(ctx, q, s)
			return err
		}
		if q.Below {
			n, err = a.reaching(n, s, where)
		} else {
			err = where(s)
		}
		if err != nil {
			return nil, err
		}
		n = &Filter{Cond: c, Child: n}
	}
	if q.Pipe == "AGGREGATE" {
		if q, err = a.pipeKeys(q, n.Output()); err != nil {
			return nil, err
		}
	}
	if err := extendStar(q); err != nil {
		return nil, err
	}
	if a.Dialect == sql.Spark {
		s.made = a.groupedWindows(ctx, q, s)
	}
	b := &block{a: a, scope: s, child: n}
	if err := b.selectItems(ctx, q.Items); err != nil {
		return nil, err
	}
	if err := a.checkPipe(q, b.items); err != nil {
		return nil, err
	}
	if q.Distinct && a.Dialect == sql.Spark {
		// Spark sorts above DISTINCT, so that only what is selected may decide.
		if b.grouped(q, nil) {
			if err := b.group(ctx, q, nil); err != nil {
				return nil, err
			}
		}
		if err := a.comparable(columnsOf(b.items), q); err != nil {
			return nil, err
		}
		return a.sortOutput(ctx, b.finish(nil, true), order, frame)
	}
	var keys []expr.SortKey
	sorted := func(s *scope) (err error) {
		k := *b
		k.scope = s
		keys, err = k.orderKeys(ctx, order, q)
		return err
	}
	if q.Below {
		b.child, err = a.reaching(b.child, s, sorted)
	} else {
		err = sorted(s)
	}
	if err != nil {
		return nil, err
	}
	if b.grouped(q, keys) {
		if err := b.group(ctx, q, keys); err != nil {
			return nil, err
		}
	}
	if err := b.checkWindowFilters(keys); err != nil {
		return nil, err
	}
	return b.finish(keys, q.Distinct), nil
}

// grouped reports whether a SELECT makes groups.
func (b *block) grouped(q *sql.Select, keys []expr.SortKey) bool {
	if len(q.GroupBy) > 0 || q.GroupByAll || q.GroupByEmpty || q.Having != nil {
		return true
	}
	for _, it := range b.items {
		if hasAggregate(it.X) {
			return true
		}
	}
	for _, k := range keys {
		if hasAggregate(k.X) {
			return true
		}
	}
	for _, g := range b.generates {
		if hasAggregate(g.Call) {
			return true
		}
	}
	return false
}

// where resolves WHERE, in which neither aggregates nor windows nor generators may stand.
func (a *Analyzer) where(ctx context.Context, q *sql.Select, s *scope) (expr.Expr, error) {
	x := q.Where
	c, err := a.condition(ctx, x, s, "WHERE")
	if err != nil {
		if e, ok := err.(*errclass.Error); ok && e.Class == "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN" && e.Span == x.Span() {
			at := q.Span()
			if d, ok := q.From[0].(*sql.Derived); ok && d.Transparent {
				at = d.Span() // a pipe's
			}
			err = e.Elsewhere(at)
		}
		return nil, err
	}
	var bad []string
	if a.Dialect == sql.Spark && anyExpr(c, isWindow) {
		return nil, errclass.WindowInWhere().At(q.Span())
	}
	_, _ = rewrite(c, func(e expr.Expr) (expr.Expr, bool, error) {
		if a.Dialect == sql.Spark && outerAggregate(e) {
			return e, true, nil
		}
		if isAggregate(e) || isWindow(e) {
			if a.Dialect == sql.Spark {
				bad = append(bad, SQLOf(e))
			} else {
				bad = append(bad, NameOf(a.Dialect, e))
			}
			return e, true, nil
		}
		return nil, false, nil
	})
	if len(bad) > 0 {
		return nil, errclass.InvalidWhere(int(a.Dialect), NameOf(a.Dialect, c), bad).At(a.whereSpan(q))
	}
	return c, nil
}

// whereSpan is the place of an error about WHERE as a whole: the SELECT in Spark.
func (a *Analyzer) whereSpan(q *sql.Select) token.Span {
	if a.Dialect == sql.Trino {
		return q.Where.Span()
	}
	return q.Span()
}

// condition resolves a boolean expression.
func (a *Analyzer) condition(ctx context.Context, x sql.Expr, s *scope, clause string) (expr.Expr, error) {
	e, err := a.expr(ctx, x, s)
	if err != nil {
		return nil, err
	}
	t := e.Type()
	bad := t.Kind != types.Boolean && t.Kind != types.Null && t.Kind != types.String || a.Dialect == sql.Trino && t.Kind == types.String
	if a.Dialect == sql.Spark && (clause == "WHERE" || clause == "JOIN") {
		bad = t.Kind != types.Boolean // only HAVING reads text
	}
	if bad {
		return nil, errclass.FilterNotBoolean(int(a.Dialect), clause, NameOf(a.Dialect, e), t).At(x.Span())
	}
	b, ok := functions.CoerceIn(a.Dialect, e, types.Of(types.Boolean))
	if !ok {
		return nil, errclass.FilterNotBoolean(int(a.Dialect), clause, NameOf(a.Dialect, e), e.Type()).At(x.Span())
	}
	return b, nil
}

// selectItems resolves the select list; a star becomes one item for each column, a generator one for each of its columns.
func (b *block) selectItems(ctx context.Context, list []sql.Expr) error {
	a := b.a
	for _, x := range list {
		if k, ok := x.(*sql.SortKey); ok {
			x = k.Item.X
		}
		if st, names := starOf(x); st != nil {
			items, err := a.starNamed(ctx, st, names, b.scope)
			if err != nil {
				return err
			}
			for i := range items {
				if items[i].Column.Name == "" { // a row's field without a name
					items[i].Column.Name = Unnamed(len(b.items) + i)
				}
			}
			b.items = append(b.items, items...)
			continue
		}
		s := *b.scope
		if a.Dialect == sql.Spark {
			s.last, s.lateral = b.items, true
		}
		if call, names := a.generatorItem(x); call != nil {
			items, err := b.generator(ctx, call, names, &s)
			if err != nil {
				return err
			}
			b.items = append(b.items, items...)
			continue
		}
		e, err := a.expr(ctx, x, &s)
		if err != nil {
			return a.nestedGenerator(ctx, err, x, s)
		}
		b.items = append(b.items, a.item(x, e, len(b.items)))
	}
	return nil
}

// item names a select item: its alias, or what the dialect makes of the expression as it was written.
func (a *Analyzer) item(x sql.Expr, e expr.Expr, i int) Item {
	if al, ok := e.(*expr.Alias); ok {
		if _, written := x.(*sql.Aliased); written {
			return NewItem(al.Name, al.X)
		}
	}
	if id, ok := x.(*sql.Ident); ok {
		if r, ok := e.(*expr.Ref); ok {
			c := *r.Column
			c.Null, c.Hidden, c.Meta = r.Null, false, false
			if a.Dialect == sql.Trino {
				c.Name = asWritten(id.Parts)[len(id.Parts)-1]
			} else if r.Spelled != "" {
				c.Name = r.Spelled
			}
			return Item{Column: &c, X: e}
		}
		if al, ok := e.(*expr.Alias); ok && strings.HasSuffix(al.Name, "()") && a.Dialect == sql.Spark {
			return NewItem(al.Name, al.X) // current_date without parentheses
		}
		return NewItem(asWritten(id.Parts)[len(id.Parts)-1], stripAlias(e))
	}
	if a.Dialect == sql.Trino {
		if f, ok := e.(*expr.Field); ok && f.Name != "" && named(x) {
			return NewItem(lastName(x), e)
		}
		return Item{Column: &expr.Column{Name: Unnamed(i), T: e.Type(), Null: e.Nullable()}, X: e}
	}
	if c, ok := e.(*expr.Cast); ok {
		if r, ok := c.X.(*expr.Ref); ok {
			return NewItem(r.Spelled, e) // a cast of a column keeps its name
		}
	}
	return NewItem(NameOf(a.Dialect, e), e)
}

// named reports whether a dereference goes down to a plain name, so that its last part names a column in Trino.
func named(x sql.Expr) bool {
	for {
		switch y := x.(type) {
		case *sql.Ident:
			return true
		case *sql.Field:
			x = y.X
		default:
			return false
		}
	}
}

// lastName is the last part of a dereference as it is written.
func lastName(x sql.Expr) string {
	switch x := x.(type) {
	case *sql.Field:
		return x.Name.Text
	case *sql.Ident:
		return x.Parts[len(x.Parts)-1].Text
	}
	return ""
}

// itemOf names an expression that no select item was written for: a group column.
func (a *Analyzer) itemOf(e expr.Expr) Item {
	if r, ok := e.(*expr.Ref); ok {
		c := *r.Column
		c.Null, c.Hidden, c.Meta = r.Null, false, false
		return Item{Column: &c, X: e}
	}
	return NewItem(NameOf(a.Dialect, e), e)
}

func stripAlias(e expr.Expr) expr.Expr {
	for {
		al, ok := e.(*expr.Alias)
		if !ok {
			return e
		}
		e = al.X
	}
}

// finish puts windows, projection, DISTINCT and order on top.
func (b *block) finish(keys []expr.SortKey, distinct bool) Node {
	for _, g := range b.generates {
		g.Child = b.child
		b.child = g
	}
	b.windows(keys)
	if distinct {
		items := slices.Clone(b.items)
		if b.a.Dialect == sql.Spark {
			for i := range items {
				items[i].X = functions.Normalized(items[i].X)
			}
		}
		var n Node = &Distinct{Child: &Project{Items: items, Child: b.child}}
		if len(keys) == 0 {
			return n
		}
		for i := range keys {
			if c := b.selected(keys[i].X); c != nil {
				keys[i].X = ref(c)
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
		if c := b.selected(keys[i].X); c != nil {
			keys[i].X = ref(c)
			continue
		}
		it := NewItem("sort"+itoa(i), keys[i].X)
		items = append(items, it)
		keys[i].X = ref(it.Column)
	}
	var n Node = &Sort{Keys: keys, Child: &Project{Items: items, Child: b.child}}
	if len(items) > len(b.items) {
		// The columns keep their identity: this only narrows.
		n = &Narrow{Columns: columnsOf(b.items), Child: n}
	}
	return n
}

// selected finds the item that computes an expression.
func (b *block) selected(x expr.Expr) *expr.Column {
	id := identity(x)
	for _, it := range b.items {
		if identity(it.X) == id {
			return it.Column
		}
	}
	return nil
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
