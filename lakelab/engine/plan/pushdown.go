package plan

import (
	"slices"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

// pushFilters hands the conditions above a scan to the scan as a hint, so that its source may read fewer files. They stay where
// they are, too. Columns in Scan.Filter are the scan's own.
func pushFilters(d sql.Dialect, n Node) {
	Visit(n, func(n Node) {
		if f, ok := n.(*Filter); ok {
			for _, c := range Conjuncts(f.Cond) {
				if !anyExpr(c, notPushable) {
					pushInto(d, f.Child, c)
				}
			}
		}
	})
}

// notPushable is what a source could not decide from a row alone.
func notPushable(e expr.Expr) bool {
	switch e := e.(type) {
	case *expr.Subquery, *expr.Window, *expr.Lambda:
		return true
	case *expr.Call:
		return e.Func.NonDeterministic || e.Func.Moment || e.Func.Kind != expr.Scalar
	}
	return false
}

// Conjuncts takes a AND b AND … apart.
func Conjuncts(x expr.Expr) []expr.Expr {
	if c, ok := x.(*expr.Call); ok && c.Func.Name == "and" {
		return append(Conjuncts(c.Args[0]), Conjuncts(c.Args[1])...)
	}
	return []expr.Expr{x}
}

// pushInto follows a condition down to the scan that has all its columns: through filters, plain projections and the sides of
// joins that lose no rows to NULLs.
func pushInto(d sql.Dialect, n Node, cond expr.Expr) {
	switch n := n.(type) {
	case *Filter:
		pushInto(d, n.Child, cond)
	case *Narrow:
		pushInto(d, n.Child, cond)
	case *Project:
		below, ok := throughProject(n, cond)
		if ok {
			pushInto(d, n.Child, below)
		}
	case *Join:
		switch n.Kind {
		case "INNER", "CROSS":
			pushInto(d, n.L, cond)
			pushInto(d, n.R, cond)
		case "LEFT", "SEMI", "ANTI":
			pushInto(d, n.L, cond)
		case "RIGHT":
			pushInto(d, n.R, cond)
		}
	case *Scan:
		if !readsOnly(cond, n.Columns) {
			return
		}
		if n.Filter == nil {
			n.Filter = cond
		} else if both, err := functions.Resolve(d, "and", []expr.Expr{n.Filter, cond}, token.Span{}); err == nil {
			n.Filter = both
		}
	}
}

// throughProject says a condition in terms of a projection's input; false if it reads anything but columns that pass through, perhaps with
// the spaces of CHAR(n).
func throughProject(n *Project, cond expr.Expr) (expr.Expr, bool) {
	through := map[*expr.Column]expr.Expr{}
	for _, it := range n.Items {
		if _, ok := it.X.(*expr.Ref); ok || functions.IsPadChars(it.X) {
			through[it.Column] = it.X
		}
	}
	ok := true
	below, _ := rewrite(cond, func(e expr.Expr) (expr.Expr, bool, error) {
		r, is := e.(*expr.Ref)
		if !is {
			return nil, false, nil
		}
		if in := through[r.Column]; in != nil {
			return in, true, nil
		}
		ok = false
		return e, true, nil
	})
	return below, ok
}

// readsOnly reports whether an expression reads columns, and none but these.
func readsOnly(x expr.Expr, cols []*expr.Column) bool {
	some, only := false, true
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if r, ok := e.(*expr.Ref); ok {
			some = true
			only = only && slices.Contains(cols, r.Column)
		}
		return nil, false, nil
	})
	return some && only
}
