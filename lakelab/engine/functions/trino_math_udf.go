package functions

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	for kind, f := range map[string]func(v int64, n, size uint) int64{
		"left": func(v int64, n, size uint) int64 { return signed(uint64(v)<<n, size) },
		"right": func(v int64, n, size uint) int64 {
			return signed(uint64(v)&(math.MaxUint64>>(64-size))>>n, size)
		},
		"arithmetic": func(v int64, n, _ uint) int64 { return v >> n },
	} {
		define("trino_shift_"+kind, "long, long, int -> long", func(a []any) any {
			return f(a[0].(int64), uint(min(max(a[1].(int64), 0), 64)), uint(a[2].(int32)))
		})
	}
}

// signed reads the lowest bits of a number as a signed number of that size.
func signed(v uint64, size uint) int64 { return int64(v<<(64-size)) >> (64 - size) }

func bitCount(v, size int64) (any, error) {
	if size < 2 || size > 64 {
		return nil, badArgument("Bits specified in bit_count must be between 2 and 64, got " + strconv.FormatInt(size, 10))
	}
	if size < 64 && (v < -(1<<(size-1)) || v >= 1<<(size-1)) {
		return nil, badArgument("Number must be representable with the bits specified. " + strconv.FormatInt(v, 10) + " cannot be represented with " + strconv.FormatInt(size, 10) + " bits")
	}
	return int64(bits.OnesCount64(uint64(v) & (math.MaxUint64 >> (64 - uint(size))))), nil
}

// roundDouble rounds half away from zero.
func roundDouble(f float64, digits int64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return f
	}
	scale := math.Pow(10, float64(digits))
	if math.IsInf(f*scale, 0) {
		return f
	}
	return math.Round(f*scale) / scale
}

// roundDecimal rounds (half away from zero) or cuts a decimal's text to some digits, and gives it a scale.
func roundDecimal(text string, digits int64, scale int, half bool) string {
	r, ok := new(big.Rat).SetString(text)
	if !ok || digits >= int64(scale) {
		digits = int64(scale)
	}
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(min(abs64(digits), 40)), nil))
	if digits < 0 {
		unit.Inv(unit)
	}
	r.Mul(r, unit)
	if half {
		h := big.NewRat(1, 2)
		if r.Sign() < 0 {
			h.Neg(h)
		}
		r.Add(r, h)
	}
	whole := new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom()))
	s := whole.Quo(whole, unit).FloatString(scale)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

func abs64(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

func widthBucket(x, lo, hi float64, n int64) (any, error) {
	switch {
	case n <= 0:
		return nil, badArgument("bucketCount must be greater than 0")
	case lo == hi:
		return nil, badArgument("bounds cannot equal each other")
	}
	flip := lo > hi
	if flip {
		lo, hi, x = -lo, -hi, -x
	}
	switch {
	case x < lo:
		return int64(0), nil
	case x >= hi:
		return n + 1, nil
	}
	return int64(math.Floor(float64(n)*(x-lo)/(hi-lo))) + 1, nil
}

// bucketOf is the number of bounds, which rise, that are not above a number; NULL counts as 0. Only the bounds that the search meets are
// checked, as Trino does.
func bucketOf(x float64, bounds []any) (any, error) {
	bound := func(i int) float64 { f, _ := bounds[i].(float64); return f }
	switch {
	case len(bounds) == 0:
		return nil, badArgument("Bins cannot be an empty array")
	case math.IsNaN(x):
		return nil, badArgument("Operand cannot be NaN")
	}
	low, high := 0, len(bounds)
	for low < high {
		if bound(low) > bound(high-1) {
			return nil, badArgument("Bin values are not sorted in ascending order")
		}
		mid := (low + high) / 2
		b := bound(mid)
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return nil, badArgument("Bin value must be finite, got " + types.Text(types.Of(types.Double), b, nil))
		}
		if x < b {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return int64(low), nil
}
