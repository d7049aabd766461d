package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Variable is a session variable with its value (Spark's DECLARE VARIABLE).
type Variable struct {
	Name  string
	Type  types.Type
	Value any
}

// VariableName reads a variable's name: x, session.x or system.session.x; false if no variable can be called so.
func VariableName(parts []string) (string, bool) {
	switch n := len(parts); {
	case n == 1:
	case n == 2 && strings.EqualFold(parts[0], "session"):
	case n == 3 && strings.EqualFold(parts[0], "system") && strings.EqualFold(parts[1], "session"):
	default:
		return "", false
	}
	return parts[len(parts)-1], true
}

// variable resolves a name that no column has to a session variable, or to a field of one; nil if there is none.
func (a *Analyzer) variable(id *sql.Ident, parts []string) (expr.Expr, error) {
	if a.Variables == nil {
		return nil, nil
	}
	for n := 1; n <= len(parts); n++ {
		name, ok := VariableName(parts[:n])
		if !ok {
			continue
		}
		v := a.Variables(name)
		if v == nil {
			continue
		}
		lit := &expr.Lit{Value: v.Value}
		lit.T, lit.Null, lit.At = v.Type, v.Value == nil, id.Span()
		label := "variablereference(system.session." + types.QuoteIfNeeded(v.Name) + "=" + constantSQL(lit) + ")"
		c := &expr.Call{Name: "variablereference", Args: []expr.Expr{lit}, Func: &expr.Func{
			Name: "variablereference " + v.Name, Signature: "variable",
			Duck:   func(_ *expr.Call, args []string) string { return args[0] },
			Pretty: func(*expr.Call, []string) string { return label },
		}}
		c.T, c.Null, c.At = v.Type, true, id.Span()
		return a.fields(c, id, parts[n:])
	}
	return nil, nil
}

// constantSQL is a constant as SQL would write it, with its type.
func constantSQL(l *expr.Lit) string {
	switch {
	case l.T.Kind == types.Null:
		return "NULL"
	case l.Value == nil:
		return "CAST(NULL AS " + l.T.SQL() + ")"
	case l.T.Kind == types.Long:
		return literalName(l) + "L"
	case l.T.Kind == types.Double:
		return literalName(l) + "D"
	}
	return SQLOf(l)
}

// TypeOfConstant is the type of an expression that reads no columns.
func (a *Analyzer) TypeOfConstant(ctx context.Context, x sql.Expr) (types.Type, error) {
	e, err := a.expr(ctx, x, &scope{})
	if err != nil {
		return types.Type{}, err
	}
	return e.Type(), nil
}

// Assign analyzes the query whose row variables take, each column cast to its variable's type.
func (a *Analyzer) Assign(ctx context.Context, q *sql.Query, to []types.Type) (Node, error) {
	n, err := a.query(ctx, q, nil)
	if err != nil {
		return nil, err
	}
	cols := visible(n.Output())
	if len(cols) != len(to) {
		return nil, errclass.AssignmentArity(len(cols), len(to)).At(q.Span())
	}
	items := make([]Item, len(cols))
	for i, c := range cols {
		x := expr.Expr(ref(c))
		if !c.T.Equal(to[i]) {
			if x, err = functions.Cast(a.Dialect, x, to[i], false, q.Span()); err != nil {
				return nil, err
			}
		}
		items[i] = NewItem(c.Name, x)
	}
	return a.optimized(&Project{Items: items, Child: n})
}
