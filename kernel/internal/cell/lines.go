package cell

import "strings"

// line is a line of the cell. GoNB looks at a line's first bytes only, so a line inside a raw string that begins with `%`,
// `!` or `package` would be taken for a magic or dropped; such lines get a harmless beginning. Line directives become comments.
type line struct {
	text  string
	magic bool
	col   int // bytes put in front
}

// What a line begins in.
type state int

const (
	inCode state = iota
	inRaw
	inComment
)

// readLines finds the magics.
func readLines(source []string) []line {
	lines := make([]line, len(source))
	at, continued := inCode, false
	for i, text := range source {
		l := &lines[i]
		l.text = text
		trimmed := trimPrefix(text)
		special := len(trimmed) > 1 && (trimmed[0] == '%' || trimmed[0] == '!')
		if at == inCode && (special || continued) {
			l.magic = true
			continued = strings.HasSuffix(trimmed, `\`)
			continue
		}
		continued = false
		if special || strings.HasPrefix(text, "package") {
			switch at {
			case inRaw:
				l.text = "` + `" + text // two raw strings, the same value
			case inComment:
				l.text = " " + text
			}
			l.col = len(l.text) - len(text)
		}
		var directives []int
		at, directives = after(text, at)
		for _, d := range directives {
			d += l.col
			l.text = l.text[:d] + "L" + l.text[d+1:]
		}
	}
	return lines
}

// after is the state at the end of a line, and where the word "line" of line directives is: they tell the compiler and GoNB
// of another file, for which GoNB is not prepared, and the cell's own lines would be lost.
func after(text string, at state) (end state, directives []int) {
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch at {
		case inRaw:
			if rest[0] == '`' {
				at = inCode
			}
		case inComment:
			if strings.HasPrefix(rest, "*/") {
				at = inCode
				i++
			}
		default:
			switch {
			case rest[0] == '`':
				at = inRaw
			case strings.HasPrefix(rest, "//"):
				if i == 0 && strings.HasPrefix(rest, "//line ") {
					directives = append(directives, 2)
				}
				return inCode, directives
			case strings.HasPrefix(rest, "/*"):
				if strings.HasPrefix(rest, "/*line ") {
					directives = append(directives, i+2)
				}
				at = inComment
				i++
			case rest[0] == '"' || rest[0] == '\'':
				for i++; i < len(text) && text[i] != rest[0]; i++ {
					if text[i] == '\\' {
						i++
					}
				}
			}
		}
	}
	return at, directives
}
