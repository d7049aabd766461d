package functions

import (
	"strconv"
	"strings"

	"github.com/dlclark/regexp2"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's functions of regular expressions ("Regular expression functions"): its patterns are Java's, nearly.

var trinoPatterns memo[*regexp2.Regexp]

// trinoRegexp compiles a pattern of Trino's.
func trinoRegexp(p string) (*regexp2.Regexp, error) {
	if re, ok := trinoPatterns.load(p); ok {
		return re, nil
	}
	pattern, refused := joniPattern(p)
	if refused != "" {
		return nil, badArgument(refused)
	}
	re, err := compile("regexp", pattern)
	if err != nil {
		return nil, badArgument("invalid pattern: " + p)
	}
	trinoPatterns.store(p, re)
	return re, nil
}

// trinoGroup checks the number of a group.
func trinoGroup(re *regexp2.Regexp, n int64) error {
	if n < 0 {
		return badArgument("Group cannot be negative")
	}
	if n > int64(groupCount(re)) {
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

// badReplacement says what is wrong with a replacement text: its first group that is not there, or all of it.
func badReplacement(re *regexp2.Regexp, s string) string {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] != '$':
		case i+1 < len(s) && isDigit(s[i+1]):
			if int(s[i+1]-'0') > groupCount(re) {
				return "unknown group " + s[i+1:i+2]
			}
		case i+1 < len(s) && s[i+1] == '{':
			name, _, closed := strings.Cut(s[i+2:], "}")
			if !closed || re.GroupNumberFromName(name) < 0 {
				return "unknown group { " + name + " }"
			}
		default:
			return s
		}
	}
	return s
}

// regexpReplaceRule types regexp_replace: a lambda gets the groups of a match and gives what stands in its place.
func regexpReplaceRule(c *expr.Call) error {
	if len(c.Args) < 3 {
		return bindTrino(c)
	}
	l, ok := c.Args[2].(*expr.Lambda)
	if !ok {
		return bindTrino(c)
	}
	if len(c.Args) > 3 || l.Body.Type().Kind != types.String {
		return TrinoUnexpected(c)
	}
	for i := range 2 {
		x, ok := CoerceIn(sql.Trino, c.Args[i], types.Of(types.String))
		if !ok {
			return TrinoUnexpected(c)
		}
		c.Args[i] = x
	}
	c.T, c.Null = types.Of(types.String), true
	return nil
}

func printRegexpReplace(c *expr.Call, a []string) string {
	if len(a) < 3 {
		return "trino_regexp_replace(" + a[0] + ", " + a[1] + ", '')"
	}
	if _, ok := c.Args[2].(*expr.Lambda); !ok {
		return call("trino_regexp_replace")(c, a)
	}
	// The parts between the matches, each but the first behind what a match became; a NULL there makes NULL of all.
	return letAll(a, []int{0, 1}, func(a []string) string {
		return let("list_transform(trino_regexp_groups("+a[0]+", "+a[1]+"), "+a[2]+")", func(made string) string {
			return let("trino_regexp_split("+a[0]+", "+a[1]+")", func(parts string) string {
				joined := "array_to_string(list_transform(" + parts + ", lambda _p, _i: CASE WHEN _i = 1 THEN '' ELSE " + made + "[_i - 1] END || _p), '')"
				return "CASE WHEN len(list_filter(" + made + ", lambda _x: _x IS NULL)) = 0 THEN " + joined + " END"
			})
		})
	})
}

// trinoMatches compiles the pattern, the second argument, and finds where it matches in the first.
func trinoMatches(a []any) (*regexp2.Regexp, []*regexp2.Match, error) {
	re, err := trinoRegexp(a[1].(string))
	if err != nil {
		return nil, nil, err
	}
	found, err := matches(re, a[0].(string), 0)
	return re, found, err
}

func init() {
	udfs = append(udfs, UDF{Name: "trino_regexp_groups", Args: []types.Type{types.Of(types.String), types.Of(types.String)},
		Result: types.ArrayOf(types.ArrayOf(types.Of(types.String), true), true), Call: func(a []any) (any, error) {
			re, found, err := trinoMatches(a)
			if err != nil {
				return nil, err
			}
			out := make([]any, len(found))
			for i, m := range found {
				groups := make([]any, groupCount(re))
				for g := range groups {
					groups[g] = trinoGroupOf(m, int64(g+1))
				}
				out[i] = groups
			}
			return out, nil
		}})
	with := func(name, kinds string, f func(re *regexp2.Regexp, found []*regexp2.Match, a []any) (any, error)) {
		failing(name, kinds, func(a []any) (any, error) {
			re, found, err := trinoMatches(a)
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
				return nil, badArgument("Illegal replacement sequence: " + badReplacement(re, rep))
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
