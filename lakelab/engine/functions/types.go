package functions

import (
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

const maxPrecision = 38

// decimalFor is the decimal that holds every value of an integer type; an integer literal needs no more digits than it has.
func decimalFor(x expr.Expr) types.Type {
	if l, ok := x.(*expr.Lit); ok && x.Type().IsIntegral() && x.Type().Kind != types.Byte {
		if v, ok := l.Value.(int64); ok {
			return types.DecimalOf(decimalDigits(v), 0)
		}
	}
	return decimalOfType(x.Type())
}

func decimalDigits(v int64) int { return len(strconv.FormatUint(abs(v), 10)) }

func abs(v int64) uint64 {
	if v < 0 {
		return uint64(-(v + 1)) + 1
	}
	return uint64(v)
}

func decimalOfType(t types.Type) types.Type {
	switch t.Kind {
	case types.Byte:
		return types.DecimalOf(3, 0)
	case types.Short:
		return types.DecimalOf(5, 0)
	case types.Int:
		return types.DecimalOf(10, 0)
	case types.Long:
		return types.DecimalOf(20, 0)
	case types.Float:
		return types.DecimalOf(14, 7)
	case types.Double:
		return types.DecimalOf(30, 15)
	}
	return t
}

// bounded is Spark's adjustPrecisionScale: a result of more than 38 digits loses scale, but keeps at least 6 of it.
func bounded(precision, scale int) types.Type {
	if precision <= maxPrecision {
		return types.DecimalOf(precision, scale)
	}
	digits := precision - scale
	return types.DecimalOf(maxPrecision, max(maxPrecision-digits, min(scale, 6)))
}

// widerDecimal holds the values of both.
func widerDecimal(a, b types.Type) types.Type {
	scale := max(a.Scale, b.Scale)
	digits := max(a.Precision-a.Scale, b.Precision-b.Scale)
	if digits+scale > maxPrecision { // the digits in front of the point are kept
		return types.DecimalOf(maxPrecision, max(maxPrecision-digits, 0))
	}
	return types.DecimalOf(digits+scale, scale)
}

// CommonType is the type to which all can be cast implicitly (Spark: "ANSI Compliance", least common type; Trino's coercion). Spark's
// structs have one only if their fields have the same names.
func CommonType(d sql.Dialect, ts ...types.Type) (types.Type, bool) {
	if d == sql.Spark && slices.ContainsFunc(ts[1:], func(t types.Type) bool { return !sameFields(ts[0], t) }) {
		return ts[0], false
	}
	return ComparisonType(d, ts...)
}

// sameFields reports whether the fields of structs in two types have the same names, whatever their types.
func sameFields(a, b types.Type) bool {
	switch {
	case a.Kind != b.Kind:
	case a.Kind == types.Array:
		return sameFields(*a.Elem, *b.Elem)
	case a.Kind == types.Map:
		return sameFields(*a.Key, *b.Key) && sameFields(*a.Value, *b.Value)
	case a.Kind == types.Struct && len(a.Fields) == len(b.Fields):
		for i, f := range a.Fields {
			if !strings.EqualFold(f.Name, b.Fields[i].Name) || !sameFields(f.Type, b.Fields[i].Type) {
				return false
			}
		}
	}
	return true
}

// ComparisonType is the type in which values are compared: that of CommonType, but the names of fields do not matter.
func ComparisonType(d sql.Dialect, ts ...types.Type) (types.Type, bool) {
	out := ts[0]
	for _, t := range ts[1:] {
		var ok bool
		if out, ok = common(d, out, t); !ok {
			return out, false
		}
	}
	return out, true
}

func common(d sql.Dialect, a, b types.Type) (types.Type, bool) {
	if d == sql.Trino {
		return trinoCommon(a, b)
	}
	switch {
	case a.Equal(b):
		return mergeNull(a, b), true
	case a.Kind == types.Null:
		return b, true
	case b.Kind == types.Null:
		return a, true
	case a.IsNumeric() && b.IsNumeric():
		return commonNumber(d, a, b), true
	case d == sql.Spark && (a.Kind == types.String || b.Kind == types.String):
		if a.Kind == types.String {
			a, b = b, a
		}
		return withString(a)
	}
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch {
	case a.Kind == types.Date && (b.Kind == types.Timestamp || b.Kind == types.TimestampNTZ):
		return b, true
	case a.Kind == types.Timestamp && b.Kind == types.TimestampNTZ:
		return a, true
	case a.Kind == b.Kind && (a.Kind == types.DayTimeInterval || a.Kind == types.YearMonthInterval):
		return types.Type{Kind: a.Kind, From: min(a.From, b.From), To: max(a.To, b.To)}, true
	case a.Kind == types.Array && b.Kind == types.Array:
		e, ok := common(d, *a.Elem, *b.Elem)
		return types.ArrayOf(e, a.ElemNull || b.ElemNull || ok && (castNullable(*a.Elem, e) || castNullable(*b.Elem, e))), ok
	case a.Kind == types.Map && b.Kind == types.Map:
		k, ok1 := common(d, *a.Key, *b.Key)
		v, ok2 := common(d, *a.Value, *b.Value)
		if !ok1 || !ok2 || castNullable(*a.Key, k) || castNullable(*b.Key, k) { // a key is not NULL
			return a, false
		}
		return types.MapOf(k, v, a.ElemNull || b.ElemNull || castNullable(*a.Value, v) || castNullable(*b.Value, v)), true
	case a.Kind == types.Struct && b.Kind == types.Struct && len(a.Fields) == len(b.Fields):
		fields := make([]types.Field, len(a.Fields))
		for i, f := range a.Fields {
			t, ok := common(d, f.Type, b.Fields[i].Type)
			if !ok {
				return a, false
			}
			fields[i] = types.Field{Name: f.Name, Type: t, Nullable: f.Nullable || b.Fields[i].Nullable || castNullable(f.Type, t) || castNullable(b.Fields[i].Type, t)}
		}
		return types.StructOf(fields...), true
	}
	return a, false
}

// mergeNull joins the nullability of two equal types' parts.
func mergeNull(a, b types.Type) types.Type {
	switch a.Kind {
	case types.Array:
		return types.ArrayOf(mergeNull(*a.Elem, *b.Elem), a.ElemNull || b.ElemNull)
	case types.Map:
		return types.MapOf(mergeNull(*a.Key, *b.Key), mergeNull(*a.Value, *b.Value), a.ElemNull || b.ElemNull)
	case types.Struct:
		fields := make([]types.Field, len(a.Fields))
		for i, f := range a.Fields {
			fields[i] = f
			fields[i].Type, fields[i].Nullable = mergeNull(f.Type, b.Fields[i].Type), f.Nullable || b.Fields[i].Nullable
		}
		return types.StructOf(fields...)
	case types.Timestamp:
		a.Zone = commonZone(a.Zone, b.Zone)
	}
	return a
}

func commonNumber(d sql.Dialect, a, b types.Type) types.Type {
	if a.Kind == types.Decimal || b.Kind == types.Decimal {
		if a.Kind == types.Float || a.Kind == types.Double || b.Kind == types.Float || b.Kind == types.Double {
			return types.Of(types.Double)
		}
		return widerDecimal(decimalOfType(a), decimalOfType(b))
	}
	if a.Kind > b.Kind {
		a, b = b, a
	}
	if d == sql.Spark && b.Kind == types.Float && a.IsIntegral() {
		return types.Of(types.Double)
	}
	return b
}

// withString is what a string meets halfway in ANSI mode: the other side's type, widened.
func withString(t types.Type) (types.Type, bool) {
	switch {
	case t.IsIntegral():
		return types.Of(types.Long), true
	case t.IsNumeric():
		return types.Of(types.Double), true
	case t.Kind >= types.Array || anyInterval(t):
		return t, false
	}
	return t, true
}

// Coerce casts implicitly; false if the types don't allow it.
func Coerce(x expr.Expr, to types.Type) (expr.Expr, bool) {
	from := x.Type()
	if from.Equal(to) {
		return x, true
	}
	if !implicit(from, to) {
		return x, false
	}
	if l, ok := x.(*expr.Lit); ok && l.Value == nil {
		c := *l
		c.T = to
		return &c, true
	}
	return implicitCast(x, to), true
}

// coerceArg casts a function's argument implicitly. Spark goes further there than between the sides of an operator: what may be
// stored in a column of the type is taken, and a constant text is read.
func coerceArg(c *expr.Call, x expr.Expr, to types.Type) (expr.Expr, bool) {
	from := x.Type()
	if c.Func.Dialect == sql.Trino {
		return CoerceIn(sql.Trino, x, to)
	}
	if from.Kind >= types.Array || to.Kind >= types.Array {
		return Coerce(x, to)
	}
	if y, ok := Coerce(x, to); ok {
		return y, true
	}
	if StoreAssignment(from, to) || to.Kind == types.String && from.Kind == types.Binary {
		return implicitCast(x, to), true
	}
	return x, false
}

func implicitCast(x expr.Expr, to types.Type) expr.Expr {
	c := &expr.Cast{X: x, Implicit: true}
	c.T, c.Null, c.At = to, x.Nullable() || castNullable(x.Type(), to), x.Span()
	return c
}

// implicit reports whether Spark's ANSI mode casts by itself.
func implicit(from, to types.Type) bool {
	switch {
	case from.Kind == types.Null:
		return true
	case from.IsIntegral() && to.IsNumeric():
		return to.Kind >= from.Kind
	case from.Kind == types.Decimal && (to.Kind == types.Decimal || to.Kind == types.Float || to.Kind == types.Double):
		return true
	case from.Kind == types.Float && to.Kind == types.Double:
		return true
	case from.Kind == types.Date && (to.Kind == types.Timestamp || to.Kind == types.TimestampNTZ):
		return true
	case from.Kind == types.TimestampNTZ && to.Kind == types.Timestamp, from.Kind == types.Timestamp && to.Kind == types.TimestampNTZ:
		return true
	case from.Kind == types.String:
		return to.Kind < types.Array
	case to.Kind == types.String:
		return from.Kind < types.Array && from.Kind != types.Binary
	case from.Kind == types.Array && to.Kind == types.Array:
		return from.Elem.Equal(*to.Elem) || implicit(*from.Elem, *to.Elem)
	case from.Kind == types.Map && to.Kind == types.Map:
		return (from.Key.Equal(*to.Key) || implicit(*from.Key, *to.Key)) && (from.Value.Equal(*to.Value) || implicit(*from.Value, *to.Value))
	case from.Kind == types.Struct && to.Kind == types.Struct && len(from.Fields) == len(to.Fields):
		for i, f := range from.Fields {
			if !f.Type.Equal(to.Fields[i].Type) && !implicit(f.Type, to.Fields[i].Type) {
				return false
			}
		}
		return true
	case from.Kind == to.Kind && (from.Kind == types.DayTimeInterval || from.Kind == types.YearMonthInterval):
		return true
	}
	return false
}

// StoreAssignment reports whether a value may be written into a column of that type (Spark: storeAssignmentPolicy ANSI).
func StoreAssignment(from, to types.Type) bool {
	switch {
	case from.Equal(to), from.Kind == types.Null:
		return true
	case from.IsNumeric() && to.IsNumeric():
		return true
	case to.Kind == types.String:
		return from.Kind < types.Array && from.Kind != types.Binary || from.Kind == types.String || from.Kind == types.Char
	case temporal(from) && temporal(to):
		return true
	case from.Kind == types.Array && to.Kind == types.Array:
		return StoreAssignment(*from.Elem, *to.Elem)
	case from.Kind == types.Map && to.Kind == types.Map:
		return StoreAssignment(*from.Key, *to.Key) && StoreAssignment(*from.Value, *to.Value)
	case from.Kind == types.Struct && to.Kind == types.Struct && len(from.Fields) == len(to.Fields):
		for i, f := range from.Fields {
			if !StoreAssignment(f.Type, to.Fields[i].Type) {
				return false
			}
		}
		return true
	case from.Kind == to.Kind:
		return from.Kind == types.DayTimeInterval || from.Kind == types.YearMonthInterval || from.Kind == types.Time
	case from.Kind == types.TimeTZ:
		return to.Kind == types.Time
	}
	return false
}

func temporal(t types.Type) bool {
	return t.Kind == types.Date || t.Kind == types.Timestamp || t.Kind == types.TimestampNTZ
}
