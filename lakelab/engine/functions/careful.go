package functions

import (
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// Careful prints a call so that its arguments are computed as Spark does: an argument behind one that decides already is not computed,
// so that it cannot fail, and the first to fail is the one that is reported. DuckDB computes all of them, a vector at a time, which is
// faster and the same as long as nothing fails; this form is for the second run of a query that failed.
func Careful(c *expr.Call, a []string) string {
	exact := func(a []string) string {
		if s, ok := Checked(c, a); ok {
			return s
		}
		return c.Func.Duck(c, a)
	}
	if c.Func.Dialect == sql.Trino || c.Func.Kind != expr.Scalar || len(a) < 2 || hasLambda(c) {
		return exact(a)
	}
	if !eager[c.Func.Name] && !readsNull[c.Func.Name] && slices.ContainsFunc(c.Args, isNull) {
		return typedAs(c.T, "NULL")
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
	"to_json": true, "to_csv": true, "from_json": true, "from_csv": true, "map_from_arrays": true, "map_from_entries": true, "try_element_at": true, "typeof": true,
}

// isNull reports whether an argument is NULL as it is written, whatever its type became.
func isNull(x expr.Expr) bool {
	v, ok := constant(x)
	return ok && v == nil
}

// mayFail reports whether a text is more than a name or a constant.
func mayFail(s string) bool { return !short(s) }

// skipping computes the arguments in an order; behind one that is NULL none is computed, as the call is NULL then.
func skipping(c *expr.Call, a []string, order []int, body func([]string) string) string {
	i, rest := order[0], order[1:]
	fails := false
	for _, j := range rest {
		fails = fails || mayFail(a[j])
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
