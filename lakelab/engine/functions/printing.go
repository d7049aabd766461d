package functions

import (
	"strconv"
	"strings"
	"sync/atomic"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

func join(a []string) string { return strings.Join(a, ", ") }

// call prints name(args…).
func call(name string) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string { return name + "(" + join(a) + ")" }
}

// tmpl prints a template in which $1, $2 … stand for the arguments. One that uses an argument twice gets it bound by let.
func tmpl(t string) func(*expr.Call, []string) string {
	var twice []int
	for i := 1; i <= 9; i++ {
		if strings.Count(t, "$"+itoa(i)) > 1 {
			twice = append(twice, i-1)
		}
	}
	return func(_ *expr.Call, a []string) string {
		return letAll(a, twice, func(a []string) string {
			pairs := make([]string, 0, 2*len(a))
			for i := len(a); i > 0; i-- {
				pairs = append(pairs, "$"+itoa(i), a[i-1])
			}
			return strings.NewReplacer(pairs...).Replace(t)
		})
	}
}

// let prints an expression that uses x several times and still computes it once: a list of one element, transformed. DuckDB
// runs that as a vector operation; repeating the text instead would grow it exponentially with the nesting.
func let(x string, body func(v string) string) string {
	if short(x) {
		return body(x)
	}
	v, text := bind(body)
	return "list_transform([" + x + "], lambda " + v + ": " + text + ")[1]"
}

var placeholders atomic.Int64

// bind prints a lambda's body and finds a name for its parameter that no other parameter in the body has: the body may read
// those around it.
func bind(body func(v string) string) (name, text string) {
	mark := newMark()
	text = body(mark)
	name = "_v"
	for n := 2; strings.Contains(text, name); n++ {
		name = "_v" + itoa(n)
	}
	return name, strings.ReplaceAll(text, mark, name)
}

// newMark is a text that stands for another until that is known.
func newMark() string { return "\x00" + strconv.FormatInt(placeholders.Add(1), 36) + "\x00" }

// short is a text that may be repeated: a column, a number, a short constant.
func short(x string) bool { return len(x) <= 24 && !strings.ContainsAny(x, "(") }

// letAll binds several arguments, those at the positions given.
func letAll(a []string, at []int, body func(a []string) string) string {
	var long []int
	for _, i := range at {
		if i < len(a) && !short(a[i]) {
			long = append(long, i)
		}
	}
	switch len(long) {
	case 0:
		return body(a)
	case 1:
		return let(a[long[0]], func(v string) string {
			b := append([]string{}, a...)
			b[long[0]] = v
			return body(b)
		})
	}
	packed := make([]string, len(long))
	for n, i := range long {
		packed[n] = a[i]
	}
	v, text := bind(func(v string) string {
		b := append([]string{}, a...)
		for n, i := range long {
			b[i] = "struct_extract_at(" + v + ", " + itoa(n+1) + ")"
		}
		return body(b) // arguments that are not bound may be columns: a lambda may read those, too
	})
	return "list_transform([row(" + join(packed) + ")], lambda " + v + ": " + text + ")[1]"
}

// typedAs casts to a type's exact DuckDB type.
func typedAs(t types.Type, s string) string { return "CAST(" + s + " AS " + DuckType(t) + ")" }

// quote makes a DuckDB text constant.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// constant is an argument's value if it is written as a constant (perhaps cast by the rules).
func constant(x expr.Expr) (any, bool) {
	for {
		switch y := x.(type) {
		case *expr.Lit:
			return y.Value, true
		case *expr.Cast:
			if !y.Implicit {
				return nil, false
			}
			x = y.X
		default:
			return nil, false
		}
	}
}

// constantInt is a whole number written as a constant, with its sign.
func constantInt(x expr.Expr) (int, bool) {
	if c, ok := x.(*expr.Call); ok && c.Func.Name == "negative" {
		n, ok := constantInt(c.Args[0])
		return -n, ok
	}
	if c, ok := x.(*expr.Call); ok && len(c.Args) == 2 {
		l, ok1 := constantInt(c.Args[0])
		r, ok2 := constantInt(c.Args[1])
		switch {
		case !ok1 || !ok2:
		case c.Func.Name == "+":
			return l + r, true
		case c.Func.Name == "-":
			return l - r, true
		case c.Func.Name == "*":
			return l * r, true
		}
		return 0, false
	}
	v, _ := constant(x)
	if d, ok := v.(types.Dec); ok && x.Type().IsIntegral() { // cast by the rules
		whole, _, _ := strings.Cut(string(d), ".")
		n, err := strconv.Atoi(whole)
		return n, err == nil || whole == "" || whole == "-"
	}
	n, ok := v.(int64)
	return int(n), ok
}

func constantString(x expr.Expr) (string, bool) {
	v, _ := constant(x)
	s, ok := v.(string)
	return s, ok
}
