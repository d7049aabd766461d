package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// executeImmediate runs EXECUTE IMMEDIATE text | variable [INTO variables] [USING arguments].
func (s *Session) executeImmediate(ctx context.Context, a *plan.Analyzer, st *sql.Execute) (*Result, error) {
	text, err := s.immediateText(a.Dialect, st)
	if err != nil {
		return nil, err
	}
	if text, err = s.substituted(text); err != nil {
		return nil, err
	}
	params, err := s.immediateParams(ctx, a, st, text)
	if err != nil {
		return nil, err
	}
	inner := s.analyzerOf(a.Dialect, text, params)
	stmt, err := s.parse(ctx, inner, text)
	if err != nil {
		return nil, err
	}
	if _, ok := stmt.(*sql.Execute); ok {
		return nil, errclass.NestedExecute(text).At(st.Span())
	}
	if len(st.Into) == 0 {
		return s.run(ctx, inner, stmt)
	}
	q, ok := stmt.(*sql.QueryStmt)
	if !ok {
		return nil, errclass.ExecuteInto(text).At(st.Span())
	}
	to, err := s.targets(a.Dialect, st.Into)
	if err != nil {
		return nil, err
	}
	if err := s.assign(ctx, inner, q.Query, to); err != nil {
		return nil, err
	}
	return done(), nil
}

// immediateText is the statement to run.
func (s *Session) immediateText(d sql.Dialect, st *sql.Execute) (string, error) {
	if st.Immediate != nil {
		return *st.Immediate, nil
	}
	v, err := s.targets(d, [][]sql.Name{st.Variable})
	switch {
	case err != nil:
		return "", err
	case v[0].Type.Kind != types.String:
		return "", errclass.ExecuteVariableType(v[0].Type).At(span(st.Variable))
	case v[0].Value == nil:
		return "", errclass.ExecuteNull(names(d, st.Variable)).At(span(st.Variable))
	}
	return v[0].Value.(string), nil
}

// immediateParams are the arguments of USING: constants or variables, with names where the statement has named parameters.
func (s *Session) immediateParams(ctx context.Context, a *plan.Analyzer, st *sql.Execute, text string) (plan.Params, error) {
	p := plan.Params{Named: map[string]sql.Expr{}}
	positional, named := sql.Parameters(text)
	if positional && named {
		return p, errclass.MixedParameters().At(st.Span())
	}
	var unnamed []string
	for _, x := range st.Using {
		name := ""
		if al, ok := x.(*sql.Aliased); ok && len(al.Names) == 1 {
			x, name = al.X, al.Names[0].Text
			if _, twice := p.Named[name]; twice {
				return p, errclass.DuplicateArgumentAliases(name).At(st.Span())
			}
		}
		v, own, err := s.argument(ctx, a, x)
		if err != nil {
			return p, err
		}
		if name == "" {
			name = own
		}
		if name == "" {
			unnamed = append(unnamed, plan.Written(x))
		}
		p.Positional = append(p.Positional, v)
		p.Named[name] = v
	}
	if named && len(unnamed) > 0 {
		return p, errclass.ParametersMustBeNamed(unnamed).At(st.Span())
	}
	return p, nil
}

// argument checks an argument of USING; a variable comes under its full name, which no column can hide, and with its own name.
func (s *Session) argument(ctx context.Context, a *plan.Analyzer, x sql.Expr) (arg sql.Expr, name string, err error) {
	switch x := x.(type) {
	case *sql.Literal, *sql.Interval:
		return x, "", nil
	case *sql.Ident:
		v, err := s.targets(a.Dialect, [][]sql.Name{x.Parts})
		if err != nil {
			return nil, "", err
		}
		full := []sql.Name{{At: x.At, Text: "system"}, {At: x.At, Text: "session"}, {At: x.At, Text: v[0].Name}}
		return &sql.Ident{At: x.At, Parts: full}, v[0].Name, nil
	}
	e, err := a.Constant(ctx, x, types.Of(types.String))
	if err != nil {
		return nil, "", err
	}
	return nil, "", errclass.ExecuteParameter(plan.NameOf(a.Dialect, e)).At(x.Span())
}

// parse reads a statement; IDENTIFIER clauses are computed with the analyzer's parameters and the session's variables.
func (s *Session) parse(ctx context.Context, a *plan.Analyzer, text string) (sql.Statement, error) {
	opts := sql.Options{
		TimestampNTZ:            a.Settings.TimestampNTZ,
		DoubleQuotedIdentifiers: strings.EqualFold(s.Conf(confDoubleQuotes), "true"),
	}
	opts.Constant = func(x sql.Expr) (string, error) {
		shown := strings.TrimSpace(text[x.Span().Start.Offset:x.Span().End.Offset])
		if _, ok := x.(*sql.Subquery); ok {
			return "", errclass.IdentifierNotConstant(shown).At(x.Span())
		}
		t, err := a.TypeOfConstant(ctx, x)
		if err != nil {
			return "", err
		}
		if t.Kind != types.String {
			return "", errclass.IdentifierType(shown, t).At(x.Span())
		}
		v, err := a.Eval(ctx, x, t)
		if err != nil {
			return "", err
		}
		name, ok := v.(string)
		if !ok {
			return "", errclass.IdentifierNull(shown).At(x.Span())
		}
		return name, nil
	}
	return sql.ParseWith(a.Dialect, text, opts)
}
