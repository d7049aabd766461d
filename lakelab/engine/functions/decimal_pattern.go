package functions

import (
	"math/big"
	"strings"
)

// decimalPattern is a pattern of Java's DecimalFormat, without exponents: https://docs.oracle.com/javase/17/docs/api/java.base/java/text/DecimalFormat.html
type decimalPattern struct {
	prefix, suffix       string
	below                [2]string // prefix and suffix of negative numbers
	whole                int       // digits in front of the point, at least
	least, most          int       // digits behind it
	group                int       // digits between commas; 0: none
	point                bool      // the point stands without digits behind it, too
	multiplier           int64
	left, zeros, right   int // of # and 0 read so far
	decimal, sinceCommas int // places; -1: none
}

// decimalPatternOf reads a pattern; an empty one is Spark's own.
func decimalPatternOf(text string) (*decimalPattern, error) {
	if text == "" {
		text = "#,###,###,###,###,###,##0"
	}
	p := &decimalPattern{multiplier: 1, decimal: -1, sinceCommas: -1}
	bad := func(why string) (*decimalPattern, error) {
		return nil, raise("JAVA.IllegalArgumentException", why+` "`+text+`"`)
	}
	runes := []rune(text)
	affix, quoted, numbers, i := &p.prefix, false, false, 0
	for ; i < len(runes); i++ {
		c := runes[i]
		switch {
		case c == '\'':
			if i+1 < len(runes) && runes[i+1] == '\'' {
				*affix += "'"
				i++
			} else {
				quoted = !quoted
			}
			numbers = false
		case quoted:
			*affix += string(c)
		case strings.ContainsRune("#0,.", c):
			numbers = true
			if why := p.digit(c); why != "" {
				return bad(why)
			}
			affix = &p.suffix
		case c == 'E' && numbers:
			return nil, raise("UNSUPPORTED_FEATURE", "format_number with an exponent in the pattern")
		case c == ';' && affix == &p.prefix:
			return bad("Unquoted special character ';' in pattern")
		case c == ';':
			if err := p.negative(runes[i+1:]); err != nil {
				return nil, err
			}
			i = len(runes)
		default:
			numbers = false
			if why := p.special(c, affix); why != "" {
				return bad(why)
			}
		}
	}
	if quoted || !p.close() {
		return bad("Malformed pattern")
	}
	if p.below == [2]string{} || p.below == [2]string{p.prefix, p.suffix} {
		p.below = [2]string{"-" + p.prefix, p.suffix}
	}
	return p, nil
}

// digit counts a character of the number; the answer is what is wrong with it.
func (p *decimalPattern) digit(c rune) string {
	switch {
	case c == ',':
		p.sinceCommas = 0
		return ""
	case c == '.' && p.decimal >= 0:
		return "Multiple decimal separators in pattern"
	case c == '.':
		p.decimal = p.left + p.zeros + p.right
		return ""
	case c == '0' && p.right > 0:
		return "Unexpected '0' in pattern"
	case c == '0':
		p.zeros++
	case p.zeros > 0:
		p.right++
	default:
		p.left++
	}
	if p.sinceCommas >= 0 && p.decimal < 0 {
		p.sinceCommas++
	}
	return ""
}

// special adds a character in front of the number or behind it.
func (p *decimalPattern) special(c rune, affix *string) string {
	factor := map[rune]int64{'%': 100, '‰': 1000}[c]
	switch {
	case factor > 0 && p.multiplier != 1:
		return "Too many percent/per mille characters in pattern"
	case factor > 0:
		p.multiplier = factor
	case c == '¤':
		c = '$'
	}
	*affix += string(c)
	return ""
}

// negative reads what stands around negative numbers, behind ;.
func (p *decimalPattern) negative(runes []rune) error {
	q := &decimalPattern{multiplier: 1}
	affix := &q.prefix
	for _, c := range runes {
		if strings.ContainsRune("#0,.", c) {
			affix = &q.suffix
		} else if c != '\'' {
			q.special(c, affix)
		}
	}
	p.below = [2]string{q.prefix, q.suffix}
	return nil
}

// close turns the counts into how many digits are written, and reports whether they make sense.
func (p *decimalPattern) close() bool {
	if p.zeros == 0 && p.left > 0 && p.decimal >= 0 {
		n := max(p.decimal, 1)
		p.right, p.left, p.zeros = p.left-n, n-1, 1
	}
	if p.decimal < 0 && p.right > 0 || p.decimal >= 0 && (p.decimal < p.left || p.decimal > p.left+p.zeros) || p.sinceCommas == 0 {
		return false
	}
	all := p.left + p.zeros + p.right
	p.whole, p.group = all-p.left, max(p.sinceCommas, 0)
	if p.decimal >= 0 {
		p.whole, p.most, p.least = p.decimal-p.left, all-p.decimal, p.left+p.zeros-p.decimal
		p.point = p.decimal == 0 || p.decimal == all
	}
	return true
}

// format writes a plain number.
func (p *decimalPattern) format(s string) string {
	negative := strings.HasPrefix(s, "-")
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		if w := infinite(s); negative {
			return p.below[0] + w + p.below[1]
		} else if w == infinity {
			return p.prefix + w + p.suffix
		}
		return s
	}
	r.Mul(r.Abs(r), new(big.Rat).SetInt64(p.multiplier))
	w, f := fixed(r, p.least, p.most)
	if w = strings.TrimLeft(w, "0"); len(w) < p.whole {
		w = strings.Repeat("0", p.whole-len(w)) + w
	}
	if w == "" && f == "" {
		w = "0"
	}
	w = commas(w, p.group)
	if f != "" || p.point {
		w += "." + f
	}
	if negative {
		return p.below[0] + w + p.below[1]
	}
	return p.prefix + w + p.suffix
}

const infinity = "∞"

// infinite is what DecimalFormat writes for a text of Go's that is no number, without the sign.
func infinite(s string) string {
	if strings.HasSuffix(s, "Inf") {
		return infinity
	}
	return s
}

// finest is how many decimals a number can have: the smallest DOUBLE has as many, a text of one fewer.
const finest = 1074

// mostDigits is how many digits or spaces a function that formats numbers puts around one. Java's own limit is its memory.
const mostDigits = 1_000_000

// fixed is a number of at least 0 with least to most decimals, half even: the digits in front of the point, and behind it.
func fixed(r *big.Rat, least, most int) (whole, decimals string) {
	places := min(most, finest)
	scaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)))
	digits := halfEven(new(big.Int).Set(scaled.Num()), scaled.Denom()).String()
	digits = strings.Repeat("0", max(places+1-len(digits), 0)) + digits
	whole, decimals = digits[:len(digits)-places], strings.TrimRight(digits[len(digits)-places:], "0")
	return whole, decimals + strings.Repeat("0", max(least-len(decimals), 0))
}

// commas parts digits into groups of n; none if n is 0.
func commas(digits string, n int) string {
	if n > 0 {
		for i := len(digits) - n; i > 0; i -= n {
			digits = digits[:i] + "," + digits[i:]
		}
	}
	return digits
}
