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
func HasRemote(n Node) bool { return has(n, isRemote) }

// has reports whether f holds for a node of a plan's expressions.
func has(n Node, f func(expr.Expr) bool) bool {
	found := false
	Visit(n, func(n Node) {
		for _, x := range expressions(n) {
			found = found || anyExpr(x, f)
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
	return lifter{what: "a UDF", lifts: isRemote, below: func(items []Item, child Node) Node { return &Remote{Items: items, Child: child} }}.node(n)
}

// liftRows moves the calls that count rows out of expressions that are no projection's.
func liftRows(n Node) (Node, error) {
	return lifter{what: "a function that counts rows", lifts: countsRows, projected: true, below: func(items []Item, child Node) Node {
		return &Window{Items: items, Child: child}
	}}.node(n)
}

func countsRows(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	return ok && c.Func.ByRow != nil && c.Func.ByRow(c)
}

// lifter moves calls out of expressions, into nodes below them.
type lifter struct {
	what      string // for errors
	lifts     func(expr.Expr) bool
	projected bool // in a projection they may stay
	below     func(items []Item, child Node) Node
	grouped   func(*Aggregate) error // what an Aggregate whose calls were lifted needs besides, or nil
}

func (l lifter) node(n Node) (Node, error) {
	var err error
	child := func(c *Node) {
		if err == nil {
			*c, err = l.node(*c)
		}
	}
	// above lifts the calls of n's own expressions to just above its child.
	above := func(c *Node, xs ...*expr.Expr) {
		if child(c); err == nil {
			*c, err = l.lifted(*c, xs)
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
				p, err = l.node(q.Plan.(Node))
				q.Plan = p
			}
		})
	}
	switch n := n.(type) {
	case *Project:
		if l.projected {
			child(&n.Child)
			break
		}
		above(&n.Child, items(n.Items)...)
	case *Filter:
		kept := n.Output()
		above(&n.Child, &n.Cond)
		return keeping(kept, n), err
	case *Aggregate:
		above(&n.Child, items(n.Groups, n.Aggs)...)
		if l.grouped != nil && err == nil {
			err = l.grouped(n)
		}
	case *Window:
		above(&n.Child, items(n.Items)...)
	case *Sort:
		xs := make([]*expr.Expr, len(n.Keys))
		for i := range n.Keys {
			xs[i] = &n.Keys[i].X
		}
		kept := n.Output()
		above(&n.Child, xs...)
		return keeping(kept, n), err
	case *Generate:
		x := expr.Expr(n.Call)
		above(&n.Child, &x)
		if c, ok := x.(*expr.Call); ok {
			n.Call = c
		}
	case *Join:
		child(&n.L)
		child(&n.R)
		if n.On == nil || err != nil || !anyExpr(n.On, l.lifts) {
			break
		}
		if n.Kind != "INNER" || n.Lateral {
			return nil, errclass.Unsupported(l.what + " in the condition of a " + n.Kind + " JOIN")
		}
		f := &Filter{Cond: n.On, Child: &Join{Kind: "CROSS", L: n.L, R: n.R}}
		kept := f.Output()
		f.Child, err = l.lifted(f.Child, []*expr.Expr{&f.Cond})
		return keeping(kept, f), err
	case *With:
		for _, d := range n.Defs {
			child(&d.Plan)
			if d.Step != nil && has(d.Step, l.lifts) {
				return nil, errclass.Unsupported(l.what + " in a recursive common table expression")
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

// lifted puts nodes over child until the expressions hold no such calls.
func (l lifter) lifted(child Node, xs []*expr.Expr) (Node, error) {
	for {
		var out []Item
		seen := map[string]*expr.Column{}
		for _, x := range xs {
			y, err := rewrite(*x, func(e expr.Expr) (expr.Expr, bool, error) {
				if f, ok := e.(*expr.Lambda); ok && anyExpr(f.Body, l.lifts) {
					return nil, true, errclass.Unsupported(l.what + " in a lambda")
				}
				if !l.lifts(e) {
					return nil, false, nil
				}
				c := e.(*expr.Call)
				for _, a := range c.Args {
					if anyExpr(a, l.lifts) {
						return nil, false, nil // the next round's
					}
					if anyExpr(a, isOuter) {
						return nil, true, errclass.Unsupported(l.what + " of a column of the query around")
					}
				}
				id := identity(c)
				if seen[id] == nil {
					it := NewItem(c.Name, c)
					out = append(out, it)
					seen[id] = it.Column
				}
				return ref(seen[id]), true, nil
			})
			if err != nil {
				return nil, err
			}
			*x = y
		}
		if len(out) == 0 {
			return child, nil
		}
		child = l.below(out, child)
	}
}

// keeping leaves out what was computed below a node that hands its input's columns on.
func keeping(columns []*expr.Column, n Node) Node {
	if len(n.Output()) == len(columns) {
		return n
	}
	return &Narrow{Columns: columns, Child: n}
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
