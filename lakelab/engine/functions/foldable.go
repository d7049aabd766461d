package functions

import (
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Some arguments have to be known before a query runs: a scale, an offset, a format. Spark takes any expression there that reads no row;
// package plan computes it first and hands a constant to the function's rule.

// constantArguments are the positions of such arguments.
var constantArguments = map[string][]int{
	"percentile": {1}, "percentile_cont": {0}, "percentile_disc": {0}, "percentile_approx": {1, 2}, "approx_percentile": {1, 2}, "approx_count_distinct": {1}, "histogram_numeric": {1}, "count_min_sketch": {1, 2, 3},
	"to_number": {1}, "try_to_number": {1}, "to_char": {1}, "to_varchar": {1}, "to_binary": {1}, "try_to_binary": {1},
	"round": {1}, "bround": {1}, "floor": {1}, "ceil": {1}, "ceiling": {1}, "lag": {1}, "lead": {1}, "nth_value": {1}, "ntile": {0},
	"listagg": {1}, "string_agg": {1}, "from_json": {1}, "from_csv": {1}, "schema_of_json": {0}, "schema_of_csv": {0}, "date_part": {0}, "mode": {1},
}

// WantsConstant reports whether a function wants an argument, x, that is known before the query runs.
func WantsConstant(f *expr.Func, at int, x expr.Expr) bool {
	if f.Name == "named_struct" {
		return at%2 == 0 && x.Type().Kind == types.String
	}
	return slices.Contains(constantArguments[f.Name], at)
}

// replaced are functions that Spark replaces by others after the analysis, which takes their calls for no constants until then. Those of
// lpad and rpad are such for binary values only.
var replaced = map[string]bool{
	"nvl": true, "ifnull": true, "nvl2": true, "nullif": true, "nullifzero": true, "zeroifnull": true, "equal_null": true, "left": true, "right": true, "btrim": true, "ilike": true,
	"try_add": true, "try_subtract": true, "try_multiply": true, "try_divide": true, "try_mod": true, "try_element_at": true, "try_to_timestamp": true, "try_to_binary": true,
	"to_binary": true, "to_date": true, "to_timestamp": true, "to_timestamp_ntz": true, "to_timestamp_ltz": true, "date_part": true, "extract": true, "decode": true, "encode": true,
	"array_size": true, "array_compact": true, "array_prepend": true, "array_append": true, "get": true, "map_contains_key": true, "regexp_substr": true, "regexp_count": true, "url_encode": true, "url_decode": true, "try_url_decode": true,
	"parse_url": true, "try_parse_url": true, "luhn_check": true, "between": true, "split_part": true, "aes_decrypt": true, "try_aes_decrypt": true,
	"current_catalog": true, "current_database": true, "current_schema": true, "current_timezone": true, "version": true, "is_valid_utf8": true, "make_valid_utf8": true, "validate_utf8": true, "try_validate_utf8": true,
	"try_make_interval": true, "try_make_timestamp": true,
}

// neverFolded are functions whose calls Spark does not take for constants at all.
var neverFolded = map[string]bool{"elt": true, "arrays_zip": true, "map_concat": true, "array_sort": true, "spark_partition_id": true, "raise_error": true, "assert_true": true}

// IsConstant reports whether an argument is written as a constant.
func IsConstant(x expr.Expr) bool {
	_, ok := constant(x)
	return ok
}

// Foldable reports whether an expression counts as a constant for the analysis: it reads no row, and is not replaced later.
func Foldable(x expr.Expr) bool {
	return foldable(x, func(c *expr.Call) bool {
		switch name := strings.ToLower(c.Func.Name); name {
		case "lpad", "rpad":
			return c.T.Kind == types.Binary
		case "convert_timezone":
			return len(c.Args) == 2 // from the session's zone
		default:
			return replaced[name] || neverFolded[name]
		}
	})
}

// Computable reports whether an expression reads no row, so that it is computed before the query runs.
func Computable(x expr.Expr) bool {
	return foldable(x, func(c *expr.Call) bool { return neverFolded[c.Func.Name] })
}

// foldable asks whether an expression reads no row and calls no function that never does.
func foldable(x expr.Expr, never func(*expr.Call) bool) bool {
	switch x := x.(type) {
	case *expr.Lit:
		return true
	case *expr.Alias:
		return foldable(x.X, never)
	case *expr.Cast:
		return foldable(x.X, never)
	case *expr.Field:
		return foldable(x.X, never)
	case *expr.Case:
		for _, w := range x.Whens {
			if !foldable(w.Cond, never) || !foldable(w.Then, never) {
				return false
			}
		}
		return x.Else == nil || foldable(x.Else, never)
	case *expr.Call:
		if x.Func.Kind != expr.Scalar || x.Func.NonDeterministic || never(x) {
			return false
		}
		return !slices.ContainsFunc(x.Args, func(a expr.Expr) bool { return !foldable(a, never) })
	}
	return false
}
