package jsonpath

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Path is a parsed path.
type Path struct {
	strict bool
	root   node
	// Variables are the names that it uses, $ left out.
	Variables []string
}

// SyntaxError is an error in a path's text; At counts characters from 0. Unsupported names what Trino knows but does not run.
type SyntaxError struct {
	At                   int
	Message, Unsupported string
}

func (e *SyntaxError) Error() string { return e.Message }

// node is a part of a path; eval.go says what each gives.
type node interface{}

type (
	literal  struct{ value any }
	context  struct{} // $
	current  struct{} // @
	last     struct{}
	variable struct{ name string }
	member   struct {
		base node
		key  string
	}
	members struct{ base node } // .*
	descend struct {
		base node
		key  string
	}
	elements  struct{ base node } // [*]
	subscript struct {
		base   node
		ranges []subrange
	}
	subrange struct{ from, to node } // to is nil for one place
	filter   struct{ base, cond node }
	method   struct {
		base node
		name string
	}
	negative struct {
		x    node
		sign byte
	}
	binary struct {
		op   string
		l, r node
	}
	logical struct {
		op   string
		l, r node
	} // && || !
	compare struct {
		op   string
		l, r node
	}
	exists  struct{ x node }
	prefix  struct{ x, with node }
	unknown struct{ x node }
)

var methods = []string{"type", "size", "double", "ceiling", "floor", "abs", "keyvalue"}

type parser struct {
	text []rune
	at   int
	path *Path
}

// Parse reads a path: its mode, lax or strict, and what to look for.
func Parse(text string) (p *Path, err error) {
	r := &parser{text: []rune(text), path: &Path{}}
	defer func() {
		if e, ok := recover().(*SyntaxError); ok {
			p, err = nil, e
		}
	}()
	switch r.word() {
	case "lax":
	case "strict":
		r.path.strict = true
	case "":
		panic(&SyntaxError{At: r.at, Message: "missing {'lax', 'strict'} at '" + r.rest() + "'"})
	default:
		word := strings.TrimSpace(string(r.text[:r.at]))
		panic(&SyntaxError{Message: "mismatched input '" + word + "' expecting {'lax', 'strict'}"})
	}
	r.path.root = r.expression()
	if r.skip(); r.at < len(r.text) {
		r.fail("the end of the path")
	}
	return r.path, nil
}

// rest is the sign that stands here, as errors show it.
func (p *parser) rest() string {
	if p.at < len(p.text) {
		return string(p.text[p.at])
	}
	return "<EOF>"
}

// fail says that what stands here does not fit; at the end of the path the sign before it is named.
func (p *parser) fail(want string) {
	p.skip()
	if p.at == len(p.text) && p.at > 0 {
		panic(&SyntaxError{At: p.at, Message: "no viable alternative at input '" + string(p.text[p.at-1]) + "'"})
	}
	panic(&SyntaxError{At: p.at, Message: fmt.Sprintf("mismatched input '%s' expecting %s", p.rest(), want)})
}

func (p *parser) skip() {
	for p.at < len(p.text) && unicode.IsSpace(p.text[p.at]) {
		p.at++
	}
}

// accept reads a sign or a word if it stands here.
func (p *parser) accept(s string) bool {
	p.skip()
	r := []rune(s)
	if p.at+len(r) > len(p.text) || string(p.text[p.at:p.at+len(r)]) != s {
		return false
	}
	if unicode.IsLetter(r[0]) && p.at+len(r) < len(p.text) && inWord(p.text[p.at+len(r)]) {
		return false
	}
	p.at += len(r)
	return true
}

func (p *parser) expect(s string) {
	if !p.accept(s) {
		p.fail("'" + s + "'")
	}
}

func inWord(c rune) bool { return c == '_' || c == '$' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// word reads a name; empty if none stands here.
func (p *parser) word() string {
	p.skip()
	from := p.at
	for p.at < len(p.text) && inWord(p.text[p.at]) && (p.at > from || unicode.IsLetter(p.text[p.at])) {
		p.at++
	}
	return string(p.text[from:p.at])
}

// expression reads sums of products; a filter's conditions are read by condition.
func (p *parser) expression() node {
	l := p.product()
	for {
		switch {
		case p.accept("+"):
			l = binary{"+", l, p.product()}
		case p.accept("-"):
			l = binary{"-", l, p.product()}
		default:
			return l
		}
	}
}

func (p *parser) product() node {
	l := p.signed()
	for {
		switch {
		case p.accept("*"):
			l = binary{"*", l, p.signed()}
		case p.accept("/"):
			l = binary{"/", l, p.signed()}
		case p.accept("%"):
			l = binary{"%", l, p.signed()}
		default:
			return l
		}
	}
}

func (p *parser) signed() node {
	switch {
	case p.accept("-"):
		return negative{p.signed(), '-'}
	case p.accept("+"):
		return negative{p.signed(), '+'}
	}
	return p.accessors(p.primary())
}

func (p *parser) accessors(x node) node {
	for {
		switch {
		case p.accept(".."):
			x = descend{x, p.key()}
		case p.accept("."):
			if p.accept("*") {
				x = members{x}
				continue
			}
			key := p.key()
			if slices.Contains(methods, key) && p.accept("(") {
				p.expect(")")
				x = method{x, key}
				continue
			}
			x = member{x, key}
		case p.accept("["):
			if p.accept("*") {
				x = elements{x}
			} else {
				s := subscript{base: x}
				for ok := true; ok; ok = p.accept(",") {
					r := subrange{from: p.expression()}
					if p.accept("to") {
						r.to = p.expression()
					}
					s.ranges = append(s.ranges, r)
				}
				x = s
			}
			p.expect("]")
		case p.accept("?"):
			p.expect("(")
			x = filter{x, p.condition()}
			p.expect(")")
		default:
			return x
		}
	}
}

// key reads a member's name, in quotes or not.
func (p *parser) key() string {
	if p.skip(); p.at < len(p.text) && p.text[p.at] == '"' {
		return p.quoted()
	}
	w := p.word()
	if w == "" {
		p.fail("a name")
	}
	return w
}

func (p *parser) quoted() string {
	p.at++
	var b strings.Builder
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			if p.at < len(p.text) && p.text[p.at] == '"' { // a quote is doubled
				b.WriteByte('"')
				continue
			}
			return b.String()
		default:
			b.WriteRune(c)
		}
	}
	p.fail("a closing quote")
	return ""
}

func (p *parser) primary() node {
	p.skip()
	if p.at == len(p.text) {
		p.fail("an expression")
	}
	switch c := p.text[p.at]; {
	case c == '"':
		return literal{p.quoted()}
	case c == '(':
		p.at++
		x := p.expression()
		p.expect(")")
		return x
	case c == '@':
		p.at++
		return current{}
	case c == '$':
		p.at++
		if p.at < len(p.text) && (inWord(p.text[p.at]) || p.text[p.at] == '"') {
			name := p.key()
			p.path.Variables = append(p.path.Variables, name)
			return variable{name}
		}
		return context{}
	case unicode.IsDigit(c):
		return literal{p.number()}
	}
	at := p.at
	switch w := p.word(); w {
	case "last":
		return last{}
	case "null":
		return literal{nil}
	case "true", "false":
		return literal{w == "true"}
	case "exists":
		p.at = at
		return p.condition()
	}
	p.at = at
	p.fail("an expression")
	return nil
}

// number reads a number: a whole one, a decimal, or with an exponent a double.
func (p *parser) number() any {
	from := p.at
	digits := func() {
		for p.at < len(p.text) && unicode.IsDigit(p.text[p.at]) {
			p.at++
		}
	}
	digits()
	scale := 0
	if p.at+1 < len(p.text) && p.text[p.at] == '.' && unicode.IsDigit(p.text[p.at+1]) {
		p.at++
		point := p.at
		digits()
		scale = p.at - point
	}
	if p.at+1 < len(p.text) && (p.text[p.at] == 'e' || p.text[p.at] == 'E') && !unicode.IsLetter(p.text[p.at+1]) {
		if p.at++; p.text[p.at] == '+' || p.text[p.at] == '-' {
			p.at++
		}
		digits()
		f, _ := strconv.ParseFloat(string(p.text[from:p.at]), 64)
		return f
	}
	text := string(p.text[from:p.at])
	if scale == 0 {
		return number(text)
	}
	n, _ := new(big.Int).SetString(strings.Replace(text, ".", "", 1), 10)
	return Decimal{n, scale}
}

// condition reads a filter's condition.
func (p *parser) condition() node {
	l := p.conjunction()
	for p.accept("||") {
		l = logical{"||", l, p.conjunction()}
	}
	return l
}

func (p *parser) conjunction() node {
	l := p.negation()
	for p.accept("&&") {
		l = logical{"&&", l, p.negation()}
	}
	return l
}

func (p *parser) negation() node {
	if p.at < len(p.text) && !strings.HasPrefix(string(p.text[p.at:]), "!=") && p.accept("!") {
		return logical{"!", p.negation(), nil}
	}
	return p.predicate()
}

func (p *parser) predicate() node {
	if p.accept("exists") {
		p.expect("(")
		x := p.expression()
		p.expect(")")
		return exists{x}
	}
	// A parenthesis may hold a condition or an expression.
	from := p.at
	if p.accept("(") {
		if c := p.attempt(); c != nil {
			if p.accept("is") {
				p.expect("unknown")
				return unknown{c}
			}
			return c
		}
		p.at = from
	}
	l := p.expression()
	for _, op := range []string{"==", "<>", "!=", "<=", ">=", "<", ">"} {
		if p.accept(op) {
			if op == "!=" {
				op = "<>"
			}
			return compare{op, l, p.expression()}
		}
	}
	switch {
	case p.accept("starts"):
		p.expect("with")
		return prefix{l, p.accessors(p.primary())}
	case p.accept("like_regex"):
		panic(&SyntaxError{Unsupported: "like_regex predicate in JSON path is not yet supported"})
	}
	p.fail("a comparison")
	return nil
}

// attempt reads a condition and its closing parenthesis; nil if it is none.
func (p *parser) attempt() (c node) {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(*SyntaxError); !ok {
				panic(e)
			}
			c = nil
		}
	}()
	c = p.condition()
	p.expect(")")
	return c
}
