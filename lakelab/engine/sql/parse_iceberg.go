package sql

import "strconv"

// icebergAction reads what Iceberg's extensions add to ALTER TABLE; nil if it is something else.
func (p *parser) icebergAction() *AlterAction {
	a := &AlterAction{}
	defer func() {
		if r := recover(); r != nil {
			p.iceberg = true
			panic(r)
		}
	}()
	k0, k1, k2 := p.now().kw, p.peek(1).kw, p.peek(2).kw
	switch {
	case (k0 == "ADD" || k0 == "DROP" || k0 == "REPLACE") && k1 == "PARTITION" && k2 == "FIELD":
		p.i += 3
		a.Kind = k0 + " PARTITION FIELD"
		t := p.transform()
		a.Transform = &t
		last := &t
		if k0 == "REPLACE" {
			p.expect("WITH")
			w := p.transform()
			a.With, last = &w, &w
		}
		if k0 != "DROP" && p.accept("AS") {
			n := p.ident()
			last.Alias = &n
		}
	case k0 == "WRITE" && (k1 == "ORDERED" || k1 == "LOCALLY" || k1 == "DISTRIBUTED" || k1 == "UNORDERED"):
		p.i++
		p.writeSpec(a)
	case (k0 == "SET" || k0 == "DROP") && k1 == "IDENTIFIER" && k2 == "FIELDS":
		p.i += 3
		a.Kind = k0 + " IDENTIFIER FIELDS"
		a.Paths = list(p, p.names)
	case k0 == "CREATE" && k1 == "OR" && k2 == "REPLACE" && p.refAt(3):
		p.i += 3
		p.ref(a, "CREATE")
		a.Ref.OrReplace = true
	case (k0 == "CREATE" || k0 == "REPLACE") && p.refAt(1):
		p.i++
		p.ref(a, k0)
	case k0 == "DROP" && p.refAt(1):
		p.i++
		a.Kind = "DROP " + p.expectOneOf("BRANCH", "TAG")
		a.IfExists = p.ifExists()
		a.Ref = &RefSpec{Name: p.ident()}
	default:
		return nil
	}
	return a
}

func (p *parser) refAt(n int) bool { return p.peek(n).kw == "BRANCH" || p.peek(n).kw == "TAG" }

func (p *parser) writeSpec(a *AlterAction) {
	a.Kind = "WRITE ORDER"
	for {
		switch {
		case a.Distribution == "" && p.accept("DISTRIBUTED"):
			p.expect("BY", "PARTITION")
			a.Distribution = "PARTITION"
		case a.Order == nil && !a.Unordered && p.accept("UNORDERED"):
			a.Unordered = true
		case a.Order == nil && !a.Unordered && (p.is("LOCALLY") || p.is("ORDERED")):
			a.Locally = p.accept("LOCALLY")
			p.expect("ORDERED", "BY")
			wrapped := p.is("(")
			if wrapped {
				p.i++
			}
			a.Order = list(p, func() SortItem {
				s := SortItem{X: p.postfix(p.primary())}
				s.Desc = p.oneOf("ASC", "DESC") == "DESC"
				if p.accept("NULLS") {
					s.Nulls = p.expectOneOf("FIRST", "LAST")
				}
				return s
			})
			if wrapped {
				p.expect(")")
			}
		default:
			return
		}
	}
}

// ref reads BRANCH | TAG name with its snapshot and retention.
func (p *parser) ref(a *AlterAction, verb string) {
	kind := p.expectOneOf("BRANCH", "TAG")
	a.Kind = verb + " " + kind
	a.IfNotExists = verb == "CREATE" && p.ifNotExists()
	r := &RefSpec{Name: p.ident()}
	a.Ref = r
	if p.acceptSeq("AS", "OF", "VERSION") {
		at := p.i
		if p.now().kind != integer {
			p.fail()
		}
		p.i++
		r.AsOf = &Literal{At: p.at(at), Kind: NumberLit, Text: p.toks[at].text}
	}
	if p.accept("RETAIN") {
		r.RetainMillis = pointer(p.duration())
	}
	if kind == "BRANCH" && p.acceptSeq("WITH", "SNAPSHOT", "RETENTION") {
		if p.peek(1).kw == "SNAPSHOTS" {
			r.KeepCount = pointer(p.integer())
			p.i++
			if p.now().kind == integer {
				r.KeepMillis = pointer(p.duration())
			}
		} else {
			r.KeepMillis = pointer(p.duration())
		}
	}
}

func pointer[T any](v T) *T { return &v }

// duration reads n DAYS | HOURS | MINUTES as milliseconds.
func (p *parser) duration() int64 {
	t := p.now()
	p.integer()
	n, err := strconv.ParseInt(t.text, 10, 64)
	unit := map[string]int64{"DAYS": 86_400_000, "HOURS": 3_600_000, "MINUTES": 60_000}[p.oneOf("DAYS", "HOURS", "MINUTES")]
	if unit == 0 {
		p.failHint("missing {'DAYS', 'HOURS', 'MINUTES'}")
	}
	if err != nil || n > (1<<62)/unit {
		p.i -= 2
		p.fail()
	}
	return n * unit
}
