package sql

import (
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

func (p *parser) sparkShow() Statement {
	start := p.i
	p.expect("SHOW")
	s := &Show{}
	in := func() {
		if p.oneOf("FROM", "IN") != "" {
			s.Name = p.names()
		}
	}
	like := func() {
		if p.accept("LIKE") || p.now().kind == str {
			s.Like = p.stringPtr()
		}
	}
	kw := p.now().kw
	p.i++
	switch kw {
	case "NAMESPACES", "DATABASES", "SCHEMAS":
		s.What = "NAMESPACES"
		in()
		like()
	case "TABLES", "VIEWS":
		s.What = kw
		in()
		like()
	case "TABLE":
		p.expect("EXTENDED")
		s.What = "TABLE EXTENDED"
		in()
		p.expect("LIKE")
		s.Like = p.stringPtr()
		s.Partition = p.partitionSpec()
	case "TBLPROPERTIES":
		s.What = kw
		s.Name = p.names()
		if p.accept("(") {
			s.Key = p.propertyKey()
			p.expect(")")
		}
	case "COLUMNS":
		s.What = kw
		p.expectOneOf("FROM", "IN")
		s.Name = p.names()
		if p.oneOf("FROM", "IN") != "" {
			ns := p.names()
			s.Name = append(ns, s.Name[len(s.Name)-1])
		}
	case "PARTITIONS":
		s.What = kw
		s.Name = p.names()
		s.Partition = p.partitionSpec()
	case "CREATE":
		s.What = "CREATE " + p.expectOneOf("TABLE")
		s.Name = p.names()
		if p.isSeq("AS", "SERDE") {
			p.i += 2
			s.Serde = true
		}
	case "CURRENT":
		p.expectOneOf("NAMESPACE", "DATABASE", "SCHEMA")
		s.What = "CURRENT NAMESPACE"
	case "CATALOGS":
		s.What = kw
		like()
	default:
		p.i--
		if !p.is("FUNCTIONS") {
			s.Key = strings.ToUpper(p.ident().Text)
		}
		p.expect("FUNCTIONS")
		s.What = "FUNCTIONS"
		in()
		if p.accept("LIKE") || p.now().kind == str || p.isIdent() {
			if p.now().kind == str {
				s.Like = p.stringPtr()
			} else {
				n := p.names()
				text := n[len(n)-1].Text
				s.Like = &text
				if len(n) > 1 {
					s.Name = n[:len(n)-1]
				}
			}
		}
	}
	s.At = p.at(start)
	if s.What == "FUNCTIONS" && !slices.Contains([]string{"", "USER", "SYSTEM", "ALL"}, s.Key) {
		p.refuse(errclass.ParseRule("INVALID_SQL_SYNTAX.SHOW_FUNCTIONS_INVALID_SCOPE", "42000",
			"Invalid SQL syntax: SHOW `"+strings.ToLower(s.Key)+"` FUNCTIONS not supported.", s.Pos))
	}
	return s
}

func (p *parser) sparkDescribe() Statement {
	start := p.i
	p.i++
	d := &Describe{}
	switch kw := p.now().kw; {
	case kw == "FUNCTION" && (p.identAt(1) || p.peek(1).kind == str || p.peek(1).kind == op && p.peek(1).kw != "."):
		p.i++
		d.What = "FUNCTION"
		d.Extended = p.is("EXTENDED") && p.peek(1).kind != eof && p.accept("EXTENDED")
		at := p.i
		switch {
		case p.isIdent():
			d.Name = p.names()
		case p.now().kind == str:
			d.Name = []Name{{Text: p.stringLit(), Quoted: true, At: p.at(at)}}
		default:
			if sparkOps[p.now().kw] == 0 && p.now().kw != "~" && p.now().kw != "!" {
				p.fail()
			}
			p.i++
			d.Name = []Name{{Text: p.toks[at].text, At: p.at(at)}}
		}
	case (kw == "NAMESPACE" || kw == "DATABASE" || kw == "SCHEMA") && p.identAt(1):
		p.i++
		d.What = "NAMESPACE"
		d.Extended = p.is("EXTENDED") && p.identAt(1) && p.accept("EXTENDED")
		d.Name = p.names()
	case kw == "QUERY" && p.queryAt(1):
		p.i++
		d.What = "QUERY"
		d.Query = p.query()
	case kw == "TABLE" && p.identAt(1) && p.peek(2).kw == "|>" || kw != "TABLE" && p.queryAt(0) && kw != "FROM":
		d.What = "QUERY"
		d.Query = p.query()
	default:
		d.What = "TABLE"
		if kw == "TABLE" && (p.identAt(1)) {
			p.i++
		}
		if k := p.now().kw; (k == "EXTENDED" || k == "FORMATTED") && p.identAt(1) {
			p.i++
			d.Extended, d.Formatted = true, k == "FORMATTED"
		}
		d.Name = p.names()
		d.Partition = p.partitionSpec()
		if p.isIdent() && !p.is("AS") {
			d.Column = []Name{p.name()}
			for p.accept(".") {
				d.Column = append(d.Column, p.name())
			}
		}
		if p.acceptSeq("AS", "JSON") {
			d.JSON = true
		}
	}
	d.At = p.at(start)
	if d.JSON && !d.Extended {
		p.refuse(errclass.ParseRule("DESCRIBE_JSON_NOT_EXTENDED", "0A000", "DESCRIBE TABLE ... AS JSON only supported when [EXTENDED|FORMATTED] is specified.\n"+
			"For example: DESCRIBE EXTENDED "+dotted(d.Name)+" AS JSON is supported but DESCRIBE "+dotted(d.Name)+" AS JSON is not.", d.Pos))
	} else if d.JSON && d.Column != nil {
		p.refuse(errclass.ParseRule("UNSUPPORTED_FEATURE.DESC_TABLE_COLUMN_JSON", "0A000", "The feature is not supported: DESC TABLE COLUMN AS JSON not supported for individual columns.", d.Pos))
	}
	return d
}
