package functions

import (
	"math"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's mathematical functions ("Mathematical functions and operators", "Bitwise functions").

func init() {
	for _, n := range []string{"cbrt", "exp", "atan", "sinh", "cosh", "tanh", "degrees", "radians"} {
		trino(tr(n, n+" of a number", n+"($1)"))
	}
	for _, n := range []string{"sin", "cos", "tan"} { // of an infinity DuckDB has none
		trino(tr(n, n+" of a number", "CASE WHEN isinf($1) THEN CAST('nan' AS DOUBLE) ELSE "+n+"($1) END"))
	}
	for _, n := range []string{"sqrt", "ln", "log2", "log10", "asin", "acos"} {
		trino(tr(n, n+" of a number; NaN where there is none", "trino_math('"+n+"', $1)"))
	}
	trino(
		tp("abs", "absolute value", func(c *expr.Call, a []string) string {
			if !c.T.IsIntegral() {
				return "abs(" + a[0] + ")"
			}
			least := leastOf[c.T.Kind]
			return let(a[0], func(v string) string {
				return "CASE WHEN " + v + " = " + least + " THEN " + trinoFail(c, "NUMERIC_VALUE_OUT_OF_RANGE", quote("Value ")+" || CAST("+v+" AS VARCHAR) || "+quote(" is out of range for abs("+c.T.Trino()+")")) + " ELSE " + typedAs(c.T, "abs("+v+")") + " END"
			})
		}),
		tr("atan2", "angle of a point", "atan2($1, $2)"), tr("log", "logarithm to a base", "trino_log($1, $2)"), also(tr("power", "power", "trino_power($1, $2)"), "pow"),
		tr("e", "Euler's number", "CAST(2.718281828459045 AS DOUBLE)"), tr("pi", "pi", "pi()"), tr("nan", "the value that is no number", "CAST('nan' AS DOUBLE)"), tr("infinity", "infinity", "CAST('inf' AS DOUBLE)"),
		tr("is_nan", "true for NaN", "isnan($1)"), tr("is_finite", "true for a finite number", "isfinite($1)"), tr("is_infinite", "true for an infinity", "isinf($1)"),
		also(tp("ceiling", "the next whole number above", wholeNumber("ceil")), "ceil"), tp("floor", "the next whole number below", wholeNumber("floor")),
		tp("round", "rounded, half away from zero", func(c *expr.Call, a []string) string {
			digits := "0"
			if len(a) == 2 {
				digits = a[1]
			}
			switch {
			case c.T.Kind == types.Decimal && len(a) == 1:
				return typedAs(c.T, "round("+a[0]+", 0)")
			case c.T.Kind == types.Decimal:
				return typedAs(c.T, "trino_round_decimal(CAST("+a[0]+" AS VARCHAR), "+digits+", "+itoa(c.T.Scale)+")")
			case c.T.IsIntegral():
				return typedAs(c.T, "CAST(trino_round_decimal(CAST("+a[0]+" AS VARCHAR), "+digits+", 0) AS BIGINT)")
			}
			return typedAs(c.T, "trino_round(CAST("+a[0]+" AS DOUBLE), "+digits+")")
		}),
		tp("truncate", "cut to some digits", func(c *expr.Call, a []string) string {
			if c.T.Kind != types.Decimal {
				return typedAs(c.T, "trunc("+a[0]+")")
			}
			if len(a) == 1 {
				return typedAs(c.T, "trunc("+a[0]+")")
			}
			return typedAs(c.T, "trino_truncate_decimal(CAST("+a[0]+" AS VARCHAR), "+a[1]+", "+itoa(c.T.Scale)+")")
		}),
		tp("sign", "-1, 0 or 1", func(c *expr.Call, a []string) string { return typedAs(c.T, "sign("+a[0]+")") }),
		tp("mod", "remainder", func(c *expr.Call, a []string) string {
			if c.T.IsIntegral() { // Trino lets Java's own error through
				return letAll(a, []int{0, 1}, func(a []string) string {
					return "CASE WHEN " + a[1] + " = 0 AND " + a[0] + " IS NOT NULL THEN " + typedAs(c.T, trinoFail(c, "GENERIC_INTERNAL_ERROR", quote("/ by zero"))) + " ELSE " + a[0] + " % " + a[1] + " END"
				})
			}
			return printTrinoArithmetic("%")(c, a)
		}),
		tr("width_bucket", "number of the part of a range that a value falls into", "", "trino_width_bucket_of($1, $2)", "", "trino_width_bucket($1, $2, $3, $4)"),
		also(tp("random", "a random number", func(c *expr.Call, a []string) string {
			switch len(a) {
			case 0:
				return "random()"
			case 1:
				return let(a[0], func(v string) string {
					return "CASE WHEN " + v + " <= 0 THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("bound must be positive")) + " ELSE " + typedAs(c.T, "floor(random() * "+v+")") + " END"
				})
			}
			return letAll(a, []int{0, 1}, func(a []string) string {
				return "CASE WHEN " + a[0] + " >= " + a[1] + " THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("start value must be less than stop value")) + " ELSE " + typedAs(c.T, a[0]+" + floor(random() * ("+a[1]+" - "+a[0]+"))") + " END"
			})
		}), "rand"),
		tr("bitwise_and", "AND of the bits", "($1 & $2)"), tr("bitwise_or", "OR of the bits", "($1 | $2)"), tr("bitwise_xor", "XOR of the bits", "xor($1, $2)"), tr("bitwise_not", "all bits turned", "(~$1)"),
		tp("bitwise_left_shift", "bits moved to the left", trinoShift("left")), tp("bitwise_right_shift", "bits moved to the right, filled with 0", trinoShift("right")), tp("bitwise_right_shift_arithmetic", "bits moved to the right, filled with the sign", trinoShift("arithmetic")),
		tr("bit_count", "number of bits of a number of some bits", "trino_bit_count($1, $2)"),
		tp("cosine_distance", "1 less the cosine of the angle between two vectors", func(c *expr.Call, a []string) string {
			return "(1 - " + ofVectors("list_cosine_similarity")(c, a) + ")"
		}),
		tp("cosine_similarity", "cosine of the angle between two vectors", func(c *expr.Call, a []string) string {
			if c.Args[0].Type().Kind == types.Array {
				return ofVectors("list_cosine_similarity")(c, a)
			}
			return letAll(a, []int{0, 1}, func(a []string) string {
				norm := func(v string) string {
					return "sqrt(list_sum(list_transform(map_values(" + v + "), lambda _x: _x * _x)))"
				}
				return "(list_sum(list_transform(map_entries(" + a[0] + "), lambda _x: _x.value * coalesce(map_extract_value(" + a[1] + ", _x.key), 0))) / (" + norm(a[0]) + " * " + norm(a[1]) + "))"
			})
		}),
		tp("euclidean_distance", "distance of two points", ofVectors("list_distance")), tp("dot_product", "inner product of two vectors", ofVectors("list_inner_product")),
		tr("normal_cdf", "normal distribution", "trino_normal_cdf($1, $2, $3)"), tr("inverse_normal_cdf", "quantile of the normal distribution", "trino_inverse_normal_cdf($1, $2, $3)"),
		tr("wilson_interval_lower", "lower end of Wilson's interval", "trino_wilson($1, $2, $3, -1)"), tr("wilson_interval_upper", "upper end of Wilson's interval", "trino_wilson($1, $2, $3, 1)"),
	)
	define("trino_math", "string, double -> double", func(a []any) any {
		f := map[string]func(float64) float64{"sqrt": math.Sqrt, "ln": math.Log, "log2": math.Log2, "log10": math.Log10, "asin": math.Asin, "acos": math.Acos}[a[0].(string)]
		return f(a[1].(float64))
	})
	define("trino_log", "double, double -> double", func(a []any) any { return math.Log(a[1].(float64)) / math.Log(a[0].(float64)) })
	define("trino_power", "double, double -> double", func(a []any) any { return math.Pow(a[0].(float64), a[1].(float64)) })
	define("trino_round", "double, long -> double", func(a []any) any { return roundDouble(a[0].(float64), a[1].(int64)) })
	define("trino_round_decimal", "string, long, int -> string", func(a []any) any { return roundDecimal(a[0].(string), a[1].(int64), int(a[2].(int32)), true) })
	define("trino_truncate_decimal", "string, long, int -> string", func(a []any) any { return roundDecimal(a[0].(string), a[1].(int64), int(a[2].(int32)), false) })
	failing("trino_width_bucket", "double, double, double, long -> long", func(a []any) (any, error) {
		return widthBucket(a[0].(float64), a[1].(float64), a[2].(float64), a[3].(int64))
	})
	failing("trino_bit_count", "long, long -> long", func(a []any) (any, error) { return bitCount(a[0].(int64), a[1].(int64)) })
	failing("trino_width_bucket_of", "double, doubles -> long", func(a []any) (any, error) { return bucketOf(a[0].(float64), a[1].([]any)) })
	failing("trino_normal_cdf", "double, double, double -> double", func(a []any) (any, error) {
		if a[1].(float64) <= 0 {
			return nil, badArgument("standardDeviation must be > 0")
		}
		return 0.5 * math.Erfc(-(a[2].(float64)-a[0].(float64))/(a[1].(float64)*math.Sqrt2)), nil
	})
	failing("trino_inverse_normal_cdf", "double, double, double -> double", func(a []any) (any, error) {
		p := a[2].(float64)
		if p <= 0 || p >= 1 {
			return nil, badArgument("p must be 0 > p > 1")
		}
		if a[1].(float64) <= 0 {
			return nil, badArgument("sd must be > 0")
		}
		return a[0].(float64) + a[1].(float64)*math.Sqrt2*math.Erfinv(2*p-1), nil
	})
	failing("trino_wilson", "long, long, double, int -> double", func(a []any) (any, error) {
		switch successes, trials := a[0].(int64), a[1].(int64); {
		case successes < 0:
			return nil, badArgument("number of successes must not be negative")
		case trials <= 0:
			return nil, badArgument("number of trials must be positive")
		case successes > trials:
			return nil, badArgument("number of successes must not be larger than number of trials")
		case a[2].(float64) < 0:
			return nil, badArgument("z-score must not be negative")
		}
		n, z := float64(a[1].(int64)), a[2].(float64)
		p := float64(a[0].(int64)) / n
		side := float64(a[3].(int32))
		return (p + z*z/(2*n) + side*z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n), nil
	})
}

// wholeNumber prints ceil and floor, which leave whole numbers as they are.
func wholeNumber(duck string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if c.T.IsIntegral() {
			return a[0]
		}
		return typedAs(c.T, duck+"("+a[0]+")")
	}
}

// trinoShift prints a shift of the bits of a type.
func trinoShift(kind string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		bits := map[types.Kind]string{types.Byte: "8", types.Short: "16", types.Int: "32", types.Long: "64"}[c.T.Kind]
		return typedAs(c.T, "trino_shift_"+kind+"(CAST("+a[0]+" AS BIGINT), CAST("+a[1]+" AS BIGINT), "+bits+")")
	}
}

// ofVectors prints a function of two arrays that must be of one length.
func ofVectors(duck string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		return letAll(a, []int{0, 1}, func(a []string) string {
			return "CASE WHEN len(" + a[0] + ") <> len(" + a[1] + ") THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("The arguments must have the same length")) + " ELSE " + duck + "(" + join(a) + ") END"
		})
	}
}
