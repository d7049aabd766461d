package sql

import "mini-lakehouse-lab/lakelab/engine/errclass"

// Spark's session variables: DECLARE, SET VARIABLE, DROP TEMPORARY VARIABLE, and EXECUTE IMMEDIATE, which reads and sets them.

// declare reads DECLARE [OR REPLACE] [VARIABLE] name [type] [DEFAULT e].
func (p *parser) declare() Statement {
	start := p.i
	p.expect("DECLARE")
	d := &DeclareVariable{OrReplace: p.acceptSeq("OR", "REPLACE")}
	p.variableWord()
	d.Name = p.names()
	if !p.is("DEFAULT") && !p.is("=") && p.now().kind != eof && p.now().kw != ";" {
		d.Type = p.sparkType()
	}
	if p.oneOf("DEFAULT", "=") != "" {
		d.Default = p.expr()
	}
	d.At = p.at(start)
	if d.Type == nil && d.Default == nil {
		p.refuse(errclass.ParseRule("INVALID_SQL_SYNTAX.VARIABLE_TYPE_OR_DEFAULT_REQUIRED", "42000",
			"Invalid SQL syntax: The definition of a SQL variable requires either a datatype or a DEFAULT clause.\nFor example, use `DECLARE name STRING` or `DECLARE name = 'SQL'` instead of `DECLARE name`.", d.Pos))
	}
	return d
}

// variableWord accepts VARIABLE or VAR, unless it is the variable's name.
func (p *parser) variableWord() {
	if (p.is("VARIABLE") || p.is("VAR")) && p.identAt(1) && p.peek(1).kw != "DEFAULT" {
		p.i++
	}
}

// setVariable reads what follows SET VARIABLE.
func (p *parser) setVariable(start int) Statement {
	s := &SetVariable{}
	if p.isSeq("(", ")") {
		p.rawRest()
		panic(errclass.ParseRule("INVALID_SET_SYNTAX", "42000", "Expected format is 'SET', 'SET key', or 'SET key=value'. If you want to include special characters "+
			"in key, or include semicolon in value, please use backquotes, e.g., SET `key`=`value`.", p.at(start).Pos))
	}
	if p.is("(") {
		for _, c := range parens(p, p.column) {
			s.Set = append(s.Set, Assignment{Column: c})
		}
		p.expect("=")
		s.Query = p.subquery()
	} else {
		s.Set = list(p, p.assignment)
	}
	s.At = p.at(start)
	return s
}

// dropVariable reads what follows DROP TEMPORARY VARIABLE.
func (p *parser) dropVariable(start int) Statement {
	d := &DropVariable{IfExists: p.ifExists()}
	d.Name = p.names()
	d.At = p.at(start)
	return d
}

// executeImmediate reads EXECUTE IMMEDIATE text | variable [INTO variables] [USING arguments].
func (p *parser) executeImmediate() Statement {
	start := p.i
	p.expect("EXECUTE", "IMMEDIATE")
	e := &Execute{}
	if p.now().kind == str {
		e.Immediate = p.stringPtr()
	} else {
		e.Variable = p.names()
	}
	if p.accept("INTO") {
		e.Into = list(p, p.names)
	}
	if p.accept("USING") {
		if p.is("(") && !p.queryAt(1) {
			e.Using = parens(p, p.namedExpr)
		} else {
			e.Using = list(p, p.namedExpr)
		}
	}
	e.At = p.at(start)
	return e
}
