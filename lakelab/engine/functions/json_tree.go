package functions

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/types"
)

// JSON as Spark's parser (Jackson, with Spark's default options) takes it: single quotes too, NaN and Infinity as numbers, fields in
// their order and repeated, and nothing said about what stands behind the first value.

type jsonNode struct {
	kind byte // one of `{["0tfn`: an object, an array, text, a number, true, false, null
	text string
	keys []string
	kids []*jsonNode
}

// jsonFlags are the options that change the grammar.
type jsonFlags struct {
	noSingleQuotes, leadingZeros, unquotedNames, comments, anyEscape, noNaN, controls bool
}

type jsonParser struct {
	s     string
	i     int
	flags jsonFlags
	depth int
}

// parseJSON reads the first value of a text; nil without an error for a text that is empty.
func parseJSON(s string, flags jsonFlags) (n *jsonNode, rest string, ok bool) {
	p := &jsonParser{s: s, flags: flags}
	p.space()
	if p.i == len(s) {
		return nil, "", true
	}
	n = p.value()
	return n, s[min(p.i, len(s)):], n != nil
}

func (p *jsonParser) space() {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.i++
		case p.flags.comments && strings.HasPrefix(p.s[p.i:], "/*"):
			end := strings.Index(p.s[p.i+2:], "*/")
			if end < 0 {
				return
			}
			p.i += end + 4
		case p.flags.comments && strings.HasPrefix(p.s[p.i:], "//"):
			end := strings.IndexByte(p.s[p.i:], '\n')
			if end < 0 {
				end = len(p.s) - p.i
			}
			p.i += end
		default:
			return
		}
	}
}

func (p *jsonParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// maxJSONDepth is Jackson's.
const maxJSONDepth = 1000

func (p *jsonParser) value() *jsonNode {
	p.space()
	if p.depth++; p.depth > maxJSONDepth {
		return nil
	}
	defer func() { p.depth-- }()
	switch c := p.peek(); {
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '"' || c == '\'' && !p.flags.noSingleQuotes:
		s, ok := p.quoted()
		if !ok {
			return nil
		}
		return &jsonNode{kind: '"', text: s}
	case c == '-' || c >= '0' && c <= '9' || c == '+':
		return p.number()
	}
	for word, kind := range map[string]byte{"true": 't', "false": 'f', "null": 'n', "NaN": '0', "Infinity": '0', "INF": '0'} {
		if p.word(word) && (kind != '0' || !p.flags.noNaN) {
			return &jsonNode{kind: kind, text: word}
		}
	}
	return nil
}

// word takes a word that no letter or digit follows.
func (p *jsonParser) word(w string) bool {
	if !strings.HasPrefix(p.s[p.i:], w) {
		return false
	}
	if end := p.i + len(w); end < len(p.s) && (isLetter(p.s[end]) || isDigit(p.s[end])) {
		return false
	}
	p.i += len(w)
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *jsonParser) object() *jsonNode {
	n := &jsonNode{kind: '{'}
	p.i++
	for p.space(); p.peek() != '}'; p.space() {
		if len(n.keys) > 0 {
			if p.peek() != ',' {
				return nil
			}
			p.i++
			p.space()
		}
		key, ok := "", false
		if c := p.peek(); c == '"' || c == '\'' && !p.flags.noSingleQuotes {
			key, ok = p.quoted()
		} else if p.flags.unquotedNames {
			start := p.i
			for p.i < len(p.s) && (isLetter(p.s[p.i]) || isDigit(p.s[p.i]) || p.s[p.i] == '_' || p.s[p.i] == '$') {
				p.i++
			}
			key, ok = p.s[start:p.i], p.i > start
		}
		p.space()
		if !ok || p.peek() != ':' {
			return nil
		}
		p.i++
		v := p.value()
		if v == nil {
			return nil
		}
		n.keys, n.kids = append(n.keys, key), append(n.kids, v)
	}
	p.i++
	return n
}

func (p *jsonParser) array() *jsonNode {
	n := &jsonNode{kind: '['}
	p.i++
	for p.space(); p.peek() != ']'; p.space() {
		if len(n.kids) > 0 {
			if p.peek() != ',' {
				return nil
			}
			p.i++
		}
		v := p.value()
		if v == nil {
			return nil
		}
		n.kids = append(n.kids, v)
	}
	p.i++
	return n
}

var jsonEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *jsonParser) quoted() (string, bool) {
	quote := p.s[p.i]
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == quote:
			return b.String(), true
		case c < 0x20 && !p.flags.controls:
			return "", false
		case c != '\\':
			b.WriteByte(c)
		case p.i == len(p.s):
			return "", false
		case p.s[p.i] == 'u':
			r, ok := p.hex4()
			if !ok {
				return "", false
			}
			if utf16.IsSurrogate(r) && strings.HasPrefix(p.s[p.i:], `\u`) {
				p.i++
				low, ok := p.hex4()
				if !ok {
					return "", false
				}
				r = utf16.DecodeRune(r, low)
			}
			b.WriteRune(r)
		default:
			e := p.s[p.i]
			p.i++
			v, ok := jsonEscapes[e]
			if !ok {
				if !p.flags.anyEscape && !(e == '\'' && !p.flags.noSingleQuotes) {
					return "", false
				}
				v = e
			}
			b.WriteByte(v)
		}
	}
	return "", false
}

// hex4 reads the digits of \uXXXX, standing at the u.
func (p *jsonParser) hex4() (rune, bool) {
	if p.i+5 > len(p.s) {
		return 0, false
	}
	v, err := strconv.ParseUint(p.s[p.i+1:p.i+5], 16, 16)
	p.i += 5
	return rune(v), err == nil
}

func (p *jsonParser) number() *jsonNode {
	start := p.i
	if c := p.peek(); c == '-' || c == '+' {
		p.i++
		for _, w := range []string{"Infinity", "INF"} {
			if !p.flags.noNaN && p.word(w) {
				return &jsonNode{kind: '0', text: p.s[start:p.i]}
			}
		}
		if c == '+' {
			return nil
		}
	}
	digits := func() int {
		n := p.i
		for isDigit(p.peek()) {
			p.i++
		}
		return p.i - n
	}
	first := p.i
	n := digits()
	if n == 0 || n > 1 && p.s[first] == '0' && !p.flags.leadingZeros {
		return nil
	}
	if p.peek() == '.' {
		p.i++
		if digits() == 0 {
			return nil
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.i++
		if c := p.peek(); c == '+' || c == '-' {
			p.i++
		}
		if digits() == 0 {
			return nil
		}
	}
	if c := p.peek(); isLetter(c) || c == '_' {
		return nil
	}
	return &jsonNode{kind: '0', text: p.s[start:p.i]}
}

// whole is a number without fraction or exponent.
func (n *jsonNode) whole() (*big.Int, bool) {
	if n.kind != '0' {
		return nil, false
	}
	return new(big.Int).SetString(n.text, 10)
}

// String is the value as JSON without spaces.
func (n *jsonNode) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *jsonNode) write(b *strings.Builder) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, k := range n.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			quoteJSON(b, k)
			b.WriteByte(':')
			n.kids[i].write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, k := range n.kids {
			if i > 0 {
				b.WriteByte(',')
			}
			k.write(b)
		}
		b.WriteByte(']')
	case '"':
		quoteJSON(b, n.text)
	case '0':
		b.WriteString(n.number())
	default:
		b.WriteString(n.text)
	}
}

// number is a number as Jackson writes it again: one with a fraction or an exponent is a double.
func (n *jsonNode) number() string {
	if _, ok := n.whole(); ok {
		return n.text
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil || strings.ContainsAny(n.text, "IN") {
		return n.text
	}
	return types.Text(types.Of(types.Double), f, nil)
}

const hexDigits = "0123456789ABCDEF"

func quoteJSON(b *strings.Builder, s string) {
	b.WriteByte('"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+size])
			i += size
			continue
		}
		i++
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= 0x20:
			b.WriteByte(c)
		default:
			e := strings.IndexByte("\b\f\n\r\t", c)
			if e >= 0 {
				b.WriteByte('\\')
				b.WriteByte("bfnrt"[e])
			} else {
				b.WriteString(`\u00`)
				b.WriteByte(hexDigits[c>>4])
				b.WriteByte(hexDigits[c&15])
			}
		}
	}
	b.WriteByte('"')
}
