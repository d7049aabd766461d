package functions

import (
	"maps"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	spark(
		row("json_array_length(json)", "=string -> int?", "number of elements of a JSON array", "spark_json_array_length($1)"),
		row("get_json_object(json, path)", "=string, =string -> string?", "what stands at a path such as $.a[0].b, as text", "spark_json_path($1, $2)"),
		row("json_object_keys(json)", "=string -> texts?", "array of the keys of a JSON object", "spark_json_keys($1)"),
		ruled("to_json(expr[, options])", "a struct, map or array as JSON; fields that are NULL are left out", func(c *expr.Call) error {
			if n := len(c.Args); n < 1 || n > 2 {
				return errclass.WrongNumArgs("to_json", "[1, 2]", n)
			}
			o, err := optionsOf(c, 1)
			if err != nil {
				return err
			}
			if t := c.Args[0].Type(); t.Kind != types.Struct && t.Kind != types.Map && t.Kind != types.Array && t.Kind != types.Null {
				return errclass.InvalidJSONSchema(t)
			}
			c.T, c.Null, c.Extra = types.Of(types.String), true, jsonWriterOf(o)
			return nil
		}, func(c *expr.Call, a []string) string { return c.Extra.(jsonWriter).text(c.Args[0].Type(), a[0], 0) }),
		reading("from_json(json, schema[, options])", "JSON read into a type; what does not fit is NULL", "spark_read_json"),
		reading("from_csv(csv, schema[, options])", "a line of CSV read into a struct; what does not fit is NULL", "spark_read_csv"),
		schemaOf("schema_of_json(json[, options])", "the type of a JSON text, as DDL", "json", "spark_schema_of_json"),
		schemaOf("schema_of_csv(csv[, options])", "the type of a line of CSV, as DDL", "csv", "spark_schema_of_csv"),
		ruled("to_csv(struct[, options])", "a struct as a line of CSV", func(c *expr.Call) error {
			if n := len(c.Args); n < 1 || n > 2 {
				return errclass.WrongNumArgs("to_csv", "[1, 2]", n)
			}
			o, err := optionsOf(c, 1)
			if err != nil {
				return err
			}
			if t := c.Args[0].Type(); t.Kind != types.Struct && t.Kind != types.Null {
				return errclass.UnsupportedInput("to_csv", t)
			}
			c.T, c.Null, c.Extra = types.Of(types.String), true, o
			return nil
		}, printToCSV),
	)
	for _, name := range []string{"to_json", "from_json", "from_csv", "schema_of_json", "schema_of_csv", "to_csv"} {
		Lookup(sql.Spark, name).Pretty = func(c *expr.Call, a []string) string {
			if c.T.Kind == types.Map && name == "from_json" {
				return "entries" // so Spark names it
			}
			if len(a) == 0 {
				return name + "()"
			}
			return name + "(" + a[0] + ")"
		}
	}
	trino(
		row("json_array_length(json)", "string -> int?", "number of elements of a JSON array", "spark_json_array_length($1)"),
		row("json_extract_scalar(json, path)", "string, string -> string?", "the scalar at a path, as text", "CASE WHEN json_valid($1) THEN CASE WHEN json_type($1, $2) NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string($1, $2) END END"),
		row("json_extract(json, path)", "string, string -> string?", "what stands at a path, as JSON", "CASE WHEN json_valid($1) THEN CAST(json_extract($1, $2) AS VARCHAR) END"),
		row("json_parse(text)", "string -> string", "text as JSON", "CAST(CAST($1 AS JSON) AS VARCHAR)"), row("json_format(json)", "string -> string", "JSON as text", "$1"),
	)
}

// optionsOf reads the options at an argument: map('name', 'value', …) of constants. Names come in lower case.
func optionsOf(c *expr.Call, at int) (map[string]string, error) {
	o := map[string]string{}
	if at >= len(c.Args) {
		return o, nil
	}
	m, ok := c.Args[at].(*expr.Call)
	if !ok || m.Func.Name != "map" {
		return nil, errclass.OptionsNotMap()
	}
	if t := m.Type(); t.Key.Kind != types.String || t.Value.Kind != types.String {
		return nil, errclass.OptionsNotStrings(t)
	}
	for i := 0; i+1 < len(m.Args); i += 2 {
		k, ok1 := constantString(m.Args[i])
		v, ok2 := constantString(m.Args[i+1])
		if !ok1 || !ok2 {
			return nil, errclass.OptionsNotMap()
		}
		o[strings.ToLower(k)] = v
	}
	return o, nil
}

// joinOptions writes options as readerFor takes them, in a fixed order.
func joinOptions(o map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(o)) {
		parts = append(parts, k, o[k])
	}
	return strings.Join(parts, "\x1f")
}

// reading is from_json or from_csv, done by the UDF read.
func reading(signature, doc, read string) *expr.Func {
	return ruled(signature, doc, func(c *expr.Call) error {
		if n := len(c.Args); n < 2 || n > 3 {
			return errclass.WrongNumArgs(c.Func.Name, "[2, 3]", n)
		}
		ddl, ok := constantString(c.Args[1])
		if k, is := c.Args[1].(*expr.Call); is && (k.Func.Name == "schema_of_json" || k.Func.Name == "schema_of_csv") {
			text, _ := constantString(k.Args[0])
			opts, _ := optionsOf(k, 1)
			ddl, ok = schemaText(k.Func.Name == "schema_of_csv", text, opts), true
		}
		if !ok {
			return errclass.SchemaNotString(2)
		}
		t, err := schemaType(ddl)
		if err != nil {
			return errclass.OfArgument(err)
		}
		if c.Func.Name == "from_csv" && t.Kind != types.Struct {
			return errclass.SchemaNotStruct(t)
		}
		o, err := optionsOf(c, 2)
		if err != nil {
			return err
		}
		if k := c.Args[0].Type().Kind; k != types.String && k != types.Null {
			return errclass.UnexpectedInputType(c.Func.Name, 1, c.Args[0].Type(), types.Of(types.String))
		}
		c.Args[0], _ = Coerce(c.Args[0], types.Of(types.String))
		c.T, c.Null, c.Extra = allNullable(t), c.Func.Name == "from_json" || c.Args[0].Nullable(), joinOptions(o)
		return nil
	}, func(c *expr.Call, a []string) string { return printRead(c.T, read, a[0], c.Extra.(string)) })
}

// schemaOf is schema_of_json or schema_of_csv of a constant.
func schemaOf(signature, doc, what, infer string) *expr.Func {
	return ruled(signature, doc, func(c *expr.Call) error {
		if n := len(c.Args); n < 1 || n > 2 {
			return errclass.WrongNumArgs(c.Func.Name, "[1, 2]", n)
		}
		o, err := optionsOf(c, 1)
		if err != nil {
			return err
		}
		v, ok := constant(c.Args[0])
		switch {
		case ok && v == nil:
			return errclass.UnexpectedNull(what)
		case !ok:
			return errclass.NonFoldableInput(what, 1, types.Of(types.String))
		case c.Args[0].Type().Kind != types.String:
			return errclass.UnexpectedInputType(c.Func.Name, 1, c.Args[0].Type(), types.Of(types.String))
		}
		c.T, c.Extra = types.Of(types.String), joinOptions(o)
		return nil
	}, func(c *expr.Call, a []string) string {
		return infer + "(" + a[0] + ", " + quote(c.Extra.(string)) + ")"
	})
}

// jsonWriter prints values as JSON text, with to_json's options.
type jsonWriter struct {
	date, timestamp, ntz string // patterns
	keepNulls            bool
}

func jsonWriterOf(o map[string]string) jsonWriter {
	w := jsonWriter{date: "yyyy-MM-dd", timestamp: "yyyy-MM-dd'T'HH:mm:ss[.SSS][XXX]", ntz: "yyyy-MM-dd'T'HH:mm:ss[.SSS]", keepNulls: strings.EqualFold(o["ignorenullfields"], "false")}
	for name, p := range map[string]*string{"dateformat": &w.date, "timestampformat": &w.timestamp, "timestampntzformat": &w.ntz} {
		if o[name] != "" {
			*p = o[name]
		}
	}
	return w
}

// time is the text of a date or a time.
func (w jsonWriter) time(t types.Type, s string) string {
	pattern := map[types.Kind]string{types.Date: w.date, types.Timestamp: w.timestamp, types.TimestampNTZ: w.ntz}[t.Kind]
	return "spark_format_time(CAST(" + s + " AS TIMESTAMP), " + quote(pattern) + ", current_setting('TimeZone'))"
}

func (w jsonWriter) text(t types.Type, s string, depth int) string {
	p := "_j" + itoa(depth)
	inner := func(t types.Type, s string) string { return "coalesce(" + w.text(t, s, depth+1) + ", 'null')" }
	switch t.Kind {
	case types.Null:
		return "CAST(NULL AS VARCHAR)"
	case types.String, types.UUID:
		return "spark_json_quote(CAST(" + s + " AS VARCHAR))"
	case types.Decimal:
		if t.Scale > 6 {
			return "spark_scientific(" + textOf(t, s) + ")"
		}
		return textOf(t, s)
	case types.Boolean, types.Byte, types.Short, types.Int, types.Long:
		return textOf(t, s)
	case types.Float, types.Double:
		return let(s, func(v string) string {
			return "CASE WHEN isfinite(" + v + ") THEN " + textOf(t, v) + " ELSE '\"' || " + textOf(t, v) + " || '\"' END"
		})
	case types.Date, types.Timestamp, types.TimestampNTZ:
		return "('\"' || " + w.time(t, s) + " || '\"')"
	case types.Binary:
		return "('\"' || to_base64(" + s + ") || '\"')"
	case types.Array:
		return "('[' || array_to_string(list_transform(" + s + ", lambda " + p + ": " + inner(*t.Elem, p) + "), ',') || ']')"
	case types.Map:
		return "('{' || array_to_string(list_transform(map_entries(" + s + "), lambda " + p + ": spark_json_quote(" + jsonKey(*t.Key, p+".key", depth+1) + ") || ':' || " + inner(*t.Value, p+".value") + "), ',') || '}')"
	case types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				var key strings.Builder
				quoteJSON(&key, f.Name)
				value := w.text(f.Type, fieldAt(v, i), depth+1)
				if w.keepNulls {
					value = "coalesce(" + value + ", 'null')"
				}
				parts[i] = quote(key.String()+":") + " || " + value
			}
			if len(parts) == 0 {
				return "'{}'"
			}
			return "CASE WHEN " + v + " IS NOT NULL THEN '{' || concat_ws(',', " + join(parts) + ") || '}' END"
		})
	}
	return "spark_json_quote(" + textOf(t, s) + ")"
}

// schemaType reads `a INT, b STRING` or a type; the error is that of reading a type.
func schemaType(ddl string) (types.Type, error) {
	if cols, err := sql.ParseSchema(ddl); err == nil {
		if t, err := TypeOf(sql.Spark, &sql.TypeName{Name: "STRUCT", Fields: cols}); err == nil {
			return t, nil
		}
	}
	t, err := sql.ParseType(ddl)
	if err != nil {
		return types.Type{}, err
	}
	return TypeOf(sql.Spark, t)
}

func allNullable(t types.Type) types.Type {
	switch t.Kind {
	case types.Array:
		return types.ArrayOf(allNullable(*t.Elem), true)
	case types.Map:
		return types.MapOf(*t.Key, allNullable(*t.Value), true)
	case types.Struct:
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = types.Field{Name: f.Name, Type: allNullable(f.Type), Nullable: true}
		}
		return types.StructOf(fields...)
	}
	return t
}

// jsonKey is a map's key as Spark writes it: times and intervals as the numbers that they are inside.
func jsonKey(t types.Type, s string, depth int) string {
	switch t.Kind {
	case types.Date:
		return "CAST(" + s + " - DATE '1970-01-01' AS VARCHAR)"
	case types.Timestamp, types.TimestampNTZ:
		return "CAST(epoch_us(" + s + ") AS VARCHAR)"
	case types.DayTimeInterval, types.YearMonthInterval:
		return "CAST(" + s + " AS VARCHAR)"
	}
	return textAt(t, s, depth)
}
