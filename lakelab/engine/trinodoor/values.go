package trinodoor

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/types"
)

// encoder turns values into what Trino puts into JSON; err is the first that has no form there.
type encoder struct {
	parametric bool
	err        error
}

func (e *encoder) row(schema types.Type, row []any) []any {
	out := make([]any, len(row))
	for i, v := range row {
		out[i] = e.value(schema.Fields[i].Type, v)
	}
	return out
}

func (e *encoder) value(t types.Type, v any) any {
	switch v := v.(type) {
	case string:
		if t.Kind == types.Char {
			return v + strings.Repeat(" ", max(t.Precision-utf8.RuneCountInString(v), 0))
		}
		return v
	case nil, bool:
		return v
	case float64, float32:
		return float(v)
	case types.Dec:
		return string(v)
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	case types.Days:
		return types.Text(t, v, nil)
	case types.Picos, types.Clock:
		return types.PicosText(t, v, e.digits(t))
	case types.Micros:
		if t.Kind != types.Timestamp {
			return e.clock(t, "2006-01-02 15:04:05", time.UnixMicro(int64(v)).UTC())
		}
		zone := t.Zone
		if zone == "" {
			zone = "UTC"
		}
		return e.clock(t, "2006-01-02 15:04:05", time.UnixMicro(int64(v)).In(types.Location(zone))) + " " + zone
	case int64:
		switch t.Kind {
		case types.DayTimeInterval:
			return types.TrinoDayTime(v)
		case types.YearMonthInterval:
			sign := ""
			if v < 0 {
				sign, v = "-", -v
			}
			return fmt.Sprintf("%s%d-%d", sign, v/12, v%12)
		case types.Time:
			return e.clock(t, "15:04:05", time.UnixMicro(v).UTC())
		}
		return v
	case types.Interval:
		if v.Months == 0 {
			return types.TrinoDayTime(int64(v.Days)*86400e6 + v.Micros)
		}
	case []types.Entry:
		m := make(object, len(v))
		for i, x := range v {
			m[i] = types.Entry{Key: e.key(*t.Key, x.Key), Value: e.value(*t.Value, x.Value)}
		}
		return m
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			if t.Kind == types.Struct {
				out[i] = e.value(t.Fields[i].Type, x)
			} else {
				out[i] = e.value(*t.Elem, x)
			}
		}
		return out
	}
	if e.err == nil {
		e.err = fmt.Errorf("%s %v has no form in Trino", t.SimpleString(), v)
	}
	return nil
}

// clock writes a time with its type's digits of a fraction, or three for clients that know no precision.
func (e *encoder) clock(t types.Type, layout string, v time.Time) string {
	if n := e.digits(t); n > 0 {
		layout += "." + strings.Repeat("0", n)
	}
	return v.Format(layout)
}

func (e *encoder) digits(t types.Type) int {
	if !e.parametric {
		return 3
	}
	return t.Digits()
}

// key is a map's key: always a string in JSON, of a row or an array its text in Java.
func (e *encoder) key(t types.Type, v any) string {
	switch x := e.value(t, v).(type) {
	case string:
		return x
	default:
		return javaText(x)
	}
}

// javaText is a value of JSON as Java's collections write it: [1, a].
func javaText(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = javaText(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case object:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = javaText(x.Key) + "=" + javaText(x.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case json.RawMessage:
		return string(v)
	}
	return fmt.Sprint(v)
}

// object is a map with its keys in their order.
type object []types.Entry

// MarshalJSON writes the keys in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, x := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(x.Key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(x.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// float is a number as Java writes it (1.0, 1.0E10), or the name of what JSON has no number for.
func float(v any) any {
	f, _ := v.(float64)
	bits := 64
	if x, ok := v.(float32); ok {
		f, bits = float64(x), 32
	}
	s := types.ShortFloat(f, bits)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return s
	}
	return json.RawMessage(s)
}
