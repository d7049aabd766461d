package functions

import (
	"errors"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's type rules ("Data types", "Conversion functions"): which type holds the values of two others, and what is cast
// implicitly. Unlike Spark, Trino never casts text to something else by itself, and a type's length or precision counts.

// CoerceIn casts implicitly by a dialect's rules; false if they don't allow it.
func CoerceIn(d sql.Dialect, x expr.Expr, to types.Type) (expr.Expr, bool) {
	if d == sql.Spark {
		return Coerce(x, to)
	}
	from := x.Type()
	if from.Equal(to) {
		return x, true
	}
	if !trinoCoercible(from, to) {
		return x, false
	}
	return trinoImplicit(x, to), true
}

// trinoImplicit is an implicit cast that is known to be allowed.
func trinoImplicit(x expr.Expr, to types.Type) expr.Expr {
	if l, ok := x.(*expr.Lit); ok {
		if l.Value == nil {
			c := *l
			c.T = to
			return &c
		}
		if l.T.Kind == types.String && to.Kind == types.String {
			c := *l
			c.T = to
			return &c
		}
	}
	if to.Kind == types.Timestamp && to.Zone == "" {
		if to.Zone = x.Type().Zone; x.Type().Kind != types.Timestamp {
			to.Zone = sessionZone
		}
	}
	c := &expr.Cast{X: x, Implicit: true, Dialect: sql.Trino}
	c.T, c.Null, c.At = to, x.Nullable(), x.Span()
	return c
}

// trinoCoercible reports whether Trino casts by itself.
func trinoCoercible(from, to types.Type) bool {
	if from.Equal(to) {
		return true
	}
	switch {
	case from.Kind == types.String && to.Kind == types.Char, from.Kind == types.Char && to.Kind == types.String:
		return true
	case from.Kind == types.Array && to.Kind == types.Array:
		return trinoCoercible(*from.Elem, *to.Elem)
	case from.Kind == types.Map && to.Kind == types.Map:
		return trinoCoercible(*from.Key, *to.Key) && trinoCoercible(*from.Value, *to.Value)
	case from.Kind == types.Struct && to.Kind == types.Struct && len(from.Fields) == len(to.Fields):
		for i, f := range from.Fields {
			if !trinoCoercible(f.Type, to.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	t, ok := trinoCommon(from, to)
	return ok && t.Equal(to)
}

// TrinoInsertable reports whether Trino writes a value of one type into a column of another; a number that does not fit fails when
// the statement runs.
func TrinoInsertable(from, to types.Type) bool {
	switch {
	case from.Kind != to.Kind:
	case from.Kind == types.Array:
		return TrinoInsertable(*from.Elem, *to.Elem)
	case from.Kind == types.Map:
		return TrinoInsertable(*from.Key, *to.Key) && TrinoInsertable(*from.Value, *to.Value)
	case from.Kind == types.Struct: // fields go by their places
		return slices.EqualFunc(from.Fields, to.Fields, func(f, g types.Field) bool { return TrinoInsertable(f.Type, g.Type) })
	}
	return trinoCoercible(from, to) || from.IsNumeric() && to.IsNumeric() || (from.Kind == types.String || from.Kind == types.Char) && to.Kind == types.String ||
		trinoTime(from) && from.Kind == to.Kind || from.Kind == types.TimeTZ && to.Kind == types.Time || from.Kind == types.Timestamp && to.Kind == types.TimestampNTZ ||
		(from.Kind == types.Timestamp || from.Kind == types.TimestampNTZ) && to.Kind == types.Date
}

// trinoDecimal is the decimal that holds every value of an integer type.
func trinoDecimal(t types.Type) types.Type {
	if t.Kind == types.Long {
		return types.DecimalOf(19, 0)
	}
	return decimalOfType(t)
}

// trinoCommon is the type to which both are cast.
func trinoCommon(a, b types.Type) (types.Type, bool) {
	if a.Equal(b) {
		return mergeNull(a, b), true
	}
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch {
	case a.Kind == types.Null:
		return b, true
	case a.IsNumeric() && b.IsNumeric():
		return trinoCommonNumber(a, b), true
	case a.Kind == types.String && b.Kind == types.String:
		return longer(a, b), true
	case a.Kind == types.Char && b.Kind == types.Char:
		return types.CharOf(max(a.Precision, b.Precision)), true
	case a.Kind == types.String && b.Kind == types.Char:
		n, bounded := a.Length()
		if !bounded {
			n = maxChar
		}
		return types.CharOf(min(max(n, b.Precision), maxChar)), true
	case a.Kind == types.Date && (b.Kind == types.Timestamp || b.Kind == types.TimestampNTZ):
		if b.Kind == types.Timestamp {
			b.Zone = sessionZone
		}
		return b, true
	case a.Kind == b.Kind && trinoTime(a):
		return types.TemporalOf(a.Kind, max(a.Digits(), b.Digits())).InZone(commonZone(a.Zone, b.Zone)), true
	case a.Kind == types.Time && b.Kind == types.TimeTZ:
		return types.TemporalOf(types.TimeTZ, max(a.Digits(), b.Digits())), true
	case a.Kind == types.Timestamp && b.Kind == types.TimestampNTZ:
		return types.TemporalOf(types.Timestamp, max(a.Digits(), b.Digits())).InZone(a.Zone), true
	case a.Kind == b.Kind && (a.Kind == types.DayTimeInterval || a.Kind == types.YearMonthInterval):
		return types.Type{Kind: a.Kind, From: min(a.From, b.From), To: max(a.To, b.To)}, true
	case a.Kind == types.Array && b.Kind == types.Array:
		e, ok := trinoCommon(*a.Elem, *b.Elem)
		return types.ArrayOf(e, true), ok
	case a.Kind == types.Map && b.Kind == types.Map:
		k, ok1 := trinoCommon(*a.Key, *b.Key)
		v, ok2 := trinoCommon(*a.Value, *b.Value)
		return types.MapOf(k, v, true), ok1 && ok2
	case a.Kind == types.Struct && b.Kind == types.Struct && len(a.Fields) == len(b.Fields):
		fields := make([]types.Field, len(a.Fields))
		for i, f := range a.Fields {
			g := b.Fields[i]
			t, ok := trinoCommon(f.Type, g.Type)
			if !ok {
				return a, false
			}
			fields[i] = types.Field{Type: t, Nullable: true}
			if f.Name == g.Name {
				fields[i].Name = f.Name
			}
		}
		return types.StructOf(fields...), true
	}
	return a, false
}

// maxChar is the greatest length of a char.
const maxChar = 65536

func longer(a, b types.Type) types.Type {
	m, bounded1 := a.Length()
	n, bounded2 := b.Length()
	if !bounded1 || !bounded2 {
		return types.Of(types.String)
	}
	return types.VarcharOf(max(m, n))
}

func trinoCommonNumber(a, b types.Type) types.Type {
	switch {
	case a.Kind == types.Double || b.Kind == types.Double:
		return types.Of(types.Double)
	case a.Kind == types.Float || b.Kind == types.Float:
		return types.Of(types.Float)
	case a.Kind == types.Decimal || b.Kind == types.Decimal:
		return widerDecimal(trinoDecimal(a), trinoDecimal(b))
	case a.Kind > b.Kind:
		return a
	}
	return b
}

// sessionZone marks a Timestamp that is shown in the session's time zone, whatever that is.
const sessionZone = "@"

// mixedZones marks the type of timestamps with time zone that come from several zones. Their moments are right, and they are shown in UTC, since
// no value knows its own zone; what a wall clock of theirs would show is not known.
const mixedZones = "?"

// commonZone is the zone of a type whose values come from two types.
func commonZone(a, b string) string {
	// Tables keep moments, which are shown in UTC; beside them those of the session, too.
	plain := func(zone string) bool { return zone == "" || zone == "UTC" || zone == sessionZone }
	switch {
	case a == b:
		return a
	case plain(a) && plain(b):
		return ""
	}
	return mixedZones
}

// trinoKinds are the types without parameters, by the names that a statement may use.
var trinoKinds = map[string]types.Kind{
	"BOOLEAN": types.Boolean, "TINYINT": types.Byte, "SMALLINT": types.Short, "INTEGER": types.Int, "INT": types.Int, "BIGINT": types.Long, "REAL": types.Float,
	"DOUBLE": types.Double, "VARBINARY": types.Binary, "DATE": types.Date, "UUID": types.UUID, "JSON": types.JSON, "IPADDRESS": types.IPAddress, "UNKNOWN": types.Null,
}

// trinoTypeArguments refuses a type with arguments that it cannot have.
func trinoTypeArguments(name string, t *sql.TypeName) error {
	numbers, parts := 0, 0
	switch name {
	case "DECIMAL":
		numbers = 2
	case "VARCHAR", "CHAR", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIME", "TIME WITH TIME ZONE":
		numbers = 1
	case "ARRAY":
		parts = 1
	case "MAP":
		parts = 2
	case "ROW":
		return nil
	case "UNKNOWN":
		return errclass.TrinoBadTypeName("UNKNOWN is not a valid type")
	}
	if len(t.Args) <= numbers && len(t.Elems) == parts {
		return nil
	}
	written := strings.ToLower(t.Name)
	args := make([]string, 0, len(t.Args)+len(t.Elems))
	for _, n := range t.Args {
		args = append(args, itoa(n))
	}
	for _, e := range t.Elems {
		args = append(args, strings.ToLower(e.Name))
	}
	if len(args) > 0 {
		written += "(" + join(args) + ")"
	}
	return errclass.TrinoUnknownType(written)
}

// partOf is a type that another is made of: if there is none of that name, there is not the other either.
func partOf(whole, part *sql.TypeName) (types.Type, error) {
	t, err := trinoTypeOf(part)
	var e *errclass.Error
	if errors.As(err, &e) && e.Class == "TYPE_MISMATCH" {
		return t, errclass.TrinoUnknownType(sql.FormatTrinoType(whole))
	}
	return t, err
}

// trinoTypeOf turns a written type into a type.
func trinoTypeOf(t *sql.TypeName) (types.Type, error) {
	name := strings.ToUpper(t.Name)
	if err := trinoTypeArguments(name, t); err != nil {
		return types.Type{}, err
	}
	number := func(i, otherwise int) int {
		if i < len(t.Args) {
			return t.Args[i]
		}
		return otherwise
	}
	switch name {
	case "DECIMAL":
		p, s := number(0, maxPrecision), number(1, 0)
		if p < 1 || p > maxPrecision {
			return types.Type{}, errclass.TrinoBadType("DECIMAL precision must be in range [1, 38]: " + itoa(p))
		}
		if s < 0 || s > p {
			return types.Type{}, errclass.TrinoBadType("DECIMAL scale must be in range [0, precision (" + itoa(p) + ")]: " + itoa(s))
		}
		return types.DecimalOf(p, s), nil
	case "VARCHAR":
		if len(t.Args) == 0 {
			return types.Of(types.String), nil
		}
		return types.VarcharOf(t.Args[0]), nil
	case "CHAR", "CHARACTER":
		n := number(0, 1)
		if n > maxChar {
			return types.Type{}, errclass.TrinoUnknownType("char(" + itoa(n) + ")")
		}
		return types.CharOf(n), nil
	case "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIME", "TIME WITH TIME ZONE":
		kind := temporalKinds[strings.ToLower(name)]
		p := number(0, 3)
		if p > 12 {
			return types.Type{}, errclass.TrinoUnknownType(types.TemporalOf(kind, p).Trino())
		}
		return types.TemporalOf(kind, p), nil
	case "ARRAY":
		e, err := partOf(t, t.Elems[0])
		return types.ArrayOf(e, true), err
	case "MAP":
		k, err := partOf(t, t.Elems[0])
		if err != nil {
			return k, err
		}
		v, err := partOf(t, t.Elems[1])
		return types.MapOf(k, v, true), err
	case "ROW":
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			ft, err := partOf(t, f.Type)
			if err != nil {
				return ft, err
			}
			fields[i] = types.Field{Name: f.Name.Text, Type: ft, Nullable: true}
			if !f.Name.Quoted {
				fields[i].Name = strings.ToLower(f.Name.Text)
			}
		}
		return types.StructOf(fields...), nil
	case "INTERVAL DAY TO SECOND":
		return types.DayTime(types.Day, types.Second), nil
	case "INTERVAL YEAR TO MONTH":
		return types.YearMonth(types.Year, types.Month), nil
	}
	if k, ok := trinoKinds[name]; ok {
		return types.Of(k), nil
	}
	return types.Type{}, errclass.TrinoUnknownType(strings.ToLower(t.Name))
}
