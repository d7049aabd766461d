package functions

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

func init() {
	define("spark_soundex", "string -> string", func(a []any) any { return soundex(a[0].(string)) })
	define("spark_url_encode", "string -> string", func(a []any) any {
		return strings.NewReplacer("%2A", "*", "~", "%7E").Replace(url.QueryEscape(a[0].(string)))
	})
	define("spark_url_decode", "string -> string", func(a []any) any {
		s, err := url.QueryUnescape(a[0].(string))
		if err != nil {
			return nil
		}
		return s
	})
	define("spark_substring_index", "string, string, int -> string", func(a []any) any { return substringIndex(a[0].(string), a[1].(string), int(a[2].(int32))) })
	define("spark_luhn", "string -> boolean", func(a []any) any { return luhn(a[0].(string)) })
	define("spark_upper", "string -> string", func(a []any) any {
		return strings.ReplaceAll(strings.ToUpper(strings.ReplaceAll(a[0].(string), "ß", "SS")), "ŉ", "ʼN")
	})
	define("spark_lower", "string -> string", func(a []any) any { return javaLower(a[0].(string)) })
	failing("spark_unbase64", "string -> binary", func(a []any) (any, error) { return mimeDecode(a[0].(string)) })
	define("spark_subbytes", "binary, int, int -> binary", func(a []any) any {
		return subBytes(a[0].([]byte), int(a[1].(int32)), int(a[2].(int32)))
	})
	define("spark_padbytes", "binary, int, binary, string -> binary", func(a []any) any {
		return padBytes(a[0].([]byte), int(a[1].(int32)), a[2].([]byte), a[3] == "left")
	})
	define("spark_overlay_bytes", "binary, binary, int, int -> binary", func(a []any) any {
		b, part, pos, n := a[0].([]byte), a[1].([]byte), int(a[2].(int32)), int(a[3].(int32))
		if n < 0 {
			n = len(part)
		}
		return slices.Concat(subBytes(b, 1, pos-1), part, subBytes(b, pos+n, math.MaxInt32))
	})
	define("spark_has_bytes", "binary, binary -> boolean", func(a []any) any { return bytes.Contains(a[0].([]byte), a[1].([]byte)) })
	define("spark_sentences", "string -> strings", func(a []any) any { return sentences(a[0].(string)) })
	define("spark_join", "strings, string -> string", func(a []any) any { return joinTexts(a[0].([]any), a[1].(string)) })
	failing("spark_format_number", "string, int -> string", func(a []any) (any, error) {
		d := int(a[1].(int32))
		if d < 0 {
			return nil, nil
		}
		if d > mostDigits {
			return nil, raise("UNSUPPORTED_FEATURE", "format_number with more than "+itoa(mostDigits)+" decimals")
		}
		return grouped(a[0].(string), d), nil
	})
	failing("spark_format_pattern", "string, string -> string", func(a []any) (any, error) {
		p, err := decimalPatternOf(a[1].(string))
		if err != nil {
			return nil, err
		}
		return p.format(a[0].(string)), nil
	})
	define("spark_plain_number", "double -> string", func(a []any) any { return strconv.FormatFloat(a[0].(float64), 'f', -1, 64) })
	failing("spark_encode", "string, string -> binary", func(a []any) (any, error) { return encodeText(a[0].(string), a[1].(string)) })
	failing("spark_decode", "binary, string -> string", func(a []any) (any, error) { return decodeText(a[0].([]byte), a[1].(string)) })
	define("spark_text", "binary -> string", func(a []any) any { return strings.ToValidUTF8(string(a[0].([]byte)), "\uFFFD") })
	withNulls("spark_mask", "string, string, string, string, string -> string", func(a []any) (any, error) { return mask(a), nil })
	withNulls("spark_parse_url", "string, string, string, boolean, boolean -> string", parseURL)
	failing("spark_printf", "string, strings -> string", printf)
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

// grouped writes a plain number with commas and so many decimals, half even.
func grouped(s string, decimals int) string {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		if strings.HasPrefix(s, "-") {
			return "-" + infinite(s)
		}
		return infinite(s)
	}
	w, f := fixed(r.Abs(r), decimals, decimals)
	if w = commas(w, 3); f != "" {
		w += "." + f
	}
	if strings.HasPrefix(s, "-") {
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

// utf16Order is UTF-16 text's byte order by its name, and whether a mark of it stands in front.
func utf16Order(charset string) (order binary.ByteOrder, marked bool) {
	switch charset {
	case "UTF-16LE":
		return binary.LittleEndian, false
	case "UTF-16BE":
		return binary.BigEndian, false
	}
	return binary.BigEndian, true
}

func encodeText(s, charset string) (any, error) {
	switch name := strings.ToUpper(charset); name {
	case "UTF-8":
		return []byte(s), nil
	case "US-ASCII", "ISO-8859-1":
		limit := rune(0xFF)
		if name == "US-ASCII" {
			limit = 0x7F
		}
		var b []byte
		for _, r := range s {
			if r > limit {
				return nil, raise("MALFORMED_CHARACTER_CODING", "encode", charset)
			}
			b = append(b, byte(r))
		}
		return b, nil
	case "UTF-16", "UTF-16BE", "UTF-16LE":
		order, marked := utf16Order(name)
		var b []byte
		if marked && s != "" {
			b = append(b, 0xFE, 0xFF)
		}
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, 0, 0)
			order.PutUint16(b[len(b)-2:], u)
		}
		return b, nil
	case "UTF-32":
		var b []byte
		for _, r := range s {
			b = binary.BigEndian.AppendUint32(b, uint32(r))
		}
		return b, nil
	}
	return nil, raise("INVALID_PARAMETER_VALUE.CHARSET", "encode", charset)
}

func decodeText(b []byte, charset string) (any, error) {
	bad := func() (any, error) { return nil, raise("MALFORMED_CHARACTER_CODING", "decode", charset) }
	switch name := strings.ToUpper(charset); name {
	case "UTF-8":
		if !utf8.Valid(b) {
			return bad()
		}
		return string(b), nil
	case "US-ASCII", "ISO-8859-1":
		r := make([]rune, len(b))
		for i, c := range b {
			if c > 0x7F && name == "US-ASCII" {
				return bad()
			}
			r[i] = rune(c)
		}
		return string(r), nil
	case "UTF-16", "UTF-16BE", "UTF-16LE":
		order, marked := utf16Order(name)
		if marked && len(b) >= 2 {
			if b[0] == 0xFF && b[1] == 0xFE {
				order, b = binary.LittleEndian, b[2:]
			} else if b[0] == 0xFE && b[1] == 0xFF {
				b = b[2:]
			}
		}
		if len(b)%2 != 0 {
			return bad()
		}
		u := make([]uint16, len(b)/2)
		for i := range u {
			u[i] = order.Uint16(b[2*i:])
		}
		return string(utf16.Decode(u)), nil
	case "UTF-32":
		if len(b)%4 != 0 {
			return bad()
		}
		r := make([]rune, len(b)/4)
		for i := range r {
			r[i] = rune(binary.BigEndian.Uint32(b[4*i:]))
		}
		return string(r), nil
	}
	return nil, raise("INVALID_PARAMETER_VALUE.CHARSET", "decode", charset)
}

// subBytes is substring of bytes: from a place counted from 1, or from the end.
func subBytes(b []byte, pos, n int) []byte {
	start := 0
	switch {
	case pos > 0:
		start = pos - 1
	case pos < 0:
		start = len(b) + pos
	}
	end := min(start+n, len(b))
	if start = max(start, 0); start >= end {
		return []byte{}
	}
	return b[start:end]
}

func padBytes(b []byte, n int, fill []byte, left bool) []byte {
	if n = max(n, 0); len(b) >= n || len(fill) == 0 {
		return b[:min(n, len(b))]
	}
	pad := bytes.Repeat(fill, (n-len(b))/len(fill)+1)[:n-len(b)]
	if left {
		return append(pad, b...)
	}
	return append(bytes.Clone(b), pad...)
}

// javaLower is Java's toLowerCase: a Σ at the end of a word is ς.
func javaLower(s string) string {
	r := []rune(strings.ToLower(s))
	for i, c := range []rune(s) {
		if c == 'Σ' && i > 0 && i < len(r) && unicode.IsLetter(r[i-1]) && (i+1 == len(r) || !unicode.IsLetter(r[i+1])) {
			r[i] = 'ς'
		}
	}
	return string(r)
}

// mimeDecode reads base 64 as Java's MIME decoder does: other characters are passed over, the padding may be left out.
func mimeDecode(s string) (any, error) {
	digits := make([]byte, 0, len(s))
	for i := 0; i < len(s) && s[i] != '='; i++ {
		if c := s[i]; isLetter(c) || isDigit(c) || c == '+' || c == '/' {
			digits = append(digits, c)
		}
	}
	if len(digits)%4 == 1 {
		return nil, raise("JAVA.IllegalArgumentException", "Last unit does not have enough valid bits")
	}
	b := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
	n, err := base64.RawStdEncoding.Decode(b, digits)
	return b[:n], err
}

func joinTexts(list []any, sep string) string {
	parts := make([]string, 0, len(list))
	for _, x := range list {
		if s, ok := x.(string); ok {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, sep)
}

// sentences splits a text into sentences, each as its words with \x1f between them. A sentence ends with . ! or ? before a space
// and something that is no small letter.
func sentences(s string) []any {
	var out []any
	var words []string
	flush := func() {
		if len(words) > 0 {
			out = append(out, strings.Join(words, "\x1f"))
		}
		words = nil
	}
	r := []rune(s)
	inWord := func(i int) bool {
		c := r[i]
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' {
			return true
		}
		return i > 0 && i+1 < len(r) && (c == '\'' && unicode.IsLetter(r[i-1]) && unicode.IsLetter(r[i+1]) || (c == '.' || c == ',') && unicode.IsDigit(r[i-1]) && unicode.IsDigit(r[i+1]) ||
			c == '-' && unicode.IsLetter(r[i-1]) && unicode.IsLetter(r[i+1]))
	}
	for i := 0; i < len(r); {
		if !inWord(i) {
			if strings.ContainsRune(".!?", r[i]) {
				j := i + 1
				for j < len(r) && unicode.IsSpace(r[j]) {
					j++
				}
				if j == len(r) || j > i+1 && !unicode.IsLower(r[j]) {
					flush()
				}
			}
			i++
			continue
		}
		start := i
		for i < len(r) && inWord(i) {
			i++
		}
		words = append(words, string(r[start:i]))
	}
	flush()
	if out == nil {
		out = []any{}
	}
	return out
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

// parseURL takes the URL, the part, a key, whether there is a key, and whether what is no URL gives NULL in place of an error.
func parseURL(a []any) (any, error) {
	text, ok := a[0].(string)
	part, ok2 := a[1].(string)
	if !ok || !ok2 || a[3] == true && a[2] == nil {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil || strings.ContainsAny(text, " <>\"{}|\\^`") {
		if a[4] == true {
			return nil, nil
		}
		return nil, raise("INVALID_URL", text)
	}
	if key, ok := a[2].(string); ok {
		if part != "QUERY" {
			return nil, nil
		}
		for _, kv := range strings.Split(u.RawQuery, "&") {
			if k, v, ok := strings.Cut(kv, "="); ok && k == key {
				return v, nil
			}
		}
		return nil, nil
	}
	return urlPart(u, part), nil
}

func urlPart(u *url.URL, part string) any {
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
