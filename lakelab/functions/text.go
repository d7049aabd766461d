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
