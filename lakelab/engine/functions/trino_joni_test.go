package functions

import "testing"

// TestJoniPatterns matches what regexp2 reads otherwise than Java's regular expressions.
func TestJoniPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{`^a++b$`, "aab", true}, {`^a++ab$`, "aab", false}, {`^(?:ab){2}+$`, "abab", true}, {`^a**$`, "aaa", true},
		{`^[a-c&&b-d]+$`, "bc", true}, {`^[a-c&&b-d]+$`, "ab", false}, {`^[^a-c&&b-d]$`, "a", true}, {`^[^a-c&&b-d]$`, "b", false},
		{`^[a-c[x-z]]+$`, "axz", true}, {`^[a-c[x-z]]+$`, "d", false}, {`^[a-z&&[^aeiou]]+$`, "xyz", true}, {`^[a-z&&[^aeiou]]+$`, "xaz", false},
		{`^\Qa.b\E+$`, "a.bbb", true}, {`^\Qa.b\E+$`, "a.ba.b", false}, {`^\Qab\E++b$`, "abb", false}, {`^\Qa.b\E$`, "axb", false}, {`\Q[`, "[", true}, {`^[[:alpha:]]+$`, "ab", true}, {`^[\w.+-]+@x$`, "a.b+c-d@x", true},
		{`^\p{Alpha}+$`, "ab", true}, {`^\p{Alpha}+$`, "1", false}, {`^[\p{Digit}x]+$`, "1x2", true}, {`^\P{Digit}$`, "1", false}, {`^\p{Lu}\p{IsCyrillic}$`, "ЯЯ", true},
		{`(?<=a|bc)d`, "bcd", true}, {`(?x) a # b(
			c`, "ac", true}, {`^(?<y>\d+)-\k<y>$`, "12-12", true}, {`^a{$`, "a{", true}, {`^[]a]+$`, "]a", true}, {`^(a)(?i:B)\1$`, "aba", true}, {`^[a-]$`, "-", true},
		{`^\x41\u0042\x{43}$`, "ABC", true}, {`^[\x41-\x{43}]+$`, "ABC", true}, {`^[\d-x]+$`, "1-x", true}, {`^.+?$`, "ab", true}, {`^\[\]\{\}$`, "[]{}", true},
	} {
		re, err := trinoRegexp(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if got, err := re.MatchString(c.text); got != c.want || err != nil {
			t.Errorf("%s on %s: %v %v, read as %s", c.pattern, c.text, got, err, re)
		}
	}
}
