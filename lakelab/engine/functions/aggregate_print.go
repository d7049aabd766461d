package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
)

// An aggregate is printed with marks in it, since FILTER, ORDER BY and OVER come from outside: one where an order may stand
// inside the parentheses, and a pair behind them around the row's own condition. Finish puts the clauses in.
const (
	orderMark  = "\x01"
	filterMark = "\x02"
)

// agg prints name(args) with the marks; where is the row's own condition, or empty.
func agg(c *expr.Call, name, args, where string) string {
	if c.Distinct {
		args = "DISTINCT " + args
	}
	return name + "(" + args + orderMark + ")" + filterMark + where + filterMark
}

// Finish completes an aggregate's text: the order inside (" ORDER BY …" or " IGNORE NULLS"), the FILTER condition and the OVER
// clause (" OVER (…)"); each may be empty.
func Finish(s, order, filter, over string) string {
	s = strings.ReplaceAll(s, orderMark, order)
	parts := strings.Split(s, filterMark)
	var b strings.Builder
	for i, p := range parts {
		if i%2 == 0 {
			b.WriteString(p)
			continue
		}
		switch {
		case p != "" && filter != "":
			p = "(" + p + ") AND (" + filter + ")"
		case filter != "":
			p = filter
		}
		if p != "" {
			b.WriteString(" FILTER (WHERE " + p + ")")
		}
		b.WriteString(over)
	}
	return b.String()
}
