package functions

import (
	"strconv"
	"sync/atomic"

	"mini-lakehouse-lab/lakelab"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// Functions that take a function of columns; it is called once, to build the expression.

type (
	// Lambda makes a Column of one, such as func(x lakelab.Column) lakelab.Column { return x.Plus(1) }.
	Lambda = func(x lakelab.Column) lakelab.Column
	// Lambda2 makes a Column of two.
	Lambda2 = func(x, y lakelab.Column) lakelab.Column
	// Lambda3 makes a Column of three.
	Lambda3 = func(x, y, z lakelab.Column) lakelab.Column
)

var lastParameter atomic.Int64

// lambda calls f with parameters of names that no column and no lambda around has.
func lambda(n int, f func(params []lakelab.Column) lakelab.Column) lakelab.Column {
	names := make([]string, n)
	params := make([]lakelab.Column, n)
	for i := range names {
		names[i] = string("xyz"[i]) + "_" + strconv.FormatInt(lastParameter.Add(1), 10)
		params[i] = lakelab.ColumnOf(names[i])
	}
	return lakelab.NewColumn(wire.Node{"c": "lambda", "params": names, "body": f(params).Node()})
}

func of1(f Lambda) lakelab.Column {
	return lambda(1, func(p []lakelab.Column) lakelab.Column { return f(p[0]) })
}

func of2(f Lambda2) lakelab.Column {
	return lambda(2, func(p []lakelab.Column) lakelab.Column { return f(p[0], p[1]) })
}

func of3(f Lambda3) lakelab.Column {
	return lambda(3, func(p []lakelab.Column) lakelab.Column { return f(p[0], p[1], p[2]) })
}

// Transform applies f to each element of an array (transform).
func Transform(col any, f Lambda) lakelab.Column { return call("transform", col, of1(f)) }

// TransformWithIndex is Transform whose f gets the element's place too, from 0 (transform).
func TransformWithIndex(col any, f Lambda2) lakelab.Column { return call("transform", col, of2(f)) }

// Filter keeps the elements for which f is true (filter).
func Filter(col any, f Lambda) lakelab.Column { return call("filter", col, of1(f)) }

// FilterWithIndex is Filter whose f gets the element's place too, from 0 (filter).
func FilterWithIndex(col any, f Lambda2) lakelab.Column { return call("filter", col, of2(f)) }

// Exists reports whether f is true for an element (exists).
func Exists(col any, f Lambda) lakelab.Column { return call("exists", col, of1(f)) }

// ForAll reports whether f is true for every element (forall).
func ForAll(col any, f Lambda) lakelab.Column { return call("forall", col, of1(f)) }

// Aggregate folds an array: it starts from initialValue and merges one element after the other; finish may change the result
// (aggregate).
func Aggregate(col, initialValue any, merge Lambda2, finish ...Lambda) lakelab.Column {
	return fold("aggregate", col, initialValue, merge, finish)
}

// Reduce is Aggregate (reduce).
func Reduce(col, initialValue any, merge Lambda2, finish ...Lambda) lakelab.Column {
	return fold("reduce", col, initialValue, merge, finish)
}

func fold(name string, col, initialValue any, merge Lambda2, finish []Lambda) lakelab.Column {
	args := []any{col, initialValue, of2(merge)}
	if len(finish) > 0 {
		args = append(args, of1(finish[0]))
	}
	return call(name, args...)
}

// ArraySortBy sorts by a comparator: f gives a negative number, 0 or a positive one (array_sort).
func ArraySortBy(col any, f Lambda2) lakelab.Column { return call("array_sort", col, of2(f)) }

// ZipWith joins two arrays, element by element; the shorter one is filled up with NULLs (zip_with).
func ZipWith(left, right any, f Lambda2) lakelab.Column {
	return call("zip_with", left, right, of2(f))
}

// TransformKeys changes the keys of a map; f gets key and value (transform_keys).
func TransformKeys(col any, f Lambda2) lakelab.Column { return call("transform_keys", col, of2(f)) }

// TransformValues changes the values of a map; f gets key and value (transform_values).
func TransformValues(col any, f Lambda2) lakelab.Column { return call("transform_values", col, of2(f)) }

// MapFilter keeps the entries for which f is true; it gets key and value (map_filter).
func MapFilter(col any, f Lambda2) lakelab.Column { return call("map_filter", col, of2(f)) }

// MapZipWith joins two maps by key; f gets the key and both values (map_zip_with).
func MapZipWith(left, right any, f Lambda3) lakelab.Column {
	return call("map_zip_with", left, right, of3(f))
}
