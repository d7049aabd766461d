package lake

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/apache/iceberg-go"
)

// Files that were not written for an Iceberg table have no field ids. A table that takes them in keeps a mapping of names to ids in its
// property schema.name-mapping.default (Iceberg's spec, "Name Mapping Serialization"); their columns are read by name then, and columns
// of their partition, which Hive's layout keeps out of the files, from the table's metadata.

// nameMappingKey is the property with a table's name mapping.
const nameMappingKey = "schema.name-mapping.default"

// mapped gives the fields of a file without ids those that a mapping has for their names.
func (l *layout) mapped(n schema.Node, fields []iceberg.MappedField, key *strings.Builder) {
	g, ok := n.(*schema.GroupNode)
	if !ok {
		return
	}
	for i := range g.NumFields() {
		child := g.Field(i)
		name := child.Name()
		inner, list := listElement(child)
		at := slices.IndexFunc(fields, func(m iceberg.MappedField) bool { return slices.Contains(m.Names, name) })
		if at < 0 {
			continue
		}
		m := fields[at]
		if m.FieldID != nil {
			l.names[*m.FieldID] = name
			fmt.Fprintf(key, "%d=%q;", *m.FieldID, name)
		}
		if !list {
			l.mapped(child, m.Fields, key)
			continue
		}
		l.repeated(inner, m.Fields, key)
	}
}

// counted gives the columns of a file without ids those of their places, from 1 on, as Java does where there is no mapping. What is in them
// has none.
func (l *layout) counted(root *schema.GroupNode, key *strings.Builder) {
	for i := range root.NumFields() {
		l.names[i+1] = root.Field(i).Name()
		fmt.Fprintf(key, "%d=%q;", i+1, l.names[i+1])
	}
}

// repeated maps what a list or a map holds, by the names that Iceberg gives it: element, key and value.
func (l *layout) repeated(inner []schema.Node, fields []iceberg.MappedField, key *strings.Builder) {
	names := []string{"element"}
	if len(inner) == 2 {
		names = []string{"key", "value"}
	}
	for i, n := range inner {
		at := slices.IndexFunc(fields, func(m iceberg.MappedField) bool { return slices.Contains(m.Names, names[i]) })
		if at < 0 {
			continue
		}
		m := fields[at]
		if m.FieldID != nil {
			l.names[*m.FieldID] = names[i]
		}
		if deeper, list := listElement(n); list {
			l.repeated(deeper, m.Fields, key)
		} else {
			l.mapped(n, m.Fields, key)
		}
	}
}

// listElement is the element of a list, or the key and the value of a map, in Parquet's three-level form; false for other columns.
func listElement(n schema.Node) ([]schema.Node, bool) {
	g, ok := n.(*schema.GroupNode)
	if !ok || g.NumFields() != 1 {
		return nil, false
	}
	middle, ok := g.Field(0).(*schema.GroupNode)
	if !ok {
		return nil, false
	}
	switch {
	case g.ConvertedType() == schema.ConvertedTypes.List && middle.NumFields() == 1:
		return []schema.Node{middle.Field(0)}, true
	case (g.ConvertedType() == schema.ConvertedTypes.Map || g.ConvertedType() == schema.ConvertedTypes.MapKeyValue) && middle.NumFields() == 2:
		return []schema.Node{middle.Field(0), middle.Field(1)}, true
	}
	return nil, false
}

// readPlain is the expression of a field's value in a row of files without ids.
func (g fileGroup) readPlain(f iceberg.NestedField) string {
	name, ok := g.layout.names[f.ID]
	if !ok {
		if x := g.constant(f.ID); x != "" {
			return typed(f.Type, x)
		}
		return typed(f.Type, initialDefault(f, f.Type))
	}
	return typed(f.Type, remap("t."+quote(name), g.layout.inFile(solid(f.Type)), f.Type, 0, plainValue))
}

// plainValue converts a value to a column's type. Times are counted in UTC whatever a file says about zones, as Spark's INT96 has none.
func plainValue(x string, t iceberg.Type) string {
	switch t.(type) {
	case iceberg.TimestampTzType:
		return "make_timestamptz(epoch_us(" + x + "))"
	case iceberg.TimestampType:
		return "make_timestamp(epoch_us(" + x + "))"
	}
	return typed(t, x)
}

// constant is the expression of a column that files without ids don't have but their partition gives; empty if it is none.
func (g fileGroup) constant(id int) string {
	if g.layout == nil || !g.layout.plain {
		return ""
	}
	if _, there := g.layout.names[id]; there {
		return ""
	}
	c := &fileColumns{t: &Table{meta: g.meta}}
	c.partitionType()
	var values []string
	for _, p := range c.partition {
		if _, identity := p.Transform.(iceberg.IdentityTransform); identity && p.SourceID() == id {
			values = append(values, "f.partition."+quote(p.Name))
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "coalesce(" + strings.Join(values, ", ") + ")"
}

// evolved is a name mapping after a change of schema: a field keeps the names that it had in files, and gets its new one; new fields come in.
func evolved(mapping iceberg.NameMapping, before, after *iceberg.Schema) (iceberg.NameMapping, error) {
	updates, adds := map[int]iceberg.NestedField{}, map[int][]iceberg.NestedField{}
	old := map[int]string{}
	eachField(before.Fields(), -1, func(f iceberg.NestedField, _ int) { old[f.ID] = f.Name })
	eachField(after.Fields(), -1, func(f iceberg.NestedField, parent int) {
		name, there := old[f.ID]
		if _, parentThere := old[parent]; !there && (parent == -1 || parentThere) {
			adds[parent] = append(adds[parent], f)
		} else if there && name != f.Name {
			updates[f.ID] = f
		}
	})
	mapping, err := iceberg.UpdateNameMapping(mapping, updates, adds)
	if err == nil {
		javaOrder(mapping)
	}
	return mapping, err
}

// eachField visits fields and what is in them, with the id of the field that each is in.
func eachField(fields []iceberg.NestedField, parent int, visit func(f iceberg.NestedField, parent int)) {
	for _, f := range fields {
		visit(f, parent)
		if n, ok := f.Type.(iceberg.NestedType); ok {
			eachField(n.Fields(), f.ID, visit)
		}
	}
}

// javaOrder puts names in the order of Java's HashSet, in which Iceberg writes them.
func javaOrder(fields []iceberg.MappedField) {
	for i := range fields {
		sortAsJava(fields[i].Names)
		javaOrder(fields[i].Fields)
	}
}

// sortAsJava puts texts in the order of Java's HashSet and HashMap, as long as they are few.
func sortAsJava(texts []string) {
	bucket := func(s string) int32 {
		var h int32
		for _, c := range utf16.Encode([]rune(s)) {
			h = 31*h + int32(c)
		}
		return (h ^ int32(uint32(h)>>16)) & 15
	}
	slices.SortStableFunc(texts, func(a, b string) int { return int(bucket(a) - bucket(b)) })
}
