package functions

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	define("spark_json_path", "string, string -> string", func(a []any) any { return jsonPath(a[0].(string), a[1].(string)) })
}

var pathStep = regexp.MustCompile(`^(?:\.([^.\[\]]+)|\['([^']*)'\]|\[(\d+|\*)\])`)

// jsonPath finds what stands at a path: text without quotes, all else as JSON; NULL if nothing does.
func jsonPath(text, path string) any {
	rest, ok := strings.CutPrefix(path, "$")
	if !ok {
		return nil
	}
	found := []json.RawMessage{json.RawMessage(text)}
	many := false
	for rest != "" {
		m := pathStep.FindStringSubmatch(rest)
		if m == nil {
			return nil
		}
		rest = rest[len(m[0]):]
		var next []json.RawMessage
		for _, v := range found {
			switch {
			case m[3] != "":
				var list []json.RawMessage
				if json.Unmarshal(v, &list) != nil {
					continue
				}
				if m[3] == "*" {
					many = true
					next = append(next, list...)
				} else if i, _ := strconv.Atoi(m[3]); i < len(list) {
					next = append(next, list[i])
				}
			case m[1] == "*":
				many = true
				next = append(next, values(v)...)
			default:
				var obj map[string]json.RawMessage
				if json.Unmarshal(v, &obj) == nil {
					if x, ok := obj[m[1]+m[2]]; ok {
						next = append(next, x)
					}
				}
			}
		}
		found = next
	}
	if len(found) == 0 {
		return nil
	}
	if many && len(found) > 1 {
		parts := make([]string, len(found))
		for i, v := range found {
			parts[i] = compact(v)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	var s *string
	if json.Unmarshal(found[0], &s) == nil {
		if s == nil {
			return nil
		}
		return *s
	}
	return compact(found[0])
}

func compact(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}

// values are an object's values in their order.
func values(v json.RawMessage) []json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(v))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []json.RawMessage
	for d.More() {
		if _, err := d.Token(); err != nil {
			return nil
		}
		var x json.RawMessage
		if d.Decode(&x) != nil {
			return nil
		}
		out = append(out, x)
	}
	return out
}

// schemaOfJSON writes the type that Spark infers for a JSON text.
func schemaOfJSON(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return "STRING"
	}
	return inferred(v).SQL()
}

func inferred(v any) types.Type {
	switch v := v.(type) {
	case bool:
		return types.Of(types.Boolean)
	case json.Number:
		if _, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return types.Of(types.Long)
		}
		return types.Of(types.Double)
	case []any:
		var e types.Type
		for i, x := range v {
			t := inferred(x)
			if i == 0 {
				e = t
			} else if c, ok := CommonType(0, e, t); ok {
				e = c
			} else {
				e = types.Of(types.String)
			}
		}
		if e.Kind == types.Null {
			e = types.Of(types.String)
		}
		return types.ArrayOf(e, true)
	case map[string]any:
		names := make([]string, 0, len(v))
		for n := range v {
			names = append(names, n)
		}
		sort.Strings(names)
		fields := make([]types.Field, len(names))
		for i, n := range names {
			fields[i] = types.Field{Name: n, Type: inferred(v[n]), Nullable: true}
		}
		return types.StructOf(fields...)
	}
	return types.Of(types.String)
}
