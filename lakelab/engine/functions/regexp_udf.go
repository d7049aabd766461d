package functions

import (
	"strconv"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// Regular expressions are Java's: looking ahead and back and references to groups, which DuckDB's own lack, need an engine that
// backtracks. Patterns that both read alike are left to DuckDB (vectorised).

var patterns memo[*regexp2.Regexp]

// patience is how long one match may take: a pattern that backtracks can be slow beyond all bounds.
const patience = time.Minute

// compile reads a regular expression for a function.
func compile(function, s string) (*regexp2.Regexp, error) {
	if re, ok := patterns.load(s); ok {
		return re, nil
	}
	re, err := regexp2.Compile(s, regexp2.RE2)
	if err != nil {
		return nil, raise("INVALID_PARAMETER_VALUE.PATTERN", function, s)
	}
	re.MatchTimeout = patience
	patterns.store(s, re)
	return re, nil
}

// groupCount is the number of groups in a pattern.
func groupCount(re *regexp2.Regexp) int { return len(re.GetGroupNumbers()) - 1 }

// matches are all matches in a text, at most as many as limit if that is above 0.
func matches(re *regexp2.Regexp, s string, limit int) (out []*regexp2.Match, err error) {
	m, err := re.FindStringMatch(s)
	for m != nil && err == nil {
		if out = append(out, m); len(out) == limit {
			break
		}
		m, err = re.FindNextMatch(m)
	}
	return out, err
}

// groupOf is what a group of a match holds; empty where it took no part.
func groupOf(m *regexp2.Match, g int) string {
	if x := m.GroupByNumber(g); x != nil {
		return x.String()
	}
	return ""
}

// checkGroup compiles a pattern of which a function wants a group. One that it lacks matters only where there is a match.
func checkGroup(function string, text, pattern, group any) (*regexp2.Regexp, int, error) {
	re, err := compile(function, pattern.(string))
	if err != nil {
		return nil, 0, err
	}
	g := int(group.(int32))
	if n := groupCount(re); g < 0 || g > n {
		if found, err := re.MatchString(text.(string)); err == nil && !found {
			return re, 0, nil
		}
		return nil, 0, raise("INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX", function, strconv.Itoa(n), strconv.Itoa(g))
	}
	return re, g, nil
}

func init() {
	failing("spark_rlike", "string, string, string -> boolean", func(a []any) (any, error) {
		re, err := compile(a[2].(string), a[1].(string))
		if err != nil {
			return nil, err
		}
		return re.MatchString(a[0].(string))
	})
	failing("spark_split", "string, string, int -> strings", func(a []any) (any, error) {
		re, err := compile("split", a[1].(string))
		if err != nil {
			return nil, err
		}
		return split(re, a[0].(string), int(a[2].(int32)))
	})
	failing("spark_regexp_extract", "string, string, int -> string", func(a []any) (any, error) {
		re, g, err := checkGroup("regexp_extract", a[0], a[1], a[2])
		if err != nil {
			return nil, err
		}
		m, err := re.FindStringMatch(a[0].(string))
		if m == nil || err != nil {
			return "", err
		}
		return groupOf(m, g), nil
	})
	failing("spark_regexp_extract_all", "string, string, int -> strings", func(a []any) (any, error) {
		re, g, err := checkGroup("regexp_extract_all", a[0], a[1], a[2])
		if err != nil {
			return nil, err
		}
		found, err := matches(re, a[0].(string), 0)
		out := make([]any, len(found))
		for i, m := range found {
			out[i] = groupOf(m, g)
		}
		return out, err
	})
	failing("spark_regexp_replace", "string, string, string, int -> string", func(a []any) (any, error) {
		re, err := compile("regexp_replace", a[1].(string))
		if err != nil {
			return nil, err
		}
		return replaceAll(re, a[0].(string), a[1].(string), a[2].(string), max(int(a[3].(int32))-1, 0))
	})
	failing("spark_regexp_count", "string, string -> int", func(a []any) (any, error) {
		re, err := compile("regexp_extract_all", a[1].(string))
		if err != nil {
			return nil, err
		}
		found, err := matches(re, a[0].(string), 0)
		return int32(len(found)), err
	})
	failing("spark_regexp_instr", "string, string -> int", func(a []any) (any, error) {
		re, err := compile("regexp_instr", a[1].(string))
		if err != nil {
			return nil, err
		}
		m, err := re.FindStringMatch(a[0].(string))
		if m == nil || err != nil {
			return int32(0), err
		}
		return int32(m.Index + 1), nil
	})
	failing("spark_regexp_substr", "string, string -> string", func(a []any) (any, error) {
		re, err := compile("regexp_extract", a[1].(string))
		if err != nil {
			return nil, err
		}
		m, err := re.FindStringMatch(a[0].(string))
		if m == nil || err != nil || m.Length == 0 {
			return nil, err
		}
		return m.String(), nil
	})
}

// replaceAll replaces every match behind the first characters of a text, which are left out.
func replaceAll(re *regexp2.Regexp, s, pattern, rep string, from int) (any, error) {
	runes := []rune(s)
	from = min(from, len(runes))
	tail := string(runes[from:])
	found, err := matches(re, tail, 0)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString(string(runes[:from]))
	at := 0
	rest := runes[from:]
	for _, m := range found {
		b.WriteString(string(rest[at:m.Index]))
		text, ok := replacement(re, m, rep)
		if !ok {
			return nil, raise("INVALID_REGEXP_REPLACE", s, pattern, rep, strconv.Itoa(from+1))
		}
		b.WriteString(text)
		at = m.Index + m.Length
	}
	return b.String() + string(rest[at:]), nil
}

// replacement fills Java's replacement text: $1 and ${name} are groups, \ takes the next character as it is. It is not ok if a
// group is not there.
func replacement(re *regexp2.Regexp, m *regexp2.Match, s string) (string, bool) {
	if !strings.ContainsAny(s, `$\`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			if i++; i == len(s) {
				return "", false
			}
			b.WriteByte(s[i])
		case s[i] != '$':
			b.WriteByte(s[i])
		case i+1 < len(s) && isDigit(s[i+1]):
			i++
			g := int(s[i] - '0')
			if g > groupCount(re) {
				return "", false
			}
			// More digits belong to the number as long as there is such a group.
			for i+1 < len(s) && isDigit(s[i+1]) && g*10+int(s[i+1]-'0') <= groupCount(re) {
				i++
				g = g*10 + int(s[i]-'0')
			}
			b.WriteString(groupOf(m, g))
		case i+1 < len(s) && s[i+1] == '{':
			name, _, ok := strings.Cut(s[i+2:], "}")
			if !ok || re.GroupNumberFromName(name) < 0 {
				return "", false
			}
			b.WriteString(groupOf(m, re.GroupNumberFromName(name)))
			i += len(name) + 2
		default:
			return "", false
		}
	}
	return b.String(), true
}

// split is Spark's split: with a limit of 0 or less every part is kept, an empty match at the start makes none. An empty pattern
// parts the characters.
func split(re *regexp2.Regexp, s string, limit int) (any, error) {
	runes := []rune(s)
	if re.String() == "" && s != "" {
		n := len(runes)
		if limit > 0 {
			n = min(n, limit)
		}
		out := make([]any, n)
		for i := range out {
			out[i] = string(runes[i])
		}
		return out, nil
	}
	found, err := matches(re, s, 0)
	out := []any{}
	at := 0
	for _, m := range found {
		if limit > 0 && len(out) == limit-1 {
			break
		}
		end := m.Index + m.Length
		if end == 0 || m.Length == 0 && m.Index >= len(runes) {
			continue
		}
		out = append(out, string(runes[at:m.Index]))
		at = end
	}
	return append(out, string(runes[at:])), err
}
