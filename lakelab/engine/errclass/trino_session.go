package errclass

import (
	"errors"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Errors of Trino's session statements: properties, prepared statements, transactions, USE.

// TrinoMissingCatalog is a name without a catalog in a session that has none.
func TrinoMissingCatalog() *Error {
	return trinoUser("MISSING_CATALOG_NAME", "Catalog must be specified when session catalog is not set")
}

// TrinoMissingSchema is a name without a schema in a session that has none.
func TrinoMissingSchema() *Error {
	return trinoUser("MISSING_SCHEMA_NAME", "Schema must be specified when session schema is not set")
}

// TrinoUseCatalog is USE of a catalog that does not exist.
func TrinoUseCatalog(name string) *Error {
	return trinoUser("CATALOG_NOT_FOUND", "Catalog '"+name+"' not found").Nowhere()
}

// TrinoUseSchema is USE of a schema that does not exist.
func TrinoUseSchema(catalog, schema string) *Error {
	return trinoUser("NOT_FOUND", "Schema does not exist: "+catalog+"."+schema)
}

// TrinoCannotPrepare is PREPARE of a statement about prepared statements.
func TrinoCannotPrepare(kind string) *Error {
	return trinoUser("NOT_SUPPORTED", "Invalid statement type for prepared statement: "+kind)
}

// TrinoNoPrepared is a prepared statement that does not exist.
func TrinoNoPrepared(name string) *Error {
	return trinoUser("NOT_FOUND", "Prepared statement not found: "+name)
}

// TrinoParameterCount is a prepared statement run with too many or too few values.
func TrinoParameterCount(want, got int) *Error {
	return trinoUser("INVALID_PARAMETER_USAGE", fmt.Sprintf("Incorrect number of parameters: expected %d but found %d", want, got))
}

// TrinoNoProperty is a session property that does not exist.
func TrinoNoProperty(name string) *Error {
	return trinoUser("INVALID_SESSION_PROPERTY", "Session property '"+name+"' does not exist")
}

// TrinoPropertyType is a session property's value of another type.
func TrinoPropertyType(name, value string, want, got types.Type) *Error {
	if got.Kind == types.String {
		value = "'" + value + "'"
	}
	return trinoUser("INVALID_SESSION_PROPERTY", "Unable to set session property '"+name+"' to '"+value+"': Cannot cast type "+trinoName(got)+" to "+trinoName(want)).Nowhere()
}

// TrinoPropertyNull is a session property set to NULL.
func TrinoPropertyNull(name, written string) *Error {
	return trinoUser("INVALID_SESSION_PROPERTY", "Unable to set session property '"+name+"' to '"+written+"': Session property value must not be null").Nowhere()
}

// TrinoPropertyName is a name of a session property with more than one dot.
func TrinoPropertyName(name string) *Error {
	return trinoUser("INVALID_SESSION_PROPERTY", "Invalid session property '"+name+"'").Nowhere()
}

// TrinoBadProperty is a session property's value that it can't have.
func TrinoBadProperty(message string) *Error { return trinoUser("INVALID_SESSION_PROPERTY", message) }

// TrinoBadZone is SET TIME ZONE to a zone that does not exist.
func TrinoBadZone(zone string) *Error {
	return trinoUser("NOT_SUPPORTED", "Time zone not supported: "+zone)
}

// TrinoZoneValue is SET TIME ZONE to an expression that gives no zone.
func TrinoZoneValue(written string) *Error {
	return TrinoInternal("TIME ZONE expression '" + written + "' not supported")
}

// TrinoZoneType is SET TIME ZONE to a value of a type that no zone has.
func TrinoZoneType(written string, t types.Type) *Error {
	return trinoMismatch("Expected expression of varchar or interval day-time type, but '" + written + "' has " + trinoName(t) + " type").Nowhere()
}

// TrinoZoneSeconds is SET TIME ZONE to an interval of parts of a minute.
func TrinoZoneSeconds() *Error {
	return trinoUser("INVALID_LITERAL", "Invalid TIME ZONE offset interval: interval contains seconds").Nowhere()
}

// TrinoNoTransactions is START TRANSACTION of a client that does not send transaction ids.
func TrinoNoTransactions() *Error {
	return trinoUser("INCOMPATIBLE_CLIENT", "Client does not support transactions")
}

// TrinoNestedTransaction is START TRANSACTION inside of a transaction.
func TrinoNestedTransaction() *Error {
	return trinoUser("NOT_SUPPORTED", "Nested transactions not supported")
}

// TrinoNotInTransaction is COMMIT or ROLLBACK outside of a transaction.
func TrinoNotInTransaction() *Error {
	return trinoUser("NOT_IN_TRANSACTION", "No transaction in progress")
}

// TrinoUnknownTransaction is a transaction that nobody began, or that has ended.
func TrinoUnknownTransaction(id string) *Error {
	return trinoUser("UNKNOWN_TRANSACTION", "Unknown transaction ID: "+id+". Possibly expired? Commands ignored until end of transaction block")
}

// TrinoCommitAborted is COMMIT of a transaction in which a statement has failed.
func TrinoCommitAborted() *Error {
	return trinoUser("TRANSACTION_ALREADY_ABORTED", "Current transaction has already been aborted")
}

// TrinoAutocommit is a write inside of a transaction.
func TrinoAutocommit(catalog string) *Error {
	return trinoUser("AUTOCOMMIT_WRITE_CONFLICT", "Catalog only supports writes using autocommit: "+catalog)
}

// TrinoCallInTransaction is CALL inside of a transaction.
func TrinoCallInTransaction() *Error {
	return trinoUser("NOT_SUPPORTED", "Procedures cannot be called within a transaction (use autocommit mode)").Nowhere()
}

// TrinoReadOnly is a write inside of a transaction that was begun READ ONLY.
func TrinoReadOnly() *Error {
	return trinoUser("READ_ONLY_VIOLATION", "Cannot execute write in a read-only transaction")
}

// TrinoTooLong is a query that ran longer than the session allows.
func TrinoTooLong(what, limit string) *Error {
	return &Error{Exception: "TrinoQueryError", Class: "EXCEEDED_TIME_LIMIT", Code: 131075, Message: "Query exceeded " + what + " limit of " + limit}
}

// What can be wrong with ESCAPE: it is not one character, or stands before another one than it may.
const (
	TrinoEscapeLength = "Escape string must be a single character"
	TrinoEscapePlace  = "Escape character must be followed by '%', '_' or the escape character itself"
)

// TrinoLike is a pattern of LIKE that can't be read.
func TrinoLike(message string) *Error { return trinoUser("INVALID_FUNCTION_ARGUMENT", message) }

// TrinoKilled is how a query fails that somebody killed.
func TrinoKilled(message string) *Error {
	if message == "" {
		return trinoUser("ADMINISTRATIVELY_KILLED", "Query killed. No message provided.")
	}
	return trinoUser("ADMINISTRATIVELY_KILLED", "Query killed. Message: "+message)
}

// TrinoDots is a table's name of more than three parts.
func TrinoDots(name string) *Error {
	e := trinoUser("SYNTAX_ERROR", "Too many dots in table name: "+name)
	e.HasSpan = true
	return e
}

// Nowhere takes an error's place away.
func Nowhere(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e.Nowhere()
	}
	return err
}

// Elsewhere points an error at another place.
func Elsewhere(err error, at token.Span) error {
	var e *Error
	if errors.As(err, &e) {
		return e.Elsewhere(at)
	}
	return err
}

// TrinoRule is a statement that the grammar takes and a rule beyond it does not.
func TrinoRule(message string) *Error { return trinoUser("SYNTAX_ERROR", message) }
