package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// group turns the block into one over an Aggregate: its items, and the sort keys, read group columns and aggregates.
func (b *block) group(ctx context.Context, q *sql.Select, keys []expr.SortKey) error {
	a := b.a
	agg := &Aggregate{Child: b.child}
	groups := map[string]*expr.Column{}
	addGroup := func(x expr.Expr) int {
		if al, ok := x.(*expr.Alias); ok {
			x = al.X
		}
		id := identity(x)
		for i, g := range agg.Groups {
			if identity(g.X) == id {
				return i
			}
		}
		it := a.item(x, len(agg.Groups))
		agg.Groups = append(agg.Groups, it)
		groups[id] = it.Column
		return len(agg.Groups) - 1
	}
	if err := b.groupItems(ctx, q, agg, addGroup); err != nil {
		return err
	}
	calls := map[string]*expr.Column{}
	// replace makes an expression read the aggregate's output.
	replace := func(x expr.Expr) (expr.Expr, error) {
		return rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
			if c := groups[identity(e)]; c != nil {
				r := ref(c)
				r.At = e.Span()
				return r, true, nil
			}
			switch e := e.(type) {
			case *expr.Call:
				if e.Func.Kind != expr.Aggregate {
					return nil, false, nil
				}
				id := identity(e)
				if calls[id] == nil {
					it := NewItem(NameOf(a.Dialect, e), e)
					agg.Aggs = append(agg.Aggs, it)
					calls[id] = it.Column
				}
				return ref(calls[id]), true, nil
			case *expr.Ref:
				if !contains(b.scope.columns, e.Column) {
					return e, true, nil // a column of an outer query, or a lambda's parameter
				}
				return nil, true, b.notGrouped(q, e)
			}
			return nil, false, nil
		})
	}
	for i := range b.items {
		x, err := replace(b.items[i].X)
		if err != nil {
			return err
		}
		b.items[i].X = x
	}
	for i := range keys {
		x, err := replace(keys[i].X)
		if err != nil {
			return err
		}
		keys[i].X = x
	}
	b.child = agg
	if q.Having == nil {
		return nil
	}
	s := *b.scope
	s.aliases = b.unreplaced(ctx, q)
	h, err := a.condition(ctx, q.Having, &s, "HAVING")
	if err != nil {
		return err
	}
	if h, err = replace(h); err != nil {
		return err
	}
	b.child = &Filter{Cond: h, Child: agg}
	return nil
}

// unreplaced resolves the select items anew, for HAVING to use their names.
func (b *block) unreplaced(ctx context.Context, q *sql.Select) []Item {
	items, err := b.a.items(ctx, q.Items, b.scope)
	if err != nil {
		return nil
	}
	return items
}

func contains(cols []*expr.Column, c *expr.Column) bool {
	for _, x := range cols {
		if x == c {
			return true
		}
	}
	return false
}

// notGrouped is a column outside of aggregates that GROUP BY does not have.
func (b *block) notGrouped(q *sql.Select, r *expr.Ref) error {
	d := b.a.Dialect
	if d == sql.Trino {
		return errclass.TrinoNotAggregate(r.Column.Name).At(r.Span())
	}
	if len(q.GroupBy) == 0 && !q.GroupByAll {
		return errclass.MissingGroupBy().At(q.Span())
	}
	return errclass.MissingAggregation(r.Column.Name).At(r.Span())
}

// groupItems resolves GROUP BY: ordinals, item names, expressions, ALL, and grouping sets.
func (b *block) groupItems(ctx context.Context, q *sql.Select, agg *Aggregate, add func(expr.Expr) int) error {
	if q.GroupByAll {
		for _, it := range b.items {
			if !hasAggregate(it.X) {
				add(it.X)
			}
		}
		return nil
	}
	sets := [][]int{{}}
	multiple := false
	for _, x := range q.GroupBy {
		g, ok := x.(*sql.Grouping)
		if !ok {
			i, err := b.groupKey(ctx, x, add)
			if err != nil {
				return err
			}
			for j := range sets {
				sets[j] = append(sets[j], i)
			}
			continue
		}
		multiple = true
		var parts [][]int
		for _, set := range g.Sets {
			var p []int
			for _, e := range set {
				i, err := b.groupKey(ctx, e, add)
				if err != nil {
					return err
				}
				p = append(p, i)
			}
			parts = append(parts, p)
		}
		sets = product(sets, expand(strings.ToUpper(g.Kind), parts))
	}
	if multiple {
		agg.Sets = sets
		for _, it := range agg.Groups {
			it.Column.Null = true
		}
	}
	return nil
}

// expand turns ROLLUP and CUBE into their grouping sets.
func expand(kind string, parts [][]int) [][]int {
	switch kind {
	case "ROLLUP":
		var out [][]int
		for n := len(parts); n >= 0; n-- {
			out = append(out, flatten(parts[:n]))
		}
		return out
	case "CUBE":
		var out [][]int
		for mask := 1<<len(parts) - 1; mask >= 0; mask-- {
			var pick [][]int
			for i, p := range parts {
				if mask&(1<<(len(parts)-1-i)) != 0 {
					pick = append(pick, p)
				}
			}
			out = append(out, flatten(pick))
		}
		return out
	}
	return parts
}

func flatten(parts [][]int) []int {
	out := []int{}
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func product(a, b [][]int) [][]int {
	var out [][]int
	for _, x := range a {
		for _, y := range b {
			out = append(out, append(append([]int{}, x...), y...))
		}
	}
	return out
}

func (b *block) groupKey(ctx context.Context, x sql.Expr, add func(expr.Expr) int) (int, error) {
	a := b.a
	c, ok, err := a.ordinal(x, columnsOf(b.items), "GROUP_BY")
	if err != nil {
		return 0, err
	}
	if ok {
		e := b.itemOf(c).X
		if hasAggregate(e) {
			return 0, errclass.GroupByAggregate(itoa(1), NameOf(a.Dialect, e)).At(x.Span())
		}
		return add(e), nil
	}
	s := *b.scope
	s.forbidAggregates = "GROUP BY"
	if a.Dialect == sql.Spark {
		s.aliases = b.items
	}
	e, err := a.expr(ctx, x, &s)
	if err != nil {
		return 0, err
	}
	return add(e), nil
}
