package plan

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// checkCorrelation refuses columns of the query around where Spark can't take them out of a subquery: in what it groups by, in what
// it aggregates, and in windows.
func (a *Analyzer) checkCorrelation(n Node, at sql.Node) error {
	if a.Dialect != sql.Spark {
		return nil
	}
	own := map[*expr.Column]bool{}
	Visit(n, func(n Node) {
		for _, c := range n.Output() {
			own[c] = true
		}
	})
	outer := func(e expr.Expr) bool {
		r, ok := e.(*expr.Ref)
		return ok && r.Outer > 0 && !own[r.Column]
	}
	var failed error
	refuse := func(xs []expr.Expr) {
		for _, x := range xs {
			if failed != nil || !anyExpr(x, outer) {
				continue
			}
			failed = errclass.CorrelatedReference(NameOf(a.Dialect, x)).At(at.Span())
			if c, ok := x.(*expr.Call); ok && isAggregate(c) && anyExpr(c, func(e expr.Expr) bool { r, ok := e.(*expr.Ref); return ok && own[r.Column] }) {
				failed = errclass.MixedReferences(NameOf(a.Dialect, c)).At(at.Span())
			}
		}
	}
	visitOwn(n, func(n Node) {
		switch k := n.(type) {
		case *Aggregate, *Window:
			refuse(expressions(n))
		case *Project:
			if overAggregate(k.Child) {
				refuse(expressions(n))
			}
		}
	})
	return failed
}

// overAggregate reports whether a projection over n belongs to the SELECT that groups.
func overAggregate(n Node) bool {
	if f, ok := n.(*Filter); ok {
		n = f.Child
	}
	_, ok := n.(*Aggregate)
	return ok
}
