package sql

import "strings"

// call reads arguments and what may follow them. The name has been read.
func (p *parser) call(start int, name []Name) Expr {
	p.enter()
	defer p.leave()
	c := &Call{Name: name}
	p.expect("(")
	if p.dialect == Trino {
		done := p.within()
		p.trinoArgs(c)
		done()
	} else {
		p.sparkArgs(c)
		if n := len(c.Args); n > 0 {
			if _, star := c.Args[n-1].X.(*Star); !star {
				p.closing()
				p.i--
			}
		}
	}
	p.expect(")")
	if c.Nulls == "" { // first(a IGNORE NULLS) takes no window
		p.afterCall(c)
	}
	c.At = p.at(start)
	return c
}

func (p *parser) sparkArgs(c *Call) {
	if p.is(")") {
		return
	}
	if p.is("DISTINCT") && !p.continuesOperand(1) || p.is("DISTINCT") && p.peek(1).kw == "*" {
		p.i++
		c.Distinct = true
	} else if p.is("ALL") && !p.continuesOperand(1) {
		p.i++
	}
	c.Args = list(p, p.sparkArg)
	if p.is("IGNORE") && p.peek(1).kw == "NULLS" && len(c.Name) == 1 {
		switch strings.ToLower(c.Name[0].Text) {
		case "first", "last", "any_value":
			p.i += 2
			c.Nulls = "IGNORE"
		}
	}
}

func (p *parser) sparkArg() Arg {
	if p.isIdent() && p.peek(1).kw == "=>" {
		n := p.ident()
		p.i++
		p.tableArg()
		return Arg{&n, p.expr()}
	}
	p.tableArg()
	// struct(a AS x) names its fields; nothing else may.
	return Arg{X: p.expr()}
}

// tableArg refuses TABLE(t) as an argument: it feeds Python's table functions, and there are none.
func (p *parser) tableArg() {
	if p.is("TABLE") && (p.peek(1).kw == "(" || p.identAt(1)) {
		p.i++
		p.unsupported("a TABLE argument of a table-valued function", p.i-1)
	}
}

// afterCall reads WITHIN GROUP, FILTER, IGNORE | RESPECT NULLS and OVER.
func (p *parser) afterCall(c *Call) {
	if p.dialect == Spark && p.acceptSeq("WITHIN", "GROUP") {
		p.withinGroup(c)
	}
	if p.is("FILTER") && p.peek(1).kw == "(" && (p.peek(2).kw == "WHERE" || p.dialect == Trino) {
		p.i += 2
		p.expect("WHERE")
		c.Filter = p.expr()
		p.expect(")")
	}
	if (p.is("IGNORE") || p.is("RESPECT")) && p.peek(1).kw == "NULLS" {
		c.Nulls = p.now().kw
		p.i += 2
		if p.dialect == Trino && !p.is("OVER") {
			p.fail()
		}
	}
	if p.is("OVER") && (p.peek(1).kw == "(" || p.identAt(1) && (p.dialect == Trino || p.overName())) {
		p.i++
		c.Over = p.windowSpec()
	}
}

// overName tells OVER w from a column alias "over" before a clause.
func (p *parser) overName() bool { return !p.clauseAt(1) }

func (p *parser) withinGroup(c *Call) {
	p.expect("(", "ORDER", "BY")
	c.OrderBy = list(p, p.sortItem)
	c.WithinGroup = true
	p.expect(")")
}

// windowSpec reads a name or a specification in parentheses.
func (p *parser) windowSpec() *WindowSpec {
	start := p.i
	w := &WindowSpec{}
	if !p.accept("(") {
		n := p.ident()
		w.Ref, w.At = &n, p.at(start)
		w.Body = w.At
		return w
	}
	if k := p.now().kw; p.dialect == Spark && (k == "PARTITION" || k == "DISTRIBUTE") && p.peek(1).kw != "BY" && p.peek(1).kw != ")" {
		p.i--
		p.fail()
	}
	p.windowBody(w)
	w.Body = p.at(start + 1)
	p.expect(")")
	w.At = p.at(start)
	return w
}

func (p *parser) windowBody(w *WindowSpec) {
	if p.dialect == Trino && p.noting {
		for _, k := range [...]string{"GROUPS", "MEASURES", "RANGE", "ROWS"} {
			p.is(k)
		}
		p.note("<identifier>")
	}
	if p.isIdent() && !p.windowWord() {
		if p.dialect == Trino && p.now().kw == "PARTITION" && p.noting {
			p.i++
			for _, k := range [...]string{"BY", "GROUPS", "RANGE", "ROWS"} {
				p.is(k)
			}
			p.i--
		}
		n := p.ident()
		w.Ref = &n
		if p.dialect == Spark {
			return
		}
	}
	switch {
	case p.dialect == Spark && p.acceptSeq("CLUSTER", "BY"):
		w.PartitionBy = list(p, p.expr)
	case p.acceptSeq("PARTITION", "BY"), p.dialect == Spark && p.acceptSeq("DISTRIBUTE", "BY"):
		w.PartitionBy = list(p, p.expr)
	}
	if p.dialect == Spark && (p.is("ORDER") || p.is("SORT")) && p.peek(1).kw != "BY" {
		p.i++
		p.need("BY")
	}
	order := p.i
	if p.dialect == Trino && p.is("ORDER") && p.peek(1).kw != "BY" {
		p.i++
		p.expect("BY")
	}
	if p.acceptSeq("ORDER", "BY") || p.dialect == Spark && p.acceptSeq("SORT", "BY") {
		w.OrderBy = list(p, p.sortItem)
		w.OrderAt = p.at(order)
	}
	if u := p.now().kw; u == "ROWS" || u == "RANGE" || p.dialect == Trino && u == "GROUPS" {
		w.Frame = p.frame()
	}
	if p.dialect == Trino && (p.is("MEASURES") || p.now().kw == "PATTERN" && p.peek(1).kw == "(") {
		p.unsupported("row pattern recognition in a window", p.i)
	}
}

// windowWord tells a specification's first keyword from the name of another window.
func (p *parser) windowWord() bool {
	switch p.now().kw {
	case "PARTITION", "ORDER", "CLUSTER", "DISTRIBUTE", "SORT":
		return p.peek(1).kw == "BY"
	case "ROWS", "RANGE", "GROUPS":
		return p.peek(1).kind != op
	}
	return false
}

func (p *parser) frame() *Frame {
	f := &Frame{Unit: p.now().kw}
	start := p.i
	defer func() { f.At = p.at(start) }()
	p.i++
	if p.is("BETWEEN") && !p.continuesOperand(1) {
		p.i++
		f.Start = p.bound()
		p.expect("AND")
		f.End = p.bound()
		return f
	}
	f.Start = p.bound()
	f.End = Bound{Kind: "CURRENT ROW"}
	return f
}

func (p *parser) bound() Bound {
	switch {
	case p.is("UNBOUNDED") && (p.peek(1).kw == "PRECEDING" || p.peek(1).kw == "FOLLOWING"):
		k := "UNBOUNDED " + p.peek(1).kw
		p.i += 2
		return Bound{Kind: k}
	case p.acceptSeq("CURRENT", "ROW"):
		return Bound{Kind: "CURRENT ROW"}
	}
	n := p.expr()
	k := p.oneOf("PRECEDING", "FOLLOWING")
	if k == "" {
		p.failHint("missing {'FOLLOWING', 'PRECEDING'}")
	}
	return Bound{Kind: k, N: n}
}

// namedWindow reads name AS (…).
func (p *parser) namedWindow() NamedWindow {
	n := p.name()
	p.expect("AS")
	return NamedWindow{n, *p.windowSpec()}
}
