package sql

import "mini-lakehouse-lab/lakelab/engine/errclass"

// trinoProperties reads ( name = expression, … ).
func (p *parser) trinoProperties() []Property { return parens(p, p.trinoProperty) }

func (p *parser) trinoProperty() Property {
	pr := Property{At: p.at(p.i), Key: p.ident().Text}
	p.expect("=")
	if p.is("DEFAULT") {
		p.i++
		pr.Value = &Default{At: p.at(p.i - 1)}
		return pr
	}
	pr.Value = p.expr()
	return pr
}

func (p *parser) trinoCreate() Statement {
	start := p.i
	p.expect("CREATE")
	orReplace := false
	if p.accept("OR") {
		p.expect("REPLACE")
		orReplace = true
	}
	for _, k := range [...]string{"FUNCTION", "MATERIALIZED", "TABLE", "VIEW"} {
		p.is(k)
	}
	switch kw := p.now().kw; kw {
	case "TABLE":
		p.i++
		return p.trinoCreateTable(start, orReplace)
	case "VIEW":
		p.i++
		v := &CreateView{OrReplace: orReplace, Name: p.names()}
		p.forget()
		if p.accept("COMMENT") {
			v.Comment = p.stringPtr()
		}
		if p.accept("SECURITY") {
			v.Security = p.expectOneOf("DEFINER", "INVOKER")
		}
		if p.accept("WITH") {
			v.Properties = p.trinoProperties()
		}
		p.expect("AS")
		at := p.i
		v.AsQuery = p.query()
		v.QueryText = p.text(p.at(at).Pos)
		v.At = p.at(start)
		return v
	case "FUNCTION", "MATERIALIZED":
		p.i++
		if kw == "FUNCTION" {
			name := p.names()
			st := p.refused(start, kw)
			st.Name = name
			return st
		}
		p.expect("VIEW")
		return p.createMaterialized(start)
	}
	if orReplace {
		p.fail()
	}
	for _, k := range [...]string{"CATALOG", "OR", "ROLE", "SCHEMA"} {
		p.is(k)
	}
	switch kw := p.now().kw; kw {
	case "SCHEMA":
		p.i++
		n := &CreateNamespace{IfNotExists: p.ifNotExists(), Name: p.names()}
		if p.accept("AUTHORIZATION") {
			who, role := p.grantee()
			n.Owner, n.OwnedByRole = who.Text, role
		}
		if p.accept("WITH") {
			n.Properties = p.trinoProperties()
		}
		n.At = p.at(start)
		return n
	case "CATALOG", "ROLE":
		p.i++
		if kw == "ROLE" {
			return p.role(start, "CREATE ROLE")
		}
		return p.refused(start, "CREATE CATALOG")
	}
	p.fail()
	return nil
}

func (p *parser) trinoCreateTable(start int, orReplace bool) Statement {
	c := &CreateTable{OrReplace: orReplace}
	c.IfNotExists = p.ifNotExists()
	c.Name = p.names()
	names := false
	if p.is("(") {
		names = p.plainNames()
		if names {
			c.ColumnNames = p.nameList()
		} else {
			p.trinoElements(c)
		}
	}
	if p.accept("COMMENT") {
		c.Comment = p.stringPtr()
	}
	if p.accept("WITH") {
		c.Properties = p.trinoProperties()
	}
	if c.Columns == nil && c.LikeTables == nil {
		p.expect("AS")
		p.note("'('")
		p.note("'WITH'")
		c.AsQuery = p.query()
		if p.accept("WITH") {
			c.WithNoData = p.accept("NO")
			p.expect("DATA")
		}
	}
	c.At = p.at(start)
	if c.OrReplace && c.IfNotExists {
		p.refuse(errclass.TrinoRule("'OR REPLACE' and 'IF NOT EXISTS' clauses can not be used together").At(c.Pos))
	}
	return c
}

// plainNames tells (a, b) from column definitions.
func (p *parser) plainNames() bool { return p.aliasList() }

func (p *parser) trinoElements(c *CreateTable) {
	p.expect("(")
	for ok := true; ok; ok = p.accept(",") {
		if p.is("LIKE") {
			start := p.i
			p.i++
			l := TableLike{Name: p.names(), Before: len(c.Columns)}
			if k := p.oneOf("INCLUDING", "EXCLUDING"); k != "" {
				p.expect("PROPERTIES")
				l.Properties = k == "INCLUDING"
			}
			l.At = p.at(start)
			c.LikeTables = append(c.LikeTables, l)
			continue
		}
		c.Columns = append(c.Columns, p.trinoColumn())
	}
	p.expect(")")
}

// trinoColumn reads name type [DEFAULT …] [NOT NULL] [COMMENT] [WITH (…)].
func (p *parser) trinoColumn() ColumnDef {
	start := p.i
	path := p.names()
	c := ColumnDef{Name: path[len(path)-1]}
	if len(path) > 1 {
		c.Path = path
	}
	p.forget()
	c.Type = p.trinoType()
	if p.accept("NOT") {
		p.expect("NULL")
		c.NotNull = true
	}
	if p.accept("COMMENT") {
		c.Comment = p.stringPtr()
	}
	if p.is("WITH") && p.peek(1).kw == "(" {
		p.i++
		p.unsupported("a column's WITH properties", start)
	}
	c.At = p.at(start)
	return c
}

func (p *parser) trinoDrop() Statement {
	start := p.i
	p.expect("DROP")
	d := &Drop{}
	switch kw := p.expectOneOf("CATALOG", "FUNCTION", "MATERIALIZED", "ROLE", "SCHEMA", "TABLE", "VIEW"); kw {
	case "TABLE", "VIEW":
		d.Kind = kw
		d.IfExists = p.ifExists()
		d.Name = p.names()
	case "SCHEMA":
		d.Kind = "NAMESPACE"
		d.IfExists = p.ifExists()
		d.Name = p.names()
		d.Cascade = p.oneOf("CASCADE", "RESTRICT") == "CASCADE"
	case "ROLE":
		return p.role(start, "DROP ROLE")
	case "MATERIALIZED":
		p.expect("VIEW")
		m := &Materialized{Kind: "DROP", IfExists: p.ifExists(), Name: p.names()}
		m.At = p.at(start)
		return m
	case "CATALOG":
		return p.refused(start, "DROP CATALOG")
	default:
		return p.refused(start, kw)
	}
	d.At = p.at(start)
	return d
}

func (p *parser) trinoAlter() Statement {
	start := p.i
	p.expect("ALTER")
	switch kw := p.expectOneOf("MATERIALIZED", "SCHEMA", "TABLE", "VIEW"); kw {
	case "SCHEMA":
		n := &AlterNamespace{Name: p.names()}
		if p.accept("SET") {
			p.onlyAfterSet("AUTHORIZATION")
			return p.authorization(start, "SCHEMA", n.Name)
		}
		p.expect("RENAME", "TO")
		to := p.ident()
		n.RenameTo = &to
		n.At = p.at(start)
		return n
	case "MATERIALIZED":
		p.expect("VIEW")
		return p.alterMaterialized(start)
	case "VIEW":
		a := &AlterTable{View: true, Name: p.names()}
		at := p.i
		if p.expectOneOf("RENAME", "SET") == "SET" {
			p.expect("AUTHORIZATION")
			return p.authorization(start, "VIEW", a.Name)
		}
		p.expect("TO")
		act := AlterAction{Kind: "RENAME TO", NewName: p.names()}
		act.At = p.at(at)
		a.Actions = []AlterAction{act}
		a.At = p.at(start)
		return a
	}
	a := &AlterTable{IfExists: p.ifExists(), Name: p.names()}
	at := p.i
	if p.isSeq("SET", "AUTHORIZATION") {
		p.i += 2
		return p.authorization(start, "TABLE", a.Name)
	}
	if a.IfExists && !p.is("ADD") && !p.is("ALTER") && !p.is("DROP") && !p.is("RENAME") { // not every action has it
		p.fail()
	}
	act := p.trinoAction()
	act.At = p.at(at)
	a.Actions = []AlterAction{act}
	a.At = p.at(start)
	return a
}

// onlyAfterSet takes the word that must follow a name and SET. For any other one ANTLR tells what may follow the name.
func (p *parser) onlyAfterSet(kw string) {
	if p.now().kw != kw {
		p.note("'.'")
		p.note("'SET'")
		p.fail()
	}
	p.i++
}

func (p *parser) trinoAction() AlterAction {
	a := AlterAction{}
	switch p.expectOneOf("ADD", "ALTER", "DROP", "EXECUTE", "RENAME", "SET") {
	case "ADD":
		p.expect("COLUMN")
		a.Kind = "ADD COLUMNS"
		a.IfNotExists = p.ifNotExists()
		c := p.trinoColumn()
		if p.accept("FIRST") {
			c.First = true
		} else if p.accept("AFTER") {
			n := p.ident()
			c.After = &n
		} else if p.accept("LAST") {
			// the default place
			c.First = false
		}
		a.Columns = []ColumnDef{c}
	case "ALTER":
		p.expect("COLUMN")
		a.Kind = "ALTER COLUMN"
		a.Path = p.names()
		if p.expectOneOf("DROP", "SET") == "DROP" {
			p.expect("NOT", "NULL")
			a.DropNotNull = true
		} else {
			p.onlyAfterSet("DATA")
			p.expect("TYPE")
			a.Type = p.trinoType()
		}
	case "DROP":
		p.expect("COLUMN")
		a.Kind = "DROP COLUMNS"
		a.IfExists = p.ifExists()
		a.Paths = [][]Name{p.names()}
	case "RENAME":
		if p.accept("COLUMN") {
			a.Kind = "RENAME COLUMN"
			a.IfExists = p.ifExists()
			a.Path = p.names()
			p.expect("TO")
			a.To = p.ident()
			return a
		}
		p.expect("TO")
		a.Kind = "RENAME TO"
		a.NewName = p.names()
	case "SET":
		p.expectOneOf("AUTHORIZATION", "PROPERTIES") // AUTHORIZATION is read before
		a.Kind = "SET PROPERTIES"
		a.Properties = list(p, p.trinoProperty)
	case "EXECUTE":
		a.Kind = "EXECUTE"
		a.To = p.ident()
		if p.accept("(") {
			if !p.is(")") {
				a.Args = list(p, p.procArg)
			}
			p.expect(")")
		}
		if p.accept("WHERE") {
			a.Where = p.expr()
		}
	}
	return a
}
