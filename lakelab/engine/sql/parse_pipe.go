package sql

import "mini-lakehouse-lab/lakelab/engine/errclass"

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
		s.Pipe = kw
		s.From = []Relation{input()}
		if p.is("WINDOW") && p.identAt(1) {
			p.i++
			s.Windows = list(p, p.namedWindow)
		}
		s.At = p.at(at)
		return wrap(s)
	case "EXTEND":
		p.i++
		s := &Select{Items: append(star(), list(p, p.namedExpr)...), From: []Relation{input()}, Pipe: kw}
		s.At = p.at(at)
		return wrap(s)
	case "SET":
		p.i++
		w := &PipeSet{Rel: input(), Set: list(p, p.assignment)}
		w.At = p.at(at)
		for _, set := range w.Set {
			if len(set.Column.Parts) > 1 {
				p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0035", "", "Operation not allowed: SQL pipe syntax |> SET operator with multi-part assignment key "+
					"(only single-part keys are allowed).", p.at(at).Pos))
			}
		}
		return wrap(&Select{At: w.At, Items: star(), From: []Relation{w}})
	case "DROP":
		p.i++
		cols := list(p, func() Ident {
			i := p.i
			n := p.name()
			return Ident{At: p.at(i), Parts: []Name{n}}
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
		if p.is("WINDOW") && p.identAt(1) {
			p.i++
			list(p, p.namedWindow)
			p.refuse(errclass.ParseRule("NOT_ALLOWED_IN_PIPE_OPERATOR_WHERE.WINDOW_CLAUSE", "42601", "Not allowed in the pipe WHERE clause: WINDOW clause.", p.at(at).Pos))
		}
		return wrap(s)
	case "AGGREGATE":
		return wrap(p.pipeAggregate(at, input()))
	case "PIVOT", "UNPIVOT":
		if !p.pivotAhead() {
			break
		}
		return wrap(&Select{Items: star(), From: []Relation{p.pipePivot(kw, at, input())}, At: p.at(at)})
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
		if len(out.OrderBy)+len(out.SortBy)+len(out.ClusterBy)+len(out.DistributeBy) > 0 && (out.Limit != nil || out.Offset != nil) {
			p.refuse(errclass.ParseRule("MULTIPLE_QUERY_RESULT_CLAUSES_WITH_PIPE_OPERATORS", "42000",
				kw+" and LIMIT cannot coexist in the same SQL pipe operator using '|>'. Please separate the multiple result clauses into separate pipe operators and then retry the query again.", p.at(at).Pos))
		}
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

// pipePivot reads one PIVOT or one UNPIVOT.
func (p *parser) pipePivot(kw string, at int, rel Relation) Relation {
	read := map[string]func(Relation) Relation{"PIVOT": p.pivot, "UNPIVOT": p.unpivot}
	out := read[kw](rel)
	if p.pivotAhead() {
		if p.is(kw) {
			p.fail()
		}
		out = read[p.now().kw](out)
		p.refuse(errclass.ParseRule("NOT_ALLOWED_IN_FROM.UNPIVOT_WITH_PIVOT", "42601", "Not allowed in the FROM clause: UNPIVOT clause following PIVOT clause.", p.at(at).Pos))
	}
	return out
}

// pipeAggregate reads AGGREGATE aggs [GROUP BY keys]: the keys come first in the result.
func (p *parser) pipeAggregate(at int, rel Relation) Body {
	p.i++
	s := &Select{From: []Relation{rel}, Pipe: "AGGREGATE"}
	unsupported := func(what string) {
		p.refuse(errclass.ParseRule("UNSUPPORTED_FEATURE.PIPE_OPERATOR_AGGREGATE_UNSUPPORTED_CASE", "0A000",
			"The feature is not supported: The SQL pipe operator syntax with aggregation (using |> AGGREGATE) does not support "+what+".", p.at(at).Pos))
	}
	var aggs []Expr
	if !p.isSeq("GROUP", "BY") && p.now().kind != eof {
		aggs = list(p, p.namedExpr)
	}
	grouped := p.acceptSeq("GROUP", "BY")
	switch {
	case grouped && p.is("ALL") && p.peek(1).kind == eof:
		p.i++
		unsupported("GROUP BY ALL")
	case grouped:
		for ok := true; ok; ok = p.accept(",") {
			if p.isGrouping() {
				unsupported(p.now().kw)
				p.grouping()
				continue
			}
			e := p.namedExpr()
			s.Items = append(s.Items, e)
			if a, is := e.(*Aliased); is {
				e = a.X
			}
			s.GroupBy = append(s.GroupBy, e)
		}
		if p.isSeq("GROUPING", "SETS") {
			unsupported("GROUPING SETS")
			p.grouping()
		}
		if p.isSeq("WITH", "ROLLUP") || p.isSeq("WITH", "CUBE") {
			unsupported("WITH " + p.peek(1).kw)
			p.i += 2
		}
	case len(aggs) == 0:
		p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0035", "", "Operation not allowed: The AGGREGATE clause requires a list of aggregate expressions or a list of grouping expressions, or both.", p.at(at).Pos))
	default:
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
