package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func spark(rows ...*expr.Func) { add(sql.Spark, rows...) }
func trino(rows ...*expr.Func) { add(sql.Trino, rows...) }

func is(k types.Kind) param { return param{accept: exactly(k)} }

var (
	str     = is(types.String)
	integer = is(types.Int)
	dbl     = is(types.Double)
	date    = is(types.Date)
	stamp   = is(types.Timestamp)
	numeric = param{accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.String || t.Kind == types.Null {
			return types.Of(types.Double), true
		}
		return t, t.IsNumeric()
	}}
	anything = param{accept: func(t types.Type) (types.Type, bool) { return t, true }}
)

func strictly(params ...param) rule { return rule{params: params, min: -1} }

func (r rule) gives(k types.Kind) rule               { r.result = of(k); return r }
func (r rule) as(f func(*expr.Call) types.Type) rule { r.result = f; return r }
func (r rule) optional(n int) rule                   { r.min = len(r.params) - n; return r }
func (r rule) mayBeNull() rule                       { r.null = always; return r }

func init() {
	both(
		// Strings ("Built-in Functions", string functions).
		fn("upper", "upper(str)", "str in upper case", strictly(str).gives(types.String), call("upper")),
		fn("lower", "lower(str)", "str in lower case", strictly(str).gives(types.String), call("lower")),
		fn("length", "length(str)", "number of characters", strictly(str).gives(types.Int), tmpl("CAST(length($1) AS INTEGER)")),
		fn("trim", "trim(str)", "str without spaces at both ends", strictly(str).gives(types.String), tmpl("trim($1, ' ')")),
		fn("ltrim", "ltrim(str)", "str without leading spaces", strictly(str).gives(types.String), tmpl("ltrim($1, ' ')")),
		fn("rtrim", "rtrim(str)", "str without trailing spaces", strictly(str).gives(types.String), tmpl("rtrim($1, ' ')")),
		fn("reverse", "reverse(str)", "str from its end", strictly(str).gives(types.String), call("reverse")),
		fn("replace", "replace(str, search[, replacement])", "every search in str replaced", strictly(str, str, str).optional(1).gives(types.String), func(_ *expr.Call, a []string) string {
			if len(a) == 2 {
				a = append(a, "''")
			}
			return "replace(" + join(a) + ")"
		}),
		fn("starts_with", "startswith(str, prefix)", "true if str begins with prefix", strictly(str, str).gives(types.Boolean), call("starts_with")),
		fn("lpad", "lpad(str, len[, pad])", "str padded on the left", strictly(str, integer, str).optional(1).gives(types.String), pad("lpad")),
		fn("rpad", "rpad(str, len[, pad])", "str padded on the right", strictly(str, integer, str).optional(1).gives(types.String), pad("rpad")),
		// Numbers.
		fn("abs", "abs(expr)", "absolute value", strictly(numeric).as(argType(0)), call("abs")),
		fn("sqrt", "sqrt(expr)", "square root", strictly(dbl).gives(types.Double), tmpl("CASE WHEN $1 < 0 THEN 'NaN'::DOUBLE ELSE sqrt($1) END")),
		fn("exp", "exp(expr)", "e to the power of expr", strictly(dbl).gives(types.Double), call("exp")),
		fn("ln", "ln(expr)", "natural logarithm", strictly(dbl).gives(types.Double).mayBeNull(), tmpl("CASE WHEN $1 > 0 THEN ln($1) END")),
		fn("power", "power(base, exponent)", "base to the power of exponent", strictly(dbl, dbl).gives(types.Double), call("pow")),
		fn("sign", "sign(expr)", "-1.0, 0.0 or 1.0", strictly(dbl).gives(types.Double), tmpl("CAST(sign($1) AS DOUBLE)")),
		fn("floor", "floor(expr)", "largest whole number not above expr", strictly(numeric).as(whole), rounded("floor")),
		fn("ceil", "ceil(expr)", "smallest whole number not below expr", strictly(numeric).as(whole), rounded("ceil")),
		// Conditions.
		&expr.Func{Name: "coalesce", Signature: "coalesce(expr, …)", Doc: "the first argument that is not NULL", Resolve: firstOf, Duck: call("coalesce")},
		&expr.Func{Name: "greatest", Signature: "greatest(expr, …)", Doc: "the largest argument, NULLs left out", Resolve: firstOf, Duck: call("greatest")},
		&expr.Func{Name: "least", Signature: "least(expr, …)", Doc: "the smallest argument, NULLs left out", Resolve: firstOf, Duck: call("least")},
		&expr.Func{Name: "nullif", Signature: "nullif(a, b)", Doc: "NULL if a equals b, else a", Resolve: nullIf, Duck: tmpl("CASE WHEN $1 = $2 THEN NULL ELSE $1 END")},
		&expr.Func{Name: "if", Signature: "if(cond, a, b)", Doc: "a if cond is true, else b", Resolve: ifRule, Duck: tmpl("CASE WHEN $1 THEN $2 ELSE $3 END"), Pretty: pretty("(IF($1, $2, $3))")},
		&expr.Func{Name: "concat", Signature: "concat(a, b, …)", Doc: "the arguments joined; NULL if one is", Resolve: concatRule, Duck: printConcat},
		// Time.
		fn("current_timestamp", "current_timestamp()", "start of the query, as a timestamp", rule{result: of(types.Timestamp), null: never}, tmpl("current_timestamp")),
		fn("current_date", "current_date()", "date of the start of the query", rule{result: of(types.Date), null: never}, tmpl("current_date")),
		part("year"), part("month"), part("day"), part("hour"), part("minute"), part("second"), part("quarter"),
		fn("date_trunc", "date_trunc(unit, ts)", "ts cut to the unit", strictly(str, anything).as(argType(1)), func(c *expr.Call, a []string) string {
			return "CAST(date_trunc(" + join(a) + ") AS " + DuckType(c.T) + ")"
		}),
	)
	for _, f := range []string{"current_timestamp", "current_date"} {
		Lookup(sql.Spark, f).NonDeterministic = true
	}
	spark(
		fn("now", "now()", "start of the query, as a timestamp", rule{result: of(types.Timestamp), null: never}, tmpl("current_timestamp")),
		fn("char_length", "char_length(str)", "number of characters", strictly(str).gives(types.Int), tmpl("CAST(length($1) AS INTEGER)")),
		fn("substring", "substring(str, pos[, len])", "part of str; a negative pos counts from the end", strictly(str, integer, integer).optional(1).gives(types.String), printSubstring),
		fn("round", "round(expr[, scale])", "expr rounded, half up", rule{params: []param{numeric, integer}, min: 1, result: roundType}, func(c *expr.Call, a []string) string {
			return "CAST(round(" + join(a) + ") AS " + DuckType(c.T) + ")"
		}),
		fn("date_add", "date_add(start, days)", "the date days later", strictly(date, integer).gives(types.Date), tmpl("CAST(($1 + $2) AS DATE)")),
		fn("date_sub", "date_sub(start, days)", "the date days earlier", strictly(date, integer).gives(types.Date), tmpl("CAST(($1 - $2) AS DATE)")),
		fn("datediff", "datediff(end, start)", "days from start to end", strictly(date, date).gives(types.Int), tmpl("CAST(($1 - $2) AS INTEGER)")),
		fn("to_date", "to_date(expr)", "expr as a date", strictly(date).gives(types.Date).mayBeNull(), tmpl("$1")),
		fn("last_day", "last_day(date)", "the last day of date's month", strictly(date).gives(types.Date), call("last_day")),
		fn("dayofweek", "dayofweek(date)", "1 for Sunday to 7 for Saturday", strictly(date).gives(types.Int), tmpl("CAST(dayofweek($1) + 1 AS INTEGER)")),
		fn("weekday", "weekday(date)", "0 for Monday to 6 for Sunday", strictly(date).gives(types.Int), tmpl("CAST(isodow($1) - 1 AS INTEGER)")),
		fn("dayofyear", "dayofyear(date)", "day of the year", strictly(date).gives(types.Int), tmpl("CAST(dayofyear($1) AS INTEGER)")),
		fn("unix_timestamp", "unix_timestamp(ts)", "seconds since 1970-01-01", strictly(stamp).gives(types.Long), tmpl("CAST(floor(epoch_us($1) / 1000000.0) AS BIGINT)")),
		fn("typeof", "typeof(expr)", "name of expr's type", strictly(anything).gives(types.String), func(c *expr.Call, _ []string) string {
			return "'" + c.Args[0].Type().SimpleString() + "'"
		}),
		fn("current_timezone", "current_timezone()", "the session's time zone", rule{result: of(types.String), null: never}, tmpl("current_setting('TimeZone')")),
		fn("version", "version()", "the engine's version", rule{result: of(types.String), null: never}, tmpl("'4.0.1 lakelab'")),
		fn("rand", "rand()", "a random number in [0, 1)", rule{result: of(types.Double), null: never}, tmpl("random()")),
		fn("uuid", "uuid()", "a random UUID as text", rule{result: of(types.String), null: never}, tmpl("CAST(gen_random_uuid() AS VARCHAR)")),
		fn("md5", "md5(expr)", "MD5 in hex", strictly(str).gives(types.String), call("md5")),
		&expr.Func{Name: "ifnull", Aliases: []string{"nvl"}, Signature: "ifnull(a, b)", Doc: "b if a is NULL, else a", Resolve: firstOf, Duck: call("coalesce")},
		fn("isnan", "isnan(expr)", "true if expr is NaN", rule{params: []param{dbl}, min: 1, result: of(types.Boolean), null: never}, tmpl("coalesce(isnan($1), false)")),
		fn("size", "size(expr)", "number of elements of an array or a map", strictly(anything).gives(types.Int), func(c *expr.Call, a []string) string {
			if c.Args[0].Type().Kind == types.Map {
				return "CAST(cardinality(" + a[0] + ") AS INTEGER)"
			}
			return "CAST(len(" + a[0] + ") AS INTEGER)"
		}),
		&expr.Func{Name: "array", Signature: "array(expr, …)", Doc: "an array of the arguments", Resolve: arrayRule, Duck: func(c *expr.Call, a []string) string {
			return "CAST([" + join(a) + "] AS " + DuckType(c.T) + ")"
		}},
		&expr.Func{Name: "subscript", Resolve: subscriptRule, Duck: printSubscript, Pretty: pretty("$1[$2]")},
		fn("repeat", "repeat(str, n)", "str n times", strictly(str, integer).gives(types.String), tmpl("repeat($1, $2)")),
		fn("initcap", "initcap(str)", "every word with a capital letter", strictly(str).gives(types.String), tmpl("list_aggregate(list_transform(string_split(lower($1), ' '), lambda w: upper(w[1:1]) || w[2:]), 'string_agg', ' ')")),
		fn("concat_ws", "concat_ws(sep, str, …)", "the arguments joined by sep, NULLs left out", rule{params: []param{str, str}, min: 1, variadic: true, result: of(types.String)}, call("concat_ws")),
	)
	for _, name := range []string{"sqrt", "power", "floor", "ceil"} {
		f := Lookup(sql.Spark, name)
		upper := strings.ToUpper(name)
		f.Pretty = func(_ *expr.Call, a []string) string { return upper + "(" + join(a) + ")" }
	}
	Lookup(sql.Spark, "round").Pretty = withDefault("round", 1, "0")
	Lookup(sql.Spark, "substring").Pretty = withDefault("substring", 2, "2147483647")
	alias(sql.Spark, "substring", "substr")
	alias(sql.Spark, "ceil", "ceiling")
	alias(sql.Spark, "starts_with", "startswith")
	alias(sql.Spark, "power", "pow")
	alias(sql.Spark, "day", "dayofmonth")
	alias(sql.Spark, "upper", "ucase")
	alias(sql.Spark, "lower", "lcase")
	trino(
		fn("version", "version()", "the engine's version", rule{result: of(types.String), null: never}, tmpl("'476'")),
		fn("round", "round(x[, d])", "x rounded, half up", rule{params: []param{numeric, integer}, min: 1, result: argType(0)}, func(c *expr.Call, a []string) string {
			return "CAST(round(" + join(a) + ") AS " + DuckType(c.T) + ")"
		}),
		fn("substr", "substr(string, start[, length])", "part of string", strictly(str, integer, integer).optional(1).gives(types.String), call("substring")),
		aggregate("approx_distinct", "approx_distinct(x)", "about how many different values", func(c *expr.Call) error { c.T = types.Of(types.Long); return one(c) }, plainAggregate("approx_count_distinct")),
		aggregate("array_agg", "array_agg(x)", "array of the values", func(c *expr.Call) error {
			c.T, c.Null = types.ArrayOf(c.Args[0].Type(), true), true
			return one(c)
		}, plainAggregate("list")),
	)
	spark(aggregate("approx_count_distinct", "approx_count_distinct(expr)", "about how many different values", func(c *expr.Call) error { c.T = types.Of(types.Long); return one(c) }, plainAggregate("approx_count_distinct")))
}

// withDefault shows an argument that was left out, as Spark does in generated names.
func withDefault(name string, given int, value string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if len(a) == given {
			a = append(a[:given:given], value)
		}
		return strings.ToLower(c.Name) + "(" + join(a) + ")"
	}
}

func alias(d sql.Dialect, name, also string) { tables[d][also] = tables[d][name] }

func pad(name string) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string {
		if len(a) == 2 {
			a = append(a, "' '")
		}
		return name + "(" + join(a) + ")"
	}
}

// printSubstring follows Spark: position 0 counts as 1, and a start before the text eats into the length.
func printSubstring(_ *expr.Call, a []string) string {
	n := "2147483647"
	if len(a) == 3 {
		n = a[2]
	}
	start := "(CASE WHEN " + a[1] + " > 0 THEN " + a[1] + "::BIGINT WHEN " + a[1] + " < 0 THEN length(" + a[0] + ") + " + a[1] + " + 1 ELSE 1 END)"
	return "substring(" + a[0] + ", greatest(" + start + ", 1), greatest(0, " + n + "::BIGINT + least(" + start + " - 1, 0)))"
}

func part(name string) *expr.Func {
	return fn(name, name+"(expr)", "the "+name+" of a date or timestamp", strictly(param{accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.String || t.Kind == types.Null {
			return types.Of(types.Timestamp), true
		}
		return t, temporal(t)
	}}).gives(types.Int), tmpl("CAST("+name+"($1) AS INTEGER)"))
}

// whole is the type of floor and ceil: bigint, or a decimal without scale.
func whole(c *expr.Call) types.Type {
	t := c.Args[0].Type()
	if t.Kind == types.Decimal {
		return types.DecimalOf(min(t.Precision-t.Scale+1, maxPrecision), 0)
	}
	if c.Func.Dialect == sql.Trino {
		return t
	}
	return types.Of(types.Long)
}

func rounded(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		return "CAST(" + name + "(" + a[0] + ") AS " + DuckType(c.T) + ")"
	}
}

// roundType is the type of Spark's round.
func roundType(c *expr.Call) types.Type {
	t := c.Args[0].Type()
	if t.Kind != types.Decimal {
		return t
	}
	scale := int64(0)
	if len(c.Args) == 2 {
		if l, ok := c.Args[1].(*expr.Lit); ok {
			scale, _ = l.Value.(int64)
		}
	}
	s := min(max(int(scale), 0), t.Scale)
	return types.DecimalOf(min(t.Precision-t.Scale+1+s, maxPrecision), s)
}

func firstOf(c *expr.Call) error {
	if len(c.Args) == 0 || c.Func.Name == "ifnull" && len(c.Args) != 2 {
		return errclass.WrongNumArgs(c.Func.Name, "> 0", len(c.Args))
	}
	to, ok := CommonType(c.Func.Dialect, argTypes(c)...)
	if !ok {
		return errclass.DataDiffTypes(c.Func.Name, argTypes(c))
	}
	coerceAll(c, to)
	c.T, c.Null = to, true
	for _, a := range c.Args {
		c.Null = c.Null && a.Nullable()
	}
	return nil
}

func nullIf(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs("nullif", "2", len(c.Args))
	}
	c.T, c.Null = c.Args[0].Type(), true
	return nil
}

func ifRule(c *expr.Call) error {
	if len(c.Args) != 3 {
		return errclass.WrongNumArgs("if", "3", len(c.Args))
	}
	cond, ok := Coerce(c.Args[0], types.Of(types.Boolean))
	if !ok {
		return errclass.UnexpectedInputType("if", 1, c.Args[0].Type(), types.Of(types.Boolean))
	}
	to, ok := CommonType(c.Func.Dialect, c.Args[1].Type(), c.Args[2].Type())
	if !ok {
		return errclass.DataDiffTypes("if", argTypes(c)[1:])
	}
	c.Args[0] = cond
	c.Args[1], _ = Coerce(c.Args[1], to)
	c.Args[2], _ = Coerce(c.Args[2], to)
	c.T, c.Null = to, c.Args[1].Nullable() || c.Args[2].Nullable()
	return nil
}

func arrayRule(c *expr.Call) error {
	if len(c.Args) == 0 {
		c.T = types.ArrayOf(types.Of(types.Null), false)
		return nil
	}
	to, ok := CommonType(c.Func.Dialect, argTypes(c)...)
	if !ok {
		return errclass.DataDiffTypes("array", argTypes(c))
	}
	coerceAll(c, to)
	c.T = types.ArrayOf(to, nullable(c.Args))
	return nil
}

func subscriptRule(c *expr.Call) error {
	c.Null = true
	switch t := c.Args[0].Type(); t.Kind {
	case types.Map:
		k, ok := Coerce(c.Args[1], *t.Key)
		if !ok {
			return errclass.UnexpectedInputType("element_at", 2, c.Args[1].Type(), *t.Key)
		}
		c.Args[1], c.T = k, *t.Value
	case types.Array:
		if !c.Args[1].Type().IsIntegral() {
			return errclass.UnexpectedInputType("subscript", 2, c.Args[1].Type(), types.Of(types.Int))
		}
		c.T = *t.Elem
	default:
		return errclass.InvalidExtractBase("value", t)
	}
	return nil
}

func printSubscript(c *expr.Call, a []string) string {
	if c.Args[0].Type().Kind == types.Map {
		return a[0] + "[" + a[1] + "]"
	}
	i := a[1]
	return "CASE WHEN " + i + " < 0 OR " + i + " >= len(" + a[0] + ") THEN " +
		Fail(c, "INVALID_ARRAY_INDEX", "CAST("+i+" AS VARCHAR)", "CAST(len("+a[0]+") AS VARCHAR)") + " ELSE " + a[0] + "[" + i + " + 1] END"
}
