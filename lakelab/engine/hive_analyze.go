package engine

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// analyzeHive runs ANALYZE TABLE: it notes a table's size and, unless NOSCAN is given, counts its rows. Statistics of columns are refused
// by name: nothing here would use them.
func (s *Session) analyzeHive(ctx context.Context, a *plan.Analyzer, st *sql.Analyze, id hiveIdent) (*Result, error) {
	t, err := s.hiveTable(ctx, id, st.Table)
	if err != nil {
		return nil, err
	}
	if st.AllColumns || len(st.Columns) > 0 {
		for _, c := range st.Columns {
			if !slices.ContainsFunc(t.Schema().Fields, func(f types.Field) bool { return strings.EqualFold(f.Name, c.Text) }) {
				return nil, errclass.ColumnNotFoundIn([]string{c.Text}, t.Schema().Fields)
			}
		}
		return nil, errclass.UnsupportedStatement(a.Dialect, "ANALYZE TABLE … FOR COLUMNS").At(st.Span())
	}
	if len(st.Partition) > 0 {
		return nil, s.analyzePartitions(ctx, a, t, st)
	}
	rows := int64(-1)
	if !st.NoScan {
		if rows, err = s.Count(ctx, &sql.TableRef{At: sql.At{Pos: span(st.Table)}, Name: st.Table}); err != nil {
			return nil, err
		}
	}
	return done(), s.engine.Hive.Analyze(ctx, t, rows)
}

// analyzePartitions is ANALYZE TABLE t PARTITION (…).
func (s *Session) analyzePartitions(ctx context.Context, a *plan.Analyzer, t *hive.Table, st *sql.Analyze) error {
	return errclass.UnsupportedStatement(a.Dialect, "ANALYZE TABLE … PARTITION").At(st.Span())
}
