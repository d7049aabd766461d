package functions

import (
	"strconv"

	"mini-lakehouse-lab/lakelab/engine/expr"
)

// LimitLength is a text as a column VARCHAR(n) takes it: without the spaces at the end that are too many. A longer one fails with
// EXCEED_LIMIT_LENGTH.
func LimitLength(x expr.Expr, n int) expr.Expr {
	limit := strconv.Itoa(n)
	c := &expr.Call{Name: "varchar", Args: []expr.Expr{x}, Func: &expr.Func{Name: "$limit_length", Duck: func(c *expr.Call, a []string) string {
		return let(a[0], func(v string) string {
			return "CASE WHEN length(" + v + ") > " + limit + " THEN CASE WHEN length(rtrim(" + v + ", ' ')) <= " + limit + " THEN left(" + v + ", " + limit + ") ELSE " +
				Fail(c, "EXCEED_LIMIT_LENGTH", "'"+limit+"'") + " END ELSE " + v + " END"
		})
	}}}
	c.T, c.Null, c.At = x.Type(), x.Nullable(), x.Span()
	return c
}
