package plan

import (
	"slices"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// Constants are the parts of a plan that Spark computes before the query runs, since they read no row: one that fails makes the query fail
// even if no row comes by. Only those are listed that may fail.
//
// It goes by Spark's optimizer. First the steps directly above rows that are written in the query are run, with all their columns, and
// what follows from there being no rows is left out (ConvertToLocalRelation, PropagateEmptyRelation): empty runs such a plan and tells
// whether it has rows; its error ends the query. Then columns that nobody reads go (ColumnPruning), projections become one
// (CollapseProject), what is NULL for a NULL that is written goes (NullPropagation), columns that are constants are put where they are
// read (FoldablePropagation), and what then reads no row is computed, but for branches of a condition (ConstantFolding). What later
// rules would have taken away has failed by then. none is set if Spark then knows that there are no rows, so that it computes nothing else.
func Constants(n Node, empty func(Node) (bool, error)) (parts []expr.Expr, none bool, err error) {
	if !mayFail(n) {
		return nil, false, nil
	}
	f := &folding{empty: empty, used: map[*expr.Column]bool{}, known: map[*expr.Column]expr.Expr{}}
	f.use(n, n.Output())
	found := f.node(n, false)
	return found.parts, found.empty, f.err
}

// mayFail reports whether anything that reads no row, or stands over rows that are written in the query, may fail.
func mayFail(n Node) bool {
	found := false
	Visit(n, func(n Node) {
		for _, x := range expressions(n) {
			found = found || functions.MayFail(x) || anyExpr(x, tries)
		}
	})
	return found
}

// tries reports whether an expression is NULL in place of errors in its arguments; those that are constants fail nevertheless.
func tries(x expr.Expr) bool {
	c, ok := x.(*expr.Call)
	return ok && functions.Trying(c)
}

type folding struct {
	empty func(Node) (bool, error)
	used  map[*expr.Column]bool
	known map[*expr.Column]expr.Expr // columns that are constants
	err   error
}

// folded is what is found in a plan.
type folded struct {
	parts []expr.Expr
	empty bool // Spark knows that there are no rows
}

// use marks the columns that are read, from the top down.
func (f *folding) use(n Node, cols []*expr.Column) {
	for _, c := range cols {
		f.used[c] = true
	}
	reads := func(x expr.Expr) {
		_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
			switch e := e.(type) {
			case *expr.Ref:
				f.used[e.Column] = true
			case *expr.Subquery:
				sub := e.Plan.(Node)
				f.use(sub, sub.Output())
			}
			return nil, false, nil
		})
	}
	items := func(list []Item) {
		for _, it := range list {
			if f.used[it.Column] {
				reads(it.X)
			}
		}
	}
	switch n := n.(type) {
	case *Project:
		items(n.Items)
	case *Window:
		items(n.Items)
	case *Aggregate:
		for _, it := range n.Groups {
			reads(it.X)
		}
		items(n.Aggs)
	case *SetOp:
		for i, c := range n.Columns {
			if !n.All || n.Op != "UNION" || f.used[c] {
				f.used[n.L.Output()[i]], f.used[n.R.Output()[i]] = true, true
			}
		}
	case *Distinct:
		f.use(n.Child, n.Child.Output())
		return
	case *Join:
		if n.On != nil {
			reads(n.On)
		}
		f.use(n.L, nil)
		var whole []*expr.Column
		if n.Lateral { // it is optimized by itself, with all its columns
			whole = n.R.Output()
		}
		f.use(n.R, whole)
		return
	case *CTERef:
		for i, c := range n.Columns {
			if f.used[c] && i < len(n.Def.Plan.Output()) {
				f.used[n.Def.Plan.Output()[i]] = true
			}
		}
		return
	case *With:
		f.use(n.Child, nil)
		for _, d := range slices.Backward(n.Defs) {
			if d.Step != nil {
				f.use(d.Plan, d.Plan.Output())
				f.use(d.Step, d.Step.Output())
				continue
			}
			f.use(d.Plan, nil)
		}
		return
	default:
		for _, x := range expressions(n) {
			reads(x)
		}
	}
	for _, c := range children(n) {
		f.use(c, nil)
	}
}

// node finds what is computed of a plan. The items of one that becomes a part of the projection above it (inlined) are found there.
func (f *folding) node(n Node, inlined bool) (out folded) {
	if f.err != nil {
		return out
	}
	if OverLiterals(n) {
		return f.literals(n)
	}
	switch n := n.(type) {
	case *Project:
		out = f.node(n.Child, true)
		own := f.throughUnion(n)
		for _, it := range n.Items {
			if !f.used[it.Column] {
				continue
			}
			x := f.filled(it.X)
			if functions.Computable(x) {
				f.known[it.Column] = x
			} else if inlined && !anyExpr(x, isNonDeterministic) && functions.MayFail(x) {
				f.known[it.Column] = x // what of it reads no row is computed where the column is read
			}
			if !inlined {
				own = append(own, f.parts(x, false)...)
			}
		}
		return over(out, own)
	case *Filter:
		out = f.node(n.Child, true)
		return over(out, f.parts(f.filled(n.Cond), false))
	case *Narrow:
		return f.node(n.Child, inlined)
	case *Aggregate:
		return f.aggregate(n)
	case *Window:
		out = f.node(n.Child, false)
		var own []expr.Expr
		written := OverLiterals(n.Child)
		for _, it := range n.Items {
			if f.used[it.Column] {
				list := []expr.Expr{f.filled(it.X)}
				if w, ok := list[0].(*expr.Window); ok && written {
					// What reads a row is computed with the rows, in a projection of its own.
					list = slices.DeleteFunc(append(parts(w), w.Call.Args...), func(x expr.Expr) bool { return !functions.Computable(x) || slices.Contains(w.Partition, x) })
				}
				for _, x := range list {
					own = append(own, f.parts(x, false)...)
				}
			}
		}
		return over(out, own)
	case *Join:
		return f.join(n)
	case *SetOp:
		l, r := f.node(n.L, false), f.node(n.R, false)
		if n.Op != "UNION" {
			return folded{parts: append(l.parts, r.parts...)}
		}
		return folded{parts: append(l.parts, r.parts...), empty: l.empty && r.empty}
	case *CTERef:
		return out
	case *With:
		for _, d := range n.Defs {
			if d.Step != nil {
				out.parts = append(out.parts, f.node(d.Plan, false).parts...)
				out.parts = append(out.parts, f.node(d.Step, false).parts...)
			} else if f.read(d) {
				out.parts = append(out.parts, f.node(d.Plan, false).parts...)
			}
		}
		child := f.node(n.Child, false)
		return folded{parts: append(out.parts, child.parts...), empty: child.empty}
	case *Distinct:
		out = f.node(n.Child, false)
		out.empty = false // DISTINCT is still there when Spark looks
		return out
	case *Generate:
		out = f.node(n.Child, false)
		own := f.parts(f.filled(n.Call), false)
		if n.Cond != nil {
			own = append(own, f.parts(n.Cond, false)...)
		}
		if out.empty && n.Call.Func.Name != "explode" {
			return folded{parts: own}
		}
		return over(out, own)
	}
	for _, c := range children(n) {
		k := f.node(c, false)
		out.parts, out.empty = append(out.parts, k.parts...), out.empty || k.empty
	}
	var own []expr.Expr
	for _, x := range expressions(n) {
		own = append(own, f.parts(f.filled(x), false)...)
	}
	return over(out, own)
}

// literals runs steps over rows that are written in the query: from below those with columns that nobody reads, then the whole.
func (f *folding) literals(n Node) (out folded) {
	if _, bare := n.(*Rows); bare {
		return out
	}
	for m := n; m != nil && f.err == nil; {
		p, ok := m.(*Project)
		if ok && m != n && slices.ContainsFunc(p.Items, func(it Item) bool { return !f.used[it.Column] && functions.MayFail(it.X) }) {
			_, f.err = f.empty(m)
		}
		if list := children(m); len(list) == 1 {
			m = list[0]
		} else {
			m = nil
		}
	}
	if f.err == nil {
		out.empty, f.err = f.empty(n)
	}
	return out
}

// throughUnion finds constants in a projection over UNION ALL: Spark computes it on each side.
func (f *folding) throughUnion(n *Project) []expr.Expr {
	var chain []*Project // between it and the union, the lowest first
	from := below(n.Child)
	for p, ok := from.(*Project); ok; p, ok = from.(*Project) {
		chain, from = append([]*Project{p}, chain...), below(p.Child)
	}
	u, ok := from.(*SetOp)
	if !ok || u.Op != "UNION" || !u.All {
		return nil
	}
	var out []expr.Expr
	for _, side := range sides(u) {
		var here []*expr.Column
		know := func(c *expr.Column, x expr.Expr) {
			f.known[c] = x
			here = append(here, c)
		}
		for i, c := range u.Columns {
			if x := f.known[side[i]]; x != nil {
				know(c, x)
			}
		}
		for _, p := range chain {
			for _, it := range p.Items {
				if x := f.filled(it.X); functions.Computable(x) {
					know(it.Column, x)
				}
			}
		}
		for _, it := range n.Items {
			if f.used[it.Column] {
				out = append(out, f.parts(f.filled(it.X), false)...)
			}
		}
		for _, c := range here {
			delete(f.known, c)
		}
	}
	return out
}

// below leaves out the steps that a projection moves through.
func below(n Node) Node {
	switch n := n.(type) {
	case *Filter:
		return below(n.Child)
	case *Narrow:
		return below(n.Child)
	}
	return n
}

// sides are the columns of each query that UNION ALL puts together.
func sides(n Node) [][]*expr.Column {
	if u, ok := below(n).(*SetOp); ok && u.Op == "UNION" && u.All {
		return append(sides(u.L), sides(u.R)...)
	}
	return [][]*expr.Column{n.Output()}
}

// read reports whether a common table expression has columns that are read; one without is not looked at.
func (f *folding) read(d *CTE) bool {
	return slices.ContainsFunc(d.Plan.Output(), func(c *expr.Column) bool { return f.used[c] })
}

// over adds a node's own parts to its child's: none of them are left if there are no rows.
func over(child folded, own []expr.Expr) folded {
	if child.empty {
		return folded{empty: true}
	}
	return folded{parts: append(own, child.parts...)}
}

// aggregate leaves out constants that are grouped by, which Spark does not compute, and knows that there is one row without groups.
func (f *folding) aggregate(n *Aggregate) folded {
	child := f.node(n.Child, false)
	var own []expr.Expr
	for _, it := range n.Groups {
		x := f.filled(it.X)
		if functions.Computable(x) && n.Sets == nil {
			f.known[it.Column] = x
			if !f.used[it.Column] {
				continue
			}
		} else if OverLiterals(n.Child) {
			continue // it is computed with the rows, in a projection of its own
		}
		own = append(own, f.parts(x, false)...)
	}
	for _, it := range n.Aggs {
		if f.used[it.Column] {
			own = append(own, f.parts(f.filled(it.X), false)...)
		}
	}
	if child.empty && len(n.Groups) == 0 {
		return folded{parts: own}
	}
	return over(child, own)
}

// join knows which joins have no rows if a side has none.
func (f *folding) join(n *Join) folded {
	l, r := f.node(n.L, false), f.node(n.R, false)
	var on []expr.Expr
	if n.On != nil {
		on = f.parts(f.filled(n.On), false)
	}
	lost := func(cols []*expr.Column) { // those of the optional side are NULL here and there
		for _, c := range cols {
			delete(f.known, c)
		}
	}
	all := folded{parts: slices.Concat(on, l.parts, r.parts)}
	switch n.Kind {
	case "LEFT":
		lost(n.R.Output())
		if r.empty {
			all.parts = l.parts
		}
		all.empty = l.empty
	case "ANTI":
		if r.empty {
			all.parts = l.parts
		}
		all.empty = l.empty
	case "RIGHT":
		lost(n.L.Output())
		if l.empty {
			all.parts = r.parts
		}
		all.empty = r.empty
	case "FULL":
		lost(n.L.Output())
		lost(n.R.Output())
		all.empty = l.empty && r.empty
	default:
		all.empty = l.empty || r.empty
	}
	if all.empty {
		all.parts = nil
	}
	return all
}

// filled puts constants in place of the columns that are such.
func (f *folding) filled(x expr.Expr) expr.Expr {
	if len(f.known) == 0 {
		return x
	}
	y, _ := rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if r, ok := e.(*expr.Ref); ok && r.Outer == 0 && f.known[r.Column] != nil {
			return f.known[r.Column], true, nil
		}
		return nil, false, nil
	})
	return y
}

// parts are the largest parts of an expression that read no row, are no branches of a condition, and may fail.
func (f *folding) parts(x expr.Expr, branch bool) []expr.Expr {
	if functions.IsNull(x) {
		return nil
	}
	if functions.Computable(x) {
		if branch || !functions.MayFail(x) {
			return nil
		}
		return []expr.Expr{x}
	}
	var out []expr.Expr
	list := parts(x)
	switch x := x.(type) {
	case *expr.Subquery:
		sub := f.node(x.Plan.(Node), false)
		out = sub.parts
	case *expr.Case:
		branch = true
	case *expr.Call:
		branch = branch || conditional(x)
		if tries(x) {
			for i, arg := range list { // its casts are NULL themselves, for the engine
				if k, ok := arg.(*expr.Cast); ok && k.Try && k.Implicit {
					plain := *k
					plain.Try = false
					list[i] = &plain
				}
			}
		}
		if x.Func.Name == "count" && x.Func.Dialect == sql.Spark && !x.Distinct && !slices.ContainsFunc(x.Args, func(a expr.Expr) bool { return a.Nullable() }) {
			list = nil // it is count(1)
			if x.Filter != nil {
				list = []expr.Expr{x.Filter}
			}
		}
	case *expr.Window:
		list = slices.DeleteFunc(list, func(e expr.Expr) bool { return slices.Contains(x.Partition, e) && functions.Computable(e) })
	}
	for _, part := range list {
		out = append(out, f.parts(part, branch)...)
	}
	return out
}

// OverLiterals reports whether a plan is rows that are written in the query, with steps that only change or select them: Spark runs these
// while it plans.
func OverLiterals(n Node) bool {
	// Subqueries and the columns of queries around are not computed then.
	asks := func(x expr.Expr) bool { return HasSubquery(x) || anyExpr(x, isOuter) }
	switch n := n.(type) {
	case *Rows:
		return true
	case *Project:
		return !slices.ContainsFunc(n.Items, func(it Item) bool { return asks(it.X) }) && OverLiterals(n.Child)
	case *Filter:
		return !asks(n.Cond) && OverLiterals(n.Child)
	case *Limit:
		return OverLiterals(n.Child)
	case *Narrow:
		return OverLiterals(n.Child)
	}
	return false
}

// conditional reports whether a function computes some of its arguments only.
func conditional(c *expr.Call) bool {
	switch c.Func.Name {
	case "if", "coalesce", "ifnull", "nvl", "nvl2", "nullif", "nanvl", "when", "nullifzero", "zeroifnull", "assert_true":
		return true
	case "decode":
		return len(c.Args) > 2
	}
	return false
}

// parts are the expressions directly below one.
func parts(x expr.Expr) []expr.Expr {
	var out []expr.Expr
	top := true
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if top {
			top = false
			return nil, false, nil
		}
		out = append(out, e)
		return e, true, nil
	})
	return out
}
