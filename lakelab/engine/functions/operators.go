package functions

import (
	"strconv"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	for _, d := range []sql.Dialect{sql.Spark, sql.Trino} {
		add(d,
			operator("+", arithmetic(d, "+")), operator("-", arithmetic(d, "-")), operator("*", arithmetic(d, "*")),
			operator("/", arithmetic(d, "/")), operator("%", arithmetic(d, "%")),
			&expr.Func{Name: "div", Resolve: integralDivide, Duck: printDivide, Pretty: pretty("($1 div $2)")},
			comparison("=", d), comparison("<>", d), comparison("<", d), comparison("<=", d), comparison(">", d), comparison(">=", d), comparison("<=>", d),
			logical("and"), logical("or"),
			&expr.Func{Name: "not", Resolve: booleans, Duck: tmpl("(NOT $1)"), Pretty: pretty("(NOT $1)")},
			&expr.Func{Name: "negative", Resolve: negate, Duck: tmpl("(-$1)"), Pretty: pretty("(- $1)")},
			&expr.Func{Name: "positive", Resolve: func(c *expr.Call) error { c.T, c.Null = c.Args[0].Type(), c.Args[0].Nullable(); return nil }, Duck: tmpl("$1"), Pretty: pretty("(+ $1)")},
			&expr.Func{Name: "isnull", Resolve: nullTest, Duck: tmpl("($1 IS NULL)"), Pretty: pretty("($1 IS NULL)")},
			&expr.Func{Name: "isnotnull", Resolve: nullTest, Duck: tmpl("($1 IS NOT NULL)"), Pretty: pretty("($1 IS NOT NULL)")},
			&expr.Func{Name: "in", Resolve: inList(d), Duck: printIn, Pretty: prettyIn},
			&expr.Func{Name: "between", Resolve: between(d), Duck: tmpl("($1 BETWEEN $2 AND $3)"), Pretty: pretty("between($1, $2, $3)")},
			&expr.Func{Name: "like", Resolve: likeRule, Duck: printLike("LIKE"), Pretty: prettyLike("LIKE")},
			&expr.Func{Name: "ilike", Resolve: likeRule, Duck: printLike("ILIKE"), Pretty: prettyLike("ILIKE")},
			&expr.Func{Name: "rlike", Aliases: []string{"regexp", "regexp_like"}, Signature: "rlike(str, regexp)", Doc: "true if a part of str matches the regular expression",
				Resolve: likeRule, Duck: tmpl("regexp_matches($1, $2)"), Pretty: pretty("RLIKE($1, $2)")},
			&expr.Func{Name: "||", Resolve: concatRule, Duck: printConcat, Pretty: pretty("concat($1, $2)")},
			bitwise("&", "&"), bitwise("|", "|"), &expr.Func{Name: "^", Resolve: bitwiseRule, Duck: tmpl("xor($1, $2)"), Pretty: pretty("($1 ^ $2)")},
			&expr.Func{Name: "~", Resolve: bitwiseRule, Duck: tmpl("(~$1)"), Pretty: pretty("~$1")},
		)
	}
}

func pretty(t string) func(*expr.Call, []string) string { return tmpl(t) }

func operator(name string, f *expr.Func) *expr.Func {
	f.Name = name
	f.Pretty = func(c *expr.Call, a []string) string {
		if len(c.Args) == 2 && temporal(c.Args[0].Type()) && !temporal(c.Args[1].Type()) && !c.Args[1].Type().IsNumeric() {
			return a[0] + " " + name + " " + a[1]
		}
		return "(" + a[0] + " " + name + " " + a[1] + ")"
	}
	return f
}

func arithmetic(d sql.Dialect, op string) *expr.Func {
	return &expr.Func{Resolve: func(c *expr.Call) error { return resolveArithmetic(d, op, c) }, Duck: printArithmetic(op)}
}

func resolveArithmetic(d sql.Dialect, op string, c *expr.Call) error {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	c.Null = nullable(c.Args)
	if t, ok := temporalArithmetic(op, c); ok {
		c.T = t
		return nil
	}
	if l.Kind == types.String && r.IsNumeric() || r.Kind == types.String && l.IsNumeric() || l.Kind == types.String && r.Kind == types.Null {
		to, _ := common(d, l, r)
		if d == sql.Trino {
			return mismatch(c, op)
		}
		coerceAll(c, to)
		l, r = to, to
	}
	if l.Kind == types.Null && r.Kind == types.Null {
		l, r = types.Of(types.Double), types.Of(types.Double)
		coerceAll(c, l)
	}
	if l.Kind == types.Null {
		l = r
	}
	if r.Kind == types.Null {
		r = l
	}
	if !l.IsNumeric() || !r.IsNumeric() {
		return mismatch(c, op)
	}
	if l.Kind == types.Decimal || r.Kind == types.Decimal {
		if !floating(l) && !floating(r) {
			return decimalArithmetic(op, c)
		}
		coerceAll(c, types.Of(types.Double))
		c.T = types.Of(types.Double)
		return nil
	}
	to := commonNumber(d, l, r)
	if op == "/" && d == sql.Spark {
		to = types.Of(types.Double)
	}
	coerceAll(c, to)
	c.T = to
	return nil
}

func floating(t types.Type) bool { return t.Kind == types.Float || t.Kind == types.Double }

func mismatch(c *expr.Call, op string) error {
	return errclass.BinaryOpMismatch(int(c.Func.Dialect), op, c.Args[0].Type(), c.Args[1].Type())
}

func coerceAll(c *expr.Call, to types.Type) {
	for i := range c.Args {
		if x, ok := Coerce(c.Args[i], to); ok {
			c.Args[i] = x
		}
	}
}

// decimalArithmetic gives Spark's result types ("Data Types", decimal arithmetic).
func decimalArithmetic(op string, c *expr.Call) error {
	a, b := decimalFor(c.Args[0]), decimalFor(c.Args[1])
	if c.Args[0].Type().Kind == types.Null {
		a = b
	}
	if c.Args[1].Type().Kind == types.Null {
		b = a
	}
	c.Args[0] = toDecimal(c.Args[0], a)
	c.Args[1] = toDecimal(c.Args[1], b)
	switch op {
	case "+", "-":
		s := max(a.Scale, b.Scale)
		c.T = bounded(max(a.Precision-a.Scale, b.Precision-b.Scale)+s+1, s)
	case "*":
		c.T = bounded(a.Precision+b.Precision+1, a.Scale+b.Scale)
	case "/":
		s := max(6, a.Scale+b.Precision+1)
		c.T = bounded(a.Precision-a.Scale+b.Scale+s, s)
	case "%":
		s := max(a.Scale, b.Scale)
		c.T = bounded(min(a.Precision-a.Scale, b.Precision-b.Scale)+s, s)
	}
	return nil
}

func toDecimal(x expr.Expr, t types.Type) expr.Expr {
	if x.Type().Equal(t) {
		return x
	}
	return implicitCast(x, t)
}

// temporalArithmetic is date and timestamp arithmetic with intervals and days.
func temporalArithmetic(op string, c *expr.Call) (types.Type, bool) {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	interval := func(t types.Type) bool { return t.Kind == types.DayTimeInterval || t.Kind == types.YearMonthInterval }
	switch {
	case op == "+" && interval(l) && temporal(r):
		c.Args[0], c.Args[1] = c.Args[1], c.Args[0]
		l, r = r, l
		fallthrough
	case (op == "+" || op == "-") && temporal(l) && interval(r):
		if l.Kind == types.Date && r.Kind == types.DayTimeInterval && r.To > types.Day {
			return types.Of(types.Timestamp), true
		}
		return l, true
	case op == "-" && l.Kind == types.Date && r.Kind == types.Date:
		return types.DayTime(types.Day, types.Day), true
	case op == "-" && temporal(l) && temporal(r):
		return types.DayTime(types.Day, types.Second), true
	case (op == "+" || op == "-") && l.Kind == types.Date && r.IsIntegral() && r.Kind != types.Long:
		return l, true
	case (op == "+" || op == "-") && interval(l) && l.Kind == r.Kind:
		return types.Type{Kind: l.Kind, From: min(l.From, r.From), To: max(l.To, r.To)}, true
	}
	return l, false
}

func printArithmetic(op string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		l, r := c.Args[0].Type(), c.Args[1].Type()
		plain := "(" + a[0] + " " + op + " " + a[1] + ")"
		switch {
		case c.T.Kind == types.DayTimeInterval && temporal(l):
			// Intervals travel as microseconds.
			return "(epoch_us(" + a[0] + "::TIMESTAMP) - epoch_us(" + a[1] + "::TIMESTAMP))"
		case temporal(l) && r.Kind == types.DayTimeInterval:
			return typedResult(c.T, "("+a[0]+" "+op+" to_microseconds("+a[1]+"))")
		case temporal(l) && r.Kind == types.YearMonthInterval:
			return typedResult(c.T, "("+a[0]+" "+op+" to_months("+a[1]+"::INTEGER))")
		case temporal(l):
			return typedResult(c.T, plain)
		case op == "/" || op == "%":
			return divide(c, op, a)
		case c.T.Kind == types.Decimal:
			return "CAST((" + a[0] + " " + op + " " + a[1] + ") AS " + DuckType(c.T) + ")"
		}
		return plain
	}
}

// typedResult casts where DuckDB's date arithmetic gives a timestamp.
func typedResult(t types.Type, s string) string { return "CAST(" + s + " AS " + DuckType(t) + ")" }

// divide prints / and %, which fail on zero unless Trino divides floating-point numbers.
func divide(c *expr.Call, op string, a []string) string {
	q := "(" + a[0] + " " + op + " " + a[1] + ")"
	if c.Func.Dialect == sql.Trino {
		if floating(c.T) {
			return q
		}
		if op == "/" && c.T.IsIntegral() {
			q = "(" + a[0] + " // " + a[1] + ")"
		}
	}
	if c.T.Kind == types.Decimal {
		q = "CAST(" + q + " AS " + DuckType(c.T) + ")"
	}
	const fail = "DIVIDE_BY_ZERO"
	if l, ok := c.Args[1].(*expr.Lit); ok && l.Value != nil && !zero(l.Value) {
		return q
	}
	if k, ok := c.Args[1].(*expr.Cast); ok && k.Implicit {
		if l, ok := k.X.(*expr.Lit); ok && l.Value != nil && !zero(l.Value) {
			return q
		}
	}
	return "CASE WHEN " + a[1] + " = 0 AND " + a[0] + " IS NOT NULL THEN " + Fail(c, fail) + " ELSE " + q + " END"
}

func zero(v any) bool {
	switch v := v.(type) {
	case int64:
		return v == 0
	case float64:
		return v == 0
	case float32:
		return v == 0
	case types.Dec:
		f, err := strconv.ParseFloat(string(v), 64)
		return err != nil || f == 0
	}
	return true
}

func integralDivide(c *expr.Call) error {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	if !l.IsNumeric() || !r.IsNumeric() {
		return mismatch(c, "div")
	}
	to := commonNumber(sql.Spark, l, r)
	if to.IsIntegral() {
		to = types.Of(types.Long)
	}
	coerceAll(c, to)
	c.T, c.Null = types.Of(types.Long), nullable(c.Args)
	return nil
}

func printDivide(c *expr.Call, a []string) string {
	return "CASE WHEN " + a[1] + " = 0 AND " + a[0] + " IS NOT NULL THEN " + Fail(c, "DIVIDE_BY_ZERO") + " ELSE CAST((" + a[0] + " // " + a[1] + ") AS BIGINT) END"
}

func comparison(op string, d sql.Dialect) *expr.Func {
	duck := op
	if op == "<=>" {
		duck = "IS NOT DISTINCT FROM"
	}
	name := "($1 " + op + " $2)"
	if op == "<>" {
		name = "(NOT ($1 = $2))"
	}
	return &expr.Func{Name: op, Pretty: pretty(name), Duck: tmpl("($1 " + duck + " $2)"), Resolve: func(c *expr.Call) error {
		l, r := c.Args[0].Type(), c.Args[1].Type()
		to, ok := common(d, l, r)
		if !ok || to.Kind == types.Map {
			return mismatch(c, op)
		}
		coerceAll(c, to)
		c.T, c.Null = types.Of(types.Boolean), op != "<=>" && nullable(c.Args)
		return nil
	}}
}

func logical(op string) *expr.Func {
	upper := map[string]string{"and": "AND", "or": "OR"}[op]
	return &expr.Func{Name: op, Resolve: booleans, Duck: tmpl("($1 " + upper + " $2)"), Pretty: pretty("($1 " + upper + " $2)")}
}

func booleans(c *expr.Call) error {
	for i, a := range c.Args {
		x, ok := Coerce(a, types.Of(types.Boolean))
		if !ok {
			if len(c.Args) == 2 {
				return mismatch(c, c.Func.Name)
			}
			return errclass.UnexpectedInputType(c.Func.Name, i+1, a.Type(), types.Of(types.Boolean))
		}
		c.Args[i] = x
	}
	c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
	return nil
}

func negate(c *expr.Call) error {
	t := c.Args[0].Type()
	if t.Kind == types.String {
		coerceAll(c, types.Of(types.Double))
		t = types.Of(types.Double)
	}
	if !t.IsNumeric() && t.Kind != types.DayTimeInterval && t.Kind != types.YearMonthInterval && t.Kind != types.Null {
		return errclass.UnexpectedInputType("-", 1, t, types.Of(types.Double))
	}
	c.T, c.Null = t, c.Args[0].Nullable()
	return nil
}

func nullTest(c *expr.Call) error {
	c.T = types.Of(types.Boolean)
	return nil
}

func inList(d sql.Dialect) func(c *expr.Call) error {
	return func(c *expr.Call) error {
		ts := make([]types.Type, len(c.Args))
		for i, a := range c.Args {
			ts[i] = a.Type()
		}
		to, ok := CommonType(d, ts...)
		if !ok {
			return errclass.DataDiffTypes("in", ts)
		}
		coerceAll(c, to)
		c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
		return nil
	}
}

func printIn(_ *expr.Call, a []string) string { return "(" + a[0] + " IN (" + join(a[1:]) + "))" }

func prettyIn(_ *expr.Call, a []string) string { return "(" + a[0] + " IN (" + join(a[1:]) + "))" }

func join(a []string) string {
	s := ""
	for i, x := range a {
		if i > 0 {
			s += ", "
		}
		s += x
	}
	return s
}

func between(d sql.Dialect) func(c *expr.Call) error {
	return func(c *expr.Call) error {
		to, ok := CommonType(d, c.Args[0].Type(), c.Args[1].Type(), c.Args[2].Type())
		if !ok {
			return mismatch(c, ">=")
		}
		coerceAll(c, to)
		c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
		return nil
	}
}

func likeRule(c *expr.Call) error {
	for i, a := range c.Args {
		x, ok := Coerce(a, types.Of(types.String))
		if !ok {
			return errclass.UnexpectedInputType(c.Func.Name, i+1, a.Type(), types.Of(types.String))
		}
		c.Args[i] = x
	}
	c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
	return nil
}

func printLike(op string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		escape := `'\'`
		if len(a) == 3 {
			escape = a[2]
		} else if c.Func.Dialect == sql.Trino {
			return "(" + a[0] + " " + op + " " + a[1] + ")"
		}
		return "(" + a[0] + " " + op + " " + a[1] + " ESCAPE " + escape + ")"
	}
}

func prettyLike(op string) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string {
		if op == "ILIKE" {
			return "ilike(" + join(a) + ")"
		}
		s := a[0] + " " + op + " " + a[1]
		if len(a) == 3 {
			s += " ESCAPE '" + a[2] + "'"
		}
		return s
	}
}

func concatRule(c *expr.Call) error {
	c.Null = nullable(c.Args)
	if len(c.Args) > 0 && c.Args[0].Type().Kind == types.Array {
		to, ok := CommonType(c.Func.Dialect, argTypes(c)...)
		if !ok {
			return errclass.DataDiffTypes("concat", argTypes(c))
		}
		coerceAll(c, to)
		c.T = to
		return nil
	}
	allBinary := len(c.Args) > 0
	for _, a := range c.Args {
		allBinary = allBinary && a.Type().Kind == types.Binary
	}
	if allBinary {
		c.T = types.Of(types.Binary)
		return nil
	}
	for i, a := range c.Args {
		x, ok := Coerce(a, types.Of(types.String))
		if !ok {
			return errclass.UnexpectedInputType("concat", i+1, a.Type(), types.Of(types.String))
		}
		c.Args[i] = x
	}
	c.T = types.Of(types.String)
	return nil
}

func argTypes(c *expr.Call) []types.Type {
	ts := make([]types.Type, len(c.Args))
	for i, a := range c.Args {
		ts[i] = a.Type()
	}
	return ts
}

func printConcat(c *expr.Call, a []string) string {
	if len(a) == 0 {
		return "''"
	}
	s := a[0]
	for _, x := range a[1:] {
		s += " || " + x
	}
	return "(" + s + ")"
}

func bitwise(op, duck string) *expr.Func {
	return &expr.Func{Name: op, Resolve: bitwiseRule, Duck: tmpl("($1 " + duck + " $2)"), Pretty: pretty("($1 " + op + " $2)")}
}

func bitwiseRule(c *expr.Call) error {
	to := c.Args[0].Type()
	for _, a := range c.Args[1:] {
		if !a.Type().IsIntegral() || !to.IsIntegral() {
			return mismatch(c, c.Func.Name)
		}
		to = commonNumber(sql.Spark, to, a.Type())
	}
	if !to.IsIntegral() {
		return errclass.UnexpectedInputType(c.Func.Name, 1, to, types.Of(types.Long))
	}
	coerceAll(c, to)
	c.T, c.Null = to, nullable(c.Args)
	return nil
}
