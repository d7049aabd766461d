package functions

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's arrays, maps and rows ("Array functions and operators", "Map functions and operators").

func init() {
	trino(
		&expr.Func{Name: "array", Resolve: trinoArrayRule, Duck: func(c *expr.Call, a []string) string { return typedAs(c.T, "["+join(a)+"]") }},
		ruled("row(expr, …)", "a row of the arguments", func(c *expr.Call) error {
			fields := make([]types.Field, len(c.Args))
			for i, a := range c.Args {
				fields[i] = types.Field{Type: a.Type(), Nullable: true}
			}
			c.T = types.StructOf(fields...)
			return nil
		}, func(_ *expr.Call, a []string) string {
			parts := make([]string, len(a))
			for i := range a {
				parts[i] = trinoField("", i) + ": " + a[i]
			}
			return "{" + join(parts) + "}"
		}),
		tp("cardinality", "number of elements", func(c *expr.Call, a []string) string {
			if c.Args[0].Type().Kind == types.Map {
				return "CAST(cardinality(" + a[0] + ") AS BIGINT)"
			}
			return "CAST(len(" + a[0] + ") AS BIGINT)"
		}),
		tp("array_join", "elements joined; NULLs left out or replaced", func(c *expr.Call, a []string) string {
			text := trinoText(*c.Args[0].Type().Elem, "_x")
			if len(a) == 3 {
				return "array_to_string(list_transform(" + a[0] + ", lambda _x: coalesce(" + text + ", " + a[2] + ")), " + a[1] + ")"
			}
			return "coalesce(array_to_string(list_filter(list_transform(" + a[0] + ", lambda _x: " + text + "), lambda _y: _y IS NOT NULL), " + a[1] + "), CASE WHEN " + a[0] + " IS NOT NULL THEN '' END)"
		}),
		tp("contains", "true if a value is in the array, or an address in the network", func(c *expr.Call, a []string) string {
			if c.Args[0].Type().Kind != types.Array {
				return "trino_ipaddress_in(" + a[0] + ", " + a[1] + ")"
			}
			return tables[sql.Spark]["array_contains"].Duck(c, a)
		}),
		tr("contains_sequence", "true if an array stands inside of another", "CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN len($2) = 0 OR len(list_filter(range(1, len($1) - len($2) + 2), lambda _i: $1[_i : _i + len($2) - 1] = $2)) > 0 END"),
		tr("flatten", "an array of arrays as one; NULLs are left out", "flatten(list_filter($1, lambda _x: _x IS NOT NULL))"),
		tr("repeat", "array of a value n times", "list_transform(range(greatest($2, 0)), lambda _i: $1)"),
		tp("slice", "part of an array, from 1; a negative start counts from the end", func(c *expr.Call, a []string) string {
			return letAll(a, []int{0, 1, 2}, func(a []string) string {
				fail := func(message string) string { return trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(message)) }
				from := "CASE WHEN " + a[1] + " < 0 THEN len(" + a[0] + ") + " + a[1] + " + 1 ELSE " + a[1] + " END"
				return "CASE WHEN " + a[2] + " < 0 THEN " + fail("length must be greater than or equal to 0") + " WHEN " + a[1] + " = 0 THEN " + fail("SQL array indices start at 1") +
					" WHEN (" + from + ") < 1 OR " + a[2] + " = 0 THEN list_slice(" + a[0] + ", 1, 0) ELSE list_slice(" + a[0] + ", " + from + ", (" + from + ") + " + a[2] + " - 1) END"
			})
		}),
		tp("trim_array", "array without its last elements", func(c *expr.Call, a []string) string {
			return letAll(a, []int{0, 1}, func(a []string) string {
				fail := func(message string) string { return trinoFail(c, "INVALID_FUNCTION_ARGUMENT", message) }
				return "CASE WHEN " + a[1] + " < 0 THEN " + fail(quote("size must not be negative: ")+" || CAST("+a[1]+" AS VARCHAR)") + " WHEN " + a[1] + " > len(" + a[0] + ") THEN " +
					fail(quote("size must not exceed array cardinality ")+" || CAST(len("+a[0]+") AS VARCHAR) || ': ' || CAST("+a[1]+" AS VARCHAR)") + " ELSE list_slice(" + a[0] + ", 1, len(" + a[0] + ") - " + a[1] + ") END"
			})
		}),
		tp("element_at", "element at a place or of a key, or NULL", func(c *expr.Call, a []string) string {
			if c.Args[0].Type().Kind == types.Map {
				return "map_extract_value(" + a[0] + ", " + a[1] + ")"
			}
			return letAll(a, []int{0, 1}, func(a []string) string {
				return "CASE WHEN " + a[1] + " = 0 THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("SQL array indices start at 1")) + " ELSE " + a[0] + "[" + a[1] + "] END"
			})
		}),
		tp("sequence", "array of numbers, dates or timestamps from one to the other", printTrinoSequence),
		tr("shuffle", "array in a random order", "list_transform(list_sort(list_transform($1, lambda _x: {'k': random(), 'v': _x})), lambda _y: _y.v)"),
		tp("zip", "array of rows of the elements at one place", func(c *expr.Call, a []string) string { return typedAs(c.T, "list_zip("+join(a)+")") }),
		tr("combinations", "arrays of n of the elements", "list_transform(list_filter(range(1 << len($1)), lambda _m: bit_count(_m) = $2), lambda _m: list_filter($1, lambda _x, _i: (_m >> (_i - 1)) & 1 = 1))"),
		tr("ngrams", "arrays of n elements that stand side by side", "CASE WHEN len($1) <= $2 THEN [$1] ELSE list_transform(range(1, len($1) - $2 + 2), lambda _i: list_slice($1, _i, _i + $2 - 1)) END"),
		tp("array_histogram", "how often each element occurs", func(c *expr.Call, a []string) string {
			return let(a[0], func(v string) string {
				keys := "list_distinct(" + v + ")"
				return typedAs(c.T, "MAP("+keys+", list_transform("+keys+", lambda _k: CAST(len(list_filter("+v+", lambda _x: _x = _k)) AS BIGINT)))")
			})
		}),
		ruled("map(keys, values)", "a map of two arrays", func(c *expr.Call) error {
			if len(c.Args) == 0 {
				c.T = types.MapOf(types.Type{}, types.Type{}, true)
				return nil
			}
			return bindTrino(c)
		}, printTrinoMap),
		tp("map_from_entries", "a map of an array of rows of two fields", func(c *expr.Call, a []string) string {
			return let(a[0], func(v string) string {
				keys, values := "list_transform("+v+", lambda _x: struct_extract_at(_x, 1))", "list_transform("+v+", lambda _x: struct_extract_at(_x, 2))"
				return checkedMap(c, keys, values)
			})
		}),
		tp("multimap_from_entries", "a map of rows of two fields, the values of one key in an array", func(c *expr.Call, a []string) string {
			return let(a[0], func(v string) string {
				keys := "list_distinct(list_transform(" + v + ", lambda _x: struct_extract_at(_x, 1)))"
				return typedAs(c.T, "CASE WHEN "+v+" IS NOT NULL THEN MAP("+keys+", list_transform("+keys+", lambda _k: list_transform(list_filter("+v+", lambda _x: struct_extract_at(_x, 1) = _k), lambda _x: struct_extract_at(_x, 2)))) END")
			})
		}),
		tp("map_entries", "array of the entries as rows", func(c *expr.Call, a []string) string {
			return typedAs(c.T, "list_transform(map_entries("+a[0]+"), lambda _x: row(_x.key, _x.value))")
		}),
		&expr.Func{Name: "map_concat", Signature: "map_concat(map, …)", Doc: "the maps in one", Resolve: mapConcatRule, Duck: func(c *expr.Call, a []string) string {
			if len(a) < 2 {
				return printMapConcat(c, a)
			}
			test := make([]string, len(a))
			for i, x := range a {
				test[i] = x + " IS NULL"
			}
			// Of two entries with one key the last stays.
			return "CASE WHEN NOT (" + joinWith(test, " OR ") + ") THEN map_concat(" + join(a) + ") END"
		}},
	)
	trino(
		tp("array_max", "largest element; NULL if one is", anyNull("list_max")), tp("array_min", "smallest element; NULL if one is", anyNull("list_min")),
	)
}

// anyNull prints an aggregate over an array that is NULL as soon as an element is.
func anyNull(duck string) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string {
		return let(a[0], func(v string) string {
			return "CASE WHEN len(list_filter(" + v + ", lambda _x: _x IS NULL)) = 0 THEN " + duck + "(" + v + ") END"
		})
	}
}

func trinoArrayRule(c *expr.Call) error {
	var to types.Type
	for i, a := range c.Args {
		t, ok := trinoCommon(to, a.Type())
		if !ok {
			return errclass.TrinoElementTypes("ARRAY elements", argTypes(c), to, a.Type()).At(c.Args[i].Span())
		}
		to = t
	}
	trinoAll(c, to)
	c.T = types.ArrayOf(to, true)
	return nil
}

func printTrinoMap(c *expr.Call, a []string) string {
	if len(a) == 0 {
		return typedAs(c.T, "MAP([], [])")
	}
	return letAll(a, []int{0, 1}, func(a []string) string {
		fail := func(message string) string { return trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(message)) }
		return "CASE WHEN len(" + a[0] + ") <> len(" + a[1] + ") THEN " + fail("Key and value arrays must be the same length") + " WHEN len(list_filter(" + a[0] + ", lambda _x: _x IS NULL)) > 0 THEN " +
			fail("map key cannot be null") + " ELSE " + checkedMap(c, a[0], a[1]) + " END"
	})
}

// checkedMap makes a map, or says which key stands in it twice.
func checkedMap(c *expr.Call, keys, values string) string {
	key := trinoText(*c.T.Key, "list_filter("+keys+", lambda _x: len(list_filter("+keys+", lambda _y: _y = _x)) > 1)[1]")
	if !scalarText(*c.T.Key) {
		key = "CAST(list_filter(" + keys + ", lambda _x: len(list_filter(" + keys + ", lambda _y: _y = _x)) > 1)[1] AS VARCHAR)"
	}
	return "CASE WHEN len(list_distinct(" + keys + ")) < len(" + keys + ") THEN " + typedAs(c.T, trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("Duplicate map keys (")+" || "+key+" || "+quote(") are not allowed"))) +
		" ELSE " + typedAs(c.T, "MAP("+keys+", "+values+")") + " END"
}

func printTrinoSequence(c *expr.Call, a []string) string {
	elem := *c.T.Elem
	if elem.Kind == types.Long {
		return letAll(a, []int{0, 1, 2}, func(a []string) string {
			step := "CASE WHEN " + a[0] + " <= " + a[1] + " THEN 1 ELSE -1 END"
			if len(a) == 3 {
				step = a[2]
			}
			bad := "false"
			if len(a) == 3 {
				bad = step + " = 0 OR (" + step + " > 0) <> (" + a[0] + " <= " + a[1] + ") AND " + a[0] + " <> " + a[1]
			}
			fail := trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("sequence stop value should be greater than or equal to start value if step is greater than zero otherwise stop should be less than or equal to start"))
			long := trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("result of sequence function must not have more than 10000 entries"))
			bad += " THEN " + fail + " WHEN abs(" + a[1] + "::HUGEINT - " + a[0] + ") // abs(" + step + ") >= 10000"
			return "CASE WHEN " + bad + " THEN " + long + " ELSE generate_series(" + a[0] + ", " + a[1] + ", " + step + ") END"
		})
	}
	if elem.InPicos() {
		return finelySeries(c, a)
	}
	wall := func(s string) string { return local(elem, s) }
	step := "to_days(1)"
	if len(a) == 3 {
		if c.Args[2].Type().Kind == types.YearMonthInterval {
			return monthSeries(c.T, wall(a[0]), wall(a[1]), a[2])
		} else {
			return stepSeries(c, wall(a[0]), wall(a[1]), a[2])
		}
	}
	return typedAs(c.T, "generate_series("+wall(a[0])+", "+wall(a[1])+", "+step+")")
}

// stepSeries prints the times from one to another, some microseconds apart.
func stepSeries(c *expr.Call, from, to, step string) string {
	return letAll([]string{from, to, step}, []int{0, 1, 2}, func(a []string) string {
		fail := func(message string) string { return trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(message)) }
		whole := ""
		if c.T.Elem.Kind == types.Date {
			whole = "WHEN " + a[2] + " % 86400000000 <> 0 THEN " + fail("sequence step must be a day interval if start and end values are dates") + " "
		}
		wrong := a[2] + " = 0 OR (" + a[2] + " > 0) <> (" + a[0] + " <= " + a[1] + ") AND " + a[0] + " <> " + a[1]
		return typedAs(c.T, "CASE "+whole+"WHEN "+wrong+" THEN "+fail("sequence stop value should be greater than or equal to start value if step is greater than zero otherwise stop should be less than or equal to start")+
			" WHEN abs(epoch_us("+a[1]+") - epoch_us("+a[0]+")) // abs("+a[2]+") >= 10000 THEN "+fail("result of sequence function must not have more than 10000 entries")+
			" ELSE generate_series("+a[0]+", "+a[1]+", to_microseconds("+a[2]+")) END")
	})
}

// monthSeries prints the times from one to another, some months apart: each that many months after the first, at the end of a month
// that is shorter.
func monthSeries(t types.Type, from, to, months string) string {
	return letAll([]string{from, to, months}, []int{0, 1, 2}, func(a []string) string {
		each := "list_transform(generate_series(0, abs(datediff('month', " + a[0] + ", " + a[1] + ")) // abs(" + a[2] + ") + 1), lambda _i: " +
			a[0] + " + to_months(CAST(_i * " + a[2] + " AS INTEGER)))"
		return typedAs(t, "list_filter("+each+", lambda _x: CASE WHEN "+a[2]+" > 0 THEN _x <= "+a[1]+" ELSE _x >= "+a[1]+" END)")
	})
}
