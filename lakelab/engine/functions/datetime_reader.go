package functions

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Texts read by a datetime pattern. Spark reads them with Java's DateTimeFormatter, without regard to case and with its strict resolver:
// https://docs.oracle.com/javase/17/docs/api/java.base/java/time/format/DateTimeFormatter.html

// chronoField is a field of Java's ChronoField that a pattern can fill.
type chronoField int

const (
	eraField chronoField = iota
	yearOfEra
	yearField
	monthOfYear
	dayOfMonth
	dayOfYear
	amPmOfDay
	hourOfAmPm
	clockHourOfAmPm
	hourOfDay
	clockHourOfDay
	minuteOfHour
	secondOfMinute
	nanoOfSecond
	chronoFields
)

// chrono tells each field's name in Java's messages, its values, and their text there.
var chrono = [chronoFields]struct {
	name    string
	lo, hi  int
	allowed string
}{
	eraField: {"Era", 0, 1, "0 - 1"}, yearOfEra: {"YearOfEra", 1, 999999999, "1 - 999999999/1000000000"}, yearField: {"Year", -999999999, 999999999, "-999999999 - 999999999"},
	monthOfYear: {"MonthOfYear", 1, 12, "1 - 12"}, dayOfMonth: {"DayOfMonth", 1, 31, "1 - 28/31"}, dayOfYear: {"DayOfYear", 1, 366, "1 - 365/366"}, amPmOfDay: {"AmPmOfDay", 0, 1, "0 - 1"},
	hourOfAmPm: {"HourOfAmPm", 0, 11, "0 - 11"}, clockHourOfAmPm: {"ClockHourOfAmPm", 1, 12, "1 - 12"}, hourOfDay: {"HourOfDay", 0, 23, "0 - 23"}, clockHourOfDay: {"ClockHourOfDay", 1, 24, "1 - 24"},
	minuteOfHour: {"MinuteOfHour", 0, 59, "0 - 59"}, secondOfMinute: {"SecondOfMinute", 0, 59, "0 - 59"}, nanoOfSecond: {"NanoOfSecond", 0, 999999999, "0 - 999999999"},
}

// numericFields are the letters that are read as numbers.
var numericFields = map[byte]chronoField{'y': yearField, 'u': yearField, 'M': monthOfYear, 'L': monthOfYear, 'd': dayOfMonth, 'D': dayOfYear, 'h': clockHourOfAmPm, 'K': hourOfAmPm,
	'H': hourOfDay, 'k': clockHourOfDay, 'm': minuteOfHour, 's': secondOfMinute}

// Signs that a number may have, as Java's SignStyle.
const (
	noSign     = iota
	minusSign  // NORMAL
	exceedsPad // a plus exactly where it has more digits than letters
)

// numberWidth is how many digits a part of a pattern reads.
type numberWidth struct {
	min, max, sign int
	after          int // digits behind it that belong to parts of fixed width
}

// numberOf reports whether a part is read as a number.
func (p patternPart) numberOf() (numberWidth, bool) {
	_, ok := numericFields[p.letter]
	switch {
	case !ok || (p.letter == 'M' || p.letter == 'L') && p.n > 2:
		return numberWidth{}, false
	case p.letter == 'y' || p.letter == 'u':
		switch {
		case p.n == 2:
			return numberWidth{min: 2, max: 2}, true
		case p.n < 4:
			return numberWidth{min: p.n, max: 19, sign: minusSign}, true
		}
		return numberWidth{min: p.n, max: 19, sign: exceedsPad}, true
	case p.n == 1:
		return numberWidth{min: 1, max: 19, sign: minusSign}, true
	case p.letter == 'D':
		return numberWidth{min: p.n, max: 3}, true
	}
	return numberWidth{min: p.n, max: p.n}, true
}

// numbers tells the parts that are numbers how many digits they read. Of numbers in a row the first leaves those behind it their digits, if
// their widths are fixed ("adjacent value parsing").
func numbers(parts []patternPart) {
	first := -1
	for i, p := range parts {
		n, ok := p.numberOf()
		if !ok {
			first = -1
			continue
		}
		parts[i].width = n
		switch {
		case first >= 0 && n.min == n.max && n.sign == noSign:
			parts[first].width.after += n.max
		case first >= 0:
			parts[first].width.after = 0
			first = i
		default:
			first = i
		}
	}
}

// timeReader is one text that is being read.
type timeReader struct {
	text string
	era  bool // the pattern has eras, so y counts years in one
	timeFields
}

// timeFields are what was read so far.
type timeFields struct {
	values [chronoFields]int
	known  [chronoFields]bool
	zone   *time.Location
}

// readTime reads a text by a pattern; zoned says that it named a zone. A problem is what Java's message says behind the text.
func readTime(s string, parts []patternPart) (t time.Time, zoned bool, problem string) {
	r := &timeReader{text: s, era: hasLetter(parts, 'G')}
	at, ok := r.sequence(parts, 0)
	switch {
	case !ok:
		return t, false, " could not be parsed at index " + strconv.Itoa(r.index(at))
	case at < len(s):
		return t, false, " could not be parsed, unparsed text found at index " + strconv.Itoa(r.index(at))
	}
	t, problem = r.resolve()
	if problem != "" {
		return t, false, " could not be parsed: " + problem
	}
	return t, r.zone != nil, ""
}

func hasLetter(parts []patternPart, letter byte) bool {
	for _, p := range parts {
		if p.letter == letter || hasLetter(p.section, letter) {
			return true
		}
	}
	return false
}

// index is a place in the text as Java counts it.
func (r *timeReader) index(at int) int { return len(utf16.Encode([]rune(r.text[:at]))) }

// sequence reads parts from a place on; it returns the place behind them, or that of the first that does not fit.
func (r *timeReader) sequence(parts []patternPart, at int) (int, bool) {
	for _, p := range parts {
		if p.section != nil {
			before := r.timeFields
			if end, ok := r.sequence(p.section, at); ok {
				at = end
			} else {
				r.timeFields = before
			}
			continue
		}
		end, ok := r.part(p, at)
		if !ok {
			return end, false
		}
		at = end
	}
	return at, true
}

func (r *timeReader) part(p patternPart, at int) (int, bool) {
	if p.width.min > 0 {
		return r.number(p, at)
	}
	switch p.letter {
	case 0:
		return r.word(p.literal, at)
	case 'M', 'L':
		for m := time.January; m <= time.December; m++ {
			name := m.String()
			if p.n == 3 {
				name = name[:3]
			}
			if end, ok := r.word(name, at); ok {
				return r.set(monthOfYear, int(m), at, end)
			}
		}
	case 'G':
		for era, name := range [][2]string{{"BC", "Before Christ"}, {"AD", "Anno Domini"}} {
			if end, ok := r.word(name[p.n/4], at); ok {
				return r.set(eraField, era, at, end)
			}
		}
	case 'a':
		for half, name := range []string{"AM", "PM"} {
			if end, ok := r.word(name, at); ok {
				return r.set(amPmOfDay, half, at, end)
			}
		}
	case 'S':
		end := r.digits(at, p.n)
		if end == at {
			return at, false
		}
		nano, _ := strconv.Atoi((r.text[at:end] + "000000000")[:9])
		return r.set(nanoOfSecond, nano, at, end)
	case 'X', 'x', 'Z', 'O', 'z', 'V':
		zone, end := readZone(r.text, at, p)
		if zone == nil {
			return at, false
		}
		r.zone = zone
		return end, true
	}
	return at, false
}

// word reads a text without regard to case.
func (r *timeReader) word(w string, at int) (int, bool) {
	end := at
	for _, want := range w {
		got, size := utf8.DecodeRuneInString(r.text[end:])
		if size == 0 || !strings.EqualFold(string(got), string(want)) {
			return at, false
		}
		end += size
	}
	return end, true
}

// digits is the end of the digits from a place on, of which there are so many at most.
func (r *timeReader) digits(at, most int) int {
	end := at
	for end < len(r.text) && end-at < most && r.text[end] >= '0' && r.text[end] <= '9' {
		end++
	}
	return end
}

func (r *timeReader) number(p patternPart, at int) (int, bool) {
	n, start, sign := p.width, at, byte(0)
	if at < len(r.text) && (r.text[at] == '+' && n.sign == exceedsPad || r.text[at] == '-' && n.sign != noSign) {
		sign = r.text[at]
		start++
	}
	end := r.digits(start, n.max+n.after)
	if n.after > 0 {
		end = start + min(max(n.min, end-start-n.after), end-start)
	}
	v, err := strconv.Atoi(r.text[start:end])
	switch wide := end-start > n.min; {
	case end-start < n.min || err != nil:
		return start, false
	case sign == '-' && v == 0, n.sign == exceedsPad && sign == '+' && !wide, n.sign == exceedsPad && sign == 0 && wide:
		return at, false
	case sign == '-':
		v = -v
	}
	field := numericFields[p.letter]
	if field == yearField && p.n == 2 {
		v += 2000
	}
	if p.letter == 'y' && r.era {
		field = yearOfEra
	}
	return r.set(field, v, at, end)
}

// set notes a field's value; one that is there already must be the same.
func (r *timeFields) set(f chronoField, v, at, end int) (int, bool) {
	if r.known[f] && r.values[f] != v {
		return at, false
	}
	r.values[f], r.known[f] = v, true
	return end, true
}

// take returns a field's value, which is then dealt with.
func (r *timeFields) take(f chronoField) (int, bool) {
	known := r.known[f]
	r.known[f] = false
	return r.values[f], known
}

// check says what is wrong with a field's value.
func (f chronoField) check(v int) string {
	if c := chrono[f]; v < c.lo || v > c.hi {
		return "Invalid value for " + c.name + " (valid values " + c.allowed + "): " + strconv.Itoa(v)
	}
	return ""
}

// becomes notes what a field says about another one.
func (r *timeFields) becomes(from, to chronoField, v int) string {
	if r.known[to] && r.values[to] != v {
		name := chrono[to].name
		return fmt.Sprintf("Conflict found: %s %d differs from %s %d while resolving  %s", name, r.values[to], name, v, chrono[from].name)
	}
	r.values[to], r.known[to] = v, true
	return ""
}

// resolve makes a time of the fields, as Java's Parsed with ResolverStyle.STRICT and Spark's defaults for what is missing do.
func (r *timeFields) resolve() (time.Time, string) {
	date, whole, problem := r.date()
	if problem != "" {
		return date, problem
	}
	clock, timed, problem := r.clock()
	if problem != "" {
		return date, problem
	}
	for f := range chronoFields { // what says the same once more
		if !r.known[f] {
			continue
		}
		v, from := 0, ""
		switch {
		case f == monthOfYear && whole:
			v, from = int(date.Month()), localDate(date)
		case f == dayOfYear && whole:
			v, from = date.YearDay(), localDate(date)
		case f == amPmOfDay && timed:
			v, from = int(clock/(12*time.Hour)), localClock(clock)
		case f == hourOfAmPm && timed:
			v, from = int(clock/time.Hour)%12, localClock(clock)
		default:
			continue
		}
		if name := chrono[f].name; v != r.values[f] {
			return date, fmt.Sprintf("Conflict found: Field %s %d differs from %s %d derived from %s", name, v, name, r.values[f], from)
		}
	}
	if !timed {
		clock = r.partOfClock()
	}
	zone := r.zone
	if zone == nil {
		zone = time.UTC
	}
	return time.Date(date.Year(), date.Month(), date.Day(), int(clock/time.Hour), int(clock/time.Minute)%60, int(clock/time.Second)%60, int(clock%time.Second), zone), ""
}

// date is the day, and whether the text named all of it.
func (r *timeFields) date() (day time.Time, whole bool, problem string) {
	if yoe, ok := r.take(yearOfEra); ok {
		if problem := yearOfEra.check(yoe); problem != "" {
			return day, false, problem
		}
		if era, ok := r.take(eraField); ok && era == 0 {
			yoe = 1 - yoe
		}
		r.values[yearField], r.known[yearField] = yoe, true
	}
	year, dated := r.take(yearField)
	if !dated {
		year = 1970
	}
	month := 1
	switch {
	case r.known[dayOfYear] && !(dated && r.known[monthOfYear] && r.known[dayOfMonth]):
		n, _ := r.take(dayOfYear)
		if problem := dayOfYear.check(n); problem != "" {
			return day, false, problem
		}
		day = time.Date(year, 1, n, 0, 0, 0, 0, time.UTC)
		if day.Year() != year {
			return day, false, "Invalid date 'DayOfYear 366' as '" + strconv.Itoa(year) + "' is not a leap year"
		}
		return day, true, ""
	case r.known[monthOfYear]:
		month, _ = r.take(monthOfYear)
		whole = dated && r.known[dayOfMonth]
	}
	n, ok := r.take(dayOfMonth)
	if !ok {
		n = 1
	}
	day = time.Date(year, time.Month(month), n, 0, 0, 0, 0, time.UTC)
	if int(day.Month()) != month || day.Day() != n {
		return day, false, outOfBounds(year, month, n, 0, 0, 0)
	}
	return day, whole, ""
}

// clock is the time of day, and whether the text named its hour.
func (r *timeFields) clock() (clock time.Duration, whole bool, problem string) {
	for _, f := range []struct{ from, to chronoField }{{clockHourOfDay, hourOfDay}, {clockHourOfAmPm, hourOfAmPm}} {
		v, ok := r.take(f.from)
		if !ok {
			continue
		}
		if problem := f.from.check(v); problem != "" {
			return 0, false, problem
		}
		if v == chrono[f.from].hi {
			v = 0
		}
		if problem := r.becomes(f.from, f.to, v); problem != "" {
			return 0, false, problem
		}
	}
	if r.known[amPmOfDay] && r.known[hourOfAmPm] {
		half, _ := r.take(amPmOfDay)
		hour, _ := r.take(hourOfAmPm)
		if problem := hourOfAmPm.check(hour); problem != "" {
			return 0, false, problem
		}
		if problem := r.becomes(amPmOfDay, hourOfDay, half*12+hour); problem != "" {
			return 0, false, problem
		}
	}
	for _, f := range []chronoField{hourOfDay, minuteOfHour, secondOfMinute, hourOfAmPm} {
		if r.known[f] {
			if problem := f.check(r.values[f]); problem != "" {
				return 0, false, problem
			}
		}
	}
	if whole = r.known[hourOfDay]; whole {
		clock = r.partOfClock()
	}
	return clock, whole, ""
}

// partOfClock is the time of day by what is known of it.
func (r *timeFields) partOfClock() (clock time.Duration) {
	if hour, ok := r.take(hourOfDay); ok {
		clock = time.Duration(hour) * time.Hour
	} else if hour, ok := r.take(hourOfAmPm); ok {
		clock = time.Duration(hour) * time.Hour
	} else if half, ok := r.take(amPmOfDay); ok {
		clock = time.Duration(half) * 12 * time.Hour
	}
	for _, p := range [...]struct {
		field chronoField
		unit  time.Duration
	}{{minuteOfHour, time.Minute}, {secondOfMinute, time.Second}, {nanoOfSecond, 1}} {
		if v, ok := r.take(p.field); ok {
			clock += time.Duration(v) * p.unit
		}
	}
	return clock
}

// localDate is a day as Java's LocalDate shows it.
func localDate(d time.Time) string {
	s := zeros(d.Year(), 4)
	if d.Year() > 9999 {
		s = "+" + s
	}
	return s + d.Format("-01-02")
}

// localClock is a time of day as Java's LocalTime shows it: without seconds if there are none.
func localClock(c time.Duration) string {
	t := time.Time{}.Add(c)
	switch {
	case c%time.Minute == 0:
		return t.Format("15:04")
	case c%time.Second == 0:
		return t.Format("15:04:05")
	case c%time.Millisecond == 0:
		return t.Format("15:04:05.000")
	case c%time.Microsecond == 0:
		return t.Format("15:04:05.000000")
	}
	return t.Format("15:04:05.000000000")
}
