// Package types holds Spark SQL's data types and the Go values that carry them.
//
// The engine resolves and prints queries with these types, the wire protocol carries them,
// and a cell reads them from DataFrame.Schema. It imports the standard library only, because
// cells link it. Names and texts follow Spark's "Data Types" page: SimpleString is what
// DataFrame.dtypes shows (`decimal(10,2)`), SQL is what DDL and error messages show
// (`DECIMAL(10,2)`), TypeName is what printSchema shows (`long`, `timestamp_ntz`).
package types

import (
	"strconv"
	"strings"
)

// Kind tells the types apart.
type Kind uint8

// The kinds of Spark's types, and those that only Trino has, from Time on.
const (
	Null Kind = iota
	Boolean
	Byte
	Short
	Int
	Long
	Float
	Double
	Decimal
	String
	Binary
	Date
	Timestamp    // an instant, shown in the session's time zone (DuckDB TIMESTAMPTZ)
	TimestampNTZ // a wall-clock time without a zone (DuckDB TIMESTAMP)
	YearMonthInterval
	DayTimeInterval
	CalendarInterval
	Array
	Map
	Struct
	Time
	UUID
	Char      // Precision is its length
	JSON      // its text
	IPAddress // its text; in DuckDB its 16 bytes, by which addresses are ordered
	TimeTZ    // a time of day with its own offset from UTC
)

// Interval fields, in the order of their size; they bound the two ANSI interval types.
const (
	Year = iota
	Month
	Day
	Hour
	Minute
	Second
)

// Type is a data type. The zero value is Spark's NullType (VOID).
type Type struct {
	Kind      Kind
	Precision int // Decimal: 1..38; String, Char and temporal types: see Length and Digits
	Scale     int // Decimal: 0..Precision
	// Zone is set for a Timestamp whose values Trino shows in a zone of their own, and no part of the type's identity.
	Zone     string
	From, To int // interval types: first and last field
	Elem     *Type
	Key      *Type // Map
	Value    *Type // Map
	// ElemNull says whether an array's elements or a map's values may be NULL.
	ElemNull bool
	Fields   []Field // Struct
}

// Field is a column, or a field of a struct.
type Field struct {
	Name     string
	Type     Type
	Nullable bool
	Comment  string
	// Lengths is the type as its table declares it, with Char and bounded String where Spark's queries see STRING; nil if it has none.
	Lengths *Type
}

// Of returns the type of a kind that has no parameters.
func Of(k Kind) Type { return Type{Kind: k} }

// DecimalOf returns DECIMAL(precision, scale).
func DecimalOf(precision, scale int) Type {
	return Type{Kind: Decimal, Precision: precision, Scale: scale}
}

// ArrayOf returns ARRAY<elem>.
func ArrayOf(elem Type, containsNull bool) Type {
	return Type{Kind: Array, Elem: &elem, ElemNull: containsNull}
}

// MapOf returns MAP<key, value>.
func MapOf(key, value Type, valueContainsNull bool) Type {
	return Type{Kind: Map, Key: &key, Value: &value, ElemNull: valueContainsNull}
}

// StructOf returns STRUCT<fields>.
func StructOf(fields ...Field) Type { return Type{Kind: Struct, Fields: fields} }

// DayTime returns INTERVAL from TO to, with Day..Second.
func DayTime(from, to int) Type { return Type{Kind: DayTimeInterval, From: from, To: to} }

// YearMonth returns INTERVAL from TO to, with Year..Month.
func YearMonth(from, to int) Type { return Type{Kind: YearMonthInterval, From: from, To: to} }

// Equal reports whether two types are the same, nullability and comments aside.
// Struct field names are compared as they are spelled.
func (t Type) Equal(o Type) bool {
	if t.Kind != o.Kind || t.Precision != o.Precision || t.Scale != o.Scale || t.From != o.From || t.To != o.To || len(t.Fields) != len(o.Fields) {
		return false
	}
	switch t.Kind {
	case Array:
		return t.Elem.Equal(*o.Elem)
	case Map:
		return t.Key.Equal(*o.Key) && t.Value.Equal(*o.Value)
	case Struct:
		for i, f := range t.Fields {
			if f.Name != o.Fields[i].Name || !f.Type.Equal(o.Fields[i].Type) {
				return false
			}
		}
	}
	return true
}

// SameParts reports whether two types are equal but for the names of their fields.
func (t Type) SameParts(o Type) bool { return t.unnamed().Equal(o.unnamed()) }

// unnamed is a type whose fields have no names.
func (t Type) unnamed() Type {
	switch t.Kind {
	case Array:
		return ArrayOf(t.Elem.unnamed(), t.ElemNull)
	case Map:
		return MapOf(t.Key.unnamed(), t.Value.unnamed(), t.ElemNull)
	case Struct:
		fields := make([]Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = Field{Type: f.Type.unnamed(), Nullable: f.Nullable}
		}
		return StructOf(fields...)
	}
	return t
}

// IsIntegral reports whether t is one of Spark's four integer types.
func (t Type) IsIntegral() bool { return t.Kind >= Byte && t.Kind <= Long }

// IsNumeric reports whether t is an integer, a decimal or a floating-point type.
func (t Type) IsNumeric() bool { return t.Kind >= Byte && t.Kind <= Decimal }

var names = [...]struct{ simple, sql, tree string }{
	Null: {"void", "VOID", "void"}, Boolean: {"boolean", "BOOLEAN", "boolean"}, Byte: {"tinyint", "TINYINT", "byte"},
	Short: {"smallint", "SMALLINT", "short"}, Int: {"int", "INT", "integer"}, Long: {"bigint", "BIGINT", "long"},
	Float: {"float", "FLOAT", "float"}, Double: {"double", "DOUBLE", "double"}, Decimal: {"decimal", "DECIMAL", "decimal"},
	String: {"string", "STRING", "string"}, Binary: {"binary", "BINARY", "binary"}, Date: {"date", "DATE", "date"},
	Timestamp: {"timestamp", "TIMESTAMP", "timestamp"}, TimestampNTZ: {"timestamp_ntz", "TIMESTAMP_NTZ", "timestamp_ntz"},
	CalendarInterval: {"interval", "INTERVAL", "interval"}, Array: {"array", "ARRAY", "array"}, Map: {"map", "MAP", "map"},
	Struct: {"struct", "STRUCT", "struct"}, Time: {"time", "TIME", "time"}, UUID: {"uuid", "UUID", "uuid"},
	Char: {"char", "CHAR", "char"}, JSON: {"json", "JSON", "json"}, IPAddress: {"ipaddress", "IPADDRESS", "ipaddress"},
	TimeTZ: {"time with time zone", "TIME WITH TIME ZONE", "time with time zone"},
}

var fieldNames = [...]string{"year", "month", "day", "hour", "minute", "second"}

func (t Type) interval() string {
	s := "interval " + fieldNames[t.From]
	if t.To != t.From {
		s += " to " + fieldNames[t.To]
	}
	return s
}

// SimpleString is the type as DataFrame.dtypes and typeof() show it.
func (t Type) SimpleString() string { return t.simple(false) }

// simple spells a type; lengths says whether texts show theirs.
func (t Type) simple(lengths bool) string {
	switch t.Kind {
	case Decimal:
		return "decimal(" + strconv.Itoa(t.Precision) + "," + strconv.Itoa(t.Scale) + ")"
	case YearMonthInterval, DayTimeInterval:
		return t.interval()
	case Array:
		return "array<" + t.Elem.simple(lengths) + ">"
	case Map:
		return "map<" + t.Key.simple(lengths) + "," + t.Value.simple(lengths) + ">"
	case Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = f.Name + ":" + f.Type.simple(lengths)
		}
		return "struct<" + strings.Join(parts, ",") + ">"
	case Char, String:
		if s := t.bounded(); s != "" && lengths {
			return s
		}
	}
	return names[t.Kind].simple
}

// SQL is the type as DDL and Spark's error messages spell it.
func (t Type) SQL() string { return t.sql(false) }

// sql is simple for DDL.
func (t Type) sql(lengths bool) string {
	switch t.Kind {
	case Decimal, YearMonthInterval, DayTimeInterval:
		return strings.ToUpper(t.SimpleString())
	case Array:
		return "ARRAY<" + t.Elem.sql(lengths) + ">"
	case Map:
		return "MAP<" + t.Key.sql(lengths) + ", " + t.Value.sql(lengths) + ">"
	case Char, String:
		if s := t.bounded(); s != "" && lengths {
			return strings.ToUpper(s)
		}
	case Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = QuoteIfNeeded(f.Name) + ": " + f.Type.sql(lengths)
			if !f.Nullable {
				parts[i] += " NOT NULL"
			}
			if f.Comment != "" {
				parts[i] += " COMMENT '" + strings.ReplaceAll(f.Comment, "'", `\'`) + "'"
			}
		}
		return "STRUCT<" + strings.Join(parts, ", ") + ">"
	}
	return names[t.Kind].sql
}

// KindSQL is the type's kind as Spark's error messages spell it, without parameters: ARRAY, DECIMAL.
func (t Type) KindSQL() string { return names[t.Kind].sql }

// TypeName is the type as printSchema shows it, without children.
func (t Type) TypeName() string {
	switch t.Kind {
	case Decimal, YearMonthInterval, DayTimeInterval:
		return t.SimpleString()
	}
	return names[t.Kind].tree
}

// String makes a type readable in %v.
func (t Type) String() string { return t.SimpleString() }

// QuoteIfNeeded puts a name in backticks unless it is a plain identifier, as Spark does in DDL and messages.
func QuoteIfNeeded(name string) string {
	plain := name != ""
	digits := true
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			plain = false
			break
		}
		digits = digits && c >= '0' && c <= '9'
	}
	if plain && !digits {
		return name
	}
	return Quote(name)
}

// Quote puts a name in backticks.
func Quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
