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

// subquery analyzes a query inside an expression: it sees the columns around it.
func (a *Analyzer) subquery(ctx context.Context, q *sql.Query, s *scope) (Node, error) {
	around := *s
	around.first, around.last, around.forbidAggregates = nil, nil, ""
	n, err := a.query(ctx, q, &around)
	if err != nil {
		return nil, err
	}
	return n, a.checkCorrelation(n, q)
}

// outerColumns lists the references of a subquery's plan to the queries around it, from the top down.
func outerColumns(n Node) []expr.Expr {
	var out []expr.Expr
	own := correlatedQuery(n).own
	visitOwn(n, func(n Node) {
		for _, x := range expressions(n) {
			_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
				switch e := e.(type) {
				case *expr.Ref:
					if e.Outer > 0 && !own[e.Column] {
						c := *e
						c.Outer = 0
						out = append(out, &c)
					}
				case *expr.Subquery:
					for _, o := range e.Outer {
						if !own[o.(*expr.Ref).Column] {
							out = append(out, o)
						}
					}
				}
				return nil, false, nil
			})
		}
	})
	return out
}

func (a *Analyzer) scalar(ctx context.Context, x *sql.Subquery, s *scope) (expr.Expr, error) {
	n, err := a.subquery(ctx, x.Query, s)
	if err != nil {
		return nil, err
	}
	if a.Dialect == sql.Trino && !correlatedQuery(n).possible(n) {
		return nil, errclass.TrinoCorrelated().At(x.Query.Span())
	}
	if a.Dialect == sql.Trino && len(n.Output()) != 1 {
		if n, err = a.asRow(n); err != nil {
			return nil, err
		}
	}
	if len(n.Output()) != 1 {
		return nil, errclass.ScalarSubqueryColumns(len(n.Output())).At(x.Span())
	}
	e := &expr.Subquery{Kind: "SCALAR", Plan: n, Outer: outerColumns(n)}
	e.T, e.Null, e.At = n.Output()[0].T, true, x.Span()
	return e, nil
}

// asRow makes a row of a query's columns, which Trino does of a scalar subquery with several.
func (a *Analyzer) asRow(n Node) (Node, error) {
	var args []expr.Expr
	var fields []types.Field
	named := false
	for i, c := range n.Output() {
		named = named || c.Name != Unnamed(i)
		args = append(args, ref(c))
		fields = append(fields, types.Field{Name: c.Name, Type: c.T, Nullable: true})
	}
	x, err := functions.Resolve(a.Dialect, "row", args, token.Span{})
	if err != nil {
		return nil, err
	}
	if named {
		if x, err = functions.Cast(a.Dialect, x, types.StructOf(fields...), false, token.Span{}); err != nil {
			return nil, err
		}
	}
	return &Project{Items: []Item{NewItem("row", x)}, Child: n}, nil
}

func (a *Analyzer) exists(ctx context.Context, x *sql.Exists, s *scope) (expr.Expr, error) {
	n, err := a.subquery(ctx, x.Query, s)
	if err != nil {
		return nil, err
	}
	e := &expr.Subquery{Kind: "EXISTS", Plan: n, Outer: outerColumns(n)}
	if a.Dialect == sql.Trino && len(e.Outer) > 0 && !correlatedQuery(n).findable(n) {
		return nil, errclass.TrinoCorrelated().At(x.Span())
	}
	e.T, e.At = types.Of(types.Boolean), x.Span()
	return e, nil
}

// in resolves x IN (list) and x IN (query).
func (a *Analyzer) in(ctx context.Context, x *sql.In, s *scope) (expr.Expr, error) {
	if x.Query == nil {
		if hasStar(x.List) {
			return a.inStar(ctx, x, s)
		}
		e, err := a.apply(ctx, "in", append([]sql.Expr{x.X}, x.List...), x.Span(), s)
		return a.not(e, err, x.Not, x.Span())
	}
	left := []sql.Expr{x.X}
	if t, ok := x.X.(*sql.Tuple); ok {
		left = t.Items
	} else if a.Dialect == sql.Spark {
		left = fieldsWritten(x.X)
	}
	q := &expr.Subquery{Kind: "IN", Not: x.Not, Definite: a.Dialect == sql.Spark}
	for _, l := range left {
		e, err := a.expr(ctx, l, s)
		if err != nil {
			return nil, err
		}
		q.Left = append(q.Left, e)
	}
	n, err := a.subquery(ctx, x.Query, s)
	if err != nil {
		return nil, err
	}
	q.Outer = outerColumns(n)
	if err := a.compare(q, n, x); err != nil {
		return nil, err
	}
	if a.Dialect == sql.Trino && len(q.Outer) > 0 {
		if c := correlatedQuery(n); !c.member(n) || !c.possible(n) {
			return nil, errclass.TrinoCorrelated().At(x.Span())
		}
	}
	return q, nil
}

func hasStar(list []sql.Expr) bool {
	for _, x := range list {
		if _, ok := x.(*sql.Star); ok {
			return true
		}
	}
	return false
}

// inStar is x IN (*, …): the star stands for the columns (Spark).
func (a *Analyzer) inStar(ctx context.Context, x *sql.In, s *scope) (expr.Expr, error) {
	e, err := a.expr(ctx, x.X, s)
	if err != nil {
		return nil, err
	}
	args := []expr.Expr{e}
	for _, item := range x.List {
		st, ok := item.(*sql.Star)
		if !ok {
			if e, err = a.expr(ctx, item, s); err != nil {
				return nil, err
			}
			args = append(args, e)
			continue
		}
		items, err := a.star(st, s)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			args = append(args, it.X)
		}
	}
	e, err = functions.Resolve(a.Dialect, "in", args, x.Span())
	return a.not(e, err, x.Not, x.Span())
}

// compare gives the left side and the query's columns types in common.
func (a *Analyzer) compare(q *expr.Subquery, n Node, at sql.Node) error {
	out := n.Output()
	if len(out) != len(q.Left) {
		if a.Dialect == sql.Trino {
			return errclass.TrinoSubqueryColumns(len(out)).At(at.Span())
		}
		return errclass.InSubqueryArity(NameOf(a.Dialect, q), columnLabels(q.Left, a.Dialect), columnNames(out)).At(at.Span())
	}
	want := make([]*expr.Column, len(out))
	for i, c := range out {
		t, ok := functions.ComparisonType(a.Dialect, q.Left[i].Type(), c.T)
		if !ok {
			if a.Dialect == sql.Trino {
				return errclass.TrinoSubqueryType(q.Left[i].Type(), c.T).At(at.Span())
			}
			return errclass.InSubqueryTypes(NameOf(a.Dialect, q), q.Left[i].Type(), c.T).At(at.Span())
		}
		q.Left[i], _ = functions.CoerceIn(a.Dialect, q.Left[i], t)
		q.Null = q.Null || q.Left[i].Nullable() || c.Null
		want[i] = &expr.Column{Name: c.Name, T: t}
	}
	q.Plan, q.T, q.At = a.castTo(n, want), types.Of(types.Boolean), at.Span()
	return nil
}

func columnLabels(xs []expr.Expr, d sql.Dialect) []string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = NameOf(d, x)
	}
	return out
}

// quantified is Trino's x op ANY|SOME|ALL (query): = ANY is IN, <> ALL is NOT IN, and the other ones compare with the
// extreme of the query's column.
func (a *Analyzer) quantified(ctx context.Context, x *sql.Quantified, s *scope) (expr.Expr, error) {
	all := strings.EqualFold(x.Quantifier, "ALL")
	if x.Op == "=" && !all || x.Op == "<>" && all {
		return a.in(ctx, &sql.In{At: x.At, X: x.X, Query: x.Query, Not: all}, s)
	}
	left, err := a.expr(ctx, x.X, s)
	if err != nil {
		return nil, err
	}
	n, err := a.subquery(ctx, x.Query, s)
	if err != nil {
		return nil, err
	}
	if len(n.Output()) != 1 {
		return nil, errclass.TrinoSubqueryColumns(len(n.Output())).At(x.Span())
	}
	to, ok := functions.CommonType(a.Dialect, left.Type(), n.Output()[0].T)
	if !ok {
		return nil, errclass.TrinoSubqueryType(left.Type(), n.Output()[0].T).At(x.Span())
	}
	if !correlatedQuery(n).possible(n) {
		return nil, errclass.TrinoCorrelated().At(x.Query.Span())
	}
	left, _ = functions.CoerceIn(a.Dialect, left, to)
	n = a.castTo(n, []*expr.Column{{Name: "value", T: to}})
	agg := &Aggregate{Child: n}
	for _, f := range []struct {
		name string
		args []expr.Expr
	}{{"count", nil}, {"count", []expr.Expr{ref(n.Output()[0])}}, {"min", []expr.Expr{ref(n.Output()[0])}}, {"max", []expr.Expr{ref(n.Output()[0])}}} {
		call, err := functions.Resolve(a.Dialect, f.name, f.args, x.Span())
		if err != nil {
			return nil, err
		}
		agg.Aggs = append(agg.Aggs, NewItem(f.name, call))
	}
	extremes, err := a.asRow(agg)
	if err != nil {
		return nil, err
	}
	q := &expr.Subquery{Kind: "SCALAR", Plan: extremes, Outer: outerColumns(extremes)}
	q.T, q.Null, q.At = extremes.Output()[0].T, true, x.Span()
	return functions.Quantified(x.Op, all, left, q, x.Span()), nil
}

// tuple is (a, b) outside of IN (query): a struct.
func (a *Analyzer) tuple(ctx context.Context, x *sql.Tuple, s *scope) (expr.Expr, error) {
	name := "struct"
	if a.Dialect == sql.Trino {
		name = "row"
	}
	if functions.Lookup(a.Dialect, name) == nil {
		return nil, a.unsupported("a row constructor", x)
	}
	e, err := a.apply(ctx, name, x.Items, x.Span(), s)
	if c, ok := e.(*expr.Call); ok && a.Dialect == sql.Spark {
		f := *c.Func
		f.Pretty = func(c *expr.Call, args []string) string {
			parts := make([]string, 0, 2*len(args))
			for i, arg := range args {
				parts = append(parts, c.T.Fields[i].Name, arg)
			}
			return "named_struct(" + strings.Join(parts, ", ") + ")"
		}
		c.Func = &f
	}
	return e, err
}

// likeQuantified is x LIKE ANY|ALL (patterns).
func (a *Analyzer) likeQuantified(ctx context.Context, x *sql.Like, s *scope) (expr.Expr, error) {
	var out, wrong expr.Expr
	all := strings.EqualFold(x.Quantifier, "ALL")
	join := "or"
	if all {
		join = "and"
	}
	labels := make([]string, 0, len(x.Patterns)+1)
	for i, p := range x.Patterns {
		args := []sql.Expr{x.X, p}
		e, err := a.apply(ctx, strings.ToLower(x.Op), args, x.Span(), s)
		if c, ok := e.(*expr.Call); ok && wrong == nil && functions.BadLike(c) {
			wrong = c
		}
		if e, err = a.not(e, err, x.Not, x.Span()); err != nil {
			return nil, err
		}
		if c, ok := e.(*expr.Call); ok {
			if x.Not {
				c, ok = c.Args[0].(*expr.Call)
			}
			if ok && len(c.Args) == 2 {
				if i == 0 {
					labels = append(labels, NameOf(a.Dialect, c.Args[0]))
				}
				labels = append(labels, NameOf(a.Dialect, c.Args[1]))
			}
		}
		if out == nil {
			out = e
		} else if out, err = functions.Resolve(a.Dialect, join, []expr.Expr{out, e}, x.Span()); err != nil {
			return nil, err
		}
	}
	// Spark keeps it as one expression with a name of its own.
	op := strings.ToLower(x.Op)
	constant := !slices.ContainsFunc(x.Patterns, func(p sql.Expr) bool { l, ok := p.(*sql.Literal); return !ok || l.Kind != sql.StringLit })
	if !constant && a.Dialect == sql.Spark {
		return out, nil
	}
	if a.Dialect == sql.Spark {
		if wrong != nil { // all patterns are read before the first is tried
			out = wrong
		}
		if labels = labels[:1]; op == "ilike" {
			op, labels = "like", []string{"lower(" + labels[0] + ")"}
		}
	}
	name := op + strings.ToLower(x.Quantifier)
	if x.Not {
		name = "not" + name
	}
	if strings.EqualFold(x.Quantifier, "SOME") {
		name = strings.Replace(name, "some", "any", 1)
	}
	c := &expr.Call{Name: name, Args: []expr.Expr{out}, Func: &expr.Func{
		Name:   name,
		Duck:   func(_ *expr.Call, args []string) string { return args[0] },
		Pretty: func(*expr.Call, []string) string { return name + "(" + strings.Join(labels, ", ") + ")" },
	}}
	c.T, c.Null, c.At = types.Of(types.Boolean), out.Nullable() || constant && a.Dialect == sql.Spark, x.Span()
	return c, nil
}
