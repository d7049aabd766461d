package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// row makes a row of the table from its usual parts: the signature (whose first word is the name), the types, one line of doc,
// and how DuckDB says it, with $1, $2 … for the arguments. Types are words, `string, int, string? -> string`: "?" marks an
// argument that may be left out, "…" one that may be repeated, and "?" at the result one that may be NULL whatever the
// arguments are. "same" is the first argument's type. With optional arguments there is a template for each number of them.
func row(signature, kinds, doc string, duck ...string) *expr.Func {
	name, _, _ := strings.Cut(signature, "(")
	f := &expr.Func{Name: name, Signature: signature, Doc: doc, Resolve: parseRule(kinds).resolve}
	if len(duck) == 1 {
		f.Duck = tmpl(duck[0])
	} else {
		templates := make([]func(*expr.Call, []string) string, len(duck))
		for i, t := range duck {
			templates[i] = tmpl(t)
		}
		least := parseRule(kinds).least()
		f.Duck = func(c *expr.Call, a []string) string { return templates[len(a)-least](c, a) }
	}
	return f
}

// printed makes a row whose call is printed by code.
func printed(signature, kinds, doc string, duck func(*expr.Call, []string) string) *expr.Func {
	f := row(signature, kinds, doc, "")
	f.Duck = duck
	return f
}

// ruled makes a row whose types are found by code.
func ruled(signature, doc string, resolve func(*expr.Call) error, duck func(*expr.Call, []string) string) *expr.Func {
	name, _, _ := strings.Cut(signature, "(")
	return &expr.Func{Name: name, Signature: signature, Doc: doc, Resolve: resolve, Duck: duck}
}

// also gives a row more names.
func also(f *expr.Func, names ...string) *expr.Func {
	f.Aliases = append(f.Aliases, names...)
	return f
}

// shown fixes the name that a call has in generated column names, whatever alias it was called by.
func shown(name string, f *expr.Func) *expr.Func {
	f.Pretty = func(_ *expr.Call, a []string) string { return name + "(" + join(a) + ")" }
	return f
}

// looks gives a generated name as a template.
func looks(t string, f *expr.Func) *expr.Func {
	f.Pretty = tmpl(t)
	return f
}

// defaults shows arguments that were left out, as Spark does in generated names: values for the last len(values) of them.
func defaults(most int, f *expr.Func, values ...string) *expr.Func {
	name := f.Name
	f.Pretty = func(c *expr.Call, a []string) string {
		for len(a) < most && len(values) >= most-len(a) {
			a = append(a[:len(a):len(a)], values[len(values)-(most-len(a))])
		}
		n := strings.ToLower(c.Name)
		if n == "" {
			n = name
		}
		return n + "(" + join(a) + ")"
	}
	return f
}

// known gives a row the name by which Spark's errors of types call it.
func known(name string, f *expr.Func) *expr.Func {
	f.InErrors = name
	return f
}

func nondeterministic(f *expr.Func) *expr.Func {
	f.NonDeterministic = true
	return f
}

// ofMoment marks a function that gives the moment of the query's start.
func ofMoment(f *expr.Func) *expr.Func {
	f.Moment = true
	return f
}

// byRow marks a function that counts the rows of its input.
func byRow(f *expr.Func) *expr.Func {
	f.ByRow = func(*expr.Call) bool { return true }
	return f
}

func missing(reason string, names ...string) []*expr.Func {
	out := make([]*expr.Func, len(names))
	for i, n := range names {
		out[i] = &expr.Func{Name: n, Signature: n, Missing: reason}
	}
	return out
}

// param is one parameter: accept turns an argument's type into the one wanted.
type param struct {
	accept func(t types.Type) (types.Type, bool)
	want   types.Type // for the error message
	text   string     // the same where it is no plain type
}

// rule is the usual shape of a type rule.
type rule struct {
	params   []param
	optional int
	variadic bool
	result   func(c *expr.Call) types.Type
	null     bool // NULL may come out of arguments that are not
	never    bool // NULL never comes out
}

func (r rule) least() int { return len(r.params) - r.optional }

func (r rule) resolve(c *expr.Call) error {
	if err := r.check(c); err != nil {
		return err
	}
	c.T = r.result(c)
	c.Null = !r.never && (r.null || nullable(c.Args))
	return nil
}

// check checks the number of arguments and casts them.
func (r rule) check(c *expr.Call) error {
	n := len(c.Args)
	if n < r.least() || !r.variadic && n > len(r.params) {
		return errclass.WrongNumArgs(c.Func.Name, arity(r.least(), len(r.params), r.variadic), n)
	}
	for i := range c.Args {
		p := r.params[min(i, len(r.params)-1)]
		t := c.Args[i].Type()
		to, ok := p.accept(t)
		if ok {
			c.Args[i], ok = coerceArg(c, c.Args[i], to)
		}
		if !ok {
			if p.text != "" {
				return errclass.UnexpectedInputTypes(c.Func.Name, i+1, t, p.text)
			}
			return errclass.UnexpectedInputType(c.Func.Name, i+1, t, p.want)
		}
	}
	return nil
}

func arity(least, most int, variadic bool) string {
	switch {
	case variadic:
		return "> " + itoa(least-1)
	case least == most:
		return itoa(least)
	}
	parts := []string{}
	for i := least; i <= most; i++ {
		parts = append(parts, itoa(i))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

var words = map[string]types.Type{
	"string": types.Of(types.String), "int": types.Of(types.Int), "long": types.Of(types.Long), "double": types.Of(types.Double), "float": types.Of(types.Float),
	"boolean": types.Of(types.Boolean), "binary": types.Of(types.Binary), "date": types.Of(types.Date), "timestamp": types.Of(types.Timestamp),
	"ntz": types.Of(types.TimestampNTZ), "tinyint": types.Of(types.Byte), "interval": types.Of(types.CalendarInterval), "short": types.Of(types.Short),
	"byte": types.Of(types.Byte), "daytime": types.DayTime(types.Day, types.Second), "yearmonth": types.YearMonth(types.Year, types.Month),
	"seconds": types.DecimalOf(16, 6), "fraction": types.DecimalOf(18, 6),
	"uuid": types.Of(types.UUID), "time": types.Of(types.Time),
	"blobs":   types.ArrayOf(types.Of(types.Binary), false),
	"strings": types.ArrayOf(types.Of(types.String), false), "texts": types.ArrayOf(types.Of(types.String), true), "doubles": types.ArrayOf(types.Of(types.Double), false), "longs": types.ArrayOf(types.Of(types.Long), false), "void": {},
}

// groups are words that take several types.
var groups = map[string]param{
	"any":    {accept: func(t types.Type) (types.Type, bool) { return t, true }},
	"array":  {accept: ofKind(types.Array), text: `"ARRAY"`},
	"map":    {accept: ofKind(types.Map), text: `"MAP"`},
	"struct": {accept: ofKind(types.Struct), text: `"STRUCT"`},
	"number": {text: `"NUMERIC"`, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.String || t.Kind == types.Null {
			return types.Of(types.Double), true
		}
		return t, t.IsNumeric()
	}},
	"integral": {text: `"INTEGRAL"`, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.String || t.Kind == types.Null {
			return types.Of(types.Long), true
		}
		return t, t.IsIntegral()
	}},
	// A whole number, and no text for one.
	"whole": {text: `"INTEGRAL"`, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.Null {
			return types.Of(types.Long), true
		}
		return t, t.IsIntegral()
	}},
	"seed": {text: `("INT" or "BIGINT")`, accept: func(t types.Type) (types.Type, bool) {
		return types.Of(types.Long), t.Kind == types.Int || t.Kind == types.Long || t.Kind == types.Null
	}},
	// A number, and no text for one.
	"plain": {text: `"NUMERIC"`, accept: func(t types.Type) (types.Type, bool) { return t, t.IsNumeric() || t.Kind == types.Null }},
	"days": {text: `("INT" or "SMALLINT" or "TINYINT")`, accept: func(t types.Type) (types.Type, bool) {
		return types.Of(types.Int), t.Kind == types.String || t.Kind == types.Null || t.IsIntegral() && t.Kind != types.Long
	}},
	"moment": {text: anyTimestamp, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.TimestampNTZ {
			return t, true
		}
		return types.Of(types.Timestamp), true
	}},
	"datetime": {want: types.Of(types.Timestamp), accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.String || t.Kind == types.Null {
			return types.Of(types.Timestamp), true
		}
		return t, temporal(t)
	}},
	"bits": {text: `("INTEGRAL" or "BOOLEAN")`, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.Null {
			return types.Of(types.Long), true
		}
		return t, t.IsIntegral() || t.Kind == types.Boolean
	}},
	"rounded": {text: `("DOUBLE" or "DECIMAL" or "BIGINT")`, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.String || t.Kind == types.Null {
			return types.Of(types.Double), true
		}
		return t, t.IsNumeric()
	}},
	"real": {text: `("DOUBLE" or "FLOAT")`, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.Float {
			return t, true
		}
		return types.Of(types.Double), t.IsNumeric() || t.Kind == types.String || t.Kind == types.Null
	}},
	"hexable": {text: `("BIGINT" or "BINARY" or "STRING")`, accept: func(t types.Type) (types.Type, bool) {
		switch {
		case t.IsNumeric():
			return types.Of(types.Long), true
		case t.Kind == types.Binary:
			return t, true
		}
		return types.Of(types.String), true
	}},
	// Bytes, or text for its bytes.
	"blob": {text: `"BINARY"`, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.String || t.Kind == types.Null {
			return types.Of(types.String), true
		}
		return t, t.Kind == types.Binary
	}},
	// Text, or bytes as they are.
	"bytes": {text: `("STRING" or "BINARY")`, accept: func(t types.Type) (types.Type, bool) {
		if t.Kind == types.Binary {
			return t, true
		}
		return types.Of(types.String), true
	}},
}

func ofKind(k types.Kind) func(types.Type) (types.Type, bool) {
	return func(t types.Type) (types.Type, bool) { return t, t.Kind == k }
}

// exactly takes what can be cast to a type.
func exactly(to types.Type) param {
	return param{want: to, accept: func(types.Type) (types.Type, bool) { return to, true }}
}

func parseParam(w string) param {
	// =string is text without any cast to it.
	if w, ok := strings.CutPrefix(w, "="); ok {
		p := parseParam(w)
		k := p.want.Kind
		p.accept = func(t types.Type) (types.Type, bool) { return p.want, t.Kind == k || t.Kind == types.Null }
		return p
	}
	if p, ok := groups[w]; ok {
		return p
	}
	t, ok := words[w]
	if !ok {
		panic("functions: no type " + w)
	}
	return exactly(t)
}

// parseRule reads a rule; rows are made at start-up, so that a mistake shows at once.
func parseRule(s string) rule {
	in, out, _ := strings.Cut(s, "->")
	var r rule
	for _, w := range strings.FieldsFunc(in, func(c rune) bool { return c == ',' || c == ' ' }) {
		if w, r.variadic = strings.CutSuffix(w, "…"); r.variadic {
			r.optional++
		}
		w, opt := strings.CutSuffix(w, "?")
		if opt {
			r.optional++
		}
		r.params = append(r.params, parseParam(w))
	}
	out = strings.TrimSpace(out)
	out, r.null = strings.CutSuffix(out, "?")
	out, r.never = strings.CutSuffix(out, "!")
	switch out {
	case "same":
		r.result = argType(0)
	default:
		t, ok := words[out]
		if !ok {
			panic("functions: no type " + out)
		}
		r.result = func(*expr.Call) types.Type { return t }
	}
	return r
}

func argType(i int) func(*expr.Call) types.Type {
	return func(c *expr.Call) types.Type { return c.Args[i].Type() }
}

// typing makes a rule's result depend on the call.
func typing(kinds string, result func(*expr.Call) types.Type) func(*expr.Call) error {
	r := parseRule(kinds)
	r.result = result
	return r.resolve
}

// orNull makes a rule's result one that may be NULL whatever the arguments are.
func orNull(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		err := resolve(c)
		c.Null = true
		return err
	}
}
