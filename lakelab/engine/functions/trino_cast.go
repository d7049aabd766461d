package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/jsonpath"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// TrinoCast makes an explicit cast, or says that the types don't allow one ("Conversion functions").
func TrinoCast(x expr.Expr, to types.Type, try bool, at token.Span) (expr.Expr, error) {
	from := x.Type()
	if !trinoCastable(from, to) {
		return nil, errclass.CannotCast(int(sql.Trino), from, to, false).At(at)
	}
	if to.Kind == types.Timestamp {
		if to.Zone = from.Zone; from.Kind != types.Timestamp {
			to.Zone = sessionZone
		}
		if text, ok := constantString(x); ok { // a text's own zone can only be shown where it is known beforehand
			if t, _, ok := trinoTimestamp(text, false); ok && t.Kind == types.Timestamp {
				to.Zone = t.Zone
			}
		}
	}
	c := &expr.Cast{X: x, Try: try, Dialect: sql.Trino}
	c.T, c.At = to, at
	c.Null = x.Nullable() || try
	return c, nil
}

// scalarText are the kinds that have a cast to varchar.
func scalarText(t types.Type) bool {
	return !nested(t) && t.Kind != types.Binary
}

func trinoCastable(from, to types.Type) bool {
	text := from.Kind == types.String || from.Kind == types.Char
	switch {
	case from.Equal(to), from.Kind == types.Null:
		return true
	case from.Kind == types.JSON:
		return jsonCastable(to)
	case to.Kind == types.JSON:
		return jsonCastable(from) || from.Kind == types.Date || from.Kind == types.TimestampNTZ
	}
	switch to.Kind {
	case types.String:
		_, bounded := to.Length()
		return scalarText(from) && !(bounded && (from.Kind == types.UUID || from.Kind == types.IPAddress))
	case types.Char:
		return text
	case types.Boolean:
		return text || from.IsNumeric()
	case types.Byte, types.Short, types.Int, types.Long, types.Float, types.Double, types.Decimal:
		return text || from.IsNumeric() || from.Kind == types.Boolean
	case types.Binary:
		return from.Kind == types.String || from.Kind == types.UUID || from.Kind == types.IPAddress
	case types.UUID, types.IPAddress:
		return text || from.Kind == types.Binary
	case types.Date:
		return text || temporal(from)
	case types.Time, types.TimeTZ:
		return text || trinoTime(from) && from.Kind != types.Date
	case types.Timestamp, types.TimestampNTZ:
		return text || trinoTime(from)
	case types.Array:
		return from.Kind == types.Array && trinoCastable(*from.Elem, *to.Elem)
	case types.Map:
		return from.Kind == types.Map && trinoCastable(*from.Key, *to.Key) && trinoCastable(*from.Value, *to.Value)
	case types.Struct:
		if from.Kind != types.Struct || len(from.Fields) != len(to.Fields) {
			return false
		}
		for i, f := range from.Fields {
			if !trinoCastable(f.Type, to.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	return from.Kind == to.Kind
}

// jsonCastable are the types that can be cast to and from json.
func jsonCastable(t types.Type) bool {
	switch t.Kind {
	case types.Boolean, types.Byte, types.Short, types.Int, types.Long, types.Float, types.Double, types.Decimal, types.String, types.Null, types.JSON:
		return true
	case types.Array:
		return jsonCastable(*t.Elem) || temporal(*t.Elem)
	case types.Map:
		return jsonCastable(*t.Value) || temporal(*t.Value)
	case types.Struct:
		for _, f := range t.Fields {
			if !jsonCastable(f.Type) && !temporal(f.Type) {
				return false
			}
		}
		return true
	}
	return false
}

// printTrinoCast says a cast in DuckDB's SQL.
func printTrinoCast(c *expr.Cast, s string) string {
	k := trinoCaster{c: c, try: c.Try}
	if c.Try && nested(c.T) { // NULL for the whole of it if a part fails
		k.try = false
		return let(s, func(v string) string { return tolerate(k.print(c.X.Type(), c.T, v)) })
	}
	return k.print(c.X.Type(), c.T, s)
}

type trinoCaster struct {
	c     *expr.Cast
	try   bool
	depth int
}

func (k trinoCaster) fail(name, message string) string {
	if k.try {
		return "NULL"
	}
	return trinoFail(k.c, name, message)
}

// or gives good, or fails where that is NULL and the value is not. v is a short text.
func (k trinoCaster) or(good, v, name, message string) string {
	if k.try {
		return good
	}
	return "coalesce(" + good + ", CASE WHEN " + v + " IS NOT NULL THEN " + k.fail(name, message) + " END)"
}

const badCast, outOfTrino = "INVALID_CAST_ARGUMENT", "NUMERIC_VALUE_OUT_OF_RANGE"

func (k trinoCaster) print(from, to types.Type, s string) string {
	switch {
	case from.Kind == types.Null:
		return "CAST(NULL AS " + DuckType(to) + ")"
	case to.Kind == types.JSON && from.Kind != types.JSON:
		return k.toJSON(from, s)
	case from.Kind == types.JSON && to.Kind != types.JSON:
		return k.fromJSON(to, s)
	case to.Kind == types.String || to.Kind == types.Char:
		return k.toText(from, to, s)
	case from.Equal(to) && to.Kind < types.Array:
		return s
	case from.Kind == types.String || from.Kind == types.Char:
		return let(s, func(v string) string { return k.fromText(to, v) })
	case to.Kind == types.Array:
		return k.array(from, to, s)
	case to.Kind == types.Map:
		return k.mapping(from, to, s)
	case to.Kind == types.Struct:
		return k.structure(from, to, s)
	case to.Kind == types.Boolean:
		return "(" + s + " <> 0)"
	case to.IsIntegral():
		return k.toInteger(from, to, s)
	case to.Kind == types.Decimal:
		return k.toDecimal(from, to, s)
	case to.Kind == types.Float && from.Kind == types.Double:
		return let(s, asFloat)
	case trinoTime(to):
		return k.temporal(from, to, s)
	case to.Kind == types.Binary && from.Kind == types.IPAddress:
		return s
	case to.Kind == types.IPAddress && from.Kind == types.Binary:
		return let(s, func(v string) string {
			good := "CASE octet_length(" + v + ") WHEN 16 THEN " + v + " WHEN 4 THEN unhex('00000000000000000000FFFF' || hex(" + v + ")) END"
			return k.or(good, v, badCast, quote("Invalid IP address binary length: ")+" || octet_length("+v+")")
		})
	case to.Kind == types.UUID && from.Kind == types.Binary:
		return let(s, func(v string) string {
			good := "CASE octet_length(" + v + ") WHEN 16 THEN CAST(lower(hex(" + v + ")) AS UUID) END"
			return k.or(good, v, badCast, quote("Invalid UUID binary length: ")+" || octet_length("+v+")")
		})
	case to.Kind == types.Binary && from.Kind == types.UUID:
		return "unhex(replace(CAST(" + s + " AS VARCHAR), '-', ''))"
	}
	return "CAST(" + s + " AS " + DuckType(to) + ")"
}

func (k trinoCaster) toInteger(from, to types.Type, s string) string {
	duck := DuckType(to)
	if from.Kind == types.Boolean || from.IsIntegral() && to.Kind >= from.Kind {
		return "CAST(" + s + " AS " + duck + ")"
	}
	return let(s, func(v string) string {
		outOfRange := quote("Out of range for "+to.Trino()+": ") + " || " + javaText(from, v)
		switch {
		case from.IsIntegral():
			return k.or("TRY_CAST("+v+" AS "+duck+")", v, outOfTrino, outOfRange)
		case from.Kind == types.Decimal:
			return k.or("TRY_CAST(round("+v+", 0) AS "+duck+")", v, badCast, quote("Cannot cast '")+" || CAST(round("+v+", 0) AS VARCHAR) || "+quote("' to "+strings.ToUpper(to.Trino())))
		case from.Kind == types.Float && to.Kind == types.Long: // what is too large stays at the end
			good := "CASE WHEN " + v + " >= 9223372036854775807::FLOAT THEN 9223372036854775807 WHEN " + v + " <= -9223372036854775808::FLOAT THEN -9223372036854775808 WHEN NOT isnan(" + v + ") THEN CAST(round(" + v + ") AS BIGINT) END"
			return k.or(good, v, badCast, quote("Cannot cast real NaN to bigint"))
		}
		good := "TRY_CAST(CASE WHEN isfinite(" + v + ") THEN round(" + v + ") END AS " + duck + ")"
		if to.Kind == types.Long {
			return k.or(good, v, badCast, quote("Unable to cast ")+" || "+trinoText(from, v)+" || "+quote(" to "+to.Trino()))
		}
		if k.try {
			return good
		}
		return "coalesce(" + good + ", CASE WHEN isnan(" + v + ") THEN " + k.fail(badCast, quote("Cannot cast "+from.Trino()+" NaN to "+to.Trino())) + " WHEN " + v + " IS NOT NULL THEN " + k.fail(outOfTrino, outOfRange) + " END)"
	})
}

// trinoUpper is a type's name as messages about casts of text have it.
func trinoUpper(t types.Type) string {
	switch t.Kind {
	case types.Boolean:
		return "BOOLEAN"
	case types.Byte:
		return "TINYINT"
	case types.Short:
		return "SMALLINT"
	case types.Int:
		return "INT"
	case types.Long:
		return "BIGINT"
	case types.Float:
		return "REAL"
	case types.Double:
		return "DOUBLE"
	case types.Decimal:
		return "DECIMAL(" + itoa(t.Precision) + ", " + itoa(t.Scale) + ")"
	}
	return t.Trino()
}

func (k trinoCaster) toDecimal(from, to types.Type, s string) string {
	duck := DuckType(to)
	if from.Kind == types.Boolean || widens(from, to) {
		return "CAST(" + s + " AS " + duck + ")"
	}
	return let(s, func(v string) string {
		if floating(from) {
			return k.or("TRY_CAST(CAST("+v+" AS VARCHAR) AS "+duck+")", v, badCast, quote("Cannot cast "+trinoUpper(from)+" '")+" || "+trinoText(from, v)+" || "+quote("' to "+trinoUpper(to)))
		}
		return k.or("TRY_CAST("+v+" AS "+duck+")", v, badCast, quote("Cannot cast "+map[bool]string{true: "INTEGER", false: trinoUpper(from)}[from.Kind == types.Int]+" '")+" || CAST("+v+" AS VARCHAR) || "+quote("' to "+trinoUpper(to)))
	})
}

// toText writes a value as varchar or char.
func (k trinoCaster) toText(from, to types.Type, s string) string {
	text := trinoText(from, s)
	n, bounded := to.Length()
	if to.Kind == types.Char {
		return "rtrim(left(" + text + ", " + itoa(n) + "), ' ')"
	}
	if m, fits := from.Length(); !bounded || from.Kind == types.String && fits && m <= n || from.Kind == types.Char && m <= n {
		return text
	}
	if from.Kind == types.String || from.Kind == types.Char {
		return "left(" + text + ", " + itoa(n) + ")"
	}
	return let(text, func(v string) string {
		switch {
		case from.Kind == types.Boolean || trinoTime(from) && from.Kind != types.Date || interval(from): // a defect of Trino's, word for word
			return k.or("CASE WHEN length("+v+") <= "+itoa(n)+" THEN "+v+" END", v, "GENERIC_INTERNAL_ERROR", quote("Character count exceeds length limit "+itoa(n)+": base64:")+" || to_base64(encode("+v+"))")
		case floating(from):
			plain := "CASE WHEN abs(" + s + ") >= 1e7 OR abs(" + s + ") < 1e-3 THEN " + v + " ELSE CAST(" + s + " AS VARCHAR) END"
			return k.or("CASE WHEN length("+v+") <= "+itoa(n)+" THEN "+v+" END", v, badCast, quote("Value ")+" || "+plain+" || ' (' || "+v+" || "+quote(") cannot be represented as varchar("+itoa(n)+")"))
		}
		return k.or("CASE WHEN length("+v+") <= "+itoa(n)+" THEN "+v+" END", v, badCast, quote("Value ")+" || "+v+" || "+quote(" cannot be represented as varchar("+itoa(n)+")"))
	})
}

// trinoText is a value's text as Trino's casts write it.
func trinoText(t types.Type, s string) string {
	switch t.Kind {
	case types.String, types.JSON:
		return s
	case types.IPAddress:
		return "trino_ipaddress_text(" + s + ")"
	case types.Char:
		return "rpad(" + s + ", " + itoa(t.Precision) + ", ' ')"
	case types.Double:
		return "trino_double_text(" + s + ")"
	case types.Float:
		return "trino_real_text(" + s + ")"
	case types.Timestamp, types.TimestampNTZ, types.Time, types.TimeTZ:
		return clockText(t, s)
	case types.Decimal:
		if t.Precision == t.Scale { // DuckDB leaves out the zero in front of the point
			return "regexp_replace(CAST(" + s + ` AS VARCHAR), '^(-?)\.', '\10.')`
		}
	case types.DayTimeInterval, types.YearMonthInterval:
		return "trino_interval_text(" + s + ", " + itoa(int(t.Kind)) + ")"
	}
	return "CAST(" + s + " AS VARCHAR)"
}

// javaText is a value's text as messages and keys of JSON have it: floating-point numbers are as Java writes them.
func javaText(t types.Type, s string) string {
	switch t.Kind {
	case types.Float: // Trino's Java writes the shortest digits
		return "spark_double_text(CAST(CAST(" + s + " AS VARCHAR) AS DOUBLE))"
	case types.Double:
		return "spark_double_text(" + s + ")"
	}
	return trinoText(t, s)
}

// fromText reads text; v is short.
func (k trinoCaster) fromText(to types.Type, v string) string {
	duck := DuckType(to)
	cannot := quote("Cannot cast '") + " || " + v + " || " + quote("' to "+trinoUpper(to))
	or := func(good, message string) string { return k.or(good, v, badCast, message) }
	switch {
	case to.IsIntegral():
		return or("CASE WHEN regexp_full_match("+v+`, '\s*[+-]?\d+\s*') THEN TRY_CAST(`+v+" AS "+duck+") END", cannot)
	case to.Kind == types.Boolean:
		return or("CASE lower("+v+") WHEN 't' THEN true WHEN 'true' THEN true WHEN '1' THEN true WHEN 'f' THEN false WHEN 'false' THEN false WHEN '0' THEN false END", cannot)
	case to.Kind == types.Float:
		return or(let("trino_to_double("+v+")", asFloat), cannot)
	case floating(to):
		return or(typedAs(to, "trino_to_double("+v+")"), cannot)
	case to.Kind == types.Decimal:
		form := "regexp_full_match(" + v + `, '[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?')`
		message := quote("Cannot cast VARCHAR '") + " || " + v + " || " + quote("' to "+trinoUpper(to)+". ") + " || CASE WHEN " + form + " THEN 'Value too large.' ELSE 'Value is not a number.' END"
		return or("CASE WHEN "+form+" THEN TRY_CAST("+v+" AS "+duck+") END", message)
	case to.Kind == types.Binary:
		return "encode(" + v + ")"
	case to.Kind == types.UUID:
		return or("TRY_CAST(CASE WHEN length("+v+") = 36 THEN "+v+" END AS UUID)", quote("Cannot cast value to UUID: ")+" || "+v)
	case to.Kind == types.IPAddress:
		return or("trino_ipaddress("+v+")", quote("Cannot cast value to IPADDRESS: ")+" || "+v)
	case to.Kind == types.Date:
		return or("trino_to_date("+v+")", quote("Value cannot be cast to date: ")+" || "+v)
	case to.Kind == types.TimeTZ:
		return or(typedAs(to, "trino_to_time_tz("+v+", "+itoa(to.Digits())+", "+sessionOffset+")"), quote("Value cannot be cast to time with time zone: ")+" || "+v)
	case to.Kind == types.Time && to.InPicos():
		return or(typedAs(to, "trino_to_time_picos("+v+", "+itoa(to.Digits())+")"), quote("Value cannot be cast to time: ")+" || "+v)
	case to.InPicos():
		zone := "''"
		if to.Kind == types.Timestamp {
			zone = zoneText(to.Zone)
		}
		return or(typedAs(to, "trino_to_picos("+v+", "+itoa(to.Digits())+", "+zone+")"), quote("Value cannot be cast to timestamp: ")+" || "+v)
	case to.Kind == types.Time:
		return or("CAST(make_timestamp(trino_to_time("+v+", "+itoa(to.Digits())+")) AS TIME)", quote("Value cannot be cast to time: ")+" || "+v)
	case to.Kind == types.Timestamp:
		return or("make_timestamptz(trino_to_timestamp("+v+", "+itoa(to.Digits())+", "+zoneText(to.Zone)+"))", quote("Value cannot be cast to timestamp: ")+" || "+v)
	case to.Kind == types.TimestampNTZ:
		return or("make_timestamp(trino_to_timestamp("+v+", "+itoa(to.Digits())+", ''))", quote("Value cannot be cast to timestamp: ")+" || "+v)
	}
	return or("TRY_CAST("+v+" AS "+duck+")", cannot)
}

// temporal casts between dates, times and timestamps.
func (k trinoCaster) temporal(from, to types.Type, s string) string {
	clock := from.Kind != types.Date && from.Kind != types.Time
	switch {
	case from.Kind == to.Kind:
		return rounded(from, to.Digits(), s)
	case from.InPicos() || to.InPicos():
		return let(s, func(v string) string { return k.temporalPicos(from, to, v) })
	case to.Kind == types.Date:
		return "CAST(" + local(from, s) + " AS DATE)"
	case to.Kind == types.Time:
		t := types.TemporalOf(types.Time, from.Digits())
		return rounded(t, to.Digits(), "CAST("+local(from, s)+" AS TIME)")
	case from.Kind == types.Time:
		wall := "(" + today() + " + " + rounded(from, to.Digits(), s) + ")"
		if to.Kind == types.Timestamp {
			return zoned(sessionZone, wall)
		}
		return back(to, wall)
	case to.Kind == types.TimestampNTZ:
		wall := local(from, s)
		if clock {
			wall = rounded(types.TemporalOf(types.TimestampNTZ, from.Digits()), to.Digits(), wall)
		}
		return wall
	}
	wall := local(from, s)
	if clock {
		wall = rounded(types.TemporalOf(types.TimestampNTZ, from.Digits()), to.Digits(), wall)
	}
	return zoned(sessionZone, wall) // whatever zone it is shown in then
}

// temporalPicos casts between types of different kinds of which one has picoseconds: those of the wall clock are put together anew.
// s is short.
func (k trinoCaster) temporalPicos(from, to types.Type, s string) string {
	coarsely := func(kind types.Kind, us string) string { // the picoseconds of what DuckDB has in microseconds, with from's rest
		return "(" + picosOf(types.TemporalOf(kind, 6), us) + " + " + restOf(from, s) + ")"
	}
	clock := from.Kind == types.Time || from.Kind == types.TimeTZ
	switch {
	case to.Kind == types.Date:
		return "CAST(" + local(from, s) + " AS DATE)"
	case to.Kind == types.Time || to.Kind == types.TimeTZ:
		picos := picosOf(from, s)
		if !clock {
			picos = coarsely(types.Time, "CAST("+local(from, s)+" AS TIME)")
		}
		picos = roundedPicos(to.Digits(), true, picos)
		switch {
		case to.Kind == types.Time:
			if !to.InPicos() {
				return coarse(types.TemporalOf(types.Time, 12), picos)
			}
			return picos
		case from.Kind == types.Timestamp:
			return packed(picos, offsetAt(from, s))
		}
		return packed(picos, sessionOffset)
	case from.Kind == types.Date:
		return k.temporal(types.TemporalOf(types.TimestampNTZ, 6), to, "CAST("+s+" AS TIMESTAMP)")
	case clock: // that of today
		today := "(" + picosOf(types.TemporalOf(types.TimestampNTZ, 6), "CAST("+today()+" AS TIMESTAMP)") + " + " + picosOf(from, s) + ")"
		return k.print(types.TemporalOf(types.TimestampNTZ, 12), to, today)
	}
	wall := local(from, s)
	if to.Kind == types.Timestamp {
		wall = zoned(sessionZone, wall)
	}
	return rounded(types.TemporalOf(to.Kind, 12), to.Digits(), coarsely(to.Kind, wall))
}

func (k trinoCaster) deeper() (trinoCaster, string) {
	p := "_c" + itoa(k.depth)
	k.depth++
	return k, p
}

func (k trinoCaster) array(from, to types.Type, s string) string {
	if trinoNative(from, to) {
		return typedAs(to, s)
	}
	return castArray(k.depth, from, to, s, k.part)
}

func (k trinoCaster) mapping(from, to types.Type, s string) string {
	if trinoNative(from, to) {
		return typedAs(to, s)
	}
	return castMap(k.depth, from, to, s, k.part)
}

func (k trinoCaster) structure(from, to types.Type, s string) string {
	return castStruct(k.depth, from, to, s, k.part)
}

func (k trinoCaster) part(depth int, from, to types.Type, s string) string {
	k.depth = depth
	return k.print(from, to, s)
}

// trinoNative reports whether DuckDB's own cast does for a collection.
func trinoNative(from, to types.Type) bool {
	if from.Equal(to) && from.Kind < types.Array {
		return true
	}
	switch to.Kind {
	case types.Array:
		return from.Kind == types.Array && trinoNative(*from.Elem, *to.Elem)
	case types.Map:
		return from.Kind == types.Map && trinoNative(*from.Key, *to.Key) && trinoNative(*from.Value, *to.Value)
	case types.String:
		m, fits := from.Length()
		n, bounded := to.Length()
		return from.Kind == types.String && (!bounded || fits && m <= n)
	}
	return from.Kind == types.Null || widens(from, to) || from.IsNumeric() && floating(to) && !(from.Kind == types.Double && to.Kind == types.Float)
}

// trinoField is the name that a row's field has in DuckDB, where every one needs a name.
func trinoField(name string, i int) string { return ident(FieldName(types.Field{Name: name}, i)) }

// toJSON writes a value's JSON text; NULL stays NULL, but inside of a collection it is null.
func (k trinoCaster) toJSON(t types.Type, s string) string {
	inner := func(in trinoCaster, t types.Type, s string) string {
		return "coalesce(" + in.toJSON(t, s) + ", 'null')"
	}
	switch t.Kind {
	case types.JSON:
		return s
	case types.Null:
		return "CAST(NULL AS VARCHAR)"
	case types.String, types.Char:
		return "trino_json_quote(" + trinoText(t, s) + ")"
	case types.Float, types.Double:
		return "trino_json_double(" + s + ")"
	case types.Array:
		in, p := k.deeper()
		return let(s, func(v string) string {
			return "CASE WHEN " + v + " IS NOT NULL THEN '[' || coalesce(array_to_string(list_transform(" + v + ", lambda " + p + ": " + inner(in, *t.Elem, p) + "), ','), '') || ']' END"
		})
	case types.Map:
		in, p := k.deeper()
		entry := "trino_json_quote(" + javaText(*t.Key, p+".key") + ") || ':' || " + inner(in, *t.Value, p+".value")
		return let(s, func(v string) string {
			sorted := "list_sort(list_transform(map_entries(" + v + "), lambda " + p + ": {'k': " + javaText(*t.Key, p+".key") + ", 'e': " + entry + "}))"
			return "CASE WHEN " + v + " IS NOT NULL THEN '{' || coalesce(array_to_string(list_transform(" + sorted + ", lambda " + p + ": " + p + ".e), ','), '') || '}' END"
		})
	case types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				parts[i] = quote(jsonpath.Quote(f.Name)+":") + " || " + inner(k, f.Type, fieldAt(v, i))
			}
			return "CASE WHEN " + v + " IS NOT NULL THEN '{' || " + joinWith(parts, " || ',' || ") + " || '}' END"
		})
	case types.Boolean, types.Byte, types.Short, types.Int, types.Long, types.Decimal:
		return "CAST(" + s + " AS VARCHAR)"
	}
	return "trino_json_quote(" + trinoText(t, s) + ")"
}

// fromJSON reads a JSON text into a type; JSON's null is NULL.
func (k trinoCaster) fromJSON(t types.Type, s string) string {
	fail := func(v string) string {
		want := map[types.Kind]string{types.Array: "a json array", types.Map: "a json object", types.Struct: "a json array or object"}[t.Kind]
		token := "CASE WHEN " + v + "[1] IN ('[', '{') THEN " + v + "[1] ELSE trino_json_scalar(" + v + ") END"
		return k.fail(badCast, quote("Cannot cast to "+t.Trino()+". Expected "+want+", but got ")+" || "+token+" || chr(10) || "+v)
	}
	switch t.Kind {
	case types.JSON:
		return s
	case types.Array:
		in, p := k.deeper()
		return let(s, func(v string) string {
			return let("trino_json_elements("+v+")", func(list string) string {
				return typedAs(t, "CASE WHEN "+v+" IS NULL OR "+v+" = 'null' THEN NULL WHEN "+list+" IS NULL THEN "+fail(v)+" ELSE list_transform("+list+", lambda "+p+": "+in.fromJSON(*t.Elem, p)+") END")
			})
		})
	case types.Map:
		in, p := k.deeper()
		return let(s, func(v string) string {
			keys := "list_transform(trino_json_keys(" + v + "), lambda " + p + ": " + in.print(types.Of(types.String), *t.Key, p) + ")"
			values := "list_transform(trino_json_values(" + v + "), lambda " + p + ": " + in.fromJSON(*t.Value, p) + ")"
			return typedAs(t, "CASE WHEN "+v+" IS NULL OR "+v+" = 'null' THEN NULL WHEN "+v+"[1] <> '{' THEN "+fail(v)+" ELSE MAP("+keys+", "+values+") END")
		})
	case types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				parts[i] = trinoField(f.Name, i) + ": " + k.fromJSON(f.Type, "trino_json_field("+v+", "+quote(f.Name)+", "+itoa(i)+")")
			}
			return typedAs(t, "CASE WHEN "+v+" IS NULL OR "+v+" = 'null' THEN NULL WHEN "+v+"[1] NOT IN ('{', '[') THEN "+fail(v)+" ELSE {"+join(parts)+"} END")
		})
	}
	return let(s, func(v string) string {
		return let("trino_json_scalar("+v+")", func(x string) string {
			var value string
			number := "TRY_CAST(CASE " + x + " WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE " + x + " END AS DOUBLE)"
			switch {
			case t.Kind == types.String || t.Kind == types.Char:
				// A number with a fraction is a double's text.
				value = k.toText(types.Of(types.String), t, "CASE WHEN "+v+"[1] <> '\"' AND regexp_matches("+x+", '[.eE]') AND "+x+" NOT IN ('true', 'false') THEN trino_double_text("+number+") ELSE "+x+" END")
			case t.Kind == types.Boolean:
				value = "CASE WHEN " + v + " IN ('true', '\"true\"') THEN true WHEN " + v + " IN ('false', '\"false\"') THEN false ELSE " + number + " <> 0 END"
			case t.IsIntegral():
				value = "TRY_CAST(round(TRY_CAST(CASE " + x + " WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE " + x + " END AS DECIMAL(38, 10))) AS " + DuckType(t) + ")"
			default:
				value = "TRY_CAST(CASE " + x + " WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE " + x + " END AS " + DuckType(t) + ")"
			}
			scalar := k.fail(badCast, quote("Cannot cast '")+" || coalesce("+x+", "+v+") || CASE WHEN "+v+"[1] IN ('[', '{') THEN "+quote("' to "+t.Trino())+" ELSE "+quote("' to "+trinoUpper(t))+" END")
			return "CASE WHEN " + v + " IS NULL OR " + v + " = 'null' THEN NULL ELSE coalesce(" + value + ", " + scalar + ") END"
		})
	})
}
