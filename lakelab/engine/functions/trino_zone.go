package functions

import (
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
		tp("with_timezone", "a wall clock in a zone", func(c *expr.Call, a []string) string { return zoned(c.T.Zone, a[0]) }),
		tp("parse_datetime", "text read by Joda's letters", func(c *expr.Call, a []string) string {
			return "make_timestamptz(trino_parse_datetime(" + a[0] + ", " + a[1] + "))"
		}),
		tp("from_iso8601_timestamp", "an ISO timestamp", func(_ *expr.Call, a []string) string {
			return "make_timestamptz(trino_iso_timestamp(" + a[0] + "))"
		}),
	)
	failing("trino_parse_datetime", "string, string -> long", func(a []any) (any, error) {
		t, err := jodaParse(a[0].(string), a[1].(string))
		return t.UnixMicro(), err
	})
	failing("trino_iso_timestamp", "string -> long", func(a []any) (any, error) {
		t, err := isoTimestamp(a[0].(string))
		return t.UnixMicro(), err
	})
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
	case "parse_datetime", "from_iso8601_timestamp":
		// The zone that a constant text names; texts of a column are shown in UTC.
		text, ok := constantString(c.Args[0])
		if !ok {
			return "", nil
		}
		t, err := time.Time{}, error(nil)
		if c.Func.Name == "parse_datetime" {
			format, _ := constantString(c.Args[1])
			t, err = jodaParse(text, format)
		} else {
			t, err = isoTimestamp(text)
		}
		if _, seconds := t.Zone(); err == nil && seconds != 0 {
			return OffsetName(seconds / 60), nil
		}
		return "UTC", nil
	}
	for _, a := range c.Args {
		if a.Type().Kind == types.Timestamp {
			return a.Type().Zone, nil
		}
	}
	return sessionZone, nil
}

// OffsetName spells a zone that is an offset: +03:00.
func OffsetName(minutes int) string {
	sign := "+"
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	return sign + itoa(minutes/60 + 100)[1:] + ":" + itoa(minutes%60 + 100)[1:]
}

// jodaLayouts are Joda's letters as Go's layouts, the longer ones first.
var jodaLayouts = strings.NewReplacer("yyyy", "2006", "YYYY", "2006", "yy", "06", "MMMM", "January", "MMM", "Jan", "MM", "01", "M", "1", "dd", "02", "d", "2",
	"HH", "15", "H", "15", "hh", "03", "h", "3", "mm", "04", "m", "4", "ss", "05", "s", "5", "SSSSSS", "000000", "SSS", "000", "EEEE", "Monday", "EEE", "Mon", "E", "Mon", "a", "PM",
	"ZZ", "-07:00", "Z", "-0700", "''", "'", "'", "")

func jodaParse(text, format string) (time.Time, error) {
	t, err := time.Parse(jodaLayouts.Replace(format), text)
	if err != nil {
		return t, badArgument(`Invalid format: "` + text + `"`)
	}
	return t, nil
}

func isoTimestamp(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02T15", "2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, badArgument(`Invalid format: "` + text + `"`)
}
