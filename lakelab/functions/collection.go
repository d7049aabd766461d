package functions

import "mini-lakehouse-lab/lakelab"

// Functions on arrays, maps and structs.

// Array makes an array (array).
func Array(cols ...any) lakelab.Column { return call("array", cols...) }

// Struct makes a struct of columns, with their names (struct).
func Struct(cols ...any) lakelab.Column { return call("struct", cols...) }

// CreateMap makes a map of keys and values in turn (create_map).
func CreateMap(cols ...any) lakelab.Column { return call("map", cols...) }

// Size is the number of elements of an array or map (size).
func Size(col any) lakelab.Column { return call("size", col) }

// ArrayDistinct removes duplicates (array_distinct).
func ArrayDistinct(col any) lakelab.Column { return call("array_distinct", col) }

// ArrayMax is the greatest element (array_max).
func ArrayMax(col any) lakelab.Column { return call("array_max", col) }

// ArrayMin is the least element (array_min).
func ArrayMin(col any) lakelab.Column { return call("array_min", col) }

// ArraySort sorts upwards, NULLs last (array_sort).
func ArraySort(col any) lakelab.Column { return call("array_sort", col) }

// Flatten joins the arrays of an array (flatten).
func Flatten(col any) lakelab.Column { return call("flatten", col) }

// Explode gives a row for each element of an array (col), or entry of a map (key, value) (explode).
func Explode(col any) lakelab.Column { return call("explode", col) }

// ExplodeOuter is Explode that keeps a row, with NULL, for an empty or NULL array (explode_outer).
func ExplodeOuter(col any) lakelab.Column { return call("explode_outer", col) }

// PosExplode is Explode with the position from 0 (pos) (posexplode).
func PosExplode(col any) lakelab.Column { return call("posexplode", col) }

// MapKeys is the array of keys (map_keys).
func MapKeys(col any) lakelab.Column { return call("map_keys", col) }

// MapValues is the array of values (map_values).
func MapValues(col any) lakelab.Column { return call("map_values", col) }

// ArrayContains reports whether an array has a value: a Go value, or a Column (array_contains).
func ArrayContains(col, value any) lakelab.Column { return call("array_contains", col, lit(value)) }

// ArrayJoin joins strings with a delimiter, NULLs left out (array_join).
func ArrayJoin(col any, delimiter string) lakelab.Column {
	return call("array_join", col, lit(delimiter))
}

// ElementAt is an array's element from 1 (negative: from the end), or a map's value by key (element_at).
func ElementAt(col, key any) lakelab.Column { return call("element_at", col, lit(key)) }

// SortArray sorts an array upwards, NULLs first, or downwards (sort_array).
func SortArray(col any, ascending bool) lakelab.Column {
	return call("sort_array", col, lit(ascending))
}

// Slice is length elements from a position counted from 1 (slice).
func Slice(col any, start, length int) lakelab.Column {
	return call("slice", col, lit(start), lit(length))
}

// Sequence is the array from start to stop, both included (sequence).
func Sequence(start, stop any) lakelab.Column { return call("sequence", start, stop) }

// ArrayAppend: array with value behind it (array_append).
func ArrayAppend(col, value any) lakelab.Column { return call("array_append", col, lit(value)) }

// ArrayCompact: array without NULLs (array_compact).
func ArrayCompact(col any) lakelab.Column { return call("array_compact", col) }

// ArrayExcept: elements of a that b lacks, without repetitions (array_except).
func ArrayExcept(col1, col2 any) lakelab.Column { return call("array_except", col1, col2) }

// ArrayInsert: array with value put in at a place (array_insert).
func ArrayInsert(arr, pos, value any) lakelab.Column {
	return call("array_insert", arr, orLit(pos), lit(value))
}

// ArrayIntersect: elements of both, without repetitions (array_intersect).
func ArrayIntersect(col1, col2 any) lakelab.Column { return call("array_intersect", col1, col2) }

// ArrayPosition: place of value, from 1; 0 if it isn't there (array_position).
func ArrayPosition(col, value any) lakelab.Column { return call("array_position", col, lit(value)) }

// ArrayPrepend: array with value in front (array_prepend).
func ArrayPrepend(col, value any) lakelab.Column { return call("array_prepend", col, lit(value)) }

// ArrayRemove: array without value (array_remove).
func ArrayRemove(col, element any) lakelab.Column { return call("array_remove", col, lit(element)) }

// ArrayRepeat: array of value n times (array_repeat).
func ArrayRepeat(col, count any) lakelab.Column { return call("array_repeat", col, orLit(count)) }

// ArraySize: number of elements (array_size).
func ArraySize(col any) lakelab.Column { return call("array_size", col) }

// ArrayUnion: elements of either, without repetitions (array_union).
func ArrayUnion(col1, col2 any) lakelab.Column { return call("array_union", col1, col2) }

// ArraysOverlap: true if they share an element (arrays_overlap).
func ArraysOverlap(a1, a2 any) lakelab.Column { return call("arrays_overlap", a1, a2) }

// ArraysZip: array of structs of the elements at one place (arrays_zip).
func ArraysZip(cols ...any) lakelab.Column {
	return call("arrays_zip", cols...)
}

// Get: element at a place from 0, or NULL (get).
func Get(col, index any) lakelab.Column { return call("get", col, orLit(index)) }

// Inline: a row for each struct of an array (inline).
func Inline(col any) lakelab.Column { return call("inline", col) }

// MapContainsKey: true if the map has the key (map_contains_key).
func MapContainsKey(col, value any) lakelab.Column { return call("map_contains_key", col, lit(value)) }

// MapEntries: array of structs of key and value (map_entries).
func MapEntries(col any) lakelab.Column { return call("map_entries", col) }

// MapFromArrays: a map of two arrays (map_from_arrays).
func MapFromArrays(col1, col2 any) lakelab.Column { return call("map_from_arrays", col1, col2) }

// MapFromEntries: a map of an array of structs of two fields (map_from_entries).
func MapFromEntries(col any) lakelab.Column { return call("map_from_entries", col) }

// Shuffle: array in a random order (shuffle).
func Shuffle(col any, seed ...any) lakelab.Column {
	return call("shuffle", optional([]any{col}, seed)...)
}

// Stack: the expressions laid out in n rows (stack).
func Stack(cols ...any) lakelab.Column {
	return call("stack", cols...)
}

// StrToMap: a map read from text (str_to_map). More may give, in order: pairDelim, keyValueDelim.
func StrToMap(text any, more ...any) lakelab.Column {
	return call("str_to_map", then([]any{text}, more)...)
}

// TryElementAt: element at a place or of a key, or NULL (try_element_at).
func TryElementAt(col, extraction any) lakelab.Column { return call("try_element_at", col, extraction) }

// Cardinality: number of elements of an array or a map (cardinality).
func Cardinality(col any) lakelab.Column { return call("cardinality", col) }

// InlineOuter: a row for each struct of an array; one of NULLs if there is none (inline_outer).
func InlineOuter(col any) lakelab.Column { return call("inline_outer", col) }

// MapConcat: the maps in one (map_concat).
func MapConcat(cols ...any) lakelab.Column {
	return call("map_concat", cols...)
}

// PosExplodeOuter: explode with the position in front; one of NULLs if there is none (posexplode_outer).
func PosExplodeOuter(col any) lakelab.Column { return call("posexplode_outer", col) }
