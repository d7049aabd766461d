package errclass

import "fmt"

// Trino's errors of calls: what an aggregate's or a window function's call cannot hold.

// TrinoNullTreatment is IGNORE or RESPECT NULLS of a function that does not take it.
func TrinoNullTreatment(function string) *Error {
	return trinoUser("NULL_TREATMENT_NOT_ALLOWED", "Cannot specify null treatment clause for "+function+" function")
}

// TrinoWindowCallOrder is f(x ORDER BY y) OVER (…) of a function that does not aggregate.
func TrinoWindowCallOrder() *Error {
	return trinoUser("NOT_SUPPORTED", "Only aggregation window functions with ORDER BY are supported")
}

// TrinoOrderOnScalar is f(x ORDER BY y) of a function that does not aggregate.
func TrinoOrderOnScalar() *Error {
	return trinoUser("FUNCTION_NOT_AGGREGATE", "ORDER BY is only valid for aggregation functions")
}

// TrinoDistinctOrder is f(DISTINCT x ORDER BY y) where y is no argument.
func TrinoDistinctOrder() *Error {
	return trinoUser("EXPRESSION_NOT_IN_DISTINCT", "For aggregate function with DISTINCT, ORDER BY expressions must appear in arguments")
}

// TrinoNestedInAggregate is a function over a window in an argument of an aggregate.
func TrinoNestedInAggregate(aggregate, window string) *Error {
	return trinoUser("NESTED_WINDOW", "Cannot nest window functions or row pattern measures inside aggregation '"+aggregate+"': ["+window+"]")
}

// TrinoHavingWindow is a function over a window in HAVING.
func TrinoHavingWindow() *Error {
	return trinoUser("NESTED_WINDOW", "HAVING clause cannot contain window functions or row pattern measures")
}

// TrinoGroupingArgument is grouping(x) of what is not grouped.
func TrinoGroupingArgument(x string) *Error {
	return trinoUser("INVALID_ARGUMENTS", "The arguments to GROUPING() must be expressions referenced by the GROUP BY at the associated query level. Mismatch due to "+x+".")
}

// TrinoCorrelated is a query that names columns of the query around it in a way that Trino cannot take apart.
func TrinoCorrelated() *Error {
	return trinoUser("NOT_SUPPORTED", "Given correlated subquery is not supported")
}

// TrinoLateralJoin is a reference to the left side from the right one of a join that has no such thing.
func TrinoLateralJoin(kind string) *Error {
	return trinoUser("INVALID_COLUMN_REFERENCE", "LATERAL reference not allowed in "+kind+" JOIN")
}

// TrinoUnnestCondition is a join with UNNEST on another condition than TRUE.
func TrinoUnnestCondition(kind string) *Error {
	return trinoUser("NOT_SUPPORTED", kind+" JOIN involving UNNEST is only supported with condition ON TRUE")
}

// TrinoRecursionNames is a query of WITH RECURSIVE without names for its columns.
func TrinoRecursionNames() *Error {
	return trinoUser("MISSING_COLUMN_ALIASES", "missing column aliases in recursive WITH query")
}

// TrinoRecursiveReference is a query of WITH RECURSIVE that names itself where it cannot; why says where.
func TrinoRecursiveReference(why string) *Error { return trinoUser("INVALID_RECURSIVE_REFERENCE", why) }

// TrinoRecursionClause is a clause that a query of WITH RECURSIVE cannot have.
func TrinoRecursionClause(name, clause string) *Error {
	return trinoUser(name, "immediate "+clause+" clause in recursive query")
}

// TrinoRecursionColumns is a step of a recursion with another number of columns than its beginning.
func TrinoRecursionColumns(anchor, step int) *Error {
	return trinoMismatch(fmt.Sprintf("base and step relations of recursion have different number of fields: %d, %d", anchor, step))
}
