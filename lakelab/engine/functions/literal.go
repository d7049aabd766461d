package functions

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Literal types a constant.
func Literal(d sql.Dialect, l *sql.Literal) (*expr.Lit, error) {
	out := &expr.Lit{}
	out.At = l.Span()
	set := func(t types.Type, v any) (*expr.Lit, error) {
		out.T, out.Value = t, v
		return out, nil
	}
	switch l.Kind {
	case sql.NullLit:
		out.Null = true
		return set(types.Of(types.Null), nil)
	case sql.BoolLit:
		return set(types.Of(types.Boolean), strings.EqualFold(l.Text, "true"))
	case sql.StringLit:
		return set(types.Of(types.String), l.Text)
	case sql.BinaryLit:
		b, err := hex.DecodeString(l.Text)
		if err != nil {
			return nil, errclass.InvalidTypedLiteral("X", l.Text).At(l.Span())
		}
		return set(types.Of(types.Binary), b)
	case sql.NumberLit:
		return number(d, l, set)
	}
	return typed(d, l, set)
}

var suffixes = map[string]struct {
	kind types.Kind
	bits int
}{"Y": {types.Byte, 8}, "S": {types.Short, 16}, "L": {types.Long, 64}}

func number(d sql.Dialect, l *sql.Literal, set func(types.Type, any) (*expr.Lit, error)) (*expr.Lit, error) {
	bad := func(name string) error { return errclass.InvalidNumericLiteral(l.Text, name).At(l.Span()) }
	switch l.Suffix {
	case "F", "D":
		v, err := strconv.ParseFloat(l.Text, 64)
		if err != nil {
			return nil, bad("double")
		}
		if l.Suffix == "F" {
			return set(types.Of(types.Float), float32(v))
		}
		return set(types.Of(types.Double), v)
	case "BD":
		return decimal(l, set, true)
	case "":
		if !strings.ContainsAny(l.Text, ".eE") {
			if v, err := strconv.ParseInt(l.Text, 10, 32); err == nil {
				return set(types.Of(types.Int), v)
			}
			if v, err := strconv.ParseInt(l.Text, 10, 64); err == nil {
				return set(types.Of(types.Long), v)
			}
			return decimal(l, set, false)
		}
		if strings.ContainsAny(l.Text, "eE") {
			v, err := strconv.ParseFloat(l.Text, 64)
			if err != nil {
				return nil, bad("double")
			}
			return set(types.Of(types.Double), v)
		}
		return decimal(l, set, false)
	}
	s := suffixes[l.Suffix]
	v, err := strconv.ParseInt(l.Text, 10, s.bits)
	if err != nil {
		return nil, bad(types.Of(s.kind).SimpleString())
	}
	return set(types.Of(s.kind), v)
}

// decimal types 12.50 as decimal(4,2), .5 as decimal(1,1).
func decimal(l *sql.Literal, set func(types.Type, any) (*expr.Lit, error), exponent bool) (*expr.Lit, error) {
	text, negative := strings.CutPrefix(l.Text, "-")
	shift := 0
	if exponent {
		if m, e, ok := strings.Cut(strings.ToLower(text), "e"); ok {
			n, err := strconv.Atoi(e)
			if err != nil || n > maxPrecision || n < -maxPrecision {
				return nil, errclass.InvalidNumericLiteral(l.Text, "decimal(38,18)").At(l.Span())
			}
			text, shift = m, n
		}
	}
	whole, frac, _ := strings.Cut(text, ".")
	for ; shift > 0; shift-- {
		if frac == "" {
			frac = "0"
		}
		whole, frac = whole+frac[:1], frac[1:]
	}
	for ; shift < 0; shift++ {
		if whole == "" {
			whole = "0"
		}
		whole, frac = whole[:len(whole)-1], whole[len(whole)-1:]+frac
	}
	whole = strings.TrimLeft(whole, "0")
	precision := max(len(whole)+len(frac), 1)
	if whole == "" && len(frac) > 0 {
		precision = len(frac)
	}
	if precision > maxPrecision {
		return nil, errclass.DecimalPrecision(precision, len(frac)).At(l.Span())
	}
	if whole == "" {
		whole = "0"
	}
	v := whole
	if frac != "" {
		v += "." + frac
	}
	if negative && strings.Trim(v, "0.") != "" {
		v = "-" + v
	}
	return set(types.DecimalOf(precision, len(frac)), types.Dec(v))
}

func typed(d sql.Dialect, l *sql.Literal, set func(types.Type, any) (*expr.Lit, error)) (*expr.Lit, error) {
	bad := func() (*expr.Lit, error) { return nil, errclass.InvalidTypedLiteral(l.TypeName, l.Text).At(l.Span()) }
	switch name := strings.ToUpper(l.TypeName); name {
	case "DATE":
		t, ok := parseDate(l.Text)
		if !ok && strings.EqualFold(strings.TrimSpace(l.Text), "epoch") {
			t, ok = time.Unix(0, 0).UTC(), true
		}
		if !ok {
			return bad()
		}
		return set(types.Of(types.Date), types.Days(floorDays(t)))
	case "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ":
		t, zoned, ok := parseTimestamp(l.Text)
		if name == "TIMESTAMP_NTZ" {
			t, _, ok = wallClock(l.Text)
		}
		if strings.EqualFold(strings.TrimSpace(l.Text), "epoch") {
			t, zoned, ok = time.Unix(0, 0).UTC(), true, true
		}
		if !ok {
			return bad()
		}
		kind := types.Timestamp
		if name == "TIMESTAMP_NTZ" || d == sql.Trino && !zoned {
			kind = types.TimestampNTZ
		}
		// Without a zone the value is a wall clock; the printer lets DuckDB read it in the session's zone.
		lit, err := set(types.Of(kind), types.Micros(t.UnixMicro()))
		if kind == types.Timestamp && !zoned {
			lit.Text = t.Format("2006-01-02 15:04:05.999999")
		}
		return lit, err
	case "TIME":
		t, _, ok := parseTimestamp("1970-01-01 " + strings.TrimSpace(l.Text))
		if !ok {
			return bad()
		}
		return set(types.Of(types.Time), t.UnixMicro())
	case "UUID":
		return set(types.Of(types.UUID), l.Text)
	case "DECIMAL":
		return decimal(&sql.Literal{At: l.At, Text: strings.TrimSpace(l.Text)}, set, false)
	case "VARCHAR", "CHAR", "JSON":
		return set(types.Of(types.String), l.Text)
	}
	return nil, errclass.UnsupportedType(l.TypeName).At(l.Span())
}
