package sql

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// createFunction reads what follows CREATE [OR REPLACE] [TEMPORARY] FUNCTION: Spark's functions whose body is SQL. Those of Java
// classes are refused.
func (p *parser) createFunction(start int, f *CreateFunction) Statement {
	f.IfNotExists = p.ifNotExists()
	f.Name = p.names()
	if p.is("AS") {
		p.i++
		p.stringLit()
		p.unsupported("CREATE FUNCTION AS a Java class", start)
	}
	p.expect("(")
	if at := p.i; !p.is(")") {
		f.Params = list(p, func() ColumnDef { return p.functionParam(start) })
		f.ParamsText = p.text(p.at(at).Pos)
	}
	p.expect(")")
	if p.is("RETURNS") && p.peek(1).kw != "NULL" {
		p.i++
		p.returns(start, f)
	}
	for p.characteristic(f) {
	}
	p.expect("RETURN")
	body := p.i
	f.Body, f.Query = p.functionBody()
	f.At, f.BodyText = p.at(start), p.text(p.at(body).Pos)
	if f.Table && f.Query == nil {
		p.refuse(errclass.FunctionRule("SQL_TABLE_UDF_BODY_MUST_BE_A_QUERY", "The body of a SQL table function must be a query.").At(f.Pos))
	}
	p.checkParams(f)
	return f
}

// functionParam reads a parameter: a column's definition.
func (p *parser) functionParam(start int) ColumnDef {
	at := p.i
	c := ColumnDef{Name: p.name()}
	c.Type = p.sparkType()
	for p.columnOption(&c) {
	}
	if p.is("GENERATED") {
		for !p.is(",") && p.now().kind != eof && !(p.is(")") && (p.peek(1).kw == "RETURNS" || p.peek(1).kw == "RETURN")) {
			p.i++
		}
		p.refuse(errclass.ParseRule("INVALID_SQL_SYNTAX.CREATE_FUNC_WITH_GENERATED_COLUMNS_AS_PARAMETERS", "42000",
			"Invalid SQL syntax: CREATE FUNCTION with generated columns as parameters is not allowed.", p.at(start).Pos))
	}
	c.At = p.at(at)
	return c
}

// returns reads a type, TABLE or TABLE (columns).
func (p *parser) returns(start int, f *CreateFunction) {
	if !p.is("TABLE") {
		f.Returns = p.sparkType()
		return
	}
	p.i++
	f.Table = true
	if p.accept("(") {
		f.Columns = p.colTypeList()
		p.expect(")")
	}
}

// characteristic reads a word about the function that changes nothing here: how it may be optimized, or what it reads.
func (p *parser) characteristic(f *CreateFunction) bool {
	switch {
	case p.isSeq("LANGUAGE", "SQL"), p.isSeq("NO", "SQL"):
		p.i += 2
	case p.acceptSeq("NOT", "DETERMINISTIC"):
		f.NotDeterministic = true
	case p.acceptSeq("CONTAINS", "SQL"):
		f.SQLAccess = "CONTAINS"
	case p.is("LANGUAGE"):
		at := p.i
		p.i++
		p.ident()
		p.unsupported("a function in another language than SQL", at)
	case p.accept("DETERMINISTIC"):
	case p.acceptSeq("READS", "SQL", "DATA"):
		f.SQLAccess = "READS"
	case p.acceptSeq("MODIFIES", "SQL", "DATA"):
	case p.acceptSeq("CALLED", "ON", "NULL", "INPUT"), p.acceptSeq("RETURNS", "NULL", "ON", "NULL", "INPUT"):
	case p.isSeq("SQL", "SECURITY"):
		p.i += 2
		p.expectOneOf("INVOKER", "DEFINER")
	case p.accept("COMMENT"):
		f.Comment = p.stringPtr()
	default:
		return false
	}
	return true
}

// functionBody reads a query or an expression; a query in parentheses is the body of either kind of function.
func (p *parser) functionBody() (Expr, *Query) {
	if !p.is("(") && p.queryAt(0) {
		q := p.query()
		return &Subquery{At: q.At, Query: q}, q
	}
	x := p.expr()
	if s, ok := x.(*Subquery); ok {
		return x, s.Query
	}
	return x, nil
}

// checkParams refuses names that stand twice, NOT NULL, and a parameter without a default behind one that has it.
func (p *parser) checkParams(f *CreateFunction) {
	seen := map[string]bool{}
	for i, c := range f.Params {
		name := foldName(c.Name.Text)
		if seen[name] {
			p.refuse(errclass.DuplicateParameterNames(namesOf(f.Name), strings.ToLower(name)).At(c.Pos))
		}
		seen[name] = true
		if c.NotNull {
			p.refuse(errclass.FunctionRule("NOT_NULL_ON_FUNCTION_PARAMETERS", "Cannot specify NOT NULL on function parameters: "+c.Name.Text+".").At(c.Pos))
		}
		if i > 0 && c.Default == nil && f.Params[i-1].Default != nil {
			p.refuse(errclass.DefaultPosition(namesOf(f.Name), f.Params[i-1].Name.Text, c.Name.Text).At(c.Pos))
		}
	}
	seen = map[string]bool{}
	for _, c := range f.Columns {
		name := foldName(c.Name.Text)
		if seen[name] {
			p.refuse(errclass.DuplicateReturnsColumns(namesOf(f.Name), strings.ToLower(name)).At(c.Pos))
		}
		seen[name] = true
		if c.NotNull {
			p.refuse(errclass.FunctionRule("NOT_NULL_ON_FUNCTION_PARAMETERS", "Cannot specify NOT NULL on function parameters: "+c.Name.Text+".").At(c.Pos))
		}
	}
}

func namesOf(parts []Name) []string {
	out := make([]string, len(parts))
	for i, n := range parts {
		out[i] = n.Text
	}
	return out
}
