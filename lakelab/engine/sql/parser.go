package sql

import (
	"errors"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

// maxDepth bounds nesting (parentheses, subqueries, types, operators of one operand).
const maxDepth = 600

// parser is a cursor over lexemes. Failing is a panic with a failure or an *errclass.Error that Parse turns into an error: the
// descent stays free of error plumbing, and alternatives can be tried and taken back.
type parser struct {
	dialect Dialect
	src     string
	toks    []lexeme
	i       int
	depth   int
	params  int
	// itemDepth is the depth at which the expression of a select item stands: an alias may follow there.
	itemDepth int
	// far is the furthest lexeme at which an alternative failed: that is what a user must see, as ANTLR reports it.
	far int
	// later holds the first error that the dialect raises only when the grammar has matched the whole text.
	later *errclass.Error
	// iceberg is on behind the words that hand a statement to Iceberg's own grammar, which words its errors in its own way.
	iceberg bool
	// queries remembers attempts to read a query at a lexeme, so that nested parentheses don't make them exponential.
	queries map[int]triedQuery
	// dead marks lexemes whose special reading has failed.
	dead map[int]bool
	// noting is on in the second run over a text that failed: wanted collects what would have been accepted at far.
	noting bool
	quiet  int
	// inside is on between the parentheses of a primary expression. Trino has not decided there what a name begins, and expects more
	// behind it.
	inside bool
	wanted map[string]bool
	opts   Options
	// identifiers remembers the names that IDENTIFIER clauses gave, by lexeme.
	identifiers map[int][]Name
}

// Options are what a session changes in Spark's grammar.
type Options struct {
	// Constant computes a constant expression that stands for a name: IDENTIFIER(e). Its errors are *errclass.Error. Without it,
	// IDENTIFIER takes literals only.
	Constant func(Expr) (string, error)
	// TimestampNTZ lets TIMESTAMP mean the type without a time zone (spark.sql.timestampType).
	TimestampNTZ bool
	// DoubleQuotedIdentifiers lets "a" be an identifier (spark.sql.ansi.doubleQuotedIdentifiers).
	DoubleQuotedIdentifiers bool
}

type triedQuery struct {
	q   *Query
	end int
}

// failure says that the lexeme at at was not expected.
type failure struct {
	at   int
	hint string
}

// Parse reads one statement; semicolons may follow it in Spark, one may in Trino. Errors are *errclass.Error.
func Parse(d Dialect, text string) (Statement, error) { return ParseWith(d, text, Options{}) }

// ParseWith is Parse with a session's options.
func ParseWith(d Dialect, text string, opts Options) (Statement, error) {
	return runWith(d, text, opts, func(p *parser) Statement {
		if d == Trino {
			st := p.trinoStatement()
			p.end()
			return st
		}
		if p.now().kind == eof {
			panic(errclass.EmptyStatement(p.now().span()))
		}
		st := p.sparkStatement()
		semicolons := false
		for p.accept(";") {
			semicolons = true
		}
		if p.now().kind != eof && (semicolons || p.toks[p.i+1].kind == eof && p.i >= p.far) {
			p.failHint("extra input '" + p.now().text + "'")
		}
		p.end()
		return st
	})
}

// ParseExpr reads one expression, with an alias where one is given: F.expr, filter strings, selectExpr items.
func ParseExpr(d Dialect, text string) (Expr, error) {
	return run(d, text, func(p *parser) Expr {
		var e Expr
		if d == Trino {
			e = p.expr()
		} else {
			e = p.namedExpr()
		}
		p.end()
		return e
	})
}

// ParseType reads Spark's type text: decimal(10,2), array<struct<a:int>>.
func ParseType(text string) (*TypeName, error) {
	return run(Spark, text, func(p *parser) *TypeName {
		if p.now().kind == eof {
			panic(errclass.EmptyStatement(p.now().span()))
		}
		t := p.sparkType()
		if p.now().kind != eof && p.peek(1).kind == eof {
			p.failHint("extra input " + p.near(p.now()))
		}
		p.end()
		return t
	})
}

// ParseSchema reads Spark's schema text: a INT, b STRING NOT NULL COMMENT 'x'.
func ParseSchema(text string) ([]ColumnDef, error) {
	return run(Spark, text, func(p *parser) []ColumnDef {
		cols := p.colTypeList()
		p.end()
		return cols
	})
}

// Piece is one statement of a script and where it begins.
type Piece struct {
	Text  string
	Start token.Pos
}

// Split cuts a script at its semicolons; those inside of quotes and comments are text. Empty pieces are left out.
func Split(d Dialect, text string) ([]Piece, error) {
	toks, l := lex(d, text)
	if l.unclosed != nil {
		return nil, errclass.UnclosedComment()
	}
	var out []Piece
	from := -1
	for i := range toks {
		t := &toks[i]
		if t.kw == ";" && t.kind == op || t.kind == eof {
			if from >= 0 {
				out = append(out, Piece{text[toks[from].start.Offset:toks[i-1].end.Offset], toks[from].start})
			}
			from = -1
		} else if from < 0 {
			from = i
		}
	}
	return out, nil
}

// CountParams counts the ? of a statement.
func CountParams(d Dialect, text string) int {
	toks, _ := lex(d, text)
	n := 0
	for i := range toks {
		if toks[i].kind == op && toks[i].kw == "?" {
			n++
		}
	}
	return n
}

func run[T any](d Dialect, text string, read func(*parser) T) (T, error) {
	return runWith(d, text, Options{}, read)
}

func runWith[T any](d Dialect, text string, opts Options, read func(*parser) T) (T, error) {
	toks, l := lexWith(d, text, opts)
	p := &parser{dialect: d, src: text, toks: toks, quiet: -1, opts: opts}
	v, err := attempt(p, read)
	if err == nil && p.later != nil {
		err = p.later
	}
	if l.unclosed != nil {
		var zero T
		return zero, errclass.UnclosedComment()
	}
	var f failure
	if errors.As(err, &f) && d == Trino {
		again := &parser{dialect: d, src: text, toks: p.toks, quiet: -1, noting: true, far: max(f.at, p.far), wanted: map[string]bool{}}
		_, _ = attempt(again, read)
		p.wanted = again.wanted
	}
	if errors.As(err, &f) {
		err = p.report(f)
	}
	return v, err
}

func (f failure) Error() string { return "syntax error" }

func attempt[T any](p *parser, read func(*parser) T) (v T, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r
		case *errclass.Error:
			err = r
		default:
			panic(r)
		}
	}()
	return read(p), nil
}

// report words a failure as the dialect does.
func (p *parser) report(f failure) *errclass.Error {
	if p.far > f.at {
		f = failure{at: p.far}
	}
	t := &p.toks[f.at]
	if p.dialect == Trino {
		found := t.text
		switch {
		case t.kind == eof:
			found = "<EOF>"
		case t.kind == quoted && t.text[0] == '`':
			return errclass.TrinoSyntax("backquoted identifiers are not supported; use double quotes to quote identifiers", t.span())
		}
		list := make([]string, 0, len(p.wanted))
		for w := range p.wanted {
			list = append(list, w)
		}
		slices.Sort(list)
		return errclass.TrinoMismatch(found, list, t.span())
	}
	if p.iceberg {
		return errclass.IcebergSyntax(icebergText(t, f.hint))
	}
	return errclass.SyntaxError(p.near(t), f.hint, t.span())
}

// near shows a lexeme as Spark's messages do.
func (p *parser) near(t *lexeme) string {
	if t.kind == eof {
		return "end of input"
	}
	return "'" + strings.NewReplacer("\n", "\\n", "\r", "\\r", "\t", "\\t").Replace(t.text) + "'"
}

// icebergText words an error as ANTLR does by default.
func icebergText(t *lexeme, hint string) string {
	found := "'" + t.text + "'"
	if t.kind == eof {
		found = "'<EOF>'"
	}
	switch {
	case strings.HasPrefix(hint, "missing "):
		return hint + " at " + found
	case strings.HasPrefix(hint, "extra input "):
		return "extraneous input " + found + " expecting <EOF>"
	}
	return "no viable alternative at input " + found
}

func (p *parser) now() *lexeme { return &p.toks[p.i] }

// peek looks n lexemes ahead; behind the end it stays on the end.
func (p *parser) peek(n int) *lexeme { return &p.toks[min(p.i+n, len(p.toks)-1)] }

func (p *parser) fail() { p.failHint("") }

func (p *parser) failHint(hint string) { panic(failure{p.i, hint}) }

// refuse raises an error when the text is read to its end and nothing else is wrong with it.
func (p *parser) refuse(e *errclass.Error) {
	if p.later == nil {
		p.later = e
	}
}

// need accepts a keyword where ANTLR's error recovery would tell what is missing or too much.
func (p *parser) need(kw string) {
	if p.accept(kw) {
		return
	}
	if p.dialect == Spark {
		if p.peek(1).kw == kw && p.now().kind != eof {
			p.failHint("extra input " + p.near(p.now()))
		}
		p.failHint("missing '" + kw + "'")
	}
	p.fail()
}

func (p *parser) note(what string) {
	if p.noting && p.i == p.far && p.i != p.quiet {
		p.wanted[what] = true
	}
}

// group notes what for the current lexeme, and nothing of what the rule inside would note there. Call the result when done.
func (p *parser) group(what string) func() {
	if !p.noting {
		return func() {}
	}
	p.note(what)
	old := p.quiet
	p.quiet = p.i
	return func() { p.quiet = old }
}

// forget takes back what was noted for the current lexeme.
func (p *parser) forget() {
	if p.noting && p.i == p.far {
		clear(p.wanted)
	}
}

// within marks what follows as the inside of a primary expression. Call the result when done.
func (p *parser) within() func() {
	old := p.inside
	p.inside = true
	return func() { p.inside = old }
}

// closes tells whether nothing can begin n lexemes ahead: the text ends there, or a parenthesis does.
func (p *parser) closes(n int) bool {
	t := p.peek(n)
	return t.kind == eof || t.kw == ")" || t.kw == ","
}

// is tells whether the current lexeme is this keyword or operator.
func (p *parser) is(kw string) bool {
	if p.toks[p.i].kw == kw {
		return true
	}
	if p.noting {
		p.note("'" + kw + "'")
	}
	return false
}

// isSeq tells whether the next lexemes are these.
func (p *parser) isSeq(kws ...string) bool {
	for n, k := range kws {
		if p.peek(n).kw != k {
			if n == 0 && p.noting {
				p.note("'" + k + "'")
			}
			return false
		}
	}
	return true
}

func (p *parser) accept(kw string) bool {
	if p.is(kw) {
		p.i++
		return true
	}
	return false
}

func (p *parser) acceptSeq(kws ...string) bool {
	if p.isSeq(kws...) {
		p.i += len(kws)
		return true
	}
	return false
}

func (p *parser) expect(kws ...string) {
	for _, kw := range kws {
		if !p.accept(kw) {
			p.fail()
		}
	}
}

// oneOf accepts the first of the keywords that stands here.
func (p *parser) oneOf(kws ...string) string {
	for _, k := range kws {
		if p.accept(k) {
			return k
		}
	}
	return ""
}

func (p *parser) expectOneOf(kws ...string) string {
	k := p.oneOf(kws...)
	if k == "" {
		p.fail()
	}
	return k
}

func (p *parser) end() {
	if p.now().kind != eof {
		p.note("<EOF>")
		p.fail()
	}
}

// at is the place from a lexeme to the last one read.
func (p *parser) at(from int) At {
	last := max(p.i-1, from)
	return At{token.Span{Start: p.toks[from].start, End: p.toks[last].end}}
}

// from is the place from where a node begins to the last lexeme read.
func (p *parser) from(n Node) At {
	return At{token.Span{Start: n.Span().Start, End: p.toks[p.i-1].end}}
}

func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		if p.dialect == Trino {
			panic(errclass.TrinoSyntax("statement is too large (stack overflow while parsing)", p.toks[0].span()))
		}
		panic(errclass.TooComplex(p.toks[0].span()))
	}
}

func (p *parser) leave() { p.depth-- }

// try runs an alternative and takes it back if it fails.
func (p *parser) try(read func()) (ok bool) {
	i, depth, item, params, quiet, inside, later := p.i, p.depth, p.itemDepth, p.params, p.quiet, p.inside, p.later
	defer func() {
		if r := recover(); r != nil {
			f, is := r.(failure)
			if !is {
				panic(r)
			}
			p.far = max(p.far, f.at)
			p.i, p.depth, p.itemDepth, p.params, p.quiet, p.inside, p.later = i, depth, item, params, quiet, inside, later
			ok = false
		}
	}()
	read()
	return true
}

// soft is try for constructs that Spark gives up for another reading: the failure inside is not what the user sees.
func (p *parser) soft(read func()) bool {
	far := p.far
	ok := p.try(read)
	if !ok {
		p.far = far
	}
	return ok
}

// closing accepts the parenthesis behind a list; another lexeme there is too much, in Spark's words.
func (p *parser) closing() {
	if p.dialect == Spark && !p.is(")") && p.toks[p.i-1].kw != "CASE" {
		p.failHint("extra input " + p.near(p.now()))
	}
	p.expect(")")
}

// clauseAt tells whether a clause begins n lexemes ahead.
func (p *parser) clauseAt(n int) bool {
	p.i += n
	defer func() { p.i -= n }()
	return p.clauseAhead()
}

// unsupported refuses what the grammar has and the AST has not.
func (p *parser) unsupported(what string, from int) {
	at := p.at(from).Pos
	if p.dialect == Trino {
		panic(errclass.TrinoParseUnsupported(what, at))
	}
	panic(errclass.ParseUnsupported(what, at))
}

// list reads items separated by commas.
func list[T any](p *parser, item func() T) []T {
	out := []T{item()}
	for p.accept(",") {
		out = append(out, item())
	}
	return out
}

// parens reads a list in parentheses.
func parens[T any](p *parser, item func() T) []T {
	p.expect("(")
	out := list(p, item)
	p.expectAfterString(")")
	return out
}

// expectAfterString is expect where the lexeme before may be a string: another one beside it is too much, in Spark's words.
func (p *parser) expectAfterString(kw string) {
	if p.dialect == Spark && p.now().kind == str && p.toks[p.i-1].kind == str && p.peek(1).kw == kw {
		p.failHint("extra input " + p.near(p.now()))
	}
	p.expect(kw)
}

// isIdent tells whether the current lexeme may be an identifier.
func (p *parser) isIdent() bool { return p.identAt(0) }

func (p *parser) identAt(n int) bool {
	t := p.peek(n)
	switch t.kind {
	case word:
		return p.dialect == Spark || trinoReserved[t.kw] == ""
	case quoted:
		return true
	}
	return false
}

// ident reads an identifier.
func (p *parser) ident() Name {
	if !p.isIdent() {
		p.note("<identifier>")
		p.fail()
	}
	t := p.now()
	p.i++
	n := Name{At: At{t.span()}, Text: t.text}
	if t.kind == quoted {
		if p.dialect == Trino && t.text[0] == '`' {
			panic(errclass.TrinoSyntax("backquoted identifiers are not supported; use double quotes to quote identifiers", t.span()))
		}
		if p.dialect == Trino && len(t.text) == 2 {
			panic(errclass.TrinoSyntax("Zero-length delimited identifier not allowed", t.span()))
		}
		n.Text, n.Quoted = unquoteIdent(t.text), true
		return n
	}
	p.checkWord(t)
	return n
}

func (p *parser) checkWord(t *lexeme) {
	if p.dialect == Trino {
		if isDigit(t.text[0]) {
			panic(errclass.TrinoSyntax("identifiers must not start with a digit; surround the identifier with double quotes", t.span()))
		}
		return
	}
	for i := 0; i < len(t.text); i++ {
		if t.text[i] >= 0x80 {
			panic(errclass.InvalidIdentifier(t.text, t.span()))
		}
	}
}

// name reads an identifier where Spark looks out for a forgotten quotation (my-table).
func (p *parser) name() Name {
	start := p.i
	n := p.ident()
	if p.dialect == Spark && p.now().kw == "-" && p.identAt(1) && p.now().kind == op {
		for p.now().kw == "-" && p.identAt(1) {
			p.i += 2
		}
		at := p.at(start).Pos
		panic(errclass.InvalidIdentifier(p.text(at), p.at(start+1).Pos))
	}
	return n
}

// names reads a dotted name.
func (p *parser) names() []Name {
	if p.dialect == Spark && p.isSeq("IDENTIFIER", "(") {
		return p.identifierClause()
	}
	out := []Name{p.name()}
	for p.accept(".") {
		out = append(out, p.name())
	}
	return out
}

func (p *parser) nameList() []Name {
	p.expect("(")
	out := list(p, p.name)
	p.need(")")
	return out
}

// stringLit reads a string; Spark joins neighbours only in expressions.
func (p *parser) stringLit() string {
	t := p.now()
	if t.kind != str {
		p.note("<string>")
		p.fail()
	}
	p.i++
	return p.stringText(t)
}

func (p *parser) stringText(t *lexeme) string {
	if p.dialect == Trino && t.text[0]|0x20 == 'u' {
		esc := byte('\\')
		if p.accept("UESCAPE") {
			s := p.stringLit()
			if len(s) != 1 {
				panic(errclass.TrinoSyntax("Invalid Unicode escape character", t.span()))
			}
			esc = s[0]
		}
		s, refused := unicodeString(t.text, esc)
		if refused != "" {
			panic(errclass.TrinoSyntax(refused, t.span()))
		}
		return s
	}
	return unquoteString(p.dialect, t.text)
}

func (p *parser) stringPtr() *string {
	s := p.stringLit()
	return &s
}

// integer reads plain digits.
func (p *parser) integer() int {
	t := p.now()
	if t.kind != integer {
		p.note("<integer>")
		p.fail()
	}
	n := 0
	for i := 0; i < len(t.text); i++ {
		if !isDigit(t.text[i]) || n > 1<<53 {
			p.fail()
		}
		n = n*10 + int(t.text[i]-'0')
	}
	p.i++
	return n
}

func (p *parser) text(s token.Span) string { return p.src[s.Start.Offset:s.End.Offset] }
