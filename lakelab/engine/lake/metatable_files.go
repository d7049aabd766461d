package lake

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/types"
)

// The metadata tables that list files: files, data_files, delete_files, entries, manifests, partitions, and the all_… of them,
// which look at every snapshot instead of the current one.

// fileColumns is what Spark shows of a file.
type fileColumns struct {
	t         *Table
	schema    types.Type
	partition []iceberg.PartitionField // of all specs; empty: an unpartitioned table, which has no column partition
	metrics   []iceberg.NestedField    // the columns of readable_metrics by full name, sorted
	buckets   int                      // see byID
}

func mapOf(name string, value types.Kind) types.Field {
	return types.Field{Name: name, Type: types.MapOf(types.Of(types.Int), types.Of(value), false), Nullable: true}
}

func listOf(name string, k types.Kind) types.Field {
	return types.Field{Name: name, Type: types.ArrayOf(types.Of(k), false), Nullable: true}
}

func newFileColumns(t *Table) *fileColumns {
	c := &fileColumns{t: t, buckets: 1}
	fields := []types.Field{optional("content", types.Int), required("file_path", types.String), required("file_format", types.String), optional("spec_id", types.Int)}
	if p := c.partitionType(); len(p.Fields) > 0 {
		fields = append(fields, types.Field{Name: "partition", Type: p})
	}
	fields = append(fields, required("record_count", types.Long), required("file_size_in_bytes", types.Long),
		mapOf("column_sizes", types.Long), mapOf("value_counts", types.Long), mapOf("null_value_counts", types.Long), mapOf("nan_value_counts", types.Long),
		mapOf("lower_bounds", types.Binary), mapOf("upper_bounds", types.Binary), optional("key_metadata", types.Binary),
		listOf("split_offsets", types.Long), listOf("equality_ids", types.Int), optional("sort_order_id", types.Int), optional("first_row_id", types.Long),
		optional("referenced_data_file", types.String), optional("content_offset", types.Long), optional("content_size_in_bytes", types.Long))
	c.schema = types.StructOf(fields...)
	leaves("", t.meta.CurrentSchema().Fields(), &c.metrics)
	slices.SortFunc(c.metrics, func(a, b iceberg.NestedField) int { return strings.Compare(a.Name, b.Name) })
	return c
}

// leaves collects the primitive fields under their full names.
func leaves(prefix string, fields []iceberg.NestedField, out *[]iceberg.NestedField) {
	for _, f := range fields {
		f.Name = prefix + f.Name
		if n, ok := f.Type.(iceberg.NestedType); ok {
			leaves(f.Name+".", n.Fields(), out)
		} else {
			*out = append(*out, f)
		}
	}
}

// partitionType is the struct of all partition fields that the table's specs ever had.
func (c *fileColumns) partitionType() types.Type {
	seen := map[int]bool{}
	var fields []types.Field
	specs := c.t.meta.PartitionSpecs()
	slices.SortFunc(specs, func(a, b iceberg.PartitionSpec) int { return b.ID() - a.ID() }) // the newest spec's names win
	for _, spec := range specs {
		for _, f := range spec.Fields() {
			if !seen[f.FieldID] {
				seen[f.FieldID] = true
				c.partition = append(c.partition, f)
			}
		}
	}
	slices.SortFunc(c.partition, func(a, b iceberg.PartitionField) int { return a.FieldID - b.FieldID })
	for _, f := range c.partition {
		fields = append(fields, types.Field{Name: f.Name, Type: typeOf(c.resultType(f)), Nullable: true})
	}
	return types.StructOf(fields...)
}

// partitionStruct is that struct as Iceberg has it.
func (c *fileColumns) partitionStruct() *iceberg.StructType {
	out := &iceberg.StructType{}
	for _, p := range c.partition {
		out.FieldList = append(out.FieldList, iceberg.NestedField{ID: p.FieldID, Name: p.Name, Type: c.resultType(p)})
	}
	return out
}

// partitionLiteral is a value of it in DuckDB's SQL; NULL without partition fields.
func (c *fileColumns) partitionLiteral(values map[int]any) (string, error) {
	if len(c.partition) == 0 {
		return "NULL", nil
	}
	parts := make([]string, len(c.partition))
	for i, p := range c.partition {
		t := c.resultType(p)
		d, err := duckType(t)
		if err != nil {
			return "", err
		}
		parts[i] = quote(p.Name) + ": CAST(" + literal(t, values[p.FieldID]) + " AS " + d + ")"
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}

// resultType is the type of a partition field's values.
func (c *fileColumns) resultType(f iceberg.PartitionField) iceberg.Type {
	for _, s := range c.t.meta.newestFirst(c.t.meta.CurrentSchema()) {
		if t, ok := s.FindTypeByID(f.SourceID()); ok {
			return f.Transform.ResultType(t)
		}
	}
	return iceberg.PrimitiveTypes.String
}

func (c *fileColumns) partitionRow(d iceberg.DataFile) []any {
	values := d.Partition()
	row := make([]any, len(c.partition))
	for i, f := range c.partition {
		row[i] = value(c.resultType(f), values[f.FieldID])
	}
	return row
}

func (c *fileColumns) row(d iceberg.DataFile) []any {
	row := []any{int64(d.ContentType()), d.FilePath(), strings.ToUpper(string(d.FileFormat())), int64(d.SpecID())}
	if len(c.partition) > 0 {
		row = append(row, c.partitionRow(d))
	}
	return append(row, d.Count(), d.FileSizeBytes(), byID(d, d.ColumnSizes(), c.buckets), byID(d, d.ValueCounts(), c.buckets), byID(d, d.NullValueCounts(), c.buckets), byID(d, d.NaNValueCounts(), c.buckets),
		byID(d, d.LowerBoundValues(), c.buckets), byID(d, d.UpperBoundValues(), c.buckets), bytesOrNil(d.KeyMetadata()), list(d.SplitOffsets()), list(d.EqualityFieldIDs()),
		opt(d.SortOrderID(), asLong[int]), opt(d.FirstRowID(), asLong[int64]), opt(d.ReferencedDataFile(), func(s string) string { return s }),
		opt(d.ContentOffset(), asLong[int64]), opt(d.ContentSizeInBytes(), asLong[int64]))
}

// readable is the column readable_metrics: the metrics with columns by name and bounds as values.
func (c *fileColumns) readable() types.Field {
	var fields []types.Field
	for _, f := range c.metrics {
		t := typeOf(f.Type)
		fields = append(fields, types.Field{Name: f.Name, Nullable: true, Type: types.StructOf(optional("column_size", types.Long), optional("value_count", types.Long),
			optional("null_value_count", types.Long), optional("nan_value_count", types.Long),
			types.Field{Name: "lower_bound", Type: t, Nullable: true}, types.Field{Name: "upper_bound", Type: t, Nullable: true})})
	}
	return types.Field{Name: "readable_metrics", Type: types.StructOf(fields...), Nullable: true}
}

func (c *fileColumns) readableRow(d iceberg.DataFile) []any {
	count := func(m map[int]int64, id int) any {
		if n, ok := m[id]; ok {
			return n
		}
		return nil
	}
	bound := func(m map[int][]byte, f iceberg.NestedField) any {
		b, ok := m[f.ID]
		if !ok {
			return nil
		}
		return boundValue(f.Type, b)
	}
	sizes, values, nulls, nans, lower, upper := d.ColumnSizes(), d.ValueCounts(), d.NullValueCounts(), d.NaNValueCounts(), d.LowerBoundValues(), d.UpperBoundValues()
	row := make([]any, len(c.metrics))
	for i, f := range c.metrics {
		row[i] = []any{count(sizes, f.ID), count(values, f.ID), count(nulls, f.ID), count(nans, f.ID), bound(lower, f), bound(upper, f)}
	}
	return row
}

// boundValue is a bound's bytes as a value; a bound written before its column was widened has the narrow type's bytes.
func boundValue(t iceberg.Type, b []byte) any {
	written := t
	if len(b) == 4 {
		switch t.(type) {
		case iceberg.Int64Type:
			written = iceberg.PrimitiveTypes.Int32
		case iceberg.Float64Type:
			written = iceberg.PrimitiveTypes.Float32
		}
	}
	switch written.(type) {
	case iceberg.Int32Type, iceberg.Float32Type:
		if len(b) != 4 { // of a time when the column was wider
			return nil
		}
	}
	lit, err := iceberg.LiteralFromBytes(written, b)
	if err != nil {
		return nil
	}
	v := value(written, lit.Any())
	if f, ok := v.(float32); ok && !written.Equals(t) {
		return float64(f)
	}
	return v
}

// value turns iceberg-go's value of a type into ours.
func value(t iceberg.Type, v any) any {
	switch v := v.(type) {
	case int32:
		if t.Equals(iceberg.PrimitiveTypes.Date) {
			return types.Days(v)
		}
		return int64(v)
	case int:
		return int64(v)
	case int64:
		if t.Equals(iceberg.PrimitiveTypes.Timestamp) || t.Equals(iceberg.PrimitiveTypes.TimestampTz) {
			return types.Micros(v)
		}
		return v
	case iceberg.Date:
		return types.Days(v)
	case iceberg.Time:
		return int64(v)
	case iceberg.Timestamp:
		return types.Micros(v)
	case time.Time:
		if t.Equals(iceberg.PrimitiveTypes.Date) {
			return types.Days(v.Unix() / 86400)
		}
		return types.Micros(v.UnixMicro())
	case uuid.UUID:
		return v.String()
	case float32:
		if t.Equals(iceberg.PrimitiveTypes.Float64) { // a partition of the time when the column was FLOAT
			return float64(v)
		}
	case iceberg.Decimal:
		return decimal(decimal128.Num(v.Val).BigInt(), v.Scale)
	case iceberg.DecimalLiteral: // so manifests give it
		return decimal(decimal128.Num(v.Val).BigInt(), v.Scale)
	}
	return v // bool, float32, float64, string, []byte, nil
}

// decimal writes an unscaled number with its decimal point.
func decimal(n *big.Int, scale int) types.Dec {
	s, sign := n.String(), ""
	if rest, neg := strings.CutPrefix(s, "-"); neg {
		s, sign = rest, "-"
	}
	if scale <= 0 {
		return types.Dec(sign + s)
	}
	if len(s) <= scale {
		s = strings.Repeat("0", scale-len(s)+1) + s
	}
	return types.Dec(sign + s[:len(s)-scale] + "." + s[len(s)-scale:])
}

// byID is a map of metrics by field id in the order in which Spark shows it: that of Java's HashMap, in which Iceberg reads it. Delete
// files have no metrics of most kinds, which is NULL; data files have empty maps then. buckets is the least the map has: in entries, Java's
// default of 16.
func byID[V any](d iceberg.DataFile, m map[int]V, buckets int) any {
	if len(m) == 0 && d.ContentType() != iceberg.EntryContentData {
		return nil
	}
	for size := hashMapSize(len(m)); buckets < size; {
		buckets *= 2
	}
	bucket := func(id int) int { return (id ^ id>>16) & (buckets - 1) }
	out := make([]types.Entry, 0, len(m))
	for _, id := range slices.SortedFunc(maps.Keys(m), func(a, b int) int { return cmp.Or(bucket(a)-bucket(b), a-b) }) {
		out = append(out, types.Entry{Key: int64(id), Value: m[id]})
	}
	return out
}

// hashMapSize is how many buckets Java asks for to hold n entries.
func hashMapSize(n int) int {
	if n < 3 {
		return n + 1
	}
	return (n*4 + 2) / 3
}

func bytesOrNil(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}

func list[T int | int64](v []T) any {
	if len(v) == 0 {
		return nil
	}
	out := make([]any, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return out
}

// current lists the current snapshot's files, or those of the snapshot that the metadata table is read at; nothing if there is none.
func (t *Table) current(ctx context.Context) (*fileList, error) {
	s := t.meta.CurrentSnapshot()
	if t.at != nil {
		s = t.meta.SnapshotByID(t.at.ID)
	}
	return t.lake.cache.fileList(ctx, t.meta, s)
}

// all lists the files of every snapshot, each manifest once: a file that several manifests list comes several times.
func (t *Table) all(ctx context.Context) (*fileList, error) {
	out, seen := &fileList{}, map[string]bool{}
	for _, s := range t.meta.Snapshots() {
		l, err := t.lake.cache.fileList(ctx, t.meta, &s)
		if err != nil {
			return nil, err
		}
		for _, m := range l.manifests {
			if seen[m.FilePath()] {
				continue
			}
			seen[m.FilePath()] = true
			out.manifests = append(out.manifests, m)
			entries, err := t.lake.cache.manifest(m)
			if err != nil {
				return nil, err
			}
			out.add(entries)
		}
	}
	return out, nil
}

type lister func(*Table, context.Context) (*fileList, error)

func filesTable(files lister, pick func(*fileList) []iceberg.DataFile) func(context.Context, *Table) (types.Type, [][]any, error) {
	return func(ctx context.Context, t *Table) (types.Type, [][]any, error) {
		l, err := files(t, ctx)
		if err != nil {
			return types.Type{}, nil, err
		}
		c := newFileColumns(t)
		var rows [][]any
		for _, d := range pick(l) {
			rows = append(rows, append(c.row(d), c.readableRow(d)))
		}
		return types.StructOf(append(slices.Clone(c.schema.Fields), c.readable())...), rows, nil
	}
}

func dataOf(l *fileList) []iceberg.DataFile    { return l.data }
func deletesOf(l *fileList) []iceberg.DataFile { return l.deletes }
func bothOf(l *fileList) []iceberg.DataFile    { return slices.Concat(l.data, l.deletes) }

func entriesTable(files lister) func(context.Context, *Table) (types.Type, [][]any, error) {
	return func(ctx context.Context, t *Table) (types.Type, [][]any, error) {
		c := newFileColumns(t)
		c.buckets = 16
		schema := types.StructOf(required("status", types.Int), optional("snapshot_id", types.Long), optional("sequence_number", types.Long),
			optional("file_sequence_number", types.Long), types.Field{Name: "data_file", Type: c.schema}, c.readable())
		l, err := files(t, ctx)
		if err != nil {
			return schema, nil, err
		}
		rows, err := t.entryRows(l, func(d iceberg.DataFile) []any { return []any{c.row(d), c.readableRow(d)} })
		return schema, rows, err
	}
}

// entryRows are the rows of a table of manifests' entries: what an entry says, and then what file says of its file.
func (t *Table) entryRows(l *fileList, file func(iceberg.DataFile) []any) ([][]any, error) {
	var rows [][]any
	for _, m := range l.manifests {
		entries, err := t.lake.cache.manifest(m)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			row := []any{int64(e.Status()), e.SnapshotID(), e.SequenceNum(), opt(e.FileSequenceNum(), asLong[int64])}
			rows = append(rows, append(row, file(e.DataFile())...))
		}
	}
	return rows, nil
}

var manifestSchema = []types.Field{required("content", types.Int), required("path", types.String), required("length", types.Long),
	required("partition_spec_id", types.Int), required("added_snapshot_id", types.Long), required("added_data_files_count", types.Int),
	required("existing_data_files_count", types.Int), required("deleted_data_files_count", types.Int), required("added_delete_files_count", types.Int),
	required("existing_delete_files_count", types.Int), required("deleted_delete_files_count", types.Int),
	{Name: "partition_summaries", Type: types.ArrayOf(types.StructOf(required("contains_null", types.Boolean), optional("contains_nan", types.Boolean),
		optional("lower_bound", types.String), optional("upper_bound", types.String)), false)}}

func manifestsTable(ctx context.Context, t *Table) (types.Type, [][]any, error) {
	l, err := t.current(ctx)
	if err != nil {
		return types.Type{}, nil, err
	}
	var rows [][]any
	for _, m := range l.manifests {
		rows = append(rows, newFileColumns(t).manifestRow(m))
	}
	return types.StructOf(manifestSchema...), rows, nil
}

func allManifestsTable(ctx context.Context, t *Table) (types.Type, [][]any, error) {
	schema := types.StructOf(append(slices.Clone(manifestSchema), required("reference_snapshot_id", types.Long))...)
	var rows [][]any
	for _, s := range t.meta.Snapshots() {
		l, err := t.lake.cache.fileList(ctx, t.meta, &s)
		if err != nil {
			return schema, nil, err
		}
		for _, m := range l.manifests {
			rows = append(rows, append(newFileColumns(t).manifestRow(m), s.SnapshotID))
		}
	}
	return schema, rows, nil
}

func (c *fileColumns) manifestRow(m iceberg.ManifestFile) []any {
	counts := []any{int64(m.AddedDataFiles()), int64(m.ExistingDataFiles()), int64(m.DeletedDataFiles())}
	none := []any{int64(0), int64(0), int64(0)}
	row := []any{int64(m.ManifestContent()), m.FilePath(), m.Length(), int64(m.PartitionSpecID()), m.SnapshotID()}
	if m.ManifestContent() == iceberg.ManifestContentData {
		row = append(append(row, counts...), none...)
	} else {
		row = append(append(row, none...), counts...)
	}
	summaries := []any{}
	if spec := c.t.meta.PartitionSpecByID(int(m.PartitionSpecID())); spec != nil {
		var fields []iceberg.PartitionField
		for _, f := range spec.Fields() {
			fields = append(fields, f)
		}
		for i, s := range m.Partitions() {
			if i < len(fields) {
				t := c.resultType(fields[i])
				summaries = append(summaries, []any{s.ContainsNull, opt(s.ContainsNaN, func(b bool) bool { return b }), boundText(t, s.LowerBound), boundText(t, s.UpperBound)})
			}
		}
	}
	return append(row, summaries)
}

// boundText is a partition bound as text.
func boundText(t iceberg.Type, b *[]byte) any {
	if b == nil {
		return nil
	}
	return types.Text(typeOf(t), boundValue(t, *b), time.UTC)
}

func partitionsTable(ctx context.Context, t *Table) (types.Type, [][]any, error) {
	c := newFileColumns(t)
	var fields []types.Field
	if len(c.partition) > 0 {
		fields = append(fields, c.schema.Fields[4], required("spec_id", types.Int))
	}
	first := len(fields)
	fields = append(fields, required("record_count", types.Long), required("file_count", types.Int), required("total_data_file_size_in_bytes", types.Long),
		required("position_delete_record_count", types.Long), required("position_delete_file_count", types.Int),
		required("equality_delete_record_count", types.Long), required("equality_delete_file_count", types.Int),
		optional("last_updated_at", types.Timestamp), optional("last_updated_snapshot_id", types.Long))
	schema := types.StructOf(fields...)
	l, err := t.current(ctx)
	if err != nil {
		return schema, nil, err
	}
	counts, err := c.countPartitions(l.manifests, false)
	if err != nil {
		return schema, nil, err
	}
	var rows [][]any
	for _, n := range counts {
		var row []any
		if first > 0 {
			row = append(row, n.partition, int64(n.spec))
		}
		row = append(row, n.records, n.files, n.size, n.positions, n.positionFiles+n.vectors, n.equalities, n.equalityFiles, nil, nil)
		if n.updated != nil {
			row[len(row)-2], row[len(row)-1] = micros(n.updated.TimestampMs), n.updated.SnapshotID
		}
		rows = append(rows, row)
	}
	return schema, rows, nil
}

// partitionCount is what a snapshot has in one partition.
type partitionCount struct {
	partition                                                                          []any // its values, of all fields that the table's specs ever had
	key                                                                                iceberg.DataFile
	spec                                                                               int32 // of its files; the newest one, if they have several
	records, files, size, positions, positionFiles, vectors, equalities, equalityFiles int64
	updated                                                                            *table.Snapshot // the last one that touched it; nil: it is not known
}

// touch notes that a snapshot has changed a partition.
func (n *partitionCount) touch(s *table.Snapshot) {
	if s != nil && (n.updated == nil || n.updated.TimestampMs < s.TimestampMs) {
		n.updated = s
	}
}

// countPartitions counts by partition the live files of manifests, in the order in which partitions come; each spec's apart if bySpec says so.
func (c *fileColumns) countPartitions(manifests []iceberg.ManifestFile, bySpec bool) ([]*partitionCount, error) {
	var counts []*partitionCount
	of := map[string]*partitionCount{}
	for _, m := range manifests {
		entries, err := c.t.lake.cache.manifest(m)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			d := e.DataFile()
			if e.Status() == iceberg.EntryStatusDELETED {
				continue
			}
			key := c.partitionKey(d, bySpec)
			n := of[key]
			if n == nil {
				n = &partitionCount{partition: c.partitionRow(d), key: d}
				of[key], counts = n, append(counts, n)
			}
			n.spec = max(n.spec, d.SpecID())
			switch {
			case d.ContentType() == iceberg.EntryContentData:
				n.records, n.files, n.size = n.records+d.Count(), n.files+1, n.size+d.FileSizeBytes()
			case d.ContentType() == iceberg.EntryContentEqDeletes:
				n.equalities, n.equalityFiles = n.equalities+d.Count(), n.equalityFiles+1
			case isVector(d):
				n.positions, n.vectors = n.positions+d.Count(), n.vectors+1
			default:
				n.positions, n.positionFiles = n.positions+d.Count(), n.positionFiles+1
			}
			n.touch(c.t.meta.SnapshotByID(e.SnapshotID()))
		}
	}
	return counts, nil
}

// partitionKey is equal for files of one partition, and of one spec if bySpec says so.
func (c *fileColumns) partitionKey(d iceberg.DataFile, bySpec bool) string {
	key := fmt.Sprintf("%#v", c.partitionRow(d))
	if bySpec {
		key += fmt.Sprint(" ", d.SpecID())
	}
	return key
}
