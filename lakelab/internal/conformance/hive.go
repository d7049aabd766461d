package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// Spark's tests record rows as Hive prints them: tabs between columns, JSON-like nested values.

// line is one row.
func line(schema types.Type, row []any, zone *time.Location) string {
	parts := make([]string, len(row))
	for i, v := range row {
		parts[i] = cell(schema.Fields[i].Type, v, false, zone)
	}
	return strings.Join(parts, "\t")
}

func cell(t types.Type, v any, nested bool, zone *time.Location) string {
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
			return string(b)
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
		return "[" + strings.Join(cells(v, func(int) types.Type { return *t.Elem }, zone), ",") + "]"
	case types.Struct:
		parts := cells(v, func(i int) types.Type { return t.Fields[i].Type }, zone)
		for i := range parts {
			parts[i] = `"` + t.Fields[i].Name + `":` + parts[i]
		}
		return "{" + strings.Join(parts, ",") + "}"
	case types.Map:
		entries, _ := v.([]types.Entry)
		parts := make([]string, len(entries))
		for i, e := range entries {
			parts[i] = cell(*t.Key, e.Key, true, zone) + ":" + cell(*t.Value, e.Value, true, zone)
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return types.Text(t, v, zone)
}

func cells(v any, t func(int) types.Type, zone *time.Location) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = cell(t(i), x, true, zone)
	}
	return out
}

func signed(n int64) (string, uint64) {
	if n < 0 {
		return "-", -uint64(n)
	}
	return "", uint64(n)
}
