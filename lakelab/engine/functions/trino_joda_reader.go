package functions

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/types"
)

// date_parse and parse_datetime read texts as Joda-Time's DateTimeFormatter does: by parts that take as much of the text as they can,
// one behind the other. What they read is set into 1970-01-01 then, the largest unit first ("Date and time functions and operators").

// jodaUnit is what a part reads; the order is the one in which units are set.
type jodaUnit int

const (
	jodaEra jodaUnit = iota
	jodaCentury
	jodaWeekyear
	jodaYear
	jodaYearOfEra
	jodaMonth
	jodaWeek
	jodaDayOfYear
	jodaDay
	jodaWeekday
	jodaHalfday
	jodaHour
	jodaClockhour
	jodaHalfHour
	jodaHalfClockhour
	jodaMinute
	jodaSecond
	jodaMillis
)

// jodaUnits are the units' names and bounds in messages; a bound of 0 to 0 is none.
var jodaUnits = map[jodaUnit]struct {
	name        string
	least, most int
}{
	jodaEra: {"era", 0, 1}, jodaCentury: {"centuryOfEra", 0, 0}, jodaWeekyear: {"weekyear", 0, 0}, jodaYear: {"year", 0, 0}, jodaYearOfEra: {"yearOfEra", 0, 0},
	jodaMonth: {"monthOfYear", 1, 12}, jodaWeek: {"weekOfWeekyear", 1, 53}, jodaDayOfYear: {"dayOfYear", 1, 366}, jodaDay: {"dayOfMonth", 1, 31},
	jodaWeekday: {"dayOfWeek", 1, 7}, jodaHalfday: {"halfdayOfDay", 0, 1}, jodaHour: {"hourOfDay", 0, 23}, jodaClockhour: {"clockhourOfDay", 1, 24},
	jodaHalfHour: {"hourOfHalfday", 0, 11}, jodaHalfClockhour: {"clockhourOfHalfday", 1, 12}, jodaMinute: {"minuteOfHour", 0, 59},
	jodaSecond: {"secondOfMinute", 0, 59}, jodaMillis: {"millisOfSecond", 0, 999},
}

// jodaText is a text that is being read.
type jodaText struct {
	text string
	at   int
	set  []jodaValue
	more time.Duration  // the fraction of an hour or a minute
	zone *time.Location // nil until one is read
	name string         // of the zone, as a type has it
}

type jodaValue struct {
	unit  jodaUnit
	value int
}

func (t *jodaText) put(u jodaUnit, v int) { t.set = append(t.set, jodaValue{u, v}) }

// jodaPart reads a part of a text from where it stands; false where it is not there.
type jodaPart func(t *jodaText) bool

// jodaLiteral is a text that stands there, in whatever case.
func jodaLiteral(s string) jodaPart {
	return func(t *jodaText) bool {
		if len(t.text)-t.at < len(s) || !strings.EqualFold(t.text[t.at:t.at+len(s)], s) {
			return false
		}
		t.at += len(s)
		return true
	}
}

// jodaNumber is a number of at most so many digits.
func jodaNumber(u jodaUnit, most int, signed bool) jodaPart {
	return func(t *jodaText) bool {
		i, limit := t.at, min(len(t.text), t.at+most)
		if signed && i+1 < limit && (t.text[i] == '-' || t.text[i] == '+') && digit(t.text[i+1]) {
			i, limit = i+1, min(len(t.text), limit+1)
		}
		from := i
		for i < limit && digit(t.text[i]) {
			i++
		}
		if i == from {
			return false
		}
		n, err := strconv.Atoi(t.text[t.at:i])
		t.at = i
		t.put(u, n)
		return err == nil
	}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// jodaShortYear is a year of two digits within a hundred years around a pivot; a lenient one takes any other number as it is.
func jodaShortYear(u jodaUnit, pivot int, lenient bool) jodaPart {
	long := jodaNumber(u, 9, true)
	return func(t *jodaText) bool {
		n := 0
		for t.at+n < len(t.text) && digit(t.text[t.at+n]) {
			n++
		}
		if n < 2 || lenient && n != 2 {
			return lenient && long(t)
		}
		year, _ := strconv.Atoi(t.text[t.at : t.at+2])
		low := pivot - 50
		if year += low - low%100; year < low {
			year += 100
		}
		t.at += 2
		t.put(u, year)
		return true
	}
}

// jodaFraction is a fraction of a second, of which milliseconds count; it may have no digits.
func jodaFraction(most int) jodaPart {
	return func(t *jodaText) bool {
		value, unit := 0, 100
		for n := 0; n < most && t.at < len(t.text) && digit(t.text[t.at]); n++ {
			value += int(t.text[t.at]-'0') * unit
			unit /= 10
			t.at++
		}
		t.put(jodaMillis, value)
		return true
	}
}

// jodaWord is one of some words, as it is written, or all in small letters or capitals; the longest that fits counts.
func jodaWord(u jodaUnit, words map[string]int) jodaPart {
	all, longest := map[string]int{}, 0
	for w, v := range words {
		all[w], all[strings.ToLower(w)], all[strings.ToUpper(w)] = v, v, v
		longest = max(longest, len(w))
	}
	return func(t *jodaText) bool {
		for end := min(len(t.text), t.at+longest); end > t.at; end-- {
			if v, ok := all[t.text[t.at:end]]; ok {
				t.at = end
				t.put(u, v)
				return true
			}
		}
		return false
	}
}

// The words of English, long and short.
var jodaMonths, jodaWeekdays = func() (map[string]int, map[string]int) {
	months, days := map[string]int{}, map[string]int{}
	for m := time.January; m <= time.December; m++ {
		months[m.String()], months[m.String()[:3]] = int(m), int(m)
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		n := (int(d)+6)%7 + 1
		days[d.String()], days[d.String()[:3]] = n, n
	}
	return months, days
}()

var (
	jodaHalfdays = map[string]int{"AM": 0, "PM": 1}
	jodaEras     = map[string]int{"BC": 0, "BCE": 0, "AD": 1, "CE": 1}
)

// jodaOffset is an offset from UTC: Z, +03, +0300, +03:00.
func jodaOffset(t *jodaText) bool {
	rest := t.text[t.at:]
	if rest != "" && rest[0]|0x20 == 'z' {
		t.at++
		t.zone, t.name = time.UTC, "UTC"
		return true
	}
	if len(rest) < 3 || rest[0] != '+' && rest[0] != '-' || !digit(rest[1]) || !digit(rest[2]) {
		return false
	}
	hours, _ := strconv.Atoi(rest[1:3])
	minutes, n := 0, 3
	colon := n < len(rest) && rest[n] == ':'
	if at := n + len(rest[n:min(len(rest), n+1)])*map[bool]int{true: 1}[colon]; at+1 < len(rest) && digit(rest[at]) && digit(rest[at+1]) {
		minutes, _ = strconv.Atoi(rest[at : at+2])
		n = at + 2
	} else if colon {
		return false
	}
	if hours > 23 || minutes > 59 {
		return false
	}
	t.at += n
	if minutes += 60 * hours; rest[0] == '-' {
		minutes = -minutes
	}
	t.name = offsetZone(minutes)
	t.zone = time.FixedZone(t.name, minutes*60)
	return true
}

// jodaZoneID is a zone's name, such as Europe/Moscow.
func jodaZoneID(t *jodaText) bool {
	rest := t.text[t.at:]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/_+-:", r))
	})
	if end < 0 {
		end = len(rest)
	}
	for ; end > 0; end-- {
		if zone, ok := TrinoZone(rest[:end]); ok {
			t.at += end
			t.zone, t.name = types.Location(zone), zone
			return true
		}
	}
	return false
}

// jodaZoneNames are the short names of zones that are read.
var jodaZoneNames = map[string]string{
	"UT": "UTC", "UTC": "UTC", "GMT": "UTC", "EST": "America/New_York", "EDT": "America/New_York", "CST": "America/Chicago", "CDT": "America/Chicago",
	"MST": "America/Denver", "MDT": "America/Denver", "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles",
}

func jodaZoneName(t *jodaText) bool {
	for n := 3; n > 1; n-- {
		if len(t.text)-t.at < n {
			continue
		}
		if zone, ok := jodaZoneNames[t.text[t.at:t.at+n]]; ok {
			t.at += n
			t.zone, t.name = types.Location(zone), zone
			return true
		}
	}
	return false
}

// noPattern is the message about a pattern without a part.
const noPattern = "Both printing and parsing not supported"

// jodaRead reads a text by its parts. The result is in the zone that the text names, whose name is given back, or in zone.
func jodaRead(text string, parts []jodaPart, zone *time.Location) (time.Time, string, error) {
	t := jodaText{text: text}
	for _, part := range parts {
		if !part(&t) {
			return time.Time{}, "", badArgument(jodaMalformed(text, t.at))
		}
	}
	if t.at < len(text) {
		return time.Time{}, "", badArgument(jodaMalformed(text, t.at))
	}
	if len(parts) == 0 {
		return time.Time{}, "", badArgument(noPattern)
	}
	wall, why := t.wall()
	if why != "" {
		return time.Time{}, "", badArgument(`Cannot parse "` + text + `": ` + why)
	}
	if t.zone == nil {
		t.zone = zone
	}
	at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), t.zone)
	if at.Hour() != wall.Hour() || at.Minute() != wall.Minute() || at.Day() != wall.Day() { // clocks were put forward over it
		name := t.name
		if name == "" {
			name = t.zone.String()
		}
		return time.Time{}, "", badArgument(`Cannot parse "` + text + `": Illegal instant due to time zone offset transition (` + name + ")")
	}
	return at, t.name, nil
}

// jodaMalformed says where reading a text failed.
func jodaMalformed(text string, at int) string {
	sample := text
	if runes := []rune(text); len(runes) > utf8.RuneCountInString(text[:at])+35 {
		sample = string(runes[:utf8.RuneCountInString(text[:at])+32]) + "..."
	}
	out := `Invalid format: "` + sample + `"`
	switch {
	case at <= 0:
	case at >= len(text):
		out += " is too short"
	default:
		out += ` is malformed at "` + sample[at:] + `"`
	}
	return out
}

// wall sets what was read, the largest unit first; why says what cannot be set.
func (t *jodaText) wall() (wall time.Time, why string) {
	slices.SortStableFunc(t.set, func(a, b jodaValue) int { return int(jodaRank(a.unit)) - int(jodaRank(b.unit)) })
	wall = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	if len(t.set) > 0 && t.set[0].unit >= jodaMonth && t.set[0].unit <= jodaWeekday { // a day without a year
		t.set = append([]jodaValue{{jodaYear, 2000}}, t.set...)
	}
	for _, s := range t.set {
		unit := jodaUnits[s.unit]
		least, most := unit.least, unit.most
		switch s.unit {
		case jodaDay:
			most = daysIn(wall)
		case jodaDayOfYear:
			most = time.Date(wall.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay()
		case jodaWeek:
			year, _ := wall.ISOWeek()
			_, most = time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
		}
		if most != 0 && (s.value < least || s.value > most) {
			return wall, "Value " + strconv.Itoa(s.value) + " for " + unit.name + " must be in the range [" + strconv.Itoa(least) + "," + strconv.Itoa(most) + "]"
		}
		wall = jodaSet(wall, s.unit, s.value, true)
	}
	for _, s := range t.set { // once more, and what is smaller stays now
		wall = jodaSet(wall, s.unit, s.value, false)
	}
	return wall.Add(t.more), ""
}

// jodaRank is the place at which a unit is set: weekyear and year, and the four kinds of hours, are of one size.
func jodaRank(u jodaUnit) jodaUnit {
	switch u {
	case jodaWeekyear, jodaYearOfEra:
		return jodaYear
	case jodaClockhour:
		return jodaHour
	case jodaHalfClockhour:
		return jodaHalfHour
	}
	return u
}

func daysIn(t time.Time) int { return time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day() }

// jodaSet sets one unit of a time; floor sets what is smaller to its start, otherwise it stays.
func jodaSet(t time.Time, u jodaUnit, v int, floor bool) time.Time {
	monday := func(t time.Time) time.Time { return t.AddDate(0, 0, -((int(t.Weekday()) + 6) % 7)) }
	hour := func(h int) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), h, t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	}
	date := func(year int, month time.Month, day int) time.Time {
		first := time.Date(year, month, 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		return first.AddDate(0, 0, min(day, daysIn(first))-1)
	}
	inYear := func(year int) time.Time {
		if floor {
			return date(year, 1, 1)
		}
		return date(year, t.Month(), t.Day())
	}
	_, week := t.ISOWeek()
	switch u {
	case jodaEra:
		if (v == 0) == (t.Year() <= 0) {
			return t
		}
		return inYear(1 - t.Year())
	case jodaCentury:
		return inYear(v*100 + t.Year()%100)
	case jodaYearOfEra:
		if t.Year() <= 0 {
			v = 1 - v
		}
		return inYear(v)
	case jodaYear:
		return inYear(v)
	case jodaWeekyear:
		first := monday(date(v, 1, 4))
		if floor {
			return first
		}
		return first.AddDate(0, 0, 7*(week-1)+(int(t.Weekday())+6)%7)
	case jodaMonth:
		if floor {
			return date(t.Year(), time.Month(v), 1)
		}
		return date(t.Year(), time.Month(v), t.Day())
	case jodaWeek:
		if floor {
			t = monday(t)
		}
		return t.AddDate(0, 0, 7*(v-week))
	case jodaDayOfYear:
		return date(t.Year(), 1, 1).AddDate(0, 0, v-1)
	case jodaDay:
		return date(t.Year(), t.Month(), v)
	case jodaWeekday:
		return monday(t).AddDate(0, 0, v-1)
	case jodaHalfday:
		return hour(t.Hour()%12 + 12*v)
	case jodaHour:
		return hour(v)
	case jodaClockhour:
		return hour(v % 24)
	case jodaHalfHour, jodaHalfClockhour:
		return hour(t.Hour()/12*12 + v%12)
	case jodaMinute:
		return t.Add(time.Duration(v-t.Minute()) * time.Minute)
	case jodaSecond:
		return t.Add(time.Duration(v-t.Second()) * time.Second)
	}
	return t.Add(time.Duration(v)*time.Millisecond - time.Duration(t.Nanosecond()))
}
