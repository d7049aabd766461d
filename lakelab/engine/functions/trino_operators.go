package functions

import (
	"math"
	"strconv"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's operators ("Functions and operators"): their types, and the errors that they raise while they run.

func init() {
	for _, op := range []string{"+", "-", "*", "/", "%"} {
		add(sql.Trino, &expr.Func{Name: op, Resolve: trinoArithmetic(op), Duck: printTrinoArithmetic(op)})
	}
	for _, op := range []string{"=", "<>", "<", "<=", ">", ">="} {
		add(sql.Trino, &expr.Func{Name: op, Resolve: trinoComparison(op), Duck: printTrinoComparison(op)})
	}
	add(sql.Trino,
		&expr.Func{Name: "<=>", Resolve: trinoComparison("IS DISTINCT FROM"), Duck: byInstant(tmpl("($1 IS NOT DISTINCT FROM $2)"))},
		&expr.Func{Name: "and", Resolve: trinoLogical, Duck: tmpl("($1 AND $2)")},
		&expr.Func{Name: "or", Resolve: trinoLogical, Duck: tmpl("($1 OR $2)")},
		&expr.Func{Name: "not", Resolve: trinoLogical, Duck: tmpl("(NOT $1)")},
		&expr.Func{Name: "negative", Resolve: trinoNegate, Duck: printTrinoNegative},
		&expr.Func{Name: "positive", Resolve: trinoNegate, Duck: tmpl("$1")},
		&expr.Func{Name: "isnull", Resolve: nullTest, Duck: tmpl("($1 IS NULL)")},
		&expr.Func{Name: "isnotnull", Resolve: nullTest, Duck: tmpl("($1 IS NOT NULL)")},
		&expr.Func{Name: "in", Resolve: trinoIn, Duck: printTrinoIn},
		&expr.Func{Name: "between", Resolve: trinoBetween, Duck: printTrinoBetween},
		&expr.Func{Name: "like", Resolve: trinoLike, Duck: printTrinoLike},
		&expr.Func{Name: "||", Resolve: trinoConcat("concat"), Duck: printTrinoConcat},
		&expr.Func{Name: "concat", Signature: "concat(a, b, …)", Doc: "text, bytes or arrays one behind the other; NULL if one is", Resolve: func(c *expr.Call) error {
			if len(c.Args) == 1 && c.Args[0].Type().Kind != types.Array {
				return errclass.TrinoConcatArity()
			}
			if len(c.Args) == 0 {
				return TrinoUnexpected(c)
			}
			return trinoConcat("concat")(c)
		}, Duck: printTrinoConcat},
		&expr.Func{Name: "subscript", Resolve: trinoSubscript, Duck: printTrinoSubscript},
	)
}

func trinoMismatch(c *expr.Call, op string) error {
	return errclass.BinaryOpMismatch(int(sql.Trino), op, c.Args[0].Type(), c.Args[1].Type())
}

// trinoAll casts all arguments to a type.
func trinoAll(c *expr.Call, to types.Type) {
	for i, a := range c.Args {
		if !a.Type().Equal(to) {
			c.Args[i] = trinoImplicit(a, to)
		}
	}
}

func trinoArithmetic(op string) func(c *expr.Call) error {
	return func(c *expr.Call) error {
		l, r := c.Args[0].Type(), c.Args[1].Type()
		c.Null = nullable(c.Args)
		if l.Kind == types.Null && r.Kind == types.Null {
			return trinoMismatch(c, op)
		}
		if l.Kind == types.Null {
			l = r
		}
		if r.Kind == types.Null {
			r = l
		}
		if interval(l) || interval(r) || trinoTime(l) || trinoTime(r) {
			return trinoTemporalArithmetic(op, c)
		}
		if !l.IsNumeric() || !r.IsNumeric() {
			return trinoMismatch(c, op)
		}
		to := trinoCommonNumber(l, r)
		if to.Kind != types.Decimal {
			trinoAll(c, to)
			c.T = to
			return nil
		}
		a, b := trinoDecimal(l), trinoDecimal(r)
		if c.Args[0].Type().Kind != types.Decimal {
			c.Args[0] = trinoImplicit(c.Args[0], a)
		}
		if c.Args[1].Type().Kind != types.Decimal {
			c.Args[1] = trinoImplicit(c.Args[1], b)
		}
		c.T = trinoDecimalResult(op, a, b)
		return nil
	}
}

func trinoTime(t types.Type) bool {
	return temporal(t) || t.Kind == types.Time || t.Kind == types.TimeTZ
}

// trinoTemporalArithmetic is arithmetic with dates, times, timestamps and intervals.
func trinoTemporalArithmetic(op string, c *expr.Call) error {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	switch {
	case op == "+" && interval(l) && trinoTime(r):
		c.Args[0], c.Args[1] = c.Args[1], c.Args[0]
		l, r = r, l
	case op == "*" && interval(r):
		c.Args[0], c.Args[1] = c.Args[1], c.Args[0]
		l, r = r, l
	}
	switch {
	case (op == "+" || op == "-") && trinoTime(l) && interval(r):
		if (l.Kind == types.Time || l.Kind == types.TimeTZ) && r.Kind == types.YearMonthInterval {
			return trinoMismatch(c, op)
		}
		if c.T = l; r.Kind == types.DayTimeInterval && l.Kind != types.Date {
			c.T = types.TemporalOf(l.Kind, max(l.Digits(), 3)).InZone(l.Zone)
		}
		return nil
	case op == "-" && trinoTime(l) && trinoTime(r):
		to, ok := trinoCommon(l, r)
		if !ok {
			return trinoMismatch(c, op)
		}
		trinoAll(c, to)
		c.T = types.DayTime(types.Day, types.Second)
		return nil
	case (op == "+" || op == "-") && interval(l) && l.Kind == r.Kind:
		c.T = fullInterval(l)
		return nil
	case (op == "*" || op == "/") && interval(l) && r.IsNumeric():
		if r.Kind == types.Decimal || r.Kind == types.Float {
			c.Args[1] = trinoImplicit(c.Args[1], types.Of(types.Double))
		}
		c.T = fullInterval(l)
		return nil
	}
	return trinoMismatch(c, op)
}

var trinoOpNames = map[string]string{"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}

func printTrinoArithmetic(op string) func(c *expr.Call, a []string) string {
	return func(c *expr.Call, a []string) string {
		switch {
		case interval(c.T) || trinoTime(c.T):
			return printTrinoTemporal(op, c, a)
		case c.T.Kind == types.Double || c.T.Kind == types.Float:
			if op == "%" {
				// DuckDB gives NULL for x % 0.
				return letAll(a, []int{0, 1}, func(a []string) string {
					return "CASE WHEN " + a[1] + " = 0 THEN CAST('nan' AS " + DuckType(c.T) + ") + " + a[0] + " * 0 ELSE " + a[0] + " % " + a[1] + " END"
				})
			}
			return "(" + a[0] + " " + op + " " + a[1] + ")"
		case op == "/" || op == "%":
			return trinoZero(c, a, func(a []string) string { return trinoQuotient(c, op, a) })
		case c.T.Kind == types.Decimal:
			return decimalOp(c, op, a)
		}
		return "(" + a[0] + " " + op + " " + a[1] + ")"
	}
}

// trinoChecked prints + - * of whole numbers so that an overflow names the numbers.
func trinoChecked(c *expr.Call, a []string) (string, bool) {
	op := trinoOpNames[c.Func.Name]
	if op == "" || c.Func.Name == "/" || !c.T.IsIntegral() {
		return "", false
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		return let("(CAST("+a[0]+" AS HUGEINT) "+c.Func.Name+" "+a[1]+")", func(v string) string {
			left, right := a[0], a[1]
			_, fixed := constant(c.Args[0])
			_, cast := c.Args[1].(*expr.Cast)
			if _, ok := constant(c.Args[1]); ok && (cast || !fixed) && c.Func.Name != "-" { // Trino puts a constant before what varies
				left, right = right, left
			}
			return "coalesce(TRY_CAST(" + v + " AS " + DuckType(c.T) + "), CASE WHEN " + v + " IS NOT NULL THEN " +
				trinoFail(c, "NUMERIC_VALUE_OUT_OF_RANGE", quote(c.T.Trino()+" "+op+" overflow: ")+" || CAST("+left+" AS VARCHAR) || ' "+c.Func.Name+" ' || CAST("+right+" AS VARCHAR)") + " END)"
		})
	}), true
}

// leastOf is the smallest number of each whole type.
var leastOf = map[types.Kind]string{types.Byte: "-128", types.Short: "-32768", types.Int: "-2147483648", types.Long: "CAST('-9223372036854775808' AS BIGINT)"}

// trinoQuotient divides; of whole numbers only the smallest by -1 is too large.
func trinoQuotient(c *expr.Call, op string, a []string) string {
	v, fixed := constantInt(c.Args[1])
	if op != "/" || !c.T.IsIntegral() || fixed && v != -1 {
		return quotient(c, op, a)
	}
	least := leastOf[c.T.Kind]
	return "CASE WHEN " + a[1] + " = -1 AND " + a[0] + " = " + least + " THEN " + typedAs(c.T, trinoFail(c, "NUMERIC_VALUE_OUT_OF_RANGE", quote(c.T.Trino()+" division overflow: ")+" || CAST("+a[0]+" AS VARCHAR) || ' / ' || CAST("+a[1]+" AS VARCHAR)")) +
		" ELSE " + quotient(c, op, a) + " END"
}

// trinoZero fails if the second argument is zero and the first is there.
func trinoZero(c *expr.Call, a []string, body func(a []string) string) string {
	if v, ok := constant(c.Args[1]); ok && v != nil && !zero(v) {
		return body(a)
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		return "CASE WHEN " + a[1] + " = 0 AND " + a[0] + " IS NOT NULL THEN " + trinoFail(c, "DIVISION_BY_ZERO", quote("Division by zero")) + " ELSE " + body(a) + " END"
	})
}

func printTrinoTemporal(op string, c *expr.Call, a []string) string {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	switch {
	case interval(l) && interval(r):
		return "(" + a[0] + " " + op + " " + a[1] + ")"
	case interval(l):
		return printTrinoScaled(op, c, a)
	case interval(c.T): // a difference
		switch l := c.Args[0].Type(); l.Kind {
		case types.Date:
			return "(CAST(" + a[0] + " - " + a[1] + " AS BIGINT) * 86400000000)"
		default:
			us := "(epoch_us(" + coarse(l, a[0]) + ") - epoch_us(" + coarse(l, a[1]) + "))"
			switch {
			case l.Kind == types.Timestamp: // rounded to milliseconds, a half away from zero
				return "CAST(round(CAST(" + us + " AS DECIMAL(19, 0)) / 1000) AS BIGINT) * 1000"
			case l.Kind == types.TimestampNTZ: // rounded to milliseconds, half up
				return let("("+us+" + 500)", func(v string) string { return "(" + v + " - (" + v + " % 1000 + 1000) % 1000)" })
			case l.InPicos():
				return "CAST((" + InstantOf(l, a[0]) + " - " + InstantOf(l, a[1]) + ") // 1000000 AS BIGINT)"
			}
			return us
		}
	}
	return finely(0, true, func(c *expr.Call, a []string) string { return printTrinoStep(op, c, a) })(c, a)
}

// printTrinoScaled multiplies or divides an interval, whose months or milliseconds are whole.
func printTrinoScaled(op string, c *expr.Call, a []string) string {
	unit := "1"
	if c.Args[0].Type().Kind == types.DayTimeInterval {
		unit = "1000"
	}
	return letAll(a, []int{1}, func(a []string) string {
		wrong, why := "isnan(CAST("+a[1]+" AS DOUBLE))", "'Cannot multiply by double NaN'"
		if op == "/" {
			wrong, why = wrong+" OR "+a[1]+" = 0", "'Cannot divide by double ' || CASE WHEN "+a[1]+" = 0 THEN '0.0' ELSE 'NaN' END"
		}
		return "CASE WHEN " + wrong + " THEN " + typedAs(c.T, trinoFail(c, "INVALID_FUNCTION_ARGUMENT", why)) +
			" ELSE CAST(trunc(" + a[0] + " // " + unit + " " + op + " " + a[1] + ") AS BIGINT) * " + unit + " END"
	})
}

// printTrinoStep adds an interval to a date, a time or a timestamp, or takes it away.
func printTrinoStep(op string, c *expr.Call, a []string) string {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	if r.Kind == types.YearMonthInterval {
		step := "to_months(CAST(" + a[1] + " AS INTEGER))"
		if l.Kind == types.Timestamp {
			return zoned(l.Zone, "("+local(l, a[0])+" "+op+" "+step+")")
		}
		return typedAs(c.T, "("+a[0]+" "+op+" "+step+")")
	}
	step := "to_microseconds(" + a[1] + ")"
	switch l.Kind {
	case types.Date:
		return letAll(a, []int{0, 1}, func(a []string) string {
			return "CASE WHEN " + a[1] + " % 86400000000 <> 0 THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("Cannot add hour, minutes or seconds to a date")) +
				" ELSE " + typedAs(c.T, "("+a[0]+" "+op+" CAST("+a[1]+" // 86400000000 AS INTEGER))") + " END"
		})
	case types.Timestamp:
		return "make_timestamptz(epoch_us(" + a[0] + ") " + op + " " + a[1] + ")"
	}
	return typedAs(c.T, "("+a[0]+" "+op+" "+step+")")
}

func trinoComparison(op string) func(c *expr.Call) error {
	return func(c *expr.Call) error {
		if op == "=" && trinoRowsEqual(c) {
			return nil
		}
		to, ok := trinoCommon(c.Args[0].Type(), c.Args[1].Type())
		if !ok || to.Kind == types.Map && op != "=" && op != "<>" && op != "IS DISTINCT FROM" {
			return trinoMismatch(c, op)
		}
		trinoAll(c, to)
		c.T, c.Null = types.Of(types.Boolean), op != "IS DISTINCT FROM" && nullable(c.Args)
		return nil
	}
}

// trinoRowsEqual turns (a, b) = (c, d) into a = c AND b = d, by which joins find their rows.
func trinoRowsEqual(c *expr.Call) bool {
	l, ok1 := c.Args[0].(*expr.Call)
	r, ok2 := c.Args[1].(*expr.Call)
	if !ok1 || !ok2 || l.Func.Name != "row" || r.Func.Name != "row" || len(l.Args) != len(r.Args) || len(l.Args) < 2 {
		return false
	}
	var all expr.Expr
	for i := range l.Args {
		e, err := Resolve(sql.Trino, "=", []expr.Expr{l.Args[i], r.Args[i]}, c.At)
		if err == nil && all != nil {
			e, err = Resolve(sql.Trino, "and", []expr.Expr{all, e}, c.At)
		}
		if err != nil {
			return false
		}
		all = e
	}
	and := all.(*expr.Call)
	c.Func, c.Args, c.T, c.Null = and.Func, and.Args, and.T, and.Null
	return true
}

func trinoLogical(c *expr.Call) error {
	for i, a := range c.Args {
		x, ok := CoerceIn(sql.Trino, a, types.Of(types.Boolean))
		if !ok {
			if c.Func.Name == "not" {
				return errclass.TrinoTypeOf("Value of logical NOT expression must evaluate to a boolean", a.Type()).At(a.Span())
			}
			return errclass.TrinoTypeOf("Logical expression term must evaluate to a boolean", a.Type()).At(a.Span())
		}
		c.Args[i] = x
	}
	c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
	return nil
}

func trinoNegate(c *expr.Call) error {
	t := c.Args[0].Type()
	if !t.IsNumeric() && !interval(t) {
		sign := "-"
		if c.Func.Name == "positive" {
			sign = "+"
		}
		return errclass.TrinoUnary(sign, t)
	}
	c.T, c.Null = t, c.Args[0].Nullable()
	return nil
}

func printTrinoNegative(c *expr.Call, a []string) string {
	if !c.T.IsIntegral() {
		return "(-(" + a[0] + "))"
	}
	least := leastOf[c.T.Kind]
	if v, ok := constant(c.Args[0]); ok {
		if n, whole := v.(int64); whole && strconv.FormatInt(n, 10) != least && n != math.MinInt64 {
			return typedAs(c.T, "(-("+a[0]+"))")
		}
	}
	return let(a[0], func(v string) string {
		return "CASE WHEN " + v + " = " + least + " THEN " + trinoFail(c, "NUMERIC_VALUE_OUT_OF_RANGE", quote(c.T.Trino()+" negation overflow: ")+" || CAST("+v+" AS VARCHAR)") + " ELSE " + typedAs(c.T, "-("+v+")") + " END"
	})
}

func trinoIn(c *expr.Call) error {
	to, ok := CommonType(sql.Trino, argTypes(c)...)
	if !ok {
		return errclass.TrinoInTypes(argTypes(c))
	}
	trinoAll(c, to)
	c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
	return nil
}

func trinoBetween(c *expr.Call) error {
	to, ok := CommonType(sql.Trino, argTypes(c)...)
	if !ok {
		return errclass.TrinoBetweenTypes(argTypes(c))
	}
	trinoAll(c, to)
	c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
	return nil
}

func trinoLike(c *expr.Call) error {
	for i, what := range []string{"Left side of LIKE expression", "Pattern for LIKE expression", "Escape for LIKE expression"}[:len(c.Args)] {
		x, ok := CoerceIn(sql.Trino, c.Args[i], types.Of(types.String))
		if !ok {
			return errclass.TrinoTypeOf(what+" must evaluate to a varchar", c.Args[i].Type()).At(c.Args[i].Span())
		}
		c.Args[i] = x
	}
	c.T, c.Null = types.Of(types.Boolean), nullable(c.Args)
	return nil
}

func printTrinoLike(c *expr.Call, a []string) string {
	if len(a) < 3 {
		// Without ESCAPE a backslash stands for itself.
		if p, ok := constantString(c.Args[1]); ok && !containsByte(p, '\\') {
			return "(" + a[0] + " LIKE " + a[1] + ")"
		}
		return "(" + a[0] + " LIKE " + a[1] + " ESCAPE '')"
	}
	return letAll(a, []int{1, 2}, func(a []string) string {
		return "CASE WHEN length(" + a[2] + ") <> 1 THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(errclass.TrinoEscapeLength)) +
			" WHEN regexp_matches(replace(" + a[1] + ", " + a[2] + " || " + a[2] + ", ''), '\\Q' || " + a[2] + " || '\\E([^%_]|$)', 's') THEN " +
			trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(errclass.TrinoEscapePlace)) + " ELSE " + a[0] + " LIKE " + a[1] + " ESCAPE " + a[2] + " END"
	})
}

func containsByte(s string, b byte) bool {
	for i := range len(s) {
		if s[i] == b {
			return true
		}
	}
	return false
}

// trinoConcat types || and concat of text, bytes and arrays, elements beside arrays among them.
func trinoConcat(name string) func(c *expr.Call) error {
	return func(c *expr.Call) error {
		c.Null = nullable(c.Args)
		ts := argTypes(c)
		for i, t := range ts {
			// NULL beside a single other argument counts as an array.
			if o := ts[len(ts)-1-i]; len(ts) == 2 && t.Kind == types.Null && o.Kind != types.Null && o.Kind != types.Char && o.Kind != types.Binary && o.Kind != types.Array {
				c.T = types.ArrayOf(o, true)
				c.Args[i] = trinoImplicit(c.Args[i], c.T)
				return nil
			}
			if t.Kind == types.Array {
				return trinoConcatArrays(c, name)
			}
		}
		kind := types.String
		for _, t := range ts {
			switch t.Kind {
			case types.Binary:
				kind = types.Binary
			case types.Char, types.String, types.Null:
			default:
				return trinoUnexpected(c, name)
			}
		}
		length, allBounded, anyChar := 0, true, false
		for _, t := range ts {
			if kind == types.Binary && t.Kind != types.Binary && t.Kind != types.Null {
				return trinoUnexpected(c, name)
			}
			n, bounded := t.Length()
			length, allBounded, anyChar = length+n, allBounded && bounded, anyChar || t.Kind == types.Char
		}
		switch {
		case kind == types.Binary:
			c.T = types.Of(types.Binary)
		case anyChar && allBounded && len(ts) == 2:
			c.T = types.CharOf(length)
			for i, a := range c.Args {
				if t := a.Type(); t.Kind == types.String {
					n, _ := t.Length()
					c.Args[i] = trinoImplicit(a, types.CharOf(n))
				}
			}
		default:
			c.T = types.Of(types.String)
			trinoAll(c, c.T)
		}
		return nil
	}
}

func trinoConcatArrays(c *expr.Call, name string) error {
	var elem types.Type
	for _, a := range c.Args {
		t := a.Type()
		if t.Kind == types.Array {
			t = *t.Elem
		}
		var ok bool
		if elem, ok = trinoCommon(elem, t); !ok {
			return trinoUnexpected(c, name)
		}
	}
	c.T = types.ArrayOf(elem, true)
	for i, a := range c.Args {
		to := c.T
		if a.Type().Kind != types.Array {
			to = elem
		}
		if !a.Type().Equal(to) {
			c.Args[i] = trinoImplicit(a, to)
		}
	}
	return nil
}

func printTrinoConcat(c *expr.Call, a []string) string {
	if c.T.Kind != types.Array {
		parts := append([]string{}, a...)
		for i, x := range c.Args {
			// A char keeps its blanks, but for those at the end of the result.
			if c.T.Kind == types.Char && i < len(a)-1 {
				parts[i] = trinoText(x.Type(), a[i])
			}
		}
		return "(" + joinWith(parts, " || ") + ")"
	}
	parts := make([]string, len(a))
	for i, x := range c.Args {
		if parts[i] = a[i]; x.Type().Kind != types.Array {
			parts[i] = "[" + a[i] + "]"
		}
	}
	// NULL of an array makes all NULL; DuckDB's list_concat skips it.
	return letAll(parts, places(len(parts)), func(p []string) string {
		test := make([]string, len(p))
		for i := range p {
			test[i] = p[i] + " IS NULL"
		}
		return "CASE WHEN NOT (" + joinWith(test, " OR ") + ") THEN " + typedAs(c.T, "list_concat("+join(p)+")") + " END"
	})
}

func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func trinoSubscript(c *expr.Call) error {
	base, index := c.Args[0].Type(), c.Args[1].Type()
	c.Null = true
	switch base.Kind {
	case types.Null:
		c.T = base
		return nil
	case types.Array:
		x, ok := CoerceIn(sql.Trino, c.Args[1], types.Of(types.Long))
		if !ok {
			return errclass.TrinoSubscript(base, index)
		}
		c.Args[1], c.T = x, *base.Elem
		return nil
	case types.Map:
		x, ok := CoerceIn(sql.Trino, c.Args[1], *base.Key)
		if !ok {
			return errclass.TrinoSubscript(base, index)
		}
		c.Args[1], c.T = x, *base.Value
		return nil
	case types.Struct:
		v, ok := constant(c.Args[1])
		n, whole := v.(int64)
		switch {
		case !ok || !whole:
			return errclass.TrinoRowSubscript("Subscript expression on ROW requires a constant index").At(c.Args[1].Span())
		case n < 1:
			return errclass.TrinoRowSubscript("Invalid subscript index: " + itoa(int(n)) + ". ROW indices start at 1").At(c.Args[1].Span())
		case int(n) > len(base.Fields):
			return errclass.TrinoRowSubscript("Subscript index out of bounds: " + itoa(int(n)) + ", max value is " + itoa(len(base.Fields))).At(c.Args[1].Span())
		}
		c.T = base.Fields[n-1].Type
		return nil
	}
	return errclass.TrinoSubscript(base, index)
}

func printTrinoSubscript(c *expr.Call, a []string) string {
	switch c.Args[0].Type().Kind {
	case types.Null:
		return "NULL"
	case types.Struct:
		return "struct_extract_at(" + a[0] + ", " + a[1] + ")"
	case types.Map:
		return letAll(a, []int{0, 1}, func(a []string) string {
			return "CASE WHEN " + a[0] + " IS NULL OR " + a[1] + " IS NULL THEN NULL WHEN map_contains(" + a[0] + ", " + a[1] + ") THEN map_extract_value(" + a[0] + ", " + a[1] + ") ELSE " +
				trinoFail(c, "INVALID_FUNCTION_ARGUMENT", "'Key not present in map: ' || CAST("+a[1]+" AS VARCHAR)") + " END"
		})
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		fail := func(message string) string { return trinoFail(c, "INVALID_FUNCTION_ARGUMENT", message) }
		return "CASE WHEN " + a[0] + " IS NULL OR " + a[1] + " IS NULL THEN NULL WHEN " + a[1] + " = 0 THEN " + fail(quote("SQL array indices start at 1")) +
			" WHEN " + a[1] + " < 0 THEN " + fail("'Array subscript is negative: ' || CAST("+a[1]+" AS VARCHAR)") +
			" WHEN " + a[1] + " > len(" + a[0] + ") THEN " + fail("'Array subscript must be less than or equal to array length: ' || CAST("+a[1]+" AS VARCHAR) || ' > ' || CAST(len("+a[0]+") AS VARCHAR)") +
			" ELSE " + a[0] + "[" + a[1] + "] END"
	})
}

// TrinoRecursion is a condition that fails for the first row of a recursive query's step that comes too late.
func TrinoRecursion(depth int) string {
	message := "Recursion depth limit exceeded (" + itoa(depth) + "). Use 'max_recursion_depth' session property to modify the limit."
	return "CAST(" + trinoFail(&expr.Lit{}, "NOT_SUPPORTED", quote(message)) + " AS BOOLEAN)"
}

// trinoFail raises one of Trino's run-time errors; message is a DuckDB expression.
func trinoFail(x expr.Expr, name, message string) string {
	return Fail(x, "TRINO", quote(name), message)
}
