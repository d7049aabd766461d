package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
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
	run, err := s.preparedHiveInsert(ctx, a, st, id)
	if err != nil {
		return nil, err
	}
	return run()
}

// preparedHiveInsert analyzes INSERT into a table of spark_catalog; the result runs it.
func (s *Session) preparedHiveInsert(ctx context.Context, a *plan.Analyzer, st *sql.Insert, id hiveIdent) (func() (*Result, error), error) {
	t, err := s.hiveTable(ctx, id, st.Table)
	if err != nil {
		return nil, err
	}
	if st.ReplaceWhere != nil {
		return nil, errclass.WriteIntoV1(id.full())
	}
	for _, o := range st.Options {
		if st.Saved == nil || o.Key != "path" {
			return nil, errclass.UnsupportedOption(t.Format, o.Key)
		}
	}
	if err := checkStatic(t, st); err != nil {
		return nil, err
	}
	if st.Saved != nil {
		if err := s.checkSaved(ctx, a, t, st); err != nil {
			return nil, err
		}
	}
	if err := placeOfHive(t); err != nil {
		return nil, err
	}
	spec, err := s.constantTexts(ctx, a, t, st.Partition)
	if err != nil {
		return nil, err
	}
	byDefault, err := columnDefaults(t)
	if err != nil {
		return nil, err
	}
	if err := fillDefaults(st, t.Schema().Fields, byDefault); err != nil {
		return nil, err
	}
	n, err := a.InsertFilling(ctx, id.full(), t.Schema().Fields, byDefault, st)
	if err != nil {
		return nil, err
	}
	if st.Overwrite && readsHive(n, t.ID) {
		return nil, errclass.OverwriteOfSource(id.full())
	}
	// The location may be older than the check of it, or than the Iceberg table.
	if err := s.writable(t.Location(), st.Overwrite); err != nil {
		return nil, err
	}
	// Hive's own tables are overwritten as Hive does it: partition by partition.
	dynamic := st.Dynamic || strings.EqualFold(s.Conf("spark.sql.sources.partitionOverwriteMode"), "dynamic") || t.Provider == "hive" && len(t.Keys) > 0
	return func() (*Result, error) {
		rows, err := s.engine.Hive.Write(ctx, t, hive.Writing{Overwrite: st.Overwrite, Dynamic: dynamic, Static: spec, IfAbsent: st.IfNotExists}, s.producer(t, n))
		if hive.IsNoTable(err) { // any more
			return nil, errclass.TableNotFound(a.Dialect, names(a.Dialect, st.Table)).At(span(st.Table))
		}
		if err == nil {
			err = s.engine.Hive.ForgetStatistics(context.WithoutCancel(ctx), t.Database, t.Name)
		}
		if err != nil {
			return nil, err
		}
		return updated("INSERT", rows), nil
	}, nil
}

// checkStatic refuses a PARTITION clause of INSERT that names no keys of the table, or gives values to later ones only.
func checkStatic(t *hive.Table, st *sql.Insert) error {
	given := map[string]bool{}
	for _, p := range st.Partition {
		i := slices.IndexFunc(t.Keys, func(f types.Field) bool { return strings.EqualFold(f.Name, p.Name.Text) })
		if i < 0 {
			return errclass.PartitionNotFoundIn(p.Name.Text, tableName(t))
		}
		given[t.Keys[i].Name] = p.Value != nil
	}
	open := false
	for _, k := range t.Keys {
		if given[k.Name] && open {
			return errclass.PartitionOrder(keyNamesOf(t))
		}
		open = open || !given[k.Name]
	}
	return nil
}

// checkSaved refuses saveAsTable on a table of another format, width or partitioning.
func (s *Session) checkSaved(ctx context.Context, a *plan.Analyzer, t *hive.Table, st *sql.Insert) error {
	if st.Saved.Bucketed {
		return errclass.UnsupportedStatement(a.Dialect, bucketedAppend)
	}
	if f := st.Saved.Format; f != "" && !strings.EqualFold(f, t.Format) {
		return errclass.SavedFormat(tableName(t), t.Format, f)
	}
	for _, o := range st.Options { // the path
		path, err := s.userPlace(o.Value.(*sql.Literal).Text)
		if err != nil {
			return err
		}
		if path != t.Location() {
			return errclass.SavedLocation(tableName(t), t.Location(), path)
		}
	}
	n, err := a.Query(ctx, st.Query)
	if err != nil {
		return err
	}
	if got := SchemaOf(n); len(got.Fields) != len(t.Data)+len(t.Keys) {
		return errclass.SavedColumns(tableName(t), t.Schema(), got)
	}
	for _, f := range t.Schema().Fields {
		if !slices.ContainsFunc(SchemaOf(n).Fields, func(got types.Field) bool { return strings.EqualFold(got.Name, f.Name) }) {
			return errclass.SavedColumn(f.Name, SchemaOf(n))
		}
	}
	if keys := keyNamesOf(t); !slices.EqualFunc(keys, st.Saved.PartitionBy, strings.EqualFold) {
		return errclass.SavedPartitioning(tableName(t), st.Saved.PartitionBy, keys)
	}
	return nil
}

// readsHive reports whether a plan reads a table of spark_catalog.
func readsHive(n plan.Node, table int64) bool {
	found := false
	plan.Visit(n, func(n plan.Node) {
		if scan, ok := n.(*plan.Scan); ok {
			h, ok := scan.Source.(*hiveSource)
			found = found || ok && h.table.ID == table
		}
	})
	return found
}

// trimmedKeys has a plan's rows give the partition keys CHAR(n) without the spaces at their end: folders' names have none.
func trimmedKeys(t *hive.Table, n plan.Node) plan.Node {
	var items []plan.Item
	for i, c := range n.Output() {
		items = append(items, plan.NewItem(c.Name, reference(c)))
		if i < len(t.Data) {
			continue
		}
		if key := t.Keys[i-len(t.Data)]; key.Lengths != nil && key.Lengths.Kind == types.Char {
			items[i].X = functions.TrimChars(items[i].X)
		}
	}
	return &plan.Project{Items: items, Child: n}
}

// producer writes a plan's rows, the table's columns in their order, as files of its format.
func (s *Session) producer(t *hive.Table, n plan.Node) hive.Producer {
	n = trimmedKeys(t, n)
	if t.Format != "parquet" {
		return s.lineProducer(t, n)
	}
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
		compression, err := codec(t)
		if err != nil {
			return nil, err
		}
		extension := map[string]string{"gzip": ".gz", "uncompressed": ""}[compression] + ".parquet"
		if extension == ".parquet" && compression != "uncompressed" {
			extension = "." + compression + extension
		}
		to, options := filepath.Join(dir, "part-00000-"+id+"-c000"+extension), "FORMAT parquet, COMPRESSION "+compression+", RETURN_STATS"
		if len(by) > 0 {
			to = filepath.Join(dir, "partitions")
			options += ", PARTITION_BY (" + strings.Join(by, ", ") + "), FILENAME_PATTERN 'part-{i}'"
		}
		names, rows, err := s.db().Query(ctx, "COPY ("+query+") TO "+duck.String(to)+" ("+options+")")
		if err != nil {
			return nil, err
		}
		return written(names, rows, by, id+".c000"+extension)
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
func written(names []string, rows [][]any, by []string, suffix string) ([]hive.Written, error) {
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
			out[i].Name = fmt.Sprintf("part-%05d-%s", i, suffix)
		}
	}
	return out, nil
}
