package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// createFunction runs CREATE [OR REPLACE] TEMPORARY FUNCTION … RETURN body. Spark 4.0 has these only while its own session catalog
// is the current one; here there is no other place for them. An Iceberg catalog keeps no functions, so that those without
// TEMPORARY are refused.
func (s *Session) createFunction(ctx context.Context, a *plan.Analyzer, st *sql.CreateFunction) (*Result, error) {
	if !st.Temporary {
		return nil, errclass.NoFunctionCatalog(CatalogName).At(st.Span())
	}
	if len(st.Name) > 1 {
		return nil, errclass.TempFunctionDatabase("CREATE", st.Name[len(st.Name)-2].Text).At(span(st.Name))
	}
	name := st.Name[0].Text
	if s.routine(name) != nil {
		if st.IfNotExists {
			return done(), nil
		}
		if !st.OrReplace {
			return nil, errclass.RoutineExists("routine", name).At(span(st.Name))
		}
	}
	r, err := routineOf(a.Dialect, name, st)
	if err != nil {
		return nil, err
	}
	if err := a.CheckRoutine(ctx, r); err != nil {
		return nil, err
	}
	s.describeRoutine(r, st)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.routines[strings.ToLower(name)] = r
	return done(), nil
}

func routineOf(d sql.Dialect, name string, st *sql.CreateFunction) (*plan.Routine, error) {
	r := &plan.Routine{Name: name, Table: st.Table, Body: st.Body, Query: st.Query}
	for _, p := range st.Params {
		t, err := functions.TypeOf(d, p.Type)
		if err != nil {
			return nil, err
		}
		r.Params = append(r.Params, plan.RoutineParam{Name: p.Name.Text, Type: t, Default: p.Default})
	}
	if st.Returns != nil {
		t, err := functions.TypeOf(d, st.Returns)
		if err != nil {
			return nil, err
		}
		r.Returns = &t
	}
	for _, c := range st.Columns {
		t, err := functions.TypeOf(d, c.Type)
		if err != nil {
			return nil, err
		}
		r.Columns = append(r.Columns, types.Field{Name: c.Name.Text, Type: t, Nullable: true})
	}
	return r, nil
}

// routine finds a SQL function of the session; nil if there is none.
func (s *Session) routine(name string) *plan.Routine {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.routines[strings.ToLower(name)]
}

// dropFunction runs DROP [TEMPORARY] FUNCTION. There are none but temporary ones, and built-in ones, which stay.
func (s *Session) dropFunction(a *plan.Analyzer, st *sql.DropFunction) (*Result, error) {
	parts := names(a.Dialect, st.Name)
	if st.Temporary && len(parts) > 1 {
		return nil, errclass.TempFunctionDatabase("DROP", parts[len(parts)-2]).At(span(st.Name))
	}
	if st.Temporary && s.routine(parts[0]) != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.routines, strings.ToLower(parts[0]))
		return done(), nil
	}
	if name := parts[0]; !st.Temporary && len(parts) == 1 && (s.routine(name) != nil || functions.Lookup(a.Dialect, strings.ToLower(name)) != nil) {
		return nil, errclass.NotPersistentFunction(name).At(st.Span())
	}
	switch {
	case st.Temporary && functions.Lookup(a.Dialect, strings.ToLower(parts[0])) != nil:
		return nil, errclass.BuiltinFunction(parts[0])
	case st.IfExists:
		return done(), nil
	case st.Temporary:
		return nil, errclass.FunctionNotFound(parts).At(span(st.Name))
	}
	return nil, errclass.UnresolvedRoutine(int(a.Dialect), strings.Join(parts, "`.`")).At(st.Span())
}
