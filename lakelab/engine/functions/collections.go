package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func elem(c *expr.Call) types.Type { return *c.Args[0].Type().Elem }

// wanting says how Spark's errors word what a function wants: two arrays alike, or an array and a value of its elements' type. Some
// refuse NULL where the type is open, some bring the types together only as far as no value changes.
var wanting = map[string]struct{ two, noNull, tight, arrayFirst bool }{
	"array_except": {two: true, tight: true}, "array_intersect": {two: true, tight: true}, "array_union": {two: true, tight: true}, "arrays_overlap": {two: true, tight: true},
	"array_contains": {noNull: true}, "array_position": {noNull: true, tight: true}, "array_remove": {tight: true}, "array_insert": {tight: true},
	"array_append": {tight: true, arrayFirst: true}, "array_prepend": {tight: true, arrayFirst: true},
}

// ofElements checks an array and others of its element type (or arrays of it), and brings all to one type.
func ofElements(shape string, result func(c *expr.Call) types.Type, null bool) func(*expr.Call) error {
	return func(c *expr.Call) error {
		if len(c.Args) != len(shape) {
			return errclass.WrongNumArgs(c.Func.Name, itoa(len(shape)), len(c.Args))
		}
		style, strict := wanting[c.Func.Name]
		strict = strict && c.Func.Dialect == sql.Spark
		before := argTypes(c)
		differ := func() error {
			if style.two {
				return errclass.ArraysDiffer(c.Func.Name, before[0], before[1])
			}
			if strict && c.Func.Name == "array_insert" && before[0].Kind == types.Array && before[1].Kind != types.Int {
				return errclass.UnexpectedInputType(c.Func.Name, 2, before[1], types.Of(types.Int)) // Spark casts the place only if the types agree
			}
			return errclass.ArrayElementDiff(c.Func.Name, before[0], before[len(before)-1])
		}
		var ts []types.Type
		for i, k := range shape {
			t := c.Args[i].Type()
			switch {
			case strict && style.noNull && t.Kind == types.Null && !(i == 1 && c.Func.Name == "array_position" && len(ts) > 0 && ts[0].Kind != types.Null):
				return errclass.NullTyped(c.Func.Name)
			case k == 'A' && t.Kind == types.Array:
				ts = append(ts, *t.Elem)
			case k == 'A' && strict && !style.arrayFirst && (style.two || !style.noNull):
				return differ()
			case k == 'A' && t.Kind == types.Null && !strict:
			case k == 'A':
				return errclass.UnexpectedInputTypes(c.Func.Name, i+1, t, `"ARRAY"`)
			case k == 'E':
				ts = append(ts, t)
			case k == 'I' && (t.Kind == types.Null && strict || t.Kind == types.String):
				return errclass.UnexpectedInputType(c.Func.Name, i+1, t, types.Of(types.Int))
			case k == 'I':
				x, ok := coerceArg(c, c.Args[i], types.Of(types.Int))
				if !ok {
					return errclass.UnexpectedInputType(c.Func.Name, i+1, t, types.Of(types.Int))
				}
				c.Args[i] = x
			}
		}
		if len(ts) == 0 {
			ts = []types.Type{{}}
		}
		e, ok := CommonType(c.Func.Dialect, ts...)
		if strict && (mixesText(ts) || style.tight && mixesDecimals(ts)) {
			ok = false
		}
		if !ok {
			return differ()
		}
		c.Null = null
		for i, k := range shape {
			to := e
			if k == 'A' {
				to = types.ArrayOf(e, c.Args[i].Type().ElemNull)
			}
			if k != 'I' {
				c.Args[i], _ = Coerce(c.Args[i], to)
			}
			c.Null = c.Null || k != 'E' && c.Args[i].Nullable()
		}
		c.T = result(c)
		return nil
	}
}

// mixesDecimals reports whether decimals meet other numbers that they do not hold, or decimals of another shape.
func mixesDecimals(ts []types.Type) bool {
	apart := func(d, t types.Type) bool {
		if d.Kind != types.Decimal || t.Kind == types.Null || d.Equal(t) {
			return false
		}
		return !t.IsIntegral() || d.Precision-d.Scale < decimalOfType(t).Precision
	}
	for _, t := range ts[1:] {
		if apart(t, ts[0]) || apart(ts[0], t) {
			return true
		}
	}
	return false
}

// ifNull makes a rule's result NULL for any argument that is.
func ifNull(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		err := resolve(c)
		c.Null = nullable(c.Args)
		return err
	}
}

// holdingNull makes a rule's result NULL also for arrays that hold NULL.
func holdingNull(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		err := resolve(c)
		c.Null = nullable(c.Args)
		for _, a := range c.Args {
			c.Null = c.Null || a.Type().Kind == types.Array && a.Type().ElemNull
		}
		return err
	}
}

// repeated is array_repeat's rule: the value's NULL is an element.
func repeated(c *expr.Call) error {
	err := typing("any, =int -> void", func(c *expr.Call) types.Type { return types.ArrayOf(c.Args[0].Type(), c.Args[0].Nullable()) })(c)
	if err == nil {
		c.Null = c.Args[1].Nullable()
	}
	return err
}

func sameArray(c *expr.Call) types.Type { return c.Args[0].Type() }

// eitherNull is the first argument's array type, with NULLs if an argument may bring them.
func eitherNull(c *expr.Call) types.Type {
	t := c.Args[0].Type()
	for _, a := range c.Args[1:] {
		if a.Type().Kind == types.Array && len(c.Args) == 2 && a.Type().Elem != nil && a.Type().Elem.Equal(*t.Elem) {
			t = mergeNull(t, a.Type())
		} else {
			t.ElemNull = t.ElemNull || a.Nullable()
		}
	}
	return t
}

// bothNull is the first argument's array type, with NULLs if both arguments have them.
func bothNull(c *expr.Call) types.Type {
	t := c.Args[0].Type()
	t.ElemNull = t.ElemNull && c.Args[1].Type().ElemNull
	return t
}

func kind(k types.Kind) func(*expr.Call) types.Type {
	return func(*expr.Call) types.Type { return types.Of(k) }
}

func init() {
	member := "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN list_contains($1, $2) THEN true WHEN len(list_filter($1, lambda _x: _x IS NULL)) > 0 THEN NULL ELSE false END"
	distinct := func(s string) string {
		// The first of equal elements stays, NULL counts as a value.
		return let(s, func(v string) string {
			return "list_filter(" + v + ", lambda _x, _i: coalesce(list_position(" + v + ", _x), 0) = _i)"
		})
	}
	distinctRow := func(c *expr.Call, a []string) string {
		if t := c.Args[0].Type(); floating(*t.Elem) && c.Func.Dialect == sql.Spark {
			// 0.0 and -0.0 are two there.
			return let(a[0], func(v string) string {
				text := "list_transform(" + v + ", lambda _y: CAST(_y AS VARCHAR))"
				return "list_filter(" + v + ", lambda _x, _i: coalesce(list_position(" + text + ", CAST(_x AS VARCHAR)), 0) = _i)"
			})
		}
		return distinct(a[0])
	}
	both(
		ruled("array_contains(array, value)", "true if value is in the array", holdingNull(orderly(ofElements("AE", kind(types.Boolean), false))), tmpl(member)),
		ruled("array_distinct(array)", "array without repetitions", sortable(ofElements("A", sameArray, false)), distinctRow),
		ruled("array_max(array)", "largest element", sortable(ofElements("A", elem, true)), func(c *expr.Call, a []string) string { return extremeOf(sortedType(c), a[0], "DESC") }),
		ruled("array_min(array)", "smallest element", sortable(ofElements("A", elem, true)), func(c *expr.Call, a []string) string { return extremeOf(sortedType(c), a[0], "ASC") }),
		ruled("array_position(array, value)", "place of value, from 1; 0 if it isn't there", ifNull(orderly(ofElements("AE", kind(types.Long), false))), tmpl("CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN CAST(coalesce(list_position($1, $2), 0) AS BIGINT) END")),
		ruled("array_remove(array, value)", "array without value", ifNull(orderly(ofElements("AE", sameArray, false))), tmpl("CASE WHEN $2 IS NOT NULL THEN list_filter($1, lambda _x: _x IS DISTINCT FROM $2) END")),
		ruled("array_union(a, b)", "elements of either, without repetitions", orderly(ofElements("AA", eitherNull, false)), func(_ *expr.Call, a []string) string {
			return letAll(a, []int{0, 1}, func(a []string) string {
				return "CASE WHEN " + a[0] + " IS NOT NULL AND " + a[1] + " IS NOT NULL THEN " + distinct("list_concat("+join(a)+")") + " END"
			})
		}),
		ruled("array_intersect(a, b)", "elements of both, without repetitions", orderly(ofElements("AA", bothNull, false)), func(_ *expr.Call, a []string) string {
			return letAll(a, []int{0, 1}, func(a []string) string {
				return "CASE WHEN " + a[0] + " IS NOT NULL AND " + a[1] + " IS NOT NULL THEN " + distinct("list_filter("+a[0]+", lambda _x: list_position("+a[1]+", _x) IS NOT NULL)") + " END"
			})
		}),
		ruled("array_except(a, b)", "elements of a that b lacks, without repetitions", orderly(ofElements("AA", sameArray, false)), func(_ *expr.Call, a []string) string {
			return letAll(a, []int{0, 1}, func(a []string) string {
				return "CASE WHEN " + a[0] + " IS NOT NULL AND " + a[1] + " IS NOT NULL THEN " + distinct("list_filter("+a[0]+", lambda _x: list_position("+a[1]+", _x) IS NULL)") + " END"
			})
		}),
		ruled("arrays_overlap(a, b)", "true if they share an element", holdingNull(orderly(ofElements("AA", kind(types.Boolean), false))), tmpl("CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN list_has_any(list_filter($1, lambda _x: _x IS NOT NULL), list_filter($2, lambda _x: _x IS NOT NULL)) THEN true WHEN len($1) > 0 AND len($2) > 0 AND (len(list_filter($1, lambda _x: _x IS NULL)) > 0 OR len(list_filter($2, lambda _x: _x IS NULL)) > 0) THEN NULL ELSE false END")),
		ruled("flatten(arrays)", "an array of arrays as one", func(c *expr.Call) error {
			if len(c.Args) != 1 {
				return errclass.WrongNumArgs(c.Func.Name, "1", len(c.Args))
			}
			e := c.Args[0].Type().Elem
			if c.Args[0].Type().Kind != types.Array || e.Kind != types.Array {
				return errclass.UnexpectedInputTypes("flatten", 1, c.Args[0].Type(), `"ARRAY" of "ARRAY"`)
			}
			c.T, c.Null = *e, c.Args[0].Nullable() || c.Args[0].Type().ElemNull
			return nil
		}, tmpl("CASE WHEN len(list_filter($1, lambda _x: _x IS NULL)) = 0 THEN flatten($1) END")),
		ruled("map_keys(map)", "array of the keys", orVoid(typing("map -> void", func(c *expr.Call) types.Type { return types.ArrayOf(*c.Args[0].Type().Key, true) })), tmpl("map_keys($1)")),
		ruled("map_values(map)", "array of the values", orVoid(typing("map -> void", func(c *expr.Call) types.Type {
			return types.ArrayOf(*c.Args[0].Type().Value, c.Args[0].Type().ElemNull)
		})), tmpl("map_values($1)")),
		ruled("map_entries(map)", "array of structs of key and value", orVoid(typing("map -> void", func(c *expr.Call) types.Type {
			m := c.Args[0].Type()
			return types.ArrayOf(types.StructOf(types.Field{Name: "key", Type: *m.Key}, types.Field{Name: "value", Type: *m.Value, Nullable: m.ElemNull}), false)
		})), tmpl("map_entries($1)")),
		ruled("sequence(start, stop[, step])", "array from start to stop, both included", sequenceRule, printSequence),
		ruled("reverse(expr)", "text or an array from its end", func(c *expr.Call) error {
			if len(c.Args) == 1 && c.Args[0].Type().Kind == types.Array {
				c.T, c.Null = c.Args[0].Type(), c.Args[0].Nullable()
				return nil
			}
			if len(c.Args) == 1 && c.Func.Dialect == sql.Spark {
				if t := c.Args[0].Type(); t.Kind == types.Map || t.Kind == types.Struct {
					return errclass.UnexpectedInputTypes("reverse", 1, t, `("STRING" or "ARRAY")`)
				}
			}
			return parseRule("string -> string").resolve(c)
		}, func(c *expr.Call, a []string) string {
			if c.T.Kind == types.Array {
				return "list_reverse(" + a[0] + ")"
			}
			return "reverse(" + a[0] + ")"
		}),
		ruled("element_at(collection, key)", "element at a place from 1 (negative: from the end), or of a key", elementAtRule, printElementAt(false)),
		ruled("subscript", "", subscriptRule, printSubscript),
	)
	for _, d := range []sql.Dialect{sql.Spark, sql.Trino} {
		f := tables[d]["subscript"]
		f.Signature, f.Pretty = "", tmpl("$1[$2]")
	}
	spark(
		ruled("array(expr, …)", "an array of the arguments", arrayRule, func(c *expr.Call, a []string) string { return typedAs(c.T, "["+join(a)+"]") }),
		also(ruled("size(expr)", "number of elements of an array or a map", sizeRule, printSize)), ruled("cardinality(expr)", "number of elements of an array or a map", sizeRule, printSize),
		ruled("array_size(array)", "number of elements", func(c *expr.Call) error {
			if len(c.Args) == 1 && c.Args[0].Type().Kind == types.Null {
				c.T, c.Null = types.Of(types.Int), true
				return nil
			}
			return typing("array -> void", kind(types.Int))(c)
		}, printSize),
		ruled("array_append(array, value)", "array with value behind it", ofElements("AE", eitherNull, false), tmpl("CASE WHEN $1 IS NOT NULL THEN list_append($1, $2) END")),
		ruled("array_prepend(array, value)", "array with value in front", ofElements("AE", eitherNull, false), tmpl("CASE WHEN $1 IS NOT NULL THEN list_prepend($2, $1) END")),
		ruled("array_compact(array)", "array without NULLs", ofElements("A", func(c *expr.Call) types.Type { return types.ArrayOf(elem(c), false) }, false), tmpl("list_filter($1, lambda _x: _x IS NOT NULL)")),
		ruled("array_insert(array, place, value)", "array with value put in at a place", ofElements("AIE", func(c *expr.Call) types.Type { return types.ArrayOf(elem(c), true) }, false), printArrayInsert),
		ruled("array_repeat(value, n)", "array of value n times", repeated, tmpl("list_transform(range("+notBelowZero("$2")+"), lambda _i: $1)")),
		ruled("array_join(array, sep[, null])", "elements joined; NULLs left out or replaced", func(c *expr.Call) error {
			if len(c.Args) > 0 {
				switch t := c.Args[0].Type(); {
				case t.Kind == types.Null:
					c.Args[0], _ = Coerce(c.Args[0], words["strings"])
				case t.Kind != types.Array:
					return errclass.UnexpectedInputType("array_join", 1, t, words["strings"])
				}
			}
			return typing("array, =string, =string? -> void", kind(types.String))(c)
		}, func(c *expr.Call, a []string) string {
			text := func(v string) string { return textAt(*c.Args[0].Type().Elem, v, 3) }
			list := "list_filter(list_transform(" + a[0] + ", lambda _x: " + text("_x") + "), lambda _y: _y IS NOT NULL)"
			if len(a) == 3 {
				list = "list_transform(" + a[0] + ", lambda _x: coalesce(" + text("_x") + ", " + a[2] + "))"
			}
			if s, ok := constantString(c.Args[1]); ok && s != "" {
				return "CASE WHEN " + a[0] + " IS NOT NULL THEN coalesce(array_to_string(" + list + ", " + a[1] + "), '') END"
			}
			return "spark_join(CAST(" + list + " AS VARCHAR[]), " + a[1] + ")"
		}),
		ruled("arrays_zip(a, b, …)", "array of structs of the elements at one place", arraysZipRule, printArraysZip),
		defaults(2, ruled("sort_array(array[, ascending])", "array sorted; NULLs first if ascending", orVoid(sortable(typing("array, =boolean? -> void", sameArray))), func(c *expr.Call, a []string) string {
			up := func(s string) string { return sortList(sortedType(c), s, "ASC", "FIRST") }
			down := func(s string) string { return sortList(sortedType(c), s, "DESC", "LAST") }
			switch {
			case len(a) == 2 && strings.EqualFold(a[1], "false"):
				return down(a[0])
			case len(a) == 2 && !strings.EqualFold(a[1], "true"):
				return letAll(a, []int{0, 1}, func(a []string) string {
					return "CASE WHEN " + a[1] + " IS NULL THEN NULL WHEN " + a[1] + " THEN " + up(a[0]) + " ELSE " + down(a[0]) + " END"
				})
			}
			return up(a[0])
		}), "true"),
		ruled("slice(array, start, length)", "part of an array, from 1; a negative start counts from the end", orVoid(typing("array, int, int -> void", sameArray)), func(c *expr.Call, a []string) string {
			return letAll(a, []int{0, 1, 2}, func(a []string) string {
				bad := "CASE WHEN " + a[0] + " IS NULL OR " + a[2] + " IS NULL THEN NULL WHEN " + a[1] + " = 0 THEN " + Fail(c, "INVALID_PARAMETER_VALUE.START") + " WHEN " + a[2] + " < 0 THEN " + Fail(c, "INVALID_PARAMETER_VALUE.LENGTH", "'slice'", "CAST("+a[2]+" AS VARCHAR)")
				start := "CASE WHEN " + a[1] + " < 0 THEN len(" + a[0] + ") + " + a[1] + " + 1 ELSE " + a[1] + " END"
				return bad + " WHEN (" + start + ") < 1 THEN " + a[0] + "[:0] ELSE list_slice(" + a[0] + ", " + start + ", (" + start + ") + " + a[2] + " - 1) END"
			})
		}),
		nondeterministic(ruled("shuffle(array)", "array in a random order", typing("array -> void", sameArray), tmpl("list_transform(list_sort(list_transform($1, lambda _x: {'k': random(), 'v': _x})), lambda _y: _y.v)"))),
		ruled("get(array, i)", "element at a place from 0, or NULL", func(c *expr.Call) error {
			if len(c.Args) == 2 && c.Args[0].Type().Kind == types.Array && !c.Args[1].Type().IsIntegral() && c.Args[1].Type().Kind != types.Null {
				return errclass.UnexpectedInputTypes("get", 2, c.Args[1].Type(), `"INTEGRAL"`).Shown("$1[$2]")
			}
			err := typing("array, int -> void", elem)(c)
			if err == nil {
				c.Null = elementNull(c)
			}
			return err
		}, tmpl("CASE WHEN $2 >= 0 THEN $1[$2 + 1] END")),
		known("element_at", ruled("try_element_at(collection, key)", "element at a place or of a key, or NULL", elementAtRule, printElementAt(true))),
		ruled("map(key, value, …)", "a map of the arguments", mapRule, printMap),
		ruled("map_from_arrays(keys, values)", "a map of two arrays", orVoid(typing("array, array -> void", func(c *expr.Call) types.Type {
			return types.MapOf(elem(c), *c.Args[1].Type().Elem, c.Args[1].Type().ElemNull)
		})), tmpl("CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN MAP($1, $2) END")),
		ruled("map_from_entries(entries)", "a map of an array of structs of two fields", func(c *expr.Call) error {
			if len(c.Args) != 1 {
				return errclass.WrongNumArgs(c.Func.Name, "1", len(c.Args))
			}
			var e types.Type
			if c.Args[0].Type().Kind == types.Array {
				e = elem(c)
			}
			if e.Kind != types.Struct || len(e.Fields) != 2 {
				return errclass.UnexpectedInputTypes("map_from_entries", 1, c.Args[0].Type(), `"ARRAY" of pair "STRUCT"`)
			}
			c.T, c.Null = types.MapOf(e.Fields[0].Type, e.Fields[1].Type, e.Fields[1].Nullable), c.Args[0].Nullable() || c.Args[0].Type().ElemNull
			return nil
		}, tmpl("CASE WHEN len(list_filter($1, lambda _x: _x IS NULL)) = 0 THEN map_from_entries($1) END")),
		ruled("map_contains_key(map, key)", "true if the map has the key", func(c *expr.Call) error {
			if len(c.Args) != 2 {
				return errclass.WrongNumArgs(c.Func.Name, "2", len(c.Args))
			}
			if c.Args[1].Type().Kind == types.Null {
				return errclass.NullTyped(c.Func.Name)
			}
			if c.Args[0].Type().Kind != types.Map {
				return errclass.MapKeyType(c.Func.Name, c.Args[0].Type(), c.Args[1].Type())
			}
			if err := parseRule("map, any -> boolean?").resolve(c); err != nil {
				return err
			}
			k, ok := common(c.Func.Dialect, *c.Args[0].Type().Key, c.Args[1].Type())
			if !ok || mixesText([]types.Type{c.Args[1].Type(), *c.Args[0].Type().Key}) {
				return errclass.MapKeyType(c.Func.Name, c.Args[0].Type(), c.Args[1].Type())
			}
			m := c.Args[0].Type()
			c.Args[0], _ = Coerce(c.Args[0], types.MapOf(k, *m.Value, m.ElemNull))
			c.Args[1], _ = Coerce(c.Args[1], k)
			return nil
		}, tmpl("map_contains($1, $2)")),
		ruled("map_concat(map, …)", "the maps in one", mapConcatRule, printMapConcat),
		ruled("struct(expr, …)", "a struct of the arguments", structRule, printStruct), ruled("named_struct(name, value, …)", "a struct of fields with names", namedStructRule, printNamedStruct),
		defaults(3, ruled("str_to_map(text[, pairDelim[, keyDelim]])", "a map read from text", func(c *expr.Call) error {
			err := parseRule("=string, =string?, =string? -> string").resolve(c)
			c.T = types.MapOf(types.Of(types.String), types.Of(types.String), true)
			return err
		}, func(_ *expr.Call, a []string) string {
			for i, d := range []string{"','", "':'"} {
				if len(a) == i+1 {
					a = append(a, d)
				}
			}
			return "CASE WHEN " + notNull(a) + " THEN map_from_entries(list_transform(string_split_regex(" + a[0] + ", " + a[1] + "), lambda _p: {'k': string_split_regex(_p, " + a[2] + ")[1], 'v': string_split_regex(_p, " + a[2] + ")[2]})) END"
		}), ",", ":"),
	)
}

func sizeRule(c *expr.Call) error {
	if len(c.Args) != 1 {
		return errclass.WrongNumArgs(c.Func.Name, "1", len(c.Args))
	}
	t := c.Args[0].Type()
	if t.Kind != types.Array && t.Kind != types.Map && t.Kind != types.Null {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `("ARRAY" or "MAP")`)
	}
	c.T, c.Null = types.Of(types.Int), c.Args[0].Nullable()
	return nil
}

func printSize(c *expr.Call, a []string) string {
	switch c.Args[0].Type().Kind {
	case types.Map:
		return typedAs(c.T, "cardinality("+a[0]+")")
	case types.Null:
		return typedAs(c.T, "NULL")
	}
	return typedAs(c.T, "len("+a[0]+")")
}

func arrayRule(c *expr.Call) error {
	if len(c.Args) == 0 {
		c.T = types.ArrayOf(types.Of(types.Null), false)
		return nil
	}
	to, ok := CommonType(c.Func.Dialect, argTypes(c)...)
	if !ok {
		return errclass.DataDiffTypes("array", argTypes(c))
	}
	coerceAll(c, to)
	c.T = types.ArrayOf(to, nullable(c.Args))
	return nil
}

func printArrayInsert(c *expr.Call, a []string) string {
	return letAll(a, []int{0, 1, 2}, func(a []string) string {
		n := "len(" + a[0] + ")"
		e := DuckType(*c.T.Elem)
		pad := func(k string) string {
			return "list_transform(range(greatest(" + k + ", 0)), lambda _i: CAST(NULL AS " + e + "))"
		}
		front := "list_concat(list_concat(list_slice(" + a[0] + ", 1, " + a[1] + " - 1), " + pad(a[1]+" - 1 - "+n) + "), list_concat([" + a[2] + "], list_slice(" + a[0] + ", " + a[1] + ", " + n + ")))"
		at := "(" + n + " + " + a[1] + " + 1)" // elements in front of the new one
		back := "list_concat(list_concat(list_slice(" + a[0] + ", 1, greatest(" + at + ", 0)), list_concat([" + a[2] + "], " + pad("-"+at) + ")), list_slice(" + a[0] + ", greatest(" + at + ", 0) + 1, " + n + "))"
		return typedAs(c.T, "CASE WHEN "+a[0]+" IS NULL OR "+a[1]+" IS NULL THEN NULL WHEN "+a[1]+" = 0 THEN "+Fail(c, "INVALID_INDEX_OF_ZERO")+" WHEN "+a[1]+" > 0 THEN "+front+" ELSE "+back+" END")
	})
}

func arraysZipRule(c *expr.Call) error {
	fields := make([]types.Field, len(c.Args))
	for i, a := range c.Args {
		t := a.Type()
		if t.Kind == types.Null {
			t = types.ArrayOf(types.Type{}, true)
			c.Args[i], _ = Coerce(a, t)
		}
		if t.Kind != types.Array {
			return errclass.UnexpectedInputTypes("arrays_zip", i+1, t, `"ARRAY"`)
		}
		name := itoa(i)
		switch r := a.(type) {
		case *expr.Ref:
			name = r.Column.Name
		case *expr.Field:
			name = r.Name
		}
		fields[i] = types.Field{Name: name, Type: *t.Elem, Nullable: true}
	}
	c.T, c.Null = types.ArrayOf(types.StructOf(fields...), false), nullable(c.Args)
	return nil
}

func printArraysZip(c *expr.Call, a []string) string {
	if len(a) == 0 {
		return "[]"
	}
	parts := make([]string, len(a))
	for i, f := range c.T.Elem.Fields {
		parts[i] = ident(f.Name) + ": " + fieldAt("_z", i)
	}
	s := "list_transform(list_zip(" + join(a) + "), lambda _z: {" + join(parts) + "})"
	if c.Null {
		return "CASE WHEN " + notNull(a) + " THEN " + s + " END"
	}
	return s
}

func sequenceRule(c *expr.Call) error {
	if n := len(c.Args); n < 2 || n > 3 {
		return errclass.WrongNumArgs("sequence", "[2, 3]", n)
	}
	t, ok := CommonType(c.Func.Dialect, c.Args[0].Type(), c.Args[1].Type())
	if !ok || !t.IsIntegral() && !temporal(t) {
		return errclass.SequenceTypes()
	}
	c.Args[0], _ = Coerce(c.Args[0], t)
	c.Args[1], _ = Coerce(c.Args[1], t)
	if len(c.Args) == 3 {
		s := c.Args[2].Type()
		if t.IsIntegral() && !s.IsIntegral() || temporal(t) && !interval(s) {
			return errclass.SequenceTypes()
		}
		if t.IsIntegral() {
			c.Args[2], _ = Coerce(c.Args[2], t)
		}
	}
	c.T, c.Null = types.ArrayOf(t, false), nullable(c.Args)
	return nil
}

func printSequence(c *expr.Call, a []string) string {
	t := *c.T.Elem
	a = append([]string{}, a...)
	if len(a) == 2 {
		a = append(a, "")
	}
	return letAll(a, []int{0, 1, 2}, func(a []string) string {
		step := a[2]
		switch {
		case step == "" && t.IsIntegral():
			step = "(CASE WHEN " + a[0] + " <= " + a[1] + " THEN 1 ELSE -1 END)"
		case step == "":
			step = "(CASE WHEN " + a[0] + " <= " + a[1] + " THEN to_days(1) ELSE to_days(-1) END)"
		case c.Args[2].Type().Kind == types.YearMonthInterval:
			step = "to_months(" + step + "::INTEGER)"
		case c.Args[2].Type().Kind == types.DayTimeInterval:
			step = "to_microseconds(" + step + ")"
		}
		if t.IsIntegral() {
			s := "generate_series(" + a[0] + "::BIGINT, " + a[1] + "::BIGINT, " + step + "::BIGINT)"
			if len(c.Args) == 3 && c.Func.Dialect == sql.Spark {
				text := "'requirement failed: Illegal sequence boundaries: ' || CAST(" + a[0] + " AS VARCHAR) || ' to ' || CAST(" + a[1] + " AS VARCHAR) || ' by ' || CAST(" + step + " AS VARCHAR)"
				s = "CASE WHEN " + step + " > 0 AND " + a[0] + " > " + a[1] + " OR " + step + " < 0 AND " + a[0] + " < " + a[1] + " OR " + step + " = 0 AND " + a[0] + " <> " + a[1] + " THEN " +
					Fail(c, "JAVA.IllegalArgumentException", text) + " WHEN " + step + " = 0 AND " + a[0] + " IS NOT NULL THEN [" + a[0] + "::BIGINT] ELSE " + s + " END"
			}
			return typedAs(c.T, s)
		}
		if len(c.Args) == 3 && c.Func.Dialect == sql.Spark && c.Args[2].Type().Kind == types.YearMonthInterval {
			// Months count from the start, so that the end of a month comes back.
			return letAll([]string{"CAST(" + a[0] + " AS TIMESTAMP)", "CAST(" + a[1] + " AS TIMESTAMP)", "CAST(" + a[2] + " AS INTEGER)"}, []int{0, 1, 2}, func(b []string) string {
				list := "list_transform(range(0, abs(datediff('month', " + b[0] + ", " + b[1] + ")) // abs(" + b[2] + ") + 2), lambda _i: " + b[0] + " + to_months(CAST(_i * " + b[2] + " AS INTEGER)))"
				return typedAs(c.T, "CASE WHEN "+notNull(b)+" THEN list_filter("+list+", lambda _d: CASE WHEN "+b[2]+" > 0 THEN _d <= "+b[1]+" ELSE _d >= "+b[1]+" END) END")
			})
		}
		if t.Kind == types.Date && len(c.Args) == 3 && c.Func.Dialect == sql.Spark && c.Args[2].Type().Kind == types.DayTimeInterval {
			step = "CASE WHEN " + a[2] + " % 86400000000 <> 0 THEN CAST(" + Fail(c, "JAVA.IllegalArgumentException#_LEGACY_ERROR_TEMP_3242", "'sequence step must be an interval day to second of day granularity if start and end values are dates'") + " AS INTERVAL) ELSE " + step + " END"
		}
		return typedAs(c.T, "generate_series(CAST("+a[0]+" AS TIMESTAMP), CAST("+a[1]+" AS TIMESTAMP), "+step+")")
	})
}

func elementAtRule(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs(c.Func.Name, "2", len(c.Args))
	}
	t := c.Args[0].Type()
	switch t.Kind {
	case types.Map:
		if key := c.Args[1].Type(); c.Func.Dialect == sql.Spark && t.Key.Kind == types.Null && key.Kind != types.Null {
			t = types.MapOf(key, *t.Value, t.ElemNull)
			c.Args[0], _ = CoerceIn(sql.Spark, c.Args[0], t)
		}
		k, ok := Coerce(c.Args[1], *t.Key)
		if !ok || c.Func.Dialect == sql.Spark && mixesText([]types.Type{c.Args[1].Type(), *t.Key}) {
			return errclass.MapKeyType(c.Func.Name, t, c.Args[1].Type())
		}
		c.Args[1], c.T = k, *t.Value
	case types.Array:
		to := types.Of(types.Int)
		if c.Func.Dialect == sql.Trino {
			to = types.Of(types.Long)
		}
		k, ok := Coerce(c.Args[1], to)
		if !ok || c.Args[1].Type().Kind == types.String || c.Func.Dialect == sql.Spark && c.Args[1].Type().Kind == types.Null {
			return errclass.UnexpectedInputType(c.Func.Name, 2, c.Args[1].Type(), to)
		}
		c.Args[1], c.T = k, *t.Elem
	default:
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `("ARRAY" or "MAP")`)
	}
	c.Null = elementNull(c)
	return nil
}

func printElementAt(try bool) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		if c.Args[0].Type().Kind == types.Map {
			return mapValue(a)
		}
		if try || c.Func.Dialect == sql.Trino {
			return letAll(a, []int{1}, func(a []string) string {
				at := c
				if try && c.Func.Dialect == sql.Spark {
					at = placeless(c)
				}
				return "CASE WHEN " + a[1] + " = 0 THEN " + Fail(at, "INVALID_INDEX_OF_ZERO") + " ELSE " + a[0] + "[" + a[1] + "] END"
			})
		}
		return letAll(a, []int{0, 1}, func(a []string) string {
			return "CASE WHEN " + a[1] + " = 0 THEN " + Fail(c, "INVALID_INDEX_OF_ZERO") + " WHEN abs(" + a[1] + ") > len(" + a[0] + ") THEN " +
				Fail(c, "INVALID_ARRAY_INDEX_IN_ELEMENT_AT", "CAST("+a[1]+" AS VARCHAR)", "CAST(len("+a[0]+") AS VARCHAR)") + " ELSE " + a[0] + "[" + a[1] + "] END"
		})
	}
}

// mapValue is NULL where the map lacks the key.
func mapValue(a []string) string { return "map_extract_value(" + join(a) + ")" }

func subscriptRule(c *expr.Call) error {
	defer func() { c.Null = elementNull(c) }()
	switch t := c.Args[0].Type(); t.Kind {
	case types.Map:
		k, ok := Coerce(c.Args[1], *t.Key)
		if !ok {
			return errclass.UnexpectedInputType("element_at", 2, c.Args[1].Type(), *t.Key)
		}
		c.Args[1], c.T = k, *t.Value
	case types.Array:
		if c.Args[1].Type().Kind == types.Null {
			c.Args[1], _ = Coerce(c.Args[1], types.Of(types.Int))
		}
		if !c.Args[1].Type().IsIntegral() {
			return errclass.UnexpectedInputTypes("subscript", 2, c.Args[1].Type(), `"INTEGRAL"`)
		}
		c.T = *t.Elem
	case types.Struct:
		return errclass.InvalidExtractFieldType(Name(c.Args[1]))
	default:
		return errclass.InvalidExtractBase(Name(c.Args[0]), t)
	}
	return nil
}

// elementNull reports whether an element that is read may be NULL, as Spark finds it: a constant place says nothing but for an array
// whose elements are written there.
func elementNull(c *expr.Call) bool {
	t := c.Args[0].Type()
	if t.Kind != types.Array || c.Func.Dialect == sql.Trino {
		return true
	}
	tolerant := c.Func.Name == "get" || c.Func.Name == "try_element_at"
	i, known := constantInt(c.Args[1])
	if v, ok := constant(c.Args[1]); !known || ok && v == nil {
		return tolerant || t.ElemNull
	}
	made, ok := c.Args[0].(*expr.Call)
	if !ok || made.Func.Name != "array" {
		return true
	}
	if c.Func.Name == "element_at" || c.Func.Name == "try_element_at" {
		if i < 0 {
			i += len(made.Args)
		} else {
			i--
		}
	}
	if i < 0 || i >= len(made.Args) {
		return tolerant
	}
	return made.Args[i].Nullable()
}

// printSubscript counts from 0 in Spark and from 1 in Trino.
func printSubscript(c *expr.Call, a []string) string {
	trino := c.Func.Dialect == sql.Trino
	if c.Args[0].Type().Kind == types.Map {
		if trino {
			return letAll(a, []int{0, 1}, func(a []string) string {
				return "CASE WHEN map_contains(" + join(a) + ") THEN " + mapValue(a) + " ELSE " + Fail(c, "TRINO_KEY_NOT_PRESENT", "CAST("+a[1]+" AS VARCHAR)") + " END"
			})
		}
		return mapValue(a)
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		i := a[1]
		if trino {
			return "CASE WHEN " + i + " < 1 OR " + i + " > len(" + a[0] + ") THEN " + Fail(c, "TRINO_SUBSCRIPT", "CAST("+i+" AS VARCHAR)", "CAST(len("+a[0]+") AS VARCHAR)") + " ELSE " + a[0] + "[" + i + "] END"
		}
		return "CASE WHEN " + i + " < 0 OR " + i + " >= len(" + a[0] + ") THEN " +
			Fail(c, "INVALID_ARRAY_INDEX", "CAST("+i+" AS VARCHAR)", "CAST(len("+a[0]+") AS VARCHAR)") + " ELSE " + a[0] + "[" + i + " + 1] END"
	})
}

func mapRule(c *expr.Call) error {
	if len(c.Args)%2 != 0 {
		return errclass.WrongNumArgs("map", "2n (n > 0)", len(c.Args)).Nowhere()
	}
	if len(c.Args) == 0 {
		c.T = types.MapOf(types.Of(types.Null), types.Of(types.Null), false)
		return nil
	}
	var keys, values []expr.Expr
	for i := 0; i < len(c.Args); i += 2 {
		keys, values = append(keys, c.Args[i]), append(values, c.Args[i+1])
	}
	k, ok1 := commonOf(c.Func.Dialect, keys)
	v, ok2 := commonOf(c.Func.Dialect, values)
	kinds := func(xs []expr.Expr) []types.Type {
		ts := make([]types.Type, len(xs))
		for i, x := range xs {
			ts[i] = x.Type()
		}
		return ts
	}
	if !ok1 {
		return errclass.MapDiffTypes("KEY", "keys", kinds(keys))
	}
	if !ok2 {
		return errclass.MapDiffTypes("VALUE", "values", kinds(values))
	}
	for i := range c.Args {
		to := k
		if i%2 == 1 {
			to = v
		}
		c.Args[i], _ = Coerce(c.Args[i], to)
	}
	if bad, is := holdsMap(k); is && c.Func.Dialect == sql.Spark {
		return errclass.MapKeyKind(bad)
	}
	c.T = types.MapOf(k, v, nullable(values))
	return nil
}

// holdsMap finds a map in a type, which keys of maps must not be or have.
func holdsMap(t types.Type) (types.Type, bool) {
	switch t.Kind {
	case types.Map:
		return t, true
	case types.Array:
		return holdsMap(*t.Elem)
	case types.Struct:
		for _, f := range t.Fields {
			if bad, is := holdsMap(f.Type); is {
				return bad, true
			}
		}
	}
	return t, false
}

// madeKeys prints the list of keys of which a call makes a map, for the second run that looks for those that are there twice.
func madeKeys(c *expr.Call, a []string) string {
	entries := func(s string) string {
		return "list_transform(" + s + ", lambda _e: struct_extract_at(_e, 1))"
	}
	switch c.Func.Name {
	case "map":
		var keys []string
		for i := 0; i < len(a); i += 2 {
			keys = append(keys, a[i])
		}
		return "[" + join(keys) + "]"
	case "map_from_arrays":
		return a[0]
	case "map_from_entries":
		return entries(a[0])
	case "map_concat":
		s := "[]"
		for _, x := range a {
			s = "list_concat(" + s + ", map_keys(" + x + "))"
		}
		return s
	case "transform_keys":
		return "list_transform(map_entries(" + a[0] + "), " + a[1] + ")"
	case "str_to_map":
		for i, d := range []string{"','", "':'"} {
			if len(a) == i+1 {
				a = append(a[:i+1:i+1], d)
			}
		}
		return "list_transform(string_split_regex(" + a[0] + ", " + a[1] + "), lambda _p: string_split_regex(_p, " + a[2] + ")[1])"
	}
	return ""
}

// keyText prints a key as Spark's message shows it: dates and times are numbers in there, as in JSON.
func keyText(t types.Type, s string) string { return jsonKey(t, s, 0) }

// orVoid lets NULL stand where a function takes an array or a map: of elements that have no type.
func orVoid(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		if c.Func.Dialect != sql.Spark {
			return resolve(c)
		}
		for i, a := range c.Args {
			if a.Type().Kind != types.Null || i == 1 && c.Func.Name != "map_from_arrays" || i > 1 {
				continue
			}
			to := types.ArrayOf(types.Type{}, true)
			if strings.HasPrefix(c.Func.Name, "map_") && c.Func.Name != "map_from_arrays" {
				to = types.MapOf(types.Type{}, types.Type{}, true)
			}
			c.Args[i], _ = Coerce(a, to)
		}
		return resolve(c)
	}
}

// orderly refuses elements that have no order, after the arguments have got their types.
func orderly(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		err := resolve(c)
		if err == nil && c.Func.Dialect == sql.Spark && c.Args[0].Type().Kind == types.Array {
			if bad, is := unordered(*c.Args[0].Type().Elem); is {
				return errclass.InvalidOrdering(c.Func.Name, bad)
			}
		}
		return err
	}
}

// sortable refuses elements that have no order.
func sortable(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		if len(c.Args) > 0 && c.Func.Dialect == sql.Spark && c.Args[0].Type().Kind == types.Array {
			t := c.Args[0].Type()
			if bad, is := unordered(*t.Elem); is {
				if c.Func.Name == "sort_array" {
					bad = t
				}
				return errclass.InvalidOrdering(c.Func.Name, bad)
			}
			if c.Func.Name == "sort_array" && len(c.Args) == 2 && !Foldable(c.Args[1]) {
				return errclass.NonFoldableInput("ascendingOrder", 2, c.Args[1].Type())
			}
		}
		return resolve(c)
	}
}

func printMap(c *expr.Call, a []string) string {
	var keys, values []string
	for i := 0; i < len(a); i += 2 {
		keys, values = append(keys, a[i]), append(values, a[i+1])
	}
	return typedAs(c.T, "MAP(["+join(keys)+"], ["+join(values)+"])")
}

func mapConcatRule(c *expr.Call) error {
	if len(c.Args) == 0 {
		c.T = types.MapOf(types.Of(types.String), types.Of(types.String), false)
		return nil
	}
	t, ok := commonOf(c.Func.Dialect, c.Args)
	var keys, values []types.Type
	for _, a := range c.Args {
		if k := a.Type().Kind; k != types.Map {
			return errclass.MapConcatTypes(argTypes(c))
		}
		keys, values = append(keys, *a.Type().Key), append(values, *a.Type().Value)
	}
	ok = ok && !mixesText(keys) && !mixesText(values)
	if !ok || t.Kind != types.Map {
		if t.Kind == types.Null && ok {
			t = types.MapOf(types.Of(types.String), types.Of(types.String), false)
		} else {
			return errclass.DataDiffTypes("map_concat", argTypes(c))
		}
	}
	coerceAll(c, t)
	c.T, c.Null = t, nullable(c.Args)
	return nil
}

func printMapConcat(c *expr.Call, a []string) string {
	if len(a) == 0 {
		return typedAs(c.T, "MAP([], [])")
	}
	parts := make([]string, len(a))
	for i, x := range a {
		parts[i] = "map_entries(" + x + ")"
	}
	s := parts[0]
	for _, p := range parts[1:] {
		s = "list_concat(" + s + ", " + p + ")"
	}
	test := make([]string, len(a))
	for i, x := range a {
		test[i] = x + " IS NULL"
	}
	return "CASE WHEN " + strings.Join(test, " OR ") + " THEN NULL ELSE map_from_entries(" + s + ") END"
}

func structRule(c *expr.Call) error {
	if len(c.Args) == 0 && c.Func.Dialect == sql.Spark {
		return errclass.Unsupported("a struct without fields")
	}
	fields := make([]types.Field, len(c.Args))
	for i, a := range c.Args {
		name := "col" + itoa(i+1)
		switch x := a.(type) {
		case *expr.Ref:
			name = x.Column.Name
			if x.Spelled != "" {
				name = x.Spelled
			}
		case *expr.Alias:
			name = x.Name
		case *expr.Field:
			name = x.Name
		}
		fields[i] = types.Field{Name: name, Type: a.Type(), Nullable: a.Nullable()}
	}
	c.T = types.StructOf(fields...)
	return nil
}

func printStruct(c *expr.Call, a []string) string {
	parts := make([]string, len(a))
	for i, name := range FieldNames(c.T.Fields) {
		parts[i] = ident(name) + ": " + a[i]
	}
	return "{" + join(parts) + "}"
}

func namedStructRule(c *expr.Call) error {
	if len(c.Args)%2 != 0 || len(c.Args) == 0 {
		return errclass.WrongNumArgs("named_struct", "2n (n > 0)", len(c.Args)).Nowhere()
	}
	var fields []types.Field
	missing := false
	for i := 0; i < len(c.Args); i += 2 {
		v, known := foldText(c.Args[i])
		if !known || c.Args[i].Type().Kind != types.String {
			return errclass.NamesNotStrings()
		}
		name, there := v.(string)
		missing = missing || !there
		fields = append(fields, types.Field{Name: name, Type: c.Args[i+1].Type(), Nullable: c.Args[i+1].Nullable()})
	}
	if missing {
		return errclass.NamesNull()
	}
	c.T = types.StructOf(fields...)
	return nil
}

func printNamedStruct(c *expr.Call, a []string) string {
	var values []string
	for i := 1; i < len(a); i += 2 {
		values = append(values, a[i])
	}
	return printStruct(c, values)
}

// ident quotes a name for DuckDB.
func ident(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
