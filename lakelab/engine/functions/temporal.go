package functions

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// What + - * / mean for dates, timestamps and intervals. Spark decides by the two types and then checks the operands as those of
// the function it has chosen, which its errors show.

const anyTimestamp = `"(TIMESTAMP OR TIMESTAMP WITHOUT TIME ZONE)"`

// temporalArithmetic types an operator one of whose sides is a time or an interval; not ok for all others.
func temporalArithmetic(op string, c *expr.Call) (t types.Type, ok bool, err error) {
	l, r := c.Args[0].Type(), c.Args[1].Type()
	if !timely(l) && !timely(r) {
		return l, false, nil
	}
	switch op {
	case "+":
		return temporalSum(c, l, r)
	case "-":
		return temporalDifference(c, l, r)
	case "*":
		if !anyInterval(l) && anyInterval(r) || r.Kind == types.CalendarInterval && l.Kind != r.Kind || l.Kind == types.DayTimeInterval && r.Kind == types.YearMonthInterval {
			swap(c)
			l, r = r, l
		}
		if anyInterval(l) {
			return scaledInterval(c, op, l, r)
		}
	case "/":
		if anyInterval(l) {
			return scaledInterval(c, op, l, r)
		}
	}
	return l, false, nil
}

func timely(t types.Type) bool { return temporal(t) || anyInterval(t) }

func swap(c *expr.Call) { c.Args[0], c.Args[1] = c.Args[1], c.Args[0] }

// clocked is an interval that a timestamp takes: days and less, or a calendar's.
func clocked(t types.Type) bool {
	return t.Kind == types.DayTimeInterval || t.Kind == types.CalendarInterval
}

func temporalSum(c *expr.Call, l, r types.Type) (types.Type, bool, error) {
	if t, ok := intervalPair(c, l, r); ok {
		return t, true, nil
	}
	// The interval, or the days, stand behind the date.
	switch {
	case r.Kind == types.Date && l.Kind != types.String && l.Kind != types.Date,
		(r.Kind == types.Timestamp || r.Kind == types.TimestampNTZ) && l.Kind == types.YearMonthInterval,
		clocked(l) && !clocked(r):
		swap(c)
		l, r = r, l
	}
	return addTo(c, "+", l, r)
}

// addTo types date + interval, date + days and the same with a minus.
func addTo(c *expr.Call, op string, l, r types.Type) (types.Type, bool, error) {
	shape := "$1 + $2"
	if op == "-" {
		shape = "$1 + (- $2)"
	}
	switch {
	case l.Kind == types.Date && r.Kind == types.DayTimeInterval && r.To > types.Day:
		return types.Of(types.Timestamp), true, nil
	case l.Kind == types.Date && anyInterval(r), temporal(l) && r.Kind == types.YearMonthInterval:
		return l, true, nil
	case clocked(r):
		x, ok := c.Args[0], l.Kind == types.Timestamp || l.Kind == types.TimestampNTZ
		if !ok && (l.Kind == types.String || l.Kind == types.Null) {
			x, ok = Coerce(x, types.Of(types.Timestamp))
		}
		if !ok {
			return l, true, errclass.UnexpectedInputTypes(op, 1, l, anyTimestamp).Shown(shape)
		}
		c.Args[0] = x
		return l, true, nil
	case l.Kind == types.Date && r.Kind != types.String && !(op == "-" && temporal(r)):
		name := map[string]string{"+": "date_add", "-": "date_sub"}[op]
		if r.Kind != types.Null && (!r.IsIntegral() || r.Kind == types.Long) {
			return l, true, errclass.UnexpectedInputTypes(name, 2, r, `("INT" or "SMALLINT" or "TINYINT")`).Shown(name + "($1, $2)")
		}
		if r.Kind == types.Null {
			c.Args[1], _ = Coerce(c.Args[1], types.Of(types.Int))
		}
		return l, true, nil
	}
	return l, false, nil
}

func temporalDifference(c *expr.Call, l, r types.Type) (types.Type, bool, error) {
	if t, ok := intervalPair(c, l, r); ok {
		return t, true, nil
	}
	clock := func(t types.Type) bool { return t.Kind == types.Timestamp || t.Kind == types.TimestampNTZ }
	switch {
	case temporal(l) && anyInterval(r) || clocked(r):
		return addTo(c, "-", l, r)
	case clock(l) || clock(r):
		for i, a := range c.Args {
			if clock(a.Type()) {
				continue
			}
			to := c.Args[1-i].Type() // the other side's, if that is a timestamp
			if !clock(to) {
				to = types.Of(types.Timestamp)
			}
			x, ok := Coerce(a, to)
			if !ok || a.Type().Kind != types.String && a.Type().Kind != types.Null && a.Type().Kind != types.Date {
				return l, true, errclass.UnexpectedInputTypes("-", i+1, a.Type(), anyTimestamp)
			}
			c.Args[i] = x
		}
		return types.DayTime(types.Day, types.Second), true, nil
	case r.Kind == types.Date:
		x, ok := c.Args[0], l.Kind == types.Date
		if !ok && (l.Kind == types.String || l.Kind == types.Null) {
			x, ok = Coerce(x, types.Of(types.Date))
		}
		if !ok {
			return l, true, errclass.UnexpectedInputType("-", 1, l, types.Of(types.Date))
		}
		c.Args[0] = x
		return types.DayTime(types.Day, types.Day), true, nil
	case l.Kind == types.Date && r.Kind == types.String && c.Func.Dialect == sql.Spark:
		c.Args[1], _ = Coerce(c.Args[1], types.Of(types.Date))
		return types.DayTime(types.Day, types.Day), true, nil
	case l.Kind == types.Date:
		return addTo(c, "-", l, r)
	}
	return l, false, nil
}

// intervalPair types the sum or difference of two intervals of a kind, one of which may be NULL.
func intervalPair(c *expr.Call, l, r types.Type) (types.Type, bool) {
	switch {
	case l.Kind == types.Null && anyInterval(r):
		c.Args[0], _ = Coerce(c.Args[0], r)
		return r, true
	case r.Kind == types.Null && anyInterval(l):
		c.Args[1], _ = Coerce(c.Args[1], l)
		return l, true
	case anyInterval(l) && l.Kind == r.Kind:
		return types.Type{Kind: l.Kind, From: min(l.From, r.From), To: max(l.To, r.To)}, true
	}
	return l, false
}

// scaledInterval types an interval times or by a number.
func scaledInterval(c *expr.Call, op string, l, r types.Type) (types.Type, bool, error) {
	number := types.Of(types.Double)
	want, shape := `"NUMERIC"`, ""
	if l.Kind == types.CalendarInterval {
		want, shape = `"DOUBLE"`, map[string]string{"*": "multiply_interval($1, $2)", "/": "divide_interval($1, $2)"}[op]
	}
	switch {
	case r.Kind == types.String || r.Kind == types.Null || l.Kind == types.CalendarInterval && r.IsNumeric():
		c.Args[1], _ = Coerce(c.Args[1], number)
	case !r.IsNumeric():
		if shape == "" {
			shape = "($1 " + op + " $2)"
		}
		return l, true, errclass.UnexpectedInputTypes(op, 2, r, want).Shown(shape)
	}
	return fullInterval(l), true, nil
}

// scaleCalendar multiplies or divides the parts of a calendar interval. What is left of a day goes to its hours, what is left of a
// month is dropped.
func scaleCalendar(c *expr.Call, op string, a []string) string {
	return letAll(a, []int{0, 1}, func(a []string) string {
		iv, n := a[0], a[1]
		part := func(of string) string { return "((" + of + ")::DOUBLE " + op + " " + n + ")" }
		months, days := part("year("+iv+") * 12 + month("+iv+")"), part("day("+iv+")")
		micros := part("hour(" + iv + ") * 3600000000 + minute(" + iv + ") * 60000000 + microsecond(" + iv + ")")
		s := "to_months(TRY_CAST(trunc(" + months + ") AS INTEGER)) + to_days(TRY_CAST(trunc(" + days + ") AS INTEGER)) + to_microseconds(TRY_CAST(round(" + micros + " + (" + days + " - trunc(" + days + ")) * 86400000000) AS BIGINT))"
		s = "coalesce(" + s + ", CASE WHEN " + notNull(a) + " THEN CAST(" + Fail(c, "ARITHMETIC_OVERFLOW", "'integer'", "''") + " AS INTERVAL) END)"
		if op == "/" {
			s = "CASE WHEN " + n + " = 0 AND " + iv + " IS NOT NULL THEN CAST(" + Fail(c, "INTERVAL_DIVIDED_BY_ZERO") + " AS INTERVAL) ELSE " + s + " END"
		}
		return s
	})
}
