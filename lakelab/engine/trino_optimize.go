package engine

import (
	"context"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// The condition of ALTER TABLE … EXECUTE optimize WHERE: it must select whole files. As in Trino, a comparison of year(x), date_trunc(unit, x),
// date(x) or a cast column with a constant counts as one of the column itself.

// never and always are the conditions that hold for no row and for every row.
var (
	never  = lake.Condition{Op: "never"}
	always = lake.Condition{Op: "not", Of: []lake.Condition{never}}
)

// fileCondition reads optimize's WHERE: what it says of the files' partitions, and, if it names hidden columns, the files that it selects.
// Both are nil if it holds for no row.
func (s *Session) fileCondition(ctx context.Context, a *plan.Analyzer, t *lake.Table, st *sql.AlterTable, x sql.Expr) (*lake.Condition, map[string]bool, error) {
	source := s.source(t, nil)
	source.trino = true
	cond, err := a.ConditionOn(ctx, source, x)
	if err != nil {
		return nil, nil, err
	}
	if err := s.checkFilter(t, cond); err != nil {
		return nil, nil, err
	}
	c := simplified(s.unwrapped(ctx, cond))
	ok, err := s.engine.Lake.Enforces(ctx, t, &c)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, errclass.TrinoUnenforced()
	case c.Op == "never":
		return nil, nil, nil
	}
	for _, k := range plan.Columns(cond) {
		if strings.HasPrefix(k.Name, "$") {
			files, err := s.filesOf(ctx, a, st, x)
			return &c, files, err
		}
	}
	return &c, nil, nil
}

// filesOf are the files of a table that have rows for which a condition holds.
func (s *Session) filesOf(ctx context.Context, a *plan.Analyzer, st *sql.AlterTable, where sql.Expr) (map[string]bool, error) {
	at := sql.At{Pos: where.Span()}
	path := &sql.Ident{At: at, Parts: []sql.Name{{At: at, Text: "$path", Quoted: true}}}
	n, err := a.Query(ctx, &sql.Query{At: at, Body: &sql.Select{At: at, Distinct: true, Items: []sql.Expr{path}, From: []sql.Relation{&sql.TableRef{At: at, Name: st.Name}}, Where: where}})
	if err != nil {
		return nil, err
	}
	rows, err := s.Collect(ctx, &Result{Node: n}, 0)
	files := map[string]bool{}
	for _, r := range rows {
		files[r[0].(string)] = true
	}
	return files, err
}

// simplified leaves out what holds for no row, and for every row.
func simplified(c lake.Condition) lake.Condition {
	isNever := func(c lake.Condition) bool { return c.Op == "never" }
	isAlways := func(c lake.Condition) bool { return c.Op == "not" && isNever(c.Of[0]) }
	ends, drops := isNever, isAlways
	switch c.Op {
	case "not":
		in := simplified(c.Of[0])
		if isAlways(in) {
			return never
		}
		return lake.Condition{Op: "not", Of: []lake.Condition{in}}
	case "or":
		ends, drops = isAlways, isNever
	case "and":
	default:
		return c
	}
	var rest []lake.Condition
	for _, of := range c.Of {
		if of = simplified(of); ends(of) {
			return of
		} else if !drops(of) {
			rest = append(rest, of)
		}
	}
	switch {
	case len(rest) == 0 && c.Op == "or":
		return never
	case len(rest) == 0:
		return always
	case len(rest) == 1:
		return rest[0]
	}
	return lake.Condition{Op: c.Op, Of: rest}
}

// unwrapped is a condition of Trino's in the lake's terms.
func (s *Session) unwrapped(ctx context.Context, x expr.Expr) lake.Condition {
	unknown := lake.Condition{Op: "unknown"}
	if v, ok := s.constant(ctx, x); ok {
		if v == true {
			return always
		}
		return never
	}
	call, ok := x.(*expr.Call)
	if !ok {
		return unknown
	}
	compare := func(op string, x expr.Expr, v expr.Expr) lake.Condition {
		value, ok := s.constant(ctx, v)
		if !ok {
			return unknown
		}
		if value == nil {
			return never
		}
		return s.comparing(ctx, op, x, value)
	}
	both := func(op string, of ...lake.Condition) lake.Condition { return lake.Condition{Op: op, Of: of} }
	switch op := call.Func.Name; op {
	case "and", "or", "not":
		out := lake.Condition{Op: op}
		for _, a := range call.Args {
			out.Of = append(out.Of, s.unwrapped(ctx, a))
		}
		return out
	case "=", "<>", "<", "<=", ">", ">=":
		l, r := call.Args[0], call.Args[1]
		if _, ok := s.constant(ctx, l); ok {
			if op != "<>" {
				op = flipped[op]
			}
			l, r = r, l
		}
		return compare(op, l, r)
	case "<=>":
		l, r := call.Args[0], call.Args[1]
		if v, ok := s.constant(ctx, r); ok && v == nil {
			return s.comparing(ctx, "null", l, nil)
		}
		return compare("=", l, r)
	case "in":
		out := lake.Condition{Op: "or"}
		for _, v := range call.Args[1:] {
			out.Of = append(out.Of, compare("=", call.Args[0], v))
		}
		return out
	case "between":
		return both("and", compare(">=", call.Args[0], call.Args[1]), compare("<=", call.Args[0], call.Args[2]))
	case "isnull":
		return s.comparing(ctx, "null", call.Args[0], nil)
	case "isnotnull":
		return both("not", s.comparing(ctx, "null", call.Args[0], nil))
	case "like":
		if p, ok := s.constant(ctx, call.Args[1]); ok && len(call.Args) == 2 {
			if text, _ := p.(string); text != "" && !strings.ContainsAny(text, "%_") {
				return s.comparing(ctx, "=", call.Args[0], text)
			}
		}
	}
	return unknown
}

// constant is the value of an expression that reads nothing.
func (s *Session) constant(ctx context.Context, x expr.Expr) (any, bool) {
	if len(plan.Columns(x)) > 0 || plan.HasSubquery(x) {
		return nil, false
	}
	rows, err := s.Collect(ctx, &Result{Node: &plan.Project{Items: []plan.Item{plan.NewItem("value", x)}, Child: &plan.OneRow{}}}, 1)
	if err != nil || len(rows) != 1 {
		return nil, false
	}
	return rows[0][0], true
}

// comparing compares a column, or what is computed from it alone, with a value.
func (s *Session) comparing(ctx context.Context, op string, x expr.Expr, v any) lake.Condition {
	unknown := lake.Condition{Op: "unknown"}
	if path := columnOf(x); path != nil {
		c := lake.Condition{Op: op, Column: path, Values: []any{v}}
		switch op {
		case "null":
			c.Values = nil
		case "<>":
			c.Op = "="
			return lake.Condition{Op: "not", Of: []lake.Condition{c}}
		case "=":
			if expr.Uncast(x).Type().IsIntegral() && fraction(v) {
				return never
			}
		}
		return c
	}
	if op == "null" {
		return unknown
	}
	switch x := x.(type) {
	case *expr.Cast:
		from, to := x.X.Type(), x.Type()
		switch {
		case from.Kind == types.Date && (to.Kind == types.TimestampNTZ || to.Kind == types.Timestamp && s.inUTC()):
			at, ok := v.(types.Micros)
			if !ok {
				return unknown
			}
			day, _ := beginOf("day", atTime(at))
			return s.period(ctx, op, x.X, day, "day", day.Equal(atTime(at)))
		case from.Kind == types.TimestampNTZ && to.Kind == types.Date:
			return s.days(ctx, op, x.X, v)
		}
	case *expr.Call:
		if len(x.Args) == 0 {
			return unknown
		}
		of := x.Args[len(x.Args)-1]
		if k := of.Type().Kind; k == types.Timestamp && !s.inUTC() {
			return unknown
		}
		switch x.Func.Name {
		case "date":
			if of.Type().Kind == types.TimestampNTZ {
				return s.days(ctx, op, of, v)
			}
		case "year":
			if n, ok := v.(int64); ok {
				return s.period(ctx, op, of, time.Date(int(n), 1, 1, 0, 0, 0, 0, time.UTC), "year", true)
			}
		case "date_trunc":
			unit, _ := s.constant(ctx, x.Args[0])
			name, _ := unit.(string)
			var at time.Time
			switch v := v.(type) {
			case types.Days:
				at = time.Unix(int64(v)*86_400, 0).UTC()
			case types.Micros:
				at = atTime(v)
			default:
				return unknown
			}
			begin, ok := beginOf(strings.ToLower(name), at)
			if !ok {
				return unknown
			}
			return s.period(ctx, op, of, begin, strings.ToLower(name), begin.Equal(at))
		}
	}
	return unknown
}

// days compares the day of a timestamp with a date.
func (s *Session) days(ctx context.Context, op string, x expr.Expr, v any) lake.Condition {
	day, ok := v.(types.Days)
	if !ok {
		return lake.Condition{Op: "unknown"}
	}
	return s.period(ctx, op, x, time.Unix(int64(day)*86_400, 0).UTC(), "day", true)
}

// period compares the period in which a date or a timestamp lies with the one that begins at a time; exact says that the value that was
// compared is that time, and not a later one in the period.
func (s *Session) period(ctx context.Context, op string, x expr.Expr, begin time.Time, unit string, exact bool) lake.Condition {
	end, ok := endOf(unit, begin)
	if !ok {
		return lake.Condition{Op: "unknown"}
	}
	value := func(t time.Time) any {
		if x.Type().Kind == types.Date {
			return types.Days(t.Unix() / 86_400)
		}
		return types.Micros(t.UnixMicro())
	}
	return s.cut(ctx, op, x, value(begin), value(end), exact)
}

// cut compares x, cut to one of several steps, with the step from low to just below high, or with a value between two steps.
func (s *Session) cut(ctx context.Context, op string, x expr.Expr, low, high any, exact bool) lake.Condition {
	below, from := s.comparing(ctx, "<", x, low), s.comparing(ctx, ">=", x, low)
	inside, beyond := s.comparing(ctx, "<", x, high), s.comparing(ctx, ">=", x, high)
	switch op {
	case "=":
		if !exact {
			return never
		}
		return lake.Condition{Op: "and", Of: []lake.Condition{from, inside}}
	case "<>":
		if !exact {
			return lake.Condition{Op: "not", Of: []lake.Condition{s.comparing(ctx, "null", x, nil)}}
		}
		return lake.Condition{Op: "or", Of: []lake.Condition{below, beyond}}
	case ">":
		return beyond
	case "<=":
		return inside
	case ">=":
		if exact {
			return from
		}
		return beyond
	}
	if exact {
		return below
	}
	return inside
}

// beginOf is when the period of a unit began that a time lies in.
func beginOf(unit string, t time.Time) (time.Time, bool) {
	y, m, d := t.Date()
	switch unit {
	case "year":
		return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), true
	case "quarter":
		return time.Date(y, (m-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC), true
	case "month":
		return time.Date(y, m, 1, 0, 0, 0, 0, time.UTC), true
	case "day":
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC), true
	case "hour":
		return time.Date(y, m, d, t.Hour(), 0, 0, 0, time.UTC), true
	}
	return t, false
}

// endOf is when a period that begins at a time ends.
func endOf(unit string, begin time.Time) (time.Time, bool) {
	months := map[string]int{"year": 12, "quarter": 3, "month": 1}[unit]
	switch {
	case months > 0:
		return begin.AddDate(0, months, 0), true
	case unit == "day":
		return begin.AddDate(0, 0, 1), true
	case unit == "hour":
		return begin.Add(time.Hour), true
	}
	return begin, false
}

// inUTC reports whether the session's zone is UTC, in which timestamps with time zone are cut as partitions cut them.
func (s *Session) inUTC() bool { return strings.EqualFold(s.Conf(confTimeZone), "UTC") }

func atTime(m types.Micros) time.Time { return time.UnixMicro(int64(m)).UTC() }

// fraction reports whether a number is not whole.
func fraction(v any) bool {
	switch v := v.(type) {
	case types.Dec:
		_, digits, _ := strings.Cut(string(v), ".")
		return strings.Trim(digits, "0") != ""
	case float64:
		return v != float64(int64(v))
	}
	return false
}
