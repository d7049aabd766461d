package trinodoor

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// raw names the types, without parameters.
var raw = map[types.Kind]string{
	types.Null: "unknown", types.Boolean: "boolean", types.Byte: "tinyint", types.Short: "smallint", types.Int: "integer", types.Long: "bigint",
	types.Float: "real", types.Double: "double", types.String: "varchar", types.Binary: "varbinary", types.Date: "date", types.UUID: "uuid",
	types.Timestamp: "timestamp with time zone", types.TimestampNTZ: "timestamp", types.Time: "time",
	types.DayTimeInterval: "interval day to second", types.YearMonthInterval: "interval year to month", types.CalendarInterval: "interval day to second",
	types.Decimal: "decimal", types.Array: "array", types.Map: "map", types.Struct: "row",
}

// TypeName is a type as a query result names it: decimal(10, 2).
func TypeName(t types.Type) string { return name(t, ", ", true) }

// DescribeName is a type as DESCRIBE names it: decimal(10,2).
func DescribeName(t types.Type) string { return name(t, ",", true) }

// name spells a type. parametric says that the client knows temporal types with a precision.
func name(t types.Type, comma string, parametric bool) string {
	switch t.Kind {
	case types.Timestamp:
		if parametric {
			return "timestamp(6) with time zone"
		}
	case types.TimestampNTZ, types.Time:
		if parametric {
			return raw[t.Kind] + "(6)"
		}
	case types.Decimal:
		return fmt.Sprintf("decimal(%d%s%d)", t.Precision, comma, t.Scale)
	case types.Array:
		return "array(" + name(*t.Elem, comma, parametric) + ")"
	case types.Map:
		return "map(" + name(*t.Key, comma, parametric) + ", " + name(*t.Value, comma, parametric) + ")"
	case types.Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = name(f.Type, comma, parametric)
			if f.Name != "" {
				parts[i] = fieldName(f.Name, comma) + " " + parts[i]
			}
		}
		return "row(" + strings.Join(parts, ", ") + ")"
	}
	return raw[t.Kind]
}

// fieldName is a row field's name inside a type. A query result quotes what is no plain identifier, DESCRIBE quotes nothing.
func fieldName(s, comma string) string {
	if comma == "," || plainName.MatchString(s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

var plainName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`)

type argument struct {
	Kind  string `json:"kind"`
	Value any    `json:"value"`
}

type signature struct {
	RawType   string     `json:"rawType"`
	Arguments []argument `json:"arguments"`
}

// signatureOf is the type's structured form, without which clients fail.
func signatureOf(t types.Type, parametric bool) signature {
	s := signature{RawType: raw[t.Kind], Arguments: []argument{}}
	long := func(n int) { s.Arguments = append(s.Arguments, argument{"LONG", n}) }
	nested := func(t types.Type) { s.Arguments = append(s.Arguments, argument{"TYPE", signatureOf(t, parametric)}) }
	switch t.Kind {
	case types.String:
		long(math.MaxInt32)
	case types.Decimal:
		long(t.Precision)
		long(t.Scale)
	case types.Timestamp, types.TimestampNTZ, types.Time:
		if parametric {
			long(6)
		}
	case types.Array:
		nested(*t.Elem)
	case types.Map:
		nested(*t.Key)
		nested(*t.Value)
	case types.Struct:
		for _, f := range t.Fields {
			n := map[string]any{"typeSignature": signatureOf(f.Type, parametric)}
			if f.Name != "" {
				n["fieldName"] = map[string]string{"name": f.Name}
			}
			s.Arguments = append(s.Arguments, argument{"NAMED_TYPE", n})
		}
	}
	return s
}

// column is a column of a page.
type column struct {
	Name      string    `json:"name"`
	Type      string    `json:"type"`
	Signature signature `json:"typeSignature"`
}

// columnsOf describes the columns; a statement without any still has the empty list.
func columnsOf(schema types.Type, parametric bool) []column {
	out := make([]column, len(schema.Fields))
	for i, f := range schema.Fields {
		n := name(f.Type, ", ", parametric)
		if strings.HasPrefix(n, "interval ") {
			n = strings.ToUpper(n)
		}
		out[i] = column{f.Name, n, signatureOf(f.Type, parametric)}
	}
	return out
}
