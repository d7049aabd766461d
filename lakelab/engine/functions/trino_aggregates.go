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
		ta("geometric_mean", "geometric mean", func(c *expr.Call, a []string) string {
			return "exp(" + agg(c, "avg", "trino_math('ln', CAST("+a[0]+" AS DOUBLE))", "") + ")"
		}),
		ta("kurtosis", "excess kurtosis of a sample", plain("kurtosis")),
		ta("bitwise_and_agg", "AND of the bits", plain("bit_and")), ta("bitwise_or_agg", "OR of the bits", plain("bit_or")), ta("bitwise_xor_agg", "XOR of the bits", plain("bit_xor")),
		ta("approx_distinct", "about how many different values", func(c *expr.Call, a []string) string {
			where := ""
			if len(a) > 1 { // no row counts whose error is NULL
				where = a[1] + " IS NOT NULL"
			}
			return typedAs(c.T, agg(c, "approx_count_distinct", InstantOf(c.Args[0].Type(), a[0]), where))
		}),
		ta("approx_most_frequent", "the most frequent values with their counts", func(c *expr.Call, a []string) string {
			return let(agg(c, "histogram", a[1], ""), func(v string) string {
				return typedAs(c.T, "map_from_entries(list_sort(list_transform(map_entries("+v+"), lambda _x: {'n': -CAST(_x.value AS BIGINT), 'k': _x.key}))[:"+a[0]+"].list_transform(lambda _x: {'k': _x.k, 'v': -_x.n}))")
			})
		}),
		ta("histogram", "how often each value occurs", func(c *expr.Call, a []string) string { return typedAs(c.T, agg(c, "histogram", a[0], "")) }),
		ta("map_agg", "map of keys and values", func(c *expr.Call, a []string) string {
			return groupedMap(c.T, agg(c, "list", "row("+join(a)+")", a[0]+" IS NOT NULL"), firstValue)
		}),
		ta("multimap_agg", "map of keys and arrays of their values", func(c *expr.Call, a []string) string {
			return groupedMap(c.T, agg(c, "list", "row("+join(a)+")", a[0]+" IS NOT NULL"), allValues)
		}),
		ta("map_union", "the maps in one", func(c *expr.Call, a []string) string {
			return groupedMap(c.T, "flatten("+agg(c, "list", "list_transform(map_entries("+a[0]+"), lambda _e: row(_e.key, _e.value))", a[0]+" IS NOT NULL")+")", firstValue)
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
		if err := bindTrino(c); err != nil {
			return err
		}
		for _, x := range listedPercentiles(c.Args[1]) {
			if _, ok := expr.Uncast(x).(*expr.Ref); ok {
				return errclass.UnsupportedStatement(sql.Trino, "approx_percentile with percentiles that depend on rows")
			}
		}
		return nil
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

// What groupedMap makes of the values of a key.
const (
	firstValue = iota
	allValues
	countValues
)

// groupedMap prints a map of a list of rows of a key and a value: of each key, in the order of the first of its rows, what is wanted of
// its values. Sorting brings the rows of a key together, and each is looked at beside the one before it. No lambda may read a list around
// it: DuckDB copies that for every element.
func groupedMap(t types.Type, rows string, want int) string {
	same := InstantOf(*t.Key, "struct_extract_at(_x, 1)")
	sorted := "list_transform(list_sort(list_transform(" + rows + ", lambda _x, _i: {'s': " + same + ", 'i': _i, 'k': struct_extract_at(_x, 1), 'v': struct_extract_at(_x, 2)})), " +
		"lambda _x, _n: {'s': _x.s, 'i': _x.i, 'k': _x.k, 'v': _x.v, 'n': _n})"
	return let(sorted, func(v string) string {
		starts := "CASE WHEN " + v + " IS NOT NULL THEN list_filter(list_zip(" + v + ", list_concat([NULL], " + v + ")), lambda _p: struct_extract_at(_p, 1) IS NOT NULL AND struct_extract_at(_p, 1).s IS DISTINCT FROM struct_extract_at(_p, 2).s) END"
		if want == firstValue {
			return mapOfGroups(t, "list_transform("+starts+", lambda _p: {'i': struct_extract_at(_p, 1).i, 'k': struct_extract_at(_p, 1).k, 'v': struct_extract_at(_p, 1).v})")
		}
		return let(starts, func(first string) string {
			value := "struct_extract_at(_p, 2) - struct_extract_at(struct_extract_at(_p, 1), 1).n"
			if want == allValues { // but for this: a list for each key costs at least as much
				value = "list_transform(" + v + "[struct_extract_at(struct_extract_at(_p, 1), 1).n:struct_extract_at(_p, 2) - 1], lambda _y: _y.v)"
			}
			ends := "list_concat(list_transform(" + first + "[2:], lambda _p: struct_extract_at(_p, 1).n), [len(" + v + ") + 1])"
			return mapOfGroups(t, "CASE WHEN "+first+" IS NOT NULL THEN list_transform(list_zip("+first+", "+ends+"), lambda _p: {'i': struct_extract_at(struct_extract_at(_p, 1), 1).i, 'k': struct_extract_at(struct_extract_at(_p, 1), 1).k, 'v': "+value+"}) END")
		})
	})
}

// mapOfGroups prints a map of a list of structs: i, by which they are ordered, the key k and the value v.
func mapOfGroups(t types.Type, groups string) string {
	return let("list_sort("+groups+")", func(g string) string {
		return typedAs(t, "CASE WHEN "+g+" IS NOT NULL THEN MAP(list_transform("+g+", lambda _g: _g.k), list_transform("+g+", lambda _g: _g.v)) END")
	})
}

func printTrinoSum(c *expr.Call, a []string) string {
	if c.T.Kind == types.Float {
		return let(agg(c, "sum", "CAST("+a[0]+" AS DOUBLE)", ""), asFloat)
	}
	return typedAs(c.T, agg(c, "sum", a[0], ""))
}

// largest prints max and min, for which NaN comes behind all numbers.
func largest(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if len(a) == 2 && nullConstant(c.Args[1]) {
			return typedAs(c.T, agg(c, "any_value", "NULL", ""))
		}
		if !floating(c.Args[0].Type()) {
			return agg(c, name, join(a), "")
		}
		number := "NOT isnan(" + a[0] + ")"
		if len(a) == 2 {
			return let("["+agg(c, name, join(a), number)+", "+agg(c, "list", a[0], "isnan("+a[0]+")")+"]", func(v string) string {
				return "list_concat(" + v + "[1], " + v + "[2])[:" + a[1] + "]"
			})
		}
		return "coalesce(" + agg(c, name, a[0], number) + ", " + agg(c, name, a[0], "") + ")"
	}
}

// largestBy prints max_by and min_by.
func largestBy(one, several string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if len(a) == 3 && nullConstant(c.Args[2]) {
			return typedAs(c.T, agg(c, "any_value", "NULL", ""))
		}
		by := a[1]
		if floating(c.Args[1].Type()) {
			by = let(a[1], func(v string) string {
				if one == "arg_max_null" {
					return "CASE WHEN " + v + " IS NOT NULL THEN row(NOT isnan(" + v + "), " + v + ") END"
				}
				return "CASE WHEN " + v + " IS NOT NULL THEN row(isnan(" + v + "), " + v + ") END"
			})
		}
		if len(a) == 3 {
			// A value may be NULL; DuckDB leaves those out.
			return "list_transform(" + agg(c, several, "{'v': "+a[0]+"}, "+by+", "+a[2], "") + ", lambda _e: _e.v)"
		}
		return agg(c, one, a[0]+", "+by, a[1]+" IS NOT NULL")
	}
}

// printTrinoPercentile takes the value at the place p * n, counted from 0; DuckDB's quantile_disc that before it where the place is
// whole.
func printTrinoPercentile(c *expr.Call, a []string) string {
	p := "least(CAST(" + a[1] + " AS DOUBLE) + 1e-12, 1)"
	if c.T.Kind == types.Array {
		p = "list_transform(CAST(" + a[1] + " AS DOUBLE[]), lambda _p: least(_p + 1e-12, 1))"
	}
	if nullConstant(c.Args[1]) {
		return typedAs(c.T, agg(c, "any_value", "NULL", ""))
	}
	for _, x := range listedPercentiles(c.Args[1]) {
		message := ""
		if f, ok := constant(x); ok && f != nil && outside(f) {
			message = "Percentile must be between 0 and 1"
		} else if c.T.Kind == types.Array && nullConstant(x) {
			message = "Percentile cannot be null"
		}
		if message != "" {
			return typedAs(c.T, trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(message)))
		}
	}
	return typedAs(c.T, agg(c, "quantile_disc", a[0]+", "+p, ""))
}

// listedPercentiles are the percentiles that approx_percentile is given: one, or those of an array that is written out.
func listedPercentiles(e expr.Expr) []expr.Expr {
	if c, ok := expr.Uncast(e).(*expr.Call); ok && c.Func.Name == "array" {
		return c.Args
	}
	return []expr.Expr{e}
}

// nullConstant reports whether an argument is a NULL in the statement, whatever type it was given.
func nullConstant(e expr.Expr) bool {
	if x, ok := e.(*expr.Cast); ok {
		e = x.X
	}
	v, ok := constant(e)
	return ok && v == nil
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
