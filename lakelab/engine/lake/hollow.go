package lake

import (
	"fmt"
	"slices"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// A struct may lose its last field (ALTER TABLE … DROP COLUMN s.x). Parquet has no column for what holds no value, so nothing tells whether
// such a struct, or an array or map of such, is there: as in Spark it reads NULL, and is there only where it is required. DuckDB
// has no empty structs either; they have one field there that nobody sees.

// emptyStruct is DuckDB's type of a struct without fields; functions.DuckType names it, too.
const emptyStruct = `STRUCT("_" INTEGER)`

// hollow reports whether nothing of a type is in a Parquet file: it has no values but structs without fields.
func hollow(t iceberg.Type) bool {
	switch t := t.(type) {
	case *iceberg.StructType:
		return !slices.ContainsFunc(t.FieldList, func(f iceberg.NestedField) bool { return !hollow(f.Type) })
	case *iceberg.ListType:
		return hollow(t.Element)
	case *iceberg.MapType:
		return hollow(t.ValueType)
	}
	return false
}

// hollowSQL is a hollow column's value.
func hollowSQL(f iceberg.NestedField) string {
	if s, ok := f.Type.(*iceberg.StructType); ok && f.Required && len(s.FieldList) == 0 {
		return "CAST({'_': NULL} AS " + emptyStruct + ")"
	}
	return typed(f.Type, "NULL")
}

// solid is what is left of a type without its hollow fields; the type itself if it has none. The type is not hollow.
func solid(t iceberg.Type) iceberg.Type {
	switch t := t.(type) {
	case *iceberg.StructType:
		s := &iceberg.StructType{}
		for _, f := range t.FieldList {
			if !hollow(f.Type) {
				f.Type = solid(f.Type)
				s.FieldList = append(s.FieldList, f)
			}
		}
		return s
	case *iceberg.ListType:
		c := *t
		c.Element = solid(t.Element)
		return &c
	case *iceberg.MapType:
		c := *t
		c.KeyType, c.ValueType = solid(t.KeyType), solid(t.ValueType)
		return &c
	}
	return t
}

// checkHollow refuses to write rows with structs without fields, as Java's Parquet does.
func checkHollow(fields []iceberg.NestedField) error {
	for _, f := range fields {
		if s, ok := f.Type.(*iceberg.StructType); ok && len(s.FieldList) == 0 {
			repetition := "optional"
			if f.Required {
				repetition = "required"
			}
			return errclass.EmptyGroup(fmt.Sprintf("%s group %s = %d {\n}", repetition, f.Name, f.ID))
		}
		if n, ok := f.Type.(iceberg.NestedType); ok {
			if err := checkHollow(n.Fields()); err != nil {
				return err
			}
		}
	}
	return nil
}
