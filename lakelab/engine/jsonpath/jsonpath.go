// Package jsonpath reads and evaluates the SQL standard's JSON paths (ISO/IEC 9075-2, "SQL/JSON path language"; Trino's "JSON functions and
// operators").
//
// Package sql parses a path when it reads a statement, so that errors have a place; package functions evaluates it over a JSON text for
// json_exists, json_value, json_query and JSON_TABLE. A value is one of nil, bool, string, int64, *big.Int, float64, Decimal, []any and
// Object.
package jsonpath

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Object is a JSON object with its members in order.
type Object []Member

// Member is one of an object's members.
type Member struct {
	Key   string
	Value any
}

// Get finds a member; of several with one key the last counts.
func (o Object) Get(key string) (any, bool) {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Key == key {
			return o[i].Value, true
		}
	}
	return nil, false
}

// Decimal is an exact number with digits behind its point. JSON has none; paths do.
type Decimal struct {
	Unscaled *big.Int
	Scale    int
}

// String writes the number without an exponent.
func (d Decimal) String() string {
	s, sign := d.Unscaled.String(), ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		s, sign = rest, "-"
	}
	if d.Scale == 0 {
		return sign + s
	}
	if len(s) <= d.Scale {
		s = strings.Repeat("0", d.Scale-len(s)+1) + s
	}
	return sign + s[:len(s)-d.Scale] + "." + s[len(s)-d.Scale:]
}

// Decode reads a JSON text.
func Decode(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := decode(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return v, nil
}

func decode(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			list := []any{}
			for d.More() {
				v, err := decode(d)
				if err != nil {
					return nil, err
				}
				list = append(list, v)
			}
			_, err := d.Token()
			return list, err
		}
		o := Object{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := decode(d)
			if err != nil {
				return nil, err
			}
			if i := o.place(k.(string)); i >= 0 {
				o[i].Value = v
			} else {
				o = append(o, Member{k.(string), v})
			}
		}
		_, err := d.Token()
		return o, err
	case json.Number:
		return number(string(t)), nil
	}
	return t, nil // bool, string, nil
}

func (o Object) place(key string) int {
	for i := range o {
		if o[i].Key == key {
			return i
		}
	}
	return -1
}

// number reads a JSON number: a whole one, or a double.
func number(s string) any {
	if !strings.ContainsAny(s, ".eE") {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
		if n, ok := new(big.Int).SetString(s, 10); ok {
			return n
		}
	}
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// Encode writes a value as JSON.
func Encode(v any) string {
	var b strings.Builder
	encode(&b, v)
	return b.String()
}

func encode(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			encode(b, x)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(Quote(m.Key))
			b.WriteByte(':')
			encode(b, m.Value)
		}
		b.WriteByte('}')
	case string:
		b.WriteString(Quote(v))
	case float64:
		b.WriteString(types.Text(types.Of(types.Double), v, nil))
	default: // bool, int64, *big.Int, Decimal
		fmt.Fprint(b, v)
	}
}

// Quote writes a text as a JSON string.
func Quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
