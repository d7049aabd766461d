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

// query analyzes a query expression; outer are the scopes around it.
func (a *Analyzer) query(ctx context.Context, q *sql.Query, outer *scope) (Node, error) {
	frame, defs, err := a.ctes(ctx, q.With, outer)
	if err != nil {
		return nil, err
	}
	if len(q.DistributeBy)+len(q.ClusterBy)+len(q.SortBy) > 0 && len(q.OrderBy) > 0 {
		return nil, errclass.SortConflict().At(q.Span())
	}
	order := q.OrderBy
	if len(order) == 0 {
		order = q.SortBy
	}
	for _, x := range q.ClusterBy {
		order = append(order, sql.SortItem{X: x})
	}
	n, err := a.body(ctx, q.Body, order, q.Windows, frame)
	if err != nil {
		return nil, err
	}
	for _, x := range q.DistributeBy {
		// Where rows go is of no account here; what decides must exist, if only below the selected columns, as for ORDER BY.
		if _, err := a.expr(ctx, x, &scope{columns: n.Output(), outer: frame}); err == nil {
			continue
		}
		order = slices.Clone(order)
		for _, x := range q.DistributeBy {
			order = append(order, sql.SortItem{X: x})
		}
		if n, err = a.body(ctx, q.Body, order, q.Windows, frame); err != nil {
			return nil, err
		}
		break
	}
	if n, err = a.limit(ctx, q, n); err != nil {
		return nil, err
	}
	if len(defs) > 0 {
		n = &With{Defs: defs, Child: n}
	}
	return n, nil
}

// ctes analyzes the common table expressions of WITH; the scope has their names.
func (a *Analyzer) ctes(ctx context.Context, w *sql.With, outer *scope) (*scope, []*CTE, error) {
	frame := &scope{outer: outer}
	if w == nil {
		return frame, nil, nil
	}
	if err := a.bringAlong(w.Functions); err != nil {
		return nil, nil, err
	}
	var defs []*CTE
	for i := range w.CTEs {
		if a.Dialect == sql.Trino {
			for _, before := range w.CTEs[:i] {
				if name := w.CTEs[i].Name; strings.EqualFold(before.Name.Text, name.Text) {
					return nil, nil, errclass.TrinoDuplicateQuery(strings.ToLower(name.Text)).At(name.Span())
				}
			}
		}
		def, err := a.cte(ctx, &w.CTEs[i], w.Recursive, frame)
		if err != nil {
			return nil, nil, err
		}
		defs = append(defs, def)
	}
	return frame, defs, nil
}

func (a *Analyzer) cte(ctx context.Context, c *sql.CTE, recursive bool, frame *scope) (*CTE, error) {
	def := &CTE{Name: c.Name.Text}
	names := asWritten(c.Columns)
	entry := &cteScope{name: c.Name.Text, def: def, cols: names, next: frame.ctes}
	if recursive && a.Dialect == sql.Trino {
		if err := checkRecursion(c); err != nil {
			return nil, err
		}
	}
	body := sql.Body(c.Query.Body)
	if set, ok := body.(*sql.SetOp); ok && recursive && set.Op == "UNION" && len(c.Query.OrderBy) == 0 {
		anchor, err := a.body(ctx, set.L, nil, nil, &scope{outer: frame})
		if err != nil {
			return nil, err
		}
		if a.Dialect == sql.Trino && len(names) != len(anchor.Output()) {
			return nil, errclass.TrinoColumnAliases(len(names), len(anchor.Output())).At(c.Columns[0].Span())
		}
		def.Plan = anchor
		step, err := a.body(ctx, set.R, nil, nil, &scope{outer: &scope{outer: frame, ctes: entry}})
		if err != nil {
			return nil, err
		}
		if refersTo(step, def) {
			if len(step.Output()) != len(anchor.Output()) {
				if a.Dialect == sql.Trino {
					return nil, errclass.TrinoRecursionColumns(len(anchor.Output()), len(step.Output())).At(set.R.Span())
				}
				return nil, errclass.ColumnsMismatch("UNION", len(anchor.Output()), 2, len(step.Output())).At(set.Span())
			}
			def.Recursive, def.All, def.Depth = true, set.All, a.Settings.RecursionDepth
			if err := a.checkStep(step, anchor, set.R); err != nil {
				return nil, err
			}
			def.Step = a.castTo(step, anchor.Output())
			frame.ctes = entry
			return def, nil
		}
	}
	n, err := a.query(ctx, c.Query, frame)
	if err != nil {
		return nil, err
	}
	if len(names) > 0 && len(names) != len(n.Output()) {
		if a.Dialect == sql.Trino {
			return nil, errclass.TrinoColumnAliases(len(names), len(n.Output())).At(c.Columns[0].Span())
		}
		return nil, errclass.AliasColumns(len(names), len(n.Output())).At(c.Query.Span())
	}
	def.Plan = n
	frame.ctes = entry
	return def, nil
}

// checkStep refuses a recursive query whose step gives other types than its beginning, which Trino does not cast.
func (a *Analyzer) checkStep(step, anchor Node, at sql.Node) error {
	if a.Dialect != sql.Trino {
		return nil
	}
	for i, c := range step.Output() {
		if to := anchor.Output()[i].T; to.Kind != types.Null {
			if _, ok := functions.CoerceIn(a.Dialect, ref(c), to); !ok {
				return errclass.TrinoRecursionTypes(c.T, to, i+1).At(at.Span())
			}
		}
	}
	return nil
}

// refersTo reports whether a plan reads a common table expression.
func refersTo(n Node, def *CTE) bool {
	found := false
	Visit(n, func(n Node) {
		if r, ok := n.(*CTERef); ok && r.Def == def {
			found = true
		}
	})
	return found
}

// body analyzes what stands between WITH and LIMIT, with its order.
func (a *Analyzer) body(ctx context.Context, b sql.Body, order []sql.SortItem, windows []sql.NamedWindow, frame *scope) (Node, error) {
	switch b := b.(type) {
	case *sql.Select:
		return a.selectBlock(ctx, b, order, windows, frame)
	case *sql.Query:
		n, err := a.query(ctx, b, frame)
		if err != nil {
			return nil, err
		}
		return a.sortOutput(ctx, n, order, frame)
	case *sql.SetOp:
		n, err := a.setOp(ctx, b, frame)
		if err != nil {
			return nil, err
		}
		return a.sortOutput(ctx, n, order, frame)
	case *sql.Values:
		n, err := a.values(ctx, b, nil, frame)
		if err != nil {
			return nil, err
		}
		return a.sortOutput(ctx, n, order, frame)
	case *sql.Table:
		n, err := a.relation(ctx, b.Rel, frame)
		if err != nil {
			return nil, err
		}
		return a.sortOutput(ctx, n, order, frame)
	}
	return nil, a.unsupported(typeName(b), b)
}

func (a *Analyzer) limit(ctx context.Context, q *sql.Query, n Node) (Node, error) {
	if q.Limit == nil && q.Offset == nil {
		return n, nil
	}
	if q.WithTies {
		return a.ties(ctx, q, n)
	}
	l := &Limit{N: -1, Child: n}
	at := q.Body.Span() // Spark points at what LIMIT cuts
	if a.Dialect == sql.Trino {
		at = q.Span()
	}
	for _, p := range []struct {
		x    sql.Expr
		to   *int64
		name string
	}{{q.Limit, &l.N, "limit"}, {q.Offset, &l.Offset, "offset"}} {
		if p.x == nil {
			continue
		}
		v, err := a.constantInt(ctx, p.x, p.name, at)
		if err != nil {
			return nil, err
		}
		*p.to = v
	}
	return l, nil
}

// constantInt reads LIMIT and OFFSET: a constant integer that is not negative.
func (a *Analyzer) constantInt(ctx context.Context, x sql.Expr, name string, at token.Span) (int64, error) {
	if l, ok := x.(*sql.Literal); ok && l.Kind == sql.NumberLit {
		if lit, err := functions.Literal(a.Dialect, l); err == nil {
			if v, ok := lit.Value.(int64); ok && v >= 0 {
				return v, nil
			}
		}
	}
	e, err := a.expr(ctx, x, &scope{})
	if err != nil {
		if a.Dialect == sql.Spark && isUnresolved(err) {
			return 0, errclass.LimitNotConstant(name, Written(x)).At(at)
		}
		return 0, err
	}
	if t := e.Type(); t.Kind != types.Null && (!t.IsIntegral() || t.Kind == types.Long) && a.Dialect == sql.Spark {
		return 0, errclass.LimitType(name, NameOf(a.Dialect, e), t).At(x.Span())
	}
	v, err := a.Eval(ctx, x, types.Of(types.Long))
	if err != nil {
		return 0, err
	}
	i, ok := v.(int64)
	switch {
	case !ok && a.Dialect == sql.Trino:
		return 0, errclass.TrinoNullRows(strings.ToUpper(name), Formatted(a.given(x))).At(x.Span())
	case !ok:
		return 0, errclass.InvalidLimit(name, NameOf(a.Dialect, e), "NULL").At(x.Span())
	}
	if i < 0 && a.Dialect == sql.Trino {
		return 0, errclass.TrinoNegativeRows(strings.ToUpper(name), i).At(x.Span())
	}
	if i < 0 {
		return 0, errclass.InvalidLimit(name, NameOf(a.Dialect, e), i64(i)).At(x.Span())
	}
	return i, nil
}

// given is what stands for a prepared statement's parameter, or the expression itself.
func (a *Analyzer) given(x sql.Expr) sql.Expr {
	if p, ok := x.(*sql.Param); ok && p.Name == "" && p.Index < len(a.Params.Positional) {
		return a.Params.Positional[p.Index]
	}
	return x
}

func isUnresolved(err error) bool {
	e, ok := err.(*errclass.Error)
	return ok && strings.HasPrefix(e.Class, "UNRESOLVED_COLUMN")
}

func (a *Analyzer) setOp(ctx context.Context, b *sql.SetOp, frame *scope) (Node, error) {
	l, err := a.body(ctx, b.L, nil, nil, &scope{outer: frame})
	if err != nil {
		return nil, err
	}
	r, err := a.body(ctx, b.R, nil, nil, &scope{outer: frame})
	if err != nil {
		return nil, err
	}
	if b.ByName {
		if l, r, err = a.byName(l, r, b); err != nil {
			return nil, err
		}
	}
	lo, ro := l.Output(), r.Output()
	op := b.Op
	if b.All && op != "UNION" {
		op += " ALL"
	}
	if len(lo) != len(ro) {
		if a.Dialect == sql.Trino {
			return nil, errclass.TrinoSetOpColumns(b.Op, len(lo), len(ro)).At(b.OpAt.Pos)
		}
		return nil, errclass.ColumnsMismatch(op, len(lo), 2, len(ro)).At(b.Span())
	}
	cols := make([]*expr.Column, len(lo))
	for i := range lo {
		t, ok := functions.CommonType(a.Dialect, lo[i].T, ro[i].T)
		if merged, same := functions.ComparisonType(a.Dialect, lo[i].T, ro[i].T); !ok && same && b.Op == "UNION" && lo[i].T.SameParts(merged) && ro[i].T.SameParts(merged) {
			t, ok = merged, true // no cast is needed, so names do not matter
		}
		if !ok {
			if a.Dialect == sql.Trino {
				return nil, errclass.TrinoSetOpTypes(b.Op, i+1, lo[i].T, ro[i].T).At(b.OpAt.Pos)
			}
			return nil, errclass.IncompatibleColumnType(op, i+1, ro[i].T, lo[i].T).At(b.Span())
		}
		if b.Op != "UNION" && lo[i].T.Equal(ro[i].T) && a.Dialect == sql.Spark {
			t = lo[i].T // its parts may be NULL where they may on the left
		}
		cols[i] = &expr.Column{Name: lo[i].Name, Qualifier: lo[i].Qualifier, T: t, Attribute: lo[i].Attribute}
	}
	l, r = a.castTo(l, cols), a.castTo(r, cols)
	lo, ro = l.Output(), r.Output()
	for i := range cols {
		switch b.Op {
		case "EXCEPT":
			cols[i].Null = lo[i].Null
		case "INTERSECT":
			cols[i].Null = lo[i].Null && ro[i].Null
		default:
			cols[i].Null = lo[i].Null || ro[i].Null
		}
	}
	if b.Op != "UNION" || !b.All {
		if err := a.comparable(cols, b); err != nil {
			return nil, err
		}
	}
	if a.Dialect == sql.Spark && !b.All {
		if l = normalizedRows(l); b.Op == "UNION" {
			r = normalizedRows(r)
		}
	}
	return &SetOp{Op: b.Op, All: b.All, Columns: cols, L: l, R: r}, nil
}

// normalizedRows are rows with values as they are grouped.
func normalizedRows(n Node) Node {
	cols := n.Output()
	items, same := pass(cols), true
	for i, c := range cols {
		items[i].X = functions.Normalized(items[i].X)
		_, plain := items[i].X.(*expr.Ref)
		same = same && plain
		items[i].Column.Hidden = c.Hidden
	}
	if same {
		return n
	}
	return &Project{Items: items, Child: n}
}

// byName puts the right side's columns into the left side's order; with AllowMissing, absent ones become NULL on both sides.
func (a *Analyzer) byName(l, r Node, b *sql.SetOp) (Node, Node, error) {
	find := func(cols []*expr.Column, name string) *expr.Column {
		for _, c := range cols {
			if strings.EqualFold(c.Name, name) {
				return c
			}
		}
		return nil
	}
	null := func(c *expr.Column) Item {
		lit := &expr.Lit{}
		lit.T, lit.Null = c.T, true
		return Item{Column: &expr.Column{Name: c.Name, T: c.T, Null: true}, X: lit}
	}
	pass := func(c *expr.Column) Item {
		return Item{Column: &expr.Column{Name: c.Name, T: c.T, Null: c.Null, Attribute: c.Attribute}, X: ref(c)}
	}
	var li, ri []Item
	for _, c := range l.Output() {
		li = append(li, pass(c))
		other := find(r.Output(), c.Name)
		switch {
		case other != nil:
			ri = append(ri, pass(other))
		case b.AllowMissing:
			ri = append(ri, null(c))
		default:
			return nil, nil, errclass.ColumnAmongFields(c.Name, columnNames(r.Output())).At(b.Span())
		}
	}
	for _, c := range r.Output() {
		if find(l.Output(), c.Name) == nil {
			if !b.AllowMissing {
				return nil, nil, errclass.ColumnsMismatch("UNION", len(l.Output()), 2, len(r.Output())).At(b.Span())
			}
			li, ri = append(li, null(c)), append(ri, pass(c))
		}
	}
	return &Project{Items: li, Child: l}, &Project{Items: ri, Child: r}, nil
}

// castTo casts a relation's columns to the types of others, where they differ.
func (a *Analyzer) castTo(n Node, cols []*expr.Column) Node {
	same := true
	items := make([]Item, len(cols))
	for i, c := range n.Output() {
		x := expr.Expr(ref(c))
		if !c.T.Equal(cols[i].T) {
			same = false
			if y, ok := functions.CoerceIn(a.Dialect, x, cols[i].T); ok {
				x = y
			}
		}
		items[i] = Item{Column: &expr.Column{Name: c.Name, T: x.Type(), Null: x.Nullable(), Attribute: c.Attribute}, X: x}
	}
	if same {
		return n
	}
	return &Project{Items: items, Child: n}
}

func isOuter(e expr.Expr) bool {
	r, ok := e.(*expr.Ref)
	return ok && r.Outer > 0
}

// fieldsWritten are the values of struct(a, b), which is another way to write (a, b); else the expression itself.
func fieldsWritten(x sql.Expr) []sql.Expr {
	switch x := x.(type) {
	case *sql.Tuple:
		return x.Items
	case *sql.Call:
		if len(x.Name) == 1 && strings.EqualFold(x.Name[0].Text, "struct") && len(x.Args) > 0 {
			out := make([]sql.Expr, len(x.Args))
			for i, arg := range x.Args {
				out[i] = arg.X
			}
			return out
		}
	}
	return []sql.Expr{x}
}

// values is VALUES; names are those of the alias, for messages.
func (a *Analyzer) values(ctx context.Context, v *sql.Values, names []string, frame *scope) (Node, error) {
	n := &Rows{}
	s := &scope{outer: frame}
	for i, r := range v.Rows {
		row := make([]expr.Expr, len(r))
		for j, x := range r {
			e, err := a.expr(ctx, x, s)
			if err != nil {
				return nil, err
			}
			if a.Dialect == sql.Spark && (hasAggregate(e) || anyExpr(e, isWindow) || anyExpr(e, isOuter)) {
				return nil, errclass.InlineTableExpression(NameOf(a.Dialect, e)).At(v.Span())
			}
			row[j] = e
		}
		if i > 0 && len(row) != len(n.Rows[0]) {
			if a.Dialect == sql.Trino {
				return nil, errclass.TrinoValuesSizes(len(n.Rows[0]), len(row)).At(v.Span())
			}
			return nil, errclass.InlineTableColumns(len(n.Rows[0]), len(row), i).At(v.Span())
		}
		n.Rows = append(n.Rows, row)
	}
	for j := range n.Rows[0] {
		ts := make([]types.Type, len(n.Rows))
		null := false
		for i, r := range n.Rows {
			ts[i] = r[j].Type()
			null = null || r[j].Nullable()
		}
		t, ok := functions.CommonType(a.Dialect, ts...)
		if !ok && a.Dialect == sql.Trino {
			return nil, errclass.Place(trinoValues(n.Rows), v.Span())
		}
		if !ok {
			name := "col" + itoa(j+1)
			if len(names) == len(n.Rows[0]) {
				name = names[j]
			}
			return nil, errclass.InlineTableTypes(name).At(v.Span())
		}
		for i := range n.Rows {
			n.Rows[i][j], _ = functions.CoerceIn(a.Dialect, n.Rows[i][j], t)
			null = null || n.Rows[i][j].Nullable()
		}
		name := "col" + itoa(j+1)
		if a.Dialect == sql.Trino {
			name = Unnamed(j)
		}
		n.Columns = append(n.Columns, &expr.Column{Name: name, T: t, Null: null})
	}
	return n, nil
}
