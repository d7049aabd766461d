package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	both(
		row("json_array_length(json)", "string -> int?", "number of elements of a JSON array", "CASE WHEN json_valid($1) AND json_type($1) = 'ARRAY' THEN CAST(json_array_length($1) AS INTEGER) END"),
	)
	spark(
		row("get_json_object(json, path)", "string, string -> string?", "what stands at a path such as $.a[0].b, as text", "CASE WHEN json_valid($1) THEN spark_json_path($1, $2) END"),
		ruled("json_object_keys(json)", "array of the keys of a JSON object", func(c *expr.Call) error {
			err := parseRule("string -> string?").resolve(c)
			c.T = types.ArrayOf(types.Of(types.String), true)
			return err
		}, tmpl("CASE WHEN json_valid($1) AND json_type($1) = 'OBJECT' THEN json_keys($1) END")),
		ruled("to_json(expr[, options])", "a struct, map or array as JSON; fields that are NULL are left out", func(c *expr.Call) error {
			if len(c.Args) == 2 {
				return errclass.Unsupported("options of to_json")
			}
			if len(c.Args) != 1 {
				return errclass.WrongNumArgs("to_json", "[1, 2]", len(c.Args))
			}
			if k := c.Args[0].Type().Kind; k != types.Struct && k != types.Map && k != types.Array {
				return errclass.UnexpectedInputTypes("to_json", 1, c.Args[0].Type(), `("STRUCT" or "MAP" or "ARRAY" or "VARIANT")`)
			}
			c.T, c.Null = types.Of(types.String), c.Args[0].Nullable()
			return nil
		}, func(c *expr.Call, a []string) string { return jsonOf(c.Args[0].Type(), a[0], 0) }),
		looks("from_json($1)", ruled("from_json(json, schema[, options])", "JSON read into a type; what does not fit is NULL", fromJSONRule, func(c *expr.Call, a []string) string {
			return let(a[0], func(v string) string {
				empty := "NULL"
				if c.T.Kind == types.Struct {
					empty = Null(c.T) // malformed text gives a struct of NULLs
				}
				shape := jsonShape(c.T)
				return "CASE WHEN " + v + " IS NULL THEN NULL WHEN NOT json_valid(" + v + ") OR json_type(" + v + ") NOT IN ('OBJECT', 'ARRAY') THEN " + empty + " ELSE " + fromJSONText(c.T, "json_transform("+v+", "+quote(shape)+")") + " END"
			})
		})),
		ruled("schema_of_json(json)", "the type of a JSON text, as DDL", func(c *expr.Call) error {
			err := parseRule("string -> string!").resolve(c)
			if err == nil {
				if _, ok := constantString(c.Args[0]); !ok {
					return errclass.NonFoldable("schema_of_json", 1, types.Of(types.String))
				}
			}
			return err
		}, func(c *expr.Call, a []string) string {
			s, _ := constantString(c.Args[0])
			return quote(schemaOfJSON(s))
		}),
	)
	trino(
		row("json_extract_scalar(json, path)", "string, string -> string?", "the scalar at a path, as text", "CASE WHEN json_valid($1) THEN CASE WHEN json_type($1, $2) NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string($1, $2) END END"),
		row("json_extract(json, path)", "string, string -> string?", "what stands at a path, as JSON", "CASE WHEN json_valid($1) THEN CAST(json_extract($1, $2) AS VARCHAR) END"),
		row("json_parse(text)", "string -> string", "text as JSON", "CAST(CAST($1 AS JSON) AS VARCHAR)"), row("json_format(json)", "string -> string", "JSON as text", "$1"),
	)
}

// Null is a struct whose fields are all NULL.
func Null(t types.Type) string {
	parts := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		parts[i] = ident(f.Name) + ": CAST(NULL AS " + DuckType(f.Type) + ")"
	}
	return typedAs(t, "{"+join(parts)+"}")
}

// jsonOf prints a value as JSON text.
func jsonOf(t types.Type, s string, depth int) string {
	p := "_j" + itoa(depth)
	inner := func(t types.Type, s string) string { return "coalesce(" + jsonOf(t, s, depth+1) + ", 'null')" }
	switch t.Kind {
	case types.Null:
		return "CAST(NULL AS VARCHAR)"
	case types.String, types.UUID:
		return "CAST(to_json(CAST(" + s + " AS VARCHAR)) AS VARCHAR)"
	case types.Boolean, types.Byte, types.Short, types.Int, types.Long, types.Decimal:
		return textOf(t, s)
	case types.Float, types.Double:
		return let(s, func(v string) string {
			return "CASE WHEN isfinite(" + v + ") THEN " + textOf(t, v) + " ELSE '\"' || " + textOf(t, v) + " || '\"' END"
		})
	case types.Timestamp:
		return "('\"' || spark_format_time(CAST(" + s + " AS TIMESTAMP), 'yyyy-MM-dd''T''HH:mm:ss.SSSXXX', current_setting('TimeZone')) || '\"')"
	case types.TimestampNTZ:
		return "('\"' || strftime(" + s + ", '%Y-%m-%dT%H:%M:%S.%g') || '\"')"
	case types.Binary:
		return "('\"' || to_base64(" + s + ") || '\"')"
	case types.Array:
		return "('[' || array_to_string(list_transform(" + s + ", lambda " + p + ": " + inner(*t.Elem, p) + "), ',') || ']')"
	case types.Map:
		return "('{' || array_to_string(list_transform(map_entries(" + s + "), lambda " + p + ": CAST(to_json(" + textAt(*t.Key, p+".key", depth+1) + ") AS VARCHAR) || ':' || " + inner(*t.Value, p+".value") + "), ',') || '}')"
	case types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				key := `"` + strings.ReplaceAll(strings.ReplaceAll(f.Name, `\`, `\\`), `"`, `\"`) + `":`
				parts[i] = quote(key) + " || " + jsonOf(f.Type, fieldAt(v, i), depth+1)
			}
			if len(parts) == 0 {
				return "'{}'"
			}
			return "CASE WHEN " + v + " IS NOT NULL THEN '{' || concat_ws(',', " + join(parts) + ") || '}' END"
		})
	}
	return "('\"' || " + textOf(t, s) + " || '\"')"
}

func fromJSONRule(c *expr.Call) error {
	if n := len(c.Args); n != 2 {
		if n == 3 {
			return errclass.Unsupported("options of from_json")
		}
		return errclass.WrongNumArgs("from_json", "[2, 3]", n)
	}
	x, ok := Coerce(c.Args[0], types.Of(types.String))
	if !ok {
		return errclass.UnexpectedInputType("from_json", 1, c.Args[0].Type(), types.Of(types.String))
	}
	c.Args[0] = x
	ddl, ok := constantString(c.Args[1])
	if k, is := c.Args[1].(*expr.Call); is && k.Func.Name == "schema_of_json" {
		s, _ := constantString(k.Args[0])
		ddl, ok = schemaOfJSON(s), true
	}
	if !ok {
		return errclass.NonFoldable("from_json", 2, types.Of(types.String))
	}
	t, err := schemaType(ddl)
	if err != nil {
		return err
	}
	c.T, c.Null = allNullable(t), true
	return nil
}

// schemaType reads `a INT, b STRING` or a type.
func schemaType(ddl string) (types.Type, error) {
	if t, err := sql.ParseType(ddl); err == nil {
		return TypeOf(sql.Spark, t)
	}
	cols, err := sql.ParseSchema(ddl)
	if err != nil {
		return types.Type{}, err
	}
	return TypeOf(sql.Spark, &sql.TypeName{Name: "STRUCT", Fields: cols})
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

// jsonShape is a type as json_transform takes it. Dates and times are read as text first: their formats are Spark's.
func jsonShape(t types.Type) string {
	switch t.Kind {
	case types.Array:
		return "[" + jsonShape(*t.Elem) + "]"
	case types.Map:
		return `"MAP(VARCHAR, ` + strings.Trim(jsonShape(*t.Value), `"`) + `)"`
	case types.Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = `"` + f.Name + `": ` + jsonShape(f.Type)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case types.Date, types.Timestamp, types.TimestampNTZ, types.Binary:
		return `"VARCHAR"`
	}
	return `"` + DuckType(t) + `"`
}

// fromJSONText casts what json_transform left as text.
func fromJSONText(t types.Type, s string) string {
	return PrintCast(&expr.Cast{Try: true, X: &expr.Lit{Base: expr.Base{T: jsonType(t)}, Value: struct{}{}}, Base: expr.Base{T: t}}, s)
}

func jsonType(t types.Type) types.Type {
	switch t.Kind {
	case types.Array:
		return types.ArrayOf(jsonType(*t.Elem), true)
	case types.Map:
		return types.MapOf(types.Of(types.String), jsonType(*t.Value), true)
	case types.Struct:
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = types.Field{Name: f.Name, Type: jsonType(f.Type), Nullable: true}
		}
		return types.StructOf(fields...)
	case types.Date, types.Timestamp, types.TimestampNTZ, types.Binary:
		return types.Of(types.String)
	}
	return t
}
