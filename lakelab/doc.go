// Package lakelab is what a notebook cell imports: PySpark's session, DataFrame, Column and Catalog, in Go.
//
// A cell calls it, the engine process of the lakehouse answers over a unix socket (package internal/wire), and nothing
// but text and rows comes back. Names are PySpark's with a capital letter; a transformation is analysed at once, so
// that an error belongs to the line that made it. A failure is a panic that ends the cell with Spark's exception and
// message; Try turns it into an error. Functions such as F.Sum stand in package lakelab/functions.
//
// The package links the standard library only, and little of it: a cell is built anew for every run, so each import
// here is waiting time for a student. A test holds that line.
package lakelab
