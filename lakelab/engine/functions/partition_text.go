package functions

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// The text of a partition's value, as it stands in a folder's name, and the type that Spark sees in it.

var (
	javaDoubleText = regexp.MustCompile(`^[\x00-\x20]*[+-]?(NaN|Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?|0[xX]([0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?\d+[fFdD]?)[\x00-\x20]*$`)
	// A timestamp has one digit behind the point, if any.
	partitionDate      = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	partitionTimestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d)?$`)
)

// IsJavaDouble reports whether Java's Double.parseDouble reads a text.
func IsJavaDouble(s string) bool { return javaDoubleText.MatchString(s) }

// IsPartitionTimestamp reports whether partition discovery takes a text for a timestamp.
func IsPartitionTimestamp(s string) bool {
	_, _, ok := parseTimestamp(s)
	return ok && partitionTimestamp.MatchString(s)
}

// IsPartitionDate reports whether partition discovery takes a text for a date.
func IsPartitionDate(s string) bool {
	_, ok := parseDate(s)
	return ok && partitionDate.MatchString(s)
}

// TextLiteral is a text cast to a type, as DuckDB's SQL writes the value. It is false for a text that does not fit, and for types
// that no partition has.
func TextLiteral(s string, t types.Type, zone *time.Location) (string, bool) {
	as := func(v string) (string, bool) { return "CAST('" + v + "' AS " + DuckType(t) + ")", true }
	trimmed := strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	bits := map[types.Kind]int{types.Byte: 8, types.Short: 16, types.Int: 32, types.Long: 64}
	switch t.Kind {
	case types.String:
		return "'" + strings.ReplaceAll(s, "'", "''") + "'", true
	case types.Byte, types.Short, types.Int, types.Long:
		n, err := strconv.ParseInt(trimmed, 10, bits[t.Kind])
		if err != nil {
			return "", false
		}
		return as(strconv.FormatInt(n, 10))
	case types.Decimal:
		r, ok := new(big.Rat).SetString(trimmed)
		if !ok {
			return "", false
		}
		v := r.FloatString(t.Scale)
		if digits := strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(v), "0"); len(digits) > t.Precision {
			return "", false
		}
		return as(v)
	case types.Float, types.Double:
		if !IsJavaDouble(s) {
			return "", false
		}
		text := strings.TrimRight(trimmed, "fFdD")
		if strings.HasPrefix(strings.TrimLeft(strings.ToLower(text), "+-"), "0x") {
			text = trimmed
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil && x == 0 {
			return "", false
		}
		return as(strconv.FormatFloat(x, 'g', -1, 64))
	case types.Boolean:
		switch strings.ToLower(trimmed) {
		case "true", "t", "yes", "y", "1":
			return "true", true
		case "false", "f", "no", "n", "0":
			return "false", true
		}
	case types.Date:
		if d, ok := parseDate(s); ok {
			return as(dateText(d))
		}
	case types.TimestampNTZ:
		if at, _, ok := wallClock(s); ok {
			return as(dateText(at) + at.Format(" 15:04:05.000000"))
		}
	case types.Timestamp:
		at, zoned, ok := parseTimestamp(s)
		if !ok {
			return "", false
		}
		if !zoned {
			at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), zone).UTC()
		}
		return as(dateText(at) + at.Format(" 15:04:05.000000+00"))
	}
	return "", false
}

// dateText is a date as DuckDB reads it.
func dateText(t time.Time) string {
	if t.Year() <= 0 {
		return t.AddDate(-2*t.Year()+1, 0, 0).Format("2006-01-02") + " (BC)"
	}
	s := t.Format("2006-01-02")
	if y := strconv.Itoa(t.Year()); len(y) > 4 {
		return y + t.Format("-01-02")
	}
	return s
}
