package functions

import (
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// textOf prints the cast to string of a value, as Spark writes it. NULL inside a collection is "null".
func textOf(t types.Type, s string) string { return textAt(t, s, 0) }

// textAt names its lambda parameters by depth, since one may stand inside another.
func textAt(t types.Type, s string, depth int) string {
	inner := func(t types.Type, s string) string { return "coalesce(" + textAt(t, s, depth+1) + ", 'null')" }
	p := "_e" + itoa(depth)
	switch t.Kind {
	case types.Null:
		return "CAST(NULL AS VARCHAR)"
	case types.String:
		return s
	case types.Float, types.Double:
		// Between 1e-3 and 1e7 both write a number alike.
		return let(s, func(v string) string {
			return "CASE WHEN " + v + " = 0 OR abs(" + v + ") >= 1e-3 AND abs(" + v + ") < 1e7 THEN CAST(" + v + " AS VARCHAR) ELSE spark_" + t.SimpleString() + "_text(" + v + ") END"
		})
	case types.Binary:
		return "spark_text(" + s + ")"
	case types.Date:
		return let(s, func(v string) string {
			return "CASE WHEN " + v + " BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN CAST(" + v + " AS VARCHAR) ELSE spark_date_text(CAST(" + v + " - DATE '1970-01-01' AS INTEGER)) END"
		})
	case types.Timestamp:
		return "CAST(CAST(" + s + " AS TIMESTAMP) AS VARCHAR)"
	case types.Decimal:
		// DuckDB leaves out the 0 in front of a decimal that has no other digits there.
		if t.Precision == t.Scale && t.Precision < maxPrecision {
			s = "CAST(" + s + " AS DECIMAL(" + itoa(t.Precision+1) + ", " + itoa(t.Scale) + "))"
		} else if t.Precision == t.Scale {
			return let(s, func(v string) string {
				return "replace(replace('x' || CAST(" + v + " AS VARCHAR), 'x-.', '-0.'), 'x.', '0.')"
			})
		}
		return "CAST(" + s + " AS VARCHAR)"
	case types.CalendarInterval:
		return let(s, func(v string) string {
			return "spark_calendar_text(CAST(year(" + v + ") * 12 + month(" + v + ") AS BIGINT), CAST(day(" + v + ") AS BIGINT), CAST(hour(" + v + ") * 3600000000 + minute(" + v + ") * 60000000 + microsecond(" + v + ") AS BIGINT))"
		})
	case types.DayTimeInterval, types.YearMonthInterval:
		return "spark_interval_text(" + s + ", " + itoa(int(t.Kind)) + ", " + itoa(t.From) + ", " + itoa(t.To) + ")"
	case types.Array:
		return "('[' || array_to_string(list_transform(" + s + ", lambda " + p + ": " + inner(*t.Elem, p) + "), ', ') || ']')"
	case types.Map:
		return "('{' || array_to_string(list_transform(map_entries(" + s + "), lambda " + p + ": " + textAt(*t.Key, p+".key", depth+1) + " || ' -> ' || " + inner(*t.Value, p+".value") + "), ', ') || '}')"
	case types.Struct:
		return let(s, func(v string) string {
			out := "CASE WHEN " + v + " IS NOT NULL THEN '{'"
			for i, f := range t.Fields {
				if i > 0 {
					out += " || ', '"
				}
				out += " || " + inner(f.Type, fieldAt(v, i))
			}
			return out + " || '}' END"
		})
	}
	return "CAST(" + s + " AS VARCHAR)"
}

func fieldAt(s string, i int) string { return "struct_extract_at(" + s + ", " + itoa(i+1) + ")" }

func init() {
	for _, k := range []types.Kind{types.Float, types.Double} {
		define("spark_"+types.Of(k).SimpleString()+"_text", types.Of(k).SimpleString()+" -> string", func(a []any) any { return types.Text(types.Of(k), a[0], nil) })
	}
	define("spark_date_text", "int -> string", func(a []any) any { return types.Text(types.Of(types.Date), types.Days(a[0].(int32)), nil) })
	define("spark_calendar_text", "long, long, long -> string", func(a []any) any {
		return types.Text(types.Of(types.CalendarInterval), types.Interval{Months: int32(a[0].(int64)), Days: int32(a[1].(int64)), Micros: a[2].(int64)}, nil)
	})
	define("spark_interval_text", "long, int, int, int -> string", func(a []any) any {
		t := types.Type{Kind: types.Kind(a[1].(int32)), From: int(a[2].(int32)), To: int(a[3].(int32))}
		return types.Text(t, a[0].(int64), nil)
	})
	define("spark_to_date", "string -> date", func(a []any) any {
		t, ok := parseDate(a[0].(string))
		if !ok {
			return nil
		}
		return t
	})
	define("spark_to_timestamp", "string, string -> timestamp", func(a []any) any {
		t, zoned, ok := parseTimestamp(a[0].(string))
		if !ok {
			return nil
		}
		if !zoned {
			t = inZone(t, a[1].(string))
		}
		return t
	})
	define("spark_to_timestamp_ntz", "string -> ntz", func(a []any) any {
		t, _, ok := wallClock(a[0].(string))
		if !ok {
			return nil
		}
		return t
	})
}

// inZone reads a wall clock in a time zone.
func inZone(t time.Time, zone string) time.Time {
	loc, ok := types.Zone(zone)
	if !ok {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), loc)
}
