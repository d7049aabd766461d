package functions

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"mini-lakehouse-lab/lakelab/engine/jsonpath"
	"mini-lakehouse-lab/lakelab/types"
)

// Functions in Go for what DuckDB cannot say of Trino's casts.

func init() {
	define("trino_double_text", "double -> string", func(a []any) any { return trinoFloatText(a[0].(float64), 64) })
	define("trino_real_text", "float -> string", func(a []any) any { return trinoFloatText(float64(a[0].(float32)), 32) })
	define("trino_interval_text", "long, int -> string", func(a []any) any {
		n := a[0].(int64)
		sign := ""
		if n < 0 {
			sign, n = "-", -n
		}
		if types.Kind(a[1].(int32)) == types.YearMonthInterval {
			return sign + strconv.FormatInt(n/12, 10) + "-" + strconv.FormatInt(n%12, 10)
		}
		ms := n / 1000
		return sign + strconv.FormatInt(ms/86400000, 10) + time.UnixMilli(ms%86400000).UTC().Format(" 15:04:05.000")
	})
	define("trino_to_double", "string -> double", func(a []any) any {
		if f, ok := javaDouble(a[0].(string)); ok {
			return f
		}
		return nil
	})
	define("trino_ipaddress", "string -> binary", func(a []any) any {
		if b := IPBytes(a[0].(string)); b != nil {
			return b
		}
		return nil
	})
	failing("trino_ipaddress_in", "string, binary -> boolean", func(a []any) (any, error) { return ipIn(a[0].(string), a[1].([]byte)) })
	define("trino_ipaddress_text", "binary -> string", func(a []any) any { return IPText(a[0].([]byte)) })
	define("trino_to_date", "string -> date", func(a []any) any {
		d, ok := trinoDate(strings.TrimSpace(a[0].(string)))
		if !ok {
			return nil
		}
		return time.Unix(int64(d)*86400, 0).UTC()
	})
	define("trino_to_time", "string, int -> long", func(a []any) any {
		picos, _, ok := trinoClock(strings.TrimSpace(a[0].(string)))
		if !ok {
			return nil
		}
		return roundClock(picos, int(a[1].(int32))) / picosInMicro
	})
	define("trino_to_timestamp", "string, int, string -> long", func(a []any) any {
		p, ok := textTimestamp(a[0].(string), int(a[1].(int32)), a[2].(string))
		if !ok {
			return nil
		}
		return int64(p.Micros)
	})
	define("trino_to_picos", "string, int, string -> string", func(a []any) any {
		p, ok := textTimestamp(a[0].(string), int(a[1].(int32)), a[2].(string))
		if !ok {
			return nil
		}
		return PicosOf(p).String()
	})
	define("trino_to_time_picos", "string, int -> string", func(a []any) any {
		picos, _, ok := trinoClock(strings.TrimSpace(a[0].(string)))
		if !ok {
			return nil
		}
		return strconv.FormatInt(roundClock(picos, int(a[1].(int32))), 10)
	})
	define("trino_to_time_tz", "string, int, int -> string", func(a []any) any {
		c, _, ok := trinoZonedClock(a[0].(string), a[2].(int32))
		if !ok {
			return nil
		}
		c.Picos = roundClock(c.Picos, int(a[1].(int32)))
		return PackClock(c.Clock).String()
	})
	define("trino_json_quote", "string -> string", func(a []any) any { return jsonpath.Quote(a[0].(string)) })
	define("trino_json_double", "double -> string", func(a []any) any {
		f := a[0].(float64)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return `"` + types.Text(types.Of(types.Double), f, nil) + `"`
		}
		return types.Text(types.Of(types.Double), f, nil)
	})
	define("trino_json_parse", "string -> string", func(a []any) any {
		v, err := canonicalJSON(a[0].(string))
		if err != nil {
			return nil
		}
		return v
	})
	define("trino_json_scalar", "string -> string", func(a []any) any { return jsonScalar(a[0].(string)) })
	define("trino_json_elements", "string -> strings", func(a []any) any {
		var list []json.RawMessage
		if json.Unmarshal([]byte(a[0].(string)), &list) != nil {
			return nil
		}
		return rawTexts(list)
	})
	define("trino_json_keys", "string -> strings", func(a []any) any {
		keys, _, ok := jsonMembers(a[0].(string))
		if !ok {
			return nil
		}
		return keys
	})
	define("trino_json_values", "string -> strings", func(a []any) any {
		_, values, ok := jsonMembers(a[0].(string))
		if !ok {
			return nil
		}
		return values
	})
	define("trino_json_field", "string, string, int -> string", func(a []any) any {
		return jsonField(a[0].(string), a[1].(string), int(a[2].(int32)))
	})
}

// trinoFloatText is a number as CAST(x AS varchar) writes it: with one digit before the point, and an exponent.
func trinoFloatText(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if f == 0 {
		return strconv.FormatFloat(f, 'f', 0, bits) + "E0"
	}
	text := strconv.FormatFloat(f, 'E', -1, bits)
	m, _, _ := strings.Cut(text, "E")
	_, fraction, _ := strings.Cut(m, ".")
	switch {
	case fraction == "": // Java writes two digits at least, and those nearest to the number
		text = strconv.FormatFloat(f, 'E', 1, 64)
	case bits == 32 && len(fraction) > 6:
		text = strconv.FormatFloat(shortest(f), 'E', 6, 64)
	}
	m, e, _ := strings.Cut(text, "E")
	if m, _ = strings.CutSuffix(m, ".000000"); strings.Contains(m, ".") {
		m = strings.TrimRight(m, "0")
	}
	if !strings.Contains(m, ".") {
		m += ".0"
	} else if strings.HasSuffix(m, ".") {
		m += "0"
	}
	n, _ := strconv.Atoi(e)
	return m + "E" + strconv.Itoa(n)
}

// shortest is the number that the shortest text of a real stands for.
func shortest(f float64) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 32), 64)
	return out
}

var javaNumber = regexp.MustCompile(`^[+-]?(NaN|Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?)$`)

// javaDouble reads a number as Java's Double.parseDouble does.
func javaDouble(s string) (float64, bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' || unicode.IsSpace(r) && r < 0x80 })
	if !javaNumber.MatchString(s) {
		return 0, false
	}
	if strings.HasSuffix(s, "NaN") {
		return math.NaN(), true
	}
	if !strings.HasSuffix(s, "Infinity") {
		s = strings.TrimRight(s, "dDfF")
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil || math.IsInf(f, 0)
}

// textTimestamp reads a timestamp's text for a type of some digits; zone is where a wall clock is, empty for a type without zone,
// which takes the wall clock of a text with one.
func textTimestamp(text string, digits int, zone string) (types.Picos, bool) {
	t, v, ok := trinoTimestamp(text, false)
	switch {
	case !ok:
		return v, false
	case zone == "" && t.Kind == types.Timestamp:
		at := time.UnixMicro(int64(v.Micros)).In(types.Location(t.Zone))
		_, offset := at.Zone()
		v.Micros += types.Micros(offset) * 1e6
	case zone != "" && t.Kind == types.TimestampNTZ:
		v = wallInZone(v, zone)
	}
	return roundPicos(v, digits), true
}

// roundPicos rounds half up to digits of a second's fraction.
func roundPicos(p types.Picos, digits int) types.Picos {
	unit := int64(1)
	for range 12 - digits {
		unit *= 10
	}
	if unit <= picosInMicro {
		rest := (int64(p.Rest) + unit/2) / unit * unit
		return types.Picos{Micros: p.Micros + types.Micros(rest/picosInMicro), Rest: int32(rest % picosInMicro)}
	}
	unit /= picosInMicro
	us := int64(p.Micros) + unit/2
	return types.Picos{Micros: types.Micros(us - floorMod(us, unit))}
}

// roundClock rounds the picoseconds of a day half up; midnight comes after its end.
func roundClock(picos int64, digits int) int64 {
	unit := int64(1)
	for range 12 - digits {
		unit *= 10
	}
	return (picos + unit/2) / unit * unit % types.DayPicos
}

func rawTexts(list []json.RawMessage) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = string(x)
	}
	return out
}

// jsonScalar is the text of a JSON scalar, without a string's quotes; nil for null, arrays and objects.
func jsonScalar(text string) any {
	var s string
	switch {
	case text == "null" || text == "" || text[0] == '[' || text[0] == '{':
		return nil
	case text[0] == '"' && json.Unmarshal([]byte(text), &s) == nil:
		return s
	}
	return text
}

// jsonMembers are an object's keys and its values' texts, in the order of the text.
func jsonMembers(text string) (keys, values []any, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, false
	}
	keys, values = []any{}, []any{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, nil, false
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, nil, false
		}
		keys, values = append(keys, k), append(values, string(v))
	}
	return keys, values, true
}

// jsonField is the member of an object by name, or of an array by place; nil if it is not there.
func jsonField(text, name string, at int) any {
	if keys, values, ok := jsonMembers(text); ok {
		for i, k := range keys {
			if strings.EqualFold(k.(string), name) {
				return values[i]
			}
		}
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal([]byte(text), &list) == nil && at < len(list) {
		return string(list[at])
	}
	return nil
}
