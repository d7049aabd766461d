package errclass

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Analysis errors that only Trino has; "line 1:8: " is put in front by Text and by the Trino door, from the span.

// trinoCodes are the numbers of Trino's StandardErrorCode.
var trinoCodes = map[string]int{
	"ADMINISTRATIVELY_KILLED":            38,
	"VIEW_IS_STALE":                      81,
	"VIEW_IS_RECURSIVE":                  82,
	"INVALID_VIEW":                       11,
	"AMBIGUOUS_FUNCTION_CALL":            32,
	"DUPLICATE_PROPERTY":                 79,
	"EXPRESSION_NOT_CONSTANT":            75,
	"FUNCTION_IMPLEMENTATION_MISSING":    65546,
	"INVALID_ANALYZE_PROPERTY":           42,
	"INVALID_MATERIALIZED_VIEW_PROPERTY": 95,
	"INVALID_PATH":                       113,
	"INVALID_SCHEMA_PROPERTY":            33,
	"JSON_INPUT_CONVERSION_ERROR":        114,
	"JSON_OUTPUT_CONVERSION_ERROR":       115,
	"JSON_VALUE_RESULT_ERROR":            118,
	"MISSING_TABLE":                      86,
	"PATH_EVALUATION_ERROR":              116,
	"PERMISSION_DENIED":                  4,
	"QUERY_REJECTED":                     31,
	"QUERY_TEXT_TOO_LARGE":               35,
	"ALREADY_EXISTS":                     23,
	"CONSTRAINT_VIOLATION":               16,
	"ICEBERG_BAD_DATA":                   84148228,
	"ICEBERG_CANNOT_OPEN_SPLIT":          84148230,
	"ICEBERG_FILESYSTEM_ERROR":           84148232,
	"MISSING_ARGUMENT":                   111,
	"ROLE_NOT_FOUND":                     48,
	"INVALID_LITERAL":                    59,
	"COLUMN_TYPE_UNKNOWN":                60,
	"MISSING_ORDER_BY":                   65,
	"DUPLICATE_COLUMN_OR_PATH_NAME":      127,
	"TYPE_NOT_FOUND":                     43,
	"DUPLICATE_COLUMN_NAME":              54,
	"INVALID_TABLE_PROPERTY":             18,
	"MISSING_COLUMN_NAME":                55,
	"COLUMN_ALREADY_EXISTS":              51,
	"MERGE_TARGET_ROW_MULTIPLE_MATCHES":  119,
	"PROCEDURE_NOT_FOUND":                29,
	"INVALID_PROCEDURE_ARGUMENT":         30,
	"FUNCTION_NOT_WINDOW":                71,
	"NESTED_WINDOW":                      68,
	"INVALID_PARAMETER_USAGE":            80,
	"SUBQUERY_MULTIPLE_ROWS":             28,
	"SYNTAX_ERROR":                       1,
	"MISSING_CATALOG_NAME":               56,
	"UNKNOWN_TRANSACTION":                20,
	"NOT_IN_TRANSACTION":                 21,
	"TRANSACTION_ALREADY_ABORTED":        22,
	"AUTOCOMMIT_WRITE_CONFLICT":          25,
	"READ_ONLY_VIOLATION":                23,
	"INVALID_VIEW_PROPERTY":              130,
	"DUPLICATE_NAMED_QUERY":              53,
	"PROCEDURE_CALL_FAILED":              65551,
	"ICEBERG_CATALOG_ERROR":              84148237,
	"ICEBERG_TOO_MANY_OPEN_PARTITIONS":   84148226,
	"ICEBERG_UNSUPPORTED_VIEW_DIALECT":   84148241,
	"ICEBERG_COMMIT_ERROR":               84148236,
	"GENERIC_INTERNAL_ERROR":             65536,
	"NOT_FOUND":                          5,
	"FUNCTION_NOT_FOUND":                 6,
	"INVALID_FUNCTION_ARGUMENT":          7,
	"DIVISION_BY_ZERO":                   8,
	"INVALID_CAST_ARGUMENT":              9,
	"NOT_SUPPORTED":                      13,
	"INVALID_SESSION_PROPERTY":           14,
	"NUMERIC_VALUE_OUT_OF_RANGE":         19,
	"INCOMPATIBLE_CLIENT":                27,
	"SCHEMA_NOT_EMPTY":                   34,
	"CATALOG_NOT_FOUND":                  44,
	"SCHEMA_NOT_FOUND":                   45,
	"TABLE_NOT_FOUND":                    46,
	"COLUMN_NOT_FOUND":                   47,
	"SCHEMA_ALREADY_EXISTS":              49,
	"TABLE_ALREADY_EXISTS":               50,
	"MISSING_SCHEMA_NAME":                57,
	"TYPE_MISMATCH":                      58,
	"MISMATCHED_COLUMN_ALIASES":          61,
	"AMBIGUOUS_NAME":                     62,
	"INVALID_COLUMN_REFERENCE":           63,
	"MISSING_OVER":                       66,
	"NESTED_AGGREGATION":                 67,
	"MISSING_COLUMN_ALIASES":             88,
	"INVALID_RECURSIVE_REFERENCE":        87,
	"INVALID_LIMIT_CLAUSE":               90,
	"NULL_TREATMENT_NOT_ALLOWED":         83,
	"MISSING_GROUP_BY":                   64,
	"EXPRESSION_NOT_IN_DISTINCT":         69,
	"FUNCTION_NOT_AGGREGATE":             72,
	"EXPRESSION_NOT_AGGREGATE":           73,
	"EXPRESSION_NOT_SCALAR":              74,
	"INVALID_ARGUMENTS":                  76,
	"INVALID_WINDOW_FRAME":               15,
	"INVALID_ORDER_BY":                   91,
	"DUPLICATE_WINDOW_NAME":              92,
	"INVALID_WINDOW_REFERENCE":           93,
	"INVALID_PARTITION_BY":               94,
}

// trinoUser makes an error of Trino's type USER_ERROR.
func trinoUser(name, message string) *Error {
	return &Error{Exception: "TrinoUserError", Class: name, Code: trinoCodes[name], Message: message}
}

// TrinoColumnNotFound is a column that cannot be resolved.
func TrinoColumnNotFound(name string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Column '"+name+"' cannot be resolved")
}

// TrinoAmbiguous is a column that several relations have.
func TrinoAmbiguous(name string) *Error {
	return trinoUser("AMBIGUOUS_NAME", "Column '"+name+"' is ambiguous")
}

// TrinoSchemaNotFound is a schema that does not exist.
func TrinoSchemaNotFound(name string) *Error {
	return trinoUser("SCHEMA_NOT_FOUND", "Schema '"+name+"' does not exist")
}

// TrinoNotAggregate is a column that is neither grouped nor aggregated; an aliased table's column goes by its qualified name.
func TrinoNotAggregate(name string) *Error {
	return trinoUser("EXPRESSION_NOT_AGGREGATE", "'"+strings.ToLower(name)+"' must be an aggregate expression or appear in GROUP BY clause")
}

// TrinoGroupingColumn is an expression in ROLLUP, CUBE or GROUPING SETS.
func TrinoGroupingColumn(x string) *Error {
	return trinoUser("INVALID_COLUMN_REFERENCE", "GROUP BY expression must be a column reference: "+x)
}

// TrinoSample is a percentage of TABLESAMPLE that is none.
func TrinoSample(name, message string) *Error {
	return trinoUser(name, "Sample percentage "+message)
}

// trinoArgument is an error that Trino reports without a place.
func trinoArgument(message string) *Error {
	e := trinoUser("INVALID_ARGUMENTS", message)
	e.HasSpan = true
	return e
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
	e := trinoUser("NOT_SUPPORTED", "Unsupported type for table version: "+typ)
	e.HasSpan = true
	return e
}

func trinoMismatch(message string) *Error {
	return trinoUser("TYPE_MISMATCH", message)
}

// TrinoNotRow is t.x where t is no row.
func TrinoNotRow(name string) *Error {
	return trinoMismatch("Expression " + name + " is not of type ROW")
}

// TrinoCannotUnnest is UNNEST of a scalar.
func TrinoCannotUnnest(t types.Type) *Error {
	e := trinoUser("INVALID_FUNCTION_ARGUMENT", "Cannot unnest type: "+trinoName(t))
	e.HasSpan = true
	return e
}

// TrinoRelationAliases is a relation's alias list of the wrong length.
func TrinoRelationAliases(names int, relation string, columns int) *Error {
	return trinoUser("MISMATCHED_COLUMN_ALIASES", fmt.Sprintf("Column alias list has %d entries but '%s' has %d columns available", names, relation, columns))
}

// TrinoColumnAliases is a query's alias list of the wrong length.
func TrinoColumnAliases(names, columns int) *Error {
	return trinoUser("MISMATCHED_COLUMN_ALIASES", fmt.Sprintf("Column alias list has %d entries but relation has %d columns", names, columns))
}

// TrinoStarWithoutFrom is SELECT * without FROM.
func TrinoStarWithoutFrom() *Error {
	return trinoUser("COLUMN_NOT_FOUND", "SELECT * not allowed in queries without FROM clause")
}

// TrinoTableNotFound is t.* without a t.
func TrinoTableNotFound(name string) *Error {
	return trinoUser("TABLE_NOT_FOUND", "Unable to resolve reference "+name)
}

// TrinoNotScalar is a clause with aggregates or window functions where none may stand.
func TrinoNotScalar(clause string, calls ...string) *Error {
	return trinoUser("EXPRESSION_NOT_SCALAR", clause+" clause cannot contain aggregations, window functions or grouping operations: ["+strings.Join(calls, ", ")+"]")
}

// TrinoMissingOver is rank() without OVER.
func TrinoMissingOver(name string) *Error {
	return trinoUser("MISSING_OVER", "Window function system.builtin."+name+" requires an OVER clause")
}

// TrinoStarArgument is f(*) of a function other than count.
func TrinoStarArgument(name string) *Error {
	return trinoUser("FUNCTION_NOT_FOUND", "Unexpected parameters (*) for function "+name)
}

// TrinoSubqueryColumns is a subquery of several columns where one is wanted.
func TrinoSubqueryColumns(n int) *Error {
	return trinoMismatch(fmt.Sprintf("Multiple columns returned by subquery are not yet supported. Found %d", n))
}

// TrinoSubqueryType is x IN a query of another type.
func TrinoSubqueryType(left, right types.Type) *Error {
	return trinoMismatch("value and result of subquery must be of the same type for IN expression: " + trinoName(left) + " vs " + trinoName(right))
}

// TrinoNatural is NATURAL JOIN.
func TrinoNatural() *Error { return trinoUser("NOT_SUPPORTED", "Natural join not supported") }

// TrinoDuplicateQuery is WITH two queries of one name.
func TrinoDuplicateQuery(name string) *Error {
	return trinoUser("DUPLICATE_NAMED_QUERY", "WITH query name '"+name+"' specified more than once")
}

// trinoParts is a qualified name; a part that is no plain identifier is quoted.
func trinoParts(parts []string) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		if out[i] = p; strings.Contains(p, "$") {
			out[i] = `"` + p + `"`
		}
	}
	return strings.Join(out, ".")
}

// TrinoUsingColumn is JOIN … USING a column that a side lacks.
func TrinoUsingColumn(name, side string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Column '"+name+"' is missing from "+side+" side of join")
}

// TrinoSetOpColumns is a set operation on sides of different width.
func TrinoSetOpColumns(op string, left, right int) *Error {
	return trinoMismatch(fmt.Sprintf("%s query has different number of fields: %d, %d", op, left, right))
}

// TrinoSetOpTypes is a set operation on columns without a common type.
func TrinoSetOpTypes(op string, column int, left, right types.Type) *Error {
	return trinoMismatch(fmt.Sprintf("column %d in %s query has incompatible types: %s, %s", column, op, trinoName(left), trinoName(right)))
}

func trinoNames(ts []types.Type) string {
	var out []string
	seen := map[string]bool{}
	for _, t := range ts {
		if n := trinoName(t); !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// TrinoNested is an aggregate in an argument of another.
func TrinoNested(outer, inner string) *Error {
	return trinoUser("NESTED_AGGREGATION", "Cannot nest aggregations inside aggregation '"+outer+"': ["+inner+"]")
}

// TrinoNotWindow is OVER behind a function that is no window function; Trino places it at the statement's start.
func TrinoNotWindow(name string) *Error {
	return trinoUser("FUNCTION_NOT_WINDOW", "Not a window function: "+name).At(token.Span{Start: token.Pos{Line: 1}, End: token.Pos{Line: 1}})
}

// TrinoValuesSizes is VALUES with rows of different length.
func TrinoValuesSizes(first, other int) *Error {
	return trinoMismatch(fmt.Sprintf("Values rows have mismatched sizes: %d vs %d", first, other))
}
