package main

import (
	"encoding/base64"
	"fmt"
	"sort"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// Spark's tests record rows as Hive prints them: tabs between columns, JSON-like nested values.

// format is how a session shows values.
type format struct {
	zone   *time.Location
	binary string // spark.sql.binaryOutputStyle
}

// line is one row.
func (f format) line(schema types.Type, row []any) string {
	parts := make([]string, len(row))
	for i, v := range row {
		parts[i] = f.cell(schema.Fields[i].Type, v, false)
	}
	return strings.Join(parts, "\t")
}

func (f format) cell(t types.Type, v any, nested bool) string {
	switch {
	case v == nil && nested:
		return "null"
	case v == nil:
		return "NULL"
	}
	switch t.Kind {
	case types.String:
		if nested {
			return `"` + fmt.Sprint(v) + `"`
		}
	case types.Binary:
		if b, ok := v.([]byte); ok {
			return f.bytes(b)
		}
	case types.YearMonthInterval:
		if m, ok := v.(int64); ok {
			sign, m := signed(m)
			return fmt.Sprintf("%s%d-%d", sign, m/12, m%12)
		}
	case types.DayTimeInterval:
		if u, ok := v.(int64); ok {
			sign, u := signed(u)
			return fmt.Sprintf("%s%d %02d:%02d:%02d.%09d", sign, u/86400e6, u/3600e6%24, u/60e6%60, u/1e6%60, u%1e6*1000)
		}
	case types.Array:
		return "[" + strings.Join(f.cells(v, func(int) types.Type { return *t.Elem }), ",") + "]"
	case types.Struct:
		parts := f.cells(v, func(i int) types.Type { return t.Fields[i].Type })
		for i := range parts {
			parts[i] = `"` + t.Fields[i].Name + `":` + parts[i]
		}
		return "{" + strings.Join(parts, ",") + "}"
	case types.Map:
		entries, _ := v.([]types.Entry)
		parts := make([]string, len(entries))
		for i, e := range entries {
			parts[i] = f.cell(*t.Key, e.Key, true) + ":" + f.cell(*t.Value, e.Value, true)
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return types.Text(t, v, f.zone)
}

func (f format) cells(v any, t func(int) types.Type) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = f.cell(t(i), x, true)
	}
	return out
}

func signed(n int64) (string, uint64) {
	if n < 0 {
		return "-", -uint64(n)
	}
	return "", uint64(n)
}

func (f format) bytes(b []byte) string {
	switch strings.ToUpper(f.binary) {
	case "HEX":
		return fmt.Sprintf("%X", b)
	case "HEX_DISCRETE":
		return fmt.Sprintf("[% X]", b)
	case "BASE64":
		return base64.RawStdEncoding.EncodeToString(b)
	case "BASIC":
		parts := make([]string, len(b))
		for i, x := range b {
			parts[i] = fmt.Sprint(int8(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return string(b)
}
