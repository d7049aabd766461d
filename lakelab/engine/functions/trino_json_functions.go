package functions

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
)

// Trino's functions of JSON ("JSON functions and operators").

func init() {
	trino(
		tp("json_parse", "text as json", func(c *expr.Call, a []string) string {
			return let(a[0], func(v string) string {
				return "coalesce(trino_json_parse(" + v + "), CASE WHEN " + v + " IS NOT NULL THEN " + trinoFail(c, "INVALID_FUNCTION_ARGUMENT", quote("Cannot convert value to JSON: '")+" || "+v+" || ''''") + " END)"
			})
		}),
		tr("json_format", "json as text", "$1"),
		tr("json_extract", "what stands at a path, as json", "trino_json_extract($1, $2)"), tr("json_extract_scalar", "the scalar at a path, as text", "trino_json_scalar(trino_json_extract($1, $2))"),
		tp("json_array_contains", "true if an array holds a value", func(c *expr.Call, a []string) string {
			k := trinoCaster{c: &expr.Cast{X: c.Args[1]}}
			return "trino_json_contains(" + a[0] + ", " + k.toJSON(c.Args[1].Type(), a[1]) + ")"
		}),
		tr("json_array_get", "element of an array, from 0", "trino_json_get($1, $2)"),
		tr("json_array_length", "number of elements of an array", "trino_json_length($1)"),
		tr("json_size", "number of members of what stands at a path", "trino_json_size(trino_json_extract($1, $2))"),
		tr("is_json_scalar", "true unless an array or an object", "($1[1] NOT IN ('[', '{'))"),
	)
	failing("trino_json_extract", "string, string -> string", func(a []any) (any, error) {
		path, err := trinoJSONPath(a[1].(string))
		if err != nil {
			return nil, err
		}
		return extractJSON(a[0].(string), path), nil
	})
	define("trino_json_contains", "string, string -> boolean", func(a []any) any {
		var list []json.RawMessage
		if json.Unmarshal([]byte(a[0].(string)), &list) != nil {
			return nil
		}
		for _, x := range list {
			if v, err := canonicalJSON(string(x)); err == nil && v == a[1].(string) {
				return true
			}
		}
		return false
	})
	define("trino_json_get", "string, long -> string", func(a []any) any {
		var list []json.RawMessage
		i := a[1].(int64)
		if json.Unmarshal([]byte(a[0].(string)), &list) != nil {
			return nil
		}
		if i < 0 {
			i += int64(len(list))
		}
		if i < 0 || i >= int64(len(list)) || string(list[i]) == "null" {
			return nil
		}
		if s := jsonScalar(string(list[i])); s != nil {
			return s
		}
		return string(list[i])
	})
	define("trino_json_length", "string -> long", func(a []any) any {
		var list []json.RawMessage
		if json.Unmarshal([]byte(a[0].(string)), &list) != nil || list == nil {
			return nil
		}
		return int64(len(list))
	})
	define("trino_json_size", "string -> long", func(a []any) any {
		text := a[0].(string)
		if keys, _, ok := jsonMembers(text); ok {
			return int64(len(keys))
		}
		var list []json.RawMessage
		if json.Unmarshal([]byte(text), &list) == nil {
			return int64(len(list))
		}
		return int64(0)
	})
}

var jsonStep = regexp.MustCompile(`^(?:\.([\p{L}\p{Nd}_:]+)|\["((?:[^"\\]|\\.)*)"\]|\[([\p{L}\p{Nd}_]+)\])`)

// trinoJSONPath reads a path such as $.a.b[0] or $["a"]: its steps, each the name of a member or the place of an element.
func trinoJSONPath(s string) ([]string, error) {
	bad := badArgument("Invalid JSON path: '" + s + "'")
	rest, ok := strings.CutPrefix(s, "$")
	if !ok {
		return nil, bad
	}
	var out []string
	for rest != "" {
		m := jsonStep.FindStringSubmatch(rest)
		switch {
		case m == nil:
			return nil, bad
		case m[1]+m[3] != "":
			out = append(out, m[1]+m[3])
		default:
			out = append(out, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(m[2]))
		}
		rest = rest[len(m[0]):]
	}
	return out, nil
}

// extractJSON is the canonical text of what stands at a path; nil if there is nothing, or the text is no JSON.
func extractJSON(text string, path []string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			member, ok := x[p]
			if !ok {
				return nil
			}
			v = member
		case []any:
			i, err := strconv.Atoi(p)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default: // of anything else there are no members
			return nil
		}
	}
	var b strings.Builder
	writeJSON(&b, v)
	return b.String()
}
