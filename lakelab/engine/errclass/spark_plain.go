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
	"MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION":                   {"SparkException", "22023", "Malformed records are detected in record parsing: {badRecord}.\nParse Mode: FAILFAST. To process malformed records as null result, try setting the option 'mode' as 'PERMISSIVE'.", []string{"badRecord"}},
	"INVALID_INTERVAL_WITH_MICROSECONDS_ADDITION":                      {"IllegalArgumentException", "22006", "Cannot add an interval to a date because its microseconds part is not 0. To resolve this, cast the input date to a timestamp, which supports the addition of intervals with non-zero microseconds.", nil},
	"INVALID_FORMAT.MISMATCH_INPUT":                                    {"IllegalArgumentException", "42601", "The format is invalid: {format}. The input \"STRING\" {input} does not match the format.", []string{"format", "input"}},
	"CONVERSION_INVALID_INPUT":                                         {"IllegalArgumentException", "22018", "The value '{str}' ('{fmt}') cannot be converted to \"{targetType}\" because it is malformed. Correct the value as per the syntax, or change its format. Use {suggestion} to tolerate malformed input and return NULL instead.", []string{"str", "fmt", "targetType", "suggestion`"}},
	"INVALID_PARAMETER_VALUE.BIT_POSITION_RANGE":                       {"IllegalArgumentException", "22023", "The value of parameter(s) `pos` in {functionName} is invalid: expects an integer value in [0, {upper}), but got {invalidValue}.", []string{"functionName`", "upper", "invalidValue"}},
	"INVALID_PARAMETER_VALUE.START":                                    {"SparkRuntimeException", "22023", "The value of parameter(s) `start` in `slice` is invalid: Expects a positive or a negative value for `start`, but got 0.", nil},
	"INVALID_PARAMETER_VALUE.LENGTH":                                   {"SparkRuntimeException", "22023", "The value of parameter(s) `length` in {functionName} is invalid: Expects `length` greater than or equal to 0, but got {length}.", []string{"functionName`", "length"}},
	"COMPARATOR_RETURNS_NULL":                                          {"SparkException", "22004", "The comparator has returned a NULL for a comparison between {firstValue} and {secondValue}.\nIt should return a positive integer for \"greater than\", 0 for \"equal\" and a negative integer for \"less than\".\nTo revert to deprecated behavior where NULL is treated as 0 (equal), you must set \"spark.sql.legacy.allowNullComparisonResultInArraySort\" to \"true\".", []string{"firstValue", "secondValue"}},
	"INVALID_BITMAP_POSITION":                                          {"SparkArrayIndexOutOfBoundsException", "22003", "The 0-indexed bitmap position {bitPosition} is out of bounds. The bitmap has {bitmapNumBits} bits ({bitmapNumBytes} bytes).", []string{"bitPosition", "bitmapNumBits", "bitmapNumBytes"}},
	"INVALID_PARAMETER_VALUE.AES_KEY_LENGTH":                           {"SparkRuntimeException", "22023", "The value of parameter(s) `key` in `aes_encrypt`/`aes_decrypt` is invalid: expects a binary value with 16, 24 or 32 bytes, but got {actualLength} bytes.", []string{"actualLength"}},
	"INVALID_PARAMETER_VALUE.AES_IV_LENGTH":                            {"SparkRuntimeException", "22023", "The value of parameter(s) `iv` in `aes_encrypt`/`aes_decrypt` is invalid: supports 16-byte CBC IVs and 12-byte GCM IVs, but got {actualLength} bytes for {mode}.", []string{"actualLength", "mode"}},
	"INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR":                         {"SparkRuntimeException", "22023", "The value of parameter(s) `expr`, `key` in `aes_encrypt`/`aes_decrypt` is invalid: detail message: {detailMessage}", []string{"detailMessage"}},
	"UNSUPPORTED_FEATURE.AES_MODE":                                     {"SparkRuntimeException", "0A000", "The feature is not supported: AES-{mode} with the padding {padding} by the `aes_encrypt`/`aes_decrypt` function.", []string{"mode", "padding"}},
	"UNSUPPORTED_FEATURE.AES_MODE_IV":                                  {"SparkRuntimeException", "0A000", "The feature is not supported: `aes_encrypt` with AES-{mode} does not support initialization vectors (IVs).", []string{"mode"}},
	"UNSUPPORTED_FEATURE.AES_MODE_AAD":                                 {"SparkRuntimeException", "0A000", "The feature is not supported: `{functionName}` with AES-{mode} does not support additional authenticate data (AAD).", []string{"mode", "functionName"}},
	"INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER":                       {"IllegalArgumentException", "22007", "Unrecognized datetime pattern: {pattern}. Illegal pattern character found in datetime pattern: {c}. Please provide legal character.", []string{"pattern", "c"}},
	"DUPLICATED_MAP_KEY":                                               {"SparkRuntimeException", "23505", "Duplicate map key {key} was found, please check the input data.\nIf you want to remove the duplicated keys, you can set \"spark.sql.mapKeyDedupPolicy\" to \"LAST_WIN\" so that the key inserted at last takes precedence.", []string{"key"}},
	"ILLEGAL_DAY_OF_WEEK":                                              {"IllegalArgumentException", "22009", "Illegal input for day of week: {string}.", []string{"string"}},
	"INVALID_FRACTION_OF_SECOND":                                       {"DateTimeException", "22023", "Valid range for seconds is [0, 60] (inclusive), but the provided value is {secAndMicros}. To avoid this error, use `try_make_timestamp`, which returns NULL on error.\nIf you do not want to use the session default timestamp version of this function, use `try_make_timestamp_ntz` or `try_make_timestamp_ltz`.", []string{"secAndMicros"}},
	"NULL_MAP_KEY":                                                     {"SparkRuntimeException", "2200E", "Cannot use null as map key.", nil},
	"INVALID_TIMEZONE":                                                 {"DateTimeException", "22009", "The timezone: {timeZone} is invalid. The timezone must be either a region-based zone ID or a zone offset. Region IDs must have the form 'area/city', such as 'America/Los_Angeles'. Zone offsets must be in the format '(+|-)HH', '(+|-)HH:mm’ or '(+|-)HH:mm:ss', e.g '-08' , '+01:00' or '-13:33:33', and must be in the range from -18:00 to +18:00. 'Z' and 'UTC' are accepted as synonyms for '+00:00'.", []string{"timeZone"}},
	"INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION": {"SparkUpgradeException", "42K0B", "You may get a different result due to the upgrading to Spark >= 3.0:\nFail to recognize {pattern} pattern in the DateTimeFormatter.\n1) You can set \"spark.sql.legacy.timeParserPolicy\" to \"LEGACY\" to restore the behavior before Spark 3.0.\n2) You can form a valid datetime pattern with the guide from 'https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html'.", []string{"pattern"}},
	"INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN":  {"IllegalArgumentException", "42K0B", "You may get a different result due to the upgrading to Spark >= 3.0:\nAll week-based patterns are unsupported since Spark 3.0, detected week-based character: {c}.\nPlease use the SQL function EXTRACT instead.", []string{"c"}},
	"NEGATIVE_VALUES_IN_FREQUENCY_EXPRESSION":                          {"SparkException", "22003", "Found the negative value in \"{frequencyExpression}\": {negativeValue}, but expected a positive integral value.", []string{"frequencyExpression", "negativeValue"}},
	"INVALID_REGEXP_REPLACE": {"SparkRuntimeException", "22023", "Could not perform regexp_replace for source = \"{source}\", pattern = \"{pattern}\", replacement = \"{replacement}\" and position = {position}.",
		[]string{"source", "pattern", "replacement", "position"}},
}

// Plain makes an error of plainRuntime that is found while planning already.
func Plain(class string, values ...string) *Error { return plain(class, values) }

// plain makes an error of plainRuntime, or one of Java's own exceptions (JAVA.IllegalArgumentException), which has no class.
func plain(class string, values []string) *Error {
	if name, ok := strings.CutPrefix(class, "JAVA."); ok {
		name, class, _ := strings.Cut(name, "#")
		return &Error{Exception: name, Class: class, Message: param(values, 0)}
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
