package sql

import (
	"math"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

func foldName(s string) string { return strings.ToLower(s) }

// fromRelations reads the relations of FROM; in Spark LATERAL VIEWs and a PIVOT may follow the last one.
func (p *parser) fromRelations() ([]Relation, []LateralView) {
	rels := list(p, p.relation)
	if p.dialect == Trino {
		return rels, nil
	}
	views := p.lateralViews()
	if p.pivotAhead() {
		// The clause spans the whole FROM; with one relation that is the same as behind the relation.
		if len(rels) > 1 || len(views) > 0 {
			p.unsupported("PIVOT or UNPIVOT over several relations of FROM", p.i)
		}
		rels[0] = p.pivots(rels[0])
	}
	return rels, views
}

func (p *parser) lateralViews() []LateralView {
	var out []LateralView
	for p.isSeq("LATERAL", "VIEW") {
		start := p.i
		p.i += 2
		v := LateralView{}
		if p.is("OUTER") && p.peek(1).kw != "(" && p.peek(1).kw != "." {
			p.i++
			v.Outer = true
		}
		at := p.i
		c := &Call{Name: []Name{p.ident()}}
		for p.accept(".") {
			c.Name = append(c.Name, p.ident())
		}
		p.expect("(")
		if !p.is(")") {
			for ok := true; ok; ok = p.accept(",") {
				c.Args = append(c.Args, Arg{X: p.expr()})
			}
		}
		p.expect(")")
		c.At = p.at(at)
		v.Call = c
		// LATERAL VIEW explode(x) AS c has a name for the column and none for the table: then the name is the table's, as in Spark.
		if p.is("AS") && p.identAt(1) {
			p.i++
			v.Columns = list(p, p.ident)
		} else {
			n := p.ident()
			v.Table = &n
			if p.accept("AS") {
				v.Columns = list(p, p.ident)
			} else if p.isIdent() && !p.clauseAhead() {
				v.Columns = list(p, p.ident)
			}
		}
		v.At = p.at(start)
		out = append(out, v)
	}
	return out
}

// relation reads a relation and its joins.
func (p *parser) relation() Relation {
	p.enter()
	defer p.leave()
	start := p.i
	lateral := p.lateral()
	left := p.sampled(lateral)
	for {
		if p.dialect == Spark && p.pivotAhead() {
			left = p.pivots(left)
			continue
		}
		j := p.join(start, left)
		if j == nil {
			return left
		}
		left = j
	}
}

func (p *parser) lateral() bool {
	if p.dialect == Spark && p.is("LATERAL") && (p.peek(1).kw == "(" || p.identAt(1) && p.peek(2).kw == "(" || p.peek(1).kw == "VALUES") {
		p.i++
		return true
	}
	return false
}

// joinKind reads the words up to JOIN; an empty kind means that no join follows.
func (p *parser) joinKind() (kind string, natural bool) {
	n := 0
	if p.is("NATURAL") {
		natural = true
		n++
	}
	kind = "INNER"
	if p.dialect == Trino && n == 0 {
		for _, k := range [...]string{"CROSS", "FULL", "INNER", "JOIN", "LEFT", "RIGHT"} {
			p.is(k)
		}
	}
	switch k := p.peek(n).kw; k {
	case "INNER", "CROSS":
		kind = k
		n++
	case "LEFT", "RIGHT", "FULL":
		kind = k
		n++
		switch o := p.peek(n).kw; {
		case o == "OUTER":
			n++
		case k == "LEFT" && p.dialect == Spark && (o == "SEMI" || o == "ANTI"):
			kind = o
			n++
		}
	case "SEMI", "ANTI":
		if p.dialect == Spark {
			kind = k
			n++
		}
	}
	if p.peek(n).kw != "JOIN" {
		if p.noting && n == 1 && (p.now().kw == "LEFT" || p.now().kw == "RIGHT" || p.now().kw == "FULL") {
			p.i++
			p.note("'OUTER'")
			p.i--
		}
		if n > 0 && !(p.dialect == Spark && p.peek(n).kind == eof) {
			p.i += n
			p.note("'JOIN'")
			p.need("JOIN")
		}
		return "", false
	}
	p.i += n + 1
	return kind, natural
}

func (p *parser) join(start int, left Relation) Relation {
	at := p.i
	kind, natural := p.joinKind()
	if kind == "" {
		return nil
	}
	j := &Join{Kind: kind, Natural: natural, L: left}
	j.Lateral = p.lateral()
	switch {
	case p.dialect == Spark || kind == "CROSS" || natural:
		j.R = p.sampled(j.Lateral)
	default:
		// In Trino the right side may be a join itself: its ON comes first.
		j.R = p.trinoRight()
	}
	if j.Lateral && natural {
		p.refuse(errclass.ParseRule("INCOMPATIBLE_JOIN_TYPES", "42613", "The join types `LATERAL` and `NATURAL` are incompatible.", p.at(at).Pos))
	}
	needs := p.dialect == Trino && kind != "CROSS" && !natural
	switch {
	case natural || kind == "CROSS" && p.dialect == Trino:
	case p.accept("ON"):
		j.On = p.expr()
	case p.is("USING"):
		p.i++
		p.need("(")
		p.i--
		j.Using = p.nameList()
		if j.Lateral {
			p.refuse(errclass.ParseRule("UNSUPPORTED_FEATURE.LATERAL_JOIN_USING", "0A000", "The feature is not supported: JOIN USING with LATERAL correlation.", p.at(at).Pos))
		}
	case needs:
		p.forget()
		p.note("'ON'")
		p.note("'USING'")
		p.fail()
	}
	j.At = p.at(start)
	return j
}

// trinoRight reads the right side of a qualified join: a relation whose own joins are complete before ON or USING follows.
func (p *parser) trinoRight() Relation {
	start := p.i
	p.enter()
	defer p.leave()
	right := p.sampled(false)
	for !p.is("ON") && !p.is("USING") {
		j := p.join(start, right)
		if j == nil {
			return right
		}
		right = j
	}
	return right
}

// sampled reads a primary relation with TABLESAMPLE and its alias.
func (p *parser) sampled(lateral bool) Relation {
	start := p.i
	if p.dialect == Trino {
		return p.trinoRelation()
	}
	switch {
	case p.is("VALUES") && !p.continuesOperand(1):
		v := p.values()
		a := p.relationAlias()
		return &ValuesRel{p.at(start), v, a}
	case p.is("("):
		return p.parenRelation(lateral)
	case p.tableFuncAhead():
		return p.tableFunc(start, lateral)
	}
	return p.tableRef()
}

func (p *parser) tableFuncAhead() bool {
	if p.isSeq("IDENTIFIER", "(") {
		return p.peek(p.closingAt(1)+1).kw == "("
	}
	n := 0
	for p.identAt(n) && p.peek(n+1).kw == "." {
		n += 2
	}
	return p.identAt(n) && p.peek(n+1).kw == "("
}

// closingAt finds the parenthesis that closes the one n lexemes ahead.
func (p *parser) closingAt(n int) int {
	depth := 0
	for ; p.peek(n).kind != eof; n++ {
		switch p.peek(n).kw {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return n
			}
		}
	}
	return n
}

func (p *parser) tableFunc(start int, lateral bool) Relation {
	parts := p.names()
	c := &Call{Name: parts}
	p.expect("(")
	if !p.is(")") {
		c.Args = list(p, p.sparkArg)
	}
	p.expect(")")
	c.At = p.at(start)
	a := p.relationAlias()
	return &TableFunc{p.at(start), c, a, lateral}
}

// tableRef reads a table's name, time travel, options, sample and alias.
func (p *parser) tableRef() *TableRef {
	start := p.i
	t := &TableRef{Name: p.names()}
	t.Travel = p.travel()
	if p.isSeq("WITH", "(") {
		p.i++
		t.Options = map[string]string{}
		for _, o := range p.properties() {
			if l, ok := o.Value.(*Literal); ok {
				t.Options[o.Key] = l.Text
			} else {
				t.Options[o.Key] = ""
			}
		}
	}
	t.Sample = p.sample()
	t.Alias = p.relationAlias()
	t.At = p.at(start)
	return t
}

// travel reads [FOR] VERSION | SYSTEM_VERSION | TIMESTAMP | SYSTEM_TIME AS OF.
func (p *parser) travel() *TimeTravel {
	start := p.i
	n := 0
	if p.peek(0).kw == "FOR" {
		n = 1
	}
	kw := p.peek(n).kw
	version := kw == "VERSION" || kw == "SYSTEM_VERSION"
	if !version && kw != "TIMESTAMP" && kw != "SYSTEM_TIME" || p.peek(n+1).kw != "AS" {
		return nil
	}
	p.i += n + 2
	if p.now().kind == eof {
		p.fail()
	}
	p.need("OF")
	t := &TimeTravel{Version: version}
	if version {
		at := p.i
		switch p.now().kind {
		case integer:
			p.i++
			t.X = &Literal{At: p.at(at), Kind: NumberLit, Text: p.toks[at].text}
		default:
			t.X = p.stringExpr()
		}
	} else {
		t.X = p.value()
	}
	t.At = p.at(start)
	return t
}

func (p *parser) sample() *Sample {
	if !p.isSeq("TABLESAMPLE", "(") {
		return nil
	}
	start := p.i
	p.i += 2
	s := &Sample{}
	class, text := "", "" // what Spark refuses about it
	switch {
	case p.is(")"):
		class, text = "_LEGACY_ERROR_TEMP_0014", "TABLESAMPLE does not accept empty inputs."
	case p.is("BUCKET") && p.peek(1).kind == integer:
		p.i++
		s.Kind = "BUCKET"
		s.Out = p.integer()
		p.expect("OUT", "OF")
		s.Of = p.integer()
		if p.is("ON") {
			p.i++
			p.unsupported("TABLESAMPLE BUCKET … ON", start)
		}
	case (p.numberAt(0) && p.peek(1).kw == "PERCENT") || p.is("-") && p.numberAt(1) && p.peek(2).kw == "PERCENT":
		s.Kind = "PERCENT"
		s.X = p.number()
		p.i++
		if f, err := strconv.ParseFloat(s.X.(*Literal).Text, 64); err == nil && (f < 0 || f > 100) {
			shown := strconv.FormatFloat(f/100, 'f', -1, 64)
			if f/100 == math.Trunc(f/100) {
				shown += ".0"
			}
			class, text = "_LEGACY_ERROR_TEMP_0064", "Sampling fraction ("+shown+") must be on interval [0, 1]."
		}
	default:
		s.Kind = "ROWS"
		s.X = p.expr()
		if p.accept("ROWS") {
			break
		}
		bytes := p.text(s.X.Span())
		class, text = "_LEGACY_ERROR_TEMP_0016", bytes+" is not a valid byte length literal, expected syntax: DIGIT+ ('B' | 'K' | 'M' | 'G')."
		if c := bytes[len(bytes)-1] | 0x20; isDigit(bytes[0]) && strings.IndexByte("bkmg", c) >= 0 {
			class, text = "_LEGACY_ERROR_TEMP_0015", "TABLESAMPLE(byteLengthLiteral) is not supported."
		}
	}
	p.expect(")")
	if p.isSeq("REPEATABLE", "(") {
		p.i += 2
		at := p.i
		p.integer()
		s.Seed = &Literal{At: p.at(at), Kind: NumberLit, Text: p.toks[at].text}
		s.Repeatble = true
		p.expect(")")
	}
	if class != "" {
		p.refuse(errclass.ParseRule(class, "", text, p.at(start).Pos))
	}
	return s
}

// relationAlias reads [AS] name [(columns)].
func (p *parser) relationAlias() Alias {
	a := Alias{}
	if p.dialect == Trino {
		if p.accept("AS") || p.isIdent() && !p.trinoClauseAhead() {
			n := p.ident()
			a.Name = &n
			if p.is("(") {
				a.Columns = p.nameList()
			}
		} else {
			p.note("<identifier>")
		}
		return a
	}
	if p.is("AS") && p.peek(1).kw != "(" { // "AS (a, b)" names the relation "as"
		if !p.strictIdentAt(1) {
			p.i++
			p.fail()
		}
		p.i++
	} else if !p.is("AS") && (!p.strictIdentAt(0) || p.clauseAhead() || p.travelWord()) {
		return a
	}
	n := p.ident()
	a.Name = &n
	if p.is("(") {
		a.Columns = p.nameList()
	}
	return a
}

// travelWord tells a half-written time travel (t VERSION AS …) from an alias.
func (p *parser) travelWord() bool { return p.is("FOR") && p.peek(2).kw == "AS" }

func (p *parser) strictIdentAt(n int) bool {
	t := p.peek(n)
	return t.kind == quoted || t.kind == word && joinWords[t.kw] == ""
}

// parenRelation reads ( query ) or ( relation ).
func (p *parser) parenRelation(lateral bool) Relation {
	start := p.i
	if p.queryAt(1) {
		if q, ok := p.parenQueryAs(p.fromSubquery); ok {
			d := &Derived{Query: q, Lateral: lateral}
			d.Sample = p.sample()
			d.Alias = p.relationAlias()
			d.At = p.at(start)
			return d
		}
	}
	p.i++
	r := p.relation()
	p.expect(")")
	s := p.sample()
	a := p.relationAlias()
	if a.Name == nil && s == nil {
		return r
	}
	// An alias on a parenthesised relation names its whole output.
	at := p.at(start)
	sel := &Select{At: at, Items: []Expr{&Star{At: at}}, From: []Relation{r}}
	return &Derived{At: at, Query: &Query{At: at, Body: sel}, Sample: s, Alias: a}
}

func (p *parser) trinoRelation() Relation {
	start := p.i
	var r Relation
	var alias *Alias
	var sample **Sample
	var at *At
	switch {
	case p.is("UNNEST"):
		p.i++
		u := &Unnest{Exprs: parens(p, p.expr)}
		u.Ordinality = p.acceptSeq("WITH", "ORDINALITY")
		r, alias, at = u, &u.Alias, &u.At
	case p.isSeq("LATERAL", "("):
		p.i++
		d := &Derived{Lateral: true, Query: p.subquery()}
		r, alias, sample, at = d, &d.Alias, &d.Sample, &d.At
	case p.isSeq("TABLE", "("):
		p.i += 2
		f := &TableFunc{Call: p.trinoTableCall()}
		p.expect(")")
		r, alias, at = f, &f.Alias, &f.At
	case p.isSeq("JSON_TABLE", "("):
		p.i++
		d := p.jsonTableRelation(start)
		r, alias, at = d, &d.Alias, &d.At
	case p.is("("):
		if p.queryAt(1) {
			if q, ok := p.parenQuery(); ok {
				if v, is := q.Body.(*Values); is && q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Offset == nil {
					rel := &ValuesRel{Values: v}
					r, alias, at = rel, &rel.Alias, &rel.At
				} else {
					d := &Derived{Query: q}
					r, alias, sample, at = d, &d.Alias, &d.Sample, &d.At
				}
				break
			}
		}
		p.i++
		inner := p.relation()
		p.expect(")")
		if !p.is("AS") && (!p.isIdent() || p.trinoClauseAhead()) {
			return inner
		}
		span := At{token.Cover(inner.Span(), inner.Span())}
		d := &Derived{Query: &Query{At: span, Body: &Select{At: span, Items: []Expr{&Star{At: span}}, From: []Relation{inner}}}}
		r, alias, at = d, &d.Alias, &d.At
	default:
		t := &TableRef{Name: p.names()}
		if p.noting {
			p.note("'.'")
		}
		if p.is("FOR") && (p.peek(1).kw == "VERSION" || p.peek(1).kw == "TIMESTAMP") {
			tt := &TimeTravel{Version: p.peek(1).kw == "VERSION"}
			tStart := p.i
			p.i += 2
			p.expect("AS", "OF")
			tt.X = p.value()
			tt.At = p.at(tStart)
			t.Travel = tt
		}
		r, alias, sample, at = t, &t.Alias, &t.Sample, &t.At
	}
	*alias = p.relationAlias()
	if p.is("MATCH_RECOGNIZE") {
		p.i++
		p.unsupported("MATCH_RECOGNIZE", p.i-1)
	}
	if p.accept("TABLESAMPLE") {
		s := &Sample{Kind: p.expectOneOf("BERNOULLI", "SYSTEM")}
		p.expect("(")
		s.X = p.expr()
		p.expect(")")
		if v, ok := r.(*ValuesRel); ok {
			d := &Derived{Query: &Query{At: p.at(start), Body: v.Values}, Alias: v.Alias}
			r, sample, at = d, &d.Sample, &d.At
		}
		if sample == nil {
			p.unsupported("TABLESAMPLE of this relation", start)
		}
		*sample = s
	}
	*at = p.at(start)
	return r
}

// trinoTableCall reads a table function's call; arguments may be named.
func (p *parser) trinoTableCall() *Call {
	start := p.i
	c := &Call{Name: p.names()}
	p.expect("(")
	if !p.is(")") {
		c.Args = list(p, p.trinoCallArg)
	}
	p.expect(")")
	c.At = p.at(start)
	return c
}

func (p *parser) trinoCallArg() Arg {
	var name *Name
	if p.isIdent() && p.peek(1).kw == "=>" {
		n := p.ident()
		p.i++
		name = &n
	}
	if p.accept("TABLE") {
		if !p.is("(") {
			p.fail()
		}
		p.unsupported("a TABLE argument of a table function", p.i-1)
	}
	if p.is("DESCRIPTOR") && p.peek(1).kw == "(" {
		p.i++
		p.unsupported("a DESCRIPTOR argument of a table function", p.i-1)
	}
	return Arg{name, p.expr()}
}
