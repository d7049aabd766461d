package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// delete runs DELETE FROM: by removing whole files where their statistics suffice, else row by row.
func (s *Session) delete(ctx context.Context, a *plan.Analyzer, st *sql.Delete) (*Result, error) {
	t, err := s.writeTable(ctx, a.Dialect, st.Table.Name)
	if err != nil {
		return nil, err
	}
	rows, err := a.Delete(ctx, st)
	if err != nil {
		return nil, err
	}
	t = asRead(t, rows)
	if rows.Whole != nil {
		if err := s.checkFilter(t, rows.Whole); err != nil {
			return nil, err
		}
	}
	n, done, err := s.engine.Lake.DeleteFiles(ctx, t, s.condition(ctx, rows.Whole), a.Dialect == sql.Trino)
	if err != nil {
		return nil, err
	}
	switch {
	case done && a.Dialect == sql.Trino && n < 0:
		r := local([][]any{{nil}}, long("rows", true))
		r.UpdateType = "DELETE"
		return r, nil
	case done:
		return updated("DELETE", n), nil
	}
	return s.changeRows(ctx, a, t, "DELETE", rows)
}

// update runs UPDATE.
func (s *Session) update(ctx context.Context, a *plan.Analyzer, st *sql.Update) (*Result, error) {
	t, err := s.writeTable(ctx, a.Dialect, st.Table.Name)
	if err != nil {
		return nil, err
	}
	rows, err := a.Update(ctx, st)
	if err != nil {
		return nil, err
	}
	return s.changeRows(ctx, a, t, "UPDATE", rows)
}

// merge runs MERGE INTO.
func (s *Session) merge(ctx context.Context, a *plan.Analyzer, st *sql.Merge) (*Result, error) {
	t, err := s.writeTable(ctx, a.Dialect, st.Target.Name)
	if err != nil {
		return nil, err
	}
	rows, err := a.Merge(ctx, st)
	if err != nil {
		return nil, err
	}
	return s.changeRows(ctx, a, t, "MERGE", rows)
}

func (s *Session) changeRows(ctx context.Context, a *plan.Analyzer, t *lake.Table, kind string, rows *plan.RowActions) (*Result, error) {
	t = asRead(t, rows)
	query, err := s.copySQL(ctx, rows.Plan)
	if err != nil {
		return nil, err
	}
	n, err := s.engine.Lake.ChangeRows(ctx, t, lake.RowChanges{Command: strings.ToLower(kind), Positions: a.Dialect == sql.Trino, Query: query, Once: rows.Once, ByClause: rows.ByClause, Inserts: rows.Inserts, Where: s.condition(ctx, rows.Where)}, s.db())
	if err != nil {
		return nil, err
	}
	return updated(kind, n), nil
}

// asRead is the table that a statement changes in the state that its plan reads: others may have changed it since it was looked up.
func asRead(t *lake.Table, rows *plan.RowActions) *lake.Table {
	if source, ok := rows.Target.(*tableSource); ok {
		return t.As(source.table)
	}
	return t
}
