package functions

import "mini-lakehouse-lab/lakelab"

// Aggregates. A result over no rows is NULL, except for counts (0).

// Sum adds up numbers; integers give BIGINT, and overflow fails (ANSI mode) (sum).
func Sum(col any) lakelab.Column { return call("sum", col) }

// SumDistinct adds up distinct numbers (sum_distinct).
func SumDistinct(col any) lakelab.Column { return distinct("sum", col) }

// Avg is the mean: DOUBLE, or DECIMAL for decimals (avg).
func Avg(col any) lakelab.Column { return call("avg", col) }

// Min is the least value (min).
func Min(col any) lakelab.Column { return call("min", col) }

// Max is the greatest value (max).
func Max(col any) lakelab.Column { return call("max", col) }

// MinBy is col where ord is least (min_by).
func MinBy(col, ord any) lakelab.Column { return call("min_by", col, ord) }

// MaxBy is col where ord is greatest (max_by).
func MaxBy(col, ord any) lakelab.Column { return call("max_by", col, ord) }

// Median is the middle value, interpolated, as DOUBLE (median).
func Median(col any) lakelab.Column { return call("median", col) }

// Mode is the most frequent value (mode).
func Mode(col any) lakelab.Column { return call("mode", col) }

// Stddev is the sample standard deviation (stddev).
func Stddev(col any) lakelab.Column { return call("stddev", col) }

// StddevPop is the population standard deviation (stddev_pop).
func StddevPop(col any) lakelab.Column { return call("stddev_pop", col) }

// Variance is the sample variance (variance).
func Variance(col any) lakelab.Column { return call("variance", col) }

// VarPop is the population variance (var_pop).
func VarPop(col any) lakelab.Column { return call("var_pop", col) }

// Corr is the correlation coefficient of two columns (corr).
func Corr(col1, col2 any) lakelab.Column { return call("corr", col1, col2) }

// CollectList gathers the values into an array, NULLs left out, in no order to rely on (collect_list).
func CollectList(col any) lakelab.Column { return call("collect_list", col) }

// CollectSet gathers the distinct values into an array (collect_set).
func CollectSet(col any) lakelab.Column { return call("collect_set", col) }

// BoolAnd is true if every value is (bool_and).
func BoolAnd(col any) lakelab.Column { return call("bool_and", col) }

// BoolOr is true if some value is (bool_or).
func BoolOr(col any) lakelab.Column { return call("bool_or", col) }

// AnyValue is some value of the group (any_value).
func AnyValue(col any) lakelab.Column { return call("any_value", col) }

// Grouping is 1 in a row of Rollup or Cube where the column is aggregated away (grouping).
func Grouping(col any) lakelab.Column { return call("grouping", col) }

// CountIf counts the rows for which a condition is true (count_if).
func CountIf(col any) lakelab.Column { return call("count_if", col) }

// Count counts the rows in which the column is not NULL; Count("*") counts all rows (count).
func Count(col any) lakelab.Column { return call("count", col) }

// CountDistinct counts the distinct combinations without NULLs (count_distinct).
func CountDistinct(cols ...any) lakelab.Column { return distinct("count", cols...) }

// ApproxCountDistinct estimates the number of distinct values (approx_count_distinct).
func ApproxCountDistinct(col any) lakelab.Column { return call("approx_count_distinct", col) }

// First is the value of the first row, which only an order makes certain; ignoreNulls skips NULLs (first).
func First(col any, ignoreNulls ...bool) lakelab.Column { return edge("first", col, ignoreNulls) }

// Last is the value of the last row, as First (last).
func Last(col any, ignoreNulls ...bool) lakelab.Column { return edge("last", col, ignoreNulls) }

func edge(name string, col any, ignoreNulls []bool) lakelab.Column {
	if len(ignoreNulls) > 0 && ignoreNulls[0] {
		return call(name, col, lit(true))
	}
	return call(name, col)
}

// Percentile is the exact percentile, 0 to 1, interpolated (percentile).
func Percentile(col any, percentage float64) lakelab.Column {
	return call("percentile", col, lit(percentage))
}

// PercentileApprox is a value of the column near the percentile, 0 to 1 (percentile_approx).
func PercentileApprox(col any, percentage float64) lakelab.Column {
	return call("percentile_approx", col, lit(percentage))
}
