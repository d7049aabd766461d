package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// How arithmetic is said in DuckDB. Whole numbers use DuckDB's own operators, which notice an overflow but not where it was;
// Checked says the same with the place, for a second run that looks for the culprit.

type zeroTested struct{}

// noZero in a Call's Extra says that the divisor is never zero.
var noZero any = zeroTested{}

func printArithmetic(op string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		l, r := c.Args[0].Type(), c.Args[1].Type()
		switch {
		case c.T.Kind == types.DayTimeInterval && temporal(l):
			// Intervals travel as microseconds.
			return "(epoch_us(" + a[0] + "::TIMESTAMP) - epoch_us(" + a[1] + "::TIMESTAMP))"
		case c.T.Kind == types.CalendarInterval && (op == "*" || op == "/"):
			return scaleCalendar(c, op, a)
		case l.Kind == types.Date && r.Kind == types.CalendarInterval:
			return letAll(a, []int{0, 1}, func(a []string) string {
				return "CASE WHEN " + a[0] + " IS NOT NULL AND (hour(" + a[1] + ") <> 0 OR minute(" + a[1] + ") <> 0 OR microsecond(" + a[1] + ") <> 0) THEN CAST(" + Fail(c, "INVALID_INTERVAL_WITH_MICROSECONDS_ADDITION") + " AS DATE) ELSE CAST(" + a[0] + " " + op + " " + a[1] + " AS DATE) END"
			})
		case interval(c.T) && r.IsNumeric() && (op == "*" || op == "/"):
			return scaleInterval(c, op, a)
		case interval(l) && interval(r) && (op == "+" || op == "-") && c.Func.Dialect == sql.Spark:
			return addIntervals(c, op, a)
		case c.T.Kind == types.String:
			unit := "to_microseconds(" + a[1] + ")"
			switch r.Kind {
			case types.YearMonthInterval:
				unit = "to_months(" + a[1] + "::INTEGER)"
			case types.CalendarInterval:
				unit = a[1]
			}
			return textOf(types.Of(types.Timestamp), "("+a[0]+" "+op+" "+unit+")")
		case temporal(l) && r.Kind == types.DayTimeInterval:
			return typedAs(c.T, "("+typedAs(c.T, a[0])+" "+op+" to_microseconds("+a[1]+"))")
		case temporal(l) && r.Kind == types.YearMonthInterval:
			return typedAs(c.T, "("+a[0]+" "+op+" to_months("+a[1]+"::INTEGER))")
		case l.Kind == types.Date && r.IsIntegral() && c.Func.Dialect == sql.Spark:
			return addDays(c, op, a)
		case temporal(l):
			return typedAs(c.T, "("+a[0]+" "+op+" "+a[1]+")")
		case op == "/" || op == "%":
			return divide(c, op, a)
		case c.T.Kind == types.Decimal:
			return decimalOp(c, op, a)
		}
		return "(" + a[0] + " " + op + " " + a[1] + ")"
	}
}

// floorOf is how many whole units of n microseconds a time has, the next lower before 1970. DuckDB's division of whole numbers cuts off.
func floorOf(n string) string {
	return "((epoch_us($1) - CASE WHEN epoch_us($1) < 0 THEN " + n + " - 1 ELSE 0 END) // " + n + ")"
}

// addIntervals is + or - of two intervals of a kind. Months are an integer in Spark, microseconds a long.
func addIntervals(c *expr.Call, op string, a []string) string {
	narrow := "BIGINT"
	if c.T.Kind == types.YearMonthInterval {
		narrow = "INTEGER"
	}
	try := map[string]string{"+": "try_add", "-": "try_subtract"}[op]
	return letAll(a, []int{0, 1}, func(a []string) string {
		sum := "CAST(" + a[0] + " AS HUGEINT) " + op + " " + a[1]
		return "CAST(coalesce(TRY_CAST(" + sum + " AS " + narrow + "), CASE WHEN " + notNull(a) + " THEN CAST(" + Fail(&expr.Call{}, "INTERVAL_ARITHMETIC_OVERFLOW.WITH_SUGGESTION", quote(try)) + " AS " + narrow + ") END) AS BIGINT)"
	})
}

// addDays adds days to a date or takes them off. Days beyond what an integer counts wrap around, as Java's do.
func addDays(c *expr.Call, op string, a []string) string {
	near := func(a []string) string { return "CAST((" + a[0] + " " + op + " " + a[1] + ") AS DATE)" }
	if n, ok := constantInt(c.Args[1]); ok && n > -1e8 && n < 1e8 {
		return near(a)
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		return "CASE WHEN abs(CAST(" + a[1] + " AS BIGINT)) < 100000000 THEN " + near(a) + " ELSE DATE '1970-01-01' + spark_wrapped_int(CAST(" + a[0] + " - DATE '1970-01-01' AS BIGINT) " + op + " CAST(" + a[1] + " AS BIGINT)) END"
	})
}

// fullInterval is the type of an interval that was multiplied or divided.
func fullInterval(t types.Type) types.Type {
	switch t.Kind {
	case types.YearMonthInterval:
		return types.YearMonth(types.Year, types.Month)
	case types.CalendarInterval:
		return t
	}
	return types.DayTime(types.Day, types.Second)
}

func scaleInterval(c *expr.Call, op string, a []string) string {
	narrow, word := "BIGINT", "long"
	if c.T.Kind == types.YearMonthInterval {
		narrow, word = "INTEGER", "integer"
	}
	if op == "/" {
		return letAll(a, []int{1}, func(a []string) string {
			return "CASE WHEN " + a[1] + " = 0 AND " + a[0] + " IS NOT NULL THEN " + Fail(c, "INTERVAL_DIVIDED_BY_ZERO") + " ELSE " + let(a[0]+" / "+a[1], func(q string) string {
				why := quote("Overflow")
				if floating(c.Args[1].Type()) {
					why = "'rounded value is out of range for input ' || " + textOf(types.Of(types.Double), q) + " || ' and rounding mode HALF_UP'"
				}
				return "CAST(coalesce(TRY_CAST(round(" + q + ") AS " + narrow + "), CASE WHEN " + q + " IS NOT NULL THEN CAST(" + Fail(c, "JAVA.ArithmeticException", why) + " AS " + narrow + ") END) AS BIGINT)"
			}) + " END"
		})
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		product := a[0] + " * " + a[1]
		if c.Args[1].Type().IsIntegral() {
			product = "CAST(" + a[0] + " AS HUGEINT) * " + a[1]
		}
		return "CAST(coalesce(TRY_CAST(round(" + product + ") AS " + narrow + "), CASE WHEN " + notNull(a) + " THEN CAST(" + Fail(c, "JAVA.ArithmeticException", quote(word+" overflow")) + " AS " + narrow + ") END) AS BIGINT)"
	})
}

// decimalOp is + - * of decimals. DuckDB computes exactly as long as 38 digits hold every digit.
func decimalOp(c *expr.Call, op string, a []string) string {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	wide := l.Precision+r.Precision > maxPrecision
	if op != "*" {
		wide = max(l.Precision-l.Scale, r.Precision-r.Scale)+max(l.Scale, r.Scale)+1 > maxPrecision
	}
	if !wide {
		return typedAs(c.T, "("+a[0]+" "+op+" "+a[1]+")")
	}
	exact := func(a []string) string {
		return fitDecimal(c, op, a)
	}
	small, _, ok := smallDecimals(c.T, op, l, r, a)
	switch {
	case !ok:
		return exact(a)
	case tryable(a[0]) && tryable(a[1]):
		return "coalesce(TRY(" + small + "), " + exact(a) + ")"
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		small, when, _ := smallDecimals(c.T, op, l, r, a)
		return "CASE WHEN " + when + " THEN " + small + " ELSE " + exact(a) + " END"
	})
}

// tryable reports whether a text may stand in DuckDB's TRY, which takes neither volatile functions nor subqueries, and be repeated.
func tryable(x string) bool {
	for _, f := range []string{"error(", "spark_", "trino_", "random(", "uuid(", "SELECT "} {
		if strings.Contains(x, f) {
			return false
		}
	}
	return true
}

// smallDecimals is + - * of decimals whose types are too wide for DuckDB, for the values that are not, which in practice are all of
// them: when says which.
func smallDecimals(to types.Type, op string, l, r types.Type, a []string) (small, when string, ok bool) {
	pl, pr, scale := l.Precision, r.Precision, l.Scale+r.Scale
	if op == "*" {
		for pl+pr > maxPrecision {
			if pl >= pr {
				pl--
			} else {
				pr--
			}
		}
	} else {
		scale = max(l.Scale, r.Scale)
		whole := maxPrecision - 1 - scale
		pl, pr = min(pl, whole+l.Scale), min(pr, whole+r.Scale)
	}
	if pl <= l.Scale || pr <= r.Scale || scale > maxPrecision {
		return "", "", false
	}
	var tests []string
	narrow := func(x string, t types.Type, p int) string {
		if p == t.Precision {
			return x
		}
		bound := "1" + strings.Repeat("0", p-t.Scale)
		tests = append(tests, x+" > -"+bound+"::DECIMAL("+itoa(len(bound))+", 0)", x+" < "+bound+"::DECIMAL("+itoa(len(bound))+", 0)")
		return "CAST(" + x + " AS DECIMAL(" + itoa(p) + ", " + itoa(t.Scale) + "))"
	}
	small = typedAs(to, "("+narrow(a[0], l, pl)+" "+op+" "+narrow(a[1], r, pr)+")")
	return small, strings.Join(tests, " AND "), len(tests) > 0
}

// fitDecimal computes with decimals exactly, or says that the result does not fit the call's type.
func fitDecimal(c *expr.Call, op string, a []string) string {
	return letAll(a, []int{0, 1}, func(a []string) string {
		exact := func(scale int) string {
			return "spark_decimal('" + op + "', CAST(" + a[0] + " AS VARCHAR), CAST(" + a[1] + " AS VARCHAR), " + itoa(scale) + ")"
		}
		return "coalesce(TRY_CAST(" + exact(c.T.Scale) + " AS " + DuckType(c.T) + "), CASE WHEN " + exact(c.T.Scale) + " IS NOT NULL THEN " + Fail(c, outOfRange, exact(unrounded), itoaQuoted(c.T.Precision), itoaQuoted(c.T.Scale)) + " END)"
	})
}

const outOfRange = "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"

func itoaQuoted(n int) string { return quote(itoa(n)) }

// divide prints / and %, which fail on zero unless Trino divides floating-point numbers.
func divide(c *expr.Call, op string, a []string) string {
	if c.Func.Dialect == sql.Trino && floating(c.T) {
		return "(" + a[0] + " " + op + " " + a[1] + ")"
	}
	return zeroTest(c, "DIVIDE_BY_ZERO", a, func(a []string) string { return quotient(c, op, a) })
}

// zeroTest raises class if the second argument is zero and the first is there.
func zeroTest(c *expr.Call, class string, a []string, body func(a []string) string) string {
	if v, ok := constant(c.Args[1]); ok && v != nil && !zero(v) || c.Extra == noZero {
		return body(a)
	}
	bind := []int{1}
	test := func(a []string) string { return a[1] + " = 0" }
	if c.Args[0].Nullable() {
		bind = []int{0, 1}
		test = func(a []string) string { return a[1] + " = 0 AND " + a[0] + " IS NOT NULL" }
	}
	return letAll(a, bind, func(a []string) string {
		return "CASE WHEN " + test(a) + " THEN " + Fail(c, class) + " ELSE " + body(a) + " END"
	})
}

func quotient(c *expr.Call, op string, a []string) string {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	switch {
	case op == "/" && c.T.IsIntegral():
		return "(" + a[0] + " // " + a[1] + ")"
	case op == "/" && c.T.Kind == types.Decimal:
		return decimalQuotient(c, l, r, a)
	case c.T.Kind == types.Decimal:
		return decimalRest(c, l, r, a)
	}
	return "(" + a[0] + " " + op + " " + a[1] + ")"
}

// decimalRest is % of decimals by their digits: DuckDB's own goes through floating point.
func decimalRest(c *expr.Call, l, r types.Type, a []string) string {
	if l.Kind != types.Decimal || r.Kind != types.Decimal {
		return typedAs(c.T, "("+a[0]+" % "+a[1]+")")
	}
	s := max(l.Scale, r.Scale)
	if l.Precision-l.Scale+s+1 > maxPrecision || r.Precision-r.Scale+s+1 > maxPrecision || l.Precision+l.Scale > maxPrecision || r.Precision+r.Scale > maxPrecision {
		return fitDecimal(c, "%", a)
	}
	rest := "(" + unscaled(a[0], l, s-l.Scale, "HUGEINT") + " % " + unscaled(a[1], r, s-r.Scale, "HUGEINT") + ")"
	if s > c.T.Scale {
		rest = "(" + rest + " // 1" + strings.Repeat("0", s-c.T.Scale) + "::HUGEINT)"
	}
	return rescaled(c.T, rest)
}

// decimalQuotient divides the unscaled numbers as whole numbers of 128 bits and rounds half up: DuckDB's own division of decimals goes
// through floating point. Where that is too narrow, the exact function does it.
func decimalQuotient(c *expr.Call, l, r types.Type, a []string) string {
	k := c.T.Scale - l.Scale + r.Scale // the quotient of the unscaled numbers times 10^k is the unscaled result
	if k < 0 || l.Precision+k+1 > maxPrecision || l.Precision+l.Scale > maxPrecision || r.Precision+max(r.Scale, 1) > maxPrecision || c.T.Scale >= maxPrecision {
		return fitDecimal(c, "/", a)
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		// 18 digits fit a BIGINT, which divides several times faster.
		wide := "HUGEINT"
		if max(l.Precision+k, r.Precision)+1 <= 18 && l.Precision+l.Scale+1 <= 18 && r.Precision+r.Scale+1 <= 18 {
			wide = "BIGINT"
		}
		n := unscaled(a[0], l, k, wide)
		d := unscaled(a[1], r, 0, wide)
		q := "(2 * abs(" + n + ") + abs(" + d + ")) // (2 * abs(" + d + "))"
		sign := "CASE WHEN (" + a[0] + " < 0) = (" + a[1] + " < 0) THEN 1 ELSE -1 END"
		return rescaled(c.T, "("+q+") * "+sign)
	})
}

// unscaled is a decimal's digits as a whole number (BIGINT or HUGEINT), times 10^k.
func unscaled(s string, t types.Type, k int, whole string) string {
	d := s
	if t.Scale > 0 {
		room := maxPrecision
		if whole == "BIGINT" {
			room = t.Precision
		}
		d = "CAST(" + s + " AS DECIMAL(" + itoa(room) + ", " + itoa(t.Scale) + ")) * 1" + strings.Repeat("0", t.Scale) + "::DECIMAL(" + itoa(t.Scale+1) + ", 0)"
	}
	d = "CAST(" + d + " AS " + whole + ")"
	if k > 0 {
		d += " * 1" + strings.Repeat("0", k) + "::" + whole
	}
	return "(" + d + ")"
}

// rescaled makes a decimal of its digits.
func rescaled(t types.Type, digits string) string {
	if t.Scale == 0 {
		return typedAs(t, digits)
	}
	unit := "0." + strings.Repeat("0", t.Scale-1) + "1"
	room := maxPrecision
	if t.Precision+t.Scale+1 <= 18 {
		room = t.Precision
	}
	return typedAs(t, "CAST("+digits+" AS DECIMAL("+itoa(room)+", 0)) * "+unit+"::DECIMAL("+itoa(t.Scale+1)+", "+itoa(t.Scale)+")")
}

func integralDivision(c *expr.Call, a []string) string {
	return zeroTest(c, "DIVIDE_BY_ZERO", a, func(a []string) string {
		if t := c.Args[0].Type(); t.IsIntegral() || interval(t) || t.Kind == types.Null {
			return "(" + a[0] + " // " + a[1] + ")"
		}
		return letAll(a, []int{0, 1}, func(a []string) string {
			// Without the remainder the quotient is whole: no rounding can reach it.
			quotient := func(op string) string {
				return "spark_decimal('" + op + "', CAST(" + a[0] + " AS VARCHAR), CAST(" + a[1] + " AS VARCHAR), 0)"
			}
			good := "TRY_CAST(" + quotient("//") + " AS BIGINT)"
			l, r := c.Args[0].Type(), c.Args[1].Type()
			if l.Kind != types.Decimal || r.Kind != types.Decimal || c.Func.Dialect == sql.Trino {
				return "coalesce(" + good + ", CASE WHEN " + notNull(a) + " THEN CAST(" + Fail(c, "ARITHMETIC_OVERFLOW", "'long'", "''") + " AS BIGINT) END)"
			}
			// Spark checks the quotient as a decimal and then takes its lowest 64 bits.
			p := itoa(min(max(l.Precision-l.Scale+r.Scale, 1), maxPrecision))
			return "coalesce(" + good + ", CASE WHEN " + notNull(a) + " THEN CASE WHEN TRY_CAST(" + quotient("//") + " AS DECIMAL(" + p + ", 0)) IS NULL THEN " +
				Fail(c, outOfRange, quotient("//"), quote(p), "'0'") + " ELSE CAST(" + quotient("//low") + " AS BIGINT) END END)"
		})
	})
}

// printNegative keeps the sign off another one: -- begins a comment.
func printNegative(_ *expr.Call, a []string) string { return "(- " + a[0] + ")" }

// prettyNegative tells the function from the operator, which the analyzer calls "-".
func prettyNegative(c *expr.Call, a []string) string {
	if strings.EqualFold(c.Name, "negative") {
		return "negative(" + a[0] + ")"
	}
	return "(- " + a[0] + ")"
}

// Checked prints + - * and negation of whole numbers so that an overflow is reported with its place; false for all other calls.
func Checked(c *expr.Call, a []string) (string, bool) {
	if c.Func.Dialect == sql.Trino {
		return trinoChecked(c, a)
	}
	if keys := madeKeys(c, a); keys != "" {
		return let(keys, func(k string) string {
			twice := "list_filter(" + k + ", lambda _x, _i: _x IS NOT NULL AND list_position(" + k + ", _x) < _i)"
			return "CASE WHEN len(" + twice + ") > 0 THEN " + typedAs(c.T, Fail(c, "DUPLICATED_MAP_KEY", keyText(*c.T.Key, twice+"[1]"))) + " ELSE " + c.Func.Duck(c, a) + " END"
		}), true
	}
	if !c.T.IsIntegral() || len(a) == 2 && (!c.Args[0].Type().IsIntegral() || !c.Args[1].Type().IsIntegral()) {
		return "", false
	}
	wide := func(s string) string { return "CAST(" + s + " AS HUGEINT)" }
	var s string
	switch c.Func.Name {
	case "+", "-", "*":
		s = "(" + wide(a[0]) + " " + c.Func.Name + " " + wide(a[1]) + ")"
	case "negative":
		s = "(-" + wide(a[0]) + ")"
	case "abs":
		s = "abs(" + wide(a[0]) + ")"
	default:
		return "", false
	}
	if k := c.T.Kind; k == types.Byte || k == types.Short {
		if len(a) == 2 {
			op := map[string]string{"+": "try_add", "-": "try_subtract", "*": "try_multiply"}[c.Func.Name]
			l, r := "CAST("+a[0]+" AS VARCHAR) || 'S'", "CAST("+a[1]+" AS VARCHAR) || 'S'" // S is Spark's mark for bytes, too
			return let(s, func(v string) string {
				return "coalesce(TRY_CAST(" + v + " AS " + DuckType(c.T) + "), CASE WHEN " + v + " IS NOT NULL THEN " + Fail(c, "BINARY_ARITHMETIC_OVERFLOW", l, quote(c.Func.Name), r, quote(op)) + " END)"
			}), true
		}
	}
	op := map[string]string{"+": "try_add", "-": "try_subtract", "*": "try_multiply"}[c.Func.Name]
	return let(s, func(v string) string {
		return "coalesce(TRY_CAST(" + v + " AS " + DuckType(c.T) + "), CASE WHEN " + v + " IS NOT NULL THEN " + Fail(c, "ARITHMETIC_OVERFLOW", quote(c.T.TypeName()), quote(op)) + " END)"
	}), true
}
