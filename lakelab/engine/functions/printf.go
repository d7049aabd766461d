package functions

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// printf is Java's String.format for the conversions d s f e g x X c b n % with flags, width and precision. Arguments are text
// behind a letter for their type, one of javaClasses; n for NULL.
func printf(a []any) (any, error) {
	format := a[0].(string)
	args, _ := a[1].([]any)
	var b strings.Builder
	next, last := 0, -1
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		j := i + 1
		for j < len(format) && strings.IndexByte("0123456789$-#+ ,(.<", format[j]) >= 0 {
			j++
		}
		if j == len(format) {
			return nil, raise("JAVA.IllegalArgumentException", "Conversion = '%'")
		}
		spec, conv := format[i+1:j], format[j]
		i = j
		switch conv {
		case '%':
			b.WriteByte('%')
			continue
		case 'n':
			b.WriteByte('\n')
			continue
		}
		k := next
		if rest, again := strings.CutPrefix(spec, "<"); again {
			k, spec = last, rest
		} else if n, rest, ok := strings.Cut(spec, "$"); ok {
			k, _ = strconv.Atoi(n)
			k, spec = k-1, rest
		} else {
			next++
		}
		last = k
		if k < 0 || k >= len(args) {
			return nil, raise("JAVA.IllegalArgumentException", "Format specifier '%"+spec+string(conv)+"'")
		}
		arg := args[k].(string)
		if (conv == 't' || conv == 'T') && i+1 < len(format) && arg[0] == 'j' {
			i++
			text, ok := javaTimeField(arg[1:], format[i])
			if !ok {
				return nil, raise("JAVA.IllegalArgumentException", "Unsupported field: %"+string(conv)+format[i:i+1])
			}
			if conv == 'T' {
				text = strings.ToUpper(text)
			}
			conv, arg = 's', "s"+text
		}
		s, err := conversion(spec, conv, arg)
		if err != nil {
			return nil, err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

func conversion(spec string, conv byte, arg string) (string, error) {
	for _, number := range strings.FieldsFunc(spec, func(c rune) bool { return c < '0' || c > '9' }) {
		if n, err := strconv.Atoi(number); err != nil || n > mostDigits {
			return "", raise("UNSUPPORTED_FEATURE", "a text wider than "+itoa(mostDigits)+" by %"+spec+string(conv))
		}
	}
	kind, text := arg[0], arg[1:]
	commas := strings.Contains(spec, ",")
	goSpec := "%" + strings.ReplaceAll(spec, ",", "")
	if kind == 'n' {
		text = "null"
		conv = 's'
	}
	bad := raise("JAVA.IllegalArgumentException", string(conv)+" != "+javaClasses[kind])
	switch conv {
	case 'h', 'H':
		if kind == 's' {
			text = strconv.FormatUint(uint64(uint32(murmurBytes([]byte(text), 42))), 16)
		}
		return fmt.Sprintf(goSpec+"s", text), nil
	case 'c', 'C':
		n, err := strconv.Atoi(text)
		if err != nil || kind != 'i' {
			return "", bad
		}
		return fmt.Sprintf(goSpec+"s", string(rune(n))), nil
	case 'b', 'B', 's', 'S':
		if conv == 'b' || conv == 'B' {
			if kind != 'b' {
				text = "true"
			}
		}
		s := fmt.Sprintf(goSpec+"s", text)
		if conv == 'S' || conv == 'B' {
			s = strings.ToUpper(s)
		}
		return s, nil
	case 'd', 'x', 'X', 'o':
		n, ok := new(big.Int).SetString(text, 10)
		if !ok || kind != 'i' && kind != 'l' && kind != 'y' && kind != 'h' {
			return "", bad
		}
		if bits := map[byte]uint{'i': 32, 'l': 64, 'y': 8, 'h': 16}[kind]; conv != 'd' && n.Sign() < 0 {
			n.Add(n, new(big.Int).Lsh(big.NewInt(1), bits))
		}
		parens := strings.Contains(spec, "(")
		spec = strings.ReplaceAll(spec, "(", "")
		goSpec = strings.ReplaceAll(goSpec, "(", "")
		if parens && n.Sign() < 0 {
			s := fmt.Sprintf(strings.NewReplacer("+", "", " ", "").Replace(goSpec)+"d", new(big.Int).Neg(n))
			return "(" + s + ")", nil
		}
		if commas {
			width, _ := strconv.Atoi(strings.TrimLeft(strings.Trim(spec, ",-+ "), "0"))
			return fmt.Sprintf("%*s", width, grouped(text, 0)), nil
		}
		return fmt.Sprintf(goSpec+string(conv), n), nil
	case 'f', 'e', 'E', 'g':
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || kind != 'f' && kind != 'r' {
			return "", bad
		}
		if conv == 'g' {
			return javaGeneral(goSpec, spec, f), nil
		}
		if conv == 'f' {
			head, prec, ok := strings.Cut(strings.ReplaceAll(spec, ",", ""), ".")
			n := 6
			if ok {
				n, _ = strconv.Atoi(prec)
			}
			if commas {
				return fmt.Sprintf("%"+head+"s", grouped(text, n)), nil
			}
			// Java rounds half up on the decimal text, Go on the binary value.
			if r, ok := new(big.Rat).SetString(text); ok {
				return fmt.Sprintf("%"+strings.ReplaceAll(head, "0", "")+"s", padZeros(r.FloatString(n), head)), nil
			}
		}
		return fmt.Sprintf(goSpec+string(conv), f), nil
	}
	return "", bad
}

// javaClasses are the classes of an argument's letter as Java's messages name them.
var javaClasses = map[byte]string{'i': "java.lang.Integer", 'l': "java.lang.Long", 'y': "java.lang.Byte", 'h': "java.lang.Short", 'f': "java.lang.Double", 'r': "java.lang.Float", 'b': "java.lang.Boolean",
	'D': "org.apache.spark.sql.types.Decimal", 's': "org.apache.spark.unsafe.types.UTF8String", 'j': "java.time.LocalDateTime", 'a': "org.apache.spark.sql.catalyst.expressions.UnsafeArrayData", 'm': "org.apache.spark.sql.catalyst.util.ArrayBasedMapData",
	't': "org.apache.spark.sql.catalyst.expressions.GenericInternalRow", 'x': "[B", 'c': "org.apache.spark.unsafe.types.CalendarInterval"}

// javaGeneral is %g, which counts significant digits and keeps zeros at their end.
func javaGeneral(goSpec, spec string, f float64) string {
	head, prec, ok := strings.Cut(spec, ".")
	p := 6
	if ok {
		p, _ = strconv.Atoi(prec)
	}
	p = max(p, 1)
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= math.Pow(10, float64(p))) {
		return fmt.Sprintf("%"+head+"."+strconv.Itoa(p-1)+"e", f)
	}
	digits := p - 1
	if f != 0 {
		digits = p - 1 - int(math.Floor(math.Log10(math.Abs(f))))
	}
	return fmt.Sprintf("%"+head+"."+strconv.Itoa(max(digits, 0))+"f", f)
}

// padZeros fills a number up to a width that begins with 0.
func padZeros(s, head string) string {
	w := strings.TrimLeft(head, "-+ #")
	if !strings.HasPrefix(w, "0") {
		return s
	}
	n, _ := strconv.Atoi(w)
	digits, negative := strings.CutPrefix(s, "-")
	digits = strings.Repeat("0", max(n-len(s), 0)) + digits
	if negative {
		return "-" + digits
	}
	return digits
}
