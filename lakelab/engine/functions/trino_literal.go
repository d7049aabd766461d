package functions

import (
	"errors"
	"math"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"encoding/hex"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// TrinoLiteral types a constant as Trino does: 'abc' is a varchar(3), TIMESTAMP '2024-01-01 00:00:00.5' a timestamp(1).
func TrinoLiteral(l *sql.Literal) (expr.Expr, error) {
	out := &expr.Lit{}
	out.At = l.Span()
	set := func(t types.Type, v any) (expr.Expr, error) {
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
		return set(types.VarcharOf(utf8.RuneCountInString(l.Text)), l.Text)
	case sql.BinaryLit:
		b, err := hex.DecodeString(strings.Join(strings.Fields(l.Text), ""))
		if err != nil {
			return nil, errclass.TrinoSyntax("Binary literal can only contain hexadecimal digits", l.Span())
		}
		return set(types.Of(types.Binary), b)
	case sql.NumberLit:
		return trinoNumber(l, set)
	}
	name := strings.ToUpper(l.TypeName)
	t, v, ok := trinoTyped(name, l.Text)
	if n := fractionDigits(name, l.Text); !ok && n > 12 {
		return nil, errclass.TrinoPrecision(types.TemporalOf(map[bool]types.Kind{true: types.Time, false: types.TimestampNTZ}[name == "TIME"], 0), n).At(l.Span())
	}
	if !ok {
		return nil, errclass.TrinoBadLiteral(strings.ToUpper(l.TypeName), l.Text).At(l.Span())
	}
	if t.Kind == types.Null {
		return nil, errclass.TrinoLiteralType(l.TypeName, l.Span())
	}
	return set(t, v)
}

var fractionForm = regexp.MustCompile(`:\d{1,2}\.(\d+)`)

// fractionDigits are those of the fraction of a time's or a timestamp's text; 0 for other literals.
func fractionDigits(name, text string) int {
	m := fractionForm.FindStringSubmatch(text)
	if m == nil || name != "TIME" && name != "TIMESTAMP" {
		return 0
	}
	return len(m[1])
}

func trinoNumber(l *sql.Literal, set func(types.Type, any) (expr.Expr, error)) (expr.Expr, error) {
	switch {
	case strings.ContainsAny(l.Text, "eE"):
		v, _ := strconv.ParseFloat(l.Text, 64) // beyond the range: an infinity
		return set(types.Of(types.Double), v)
	case strings.Contains(l.Text, "."):
		t, v, ok := trinoDecimalText(l.Text)
		if !ok {
			return nil, errclass.TrinoBadLiteral("DECIMAL", l.Text).At(l.Span())
		}
		return set(t, v)
	}
	v, err := strconv.ParseInt(strings.ReplaceAll(l.Text, "_", ""), 10, 64)
	switch {
	case err != nil:
		return nil, errclass.TrinoSyntax("Invalid numeric literal: "+l.Text, l.Span())
	case v >= math.MinInt32 && v <= math.MaxInt32:
		return set(types.Of(types.Int), v)
	}
	return set(types.Of(types.Long), v)
}

var trinoDecimalForm = regexp.MustCompile(`^([+-]?)(\d*)(?:\.(\d*))?$`)

// trinoDecimalText reads a decimal: leading zeros do not count among its digits.
func trinoDecimalText(text string) (types.Type, types.Dec, bool) {
	m := trinoDecimalForm.FindStringSubmatch(strings.ReplaceAll(text, "_", ""))
	if m == nil || m[2]+m[3] == "" {
		return types.Type{}, "", false
	}
	whole, frac := strings.TrimLeft(m[2], "0"), m[3]
	precision := max(len(whole)+len(frac), 1)
	if precision > maxPrecision {
		return types.Type{}, "", false
	}
	v := whole
	if v == "" {
		v = "0"
	}
	if frac != "" {
		v += "." + frac
	}
	if m[1] == "-" && strings.Trim(v, "0.") != "" {
		v = "-" + v
	}
	return types.DecimalOf(precision, len(frac)), types.Dec(v), true
}

// trinoTyped reads a literal with its type in front; a type of Kind Null says that there is no such type.
func trinoTyped(name, text string) (types.Type, any, bool) {
	if t, v, ok, known := trinoTemporal(name, text); known {
		return t, v, ok
	}
	number := func(k types.Kind, bits int) (types.Type, any, bool) {
		v, err := strconv.ParseInt(strings.TrimSpace(text), 10, bits)
		return types.Of(k), v, err == nil
	}
	switch name {
	case "TINYINT":
		return number(types.Byte, 8)
	case "SMALLINT":
		return number(types.Short, 16)
	case "INTEGER", "INT":
		return number(types.Int, 32)
	case "BIGINT":
		return number(types.Long, 64)
	case "REAL":
		v, err := strconv.ParseFloat(text, 32)
		return types.Of(types.Float), float32(v), err == nil || errors.Is(err, strconv.ErrRange) // beyond the range: an infinity
	case "DOUBLE", "DOUBLE PRECISION":
		v, err := strconv.ParseFloat(text, 64)
		return types.Of(types.Double), v, err == nil || errors.Is(err, strconv.ErrRange)
	case "DECIMAL":
		t, v, ok := trinoDecimalText(strings.TrimSpace(text))
		return t, v, ok
	case "VARCHAR":
		return types.Of(types.String), text, true
	case "CHAR":
		return types.CharOf(utf8.RuneCountInString(text)), strings.TrimRight(text, " "), true
	case "BOOLEAN":
		v, ok := trinoBoolean(text)
		return types.Of(types.Boolean), v, ok
	case "JSON":
		v, err := canonicalJSON(text)
		return types.Of(types.JSON), v, err == nil
	case "UUID":
		return types.Of(types.UUID), strings.ToLower(text), uuidForm.MatchString(text)
	case "IPADDRESS":
		a, err := netip.ParseAddr(text)
		return types.Of(types.IPAddress), a.Unmap().String(), err == nil
	}
	return types.Type{}, nil, true
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

func trinoBoolean(text string) (bool, bool) {
	switch strings.ToLower(text) {
	case "t", "true", "1":
		return true, true
	case "f", "false", "0":
		return false, true
	}
	return false, false
}

// The forms of Trino's dates and times; digits may be left out at the front, the time of a timestamp at its end.
var (
	trinoDateForm = regexp.MustCompile(`^([+-]?\d{4,})-(\d{1,2})-(\d{1,2})$`)
	trinoTimeForm = regexp.MustCompile(`^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,12}))?)?$`)
	trinoZoneForm = regexp.MustCompile(`^(.*?\d)\s*([+-]\d{1,2}(?::\d{2})?|\s[A-Za-z][\w/+:-]*|Z)$`)
)

func trinoTemporal(name, text string) (t types.Type, v any, ok, known bool) {
	switch name {
	case "DATE":
		d, ok := trinoDate(strings.TrimSpace(text))
		return types.Of(types.Date), d, ok, true
	case "TIME":
		if c, digits, ok := trinoZonedClock(text, 0); ok && c.zoned {
			return types.TemporalOf(types.TimeTZ, digits), c.Clock, true, true
		}
		picos, digits, ok := trinoClock(strings.TrimSpace(text))
		t := types.TemporalOf(types.Time, digits)
		if t.InPicos() {
			return t, types.Picos{Micros: types.Micros(picos / picosInMicro), Rest: int32(picos % picosInMicro)}, ok, true
		}
		return t, picos / picosInMicro, ok, true
	case "TIMESTAMP":
		t, v, ok := trinoTimestamp(text, true)
		if !t.InPicos() {
			return t, v.Micros, ok, true
		}
		return t, v, ok, true
	}
	return t, nil, false, false
}

func trinoDate(text string) (types.Days, bool) {
	m := trinoDateForm.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	year, _ := strconv.Atoi(m[1])
	month, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])
	d := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return types.Days(floorDays(d)), int(d.Month()) == month && d.Day() == day
}

// trinoClock reads a time of day: its picoseconds, and the digits of its fraction as written.
func trinoClock(text string) (picos int64, digits int, ok bool) {
	m := trinoTimeForm.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	ok = true
	part := func(s string, most int64) int64 {
		n, _ := strconv.ParseInt("0"+s, 10, 64)
		ok = ok && n <= most
		return n
	}
	seconds := part(m[1], 23)*3600 + part(m[2], 59)*60 + part(m[3], 59)
	return seconds*1e12 + part((m[4] + "000000000000")[:12], 1e12), len(m[4]), ok
}

// zonedClock is a time of day with an offset from UTC that its text may have left out.
type zonedClock struct {
	types.Clock
	zoned bool
}

var clockOffsetForm = regexp.MustCompile(`^(.*?\d)\s*([+-])(\d{2}):(\d{2})$`)

// trinoZonedClock reads a time of day with an offset, or without one: then it has the offset given.
func trinoZonedClock(text string, offset int32) (c zonedClock, digits int, ok bool) {
	text = strings.TrimSpace(text)
	c.Offset = offset
	if m := clockOffsetForm.FindStringSubmatch(text); m != nil {
		hours, _ := strconv.Atoi(m[3])
		minutes, _ := strconv.Atoi(m[4])
		if minutes > 59 || hours*60+minutes > 14*60 {
			return c, 0, false
		}
		if c.Offset = int32(hours*60 + minutes); m[2] == "-" {
			c.Offset = -c.Offset
		}
		text, c.zoned = m[1], true
	}
	c.Picos, digits, ok = trinoClock(text)
	return c, digits, ok
}

// trinoTimestamp reads a timestamp, with a zone or without. A clock that its zone leaves out, as it was put forward over it, is none in a
// literal, and moved as far ahead in a cast.
func trinoTimestamp(text string, literal bool) (types.Type, types.Picos, bool) {
	text = strings.TrimSpace(text)
	zone := ""
	date, clock, hasClock := strings.Cut(text, " ")
	if hasClock {
		if m := trinoZoneForm.FindStringSubmatch(clock); m != nil {
			clock, zone = m[1], strings.TrimSpace(m[2])
		} else if trinoTimeForm.FindString(clock) == "" {
			clock, zone, hasClock = "", clock, false // a date and a zone
		}
	}
	days, ok := trinoDate(date)
	if !ok {
		return types.Type{}, types.Picos{}, false
	}
	var picos int64
	digits := 0
	if hasClock {
		if picos, digits, ok = trinoClock(clock); !ok {
			return types.Type{}, types.Picos{}, false
		}
	}
	wall := types.Picos{Micros: types.Micros(int64(days)*86400e6 + picos/picosInMicro), Rest: int32(picos % picosInMicro)}
	if zone == "" {
		return types.TemporalOf(types.TimestampNTZ, digits), wall, true
	}
	zone, ok = TrinoZone(zone)
	at := wallInZone(wall, zone)
	_, ahead := time.UnixMicro(int64(at.Micros)).In(types.Location(zone)).Zone()
	if !ok || literal && int64(at.Micros)+int64(ahead)*1e6 != int64(wall.Micros) {
		return types.Type{}, types.Picos{}, false
	}
	return types.TemporalOf(types.Timestamp, digits).InZone(zone), at, true
}

// wallInZone is the instant of a wall clock in a zone.
func wallInZone(wall types.Picos, zone string) types.Picos {
	w := time.UnixMicro(int64(wall.Micros)).UTC()
	at := time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), w.Nanosecond(), types.Location(zone))
	return types.Picos{Micros: types.Micros(at.UnixMicro()), Rest: wall.Rest}
}

// utcNames are the names by which UTC goes in Trino, with or without Etc/ in front.
var utcNames = map[string]bool{"utc": true, "z": true, "ut": true, "uct": true, "gmt": true, "gmt0": true, "greenwich": true, "universal": true, "zulu": true}

var offsetForm = regexp.MustCompile(`^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?$`)

// etcForm is a region that is an offset, with the sign that it has in POSIX.
var etcForm = regexp.MustCompile(`^Etc/GMT([+-])(\d{1,2})$`)

// TrinoZone gives a time zone its name as Trino has it: UTC for all that means it, +03:00 for an offset in any form, a region's own. It is
// false if there is none of that name.
func TrinoZone(zone string) (string, bool) {
	if utcNames[strings.TrimPrefix(strings.ToLower(zone), "etc/")] {
		return "UTC", true
	}
	if m := offsetForm.FindStringSubmatch(zone); m != nil {
		z := m[1] + ("0" + m[2])[len(m[2])-1:] + ":" + (m[3] + "00")[:2]
		n, ok := types.ZoneOffset(z)
		ok = ok && max(n, -n) <= 14*60 && (len(m[2]) == 2 || m[3] == "")
		if n == 0 && ok {
			return "UTC", true
		}
		return z, ok
	}
	if zone == "" || zone == "Local" {
		return "", false
	}
	if m := etcForm.FindStringSubmatch(zone); m != nil {
		return TrinoZone(map[string]string{"+": "-", "-": "+"}[m[1]] + m[2])
	}
	_, ok := types.Region(zone)
	return zone, ok
}
