package plan

import (
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
		c.OrderBy, err = keys(x.OrderBy)
		return &c, err
	case *expr.Subquery:
		c := *x
		c.Left, err = list(x.Left)
		return &c, err
	}
	return x, nil
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
			return e, true, nil
		}
		found = found || isAggregate(e)
		return e, found, nil
	})
	return found
}
