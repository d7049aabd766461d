// Package functions is the table of built-in functions and operators, and the type rules that go with them.
//
// Package plan calls Resolve, Cast and Literal while it types expressions; package duck prints a call through its row's
// Duck. The rows stand in spark_*.go and trino_*.go by theme; types.go holds implicit casts and common types, cast.go the
// explicit ones. A built-in of the dialect that is not here has a row with Missing, so that it is refused by name.
package functions

import (
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

type table map[string]*expr.Func

var tables = map[sql.Dialect]table{sql.Spark: {}, sql.Trino: {}}

// add puts rows into a dialect's table.
func add(d sql.Dialect, rows ...*expr.Func) {
	for _, f := range rows {
		f.Dialect = d
		tables[d][f.Name] = f
		for _, a := range f.Aliases {
			tables[d][a] = f
		}
	}
}

// both puts rows into both dialects' tables.
func both(rows ...*expr.Func) {
	for _, f := range rows {
		g := *f
		add(sql.Spark, f)
		add(sql.Trino, &g)
	}
}

// Lookup finds a function or an operator by name, in any case; nil if the dialect has none of that name.
func Lookup(d sql.Dialect, name string) *expr.Func { return tables[d][strings.ToLower(name)] }

// All lists a dialect's functions by name, operators left out.
func All(d sql.Dialect) []*expr.Func {
	seen := map[*expr.Func]bool{}
	var out []*expr.Func
	for _, f := range tables[d] {
		if !seen[f] && f.Signature != "" {
			seen[f] = true
			out = append(out, f)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Resolve types a call: it checks the arguments, casts them where the rules say so and returns the typed call.
func Resolve(d sql.Dialect, name string, args []expr.Expr, at token.Span) (expr.Expr, error) {
	f := Lookup(d, name)
	if f == nil {
		return nil, errclass.UnresolvedRoutine(int(d), name).At(at)
	}
	c := &expr.Call{Func: f, Name: name, Args: args}
	c.At = at
	return c, Type(c)
}

// Type types a call that has its function and arguments already.
func Type(c *expr.Call) error {
	if c.Func.Missing != "" {
		return errclass.FunctionMissing(int(c.Func.Dialect), c.Func.Name, c.Func.Missing).At(c.At)
	}
	return errclass.Place(c.Func.Resolve(c), c.At)
}

// nullable reports whether any argument may be NULL.
func nullable(args []expr.Expr) bool {
	for _, a := range args {
		if a.Nullable() {
			return true
		}
	}
	return false
}

// rule is the usual shape of a type rule: fixed parameter types and a result.
type rule struct {
	params   []param
	min      int // fewest arguments; len(params) if negative
	variadic bool
	result   func(c *expr.Call) types.Type
	null     func(c *expr.Call) bool // nil: NULL if any argument may be
}

// param is what an argument must be; accept turns it into the type wanted.
type param struct {
	accept func(t types.Type) (types.Type, bool)
}

func exactly(k types.Kind) func(types.Type) (types.Type, bool) {
	return func(types.Type) (types.Type, bool) { return types.Of(k), true }
}

// Resolve checks and casts the arguments.
func (r rule) resolve(c *expr.Call) error {
	n, least := len(c.Args), r.min
	if least < 0 {
		least = len(r.params)
	}
	if n < least || (!r.variadic && n > len(r.params)) {
		return errclass.WrongNumArgs(c.Func.Name, arity(least, len(r.params), r.variadic), n)
	}
	for i := range c.Args {
		p := r.params[min(i, len(r.params)-1)]
		to, ok := p.accept(c.Args[i].Type())
		if ok {
			c.Args[i], ok = Coerce(c.Args[i], to)
		}
		if !ok {
			want, _ := p.accept(types.Type{})
			return errclass.UnexpectedInputType(c.Func.Name, i+1, c.Args[i].Type(), want)
		}
	}
	c.T = r.result(c)
	if r.null != nil {
		c.Null = r.null(c)
	} else {
		c.Null = nullable(c.Args)
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

// fn makes a row from the usual shape.
func fn(name, signature, doc string, r rule, duck func(c *expr.Call, a []string) string) *expr.Func {
	return &expr.Func{Name: name, Signature: signature, Doc: doc, Resolve: r.resolve, Duck: duck}
}

// call prints name(args…).
func call(name string) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string { return name + "(" + strings.Join(a, ", ") + ")" }
}

// tmpl prints a template in which $1, $2 … stand for the arguments.
func tmpl(t string) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string {
		pairs := make([]string, 0, 2*len(a))
		for i := len(a); i > 0; i-- {
			pairs = append(pairs, "$"+itoa(i), a[i-1])
		}
		return strings.NewReplacer(pairs...).Replace(t)
	}
}

func of(k types.Kind) func(*expr.Call) types.Type {
	return func(*expr.Call) types.Type { return types.Of(k) }
}

func argType(i int) func(*expr.Call) types.Type {
	return func(c *expr.Call) types.Type { return c.Args[i].Type() }
}

func never(*expr.Call) bool  { return false }
func always(*expr.Call) bool { return true }
