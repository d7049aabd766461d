package errclass

// Errors of Spark's pipe operators.

// PipeAggregate is an aggregate function in |> SELECT or EXTEND.
func PipeAggregate(expression, clause string) *Error {
	return analysis("PIPE_OPERATOR_CONTAINS_AGGREGATE_FUNCTION", "0A000", "Aggregate function "+expression+" is not allowed when using the pipe operator |> "+clause+
		" clause; please use the pipe operator |> AGGREGATE clause instead.", map[string]string{"expr": expression, "clause": clause})
}

// PipeNoAggregate is an expression of |> AGGREGATE without an aggregate function.
func PipeNoAggregate(expression string) *Error {
	return analysis("PIPE_OPERATOR_AGGREGATE_EXPRESSION_CONTAINS_NO_AGGREGATE_FUNCTION", "0A000", "Non-grouping expression "+expression+" is provided as an argument to the |> AGGREGATE pipe operator "+
		"but does not contain any aggregate function; please update it to include an aggregate function and then retry the query again.", map[string]string{"expr": expression})
}

// PipeAggregateCase is what |> AGGREGATE does not take.
func PipeAggregateCase(what string) *Error {
	return analysis("UNSUPPORTED_FEATURE.PIPE_OPERATOR_AGGREGATE_UNSUPPORTED_CASE", "0A000",
		"The feature is not supported: The SQL pipe operator syntax with aggregation (using |> AGGREGATE) does not support "+what+".", map[string]string{"case": what})
}

// ExceptOverlapping is a column that EXCEPT lists twice.
func ExceptOverlapping(names []string) *Error {
	columns := quotedEach(names, ", ")
	return analysis("EXCEPT_OVERLAPPING_COLUMNS", "42702", "Columns in an EXCEPT list must be distinct and non-overlapping, but got ("+columns+").", map[string]string{"columns": columns})
}
