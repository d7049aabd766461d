package functions

import (
	"math"
	"math/big"
	"strings"

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
			if elem := *c.Args[0].Type().Elem; nested(elem) || floating(elem) || hasInstant(elem) {
				return sought(c, a, "CASE WHEN {each}.list_bool_or() THEN true WHEN list_count({each}) = len({each}) THEN false END")
			}
			return tables[sql.Spark]["array_contains"].Duck(c, a)
		}),
		tr("contains_sequence", "true if an array stands inside of another", "CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN len($2) = 0 OR len(list_filter(range(1, len($1) - len($2) + 2), lambda _i: $1[_i : _i + len($2) - 1] = $2)) > 0 END"),
		tr("flatten", "an array of arrays as one; NULLs are left out", "flatten(list_filter($1, lambda _x: _x IS NOT NULL))"),
		tp("repeat", "array of a value n times", func(c *expr.Call, a []string) string {
			return letAll(a, []int{1}, func(a []string) string {
				fail := func(bound string) string {
					return typedAs(c.T, trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("count argument of repeat function must be "+bound)))
				}
				return "CASE WHEN " + a[1] + " > 10000 THEN " + fail("less than or equal to 10000") + " WHEN " + a[1] + " < 0 THEN " + fail("greater than or equal to 0") +
					" ELSE list_transform(range(" + a[1] + "), lambda _i: " + a[0] + ") END"
			})
		}),
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
		tr("combinations", "arrays of n of the elements", "list_transform(trino_combinations(CAST(len($1) AS BIGINT), CAST($2 AS BIGINT)), lambda _c: list_transform(list_filter(string_split(_c, ','), lambda _i: _i <> ''), lambda _i: $1[CAST(_i AS BIGINT)]))"),
		tr("ngrams", "arrays of n elements that stand side by side", "CASE WHEN len($1) <= trino_positive($2) THEN [$1] ELSE list_transform(range(1, len($1) - $2 + 2), lambda _i: list_slice($1, _i, _i + $2 - 1)) END"),
		tp("array_histogram", "how often each element occurs", func(c *expr.Call, a []string) string {
			return groupedMap(c.T, "list_transform(list_filter("+a[0]+", lambda _x: _x IS NOT NULL), lambda _x: row(_x, true))", countValues)
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
			return groupedMap(c.T, a[0], allValues)
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
	// Those that compare elements, where DuckDB compares them otherwise.
	for name, print := range map[string]func(c *expr.Call, a []string) string{
		"array_position": func(c *expr.Call, a []string) string {
			return sought(c, a, "CAST(coalesce(list_position({each}, true), 0) AS BIGINT)")
		},
		"array_remove": func(c *expr.Call, a []string) string {
			return letAll(a, []int{1}, func(a []string) string {
				p, same := bind(func(v string) string { return trinoEqual(*c.Args[0].Type().Elem, v, a[1]) })
				return "CASE WHEN " + a[1] + " IS NOT NULL THEN list_filter(" + a[0] + ", lambda " + p + ": " + same + " IS DISTINCT FROM true) END"
			})
		},
	} {
		plain := tables[sql.Spark][name]
		trino(tp(name, plain.Doc, func(c *expr.Call, a []string) string {
			if elem := *c.Args[0].Type().Elem; nested(elem) || floating(elem) || hasInstant(elem) {
				return print(c, a)
			}
			return plain.Duck(c, a)
		}))
	}
	distinct := tables[sql.Spark]["array_distinct"]
	trino(tp("array_distinct", distinct.Doc, func(c *expr.Call, a []string) string {
		if elem := *c.Args[0].Type().Elem; hasInstant(elem) {
			return let(a[0], func(v string) string {
				p, key := bind(func(x string) string { return InstantOf(elem, x) })
				return let("list_transform("+v+", lambda "+p+": "+key+")", func(keys string) string {
					return "list_filter(" + v + ", lambda _x, _i: _x IS NOT NULL AND list_position(" + keys + ", " + keys + "[_i]) = _i OR _x IS NULL AND len(list_filter(" + v + "[:_i], lambda _y: _y IS NULL)) = 1)"
				})
			})
		}
		return distinct.Duck(c, a)
	}))
	failing("trino_positive", "int -> int", func(a []any) (any, error) {
		if a[0].(int32) <= 0 {
			return nil, badArgument("N must be positive")
		}
		return a[0], nil
	})
	failing("trino_combinations", "long, long -> strings", func(a []any) (any, error) { return combinations(int(a[0].(int64)), int(a[1].(int64))) })
}

// combinations are the places, from 1, of all combinations of k of n elements; those with smaller places come first.
func combinations(n, k int) (any, error) {
	const mostLong, mostElements = 5, 100000
	switch {
	case k < 0:
		return nil, badArgument("combination size must not be negative: " + itoa(k))
	case k > mostLong:
		return nil, badArgument("combination size must not exceed " + itoa(mostLong) + ": " + itoa(k))
	case k > n:
		return []any{}, nil
	}
	count := big.NewInt(0).Binomial(int64(n), int64(k))
	switch {
	case count.Cmp(big.NewInt(math.MaxInt32)) > 0:
		return nil, badArgument("Number of combinations too large for array of size " + itoa(n) + " and combination length " + itoa(k))
	case int(count.Int64())*k > mostElements:
		return nil, badArgument("combinations exceed max size")
	}
	places := make([]int, k)
	for i := range places {
		places[i] = i + 1
	}
	out := make([]any, 0, count.Int64())
	for range count.Int64() {
		text := make([]string, k)
		for i, p := range places {
			text[i] = itoa(p)
		}
		out = append(out, strings.Join(text, ","))
		// The first place that can move on does; those before it start anew.
		for i := range places {
			if i+1 == k || places[i]+1 < places[i+1] {
				places[i]++
				break
			}
			places[i] = i + 1
		}
	}
	return out, nil
}

// sought prints what answer says of an array and a value: {each} is whether each element equals the value, or NULL. Of elements that
// are collections themselves that must be known.
func sought(c *expr.Call, a []string, answer string) string {
	elem := *c.Args[0].Type().Elem
	return letAll(a, []int{0, 1}, func(a []string) string {
		p, same := bind(func(v string) string { return trinoEqual(elem, v, a[1]) })
		return let("list_transform("+a[0]+", lambda "+p+": "+same+")", func(each string) string {
			unknown := ""
			if nested(elem) {
				unknown = " WHEN len(list_filter(" + each + ", lambda _e, _i: _e IS NULL AND " + a[0] + "[_i] IS NOT NULL)) > 0 THEN " +
					typedAs(c.T, trinoFail(c, "NOT_SUPPORTED", quote(c.Func.Name+" does not support arrays with elements that are null or contain null")))
			}
			return "CASE WHEN " + oneNull(a) + " THEN NULL" + unknown + " ELSE " + strings.ReplaceAll(answer, "{each}", each) + " END"
		})
	})
}

// anyNull prints an aggregate over an array that is NULL as soon as an element is.
func anyNull(duck string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		return let(a[0], func(v string) string {
			if floating(c.T) { // NaN comes behind all numbers
				return "CASE WHEN len(list_filter(" + v + ", lambda _x: _x IS NULL)) = 0 THEN coalesce(" + duck + "(list_filter(" + v + ", lambda _x: NOT isnan(_x))), " + duck + "(" + v + ")) END"
			}
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
			return "CASE " + checkedSteps(c, a[0], a[1], step, "abs("+a[1]+"::HUGEINT - "+a[0]+") // abs("+step+") >= 10000", "generate_series("+a[0]+", "+a[1]+", "+step+")")
		})
	}
	if elem.InPicos() {
		return finelySeries(c, a)
	}
	wall := func(s string) string { return local(elem, s) }
	switch {
	case len(a) == 2: // days, in whatever direction
		return letAll([]string{wall(a[0]), wall(a[1])}, []int{0, 1}, func(a []string) string {
			return stepSeries(c, a[0], a[1], "CASE WHEN "+a[0]+" <= "+a[1]+" THEN 86400000000 ELSE -86400000000 END")
		})
	case c.Args[2].Type().Kind == types.YearMonthInterval:
		return monthSeries(c, wall(a[0]), wall(a[1]), a[2])
	}
	return stepSeries(c, wall(a[0]), wall(a[1]), a[2])
}

const (
	zeroStep  = "step must not be zero"
	wrongStep = "sequence stop value should be greater than or equal to start value if step is greater than zero otherwise stop should be less than or equal to start"
	longSteps = "result of sequence function must not have more than 10000 entries"
)

// checkedSteps prints a sequence, or what is wrong with its step; more says that there are too many steps.
func checkedSteps(c *expr.Call, from, to, step, more, series string) string {
	fail := func(message string) string { return trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(message)) }
	return "WHEN " + step + " = 0 THEN " + fail(zeroStep) + " WHEN (" + step + " > 0) <> (" + from + " <= " + to + ") AND " + from + " <> " + to + " THEN " + fail(wrongStep) +
		" WHEN " + more + " THEN " + fail(longSteps) + " ELSE " + series + " END"
}

// stepSeries prints the times from one to another, some microseconds apart.
func stepSeries(c *expr.Call, from, to, step string) string {
	return letAll([]string{from, to, step}, []int{0, 1, 2}, func(a []string) string {
		fail := func(message string) string { return trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote(message)) }
		whole := ""
		if c.T.Elem.Kind == types.Date {
			whole = "WHEN " + a[2] + " % 86400000000 <> 0 THEN " + fail("sequence step must be a day interval if start and end values are dates") + " "
		}
		return typedAs(c.T, "CASE "+whole+checkedSteps(c, a[0], a[1], a[2], "abs(epoch_us("+a[1]+") - epoch_us("+a[0]+")) // abs("+a[2]+") >= 10000",
			"generate_series("+a[0]+", "+a[1]+", to_microseconds("+a[2]+"))"))
	})
}

// monthSeries prints the times from one to another, some months apart: each that many months after the first, at the end of a month
// that is shorter.
func monthSeries(c *expr.Call, from, to, months string) string {
	return letAll([]string{from, to, months}, []int{0, 1, 2}, func(a []string) string {
		each := "list_transform(generate_series(0, abs(datediff('month', " + a[0] + ", " + a[1] + ")) // abs(" + a[2] + ") + 1), lambda _i: " +
			a[0] + " + to_months(CAST(_i * " + a[2] + " AS INTEGER)))"
		series := "list_filter(" + each + ", lambda _x: CASE WHEN " + a[2] + " > 0 THEN _x <= " + a[1] + " ELSE _x >= " + a[1] + " END)"
		return typedAs(c.T, "CASE "+checkedSteps(c, a[0], a[1], a[2], "abs(datesub('month', "+a[0]+", "+a[1]+")) // abs("+a[2]+") >= 10000", series))
	})
}
