package functions

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// units are the interval units: the field they belong to, and their size in months or microseconds.
var units = map[string]struct {
	field int
	size  int64
}{
	"YEAR": {types.Year, 12}, "MONTH": {types.Month, 1}, "WEEK": {types.Day, 7 * 86400e6}, "DAY": {types.Day, 86400e6}, "HOUR": {types.Hour, 3600e6},
	"MINUTE": {types.Minute, 60e6}, "SECOND": {types.Second, 1e6}, "MILLISECOND": {types.Second, 1e3}, "MICROSECOND": {types.Second, 1},
}

// Interval types INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH, INTERVAL 3 DAYS 2 HOURS, INTERVAL '3 days' with constant parts.
func Interval(d sql.Dialect, iv *sql.Interval) (expr.Expr, error) {
	x, err := intervalLiteral(iv)
	if d == sql.Spark {
		return x, err
	}
	if err != nil {
		return nil, errclass.TrinoBadInterval(iv.Parts[0].Unit, iv.To, plainText(iv.Parts[0].Value)).At(iv.Span())
	}
	if l, ok := x.(*expr.Lit); ok {
		l.T = fullInterval(l.T)
	}
	return x, nil
}

func intervalLiteral(iv *sql.Interval) (expr.Expr, error) {
	out := &expr.Lit{}
	out.At = iv.Span()
	if iv.To != "" && len(iv.Parts) == 1 {
		return fromTo(out, iv)
	}
	parts := iv.Parts
	text := iv.Text != ""
	if text {
		var ok bool
		if parts, ok = textParts(iv.Text); !ok {
			return nil, errclass.InvalidTypedLiteral("INTERVAL", iv.Text).At(iv.Span())
		}
	}
	if len(parts) == 0 {
		return nil, errclass.InvalidTypedLiteral("INTERVAL", iv.Text).At(iv.Span())
	}
	var months, micros int64
	from, to := types.Second, types.Year
	for _, p := range parts {
		value, neg, ok := constantText(p.Value)
		if !ok {
			return nil, errclass.Unsupported("this form of an INTERVAL literal").At(iv.Span())
		}
		v, field, err := intervalPart(strings.TrimSpace(value), p.Unit)
		if e, is := err.(*errclass.Error); is {
			if text {
				return nil, errclass.InvalidTypedLiteral("INTERVAL", iv.Text).At(iv.Span())
			}
			if e.Exception == "ParseException" {
				at := p.Value.Span()
				at.End = iv.Span().End
				return nil, e.At(at)
			}
			return nil, e.Nowhere()
		}
		if neg {
			v = -v
		}
		if field <= types.Month {
			months += v
		} else {
			micros += v
		}
		from, to = min(from, field), max(to, field)
	}
	switch {
	case to <= types.Month:
		out.T, out.Value = types.YearMonth(from, to), months
	case from >= types.Day:
		out.T, out.Value = types.DayTime(from, to), micros
	default:
		return nil, errclass.MixedInterval(writtenInterval(iv, parts)).At(iv.Span())
	}
	return out, nil
}

// intervalPart is a number of a unit, in months or microseconds, and the unit's field.
func intervalPart(value, unit string) (v int64, field int, err error) {
	name := strings.ToUpper(unit)
	input := " " + value + " " + name
	u, known := units[name]
	n, perr := strconv.ParseFloat(value, 64)
	switch {
	case !known:
		return 0, 0, errclass.IntervalUnit(input, unit)
	case perr != nil || strings.ContainsAny(value, "eExXiIn"):
		return 0, 0, errclass.IntervalNumber(value)
	case name != "SECOND" && n != math.Trunc(n) || name != "SECOND" && strings.Contains(value, "."):
		return 0, 0, errclass.IntervalFraction(input, unit)
	case u.field <= types.Day && math.Abs(n) > math.MaxInt32:
		return 0, 0, errclass.IntervalOverflow(input)
	}
	return int64(math.Round(n * float64(u.size))), u.field, nil
}

// textParts reads `3 days -2 hours`, perhaps behind the word INTERVAL.
func textParts(text string) (parts []sql.IntervalPart, ok bool) {
	words := strings.Fields(strings.TrimPrefix(strings.ToUpper(text), "INTERVAL"))
	if len(words) == 0 || len(words)%2 != 0 {
		return nil, false
	}
	for i := 0; i < len(words); i += 2 {
		parts = append(parts, sql.IntervalPart{Value: &sql.Literal{Kind: sql.StringLit, Text: words[i]}, Unit: strings.TrimSuffix(words[i+1], "S")})
	}
	return parts, true
}

// calendarInterval reads a text of units as a calendar interval.
func calendarInterval(text string) (out types.Interval, ok bool) {
	parts, ok := textParts(text)
	if !ok {
		return out, false
	}
	for _, p := range parts {
		value, _, _ := constantText(p.Value)
		v, field, err := intervalPart(value, p.Unit)
		if err != nil {
			return out, false
		}
		switch {
		case field <= types.Month:
			out.Months += int32(v)
		case field == types.Day:
			out.Days += int32(v / 86400e6)
		default:
			out.Micros += v
		}
	}
	return out, true
}

// writtenInterval is a literal as it stands in the statement, for a message.
func writtenInterval(iv *sql.Interval, parts []sql.IntervalPart) string {
	if iv.Text != "" {
		return "INTERVAL '" + iv.Text + "'"
	}
	s := "INTERVAL"
	for _, p := range parts {
		value, neg, _ := constantText(p.Value)
		if neg {
			value = "-" + value
		}
		unit := p.Unit
		if value != "1" {
			unit += "S"
		}
		s += " " + value + " " + unit
	}
	return s
}

// fromTo reads INTERVAL '1-2' YEAR TO MONTH and kin.
func fromTo(out *expr.Lit, iv *sql.Interval) (expr.Expr, error) {
	p := iv.Parts[0]
	text, neg, ok := constantText(p.Value)
	from, known1 := intervalFields[strings.ToUpper(p.Unit)]
	to, known2 := intervalFields[strings.ToUpper(iv.To)]
	at := p.Value.Span()
	at.End = iv.Span().End
	if !ok || !known1 || !known2 || from >= to || from <= types.Month && to > types.Month {
		return nil, errclass.IntervalFromTo(text, p.Unit, iv.To).At(at)
	}
	t := types.DayTime(from, to)
	if to <= types.Month {
		t = types.YearMonth(from, to)
	}
	v, ok := intervalText(text, t)
	if !ok {
		return nil, errclass.IntervalShape(text, t).At(at)
	}
	if neg {
		v = -v
	}
	out.T, out.Value = t, v
	return out, nil
}

func plainText(x sql.Expr) string {
	text, _, _ := constantText(x)
	return text
}

// constantText is a literal's text and whether a minus stands in front.
func constantText(x sql.Expr) (text string, neg, ok bool) {
	if u, is := x.(*sql.Unary); is && (u.Op == "-" || u.Op == "+") {
		text, neg, ok = constantText(u.X)
		return text, neg != (u.Op == "-"), ok
	}
	l, is := x.(*sql.Literal)
	if !is {
		return "", false, false
	}
	return l.Text, false, true
}

var writtenLiteral = regexp.MustCompile(`(?i)^INTERVAL\s+([+-]?)'([^']*)'\s+\w+(\s+TO\s+\w+)?$`)

// intervalText reads an interval of a type: `1`, `1-2`, `1 02:03:04.5`, or all that behind INTERVAL.
func intervalText(s string, t types.Type) (int64, bool) {
	s = strings.TrimSpace(s)
	sign := int64(1)
	if m := writtenLiteral.FindStringSubmatch(s); m != nil {
		if m[1] == "-" {
			sign = -1
		}
		s = strings.TrimSpace(m[2])
	}
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		if s[0] == '-' {
			sign = -sign
		}
		s = s[1:]
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == ' ' || r == ':' })
	if len(parts) != t.To-t.From+1 {
		return 0, false
	}
	names := []string{"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}
	limits := []float64{math.MaxInt32, 11, math.MaxInt32, 23, 59, 59.999999}
	var v int64
	for i, p := range parts {
		f := t.From + i
		n, err := strconv.ParseFloat(p, 64)
		if err != nil || strings.ContainsAny(p, "eExX+-") || f != types.Second && n != math.Trunc(n) || i > 0 && n > limits[f] {
			return 0, false
		}
		v += int64(math.Round(n * float64(units[names[f]].size)))
	}
	return sign * v, true
}
