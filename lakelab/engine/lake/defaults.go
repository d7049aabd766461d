package lake

import (
	"strconv"
	"strings"

	"github.com/apache/iceberg-go"
)

// Default values (format v3): a column that was added with an initial default reads it, instead of NULL, from the files written before.

// initialDefault is what a field of a type reads in files that don't have it, as DuckDB's constant.
func initialDefault(f iceberg.NestedField, t iceberg.Type) string {
	if f.InitialDefault == nil {
		return "NULL"
	}
	return constant(t, f.InitialDefault)
}

// defaultText is initialDefault as a text: read_parquet wants the defaults of all columns to have one type, and casts them.
func defaultText(f iceberg.NestedField, t iceberg.Type) string {
	x := initialDefault(f, t)
	if x == "NULL" {
		return x
	}
	return "CAST(" + x + " AS VARCHAR)"
}

// constant is a default value, as the metadata's JSON has it (Iceberg's spec, "JSON single-value serialization"), for DuckDB.
func constant(t iceberg.Type, v any) string {
	if s, ok := t.(*iceberg.StructType); ok { // the fields have defaults of their own
		parts := make([]string, len(s.FieldList))
		for i, f := range s.FieldList {
			parts[i] = quote(f.Name) + " := " + typed(f.Type, initialDefault(f, f.Type))
		}
		return "struct_pack(" + strings.Join(parts, ", ") + ")"
	}
	var x string
	switch v := v.(type) {
	case bool:
		x = strconv.FormatBool(v)
	case float64:
		x = text(strconv.FormatFloat(v, 'f', -1, 64))
	case string:
		x = text(v)
		switch t.(type) {
		case iceberg.BinaryType, iceberg.FixedType:
			x = "unhex(" + text(v) + ")"
		}
	default:
		return "NULL"
	}
	return typed(t, x)
}

// typed is an expression of a type.
func typed(t iceberg.Type, x string) string {
	d, err := duckType(t)
	if err != nil {
		return x // reading the column says what is wrong
	}
	return "CAST(" + x + " AS " + d + ")"
}
