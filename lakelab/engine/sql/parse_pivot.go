package sql

func (p *parser) pivotAhead() bool {
	switch p.now().kw {
	case "PIVOT":
		return p.peek(1).kw == "("
	case "UNPIVOT":
		n := p.peek(1).kw
		return n == "(" || (n == "INCLUDE" || n == "EXCLUDE") && p.peek(2).kw == "NULLS"
	}
	return false
}

// pivots wraps a relation in the PIVOTs and UNPIVOTs that follow it.
func (p *parser) pivots(rel Relation) Relation {
	for p.pivotAhead() {
		if p.is("PIVOT") {
			rel = p.pivot(rel)
		} else {
			rel = p.unpivot(rel)
		}
	}
	return rel
}

func (p *parser) pivot(rel Relation) Relation {
	p.expect("PIVOT", "(")
	v := &Pivot{Rel: rel}
	v.Aggs = list(p, p.namedExpr)
	p.expect("FOR")
	column := func() Expr {
		at := p.i
		n := p.name()
		return &Ident{At: p.at(at), Parts: []Name{n}}
	}
	if p.is("(") {
		v.For = parens(p, column)
	} else {
		v.For = []Expr{column()}
	}
	p.expect("IN")
	v.In = parens(p, func() Expr {
		at := p.i
		x := p.expr()
		if p.accept("AS") || p.isIdent() {
			n := p.name()
			return &Aliased{p.at(at), x, []Name{n}}
		}
		return x
	})
	p.expect(")")
	v.At = p.from(rel)
	return v
}

func (p *parser) unpivot(rel Relation) Relation {
	p.expect("UNPIVOT")
	u := &Unpivot{Rel: rel}
	if k := p.oneOf("INCLUDE", "EXCLUDE"); k != "" {
		p.expect("NULLS")
		u.IncludeNulls = k == "INCLUDE"
	}
	p.expect("(")
	multi := p.is("(")
	if multi {
		u.Values = parens(p, p.ident)
	} else {
		u.Values = []Name{p.ident()}
	}
	p.expect("FOR")
	u.NameColumn = p.ident()
	p.expect("IN")
	u.Columns = parens(p, func() UnpivotItem {
		it := UnpivotItem{}
		if multi {
			it.Columns = parens(p, p.column)
		} else {
			it.Columns = []Ident{p.column()}
		}
		if p.accept("AS") || p.isIdent() {
			n := p.name()
			it.Alias = &n
		}
		return it
	})
	p.expect(")")
	if p.accept("AS") || p.strictIdentAt(0) && !p.clauseAhead() {
		n := p.name()
		u.Alias.Name = &n
	}
	u.At = p.from(rel)
	return u
}
