package engine

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
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
		return done(), s.analyzePartitions(ctx, a, t, st)
	}
	rows := int64(-1)
	if !st.NoScan {
		if rows, err = s.Count(ctx, &sql.TableRef{At: sql.At{Pos: span(st.Table)}, Name: st.Table}); err != nil {
			return nil, err
		}
	}
	return done(), s.changing(ctx, id, st.Table, func(t *hive.Table) error { return s.engine.Hive.Analyze(ctx, t, rows) })
}

// analyzePartitions is ANALYZE TABLE t PARTITION (…): a key without a value takes all.
func (s *Session) analyzePartitions(ctx context.Context, a *plan.Analyzer, t *hive.Table, st *sql.Analyze) error {
	if t.Format != "parquet" {
		return errclass.UnsupportedStatement(a.Dialect, "ANALYZE TABLE … PARTITION of a table of "+t.Format+" files").At(st.Span())
	}
	for _, p := range st.Partition {
		if !slices.ContainsFunc(t.Keys, func(f types.Field) bool { return strings.EqualFold(f.Name, p.Name.Text) }) {
			return errclass.AnalyzeNoPartitionColumn(p.Name.Text, tableName(t))
		}
	}
	given := slices.DeleteFunc(slices.Clone(st.Partition), func(p sql.PartitionValue) bool { return p.Value == nil })
	spec, err := s.partitionSpec(ctx, a, t, given)
	if err != nil {
		return err
	}
	parts, err := s.engine.Hive.Store.Partitions(ctx, t.Table, spec)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		return noPartitions(t, spec)
	}
	for _, p := range parts {
		files, err := s.tableFiles(ctx, t, []metastore.Partition{p})
		if err != nil {
			return err
		}
		rows := int64(-1)
		if !st.NoScan {
			if rows, err = parquetRows(ctx, s.engine.DB, files); err != nil {
				return err
			}
		}
		if err := s.engine.Hive.AnalyzePartition(ctx, t, p.Values, rows); err != nil {
			return err
		}
	}
	return nil
}

// parquetRows counts the rows of files by what their footers say.
func parquetRows(ctx context.Context, db *duck.DB, files []hive.File) (int64, error) {
	if len(files) == 0 {
		return 0, nil
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = duck.String(f.Path)
	}
	_, rows, err := db.Query(ctx, "SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(["+strings.Join(paths, ", ")+"])")
	if err != nil {
		return 0, err
	}
	n, _ := rows[0][0].(int64)
	return n, nil
}
