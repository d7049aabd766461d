package types

import (
	"fmt"
	"strings"
	"time"
)

// TrinoValue is a value as trino-cli shows it.
func TrinoValue(t Type, v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case []byte:
		return fmt.Sprintf("% x", v)
	case string:
		if t.Kind == Char {
			return v + strings.Repeat(" ", max(t.Precision-len([]rune(v)), 0))
		}
		return v
	case Micros:
		if t.Kind != Timestamp {
			return time.UnixMicro(int64(v)).UTC().Format(clockLayout("2006-01-02 15:04:05", t))
		}
		zone := t.Zone
		if zone == "" {
			zone = "UTC"
		}
		return time.UnixMicro(int64(v)).In(Location(zone)).Format(clockLayout("2006-01-02 15:04:05", t)) + " " + zone
	case Picos, Clock:
		return PicosText(t, v, t.Digits())
	case int64:
		switch t.Kind {
		case Time:
			return time.UnixMicro(v).UTC().Format(clockLayout("15:04:05", t))
		case DayTimeInterval:
			return TrinoDayTime(v)
		case YearMonthInterval:
			sign := ""
			if v < 0 {
				sign, v = "-", -v
			}
			return fmt.Sprintf("%s%d-%d", sign, v/12, v%12)
		}
	case []Entry:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = TrinoValue(*t.Key, e.Key) + "=" + TrinoValue(*t.Value, e.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			if t.Kind != Struct {
				parts[i] = TrinoValue(*t.Elem, x)
				continue
			}
			parts[i] = TrinoValue(t.Fields[i].Type, x)
			if name := t.Fields[i].Name; name != "" {
				parts[i] = name + "=" + parts[i]
			}
		}
		if t.Kind == Struct {
			return "{" + strings.Join(parts, ", ") + "}"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return Text(t, v, nil)
}

// clockLayout adds a type's digits of a fraction to a layout.
func clockLayout(layout string, t Type) string {
	if t.Digits() > 0 {
		layout += "." + strings.Repeat("0", min(t.Digits(), 9))
	}
	return layout
}

// TrinoDayTime is an interval of days and parts of days in Trino's form: 1 02:03:04.000.
func TrinoDayTime(us int64) string {
	sign := ""
	if us < 0 {
		sign, us = "-", -us
	}
	ms := us / 1000
	return fmt.Sprintf("%s%d %02d:%02d:%02d.%03d", sign, ms/86400000, ms/3600000%24, ms/60000%60, ms/1000%60, ms%1000)
}
