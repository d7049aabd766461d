package functions

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// printf is Java's String.format for the conversions d s f e g x X c b n % with flags, width and precision. Arguments are text
// behind a letter for their type: d whole, f fraction, b boolean, s text, n NULL.
func printf(a []any) (any, error) {
	format := a[0].(string)
	args, _ := a[1].([]any)
	var b strings.Builder
	next := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		j := i + 1
		for j < len(format) && strings.IndexByte("0123456789$-#+ ,(.", format[j]) >= 0 {
			j++
		}
		if j == len(format) {
			return nil, fmt.Errorf("invalid input: the format ends inside a conversion: %s", format)
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
		if n, rest, ok := strings.Cut(spec, "$"); ok {
			k, _ = strconv.Atoi(n)
			k, spec = k-1, rest
		} else {
			next++
		}
		if k < 0 || k >= len(args) {
			return nil, fmt.Errorf("invalid input: Format specifier '%%%c'", conv)
		}
		s, err := conversion(spec, conv, args[k].(string))
		if err != nil {
			return nil, err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

func conversion(spec string, conv byte, arg string) (string, error) {
	kind, text := arg[0], arg[1:]
	commas := strings.Contains(spec, ",")
	goSpec := "%" + strings.ReplaceAll(spec, ",", "")
	if kind == 'n' {
		text = "null"
		conv = 's'
	}
	bad := fmt.Errorf("invalid input: %c != java.lang.%s", conv, map[byte]string{'d': "Integer", 'f': "Double", 's': "String", 'b': "Boolean"}[kind])
	switch conv {
	case 's', 'S', 'b', 'B', 'c':
		s := fmt.Sprintf(goSpec+"s", text)
		if conv == 'S' || conv == 'B' {
			s = strings.ToUpper(s)
		}
		return s, nil
	case 'd', 'x', 'X', 'o':
		n, ok := new(big.Int).SetString(text, 10)
		if !ok || kind != 'd' {
			return "", bad
		}
		if commas {
			width, _ := strconv.Atoi(strings.TrimLeft(strings.Trim(spec, ",-+ "), "0"))
			return fmt.Sprintf("%*s", width, grouped(text, 0, 0, true, 1)), nil
		}
		return fmt.Sprintf(goSpec+string(conv), n), nil
	case 'f', 'e', 'E', 'g':
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || kind != 'f' {
			return "", bad
		}
		if conv == 'f' {
			head, prec, ok := strings.Cut(strings.ReplaceAll(spec, ",", ""), ".")
			n := 6
			if ok {
				n, _ = strconv.Atoi(prec)
			}
			if commas {
				return fmt.Sprintf("%"+head+"s", grouped(text, n, n, true, 1)), nil
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

// padZeros fills a number up to a width that begins with 0.
func padZeros(s, head string) string {
	w := strings.TrimLeft(head, "-+ #")
	if !strings.HasPrefix(w, "0") {
		return s
	}
	n, _ := strconv.Atoi(w)
	for len(s) < n {
		if strings.HasPrefix(s, "-") {
			s = "-0" + s[1:]
		} else {
			s = "0" + s
		}
	}
	return s
}
