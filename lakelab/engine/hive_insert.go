package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// insertHive runs INSERT INTO and INSERT OVERWRITE on a table of spark_catalog.
func (s *Session) insertHive(ctx context.Context, a *plan.Analyzer, st *sql.Insert, id hiveIdent, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	t, err := s.hiveTable(ctx, id, st.Table)
	if err != nil {
		return nil, err
	}
	if st.ReplaceWhere != nil || len(st.Options) > 0 {
		return nil, errclass.UnsupportedStatement(a.Dialect, "INSERT with REPLACE WHERE or options").At(st.Span())
	}
	spec, err := s.constantTexts(ctx, a, t, st.Partition)
	if err != nil {
		return nil, err
	}
	n, err := a.Insert(ctx, id.full(), t.Schema().Fields, st)
	if err != nil {
		return nil, err
	}
	dynamic := st.Dynamic || strings.EqualFold(s.Conf("spark.sql.sources.partitionOverwriteMode"), "dynamic")
	rows, err := s.engine.Hive.Write(ctx, t, hive.Writing{Overwrite: st.Overwrite, Dynamic: dynamic, Static: spec, IfAbsent: st.IfNotExists}, s.producer(t, n))
	if err != nil {
		return nil, err
	}
	return updated("INSERT", rows), nil
}

// producer writes a plan's rows, the table's columns in their order, as Parquet files.
func (s *Session) producer(t *hive.Table, n plan.Node) hive.Producer {
	return func(ctx context.Context, dir string) ([]hive.Written, error) {
		id := partID()
		items := make([]plan.Item, 0, len(n.Output()))
		var by []string
		for i, c := range n.Output() {
			if i < len(t.Data) {
				items = append(items, plan.NewItem(c.Name, reference(c)))
				continue
			}
			x, err := functions.Cast(sql.Spark, reference(c), types.Of(types.String), false, token.Span{})
			if err != nil {
				return nil, err
			}
			name := fmt.Sprintf("__partition_%d", i-len(t.Data))
			items = append(items, plan.NewItem(name, x))
			by = append(by, name)
		}
		query, err := s.copySQL(ctx, &plan.Project{Items: items, Child: n})
		if err != nil {
			return nil, err
		}
		to, options := filepath.Join(dir, "part-00000-"+id+"-c000.snappy.parquet"), "FORMAT parquet, COMPRESSION snappy, RETURN_STATS"
		if len(by) > 0 {
			to = filepath.Join(dir, "partitions")
			options += ", PARTITION_BY (" + strings.Join(by, ", ") + "), FILENAME_PATTERN 'part-{i}'"
		}
		names, rows, err := s.db().Query(ctx, "COPY ("+query+") TO "+duck.String(to)+" ("+options+")")
		if err != nil {
			return nil, err
		}
		return written(names, rows, by, id)
	}
}

// partitionValue is what COPY says that a file's rows have in one of the columns it was partitioned by.
func partitionValue(keys duckdb.OrderedMap, column string) string {
	values := keys.Values()
	for i, k := range keys.Keys() {
		if v, ok := values[i].(string); ok && k == column && v != "" {
			return v
		}
	}
	return metastore.NullPartition
}

// partID is what the names of one write's files share.
func partID() string {
	return strings.TrimSuffix(strings.TrimPrefix(partName(""), "part-00000-"), "-c000")
}

// written reads what COPY says about its files.
func written(names []string, rows [][]any, by []string, id string) ([]hive.Written, error) {
	out := make([]hive.Written, len(rows))
	for i, r := range rows {
		for j, name := range names {
			switch name {
			case "filename":
				out[i].Path, _ = r[j].(string)
			case "count":
				out[i].Rows, _ = r[j].(int64)
			case "partition_keys":
				keys, _ := r[j].(duckdb.OrderedMap)
				for _, k := range by {
					out[i].Values = append(out[i].Values, partitionValue(keys, k))
				}
			}
		}
		if out[i].Path == "" {
			return nil, fmt.Errorf("COPY did not name its file")
		}
		out[i].Name = filepath.Base(out[i].Path)
		if len(by) > 0 {
			out[i].Name = fmt.Sprintf("part-%05d-%s.c000.snappy.parquet", i, id)
		}
	}
	return out, nil
}
