package plan

import (
	"context"
	"slices"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// from joins the relations of FROM.
func (a *Analyzer) from(ctx context.Context, rels []sql.Relation, frame *scope) (Node, error) {
	if len(rels) == 0 {
		return &OneRow{}, nil
	}
	n, err := a.relation(ctx, rels[0], frame)
	if err != nil {
		return nil, err
	}
	for _, r := range rels[1:] {
		if n, err = a.joined(ctx, n, r, isLateral(r), "CROSS", frame, func(n *Join) (Node, error) { return n, nil }); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (a *Analyzer) join(ctx context.Context, j *sql.Join, s *scope) (Node, error) {
	l, err := a.relation(ctx, j.L, s)
	if err != nil {
		return nil, err
	}
	return a.joined(ctx, l, j.R, j.Lateral || isLateral(j.R), j.Kind, s, func(n *Join) (Node, error) { return a.joinOn(ctx, n, j, s) })
}

func isLateral(r sql.Relation) bool {
	switch r := r.(type) {
	case *sql.Derived:
		return r.Lateral
	case *sql.TableFunc:
		return r.Lateral
	}
	return false
}

// joined puts a relation at the right of another one. Generators (LATERAL explode(…), UNNEST) read the left side's columns and
// need no join; any other lateral relation becomes a lateral join. finish adds the condition.
func (a *Analyzer) joined(ctx context.Context, l Node, right sql.Relation, lateral bool, kind string, s *scope, finish func(*Join) (Node, error)) (Node, error) {
	var n Node
	var err error
	switch r := right.(type) {
	case *sql.Unnest:
		n, err = a.unnest(ctx, r, l, kind == "LEFT", s)
	case *sql.TableFunc:
		if c, _ := a.generatorCall(r.Call); c != nil && lateral {
			n, err = a.generatorRelation(ctx, r, l, kind == "LEFT", s)
		}
	}
	if err != nil {
		return nil, err
	}
	if g, ok := n.(*Generate); ok && a.Dialect == sql.Trino && (kind == "RIGHT" || kind == "FULL") {
		for _, x := range expressions(g) {
			if r := refTo(x, l.Output()); r != nil {
				return nil, errclass.TrinoLateralJoin(kind).At(r.Span())
			}
		}
	}
	if n != nil {
		// The condition is checked over the generated rows: finish makes a join of it, which is taken apart again.
		switch j, err := finish(&Join{Kind: "INNER", L: n, R: &OneRow{}}); {
		case err != nil:
			return nil, err
		case isTrue(on(j)):
			return n, nil
		case a.Dialect == sql.Trino:
			return nil, errclass.TrinoUnnestCondition(kind).At(on(j).Span())
		case kind == "LEFT":
			g, ok := n.(*Generate)
			if !ok {
				return nil, a.unsupported("LEFT JOIN LATERAL of a generator with a condition", right)
			}
			g.Cond = on(j)
			return g, nil
		default:
			return &Filter{Cond: on(j), Child: n}, nil
		}
	}
	inner := s
	if lateral {
		inner = &scope{columns: l.Output(), outer: s}
	}
	r, err := a.relation(ctx, right, inner)
	if err != nil {
		return nil, err
	}
	if d, ok := right.(*sql.Derived); ok && lateral && a.Dialect == sql.Trino {
		return a.lateralJoin(&Join{Kind: kind, Lateral: lateral, L: l, R: r}, d, finish)
	}
	return finish(&Join{Kind: kind, Lateral: lateral, L: l, R: r})
}

// refTo is the first reference in an expression to one of some columns; nil if there is none.
func refTo(x expr.Expr, columns []*expr.Column) (found *expr.Ref) {
	anyExpr(x, func(e expr.Expr) bool {
		if r, ok := e.(*expr.Ref); ok && found == nil && slices.Contains(columns, r.Column) {
			found = r
		}
		return found != nil
	})
	return found
}

// lateralJoin finishes a join with a query that may read the left side's columns, if Trino can do that.
func (a *Analyzer) lateralJoin(j *Join, d *sql.Derived, finish func(*Join) (Node, error)) (Node, error) {
	outer := outerColumns(j.R)
	if len(outer) > 0 && (j.Kind == "RIGHT" || j.Kind == "FULL") {
		return nil, errclass.TrinoLateralJoin(j.Kind).At(outer[0].Span())
	}
	n, err := finish(j)
	if err != nil || len(outer) == 0 {
		return n, err
	}
	if !correlatedQuery(j.R).possible(j.R) || j.Kind != "CROSS" && !isTrue(j.On) {
		return nil, errclass.TrinoCorrelated().At(d.Query.Span())
	}
	return n, nil
}

func on(n Node) expr.Expr {
	if j, ok := n.(*Join); ok {
		return j.On
	}
	return nil
}

func isTrue(x expr.Expr) bool {
	if x == nil {
		return true
	}
	l, ok := x.(*expr.Lit)
	return ok && l.Value == true
}

// joinOn adds a join's condition: ON, USING, or the columns that both sides have.
func (a *Analyzer) joinOn(ctx context.Context, n *Join, j *sql.Join, s *scope) (Node, error) {
	using := asWritten(j.Using)
	if j.Natural && a.Dialect == sql.Trino {
		return nil, errclass.TrinoNatural().At(j.Span())
	}
	if j.Natural {
		using = common(visible(n.L.Output()), visible(n.R.Output()))
	}
	if len(using) > 0 {
		return a.using(n, using, j)
	}
	if j.On != nil {
		c, err := a.condition(ctx, j.On, &scope{columns: concat(n.L.Output(), n.R.Output()), outer: s}, "JOIN")
		if err != nil {
			return nil, err
		}
		if hasAggregate(c) || anyExpr(c, isWindow) {
			return nil, errclass.UnsupportedExpressions(int(a.Dialect), a.aggregateNames(c)).At(j.On.Span())
		}
		if a.Dialect == sql.Spark && anyExpr(c, isNonDeterministic) {
			return nil, errclass.NonDeterministic(NameOf(a.Dialect, c)).At(j.On.Span())
		}
		n.On = c
		if n.Kind == "CROSS" {
			n.Kind = "INNER"
		}
		if a.Dialect == sql.Spark && HasSubquery(n.On) {
			n.On = a.undecided(n)
		}
		if err := a.checkJoinSubqueries(n, j); err != nil {
			return nil, err
		}
		if n.Kind != "INNER" && n.Kind != "CROSS" {
			return a.outerJoin(n, j)
		}
	}
	if n.On == nil && n.Kind == "INNER" {
		n.Kind = "CROSS"
	}
	return outerNulls(n), nil
}

// undecided is a join's condition in which x IN a query may be NULL: so Spark computes it of a constant x where the condition stays in the
// join. One that reads a single side becomes a filter of that side, if rows of it may be lost, and one that reads nothing of the left.
func (a *Analyzer) undecided(n *Join) expr.Expr {
	l, r := n.L.Output(), n.R.Output()
	isConstant := func(c *expr.Column) bool { return alwaysSame(n.L, c) || alwaysSame(n.R, c) }
	var out expr.Expr
	for _, c := range Conjuncts(n.On) {
		reads := Columns(c)
		filter := func() bool {
			only := func(cols []*expr.Column) bool {
				return !slices.ContainsFunc(reads, func(c *expr.Column) bool { return !slices.Contains(cols, c) })
			}
			left := only(l)
			right := !left && only(r)
			return map[string]bool{"INNER": left || right, "SEMI": left || right, "LEFT": right, "ANTI": right, "RIGHT": left}[n.Kind]
		}
		stays := !filter()
		reads = slices.DeleteFunc(reads, isConstant)
		if stays && !filter() {
			c, _ = rewrite(c, func(e expr.Expr) (expr.Expr, bool, error) {
				q, ok := e.(*expr.Subquery)
				if !ok || q.Kind != "IN" || len(q.Outer) > 0 || len(q.Left) > 1 || slices.ContainsFunc(Columns(q.Left[0]), func(c *expr.Column) bool { return !isConstant(c) }) {
					return nil, false, nil
				}
				k := *q
				k.Definite = false
				return &k, true, nil
			})
		}
		if out == nil {
			out = c
		} else if both, err := functions.Resolve(a.Dialect, "and", []expr.Expr{out, c}, n.On.Span()); err == nil {
			out = both
		}
	}
	return out
}

// changing are a plan's columns that are no constants.
func changing(n Node) []*expr.Column {
	return slices.DeleteFunc(slices.Clone(n.Output()), func(c *expr.Column) bool { return alwaysSame(n, c) })
}

// alwaysSame reports whether a plan's column is a constant.
func alwaysSame(n Node, c *expr.Column) bool {
	switch n := n.(type) {
	case *Narrow:
		return alwaysSame(n.Child, c)
	case *Filter:
		return alwaysSame(n.Child, c)
	case *Project:
		for _, it := range n.Items {
			if it.Column != c {
				continue
			}
			x := it.X
			if k, ok := x.(*expr.Alias); ok {
				x = k.X
			}
			if r, ok := x.(*expr.Ref); ok {
				return r.Outer == 0 && alwaysSame(n.Child, r.Column)
			}
			return functions.Computable(x)
		}
	}
	return false
}

// outerJoin finishes an outer, semi or anti join. The subqueries of its condition are computed on the side whose columns they
// read: DuckDB takes none in the condition itself.
func (a *Analyzer) outerJoin(n *Join, j *sql.Join) (Node, error) {
	lifted := map[*expr.Column]bool{}
	var left, right []Item
	on, err := rewrite(n.On, func(e expr.Expr) (expr.Expr, bool, error) {
		q, ok := e.(*expr.Subquery)
		if !ok {
			return nil, false, nil
		}
		it := NewItem("subquery", q)
		if readsAny(q.Outer, n.R.Output()) || readsAny(q.Left, n.R.Output()) {
			right = append(right, it)
		} else {
			left = append(left, it)
		}
		lifted[it.Column] = true
		return ref(it.Column), true, nil
	})
	if err != nil {
		return nil, err
	}
	if len(lifted) == 0 {
		return outerNulls(n), nil
	}
	kept := n.L.Output()
	n.On, n.L, n.R = on, carrying(n.L, left), carrying(n.R, right)
	p, ok := outerNulls(n).(*Project)
	if !ok {
		return &Narrow{Columns: kept, Child: n}, nil
	}
	items := p.Items[:0]
	for _, it := range p.Items {
		if !lifted[it.X.(*expr.Ref).Column] {
			items = append(items, it)
		}
	}
	p.Items = items
	return p, nil
}

// carrying adds columns to a relation's own.
func carrying(n Node, more []Item) Node {
	if len(more) == 0 {
		return n
	}
	var items []Item
	for _, c := range n.Output() {
		items = append(items, Item{Column: c, X: ref(c)})
	}
	return &Project{Items: append(items, more...), Child: n}
}

// checkJoinSubqueries refuses a subquery that is correlated with both sides. Its left side counts, too.
func (a *Analyzer) checkJoinSubqueries(n *Join, j *sql.Join) error {
	var err error
	subqueries(n.On, func(q *expr.Subquery) {
		reads := append(append([]expr.Expr{}, q.Left...), q.Outer...)
		if readsAny(reads, changing(n.L)) && readsAny(reads, changing(n.R)) {
			err = errclass.CorrelatedJoinCondition(SQLOf(q)).At(j.On.Span())
		}
	})
	return err
}

// readsAny reports whether expressions read columns of a relation.
func readsAny(xs []expr.Expr, cols []*expr.Column) bool {
	for _, x := range xs {
		if anyExpr(x, func(e expr.Expr) bool { r, ok := e.(*expr.Ref); return ok && slices.Contains(cols, r.Column) }) {
			return true
		}
	}
	return false
}

// outerNulls makes the columns of a join's optional side nullable: fresh columns, same names.
func outerNulls(n *Join) Node {
	left := n.Kind == "RIGHT" || n.Kind == "FULL"
	right := n.Kind == "LEFT" || n.Kind == "FULL"
	if !left && !right {
		return n
	}
	var items []Item
	side := func(cols []*expr.Column, null bool) {
		for _, c := range cols {
			k := *c
			k.Null = k.Null || null
			x := ref(c)
			x.Null = k.Null
			items = append(items, Item{Column: &k, X: x})
		}
	}
	side(n.L.Output(), left)
	side(n.R.Output(), right)
	return &Project{Items: items, Child: n}
}

func common(l, r []*expr.Column) []string {
	var out []string
	for _, c := range l {
		for _, d := range r {
			if strings.EqualFold(c.Name, d.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// using joins by equal columns, which come first and once. The sides' own columns stay within reach by their qualified names.
func (a *Analyzer) using(n *Join, names []string, j *sql.Join) (Node, error) {
	merged := map[*expr.Column]bool{}
	var items []Item
	for _, name := range names {
		l, err := a.usingColumn(n.L.Output(), name, "left", j)
		if err != nil {
			return nil, err
		}
		r, err := a.usingColumn(n.R.Output(), name, "right", j)
		if err != nil {
			return nil, err
		}
		eq, err := functions.Resolve(a.Dialect, "=", []expr.Expr{ref(l), ref(r)}, j.Span())
		if err != nil {
			return nil, err
		}
		if n.On == nil {
			n.On = eq
		} else if n.On, err = functions.Resolve(a.Dialect, "and", []expr.Expr{n.On, eq}, j.Span()); err != nil {
			return nil, err
		}
		merged[l], merged[r] = true, true
		it, err := a.mergedColumn(n.Kind, l, r, j)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	rest := func(cols []*expr.Column, optional bool, hide func(*expr.Column) bool) {
		for _, c := range cols {
			k := *c
			k.Null = k.Null || optional
			if merged[c] {
				if !hide(c) {
					continue
				}
				k.Hidden = true
			}
			items = append(items, Item{Column: &k, X: ref(c)})
		}
	}
	rest(n.L.Output(), n.Kind == "RIGHT" || n.Kind == "FULL", func(*expr.Column) bool { return n.Kind == "RIGHT" || n.Kind == "FULL" })
	if n.Kind != "SEMI" && n.Kind != "ANTI" {
		rest(n.R.Output(), n.Kind == "LEFT" || n.Kind == "FULL", func(*expr.Column) bool { return n.Kind != "RIGHT" })
	}
	if a.Dialect == sql.Trino {
		// Trino knows only the merged column, and that without a qualifier.
		kept := items[:0]
		for i, it := range items {
			if i < len(names) {
				it.Column.Qualifier = nil
			}
			if !it.Column.Hidden {
				kept = append(kept, it)
			}
		}
		items = kept
	}
	return &Project{Items: items, Child: n}, nil
}

// mergedColumn is the one column that USING makes of two: the left one, the right one in a right join, whichever is there in a full one.
func (a *Analyzer) mergedColumn(kind string, l, r *expr.Column, j *sql.Join) (Item, error) {
	switch kind {
	case "RIGHT":
		c := *r
		return Item{Column: &c, X: ref(r)}, nil
	case "FULL":
		x, err := functions.Resolve(a.Dialect, "coalesce", []expr.Expr{ref(l), ref(r)}, j.Span())
		if err != nil {
			return Item{}, err
		}
		return Item{Column: &expr.Column{Name: l.Name, T: x.Type(), Null: true}, X: x}, nil
	}
	c := *l
	return Item{Column: &c, X: ref(l)}, nil
}

func (a *Analyzer) usingColumn(cols []*expr.Column, name, side string, j *sql.Join) (*expr.Column, error) {
	var have []string
	var found *expr.Column
	for _, c := range visible(cols) {
		if strings.EqualFold(c.Name, name) {
			if found != nil {
				return nil, a.ambiguous([]string{name}, []*expr.Column{found, c}, j.Span())
			}
			found = c
		}
		have = append(have, c.Name)
	}
	if found != nil {
		return found, nil
	}
	if a.Dialect == sql.Trino {
		at := j.Span()
		for _, u := range j.Using {
			if strings.EqualFold(u.Text, name) {
				at = u.Span()
			}
		}
		return nil, errclass.TrinoUsingColumn(name, side).At(at)
	}
	sort.Strings(have)
	return nil, errclass.UsingColumn(name, side, have).At(j.Span())
}
