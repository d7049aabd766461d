// Package tpch generates the tables of the TPC-H benchmark, value for value as dbgen does (TPC-H specification, clause 4.2).
//
// Generate calls a function with the rows of a table at a scale factor; package duck keeps them in a DuckDB database for the
// catalog `tpch` of Trino's dialect. Money and other fractions are numbers of cents.
//
// Every column has a random stream of its own, and every row takes the same number of draws from it, whether it needs them or not
// (random.go). Comments are cut out of one long text of made-up sentences (text.go). The words stand in words.go.
package tpch

import (
	"fmt"
	"math"
	"time"
)

// How many rows the tables have at scale factor 1.
const (
	customers = 150_000
	orders    = 1_500_000
	parts     = 200_000
	suppliers = 10_000
	clerks    = 1_000
)

// suppliersOfPart is how many suppliers each part has; mostLines is the greatest number of lines of an order.
const suppliersOfPart, mostLines = 4, 7

// Days since 1970: the first order date, the last one, and the day that is today in the benchmark.
var (
	firstDay = day(1992, 1, 1)
	lastDay  = day(1998, 8, 2)
	today    = day(1995, 6, 17)
)

func day(y, m, d int) int {
	return int(time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// Row takes a row: int64 for keys, numbers, cents and days since 1970, string for text. The slice is used again for the next row.
type Row func(values []any) error

// Generate makes a table's rows in order, columns as in the specification.
func Generate(table string, scale float64, text *Text, row Row) error {
	rows := func(base int) int { return max(int(float64(base)*scale), 1) }
	switch table {
	case "region":
		return regions(text, row)
	case "nation":
		return nations(text, row)
	case "supplier":
		return supplierRows(rows(suppliers), text, row)
	case "customer":
		return customerRows(rows(customers), text, row)
	case "part":
		return partRows(rows(parts), text, row)
	case "partsupp":
		return partSupplierRows(rows(parts), rows(suppliers), text, row)
	case "orders", "lineitem":
		g := newOrders(rows(orders), rows(customers), rows(parts), rows(suppliers), int(math.Max(clerks*scale, clerks)), text)
		if table == "orders" {
			return g.orders(row)
		}
		return g.lines(row)
	}
	return fmt.Errorf("TPC-H has no table %q", table)
}
