package functions

import (
	"strconv"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's aggregate and window functions ("Aggregate functions", "Window functions"), where they are not as Spark's.

func init() {
	trino(
		ta("sum", "sum of the values", printTrinoSum), ta("avg", "mean of the values", printAvg),
		ta("max", "largest value; with n, the n largest", largest("max")), ta("min", "smallest value; with n, the n smallest", largest("min")),
		ta("max_by", "x of the row with the largest y; with n, of the n largest", largestBy("arg_max_null", "arg_max")), ta("min_by", "x of the row with the smallest y; with n, of the n smallest", largestBy("arg_min_null", "arg_min")),
		ta("arbitrary", "some value that is not NULL", plain("any_value")), ta("any_value", "some value that is not NULL", plain("any_value")),
		ta("array_agg", "array of the values", plain("list")), ta("every", "true if all values are true", plain("bool_and")),
		ta("geometric_mean", "geometric mean", func(c *expr.Call, a []string) string { return "exp(" + agg(c, "avg", "ln("+a[0]+")", "") + ")" }),
		ta("kurtosis", "excess kurtosis of a sample", plain("kurtosis")),
		ta("bitwise_and_agg", "AND of the bits", plain("bit_and")), ta("bitwise_or_agg", "OR of the bits", plain("bit_or")), ta("bitwise_xor_agg", "XOR of the bits", plain("bit_xor")),
		ta("approx_distinct", "about how many different values", func(c *expr.Call, a []string) string {
			return typedAs(c.T, agg(c, "approx_count_distinct", InstantOf(c.Args[0].Type(), a[0]), ""))
		}),
		ta("approx_most_frequent", "the most frequent values with their counts", func(c *expr.Call, a []string) string {
			return let(agg(c, "histogram", a[1], ""), func(v string) string {
				return typedAs(c.T, "map_from_entries(list_sort(list_transform(map_entries("+v+"), lambda _x: {'n': -CAST(_x.value AS BIGINT), 'k': _x.key}))[:"+a[0]+"].list_transform(lambda _x: {'k': _x.k, 'v': -_x.n}))")
			})
		}),
		ta("histogram", "how often each value occurs", func(c *expr.Call, a []string) string { return typedAs(c.T, agg(c, "histogram", a[0], "")) }),
		ta("map_agg", "map of keys and values", func(c *expr.Call, a []string) string {
			return let(agg(c, "list", "row("+join(a)+")", a[0]+" IS NOT NULL"), func(v string) string {
				keys := keysOf(v)
				return typedAs(c.T, "MAP("+keys+", list_transform("+keys+", lambda _k: struct_extract_at(list_filter("+v+", lambda _x: struct_extract_at(_x, 1) = _k)[1], 2)))")
			})
		}),
		ta("multimap_agg", "map of keys and arrays of their values", func(c *expr.Call, a []string) string {
			return let(agg(c, "list", "row("+join(a)+")", a[0]+" IS NOT NULL"), func(v string) string {
				keys := keysOf(v)
				return typedAs(c.T, "MAP("+keys+", list_transform("+keys+", lambda _k: list_transform(list_filter("+v+", lambda _x: struct_extract_at(_x, 1) = _k), lambda _x: struct_extract_at(_x, 2))))")
			})
		}),
		ta("map_union", "the maps in one", func(c *expr.Call, a []string) string {
			return let("flatten("+agg(c, "list", "list_transform(map_entries("+a[0]+"), lambda _e: row(_e.key, _e.value))", a[0]+" IS NOT NULL")+")", func(v string) string {
				keys := keysOf(v)
				return typedAs(c.T, "MAP("+keys+", list_transform("+keys+", lambda _k: struct_extract_at(list_filter("+v+", lambda _x: struct_extract_at(_x, 1) = _k)[1], 2)))")
			})
		}),
	)
	count := ta("count", "number of rows; with an argument, of those in which it is not NULL", func(c *expr.Call, a []string) string {
		if len(a) == 0 {
			return agg(c, "count", "*", "")
		}
		return printCount(c, a)
	})
	count.Resolve = func(c *expr.Call) error {
		if len(c.Args) > 1 {
			return TrinoUnexpected(c)
		}
		c.T = types.Of(types.Long)
		return nil
	}
	trino(count)
	percentile := ta("approx_percentile", "about a percentile", printTrinoPercentile)
	percentile.Resolve = func(c *expr.Call) error {
		if len(c.Args) > 2 {
			return errclass.UnsupportedStatement(sql.Trino, "approx_percentile with a weight or an accuracy")
		}
		return bindTrino(c)
	}
	list := ta("listagg", "texts joined", printListAgg)
	list.Resolve = func(c *expr.Call) error {
		for i, a := range c.Args {
			x, ok := CoerceIn(sql.Trino, a, types.Of(types.String))
			if !ok {
				return trinoUnexpected(c, "listagg")
			}
			c.Args[i] = x
		}
		c.T, c.Null = types.Of(types.String), true
		return nil
	}
	trino(percentile, list)
}

// keysOf are the different keys of a list of pairs.
func keysOf(v string) string {
	return "list_distinct(list_transform(" + v + ", lambda _x: struct_extract_at(_x, 1)))"
}

func printTrinoSum(c *expr.Call, a []string) string {
	if c.T.Kind == types.Float {
		return typedAs(c.T, agg(c, "sum", "CAST("+a[0]+" AS DOUBLE)", ""))
	}
	return typedAs(c.T, agg(c, "sum", a[0], ""))
}

func largest(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string { return agg(c, name, join(a), "") }
}

func largestBy(one, several string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if len(a) == 3 {
			// A value may be NULL; DuckDB leaves those out.
			return "list_transform(" + agg(c, several, "{'v': "+a[0]+"}, "+a[1]+", "+a[2], "") + ", lambda _e: _e.v)"
		}
		return agg(c, one, join(a), a[1]+" IS NOT NULL")
	}
}

// printTrinoPercentile takes the value at the place p * n, counted from 0; DuckDB's quantile_disc that before it where the place is
// whole.
func printTrinoPercentile(c *expr.Call, a []string) string {
	p := "least(CAST(" + a[1] + " AS DOUBLE) + 1e-12, 1)"
	if c.T.Kind == types.Array {
		p = "list_transform(CAST(" + a[1] + " AS DOUBLE[]), lambda _p: least(_p + 1e-12, 1))"
	}
	if f, ok := constant(c.Args[1]); ok && f != nil && outside(f) {
		return typedAs(c.T, trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("Percentile must be between 0 and 1")))
	}
	return typedAs(c.T, agg(c, "quantile_disc", a[0]+", "+p, ""))
}

// outside reports whether a constant number is none from 0 to 1.
func outside(v any) bool {
	switch v := v.(type) {
	case float64:
		return v < 0 || v > 1
	case int64:
		return v < 0 || v > 1
	case types.Dec:
		f, err := strconv.ParseFloat(string(v), 64)
		return err == nil && (f < 0 || f > 1)
	}
	return false
}
