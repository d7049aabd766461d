package functions

import (
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// readZone reads a zone or an offset from a place in a text on, as a pattern's part asks for it; nil: there is none.
func readZone(s string, at int, p patternPart) (*time.Location, int) {
	switch p.letter {
	case 'V', 'z':
		return namedZone(s, at)
	case 'O':
		return offsetFromGMT(s, at, p.n == 4)
	case 'Z':
		switch {
		case p.n < 4:
			return offset(s, at, "", "HHMM")
		case p.n == 4:
			return offsetFromGMT(s, at, true)
		}
		return offset(s, at, "Z", "HH:MM:ss")
	}
	none := ""
	if p.letter == 'X' {
		none = "Z"
	}
	return offset(s, at, none, []string{"HHmm", "HHMM", "HH:MM", "HHMMss", "HH:MM:ss"}[min(p.n, 5)-1])
}

// namedZone reads the longest text that names a zone.
func namedZone(s string, at int) (*time.Location, int) {
	end := at
	for end < len(s) && (isLetter(s[end]) || s[end] >= '0' && s[end] <= '9' || strings.IndexByte("/_+-:~", s[end]) >= 0) {
		end++
	}
	for ; end > at; end-- {
		for _, name := range []string{s[at:end], strings.ToUpper(s[at:end]), titled(s[at:end])} {
			if zone, ok := types.Zone(name); ok && name != "Local" {
				return zone, end
			}
		}
	}
	return nil, at
}

// titled is the name of a region with capitals where such names have them.
func titled(s string) string {
	b := []byte(strings.ToLower(s))
	for i := range b {
		if (i == 0 || strings.IndexByte("/_-", b[i-1]) >= 0) && b[i] >= 'a' && b[i] <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}

// offset reads an offset in one of the forms of Java's appendOffset, where ss and mm may be missing; none is what 0 is written as.
func offset(s string, at int, none, form string) (*time.Location, int) {
	if none != "" && len(s) > at && strings.EqualFold(s[at:at+1], none) {
		return time.UTC, at + 1
	}
	if at == len(s) || s[at] != '+' && s[at] != '-' {
		return nil, at
	}
	units := [3]int{}
	end := at + 1
	colon := strings.Contains(form, ":")
	for i, name := range unitsOf(form) {
		next := end
		if colon && i > 0 {
			if next == len(s) || s[next] != ':' {
				next = -1
			} else {
				next++
			}
		}
		v, ok := 0, false
		if next >= 0 {
			v, ok = twoDigits(s, next)
		}
		if !ok {
			if name == strings.ToLower(name) {
				break // may be missing
			}
			return nil, at
		}
		units[i], end = v, next+2
	}
	return fixedZone(s[at] == '-', units, at, end)
}

// unitsOf are the units in a form: HH MM ss of HH:MM:ss.
func unitsOf(form string) []string {
	form = strings.ReplaceAll(form, ":", "")
	var out []string
	for ; form != ""; form = form[2:] {
		out = append(out, form[:2])
	}
	return out
}

func twoDigits(s string, at int) (int, bool) {
	if at+2 > len(s) || s[at] < '0' || s[at] > '5' || s[at+1] < '0' || s[at+1] > '9' {
		return 0, false
	}
	return int(s[at]-'0')*10 + int(s[at+1]-'0'), true
}

func fixedZone(negative bool, units [3]int, at, end int) (*time.Location, int) {
	seconds := units[0]*3600 + units[1]*60 + units[2]
	if seconds > 18*3600 {
		return nil, at
	}
	if negative {
		seconds = -seconds
	}
	return time.FixedZone("", seconds), end
}

// offsetFromGMT reads GMT, GMT+3 or, if full, GMT+03:00.
func offsetFromGMT(s string, at int, full bool) (*time.Location, int) {
	if len(s) < at+3 || !strings.EqualFold(s[at:at+3], "GMT") {
		return nil, at
	}
	end := at + 3
	if end == len(s) || s[end] != '+' && s[end] != '-' {
		return time.UTC, end
	}
	negative := s[end] == '-'
	units := [3]int{}
	hour, ok := twoDigits(s, end+1)
	switch {
	case ok:
		units[0], end = hour, end+3
	case full || end+1 == len(s) || s[end+1] < '0' || s[end+1] > '9':
		return nil, at
	default:
		units[0], end = int(s[end+1]-'0'), end+2
	}
	for i := 1; i < 3 && end < len(s) && s[end] == ':'; i++ {
		v, ok := twoDigits(s, end+1)
		if !ok {
			break
		}
		units[i], end = v, end+3
	}
	return fixedZone(negative, units, at, end)
}
