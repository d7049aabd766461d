package lake

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/types"
)

// Hidden columns: every table has them, * leaves them out (Iceberg's "Reserved Field IDs").
const (
	FileColumn      = "_file"      // the data file that a row is in
	PositionColumn  = "_pos"       // the row's place in it
	SpecColumn      = "_spec_id"   // the partition spec that the file was written under
	PartitionColumn = "_partition" // the file's partition, as a struct of all fields that the table's specs ever had
	// DeletedColumn says whether delete files delete the row: who asks for it gets deleted rows, too.
	DeletedColumn = "_deleted"
	// Row lineage, of tables of format v3 only.
	RowIDColumn    = "_row_id"                       // the row's number in the table, which it keeps when it is changed or moved
	SequenceColumn = "_last_updated_sequence_number" // of the commit that last changed the row
)

// The hidden columns' field ids.
const (
	fileColumnID     = 2147483646
	positionColumnID = 2147483645
	deletedColumn    = 2147483644
	specColumn       = 2147483643
	partitionColumns = 2147483642
	rowIDColumn      = 2147483540
	sequenceColumn   = 2147483539
)

// isLineage reports whether a field id is that of a column of row lineage.
func isLineage(id int) bool { return id == rowIDColumn || id == sequenceColumn }

// lineageVersion is the format version that brought row lineage and deletion vectors.
const lineageVersion = 3

// MentionsHidden reports whether a text may name a hidden column.
func MentionsHidden(text string) bool {
	for _, n := range []string{FileColumn, PositionColumn, SpecColumn, PartitionColumn, DeletedColumn, RowIDColumn, SequenceColumn} {
		if strings.Contains(text, n) {
			return true
		}
	}
	return false
}

// ReservedNames are the table's columns that have the name of a hidden one: Iceberg lets them be made, but not be read.
func (t *Table) ReservedNames() []string {
	var out []string
	for _, f := range t.schema.Fields {
		if slices.Contains([]string{FileColumn, PositionColumn, SpecColumn, PartitionColumn, DeletedColumn}, f.Name) {
			out = append(out, f.Name)
		}
	}
	return out
}

// Trino's hidden columns.
const (
	trinoPathID = -1 - iota
	trinoModifiedID
	trinoPartitionID
)

// TrinoHidden are the table's hidden columns by Trino's names: the file of a row, when it was written, and the path of its partition.
func (t *Table) TrinoHidden() []types.Field {
	out := structOf(trinoHidden).Fields
	out[1].Type = types.TemporalOf(types.Timestamp, 3).InZone("UTC")
	return out
}

var trinoHidden = []iceberg.NestedField{
	{ID: trinoPathID, Name: "$path", Type: iceberg.PrimitiveTypes.String, Required: true},
	{ID: trinoModifiedID, Name: "$file_modified_time", Type: iceberg.PrimitiveTypes.TimestampTz, Required: true},
	{ID: trinoPartitionID, Name: "$partition", Type: iceberg.PrimitiveTypes.String, Required: true},
}

// Hidden are the table's hidden columns.
func (t *Table) Hidden() []types.Field { return structOf(t.hidden()).Fields }

func (t *Table) hidden() []iceberg.NestedField {
	c := &fileColumns{t: t}
	c.partitionType()
	hidden := []iceberg.NestedField{
		{ID: specColumn, Name: SpecColumn, Type: iceberg.PrimitiveTypes.Int32, Required: true},
		{ID: partitionColumns, Name: PartitionColumn, Type: c.partitionStruct(), Required: true},
		{ID: fileColumnID, Name: FileColumn, Type: iceberg.PrimitiveTypes.String, Required: true},
		{ID: positionColumnID, Name: PositionColumn, Type: iceberg.PrimitiveTypes.Int64, Required: true},
	}
	if t.meta.Version() >= lineageVersion {
		hidden = append(hidden, lineageFields()...)
	}
	return append(hidden, iceberg.NestedField{ID: deletedColumn, Name: DeletedColumn, Type: iceberg.PrimitiveTypes.Bool, Required: true})
}

// lineageFields are the columns of row lineage.
func lineageFields() []iceberg.NestedField {
	return []iceberg.NestedField{
		{ID: rowIDColumn, Name: RowIDColumn, Type: iceberg.PrimitiveTypes.Int64},
		{ID: sequenceColumn, Name: SequenceColumn, Type: iceberg.PrimitiveTypes.Int64},
	}
}

// hiddenSQL is how a scan selects a hidden column; empty for any other.
func hiddenSQL(id int) string {
	switch id {
	case fileColumnID:
		return shownSQL("t." + quote(fileColumn))
	case positionColumnID:
		return "t.file_row_number"
	case deletedColumn:
		return "false" // unless positions are deleted: see fileGroup.sql
	case specColumn:
		return "f.spec"
	case partitionColumns:
		return "f.partition"
	case trinoPathID:
		return "f.file"
	case trinoModifiedID:
		return "make_timestamptz(f.modified)"
	case trinoPartitionID:
		return "f.partition_path"
	case rowIDColumn:
		return "coalesce(t." + quote(RowIDColumn) + ", f.first_row + t.file_row_number)"
	case sequenceColumn:
		return "coalesce(t." + quote(SequenceColumn) + ", f.sequence)"
	}
	return ""
}

// describeFiles is a relation with what is known of each data file, by the path under which DuckDB knows it; its sequence number only if
// sequences are given.
func (t *Table) describeFiles(files []iceberg.DataFile, sequences map[string]int64) (string, error) {
	c := &fileColumns{t: t}
	c.partitionType()
	var rows []string
	seen := map[string]bool{} // add_files may have taken in a file twice
	for _, f := range files {
		if seen[f.FilePath()] {
			continue
		}
		seen[f.FilePath()] = true
		values := f.Partition()
		partition, err := c.partitionLiteral(values)
		if err != nil {
			return "", err
		}
		folder, modified := "", int64(0)
		if spec := t.meta.PartitionSpecByID(int(f.SpecID())); spec != nil {
			folder = partitionPath(spec, t.meta.CurrentSchema(), values)
		}
		if info, err := os.Stat(localPath(f.FilePath())); err == nil {
			modified = info.ModTime().UnixMilli() * 1000
		}
		row, sequence := "NULL::BIGINT", "NULL::BIGINT"
		if first := f.FirstRowID(); first != nil { // without one, the file is of a snapshot from before the table's upgrade
			row = fmt.Sprintf("%d::BIGINT", *first)
			if s, ok := sequences[f.FilePath()]; ok {
				sequence = fmt.Sprintf("%d::BIGINT", s)
			}
		}
		rows = append(rows, fmt.Sprintf("(%s, %d, %s, %s, %d, %s, %s, %s)", text(localPath(f.FilePath())), f.SpecID(), partition, text(f.FilePath()), modified, text(folder), row, sequence))
	}
	return "SELECT * FROM (VALUES " + strings.Join(rows, ", ") + ") AS v(path, spec, partition, file, modified, partition_path, first_row, sequence)", nil
}

// literal is a partition value of a type for DuckDB.
func literal(t iceberg.Type, v any) string {
	switch v := value(t, v).(type) {
	case nil:
		return "NULL"
	case bool:
		return fmt.Sprint(v)
	case types.Days:
		return fmt.Sprintf("DATE '1970-01-01' + %d", int64(v))
	case types.Micros:
		if _, tz := t.(iceberg.TimestampTzType); tz {
			return fmt.Sprintf("make_timestamptz(%d)", int64(v))
		}
		return fmt.Sprintf("make_timestamp(%d)", int64(v))
	case []byte:
		return fmt.Sprintf("unhex('%x')", v)
	default:
		return text(fmt.Sprint(v))
	}
}
