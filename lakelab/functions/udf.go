package functions

import "mini-lakehouse-lab/lakelab"

// UDF makes a function for queries of a Go one (udf, spark.udf.register). What it returns is called with columns, and SQL knows the
// name as well:
//
//	var fahrenheit = F.UDF("fahrenheit", func(c float64) float64 { return c*9/5 + 32 })
//	df.Select(fahrenheit("temperature"))
//	spark.SQL("SELECT fahrenheit(temperature) FROM weather")
//
// Parameters and the result are numbers, bool, string, []byte, time.Time (TIMESTAMP), lakelab.Decimal, slices of these, or pointers;
// the function may return an error, too. Arguments are cast to the parameters' types, as for any function. NULL: if a parameter is a
// pointer, the function gets nil; if not, the result is NULL and the function is not called. A nil pointer as the result is NULL.
// An error or a panic fails the query with FAILED_EXECUTE_UDF.
//
// The function runs in the cell's program, in batches, while the query waits: rows travel there and back, which costs a
// microsecond or two each. So it must not use spark itself. It is known in the cell that declares it, at top level in all later
// cells as well; a view that uses it works only there, and other clients don't see it. It may be called more or less often
// than there are rows shown, also for rows that a WHERE leaves out, and not inside of a lambda or the condition of an outer join.
func UDF(name string, f any) func(cols ...any) lakelab.Column {
	lakelab.RegisterUDF(name, f)
	return func(cols ...any) lakelab.Column { return call(name, cols...) }
}
