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
		if len(t.Fields) == 0 { // DuckDB has none: a field that nobody sees stands in it
			return `STRUCT("_" INTEGER)`
		}
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

// tolerate gives NULL in place of a run-time error. TRY takes nothing volatile: random numbers are drawn outside of it, but for those
// of a lambda, which are drawn for each element.
func tolerate(s string) string {
	var drawn []string
	body := func(v string) string {
		drawn = nil
		var b strings.Builder
		depth, lambda := 0, -1
		for i := 0; i < len(s); {
			end := i + 1
			word := end
			for word < len(s) && wordByte(s[i]) && (wordByte(s[word]) || s[word] == '(') && s[word-1] != '(' {
				word++
			}
			switch name := s[i:word]; {
			case name == "error(" && strings.HasPrefix(s[word:], "'"):
				b.WriteString("spark_fail(")
				depth++
				i = word
				continue
			case (name == "random(" || name == "gen_random_uuid(") && strings.HasPrefix(s[word:], ")") && lambda < 0:
				drawn = append(drawn, name+")")
				b.WriteString("struct_extract_at(" + v + ", " + itoa(len(drawn)) + ")")
				i = word + 1
				continue
			case name == "lambda" && lambda < 0:
				lambda = depth
			}
			switch c := s[i]; c {
			case '(', '[':
				depth++
			case ')', ']':
				if depth--; depth < lambda {
					lambda = -1
				}
			case '\'', '"': // what is quoted stays as it is
				if n := strings.IndexByte(s[end:], c); n >= 0 {
					end += n + 1
				}
			default:
				if end = word; strings.HasSuffix(s[i:end], "(") {
					depth++
				}
			}
			b.WriteString(s[i:end])
			i = end
		}
		return "TRY(" + b.String() + ")"
	}
	v, text := bind(body)
	if len(drawn) == 0 {
		return text
	}
	return "list_transform([row(" + join(drawn) + ")], lambda " + v + ": " + text + ")[1]"
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
