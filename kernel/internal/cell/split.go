package cell

import (
	"go/scanner"
	"go/token"
	"strings"
)

type place struct{ line, col int }

// item is a top-level declaration or statement, with the comments and blank lines before it.
type item struct {
	from, to place
	kind     kind
	line     int // of its first word
}

// kind is where an item belongs, in the order of Go's grammar.
type kind int

const (
	imports   kind = iota
	decls          // outside main
	statement      // in main
)

type tok struct {
	tok   token.Token
	lit   string
	place place
	end   place
}

// split cuts the cell into items, and finds the names that its statements declare. The scanner suffices, so this also works on unfinished text, as completion has it.
func split(lines []line, marker int) (items []item, locals map[string]bool) {
	toks := scan(lines)
	s := splitter{local: map[string]bool{}}
	for len(toks) > 0 {
		n := 0
		for depth := 0; n < len(toks); n++ {
			switch toks[n].tok {
			case token.LPAREN, token.LBRACK, token.LBRACE:
				depth++
			case token.RPAREN, token.RBRACK, token.RBRACE:
				depth--
			}
			// A `%%` ends whatever stands before it.
			if toks[n].tok == token.SEMICOLON && (depth <= 0 || n+1 < len(toks) && marker >= 0 && toks[n].place.line < marker && toks[n+1].place.line > marker) {
				n++
				break
			}
		}
		s.add(toks[:n], marker)
		toks = toks[n:]
	}
	return s.finish(lines), s.local
}

func scan(lines []line) []tok {
	var b strings.Builder
	starts := make([]int, len(lines))
	for i, l := range lines {
		starts[i] = b.Len()
		if !l.magic {
			b.WriteString(l.text)
		}
		b.WriteByte('\n')
	}
	text := []byte(b.String())
	file := token.NewFileSet().AddFile("", 1, len(text))
	var sc scanner.Scanner
	sc.Init(file, text, func(token.Position, string) {}, 0)
	at := func(offset int) place {
		n := len(starts) - 1
		for n > 0 && starts[n] > offset {
			n--
		}
		return place{n, offset - starts[n]}
	}
	var toks []tok
	for {
		pos, t, lit := sc.Scan()
		if t == token.EOF {
			return toks
		}
		offset := file.Offset(pos)
		size := len(lit)
		switch {
		case t == token.SEMICOLON && lit == "\n":
			size = 0
		case size == 0:
			size = len(t.String())
		case t == token.STRING && lit[0] == '`':
			// The scanner drops carriage returns from the literal.
			if end := strings.IndexByte(string(text[offset+1:]), '`'); end >= 0 {
				size = end + 2
			}
		}
		toks = append(toks, tok{t, lit, at(offset), at(min(offset+size, len(text)))})
	}
}

type splitter struct {
	items  []item
	local  map[string]bool // names that statements declared
	worked bool            // a statement was seen
}

func (s *splitter) add(toks []tok, marker int) {
	first, last := toks[0], toks[len(toks)-1]
	if first.tok == token.SEMICOLON {
		return
	}
	below := marker >= 0 && first.place.line > marker
	decl := false
	switch first.tok {
	case token.IMPORT:
		decl = true
	case token.FUNC:
		decl = isFuncDecl(toks)
	case token.CONST, token.TYPE:
		decl = !below && !s.uses(toks)
	case token.VAR:
		decl = !below && !s.uses(toks) && !(s.worked && calls(toks))
	}
	if marker >= 0 && !below {
		decl = true // what stands above `%%` is the user's own arrangement
	}
	it := item{from: first.place, to: last.end, kind: decls, line: first.place.line}
	switch {
	case first.tok == token.IMPORT:
		it.kind = imports
	case !decl:
		it.kind = statement
		s.note(toks)
		s.worked = true
	}
	s.items = append(s.items, it)
}

// uses reports whether a declaration needs a name that only main has.
func (s *splitter) uses(toks []tok) bool {
	for i, t := range toks {
		if t.tok == token.IDENT && s.local[t.lit] && (i == 0 || toks[i-1].tok != token.PERIOD) {
			return true
		}
	}
	return false
}

// note remembers the names that a statement declares for the statements after it.
func (s *splitter) note(toks []tok) {
	switch toks[0].tok {
	case token.VAR, token.CONST, token.TYPE:
		for _, spec := range specs(toks[1:]) {
			// Names with commas between them; what follows is the type or the value.
			for i := 0; i < len(spec) && spec[i].tok == token.IDENT; i += 2 {
				s.local[spec[i].lit] = true
				if toks[0].tok == token.TYPE || i+1 == len(spec) || spec[i+1].tok != token.COMMA {
					break
				}
			}
		}
	case token.IDENT:
		for i, t := range toks {
			switch t.tok {
			case token.IDENT, token.COMMA:
				continue
			case token.DEFINE:
				for _, name := range toks[:i] {
					s.local[name.lit] = true
				}
			}
			return
		}
	}
}

// specs are the parts of a declaration behind its keyword: one, or those in brackets.
func specs(toks []tok) [][]tok {
	if len(toks) == 0 || toks[0].tok != token.LPAREN {
		return [][]tok{toks}
	}
	var out [][]tok
	depth, from := 0, 1
	for i, t := range toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		if depth == 0 || depth == 1 && t.tok == token.SEMICOLON {
			out = append(out, toks[from:i])
			from = i + 1
		}
		if depth == 0 {
			break
		}
	}
	return out
}

// isFuncDecl tells `func name(` and `func (r T) name(` from a function literal.
func isFuncDecl(toks []tok) bool {
	if len(toks) < 2 {
		return false
	}
	if toks[1].tok == token.IDENT {
		return true
	}
	depth := 0
	for i, t := range toks[1:] {
		switch t.tok {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			if depth--; depth == 0 {
				rest := toks[1+i+1:]
				return len(rest) > 1 && rest[0].tok == token.IDENT && rest[1].tok == token.LPAREN
			}
		}
	}
	return false
}

// calls reports whether evaluating a declaration may depend on the statements before it. Declaring a value that the engine
// keeps (lakelab.Var, NewSession) does not, and has to stay visible in later cells.
func calls(toks []tok) bool {
	for i, t := range toks {
		if t.tok != token.IDENT || i+1 == len(toks) || t.lit == "Var" || t.lit == "NewSession" {
			continue
		}
		if toks[i+1].tok == token.LPAREN {
			return true
		}
	}
	return false
}

// finish widens the items so that every line of the cell, comments too, belongs to one.
func (s *splitter) finish(lines []line) []item {
	for i := range s.items {
		it := &s.items[i]
		if i == 0 {
			it.from = place{}
		} else {
			it.from = s.items[i-1].to
		}
		last := len(lines) - 1
		switch {
		case i+1 == len(s.items):
			it.to = place{last, len(lines[last].text)}
		case s.items[i+1].from.line > it.to.line:
			it.to = place{it.to.line + 1, 0} // with a comment behind it
		}
	}
	return s.items
}
