package lake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// PartitionField is one field of PARTITIONED BY: a transform of a column (Iceberg's "Partitioning" page).
type PartitionField struct {
	Transform string // identity, year, month, day, hour, bucket, truncate
	Width     int    // of bucket and truncate
	Column    []string
	Name      string // empty: Iceberg's own name
}

// transform is the field's transform in iceberg-go's terms.
func (f PartitionField) transform() (iceberg.Transform, error) {
	name := f.Transform
	if name == "bucket" || name == "truncate" {
		name = fmt.Sprintf("%s[%d]", name, f.Width)
	}
	t, err := iceberg.ParseTransform(name)
	if err != nil {
		return nil, errclass.IllegalArgument("Invalid " + f.Transform + " width: " + fmt.Sprint(f.Width) + " (must be > 0)")
	}
	return t, nil
}

// defaultName is the name that CREATE TABLE gives a partition field.
func (f PartitionField) defaultName() string {
	column := strings.Join(f.Column, ".")
	switch f.Transform {
	case "identity":
		return column
	case "truncate":
		return column + "_trunc"
	}
	return column + "_" + f.Transform
}

// CheckPartitioning refuses a partitioning that Iceberg's library refuses, in its words.
func CheckPartitioning(columns types.Type, fields []PartitionField) error {
	ids, err := assignIDs(columns, nil, counter(0))
	if err == nil {
		_, err = newSpec(fields, iceberg.NewSchema(0, ids...), nil, 0)
	}
	return err
}

// newSpec makes the partition spec of a new table, or of one that replaces base (nil: none): a field that base's specs ever had keeps its
// id. first is as in checkPartition.
func newSpec(fields []PartitionField, schema *iceberg.Schema, base *metadata, first int) (*iceberg.PartitionSpec, error) {
	last := iceberg.PartitionDataIDStart - 1
	if base != nil {
		for _, s := range base.PartitionSpecs() {
			last = max(last, s.LastAssignedFieldID())
		}
	}
	var out []iceberg.PartitionField
	for _, f := range fields {
		source, err := findColumn(schema, f.Column)
		if err != nil {
			return nil, err
		}
		t, err := f.transform()
		if err != nil {
			return nil, err
		}
		p := iceberg.PartitionField{SourceIDs: []int{source.ID}, Name: f.Name, Transform: t}
		if p.Name == "" {
			f.Column = strings.Split(columnName(schema, source.ID), ".")
			p.Name = f.defaultName()
		}
		if p.FieldID = knownPartition(base, p); p.FieldID == 0 {
			last++
			p.FieldID = last
		}
		if err := checkPartition(p, source, schema, out, first); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	spec := iceberg.NewPartitionSpec(out...)
	if base == nil {
		return &spec, nil
	}
	// The id must be known before the commit, since it is in the data files' entries: it is what iceberg-go's builder will give.
	id := 0
	for _, s := range base.PartitionSpecs() {
		if s.CompatibleWith(&spec) {
			return &s, nil
		}
		id = max(id, s.ID()+1)
	}
	spec = iceberg.NewPartitionSpecID(id, out...)
	return &spec, nil
}

// checkPartition refuses what Iceberg refuses of a new partition field, given the fields before it.
// Messages number the columns less by first: Spark numbers those of a new table from 0.
func checkPartition(p iceberg.PartitionField, source iceberg.NestedField, schema *iceberg.Schema, before []iceberg.PartitionField, first int) error {
	if !p.Transform.CanTransform(source.Type) {
		if _, ok := source.Type.(iceberg.NestedType); ok && transformName(p.Transform) == "identity" {
			return errclass.Validation("Cannot partition by non-primitive source field: %s", source.Type)
		}
		return errclass.Validation("Invalid source type %s for transform: %s", source.Type, p.Transform)
	}
	for _, b := range before {
		if b.Name == p.Name {
			return errclass.IllegalArgument("Cannot use partition name more than once: " + p.Name)
		}
		if b.SourceID() == p.SourceID() && dedupName(b.Transform) == dedupName(p.Transform) {
			b.SourceIDs, p.SourceIDs = []int{b.SourceID() - first}, []int{p.SourceID() - first}
			return errclass.IllegalArgument(fmt.Sprintf("Cannot add redundant partition: %s conflicts with %s", b.String(), p.String()))
		}
	}
	if c, ok := schema.FindFieldByName(p.Name); ok {
		if _, identity := p.Transform.(iceberg.IdentityTransform); !identity {
			return errclass.IllegalArgument("Cannot create partition from name that exists in schema: " + p.Name)
		} else if c.ID != p.SourceID() {
			return errclass.IllegalArgument("Cannot create identity partition sourced from different field in schema: " + p.Name)
		}
	}
	return nil
}

// dedupName is equal for transforms of which a column may have one.
func dedupName(t iceberg.Transform) string {
	switch t.(type) {
	case iceberg.YearTransform, iceberg.MonthTransform, iceberg.DayTransform, iceberg.HourTransform:
		return "time"
	}
	return t.String()
}

// knownPartition is the id of a field with the same source and transform in any of a table's specs; 0 if there is none.
func knownPartition(base *metadata, p iceberg.PartitionField) int {
	if base == nil {
		return 0
	}
	for _, s := range base.PartitionSpecs() {
		for _, f := range s.Fields() {
			if slices.Equal(f.SourceIDs, p.SourceIDs) && f.Transform.Equals(p.Transform) {
				return f.FieldID
			}
		}
	}
	return 0
}

// findColumn finds a field by its path, without regard to case.
func findColumn(schema *iceberg.Schema, path []string) (iceberg.NestedField, error) {
	name := strings.Join(path, ".")
	if f, ok := schema.FindFieldByName(name); ok {
		return f, nil
	}
	if f, ok := schema.FindFieldByNameCaseInsensitive(name); ok {
		return f, nil
	}
	return iceberg.NestedField{}, errclass.Validation("Cannot find source column: %s", name)
}

// columnName is a field's full name in a schema.
func columnName(schema *iceberg.Schema, id int) string {
	name, _ := schema.FindColumnName(id)
	return name
}

// transformName is a transform's name without its width.
func transformName(t iceberg.Transform) string {
	name, _, _ := strings.Cut(t.String(), "[")
	return name
}

// sparkTransform is a partition or sort field as Spark writes it: region, days(ts), bucket(16, id).
func sparkTransform(schema *iceberg.Schema, t iceberg.Transform, source int) string {
	column := quotePath(columnName(schema, source))
	switch t := t.(type) {
	case iceberg.IdentityTransform:
		return column
	case iceberg.BucketTransform:
		return fmt.Sprintf("bucket(%d, %s)", t.NumBuckets, column)
	case iceberg.TruncateTransform:
		return fmt.Sprintf("truncate(%d, %s)", t.Width, column)
	}
	return transformName(t) + "s(" + column + ")"
}

// quotePath writes a column's full name for SQL, quoted where it must be.
func quotePath(name string) string {
	parts := strings.Split(name, ".")
	for i, p := range parts {
		parts[i] = types.QuoteIfNeeded(p)
	}
	return strings.Join(parts, ".")
}

// PartitionedColumns are the columns by which the table is partitioned, or by what is computed from them, in lower case.
func (t *Table) PartitionedColumns() []string {
	var out []string
	spec := t.meta.PartitionSpec()
	for _, f := range spec.Fields() {
		name := strings.ToLower(columnName(t.meta.CurrentSchema(), f.SourceID()))
		if _, void := f.Transform.(iceberg.VoidTransform); !void && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Partitions reports whether the table is partitioned by a column or what is computed from it, and whether it ever was.
func (t *Table) Partitions(column string) (now, ever bool) {
	f, ok := t.meta.CurrentSchema().FindFieldByNameCaseInsensitive(column)
	if !ok {
		return false, false
	}
	by := func(spec iceberg.PartitionSpec) bool {
		return slices.ContainsFunc(spec.FieldsBySourceID(f.ID), func(p iceberg.PartitionField) bool {
			_, void := p.Transform.(iceberg.VoidTransform)
			return !void
		})
	}
	return by(t.meta.PartitionSpec()), slices.ContainsFunc(t.meta.PartitionSpecs(), by)
}

// Partitioning lists the fields of the table's partition spec as Spark writes them and, if all of them are plain columns, those
// columns. A field that was dropped in format v1 is left out.
func (t *Table) Partitioning() (fields []string, columns []types.Field) {
	spec := t.meta.PartitionSpec()
	schema := t.meta.CurrentSchema()
	plain := true
	for _, f := range spec.Fields() {
		if _, void := f.Transform.(iceberg.VoidTransform); void {
			continue
		}
		fields = append(fields, sparkTransform(schema, f.Transform, f.SourceID()))
		_, identity := f.Transform.(iceberg.IdentityTransform)
		source, ok := schema.FindFieldByID(f.SourceID())
		if plain = plain && identity && ok; plain {
			columns = append(columns, structOf([]iceberg.NestedField{source}).Fields[0])
		}
	}
	if !plain {
		columns = nil
	}
	return fields, columns
}

// Transforms are the partition fields as Spark's plans name them: identity(region), days(ts).
func (t *Table) Transforms() (fields []string) {
	spec := t.meta.PartitionSpec()
	for _, f := range spec.Fields() {
		switch f.Transform.(type) {
		case iceberg.VoidTransform:
		case iceberg.IdentityTransform:
			fields = append(fields, "identity("+quotePath(columnName(t.meta.CurrentSchema(), f.SourceID()))+")")
		default:
			fields = append(fields, sparkTransform(t.meta.CurrentSchema(), f.Transform, f.SourceID()))
		}
	}
	return fields
}

// IdentityPartitions are the columns that the table is partitioned by as they are, in the order of the spec.
func (t *Table) IdentityPartitions() []types.Field {
	return t.partitionedBy(func(tr iceberg.Transform) bool {
		_, ok := tr.(iceberg.IdentityTransform)
		return ok
	})
}

// BucketPartitions are the columns by whose buckets the table is partitioned.
func (t *Table) BucketPartitions() []types.Field {
	return t.partitionedBy(func(tr iceberg.Transform) bool {
		_, ok := tr.(iceberg.BucketTransform)
		return ok
	})
}

// partitionedBy are the columns that the table is partitioned by with some transforms.
func (t *Table) partitionedBy(with func(iceberg.Transform) bool) (columns []types.Field) {
	spec := t.meta.PartitionSpec()
	for _, f := range spec.Fields() {
		if with(f.Transform) {
			if source, ok := t.meta.CurrentSchema().FindFieldByID(f.SourceID()); ok {
				columns = append(columns, structOf([]iceberg.NestedField{source}).Fields[0])
			}
		}
	}
	return columns
}
