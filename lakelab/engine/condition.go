package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// condition says a filter over a table's columns in the lake's terms, so that a scan can leave files out. What it can't say counts as
// unknown; nil stands for no filter.
func (s *Session) condition(ctx context.Context, x expr.Expr) *lake.Condition {
	if x == nil {
		return nil
	}
	c := s.conditionOf(ctx, x)
	return &c
}

// flipped are the comparisons with their sides swapped.
var flipped = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func (s *Session) conditionOf(ctx context.Context, x expr.Expr) lake.Condition {
	unknown := lake.Condition{Op: "unknown"}
	if l, ok := x.(*expr.Lit); ok && l.T.Kind == types.Boolean && l.Value != nil {
		if l.Value == true {
			return always
		}
		return never
	}
	call, ok := x.(*expr.Call)
	if !ok {
		return unknown
	}
	op := call.Func.Name
	switch op {
	case "and", "or", "not":
		c := lake.Condition{Op: op}
		for _, a := range call.Args {
			c.Of = append(c.Of, s.conditionOf(ctx, a))
		}
		return c
	case "<>":
		c := s.compared(ctx, "=", call.Args[0], call.Args[1:])
		return lake.Condition{Op: "not", Of: []lake.Condition{c}}
	case "=", "<", "<=", ">", ">=":
		if path := columnOf(call.Args[0]); path == nil {
			return s.compared(ctx, flipped[op], call.Args[1], call.Args[:1])
		}
		return s.compared(ctx, op, call.Args[0], call.Args[1:])
	case "in":
		return s.compared(ctx, op, call.Args[0], call.Args[1:])
	case "startswith":
		return s.compared(ctx, "starts", call.Args[0], call.Args[1:])
	case "like":
		switch kind, path, text := sideOf(call); kind {
		case "StringStartsWith":
			return lake.Condition{Op: "starts", Column: path, Values: []any{text}}
		case "EqualTo":
			return lake.Condition{Op: "=", Column: path, Values: []any{text}}
		}
	case "between":
		return lake.Condition{Op: "and", Of: []lake.Condition{
			s.compared(ctx, ">=", call.Args[0], call.Args[1:2]), s.compared(ctx, "<=", call.Args[0], call.Args[2:3])}}
	case "isnull", "isnotnull":
		path := columnOf(call.Args[0])
		if path == nil {
			return unknown
		}
		null := lake.Condition{Op: "null", Column: path}
		if op == "isnull" {
			return null
		}
		return lake.Condition{Op: "not", Of: []lake.Condition{null}}
	}
	return unknown
}

// sideOf says a LIKE by a constant as Spark's filter of one side of a column's text: StringStartsWith, StringEndsWith, StringContains, or
// EqualTo for all of it.
func sideOf(c *expr.Call) (kind string, column []string, text string) {
	if c.Func.Name != "like" || len(c.Args) != 2 {
		return "", nil, ""
	}
	l, ok := c.Args[1].(*expr.Lit)
	pattern, isText := "", false
	if ok {
		pattern, isText = l.Value.(string)
	}
	if column = columnOf(c.Args[0]); column == nil || !isText || strings.ContainsAny(pattern, `_\`) {
		return "", nil, ""
	}
	text, after := strings.CutSuffix(pattern, "%")
	text, before := strings.CutPrefix(text, "%")
	switch {
	case strings.Contains(text, "%") || text == "" && (after || before):
		return "", nil, ""
	case after && before:
		return "StringContains", column, text
	case after:
		return "StringStartsWith", column, text
	case before:
		return "StringEndsWith", column, text
	}
	return "EqualTo", column, text
}

// compared compares a column with constants.
func (s *Session) compared(ctx context.Context, op string, column expr.Expr, with []expr.Expr) lake.Condition {
	c := lake.Condition{Op: op, Column: columnOf(column)}
	if c.Column == nil {
		return lake.Condition{Op: "unknown"}
	}
	for _, x := range with {
		v, ok := s.fixed(ctx, x)
		if !ok {
			return lake.Condition{Op: "unknown"}
		}
		c.Values = append(c.Values, v)
	}
	return c
}

// columnOf is the path of a column, or of a column under a cast that keeps the order of its values; nil for anything else.
func columnOf(x expr.Expr) []string {
	switch x := x.(type) {
	case *expr.Ref:
		return []string{x.Column.Name}
	case *expr.Field:
		if path := columnOf(x.X); path != nil && x.X.Type().Kind == types.Struct {
			return append(path, x.Name)
		}
	case *expr.Cast:
		from, to := x.X.Type(), x.Type()
		if from.Equal(to) || numeric(from) && numeric(to) && widens(from, to) {
			return columnOf(x.X)
		}
	}
	return nil
}

func numeric(t types.Type) bool { return t.Kind >= types.Byte && t.Kind <= types.Decimal }

// widens reports whether every number of one type is one of the other, so that comparing after the cast is comparing before it.
func widens(from, to types.Type) bool {
	switch {
	case from.IsIntegral() && to.IsIntegral():
		return from.Kind <= to.Kind
	case from.Kind == types.Decimal && to.Kind == types.Decimal:
		return to.Scale >= from.Scale && to.Precision-to.Scale >= from.Precision-from.Scale
	case from.IsIntegral() && to.Kind == types.Decimal:
		return to.Precision-to.Scale >= map[types.Kind]int{types.Byte: 3, types.Short: 5, types.Int: 10, types.Long: 19}[from.Kind]
	case from.Kind == types.Float || from.Kind == types.Double:
		return to.Kind == types.Double
	}
	return from.Kind < types.Int && (to.Kind == types.Float || to.Kind == types.Double) || from.Kind == types.Int && to.Kind == types.Double
}

// fixed is the value of a literal, perhaps under casts and a sign.
func (s *Session) fixed(ctx context.Context, x expr.Expr) (any, bool) {
	if l, ok := x.(*expr.Lit); ok && (l.T.Kind != types.Timestamp || l.Text == "") {
		return l.Value, true
	}
	if !isFixed(x) {
		return nil, false
	}
	n := &plan.Project{Items: []plan.Item{plan.NewItem("value", x)}, Child: &plan.OneRow{}}
	rows, err := s.Collect(ctx, &Result{Node: n}, 1)
	if err != nil || len(rows) != 1 {
		return nil, false // the query itself will report it
	}
	return rows[0][0], true
}

func isFixed(x expr.Expr) bool {
	switch x := x.(type) {
	case *expr.Lit:
		return true
	case *expr.Cast:
		return isFixed(x.X)
	case *expr.Alias:
		return isFixed(x.X)
	case *expr.Call:
		return strings.EqualFold(x.Func.Name, "negative") && isFixed(x.Args[0])
	}
	return false
}
