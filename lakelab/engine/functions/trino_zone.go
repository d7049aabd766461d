package functions

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Functions that put a timestamp into another time zone. The zone has to be a constant, since it becomes part of the type.

func init() {
	trino(
		tp("at_timezone", "the same instant in another zone", func(_ *expr.Call, a []string) string { return a[0] }),
		&expr.Func{Name: "$at_timezone", Signature: "x AT TIME ZONE zone", Doc: "the same instant in another zone", Resolve: atTimeZone, Duck: func(c *expr.Call, a []string) string {
			zone, _ := constantString(c.Args[1])
			zone, _ = TrinoZone(zone)
			offset := zoneOffset(zoneText(zone))
			if m, ok := types.ZoneOffset(zone); ok {
				offset = itoa(m)
			}
			return "(" + InstantOf(c.T, a[0]) + " * " + itoa(offsetSpan) + " + " + offset + " - " + itoa(offsetLeast) + ")"
		}},
		tp("with_timezone", "a wall clock in a zone", finely(0, true, func(c *expr.Call, a []string) string { return zoned(c.T.Zone, a[0]) })),
		tp("parse_datetime", "text read by Joda's letters", func(c *expr.Call, a []string) string {
			return "make_timestamptz(trino_parse_datetime(" + a[0] + ", " + a[1] + ", " + zoneText(sessionZone) + "))"
		}),
		tp("from_iso8601_timestamp", "an ISO timestamp", func(_ *expr.Call, a []string) string {
			return "make_timestamptz(trino_iso_timestamp(" + a[0] + ", " + zoneText(sessionZone) + "))"
		}),
	)
	trino(
		tp("from_iso8601_timestamp_nanos", "an ISO timestamp with nanoseconds", func(c *expr.Call, a []string) string {
			return typedAs(c.T, "trino_iso_picos("+a[0]+", "+zoneText(sessionZone)+")")
		}),
		tp("from_unixtime_nanos", "nanoseconds since 1970 as a timestamp", func(c *expr.Call, a []string) string {
			return "(CAST(" + a[0] + " AS HUGEINT) * 1000)"
		}),
	)
	failing("trino_iso_picos", "string, string -> string", func(a []any) (any, error) {
		t, _, err := isoNanos(a[0].(string), types.Location(a[1].(string)))
		if err != nil {
			return nil, err
		}
		return PicosOf(types.Picos{Micros: types.Micros(t.UnixMicro()), Rest: int32(t.Nanosecond() % 1000 * 1000)}).String(), nil
	})
	failing("trino_parse_datetime", "string, string, string -> long", func(a []any) (any, error) {
		t, _, err := jodaParse(a[0].(string), a[1].(string), types.Location(a[2].(string)))
		return packable(t, err)
	})
	failing("trino_iso_timestamp", "string, string -> long", func(a []any) (any, error) {
		t, _, err := isoTimestamp(a[0].(string), types.Location(a[1].(string)))
		return packable(t, err)
	})
}

// packable are a time's microseconds, if Trino has room for its milliseconds beside a zone.
func packable(t time.Time, err error) (any, error) {
	if ms := t.UnixMilli(); err == nil && ms != ms<<12>>12 {
		err = badArgument("Millis overflow: " + strconv.FormatInt(ms, 10))
	}
	return t.UnixMicro(), err
}

// atTimeZone types x AT TIME ZONE zone: at_timezone, or a time of day with the offset that the zone has now.
func atTimeZone(c *expr.Call) error {
	k := c.Args[0].Type()
	if k.Kind != types.Time && k.Kind != types.TimeTZ {
		c.Func = Lookup(sql.Trino, "at_timezone")
		return bindTrino(c)
	}
	text, ok := constantString(c.Args[1])
	if !ok {
		return errclass.UnsupportedStatement(sql.Trino, "AT TIME ZONE with a zone that is no constant")
	}
	if _, ok := TrinoZone(text); !ok {
		return errclass.TrinoNoZone(text)
	}
	c.T, c.Null = types.TemporalOf(types.TimeTZ, k.Digits()), true
	if k.Kind == types.Time {
		c.Args[0] = trinoImplicit(c.Args[0], c.T)
	}
	return nil
}

// zoneOfResult is the zone of a function's timestamp: an argument's, one named by a constant, or the session's.
func zoneOfResult(c *expr.Call) (string, error) {
	constantZone := func(i int) (string, error) {
		text, ok := constantString(c.Args[i])
		if !ok {
			return "", errclass.UnsupportedStatement(sql.Trino, c.Func.Name+" with a time zone that is no constant")
		}
		zone := ""
		if text != "" {
			zone, ok = TrinoZone(text)
		}
		if !ok || text == "" {
			return "", errclass.TrinoNoZone(text)
		}
		return zone, nil
	}
	switch c.Func.Name {
	case "at_timezone", "with_timezone":
		return constantZone(1)
	case "from_unixtime":
		switch len(c.Args) {
		case 2:
			return constantZone(1)
		case 3:
			h, ok1 := constantInt(c.Args[1])
			m, ok2 := constantInt(c.Args[2])
			if !ok1 || !ok2 {
				return "", errclass.UnsupportedStatement(sql.Trino, "from_unixtime with an offset that is no constant")
			}
			return OffsetName(h*60 + m), nil
		}
		return sessionZone, nil
	case "parse_datetime", "from_iso8601_timestamp", "from_iso8601_timestamp_nanos":
		// The zone that a constant text names. A type has one zone, so texts of a column are shown in that of the session.
		zone := ""
		if text, ok := constantString(c.Args[0]); ok {
			switch c.Func.Name {
			case "parse_datetime":
				format, _ := constantString(c.Args[1])
				_, zone, _ = jodaParse(text, format, time.UTC)
			case "from_iso8601_timestamp_nanos":
				_, zone, _ = isoNanos(text, time.UTC)
			default:
				_, zone, _ = isoTimestamp(text, time.UTC)
			}
		}
		if zone == "" {
			zone = sessionZone
		}
		return zone, nil
	}
	for _, a := range c.Args {
		if a.Type().Kind == types.Timestamp {
			return a.Type().Zone, nil
		}
	}
	return sessionZone, nil
}

// offsetAt is the offset in minutes that a timestamp with time zone has in its zone.
func offsetAt(t types.Type, s string) string {
	return let(s, func(v string) string {
		return "CAST((epoch_us(" + local(t, v) + ") - epoch_us(" + coarse(t, v) + ")) // 60000000 AS INTEGER)"
	})
}

// sessionOffset is the offset in minutes of the session's zone at the start of the query.
var sessionOffset = "(" + zoneOffset("current_setting('TimeZone')") + " + getvariable('" + MinutesVariable + "'))"

// zoneOffset is a zone's offset in minutes at the start of the query.
func zoneOffset(zone string) string {
	return "CAST((epoch_us(timezone(" + zone + ", current_timestamp)) - epoch_us(current_timestamp)) // 60000000 AS INTEGER)"
}

// offsetZone is the zone of an offset in minutes.
func offsetZone(minutes int) string {
	if minutes == 0 {
		return "UTC"
	}
	return OffsetName(minutes)
}

// OffsetName spells a zone that is an offset: +03:00.
func OffsetName(minutes int) string {
	sign := "+"
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	return sign + itoa(minutes/60 + 100)[1:] + ":" + itoa(minutes%60 + 100)[1:]
}

// jodaParse reads a text by a pattern of Joda-Time's. zone is where a text without one is; the name is that of the zone in the text.
func jodaParse(text, pattern string, zone *time.Location) (time.Time, string, error) {
	parts, err := jodaParts(pattern)
	if err != nil {
		return time.Time{}, "", err
	}
	return jodaRead(text, parts, zone)
}

// isoNanosParts are the parts of an ISO timestamp, each of which follows those before it; numbers have their bounds.
var isoNanosParts = []struct {
	form        *regexp.Regexp
	field       string
	least, most int
}{
	{form: regexp.MustCompile(`^\d{4}`)}, {form: regexp.MustCompile(`^-`)}, {regexp.MustCompile(`^\d\d`), "MonthOfYear", 1, 12}, {form: regexp.MustCompile(`^-`)},
	{regexp.MustCompile(`^\d\d`), "DayOfMonth", 1, 31}, {form: regexp.MustCompile(`^T`)}, {regexp.MustCompile(`^\d\d`), "HourOfDay", 0, 23},
	{form: regexp.MustCompile(`^:`)}, {regexp.MustCompile(`^\d\d`), "MinuteOfHour", 0, 59},
}

var isoNanosTail = regexp.MustCompile(`^(:(\d\d)(\.\d{0,9})?)?([+-]\d\d:\d\d|Z)?`)

// isoNanos reads an ISO timestamp with up to nine digits, and says what is wrong with it as Java does; zone and name are as in jodaParse.
func isoNanos(text string, zone *time.Location) (time.Time, string, error) {
	bad := func(why string) (time.Time, string, error) {
		return time.Time{}, "", badArgument("Text '" + text + "' could not be parsed" + why)
	}
	at, wrong := 0, ""
	check := func(n, field string, least, most int) {
		if v, _ := strconv.Atoi(n); wrong == "" && (v < least || v > most) {
			wrong = ": Invalid value for " + field + " (valid values " + itoa(least) + " - " + itoa(most) + "): " + itoa(v)
		}
	}
	for _, p := range isoNanosParts {
		m := p.form.FindString(text[at:])
		if m == "" {
			return bad(" at index " + itoa(at))
		}
		if at += len(m); p.field != "" {
			check(m, p.field, p.least, p.most)
		}
	}
	tail := isoNanosTail.FindStringSubmatch(text[at:])
	check(tail[2], "SecondOfMinute", 0, 59)
	switch at += len(tail[0]); {
	case wrong != "":
		return bad(wrong)
	case at < len(text):
		return bad(", unparsed text found at index " + itoa(at))
	}
	clean := strings.Replace(text+"Z", ".Z", "Z", 1)
	for _, layout := range []string{"2006-01-02T15:04:05.999999999Z07:00Z", "2006-01-02T15:04:05.999999999Z", "2006-01-02T15:04Z07:00Z", "2006-01-02T15:04Z"} {
		t, err := time.ParseInLocation(layout, clean, zone)
		if err != nil {
			continue
		}
		name := ""
		if tail[4] != "" {
			_, seconds := t.Zone()
			name = offsetZone(seconds / 60)
		}
		return t, name, nil
	}
	month, _ := strconv.Atoi(text[5:7])
	return bad(": Invalid date '" + strings.ToUpper(time.Month(month).String()) + " " + strings.TrimLeft(text[8:10], "0") + "'")
}
