package types

import (
	"strconv"
	"strings"
	"sync"
	"time"
)

// regions keeps the time zones that were read: time.LoadLocation opens a file, and zones are asked for by every query and row.
var regions sync.Map

// Region is the time zone that the time zone database has under a name.
func Region(name string) (*time.Location, bool) {
	if loc, ok := regions.Load(name); ok {
		return loc.(*time.Location), true
	}
	loc, err := time.LoadLocation(name)
	if err == nil {
		regions.Store(name, loc)
	}
	return loc, err == nil
}

// Location is the time zone of a name such as Europe/Moscow, UTC or +03:00; UTC for what is none.
func Location(zone string) *time.Location {
	if loc, ok := Zone(zone); ok {
		return loc
	}
	return time.UTC
}

// shortZones are the names of three letters that Java still reads.
var shortZones = map[string]string{"EST": "-05:00", "HST": "-10:00", "MST": "-07:00", "ACT": "Australia/Darwin", "AET": "Australia/Sydney", "AGT": "America/Argentina/Buenos_Aires",
	"ART": "Africa/Cairo", "AST": "America/Anchorage", "BET": "America/Sao_Paulo", "BST": "Asia/Dhaka", "CAT": "Africa/Harare", "CNT": "America/St_Johns", "CST": "America/Chicago",
	"CTT": "Asia/Shanghai", "EAT": "Africa/Addis_Ababa", "ECT": "Europe/Paris", "IET": "America/Indiana/Indianapolis", "IST": "Asia/Kolkata", "JST": "Asia/Tokyo", "MIT": "Pacific/Apia",
	"NET": "Asia/Yerevan", "NST": "Pacific/Auckland", "PLT": "Asia/Karachi", "PNT": "America/Phoenix", "PRT": "America/Puerto_Rico", "PST": "America/Los_Angeles", "SST": "Pacific/Guadalcanal",
	"VST": "Asia/Ho_Chi_Minh"}

// Zone reads a time zone as Spark takes it: a region such as Europe/Moscow, Z, or an offset such as +02:00, +0200, +2, UTC+3.
func Zone(s string) (*time.Location, bool) {
	if s == "Z" || s == "" {
		return time.UTC, s != ""
	}
	rest := s
	for _, p := range []string{"UTC", "GMT", "UT"} {
		if r, ok := strings.CutPrefix(s, p); ok && (r == "" || r[0] == '+' || r[0] == '-') {
			rest = r
			break
		}
	}
	if rest == "" {
		return time.UTC, true
	}
	if rest[0] != '+' && rest[0] != '-' {
		if long, ok := shortZones[s]; ok {
			if s = long; s[0] == '-' {
				return Zone(s)
			}
		}
		return Region(s)
	}
	digits := strings.ReplaceAll(rest[1:], ":", "")
	if len(digits) == 1 {
		digits = "0" + digits
	}
	if len(digits) == 3 {
		digits = "0" + digits
	}
	for len(digits) < 6 {
		digits += "00"
	}
	h, err1 := strconv.Atoi(digits[:2])
	m, err2 := strconv.Atoi(digits[2:4])
	if len(digits) != 6 || err1 != nil || err2 != nil || h > 18 || m > 59 {
		return nil, false
	}
	sec, err := strconv.Atoi(digits[4:])
	if err != nil || sec > 59 {
		return nil, false
	}
	off := h*3600 + m*60 + sec
	name := rest
	if rest[0] == '-' {
		off = -off
	}
	return time.FixedZone(name, off), true
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
