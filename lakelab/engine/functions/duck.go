package functions

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// DuckType is a type in DuckDB's SQL. Interval types travel as integers: months, or microseconds.
func DuckType(t types.Type) string {
	if t.InPicos() {
		return "HUGEINT"
	}
	switch t.Kind {
	case types.Null:
		return "INTEGER"
	case types.Boolean:
		return "BOOLEAN"
	case types.Byte:
		return "TINYINT"
	case types.Short:
		return "SMALLINT"
	case types.Int:
		return "INTEGER"
	case types.Long, types.DayTimeInterval, types.YearMonthInterval:
		return "BIGINT"
	case types.Float:
		return "FLOAT"
	case types.Double:
		return "DOUBLE"
	case types.Decimal:
		return fmt.Sprintf("DECIMAL(%d, %d)", t.Precision, t.Scale)
	case types.String:
		return "VARCHAR"
	case types.Binary, types.IPAddress:
		return "BLOB"
	case types.Date:
		return "DATE"
	case types.Timestamp:
		return "TIMESTAMPTZ"
	case types.TimestampNTZ:
		return "TIMESTAMP"
	case types.CalendarInterval:
		return "INTERVAL"
	case types.Time:
		return "TIME"
	case types.UUID:
		return "UUID"
	case types.Array:
		return DuckType(*t.Elem) + "[]"
	case types.Map:
		return "MAP(" + DuckType(*t.Key) + ", " + DuckType(*t.Value) + ")"
	case types.Struct:
		parts, names := make([]string, len(t.Fields)), FieldNames(t.Fields)
		for i, f := range t.Fields {
			parts[i] = ident(names[i]) + " " + DuckType(f.Type)
		}
		return "STRUCT(" + strings.Join(parts, ", ") + ")"
	}
	return "VARCHAR"
}

// FieldName is the name that a struct's field has in DuckDB: its own, or its place where it has none (Trino's rows).
func FieldName(f types.Field, i int) string {
	if f.Name == "" {
		return "_" + itoa(i+1)
	}
	return f.Name
}

// FieldNames are the names that a struct's fields have in DuckDB, which takes none twice, however it is spelled.
func FieldNames(fields []types.Field) []string {
	names, seen := make([]string, len(fields)), map[string]bool{}
	for i, f := range fields {
		names[i] = FieldName(f, i)
		for seen[strings.ToLower(names[i])] {
			names[i] += "_" + itoa(i+1)
		}
		seen[strings.ToLower(names[i])] = true
	}
	return names
}

// Fail prints a DuckDB expression that raises one of Spark's runtime errors; errclass.FromDuck turns it back into that error.
// Each param is a DuckDB expression of type VARCHAR.
func Fail(x expr.Expr, class string, params ...string) string {
	at := x.Span()
	head := errclass.RuntimeMark(class, at)
	s := "error('" + head + "'"
	for _, p := range params {
		s += " || chr(31) || coalesce(" + p + ", 'null')"
	}
	return s + ")"
}

// FailMacro is error() in a form that TRY takes: error() counts as volatile, and TRY refuses that.
const FailMacro = "CREATE MACRO spark_fail(message) AS CASE WHEN CAST(message AS INTEGER) IS NULL THEN NULL END"

// tolerate gives NULL in place of a run-time error.
func tolerate(s string) string {
	return "TRY(" + strings.ReplaceAll(s, "error('", "spark_fail('") + ")"
}
