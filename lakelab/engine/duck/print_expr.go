package duck

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

func (p *printer) expr(x expr.Expr) (string, error) {
	switch x := x.(type) {
	case *expr.Ref:
		return p.name(x.Column), nil
	case *expr.Lit:
		if x.T.Kind == types.Timestamp && x.Text != "" {
			return "CAST(" + String(x.Text) + " AS TIMESTAMPTZ)", nil // read in the session's zone
		}
		return Value(x.T, x.Value), nil
	case *expr.Alias:
		return p.expr(x.X)
	case *expr.Call:
		return p.call(x)
	case *expr.Cast:
		s, err := p.expr(x.X)
		if err != nil {
			return "", err
		}
		return cast(x, s), nil
	case *expr.Case:
		return p.caseOf(x)
	case *expr.Field:
		s, err := p.expr(x.X)
		return "struct_extract(" + s + ", " + fmt.Sprint(x.Index+1) + ")", err
	case *expr.Window:
		return p.window(x)
	case *expr.Subquery:
		return p.subquery(x)
	case *expr.Lambda:
		names := make([]string, len(x.Params))
		for i, c := range x.Params {
			names[i] = p.name(c)
		}
		s, err := p.expr(x.Body)
		return "lambda " + strings.Join(names, ", ") + ": " + s, err
	}
	return "", fmt.Errorf("duck: cannot print %T", x)
}

func (p *printer) exprs(xs []expr.Expr) ([]string, error) {
	out := make([]string, len(xs))
	for i, x := range xs {
		s, err := p.expr(x)
		if err != nil {
			return nil, err
		}
		out[i] = s
	}
	return out, nil
}

func (p *printer) call(c *expr.Call) (string, error) {
	args, err := p.exprs(c.Args)
	if err != nil {
		return "", err
	}
	if c.Func.Kind == expr.Aggregate && c.Func.Name == "count" && len(args) == 1 {
		if l, ok := c.Args[0].(*expr.Lit); ok && l.Value != nil && !c.Distinct {
			args = []string{"*"}
		}
	}
	s := c.Func.Duck(c, args)
	if len(c.OrderBy) > 0 {
		o, err := p.order(c.OrderBy)
		if err != nil {
			return "", err
		}
		s = strings.TrimSuffix(s, ")") + o + ")"
	}
	if c.Filter != nil {
		f, err := p.expr(c.Filter)
		if err != nil {
			return "", err
		}
		s += " FILTER (WHERE " + f + ")"
	}
	return s, nil
}

func (p *printer) caseOf(x *expr.Case) (string, error) {
	s := "CASE"
	for _, w := range x.Whens {
		c, err := p.expr(w.Cond)
		if err != nil {
			return "", err
		}
		t, err := p.expr(w.Then)
		if err != nil {
			return "", err
		}
		s += " WHEN " + c + " THEN " + t
	}
	if x.Else != nil {
		e, err := p.expr(x.Else)
		if err != nil {
			return "", err
		}
		s += " ELSE " + e
	}
	return s + " END", nil
}

func (p *printer) window(w *expr.Window) (string, error) {
	c := *w.Call
	args, err := p.exprs(c.Args)
	if err != nil {
		return "", err
	}
	if c.Func.Kind == expr.Aggregate {
		c.Extra = functions.OverWindow
	}
	s := c.Func.Duck(&c, args)
	if c.IgnoreNulls {
		s = strings.TrimSuffix(s, ")") + " IGNORE NULLS)"
	}
	if c.Filter != nil {
		f, err := p.expr(c.Filter)
		if err != nil {
			return "", err
		}
		s += " FILTER (WHERE " + f + ")"
	}
	var spec []string
	if len(w.Partition) > 0 {
		parts, err := p.exprs(w.Partition)
		if err != nil {
			return "", err
		}
		spec = append(spec, "PARTITION BY "+strings.Join(parts, ", "))
	}
	if len(w.OrderBy) > 0 {
		o, err := p.order(w.OrderBy)
		if err != nil {
			return "", err
		}
		spec = append(spec, strings.TrimSpace(o))
	}
	if w.Frame != nil {
		lo, err := p.bound(w.Frame.Start)
		if err != nil {
			return "", err
		}
		hi, err := p.bound(w.Frame.End)
		if err != nil {
			return "", err
		}
		spec = append(spec, w.Frame.Unit+" BETWEEN "+lo+" AND "+hi)
	}
	s += " OVER (" + strings.Join(spec, " ") + ")"
	if c.Func.Kind == expr.WindowOnly && w.T.Kind == types.Int {
		s = "CAST(" + s + " AS INTEGER)"
	}
	if c.Func.Kind == expr.Aggregate {
		s = "CAST(" + s + " AS " + functions.DuckType(w.T) + ")"
	}
	return s, nil
}

func (p *printer) bound(b expr.Bound) (string, error) {
	if b.N == nil {
		return b.Kind, nil
	}
	n, err := p.expr(b.N)
	return n + " " + b.Kind, err
}

func (p *printer) subquery(x *expr.Subquery) (string, error) {
	n := x.Plan.(plan.Node)
	body, err := p.node(n)
	if err != nil {
		return "", err
	}
	q := "(SELECT " + p.columns(n.Output()) + " FROM (" + body + "))"
	not := ""
	if x.Not {
		not = "NOT "
	}
	switch x.Kind {
	case "EXISTS":
		return "(" + not + "EXISTS " + q + ")", nil
	case "IN":
		left, err := p.exprs(x.Left)
		if err != nil {
			return "", err
		}
		l := strings.Join(left, ", ")
		if len(left) > 1 {
			l = "(" + l + ")"
		}
		return "(" + l + " " + not + "IN " + q + ")", nil
	}
	return q, nil
}

// cast prints a cast with Spark's ANSI rules where DuckDB's differ.
func cast(c *expr.Cast, s string) string {
	from, to := c.X.Type(), c.T
	duck := functions.DuckType(to)
	plain := "CAST(" + s + " AS " + duck + ")"
	if c.Try {
		plain = "TRY_CAST(" + s + " AS " + duck + ")"
	}
	fail := func(class string, value string) string {
		if c.Try {
			return "NULL"
		}
		return functions.Fail(c, class, value, String(from.SQL()), String(to.SQL()))
	}
	switch {
	case from.Kind == types.Null:
		return "CAST(NULL AS " + duck + ")"
	case from.Kind == types.String && to.IsIntegral():
		t := "trim(" + s + ")"
		return "CASE WHEN " + s + " IS NULL THEN NULL WHEN regexp_full_match(" + t + ", '[+-]?[0-9]+') AND TRY_CAST(" + t + " AS " + duck + ") IS NOT NULL THEN CAST(" + t + " AS " + duck + ") ELSE " + fail("CAST_INVALID_INPUT", s) + " END"
	case from.Kind == types.String && to.Kind != types.String && to.Kind != types.Binary:
		t := "trim(" + s + ")"
		return "CASE WHEN " + s + " IS NULL THEN NULL WHEN TRY_CAST(" + t + " AS " + duck + ") IS NOT NULL THEN TRY_CAST(" + t + " AS " + duck + ") ELSE " + fail("CAST_INVALID_INPUT", s) + " END"
	case (from.Kind == types.Float || from.Kind == types.Double || from.Kind == types.Decimal) && to.IsIntegral():
		t := "trunc(" + s + ")"
		return "CASE WHEN " + s + " IS NULL THEN NULL WHEN TRY_CAST(" + t + " AS " + duck + ") IS NULL THEN " + fail("CAST_OVERFLOW", "CAST("+s+" AS VARCHAR)") + " ELSE CAST(" + t + " AS " + duck + ") END"
	case from.IsIntegral() && to.IsIntegral() && to.Kind < from.Kind:
		return "CASE WHEN " + s + " IS NOT NULL AND TRY_CAST(" + s + " AS " + duck + ") IS NULL THEN " + fail("CAST_OVERFLOW", "CAST("+s+" AS VARCHAR)") + " ELSE CAST(" + s + " AS " + duck + ") END"
	case from.IsNumeric() && to.Kind == types.Decimal:
		return "CASE WHEN " + s + " IS NOT NULL AND TRY_CAST(" + s + " AS " + duck + ") IS NULL THEN " + fail("NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", "CAST("+s+" AS VARCHAR)") + " ELSE TRY_CAST(" + s + " AS " + duck + ") END"
	case to.Kind == types.String:
		return textOf(from, s)
	}
	return plain
}

// textOf prints the cast to string of a type, as Spark writes its values.
func textOf(from types.Type, s string) string {
	switch from.Kind {
	case types.Float, types.Double:
		return textFunction(from) + "(CAST(" + s + " AS " + functions.DuckType(from) + "))"
	case types.Timestamp:
		return "regexp_replace(regexp_replace(CAST(CAST(" + s + " AS TIMESTAMP) AS VARCHAR), '(\\.\\d*?)0+$', '\\1'), '\\.$', '')"
	}
	return "CAST(" + s + " AS VARCHAR)"
}
