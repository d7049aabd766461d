package jsonpath

import (
	"math"
	"math/big"
)

func isNumber(x any) bool { return kind(x) == "NUMBER" }

func asFloat(x any) float64 {
	if f, ok := x.(float64); ok {
		return f
	}
	f, _ := rat(x).Float64()
	return f
}

// rat is an exact number; nil for a double.
func rat(x any) *big.Rat {
	switch v := x.(type) {
	case int64:
		return new(big.Rat).SetInt64(v)
	case *big.Int:
		return new(big.Rat).SetInt(v)
	case Decimal:
		return new(big.Rat).SetFrac(v.Unscaled, power(v.Scale))
	}
	return nil
}

func power(scale int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
}

// arithmetic computes l op r: doubles if one is, decimals if one is, else whole numbers.
func arithmetic(op string, l, r any) any {
	if !isNumber(l) || !isNumber(r) {
		bad := l
		if isNumber(l) {
			bad = r
		}
		panic(&EvalError{"invalid item type. Expected: NUMBER, actual: " + kind(bad)})
	}
	_, double1 := l.(float64)
	_, double2 := r.(float64)
	if double1 || double2 {
		a, b := asFloat(l), asFloat(r)
		switch op {
		case "+":
			return a + b
		case "-":
			return a - b
		case "*":
			return a * b
		case "/":
			return a / b
		}
		return math.Mod(a, b)
	}
	a, b := unscaled(l), unscaled(r)
	if (op == "/" || op == "%") && b.Unscaled.Sign() == 0 {
		panic(&EvalError{})
	}
	out := Decimal{new(big.Int), max(a.Scale, b.Scale)}
	x, y := a.at(out.Scale), b.at(out.Scale)
	switch op {
	case "+":
		out.Unscaled.Add(x, y)
	case "-":
		out.Unscaled.Sub(x, y)
	case "*":
		out = Decimal{new(big.Int).Mul(a.Unscaled, b.Unscaled), a.Scale + b.Scale}
	case "%":
		out.Unscaled.Rem(x, y)
	case "/":
		if out.Scale == 0 {
			out.Unscaled.Quo(x, y)
			break
		}
		// Half up, to as many digits as the longer of both has.
		q, rest := new(big.Int).QuoRem(new(big.Int).Mul(x, power(out.Scale)), y, new(big.Int))
		if rest.Mul(rest, big.NewInt(2)).CmpAbs(y) >= 0 {
			q.Add(q, big.NewInt(int64(x.Sign()*y.Sign())))
		}
		out.Unscaled = q
	}
	if out.Scale == 0 {
		if out.Unscaled.IsInt64() {
			return out.Unscaled.Int64()
		}
		return out.Unscaled
	}
	return out
}

func unscaled(x any) Decimal {
	switch v := x.(type) {
	case int64:
		return Decimal{big.NewInt(v), 0}
	case *big.Int:
		return Decimal{v, 0}
	}
	return x.(Decimal)
}

// at is the unscaled number with more digits behind the point.
func (d Decimal) at(scale int) *big.Int {
	return new(big.Int).Mul(d.Unscaled, power(scale-d.Scale))
}
