package functions

import (
	"math/big"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Temporal types with more than six digits of a fraction are HUGEINTs of picoseconds in DuckDB: since 1970, or since midnight. They
// compare, sort and group as numbers. What a function does with a time it does with that of DuckDB which has its microseconds
// (coarse); the picoseconds behind them, its rest, are put back where the result has them (finely).
//
// A time with time zone is, with any digits, its time in UTC in picoseconds times offsetSpan, plus its offset in minutes from
// offsetLeast on: in the order in which Trino has them, but that equal times with other offsets are told apart. Comparisons look at
// the time alone (InstantOf), and so do GROUP BY, DISTINCT, PARTITION BY and count; set operations, IN (SELECT …) and arrays don't.

const (
	picosInMicro = 1_000_000
	offsetSpan   = 4096
	offsetLeast  = -1024
)

var (
	bigPicosInMicro = big.NewInt(picosInMicro)
	bigOffsetSpan   = big.NewInt(offsetSpan)
)

// PicosOf is the number that stands for a value in DuckDB.
func PicosOf(p types.Picos) *big.Int {
	n := new(big.Int).Mul(big.NewInt(int64(p.Micros)), bigPicosInMicro)
	return n.Add(n, big.NewInt(int64(p.Rest)))
}

// PicosFrom reads PicosOf back.
func PicosFrom(n *big.Int) types.Picos {
	us, rest := new(big.Int).DivMod(n, bigPicosInMicro, new(big.Int))
	return types.Picos{Micros: types.Micros(us.Int64()), Rest: int32(rest.Int64())}
}

// PackClock is the number that stands for a time with time zone in DuckDB.
func PackClock(c types.Clock) *big.Int {
	n := big.NewInt(floorMod(c.Picos-int64(c.Offset)*picosInMinute, types.DayPicos))
	return n.Mul(n, bigOffsetSpan).Add(n, big.NewInt(int64(c.Offset)-offsetLeast))
}

// UnpackClock reads PackClock back.
func UnpackClock(n *big.Int) types.Clock {
	utc, offset := new(big.Int).DivMod(n, bigOffsetSpan, new(big.Int))
	c := types.Clock{Offset: int32(offset.Int64()) + offsetLeast}
	c.Picos = floorMod(utc.Int64()+int64(c.Offset)*picosInMinute, types.DayPicos)
	return c
}

const picosInMinute = 60_000_000_000_000

func floorMod(a, b int64) int64 { return (a%b + b) % b }

// InstantOf is what a value is told apart from others by, and ordered by, where that is not the value itself: a time with time zone
// by its instant, a map by its entries in the order of their keys, and what holds such values by them.
func InstantOf(t types.Type, s string) string {
	if !hasInstant(t) {
		return s
	}
	switch t.Kind {
	case types.Array:
		p, text := bind(func(v string) string { return InstantOf(*t.Elem, v) })
		return "list_transform(" + s + ", lambda " + p + ": " + text + ")"
	case types.Map:
		p, text := bind(func(v string) string {
			return "{'k': " + InstantOf(*t.Key, v+".key") + ", 'v': " + InstantOf(*t.Value, v+".value") + "}"
		})
		return "list_sort(list_transform(map_entries(" + s + "), lambda " + p + ": " + text + "))"
	case types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				parts[i] = trinoField("", i) + ": " + InstantOf(f.Type, fieldAt(v, i))
			}
			return "CASE WHEN " + v + " IS NOT NULL THEN {" + join(parts) + "} END"
		})
	}
	return "(" + s + " // " + itoa(offsetSpan) + ")"
}

// hasInstant reports whether InstantOf is another value for a type.
func hasInstant(t types.Type) bool {
	switch t.Kind {
	case types.TimeTZ, types.Map:
		return true
	case types.Array:
		return hasInstant(*t.Elem)
	case types.Struct:
		for _, f := range t.Fields {
			if hasInstant(f.Type) {
				return true
			}
		}
	}
	return false
}

// byInstant lets a printer of comparisons compare what its arguments are compared by.
func byInstant(print func(c *expr.Call, a []string) string) func(c *expr.Call, a []string) string {
	return func(c *expr.Call, a []string) string {
		b := append([]string{}, a...)
		for i, x := range c.Args {
			b[i] = InstantOf(x.Type(), a[i])
		}
		return print(c, b)
	}
}

// picosOf is a value's picoseconds: since 1970, or of the wall clock since midnight.
func picosOf(t types.Type, s string) string {
	switch {
	case t.Kind == types.TimeTZ:
		return let(s, func(v string) string {
			return "((" + v + " // " + itoa(offsetSpan) + " + " + offsetOf(v) + " * " + bigText(picosInMinute) + " + " + bigText(types.DayPicos) + ") % " + bigText(types.DayPicos) + ")"
		})
	case t.InPicos():
		return s
	}
	return "(CAST(epoch_us(" + s + ") AS HUGEINT) * " + itoa(picosInMicro) + ")"
}

// offsetOf is a time with time zone's offset in minutes. v is short.
func offsetOf(v string) string {
	return "(" + v + " % " + itoa(offsetSpan) + " + " + itoa(offsetLeast) + ")"
}

// offsetText prints an offset in minutes: +05:30.
func offsetText(s string) string {
	return let(s, func(m string) string {
		return "(CASE WHEN " + m + " < 0 THEN '-' ELSE '+' END || lpad(CAST(abs(" + m + ") // 60 AS VARCHAR), 2, '0') || ':' || lpad(CAST(abs(" + m + ") % 60 AS VARCHAR), 2, '0'))"
	})
}

// packed is the time with time zone of a wall clock's picoseconds and an offset in minutes.
func packed(picos, offset string) string {
	day := bigText(types.DayPicos)
	return let(offset, func(v string) string {
		return "(((" + picos + " - " + v + " * " + bigText(picosInMinute) + " + " + day + ") % " + day + ") * " + itoa(offsetSpan) + " + " + v + " - " + itoa(offsetLeast) + ")"
	})
}

func bigText(n int64) string { return "CAST(" + big.NewInt(n).String() + " AS HUGEINT)" }

// restOf is the picoseconds behind the microseconds.
func restOf(t types.Type, s string) string {
	return let(picosOf(t, s), func(v string) string { return "((" + v + " % 1000000 + 1000000) % 1000000)" })
}

// coarseType is the type of six digits that coarse gives.
func coarseType(t types.Type) types.Type {
	switch {
	case t.Kind == types.TimeTZ:
		return types.TemporalOf(types.Time, 6)
	case t.InPicos():
		return types.TemporalOf(t.Kind, 6).InZone(t.Zone)
	}
	return t
}

// coarse cuts a value to DuckDB's own, which has microseconds: of a time with time zone, its wall clock.
func coarse(t types.Type, s string) string {
	if !t.InPicos() {
		return s
	}
	us := let(picosOf(t, s), func(v string) string {
		return "CAST((" + v + " - (" + v + " % 1000000 + 1000000) % 1000000) // 1000000 AS BIGINT)"
	})
	switch t.Kind {
	case types.Timestamp:
		return "make_timestamptz(" + us + ")"
	case types.TimestampNTZ:
		return "make_timestamp(" + us + ")"
	}
	return "CAST(make_timestamp(" + us + ") AS TIME)"
}

// finely lets a printer that knows microseconds serve calls whose argument at a place has picoseconds. keep says that the result,
// if it has them too, keeps the rest; else the rest is cut off.
func finely(at int, keep bool, print func(c *expr.Call, a []string) string) func(c *expr.Call, a []string) string {
	return func(c *expr.Call, a []string) string {
		t := c.Args[at].Type()
		if !t.InPicos() {
			return print(c, a)
		}
		k := *c
		k.Args = append([]expr.Expr{}, c.Args...)
		lit := &expr.Lit{} // stands for the argument's type
		lit.T, lit.At = coarseType(t), c.Args[at].Span()
		k.Args[at], k.T = lit, coarseType(c.T)
		return letAll(a, []int{at}, func(a []string) string {
			b := append([]string{}, a...)
			b[at] = coarse(t, a[at])
			s := print(&k, b)
			if !c.T.InPicos() {
				return s
			}
			if s = picosOf(k.T, s); keep {
				s = "(" + s + " + " + restOf(t, a[at]) + ")"
			}
			if c.T.Kind == types.TimeTZ {
				return packed(s, offsetOf(a[at]))
			}
			return s
		})
	}
}

// roundedPicos brings picoseconds to a number of digits, half up; those of a day go round at its end.
func roundedPicos(digits int, day bool, s string) string {
	unit := int64(1)
	for range 12 - digits {
		unit *= 10
	}
	out := let("("+s+" + "+bigText(unit/2)+")", func(v string) string {
		return "(" + v + " - (" + v + " % " + bigText(unit) + " + " + bigText(unit) + ") % " + bigText(unit) + ")"
	})
	if day {
		return "(" + out + " % " + bigText(types.DayPicos) + ")"
	}
	return out
}

// finelySeries prints sequence() of timestamps with picoseconds: each has those of the first.
func finelySeries(c *expr.Call, a []string) string {
	t := c.Args[0].Type()
	k := *c
	k.Args = append([]expr.Expr{}, c.Args...)
	for i := range 2 {
		lit := &expr.Lit{}
		lit.T = coarseType(t)
		k.Args[i] = lit
	}
	k.T = types.ArrayOf(coarseType(t), true)
	return letAll(a, []int{0, 1}, func(a []string) string {
		rest := restOf(t, a[0])
		b := append([]string{}, a...)
		b[0], b[1] = coarse(t, a[0]), coarse(t, a[1]) // Trino looks at the end's microseconds only
		return "list_transform(" + c.Func.Duck(&k, b) + ", lambda _p: " + picosOf(coarseType(t), "_p") + " + " + rest + ")"
	})
}
