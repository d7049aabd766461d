package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// upperName shows a function in capitals in generated names, as Spark does with its unary math.
func upperName(f *expr.Func) *expr.Func {
	name := map[string]string{"power": "POWER"}[f.Name]
	if name == "" {
		name = upperASCII(f.Name)
	}
	return shown(name, f)
}

func upperASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 32
		}
	}
	return string(b)
}

func init() {
	dbl := func(name, doc, duck string) *expr.Func { return row(name+"(expr)", "double -> double?", doc, duck) }
	// Outside of their domain these are NaN or an infinity, where DuckDB raises an error.
	domain := func(test, inside, outside string) string {
		return "(CASE WHEN " + test + " THEN " + inside + " ELSE " + outside + " END)"
	}
	nan := "CASE WHEN $1 IS NOT NULL THEN 'nan'::DOUBLE END"
	math := []*expr.Func{
		upperName(dbl("sqrt", "square root", domain("$1 >= 0", "sqrt($1)", nan))), upperName(dbl("cbrt", "cube root", "spark_cbrt($1)")),
		upperName(dbl("exp", "e to the power of expr", "exp($1)")), upperName(dbl("degrees", "radians as degrees", "degrees($1)")), upperName(dbl("radians", "degrees as radians", "radians($1)")),
		upperName(dbl("sin", "sine", domain("isfinite($1)", "sin($1)", nan))), upperName(dbl("cos", "cosine", domain("isfinite($1)", "cos($1)", nan))), upperName(dbl("tan", "tangent", domain("isfinite($1)", "tan($1)", nan))),
		upperName(dbl("sinh", "hyperbolic sine", "sinh($1)")), upperName(dbl("cosh", "hyperbolic cosine", "cosh($1)")), upperName(dbl("tanh", "hyperbolic tangent", "tanh($1)")),
		upperName(dbl("asin", "arc sine", domain("abs($1) <= 1", "asin($1)", nan))), upperName(dbl("acos", "arc cosine", domain("abs($1) <= 1", "acos($1)", nan))), upperName(dbl("atan", "arc tangent", "atan($1)")),
		upperName(row("atan2(y, x)", "double, double -> double", "angle of a point", "atan2($1, $2)")),
		row("pi()", "-> double!", "π", "pi()"), row("e()", "-> double!", "e", "2.718281828459045::DOUBLE"),
	}
	both(math...)
	both(
		ruled("abs(expr)", "absolute value", absRule, printAbs),
		ruled("mod(a, b)", "remainder of a / b", func(c *expr.Call) error {
			if len(c.Args) != 2 {
				return errclass.WrongNumArgs("mod", "2", len(c.Args))
			}
			return resolveArithmetic(c.Func.Dialect, "%", c)
		}, printArithmetic("%")),
		bucketRow("(CASE WHEN $1 IS NULL OR $2 IS NULL OR $3 IS NULL THEN NULL WHEN $4 <= 0 OR $4 = 9223372036854775807 OR $2 = $3 THEN NULL WHEN $2 < $3 THEN CASE WHEN $1 < $2 THEN 0 WHEN $1 >= $3 THEN $4 + 1 ELSE CAST(floor($4 * ($1 - $2) / ($3 - $2)) AS BIGINT) + 1 END WHEN $1 > $2 THEN 0 WHEN $1 <= $3 THEN $4 + 1 ELSE CAST(floor($4 * ($2 - $1) / ($2 - $3)) AS BIGINT) + 1 END)"),
	)
	spark(
		upperName(also(row("power(base, exponent)", "double, double -> double", "base to the power of exponent", "spark_pow($1, $2)"))),
		row("pow(base, exponent)", "double, double -> double", "base to the power of exponent", "spark_pow($1, $2)"),
		dbl("ln", "natural logarithm; NULL where there is none", domain("$1 > 0", "ln($1)", "NULL")),
		upperName(dbl("log10", "logarithm to base 10", domain("$1 > 0", "log10($1)", "NULL"))), upperName(dbl("log2", "logarithm to base 2", domain("$1 > 0", "(ln($1) / ln(2))", "NULL"))),
		upperName(dbl("log1p", "ln(1 + expr)", "spark_log1p($1)")), upperName(dbl("expm1", "exp(expr) - 1", "spark_expm1($1)")),
		logRow(row("log([base, ]expr)", "double, double? -> double?", "logarithm to base (default e)", domain("$1 > 0", "ln($1)", "NULL"), "(CASE WHEN $1 > 0 AND $2 > 0 THEN ln($2) / ln($1) END)")),
		upperName(dbl("asinh", "inverse hyperbolic sine", domain("isinf($1)", "$1", "(CASE WHEN $1 + sqrt($1 * $1 + 1) = 0 THEN '-inf'::DOUBLE ELSE ln($1 + sqrt($1 * $1 + 1)) END)"))), upperName(dbl("acosh", "inverse hyperbolic cosine", domain("abs($1) >= 1", "(CASE WHEN $1 + sqrt($1 * $1 - 1) = 0 THEN '-inf'::DOUBLE WHEN $1 + sqrt($1 * $1 - 1) < 0 THEN "+nan+" ELSE ln($1 + sqrt($1 * $1 - 1)) END)", nan))),
		upperName(dbl("atanh", "inverse hyperbolic tangent", domain("abs($1) < 1", "atanh($1)", domain("$1 = 1", "'inf'::DOUBLE", domain("$1 = -1", "'-inf'::DOUBLE", nan))))),
		upperName(dbl("cot", "cotangent", domain("isfinite($1)", "(1 / tan($1))", nan))), upperName(dbl("csc", "cosecant", domain("isfinite($1)", "(1 / sin($1))", nan))), upperName(dbl("sec", "secant", domain("isfinite($1)", "(1 / cos($1))", nan))),
		dbl("rint", "the nearest whole number, half even, as a double", "round_even($1, 0)"),
		upperName(row("hypot(a, b)", "double, double -> double", "length of the hypotenuse", "spark_hypot($1, $2)")),
		signRow("sign"), upperName(signRow("signum")),
		floorRow("floor", "largest whole number not above x"), also(floorRow("ceil", "smallest whole number not below x")), also(floorRow("ceiling", "smallest whole number not below x")),
		roundRow("round", "x rounded half up"), roundRow("bround", "x rounded half even"),
		ruled("pmod(a, b)", "remainder of a / b, with b's sign", pmodRule, printPmod),
		row("factorial(n)", "int -> long?", "n!, for 0 to 20", "(CASE WHEN $1 BETWEEN 0 AND 20 THEN CAST(factorial($1) AS BIGINT) END)"),
		row("bin(n)", "long -> string", "n in binary", "to_binary($1)"),
		printed("conv(num, from, to)", "string, int, int -> string?", "a number written in another base", func(c *expr.Call, a []string) string {
			return let("spark_conv("+join(a)+")", func(v string) string {
				return "CASE WHEN " + v + " = '!' THEN " + Fail(c, "CONV_OVERFLOW") + " ELSE " + v + " END"
			})
		}),
		shift("shiftleft", "<<", "bits moved left"), shift("shiftright", ">>", "bits moved right, the sign kept"), shift("shiftrightunsigned", ">>>", "bits moved right, zeros from the left"),
		printed("bit_count(n)", "bits -> int", "number of bits set", func(c *expr.Call, a []string) string {
			if c.Args[0].Type().Kind == types.Boolean {
				return "CAST(" + a[0] + " AS INTEGER)"
			}
			return "CAST(bit_count(CAST(" + a[0] + " AS BIGINT)) AS INTEGER)"
		}),
		also(printed("bit_get(n, place)", "whole, int -> tinyint", "the bit at a place, from 0", func(c *expr.Call, a []string) string {
			width := map[types.Kind]string{types.Byte: "8", types.Short: "16", types.Int: "32", types.Long: "64"}[c.Args[0].Type().Kind]
			return letAll(a, []int{0, 1}, func(a []string) string {
				return "CASE WHEN " + a[1] + " NOT BETWEEN 0 AND " + width + " - 1 AND " + a[0] + " IS NOT NULL THEN CAST(" + Fail(c, "INVALID_PARAMETER_VALUE.BIT_POSITION_RANGE", "'bit_get'", quote(width), "CAST("+a[1]+" AS VARCHAR)") + " AS TINYINT) ELSE CAST((CAST(" + a[0] + " AS BIGINT) >> " + a[1] + ") & 1 AS TINYINT) END"
			})
		}), "getbit"),
		row("isnan(expr)", "real -> boolean!", "true if expr is NaN", "coalesce(isnan($1), false)"),
		ruled("nanvl(a, b)", "b if a is NaN, else a", func(c *expr.Call) error {
			if err := parseRule("real, real -> double").resolve(c); err != nil {
				return err
			}
			c.T = commonNumber(sql.Spark, c.Args[0].Type(), c.Args[1].Type())
			coerceAll(c, c.T)
			return nil
		}, tmpl("(CASE WHEN isnan($1) THEN $2 ELSE $1 END)")),
		tryOperator("try_add", "+", "a + b, NULL on overflow"), tryOperator("try_subtract", "-", "a - b, NULL on overflow"), tryOperator("try_multiply", "*", "a * b, NULL on overflow"),
		tryOperator("try_divide", "/", "a / b, NULL if b is 0"), tryOperator("try_mod", "%", "remainder, NULL if b is 0"),
	)
	upperName(Lookup(sql.Spark, "pi"))
	upperName(Lookup(sql.Spark, "e"))
	randomFunctions()
	trino(
		row("power(x, p)", "double, double -> double", "x to the power of p", "pow($1, $2)"), row("pow(x, p)", "double, double -> double", "x to the power of p", "pow($1, $2)"),
		row("ln(x)", "double -> double", "natural logarithm", domain("$1 > 0", "ln($1)", domain("$1 = 0", "'-inf'::DOUBLE", nan))),
		row("log10(x)", "double -> double", "logarithm to base 10", domain("$1 > 0", "log10($1)", domain("$1 = 0", "'-inf'::DOUBLE", nan))),
		row("log2(x)", "double -> double", "logarithm to base 2", domain("$1 > 0", "log2($1)", domain("$1 = 0", "'-inf'::DOUBLE", nan))),
		row("log(b, x)", "double, double -> double", "logarithm to base b", "(ln($2) / ln($1))"),
		ruled("sign(x)", "-1, 0 or 1, of x's type", typing("number -> void", argType(0)), func(c *expr.Call, a []string) string { return typedAs(c.T, "sign("+a[0]+")") }),
		floorRow("floor", "largest whole number not above x"), also(floorRow("ceil", "smallest whole number not below x"), "ceiling"),
		roundRow("round", "x rounded half up"),
		row("truncate(x)", "double -> double", "x without its fraction", "trunc($1)"),
		row("is_nan(x)", "double -> boolean", "true if x is NaN", "isnan($1)"), row("is_finite(x)", "double -> boolean", "true unless x is NaN or infinite", "isfinite($1)"), row("is_infinite(x)", "double -> boolean", "true if x is infinite", "isinf($1)"),
		row("infinity()", "-> double!", "positive infinity", "'inf'::DOUBLE"), row("nan()", "-> double!", "NaN", "'nan'::DOUBLE"),
		also(nondeterministic(row("rand()", "-> double!", "a random number from 0 to 1", "random()")), "random"),
		row("bitwise_and(a, b)", "long, long -> long", "bits set in both", "($1 & $2)"), row("bitwise_or(a, b)", "long, long -> long", "bits set in one", "($1 | $2)"),
		row("bitwise_xor(a, b)", "long, long -> long", "bits set in exactly one", "xor($1, $2)"), row("bitwise_not(a)", "long -> long", "bits turned over", "(~$1)"),
		row("to_base(x, radix)", "long, int -> string", "x in another base", "spark_to_base($1, $2)"), row("from_base(text, radix)", "string, int -> long", "a number written in a base", "spark_from_base($1, $2)"),
	)
	mathUDFs()
}

// signRow is sign of a number or an interval.
func signRow(name string) *expr.Func {
	return ruled(name+"(expr)", "-1.0, 0.0 or 1.0", func(c *expr.Call) error {
		if err := one(c); err != nil {
			return err
		}
		c.T, c.Null = types.Of(types.Double), true
		if interval(c.Args[0].Type()) {
			return nil
		}
		x, ok := coerceArg(c, c.Args[0], c.T)
		if !ok {
			return errclass.UnexpectedInputTypes(name, 1, c.Args[0].Type(), doubleOrInterval)
		}
		c.Args[0] = x
		return nil
	}, tmpl("(CASE WHEN $1 = 0 OR isnan($1::DOUBLE) THEN $1::DOUBLE ELSE CAST(sign($1) AS DOUBLE) END)"))
}

const doubleOrInterval = `("DOUBLE" or "INTERVAL YEAR TO MONTH" or "INTERVAL DAY TO SECOND")`

// bucketRow is width_bucket of numbers, or of intervals of a kind.
func bucketRow(duck string) *expr.Func {
	return ruled("width_bucket(x, low, high, n)", "number of x's bucket, of n equal ones", func(c *expr.Call) error {
		if len(c.Args) != 4 {
			return errclass.WrongNumArgs("width_bucket", "4", len(c.Args))
		}
		kind, differ := types.Null, false
		for i, a := range c.Args[:3] {
			t := a.Type()
			if !interval(t) {
				x, ok := coerceArg(c, a, types.Of(types.Double))
				if !ok {
					return errclass.UnexpectedInputTypes("width_bucket", i+1, t, doubleOrInterval)
				}
				c.Args[i] = x
				t = x.Type()
			}
			differ = differ || kind != types.Null && kind != t.Kind
			kind = t.Kind
		}
		x, ok := coerceArg(c, c.Args[3], types.Of(types.Long))
		if !ok {
			return errclass.UnexpectedInputType("width_bucket", 4, c.Args[3].Type(), types.Of(types.Long))
		}
		if differ {
			return errclass.DataDiffTypes("width_bucket", argTypes(c)[:3])
		}
		c.Args[3] = x
		c.T, c.Null = types.Of(types.Long), true
		return nil
	}, tmpl(duck))
}

// logRow names the form with a base in capitals, as Spark does.
func logRow(f *expr.Func) *expr.Func {
	f.Pretty = func(_ *expr.Call, a []string) string {
		if len(a) == 2 {
			return "LOG(" + join(a) + ")"
		}
		return "LOG(E(), " + a[0] + ")"
	}
	return f
}

func absRule(c *expr.Call) error {
	if len(c.Args) == 1 && interval(c.Args[0].Type()) {
		c.T, c.Null = c.Args[0].Type(), c.Args[0].Nullable()
		return nil
	}
	r := parseRule("number -> same")
	r.params[0].text = numericOrInterval
	return r.resolve(c)
}

func printAbs(_ *expr.Call, a []string) string { return "abs(" + a[0] + ")" }

// floorRow is floor and ceil: bigint, or a decimal; with a number of decimals, a decimal.
func floorRow(name, doc string) *expr.Func {
	duck := map[string]string{"floor": "floor", "ceil": "ceil", "ceiling": "ceil"}[name]
	f := ruled(name+"(x[, scale])", doc, func(c *expr.Call) error {
		defer func() { c.Null = true }()
		if len(c.Args) == 2 {
			c.Args = append([]expr.Expr{}, c.Args...)
			n, ok := constantInt(c.Args[1])
			if !ok || c.Args[1].Type().Kind != types.Int {
				return errclass.NonFoldableArgument(name, "scale", types.Of(types.Int))
			}
			x := c.Args[0]
			if err := parseRule("rounded, int -> same").resolve(c); err != nil {
				return err
			}
			if k := x.Type().Kind; k == types.String || k == types.Null {
				x = c.Args[0]
			}
			t := decimalOfType(x.Type())
			s := min(max(n, 0), t.Scale)
			p := max(t.Precision-t.Scale+1, -n+1) + s
			c.Args[0] = toDecimal(x, t)
			c.T, c.Extra = bounded(p, s), n
			return nil
		}
		if len(c.Args) != 1 {
			return errclass.WrongNumArgs(name, "2", len(c.Args))
		}
		return typing("rounded -> void", whole)(c)
	}, func(c *expr.Call, a []string) string {
		if n, ok := c.Extra.(int); ok {
			if n >= c.Args[0].Type().Scale {
				return typedAs(c.T, a[0]) // there is nothing to cut
			}
			if n >= 0 {
				return typedAs(c.T, duck+"("+a[0]+" * "+power10(n)+") / "+power10(n))
			}
			return typedAs(c.T, duck+"("+a[0]+" / "+power10(-n)+") * "+power10(-n))
		}
		if c.Args[0].Type().IsIntegral() {
			return typedAs(c.T, a[0])
		}
		if floating(c.Args[0].Type()) && c.T.Kind == types.Long {
			return let(a[0], func(v string) string {
				return "CASE WHEN isnan(" + v + ") THEN 0 WHEN " + v + " >= 9.223372036854775807e18 THEN 9223372036854775807 WHEN " + v + " <= -9.223372036854775808e18 THEN -9223372036854775807 - 1 ELSE CAST(" + duck + "(" + v + ") AS BIGINT) END"
			})
		}
		return typedAs(c.T, duck+"("+a[0]+")")
	})
	f.Pretty = func(c *expr.Call, a []string) string {
		if len(a) == 2 || name == "ceiling" {
			return name + "(" + join(a) + ")"
		}
		return upperASCII(name) + "(" + a[0] + ")"
	}
	return f
}

func power10(n int) string {
	return "1" + strings.Repeat("0", min(n, maxPrecision)) + "::DECIMAL(38, 0)"
}

// whole is the type of floor and ceil.
func whole(c *expr.Call) types.Type {
	t := c.Args[0].Type()
	if t.Kind == types.Decimal {
		if t.Scale == 0 && c.Func.Dialect == sql.Spark {
			return t
		}
		if c.Func.Dialect == sql.Trino {
			return types.DecimalOf(min(t.Precision-t.Scale+min(t.Scale, 1), maxPrecision), 0)
		}
		return types.DecimalOf(min(t.Precision-t.Scale+1, maxPrecision), 0)
	}
	if c.Func.Dialect == sql.Trino {
		return t
	}
	return types.Of(types.Long)
}

func roundRow(name, doc string) *expr.Func {
	f := ruled(name+"(x[, scale])", doc, func(c *expr.Call) error {
		n := 0
		if len(c.Args) > 0 {
			if k := c.Args[0].Type(); !k.IsNumeric() && k.Kind != types.String && k.Kind != types.Null {
				return parseRule("number, int? -> void").resolve(c)
			}
		}
		if len(c.Args) == 2 {
			v, _, ok := constantNumber(c.Args[1])
			if k, whole := constantInt(c.Args[1]); !ok && whole {
				v, ok = float64(k), true
			}
			if t := c.Args[1].Type(); t.Kind != types.String && t.Kind != types.Null && !t.IsNumeric() {
				return errclass.UnexpectedInputType(name, 2, t, types.Of(types.Int))
			}
			if !ok {
				return errclass.NonFoldableInput("scale", 2, types.Of(types.Int))
			}
			n = int(v)
		}
		c.Extra = n
		err := typing("number, int? -> void", roundType)(c)
		c.Null = true
		return err
	}, func(c *expr.Call, a []string) string {
		n := c.Extra.(int)
		if len(a) == 2 {
			if _, null, _ := constantNumber(c.Args[1]); null {
				return typedAs(c.T, "NULL")
			}
		}
		fn := map[string]string{"round": "round", "bround": "round_even"}[name]
		t := c.Args[0].Type()
		switch {
		case t.IsIntegral() && n >= 0:
			return a[0]
		case t.IsIntegral() && c.Func.Dialect == sql.Spark:
			return let(a[0], func(v string) string {
				return "coalesce(TRY_CAST(" + fn + "(CAST(" + v + " AS DECIMAL(38, 0)), " + itoa(n) + ") AS " + DuckType(t) + "), CASE WHEN " + v + " IS NOT NULL THEN CAST(" + Fail(c, "ARITHMETIC_OVERFLOW", "''", "''") + " AS " + DuckType(t) + ") END)"
			})
		case t.Kind == types.Decimal && name == "bround" && t.Precision > 15: // DuckDB's goes through floating point
			return typedAs(c.T, "spark_bround_decimal(CAST("+a[0]+" AS VARCHAR), "+itoa(n)+")")
		case floating(t) && name == "bround":
			return typedAs(c.T, "spark_bround(CAST("+a[0]+" AS DOUBLE), "+itoa(n)+")")
		case floating(t) && n <= 0 && t.Kind == types.Double:
			return "(round(" + a[0] + ", " + itoa(n) + ") + 0)" // 0 in place of -0
		case floating(t) && n > 15:
			return typedAs(c.T, "spark_round("+textOf(types.Of(types.Double), "CAST("+a[0]+" AS DOUBLE)")+", "+itoa(n)+")")
		case floating(t):
			// Spark rounds the shortest decimal text of the number; DuckDB the binary value. They differ only near a tie.
			scale := power10(n)[:n+1]
			return let(a[0], func(v string) string {
				d := "CAST(" + v + " AS DOUBLE)"
				return typedAs(c.T, "CASE WHEN abs("+v+") < 1e9 AND abs(abs("+d+" * "+scale+") % 1 - 0.5) > 1e-4 THEN round("+d+", "+itoa(n)+") ELSE spark_round("+textOf(types.Of(types.Double), d)+", "+itoa(n)+") END")
			})
		}
		return typedAs(c.T, fn+"("+a[0]+", "+itoa(n)+")")
	})
	return defaults(2, f, "0")
}

// roundType is the type of round and bround.
func roundType(c *expr.Call) types.Type {
	t := c.Args[0].Type()
	if t.Kind != types.Decimal {
		return t
	}
	n := c.Extra.(int)
	if c.Func.Dialect == sql.Trino {
		if len(c.Args) == 1 {
			return types.DecimalOf(min(t.Precision-t.Scale+min(t.Scale, 1), maxPrecision), 0)
		}
		return types.DecimalOf(min(t.Precision+1, maxPrecision), t.Scale)
	}
	digits := t.Precision - t.Scale + 1
	if n < 0 {
		return types.DecimalOf(min(max(digits, -n+1), maxPrecision), 0)
	}
	s := min(n, t.Scale)
	return types.DecimalOf(min(digits+s, maxPrecision), s)
}

func pmodRule(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs("pmod", "2", len(c.Args))
	}
	return resolveArithmetic(sql.Spark, "%", c)
}

func printPmod(c *expr.Call, a []string) string {
	return letAll(a, []int{0, 1}, func(a []string) string {
		r := quotient(c, "%", a)
		return "CASE WHEN " + a[1] + " = 0 AND " + a[0] + " IS NOT NULL THEN " + Fail(c, "DIVIDE_BY_ZERO") +
			" ELSE " + typedAs(c.T, "CASE WHEN "+r+" < 0 THEN ("+r+" + "+a[1]+") % "+a[1]+" ELSE "+r+" END") + " END"
	})
}

// shift moves bits; the distance counts modulo the type's width, as in Java.
func shift(name, op, doc string) *expr.Func {
	f := ruled(name+"(n, bits)", doc, func(c *expr.Call) error {
		if len(c.Args) != 2 {
			return errclass.WrongNumArgs(name, "2", len(c.Args))
		}
		if k := c.Args[0].Type().Kind; k != types.Long {
			x, ok := coerceArg(c, c.Args[0], types.Of(types.Int))
			if !ok {
				return errclass.UnexpectedInputTypes(name, 1, c.Args[0].Type(), `("INT" or "BIGINT")`)
			}
			c.Args[0] = x
		}
		x, ok := coerceArg(c, c.Args[1], types.Of(types.Int))
		if !ok {
			return errclass.UnexpectedInputType(name, 2, c.Args[1].Type(), types.Of(types.Int))
		}
		c.Args[1] = x
		c.T, c.Null = c.Args[0].Type(), nullable(c.Args)
		return nil
	}, func(c *expr.Call, a []string) string {
		bits := "32"
		if c.T.Kind == types.Long {
			bits = "64"
		}
		return typedAs(c.T, "spark_shift('"+op+"', CAST("+a[0]+" AS BIGINT), "+a[1]+", "+bits+")")
	})
	f.Aliases = []string{op}
	f.Pretty = func(c *expr.Call, a []string) string {
		if c.Name == op {
			return "(" + a[0] + " " + op + " " + a[1] + ")"
		}
		return name + "(" + join(a) + ")"
	}
	return f
}

// tryOperator is an operator that gives NULL in place of an error.
func tryOperator(name, op, doc string) *expr.Func {
	f := known(op, ruled(name+"(a, b)", doc, func(c *expr.Call) error {
		if len(c.Args) != 2 {
			return errclass.WrongNumArgs(name, "2", len(c.Args))
		}
		first, second := c.Args[0], c.Args[1]
		texts := first.Type().Kind == types.String || c.Args[1].Type().Kind == types.String
		err := resolveArithmetic(sql.Spark, op, c)
		for i, x := range c.Args { // DuckDB computes a constant before TRY
			if k, ok := x.(*expr.Cast); ok && k.Implicit && k.X.Type().Kind == types.String {
				try := *k
				try.Try, try.Null = true, true
				c.Args[i] = &try
			}
		}
		c.Null, c.Extra = true, tried{texts: texts, swapped: c.Args[0] != first && (c.Args[1] == first || c.Args[0] == second)}
		return err
	}, func(c *expr.Call, a []string) string {
		if c.Extra.(tried).texts {
			// Where it is not about numbers alone, whatever fails is NULL.
			return tolerate(printArithmetic(op)(c, a))
		}
		if op == "/" || op == "%" {
			a = []string{a[0], "nullif(" + a[1] + ", 0)"}
			d := *c
			d.Extra = noZero
			return letAll(a, []int{0, 1}, func(a []string) string { return tolerate(printArithmetic(op)(&d, a)) })
		}
		// An error of an argument is no affair of TRY.
		return letAll(a, []int{0, 1}, func(a []string) string { return tolerate(printArithmetic(op)(c, a)) })
	}))
	f.Pretty = func(c *expr.Call, a []string) string {
		if t, ok := c.Extra.(tried); ok && t.swapped {
			a = []string{a[1], a[0]}
		}
		return strings.ToLower(c.Name) + "(" + join(a) + ")"
	}
	return f
}

// tried is what the printer of a tolerant operator has to know: whether text is among its sides, and whether the rules changed sides.
type tried struct{ texts, swapped bool }
