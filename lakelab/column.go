package lakelab

import (
	"fmt"
	"math"
	"time"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// Column is an expression over the columns of a DataFrame (pyspark.sql.Column). Functions such as F.Col, F.Lit and
// F.Sum of package functions make one; methods combine them. An argument of type any is a Column, or a Go value that
// becomes a literal (see LiteralOf). Nothing is computed, and no name is looked up, before a DataFrame uses the Column.
type Column struct{ node node }

// NewColumn wraps a tree of package wire. Package functions calls it; cells use that package.
func NewColumn(n wire.Node) Column { return Column{n} }

// Node is the column's tree, for package functions.
func (c Column) Node() wire.Node {
	if c.node == nil {
		raise("ValueError", "", "пустая колонка: используйте F.Col, F.Lit, F.Expr или другую функцию пакета functions")
	}
	return c.node
}

// ColumnOf takes a Column, or the name of one ("a", "t.a", "t.*", "`strange name`"); anything else is a TypeError.
// Package functions calls it for arguments that PySpark documents as ColumnOrName.
func ColumnOf(columnOrName any) Column {
	switch x := columnOrName.(type) {
	case Column:
		x.Node()
		return x
	case string:
		return Column{node{"c": "name", "name": x}}
	}
	raise("TypeError", "", "нужна колонка или её имя, получено %v (%T); значение оборачивают в F.Lit(…)", columnOrName, columnOrName)
	return Column{}
}

// LiteralOf takes a Column, or a Go value that becomes a literal (F.Lit): nil, bool, string, []byte, float32 (FLOAT),
// float64 (DOUBLE), int8, int16, int32, int64 (TINYINT … BIGINT), int (INT if it fits, else BIGINT, as in Python),
// time.Time (TIMESTAMP), time.Duration (INTERVAL DAY TO SECOND), Decimal, and slices of these (ARRAY).
// Anything else is a TypeError.
func LiteralOf(v any) Column {
	var t any
	switch x := v.(type) {
	case Column:
		x.Node()
		return x
	case nil, bool, string, []byte, float32, float64, types.Dec, types.Days, types.Micros:
	case int:
		v, t = int64(x), types.Of(types.Int)
		if x < math.MinInt32 || x > math.MaxInt32 {
			t = types.Of(types.Long)
		}
	case int8:
		v, t = int64(x), types.Of(types.Byte)
	case int16:
		v, t = int64(x), types.Of(types.Short)
	case int32:
		v, t = int64(x), types.Of(types.Int)
	case int64:
		t = types.Of(types.Long)
	case time.Time:
		v = types.Micros(x.UnixMicro())
	case time.Duration:
		v, t = x.Microseconds(), types.DayTime(types.Day, types.Second)
	default:
		if list, ok := listOf(v); ok {
			args := make([]any, len(list))
			for i, e := range list {
				args[i] = LiteralOf(e).node
			}
			return Column{node{"c": "call", "name": "array", "args": args}}
		}
		raise("TypeError", "", "значение %v типа %T не может быть литералом", v, v)
	}
	n := node{"c": "lit", "value": v}
	if t != nil {
		n["type"] = t
	}
	return Column{n}
}

// literalOf is a value in the engine's form as a literal of a type.
func literalOf(v any, t Type) Column {
	n := node{"c": "lit", "value": v}
	if _, isInt := v.(int64); isInt {
		n["type"] = t
	}
	if t.Kind == types.TimestampNTZ && v != nil {
		return Column{n}.Cast("timestamp_ntz")
	}
	return Column{n}
}

// listOf gives the elements of the slices that cells use. []byte is a value of its own.
func listOf(v any) ([]any, bool) {
	switch x := v.(type) {
	case []any:
		return x, true
	case []string:
		return anySlice(x), true
	case []int:
		return anySlice(x), true
	case []int32:
		return anySlice(x), true
	case []int64:
		return anySlice(x), true
	case []float64:
		return anySlice(x), true
	case []bool:
		return anySlice(x), true
	case []time.Time:
		return anySlice(x), true
	case []Column:
		return anySlice(x), true
	}
	return nil, false
}

func anySlice[T any](list []T) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = x
	}
	return out
}

// op applies an operator; arguments that are no Columns become literals.
func (c Column) op(name string, args ...any) Column {
	list := make([]any, 0, 1+len(args))
	list = append(list, c.Node())
	for _, a := range args {
		list = append(list, LiteralOf(a).node)
	}
	return Column{node{"c": "op", "op": name, "args": list}}
}

func (c Column) call(name string, args ...any) Column {
	list := make([]any, 0, 1+len(args))
	list = append(list, c.Node())
	for _, a := range args {
		list = append(list, LiteralOf(a).node)
	}
	return Column{node{"c": "call", "name": name, "args": list}}
}

// Plus is c + x.
func (c Column) Plus(x any) Column { return c.op("+", x) }

// Minus is c - x.
func (c Column) Minus(x any) Column { return c.op("-", x) }

// Times is c * x.
func (c Column) Times(x any) Column { return c.op("*", x) }

// Div is c / x. Integers are divided as DOUBLE; division by zero fails with DIVIDE_BY_ZERO (ANSI mode).
func (c Column) Div(x any) Column { return c.op("/", x) }

// Mod is c % x; the result has the sign of c.
func (c Column) Mod(x any) Column { return c.op("%", x) }

// Pow is c ** x, a DOUBLE.
func (c Column) Pow(x any) Column { return c.call("power", x) }

// Negate is -c.
func (c Column) Negate() Column { return c.op("negative") }

// Eq is c = x (== in PySpark); NULL if either side is.
func (c Column) Eq(x any) Column { return c.op("=", x) }

// Neq is c <> x (!= in PySpark).
func (c Column) Neq(x any) Column { return c.op("<>", x) }

// Lt is c < x.
func (c Column) Lt(x any) Column { return c.op("<", x) }

// Le is c <= x.
func (c Column) Le(x any) Column { return c.op("<=", x) }

// Gt is c > x.
func (c Column) Gt(x any) Column { return c.op(">", x) }

// Ge is c >= x.
func (c Column) Ge(x any) Column { return c.op(">=", x) }

// EqNullSafe is c <=> x: two NULLs are equal, and the result is never NULL (eqNullSafe).
func (c Column) EqNullSafe(x any) Column { return c.op("<=>", x) }

// And is c AND x (& in PySpark).
func (c Column) And(x any) Column { return c.op("and", x) }

// Or is c OR x (| in PySpark).
func (c Column) Or(x any) Column { return c.op("or", x) }

// Not is NOT c (~ in PySpark).
func (c Column) Not() Column { return c.op("not") }

// BitwiseAND is c & x on integers (bitwiseAND).
func (c Column) BitwiseAND(x any) Column { return c.op("&", x) }

// BitwiseOR is c | x on integers (bitwiseOR).
func (c Column) BitwiseOR(x any) Column { return c.op("|", x) }

// BitwiseXOR is c ^ x on integers (bitwiseXOR).
func (c Column) BitwiseXOR(x any) Column { return c.op("^", x) }

// IsNull is c IS NULL (isNull).
func (c Column) IsNull() Column { return c.op("isnull") }

// IsNotNull is c IS NOT NULL (isNotNull).
func (c Column) IsNotNull() Column { return c.op("isnotnull") }

// IsNaN reports whether a FLOAT or DOUBLE is not a number (isNaN).
func (c Column) IsNaN() Column { return c.call("isnan") }

// IsIn is c IN (values); one slice may be passed instead of values (isin).
func (c Column) IsIn(values ...any) Column {
	if len(values) == 1 {
		if list, ok := listOf(values[0]); ok {
			values = list
		}
	}
	return c.op("in", values...)
}

// Between is c BETWEEN low AND high, both included (between).
func (c Column) Between(low, high any) Column { return c.op("between", low, high) }

// Like is c LIKE pattern, with % and _ (like).
func (c Column) Like(pattern string) Column { return c.op("like", pattern) }

// ILike is Like without regard to case (ilike).
func (c Column) ILike(pattern string) Column { return c.op("ilike", pattern) }

// RLike is c RLIKE pattern: a regular expression found somewhere in c (rlike).
func (c Column) RLike(pattern string) Column { return c.op("rlike", pattern) }

// Contains reports whether the string holds x (contains).
func (c Column) Contains(x any) Column { return c.call("contains", x) }

// StartsWith reports whether the string starts with x (startswith).
func (c Column) StartsWith(x any) Column { return c.call("startswith", x) }

// EndsWith reports whether the string ends with x (endswith).
func (c Column) EndsWith(x any) Column { return c.call("endswith", x) }

// Substr is length characters from a position counted from 1 (substr).
func (c Column) Substr(position, length any) Column { return c.call("substr", position, length) }

// Cast changes the type, given as in SQL: "int", "decimal(10,2)", "array<string>" (cast). What does not fit fails with
// CAST_INVALID_INPUT or CAST_OVERFLOW (ANSI mode).
func (c Column) Cast(sqlType string) Column {
	return Column{node{"c": "cast", "x": c.Node(), "type": sqlType}}
}

// TryCast is Cast that gives NULL for what does not fit (try_cast).
func (c Column) TryCast(sqlType string) Column {
	return Column{node{"c": "cast", "x": c.Node(), "type": sqlType, "try": true}}
}

// As names the column (alias, AS in SQL). A generator of several columns takes a name for each: F.Explode("m").As("k", "v").
func (c Column) As(names ...string) Column {
	if len(names) == 1 {
		return Column{node{"c": "alias", "x": c.Node(), "name": names[0]}}
	}
	return Column{node{"c": "alias", "x": c.Node(), "names": names}}
}

// Alias is As under PySpark's name.
func (c Column) Alias(names ...string) Column { return c.As(names...) }

// Name is As under another name of PySpark's (name).
func (c Column) Name(names ...string) Column { return c.As(names...) }

func (c Column) sort(desc bool, nulls string) Column {
	return Column{node{"c": "sort", "x": c.Node(), "desc": desc, "nulls": nulls}}
}

// BitwiseNOT is ~c on integers (F.bitwise_not).
func (c Column) BitwiseNOT() Column { return c.op("~") }

// Asc orders upwards, NULLs first (asc).
func (c Column) Asc() Column { return c.sort(false, "") }

// AscNullsFirst is asc_nulls_first.
func (c Column) AscNullsFirst() Column { return c.sort(false, "FIRST") }

// AscNullsLast is asc_nulls_last.
func (c Column) AscNullsLast() Column { return c.sort(false, "LAST") }

// Desc orders downwards, NULLs last (desc).
func (c Column) Desc() Column { return c.sort(true, "") }

// DescNullsFirst is desc_nulls_first.
func (c Column) DescNullsFirst() Column { return c.sort(true, "FIRST") }

// DescNullsLast is desc_nulls_last.
func (c Column) DescNullsLast() Column { return c.sort(true, "LAST") }

// GetItem is an array's element by position from 0, or a map's value by key (getItem).
func (c Column) GetItem(key any) Column {
	return Column{node{"c": "item", "x": c.Node(), "index": LiteralOf(key).node}}
}

// GetField is a struct's field (getField).
func (c Column) GetField(name string) Column {
	return Column{node{"c": "field", "x": c.Node(), "name": name}}
}

// WithField adds a field to a struct, or replaces it; "a.b" is the field b of the struct's field a (withField).
func (c Column) WithField(name string, value Column) Column {
	return Column{node{"c": "update", "x": c.Node(), "name": name, "value": value.Node()}}
}

// DropFields leaves fields of a struct out (dropFields).
func (c Column) DropFields(names ...string) Column {
	return Column{node{"c": "update", "x": c.Node(), "drop": names}}
}

// When adds a branch to F.When(…) (when).
func (c Column) When(condition Column, value any) Column {
	whens, isCase := c.Node()["whens"].([]any)
	if !isCase {
		raise("IllegalArgumentException", "", "when() can only be applied on a Column previously generated by when() function")
	}
	if _, closed := c.node["else"]; closed {
		raise("IllegalArgumentException", "", "when() cannot be applied once otherwise() is applied")
	}
	branch := []any{condition.Node(), LiteralOf(value).node}
	return Column{node{"c": "case", "whens": append(whens[:len(whens):len(whens)], branch)}}
}

// Otherwise ends F.When(…) with the value for all other rows; without it they give NULL (otherwise).
func (c Column) Otherwise(value any) Column {
	whens, isCase := c.Node()["whens"].([]any)
	if !isCase {
		raise("IllegalArgumentException", "", "otherwise() can only be applied on a Column previously generated by when()")
	}
	if _, closed := c.node["else"]; closed {
		raise("IllegalArgumentException", "", "otherwise() can only be applied once on a Column previously generated by when()")
	}
	return Column{node{"c": "case", "whens": whens, "else": LiteralOf(value).node}}
}

// Over computes an aggregate or a window function over a window (over).
func (c Column) Over(w WindowSpec) Column {
	n := node{"c": "window", "x": c.Node(), "partition": w.partition, "order": w.order}
	if w.frame != nil {
		n["frame"] = w.frame
	}
	return Column{n}
}

// columns turns arguments into trees: names, Columns, and slices of either.
func columns(args []any) []any {
	out := make([]any, 0, len(args))
	for _, a := range args {
		switch a.(type) {
		case []string, []Column, []any:
			list, _ := listOf(a)
			out = append(out, columns(list)...)
		default:
			out = append(out, ColumnOf(a).node)
		}
	}
	return out
}

// condition turns a Column, or an SQL text, into a tree.
func condition(x any) node {
	switch x := x.(type) {
	case Column:
		return x.Node()
	case string:
		return node{"c": "expr", "text": x}
	}
	raise("TypeError", "", "условие — это колонка (F.Col(…).Gt(0)) или текст на SQL, получено %s", fmt.Sprintf("%v (%T)", x, x))
	return nil
}
