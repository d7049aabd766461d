package functions

import (
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// csvFormat are the options of CSV that change how a line is cut.
type csvFormat struct {
	sep, null           string
	quote, escape       byte
	trimLeft, trimRight bool
}

func csvFormatOf(o map[string]string) csvFormat {
	f := csvFormat{sep: ",", quote: '"', escape: '\\', trimLeft: strings.EqualFold(o["ignoreleadingwhitespace"], "true"), trimRight: strings.EqualFold(o["ignoretrailingwhitespace"], "true")}
	for _, k := range []string{"delimiter", "sep"} {
		if o[k] != "" {
			f.sep = strings.ReplaceAll(o[k], `\t`, "\t")
		}
	}
	if q, ok := o["quote"]; ok {
		f.quote = 0
		if q != "" {
			f.quote = q[0]
		}
	}
	if o["escape"] != "" {
		f.escape = o["escape"][0]
	}
	f.null = o["nullvalue"]
	return f
}

// split cuts a line into its fields; nil is a field that holds nothing.
func (f csvFormat) split(line string) []any {
	var out []any
	for i := 0; ; {
		var b strings.Builder
		quoted := false
		if f.quote != 0 && i < len(line) && line[i] == f.quote {
			quoted = true
			for i++; i < len(line); i++ {
				if line[i] == f.escape && i+1 < len(line) && (line[i+1] == f.quote || line[i+1] == f.escape) {
					i++
				} else if line[i] == f.quote {
					if i+1 < len(line) && line[i+1] == f.quote {
						i++
					} else {
						i++
						break
					}
				}
				b.WriteByte(line[i])
			}
		}
		rest := line[min(i, len(line)):]
		end := strings.Index(rest, f.sep)
		last := end < 0
		if last {
			end = len(rest)
		}
		b.WriteString(rest[:end])
		v := b.String()
		if !quoted && f.trimLeft {
			v = strings.TrimLeft(v, " ")
		}
		if !quoted && f.trimRight {
			v = strings.TrimRight(v, " ")
		}
		if v == f.null && !quoted || v == "" && !quoted {
			out = append(out, nil)
		} else {
			out = append(out, v)
		}
		if last {
			return out
		}
		i += end + len(f.sep)
	}
}

func init() {
	failing("spark_read_csv", "string, string, string, string -> string", func(a []any) (any, error) {
		r, err := readerFor(a[1].(string), a[2].(string), a[3].(string))
		if err != nil {
			return nil, err
		}
		return r.plain(r.csv(a[0].(string)))
	})
	define("spark_schema_of_csv", "string, string -> string", func(a []any) any {
		return schemaText(true, a[0].(string), splitOptions(a[1].(string)))
	})
	define("spark_binary_text", "binary, string -> string", func(a []any) any { return types.BinaryText(a[0].([]byte), a[1].(string)) })
	define("spark_csv_field", "string, string, string, string -> string", func(a []any) any {
		f := csvFormatOf(map[string]string{"sep": a[1].(string), "quote": a[2].(string), "escape": a[3].(string)})
		return f.field(a[0].(string))
	})
}

// field writes a text so that split reads it again.
func (f csvFormat) field(s string) string {
	q := string(f.quote)
	if s != "" && !strings.Contains(s, f.sep) && !strings.ContainsAny(s, q+"\r\n") {
		return s
	}
	return q + strings.ReplaceAll(strings.ReplaceAll(s, string(f.escape), string([]byte{f.escape, f.escape})), q, string(f.escape)+q) + q
}

// csv reads a line into the reader's struct.
func (r *reader) csv(line string) (any, bool) {
	row := map[string]any{}
	values := csvFormatOf(r.options).split(line)
	bad := len(values) != len(r.t.Fields)
	for i, f := range r.t.Fields {
		if i >= len(values) || values[i] == nil {
			continue
		}
		v, ok := r.csvValue(f.Type, values[i].(string))
		bad = bad || !ok
		row[fieldKey(i)] = v
	}
	if bad {
		r.corrupt(row, line)
	}
	return row, bad
}

func (r *reader) csvValue(t types.Type, s string) (any, bool) {
	switch t.Kind {
	case types.String:
		return s, true
	case types.Boolean:
		v := strings.EqualFold(s, "true")
		return v, v || strings.EqualFold(s, "false")
	case types.Byte, types.Short, types.Int, types.Long:
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil || !fitsInt(v, t) {
			return nil, false
		}
		return jsonNumber(strconv.FormatInt(v, 10)), true
	case types.Float, types.Double:
		if w, ok := floatWords[s]; ok && w != "+Infinity" {
			return w, true
		}
		return float(strings.TrimSpace(s))
	case types.Binary:
		return hexText(s), true
	}
	return r.quoted(t, s)
}

// csvSchema is the struct that Spark infers for a line: _c0, _c1 ….
func csvSchema(line string, o map[string]string) types.Type {
	var fields []types.Field
	for i, v := range csvFormatOf(o).split(line) {
		t := types.Of(types.String)
		if s, ok := v.(string); ok {
			t = csvType(s)
		}
		fields = append(fields, types.Field{Name: "_c" + itoa(i), Type: t, Nullable: true})
	}
	return types.StructOf(fields...)
}

func csvType(s string) types.Type {
	r := &reader{}
	for _, k := range []types.Kind{types.Int, types.Long, types.Double, types.Date, types.Timestamp, types.Boolean} {
		if k == types.Date && len(s) != 10 {
			continue
		}
		if k == types.Timestamp && len(s) < 16 {
			continue
		}
		if r.zone == nil {
			r.zone, _ = types.Zone("UTC")
		}
		if _, ok := r.csvValue(types.Of(k), s); ok {
			return types.Of(k)
		}
	}
	return types.Of(types.String)
}

// printToCSV joins the fields of a struct.
func printToCSV(c *expr.Call, a []string) string {
	t := c.Args[0].Type()
	if t.Kind == types.Null {
		return "CAST(NULL AS VARCHAR)"
	}
	o := c.Extra.(map[string]string)
	f := csvFormatOf(o)
	w := csvWriter{jsonWriterOf(o), "", o[binaryStyle]}
	if _, ok := o["nullvalue"]; ok {
		w.null = " " + f.null
	}
	return let(a[0], func(v string) string {
		parts := make([]string, len(t.Fields))
		for i, field := range t.Fields {
			x := fieldAt(v, i)
			text := w.csvText(field.Type, x, 0)
			parts[i] = "coalesce(spark_csv_field(" + text + ", " + quote(f.sep) + ", " + quote(string(f.quote)) + ", " + quote(string(f.escape)) + "), " + quote(f.null) + ")"
		}
		if len(t.Fields) == 1 && f.null == "" {
			// An empty line is none.
			return "CASE WHEN " + fieldAt(v, 0) + " IS NOT NULL THEN " + parts[0] + " END"
		}
		return "CASE WHEN " + v + " IS NOT NULL THEN " + strings.Join(parts, " || "+quote(f.sep)+" || ") + " END"
	})
}

// csvWriter prints values as fields of CSV. null is what stands in a collection for NULL.
type csvWriter struct {
	jsonWriter
	null   string
	binary string
}

// binaryStyle is the option under which a call of to_csv keeps the session's form of bytes: see ShowBytes.
const binaryStyle = "$binary"

// ShowBytes has a call of to_csv write bytes in a session's form (types.Format.Binary).
func ShowBytes(x expr.Expr, style string) {
	if c, ok := x.(*expr.Call); ok && style != "" {
		c.Extra.(map[string]string)[binaryStyle] = style
	}
}

// csvText is a value's text. depth names the lambdas' parameters, since one may stand inside another.
func (w csvWriter) csvText(t types.Type, s string, depth int) string {
	p := "_e" + itoa(depth)
	// after is a value behind others.
	after := func(space string, t types.Type, s string) string {
		return "coalesce(" + space + " || " + w.csvText(t, s, depth+1) + ", " + quote(w.null) + ")"
	}
	switch t.Kind {
	case types.Date, types.Timestamp, types.TimestampNTZ:
		return w.time(t, s)
	case types.Decimal:
		return "spark_scientific(" + textOf(t, s) + ")"
	case types.Binary:
		if w.binary != "" {
			return "spark_binary_text(" + s + ", " + quote(w.binary) + ")"
		}
		return `('[' || rtrim(regexp_replace(hex(` + s + `), '(..)', '\1 ', 'g')) || ']')`
	case types.Array:
		return "('[' || array_to_string(list_transform(" + s + ", lambda " + p + ", _i" + itoa(depth) + ": " + after("CASE WHEN _i"+itoa(depth)+" > 1 THEN ' ' ELSE '' END", *t.Elem, p) + "), ',') || ']')"
	case types.Map:
		return "('{' || array_to_string(list_transform(map_entries(" + s + "), lambda " + p + ": " + w.csvText(*t.Key, p+".key", depth+1) + " || ' ->' || " + after("' '", *t.Value, p+".value") + "), ', ') || '}')"
	case types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				space := "' '"
				if i == 0 {
					space = "''"
				}
				parts[i] = after(space, f.Type, fieldAt(v, i))
			}
			return "CASE WHEN " + v + " IS NOT NULL THEN '{' || " + strings.Join(parts, " || ',' || ") + " || '}' END"
		})
	}
	return textOf(t, s)
}
