package errclass

import "strings"

// trinoConditions are Trino's names for Spark's conditions that the parts which both dialects share can report. A condition stands for its
// subclasses, too; one that is not here goes by the kind of its exception, in trinoKinds.
var trinoConditions = map[string]string{
	"AMBIGUOUS_REFERENCE":                         "AMBIGUOUS_NAME",
	"CANNOT_READ_FILE_FOOTER":                     "ICEBERG_BAD_DATA",
	"COLUMN_ALREADY_EXISTS":                       "DUPLICATE_COLUMN_NAME",
	"FAILED_READ_FILE":                            "ICEBERG_CANNOT_OPEN_SPLIT",
	"FIELD_ALREADY_EXISTS":                        "COLUMN_ALREADY_EXISTS",
	"FIELD_NOT_FOUND":                             "COLUMN_NOT_FOUND",
	"INCOMPATIBLE_DATA_FOR_TABLE":                 "TYPE_MISMATCH",
	"INSERT_COLUMN_ARITY_MISMATCH":                "TYPE_MISMATCH",
	"INVALID_USAGE_OF_STAR_OR_REGEX":              "COLUMN_NOT_FOUND",
	"LOCATION_ALREADY_EXISTS":                     "ICEBERG_FILESYSTEM_ERROR",
	"NESTED_AGGREGATE_FUNCTION":                   "NESTED_AGGREGATION",
	"NOT_A_SCALAR_FUNCTION":                       "FUNCTION_NOT_FOUND",
	"NUM_COLUMNS_MISMATCH":                        "TYPE_MISMATCH",
	"PARSE_SYNTAX_ERROR":                          "SYNTAX_ERROR",
	"ROUTINE_NOT_FOUND":                           "FUNCTION_NOT_FOUND",
	"SCHEMA_ALREADY_EXISTS":                       "SCHEMA_ALREADY_EXISTS",
	"SCHEMA_NOT_EMPTY":                            "SCHEMA_NOT_EMPTY",
	"SCHEMA_NOT_FOUND":                            "SCHEMA_NOT_FOUND",
	"TABLE_OR_VIEW_ALREADY_EXISTS":                "TABLE_ALREADY_EXISTS",
	"TABLE_OR_VIEW_NOT_FOUND":                     "TABLE_NOT_FOUND",
	"TASK_WRITE_FAILED":                           "GENERIC_INTERNAL_ERROR",
	"UNRESOLVED_COLUMN":                           "COLUMN_NOT_FOUND",
	"UNRESOLVED_ROUTINE":                          "FUNCTION_NOT_FOUND",
	"UNSUPPORTED_TYPED_LITERAL":                   "TYPE_NOT_FOUND",
	"UNSUPPORTED_DATATYPE":                        "TYPE_NOT_FOUND",
	"UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY":    "NOT_SUPPORTED",
	"WRONG_NUM_ARGS":                              "FUNCTION_NOT_FOUND",
	"VIEW_NOT_FOUND":                              "GENERIC_USER_ERROR",
	"WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE":         "MISSING_OVER",
	"UNSUPPORTED_EXPR_FOR_WINDOW":                 "FUNCTION_NOT_WINDOW",
	"GROUP_BY_POS_OUT_OF_RANGE":                   "INVALID_COLUMN_REFERENCE",
	"ORDER_BY_POS_OUT_OF_RANGE":                   "INVALID_COLUMN_REFERENCE",
	"MISSING_AGGREGATION":                         "EXPRESSION_NOT_AGGREGATE",
	"INCOMPATIBLE_TYPES_IN_INLINE_TABLE":          "TYPE_MISMATCH",
	"REMOTE_FUNCTION_HTTP_FAILED_ERROR":           "GENERIC_INTERNAL_ERROR",
	"PARTITIONS_NOT_FOUND":                        "NOT_FOUND",
	"MULTIPLE_TIME_TRAVEL_SPEC":                   "SYNTAX_ERROR",
	"INVALID_TIME_TRAVEL_TIMESTAMP_EXPR":          "INVALID_ARGUMENTS",
	"DUPLICATE_KEY":                               "DUPLICATE_PROPERTY",
	"RECURSION_LEVEL_LIMIT_EXCEEDED":              "NOT_SUPPORTED",
	"SCALAR_SUBQUERY_IS_IN_GROUP_BY_OR_AGGREGATE": "NOT_SUPPORTED",
}

// trinoKinds are Trino's names for the kinds of exceptions.
var trinoKinds = map[string]string{
	"AnalysisException":             "GENERIC_USER_ERROR",
	"ParseException":                "SYNTAX_ERROR",
	"ArithmeticException":           "NUMERIC_VALUE_OUT_OF_RANGE",
	"DateTimeException":             "INVALID_FUNCTION_ARGUMENT",
	"NumberFormatException":         "INVALID_CAST_ARGUMENT",
	"IllegalArgumentException":      "INVALID_ARGUMENTS",
	"UnsupportedOperationException": "NOT_SUPPORTED",
	"AlreadyExistsException":        "ALREADY_EXISTS",
	"NoSuchTableException":          "TABLE_NOT_FOUND",
	"NoSuchNamespaceException":      "SCHEMA_NOT_FOUND",
	"NamespaceNotEmptyException":    "SCHEMA_NOT_EMPTY",
	"CatalogNotFoundException":      "CATALOG_NOT_FOUND",
	"SecurityException":             "PERMISSION_DENIED",
	"SparkRuntimeException":         "INVALID_FUNCTION_ARGUMENT",
}

// isConflict tells what Iceberg's library says when another commit stands in the way of one.
func isConflict(message string) bool {
	for _, begin := range []string{"Missing required files to delete", "Found conflicting files", "Cannot commit, found new"} {
		if strings.HasPrefix(message, begin) {
			return true
		}
	}
	return false
}

// trinoNamed gives an error that is none of Trino's the name that comes closest to it, so that no client of Trino's meets Spark's names.
// The message stays, without the condition in front of it.
func trinoNamed(e *Error) *Error {
	name, ok := trinoConditions[e.Class]
	if head, _, sub := strings.Cut(e.Class, "."); sub && !ok {
		name, ok = trinoConditions[head]
	}
	if !ok {
		name, ok = trinoKinds[e.Exception]
	}
	if !ok {
		name = "GENERIC_INTERNAL_ERROR"
	}
	message := e.Message
	if isConflict(message) {
		name, message = "ICEBERG_COMMIT_ERROR", "Failed to commit during write: "+message
	}
	out := trinoUser(name, message)
	out.Span, out.HasSpan, out.Hint, out.Cause = e.Span, e.HasSpan, e.Hint, e
	return out
}
