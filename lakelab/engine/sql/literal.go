package sql

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unquoteIdent takes the quotes off an identifier.
func unquoteIdent(text string) string {
	q := text[:1]
	return strings.ReplaceAll(text[1:len(text)-1], q+q, q)
}

// unquoteString resolves a string literal's quotes and escapes.
func unquoteString(d Dialect, text string) string {
	if d == Trino {
		return strings.ReplaceAll(text[1:len(text)-1], "''", "'")
	}
	if text[0]|0x20 == 'r' {
		return text[2 : len(text)-1]
	}
	body := text[1 : len(text)-1]
	if strings.IndexByte(body, '\\') < 0 {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); {
		c := body[i]
		if c != '\\' || i+1 == len(body) {
			b.WriteByte(c)
			i++
			continue
		}
		n := escape(&b, body[i+1:])
		i += 1 + n
	}
	return b.String()
}

// escape writes what a backslash and s mean in Spark and says how much of s that took.
func escape(b *strings.Builder, s string) int {
	hex := func(n int) bool {
		if len(s) < n+1 {
			return false
		}
		v, err := strconv.ParseUint(s[1:n+1], 16, 32)
		if err != nil {
			return false
		}
		b.WriteRune(rune(v))
		return true
	}
	switch s[0] {
	case 'u':
		if hex(4) {
			return 5
		}
	case 'U':
		if hex(8) {
			return 9
		}
	case '0', '1':
		if len(s) >= 3 && s[1] >= '0' && s[1] <= '7' && s[2] >= '0' && s[2] <= '7' {
			v, _ := strconv.ParseUint(s[:3], 8, 32)
			b.WriteRune(rune(v))
			return 3
		}
		if s[0] == '0' {
			b.WriteByte(0)
			return 1
		}
	case 'b':
		b.WriteByte('\b')
		return 1
	case 'n':
		b.WriteByte('\n')
		return 1
	case 'r':
		b.WriteByte('\r')
		return 1
	case 't':
		b.WriteByte('\t')
		return 1
	case 'Z':
		b.WriteByte(26)
		return 1
	case '%', '_':
		// They stay escaped for LIKE.
		b.WriteByte('\\')
		b.WriteByte(s[0])
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	b.WriteString(s[:n])
	return n
}

// unicodeString resolves Trino's U&'…' with its escape character.
func unicodeString(text string, esc byte) (out, refused string) {
	s := unquoteString(Trino, text[2:])
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != esc {
			b.WriteByte(s[i])
			i++
			continue
		}
		i++
		if i < len(s) && s[i] == esc {
			b.WriteByte(esc)
			i++
			continue
		}
		n := 4
		if i < len(s) && s[i] == '+' {
			n = 6
			i++
		}
		if i+n > len(s) {
			return "", "Incomplete escape sequence: " + text
		}
		for _, c := range s[i : i+n] {
			if c >= 0x80 || !isHex(byte(c), 'x') {
				return "", "Invalid hexadecimal digit: " + string(c)
			}
		}
		v, _ := strconv.ParseUint(s[i:i+n], 16, 32)
		if !utf8.ValidRune(rune(v)) {
			return "", "Incomplete escape sequence: " + text
		}
		b.WriteRune(rune(v))
		i += n
	}
	return b.String(), ""
}

// splitNumber separates a Spark number from its suffix.
func splitNumber(text string) (digits, suffix string) {
	n := len(text)
	switch text[n-1] | 0x20 {
	case 'd':
		if n > 1 && text[n-2]|0x20 == 'b' {
			return text[:n-2], "BD"
		}
		return text[:n-1], "D"
	case 'l', 's', 'y', 'f':
		return text[:n-1], strings.ToUpper(text[n-1:])
	}
	return text, ""
}
