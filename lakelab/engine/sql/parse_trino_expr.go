package sql

import "strings"

// trinoKeyword reads the primary expressions that begin with a keyword; nil if the word is a plain name here.
func (p *parser) trinoKeyword(kw string) Expr {
	start := p.i
	call := p.peek(1).kw == "("
	switch kw {
	case "NULL":
		p.i++
		return &Literal{At: p.at(start), Kind: NullLit}
	case "TRUE", "FALSE":
		p.i++
		return &Literal{At: p.at(start), Kind: BoolLit, Text: strings.ToLower(kw)}
	case "CASE":
		return p.caseExpr()
	case "CAST":
		return p.cast()
	case "TRY_CAST":
		if call {
			return p.cast()
		}
	case "EXISTS":
		p.i++
		q := p.subquery()
		return &Exists{p.at(start), q}
	case "INTERVAL":
		if p.peek(1).kind == str || (p.peek(1).kw == "-" || p.peek(1).kw == "+") && p.peek(2).kind == str {
			return p.interval()
		}
	case "ARRAY":
		if p.peek(1).kw == "[" {
			p.i += 2
			a := &ArrayLit{}
			if !p.is("]") {
				a.Items = list(p, p.expr)
			}
			p.expect("]")
			a.At = p.at(start)
			return a
		}
	case "ROW":
		if call {
			p.i++
			if p.noting {
				p.i++
				for _, k := range [...]string{")", "*", "ALL", "DISTINCT", "ORDER"} {
					p.is(k)
				}
				p.i--
			}
			done := p.within()
			items := parens(p, p.expr)
			done()
			return &Tuple{At: p.at(start), Items: items, Row: true}
		}
	case "EXTRACT":
		return p.extract()
	case "POSITION":
		if call {
			return p.special(func() Expr {
				a := p.value()
				p.expect("IN")
				b := p.value()
				p.expect(")")
				return p.callOf(start, "strpos", b, a)
			})
		}
	case "TRIM":
		return p.trinoTrim(start)
	case "SUBSTRING":
		if call {
			return p.special(func() Expr { return p.substringFrom(start) })
		}
	case "NORMALIZE":
		p.i++
		p.expect("(")
		args := []Expr{p.value()}
		form := "NFC"
		if p.accept(",") {
			form = p.expectOneOf("NFC", "NFD", "NFKC", "NFKD")
		}
		args = append(args, &Literal{At: p.at(p.i - 1), Kind: StringLit, Text: form})
		p.expect(")")
		return p.callOf(start, "normalize", args...)
	case "DOUBLE":
		if p.peek(1).kw == "PRECISION" && p.peek(2).kind == str {
			p.i += 2
			text := p.stringLit()
			return &Literal{At: p.at(start), Kind: TypedLit, Text: text, TypeName: "DOUBLE"}
		}
	case "GROUPING":
		p.i++
		p.expect("(")
		var args []Expr
		if !p.is(")") {
			args = list(p, func() Expr { c := p.column(); return &c })
		}
		p.expect(")")
		return p.callOf(start, "grouping", args...)
	case "LISTAGG":
		return p.listagg(start)
	case "CURRENT_DATE", "CURRENT_USER", "CURRENT_CATALOG", "CURRENT_SCHEMA", "CURRENT_PATH":
		p.i++
		return p.callOf(start, strings.ToLower(kw))
	case "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP":
		p.i++
		var args []Expr
		if p.accept("(") {
			at := p.i
			p.integer()
			args = append(args, &Literal{At: p.at(at), Kind: NumberLit, Text: p.toks[at].text})
			p.expect(")")
		}
		return p.callOf(start, strings.ToLower(kw), args...)
	case "JSON_EXISTS", "JSON_VALUE", "JSON_QUERY", "JSON_OBJECT", "JSON_ARRAY":
		return p.jsonFunc(start, kw)
	case "FINAL", "RUNNING":
		if p.identAt(1) && p.peek(2).kw == "(" {
			p.unsupported("a pattern's "+kw+" function", start)
		}
	}
	return nil
}

func (p *parser) trinoTrim(start int) Expr {
	p.i++
	p.expect("(")
	kind := p.oneOf("BOTH", "LEADING", "TRAILING")
	var first Expr
	if kind == "" || !p.is("FROM") {
		first = p.value()
	}
	name := map[string]string{"": "trim", "BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}[kind]
	args := []Expr{first}
	switch {
	case p.accept("FROM"):
		args = []Expr{p.value()}
		if first != nil {
			args = append(args, first)
		}
	case kind == "" && p.accept(","):
		args = append(args, p.value())
	}
	p.expect(")")
	return p.callOf(start, name, args...)
}

func (p *parser) listagg(start int) Expr {
	c := &Call{Name: []Name{{At: p.at(start), Text: "listagg"}}}
	p.i++
	p.expect("(")
	if p.accept("DISTINCT") {
		c.Distinct = true
	} else {
		p.accept("ALL")
	}
	c.Args = []Arg{{X: p.expr()}}
	if p.accept(",") {
		c.Args = append(c.Args, Arg{X: p.stringExpr()})
	}
	if p.is("ON") {
		at := p.i
		p.i++
		p.expect("OVERFLOW")
		if !p.accept("ERROR") {
			p.unsupported("ON OVERFLOW TRUNCATE", at)
		}
	}
	p.expect(")", "WITHIN", "GROUP")
	p.withinGroup(c)
	p.afterCall(c)
	c.At = p.at(start)
	return c
}

func (p *parser) trinoArgs(c *Call) {
	start := p.i
	if p.is("*") {
		p.i++
		c.Args = []Arg{{X: &Star{At: p.at(start)}}}
		return
	}
	if !p.is(")") && !p.isSeq("ORDER", "BY") {
		if p.is("DISTINCT") {
			p.i++
			c.Distinct = true
		} else if p.is("ALL") && !p.continuesOperand(1) {
			p.i++
		}
		c.Args = list(p, func() Arg {
			at := p.i
			if p.isIdent() && p.peek(1).kw == "." && p.peek(2).kw == "*" {
				n := p.ident()
				p.i += 2
				return Arg{X: &Star{At: p.at(at), Qualifier: []Name{n}}}
			}
			return Arg{X: p.expr()}
		})
	}
	if p.acceptSeq("ORDER", "BY") {
		c.OrderBy = list(p, p.sortItem)
	}
}

// trinoInterval finishes INTERVAL [sign] 'text' FIELD [TO FIELD].
func (p *parser) trinoInterval(start int) Expr {
	at := p.i
	sign := p.oneOf("+", "-")
	text := p.stringLit()
	if sign == "-" {
		text = negateText(text)
	}
	v := &Literal{At: p.at(at), Kind: StringLit, Text: text}
	unit := p.expectOneOf("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
	iv := &Interval{Parts: []IntervalPart{{v, unit}}}
	if p.accept("TO") {
		iv.To = p.expectOneOf("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
	}
	iv.At = p.at(start)
	return iv
}
