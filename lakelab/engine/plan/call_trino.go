package plan

import (
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// checkTrinoCall refuses what a call in Trino cannot hold beside its arguments: DISTINCT, ORDER BY and FILTER of functions that do
// not aggregate, and IGNORE NULLS of those that are no value functions. f is nil if there is no such function. See "Aggregate
// functions" and "Window functions" in Trino's documentation.
func checkTrinoCall(x *sql.Call, f *expr.Func) error {
	aggregate := f != nil && f.Kind == expr.Aggregate
	switch {
	case x.Over != nil && x.Nulls != "" && f != nil && !slices.Contains([]string{"lag", "lead", "first_value", "last_value", "nth_value"}, f.Name):
		return errclass.TrinoNullTreatment(f.Name).At(x.Span())
	case aggregate:
		return nil
	case x.Over != nil && len(x.OrderBy) > 0:
		return errclass.TrinoWindowCallOrder().At(x.Span())
	case x.Over != nil:
		return nil
	case x.Distinct && f != nil && f.Name == "try":
		return errclass.TrinoSyntax("DISTINCT not valid for 'try' function", x.Span())
	case x.Distinct && f != nil && (f.Name == "coalesce" || f.Name == "if"):
		return nil // they are wrong by their arguments first
	case x.Distinct:
		return errclass.DistinctOnScalar(int(sql.Trino), "").At(x.Span())
	case x.Filter != nil:
		return errclass.FilterOnScalar(int(sql.Trino), "").At(x.Span())
	case len(x.OrderBy) > 0:
		return errclass.TrinoOrderOnScalar().At(x.Span())
	}
	return nil
}

// orderTrinoDistinct checks the order of an aggregate with DISTINCT, which is by its arguments only, and drops it where the result
// does not depend on it.
func orderTrinoDistinct(c *expr.Call) error {
	if !c.Distinct || c.Func.Kind != expr.Aggregate {
		return nil
	}
	for _, k := range c.OrderBy {
		if !slices.ContainsFunc(c.Args, func(x expr.Expr) bool { return identity(x) == identity(k.X) }) {
			return errclass.TrinoDistinctOrder().At(k.X.Span())
		}
	}
	if !slices.Contains([]string{"array_agg", "listagg", "multimap_agg"}, strings.ToLower(c.Func.Name)) {
		c.OrderBy = nil
	}
	return nil
}
