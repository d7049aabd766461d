// Package functions is pyspark.sql.functions: what makes Columns. Cells import it as F.
//
//	import F "mini-lakehouse-lab/lakelab/functions"
//	df.GroupBy("zone").Agg(F.Sum("fare").As("total"))
//
// An argument of type any that stands for a column is a Column or the name of one, as in PySpark; other arguments are Go
// values. Every function only names a function of Spark SQL: types, NULLs and errors are the engine's, and the docs of
// Spark SQL apply. The PySpark name stands in parentheses. A function that is missing here is reached with CallFunction,
// or with Expr.
package functions

import (
	"mini-lakehouse-lab/lakelab"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// call names a function of Spark SQL; arguments are Columns or names.
func call(name string, columnsOrNames ...any) lakelab.Column {
	args := make([]any, len(columnsOrNames))
	for i, a := range columnsOrNames {
		args[i] = lakelab.ColumnOf(a).Node()
	}
	return lakelab.NewColumn(wire.Node{"c": "call", "name": name, "args": args})
}

// distinct is call with DISTINCT.
func distinct(name string, columnsOrNames ...any) lakelab.Column {
	n := call(name, columnsOrNames...).Node()
	n["distinct"] = true
	return lakelab.NewColumn(n)
}

// lit is for arguments that are Go values in PySpark too.
func lit(v any) lakelab.Column { return lakelab.LiteralOf(v) }

// Col is a column by name: "fare", "t.fare" after Alias("t"), "address.street" for a field, "`strange name`", "*" (col).
func Col(name string) lakelab.Column { return lakelab.ColumnOf(name) }

// Lit is a constant (lit); lakelab.LiteralOf lists the Go types. A Column stays as it is.
func Lit(value any) lakelab.Column { return lakelab.LiteralOf(value) }

// Expr is an expression of Spark SQL: Expr("fare * 2 AS twice") (expr).
func Expr(text string) lakelab.Column {
	return lakelab.NewColumn(wire.Node{"c": "expr", "text": text})
}

// CallFunction calls any function of Spark SQL by name (call_function).
func CallFunction(name string, cols ...any) lakelab.Column { return call(name, cols...) }

// When starts CASE: value where the condition is true. Add branches with Column.When and end with Column.Otherwise
// (when).
func When(condition lakelab.Column, value any) lakelab.Column {
	branch := []any{condition.Node(), lakelab.LiteralOf(value).Node()}
	return lakelab.NewColumn(wire.Node{"c": "case", "whens": []any{branch}})
}

// Coalesce is the first of the columns that is not NULL (coalesce).
func Coalesce(cols ...any) lakelab.Column { return call("coalesce", cols...) }

// NullIf is NULL if both are equal, else the first (nullif).
func NullIf(col1, col2 any) lakelab.Column { return call("nullif", col1, col2) }

// IfNull is the second where the first is NULL (ifnull).
func IfNull(col1, col2 any) lakelab.Column { return call("ifnull", col1, col2) }

// IsNull reports whether a column is NULL (isnull).
func IsNull(col any) lakelab.Column { return lakelab.ColumnOf(col).IsNull() }

// IsNotNull reports whether a column is not NULL (isnotnull).
func IsNotNull(col any) lakelab.Column { return lakelab.ColumnOf(col).IsNotNull() }

// Asc orders upwards (asc).
func Asc(col any) lakelab.Column { return lakelab.ColumnOf(col).Asc() }

// Desc orders downwards (desc).
func Desc(col any) lakelab.Column { return lakelab.ColumnOf(col).Desc() }

// MonotonicallyIncreasingID gives each row a BIGINT that grows, without promising which (monotonically_increasing_id).
func MonotonicallyIncreasingID() lakelab.Column { return call("monotonically_increasing_id") }

// Hash is Spark's Murmur3 hash of the columns, an INT (hash).
func Hash(cols ...any) lakelab.Column { return call("hash", cols...) }
