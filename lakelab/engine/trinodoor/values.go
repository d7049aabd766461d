package trinodoor

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// raw names the types without parameters.
var raw = map[types.Kind]string{
	types.Null: "unknown", types.Boolean: "boolean", types.Byte: "tinyint", types.Short: "smallint", types.Int: "integer", types.Long: "bigint",
	types.Float: "real", types.Double: "double", types.String: "varchar", types.Binary: "varbinary", types.Date: "date", types.UUID: "uuid",
	types.Timestamp: "timestamp(6) with time zone", types.TimestampNTZ: "timestamp(6)", types.Time: "time(6)",
	types.DayTimeInterval: "interval day to second", types.YearMonthInterval: "interval year to month", types.CalendarInterval: "interval day to second",
}

// TypeName is a type as a query result names it: decimal(10, 2).
func TypeName(t types.Type) string { return name(t, ", ") }

// DescribeName is a type as DESCRIBE names it: decimal(10,2).
func DescribeName(t types.Type) string { return name(t, ",") }

func name(t types.Type, comma string) string {
	switch t.Kind {
	case types.Decimal:
		return fmt.Sprintf("decimal(%d%s%d)", t.Precision, comma, t.Scale)
	case types.Array:
		return "array(" + name(*t.Elem, comma) + ")"
	case types.Map:
		return "map(" + name(*t.Key, comma) + ", " + name(*t.Value, comma) + ")"
	case types.Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = strings.TrimSpace(f.Name + " " + name(f.Type, comma))
		}
		return "row(" + strings.Join(parts, ", ") + ")"
	}
	return raw[t.Kind]
}

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
		s.RawType = "decimal"
		long(t.Precision)
		long(t.Scale)
	case types.Timestamp, types.TimestampNTZ, types.Time:
		s.RawType = map[types.Kind]string{types.Timestamp: "timestamp with time zone", types.TimestampNTZ: "timestamp", types.Time: "time"}[t.Kind]
		if parametric {
			long(6)
		}
	case types.Array:
		s.RawType = "array"
		nested(*t.Elem)
	case types.Map:
		s.RawType = "map"
		nested(*t.Key)
		nested(*t.Value)
	case types.Struct:
		s.RawType = "row"
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

// columnsOf describes the columns; a statement without any still has the empty list.
func columnsOf(schema types.Type, parametric bool) []any {
	out := []any{}
	for _, f := range schema.Fields {
		n := TypeName(f.Type)
		if !parametric {
			n = strings.ReplaceAll(n, "(6)", "")
		}
		if f.Type.Kind == types.DayTimeInterval || f.Type.Kind == types.YearMonthInterval {
			n = strings.ToUpper(n)
		}
		out = append(out, map[string]any{"name": f.Name, "type": n, "typeSignature": signatureOf(f.Type, parametric)})
	}
	return out
}

func jsonRow(schema types.Type, row []any) []any {
	out := make([]any, len(row))
	for i, v := range row {
		out[i] = jsonValue(schema.Fields[i].Type, v)
	}
	return out
}

// jsonValue is a value as Trino encodes it.
func jsonValue(t types.Type, v any) any {
	switch v := v.(type) {
	case float64:
		return float(v)
	case float32:
		return float(float64(v))
	case types.Dec:
		return string(v)
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	case types.Days:
		return types.Text(t, v, nil)
	case types.Micros:
		s := time.UnixMicro(int64(v)).UTC().Format("2006-01-02 15:04:05.000000")
		if t.Kind == types.Timestamp {
			s += " UTC"
		}
		return s
	case int64:
		switch t.Kind {
		case types.DayTimeInterval:
			return dayTime(v)
		case types.YearMonthInterval:
			sign := ""
			if v < 0 {
				sign, v = "-", -v
			}
			return fmt.Sprintf("%s%d-%d", sign, v/12, v%12)
		case types.Time:
			return time.UnixMicro(v).UTC().Format("15:04:05.000000")
		}
		return v
	case []types.Entry:
		m := map[string]any{}
		for _, e := range v {
			m[fmt.Sprint(jsonValue(*t.Key, e.Key))] = jsonValue(*t.Value, e.Value)
		}
		return m
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			if t.Kind == types.Struct {
				out[i] = jsonValue(t.Fields[i].Type, x)
			} else {
				out[i] = jsonValue(*t.Elem, x)
			}
		}
		return out
	}
	return v
}

func float(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return f
}

func dayTime(us int64) string {
	sign := ""
	if us < 0 {
		sign, us = "-", -us
	}
	ms := us / 1000
	return fmt.Sprintf("%s%d %02d:%02d:%02d.%03d", sign, ms/86400000, ms/3600000%24, ms/60000%60, ms/1000%60, ms%1000)
}
