package plan

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func isTimeWindow(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	return ok && c.Func.TimeWindow
}

// liftTimeWindows makes the columns that calls of window and session_window stand for, below the nodes that call them.
func (a *Analyzer) liftTimeWindows(n Node) (Node, error) {
	var err error
	out, lifting := lifter{
		what:  "a window of time",
		lifts: isTimeWindow,
		below: func(items []Item, child Node) Node {
			if len(items) > 1 {
				err = errclass.ManyTimeWindows()
			}
			call := items[0].X.(*expr.Call)
			g := &Generate{Call: functions.TimeWindowOf(call), Columns: []*expr.Column{items[0].Column}, Child: child}
			return g
		},
		grouped: a.sessions,
	}.node(n)
	if lifting != nil {
		return nil, lifting
	}
	return out, err
}

// groupedWindows are the windows of time that a SELECT groups by; what is wrong with them is told where GROUP BY is resolved.
func (a *Analyzer) groupedWindows(ctx context.Context, q *sql.Select, s *scope) (out []*expr.Call) {
	for _, x := range q.GroupBy {
		c, ok := x.(*sql.Call)
		if !ok || len(c.Name) != 1 {
			continue
		}
		if f := functions.Lookup(a.Dialect, c.Name[0].Text); f == nil || !f.TimeWindow {
			continue
		}
		if e, err := a.expr(ctx, c, s); err == nil && isTimeWindow(e) {
			out = append(out, e.(*expr.Call))
		}
	}
	return out
}

// sessions joins the sessions that meet, among the rows that agree in the other group columns. The group column of the session is
// computed from its row's own session then.
func (a *Analyzer) sessions(n *Aggregate) error {
	g, ok := n.Child.(*Generate)
	if !ok || g.Call.Func.Name != "session_window" {
		return nil
	}
	at := -1
	var partition []expr.Expr
	for i, it := range n.Groups {
		if r, ok := it.X.(*expr.Ref); ok && r.Column == g.Columns[0] {
			at = i
		} else {
			partition = append(partition, it.X)
		}
	}
	if at < 0 {
		return nil
	}
	if n.Sets != nil {
		return errclass.Unsupported("session_window in GROUPING SETS, CUBE or ROLLUP")
	}
	own := ref(g.Columns[0])
	start := &expr.Field{X: own, Index: 0, Name: "start"}
	end := &expr.Field{X: own, Index: 1, Name: "end"}
	t := own.T.Fields[0].Type
	start.T, start.Null, end.T, end.Null = t, true, t, true
	var err error
	call := func(name string, args ...expr.Expr) expr.Expr {
		x, e := functions.Resolve(a.Dialect, name, args, g.Call.Span())
		if e != nil && err == nil {
			err = e
		}
		return x
	}
	over := func(x expr.Expr, hi string) expr.Expr {
		c, ok := x.(*expr.Call)
		if !ok {
			return x
		}
		w := &expr.Window{Call: c, Partition: partition}
		if hi != "" {
			w.OrderBy = []expr.SortKey{{X: start}}
			w.Frame = &expr.Frame{Unit: "ROWS", Start: expr.Bound{Kind: "UNBOUNDED PRECEDING"}, End: expr.Bound{Kind: hi}}
			if hi == "PRECEDING" {
				w.Frame.End.N = lit(int64(1), types.Of(types.Int))
			}
		}
		w.T, w.Null, w.At = c.T, true, g.Call.Span()
		return w
	}
	before := NewItem("before", over(call("max", end), "PRECEDING"))
	first := &expr.Case{Whens: []expr.When{{Cond: call(">=", ref(before.Column), start), Then: lit(int64(0), types.Of(types.Int))}}, Else: lit(int64(1), types.Of(types.Int))}
	first.T = types.Of(types.Int)
	number := NewItem("number", over(call("sum", first), "CURRENT ROW"))
	partition = append(partition[:len(partition):len(partition)], ref(number.Column))
	from, to := NewItem("from", over(call("min", start), "")), NewItem("to", over(call("max", end), ""))
	n.Child = &Window{Items: []Item{before}, Child: n.Child}
	n.Child = &Window{Items: []Item{number}, Child: n.Child}
	n.Child = &Window{Items: []Item{from, to}, Child: n.Child}
	n.Groups[at].X = call("named_struct", lit("start", types.Of(types.String)), ref(from.Column), lit("end", types.Of(types.String)), ref(to.Column))
	return err
}
