package functions

import (
	"errors"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's functions that take functions ("Lambda expressions"), where they are not as Spark's.

func init() {
	sort := ruled("array_sort(array[, (x, y) -> …])", "array sorted, NULLs last; or by a lambda that compares", func(c *expr.Call) error {
		if len(c.Args) == 1 {
			return bindTrino(c)
		}
		l, ok := c.Args[1].(*expr.Lambda)
		if !ok || c.Args[0].Type().Kind != types.Array || !trinoCoercible(l.Body.Type(), types.Of(types.Int)) || l.Body.Type().Kind == types.Null {
			return TrinoUnexpected(c)
		}
		if !l.Body.Type().Equal(types.Of(types.Int)) {
			l.Body = trinoImplicit(l.Body, types.Of(types.Int))
		}
		c.T, c.Null = c.Args[0].Type(), true
		return nil
	}, printTrinoSort)
	fold := ruled("reduce_agg(x, start, (s, x) -> …, (s, s) -> …)", "the values folded into one", func(c *expr.Call) error {
		l, ok1 := c.Args[2].(*expr.Lambda)
		m, ok2 := c.Args[3].(*expr.Lambda)
		state := c.Args[1].Type()
		if !ok1 || !ok2 || !trinoCoercible(l.Body.Type(), state) || !trinoCoercible(m.Body.Type(), state) {
			return TrinoUnexpected(c)
		}
		if !l.Body.Type().Equal(state) {
			l.Body = trinoImplicit(l.Body, state)
		}
		c.T, c.Null = state, true
		return nil
	}, func(c *expr.Call, a []string) string {
		// The last function joins states of different workers: here there is one.
		list := agg(c, "list", a[0], a[0]+" IS NOT NULL")
		return foldPairs(c.T, c.Args[0].Type(), []string{list, a[1], a[2]})
	})
	fold.Kind = expr.Aggregate
	trino(sort, fold)
}

// printTrinoSort sorts by a lambda: an element's place is the number of those that come before it.
func printTrinoSort(c *expr.Call, a []string) string {
	if len(a) == 1 {
		return "list_sort(" + a[0] + ", 'ASC', 'NULLS LAST')"
	}
	head, body, _ := strings.Cut(strings.TrimPrefix(a[1], "lambda "), ": ")
	x, y, _ := strings.Cut(head, ", ")
	compare := func(l, r string) string {
		return "list_transform([" + l + "], lambda " + x + ": list_transform([" + r + "], lambda " + y + ": " + body + ")[1])[1]"
	}
	return let(a[0], func(list string) string {
		checked := let(compare("_o", "_e"), func(n string) string {
			return "CASE WHEN " + n + " IS NULL OR abs(" + n + ") > 1 THEN " + typedAs(types.Of(types.Int), trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("Lambda comparator must return either -1, 0, or 1"))) + " ELSE " + n + " END"
		})
		before := "len(list_filter(" + list + ", lambda _o, _j: CASE WHEN _j = _i THEN false ELSE " + let(checked, func(n string) string { return n + " < 0 OR " + n + " = 0 AND _j < _i" }) + " END))"
		return "list_transform(list_sort(list_transform(" + list + ", lambda _e, _i: {'p': " + before + ", 'v': _e})), lambda _s: _s.v)"
	})
}

// trinoHigher checks a call with lambdas by its function's signatures before its own rule, whose errors about types are Trino's then.
func trinoHigher(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		fits := false
		for _, s := range trinoSignatures()[c.Func.Name] {
			fits = fits || lambdasFit(s, c.Args)
		}
		if !fits {
			return TrinoUnexpected(c)
		}
		err := resolve(c)
		var e *errclass.Error
		if errors.As(err, &e) && !e.Trino() {
			return TrinoUnexpected(c)
		}
		return err
	}
}

// lambdasFit reports whether a signature has as many arguments, and lambdas where they are.
func lambdasFit(s trinoSignature, args []expr.Expr) bool {
	if len(args) != len(s.params) {
		return false
	}
	for i, a := range args {
		_, lambda := a.(*expr.Lambda)
		if lambda != (s.params[i].base == "function") {
			return false
		}
	}
	return true
}

// TrinoUnexpected is a call that no signature of its function fits; an argument that is nil is a lambda.
func TrinoUnexpected(c *expr.Call) error {
	sigs := trinoSignatures()[c.Func.Name]
	expected, given := make([]string, len(sigs)), make([]string, len(c.Args))
	for i, s := range sigs {
		expected[i] = s.text()
	}
	for i, a := range c.Args {
		if _, lambda := a.(*expr.Lambda); lambda || a == nil {
			given[i] = "<function>"
		} else {
			given[i] = a.Type().Trino()
		}
	}
	return errclass.TrinoParameters(c.Func.Name, given, expected)
}
