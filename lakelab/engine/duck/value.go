package duck

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/types"
)

// Value prints a Go value (see package types) as a DuckDB literal of exactly that type.
func Value(t types.Type, v any) string {
	typed := func(s string) string { return "CAST(" + s + " AS " + functions.DuckType(t) + ")" }
	switch v := v.(type) {
	case nil:
		return typed("NULL")
	case bool:
		return strings.ToUpper(strconv.FormatBool(v))
	case int64:
		if t.Kind == types.Time {
			return typed(String(time.UnixMicro(v).UTC().Format("15:04:05.000000")))
		}
		if t.Kind == types.Int && v != math.MinInt32 {
			return strconv.FormatInt(v, 10)
		}
		if v == math.MinInt64 {
			return typed("'-9223372036854775808'")
		}
		return typed(strconv.FormatInt(v, 10))
	case float32:
		return typed(String(float(float64(v), 32)))
	case float64:
		return typed(String(float(v, 64)))
	case types.Dec:
		return typed(String(string(v)))
	case string:
		switch t.Kind {
		case types.String, types.Char, types.JSON:
			return text(v)
		case types.IPAddress:
			return "from_hex('" + hex.EncodeToString(functions.IPBytes(v)) + "')"
		}
		return typed(String(v))
	case []byte:
		if len(v) == 0 {
			return "''::BLOB"
		}
		return "from_hex('" + hex.EncodeToString(v) + "')"
	case types.Days:
		return typed(String(time.Unix(int64(v)*86400, 0).UTC().Format("2006-01-02")))
	case types.Micros:
		if t.Kind == types.Timestamp {
			return "make_timestamptz(" + strconv.FormatInt(int64(v), 10) + ")"
		}
		return "make_timestamp(" + strconv.FormatInt(int64(v), 10) + ")"
	case types.Picos:
		return typed(String(functions.PicosOf(v).String()))
	case types.Clock:
		return typed(String(functions.PackClock(v).String()))
	case types.Interval:
		return "(to_months(" + strconv.Itoa(int(v.Months)) + ") + to_days(" + strconv.Itoa(int(v.Days)) + ") + to_microseconds(" + strconv.FormatInt(v.Micros, 10) + "))"
	case []types.Entry:
		keys, values := make([]string, len(v)), make([]string, len(v))
		for i, e := range v {
			keys[i], values[i] = Value(*t.Key, e.Key), Value(*t.Value, e.Value)
		}
		return typed("MAP([" + strings.Join(keys, ", ") + "], [" + strings.Join(values, ", ") + "])")
	case []any:
		parts, names := make([]string, len(v)), functions.FieldNames(t.Fields)
		for i, x := range v {
			if t.Kind == types.Struct {
				parts[i] = Ident(names[i]) + ": " + Value(t.Fields[i].Type, x)
			} else {
				parts[i] = Value(*t.Elem, x)
			}
		}
		if t.Kind == types.Struct {
			return typed("{" + strings.Join(parts, ", ") + "}")
		}
		return typed("[" + strings.Join(parts, ", ") + "]")
	}
	return typed("NULL")
}

// text is a constant text. DuckDB reads none with a zero byte in it.
func text(s string) string {
	parts := strings.Split(s, "\x00")
	for i, p := range parts {
		parts[i] = String(p)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, " || chr(0) || ") + ")"
}

func float(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}
