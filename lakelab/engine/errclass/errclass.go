// Package errclass holds the errors that reach a user: Spark's error conditions and Trino's error codes.
//
// Every layer of the engine returns *Error for whatever a user can cause; a door (cell protocol,
// Trino HTTP) passes its fields on unchanged. spark.go and trino.go hold the constructors, one for
// each condition, so that a class, its SQLSTATE and its wording stand in one place. Any other error
// type is a defect or an I/O failure and is shown as it is.
package errclass

import (
	"errors"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

// Error is one user-visible failure.
type Error struct {
	// Exception is the type a client sees: AnalysisException, ParseException, ArithmeticException, NumberFormatException,
	// DateTimeException, IllegalArgumentException, ValidationException, SparkException … or TrinoUserError.
	Exception string
	// Class is Spark's error condition with its subclass (UNRESOLVED_COLUMN.WITH_SUGGESTION), or Trino's error name
	// (COLUMN_NOT_FOUND). Empty where Spark has none (plain Iceberg exceptions).
	Class    string
	SQLState string            // Spark only
	Code     int               // Trino only: the numeric error code
	Message  string            // without class prefix and SQLSTATE
	Params   map[string]string // Spark's message parameters
	Span     token.Span        // where in the statement; zero if unknown
	HasSpan  bool
	// Context makes Spark's "== SQL (line 1, position 8) ==" block under the message (runtime errors and some analysis errors).
	Context bool
	Form    string // how a type error shows the expression, where that is not as it is written; see Shown
	SQL     string // the statement's text, filled in by the session
	Hint    string // one Russian sentence for a student, shown beside the message, never in its place
	Cause   error
}

func (e *Error) Unwrap() error { return e.Cause }

// Trino tells an error in Trino's dialect: one of them, GENERIC_USER_ERROR, has the code 0.
func (e *Error) Trino() bool { return e.Code != 0 || e.Exception == "TrinoUserError" }

// Error is the message as Spark's getMessage gives it: `[CLASS] message SQLSTATE: 42703`, or the message alone.
func (e *Error) Error() string {
	s := e.Message
	if e.Class != "" && !e.Trino() && !strings.HasPrefix(e.Class, "_LEGACY") {
		s = "[" + e.Class + "] " + s
		if e.SQLState != "" {
			s += " SQLSTATE: " + e.SQLState
		}
	}
	return s
}

// At returns a copy of e that points at a place, unless it has one already.
func (e *Error) At(s token.Span) *Error {
	if e.HasSpan {
		return e
	}
	c := *e
	c.Span, c.HasSpan = s, true
	return &c
}

// Shown returns a copy of e that shows the expression in another form: a template of its arguments, $1 and $2.
func (e *Error) Shown(form string) *Error {
	c := *e
	c.Form = form
	return &c
}

// Nowhere returns a copy of e without a place: Spark does not know it, either.
func (e *Error) Nowhere() *Error { return e.Elsewhere(token.Span{}) }

// Elsewhere returns a copy of e that points at another place.
func (e *Error) Elsewhere(s token.Span) *Error {
	c := *e
	c.Span, c.HasSpan = s, true
	return &c
}

// Is reports whether an error is of a class.
func Is(err error, class string) bool {
	var e *Error
	return errors.As(err, &e) && e.Class == class
}
