package functions

import "mini-lakehouse-lab/lakelab"

// Functions for Column.Over.

// RowNumber numbers the rows of a window from 1 (row_number).
func RowNumber() lakelab.Column { return call("row_number") }

// Rank is the place in the window, with gaps after ties (rank).
func Rank() lakelab.Column { return call("rank") }

// DenseRank is the place in the window, without gaps (dense_rank).
func DenseRank() lakelab.Column { return call("dense_rank") }

// PercentRank is the relative place, 0 to 1 (percent_rank).
func PercentRank() lakelab.Column { return call("percent_rank") }

// CumeDist is the share of rows up to this one (cume_dist).
func CumeDist() lakelab.Column { return call("cume_dist") }

// NTile deals the rows of a window into n parts, from 1 (ntile).
func NTile(n int) lakelab.Column { return call("ntile", lit(n)) }

// Lag is the value offset rows before, or the default (NULL) where there is none (lag).
func Lag(col any, offset int, defaultValue ...any) lakelab.Column {
	return shift("lag", col, offset, defaultValue)
}

// Lead is the value offset rows after, or the default (NULL) where there is none (lead).
func Lead(col any, offset int, defaultValue ...any) lakelab.Column {
	return shift("lead", col, offset, defaultValue)
}

func shift(name string, col any, offset int, defaultValue []any) lakelab.Column {
	if len(defaultValue) > 0 {
		return call(name, col, lit(offset), lit(defaultValue[0]))
	}
	return call(name, col, lit(offset))
}

// NthValue is the value of the window frame's nth row, from 1 (nth_value).
func NthValue(col any, n int) lakelab.Column { return call("nth_value", col, lit(n)) }
