package functions

import (
	"maps"
	"slices"

	"mini-lakehouse-lab/lakelab"
)

// Functions on JSON, CSV and XML texts.

// JSONArrayLength: number of elements of a JSON array (json_array_length).
func JSONArrayLength(col any) lakelab.Column { return call("json_array_length", col) }

// JSONObjectKeys: array of the keys of a JSON object (json_object_keys).
func JSONObjectKeys(col any) lakelab.Column { return call("json_object_keys", col) }

// ParseJSON: VARIANT of a JSON text (parse_json).
func ParseJSON(col any) lakelab.Column { return call("parse_json", col) }

// TryParseJSON: ParseJSON that gives NULL for no JSON (try_parse_json).
func TryParseJSON(col any) lakelab.Column { return call("try_parse_json", col) }

// GetJSONObject is what a path such as "$.a.b" finds in a JSON text, as a string (get_json_object).
func GetJSONObject(col any, path string) lakelab.Column {
	return call("get_json_object", col, lit(path))
}

// JSONTuple gives fields of a JSON object as columns c0, c1 … (json_tuple).
func JSONTuple(col any, fields ...string) lakelab.Column {
	return call("json_tuple", optional([]any{col}, fields)...)
}

// FromJSON reads a JSON text as a type in DDL, such as "a INT, b ARRAY<STRING>" (from_json). Options are those of the JSON reader.
func FromJSON(col any, schema any, options ...map[string]string) lakelab.Column {
	return withOptions("from_json", []any{col, lit(schema)}, options)
}

// ToJSON writes a struct, an array or a map as JSON, fields that are NULL left out (to_json).
func ToJSON(col any, options ...map[string]string) lakelab.Column {
	return withOptions("to_json", []any{col}, options)
}

// SchemaOfJSON is the type of a JSON text, in DDL (schema_of_json).
func SchemaOfJSON(json any, options ...map[string]string) lakelab.Column {
	return withOptions("schema_of_json", []any{lit(json)}, options)
}

// FromCSV reads a line of CSV as a struct of a type in DDL (from_csv).
func FromCSV(col any, schema any, options ...map[string]string) lakelab.Column {
	return withOptions("from_csv", []any{col, lit(schema)}, options)
}

// ToCSV writes a struct as a line of CSV (to_csv).
func ToCSV(col any, options ...map[string]string) lakelab.Column {
	return withOptions("to_csv", []any{col}, options)
}

// SchemaOfCSV is the type of a line of CSV, in DDL (schema_of_csv).
func SchemaOfCSV(csv any, options ...map[string]string) lakelab.Column {
	return withOptions("schema_of_csv", []any{lit(csv)}, options)
}

// FromXML reads an XML text as a struct of a type in DDL (from_xml).
func FromXML(col any, schema any, options ...map[string]string) lakelab.Column {
	return withOptions("from_xml", []any{col, lit(schema)}, options)
}

// ToXML writes a struct as XML (to_xml).
func ToXML(col any, options ...map[string]string) lakelab.Column {
	return withOptions("to_xml", []any{col}, options)
}

// SchemaOfXML is the type of an XML text, in DDL (schema_of_xml).
func SchemaOfXML(xml any, options ...map[string]string) lakelab.Column {
	return withOptions("schema_of_xml", []any{lit(xml)}, options)
}

// withOptions adds options as a map of strings.
func withOptions(name string, args []any, options []map[string]string) lakelab.Column {
	for _, o := range options {
		var entries []any
		for _, k := range slices.Sorted(maps.Keys(o)) {
			entries = append(entries, lit(k), lit(o[k]))
		}
		args = append(args, call("map", entries...))
	}
	return call(name, args...)
}
