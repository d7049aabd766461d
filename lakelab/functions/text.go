package functions

import "mini-lakehouse-lab/lakelab"

// Functions on strings. Positions count from 1; a NULL argument gives NULL.

// Upper is the string in upper case (upper).
func Upper(col any) lakelab.Column { return call("upper", col) }

// Lower is the string in lower case (lower).
func Lower(col any) lakelab.Column { return call("lower", col) }

// InitCap makes the first letter of each word upper case, the others lower case (initcap).
func InitCap(col any) lakelab.Column { return call("initcap", col) }

// Length is the number of characters, or of bytes of a BINARY (length).
func Length(col any) lakelab.Column { return call("length", col) }

// Trim removes spaces at both ends (trim).
func Trim(col any) lakelab.Column { return call("trim", col) }

// LTrim removes spaces at the start (ltrim).
func LTrim(col any) lakelab.Column { return call("ltrim", col) }

// RTrim removes spaces at the end (rtrim).
func RTrim(col any) lakelab.Column { return call("rtrim", col) }

// Reverse reverses a string or an array (reverse).
func Reverse(col any) lakelab.Column { return call("reverse", col) }

// Concat joins strings, or arrays (concat).
func Concat(cols ...any) lakelab.Column { return call("concat", cols...) }

// Ascii is the code of the first character (ascii).
func Ascii(col any) lakelab.Column { return call("ascii", col) }

// Hex writes a number, string or BINARY in hexadecimal (hex).
func Hex(col any) lakelab.Column { return call("hex", col) }

// Base64 encodes a BINARY (base64).
func Base64(col any) lakelab.Column { return call("base64", col) }

// MD5 is the MD5 digest in hexadecimal (md5).
func MD5(col any) lakelab.Column { return call("md5", col) }

// Soundex is the Soundex code (soundex).
func Soundex(col any) lakelab.Column { return call("soundex", col) }

// ConcatWS joins strings with a separator, NULLs left out (concat_ws).
func ConcatWS(separator string, cols ...any) lakelab.Column {
	return call("concat_ws", append([]any{lit(separator)}, cols...)...)
}

// Substring is length characters from a position counted from 1, or from the end if negative (substring).
func Substring(col any, position, length int) lakelab.Column {
	return call("substring", col, lit(position), lit(length))
}

// Left is the first n characters (left).
func Left(col, n any) lakelab.Column { return call("left", col, lit(n)) }

// Right is the last n characters (right).
func Right(col, n any) lakelab.Column { return call("right", col, lit(n)) }

// Split cuts the string at each match of a regular expression, into an array (split).
func Split(col any, pattern string) lakelab.Column { return call("split", col, lit(pattern), lit(-1)) }

// SplitPart is the nth part, from 1, between delimiters (split_part).
func SplitPart(col any, delimiter string, n int) lakelab.Column {
	return call("split_part", col, lit(delimiter), lit(n))
}

// Replace replaces every occurrence of a text (replace).
func Replace(col any, search, replacement string) lakelab.Column {
	return call("replace", col, lit(search), lit(replacement))
}

// RegexpReplace replaces every match of a regular expression; $1 stands for a group (regexp_replace).
func RegexpReplace(col any, pattern, replacement string) lakelab.Column {
	return call("regexp_replace", col, lit(pattern), lit(replacement), lit(1))
}

// RegexpExtract is a group (0: all) of the first match of a regular expression, or "" (regexp_extract).
func RegexpExtract(col any, pattern string, group int) lakelab.Column {
	return call("regexp_extract", col, lit(pattern), lit(group))
}

// Translate replaces characters one by one (translate).
func Translate(col any, from, to string) lakelab.Column {
	return call("translate", col, lit(from), lit(to))
}

// LPad fills up at the start to a length, or cuts (lpad).
func LPad(col any, length int, pad string) lakelab.Column {
	return call("lpad", col, lit(length), lit(pad))
}

// RPad fills up at the end to a length, or cuts (rpad).
func RPad(col any, length int, pad string) lakelab.Column {
	return call("rpad", col, lit(length), lit(pad))
}

// Repeat repeats the string (repeat).
func Repeat(col any, n int) lakelab.Column { return call("repeat", col, lit(n)) }

// Instr is the position of a text, or 0 (instr).
func Instr(col any, text string) lakelab.Column { return call("instr", col, lit(text)) }

// FormatNumber writes a number with thousands separators and d decimals (format_number).
func FormatNumber(col any, d int) lakelab.Column { return call("format_number", col, lit(d)) }

// FormatString writes columns as printf does (format_string).
func FormatString(format string, cols ...any) lakelab.Column {
	return call("format_string", append([]any{lit(format)}, cols...)...)
}

// SHA2 is the SHA-2 digest with 224, 256, 384 or 512 bits, in hexadecimal (sha2).
func SHA2(col any, bits int) lakelab.Column { return call("sha2", col, lit(bits)) }

// BitLength: number of bits (bit_length).
func BitLength(col any) lakelab.Column { return call("bit_length", col) }

// BTrim: str without spaces, or chars, at both ends (btrim).
func BTrim(col any, trim ...any) lakelab.Column {
	return call("btrim", then([]any{col}, trim)...)
}

// Char: the character with code n (char).
func Char(col any) lakelab.Column { return call("char", col) }

// CharLength: number of characters, or of bytes (char_length).
func CharLength(col any) lakelab.Column { return call("char_length", col) }

// CharacterLength: number of characters, or of bytes (character_length).
func CharacterLength(col any) lakelab.Column { return call("character_length", col) }

// Decode: the text in bytes; or decode(x, search, result, …[, default]) (decode).
func Decode(col any, charset string) lakelab.Column { return call("decode", col, lit(charset)) }

// Elt: the n-th of the arguments (elt).
func Elt(cols ...any) lakelab.Column {
	return call("elt", cols...)
}

// EndsWith: true if str ends with suffix (endswith).
func EndsWith(col, suffix any) lakelab.Column { return call("endswith", col, suffix) }

// FindInSet: place of str in a list separated by commas (find_in_set).
func FindInSet(col, strArray any) lakelab.Column { return call("find_in_set", col, strArray) }

// IsValidUTF8: true: text is always valid here (is_valid_utf8).
func IsValidUTF8(col any) lakelab.Column { return call("is_valid_utf8", col) }

// LCase: str in lower case (lcase).
func LCase(col any) lakelab.Column { return call("lcase", col) }

// Levenshtein: number of edits from a to b (levenshtein).
func Levenshtein(left, right any, threshold ...int) lakelab.Column {
	return call("levenshtein", optional([]any{left, right}, threshold)...)
}

// Locate: place of part in str, looked for from pos on (locate).
func Locate(substr string, col any, pos ...int) lakelab.Column {
	return call("locate", optional([]any{lit(substr), col}, pos)...)
}

// MakeValidUTF8: string with � in place of bytes that are not UTF-8 (make_valid_utf8).
func MakeValidUTF8(col any) lakelab.Column { return call("make_valid_utf8", col) }

// Mask: str with letters and digits hidden (mask). More may give, in order: upperChar, lowerChar, digitChar, otherChar.
func Mask(col any, more ...any) lakelab.Column {
	return call("mask", then([]any{col}, more)...)
}

// OctetLength: number of bytes (octet_length).
func OctetLength(col any) lakelab.Column { return call("octet_length", col) }

// Overlay: part put over str at pos (overlay).
func Overlay(src, replace, pos any, length ...any) lakelab.Column {
	return call("overlay", optional([]any{src, replace, orLit(pos)}, length)...)
}

// ParseURL: part of a URL: HOST, PATH, QUERY, REF, PROTOCOL, FILE, AUTHORITY, USERINFO (parse_url).
func ParseURL(url, partToExtract any, key ...any) lakelab.Column {
	return call("parse_url", then([]any{url, partToExtract}, key)...)
}

// Position: place of part in str, looked for from pos on (position).
func Position(substr, col any, start ...any) lakelab.Column {
	return call("position", then([]any{substr, col}, start)...)
}

// Printf: printf with Java's format (printf).
func Printf(format any, cols ...any) lakelab.Column {
	return call("printf", append([]any{format}, cols...)...)
}

// Regexp: true if a part of str matches the regular expression (regexp).
func Regexp(col, regexp any) lakelab.Column { return call("regexp", col, regexp) }

// RegexpExtractAll: what a group (default 1) of every match holds (regexp_extract_all).
func RegexpExtractAll(col, regexp any, idx ...any) lakelab.Column {
	return call("regexp_extract_all", optional([]any{col, regexp}, idx)...)
}

// RegexpInstr: place of the first match, from 1; 0 if there is none (regexp_instr).
func RegexpInstr(col, regexp any, idx ...any) lakelab.Column {
	return call("regexp_instr", optional([]any{col, regexp}, idx)...)
}

// RegexpLike: true if a part of str matches the regular expression (regexp_like).
func RegexpLike(col, regexp any) lakelab.Column { return call("regexp_like", col, regexp) }

// RegexpSubstr: the first match, or NULL (regexp_substr).
func RegexpSubstr(col, regexp any) lakelab.Column { return call("regexp_substr", col, regexp) }

// RLike: true if a part of str matches the regular expression (rlike).
func RLike(col, regexp any) lakelab.Column { return call("rlike", col, regexp) }

// Sentences: words of the sentences of a text (sentences). More may give, in order: language, country.
func Sentences(string any, more ...any) lakelab.Column {
	return call("sentences", then([]any{string}, more)...)
}

// StartsWith: true if str begins with prefix (startswith).
func StartsWith(col, prefix any) lakelab.Column { return call("startswith", col, prefix) }

// Substr: part of str; a negative pos counts from the end (substr).
func Substr(col, pos any, length ...any) lakelab.Column {
	return call("substr", then([]any{col, pos}, length)...)
}

// SubstringIndex: str up to the n-th delim; counted from the end if n is negative (substring_index).
func SubstringIndex(col any, delim string, count int) lakelab.Column {
	return call("substring_index", col, lit(delim), lit(count))
}

// ToChar: number or time written in a format (to_char).
func ToChar(col, format any) lakelab.Column { return call("to_char", col, format) }

// ToNumber: number read in a format (to_number).
func ToNumber(col, format any) lakelab.Column { return call("to_number", col, format) }

// ToVarchar: number or time written in a format (to_varchar).
func ToVarchar(col, format any) lakelab.Column { return call("to_varchar", col, format) }

// TryParseURL: ParseURL that gives NULL for no URL (try_parse_url).
func TryParseURL(url, partToExtract any, key ...any) lakelab.Column {
	return call("try_parse_url", then([]any{url, partToExtract}, key)...)
}

// TryToBinary: ToBinary that gives NULL for what it can not read (try_to_binary).
func TryToBinary(col any, format ...any) lakelab.Column {
	return call("try_to_binary", then([]any{col}, format)...)
}

// TryToNumber: ToNumber that gives NULL for what it can not read (try_to_number).
func TryToNumber(col, format any) lakelab.Column { return call("try_to_number", col, format) }

// TryURLDecode: URLDecode that gives NULL for what it can not decode (try_url_decode).
func TryURLDecode(col any) lakelab.Column { return call("try_url_decode", col) }

// TryValidateUTF8: the string, or NULL if it is no UTF-8 (try_validate_utf8).
func TryValidateUTF8(col any) lakelab.Column { return call("try_validate_utf8", col) }

// UCase: str in upper case (ucase).
func UCase(col any) lakelab.Column { return call("ucase", col) }

// UnBase64: bytes out of base 64 (unbase64).
func UnBase64(col any) lakelab.Column { return call("unbase64", col) }

// URLDecode: str out of a URL (url_decode).
func URLDecode(col any) lakelab.Column { return call("url_decode", col) }

// URLEncode: str for a URL (url_encode).
func URLEncode(col any) lakelab.Column { return call("url_encode", col) }

// ValidateUTF8: the string, or an error if it is no UTF-8 (validate_utf8).
func ValidateUTF8(col any) lakelab.Column { return call("validate_utf8", col) }

// Contains: true if part is in str (contains).
func Contains(left, right any) lakelab.Column { return call("contains", left, right) }

// Encode: the bytes of str (encode).
func Encode(col any, charset string) lakelab.Column { return call("encode", col, lit(charset)) }

// RegexpCount: number of matches (regexp_count).
func RegexpCount(col, regexp any) lakelab.Column { return call("regexp_count", col, regexp) }

// UnHex: bytes out of hex (unhex).
func UnHex(col any) lakelab.Column { return call("unhex", col) }
