package sql

import (
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// JSON_TABLE is read into the query that it stands for: UNNEST of what its path finds, for each of which JSON_VALUE and JSON_QUERY
// give the columns. A nested path is one more UNNEST, outer as in the default plan; paths beside each other take turns.

// jsonTable is a JSON_TABLE while it is read.
type jsonTable struct {
	at    At
	from  Relation
	where Expr
	items []Expr
	seen  map[string]bool
	fail  bool // ERROR ON ERROR
	rels  int
}

// jsonColumn is a column, or a nested path with columns of its own.
type jsonColumn struct {
	at         At
	name       Name
	ordinality bool
	value      *JSONFunc // json_value or json_query, without its input
	nested     []jsonColumn
	path       *Literal // of a nested path
}

// jsonTableRelation reads what follows JSON_TABLE.
func (p *parser) jsonTableRelation(start int) *Derived {
	p.expect("(")
	root := &JSONFunc{Name: "json_query"}
	p.jsonPath(root)
	p.expect("COLUMNS")
	columns := parens(p, p.jsonTableColumn)
	if p.is("PLAN") {
		p.unsupported("PLAN of JSON_TABLE", start)
		for depth := 0; p.now().kind != eof && (depth > 0 || !p.is(")") && !p.is("EMPTY") && !p.is("ERROR")); p.i++ {
			switch {
			case p.is("("):
				depth++
			case p.is(")"):
				depth--
			}
		}
	}
	t := &jsonTable{seen: map[string]bool{}}
	if w := p.oneOf("EMPTY", "ERROR"); w != "" {
		p.expect("ON", "ERROR")
		t.fail = w == "ERROR"
	}
	p.expect(")")
	t.at = p.at(start)
	if twice := t.twice(columns); twice != nil {
		p.refuse(errclass.TrinoJSONTableNames().At(twice.at.Pos))
	}
	rows, item, place := t.unnest(root, nil)
	t.from = rows
	t.columns(columns, item, place, nil)
	q := &Query{At: t.at, Body: &Select{At: t.at, Items: t.items, From: []Relation{t.from}, Where: t.where}}
	return &Derived{At: t.at, Lateral: true, Query: q}
}

// jsonTableColumn reads a column or a nested path.
func (p *parser) jsonTableColumn() jsonColumn {
	start := p.i
	if p.is("NESTED") && (p.peek(1).kw == "PATH" || p.peek(1).kind == str) {
		p.i++
		p.accept("PATH")
		c := jsonColumn{path: p.jsonPathText()}
		if p.accept("AS") {
			p.ident()
		}
		p.expect("COLUMNS")
		c.nested = parens(p, p.jsonTableColumn)
		c.at = p.at(start)
		return c
	}
	c := jsonColumn{name: p.ident()}
	if !c.name.Quoted { // names as the standard has them, which decides about the path, too
		c.name.Text, c.name.Quoted = strings.ToUpper(c.name.Text), true
	}
	if p.acceptSeq("FOR", "ORDINALITY") {
		c.ordinality = true
		c.at = p.at(start)
		return c
	}
	kw := "JSON_VALUE"
	f := &JSONFunc{Name: "json_value", Returning: p.trinoType()}
	if p.accept("FORMAT") {
		p.jsonFormat()
		kw, f.Name = "JSON_QUERY", "json_query"
	}
	if p.accept("PATH") {
		f.Path = p.jsonPathText()
	} else {
		f.Path = &Literal{At: p.at(start), Kind: StringLit, Text: `lax $."` + strings.ReplaceAll(c.name.Text, `"`, `""`) + `"`}
	}
	if kw == "JSON_QUERY" {
		p.jsonWrapper(f)
		p.jsonQuotes(f)
	}
	p.jsonAnswers(f, kw)
	c.at = p.at(start)
	f.At = c.at
	c.value = f
	return c
}

func (p *parser) jsonPathText() *Literal {
	at := p.i
	l := &Literal{Kind: StringLit, Text: p.stringLit()}
	l.At = p.at(at)
	return l
}

// twice is a column whose name another has; nil if there is none.
func (t *jsonTable) twice(columns []jsonColumn) *jsonColumn {
	for i := range columns {
		c := &columns[i]
		if c.nested != nil {
			if d := t.twice(c.nested); d != nil {
				return d
			}
			continue
		}
		if t.seen[c.name.Text] {
			return c
		}
		t.seen[c.name.Text] = true
	}
	return nil
}

func (t *jsonTable) name(text string) Name { return Name{At: t.at, Text: text, Quoted: true} }

func (t *jsonTable) ident(parts ...string) Expr {
	id := &Ident{At: t.at}
	for _, p := range parts {
		id.Parts = append(id.Parts, t.name(p))
	}
	return id
}

func (t *jsonTable) call(name string, args ...Expr) Expr {
	c := &Call{At: t.at, Name: []Name{t.name(name)}}
	for _, a := range args {
		c.Args = append(c.Args, Arg{X: a})
	}
	return c
}

func (t *jsonTable) number(n int) Expr {
	return &Literal{At: t.at, Kind: NumberLit, Text: strconv.Itoa(n)}
}

// unnest is a relation of what a path finds, its items and their places; keep is a condition on the row that it is found in.
func (t *jsonTable) unnest(f *JSONFunc, keep Expr) (u *Unnest, item, place Expr) {
	f.At, f.Wrapper = t.at, "UNCONDITIONAL"
	if t.fail {
		f.OnError.What = "ERROR"
	}
	t.rels++
	rel := "json_table_" + strconv.Itoa(t.rels)
	var list Expr = f
	if keep != nil {
		list = &Case{At: t.at, Whens: []When{{Cond: keep, Then: f}}}
	}
	json := &TypeName{At: t.at, Name: "ARRAY", Elems: []*TypeName{{At: t.at, Name: "JSON"}}}
	u = &Unnest{At: t.at, Exprs: []Expr{&Cast{At: t.at, X: t.call("json_parse", list), Type: json}}, Ordinality: true}
	alias := t.name(rel)
	u.Alias = Alias{Name: &alias, Columns: []Name{t.name("item"), t.name("place")}}
	return u, t.call("json_format", t.ident(rel, "item")), t.ident(rel, "place")
}

// columns adds the columns of an item; keep is when they have values at all.
func (t *jsonTable) columns(columns []jsonColumn, item, place, keep Expr) {
	only := func(x Expr) Expr {
		if keep == nil {
			return x
		}
		return &Case{At: t.at, Whens: []When{{Cond: keep, Then: x}}}
	}
	paths := 0
	for _, c := range columns {
		if c.nested != nil {
			paths++
		}
	}
	turn := ""
	if paths > 1 {
		t.rels++
		turn = "json_turn_" + strconv.Itoa(t.rels)
		v := &Values{At: t.at}
		for i := range paths {
			v.Rows = append(v.Rows, []Expr{t.number(i + 1)})
		}
		alias := t.name(turn)
		t.join("CROSS", &ValuesRel{At: t.at, Values: v, Alias: Alias{Name: &alias, Columns: []Name{t.name("turn")}}})
	}
	// The order of the columns is that in which they stand; nested relations are joined on the way.
	found := []Expr{}
	n := 0
	for _, c := range columns {
		switch {
		case c.nested != nil:
			n++
			mine := keep
			if turn != "" {
				mine = t.both(keep, &Binary{At: t.at, Op: "=", L: t.ident(turn, "turn"), R: t.number(n)})
			}
			u, inner, at := t.unnest(&JSONFunc{Name: "json_query", Input: JSONItem{X: item}, Path: c.path}, mine)
			t.join("LEFT", u)
			found = append(found, &Is{At: t.at, X: at, What: "NULL", Not: true})
			t.columns(c.nested, inner, at, mine)
		case c.ordinality:
			t.items = append(t.items, &Aliased{At: c.at, X: only(place), Names: []Name{c.name}})
		default:
			f := c.value
			f.Input = JSONItem{X: item}
			if t.fail && f.OnError.What == "" {
				f.OnError.What = "ERROR"
			}
			t.items = append(t.items, &Aliased{At: c.at, X: only(f), Names: []Name{c.name}})
		}
	}
	if turn != "" {
		t.where = t.both(t.where, t.turns(columns, turn, item, keep, found))
	}
}

// join puts a relation beside what there is.
func (t *jsonTable) join(kind string, r Relation) {
	j := &Join{At: t.at, Kind: kind, L: t.from, R: r}
	if kind == "LEFT" {
		j.On = &Literal{At: t.at, Kind: BoolLit, Text: "true"}
	}
	t.from = j
}

func (t *jsonTable) both(a, b Expr) Expr {
	if a == nil {
		return b
	}
	return &Binary{At: t.at, Op: "AND", L: a, R: b}
}

// turns is the condition on rows of paths beside each other: the path whose turn it is found something, or none did, which is one row.
func (t *jsonTable) turns(columns []jsonColumn, turn string, item, keep Expr, found []Expr) Expr {
	var anything Expr = &Literal{At: t.at, Kind: BoolLit, Text: "false"}
	for _, c := range columns {
		if c.nested != nil {
			exists := t.call("coalesce", &JSONFunc{At: t.at, Name: "json_exists", Input: JSONItem{X: item}, Path: c.path}, &Literal{At: t.at, Kind: BoolLit, Text: "false"})
			anything = &Binary{At: t.at, Op: "OR", L: anything, R: exists}
		}
	}
	none := &Unary{At: t.at, Op: "NOT", X: anything}
	out := t.both(&Binary{At: t.at, Op: "=", L: t.ident(turn, "turn"), R: t.number(1)}, none)
	for _, f := range found {
		out = &Binary{At: t.at, Op: "OR", L: out, R: f}
	}
	if keep != nil { // rows of another path's turn have one here
		other := t.both(&Binary{At: t.at, Op: "=", L: t.ident(turn, "turn"), R: t.number(1)}, &Unary{At: t.at, Op: "NOT", X: t.call("coalesce", keep, &Literal{At: t.at, Kind: BoolLit, Text: "false"})})
		out = &Binary{At: t.at, Op: "OR", L: out, R: other}
	}
	return out
}
