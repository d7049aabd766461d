package functions

import (
	"errors"
	"math"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's comparisons as DuckDB's SQL ("Comparison functions and operators"). NaN equals nothing and is neither less nor greater. Arrays
// and rows are equal if their elements are, so a NULL in one leaves open what the others do not decide; maps do not know an order of
// their entries. IS DISTINCT FROM, DISTINCT, GROUP BY and IN (query) take NULL and NaN for equal to themselves, wherever they are, as
// DuckDB does.

func printTrinoComparison(op string) func(c *expr.Call, a []string) string {
	return func(c *expr.Call, a []string) string { return compared(c, op, c.Args[0], c.Args[1], a[0], a[1]) }
}

// compared prints a comparison of two values of one type; at is where its errors are.
func compared(at expr.Expr, op string, x, y expr.Expr, l, r string) string {
	t := x.Type()
	switch {
	case floating(t):
		return floatCompared(op, x, y, l, r)
	case op == "=" && nested(t):
		return trinoEqual(t, l, r)
	case op == "<>" && nested(t):
		return "(NOT " + trinoEqual(t, l, r) + ")"
	case nested(t):
		return nestedOrder(at, t, op, l, r)
	}
	return "(" + InstantOf(t, l) + " " + op + " " + InstantOf(t, r) + ")"
}

// JoinOn prints a join's condition, by what print says of its parts. DuckDB finds the rows of a join by keys: equality of collections
// says more than keys can, so that of the keys stands before it. Here it does not matter that it is false where the other is NULL.
func JoinOn(x expr.Expr, print func(expr.Expr) (string, error)) (string, error) {
	text, err := print(x)
	c, ok := x.(*expr.Call)
	if err != nil || !ok || c.Func.Dialect != sql.Trino {
		return text, err
	}
	switch t := c.Args[0].Type(); {
	case c.Func.Name == "and":
		l, err1 := JoinOn(c.Args[0], print)
		r, err2 := JoinOn(c.Args[1], print)
		return "(" + l + " AND " + r + ")", errors.Join(err1, err2)
	case c.Func.Name == "=" && nested(t):
		l, err1 := print(c.Args[0])
		r, err2 := print(c.Args[1])
		return "(" + InstantOf(t, l) + " = " + InstantOf(t, r) + " AND " + text + ")", errors.Join(err1, err2)
	}
	return text, nil
}

// notNaN reports whether an expression is a constant that is not NaN.
func notNaN(x expr.Expr) bool {
	v, ok := constant(x)
	if f, is := v.(float64); is {
		return !math.IsNaN(f)
	}
	return ok && v != nil
}

// floatCompared takes away what DuckDB says of NaN: that it equals itself and is greater than all others.
func floatCompared(op string, x, y expr.Expr, l, r string) string {
	plain := func(l, r string) string { return "(" + l + " " + op + " " + r + ")" }
	switch op {
	case "=", "<>":
		if x != nil && (notNaN(x) || notNaN(y)) {
			return plain(l, r)
		}
	case "<", "<=":
		if x != nil && notNaN(y) {
			return plain(l, r)
		}
	default:
		if x != nil && notNaN(x) {
			return plain(l, r)
		}
	}
	return letAll([]string{l, r}, []int{0, 1}, func(a []string) string {
		switch op {
		case "=":
			return "(" + a[0] + " = " + a[1] + " AND NOT (isnan(" + a[0] + ") AND isnan(" + a[1] + ")))"
		case "<>":
			return "(" + a[0] + " <> " + a[1] + " OR (isnan(" + a[0] + ") AND isnan(" + a[1] + ")))"
		case "<", "<=":
			return "(" + plain(a[0], a[1]) + " AND NOT (isnan(" + a[1] + ") AND " + a[0] + " IS NOT NULL))"
		}
		return "(" + plain(a[0], a[1]) + " AND NOT (isnan(" + a[0] + ") AND " + a[1] + " IS NOT NULL))"
	})
}

// trinoEqual prints l = r of a type: true, false or NULL.
func trinoEqual(t types.Type, l, r string) string {
	switch t.Kind {
	case types.Float, types.Double:
		return floatCompared("=", nil, nil, l, r)
	case types.Array:
		return letAll([]string{l, r}, []int{0, 1}, func(a []string) string {
			return equalInPairs(a, func(x, y string) string { return trinoEqual(*t.Elem, x, y) })
		})
	case types.Map:
		entries := func(m string) string { return "list_sort(map_entries(" + m + "))" }
		if hasInstant(*t.Key) { // the order of the keys is not that of DuckDB
			entries = func(m string) string {
				p, key := bind(func(v string) string { return InstantOf(*t.Key, v+".key") })
				return "list_sort(list_transform(map_entries(" + m + "), lambda " + p + ": {'key': " + key + ", 'value': " + p + ".value}))"
			}
		}
		return letAll([]string{entries(l), entries(r)}, []int{0, 1}, func(a []string) string {
			return equalInPairs(a, func(x, y string) string {
				return "(" + x + ".key = " + y + ".key AND " + trinoEqual(*t.Value, x+".value", y+".value") + ")"
			})
		})
	case types.Struct:
		return letAll([]string{l, r}, []int{0, 1}, func(a []string) string {
			fields := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				fields[i] = trinoEqual(f.Type, fieldAt(a[0], i), fieldAt(a[1], i))
			}
			return "(" + joinWith(fields, " AND ") + ")"
		})
	}
	return "(" + InstantOf(t, l) + " = " + InstantOf(t, r) + ")"
}

func oneNull(a []string) string { return a[0] + " IS NULL OR " + a[1] + " IS NULL" }

// inPairs prints the list of what body says of the elements of two lists that stand at one place.
func inPairs(lists []string, body func(x, y string) string) string {
	p, text := bind(func(v string) string { return body(fieldAt(v, 0), fieldAt(v, 1)) })
	return "list_transform(list_zip(" + join(lists) + "), lambda " + p + ": " + text + ")"
}

// equalInPairs prints whether two lists are equal, where body says that of two of their elements.
func equalInPairs(lists []string, body func(x, y string) string) string {
	return "CASE WHEN " + oneNull(lists) + " THEN NULL WHEN len(" + lists[0] + ") <> len(" + lists[1] + ") THEN false ELSE " + allOf(inPairs(lists, body)) + " END"
}

// allOf prints AND over a list.
func allOf(list string) string {
	return let(list, func(v string) string {
		return "CASE WHEN list_bool_and(" + v + ") = false THEN false WHEN list_count(" + v + ") < len(" + v + ") THEN NULL ELSE true END"
	})
}

// nestedOrder prints <, <=, > and >= of arrays or rows. A NULL where they first differ is an error; NaN comes behind all numbers here.
func nestedOrder(at expr.Expr, t types.Type, op, l, r string) string {
	message := "ARRAY comparison not supported for arrays with null elements"
	if t.Kind == types.Struct {
		message = "ROW comparison not supported for fields with null elements"
	}
	return letAll([]string{l, r}, []int{0, 1}, func(a []string) string {
		return "CASE WHEN " + oneNull(a) + " THEN NULL WHEN " + firstDifference(t, a[0], a[1]) + " = 1 THEN " +
			typedAs(types.Of(types.Boolean), trinoFail(at, "NOT_SUPPORTED", quote(message))) + " ELSE " + InstantOf(t, a[0]) + " " + op + " " + InstantOf(t, a[1]) + " END"
	})
}

// firstDifference prints what two values first differ in: 0 for nothing, 1 for a NULL on either side, 2 for a value.
func firstDifference(t types.Type, l, r string) string {
	switch t.Kind {
	case types.Array:
		return letAll([]string{l, r}, []int{0, 1}, func(a []string) string {
			shorter := func(i int) string { return a[i] + "[:least(len(" + a[0] + "), len(" + a[1] + "))]" }
			each := inPairs([]string{shorter(0), shorter(1)}, func(x, y string) string { return firstDifference(*t.Elem, x, y) })
			return "CASE WHEN " + oneNull(a) + " THEN 1 ELSE coalesce(list_filter(" + each + ", lambda _d: _d <> 0)[1], CASE WHEN len(" + a[0] + ") = len(" + a[1] + ") THEN 0 ELSE 2 END) END"
		})
	case types.Struct:
		return letAll([]string{l, r}, []int{0, 1}, func(a []string) string {
			fields := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				fields[i] = "nullif(" + firstDifference(f.Type, fieldAt(a[0], i), fieldAt(a[1], i)) + ", 0)"
			}
			return "CASE WHEN " + oneNull(a) + " THEN 1 ELSE coalesce(" + join(fields) + ", 0) END"
		})
	}
	return letAll([]string{l, r}, []int{0, 1}, func(a []string) string {
		return "CASE WHEN " + oneNull(a) + " THEN 1 WHEN " + InstantOf(t, a[0]) + " = " + InstantOf(t, a[1]) + " THEN 0 ELSE 2 END"
	})
}

func printTrinoIn(c *expr.Call, a []string) string {
	t := c.Args[0].Type()
	numbers := true
	for _, x := range c.Args[1:] {
		v, ok := constant(x)
		numbers = numbers && (notNaN(x) || ok && v == nil)
	}
	if nested(t) || floating(t) && !numbers {
		return letAll(a, []int{0}, func(a []string) string {
			parts := make([]string, len(a)-1)
			for i := range parts {
				parts[i] = trinoEqual(t, a[0], a[i+1])
			}
			return "(" + joinWith(parts, " OR ") + ")"
		})
	}
	return byInstant(printIn)(c, a)
}

func printTrinoBetween(c *expr.Call, a []string) string {
	t := c.Args[0].Type()
	if nested(t) || floating(t) && !notNaN(c.Args[2]) {
		return letAll(a, []int{0}, func(a []string) string {
			return "(" + compared(c, ">=", c.Args[0], c.Args[1], a[0], a[1]) + " AND " + compared(c, "<=", c.Args[0], c.Args[2], a[0], a[2]) + ")"
		})
	}
	return byInstant(tmpl("($1 BETWEEN $2 AND $3)"))(c, a)
}

// Quantified compares a value with ALL or ANY values of a query, of which a row tells how many there are, how many are not NULL, and the
// least and the greatest. A NULL among them leaves open what they do not decide; without any, ALL holds and ANY does not.
func Quantified(op string, all bool, x, extremes expr.Expr, at token.Span) expr.Expr {
	c := &expr.Call{Args: []expr.Expr{x, extremes}}
	c.T, c.Null, c.At = types.Of(types.Boolean), true, at
	truth, join := "false", " OR "
	if all {
		truth, join = "true", " AND "
	}
	c.Func = &expr.Func{Name: "$quantified", Dialect: sql.Trino, Duck: func(c *expr.Call, a []string) string {
		return letAll(a, []int{0, 1}, func(a []string) string {
			extreme := &expr.Lit{}
			extreme.T = c.Args[0].Type()
			with := func(field int) string { return compared(c, op, c.Args[0], extreme, a[0], fieldAt(a[1], field)) }
			rows, values, least, greatest := fieldAt(a[1], 0), fieldAt(a[1], 1), 2, 3
			var s string
			switch greater := op == ">" || op == ">="; {
			case op == "=" || op == "<>": // = ALL and <> ANY: the others are IN
				s = with(least) + join + with(greatest)
			case greater == all:
				s = with(greatest)
			default:
				s = with(least)
			}
			return "CASE WHEN " + rows + " = 0 THEN " + truth + " ELSE (" + s + join + "CASE WHEN " + rows + " = " + values + " THEN " + truth + " END) END"
		})
	}}
	return c
}
