package functions

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	spark(
		printed("typeof(expr)", "any -> string!", "name of expr's type", func(c *expr.Call, _ []string) string { return quote(c.Args[0].Type().SimpleString()) }),
		row("version()", "-> string!", "the version of Spark whose answers these are", "'4.0.1 29434ea766b0fc3c3bf6eaadb43a8f931133649e'"),
		nondeterministic(row("uuid()", "-> string!", "a random UUID as text", "CAST(gen_random_uuid() AS VARCHAR)")),
		byRow(nondeterministic(row("monotonically_increasing_id()", "-> long!", "a number that grows with the row", rowIndex))),
		upperName(row("spark_partition_id()", "-> int!", "0: rows are not in partitions here", "0")),
	)
	// Casts that are called by their type's name.
	for name, to := range map[string]types.Type{
		"boolean": types.Of(types.Boolean), "tinyint": types.Of(types.Byte), "smallint": types.Of(types.Short), "int": types.Of(types.Int), "bigint": types.Of(types.Long),
		"float": types.Of(types.Float), "double": types.Of(types.Double), "decimal": types.DecimalOf(10, 0), "string": types.Of(types.String), "binary": types.Of(types.Binary),
		"date": types.Of(types.Date), "timestamp": types.Of(types.Timestamp),
	} {
		spark(looks("CAST($1 AS "+to.SQL()+")", ruled(name+"(expr)", "expr cast to "+to.SimpleString(), func(c *expr.Call) error {
			if len(c.Args) != 1 {
				return errclass.WrongNumArgs(name, "1", len(c.Args))
			}
			if !castable(c.Args[0].Type(), to) {
				return errclass.CannotCast(int(sql.Spark), c.Args[0].Type(), to, false)
			}
			c.T, c.Null = to, c.Args[0].Nullable()
			return nil
		}, func(c *expr.Call, a []string) string {
			x := &expr.Cast{X: c.Args[0]}
			x.T, x.At = to, c.At
			return PrintCast(x, a[0])
		})))
	}
	spark(missing("names of the Java, Avro and protobuf world are not here", "java_method", "reflect", "try_reflect", "from_avro", "to_avro", "schema_of_avro", "from_protobuf", "to_protobuf")...)
	spark(missing("XML is not built", "from_xml", "schema_of_xml", "to_xml", "xpath", "xpath_boolean", "xpath_double", "xpath_float", "xpath_int", "xpath_long", "xpath_number", "xpath_short", "xpath_string")...)
	spark(missing("the VARIANT type is not built", "is_variant_null", "parse_json", "schema_of_variant", "schema_of_variant_agg", "to_variant_object", "try_parse_json", "try_variant_get", "variant_get", "variant_explode", "variant_explode_outer")...)
	bitmaps()
	sketches()
	aesFunctions()
	spark(missing("sketches of the DataSketches library are not built", "hll_sketch_estimate", "hll_union", "hll_sketch_agg", "hll_union_agg")...)
	spark(missing("rows do not know their file here", "input_file_name", "input_file_block_start", "input_file_block_length")...)
	// current_catalog(), current_schema(), current_user() and kin are the session's: the analyzer puts constants in their place.
}
