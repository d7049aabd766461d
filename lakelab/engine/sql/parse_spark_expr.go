package sql

import (
	"math/big"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// namedExpr reads a select item: an expression, [AS] a name, or [AS] (names).
func (p *parser) namedExpr() Expr {
	start := p.i
	outer := p.itemDepth
	p.itemDepth = p.depth + 1
	x := p.expr()
	p.itemDepth = outer
	var names []Name
	switch {
	case p.is("AS"):
		p.i++
		if p.is("(") {
			names = p.nameList()
		} else {
			names = []Name{p.name()}
		}
	case p.is("(") && p.aliasList():
		names = p.nameList()
	case p.isIdent() && !p.clauseAhead():
		names = []Name{p.name()}
	default:
		return x
	}
	return &Aliased{p.at(start), x, names}
}

// aliasList tells whether (a, b) follows: names without AS.
func (p *parser) aliasList() bool {
	n := 1
	for p.identAt(n) && p.peek(n+1).kw == "," {
		n += 2
	}
	return p.identAt(n) && p.peek(n+1).kw == ")"
}

// clauseAhead tells whether the word here begins what follows an expression or a relation, and so is no alias without AS.
// Spark's words are free for names, so what stands behind the word decides.
func (p *parser) clauseAhead() bool {
	t := p.now()
	if t.kind != word || t.kw == "" {
		return false
	}
	next := p.peek(1)
	stops := next.kind == eof || next.kw == "," || next.kw == ")" || next.kw == ";" || next.kw == "|>"
	switch t.kw {
	case "AS":
		return true
	case "GROUP", "ORDER", "CLUSTER", "DISTRIBUTE", "SORT":
		return next.kw == "BY"
	case "LATERAL":
		return next.kw == "VIEW"
	case "FROM", "WHERE", "HAVING", "LIMIT", "OFFSET", "ON", "USING":
		return !stops && next.kw != "="
	case "UNION", "EXCEPT", "MINUS", "INTERSECT":
		return !stops
	case "WINDOW":
		return p.identAt(1) && p.peek(2).kw == "AS"
	case "FOR", "IN":
		return !stops
	case "PIVOT":
		return next.kw == "("
	case "UNPIVOT":
		return next.kw == "(" || (next.kw == "INCLUDE" || next.kw == "EXCLUDE") && p.peek(2).kw == "NULLS"
	case "TABLESAMPLE":
		return next.kw == "("
	case "WITH":
		return !stops
	case "SET", "SELECT", "VALUES", "INSERT", "MAP", "REDUCE":
		return !stops && next.kind != op || next.kw == "(" || next.kw == "*" || next.kw == "/*+"
	case "PRECEDING", "FOLLOWING", "ROWS", "RANGE", "PERCENT", "ASC", "DESC", "NULLS":
		return false
	case "JOIN", "CROSS", "INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI", "NATURAL":
		return !stops && next.kind != op
	}
	return false
}

// sparkKeyword reads the primary expressions that begin with a keyword; nil if the word is a plain name here.
func (p *parser) sparkKeyword(kw string) Expr {
	start := p.i
	call := p.peek(1).kw == "("
	switch kw {
	case "NULL":
		p.i++
		return &Literal{At: p.at(start), Kind: NullLit}
	case "TRUE", "FALSE":
		p.i++
		return &Literal{At: p.at(start), Kind: BoolLit, Text: strings.ToLower(kw)}
	case "CASE":
		if !p.continuesOperand(1) {
			if p.peek(1).kw != "WHEN" {
				return p.caseExpr()
			}
			var e Expr
			if at := p.i; !p.dead[at] && !p.soft(func() { e = p.caseExpr() }) {
				p.bury(at) // Spark then reads a column CASE with the alias WHEN
			}
			if e != nil {
				return e
			}
		}
	case "CAST", "TRY_CAST":
		if call {
			if e := p.cast(); e != nil {
				return e
			}
			return nil
		}
	case "INTERVAL":
		if p.numberAt(1) || p.peek(1).kind == str || (p.peek(1).kw == "-" || p.peek(1).kw == "+") && (p.numberAt(2) || p.peek(2).kind == str) && p.intervalUnit(3) {
			return p.interval()
		}
	case "STRUCT":
		if call {
			return p.structCall()
		}
	case "EXTRACT":
		if call && p.identAt(2) && p.peek(3).kw == "FROM" {
			return p.extract()
		}
	case "POSITION":
		if call {
			return p.special(func() Expr {
				a := p.value()
				p.expect("IN")
				b := p.value()
				p.expect(")")
				return p.callOf(start, "locate", a, b)
			})
		}
	case "SUBSTR", "SUBSTRING":
		if call {
			return p.special(func() Expr { return p.substringFrom(start) })
		}
	case "TRIM":
		if call {
			return p.special(func() Expr { return p.sparkTrim(start) })
		}
	case "OVERLAY":
		if call {
			return p.special(func() Expr {
				args := []Expr{p.value()}
				p.expect("PLACING")
				args = append(args, p.value())
				p.expect("FROM")
				args = append(args, p.value())
				if p.accept("FOR") {
					args = append(args, p.value())
				}
				p.expect(")")
				return p.callOf(start, "overlay", args...)
			})
		}
	case "TIMESTAMPADD", "DATEADD", "DATE_ADD":
		if call {
			return p.unitCall(start, "timestampadd")
		}
	case "TIMESTAMPDIFF", "DATEDIFF", "DATE_DIFF", "TIMEDIFF":
		if call {
			return p.unitCall(start, "timestampdiff")
		}
	}
	return nil
}

// special tries a function's keyword form; nil leaves it to the plain call.
func (p *parser) special(read func() Expr) (e Expr) {
	if start := p.i; !p.dead[start] && !p.try(func() {
		p.i += 2
		e = read()
	}) {
		p.bury(start)
	}
	return e
}

// bury remembers that the special reading of the word at a lexeme fails: nested words would try theirs again and again.
func (p *parser) bury(at int) {
	if p.dead == nil {
		p.dead = map[int]bool{}
	}
	p.dead[at] = true
}

func (p *parser) structCall() Expr {
	start := p.i
	c := &Call{Name: []Name{p.ident()}}
	p.expect("(")
	if !p.is(")") {
		// In struct(DISTINCT a) the word is a column's name.
		c.Args = list(p, func() Arg {
			if p.isIdent() && p.peek(1).kw == "=>" {
				return p.sparkArg()
			}
			return Arg{X: p.namedExpr()}
		})
	}
	p.expect(")")
	p.afterCall(c)
	c.At = p.at(start)
	return c
}

// sparkTrim reads trim([BOTH | LEADING | TRAILING] [chars] FROM text); ltrim and rtrim take the characters first.
func (p *parser) sparkTrim(start int) Expr {
	kind := ""
	if k := p.now().kw; (k == "BOTH" || k == "LEADING" || k == "TRAILING") && !(p.peek(1).kind == op && p.peek(1).kw != "(" && p.peek(1).kw != "-") {
		kind = k
		p.i++
	}
	var chars Expr
	if !p.is("FROM") {
		chars = p.value()
	}
	p.expect("FROM")
	text := p.value()
	p.expect(")")
	name := map[string]string{"": "trim", "BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}[kind]
	if chars == nil {
		return p.callOf(start, name, text)
	}
	return p.callOf(start, name, chars, text)
}

var datetimeUnits = wordSet(`YEAR QUARTER MONTH WEEK DAY DAYOFYEAR HOUR MINUTE SECOND MILLISECOND MICROSECOND`)

// unitCall reads date_add(MONTH, 1, d): the unit becomes a string literal with TypeName UNIT.
func (p *parser) unitCall(start int, name string) Expr {
	t := p.peek(2)
	if datetimeUnits[t.kw] == "" || p.peek(3).kw != "," {
		if t.kind == str && p.peek(3).kw == "," && p.threeArgs() {
			unit, here := unquoteString(Spark, t.text), p.i
			for depth := 0; p.now().kind != eof; p.i++ {
				if w := p.now().kw; w == "(" {
					depth++
				} else if w == ")" {
					if depth--; depth == 0 {
						p.i++
						break
					}
				}
			}
			whole := p.at(start).Pos
			p.i = here
			p.refuse(errclass.ParseRule("INVALID_PARAMETER_VALUE.DATETIME_UNIT", "22023", "The value of parameter(s) `unit` in `"+
				strings.ToLower(p.now().text)+"` is invalid: expects one of the units without quotes YEAR, QUARTER, MONTH, WEEK, DAY, DAYOFYEAR, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, but got the string literal '"+unit+"'.", whole))
		}
		return nil
	}
	return p.special(func() Expr {
		at := p.i
		p.i++
		unit := &Literal{At: p.at(at), Kind: StringLit, Text: t.kw, TypeName: "UNIT"}
		p.expect(",")
		a := p.value()
		p.expect(",")
		b := p.value()
		p.expect(")")
		return p.callOf(start, name, unit, a, b)
	})
}

// threeArgs tells whether the call here has exactly three arguments.
func (p *parser) threeArgs() bool {
	depth, commas := 0, 0
	for n := 1; ; n++ {
		switch t := p.peek(n); {
		case t.kind == eof:
			return false
		case t.kw == "(" || t.kw == "[":
			depth++
		case t.kw == ")" || t.kw == "]":
			if depth--; depth == 0 {
				return commas == 2
			}
		case t.kw == "," && depth == 1:
			commas++
		}
	}
}

var intervalUnits = wordSet(`NANOSECOND NANOSECONDS MICROSECOND MICROSECONDS MILLISECOND MILLISECONDS SECOND SECONDS MINUTE MINUTES
HOUR HOURS DAY DAYS WEEK WEEKS MONTH MONTHS YEAR YEARS`)

func (p *parser) intervalUnit(n int) bool { return intervalUnits[p.peek(n).kw] != "" }

// interval reads INTERVAL with one of its bodies. An UNIT is kept in the singular.
func (p *parser) interval() Expr {
	start := p.i
	p.i++
	if p.dialect == Trino {
		return p.trinoInterval(start)
	}
	iv := &Interval{}
	if p.now().kind == str && !p.intervalUnit(1) {
		iv.Text = p.stringLit()
		iv.At = p.at(start)
		return iv
	}
	for {
		at := p.i
		sign := ""
		if p.is("-") || p.is("+") {
			if !(p.numberAt(1) || p.peek(1).kind == str) || !p.intervalUnit(2) {
				break
			}
			sign = p.now().text
			p.i++
		}
		t := p.now()
		if t.kind != str && !p.numberAt(0) || len(iv.Parts) > 0 && !p.intervalUnit(1) {
			p.i = at
			break
		}
		var v Expr
		if t.kind == str {
			text := p.stringLit()
			if sign == "-" {
				text = negateText(text)
			}
			v = &Literal{At: p.at(at), Kind: StringLit, Text: text}
		} else {
			p.i++
			digits, suffix := splitNumber(t.text)
			if sign != "-" {
				sign = ""
			}
			v = &Literal{At: p.at(at), Kind: NumberLit, Text: sign + digits, Suffix: suffix}
		}
		if !p.intervalUnit(0) {
			p.fail()
		}
		unit := strings.TrimSuffix(p.now().kw, "S")
		p.i++
		iv.Parts = append(iv.Parts, IntervalPart{v, unit})
		if len(iv.Parts) == 1 && p.is("TO") && p.intervalUnit(1) {
			p.i++
			iv.To = p.now().kw
			p.i++
			break
		}
	}
	if len(iv.Parts) == 0 {
		p.fail()
	}
	iv.At = p.at(start)
	p.checkInterval(start, iv)
	return iv
}

// checkInterval refuses what Spark's parser refuses about an interval's fields. Values are the analyzer's matter.
func (p *parser) checkInterval(start int, iv *Interval) {
	if iv.To == "" {
		months, rest := false, false
		for _, part := range iv.Parts {
			if part.Unit == "YEAR" || part.Unit == "MONTH" {
				months = true
			} else {
				rest = true
			}
		}
		if months && rest {
			p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0029", "", "Cannot mix year-month and day-time fields: "+p.text(iv.Pos)+".", iv.Pos))
		}
		return
	}
	if p.now().kind == str && p.intervalUnit(1) {
		p.i += 2
		if p.accept("TO") && p.intervalUnit(0) {
			p.i++
		}
		p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0024", "", "Can only have a single from-to unit in the interval literal syntax.", p.at(start).Pos))
	}
	body := p.at(start + 1).Pos
	l := iv.Parts[0].Value.(*Literal)
	if l.Kind != StringLit {
		p.refuse(errclass.ParseRule("_LEGACY_ERROR_TEMP_0027", "", "The value of from-to unit must be a string.", body))
	}
	from, to := intervalFields[iv.Parts[0].Unit], intervalFields[iv.To]
	if from == 0 || to <= from || (from > 2) != (to > 2) {
		p.refuse(errclass.ParseRule("INVALID_INTERVAL_FORMAT.UNSUPPORTED_FROM_TO_EXPRESSION", "22006", "Error parsing '"+l.Text+"' to interval. Please ensure that the value "+
			"provided is in a valid format for defining an interval. You can reference the documentation for the correct format. Cannot support (interval '"+
			l.Text+"' "+strings.ToLower(iv.Parts[0].Unit)+" to "+strings.ToLower(iv.To)+") expression.", body))
	}
}

func negateText(s string) string {
	t := strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(t, "-"):
		return t[1:]
	case strings.HasPrefix(t, "+"):
		return "-" + t[1:]
	}
	return "-" + t
}

// checkNumber refuses literals out of their suffix's range, as Spark's parser does.
func (p *parser) checkNumber(l *Literal) {
	at := l.Pos
	bounded := func(typ, lo, hi string, bits int) {
		if _, err := strconv.ParseInt(l.Text, 10, bits); err != nil {
			p.refuse(errclass.NumericLiteralRange(l.Text, typ, lo, hi, at))
		}
	}
	switch l.Suffix {
	case "Y":
		bounded("tinyint", "-128", "127", 8)
	case "S":
		bounded("smallint", "-32768", "32767", 16)
	case "L":
		bounded("bigint", "-9223372036854775808", "9223372036854775807", 64)
	case "D", "F":
		bits, typ, limit := 64, "double", "1.7976931348623157E+308"
		if l.Suffix == "F" {
			bits, typ, limit = 32, "float", "3.4028234663852886E+38"
		}
		if _, err := strconv.ParseFloat(l.Text, bits); err != nil {
			p.refuse(errclass.NumericLiteralRange(l.Text, typ, "-"+limit, limit, at))
		}
	}
}

// trinoDigits gives a number in plain decimal digits.
func trinoDigits(t *lexeme) string {
	s := strings.ReplaceAll(t.text, "_", "")
	if len(s) > 2 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0 && t.kind == integer {
		base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[s[1]|0x20]
		if v, ok := new(big.Int).SetString(s[2:], base); ok {
			return v.String()
		}
	}
	return s
}
