package functions

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

func aggregate(name, signature, doc string, resolve func(*expr.Call) error, duck func(*expr.Call, []string) string, aliases ...string) *expr.Func {
	return &expr.Func{Name: name, Aliases: aliases, Kind: expr.Aggregate, Signature: signature, Doc: doc, Resolve: resolve, Duck: duck}
}

func init() {
	both(
		aggregate("count", "count(*), count(expr, …)", "number of rows; with arguments, of rows in which none is NULL", func(c *expr.Call) error {
			if len(c.Args) == 0 {
				return errclass.WrongNumArgs("count", "> 0", 0)
			}
			c.T = types.Of(types.Long)
			return nil
		}, func(c *expr.Call, a []string) string {
			if len(a) == 1 || c.Distinct {
				if len(a) > 1 {
					return distinct(c, "count", "CASE WHEN "+notNull(a)+" THEN row("+join(a)+") END")
				}
				return distinct(c, "count", a[0])
			}
			return "count(CASE WHEN " + notNull(a) + " THEN 1 END)"
		}),
		aggregate("sum", "sum(expr)", "sum of the values; NULL if there are none", func(c *expr.Call) error {
			if err := one(c); err != nil {
				return err
			}
			t := numericArg(c)
			switch {
			case t.IsIntegral():
				c.T = types.Of(types.Long)
			case t.Kind == types.Decimal:
				c.T = types.DecimalOf(min(t.Precision+10, maxPrecision), t.Scale)
			case floating(t):
				c.T = types.Of(types.Double)
			case t.Kind == types.DayTimeInterval || t.Kind == types.YearMonthInterval:
				c.T = t
			default:
				return errclass.UnexpectedInputType("sum", 1, t, types.Of(types.Double))
			}
			c.Null = true
			return nil
		}, func(c *expr.Call, a []string) string {
			if c.T.Kind == types.Double {
				return distinct(c, "sum", "CAST("+a[0]+" AS DOUBLE)")
			}
			return castTo(c, distinct(c, "sum", a[0]))
		}),
		aggregate("avg", "avg(expr)", "mean of the values", func(c *expr.Call) error {
			if err := one(c); err != nil {
				return err
			}
			t := numericArg(c)
			switch {
			case t.Kind == types.Decimal:
				c.T = bounded(t.Precision+4, t.Scale+4)
			case t.IsNumeric():
				c.T = types.Of(types.Double)
			default:
				return errclass.UnexpectedInputType("avg", 1, t, types.Of(types.Double))
			}
			c.Null = true
			return nil
		}, func(c *expr.Call, a []string) string { return castTo(c, distinct(c, "avg", a[0])) }, "mean"),
		aggregate("min", "min(expr)", "smallest value", sameNull, plainAggregate("min")),
		aggregate("max", "max(expr)", "largest value", sameNull, plainAggregate("max")),
		aggregate("any_value", "any_value(expr)", "some value of the group", sameNull, plainAggregate("any_value")),
		aggregate("stddev", "stddev(expr)", "sample standard deviation", doubles, plainAggregate("stddev_samp"), "stddev_samp", "std"),
		aggregate("stddev_pop", "stddev_pop(expr)", "population standard deviation", doubles, plainAggregate("stddev_pop")),
		aggregate("variance", "variance(expr)", "sample variance", doubles, plainAggregate("var_samp"), "var_samp"),
		aggregate("var_pop", "var_pop(expr)", "population variance", doubles, plainAggregate("var_pop")),
		aggregate("corr", "corr(y, x)", "Pearson's correlation", doubles, plainAggregate("corr")),
		aggregate("bool_and", "bool_and(expr)", "true if all values are true", boolAggregate, plainAggregate("bool_and"), "every"),
		aggregate("bool_or", "bool_or(expr)", "true if a value is true", boolAggregate, plainAggregate("bool_or"), "some", "any"),
		aggregate("count_if", "count_if(expr)", "number of rows for which expr is true", func(c *expr.Call) error {
			err := boolAggregate(c)
			c.T, c.Null = types.Of(types.Long), false
			return err
		}, func(_ *expr.Call, a []string) string { return "count(CASE WHEN " + a[0] + " THEN 1 END)" }),
		aggregate("max_by", "max_by(x, y)", "x of the row with the largest y", byRule, func(_ *expr.Call, a []string) string { return "max_by(" + join(a) + ")" }),
		aggregate("min_by", "min_by(x, y)", "x of the row with the smallest y", byRule, func(_ *expr.Call, a []string) string { return "min_by(" + join(a) + ")" }),
		aggregate("median", "median(expr)", "the middle value", doubles, plainAggregate("median")),
	)
	spark(
		aggregate("first", "first(expr)", "the first value of the group, in no sure order", sameNull, plainAggregate("first"), "first_value"),
		aggregate("last", "last(expr)", "the last value of the group, in no sure order", sameNull, plainAggregate("last"), "last_value"),
		aggregate("collect_list", "collect_list(expr)", "array of the values that are not NULL", collect, func(c *expr.Call, a []string) string {
			return "coalesce(" + distinct(c, "list", a[0]) + " FILTER (WHERE " + a[0] + " IS NOT NULL), [])"
		}, "array_agg"),
		aggregate("collect_set", "collect_set(expr)", "array of the different values that are not NULL", collect, func(_ *expr.Call, a []string) string {
			return "coalesce(list(DISTINCT " + a[0] + ") FILTER (WHERE " + a[0] + " IS NOT NULL), [])"
		}),
		aggregate("percentile", "percentile(col, percentage)", "exact percentile, interpolated", func(c *expr.Call) error {
			if len(c.Args) != 2 {
				return errclass.WrongNumArgs("percentile", "2", len(c.Args))
			}
			coerceAll(c, types.Of(types.Double))
			c.T, c.Null = types.Of(types.Double), true
			return nil
		}, func(_ *expr.Call, a []string) string { return "quantile_cont(" + join(a) + ")" }),
	)
}

func one(c *expr.Call) error {
	if len(c.Args) != 1 {
		return errclass.WrongNumArgs(c.Func.Name, "1", len(c.Args))
	}
	return nil
}

// numericArg gives the argument's type; text counts as double, NULL too.
func numericArg(c *expr.Call) types.Type {
	if k := c.Args[0].Type().Kind; k == types.String || k == types.Null {
		c.Args[0], _ = Coerce(c.Args[0], types.Of(types.Double))
	}
	return c.Args[0].Type()
}

func notNull(a []string) string {
	s := ""
	for i, x := range a {
		if i > 0 {
			s += " AND "
		}
		s += x + " IS NOT NULL"
	}
	return s
}

func distinct(c *expr.Call, name, arg string) string {
	if c.Distinct {
		arg = "DISTINCT " + arg
	}
	return name + "(" + arg + ")"
}

func plainAggregate(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string { return distinct(c, name, join(a)) }
}

// castTo gives an aggregate its exact type. Over a window the cast stands around the whole: see OverWindow.
func castTo(c *expr.Call, s string) string {
	if c.Extra == OverWindow {
		return s
	}
	return "CAST(" + s + " AS " + DuckType(c.T) + ")"
}

type windowMark struct{}

// OverWindow in a Call's Extra says that it is printed in front of OVER (…): the printer puts the cast around that.
var OverWindow any = windowMark{}

func sameNull(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	c.T, c.Null = c.Args[0].Type(), true
	return nil
}

func byRule(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs(c.Func.Name, "2", len(c.Args))
	}
	c.T, c.Null = c.Args[0].Type(), true
	return nil
}

func doubles(c *expr.Call) error {
	want := 1
	if c.Func.Name == "corr" {
		want = 2
	}
	if len(c.Args) != want {
		return errclass.WrongNumArgs(c.Func.Name, itoa(want), len(c.Args))
	}
	for i, a := range c.Args {
		x, ok := Coerce(a, types.Of(types.Double))
		if !ok {
			return errclass.UnexpectedInputType(c.Func.Name, i+1, a.Type(), types.Of(types.Double))
		}
		c.Args[i] = x
	}
	c.T, c.Null = types.Of(types.Double), true
	return nil
}

func boolAggregate(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	x, ok := Coerce(c.Args[0], types.Of(types.Boolean))
	if !ok {
		return errclass.UnexpectedInputType(c.Func.Name, 1, c.Args[0].Type(), types.Of(types.Boolean))
	}
	c.Args[0] = x
	c.T, c.Null = types.Of(types.Boolean), true
	return nil
}

func collect(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	c.T = types.ArrayOf(c.Args[0].Type(), false)
	return nil
}
