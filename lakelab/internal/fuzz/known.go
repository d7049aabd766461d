package main

import "regexp"

// differences that are meant, or cannot be compared: a pattern of the statement, one of the difference, and why.
var differences = []struct {
	statement, diff *regexp.Regexp
	why             string
}{
	{regexp.MustCompile(`^WITH RECURSIVE|WITH RECURSIVE r\(n, x\)`), regexp.MustCompile(`Spark's is IllegalArgumentException$`),
		"a defect of Spark 4.0.1: a recursive query over a constant ends with `transpose requires all collections have the same size`"},
	{regexp.MustCompile(`\|>.*>>`), regexp.MustCompile(`Spark's is PARSE_SYNTAX_ERROR$`),
		"a defect of Spark's grammar: behind some pipe operators it does not read >>"},
	{regexp.MustCompile(`9223372036854775807L? AS TIMESTAMP|timestamp_(seconds|millis|micros)\(.*9223372036854775807`), regexp.MustCompile(`^(row|error \?)`),
		"the last microseconds that Spark's timestamps have are the infinity of DuckDB's"},
	{regexp.MustCompile(``), regexp.MustCompile(`^error \?: Conversion Error: Timestamp microseconds out of range: -?9223372036854775807$`),
		"the same, where such a number is computed or read from a column"},
	{regexp.MustCompile(``), regexp.MustCompile(`^row .*[-+]2(8[6-9]|9\d)\d{3}-`),
		"the calendar of DuckDB counts milliseconds in a double: beyond 2^53 of them, before and after the year 287396, it loses the last"},
	{regexp.MustCompile(`date_from_unix_date\(2147483647\)`), regexp.MustCompile(`^error ARITHMETIC_OVERFLOW`),
		"the last day that Spark's dates have is the infinity of DuckDB's"},
	{regexp.MustCompile(``), regexp.MustCompile("\ufffd"),
		"text that is not valid UTF-8: the engine's texts always are"},
	{regexp.MustCompile(`\bmode\(`), regexp.MustCompile(`^row `),
		"which of several values that are equally frequent is taken is a matter of Java's hash table"},
	{regexp.MustCompile(`\b(max_by|min_by)\(`), regexp.MustCompile(`^row `),
		"which of several rows with the same extreme is taken depends on the order of the rows, which Spark does not promise: it takes the last that comes, we the first"},
	{regexp.MustCompile(`\bcollect_set\(`), regexp.MustCompile(`^row `),
		"a set has no order; Spark's is that of Java's hash table"},
}

func known(statement, diff string) bool {
	for _, k := range differences {
		if k.statement.MatchString(statement) && k.diff.MatchString(diff) {
			return true
		}
	}
	return false
}
