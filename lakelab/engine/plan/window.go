package plan

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// window resolves OVER.
func (a *Analyzer) window(ctx context.Context, x *sql.Call, c *expr.Call, s *scope) (expr.Expr, error) {
	spec, err := a.windowSpec(x.Over, s)
	if err != nil {
		return nil, err
	}
	w := &expr.Window{Call: c}
	w.T, w.Null, w.At = c.T, c.Null, x.Span()
	if err := a.specified(ctx, spec, w, s); err != nil {
		return nil, err
	}
	if a.Dialect == sql.Trino {
		return w, checkTrinoWindow(w, spec)
	}
	a.coerceFrame(w)
	if err := a.checkWindow(w); err != nil {
		return nil, err
	}
	return w, nil
}

// windowSpec is what OVER says, with what the window that it names has.
func (a *Analyzer) windowSpec(over *sql.WindowSpec, s *scope) (sql.WindowSpec, error) {
	if a.Dialect == sql.Trino {
		return windowUpon(*over, s.windows)
	}
	name := over.Ref
	if name == nil {
		return *over, nil
	}
	i := slices.IndexFunc(s.windows, func(w sql.NamedWindow) bool { return strings.EqualFold(w.Name.Text, name.Text) })
	if i < 0 {
		return *over, errclass.WindowNotDefined(name.Text).At(over.Span())
	}
	return s.windows[i].Spec, nil
}

// specified gives a window what its specification says.
func (a *Analyzer) specified(ctx context.Context, spec sql.WindowSpec, w *expr.Window, s *scope) error {
	for _, p := range spec.PartitionBy {
		e, err := a.expr(ctx, p, s)
		if err != nil {
			return err
		}
		w.Partition = append(w.Partition, e)
	}
	keys, err := a.keys(ctx, spec.OrderBy, s)
	if err != nil {
		return err
	}
	w.OrderBy = keys
	if spec.Frame != nil {
		if a.Dialect == sql.Trino {
			if err := checkTrinoBounds(spec.Frame); err != nil {
				return err
			}
			if err := checkTrinoOrder(w, spec); err != nil {
				return err
			}
		}
		if w.Frame, err = a.frame(ctx, spec.Frame, s); err != nil {
			return err
		}
	}
	if a.Dialect == sql.Trino {
		return a.checkTrinoSpecification(w, spec, s.query)
	}
	return nil
}

func (a *Analyzer) frame(ctx context.Context, in *sql.Frame, s *scope) (*expr.Frame, error) {
	f := &expr.Frame{Unit: in.Unit}
	for _, b := range []struct {
		in  sql.Bound
		out *expr.Bound
	}{{in.Start, &f.Start}, {in.End, &f.End}} {
		b.out.Kind = b.in.Kind
		if b.in.N == nil {
			continue
		}
		n, err := a.expr(ctx, b.in.N, s)
		if err != nil {
			return nil, err
		}
		if _, name := b.in.N.(*sql.Ident); a.Dialect == sql.Spark && (name || anyExpr(n, isRef)) {
			return nil, errclass.FrameNotLiteral().At(b.in.N.Span())
		}
		b.out.N = n
	}
	return f, nil
}

// coerceFrame casts the values of a RANGE frame to the sort key's type, unless that is a date or a timestamp.
func (a *Analyzer) coerceFrame(w *expr.Window) {
	if w.Frame == nil || w.Frame.Unit != "RANGE" || len(w.OrderBy) != 1 {
		return
	}
	t := w.OrderBy[0].X.Type()
	switch t.Kind {
	case types.Date, types.Timestamp, types.TimestampNTZ:
		return
	}
	for _, b := range []*expr.Bound{&w.Frame.Start, &w.Frame.End} {
		if b.N == nil || b.N.Type().Equal(t) {
			continue
		}
		x, err := functions.Cast(a.Dialect, b.N, t, false, b.N.Span())
		if c, ok := x.(*expr.Cast); ok && err == nil {
			k := *c
			k.Implicit = true
			b.N = &k
		}
	}
}

func isRef(e expr.Expr) bool { _, ok := e.(*expr.Ref); return ok }

// checkWindow checks a window by Spark's rules.
func (a *Analyzer) checkWindow(w *expr.Window) error {
	switch {
	case w.Call.Distinct:
		return errclass.WindowDistinct(NameOf(a.Dialect, w)).At(w.Span())
	case w.Call.Filter != nil:
		return errclass.WindowFilter().At(w.Span())
	case slices.ContainsFunc(w.Partition, func(x expr.Expr) bool { return holdsMap(x.Type()) }):
		x := w.Partition[slices.IndexFunc(w.Partition, func(x expr.Expr) bool { return holdsMap(x.Type()) })]
		return errclass.TypeNotOrderable(NameOf(a.Dialect, x), x.Type()).At(x.Span())
	case w.Call.Func.Kind == expr.WindowOnly && len(w.OrderBy) == 0:
		return errclass.WindowNeedsOrder(w.Call.Func.Name + "()").At(w.Span())
	}
	if err := a.checkWithinWindow(w); err != nil || w.Frame == nil {
		return err
	}
	if err := checkFrame(w); err != nil {
		n := namer{}
		name := w.Frame.Unit + " BETWEEN " + n.bound(w.Frame.Start) + " AND " + n.bound(w.Frame.End)
		return a.explain(err.At(w.Span()), &expr.Alias{Name: name})
	}
	if err := checkRange(w, w.Frame.Start, w.Frame.End); err != nil {
		return a.explain(err.At(w.Span()), w)
	}
	return nil
}

// checkFrame checks a frame's bounds and their types.
func checkFrame(w *expr.Window) *errclass.Error {
	lo, hi := w.Frame.Start, w.Frame.End
	for i, b := range []expr.Bound{lo, hi} {
		if b.N == nil {
			continue
		}
		location := []string{"lower", "upper"}[i]
		switch t := b.N.Type(); {
		case w.Frame.Unit == "ROWS" && t.Kind != types.Int:
			return errclass.FrameValueType(location, t, `"INT"`)
		case w.Frame.Unit == "RANGE" && !t.IsNumeric() && !isInterval(t):
			return errclass.FrameValueType(location, t, `("NUMERIC" or "INTERVAL DAY TO SECOND" or "INTERVAL YEAR TO MONTH" or "INTERVAL")`)
		}
	}
	switch {
	case lo.Kind == "UNBOUNDED FOLLOWING", hi.Kind == "UNBOUNDED PRECEDING":
		return errclass.FrameBound(boundName(hi), boundName(lo))
	case lo.N != nil && hi.N != nil && !lo.N.Type().Equal(hi.N.Type()):
		return errclass.FrameTypes(lo.N.Type(), hi.N.Type())
	case rank(lo) > rank(hi):
		return errclass.FrameOrder()
	}
	return nil
}

// checkRange checks that a RANGE frame's values can be added to the sort key.
func checkRange(w *expr.Window, lo, hi expr.Bound) *errclass.Error {
	unbounded := lo.Kind == "UNBOUNDED PRECEDING" && hi.Kind == "UNBOUNDED FOLLOWING"
	value := lo.N
	if value == nil {
		value = hi.N
	}
	switch {
	case w.Frame.Unit != "RANGE":
		return nil
	case len(w.OrderBy) == 0 && !unbounded:
		return errclass.RangeWithoutOrder()
	case value == nil:
		return nil
	case len(w.OrderBy) > 1:
		var names []string
		for _, k := range w.OrderBy {
			names = append(names, SQLOf(k.X))
		}
		return errclass.RangeManyOrders(strings.Join(names, ","))
	}
	order, v := w.OrderBy[0].X.Type(), value.Type()
	ok := order.Equal(v)
	switch order.Kind {
	case types.Date:
		ok = v.Kind == types.Int || v.Kind == types.YearMonthInterval || v.Kind == types.DayTimeInterval && v.From == types.Day && v.To == types.Day
	case types.Timestamp, types.TimestampNTZ:
		ok = isInterval(v)
	case types.Null:
		ok = true
	}
	if !ok {
		return errclass.RangeType(order, v)
	}
	return nil
}

func isInterval(t types.Type) bool {
	return t.Kind == types.DayTimeInterval || t.Kind == types.YearMonthInterval || t.Kind == types.CalendarInterval
}

// rank orders bounds as far as their kinds and constant values tell.
func rank(b expr.Bound) float64 {
	n := 1.0
	if l, ok := b.N.(*expr.Lit); ok {
		if v, ok := l.Value.(int64); ok {
			n = float64(v)
		}
	}
	switch b.Kind {
	case "PRECEDING":
		return -n
	case "FOLLOWING":
		return n
	}
	return 0
}

func boundName(b expr.Bound) string {
	if b.N == nil {
		return strings.ToLower(strings.ReplaceAll(b.Kind, " ", ""))
	}
	return NameOf(sql.Spark, b.N)
}
