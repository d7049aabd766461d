package lakelab

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// goValue gives a value of the wire the form that a cell works with. Only the type tells a date from a number.
func goValue(v any, t Type) any {
	switch x := v.(type) {
	case types.Days:
		return time.Unix(int64(x)*86400, 0).UTC()
	case types.Micros:
		at := time.UnixMicro(int64(x)).UTC()
		if t.Kind == types.Timestamp && engine.zone != nil {
			at = at.In(engine.zone)
		}
		return at
	case int64:
		if t.Kind == types.DayTimeInterval {
			return time.Duration(x) * time.Microsecond
		}
	case []any:
		switch t.Kind {
		case types.Struct:
			return Row{schema: &t, values: x}
		case types.Array:
			out := make([]any, len(x))
			for i, e := range x {
				out[i] = goValue(e, *t.Elem)
			}
			return out
		}
	case []types.Entry:
		if t.Kind == types.Map {
			m := make(map[any]any, len(x))
			for _, e := range x {
				k := goValue(e.Key, *t.Key)
				switch k.(type) {
				case []any, []byte, Row:
					k = python(e.Key, *t.Key) // no key of a Go map
				}
				m[k] = goValue(e.Value, *t.Value)
			}
			return m
		}
	}
	return v
}

// assign stores v into what target points to, if it fits without loss.
func assign(target, v any) bool {
	switch p := target.(type) {
	case *any:
		*p = v
		return true
	case *int64:
		return set(p, v)
	case *int:
		n, ok := v.(int64)
		*p = int(n)
		return ok && int64(*p) == n
	case *float64:
		switch x := v.(type) {
		case float32:
			*p = float64(x)
			return true
		case Decimal:
			f, err := strconv.ParseFloat(string(x), 64)
			*p = f
			return err == nil
		}
		return set(p, v)
	case *float32:
		return set(p, v)
	case *string:
		return set(p, v)
	case *bool:
		return set(p, v)
	case *[]byte:
		return set(p, v)
	case *Decimal:
		return set(p, v)
	case *time.Time:
		return set(p, v)
	case *time.Duration:
		return set(p, v)
	case *Row:
		return set(p, v)
	case *[]any:
		return set(p, v)
	case *[]int64:
		return setList(p, v)
	case *[]float64:
		return setList(p, v)
	case *[]string:
		return setList(p, v)
	case *[]bool:
		return setList(p, v)
	case *[]time.Time:
		return setList(p, v)
	case *map[any]any:
		return set(p, v)
	case *map[string]any:
		return setMap(p, v)
	case *map[string]string:
		return setMap(p, v)
	}
	return false
}

func set[T any](p *T, v any) bool {
	x, ok := v.(T)
	if ok {
		*p = x
	}
	return ok
}

func setList[T any](p *[]T, v any) bool {
	list, ok := v.([]any)
	if !ok {
		return false
	}
	out := make([]T, len(list))
	for i, x := range list {
		if !assign(&out[i], x) {
			return false
		}
	}
	*p = out
	return true
}

func setMap[T any](p *map[string]T, v any) bool {
	m, ok := v.(map[any]any)
	if !ok {
		return false
	}
	out := make(map[string]T, len(m))
	for k, x := range m {
		key, ok := k.(string)
		var item T
		if !ok || !assign(&item, x) {
			return false
		}
		out[key] = item
	}
	*p = out
	return true
}

// valueFor gives a Go value of a cell the form of a Spark type, for CreateDataFrame.
func valueFor(v any, t Type) (any, error) {
	if v == nil {
		return nil, nil
	}
	mismatch := &misfit{value: v, want: t, why: fmt.Sprintf("значение %v (%T) не подходит к типу %s", v, v, t.SimpleString())}
	switch t.Kind {
	case types.Boolean:
		if x, ok := v.(bool); ok {
			return x, nil
		}
	case types.Byte, types.Short, types.Int, types.Long:
		n, ok := integer(v)
		if !ok {
			return nil, mismatch
		}
		if shift := 64 - 8<<(t.Kind-types.Byte); n<<shift>>shift != n {
			mismatch.why = fmt.Sprintf("число %d не помещается в %s", n, t.SimpleString())
			return nil, mismatch
		}
		return n, nil
	case types.Float, types.Double:
		f, ok := float(v)
		if !ok {
			return nil, mismatch
		}
		if t.Kind == types.Float {
			return float32(f), nil
		}
		return f, nil
	case types.Decimal:
		return decimalFor(v, t)
	case types.String:
		if x, ok := v.(string); ok {
			return x, nil
		}
	case types.Binary:
		if x, ok := v.([]byte); ok {
			return x, nil
		}
	case types.Date:
		switch x := v.(type) {
		case types.Days:
			return x, nil
		case time.Time:
			year, month, day := x.Date()
			return types.Days(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86400), nil
		}
	case types.Timestamp:
		switch x := v.(type) {
		case types.Micros:
			return x, nil
		case time.Time:
			return types.Micros(x.UnixMicro()), nil
		}
	case types.TimestampNTZ:
		switch x := v.(type) {
		case types.Micros:
			return x, nil
		case time.Time:
			_, offset := x.Zone() // keep the wall clock
			return types.Micros(x.UnixMicro() + int64(offset)*1_000_000), nil
		}
	case types.DayTimeInterval:
		if x, ok := v.(time.Duration); ok {
			return x.Microseconds(), nil
		}
	case types.Array:
		if list, ok := elementsOf(v); ok {
			out := make([]any, len(list))
			for i, x := range list {
				w, err := valueFor(x, *t.Elem)
				if err != nil {
					return nil, inside(err, "element in array ", "элемент %d", i)
				}
				out[i] = w
			}
			return out, nil
		}
	case types.Map:
		return mapFor(v, t, mismatch)
	case types.Struct:
		var values []any
		if r, isRow := v.(Row); isRow {
			for i := range r.Len() {
				values = append(values, r.At(i))
			}
		} else if list, ok := partsOf(v, t); ok {
			values = list
		} else {
			return nil, mismatch
		}
		if len(values) != len(t.Fields) {
			return nil, fmt.Errorf("полей в значении %d, а в типе %s — %d", len(values), t.SimpleString(), len(t.Fields))
		}
		out := make([]any, len(values))
		for i, x := range values {
			w, err := valueFor(x, t.Fields[i].Type)
			if err != nil {
				return nil, inside(err, "field "+t.Fields[i].Name+" in ", "поле «%s»", t.Fields[i].Name)
			}
			out[i] = w
		}
		return out, nil
	}
	return nil, mismatch
}

// misfit is a value that a type does not take. place is where it lies within the row's value, as PySpark says it.
type misfit struct {
	value      any
	want       Type
	place, why string
}

func (m *misfit) Error() string { return m.why }

// inside says of an error where its value lies in another: place in PySpark's words, where in Russian.
func inside(err error, place, where string, args ...any) error {
	where = fmt.Sprintf(where, args...)
	if m, ok := err.(*misfit); ok {
		m.place, m.why = m.place+place, where+": "+m.why
		return m
	}
	return fmt.Errorf("%s: %w", where, err)
}

func mapFor(v any, t Type, mismatch error) (any, error) {
	entries, ok := v.([]types.Entry)
	if !ok {
		if entries, ok = entriesOf(v); !ok {
			return nil, mismatch
		}
	}
	out := make([]types.Entry, len(entries))
	for i, e := range entries {
		k, err := valueFor(e.Key, *t.Key)
		if err != nil {
			return nil, inside(err, "key of map ", "ключ")
		}
		w, err := valueFor(e.Value, *t.Value)
		if err != nil {
			return nil, inside(err, "value of map ", "ключ %v", e.Key)
		}
		out[i] = types.Entry{Key: k, Value: w}
	}
	return out, nil
}

func integer(v any) (int64, bool) {
	switch x := v.(type) {
	case int:
		return int64(x), true
	case int8:
		return int64(x), true
	case int16:
		return int64(x), true
	case int32:
		return int64(x), true
	case int64:
		return x, true
	case uint8:
		return int64(x), true
	case uint16:
		return int64(x), true
	case uint32:
		return int64(x), true
	}
	return 0, false
}

// float takes floating-point numbers, and integers that float64 holds exactly.
func float(v any) (float64, bool) {
	switch x := v.(type) {
	case float32:
		return float64(x), true
	case float64:
		return x, true
	}
	n, ok := integer(v)
	return float64(n), ok && n >= -1<<53 && n <= 1<<53
}

// decimalFor gives a number exactly t's scale; digits that don't fit are an error, not rounded away.
func decimalFor(v any, t Type) (any, error) {
	text := ""
	switch x := v.(type) {
	case Decimal:
		text = string(x)
	case string:
		text = x
	default:
		n, ok := integer(v)
		if !ok {
			return nil, fmt.Errorf("значение %v (%T) не подходит к типу %s: передайте Decimal или строку", v, v, t.SimpleString())
		}
		text = strconv.FormatInt(n, 10)
	}
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.TrimLeft(whole, "0")
	fraction = strings.TrimRight(fraction, "0")
	for _, c := range whole + fraction {
		if c < '0' || c > '9' {
			return nil, fmt.Errorf("%q — не десятичное число", text)
		}
	}
	if digits == "" || digits == "." {
		return nil, fmt.Errorf("%q — не десятичное число", text)
	}
	if len(whole) > t.Precision-t.Scale || len(fraction) > t.Scale {
		return nil, fmt.Errorf("число %s не помещается в %s", text, t.SimpleString())
	}
	if whole == "" {
		whole = "0"
	}
	fraction += strings.Repeat("0", t.Scale-len(fraction))
	if negative && strings.Trim(whole+fraction, "0") != "" {
		whole = "-" + whole
	}
	if t.Scale == 0 {
		return Decimal(whole), nil
	}
	return Decimal(whole + "." + fraction), nil
}

// python is Python's repr of a value, as PySpark's Row shows it.
func python(v any, t Type) string {
	switch x := v.(type) {
	case nil:
		return "None"
	case bool:
		if x {
			return "True"
		}
		return "False"
	case int64:
		if t.Kind == types.DayTimeInterval {
			return pythonDelta(x)
		}
		return strconv.FormatInt(x, 10)
	case float32:
		return pythonFloat(float64(x))
	case float64:
		return pythonFloat(x)
	case string:
		return pythonQuote(x, false)
	case []byte:
		return "bytearray(b" + pythonQuote(string(x), true) + ")"
	case Decimal:
		return "Decimal('" + pythonDecimal(string(x)) + "')"
	case types.Days:
		d := time.Unix(int64(x)*86400, 0).UTC()
		return fmt.Sprintf("datetime.date(%d, %d, %d)", d.Year(), d.Month(), d.Day())
	case types.Micros:
		at := goValue(v, t).(time.Time)
		s := fmt.Sprintf("datetime.datetime(%d, %d, %d, %d, %d", at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute())
		micros := at.Nanosecond() / 1000
		if at.Second() != 0 || micros != 0 {
			s += ", " + strconv.Itoa(at.Second())
		}
		if micros != 0 {
			s += ", " + strconv.Itoa(micros)
		}
		return s + ")"
	case []any:
		parts := make([]string, len(x))
		for i, e := range x {
			if t.Kind == types.Struct {
				parts[i] = t.Fields[i].Name + "=" + python(e, t.Fields[i].Type)
			} else {
				parts[i] = python(e, *t.Elem)
			}
		}
		if t.Kind == types.Struct {
			return "Row(" + strings.Join(parts, ", ") + ")"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []types.Entry:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = python(e.Key, *t.Key) + ": " + python(e.Value, *t.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// pythonFloat is Python's shortest text that reads back as the same number, with an exponent outside of 1e-4 … 1e16.
func pythonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f != 0 && (math.Abs(f) < 1e-4 || math.Abs(f) >= 1e16):
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// pythonQuote is the repr of a str, or of the bytes of a bytearray.
func pythonQuote(s string, isBytes bool) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && (isBytes || !strings.Contains(s, `"`)) && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteByte(quote)
	put := func(r rune) {
		switch {
		case r == '\\' || r == rune(quote):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\'' && isBytes: // bytearray's repr escapes it in any case
			b.WriteString(`\'`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r >= ' ' && r < 0x7f || !isBytes && r > 0x7f && strconv.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	if isBytes {
		for i := range len(s) {
			put(rune(s[i]))
		}
	} else {
		for _, r := range s {
			put(r)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

// pythonDecimal turns plain digits into Decimal's text, which has an exponent below 1E-6.
func pythonDecimal(s string) string {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	significant := strings.TrimLeft(whole+fraction, "0")
	if significant == "" {
		significant = "0"
	}
	point := len(significant) - len(fraction) // digits left of the point, if the number is written without leading zeros
	if point > -6 {
		return s
	}
	out := significant[:1]
	if len(significant) > 1 {
		out += "." + significant[1:]
	}
	out += "E" + strconv.Itoa(point-1)
	if negative {
		out = "-" + out
	}
	return out
}

// pythonDelta is the repr of a timedelta: days may be negative, seconds and microseconds are not.
func pythonDelta(micros int64) string {
	const day = 86400 * 1_000_000
	days := micros / day
	rest := micros % day
	if rest < 0 {
		days, rest = days-1, rest+day
	}
	var parts []string
	for _, p := range []struct {
		name string
		n    int64
	}{{"days", days}, {"seconds", rest / 1_000_000}, {"microseconds", rest % 1_000_000}} {
		if p.n != 0 {
			parts = append(parts, p.name+"="+strconv.FormatInt(p.n, 10))
		}
	}
	if len(parts) == 0 {
		return "datetime.timedelta(0)"
	}
	return "datetime.timedelta(" + strings.Join(parts, ", ") + ")"
}
