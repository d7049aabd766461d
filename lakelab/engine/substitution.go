package engine

import (
	"regexp"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// confSubstitute turns ${name} in statements on or off.
const confSubstitute = "spark.sql.variable.substitute"

// confReference is ${name} or ${prefix:name}.
var confReference = regexp.MustCompile(`\$\{(?:(\w+?):)?(\S+?)\}`)

// substituted is a statement with the values of settings in place of ${name}, ${spark:name}, ${sparkconf:name}, ${hivevar:name} and
// ${hiveconf:name}, as Spark has it before it parses; a name without a value is replaced by nothing. Values may hold references
// themselves. Those to the environment and to Java's properties (${env:name}, ${system:name}) are refused: the engine's environment
// is not the cell's, and may hold passwords.
func (s *Session) substituted(text string) (string, error) {
	if !strings.Contains(text, "${") || !strings.EqualFold(s.Conf(confSubstitute), "true") {
		return text, nil
	}
	return s.substitute(text, nil)
}

// substitute replaces references in text, which stands for those that are being replaced.
func (s *Session) substitute(text string, within []string) (string, error) {
	var failed error
	out := confReference.ReplaceAllStringFunc(text, func(found string) string {
		m := confReference.FindStringSubmatch(found)
		name := found[2 : len(found)-1]
		for _, outer := range within {
			if outer == name {
				failed = &errclass.Error{Exception: "IllegalArgumentException", Message: "requirement failed: Circular reference in " + text + ": " + name}
				return ""
			}
		}
		switch m[1] {
		case "", "spark", "sparkconf", "hivevar", "hiveconf":
		case "env", "system":
			failed = errclass.Unsupported("${" + m[1] + ":…} in a statement")
			return ""
		default:
			return found
		}
		value, err := s.referred(m[2])
		if err != nil {
			failed = err
			return ""
		}
		v, err := s.substitute(value, append(within[:len(within):len(within)], name))
		if err != nil {
			failed = err
		}
		return v
	})
	return out, failed
}

// setAtStart are the settings that a session of Spark is started with.
var setAtStart = []string{confTimeZone, "spark.app.name", "spark.sql.warehouse.dir", "spark.sql.catalog.lakehouse"}

// referred is the value of ${name}: nothing for a setting that is not set, whatever its default is, which Spark then checks like a value
// that is set.
func (s *Session) referred(name string) (string, error) {
	s.mu.Lock()
	_, set := s.conf[name]
	s.mu.Unlock()
	allowed := choices[name]
	if fixed := fixedSettings[name]; len(fixed) == 1 && (fixed[0] == "true" || fixed[0] == "false") {
		allowed = []string{"true", "false"}
	}
	switch {
	case set, slices.Contains(setAtStart, name):
		return s.Conf(name), nil
	case allowed != nil:
		return "", errclass.SettingValue(name, "", allowed)
	case name == "spark.sql.shuffle.partitions":
		return "", errclass.IllegalArgument(name + " should be int, but was ")
	}
	return "", nil
}
