package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// A NULL inside of an array or a struct is the smallest value for Spark and the largest for DuckDB. Where such values are put in order,
// DuckDB compares keys instead: every part that may be NULL stands there behind the answer whether it is there.

// OrderKey is what DuckDB compares so that values of a type come in Spark's order.
func OrderKey(t types.Type, s string) string { return orderKey(t, s, 0) }

// keyed reports whether a type's order is not DuckDB's.
func keyed(t types.Type) bool {
	switch t.Kind {
	case types.Array:
		return t.ElemNull || keyed(*t.Elem)
	case types.Struct:
		for _, f := range t.Fields {
			if f.Nullable || keyed(f.Type) {
				return true
			}
		}
	}
	return false
}

func orderKey(t types.Type, s string, depth int) string {
	if !keyed(t) {
		return s
	}
	part := func(t types.Type, null bool, s string) string {
		if !null {
			return orderKey(t, s, depth+1)
		}
		return "{'n': " + s + " IS NOT NULL, 'v': " + orderKey(t, s, depth+1) + "}"
	}
	if t.Kind == types.Array {
		p := "_o" + itoa(depth)
		return "list_transform(" + s + ", lambda " + p + ": " + part(*t.Elem, t.ElemNull, p) + ")"
	}
	return let(s, func(v string) string {
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = part(f.Type, f.Nullable, fieldAt(v, i))
		}
		return "CASE WHEN " + v + " IS NOT NULL THEN row(" + join(parts) + ") END"
	})
}

// sortList sorts the elements of a list; ties have equal values.
func sortList(elem types.Type, s, order, nulls string) string {
	if !keyed(elem) {
		return "list_sort(" + s + ", '" + order + "', 'NULLS " + nulls + "')"
	}
	return let(s, func(v string) string {
		there := "list_transform(list_sort(list_transform(list_filter(" + v + ", lambda _e: _e IS NOT NULL), lambda _e: {'k': " + orderKey(elem, "_e", 1) + ", 'v': _e}), '" + order + "'), lambda _e: _e.v)"
		not := "list_filter(" + v + ", lambda _e: _e IS NULL)"
		if nulls == "FIRST" {
			return "list_concat(" + not + ", " + there + ")"
		}
		return "CASE WHEN " + v + " IS NOT NULL THEN list_concat(" + there + ", " + not + ") END"
	})
}

// sortedType is the type of what a call sorts; that of NULL for NULL in place of an array.
func sortedType(c *expr.Call) types.Type {
	if t := c.Args[0].Type(); t.Elem != nil {
		return *t.Elem
	}
	return types.Type{}
}

// extremeOf is the largest (DESC) or smallest (ASC) element that is there.
func extremeOf(elem types.Type, s, order string) string {
	if !keyed(elem) {
		return map[string]string{"ASC": "list_min(", "DESC": "list_max("}[order] + s + ")"
	}
	return sortList(elem, s, order, "LAST") + "[1]"
}

// ordered prints a comparison of two values of one type.
func ordered(c *expr.Call, a []string, body func(a []string) string) string {
	t := c.Args[0].Type()
	for _, x := range c.Args[1:] {
		if x.Type().Equal(t) {
			t = mergeNull(t, x.Type())
		}
	}
	if c.Func.Dialect != sql.Spark || !keyed(t) {
		return body(a)
	}
	b := make([]string, len(a))
	for i, s := range a {
		b[i] = orderKey(t, s, 0)
	}
	return body(b)
}

// printExtreme is greatest and least.
func printExtreme(name, order string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if !keyed(c.T) {
			return name + "(" + join(a) + ")"
		}
		return extremeOf(c.T, "["+strings.Join(a, ", ")+"]", order)
	}
}

// printMinMax is the aggregates min and max.
func printMinMax(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if t := c.Args[0].Type(); c.Func.Dialect == sql.Spark && keyed(t) {
			return agg(c, "arg_"+name, a[0]+", "+orderKey(t, a[0], 0), "")
		}
		return agg(c, name, a[0], "")
	}
}
