package lakelab

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Sample keeps each row with a probability, without replacement (sample). With a seed it keeps the same rows every time: those that
// Spark keeps where the data is one partition.
func (df *DataFrame) Sample(fraction float64, seed ...int64) *DataFrame {
	if fraction < 0 || fraction > 1 {
		raise("IllegalArgumentException", "", "requirement failed: Sampling fraction (%s) must be on interval [0, 1] without replacement", pythonFloat(fraction))
	}
	rel := node{"n": "sample", "child": df.rel, "fraction": fraction}
	if len(seed) > 0 {
		rel["seed"] = seed[0]
	}
	return analyze(rel)
}

// RandomSplit deals the rows out into one DataFrame for each weight; every row lands in exactly one (randomSplit). With a seed the
// parts are the same every time: those of Spark where the data is one partition. Rows are ordered by all their columns for that, but
// for maps.
func (df *DataFrame) RandomSplit(weights []float64, seed ...int64) []*DataFrame {
	total := 0.0
	for _, w := range weights {
		if w < 0 {
			raisePy("PySparkValueError", "VALUE_NOT_POSITIVE", "Value for `weights` must be positive, got '%s'.", pythonFloat(w))
		}
		total += w
	}
	if total == 0 {
		raise("IllegalArgumentException", "", "requirement failed: Sum of weights must be positive, but got %s", "["+strings.Repeat("0.0,", len(weights))+"]")
	}
	marked, place := df.placed(seed)
	out := make([]*DataFrame, len(weights))
	low := 0.0
	for i, w := range weights {
		high := low + w/total
		in := ColumnOf(place).Ge(low)
		if i < len(weights)-1 {
			in = in.And(ColumnOf(place).Lt(high))
		}
		out[i] = marked.Filter(in).Drop(place)
		low = high
	}
	return out
}

// placed orders the rows and adds a column with a number from 0 to 1 for each.
func (df *DataFrame) placed(seed []int64) (marked *DataFrame, column string) {
	var order []any
	for _, f := range df.schema.Fields {
		if orderable(f.Type) {
			order = append(order, types.Quote(f.Name))
		}
	}
	marked, column = df, "__place"
	if len(order) > 0 {
		marked = df.OrderBy(order...)
	}
	return marked.WithColumn(column, random(seed)), column
}

// random is rand() with the seed given, or with any: the rows of one plan must not change from part to part.
func random(seed []int64) Column {
	s := rand.Int64()
	if len(seed) > 0 {
		s = seed[0]
	}
	return Column{node{"c": "call", "name": "rand", "args": []any{LiteralOf(s).node}}}
}

// orderable tells the types that rows can be ordered by: all without a map inside.
func orderable(t Type) bool {
	switch t.Kind {
	case types.Map:
		return false
	case types.Array:
		return orderable(*t.Elem)
	case types.Struct:
		for _, f := range t.Fields {
			if !orderable(f.Type) {
				return false
			}
		}
	}
	return true
}

// partitions reads the arguments of repartition: a number, columns, or both.
func partitions(what string, df *DataFrame, args []any) {
	var cols []any
	for i, a := range args {
		n, isNumber := a.(int)
		switch {
		case isNumber && i == 0 && n <= 0:
			raise("IllegalArgumentException", "", "requirement failed: Number of partitions (%s) must be positive.", strconv.Itoa(n))
		case isNumber && i == 0:
		default:
			cols = append(cols, a)
		}
	}
	if len(cols) > 0 {
		df.Select(cols...) // for its errors
	}
	note(what, "данные на одной машине, делить их на части незачем")
}
