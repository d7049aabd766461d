// Package token holds places in a SQL text. It stands below the lexer and the errors so that both can use it.
package token

// Pos is a place in a statement: a byte offset, a line from 1, a column from 0 counted in characters
// (Spark's "pos"; Trino shows column + 1).
type Pos struct{ Offset, Line, Col int }

// Span reaches from the first character of a construct to the place behind its last.
type Span struct{ Start, End Pos }

// Cover returns the span from a's start to b's end.
func Cover(a, b Span) Span { return Span{a.Start, b.End} }
