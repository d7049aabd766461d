package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// analyzeHive runs ANALYZE TABLE: it notes a table's size and, unless NOSCAN is given, counts its rows; FOR COLUMNS looks at their values, too.
func (s *Session) analyzeHive(ctx context.Context, a *plan.Analyzer, st *sql.Analyze, id hiveIdent) (*Result, error) {
	t, err := s.hiveTable(ctx, id, st.Table)
	if err != nil {
		return nil, err
	}
	if st.AllColumns || len(st.Columns) > 0 {
		return done(), s.analyzeColumns(ctx, t, st, id)
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

// analyzeTables runs ANALYZE TABLES: each table of a database.
func (s *Session) analyzeTables(ctx context.Context, a *plan.Analyzer, st *sql.Analyze, database string) (*Result, error) {
	list, err := s.hiveTables(ctx, database)
	if err != nil {
		return nil, err
	}
	for _, name := range list {
		id := hiveIdent{database, name}
		one := &sql.Analyze{At: st.At, NoScan: st.NoScan, Table: []sql.Name{{Text: HiveCatalogName}, {Text: database, Quoted: true}, {Text: name, Quoted: true}}}
		if _, err := s.analyzeHive(ctx, a, one, id); err != nil {
			return nil, err
		}
	}
	return done(), nil
}

// analyzeColumns is ANALYZE TABLE … FOR COLUMNS: one pass over the table's rows.
func (s *Session) analyzeColumns(ctx context.Context, t *hive.Table, st *sql.Analyze, id hiveIdent) error {
	fields := t.Schema().Fields
	if !st.AllColumns {
		fields = nil
		for _, c := range st.Columns {
			i := slices.IndexFunc(t.Schema().Fields, func(f types.Field) bool { return strings.EqualFold(f.Name, c.Text) })
			if i < 0 {
				return errclass.ColumnNotThere(c.Text)
			}
			fields = append(fields, t.Schema().Fields[i])
		}
	}
	for _, f := range fields {
		switch f.Type.Kind {
		case types.Array, types.Map, types.Struct, types.CalendarInterval, types.Null:
			return errclass.AnalyzeColumnType(f.Type, f.Name, tableName(t))
		}
	}
	const each = 5
	items := []string{"count(*)"}
	for _, f := range fields {
		c, ranged := backquoted(f.Name), f.Type.Kind != types.String && f.Type.Kind != types.Binary
		length := "CAST(NULL AS INT)"
		if !ranged {
			length = "octet_length(" + c + ")"
			if f.Type.Kind == types.String {
				length = "length(" + c + ")"
			}
		}
		low, high := "NULL", "NULL"
		if ranged {
			low, high = "min("+c+")", "max("+c+")"
		}
		items = append(items, low, high, "count("+c+")", "count(DISTINCT "+c+")", "named_struct('a', CAST(ceil(avg("+length+")) AS BIGINT), 'm', CAST(max("+length+") AS BIGINT))")
	}
	q, err := sql.Parse(sql.Spark, "SELECT "+strings.Join(items, ", ")+" FROM "+backquoted(HiveCatalogName)+"."+backquoted(id.database)+"."+backquoted(id.name))
	if err != nil {
		return err
	}
	n, err := s.analyzer(sql.Spark, plan.Params{}).Query(ctx, q.(*sql.QueryStmt).Query)
	if err != nil {
		return err
	}
	rows, err := s.Collect(ctx, &Result{Node: n}, -1)
	if err != nil {
		return err
	}
	total, _ := rows[0][0].(int64)
	found := map[string]hive.ColumnStatistics{}
	for i, f := range fields {
		v := rows[0][1+each*i:]
		full, _ := v[2].(int64)
		distinct, _ := v[3].(int64)
		c := hive.ColumnStatistics{Nulls: total - full, Distinct: distinct, AvgLen: defaultSize(f.Type), MaxLen: defaultSize(f.Type)}
		for j, to := range []**string{&c.Min, &c.Max} {
			if v[j] != nil {
				text := statisticText(f.Type, v[j])
				*to = &text
			}
		}
		if lengths, ok := v[4].([]any); ok && lengths[0] != nil {
			c.AvgLen, _ = lengths[0].(int64)
			c.MaxLen, _ = lengths[1].(int64)
		}
		found[f.Name] = c
	}
	return s.changing(ctx, id, st.Table, func(t *hive.Table) error { return s.engine.Hive.AnalyzeColumns(ctx, t, total, found) })
}

// statisticText is a value as Spark writes it among a column's statistics.
func statisticText(t types.Type, v any) string {
	text := types.Text(t, v, time.UTC)
	if t.Kind != types.Timestamp && t.Kind != types.TimestampNTZ {
		return text
	}
	seconds, fraction, _ := strings.Cut(text, ".")
	text = seconds + "." + (fraction + "000000")[:6]
	if t.Kind == types.Timestamp {
		text += " +0000"
	}
	return text
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
		paths[i] = f.Path
	}
	_, rows, err := db.Query(ctx, "SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata("+duckpath.List(paths)+")")
	if err != nil {
		return 0, err
	}
	n, _ := rows[0][0].(int64)
	return n, nil
}
