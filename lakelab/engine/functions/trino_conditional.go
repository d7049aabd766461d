package functions

import (
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's conditional expressions, and functions about the query itself.

func init() {
	trino(
		ruled("coalesce(expr, …)", "the first argument that is not NULL", func(c *expr.Call) error {
			if len(c.Args) < 2 {
				return errclass.TrinoSyntax("The 'coalesce' function must have at least two arguments", c.At)
			}
			var to types.Type
			for i, a := range c.Args {
				t, ok := trinoCommon(to, a.Type())
				if !ok {
					return errclass.TrinoElementTypes("COALESCE operands", argTypes(c), to, a.Type()).At(c.Args[i].Span())
				}
				to = t
			}
			trinoAll(c, to)
			c.T, c.Null = to, true
			return nil
		}, call("coalesce")),
		ruled("nullif(a, b)", "NULL if a equals b, else a", func(c *expr.Call) error {
			if len(c.Args) != 2 {
				return errclass.TrinoSyntax("Invalid number of arguments for 'nullif' function", c.At)
			}
			to, ok := trinoCommon(c.Args[0].Type(), c.Args[1].Type())
			if !ok {
				return errclass.TrinoNullIf(c.Args[0].Type(), c.Args[1].Type())
			}
			c.T, c.Null, c.Extra = c.Args[0].Type(), true, to
			return nil
		}, func(c *expr.Call, a []string) string {
			to := c.Extra.(types.Type)
			as := func(i int, s string) string {
				k := &expr.Cast{X: c.Args[i], Dialect: sql.Trino}
				k.T = to
				return printTrinoCast(k, s)
			}
			return let(a[0], func(v string) string {
				return "CASE WHEN " + trinoEqual(to, as(0, v), as(1, a[1])) + " THEN NULL ELSE " + v + " END"
			})
		}),
		ruled("if(cond, a[, b])", "a if cond is true, else b", func(c *expr.Call) error {
			if len(c.Args) < 2 || len(c.Args) > 3 {
				return errclass.TrinoSyntax("Invalid number of arguments for 'if' function", c.At)
			}
			if t := c.Args[0].Type(); t.Kind != types.Boolean && t.Kind != types.Null {
				return errclass.TrinoTypeOf("IF condition must evaluate to a boolean", t).At(c.Args[0].Span())
			}
			c.T, c.Null = c.Args[1].Type(), true
			if len(c.Args) == 3 {
				to, ok := trinoCommon(c.T, c.Args[2].Type())
				if !ok {
					return errclass.TrinoIfTypes(c.T, c.Args[2].Type())
				}
				for i := 1; i < 3; i++ {
					if !c.Args[i].Type().Equal(to) {
						c.Args[i] = trinoImplicit(c.Args[i], to)
					}
				}
				c.T = to
			}
			return nil
		}, func(_ *expr.Call, a []string) string {
			if len(a) == 2 {
				return "CASE WHEN " + a[0] + " THEN " + a[1] + " END"
			}
			return "CASE WHEN " + a[0] + " THEN " + a[1] + " ELSE " + a[2] + " END"
		}),
		ruled("try(expr)", "NULL in place of a run-time error", func(c *expr.Call) error {
			if len(c.Args) != 1 {
				return errclass.TrinoSyntax("The 'try' function must have exactly one argument", c.At)
			}
			c.T, c.Null = c.Args[0].Type(), true
			return nil
		}, printTry),
		ruled("greatest(a, b, …)", "the largest argument; NULL if one is", trinoExtreme, printTrinoExtreme("greatest")), ruled("least(a, b, …)", "the smallest argument; NULL if one is", trinoExtreme, printTrinoExtreme("least")),
		tp("typeof", "name of a type", func(c *expr.Call, _ []string) string { return quote(c.Args[0].Type().Trino()) }),
		ruled("format(template, value, …)", "values put into a template, as Java's String.format does", trinoFormatRule, printTrinoFormat),
		tr("uuid", "a random UUID", "gen_random_uuid()"),
		tr("current_groups", "the user's groups: there are none", "CAST([] AS VARCHAR[])"),
		&expr.Func{Name: "version", Signature: "version()", Doc: "the version of Trino whose answers these are", Resolve: parseRule("-> string!").resolve, Duck: tmpl("'476'")},
	)
}

// printTry prints try. What is computed outside of it comes behind its argument, in which marks stand for it.
func printTry(c *expr.Call, a []string) string {
	return letAll(a, places(len(a))[1:], func(b []string) string {
		s := a[0]
		for i, x := range b[1:] {
			s = strings.ReplaceAll(s, c.Extra.([]string)[i], x)
		}
		return tolerate(s)
	})
}

// ComputeOutside gives a call of try another argument, which is computed outside of it, and returns what stands for that inside.
func ComputeOutside(c *expr.Call, x expr.Expr) expr.Expr {
	mark := newMark()
	marks, _ := c.Extra.([]string)
	c.Args, c.Extra = append(c.Args, x), append(marks, mark)
	inside := &expr.Call{Func: &expr.Func{Name: "$outside", Dialect: sql.Trino, NonDeterministic: true, Duck: func(*expr.Call, []string) string { return mark }}}
	inside.T, inside.Null, inside.At = x.Type(), x.Nullable(), x.Span()
	return inside
}

func trinoExtreme(c *expr.Call) error {
	if len(c.Args) == 0 {
		return trinoUnexpected(c, c.Func.Name)
	}
	to, ok := CommonType(c.Func.Dialect, argTypes(c)...)
	if !ok {
		return trinoUnexpected(c, c.Func.Name)
	}
	trinoAll(c, to)
	c.T, c.Null = to, true
	return nil
}

func printTrinoExtreme(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if !floating(c.T) {
			return nullWins(name)(c, a)
		}
		// A NaN is left out, unless there is nothing else.
		return letAll(a, places(len(a)), func(a []string) string {
			list := "list_filter([" + join(a) + "], lambda _x: NOT isnan(_x))"
			pick := map[string]string{"greatest": "list_max", "least": "list_min"}[name]
			test := make([]string, len(a))
			for i := range a {
				test[i] = a[i] + " IS NULL"
			}
			return "CASE WHEN " + joinWith(test, " OR ") + " THEN NULL ELSE coalesce(" + pick + "(" + list + "), CAST('nan' AS " + DuckType(c.T) + ")) END"
		})
	}
}

// trinoFormatRule checks format(template, value, …): values that are neither numbers nor truth values are formatted as text.
func trinoFormatRule(c *expr.Call) error {
	if len(c.Args) < 2 {
		return errclass.TrinoFormatArguments()
	}
	if t := c.Args[0].Type(); t.Kind != types.String {
		return errclass.TrinoTypeOf("Type of first argument to format() must be VARCHAR", t).At(c.Args[0].Span())
	}
	for i, x := range c.Args {
		if t := x.Type(); i > 0 && (t.IsNumeric() || t.Kind == types.Boolean || t.Kind == types.Null) {
			continue
		}
		if x.Type().Kind == types.JSON {
			text, err := Resolve(sql.Trino, "json_format", []expr.Expr{x}, x.Span())
			if err != nil {
				return err
			}
			c.Args[i] = text
			continue
		}
		text, err := Cast(sql.Trino, x, types.Of(types.String), false, x.Span())
		if err != nil {
			return err
		}
		if t := x.Type(); i > 0 && (temporal(t) || t.Kind == types.Time) {
			k := &expr.Call{Func: javaTime, Args: []expr.Expr{text}}
			k.T, k.Null, k.At = text.Type(), true, x.Span()
			text = k
		}
		c.Args[i] = text
	}
	c.T, c.Null = types.Of(types.String), true
	return nil
}

// javaTime is a time's text as Java's classes of time write it, which format() puts into its template.
var javaTime = &expr.Func{Name: "$java_time", Dialect: sql.Trino, Duck: call("trino_java_time")}

// javaTimeText turns Trino's text of a time or a timestamp into Java's: 2024-01-01T10:00+03:00[Europe/Moscow].
func javaTimeText(text string) string {
	parts := strings.SplitN(text, " ", 3)
	clock := parts[min(len(parts)-1, 1)]
	whole, fraction, _ := strings.Cut(clock, ".")
	fraction = fraction[:min(len(fraction), 9)]
	for strings.HasSuffix(fraction, "000") {
		fraction = fraction[:len(fraction)-3]
	}
	for len(fraction)%3 != 0 {
		fraction += "0"
	}
	if strings.Trim(fraction, "0") == "" {
		fraction = ""
	}
	switch {
	case fraction != "":
		whole += "." + fraction
	case strings.HasSuffix(whole, ":00"):
		whole = whole[:len(whole)-3]
	}
	if len(parts) == 1 {
		return whole
	}
	out := parts[0] + "T" + whole
	if len(parts) < 3 {
		return out
	}
	t, at, _ := trinoTimestamp(text, false)
	offset := time.UnixMicro(int64(at.Micros)).In(types.Location(t.Zone)).Format("Z07:00")
	if offset == parts[2] {
		return out + offset
	}
	return out + offset + "[" + parts[2] + "]"
}

func printTrinoFormat(c *expr.Call, a []string) string {
	return strings.Replace(printFormatString(c, a), "spark_printf(", "trino_format(", 1)
}

func init() {
	define("trino_java_time", "string -> string", func(a []any) any { return javaTimeText(a[0].(string)) })
	failing("trino_format", "string, strings -> string", func(a []any) (any, error) {
		// A decimal is Java's BigDecimal: %f takes it.
		list, decimal := slices.Clone(a[1].([]any)), false
		for i, x := range list {
			if text, ok := x.(string); ok && strings.HasPrefix(text, "D") {
				list[i], decimal = "f"+text[1:], true
			} else if ok && text != "" && strings.Contains("iyh", text[:1]) { // whole numbers are Java's Long
				list[i] = "l" + text[1:]
			}
		}
		v, err := printf([]any{a[0], list})
		if err == nil {
			return v, nil
		}
		why := err.Error()[strings.LastIndexByte(err.Error(), 0x1f)+1:]
		switch {
		case strings.Contains(why, " != ") && !strings.Contains("bBhHsScCdoxXeEfgGaAtT", why[:1]):
			why = "UnknownFormatConversion: Conversion = '" + why[:1] + "'"
		case strings.Contains(why, " != "):
			why = "IllegalFormatConversion: " + strings.Replace(why, "org.apache.spark.unsafe.types.UTF8String", "java.lang.String", 1)
			if decimal {
				why = strings.Replace(why, "java.lang.Double", "java.math.BigDecimal", 1)
			}
		case strings.HasPrefix(why, "Format specifier"):
			why = "MissingFormatArgument: " + why
		default:
			return nil, badArgument("Invalid format string: " + a[0].(string))
		}
		return nil, badArgument("Invalid format string: " + a[0].(string) + " (" + why + ")")
	})
}
