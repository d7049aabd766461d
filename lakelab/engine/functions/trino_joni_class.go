package functions

import "strings"

// class reads [ … ] of a pattern. A class in a class adds to it, and && leaves what both sides have.
func (p *joniParser) class() string {
	p.i++
	if p.depth++; p.depth > joniDepth {
		p.refuse("too deep nest level")
	}
	defer func() { p.depth-- }()
	not := p.at("^")
	if not {
		p.i++
	}
	var sides []joniSide
	var side joniSide
	for first := true; ; first = false {
		switch {
		case !p.more():
			p.refuse("premature end of char-class")
		case p.in[p.i] == ']' && first:
			if !p.closesLater() {
				p.refuse("empty char-class")
			}
			side.item(p)
		case p.in[p.i] == ']':
			p.i++
			return joniClass(append(sides, side), not)
		case p.at("[:") && p.posixEnd() > 0:
			side.set += p.posix()
		case p.in[p.i] == '[':
			side.nested = append(side.nested, p.class())
		case p.at("&&"):
			p.i += 2
			sides, side = append(sides, side), joniSide{}
		default:
			side.item(p)
		}
	}
}

// closesLater tells whether a ] follows behind the one here.
func (p *joniParser) closesLater() bool {
	for i := p.i + 1; i < len(p.in); i++ {
		switch p.in[i] {
		case '\\':
			i++
		case ']':
			return true
		}
	}
	return false
}

// joniSide is one side of an intersection: the text of a set, and classes that add to it.
type joniSide struct {
	set    string
	nested []string
}

// item adds a character, a range or an escape.
func (s *joniSide) item(p *joniParser) {
	low, lowText := p.classRune()
	s.set += lowText
	if low < 0 || p.i+1 >= len(p.in) || p.in[p.i] != '-' || p.in[p.i+1] == ']' || p.in[p.i+1] == '[' {
		return
	}
	save := p.i
	p.i++
	high, highText := p.classRune()
	switch {
	case high < 0: // the minus is one
		p.i = save + 1
		s.set += `\-`
	case high < low:
		p.refuse("empty range in char class")
	default:
		s.set += "-" + highText
	}
}

// classRune reads a character of a class and its text for regexp2; -1 if it is a set of them.
func (p *joniParser) classRune() (rune, string) {
	c := p.in[p.i]
	if c != '\\' {
		p.i++
		if strings.ContainsRune(`[]^-&`, c) {
			return c, `\` + string(c)
		}
		return c, string(c)
	}
	if p.i+1 >= len(p.in) {
		p.refuse("end pattern at escape")
	}
	if c = p.in[p.i+1]; c == 'c' && p.i+2 >= len(p.in) {
		p.refuse("end pattern at control")
	}
	text := p.escaped(true)
	switch {
	case strings.ContainsRune("dDsSwWpP", c):
		return -1, text
	case strings.HasPrefix(text, `\x`), strings.HasPrefix(text, `\u`):
		r := rune(0)
		for _, d := range strings.Trim(text[2:], "{}") {
			r = r<<4 | rune(strings.IndexRune("0123456789abcdef", d|0x20))
		}
		return r, text
	}
	if r, ok := map[rune]rune{'t': '\t', 'n': '\n', 'r': '\r', 'f': '\f', 'a': 7, 'e': 27, 'v': 11, 'b': 8, '0': 0}[c]; ok {
		return r, text
	}
	return c, text
}

// posixEnd is where [:name:] ends; 0 if it is something else.
func (p *joniParser) posixEnd() int {
	for i := p.i + 2; i+1 < len(p.in) && i < p.i+22; i++ {
		switch {
		case p.in[i] == ':' && p.in[i+1] == ']':
			return i + 2
		case p.in[i] != '^' && !isWordRune(p.in[i]):
			return 0
		}
	}
	return 0
}

// posix reads [:name:] as regexp2 has it.
func (p *joniParser) posix() string {
	end := p.posixEnd()
	text := string(p.in[p.i:end])
	name := strings.TrimPrefix(text[2:len(text)-2], "^")
	if joniProperties[name] == "" || name == "any" || name == "alphabetic" {
		p.refuse("invalid POSIX bracket type")
	}
	p.i = end
	return text
}

// joniClass writes a class for regexp2, which has neither classes in classes nor intersections.
func joniClass(sides []joniSide, not bool) string {
	if len(sides) == 1 && len(sides[0].nested) == 0 {
		if not {
			return "[^" + sides[0].set + "]"
		}
		return "[" + sides[0].set + "]"
	}
	var all []string
	for _, s := range sides {
		any := s.nested
		if s.set != "" {
			any = append([]string{"[" + s.set + "]"}, any...)
		}
		if len(any) == 0 {
			any = []string{`[^\s\S]`}
		}
		all = append(all, "(?:"+strings.Join(any, "|")+")")
	}
	last := len(all) - 1
	out := "(?:"
	for _, s := range all[:last] {
		out += "(?=" + s + ")"
	}
	out += all[last] + ")"
	if not {
		return "(?:(?!" + out + `)[\s\S])`
	}
	return out
}
