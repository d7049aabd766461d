package lake

import (
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// CREATE OR REPLACE TABLE keeps the ids of columns whose names stay, whatever their types become. A branch, or a snapshot that is made the
// current one, may then have files whose column is of a type that is none that Iceberg widens to the table's ("Schema Evolution" in its
// specification): their bounds mean nothing, and what is in them is no value of the column.

// retyped reports whether any schema that the table ever had gives a field, or one inside of it, a type that differs from today's.
func (m *metadata) retyped(f iceberg.NestedField, differ func(other, t iceberg.Type) bool) bool {
	schemas := m.Schemas()
	if len(schemas) < 2 {
		return false
	}
	for _, s := range schemas {
		if other, ok := s.FindTypeByID(f.ID); ok && unlike(other, f.Type, differ) {
			return true
		}
	}
	if n, ok := f.Type.(iceberg.NestedType); ok {
		for _, inner := range n.Fields() {
			if m.retyped(inner, differ) {
				return true
			}
		}
	}
	return false
}

// unlike compares two types that a field had; differ compares those that are not equal and have no fields.
func unlike(other, t iceberg.Type, differ func(other, t iceberg.Type) bool) bool {
	_, nested := other.(iceberg.NestedType)
	if _, ok := t.(iceberg.NestedType); ok || nested {
		return ok != nested || other.Type() != t.Type()
	}
	return !other.Equals(t) && differ(other, t)
}

// checkTypes refuses a file in which one of the fields has a type that can't be read as the field's. Files are looked at only if the table
// once gave the field such a type.
func (c *cache) checkTypes(m *metadata, mapping iceberg.NameMapping, fields []iceberg.NestedField, files []iceberg.DataFile) error {
	for _, f := range fields {
		if !m.retyped(f, func(other, t iceberg.Type) bool { return !promotes(other, t) }) {
			continue
		}
		for _, d := range files {
			l, err := c.layout(d.FilePath(), mapping)
			if err != nil {
				return err
			}
			if err := l.checkType(d.FilePath(), f); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkType refuses a field that the file has with another type.
func (l *layout) checkType(path string, f iceberg.NestedField) error {
	node, there := l.types[f.ID]
	if !there {
		return nil
	}
	nested, ok := f.Type.(iceberg.NestedType)
	leaf, plain := node.(*schema.PrimitiveNode)
	switch {
	case plain && (ok || !readable(leaf, f.Type)):
		return errclass.ParquetType(localPath(path), f.Name, typeOf(f.Type), leaf.PhysicalType().String())
	case !plain && !sameGroup(node, f.Type):
		return errclass.ParquetType(localPath(path), f.Name, typeOf(f.Type), "group")
	case !ok:
		return nil
	}
	for _, inner := range nested.Fields() {
		if err := l.checkType(path, inner); err != nil {
			return err
		}
	}
	return nil
}

// sameGroup reports whether a Parquet group is a struct, list or map as the type is.
func sameGroup(n schema.Node, t iceberg.Type) bool {
	switch n.LogicalType().(type) {
	case schema.ListLogicalType:
		_, ok := t.(*iceberg.ListType)
		return ok
	case schema.MapLogicalType:
		_, ok := t.(*iceberg.MapType)
		return ok
	}
	_, ok := t.(*iceberg.StructType)
	return ok
}

// readable reports whether a Parquet column holds values of an Iceberg type, or of one that was widened to it ("Parquet" and "Schema
// Evolution" in Iceberg's specification).
func readable(n *schema.PrimitiveNode, t iceberg.Type) bool {
	physical := n.PhysicalType()
	switch logical := n.LogicalType().(type) {
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		return t.Equals(iceberg.PrimitiveTypes.String)
	case schema.DateLogicalType:
		return t.Equals(iceberg.PrimitiveTypes.Date)
	case schema.UUIDLogicalType:
		return t.Equals(iceberg.PrimitiveTypes.UUID)
	case schema.DecimalLogicalType:
		d, ok := t.(iceberg.DecimalType)
		return ok && d.Scale() == int(logical.Scale()) && d.Precision() >= int(logical.Precision())
	case schema.TimeLogicalType:
		return t.Equals(iceberg.PrimitiveTypes.Time)
	case schema.TimestampLogicalType:
		switch t.(type) {
		case iceberg.TimestampTzType, iceberg.TimestampTzNsType:
			return logical.IsAdjustedToUTC()
		case iceberg.TimestampType, iceberg.TimestampNsType:
			return !logical.IsAdjustedToUTC()
		}
		return false
	}
	switch t.(type) {
	case iceberg.BooleanType:
		return physical == parquet.Types.Boolean
	case iceberg.Int32Type:
		return physical == parquet.Types.Int32
	case iceberg.Int64Type:
		return physical == parquet.Types.Int32 || physical == parquet.Types.Int64
	case iceberg.Float32Type:
		return physical == parquet.Types.Float
	case iceberg.Float64Type:
		return physical == parquet.Types.Float || physical == parquet.Types.Double
	case iceberg.TimestampTzType:
		return physical == parquet.Types.Int96
	case iceberg.BinaryType:
		return physical == parquet.Types.ByteArray
	case iceberg.FixedType, iceberg.UUIDType:
		return physical == parquet.Types.FixedLenByteArray
	}
	return false
}
