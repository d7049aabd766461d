package functions

import (
	"math/big"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// The formats of to_number and to_char: `[MI|S] [$] [0|9|G|,]* [.|D] [0|9]* [$] [PR|MI|S]`. A 0 at the head of the digits wants
// exactly as many, a 9 at most.
type numberFormat struct {
	lead, trail  string // MI, S or PR
	dollarFirst  bool
	dollarLast   bool
	whole        string // of 0, 9 and comma
	point        bool
	frac         string
	upper        string // the format as messages show it
	wholeDigits  int
	exactlyWhole bool
}

// parseNumberFormat reads a format, or says what is wrong with it.
func parseNumberFormat(s string) (*numberFormat, error) {
	f := &numberFormat{upper: strings.ToUpper(s)}
	if i := strings.IndexAny(f.upper, ",G"); i >= 0 && strings.Trim(f.upper[:i], "09") == f.upper[:i] {
		return nil, errclass.InvalidNumberFormat("CONT_THOUSANDS_SEPS", f.upper, "Thousands separators (, or G) must have digits in between them in the number format.")
	}
	if !strings.ContainsAny(s, "09") {
		return nil, errclass.InvalidNumberFormat("WRONG_NUM_DIGIT", f.upper, "The format string requires at least one number digit.")
	}
	rest := f.upper
	take := func(words ...string) string {
		for _, w := range words {
			if r, ok := strings.CutPrefix(rest, w); ok {
				rest = r
				return w
			}
		}
		return ""
	}
	f.lead = take("MI", "S")
	f.dollarFirst = take("$") != ""
	for {
		switch d := take("0", "9", ",", "G"); d {
		case "":
		case "G":
			f.whole += ","
			continue
		default:
			f.whole += d
			continue
		}
		break
	}
	f.point = take(".", "D") != ""
	for f.point {
		d := take("0", "9")
		if d == "" {
			break
		}
		f.frac += d
	}
	f.dollarLast = take("$") != ""
	f.trail = take("PR", "MI", "S")
	if rest != "" {
		return nil, errclass.InvalidNumberFormat("UNEXPECTED_TOKEN", f.upper, "Found the unexpected character '"+rest[:1]+"'' in the format string; the structure of the format string must match: `[MI|S]` `[$]` `[0|9|G|,]*` `[.|D]` `[0|9]*` `[$]` `[PR|MI|S]`.")
	}
	f.wholeDigits = len(f.whole) - strings.Count(f.whole, ",")
	f.exactlyWhole = strings.HasPrefix(strings.TrimLeft(f.whole, ","), "0")
	return f, nil
}

// decimal is the type of the numbers that a format reads.
func (f *numberFormat) decimal() types.Type {
	return types.DecimalOf(f.wholeDigits+len(f.frac), len(f.frac))
}

// parse reads a number; not ok if it is not of the format.
func (f *numberFormat) parse(s string) (string, bool) {
	s = strings.TrimSpace(s)
	negative := false
	cut := func(prefix string) bool {
		r, ok := strings.CutPrefix(s, prefix)
		s = r
		return ok
	}
	cutEnd := func(suffix string) bool {
		r, ok := strings.CutSuffix(s, suffix)
		s = r
		return ok
	}
	switch {
	case f.lead != "" && cut("-"), f.trail != "" && f.trail != "PR" && cutEnd("-"):
		negative = true
	case f.lead == "S" && cut("+"), f.trail == "S" && cutEnd("+"):
	case f.trail == "PR":
		if negative = cut("<") && cutEnd(">"); !negative && strings.ContainsAny(s, "<>") {
			return "", false
		}
	}
	if f.dollarFirst && !cut("$") || f.dollarLast && !cutEnd("$") {
		return "", false
	}
	whole, frac, _ := strings.Cut(strings.TrimSpace(s), ".")
	if strings.Trim(whole+frac, "0123456789,") != "" || whole+frac == "" || len(frac) > len(f.frac) || strings.Contains(frac, ",") {
		return "", false
	}
	got, want := strings.Split(whole, ","), strings.Split(f.whole, ",")
	if len(got) > len(want) {
		return "", false
	}
	for i := range got {
		g, w := got[len(got)-1-i], want[len(want)-1-i]
		first := i == len(got)-1
		if len(g) > len(w) || !first && len(g) != len(w) || first && f.exactlyWhole && (len(g) != len(w) || len(got) != len(want)) {
			return "", false
		}
	}
	digits := strings.ReplaceAll(whole, ",", "")
	if digits == "" {
		digits = "0"
	}
	if frac != "" {
		digits += "." + frac
	}
	if negative {
		digits = "-" + digits
	}
	return digits, true
}

// format writes a plain number; one that has no room gives signs in place of its digits.
func (f *numberFormat) format(s string) string {
	number, negative := strings.CutPrefix(s, "-")
	if v, ok := new(big.Rat).SetString(number); ok && v.Sign() == 0 {
		negative = false
	}
	whole, frac, _ := strings.Cut(number, ".")
	whole, frac = strings.TrimLeft(whole, "0"), strings.TrimRight(frac, "0")
	if len(whole) > f.wholeDigits || len(frac) > len(f.frac) {
		return strings.NewReplacer("0", "#", "9", "#").Replace(f.shape())
	}
	var b strings.Builder
	left := f.wholeDigits - len(whole) // digits of the format that the number does not have
	for _, c := range f.whole {
		switch {
		case c == ',' && (left == 0 && len(whole) < f.wholeDigits+1 && b.Len() > 0 && strings.Trim(b.String(), " ") != "" || f.exactlyWhole):
			b.WriteByte(',')
		case c == ',':
			b.WriteByte(' ')
		case left > 0:
			left--
			if f.exactlyWhole {
				b.WriteByte('0')
			} else {
				b.WriteByte(' ')
			}
		default:
			b.WriteByte(whole[0])
			whole = whole[1:]
		}
	}
	out := b.String()
	if len(f.frac) > 0 {
		if strings.HasSuffix(out, " ") {
			out = out[:len(out)-1] + "0"
		}
		out += "." + frac + strings.Repeat("0", len(f.frac)-len(frac))
	} else if strings.TrimSpace(out) == "" && out != "" {
		out = out[:len(out)-1] + "0"
	}
	return f.decorate(out, negative)
}

// decorate puts sign, brackets and dollar around the digits, behind the spaces in front of them.
func (f *numberFormat) decorate(digits string, negative bool) string {
	spaces := digits[:len(digits)-len(strings.TrimLeft(digits, " "))]
	digits = digits[len(spaces):]
	if f.dollarFirst {
		digits = "$" + digits
	}
	if f.dollarLast {
		digits += "$"
	}
	sign := func(kind string) string {
		switch {
		case negative:
			return "-"
		case kind == "S":
			return "+"
		}
		return ""
	}
	switch {
	case f.lead != "":
		digits = sign(f.lead) + digits
	case f.trail == "PR" && negative:
		digits = "<" + digits + ">"
	case f.trail != "" && f.trail != "PR":
		digits += sign(f.trail)
	}
	return spaces + digits
}

func (f *numberFormat) shape() string {
	s := f.whole
	if f.point && f.frac != "" {
		s += "." + f.frac
	}
	return f.decorate(s, false)
}

// numberFormatOf is the constant format at an argument; nil for NULL.
func numberFormatOf(c *expr.Call, at int) (*numberFormat, error) {
	x, ok := coerceArg(c, c.Args[at], types.Of(types.String))
	if !ok {
		return nil, errclass.UnexpectedInputType(c.Func.Name, at+1, c.Args[at].Type(), types.Of(types.String))
	}
	v, known := foldText(x)
	c.Args[at] = x
	switch {
	case !known:
		return nil, errclass.NonFoldableInput("format", at+1, types.Of(types.String))
	case v == nil:
		return nil, nil
	}
	return parseNumberFormat(v.(string))
}

// foldText is the text of a constant, implicitly cast to it or not; nil for NULL.
func foldText(x expr.Expr) (any, bool) {
	t := x.Type()
	if k, ok := x.(*expr.Cast); ok && k.Implicit {
		t = k.X.Type()
	}
	v, ok := constant(x)
	if !ok || v == nil {
		return nil, ok
	}
	if s, is := v.(string); is {
		return s, true
	}
	return types.Text(t, v, nil), true
}

func toNumberRow(name string, try bool) *expr.Func {
	return ruled(name+"(text, format)", "text read as a number by a format such as '99,999.99'", func(c *expr.Call) error {
		if len(c.Args) != 2 {
			return errclass.WrongNumArgs(name, "2", len(c.Args))
		}
		x, ok := coerceArg(c, c.Args[0], types.Of(types.String))
		if !ok {
			return errclass.UnexpectedInputType(name, 1, c.Args[0].Type(), types.Of(types.String))
		}
		c.Args[0] = x
		f, err := numberFormatOf(c, 1)
		if err != nil {
			return err
		}
		c.T, c.Null = types.DecimalOf(10, 0), try || nullable(c.Args)
		if f != nil {
			c.T = f.decimal()
		}
		return nil
	}, func(c *expr.Call, a []string) string {
		return letAll(a, []int{0, 1}, func(a []string) string {
			read := "TRY_CAST(spark_read_number(" + join(a) + ") AS " + DuckType(c.T) + ")"
			if try {
				return read
			}
			return "coalesce(" + read + ", CASE WHEN " + notNull(a) + " THEN " + Fail(c, "INVALID_FORMAT.MISMATCH_INPUT", a[1], a[0]) + " END)"
		})
	})
}

// toCharRow writes a number by a format; a time by a pattern, bytes in an encoding.
func toCharRow(name string) *expr.Func {
	f := ruled(name+"(expr, format)", "a number by a format such as '99,999.99', a time by a pattern, bytes as 'base64', 'hex' or 'utf-8'", func(c *expr.Call) error {
		if len(c.Args) != 2 {
			return errclass.WrongNumArgs(name, "2", len(c.Args))
		}
		switch t := c.Args[0].Type(); {
		case temporal(t):
			return parseRule("datetime, string -> string").resolve(c)
		case t.Kind == types.Binary:
			if !IsConstant(c.Args[1]) {
				return errclass.NonFoldableArgument(name, "format", c.Args[1].Type())
			}
			s, ok := constantString(c.Args[1])
			if low := strings.ToLower(s); !ok || low != "base64" && low != "hex" && low != "utf-8" {
				return errclass.BinaryFormat(name, s)
			}
			c.T, c.Null, c.Extra = types.Of(types.String), c.Args[0].Nullable() || strings.EqualFold(s, "utf-8"), strings.ToLower(s)
			return nil
		}
		t := c.Args[0].Type()
		to := decimalOfType(t)
		if !t.IsNumeric() {
			to = types.DecimalOf(38, 18)
		}
		x, ok := coerceArg(c, c.Args[0], to)
		if !ok {
			return errclass.UnexpectedInputTypes(name, 1, t, `"DECIMAL"`)
		}
		c.Args[0] = x
		if _, err := numberFormatOf(c, 1); err != nil {
			return err
		}
		c.T, c.Null = types.Of(types.String), nullable(c.Args)
		return nil
	}, func(c *expr.Call, a []string) string {
		switch t := c.Args[0].Type(); {
		case temporal(t):
			return printFormat(a[0], a[1], c.Args[1])
		case t.Kind == types.Binary:
			switch c.Extra {
			case "base64":
				return "to_base64(" + a[0] + ")"
			case "hex":
				return "hex(" + a[0] + ")"
			}
			return "spark_text(" + a[0] + ")"
		}
		return "spark_write_number(CAST(" + a[0] + " AS VARCHAR), " + a[1] + ")"
	})
	f.InErrors = "to_char"
	f.Pretty = func(c *expr.Call, a []string) string {
		if len(a) == 2 && temporal(c.Args[0].Type()) {
			return "date_format(" + join(a) + ")"
		}
		if len(a) == 2 && c.Args[0].Type().Kind == types.Binary {
			switch {
			case name == "to_varchar" && c.Extra != "utf-8":
				return "to_varchar(" + a[0] + ")"
			case c.Extra == "utf-8":
				return "decode(" + a[0] + ", utf-8)"
			}
			if s, ok := c.Extra.(string); ok {
				return s + "(" + a[0] + ")"
			}
		}
		return "to_char(" + join(a) + ")"
	}
	return f
}

// constructed is a constant collection as Spark's SQL writes it.
func constructed(x expr.Expr) string {
	c, ok := x.(*expr.Call)
	if !ok {
		if s, is := constantString(x); is {
			return "'" + s + "'"
		}
		return Name(x)
	}
	parts := make([]string, len(c.Args))
	for i, a := range c.Args {
		parts[i] = constructed(a)
	}
	return strings.ToUpper(c.Func.Name) + "(" + join(parts) + ")"
}

func toBinaryRow(name string, try bool) *expr.Func {
	f := ruled(name+"(text[, format])", "bytes out of text that is 'hex' (default), 'base64' or 'utf-8'", func(c *expr.Call) error {
		if n := len(c.Args); n < 1 || n > 2 {
			return errclass.WrongNumArgs(name, "[1, 2]", n)
		}
		format := "hex"
		if len(c.Args) == 2 {
			v, ok := foldText(c.Args[1])
			s, _ := v.(string)
			switch format = strings.ToLower(s); {
			case !ok && c.Args[1].Type().Kind >= types.Array && Foldable(c.Args[1]):
				return errclass.InvalidArgValue("fmt", "case-insensitive \"STRING\" literal of 'hex', 'utf-8', 'utf8', or 'base64'", constructed(c.Args[1]))
			case !ok:
				return errclass.NonFoldableInput("fmt", 2, types.Of(types.String))
			case v == nil:
				format = ""
			case c.Args[1].Type().Kind != types.String || format != "hex" && format != "utf-8" && format != "utf8" && format != "base64":
				if try && c.Args[1].Type().Kind < types.Array {
					format = ""
					break
				}
				return errclass.InvalidArgValue("fmt", "case-insensitive \"STRING\" literal of 'hex', 'utf-8', 'utf8', or 'base64'", "'"+strings.ReplaceAll(format, "'", `\'`)+"'")
			}
		}
		x, ok := coerceArg(c, c.Args[0], types.Of(types.String))
		if !ok {
			return errclass.UnexpectedInputType(name, 1, c.Args[0].Type(), types.Of(types.String))
		}
		c.Args[0] = x
		c.Extra = format
		c.T, c.Null = types.Of(types.Binary), try || format != "base64" || x.Nullable()
		return nil
	}, func(c *expr.Call, a []string) string {
		format, _ := c.Extra.(string)
		return let(a[0], func(v string) string {
			good := map[string]string{"": "CAST(NULL AS BLOB)", "hex": "spark_unhex(" + v + ")", "base64": "spark_try_unbase64(" + v + ")"}[format]
			if good == "" {
				return "encode(" + v + ")"
			}
			if try || format == "" {
				return good
			}
			return "coalesce(" + good + ", CASE WHEN " + v + " IS NOT NULL THEN CAST(" + Fail(c, "CONVERSION_INVALID_INPUT", v, quote(strings.ToUpper(format)), "'BINARY'", "'try_to_binary'") + " AS BLOB) END)"
		})
	})
	f.InErrors = "to_binary"
	return f
}

func init() {
	spark(toNumberRow("to_number", false), toNumberRow("try_to_number", true), toCharRow("to_char"), toCharRow("to_varchar"), toBinaryRow("to_binary", false), toBinaryRow("try_to_binary", true))
	define("spark_read_number", "string, string -> string", func(a []any) any {
		f, err := parseNumberFormat(a[1].(string))
		if err != nil {
			return nil
		}
		s, ok := f.parse(a[0].(string))
		if !ok {
			return nil
		}
		return s
	})
	define("spark_write_number", "string, string -> string", func(a []any) any {
		f, err := parseNumberFormat(a[1].(string))
		if err != nil {
			return nil
		}
		return f.format(a[0].(string))
	})
	define("spark_unhex", "string -> binary", func(a []any) any { return unhex(a[0].(string)) })
	define("spark_try_unbase64", "string -> binary", func(a []any) any {
		if strings.Trim(a[0].(string), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \r\n\t") != "" {
			return nil
		}
		b, err := mimeDecode(a[0].(string))
		if err != nil {
			return nil
		}
		return b
	})
}

// unhex reads bytes in hex; a digit may be missing in front.
func unhex(s string) any {
	if len(s)%2 == 1 {
		s = "0" + s
	}
	out := make([]byte, len(s)/2)
	for i := range out {
		hi, lo := hexDigit(s[2*i]), hexDigit(s[2*i+1])
		if hi < 0 || lo < 0 {
			return nil
		}
		out[i] = byte(hi<<4 | lo)
	}
	return out
}

func hexDigit(c byte) int { return strings.IndexByte("0123456789ABCDEF", upperASCII(string(c))[0]) }

// PlainOrScientific is a decimal as Java's BigDecimal writes it: a tiny one with an exponent.
func PlainOrScientific(s string) string {
	digits, sign := strings.TrimPrefix(s, "-"), ""
	if digits != s {
		sign = "-"
	}
	frac, ok := strings.CutPrefix(digits, "0.")
	scale := len(frac)
	if !ok || scale <= 6 {
		return s
	}
	unscaled := strings.TrimLeft(frac, "0")
	if unscaled == "" {
		unscaled = "0"
	}
	exponent := len(unscaled) - 1 - scale
	if exponent >= -6 {
		return s
	}
	if len(unscaled) > 1 {
		unscaled = unscaled[:1] + "." + unscaled[1:]
	}
	return sign + unscaled + "E" + itoa(exponent)
}
