package lake

import (
	"errors"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// The types that tables have. Iceberg's integers are int and long, so Spark's TINYINT and SMALLINT become INT in a table.
//
//	Spark          Iceberg       DuckDB
//	BOOLEAN        boolean       BOOLEAN
//	TINYINT..INT   int           INTEGER
//	BIGINT         long          BIGINT
//	FLOAT, DOUBLE  float, double FLOAT, DOUBLE
//	DECIMAL(p,s)   decimal(p,s)  DECIMAL(p,s)
//	STRING         string        VARCHAR
//	BINARY         binary, fixed BLOB
//	DATE           date          DATE
//	TIMESTAMP      timestamptz   TIMESTAMPTZ
//	TIMESTAMP_NTZ  timestamp     TIMESTAMP
//	TIME (Trino)   time          TIME
//	UUID (Trino)   uuid          UUID
//	ARRAY          list          T[]
//	MAP            map           MAP(K, V)
//	STRUCT         struct        STRUCT(…)

// simple maps the types without parameters; the later of two Spark kinds with one Iceberg type is what a table gives back.
var simple = []struct {
	kind types.Kind
	ice  iceberg.Type
	duck string
}{
	{types.Boolean, iceberg.PrimitiveTypes.Bool, "BOOLEAN"},
	{types.Byte, iceberg.PrimitiveTypes.Int32, "INTEGER"},
	{types.Short, iceberg.PrimitiveTypes.Int32, "INTEGER"},
	{types.Int, iceberg.PrimitiveTypes.Int32, "INTEGER"},
	{types.Long, iceberg.PrimitiveTypes.Int64, "BIGINT"},
	{types.Float, iceberg.PrimitiveTypes.Float32, "FLOAT"},
	{types.Double, iceberg.PrimitiveTypes.Float64, "DOUBLE"},
	{types.String, iceberg.PrimitiveTypes.String, "VARCHAR"},
	{types.Binary, iceberg.PrimitiveTypes.Binary, "BLOB"},
	{types.Date, iceberg.PrimitiveTypes.Date, "DATE"},
	{types.Timestamp, iceberg.PrimitiveTypes.TimestampTz, "TIMESTAMPTZ"},
	{types.TimestampNTZ, iceberg.PrimitiveTypes.Timestamp, "TIMESTAMP"},
	{types.Time, iceberg.PrimitiveTypes.Time, "TIME"},
	{types.UUID, iceberg.PrimitiveTypes.UUID, "UUID"},
}

// typeOf is an Iceberg type as Spark's.
func typeOf(t iceberg.Type) types.Type {
	switch t := t.(type) {
	case iceberg.DecimalType:
		return types.DecimalOf(t.Precision(), t.Scale())
	case iceberg.FixedType:
		return types.Of(types.Binary)
	case *iceberg.ListType:
		return types.ArrayOf(typeOf(t.Element), !t.ElementRequired)
	case *iceberg.MapType:
		return types.MapOf(typeOf(t.KeyType), typeOf(t.ValueType), !t.ValueRequired)
	case *iceberg.StructType:
		return structOf(t.FieldList)
	}
	for i := len(simple) - 1; i >= 0; i-- {
		if simple[i].ice.Equals(t) {
			return types.Of(simple[i].kind)
		}
	}
	return types.Type{} // types of format v3 that checkReadable refuses
}

func structOf(fields []iceberg.NestedField) types.Type {
	out := make([]types.Field, len(fields))
	for i, f := range fields {
		out[i] = types.Field{Name: f.Name, Type: typeOf(f.Type), Nullable: !f.Required, Comment: f.Doc}
	}
	return types.StructOf(out...)
}

// duckType is an Iceberg type's name in DuckDB.
func duckType(t iceberg.Type) (string, error) {
	switch t := t.(type) {
	case iceberg.DecimalType:
		return typeOf(t).SQL(), nil
	case iceberg.FixedType:
		return "BLOB", nil
	case *iceberg.ListType:
		e, err := duckType(t.Element)
		return e + "[]", err
	case *iceberg.MapType:
		k, err := duckType(t.KeyType)
		if err != nil {
			return "", err
		}
		v, err := duckType(t.ValueType)
		return "MAP(" + k + ", " + v + ")", err
	case *iceberg.StructType:
		parts := make([]string, len(t.FieldList))
		for i, f := range t.FieldList {
			d, err := duckType(f.Type)
			if err != nil {
				return "", err
			}
			parts[i] = quote(f.Name) + " " + d
		}
		if len(parts) == 0 {
			return emptyStruct, nil
		}
		return "STRUCT(" + strings.Join(parts, ", ") + ")", nil
	}
	for _, s := range simple {
		if s.ice.Equals(t) {
			return s.duck, nil
		}
	}
	return "", errclass.Unsupported("the Iceberg type " + t.String())
}

// errUnknownType says that a column's type is Spark's VOID, which tables of format v2 don't have.
var errUnknownType = errors.New("unknown type")

// assignIDs makes the Iceberg fields of a struct. Ids are given as Java's AssignFreshIds gives them: all fields of a struct before
// their children; a field whose dotted path base has, whatever its type, keeps base's id.
func assignIDs(t types.Type, base *iceberg.Schema, next func() int) ([]iceberg.NestedField, error) {
	return (&idAssigner{base, next}).fields(t, "")
}

type idAssigner struct {
	base *iceberg.Schema
	next func() int
}

func (a *idAssigner) id(path string) int {
	if a.base != nil {
		if f, ok := a.base.FindFieldByName(path); ok {
			return f.ID
		}
	}
	return a.next()
}

func (a *idAssigner) fields(t types.Type, prefix string) ([]iceberg.NestedField, error) {
	out := make([]iceberg.NestedField, len(t.Fields))
	for i, f := range t.Fields {
		out[i] = iceberg.NestedField{ID: a.id(prefix + f.Name), Name: f.Name, Required: !f.Nullable, Doc: f.Comment}
	}
	for i, f := range t.Fields {
		ft, err := a.typ(f.Type, prefix+f.Name)
		if err != nil {
			return nil, err
		}
		out[i].Type = ft
	}
	return out, nil
}

func (a *idAssigner) typ(t types.Type, path string) (iceberg.Type, error) {
	switch t.Kind {
	case types.Struct:
		f, err := a.fields(t, path+".")
		return &iceberg.StructType{FieldList: f}, err
	case types.Array:
		l := &iceberg.ListType{ElementID: a.id(path + ".element"), ElementRequired: !t.ElemNull}
		var err error
		l.Element, err = a.typ(*t.Elem, path+".element")
		return l, err
	case types.Map:
		m := &iceberg.MapType{KeyID: a.id(path + ".key"), ValueID: a.id(path + ".value"), ValueRequired: !t.ElemNull}
		var err error
		if m.KeyType, err = a.typ(*t.Key, path+".key"); err != nil {
			return nil, err
		}
		m.ValueType, err = a.typ(*t.Value, path+".value")
		return m, err
	case types.Decimal:
		return iceberg.DecimalTypeOf(t.Precision, t.Scale), nil
	case types.Null:
		return nil, errUnknownType
	}
	for _, s := range simple {
		if s.kind == t.Kind {
			return s.ice, nil
		}
	}
	return nil, errclass.UnsupportedTableType(t)
}

// counter counts up from after.
func counter(after int) func() int {
	return func() int {
		after++
		return after
	}
}

// quote quotes a name for DuckDB.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// text quotes a text for DuckDB.
func text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
