package trinodoor

import (
	"context"
	"errors"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/trino"
)

// queryError is Trino's error object. Its message begins with the place, if there is one.
type queryError struct {
	Message     string         `json:"message"`
	Code        int            `json:"errorCode"`
	Name        string         `json:"errorName"`
	Type        string         `json:"errorType"`
	Location    *errorLocation `json:"errorLocation,omitempty"`
	FailureInfo failureInfo    `json:"failureInfo"`
}

type errorLocation struct {
	Line   int `json:"lineNumber"`
	Column int `json:"columnNumber"`
}

// failureInfo stands for Java's exception: clients want the lists, though they may be empty.
type failureInfo struct {
	Type       string         `json:"type"`
	Message    string         `json:"message"`
	Suppressed []struct{}     `json:"suppressed"`
	Stack      []string       `json:"stack"`
	ErrorInfo  errorInfo      `json:"errorInfo"`
	Location   *errorLocation `json:"errorLocation,omitempty"`
}

type errorInfo struct {
	Code int    `json:"code"`
	Name string `json:"name"`
	Type string `json:"type"`
}

// errorOf describes an error. What has no Trino error of its own is an internal error.
func errorOf(err error) *queryError {
	err = errclass.InTrino(err) // whatever part it comes from
	out := &queryError{Message: err.Error(), Code: 65536, Name: "GENERIC_INTERNAL_ERROR"}
	var e *errclass.Error
	isOurs := errors.As(err, &e)
	switch {
	case errors.Is(err, context.Canceled):
		return cancelled
	case isOurs && e.Trino():
		out.Message, out.Code, out.Name = e.TrinoMessage(), e.Code, e.Class
		if e.HasSpan && e.Span.Start.Line > 0 {
			out.Location = &errorLocation{e.Span.Start.Line, e.Span.Start.Col + 1}
		}
	}
	return out.complete()
}

// cancelled is the error of a query that its client has cancelled.
var cancelled = (&queryError{Message: "Query was canceled", Code: 3, Name: "USER_CANCELED"}).complete()

// abandoned is the error of a query whose client has not asked for it any more.
var abandoned = (&queryError{Message: "Query was abandoned by the client, as it may have exited or stopped checking for query results", Code: 2, Name: "ABANDONED_QUERY"}).complete()

// complete fills in what follows from the rest.
func (out *queryError) complete() *queryError {
	out.Type = errorType(out.Code)
	out.FailureInfo = failureInfo{
		Type: "io.trino.spi.TrinoException", Message: out.Message, Suppressed: []struct{}{}, Stack: []string{},
		ErrorInfo: errorInfo{out.Code, out.Name, out.Type}, Location: out.Location,
	}
	if out.Name == "SYNTAX_ERROR" {
		out.FailureInfo.Type = "io.trino.sql.parser.ParsingException"
	}
	return out
}

// failureOf is an error as the history keeps it; nil for none.
func failureOf(e *queryError) *trino.Failure {
	if e == nil {
		return nil
	}
	return &trino.Failure{Code: e.Code, Name: e.Name, Type: e.Type, Message: e.Message}
}

// errorType is the range that Trino numbers a code in.
func errorType(code int) string {
	switch code >> 16 {
	case 0:
		return "USER_ERROR"
	case 1:
		return "INTERNAL_ERROR"
	case 2:
		return "INSUFFICIENT_RESOURCES"
	}
	return "EXTERNAL"
}
