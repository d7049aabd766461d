package lake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/puffin"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// distinctBatch is about how many different values are held at a time while a column's are counted.
const distinctBatch = 500_000

// ComputeStats writes how many different values columns have (none given: all that are not nested) in a snapshot (nil: the current one) to
// a statistics file, and registers it with the table (Iceberg's procedure compute_table_stats). It returns the file; empty without a snapshot.
func (l *Lakehouse) ComputeStats(ctx context.Context, t *Table, snapshot *int64, columns []string, db DB) (string, error) {
	s, err := t.snapshotOr(snapshot)
	if s == nil {
		return "", err
	}
	at := &Snapshot{ID: s.SnapshotID}
	schema := t.schemaAt(at)
	fields, err := statsColumns(schema, columns)
	if err != nil {
		return "", err
	}
	var file bytes.Buffer
	w, err := puffin.NewWriter(&file)
	if err != nil {
		return "", err
	}
	stats := table.StatisticsFile{SnapshotID: s.SnapshotID}
	for _, f := range fields {
		sketch, err := t.distinct(ctx, at, f, db)
		if err != nil {
			return "", err
		}
		blob := puffin.BlobMetadataInput{Type: puffin.BlobTypeDataSketchesTheta, SnapshotID: s.SnapshotID, SequenceNumber: s.SequenceNumber,
			Fields: []int32{int32(f.ID)}, Properties: map[string]string{"ndv": strconv.FormatInt(sketch.estimate(), 10)}}
		if _, err := w.AddBlob(blob, sketch.bytes()); err != nil {
			return "", err
		}
		stats.BlobMetadata = append(stats.BlobMetadata, table.BlobMetadata{Type: table.BlobType(blob.Type), SnapshotID: blob.SnapshotID,
			SequenceNumber: blob.SequenceNumber, Fields: blob.Fields, Properties: blob.Properties})
	}
	blobs := file.Len()
	if err := w.Finish(); err != nil {
		return "", err
	}
	stats.StatisticsPath = join(t.meta.Location(), "metadata", fmt.Sprintf("%d-%s.stats", s.SnapshotID, uuid.New()))
	stats.FileSizeInBytes, stats.FileFooterSizeInBytes = int64(file.Len()), int64(file.Len()-blobs)
	if err := (writeFS{}).WriteFile(stats.StatisticsPath, file.Bytes()); err != nil {
		return "", err
	}
	if err := flushAll(stats.StatisticsPath); err != nil {
		return "", err
	}
	err = l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		if a.base.SnapshotByID(s.SnapshotID) == nil {
			return errclass.Validation("Snapshot not found: %d", s.SnapshotID)
		}
		return b.SetStatistics(stats)
	})
	if err != nil {
		if !errors.Is(err, errUnknownOutcome) {
			removeAll([]string{stats.StatisticsPath})
		}
		return "", err
	}
	return stats.StatisticsPath, nil
}

// snapshotOr is the snapshot of an id, or the current one; nil if the table has none.
func (t *Table) snapshotOr(id *int64) (*table.Snapshot, error) {
	if id == nil {
		return t.meta.CurrentSnapshot(), nil
	}
	s := t.meta.SnapshotByID(*id)
	if s == nil {
		return nil, errclass.IllegalArgument(fmt.Sprintf("Snapshot not found: %d", *id))
	}
	return s, nil
}

// statsColumns are the columns whose values are counted.
func statsColumns(schema *iceberg.Schema, columns []string) ([]iceberg.NestedField, error) {
	var out []iceberg.NestedField
	if len(columns) == 0 {
		for _, f := range schema.Fields() {
			if _, nested := f.Type.(iceberg.NestedType); !nested {
				out = append(out, f)
			}
		}
		return out, nil
	}
	for _, c := range columns {
		f, ok := schema.FindFieldByName(c)
		if !ok {
			return nil, errclass.IllegalArgument(fmt.Sprintf("Can't find column %s in %s", c, schemaText(schema)))
		}
		if _, nested := f.Type.(iceberg.NestedType); nested {
			return nil, errclass.IllegalArgument(fmt.Sprintf("Can't compute stats on non-primitive type column: %s (%s)", c, f.Type))
		}
		out = append(out, f)
	}
	return out, nil
}

// distinct puts a column's values into a sketch, as the bytes that Iceberg gives single values.
func (t *Table) distinct(ctx context.Context, at *Snapshot, f iceberg.NestedField, db DB) (*theta, error) {
	sketch := newTheta()
	top, path, err := t.meta.keyColumn(t.schemaAt(at), f.ID)
	if err != nil {
		return nil, err
	}
	scan, err := t.ScanSQL(ctx, at, []string{top.Name}, nil)
	if err != nil {
		return nil, err
	}
	x := keySQL(quote(top.Name), path)
	_, rows, err := db.Query(ctx, fmt.Sprintf("SELECT approx_count_distinct(%s) FROM (%s)", x, scan))
	if err != nil {
		return nil, err
	}
	batches := whole(rows[0][0])/distinctBatch + 1
	value := partitionSQL(iceberg.IdentityTransform{}, f.Type, x)
	for i := range batches {
		_, rows, err := db.Query(ctx, fmt.Sprintf("SELECT DISTINCT %s FROM (%s) WHERE %s IS NOT NULL AND hash(%s) %% %d = %d", value, scan, x, x, batches, i))
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			s, _ := r[0].(string)
			b, err := singleValue(f.Type, s)
			if err != nil {
				return nil, fmt.Errorf("the value %q of %s: %w", s, f.Name, err)
			}
			sketch.add(b)
		}
	}
	return sketch, nil
}

// singleValue is a value, as partitionSQL prints it, in Iceberg's binary form for single values.
func singleValue(t iceberg.Type, s string) ([]byte, error) {
	v, err := parsePartition(t, &s)
	if err != nil {
		return nil, err
	}
	var lit iceberg.Literal
	switch v := v.(type) {
	case bool:
		lit = iceberg.NewLiteral(v)
	case int32:
		lit = iceberg.NewLiteral(v)
	case int64:
		lit = iceberg.NewLiteral(v)
	case float32:
		lit = iceberg.NewLiteral(v)
	case float64:
		lit = iceberg.NewLiteral(v)
	case iceberg.Date:
		lit = iceberg.NewLiteral(v)
	case iceberg.Time:
		lit = iceberg.NewLiteral(v)
	case iceberg.Timestamp:
		lit = iceberg.NewLiteral(v)
	case iceberg.Decimal:
		lit = iceberg.NewLiteral(v)
	case uuid.UUID:
		lit = iceberg.NewLiteral(v)
	case []byte:
		return v, nil
	case string:
		return []byte(v), nil
	default:
		return nil, fmt.Errorf("no binary form of a %T", v)
	}
	return lit.MarshalBinary()
}

// schemaText is a schema as Java prints it.
func schemaText(s *iceberg.Schema) string {
	var b strings.Builder
	b.WriteString("table {\n")
	for _, f := range s.Fields() {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	return b.String() + "}"
}
