package lake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// target says where rows are written, and how.
type target struct {
	location string
	schema   *iceberg.Schema
	spec     iceberg.PartitionSpec
	order    table.SortOrder
	props    iceberg.Properties
	by       string // a DuckDB ORDER BY list that goes before the table's order; empty: there is none
	lineage  bool   // the rows bring their row lineage along: two more columns, lineageFields
}

// target is where new rows of the table go.
func (m *metadata) target() target {
	return target{location: m.Location(), schema: m.CurrentSchema(), spec: m.PartitionSpec(), order: m.SortOrder(), props: m.Properties()}
}

// writeData writes a query's rows to Parquet files of a table, one for each partition: column i of the query becomes column i of the
// schema. A file keeps the query's order, or has the table's sort order. No rows make no file. When it returns the
// files are there, and last once the commit has flushed the small ones; their rows obey the schema's NOT NULLs. A failure leaves none.
func writeData(ctx context.Context, to target, query string, db DB) (data []iceberg.DataFile, err error) {
	how := writingOf(ctx)
	if how.Codec == "lz4" {
		return nil, errclass.TrinoCodec("LZ4")
	}
	to = to.as(how)
	if err := checkProperties(to.props); err != nil {
		return nil, err
	}
	if err := checkHollow(to.schema.Fields()); err != nil {
		return nil, err
	}
	w, err := newWriter(to, query)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(localPath(join(to.location, "data"))); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.remove()
		}
	}()
	columns, rows, err := db.Query(ctx, w.copySQL())
	if err != nil {
		return nil, err
	}
	if err := how.checkPartitions(len(rows)); err != nil && len(w.fields) > 0 {
		return nil, err
	}
	var written []map[string]any
	for _, r := range rows {
		stats := map[string]any{}
		for j, c := range columns {
			stats[c] = r[j]
		}
		if stats, err = w.sorted(ctx, stats, db); err != nil {
			return nil, err
		}
		parts, err := w.split(ctx, stats, db)
		if err != nil {
			return nil, err
		}
		written = append(written, parts...)
	}
	// Flushing a file to disk is waiting, so several are flushed at once.
	found := make([]iceberg.DataFile, len(written))
	w.files = make([]string, len(written))
	errs := make([]error, len(written))
	var group sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i, stats := range written {
		slots <- struct{}{}
		group.Go(func() {
			found[i], errs[i] = w.take(ctx, i, stats)
			<-slots
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, f := range found {
		if f != nil {
			data = append(data, f)
		}
	}
	w.files = slices.DeleteFunc(w.files, func(f string) bool { return f == "" })
	if err := w.finish(); err != nil {
		return nil, err
	}
	return data, checkNotNull(ctx, w.files, to.schema, db)
}

// writer writes one query's rows.
type writer struct {
	target
	rows   string   // the query with the table's columns, and those of the partition behind them
	ids    []string // FIELD_IDS
	fields []iceberg.PartitionField
	values []string  // the names of the partition's columns
	id     uuid.UUID // in every file's name
	path   string    // what DuckDB writes: a file, or the folder from which take moves files
	files  []string  // written, as local paths
	parts  []string  // of files that were split, until they are taken
}

// valueNames are the names under which the values of n partition fields leave DuckDB: names that no column of the table has, and short
// ones, for they are in the folders' names, to which a file system sets a limit.
func valueNames(n int, schema *iceberg.Schema) (names []string) {
	for i := int64(10); len(names) < n; i++ { // the letters come first
		name := strconv.FormatInt(i, 36)
		if !slices.ContainsFunc(schema.Fields(), func(f iceberg.NestedField) bool { return strings.EqualFold(f.Name, name) }) {
			names = append(names, name)
		}
	}
	return names
}

// partitionMark begins the text of every partition value, so that no text is taken for NULL, which is a folder's name to DuckDB.
const partitionMark = "."

func newWriter(to target, query string) (*writer, error) {
	fields := to.schema.Fields()
	if len(fields) == 0 {
		return nil, errclass.Unsupported("writing to a table without columns")
	}
	w := &writer{target: to, id: uuid.New()}
	items, names := make([]string, len(fields)), make([]string, len(fields))
	for i, f := range fields {
		d, err := duckType(f.Type)
		if err != nil {
			return nil, err
		}
		names[i] = fmt.Sprintf("c%d", i)
		items[i] = fmt.Sprintf("CAST(c%d AS %s) AS %s", i, d, quote(f.Name))
		w.ids = append(w.ids, quote(f.Name)+": "+fieldIDs(f.ID, f.Type))
	}
	if to.lineage {
		for _, f := range lineageFields() {
			names = append(names, quote(f.Name))
			items = append(items, "CAST("+quote(f.Name)+" AS BIGINT) AS "+quote(f.Name))
			w.ids = append(w.ids, quote(f.Name)+": "+fieldIDs(f.ID, f.Type))
		}
	}
	w.rows = fmt.Sprintf("SELECT %s FROM (%s) AS q(%s)", strings.Join(items, ", "), query, strings.Join(names, ", "))
	if w.by == "" {
		var err error
		if w.by, err = orderSQL(to.order, to.schema); err != nil {
			return nil, err
		}
	}
	data := localPath(join(to.location, "data"))
	w.path = filepath.Join(data, w.name(0))
	if to.spec.NumFields() == 0 {
		if w.by != "" {
			w.rows = "SELECT * FROM (" + w.rows + ") ORDER BY " + w.by
		}
		return w, nil
	}
	w.path = filepath.Join(data, w.id.String())
	w.values = valueNames(to.spec.NumFields(), to.schema)
	var values []string
	for i, f := range to.spec.Fields() {
		source, ok := to.schema.FindFieldByID(f.SourceID())
		if !ok {
			return nil, errclass.Validation("Cannot find source column for partition field: %s", f.String())
		}
		w.fields = append(w.fields, f)
		values = append(values, text(partitionMark)+" || "+partitionSQL(f.Transform, source.Type, columnSQL(to.schema, source.ID))+" AS "+quote(w.values[i]))
	}
	w.rows = fmt.Sprintf("SELECT *, %s FROM (%s)", strings.Join(values, ", "), w.rows)
	return w, nil
}

// columnSQL is a column of a row that has a schema's columns under their names.
func columnSQL(schema *iceberg.Schema, id int) string {
	var find func(fields []iceberg.NestedField, prefix string) string
	find = func(fields []iceberg.NestedField, prefix string) string {
		for _, f := range fields {
			if f.ID == id {
				return prefix + quote(f.Name)
			}
			if s, ok := f.Type.(*iceberg.StructType); ok {
				if x := find(s.FieldList, prefix+quote(f.Name)+"."); x != "" {
					return x
				}
			}
		}
		return ""
	}
	return find(schema.Fields(), "")
}

// orderSQL is a sort order's ORDER BY list; empty for an unsorted table.
func orderSQL(o table.SortOrder, schema *iceberg.Schema) (string, error) {
	var keys []string
	for _, f := range o.Fields() {
		source, ok := schema.FindFieldByID(f.SourceID())
		if !ok {
			return "", errclass.Validation("Cannot find source column for sort field: %s", f.String())
		}
		key := transformSQL(f.Transform, source.Type, columnSQL(schema, source.ID))
		if _, identity := f.Transform.(iceberg.IdentityTransform); identity {
			key = columnSQL(schema, source.ID)
		}
		keys = append(keys, key+" "+strings.ToUpper(string(f.Direction))+" "+strings.ToUpper(strings.ReplaceAll(string(f.NullOrder), "-", " ")))
	}
	return strings.Join(keys, ", "), nil
}

// name is the name of the n-th file.
func (w *writer) name(n int) string { return fmt.Sprintf("%05d-0-%s-00001.parquet", n, w.id) }

// codecs are the values of write.parquet.compression-codec that DuckDB has.
var codecs = map[string]string{"zstd": "zstd", "snappy": "snappy", "gzip": "gzip", "uncompressed": "uncompressed", "brotli": "brotli", "lz4": "lz4"}

func (w *writer) copySQL() string {
	options := w.options()
	if len(w.fields) > 0 {
		columns := make([]string, len(w.fields))
		for i := range w.fields {
			columns[i] = quote(w.values[i])
		}
		options += ", PARTITION_BY (" + strings.Join(columns, ", ") + ")"
	}
	return fmt.Sprintf("COPY (%s) TO %s (%s)", w.rows, text(w.path), options)
}

// sortSQL writes a partition's file once more, sorted: several threads fill it, so that DuckDB's PARTITION_BY keeps no order.
func (w *writer) sortSQL(from, to string) string {
	return fmt.Sprintf("COPY (SELECT * FROM read_parquet(%s, hive_partitioning = false) ORDER BY %s) TO %s (%s)", duckpath.Quote(from), w.by, text(to), w.options())
}

// options are COPY's for a data file.
func (w *writer) options() string {
	codec := codecs[strings.ToLower(w.props.Get("write.parquet.compression-codec", "zstd"))]
	if codec == "" {
		codec = "zstd"
	}
	if level := w.props.GetInt("write.parquet.compression-level", 0); codec == "zstd" && level != 0 {
		codec += fmt.Sprintf(", COMPRESSION_LEVEL %d", level)
	}
	return "FORMAT parquet, COMPRESSION " + codec + ", RETURN_STATS, FIELD_IDS {" + strings.Join(w.ids, ", ") + "}"
}

// sorted sorts the file of a partition, if the rows have an order. It returns the new file's statistics.
func (w *writer) sorted(ctx context.Context, stats map[string]any, db DB) (map[string]any, error) {
	local, ok := stats["filename"].(string)
	if !ok || w.by == "" || len(w.fields) == 0 || whole(stats["count"]) < 2 {
		return stats, nil
	}
	columns, rows, err := db.Query(ctx, w.sortSQL(local, local+".sorted"))
	if err != nil {
		return nil, err
	}
	next := map[string]any{"partition_keys": stats["partition_keys"]}
	for i, c := range columns {
		if c != "partition_keys" {
			next[c] = rows[0][i]
		}
	}
	return next, os.Remove(local)
}

// split cuts a file that has become much larger than the table's target size into several, in the order of its rows. It returns the
// statistics of what there is then.
func (w *writer) split(ctx context.Context, stats map[string]any, db DB) ([]map[string]any, error) {
	local, ok := stats["filename"].(string)
	size, rows, target := whole(stats["file_size_bytes"]), whole(stats["count"]), targetSize(w.props)
	if !ok || rows < 2 || size < target*3/2 {
		return []map[string]any{stats}, nil
	}
	n := min((size+target-1)/target, rows)
	var out []map[string]any
	for i := range n {
		part := fmt.Sprintf("%s.%d", local, i)
		columns, found, err := db.Query(ctx, fmt.Sprintf("COPY (SELECT * EXCLUDE (file_row_number) FROM read_parquet(%s, hive_partitioning = false, file_row_number = true) WHERE file_row_number >= %d AND file_row_number < %d ORDER BY file_row_number) TO %s (%s)",
			duckpath.Quote(local), rows*i/n, rows*(i+1)/n, text(part), w.options()))
		if err != nil {
			return nil, err
		}
		next := map[string]any{"partition_keys": stats["partition_keys"]}
		for j, c := range columns {
			if c != "partition_keys" {
				next[c] = found[0][j]
			}
		}
		w.parts = append(w.parts, part)
		out = append(out, next)
	}
	return out, os.Remove(local)
}

// take makes the n-th file that DuckDB wrote one of the table's; nil if it has no rows.
func (w *writer) take(ctx context.Context, n int, stats map[string]any) (iceberg.DataFile, error) {
	local, ok := stats["filename"].(string)
	if !ok {
		return nil, fmt.Errorf("COPY did not name its file")
	}
	if whole(stats["count"]) == 0 {
		return nil, os.Remove(local)
	}
	values, err := w.partition(entries(stats["partition_keys"]))
	if err != nil {
		return nil, err
	}
	reached("data file written")
	path := join(w.location, "data", partitionPath(&w.spec, w.schema, values), w.name(n))
	if to := localPath(path); to != local {
		if err := makeFolder(filepath.Dir(to)); err != nil {
			return nil, err
		}
		if err := os.Rename(local, to); err != nil {
			return nil, err
		}
		local = to
	}
	w.files[n] = local
	reached("data file in place")
	size, err := plainIntegers(ctx, local)
	if err != nil {
		return nil, err
	}
	stats["file_size_bytes"] = size
	if err := settle(ctx, local, size); err != nil {
		return nil, err
	}
	return dataFile(path, w.target, values, stats)
}

// partition reads the values that all rows of a file have in the partition's fields.
func (w *writer) partition(keys map[string]any) (map[int]any, error) {
	values := map[int]any{}
	for i, f := range w.fields {
		var s *string
		if v, ok := keys[w.values[i]].(string); ok {
			v = strings.TrimPrefix(v, partitionMark)
			s = &v
		}
		v, err := parsePartition(partitionType(w.schema, f), s)
		if err != nil {
			return nil, fmt.Errorf("partition field %s: %w", f.Name, err)
		}
		values[f.FieldID] = v
	}
	return values, nil
}

// finish removes the folder from which the files were taken.
func (w *writer) finish() error {
	if len(w.fields) == 0 {
		return nil
	}
	return os.RemoveAll(w.path)
}

// remove deletes all that was written.
func (w *writer) remove() {
	os.RemoveAll(w.path)
	removeAll(slices.DeleteFunc(slices.Concat(w.files, w.parts), func(f string) bool { return f == "" }))
}

// fieldIDs is COPY's FIELD_IDS entry for a column.
func fieldIDs(id int, t iceberg.Type) string {
	var inner []string
	add := func(name string, id int, t iceberg.Type) { inner = append(inner, quote(name)+": "+fieldIDs(id, t)) }
	switch t := t.(type) {
	case *iceberg.ListType:
		add("element", t.ElementID, t.Element)
	case *iceberg.MapType:
		add("key", t.KeyID, t.KeyType)
		add("value", t.ValueID, t.ValueType)
	case *iceberg.StructType:
		for _, f := range t.FieldList {
			add(f.Name, f.ID, f.Type)
		}
	default:
		return fmt.Sprint(id)
	}
	return fmt.Sprintf("{__duckdb_field_id: %d, %s}", id, strings.Join(inner, ", "))
}
