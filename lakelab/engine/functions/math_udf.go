package functions

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

func mathUDFs() {
	// Java's decimals of 34 digits, of which the lowest 64 bits of the whole part are taken.
	define("spark_micros", "string -> long", func(a []any) any {
		r, ok := new(big.Rat).SetString(a[0].(string))
		if !ok {
			return nil
		}
		r.Mul(r, big.NewRat(1000000, 1))
		n := new(big.Int).Quo(r.Num(), r.Denom())
		if digits := len(new(big.Int).Abs(n).String()); digits > 34 {
			unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits-34)), nil)
			rest := new(big.Rat).Quo(r, new(big.Rat).SetInt(unit))
			n = roundHalfEven(rest)
			n.Mul(n, unit)
		}
		low := new(big.Int).And(new(big.Int).Abs(n), new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		if n.Sign() < 0 {
			low = -low
		}
		return int64(low)
	})
	define("spark_pow", "double, double -> double", func(a []any) any {
		x, p := a[0].(float64), a[1].(float64)
		if math.Abs(x) == 1 && (math.IsNaN(p) || math.IsInf(p, 0)) && p != 0 {
			return math.NaN() // as in Java
		}
		return math.Pow(x, p)
	})
	define("spark_hypot", "double, double -> double", func(a []any) any { return math.Hypot(a[0].(float64), a[1].(float64)) })
	define("spark_cbrt", "double -> double", func(a []any) any { return math.Cbrt(a[0].(float64)) })
	define("spark_expm1", "double -> double", func(a []any) any { return math.Expm1(a[0].(float64)) })
	define("spark_log1p", "double -> double", func(a []any) any {
		if a[0].(float64) <= -1 {
			return nil
		}
		return math.Log1p(a[0].(float64))
	})
	define("spark_round", "string, int -> double", func(a []any) any { return roundText(a[0].(string), int(a[1].(int32)), false) })
	define("spark_bround", "double, int -> double", func(a []any) any {
		return roundText(types.Text(types.Of(types.Double), a[0], nil), int(a[1].(int32)), true)
	})
	define("spark_bround_decimal", "string, int -> string", func(a []any) any {
		r, ok := new(big.Rat).SetString(a[0].(string))
		if !ok {
			return nil
		}
		places := min(max(int(a[1].(int32)), -2*maxPrecision), maxPrecision) // nothing is behind those
		unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(places, -places))), nil))
		if places < 0 {
			return new(big.Rat).Mul(new(big.Rat).SetInt(roundHalfEven(r.Quo(r, unit))), unit).FloatString(0)
		}
		return new(big.Rat).Quo(new(big.Rat).SetInt(roundHalfEven(r.Mul(r, unit))), unit).FloatString(places)
	})
	define("spark_scientific", "string -> string", func(a []any) any { return PlainOrScientific(a[0].(string)) })
	define("spark_conv", "string, int, int -> string", func(a []any) any { return conv(a[0].(string), int(a[1].(int32)), int(a[2].(int32))) })
	define("spark_shift", "string, long, int, int -> long", func(a []any) any { return shiftBits(a[0].(string), a[1].(int64), a[2].(int32), a[3].(int32) == 64) })
	define("spark_to_base", "long, int -> string", func(a []any) any { return strconv.FormatInt(a[0].(int64), int(a[1].(int32))) })
	define("spark_from_base", "string, int -> long", func(a []any) any {
		n, err := strconv.ParseInt(a[0].(string), int(a[1].(int32)), 64)
		if err != nil {
			return nil
		}
		return n
	})
	define("spark_decimal", "string, string, string, int -> string", func(a []any) any {
		return exact(a[0].(string), a[1].(string), a[2].(string), int(a[3].(int32)))
	})
}

// roundText rounds a number's decimal text, half up or half even; the text of infinities and NaN is their value.
func roundText(s string, n int, even bool) any {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		f, _ := strconv.ParseFloat(s, 64)
		return f
	}
	n = min(max(n, -finest), finest) // nothing is behind those
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		scale.Inv(scale)
	}
	x := new(big.Rat).Mul(r, scale)
	num := new(big.Int).Abs(x.Num())
	var q *big.Int
	if even {
		q = halfEven(num, x.Denom())
	} else {
		q = halfUp(num, x.Denom())
	}
	out := new(big.Rat).Quo(new(big.Rat).SetInt(q), scale)
	f, _ := out.Float64()
	if r.Sign() < 0 {
		f = -f
	}
	return f
}

func halfUp(num, den *big.Int) *big.Int {
	q, m := new(big.Int).QuoRem(num, den, new(big.Int))
	if m.Lsh(m, 1).Cmp(den) >= 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// unrounded is the scale that asks exact for all digits that Spark computes, as its errors show them.
const unrounded = -1

// exact computes with decimals too wide for DuckDB's own and rounds half up to a scale. NULL where it divides by zero.
func exact(op, l, r string, scale int) any {
	a, ok1 := new(big.Rat).SetString(l)
	b, ok2 := new(big.Rat).SetString(r)
	if !ok1 || !ok2 {
		return nil
	}
	x := new(big.Rat)
	switch op {
	case "+":
		x.Add(a, b)
	case "-":
		x.Sub(a, b)
	case "*":
		x = significant(x.Mul(a, b))
	case "/":
		if b.Sign() == 0 {
			return nil
		}
		if x = cut(x.Quo(a, b), maxPrecision+1); scale == unrounded {
			return x.FloatString(maxPrecision + 1)
		}
	case "%":
		if b.Sign() == 0 {
			return nil
		}
		q := new(big.Rat).Quo(a, b)
		x.Sub(a, new(big.Rat).Mul(b, new(big.Rat).SetInt(new(big.Int).Quo(q.Num(), q.Denom()))))
	case "//", "//low":
		if b.Sign() == 0 {
			return nil
		}
		x.Quo(a, b)
		q := new(big.Int).Quo(x.Num(), x.Denom())
		if op == "//low" {
			low := new(big.Int).And(new(big.Int).Abs(q), new(big.Int).SetUint64(math.MaxUint64)).Uint64()
			if q.Sign() < 0 {
				low = -low
			}
			return strconv.FormatInt(int64(low), 10)
		}
		return q.String()
	}
	if scale == unrounded {
		places, _ := x.FloatPrec()
		return x.FloatString(places)
	}
	return x.FloatString(scale) // rounds half away from zero
}

// significant cuts a product off behind 39 digits, as Spark does before it rounds to the scale.
func significant(x *big.Rat) *big.Rat {
	digits := 0
	if q := new(big.Int).Quo(new(big.Int).Abs(x.Num()), x.Denom()); q.Sign() != 0 {
		digits = len(q.String())
	}
	if places, exact := x.FloatPrec(); exact && digits+places <= maxPrecision+1 {
		return x
	}
	return cut(x, maxPrecision+1-digits)
}

// cut leaves out the digits behind a decimal place; a negative one is in front of the point.
func cut(x *big.Rat, place int) *big.Rat {
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(place, -place))), nil))
	if place < 0 {
		unit.Inv(unit)
	}
	y := new(big.Rat).Mul(x, unit)
	y.SetInt(new(big.Int).Quo(y.Num(), y.Denom()))
	return y.Quo(y, unit)
}

// conv reads as much of a number as is one, in a base, and writes it in another; negative ones are taken as unsigned 64 bits.
func conv(s string, from, to int) any {
	s = strings.TrimSpace(s)
	if from < 2 || from > 36 || to == 0 || max(to, -to) < 2 || max(to, -to) > 36 || s == "" {
		return nil
	}
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	n := 0
	for n < len(s) {
		d, err := strconv.ParseUint(s[n:n+1], 36, 8)
		if err != nil || int(d) >= from {
			break
		}
		n++
	}
	v, err := strconv.ParseUint("0"+s[:n], from, 64)
	if err != nil {
		return "!" // too large
	}
	if neg {
		v = -v
	}
	if to < 0 {
		return strings.ToUpper(strconv.FormatInt(int64(v), -to))
	}
	return strings.ToUpper(strconv.FormatUint(v, to))
}

func shiftBits(op string, n int64, by int32, long bool) int64 {
	if long {
		k := uint(by) & 63
		switch op {
		case "<<":
			return n << k
		case ">>":
			return n >> k
		}
		return int64(uint64(n) >> k)
	}
	k := uint(by) & 31
	v := int32(n)
	switch op {
	case "<<":
		return int64(v << k)
	case ">>":
		return int64(v >> k)
	}
	return int64(int32(uint32(v) >> k))
}

// roundHalfEven is the nearest whole number.
func roundHalfEven(r *big.Rat) *big.Int {
	n := halfEven(new(big.Int).Abs(r.Num()), r.Denom())
	if r.Sign() < 0 {
		n.Neg(n)
	}
	return n
}
