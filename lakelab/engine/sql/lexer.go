package sql

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

type kind uint8

const (
	eof kind = iota
	word
	quoted  // a quoted identifier
	str     // a string literal
	integer // digits only
	decimal // with a point or (in Spark) a suffix
	exponent
	binary // Trino's X'…'
	op
	unknown // a character that no token begins with
)

// lexeme is a token with its source text. kw is the upper-case form of a known word, or the operator.
type lexeme struct {
	kind       kind
	kw         string
	text       string
	start, end token.Pos
}

func (t *lexeme) span() token.Span { return token.Span{Start: t.start, End: t.end} }

// lexer cuts a text into lexemes. It never fails: what it does not know becomes an unknown lexeme that no grammar accepts.
type lexer struct {
	dialect  Dialect
	src      string
	pos      token.Pos
	unclosed *token.Span // a bracketed comment without end (Spark refuses it, whatever else is wrong)
	// identQuotes makes "…" an identifier in Spark too.
	identQuotes bool
	// typesOpen is how many ">" close types in Spark: each word ARRAY, MAP or STRUCT before was the beginning of one, whatever its
	// grammar makes of it. While any is open, ">>" is no operator.
	typesOpen int
}

func lex(d Dialect, src string) ([]lexeme, *lexer) { return lexWith(d, src, Options{}) }

func lexWith(d Dialect, src string, opts Options) ([]lexeme, *lexer) {
	l := &lexer{dialect: d, src: src, pos: token.Pos{Line: 1}, identQuotes: opts.DoubleQuotedIdentifiers || d == Trino}
	out := make([]lexeme, 0, len(src)/4+8)
	for {
		l.space()
		t := l.next()
		out = append(out, t)
		if t.kind == eof {
			return out, l
		}
	}
}

// advance moves to a byte offset and keeps line and column.
func (l *lexer) advance(to int) {
	for l.pos.Offset < to {
		c := l.src[l.pos.Offset]
		switch {
		case c == '\n':
			l.pos.Line++
			l.pos.Col = 0
			l.pos.Offset++
		case c < utf8.RuneSelf:
			l.pos.Col++
			l.pos.Offset++
		default:
			_, n := utf8.DecodeRuneInString(l.src[l.pos.Offset:])
			l.pos.Col++
			l.pos.Offset += n
		}
	}
}

func (l *lexer) space() {
	for l.pos.Offset < len(l.src) {
		i := l.pos.Offset
		rest := l.src[i:]
		c := rest[0]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			l.advance(i + 1)
		case l.dialect == Spark && (c < ' ' || c >= utf8.RuneSelf):
			r, n := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\uFEFF' && (r > 0x1F || r < 0x1C) {
				return
			}
			l.advance(i + n)
		case strings.HasPrefix(rest, "--"):
			l.advance(i + l.lineComment(rest))
		case strings.HasPrefix(rest, "/*"):
			n := l.bracketed(rest)
			if n == 0 {
				return
			}
			l.advance(i + n)
		default:
			return
		}
	}
}

func (l *lexer) lineComment(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' && (l.dialect == Trino || s[i-1] != '\\') {
			return i + 1
		}
		if s[i] == '\r' && l.dialect == Spark {
			return i + 1
		}
	}
	return len(s)
}

// bracketed gives the length of the comment at s, 0 if it is none. Spark's nest, and a /*+ is a hint.
func (l *lexer) bracketed(s string) int {
	if l.dialect == Trino {
		if end := strings.Index(s[2:], "*/"); end >= 0 {
			return end + 4
		}
		return 0
	}
	if strings.HasPrefix(s, "/*+") {
		return 0
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "/*") && !strings.HasPrefix(s[i:], "/*+"):
			depth++
			i++
		case strings.HasPrefix(s[i:], "*/"):
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	if l.unclosed == nil {
		l.unclosed = &token.Span{Start: l.pos, End: l.pos}
	}
	return len(s)
}

// take makes a lexeme of the next n bytes.
func (l *lexer) take(k kind, n int) lexeme {
	t := lexeme{kind: k, start: l.pos, text: l.src[l.pos.Offset : l.pos.Offset+n]}
	l.advance(l.pos.Offset + n)
	t.end = l.pos
	return t
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// wordLen is the length of the letters, digits and underscores at s. Spark takes letters of any script here and refuses
// them where they are used.
func (l *lexer) wordLen(s string) int {
	i := 0
	for i < len(s) {
		c := s[i]
		if isLetter(c) || isDigit(c) || c == '_' {
			i++
			continue
		}
		if c < utf8.RuneSelf || l.dialect == Trino {
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) {
			break
		}
		i += n
	}
	return i
}

func (l *lexer) next() lexeme {
	s := l.src[l.pos.Offset:]
	if s == "" {
		return lexeme{kind: eof, start: l.pos, end: l.pos}
	}
	c := s[0]
	if isDigit(c) || c == '.' && len(s) > 1 && isDigit(s[1]) {
		if k, n := l.number(s); n > 0 {
			return l.take(k, n)
		}
	}
	if c == '\'' || c == '"' || c == '`' {
		if n := l.quotedLen(s); n > 0 {
			k := quoted
			if c == '\'' || c == '"' && !l.identQuotes {
				k = str
			}
			return l.take(k, n)
		}
		return l.take(unknown, 1)
	}
	if len(s) > 2 {
		switch {
		case l.dialect == Spark && c|0x20 == 'r' && (s[1] == '\'' || s[1] == '"'):
			if end := strings.IndexByte(s[2:], s[1]); end >= 0 {
				return l.take(str, end+3)
			}
		case l.dialect == Trino && c|0x20 == 'x' && s[1] == '\'':
			if end := strings.IndexByte(s[2:], '\''); end >= 0 {
				return l.take(binary, end+3)
			}
		case l.dialect == Trino && c|0x20 == 'u' && s[1] == '&' && s[2] == '\'':
			if n := l.quotedLen(s[2:]); n > 0 {
				return l.take(str, n+2)
			}
		}
	}
	if n := l.wordLen(s); n > 0 {
		t := l.take(word, n)
		t.kw = keyword(t.text)
		if l.dialect == Spark && (t.kw == "ARRAY" || t.kw == "MAP" || t.kw == "STRUCT") {
			l.typesOpen++
		}
		return t
	}
	if n := l.operatorLen(s); n > 0 {
		t := l.take(op, n)
		t.kw = operators[t.text]
		if t.kw == ">" {
			l.typesOpen = max(0, l.typesOpen-1)
		}
		return t
	}
	_, n := utf8.DecodeRuneInString(s)
	return l.take(unknown, n)
}

// keyword gives the upper-case form if text is one of words. No allocation.
func keyword(text string) string {
	if len(text) > 20 {
		return ""
	}
	var buf [20]byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= 'a' && c <= 'z' {
			c -= 0x20
		}
		buf[i] = c
	}
	return words[string(buf[:len(text)])]
}

// operators maps each spelling to the operator it stands for.
var operators = map[string]string{
	"=": "=", "==": "=", "<>": "<>", "!=": "<>", "<=>": "<=>", "<": "<", "<=": "<=", "!>": "<=", ">": ">", ">=": ">=", "!<": ">=",
	"<<": "<<", ">>": ">>", ">>>": ">>>", "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "~": "~", "&": "&", "|": "|", "||": "||", "|>": "|>", "^": "^",
	"!": "!", "->": "->", "=>": "=>", "::": "::", ":": ":", "(": "(", ")": ")", "[": "[", "]": "]", ",": ",", ".": ".", ";": ";",
	"?": "?", "/*+": "/*+", "*/": "*/", "{": "{", "}": "}", "$": "$",
}

func (l *lexer) operatorLen(s string) int {
	n := min(3, len(s))
	for ; n > 0; n-- {
		w := s[:n]
		if operators[w] == "" {
			continue
		}
		if l.dialect == Trino {
			switch w {
			case "==", "<=>", "!>", "!<", "<<", ">>", ">>>", "~", "&", "|>", "!", "::", "/*+", "*/":
				continue
			}
		} else if w == "{" || w == "}" || w == "$" || l.typesOpen > 0 && (w == ">>" || w == ">>>") {
			continue
		}
		return n
	}
	return 0
}

// quotedLen is the length of the quoted text at s, 0 if it has no end. A doubled quote stands for itself; Spark's strings know
// backslashes too.
func (l *lexer) quotedLen(s string) int {
	q := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && q != '`' && l.dialect == Spark:
			i++
		case s[i] == q:
			// To Spark 'it''s' is two strings side by side.
			if i+1 < len(s) && s[i+1] == q && !(l.dialect == Spark && (q == '\'' || !l.identQuotes && q == '"')) {
				i++
				continue
			}
			return i + 1
		}
	}
	return 0
}

// number recognises a numeric literal, and gives way (0) to a word that begins with digits.
func (l *lexer) number(s string) (kind, int) {
	if l.dialect == Trino {
		return l.trinoNumber(s)
	}
	i := digits(s, 0)
	k := integer
	if i < len(s) && s[i] == '.' {
		// "1.5a" is no decimal: Spark reads 1 . 5a, or gives the digits to a name.
		j := digits(s, i+1)
		if j > i+1 || i > 0 {
			if e := exponentLen(s[j:]); e > 0 {
				if k, n := suffix(s, j+e, exponent); l.ends(s, n) {
					return k, n
				}
			}
			if k, n := suffix(s, j, decimal); l.ends(s, n) {
				return k, n
			}
		}
		if i == 0 {
			return op, 0
		}
		return integer, i
	}
	n := i
	if e := exponentLen(s[i:]); e > 0 {
		k, n = exponent, i+e
	}
	k, n = suffix(s, n, k)
	if w := l.wordLen(s); w > n {
		return word, 0
	}
	return k, n
}

func (l *lexer) ends(s string, n int) bool { return n >= len(s) || l.wordLen(s[n:]) == 0 }

func digits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func exponentLen(s string) int {
	if s == "" || s[0]|0x20 != 'e' {
		return 0
	}
	i := 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if j := digits(s, i); j > i {
		return j
	}
	return 0
}

// suffix extends a number of n bytes by Spark's type suffix.
func suffix(s string, n int, k kind) (kind, int) {
	if n >= len(s) {
		return k, n
	}
	switch s[n] | 0x20 {
	case 'b':
		if n+1 < len(s) && s[n+1]|0x20 == 'd' {
			return decimal, n + 2
		}
	case 'd', 'f':
		return decimal, n + 1
	case 'l', 's', 'y':
		if k == integer {
			return decimal, n + 1
		}
	}
	return k, n
}

func (l *lexer) trinoNumber(s string) (kind, int) {
	if len(s) > 2 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0 {
		n := 2
		for n < len(s) && (isHex(s[n], s[1]|0x20) || s[n] == '_' && n+1 < len(s) && isHex(s[n+1], s[1]|0x20)) {
			n++
		}
		if n > 2 {
			if l.wordLen(s) > n {
				return word, 0
			}
			return integer, n
		}
	}
	i := digitsUnderscore(s, 0)
	k, n := integer, i
	if i < len(s) && s[i] == '.' {
		n = digitsUnderscore(s, i+1)
		k = decimal
	}
	if e := exponentLen(s[n:]); e > 0 {
		return exponent, n + e
	}
	if k == integer && l.wordLen(s) > n {
		return word, 0
	}
	return k, n
}

func digitsUnderscore(s string, i int) int {
	for i < len(s) && (isDigit(s[i]) || s[i] == '_' && i > 0 && isDigit(s[i-1]) && i+1 < len(s) && isDigit(s[i+1])) {
		i++
	}
	return i
}

func isHex(c, base byte) bool {
	switch base {
	case 'x':
		return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
	case 'o':
		return c >= '0' && c <= '7'
	}
	return c == '0' || c == '1'
}
