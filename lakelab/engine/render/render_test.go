package render

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/types"
)

// clientValue is a JSON value of tables.json in the form in which a Trino client hands it over.
func clientValue(typ string, v any) any {
	switch v := v.(type) {
	case string:
		if strings.Contains(typ, "varbinary") {
			b, _ := base64.StdEncoding.DecodeString(v)
			return b
		}
		if typ == "double" {
			f, _ := strconv.ParseFloat(v, 64) // NaN and the infinities
			return f
		}
	case json.Number:
		if strings.Contains(typ, "double") {
			f, _ := v.Float64()
			return f
		}
		n, _ := v.Int64()
		return n
	case []any:
		for i := range v {
			v[i] = clientValue(typ, v[i])
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		entries := []types.Entry{}
		for _, k := range keys {
			entries = append(entries, types.Entry{Key: k, Value: clientValue(typ, v[k])})
		}
		return entries
	}
	return v
}

// The expected texts are pandas' own: see testdata/record.py.
func TestTableIsPandas(t *testing.T) {
	data, err := os.ReadFile("testdata/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name           string
		Columns, Types []string
		Rows           [][]any
		MaxRows        int
		Text           string
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for _, r := range c.Rows {
				for j := range r {
					r[j] = clientValue(c.Types[j], r[j])
				}
			}
			if _, text := Table(c.Columns, c.Types, c.Rows, Options{MaxRows: c.MaxRows}); text != c.Text {
				t.Errorf("got\n%s\nwant\n%s", text, c.Text)
			}
		})
	}
}
