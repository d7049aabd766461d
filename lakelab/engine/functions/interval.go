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
	out := &expr.Lit{}
	out.At = iv.Span()
	bad := func() (expr.Expr, error) {
		if d == sql.Trino {
			return nil, errclass.TrinoBadInterval(iv.Parts[0].Unit, iv.To, plainText(iv.Parts[0].Value)).At(iv.Span())
		}
		return nil, errclass.Unsupported("this form of an INTERVAL literal").At(iv.Span())
	}
	if iv.To != "" && len(iv.Parts) == 1 {
		text, neg, ok := constantText(iv.Parts[0].Value)
		from, to := intervalFields[strings.ToUpper(iv.Parts[0].Unit)], intervalFields[strings.ToUpper(iv.To)]
		t := types.DayTime(from, to)
		if to <= types.Month {
			t = types.YearMonth(from, to)
		}
		v, ok2 := intervalText(text, t)
		if !ok || !ok2 {
			return bad()
		}
		if neg {
			v = -v
		}
		if out.T, out.Value = t, v; d == sql.Trino {
			out.T = fullInterval(t)
		}
		return out, nil
	}
	parts := iv.Parts
	if iv.Text != "" {
		words := strings.Fields(strings.TrimPrefix(strings.ToUpper(iv.Text), "INTERVAL"))
		if len(words)%2 != 0 {
			return bad()
		}
		for i := 0; i < len(words); i += 2 {
			parts = append(parts, sql.IntervalPart{Value: &sql.Literal{Kind: sql.StringLit, Text: words[i]}, Unit: strings.TrimSuffix(words[i+1], "S")})
		}
	}
	if len(parts) == 0 {
		return bad()
	}
	var months, micros int64
	from, to := types.Second, types.Year
	for _, p := range parts {
		text, neg, ok := constantText(p.Value)
		u, known := units[strings.ToUpper(p.Unit)]
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if !ok || !known || err != nil || u.field < types.Second && v != math.Trunc(v) {
			return bad()
		}
		n := int64(math.Round(v * float64(u.size)))
		if neg {
			n = -n
		}
		if u.field <= types.Month {
			months += n
		} else {
			micros += n
		}
		from, to = min(from, u.field), max(to, u.field)
	}
	switch {
	case to <= types.Month:
		out.T, out.Value = types.YearMonth(from, to), months
	case from >= types.Day:
		out.T, out.Value = types.DayTime(from, to), micros
	default:
		return bad()
	}
	if d == sql.Trino {
		out.T = fullInterval(out.T)
	}
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

var intervalLiteral = regexp.MustCompile(`(?i)^INTERVAL\s+([+-]?)'([^']*)'\s+\w+(\s+TO\s+\w+)?$`)

// intervalText reads an interval of a type: `1`, `1-2`, `1 02:03:04.5`, or all that behind INTERVAL.
func intervalText(s string, t types.Type) (int64, bool) {
	s = strings.TrimSpace(s)
	sign := int64(1)
	if m := intervalLiteral.FindStringSubmatch(s); m != nil {
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
