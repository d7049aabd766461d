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
		return trinoWriting(err)
	}
	if e.Trino() {
		return err
	}
	if e.Class == "TASK_WRITE_FAILED" {
		if out := trinoWriting(e.Cause); out != e.Cause {
			return out
		}
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
	case class == "NOT_NULL_ASSERT_VIOLATION":
		name, message = "CONSTRAINT_VIOLATION", notNullMessage+notNullColumn(e)
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
		return trinoNamed(e)
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

// trinoWriting words the system's reason why nothing can be written, as Java's library has it: a full disk, for one.
func trinoWriting(err error) error {
	for cause := range unwritable {
		if errors.Is(err, cause) {
			text := cause.Error()
			e := TrinoInternal("java.io.IOException: " + strings.ToUpper(text[:1]) + text[1:])
			e.Cause = err
			return e
		}
	}
	return err
}

const notNullMessage = "NULL value not allowed for NOT NULL column: "

// notNullColumn is the column that an error about NULL names.
func notNullColumn(e *Error) string {
	column, _, _ := strings.Cut(strings.TrimSpace(e.Params["walkedTypePath"]), "\n")
	return column
}

// TrinoUpdateNull gives UPDATE's error about NULL in a column that is NOT NULL the name that it has there.
func TrinoUpdateNull(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Class != "NOT_NULL_ASSERT_VIOLATION" {
		return err
	}
	return trinoArgument(notNullMessage + notNullColumn(e))
}
