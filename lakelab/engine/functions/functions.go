// Package functions is the table of built-in functions and operators, and the type rules that go with them.
//
// Package plan calls Resolve, Cast and Literal while it types expressions; package duck prints a call through its row's
// Duck and a cast through PrintCast. The rows stand by theme (strings.go, datetime.go, …; Trino's own in trino.go), made by
// the helpers in row.go; types.go holds implicit casts and common types, cast.go and cast_print.go the explicit ones. What
// DuckDB's SQL cannot say is a function in Go (*_udf.go), which package duck registers. A built-in of the dialect that is not
// here has a row with Missing, so that it is refused by name.
package functions

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

type table map[string]*expr.Func

var tables = map[sql.Dialect]table{sql.Spark: {}, sql.Trino: {}}

// add puts rows into a dialect's table.
func add(d sql.Dialect, rows ...*expr.Func) {
	for _, f := range rows {
		f.Dialect = d
		tables[d][f.Name] = f
		for _, a := range f.Aliases {
			tables[d][a] = f
		}
	}
}

// both puts rows into both dialects' tables.
func both(rows ...*expr.Func) {
	for _, f := range rows {
		g := *f
		add(sql.Spark, f)
		add(sql.Trino, &g)
	}
}

// Lookup finds a function or an operator by name, in any case; nil if the dialect has none of that name.
func Lookup(d sql.Dialect, name string) *expr.Func {
	if d == sql.Trino {
		finishTrino()
	}
	return tables[d][strings.ToLower(name)]
}

// All lists a dialect's functions by name, operators left out.
func All(d sql.Dialect) []*expr.Func {
	if d == sql.Trino {
		finishTrino()
	}
	seen := map[*expr.Func]bool{}
	var out []*expr.Func
	for _, f := range tables[d] {
		if !seen[f] && f.Signature != "" {
			seen[f] = true
			out = append(out, f)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Resolve types a call: it checks the arguments, casts them where the rules say so and returns the typed call.
func Resolve(d sql.Dialect, name string, args []expr.Expr, at token.Span) (expr.Expr, error) {
	f := Lookup(d, name)
	if f == nil {
		return nil, errclass.UnresolvedRoutine(int(d), name).At(at)
	}
	c := &expr.Call{Func: f, Name: name, Args: args}
	c.At = at
	return c, Type(c)
}

// Type types a call that has its function and arguments already.
func Type(c *expr.Call) error {
	if c.Func.Missing != "" {
		return errclass.FunctionMissing(int(c.Func.Dialect), c.Func.Name, c.Func.Missing).At(c.At)
	}
	if voids[c.Func.Name] && c.Func.Dialect == sql.Spark && len(c.Args) > 0 && c.Args[0].Type().Kind == types.Null {
		c.Args[0] = &expr.Lit{Base: expr.Base{T: c.Args[0].Type(), Null: true, At: c.Args[0].Span()}}
	}
	before := append([]expr.Expr{}, c.Args...)
	if err := c.Func.Resolve(c); err != nil {
		var e *errclass.Error
		if name := strings.ToLower(c.Name); errors.As(err, &e) && e.Class == "WRONG_NUM_ARGS.WITHOUT_SUGGESTION" && c.Func.Name != name && name != "" {
			err = e.Renamed(c.Func.Name, name) // an alias is called as it was written
		}
		return errclass.Place(err, c.At)
	}
	// A cast that the rules put in is reported at the call's place, as Spark does.
	for i, a := range c.Args {
		if k, ok := a.(*expr.Cast); ok && k.Implicit && (i >= len(before) || a != before[i]) {
			k.At = c.At
		}
	}
	return nil
}

// voids are functions that cast nothing: Spark puts NULL in the place of a first argument whose type is that of NULL.
var voids = map[string]bool{
	"size": true, "cardinality": true, "map_keys": true, "map_values": true, "map_entries": true, "array_distinct": true, "array_join": true, "sort_array": true,
}

// nullable reports whether any argument may be NULL.
func nullable(args []expr.Expr) bool {
	for _, a := range args {
		if a.Nullable() {
			return true
		}
	}
	return false
}

func spark(rows ...*expr.Func) { add(sql.Spark, rows...) }
func trino(rows ...*expr.Func) { add(sql.Trino, rows...) }

func argTypes(c *expr.Call) []types.Type {
	ts := make([]types.Type, len(c.Args))
	for i, a := range c.Args {
		ts[i] = a.Type()
	}
	return ts
}

func commonOf(d sql.Dialect, xs []expr.Expr) (types.Type, bool) {
	ts := make([]types.Type, len(xs))
	for i, x := range xs {
		ts[i] = x.Type()
	}
	return CommonType(d, ts...)
}

func coerceAll(c *expr.Call, to types.Type) {
	for i := range c.Args {
		if x, ok := CoerceIn(c.Func.Dialect, c.Args[i], to); ok {
			c.Args[i] = x
		}
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
