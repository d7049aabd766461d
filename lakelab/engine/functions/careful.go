package functions

import (
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Careful prints a call so that its arguments are computed as Spark does: an argument behind one that decides already is not computed,
// so that it cannot fail, and the first to fail is the one that is reported. DuckDB computes all of them, a vector at a time, which is
// faster and the same as long as nothing fails; this form is for the second run of a query that failed, and for what Spark computes before a
// query runs. Before that it leaves out calls that are NULL for a NULL that is written, but for those over rows that are written in the
// query.
func Careful(c *expr.Call, a []string, written bool) string {
	exact := func(a []string) string {
		if s, ok := Checked(c, a); ok {
			return s
		}
		return c.Func.Duck(c, a)
	}
	if c.Func.Dialect == sql.Trino || c.Func.Kind != expr.Scalar {
		return exact(a)
	}
	if !written && len(a) == 1 && !c.Args[0].Nullable() && (c.Func.Name == "isnull" || c.Func.Name == "isnotnull") {
		return strconv.FormatBool(c.Func.Name == "isnotnull")
	}
	if !written && IsNull(c) || len(a) == 2 && scaled[c.Func.Name] && IsNull(c.Args[1]) {
		return typedAs(c.T, "NULL")
	}
	if len(a) < 2 || hasLambda(c) {
		return exact(a)
	}
	switch c.Func.Name {
	case "and":
		return let(a[0], func(l string) string {
			return "CASE WHEN NOT " + l + " THEN false ELSE (" + l + " AND " + a[1] + ") END"
		})
	case "or":
		return let(a[0], func(l string) string { return "CASE WHEN " + l + " THEN true ELSE (" + l + " OR " + a[1] + ") END" })
	case "between":
		return let(a[0], func(x string) string {
			return "CASE WHEN " + x + " IS NULL THEN NULL WHEN " + x + " < " + a[1] + " THEN false ELSE " + exact([]string{x, a[1], a[2]}) + " END"
		})
	case "in":
		return let(a[0], func(x string) string {
			s := "CASE WHEN " + x + " IS NULL THEN NULL"
			for _, y := range a[1:] {
				s += " WHEN " + x + " = " + y + " THEN true"
			}
			return s + " ELSE " + exact(append([]string{x}, a[1:]...)) + " END"
		})
	case "/", "%", "div":
		// The divisor first, but whether it is zero is looked at when both are there.
		return let(a[1], func(r string) string {
			both := let(a[0], func(l string) string { return exact([]string{l, r}) })
			if c.Args[1].Nullable() && mayFail(a[0]) {
				both = "CASE WHEN " + r + " IS NOT NULL THEN " + both + " END"
			}
			return both
		})
	}
	if eager[c.Func.Name] {
		return exact(a)
	}
	order := make([]int, len(a))
	for i := range order {
		order[i] = i
	}
	return skipping(c, a, order, exact)
}

// scaled are functions that look at their second argument first.
var scaled = map[string]bool{"round": true, "bround": true, "floor": true, "ceil": true, "ceiling": true}

// eager are the functions that compute all their arguments whatever they are, or that say themselves which they compute.
var eager = map[string]bool{
	"coalesce": true, "ifnull": true, "nvl": true, "nvl2": true, "if": true, "nullifzero": true, "zeroifnull": true, "when": true, "<=>": true, "equal_null": true,
	"greatest": true, "least": true, "concat": true, "||": true, "concat_ws": true, "array": true, "map": true, "struct": true, "named_struct": true, "hash": true, "xxhash64": true,
	"format_string": true, "printf": true, "elt": true, "arrays_zip": true, "map_concat": true,
}

// readsNull are functions for which a NULL among the arguments does not make the result NULL.
var readsNull = map[string]bool{
	"and": true, "or": true, "in": true, "between": true, "nullif": true, "isnull": true, "isnotnull": true, "decode": true, "mask": true, "assert_true": true,
	"array_append": true, "array_prepend": true, "array_insert": true, "array_repeat": true, "array_position": true, "array_contains": true, "array_join": true,
	"to_json": true, "to_csv": true, "from_json": true, "from_csv": true, "map_from_arrays": true, "map_from_entries": true, "try_element_at": true, "typeof": true, "raise_error": true,
}

// IsNull reports whether an expression is NULL for a NULL that is written in it, whatever else it would compute.
func IsNull(x expr.Expr) bool {
	switch x := x.(type) {
	case *expr.Lit:
		return x.Value == nil
	case *expr.Cast:
		return IsNull(x.X)
	case *expr.Alias:
		return IsNull(x.X)
	case *expr.Field:
		return IsNull(x.X)
	case *expr.Call:
		if x.Func.Name == "in" && x.Func.Dialect == sql.Spark && len(x.Args) > 0 {
			return IsNull(x.Args[0])
		}
		return x.Func.Dialect == sql.Spark && x.Func.Kind == expr.Scalar && x.Nullable() && !eager[x.Func.Name] && !readsNull[x.Func.Name] && slices.ContainsFunc(x.Args, IsNull)
	}
	return false
}

// MayFail reports whether computing an expression may fail, as far as its functions and types tell.
func MayFail(x expr.Expr) bool {
	switch x := x.(type) {
	case nil, *expr.Lit, *expr.Ref:
		return false
	case *expr.Alias:
		return MayFail(x.X)
	case *expr.Field:
		return MayFail(x.X)
	case *expr.Cast:
		return x.Dialect == sql.Spark && (MayFail(x.X) || !x.Try && !sureCast(x.X.Type(), x.T))
	case *expr.Case:
		for _, w := range x.Whens {
			if MayFail(w.Cond) || MayFail(w.Then) {
				return true
			}
		}
		return MayFail(x.Else)
	case *expr.Call:
		if x.Func.Dialect != sql.Spark {
			return false
		}
		if Trying(x) {
			return false
		}
		if !sure[x.Func.Name] && !(arithmetics[x.Func.Name] && floating(x.T)) && x.Func.Kind == expr.Scalar {
			return true
		}
		return slices.ContainsFunc(x.Args, MayFail) || MayFail(x.Filter) || slices.ContainsFunc(x.OrderBy, func(k expr.SortKey) bool { return MayFail(k.X) })
	case *expr.Window:
		return MayFail(x.Call) || slices.ContainsFunc(x.Partition, MayFail) || slices.ContainsFunc(x.OrderBy, func(k expr.SortKey) bool { return MayFail(k.X) })
	case *expr.Lambda:
		return MayFail(x.Body)
	case *expr.Subquery:
		return slices.ContainsFunc(x.Left, MayFail)
	}
	return true
}

// Trying reports whether a call is NULL in place of any error in its arguments: Spark's try_add, …, if these are written as other than
// numbers. Of numbers only the operation itself may not fail.
func Trying(c *expr.Call) bool {
	switch c.Func.Name {
	case "try_add", "try_subtract", "try_multiply", "try_divide", "try_mod":
		return slices.ContainsFunc(c.Args, func(x expr.Expr) bool {
			for {
				if !x.Type().IsNumeric() {
					return true
				}
				k, ok := x.(*expr.Cast)
				if !ok || !k.Implicit {
					return false
				}
				x = k.X
			}
		})
	}
	return false
}

// Renull computes anew whether an expression may be NULL, after a part of it has become so.
func Renull(x expr.Expr) {
	switch x := x.(type) {
	case *expr.Alias:
		Renull(x.X)
		x.Null = x.X.Nullable()
	case *expr.Cast:
		Renull(x.X)
		x.Null = x.Null || x.X.Nullable()
	case *expr.Field:
		Renull(x.X)
		x.Null = x.Null || x.X.Nullable()
	case *expr.Call:
		if x.Func.Kind != expr.Scalar {
			return
		}
		for _, a := range x.Args {
			Renull(a)
		}
		joins := x.Func.Name == "concat" || x.Func.Name == "||"
		if (joins || !eager[x.Func.Name]) && x.Func.Name != "isnull" && x.Func.Name != "isnotnull" {
			x.Null = x.Null || nullable(x.Args)
		}
	}
}

// sure are functions that no argument makes fail.
var sure = map[string]bool{
	"=": true, "<>": true, "<": true, "<=": true, ">": true, ">=": true, "<=>": true, "and": true, "or": true, "not": true, "in": true, "between": true,
	"isnull": true, "isnotnull": true, "isnan": true, "coalesce": true, "if": true, "ifnull": true, "nvl": true, "nvl2": true, "nullif": true, "when": true, "equal_null": true,
	"greatest": true, "least": true, "concat": true, "||": true, "concat_ws": true, "upper": true, "lower": true, "trim": true, "ltrim": true, "rtrim": true, "length": true,
	"substring": true, "array": true, "struct": true, "named_struct": true, "hash": true, "xxhash64": true, "year": true, "month": true, "day": true, "hour": true, "minute": true,
	"second": true, "transform": true, "filter": true, "exists": true, "forall": true, "aggregate": true, "size": true, "to_json": true, "typeof": true,
}

var arithmetics = map[string]bool{"+": true, "-": true, "*": true}

// sureCast reports whether every value of a type can be cast to another.
func sureCast(from, to types.Type) bool {
	switch {
	case from.Equal(to), from.Kind == types.Null, to.Kind == types.String:
		return true
	case from.IsNumeric() && from.Kind <= to.Kind && to.Kind <= types.Double, from.Kind == types.Decimal && floating(to), from.Kind == types.Date && temporal(to):
		return true
	case to.Kind == types.Decimal && (from.IsIntegral() || from.Kind == types.Decimal):
		d := decimalOfType(from)
		return to.Precision-to.Scale >= d.Precision-d.Scale
	}
	return false
}

// mayFail reports whether a text is more than a name or a constant.
func mayFail(s string) bool { return !short(s) }

// skipping computes the arguments in an order; behind one that is NULL none is computed, as the call is NULL then.
func skipping(c *expr.Call, a []string, order []int, body func([]string) string) string {
	i, rest := order[0], order[1:]
	fails := false
	for _, j := range rest {
		fails = fails || mayFail(a[j]) || mayFail(a[i]) && IsNull(c.Args[j]) // DuckDB computes nothing of a call with a NULL
	}
	if !fails {
		return body(a)
	}
	if !c.Args[i].Nullable() {
		return skipping(c, a, rest, body)
	}
	return let(a[i], func(v string) string {
		b := append([]string{}, a...)
		b[i] = v
		return "CASE WHEN " + v + " IS NOT NULL THEN " + skipping(c, b, rest, body) + " END"
	})
}

func hasLambda(c *expr.Call) bool {
	for _, x := range c.Args {
		if _, ok := x.(*expr.Lambda); ok || x == nil {
			return true
		}
	}
	return strings.HasPrefix(c.Func.Name, "$")
}
