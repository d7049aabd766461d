package errclass

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Errors of interval texts and literals (INVALID_INTERVAL_FORMAT and kin).

const intervalFormat = "Error parsing '%s' to interval. Please ensure that the value provided is in a valid format for defining an interval. You can reference the documentation for the correct format. "

func invalidInterval(sub, input, detail string) *Error {
	return &Error{Exception: "IllegalArgumentException", Class: "INVALID_INTERVAL_FORMAT." + sub, SQLState: "22006", Message: fmt.Sprintf(intervalFormat, input) + detail, Params: map[string]string{"input": input}}
}

// IntervalFraction is a fraction in another unit than seconds. The input is the text as Spark puts it together: " 1.5 DAY".
func IntervalFraction(input, unit string) *Error {
	return invalidInterval("INVALID_FRACTION", input, strings.ToLower(unit)+" cannot have fractional part.")
}

// TimeZoneInterval is an interval that is no offset of a time zone (SET TIME ZONE INTERVAL …).
func TimeZoneInterval(input string, at token.Span) *Error {
	e := invalidInterval("TIMEZONE_INTERVAL_OUT_OF_RANGE", input, "The interval value must be in the range of [-18, +18] hours with second precision.")
	e.Exception = "ParseException"
	return inContext(e.At(at))
}

// IntervalOverflow is a number too large for its unit.
func IntervalOverflow(input string) *Error {
	return invalidInterval("ARITHMETIC_EXCEPTION", input, "Uncaught arithmetic exception while parsing '"+input+"'.")
}

// IntervalUnit is a unit that does not exist.
func IntervalUnit(input, unit string) *Error {
	return invalidInterval("INVALID_UNIT", input, "Invalid unit "+strings.ToLower(unit)+".")
}

// IntervalFromTo is FROM and TO units that no interval has together.
func IntervalFromTo(text, from, to string) *Error {
	e := invalidInterval("UNSUPPORTED_FROM_TO_EXPRESSION", text, fmt.Sprintf("Cannot support (interval '%s' %s to %s) expression.", text, strings.ToLower(from), strings.ToLower(to)))
	e.Exception = "ParseException"
	return inContext(e)
}

// IntervalShape is a literal whose text is not of the form that its units want.
func IntervalShape(text string, t types.Type) *Error {
	e := intervalShape(text, t)
	e.Exception = "ParseException"
	return inContext(e)
}

// MixedInterval is a literal of years or months and of days or less.
func MixedInterval(written string) *Error {
	return inContext(&Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0029", Message: "Cannot mix year-month and day-time fields: " + written + "."})
}

// IntervalNumber is a value that is no number.
func IntervalNumber(value string) *Error {
	return inContext(&Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0026", Message: "Can only use numbers in the interval value part for multiple unit value pairs interval form, but got invalid value: " + value + "."})
}

// formats are the texts that interval types read, by their first and last field.
var formats = map[[2]int]string{
	{types.Year, types.Month}: "[+|-]y-m", {types.Year, types.Year}: "[+|-]y", {types.Month, types.Month}: "[+|-]m",
	{types.Day, types.Day}: "[+|-]d", {types.Day, types.Hour}: "[+|-]d h", {types.Day, types.Minute}: "[+|-]d h:m", {types.Day, types.Second}: "[+|-]d h:m:s.n",
	{types.Hour, types.Hour}: "[+|-]h", {types.Hour, types.Minute}: "[+|-]h:m", {types.Hour, types.Second}: "[+|-]h:m:s.n",
	{types.Minute, types.Minute}: "[+|-]m", {types.Minute, types.Second}: "[+|-]m:s.n", {types.Second, types.Second}: "[+|-]s.n",
}

// intervalShape is a text that an interval type does not read.
func intervalShape(text string, t types.Type) *Error {
	format := formats[[2]int{t.From, t.To}]
	kind, sub, notice := "year-month", "UNMATCHED_FORMAT_STRING", ""
	fields := strings.TrimPrefix(t.SQL(), "INTERVAL ")
	list := fmt.Sprintf("`%s`, `INTERVAL [+|-]'%s' %s`", format, format, fields)
	if t.Kind == types.DayTimeInterval {
		kind, sub = "day-time", "UNMATCHED_FORMAT_STRING_WITH_NOTICE"
		notice = `. Set "spark.sql.legacy.fromDayTimeString.enabled" to "true" to restore the behavior before Spark 3.0.`
	}
	return invalidInterval(sub, text, fmt.Sprintf("Interval string does not match %s format of %s when cast to %s: %s%s", kind, list, t.SimpleString(), text, notice+end(notice)))
}

// end closes a sentence that has no notice.
func end(notice string) string {
	if notice == "" {
		return "."
	}
	return ""
}

// CannotParseInterval is a duration that is no text of units.
func CannotParseInterval(text string) *Error {
	return analysis("CANNOT_PARSE_INTERVAL", "22006", "Unable to parse '"+text+"'. Please ensure that the value provided is in a valid format for defining an interval. You can reference the documentation for the correct format. If the issue persists, please double check that the input value is not null or empty and try again.", map[string]string{"intervalString": "'" + text + "'"})
}

// IntervalOverMonth is a window's duration with months, whose length varies.
func IntervalOverMonth(text string) *Error {
	return &Error{Exception: "IllegalArgumentException", Message: "Intervals greater than a month is not supported (" + text + ")."}
}

// SessionGap is a gap of session_window that is no interval.
func SessionGap(t types.Type) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1042", Message: "Gap duration expression used in session window must be CalendarIntervalType, but got " + scalaName(t) + "."}
}

// ManyTimeWindows is a query with two windows of time.
func ManyTimeWindows() *Error {
	return analysis("_LEGACY_ERROR_TEMP_1039", "", "Multiple time/session window expressions would result in a cartesian product of rows, therefore they are currently not supported.", nil)
}

// ParameterConstraint is an argument that breaks a rule with another.
func ParameterConstraint(left, operator, right string) *Error {
	return analysis("DATATYPE_MISMATCH.PARAMETER_CONSTRAINT_VIOLATION", "42K09", "due to data type mismatch: The "+left+" must be "+operator+" the "+right+".",
		map[string]string{"leftExprName": left, "constraint": operator, "rightExprName": right})
}

// scalaName is a type as Spark's own code names it.
func scalaName(t types.Type) string {
	switch t.Kind {
	case types.Null:
		return "NullType"
	case types.TimestampNTZ:
		return "TimestampNTZType"
	case types.DayTimeInterval:
		return fmt.Sprintf("DayTimeIntervalType(%d,%d)", t.From-types.Day, t.To-types.Day)
	case types.YearMonthInterval:
		return fmt.Sprintf("YearMonthIntervalType(%d,%d)", t.From-types.Year, t.To-types.Year)
	case types.Decimal:
		return fmt.Sprintf("DecimalType(%d,%d)", t.Precision, t.Scale)
	}
	name := t.TypeName()
	return strings.ToUpper(name[:1]) + name[1:] + "Type"
}
