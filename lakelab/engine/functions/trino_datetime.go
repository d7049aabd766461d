package functions

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's functions of dates and times ("Date and time functions and operators"). Parts of a timestamp with time zone are those of
// its own zone.

// trinoUnits are the units of date_trunc, date_add and date_diff.
var trinoUnits = map[string]int64{
	"millisecond": 1e3, "second": 1e6, "minute": 60e6, "hour": 3600e6, "day": 86400e6, "week": 7 * 86400e6, "month": -1, "quarter": -3, "year": -12,
}

// clockPart prints a part of a time of day, of a timestamp or of an interval.
func clockPart(size, of int64) func(c *expr.Call, a []string) string {
	return func(c *expr.Call, a []string) string {
		us := "epoch_us(" + coarse(c.Args[0].Type(), a[0]) + ")"
		switch t := c.Args[0].Type(); t.Kind {
		case types.DayTimeInterval:
			us = a[0]
		case types.Timestamp:
			us = "epoch_us(" + local(t, a[0]) + ")"
		}
		n := strconv.FormatInt(of, 10)
		return let(us, func(v string) string {
			if c.Args[0].Type().Kind == types.DayTimeInterval {
				return "CAST(" + v + " // " + strconv.FormatInt(size, 10) + " % " + n + " AS BIGINT)"
			}
			whole := strconv.FormatInt(size*of, 10)
			return "CAST(((" + v + " % " + whole + ") + " + whole + ") % " + whole + " // " + strconv.FormatInt(size, 10) + " AS BIGINT)"
		})
	}
}

// datePart prints a part of a date.
func calendarPart(duck string) func(c *expr.Call, a []string) string {
	return func(c *expr.Call, a []string) string {
		if t := c.Args[0].Type(); t.Kind == types.YearMonthInterval {
			if duck == "year" {
				return "CAST(" + a[0] + " // 12 AS BIGINT)"
			}
			return "CAST(" + a[0] + " % 12 AS BIGINT)"
		} else if t.Kind == types.DayTimeInterval {
			return "CAST(" + a[0] + " // 86400000000 AS BIGINT)"
		}
		return "CAST(" + duck + "(" + local(c.Args[0].Type(), a[0]) + ") AS BIGINT)"
	}
}

func init() {
	for duck, names := range map[string][]string{
		"year": {"year"}, "quarter": {"quarter"}, "month": {"month"}, "weekofyear": {"week", "week_of_year"}, "day": {"day", "day_of_month"},
		"isodow": {"day_of_week", "dow"}, "dayofyear": {"day_of_year", "doy"}, "isoyear": {"year_of_week", "yow"},
	} {
		for _, n := range names {
			trino(tp(n, n+" of a date", calendarPart(duck)))
		}
	}
	trino(
		tp("hour", "hour, 0 to 23", clockPart(3600e6, 24)), tp("minute", "minute, 0 to 59", clockPart(60e6, 60)), tp("second", "second, 0 to 59", clockPart(1e6, 60)), tp("millisecond", "millisecond, 0 to 999", clockPart(1e3, 1000)),
		tp("timezone_hour", "hours of the zone's offset", zoneOffsetPart("// 3600000000")), tp("timezone_minute", "minutes of the zone's offset", zoneOffsetPart("// 60000000 % 60")),
		tp("timezone", "name of the time zone", func(c *expr.Call, a []string) string {
			if c.Args[0].Type().Kind == types.TimeTZ {
				return let(a[0], func(v string) string { return offsetText(offsetOf(v)) })
			}
			zone := zoneText(c.Args[0].Type().Zone)
			if c.Args[0].Type().Zone == mixedZones {
				zone = noWallClock()
			}
			return "CASE WHEN " + a[0] + " IS NOT NULL THEN " + zone + " END"
		}),
		tp("date_trunc", "cut to the unit", finely(1, false, byUnit(1, printTrinoTrunc))), tp("date_add", "some units later", finely(2, true, byUnit(2, printTrinoAdd))), tp("date_diff", "whole units from one to the other", byUnit(1, printTrinoDiff)),
		tp("date", "as a date", func(c *expr.Call, a []string) string {
			x := &expr.Cast{X: c.Args[0]}
			x.T = c.T
			return trinoCaster{c: x}.print(c.Args[0].Type(), c.T, a[0])
		}),
		tp("last_day_of_month", "last day of the month", func(c *expr.Call, a []string) string {
			return "last_day(CAST(" + local(c.Args[0].Type(), a[0]) + " AS DATE))"
		}),
		tp("date_format", "as text by MySQL's letters", func(c *expr.Call, a []string) string {
			return "trino_date_format(" + rounded(types.TemporalOf(types.TimestampNTZ, coarseType(c.Args[0].Type()).Digits()), 3, local(c.Args[0].Type(), a[0])) + ", " + a[1] + ")"
		}),
		tr("date_parse", "text read by MySQL's letters", "make_timestamp(trino_date_parse($1, $2))"),
		tp("format_datetime", "as text by Joda's letters", func(c *expr.Call, a []string) string {
			zone := "'UTC'"
			if t := c.Args[0].Type(); t.Kind == types.Timestamp {
				zone = zoneText(t.Zone)
			}
			return "trino_format_datetime(" + rounded(types.TemporalOf(types.TimestampNTZ, coarseType(c.Args[0].Type()).Digits()), 3, local(c.Args[0].Type(), a[0])) + ", " + a[1] + ", " + zone + ")"
		}),
		tp("from_unixtime", "seconds since 1970 as a timestamp", func(_ *expr.Call, a []string) string {
			return "make_timestamptz(CAST(round(" + a[0] + " * 1000) AS BIGINT) * 1000)"
		}),
		tp("to_unixtime", "seconds since 1970", func(c *expr.Call, a []string) string {
			return "(epoch_us(" + coarse(c.Args[0].Type(), a[0]) + ") / 1000000)"
		}),
		tr("to_milliseconds", "an interval in milliseconds", "($1 // 1000)"),
		tr("from_iso8601_date", "an ISO date", "trino_iso_date($1)"),
		tp("to_iso8601", "in ISO form", func(c *expr.Call, a []string) string {
			t := c.Args[0].Type()
			if t.Kind == types.Date {
				return "CAST(" + a[0] + " AS VARCHAR)"
			}
			wall := types.TemporalOf(types.TimestampNTZ, t.Digits())
			return let(a[0], func(v string) string {
				x := &expr.Cast{X: c.Args[0]}
				x.T = wall
				text := "replace(" + clockText(wall, trinoCaster{c: x}.print(t, wall, v)) + ", ' ', 'T')"
				if t.Kind == types.Timestamp {
					text += " || trino_offset(epoch_us(" + coarse(t, v) + "), " + zoneText(t.Zone) + ")"
				}
				return text
			})
		}),
		tr("parse_duration", "an interval of a text such as 1.5h", "trino_duration($1)"),
		tr("current_timezone", "the session's time zone", zoneText(sessionZone)),
		tp("now", "start of the query", printNow),
		tr("current_date", "date of the start of the query", today()),
		&expr.Func{Name: "current_timestamp", Signature: "current_timestamp[(p)]", Doc: "start of the query", Resolve: nowRule(types.Timestamp), Duck: printNow},
		&expr.Func{Name: "localtimestamp", Signature: "localtimestamp[(p)]", Doc: "start of the query as a wall clock", Resolve: nowRule(types.TimestampNTZ), Duck: printNow},
		&expr.Func{Name: "localtime", Signature: "localtime[(p)]", Doc: "time of day of the start of the query", Resolve: nowRule(types.Time), Duck: printNow},
		&expr.Func{Name: "current_time", Signature: "current_time[(p)]", Doc: "time of day of the start of the query, with the zone's offset", Resolve: nowRule(types.TimeTZ), Duck: printNow},
	)
	failing("trino_date_format", "ntz, string -> string", func(a []any) (any, error) { return mysqlFormat(a[0].(time.Time), a[1].(string)) })
	failing("trino_date_parse", "string, string -> long", func(a []any) (any, error) { return mysqlParse(a[0].(string), a[1].(string)) })
	failing("trino_iso_date", "string -> date", func(a []any) (any, error) { return isoDate(a[0].(string)) })
	define("trino_offset", "long, string -> string", func(a []any) any {
		s := time.UnixMicro(a[0].(int64)).In(types.Location(a[1].(string))).Format("-07:00")
		if s == "+00:00" {
			return "Z"
		}
		return s
	})
	failing("trino_duration", "string -> long", func(a []any) (any, error) {
		m := durationForm.FindStringSubmatch(a[0].(string))
		if m == nil {
			return nil, badArgument("duration is not a valid data duration string: " + a[0].(string))
		}
		n, _ := strconv.ParseFloat(m[1], 64)
		size, ok := map[string]float64{"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6, "m": 60e6, "h": 3600e6, "d": 86400e6}[m[2]]
		if !ok {
			return nil, badArgument("Unknown time unit: " + m[2])
		}
		return int64(n*size/1000) * 1000, nil
	})
}

var durationForm = regexp.MustCompile(`^\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*$`)

func nowRule(k types.Kind) func(*expr.Call) error {
	return func(c *expr.Call) error {
		digits := 3
		if len(c.Args) > 0 {
			if digits, _ = constantInt(c.Args[0]); digits > 12 {
				return errclass.TrinoPrecision(types.TemporalOf(k, 0), digits).Nowhere()
			}
		}
		c.T = types.TemporalOf(k, digits)
		if k == types.Timestamp {
			c.T.Zone = sessionZone
		}
		return nil
	}
}

func printNow(c *expr.Call, _ []string) string {
	now := types.TemporalOf(types.Timestamp, 6).InZone(sessionZone)
	if c.T.InPicos() {
		return trinoCaster{}.print(now, c.T, "current_timestamp")
	}
	s := rounded(now, c.T.Digits(), "current_timestamp")
	switch c.T.Kind {
	case types.TimestampNTZ:
		return local(now, s)
	case types.Time:
		return "CAST(" + local(now, s) + " AS TIME)"
	}
	return s
}

// zoneOffsetPart prints the offset of a timestamp's zone from UTC, in microseconds, cut by an expression.
func zoneOffsetPart(cut string) func(c *expr.Call, a []string) string {
	return func(c *expr.Call, a []string) string {
		t := c.Args[0].Type()
		return let(a[0], func(v string) string {
			if t.Kind == types.TimeTZ {
				return "CAST(" + offsetOf(v) + " * 60000000 " + cut + " AS BIGINT)"
			}
			return "CAST((epoch_us(" + local(t, v) + ") - epoch_us(" + coarse(t, v) + ")) " + cut + " AS BIGINT)"
		})
	}
}

// byUnit prints a call for the unit that its first argument names, or for each that it may name; at is the argument whose type has the
// unit.
func byUnit(at int, print func(c *expr.Call, a []string) string) func(c *expr.Call, a []string) string {
	return func(c *expr.Call, a []string) string {
		if _, ok := constantString(c.Args[0]); ok {
			return print(c, a)
		}
		t := c.Args[at].Type()
		return letAll(a, places(len(a)), func(a []string) string {
			s := "CASE lower(" + a[0] + ")"
			for _, unit := range slices.Sorted(maps.Keys(trinoUnits)) {
				k, lit := *c, &expr.Lit{Value: unit}
				lit.T = types.Of(types.String)
				k.Args = append([]expr.Expr{lit}, c.Args[1:]...)
				if _, bad := unitOf(&k, t); bad == "" {
					s += " WHEN '" + unit + "' THEN " + print(&k, a)
				}
			}
			bad := trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("'")+" || "+a[0]+" || "+quote("' is not a valid "+unitName(t)+" field"))
			return s + " ELSE CASE WHEN " + a[0] + " IS NOT NULL THEN " + typedAs(c.T, bad) + " END END"
		})
	}
}

// unitName is what messages call the units of a type.
func unitName(t types.Type) string {
	switch t.Kind {
	case types.Date:
		return "DATE"
	case types.Time, types.TimeTZ:
		return "TIME"
	}
	return "TIMESTAMP"
}

// unitOf is the unit of a call in lower case, or the error of one that the type does not have.
func unitOf(c *expr.Call, t types.Type) (string, string) {
	text, _ := constantString(c.Args[0])
	unit := strings.ToLower(text)
	size, ok := trinoUnits[unit]
	if !ok || t.Kind == types.Date && size > 0 && size < 86400e6 || (t.Kind == types.Time || t.Kind == types.TimeTZ) && (size < 0 || size >= 86400e6) {
		return "", trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("'"+text+"' is not a valid "+unitName(t)+" field"))
	}
	return unit, ""
}

func printTrinoTrunc(c *expr.Call, a []string) string {
	t := c.Args[1].Type()
	unit, bad := unitOf(c, t)
	switch {
	case bad != "":
		return typedAs(c.T, bad)
	case t.Kind == types.Time:
		size := strconv.FormatInt(trinoUnits[unit], 10)
		return "CAST(make_timestamp(epoch_us(" + a[1] + ") // " + size + " * " + size + ") AS TIME)"
	}
	return back(t, "date_trunc('"+unit+"', "+local(t, a[1])+")")
}

func printTrinoAdd(c *expr.Call, a []string) string {
	t := c.Args[2].Type()
	unit, bad := unitOf(c, t)
	if bad != "" {
		return typedAs(c.T, bad)
	}
	size := trinoUnits[unit]
	if size < 0 {
		step := "to_months(CAST(" + a[1] + " * " + strconv.FormatInt(-size, 10) + " AS INTEGER))"
		return back(t, "("+local(t, a[2])+" + "+step+")")
	}
	us := "to_microseconds(" + a[1] + " * " + strconv.FormatInt(size, 10) + ")"
	switch {
	case t.Kind == types.Time:
		return "(" + a[2] + " + " + us + ")"
	case size < 86400e6 && t.Kind == types.Timestamp:
		return "make_timestamptz(epoch_us(" + a[2] + ") + " + a[1] + " * " + strconv.FormatInt(size, 10) + ")"
	}
	return back(t, "("+local(t, a[2])+" + "+us+")")
}

// printTrinoDiff counts whole units. Timestamps are cut to milliseconds before, as Trino does.
func printTrinoDiff(c *expr.Call, a []string) string {
	t := c.Args[1].Type()
	unit, bad := unitOf(c, t)
	if bad != "" {
		return typedAs(c.T, bad)
	}
	size := trinoUnits[unit]
	if t.Kind == types.Time || t.Kind == types.TimeTZ {
		picos := func(s string) string {
			if t.Kind == types.TimeTZ {
				return InstantOf(t, s)
			}
			return picosOf(t, s)
		}
		return "CAST((" + picos(a[2]) + " - " + picos(a[1]) + ") // " + bigText(size*picosInMicro) + " AS BIGINT)"
	}
	wall := func(s string) string { return "date_trunc('millisecond', " + local(t, s) + ")" }
	if size < 0 {
		// A month is over when the day and the time of day are reached; the last day of a month is reached by any later one.
		return "CAST(datesub('month', " + wall(a[1]) + ", " + wall(a[2]) + ") // " + strconv.FormatInt(-size, 10) + " AS BIGINT)"
	}
	if size < 86400e6 && t.Kind == types.Timestamp {
		wall = func(s string) string {
			return "date_trunc('millisecond', " + local(coarseType(t).InZone("UTC"), coarse(t, s)) + ")"
		}
	}
	return "((epoch_us(" + wall(a[2]) + ") - epoch_us(" + wall(a[1]) + ")) // " + strconv.FormatInt(size, 10) + ")"
}

// mysqlLayout are MySQL's letters as Go's layouts; those that Go has none for are written by code.
var mysqlLayout = map[byte]string{
	'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'H': "15", 'i': "04", 's': "05", 'S': "05", 'h': "03", 'I': "03", 'p': "PM", 'M': "January", 'b': "Jan",
	'W': "Monday", 'a': "Mon", 'T': "15:04:05", 'r': "03:04:05 PM", 'c': "1", 'e': "2", 'l': "3", 'j': "002",
}

// mysqlFormat writes a time by MySQL's letters.
func mysqlFormat(t time.Time, format string) (any, error) {
	if format == "" || format == "%" {
		return nil, badArgument(noPattern)
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			if format[i] != '%' { // one at the end says nothing
				b.WriteByte(format[i])
			}
			continue
		}
		i++
		_, week := t.ISOWeek()
		switch c := format[i]; c {
		case 'f':
			b.WriteString((strconv.Itoa(t.Nanosecond()/1000 + 1000000))[1:])
		case 'k':
			b.WriteString(strconv.Itoa(t.Hour()))
		case 'v':
			b.WriteString(strconv.Itoa(week + 100)[1:])
		case 'x':
			text, _ := jodaField(t, "", 'x', 4)
			b.WriteString(text)
		case '%':
			b.WriteByte('%')
		case 'D', 'U', 'u', 'V', 'w', 'X':
			return nil, badArgument("%" + string(c) + " not supported in date format string")
		default:
			if layout, ok := mysqlLayout[c]; ok {
				b.WriteString(t.Format(layout))
			} else {
				b.WriteByte(c)
			}
		}
	}
	return b.String(), nil
}

var wholeDateForm = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)$`)

// mysqlParse reads a time by MySQL's letters: its microseconds.
func mysqlParse(text, format string) (any, error) {
	// A plain date has a way of its own in Trino, and errors.
	if m := wholeDateForm.FindStringSubmatch(text); m != nil && format == "%Y-%m-%d" {
		day, why := javaDate(m[1], m[2], m[3])
		if why != "" {
			return nil, badArgument(why)
		}
		return day.UnixMicro(), nil
	}
	parts, err := mysqlParts(format)
	if err != nil {
		return nil, err
	}
	t, _, err := jodaRead(text, parts, time.UTC)
	return t.UnixMicro(), err
}

// javaDate is a date of its parts, or what Java's LocalDate says is wrong with it.
func javaDate(y, m, d string) (day time.Time, why string) {
	year, _ := strconv.Atoi(y)
	month, _ := strconv.Atoi(m)
	n, _ := strconv.Atoi(d)
	day = time.Date(year, time.Month(month), n, 0, 0, 0, 0, time.UTC)
	switch {
	case month < 1 || month > 12:
		why = "Invalid value for MonthOfYear (valid values 1 - 12): " + itoa(month)
	case n < 1 || n > 31:
		why = "Invalid value for DayOfMonth (valid values 1 - 28/31): " + itoa(n)
	case day.Day() != n && month == 2 && n == 29:
		why = "Invalid date 'February 29' as '" + itoa(year) + "' is not a leap year"
	case day.Day() != n:
		why = "Invalid date '" + strings.ToUpper(time.Month(month).String()) + " " + itoa(n) + "'"
	}
	return day, why
}

var isoWeekForm = regexp.MustCompile(`^(\d{4})-W(\d{2})(?:-(\d))?$`)

func isoDate(text string) (any, error) {
	if m := isoWeekForm.FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[1])
		week, _ := strconv.Atoi(m[2])
		day := 1
		if m[3] != "" {
			day, _ = strconv.Atoi(m[3])
		}
		first := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
		monday := first.AddDate(0, 0, -(int(first.Weekday())+6)%7)
		return monday.AddDate(0, 0, (week-1)*7+day-1), nil
	}
	for _, layout := range []string{"2006-01-02", "2006-002", "2006-01", "2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return nil, badArgument(`Invalid format: "` + text + `"`)
}
