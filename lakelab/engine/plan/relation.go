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

// relation analyzes an item of FROM.
func (a *Analyzer) relation(ctx context.Context, r sql.Relation, s *scope) (Node, error) {
	switch r := r.(type) {
	case *sql.TableRef:
		return a.table(ctx, r, s)
	case *sql.Derived:
		n, err := a.query(ctx, r.Query, s)
		if err != nil {
			return nil, err
		}
		if r.Sample != nil {
			return nil, a.unsupported("TABLESAMPLE", r)
		}
		if r.Transparent && r.Alias.Name == nil {
			return n, nil
		}
		if r.Alias.Name == nil {
			return &Project{Items: requalify(n.Output(), nil, nil), Child: n}, nil
		}
		return a.alias(n, r.Alias, r)
	case *sql.Join:
		return a.join(ctx, r, s)
	case *sql.ValuesRel:
		n, err := a.values(ctx, r.Values, s)
		if err != nil {
			return nil, err
		}
		return a.alias(n, r.Alias, r)
	case *sql.TableFunc:
		return a.tableFunc(ctx, r, s)
	case *sql.LocalRows:
		n := &Local{Rows: r.Rows}
		for _, f := range r.Schema.Fields {
			n.Columns = append(n.Columns, &expr.Column{Name: f.Name, T: f.Type, Null: f.Nullable, Comment: f.Comment})
		}
		return n, nil
	}
	return a.dataFrame(ctx, r, s)
}

// alias gives a relation's columns a qualifier and, perhaps, new names.
func (a *Analyzer) alias(n Node, al sql.Alias, at sql.Node) (Node, error) {
	if al.Name == nil && len(al.Columns) == 0 {
		return n, nil
	}
	names := a.texts(al.Columns)
	if len(names) > 0 && len(names) != len(n.Output()) {
		return nil, errclass.AliasColumns(len(names), len(n.Output())).At(at.Span())
	}
	var q []string
	if al.Name != nil {
		q = a.texts([]sql.Name{*al.Name})
	}
	return &Project{Items: requalify(n.Output(), q, names), Child: n}, nil
}

func (a *Analyzer) table(ctx context.Context, r *sql.TableRef, s *scope) (Node, error) {
	if r.Sample != nil {
		return nil, a.unsupported("TABLESAMPLE", r)
	}
	if len(r.Name) == 1 && r.Travel == nil {
		if c := s.cte(r.Name[0].Text); c != nil {
			return a.cteRef(c, r)
		}
	}
	rel, err := a.Catalog.Resolve(ctx, r, a.Eval)
	if err != nil {
		return nil, errclass.Place(err, r.Span())
	}
	if rel == nil {
		return nil, errclass.TableNotFound(a.Dialect, a.completed(r.Name)).At(nameSpan(r))
	}
	if rel.View != nil {
		n, err := a.relation(ctx, rel.View, nil)
		if err != nil {
			return nil, err
		}
		if r.Alias.Name != nil {
			n = &Project{Items: requalify(n.Output(), rel.Name, rel.Columns), Child: n}
			return a.alias(n, r.Alias, r)
		}
		return &Project{Items: requalify(n.Output(), rel.Name, rel.Columns), Child: n}, nil
	}
	n := &Scan{Name: rel.Name, Source: rel.Source}
	for i, f := range rel.Source.Schema().Fields {
		name := f.Name
		if a.Dialect == sql.Trino {
			name = strings.ToLower(name)
		}
		n.Columns = append(n.Columns, &expr.Column{Name: name, Qualifier: rel.Name, T: f.Type, Null: f.Nullable, Comment: f.Comment})
		n.Indexes = append(n.Indexes, i)
	}
	return a.alias(n, r.Alias, r)
}

// completed is a table's name as an error shows it: as written in Spark, with catalog and schema in Trino.
func (a *Analyzer) completed(name []sql.Name) []string {
	parts := a.texts(name)
	if a.Dialect == sql.Trino {
		if len(parts) == 1 {
			parts = append([]string{a.Settings.CurrentNamespace}, parts...)
		}
		if len(parts) == 2 {
			parts = append([]string{a.Settings.CurrentCatalog}, parts...)
		}
	}
	return parts
}

func (a *Analyzer) cteRef(c *cteScope, r *sql.TableRef) (Node, error) {
	n := &CTERef{Def: c.def}
	for i, col := range c.def.Plan.Output() {
		k := *col
		k.Qualifier = []string{c.name}
		if i < len(c.cols) {
			k.Name = c.cols[i]
		}
		n.Columns = append(n.Columns, &k)
	}
	return a.alias(n, r.Alias, r)
}

func (a *Analyzer) join(ctx context.Context, j *sql.Join, s *scope) (Node, error) {
	l, err := a.relation(ctx, j.L, s)
	if err != nil {
		return nil, err
	}
	inner := s
	if d, ok := j.R.(*sql.Derived); j.Lateral || ok && d.Lateral {
		inner = &scope{columns: l.Output(), outer: s}
		j.Lateral = true
	}
	if u, ok := j.R.(*sql.Unnest); ok {
		return nil, a.unsupported("UNNEST", u)
	}
	r, err := a.relation(ctx, j.R, inner)
	if err != nil {
		return nil, err
	}
	using := a.texts(j.Using)
	if j.Natural {
		using = common(l.Output(), r.Output())
	}
	n := &Join{Kind: j.Kind, Lateral: j.Lateral, L: l, R: r}
	if len(using) > 0 {
		return a.using(n, using, j)
	}
	if j.On != nil {
		c, err := a.condition(ctx, j.On, &scope{columns: concat(l.Output(), r.Output()), outer: s, forbidAggregates: "JOIN"}, "JOIN")
		if err != nil {
			return nil, err
		}
		n.On = c
	}
	if n.On == nil && n.Kind == "INNER" {
		n.Kind = "CROSS"
	}
	return outerNulls(n), nil
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

// using joins by equal columns, which come first and once.
func (a *Analyzer) using(n *Join, names []string, j *sql.Join) (Node, error) {
	find := func(cols []*expr.Column, name, side string) (*expr.Column, error) {
		var have []string
		for _, c := range cols {
			if strings.EqualFold(c.Name, name) {
				return c, nil
			}
			have = append(have, c.Name)
		}
		return nil, errclass.UsingColumn(name, side, have).At(j.Span())
	}
	merged := map[*expr.Column]bool{}
	var items []Item
	for _, name := range names {
		l, err := find(n.L.Output(), name, "left")
		if err != nil {
			return nil, err
		}
		r, err := find(n.R.Output(), name, "right")
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
		x := expr.Expr(ref(l))
		switch n.Kind {
		case "RIGHT":
			x = ref(r)
		case "FULL":
			if x, err = functions.Resolve(a.Dialect, "coalesce", []expr.Expr{ref(l), ref(r)}, j.Span()); err != nil {
				return nil, err
			}
		}
		c := *l
		c.T, c.Null = x.Type(), l.Null && r.Null
		if n.Kind == "LEFT" || n.Kind == "SEMI" || n.Kind == "ANTI" {
			c.Null = l.Null
		}
		items = append(items, Item{Column: &c, X: x})
	}
	null := func(c *expr.Column, optional bool) {
		if !merged[c] {
			k := *c
			k.Null = k.Null || optional
			items = append(items, Item{Column: &k, X: ref(c)})
		}
	}
	for _, c := range n.L.Output() {
		null(c, n.Kind == "RIGHT" || n.Kind == "FULL")
	}
	if n.Kind != "SEMI" && n.Kind != "ANTI" {
		for _, c := range n.R.Output() {
			null(c, n.Kind == "LEFT" || n.Kind == "FULL")
		}
	}
	return &Project{Items: items, Child: n}, nil
}

// rangeSource is range(start, end, step).
type rangeSource struct{ start, end, step int64 }

func (r rangeSource) Schema() types.Type {
	return types.StructOf(types.Field{Name: "id", Type: types.Of(types.Long)})
}

func (r rangeSource) SQL(_ context.Context, columns []int, _ expr.Expr) (string, error) {
	from := "range(" + i64(r.start) + ", " + i64(r.end) + ", " + i64(r.step) + ")"
	if len(columns) == 0 {
		return "SELECT 1 AS one FROM " + from, nil
	}
	return "SELECT range AS id FROM " + from, nil
}

func (a *Analyzer) tableFunc(ctx context.Context, r *sql.TableFunc, s *scope) (Node, error) {
	name := strings.ToLower(r.Call.Name[len(r.Call.Name)-1].Text)
	if name != "range" || a.Dialect != sql.Spark {
		return nil, errclass.UnresolvableTableFunction(name).At(r.Span())
	}
	args := make([]int64, len(r.Call.Args))
	for i, x := range r.Call.Args {
		v, err := a.Eval(ctx, x.X, types.Of(types.Long))
		if err != nil {
			return nil, err
		}
		n, ok := v.(int64)
		if !ok {
			return nil, errclass.UnexpectedInputType("range", i+1, types.Of(types.Null), types.Of(types.Long)).At(x.X.Span())
		}
		args[i] = n
	}
	src := rangeSource{step: 1}
	switch len(args) {
	case 1:
		src.end = args[0]
	case 2, 3, 4:
		src.start, src.end = args[0], args[1]
		if len(args) > 2 {
			src.step = args[2]
		}
	default:
		return nil, errclass.WrongNumArgs("range", "[1, 2, 3, 4]", len(args)).At(r.Span())
	}
	if src.step == 0 {
		return nil, errclass.IllegalArgument("requirement failed: step (0) cannot be 0").At(r.Span())
	}
	n := &Scan{Name: []string{"range"}, Source: src, Columns: []*expr.Column{{Name: "id", T: types.Of(types.Long)}}, Indexes: []int{0}}
	return a.alias(n, r.Alias, r)
}
