package types

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
)

// Format is how a session's values are shown.
type Format struct {
	Zone *time.Location // the session's, for Timestamp
	// Binary is spark.sql.binaryOutputStyle: UTF-8, BASIC, BASE64, HEX; HEX_DISCRETE if empty.
	Binary string
}

// Text is a value as Spark's show prints it, with the default of all settings but the time zone.
func Text(t Type, v any, zone *time.Location) string { return Format{Zone: zone}.Text(t, v) }

// Text is a value as Spark's show prints it, which for all but binary is its cast to string. NULL is "NULL".
func (f Format) Text(t Type, v any) string {
	zone := f.Zone
	if v == nil {
		return "NULL"
	}
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		switch t.Kind {
		case DayTimeInterval:
			return dayTimeText(t, v)
		case YearMonthInterval:
			return yearMonthText(t, v)
		case Time:
			return clock(v)
		}
		return strconv.FormatInt(v, 10)
	case float64:
		return javaFloat(v, 64)
	case float32:
		return javaFloat(float64(v), 32)
	case Dec:
		return string(v)
	case string:
		return v
	case []byte:
		return BinaryText(v, f.Binary)
	case Days:
		return dateText(int64(v))
	case Micros:
		u := time.UnixMicro(int64(v)).UTC()
		if t.Kind == Timestamp && zone != nil {
			u = u.In(zone)
		}
		return timestampText(u)
	case Interval:
		return calendarText(v)
	case []Entry:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = f.Text(*t.Key, e.Key) + " -> " + f.Text(*t.Value, e.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			if t.Kind == Struct {
				parts[i] = f.Text(t.Fields[i].Type, x)
			} else {
				parts[i] = f.Text(*t.Elem, x)
			}
		}
		if t.Kind == Struct {
			return "{" + strings.Join(parts, ", ") + "}"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return ""
}

// javaFloat is Double.toString and Float.toString of the Java that Spark 4.0 runs on: plain between 1e-3 and 1e7, else with an exponent.
func javaFloat(f float64, bits int) string {
	return floatText(f, func(f float64) ([]byte, int) {
		if bits == 32 {
			return javaDigits(f, 24)
		}
		return javaDigits(f, 53)
	})
}

// ShortFloat is the same of Java 19 and later, as Trino runs on: always the fewest digits that tell a number from its neighbours.
func ShortFloat(f float64, bits int) string {
	return floatText(f, func(f float64) ([]byte, int) {
		m, e, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, bits), "e")
		if len(m) == 1 { // two digits at least, the nearest ones: 4.9E-324
			m, e, _ = strings.Cut(strconv.FormatFloat(f, 'e', 1, bits), "e")
		}
		exponent, _ := strconv.Atoi(e)
		return trimZeros([]byte(strings.Replace(m, ".", "", 1))), exponent
	})
}

// floatText lays digits out.
func floatText(f float64, digitsOf func(f float64) (digits []byte, exponent int)) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		if math.Signbit(f) {
			return "-0.0"
		}
		return "0.0"
	}
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	digits, exponent := digitsOf(f)
	text := string(digits)
	switch {
	case exponent >= 0 && exponent < 7:
		for len(text) < exponent+2 {
			text += "0"
		}
		return sign + text[:exponent+1] + "." + text[exponent+1:]
	case exponent < 0 && exponent >= -3:
		return sign + "0." + strings.Repeat("0", -exponent-1) + text
	}
	if len(text) == 1 {
		text += "0"
	}
	return sign + text[:1] + "." + text[1:] + "E" + strconv.Itoa(exponent)
}

// BinaryText shows bytes in one of Format.Binary's ways.
func BinaryText(b []byte, style string) string {
	parts := make([]string, len(b))
	switch strings.ToUpper(style) {
	case "UTF-8":
		return strings.ToValidUTF8(string(b), "\ufffd")
	case "BASE64":
		return base64.RawStdEncoding.EncodeToString(b)
	case "HEX":
		return strings.ToUpper(hex.EncodeToString(b))
	case "BASIC":
		for i, x := range b {
			parts[i] = strconv.Itoa(int(int8(x)))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	for i, x := range b {
		parts[i] = strings.ToUpper(hex.EncodeToString([]byte{x}))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func dateText(days int64) string { return datePart(time.Unix(days*86400, 0).UTC()) }

func datePart(t time.Time) string {
	y := t.Year()
	var b []byte
	switch {
	case y > 9999:
		b = append(b, '+')
		b = strconv.AppendInt(b, int64(y), 10)
	case y < 0:
		b = append(b, '-')
		b = padded(b, -y, 4)
	default:
		b = padded(b, y, 4)
	}
	b = append(b, '-')
	b = padded(b, int(t.Month()), 2)
	b = append(b, '-')
	return string(padded(b, t.Day(), 2))
}

func padded(b []byte, n, width int) []byte {
	s := strconv.Itoa(n)
	for i := len(s); i < width; i++ {
		b = append(b, '0')
	}
	return append(b, s...)
}

func timestampText(t time.Time) string {
	b := append([]byte(datePart(t)), ' ')
	b = padded(b, t.Hour(), 2)
	b = append(b, ':')
	b = padded(b, t.Minute(), 2)
	b = append(b, ':')
	b = padded(b, t.Second(), 2)
	return string(b) + fraction(int64(t.Nanosecond()/1000))
}

func clock(micros int64) string {
	s := micros / 1e6
	b := padded(nil, int(s/3600), 2)
	b = append(b, ':')
	b = padded(b, int(s/60%60), 2)
	b = append(b, ':')
	b = padded(b, int(s%60), 2)
	return string(b) + fraction(micros%1e6)
}

// fraction is .5 for 500000 microseconds, nothing for 0.
func fraction(micros int64) string {
	if micros == 0 {
		return ""
	}
	return "." + strings.TrimRight(string(padded(nil, int(micros), 6)), "0")
}

func yearMonthText(t Type, months int64) string {
	sign, m := "", months
	if m < 0 {
		sign, m = "-", -m
	}
	var v, unit string
	switch {
	case t.From == Year && t.To == Year:
		v, unit = strconv.FormatInt(m/12, 10), "YEAR"
	case t.From == Month:
		v, unit = strconv.FormatInt(m, 10), "MONTH"
	default:
		v, unit = strconv.FormatInt(m/12, 10)+"-"+strconv.FormatInt(m%12, 10), "YEAR TO MONTH"
	}
	return "INTERVAL '" + sign + v + "' " + unit
}

func dayTimeText(t Type, micros int64) string {
	sign, u := "", micros
	if u < 0 {
		sign, u = "-", -u
	}
	unitMicros := []int64{Day: 86400e6, Hour: 3600e6, Minute: 60e6, Second: 1e6}
	var b strings.Builder
	for f := t.From; f <= t.To; f++ {
		n := u / unitMicros[f]
		u %= unitMicros[f]
		switch {
		case f == t.From:
			if f == Day {
				b.WriteString(strconv.FormatInt(n, 10))
			} else {
				b.Write(padded(nil, int(n), 2))
			}
		case f == Hour:
			b.WriteString(" " + string(padded(nil, int(n), 2)))
		default:
			b.WriteString(":" + string(padded(nil, int(n), 2)))
		}
		if f == Second {
			b.WriteString(fraction(u))
		}
	}
	unit := strings.ToUpper(fieldNames[t.From])
	if t.To != t.From {
		unit += " TO " + strings.ToUpper(fieldNames[t.To])
	}
	return "INTERVAL '" + sign + b.String() + "' " + unit
}

func calendarText(v Interval) string {
	var parts []string
	add := func(n int64, unit string) {
		if n != 0 {
			parts = append(parts, strconv.FormatInt(n, 10)+" "+unit)
		}
	}
	add(int64(v.Months/12), "years")
	add(int64(v.Months%12), "months")
	add(int64(v.Days), "days")
	add(v.Micros/3600e6, "hours")
	add(v.Micros/60e6%60, "minutes")
	if s := v.Micros % 60e6; s != 0 {
		sign := ""
		if s < 0 {
			sign, s = "-", -s
		}
		parts = append(parts, sign+strconv.FormatInt(s/1e6, 10)+fraction(s%1e6)+" seconds")
	}
	if len(parts) == 0 {
		return "0 seconds"
	}
	return strings.Join(parts, " ")
}
