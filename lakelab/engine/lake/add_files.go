package lake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
)

// SourceFile is a Parquet file that a table takes in, with the values that its folders name (Hive's layout), by column; hivepath.Default
// for NULL.
type SourceFile struct {
	Path   string
	Values map[string]string
}

// AddFiles makes Parquet files that are there a part of a table under one of its specs, where they lie (Iceberg's procedure add_files). Their columns are found
// by name, for which the table gets a name mapping. It returns how many files it added.
func (l *Lakehouse) AddFiles(ctx context.Context, t *Table, spec int, source []SourceFile, checkDuplicates bool) (files int64, err error) {
	if err := l.checkWritable(t.meta); err != nil {
		return 0, err
	}
	if len(t.meta.NameMapping()) == 0 {
		mapping := printMapping(t.meta.CurrentSchema().NameMapping())
		if err := l.SetProperties(ctx, t, map[string]string{nameMappingKey: mapping}); err != nil {
			return 0, err
		}
		if t, err = l.Load(ctx, t.id); err != nil {
			return 0, err
		}
	}
	if checkDuplicates {
		if err := l.checkTaken(ctx, t.meta, t.head(), source); err != nil {
			return 0, err
		}
	}
	data, err := sourceFiles(ctx, *t.meta.PartitionSpecByID(spec), t.meta.CurrentSchema(), t.meta.Properties(), t.meta.NameMapping(), source)
	if err != nil || len(data) == 0 {
		return 0, err
	}
	c := newChange(data)
	c.on(t)
	c.taken, c.procedure = true, true
	if checkDuplicates { // once more at each attempt: others may take the same files in
		c.check = func(a *attempt, parent *table.Snapshot) error { return l.checkTaken(ctx, a.base, parent, source) }
	}
	if err := l.commitChange(ctx, t, c); err != nil {
		return 0, err
	}
	return int64(len(data)), nil
}

// printMapping prints a name mapping as Java does.
func printMapping(m iceberg.NameMapping) string {
	var b strings.Builder
	printMapped(&b, m, "")
	return b.String()
}

func printMapped(b *strings.Builder, fields []iceberg.MappedField, indent string) {
	b.WriteString("[ ")
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("{")
		inner, sep := "\n"+indent+"  ", ""
		if f.FieldID != nil {
			fmt.Fprintf(b, "%s\"field-id\" : %d", inner, *f.FieldID)
			sep = ","
		}
		b.WriteString(sep + inner + "\"names\" : [ ")
		for j, n := range f.Names {
			if j > 0 {
				b.WriteString(", ")
			}
			var name bytes.Buffer
			e := json.NewEncoder(&name)
			e.SetEscapeHTML(false)
			_ = e.Encode(n) // a text always has a form in JSON
			b.WriteString(strings.TrimSpace(name.String()))
		}
		b.WriteString(" ]")
		if len(f.Fields) > 0 {
			b.WriteString("," + inner + "\"fields\" : ")
			printMapped(b, f.Fields, indent+"  ")
		}
		b.WriteString("\n" + indent + "}")
	}
	b.WriteString(" ]")
}

// checkTaken refuses files that a table's snapshot has already.
func (l *Lakehouse) checkTaken(ctx context.Context, m *metadata, head *table.Snapshot, source []SourceFile) error {
	if head == nil {
		return nil
	}
	list, err := l.cache.fileList(ctx, m, head)
	if err != nil {
		return err
	}
	there := make(map[string]bool, len(list.data))
	for _, f := range list.data {
		there[localPath(f.FilePath())] = true
	}
	var twice []string
	for _, s := range source {
		if there[s.Path] {
			twice = append(twice, "file:"+s.Path)
		}
	}
	if len(twice) > 0 {
		return errclass.FilesTaken(twice)
	}
	return nil
}

// sourceFiles describes files as a table's, without those that have no rows.
func sourceFiles(ctx context.Context, spec iceberg.PartitionSpec, schema *iceberg.Schema, props iceberg.Properties, mapping iceberg.NameMapping, source []SourceFile) ([]iceberg.DataFile, error) {
	data := make([]iceberg.DataFile, 0, len(source))
	modes := metricsModes(schema, props)
	for _, s := range source {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := sourceFile(spec, schema, s, mapping, modes)
		if err != nil {
			return nil, err
		}
		if f != nil {
			data = append(data, f)
		}
	}
	return data, nil
}

// sourceFile describes a file as one of a table's; nil if it has no rows.
func sourceFile(spec iceberg.PartitionSpec, schema *iceberg.Schema, s SourceFile, mapping iceberg.NameMapping, modes func(id int) metricsMode) (iceberg.DataFile, error) {
	partition := map[int]any{}
	for _, f := range spec.Fields() {
		column := columnName(schema, f.SourceID())
		v, ok := s.Values[strings.ToLower(column)]
		if !ok {
			return nil, errclass.IllegalArgument(fmt.Sprintf("Cannot find the partition column %s in the path %s", column, s.Path))
		}
		var err error
		if partition[f.FieldID], err = hiveValue(partitionType(schema, f), v); err != nil {
			return nil, fmt.Errorf("the partition value %q of %s in %s: %w", v, column, s.Path, err)
		}
	}
	foot, err := readFooter(s.Path, schema, mapping, modes)
	if err != nil {
		return nil, err
	}
	if foot.rows == 0 {
		return nil, nil
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return nil, err
	}
	b, err := iceberg.NewDataFileBuilder(spec, iceberg.EntryContentData, s.Path, iceberg.ParquetFile, partition, nil, nil, foot.rows, info.Size())
	if err != nil {
		return nil, err
	}
	m := foot.metrics
	return b.ColumnSizes(m.sizes).ValueCounts(m.values).NullValueCounts(m.nulls).NaNValueCounts(m.nans).
		LowerBoundValues(m.lower).UpperBoundValues(m.upper).SplitOffsets(foot.offsets).Build(), nil
}

// hiveValue reads a partition's value from a folder's name.
func hiveValue(t iceberg.Type, s string) (any, error) {
	if s == hivepath.Default {
		return nil, nil
	}
	switch d := t.(type) {
	case iceberg.DateType:
		day, err := time.Parse("2006-01-02", s)
		if err != nil {
			return nil, err
		}
		s = strconv.FormatInt(day.Unix()/86400, 10)
	case iceberg.DecimalType:
		whole, fraction, _ := strings.Cut(s, ".")
		scale := d.Scale()
		if len(fraction) > scale {
			return nil, fmt.Errorf("it has more than %d digits behind the point", scale)
		}
		s = whole + fraction + strings.Repeat("0", scale-len(fraction))
	case iceberg.TimestampType, iceberg.TimestampTzType, iceberg.TimeType:
		return nil, errclass.UnsupportedOperation("Unsupported type for fromPartitionString: " + t.String())
	}
	return parsePartition(t, &s)
}

// HiveSpec finds the partition spec by which the table is partitioned as folders with values of some columns are; false if it has none.
func (t *Table) HiveSpec(columns []string) (spec int, ok bool) {
	schema := t.meta.CurrentSchema()
	for _, s := range t.meta.PartitionSpecs() {
		var names []string
		identity := true
		for _, f := range s.Fields() {
			_, same := f.Transform.(iceberg.IdentityTransform)
			identity = identity && same
			names = append(names, columnName(schema, f.SourceID()))
		}
		if identity && slices.EqualFunc(names, columns, strings.EqualFold) {
			return s.ID(), true
		}
	}
	return 0, false
}

// PartitionColumns are the names of the current spec's partition fields.
func (t *Table) PartitionColumns() []string {
	var out []string
	spec := t.meta.PartitionSpec()
	for _, f := range spec.Fields() {
		out = append(out, f.Name)
	}
	return out
}
