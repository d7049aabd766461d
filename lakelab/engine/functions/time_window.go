package functions

import (
	"strconv"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// A call of window or session_window stands for a column that its input does not have yet; package plan makes the rows that have
// it (liftTimeWindows), with the generator of TimeWindowOf.

// timeWindow is window's lengths, in microseconds.
type timeWindow struct{ size, slide, start int64 }

func init() {
	column := func(f *expr.Func) *expr.Func {
		f.TimeWindow = true
		f.Pretty = func(*expr.Call, []string) string { return f.Name }
		return f
	}
	spark(
		column(ruled("window(ts, size[, slide[, start]])", "the window of time that ts lies in, a struct of start and end", windowRule, nil)),
		column(ruled("session_window(ts, gap)", "the session that ts lies in: it ends after a gap without any", sessionWindowRule, nil)),
		ruled("window_time(window)", "the time that stands for a window: the last microsecond in it", windowTimeRule, func(c *expr.Call, a []string) string {
			return "(struct_extract(" + a[0] + ", 'end') - INTERVAL 1 MICROSECOND)"
		}),
	)
}

// windowOf is the struct of a window of moments of a type.
func windowOf(t types.Type) types.Type {
	return types.StructOf(types.Field{Name: "start", Type: t, Nullable: true}, types.Field{Name: "end", Type: t, Nullable: true})
}

// isWindowStruct tells a window's type, and that of its ends.
func isWindowStruct(t types.Type) (types.Type, bool) {
	if t.Kind != types.Struct || len(t.Fields) != 2 || t.Fields[0].Name != "start" || t.Fields[1].Name != "end" {
		return types.Type{}, false
	}
	end := t.Fields[1].Type
	return end, end.Equal(t.Fields[0].Type) && (end.Kind == types.Timestamp || end.Kind == types.TimestampNTZ)
}

// momentArg makes the first argument a moment; a window stands for its time.
func momentArg(c *expr.Call, shown string) error {
	x := c.Args[0]
	t := x.Type()
	if _, ok := isWindowStruct(t); ok {
		w := &expr.Call{Func: Lookup(c.Func.Dialect, "window_time"), Name: "window_time", Args: []expr.Expr{x}}
		w.At = x.Span()
		if err := Type(w); err != nil {
			return err
		}
		c.Args[0] = w
		return nil
	}
	switch t.Kind {
	case types.Timestamp, types.TimestampNTZ:
		return nil
	case types.Date, types.String, types.Null:
		c.Args[0] = implicitCast(x, types.Of(types.Timestamp))
		return nil
	}
	return errclass.UnexpectedInputTypes(c.Func.Name, 1, t,
		`("(TIMESTAMP OR TIMESTAMP WITHOUT TIME ZONE)" or "STRUCT<start: TIMESTAMP, end: TIMESTAMP>" or "STRUCT<start: TIMESTAMP_NTZ, end: TIMESTAMP_NTZ>")`).Shown(shown)
}

func windowRule(c *expr.Call) error {
	if n := len(c.Args); n < 2 || n > 4 {
		return errclass.WrongNumArgs("window", "[2, 3, 4]", n)
	}
	var w timeWindow
	for i, to := range []*int64{&w.size, &w.slide, &w.start}[:len(c.Args)-1] {
		n, err := duration(c.Args[i+1])
		if err != nil {
			return err
		}
		*to = n
	}
	if len(c.Args) < 3 {
		w.slide = w.size
	}
	shown := "window($1, " + micros(w.size) + ", " + micros(w.slide) + ", " + micros(w.start) + ")"
	if err := momentArg(c, shown); err != nil {
		return err
	}
	long := func(n int64) string { return micros(n) + "L" }
	wrong := func(name string, n int64) error {
		return errclass.ValueOutOfRange("`"+name+"`", "(0, 9223372036854775807]", long(n)).Shown(shown)
	}
	abs := w.start
	if abs < 0 {
		abs = -abs
	}
	switch {
	case w.size <= 0:
		return wrong("window_duration", w.size)
	case w.slide <= 0:
		return wrong("slide_duration", w.slide)
	case w.slide > w.size:
		return errclass.ParameterConstraint("`slide_duration`("+long(w.slide)+")", "<=", "`window_duration`("+long(w.size)+")").Shown(shown)
	case abs >= w.slide:
		return errclass.ParameterConstraint("`abs(start_time)`("+long(abs)+")", "<", "`slide_duration`("+long(w.slide)+")").Shown(shown)
	}
	c.Extra = w
	c.T, c.Null = windowOf(c.Args[0].Type()), w.slide < w.size
	return nil
}

// duration reads a constant as microseconds.
func duration(x expr.Expr) (int64, error) {
	v, _ := constant(x)
	if interval(x.Type()) {
		v = nil
	}
	switch v := v.(type) {
	case int64:
		return v, nil
	case string:
		in, ok := calendarInterval(v)
		switch {
		case !ok:
			return 0, errclass.CannotParseInterval(v)
		case in.Months != 0:
			return 0, errclass.IntervalOverMonth(v)
		}
		return int64(in.Days)*86400e6 + in.Micros, nil
	}
	return 0, errclass.Plainly("1210", "The duration and time inputs to window must be an integer, long or string literal.")
}

func sessionWindowRule(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs("session_window", "2", len(c.Args))
	}
	if err := momentArg(c, ""); err != nil {
		return err
	}
	switch t := c.Args[1].Type(); t.Kind {
	case types.CalendarInterval:
	case types.String:
		if s, ok := constantString(c.Args[1]); ok {
			if _, ok := calendarInterval(s); !ok {
				return errclass.CannotParseInterval(s)
			}
		}
		c.Args[1] = implicitCast(c.Args[1], types.Of(types.CalendarInterval))
	default:
		return errclass.SessionGap(t)
	}
	end, err := Resolve(c.Func.Dialect, "+", []expr.Expr{c.Args[0], c.Args[1]}, c.Span())
	if err != nil {
		return err
	}
	c.Args[1] = end
	c.T = windowOf(c.Args[0].Type())
	return nil
}

func windowTimeRule(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	t, ok := isWindowStruct(c.Args[0].Type())
	if !ok {
		return errclass.UnexpectedInputTypes("window_time", 1, c.Args[0].Type(), `"STRUCT"`)
	}
	c.T, c.Null = t, true
	return nil
}

// TimeWindowOf is the generator of the windows that a call of window or session_window gives for a row: none where the time is
// NULL, or a session's gap is not positive.
func TimeWindowOf(c *expr.Call) *expr.Call {
	g := *c
	g.Func = &expr.Func{Name: c.Func.Name, Kind: expr.Generator, Dialect: c.Func.Dialect, Duck: printWindows}
	g.T = types.StructOf(types.Field{Name: c.Func.Name, Type: c.T, Nullable: c.Null})
	return &g
}

func printWindows(c *expr.Call, a []string) string {
	row := func(start, end string) string {
		return "{c1: {'start': " + start + ", 'end': " + end + "}}"
	}
	w, sliding := c.Extra.(timeWindow)
	if !sliding {
		return letAll(a, []int{0, 1}, func(a []string) string {
			return "CASE WHEN " + a[1] + " > " + a[0] + " THEN [" + row(a[0], a[1]) + "] END"
		})
	}
	moment := "make_timestamptz"
	if c.Args[0].Type().Kind == types.TimestampNTZ {
		moment = "make_timestamp"
	}
	size, slide, start := micros(w.size), micros(w.slide), micros(w.start)
	at := func(first string) string {
		return row(moment+"("+first+")", moment+"("+first+" + "+size+")")
	}
	return let("epoch_us("+a[0]+")", func(t string) string {
		// % keeps the sign: a rest below zero is a slide short.
		rest := "((" + t + " - " + start + ") % " + slide + " + " + slide + ") % " + slide
		last := "(" + t + " - " + rest + ")"
		if w.slide == w.size {
			return "CASE WHEN " + t + " IS NOT NULL THEN [" + at(last) + "] END"
		}
		n := micros((w.size + w.slide - 1) / w.slide)
		return "CASE WHEN " + t + " IS NOT NULL THEN list_transform(list_filter(list_transform(range(" + n + "), lambda _i: " + last + " - _i * " + slide + "), lambda _s: _s + " + size + " > " + t + "), lambda _s: " + at("_s") + ") END"
	})
}

func micros(n int64) string { return strconv.FormatInt(n, 10) }
