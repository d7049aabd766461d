package types

import (
	"cmp"
	"math/bits"
)

// natural is a whole number of any size, its lowest 32 bits first, without zeros at the end. Cells link this package, and math/big
// with all that it needs would cost every cell's build more than these few operations.
type natural []uint32

// fivesTwos is n · 5^fives · 2^twos.
func fivesTwos(n uint64, fives, twos int) natural {
	x := natural{uint32(n), uint32(n >> 32)}.trim()
	for ; fives >= 13; fives -= 13 {
		x = x.times(1220703125) // 5^13
	}
	for ; fives > 0; fives-- {
		x = x.times(5)
	}
	out := make(natural, twos/32, twos/32+len(x)+1)
	carry := uint32(0)
	for _, w := range x {
		out = append(out, w<<(twos%32)|carry)
		carry = uint32(uint64(w) << (twos % 32) >> 32)
	}
	return append(out, carry).trim()
}

func (x natural) trim() natural {
	for len(x) > 0 && x[len(x)-1] == 0 {
		x = x[:len(x)-1]
	}
	return x
}

func (x natural) times(n uint32) natural {
	out := make(natural, 0, len(x)+1)
	carry := uint64(0)
	for _, w := range x {
		carry += uint64(w) * uint64(n)
		out = append(out, uint32(carry))
		carry >>= 32
	}
	return append(out, uint32(carry)).trim()
}

func (x natural) plus(y natural) natural {
	if len(x) < len(y) {
		x, y = y, x
	}
	out := make(natural, 0, len(x)+1)
	carry := uint64(0)
	for i, w := range x {
		carry += uint64(w)
		if i < len(y) {
			carry += uint64(y[i])
		}
		out = append(out, uint32(carry))
		carry >>= 32
	}
	return append(out, uint32(carry)).trim()
}

// minus is x - y, where y is not larger.
func (x natural) minus(y natural) natural {
	out := make(natural, len(x))
	borrow := uint32(0)
	for i, w := range x {
		var o uint32
		if i < len(y) {
			o = y[i]
		}
		out[i], borrow = bits.Sub32(w, o, borrow)
	}
	return out.trim()
}

func (x natural) compare(y natural) int {
	if d := cmp.Compare(len(x), len(y)); d != 0 {
		return d
	}
	for i := len(x) - 1; i >= 0; i-- {
		if d := cmp.Compare(x[i], y[i]); d != 0 {
			return d
		}
	}
	return 0
}

// digit takes y off x as often as it goes, less than ten times, and says how often.
func (x natural) digit(y natural) (times byte, rest natural) {
	for ; x.compare(y) >= 0; times++ {
		x = x.minus(y)
	}
	return times, x
}

// low is the lowest 64 bits.
func (x natural) low() int64 {
	out := uint64(0)
	for i, w := range x[:min(2, len(x))] {
		out |= uint64(w) << (32 * i)
	}
	return int64(out)
}
