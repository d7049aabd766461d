package errclass

import "strings"

// Analysis errors that only Trino has; "line 1:8: " is put in front by Text and by the Trino door, from the span.

// TrinoColumnNotFound is a column that cannot be resolved.
func TrinoColumnNotFound(name string) *Error {
	return &Error{Exception: "TrinoUserError", Class: "COLUMN_NOT_FOUND", Code: 47, Message: "Column '" + name + "' cannot be resolved"}
}

// TrinoAmbiguous is a column that several relations have.
func TrinoAmbiguous(name string) *Error {
	return &Error{Exception: "TrinoUserError", Class: "AMBIGUOUS_NAME", Code: 51, Message: "Column '" + name + "' is ambiguous"}
}

// TrinoSchemaNotFound is a schema that does not exist.
func TrinoSchemaNotFound(name string) *Error {
	return &Error{Exception: "TrinoUserError", Class: "SCHEMA_NOT_FOUND", Code: 45, Message: "Schema '" + name + "' does not exist"}
}

// TrinoNotAggregate is a column that is neither grouped nor aggregated.
func TrinoNotAggregate(name string) *Error {
	return &Error{Exception: "TrinoUserError", Class: "EXPRESSION_NOT_AGGREGATE", Code: 55, Message: "'" + strings.ToLower(name) + "' must be an aggregate expression or appear in GROUP BY clause"}
}
