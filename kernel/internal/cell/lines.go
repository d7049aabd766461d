package cell

import "strings"

// line is a line of the cell. GoNB looks at a line's first bytes only, so a line inside a raw string that begins with `%`,
// `!` or `package` would be taken for a magic or dropped; such lines get a harmless beginning.
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
		if at == inCode && strings.HasPrefix(text, "//line ") { // behind a blank it is a comment and no directive
			l.text, l.col = " "+text, 1
		}
		if special || strings.HasPrefix(text, "package") {
			switch at {
			case inRaw:
				l.text = "` + `" + text // two raw strings, the same value
			case inComment:
				l.text = " " + text
			}
			l.col = len(l.text) - len(text)
		}
		at = after(text, at)
	}
	return lines
}

// after is the state at the end of a line.
func after(text string, at state) state {
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
				return inCode
			case strings.HasPrefix(rest, "/*"):
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
	return at
}
