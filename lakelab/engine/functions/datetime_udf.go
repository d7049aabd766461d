package functions

import (
	"math"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

func datetimeUDFs() {
	failing("spark_format_time", "ntz, string, string -> string", func(a []any) (any, error) {
		parts, err := formatPattern(a[1].(string))
		if err != nil {
			return nil, err
		}
		return formatTime(inZone(a[0].(time.Time), a[2].(string)), parts), nil
	})
	// A zone in the text counts; else the text is a clock of the zone given. The result is in UTC for a zoned target, and the
	// caller passes UTC where it wants the clock itself.
	failing("spark_parse_time", "string, string, string -> ntz", func(a []any) (any, error) {
		if class, params := patternProblem(a[1].(string), true); class != "" {
			return nil, raise(class, params...)
		}
		parts, why := parsePattern(a[1].(string))
		if why != "" {
			return nil, nil
		}
		t, zoned, problem := readTime(a[0].(string), parts)
		if problem != "" {
			return nil, nil
		}
		if !zoned {
			t = inZone(t, a[2].(string))
		}
		return t.UTC(), nil
	})
	define("spark_parse_message", "string, string -> string", func(a []any) any {
		parts, _ := parsePattern(a[1].(string))
		_, _, problem := readTime(a[0].(string), parts)
		return "Text '" + a[0].(string) + "'" + problem
	})
	define("spark_date_problem", "int, int, int -> string", func(a []any) any {
		return outOfBounds(int(a[0].(int32)), int(a[1].(int32)), int(a[2].(int32)), 0, 0, 0)
	})
	define("spark_months_between", "ntz, ntz, boolean -> double", func(a []any) any {
		return monthsBetween(a[0].(time.Time), a[1].(time.Time), a[2].(bool))
	})
	failing("spark_next_day", "date, string -> date", func(a []any) (any, error) {
		want, ok := weekdays[strings.ToUpper(a[1].(string))]
		if !ok {
			return nil, raise("ILLEGAL_DAY_OF_WEEK", a[1].(string))
		}
		d := a[0].(time.Time)
		n := (int(want)-int(d.Weekday())+6)%7 + 1
		return d.AddDate(0, 0, n), nil
	})
	define("spark_wrapped_int", "long -> int", func(a []any) any { return int32(a[0].(int64)) })
	define("spark_wrapped", "long, long -> long", func(a []any) any { return a[0].(int64) * a[1].(int64) })
	define("spark_trunc", "date, string -> date", func(a []any) any {
		d := a[0].(time.Time)
		switch truncUnit(a[1].(string)) {
		case "'year'":
			return time.Date(d.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
		case "'quarter'":
			return time.Date(d.Year(), (d.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
		case "'month'":
			return time.Date(d.Year(), d.Month(), 1, 0, 0, 0, 0, time.UTC)
		case "'week'":
			return d.AddDate(0, 0, -(int(d.Weekday())+6)%7)
		}
		return nil
	})
	failing("spark_convert_zone", "string, string, ntz -> ntz", func(a []any) (any, error) {
		from, ok1 := types.Zone(a[0].(string))
		to, ok2 := types.Zone(a[1].(string))
		if !ok1 {
			return nil, raise("INVALID_TIMEZONE", a[0].(string))
		}
		if !ok2 {
			return nil, raise("INVALID_TIMEZONE", a[1].(string))
		}
		t := a[2].(time.Time)
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), from).In(to)
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC), nil
	})
	define("spark_to_calendar", "string -> interval", func(a []any) any {
		v, ok := calendarInterval(a[0].(string))
		if !ok {
			return nil
		}
		return v
	})
	define("spark_to_interval", "string, int, int, int -> long", func(a []any) any {
		t := types.Type{Kind: types.Kind(a[1].(int32)), From: int(a[2].(int32)), To: int(a[3].(int32))}
		v, ok := intervalText(a[0].(string), t)
		if !ok {
			return nil
		}
		return v
	})
}

// writtenPatterns are patterns for writing that are all right.
var writtenPatterns memo[[]patternPart]

// formatPattern reads a pattern for writing, and refuses what Spark refuses.
func formatPattern(p string) ([]patternPart, error) {
	if parts, ok := writtenPatterns.load(p); ok {
		return parts, nil
	}
	parts, why := parsePattern(p)
	unknown := func() error {
		return raise("INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION", "'"+p+"'")
	}
	if strings.Contains(why, "incomplete") {
		return nil, raise("JAVA.IllegalArgumentException", strings.ReplaceAll(why, "y", "u"))
	}
	if class, params := patternProblem(p, false); class != "" {
		return nil, raise(class, params...)
	}
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\'':
			end := strings.IndexByte(p[i+1:], '\'')
			i += end + 1
		case isLetter(c) && strings.IndexByte("GyMLdDQqEFahKkHmsSVzOXxZ", c) < 0:
			return nil, raise("JAVA.IllegalArgumentException", "Unknown pattern letter: "+string(c))
		}
	}
	parts = flat(parts)
	for _, part := range parts {
		if part.letter == 'y' && part.n > 6 || strings.IndexByte("MLEQqzG", part.letter) >= 0 && part.letter != 0 && part.n > 4 || strings.IndexByte("dhHkKms", part.letter) >= 0 && part.letter != 0 && part.n > 2 {
			return nil, unknown()
		}
	}
	writtenPatterns.store(p, parts)
	return parts, nil
}

var weekdays = map[string]time.Weekday{
	"SU": 0, "SUN": 0, "SUNDAY": 0, "MO": 1, "MON": 1, "MONDAY": 1, "TU": 2, "TUE": 2, "TUESDAY": 2, "WE": 3, "WED": 3, "WEDNESDAY": 3,
	"TH": 4, "THU": 4, "THURSDAY": 4, "FR": 5, "FRI": 5, "FRIDAY": 5, "SA": 6, "SAT": 6, "SATURDAY": 6,
}

// monthsBetween counts whole months where both are the same day of the month, or both its last; else by months of 31 days.
func monthsBetween(a, b time.Time, round bool) float64 {
	months := float64((a.Year()-b.Year())*12 + int(a.Month()) - int(b.Month()))
	last := func(t time.Time) bool { return t.AddDate(0, 0, 1).Day() == 1 }
	if a.Day() == b.Day() || last(a) && last(b) {
		return months
	}
	clock := func(t time.Time) float64 { return float64(t.Hour()*3600 + t.Minute()*60 + t.Second()) }
	v := months + (float64(a.Day()-b.Day())*86400+clock(a)-clock(b))/(31*86400)
	if round {
		v = math.Round(v*1e8) / 1e8
	}
	return v
}

// outOfBounds names the first part of a date and a clock that does not exist, in Java's words.
func outOfBounds(year, month, day, hour, minute, second int) string {
	for _, f := range []struct {
		field chronoField
		v     int
	}{{monthOfYear, month}, {dayOfMonth, day}, {hourOfDay, hour}, {minuteOfHour, minute}, {secondOfMinute, second}} {
		if why := f.field.check(f.v); why != "" {
			return why
		}
	}
	if month == 2 && day == 29 {
		return "Invalid date 'February 29' as '" + strconv.Itoa(year) + "' is not a leap year"
	}
	return "Invalid date '" + strings.ToUpper(time.Month(month).String()) + " " + strconv.Itoa(day) + "'"
}
