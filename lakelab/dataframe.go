package lakelab

import (
	"slices"
	"strings"
	"sync/atomic"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// DataFrame is a query (pyspark.sql.DataFrame). It holds no rows: Show, Count, Collect and the like run it. Arguments of
// type any are Columns or their names, as in PySpark.
//
// A name, type or function that does not fit fails in the method that uses it, with an AnalysisException.
type DataFrame struct {
	rel    node
	schema Type
}

// Columns lists the column names (df.columns).
func (df *DataFrame) Columns() []string {
	names := make([]string, len(df.schema.Fields))
	for i, f := range df.schema.Fields {
		names[i] = f.Name
	}
	return names
}

// Dtypes lists names and types, such as {"fare", "decimal(10,2)"} (df.dtypes).
func (df *DataFrame) Dtypes() [][2]string {
	out := make([][2]string, len(df.schema.Fields))
	for i, f := range df.schema.Fields {
		out[i] = [2]string{f.Name, f.Type.SimpleString()}
	}
	return out
}

// Schema is the type of a row: a struct (df.schema).
func (df *DataFrame) Schema() Type { return df.schema }

// Select chooses and computes columns; "*" is all of them (select).
func (df *DataFrame) Select(cols ...any) *DataFrame {
	return analyze(node{"n": "select", "child": df.rel, "cols": columns(cols)})
}

// SelectExpr is Select with SQL expressions: SelectExpr("fare * 2 AS twice") (selectExpr).
func (df *DataFrame) SelectExpr(exprs ...string) *DataFrame {
	cols := make([]any, len(exprs))
	for i, e := range exprs {
		cols[i] = node{"c": "expr", "text": e}
	}
	return analyze(node{"n": "select", "child": df.rel, "cols": cols})
}

// Filter keeps the rows for which a condition is true: a Column or an SQL text (filter).
func (df *DataFrame) Filter(cond any) *DataFrame {
	return analyze(node{"n": "filter", "child": df.rel, "cond": condition(cond)})
}

// Where is Filter (where).
func (df *DataFrame) Where(cond any) *DataFrame { return df.Filter(cond) }

// WithColumn adds a column, or replaces the one of that name (withColumn).
func (df *DataFrame) WithColumn(name string, col Column) *DataFrame {
	return df.WithColumns(map[string]Column{name: col})
}

// WithColumns adds or replaces several columns; each sees the old ones (withColumns). New columns come in the order of their
// names, since a Go map has none.
func (df *DataFrame) WithColumns(cols map[string]Column) *DataFrame {
	names := sortedKeys(cols)
	list := make([]any, len(names))
	for i, name := range names {
		list[i] = cols[name].Node()
	}
	return analyze(node{"n": "withColumns", "child": df.rel, "names": names, "cols": list})
}

// WithColumnRenamed renames a column; a name that is not there changes nothing (withColumnRenamed).
func (df *DataFrame) WithColumnRenamed(existing, new string) *DataFrame {
	return df.WithColumnsRenamed(map[string]string{existing: new})
}

// WithColumnsRenamed renames several columns, old name to new one (withColumnsRenamed).
func (df *DataFrame) WithColumnsRenamed(names map[string]string) *DataFrame {
	from := sortedKeys(names)
	to := make([]string, len(from))
	for i, name := range from {
		to[i] = names[name]
	}
	return analyze(node{"n": "rename", "child": df.rel, "old": from, "new": to})
}

// Drop leaves columns out, given as names or Columns; what is not there changes nothing (drop).
func (df *DataFrame) Drop(cols ...any) *DataFrame {
	names, list := []string{}, []any{}
	for _, c := range cols {
		switch c := c.(type) {
		case string:
			names = append(names, c)
		case []string:
			names = append(names, c...)
		default:
			list = append(list, ColumnOf(c).node)
		}
	}
	return analyze(node{"n": "drop", "child": df.rel, "names": names, "cols": list})
}

// ToDF renames all columns, by position (toDF).
func (df *DataFrame) ToDF(names ...string) *DataFrame {
	return analyze(node{"n": "toDF", "child": df.rel, "names": names})
}

// Alias gives the DataFrame a name, for F.Col("name.column") (alias).
func (df *DataFrame) Alias(name string) *DataFrame {
	return analyze(node{"n": "alias", "child": df.rel, "name": name})
}

// OrderBy sorts; use Column.Desc() and the like for another order (orderBy). A number is a column's place from 1, a negative one
// its place in descending order.
func (df *DataFrame) OrderBy(cols ...any) *DataFrame {
	return analyze(node{"n": "sort", "child": df.rel, "keys": df.ordinals(cols)})
}

// ordinals is columns with numbers for places, from 1; a negative one orders downwards.
func (df *DataFrame) ordinals(cols []any) []any {
	list := make([]any, len(cols))
	for i, c := range cols {
		n, isPlace := c.(int)
		if !isPlace {
			list[i] = c
			continue
		}
		place := max(n, -n)
		switch {
		case n == 0:
			raisePy("PySparkIndexError", "ZERO_INDEX", "Index must be non-zero.")
		case place > len(df.schema.Fields):
			raise("IndexError", "", "list index out of range")
		}
		col := ColumnOf(types.Quote(df.schema.Fields[place-1].Name))
		if n < 0 {
			col = col.Desc()
		}
		list[i] = col
	}
	return columns(list)
}

// Sort is OrderBy (sort).
func (df *DataFrame) Sort(cols ...any) *DataFrame { return df.OrderBy(cols...) }

// SortWithinPartitions is OrderBy: on one machine the rows are one partition (sortWithinPartitions).
func (df *DataFrame) SortWithinPartitions(cols ...any) *DataFrame { return df.OrderBy(cols...) }

// Limit keeps at most n rows (limit).
func (df *DataFrame) Limit(n int) *DataFrame {
	return analyze(node{"n": "limit", "child": df.rel, "count": n})
}

// Offset leaves the first n rows out (offset).
func (df *DataFrame) Offset(n int) *DataFrame {
	return analyze(node{"n": "offset", "child": df.rel, "count": n})
}

// Distinct keeps one of equal rows (distinct).
func (df *DataFrame) Distinct() *DataFrame { return analyze(node{"n": "distinct", "child": df.rel}) }

// DropDuplicates keeps one row for each combination of the named columns, or of all (dropDuplicates).
func (df *DataFrame) DropDuplicates(names ...string) *DataFrame {
	return analyze(node{"n": "dropDuplicates", "child": df.rel, "names": names})
}

// Transform applies a function of your own, so that steps read from top to bottom (transform).
func (df *DataFrame) Transform(f func(*DataFrame) *DataFrame) *DataFrame { return f(df) }

// Unpivot turns columns into rows: for each row and each of values one with the ids, the column's name and its value; without
// values all columns but the ids (unpivot, melt).
func (df *DataFrame) Unpivot(ids, values []string, variableColumnName, valueColumnName string) *DataFrame {
	if len(values) == 0 {
		for _, name := range df.Columns() {
			if !slices.Contains(ids, name) {
				values = append(values, types.Quote(name))
			}
		}
	}
	return analyze(node{"n": "unpivot", "child": df.rel, "ids": columns([]any{ids}), "values": columns([]any{values}),
		"variable": variableColumnName, "value": valueColumnName})
}

// Melt is Unpivot (melt).
func (df *DataFrame) Melt(ids, values []string, variableColumnName, valueColumnName string) *DataFrame {
	return df.Unpivot(ids, values, variableColumnName, valueColumnName)
}

// lastFrame numbers the DataFrames that Col refers to.
var lastFrame atomic.Int64

// Col is a column of this very DataFrame (df["name"]): in a join it tells two columns of one name apart. "*" is all of them. A
// name that is not there fails with UNRESOLVED_COLUMN.
func (df *DataFrame) Col(name string) Column {
	if df.rel["id"] == nil {
		df.rel["id"] = lastFrame.Add(1)
	}
	if name != "*" && !strings.ContainsAny(name, ".`") {
		df.field(name)
	} else if name != "*" {
		analyze(node{"n": "select", "child": df.rel, "cols": []any{ColumnOf(name).node}}) // for its error
	}
	return Column{node{"c": "name", "name": name, "of": df.rel["id"]}}
}

// field finds a column by name, in any case; one that is not there fails as Spark's Dataset.col does.
func (df *DataFrame) field(name string) Field {
	i := slices.IndexFunc(df.schema.Fields, func(f Field) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		have := df.Columns()
		for i, h := range have {
			have[i] = types.Quote(h)
		}
		raiseClass("AnalysisException", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703",
			"A column, variable, or function parameter with name %s cannot be resolved. Did you mean one of the following? [%s].", types.Quote(name), strings.Join(have, ", "))
	}
	return df.schema.Fields[i]
}

// CreateOrReplaceTempView gives the query a name for SQL in this session (createOrReplaceTempView).
func (df *DataFrame) CreateOrReplaceTempView(name string) { df.createView(name, true, false) }

// CreateTempView is the same, but fails if the name is taken, with TEMP_TABLE_OR_VIEW_ALREADY_EXISTS (createTempView).
func (df *DataFrame) CreateTempView(name string) { df.createView(name, false, false) }

// CreateOrReplaceGlobalTempView makes global_temp.name, seen by every session of the engine
// (createOrReplaceGlobalTempView).
func (df *DataFrame) CreateOrReplaceGlobalTempView(name string) { df.createView(name, true, true) }

// CreateGlobalTempView makes global_temp.name; the name must be free (createGlobalTempView).
func (df *DataFrame) CreateGlobalTempView(name string) { df.createView(name, false, true) }

func (df *DataFrame) createView(name string, replace, global bool) {
	call(node{"op": wire.OpCreateView, "relation": df.rel, "name": name, "replace": replace, "global": global})
}

// String is PySpark's DataFrame[a: int, b: string].
func (df *DataFrame) String() string {
	parts := make([]string, len(df.schema.Fields))
	for i, f := range df.schema.Fields {
		parts[i] = f.Name + ": " + f.Type.SimpleString()
	}
	return "DataFrame[" + strings.Join(parts, ", ") + "]"
}

// numericColumns lists the columns of number types.
func (df *DataFrame) numericColumns() []string {
	var names []string
	for _, f := range df.schema.Fields {
		if f.Type.IsNumeric() {
			names = append(names, f.Name)
		}
	}
	return slices.Clip(names)
}
