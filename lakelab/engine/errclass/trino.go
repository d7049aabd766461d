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

func trinoArgument(message string) *Error {
	return &Error{Exception: "TrinoUserError", Class: "INVALID_ARGUMENTS", Code: 76, Message: message}
}

// TrinoNoSnapshot is FOR VERSION AS OF an id that the table does not have. The grammar is Trino's own.
func TrinoNoSnapshot(id string) *Error {
	return trinoArgument("Iceberg snapshot ID does not exists: " + id)
}

// TrinoNoRef is FOR VERSION AS OF a name that is neither a branch nor a tag.
func TrinoNoRef(name string) *Error {
	return trinoArgument("Cannot find snapshot with reference name: " + name)
}

// TrinoNoHistory is FOR TIMESTAMP AS OF a time before the first snapshot. cause is Iceberg's message, which ends with that time.
func TrinoNoHistory(table, cause string) *Error {
	at := cause[strings.LastIndexByte(cause, ' ')+1:]
	return trinoArgument("No version history table " + table + " at or before " + strings.Replace(at, "+00:00", "Z", 1))
}

// TrinoUnsupportedVersionType is FOR VERSION AS OF a number that fits into an integer: Trino wants a bigint.
func TrinoUnsupportedVersionType(typ string) *Error {
	return &Error{Exception: "TrinoUserError", Class: "NOT_SUPPORTED", Code: 13, Message: "Unsupported type for table version: " + typ}
}
