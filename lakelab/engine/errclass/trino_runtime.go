package errclass

import (
	"errors"
	"strings"
)

// InTrino gives an error that a query meets in Trino's dialect Trino's name and words. Most have them from the start; the others
// come from parts that both dialects share.
func InTrino(err error) error {
	var e *Error
	if err == nil {
		return nil
	}
	if !errors.As(err, &e) {
		// What DuckDB says where a sum of whole numbers grows too large.
		if text := err.Error(); strings.Contains(text, "Type INT128 with value") && strings.Contains(text, "out of range for the destination type INT64") {
			out := trinoUser("NUMERIC_VALUE_OUT_OF_RANGE", "bigint addition overflow").Nowhere()
			out.Cause = err
			return out
		}
		return err
	}
	if e.Trino() {
		return err
	}
	name, message := "", e.Message
	switch class := e.Class; {
	case class == "DIVIDE_BY_ZERO", class == "INTERVAL_DIVIDED_BY_ZERO":
		name, message = "DIVISION_BY_ZERO", "Division by zero"
	case strings.HasPrefix(class, "NUMERIC_VALUE_OUT_OF_RANGE"):
		name, message = "NUMERIC_VALUE_OUT_OF_RANGE", "Decimal overflow"
	case class == "ARITHMETIC_OVERFLOW", class == "BINARY_ARITHMETIC_OVERFLOW", class == "CAST_OVERFLOW":
		name, message = "NUMERIC_VALUE_OUT_OF_RANGE", trinoOverflow(e)
	case class == "CAST_INVALID_INPUT":
		name, message = "INVALID_CAST_ARGUMENT", "Cannot cast "+e.Params["expression"]+" to "+strings.Trim(e.Params["targetType"], `"`)
	case class == "SCALAR_SUBQUERY_TOO_MANY_ROWS":
		name, message = "SUBQUERY_MULTIPLE_ROWS", "Scalar sub-query has returned multiple rows"
	case strings.HasPrefix(class, "INVALID_PARAMETER_VALUE"), class == "INVALID_INDEX_OF_ZERO", strings.HasPrefix(class, "INVALID_ARRAY_INDEX"),
		class == "CANNOT_PARSE_TIMESTAMP", strings.HasPrefix(class, "INVALID_DATETIME_PATTERN"), class == "DATETIME_FIELD_OUT_OF_BOUNDS":
		name = "INVALID_FUNCTION_ARGUMENT"
	case class == "MERGE_CARDINALITY_VIOLATION":
		name, message = "MERGE_TARGET_ROW_MULTIPLE_MATCHES", "One MERGE target table row matched more than one source row"
	case e.Class == "" && strings.HasPrefix(message, "Unsupported table change: Cannot change column type: "):
		name, message = "ICEBERG_COMMIT_ERROR", "Failed to set column type: "+strings.TrimPrefix(message, "Unsupported table change: ")
	case e.Class == "_LEGACY_ERROR_TEMP_3060": // PartitionColumnMissing
		column, _, _ := strings.Cut(strings.TrimPrefix(message, "Couldn't find column "), " in:")
		return TrinoPartitionColumn(column)
	case strings.HasPrefix(class, "DATATYPE_MISMATCH"), strings.HasPrefix(class, "INVALID_EXTRACT"):
		out := trinoMismatch(message)
		out.Span, out.HasSpan = e.Span, e.HasSpan
		return out
	case strings.HasPrefix(class, "UNSUPPORTED_FEATURE"):
		out := trinoUser("NOT_SUPPORTED", message)
		out.Span, out.HasSpan, out.Hint = e.Span, e.HasSpan, e.Hint
		return out
	default:
		return err
	}
	out := trinoUser(name, message)
	out.Cause = err
	out.HasSpan = true // Trino does not say where a value was bad
	return out
}

// trinoOverflow words an overflow whose numbers are not known.
func trinoOverflow(e *Error) string {
	kind, _, _ := strings.Cut(e.Params["message"], " ")
	name := map[string]string{"long": "bigint", "integer": "integer", "short": "smallint", "byte": "tinyint"}[kind]
	if name == "" {
		name = "bigint"
	}
	op := map[string]string{"try_subtract": "subtraction", "try_multiply": "multiplication"}[e.Params["alternative"]]
	if op == "" {
		op = "addition"
	}
	return name + " " + op + " overflow"
}
