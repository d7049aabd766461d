package functions

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
			&expr.Func{Name: "div", Resolve: integralDivide, Duck: integralDivision, Pretty: pretty("($1 div $2)")},
			comparison("=", d), comparison("<>", d), comparison("<", d), comparison("<=", d), comparison(">", d), comparison(">=", d), comparison("<=>", d),
			logical("and"), logical("or"),
			&expr.Func{Name: "not", Resolve: booleans, Duck: tmpl("(NOT $1)"), Pretty: pretty("(NOT $1)")},
			&expr.Func{Name: "negative", Resolve: negate, Signature: "negative(expr)", Doc: "-expr", Duck: printNegative, Pretty: prettyNegative},
			&expr.Func{Name: "positive", Signature: "positive(expr)", Doc: "expr as it is", Resolve: negate, Duck: tmpl("$1"), Pretty: pretty("(+ $1)")},
			&expr.Func{Name: "isnull", Signature: "isnull(expr)", Doc: "true if expr is NULL", Resolve: nullTest, Duck: tmpl("($1 IS NULL)"), Pretty: pretty("($1 IS NULL)")},
			&expr.Func{Name: "isnotnull", Signature: "isnotnull(expr)", Doc: "true unless expr is NULL", Resolve: nullTest, Duck: tmpl("($1 IS NOT NULL)"), Pretty: pretty("($1 IS NOT NULL)")},
			&expr.Func{Name: "in", Resolve: inList(d), Duck: printIn, Pretty: prettyIn},
			&expr.Func{Name: "between", Resolve: between(d), Duck: func(c *expr.Call, a []string) string {
				return ordered(c, a, func(a []string) string { return "(" + a[0] + " BETWEEN " + a[1] + " AND " + a[2] + ")" })
			}, Pretty: pretty("between($1, $2, $3)")},
			&expr.Func{Name: "like", Resolve: likeRule, Duck: printLike("LIKE"), Pretty: prettyLike("LIKE")},
			&expr.Func{Name: "ilike", Resolve: likeRule, Duck: printLike("ILIKE"), Pretty: prettyLike("ILIKE")},
			&expr.Func{Name: "||", Resolve: concatRule, Duck: printConcat, Pretty: pretty("concat($1, $2)")},
			bitwise("&", "&"), bitwise("|", "|"), &expr.Func{Name: "^", Resolve: bitwiseRule, Duck: tmpl("xor($1, $2)"), Pretty: pretty("($1 ^ $2)")},
			&expr.Func{Name: "~", Resolve: bitwiseRule, Duck: tmpl("(~ $1)"), Pretty: pretty("~$1")},
		)
	}
}

func pretty(t string) func(*expr.Call, []string) string { return tmpl(t) }

func operator(name string, f *expr.Func) *expr.Func {
	f.Name = name
	f.Pretty = func(c *expr.Call, a []string) string {
		if len(c.Args) == 2 && c.T.Kind == types.CalendarInterval && (name == "*" || name == "/") {
			return map[string]string{"*": "multiply_interval(", "/": "divide_interval("}[name] + join(a) + ")"
		}
		if len(c.Args) == 2 && (name == "+" || name == "-") && temporal(c.Args[0].Type()) && anyInterval(c.Args[1].Type()) {
			if t := c.Args[1].Type(); c.T.Kind == types.Date && t.Kind == types.DayTimeInterval && c.Func.Dialect == sql.Spark {
				days := "extractansiintervaldays(" + a[1] + ")"
				if name == "-" {
					days = "(- " + days + ")"
				}
				return "date_add(" + a[0] + ", " + days + ")"
			}
			return a[0] + " " + name + " " + a[1]
		}
		if len(c.Args) == 2 && c.Args[0].Type().Kind == types.Date && c.Args[1].Type().IsNumeric() && c.Func.Dialect == sql.Spark {
			return map[string]string{"+": "date_add", "-": "date_sub"}[name] + "(" + a[0] + ", " + a[1] + ")"
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
	// Spark takes a division for nullable even where zero is an error.
	defer func() {
		c.Null = d == sql.Spark && (op == "/" || op == "%" || c.T.Kind == types.CalendarInterval && op == "*") && !interval(c.T) || nullable(c.Args)
	}()
	if t, ok, err := temporalArithmetic(op, c); ok {
		if err != nil && d == sql.Trino {
			return mismatch(c, op)
		}
		c.T = t
		return err
	}
	if d == sql.Spark && (l.Kind == types.String) != (r.Kind == types.String) {
		// Text becomes what it meets, which arithmetic then does not take.
		t := l
		if l.Kind == types.String {
			t = r
		}
		if t.Kind == types.Boolean || t.Kind == types.Binary || temporal(t) {
			if t.Kind == types.Date && op == "+" {
				return errclass.UnexpectedInputTypes("date_add", 2, t, `("INT" or "SMALLINT" or "TINYINT")`).Shown("date_add($1, $2)")
			}
			return numericOperator(op, t)
		}
	}
	if l.Kind == types.String && r.IsNumeric() || r.Kind == types.String && l.IsNumeric() || l.Kind == types.String && r.Kind == types.Null {
		to, _ := common(d, l, r)
		if d == sql.Trino {
			return mismatch(c, op)
		}
		coerceAll(c, to)
		l, r = to, to
	}
	if d == sql.Spark && (l.Kind == types.Null) != (r.Kind == types.Null) && !l.IsNumeric() && !r.IsNumeric() && l.Kind != types.String && r.Kind != types.String {
		return mismatch(c, op)
	}
	if l.Kind == types.Null && r.Kind == types.Null {
		l, r = types.Of(types.Double), types.Of(types.Double)
		coerceAll(c, l)
	}
	if l.Kind == types.Null && r.Kind == types.Decimal && op == "/" && d == sql.Spark {
		c.T = types.Of(types.Double)
		coerceAll(c, c.T)
		return nil
	}
	if l.Kind == types.Null {
		l = r
	}
	if r.Kind == types.Null {
		r = l
	}
	if !l.IsNumeric() || !r.IsNumeric() {
		if d == sql.Spark && l.Equal(r) {
			return numericOperator(op, l)
		}
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

// numericOperator is an operator both of whose sides are of a type that it does not take.
func numericOperator(op string, t types.Type) error {
	e := errclass.BinaryOpWrongType("NUMERIC", t)
	switch op {
	case "+", "-":
		e.Message = strings.Replace(e.Message, `"NUMERIC"`, `("NUMERIC" or "INTERVAL DAY TO SECOND" or "INTERVAL YEAR TO MONTH" or "INTERVAL")`, 1)
	case "/":
		e.Message = strings.Replace(e.Message, `"NUMERIC"`, `("DOUBLE" or "DECIMAL")`, 1)
	}
	return e
}

func interval(t types.Type) bool {
	return t.Kind == types.DayTimeInterval || t.Kind == types.YearMonthInterval
}

func floating(t types.Type) bool { return t.Kind == types.Float || t.Kind == types.Double }

func mismatch(c *expr.Call, op string) error {
	return errclass.BinaryOpMismatch(int(c.Func.Dialect), op, c.Args[0].Type(), c.Args[1].Type())
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

// trinoDecimalResult gives Trino's result types ("Decimal functions and operators").
func trinoDecimalResult(op string, a, b types.Type) types.Type {
	s := max(a.Scale, b.Scale)
	p := 0
	switch op {
	case "+", "-":
		p = 1 + s + max(a.Precision-a.Scale, b.Precision-b.Scale)
	case "*":
		p, s = a.Precision+b.Precision, a.Scale+b.Scale
	case "/":
		p = a.Precision + b.Scale + max(b.Scale-a.Scale, 0)
	default:
		p = min(a.Precision-a.Scale, b.Precision-b.Scale) + s
	}
	return types.DecimalOf(min(p, maxPrecision), min(s, maxPrecision))
}

func toDecimal(x expr.Expr, t types.Type) expr.Expr {
	if x.Type().Equal(t) {
		return x
	}
	return implicitCast(x, t)
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
	if c.Func.Dialect == sql.Spark {
		return sparkDiv(c, l, r)
	}
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

// sparkDiv is div of two whole numbers, decimals or intervals of a kind.
func sparkDiv(c *expr.Call, l, r types.Type) error {
	whole := func(t types.Type) bool { return t.IsIntegral() || t.Kind == types.Null }
	wrong := func(t types.Type) error {
		e := errclass.BinaryOpWrongType("NUMERIC", t)
		e.Message = strings.Replace(e.Message, `"NUMERIC"`, `("BIGINT" or "DECIMAL" or "INTERVAL YEAR TO MONTH" or "INTERVAL DAY TO SECOND")`, 1)
		return e
	}
	c.T, c.Null = types.Of(types.Long), true
	if l.Kind == types.String && r.IsNumeric() || r.Kind == types.String && l.IsNumeric() {
		to, _ := common(sql.Spark, l, r)
		coerceAll(c, to)
		l, r = to, to
	}
	switch {
	case interval(l) && (r.Kind == l.Kind || r.Kind == types.Null), interval(r) && l.Kind == types.Null:
		return nil
	case whole(l) && whole(r):
		coerceAll(c, types.Of(types.Long))
		return nil
	case l.Kind == types.Decimal && (whole(r) || r.Kind == types.Decimal), r.Kind == types.Decimal && whole(l):
		for i, a := range c.Args {
			if whole(a.Type()) {
				c.Args[i] = toDecimal(a, decimalFor(a))
			}
		}
		return nil
	case l.Kind == types.Decimal && r.Kind == types.Double || l.Kind == types.Double && r.Kind == types.Decimal:
		return wrong(types.Of(types.Double))
	case l.Kind == types.String && r.Kind == types.Null || r.Kind == types.String && l.Kind == types.Null:
		return wrong(types.Of(types.String))
	case l.Equal(r):
		return wrong(l)
	}
	as := func(t types.Type) types.Type {
		if t.Kind == types.Decimal && (floating(l) || floating(r)) {
			return types.Of(types.Double)
		}
		if t.IsIntegral() {
			return types.Of(types.Long)
		}
		return t
	}
	return errclass.BinaryOpMismatch(int(sql.Spark), "div", as(l), as(r))
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
	return &expr.Func{Name: op, Pretty: pretty(name), Duck: func(c *expr.Call, a []string) string {
		if op == "=" || op == "<>" || op == "<=>" {
			return "(" + a[0] + " " + duck + " " + a[1] + ")"
		}
		return ordered(c, a, func(a []string) string { return "(" + a[0] + " " + op + " " + a[1] + ")" })
	}, Resolve: func(c *expr.Call) error {
		if d == sql.Spark {
			wholeLiterals(c, op)
			narrowLiterals(c)
		}
		l, r := c.Args[0].Type(), c.Args[1].Type()
		to, ok := common(d, l, r)
		if !ok || to.Kind == types.Map && d == sql.Trino {
			return mismatch(c, op)
		}
		if bad, is := unordered(to); is && d == sql.Spark {
			shown := op
			if op == "<>" {
				shown = "="
			}
			return errclass.InvalidOrdering(shown, bad)
		}
		coerceAll(c, to)
		c.T, c.Null = types.Of(types.Boolean), op != "<=>" && nullable(c.Args)
		return nil
	}}
}

// wholeLiterals makes a whole number of a decimal that is written beside a whole number with < or the like, as Spark does: id < 0.5 is
// id < 1, also in names.
func wholeLiterals(c *expr.Call, op string) {
	up, is := map[string]bool{"<": true, ">=": true, ">": false, "<=": false}[op]
	if !is {
		return
	}
	for i, a := range c.Args {
		l, ok := a.(*expr.Lit)
		if !ok || l.T.Kind != types.Decimal || !c.Args[1-i].Type().IsIntegral() {
			continue
		}
		d, ok := l.Value.(types.Dec)
		if !ok {
			continue
		}
		whole, fraction, _ := strings.Cut(string(d), ".")
		n, err := strconv.ParseInt(whole, 10, 64)
		if whole == "" || whole == "-" {
			n, err = 0, nil
		}
		if err != nil || n == math.MaxInt64 || n == math.MinInt64 {
			continue
		}
		if strings.Trim(fraction, "0") != "" {
			switch below := strings.HasPrefix(whole, "-"); {
			case below && up != (i == 1):
				n--
			case !below && up == (i == 1):
				n++
			}
		}
		w := &expr.Lit{Value: n}
		w.T, w.At = types.Of(types.Long), l.At
		c.Args[i] = w
	}
}

// narrowLiterals gives whole numbers that are written beside a decimal no more digits than they have.
func narrowLiterals(c *expr.Call) {
	for i, a := range c.Args {
		if l, ok := a.(*expr.Lit); ok && l.T.IsIntegral() && c.Args[1-i].Type().Kind == types.Decimal {
			c.Args[i] = toDecimal(a, decimalFor(a))
		}
	}
}

// unordered finds what has no order in a type: a map, or a calendar interval.
func unordered(t types.Type) (types.Type, bool) {
	switch t.Kind {
	case types.Map, types.CalendarInterval:
		return t, true
	case types.Array:
		_, bad := unordered(*t.Elem)
		return t, bad
	case types.Struct:
		for _, f := range t.Fields {
			if _, bad := unordered(f.Type); bad {
				return t, true
			}
		}
	}
	return t, false
}

func logical(op string) *expr.Func {
	upper := map[string]string{"and": "AND", "or": "OR"}[op]
	return &expr.Func{Name: op, Resolve: booleans, Duck: func(c *expr.Call, a []string) string {
		v, known := constant(c.Args[1])
		settled := known && v == (op == "or") // Spark does not look at the other then
		if c.Func.Dialect == sql.Spark && !settled && (raises(c.Args[0]) || raises(c.Args[1])) {
			// DuckDB orders conditions by what they cost; an error of one's own is to come when it is its turn.
			stop := map[string]string{"and": "NOT ", "or": ""}[op]
			return let(a[0], func(l string) string {
				return "CASE WHEN " + stop + l + " THEN " + l + " ELSE (" + l + " " + upper + " " + a[1] + ") END"
			})
		}
		return "(" + a[0] + " " + upper + " " + a[1] + ")"
	}, Pretty: pretty("($1 " + upper + " $2)")}
}

// raises reports whether an expression calls raise_error or assert_true.
func raises(x expr.Expr) bool {
	switch x := x.(type) {
	case *expr.Cast:
		return raises(x.X)
	case *expr.Call:
		return x.Func.Name == "raise_error" || x.Func.Name == "assert_true" || slices.ContainsFunc(x.Args, raises)
	}
	return false
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
	if err := one(c); err != nil {
		return err
	}
	t := c.Args[0].Type()
	if t.Kind == types.String || t.Kind == types.Null {
		coerceAll(c, types.Of(types.Double))
		t = types.Of(types.Double)
	}
	if !t.IsNumeric() && !anyInterval(t) {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `("NUMERIC" or "INTERVAL DAY TO SECOND" or "INTERVAL YEAR TO MONTH" or "INTERVAL")`)
	}
	c.T, c.Null = t, c.Args[0].Nullable()
	return nil
}

func nullTest(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	c.T = types.Of(types.Boolean)
	return nil
}

func inList(d sql.Dialect) func(c *expr.Call) error {
	return func(c *expr.Call) error {
		ts := make([]types.Type, len(c.Args))
		for i, a := range c.Args {
			ts[i] = a.Type()
		}
		to, ok := ComparisonType(d, ts...)
		if !ok {
			return errclass.DataDiffTypes("in", ts)
		}
		if bad, is := unordered(to); is && d == sql.Spark {
			return errclass.InvalidOrdering("in", bad)
		}
		coerceAll(c, to)
		c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
		return nil
	}
}

func printIn(_ *expr.Call, a []string) string {
	if len(a) == 1 {
		return "false" // Column.isin()
	}
	return "(" + a[0] + " IN (" + join(a[1:]) + "))"
}

func prettyIn(_ *expr.Call, a []string) string { return "(" + a[0] + " IN (" + join(a[1:]) + "))" }

func between(d sql.Dialect) func(c *expr.Call) error {
	return func(c *expr.Call) error {
		if len(c.Args) != 3 {
			return errclass.WrongNumArgs("between", "3", len(c.Args))
		}
		for i, op := range []string{">=", "<="} {
			if _, ok := common(d, c.Args[0].Type(), c.Args[i+1].Type()); !ok {
				return errclass.BinaryOpMismatch(int(d), op, c.Args[0].Type(), c.Args[i+1].Type()).Shown("(commonexpressionref() " + op + " $" + itoa(i+2) + ")")
			}
		}
		to, ok := ComparisonType(d, c.Args[0].Type(), c.Args[1].Type(), c.Args[2].Type())
		if !ok {
			return mismatch(c, ">=")
		}
		if bad, is := unordered(to); is && d == sql.Spark {
			return errclass.InvalidOrdering(">=", bad).Shown("(commonexpressionref() >= $2)")
		}
		coerceAll(c, to)
		c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
		return nil
	}
}

func likeRule(c *expr.Call) error {
	if n := len(c.Args); n < 2 || n > 3 {
		return errclass.WrongNumArgs(c.Func.Name, "[2, 3]", n)
	}
	if len(c.Args) == 3 && c.Func.Dialect == sql.Spark {
		v, ok := constant(c.Args[2])
		if s, _ := v.(string); !ok || utf8.RuneCountInString(s) != 1 {
			return errclass.InvalidEscapeChar(c.Args[2].Type(), v)
		}
	}
	for i, a := range c.Args {
		x, ok := coerceArg(c, a, types.Of(types.String))
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
		if c.Func.Dialect == sql.Spark {
			s, bad := badLike(c, a)
			if bad {
				return s
			}
			if _, ok := constant(c.Args[1]); !ok {
				a = append([]string{a[0], checkedLike(c, a, escape)}, a[2:]...)
			}
		}
		if v, ok := constant(c.Args[1]); ok && len(a) == 2 {
			if pattern, _ := v.(string); !strings.Contains(pattern, `\`) {
				// Without ESCAPE DuckDB knows faster ways for '%x%' and the like.
				return "(" + a[0] + " " + op + " " + a[1] + ")"
			}
		}
		return "(" + a[0] + " " + op + " " + a[1] + " ESCAPE " + escape + ")"
	}
}

// badLike raises an error for a constant pattern in which the escape character stands where it may not.
func badLike(c *expr.Call, a []string) (string, bool) {
	pattern, class, next := badPattern(c)
	if class == "" {
		return "", false
	}
	return "CASE WHEN " + a[0] + " IS NOT NULL THEN CAST(" + Fail(c, class, quote(pattern), quote(next)) + " AS BOOLEAN) END", true
}

// BadLike reports whether a call of like or ilike has a constant pattern with a misplaced escape character.
func BadLike(c *expr.Call) bool {
	if c.Func.Name != "like" && c.Func.Name != "ilike" || c.Func.Dialect != sql.Spark {
		return false
	}
	_, class, _ := badPattern(c)
	return class != ""
}

// badPattern is badEscape for a constant pattern.
func badPattern(c *expr.Call) (pattern, class, next string) {
	pattern, ok := constantString(c.Args[1])
	if !ok {
		return "", "", ""
	}
	mark := '\\'
	if len(c.Args) == 3 {
		s, _ := constantString(c.Args[2])
		mark, _ = utf8.DecodeRuneInString(s)
	}
	if c.Func.Name == "ilike" {
		pattern = strings.ToLower(pattern)
	}
	class, next = badEscape(pattern, mark)
	return pattern, class, next
}

// badEscape finds an escape character that stands where it may not in a pattern of LIKE: the class of the error and the character
// behind it. The class is empty if there is none.
func badEscape(pattern string, mark rune) (class, next string) {
	runes := []rune(pattern)
	for i := 0; i < len(runes); i++ {
		if runes[i] != mark {
			continue
		}
		if i++; i == len(runes) {
			return "INVALID_FORMAT.ESC_AT_THE_END", ""
		}
		if runes[i] != '_' && runes[i] != '%' && runes[i] != mark {
			return "INVALID_FORMAT.ESC_IN_THE_MIDDLE", string(runes[i])
		}
	}
	return "", ""
}

// checkedLike is a pattern that is no constant, looked at where it holds an escape character.
func checkedLike(c *expr.Call, a []string, escape string) string {
	return let(a[1], func(p string) string {
		read := p
		if c.Func.Name == "ilike" {
			read = "lower(" + p + ")"
		}
		return "CASE WHEN " + a[0] + " IS NOT NULL AND contains(" + p + ", " + escape + ") THEN spark_like_pattern(" + read + ", " + escape + ") ELSE " + p + " END"
	})
}

func init() {
	failing("spark_like_pattern", "string, string -> string", func(a []any) (any, error) {
		mark, _ := utf8.DecodeRuneInString(a[1].(string))
		if class, next := badEscape(a[0].(string), mark); class != "" {
			return nil, raise(class, a[0].(string), next)
		}
		return a[0], nil
	})
}

func prettyLike(op string) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string {
		if op == "ILIKE" {
			return "ilike(" + join(a[:2]) + ")"
		}
		s := a[0] + " " + op + " " + a[1]
		if len(a) == 3 {
			s += " ESCAPE '" + a[2] + "'"
		}
		return s
	}
}

func bitwise(op, duck string) *expr.Func {
	return &expr.Func{Name: op, Resolve: bitwiseRule, Duck: tmpl("($1 " + duck + " $2)"), Pretty: pretty("($1 " + op + " $2)")}
}

// BesideDecimals makes a double of a decimal beside a floating point number, and a decimal of a whole number beside a decimal, as Spark
// does for any operator, also for one that does not take those.
func BesideDecimals(args []expr.Expr) {
	for i, x := range args {
		switch other := args[1-i].Type(); {
		case x.Type().Kind == types.Decimal && floating(other):
			args[i], _ = Coerce(x, types.Of(types.Double))
		case x.Type().IsIntegral() && other.Kind == types.Decimal:
			args[i] = toDecimal(x, decimalFor(x))
		}
	}
}

func bitwiseRule(c *expr.Call) error {
	if c.Func.Dialect == sql.Spark && len(c.Args) == 2 {
		l, r := c.Args[0].Type(), c.Args[1].Type()
		if (l.Kind == types.String) != (r.Kind == types.String) && l.Kind != types.Null && r.Kind != types.Null {
			// Text becomes what it meets, whether that does here or not.
			to, ok := common(sql.Spark, l, r)
			switch {
			case ok && to.IsIntegral():
				coerceAll(c, to)
			case ok:
				return errclass.BinaryOpWrongType("INTEGRAL", to)
			}
		}
		BesideDecimals(c.Args)
		for i, t := range []types.Type{l, r} {
			if other := c.Args[1-i].Type(); t.Kind == types.Null && other.IsIntegral() {
				c.Args[i], _ = Coerce(c.Args[i], other)
			}
		}
	}
	if x := c.Args[0]; len(c.Args) == 1 && x.Type().Kind == types.Null && c.Func.Dialect == sql.Spark {
		c.Args[0], _ = Coerce(x, types.Of(types.Int))
	}
	to := c.Args[0].Type()
	for _, a := range c.Args[1:] {
		if !a.Type().IsIntegral() || !to.IsIntegral() {
			if a.Type().Equal(to) && c.Func.Dialect == sql.Spark {
				return errclass.BinaryOpWrongType("INTEGRAL", to)
			}
			return mismatch(c, c.Func.Name)
		}
		to = commonNumber(sql.Spark, to, a.Type())
	}
	if !to.IsIntegral() {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, to, `"INTEGRAL"`)
	}
	coerceAll(c, to)
	c.T, c.Null = to, nullable(c.Args)
	return nil
}
