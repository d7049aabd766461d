package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Higher-order functions. The analyzer has resolved their lambdas already; here their bodies are brought to the types wanted.

// body is the lambda at an argument.
func body(c *expr.Call, i int) (*expr.Lambda, error) {
	if i >= len(c.Args) {
		return nil, errclass.WrongNumArgs(c.Func.Name, itoa(i+1), len(c.Args))
	}
	l, ok := c.Args[i].(*expr.Lambda)
	if !ok {
		return nil, errclass.UnexpectedInputTypes(c.Func.Name, i+1, c.Args[i].Type(), "a lambda")
	}
	return l, nil
}

// arguments is how many arguments a signature has in front of its lambda, and that one.
func arguments(signature string) int {
	_, in, _ := strings.Cut(signature, "(")
	in, _, _ = strings.Cut(in, "->")
	if i := strings.Index(in, "("); i >= 0 {
		in = in[:i]
	}
	return strings.Count(in, ",") + 1
}

func higher(signature, doc string, resolve func(*expr.Call, *expr.Lambda) error, duck func(c *expr.Call, a []string) string) *expr.Func {
	return ruled(signature, doc, func(c *expr.Call) error {
		n := arguments(signature)
		if len(c.Args) != n {
			return errclass.WrongNumArgs(c.Func.Name, itoa(n), len(c.Args))
		}
		l, err := body(c, n-1)
		if err != nil {
			return err
		}
		if c.Null = c.Args[0].Nullable(); resolve == nil {
			return nil
		}
		return resolve(c, l)
	}, duck)
}

// toBoolean makes a lambda's body a condition.
func toBoolean(c *expr.Call, l *expr.Lambda) error {
	b, ok := Coerce(l.Body, types.Of(types.Boolean))
	if !ok || c.Func.Dialect == sql.Spark && l.Body.Type().Kind == types.String {
		return errclass.UnexpectedInputType(c.Func.Name, 2, l.Body.Type(), types.Of(types.Boolean))
	}
	l.Body = b
	return nil
}

func init() {
	filter := func(c *expr.Call, l *expr.Lambda) error { c.T = c.Args[0].Type(); return toBoolean(c, l) }
	match := func(c *expr.Call, l *expr.Lambda) error {
		err := toBoolean(c, l)
		c.T, c.Null = types.Of(types.Boolean), c.Args[0].Nullable() || l.Body.Nullable()
		return err
	}
	// A condition that is NULL for some element makes the answer NULL unless another decides it.
	anyOf := func(_ *expr.Call, a []string) string {
		return let("list_transform("+join(a)+")", func(v string) string {
			return "CASE WHEN " + v + " IS NULL THEN NULL WHEN list_contains(" + v + ", true) THEN true WHEN len(list_filter(" + v + ", lambda _x: _x IS NULL)) > 0 THEN NULL ELSE false END"
		})
	}
	allOf := func(_ *expr.Call, a []string) string {
		return let("list_transform("+join(a)+")", func(v string) string {
			return "CASE WHEN " + v + " IS NULL THEN NULL WHEN list_contains(" + v + ", false) THEN false WHEN len(list_filter(" + v + ", lambda _x: _x IS NULL)) > 0 THEN NULL ELSE true END"
		})
	}
	both(
		higher("transform(array, x -> …)", "array of what the lambda makes of each element; its second parameter is the place, from 0", func(c *expr.Call, l *expr.Lambda) error {
			c.T = types.ArrayOf(l.Body.Type(), l.Body.Nullable())
			return nil
		}, call("list_transform")),
		higher("filter(array, x -> …)", "elements for which the lambda is true", filter, call("list_filter")),
		higher("zip_with(a, b, (x, y) -> …)", "array of what the lambda makes of the elements at one place", func(c *expr.Call, l *expr.Lambda) error {
			c.T, c.Null = types.ArrayOf(l.Body.Type(), l.Body.Nullable()), c.Args[0].Nullable() || c.Args[1].Nullable()
			return nil
		}, func(c *expr.Call, a []string) string {
			return "list_transform(list_zip(" + a[0] + ", " + a[1] + "), " + a[2] + ")"
		}),
		higher("map_filter(map, (k, v) -> …)", "entries for which the lambda is true", filter, func(_ *expr.Call, a []string) string {
			return "map_from_entries(list_filter(map_entries(" + a[0] + "), " + a[1] + "))"
		}),
		higher("transform_keys(map, (k, v) -> …)", "map with keys that the lambda makes", func(c *expr.Call, l *expr.Lambda) error {
			m := c.Args[0].Type()
			c.T = types.MapOf(l.Body.Type(), *m.Value, m.ElemNull)
			if bad, is := holdsMap(l.Body.Type()); is && c.Func.Dialect == sql.Spark {
				return errclass.MapKeyKind(bad)
			}
			return nil
		}, func(_ *expr.Call, a []string) string {
			return let(a[0], func(m string) string {
				return "CASE WHEN " + m + " IS NOT NULL THEN MAP(list_transform(map_entries(" + m + "), " + a[1] + "), map_values(" + m + ")) END"
			})
		}),
		higher("transform_values(map, (k, v) -> …)", "map with values that the lambda makes", func(c *expr.Call, l *expr.Lambda) error {
			m := c.Args[0].Type()
			c.T = types.MapOf(*m.Key, l.Body.Type(), l.Body.Nullable())
			return nil
		}, func(_ *expr.Call, a []string) string {
			return let(a[0], func(m string) string {
				return "CASE WHEN " + m + " IS NOT NULL THEN MAP(map_keys(" + m + "), list_transform(map_entries(" + m + "), " + a[1] + ")) END"
			})
		}),
		higher("map_zip_with(a, b, (k, v, w) -> …)", "map of what the lambda makes of both maps' values", func(c *expr.Call, l *expr.Lambda) error {
			k, k2 := *c.Args[0].Type().Key, *c.Args[1].Type().Key
			if c.Func.Dialect == sql.Spark && mixesText([]types.Type{k, k2}) {
				// The lambda's text has its own names there.
				names := []string{}
				for _, p := range l.Params {
					names = append(names, p.Name)
				}
				return errclass.MapZipTypes(k, k2).Shown("map_zip_with($1, $2, lambdafunction(" + Name(l.Body) + ", " + join(names) + "))")
			}
			c.T, c.Null = types.MapOf(*c.Args[0].Type().Key, l.Body.Type(), l.Body.Nullable()), c.Args[0].Nullable() || c.Args[1].Nullable()
			return nil
		}, func(c *expr.Call, a []string) string {
			return letAll(a, []int{0, 1}, func(a []string) string {
				keys := "list_concat(map_keys(" + a[0] + "), list_filter(map_keys(" + a[1] + "), lambda _k: NOT map_contains(" + a[0] + ", _k)))"
				triple := "list_transform(" + keys + ", lambda _k: {'k': _k, 'v': map_extract_value(" + a[0] + ", _k), 'w': map_extract_value(" + a[1] + ", _k)})"
				return "CASE WHEN " + a[0] + " IS NOT NULL AND " + a[1] + " IS NOT NULL THEN MAP(" + keys + ", list_transform(" + triple + ", " + a[2] + ")) END"
			})
		}),
		foldName(ruled("reduce(array, start, (acc, x) -> …[, acc -> …])", "the elements folded into one value", aggregateRule, printFold)),
	)
	spark(
		foldName(ruled("aggregate(array, start, (acc, x) -> …[, acc -> …])", "the elements folded into one value", aggregateRule, printFold)),
		higher("exists(array, x -> …)", "true if the lambda is true for an element", match, anyOf), higher("forall(array, x -> …)", "true if the lambda is true for every element", match, allOf),
		defaults(2, ruled("array_sort(array[, (a, b) -> …])", "array sorted, NULLs last; or by a lambda that compares", arraySortRule, printArraySort), comparing("namedlambdavariable()", "namedlambdavariable()")),
	)
	trino(
		higher("any_match(array, x -> …)", "true if the lambda is true for an element", match, anyOf), higher("all_match(array, x -> …)", "true if the lambda is true for every element", match, allOf),
		higher("none_match(array, x -> …)", "true if the lambda is true for no element", match, func(c *expr.Call, a []string) string { return "(NOT " + anyOf(c, a) + ")" }),
	)
}

// comparing is Spark's own lambda of array_sort as names show it.
func comparing(l, r string) string {
	return strings.NewReplacer("left", l, "right", r).Replace("lambdafunction((IF(((left IS NULL) AND (right IS NULL)), 0, (IF((left IS NULL), 1, (IF((right IS NULL), -1, (IF((left < right), -1, (IF((left > right), 1, 0)))))))))), left, right)")
}

func arraySortRule(c *expr.Call) error {
	if n := len(c.Args); n < 1 || n > 2 {
		return errclass.WrongNumArgs(c.Func.Name, "[1, 2]", n)
	}
	t := c.Args[0].Type()
	if t.Kind != types.Array && len(c.Args) == 2 {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `"ARRAY"`)
	}
	if t.Kind != types.Array {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `"ARRAY"`).Shown("array_sort($1, " + comparing("left", "right") + ")")
	}
	c.T, c.Null = t, c.Args[0].Nullable()
	if len(c.Args) == 1 {
		if _, is := unordered(*t.Elem); is {
			return errclass.InvalidOrdering("<", *t.Elem).Shown("(namedlambdavariable() < namedlambdavariable())")
		}
		return nil
	}
	l, err := body(c, 1)
	if err != nil {
		return err
	}
	if l.Body.Type().Kind != types.Int {
		return errclass.LambdaReturn(types.Of(types.Int), l.Body.Type())
	}
	return nil
}

// printArraySort sorts by a lambda that compares: an element's place is the number of those in front of it.
func printArraySort(c *expr.Call, a []string) string {
	if len(a) == 1 {
		return sortList(sortedType(c), a[0], "ASC", "LAST")
	}
	head, body, _ := strings.Cut(strings.TrimPrefix(a[1], "lambda "), ": ")
	first, second, _ := strings.Cut(head, ", ")
	return let("list_transform("+a[0]+", lambda _x, _i: {'v': _x, 'i': _i})", func(list string) string {
		order := "list_transform([_b.v], lambda " + first + ": list_transform([_a.v], lambda " + second + ": " + body + ")[1])[1]"
		order = "coalesce(" + order + ", CAST(" + Fail(c, "COMPARATOR_RETURNS_NULL", "CAST(_b.v AS VARCHAR)", "CAST(_a.v AS VARCHAR)") + " AS INTEGER))"
		before := "list_filter(" + list + ", lambda _b: _b.i <> _a.i AND (" + order + " < 0 OR " + order + " = 0 AND _b.i < _a.i))"
		return "list_transform(list_sort(list_transform(" + list + ", lambda _a: {'n': len(" + before + "), 'i': _a.i, 'v': _a.v})), lambda _c: _c.v)"
	})
}

// PairParams tells the printer that a lambda's parameters are parts of one element: of a zipped pair, or of a map's entry.
func PairParams(f *expr.Func) []string {
	switch f.Name {
	case "zip_with":
		return []string{"1", "2"}
	case "map_filter", "transform_keys", "transform_values":
		return []string{"1", "2"}
	case "map_zip_with":
		return []string{"1", "2", "3"}
	}
	return nil
}

func aggregateRule(c *expr.Call) error {
	if n := len(c.Args); n < 3 || n > 4 {
		return errclass.WrongNumArgs(c.Func.Name, "[3, 4]", n)
	}
	merge, err := body(c, 2)
	if err != nil {
		return err
	}
	acc := c.Args[1].Type()
	b, ok := Coerce(merge.Body, acc)
	if c.Func.Dialect == sql.Spark && mixesText([]types.Type{merge.Body.Type(), acc}) {
		ok = false
	}
	if !ok {
		return errclass.UnexpectedInputType(c.Func.Name, 3, merge.Body.Type(), acc)
	}
	merge.Body = b
	c.T, c.Null = acc, true
	if len(c.Args) == 4 {
		finish, err := body(c, 3)
		if err != nil {
			return err
		}
		c.T, c.Null = finish.Body.Type(), c.Args[0].Nullable() || finish.Body.Nullable()
	}
	return nil
}

func printFold(c *expr.Call, a []string) string {
	s := "list_reduce(" + a[0] + ", " + a[2] + ", " + typedAs(c.Args[1].Type(), a[1]) + ")"
	if acc, e := c.Args[1].Type(), c.Args[0].Type(); e.Kind == types.Array && !e.Elem.Equal(acc) {
		s = foldPairs(acc, *e.Elem, a)
	}
	if len(a) == 4 {
		return "list_transform([" + s + "], " + a[3] + ")[1]"
	}
	return s
}

// foldPairs folds into another type than the elements'. DuckDB wants one type for both, so the list is one of pairs: of the value so
// far, and of the element.
func foldPairs(acc, e types.Type, a []string) string {
	head, body, _ := strings.Cut(strings.TrimPrefix(a[2], "lambda "), ": ")
	first, second, _ := strings.Cut(head, ", ")
	return let(a[0], func(list string) string {
		step := "list_transform([_s.a], lambda " + first + ": list_transform([_t.e], lambda " + second + ": " + body + ")[1])[1]"
		pairs := "list_prepend({'a': " + typedAs(acc, a[1]) + ", 'e': CAST(NULL AS " + DuckType(e) + ")}, list_transform(" + list + ", lambda _x: {'a': CAST(NULL AS " + DuckType(acc) + "), 'e': _x}))"
		return "CASE WHEN " + list + " IS NOT NULL THEN list_reduce(" + pairs + ", lambda _s, _t: {'a': " + typedAs(acc, step) + ", 'e': _t.e}).a END"
	})
}

// foldName shows the finish that was left out.
func foldName(f *expr.Func) *expr.Func {
	f = defaults(4, f, "lambdafunction(namedlambdavariable(), namedlambdavariable())")
	pretty := f.Pretty
	f.Pretty = func(c *expr.Call, a []string) string {
		if c.Extra == "written" && len(a) == 3 {
			a = append(a[:3:3], "lambdafunction(id, id)")
		}
		return pretty(c, a)
	}
	return f
}
