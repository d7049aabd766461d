package functions

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's functions of text and bytes ("String functions", "Regular expression functions", "Binary functions", "URL functions").

const blanks = "' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13)"

func init() {
	trino(
		tp("length", "number of characters, or of bytes", func(c *expr.Call, a []string) string {
			switch t := c.Args[0].Type(); t.Kind {
			case types.Binary:
				return "CAST(octet_length(" + a[0] + ") AS BIGINT)"
			case types.Char:
				return "CASE WHEN " + a[0] + " IS NOT NULL THEN CAST(" + itoa(t.Precision) + " AS BIGINT) END"
			}
			return "CAST(length(" + a[0] + ") AS BIGINT)"
		}),
		tr("lower", "text in lower case", "lower($1)"), tr("upper", "text in upper case", "trino_upper($1)"),
		tp("reverse", "text, bytes or an array backwards", func(c *expr.Call, a []string) string {
			switch c.Args[0].Type().Kind {
			case types.Array:
				return "list_reverse(" + a[0] + ")"
			case types.Binary:
				return "trino_reverse_bytes(" + a[0] + ")"
			}
			return "trino_reverse(" + trinoText(c.Args[0].Type(), a[0]) + ")"
		}),
		tr("trim", "text without blanks, or other characters, at both ends", "trim($1, "+blanks+")", "trim($1, $2)"), tr("ltrim", "text without blanks at its start", "ltrim($1, "+blanks+")", "ltrim($1, $2)"), tr("rtrim", "text without blanks at its end", "rtrim($1, "+blanks+")", "rtrim($1, $2)"),
		tp("lpad", "text or bytes filled up at the start", func(c *expr.Call, a []string) string {
			return "trino_pad(" + trinoText(c.Args[0].Type(), a[0]) + ", " + a[1] + ", " + a[2] + ", true)"
		}),
		tr("rpad", "text or bytes filled up at the end", "trino_pad($1, $2, $3, false)"),
		also(tp("substr", "part of text; a negative start counts from the end", func(c *expr.Call, a []string) string {
			cut := "substring"
			size := "length"
			empty := "''"
			a = append([]string{trinoText(c.Args[0].Type(), a[0])}, a[1:]...)
			if c.Args[0].Type().Kind == types.Binary {
				cut, size, empty = "trino_slice_bytes", "octet_length", "''::BLOB"
			}
			repeated := []int{0, 1}
			if Foldable(c.Args[1]) { // it costs nothing
				repeated = repeated[:1]
			}
			return letAll(a, repeated, func(a []string) string {
				end := "9223372036854775807"
				if len(a) == 3 {
					end = "greatest(" + a[2] + ", 0)"
				}
				call := cut + "(" + a[0] + ", " + a[1] + ", " + end + ")"
				if len(a) == 2 && cut == "substring" {
					call = "substring(" + a[0] + ", " + a[1] + ")"
				}
				return "CASE WHEN " + a[1] + " = 0 OR " + a[1] + " < -" + size + "(" + a[0] + ") THEN " + empty + " ELSE " + call + " END"
			})
		}), "substring"),
		tr("strpos", "place of a part, from 1; 0 if it is not there", "CAST(instr($1, $2) AS BIGINT)", "trino_strpos($1, $2, $3)"),
		tr("replace", "every occurrence replaced, or taken out", "trino_replace($1, $2, '')", "trino_replace($1, $2, $3)"),
		tr("starts_with", "true if text begins with another", "starts_with($1, $2)"),
		tr("codepoint", "code of a character", "trino_codepoint($1)"), tr("chr", "the character of a code", "trino_chr($1)"),
		tr("hamming_distance", "number of places that differ", "trino_hamming($1, $2)"), tr("levenshtein_distance", "number of changes between two texts", "trino_levenshtein($1, $2)"),
		tr("soundex", "how a name sounds in English", "trino_soundex($1)"), tr("translate", "characters replaced one by one", "translate($1, $2, $3)"), tr("luhn_check", "true if the last digit is the Luhn check digit", "trino_luhn($1)"),
		tr("split", "parts between delimiters", "trino_split($1, $2, 2147483647)", "trino_split($1, $2, $3)"),
		tr("split_part", "one part between delimiters, from 1", "trino_split_part($1, $2, $3)"),
		tp("split_to_map", "entries and their keys and values cut apart", func(_ *expr.Call, a []string) string {
			return let("trino_split_entries("+join(a)+", false)", func(v string) string { return pairsToMap(v) })
		}),
		tp("split_to_multimap", "entries cut apart, the values of one key in an array", func(_ *expr.Call, a []string) string {
			return let("trino_split_entries("+join(a)+", true)", func(v string) string {
				keys := "list_distinct(list_filter(" + v + ", lambda _x, _i: _i % 2 = 1))"
				return "CASE WHEN " + v + " IS NOT NULL THEN MAP(" + keys + ", list_transform(" + keys + ", lambda _k: list_transform(list_filter(range(1, len(" + v + "), 2), lambda _i: " + v + "[_i] = _k), lambda _i: " + v + "[_i + 1]))) END"
			})
		}),
		tr("to_utf8", "the bytes of text", "encode($1)"),
		tr("to_hex", "bytes in hex", "hex($1)"),
		tr("to_base64", "bytes in base 64", "to_base64($1)"),
		tr("to_base64url", "bytes in base 64 for addresses", "trino_encode($1, 'base64url')"),
		tr("to_base32", "bytes in base 32", "trino_encode($1, 'base32')"),
		tr("md5", "MD5", "trino_digest($1, 'md5')"), tr("sha1", "SHA-1", "trino_digest($1, 'sha1')"), tr("sha256", "SHA-256", "trino_digest($1, 'sha256')"), tr("sha512", "SHA-512", "trino_digest($1, 'sha512')"),
		tr("hmac_md5", "HMAC with MD5", "trino_hmac($1, $2, 'md5')"), tr("hmac_sha1", "HMAC with SHA-1", "trino_hmac($1, $2, 'sha1')"), tr("hmac_sha256", "HMAC with SHA-256", "trino_hmac($1, $2, 'sha256')"), tr("hmac_sha512", "HMAC with SHA-512", "trino_hmac($1, $2, 'sha512')"),
		tr("normalize", "text in one of Unicode's normal forms", "trino_normalize($1, $2)"), tr("crc32", "CRC-32", "spark_crc32($1)"), tr("xxhash64", "xxHash of 64 bits", "trino_xxhash64($1)"),
		tr("to_big_endian_64", "8 bytes of a number", "trino_big_endian($1, 8)"), tr("from_big_endian_64", "number of 8 bytes", "trino_from_big_endian($1, 8)"),
		tr("to_big_endian_32", "4 bytes of a number", "trino_big_endian(CAST($1 AS BIGINT), 4)"), tr("from_big_endian_32", "number of 4 bytes", "CAST(trino_from_big_endian($1, 4) AS INTEGER)"),
		tr("to_ieee754_64", "8 bytes of a double", "trino_ieee754($1)"), tr("from_ieee754_64", "double of 8 bytes", "trino_from_ieee754($1)"),
		tr("to_ieee754_32", "4 bytes of a real", "trino_ieee754_32($1)"), tr("from_ieee754_32", "real of 4 bytes", "trino_from_ieee754_32($1)"),
		tr("regexp_like", "true if a part matches", "trino_regexp_like($1, $2)"),
		tr("regexp_extract", "what the first match, or a group of it, holds", "trino_regexp_extract($1, $2, 0)", "trino_regexp_extract($1, $2, $3)"),
		tr("regexp_extract_all", "what every match, or a group of it, holds", "trino_regexp_extract_all($1, $2, 0)", "trino_regexp_extract_all($1, $2, $3)"),
		ruled("regexp_replace(text, pattern[, replacement | groups -> …])", "every match replaced, or taken out", regexpReplaceRule, printRegexpReplace),
		tr("regexp_split", "parts between matches", "trino_regexp_split($1, $2)"), tr("regexp_count", "number of matches", "trino_regexp_count($1, $2)"),
		tr("regexp_position", "place of a match, from 1; -1 if there is none", "trino_regexp_position($1, $2, 1, 1)", "trino_regexp_position($1, $2, $3, 1)", "trino_regexp_position($1, $2, $3, $4)"),
		tr("url_extract_protocol", "the scheme of an address", "trino_url($1, 'protocol')"), tr("url_extract_host", "the host of an address", "trino_url($1, 'host')"), tr("url_extract_port", "the port of an address", "TRY_CAST(trino_url($1, 'port') AS BIGINT)"),
		tr("url_extract_path", "the path of an address", "trino_url($1, 'path')"), tr("url_extract_query", "the query of an address", "trino_url($1, 'query')"), tr("url_extract_fragment", "the fragment of an address", "trino_url($1, 'fragment')"),
		tr("url_extract_parameter", "a parameter of an address", "trino_url_parameter($1, $2)"),
		tr("url_encode", "text escaped for an address", "spark_url_encode($1)"),
		tr("to_base", "number in another base", "trino_to_base($1, $2)"), tr("from_base", "number out of another base", "trino_from_base($1, $2)"),
		tr("format_number", "number with a unit of thousands", "trino_format_number(CAST($1 AS DOUBLE))"), tr("human_readable_seconds", "seconds in words", "trino_readable_seconds($1)"),
		tr("parse_data_size", "number of bytes of a text such as 2.3MB", "CAST(trino_data_size($1) AS DECIMAL(38, 0))"), tr("parse_presto_data_size", "number of bytes of a text such as 2.3MB", "CAST(trino_data_size($1) AS DECIMAL(38, 0))"),
	)
	failing("trino_luhn", "string -> boolean", func(a []any) (any, error) {
		if strings.Trim(a[0].(string), "0123456789") != "" {
			return nil, badArgument("Input contains non-digit character")
		}
		return luhn(a[0].(string)), nil
	})
	define("trino_normalize", "string, string -> string", func(a []any) any {
		return map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}[a[1].(string)].String(a[0].(string))
	})
	define("trino_upper", "string -> string", func(a []any) any { return upperText(a[0].(string)) })
	define("trino_reverse", "string -> string", func(a []any) any {
		r := []rune(a[0].(string))
		for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
			r[i], r[j] = r[j], r[i]
		}
		return string(r)
	})
	define("trino_reverse_bytes", "binary -> binary", func(a []any) any {
		b := bytes.Clone(a[0].([]byte))
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
		return b
	})
	define("trino_slice_bytes", "binary, long, long -> binary", func(a []any) any {
		b, from, n := a[0].([]byte), a[1].(int64), a[2].(int64)
		if from < 0 {
			from += int64(len(b)) + 1
		}
		from = min(max(from-1, 0), int64(len(b)))
		return bytes.Clone(b[from : from+min(max(n, 0), int64(len(b))-from)])
	})
	failing("trino_pad", "string, long, string, boolean -> string", func(a []any) (any, error) { return padText(a[0].(string), a[1].(int64), a[2].(string), a[3].(bool)) })
	failing("trino_strpos", "string, string, long -> long", func(a []any) (any, error) {
		if a[2].(int64) == 0 {
			return nil, badArgument("'instance' must be a positive or negative number.")
		}
		return nthPlace(a[0].(string), a[1].(string), a[2].(int64)), nil
	})
	failing("trino_codepoint", "string -> int", func(a []any) (any, error) {
		if r := []rune(a[0].(string)); len(r) == 1 {
			return int32(r[0]), nil
		}
		return nil, badArgument("Input string must be a single character string")
	})
	failing("trino_soundex", "string -> string", func(a []any) (any, error) { return trinoSoundex(a[0].(string)) })
	define("trino_replace", "string, string, string -> string", func(a []any) any { return strings.ReplaceAll(a[0].(string), a[1].(string), a[2].(string)) })
	failing("trino_chr", "long -> string", func(a []any) (any, error) {
		n := a[0].(int64)
		if n < 0 || n > utf8.MaxRune || n >= 0xD800 && n <= 0xDFFF {
			return nil, badArgument("Not a valid Unicode code point: " + strconv.FormatInt(n, 10))
		}
		return string(rune(n)), nil
	})
	failing("trino_hamming", "string, string -> long", func(a []any) (any, error) {
		l, r := []rune(a[0].(string)), []rune(a[1].(string))
		if len(l) != len(r) {
			return nil, badArgument("The input strings to hamming_distance function must have the same length")
		}
		n := int64(0)
		for i := range l {
			if l[i] != r[i] {
				n++
			}
		}
		return n, nil
	})
	define("trino_levenshtein", "string, string -> long", func(a []any) any { return levenshtein([]rune(a[0].(string)), []rune(a[1].(string))) })
	failing("trino_split", "string, string, long -> strings", func(a []any) (any, error) {
		if a[1].(string) == "" {
			return nil, badArgument("The delimiter may not be the empty string")
		}
		if a[2].(int64) <= 0 {
			return nil, badArgument("Limit must be positive")
		}
		return texts(strings.SplitN(a[0].(string), a[1].(string), int(a[2].(int64)))), nil
	})
	failing("trino_split_part", "string, string, long -> string", func(a []any) (any, error) {
		if a[2].(int64) < 1 {
			return nil, badArgument("Index must be greater than zero")
		}
		parts := strings.Split(a[0].(string), a[1].(string))
		if a[2].(int64) > int64(len(parts)) {
			return nil, nil
		}
		return parts[a[2].(int64)-1], nil
	})
	failing("trino_split_entries", "string, string, string, boolean -> strings", func(a []any) (any, error) {
		return splitEntries(a[0].(string), a[1].(string), a[2].(string), a[3].(bool))
	})
	encodings := map[string]interface{ EncodeToString([]byte) string }{"base64url": base64.URLEncoding, "base32": base32.StdEncoding}
	define("trino_encode", "binary, string -> string", func(a []any) any { return encodings[a[1].(string)].EncodeToString(a[0].([]byte)) })
	hashes := map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}
	define("trino_digest", "binary, string -> binary", func(a []any) any {
		h := hashes[a[1].(string)]()
		h.Write(a[0].([]byte))
		return h.Sum(nil)
	})
	failing("trino_hmac", "binary, binary, string -> binary", func(a []any) (any, error) {
		if len(a[1].([]byte)) == 0 {
			return nil, raise("TRINO", "GENERIC_INTERNAL_ERROR", "Empty key")
		}
		h := hmac.New(hashes[a[2].(string)], a[1].([]byte))
		h.Write(a[0].([]byte))
		return h.Sum(nil), nil
	})
	define("trino_xxhash64", "binary -> binary", func(a []any) any {
		return binary.BigEndian.AppendUint64(nil, xxBytes(a[0].([]byte), 0))
	})
	define("trino_big_endian", "long, int -> binary", func(a []any) any {
		return binary.BigEndian.AppendUint64(nil, uint64(a[0].(int64)))[8-a[1].(int32):]
	})
	failing("trino_from_big_endian", "binary, int -> long", func(a []any) (any, error) {
		b, n := a[0].([]byte), int(a[1].(int32))
		if len(b) != n {
			return nil, badArgument("expected " + itoa(n) + "-byte input, but got instead: " + itoa(len(b)))
		}
		if n == 4 {
			return int64(int32(binary.BigEndian.Uint32(b))), nil
		}
		return int64(binary.BigEndian.Uint64(b)), nil
	})
	define("trino_ieee754", "double -> binary", func(a []any) any { return binary.BigEndian.AppendUint64(nil, math.Float64bits(a[0].(float64))) })
	define("trino_ieee754_32", "float -> binary", func(a []any) any { return binary.BigEndian.AppendUint32(nil, math.Float32bits(a[0].(float32))) })
	failing("trino_from_ieee754", "binary -> double", func(a []any) (any, error) {
		if b := a[0].([]byte); len(b) == 8 {
			return math.Float64frombits(binary.BigEndian.Uint64(b)), nil
		}
		return nil, badArgument("Input floating-point value must be exactly 8 bytes long")
	})
	failing("trino_from_ieee754_32", "binary -> float", func(a []any) (any, error) {
		if b := a[0].([]byte); len(b) == 4 {
			return math.Float32frombits(binary.BigEndian.Uint32(b)), nil
		}
		return nil, badArgument("Input floating-point value must be exactly 4 bytes long")
	})
	define("trino_url", "string, string -> string", func(a []any) any { return trinoURLPart(a[0].(string), a[1].(string)) })
	define("trino_url_parameter", "string, string -> string", func(a []any) any {
		u, err := url.Parse(a[0].(string))
		if err != nil {
			return nil
		}
		for _, p := range strings.Split(u.RawQuery, "&") {
			if k, v, _ := strings.Cut(p, "="); k == a[1].(string) {
				if v, err := url.QueryUnescape(v); err == nil {
					return v
				}
			}
		}
		return nil
	})
	failing("trino_to_base", "long, long -> string", func(a []any) (any, error) {
		base := a[1].(int64)
		if base < 2 || base > 36 {
			return nil, badArgument("Radix must be between 2 and 36")
		}
		return strconv.FormatInt(a[0].(int64), int(base)), nil
	})
	failing("trino_from_base", "string, long -> long", func(a []any) (any, error) {
		base := a[1].(int64)
		if base < 2 || base > 36 {
			return nil, badArgument("Radix must be between 2 and 36")
		}
		n, err := strconv.ParseInt(a[0].(string), int(base), 64)
		if err != nil {
			return nil, badArgument("Not a valid base-" + strconv.FormatInt(base, 10) + " number: " + a[0].(string))
		}
		return n, nil
	})
	define("trino_format_number", "double -> string", func(a []any) any { return shortNumber(a[0].(float64)) })
	define("trino_readable_seconds", "double -> string", func(a []any) any { return readableSeconds(wholeSeconds(a[0].(float64))) })
	failing("trino_data_size", "string -> string", func(a []any) (any, error) { return dataSize(a[0].(string)) })
}

// pairsToMap makes a map of a list that holds keys and values in turn.
func pairsToMap(v string) string {
	odd := func(n string) string { return "list_filter(" + v + ", lambda _x, _i: _i % 2 = " + n + ")" }
	return "CASE WHEN " + v + " IS NOT NULL THEN MAP(" + odd("1") + ", " + odd("0") + ") END"
}

// upperText turns character by character, as Trino does: a sharp s has no capital.
func upperText(s string) string { return strings.Map(unicode.ToUpper, s) }

// mostBytes is how long a text can be in Trino.
const mostBytes = math.MaxInt32 - 8

// firstRunes are the first n characters of a text that has as many.
func firstRunes(s string, n int64) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func padText(s string, n int64, pad string, left bool) (any, error) {
	switch {
	case n < 0 || n > math.MaxInt32:
		return nil, badArgument("Target length must be in the range [0..2147483647]")
	case pad == "":
		return nil, badArgument("Padding string must not be empty")
	}
	have := int64(utf8.RuneCountInString(s))
	if have >= n {
		return firstRunes(s, n), nil
	}
	size := int64(utf8.RuneCountInString(pad))
	whole, part := (n-have)/size, firstRunes(pad, (n-have)%size)
	if bytes := int64(len(s)+len(part)) + whole*int64(len(pad)); bytes > mostBytes {
		return nil, raise("TRINO", "GENERIC_INTERNAL_ERROR", "Cannot allocate slice larger than "+itoa(mostBytes)+" bytes")
	}
	if left {
		return strings.Repeat(pad, int(whole)) + part + s, nil
	}
	return s + strings.Repeat(pad, int(whole)) + part, nil
}

// nthPlace is the place of the n-th occurrence of a part, from the end if n is negative.
func nthPlace(s, part string, n int64) int64 {
	if part == "" {
		return 1
	}
	at := -1
	if n > 0 {
		for ; n > 0; n-- {
			i := strings.Index(s[at+1:], part)
			if i < 0 {
				return 0
			}
			at += 1 + i
		}
	} else {
		end := len(s)
		for ; n < 0; n++ {
			if at = strings.LastIndex(s[:end], part); at < 0 {
				return 0
			}
			end = at + len(part) - 1
		}
	}
	if at < 0 {
		return 0
	}
	return int64(utf8.RuneCountInString(s[:at])) + 1
}

func levenshtein(a, b []rune) int64 {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return int64(row[len(b)])
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// splitEntries cuts a=1,b=2 into a list of keys and values in turn.
func splitEntries(s, entry, keyValue string, repeated bool) (any, error) {
	if entry == keyValue {
		return nil, badArgument("entryDelimiter and keyValueDelimiter must not be the same")
	}
	out := []any{}
	seen := map[string]bool{}
	for _, e := range strings.Split(s, entry) {
		if e == "" {
			continue
		}
		k, v, ok := strings.Cut(e, keyValue)
		if !ok || strings.Contains(v, keyValue) {
			return nil, badArgument("Key-value delimiter must appear exactly once in each entry. Bad input: '" + e + "'")
		}
		if seen[k] && !repeated {
			return nil, badArgument("Duplicate keys (" + k + ") are not allowed")
		}
		seen[k] = true
		out = append(out, k, v)
	}
	return out, nil
}

func trinoURLPart(s, part string) any {
	u, err := url.Parse(s)
	if err != nil {
		return nil
	}
	switch part {
	case "protocol":
		return u.Scheme
	case "host":
		return u.Hostname()
	case "port":
		return u.Port()
	case "path":
		return u.Path
	case "query":
		return u.RawQuery
	}
	return u.Fragment
}

// shortNumber is a number with a unit: 1.23K.
func shortNumber(f float64) string {
	units := []string{"", "K", "M", "B", "T", "Q"}
	i := 0
	for math.Abs(f) >= 1000 && i < len(units)-1 {
		f /= 1000
		i++
	}
	if i == 0 {
		return strconv.FormatFloat(math.Trunc(f), 'f', 0, 64)
	}
	digits := 2
	if a := math.Abs(f); a >= 100 {
		digits = 0
	} else if a >= 10 {
		digits = 1
	}
	text := strconv.FormatFloat(f, 'f', digits, 64)
	if digits > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text + units[i]
}

// wholeSeconds rounds half up as Java does: beyond what a long holds there is its end.
func wholeSeconds(f float64) int64 {
	switch f = math.Floor(f + 0.5); {
	case math.IsNaN(f):
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// trinoSoundex is the sound of the letters of a text; Trino refuses those that are not English.
func trinoSoundex(s string) (any, error) {
	letters := strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, s))
	for _, r := range letters {
		if r > 'Z' {
			return nil, badArgument("The character is not mapped: " + string(r) + " (index=" + itoa(int(r-'A')) + ")")
		}
	}
	return soundex(letters), nil
}

func readableSeconds(n int64) string {
	if n == 0 {
		return "0 seconds"
	}
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	var parts []string
	for _, u := range []struct {
		name string
		size int64
	}{{"week", 604800}, {"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}} {
		if v := n / u.size; v > 0 {
			s := strconv.FormatInt(v, 10) + " " + u.name
			if v > 1 {
				s += "s"
			}
			parts = append(parts, s)
			n %= u.size
		}
	}
	return sign + strings.Join(parts, ", ")
}

var dataSizeForm = regexp.MustCompile(`^(\d+(?:\.\d+)?)([kMGTPEZY]?B)$`)

func dataSize(s string) (any, error) {
	m := dataSizeForm.FindStringSubmatch(s)
	if m == nil {
		return nil, badArgument("Invalid data size: '" + s + "'")
	}
	f, _ := strconv.ParseFloat(m[1], 64)
	power := strings.IndexByte("BkMGTPEZY", m[2][0])
	return strconv.FormatFloat(math.Trunc(f*math.Pow(1024, float64(power))), 'f', 0, 64), nil
}
