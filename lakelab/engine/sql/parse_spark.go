package sql

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// sparkStatement reads one statement of Spark's grammar, with Iceberg's extensions.
func (p *parser) sparkStatement() Statement {
	p.enter()
	defer p.leave()
	start := p.i
	p.native()
	switch p.now().kw {
	case "WITH":
		return p.withStatement()
	case "SELECT", "VALUES", "FROM", "TABLE", "(", "MAP", "REDUCE":
		if p.is("FROM") {
			if m := p.multiInsert(start, nil); m != nil {
				return m
			}
		}
		q := p.query()
		return &QueryStmt{p.at(start), q}
	case "INSERT":
		return p.insert(nil)
	case "DELETE":
		return p.delete()
	case "UPDATE":
		return p.update()
	case "MERGE":
		return p.sparkMerge()
	case "CREATE":
		return p.sparkCreate()
	case "REPLACE":
		p.i++
		p.expect("TABLE")
		return p.createTable(start, &CreateTable{ReplaceOnly: true})
	case "DROP":
		return p.sparkDrop()
	case "ALTER":
		return p.sparkAlter()
	case "SHOW":
		return p.sparkShow()
	case "DESC", "DESCRIBE":
		return p.sparkDescribe()
	case "USE":
		return p.sparkUse()
	case "SET":
		return p.sparkSet()
	case "RESET":
		p.i++
		s := &Set{Reset: true}
		s.Key = p.rawRest()
		if p.toks[p.i-1].kind == quoted && p.i-1 == start+1 {
			s.Key = unquoteIdent(s.Key)
		}
		s.At = p.at(start)
		return s
	case "EXPLAIN":
		p.i++
		e := &Explain{}
		switch k := p.now().kw; k {
		case "LOGICAL", "FORMATTED", "EXTENDED", "CODEGEN", "COST":
			e.Mode = k
			p.i++
		}
		e.Statement = p.sparkStatement()
		e.At = p.at(start)
		return e
	case "CACHE":
		p.i++
		c := &Cache{What: "CACHE", Lazy: p.accept("LAZY")}
		p.expect("TABLE")
		c.Name = p.names()
		if p.accept("OPTIONS") {
			c.Options = p.properties()
		}
		if p.accept("AS") || p.queryAt(0) {
			c.Query = p.query()
		}
		c.At = p.at(start)
		return c
	case "UNCACHE":
		p.i++
		p.expect("TABLE")
		c := &Cache{What: "UNCACHE", IfExists: p.ifExists()}
		c.Name = p.names()
		c.At = p.at(start)
		return c
	case "CLEAR":
		p.i++
		p.expect("CACHE")
		return &Cache{At: p.at(start), What: "CLEAR"}
	case "REFRESH":
		p.i++
		if p.is("FUNCTION") && p.identAt(1) {
			p.unsupported("REFRESH FUNCTION", start)
		}
		if !p.is("TABLE") || !p.identAt(1) {
			if p.now().kind != str {
				p.unsupported("REFRESH of a path without quotes", start)
			}
			path := p.stringPtr()
			return &Cache{At: p.at(start), What: "REFRESH", Path: path}
		}
		p.i++
		n := p.names()
		return &Cache{At: p.at(start), What: "REFRESH", Name: n}
	case "CALL":
		p.i++
		c := &CallProc{Name: p.names()}
		p.expect("(")
		if !p.is(")") {
			c.Args = list(p, p.sparkArg)
			if p.now().kind != eof {
				p.closing()
				p.i--
			}
		}
		p.expect(")")
		c.At = p.at(start)
		return c
	case "TRUNCATE":
		p.i++
		p.expect("TABLE")
		t := &Truncate{Table: p.names()}
		t.Partition = p.partitionSpec()
		t.At = p.at(start)
		return t
	case "ANALYZE":
		return p.sparkAnalyze()
	case "MSCK", "REPAIR":
		if p.accept("MSCK") {
			p.need("REPAIR")
		} else {
			p.i++
		}
		p.need("TABLE")
		r := &Repair{Table: p.names()}
		if r.Mode = p.oneOf("ADD", "DROP", "SYNC"); r.Mode != "" {
			if p.now().kind == eof {
				p.need("PARTITIONS")
			}
			p.expect("PARTITIONS")
		}
		r.At = p.at(start)
		return r
	case "COMMENT":
		p.i++
		p.expect("ON")
		c := &Comment{On: p.expectOneOf("TABLE", "NAMESPACE", "DATABASE", "SCHEMA")}
		if c.On != "TABLE" {
			c.On = "NAMESPACE"
		}
		c.Name = p.names()
		p.expect("IS")
		if !p.accept("NULL") {
			c.Text = p.stringPtr()
		}
		c.At = p.at(start)
		return c
	case "EXECUTE":
		return p.executeImmediate()
	case "DECLARE":
		return p.declare()
	case "BEGIN":
		p.i++
		panic(errclass.ParseRule("UNSUPPORTED_FEATURE.SQL_SCRIPTING", "0A000", "The feature is not supported: SQL Scripting is under development and not all features "+
			"are supported. SQL Scripting enables users to write procedural SQL including control flow and error handling. To enable existing features set "+
			"\"spark.sql.scripting.enabled\" to `true`.", p.at(start).Pos))
	case "LOAD":
		p.i++
		p.expect("DATA")
		p.unsupported("LOAD DATA", start)
	case "ADD", "LIST":
		if p.identAt(1) {
			p.i += 2
			p.unsupported(p.toks[start].kw+" "+strings.ToUpper(p.toks[start+1].text), start)
		}
	}
	p.fail()
	return nil
}

// natives are Hive's commands that Spark's grammar knows only to refuse.
var natives = [][]string{
	{"CREATE", "ROLE"}, {"DROP", "ROLE"}, {"GRANT", "ROLE"}, {"GRANT"}, {"REVOKE", "ROLE"}, {"REVOKE"}, {"SHOW", "GRANT"},
	{"SHOW", "ROLE", "GRANT"}, {"SHOW", "ROLE"}, {"SHOW", "PRINCIPALS"}, {"SHOW", "ROLES"}, {"SHOW", "CURRENT", "ROLES"}, {"EXPORT", "TABLE"},
	{"IMPORT", "TABLE"}, {"SHOW", "COMPACTIONS"}, {"SHOW", "TRANSACTIONS"}, {"SHOW", "INDEXES"}, {"SHOW", "LOCKS"}, {"ALTER", "INDEX"},
	{"LOCK", "TABLE"}, {"LOCK", "DATABASE"}, {"UNLOCK", "TABLE"}, {"UNLOCK", "DATABASE"}, {"CREATE", "TEMPORARY", "MACRO"},
	{"DROP", "TEMPORARY", "MACRO"}, {"START", "TRANSACTION"}, {"COMMIT"}, {"ROLLBACK"}, {"DFS"}, {"SET", "ROLE"},
}

func (p *parser) native() {
	for _, n := range natives {
		if p.isSeq(n...) {
			start := p.i
			for p.now().kind != eof && p.now().kw != ";" {
				p.i++
			}
			panic(errclass.InvalidStatement(strings.Join(n, " "), p.at(start).Pos))
		}
	}
}

// withStatement reads WITH …, which may stand before a query, INSERT, DELETE, UPDATE or MERGE.
func (p *parser) withStatement() Statement {
	start := p.i
	with := p.with()
	switch p.now().kw {
	case "FROM":
		if m := p.multiInsert(start, with); m != nil {
			return m
		}
	case "INSERT":
		st := p.insert(with)
		switch st := st.(type) {
		case *Insert:
			st.At = p.at(start)
		case *InsertDirectory:
			st.At = p.at(start)
		}
		return st
	case "DELETE":
		st := p.delete()
		st.(*Delete).With, st.(*Delete).At = with, p.at(start)
		return st
	case "UPDATE":
		st := p.update()
		st.(*Update).With, st.(*Update).At = with, p.at(start)
		return st
	case "MERGE":
		st := p.sparkMerge()
		st.(*Merge).With, st.(*Merge).At = with, p.at(start)
		return st
	}
	q := p.queryAfterWith(start, with)
	return &QueryStmt{p.at(start), q}
}

func (p *parser) ifExists() bool { return p.acceptSeq("IF", "EXISTS") }

func (p *parser) ifNotExists() bool {
	return p.acceptSeq("IF", "NOT", "EXISTS") || p.dialect == Spark && p.acceptSeq("IF", "!", "EXISTS")
}

// insert reads INSERT INTO | OVERWRITE.
func (p *parser) insert(with *With) Statement {
	start := p.i
	st := p.insertInto()
	qStart := p.i
	q := p.query()
	if with != nil {
		if q.With == nil {
			q.With = with
		} else {
			q = &Query{At: p.at(qStart), With: with, Body: q}
		}
	}
	p.fill(st, q, start)
	return st
}

// fill gives INSERT its query.
func (p *parser) fill(st Statement, q *Query, start int) {
	switch st := st.(type) {
	case *Insert:
		st.Query, st.At = q, p.at(start)
	case *InsertDirectory:
		st.Query, st.At = q, p.at(start)
	}
}

// insertInto reads INSERT up to its query.
func (p *parser) insertInto() Statement {
	start := p.i
	p.expect("INSERT")
	in := &Insert{Overwrite: p.expectOneOf("INTO", "OVERWRITE") == "OVERWRITE"}
	if in.Overwrite && (p.is("DIRECTORY") && (!p.identAt(1) || p.peek(1).kw == "USING") || p.isSeq("LOCAL", "DIRECTORY")) {
		return p.insertDirectory(start)
	}
	if p.is("TABLE") && p.identAt(1) && !p.queryAt(1) {
		p.i++
	}
	in.Table = p.names()
	if p.isSeq("WITH", "(") {
		p.i++
		in.Options = p.properties()
	}
	if p.isSeq("REPLACE", "WHERE") && !in.Overwrite {
		p.i += 2
		in.ReplaceWhere = p.expr()
		return in
	}
	in.Partition = p.partitionSpec()
	in.IfNotExists = p.ifNotExists()
	p.checkIfNotExists(in, start)
	if p.acceptSeq("BY", "NAME") {
		in.ByName = true
	} else if p.is("(") && !p.queryAt(1) {
		in.Columns = p.nameList()
	}
	return in
}

// multiInsert reads FROM t INSERT … SELECT …, as often as INSERT follows; nil, having read nothing, if none does.
func (p *parser) multiInsert(start int, with *With) Statement {
	from := p.i
	p.expect("FROM")
	rels, views := p.fromRelations()
	if !p.is("INSERT") {
		p.i = from
		return nil
	}
	m := &MultiInsert{}
	for p.is("INSERT") {
		at := p.i
		st := p.insertInto()
		q := p.fromSelect(rels, views)
		q.With = with
		p.fill(st, q, at)
		m.Parts = append(m.Parts, st)
	}
	m.At = p.at(start)
	return m
}

// insertDirectory reads [LOCAL] DIRECTORY ['path'] USING format [OPTIONS (…)], or Hive's form with STORED AS in place of USING.
func (p *parser) insertDirectory(start int) Statement {
	in := &InsertDirectory{}
	p.accept("LOCAL")
	p.expect("DIRECTORY")
	if p.now().kind == str {
		in.Path = p.stringPtr()
	}
	at := p.i
	switch {
	case p.accept("USING"):
		n := p.names()
		in.Using = n[len(n)-1].Text
		if p.accept("OPTIONS") {
			in.Options = p.properties()
		}
	case p.isSeq("ROW", "FORMAT"):
		p.i += 2
		p.unsupported("INSERT OVERWRITE DIRECTORY … ROW FORMAT", at)
	case p.acceptSeq("STORED", "AS"):
		in.Using = p.ident().Text
	case p.now().kind == str:
		p.fail()
	default:
		p.unsupported("INSERT OVERWRITE DIRECTORY without a format", start)
	}
	return in
}

// partitionSpec reads PARTITION (d = 'x', e); nil if there is none.
func (p *parser) partitionSpec() []PartitionValue {
	if !p.isSeq("PARTITION", "(") {
		return nil
	}
	at := p.i
	p.i++
	seen := map[string]bool{}
	return parens(p, func() PartitionValue {
		v := PartitionValue{Name: p.ident()}
		if p.accept("=") {
			v.Value = p.partitionConstant()
		}
		key := foldName(v.Name.Text)
		if seen[key] {
			p.refuse(errclass.ParseRule("DUPLICATE_KEY", "23505", "Found duplicate keys `"+v.Name.Text+"`.", p.at(at).Pos))
		}
		seen[key] = true
		return v
	})
}

// checkIfNotExists refuses IF NOT EXISTS where the statement does not name one partition to overwrite.
func (p *parser) checkIfNotExists(in *Insert, start int) {
	if !in.IfNotExists {
		return
	}
	if !in.Overwrite {
		p.refuse(errclass.ParseRule("INVALID_STATEMENT_OR_CLAUSE", "42601", "The statement or clause: INSERT INTO ... IF NOT EXISTS is not valid.", p.at(start).Pos))
	}
	var open []string
	for _, v := range in.Partition {
		if v.Value == nil {
			open = append(open, v.Name.Text)
		}
	}
	if len(open) > 0 {
		p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0035", "", "Operation not allowed: IF NOT EXISTS with dynamic partitions: "+strings.Join(open, ", ")+".", p.at(start).Pos))
	}
}

func (p *parser) partitionConstant() Expr {
	at := p.i
	if p.is("DEFAULT") {
		p.i++
		p.refuse(errclass.ParseRule("REF_DEFAULT_VALUE_IS_NOT_ALLOWED_IN_PARTITION", "42601", "References to DEFAULT column values are not allowed within the PARTITION clause.", p.at(at).Pos))
		return &Default{At: p.at(at)}
	}
	x := p.constant()
	if l, ok := x.(*Literal); p.dialect != Spark || ok && (l.Kind == StringLit && l.TypeName == "" || l.Kind == NullLit) {
		return x
	}
	if _, ok := x.(*Param); ok {
		return x
	}
	// A partition's value is a text to Spark, however it is written: 7.0 is no INT.
	return &Cast{At: p.at(at), X: x, Type: &TypeName{At: p.at(at), Name: "STRING"}}
}

// constant reads a literal and nothing else.
func (p *parser) constant() Expr {
	t := p.now()
	ok := t.kind == str || p.numberAt(0) || t.kw == "-" && p.numberAt(1) || t.kw == "NULL" || t.kw == "TRUE" || t.kw == "FALSE" ||
		t.kw == "INTERVAL" || t.kw == "?" || t.kw == ":" || t.kind == word && p.peek(1).kind == str
	if !ok {
		if t.kind == word {
			p.i++
		}
		p.fail()
	}
	return p.primary()
}

// dmlTable reads the table of DELETE, UPDATE and MERGE with its alias.
func (p *parser) dmlTable() *TableRef {
	start := p.i
	t := &TableRef{Name: p.names()}
	if p.dialect == Spark && !p.isSeq("SET") || p.dialect == Trino {
		t.Alias = p.relationAlias()
	}
	t.At = p.at(start)
	return t
}

func (p *parser) delete() Statement {
	start := p.i
	p.expect("DELETE")
	p.need("FROM")
	d := &Delete{Table: p.dmlTable()}
	if p.accept("WHERE") {
		d.Where = p.expr()
	}
	d.At = p.at(start)
	return d
}

func (p *parser) update() Statement {
	start := p.i
	p.expect("UPDATE")
	u := &Update{Table: p.dmlTable()}
	p.expect("SET")
	u.Set = list(p, p.assignment)
	if p.accept("WHERE") {
		u.Where = p.expr()
	}
	u.At = p.at(start)
	return u
}

func (p *parser) sparkMerge() Statement {
	start := p.i
	p.expect("MERGE")
	if p.isSeq("WITH", "SCHEMA", "EVOLUTION") {
		p.i += 3
		p.unsupported("MERGE WITH SCHEMA EVOLUTION", start)
	}
	p.expect("INTO")
	m := &Merge{Target: p.dmlTable()}
	p.expect("USING")
	if p.is("(") {
		at := p.i
		d := &Derived{Query: p.subquery()}
		d.Alias = p.relationAlias()
		d.At = p.at(at)
		m.Source = d
	} else {
		m.Source = p.dmlTable()
	}
	p.need("ON")
	m.On = p.expr()
	stage := 0
	for p.is("WHEN") {
		w, s := p.mergeWhen()
		if s < stage {
			p.i = p.indexOf(w)
			p.fail()
		}
		stage = s
		m.When = append(m.When, w)
	}
	m.At = p.at(start)
	if len(m.When) == 0 {
		p.refuse(errclass.ParseRule("MERGE_WITHOUT_WHEN", "42601", "There must be at least one WHEN clause in a MERGE statement.", m.Pos))
	}
	for i, w := range m.When {
		if i+1 < len(m.When) && w.Cond == nil && m.When[i+1].Kind == w.Kind {
			class, what := "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION", "MATCHED"
			switch w.Kind {
			case "NOT MATCHED":
				class, what = "NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION", "NOT MATCHED [BY TARGET]"
			case "NOT MATCHED BY SOURCE":
				class, what = "NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION", "NOT MATCHED BY SOURCE"
			}
			p.refuse(errclass.ParseRule(class, "42613", "When there are more than one "+what+" clauses in a MERGE statement, only the last "+what+
				" clause can omit the condition.", m.Pos))
		}
	}
	return m
}

// indexOf gives the lexeme where a node begins.
func (p *parser) indexOf(n Node) int {
	for i := range p.toks {
		if p.toks[i].start == n.Span().Start {
			return i
		}
	}
	return p.i
}

// mergeWhen reads one WHEN clause and gives its rank: matched, not matched, not matched by source.
func (p *parser) mergeWhen() (MergeWhen, int) {
	start := p.i
	p.expect("WHEN")
	w := MergeWhen{Kind: "MATCHED"}
	stage := 0
	if p.oneOf("NOT", "!") != "" {
		w.Kind, stage = "NOT MATCHED", 1
	}
	p.expect("MATCHED")
	if stage == 1 && p.accept("BY") {
		if p.expectOneOf("TARGET", "SOURCE") == "SOURCE" {
			w.Kind, stage = "NOT MATCHED BY SOURCE", 2
		}
	}
	if p.accept("AND") {
		w.Cond = p.expr()
	}
	p.expect("THEN")
	if stage == 1 {
		p.expect("INSERT")
		w.Action = "INSERT"
		if p.accept("*") {
			w.Star = true
		} else {
			w.Columns = parens(p, p.column)
			p.expect("VALUES")
			w.Values = parens(p, p.valueOrDefault)
		}
	} else {
		w.Action = p.expectOneOf("DELETE", "UPDATE")
		if w.Action == "UPDATE" {
			p.expect("SET")
			if stage == 0 && p.accept("*") {
				w.Star = true
			} else {
				w.Set = list(p, p.assignment)
			}
		}
	}
	w.At = p.at(start)
	return w, stage
}

func (p *parser) valueOrDefault() Expr {
	if p.is("DEFAULT") && p.assignmentEnds(1) {
		p.i++
		return &Default{At: p.at(p.i - 1)}
	}
	return p.expr()
}

// property reads key [=] value; the value is one literal.
func (p *parser) property() Property { return p.propertyOf(p.propertyValue) }

// option is a property whose value may be an expression.
func (p *parser) option() Property { return p.propertyOf(p.expr) }

func (p *parser) propertyOf(value func() Expr) Property {
	pr := Property{Key: p.propertyKey()}
	eq := p.accept("=")
	t := p.now()
	if eq || t.kind == str || p.numberAt(0) || t.kw == "TRUE" || t.kw == "FALSE" {
		pr.Value = value()
	}
	return pr
}

func (p *parser) propertyValue() Expr {
	at := p.i
	if p.now().kind == str {
		s := p.stringLit()
		return &Literal{At: p.at(at), Kind: StringLit, Text: s}
	}
	return p.expr()
}

func (p *parser) propertyKey() string {
	if p.now().kind == str {
		return p.stringLit()
	}
	parts := p.names()
	s := parts[0].Text
	for _, n := range parts[1:] {
		s += "." + n.Text
	}
	return s
}

func (p *parser) properties() []Property { return parens(p, p.property) }

func (p *parser) keys(props []Property) []string {
	out := make([]string, len(props))
	var valued []string
	for i, pr := range props {
		out[i] = pr.Key
		if pr.Value != nil {
			valued = append(valued, pr.Key)
		}
	}
	if len(valued) > 0 {
		p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0035", "", "Operation not allowed: Values should not be specified for key(s): ["+strings.Join(valued, ",")+"].", p.at(p.i-1).Pos))
	}
	return out
}

// rawRest takes the text up to the end of the statement as it stands.
func (p *parser) rawRest() string {
	from := p.i
	for p.now().kind != eof && !p.onlySemicolons() {
		p.i++
	}
	if p.i == from {
		return ""
	}
	return p.text(p.at(from).Pos)
}

func (p *parser) onlySemicolons() bool {
	n := 0
	for p.peek(n).kw == ";" {
		n++
	}
	return n > 0 && p.peek(n).kind == eof
}

func (p *parser) sparkSet() Statement {
	start := p.i
	p.expect("SET")
	switch {
	case p.is("CATALOG") && (p.identAt(1) || p.peek(1).kind == str):
		p.i++
		u := &Use{What: "CATALOG"}
		if p.now().kind == str {
			at := p.i
			u.Name = []Name{{Text: p.stringLit(), Quoted: true, At: p.at(at)}}
		} else {
			u.Name = []Name{p.name()}
		}
		u.At = p.at(start)
		return u
	case p.isSeq("TIME", "ZONE"):
		p.i += 2
		s := &Set{Key: "spark.sql.session.timeZone"}
		switch {
		case p.now().kind == str:
			s.Value = p.stringPtr()
		case p.is("LOCAL"):
			p.i++
			local := "LOCAL"
			s.Value = &local
		case p.is("INTERVAL"):
			s.X = p.interval()
		default:
			p.rawRest()
			panic(errclass.ParseRule("_LEGACY_ERROR_TEMP_0045", "", "Invalid time zone displacement value.", p.at(start).Pos))
		}
		s.At = p.at(start)
		return s
	case (p.is("VARIABLE") || p.is("VAR")) && (p.identAt(1) || p.peek(1).kw == "("):
		p.i++
		return p.setVariable(start)
	case p.is("COLLATION") && p.identAt(1):
		p.i++
		p.unsupported("SET COLLATION", start)
	}
	s := &Set{}
	if p.now().kind == quoted && (p.peek(1).kw == "=" || p.peek(1).kind == eof) {
		s.Key = unquoteIdent(p.now().text)
		p.i++
		if p.accept("=") {
			v := ""
			if p.now().kind == quoted {
				v = unquoteIdent(p.now().text)
				p.i++
			} else {
				v = p.rawRest()
			}
			s.Value = &v
		}
		s.At = p.at(start)
		return s
	}
	rest := p.rawRest()
	s.At = p.at(start)
	key, value, has := strings.Cut(rest, "=")
	key = strings.TrimSpace(key)
	switch {
	case rest == "" || rest == "-v":
		s.Listed = true
		return s
	case !plainKey(key):
		panic(errclass.ParseRule("INVALID_SET_SYNTAX", "42000", "Expected format is 'SET', 'SET key', or 'SET key=value'. If you want to include special characters "+
			"in key, or include semicolon in value, please use backquotes, e.g., SET `key`=`value`.", s.Pos))
	}
	s.Key = key
	if has {
		v := strings.TrimSpace(value)
		if len(v) > 1 && v[0] == '`' && v[len(v)-1] == '`' {
			v = unquoteIdent(v)
		}
		s.Value = &v
	}
	return s
}

func plainKey(k string) bool {
	for i := 0; i < len(k); i++ {
		c := k[i]
		if !isLetter(c) && !isDigit(c) && !strings.ContainsRune("_.:\\", rune(c)) {
			return false
		}
	}
	return k != ""
}

func (p *parser) sparkUse() Statement {
	start := p.i
	p.expect("USE")
	u := &Use{}
	switch p.now().kw {
	case "NAMESPACE", "DATABASE", "SCHEMA":
		if p.identAt(1) {
			p.i++
			u.What = "NAMESPACE"
		}
	}
	u.Name = p.names()
	u.At = p.at(start)
	return u
}

func (p *parser) sparkAnalyze() Statement {
	start := p.i
	p.expect("ANALYZE")
	a := &Analyze{}
	if p.accept("TABLES") {
		a.Tables = true
		if p.oneOf("IN", "FROM") != "" {
			a.Table = p.names()
		}
	} else {
		p.expect("TABLE")
		a.Table = p.names()
		a.Partition = p.partitionSpec()
	}
	p.expect("COMPUTE", "STATISTICS")
	switch {
	case a.Tables && p.is("FOR"):
		p.i++
		p.fail()
	case p.acceptSeq("FOR", "COLUMNS"):
		a.Columns = list(p, p.name)
	case p.acceptSeq("FOR", "ALL", "COLUMNS"):
		a.AllColumns = true
	case p.isIdent():
		at := p.i
		if n := p.ident(); !strings.EqualFold(n.Text, "NOSCAN") {
			p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0036", "", "Expected `NOSCAN` instead of `"+n.Text+"`.", p.at(at).Pos))
		}
		a.NoScan = true
	}
	a.At = p.at(start)
	return a
}
