package plan

import (
	"context"
	"slices"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// pivot turns the values of FOR's columns into columns: one for each value and aggregate, grouped by the columns that neither
// FOR nor the aggregates read.
func (a *Analyzer) pivot(ctx context.Context, p *sql.Pivot, s *scope) (Node, error) {
	child, err := a.relation(ctx, p.Rel, s)
	if err != nil {
		return nil, err
	}
	sc := &scope{columns: child.Output(), outer: s}
	aggs := make([]expr.Expr, len(p.Aggs))
	used := map[*expr.Column]bool{}
	for i, x := range p.Aggs {
		if aggs[i], err = a.expr(ctx, x, sc); err != nil {
			return nil, err
		}
		if p.Groups != nil && mentionsStar(x) {
			return nil, errclass.StarInPivot().At(x.Span())
		}
		if !hasAggregate(aggs[i]) {
			return nil, errclass.PivotNotAggregate(NameOf(a.Dialect, aggs[i])).At(x.Span())
		}
		mentions(aggs[i], used)
	}
	keys := make([]expr.Expr, len(p.For))
	for i, x := range p.For {
		if keys[i], err = a.expr(ctx, x, sc); err != nil {
			if e, ok := err.(*errclass.Error); ok {
				err = e.Elsewhere(p.Span())
			}
			return nil, err
		}
		if !comparable(keys[i].Type()) && a.Dialect == sql.Spark {
			return nil, errclass.IncomparablePivot(NameOf(a.Dialect, keys[i])).At(p.Span())
		}
		mentions(keys[i], used)
	}
	// Spark groups by the value first if it can hold the results in a row of that group; else it computes each aggregate over the
	// rows that have the value, so that a count of none is 0.
	apart := true
	for _, x := range aggs {
		switch k := x.Type().Kind; {
		case k == types.Boolean, x.Type().IsNumeric():
		default:
			apart = a.Dialect != sql.Spark
		}
	}
	agg := &Aggregate{Child: child}
	if err := a.pivotGroups(ctx, p, sc, agg, used); err != nil {
		return nil, err
	}
	for _, v := range p.In {
		cond, label, err := a.pivotValue(ctx, v, keys, sc)
		if err != nil {
			return nil, err
		}
		for _, x := range aggs {
			name := label
			if len(aggs) > 1 {
				name += "_" + NameOf(a.Dialect, x)
			}
			y, err := a.ifPresent(stripAlias(x), cond, v, apart)
			if err != nil {
				return nil, err
			}
			agg.Aggs = append(agg.Aggs, NewItem(name, y))
		}
	}
	return a.alias(agg, p.Alias, p)
}

// comparable reports whether values of a type can be told apart by =: not if there is a map in it.
func comparable(t types.Type) bool {
	switch t.Kind {
	case types.Map:
		return false
	case types.Array:
		return comparable(*t.Elem)
	case types.Struct:
		for _, f := range t.Fields {
			if !comparable(f.Type) {
				return false
			}
		}
	}
	return true
}

// pivotGroups are the columns that nothing else uses, or those that a DataFrame's groupBy names.
func (a *Analyzer) pivotGroups(ctx context.Context, p *sql.Pivot, sc *scope, agg *Aggregate, used map[*expr.Column]bool) error {
	for _, x := range p.Groups {
		e, err := a.expr(ctx, x, sc)
		if err != nil {
			return err
		}
		agg.Groups = append(agg.Groups, a.item(x, e, len(agg.Groups)))
	}
	if p.Groups != nil {
		return nil
	}
	for _, c := range visible(sc.columns) {
		if !used[c] {
			agg.Groups = append(agg.Groups, a.itemOf(ref(c)))
		}
	}
	return nil
}

// pivotValue is the condition that picks one value's rows, and the value's label.
func (a *Analyzer) pivotValue(ctx context.Context, v sql.Expr, keys []expr.Expr, sc *scope) (expr.Expr, string, error) {
	label := ""
	x := v
	if al, ok := v.(*sql.Aliased); ok {
		x, label = al.X, al.Names[0].Text
	}
	parts := []sql.Expr{x}
	if t, ok := x.(*sql.Tuple); ok {
		parts = t.Items
	}
	if c, ok := x.(*sql.Call); ok && len(keys) > 1 && len(c.Args) == len(keys) {
		parts = nil
		for _, arg := range c.Args {
			parts = append(parts, arg.X)
		}
	}
	if len(keys) == 1 && keys[0].Type().Kind == types.Struct {
		parts = []sql.Expr{x} // the tuple is one value, a struct
	}
	if len(parts) != len(keys) {
		return nil, "", errclass.PivotValueType(NameOf(a.Dialect, &expr.Lit{Value: "value"}), "", "").At(v.Span())
	}
	var cond expr.Expr
	text := ""
	for i, part := range parts {
		e, err := a.expr(ctx, part, &scope{})
		if isUnresolved(err) && a.Dialect == sql.Spark {
			e, err = a.expr(ctx, part, sc)
			if err != nil {
				return nil, "", err
			}
		}
		if err != nil || anyExpr(e, isRef) {
			return nil, "", errclass.NonLiteralPivot(Written(part)).At(v.Span())
		}
		if _, ok := functions.ComparisonType(a.Dialect, e.Type(), keys[i].Type()); !ok {
			return nil, "", errclass.PivotValueType(NameOf(a.Dialect, e), e.Type().SimpleString(), keys[i].Type().SimpleString()).At(v.Span())
		}
		eq, err := functions.Resolve(a.Dialect, "<=>", []expr.Expr{keys[i], e}, v.Span())
		if err != nil {
			return nil, "", err
		}
		if cond == nil {
			cond = eq
		} else if cond, err = functions.Resolve(a.Dialect, "and", []expr.Expr{cond, eq}, v.Span()); err != nil {
			return nil, "", err
		}
		t, err := a.Eval(ctx, part, types.Of(types.String))
		if err != nil {
			return nil, "", err
		}
		s, ok := t.(string)
		if !ok {
			s = "null"
		}
		if i > 0 {
			text += ", "
		}
		text += s
	}
	if len(parts) > 1 {
		text = "{" + text + "}"
	}
	if label == "" {
		label = text
	}
	return cond, label, nil
}

// ifPresent applies the aggregates of an expression to the rows that fulfil a condition. If the value's rows are a group apart, it is
// NULL without such rows, even for count.
func (a *Analyzer) ifPresent(x, cond expr.Expr, at sql.Node, apart bool) (expr.Expr, error) {
	y, err := rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		c, ok := e.(*expr.Call)
		if !ok || c.Func.Kind != expr.Aggregate {
			return nil, false, nil
		}
		k := *c
		k.Filter = cond
		if c.Filter != nil {
			both, err := functions.Resolve(a.Dialect, "and", []expr.Expr{c.Filter, cond}, at.Span())
			if err != nil {
				return nil, true, err
			}
			k.Filter = both
		}
		return &k, true, nil
	})
	if err != nil || !apart {
		return y, err
	}
	one := &expr.Lit{Value: int64(1)}
	one.T = types.Of(types.Int)
	count, err := functions.Resolve(a.Dialect, "count", []expr.Expr{one}, at.Span())
	if err != nil {
		return nil, err
	}
	count.(*expr.Call).Filter = cond
	zero := &expr.Lit{Value: int64(0)}
	zero.T = types.Of(types.Long)
	some, err := functions.Resolve(a.Dialect, ">", []expr.Expr{count, zero}, at.Span())
	if err != nil {
		return nil, err
	}
	out := &expr.Case{Whens: []expr.When{{Cond: some, Then: y}}}
	out.T, out.Null, out.At = y.Type(), true, at.Span()
	return out, nil
}

// mentionsStar reports whether an aggregate of a DataFrame's pivot is one of *, which Spark refuses there.
func mentionsStar(x sql.Expr) bool {
	if al, ok := x.(*sql.Aliased); ok {
		x = al.X
	}
	c, ok := x.(*sql.Call)
	return ok && slices.ContainsFunc(c.Args, func(a sql.Arg) bool {
		_, star := a.X.(*sql.Star)
		return star
	})
}

// mentions collects the columns that an expression reads.
func mentions(x expr.Expr, into map[*expr.Column]bool) {
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if r, ok := e.(*expr.Ref); ok {
			into[r.Column] = true
		}
		return nil, false, nil
	})
}
