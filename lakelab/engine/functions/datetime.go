package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// part is a field of a date or timestamp.
func part(name, kind, duck, doc string) *expr.Func {
	return row(name+"(expr)", kind+" -> int", doc, "CAST("+duck+" AS INTEGER)")
}

func init() {
	both(
		ofMoment(row("current_timestamp()", "-> timestamp!", "start of the query, as a timestamp", "current_timestamp")),
		ofMoment(row("current_date()", "-> date!", "date of the start of the query", "current_date")),
		ofMoment(row("now()", "-> timestamp!", "start of the query, as a timestamp", "current_timestamp")),
		row("last_day(date)", "date -> date", "the last day of date's month", "last_day($1)"),
	)
	for _, d := range []sql.Dialect{sql.Spark, sql.Trino} {
		add(d,
			timePart(d, part("year", "date", "year($1)", "the year")), timePart(d, part("month", "date", "month($1)", "the month, 1 to 12")), timePart(d, part("day", "date", "day($1)", "the day of the month")),
			timePart(d, part("hour", "moment", "hour($1)", "the hour, 0 to 23")), timePart(d, part("minute", "moment", "minute($1)", "the minute")), timePart(d, part("second", "moment", "second($1)", "the second, without its fraction")),
			part("quarter", "date", "quarter($1)", "the quarter, 1 to 4"),
		)
	}
	spark(
		ofMoment(shown("current_date", row("curdate()", "-> date!", "date of the start of the query", "current_date"))),
		ofMoment(row("localtimestamp()", "-> ntz!", "start of the query as a wall clock", "CAST(current_timestamp AS TIMESTAMP)")),
		row("current_timezone()", "-> string!", "the session's time zone", "current_setting('TimeZone')"),
		also(part("dayofmonth", "date", "day($1)", "the day of the month")), part("dayofweek", "date", "dayofweek($1) + 1", "1 for Sunday to 7 for Saturday"), part("weekday", "date", "isodow($1) - 1", "0 for Monday to 6 for Sunday"),
		part("dayofyear", "date", "dayofyear($1)", "the day of the year"), part("weekofyear", "date", "weekofyear($1)", "the ISO week"),
		row("dayname(date)", "date -> string", "Mon, Tue, …", "strftime($1, '%a')"), row("monthname(date)", "date -> string", "Jan, Feb, …", "strftime($1, '%b')"),
		printed("date_add(start, days)", "date, days -> date", "the date days later", func(c *expr.Call, a []string) string { return addDays(c, "+", a) }),
		printed("date_sub(start, days)", "date, days -> date", "the date days earlier", func(c *expr.Call, a []string) string { return addDays(c, "-", a) }),
		shown("date_add", printed("dateadd(start, days)", "date, days -> date", "the date days later", func(c *expr.Call, a []string) string { return addDays(c, "+", a) })),
		row("datediff(end, start)", "date, date -> int", "days from start to end", "CAST(($1 - $2) AS INTEGER)"), also(row("date_diff(end, start)", "date, date -> int", "days from start to end", "CAST(($1 - $2) AS INTEGER)")),
		row("add_months(date, n)", "date, int -> date", "the date n months later", "CAST(($1 + to_months($2)) AS DATE)"),
		defaults(3, printed("months_between(a, b[, round])", "timestamp, timestamp, boolean? -> double", "months from b to a", func(_ *expr.Call, a []string) string {
			round := "true"
			if len(a) == 3 {
				round = a[2]
			}
			return "spark_months_between(CAST(" + a[0] + " AS TIMESTAMP), CAST(" + a[1] + " AS TIMESTAMP), " + round + ")"
		}), "true"),
		row("next_day(date, weekday)", "date, string -> date?", "the next date that is such a weekday", "spark_next_day($1, $2)"),
		ruled("date_trunc(unit, ts)", "ts cut to the unit", orNull(typing("string, datetime -> void", func(c *expr.Call) types.Type {
			if x, ok := Coerce(c.Args[1], types.Of(types.Timestamp)); ok {
				c.Args[1] = x
			}
			return types.Of(types.Timestamp)
		})), func(c *expr.Call, a []string) string {
			unit := "(CASE lower(" + a[0] + ") WHEN 'yyyy' THEN 'year' WHEN 'yy' THEN 'year' WHEN 'mon' THEN 'month' WHEN 'mm' THEN 'month' WHEN 'dd' THEN 'day'"
			for _, u := range []string{"year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"} {
				unit += " WHEN '" + u + "' THEN '" + u + "'"
			}
			unit += " END)"
			if u, ok := constantString(c.Args[0]); ok {
				unit = truncUnit(u)
				if unit == "" {
					return typedAs(c.T, "NULL")
				}
			}
			return typedAs(c.T, "date_trunc("+unit+", "+a[1]+")")
		}),
		printed("trunc(date, unit)", "date, string -> date?", "date cut to the unit", func(c *expr.Call, a []string) string {
			u, ok := constantString(c.Args[1])
			if !ok {
				// The unit first: without a valid one the date is not computed.
				return let(a[1], func(u string) string {
					return "CASE WHEN spark_trunc(DATE '2000-01-01', " + u + ") IS NOT NULL THEN spark_trunc(" + a[0] + ", " + u + ") END"
				})
			}
			switch t := truncUnit(u); t {
			case "'year'", "'quarter'", "'month'", "'week'":
				return "CAST(date_trunc(" + t + ", " + a[0] + ") AS DATE)"
			}
			return "CAST(NULL AS DATE)"
		}),
		also(ruled("date_part(field, source)", "a field of a date, timestamp or interval, as EXTRACT gives it", datePartRule, printDatePart), "datepart", "extract"),
		ruled("to_date(expr[, fmt])", "expr as a date", parseRuleFor(types.Date), printParse(types.Date, false)),
		ruled("to_timestamp(expr[, fmt])", "expr as a timestamp", parseRuleFor(types.Timestamp), printParse(types.Timestamp, false)), ruled("to_timestamp_ltz(expr[, fmt])", "expr as a timestamp", parseRuleFor(types.Timestamp), printParse(types.Timestamp, false)),
		ruled("to_timestamp_ntz(expr[, fmt])", "expr as a timestamp without a zone", parseRuleFor(types.TimestampNTZ), printParse(types.TimestampNTZ, false)),
		ruled("try_to_timestamp(expr[, fmt])", "expr as a timestamp, or NULL", parseRuleFor(types.Timestamp), printParse(types.Timestamp, true)),
		unixTimestamp("unix_timestamp"), unixTimestamp("to_unix_timestamp"),
		defaults(2, printed("from_unixtime(seconds[, fmt])", "long, string? -> string?", "seconds since 1970 as text", func(c *expr.Call, a []string) string {
			f, x := quote("yyyy-MM-dd HH:mm:ss"), expr.Expr(nil)
			if len(a) == 2 {
				f, x = a[1], c.Args[1]
			}
			return printFormat(let(a[0], func(v string) string {
				// Beyond what microseconds hold the product wraps around, as Java's does.
				return "make_timestamptz(CASE WHEN abs(" + v + "::HUGEINT) < 9223372036854 THEN " + v + " * 1000000 ELSE spark_wrapped(" + v + ", 1000000) END)"
			}), f, x)
		}), "yyyy-MM-dd HH:mm:ss"),
		printed("date_format(ts, fmt)", "datetime, string -> string", "ts as text by a pattern", func(c *expr.Call, a []string) string { return printFormat(a[0], a[1], c.Args[1]) }),
		row("unix_date(date)", "=date -> int", "days since 1970-01-01", "CAST(($1 - DATE '1970-01-01') AS INTEGER)"), row("date_from_unix_date(days)", "int -> date", "days since 1970-01-01 as a date", "CAST((DATE '1970-01-01' + $1) AS DATE)"),
		row("unix_seconds(ts)", "=timestamp -> long", "seconds since 1970", floorOf("1000000")), row("unix_millis(ts)", "=timestamp -> long", "milliseconds since 1970", floorOf("1000")), row("unix_micros(ts)", "=timestamp -> long", "microseconds since 1970", "epoch_us($1)"),
		noText("NUMERIC", floatingOrNull(printed("timestamp_seconds(n)", "number -> timestamp", "seconds since 1970 as a timestamp", func(c *expr.Call, a []string) string {
			switch t := c.Args[0].Type(); {
			case t.IsIntegral():
				return timestampOf(c, "CAST("+a[0]+" AS HUGEINT) * 1000000", a[0])
			case t.Kind == types.Decimal:
				v := "CAST(" + a[0] + " AS DECIMAL(38, " + itoa(t.Scale) + ")) * 1000000"
				if t.Scale <= 6 {
					return timestampOf(c, "CAST("+v+" AS HUGEINT)", a[0])
				}
				return let(v, func(v string) string {
					return "CASE WHEN " + v + " <> trunc(" + v + ") THEN " + Fail(c, "JAVA.ArithmeticException", "'Rounding necessary'") + " ELSE " + timestampOf(c, "CAST("+v+" AS HUGEINT)", v) + " END"
				})
			}
			return "CASE WHEN isfinite(" + a[0] + ") THEN make_timestamptz(CAST(trunc(CAST(" + a[0] + " AS DOUBLE) * 1000000) AS BIGINT)) END"
		}))),
		noText("INTEGRAL", printed("timestamp_millis(n)", "integral -> timestamp", "milliseconds since 1970 as a timestamp", func(c *expr.Call, a []string) string {
			return timestampOf(c, "CAST("+a[0]+" AS HUGEINT) * 1000", a[0])
		})), noText("INTEGRAL", row("timestamp_micros(n)", "integral -> timestamp", "microseconds since 1970 as a timestamp", "make_timestamptz($1)")),
		printed("make_date(year, month, day)", "int, int, int -> date", "a date of its parts", func(c *expr.Call, a []string) string {
			return letAll(a, []int{0, 1, 2}, func(a []string) string {
				return "coalesce(" + tolerate("make_date("+join(a)+")") + ", CASE WHEN " + notNull(a) + " THEN " + Fail(c, "DATETIME_FIELD_OUT_OF_BOUNDS", "spark_date_problem("+join(a)+")") + " END)"
			})
		}),
		makeTimestamp("make_timestamp", types.Timestamp, false), makeTimestamp("make_timestamp_ltz", types.Timestamp, false), makeTimestamp("make_timestamp_ntz", types.TimestampNTZ, false),
		makeTimestamp("try_make_timestamp", types.Timestamp, true), makeTimestamp("try_make_timestamp_ltz", types.Timestamp, true), makeTimestamp("try_make_timestamp_ntz", types.TimestampNTZ, true),
		makeSum("make_dt_interval([days[, hours[, mins[, secs]]]])", "int?, int?, int?, fraction? -> daytime", "a day-time interval of its parts", "spark_make_dt_interval", 4, "0", "0", "0", "0.000000"),
		makeSum("make_ym_interval([years[, months]])", "int?, int? -> yearmonth", "a year-month interval of its parts", "spark_make_ym_interval", 2, "0", "0"),
		makeInterval("make_interval", false), makeInterval("try_make_interval", true),
		printed("from_utc_timestamp(ts, zone)", "timestamp, string -> timestamp", "ts, read as UTC, as the zone's clock shows it", zoneShift(false)), printed("to_utc_timestamp(ts, zone)", "timestamp, string -> timestamp", "ts, read as the zone's clock, in UTC", zoneShift(true)),
		printed("convert_timezone([from, ]to, ts)", "string, any, ntz? -> ntz", "a wall clock of one zone as another's", func(c *expr.Call, a []string) string {
			if len(a) == 2 {
				a = []string{"current_setting('TimeZone')", a[0], a[1]}
			}
			return "spark_convert_zone(" + a[0] + ", CAST(" + a[1] + " AS VARCHAR), CAST(" + a[2] + " AS TIMESTAMP))"
		}),
		ruled("timestampadd(unit, n, ts)", "ts, n units later", unitRule(addUnitsRule), printAddUnits), ruled("timestampdiff(unit, start, end)", "whole units from start to end", unitRule(typing("string, timestamp, timestamp -> void", func(*expr.Call) types.Type { return types.Of(types.Long) })), printDiffUnits),
		printed("date(expr)", "any -> date", "expr cast to date", nil), printed("timestamp(expr)", "any -> timestamp", "expr cast to timestamp", nil),
	)
	w := Lookup(sql.Spark, "convert_timezone")
	w.Resolve = func(c *expr.Call) error {
		if len(c.Args) == 2 {
			return parseRule("string, ntz -> ntz").resolve(c)
		}
		if len(c.Args) != 3 {
			return errclass.WrongNumArgs("convert_timezone", "[2, 3]", len(c.Args))
		}
		return parseRule("string, string, ntz -> ntz").resolve(c)
	}
	w.Pretty = func(_ *expr.Call, a []string) string {
		if len(a) == 2 {
			a = []string{"current_timezone()", a[0], a[1]}
		}
		return "convert_timezone(" + join(a) + ")"
	}
	Lookup(sql.Spark, "date_part").Pretty = func(c *expr.Call, a []string) string {
		if n := strings.ToLower(c.Name); n == "datepart" || n == "extract" {
			return n + "(" + a[0] + " FROM " + a[1] + ")"
		}
		return strings.ToLower(c.Name) + "(" + join(a) + ")"
	}
	for name, p := range map[string]string{"timestampadd": "timestampadd($1, $2, $3)", "timestampdiff": "timestampdiff($1, $2, $3)"} {
		Lookup(sql.Spark, name).Pretty = tmpl(p)
	}
	datetimeUDFs()
	makeTimeUDFs()
}

// timestampOf is a timestamp of microseconds, which have to fit.
func timestampOf(c *expr.Call, micros, of string) string {
	return "make_timestamptz(coalesce(TRY_CAST(" + micros + " AS BIGINT), CASE WHEN " + of + " IS NOT NULL THEN CAST(" + Fail(c, "JAVA.ArithmeticException", "'long overflow'") + " AS BIGINT) END))"
}

// timePart lets a field be taken of an interval, too.
func timePart(d sql.Dialect, f *expr.Func) *expr.Func {
	if d == sql.Spark {
		return f // there only EXTRACT takes a field of an interval
	}
	resolve, duck := f.Resolve, f.Duck
	f.Resolve = func(c *expr.Call) error {
		if len(c.Args) == 1 && anyInterval(c.Args[0].Type()) && hasField(c.Args[0].Type(), c.Func.Name) {
			c.T, c.Null = partType(c.Args[0].Type(), c.Func.Name), c.Args[0].Nullable()
			return nil
		}
		err := resolve(c)
		if c.Func.Dialect == sql.Trino {
			c.T = types.Of(types.Long)
		}
		return err
	}
	f.Duck = func(c *expr.Call, a []string) string {
		if !anyInterval(c.Args[0].Type()) {
			if c.Func.Dialect == sql.Trino {
				return typedAs(c.T, duck(c, a))
			}
			return duck(c, a)
		}
		return intervalField(c.T, c.Args[0].Type(), c.Func.Name, a[0])
	}
	return f
}

// anyInterval reports whether t is one of the three kinds of intervals.
func anyInterval(t types.Type) bool { return interval(t) || t.Kind == types.CalendarInterval }

// hasField reports whether an interval type has a field.
func hasField(t types.Type, field string) bool {
	f, ok := intervalFields[strings.ToUpper(field)]
	return ok && (t.Kind == types.CalendarInterval || t.From <= f && f <= t.To)
}

// partType is the type of a field: small for an interval's, whole seconds only of second().
func partType(t types.Type, field string) types.Type {
	switch {
	case field == "second":
		return types.DecimalOf(8, 6)
	case anyInterval(t) && (field == "month" || field == "hour" || field == "minute"):
		return types.Of(types.Byte)
	}
	return types.Of(types.Int)
}

// intervalField prints a field of an interval, of type to.
func intervalField(to, t types.Type, field, s string) string {
	if t.Kind == types.CalendarInterval {
		switch field {
		case "hour":
			return typedAs(to, "hour("+s+") % 24")
		case "second":
			return typedAs(to, "CAST(microsecond("+s+") AS DECIMAL(20, 0)) * 0.000001::DECIMAL(7, 6)")
		}
		return typedAs(to, field+"("+s+")")
	}
	switch field {
	case "year":
		return typedAs(to, s+" // 12")
	case "month":
		return typedAs(to, s+" % 12")
	case "day":
		return typedAs(to, s+" // 86400000000")
	case "hour":
		return typedAs(to, s+" % 86400000000 // 3600000000")
	case "minute":
		return typedAs(to, s+" % 3600000000 // 60000000")
	}
	return typedAs(to, "CAST("+s+" % 60000000 AS DECIMAL(20, 0)) * 0.000001::DECIMAL(7, 6)")
}

// truncUnit is DuckDB's word for one of Spark's units, or empty.
func truncUnit(u string) string {
	switch u = strings.ToLower(u); u {
	case "year", "yyyy", "yy":
		return "'year'"
	case "month", "mon", "mm":
		return "'month'"
	case "day", "dd":
		return "'day'"
	case "quarter", "week", "hour", "minute", "second", "millisecond", "microsecond":
		return quote(u)
	}
	return ""
}

var extractFields = map[string]string{
	"year": "year", "y": "year", "years": "year", "yr": "year", "yrs": "year", "quarter": "quarter", "qtr": "quarter", "month": "month", "mon": "month", "mons": "month", "months": "month",
	"week": "weekofyear", "w": "weekofyear", "weeks": "weekofyear", "day": "day", "d": "day", "days": "day", "dayofweek": "dayofweek", "dow": "dayofweek", "dayofweek_iso": "weekday", "dow_iso": "weekday",
	"doy": "dayofyear", "hour": "hour", "h": "hour", "hours": "hour", "hr": "hour", "hrs": "hour", "minute": "minute", "m": "minute", "min": "minute", "mins": "minute", "minutes": "minute",
	"second": "second", "s": "second", "sec": "second", "seconds": "second", "secs": "second", "yearofweek": "isoyear",
}

func datePartRule(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs("date_part", "2", len(c.Args))
	}
	f, ok := constantString(c.Args[0])
	if l, is := c.Args[0].(*expr.Lit); is && l.Value == nil {
		c.T, c.Null, c.Extra = types.Of(types.Double), true, ""
		return nil
	}
	if !ok {
		return errclass.NonFoldableArgument(strings.ToLower(c.Name), "field", types.Of(types.String))
	}
	name := extractFields[strings.ToLower(f)]
	t := c.Args[1].Type()
	if name == "" || anyInterval(t) && !hasField(t, name) {
		return errclass.InvalidExtractField(f, 2)
	}
	if !temporal(t) && !anyInterval(t) {
		x, ok := c.Args[1], t.Kind == types.String || t.Kind == types.Null
		if ok {
			x, _ = Coerce(x, types.Of(types.Timestamp))
		} else {
			// The error is that of the field's own function, which has one argument.
			want, shown := `"DATE"`, map[string]string{"second": "secondwithfraction", "isoyear": "yearofweek", "day": "dayofmonth"}[name]
			if name == "hour" || name == "minute" || name == "second" {
				want = anyTimestamp
			}
			if shown == "" {
				shown = name
			}
			shown += "($1)"
			return errclass.UnexpectedInputTypes(name, 1, t, want).Shown(strings.ReplaceAll(shown, "$1", "$2")).Input(Name(c.Args[1]))
		}
		c.Args[1] = x
	}
	c.Extra = name
	c.T, c.Null = partType(t, name), c.Args[1].Nullable()
	if clock := name == "hour" || name == "minute" || name == "second"; t.Kind == types.TimestampNTZ && !clock {
		c.Null = true // it becomes a date first
	}
	return nil
}

func printDatePart(c *expr.Call, a []string) string {
	name := c.Extra.(string)
	switch {
	case name == "":
		return typedAs(c.T, "NULL")
	case anyInterval(c.Args[1].Type()):
		return intervalField(c.T, c.Args[1].Type(), name, a[1])
	case name == "second":
		return typedAs(c.T, "CAST(microsecond("+a[1]+") AS DECIMAL(20, 0)) * 0.000001::DECIMAL(7, 6)")
	case name == "weekday":
		return "CAST(isodow(" + a[1] + ") AS INTEGER)"
	case name == "isoyear":
		return "CAST(isoyear(" + a[1] + ") AS INTEGER)"
	}
	f := Lookup(sql.Spark, name)
	return f.Duck(&expr.Call{Base: c.Base, Func: f, Args: c.Args[1:]}, a[1:])
}

// parsingPattern refuses the patterns by which Spark does not read.
func parsingPattern(p string) error {
	if class, params := patternProblem(p, true); class != "" {
		return errclass.Plain(class, params...)
	}
	return nil
}

// patternProblem finds letters that Spark refuses: those of week-based dates, and those that it cannot write or read. Where Java's old
// formatter knew them all, the error says so.
func patternProblem(p string, reading bool) (class string, params []string) {
	parts := strings.Split(p, "'")
	if len(parts)%2 == 0 && reading {
		return "", nil // a quote is not closed
	}
	legacy := true
	for i := 0; i < len(parts); i += 2 {
		for _, c := range parts[i] {
			legacy = legacy && (!isLetter(byte(c)) || c > 127 || strings.ContainsRune("GyYMLwWDdFEuaHkKhmsSzZX", c))
		}
	}
	if legacy && unopened(parts) { // to the old formatter ] was text
		return "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION", []string{"'" + p + "'"}
	}
	unsupported := "ABnNp"
	if reading {
		unsupported += "EFqQ"
	}
	for i := 0; i < len(parts); i += 2 {
		week, other := strings.IndexAny(parts[i], "YWwuec"), strings.IndexAny(parts[i], unsupported)
		switch {
		case (week >= 0 || other >= 0) && legacy:
			return "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION", []string{"'" + p + "'"}
		case week >= 0:
			return "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN", []string{parts[i][week : week+1]}
		case other >= 0:
			return "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER", []string{p, parts[i][other : other+1]}
		}
	}
	return "", nil
}

// unopened reports whether a section is closed, outside of quotes, that none opened.
func unopened(parts []string) bool {
	depth := 0
	for i := 0; i < len(parts); i += 2 {
		for _, c := range parts[i] {
			if c == '[' {
				depth++
			} else if c == ']' {
				depth--
			}
			if depth < 0 {
				return true
			}
		}
	}
	return false
}

// parseRuleFor is to_date and kin: a cast, or text read by a pattern.
func parseRuleFor(k types.Kind) func(*expr.Call) error { return parseOrCast(k, false) }

func parseOrCast(k types.Kind, unix bool) func(*expr.Call) error {
	return func(c *expr.Call) error {
		if n := len(c.Args); n < 1 || n > 2 {
			return errclass.WrongNumArgs(c.Func.Name, "[1, 2]", n)
		}
		if c.Args[0].Type().Kind == types.Null {
			c.Args[0], _ = Coerce(c.Args[0], types.Of(types.String))
		}
		t := c.Args[0].Type()
		if t.Kind != types.String && !temporal(t) && !(len(c.Args) == 1 && t.IsNumeric() && k == types.Timestamp && !unix) {
			x, ok := c.Args[0], t.Elem == nil && t.Kind != types.Struct && !unix
			if ok {
				x, ok = coerceArg(c, x, types.Of(types.String))
			}
			if !ok {
				want := `("STRING" or "DATE" or "TIMESTAMP" or "TIMESTAMP_NTZ")`
				if k == types.Timestamp && !unix {
					want = `("STRING" or "DATE" or "TIMESTAMP" or "TIMESTAMP_NTZ" or "NUMERIC")`
				}
				return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, want)
			}
			c.Args[0], t = x, x.Type()
		}
		if len(c.Args) == 2 {
			x, ok := Coerce(c.Args[1], types.Of(types.String))
			if !ok || unix && c.Args[1].Type().Kind != types.String && c.Args[1].Type().Kind != types.Null {
				return errclass.UnexpectedInputType(c.Func.Name, 2, c.Args[1].Type(), types.Of(types.String))
			}
			c.Args[1] = x
			if p, ok := constantString(x); ok {
				if err := parsingPattern(p); err != nil {
					return err
				}
				if _, why := parsePattern(p); why != "" {
					return errclass.InvalidDatetimePattern(p)
				}
			}
		}
		c.T, c.Null = types.Of(k), true
		switch {
		case strings.HasPrefix(c.Func.Name, "try_") && len(c.Args) == 2:
		case unix || len(c.Args) == 2:
			c.Null = nullable(c.Args) // what does not fit the pattern is an error
		default:
			c.Null = c.Args[0].Nullable() || castNullable(t, c.T)
		}
		return nil
	}
}

func printParse(k types.Kind, try bool) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		t := c.Args[0].Type()
		to := types.Of(k)
		if len(a) == 1 || temporal(t) {
			x := &expr.Cast{X: c.Args[0], Try: try}
			x.T, x.At = to, c.At
			return PrintCast(x, a[0])
		}
		try := try
		zone := "current_setting('TimeZone')"
		if k == types.TimestampNTZ {
			zone = "'UTC'"
		}
		return letAll(a, []int{0, 1}, func(a []string) string {
			good := "spark_parse_time(" + a[0] + ", " + a[1] + ", " + zone + ")"
			if p, ok := constantString(c.Args[1]); ok {
				parts, _ := parsePattern(p)
				if re, format, ok := strptime(parts); ok {
					slow := good
					good = "try_strptime(" + a[0] + ", " + quote(format) + ")"
					if k == types.Timestamp {
						good, slow = "CAST("+good+" AS TIMESTAMPTZ)", "timezone('UTC', "+slow+")"
					}
					// What DuckDB reads this way Spark reads alike; Spark reads more: signs, letters of any case, fewer digits of a fraction.
					good = "coalesce(CASE WHEN regexp_full_match(" + a[0] + ", " + quote(re) + ") THEN " + good + " END, " + slow + ")"
				} else if k == types.Timestamp {
					good = "timezone('UTC', " + good + ")"
				}
			} else if k == types.Timestamp {
				good = "timezone('UTC', " + good + ")"
			}
			good = typedAs(to, good)
			if try {
				return good
			}
			return "coalesce(" + good + ", CASE WHEN " + a[0] + " IS NOT NULL AND " + a[1] + " IS NOT NULL THEN " + Fail(c, "CANNOT_PARSE_TIMESTAMP", "spark_parse_message("+a[0]+", "+a[1]+")", quote("try_to_timestamp")) + " END)"
		})
	}
}

// printFormat writes a date or timestamp by a pattern.
func printFormat(s, pattern string, x expr.Expr) string {
	wall := "CAST(" + s + " AS TIMESTAMP)"
	text, known := constantString(x)
	if x == nil {
		text, known = strings.Trim(pattern, "'"), true
	}
	if known {
		if text == "" {
			return "CASE WHEN " + s + " IS NOT NULL THEN '' END"
		}
		if parts, err := formatPattern(text); err == nil {
			if f, ok := strftime(replaceYear(parts)); ok {
				// %Y is as wide as the year, yyyy four digits: they agree from 1000 to 9999.
				return let(wall, func(v string) string {
					return "CASE WHEN year(" + v + ") BETWEEN 1000 AND 9999 THEN strftime(" + v + ", " + quote(strings.ReplaceAll(f, "\x00", "%Y")) + ") ELSE spark_format_time(" + v + ", " + pattern + ", current_setting('TimeZone')) END"
				})
			}
		}
	}
	return "spark_format_time(" + wall + ", " + pattern + ", current_setting('TimeZone'))"
}

// replaceYear makes yyyy a literal that strftime leaves alone.
func replaceYear(parts []patternPart) []patternPart {
	out := append([]patternPart{}, parts...)
	for i, p := range out {
		if (p.letter == 'y' || p.letter == 'u') && (p.n == 4 || p.n == 1) {
			out[i] = patternPart{literal: "\x00"}
		}
	}
	return out
}

func unixTimestamp(name string) *expr.Func {
	f := ruled(name+"([expr[, fmt]])", "seconds since 1970 of a timestamp, or of text read by a pattern", func(c *expr.Call) error {
		if len(c.Args) == 0 && name == "unix_timestamp" {
			c.T = types.Of(types.Long)
			return nil
		}
		if name == "unix_timestamp" && len(c.Args) > 2 {
			return errclass.WrongNumArgs(name, "[0, 1, 2]", len(c.Args))
		}
		err := parseOrCast(types.Timestamp, true)(c)
		c.T = types.Of(types.Long)
		return err
	}, func(c *expr.Call, a []string) string {
		switch {
		case len(a) == 0:
			return "CAST(floor(epoch_us(current_timestamp) / 1000000) AS BIGINT)"
		case c.Args[0].Type().Kind == types.String && len(a) == 1:
			d := *c
			lit := &expr.Lit{Value: "yyyy-MM-dd HH:mm:ss"}
			lit.T = types.Of(types.String)
			d.Args = []expr.Expr{c.Args[0], lit}
			return "CAST(floor(epoch_us(" + printParse(types.Timestamp, false)(&d, []string{a[0], quote("yyyy-MM-dd HH:mm:ss")}) + ") / 1000000) AS BIGINT)"
		}
		return "CAST(floor(epoch_us(" + printParse(types.Timestamp, false)(c, a) + ") / 1000000) AS BIGINT)"
	})
	f.Moment = name == "unix_timestamp"
	f.Pretty = func(_ *expr.Call, a []string) string {
		if len(a) == 0 {
			a = []string{"current_timestamp()"}
		}
		if len(a) == 1 {
			a = append(a, "yyyy-MM-dd HH:mm:ss")
		}
		return name + "(" + join(a) + ")"
	}
	return f
}

func zoneShift(toUTC bool) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string {
		from, to := "'UTC'", a[1]
		if toUTC {
			from, to = to, from
		}
		return "CAST(spark_convert_zone(" + from + ", " + to + ", CAST(" + a[0] + " AS TIMESTAMP)) AS TIMESTAMPTZ)"
	}
}

var unitMicros = map[string]string{"DAY": "86400000000", "WEEK": "604800000000", "HOUR": "3600000000", "MINUTE": "60000000", "SECOND": "1000000", "MILLISECOND": "1000", "MICROSECOND": "1", "DAYOFYEAR": "86400000000"}
var unitMonths = map[string]string{"YEAR": "12", "QUARTER": "3", "MONTH": "1"}

// unitRule checks that the first argument is one of the units. The parser makes a constant of it; as a text it is an error.
func unitRule(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		if len(c.Args) == 3 {
			u, ok := constantString(c.Args[0])
			u = strings.ToUpper(u)
			if !ok || unitMonths[u] == "" && unitMicros[u] == "" {
				return errclass.UnresolvedRoutine(int(c.Func.Dialect), c.Func.Name)
			}
		}
		return resolve(c)
	}
}

func addUnitsRule(c *expr.Call) error {
	err := parseRule("string, int, timestamp -> timestamp").resolve(c)
	if err == nil && len(c.Args) == 3 {
		if k, ok := c.Args[2].(*expr.Cast); ok && k.Implicit && k.X.Type().Kind == types.TimestampNTZ {
			c.Args[2], c.T = k.X, k.X.Type()
		}
	}
	return err
}

func printAddUnits(c *expr.Call, a []string) string {
	u, _ := constantString(c.Args[0])
	u = strings.ToUpper(u)
	if m := unitMonths[u]; m != "" {
		return typedAs(c.T, "("+a[2]+" + to_months("+a[1]+" * "+m+"))")
	}
	if u == "DAY" || u == "WEEK" || u == "DAYOFYEAR" {
		n := a[1]
		if u == "WEEK" {
			n += " * 7"
		}
		return typedAs(c.T, "("+a[2]+" + to_days("+n+"))")
	}
	return typedAs(c.T, "("+a[2]+" + to_microseconds("+a[1]+"::BIGINT * "+unitMicros[u]+"))")
}

func printDiffUnits(c *expr.Call, a []string) string {
	u, _ := constantString(c.Args[0])
	u = strings.ToUpper(u)
	lo, hi := "CAST("+a[1]+" AS TIMESTAMP)", "CAST("+a[2]+" AS TIMESTAMP)"
	if m := unitMonths[u]; m != "" {
		return "(datesub('month', " + lo + ", " + hi + ") // " + m + ")"
	}
	return "((epoch_us(" + hi + ") - epoch_us(" + lo + ")) // " + unitMicros[u] + ")"
}

// floatingOrNull makes the result of a function NULL for floating-point numbers that are none.
func floatingOrNull(f *expr.Func) *expr.Func {
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		err := resolve(c)
		c.Null = c.Null || err == nil && floating(c.Args[0].Type())
		return err
	}
	return f
}

// noText refuses text for a number, which it otherwise becomes.
func noText(want string, f *expr.Func) *expr.Func {
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		if len(c.Args) == 1 && c.Args[0].Type().Kind == types.String {
			return errclass.UnexpectedInputTypes(f.Name, 1, c.Args[0].Type(), `"`+want+`"`)
		}
		return resolve(c)
	}
	return f
}
