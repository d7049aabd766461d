package errclass

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's errors about types.

// TrinoTypeOf is an operand of the wrong type; what says what it has to be.
func TrinoTypeOf(what string, t types.Type) *Error {
	return trinoMismatch(what + " (actual: " + trinoName(t) + ")")
}

// TrinoUnary is a sign in front of what is no number.
func TrinoUnary(sign string, t types.Type) *Error {
	if sign == "-" {
		return trinoMismatch("Cannot negate " + trinoName(t))
	}
	return trinoMismatch("Unary '+' operator cannot by applied to " + trinoName(t) + " type")
}

// TrinoInTypes is x IN (list) without a common type.
func TrinoInTypes(ts []types.Type) *Error {
	return trinoMismatch("IN value and list items must be the same type or coercible to a common type. Cannot find common type between " +
		trinoName(ts[0]) + " and " + trinoName(ts[len(ts)-1]) + ", all types (without duplicates): " + trinoNames(ts))
}

// TrinoBetweenTypes is x BETWEEN a AND b without a common type.
func TrinoBetweenTypes(ts []types.Type) *Error {
	return trinoMismatch("Cannot check if " + trinoName(ts[0]) + " is BETWEEN " + trinoName(ts[1]) + " and " + trinoName(ts[2]))
}

// TrinoSubscript is x[i] of types that have none.
func TrinoSubscript(base, index types.Type) *Error {
	return trinoMismatch("Cannot use " + trinoName(index) + " for subscript of " + trinoName(base))
}

// TrinoRowSubscript is a row's subscript that is no place of a field.
func TrinoRowSubscript(message string) *Error {
	return trinoUser("INVALID_FUNCTION_ARGUMENT", message)
}

// TrinoBadLiteral is a literal whose text its type cannot have.
func TrinoBadLiteral(name, text string) *Error {
	return trinoUser("INVALID_LITERAL", "'"+text+"' is not a valid "+name+" literal")
}

// TrinoUnknownType is a type that does not exist.
func TrinoUnknownType(name string) *Error { return trinoMismatch("Unknown type: " + name) }

// TrinoBadTypeName is a type that exists but cannot be named.
func TrinoBadTypeName(message string) *Error { return trinoMismatch(message) }

// TrinoBadType is a type with digits that it cannot have; Trino reports it without its place.
func TrinoBadType(message string) *Error {
	e := trinoUser("INVALID_FUNCTION_ARGUMENT", message)
	e.HasSpan, e.Span = true, token.Span{}
	return e
}

// TrinoParameters is a call that none of a function's signatures fits.
func TrinoParameters(name string, args, expected []string) *Error {
	return trinoUser("FUNCTION_NOT_FOUND", fmt.Sprintf("Unexpected parameters (%s) for function %s. Expected: %s", strings.Join(args, ", "), name, strings.Join(expected, ", ")))
}

// TrinoElementTypes is a list whose items have no common type: what names them, found is what those before had, next the one that
// does not fit.
func TrinoElementTypes(what string, all []types.Type, found, next types.Type) *Error {
	return trinoMismatch("All " + what + " must be the same type or coercible to a common type. Cannot find common type between " +
		trinoName(found) + " and " + trinoName(next) + ", all types (without duplicates): " + trinoNames(all))
}

// TrinoNullIf is NULLIF of values that cannot be compared.
func TrinoNullIf(a, b types.Type) *Error {
	return trinoMismatch("Types are not comparable with NULLIF: " + trinoName(a) + " vs " + trinoName(b))
}

// TrinoIfTypes is IF with results that have no common type.
func TrinoIfTypes(a, b types.Type) *Error {
	return trinoMismatch("Result types for IF must be the same: " + trinoName(a) + " vs " + trinoName(b))
}

// TrinoCaseOperand is CASE x WHEN y of types that cannot be compared.
func TrinoCaseOperand(a, b types.Type) *Error {
	return trinoMismatch("CASE operand type does not match WHEN clause operand type: " + trinoName(a) + " vs " + trinoName(b))
}

// TrinoValuesTypes is VALUES whose rows have no common types.
func TrinoValuesTypes(a, b []types.Type) *Error {
	row := func(ts []types.Type) string {
		parts := make([]string, len(ts))
		for i, t := range ts {
			parts[i] = trinoName(t)
		}
		return "row(" + strings.Join(parts, ", ") + ")"
	}
	return trinoMismatch("Values rows have mismatched types: " + row(a) + " vs " + row(b))
}

// TrinoNoZone is a time zone that does not exist. Trino finds it out while it runs, so that the error has no place.
func TrinoNoZone(zone string) *Error {
	e := trinoUser("INVALID_FUNCTION_ARGUMENT", "'"+zone+"' is not a valid time zone")
	e.HasSpan = true
	return e
}

// TrinoAmbiguousCall is a call that several signatures fit.
func TrinoAmbiguousCall(candidates []string) *Error {
	list := ""
	for _, c := range candidates {
		list += "\t * " + c + "\n"
	}
	return trinoUser("AMBIGUOUS_FUNCTION_CALL", "Could not choose a best candidate operator. Explicit type casts must be added.\nCandidates are:\n"+list)
}

// TrinoNoRow is x.* of what has no fields.
func TrinoNoRow() *Error { return trinoMismatch("expected expression of type Row") }

// TrinoJSONTableNames is a JSON_TABLE in which two columns have one name.
func TrinoJSONTableNames() *Error {
	return trinoUser("DUPLICATE_COLUMN_OR_PATH_NAME", "All column and path names in JSON_TABLE invocation must be unique")
}

// TrinoTiesOrder is WITH TIES of rows without an order.
func TrinoTiesOrder() *Error {
	return trinoUser("MISSING_ORDER_BY", "FETCH FIRST WITH TIES clause requires ORDER BY")
}

// TrinoFetchCount is FETCH FIRST of no row.
func TrinoFetchCount(n int64) *Error {
	return trinoUser("NUMERIC_VALUE_OUT_OF_RANGE", fmt.Sprintf("FETCH FIRST row count must be positive (actual value: %d)", n))
}

// TrinoReturns is a function's body of another type than it promises.
func TrinoReturns(want, got types.Type) *Error {
	return trinoMismatch("Value of RETURN must evaluate to " + trinoName(want) + " (actual: " + trinoName(got) + ")")
}

// TrinoRecursionTypes is a recursive query's step of another type than its beginning, at a column counted from 1.
func TrinoRecursionTypes(step, base types.Type, column int) *Error {
	return trinoMismatch(fmt.Sprintf("recursion step relation output type (%s) is not coercible to recursion base relation output type (%s) at column %d", trinoName(step), trinoName(base), column))
}

// TrinoPrecision is a number of digits that a temporal type cannot have.
func TrinoPrecision(t types.Type, digits int) *Error {
	return trinoUser("NUMERIC_VALUE_OUT_OF_RANGE", strings.ToUpper(t.TrinoBase())+fmt.Sprintf(" precision must be in range [0, 12]: %d", digits))
}

// TrinoBadInterval is an interval literal whose text is no number.
func TrinoBadInterval(unit, to, text string) *Error {
	if to != "" {
		unit += " TO " + to
	}
	return trinoUser("INVALID_LITERAL", "Invalid INTERVAL "+unit+" value: "+text)
}

// TrinoFormatArguments is format() without a value.
func TrinoFormatArguments() *Error {
	return trinoUser("SYNTAX_ERROR", "The 'format' function must have at least two arguments")
}

// TrinoColumnReference is a field that a row does not have.
func TrinoColumnReference(name string) *Error {
	return trinoUser("INVALID_COLUMN_REFERENCE", "Column reference '"+name+"' is invalid")
}

// TrinoLiteralType is a literal of a type that does not exist.
func TrinoLiteralType(name string, at token.Span) *Error {
	e := trinoUser("TYPE_NOT_FOUND", fmt.Sprintf("io.trino.spi.TrinoException: line %d:%d: Unknown resolvedType: %s", at.Start.Line, at.Start.Col+1, name))
	e.HasSpan = true
	return e
}

// TrinoJSONKey is a key of JSON_OBJECT that is no text.
func TrinoJSONKey(t types.Type) *Error {
	return trinoUser("INVALID_FUNCTION_ARGUMENT", "Invalid type of JSON object key: "+trinoName(t))
}

// TrinoJSONReturns is a type that a JSON function cannot read or give.
func TrinoJSONReturns(before string, t types.Type, after string) *Error {
	return trinoMismatch(before + trinoName(t) + after)
}

// TrinoJSONPath is a JSON path that cannot be evaluated.
func TrinoJSONPath(message string) *Error { return trinoUser("INVALID_PATH", message) }

// TrinoUnsupported is what Trino itself does not support, in its words.
func TrinoUnsupported(message string) *Error { return trinoUser("NOT_SUPPORTED", message) }

// TrinoConcatArity is concat of one text.
func TrinoConcatArity() *Error {
	return trinoUser("INVALID_FUNCTION_ARGUMENT", "There must be two or more concatenation arguments").Nowhere()
}
