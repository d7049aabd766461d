package lakelab

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Describe computes count, mean, stddev, min and max of the named columns, or of all of number and string types; its values are
// strings (describe).
func (df *DataFrame) Describe(names ...string) *DataFrame {
	return df.summary(names, []string{"count", "mean", "stddev", "min", "max"})
}

// Summary is Describe of all columns with the quartiles, or with the statistics named: "count", "mean", "stddev", "min", "max",
// "25%", "count_distinct", "approx_count_distinct" (summary).
func (df *DataFrame) Summary(statistics ...string) *DataFrame {
	if len(statistics) == 0 {
		statistics = []string{"count", "mean", "stddev", "min", "25%", "50%", "75%", "max"}
	}
	return df.summary(nil, statistics)
}

// summary is one aggregation of the whole, then a row for each statistic.
func (df *DataFrame) summary(names, statistics []string) *DataFrame {
	var fields []Field
	if len(names) > 0 {
		df.Select(names) // for its errors
	} else {
		names = nil
	}
	for _, f := range df.fields(names) {
		if f.Type.IsNumeric() || f.Type.Kind == types.String {
			fields = append(fields, f)
		}
	}
	var aggs []any
	var rows []any
	for _, s := range statistics {
		rows = append(rows, LiteralOf(s))
		for _, f := range fields {
			name := "s" + strconv.Itoa(len(aggs))
			aggs = append(aggs, statistic(s, f).Cast("string").As(name).node)
			rows = append(rows, ColumnOf(name))
		}
	}
	titles := []string{"summary"}
	for _, f := range fields {
		titles = append(titles, f.Name)
	}
	one := node{"n": "range", "start": 0, "end": 1, "step": 1}
	if len(aggs) > 0 {
		one = node{"n": "aggregate", "child": df.rel, "groups": []any{}, "kind": "groupBy", "aggs": aggs}
	}
	return analyze(node{"n": "select", "child": one, "cols": []any{LiteralOf(len(statistics)).call("stack", rows...).As(titles...).node}})
}

func statistic(name string, f Field) Column {
	c := ColumnOf(types.Quote(f.Name))
	number := c
	if f.Type.Kind == types.String {
		number = c.TryCast("double")
	}
	switch name {
	case "count", "min", "max", "approx_count_distinct":
		return c.call(name)
	case "count_distinct":
		return Column{node{"c": "call", "name": "count", "args": []any{c.node}, "distinct": true}}
	case "mean", "stddev":
		return number.call(map[string]string{"mean": "avg", "stddev": "stddev_samp"}[name])
	}
	if text, isPercent := strings.CutSuffix(name, "%"); isPercent {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil {
			raise("IllegalArgumentException", "", "Unable to parse %s as a percentile", name)
		}
		if p < 0 || p > 100 {
			raise("IllegalArgumentException", "", "requirement failed: Percentiles must be in the range [0, 1]")
		}
		return number.call("percentile_approx", p/100, 10000)
	}
	raiseClass("IllegalArgumentException", "UNRECOGNIZED_STATISTIC", "42704", "The statistic '%s' is not recognized. Valid statistics include `count`, `count_distinct`, `approx_count_distinct`, `mean`, `stddev`, `min`, `max`, and percentile values. Percentile must be a numeric value followed by '%%', within the range 0%% to 100%%.", name)
	return Column{}
}

// StatFunctions is a DataFrame's statistics (pyspark.sql.DataFrameStatFunctions). Get one with DataFrame.Stat.
type StatFunctions struct{ df *DataFrame }

// Stat gives the statistics (df.stat).
func (df *DataFrame) Stat() StatFunctions { return StatFunctions{df} }

// number computes one aggregate, a DOUBLE; NaN for NULL, as in PySpark.
func (s StatFunctions) number(agg Column) float64 {
	if row := s.df.Agg(agg.As("value")).First(); !row.IsNull("value") {
		return row.Float64("value")
	}
	return math.NaN()
}

// Corr is Pearson's correlation of two columns (stat.corr).
func (s StatFunctions) Corr(col1, col2 string) float64 {
	return s.number(ColumnOf(col1).Cast("double").call("corr", ColumnOf(col2).Cast("double")))
}

// Cov is the sample covariance of two columns (stat.cov).
func (s StatFunctions) Cov(col1, col2 string) float64 {
	return s.number(ColumnOf(col1).call("covar_samp", ColumnOf(col2)))
}

// ApproxQuantile gives the quantiles of a column at the probabilities; they are values of it (stat.approxQuantile). The error
// is at most relativeError of the number of rows.
func (s StatFunctions) ApproxQuantile(col string, probabilities []float64, relativeError float64) []float64 {
	accuracy := 1_000_000
	if relativeError > 0 {
		accuracy = max(1, int(1/relativeError))
	}
	rows := s.df.Agg(ColumnOf(col).Cast("double").call("percentile_approx", LiteralOf(probabilities), accuracy).As("value")).Collect()
	if rows[0].IsNull("value") {
		return []float64{}
	}
	return Get[[]float64](rows[0], "value")
}

// Crosstab counts pairs of values: a row for each value of col1, a column for each of col2 (crosstab).
func (s StatFunctions) Crosstab(col1, col2 string) *DataFrame {
	text := func(name string) Column {
		c := ColumnOf(name)
		return caseOf(c.IsNull(), "null").Otherwise(c.Cast("string"))
	}
	title := col1 + "_" + col2
	pairs := s.df.Select(text(col1).As(title), text(col2).As("value"))
	return pairs.GroupBy(types.Quote(title)).Pivot("value").Count().project(func(f Field) (Column, bool) {
		return ColumnOf(types.Quote(f.Name)).call("coalesce", int64(0)), f.Name != title
	})
}

// Crosstab is Stat().Crosstab (crosstab).
func (df *DataFrame) Crosstab(col1, col2 string) *DataFrame { return df.Stat().Crosstab(col1, col2) }

// FreqItems lists, for each column, the values that at least support (0 to 1) of the rows have, in an array column
// NAME_freqItems (freqItems). Spark's list may hold rarer values too; this one is exact.
func (s StatFunctions) FreqItems(cols []string, support ...float64) *DataFrame {
	share := 0.01
	if len(support) > 0 {
		share = support[0]
	}
	if share < 1e-4 || share > 1 {
		raise("IllegalArgumentException", "", "requirement failed: Support must be in [1e-4, 1], but got %v.", share)
	}
	least := float64(s.df.Count()) * share
	var out *DataFrame
	for _, name := range cols {
		often := s.df.GroupBy(name).Count().Filter(ColumnOf("count").Ge(least))
		one := often.Agg(ColumnOf(name).call("collect_list").As(name + "_freqItems"))
		if out == nil {
			out = one
		} else {
			out = out.CrossJoin(one)
		}
	}
	return out
}

// SampleBy keeps, of the rows with each value of a column, a share; of values not listed none (sampleBy).
func (s StatFunctions) SampleBy(col string, fractions map[any]float64, seed ...int64) *DataFrame {
	cond := LiteralOf(false)
	number := random(seed)
	for _, v := range sortedAny(fractions) {
		cond = cond.Or(ColumnOf(col).Eq(v).And(number.Lt(fractions[v])))
	}
	return s.df.Filter(cond)
}

// sortedAny lists a map's keys in the order of their texts.
func sortedAny(m map[any]float64) []any {
	keys := make([]any, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b any) int { return strings.Compare(python(a, Type{}), python(b, Type{})) })
	return keys
}
