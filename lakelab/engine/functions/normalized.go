package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Normalized is a value as Spark groups it: -0.0, also inside of arrays and structs, becomes 0.0, which it equals, and the entries of a
// map, whose order does not count, stand in the order of their keys.
func Normalized(x expr.Expr) expr.Expr {
	if !hasForms(x.Type()) || IsNull(x) {
		return x
	}
	return wrapped("normalized", x, func(c *expr.Call, a []string) string { return normalized(c.T, a[0], 0) })
}

// Apart is a value that DuckDB does not take for the same as an equal one: n tells such values apart.
func Apart(x expr.Expr, n int) expr.Expr {
	return wrapped("apart", x, func(_ *expr.Call, a []string) string { return "CASE WHEN " + itoa(n) + " > 0 THEN " + a[0] + " END" })
}

// wrapped is a value that is printed in another way; its name stays.
func wrapped(name string, x expr.Expr, duck func(*expr.Call, []string) string) expr.Expr {
	c := &expr.Call{Name: name, Args: []expr.Expr{x}, Func: &expr.Func{
		Name: name, Signature: name, Dialect: sql.Spark, Duck: duck,
		Pretty: func(_ *expr.Call, a []string) string { return a[0] },
	}}
	c.T, c.Null, c.At = x.Type(), x.Nullable(), x.Span()
	return c
}

// hasForms reports whether equal values of a type may have different forms: floating point numbers and maps are in it.
func hasForms(t types.Type) bool {
	switch t.Kind {
	case types.Float, types.Double, types.Map:
		return true
	case types.Array:
		return hasForms(*t.Elem)
	case types.Struct:
		for _, f := range t.Fields {
			if hasForms(f.Type) {
				return true
			}
		}
	}
	return false
}

// normalized names its lambdas' parameters by depth, since one may stand inside another.
func normalized(t types.Type, s string, depth int) string {
	switch {
	case !hasForms(t):
		return s
	case t.Kind == types.Map:
		entries := "map_entries(" + s + ")"
		if hasForms(*t.Key) || hasForms(*t.Value) {
			p := "_n" + itoa(depth)
			entries = "list_transform(" + entries + ", lambda " + p + ": {'key': " + normalized(*t.Key, p+".key", depth+1) + ", 'value': " + normalized(*t.Value, p+".value", depth+1) + "})"
		}
		return "map_from_entries(list_sort(" + entries + "))"
	case t.Kind == types.Array:
		p := "_n" + itoa(depth)
		return "list_transform(" + s + ", lambda " + p + ": " + normalized(*t.Elem, p, depth+1) + ")"
	case t.Kind == types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				parts[i] = normalized(f.Type, fieldAt(v, i), depth)
			}
			return "CASE WHEN " + v + " IS NOT NULL THEN CAST(row(" + strings.Join(parts, ", ") + ") AS " + DuckType(t) + ") END"
		})
	}
	return "(" + s + " + CAST(0 AS " + DuckType(t) + "))"
}
