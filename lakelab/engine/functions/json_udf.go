package functions

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	define("spark_json_path", "string, string -> string", func(a []any) any { return jsonPath(a[0].(string), a[1].(string)) })
	define("spark_json_quote", "string -> string", func(a []any) any {
		var b strings.Builder
		quoteJSON(&b, a[0].(string))
		return b.String()
	})
	define("spark_json_array_length", "string -> int", func(a []any) any {
		n, _, ok := parseJSON(a[0].(string), jsonFlags{})
		if !ok || n == nil || n.kind != '[' {
			return nil
		}
		return int32(len(n.kids))
	})
	define("spark_json_keys", "string -> strings", func(a []any) any {
		n, _, ok := parseJSON(a[0].(string), jsonFlags{})
		if !ok || n == nil || n.kind != '{' {
			return nil
		}
		keys := make([]any, len(n.keys))
		for i, k := range n.keys {
			keys[i] = k
		}
		return keys
	})
	failing("spark_schema_of_json", "string, string -> string", func(a []any) (any, error) {
		s := schemaText(false, a[0].(string), splitOptions(a[1].(string)))
		if s == "" {
			return nil, raise("JAVA.JsonParseException", "the text is no JSON: "+a[0].(string))
		}
		return s, nil
	})
	// Text, type, options and time zone; the result is JSON in the form that printRead takes.
	failing("spark_read_json", "string, string, string, string -> string", func(a []any) (any, error) {
		r, err := readerFor(a[1].(string), a[2].(string), a[3].(string))
		if err != nil {
			return nil, err
		}
		return r.plain(r.json(a[0].(string)))
	})
}

// plain writes a value that was read, or fails where the mode wants that of a bad record.
func (r *reader) plain(v any, bad bool) (any, error) {
	if bad && strings.EqualFold(r.options["mode"], "FAILFAST") {
		return nil, raise("MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION", "[null]")
	}
	if v == nil {
		return nil, nil
	}
	var b strings.Builder
	writePlain(&b, v)
	return b.String(), nil
}

// pathStep is .name, ['name'], [3] or [*].
type pathStep struct {
	name  string
	index int
	all   bool
}

// parsePath reads the steps of a path behind its $.
func parsePath(path string) (steps []pathStep, ok bool) {
	rest, ok := strings.CutPrefix(path, "$")
	for ok && rest != "" {
		var s pathStep
		s.index = -1
		switch {
		case strings.HasPrefix(rest, "['"):
			s.name, rest, ok = strings.Cut(rest[2:], "']")
		case rest[0] == '[':
			var in string
			in, rest, ok = strings.Cut(rest[1:], "]")
			if s.all = in == "*"; !s.all {
				n, err := strconv.Atoi(in)
				if err != nil || n < 0 {
					return nil, false
				}
				s.index = n
			}
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			s.name, rest = rest[1:end+1], rest[end+1:]
			if s.name == "" {
				return nil, false
			}
		default:
			return nil, false
		}
		steps = append(steps, s)
	}
	return steps, ok
}

// jsonPath finds what stands at a path: text without quotes, all else as JSON; NULL if nothing does.
func jsonPath(text, path string) any {
	n, _, ok := parseJSON(text, jsonFlags{})
	steps, good := parsePath(path)
	if !ok || !good || n == nil {
		return nil
	}
	found := []*jsonNode{n}
	many := false
	for _, s := range steps {
		var next []*jsonNode
		for _, v := range found {
			switch {
			case s.all && v.kind == '[':
				many = true
				next = append(next, v.kids...)
			case s.index >= 0 && v.kind == '[' && s.index < len(v.kids):
				next = append(next, v.kids[s.index])
			case s.name != "" && v.kind == '{':
				if i := slices.Index(v.keys, s.name); i >= 0 {
					next = append(next, v.kids[i])
				}
			}
		}
		found = next
	}
	switch {
	case len(found) == 0:
		return nil
	case many && len(found) > 1:
		return (&jsonNode{kind: '[', kids: found}).String()
	case found[0].kind == 'n':
		return nil
	case found[0].kind == '"':
		return found[0].text
	}
	return found[0].String()
}

// schemaText is the type that Spark infers for a text, as DDL; empty for one that cannot be read.
func schemaText(csv bool, text string, options map[string]string) string {
	if csv {
		return csvSchema(text, options).SQL()
	}
	n, _, ok := parseJSON(text, jsonFlagsOf(options))
	if !ok || n == nil {
		return ""
	}
	t := inferred(n, strings.EqualFold(options["primitivesasstring"], "true"))
	return settled(t).SQL()
}

// inferred is the type of a JSON value; the type of null is open.
func inferred(n *jsonNode, asText bool) types.Type {
	if asText && strings.IndexByte("\"0tf", n.kind) >= 0 {
		return types.Of(types.String)
	}
	switch n.kind {
	case 't', 'f':
		return types.Of(types.Boolean)
	case '0':
		v, ok := n.whole()
		switch {
		case ok && v.IsInt64():
			return types.Of(types.Long)
		case ok && len(v.String()) <= maxPrecision:
			return types.DecimalOf(len(strings.TrimPrefix(v.String(), "-")), 0)
		}
		return types.Of(types.Double)
	case '"':
		return types.Of(types.String)
	case '[':
		var e types.Type
		for _, k := range n.kids {
			e = either(e, inferred(k, asText))
		}
		return types.ArrayOf(e, true)
	case '{':
		byName := map[string]types.Type{}
		for i, k := range n.keys {
			byName[k] = either(byName[k], inferred(n.kids[i], asText))
		}
		return structOf(byName)
	}
	return types.Type{}
}

func structOf(byName map[string]types.Type) types.Type {
	names := make([]string, 0, len(byName))
	for n := range byName {
		names = append(names, n)
	}
	sort.Strings(names)
	fields := make([]types.Field, len(names))
	for i, n := range names {
		fields[i] = types.Field{Name: n, Type: byName[n], Nullable: true}
	}
	return types.StructOf(fields...)
}

// either is the type that holds what two JSON values hold: text, if nothing else does.
func either(a, b types.Type) types.Type {
	switch {
	case a.Kind == types.Null:
		return b
	case b.Kind == types.Null || a.Equal(b):
		return a
	case a.Kind == types.Struct && b.Kind == types.Struct:
		byName := map[string]types.Type{}
		for _, f := range slices.Concat(a.Fields, b.Fields) {
			byName[f.Name] = either(byName[f.Name], f.Type)
		}
		return structOf(byName)
	case a.Kind == types.Array && b.Kind == types.Array:
		return types.ArrayOf(either(*a.Elem, *b.Elem), true)
	case a.IsNumeric() && b.IsNumeric():
		return commonNumber(0, a, b)
	}
	return types.Of(types.String)
}

// settled makes text of what is open.
func settled(t types.Type) types.Type {
	switch t.Kind {
	case types.Null:
		return types.Of(types.String)
	case types.Array:
		return types.ArrayOf(settled(*t.Elem), true)
	case types.Struct:
		fields := slices.Clone(t.Fields)
		for i := range fields {
			fields[i].Type = settled(fields[i].Type)
		}
		return types.StructOf(fields...)
	}
	return t
}
