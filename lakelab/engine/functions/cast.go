package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Cast makes an explicit cast, or says that the types don't allow one.
func Cast(d sql.Dialect, x expr.Expr, to types.Type, try bool, at token.Span) (expr.Expr, error) {
	if d == sql.Trino {
		return TrinoCast(x, to, try, at)
	}
	if !castable(x.Type(), to) {
		return nil, errclass.CannotCast(int(d), x.Type(), to, try).At(at)
	}
	c := &expr.Cast{X: x, Try: try}
	c.T, c.At = to, at
	c.Null = x.Nullable() || !try && castNullable(x.Type(), to) || try && !upcast(x.Type(), to)
	return c, nil
}

// castNullable is where Spark takes the result of a cast for nullable even if the value never is, though an ANSI cast fails in place of
// NULL.
func castNullable(from, to types.Type) bool {
	switch {
	case from.Kind == types.Null, from.Equal(to), to.Kind == types.String:
		return false
	case from.Kind == types.String:
		return to.Kind != types.Binary
	case from.Kind == types.Timestamp && to.Kind >= types.Byte && to.Kind <= types.Int, floating(from) && to.Kind == types.Timestamp:
		return true
	case to.Kind == types.Date:
		return from.Kind != types.Timestamp
	case from.Kind == types.Date:
		return to.Kind != types.Timestamp
	case to.Kind == types.CalendarInterval:
		return true
	case to.Kind == types.Decimal:
		return !holds(from, to)
	}
	return (floating(from) || from.Kind == types.Decimal) && to.IsIntegral()
}

// upcast reports whether a type holds every value of another, so that TRY_CAST has nothing to try.
func upcast(from, to types.Type) bool {
	switch {
	case from.Equal(to), interval(from) && from.Kind == to.Kind:
		return true
	case to.Kind == types.String || to.Kind == types.Binary && from.Kind == types.String:
		return from.Kind < types.Array
	case from.IsNumeric() && to.Kind == types.Decimal:
		return holds(from, to) && (from.Kind != types.Decimal || to.Scale >= from.Scale)
	case from.IsNumeric() && to.IsNumeric():
		return from.Kind != types.Decimal && from.Kind <= to.Kind
	case from.Kind == types.Date:
		return to.Kind == types.Timestamp || to.Kind == types.TimestampNTZ
	case from.Kind == types.Timestamp || from.Kind == types.TimestampNTZ:
		return to.Kind == types.Timestamp || to.Kind == types.TimestampNTZ || from.Kind == types.Timestamp && to.Kind == types.Long
	}
	return from.Kind == types.Long && to.Kind == types.Timestamp
}

// holds reports whether a decimal type has room for every value of another type, its fraction aside.
func holds(from, to types.Type) bool {
	whole := to.Precision - to.Scale
	switch {
	case from.Kind == types.Boolean:
		return whole >= 1
	case from.IsIntegral():
		return whole >= decimalOfType(from).Precision
	case from.Kind == types.Decimal:
		room := from.Precision - from.Scale
		return whole > room || whole == room && to.Scale >= from.Scale
	}
	return false
}

// castable is Spark's table of ANSI casts.
func castable(from, to types.Type) bool {
	if from.Equal(to) || from.Kind == types.Null || from.Kind == types.String && to.Kind < types.Array {
		return true
	}
	switch to.Kind {
	case types.String:
		return true
	case types.Boolean:
		return from.IsNumeric()
	case types.Byte, types.Short, types.Int, types.Long, types.Decimal:
		return from.IsNumeric() || from.Kind == types.Boolean || from.Kind == types.Timestamp || from.Kind == types.DayTimeInterval || from.Kind == types.YearMonthInterval
	case types.Float, types.Double:
		return from.IsNumeric() || from.Kind == types.Boolean || from.Kind == types.Timestamp
	case types.Date:
		return temporal(from)
	case types.Timestamp:
		return temporal(from) || from.IsNumeric()
	case types.TimestampNTZ:
		return temporal(from)
	case types.DayTimeInterval, types.YearMonthInterval:
		return from.Kind == to.Kind || from.IsIntegral() || from.Kind == types.Decimal
	case types.Array:
		return from.Kind == types.Array && castable(*from.Elem, *to.Elem)
	case types.Map:
		return from.Kind == types.Map && castable(*from.Key, *to.Key) && castable(*from.Value, *to.Value)
	case types.Struct:
		if from.Kind != types.Struct || len(from.Fields) != len(to.Fields) {
			return false
		}
		for i, f := range from.Fields {
			if !castable(f.Type, to.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	return false
}

// simple are the types without parameters, by every name that a dialect has for them.
var simple = map[string]types.Kind{
	"BOOLEAN": types.Boolean, "TINYINT": types.Byte, "BYTE": types.Byte, "SMALLINT": types.Short, "SHORT": types.Short,
	"INT": types.Int, "INTEGER": types.Int, "BIGINT": types.Long, "LONG": types.Long, "FLOAT": types.Float, "REAL": types.Float,
	"DOUBLE": types.Double, "STRING": types.String, "BINARY": types.Binary, "DATE": types.Date, "TIMESTAMP": types.Timestamp,
	"TIMESTAMP_LTZ": types.Timestamp, "TIMESTAMP_NTZ": types.TimestampNTZ, "VOID": types.Null, "VARBINARY": types.Binary,
	"VARCHAR": types.String, "CHAR": types.String, "CHARACTER": types.String, "UUID": types.UUID, "TIME": types.Time, "INTERVAL": types.CalendarInterval,
}

var intervalFields = map[string]int{"YEAR": types.Year, "MONTH": types.Month, "DAY": types.Day, "HOUR": types.Hour, "MINUTE": types.Minute, "SECOND": types.Second}

// TypeOf turns a written type into a type.
func TypeOf(d sql.Dialect, t *sql.TypeName) (types.Type, error) {
	if d == sql.Trino {
		return trinoTypeOf(t)
	}
	name := strings.ToUpper(t.Name)
	switch name {
	case "DECIMAL", "DEC", "NUMERIC":
		p, s := 10, 0
		if len(t.Args) > 0 {
			p = t.Args[0]
		}
		if len(t.Args) > 1 {
			s = t.Args[1]
		}
		if p > maxPrecision || p < 1 || s > p || s < 0 {
			return types.Type{}, errclass.DecimalPrecision(p, s).At(t.Span())
		}
		return types.DecimalOf(p, s), nil
	case "ARRAY":
		e, err := TypeOf(d, t.Elems[0])
		return types.ArrayOf(e, true), err
	case "MAP":
		k, err := TypeOf(d, t.Elems[0])
		if err != nil {
			return k, err
		}
		v, err := TypeOf(d, t.Elems[1])
		return types.MapOf(k, v, true), err
	case "STRUCT", "ROW":
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			ft, err := TypeOf(d, f.Type)
			if err != nil {
				return ft, err
			}
			fields[i] = types.Field{Name: f.Name.Text, Type: ft, Nullable: !f.NotNull}
			if f.Comment != nil {
				fields[i].Comment = *f.Comment
			}
		}
		return types.StructOf(fields...), nil
	case "TIMESTAMP WITH TIME ZONE":
		return types.Of(types.Timestamp), nil
	}
	if rest, ok := strings.CutPrefix(name, "INTERVAL "); ok {
		from, to, two := strings.Cut(rest, " TO ")
		f, ok1 := intervalFields[from]
		l := f
		ok2 := true
		if two {
			l, ok2 = intervalFields[to]
		}
		if ok1 && ok2 {
			if f <= types.Month {
				return types.YearMonth(f, l), nil
			}
			return types.DayTime(f, l), nil
		}
	}
	if k, ok := simple[name]; ok {
		return types.Of(k), nil
	}
	return types.Type{}, errclass.UnsupportedType(t.Name).At(t.Span())
}
