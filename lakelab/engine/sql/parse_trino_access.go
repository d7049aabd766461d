package sql

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

// Trino's statements about roles, privileges, owners, functions and materialized views.

// grant reads GRANT, REVOKE and DENY: of privileges on something, or of roles.
func (p *parser) grant(start int, kw string) Statement {
	a := &Access{Kind: kw}
	if kw == "REVOKE" && (p.isSeq("GRANT", "OPTION", "FOR") || p.isSeq("ADMIN", "OPTION", "FOR")) {
		p.i += 3
	}
	first := p.i
	for ok := true; ok; ok = p.accept(",") {
		p.privilege()
	}
	if !p.accept("ON") {
		p.i = first
		a.Kind += " ROLES"
		n := p.ident()
		a.Role = &n
		for p.accept(",") {
			p.ident()
		}
		p.grantees(kw)
		if p.acceptSeq("WITH", "ADMIN") {
			p.expect("OPTION")
		}
		p.grantedBy()
		p.inCatalog(a)
		a.At = p.at(start)
		return a
	}
	if a.On = p.oneOf("SCHEMA", "TABLE"); a.On == "" {
		a.On = "TABLE"
	}
	a.Name = p.names()
	p.grantees(kw)
	if p.acceptSeq("WITH", "GRANT") {
		p.expect("OPTION")
	}
	p.grantedBy()
	a.At = p.at(start)
	return a
}

// privilege reads a privilege's name, or a role's.
func (p *parser) privilege() {
	if p.accept("ALL") {
		p.expect("PRIVILEGES")
		return
	}
	p.anyName()
}

// anyName reads a name that may be a reserved word: SELECT, CREATE, DELETE ….
func (p *parser) anyName() Name {
	if p.isIdent() {
		return p.ident()
	}
	t := p.now()
	if t.kind != word {
		p.fail()
	}
	p.i++
	return Name{At: p.at(p.i - 1), Text: t.text}
}

func (p *parser) grantees(kw string) {
	if kw == "REVOKE" {
		p.expect("FROM")
	} else {
		p.expect("TO")
	}
	for ok := true; ok; ok = p.accept(",") {
		p.grantee()
	}
}

// grantee reads [USER | ROLE] name.
func (p *parser) grantee() (who Name, role bool) {
	if (p.is("USER") || p.is("ROLE")) && p.identAt(1) {
		role = p.is("ROLE")
		p.i++
	}
	return p.ident(), role
}

func (p *parser) grantedBy() {
	if p.acceptSeq("GRANTED", "BY") {
		if p.oneOf("CURRENT_USER", "CURRENT_ROLE") == "" {
			p.grantee()
		}
	}
}

// inCatalog reads [IN catalog].
func (p *parser) inCatalog(a *Access) {
	if p.accept("IN") {
		n := p.ident()
		a.Catalog = &n
	}
}

// role reads what follows CREATE ROLE and DROP ROLE.
func (p *parser) role(start int, kind string) Statement {
	a := &Access{Kind: kind}
	a.IfExists = kind == "DROP ROLE" && p.ifExists()
	n := p.ident()
	a.Role = &n
	if kind == "CREATE ROLE" && p.acceptSeq("WITH", "ADMIN") {
		if p.oneOf("CURRENT_USER", "CURRENT_ROLE") == "" {
			p.grantee()
		}
	}
	p.inCatalog(a)
	a.At = p.at(start)
	return a
}

// authorization reads SET AUTHORIZATION's owner behind the words.
func (p *parser) authorization(start int, on string, name []Name) Statement {
	who, role := p.grantee()
	a := &Access{Kind: "SET AUTHORIZATION", On: on, Name: name}
	if role {
		a.Role = &who
	}
	a.At = p.at(start)
	return a
}

// showAccess reads SHOW ROLES, SHOW CURRENT ROLES, SHOW ROLE GRANTS and SHOW GRANTS.
func (p *parser) showAccess(start int) Statement {
	a := &Access{}
	switch p.expectOneOf("CURRENT", "GRANTS", "ROLE", "ROLES") {
	case "CURRENT":
		p.expect("ROLES")
		a.Kind = "SHOW CURRENT ROLES"
	case "ROLE":
		p.expect("GRANTS")
		a.Kind = "SHOW ROLE GRANTS"
	case "ROLES":
		a.Kind = "SHOW ROLES"
	case "GRANTS":
		a.Kind = "SHOW GRANTS"
		if p.accept("ON") {
			p.accept("TABLE")
			a.On, a.Name = "TABLE", p.names()
		}
		a.At = p.at(start)
		return a
	}
	if p.oneOf("FROM", "IN") != "" {
		n := p.ident()
		a.Catalog = &n
	}
	a.At = p.at(start)
	return a
}

// setAccess reads SET ROLE, SET PATH and SET SESSION AUTHORIZATION behind their words.
func (p *parser) setAccess(start int, kind string) Statement {
	a := &Access{Kind: kind}
	switch kind {
	case "SET ROLE":
		if p.oneOf("ALL", "NONE") == "" {
			n := p.ident()
			a.Role = &n
		}
		p.inCatalog(a)
	case "SET PATH":
		a.Path, a.Text = p.path()
	default:
		n := Name{}
		if p.now().kind == str {
			n.Text = p.stringLit()
		} else {
			n = p.ident()
		}
		a.Role = &n
	}
	a.At = p.at(start)
	return a
}

// refusedFunction passes over the rest of a statement about a function or a catalog, which Trino refuses whatever it says.
func (p *parser) refused(start int, kind string) *Access {
	for p.now().kind != eof {
		p.i++
	}
	return &Access{At: p.at(start), Kind: kind}
}

// createMaterialized reads CREATE MATERIALIZED VIEW behind its words.
func (p *parser) createMaterialized(start int) Statement {
	m := &Materialized{Kind: "CREATE", IfExists: p.ifNotExists(), Name: p.names()}
	if p.acceptSeq("GRACE", "PERIOD") {
		p.interval()
	}
	if p.acceptSeq("WHEN", "STALE") {
		p.expectOneOf("INLINE", "FAIL")
	}
	if p.accept("COMMENT") {
		p.stringLit()
	}
	if p.accept("WITH") {
		m.Properties = p.trinoProperties()
	}
	p.expect("AS")
	p.query()
	m.At = p.at(start)
	return m
}

// alterMaterialized reads ALTER MATERIALIZED VIEW behind its words.
func (p *parser) alterMaterialized(start int) Statement {
	m := &Materialized{IfExists: p.ifExists(), Name: p.names()}
	switch p.expectOneOf("RENAME", "SET") {
	case "RENAME":
		p.expect("TO")
		m.Kind = "RENAME"
		p.names()
	default:
		if p.accept("AUTHORIZATION") {
			m.Kind = "SET AUTHORIZATION"
			p.grantee()
			break
		}
		p.expect("PROPERTIES")
		m.Kind = "SET PROPERTIES"
		m.Properties = list(p, p.trinoProperty)
	}
	m.At = p.at(start)
	return m
}

// path reads where functions are looked for: schemas, perhaps with their catalogs. The text is the list as Trino shows it.
func (p *parser) path() (elements [][]Name, text string) {
	var texts []string
	for ok := true; ok; ok = p.accept(",") {
		element := []Name{p.ident()}
		if p.accept(".") {
			element = append(element, p.ident())
		}
		elements = append(elements, element)
		texts = append(texts, p.text(token.Cover(element[0].Span(), element[len(element)-1].Span())))
	}
	return elements, strings.Join(texts, ", ")
}

// CheckPath says what is wrong with a path that a client of Trino sends along, as SET PATH would read it.
func CheckPath(text string) error {
	_, err := run(Trino, text, func(p *parser) struct{} {
		p.path()
		p.end()
		return struct{}{}
	})
	return err
}
