package redact

import "regexp"

// secrets are in options and properties whose names or values have one of these words in them (spark.redaction.regex and
// spark.sql.redaction.options.regex of Spark).
var secrets = regexp.MustCompile(`(?i)secret|password|token|access[.]?key|url`)

// Option is the value of an option or a property as statements show it.
func Option(name, value string) string {
	if secrets.MatchString(name) || secrets.MatchString(value) {
		return "*********(redacted)"
	}
	return value
}

// Options are options or properties as statements show them.
func Options(all map[string]string) map[string]string {
	out := make(map[string]string, len(all))
	for name, value := range all {
		out[name] = Option(name, value)
	}
	return out
}
