package sql

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

func (p *parser) sparkAlter() Statement {
	start := p.i
	p.expect("ALTER")
	switch kw := p.now().kw; kw {
	case "TABLE", "VIEW":
		p.i++
		a := &AlterTable{View: kw == "VIEW", Name: p.names()}
		at := p.i
		act := p.icebergAction()
		p.iceberg = act != nil
		if act == nil {
			act = p.sparkAction(a)
		}
		act.At = p.at(at)
		a.Actions = []AlterAction{*act}
		a.At = p.at(start)
		return a
	case "NAMESPACE", "DATABASE", "SCHEMA":
		p.i++
		n := &AlterNamespace{Name: p.names()}
		switch p.expectOneOf("SET", "UNSET") {
		case "SET":
			if p.accept("LOCATION") {
				n.Location = p.stringPtr()
			} else {
				p.expectOneOf("DBPROPERTIES", "PROPERTIES")
				n.Properties = p.properties()
			}
		case "UNSET":
			p.expectOneOf("DBPROPERTIES", "PROPERTIES")
			n.UnsetKeys = p.keys(p.properties())
		}
		n.At = p.at(start)
		return n
	}
	p.fail()
	return nil
}

// sparkAction reads one of Spark's own changes.
func (p *parser) sparkAction(t *AlterTable) *AlterAction {
	a := &AlterAction{}
	at := p.i
	if t.View && (p.is("AS") || p.queryAt(0)) {
		p.accept("AS")
		from := p.i
		a.Kind = "AS QUERY"
		a.Query = p.query()
		a.QueryText = p.text(p.at(from).Pos)
		return a
	}
	if t.View && p.isSeq("WITH", "SCHEMA") {
		p.i += 2
		p.unsupported("a view WITH SCHEMA", at)
	}
	spec := p.partitionSpec()
	if spec != nil {
		a.Partitions = [][]PartitionValue{spec}
	}
	if !t.View {
		p.nativeAlter(at)
	}
	kw := p.now().kw
	switch kw {
	case "ADD", "DROP", "RENAME", "SET", "UNSET", "ALTER", "CHANGE", "REPLACE", "RECOVER":
		p.i++
	default:
		p.fail()
	}
	if t.View && kw != "RENAME" && kw != "SET" && kw != "UNSET" && kw != "ADD" && kw != "DROP" {
		p.i--
		p.fail()
	}
	if spec != nil && kw != "RENAME" && kw != "SET" {
		p.i--
		p.fail()
	}
	switch kw {
	case "ADD":
		if !t.View && p.oneOf("COLUMN", "COLUMNS") != "" {
			a.Kind = "ADD COLUMNS"
			if p.accept("(") {
				a.Columns = list(p, p.addedColumn)
				p.expectAfterString(")")
			} else {
				a.Columns = list(p, p.addedColumn)
			}
			return a
		}
		a.Kind = "ADD PARTITION"
		a.IfNotExists = p.ifNotExists()
		for ok := true; ok; ok = p.isSeq("PARTITION", "(") {
			s := p.partitionSpec()
			if s == nil {
				p.fail()
			}
			a.Partitions = append(a.Partitions, s)
			var loc *string
			if p.accept("LOCATION") {
				loc = p.stringPtr()
			}
			a.Locations = append(a.Locations, loc)
		}
	case "DROP":
		if !t.View && p.oneOf("COLUMN", "COLUMNS") != "" {
			a.Kind = "DROP COLUMNS"
			a.IfExists = p.ifExists()
			if p.is("(") {
				a.Paths = parens(p, p.names)
			} else {
				a.Paths = list(p, p.names)
			}
			return a
		}
		a.Kind = "DROP PARTITION"
		a.IfExists = p.ifExists()
		a.Partitions = list(p, func() []PartitionValue {
			s := p.partitionSpec()
			if s == nil {
				p.fail()
			}
			return s
		})
		a.Purge = p.accept("PURGE")
	case "RENAME":
		switch {
		case spec != nil:
			a.Kind = "RENAME PARTITION"
			p.expect("TO")
			to := p.partitionSpec()
			if to == nil {
				p.fail()
			}
			a.Partitions = append(a.Partitions, to)
		case !t.View && p.accept("COLUMN"):
			a.Kind = "RENAME COLUMN"
			a.Path = p.names()
			p.need("TO")
			a.To = p.name()
		default:
			a.Kind = "RENAME TO"
			p.expect("TO")
			a.NewName = p.names()
		}
	case "SET":
		switch {
		case spec == nil && p.accept("TBLPROPERTIES"):
			a.Kind = "SET PROPERTIES"
			a.Properties = p.properties()
		case !t.View && p.accept("LOCATION"):
			a.Kind = "SET LOCATION"
			a.Text = p.stringLit()
		case !t.View && (p.is("SERDE") || p.is("SERDEPROPERTIES")):
			a.Kind = "SET SERDE"
			if p.accept("SERDE") {
				a.Text = p.stringLit()
				if p.accept("WITH") {
					p.expect("SERDEPROPERTIES")
					a.Properties = p.properties()
				}
			} else {
				p.expect("SERDEPROPERTIES")
				a.Properties = p.properties()
			}
		default:
			p.fail()
		}
	case "UNSET":
		p.expect("TBLPROPERTIES")
		a.Kind = "UNSET PROPERTIES"
		a.IfExists = p.ifExists()
		a.Keys = p.keys(p.properties())
	case "ALTER", "CHANGE":
		p.alterColumn(a, kw)
	case "REPLACE":
		p.expect("COLUMNS")
		a.Kind = "REPLACE COLUMNS"
		a.Columns = parens(p, p.addedColumn)
	case "RECOVER":
		p.expect("PARTITIONS")
		a.Kind = "RECOVER PARTITIONS"
	}
	return a
}

// nativeAlters are Hive's changes of tables that Spark's grammar knows only to refuse.
var nativeAlters = [][]string{{"CLUSTERED", "BY"}, {"NOT", "CLUSTERED"}, {"NOT", "SORTED"}, {"SKEWED", "BY"}, {"NOT", "SKEWED"},
	{"NOT", "STORED", "AS", "DIRECTORIES"}, {"SET", "SKEWED", "LOCATION"}, {"EXCHANGE", "PARTITION"}, {"ARCHIVE", "PARTITION"},
	{"UNARCHIVE", "PARTITION"}, {"TOUCH"}, {"COMPACT"}, {"CONCATENATE"}, {"SET", "FILEFORMAT"}}

func (p *parser) nativeAlter(start int) {
	for _, n := range nativeAlters {
		if p.isSeq(n...) {
			for p.now().kind != eof && p.now().kw != ";" {
				p.i++
			}
			panic(errclass.InvalidStatement("ALTER TABLE "+strings.Join(n, " "), p.at(start).Pos))
		}
	}
}

// addedColumn reads a.b type with options and a position.
func (p *parser) addedColumn() ColumnDef {
	start := p.i
	path := p.names()
	c := ColumnDef{Name: path[len(path)-1]}
	if len(path) > 1 {
		c.Path = path
	}
	c.Type = p.sparkType()
	for {
		switch {
		case p.columnOption(&c):
			continue
		case p.accept("FIRST"):
			c.First = true
			continue
		case p.accept("AFTER"):
			n := p.name()
			c.After = &n
			continue
		}
		c.At = p.at(start)
		return c
	}
}

func (p *parser) alterColumn(a *AlterAction, kw string) {
	a.Kind = "ALTER COLUMN"
	at := p.i
	if p.is("COLUMN") && p.identAt(1) {
		p.i++
	} else if p.is("COLUMNS") && p.identAt(1) {
		p.unsupported("ALTER COLUMNS", at)
	}
	a.Path = p.names()
	switch {
	case p.accept("TYPE"):
		a.Type = p.sparkType()
	case p.accept("COMMENT"):
		a.Comment = p.stringPtr()
	case p.accept("FIRST"):
		a.First = true
	case p.accept("AFTER"):
		n := p.name()
		a.After = &n
	case p.is("SET") && p.peek(1).kw == "DEFAULT":
		p.i += 2
		from := p.i
		a.Default = p.expr()
		a.Text = p.text(p.at(from).Pos)
	case p.accept("SET"):
		p.expectOneOf("NOT", "!")
		p.expect("NULL")
		a.SetNotNull = true
	case p.acceptSeq("DROP", "DEFAULT"):
		a.DropDefault = true
	case p.accept("DROP"):
		p.expectOneOf("NOT", "!")
		p.expect("NULL")
		a.DropNotNull = true
	case kw == "CHANGE" && p.isIdent():
		// Hive's CHANGE COLUMN old new type: the new name must be the old one here.
		c := p.addedColumn()
		if len(a.Path) != 1 || foldName(c.Name.Text) != foldName(a.Path[0].Text) {
			p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0034", "", "Renaming column is not supported in Hive-style ALTER COLUMN, please run RENAME COLUMN instead.", p.at(at).Pos))
		}
		a.Type, a.Comment, a.First, a.After = c.Type, c.Comment, c.First, c.After
	default:
		if p.now().kind == eof || p.is(";") {
			p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0035", "", "Operation not allowed: ALTER TABLE table ALTER COLUMN requires a TYPE, a SET/DROP, a COMMENT, or a FIRST/AFTER.", p.at(0).Pos))
			return
		}
		p.failHint("extra input " + p.near(p.now()))
	}
}
