package functions

import "mini-lakehouse-lab/lakelab"

// Functions on numbers.

// Abs is the absolute value (abs).
func Abs(col any) lakelab.Column { return call("abs", col) }

// Ceil rounds up (ceil).
func Ceil(col any) lakelab.Column { return call("ceil", col) }

// Floor rounds down (floor).
func Floor(col any) lakelab.Column { return call("floor", col) }

// Sqrt is the square root; NaN for negative numbers (sqrt).
func Sqrt(col any) lakelab.Column { return call("sqrt", col) }

// Exp is e to the power of col (exp).
func Exp(col any) lakelab.Column { return call("exp", col) }

// Ln is the natural logarithm; NULL for 0 and less (ln).
func Ln(col any) lakelab.Column { return call("ln", col) }

// Log10 is the logarithm to base 10 (log10).
func Log10(col any) lakelab.Column { return call("log10", col) }

// Log2 is the logarithm to base 2 (log2).
func Log2(col any) lakelab.Column { return call("log2", col) }

// Signum is -1.0, 0.0 or 1.0 (signum).
func Signum(col any) lakelab.Column { return call("signum", col) }

// Sin is the sine of an angle in radians (sin).
func Sin(col any) lakelab.Column { return call("sin", col) }

// Cos is the cosine of an angle in radians (cos).
func Cos(col any) lakelab.Column { return call("cos", col) }

// Tan is the tangent of an angle in radians (tan).
func Tan(col any) lakelab.Column { return call("tan", col) }

// Degrees turns radians into degrees (degrees).
func Degrees(col any) lakelab.Column { return call("degrees", col) }

// Radians turns degrees into radians (radians).
func Radians(col any) lakelab.Column { return call("radians", col) }

// Greatest is the greatest of several columns, NULLs left out (greatest).
func Greatest(cols ...any) lakelab.Column { return call("greatest", cols...) }

// Least is the least of several columns, NULLs left out (least).
func Least(cols ...any) lakelab.Column { return call("least", cols...) }

// Round rounds half up to a number of decimals (round).
func Round(col any, scale int) lakelab.Column { return call("round", col, lit(scale)) }

// BRound rounds half to even (bround).
func BRound(col any, scale int) lakelab.Column { return call("bround", col, lit(scale)) }

// Pow is base to the power of exponent, a DOUBLE; Go numbers may be passed as F.Lit (pow).
func Pow(base, exponent any) lakelab.Column { return call("power", base, exponent) }

// PMod is the remainder, never negative for a positive divisor (pmod).
func PMod(dividend, divisor any) lakelab.Column { return call("pmod", dividend, divisor) }

// Rand is a random DOUBLE from 0 to 1 for each row; a seed makes it repeatable (rand).
func Rand(seed ...int64) lakelab.Column {
	if len(seed) > 0 {
		return call("rand", lit(seed[0]))
	}
	return call("rand")
}
