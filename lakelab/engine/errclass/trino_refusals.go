package errclass

import (
	"errors"
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Trino's errors about what cannot be done, and about the arguments of procedures.

// TrinoSchemaExists is CREATE SCHEMA of a schema that is there.
func TrinoSchemaExists(name string) *Error {
	return trinoUser("SCHEMA_ALREADY_EXISTS", "Schema '"+name+"' already exists")
}

// TrinoSchemaNotEmpty is DROP SCHEMA of one that holds something.
func TrinoSchemaNotEmpty(name string) *Error {
	return trinoUser("SCHEMA_NOT_EMPTY", "Cannot drop non-empty schema '"+name+"'")
}

// TrinoGeneric is an error that has no name of its own in Trino.
func TrinoGeneric(message string) *Error { return trinoUser("GENERIC_USER_ERROR", message) }

// TrinoTargetSchema is ALTER SCHEMA … RENAME TO a schema that is there.
func TrinoTargetSchema(name string) *Error {
	return trinoUser("SCHEMA_ALREADY_EXISTS", "Target schema '"+name+"' already exists")
}

// TrinoRetention is a retention that is shorter than the least one; setting and property are what says how short it may be.
func TrinoRetention(given, least, setting, property string) *Error {
	return trinoUser("INVALID_PROCEDURE_ARGUMENT", "Retention specified ("+given+") is shorter than the minimum retention configured in the system ("+least+
		"). Minimum retention can be changed with iceberg."+setting+" configuration property or iceberg."+property+" session property").Nowhere()
}

// TrinoFilterRequired is a query without a condition on a column by which its table is partitioned, where the session wants one.
func TrinoFilterRequired(table string, columns []string) *Error {
	return trinoUser("QUERY_REJECTED", "Filter required for "+table+" on at least one of the partition columns: "+strings.Join(columns, ", ")).Nowhere()
}

// TrinoNoAnalyze is ANALYZE where the session does not allow it.
func TrinoNoAnalyze() *Error {
	return trinoUser("NOT_SUPPORTED", "Analyze is not enabled. You can enable analyze using iceberg.extended-statistics.enabled config or extended_statistics_enabled catalog session property").Nowhere()
}

// TrinoInternal is what Trino takes for an error of its own.
func TrinoInternal(message string) *Error {
	return trinoUser("GENERIC_INTERNAL_ERROR", message).Nowhere()
}

// TrinoNoRelation is a table or view that does not exist, in a statement's own words.
func TrinoNoRelation(message string) *Error { return trinoUser("TABLE_NOT_FOUND", message) }

// TrinoTargetView is a view's new name that is taken.
func TrinoTargetView(message string) *Error { return trinoUser("TABLE_ALREADY_EXISTS", message) }

// TrinoStaleView is a view whose query gives other columns than those that were stored with it.
func TrinoStaleView(view []string, reason string) *Error {
	return trinoUser("VIEW_IS_STALE", "View '"+strings.Join(view, ".")+"' is stale or in invalid state: "+reason)
}

// TrinoInvalidView is a view whose query fails.
func TrinoInvalidView(view []string, cause error) *Error {
	text := cause.Error()
	var e *Error
	if errors.As(InTrino(cause), &e) {
		text = e.TrinoMessage()
	}
	out := trinoUser("INVALID_VIEW", "Failed analyzing stored view '"+strings.Join(view, ".")+"': "+text)
	out.Cause = cause
	return out
}

// TrinoRecursiveView is a view that would stand on itself.
func TrinoRecursiveView() *Error {
	return trinoUser("VIEW_IS_RECURSIVE", "Statement would create a recursive view")
}

// TrinoTargetIsThere is ALTER VIEW … RENAME TO a view that is there.
func TrinoTargetIsThere(name string) *Error {
	return trinoUser("GENERIC_USER_ERROR", "Target view '"+name+"' already exists")
}

// TrinoNoRole is a role that does not exist.
func TrinoNoRole(name string) *Error {
	return trinoUser("ROLE_NOT_FOUND", "Role '"+name+"' does not exist")
}

// TrinoTextTooLong is a statement of more characters than it may have.
func TrinoTextTooLong(length, limit int) *Error {
	return trinoUser("QUERY_TEXT_TOO_LARGE", fmt.Sprintf("Query text length (%d) exceeds the maximum length (%d)", length, limit)).Nowhere()
}

// TrinoPathCatalog is SET PATH to a schema of no catalog.
func TrinoPathCatalog() *Error {
	return trinoUser("MISSING_CATALOG_NAME", "Catalog must be specified for each path element when session catalog is not set")
}

// TrinoDenied is what nobody may do.
func TrinoDenied(message string) *Error { return trinoUser("PERMISSION_DENIED", message).Nowhere() }

// TrinoNotFound is something that a procedure looked for.
func TrinoNotFound(message string) *Error { return trinoUser("NOT_FOUND", message).Nowhere() }

// TrinoMaterializedProperty is a property that materialized views do not have.
func TrinoMaterializedProperty(catalog, name string) *Error {
	return trinoUser("INVALID_MATERIALIZED_VIEW_PROPERTY", "Catalog '"+catalog+"' materialized view property '"+name+"' does not exist")
}

// TrinoTooManyArguments is a procedure with more arguments than it has parameters.
func TrinoTooManyArguments() *Error {
	return trinoUser("INVALID_ARGUMENTS", "Too many positional arguments")
}

// TrinoDuplicateArgument is an argument that is given twice.
func TrinoDuplicateArgument(name string) *Error {
	return trinoUser("DUPLICATE_PROPERTY", "Duplicate named argument: "+name)
}

// TrinoProcedureProperty is a table procedure's argument with what is wrong about it.
func TrinoProcedureProperty(catalog, procedure, name, wrong string) *Error {
	return trinoUser("INVALID_PROCEDURE_ARGUMENT", "Catalog '"+catalog+"' table procedure '"+procedure+"' property '"+name+"'"+wrong)
}

// TrinoProcedureValue is a table procedure's argument of the wrong type.
func TrinoProcedureValue(catalog, procedure, name, value string, want types.Type) *Error {
	return trinoUser("INVALID_PROCEDURE_ARGUMENT", "Invalid value for catalog '"+catalog+"' table procedure '"+procedure+"' property '"+name+"': Cannot convert ["+value+"] to "+trinoName(want))
}

// TrinoNoSnapshotArgument is rollback_to_snapshot without a snapshot; the words are those of Trino's defect.
func TrinoNoSnapshotArgument() *Error {
	return TrinoInternal(`Cannot invoke "java.lang.Long.longValue()" because the return value of "java.util.Map.get(Object)" is null`)
}

// TrinoUnenforced is optimize's WHERE on what the table is not partitioned by.
func TrinoUnenforced() *Error {
	return TrinoInternal("Unexpected FilterNode found in plan; probably connector was not able to handle provided WHERE expression")
}

// TrinoUnknownArgument is CALL with an argument that the procedure does not have.
func TrinoUnknownArgument(name string) *Error {
	return trinoUser("INVALID_ARGUMENTS", "Unknown argument name: "+name)
}

// TrinoMissingCallArgument is CALL without an argument that it needs.
func TrinoMissingCallArgument(name string) *Error {
	return trinoUser("INVALID_ARGUMENTS", "Required procedure argument '"+name+"' is missing")
}

// TrinoCastArgument is CALL with an argument of the wrong type.
func TrinoCastArgument(from, to types.Type) *Error {
	return trinoMismatch("Cannot cast type " + trinoName(from) + " to " + trinoName(to))
}

// TrinoNullCallArgument is CALL with NULL where it needs a value; null is what that cannot be.
func TrinoNullCallArgument(name, null string) *Error {
	return trinoUser("INVALID_PROCEDURE_ARGUMENT", name+" cannot be "+null).Nowhere()
}

// TrinoNullRows is a prepared LIMIT or OFFSET that is executed with NULL.
func TrinoNullRows(clause, written string) *Error {
	return trinoUser("INVALID_ARGUMENTS", "Parameter value provided for "+clause+" is NULL: "+written)
}

// TrinoNullProcedureValue is a table procedure's argument that is NULL.
func TrinoNullProcedureValue(catalog, procedure, name, written string) *Error {
	return trinoUser("INVALID_PROCEDURE_ARGUMENT", "Invalid null value for catalog '"+catalog+"' table procedure '"+procedure+"' property '"+name+"' from ["+written+"]")
}

// TrinoAnalyzeProperty is a property of ANALYZE with what is wrong about it.
func TrinoAnalyzeProperty(message string) *Error {
	return trinoUser("INVALID_ANALYZE_PROPERTY", message)
}

// TrinoSchemaProperty is a property that schemas do not have.
func TrinoSchemaProperty(catalog, name string) *Error {
	return trinoUser("INVALID_SCHEMA_PROPERTY", "Catalog '"+catalog+"' schema property '"+name+"' does not exist")
}

// TrinoPointer is FOR VERSION | TIMESTAMP AS OF with a value that is none.
func TrinoPointer(message string) *Error { return trinoUser("INVALID_ARGUMENTS", message) }

// TrinoPointerType is FOR TIMESTAMP AS OF of a type that is no point in time.
func TrinoPointerType(t types.Type) *Error {
	return trinoMismatch("Type " + trinoName(t) + " invalid. Temporal pointers must be of type Timestamp, Timestamp with Time Zone, or Date.")
}

// TrinoConstantSubquery is a constant with a query in it.
func TrinoConstantSubquery() *Error {
	return trinoUser("EXPRESSION_NOT_CONSTANT", "Constant expression cannot contain a subquery")
}
