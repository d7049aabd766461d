package render

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// maxItems and maxDepth are pandas' display.max_seq_items and display.pprint_nest_depth.
const (
	maxItems = 100
	maxDepth = 3
)

var escapes = strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`)

// pretty writes one value of a Trino type as pandas prints the object that Python's trino client makes of it.
// how says in what form strings are written.
func pretty(typ string, v any, how form, depth int) string {
	s, isText := v.(string)
	switch {
	case isText && scalarText(typ):
		return how.write(s)
	case isText:
		return pythonText(typ, s)
	case depth >= maxDepth:
		how = repr
	}
	dict := max(how, quoted)
	elems := elements(typ)
	switch v := v.(type) {
	case []any:
		parts := make([]string, 0, len(v))
		for i, x := range v {
			if i == maxItems && depth < maxDepth {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, pretty(element(elems, i), x, how, depth+1))
		}
		body := strings.Join(parts, ", ")
		switch {
		case !strings.HasPrefix(typ, "row("):
			return "[" + body + "]"
		case len(v) == 1:
			return "(" + body + ",)"
		}
		return "(" + body + ")"
	case []types.Entry:
		parts := make([]string, 0, len(v))
		for i, e := range v {
			if i == maxItems && depth < maxDepth {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, pretty(element(elems, 0), e.Key, dict, depth+1)+": "+pretty(element(elems, 1), e.Value, dict, depth+1))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return pythonFloat(v)
	case []byte:
		return pythonBytes(v)
	}
	return fmt.Sprint(v)
}

// form is a way to write a string.
type form int

const (
	escaped form = iota
	quoted       // inside of a dict, where pandas escapes nothing
	repr         // Python's own, in what is nested deeper than pandas looks
)

func (f form) write(s string) string {
	switch f {
	case quoted:
		return "'" + s + "'"
	case repr:
		quote := "'"
		if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
			quote = `"`
		}
		return quote + escapes.Replace(strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(s)) + quote
	}
	return escapes.Replace(s)
}

// pythonBytes is Python's repr of bytes.
func pythonBytes(v []byte) string {
	quote := byte('\'')
	if bytes.IndexByte(v, '\'') >= 0 && bytes.IndexByte(v, '"') < 0 {
		quote = '"'
	}
	var b strings.Builder
	b.WriteByte('b')
	b.WriteByte(quote)
	for _, c := range v {
		switch {
		case c == quote || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c == '\n', c == '\r', c == '\t':
			b.WriteString(escapes.Replace(string(rune(c))))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

// scalarText reports whether a type's text is a string in Python, too.
func scalarText(typ string) bool {
	return !strings.HasPrefix(typ, "time") && !strings.HasPrefix(typ, "decimal") && typ != "date"
}

// pythonText is str() of the Python object behind a decimal, a date or a time: a fraction has six digits, or is left out if it is zero, and
// UTC is +00:00.
func pythonText(typ, s string) string {
	if strings.HasPrefix(typ, "decimal") {
		return pythonDecimal(s)
	}
	if !strings.HasPrefix(typ, "time") {
		return s
	}
	s, utc := strings.CutSuffix(s, " UTC")
	if whole, fraction, ok := strings.Cut(s, "."); ok && strings.Trim(fraction, "0") == "" {
		s = whole
	} else if ok && len(fraction) < 6 && strings.Trim(fraction, "0123456789") == "" {
		s += strings.Repeat("0", 6-len(fraction))
	}
	if utc {
		s += "+00:00"
	}
	return s
}

// pythonDecimal is str() of a Decimal: with an exponent if its first digit stands more than six places behind the point.
func pythonDecimal(s string) string {
	_, fraction, _ := strings.Cut(s, ".")
	sign, digits := "", strings.ReplaceAll(s, ".", "")
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		digits = "0"
	}
	exponent := len(digits) - len(fraction) // of the point, from the first digit
	if exponent > -6 {
		return s
	}
	if len(digits) > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return sign + digits + "E" + strconv.Itoa(exponent-1)
}

// pythonFloat is Python's repr of a float.
func pythonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'f', -1, 64), "+"))
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// elements are the types inside of an array, a map or a row, by position.
func elements(typ string) []string {
	open := strings.IndexByte(typ, '(')
	if open < 0 || !strings.HasSuffix(typ, ")") {
		return nil
	}
	kind, body := typ[:open], typ[open+1:len(typ)-1]
	if kind != "array" && kind != "map" && kind != "row" {
		return nil
	}
	var parts []string
	depth, from, inName := 0, 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			inName = !inName
		case inName:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(body[from:i]))
			from = i + 1
		}
	}
	parts = append(parts, strings.TrimSpace(body[from:]))
	if kind == "row" {
		for i, p := range parts {
			parts[i] = fieldType(p)
		}
	}
	return parts
}

// fieldType is the type in `name type`; the name may be quoted, or missing.
func fieldType(field string) string {
	if strings.HasPrefix(field, `"`) {
		return strings.TrimSpace(field[strings.LastIndexByte(field, '"')+1:])
	}
	name, typ, ok := strings.Cut(field, " ")
	if !ok || strings.Contains(name, "(") || name == "interval" {
		return field
	}
	return typ
}

// element is the type at a position; an array has one for all.
func element(elems []string, i int) string {
	if len(elems) == 0 {
		return ""
	}
	return elems[min(i, len(elems)-1)]
}
