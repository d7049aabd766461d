package sql

import (
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// sparkTypes are the one-word types and how many numbers each may have in parentheses. Spark's other names arrive as these.
var sparkTypes = map[string]struct {
	name string
	args int
}{
	"BOOLEAN": {"BOOLEAN", 0}, "TINYINT": {"TINYINT", 0}, "BYTE": {"TINYINT", 0}, "SMALLINT": {"SMALLINT", 0}, "SHORT": {"SMALLINT", 0},
	"INT": {"INT", 0}, "INTEGER": {"INT", 0}, "BIGINT": {"BIGINT", 0}, "LONG": {"BIGINT", 0}, "FLOAT": {"FLOAT", 0}, "REAL": {"FLOAT", 0},
	"DOUBLE": {"DOUBLE", 0}, "DATE": {"DATE", 0}, "TIMESTAMP": {"TIMESTAMP", 0}, "TIMESTAMP_NTZ": {"TIMESTAMP_NTZ", 0},
	"TIMESTAMP_LTZ": {"TIMESTAMP", 0}, "STRING": {"STRING", 0}, "BINARY": {"BINARY", 0}, "VOID": {"VOID", 0}, "VARIANT": {"VARIANT", 0},
	"DECIMAL": {"DECIMAL", 2}, "DEC": {"DECIMAL", 2}, "NUMERIC": {"DECIMAL", 2}, "CHAR": {"CHAR", 1}, "CHARACTER": {"CHAR", 1},
	"VARCHAR": {"VARCHAR", 1},
}

func (p *parser) sparkType() *TypeName {
	p.enter()
	defer p.leave()
	start := p.i
	t := &TypeName{}
	kw := p.now().kw
	switch {
	case kw == "ARRAY" && p.peek(1).kw == "<":
		p.i += 2
		t.Name, t.Elems = kw, []*TypeName{p.sparkType()}
		p.expect(">")
	case kw == "MAP" && p.peek(1).kw == "<":
		p.i += 2
		t.Name = kw
		k := p.sparkType()
		p.expect(",")
		t.Elems = []*TypeName{k, p.sparkType()}
		p.expect(">")
	case kw == "STRUCT" && p.peek(1).kw == "<":
		p.i += 2
		t.Name = kw
		if !p.is(">") {
			t.Fields = list(p, p.structField)
		}
		p.expect(">")
	case kw == "STRUCT" && p.peek(1).text == "<>":
		p.i += 2
		t.Name = kw
	case kw == "INTERVAL" && intervalFields[p.peek(1).kw] > 0:
		p.i++
		t.Name = p.intervalType()
	default:
		p.sparkPlainType(start, t)
	}
	t.At = p.at(start)
	return t
}

func (p *parser) sparkPlainType(start int, t *TypeName) {
	n := p.ident()
	if p.accept("(") {
		t.Args = list(p, p.integer)
		p.expect(")")
	}
	at := p.at(start).Pos
	upper := strings.ToUpper(n.Text)
	if known, ok := sparkTypes[upper]; ok && len(t.Args) <= known.args {
		t.Name = known.name
		if upper == "TIMESTAMP" && p.opts.TimestampNTZ {
			t.Name = "TIMESTAMP_NTZ"
		}
		if known.name == "STRING" && p.is("COLLATE") && p.identAt(1) {
			p.i += 2
			p.unsupported("COLLATE", p.i-2)
		}
		if known.args == 1 && len(t.Args) == 0 {
			p.refuse(errclass.DataTypeMissingSize(upper, at))
		}
		return
	}
	switch upper {
	case "ARRAY", "MAP", "STRUCT":
		if len(t.Args) == 0 {
			p.refuse(errclass.IncompleteType(upper, at))
			return
		}
	case "INTERVAL":
		if len(t.Args) == 0 {
			t.Name = upper
			return
		}
	}
	if len(t.Args) > 0 {
		nums := make([]string, len(t.Args))
		for i, a := range t.Args {
			nums[i] = strconv.Itoa(a)
		}
		upper += "(" + strings.Join(nums, ",") + ")"
	}
	p.refuse(errclass.UnsupportedDataType(upper, at))
}

// structField reads name[:] type [NOT NULL] [COMMENT 'x'].
func (p *parser) structField() ColumnDef {
	start := p.i
	c := ColumnDef{Name: p.name()}
	p.accept(":")
	c.Type = p.sparkType()
	p.notNullComment(&c)
	c.At = p.at(start)
	return c
}

func (p *parser) notNullComment(c *ColumnDef) {
	if p.is("NOT") || p.is("!") {
		p.i++
		p.expect("NULL")
		c.NotNull = true
	}
	if p.accept("COMMENT") {
		c.Comment = p.stringPtr()
	}
}

// colTypeList reads a, b of a schema.
func (p *parser) colTypeList() []ColumnDef {
	return list(p, func() ColumnDef {
		start := p.i
		c := ColumnDef{Name: p.name()}
		c.Type = p.sparkType()
		p.notNullComment(&c)
		c.At = p.at(start)
		return c
	})
}

// intervalFields orders the fields of an interval type: years and months, then days to seconds.
var intervalFields = map[string]int{"YEAR": 1, "MONTH": 2, "DAY": 3, "HOUR": 4, "MINUTE": 5, "SECOND": 6}

// intervalType reads the fields and gives "INTERVAL DAY TO SECOND".
func (p *parser) intervalType() string {
	from := p.now().kw
	if intervalFields[from] == 0 {
		p.fail()
	}
	p.i++
	if !p.is("TO") {
		return "INTERVAL " + from
	}
	to := p.peek(1).kw
	ok := intervalFields[to] > intervalFields[from] && (intervalFields[from] > 2) == (intervalFields[to] > 2)
	p.i++
	if !ok {
		if p.dialect == Spark && intervalFields[to] > 1 && (intervalFields[from] > 2) == (intervalFields[to] > 2) && to != "DAY" {
			p.i++
			p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0028", "", "Intervals FROM "+from+" TO "+to+" are not supported.", p.at(p.i-4).Pos))
			return "INTERVAL " + from
		}
		p.fail()
	}
	p.i++
	return "INTERVAL " + from + " TO " + to
}

// trinoType reads Trino's types: ROW(…), ARRAY(…), MAP(…), timestamp(p) with time zone, and the older ARRAY<…> spellings.
func (p *parser) trinoType() *TypeName {
	p.enter()
	defer p.leave()
	start := p.i
	done := p.group("<type>")
	t := &TypeName{Name: strings.ToUpper(p.now().text)}
	switch kw := p.now().kw; {
	case kw == "ROW" && p.peek(1).kw == "(":
		p.i++
		t.Fields = parens(p, p.rowField)
	case kw == "INTERVAL" && intervalFields[p.peek(1).kw] > 0:
		p.i++
		t.Name = p.intervalType()
	case kw == "TIMESTAMP" || kw == "TIME":
		p.i++
		if p.accept("(") {
			t.Args = []int{p.integer()}
			p.expect(")")
		}
		if p.isSeq("WITH", "TIME", "ZONE") {
			p.i += 3
			t.Name += " WITH TIME ZONE"
		} else {
			p.acceptSeq("WITHOUT", "TIME", "ZONE")
		}
	case kw == "DOUBLE":
		p.i++
		p.accept("PRECISION")
	case (kw == "ARRAY" || kw == "MAP") && p.peek(1).kw == "<":
		p.i += 2
		t.Elems = []*TypeName{p.trinoType()}
		if kw == "MAP" {
			p.expect(",")
			t.Elems = append(t.Elems, p.trinoType())
		}
		p.expect(">")
	default:
		n := p.ident()
		t.Name = strings.ToUpper(n.Text)
		if p.accept("(") {
			for ok := true; ok; ok = p.accept(",") {
				if p.now().kind == integer {
					t.Args = append(t.Args, p.integer())
				} else {
					t.Elems = append(t.Elems, p.trinoType())
				}
			}
			p.expect(")")
		}
	}
	done()
	t.At = p.at(start)
	for p.is("ARRAY") {
		p.i++
		if p.accept("[") {
			p.integer()
			p.expect("]")
		}
		t = &TypeName{At: p.at(start), Name: "ARRAY", Elems: []*TypeName{t}}
	}
	return t
}

// rowField reads [name] type: two words are a name and a type.
func (p *parser) rowField() ColumnDef {
	start := p.i
	c := ColumnDef{}
	typed := p.peek(1).kind == word || p.peek(1).kind == quoted
	switch p.peek(1).kw {
	case "PRECISION":
		typed = p.now().kw != "DOUBLE"
	case "WITH", "WITHOUT":
		typed = false
	case "ARRAY":
		// "integer array" is a type; "a array(integer)" a named field.
		typed = p.peek(2).kw == "(" || p.peek(2).kw == "<"
	}
	if p.now().kw == "INTERVAL" && intervalFields[p.peek(1).kw] > 0 {
		typed = false
	}
	if typed {
		c.Name = p.ident()
	}
	c.Type = p.trinoType()
	c.At = p.at(start)
	return c
}
