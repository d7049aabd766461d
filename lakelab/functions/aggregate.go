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

// ArrayAgg: array of the values that are not NULL (array_agg).
func ArrayAgg(col any) lakelab.Column { return call("array_agg", col) }

// BitAnd: AND of the bits (bit_and).
func BitAnd(col any) lakelab.Column { return call("bit_and", col) }

// BitOr: OR of the bits (bit_or).
func BitOr(col any) lakelab.Column { return call("bit_or", col) }

// BitXor: XOR of the bits (bit_xor).
func BitXor(col any) lakelab.Column { return call("bit_xor", col) }

// CountMinSketch: count-min sketch of the values, as bytes (count_min_sketch).
func CountMinSketch(col, eps, confidence any, seed ...any) lakelab.Column {
	return call("count_min_sketch", optional([]any{col, lit(eps), lit(confidence)}, seed)...)
}

// CovarPop: population covariance (covar_pop).
func CovarPop(col1, col2 any) lakelab.Column { return call("covar_pop", col1, col2) }

// CovarSamp: sample covariance (covar_samp).
func CovarSamp(col1, col2 any) lakelab.Column { return call("covar_samp", col1, col2) }

// Every: true if all values are true (every).
func Every(col any) lakelab.Column { return call("every", col) }

// GroupingID: the bits of grouping of several columns (grouping_id).
func GroupingID(cols ...any) lakelab.Column {
	return call("grouping_id", cols...)
}

// HistogramNumeric: histogram of the numbers, in nb bins (histogram_numeric).
func HistogramNumeric(col, nBins any) lakelab.Column {
	return call("histogram_numeric", col, lit(nBins))
}

// Kurtosis: excess kurtosis (kurtosis).
func Kurtosis(col any) lakelab.Column { return call("kurtosis", col) }

// ListAgg: texts joined (listagg).
func ListAgg(col any, delimiter ...any) lakelab.Column {
	return call("listagg", optional([]any{col}, delimiter)...)
}

// Mean: mean of the values (mean).
func Mean(col any) lakelab.Column { return call("mean", col) }

// RegrAvgx: mean of x (regr_avgx).
func RegrAvgx(y, x any) lakelab.Column { return call("regr_avgx", y, x) }

// RegrAvgy: mean of y (regr_avgy).
func RegrAvgy(y, x any) lakelab.Column { return call("regr_avgy", y, x) }

// RegrCount: number of pairs (regr_count).
func RegrCount(y, x any) lakelab.Column { return call("regr_count", y, x) }

// RegrIntercept: intercept of the regression line (regr_intercept).
func RegrIntercept(y, x any) lakelab.Column { return call("regr_intercept", y, x) }

// RegrR2: coefficient of determination (regr_r2).
func RegrR2(y, x any) lakelab.Column { return call("regr_r2", y, x) }

// RegrSlope: slope of the regression line (regr_slope).
func RegrSlope(y, x any) lakelab.Column { return call("regr_slope", y, x) }

// RegrSxx: sum of squares of x (regr_sxx).
func RegrSxx(y, x any) lakelab.Column { return call("regr_sxx", y, x) }

// RegrSxy: sum of products (regr_sxy).
func RegrSxy(y, x any) lakelab.Column { return call("regr_sxy", y, x) }

// RegrSyy: sum of squares of y (regr_syy).
func RegrSyy(y, x any) lakelab.Column { return call("regr_syy", y, x) }

// Skewness: skewness (skewness).
func Skewness(col any) lakelab.Column { return call("skewness", col) }

// Some: true if a value is true (some).
func Some(col any) lakelab.Column { return call("some", col) }

// Std: sample standard deviation (std).
func Std(col any) lakelab.Column { return call("std", col) }

// StddevSamp: sample standard deviation (stddev_samp).
func StddevSamp(col any) lakelab.Column { return call("stddev_samp", col) }

// StringAgg: texts joined (string_agg).
func StringAgg(col any, delimiter ...any) lakelab.Column {
	return call("string_agg", optional([]any{col}, delimiter)...)
}

// TryAvg: mean, NULL on overflow (try_avg).
func TryAvg(col any) lakelab.Column { return call("try_avg", col) }

// TrySum: sum, NULL on overflow (try_sum).
func TrySum(col any) lakelab.Column { return call("try_sum", col) }

// VarSamp: sample variance (var_samp).
func VarSamp(col any) lakelab.Column { return call("var_samp", col) }

// ApproxPercentile is PercentileApprox of one percentage or a slice of them, with an accuracy; its error is at most 1/accuracy of
// the number of rows (approx_percentile).
func ApproxPercentile(col, percentage any, accuracy int) lakelab.Column {
	return call("approx_percentile", col, lit(percentage), lit(accuracy))
}

// FirstValue is First (first_value).
func FirstValue(col any, ignoreNulls ...bool) lakelab.Column {
	return edge("first_value", col, ignoreNulls)
}

// LastValue is Last (last_value).
func LastValue(col any, ignoreNulls ...bool) lakelab.Column {
	return edge("last_value", col, ignoreNulls)
}

// ListAggDistinct is ListAgg of distinct values (listagg_distinct).
func ListAggDistinct(col any, delimiter ...string) lakelab.Column {
	return distinct("listagg", optional([]any{col}, delimiter)...)
}

// StringAggDistinct is StringAgg of distinct values (string_agg_distinct).
func StringAggDistinct(col any, delimiter ...string) lakelab.Column {
	return distinct("string_agg", optional([]any{col}, delimiter)...)
}

// Product multiplies the numbers, as DOUBLE (product).
func Product(col any) lakelab.Column { return call("product", col) }
