package functions

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// jodaTokens splits a pattern of Joda-Time's DateTimeFormat: letters that repeat, and literal text behind an apostrophe.
func jodaTokens(pattern string) []string {
	var out []string
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	for i := 0; i < len(pattern); {
		from := i
		if letter(pattern[i]) {
			for i < len(pattern) && pattern[i] == pattern[from] {
				i++
			}
			out = append(out, pattern[from:i])
			continue
		}
		var b strings.Builder
		b.WriteByte('\'')
		quoted := false
		for ; i < len(pattern); i++ {
			switch c := pattern[i]; {
			case c == '\'' && i+1 < len(pattern) && pattern[i+1] == '\'':
				b.WriteByte(c)
				i++
				continue
			case c == '\'':
				quoted = !quoted
				continue
			case !quoted && letter(c):
			default:
				b.WriteByte(c)
				continue
			}
			break
		}
		out = append(out, b.String())
	}
	return out
}

// jodaNumeric reports whether a token is read as digits, so that a number before it has to end where its letters do.
func jodaNumeric(token string) bool {
	return strings.ContainsRune("cCxyYdhHmsSeDFwWkK", rune(token[0])) || token[0] == 'M' && len(token) < 3
}

// jodaParts are what a pattern of Joda-Time's reads.
func jodaParts(pattern string) ([]jodaPart, error) {
	tokens := jodaTokens(pattern)
	if len(tokens) == 0 {
		return nil, badArgument("Invalid pattern specification: Pattern is null or empty")
	}
	out := make([]jodaPart, 0, len(tokens))
	for i, token := range tokens {
		if token[0] == '\'' {
			out = append(out, jodaLiteral(token[1:]))
			continue
		}
		part := jodaPartOf(token, i+1 < len(tokens) && jodaNumeric(tokens[i+1]))
		if part == nil {
			return nil, badArgument("Illegal pattern component: " + token)
		}
		out = append(out, part)
	}
	return out, nil
}

// jodaPartOf is what a token reads; nil for letters that mean nothing. tight says that digits follow.
func jodaPartOf(token string, tight bool) jodaPart {
	n := len(token)
	switch c := token[0]; c {
	case 'x', 'y', 'Y':
		unit := map[byte]jodaUnit{'x': jodaWeekyear, 'y': jodaYear, 'Y': jodaYearOfEra}[c]
		if n == 2 {
			if c == 'Y' {
				unit = jodaYear
			}
			return jodaShortYear(unit, time.Now().Year()-30, !tight)
		}
		most := 9
		if tight {
			most = n
		}
		return jodaNumber(unit, most, c != 'Y')
	case 'G':
		return jodaWord(jodaEra, jodaEras)
	case 'C':
		return jodaNumber(jodaCentury, n, true)
	case 'M':
		if n > 2 {
			return jodaWord(jodaMonth, jodaMonths)
		}
		return jodaNumber(jodaMonth, 2, false)
	case 'E':
		return jodaWord(jodaWeekday, jodaWeekdays)
	case 'a':
		return jodaWord(jodaHalfday, jodaHalfdays)
	case 'S':
		return jodaFraction(n)
	case 'e':
		return jodaNumber(jodaWeekday, 1, false)
	case 'D':
		return jodaNumber(jodaDayOfYear, 3, false)
	case 'z':
		if n > 3 {
			return nil
		}
		return jodaZoneName
	case 'Z':
		if n > 2 {
			return jodaZoneID
		}
		return jodaOffset
	}
	unit, ok := map[byte]jodaUnit{'w': jodaWeek, 'd': jodaDay, 'K': jodaHalfHour, 'h': jodaHalfClockhour, 'H': jodaHour, 'k': jodaClockhour, 'm': jodaMinute, 's': jodaSecond}[token[0]]
	if !ok {
		return nil
	}
	return jodaNumber(unit, 2, false)
}

// mysqlParts are what a pattern with MySQL's letters reads.
func mysqlParts(format string) ([]jodaPart, error) {
	two := func(u jodaUnit) []jodaPart { return []jodaPart{jodaNumber(u, 2, false)} }
	clock := func(hour jodaUnit) []jodaPart {
		return []jodaPart{jodaNumber(hour, 2, false), jodaLiteral(":"), jodaNumber(jodaMinute, 2, false), jodaLiteral(":"), jodaNumber(jodaSecond, 2, false)}
	}
	half := jodaWord(jodaHalfday, jodaHalfdays)
	letters := map[rune][]jodaPart{
		'a': {jodaWord(jodaWeekday, jodaWeekdays)}, 'W': {jodaWord(jodaWeekday, jodaWeekdays)}, 'b': {jodaWord(jodaMonth, jodaMonths)}, 'M': {jodaWord(jodaMonth, jodaMonths)},
		'c': two(jodaMonth), 'm': two(jodaMonth), 'd': two(jodaDay), 'e': two(jodaDay), 'f': {jodaFraction(9)}, 'H': two(jodaHour), 'k': two(jodaHour),
		'h': two(jodaHalfClockhour), 'I': two(jodaHalfClockhour), 'l': two(jodaHalfClockhour), 'i': two(jodaMinute), 's': two(jodaSecond), 'S': two(jodaSecond),
		'j': {jodaNumber(jodaDayOfYear, 3, false)}, 'p': {half}, 'r': append(clock(jodaHalfClockhour), jodaLiteral(" "), half), 'T': clock(jodaHour), 'v': two(jodaWeek),
		'x': {jodaNumber(jodaWeekyear, 4, true)}, 'Y': {jodaNumber(jodaYear, 9, true)}, 'y': {jodaShortYear(jodaYear, 2020, false)}, '%': {jodaLiteral("%")},
	}
	var out []jodaPart
	chars := []rune(format)
	for i := 0; i < len(chars); i++ {
		c := chars[i]
		if c != '%' {
			out = append(out, jodaLiteral(string(c)))
			continue
		}
		if i++; i == len(chars) {
			break
		}
		switch c = chars[i]; {
		case strings.ContainsRune("DUuVwX", c):
			return nil, badArgument("%" + string(c) + " not supported in date format string")
		case c == 'Y' && i+2 < len(chars) && chars[i+1] == '%' && strings.ContainsRune("cdefHhIijklmrSsTvxYy", chars[i+2]):
			out = append(out, jodaNumber(jodaYear, 4, true)) // digits follow
		case letters[c] != nil:
			out = append(out, letters[c]...)
		default:
			out = append(out, jodaLiteral(string(c)))
		}
	}
	return out, nil
}

// isoForm is an ISO timestamp, as far as it goes: a date of a year, a month and a day, or of a week or a day of the year, and a time.
var isoForm = regexp.MustCompile(`^(?:([+-]?\d{1,9})(?:-(\d{3})|-W(\d{1,2})(?:-(\d))?|-(\d{1,2})(?:-(\d{1,2}))?)?)?` +
	`(T(?:(\d{1,2})(?:[.,](\d+)|:(\d{1,2})(?:[.,](\d+)|:(\d{1,2})(?:[.,](\d+))?)?)?)?)?`)

// isoTimestamp reads an ISO timestamp as Joda-Time does; zone and name are as in jodaParse.
func isoTimestamp(text string, zone *time.Location) (time.Time, string, error) {
	m := isoForm.FindStringSubmatch(text)
	parts := []jodaPart{func(t *jodaText) bool {
		t.at = len(m[0])
		year := jodaYear
		if m[3] != "" {
			year = jodaWeekyear
		}
		for i, unit := range map[int]jodaUnit{1: year, 2: jodaDayOfYear, 3: jodaWeek, 4: jodaWeekday, 5: jodaMonth, 6: jodaDay, 8: jodaHour, 10: jodaMinute, 12: jodaSecond} {
			if n, err := strconv.Atoi(m[i]); err == nil {
				t.put(unit, n)
			}
		}
		for i, unit := range map[int]time.Duration{9: time.Hour, 11: time.Minute, 13: time.Second} { // a fraction of what stands before it
			if f, err := strconv.ParseFloat("0."+m[i], 64); err == nil && m[i] != "" {
				t.more += time.Duration(f * float64(unit)).Truncate(time.Millisecond)
			}
		}
		return t.at > 0
	}}
	if m[7] != "" && len(m[0]) < len(text) {
		parts = append(parts, jodaOffset)
	}
	return jodaRead(text, parts, zone)
}
