package plan

import (
	"strings"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/types"
)

// padded reads the CHAR(n) in a table's columns with all their spaces, whatever its files hold; those without are passed on. It is nil if
// the table has none.
func (a *Analyzer) padded(columns []*expr.Column) []Item {
	var items []Item
	for i, c := range columns {
		if c.Lengths == nil || !c.Lengths.HasChar() {
			continue
		}
		if items == nil {
			items = pass(columns)
		}
		n := *c
		items[i] = Item{Column: &n, X: functions.PadChars(ref(c), *c.Lengths)}
		a.chars = true
	}
	return items
}

// padComparisons compares CHAR(n) columns with constants, and with one another, as texts of one length: the shorter gets spaces.
func (a *Analyzer) padComparisons(n Node) error {
	if !a.chars {
		return nil
	}
	return rewritePlan(n, func(e expr.Expr) (expr.Expr, bool, error) {
		c, ok := e.(*expr.Call)
		if !ok {
			return nil, false, nil
		}
		var args []expr.Expr
		switch c.Func.Name {
		case "=", "<=>", "<>", "<", "<=", ">", ">=":
			args = paddedSides(c.Args[0], c.Args[1])
		case "in":
			args = paddedList(c.Args)
		case "between":
			if low, high := paddedSides(c.Args[0], c.Args[1]), paddedSides(c.Args[0], c.Args[2]); low != nil && high != nil && low[0] == c.Args[0] && high[0] == c.Args[0] {
				args = []expr.Expr{c.Args[0], low[1], high[1]}
			}
		}
		if args == nil {
			return nil, false, nil
		}
		out := *c
		out.Args = args
		return &out, true, nil
	})
}

// charLength is the n of a column CHAR(n).
func charLength(x expr.Expr) (int, bool) {
	r, ok := x.(*expr.Ref)
	if !ok || r.Column.Lengths == nil || r.Column.Lengths.Kind != types.Char {
		return 0, false
	}
	n, _ := r.Column.Lengths.Length()
	return n, true
}

// foldable reports whether a text is a constant.
func foldable(x expr.Expr) bool {
	return x.Type().Kind == types.String && !anyExpr(x, func(e expr.Expr) bool {
		_, column := e.(*expr.Ref)
		return column || notPushable(e)
	})
}

// paddedSides are the sides of a comparison as texts of one length; nil if neither is a column CHAR(n) that is to be compared so.
func paddedSides(l, r expr.Expr) []expr.Expr {
	n, left := charLength(l)
	m, right := charLength(r)
	switch {
	case left && right && n < m:
		return []expr.Expr{functions.PadTo(l, m, nil), r}
	case left && right && n > m:
		return []expr.Expr{l, functions.PadTo(r, n, nil)}
	case left && !right && foldable(r):
		l, r = paddedConstant(l, n, r)
		return []expr.Expr{l, r}
	case right && !left && foldable(l):
		r, l = paddedConstant(r, m, l)
		return []expr.Expr{l, r}
	}
	return nil
}

// paddedConstant gives a column CHAR(n) and a constant one length.
func paddedConstant(column expr.Expr, n int, x expr.Expr) (expr.Expr, expr.Expr) {
	length, ok := textLength(x)
	if !ok {
		return functions.PadTo(column, n, x), functions.PadTo(x, n, nil)
	}
	if length > n {
		return functions.PadTo(column, length, nil), x
	}
	return column, withSpaces(x, n)
}

// textLength is the number of characters of a literal.
func textLength(x expr.Expr) (int, bool) {
	l, ok := x.(*expr.Lit)
	if !ok {
		return 0, false
	}
	s, ok := l.Value.(string)
	return utf8.RuneCountInString(s), ok
}

// withSpaces is a literal of n characters at least.
func withSpaces(x expr.Expr, n int) expr.Expr {
	l := *x.(*expr.Lit)
	s := l.Value.(string)
	l.Value = s + strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))
	return &l
}

// paddedList are the arguments of IN, a column CHAR(n) and literals, as texts of one length; nil if they are anything else.
func paddedList(args []expr.Expr) []expr.Expr {
	n, ok := charLength(args[0])
	if !ok {
		return nil
	}
	longest := n
	for _, x := range args[1:] {
		length, ok := textLength(x)
		if !ok {
			if l, null := x.(*expr.Lit); null && l.Value == nil {
				continue
			}
			return nil
		}
		longest = max(longest, length)
	}
	out := append([]expr.Expr{}, args...)
	if longest > n {
		out[0] = functions.PadTo(args[0], longest, nil)
	}
	for i, x := range args[1:] {
		if _, ok := textLength(x); ok {
			out[i+1] = withSpaces(x, longest)
		}
	}
	return out
}
