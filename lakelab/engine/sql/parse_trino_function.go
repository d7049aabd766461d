package sql

// withFunction reads FUNCTION name(parameters) RETURNS type … body of a query ("WITH FUNCTION").
func (p *parser) withFunction() Routine {
	start := p.i
	p.expect("FUNCTION")
	r := Routine{Name: p.ident()}
	p.expect("(")
	if !p.is(")") {
		r.Params = list(p, func() ColumnDef {
			at := p.i
			c := ColumnDef{Name: p.ident()}
			c.Type = p.trinoType()
			c.At = p.at(at)
			return c
		})
	}
	p.expect(")")
	p.expect("RETURNS")
	r.Returns = p.trinoType()
	for p.routineProperty(&r) {
	}
	r.Body = []RoutineStep{p.routineStep()}
	r.At = p.at(start)
	return r
}

// routineProperty reads a word about the function; those that say how it may be optimized or who runs it change nothing here.
func (p *parser) routineProperty(r *Routine) bool {
	start := p.i
	switch {
	case p.accept("LANGUAGE"):
		if n := p.ident(); n.Text != "SQL" && n.Text != "sql" {
			p.unsupported("a function in "+n.Text, start)
		}
	case p.accept("DETERMINISTIC"), p.acceptSeq("NOT", "DETERMINISTIC"), p.acceptSeq("CALLED", "ON", "NULL", "INPUT"):
	case p.acceptSeq("RETURNS", "NULL", "ON", "NULL", "INPUT"):
		r.Strict = true
	case p.accept("SECURITY"):
		p.expectOneOf("DEFINER", "INVOKER")
	case p.accept("COMMENT"):
		p.stringLit()
	default:
		return false
	}
	return true
}

// routineStep reads a statement of a function's body.
func (p *parser) routineStep() RoutineStep {
	start := p.i
	s := RoutineStep{Kind: p.now().kw}
	switch s.Kind {
	case "RETURN":
		p.i++
		s.Value = p.expr()
	case "BEGIN":
		p.i++
		s.Kind = "IF" // of one branch that is always taken
		s.Whens = []RoutineBranch{{Steps: p.routineSteps("END")}}
		p.expect("END")
	case "DECLARE":
		p.i++
		s.Names = list(p, p.ident)
		s.Type = p.trinoType()
		if p.accept("DEFAULT") {
			s.Value = p.expr()
		}
	case "SET":
		p.i++
		s.Names = []Name{p.ident()}
		p.expect("=")
		s.Value = p.expr()
	case "IF":
		p.i++
		for {
			c := p.expr()
			p.expect("THEN")
			s.Whens = append(s.Whens, RoutineBranch{c, p.routineSteps("ELSEIF", "ELSE", "END")})
			if !p.accept("ELSEIF") {
				break
			}
		}
		if p.accept("ELSE") {
			s.Whens = append(s.Whens, RoutineBranch{nil, p.routineSteps("END")})
		}
		p.expect("END", "IF")
	case "CASE", "LOOP", "WHILE", "REPEAT", "LEAVE", "ITERATE":
		p.unsupported(s.Kind+" in a function", start)
	default:
		p.fail()
	}
	s.At = p.at(start)
	return s
}

// routineSteps reads statements, each with a semicolon, until one of some words.
func (p *parser) routineSteps(until ...string) (steps []RoutineStep) {
	for {
		for _, w := range until {
			if p.is(w) {
				return steps
			}
		}
		steps = append(steps, p.routineStep())
		p.expect(";")
	}
}
