package jsonpath

import (
	"fmt"
	"math"
	"math/big"
)

// EvalError says why a path has no value for a document; its message may be empty, as Trino's is.
type EvalError struct{ Message string }

func (e *EvalError) Error() string { return e.Message }

func structural(format string, args ...any) {
	panic(&EvalError{"structural error: " + fmt.Sprintf(format, args...)})
}

// Eval gives the items that a path finds in a document. Variables without a value are an error.
func (p *Path) Eval(document any, variables map[string]any) (items []any, err error) {
	defer func() {
		if e, ok := recover().(*EvalError); ok {
			items, err = nil, e
		}
	}()
	e := &evaluator{path: p, document: document, variables: variables, lastPlace: -1}
	return e.eval(p.root), nil
}

type evaluator struct {
	path      *Path
	document  any
	variables map[string]any
	current   any
	lastPlace int // of the array whose subscript is evaluated
}

func (e *evaluator) lax() bool { return !e.path.strict }

// eval gives a node's items.
func (e *evaluator) eval(n node) []any {
	switch n := n.(type) {
	case literal:
		return []any{n.value}
	case context:
		return []any{e.document}
	case current:
		return []any{e.current}
	case last:
		return []any{int64(e.lastPlace)}
	case variable:
		v, ok := e.variables[n.name]
		if !ok {
			panic(&EvalError{"no value passed for parameter " + n.name})
		}
		return []any{v}
	case member:
		var out []any
		for _, x := range e.unwrapped(e.eval(n.base)) {
			o, ok := x.(Object)
			if !ok {
				if !e.lax() {
					structural("invalid item type. Expected: OBJECT, actual: %s", kind(x))
				}
				continue
			}
			v, ok := o.Get(n.key)
			if ok {
				out = append(out, v)
			} else if !e.lax() {
				structural("missing member '%s' in JSON object", n.key)
			}
		}
		return out
	case members:
		var out []any
		for _, x := range e.unwrapped(e.eval(n.base)) {
			o, ok := x.(Object)
			if !ok && !e.lax() {
				structural("invalid item type. Expected: OBJECT, actual: %s", kind(x))
			}
			for _, m := range o {
				out = append(out, m.Value)
			}
		}
		return out
	case descend:
		var out []any
		for _, x := range e.eval(n.base) {
			out = descendants(x, n.key, out)
		}
		return out
	case elements:
		var out []any
		for _, x := range e.eval(n.base) {
			list := e.array(x)
			out = append(out, list...)
		}
		return out
	case subscript:
		return e.subscript(n)
	case filter:
		var out []any
		outer := e.current
		for _, x := range e.unwrapped(e.eval(n.base)) {
			if e.current = x; e.truth(n.cond) == yes {
				out = append(out, x)
			}
		}
		e.current = outer
		return out
	case method:
		return e.method(n)
	case negative:
		var out []any
		for _, x := range e.unwrapped(e.eval(n.x)) {
			if !isNumber(x) {
				panic(&EvalError{"invalid item type. Expected: NUMBER, actual: " + kind(x)})
			}
			if n.sign == '-' {
				x = arithmetic("-", int64(0), x)
			}
			out = append(out, x)
		}
		return out
	case binary:
		return []any{arithmetic(n.op, e.single(n.l), e.single(n.r))}
	}
	switch e.truth(n) { // a predicate that stands for a value
	case yes:
		return []any{true}
	case no:
		return []any{false}
	}
	return []any{nil}
}

// unwrapped puts the elements of arrays in their place, in lax mode.
func (e *evaluator) unwrapped(items []any) []any {
	if !e.lax() {
		return items
	}
	var out []any
	for _, x := range items {
		if list, ok := x.([]any); ok {
			out = append(out, list...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// single is the one number that an operand must be.
func (e *evaluator) single(n node) any {
	items := e.unwrapped(e.eval(n))
	if len(items) != 1 {
		panic(&EvalError{"arithmetic binary expression requires singleton operands"})
	}
	return items[0]
}

// descendants collects the members of a name at any depth, an object's own first.
func descendants(v any, key string, out []any) []any {
	switch v := v.(type) {
	case Object:
		if x, ok := v.Get(key); ok {
			out = append(out, x)
		}
		for _, m := range v {
			out = descendants(m.Value, key, out)
		}
	case []any:
		for _, x := range v {
			out = descendants(x, key, out)
		}
	}
	return out
}

// array is an array's elements; in lax mode any other value counts as an array of one.
func (e *evaluator) array(x any) []any {
	list, ok := x.([]any)
	if ok {
		return list
	}
	if !e.lax() {
		structural("invalid item type. Expected: ARRAY, actual: %s", kind(x))
	}
	return []any{x}
}

func (e *evaluator) subscript(n subscript) []any {
	var out []any
	for _, x := range e.eval(n.base) {
		list := e.array(x)
		outer := e.lastPlace
		e.lastPlace = len(list) - 1
		for _, r := range n.ranges {
			from := e.place(r.from)
			to := from
			if r.to != nil {
				to = e.place(r.to)
			}
			if !e.lax() && (from < 0 || from > to || to >= len(list)) {
				structural("invalid array subscript: [%d, %d] for array of size %d", from, to, len(list))
			}
			for i := max(from, 0); i <= to && i < len(list); i++ {
				out = append(out, list[i])
			}
		}
		e.lastPlace = outer
	}
	return out
}

// place is a subscript's value, rounded to a whole number.
func (e *evaluator) place(n node) int {
	items := e.eval(n)
	if len(items) != 1 || !isNumber(items[0]) {
		panic(&EvalError{"array subscript 'from' value must be singleton numeric"})
	}
	return int(math.Round(asFloat(items[0])))
}

func (e *evaluator) method(n method) []any {
	items := e.eval(n.base)
	switch n.name {
	case "type":
		return each(items, func(x any) any { return kindName(x) })
	case "size":
		return each(items, func(x any) any {
			list, ok := x.([]any)
			if !ok && !e.lax() {
				structural("invalid item type. Expected: ARRAY, actual: %s", kind(x))
			}
			if !ok {
				return int64(1)
			}
			return int64(len(list))
		})
	}
	items = e.unwrapped(items)
	if n.name == "keyvalue" {
		var out []any
		for _, x := range items {
			o, ok := x.(Object)
			if !ok {
				panic(&EvalError{"invalid item type. Expected: OBJECT, actual: " + kind(x)})
			}
			for _, m := range o {
				out = append(out, Object{{"name", m.Key}, {"value", m.Value}, {"id", int64(0)}})
			}
		}
		return out
	}
	return each(items, func(x any) any {
		if s, ok := x.(string); ok && n.name == "double" {
			var f float64
			if _, err := fmt.Sscan(s, &f); err != nil {
				panic(&EvalError{})
			}
			return f
		}
		if !isNumber(x) {
			panic(&EvalError{"invalid item type. Expected: NUMBER, actual: " + kind(x)})
		}
		return rounded(n.name, x)
	})
}

func each(items []any, f func(any) any) []any {
	out := make([]any, len(items))
	for i, x := range items {
		out[i] = f(x)
	}
	return out
}

// rounded applies double(), ceiling(), floor() or abs() to a number.
func rounded(name string, x any) any {
	if name == "double" {
		return asFloat(x)
	}
	switch v := x.(type) {
	case float64:
		return map[string]func(float64) float64{"ceiling": math.Ceil, "floor": math.Floor, "abs": math.Abs}[name](v)
	case Decimal:
		if name == "abs" {
			return Decimal{new(big.Int).Abs(v.Unscaled), v.Scale}
		}
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(v.Scale)), nil)
		q, r := new(big.Int).DivMod(v.Unscaled, unit, new(big.Int)) // towards minus infinity
		if name == "ceiling" && r.Sign() != 0 {
			q.Add(q, big.NewInt(1))
		}
		return Decimal{q, 0}
	}
	if name == "abs" && asFloat(x) < 0 {
		return arithmetic("-", int64(0), x)
	}
	return x
}

// The outcomes of a condition.
type truth int

const (
	no truth = iota
	yes
	neither
)

func holds(b bool) truth {
	if b {
		return yes
	}
	return no
}

// truth evaluates a condition. What cannot be computed or compared is unknown.
func (e *evaluator) truth(n node) (out truth) {
	switch n := n.(type) {
	case logical:
		l := e.truth(n.l)
		switch n.op {
		case "!":
			return map[truth]truth{yes: no, no: yes, neither: neither}[l]
		case "&&":
			if l == no {
				return no
			}
			if r := e.truth(n.r); r == no || l == yes {
				return r
			}
			return neither
		}
		if l == yes {
			return yes
		}
		if r := e.truth(n.r); r == yes || l == no {
			return r
		}
		return neither
	case unknown:
		return holds(e.truth(n.x) == neither)
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(*EvalError); !ok {
				panic(r)
			}
			out = neither
		}
	}()
	switch n := n.(type) {
	case exists:
		return holds(len(e.eval(n.x)) > 0)
	case compare:
		return e.pairs(n.l, n.r, func(a, b any) truth { return compared(n.op, a, b) })
	case prefix:
		return e.pairs(n.x, n.with, func(a, b any) truth {
			s, ok1 := a.(string)
			w, ok2 := b.(string)
			if !ok1 || !ok2 {
				return neither
			}
			return holds(len(s) >= len(w) && s[:len(w)] == w)
		})
	}
	return neither
}

// pairs tests every pair of the operands' items: one that holds is enough, but for an unknown one in strict mode.
func (e *evaluator) pairs(l, r node, test func(a, b any) truth) truth {
	out := no
	right := e.unwrapped(e.eval(r))
	for _, a := range e.unwrapped(e.eval(l)) {
		for _, b := range right {
			switch test(a, b) {
			case neither:
				if !e.lax() {
					return neither
				}
				if out == no {
					out = neither
				}
			case yes:
				if e.lax() {
					return yes
				}
				out = yes
			}
		}
	}
	return out
}

// compared compares two scalars.
func compared(op string, a, b any) truth {
	if a == nil || b == nil {
		switch both := a == nil && b == nil; op {
		case "==":
			return holds(both)
		case "<>":
			return holds(!both)
		}
		if a == nil && b == nil {
			return holds(op == "<=" || op == ">=")
		}
		return no
	}
	c := 0
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		if !ok {
			return neither
		}
		c = order(x < y, x > y)
	case bool:
		y, ok := b.(bool)
		if !ok {
			return neither
		}
		c = order(!x && y, x && !y)
	default:
		if !isNumber(a) || !isNumber(b) {
			return neither
		}
		if rat(a) != nil && rat(b) != nil {
			c = rat(a).Cmp(rat(b))
		} else {
			c = order(asFloat(a) < asFloat(b), asFloat(a) > asFloat(b))
		}
	}
	switch op {
	case "==":
		return holds(c == 0)
	case "<>":
		return holds(c != 0)
	case "<":
		return holds(c < 0)
	case "<=":
		return holds(c <= 0)
	case ">":
		return holds(c > 0)
	}
	return holds(c >= 0)
}

func order(less, greater bool) int {
	switch {
	case less:
		return -1
	case greater:
		return 1
	}
	return 0
}

// kind is what errors call an item's type.
func kind(x any) string {
	switch x.(type) {
	case nil:
		return "NULL"
	case bool:
		return "BOOLEAN"
	case string:
		return "STRING"
	case []any:
		return "ARRAY"
	case Object:
		return "OBJECT"
	}
	return "NUMBER"
}

// kindName is what type() calls it.
func kindName(x any) string {
	return map[string]string{"NULL": "null", "BOOLEAN": "boolean", "STRING": "string", "ARRAY": "array", "OBJECT": "object", "NUMBER": "number"}[kind(x)]
}
