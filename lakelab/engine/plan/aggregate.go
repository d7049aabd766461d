package plan

import (
	"context"
	"errors"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// group turns the block into one over an Aggregate: its items, and the sort keys, read group columns and aggregates.
func (b *block) group(ctx context.Context, q *sql.Select, keys []expr.SortKey) error {
	g := &grouping{block: b, query: q, agg: &Aggregate{Child: b.child}, groups: map[string]*expr.Column{}, calls: map[string]*expr.Column{}}
	var having []Item
	if q.Having != nil {
		having = append(having, b.items...)
	}
	if err := g.groupBy(ctx); err != nil {
		return err
	}
	for i, it := range b.items {
		x, err := g.item(i)
		if err != nil {
			if q.GroupByAll && hasAggregate(it.X) {
				return errclass.UnresolvedAll().At(q.Span())
			}
			return err
		}
		it.Column.Null = x.Nullable()
		b.items[i].X = x
	}
	var h expr.Expr
	if q.Having != nil {
		written := len(g.agg.Aggs)
		var err error
		if h, err = g.having(ctx, having); err != nil {
			return err
		}
		if b.a.Dialect == sql.Spark && (len(g.agg.Aggs) > written || g.readsUnselected(h)) {
			if err := g.checkKeys(keys, having); err != nil {
				return err
			}
		}
	}
	for i := range keys {
		x, err := g.replaceOnTop(keys[i].X, columnsOf(b.items))
		if err != nil {
			return err
		}
		keys[i].X = x
	}
	for _, gen := range b.generates {
		x, err := g.replaceCall(gen.Call)
		if err != nil {
			return err
		}
		gen.Call = x
	}
	b.child = g.agg
	if h != nil {
		b.child = &Filter{Cond: h, Child: g.agg}
	}
	return nil
}

// readsUnselected reports whether a condition reads a group column that is not selected.
func (g *grouping) readsUnselected(h expr.Expr) bool {
	selected := map[*expr.Column]bool{}
	for _, it := range g.block.items {
		if r, ok := it.X.(*expr.Ref); ok {
			selected[r.Column] = true
		}
	}
	return anyExpr(h, func(e expr.Expr) bool {
		r, ok := e.(*expr.Ref)
		return ok && !selected[r.Column] && slices.ContainsFunc(g.agg.Groups, func(it Item) bool { return it.Column == r.Column })
	})
}

// checkKeys checks ORDER BY above a HAVING that computes more than what is selected. Spark cuts that off again below the sort, which then
// knows what is selected and grouped, but has no rows left to aggregate.
func (g *grouping) checkKeys(keys []expr.SortKey, items []Item) error {
	for _, k := range keys {
		var calls []string
		if _, err := rewrite(k.X, func(e expr.Expr) (expr.Expr, bool, error) {
			if slices.ContainsFunc(items, func(it Item) bool { return it.X == e }) || g.groups[identity(e)] != nil {
				return e, true, nil
			}
			if r, ok := e.(*expr.Ref); ok && slices.Contains(g.block.scope.columns, r.Column) {
				return nil, true, &notGroupedError{r}
			}
			if isAggregate(e) {
				calls = append(calls, `"`+NameOf(sql.Spark, e)+`"`)
			}
			return nil, false, nil
		}); err != nil {
			var e *notGroupedError
			if !errors.As(err, &e) {
				return err
			}
			return g.unresolved(e.ref, columnsOf(items))
		}
		if len(calls) > 0 {
			return errclass.UnsupportedExpressions(int(sql.Spark), calls).At(k.X.Span())
		}
	}
	return nil
}

// grouping is an Aggregate in the making.
type grouping struct {
	block  *block
	query  *sql.Select
	agg    *Aggregate
	groups map[string]*expr.Column // by identity of the expression
	calls  map[string]*expr.Column
	named  map[int]*expr.Column // groups of grouping sets that are named by a select item
}

// item is the select item i over the aggregate.
func (g *grouping) item(i int) (expr.Expr, error) {
	if c := g.named[i]; c != nil {
		return ref(c), nil
	}
	return g.replace(g.block.items[i].X)
}

// given reports whether a select item has a name of its own: it is more than a column.
func (it Item) given() bool {
	_, column := stripAlias(it.X).(*expr.Ref)
	return !column || it.Column.Qualifier == nil
}

// addItem is add for an expression that names the select item i. Grouping sets tell items apart whose values are the same.
func (g *grouping) addItem(x expr.Expr, i int) int {
	sets := slices.ContainsFunc(g.query.GroupBy, func(x sql.Expr) bool { _, ok := x.(*sql.Grouping); return ok })
	if !sets || g.block.a.Dialect != sql.Spark {
		return g.add(x)
	}
	if c := g.named[i]; c != nil {
		return slices.IndexFunc(g.agg.Groups, func(it Item) bool { return it.Column == c })
	}
	id := identity(stripAlias(x))
	before := g.groups[id]
	delete(g.groups, id)
	n := g.add(x)
	if g.named == nil {
		g.named = map[int]*expr.Column{}
	}
	g.named[i] = g.agg.Groups[n].Column
	if before != nil {
		g.groups[id] = before
		it := &g.agg.Groups[n]
		it.X = functions.Apart(it.X, len(g.named))
	}
	return n
}

// add makes an expression a group column, unless it is one, and returns its position.
func (g *grouping) add(x expr.Expr) int {
	x = stripAlias(x)
	id := identity(x)
	if c := g.groups[id]; c != nil {
		for i, it := range g.agg.Groups {
			if it.Column == c {
				return i
			}
		}
	}
	it := g.block.a.itemOf(x)
	if g.block.a.Dialect == sql.Spark {
		it.X = functions.Normalized(x)
	}
	g.agg.Groups = append(g.agg.Groups, it)
	g.groups[id] = it.Column
	return len(g.agg.Groups) - 1
}

// having resolves HAVING: FROM's columns come first; a name that is not grouped may be that of a select item.
func (g *grouping) having(ctx context.Context, items []Item) (expr.Expr, error) {
	b, x := g.block, g.query.Having
	try := func(s scope) (expr.Expr, error) {
		h, err := b.a.condition(ctx, x, &s, "HAVING")
		if err != nil {
			return nil, err
		}
		if in := windowIn(h); in != nil && b.a.Dialect == sql.Trino {
			return nil, errclass.TrinoHavingWindow().At(in.Span())
		}
		return g.replaceOnTop(h, columnsOf(items))
	}
	s := *b.scope
	s.last, s.suggest = items, columnsOf(items)
	if b.a.Dialect == sql.Trino {
		s.last, s.suggest = nil, nil
	}
	h, err := try(s)
	if err == nil || b.a.Dialect == sql.Trino {
		return h, err
	}
	s.first, s.last = items, nil
	if h, again := try(s); again == nil {
		return h, nil
	}
	return nil, err
}

func (g *grouping) replaceCall(c *expr.Call) (*expr.Call, error) {
	k := *c
	k.Args = make([]expr.Expr, len(c.Args))
	for i, x := range c.Args {
		y, err := g.replace(x)
		if err != nil {
			return nil, err
		}
		k.Args[i] = y
	}
	return &k, nil
}

// written is an item as Trino formats it.
func (g *grouping) written(x expr.Expr) string {
	for _, it := range g.query.Items {
		if al, ok := it.(*sql.Aliased); ok {
			it = al.X
		}
		if it.Span() == x.Span() {
			return Formatted(it)
		}
	}
	return NameOf(sql.Trino, x)
}

// replace makes an expression read the aggregate's output.
func (g *grouping) replace(x expr.Expr) (expr.Expr, error) {
	y, err := rewrite(x, g.step)
	var e *notGroupedError
	if errors.As(err, &e) {
		if _, plain := x.(*expr.Ref); !plain && g.block.a.Dialect == sql.Trino {
			return nil, errclass.TrinoNotAggregate(g.written(x)).At(x.Span())
		}
		return nil, g.notGrouped(e.ref)
	}
	if err == nil && g.agg.Sets != nil && g.block.a.Dialect == sql.Spark {
		functions.Renull(y)
	}
	return y, err
}

// replaceOnTop is replace for what stands above the groups, HAVING and ORDER BY: there Spark does not know the other columns.
func (g *grouping) replaceOnTop(x expr.Expr, out []*expr.Column) (expr.Expr, error) {
	y, err := rewrite(x, g.step)
	var e *notGroupedError
	if !errors.As(err, &e) {
		return y, err
	}
	if g.block.a.Dialect == sql.Trino {
		return nil, g.notGrouped(e.ref)
	}
	return nil, g.unresolved(e.ref, out)
}

// unresolved is a column that is not among those that are left.
func (g *grouping) unresolved(r *expr.Ref, out []*expr.Column) error {
	var names [][]string
	for _, c := range out {
		names = append(names, append(append([]string{}, c.Qualifier...), c.Name))
	}
	return errclass.UnresolvedColumn([]string{NameOf(sql.Spark, r)}, names).At(r.Span())
}

// notGroupedError is how a column that is not grouped is reported to the expression around it.
type notGroupedError struct{ ref *expr.Ref }

func (*notGroupedError) Error() string { return "not grouped" }

// checkFrame refuses offsets of a frame that read what is not grouped.
func (g *grouping) checkFrame(w *expr.Window) error {
	if w.Frame == nil || g.block.a.Dialect != sql.Trino {
		return nil
	}
	for i, b := range []expr.Bound{w.Frame.Start, w.Frame.End} {
		_, err := rewrite(b.N, g.step)
		var e *notGroupedError
		if errors.As(err, &e) {
			return errclass.TrinoFrameNotGrouped([]string{"start", "end"}[i]).At(b.N.Span())
		}
	}
	return nil
}

func (g *grouping) step(e expr.Expr) (expr.Expr, bool, error) {
	b := g.block
	if c := g.groups[identity(e)]; c != nil {
		r := ref(c)
		r.At = e.Span()
		if old, ok := e.(*expr.Ref); ok {
			r.Spelled = old.Spelled
		}
		return r, true, nil
	}
	switch e := e.(type) {
	case *expr.Call:
		if e.Func.Kind != expr.Aggregate {
			return nil, false, nil
		}
		if e.Func.Name == groupingName || e.Func.Name == groupingIDName {
			if err := g.checkGrouping(e); err != nil {
				return nil, true, err
			}
		}
		id := identity(e)
		if g.calls[id] == nil {
			it := NewItem(NameOf(b.a.Dialect, e), e)
			g.agg.Aggs = append(g.agg.Aggs, it)
			g.calls[id] = it.Column
		}
		return ref(g.calls[id]), true, nil
	case *expr.Window:
		return nil, false, g.checkFrame(e)
	case *expr.Ref:
		if !slices.Contains(b.scope.columns, e.Column) {
			return e, true, nil // a column of an outer query, of a generator, or a lambda's parameter
		}
		return nil, true, &notGroupedError{e}
	case *expr.Subquery:
		// Columns of this query that a correlated subquery reads must be grouped, too.
		return nil, false, rewritePlan(e.Plan.(Node), func(x expr.Expr) (expr.Expr, bool, error) {
			if c := g.groups[identity(x)]; c != nil {
				return ref(c), true, nil
			}
			if c, ok := x.(*expr.Call); ok && outerAggregate(c) && readsOnly(c, b.scope.columns) {
				r, done, err := g.step(inward(c))
				if k, ok := r.(*expr.Ref); ok {
					k.Outer = 1
				}
				return r, done, err
			}
			if r, ok := x.(*expr.Ref); ok && slices.Contains(b.scope.columns, r.Column) {
				return nil, true, &notGroupedError{r}
			}
			return nil, false, nil
		})
	}
	return nil, false, nil
}

// outerAggregate reports whether a call aggregates columns of the query around it, and nothing of its own query: it is a value of
// that query's groups.
func outerAggregate(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	if !ok || c.Func.Kind != expr.Aggregate {
		return false
	}
	refs, own := 0, 0
	for _, x := range c.Args {
		_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
			if r, ok := e.(*expr.Ref); ok && !r.Column.Param {
				refs++
				if r.Outer == 0 {
					own++
				}
			}
			return nil, false, nil
		})
	}
	return refs > 0 && own == 0
}

// inward makes references to the query around into references of that query itself.
func inward(x expr.Expr) expr.Expr {
	y, _ := rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if r, ok := e.(*expr.Ref); ok {
			c := *r
			c.Outer = 0
			return &c, true, nil
		}
		return nil, false, nil
	})
	return y
}

// notGrouped is an expression over a column that is neither grouped nor aggregated.
func (g *grouping) notGrouped(r *expr.Ref) error {
	d, q := g.block.a.Dialect, g.query
	if d == sql.Trino {
		return errclass.TrinoNotAggregate(r.Column.Name).At(r.Span())
	}
	if len(q.GroupBy) == 0 && !q.GroupByAll {
		return errclass.MissingGroupBy().At(q.Span())
	}
	return errclass.MissingAggregation(NameOf(d, r)).At(r.Span())
}

// groupBy resolves GROUP BY: ordinals, item names, expressions, ALL, and grouping sets.
func (g *grouping) groupBy(ctx context.Context) error {
	q := g.query
	if q.GroupByAll {
		return g.groupByAll()
	}
	sets := [][]int{{}}
	multiple := false
	for _, x := range q.GroupBy {
		gs, ok := x.(*sql.Grouping)
		if !ok {
			i, err := g.key(ctx, x)
			if err != nil {
				return err
			}
			for j := range sets {
				sets[j] = append(sets[j], i)
			}
			continue
		}
		multiple = true
		parts, err := g.sets(ctx, gs)
		if err != nil {
			return err
		}
		sets = product(sets, parts)
	}
	if multiple {
		g.agg.Sets, g.agg.SkipEmpty = sets, g.block.a.Dialect == sql.Spark
		for i, it := range g.agg.Groups {
			lacks := func(set []int) bool { return !slices.Contains(set, i) }
			it.Column.Null = it.Column.Null || g.block.a.Dialect == sql.Trino || slices.ContainsFunc(sets, lacks)
		}
	}
	return nil
}

// sets lists the grouping sets of GROUPING SETS, ROLLUP or CUBE; the former may hold the others.
func (g *grouping) sets(ctx context.Context, gs *sql.Grouping) ([][]int, error) {
	kind := strings.ToUpper(gs.Kind)
	if err := g.onlyColumns(ctx, gs); err != nil {
		return nil, err
	}
	for _, x := range gs.Exprs {
		if _, err := g.key(ctx, x); err != nil {
			return nil, err
		}
	}
	var parts [][]int
	for _, set := range gs.Sets {
		if len(set) == 1 && kind == "GROUPING SETS" {
			if inner, ok := set[0].(*sql.Grouping); ok {
				more, err := g.sets(ctx, inner)
				if err != nil {
					return nil, err
				}
				parts = append(parts, more...)
				continue
			}
		}
		p := []int{}
		for _, e := range set {
			i, err := g.key(ctx, e)
			if err != nil {
				return nil, err
			}
			p = append(p, i)
		}
		parts = append(parts, p)
	}
	return expand(kind, parts), nil
}

// onlyColumns refuses what is no column in ROLLUP, CUBE and GROUPING SETS, as Trino does.
func (g *grouping) onlyColumns(ctx context.Context, gs *sql.Grouping) error {
	if g.block.a.Dialect != sql.Trino {
		return nil
	}
	for _, set := range gs.Sets {
		for _, x := range set {
			if _, nested := x.(*sql.Grouping); nested {
				continue
			}
			s := *g.block.scope
			e, err := g.block.a.expr(ctx, x, &s)
			if err != nil {
				return err
			}
			if _, plain := e.(*expr.Ref); !plain {
				return errclass.TrinoGroupingColumn(Formatted(x)).At(x.Span())
			}
		}
	}
	return nil
}

// groupByAll groups by every item without aggregates. In an item that mixes columns and aggregates, the parts around the
// aggregates are grouped.
func (g *grouping) groupByAll() error {
	for _, it := range g.block.items {
		if !hasAggregate(it.X) && !anyExpr(it.X, isWindow) {
			g.add(it.X)
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

// key resolves one GROUP BY expression and returns its position among the groups.
func (g *grouping) key(ctx context.Context, x sql.Expr) (int, error) {
	b, a := g.block, g.block.a
	c, ok, err := a.ordinal(x, columnsOf(b.items), "GROUP_BY")
	if err != nil {
		return 0, err
	}
	if ok {
		e := b.itemOf(c).X
		if hasAggregate(e) && a.Dialect == sql.Trino {
			return 0, errclass.GroupByAggregate(int(a.Dialect), "", a.aggregateNames(e)).At(stripAlias(e).Span())
		}
		if hasAggregate(e) {
			return 0, errclass.GroupByPosAggregate(int(a.Dialect), strings.TrimSpace(Written(x)), SQLOf(e)+" AS "+types.QuoteIfNeeded(c.Name)).At(x.Span())
		}
		i := slices.IndexFunc(b.items, func(it Item) bool { return it.Column == c })
		if !b.items[i].given() {
			return g.add(e), nil
		}
		return g.addItem(e, i), nil
	}
	s := *b.scope
	if a.Dialect == sql.Spark {
		s.last = b.items
	}
	e, err := a.expr(ctx, x, &s)
	if err != nil {
		return 0, err
	}
	if in := windowIn(e); in != nil && a.Dialect == sql.Trino {
		return 0, errclass.TrinoNotScalar("GROUP BY", NameOf(sql.Trino, in)).At(stripAlias(e).Span())
	}
	if hasAggregate(e) {
		return 0, errclass.GroupByAggregate(int(a.Dialect), SQLOf(e), a.aggregateNames(e)).At(stripAlias(e).Span())
	}
	if name, ok := x.(*sql.Ident); ok && len(name.Parts) == 1 { // an alias
		id := identity(stripAlias(e))
		for i, it := range b.items {
			if it.given() && strings.EqualFold(it.Column.Name, name.Parts[0].Text) && identity(stripAlias(it.X)) == id {
				return g.addItem(e, i), nil
			}
		}
	}
	return g.add(e), nil
}

// The two functions that tell grouping sets apart. They stand among the aggregates, since only the Aggregate can compute them.
const (
	groupingName   = "grouping"
	groupingIDName = "grouping_id"
	// hiveGroupingID is the column that Hive has for grouping_id().
	hiveGroupingID = "grouping__id"
)

// groupingCall makes grouping(column) or grouping_id(columns); a grouping_id without arguments is completed when the groups are known.
func (a *Analyzer) groupingCall(ctx context.Context, x *sql.Call, name string, s *scope) (expr.Expr, error) {
	c := newGroupingCall(a.Dialect, name, x)
	for _, arg := range x.Args {
		e, err := a.expr(ctx, arg.X, s)
		if err != nil {
			return nil, err
		}
		c.Args = append(c.Args, e)
	}
	kind := types.Long
	switch {
	case a.Dialect == sql.Trino:
		if kind = types.Int; len(c.Args) > 31 {
			kind = types.Long
		}
	case name == groupingName:
		kind = types.Byte
		if len(c.Args) != 1 {
			return nil, errclass.WrongNumArgs(name, "1", len(c.Args)).At(x.Span())
		}
	}
	c.T, c.At = types.Of(kind), x.Span()
	return c, nil
}

func newGroupingCall(d sql.Dialect, name string, at sql.Node) *expr.Call {
	c := &expr.Call{Name: name, Func: &expr.Func{Name: name, Kind: expr.Aggregate, Dialect: d, Signature: name + "(col)", Duck: printGrouping}}
	c.At = at.Span()
	return c
}

// groupsAbsent tells which arguments of grouping_id stand in no grouping set: DuckDB's grouping does not take them.
type groupsAbsent []bool

func printGrouping(c *expr.Call, args []string) string {
	if absent, ok := c.Extra.(groupsAbsent); ok {
		bits := make([]string, len(args))
		for i, x := range args {
			weight := i64(1 << (len(args) - 1 - i))
			if bits[i] = weight; !absent[i] {
				bits[i] = "grouping(" + x + ") * " + weight
			}
		}
		return "CAST(" + strings.Join(bits, " + ") + " AS " + functions.DuckType(c.T) + ")"
	}
	if len(args) == 0 {
		return "CAST(0 AS BIGINT)"
	}
	return "CAST(grouping(" + strings.Join(args, ", ") + ") AS " + functions.DuckType(c.T) + ")"
}

// checkGrouping checks that the arguments are groups of grouping sets, and completes grouping_id().
func (g *grouping) checkGrouping(c *expr.Call) error {
	if g.agg.Sets == nil {
		switch {
		case g.block.a.Dialect != sql.Trino:
			return errclass.UnsupportedGrouping(0).At(c.Span())
		case len(g.agg.Groups) == 0:
			return errclass.UnsupportedGrouping(int(sql.Trino)).At(g.query.Span())
		}
	}
	if c.Func.Name == groupingIDName && len(c.Args) == 0 {
		var absent groupsAbsent
		for i, it := range g.agg.Groups {
			c.Args = append(c.Args, it.X)
			absent = append(absent, !slices.ContainsFunc(g.agg.Sets, func(set []int) bool { return slices.Contains(set, i) }))
		}
		if slices.Contains(absent, true) {
			c.Extra = absent
		}
		pretty := c.Func.Name + "()"
		f := *c.Func
		f.Pretty = func(*expr.Call, []string) string { return pretty }
		c.Func = &f
		return nil
	}
	for i, x := range c.Args {
		if col := g.groups[identity(x)]; col != nil {
			at := slices.IndexFunc(g.agg.Groups, func(it Item) bool { return it.Column == col })
			c.Args[i] = g.agg.Groups[at].X
		} else if g.block.a.Dialect == sql.Trino {
			return errclass.TrinoGroupingArgument(NameOf(sql.Trino, x)).At(c.Span())
		} else {
			have := make([]string, len(g.agg.Groups))
			for i, it := range g.agg.Groups {
				have[i] = NameOf(g.block.a.Dialect, it.X)
			}
			return errclass.GroupingMismatch(c.Func.Name, names(g.block.a.Dialect, c.Args), strings.Join(have, ",")).At(c.Span())
		}
	}
	return nil
}

// aggregateNames lists the aggregate calls in an expression.
func (a *Analyzer) aggregateNames(x expr.Expr) []string {
	var out []string
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if isAggregate(e) {
			if a.Dialect == sql.Spark {
				out = append(out, SQLOf(e))
			} else {
				out = append(out, NameOf(a.Dialect, e))
			}
			return e, true, nil
		}
		return nil, false, nil
	})
	return out
}
