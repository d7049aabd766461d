package plan

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's rules for windows: the clause WINDOW, what a window may be built upon, and its frame. See "Window functions" and
// "SELECT", "WINDOW clause", in Trino's documentation.

// checkWindows checks what WINDOW defines, whether or not it is used.
func (a *Analyzer) checkWindows(ctx context.Context, defined []sql.NamedWindow, s *scope) error {
	for i, d := range defined {
		if slices.ContainsFunc(defined[:i], func(w sql.NamedWindow) bool { return strings.EqualFold(w.Name.Text, d.Name.Text) }) {
			return errclass.TrinoDuplicateWindow(d.Name.Text).At(d.Name.Span())
		}
		spec, err := windowUpon(d.Spec, defined[:i])
		if err != nil {
			return err
		}
		if err := a.specified(ctx, spec, &expr.Window{}, s); err != nil {
			return err
		}
	}
	return nil
}

// windowUpon completes a window that names another by what that one has. Only those that are defined before it count.
func windowUpon(spec sql.WindowSpec, defined []sql.NamedWindow) (sql.WindowSpec, error) {
	if spec.Ref == nil {
		return spec, nil
	}
	i := slices.IndexFunc(defined, func(w sql.NamedWindow) bool { return strings.EqualFold(w.Name.Text, spec.Ref.Text) })
	if i < 0 {
		return spec, errclass.TrinoNoWindow(spec.Ref.Text).At(spec.Ref.Span())
	}
	base, err := windowUpon(defined[i].Spec, defined[:i])
	if err != nil {
		return spec, err
	}
	base.At, base.Body, base.Ref = spec.At, spec.Body, nil
	switch {
	case spec.Span() == spec.Ref.Span(): // OVER w
		return base, nil
	case len(spec.PartitionBy) > 0:
		return spec, errclass.TrinoWindowPartition().At(spec.PartitionBy[0].Span())
	case len(spec.OrderBy) > 0 && len(base.OrderBy) > 0:
		return spec, errclass.TrinoWindowOrderTwice().At(spec.OrderAt.Span())
	case base.Frame != nil:
		return spec, errclass.TrinoFramedWindow().At(spec.Ref.Span())
	}
	if len(spec.OrderBy) > 0 {
		base.OrderBy, base.OrderAt = spec.OrderBy, spec.OrderAt
	}
	base.Frame = spec.Frame
	return base, nil
}

// checkTrinoWindow checks a function over a window whose specification is right by itself.
func checkTrinoWindow(w *expr.Window, spec sql.WindowSpec) error {
	for _, x := range w.Call.Args {
		if in := windowIn(x); in != nil {
			return errclass.TrinoNestedWindow("function arguments").At(in.Span())
		}
	}
	f := w.Call.Func
	switch f.Name {
	case "first_value", "last_value", "nth_value":
		return nil
	case "lag", "lead":
		if len(spec.OrderBy) == 0 {
			return errclass.TrinoWindowNeedsOrder(f.Name).At(spec.Body.Span())
		}
	}
	if f.Kind == expr.WindowOnly && spec.Frame != nil {
		return errclass.TrinoFrame("Cannot specify window frame for " + f.Name + " function").At(spec.Frame.Span())
	}
	return nil
}

// checkWindowFilters refuses FILTER of functions over windows, which Trino does not take.
func (b *block) checkWindowFilters(keys []expr.SortKey) error {
	if b.a.Dialect != sql.Trino {
		return nil
	}
	filtered := func(e expr.Expr) bool {
		w, ok := e.(*expr.Window)
		return ok && w.Call.Filter != nil
	}
	if slices.ContainsFunc(b.items, func(it Item) bool { return anyExpr(it.X, filtered) }) ||
		slices.ContainsFunc(keys, func(k expr.SortKey) bool { return anyExpr(k.X, filtered) }) {
		return errclass.TrinoWindowFilter().At(b.scope.query)
	}
	return nil
}

// windowIn is the first function over a window in an expression; nil if there is none.
func windowIn(x expr.Expr) (found expr.Expr) {
	anyExpr(x, func(e expr.Expr) bool {
		if isWindow(e) && found == nil {
			found = e
		}
		return found != nil
	})
	return found
}

// checkTrinoSpecification checks a window's parts, in Trino's order; query is the place of the SELECT around it.
func (a *Analyzer) checkTrinoSpecification(w *expr.Window, spec sql.WindowSpec, query token.Span) error {
	parts := slices.Clone(w.Partition)
	for _, k := range w.OrderBy {
		parts = append(parts, k.X)
	}
	if w.Frame != nil {
		for _, b := range []expr.Bound{w.Frame.Start, w.Frame.End} {
			if b.N != nil {
				parts = append(parts, b.N)
			}
		}
	}
	for _, x := range parts {
		if in := windowIn(x); in != nil {
			return errclass.TrinoNestedWindow("specification").At(in.Span())
		}
	}
	for i, k := range w.OrderBy {
		if holdsMap(k.X.Type()) {
			return errclass.TrinoWindowOrder(k.X.Type()).At(spec.OrderBy[i].X.Span())
		}
	}
	if w.Frame == nil {
		return nil
	}
	for i, b := range []expr.Bound{w.Frame.Start, w.Frame.End} {
		if b.N == nil {
			continue
		}
		if err := a.checkTrinoOffset(w, b, []string{"start", "end"}[i]); err != nil {
			return err
		}
		if anyExpr(b.N, isOuter) {
			return errclass.TrinoUnsupported("Given correlated subquery is not supported").At(query)
		}
	}
	return nil
}

// checkTrinoBounds checks a frame's ends by their kinds, before anything of it is resolved.
func checkTrinoBounds(f *sql.Frame) error {
	from, to := f.Start.Kind, f.End.Kind
	message := ""
	switch {
	case from == "UNBOUNDED FOLLOWING":
		message = "start cannot be UNBOUNDED FOLLOWING"
	case to == "UNBOUNDED PRECEDING":
		message = "end cannot be UNBOUNDED PRECEDING"
	case (from == "CURRENT ROW" || from == "FOLLOWING") && to == "PRECEDING", from == "FOLLOWING" && to == "CURRENT ROW":
		message = "starting from " + from + " cannot end with " + to
	default:
		return nil
	}
	return errclass.TrinoFrame("Window frame " + message).At(f.Span())
}

// checkTrinoOrder checks the order that a frame with an offset needs, before the offset is resolved.
func checkTrinoOrder(w *expr.Window, spec sql.WindowSpec) error {
	unit := spec.Frame.Unit
	switch {
	case unit == "ROWS" || spec.Frame.Start.N == nil && spec.Frame.End.N == nil:
		return nil
	case len(w.OrderBy) == 0:
		return errclass.TrinoFrameNeedsOrder(unit).At(spec.Body.Span())
	case unit == "GROUPS":
		return nil
	case len(w.OrderBy) > 1:
		return errclass.TrinoRangeOrders(len(w.OrderBy)).At(spec.OrderAt.Span())
	}
	if t := w.OrderBy[0].X.Type(); !t.IsNumeric() && !isMoment(t) && !isInterval(t) {
		return errclass.TrinoRangeOrder(t).At(spec.OrderBy[0].X.Span())
	}
	return nil
}

// checkTrinoOffset checks the type of an offset.
func (a *Analyzer) checkTrinoOffset(w *expr.Window, b expr.Bound, end string) error {
	t := b.N.Type()
	if unit := w.Frame.Unit; unit != "RANGE" {
		if !t.IsIntegral() && (t.Kind != types.Decimal || t.Scale != 0) {
			return errclass.TrinoFrameCount(unit, end, t).At(b.N.Span())
		}
		return nil
	}
	k := w.OrderBy[0]
	key := k.X.Type()
	ok := t.IsNumeric() == key.IsNumeric() && t.Kind != types.Null
	if ok && !key.IsNumeric() {
		op := "+"
		if (b.Kind == "PRECEDING") != k.Desc {
			op = "-"
		}
		_, err := functions.Resolve(a.Dialect, op, []expr.Expr{k.X, b.N}, b.N.Span())
		ok = err == nil && isInterval(t)
	}
	if !ok {
		return errclass.TrinoRangeValue(t, key).At(b.N.Span())
	}
	return nil
}

// isMoment reports whether a type is a date, a time or a timestamp.
func isMoment(t types.Type) bool {
	switch t.Kind {
	case types.Date, types.Time, types.TimeTZ, types.Timestamp, types.TimestampNTZ:
		return true
	}
	return false
}
