package lakelab

import (
	"fmt"
	"iter"
	"slices"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

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

// Tail brings the last n rows (tail). The query runs twice: once to count, once to skip.
func (df *DataFrame) Tail(n int) []Row {
	if n <= 0 {
		return []Row{}
	}
	return df.Offset(max(0, int(df.Count())-n)).Collect()
}

// Foreach calls f with every row, in the cell's own program (foreach: Spark runs it on its executors, one after the other here).
func (df *DataFrame) Foreach(f func(Row)) {
	for _, row := range df.Collect() {
		f(row)
	}
}

// ToLocalIterator is for range over all rows (toLocalIterator). The rows are brought first, so that f may ask the engine.
func (df *DataFrame) ToLocalIterator() iter.Seq[Row] { return slices.Values(df.Collect()) }

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

// Explain prints the plan of this engine (explain). Extended adds the query that DuckDB runs.
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
