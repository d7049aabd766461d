package plan

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// remoteFunction is a cell's function of that name, or nil.
func (a *Analyzer) remoteFunction(x *sql.Call) *expr.Func {
	if a.Functions == nil || len(x.Name) != 1 {
		return nil
	}
	return a.Functions(x.Name[0].Text)
}

// HasRemote reports whether a plan calls functions of a cell.
func HasRemote(n Node) bool {
	found := false
	Visit(n, func(n Node) {
		for _, x := range expressions(n) {
			found = found || anyExpr(x, isRemote)
		}
	})
	return found
}

func isRemote(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	return ok && c.Func.Remote
}

// LiftRemote moves the calls of a cell's functions out of expressions, into Remote nodes below them, the inner calls first.
func LiftRemote(n Node) (Node, error) {
	var err error
	child := func(c *Node) {
		if err == nil {
			*c, err = LiftRemote(*c)
		}
	}
	// above lifts the calls of n's own expressions to just above its child.
	above := func(c *Node, xs ...*expr.Expr) {
		if child(c); err == nil {
			*c, err = lifted(*c, xs)
		}
	}
	items := func(lists ...[]Item) (out []*expr.Expr) {
		for _, its := range lists {
			for i := range its {
				out = append(out, &its[i].X)
			}
		}
		return out
	}
	for _, x := range expressions(n) {
		subqueries(x, func(q *expr.Subquery) {
			if err == nil {
				var p Node
				p, err = LiftRemote(q.Plan.(Node))
				q.Plan = p
			}
		})
	}
	switch n := n.(type) {
	case *Project:
		above(&n.Child, items(n.Items)...)
	case *Filter:
		above(&n.Child, &n.Cond)
	case *Aggregate:
		above(&n.Child, items(n.Groups, n.Aggs)...)
	case *Window:
		above(&n.Child, items(n.Items)...)
	case *Sort:
		xs := make([]*expr.Expr, len(n.Keys))
		for i := range n.Keys {
			xs[i] = &n.Keys[i].X
		}
		above(&n.Child, xs...)
	case *Generate:
		x := expr.Expr(n.Call)
		above(&n.Child, &x)
		if c, ok := x.(*expr.Call); ok {
			n.Call = c
		}
	case *Join:
		child(&n.L)
		child(&n.R)
		if n.On == nil || err != nil || !anyExpr(n.On, isRemote) {
			break
		}
		if n.Kind != "INNER" || n.Lateral {
			return nil, errclass.Unsupported("a UDF in the condition of a " + n.Kind + " JOIN")
		}
		f := &Filter{Cond: n.On, Child: &Join{Kind: "CROSS", L: n.L, R: n.R}}
		f.Child, err = lifted(f.Child, []*expr.Expr{&f.Cond})
		return f, err
	case *With:
		for _, d := range n.Defs {
			child(&d.Plan)
			if d.Step != nil && HasRemote(d.Step) {
				return nil, errclass.Unsupported("a UDF in a recursive common table expression")
			}
		}
		child(&n.Child)
	default:
		for _, c := range inputs(n) {
			child(c)
		}
	}
	return n, err
}

// lifted puts Remote nodes over child until the expressions hold no such calls.
func lifted(child Node, xs []*expr.Expr) (Node, error) {
	for {
		r := &Remote{Child: child}
		seen := map[string]*expr.Column{}
		for _, x := range xs {
			y, err := rewrite(*x, func(e expr.Expr) (expr.Expr, bool, error) {
				if l, ok := e.(*expr.Lambda); ok && anyExpr(l.Body, isRemote) {
					return nil, true, errclass.Unsupported("a UDF in a lambda")
				}
				c, ok := e.(*expr.Call)
				if !ok || !c.Func.Remote {
					return nil, false, nil
				}
				for _, a := range c.Args {
					if anyExpr(a, isRemote) {
						return nil, false, nil // the next round's
					}
					if anyExpr(a, func(e expr.Expr) bool { r, ok := e.(*expr.Ref); return ok && r.Outer > 0 }) {
						return nil, true, errclass.Unsupported("a UDF of a column of the query around")
					}
				}
				id := identity(c)
				if seen[id] == nil {
					it := NewItem(c.Name, c)
					r.Items = append(r.Items, it)
					seen[id] = it.Column
				}
				return ref(seen[id]), true, nil
			})
			if err != nil {
				return nil, err
			}
			*x = y
		}
		if len(r.Items) == 0 {
			return child, nil
		}
		child = r
	}
}

// LimitRemote lets a limit count for the calls below it, where only projections lie between.
func LimitRemote(l *Limit) {
	if l.N < 0 {
		return
	}
	n := &l.Child
	for {
		switch c := (*n).(type) {
		case *Project:
			n = &c.Child
		case *Narrow:
			n = &c.Child
		case *Remote:
			if _, done := c.Child.(*Limit); done {
				return
			}
			c.Child = &Limit{N: l.N + l.Offset, Child: c.Child}
			return
		default:
			return
		}
	}
}

// RemoteFunc makes the entry of a cell's function: its arguments are cast to the parameters' types.
func RemoteFunc(name string, params []types.Type, result types.Type, coerce func(expr.Expr, types.Type) (expr.Expr, bool)) *expr.Func {
	return &expr.Func{Name: name, Signature: name + "(…)", Dialect: sql.Spark, Remote: true, Resolve: func(c *expr.Call) error {
		if len(c.Args) != len(params) {
			return errclass.WrongNumArgs(name, len(params), len(c.Args))
		}
		for i, p := range params {
			x, ok := coerce(c.Args[i], p)
			if !ok {
				return errclass.UnexpectedInputType(name, i+1, c.Args[i].Type(), p)
			}
			c.Args[i] = x
		}
		c.T, c.Null = result, true
		return nil
	}}
}

// Replace rebuilds a plan from the bottom up, its subqueries' plans too: f gives what stands in a node's place.
func Replace(n Node, f func(Node) (Node, error)) (Node, error) {
	var err error
	for _, x := range expressions(n) {
		subqueries(x, func(q *expr.Subquery) {
			if err == nil {
				var p Node
				p, err = Replace(q.Plan.(Node), f)
				q.Plan = p
			}
		})
	}
	for _, c := range inputs(n) {
		if err == nil {
			*c, err = Replace(*c, f)
		}
	}
	if err != nil {
		return nil, err
	}
	return f(n)
}

// inputs are the places where a node keeps its inputs.
func inputs(n Node) []*Node {
	switch n := n.(type) {
	case *Project:
		return []*Node{&n.Child}
	case *Filter:
		return []*Node{&n.Child}
	case *Aggregate:
		return []*Node{&n.Child}
	case *Window:
		return []*Node{&n.Child}
	case *Join:
		return []*Node{&n.L, &n.R}
	case *SetOp:
		return []*Node{&n.L, &n.R}
	case *Distinct:
		return []*Node{&n.Child}
	case *Sort:
		return []*Node{&n.Child}
	case *Limit:
		return []*Node{&n.Child}
	case *Narrow:
		return []*Node{&n.Child}
	case *Generate:
		return []*Node{&n.Child}
	case *Sample:
		return []*Node{&n.Child}
	case *Remote:
		return []*Node{&n.Child}
	case *With:
		out := []*Node{&n.Child}
		for _, d := range n.Defs {
			out = append(out, &d.Plan)
			if d.Step != nil {
				out = append(out, &d.Step)
			}
		}
		return out
	}
	return nil
}
