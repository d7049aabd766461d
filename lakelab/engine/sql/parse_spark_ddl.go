package sql

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

func (p *parser) sparkCreate() Statement {
	start := p.i
	p.expect("CREATE")
	orReplace := p.acceptSeq("OR", "REPLACE")
	global := p.accept("GLOBAL")
	temp := p.oneOf("TEMPORARY", "TEMP") != ""
	switch kw := p.now().kw; {
	case global && !temp:
		p.fail()
	case kw == "VIEW":
		p.i++
		return p.sparkView(start, &CreateView{OrReplace: orReplace, Temporary: temp, Global: global})
	case global:
		p.fail()
	case kw == "FUNCTION":
		p.i++
		return p.createFunction(start, &CreateFunction{OrReplace: orReplace, Temporary: temp})
	case kw == "TABLE", kw == "EXTERNAL":
		c := &CreateTable{OrReplace: orReplace, External: p.accept("EXTERNAL")}
		p.expect("TABLE")
		if orReplace && c.External {
			p.i -= 2
			p.fail()
		}
		if temp {
			return p.temporaryTable(start, c)
		}
		return p.createTable(start, c)
	case temp || orReplace:
		p.fail()
	case kw == "NAMESPACE" || kw == "DATABASE" || kw == "SCHEMA":
		p.i++
		return p.sparkNamespace(start)
	case kw == "INDEX":
		p.i++
		p.unsupported("CREATE INDEX", start)
	}
	p.fail()
	return nil
}

func (p *parser) sparkNamespace(start int) Statement {
	n := &CreateNamespace{IfNotExists: p.ifNotExists()}
	n.Name = p.names()
	seen := map[string]bool{}
	for {
		what := ""
		switch {
		case p.accept("COMMENT"):
			what = "COMMENT"
			n.Comment = p.stringPtr()
		case p.accept("LOCATION"):
			what = "LOCATION"
			n.Location = p.stringPtr()
		case p.is("WITH"):
			p.i++
			p.expectOneOf("DBPROPERTIES", "PROPERTIES")
			what = "WITH PROPERTIES"
			n.Properties = p.properties()
		default:
			n.At = p.at(start)
			return n
		}
		p.duplicate(seen, what)
	}
}

// duplicate refuses a clause that stood before.
func (p *parser) duplicate(seen map[string]bool, what string) {
	if seen[what] {
		p.refuse(errclass.ParseRule("DUPLICATE_CLAUSES", "42614", "Found duplicate clauses: "+what+". Please, remove one of them.", p.at(0).Pos))
	}
	seen[what] = true
}

// createTable reads from the name on.
func (p *parser) createTable(start int, c *CreateTable) Statement {
	c.IfNotExists = !c.ReplaceOnly && !c.OrReplace && p.ifNotExists()
	c.Name = p.names()
	if p.is("LIKE") && !c.OrReplace && !c.ReplaceOnly {
		if len(c.Name) > 2 { // LIKE is of the session catalog, whose names have two parts
			p.fail()
		}
		p.i++
		source := p.i
		if c.Like = p.names(); len(c.Like) > 2 {
			p.i = source + 3 // the second dot
			p.fail()
		}
	} else if p.is("(") && !p.queryAt(1) {
		p.i++
		c.Columns = list(p, p.tableColumn)
		if p.now().kind == eof {
			p.need(")")
		}
		p.expectAfterString(")")
	}
	if p.accept("USING") {
		n := p.names()
		parts := make([]string, len(n))
		for i := range n {
			parts[i] = n[i].Text
		}
		c.Using = strings.Join(parts, ".")
	}
	p.tableClauses(c)
	if c.Like == nil && (p.accept("AS") || p.queryAt(0)) {
		c.AsQuery = p.query()
		c.At = p.at(start)
		if len(c.Columns) > 0 {
			p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0035", "", "Operation not allowed: Schema may not be specified in a Create Table As Select (CTAS) statement.", c.Pos))
		}
	}
	c.At = p.at(start)
	return c
}

// temporaryTable reads CREATE TEMPORARY TABLE t (…) USING format, another word for a temporary view of files.
func (p *parser) temporaryTable(start int, c *CreateTable) Statement {
	c = p.createTable(start, c).(*CreateTable)
	refuse := func(class, state, message string) { p.refuse(errclass.ParseRule(class, state, message, c.Pos)) }
	switch {
	case c.IfNotExists:
		refuse("INVALID_STATEMENT_OR_CLAUSE", "42601", "The statement or clause: CREATE TEMPORARY TABLE ... IF NOT EXISTS is not valid.")
	case c.AsQuery != nil:
		refuse("_LEGACY_ERROR_TEMP_0035", "", "Operation not allowed: CREATE TEMPORARY TABLE ... AS ..., use CREATE TEMPORARY VIEW instead.")
	case c.External && c.Using != "":
		refuse("INVALID_STATEMENT_OR_CLAUSE", "42601", "The statement or clause: CREATE EXTERNAL TABLE ... USING is not valid.")
	case c.Using == "":
		refuse("_LEGACY_ERROR_TEMP_0046", "", "CREATE TEMPORARY TABLE without a provider is not allowed.")
	case c.Like != nil || c.PartitionedBy != nil || c.Properties != nil || c.Comment != nil || c.Location != nil:
		p.unsupported("CREATE TEMPORARY TABLE with clauses other than OPTIONS", start)
	}
	return &CreateView{At: c.At, Name: c.Name, Temporary: true, Columns: c.Columns, Using: c.Using, Options: c.Options}
}

func (p *parser) tableClauses(c *CreateTable) {
	seen := map[string]bool{}
	for {
		at := p.i
		what := p.now().kw
		switch {
		case p.accept("OPTIONS"):
			c.Options = parens(p, p.option)
		case p.acceptSeq("PARTITIONED", "BY"):
			what = "PARTITIONED BY"
			if p.now().kind != eof {
				p.need("(")
				p.i--
			}
			c.PartitionedBy = parens(p, p.partitionField)
		case p.accept("LOCATION"):
			c.Location = p.stringPtr()
		case p.accept("COMMENT"):
			c.Comment = p.stringPtr()
		case p.accept("TBLPROPERTIES"):
			c.Properties = p.properties()
		case p.acceptSeq("STORED", "AS"):
			what = "STORED AS/BY"
			if p.accept("INPUTFORMAT") {
				c.InputFormat = p.stringLit()
				p.expectAfterString("OUTPUTFORMAT")
				c.OutputFormat = p.stringLit()
			} else {
				c.StoredAs = p.ident().Text
			}
		case p.acceptSeq("ROW", "FORMAT"):
			what = "ROW FORMAT"
			if !p.accept("SERDE") {
				p.expect("DELIMITED")
				p.unsupported("ROW FORMAT DELIMITED", at)
			}
			c.Serde = p.stringLit()
			if p.isSeq("WITH", "SERDEPROPERTIES") {
				p.i += 2
				p.unsupported("WITH SERDEPROPERTIES", at)
			}
		case p.isSeq("CLUSTERED", "BY"), p.isSeq("CLUSTER", "BY"), p.isSeq("SKEWED", "BY"), p.isSeq("STORED", "BY"):
			name := p.now().kw + " " + p.peek(1).kw
			p.i += 2
			p.unsupported(name, at)
		case p.isSeq("DEFAULT", "COLLATION"):
			p.i += 2
			p.unsupported("DEFAULT COLLATION", at)
		default:
			return
		}
		p.duplicate(seen, what)
	}
}

// tableColumn reads a column's definition.
func (p *parser) tableColumn() ColumnDef {
	start := p.i
	c := ColumnDef{Name: p.name()}
	c.Type = p.sparkType()
	seen := map[string]bool{}
	for {
		at, kw := p.i, p.now().kw
		if kw == "!" {
			kw = "NOT"
		}
		if p.accept("GENERATED") {
			p.generated(&c)
		} else if !p.columnOption(&c) {
			break
		}
		if kw == "NOT" {
			kw = "NOT NULL"
		}
		if seen[kw] {
			p.refuse(errclass.ParseRule("CREATE_TABLE_COLUMN_DESCRIPTOR_DUPLICATE", "42710", "CREATE TABLE column "+c.Name.Text+" specifies descriptor \""+kw+
				"\" more than once, which is invalid.", p.at(at).Pos))
		}
		seen[kw] = true
	}
	c.At = p.at(start)
	return c
}

func (p *parser) columnOption(c *ColumnDef) bool {
	switch {
	case p.is("NOT") || p.is("!"):
		p.i++
		p.expect("NULL")
		c.NotNull = true
	case p.accept("DEFAULT"):
		at := p.i
		c.Default = p.expr()
		c.DefaultText = p.text(p.at(at).Pos)
	case p.accept("COMMENT"):
		c.Comment = p.stringPtr()
	default:
		return false
	}
	return true
}

// generated reads ALWAYS AS (expression), or ALWAYS | BY DEFAULT AS IDENTITY [(START WITH n INCREMENT BY n)].
func (p *parser) generated(c *ColumnDef) {
	always := p.accept("ALWAYS")
	if !always {
		p.expect("BY", "DEFAULT")
	}
	p.expect("AS")
	if always && p.is("(") {
		c.Generated = "generated columns"
		parens(p, p.expr)
		return
	}
	p.expect("IDENTITY")
	c.Generated = "identity columns"
	if !p.accept("(") {
		return
	}
	for !p.is(")") {
		switch {
		case p.acceptSeq("START", "WITH"), p.acceptSeq("INCREMENT", "BY"):
			p.accept("-")
			p.integer()
		default:
			p.fail()
		}
		p.accept(",")
	}
	p.expect(")")
}

// partitionField reads a transform, or a column with its type.
func (p *parser) partitionField() Transform {
	start := p.i
	if p.identAt(0) && (p.peek(1).kw != "." && p.peek(1).kw != "," && p.peek(1).kw != ")" && p.peek(1).kw != "(") {
		c := ColumnDef{Name: p.name()}
		c.Type = p.sparkType()
		p.notNullComment(&c)
		c.At = p.at(start)
		return Transform{At: c.At, Column: &c}
	}
	return p.transform()
}

// transform reads a, bucket(16, id), days(ts).
func (p *parser) transform() Transform {
	start := p.i
	t := Transform{}
	if p.identAt(0) && p.peek(1).kw == "(" {
		t.Name = strings.ToLower(p.ident().Text)
		t.Args = parens(p, func() Expr {
			if p.isIdent() && p.peek(1).kind != str {
				c := p.column()
				return &c
			}
			return p.constant()
		})
	} else {
		c := p.column()
		t.Args = []Expr{&c}
	}
	t.At = p.at(start)
	return t
}

func (p *parser) sparkView(start int, v *CreateView) Statement {
	v.IfNotExists = p.ifNotExists()
	v.Name = p.names()
	if v.Temporary && (p.is("USING") || p.is("(") && p.typedColumn()) {
		if p.is("(") {
			v.Columns = parens(p, p.tableColumn)
		}
		p.expect("USING")
		n := p.names()
		parts := make([]string, len(n))
		for i := range n {
			parts[i] = n[i].Text
		}
		v.Using = strings.Join(parts, ".")
		if p.accept("OPTIONS") {
			v.Options = p.properties()
		}
		v.At = p.at(start)
		return v
	}
	if p.is("(") {
		v.Columns = parens(p, func() ColumnDef {
			at := p.i
			c := ColumnDef{Name: p.ident()}
			if p.accept("COMMENT") {
				c.Comment = p.stringPtr()
			}
			c.At = p.at(at)
			return c
		})
	}
	seen := map[string]bool{}
	for more := true; more; {
		at := p.i
		what := p.now().kw
		switch {
		case p.accept("COMMENT"):
			v.Comment = p.stringPtr()
		case p.accept("TBLPROPERTIES"):
			v.Properties = p.properties()
		case p.isSeq("PARTITIONED", "ON"):
			p.i += 2
			p.unsupported("a view with PARTITIONED ON", at)
		case p.isSeq("DEFAULT", "COLLATION"):
			p.i += 2
			p.unsupported("DEFAULT COLLATION", at)
		case p.isSeq("WITH", "SCHEMA"):
			p.i += 2
			p.unsupported("a view WITH SCHEMA", at)
		default:
			more = false
			continue
		}
		p.duplicate(seen, what)
	}
	p.expectAfterString("AS")
	at := p.i
	v.AsQuery = p.query()
	v.QueryText = p.text(p.at(at).Pos)
	v.At = p.at(start)
	if v.Temporary && v.Properties != nil {
		p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0035", "", "Operation not allowed: TBLPROPERTIES can't coexist with CREATE TEMPORARY VIEW.", v.Pos))
	}
	return v
}

// typedColumn tells (a INT) from the names of a view's columns.
func (p *parser) typedColumn() bool {
	k := p.peek(2).kw
	return p.identAt(1) && k != "," && k != ")" && k != "COMMENT"
}

func (p *parser) sparkDrop() Statement {
	start := p.i
	p.expect("DROP")
	d := &Drop{}
	switch kw := p.now().kw; kw {
	case "TABLE", "VIEW":
		p.i++
		d.Kind = kw
		d.IfExists = p.ifExists()
		d.Name = p.names()
		d.Purge = kw == "TABLE" && p.accept("PURGE")
	case "NAMESPACE", "DATABASE", "SCHEMA":
		p.i++
		d.Kind = "NAMESPACE"
		d.IfExists = p.ifExists()
		d.Name = p.names()
		d.Cascade = p.oneOf("RESTRICT", "CASCADE") == "CASCADE"
	case "TEMPORARY", "FUNCTION", "INDEX":
		temp := p.accept("TEMPORARY")
		what := p.expectOneOf("FUNCTION", "VARIABLE", "VAR", "INDEX")
		if what == "FUNCTION" {
			f := &DropFunction{Temporary: temp, IfExists: p.ifExists()}
			f.Name = p.names()
			f.At = p.at(start)
			return f
		}
		if what[0] == 'V' {
			return p.dropVariable(start)
		}
		p.unsupported("DROP "+what, start)
	default:
		p.fail()
	}
	d.At = p.at(start)
	return d
}
