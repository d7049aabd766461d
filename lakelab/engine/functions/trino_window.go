package functions

import (
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// What Trino checks while its window functions run: offsets, counts and the ends of frames ("Window functions").

// checkedCount prints a window function; in Trino's dialect its argument at a place is checked, which is a count from least on. low and
// null are what is said about a lower one and about NULL; without null the function gives NULL for that.
func checkedCount(at, least int, low, null string, print func(*expr.Call, []string) string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if at >= len(a) || c.Func.Dialect != sql.Trino {
			return print(c, a)
		}
		if n, ok := constantInt(c.Args[at]); ok && n >= least {
			return print(c, a)
		}
		b := append([]string{}, a...)
		b[at] = let(a[at], func(v string) string {
			s := "CASE"
			if null != "" {
				s += " WHEN " + v + " IS NULL THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(null))
			}
			return s + " WHEN " + v + " < " + itoa(least) + " THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(low)) + " ELSE " + v + " END"
		})
		return print(c, b)
	}
}

// TrinoOffset prints an end's offset of a window's frame, which fails where it is negative or NULL; n is its value. What it gives is a
// number of rows or groups, or what DuckDB adds to the sort key.
func TrinoOffset(w *expr.Window, b expr.Bound, n string) string {
	t := b.N.Type()
	give := func(v string) string { return v }
	switch {
	case w.Frame.Unit != "RANGE":
		if t.Kind == types.Decimal { // no window has more rows
			give = func(v string) string { return "CAST(least(" + v + ", 9223372036854775807) AS BIGINT)" }
		}
	case interval(t):
		give = func(v string) string { return trinoStepOf(w, b, v) }
	}
	if k, ok := constantInt(b.N); ok && k >= 0 && t.IsIntegral() {
		return give(n)
	}
	return let(n, func(v string) string {
		return "CASE WHEN " + v + " IS NULL OR " + v + " < 0 THEN " + trinoFail(&expr.Lit{}, "INVALID_WINDOW_FRAME", quote("Window frame offset value must not be negative or null")) +
			" ELSE " + give(v) + " END"
	})
}

// trinoStepOf prints an interval, that is its months or microseconds, as what DuckDB adds to a window's sort key.
func trinoStepOf(w *expr.Window, b expr.Bound, v string) string {
	key := w.OrderBy[0].X.Type()
	switch {
	case interval(key):
		return v
	case b.N.Type().Kind == types.YearMonthInterval:
		return "to_months(CAST(" + v + " AS INTEGER))"
	case key.InPicos():
		return "(CAST(" + v + " AS HUGEINT) * " + itoa(picosInMicro) + ")"
	}
	step := "to_microseconds(" + v + ")"
	if key.Kind != types.Date {
		return step
	}
	message := "Cannot add hour, minutes or seconds to a date"
	if (b.Kind == "PRECEDING") != w.OrderBy[0].Desc {
		message = "Cannot subtract hour, minutes or seconds from a date"
	}
	return "CASE WHEN " + v + " % 86400000000 <> 0 THEN " + trinoFail(&expr.Lit{}, "INVALID_FUNCTION_ARGUMENT", quote(message)) + " ELSE " + step + " END"
}
