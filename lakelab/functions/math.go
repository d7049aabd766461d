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

// Acos: arc cosine (acos).
func Acos(col any) lakelab.Column { return call("acos", col) }

// Acosh: inverse hyperbolic cosine (acosh).
func Acosh(col any) lakelab.Column { return call("acosh", col) }

// Asin: arc sine (asin).
func Asin(col any) lakelab.Column { return call("asin", col) }

// Asinh: inverse hyperbolic sine (asinh).
func Asinh(col any) lakelab.Column { return call("asinh", col) }

// Atan: arc tangent (atan).
func Atan(col any) lakelab.Column { return call("atan", col) }

// Atan2: angle of a point (atan2).
func Atan2(col1, col2 any) lakelab.Column { return call("atan2", orLit(col1), orLit(col2)) }

// Atanh: inverse hyperbolic tangent (atanh).
func Atanh(col any) lakelab.Column { return call("atanh", col) }

// Bin: n in binary (bin).
func Bin(col any) lakelab.Column { return call("bin", col) }

// BitCount: number of bits set (bit_count).
func BitCount(col any) lakelab.Column { return call("bit_count", col) }

// BitGet: the bit at a place, from 0 (bit_get).
func BitGet(col, pos any) lakelab.Column { return call("bit_get", col, pos) }

// Conv: a number written in another base (conv).
func Conv(col any, fromBase, toBase int) lakelab.Column {
	return call("conv", col, lit(fromBase), lit(toBase))
}

// Cosh: hyperbolic cosine (cosh).
func Cosh(col any) lakelab.Column { return call("cosh", col) }

// E: e (e).
func E() lakelab.Column { return call("e") }

// Factorial: n!, for 0 to 20 (factorial).
func Factorial(col any) lakelab.Column { return call("factorial", col) }

// GetBit: the bit at a place, from 0 (getbit).
func GetBit(col, pos any) lakelab.Column { return call("getbit", col, pos) }

// Hypot: length of the hypotenuse (hypot).
func Hypot(col1, col2 any) lakelab.Column { return call("hypot", orLit(col1), orLit(col2)) }

// ILike: true if str matches: % is any text, _ any character (ilike).
func ILike(col, pattern any, escapeChar ...any) lakelab.Column {
	return call("ilike", optional([]any{col, pattern}, escapeChar)...)
}

// IsNaN: true if expr is NaN (isnan).
func IsNaN(col any) lakelab.Column { return call("isnan", col) }

// Like: true if str matches: % is any text, _ any character (like).
func Like(col, pattern any, escapeChar ...any) lakelab.Column {
	return call("like", optional([]any{col, pattern}, escapeChar)...)
}

// Log: logarithm to base (default e) (log).
func Log(arg1 any, arg2 ...any) lakelab.Column {
	return call("log", then([]any{orLit(arg1)}, arg2)...)
}

// NaNVL: b if a is NaN, else a (nanvl).
func NaNVL(col1, col2 any) lakelab.Column { return call("nanvl", col1, col2) }

// Negative: -expr (negative).
func Negative(col any) lakelab.Column { return call("negative", col) }

// Pi: π (pi).
func Pi() lakelab.Column { return call("pi") }

// Positive: expr as it is (positive).
func Positive(col any) lakelab.Column { return call("positive", col) }

// RandStr: random string of a length (randstr).
func RandStr(length any, seed ...any) lakelab.Column {
	return call("randstr", optional([]any{lit(length)}, seed)...)
}

// Sign: -1.0, 0.0 or 1.0 (sign).
func Sign(col any) lakelab.Column { return call("sign", col) }

// Sinh: hyperbolic sine (sinh).
func Sinh(col any) lakelab.Column { return call("sinh", col) }

// Tanh: hyperbolic tangent (tanh).
func Tanh(col any) lakelab.Column { return call("tanh", col) }

// ToBinary: bytes of a text in hex, utf-8 or base64 (to_binary).
func ToBinary(col any, format ...any) lakelab.Column {
	return call("to_binary", then([]any{col}, format)...)
}

// Uniform: random number between two bounds (uniform).
func Uniform(min, max any, seed ...any) lakelab.Column {
	return call("uniform", optional([]any{lit(min), lit(max)}, seed)...)
}

// WidthBucket: number of x's bucket, of n equal ones (width_bucket).
func WidthBucket(v, min, max, numBucket any) lakelab.Column {
	return call("width_bucket", v, min, max, orLit(numBucket))
}

// Cbrt: cube root (cbrt).
func Cbrt(col any) lakelab.Column { return call("cbrt", col) }

// Ceiling: smallest whole number not below x (ceiling).
func Ceiling(col any, scale ...any) lakelab.Column {
	return call("ceiling", optional([]any{col}, scale)...)
}

// Cot: cotangent (cot).
func Cot(col any) lakelab.Column { return call("cot", col) }

// Csc: cosecant (csc).
func Csc(col any) lakelab.Column { return call("csc", col) }

// Expm1: exp(expr) - 1 (expm1).
func Expm1(col any) lakelab.Column { return call("expm1", col) }

// Log1p: ln(1 + expr) (log1p).
func Log1p(col any) lakelab.Column { return call("log1p", col) }

// RInt: the nearest whole number, half even, as a double (rint).
func RInt(col any) lakelab.Column { return call("rint", col) }

// Sec: secant (sec).
func Sec(col any) lakelab.Column { return call("sec", col) }

// ShiftLeft: bits moved left (shiftleft).
func ShiftLeft(col any, numBits int) lakelab.Column { return call("shiftleft", col, lit(numBits)) }

// ShiftRight: bits moved right, the sign kept (shiftright).
func ShiftRight(col any, numBits int) lakelab.Column { return call("shiftright", col, lit(numBits)) }

// ShiftRightUnsigned: bits moved right, zeros from the left (shiftrightunsigned).
func ShiftRightUnsigned(col any, numBits int) lakelab.Column {
	return call("shiftrightunsigned", col, lit(numBits))
}

// TryAdd: a + b, NULL on overflow (try_add).
func TryAdd(left, right any) lakelab.Column { return call("try_add", left, right) }

// TryDivide: a / b, NULL if b is 0 (try_divide).
func TryDivide(left, right any) lakelab.Column { return call("try_divide", left, right) }

// TryMod: remainder, NULL if b is 0 (try_mod).
func TryMod(left, right any) lakelab.Column { return call("try_mod", left, right) }

// TryMultiply: a * b, NULL on overflow (try_multiply).
func TryMultiply(left, right any) lakelab.Column { return call("try_multiply", left, right) }

// TrySubtract: a - b, NULL on overflow (try_subtract).
func TrySubtract(left, right any) lakelab.Column { return call("try_subtract", left, right) }

// RandN is a random number of the standard normal distribution (randn).
func RandN(seed ...int64) lakelab.Column { return call("randn", optional([]any{}, seed)...) }

// Negate is -col (negate).
func Negate(col any) lakelab.Column { return lakelab.ColumnOf(col).Negate() }
