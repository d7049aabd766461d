package functions

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// format_datetime writes by the letters of Joda-Time's DateTimeFormat ("Date and time functions and operators", "Java date functions").

func init() {
	failing("trino_format_datetime", "ntz, string, string -> string", func(a []any) (any, error) {
		wall, zone := a[0].(time.Time), a[2].(string)
		at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), types.Location(zone))
		return jodaFormat(at, zone, a[1].(string))
	})
}

// jodaFormat writes a time by a pattern; zone is the name of its time zone.
func jodaFormat(t time.Time, zone, pattern string) (any, error) {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch {
		case c == '\'':
			end := strings.IndexByte(pattern[i+1:], '\'')
			switch {
			case end < 0: // an open quote holds the rest
				b.WriteString(pattern[i+1:])
				return b.String(), nil
			case end == 0:
				b.WriteByte('\'')
			default:
				b.WriteString(pattern[i+1 : i+1+end])
			}
			i += end + 2
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			n := 1
			for i+n < len(pattern) && pattern[i+n] == c {
				n++
			}
			text, ok := jodaField(t, zone, c, n)
			if !ok {
				return nil, badArgument("Illegal pattern component: " + string(c))
			}
			b.WriteString(text)
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), nil
}

// jodaField is what a letter that stands n times says.
func jodaField(t time.Time, zone string, c byte, n int) (string, bool) {
	number := func(v int) string {
		if v < 0 {
			return fmt.Sprintf("-%0*d", n, -v)
		}
		return fmt.Sprintf("%0*d", n, v)
	}
	year := func(v int) string {
		if n == 2 {
			return fmt.Sprintf("%02d", max(v, -v)%100)
		}
		return number(v)
	}
	ofEra := t.Year()
	if ofEra <= 0 {
		ofEra = 1 - ofEra
	}
	isoYear, week := t.ISOWeek()
	half := t.Hour() % 12
	switch c {
	case 'G':
		if t.Year() <= 0 {
			return "BC", true
		}
		return "AD", true
	case 'C':
		return number(ofEra / 100), true
	case 'Y':
		if n != 2 {
			return number(ofEra), true
		}
		return year(t.Year()), true
	case 'y':
		return year(t.Year()), true
	case 'x':
		return year(isoYear), true
	case 'w':
		return number(week), true
	case 'e':
		return number((int(t.Weekday())+6)%7 + 1), true
	case 'E':
		if n > 3 {
			return t.Format("Monday"), true
		}
		return t.Format("Mon"), true
	case 'D':
		return number(t.YearDay()), true
	case 'M':
		switch {
		case n > 3:
			return t.Format("January"), true
		case n == 3:
			return t.Format("Jan"), true
		}
		return number(int(t.Month())), true
	case 'd':
		return number(t.Day()), true
	case 'a':
		return t.Format("PM"), true
	case 'K':
		return number(half), true
	case 'h':
		return number((half+11)%12 + 1), true
	case 'H':
		return number(t.Hour()), true
	case 'k':
		return number((t.Hour()+23)%24 + 1), true
	case 'm':
		return number(t.Minute()), true
	case 's':
		return number(t.Second()), true
	case 'S': // cut to milliseconds, as Trino hands them over
		digits := strconv.Itoa(1000 + t.Nanosecond()/1e6)[1:]
		return (digits + strings.Repeat("0", n))[:n], true
	case 'z':
		return nameOfZone(t, zone, n > 3), true
	case 'Z':
		switch n {
		case 1:
			return t.Format("-0700"), true
		case 2:
			return t.Format("-07:00"), true
		}
		return zone, true
	}
	return "", false
}
