package plan

import (
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// Constants are the parts of a plan that Spark computes before the query runs, since they read no row: one that fails makes the query fail
// even if no row comes by. Branches of a condition are left out: there Spark puts such an error off.
//
// Rows that are written in the query are another matter. Spark runs the steps directly above them while it plans, and where none of them
// is left, what stands above is not looked at: such plans have no Constants here.
func Constants(n Node) []expr.Expr {
	var out []expr.Expr
	for _, m := range nodesOf(n) {
		switch m := m.(type) {
		case *Filter:
			if OverLiterals(m) {
				return nil
			}
		case *Limit:
			if OverLiterals(m.Child) {
				return nil
			}
		}
		if OverLiterals(m) {
			continue
		}
		for _, x := range expressions(m) {
			out = append(out, constantParts(x)...)
		}
	}
	return out
}

// nodesOf lists a node and all below it, subqueries left out.
func nodesOf(n Node) []Node {
	out := []Node{n}
	for _, c := range children(n) {
		out = append(out, nodesOf(c)...)
	}
	return out
}

// OverLiterals reports whether a plan is rows that are written in the query, with steps that only change or select them.
func OverLiterals(n Node) bool {
	switch n := n.(type) {
	case *Rows, *OneRow:
		return true
	case *Project:
		return OverLiterals(n.Child)
	case *Filter:
		asks := false // one with a subquery becomes a join
		subqueries(n.Cond, func(*expr.Subquery) { asks = true })
		return !asks && OverLiterals(n.Child)
	case *Limit:
		return OverLiterals(n.Child)
	case *Narrow:
		return OverLiterals(n.Child)
	}
	return false
}

// constantParts are the largest parts of an expression that read no row.
func constantParts(x expr.Expr) []expr.Expr {
	switch x := x.(type) {
	case *expr.Lit, *expr.Case, *expr.Subquery:
		return nil
	case *expr.Call:
		if x.Func.Dialect != sql.Spark || conditional[x.Func.Name] {
			return nil
		}
	case *expr.Cast:
		if x.Dialect != sql.Spark {
			return nil
		}
	}
	if functions.Computable(x) {
		return []expr.Expr{x}
	}
	var out []expr.Expr
	for _, part := range parts(x) {
		out = append(out, constantParts(part)...)
	}
	return out
}

// conditional are the functions that compute some of their arguments only.
var conditional = map[string]bool{"if": true, "coalesce": true, "ifnull": true, "nvl": true, "nvl2": true, "nullif": true, "nanvl": true, "when": true, "decode": true, "nullifzero": true, "zeroifnull": true, "assert_true": true, "raise_error": true,
	"try_add": true, "try_subtract": true, "try_multiply": true, "try_divide": true, "try_mod": true}

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
