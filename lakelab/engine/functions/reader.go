package functions

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// from_json and from_csv read a text in Go, by Spark's rules, and hand it over as plain JSON in which every value has the form that
// DuckDB's json_transform takes for its type: numbers as numbers, timestamps as microseconds, bytes in hex, dates in ISO form.
// PrintRead says how that becomes the value.

// reader reads texts into one type with one set of options.
type reader struct {
	t            types.Type
	options      map[string]string // by lower-case name
	zone         *time.Location
	flags        jsonFlags
	date, moment []patternPart // the formats, if the options give them
}

var readers memo[*reader] // by the arguments of readerFor

// readerFor makes the reader of a type written as DDL; options are written name\x1fvalue\x1fname….
func readerFor(ddl, options, zone string) (*reader, error) {
	key := ddl + "\x1e" + options + "\x1e" + zone
	if r, ok := readers.load(key); ok {
		return r, nil
	}
	name, err := sql.ParseType(ddl)
	if err != nil {
		return nil, err
	}
	t, err := TypeOf(sql.Spark, name)
	if err != nil {
		return nil, err
	}
	loc, _ := types.Zone(zone)
	if loc == nil {
		loc = time.UTC
	}
	r := &reader{t: t, options: splitOptions(options), zone: loc}
	r.flags = jsonFlagsOf(r.options)
	if z := r.options["timezone"]; z != "" {
		if l, ok := types.Zone(z); ok {
			r.zone = l
		}
	}
	if f := r.options["dateformat"]; f != "" {
		r.date, _ = parsePattern(f)
	}
	if f := r.options["timestampformat"]; f != "" {
		r.moment, _ = parsePattern(f)
	}
	readers.store(key, r)
	return r, nil
}

func splitOptions(s string) map[string]string {
	out := map[string]string{}
	parts := strings.Split(s, "\x1f")
	for i := 0; i+1 < len(parts); i += 2 {
		out[strings.ToLower(parts[i])] = parts[i+1]
	}
	return out
}

func jsonFlagsOf(o map[string]string) jsonFlags {
	yes := func(name string) bool { return strings.EqualFold(o[name], "true") }
	return jsonFlags{
		noSingleQuotes: strings.EqualFold(o["allowsinglequotes"], "false"), leadingZeros: yes("allownumericleadingzeros"), unquotedNames: yes("allowunquotedfieldnames"),
		comments: yes("allowcomments"), anyEscape: yes("allowbackslashescapinganycharacter"), noNaN: strings.EqualFold(o["allownonnumericnumbers"], "false"),
		controls: yes("allowunquotedcontrolchars"),
	}
}

// json reads a JSON text; bad is set where the text, or a value in it, is not what the type wants.
func (r *reader) json(text string) (out any, bad bool) {
	n, _, ok := parseJSON(text, r.flags)
	switch {
	case !ok:
		return r.nothing(text), true
	case n == nil:
		return nil, false
	}
	if r.t.Kind == types.Struct && n.kind == '[' {
		// An array where one row is wanted: its first object, if it has just one.
		if len(n.kids) == 1 && n.kids[0].kind == '{' {
			n = n.kids[0]
		} else {
			return r.nothing(text), true
		}
	}
	if r.t.Kind == types.Array && r.t.Elem.Kind == types.Struct && n.kind == '{' {
		n = &jsonNode{kind: '[', kids: []*jsonNode{n}}
	}
	v, ok := r.value(r.t, n)
	if !ok && v == nil {
		v = r.nothing(text)
	} else if !ok {
		r.corrupt(v, text)
	}
	return v, !ok
}

// nothing is what a text that cannot be read becomes: a row of NULLs.
func (r *reader) nothing(text string) any {
	if r.t.Kind != types.Struct {
		return nil
	}
	row := map[string]any{}
	r.corrupt(row, text)
	return row
}

// corrupt keeps a text that could not be read in the column for such texts, if the type has it.
func (r *reader) corrupt(row any, text string) {
	m, ok := row.(map[string]any)
	name := r.options["columnnameofcorruptrecord"]
	if name == "" {
		name = "_corrupt_record"
	}
	if !ok {
		return
	}
	for i, f := range r.t.Fields {
		if f.Name == name && f.Type.Kind == types.String {
			m[fieldKey(i)] = text
		}
	}
}

// fieldKey is a struct's field in the JSON handed over: names may differ in case only, positions don't.
func fieldKey(i int) string { return "f" + itoa(i) }

// value converts one value. What does not fit is nil and not ok; an object or an array keeps what fits.
func (r *reader) value(t types.Type, n *jsonNode) (any, bool) {
	if n.kind == 'n' {
		return nil, true
	}
	switch t.Kind {
	case types.Struct:
		if n.kind != '{' {
			return nil, false
		}
		row, good := map[string]any{}, true
		for i, k := range n.keys {
			for j, f := range t.Fields {
				if f.Name != k {
					continue
				}
				v, ok := r.value(f.Type, n.kids[i])
				good = good && ok
				row[fieldKey(j)] = v
				break
			}
		}
		return row, good
	case types.Array:
		if n.kind != '[' {
			return nil, false
		}
		list, good := make([]any, len(n.kids)), true
		for i, k := range n.kids {
			v, ok := r.value(*t.Elem, k)
			list[i], good = v, good && ok
		}
		return list, good
	case types.Map:
		if n.kind != '{' {
			return nil, false
		}
		var entries []any
		good := true
		for i, k := range n.kids {
			v, ok := r.value(*t.Value, k)
			good = good && ok
			entries = append(entries, map[string]any{"k": n.keys[i], "v": v})
		}
		if entries == nil {
			entries = []any{}
		}
		return entries, good
	case types.String:
		if n.kind == '"' {
			return n.text, true
		}
		return n.String(), true
	case types.Boolean:
		return n.kind == 't', n.kind == 't' || n.kind == 'f'
	}
	if n.kind == '"' {
		return r.quoted(t, n.text)
	}
	if n.kind != '0' {
		return nil, false
	}
	whole, isWhole := n.whole()
	switch t.Kind {
	case types.Byte, types.Short, types.Int, types.Long:
		if isWhole && whole.IsInt64() && fitsInt(whole.Int64(), t) {
			return jsonNumber(whole.String()), true
		}
	case types.Float, types.Double:
		return float(n.text)
	case types.Decimal:
		return decimalText(n.text, t)
	case types.Timestamp:
		if isWhole && whole.IsInt64() {
			return jsonNumber(new(big.Int).Mul(whole, big.NewInt(1e6)).String()), true
		}
	}
	return nil, false
}

// jsonNumber is a number to be written as it stands.
type jsonNumber string

// float is a number, or one of the words for what is none.
func float(s string) (any, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return nil, false
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), true
	}
	return jsonNumber(strconv.FormatFloat(f, 'g', -1, 64)), true
}

var floatWords = map[string]string{"NaN": "nan", "Infinity": "inf", "+Infinity": "inf", "INF": "inf", "+INF": "inf", "-Infinity": "-inf", "-INF": "-inf"}

// decimalText rounds a number to a decimal's scale, half up.
func decimalText(s string, t types.Type) (any, bool) {
	v, ok := new(big.Rat).SetString(s)
	if !ok || strings.ContainsAny(s, "/_xXpP") {
		return nil, false
	}
	scaled := new(big.Rat).Mul(v, new(big.Rat).SetInt(pow10(t.Scale)))
	digits := halfUp(scaled.Num(), scaled.Denom())
	if len(new(big.Int).Abs(digits).String()) > t.Precision {
		return nil, false
	}
	return placePoint(digits, t.Scale), true
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// placePoint writes unscaled digits with a decimal point.
func placePoint(digits *big.Int, scale int) string {
	s := new(big.Int).Abs(digits).String()
	for len(s) <= scale {
		s = "0" + s
	}
	if scale > 0 {
		s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	}
	if digits.Sign() < 0 {
		s = "-" + s
	}
	return s
}

// hexText is the form of bytes in what a reader hands over.
func hexText(s string) string { return hex.EncodeToString([]byte(s)) }

// quoted converts a text to a type that is not text.
func (r *reader) quoted(t types.Type, s string) (any, bool) {
	switch t.Kind {
	case types.Float, types.Double:
		if w, ok := floatWords[s]; ok {
			return w, true
		}
	case types.Decimal:
		return decimalText(s, t)
	case types.Binary:
		b, err := base64.StdEncoding.DecodeString(s)
		return hexText(string(b)), err == nil
	case types.Date, types.Timestamp, types.TimestampNTZ:
		return r.time(t, s)
	case types.YearMonthInterval, types.DayTimeInterval:
		v, ok := intervalText(s, t)
		return jsonNumber(strconv.FormatInt(v, 10)), ok
	}
	return nil, false
}

// time reads a date or a timestamp by the option's format, else as a cast does.
func (r *reader) time(t types.Type, s string) (any, bool) {
	format := r.moment
	if t.Kind == types.Date {
		format = r.date
	}
	var v time.Time
	var zoned, ok bool
	if format != nil {
		var problem string
		v, zoned, problem = readTime(s, format)
		ok = problem == ""
	} else {
		v, zoned, ok = parseTimestamp(s)
	}
	if !ok {
		return nil, false
	}
	switch t.Kind {
	case types.Date:
		return v.Format("2006-01-02"), true
	case types.Timestamp:
		if !zoned {
			v = time.Date(v.Year(), v.Month(), v.Day(), v.Hour(), v.Minute(), v.Second(), v.Nanosecond(), r.zone)
		}
	}
	return jsonNumber(strconv.FormatInt(v.UnixMicro(), 10)), true
}

// writePlain writes what a reader made as JSON.
func writePlain(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case jsonNumber:
		b.WriteString(string(v))
	case string:
		quoteJSON(b, v)
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writePlain(b, x)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		first := true
		for k, x := range v {
			if !first {
				b.WriteByte(',')
			}
			first = false
			quoteJSON(b, k)
			b.WriteByte(':')
			writePlain(b, x)
		}
		b.WriteByte('}')
	}
}

// plainShape is a type as json_transform takes it.
func plainShape(t types.Type) string {
	switch t.Kind {
	case types.Array:
		return "[" + plainShape(*t.Elem) + "]"
	case types.Map:
		return `[{"k": "VARCHAR", "v": ` + plainShape(*t.Value) + "}]"
	case types.Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = `"` + fieldKey(i) + `": ` + plainShape(f.Type)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case types.Binary, types.Decimal, types.Float, types.Double:
		return `"VARCHAR"`
	case types.Timestamp, types.TimestampNTZ:
		return `"BIGINT"`
	}
	return `"` + DuckType(t) + `"`
}

// fromPlain makes the value of what json_transform gives for plainShape.
func fromPlain(t types.Type, s string, depth int) string {
	p := "_r" + itoa(depth)
	switch t.Kind {
	case types.Array:
		return typedAs(t, "list_transform("+s+", lambda "+p+": "+fromPlain(*t.Elem, p, depth+1)+")")
	case types.Map:
		key := typedAs(*t.Key, p+".k")
		return typedAs(t, "map_from_entries(list_transform("+s+", lambda "+p+": {'k': "+key+", 'v': "+fromPlain(*t.Value, p+".v", depth+1)+"}))")
	case types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				parts[i] = ident(f.Name) + ": " + fromPlain(f.Type, v+"."+fieldKey(i), depth+1)
			}
			return "CASE WHEN " + v + " IS NOT NULL THEN " + typedAs(t, "{"+join(parts)+"}") + " END"
		})
	case types.Binary:
		return "unhex(" + s + ")"
	case types.Timestamp:
		return "make_timestamptz(" + s + ")"
	case types.TimestampNTZ:
		return "make_timestamp(" + s + ")"
	}
	return typedAs(t, s)
}

// printRead prints the call of a reading function: text is the argument, read the UDF.
func printRead(t types.Type, read, text, options string) string {
	return fromPlain(t, "json_transform("+read+"("+text+", "+quote(t.SQL())+", "+quote(options)+", current_setting('TimeZone')), "+quote(plainShape(t))+")", 0)
}
