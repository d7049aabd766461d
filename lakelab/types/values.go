package types

// Values travel in these Go forms, in the engine, on the wire and in a cell's Row:
//
//	Boolean bool · Byte..Long int64 · Float float32 · Double float64 · Decimal Dec · String string · Binary []byte
//	Date Days · Timestamp, TimestampNTZ Micros · Time, DayTimeInterval int64 (microseconds) · YearMonthInterval int64 (months)
//	the temporal types with more than six digits of a fraction (InPicos) Picos · TimeTZ Clock ·
//	CalendarInterval Interval · Array []any · Map []Entry (insertion order) · Struct []any (by position) · UUID string · NULL nil

// Dec is a decimal's plain text with exactly the type's scale, such as "-12.50". It never has an exponent.
type Dec string

// Days counts days since 1970-01-01.
type Days int32

// Micros counts microseconds since 1970-01-01 00:00:00 (UTC for Timestamp, wall clock for TimestampNTZ).
type Micros int64

// Picos is a point in time, or a time of day, with the picoseconds behind its microseconds: 0 to 999999.
type Picos struct {
	Micros Micros
	Rest   int32
}

// Clock is a time of day with its offset from UTC: its picoseconds since midnight, and the offset in minutes.
type Clock struct {
	Picos  int64
	Offset int32
}

// Interval is a calendar interval: its parts don't convert into each other.
type Interval struct {
	Months, Days int32
	Micros       int64
}

// Entry is a key and its value in a map.
type Entry struct{ Key, Value any }
