package errclass

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

func parseError(class, state, message string, params map[string]string, at token.Span) *Error {
	return &Error{Exception: "ParseException", Class: class, SQLState: state, Message: message, Params: params, Span: at, HasSpan: true}
}

// SyntaxError is PARSE_SYNTAX_ERROR. near is the token in quotes or "end of input", hint what ANTLR adds ("extra input ')'"), or empty.
func SyntaxError(near, hint string, at token.Span) *Error {
	text := hint
	if hint != "" {
		text = ": " + hint
	}
	return parseError("PARSE_SYNTAX_ERROR", "42601", "Syntax error at or near "+near+text+".",
		map[string]string{"error": near, "hint": text}, at)
}

// OfArgument is an error of reading a text that is a function's argument: it has the call's place.
func OfArgument(err error) error {
	e, ok := err.(*Error)
	if !ok || e.Exception != "ParseException" {
		return err
	}
	return &Error{Exception: "AnalysisException", Class: e.Class, SQLState: e.SQLState, Message: e.Message, Params: e.Params}
}

// EmptyStatement is PARSE_EMPTY_STATEMENT.
func EmptyStatement(at token.Span) *Error {
	return parseError("PARSE_EMPTY_STATEMENT", "42617", "Syntax error, unexpected empty statement.", nil, at)
}

// InvalidIdentifier is INVALID_IDENTIFIER: a name like a-b without back quotes.
func InvalidIdentifier(name string, at token.Span) *Error {
	return parseError("INVALID_IDENTIFIER", "42602", "The unquoted identifier "+name+" is invalid and must be back quoted as: `"+name+"`.\n"+
		"Unquoted identifiers can only contain ASCII letters ('a' - 'z', 'A' - 'Z'), digits ('0' - '9'), and underbar ('_').\n"+
		"Unquoted identifiers must also not start with a digit.\n"+
		"Different data sources and meta stores may impose additional restrictions on valid identifiers.",
		map[string]string{"ident": name}, at)
}

// UnclosedComment is UNCLOSED_BRACKETED_COMMENT. Spark gives it no place.
func UnclosedComment() *Error {
	e := parseError("UNCLOSED_BRACKETED_COMMENT", "42601",
		"Found an unclosed bracketed comment. Please, append */ at the end of the comment.", nil, token.Span{})
	e.HasSpan = false
	return e
}

// UnsupportedDataType is UNSUPPORTED_DATATYPE; name as written, in upper case.
func UnsupportedDataType(name string, at token.Span) *Error {
	return inContext(parseError("UNSUPPORTED_DATATYPE", "0A000", "Unsupported data type \""+name+"\".", map[string]string{"typeName": `"` + name + `"`}, at))
}

// DataTypeMissingSize is DATATYPE_MISSING_SIZE: CHAR or VARCHAR without a length.
func DataTypeMissingSize(name string, at token.Span) *Error {
	return inContext(parseError("DATATYPE_MISSING_SIZE", "42K01",
		fmt.Sprintf("DataType \"%s\" requires a length parameter, for example \"%s\"(10). Please specify the length.", name, name),
		map[string]string{"type": `"` + name + `"`}, at))
}

// IncompleteType is INCOMPLETE_TYPE_DEFINITION: ARRAY, MAP or STRUCT without its element types.
func IncompleteType(name string, at token.Span) *Error {
	sub, text := name, ""
	switch name {
	case "ARRAY":
		text = `The definition of "ARRAY" type is incomplete. You must provide an element type. For example: "ARRAY<INT>".`
	case "MAP":
		text = `The definition of "MAP" type is incomplete. You must provide a key type and a value type. For example: "MAP<TIMESTAMP, INT>".`
	default:
		sub, text = "STRUCT", `The definition of "STRUCT" type is incomplete. You must provide at least one field type. For example: "STRUCT<name STRING, phone DECIMAL(10, 0)>".`
	}
	return inContext(parseError("INCOMPLETE_TYPE_DEFINITION."+sub, "42K01", "Incomplete complex type: "+text, nil, at))
}

// UnsupportedTypedLiteral is UNSUPPORTED_TYPED_LITERAL: FOO 'x'.
func UnsupportedTypedLiteral(name string, at token.Span) *Error {
	return inContext(parseError("UNSUPPORTED_TYPED_LITERAL", "0A000", fmt.Sprintf("Literals of the type \"%s\" are not supported. "+
		"Supported types are \"DATE\", \"TIMESTAMP_NTZ\", \"TIMESTAMP_LTZ\", \"TIMESTAMP\", \"INTERVAL\", \"X\".", name),
		map[string]string{"unsupportedType": `"` + name + `"`, "supportedTypes": `"DATE", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP", "INTERVAL", "X"`}, at))
}

// NumericLiteralRange is INVALID_NUMERIC_LITERAL_RANGE.
func NumericLiteralRange(literal, typ, lo, hi string, at token.Span) *Error {
	return inContext(parseError("INVALID_NUMERIC_LITERAL_RANGE", "22003", fmt.Sprintf("Numeric literal %s is outside the valid range for %s "+
		"with minimum value of %s and maximum value of %s. Please adjust the value accordingly.", literal, typ, lo, hi),
		map[string]string{"rawStrippedQualifier": literal, "typeName": typ, "minValue": lo, "maxValue": hi}, at))
}

// IcebergSyntax is a syntax error of Iceberg's extensions: no class, no place, ANTLR's words.
func IcebergSyntax(text string) *Error {
	return &Error{Exception: "ParseException", Message: text}
}

// InvalidStatement is INVALID_STATEMENT_OR_CLAUSE: Hive's native commands.
func InvalidStatement(what string, at token.Span) *Error {
	return inContext(parseError("INVALID_STATEMENT_OR_CLAUSE", "42601", "The statement or clause: "+what+" is not valid.",
		map[string]string{"operation": what}, at))
}

// TooComplex is FAILED_TO_PARSE_TOO_COMPLEX: nesting beyond the parser's limit.
func TooComplex(at token.Span) *Error {
	return parseError("FAILED_TO_PARSE_TOO_COMPLEX", "54001", "The statement, including potential SQL functions and referenced views, was too complex to parse.\n"+
		"To mitigate this error divide the statement into multiple, less complex chunks.", nil, at)
}

// ParseUnsupported names a construct that Spark's grammar has and this engine has no place for.
func ParseUnsupported(what string, at token.Span) *Error {
	return inContext(parseError("UNSUPPORTED_FEATURE", "0A000", "The feature is not supported: "+what+".", nil, at))
}

// ParseRule is an error that Spark's parser raises after the grammar has matched; class, state and text are Spark's.
func ParseRule(class, state, message string, at token.Span) *Error {
	return inContext(parseError(class, state, message, nil, at))
}

func inContext(e *Error) *Error {
	e.Context = true
	return e
}

// ParseText is Spark's full text of a ParseException, as str(e) in PySpark shows it: the message, the place, and the statement with
// a caret under it. SQL must be filled in.
func (e *Error) ParseText() string {
	var b strings.Builder
	b.WriteByte('\n')
	if strings.HasPrefix(e.Class, "_LEGACY_ERROR_TEMP") {
		b.WriteString(e.Message)
	} else {
		b.WriteString(e.Error())
	}
	if !e.HasSpan {
		b.WriteString("\n== SQL ==\n" + e.SQL)
		return b.String()
	}
	line, col := e.Span.Start.Line, e.Span.Start.Col
	if e.Context {
		b.WriteString("\n== SQL (line " + strconv.Itoa(line) + ", position " + strconv.Itoa(col+1) + ") ==\n")
		e.caretContext(&b)
		return b.String()
	}
	b.WriteString(" (line " + strconv.Itoa(line) + ", pos " + strconv.Itoa(col) + ")\n\n== SQL ==\n")
	lines := strings.Split(e.SQL, "\n")
	for i, l := range lines {
		b.WriteString(l + "\n")
		if i+1 == line {
			b.WriteString(strings.Repeat("-", col) + "^^^\n")
		}
	}
	return b.String()
}

// contextWidth is how much of a line Spark shows on either side of the place.
const contextWidth = 32

// caretContext writes the lines of the statement that the span touches, cut where they are long, and carets under the part it covers.
func (e *Error) caretContext(b *strings.Builder) {
	text := []rune(e.SQL)
	at := func(offset int) int { return utf8.RuneCountInString(e.SQL[:min(max(offset, 0), len(e.SQL))]) }
	start, stop := at(e.Span.Start.Offset), at(e.Span.End.Offset)-1
	from, to := start, stop // the last character in front that is not shown, the first behind
	for from >= 0 && start-from <= contextWidth && (from == start || from < len(text) && text[from] != '\n') {
		from--
	}
	for to < len(text) && to-stop <= contextWidth && (to <= stop || text[to] != '\n') {
		to++
	}
	shown := string(text[min(from+1, len(text)):max(to, from+1)])
	i := from + 1
	if start-from > contextWidth {
		shown = "..." + shown
		i -= len("...")
	}
	if to-stop > contextWidth {
		shown += "..."
	}
	for _, line := range strings.Split(shown, "\n") {
		carets := ""
		for range utf8.RuneCountInString(line) {
			if i < start {
				carets += " "
			} else if i <= stop {
				carets += "^"
			}
			i++
		}
		b.WriteString(line + "\n" + carets + "\n")
		i++
	}
}
