package lake

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// String is a condition as Iceberg's messages have it: ref(name="id") == 20.
func (c *Condition) String() string {
	if c == nil {
		return "true"
	}
	ref := fmt.Sprintf("ref(name=%q)", strings.Join(c.Column, "."))
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		values[i] = constantText(v)
	}
	switch c.Op {
	case "and", "or":
		text := c.Of[0].String()
		for i := range c.Of[1:] {
			text = "(" + text + " " + c.Op + " " + c.Of[i+1].String() + ")"
		}
		return text
	case "not":
		switch of := &c.Of[0]; of.Op {
		case "=":
			return strings.Replace(of.String(), " == ", " != ", 1)
		case "null":
			return "not_" + of.String()[len("is_"):]
		case "never":
			return "true"
		default:
			return "not(" + of.String() + ")"
		}
	case "never":
		return "false"
	case "null":
		return "is_null(" + ref + ")"
	case "in":
		return ref + " in (" + strings.Join(values, ", ") + ")"
	case "starts":
		return ref + " startsWith " + values[0]
	case "=":
		return ref + " == " + values[0]
	case "<", "<=", ">", ">=":
		return ref + " " + c.Op + " " + values[0]
	}
	return c.Op
}

// constantText is a constant in a condition; times are numbers there.
func constantText(v any) string {
	switch v := v.(type) {
	case string:
		return `"` + v + `"`
	case types.Days:
		return fmt.Sprint(int64(v))
	case types.Micros:
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprint(v)
}
