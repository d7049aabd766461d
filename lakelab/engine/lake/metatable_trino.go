package lake

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/types"
)

// The metadata tables as Trino has them ("Iceberg connector", "Metadata tables"): some have the columns of Spark's, others their own. Times
// have milliseconds and lie in UTC.

var trinoTables = map[string]func(context.Context, *Table) (types.Type, [][]any, error){
	"history":              snapshotTimes(historyTable),
	"snapshots":            snapshotTimes(snapshotsTable),
	"metadata_log_entries": snapshotTimes(metadataLogTable),
	"refs":                 refsTable,
	"properties":           trinoPropertiesTable,
	"files":                trinoFilesTable,
	"entries":              trinoEntriesTable((*Table).current),
	"all_entries":          trinoEntriesTable((*Table).all),
	"manifests":            trinoManifestsTable,
	"all_manifests":        trinoAllManifestsTable,
	"partitions":           trinoPartitionsTable,
}

// TrinoTable is one of a table's metadata tables in Trino's form; false if there is none of that name.
func (t *Table) TrinoTable(ctx context.Context, name string) (types.Type, [][]any, bool, error) {
	read := trinoTables[name]
	if read == nil {
		return types.Type{}, nil, false, nil
	}
	schema, rows, err := read(ctx, t)
	return schema, rows, true, err
}

// IsTrinoTable tells whether tables have a metadata table of that name in Trino.
func IsTrinoTable(name string) bool { return trinoTables[name] != nil }

// snapshotTimes gives a table's times their milliseconds and their zone.
func snapshotTimes(read func(context.Context, *Table) (types.Type, [][]any, error)) func(context.Context, *Table) (types.Type, [][]any, error) {
	return func(ctx context.Context, t *Table) (types.Type, [][]any, error) {
		schema, rows, err := read(ctx, t)
		for i, f := range schema.Fields {
			if f.Type.Kind == types.Timestamp {
				schema.Fields[i].Type = types.TemporalOf(types.Timestamp, 3).InZone("UTC")
			}
		}
		return schema, rows, err
	}
}

func trinoPropertiesTable(_ context.Context, t *Table) (types.Type, [][]any, error) {
	schema := types.StructOf(optional("key", types.String), optional("value", types.String))
	props := t.Properties()
	format := strings.ToUpper(props["write.format.default"])
	if format == "" {
		format = "PARQUET"
	}
	current := "none"
	if s := t.meta.CurrentSnapshot(); s != nil {
		current = strconv.FormatInt(s.SnapshotID, 10)
	}
	rows := [][]any{{"format", "iceberg/" + format}, {"provider", "iceberg"}, {"current-snapshot-id", current}, {"location", t.Location()}, {"format-version", t.FormatVersion()}}
	if order := t.SortOrder(); order != "" {
		rows = append(rows, []any{"sort-order", order})
	}
	for _, k := range slices.Sorted(maps.Keys(props)) {
		rows = append(rows, []any{k, props[k]})
	}
	return schema, rows, nil
}

// trinoFile are the columns of a file in `files` and in the column data_file of `entries`.
type trinoFile struct {
	*fileColumns
	fields []types.Field
}

func newTrinoFile(t *Table) *trinoFile {
	c := &trinoFile{fileColumns: newFileColumns(t)}
	c.fields = []types.Field{optional("content", types.Int), optional("file_path", types.String), optional("file_format", types.String), optional("spec_id", types.Int)}
	if len(c.partition) > 0 {
		c.fields = append(c.fields, c.schema.Fields[4])
	}
	c.fields = append(c.fields, optional("record_count", types.Long), optional("file_size_in_bytes", types.Long), mapOf("column_sizes", types.Long),
		mapOf("value_counts", types.Long), mapOf("null_value_counts", types.Long), mapOf("nan_value_counts", types.Long), mapOf("lower_bounds", types.String),
		mapOf("upper_bounds", types.String), optional("key_metadata", types.Binary), listOf("split_offsets", types.Long), listOf("equality_ids", types.Int),
		optional("sort_order_id", types.Int))
	return c
}

func (c *trinoFile) row(d iceberg.DataFile) []any {
	row := []any{int64(d.ContentType()), d.FilePath(), strings.ToUpper(string(d.FileFormat())), int64(d.SpecID())}
	if len(c.partition) > 0 {
		row = append(row, c.partitionRow(d))
	}
	return append(row, d.Count(), d.FileSizeBytes(), counts(d.ColumnSizes()), counts(d.ValueCounts()), counts(d.NullValueCounts()), counts(d.NaNValueCounts()),
		c.bounds(d.LowerBoundValues()), c.bounds(d.UpperBoundValues()), bytesOrNil(d.KeyMetadata()), list(d.SplitOffsets()), list(d.EqualityFieldIDs()), opt(d.SortOrderID(), asLong[int]))
}

// counts is a map of metrics by field id.
func counts(m map[int]int64) any {
	out := make([]types.Entry, 0, len(m))
	for _, id := range slices.Sorted(maps.Keys(m)) {
		out = append(out, types.Entry{Key: int64(id), Value: m[id]})
	}
	return out
}

// bounds are bounds by field id, as text.
func (c *trinoFile) bounds(m map[int][]byte) any {
	out := []types.Entry{}
	for _, id := range slices.Sorted(maps.Keys(m)) {
		if f, ok := c.t.meta.CurrentSchema().FindFieldByID(id); ok {
			out = append(out, types.Entry{Key: int64(id), Value: trinoBound(f.Type, boundValue(f.Type, m[id]))})
		}
	}
	return out
}

// trinoBound is a bound's text: that of Iceberg's identity transform.
func trinoBound(t iceberg.Type, v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	case types.Micros:
		text := isoTime(time.UnixMicro(int64(v)).UTC().Format("2006-01-02T15:04:05.000000"))
		if _, tz := t.(iceberg.TimestampTzType); tz {
			text += "+00:00"
		}
		return text
	case int64:
		if t.Equals(iceberg.PrimitiveTypes.Time) {
			return isoTime(time.UnixMicro(v).UTC().Format("15:04:05.000000"))
		}
	}
	return types.Text(typeOf(t), v, time.UTC)
}

// isoTime shortens a fraction of six digits as Java does: to none or three, if the rest are zeros.
func isoTime(text string) string {
	text = strings.TrimSuffix(text, "000")
	return strings.TrimSuffix(text, ".000")
}

// readableJSON are the metrics of a file's columns by name, as JSON.
func (c *trinoFile) readableJSON(d iceberg.DataFile) any {
	number := func(m map[int]int64, id int) string {
		if n, ok := m[id]; ok {
			return strconv.FormatInt(n, 10)
		}
		return "null"
	}
	bound := func(m map[int][]byte, f iceberg.NestedField) string {
		b, ok := m[f.ID]
		if !ok {
			return "null"
		}
		switch v := boundValue(f.Type, b).(type) {
		case bool:
			return strconv.FormatBool(v)
		case float64:
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				return types.Text(types.Of(types.Double), v, nil)
			}
			return strconv.Quote(types.Text(types.Of(types.Double), v, nil))
		case int64:
			if !f.Type.Equals(iceberg.PrimitiveTypes.Time) {
				return strconv.FormatInt(v, 10)
			}
			return strconv.Quote(fmt.Sprint(trinoBound(f.Type, v)))
		default:
			return strconv.Quote(fmt.Sprint(trinoBound(f.Type, v)))
		}
	}
	parts := make([]string, len(c.metrics))
	for i, f := range c.metrics {
		parts[i] = fmt.Sprintf(`%q:{"column_size":%s,"value_count":%s,"null_value_count":%s,"nan_value_count":%s,"lower_bound":%s,"upper_bound":%s}`, f.Name,
			number(d.ColumnSizes(), f.ID), number(d.ValueCounts(), f.ID), number(d.NullValueCounts(), f.ID), number(d.NaNValueCounts(), f.ID),
			bound(d.LowerBoundValues(), f), bound(d.UpperBoundValues(), f))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func trinoFilesTable(ctx context.Context, t *Table) (types.Type, [][]any, error) {
	c := newTrinoFile(t)
	schema := types.StructOf(append(slices.Clone(c.fields), optional("readable_metrics", types.JSON))...)
	l, err := t.current(ctx)
	if err != nil {
		return schema, nil, err
	}
	var rows [][]any
	for _, d := range bothOf(l) {
		rows = append(rows, append(c.row(d), c.readableJSON(d)))
	}
	return schema, rows, nil
}

func trinoEntriesTable(files lister) func(context.Context, *Table) (types.Type, [][]any, error) {
	return func(ctx context.Context, t *Table) (types.Type, [][]any, error) {
		c := newTrinoFile(t)
		schema := types.StructOf(optional("status", types.Int), optional("snapshot_id", types.Long), optional("sequence_number", types.Long),
			optional("file_sequence_number", types.Long), types.Field{Name: "data_file", Type: types.StructOf(c.fields...), Nullable: true}, optional("readable_metrics", types.JSON))
		l, err := files(t, ctx)
		if err != nil {
			return schema, nil, err
		}
		rows, err := t.entryRows(l, func(d iceberg.DataFile) []any { return []any{c.row(d), c.readableJSON(d)} })
		return schema, rows, err
	}
}

var trinoSummaries = types.Field{Name: "partition_summaries", Nullable: true, Type: types.ArrayOf(types.StructOf(optional("contains_null", types.Boolean),
	optional("contains_nan", types.Boolean), optional("lower_bound", types.String), optional("upper_bound", types.String)), true)}

func trinoManifestsTable(ctx context.Context, t *Table) (types.Type, [][]any, error) {
	schema := types.StructOf(optional("path", types.String), optional("length", types.Long), optional("partition_spec_id", types.Int), optional("added_snapshot_id", types.Long),
		optional("added_data_files_count", types.Int), optional("added_rows_count", types.Long), optional("existing_data_files_count", types.Int),
		optional("existing_rows_count", types.Long), optional("deleted_data_files_count", types.Int), optional("deleted_rows_count", types.Long), trinoSummaries)
	l, err := t.current(ctx)
	if err != nil {
		return schema, nil, err
	}
	c := newFileColumns(t)
	var rows [][]any
	for _, m := range l.manifests {
		rows = append(rows, []any{m.FilePath(), m.Length(), int64(m.PartitionSpecID()), m.SnapshotID(), int64(m.AddedDataFiles()), m.AddedRows(), int64(m.ExistingDataFiles()),
			m.ExistingRows(), int64(m.DeletedDataFiles()), m.DeletedRows(), c.trinoSummaries(m)})
	}
	return schema, rows, nil
}

// trinoSummaries are a manifest's partition bounds; a bound that is not there is the text null.
func (c *fileColumns) trinoSummaries(m iceberg.ManifestFile) []any {
	out := []any{}
	spec := c.t.meta.PartitionSpecByID(int(m.PartitionSpecID()))
	if spec == nil {
		return out
	}
	var fields []iceberg.PartitionField
	for _, f := range spec.Fields() {
		fields = append(fields, f)
	}
	for i, s := range m.Partitions() {
		if i >= len(fields) {
			break
		}
		bound := func(b *[]byte) any {
			if b == nil {
				return "null"
			}
			return c.human(fields[i], boundValue(c.resultType(fields[i]), *b))
		}
		out = append(out, []any{s.ContainsNull, opt(s.ContainsNaN, func(b bool) bool { return b }), bound(s.LowerBound), bound(s.UpperBound)})
	}
	return out
}

// human is a partition value as people write it: 2024-01 for a month.
func (c *fileColumns) human(f iceberg.PartitionField, v any) any {
	t := c.resultType(f)
	n, whole := v.(int64)
	switch f.Transform.(type) {
	case iceberg.YearTransform:
		if whole {
			return strconv.FormatInt(n+1970, 10)
		}
	case iceberg.MonthTransform:
		if whole {
			return time.Date(1970, time.Month(1+n), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
		}
	case iceberg.HourTransform:
		if whole {
			return time.Unix(n*3600, 0).UTC().Format("2006-01-02-15")
		}
	}
	return trinoBound(t, v)
}

func trinoAllManifestsTable(ctx context.Context, t *Table) (types.Type, [][]any, error) {
	schema, rows, err := allManifestsTable(ctx, t)
	for i, r := range rows { // without what a manifest holds
		rows[i] = r[1:]
	}
	return types.StructOf(schema.Fields[1:]...), rows, err
}

// trinoPartition is what `partitions` says of one partition.
type trinoPartition struct {
	values               []any
	records, files, size int64
	data                 []any // of each column: min, max, null_count, nan_count
}

func trinoPartitionsTable(ctx context.Context, t *Table) (types.Type, [][]any, error) {
	c := newFileColumns(t)
	var fields []types.Field
	identity := map[int]bool{} // columns whose values the partition says
	if len(c.partition) > 0 {
		fields = append(fields, c.schema.Fields[4])
		for _, f := range c.partition {
			if _, ok := f.Transform.(iceberg.IdentityTransform); ok {
				identity[f.SourceID()] = true
			}
		}
	}
	fields = append(fields, optional("record_count", types.Long), optional("file_count", types.Long), optional("total_size", types.Long))
	var columns []iceberg.NestedField
	var data []types.Field
	for _, f := range t.meta.CurrentSchema().Fields() {
		if _, nested := f.Type.(iceberg.NestedType); nested || identity[f.ID] {
			continue
		}
		columns = append(columns, f)
		bound := types.Field{Type: typeOf(f.Type), Nullable: true}
		lower, upper := bound, bound
		lower.Name, upper.Name = "min", "max"
		data = append(data, types.Field{Name: f.Name, Nullable: true, Type: types.StructOf(lower, upper, optional("null_count", types.Long), optional("nan_count", types.Long))})
	}
	if len(data) > 0 {
		fields = append(fields, types.Field{Name: "data", Type: types.StructOf(data...), Nullable: true})
	}
	schema := types.StructOf(fields...)
	l, err := t.current(ctx)
	if err != nil {
		return schema, nil, err
	}
	var parts []*trinoPartition
	at := map[string]*trinoPartition{}
	for _, d := range l.data {
		key := fmt.Sprintf("%#v", c.partitionRow(d))
		p := at[key]
		if p == nil {
			p = &trinoPartition{values: c.partitionRow(d), data: make([]any, len(columns))}
			for i := range p.data {
				p.data[i] = []any{nil, nil, nil, nil}
			}
			at[key], parts = p, append(parts, p)
		}
		p.add(d, columns)
	}
	var rows [][]any
	for _, p := range parts {
		var row []any
		if len(c.partition) > 0 {
			row = append(row, p.values)
		}
		row = append(row, p.records, p.files, p.size)
		if len(data) > 0 {
			row = append(row, p.data)
		}
		rows = append(rows, row)
	}
	return schema, rows, nil
}

// add counts a file in.
func (p *trinoPartition) add(d iceberg.DataFile, columns []iceberg.NestedField) {
	p.records, p.files, p.size = p.records+d.Count(), p.files+1, p.size+d.FileSizeBytes()
	for i, f := range columns {
		col := p.data[i].([]any)
		for n, m := range []map[int][]byte{d.LowerBoundValues(), d.UpperBoundValues()} {
			b, ok := m[f.ID]
			if !ok {
				continue
			}
			v := boundValue(f.Type, b)
			if o, ok := order(v, col[n]); col[n] == nil || ok && (n == 0 && o < 0 || n == 1 && o > 0) {
				col[n] = v
			}
		}
		for n, m := range []map[int]int64{d.NullValueCounts(), d.NaNValueCounts()} {
			if count, ok := m[f.ID]; ok && (n == 0 || count > 0) {
				before, _ := col[2+n].(int64)
				col[2+n] = before + count
			}
		}
	}
}
