package sql

import (
	"cmp"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// trinoStatement reads one statement of Trino's grammar.
func (p *parser) trinoStatement() Statement {
	p.enter()
	defer p.leave()
	start := p.i
	if p.noting {
		for _, k := range []string{"ALTER", "ANALYZE", "CALL", "COMMENT", "COMMIT", "CREATE", "DEALLOCATE", "DELETE", "DENY", "DESC", "DESCRIBE", "DROP",
			"EXECUTE", "EXPLAIN", "GRANT", "INSERT", "MERGE", "PREPARE", "REFRESH", "RESET", "REVOKE", "ROLLBACK", "SET", "SHOW", "START", "TRUNCATE",
			"UPDATE", "USE", "WITH"} {
			p.is(k)
		}
		p.note("<query>")
	}
	switch kw := p.now().kw; kw {
	case "SELECT", "VALUES", "TABLE", "(", "WITH":
		q := p.query()
		return &QueryStmt{p.at(start), q}
	case "USE":
		p.i++
		u := &Use{Name: []Name{p.ident()}}
		if p.accept(".") {
			u.Name = append(u.Name, p.ident())
		}
		u.At = p.at(start)
		return u
	case "CREATE":
		return p.trinoCreate()
	case "DROP":
		return p.trinoDrop()
	case "ALTER":
		return p.trinoAlter()
	case "INSERT":
		p.i++
		p.expect("INTO")
		in := &Insert{Table: p.names()}
		p.forget()
		p.note("'WITH'")
		if p.is("(") && !p.queryAt(1) {
			in.Columns = p.nameList()
		}
		in.Query = p.query()
		in.At = p.at(start)
		return in
	case "DELETE":
		p.i++
		p.expect("FROM")
		d := &Delete{Table: p.trinoTable()}
		if p.accept("WHERE") {
			d.Where = p.expr()
		}
		d.At = p.at(start)
		return d
	case "UPDATE":
		p.i++
		u := &Update{Table: p.trinoTable()}
		p.expect("SET")
		u.Set = list(p, p.trinoAssignment)
		if p.accept("WHERE") {
			u.Where = p.expr()
		}
		u.At = p.at(start)
		return u
	case "MERGE":
		return p.trinoMerge()
	case "TRUNCATE":
		p.i++
		p.expect("TABLE")
		n := p.names()
		return &Truncate{At: p.at(start), Table: n}
	case "COMMENT":
		p.i++
		p.expect("ON")
		c := &Comment{On: p.expectOneOf("COLUMN", "TABLE", "VIEW")}
		c.Name = p.names()
		p.expect("IS")
		if !p.accept("NULL") {
			c.Text = p.stringPtr()
		}
		c.At = p.at(start)
		return c
	case "ANALYZE":
		p.i++
		a := &Analyze{Table: p.names()}
		if p.accept("WITH") {
			a.Properties = p.trinoProperties()
		}
		a.At = p.at(start)
		return a
	case "CALL":
		p.i++
		c := &CallProc{Name: p.names()}
		p.expect("(")
		p.note("<identifier>")
		if !p.is(")") {
			c.Args = list(p, p.procArg)
		}
		p.expect(")")
		c.At = p.at(start)
		return c
	case "EXPLAIN":
		return p.trinoExplain()
	case "SHOW":
		return p.trinoShow()
	case "DESCRIBE", "DESC":
		p.i++
		d := &Describe{What: "TABLE"}
		if kw == "DESCRIBE" && p.noting {
			p.note("'INPUT'")
			p.note("'OUTPUT'")
		}
		if k := p.now().kw; kw == "DESCRIBE" && (k == "INPUT" || k == "OUTPUT") && p.identAt(1) {
			p.i++
			d.What = k
			d.Name = []Name{p.ident()}
		} else {
			d.Name = p.names()
		}
		d.At = p.at(start)
		return d
	case "SET":
		return p.trinoSet()
	case "RESET":
		p.i++
		p.expect("SESSION")
		if p.accept("AUTHORIZATION") {
			return &Access{At: p.at(start), Kind: "RESET SESSION AUTHORIZATION"}
		}
		n := p.names()
		return &Set{At: p.at(start), Key: dotted(n), Reset: true, Trino: true}
	case "START":
		p.i++
		p.expect("TRANSACTION")
		var modes []string
		if p.is("ISOLATION") || p.is("READ") {
			modes = list(p, p.transactionMode)
		}
		t := &Transaction{At: p.at(start), What: "START", ReadOnly: slices.Contains(modes, "ONLY")}
		for _, twice := range [...]struct{ a, b, what string }{{"LEVEL", "LEVEL", "isolation levels"}, {"ONLY", "WRITE", "read modes"}} {
			n := 0
			for _, m := range modes {
				if m == twice.a || m == twice.b {
					n++
				}
			}
			if n > 1 {
				p.refuse(errclass.TrinoRule("Multiple transaction " + twice.what + " specified").At(t.Pos))
			}
		}
		return t
	case "COMMIT", "ROLLBACK":
		p.i++
		p.accept("WORK")
		return &Transaction{At: p.at(start), What: kw}
	case "PREPARE":
		p.i++
		st := &Prepare{Name: p.ident()}
		p.expect("FROM")
		at := p.i
		st.Statement = p.trinoStatement()
		st.Text = p.text(p.at(at).Pos)
		st.At = p.at(start)
		return st
	case "DEALLOCATE":
		p.i++
		p.expect("PREPARE")
		n := p.ident()
		return &Deallocate{At: p.at(start), Name: n}
	case "EXECUTE":
		p.i++
		e := &Execute{}
		if p.is("IMMEDIATE") && p.peek(1).kind == str {
			p.i++
			e.ImmediateAt = p.toks[p.i].start
			e.ImmediateAt.Col++
			e.ImmediateAt.Offset++
			e.Immediate = p.stringPtr()
		} else {
			n := p.ident()
			e.Name = &n
		}
		if p.accept("USING") {
			e.Using = list(p, p.expr)
		}
		e.At = p.at(start)
		return e
	case "GRANT", "REVOKE", "DENY":
		p.i++
		return p.grant(start, kw)
	case "REFRESH":
		p.i++
		p.expect("MATERIALIZED", "VIEW")
		n := p.names()
		return &Materialized{At: p.at(start), Kind: "REFRESH", Name: n}
	}
	p.fail()
	return nil
}

func dotted(names []Name) string {
	parts := make([]string, len(names))
	for i := range names {
		parts[i] = names[i].Text
	}
	return strings.Join(parts, ".")
}

func (p *parser) trinoTable() *TableRef {
	start := p.i
	n := p.names()
	return &TableRef{At: p.at(start), Name: n}
}

func (p *parser) trinoAssignment() Assignment {
	at := p.i
	n := p.ident()
	a := Assignment{Column: Ident{At: p.at(at), Parts: []Name{n}}}
	p.expect("=")
	a.Value = p.expr()
	return a
}

// procArg reads an argument of CALL or ALTER TABLE EXECUTE.
func (p *parser) procArg() Arg {
	if p.isIdent() && p.peek(1).kw == "=>" {
		n := p.ident()
		p.i++
		return Arg{&n, p.expr()}
	}
	return Arg{X: p.expr()}
}

// transactionMode reads ISOLATION LEVEL …, which says nothing more since the catalogs here have one level, or READ ONLY | WRITE.
func (p *parser) transactionMode() string {
	if p.accept("ISOLATION") {
		p.expect("LEVEL")
		switch p.expectOneOf("READ", "REPEATABLE", "SERIALIZABLE") {
		case "READ":
			p.expectOneOf("COMMITTED", "UNCOMMITTED")
		case "REPEATABLE":
			p.expect("READ")
		}
		return "LEVEL"
	}
	p.expect("READ")
	return p.expectOneOf("ONLY", "WRITE")
}

func (p *parser) trinoMerge() Statement {
	start := p.i
	p.expect("MERGE", "INTO")
	m := &Merge{}
	at := p.i
	m.Target = &TableRef{Name: p.names()}
	if p.accept("AS") || p.isIdent() {
		n := p.ident()
		m.Target.Alias.Name = &n
	}
	m.Target.At = p.at(at)
	p.expect("USING")
	m.Source = p.relation()
	p.expect("ON")
	m.On = p.expr()
	p.forget()
	for ok := true; ok; ok = p.is("WHEN") {
		m.When = append(m.When, p.trinoWhen())
	}
	m.At = p.at(start)
	return m
}

func (p *parser) trinoWhen() MergeWhen {
	start := p.i
	p.expect("WHEN")
	w := MergeWhen{Kind: "MATCHED"}
	if p.accept("NOT") {
		w.Kind = "NOT MATCHED"
	}
	p.expect("MATCHED")
	if p.accept("AND") {
		w.Cond = p.expr()
	}
	p.expect("THEN")
	if w.Kind == "MATCHED" {
		w.Action = p.expectOneOf("DELETE", "UPDATE")
		if w.Action == "UPDATE" {
			p.expect("SET")
			w.Set = list(p, p.trinoAssignment)
		}
	} else {
		p.expect("INSERT")
		w.Action = "INSERT"
		if p.is("(") {
			w.Columns = parens(p, func() Ident {
				at := p.i
				n := p.ident()
				return Ident{At: p.at(at), Parts: []Name{n}}
			})
		}
		p.expect("VALUES")
		w.Values = parens(p, p.expr)
	}
	w.At = p.at(start)
	return w
}

func (p *parser) trinoExplain() Statement {
	start := p.i
	p.expect("EXPLAIN")
	e := &Explain{}
	switch {
	case p.is("ANALYZE"):
		p.i++
		e.Analyze, e.Verbose = true, p.accept("VERBOSE")
	case p.is("(") && (p.peek(1).kw == "TYPE" || p.peek(1).kw == "FORMAT"):
		parens(p, func() string { // of each option, the first one counts
			if p.accept("FORMAT") {
				e.Format = cmp.Or(e.Format, p.expectOneOf("TEXT", "GRAPHVIZ", "JSON"))
				return e.Format
			}
			p.expect("TYPE")
			e.Type = cmp.Or(e.Type, p.expectOneOf("LOGICAL", "DISTRIBUTED", "VALIDATE", "IO"))
			return e.Type
		})
	}
	at := p.i
	e.Statement = p.trinoStatement()
	e.Text = p.text(p.at(at).Pos)
	e.At = p.at(start)
	return e
}

func (p *parser) trinoShow() Statement {
	start := p.i
	p.expect("SHOW")
	s := &Show{}
	from := func() {
		if p.oneOf("FROM", "IN") != "" {
			s.Name = p.names()
		}
	}
	like := func() {
		if p.accept("LIKE") {
			s.Like = p.stringPtr()
			if p.accept("ESCAPE") {
				s.Escape = p.stringPtr()
			}
		}
	}
	for _, k := range [...]string{"CATALOGS", "COLUMNS", "CREATE", "CURRENT", "FUNCTIONS", "GRANTS", "ROLE", "ROLES", "SCHEMAS", "SESSION", "STATS", "TABLES"} {
		p.is(k)
	}
	kw := p.now().kw
	switch kw {
	case "TABLES", "FUNCTIONS":
		p.i++
		s.What = kw
		from()
		like()
	case "SCHEMAS":
		p.i++
		s.What = "NAMESPACES"
		if p.oneOf("FROM", "IN") != "" {
			s.Name = []Name{p.ident()}
		}
		like()
	case "CATALOGS", "SESSION":
		p.i++
		s.What = kw
		like()
	case "COLUMNS":
		p.i++
		s.What = kw
		p.expectOneOf("FROM", "IN")
		s.Name = p.names()
		like()
	case "CREATE":
		p.i++
		k := p.expectOneOf("FUNCTION", "MATERIALIZED", "SCHEMA", "TABLE", "VIEW")
		if k == "MATERIALIZED" {
			p.expect("VIEW")
			n := p.names()
			return &Materialized{At: p.at(start), Kind: "SHOW CREATE", Name: n}
		}
		if k == "FUNCTION" {
			return p.refused(start, "FUNCTION")
		}
		if k == "SCHEMA" {
			k = "NAMESPACE"
		}
		s.What = "CREATE " + k
		s.Name = p.names()
	case "STATS":
		p.i++
		p.expect("FOR")
		s.What = kw
		if p.is("(") {
			s.Query = p.subquery()
		} else {
			s.Name = p.names()
		}
	case "GRANTS", "ROLES", "ROLE", "CURRENT":
		return p.showAccess(start)
	default:
		p.fail()
	}
	s.At = p.at(start)
	return s
}

func (p *parser) trinoSet() Statement {
	start := p.i
	p.expect("SET")
	switch p.expectOneOf("PATH", "ROLE", "SESSION", "TIME") {
	case "PATH":
		return p.setAccess(start, "SET PATH")
	case "ROLE":
		return p.setAccess(start, "SET ROLE")
	case "TIME":
		p.expect("ZONE")
		s := &Set{Key: "time_zone_id", Trino: true, TimeZone: true}
		if p.is("LOCAL") {
			p.i++
			local := "LOCAL"
			s.Value = &local
		} else {
			s.X = p.expr()
		}
		s.At = p.at(start)
		return s
	}
	if p.accept("AUTHORIZATION") {
		return p.setAccess(start, "SET SESSION AUTHORIZATION")
	}
	s := &Set{Trino: true, Key: dotted(p.names())}
	p.expect("=")
	s.X = p.expr()
	s.At = p.at(start)
	return s
}
