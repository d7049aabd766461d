package errclass

import "fmt"

// Trino's errors about table functions and their arguments.

// TrinoNoTableFunction is a table function that there is not.
func TrinoNoTableFunction(name string) *Error {
	return trinoUser("FUNCTION_NOT_FOUND", "Table function '"+name+"' not registered")
}

// TrinoTableArguments is a call with more arguments than the function has.
func TrinoTableArguments(most, given int) *Error {
	return trinoUser("INVALID_ARGUMENTS", fmt.Sprintf("Too many arguments. Expected at most %d arguments, got %d arguments", most, given))
}

// TrinoMixedArguments is a call with some arguments by name and some by place.
func TrinoMixedArguments() *Error {
	return trinoUser("INVALID_ARGUMENTS", "All arguments must be passed by name or all must be passed positionally")
}

// TrinoUnexpectedArgument is an argument by a name that the function does not have.
func TrinoUnexpectedArgument(name string) *Error {
	return trinoUser("INVALID_FUNCTION_ARGUMENT", "Unexpected argument name: "+name)
}

// TrinoArgumentTwice is an argument that is given twice.
func TrinoArgumentTwice(name string) *Error {
	return trinoUser("INVALID_FUNCTION_ARGUMENT", "Duplicate argument name: "+name)
}

// TrinoMissingArgument is an argument that must be given and is not.
func TrinoMissingArgument(name string) *Error {
	return trinoUser("MISSING_ARGUMENT", "Missing argument: "+name)
}

// TrinoTableValue is an argument that a table function cannot take, or does not get.
func TrinoTableValue(message string) *Error {
	return trinoUser("INVALID_FUNCTION_ARGUMENT", message).Nowhere()
}

// TrinoSequenceNull is NULL as an argument of the table function sequence.
func TrinoSequenceNull(what string) *Error { return TrinoTableValue(what + " is null") }

// TrinoSequenceStep is a step that does not lead from start to stop.
func TrinoSequenceStep(sign string, start, stop int64) *Error {
	return TrinoTableValue(fmt.Sprintf("Step must be %s for sequence [%d, %d]", sign, start, stop))
}

// TrinoNoChanges is table_changes over snapshots whose changes it cannot tell.
func TrinoNoChanges() *Error {
	return trinoUser("NOT_SUPPORTED", "Table uses features which are not yet supported by the table_changes function").Nowhere()
}
