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
