package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Functions that only Trino has, or has otherwise than Spark. Those that both share stand with Spark's.

func init() {
	trino(
		printed("length(x)", "bytes -> long", "number of characters, or of bytes", func(c *expr.Call, a []string) string {
			if c.Args[0].Type().Kind == types.Binary {
				return "CAST(octet_length(" + a[0] + ") AS BIGINT)"
			}
			return "CAST(length(" + a[0] + ") AS BIGINT)"
		}),
		row("trim(string)", "string, string? -> string", "string without spaces at both ends", "trim($1, ' ')", "trim($1, $2)"), row("ltrim(string)", "string, string? -> string", "string without leading spaces", "ltrim($1, ' ')", "ltrim($1, $2)"), row("rtrim(string)", "string, string? -> string", "string without trailing spaces", "rtrim($1, ' ')", "rtrim($1, $2)"),
		row("lpad(string, size, pad)", "string, int, string -> string", "string padded on the left", "lpad($1, $2, $3)"), row("rpad(string, size, pad)", "string, int, string -> string", "string padded on the right", "rpad($1, $2, $3)"),
		also(row("substr(string, start[, length])", "string, long, long? -> string", "part of string; a negative start counts from the end", "(CASE WHEN $2 = 0 OR $2 < -length($1) THEN '' ELSE substring($1, $2) END)", "(CASE WHEN $2 = 0 OR $2 < -length($1) THEN '' ELSE substring($1, $2, greatest($3, 0)) END)"), "substring"),
		row("strpos(string, part)", "string, string -> long", "place of part, from 1; 0 if it isn't there", "CAST(instr($1, $2) AS BIGINT)"), row("position(part, string)", "string, string -> long", "place of part, from 1", "CAST(instr($2, $1) AS BIGINT)"),
		row("starts_with(string, prefix)", "string, string -> boolean", "true if string begins with prefix", "starts_with($1, $2)"),
		row("codepoint(string)", "string -> int", "code of a character", "CAST(unicode($1) AS INTEGER)"), row("chr(n)", "long -> string", "the character with code n", "chr(CAST($1 AS INTEGER))"),
		row("split(string, delimiter)", "string, string -> strings", "parts between delimiters", "string_split($1, $2)"),
		row("regexp_like(string, pattern)", "string, string -> boolean", "true if a part matches", "regexp_matches($1, $2)"),
		row("regexp_extract(string, pattern[, group])", "string, string, int? -> string?", "what a group of the first match holds", "CASE WHEN regexp_matches($1, $2) THEN regexp_extract($1, $2, 0) END", "CASE WHEN regexp_matches($1, $2) THEN spark_regexp_extract($1, $2, $3) END"),
		row("regexp_replace(string, pattern[, replacement])", "string, string, string? -> string", "every match replaced", "regexp_replace($1, $2, '', 'g')", "spark_regexp_replace($1, $2, $3, 1)"),
		row("regexp_split(string, pattern)", "string, string -> strings", "parts between matches", "string_split_regex($1, $2)"), row("regexp_count(string, pattern)", "string, string -> long", "number of matches", "CAST(spark_regexp_count($1, $2) AS BIGINT)"),
		row("to_hex(binary)", "binary -> string", "bytes in hex", "hex($1)"), row("from_hex(string)", "string -> binary", "bytes out of hex", "unhex($1)"), row("to_utf8(string)", "string -> binary", "the bytes of string", "encode($1)"), row("from_utf8(binary)", "binary -> string", "bytes as text", "spark_text($1)"),
		row("to_base64(binary)", "binary -> string", "bytes in base 64", "to_base64($1)"), row("from_base64(string)", "string -> binary", "bytes out of base 64", "from_base64($1)"),
		row("md5(binary)", "binary -> binary", "MD5", "unhex(md5($1))"), row("sha1(binary)", "binary -> binary", "SHA-1", "unhex(sha1($1))"), row("sha256(binary)", "binary -> binary", "SHA-256", "unhex(sha256($1))"), row("crc32(binary)", "binary -> long", "CRC-32", "spark_crc32($1)"),
		// Time.
		ruled("date_trunc(unit, x)", "x cut to the unit", typing("string, datetime -> void", argType(1)), func(c *expr.Call, a []string) string { return typedAs(c.T, "date_trunc("+join(a)+")") }),
		ruled("date_add(unit, n, x)", "x, n units later", typing("string, long, datetime -> void", argType(2)), func(c *expr.Call, a []string) string {
			d := *c
			return printAddUnits(&d, a)
		}),
		ruled("date_diff(unit, a, b)", "whole units from a to b", typing("string, datetime, datetime -> void", kind(types.Long)), printDiffUnits),
		row("date(x)", "date -> date", "x as a date", "$1"), also(row("day_of_week(x)", "datetime -> long", "1 for Monday to 7 for Sunday", "CAST(isodow($1) AS BIGINT)"), "dow"), also(row("day_of_year(x)", "datetime -> long", "day of the year", "CAST(dayofyear($1) AS BIGINT)"), "doy"),
		also(row("day_of_month(x)", "datetime -> long", "day of the month", "CAST(day($1) AS BIGINT)")), also(row("week(x)", "datetime -> long", "ISO week", "CAST(weekofyear($1) AS BIGINT)"), "week_of_year"), also(row("year_of_week(x)", "datetime -> long", "year of the ISO week", "CAST(isoyear($1) AS BIGINT)"), "yow"),
		row("last_day_of_month(x)", "datetime -> date", "last day of the month", "last_day(CAST($1 AS DATE))"),
		row("from_unixtime(x)", "double -> timestamp", "seconds since 1970 as a timestamp", "make_timestamptz(CAST(round($1 * 1000000) AS BIGINT))"), row("to_unixtime(x)", "timestamp -> double", "seconds since 1970", "(epoch_us($1) / 1000000)"),
		printed("date_format(x, format)", "datetime, string -> string", "x as text by MySQL's letters", func(c *expr.Call, a []string) string {
			return "strftime(CAST(" + a[0] + " AS TIMESTAMP), " + mysqlFormat(c.Args[1], a[1]) + ")"
		}),
		printed("format_datetime(x, format)", "datetime, string -> string", "x as text by Joda's letters", func(_ *expr.Call, a []string) string {
			return "spark_format_time(CAST(" + a[0] + " AS TIMESTAMP), " + a[1] + ", current_setting('TimeZone'))"
		}),
		printed("date_parse(text, format)", "string, string -> ntz", "text read by MySQL's letters", func(c *expr.Call, a []string) string {
			return "strptime(" + a[0] + ", " + mysqlFormat(c.Args[1], a[1]) + ")"
		}),
		row("from_iso8601_date(text)", "string -> date", "an ISO date", "CAST($1 AS DATE)"), row("from_iso8601_timestamp(text)", "string -> timestamp", "an ISO timestamp", "CAST($1 AS TIMESTAMPTZ)"), row("to_iso8601(x)", "datetime -> string", "x in ISO form", "strftime(CAST($1 AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%g')"),
		// Collections.
		ruled("array", "", arrayRule, func(c *expr.Call, a []string) string { return typedAs(c.T, "["+join(a)+"]") }),
		ruled("cardinality(x)", "number of elements", func(c *expr.Call) error {
			err := sizeRule(c)
			c.T = types.Of(types.Long)
			return err
		}, printSize),
		ruled("array_join(array, sep[, null])", "elements joined; NULLs left out or replaced", typing("array, string, string? -> void", kind(types.String)), func(c *expr.Call, a []string) string { return lookupSpark("array_join").Duck(c, a) }),
		ruled("contains(array, value)", "true if value is in the array", ofElements("AE", kind(types.Boolean), true), func(c *expr.Call, a []string) string { return lookupSpark("array_contains").Duck(c, a) }),
		ruled("repeat(value, n)", "array of value n times", typing("any, int -> void", func(c *expr.Call) types.Type { return types.ArrayOf(argTypes(c)[0], true) }), tmpl("list_transform(range($2), lambda _i: $1)")),
		ruled("slice(array, start, length)", "part of an array, from 1", typing("array, int, int -> void", sameArray), func(c *expr.Call, a []string) string { return lookupSpark("slice").Duck(c, a) }),
		ruled("map(keys, values)", "a map of two arrays", func(c *expr.Call) error {
			if len(c.Args) == 0 {
				c.T = types.MapOf(types.Type{}, types.Type{}, false)
				return nil
			}
			return typing("array, array -> void", func(c *expr.Call) types.Type { return types.MapOf(elem(c), *c.Args[1].Type().Elem, true) })(c)
		}, func(c *expr.Call, a []string) string { return typedAs(c.T, "MAP("+join(a)+")") }),
		ruled("map_concat(map, …)", "the maps in one", mapConcatRule, printMapConcat),
		ruled("row(expr, …)", "a row of the arguments", func(c *expr.Call) error {
			fields := make([]types.Field, len(c.Args))
			for i, a := range c.Args {
				fields[i] = types.Field{Name: "field" + itoa(i), Type: a.Type(), Nullable: true}
			}
			c.T = types.StructOf(fields...)
			return nil
		}, printStruct),
	)
	trino(missing("not built yet", "approx_most_frequent", "combinations", "ngrams", "normalize", "format", "format_number", "json_query", "json_value", "json_exists", "regexp_extract_all", "regexp_position", "split_to_map", "map_agg", "human_readable_seconds", "at_timezone", "with_timezone", "parse_datetime", "word_stem", "xxhash64", "murmur3", "hmac_sha256", "sha512", "array_histogram")...)
}

// mysqlLetters are the letters of MySQL's date formats that DuckDB's strftime has otherwise.
var mysqlLetters = strings.NewReplacer("%%", "%%", "%i", "%M", "%s", "%S", "%M", "%B", "%W", "%A", "%h", "%I", "%T", "%H:%M:%S", "%c", "%-m", "%e", "%-d", "%k", "%-H", "%l", "%-I", "%r", "%I:%M:%S %p")

// mysqlFormat is a format in DuckDB's letters; one that is no constant is translated as far as letters do not collide.
func mysqlFormat(x expr.Expr, printed string) string {
	if f, ok := constantString(x); ok {
		return quote(mysqlLetters.Replace(f))
	}
	return "replace(replace(replace(" + printed + ", '%M', '%B'), '%i', '%M'), '%s', '%S')"
}

func lookupSpark(name string) *expr.Func { return Lookup(0, name) }
