package plan

import (
	"mini-lakehouse-lab/lakelab/engine/expr"
)

// Trino computes a correlated query by a join and an aggregation, and refuses those of which it cannot make such. The rules here are
// the ones that a reader of its answers finds; what they do not know is let through. See "Subqueries", "Correlated", in Trino's
// documentation of SELECT.

// correlated is a query that is judged, and the columns that are its own.
type correlated struct {
	own map[*expr.Column]bool
}

func correlatedQuery(n Node) correlated {
	q := correlated{own: map[*expr.Column]bool{}}
	Visit(n, func(n Node) {
		for _, c := range n.Output() {
			q.own[c] = true
		}
	})
	return q
}

// foreign reports whether an expression reads a column of the query around; inside tells those in queries of its own.
func (q correlated) foreign(x expr.Expr) (found, inside bool) {
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		switch e := e.(type) {
		case *expr.Ref:
			found = found || e.Outer > 0 && !q.own[e.Column]
		case *expr.Subquery:
			for _, o := range e.Outer {
				inside = inside || !q.own[o.(*expr.Ref).Column]
			}
		}
		return nil, false, nil
	})
	return found || inside, inside
}

// reads reports whether anything in a plan reads the query around.
func (q correlated) reads(n Node) bool {
	found := false
	visitOwn(n, func(n Node) {
		for _, x := range expressions(n) {
			f, _ := q.foreign(x)
			found = found || f
		}
	})
	return found
}

// possible reports whether Trino can take the references to the query around out of n.
func (q correlated) possible(n Node) bool {
	if !q.reads(n) {
		return true
	}
	switch n := n.(type) {
	case *Project:
		if oneRow(n) {
			return true
		}
		for _, it := range n.Items {
			if f, _ := q.foreign(it.X); f && !overGroups(n.Child) {
				return false
			}
		}
		return q.possible(n.Child)
	case *Filter:
		if _, ok := n.Child.(*OneRow); ok {
			return false
		}
		if _, inside := q.foreign(n.Cond); inside {
			return false
		}
		if g, ok := n.Child.(*Aggregate); ok && len(g.Groups) == 0 {
			return false // HAVING over all rows
		}
		return q.possible(n.Child)
	case *Aggregate:
		for _, x := range expressions(n) {
			if f, _ := q.foreign(x); f {
				return false
			}
		}
		return q.possible(n.Child)
	case *Window, *SetOp:
		return false
	case *Limit:
		return q.limit(n)
	case *Sort:
		return q.possible(n.Child)
	case *Distinct:
		return q.possible(n.Child)
	case *Narrow:
		return q.possible(n.Child)
	}
	return true
}

// findable is possible for EXISTS, to which it is all one what the rows hold.
func (q correlated) findable(n Node) bool {
	switch n := n.(type) {
	case *Project:
		if !oneRow(n) {
			return q.findable(n.Child)
		}
	case *Limit:
		if _, equal := q.bound(n.Child); n.N > 0 && n.Offset == 0 && equal && q.reads(n.Child) {
			return q.findable(n.Child)
		}
	}
	return q.possible(n)
}

// limit judges LIMIT and OFFSET of rows that depend on the query around.
func (q correlated) limit(n *Limit) bool {
	switch {
	case n.N == 0, oneRow(n.Child), generated(n.Child):
		return true
	case alone(n.Child):
		return q.possible(n.Child)
	case fewer(n.Child, n.N) && n.Offset == 0:
		return q.possible(n.Child)
	case n.Offset > 0:
		return false
	}
	bound, equal := q.bound(n.Child)
	if !equal {
		return false
	}
	if n.N == 1 && !SortedBelow(n.Child) {
		for _, c := range n.Output() {
			if !bound(c) {
				return false
			}
		}
	}
	return q.possible(n.Child)
}

// bound finds the columns that an equality with a column of the query around holds fast, or that are constant; equal is false if n's
// rows depend on that query by anything else.
func (q correlated) bound(n Node) (bound func(*expr.Column) bool, equal bool) {
	fast := map[*expr.Column]bool{}
	equal = true
	visitOwn(n, func(n Node) {
		f, ok := n.(*Filter)
		if !ok {
			return
		}
		for _, x := range Conjuncts(f.Cond) {
			if foreign, _ := q.foreign(x); !foreign {
				continue
			}
			c, ok := x.(*expr.Call)
			if !ok || c.Func.Name != "=" {
				equal = false
				continue
			}
			for _, side := range c.Args {
				if r, ok := side.(*expr.Ref); ok && q.own[r.Column] {
					fast[r.Column] = true
				}
			}
		}
	})
	visitOwn(n, func(n Node) { // from the top down: the columns below are known first when read again
		if p, ok := n.(*Project); ok {
			for _, it := range p.Items {
				if _, ok := stripAlias(it.X).(*expr.Lit); ok {
					fast[it.Column] = true
				}
			}
		}
	})
	for range 3 { // projections over projections
		visitOwn(n, func(n Node) {
			if p, ok := n.(*Project); ok {
				for _, it := range p.Items {
					if r, ok := stripAlias(it.X).(*expr.Ref); ok && fast[r.Column] {
						fast[it.Column] = true
					}
				}
			}
		})
	}
	return func(c *expr.Column) bool { return fast[c] }, equal
}

// oneRow reports whether a plan is a SELECT without FROM.
func oneRow(n Node) bool {
	switch n := n.(type) {
	case *OneRow:
		return true
	case *Project:
		return oneRow(n.Child)
	case *Limit:
		return n.N != 0 && n.Offset == 0 && oneRow(n.Child)
	}
	return false
}

// alone reports whether a plan is an aggregation of all rows.
func alone(n Node) bool {
	switch n := n.(type) {
	case *Aggregate:
		return len(n.Groups) == 0
	case *Project:
		return alone(n.Child)
	case *Narrow:
		return alone(n.Child)
	}
	return false
}

// overGroups reports whether a plan is an aggregation by groups.
func overGroups(n Node) bool {
	g, ok := n.(*Aggregate)
	return ok && len(g.Groups) > 0
}

// fewer reports whether a plan can have no more than so many rows.
func fewer(n Node, rows int64) bool {
	switch n := n.(type) {
	case *Rows:
		return rows >= 0 && int64(len(n.Rows)) <= rows
	case *Project:
		return fewer(n.Child, rows)
	case *Filter:
		return fewer(n.Child, rows)
	}
	return rows < 0
}

func generated(n Node) bool {
	found := false
	visitOwn(n, func(n Node) {
		if _, ok := n.(*Generate); ok {
			found = true
		}
	})
	return found
}

// SortedBelow reports whether a plan's rows are those of a sort, projected at most.
func SortedBelow(n Node) bool {
	switch n := n.(type) {
	case *Sort:
		return true
	case *Project:
		return SortedBelow(n.Child)
	case *Narrow:
		return SortedBelow(n.Child)
	}
	return false
}

// member reports whether a query behind IN is of projections and conditions only, as Trino wants it if it is correlated.
func (q correlated) member(n Node) bool {
	if !q.reads(n) {
		return true
	}
	switch n := n.(type) {
	case *Limit, *Aggregate, *SetOp, *Window, *Distinct:
		return false
	case *Project:
		return q.member(n.Child)
	case *Sort:
		return q.member(n.Child)
	}
	return true
}
