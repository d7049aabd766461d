package errclass

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

// TrinoSyntax is SYNTAX_ERROR with its place in front of the text.
func TrinoSyntax(text string, at token.Span) *Error {
	return &Error{Exception: "TrinoUserError", Class: "SYNTAX_ERROR", Code: 1, Span: at, HasSpan: true,
		Message: fmt.Sprintf("line %d:%d: %s", at.Start.Line, at.Start.Col+1, text)}
}

// TrinoMismatch is SYNTAX_ERROR for a token that the grammar does not want; expecting is sorted as Trino sorts it.
func TrinoMismatch(found string, expecting []string, at token.Span) *Error {
	text := "mismatched input '" + found + "'"
	if len(expecting) > 0 {
		text += ". Expecting: " + strings.Join(expecting, ", ")
	}
	return TrinoSyntax(text, at)
}

// TrinoParseUnsupported names a construct that Trino's grammar has and this engine has no place for.
func TrinoParseUnsupported(what string, at token.Span) *Error {
	return &Error{Exception: "TrinoUserError", Class: "NOT_SUPPORTED", Code: 13, Span: at, HasSpan: true,
		Message: fmt.Sprintf("line %d:%d: %s is not supported", at.Start.Line, at.Start.Col+1, what)}
}
