package types

import (
	"strconv"
	"strings"
)

// Trino's types have lengths and precisions where Spark's have none. The zero Precision stands for what Spark and Iceberg have:
// text without a bound, and microseconds.

const microDigits = 6

// VarcharOf returns Trino's varchar(n).
func VarcharOf(n int) Type { return Type{Kind: String, Precision: n + 1} }

// CharOf returns Trino's char(n).
func CharOf(n int) Type { return Type{Kind: Char, Precision: n} }

// Length is the greatest number of characters of a String or Char; false if there is none.
func (t Type) Length() (int, bool) {
	if t.Kind == Char {
		return t.Precision, true
	}
	return t.Precision - 1, t.Precision > 0
}

// TemporalOf returns Trino's timestamp(digits), time(digits), timestamp(digits) with time zone (Timestamp) or time(digits) with time
// zone (TimeTZ).
func TemporalOf(k Kind, digits int) Type { return Type{Kind: k, Precision: digits - microDigits} }

// InPicos reports whether the type's values are carried in picoseconds, as Picos or Clock: Trino's temporal types have up to twelve
// digits of a fraction, DuckDB's and Iceberg's six.
func (t Type) InPicos() bool {
	switch t.Kind {
	case Timestamp, TimestampNTZ, Time:
		return t.Digits() > microDigits
	}
	return t.Kind == TimeTZ
}

// Digits is the number of digits of a temporal type's fraction of a second.
func (t Type) Digits() int { return t.Precision + microDigits }

// InZone returns a Timestamp whose values are shown in a zone.
func (t Type) InZone(zone string) Type {
	t.Zone = zone
	return t
}

// trinoNames are Trino's names of the types, without parameters.
var trinoNames = map[Kind]string{
	Null: "unknown", Boolean: "boolean", Byte: "tinyint", Short: "smallint", Int: "integer", Long: "bigint", Float: "real", Double: "double",
	Decimal: "decimal", String: "varchar", Binary: "varbinary", Date: "date", Timestamp: "timestamp with time zone", TimestampNTZ: "timestamp",
	Time: "time", TimeTZ: "time with time zone", UUID: "uuid", Char: "char", JSON: "json", IPAddress: "ipaddress", DayTimeInterval: "interval day to second",
	YearMonthInterval: "interval year to month", CalendarInterval: "interval day to second", Array: "array", Map: "map", Struct: "row",
}

// TrinoBase is Trino's name of the type without its parameters.
func (t Type) TrinoBase() string { return trinoNames[t.Kind] }

// Trino is the type as Trino's DESCRIBE, typeof() and messages spell it: decimal(10,2).
func (t Type) Trino() string { return t.TrinoText(TrinoSpelling{Comma: ","}) }

// TrinoSpelling says how TrinoText spells a type.
type TrinoSpelling struct {
	Comma string // between a decimal's numbers
	// NoDigits leaves out the digits of temporal types, for clients that know only milliseconds.
	NoDigits bool
	// Quote puts row fields that are no plain names in quotes, and interval types in capitals: the spelling of results.
	Quote bool
}

// TrinoText spells the type as Trino does.
func (t Type) TrinoText(s TrinoSpelling) string {
	switch t.Kind {
	case Timestamp, TimeTZ:
		if !s.NoDigits {
			name, zone, _ := strings.Cut(trinoNames[t.Kind], " ")
			return name + "(" + strconv.Itoa(t.Digits()) + ") " + zone
		}
	case TimestampNTZ, Time:
		if !s.NoDigits {
			return trinoNames[t.Kind] + "(" + strconv.Itoa(t.Digits()) + ")"
		}
	case String, Char:
		if n, bounded := t.Length(); bounded {
			return trinoNames[t.Kind] + "(" + strconv.Itoa(n) + ")"
		}
	case DayTimeInterval, YearMonthInterval, CalendarInterval:
		if s.Quote {
			return strings.ToUpper(trinoNames[t.Kind])
		}
	case Decimal:
		return "decimal(" + strconv.Itoa(t.Precision) + s.Comma + strconv.Itoa(t.Scale) + ")"
	case Array:
		return "array(" + t.Elem.TrinoText(s) + ")"
	case Map:
		return "map(" + t.Key.TrinoText(s) + ", " + t.Value.TrinoText(s) + ")"
	case Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = f.Type.TrinoText(s)
			if f.Name != "" {
				name := f.Name
				if s.Quote && !plainName(name) {
					name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
				}
				parts[i] = name + " " + parts[i]
			}
		}
		return "row(" + strings.Join(parts, ", ") + ")"
	}
	return trinoNames[t.Kind]
}

// plainName reports whether a name needs no quotes inside of a type.
func plainName(s string) bool {
	for i, c := range s {
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z'; !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}
