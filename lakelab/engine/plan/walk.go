package plan

import (
	"slices"

	"mini-lakehouse-lab/lakelab/engine/expr"
)

// rewrite rebuilds an expression from the top down: where f returns true, its result stands in place of the node and is not
// entered. Nodes without a change are shared.
func rewrite(x expr.Expr, f func(expr.Expr) (expr.Expr, bool, error)) (expr.Expr, error) {
	if x == nil {
		return nil, nil
	}
	if y, done, err := f(x); done || err != nil {
		return y, err
	}
	list := func(xs []expr.Expr) ([]expr.Expr, error) {
		out := make([]expr.Expr, len(xs))
		for i, e := range xs {
			y, err := rewrite(e, f)
			if err != nil {
				return nil, err
			}
			out[i] = y
		}
		return out, nil
	}
	keys := func(ks []expr.SortKey) ([]expr.SortKey, error) {
		out := make([]expr.SortKey, len(ks))
		for i, k := range ks {
			y, err := rewrite(k.X, f)
			if err != nil {
				return nil, err
			}
			k.X = y
			out[i] = k
		}
		return out, nil
	}
	var err error
	switch x := x.(type) {
	case *expr.Call:
		c := *x
		if c.Args, err = list(x.Args); err != nil {
			return nil, err
		}
		if c.OrderBy, err = keys(x.OrderBy); err != nil {
			return nil, err
		}
		if x.Filter != nil {
			if c.Filter, err = rewrite(x.Filter, f); err != nil {
				return nil, err
			}
		}
		return &c, nil
	case *expr.Cast:
		c := *x
		c.X, err = rewrite(x.X, f)
		return &c, err
	case *expr.Alias:
		c := *x
		c.X, err = rewrite(x.X, f)
		return &c, err
	case *expr.Field:
		c := *x
		c.X, err = rewrite(x.X, f)
		return &c, err
	case *expr.Lambda:
		c := *x
		c.Body, err = rewrite(x.Body, f)
		return &c, err
	case *expr.Case:
		c := *x
		c.Whens = make([]expr.When, len(x.Whens))
		for i, w := range x.Whens {
			if c.Whens[i].Cond, err = rewrite(w.Cond, f); err != nil {
				return nil, err
			}
			if c.Whens[i].Then, err = rewrite(w.Then, f); err != nil {
				return nil, err
			}
		}
		if x.Else != nil {
			c.Else, err = rewrite(x.Else, f)
		}
		return &c, err
	case *expr.Window:
		c := *x
		call, err := rewrite(x.Call, func(e expr.Expr) (expr.Expr, bool, error) {
			if e == expr.Expr(x.Call) {
				return nil, false, nil
			}
			return f(e)
		})
		if err != nil {
			return nil, err
		}
		c.Call = call.(*expr.Call)
		if c.Partition, err = list(x.Partition); err != nil {
			return nil, err
		}
		if c.OrderBy, err = keys(x.OrderBy); err != nil || x.Frame == nil {
			return &c, err
		}
		frame := *x.Frame
		for _, b := range []*expr.Bound{&frame.Start, &frame.End} {
			if b.N, err = rewrite(b.N, f); err != nil {
				return nil, err
			}
		}
		c.Frame = &frame
		return &c, nil
	case *expr.Subquery:
		c := *x
		c.Left, err = list(x.Left)
		return &c, err
	}
	return x, nil
}

// Columns are the columns that an expression reads.
func Columns(x expr.Expr) []*expr.Column {
	var out []*expr.Column
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if r, ok := e.(*expr.Ref); ok && !slices.Contains(out, r.Column) {
			out = append(out, r.Column)
		}
		return nil, false, nil
	})
	return out
}

// HasSubquery reports whether an expression asks another query.
func HasSubquery(x expr.Expr) bool {
	return anyExpr(x, func(e expr.Expr) bool { _, ok := e.(*expr.Subquery); return ok })
}

// any reports whether f holds for a node of an expression.
func anyExpr(x expr.Expr, f func(expr.Expr) bool) bool {
	found := false
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		found = found || f(e)
		return e, found, nil
	})
	return found
}

func isNonDeterministic(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	return ok && c.Func.NonDeterministic
}

// isAggregate reports whether a node is a call of an aggregate function (not over a window).
func isAggregate(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	return ok && c.Func.Kind == expr.Aggregate
}

func isWindow(e expr.Expr) bool {
	_, ok := e.(*expr.Window)
	return ok
}

// hasAggregate looks for aggregate calls; those that a window applies count only inside its arguments.
func hasAggregate(x expr.Expr) bool {
	found := false
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if w, ok := e.(*expr.Window); ok {
			for _, a := range w.Call.Args {
				found = found || hasAggregate(a)
			}
			for _, p := range w.Partition {
				found = found || hasAggregate(p)
			}
			for _, k := range w.OrderBy {
				found = found || hasAggregate(k.X)
			}
			if w.Frame != nil {
				found = found || hasAggregate(w.Frame.Start.N) || hasAggregate(w.Frame.End.N)
			}
			return e, true, nil
		}
		found = found || isAggregate(e)
		return e, found, nil
	})
	return found
}

// rewritePlan rewrites every expression of a plan in place, those of its subqueries too.
func rewritePlan(n Node, f func(expr.Expr) (expr.Expr, bool, error)) error {
	var err error
	do := func(x expr.Expr) expr.Expr {
		if x == nil || err != nil {
			return x
		}
		subqueries(x, func(q *expr.Subquery) {
			if e := rewritePlan(q.Plan.(Node), f); e != nil && err == nil {
				err = e
			}
		})
		y, e := rewrite(x, f)
		if e != nil {
			err = e
			return x
		}
		return y
	}
	items := func(its []Item) {
		for i := range its {
			its[i].X = do(its[i].X)
		}
	}
	visitOwn(n, func(n Node) {
		switch n := n.(type) {
		case *Project:
			items(n.Items)
		case *Filter:
			n.Cond = do(n.Cond)
		case *Aggregate:
			items(n.Groups)
			items(n.Aggs)
		case *Window:
			items(n.Items)
		case *Remote:
			items(n.Items)
		case *Join:
			n.On = do(n.On)
		case *Sort:
			for i := range n.Keys {
				n.Keys[i].X = do(n.Keys[i].X)
			}
		case *Rows:
			for _, r := range n.Rows {
				for i := range r {
					r[i] = do(r[i])
				}
			}
		case *Generate:
			if c, ok := do(n.Call).(*expr.Call); ok {
				n.Call = c
			}
			n.Cond = do(n.Cond)
		}
	})
	return err
}

// visitOwn walks a plan without the plans of its subqueries.
func visitOwn(n Node, f func(Node)) {
	f(n)
	for _, c := range children(n) {
		visitOwn(c, f)
	}
}

// EachScan calls f for every scan of a plan.
func EachScan(n Node, f func(*Scan)) {
	visitOwn(n, func(n Node) {
		if s, ok := n.(*Scan); ok {
			f(s)
		}
	})
}
