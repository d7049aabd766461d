package engine

import (
	"context"
	"errors"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// sessionVariable is a session variable with the expression of its default; nil means NULL.
type sessionVariable struct {
	plan.Variable
	byDefault sql.Expr
}

// variable finds a session variable; nil if there is none.
func (s *Session) variable(name string) *sessionVariable {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.variables[strings.ToLower(name)]
}

func (s *Session) setVariable(v *sessionVariable) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.variables[strings.ToLower(v.Name)] = v
}

// declareVariable runs DECLARE [OR REPLACE] VARIABLE.
func (s *Session) declareVariable(ctx context.Context, a *plan.Analyzer, st *sql.DeclareVariable) (*Result, error) {
	name, err := variableName(a.Dialect, st.Name)
	if err != nil {
		return nil, err
	}
	if !st.OrReplace && s.variable(name) != nil {
		return nil, errclass.VariableExists(name).At(span(st.Name))
	}
	v := &sessionVariable{Variable: plan.Variable{Name: name}, byDefault: st.Default}
	if st.Type != nil {
		if v.Type, err = functions.TypeOf(a.Dialect, st.Type); err != nil {
			return nil, err
		}
	}
	if st.Default != nil {
		if _, ok := st.Default.(*sql.Subquery); ok {
			return nil, errclass.VariableDefault("SUBQUERY_EXPRESSION", name, "(query)").At(st.Default.Span())
		}
		t, err := a.TypeOfConstant(ctx, st.Default)
		if err != nil {
			return nil, err
		}
		if st.Type == nil {
			v.Type = t
		}
		if v.Value, err = a.Eval(ctx, st.Default, v.Type); err != nil {
			return nil, err
		}
	}
	s.setVariable(v)
	return done(), nil
}

// variableName reads the name of a variable that a statement works on.
func variableName(d sql.Dialect, name []sql.Name) (string, error) {
	parts := names(d, name)
	n, ok := plan.VariableName(parts)
	if !ok {
		return "", errclass.UnresolvedVariable(parts, false).At(span(name))
	}
	return n, nil
}

// dropVariable runs DROP TEMPORARY VARIABLE.
func (s *Session) dropVariable(a *plan.Analyzer, st *sql.DropVariable) (*Result, error) {
	name, err := variableName(a.Dialect, st.Name)
	if err != nil {
		return nil, err
	}
	if s.variable(name) == nil {
		if st.IfExists {
			return done(), nil
		}
		return nil, errclass.VariableNotFound(name).At(span(st.Name))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.variables, strings.ToLower(name))
	return done(), nil
}

// targets finds the variables that a statement sets.
func (s *Session) targets(d sql.Dialect, list [][]sql.Name) ([]*sessionVariable, error) {
	out := make([]*sessionVariable, len(list))
	for i, n := range list {
		name, err := variableName(d, n)
		if err != nil {
			return nil, err
		}
		if out[i] = s.variable(name); out[i] == nil {
			return nil, errclass.UnresolvedVariable(names(d, n), true).At(span(n))
		}
		for _, o := range out[:i] {
			if o == out[i] {
				return nil, errclass.DuplicateAssignments(strings.ToLower(name)).At(span(n))
			}
		}
	}
	return out, nil
}

// setVariables runs SET VARIABLE: all values are computed before the first variable changes.
func (s *Session) setVariables(ctx context.Context, a *plan.Analyzer, st *sql.SetVariable) (*Result, error) {
	list := make([][]sql.Name, len(st.Set))
	for i, set := range st.Set {
		list[i] = set.Column.Parts
	}
	to, err := s.targets(a.Dialect, list)
	if err != nil {
		return nil, err
	}
	q := st.Query
	if q == nil {
		sel := &sql.Select{At: st.At}
		for i, set := range st.Set {
			x := set.Value
			if _, ok := x.(*sql.Default); ok {
				x = to[i].initial(st.At)
			}
			sel.Items = append(sel.Items, x)
		}
		q = &sql.Query{At: st.At, Body: sel}
	}
	err = s.assign(ctx, a, q, to)
	if unresolvedDefault(err) && st.Query != nil && defaults(q, to) {
		err = s.assign(ctx, a, q, to)
	}
	if unresolvedDefault(err) {
		err = errclass.DefaultPlacement().At(st.Span())
	}
	if err != nil {
		return nil, err
	}
	return done(), nil
}

// assign lets variables take a query's row; without a row they become NULL.
func (s *Session) assign(ctx context.Context, a *plan.Analyzer, q *sql.Query, to []*sessionVariable) error {
	ts := make([]types.Type, len(to))
	for i, v := range to {
		ts[i] = v.Type
	}
	n, err := a.Assign(ctx, q, ts)
	if err != nil {
		return err
	}
	rows, err := s.Collect(ctx, &Result{Node: n}, 2)
	if err != nil {
		return err
	}
	if len(rows) > 1 {
		return errclass.RowSubqueryRows().At(q.Span())
	}
	for i, v := range to {
		set := *v
		set.Value = nil
		if len(rows) == 1 {
			set.Value = rows[0][i]
		}
		s.setVariable(&set)
	}
	return nil
}

// initial is the expression of a variable's default.
func (v *sessionVariable) initial(at sql.At) sql.Expr {
	if v.byDefault == nil {
		return &sql.Literal{At: at, Kind: sql.NullLit}
	}
	return v.byDefault
}

// unresolvedDefault reports whether DEFAULT was taken for a column's name.
func unresolvedDefault(err error) bool {
	var e *errclass.Error
	return errors.As(err, &e) && strings.HasPrefix(e.Class, "UNRESOLVED_COLUMN") && strings.EqualFold(e.Params["objectName"], "`default`")
}

// defaults puts the variables' defaults in place of a select list's DEFAULT; it reports whether there were any.
func defaults(q *sql.Query, to []*sessionVariable) bool {
	var list []sql.Expr
	switch b := q.Body.(type) {
	case *sql.Select:
		list = b.Items
	case *sql.Values:
		list = b.Rows[0]
	case *sql.Query:
		return defaults(b, to)
	}
	found := false
	for i, x := range list {
		id, ok := x.(*sql.Ident)
		if ok && i < len(to) && len(id.Parts) == 1 && strings.EqualFold(id.Parts[0].Text, "default") {
			list[i], found = to[i].initial(id.At), true
		}
	}
	return found
}
