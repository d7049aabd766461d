package functions

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Patterns are Java's in Trino, and its engine is Joni. What it refuses is refused here in its words, and what regexp2 reads otherwise
// is written anew: possessive and repeated quantifiers, classes within classes and their intersections, \Q…\E.

// joniPattern turns a pattern into one for regexp2. refused says what Joni has against it.
func joniPattern(s string) (out, refused string) {
	p := &joniParser{in: []rune(s), names: map[string]bool{}}
	defer func() {
		if r := recover(); r != nil {
			text, ok := r.(joniRefusal)
			if !ok {
				panic(r)
			}
			out, refused = "", string(text)
		}
	}()
	p.alternatives(false)
	if p.i < len(p.in) {
		p.refuse("unmatched close parenthesis")
	}
	return string(p.out), ""
}

type joniRefusal string

type joniParser struct {
	in       []rune
	i        int
	out      []rune
	groups   int
	names    map[string]bool
	extended bool
	depth    int
}

// variable is the width of what matches texts of several lengths.
const variable = -1

// mostRepeats is how often Joni repeats at most, and joniDepth how deep groups nest before it is left to regexp2's own bound.
const (
	mostRepeats = 100000
	joniDepth   = 1000
)

func (p *joniParser) refuse(text string) { panic(joniRefusal(text)) }

func (p *joniParser) more() bool { return p.i < len(p.in) }

// at tells whether a text is next.
func (p *joniParser) at(text string) bool {
	for n, r := range []rune(text) {
		if p.i+n >= len(p.in) || p.in[p.i+n] != r {
			return false
		}
	}
	return true
}

// take copies characters.
func (p *joniParser) take(n int) {
	p.out = append(p.out, p.in[p.i:p.i+n]...)
	p.i += n
}

func (p *joniParser) emit(text string) { p.out = append(p.out, []rune(text)...) }

// wrap puts what was written from a place on into a group.
func (p *joniParser) wrap(from int, open string) {
	p.out = append(slices.Insert(p.out, from, []rune(open)...), ')')
}

// alternatives reads up to a closing parenthesis or the end, and gives the width of what matches. Behind look-behind's parenthesis the
// alternatives may be of different widths.
func (p *joniParser) alternatives(behind bool) int {
	if p.depth++; p.depth > joniDepth {
		p.refuse("too deep nest level")
	}
	extended := p.extended
	width := p.branch()
	for p.more() && p.in[p.i] == '|' {
		p.take(1)
		if w := p.branch(); w != width && (!behind || w == variable) {
			width = variable
		}
	}
	p.extended = extended
	p.depth--
	return width
}

func (p *joniParser) branch() int {
	total, fixed := 0, true
	for p.more() && p.in[p.i] != '|' && p.in[p.i] != ')' {
		c := p.in[p.i]
		switch {
		case p.extended && unicode.IsSpace(c):
			p.take(1)
			continue
		case p.extended && c == '#':
			for p.more() && p.in[p.i] != '\n' {
				p.take(1)
			}
			continue
		}
		from := len(p.out)
		if _, _, n := p.repeat(); n > 0 {
			p.refuse("target of repeat operator is not specified")
		}
		width := 0
		if p.at(`\Q`) {
			var before int
			before, from, width = p.quoted()
			total += before
		} else {
			width = p.atom()
		}
		width = p.quantified(from, width)
		total, fixed = total+width, fixed && width != variable
	}
	if !fixed {
		return variable
	}
	return total
}

// repeat looks at a quantifier: how often, and its length; 0 if there is none.
func (p *joniParser) repeat() (low, high, length int) {
	if !p.more() {
		return 0, 0, 0
	}
	switch p.in[p.i] {
	case '*':
		return 0, variable, 1
	case '+':
		return 1, variable, 1
	case '?':
		return 0, 1, 1
	case '{':
		return p.interval()
	}
	return 0, 0, 0
}

// interval looks at {n}, {n,} or {n,m}; anything else is text.
func (p *joniParser) interval() (low, high, length int) {
	i := p.i + 1
	number := func() (int, bool) {
		from := i
		n := 0
		for ; i < len(p.in) && p.in[i] >= '0' && p.in[i] <= '9'; i++ {
			n = min(n*10+int(p.in[i]-'0'), mostRepeats+1)
		}
		if n > mostRepeats {
			p.refuse("too big number for repeat range")
		}
		return n, i > from
	}
	low, ok := number()
	if !ok {
		return 0, 0, 0
	}
	high = low
	if i < len(p.in) && p.in[i] == ',' {
		i++
		if n, ok := number(); ok {
			high = n
		} else {
			high = variable
		}
	}
	if i >= len(p.in) || p.in[i] != '}' {
		return 0, 0, 0
	}
	if high != variable && high < low {
		p.refuse("upper is smaller than lower in repeat range")
	}
	return low, high, i + 1 - p.i
}

// quantified reads the quantifiers behind an atom that was written from a place on.
func (p *joniParser) quantified(from, width int) int {
	for first := true; ; first = false {
		low, high, n := p.repeat()
		if n == 0 {
			return width
		}
		if !first {
			p.wrap(from, "(?:")
		}
		p.take(n)
		switch {
		case p.more() && p.in[p.i] == '?':
			p.take(1)
		case p.more() && p.in[p.i] == '+':
			p.i++
			p.wrap(from, "(?>")
		}
		if low != high || width == variable {
			width = variable
		} else {
			width = min(width, mostRepeats) * low
		}
	}
}

// atom reads what a quantifier would repeat, and gives its width.
func (p *joniParser) atom() int {
	switch c := p.in[p.i]; c {
	case '(':
		return p.group()
	case '[':
		p.emit(p.class())
		return 1
	case '\\':
		return p.escape()
	case '^', '$':
		p.take(1)
		return 0
	case '{': // text, as it is no interval
		p.i++
		p.emit(`\{`)
		return 1
	}
	p.take(1)
	return 1
}

func (p *joniParser) group() int {
	if !p.at("(?") {
		p.groups++
		p.take(1)
		width := p.alternatives(false)
		p.close()
		return width
	}
	if p.i+2 >= len(p.in) {
		p.refuse("end pattern in group")
	}
	if p.at("(?#") {
		for ; p.more() && p.in[p.i] != ')'; p.i++ {
		}
		if !p.more() {
			p.refuse("end pattern in group")
		}
		p.i++
		return 0
	}
	for _, open := range []string{"(?:", "(?>", "(?=", "(?!"} {
		if p.at(open) {
			p.take(len(open))
			width := p.alternatives(false)
			p.close()
			if open == "(?=" || open == "(?!" {
				return 0
			}
			return width
		}
	}
	for _, open := range []string{"(?<=", "(?<!"} {
		if p.at(open) {
			p.take(len(open))
			width := p.alternatives(true)
			p.close()
			if width == variable {
				p.refuse("invalid pattern in look-behind")
			}
			return 0
		}
	}
	if p.at("(?<") {
		p.take(3)
		name := p.groupName()
		p.names[name] = true
		p.groups++
		width := p.alternatives(false)
		p.close()
		return width
	}
	return p.options()
}

// groupName reads a name and the > behind it.
func (p *joniParser) groupName() string {
	from := p.i
	for p.more() && p.in[p.i] != '>' && p.in[p.i] != ')' {
		p.i++
	}
	name := string(p.in[from:p.i])
	switch {
	case !p.more():
		p.refuse("end pattern with unmatched parenthesis")
	case name == "":
		p.refuse("group name is empty")
	case p.in[p.i] != '>' || !isWordRune(p.in[from]) || unicode.IsDigit(p.in[from]):
		p.refuse("invalid group name <" + name + ">")
	case strings.IndexFunc(name, func(r rune) bool { return !isWordRune(r) }) >= 0:
		p.refuse("invalid char in group name <" + name + ">")
	}
	p.i = from
	p.take(len([]rune(name)) + 1)
	return name
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// options reads (?ims-x) or (?ims-x:…).
func (p *joniParser) options() int {
	p.take(2)
	on, extended := true, p.extended
	for {
		if !p.more() {
			p.refuse("end pattern in group")
		}
		switch p.in[p.i] {
		case '-':
			on = false
		case 'x':
			p.extended = on
		case 'i', 'm', 's':
		case 'a', 'd', 'u': // which characters count as digits, words and so on
			p.i++
			continue
		case ')':
			p.take(1)
			return 0
		case ':':
			p.take(1)
			width := p.alternatives(false)
			p.close()
			p.extended = extended
			return width
		default:
			p.refuse("undefined group option")
		}
		p.take(1)
	}
}

func (p *joniParser) close() {
	if !p.more() {
		p.refuse("end pattern with unmatched parenthesis")
	}
	p.take(1)
}

// quoted reads \Q…\E. A quantifier repeats its last character only: before is how many there are in front of it, from where it was
// written, and width what it is wide.
func (p *joniParser) quoted() (before, from, width int) {
	p.i += 2
	text, _, closed := strings.Cut(string(p.in[p.i:]), `\E`)
	quoted := []rune(text)
	p.i += len(quoted)
	if closed {
		p.i += 2
	}
	if len(quoted) == 0 {
		from = len(p.out)
		p.emit("(?:)")
		return 0, from, 0
	}
	for _, r := range quoted {
		from = len(p.out)
		p.emit(literalRune(r))
	}
	return len(quoted) - 1, from, 1
}

// escape reads what a backslash begins outside of a class.
func (p *joniParser) escape() int {
	if p.i+1 >= len(p.in) {
		p.refuse("end pattern at escape")
	}
	switch c := p.in[p.i+1]; {
	case c == 'c' && p.i+2 >= len(p.in):
		p.refuse("end pattern at control")
	case c == 'k':
		if p.i+2 >= len(p.in) || p.in[p.i+2] != '<' {
			p.i += 2
			p.emit("k")
			return 1
		}
		p.take(3)
		from := p.i
		for p.more() && p.in[p.i] != '>' {
			p.i++
		}
		name := string(p.in[from:p.i])
		if n, err := strconv.Atoi(name); err == nil && n > p.groups {
			p.refuse("invalid backref number/name")
		} else if err != nil && !p.names[name] {
			p.refuse("undefined name <" + name + "> reference")
		}
		p.i = from
		p.take(min(len([]rune(name))+1, len(p.in)-from))
		return variable
	case c >= '1' && c <= '9':
		if int(c-'0') > p.groups {
			p.refuse("invalid backref number/name")
		}
		p.take(2)
		return variable
	case strings.ContainsRune("bBAzZG", c):
		p.take(2)
		return 0
	}
	p.emit(p.escaped(false))
	return 1
}

// escaped reads an escape that stands for characters, in a class or outside.
func (p *joniParser) escaped(class bool) string {
	c := p.in[p.i+1]
	hex := func(from, most int) int {
		n := 0
		for n < most && from+n < len(p.in) && p.in[from+n] < 0x80 && isHex(byte(p.in[from+n])) {
			n++
		}
		return n
	}
	from := p.i
	switch c {
	case 'p', 'P':
		return p.property(class)
	case 'x':
		if p.i+2 < len(p.in) && p.in[p.i+2] == '{' {
			if n := hex(p.i+3, 8); n > 0 && p.i+3+n < len(p.in) && p.in[p.i+3+n] == '}' {
				p.i += n + 4
				return string(p.in[from:p.i])
			}
		}
		n := hex(p.i+2, 2)
		digits := string(p.in[p.i+2 : p.i+2+n])
		p.i += 2 + n
		return `\x` + strings.Repeat("0", 2-n) + digits
	case 'u':
		if n := hex(p.i+2, 4); n < 4 {
			digits := string(p.in[p.i+2 : p.i+2+n])
			p.i += 2 + n
			return `\u` + strings.Repeat("0", 4-n) + digits
		}
		p.i += 6
	case 'c':
		p.i = min(p.i+3, len(p.in))
	default:
		p.i += 2
		if c >= 'A' && c <= 'z' && !strings.ContainsRune("dDsSwWtnrfaevbXR0", c) && unicode.IsLetter(c) {
			return string(c) // no escape: the letter itself
		}
	}
	return string(p.in[from:p.i])
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// joniProperties are the names of POSIX's classes, which regexp2 does not know as properties.
var joniProperties = map[string]string{"alpha": `\p{L}\p{M}`, "digit": `\p{Nd}`, "alnum": `\p{L}\p{M}\p{Nd}`, "upper": `\p{Lu}`, "lower": `\p{Ll}`, "space": `\s`,
	"punct": `\p{P}`, "xdigit": `0-9a-fA-F`, "cntrl": `\p{Cc}`, "blank": `\p{Zs}\t`, "ascii": `\x00-\x7f`, "word": `\w`, "graph": `\p{L}\p{M}\p{N}\p{P}\p{S}`, "print": `\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}`,
	"any": `\s\S`, "alphabetic": `\p{L}\p{Nl}`}

// property reads \p{Name} or \P{Name}; \p{^Name} is its opposite, too.
func (p *joniParser) property(class bool) string {
	from, not := p.i, p.in[p.i+1] == 'P'
	if p.i+2 >= len(p.in) || p.in[p.i+2] != '{' {
		p.i += 2
		if p.more() && unicode.IsLetter(p.in[p.i]) {
			p.i++
		}
		return string(p.in[from:p.i])
	}
	end := p.i + 3
	for end < len(p.in) && p.in[end] != '}' {
		end++
	}
	if end == len(p.in) {
		p.refuse("internal parser error (bug)")
	}
	name := string(p.in[p.i+3 : end])
	p.i = end + 1
	plain, opposite := strings.CutPrefix(name, "^")
	not = not != opposite
	key := strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(plain))
	set := joniProperties[strings.TrimPrefix(key, "is")]
	switch {
	case set != "" && !class && not:
		return "[^" + set + "]"
	case set != "" && !class:
		return "[" + set + "]"
	case set != "" && !not:
		return set
	}
	letter := map[bool]string{false: `\p{`, true: `\P{`}[not]
	for _, try := range []string{plain, strings.TrimPrefix(plain, "Is"), strings.TrimPrefix(plain, "In")} {
		if _, err := compile("regexp", letter+try+"}"); err == nil {
			return letter + try + "}"
		}
	}
	p.refuse("invalid character property name <" + name + ">")
	return ""
}

// literalRune is a character that stands for itself.
func literalRune(r rune) string {
	if r < 0x80 && !isWordRune(r) {
		return `\` + string(r)
	}
	return string(r)
}
