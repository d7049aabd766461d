package sql

// jsonFunc reads one of the standard's JSON functions behind its name.
func (p *parser) jsonFunc(start int, kw string) Expr {
	p.i++
	p.expect("(")
	f := &JSONFunc{Name: map[string]string{"JSON_EXISTS": "json_exists", "JSON_VALUE": "json_value", "JSON_QUERY": "json_query", "JSON_OBJECT": "json_object",
		"JSON_ARRAY": "json_array"}[kw]}
	switch kw {
	case "JSON_OBJECT":
		if !p.is(")") && !p.is("RETURNING") {
			f.Items = list(p, p.jsonMember)
			f.AbsentNull = p.jsonNulls() == "ABSENT"
			if k := p.oneOf("WITH", "WITHOUT"); k != "" {
				p.expect("UNIQUE")
				p.accept("KEYS")
				f.Unique = k == "WITH"
			}
		}
	case "JSON_ARRAY":
		f.AbsentNull = true
		if !p.is(")") && !p.is("RETURNING") {
			f.Items = list(p, p.jsonItem)
			f.AbsentNull = p.jsonNulls() != "NULL"
		}
	default:
		p.jsonPath(f)
	}
	if kw != "JSON_EXISTS" && p.accept("RETURNING") {
		f.Returning = p.trinoType()
		if kw != "JSON_VALUE" && p.accept("FORMAT") {
			p.jsonFormat()
		}
	}
	switch kw {
	case "JSON_EXISTS":
		if w := p.oneOf("TRUE", "FALSE", "UNKNOWN", "ERROR"); w != "" {
			p.expect("ON", "ERROR")
			f.OnError.What = w
		}
	case "JSON_QUERY":
		p.jsonWrapper(f)
		p.jsonQuotes(f)
	}
	if kw == "JSON_QUERY" || kw == "JSON_VALUE" {
		p.jsonAnswers(f, kw)
	}
	p.expect(")")
	f.At = p.at(start)
	return f
}

// jsonPath reads: input, 'path' [PASSING value AS name, …].
func (p *parser) jsonPath(f *JSONFunc) {
	f.Input = p.jsonItem()
	p.expect(",")
	f.Path = p.jsonPathText()
	if p.accept("AS") {
		p.ident()
	}
	if p.accept("PASSING") {
		f.Passing = list(p, func() JSONItem {
			it := p.jsonItem()
			p.expect("AS")
			n := p.ident()
			it.Name = &n
			return it
		})
	}
}

// jsonItem reads a value, and how it is JSON.
func (p *parser) jsonItem() JSONItem {
	it := JSONItem{X: p.expr()}
	if p.accept("FORMAT") {
		it.Format = p.jsonFormat()
	}
	return it
}

func (p *parser) jsonFormat() string {
	p.expect("JSON")
	if p.accept("ENCODING") {
		return p.expectOneOf("UTF8", "UTF16", "UTF32")
	}
	return "JSON"
}

// jsonMember reads [KEY] key VALUE value, or key : value.
func (p *parser) jsonMember() JSONItem {
	if p.is("KEY") && !p.continuesOperand(1) && p.peek(1).kw != "VALUE" {
		p.i++
	}
	key := p.expr()
	if !p.accept(":") {
		p.expect("VALUE")
	}
	it := p.jsonItem()
	it.Key = key
	return it
}

// jsonNulls reads NULL ON NULL or ABSENT ON NULL.
func (p *parser) jsonNulls() string {
	k := p.oneOf("NULL", "ABSENT")
	if k != "" {
		p.expect("ON", "NULL")
	}
	return k
}

func (p *parser) jsonWrapper(f *JSONFunc) {
	switch p.oneOf("WITHOUT", "WITH") {
	case "WITHOUT":
	case "WITH":
		if f.Wrapper = p.oneOf("CONDITIONAL", "UNCONDITIONAL"); f.Wrapper == "" {
			f.Wrapper = "UNCONDITIONAL"
		}
	default:
		return
	}
	p.accept("ARRAY")
	p.expect("WRAPPER")
}

// jsonQuotes reads KEEP or OMIT QUOTES [ON SCALAR TEXT].
func (p *parser) jsonQuotes(f *JSONFunc) {
	k := p.oneOf("KEEP", "OMIT")
	if k == "" {
		return
	}
	p.expect("QUOTES")
	f.OmitQuotes = k == "OMIT"
	if p.accept("ON") {
		p.expect("SCALAR")
		if !p.accept("TEXT") {
			p.expect("STRING")
		}
	}
}

// jsonAnswers reads … ON EMPTY and … ON ERROR.
func (p *parser) jsonAnswers(f *JSONFunc, kw string) {
	for _, to := range []*JSONAnswer{&f.OnEmpty, &f.OnError} {
		var a JSONAnswer
		switch a.What = p.oneOf("DEFAULT", "ERROR", "NULL"); {
		case a.What == "DEFAULT" && kw == "JSON_VALUE":
			a.Default = p.expr()
		case a.What == "" && kw == "JSON_QUERY" && p.accept("EMPTY"):
			a.What = "EMPTY " + p.expectOneOf("ARRAY", "OBJECT")
		case a.What == "":
			return
		}
		p.expect("ON")
		if to == &f.OnEmpty && p.expectOneOf("EMPTY", "ERROR") == "ERROR" {
			f.OnError = a
			return
		} else if to == &f.OnError {
			p.expect("ERROR")
		}
		*to = a
	}
}
