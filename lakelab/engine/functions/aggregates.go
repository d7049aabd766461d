package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func aggregate(signature, doc string, resolve func(*expr.Call) error, duck func(*expr.Call, []string) string, aliases ...string) *expr.Func {
	f := ruled(signature, doc, resolve, duck)
	f.Kind, f.Aliases = expr.Aggregate, aliases
	return f
}

// OverWindow in a Call's Extra says that an aggregate is printed in front of OVER.
var OverWindow any = overWindow{}

type overWindow struct{}

func init() {
	f1 := func(kinds string) func(*expr.Call) error { return parseRule(kinds).resolve }
	doubles := f1("double -> double?")
	two := f1("double, double -> double?")
	both(
		aggregate("count(*), count(expr, …)", "number of rows; with arguments, of rows in which none is NULL", func(c *expr.Call) error {
			if len(c.Args) == 0 {
				return errclass.CountNothing(c.Func.Dialect == sql.Trino)
			}
			c.T = types.Of(types.Long)
			return nil
		}, printCount),
		aggregate("sum(expr)", "sum of the values; NULL if there are none", sumRule, printSum),
		aggregate("avg(expr)", "mean of the values", avgRule, printAvg),
		aggregate("min(expr)", "smallest value", extreme, printMinMax("min")), aggregate("max(expr)", "largest value", extreme, printMinMax("max")),
		aggregate("stddev(expr)", "sample standard deviation", doubles, deviation("stddev_samp")), aggregate("stddev_samp(expr)", "sample standard deviation", doubles, deviation("stddev_samp")),
		aggregate("stddev_pop(expr)", "population standard deviation", doubles, deviation("stddev_pop")), aggregate("variance(expr)", "sample variance", doubles, deviation("var_samp")),
		aggregate("var_samp(expr)", "sample variance", doubles, deviation("var_samp")), aggregate("var_pop(expr)", "population variance", doubles, deviation("var_pop")),
		aggregate("corr(y, x)", "Pearson's correlation", two, printCorr), aggregate("covar_pop(y, x)", "population covariance", two, func(c *expr.Call, a []string) string {
			return ofFinite(c, a, func(where string) string { return agg(c, "covar_pop", join(a), where) })
		}), aggregate("covar_samp(y, x)", "sample covariance", two, func(c *expr.Call, a []string) string {
			return ofFinite(c, a, func(where string) string { return agg(c, "covar_samp", join(a), where) })
		}),
		aggregate("skewness(expr)", "skewness", doubles, printSkewness), aggregate("kurtosis(expr)", "excess kurtosis", doubles, func(c *expr.Call, a []string) string {
			return ofFinite(c, a, func(where string) string {
				return "CASE WHEN " + agg(c, "var_pop", a[0], where) + " <> 0 THEN " + agg(c, "kurtosis_pop", a[0], where) + " END"
			})
		}),
		aggregate("regr_slope(y, x)", "slope of the regression line", two, regression("regr_slope")), aggregate("regr_intercept(y, x)", "intercept of the regression line", two, regression("regr_intercept")),
		aggregate("bool_and(expr)", "true if all values are true", f1("boolean -> boolean?"), plain("bool_and"), "every"), aggregate("bool_or(expr)", "true if a value is true", f1("boolean -> boolean?"), plain("bool_or")),
		aggregate("count_if(expr)", "number of rows for which expr is true", f1("boolean -> long!"), func(c *expr.Call, a []string) string { return agg(c, "count", "CASE WHEN "+a[0]+" THEN 1 END", "") }),
		aggregate("max_by(x, y)", "x of the row with the largest y", byRule, by("arg_max_null")), aggregate("min_by(x, y)", "x of the row with the smallest y", byRule, by("arg_min_null")),
	)
	spark(
		aggregate("mean(expr)", "mean of the values", avgRule, printAvg), aggregate("std(expr)", "sample standard deviation", doubles, deviation("stddev_samp")),
		aggregate("some(expr)", "true if a value is true", f1("boolean -> boolean?"), plain("bool_or"), "any"),
		aggregate("try_sum(expr)", "sum, NULL on overflow", trying(sumRule), func(c *expr.Call, a []string) string {
			return "TRY_CAST(" + agg(c, "sum", a[0], "") + " AS " + DuckType(c.T) + ")"
		}),
		aggregate("try_avg(expr)", "mean, NULL on overflow", trying(avgRule), printAvg),
		withoutFlag(aggregate("any_value(expr)", "some value of the group", firstRule, printFirst("first"))), withoutFlag(aggregate("first(expr[, ignoreNulls])", "the first value of the group, in no sure order", firstRule, printFirst("first"))),
		withoutFlag(aggregate("first_value(expr[, ignoreNulls])", "the first value of the group or the window", firstRule, printFirst("first"))),
		withoutFlag(aggregate("last(expr[, ignoreNulls])", "the last value of the group, in no sure order", firstRule, printFirst("last"))), withoutFlag(aggregate("last_value(expr[, ignoreNulls])", "the last value of the group or the window", firstRule, printFirst("last"))),
		aggregate("collect_list(expr)", "array of the values that are not NULL", collect, printCollect), shown("collect_list", aggregate("array_agg(expr)", "array of the values that are not NULL", collect, printCollect)),
		aggregate("collect_set(expr)", "array of the different values that are not NULL", func(c *expr.Call) error {
			if len(c.Args) == 1 {
				if _, is := holdsMap(c.Args[0].Type()); is {
					return errclass.CollectSetOfMaps()
				}
			}
			return collect(c)
		}, func(c *expr.Call, a []string) string {
			// In order of value: Spark's own order is that of a hash table.
			return "coalesce(list(DISTINCT " + a[0] + " ORDER BY " + a[0] + ")" + filterMark + a[0] + " IS NOT NULL" + filterMark + ", [])"
		}),
		defaults(3, aggregate("percentile(expr, percentage[, frequency])", "exact percentile, interpolated; several for an array of percentages", percentileRule, printPercentiles("quantile_cont")), "1"),
		defaults(3, aggregate("percentile_approx(expr, percentage[, accuracy])", "a value at about that percentile", approxPercentileRule, printApproxPercentile), "10000"), defaults(3, aggregate("approx_percentile(expr, percentage[, accuracy])", "a value at about that percentile", approxPercentileRule, printApproxPercentile), "10000"),
		aggregate("median(expr)", "the middle value", medianRule, func(c *expr.Call, a []string) string {
			if interval(c.T) {
				return "CAST(round(" + agg(c, "median", a[0], "") + ") AS BIGINT)"
			}
			return agg(c, "median", a[0], "")
		}), aggregate("mode(expr)", "the most frequent value", extreme, plain("mode")),
		aggregate("percentile_cont(p) WITHIN GROUP (ORDER BY x)", "percentile, interpolated", withinRule, printPercentiles("quantile_cont")), aggregate("percentile_disc(p) WITHIN GROUP (ORDER BY x)", "percentile, a value of the group", withinRule, printPercentiles("quantile_disc")),
		aggregate("bit_and(expr)", "AND of the bits", integralRule, plain("bit_and")), aggregate("bit_or(expr)", "OR of the bits", integralRule, plain("bit_or")), aggregate("bit_xor(expr)", "XOR of the bits", integralRule, plain("bit_xor")),
		aggregate("regr_count(y, x)", "number of pairs", f1("number, number -> long!"), plain("regr_count")), aggregate("regr_r2(y, x)", "coefficient of determination", two, func(c *expr.Call, a []string) string {
			pairs := notNull(a)
			return "CASE WHEN " + agg(c, "max", a[0], pairs) + " = " + agg(c, "min", a[0], pairs) + " AND abs(" + agg(c, "max", a[0], pairs) + ") < " + squareLimit + " THEN NULL ELSE " + ofFinite(c, a, func(where string) string {
				all := pairs
				if where != "" {
					all += " AND " + where
				}
				return "CASE WHEN " + agg(c, "regr_count", join(a), where) + " < 2 OR " + agg(c, "var_pop", a[0], all) + " = 0 THEN NULL WHEN " + agg(c, "var_pop", a[1], all) + " = 0 THEN 1.0::DOUBLE ELSE " + agg(c, "regr_r2", join(a), where) + " END"
			}) + " END"
		}),
		aggregate("regr_avgx(y, x)", "mean of x", meanOfPairs(1), printMeanOfPairs(1)), aggregate("regr_avgy(y, x)", "mean of y", meanOfPairs(0), printMeanOfPairs(0)),
		aggregate("regr_sxx(y, x)", "sum of squares of x", two, spread("regr_sxx", 1)), aggregate("regr_sxy(y, x)", "sum of products", two, func(c *expr.Call, a []string) string {
			return ofFinite(c, a, func(where string) string { return agg(c, "regr_sxy", join(a), where) })
		}), aggregate("regr_syy(y, x)", "sum of squares of y", two, spread("regr_syy", 0)),
		withoutFlag(aggregate("approx_count_distinct(expr[, error])", "about how many different values", func(c *expr.Call) error {
			if len(c.Args) == 2 {
				if l, ok := c.Args[1].(*expr.Lit); !ok || !floating(l.T) && l.T.Kind != types.Decimal {
					return errclass.Plainly("1104", "The second argument should be a double literal.")
				}
			}
			err := parseRule("any, double? -> long!").resolve(c)
			return err
		}, func(c *expr.Call, a []string) string { return typedAs(c.T, agg(c, "approx_count_distinct", a[0], "")) })),
		defaults(2, aggregate("listagg(expr[, sep])", "texts joined", listAggRule, printListAgg), "NULL"), defaults(2, aggregate("string_agg(expr[, sep])", "texts joined", listAggRule, printListAgg), "NULL"),
		aggregate("grouping(col)", "1 where a grouping set leaves the column out", parseRule("any -> tinyint!").resolve, func(c *expr.Call, a []string) string { return typedAs(c.T, "GROUPING("+join(a)+")") }),
		aggregate("grouping_id(col, …)", "the bits of grouping of several columns", parseRule("any… -> long!").resolve, func(c *expr.Call, a []string) string { return typedAs(c.T, "GROUPING("+join(a)+")") }),
	)
	trino(aggregate("grouping(col, …)", "the bits of the columns that a grouping set leaves out", parseRule("any… -> int!").resolve, func(c *expr.Call, a []string) string { return typedAs(c.T, "GROUPING("+join(a)+")") }))
}

// trying gives the number of arguments that Spark's try_sum and try_avg claim to take.
func trying(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		if len(c.Args) != 1 {
			return errclass.WrongNumArgs(c.Func.Name, "[1, 2]", len(c.Args))
		}
		return resolve(c)
	}
}

func one(c *expr.Call) error {
	if len(c.Args) != 1 {
		return errclass.WrongNumArgs(c.Func.Name, "1", len(c.Args))
	}
	return nil
}

// plain prints an aggregate that DuckDB has.
func plain(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string { return agg(c, name, join(a), "") }
}

// deviation is NULL for a single value in both engines.
func deviation(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		return ofFinite(c, a, func(where string) string { return agg(c, name, a[0], where) })
	}
}

// ofFinite prints a statistic that is NaN as soon as a value is no finite number, where DuckDB's fails. body gets the condition that keeps
// such values from it.
//
// Spark's also are as soon as a power of the mean is no finite number, for when it merges what its tasks found it multiplies that power by
// the number of rows of a task that had none. The mean of values that are each small enough is, too.
func ofFinite(c *expr.Call, a []string, body func(where string) string) string {
	var finite []string
	for i, x := range c.Args {
		if k, ok := x.(*expr.Cast); !(ok && k.Implicit && !floating(k.X.Type()) && k.X.Type().Kind != types.String) {
			finite = append(finite, summable(c, a[i], i))
		}
	}
	if len(finite) == 0 || c.Distinct && len(a) > 1 {
		return body("")
	}
	if len(finite) == 2 && c.Func.Dialect == sql.Spark {
		finite = append(finite, "abs("+a[0]+") < 1.79e308 / greatest(abs("+a[1]+"), 1)") // their product
	}
	where, counted := strings.Join(finite, " AND "), "*"
	if c.Distinct {
		counted = a[0]
	}
	least := "0"
	if name := c.Func.Name; strings.HasSuffix(name, "_samp") || name == "stddev" || name == "std" || name == "variance" || name == "corr" && c.Func.Dialect == sql.Spark {
		least = "1" // a single value has none
	}
	others := agg(c, "count", counted, notNull(a)+" AND NOT ("+where+")")
	nan := "CASE WHEN " + agg(c, "count", counted, notNull(a)) + " > " + least + " THEN CAST('nan' AS DOUBLE) END"
	if name := c.Func.Name; c.Func.Dialect == sql.Spark && (name == "kurtosis" || name == "skewness") { // without spread there is neither
		most := agg(c, "max", a[0], "")
		nan = "CASE WHEN abs(" + most + ") < " + squareLimit + " AND " + most + " = " + agg(c, "min", a[0], "") + " THEN NULL ELSE " + nan + " END"
	}
	return "CASE WHEN " + others + " > 0 THEN " + nan + " ELSE " + body(where) + " END"
}

// summable is the condition that an argument's value is a finite number, and in Spark also the power of it that a statistic needs.
func summable(c *expr.Call, x string, at int) string {
	limit := squareLimit
	switch c.Func.Name {
	case "kurtosis":
		limit = "1e76"
	case "skewness":
		limit = "1e102"
	case "covar_pop", "covar_samp", "regr_sxy":
		limit = ""
	case "regr_slope", "regr_intercept":
		if at == 0 {
			limit = ""
		}
	}
	if limit == "" || c.Func.Dialect != sql.Spark || c.Extra == OverWindow { // nothing is merged over a window
		return "isfinite(" + x + ")"
	}
	return "abs(" + x + ") < " + limit // NaN is the greatest
}

// squareLimit is where the square of a number is infinite.
const squareLimit = "1.34e154"

// spread is the sum of squares of one side of the pairs, which asks of the other only whether it is there.
func spread(name string, side int) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		finite := summable(c, a[side], side)
		others := agg(c, "count", "*", notNull(a)+" AND NOT "+finite)
		return "CASE WHEN " + others + " > 0 THEN CAST('nan' AS DOUBLE) ELSE " + agg(c, name, join(a), finite) + " END"
	}
}

// regression is a slope or an intercept: NULL if all x are the same.
func regression(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		s := ofFinite(c, a, func(where string) string { return agg(c, name, join(a), where) })
		if c.Func.Dialect == sql.Trino {
			return s
		}
		pairs := notNull(a)
		return "CASE WHEN " + agg(c, "max", a[1], pairs) + " = " + agg(c, "min", a[1], pairs) + " AND abs(" + agg(c, "max", a[1], pairs) + ") < " + squareLimit + " THEN NULL ELSE " + s + " END"
	}
}

func printCount(c *expr.Call, a []string) string {
	switch {
	case c.Distinct && len(a) > 1:
		return agg(c, "count", "CASE WHEN "+notNull(a)+" THEN row("+join(a)+") END", "")
	case len(a) == 1:
		// Spark does not compute what cannot be NULL.
		if x := c.Args[0]; c.Func.Dialect == sql.Spark && !c.Distinct && !x.Nullable() || IsConstant(x) && !IsNull(x) && !c.Distinct {
			return agg(c, "count", "*", "")
		}
		return agg(c, "count", InstantOf(c.Args[0].Type(), a[0]), "")
	}
	return agg(c, "count", "*", notNull(a))
}

func notNull(a []string) string {
	parts := make([]string, len(a))
	for i, x := range a {
		parts[i] = x + " IS NOT NULL"
	}
	return strings.Join(parts, " AND ")
}

// numericArg gives the argument's type; text counts as double, NULL too.
func numericArg(c *expr.Call) types.Type {
	if k := c.Args[0].Type().Kind; k == types.String || k == types.Null {
		c.Args[0], _ = Coerce(c.Args[0], types.Of(types.Double))
	}
	return c.Args[0].Type()
}

// numericOrANSI is what sum and avg say of the same types.
const numericOrANSI = `"NUMERIC" or "ANSI INTERVAL"`

const numericOrInterval = `("NUMERIC" or "INTERVAL DAY TO SECOND" or "INTERVAL YEAR TO MONTH")`

// momentAsNumber makes seconds of timestamps: Spark sums them up.
func momentAsNumber(c *expr.Call) {
	if c.Func.Dialect == sql.Spark && c.Args[0].Type().Kind == types.Timestamp {
		c.Args[0] = implicitCast(c.Args[0], types.Of(types.Double))
	}
}

func sumRule(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	momentAsNumber(c)
	t := numericArg(c)
	switch {
	case t.IsIntegral():
		c.T = types.Of(types.Long)
	case t.Kind == types.Decimal:
		c.T = types.DecimalOf(min(t.Precision+10, maxPrecision), t.Scale)
	case floating(t):
		c.T = types.Of(types.Double)
	case interval(t):
		c.T = t
	default:
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, numericOrANSI)
	}
	c.Null = true
	return nil
}

func printSum(c *expr.Call, a []string) string {
	if floating(c.T) {
		return typedAs(c.T, agg(c, "sum", "CAST("+a[0]+" AS DOUBLE)", ""))
	}
	return typedAs(c.T, agg(c, "sum", a[0], ""))
}

func avgRule(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	momentAsNumber(c)
	t := numericArg(c)
	switch {
	case t.Kind == types.Decimal:
		c.T = types.DecimalOf(min(t.Precision+4, maxPrecision), min(t.Scale+4, maxPrecision))
	case t.IsNumeric():
		c.T = types.Of(types.Double)
	case interval(t):
		c.T = fullInterval(t)
	default:
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, numericOrANSI)
	}
	c.Null = true
	return nil
}

// printAvg divides sum by count exactly for decimals; DuckDB's avg goes through floating point.
func printAvg(c *expr.Call, a []string) string {
	t := c.Args[0].Type()
	switch {
	case t.Kind == types.Decimal:
		d := *c
		sum, count := agg(c, "sum", a[0], ""), agg(c, "count", a[0], "")
		d.Extra = noZero
		l, r := types.DecimalOf(min(t.Precision+10, maxPrecision), t.Scale), types.DecimalOf(19, 0)
		return decimalQuotient(&d, l, r, []string{sum, "CAST(nullif(" + count + ", 0) AS DECIMAL(19, 0))"})
	case interval(t):
		return "CAST(round(" + agg(c, "avg", a[0], "") + ") AS BIGINT)"
	}
	return typedAs(c.T, agg(c, "avg", a[0], ""))
}

func extreme(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	if bad, is := unordered(c.Args[0].Type()); is && c.Func.Dialect == sql.Spark && (c.Func.Name == "min" || c.Func.Name == "max") {
		return errclass.InvalidOrdering(c.Func.Name, bad)
	}
	c.T, c.Null = c.Args[0].Type(), true
	return nil
}

func integralRule(c *expr.Call) error {
	if len(c.Args) == 1 && c.Func.Dialect == sql.Spark {
		switch t := c.Args[0].Type(); t.Kind {
		case types.Null:
			c.Args[0], _ = Coerce(c.Args[0], types.Of(types.Int))
		case types.String:
			return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `"INTEGRAL"`)
		}
	}
	if err := parseRule("integral -> same?").resolve(c); err != nil {
		return err
	}
	return nil
}

func byRule(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs(c.Func.Name, "2", len(c.Args))
	}
	if bad, is := unordered(c.Args[1].Type()); is && c.Func.Dialect == sql.Spark {
		return errclass.InvalidOrdering(c.Func.Name, bad)
	}
	c.T, c.Null = c.Args[0].Type(), true
	return nil
}

// printCorr divides by zero where one side does not vary, as Spark does.
func printCorr(c *expr.Call, a []string) string {
	if c.Func.Dialect == sql.Trino {
		return agg(c, "corr", join(a), "")
	}
	pairs := notNull(a)
	return ofFinite(c, a, func(where string) string {
		all := pairs
		if where != "" {
			all += " AND " + where
		}
		return "CASE WHEN " + agg(c, "regr_count", join(a), where) + " < 2 THEN NULL WHEN " + agg(c, "var_pop", a[0], all) + " = 0 OR " + agg(c, "var_pop", a[1], all) + " = 0 THEN " + Fail(c, "DIVIDE_BY_ZERO") + " ELSE " + agg(c, "corr", join(a), where) + " END"
	})
}

func medianRule(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	t := numericArg(c)
	switch {
	case interval(t):
		c.T, c.Null = fullInterval(t), true
		return nil
	case !t.IsNumeric():
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, numericOrInterval)
	}
	return parseRule("double -> double?").resolve(c)
}

// meanOfPairs is regr_avgx and regr_avgy: the mean of one side of the pairs without NULL, of the type that avg gives.
func meanOfPairs(side int) func(*expr.Call) error {
	return func(c *expr.Call) error {
		if err := parseRule("number, number -> double?").resolve(c); err != nil {
			return err
		}
		d := *c
		d.Args = c.Args[side : side+1]
		err := avgRule(&d)
		c.T = d.T
		return err
	}
}

func printMeanOfPairs(side int) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		d := *c
		d.Args = c.Args[side : side+1]
		return printAvg(&d, []string{"CASE WHEN " + a[1-side] + " IS NOT NULL THEN " + a[side] + " END"})
	}
}

// listAggRule is listagg: of texts or of bytes, with a constant between them.
func listAggRule(c *expr.Call) error {
	if err := parseRule("bytes, bytes? -> same?").resolve(c); err != nil {
		return err
	}
	if len(c.Args) == 2 {
		if _, ok := constant(c.Args[1]); !ok {
			return errclass.NonFoldableInput("delimiter", 2, c.T)
		}
		if ts := argTypes(c); ts[0].Kind != ts[1].Kind && ts[1].Kind != types.Null {
			return errclass.DataDiffTypes(c.Func.Name, ts)
		}
	}
	return nil
}

func by(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string { return agg(c, name, join(a), a[1]+" IS NOT NULL") }
}

// firstRule is first, last and any_value: the second argument says whether NULLs are passed over.
func firstRule(c *expr.Call) error {
	if n := len(c.Args); n < 1 || n > 2 {
		return errclass.WrongNumArgs(c.Func.Name, "[1, 2]", n)
	}
	if len(c.Args) == 2 {
		v, ok := constant(c.Args[1])
		b, isBool := v.(bool)
		if !ok || !isBool {
			name := strings.TrimSuffix(c.Func.Name, "_value")
			if name == "any" {
				name = "any_value"
			}
			return errclass.Plainly("1210", "The second argument in "+name+" should be a boolean literal.")
		}
		c.IgnoreNulls = c.IgnoreNulls || b
	}
	c.T, c.Null = c.Args[0].Type(), true
	return nil
}

func printFirst(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if c.Extra == OverWindow {
			return agg(c, name+"_value", a[0], "") // IGNORE NULLS is put in by the printer
		}
		if c.IgnoreNulls {
			return agg(c, name, a[0], a[0]+" IS NOT NULL")
		}
		return agg(c, name, a[0], "")
	}
}

func collect(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	c.T = types.ArrayOf(c.Args[0].Type(), false)
	return nil
}

func printCollect(c *expr.Call, a []string) string {
	return "coalesce(" + agg(c, "list", a[0], a[0]+" IS NOT NULL") + ", [])"
}

func printListAgg(c *expr.Call, a []string) string {
	if len(a) == 1 {
		a = append(a, "''")
	} else if IsNull(c.Args[1]) {
		a = []string{a[0], "''"}
	}
	if c.T.Kind == types.Binary {
		return "unhex(" + agg(c, "string_agg", "hex("+a[0]+"), hex("+a[1]+")", "") + ")"
	}
	return agg(c, "string_agg", join(a), "")
}

// printSkewness is the population's skewness; DuckDB's own is the sample's.
func printSkewness(c *expr.Call, a []string) string {
	return ofFinite(c, a, func(where string) string {
		n, s := agg(c, "count", a[0], where), agg(c, "skewness", a[0], where)
		return "CASE WHEN " + agg(c, "var_pop", a[0], where) + " <> 0 THEN CASE " + n + " WHEN 2 THEN 0.0::DOUBLE ELSE " + s + " * (" + n + " - 2) / sqrt(" + n + "::DOUBLE * (" + n + " - 1)) END END"
	})
}

// withoutFlag leaves the flag for NULLs out of a generated name.
func withoutFlag(f *expr.Func) *expr.Func {
	f.Pretty = func(c *expr.Call, a []string) string { return strings.ToLower(c.Name) + "(" + a[0] + ")" }
	return f
}
