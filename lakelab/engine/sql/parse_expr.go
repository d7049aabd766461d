package sql

import (
	"regexp"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// expr reads a boolean expression: OR of ANDs of (negated) predicates.
func (p *parser) expr() Expr {
	done := p.group("<expression>")
	p.enter()
	start := p.i
	left := p.conjunction()
	done()
	for p.is("OR") && !p.dangling() {
		p.i++
		right := p.conjunctionNoted()
		left = &Binary{p.at(start), "OR", left, right}
	}
	p.leave()
	return left
}

// dangling tells whether the statement ends behind the lexeme here: Spark then calls the lexeme itself too much.
func (p *parser) dangling() bool {
	return p.dialect == Spark && (p.peek(1).kind == eof || p.peek(1).kw == ";")
}

func (p *parser) conjunctionNoted() Expr {
	done := p.group("<expression>")
	e := p.conjunction()
	done()
	return e
}

func (p *parser) conjunction() Expr {
	start := p.i
	left := p.negation()
	for p.is("AND") && !p.dangling() {
		p.i++
		done := p.group("<expression>")
		right := p.negation()
		done()
		left = &Binary{p.at(start), "AND", left, right}
	}
	return left
}

func (p *parser) negation() Expr {
	start := p.i
	if p.is("NOT") || p.dialect == Spark && p.is("!") {
		if p.dialect == Trino || p.now().kw == "!" || !p.continuesOperand(1) {
			p.i++
			p.enter()
			done := p.group("<expression>")
			x := p.negation()
			done()
			p.leave()
			return &Unary{p.at(start), "NOT", x}
		}
	}
	if p.dialect == Spark && p.isSeq("EXISTS", "(") && p.queryAt(2) {
		p.i++
		q := p.subquery()
		return &Exists{p.at(start), q}
	}
	x := p.value()
	return p.predicate(start, x)
}

// continuesOperand tells whether the lexeme n ahead shows that a keyword before it is a plain name: "not + 1", "case, b".
func (p *parser) continuesOperand(n int) bool {
	t := p.peek(n)
	if t.kind == eof {
		return true
	}
	if t.kind == op {
		switch t.kw {
		case "(", "-", "+", "~", "*", "?", ":", "/*+", "!":
			return false
		}
		return true
	}
	return false
}

// predicate reads what may follow a value: BETWEEN, IN, LIKE, IS …; in Trino also comparisons.
func (p *parser) predicate(start int, x Expr) Expr {
	done := p.group("<predicate>")
	defer done()
	if p.dialect == Trino {
		if c := p.trinoComparison(start, x); c != nil {
			return c
		}
	}
	begin := p.i
	not := p.is("NOT") || p.dialect == Spark && p.is("!")
	if not {
		switch p.peek(1).kw {
		case "BETWEEN", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP":
			p.i++
		default:
			not = false
			// Nothing else may follow NOT: the error belongs behind it, unless it is an alias, as in Spark.
			if p.dialect == Trino {
				p.i++
				for _, k := range [...]string{"BETWEEN", "IN", "LIKE"} {
					p.is(k)
				}
				p.fail()
			}
		}
	}
	// A test is placed at its keyword.
	switch {
	case p.is("BETWEEN") && (not || !p.continuesOperand(1)):
		p.i++
		lo := p.value()
		p.need("AND")
		hi := p.value()
		return &Between{p.at(begin), x, lo, hi, not}
	case p.dialect == Trino && !not && p.is("IN") && (p.peek(1).kw != "(" || p.closes(2)):
		// Trino stops at IN unless something stands in its parentheses: what could go on with the value is no choice any more.
		p.forget()
		return x
	case p.is("IN") && (p.peek(1).kw == "(" || not):
		in := p.i
		p.i++
		if p.peek(0).kw == "(" && p.queryAt(1) {
			if q, ok := p.parenQuery(); ok {
				return &In{At: p.at(begin), X: x, Query: q, Not: not}
			}
		}
		var items []Expr
		if p.dialect == Trino {
			items = parens(p, p.expr)
		} else if !p.soft(func() { items = parens(p, p.expr) }) {
			// Where a name may stand, Spark takes IN for one and stops at the parenthesis.
			if p.depth != p.itemDepth {
				p.i = in
			}
			p.fail()
		}
		return &In{At: p.at(begin), X: x, List: items, Not: not}
	case p.is("LIKE") || p.dialect == Spark && (p.is("ILIKE") || p.is("RLIKE") || p.is("REGEXP")):
		if p.dialect == Spark && !not && p.continuesOperand(1) {
			return x
		}
		return p.like(start, begin, x, not)
	case p.is("IS"):
		n := 1
		if p.peek(1).kw == "NOT" || p.dialect == Spark && p.peek(1).kw == "!" {
			n = 2
		}
		if p.dialect == Spark && n == 1 && p.clauseAt(1) {
			return x
		}
		switch w := p.peek(n).kw; w {
		case "DISTINCT":
			p.i += n + 1
			p.expect("FROM")
			r := p.value()
			return &IsDistinct{p.at(begin), x, r, n == 2}
		case "NULL", "TRUE", "FALSE", "UNKNOWN":
			if w == "NULL" || p.dialect == Spark {
				p.i += n + 1
				return &Is{p.at(begin), x, w, n == 2}
			}
		}
		if p.continuesOperand(1) && p.dialect == Spark {
			return x
		}
		p.i += n
		if n == 1 {
			p.note("'NOT'")
		}
		p.note("'DISTINCT'")
		p.note("'NULL'")
		p.fail()
	}
	p.i = begin
	return x
}

func (p *parser) like(start, begin int, x Expr, not bool) Expr {
	kw := p.now().kw
	p.i++
	if kw == "REGEXP" {
		kw = "RLIKE"
	}
	e := &Like{Op: kw, X: x, Not: not}
	if p.dialect == Spark && kw != "RLIKE" && p.peek(1).kw == "(" {
		switch q := p.oneOf("ANY", "SOME", "ALL"); q {
		case "":
		default:
			if q == "SOME" {
				q = "ANY"
			}
			e.Quantifier = q
			if p.acceptSeq("(", ")") {
				p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0064", "", "Expected something between '(' and ')'.", p.at(start).Pos))
				e.At = p.at(start)
				return e
			}
			e.Patterns = parens(p, p.expr)
			e.At = p.at(start)
			return e
		}
	}
	done := p.group("<expression>")
	e.Pattern = p.value()
	done()
	if kw != "RLIKE" && p.accept("ESCAPE") {
		if p.dialect == Trino {
			e.Escape = p.value()
		} else {
			at := p.i
			text := p.stringLit()
			e.Escape = &Literal{At: p.at(at), Kind: StringLit, Text: text}
		}
	}
	e.At = p.at(begin)
	return e
}

func (p *parser) trinoComparison(start int, x Expr) Expr {
	begin := p.i
	kw := p.oneOf("=", "<>", "<", "<=", ">", ">=")
	if kw == "" {
		return nil
	}
	for _, q := range [...]string{"ALL", "SOME", "ANY"} {
		if p.is(q) && p.peek(1).kw == "(" && p.queryAt(2) {
			p.i++
			query := p.subquery()
			if q == "SOME" {
				q = "ANY"
			}
			return &Quantified{p.opAt(start, begin), kw, q, x, query}
		}
	}
	done := p.group("<expression>")
	r := p.value()
	done()
	return &Binary{p.opAt(start, begin), kw, x, r}
}

// Precedence of infix operators on values, from loose to close.
var sparkOps = map[string]int{
	"=": 1, "<>": 1, "<": 1, "<=": 1, ">": 1, ">=": 1, "<=>": 1,
	"|": 2, "^": 3, "&": 4, "<<": 5, ">>": 5, ">>>": 5, "+": 6, "-": 6, "||": 6, "*": 7, "/": 7, "%": 7, "DIV": 7,
}

var trinoOps = map[string]int{"||": 1, "+": 2, "-": 2, "*": 3, "/": 3, "%": 3}

// value reads an expression without boolean operators and predicates.
func (p *parser) value() Expr {
	done := p.group("<expression>")
	e := p.infix(1)
	done()
	return e
}

func (p *parser) infix(prec int) Expr {
	p.enter()
	start := p.i
	left := p.unary()
	for {
		o, n, q := p.infixOp()
		if n == 0 || q < prec {
			break
		}
		begin := p.i
		p.i += n
		done := p.group("<expression>")
		right := p.infix(q + 1)
		done()
		left = &Binary{p.opAt(start, begin), o, left, right}
	}
	p.leave()
	return left
}

// opAt is the place of an operator's expression: Spark points at its first operand, Trino at the operator (or the NOT before it).
func (p *parser) opAt(start, begin int) At {
	at := p.at(start)
	if p.dialect == Trino {
		at.Pos.Start = p.toks[begin].start
	}
	return at
}

// infixOp gives the infix operator here, its length in lexemes and its precedence.
func (p *parser) infixOp() (string, int, int) {
	t := p.now()
	if p.dialect == Trino {
		if p.noting {
			for o := range trinoOps {
				p.note("'" + o + "'")
			}
		}
		if t.kind != op {
			return "", 0, 0
		}
		return t.kw, 1, trinoOps[t.kw]
	}
	if t.kind != op {
		// DIV may be an alias.
		if t.kw == "DIV" && !p.continuesOperand(1) {
			return "DIV", 1, sparkOps["DIV"]
		}
		return "", 0, 0
	}
	q := sparkOps[t.kw]
	if q == 0 {
		return "", 0, 0
	}
	return t.kw, 1, q
}

func (p *parser) unary() Expr {
	start := p.i
	t := p.now()
	if t.kind == op && (t.kw == "-" || t.kw == "+" || t.kw == "~") {
		if t.kw != "-" || !p.numberAt(1) {
			p.i++
			p.enter()
			x := p.unary()
			p.leave()
			return &Unary{p.at(start), t.kw, x}
		}
	}
	x := p.postfix(p.primary())
	if p.dialect == Trino {
		for p.is("AT") && p.peek(1).kw == "TIME" {
			begin := p.i
			p.i += 2
			p.expect("ZONE")
			var zone Expr
			if p.is("INTERVAL") {
				zone = p.interval()
			} else {
				zone = p.stringExpr()
			}
			x = &AtTimeZone{p.opAt(start, begin), x, zone}
		}
	}
	return x
}

func (p *parser) stringExpr() Expr {
	start := p.i
	s := p.stringLit()
	return &Literal{At: p.at(start), Kind: StringLit, Text: s}
}

func (p *parser) numberAt(n int) bool {
	switch p.peek(n).kind {
	case integer, decimal, exponent:
		return true
	}
	return false
}

// postfix reads .field, [index] and, in Spark, ::type behind a primary expression.
func (p *parser) postfix(x Expr) Expr {
	for {
		switch {
		case p.is("."):
			if p.peek(1).kw == "*" {
				return x // t.* is read by primary; anything else fails where the dot stands
			}
			p.i++
			n := p.ident()
			x = &Field{p.from(x), x, n}
		case p.is("["):
			p.i++
			idx := p.value()
			p.need("]")
			x = &Subscript{p.from(x), x, idx}
		case p.dialect == Spark && p.is("::"):
			p.i++
			t := p.sparkType()
			x = &Cast{At: p.from(x), X: x, Type: t}
		case p.dialect == Spark && p.is("COLLATE") && !p.continuesOperand(1):
			start := p.i
			p.i++
			p.names()
			p.unsupported("COLLATE", start)
		default:
			return x
		}
	}
}

// queryAt tells whether the lexeme n ahead, behind any parentheses, can begin a query.
func (p *parser) queryAt(n int) bool {
	for last := n + maxDepth; p.peek(n).kw == "(" && n < last; {
		n++
	}
	t := p.peek(n)
	if t.kind != word {
		return false
	}
	switch t.kw {
	case "WITH":
		return p.dialect == Trino || p.peek(n+1).kw == "RECURSIVE" || p.identAt(n+1) && (p.peek(n+2).kw == "AS" || p.peek(n+2).kw == "(")
	case "SELECT":
		return p.dialect == Trino || !p.continuesOperand(n+1) || p.peek(n+1).kw == "/*+"
	case "VALUES", "TABLE":
		return p.dialect == Trino || !p.continuesOperand(n+1)
	case "FROM", "MAP", "REDUCE":
		if t.kw == "FROM" && p.peek(n+1).kw == "(" && p.dialect == Spark {
			return p.queryAt(n + 1) // else a function of that name
		}
		return p.dialect == Spark && !p.continuesOperand(n+1) && p.peek(n+1).kw != "("
	}
	return false
}

// subquery reads ( query ).
func (p *parser) subquery() *Query {
	p.expect("(")
	q := p.query()
	p.expect(")")
	return q
}

// parenQuery tries to read ( query ), and remembers the outcome.
func (p *parser) parenQuery() (*Query, bool) { return p.parenQueryAs(p.subquery) }

// fromSubquery reads ( query ) in FROM, where Spark says what is missing.
func (p *parser) fromSubquery() *Query {
	p.expect("(")
	q := p.query()
	p.need(")")
	return q
}

func (p *parser) parenQueryAs(read func() *Query) (*Query, bool) {
	start := p.i
	if t, seen := p.queries[start]; seen {
		if t.q != nil {
			p.i = t.end
		}
		return t.q, t.q != nil
	}
	// Only "((" leaves a doubt; else the words decide and the error should stand where it is.
	var q *Query
	if p.peek(1).kw != "(" {
		q = read()
	} else {
		p.try(func() { q = read() })
	}
	if p.queries == nil {
		p.queries = map[int]triedQuery{}
	}
	p.queries[start] = triedQuery{q, p.i}
	return q, q != nil
}

func (p *parser) primary() Expr {
	start := p.i
	t := p.now()
	switch t.kind {
	case integer, decimal, exponent:
		return p.number()
	case str:
		return p.stringConcat()
	case binary:
		p.i++
		body := strings.ToUpper(strings.Join(strings.Fields(t.text[2:len(t.text)-1]), ""))
		p.checkHex(body, t)
		return &Literal{At: p.at(start), Kind: BinaryLit, Text: body}
	case op:
		switch t.kw {
		case "-":
			if p.numberAt(1) {
				return p.number()
			}
		case "(":
			return p.parenthesised()
		case "?":
			p.i++
			p.params++
			return &Param{At: p.at(start), Index: p.params - 1}
		case ":":
			if p.dialect == Spark {
				p.i++
				n := p.ident()
				return &Param{At: p.at(start), Name: n.Text}
			}
		case "*":
			if p.dialect == Spark {
				p.i++
				return p.star(start, nil)
			}
		}
	case word:
		if p.peek(1).kind == op && p.peek(1).kw == "." && (p.dialect == Trino || t.kw != "NULL" && t.kw != "TRUE" && t.kw != "FALSE") {
			break // a qualified name; but Spark takes a field of these constants
		}
		if p.peek(1).kind == str {
			if e := p.typedLiteral(); e != nil {
				return e
			}
		}
		var e Expr
		if p.dialect == Trino {
			e = p.trinoKeyword(t.kw)
		} else {
			e = p.sparkKeyword(t.kw)
		}
		if e != nil {
			return e
		}
	}
	return p.nameExpr()
}

// nameExpr reads what begins with a name: a lambda, a call, t.* or a column.
func (p *parser) nameExpr() Expr {
	start := p.i
	if !p.isIdent() {
		p.note("<identifier>")
		p.fail()
	}
	if p.peek(1).kw == "->" && p.peek(1).kind == op {
		n := p.ident()
		p.i++
		body := p.expr()
		return &Lambda{p.at(start), []Name{n}, body}
	}
	var parts []Name
	if p.dialect == Spark && p.isSeq("IDENTIFIER", "(") {
		parts = p.identifierClause()
	} else {
		parts = []Name{p.ident()}
		for p.is(".") && p.peek(1).kw != "*" {
			p.i++
			if p.dialect == Trino && p.depth == p.itemDepth {
				p.note("'*'")
			}
			parts = append(parts, p.ident())
		}
	}
	if p.now().kw == "(" {
		return p.call(start, parts)
	}
	if p.inside {
		p.note("'('")
	}
	if p.is(".") && p.peek(1).kw == "*" {
		if p.dialect == Trino {
			return &Ident{At: p.at(start), Parts: parts}
		}
		p.i += 2
		return p.star(start, parts)
	}
	if p.inside {
		p.note("'->'")
		p.note("<string>")
		p.note("'OVER'")
	}
	if p.dialect == Trino && p.now().kw == "OVER" && (p.peek(1).kw == "(") && len(parts) == 1 {
		p.unsupported("a MATCH_RECOGNIZE measure", start)
	}
	return &Ident{At: p.at(start), Parts: parts}
}

// star finishes a * whose start has been read.
func (p *parser) star(start int, qualifier []Name) Expr {
	s := &Star{Qualifier: qualifier}
	if p.isSeq("EXCEPT", "(") && !p.queryAt(2) {
		p.i++
		s.Except = parens(p, p.column)
	}
	s.At = p.at(start)
	return s
}

// column reads a dotted name as an Ident.
func (p *parser) column() Ident {
	start := p.i
	n := p.names()
	return Ident{At: p.at(start), Parts: n}
}

func (p *parser) number() Expr {
	start := p.i
	sign := ""
	if p.accept("-") {
		sign = "-"
	}
	t := p.now()
	p.i++
	digits, suffix := t.text, ""
	if p.dialect == Spark {
		digits, suffix = splitNumber(t.text)
	}
	l := &Literal{At: p.at(start), Kind: NumberLit, Text: sign + digits, Suffix: suffix}
	if p.dialect == Spark {
		p.checkNumber(l)
	} else {
		l.Text = sign + trinoDigits(t)
	}
	return l
}

// stringConcat reads a string; Spark joins neighbours into one.
func (p *parser) stringConcat() Expr {
	start := p.i
	s := p.stringLit()
	if p.dialect == Spark && p.now().kind == str {
		var b strings.Builder
		b.WriteString(s)
		for p.now().kind == str {
			b.WriteString(p.stringLit())
		}
		s = b.String()
	}
	return &Literal{At: p.at(start), Kind: StringLit, Text: s}
}

// zoned matches a timestamp's text that names its time zone.
var zoned = regexp.MustCompile(`:\d\d.*(?:[A-Za-z]|[+-]\d{1,2}(?::\d\d)?)\s*$`)

// typedLiteral reads DATE '…' and its like; nil if the word is something else (DISTINCT 'x').
func (p *parser) typedLiteral() Expr {
	start := p.i
	t := p.now()
	if t.kw == "INTERVAL" && (p.dialect == Spark || intervalFields[p.peek(2).kw] > 0) {
		return p.interval()
	}
	if p.dialect == Trino {
		if !p.isIdent() {
			return nil
		}
		p.i++
		text := p.stringLit()
		return &Literal{At: p.at(start), Kind: TypedLit, Text: text, TypeName: strings.ToUpper(t.text)}
	}
	switch t.kw {
	case "NOT", "DISTINCT", "CASE", "WHEN", "THEN", "ELSE", "END", "AND", "OR", "LIKE", "IN", "BETWEEN":
		return nil
	}
	p.i++
	text := p.stringLit()
	l := &Literal{At: p.at(start), Kind: TypedLit, Text: text, TypeName: t.kw}
	switch t.kw {
	case "TIMESTAMP":
		if p.opts.TimestampNTZ && !zoned.MatchString(text) {
			l.TypeName = "TIMESTAMP_NTZ"
		}
	case "DATE", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ":
	case "X":
		l.Kind, l.TypeName, l.Text = BinaryLit, "", strings.ToUpper(text)
		for i := 0; i < len(text); i++ {
			if !isHex(text[i], 'x') {
				p.refuse(errclass.ParseRule("INVALID_TYPED_LITERAL", "42604",
					"The value of the typed literal \"X\" is invalid: '"+text+"'.", l.Pos))
			}
		}
		if len(text)%2 == 1 {
			l.Text = "0" + l.Text
		}
	default:
		p.refuse(errclass.UnsupportedTypedLiteral(strings.ToUpper(t.text), l.Pos))
	}
	return l
}

func (p *parser) checkHex(body string, t *lexeme) {
	for i := 0; i < len(body); i++ {
		if !isHex(body[i], 'x') {
			panic(errclass.TrinoSyntax("Binary literal can only contain hexadecimal digits", t.span()))
		}
	}
	if len(body)%2 == 1 {
		panic(errclass.TrinoSyntax("Binary literal must contain an even number of digits", t.span()))
	}
}

// parenthesised reads what an opening parenthesis begins: a lambda, a subquery, a row, or an expression.
func (p *parser) parenthesised() Expr {
	start := p.i
	if names, n := p.lambdaAhead(); n > 0 {
		p.i += n
		body := p.expr()
		return &Lambda{p.at(start), names, body}
	}
	if p.queryAt(1) {
		if q, ok := p.parenQuery(); ok {
			return &Subquery{p.at(start), q}
		}
	}
	p.i++
	p.enter()
	defer p.leave()
	defer p.within()()
	if p.dialect == Trino {
		if p.accept(")") {
			p.expect("->")
		}
		p.note("<query>")
	}
	first := p.rowItem()
	if p.is(",") {
		items := []Expr{first}
		for p.accept(",") {
			items = append(items, p.rowItem())
		}
		p.closing()
		return &Tuple{At: p.at(start), Items: items}
	}
	if _, ok := first.(*Aliased); ok && p.is(")") {
		// (a AS x) alone is no expression: only a row's fields have names.
		p.fail()
	}
	p.expect(")")
	return first
}

func (p *parser) rowItem() Expr {
	if p.dialect == Spark {
		return p.namedExpr()
	}
	return p.expr()
}

// lambdaAhead looks for (a, b) -> and gives the parameters and the number of lexemes up to the body.
func (p *parser) lambdaAhead() ([]Name, int) {
	n := 1
	if !p.identAt(n) && !(p.dialect == Trino && p.peek(n).kw == ")") {
		return nil, 0
	}
	for p.identAt(n) && p.peek(n+1).kw == "," {
		n += 2
	}
	if p.identAt(n) {
		n++
	}
	if p.peek(n).kw != ")" || p.peek(n+1).kw != "->" {
		return nil, 0
	}
	save := p.i
	p.i++
	var names []Name
	for p.isIdent() {
		names = append(names, p.ident())
		p.accept(",")
	}
	p.i = save
	return names, n + 2
}

// caseExpr reads both CASE forms.
func (p *parser) caseExpr() Expr {
	start := p.i
	p.i++
	c := &Case{}
	if !p.is("WHEN") || p.dialect == Spark && p.continuesOperand(1) {
		c.Operand = p.expr()
	}
	for p.accept("WHEN") {
		cond := p.expr()
		p.expect("THEN")
		c.Whens = append(c.Whens, When{cond, p.expr()})
	}
	if len(c.Whens) == 0 {
		p.fail()
	}
	if p.accept("ELSE") {
		c.Else = p.expr()
	}
	if c.Operand != nil {
		p.need("END")
	} else {
		p.expect("END")
	}
	c.At = p.at(start)
	return c
}

func (p *parser) cast() Expr {
	start := p.i
	if p.dead[start] {
		return nil
	}
	try := p.now().kw == "TRY_CAST"
	p.i++
	p.expect("(")
	done := p.within()
	x := p.expr()
	done()
	if p.dialect == Spark && !p.is("AS") {
		p.i = start
		p.bury(start)
		return nil // cast(a) is a call of a function of that name
	}
	p.expect("AS")
	var t *TypeName
	if p.dialect == Trino {
		t = p.trinoType()
	} else {
		t = p.sparkType()
	}
	p.need(")")
	return &Cast{At: p.at(start), X: x, Type: t, Try: try}
}

func (p *parser) extract() Expr {
	start := p.i
	p.i++
	p.expect("(")
	f := p.ident()
	p.expect("FROM")
	x := p.value()
	p.expect(")")
	return &Extract{p.at(start), f.Text, x}
}

// substringFrom reads SUBSTRING's arguments as the standard writes them: x FROM start [FOR length].
func (p *parser) substringFrom(start int) Expr {
	args := []Expr{p.value()}
	p.expect("FROM")
	args = append(args, p.value())
	if p.accept("FOR") {
		args = append(args, p.value())
	}
	p.expect(")")
	return p.callOf(start, "substring", args...)
}

// callOf makes a call of a function that the grammar writes in its own way.
func (p *parser) callOf(start int, name string, args ...Expr) *Call {
	c := &Call{At: p.at(start), Name: []Name{{At: At{p.toks[start].span()}, Text: name}}}
	for _, a := range args {
		c.Args = append(c.Args, Arg{X: a})
	}
	return c
}

// sortItem reads an ORDER BY item.
func (p *parser) sortItem() SortItem {
	s := SortItem{X: p.expr()}
	if !p.accept("ASC") {
		s.Desc = p.accept("DESC")
	}
	if p.is("NULLS") && (p.dialect == Trino || !p.continuesOperand(1)) {
		p.i++
		s.Nulls = p.expectOneOf("FIRST", "LAST")
	}
	return s
}
