package lakelab

import (
	"fmt"
	"strings"
)

// Error is a failure that Try caught: an exception of Spark, Trino or lakelab itself. Error() is the message alone, as
// str(e) is in Python.
type Error struct {
	// Exception is the type's name: AnalysisException, ParseException, TrinoUserError, AssertionError …
	Exception string
	// Class is Spark's error condition (UNRESOLVED_COLUMN.WITH_SUGGESTION) or Trino's error name (COLUMN_NOT_FOUND);
	// empty where there is none.
	Class string
	// SQLState is Spark's SQLSTATE, such as "42703"; empty where there is none.
	SQLState string
	// Message is the message without class, SQLSTATE and SQL text.
	Message string
	// Hint is one sentence in Russian for the student, or empty.
	Hint string
	// Params are Spark's message parameters by name, such as objectName.
	Params map[string]string

	text string // with class and SQL text
}

// Error returns the message as str(e) shows it, with the error class and the SQL text where Spark has them.
func (e *Error) Error() string {
	if e.text != "" {
		return e.text
	}
	return e.Message
}

// failure is the panic's value. Its text is a contract with the kernel: `<Exception>: <message>`, then a blank line and
// the hint. It differs from Error, whose text a student compares with Python's str(e).
type failure struct{ err *Error }

func (f failure) Error() string {
	s := f.err.Exception + ": " + f.err.Error()
	if f.err.Hint != "" {
		s = strings.TrimRight(s, "\n") + "\n\nПодсказка: " + f.err.Hint
	}
	return s
}

func (f failure) Unwrap() error { return f.err }

// raise ends the cell unless Try is above.
func raise(exception, hint, format string, args ...any) {
	panic(failure{&Error{Exception: exception, Message: fmt.Sprintf(format, args...), Hint: hint}})
}

// raiseClass is raise for the few conditions of Spark that the cell itself notices.
func raiseClass(exception, class, state, format string, args ...any) {
	m := fmt.Sprintf(format, args...)
	panic(failure{&Error{Exception: exception, Class: class, SQLState: state, Message: m, text: "[" + class + "] " + m + " SQLSTATE: " + state}})
}

// Try runs f and returns the failure of a lakelab call or assert in it, or nil: Python's try/except. The error is an
// *Error. Any other panic goes on.
//
//	if err := lakelab.Try(func() { spark.SQL("ALTER TABLE …") }); err != nil { … }
func Try(f func()) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case failure:
			err = v.err
		default:
			panic(v)
		}
	}()
	f()
	return nil
}

// Assert ends the cell with an AssertionError and the text unless ok. The text is a format of package fmt when
// arguments follow it: Python's assert ok, f"…".
func Assert(ok bool, text string, args ...any) {
	if ok {
		return
	}
	if len(args) > 0 {
		text = fmt.Sprintf(text, args...)
	}
	panic(failure{&Error{Exception: "AssertionError", Message: text}})
}

// AssertEqual ends the cell with an AssertionError that shows both values unless they are equal. The optional text
// says what was compared.
func AssertEqual[T comparable](got, want T, text ...any) {
	if got == want {
		return
	}
	what := ""
	if len(text) > 0 {
		format, ok := text[0].(string)
		if !ok {
			format = fmt.Sprint(text[0])
		}
		if len(text) > 1 {
			format = fmt.Sprintf(format, text[1:]...)
		}
		what = strings.TrimRight(format, ".:") + ": "
	}
	Assert(false, fmt.Sprintf("%sожидалось %v, получено %v", what, want, got))
}
