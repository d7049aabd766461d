package functions

import (
	"strconv"
	"strings"
	"time"
)

// Spark's datetime patterns ("Datetime Patterns for Formatting and Parsing"): a letter repeated says what and how wide.

type patternPart struct {
	letter  byte // 0: literal
	n       int
	literal string
	section []patternPart // what stands in [ ]: all of it or nothing is read
	width   numberWidth
}

var datePatterns memo[[]patternPart]

// parsePattern reads a pattern; a string that is not empty says what is wrong with it.
func parsePattern(p string) ([]patternPart, string) {
	if v, ok := datePatterns.load(p); ok {
		return v, ""
	}
	var out []patternPart
	var outer [][]patternPart // of the sections that are open
	endSection := func() {
		section := out
		if out, outer = outer[len(outer)-1], outer[:len(outer)-1]; len(section) > 0 {
			numbers(section)
			out = append(out, patternPart{section: section})
		}
	}
	for i := 0; i < len(p); {
		c := p[i]
		switch {
		case c == '\'':
			j := i + 1
			var b strings.Builder
			for ; j < len(p); j++ {
				if p[j] != '\'' {
					b.WriteByte(p[j])
				} else if j+1 < len(p) && p[j+1] == '\'' {
					b.WriteByte('\'')
					j++
				} else {
					break
				}
			}
			if j == len(p) {
				return nil, "Pattern ends with an incomplete string literal: " + p
			}
			if b.Len() == 0 {
				b.WriteByte('\'')
			}
			out = append(out, patternPart{literal: b.String()})
			i = j + 1
		case c == '[':
			outer, out = append(outer, out), nil
			i++
		case c == ']' && len(outer) == 0:
			return nil, "Pattern invalid as it contains ] without previous ["
		case c == ']':
			endSection()
			i++
		case isLetter(c):
			j := i
			for j < len(p) && p[j] == c {
				j++
			}
			if strings.IndexByte("GyuMLdDQqEFahKkHmsSVzOXxZ", c) < 0 {
				return nil, "Illegal pattern character: " + string(c)
			}
			out = append(out, patternPart{letter: c, n: j - i})
			i = j
		default:
			out = append(out, patternPart{literal: string(c)})
			i++
		}
	}
	for len(outer) > 0 {
		endSection()
	}
	numbers(out)
	datePatterns.store(p, out)
	return out, ""
}

// flat are the parts with those of the sections, all of which are written.
func flat(parts []patternPart) []patternPart {
	var out []patternPart
	for _, p := range parts {
		if p.section != nil {
			out = append(out, flat(p.section)...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// strftime says a pattern in DuckDB's letters, if it has them all.
func strftime(parts []patternPart) (string, bool) {
	var b strings.Builder
	for _, p := range parts {
		if p.letter == 0 {
			b.WriteString(strings.ReplaceAll(p.literal, "%", "%%"))
			continue
		}
		d, ok := duckLetters[strings.Repeat(string(p.letter), p.n)]
		if !ok {
			return "", false
		}
		b.WriteString(d)
	}
	return b.String(), true
}

var duckLetters = map[string]string{
	"yy": "%y", "MM": "%m", "M": "%-m", "MMM": "%b", "MMMM": "%B", "dd": "%d", "d": "%-d", "HH": "%H", "H": "%-H", "hh": "%I", "h": "%-I", "mm": "%M", "m": "%-M",
	"ss": "%S", "s": "%-S", "SSS": "%g", "SSSSSS": "%f", "a": "%p", "E": "%a", "EE": "%a", "EEE": "%a", "EEEE": "%A", "DDD": "%j", "D": "%-j",
}

// fixedDigits are the letters that a text of only digits in fixed places can be read by.
var fixedDigits = map[string]struct{ re, duck string }{
	"yyyy": {`\d{4}`, "%Y"}, "MM": {`\d{2}`, "%m"}, "dd": {`\d{2}`, "%d"}, "HH": {`\d{2}`, "%H"}, "mm": {`\d{2}`, "%M"}, "ss": {`\d{2}`, "%S"},
	"M": {`\d{1,2}`, "%m"}, "d": {`\d{1,2}`, "%d"}, "H": {`\d{1,2}`, "%H"}, "m": {`\d{1,2}`, "%M"}, "s": {`\d{1,2}`, "%S"}, "SSS": {`\d{3}`, "%g"}, "SSSSSS": {`\d{6}`, "%f"},
}

// strptime is a regular expression and a DuckDB format that together read a text as Spark reads it by the pattern.
func strptime(parts []patternPart) (re, format string, ok bool) {
	var r, f strings.Builder
	seen := map[byte]bool{}
	for _, p := range parts {
		if p.section != nil {
			return "", "", false
		}
		if p.letter == 0 {
			r.WriteString(quoteRegexp(p.literal))
			f.WriteString(strings.ReplaceAll(p.literal, "%", "%%"))
			continue
		}
		d, ok := fixedDigits[strings.Repeat(string(p.letter), p.n)]
		if !ok || seen[p.letter] {
			return "", "", false
		}
		seen[p.letter] = true
		r.WriteString(d.re)
		f.WriteString(d.duck)
	}
	return r.String(), f.String(), seen['y'] && seen['M'] && seen['d']
}

func quoteRegexp(s string) string {
	var b strings.Builder
	for _, c := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// formatTime writes a moment by a pattern, in its own zone.
func formatTime(t time.Time, parts []patternPart) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(formatPart(t, p))
	}
	return b.String()
}

func zeros(n, width int) string {
	s := strconv.Itoa(n)
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for len(s) < width {
		s = "0" + s
	}
	if neg {
		s = "-" + s
	}
	return s
}

func formatPart(t time.Time, p patternPart) string {
	names := func(short, long string) string {
		if p.n >= 4 {
			return long
		}
		return short
	}
	switch p.letter {
	case 0:
		return p.literal
	case 'G':
		if t.Year() < 1 {
			return names("BC", "Before Christ")
		}
		return names("AD", "Anno Domini")
	case 'y', 'u':
		if p.n == 2 {
			return zeros(t.Year()%100, 2)
		}
		s := zeros(t.Year(), p.n)
		if t.Year() > 9999 && p.n >= 4 {
			s = "+" + s
		}
		return s
	case 'M', 'L':
		if p.n >= 3 {
			return names(t.Month().String()[:3], t.Month().String())
		}
		return zeros(int(t.Month()), p.n)
	case 'd':
		return zeros(t.Day(), p.n)
	case 'D':
		return zeros(t.YearDay(), p.n)
	case 'Q', 'q':
		q := (int(t.Month())-1)/3 + 1
		switch {
		case p.n == 3:
			return "Q" + strconv.Itoa(q)
		case p.n >= 4:
			return []string{"1st", "2nd", "3rd", "4th"}[q-1] + " quarter"
		}
		return zeros(q, p.n)
	case 'E':
		return names(t.Weekday().String()[:3], t.Weekday().String())
	case 'F':
		return zeros((t.Day()-1)%7+1, p.n)
	case 'a':
		if t.Hour() < 12 {
			return "AM"
		}
		return "PM"
	case 'h':
		return zeros((t.Hour()+11)%12+1, p.n)
	case 'K':
		return zeros(t.Hour()%12, p.n)
	case 'k':
		return zeros((t.Hour()+23)%24+1, p.n)
	case 'H':
		return zeros(t.Hour(), p.n)
	case 'm':
		return zeros(t.Minute(), p.n)
	case 's':
		return zeros(t.Second(), p.n)
	case 'S':
		return (zeros(t.Nanosecond(), 9))[:min(p.n, 9)]
	case 'V':
		return t.Location().String()
	}
	return formatZone(t, p)
}

func formatZone(t time.Time, p patternPart) string {
	name, offset := t.Zone()
	switch {
	case p.letter == 'z' && p.n < 4:
		return name
	case p.letter == 'z':
		if name == "UTC" {
			return "Coordinated Universal Time"
		}
		return name
	case p.letter == 'X' && offset == 0:
		return "Z"
	case p.letter == 'Z' && p.n == 5 && offset == 0:
		return "Z"
	}
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	h, m := zeros(offset/3600, 2), zeros(offset/60%60, 2)
	switch {
	case p.letter == 'O' || p.letter == 'Z' && p.n == 4:
		if offset == 0 {
			return "GMT"
		}
		if p.n == 1 {
			return "GMT" + sign + strconv.Itoa(offset/3600)
		}
		return "GMT" + sign + h + ":" + m
	case (p.letter == 'X' || p.letter == 'x') && p.n == 1:
		if m == "00" {
			return sign + h
		}
		return sign + h + m
	case (p.letter == 'X' || p.letter == 'x') && p.n == 2, p.letter == 'Z' && p.n < 4:
		return sign + h + m
	}
	return sign + h + ":" + m
}
