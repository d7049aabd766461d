package functions

import (
	"strconv"
	"strings"

	"github.com/dlclark/regexp2"
)

// Trino's functions of regular expressions ("Regular expression functions"): its patterns are Java's, nearly.

// trinoRegexp compiles a pattern; the error is worded as Trino's engine does for the commonest mistake.
func trinoRegexp(p string) (*regexp2.Regexp, error) {
	re, err := compile("regexp", p)
	if err == nil {
		return re, nil
	}
	if strings.Count(p, "(") > strings.Count(p, ")") {
		return nil, badArgument("end pattern with unmatched parenthesis")
	}
	return nil, badArgument("invalid pattern: " + p)
}

// trinoGroup checks the number of a group.
func trinoGroup(re *regexp2.Regexp, n int64) error {
	if n < 0 || n > int64(groupCount(re)) {
		return badArgument("Pattern has " + itoa(groupCount(re)) + " groups. Cannot access group " + strconv.FormatInt(n, 10))
	}
	return nil
}

// trinoGroupOf is what a group holds; nil if it took no part in the match.
func trinoGroupOf(m *regexp2.Match, n int64) any {
	g := m.GroupByNumber(int(n))
	if g == nil || len(g.Captures) == 0 {
		return nil
	}
	return g.String()
}

func init() {
	with := func(name, kinds string, f func(re *regexp2.Regexp, found []*regexp2.Match, a []any) (any, error)) {
		failing(name, kinds, func(a []any) (any, error) {
			re, err := trinoRegexp(a[1].(string))
			if err != nil {
				return nil, err
			}
			found, err := matches(re, a[0].(string), 0)
			if err != nil {
				return nil, err
			}
			return f(re, found, a)
		})
	}
	failing("trino_regexp_like", "string, string -> boolean", func(a []any) (any, error) {
		re, err := trinoRegexp(a[1].(string))
		if err != nil {
			return nil, err
		}
		return re.MatchString(a[0].(string))
	})
	failing("trino_regexp_extract", "string, string, long -> string", func(a []any) (any, error) {
		re, err := trinoRegexp(a[1].(string))
		if err != nil {
			return nil, err
		}
		n := a[2].(int64)
		if err := trinoGroup(re, n); err != nil {
			return nil, err
		}
		m, err := re.FindStringMatch(a[0].(string))
		if m == nil || err != nil {
			return nil, err
		}
		return trinoGroupOf(m, n), nil
	})
	with("trino_regexp_extract_all", "string, string, long -> strings", func(re *regexp2.Regexp, found []*regexp2.Match, a []any) (any, error) {
		n := a[2].(int64)
		if err := trinoGroup(re, n); err != nil {
			return nil, err
		}
		out := []any{}
		for _, m := range found {
			out = append(out, trinoGroupOf(m, n))
		}
		return out, nil
	})
	with("trino_regexp_replace", "string, string, string -> string", func(re *regexp2.Regexp, found []*regexp2.Match, a []any) (any, error) {
		runes, rep := []rune(a[0].(string)), a[2].(string)
		var b strings.Builder
		at := 0
		for _, m := range found {
			b.WriteString(string(runes[at:m.Index]))
			text, ok := replacement(re, m, rep)
			if !ok {
				return nil, badArgument("Illegal replacement sequence: unknown group " + strings.TrimLeft(rep[strings.IndexByte(rep, '$')+1:], "{"))
			}
			b.WriteString(text)
			at = m.Index + m.Length
		}
		return b.String() + string(runes[at:]), nil
	})
	with("trino_regexp_split", "string, string -> strings", func(_ *regexp2.Regexp, found []*regexp2.Match, a []any) (any, error) {
		runes := []rune(a[0].(string))
		out := []any{}
		at := 0
		for _, m := range found {
			out = append(out, string(runes[at:m.Index]))
			at = m.Index + m.Length
		}
		return append(out, string(runes[at:])), nil
	})
	with("trino_regexp_count", "string, string -> long", func(_ *regexp2.Regexp, found []*regexp2.Match, _ []any) (any, error) { return int64(len(found)), nil })
	with("trino_regexp_position", "string, string, int, int -> int", func(_ *regexp2.Regexp, found []*regexp2.Match, a []any) (any, error) {
		from, n := int(a[2].(int32)), int(a[3].(int32))
		if from < 1 {
			return nil, badArgument("start position cannot be smaller than 1")
		}
		if n < 1 {
			return nil, badArgument("occurrence cannot be smaller than 1")
		}
		for _, m := range found {
			if m.Index+1 >= from {
				if n--; n == 0 {
					return int32(m.Index + 1), nil
				}
			}
		}
		return int32(-1), nil
	})
}
