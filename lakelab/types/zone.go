package types

import (
	"strconv"
	"time"
)

// Location is the time zone of a name such as Europe/Moscow, UTC or +03:00; UTC for what is none.
func Location(zone string) *time.Location {
	if m, ok := ZoneOffset(zone); ok {
		return time.FixedZone(zone, m*60)
	}
	if loc, err := time.LoadLocation(zone); err == nil {
		return loc
	}
	return time.UTC
}

// ZoneOffset is the minutes of a zone that is an offset, +05:30; false for any other.
func ZoneOffset(zone string) (minutes int, ok bool) {
	if len(zone) != 6 || zone[3] != ':' || zone[0] != '+' && zone[0] != '-' {
		return 0, false
	}
	h, err1 := strconv.Atoi(zone[1:3])
	m, err2 := strconv.Atoi(zone[4:])
	if err1 != nil || err2 != nil || h > 14 || m > 59 {
		return 0, false
	}
	if minutes = h*60 + m; zone[0] == '-' {
		minutes = -minutes
	}
	return minutes, true
}
