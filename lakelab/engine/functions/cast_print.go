package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// PrintCast says a cast in DuckDB's SQL, with Spark's ANSI rules (or Trino's) where DuckDB's differ.
func PrintCast(c *expr.Cast, s string) string {
	if c.Dialect == sql.Trino {
		return printTrinoCast(c, s)
	}
	k := caster{c: c, try: c.Try}
	return k.print(c.X.Type(), c.T, s)
}

type caster struct {
	c     *expr.Cast
	try   bool
	depth int
}

func (k caster) fail(class, value string, from, to types.Type) string {
	if k.try {
		return "NULL"
	}
	return Fail(k.c, class, value, quote(from.SQL()), quote(to.SQL()))
}

// or gives good, or raises class where that is NULL and the value is not. v is a short text.
func (k caster) or(good, class, v, value string, from, to types.Type) string {
	if k.try {
		return good
	}
	return "coalesce(" + good + ", CASE WHEN " + v + " IS NOT NULL THEN " + k.fail(class, value, from, to) + " END)"
}

func (k caster) print(from, to types.Type, s string) string {
	duck := DuckType(to)
	switch {
	case from.Kind == types.Null && !strings.HasPrefix(s, "NULL"): // raise_error must be computed, also in a query below
		// The second branch is never taken. It keeps DuckDB from seeing that the value is NULL at any rate, and from leaving it out of coalesce.
		return "CASE WHEN " + s + " IS NULL THEN CAST(NULL AS " + duck + ") ELSE CAST(error('') AS " + duck + ") END"
	case from.Kind == types.Null:
		return "CAST(NULL AS " + duck + ")"
	case to.Kind == types.String:
		return textOf(from, s)
	case from.Equal(to) && to.Kind < types.Array:
		return s
	case from.Kind == types.String:
		return let(s, func(v string) string { return k.fromText(from, to, v) })
	case to.Kind == types.Array:
		return k.array(from, to, s)
	case to.Kind == types.Map:
		return k.mapping(from, to, s)
	case to.Kind == types.Struct:
		return k.structure(from, to, s)
	case to.Kind == types.Boolean:
		return "(" + s + " <> 0)"
	case from.Kind == types.Timestamp && to.IsNumeric():
		return k.fromTimestamp(from, to, s)
	case from.IsNumeric() && to.Kind == types.Timestamp:
		return k.numberToTimestamp(from, to, s)
	case to.Kind == types.Float && (from.Kind == types.Double || from.Kind == types.Decimal):
		return let(s, asFloat)
	case interval(from) || interval(to):
		return k.intervals(from, to, s)
	case to.IsIntegral() && from.IsNumeric():
		return k.toInteger(from, to, s)
	case to.Kind == types.Decimal && from.IsNumeric():
		return k.toDecimal(from, to, s)
	case to.Kind == types.Binary && from.IsIntegral():
		return "unhex(right(printf('%016X', CAST(" + s + " AS BIGINT)), " + itoa(2<<int(from.Kind-types.Byte)) + "))"
	}
	return "CAST(" + s + " AS " + duck + ")"
}

// asFloat is a number as a FLOAT, infinite if it is too large for one; v is short.
func asFloat(v string) string {
	return "CASE WHEN abs(" + v + "::DOUBLE) >= 3.4028235677973366e38 AND isfinite(" + v + "::DOUBLE) THEN (CASE WHEN " + v + " > 0 THEN 'inf' ELSE '-inf' END)::FLOAT ELSE CAST(" + v + " AS FLOAT) END"
}

// numberToTimestamp reads a number as seconds; whole ones beyond what a timestamp holds stay at the end of time.
func (k caster) numberToTimestamp(from, to types.Type, s string) string {
	if from.IsIntegral() && from.Kind != types.Long {
		return "make_timestamptz(CAST(" + s + " AS BIGINT) * 1000000)"
	}
	return let(s, func(v string) string {
		bounded := func(micros, whole string) string {
			return "make_timestamptz(CAST(CASE WHEN " + v + " IS NOT NULL THEN least(greatest(" + micros + ", -9223372022400000000::" + whole + "), 9223372036854775806::" + whole + ") END AS BIGINT))"
		}
		switch {
		case from.IsIntegral():
			return bounded("CAST("+v+" AS HUGEINT) * 1000000", "HUGEINT")
		case from.Kind == types.Decimal && from.Precision+7 <= 18:
			return bounded("CAST(trunc("+v+" * 1000000::DECIMAL(7, 0)) AS HUGEINT)", "HUGEINT")
		case from.Kind == types.Decimal: // what 64 bits do not hold is cut off at the front
			return bounded("spark_micros(CAST("+v+" AS VARCHAR))", "BIGINT")
		}
		d := "trunc(" + v + "::DOUBLE * 1000000)"
		fits := d + " BETWEEN -9223372022400000000 AND 9223372036854774784"
		tooLarge := k.fail("CAST_OVERFLOW", marked(types.Of(types.Double), "("+v+"::DOUBLE * 1000000)"), types.Of(types.Double), types.Of(types.Long))
		return "CASE WHEN " + fits + " THEN make_timestamptz(CAST(" + d + " AS BIGINT)) WHEN isfinite(" + v + ") THEN CAST(" + tooLarge + " AS TIMESTAMPTZ) WHEN " + v +
			" IS NOT NULL THEN CAST(" + k.fail("CAST_INVALID_INPUT", textOf(from, v), types.Of(types.Double), to) + " AS TIMESTAMPTZ) END"
	})
}

func widens(from, to types.Type) bool {
	switch {
	case from.IsIntegral() && to.IsIntegral():
		return to.Kind >= from.Kind
	case from.IsIntegral() && to.Kind == types.Decimal:
		return decimalOfType(from).Precision <= to.Precision-to.Scale
	case from.Kind == types.Decimal && to.Kind == types.Decimal:
		return to.Precision-to.Scale >= from.Precision-from.Scale && to.Scale >= from.Scale
	}
	return false
}

func (k caster) toInteger(from, to types.Type, s string) string {
	duck := DuckType(to)
	if widens(from, to) || from.Kind == types.Boolean {
		return "CAST(" + s + " AS " + duck + ")"
	}
	if k.c.X != nil {
		if v, ok := constant(k.c.X); ok && fitsInt(v, to) {
			return "CAST(" + s + " AS " + duck + ")"
		}
	}
	return k.narrowed(from, to, s, from, "")
}

// narrowed makes a smaller whole number of a number. An overflow is told of source, of which shown is the value's text; empty for
// the number's own.
func (k caster) narrowed(from, to types.Type, s string, source types.Type, shown string) string {
	duck := DuckType(to)
	if widens(from, to) {
		return "CAST(" + s + " AS " + duck + ")"
	}
	return let(s, func(v string) string {
		t := v
		if !from.IsIntegral() {
			t = "trunc(" + v + ")"
		}
		value := shown
		if value == "" {
			value = marked(from, v)
		}
		if k.c.Into != "" && !k.try {
			quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
			return "coalesce(TRY_CAST(" + t + " AS " + duck + "), CASE WHEN " + v + " IS NOT NULL THEN " +
				Fail(k.c, "CAST_OVERFLOW_IN_TABLE_INSERT", quoted(from.SQL()), quoted(to.SQL()), quoted(k.c.Into)) + " END)"
		}
		return k.or("TRY_CAST("+t+" AS "+duck+")", "CAST_OVERFLOW", v, value, source, to)
	})
}

// marked is a number's text as a literal of its type.
func marked(t types.Type, v string) string {
	text := textOf(t, v)
	if t.Kind == types.Double {
		return "(CASE WHEN isfinite(" + v + ") THEN " + text + " || 'D' ELSE " + text + " END)"
	}
	mark := map[types.Kind]string{types.Long: "L", types.Byte: "Y", types.Short: "S", types.Decimal: "BD"}[t.Kind]
	if mark == "" {
		return text
	}
	return text + " || '" + mark + "'"
}

// fitsDecimal reports whether a whole number written as a constant needs no check.
func fitsDecimal(x expr.Expr, to types.Type) bool {
	n, ok := constantInt(x)
	return ok && decimalDigits(int64(n)) <= to.Precision-to.Scale
}

func fitsInt(v any, to types.Type) bool {
	n, ok := v.(int64)
	bits := map[types.Kind]uint{types.Byte: 7, types.Short: 15, types.Int: 31, types.Long: 63}[to.Kind]
	return ok && (bits == 63 || n >= -(1<<bits) && n < 1<<bits)
}

func (k caster) toDecimal(from, to types.Type, s string) string {
	duck := DuckType(to)
	if widens(from, to) || k.c.X != nil && fitsDecimal(k.c.X, to) {
		return "CAST(" + s + " AS " + duck + ")"
	}
	return let(s, func(v string) string {
		x, there, shown := v, v+" IS NOT NULL", textOf(from, v)
		if floating(from) {
			d := "CAST(" + v + " AS DOUBLE)"
			// The shortest text of the double, rounded half up; DuckDB does not read the smallest ones.
			x = "CASE WHEN abs(" + v + ") < 1e-39 THEN '0' ELSE CAST(" + d + " AS VARCHAR) END"
			there = "isfinite(" + v + ")" // what is no number is NULL
			shown = "spark_plain_number(CAST(" + v + " AS DOUBLE))"
		}
		good := "TRY_CAST(" + x + " AS " + duck + ")"
		if k.try {
			return good
		}
		return "coalesce(" + good + ", CASE WHEN " + there + " THEN " + Fail(k.c, outOfRange, shown, itoaQuoted(to.Precision), itoaQuoted(to.Scale)) + " END)"
	})
}

// strictDate and strictTimestamp are the texts that DuckDB reads as Spark does; all others go to a function.
const (
	strictDate      = `'\d{4}-\d{2}-\d{2}'`
	strictTimestamp = `'\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,6})?'`
)

// fromText reads text; v is short.
func (k caster) fromText(from, to types.Type, v string) string {
	duck := DuckType(to)
	or := func(good string) string { return k.or(good, "CAST_INVALID_INPUT", v, v, from, to) }
	switch {
	case to.IsIntegral():
		return or("CASE WHEN regexp_full_match(" + v + `, '\s*[+-]?\d+\s*') THEN TRY_CAST(` + v + " AS " + duck + ") END")
	case to.Kind == types.Boolean:
		return or("CASE WHEN lower(trim(" + v + ")) IN ('t', 'true', 'y', 'yes', '1') THEN true WHEN lower(trim(" + v + ")) IN ('f', 'false', 'n', 'no', '0') THEN false END")
	case floating(to):
		return or("TRY_CAST(CASE WHEN regexp_matches(" + v + `, '\d[dDfF]\s*$') THEN regexp_replace(` + v + `, '[dDfF]\s*$', '') ELSE trim(` + v + ") END AS " + duck + ")")
	case to.Kind == types.Decimal:
		return k.textToDecimal(from, to, v)
	case to.Kind == types.Binary:
		return "encode(" + v + ")"
	case to.Kind == types.Date:
		return or("CASE WHEN regexp_full_match(" + v + ", " + strictDate + ") THEN TRY_CAST(" + v + " AS DATE) ELSE spark_to_date(" + v + ") END")
	case to.Kind == types.Timestamp:
		return or("CASE WHEN regexp_full_match(" + v + ", " + strictTimestamp + ") THEN TRY_CAST(" + v + " AS TIMESTAMPTZ) ELSE spark_to_timestamp(" + v + ", current_setting('TimeZone')) END")
	case to.Kind == types.TimestampNTZ:
		return or("CASE WHEN regexp_full_match(" + v + ", " + strictTimestamp + ") THEN TRY_CAST(" + v + " AS TIMESTAMP) ELSE spark_to_timestamp_ntz(" + v + ") END")
	case to.Kind == types.CalendarInterval:
		return "spark_to_calendar(" + v + ")" // NULL for what is none
	case interval(to):
		shape := itoa(int(to.Kind)) + ", " + itoa(to.From) + ", " + itoa(to.To)
		good := "spark_to_interval(" + v + ", " + shape + ")"
		if k.try {
			return good
		}
		quoted := []string{quote(itoa(int(to.Kind))), quote(itoa(to.From)), quote(itoa(to.To))}
		return "coalesce(" + good + ", CASE WHEN " + v + " IS NOT NULL THEN " + Fail(k.c, "INVALID_INTERVAL_FORMAT", append([]string{v}, quoted...)...) + " END)"
	}
	return or("TRY_CAST(" + v + " AS " + duck + ")")
}

// textToDecimal tells text that is no number from a number that does not fit.
func (k caster) textToDecimal(from, to types.Type, v string) string {
	good := "TRY_CAST(trim(" + v + ") AS " + DuckType(to) + ")"
	if k.try {
		return good
	}
	return "coalesce(" + good + ", CASE WHEN isfinite(TRY_CAST(" + v + " AS DOUBLE)) THEN " + Fail(k.c, outOfRange, "coalesce(spark_decimal('+', trim("+v+"), '0', "+itoa(unrounded)+"), trim("+v+"))", itoaQuoted(to.Precision), itoaQuoted(to.Scale)) +
		" WHEN " + v + " IS NOT NULL THEN " + k.fail("CAST_INVALID_INPUT", v, from, to) + " END)"
}

func (k caster) fromTimestamp(from, to types.Type, s string) string {
	micros := "epoch_us(" + s + ")"
	switch {
	case floating(to):
		return "CAST(" + micros + " / 1000000 AS " + DuckType(to) + ")"
	case to.Kind == types.Decimal:
		return k.toDecimal(types.Of(types.Double), to, "("+micros+" / 1000000)") // Spark goes by the seconds as a double
	}
	return let(s, func(v string) string {
		return k.narrowed(types.Of(types.Long), to, "CAST(floor(epoch_us("+v+") / 1000000) AS BIGINT)", from, "'TIMESTAMP ' || chr(39) || "+textOf(from, v)+" || chr(39)")
	})
}

// intervals casts between an interval and the count of its last field.
func (k caster) intervals(from, to types.Type, s string) string {
	unit := func(t types.Type) string {
		return map[int]string{types.Year: "12", types.Month: "1", types.Day: "86400000000", types.Hour: "3600000000", types.Minute: "60000000", types.Second: "1000000"}[t.To]
	}
	switch {
	case interval(from) && interval(to):
		u := unit(to)
		if to.To == types.Second {
			return s
		}
		return "(" + s + " // " + u + " * " + u + ")"
	case interval(from) && to.IsIntegral():
		return let(s, func(v string) string {
			return k.narrowed(types.Of(types.Long), to, "("+v+" // "+unit(from)+")", from, textOf(from, v))
		})
	case interval(from) && from.To != types.Second: // a fraction of the last field is cut off
		return k.toDecimal(types.DecimalOf(20, 0), to, "CAST("+s+" // "+unit(from)+" AS DECIMAL(20, 0))")
	case interval(from):
		return k.toDecimal(types.DecimalOf(38, 6), to, "CAST("+s+" AS DECIMAL(20, 0)) / "+unit(from))
	}
	// A number of the last field.
	return let(s, func(v string) string {
		n := "CAST(" + v + " AS HUGEINT) * " + unit(to)
		if from.Kind == types.Decimal {
			n = "round(" + v + "::DOUBLE * " + unit(to) + ")"
		}
		narrow := "BIGINT"
		if to.Kind == types.YearMonthInterval {
			narrow = "INTEGER"
		}
		return "CAST(" + k.or("TRY_CAST("+n+" AS "+narrow+")", "CAST_OVERFLOW", v, marked(from, v), from, to) + " AS BIGINT)"
	})
}

// native reports whether DuckDB's own cast does for a type's parts, too.
func native(from, to types.Type) bool {
	if from.Equal(to) && from.Kind < types.Array {
		return true
	}
	switch to.Kind {
	case types.Array:
		return from.Kind == types.Array && native(*from.Elem, *to.Elem)
	case types.Map:
		return from.Kind == types.Map && native(*from.Key, *to.Key) && native(*from.Value, *to.Value)
	case types.Struct:
		if from.Kind != types.Struct || len(from.Fields) != len(to.Fields) {
			return false
		}
		for i, f := range from.Fields {
			if f.Name != to.Fields[i].Name || !native(f.Type, to.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	return from.Kind == types.Null || widens(from, to) || from.IsNumeric() && floating(to)
}

func (k caster) array(from, to types.Type, s string) string {
	if native(from, to) {
		return typedAs(to, s)
	}
	return castArray(k.depth, from, to, s, k.part)
}

// part casts a part: its value is no constant.
func (k caster) part(depth int, from, to types.Type, s string) string {
	c := *k.c
	c.X = nil
	k.c, k.depth = &c, depth
	return k.print(from, to, s)
}

func (k caster) mapping(from, to types.Type, s string) string {
	if native(from, to) {
		return typedAs(to, s)
	}
	return castMap(k.depth, from, to, s, k.part)
}

func (k caster) structure(from, to types.Type, s string) string {
	if native(from, to) {
		return typedAs(to, s)
	}
	return castStruct(k.depth, from, to, s, k.part)
}
