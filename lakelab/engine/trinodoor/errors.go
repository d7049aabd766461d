package trinodoor

import (
	"context"
	"errors"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// errorOf is Trino's error object. What has no Trino error of its own is an internal error.
func errorOf(err error) map[string]any {
	name, code, kind, message := "GENERIC_INTERNAL_ERROR", 65536, "INTERNAL_ERROR", err.Error()
	var e *errclass.Error
	isOurs := errors.As(err, &e)
	switch {
	case errors.Is(err, context.Canceled):
		name, code, kind, message = "USER_CANCELED", 3, "USER_ERROR", "Query was canceled"
	case isOurs && e.Code != 0:
		name, code, message = e.Class, e.Code, e.TrinoMessage()
		if code < 65536 {
			kind = "USER_ERROR"
		}
	case isOurs && e.Class == "DIVIDE_BY_ZERO":
		name, code, kind, message = "DIVISION_BY_ZERO", 8, "USER_ERROR", "Division by zero"
	case isOurs && e.Class == "CAST_INVALID_INPUT":
		name, code, kind, message = "INVALID_CAST_ARGUMENT", 9, "USER_ERROR", "Cannot cast "+e.Params["expression"]+" to "+strings.Trim(e.Params["targetType"], `"`)
	case isOurs && e.Class == "ARITHMETIC_OVERFLOW":
		name, code, kind = "NUMERIC_VALUE_OUT_OF_RANGE", 19, "USER_ERROR"
	}
	failure := map[string]any{"type": "io.trino.spi.TrinoException", "message": message, "suppressed": []any{}, "stack": []any{}}
	out := map[string]any{"message": message, "errorCode": code, "errorName": name, "errorType": kind, "failureInfo": failure}
	if isOurs && e.HasSpan && e.Code != 0 && e.Span.Start.Line > 0 {
		at := map[string]any{"lineNumber": e.Span.Start.Line, "columnNumber": e.Span.Start.Col + 1}
		out["errorLocation"], failure["errorLocation"] = at, at
	}
	return out
}
