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

// orLit is for arguments that are a column's name, a Column or a value that is no string.
func orLit(v any) lakelab.Column {
	if name, isName := v.(string); isName {
		return lakelab.ColumnOf(name)
	}
	return lakelab.LiteralOf(v)
}

// then adds columns or names that may be left out.
func then[T any](args []any, more []T) []any {
	for _, a := range more {
		args = append(args, a)
	}
	return args
}

// optional adds Go values that may be left out.
func optional[T any](args []any, more []T) []any {
	for _, a := range more {
		args = append(args, lit(a))
	}
	return args
}

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

// AscNullsFirst orders upwards, NULLs first (asc_nulls_first).
func AscNullsFirst(col any) lakelab.Column { return lakelab.ColumnOf(col).AscNullsFirst() }

// AscNullsLast orders upwards, NULLs last (asc_nulls_last).
func AscNullsLast(col any) lakelab.Column { return lakelab.ColumnOf(col).AscNullsLast() }

// DescNullsFirst orders downwards, NULLs first (desc_nulls_first).
func DescNullsFirst(col any) lakelab.Column { return lakelab.ColumnOf(col).DescNullsFirst() }

// DescNullsLast orders downwards, NULLs last (desc_nulls_last).
func DescNullsLast(col any) lakelab.Column { return lakelab.ColumnOf(col).DescNullsLast() }

// BitwiseNot inverts the bits of an integer (bitwise_not).
func BitwiseNot(col any) lakelab.Column { return lakelab.ColumnOf(col).BitwiseNOT() }

// Broadcast marks a DataFrame as small (broadcast). DuckDB chooses by itself.
func Broadcast(df *lakelab.DataFrame) *lakelab.DataFrame { return df.Hint("broadcast") }

// MonotonicallyIncreasingID gives each row a BIGINT that grows, without promising which (monotonically_increasing_id).
func MonotonicallyIncreasingID() lakelab.Column { return call("monotonically_increasing_id") }

// SparkPartitionID is 0: on one machine the rows are one partition (spark_partition_id).
func SparkPartitionID() lakelab.Column { return call("spark_partition_id") }

// Hash is Spark's Murmur3 hash of the columns, an INT (hash).
func Hash(cols ...any) lakelab.Column { return call("hash", cols...) }

// AssertTrue: NULL, or an error unless cond is true (assert_true).
func AssertTrue(col any, errMsg ...any) lakelab.Column {
	return call("assert_true", optional([]any{col}, errMsg)...)
}

// EqualNull: true if equal or both NULL (equal_null).
func EqualNull(col1, col2 any) lakelab.Column { return call("equal_null", col1, col2) }

// NullIfZero: NULL if x is 0, else x (nullifzero).
func NullIfZero(col any) lakelab.Column { return call("nullifzero", col) }

// NVL: b if a is NULL, else a (nvl).
func NVL(col1, col2 any) lakelab.Column { return call("nvl", col1, col2) }

// NVL2: a unless x is NULL, else b (nvl2).
func NVL2(col1, col2, col3 any) lakelab.Column { return call("nvl2", col1, col2, col3) }

// RaiseError: an error of one's own (raise_error).
func RaiseError(errMsg any) lakelab.Column { return call("raise_error", lit(errMsg)) }

// ZeroIfNull: 0 if x is NULL, else x (zeroifnull).
func ZeroIfNull(col any) lakelab.Column { return call("zeroifnull", col) }
