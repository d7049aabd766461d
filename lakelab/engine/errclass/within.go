package errclass

import "mini-lakehouse-lab/lakelab/types"

// Errors of WITHIN GROUP, of named arguments and of arguments that must be constants.

// WithinGroup is a rule of WITHIN GROUP; sub is its subclass.
func WithinGroup(sub, function, why string) *Error {
	return analysis("INVALID_WITHIN_GROUP_EXPRESSION."+sub, "42K0K", "Invalid function "+types.Quote(function)+" with WITHIN GROUP. "+why, map[string]string{"funcName": types.Quote(function)})
}

// UnsupportedSyntax is a clause that a function does not take.
func UnsupportedSyntax(function, syntax string) *Error {
	return analysis("INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX", "42000", "Invalid SQL syntax: The function "+types.Quote(function)+" does not support "+syntax+".",
		map[string]string{"prettyName": types.Quote(function), "syntax": types.Quote(syntax)})
}

// WindowOfOrdered is a function with an order of its own over an ordered or framed window.
func WindowOfOrdered(expression string) *Error {
	return analysis("INVALID_WINDOW_SPEC_FOR_AGGREGATION_FUNC", "42601", `Cannot specify ORDER BY or a window frame for "`+expression+`".`, map[string]string{"aggFunc": `"` + expression + `"`})
}

// NamedNotSupported is a named argument of a function that takes none.
func NamedNotSupported(function string) *Error {
	return analysis("NAMED_PARAMETERS_NOT_SUPPORTED", "4274K", "Named parameters are not supported for function "+types.Quote(function)+"; please retry the query with positional arguments to the function call instead.",
		map[string]string{"functionName": types.Quote(function)})
}

// ParameterTwice is a parameter that gets a positional and a named argument.
func ParameterTwice(function, parameter string) *Error {
	return analysis("DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.BOTH_POSITIONAL_AND_NAMED", "4274K", "Call to routine "+types.Quote(function)+" is invalid because it includes multiple argument assignments to the same parameter name "+
		types.Quote(parameter)+". A positional argument and named argument both referred to the same parameter. Please remove the named argument referring to this parameter.",
		map[string]string{"routineName": types.Quote(function), "parameterName": types.Quote(parameter)})
}

// UnexpectedArgument is an argument of another type than the parameter's.
func UnexpectedArgument(function, parameter, written string, got types.Type, want string) *Error {
	return analysis("UNEXPECTED_INPUT_TYPE", "42K09", "Parameter "+parameter+" of function "+types.Quote(function)+` requires the "`+want+`" type, however "`+written+`" has the type "`+got.SQL()+`".`,
		map[string]string{"functionName": types.Quote(function), "paramIndex": parameter, "requiredType": `"` + want + `"`, "inputType": `"` + got.SQL() + `"`})
}

// InvalidFilter is a rule of FILTER (WHERE …); sub is its subclass.
func InvalidFilter(sub, expression string) *Error {
	why := map[string]string{
		"NOT_BOOLEAN":              "the FILTER expression is not a boolean expression",
		"CONTAINS_WINDOW_FUNCTION": "the FILTER expression contains a window function",
		"CONTAINS_AGGREGATE":       "the FILTER expression contains an aggregate function",
	}[sub]
	return analysis("INVALID_AGGREGATE_FILTER."+sub, "42903", `The FILTER expression "`+expression+`" in an aggregate function is invalid. Expected a FILTER expression of the BOOLEAN type without aggregates and windows: `+why+".",
		map[string]string{"filterExpr": `"` + expression + `"`})
}
