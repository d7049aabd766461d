package engine

import (
	"regexp"
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
		v, err := s.substitute(s.Conf(m[2]), append(within[:len(within):len(within)], name))
		if err != nil {
			failed = err
		}
		return v
	})
	return out, failed
}
