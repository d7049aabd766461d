package sql

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// query reads a whole query expression.
func (p *parser) query() *Query {
	p.enter()
	defer p.leave()
	start := p.i
	done := p.group("<query>")
	defer done()
	return p.queryAfterWith(start, p.with())
}

func (p *parser) queryAfterWith(start int, with *With) *Query {
	if with != nil && p.dialect == Trino {
		p.forget() // nothing goes on with the WITH any more
	}
	body := p.queryTerm(0)
	if inner, ok := body.(*Query); ok && with == nil && !p.organizationAhead() {
		return inner
	}
	q := &Query{With: with, Body: body}
	p.organization(q)
	q.At = p.at(start)
	if p.dialect == Spark {
		for p.is("|>") {
			q = p.pipe(start, q)
			if p.is("|>") || !p.organizationAhead() {
				continue
			}
			q = &Query{Body: q}
			p.organization(q)
			q.At = p.at(start)
		}
		p.checkCTEs(start, with)
	}
	return q
}

// checkCTEs refuses two CTEs of one name.
func (p *parser) checkCTEs(start int, w *With) {
	if w == nil || len(w.CTEs) < 2 {
		return
	}
	seen := map[string]bool{}
	for _, c := range w.CTEs {
		if seen[foldName(c.Name.Text)] {
			p.refuse(errclass.ParseRule("DUPLICATED_CTE_NAMES", "42602", "CTE definition can't have duplicate names: `"+c.Name.Text+"`.", p.at(start).Pos))
		}
		seen[foldName(c.Name.Text)] = true
	}
}

// organizationAhead tells whether ORDER BY, LIMIT and so on follow.
func (p *parser) organizationAhead() bool {
	switch p.now().kw {
	case "ORDER", "CLUSTER", "DISTRIBUTE", "SORT":
		return p.peek(1).kw == "BY"
	case "WINDOW", "LIMIT", "OFFSET", "FETCH", "|>":
		return true
	}
	return p.noting
}

// organization reads what follows a query's body.
func (p *parser) organization(q *Query) {
	if p.is("ORDER") && (p.dialect == Trino || p.peek(1).kw == "BY") {
		p.i++
		p.expect("BY")
		q.OrderBy = list(p, p.sortItem)
	}
	if p.dialect == Trino {
		p.trinoLimit(q)
		return
	}
	if p.acceptSeq("CLUSTER", "BY") {
		q.ClusterBy = list(p, p.expr)
	}
	if p.acceptSeq("DISTRIBUTE", "BY") {
		q.DistributeBy = list(p, p.expr)
	}
	if p.acceptSeq("SORT", "BY") {
		q.SortBy = list(p, p.sortItem)
	}
	if p.is("WINDOW") && p.identAt(1) {
		p.i++
		q.Windows = list(p, p.namedWindow)
	}
	if p.accept("LIMIT") {
		if !(p.is("ALL") && p.continuesOperand(1) || p.is("ALL") && p.peek(1).kw == "OFFSET") {
			q.Limit = p.expr()
		} else {
			p.i++
		}
	}
	if p.accept("OFFSET") {
		q.Offset = p.expr()
	}
	at := p.i
	n := 0
	for _, set := range []bool{q.OrderBy != nil, q.ClusterBy != nil, q.DistributeBy != nil, q.SortBy != nil} {
		if set {
			n++
		}
	}
	if n > 1 && !(n == 2 && q.DistributeBy != nil && q.SortBy != nil) {
		p.refuse(errclass.ParseRule("UNSUPPORTED_FEATURE.COMBINATION_QUERY_RESULT_CLAUSES", "0A000",
			"The feature is not supported: Combination of ORDER BY/SORT BY/DISTRIBUTE BY/CLUSTER BY.", p.at(max(at-1, 0)).Pos))
	}
}

func (p *parser) trinoLimit(q *Query) {
	if p.accept("OFFSET") {
		q.Offset = p.rowCount()
		p.oneOf("ROW", "ROWS")
	}
	switch {
	case p.accept("LIMIT"):
		if !p.accept("ALL") {
			q.Limit = p.rowCount()
		}
	case p.is("FETCH"):
		start := p.i
		p.i++
		p.expectOneOf("FIRST", "NEXT")
		if p.is("ROW") || p.is("ROWS") {
			q.Limit = &Literal{At: p.at(p.i), Kind: NumberLit, Text: "1"}
		} else {
			q.Limit = p.rowCount()
		}
		p.expectOneOf("ROW", "ROWS")
		if !p.accept("ONLY") {
			p.expect("WITH", "TIES")
			q.WithTies = true
		}
		q.LimitAt = p.at(start)
	}
}

func (p *parser) rowCount() Expr {
	start := p.i
	if p.is("?") {
		return p.primary()
	}
	p.integer()
	return &Literal{At: p.at(start), Kind: NumberLit, Text: p.toks[start].text}
}

func (p *parser) with() *With {
	if !p.is("WITH") {
		return nil
	}
	if p.dialect == Trino && p.peek(1).kw == "SESSION" && p.identAt(2) && p.peek(2).kw != "AS" {
		p.unsupported("WITH "+p.peek(1).kw, p.i)
	}
	if p.dialect == Trino && p.peek(1).kw == "FUNCTION" && p.identAt(2) && p.peek(2).kw != "AS" {
		p.i++
		functions := list(p, p.withFunction)
		w := p.with()
		if w == nil {
			w = &With{}
		}
		w.Functions = functions
		return w
	}
	p.i++
	w := &With{}
	if p.dialect == Trino {
		p.note("'FUNCTION'")
		p.note("'SESSION'")
	}
	if p.is("RECURSIVE") && (p.dialect == Trino || p.identAt(1) && !(p.peek(1).kw == "AS" && p.peek(2).kw == "(")) {
		p.i++
		w.Recursive = true
	}
	w.CTEs = list(p, func() CTE {
		c := CTE{Name: p.name()}
		if p.is("(") && (p.dialect == Trino || !p.queryAt(1)) {
			c.Columns = p.nameList()
		}
		if p.dialect == Trino {
			p.expect("AS")
		} else {
			p.accept("AS")
		}
		c.Query = p.subquery()
		return c
	})
	return w
}

// setPrec: INTERSECT binds closer than UNION and EXCEPT.
func (p *parser) setOp() (string, int) {
	switch p.now().kw {
	case "UNION":
		return "UNION", 1
	case "INTERSECT":
		return "INTERSECT", 2
	case "EXCEPT":
		return "EXCEPT", 1
	case "MINUS":
		if p.dialect == Spark {
			return "EXCEPT", 1
		}
	}
	if p.noting {
		p.note("'UNION'")
		p.note("'INTERSECT'")
		p.note("'EXCEPT'")
	}
	return "", 0
}

func (p *parser) queryTerm(prec int) Body {
	start := p.i
	left := p.queryPrimary()
	for {
		o, q := p.setOp()
		if o == "" || q <= prec {
			return left
		}
		at := p.at(p.i)
		p.i++
		all := p.accept("ALL")
		if !all {
			p.accept("DISTINCT")
		}
		if p.dialect == Trino {
			p.note("'CORRESPONDING'")
		}
		p.enter()
		right := p.queryTerm(q)
		p.leave()
		left = &SetOp{At: p.at(start), Op: o, All: all, L: left, R: right, OpAt: at}
	}
}

func (p *parser) queryPrimary() Body {
	if p.noting {
		for _, k := range [...]string{"(", "SELECT", "TABLE", "VALUES"} {
			p.is(k)
		}
	}
	start := p.i
	switch p.now().kw {
	case "SELECT":
		return p.selectBlock()
	case "VALUES":
		v := p.values()
		if p.dialect == Spark {
			return p.aliasedValues(start, v)
		}
		return v
	case "TABLE":
		p.i++
		at := p.i
		n := p.names()
		return &Table{p.at(start), &TableRef{At: p.at(at), Name: n}}
	case "(":
		p.i++
		p.enter()
		var q *Query
		if p.dialect == Trino {
			var with *With
			if p.now().kw == "WITH" {
				with = p.with()
			}
			q = p.queryAfterWith(p.i, with)
		} else {
			q = p.query()
		}
		p.leave()
		p.expect(")")
		return q
	case "FROM":
		if p.dialect == Spark {
			return p.fromStatement()
		}
	case "MAP", "REDUCE":
		if p.dialect == Spark && !p.continuesOperand(1) {
			p.i++
			p.unsupported("TRANSFORM", start)
		}
	}
	p.fail()
	return nil
}

// aliasedValues turns VALUES … AS t(a, b) as a query into SELECT * FROM VALUES ….
func (p *parser) aliasedValues(start int, v *Values) Body {
	a := p.relationAlias()
	if a.Name == nil {
		return v
	}
	rel := &ValuesRel{p.at(start), v, a}
	return &Select{At: rel.At, Items: []Expr{&Star{At: rel.At}}, From: []Relation{rel}}
}

func (p *parser) values() *Values {
	start := p.i
	p.expect("VALUES")
	v := &Values{}
	for ok := true; ok; ok = !p.dangling() && p.accept(",") {
		e := p.expr()
		if t, is := e.(*Tuple); is {
			v.Rows = append(v.Rows, t.Items)
		} else if s := structRow(p.dialect, e); s != nil {
			v.Rows = append(v.Rows, s)
		} else {
			v.Rows = append(v.Rows, []Expr{e})
		}
	}
	v.At = p.at(start)
	return v
}

// structRow is a row that is struct(a, b): Spark takes it for the row a, b. nil for any other.
func structRow(d Dialect, e Expr) []Expr {
	c, ok := e.(*Call)
	if !ok || d != Spark || len(c.Name) != 1 || c.Name[0].Quoted || !strings.EqualFold(c.Name[0].Text, "struct") || len(c.Args) == 0 {
		return nil
	}
	row := make([]Expr, len(c.Args))
	for i, a := range c.Args {
		row[i] = a.X
		if al, ok := a.X.(*Aliased); ok {
			row[i] = al.X
		}
	}
	return row
}

// fromStatement reads Spark's FROM t SELECT a; several SELECTs there are a union of all of them.
func (p *parser) fromStatement() Body {
	start := p.i
	p.expect("FROM")
	rels, views := p.fromRelations()
	var body Body
	if !p.is("SELECT") {
		if k := p.now().kw; (k == "MAP" || k == "REDUCE") && !p.continuesOperand(1) {
			p.i++
			p.unsupported("TRANSFORM", start)
		}
		// FROM t alone is SELECT * FROM t: pipes begin with it.
		at := p.at(start)
		return &Select{At: at, Items: []Expr{&Star{At: at}}, From: rels, Laterals: views}
	}
	for p.is("SELECT") {
		q := p.fromSelect(rels, views)
		if body == nil {
			body = q
		} else {
			body = &SetOp{At: p.at(start), Op: "UNION", All: true, L: body, R: q}
		}
	}
	return body
}

// fromSelect reads a SELECT whose FROM stands before it.
func (p *parser) fromSelect(rels []Relation, views []LateralView) *Query {
	at := p.i
	s := p.selectHead()
	s.From, s.Laterals = rels, append(views[:len(views):len(views)], p.lateralViews()...)
	p.selectTail(s)
	s.At = p.at(at)
	q := &Query{Body: s}
	p.organization(q)
	q.At = p.at(at)
	return q
}

func (p *parser) selectBlock() Body {
	start := p.i
	s := p.selectHead()
	if p.is("FROM") && (p.dialect == Trino || p.clauseAhead()) {
		p.i++
		s.From, s.Laterals = p.fromRelations()
	}
	if p.dialect == Spark {
		s.Laterals = append(s.Laterals, p.lateralViews()...)
	}
	p.selectTail(s)
	s.At = p.at(start)
	return s
}

func (p *parser) selectHead() *Select {
	start := p.i
	p.expect("SELECT")
	s := &Select{}
	if p.dialect == Trino {
		if p.accept("DISTINCT") {
			s.Distinct = true
		} else if p.is("ALL") && !p.continuesOperand(1) {
			p.i++
		}
		s.Items = list(p, p.trinoSelectItem)
		return s
	}
	if p.is("TRANSFORM") && p.peek(1).kw == "(" && p.transformAhead() {
		p.i++
		p.unsupported("TRANSFORM", start)
	}
	for p.accept("/*+") {
		for !p.accept("*/") {
			s.Hints = append(s.Hints, p.hint())
			p.accept(",")
		}
	}
	switch {
	case p.is("DISTINCT") && p.setQuantifier():
		p.i++
		s.Distinct = true
	case p.is("ALL") && p.setQuantifier():
		p.i++
	}
	s.Items = list(p, p.namedExpr)
	return s
}

// setQuantifier tells SELECT DISTINCT a from a column of that name.
func (p *parser) setQuantifier() bool {
	t := p.peek(1)
	return !p.continuesOperand(1) && t.kw != "FROM" && !(t.kw == "AS") || t.kw == "*" || t.kw == "FROM" && p.peek(2).kw == "FROM"
}

// transformAhead tells SELECT TRANSFORM(a) USING 'script' from the function transform(array, lambda).
func (p *parser) transformAhead() bool {
	depth := 0
	for n := 1; ; n++ {
		switch t := p.peek(n); t.kw {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				k := p.peek(n + 1).kw
				return k == "USING" || k == "ROW" || k == "RECORDWRITER"
			}
		default:
			if t.kind == eof {
				return false
			}
		}
	}
}

func (p *parser) hint() Call {
	start := p.i
	c := Call{Name: []Name{p.ident()}}
	if p.accept("(") {
		for ok := true; ok; ok = p.accept(",") {
			c.Args = append(c.Args, Arg{X: p.postfix(p.primary())})
		}
		p.expect(")")
	}
	c.At = p.at(start)
	return c
}

func (p *parser) trinoSelectItem() Expr {
	start := p.i
	if p.is("*") {
		p.i++
		return &Star{At: p.at(start)}
	}
	outer := p.itemDepth
	p.itemDepth = p.depth + 2 // of a name that is all of the expression
	x := p.expr()
	p.itemDepth = outer
	if p.now().kw == "." && p.peek(1).kw == "*" {
		p.i += 2
		s := &Star{At: p.at(start)}
		if id, ok := x.(*Ident); ok {
			s.Qualifier = id.Parts
		} else {
			s.Row = x
		}
		if p.is("AS") {
			p.i++
			return &Aliased{X: s, Names: p.nameList(), At: p.at(start)}
		}
		return s
	}
	if p.accept("AS") || p.isIdent() && !p.trinoClauseAhead() {
		n := p.ident()
		return &Aliased{p.at(start), x, []Name{n}}
	}
	p.note("<identifier>")
	return x
}

// trinoClauseAhead tells whether the non-reserved word here begins a clause.
func (p *parser) trinoClauseAhead() bool {
	next := p.peek(1)
	switch p.now().kw {
	case "LIMIT":
		return next.kind == integer || next.kw == "ALL" || next.kw == "?"
	case "OFFSET":
		return next.kind == integer || next.kw == "?"
	case "FETCH":
		return next.kw == "FIRST" || next.kw == "NEXT"
	case "WINDOW":
		return p.identAt(1) && p.peek(2).kw == "AS"
	case "TABLESAMPLE":
		return next.kw == "BERNOULLI" || next.kw == "SYSTEM"
	case "MATCH_RECOGNIZE":
		return next.kw == "("
	}
	return false
}

// selectTail reads WHERE to WINDOW.
func (p *parser) selectTail(s *Select) {
	if p.accept("WHERE") {
		s.Where = p.expr()
	}
	if p.is("GROUP") && (p.peek(1).kw == "BY" || p.dialect == Trino) {
		p.i++
		p.expect("BY")
		p.groupBy(s)
	}
	if p.accept("HAVING") {
		s.Having = p.expr()
	}
	if p.is("WINDOW") && p.identAt(1) {
		p.i++
		at := p.i
		s.Windows = list(p, p.namedWindow)
		p.checkWindows(s.Windows, at)
	}
}

// checkWindows refuses two windows of one name.
func (p *parser) checkWindows(list []NamedWindow, at int) {
	seen := map[string]bool{}
	for _, w := range list {
		name := foldName(w.Name.Text)
		if seen[name] && p.dialect == Spark {
			p.refuse(errclass.ParseRule("INVALID_SQL_SYNTAX.REPETITIVE_WINDOW_DEFINITION", "42000",
				"Invalid SQL syntax: The definition of window `"+w.Name.Text+"` is repetitive.", p.at(max(at-1, 0)).Pos))
		}
		seen[name] = true
	}
}

func (p *parser) groupBy(s *Select) {
	start := p.i
	if p.dialect == Trino {
		if p.is("DISTINCT") {
			p.i++
			p.unsupported("GROUP BY DISTINCT", start)
		}
		if p.is("AUTO") {
			p.i++
			p.unsupported("GROUP BY AUTO", start)
		}
		if p.is("ALL") && !p.continuesOperand(1) {
			p.i++
		}
	} else if p.is("ALL") && (p.continuesOperand(1) && p.peek(1).kw != "," && p.peek(1).kw != "." || p.peek(1).kw == "HAVING" || p.clauseAt(1)) {
		p.i++
		s.GroupByAll = true
		return
	}
	if p.isSeq("(", ")") && p.peek(2).kw != "," && p.peek(2).kw != "->" {
		p.i += 2
		s.GroupByEmpty = true
		return
	}
	if p.dialect == Trino && p.noting {
		for _, k := range [...]string{"CUBE", "GROUPING", "ROLLUP"} {
			p.is(k)
		}
	}
	s.GroupBy = list(p, p.groupItem)
	switch {
	case p.dialect == Trino:
	case p.is("WITH") && (p.peek(1).kw == "ROLLUP" || p.peek(1).kw == "CUBE"):
		g := &Grouping{Kind: p.peek(1).kw}
		p.i += 2
		for _, e := range s.GroupBy {
			g.Sets = append(g.Sets, []Expr{e})
		}
		g.At = p.at(start)
		s.GroupBy = []Expr{g}
	case p.isSeq("GROUPING", "SETS"):
		g := p.grouping().(*Grouping)
		g.Exprs = s.GroupBy
		s.GroupBy = []Expr{g}
	}
}

func (p *parser) groupItem() Expr {
	if p.isGrouping() {
		return p.grouping()
	}
	if p.isSeq("(", ")") && p.peek(2).kw != "->" {
		start := p.i
		p.i += 2
		return &Tuple{At: p.at(start)}
	}
	return p.expr()
}

func (p *parser) isGrouping() bool {
	switch p.now().kw {
	case "ROLLUP", "CUBE":
		return p.peek(1).kw == "("
	case "GROUPING":
		return p.peek(1).kw == "SETS"
	}
	return false
}

// grouping reads ROLLUP, CUBE or GROUPING SETS. Inside GROUPING SETS Spark nests them; they are spread out here.
func (p *parser) grouping() Expr {
	start := p.i
	g := &Grouping{Kind: p.now().kw}
	p.i++
	if g.Kind == "GROUPING" {
		p.expect("SETS")
		g.Kind = "GROUPING SETS"
	}
	p.expect("(")
	for first := true; !p.is(")"); first = false {
		if !first {
			p.expect(",")
		}
		if g.Kind == "GROUPING SETS" && p.isGrouping() && p.dialect == Spark {
			p.enter()
			inner := p.grouping().(*Grouping)
			p.leave()
			g.Sets = append(g.Sets, spread(inner)...)
			continue
		}
		g.Sets = append(g.Sets, p.groupingSet())
	}
	for _, set := range g.Sets {
		if len(set) == 0 && g.Kind != "GROUPING SETS" && p.dialect == Spark {
			p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0051", "", "Empty set in "+g.Kind+" grouping sets is not supported.", p.at(start).Pos))
		}
	}
	if len(g.Sets) == 0 && (p.dialect == Spark || g.Kind == "GROUPING SETS") {
		p.fail()
	}
	p.expect(")")
	g.At = p.at(start)
	return g
}

func (p *parser) groupingSet() []Expr {
	if p.isSeq("(", ")") {
		p.i += 2
		return []Expr{}
	}
	e := p.expr()
	if t, ok := e.(*Tuple); ok && !t.Row {
		return t.Items
	}
	return []Expr{e}
}

// spread writes ROLLUP and CUBE as the sets they stand for.
func spread(g *Grouping) [][]Expr {
	switch g.Kind {
	case "ROLLUP":
		out := make([][]Expr, 0, len(g.Sets)+1)
		for n := len(g.Sets); n >= 0; n-- {
			set := []Expr{}
			for _, s := range g.Sets[:n] {
				set = append(set, s...)
			}
			out = append(out, set)
		}
		return out
	case "CUBE":
		if len(g.Sets) > 16 {
			return g.Sets
		}
		var out [][]Expr
		for m := 1<<len(g.Sets) - 1; m >= 0; m-- {
			set := []Expr{}
			for i, s := range g.Sets {
				if m&(1<<(len(g.Sets)-1-i)) != 0 {
					set = append(set, s...)
				}
			}
			out = append(out, set)
		}
		return out
	}
	return g.Sets
}
