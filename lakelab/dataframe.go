package lakelab

import (
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/internal/wire"
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
	return analyze(node{"n": "withColumns", "child": df.rel, "names": []string{name}, "cols": []any{col.Node()}})
}

// WithColumnRenamed renames a column; a name that is not there changes nothing (withColumnRenamed).
func (df *DataFrame) WithColumnRenamed(existing, new string) *DataFrame {
	return analyze(node{"n": "rename", "child": df.rel, "old": []string{existing}, "new": []string{new}})
}

// Drop leaves columns out; names that are not there change nothing (drop).
func (df *DataFrame) Drop(names ...string) *DataFrame {
	return analyze(node{"n": "drop", "child": df.rel, "names": names})
}

// ToDF renames all columns, by position (toDF).
func (df *DataFrame) ToDF(names ...string) *DataFrame {
	return analyze(node{"n": "toDF", "child": df.rel, "names": names})
}

// Alias gives the DataFrame a name, for F.Col("name.column") (alias).
func (df *DataFrame) Alias(name string) *DataFrame {
	return analyze(node{"n": "alias", "child": df.rel, "name": name})
}

// OrderBy sorts; use Column.Desc() and the like for another order (orderBy).
func (df *DataFrame) OrderBy(cols ...any) *DataFrame {
	return analyze(node{"n": "sort", "child": df.rel, "keys": columns(cols)})
}

// Sort is OrderBy (sort).
func (df *DataFrame) Sort(cols ...any) *DataFrame { return df.OrderBy(cols...) }

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

// joinKinds maps PySpark's spellings, without "_", to those of package wire.
var joinKinds = map[string]string{
	"inner": "INNER", "cross": "CROSS", "outer": "FULL", "full": "FULL", "fullouter": "FULL", "left": "LEFT",
	"leftouter": "LEFT", "right": "RIGHT", "rightouter": "RIGHT", "semi": "SEMI", "leftsemi": "SEMI", "anti": "ANTI", "leftanti": "ANTI",
}

// Join joins two DataFrames (join). on is a name or a []string of columns that both have (they come out once), a
// condition as a Column or []Column, or nil for none. how is "inner" (default), "cross", "left", "right", "full"
// ("outer"), "semi", "anti" or another of PySpark's spellings.
func (df *DataFrame) Join(other *DataFrame, on any, how ...string) *DataFrame {
	rel := node{"n": "join", "left": df.rel, "right": other.rel, "kind": "INNER"}
	if len(how) > 0 {
		kind, known := joinKinds[strings.ReplaceAll(strings.ToLower(how[0]), "_", "")]
		if !known {
			raiseClass("AnalysisException", "UNSUPPORTED_JOIN_TYPE", "0A000", "Unsupported join type '%s'. Supported join types include: 'inner', 'outer', 'full', 'fullouter', 'full_outer', 'leftouter', 'left', 'left_outer', 'rightouter', 'right', 'right_outer', 'leftsemi', 'left_semi', 'semi', 'leftanti', 'left_anti', 'anti', 'cross'.", how[0])
		}
		rel["kind"] = kind
	}
	switch on := on.(type) {
	case nil:
	case string:
		rel["using"] = []string{on}
	case []string:
		rel["using"] = on
	case Column:
		rel["on"] = on.Node()
	case []Column:
		if len(on) > 0 {
			all := on[0]
			for _, c := range on[1:] {
				all = all.And(c)
			}
			rel["on"] = all.Node()
		}
	default:
		raise("TypeError", "", "Join: условие — имя колонки, []string или колонка-условие, получено %T", on)
	}
	return analyze(rel)
}

// CrossJoin pairs every row with every other (crossJoin).
func (df *DataFrame) CrossJoin(other *DataFrame) *DataFrame { return df.Join(other, nil, "cross") }

func (df *DataFrame) set(op string, all bool, other *DataFrame) *DataFrame {
	return analyze(node{"n": "set", "op": op, "all": all, "left": df.rel, "right": other.rel})
}

// Union puts the other's rows below, by position, duplicates kept (union).
func (df *DataFrame) Union(other *DataFrame) *DataFrame { return df.set("UNION", true, other) }

// UnionByName is Union by column name; with allowMissing, columns that one side lacks are NULL there (unionByName).
func (df *DataFrame) UnionByName(other *DataFrame, allowMissing ...bool) *DataFrame {
	return analyze(node{"n": "set", "op": "UNION", "all": true, "byName": true,
		"allowMissing": len(allowMissing) > 0 && allowMissing[0], "left": df.rel, "right": other.rel})
}

// Intersect keeps rows that both have, each once (intersect).
func (df *DataFrame) Intersect(other *DataFrame) *DataFrame { return df.set("INTERSECT", false, other) }

// IntersectAll keeps rows that both have, with duplicates (intersectAll).
func (df *DataFrame) IntersectAll(other *DataFrame) *DataFrame {
	return df.set("INTERSECT", true, other)
}

// Subtract keeps rows that the other lacks, each once: EXCEPT in SQL (subtract).
func (df *DataFrame) Subtract(other *DataFrame) *DataFrame { return df.set("EXCEPT", false, other) }

// ExceptAll is Subtract with duplicates: each of the other's rows takes one away (exceptAll).
func (df *DataFrame) ExceptAll(other *DataFrame) *DataFrame { return df.set("EXCEPT", true, other) }

// Count runs the query and counts its rows (count).
func (df *DataFrame) Count() int64 {
	n, ok := call(node{"op": wire.OpCount, "relation": df.rel})["count"].(int64)
	if !ok {
		raise("EngineError", "", "ответ движка без числа строк")
	}
	return n
}

// Collect runs the query and brings all rows into the cell (collect).
func (df *DataFrame) Collect() []Row { return df.collect(-1) }

// Take brings at most n rows (take).
func (df *DataFrame) Take(n int) []Row { return df.collect(n) }

func (df *DataFrame) collect(limit int) []Row {
	var all [][]any
	reply := engine.request(node{"op": wire.OpCollect, "relation": df.rel, "limit": limit}, func(rows [][]any) { all = append(all, rows...) })
	engine.mu.Lock()
	engine.setZone(str(reply["timeZone"]))
	engine.mu.Unlock()
	schema := schemaOf(reply)
	out := make([]Row, len(all))
	for i, values := range all {
		if len(values) != len(schema.Fields) {
			raise("EngineError", "", "строка из %d значений при %d колонках", len(values), len(schema.Fields))
		}
		out[i] = Row{schema: &schema, values: values}
	}
	return out
}

// First brings the first row (first). If there is none, the Row's Exists is false and reading it fails.
func (df *DataFrame) First() Row {
	if rows := df.collect(1); len(rows) > 0 {
		return rows[0]
	}
	return Row{}
}

// Head is First (head without an argument); head(n) is Take.
func (df *DataFrame) Head() Row { return df.First() }

// IsEmpty reports whether there is no row (isEmpty).
func (df *DataFrame) IsEmpty() bool { return !df.First().Exists() }

// ShowOption changes what Show prints: Rows, Truncate, NoTruncate, Vertical.
type ShowOption func(*showOptions)

type showOptions struct {
	n, truncate int
	vertical    bool
}

// Rows shows n rows instead of 20 (the argument n of PySpark's show).
func Rows(n int) ShowOption { return func(o *showOptions) { o.n = n } }

// Truncate cuts values to a number of characters instead of 20 (truncate=width).
func Truncate(width int) ShowOption { return func(o *showOptions) { o.truncate = width } }

// NoTruncate shows values whole (truncate=False).
func NoTruncate() ShowOption { return Truncate(0) }

// Vertical shows one value a line (vertical=True).
func Vertical() ShowOption { return func(o *showOptions) { o.vertical = true } }

// Show prints the first 20 rows as a table (show). PySpark's show(5, truncate=False, vertical=True) is
//
//	df.Show(lakelab.Rows(5), lakelab.NoTruncate(), lakelab.Vertical())
func (df *DataFrame) Show(options ...ShowOption) {
	o := showOptions{n: 20, truncate: 20}
	for _, set := range options {
		set(&o)
	}
	df.print(node{"op": wire.OpShow, "n": o.n, "truncate": o.truncate, "vertical": o.vertical})
}

// PrintSchema prints the columns as a tree, down to a level if one is given (printSchema).
func (df *DataFrame) PrintSchema(level ...int) {
	depth := 0
	if len(level) > 0 {
		depth = level[0]
	}
	df.print(node{"op": wire.OpTree, "level": depth})
}

// Explain prints the engine's plan; extended shows the logical one too (explain).
func (df *DataFrame) Explain(extended ...bool) {
	df.print(node{"op": wire.OpExplain, "extended": len(extended) > 0 && extended[0]})
}

// print asks for a text and prints it as Python's print does.
func (df *DataFrame) print(req node) {
	req["relation"] = df.rel
	fmt.Println(str(call(req)["text"]))
}

// Display shows the first rows as an HTML table in the notebook.
func (df *DataFrame) Display() { Display(df) }

// CreateOrReplaceTempView gives the query a name for SQL in this session (createOrReplaceTempView).
func (df *DataFrame) CreateOrReplaceTempView(name string) { df.createView(name, true, false) }

// CreateTempView is the same, but fails if the name is taken, with TEMP_TABLE_OR_VIEW_ALREADY_EXISTS (createTempView).
func (df *DataFrame) CreateTempView(name string) { df.createView(name, false, false) }

// CreateOrReplaceGlobalTempView makes global_temp.name, seen by every session of the engine
// (createOrReplaceGlobalTempView).
func (df *DataFrame) CreateOrReplaceGlobalTempView(name string) { df.createView(name, true, true) }

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
