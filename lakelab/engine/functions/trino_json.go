package functions

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/jsonpath"
	"mini-lakehouse-lab/lakelab/types"
)

// canonicalJSON is a JSON text as Trino's type json holds it: without blanks, with the keys of objects in order.
func canonicalJSON(text string) (string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("more than one value")
	}
	var b strings.Builder
	writeJSON(&b, v)
	return b.String(), nil
}

// writeJSON writes a decoded value.
func writeJSON(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsonpath.Quote(k))
			b.WriteByte(':')
			writeJSON(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, x)
		}
		b.WriteByte(']')
	case string:
		b.WriteString(jsonpath.Quote(v))
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(string(v), ".eE") {
			b.WriteString(types.Text(types.Of(types.Double), f, nil))
		} else {
			b.WriteString(string(v))
		}
	case bool:
		if v {
			b.WriteString("true")
		} else {
			b.WriteString("false")
		}
	default:
		b.WriteString("null")
	}
}
