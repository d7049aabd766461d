package plan

import (
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// unbound marks the literal that stands for a ? without a value.
const unbound = "?"

// unboundParam is what a ? is while a prepared statement is only described: a NULL, which takes the type that is wanted there.
func unboundParam(x *sql.Param) expr.Expr {
	l := &expr.Lit{Text: unbound}
	l.Null, l.At = true, x.Span()
	return l
}

// ParamTypes are the types that the unbound parameters of a plan were given by what they stand in, by their offsets in the text.
func ParamTypes(n Node) map[int]types.Type {
	out := map[int]types.Type{}
	isParam := func(x expr.Expr) bool {
		l, ok := x.(*expr.Lit)
		return ok && l.Text == unbound && l.Value == nil
	}
	_ = rewritePlan(n, func(x expr.Expr) (expr.Expr, bool, error) {
		if c, ok := x.(*expr.Cast); ok && c.Implicit && isParam(c.X) {
			out[c.X.Span().Start.Offset] = c.T
			return x, true, nil
		}
		if isParam(x) {
			out[x.Span().Start.Offset] = x.Type()
		}
		return x, false, nil
	})
	return out
}

// Origin is the table that a column of a plan's output comes from unchanged; nil if it is computed.
func Origin(n Node, c *expr.Column) []string {
	items := func(its []Item, child Node) ([]string, bool) {
		for _, it := range its {
			if it.Column == c {
				if r, ok := stripAlias(it.X).(*expr.Ref); ok {
					return Origin(child, r.Column), true
				}
				return nil, true
			}
		}
		return nil, false
	}
	switch n := n.(type) {
	case *Scan:
		for _, k := range n.Columns {
			if k == c {
				return n.Name
			}
		}
		return nil
	case *Project:
		t, _ := items(n.Items, n.Child)
		return t
	case *Aggregate:
		if t, ok := items(n.Groups, n.Child); ok {
			return t
		}
		t, _ := items(n.Aggs, n.Child)
		return t
	}
	for _, child := range children(n) {
		if t := Origin(child, c); t != nil {
			return t
		}
	}
	return nil
}
