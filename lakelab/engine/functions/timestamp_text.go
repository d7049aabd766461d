package functions

import (
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// parseTimestamp reads a date or timestamp as Spark's casts do: [+-]yyyy[-[m]m[-[d]d[[T ][h]h:[m]m[:[s]s[.fraction]][zone]]]]. The wall
// clock comes back in UTC, unless the text names a zone.
func parseTimestamp(s string) (t time.Time, zoned, ok bool) {
	t, loc, ok := clockAndZone(s)
	if loc != nil {
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), loc).UTC(), true, ok
	}
	return t, false, ok
}

// parseDate reads a date as Spark's casts do: behind a whole date, a space or a T, anything may stand.
func parseDate(s string) (time.Time, bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if i := strings.IndexAny(s, " T"); i > 0 && strings.Count(strings.TrimLeft(s[:i], "+-"), "-") == 2 {
		s = s[:i]
	}
	if strings.ContainsAny(s, ":") {
		return time.Time{}, false
	}
	t, zone, ok := clockAndZone(s)
	return t, ok && zone == nil
}

// wallClock is parseTimestamp with the zone left out.
func wallClock(s string) (t time.Time, zoned, ok bool) {
	t, loc, ok := clockAndZone(s)
	return t, loc != nil, ok
}

func clockAndZone(s string) (time.Time, *time.Location, bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	none := func() (time.Time, *time.Location, bool) { return time.Time{}, nil, false }
	sign := 1
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	// number takes digits, between least and most of them.
	number := func(least, most int) (int, bool) {
		n := 0
		for n < len(s) && n < most && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n < least {
			return 0, false
		}
		v, _ := strconv.Atoi(s[:n])
		s = s[n:]
		return v, true
	}
	year, ok := number(4, 7)
	if !ok {
		return none()
	}
	month, day := 1, 1
	for _, p := range []*int{&month, &day} {
		if !strings.HasPrefix(s, "-") {
			break
		}
		s = s[1:]
		if *p, ok = number(1, 2); !ok {
			return none()
		}
	}
	hour, minute, second, nano := 0, 0, 0, 0
	var loc *time.Location
	if strings.HasPrefix(s, "T") || strings.HasPrefix(s, " ") {
		if s = s[1:]; s != "" {
			if hour, ok = number(1, 2); !ok {
				return none()
			}
			if !strings.HasPrefix(s, ":") {
				if s != "" {
					return none()
				}
			} else {
				s = s[1:]
				if minute, ok = number(1, 2); !ok {
					return none()
				}
				if strings.HasPrefix(s, ":") {
					s = s[1:]
					if second, ok = number(1, 2); !ok {
						return none()
					}
					if strings.HasPrefix(s, ".") {
						s = s[1:]
						n := 0
						for n < len(s) && s[n] >= '0' && s[n] <= '9' {
							n++
						}
						nano, _ = strconv.Atoi((s[:n] + "000000")[:6])
						nano *= 1000
						s = s[n:]
					}
				}
			}
		}
		if s = strings.TrimSpace(s); s != "" {
			if loc, ok = types.Zone(s); !ok {
				return none()
			}
		}
	}
	t := time.Date(sign*year, time.Month(month), day, hour, minute, second, nano, time.UTC)
	if loc == nil && s != "" || t.Day() != day || int(t.Month()) != month || hour > 23 || minute > 59 || second > 59 {
		return none()
	}
	return t, loc, true
}

func floorDays(t time.Time) int64 {
	n := t.Unix()
	if n < 0 {
		n -= 86399
	}
	return n / 86400
}
