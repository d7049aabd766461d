// Package hivepath names the folders of partitions as Hive and Spark do: year=2024/city=Москва.
//
// A folder is a column's name, =, and the value's text. Characters that a path can't carry stand as % and two hexadecimal digits;
// NULL and the empty text have a name of their own. Files that are written, the metastore's partitions and the discovery of
// partitions by a reader all come through here, so that what one writes the other finds.
package hivepath

import (
	"strings"
	"unicode/utf8"
)

// Default is the value of a folder whose rows have NULL (or an empty text) in the column.
const Default = "__HIVE_DEFAULT_PARTITION__"

// escaped are the printable characters that Hive escapes; control characters are escaped too.
const escaped = "\"#%'*/:=?\\\x7f{[]^"

// Escape writes a column's name or a value as it stands in a folder's name.
func Escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || strings.IndexByte(escaped, c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unescape reads what Escape wrote. A % without two hexadecimal digits stands for itself; the digits name one character, not a byte
// of UTF-8, as in Spark.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if high, low := digit(s[i+1]), digit(s[i+2]); high >= 0 && low >= 0 {
				b.WriteRune(rune(high<<4 | low))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return int(c - 'A' + 10)
	}
	return -1
}

// Folder is the folder of a column's value; nil is NULL.
func Folder(column string, value *string) string {
	if value == nil || *value == "" {
		return Escape(column) + "=" + Default
	}
	return Escape(column) + "=" + Escape(*value)
}

// Parse reads a folder's name: the column, and its value, nil for NULL. A name without = in it, or with nothing on one side of it, is
// no partition.
func Parse(folder string) (column string, value *string, ok bool) {
	column, text, ok := strings.Cut(folder, "=")
	if !ok || column == "" || text == "" || !utf8.ValidString(folder) {
		return "", nil, false
	}
	if text == Default {
		return unescape(column), nil, true
	}
	text = unescape(text)
	return unescape(column), &text, true
}

// Hidden reports whether Spark's listing passes over a file or folder: one that begins with . or _ (but _year=2024 is a partition),
// or is still being copied.
func Hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") && !strings.Contains(name, "=") || strings.HasSuffix(name, "._COPYING_")
}
