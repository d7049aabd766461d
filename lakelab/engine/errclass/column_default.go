package errclass

import "mini-lakehouse-lab/lakelab/types"

// Errors of DEFAULT clauses (INVALID_DEFAULT_VALUE in Spark's list of error conditions). command is the statement's name.

func invalidDefault(class, command, column, text, what string) *Error {
	return analysis("INVALID_DEFAULT_VALUE."+class, "42623", "Failed to execute "+command+" command because the destination column or variable "+types.Quote(column)+
		" has a DEFAULT value "+text+", which "+what+".", map[string]string{"statement": command, "colName": types.Quote(column), "defaultValue": text})
}

// DefaultType is a default value that is not of its column's type.
func DefaultType(command, column, text string, want, got types.Type) *Error {
	return invalidDefault("DATA_TYPE", command, column, text, `requires "`+want.SQL()+`" type, but the statement provided a value of incompatible "`+got.SQL()+`" type`)
}

// DefaultNotConstant is a default value that is not known beforehand.
func DefaultNotConstant(command, column, text string) *Error {
	return invalidDefault("NOT_CONSTANT", command, column, text, "is not a constant expression whose equivalent value is known at query planning time")
}

// DefaultUnresolved is a default value that is no valid expression.
func DefaultUnresolved(command, column, text string) *Error {
	return invalidDefault("UNRESOLVED_EXPRESSION", command, column, text, "fails to resolve as a valid expression")
}

// DefaultSubquery is a default value with a subquery.
func DefaultSubquery(command, column, text string) *Error {
	return invalidDefault("SUBQUERY_EXPRESSION", command, column, text, "contains subquery expressions")
}
