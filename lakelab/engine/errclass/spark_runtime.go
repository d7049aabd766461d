package errclass

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Type errors (DATATYPE_MISMATCH and kin) and run-time errors of Spark's functions.

// WrongNumArgs is a call with too many or too few arguments.
func WrongNumArgs(function string, expected any, actual int) *Error {
	return analysis("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605",
		fmt.Sprintf("The `%s` requires %v parameters but the actual number is %d. Please, refer to 'https://spark.apache.org/docs/latest/sql-ref-functions.html' for a fix.", function, expected, actual),
		map[string]string{"functionName": types.Quote(function), "expectedNum": fmt.Sprint(expected), "actualNum": strconv.Itoa(actual), "docroot": docs})
}

// Renamed is an error of one function told of another name of it.
func (e *Error) Renamed(from, to string) *Error {
	c := *e
	c.Message = strings.Replace(e.Message, types.Quote(from), types.Quote(to), 1)
	c.Params = maps.Clone(e.Params)
	if c.Params["functionName"] == types.Quote(from) {
		c.Params["functionName"] = types.Quote(to)
	}
	return &c
}

// ordinal is an argument's place as Spark says it.
func ordinal(n int) string {
	if n <= 3 {
		return []string{"zeroth", "first", "second", "third"}[n]
	}
	return strconv.Itoa(n) + "th"
}

// bracketed are the functions whose types Spark lists in brackets.
var bracketed = map[string]bool{"greatest": true, "least": true, "if": true, "in": true}

// UnexpectedInputType is an argument of a type that the function does not take. The analyzer adds the expression's text.
func UnexpectedInputType(function string, arg int, got, want types.Type) *Error {
	n := ordinal(arg)
	return analysis("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09",
		fmt.Sprintf("due to data type mismatch: The %s parameter requires the \"%s\" type, however the argument has the type \"%s\".", n, want.SQL(), got.SQL()),
		map[string]string{"paramIndex": n, "requiredType": `"` + want.SQL() + `"`, "inputType": `"` + got.SQL() + `"`, "function": function})
}

// ArrayElementDiff is an array function whose array and value have no type in common.
func ArrayElementDiff(function string, array, value types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES", "42K09",
		fmt.Sprintf("due to data type mismatch: Input to `%s` should have been \"ARRAY\" followed by a value with same element type, but it's [\"%s\", \"%s\"].", function, array.SQL(), value.SQL()),
		map[string]string{"functionName": types.Quote(function), "leftType": `"` + array.SQL() + `"`, "rightType": `"` + value.SQL() + `"`, "dataType": `"ARRAY"`})
}

// MapKeyType is a key of another type than the map's.
func MapKeyType(function string, m, key types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.MAP_FUNCTION_DIFF_TYPES", "42K09",
		fmt.Sprintf("due to data type mismatch: Input to `%s` should have been \"MAP\" followed by a value with same key type, but it's [\"%s\", \"%s\"].", function, m.SQL(), key.SQL()),
		map[string]string{"functionName": types.Quote(function), "leftType": `"` + m.SQL() + `"`, "rightType": `"` + key.SQL() + `"`, "dataType": `"MAP"`})
}

// InvalidExtractField is EXTRACT of a field that the value does not have.
func InvalidExtractField(field string, arg int) *Error {
	return analysis("INVALID_EXTRACT_FIELD", "42601", fmt.Sprintf("Cannot extract `%s` from %s.", field, argumentMark), map[string]string{"field": types.Quote(field), "paramIndex": ordinal(arg)})
}

// InvalidDatetimePattern is a pattern with letters that Spark does not know.
func InvalidDatetimePattern(pattern string) *Error {
	return &Error{Exception: "SparkRuntimeException", Class: "INVALID_DATETIME_PATTERN.WITH_SUGGESTION", SQLState: "22007",
		Message: fmt.Sprintf("Unrecognized datetime pattern: %s. You can form a valid datetime pattern with the guide from 'https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html'.", pattern),
		Params:  map[string]string{"pattern": pattern}}
}

// HashMapType is a hash of a map.
func HashMapType(function string) *Error {
	return analysis("DATATYPE_MISMATCH.HASH_MAP_TYPE", "42K09",
		fmt.Sprintf("due to data type mismatch: Input to the function `%s` cannot contain elements of the \"MAP\" type. In Spark, same maps may have different hashcode, thus hash expressions are prohibited on \"MAP\" elements. To restore previous behavior set \"spark.sql.legacy.allowHashOnMapType\" to \"true\".", function),
		map[string]string{"functionName": types.Quote(function)})
}

// BinaryOpMismatch is an operator whose sides have no type in common. The analyzer adds the expression's text.
func BinaryOpMismatch(d int, op string, l, r types.Type) *Error {
	if d != 0 {
		if turned := map[string]string{">": "<", ">=": "<=", "<>": "=", "!=": "="}[op]; turned != "" {
			op = turned // Trino has one operator for both
		}
		return &Error{Exception: "TrinoUserError", Class: "TYPE_MISMATCH", Code: 58, Message: fmt.Sprintf("Cannot apply operator: %s %s %s", trinoName(l), op, trinoName(r))}
	}
	return analysis("DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "42K09",
		fmt.Sprintf("due to data type mismatch: the left and right operands of the binary operator have incompatible types (\"%s\" and \"%s\").", l.SQL(), r.SQL()),
		map[string]string{"left": `"` + l.SQL() + `"`, "right": `"` + r.SQL() + `"`})
}

func trinoName(t types.Type) string { return t.Trino() }

// DataDiffTypes is a function whose arguments have no type in common.
func DataDiffTypes(function string, ts []types.Type) *Error {
	q := make([]string, len(ts))
	for i, t := range ts {
		q[i] = `"` + t.SQL() + `"`
	}
	list := "(" + strings.Join(q, " or ") + ")"
	if bracketed[function] {
		list = "[" + strings.Join(q, ", ") + "]"
	}
	return analysis("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09",
		fmt.Sprintf("due to data type mismatch: Input to `%s` should all be the same type, but it's %s.", function, list),
		map[string]string{"functionName": types.Quote(function), "dataType": list})
}

// CannotCast is a cast between types that have none. For CAST, not TRY_CAST, Spark says what does instead, if something does.
func CannotCast(d int, from, to types.Type, try bool) *Error {
	if d != 0 {
		return &Error{Exception: "TrinoUserError", Class: "TYPE_MISMATCH", Code: 58, Message: fmt.Sprintf("Cannot cast %s to %s", trinoName(from), trinoName(to))}
	}
	params := map[string]string{"srcType": `"` + from.SQL() + `"`, "targetType": `"` + to.SQL() + `"`}
	text := fmt.Sprintf("due to data type mismatch: cannot cast \"%s\" to \"%s\"", from.SQL(), to.SQL())
	f := ""
	switch {
	case from.Kind == types.Date && to.IsNumeric():
		f = "UNIX_DATE"
	case from.IsNumeric() && to.Kind == types.Date:
		f = "DATE_FROM_UNIX_DATE"
	case try:
	case to.Kind == types.Boolean && (from.Kind == types.Date || from.Kind == types.Timestamp), from.Kind == types.Boolean && to.Kind == types.Timestamp, from.IsIntegral() && to.Kind == types.Binary:
		params["config"], params["configVal"] = "\"spark.sql.ansi.enabled\"", "'false'"
		return analysis("DATATYPE_MISMATCH.CAST_WITH_CONF_SUGGESTION", "42K09",
			text+fmt.Sprintf(" with ANSI mode on.\nIf you have to cast \"%s\" to \"%s\", you can set \"spark.sql.ansi.enabled\" as 'false'.", from.SQL(), to.SQL()), params)
	}
	if f != "" {
		params["functionNames"] = types.Quote(f)
		return analysis("DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION", "42K09",
			text+fmt.Sprintf(".\nTo convert values from \"%s\" to \"%s\", you can use the functions `%s` instead.", from.SQL(), to.SQL(), f), params)
	}
	return analysis("DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "42K09", text+".", params)
}

// InvalidExtractBase is x[i] or x.name on a value that has no parts.
func InvalidExtractBase(base string, t types.Type) *Error {
	return analysis("INVALID_EXTRACT_BASE_FIELD_TYPE", "42000", fmt.Sprintf("Can't extract a value from \"%s\". Need a complex type [STRUCT, ARRAY, MAP] but got \"%s\".", base, t.SQL()),
		map[string]string{"base": `"` + base + `"`, "other": `"` + t.SQL() + `"`})
}

// InvalidExtractFieldType is a struct's field that is not named by a text that is written there.
func InvalidExtractFieldType(extraction string) *Error {
	return analysis("INVALID_EXTRACT_FIELD_TYPE", "42000", fmt.Sprintf("Field name should be a non-null string literal, but it's \"%s\".", extraction), map[string]string{"extraction": `"` + extraction + `"`})
}

// DecimalPrecision is a decimal type that does not exist.
func DecimalPrecision(precision, scale int) *Error {
	if scale > precision {
		return analysis("DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", "22003", fmt.Sprintf("Decimal scale (%d) cannot be greater than precision (%d).", scale, precision), nil)
	}
	return &Error{Exception: "ParseException", Class: "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", SQLState: "22003",
		Message: fmt.Sprintf("Decimal precision %d exceeds max precision 38.", precision),
		Params:  map[string]string{"precision": strconv.Itoa(precision), "maxPrecision": "38"}}
}

// InvalidTypedLiteral is DATE 'abc' and kin.
func InvalidTypedLiteral(typeName, value string) *Error {
	t := strings.ToUpper(typeName)
	return &Error{Exception: "ParseException", Class: "INVALID_TYPED_LITERAL", SQLState: "42604",
		Context: true, Message: fmt.Sprintf("The value of the typed literal \"%s\" is invalid: '%s'.", t, value),
		Params: map[string]string{"valueType": `"` + t + `"`, "value": "'" + value + "'"}}
}

// InvalidNumericLiteral is a number out of its type's range.
func InvalidNumericLiteral(value, typeName string) *Error {
	return &Error{Exception: "ParseException", Class: "INVALID_NUMERIC_LITERAL_RANGE", SQLState: "22003",
		Message: fmt.Sprintf("Numeric literal %s is outside the valid range for %s.", value, typeName),
		Params:  map[string]string{"rawStrippedQualifier": value, "typeName": typeName}}
}

// UnresolvedRoutine is a call of a function that the dialect does not have.
func UnresolvedRoutine(d int, name string) *Error {
	if d != 0 {
		return &Error{Exception: "TrinoUserError", Class: "FUNCTION_NOT_FOUND", Code: 6, Message: fmt.Sprintf("Function '%s' not registered", strings.ToLower(name))}
	}
	return analysis("UNRESOLVED_ROUTINE", "42883",
		fmt.Sprintf("Cannot resolve routine `%s` on search path [`system`.`builtin`, `system`.`session`, `lakehouse`.`default`].", name),
		map[string]string{"routineName": types.Quote(name), "searchPath": "[`system`.`builtin`, `system`.`session`, `lakehouse`.`default`]"})
}

// FunctionMissing refuses, by name, a built-in of the dialect that this engine does not have.
func FunctionMissing(d int, name, reason string) *Error {
	e := Unsupported("the function " + name + ": " + reason)
	if d != 0 {
		e.Exception, e.Class, e.SQLState, e.Code = "TrinoUserError", "NOT_SUPPORTED", "", 13
	}
	return e
}

// A run-time error travels through DuckDB's error() as a mark: class, place, then the parameters.
const mark = "@lakelab@"

// RuntimeMark begins the text that error() gets.
func RuntimeMark(class string, at token.Span) string {
	return fmt.Sprintf("%s%s@%d,%d,%d,%d,%d,%d@", mark, class, at.Start.Offset, at.Start.Line, at.Start.Col, at.End.Offset, at.End.Line, at.End.Col)
}

// FromDuck turns DuckDB's error into Spark's, where it is one that a query can cause.
func FromDuck(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if i := strings.Index(text, mark); i >= 0 {
		if e := unmark(text[i+len(mark):]); e != nil {
			e.Cause = err
			return e
		}
	}
	if m := missingFile.FindStringSubmatch(text); m != nil && !strings.Contains(m[1]+m[2], "/.staging-") && !strings.Contains(m[1]+m[2], "/._temporary-") {
		e := FileVanished(duckpath.Plain(m[1]) + m[2])
		e.Cause = err
		return e
	}
	if m := noSpace.FindStringSubmatch(text); m != nil {
		path, _, _ := strings.Cut(m[1], "/.staging-")
		path, _, _ = strings.Cut(path, "/._temporary-")
		return Unwritable(path, noSpaceCauses[m[2]])
	}
	if m := damagedParquet.FindStringSubmatch(text); m != nil {
		e := UnreadableFooter(m[1])
		e.Cause = err
		return e
	}
	if m := unreadableCSV.FindStringSubmatch(text); m != nil {
		e := UnreadableFile(m[2], err)
		switch {
		case strings.Contains(text, "Invalid unicode"):
			e.Hint = "Строка " + m[1] + " не в кодировке UTF-8."
		case strings.Contains(text, "Maximum line size"):
			e.Hint = "Строка " + m[1] + " длиннее двух миллионов байт."
		default:
			e.Hint = "Не читается строка " + m[1] + "."
		}
		return e
	}
	if m := longName.FindStringSubmatch(text); m != nil {
		return NameTooLong(filepath.Dir(m[1]), filepath.Base(m[1]), longestName)
	}
	switch {
	case strings.Contains(text, "Type INT128 with value") && strings.Contains(text, "out of range for the destination type INT64"): // a sum
		e := runtime["ARITHMETIC_OVERFLOW"]([]string{"long", "try_add"})
		e.Class, e.Cause = "ARITHMETIC_OVERFLOW", err
		return e
	case strings.Contains(text, "Out of Range Error") || strings.Contains(text, "Overflow in"):
		return overflow(text, err)
	case strings.Contains(text, "Map keys must be unique"):
		e := plain("DUPLICATED_MAP_KEY", []string{"…"})
		e.Cause = err
		return e
	case strings.Contains(text, "Map keys can not be NULL"):
		e := plain("NULL_MAP_KEY", nil)
		e.Cause = err
		return e
	case strings.Contains(text, "key list does not align"):
		return &Error{Exception: "SparkRuntimeException", Class: "_LEGACY_ERROR_TEMP_2128", Message: "The key array and value array of MapData must have the same length.", Cause: err}
	case strings.Contains(text, "More than one row returned by a subquery"):
		return &Error{Exception: "SparkRuntimeException", Class: "SCALAR_SUBQUERY_TOO_MANY_ROWS", SQLState: "21000",
			Message: "More than one row returned by a subquery used as an expression.", Cause: err}
	}
	return err
}

// missingFile is how DuckDB says that a file to read is not there; what a statement writes has a folder of its own.
var missingFile = regexp.MustCompile(`IO Error: (?:No files found that match the pattern "([^"]+)"|Cannot open file "([^"]+)": No such file)`)

// noSpace is how DuckDB says that a file can't grow.
var noSpace = regexp.MustCompile(`IO Error: [^"]*"([^"]+)": (No space left on device|Disk quota exceeded|File too large)`)

var noSpaceCauses = map[string]error{"No space left on device": syscall.ENOSPC, "Disk quota exceeded": syscall.EDQUOT, "File too large": syscall.EFBIG}

// damagedParquet is how DuckDB says that a file does not end as a Parquet file does.
var damagedParquet = regexp.MustCompile(`(?:No magic bytes found at end of file|Footer length error in file|File) '([^']+)'(?: too small to be a Parquet file)?`)

// unreadableCSV is how DuckDB says that a line of a CSV file is too long or no text. What follows shows the whole line, and options of its own.
var unreadableCSV = regexp.MustCompile(`(?s)Invalid Input Error: CSV Error on Line: (\d+)\n.*\n\s*file ?= ?([^\n]+)\n`)

// longName is how DuckDB says that it can't make a file or a folder.
var longName = regexp.MustCompile(`IO Error: [^"]*"([^"]+)": File name too long`)

// overflow names the type and the function that tolerates it, as far as DuckDB's text tells.
func overflow(text string, cause error) *Error {
	e := &Error{Exception: "ArithmeticException", Class: "ARITHMETIC_OVERFLOW", SQLState: "22003", Message: "Overflow in an arithmetic operation." + ansiHint, Cause: cause}
	typ, try := "", ""
	for duck, spark := range map[string]string{"INT64": "long", "INT32": "integer", "INT16": "short", "INT8": "byte"} {
		if strings.Contains(text, " of "+duck+" ") {
			typ = spark
		}
	}
	for duck, spark := range map[string]string{"addition": "try_add", "subtraction": "try_subtract", "multiplication": "try_multiply"} {
		if strings.Contains(text, "Overflow in "+duck) {
			try = spark
		}
	}
	if typ != "" && try != "" {
		e.Message = typ + " overflow. Use '" + try + "' to tolerate overflow and return NULL instead." + ansiHint
		e.Params = map[string]string{"message": typ + " overflow", "alternative": try, "config": "\"spark.sql.ansi.enabled\""}
	}
	return e
}

func unmark(s string) *Error {
	parts := strings.SplitN(s, "@", 3)
	if len(parts) < 3 {
		return nil
	}
	var at token.Span
	if _, err := fmt.Sscanf(parts[1], "%d,%d,%d,%d,%d,%d", &at.Start.Offset, &at.Start.Line, &at.Start.Col, &at.End.Offset, &at.End.Line, &at.End.Col); err != nil {
		return nil
	}
	var params []string
	if _, tail, ok := strings.Cut(parts[2], "\x1f"); ok {
		params = strings.Split(tail, "\x1f")
	}
	if e := plain(parts[0], params); e != nil {
		return e
	}
	make, ok := runtime[parts[0]]
	if !ok {
		return nil
	}
	e := make(params)
	if e.Class == "" && e.Code == 0 {
		e.Class = parts[0]
	}
	if at.Start.Line == 0 {
		return e // raised inside a function in Go, which does not know its place
	}
	if e.Code != 0 || withoutPlace[parts[0]] || parts[0] == "ARITHMETIC_OVERFLOW" && param(params, 0) != "" && param(params, 1) == "" {
		return e
	}
	e.Context = e.Code == 0
	return e.At(at)
}

// withoutPlace are the classes that Spark reports without the place.
var withoutPlace = map[string]bool{"USER_RAISED_EXCEPTION": true, "CAST_OVERFLOW": true, "CAST_OVERFLOW_IN_TABLE_INSERT": true, "BINARY_ARITHMETIC_OVERFLOW": true, "CANNOT_PARSE_TIMESTAMP": true, "DATETIME_FIELD_OUT_OF_BOUNDS": true, "INVALID_INTERVAL_FORMAT": true,
	"INVALID_FORMAT.ESC_AT_THE_END": true, "INVALID_FORMAT.ESC_IN_THE_MIDDLE": true}

func param(p []string, i int) string {
	if i < len(p) {
		return p[i]
	}
	return ""
}

const ansiHint = " If necessary set \"spark.sql.ansi.enabled\" to \"false\" to bypass this error."

// runtime makes the run-time errors by class.
// CastInvalidInput is a constant text that a type does not read, found while planning.
func CastInvalidInput(value string, from, to types.Type) *Error {
	e := runtime["CAST_INVALID_INPUT"]([]string{value, from.SQL(), to.SQL()})
	e.Class, e.Context = "CAST_INVALID_INPUT", true
	return e
}

// escaped writes a text as a literal.
var escaped = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

var runtime = map[string]func(p []string) *Error{
	"DIVIDE_BY_ZERO": func([]string) *Error {
		return &Error{Exception: "ArithmeticException", SQLState: "22012", Message: "Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL instead." + ansiHint,
			Params: map[string]string{"config": "\"spark.sql.ansi.enabled\""}}
	},
	"MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION": func(p []string) *Error {
		return &Error{Exception: "SparkException", SQLState: "22023", Params: map[string]string{"badRecord": param(p, 0), "failFastMode": "FAILFAST"},
			Message: "Malformed records are detected in record parsing: " + param(p, 0) + ".\nParse Mode: FAILFAST. To process malformed records as null result, try setting the option 'mode' as 'PERMISSIVE'."}
	},
	"CAST_INVALID_INPUT": func(p []string) *Error {
		value := param(p, 0)
		if param(p, 1) == "STRING" {
			value = "'" + escaped.Replace(value) + "'"
		}
		return &Error{Exception: castException(param(p, 2)), SQLState: "22018",
			Message: fmt.Sprintf("The value %s of the type \"%s\" cannot be cast to \"%s\" because it is malformed. Correct the value as per the syntax, or change its target type. Use `try_cast` to tolerate malformed input and return NULL instead.", value, param(p, 1), param(p, 2)),
			Params:  map[string]string{"expression": value, "sourceType": `"` + param(p, 1) + `"`, "targetType": `"` + param(p, 2) + `"`}}
	},
	"CAST_OVERFLOW": func(p []string) *Error {
		return &Error{Exception: "ArithmeticException", SQLState: "22003",
			Message: fmt.Sprintf("The value %s of the type \"%s\" cannot be cast to \"%s\" due to an overflow. Use `try_cast` to tolerate overflow and return NULL instead.", param(p, 0), param(p, 1), param(p, 2)),
			Params:  map[string]string{"value": param(p, 0), "sourceType": `"` + param(p, 1) + `"`, "targetType": `"` + param(p, 2) + `"`}}
	},
	"CAST_OVERFLOW_IN_TABLE_INSERT": func(p []string) *Error {
		return &Error{Exception: "ArithmeticException", SQLState: "22003",
			Message: fmt.Sprintf("Fail to assign a value of \"%s\" type to the \"%s\" type column or variable `%s` due to an overflow. Use `try_cast` on the input value to tolerate overflow and return NULL instead.", param(p, 0), param(p, 1), param(p, 2)),
			Params:  map[string]string{"sourceType": `"` + param(p, 0) + `"`, "targetType": `"` + param(p, 1) + `"`, "columnName": "`" + param(p, 2) + "`"}}
	},
	"NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION": func(p []string) *Error {
		return &Error{Exception: "ArithmeticException", SQLState: "22003",
			Message: fmt.Sprintf(" %s cannot be represented as Decimal(%s, %s). If necessary set \"spark.sql.ansi.enabled\" to \"false\" to bypass this error, and return NULL instead.", param(p, 0), param(p, 1), param(p, 2)),
			Params:  map[string]string{"value": param(p, 0), "roundedValue": param(p, 0), "precision": param(p, 1), "scale": param(p, 2), "config": "\"spark.sql.ansi.enabled\""}}
	},
	"EXCEED_LIMIT_LENGTH": func(p []string) *Error { return exceedLimitLength(param(p, 0)) },
	"INVALID_FORMAT.ESC_AT_THE_END": func(p []string) *Error {
		format := "'" + escaped.Replace(param(p, 0)) + "'"
		return &Error{Exception: "AnalysisException", SQLState: "42601", Message: "The format is invalid: " + format + ". The escape character is not allowed to end with.",
			Params: map[string]string{"format": format}}
	},
	"INVALID_FORMAT.ESC_IN_THE_MIDDLE": func(p []string) *Error {
		format, char := "'"+escaped.Replace(param(p, 0))+"'", "'"+escaped.Replace(param(p, 1))+"'"
		return &Error{Exception: "AnalysisException", SQLState: "42601", Message: "The format is invalid: " + format + ". The escape character is not allowed to precede " + char + ".",
			Params: map[string]string{"format": format, "char": char}}
	},
	"UNSUPPORTED_FEATURE": func(p []string) *Error { return Unsupported(param(p, 0)) },
	"CONV_OVERFLOW": func([]string) *Error {
		return &Error{Exception: "ArithmeticException", Class: "ARITHMETIC_OVERFLOW", SQLState: "22003", Message: "Overflow in function conv()." + ansiHint}
	},
	"INTERVAL_ARITHMETIC_OVERFLOW.WITHOUT_SUGGESTION": func([]string) *Error {
		return &Error{Exception: "ArithmeticException", SQLState: "22015", Message: "Integer overflow while operating with intervals. Try devising appropriate values for the interval parameters."}
	},
	"INTERVAL_ARITHMETIC_OVERFLOW.WITH_SUGGESTION": func(p []string) *Error {
		return &Error{Exception: "ArithmeticException", SQLState: "22015", Message: "Integer overflow while operating with intervals. Use `" + param(p, 0) + "` to tolerate overflow and return NULL instead.",
			Params: map[string]string{"functionName": types.Quote(param(p, 0))}}
	},
	"ARITHMETIC_OVERFLOW": func(p []string) *Error {
		e := &Error{Exception: "ArithmeticException", SQLState: "22003", Params: map[string]string{"message": param(p, 0) + " overflow", "alternative": "", "config": "\"spark.sql.ansi.enabled\""}}
		if try := param(p, 1); try != "" {
			e.Message = param(p, 0) + " overflow. Use '" + try + "' to tolerate overflow and return NULL instead." + ansiHint
			e.Params["alternative"] = " Use '" + try + "' to tolerate overflow and return NULL instead."
			return e
		}
		if e.Message = param(p, 0) + " overflow." + ansiHint; param(p, 0) == "" {
			e.Message = "Overflow." + ansiHint
		}
		return e
	},
	"BINARY_ARITHMETIC_OVERFLOW": func(p []string) *Error {
		return &Error{Exception: "ArithmeticException", SQLState: "22003",
			Message: fmt.Sprintf("%s %s %s caused overflow. Use `%s` to ignore overflow problem and return NULL.", param(p, 0), param(p, 1), param(p, 2), param(p, 3)),
			Params:  map[string]string{"value1": param(p, 0), "symbol": param(p, 1), "value2": param(p, 2), "functionName": types.Quote(param(p, 3))}}
	},
	"INVALID_INTERVAL_FORMAT": func(p []string) *Error {
		n := func(i int) int { v, _ := strconv.Atoi(param(p, i)); return v }
		return intervalShape(param(p, 0), types.Type{Kind: types.Kind(n(1)), From: n(2), To: n(3)})
	},
	"INTERVAL_DIVIDED_BY_ZERO": func([]string) *Error {
		return &Error{Exception: "ArithmeticException", SQLState: "22012", Message: "Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL instead."}
	},
	"CANNOT_PARSE_TIMESTAMP": func(p []string) *Error {
		return &Error{Exception: "DateTimeException", SQLState: "22007", Message: fmt.Sprintf("%s. Use `%s` to tolerate invalid input string and return NULL instead.", param(p, 0), param(p, 1)),
			Params: map[string]string{"message": param(p, 0), "func": types.Quote(param(p, 1))}}
	},
	"DATETIME_FIELD_OUT_OF_BOUNDS": func(p []string) *Error {
		return &Error{Exception: "DateTimeException", SQLState: "22023", Message: param(p, 0) + "." + ansiHint, Params: map[string]string{"rangeMessage": param(p, 0), "ansiConfig": "\"spark.sql.ansi.enabled\""}}
	},
	"INVALID_INDEX_OF_ZERO": func([]string) *Error {
		return &Error{Exception: "SparkRuntimeException", SQLState: "22003", Message: "The index 0 is invalid. An index shall be either < 0 or > 0 (the first element has index 1)."}
	},
	"INVALID_ARRAY_INDEX_IN_ELEMENT_AT": func(p []string) *Error {
		return &Error{Exception: "ArrayIndexOutOfBoundsException", SQLState: "22003",
			Message: fmt.Sprintf("The index %s is out of bounds. The array has %s elements. Use `try_element_at` to tolerate accessing element at invalid index and return NULL instead.", param(p, 0), param(p, 1)),
			Params:  map[string]string{"indexValue": param(p, 0), "arraySize": param(p, 1)}}
	},
	"USER_RAISED_EXCEPTION": func(p []string) *Error {
		return &Error{Exception: "SparkRuntimeException", SQLState: "P0001", Message: param(p, 0), Params: map[string]string{"errorMessage": param(p, 0)}}
	},
	"INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX": func(p []string) *Error {
		return &Error{Exception: "SparkRuntimeException", SQLState: "22023",
			Message: fmt.Sprintf("The value of parameter(s) `idx` in `%s` is invalid: Expects group index between 0 and %s, but got %s.", param(p, 0), param(p, 1), param(p, 2)),
			Params:  map[string]string{"parameter": "`idx`", "functionName": types.Quote(param(p, 0)), "groupCount": param(p, 1), "groupIndex": param(p, 2)}}
	},
	"INVALID_PARAMETER_VALUE.PATTERN": func(p []string) *Error {
		return &Error{Exception: "SparkRuntimeException", SQLState: "22023",
			Message: fmt.Sprintf("The value of parameter(s) `regexp` in `%s` is invalid: '%s'.", param(p, 0), param(p, 1)),
			Params:  map[string]string{"parameter": "`regexp`", "functionName": types.Quote(param(p, 0)), "value": "'" + param(p, 1) + "'"}}
	},
	"INTERNAL_ERROR": func(p []string) *Error {
		return &Error{Exception: "SparkException", SQLState: "XX000", Message: param(p, 0), Params: map[string]string{"message": param(p, 0)}}
	},
	"TRINO": func(p []string) *Error { return trinoUser(param(p, 0), param(p, 1)) },
	"TRINO_SUBSCRIPT": func(p []string) *Error {
		if strings.HasPrefix(param(p, 0), "-") {
			return &Error{Exception: "TrinoUserError", Class: "INVALID_FUNCTION_ARGUMENT", Code: 7, Message: "Array subscript is negative: " + param(p, 0)}
		}
		if param(p, 0) == "0" {
			return &Error{Exception: "TrinoUserError", Class: "INVALID_FUNCTION_ARGUMENT", Code: 7, Message: "SQL array indices start at 1"}
		}
		return &Error{Exception: "TrinoUserError", Class: "INVALID_FUNCTION_ARGUMENT", Code: 7, Message: fmt.Sprintf("Array subscript must be less than or equal to array length: %s > %s", param(p, 0), param(p, 1))}
	},
	"TRINO_KEY_NOT_PRESENT": func(p []string) *Error {
		return &Error{Exception: "TrinoUserError", Class: "INVALID_FUNCTION_ARGUMENT", Code: 7, Message: "Key not present in map: " + param(p, 0)}
	},
	"INVALID_ARRAY_INDEX": func(p []string) *Error {
		return &Error{Exception: "ArrayIndexOutOfBoundsException", SQLState: "22003",
			Message: fmt.Sprintf("The index %s is out of bounds. The array has %s elements. Use the SQL function `get()` to tolerate accessing element at invalid index and return NULL instead.", param(p, 0), param(p, 1)),
			Params:  map[string]string{"indexValue": param(p, 0), "arraySize": param(p, 1)}}
	},
}

func castException(target string) string {
	switch target {
	case "DATE", "TIMESTAMP", "TIMESTAMP_NTZ":
		return "DateTimeException"
	case "BOOLEAN":
		return "SparkRuntimeException"
	}
	return "NumberFormatException"
}

// exceedLimitLength is a text that is longer than its column's CHAR(n) or VARCHAR(n).
func exceedLimitLength(limit string) *Error {
	return &Error{Exception: "SparkRuntimeException", SQLState: "54006", Message: "Exceeds char/varchar type length limitation: " + limit + ".", Params: map[string]string{"limit": limit}}
}

// ExceedLimitLength is exceedLimitLength for a constant: a partition's value.
func ExceedLimitLength(limit string) *Error {
	e := exceedLimitLength(limit)
	e.Class = "EXCEED_LIMIT_LENGTH"
	return e
}
