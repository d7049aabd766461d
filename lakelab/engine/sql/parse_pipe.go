package sql

// pipe reads one |> operator and puts it around the query so far: each step is a query over the one before it, whose
// columns keep their qualifiers (Derived.Transparent).
func (p *parser) pipe(start int, q *Query) *Query {
	p.expect("|>")
	input := func() Relation { return &Derived{At: q.At, Query: q, Transparent: true} }
	wrap := func(b Body) *Query { return &Query{At: p.at(start), Body: b} }
	star := func() []Expr { return []Expr{&Star{At: p.at(p.i - 1)}} }
	at := p.i
	switch kw := p.now().kw; kw {
	case "SELECT":
		s := p.selectHead()
		s.From = []Relation{input()}
		if p.is("WINDOW") && p.identAt(1) {
			p.i++
			s.Windows = list(p, p.namedWindow)
		}
		s.At = p.at(at)
		return wrap(s)
	case "EXTEND":
		p.i++
		s := &Select{Items: append(star(), list(p, p.namedExpr)...), From: []Relation{input()}}
		s.At = p.at(at)
		return wrap(s)
	case "SET":
		p.i++
		w := &PipeSet{Rel: input(), Set: list(p, p.assignment)}
		w.At = p.at(at)
		return wrap(&Select{At: w.At, Items: star(), From: []Relation{w}})
	case "DROP":
		p.i++
		cols := list(p, func() Ident {
			i := p.i
			n := p.name()
			return Ident{p.at(i), []Name{n}}
		})
		s := &Select{Items: []Expr{&Star{At: p.at(at), Except: cols}}, From: []Relation{input()}}
		s.At = p.at(at)
		return wrap(s)
	case "AS":
		p.i++
		n := p.name()
		d := &Derived{At: p.at(start), Query: q, Alias: Alias{Name: &n}}
		return wrap(&Select{At: p.at(at), Items: star(), From: []Relation{d}})
	case "WHERE":
		p.i++
		s := &Select{Items: star(), From: []Relation{input()}}
		s.Where = p.expr()
		s.At = p.at(at)
		return wrap(s)
	case "AGGREGATE":
		return wrap(p.pipeAggregate(at, input()))
	case "PIVOT", "UNPIVOT":
		if !p.pivotAhead() {
			break
		}
		return wrap(&Select{Items: star(), From: []Relation{p.pivots(input())}, At: p.at(at)})
	case "TABLESAMPLE":
		d := input().(*Derived)
		d.Sample = p.sample()
		if d.Sample == nil {
			break
		}
		return wrap(&Select{At: p.at(at), Items: star(), From: []Relation{d}})
	case "UNION", "EXCEPT", "MINUS", "INTERSECT":
		o, _ := p.setOp()
		p.i++
		all := p.accept("ALL")
		if !all {
			p.accept("DISTINCT")
		}
		r := p.queryPrimary()
		return wrap(&SetOp{At: p.at(start), Op: o, All: all, L: q, R: r})
	case "ORDER", "SORT", "CLUSTER", "DISTRIBUTE", "LIMIT", "OFFSET", "WINDOW":
		out := &Query{Body: q}
		p.organization(out)
		out.At = p.at(start)
		return out
	default:
		if j := p.join(start, input()); j != nil {
			return wrap(&Select{At: p.at(at), Items: star(), From: []Relation{j}})
		}
	}
	if p.now().kind == eof || p.now().kw == ";" {
		// An empty step is Spark's queryOrganization with nothing in it.
		return q
	}
	if p.peek(1).kind == eof {
		p.failHint("extra input " + p.near(p.now()))
	}
	p.fail()
	return nil
}

// pipeAggregate reads AGGREGATE aggs [GROUP BY keys]: the keys come first in the result.
func (p *parser) pipeAggregate(at int, rel Relation) Body {
	p.i++
	s := &Select{From: []Relation{rel}}
	var aggs []Expr
	if !p.isSeq("GROUP", "BY") {
		aggs = list(p, p.namedExpr)
	}
	if p.acceptSeq("GROUP", "BY") {
		for ok := true; ok; ok = p.accept(",") {
			if p.isGrouping() {
				p.unsupported("grouping sets behind |> AGGREGATE", p.i)
			}
			e := p.namedExpr()
			s.Items = append(s.Items, e)
			if a, is := e.(*Aliased); is {
				e = a.X
			}
			s.GroupBy = append(s.GroupBy, e)
		}
	} else {
		// Without aggregate functions it is still one group.
		s.GroupByEmpty = true
	}
	s.Items = append(s.Items, aggs...)
	s.At = p.at(at)
	return s
}

// assignment reads a.b = e.
func (p *parser) assignment() Assignment {
	a := Assignment{Column: p.column()}
	if p.peek(1).kw == "=" && p.now().kw != "=" {
		p.need("=")
	}
	p.expect("=")
	if p.is("DEFAULT") && p.assignmentEnds(1) {
		a.Value = &Default{At: p.at(p.i)}
		p.i++
		return a
	}
	a.Value = p.expr()
	return a
}

func (p *parser) assignmentEnds(n int) bool {
	t := p.peek(n)
	return t.kind == eof || t.kw == "," || t.kw == ")" || t.kw == "WHERE" || t.kw == "WHEN" || t.kw == ";"
}
