package sql

import "mini-lakehouse-lab/lakelab/engine/errclass"

// identifierClause reads IDENTIFIER(e): a name given by a constant expression. What is wrong with the expression is reported
// when the whole text has been read.
func (p *parser) identifierClause() []Name {
	start := p.i
	p.i += 2
	x := p.expr()
	p.expect(")")
	if names, ok := p.identifiers[start]; ok {
		return names
	}
	names, err := p.nameOf(x, p.at(start))
	if err != nil {
		p.refuse(err)
		names = []Name{{At: p.at(start), Text: "IDENTIFIER"}}
	}
	if p.identifiers == nil {
		p.identifiers = map[int][]Name{}
	}
	if err == nil {
		p.identifiers[start] = names
	}
	return names
}

// nameOf computes an IDENTIFIER clause's expression and reads its text as a dotted name.
func (p *parser) nameOf(x Expr, at At) ([]Name, *errclass.Error) {
	text := ""
	switch l, ok := x.(*Literal); {
	case ok && l.Kind == StringLit:
		text = l.Text
	case p.opts.Constant == nil:
		return nil, errclass.ParseUnsupported("IDENTIFIER clause with an expression", at.Pos)
	default:
		t, err := p.opts.Constant(x)
		if e, ok := err.(*errclass.Error); ok {
			return nil, e
		} else if err != nil {
			return nil, errclass.IdentifierNotConstant(p.text(x.Span())).At(x.Span())
		}
		text = t
	}
	toks, _ := lex(Spark, text)
	if len(toks) == 1 {
		return nil, errclass.EmptyStatement(at.Pos)
	}
	sub := &parser{dialect: Spark, src: text, toks: toks, quiet: -1}
	names, err := attempt(sub, func(s *parser) []Name {
		n := s.names()
		s.end()
		return n
	})
	switch e := err.(type) {
	case failure:
		return nil, sub.report(e)
	case *errclass.Error:
		return nil, e
	}
	for i := range names {
		names[i].At = at
	}
	return names, nil
}

// Parameters tells whether a text of Spark's has positional (?) and named (:name) parameters.
func Parameters(text string) (positional, named bool) {
	toks, _ := lex(Spark, text)
	for i := range toks {
		switch {
		case toks[i].kind != op:
		case toks[i].kw == "?":
			positional = true
		case toks[i].kw == ":" && toks[i+1].kind == word:
			named = true
		}
	}
	return positional, named
}
