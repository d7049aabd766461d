package errclass

import (
	"errors"
	"fmt"
	"strings"
)

// Text is the error as a client of the dialect shows it. Spark: str(e) of PySpark, without the plan that Spark appends to
// analysis errors. Trino: the message behind "line 1:8: ".
func (e *Error) Text() string {
	switch {
	case e.Trino():
		return e.TrinoMessage()
	case e.Exception == "ParseException":
		return e.ParseText()
	case e.Context && e.HasSpan && e.SQL != "":
		var b strings.Builder
		b.WriteString(e.Error())
		fmt.Fprintf(&b, "\n== SQL (line %d, position %d) ==\n", e.Span.Start.Line, e.Span.Start.Col+1)
		e.caretContext(&b)
		return b.String()
	case e.Exception == "AnalysisException" && e.HasSpan && e.Span.Start.Line > 0:
		return fmt.Sprintf("%s; line %d pos %d", e.Error(), e.Span.Start.Line, e.Span.Start.Col)
	}
	return e.Error()
}

// InText gives an error the statement that it points into, unless it has one.
func InText(err error, text string) error {
	var e *Error
	if text != "" && errors.As(err, &e) && e.SQL == "" {
		c := *e
		c.SQL = text
		return &c
	}
	return err
}

// TrinoMessage is the message with its place in front, as Trino sends it.
func (e *Error) TrinoMessage() string {
	if e.HasSpan && e.Span.Start.Line > 0 {
		prefix := fmt.Sprintf("line %d:%d: ", e.Span.Start.Line, e.Span.Start.Col+1)
		if !strings.HasPrefix(e.Message, prefix) {
			return prefix + e.Message
		}
	}
	return e.Message
}
