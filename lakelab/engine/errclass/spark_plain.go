package errclass

import (
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// plainRuntime are run-time errors whose message is a template with {name} for each of their parameters, given in that order. A
// parameter that ends with ` is a name in backticks.
var plainRuntime = map[string]struct {
	exception, state, text string
	params                 []string
}{
	"CANNOT_DECODE_URL":          {"IllegalArgumentException", "22546", "The provided URL cannot be decoded: {url}. Please ensure that the URL is properly formatted and try again.", []string{"url"}},
	"INVALID_URL":                {"IllegalArgumentException", "22P02", "The url is invalid: {url}. Use `try_parse_url` to tolerate invalid URL and return NULL instead.", []string{"url"}},
	"MALFORMED_CHARACTER_CODING": {"SparkRuntimeException", "22000", "Invalid value found when performing {function} with {charset}", []string{"function`", "charset"}},
	"INVALID_PARAMETER_VALUE.CHARSET": {"IllegalArgumentException", "22023", "The value of parameter(s) `charset` in {functionName} is invalid: expects one of the iso-8859-1, us-ascii, utf-16, utf-16be, utf-16le, utf-32, utf-8, but got {charset}.",
		[]string{"functionName`", "charset"}},
	"MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION": {"SparkException", "22023", "Malformed records are detected in record parsing: {badRecord}.\nParse Mode: FAILFAST. To process malformed records as null result, try setting the option 'mode' as 'PERMISSIVE'.", []string{"badRecord"}},
	"INVALID_INTERVAL_WITH_MICROSECONDS_ADDITION":    {"IllegalArgumentException", "22006", "Cannot add an interval to a date because its microseconds part is not 0. To resolve this, cast the input date to a timestamp, which supports the addition of intervals with non-zero microseconds.", nil},
	"NEGATIVE_VALUES_IN_FREQUENCY_EXPRESSION":        {"SparkException", "22003", "Found the negative value in \"{frequencyExpression}\": {negativeValue}, but expected a positive integral value.", []string{"frequencyExpression", "negativeValue"}},
	"INVALID_REGEXP_REPLACE": {"SparkRuntimeException", "22023", "Could not perform regexp_replace for source = \"{source}\", pattern = \"{pattern}\", replacement = \"{replacement}\" and position = {position}.",
		[]string{"source", "pattern", "replacement", "position"}},
}

// plain makes an error of plainRuntime, or one of Java's own exceptions (JAVA.IllegalArgumentException), which has no class.
func plain(class string, values []string) *Error {
	if name, ok := strings.CutPrefix(class, "JAVA."); ok {
		return &Error{Exception: name, Message: param(values, 0)}
	}
	t, ok := plainRuntime[class]
	if !ok {
		return nil
	}
	e := &Error{Exception: t.exception, Class: class, SQLState: t.state, Message: t.text, Params: map[string]string{}}
	for i, name := range t.params {
		v := param(values, i)
		if n, ok := strings.CutSuffix(name, "`"); ok {
			name, v = n, types.Quote(v)
		}
		e.Message = strings.Replace(e.Message, "{"+name+"}", v, 1)
		e.Params[name] = v
	}
	return e
}
