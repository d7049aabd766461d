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
}

// GroupBy groups rows by columns, given as names or Columns; without any, all rows are one group (groupBy).
func (df *DataFrame) GroupBy(cols ...any) *GroupedData {
	return &GroupedData{df, "groupBy", columns(cols)}
}

// Rollup adds subtotals from right to left and the total (rollup).
func (df *DataFrame) Rollup(cols ...any) *GroupedData {
	return &GroupedData{df, "rollup", columns(cols)}
}

// Cube adds subtotals for every combination and the total (cube).
func (df *DataFrame) Cube(cols ...any) *GroupedData { return &GroupedData{df, "cube", columns(cols)} }

// Agg aggregates all rows (df.agg).
func (df *DataFrame) Agg(aggregates ...Column) *DataFrame { return df.GroupBy().Agg(aggregates...) }

// Agg computes aggregates for each group: Agg(F.Sum("fare").As("total"), F.Count("*")) (agg).
func (g *GroupedData) Agg(aggregates ...Column) *DataFrame {
	if len(aggregates) == 0 {
		raise("ValueError", "", "Agg: нужен хотя бы один агрегат, например F.Count(\"*\")")
	}
	aggs := make([]any, len(aggregates))
	for i, a := range aggregates {
		aggs[i] = a.Node()
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
	aggs := make([]Column, len(names))
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

// Avg is the mean of the named columns, or of all columns of number types (avg).
func (g *GroupedData) Avg(names ...string) *DataFrame { return g.each("avg", names) }

// Min is the least value of the named columns, or of all columns of number types (min).
func (g *GroupedData) Min(names ...string) *DataFrame { return g.each("min", names) }

// Max is the greatest value of the named columns, or of all columns of number types (max).
func (g *GroupedData) Max(names ...string) *DataFrame { return g.each("max", names) }
