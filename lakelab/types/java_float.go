package types

import (
	"cmp"
	"math"
	"math/bits"
	"strconv"
)

// javaDigits are the digits that Java up to version 18, which Spark 4.0 is built for, writes of a positive number of so many significant
// bits (24 for a float, 53 for a double), and the exponent of the first: mostly the fewest that tell the number from its neighbours, but in
// known cases one more, or not the nearest (JDK-4511638). The steps are those of the algorithm of Steele and White with the stopping rule
// of Java: digits are taken off while the rest is larger than half a unit in the last place, which at powers of two is halved.
func javaDigits(f float64, significant int) (digits []byte, exponent int) {
	const width = 53
	raw := math.Float64bits(f)
	fraction, exp2 := raw&(1<<52-1), int(raw>>52)
	if exp2 == 0 {
		shift := bits.LeadingZeros64(fraction) - 11
		fraction <<= shift
		exp2 = 1 - shift
		significant = width - shift
	} else {
		fraction |= 1 << 52
	}
	exp2 -= 1023
	if least := -126; significant == 24 && exp2 < least { // a subnormal float is a normal double
		significant -= least - exp2
	}
	tail := bits.TrailingZeros64(fraction)
	fractionBits := width - tail
	tiny := max(0, fractionBits-exp2-1) // bits behind the point
	if tiny == 0 && exp2 >= -21 && exp2 <= 62 && fractionBits < 64 {
		return wholeDigits(fraction, exp2, significant)
	}
	// f = b / s · 10^exponent, 1 <= b / s < 10; m is half a unit in f's last place, in the measure of b.
	exponent = int(math.Floor((math.Float64frombits(1023<<52|fraction&(1<<52-1))-1.5)*0.289529654 + 0.176091259 + float64(exp2)*0.301029995663981))
	b5, s5 := max(0, -exponent), max(0, exponent)
	b2, s2 := b5+tiny+exp2, s5+tiny
	m5, m2 := b5, b2-significant
	b2 -= fractionBits - 1
	common := min(b2, s2)
	b2, s2, m2 = b2-common, s2-common, m2-common
	if fractionBits == 1 {
		m2--
	}
	if m2 < 0 {
		b2, s2, m2 = b2-m2, s2-m2, 0
	}
	b, s, m := fivesTwos(fraction>>tail, b5, b2), fivesTwos(1, s5, s2), fivesTwos(1, m5, m2)
	tens := s.times(10)
	// Small numbers, for which Java computes in machine words, stop on a sum beyond ten, large ones on ten, too.
	size := max(fractionBits+b2+fiveBits(b5), s2+1+fiveBits(s5+1))
	words := size < 64
	next := func() (digit byte, low, high bool) {
		digit, b = b.digit(s)
		b, m = b.times(10), m.times(10)
		over := b.plus(m).compare(tens)
		return '0' + digit, b.compare(m) < 0, over > 0 || over == 0 && !words
	}
	digit, low, high := next()
	if digit == '0' && !high {
		exponent--
	} else {
		digits = append(digits, digit)
	}
	if exponent < -3 || exponent >= 8 {
		low, high = false, false // at least one digit stands behind the point
	}
	for !low && !high {
		digit, low, high = next()
		digits = append(digits, digit)
	}
	up := b.times(2).compare(tens)
	switch { // there the doubled rest overflows
	case size < 32:
		up = int(int32(b.low())<<1 - int32(tens.low()))
	case words:
		up = cmp.Compare(b.low()<<1-tens.low(), 0)
	}
	if high && (!low || up > 0 || up == 0 && digits[len(digits)-1]&1 != 0) {
		if roundUp(digits) {
			exponent++
		}
	}
	return digits, exponent
}

// fiveBits is how many bits 5^n has; Java only estimates the large ones.
func fiveBits(n int) int {
	if n == 0 {
		return 0
	}
	if n < 27 {
		return bits.Len64(uint64(fivesTwos(1, n, 0).low()))
	}
	return 3 * n
}

// wholeDigits are those of a whole number below 2^63; of digits that are not significant, the lowest are rounded off.
func wholeDigits(fraction uint64, exp2, significant int) (digits []byte, exponent int) {
	n := fraction >> max(0, 52-exp2) << max(0, exp2-52)
	drop := 0
	if free := exp2 - significant - 1; free > 1 {
		drop = int(float64(free) * math.Log10(2))
	}
	if drop > 0 {
		unit := uint64(math.Pow10(drop))
		rest := n % unit
		n /= unit
		if rest >= unit/2 {
			n++
		}
	}
	digits = strconv.AppendUint(nil, n, 10)
	exponent = len(digits) - 1 + drop
	return trimZeros(digits), exponent
}

// roundUp adds one to the last digit, and reports whether that made a new first one.
func roundUp(digits []byte) bool {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return false
		}
		digits[i] = '0'
	}
	digits[0] = '1'
	return true
}

func trimZeros(digits []byte) []byte {
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits
}
