package functions

import (
	"math/big"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"

	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	str := types.String
	define("spark_soundex", kinds("string"), str, func(a []any) any { return soundex(a[0].(string)) })
	define("spark_url_encode", kinds("string"), str, func(a []any) any {
		return strings.NewReplacer("%2A", "*", "~", "%7E").Replace(url.QueryEscape(a[0].(string)))
	})
	define("spark_url_decode", kinds("string"), str, func(a []any) any {
		s, err := url.QueryUnescape(a[0].(string))
		if err != nil {
			return nil
		}
		return s
	})
	define("spark_substring_index", kinds("string, string, int"), str, func(a []any) any { return substringIndex(a[0].(string), a[1].(string), int(a[2].(int32))) })
	define("spark_luhn", kinds("string"), types.Boolean, func(a []any) any { return luhn(a[0].(string)) })
	define("spark_format_number", kinds("string, int"), str, func(a []any) any {
		d := int(a[1].(int32))
		if d < 0 {
			return nil
		}
		return grouped(a[0].(string), d, d, true, 1)
	})
	define("spark_format_pattern", kinds("string, string"), str, func(a []any) any { return decimalPattern(a[0].(string), a[1].(string)) })
	define("spark_plain_number", kinds("double"), str, func(a []any) any { return strconv.FormatFloat(a[0].(float64), 'f', -1, 64) })
	define("spark_encode", kinds("string, string"), types.Binary, func(a []any) any { return encodeText(a[0].(string), a[1].(string)) })
	define("spark_decode", kinds("binary, string"), str, func(a []any) any { return decodeText(a[0].([]byte), a[1].(string)) })
	udfs = append(udfs,
		UDF{Name: "spark_mask", Args: kinds("string, string, string, string, string"), Result: str, Nulls: true, Call: func(a []any) (any, error) { return mask(a), nil }},
		UDF{Name: "spark_parse_url", Args: kinds("string, string, string"), Result: str, Nulls: true, Call: func(a []any) (any, error) { return parseURL(a), nil }},
		UDF{Name: "spark_printf", Args: []types.Kind{str, types.Array}, Result: str, Call: printf},
		UDF{Name: "spark_split", Args: kinds("string, string, int"), Result: types.Array, Call: func(a []any) (any, error) {
			re, err := compile(a[1].(string))
			if err != nil {
				return nil, err
			}
			return split(re, a[0].(string), int(a[2].(int32))), nil
		}},
		UDF{Name: "spark_regexp_extract", Args: kinds("string, string, int"), Result: str, Call: func(a []any) (any, error) {
			re, err := compile(a[1].(string))
			if err != nil {
				return nil, err
			}
			g := int(a[2].(int32))
			if g < 0 || g > re.NumSubexp() {
				return nil, raise("INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX", "regexp_extract", strconv.Itoa(re.NumSubexp()), strconv.Itoa(g))
			}
			m := re.FindStringSubmatch(a[0].(string))
			if m == nil {
				return "", nil
			}
			return m[g], nil
		}},
		UDF{Name: "spark_regexp_extract_all", Args: kinds("string, string, int"), Result: types.Array, Call: func(a []any) (any, error) {
			re, err := compile(a[1].(string))
			if err != nil {
				return nil, err
			}
			g := int(a[2].(int32))
			if g < 0 || g > re.NumSubexp() {
				return nil, raise("INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX", "regexp_extract_all", strconv.Itoa(re.NumSubexp()), strconv.Itoa(g))
			}
			out := []any{}
			for _, m := range re.FindAllStringSubmatch(a[0].(string), -1) {
				out = append(out, m[g])
			}
			return out, nil
		}},
		UDF{Name: "spark_regexp_replace", Args: kinds("string, string, string, int"), Result: str, Call: func(a []any) (any, error) {
			re, err := compile(a[1].(string))
			if err != nil {
				return nil, err
			}
			s, from := a[0].(string), int(a[3].(int32))-1
			head := ""
			if from > 0 {
				r := []rune(s)
				from = min(from, len(r))
				head, s = string(r[:from]), string(r[from:])
			}
			return head + re.ReplaceAllString(s, javaReplacement(a[2].(string))), nil
		}},
		UDF{Name: "spark_regexp_count", Args: kinds("string, string"), Result: types.Int, Call: func(a []any) (any, error) {
			re, err := compile(a[1].(string))
			if err != nil {
				return nil, err
			}
			return int32(len(re.FindAllStringIndex(a[0].(string), -1))), nil
		}},
		UDF{Name: "spark_regexp_instr", Args: kinds("string, string"), Result: types.Int, Call: func(a []any) (any, error) {
			re, err := compile(a[1].(string))
			if err != nil {
				return nil, err
			}
			m := re.FindStringIndex(a[0].(string))
			if m == nil {
				return int32(0), nil
			}
			return int32(len([]rune(a[0].(string)[:m[0]])) + 1), nil
		}},
		UDF{Name: "spark_regexp_substr", Args: kinds("string, string"), Result: str, Call: func(a []any) (any, error) {
			re, err := compile(a[1].(string))
			if err != nil {
				return nil, err
			}
			m := re.FindStringIndex(a[0].(string))
			if m == nil {
				return nil, nil
			}
			return a[0].(string)[m[0]:m[1]], nil
		}},
	)
}

var patterns sync.Map // text of a regular expression → *regexp.Regexp

// compile reads a regular expression. RE2's syntax covers Java's but for look-around, back references and possessive counts.
func compile(s string) (*regexp.Regexp, error) {
	if re, ok := patterns.Load(s); ok {
		return re.(*regexp.Regexp), nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, raise("INVALID_PARAMETER_VALUE.PATTERN", "regexp", s)
	}
	patterns.Store(s, re)
	return re, nil
}

// javaReplacement turns Java's replacement text into Go's: $1 is a group, \ takes the next character as it is.
func javaReplacement(s string) string {
	if !strings.ContainsAny(s, `$\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			if s[i] == '$' {
				b.WriteByte('$')
			}
			b.WriteByte(s[i])
		case s[i] == '$' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			b.WriteString("${" + s[i+1:i+2] + "}")
			i++
		case s[i] == '$' && i+1 < len(s) && s[i+1] == '{':
			b.WriteByte('$')
		case s[i] == '$':
			b.WriteString("$$")
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// split is Java's String.split: with a limit of 0 or less every part is kept, an empty match at the start makes none.
func split(re *regexp.Regexp, s string, limit int) []any {
	out := []any{}
	at := 0
	for _, m := range re.FindAllStringIndex(s, -1) {
		if limit > 0 && len(out) == limit-1 {
			break
		}
		if m[1] == 0 || m[0] == m[1] && m[0] >= len(s) {
			continue
		}
		out = append(out, s[at:m[0]])
		at = m[1]
	}
	return append(out, s[at:])
}

func soundex(s string) string {
	if s == "" || !isLetter(s[0]) {
		return s
	}
	const codes = "01230127022455012623017202" // by letter; 7 is h and w, which do not part equal codes
	up := strings.ToUpper(s)
	out := []byte{up[0]}
	last := codes[up[0]-'A']
	for i := 1; i < len(up) && len(out) < 4; i++ {
		if !isLetter(up[i]) {
			last = '0'
			continue
		}
		c := codes[up[i]-'A']
		if c == '7' {
			continue
		}
		if c != '0' && c != last {
			out = append(out, c)
		}
		last = c
	}
	for len(out) < 4 {
		out = append(out, '0')
	}
	return string(out)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func substringIndex(s, delim string, n int) string {
	if delim == "" || n == 0 {
		return ""
	}
	parts := strings.Split(s, delim)
	switch {
	case n > 0 && n < len(parts):
		return strings.Join(parts[:n], delim)
	case n < 0 && -n < len(parts):
		return strings.Join(parts[len(parts)+n:], delim)
	}
	return s
}

func luhn(s string) bool {
	if s == "" {
		return false
	}
	sum := 0
	for i := 0; i < len(s); i++ {
		c := s[len(s)-1-i]
		if c < '0' || c > '9' {
			return false
		}
		d := int(c - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// grouped writes a plain number with least to most decimals, half even, commas if asked for, and at least whole digits in front.
func grouped(s string, least, most int, commas bool, whole int) string {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return s
	}
	scaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(most)), nil)))
	digits := halfEven(new(big.Int).Abs(scaled.Num()), scaled.Denom()).String()
	for len(digits) <= most {
		digits = "0" + digits
	}
	w, f := digits[:len(digits)-most], digits[len(digits)-most:]
	for len(f) > least && strings.HasSuffix(f, "0") {
		f = f[:len(f)-1]
	}
	if w = strings.TrimLeft(w, "0"); len(w) < whole {
		w = strings.Repeat("0", whole-len(w)) + w
	}
	if commas {
		for i := len(w) - 3; i > 0; i -= 3 {
			w = w[:i] + "," + w[i:]
		}
	}
	if f != "" {
		w += "." + f
	}
	if r.Sign() < 0 {
		w = "-" + w
	}
	return w
}

func halfEven(num, den *big.Int) *big.Int {
	q, m := new(big.Int).QuoRem(num, den, new(big.Int))
	switch m.Lsh(m, 1).Cmp(den) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		q.Add(q, new(big.Int).And(q, big.NewInt(1)))
	}
	return q
}

// decimalPattern is Java's DecimalFormat for patterns of #, 0, comma and point.
func decimalPattern(s, pattern string) string {
	if pattern == "" {
		pattern = "#,###,###,###,###,###,##0"
	}
	start := strings.IndexAny(pattern, "#0,.")
	if start < 0 {
		return pattern
	}
	end := strings.LastIndexAny(pattern, "#0,.") + 1
	body := pattern[start:end]
	w, f, _ := strings.Cut(body, ".")
	return pattern[:start] + grouped(s, strings.Count(f, "0"), len(f), strings.Contains(w, ","), strings.Count(w, "0")) + pattern[end:]
}

func encodeText(s, charset string) any {
	switch strings.ToUpper(charset) {
	case "UTF-8", "UTF8", "US-ASCII", "ISO-8859-1":
		if strings.HasPrefix(strings.ToUpper(charset), "UTF") {
			return []byte(s)
		}
		limit := rune(0xFF)
		if strings.EqualFold(charset, "US-ASCII") {
			limit = 0x7F
		}
		var b []byte
		for _, r := range s {
			if r > limit {
				r = '?'
			}
			b = append(b, byte(r))
		}
		return b
	case "UTF-16", "UTF-16BE", "UTF-16LE":
		little := strings.HasSuffix(strings.ToUpper(charset), "LE")
		var b []byte
		if strings.EqualFold(charset, "UTF-16") {
			b = append(b, 0xFE, 0xFF)
		}
		for _, u := range utf16.Encode([]rune(s)) {
			if little {
				b = append(b, byte(u), byte(u>>8))
			} else {
				b = append(b, byte(u>>8), byte(u))
			}
		}
		return b
	}
	return nil
}

func decodeText(b []byte, charset string) any {
	switch strings.ToUpper(charset) {
	case "UTF-8", "UTF8", "US-ASCII":
		return strings.ToValidUTF8(string(b), "\uFFFD")
	case "ISO-8859-1":
		r := make([]rune, len(b))
		for i, c := range b {
			r[i] = rune(c)
		}
		return string(r)
	case "UTF-16", "UTF-16BE", "UTF-16LE":
		little := strings.HasSuffix(strings.ToUpper(charset), "LE")
		if strings.EqualFold(charset, "UTF-16") && len(b) >= 2 {
			if b[0] == 0xFF && b[1] == 0xFE {
				little, b = true, b[2:]
			} else if b[0] == 0xFE && b[1] == 0xFF {
				b = b[2:]
			}
		}
		u := make([]uint16, len(b)/2)
		for i := range u {
			lo, hi := b[2*i+1], b[2*i]
			if little {
				lo, hi = hi, lo
			}
			u[i] = uint16(hi)<<8 | uint16(lo)
		}
		return string(utf16.Decode(u))
	}
	return nil
}

func mask(a []any) any {
	s, ok := a[0].(string)
	if !ok {
		return nil
	}
	var b strings.Builder
	put := func(r rune, with any) {
		if w, ok := with.(string); ok {
			b.WriteString(w)
		} else {
			b.WriteRune(r)
		}
	}
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			put(r, a[1])
		case unicode.IsLower(r):
			put(r, a[2])
		case unicode.IsDigit(r):
			put(r, a[3])
		default:
			put(r, a[4])
		}
	}
	return b.String()
}

func parseURL(a []any) any {
	text, ok := a[0].(string)
	part, ok2 := a[1].(string)
	if !ok || !ok2 {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	if key, ok := a[2].(string); ok {
		if part != "QUERY" {
			return nil
		}
		for _, kv := range strings.Split(u.RawQuery, "&") {
			if k, v, ok := strings.Cut(kv, "="); ok && k == key {
				return v
			}
		}
		return nil
	}
	some := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	switch part {
	case "HOST":
		return some(u.Hostname())
	case "PATH":
		return u.EscapedPath()
	case "QUERY":
		return some(u.RawQuery)
	case "REF":
		return some(u.Fragment)
	case "PROTOCOL":
		return some(u.Scheme)
	case "FILE":
		f := u.EscapedPath()
		if u.RawQuery != "" {
			f += "?" + u.RawQuery
		}
		return f
	case "AUTHORITY":
		auth := u.Host
		if u.User != nil {
			auth = u.User.String() + "@" + auth
		}
		return some(auth)
	case "USERINFO":
		if u.User == nil {
			return nil
		}
		return u.User.String()
	}
	return nil
}
