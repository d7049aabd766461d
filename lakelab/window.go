package lakelab

import "math"

// WindowSpec says which rows a window function sees (pyspark.sql.WindowSpec). Start one with PartitionBy or OrderBy of
// Window:
//
//	w := lakelab.Window.PartitionBy("zone").OrderBy(F.Col("fare").Desc())
//	df.WithColumn("place", F.RowNumber().Over(w))
type WindowSpec struct {
	partition, order []any
	frame            node
}

// Window is the empty window specification: all rows, one partition (pyspark.sql.Window).
var Window = WindowSpec{partition: []any{}, order: []any{}}

// Ends of a frame, for RowsBetween and RangeBetween. Other numbers count rows (or values of the order column), negative
// ones before the current row.
const (
	UnboundedPreceding = math.MinInt64
	UnboundedFollowing = math.MaxInt64
	CurrentRow         = 0
)

// PartitionBy says within which groups the window stays; arguments are names or Columns (partitionBy).
func (w WindowSpec) PartitionBy(cols ...any) WindowSpec {
	w.partition = columns(cols)
	return w
}

// OrderBy orders the rows of a partition; arguments are names or Columns, with Desc() and the like (orderBy).
func (w WindowSpec) OrderBy(cols ...any) WindowSpec {
	w.order = columns(cols)
	return w
}

// RowsBetween bounds the frame by a number of rows, both ends included (rowsBetween).
func (w WindowSpec) RowsBetween(start, end int64) WindowSpec { return w.between("ROWS", start, end) }

// RangeBetween bounds the frame by the value of the order column, both ends included (rangeBetween).
func (w WindowSpec) RangeBetween(start, end int64) WindowSpec { return w.between("RANGE", start, end) }

func (w WindowSpec) between(unit string, start, end int64) WindowSpec {
	w.frame = node{"unit": unit, "start": bound(start), "end": bound(end)}
	return w
}

func bound(n int64) node {
	switch {
	case n == UnboundedPreceding:
		return node{"kind": "UNBOUNDED PRECEDING"}
	case n == UnboundedFollowing:
		return node{"kind": "UNBOUNDED FOLLOWING"}
	case n != 0:
		return node{"kind": "FOLLOWING", "n": n} // -1 FOLLOWING, as PySpark's names have it
	}
	return node{"kind": "CURRENT ROW"}
}
