package lakelab

import (
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// GroupedData is what GroupBy returns (pyspark.sql.GroupedData): an aggregate makes a DataFrame of it.
type GroupedData struct {
	df     *DataFrame
	kind   string
	groups []any
	pivot  node // the pivot's column; nil without one
	values []any
}

// GroupBy groups rows by columns, given as names or Columns; without any, all rows are one group (groupBy).
func (df *DataFrame) GroupBy(cols ...any) *GroupedData {
	return df.grouped("groupBy", cols)
}

func (df *DataFrame) grouped(kind string, cols []any) *GroupedData {
	return &GroupedData{df: df, kind: kind, groups: df.ordinals(cols)}
}

// Rollup adds subtotals from right to left and the total (rollup).
func (df *DataFrame) Rollup(cols ...any) *GroupedData {
	return df.grouped("rollup", cols)
}

// Cube adds subtotals for every combination and the total (cube).
func (df *DataFrame) Cube(cols ...any) *GroupedData { return df.grouped("cube", cols) }

// Agg aggregates all rows (df.agg).
func (df *DataFrame) Agg(aggregates ...any) *DataFrame { return df.GroupBy().Agg(aggregates...) }

// maxPivotValues is spark.sql.pivotMaxValues.
const maxPivotValues = 10000

// Pivot makes a column of each value of a column, to be filled by the aggregates that follow. Without values they are looked up
// first, in order (pivot).
func (g *GroupedData) Pivot(col any, values ...any) *GroupedData {
	if g.kind != "groupBy" {
		raiseClass("UnsupportedOperationException", "UNSUPPORTED_FEATURE.PIVOT_AFTER_GROUP_BY", "0A000", "The feature is not supported: PIVOT clause following a GROUP BY clause. Consider pushing the GROUP BY into a subquery.")
	}
	if g.pivot != nil {
		raiseClass("UnsupportedOperationException", "REPEATED_CLAUSE", "42614", "The PIVOT clause may be used at most once per SUBQUERY operation.")
	}
	out := *g
	out.pivot = ColumnOf(col).node
	if len(values) == 1 {
		if list, ok := listOf(values[0]); ok {
			values = list
		}
	}
	out.values = make([]any, len(values))
	for i, v := range values {
		out.values[i] = LiteralOf(v).node
	}
	if len(values) == 0 {
		rows := analyze(node{"n": "select", "child": g.df.rel, "cols": []any{node{"c": "alias", "x": out.pivot, "name": "value"}}}).
			Distinct().Limit(maxPivotValues + 1).OrderBy("value").Collect()
		if len(rows) > maxPivotValues {
			raise("AnalysisException", "", "The pivot column has more than %d distinct values, this could indicate an error. If this was intended, set spark.sql.pivotMaxValues to at least the number of distinct values of the pivot column.", maxPivotValues)
		}
		for _, row := range rows {
			out.values = append(out.values, literalOf(row.values[0], row.schema.Fields[0].Type).node)
		}
	}
	return &out
}

// Agg computes aggregates for each group: Agg(F.Sum("fare").As("total"), F.Count("*")), or Agg(map[string]string{"fare": "sum"})
// (agg).
func (g *GroupedData) Agg(aggregates ...any) *DataFrame {
	if len(aggregates) == 0 {
		raise("ValueError", "", "Agg: нужен хотя бы один агрегат, например F.Count(\"*\")")
	}
	var aggs []any
	for _, a := range aggregates {
		switch a := a.(type) {
		case Column:
			aggs = append(aggs, a.Node())
		case map[string]string:
			for _, name := range sortedKeys(a) {
				aggs = append(aggs, ColumnOf(name).call(a[name]).node)
			}
		default:
			raise("TypeError", "", "Agg: нужен агрегат, например F.Sum(\"fare\"), или map[string]string, получено %T", a)
		}
	}
	if g.pivot != nil {
		return analyze(node{"n": "pivot", "child": g.df.rel, "groups": g.groups, "column": g.pivot, "values": g.values, "aggs": aggs})
	}
	return analyze(node{"n": "aggregate", "child": g.df.rel, "groups": g.groups, "kind": g.kind, "aggs": aggs})
}

// each applies an aggregate to the named columns, or to all columns of number types.
func (g *GroupedData) each(function string, names []string) *DataFrame {
	if len(names) == 0 {
		for _, name := range g.df.numericColumns() {
			names = append(names, types.Quote(name))
		}
	}
	aggs := make([]any, len(names))
	for i, name := range names {
		g.requireNumber(name)
		aggs[i] = ColumnOf(name).call(function)
	}
	return g.Agg(aggs...)
}

// requireNumber refuses a column of another type, as these short forms do in Spark; Agg doesn't. A name that is not a
// plain column is the engine's matter.
func (g *GroupedData) requireNumber(name string) {
	for _, f := range g.df.schema.Fields {
		if strings.EqualFold(f.Name, name) && !f.Type.IsNumeric() {
			raise("AnalysisException", "", "\"%s\" is not a numeric column. Aggregation function can only be applied on a numeric column.", name)
		}
	}
}

// Count counts each group's rows into a column named count (count).
func (g *GroupedData) Count() *DataFrame {
	return g.Agg(LiteralOf(1).call("count").As("count"))
}

// Sum adds up the named columns, or all columns of number types (sum).
func (g *GroupedData) Sum(names ...string) *DataFrame { return g.each("sum", names) }

// Mean is Avg (mean).
func (g *GroupedData) Mean(names ...string) *DataFrame { return g.Avg(names...) }

// Avg is the mean of the named columns, or of all columns of number types (avg).
func (g *GroupedData) Avg(names ...string) *DataFrame { return g.each("avg", names) }

// Min is the least value of the named columns, or of all columns of number types (min).
func (g *GroupedData) Min(names ...string) *DataFrame { return g.each("min", names) }

// Max is the greatest value of the named columns, or of all columns of number types (max).
func (g *GroupedData) Max(names ...string) *DataFrame { return g.each("max", names) }
