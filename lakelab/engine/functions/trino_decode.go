package functions

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// What Trino decodes ("Binary functions and operators", "URL functions"): in bytes or text, refused in the words of Java's decoders.

// decoding prints a UDF over bytes for a function that takes text as well.
func decoding(name, doc, udf string) *expr.Func {
	return tp(name, doc, func(c *expr.Call, a []string) string {
		if c.Args[0].Type().Kind != types.Binary {
			return udf + "(encode(" + a[0] + "))"
		}
		return udf + "(" + a[0] + ")"
	})
}

func init() {
	trino(
		decoding("from_hex", "bytes out of hex", "trino_from_hex"), decoding("from_base64", "bytes out of base 64", "trino_from_base64"),
		decoding("from_base64url", "bytes out of base 64 for addresses", "trino_from_base64url"), decoding("from_base32", "bytes out of base 32", "trino_from_base32"),
		tp("from_utf8", "bytes as text; what is none is replaced", func(c *expr.Call, a []string) string {
			switch {
			case len(a) == 1:
				return "trino_from_utf8(" + a[0] + ", chr(65533))"
			case c.Args[1].Type().Kind == types.String:
				return "trino_from_utf8(" + a[0] + ", " + a[1] + ")"
			}
			return "trino_from_utf8_code(" + a[0] + ", " + a[1] + ")"
		}),
		tr("url_decode", "text out of an address", "trino_url_decode($1)"),
	)
	bytesOf := func(name string, f func(b []byte) ([]byte, error)) {
		failing(name, "binary -> binary", func(a []any) (any, error) {
			out, err := f(a[0].([]byte))
			if err != nil {
				return nil, err
			}
			return out, nil
		})
	}
	bytesOf("trino_from_hex", fromHex)
	bytesOf("trino_from_base64", func(b []byte) ([]byte, error) { return fromBase64(b, '+', '/') })
	bytesOf("trino_from_base64url", func(b []byte) ([]byte, error) { return fromBase64(b, '-', '_') })
	bytesOf("trino_from_base32", fromBase32)
	failing("trino_from_utf8", "binary, string -> string", func(a []any) (any, error) {
		if utf8.RuneCountInString(a[1].(string)) > 1 {
			return nil, badArgument("Replacement character string must empty or a single character")
		}
		return fixedUTF8(a[0].([]byte), a[1].(string)), nil
	})
	failing("trino_from_utf8_code", "binary, long -> string", func(a []any) (any, error) {
		b, code := a[0].([]byte), a[1].(int64)
		switch {
		case code > utf8.MaxRune || code >= 0xD800 && code <= 0xDFFF:
			return nil, badArgument("Invalid replacement character")
		case utf8.Valid(b):
			return string(b), nil
		case code < 0:
			return nil, raise("TRINO", "GENERIC_INTERNAL_ERROR", "Invalid code point 0x"+strings.ToUpper(strconv.FormatUint(uint64(uint32(code)), 16)))
		}
		return fixedUTF8(b, string(rune(code))), nil
	})
	failing("trino_url_decode", "string -> string", func(a []any) (any, error) { return urlDecoded(a[0].(string)) })
}

// hexByte is the byte of two digits, or why Java's HexFormat refuses one: a byte is a character there, and signed.
func hexByte(high, low byte) (out byte, refused string) {
	for _, c := range []byte{high, low} {
		switch {
		case c >= '0' && c <= '9':
			out = out<<4 | (c - '0')
		case c >= 'a' && c <= 'f':
			out = out<<4 | (c - 'a' + 10)
		case c >= 'A' && c <= 'F':
			out = out<<4 | (c - 'A' + 10)
		default:
			return 0, `not a hexadecimal digit: "` + string(rune(uint16(int8(c)))) + `" = ` + itoa(int(int8(c)))
		}
	}
	return out, ""
}

func fromHex(b []byte) ([]byte, error) {
	if len(b)%2 != 0 {
		return nil, badArgument("invalid input length " + itoa(len(b)))
	}
	out := make([]byte, 0, len(b)/2)
	for i := 0; i < len(b); i += 2 {
		v, refused := hexByte(b[i], b[i+1])
		if refused != "" {
			return nil, badArgument(refused)
		}
		out = append(out, v)
	}
	return out, nil
}

// fromBase64 reads base 64 as Java's java.util.Base64 does: padding may be missing, but not be half there. The last two digits are
// given.
func fromBase64(b []byte, d62, d63 byte) ([]byte, error) {
	if len(b) == 1 {
		return nil, badArgument("Input byte[] should at least have 2 bytes for base64 bytes")
	}
	var out []byte
	bits, have := uint32(0), 0 // the digits of a unit of four that are there
	i := 0
read:
	for i < len(b) {
		c := b[i]
		i++
		var v byte
		switch {
		case c >= 'A' && c <= 'Z':
			v = c - 'A'
		case c >= 'a' && c <= 'z':
			v = c - 'a' + 26
		case c >= '0' && c <= '9':
			v = c - '0' + 52
		case c == d62:
			v = 62
		case c == d63:
			v = 63
		case c == '=':
			if have == 2 {
				if i == len(b) || b[i] != '=' {
					return nil, badArgument("Input byte array has wrong 4-byte ending unit")
				}
				i++
			} else if have == 0 {
				return nil, badArgument("Input byte array has wrong 4-byte ending unit")
			}
			break read
		default:
			return nil, badArgument("Illegal base64 character " + strconv.FormatInt(int64(int8(c)), 16))
		}
		bits, have = bits<<6|uint32(v), have+1
		if have == 4 {
			out = append(out, byte(bits>>16), byte(bits>>8), byte(bits))
			bits, have = 0, 0
		}
	}
	switch have {
	case 1:
		return nil, badArgument("Last unit does not have enough valid bits")
	case 2:
		out = append(out, byte(bits>>4))
	case 3:
		out = append(out, byte(bits>>10), byte(bits>>2))
	}
	if i < len(b) {
		return nil, badArgument("Input byte array has incorrect ending byte at " + itoa(i))
	}
	return out, nil
}

// fromBase32 reads base 32 as Guava's BaseEncoding does: padding is cut off, whatever there is of it.
func fromBase32(b []byte) ([]byte, error) {
	runes := []rune(strings.TrimRight(string(b), "="))
	switch len(runes) % 8 {
	case 1, 3, 6:
		return nil, badArgument("Invalid input length " + itoa(len(runes)))
	}
	var out []byte
	bits, have := uint32(0), 0
	for _, r := range runes {
		switch {
		case r >= 'A' && r <= 'Z':
			bits = bits<<5 | uint32(r-'A')
		case r >= '2' && r <= '7':
			bits = bits<<5 | uint32(r-'2'+26)
		case r <= ' ' || r >= 0x7f:
			return nil, badArgument("Unrecognized character: 0x" + strconv.FormatInt(int64(r), 16))
		default:
			return nil, badArgument("Unrecognized character: " + string(r))
		}
		if have += 5; have >= 8 {
			have -= 8
			out = append(out, byte(bits>>have))
		}
	}
	return out, nil
}

// fixedUTF8 puts a text in the place of every sequence of bytes that is no character. A sequence is as long as its first byte says,
// cut where a byte is no continuation.
func fixedUTF8(b []byte, with string) string {
	var out strings.Builder
	for len(b) > 0 {
		if r, n := utf8.DecodeRune(b); r != utf8.RuneError || n > 1 {
			out.Write(b[:n])
			b = b[n:]
			continue
		}
		want := 1
		switch c := b[0]; {
		case c >= 0xFE || c < 0xC0:
		case c >= 0xFC:
			want = 6
		case c >= 0xF8:
			want = 5
		case c >= 0xF0:
			want = 4
		case c >= 0xE0:
			want = 3
		default:
			want = 2
		}
		n := 1
		for n < want && n < len(b) && b[n]&0xC0 == 0x80 {
			n++
		}
		out.WriteString(with)
		b = b[n:]
	}
	return out.String()
}

// urlDecoded takes the escapes out of an address's text as Java's URLDecoder does.
func urlDecoded(s string) (any, error) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '+':
			out = append(out, ' ')
		case '%':
			if i+2 >= len(s) {
				return nil, badArgument("URLDecoder: Incomplete trailing escape (%) pattern")
			}
			b, refused := hexByte(s[i+1], s[i+2])
			if refused != "" {
				return nil, badArgument("URLDecoder: Illegal hex characters in escape (%) pattern - " + refused)
			}
			out = append(out, b)
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return fixedUTF8(out, string(utf8.RuneError)), nil
}
