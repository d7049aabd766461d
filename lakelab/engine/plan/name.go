package plan

import (
	"fmt"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func itoa(n int) string { return strconv.Itoa(n) }

func typeName(x any) string { return fmt.Sprintf("%T", x) }

// NameOf is the name Spark generates for an expression without an alias: implicit casts are invisible, a reference is its column's name.
func NameOf(d sql.Dialect, x expr.Expr) string {
	switch x := x.(type) {
	case *expr.Ref:
		if x.Spelled != "" {
			return x.Spelled
		}
		return x.Column.Name
	case *expr.Alias:
		return x.Name
	case *expr.Lit:
		return literalName(x)
	case *expr.Cast:
		if x.Implicit {
			return NameOf(d, x.X)
		}
		name := "CAST"
		if x.Try {
			name = "TRY_CAST"
		}
		return name + "(" + NameOf(d, x.X) + " AS " + x.T.SQL() + ")"
	case *expr.Call:
		return callName(d, x)
	case *expr.Case:
		s := "CASE"
		for _, w := range x.Whens {
			s += " WHEN " + NameOf(d, w.Cond) + " THEN " + NameOf(d, w.Then)
		}
		if x.Else != nil {
			s += " ELSE " + NameOf(d, x.Else)
		}
		return s + " END"
	case *expr.Field:
		return NameOf(d, x.X) + "." + x.Name
	case *expr.Window:
		return NameOf(d, x.Call) + " OVER (" + windowName(d, x) + ")"
	case *expr.Subquery:
		switch x.Kind {
		case "SCALAR":
			return "scalarsubquery()"
		case "EXISTS":
			return "exists()"
		}
		return "(" + names(d, x.Left) + " IN (listquery()))"
	}
	return ""
}

func names(d sql.Dialect, xs []expr.Expr) string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = NameOf(d, x)
	}
	return strings.Join(out, ", ")
}

func callName(d sql.Dialect, c *expr.Call) string {
	args := make([]string, len(c.Args))
	for i, x := range c.Args {
		args[i] = NameOf(d, x)
	}
	if c.Func.Pretty != nil {
		return c.Func.Pretty(c, args)
	}
	s := strings.Join(args, ", ")
	if c.Distinct {
		s = "DISTINCT " + s
	}
	s = strings.ToLower(c.Name) + "(" + s + ")"
	if c.Filter != nil {
		s += " FILTER (WHERE " + NameOf(d, c.Filter) + ")"
	}
	return s
}

func windowName(d sql.Dialect, w *expr.Window) string {
	var parts []string
	if len(w.Partition) > 0 {
		parts = append(parts, "PARTITION BY "+names(d, w.Partition))
	}
	if len(w.OrderBy) > 0 {
		keys := make([]string, len(w.OrderBy))
		for i, k := range w.OrderBy {
			dir, nulls := "ASC", "LAST"
			if k.Desc {
				dir = "DESC"
			}
			if k.NullsFirst {
				nulls = "FIRST"
			}
			keys[i] = NameOf(d, k.X) + " " + dir + " NULLS " + nulls
		}
		parts = append(parts, "ORDER BY "+strings.Join(keys, ", "))
	}
	unit, lo, hi := "ROWS", "UNBOUNDED PRECEDING", "UNBOUNDED FOLLOWING"
	switch {
	case w.Frame != nil:
		unit, lo, hi = w.Frame.Unit, boundName(d, w.Frame.Start), boundName(d, w.Frame.End)
	case w.Call.Func.Kind == expr.WindowOnly:
		hi = "CURRENT ROW"
	case len(w.OrderBy) > 0:
		unit, hi = "RANGE", "CURRENT ROW"
	}
	return strings.Join(append(parts, unit+" BETWEEN "+lo+" AND "+hi), " ")
}

func boundName(d sql.Dialect, b expr.Bound) string {
	if b.N == nil {
		return b.Kind
	}
	return NameOf(d, b.N) + " " + b.Kind
}

func literalName(l *expr.Lit) string {
	if l.Value == nil {
		return "NULL"
	}
	switch l.T.Kind {
	case types.Date:
		return "DATE '" + types.Text(l.T, l.Value, nil) + "'"
	case types.Timestamp:
		return "TIMESTAMP '" + types.Text(l.T, l.Value, nil) + "'"
	case types.TimestampNTZ:
		return "TIMESTAMP_NTZ '" + types.Text(l.T, l.Value, nil) + "'"
	case types.Binary:
		return "X'" + strings.NewReplacer("[", "", "]", "", " ", "").Replace(types.Text(l.T, l.Value, nil)) + "'"
	}
	return types.Text(l.T, l.Value, nil)
}

// identity is a text that two expressions share exactly if they compute the same from the same columns.
func identity(x expr.Expr) string {
	switch x := x.(type) {
	case *expr.Ref:
		return fmt.Sprintf("#%p", x.Column)
	case *expr.Alias:
		return identity(x.X)
	case *expr.Lit:
		return fmt.Sprintf("%s:%v", x.T.SimpleString(), x.Value)
	case *expr.Cast:
		return fmt.Sprintf("cast(%s,%s,%v)", identity(x.X), x.T.SimpleString(), x.Try)
	case *expr.Call:
		parts := make([]string, len(x.Args))
		for i, e := range x.Args {
			parts[i] = identity(e)
		}
		s := fmt.Sprintf("%s(%v %s)", x.Func.Name, x.Distinct, strings.Join(parts, ","))
		if x.Filter != nil {
			s += "filter" + identity(x.Filter)
		}
		for _, k := range x.OrderBy {
			s += fmt.Sprintf("order%s%v", identity(k.X), k.Desc)
		}
		if x.Func.NonDeterministic && x.Func.Name != "current_timestamp" && x.Func.Name != "current_date" {
			s += fmt.Sprintf("%p", x)
		}
		return s
	case *expr.Case:
		s := "case"
		for _, w := range x.Whens {
			s += "|" + identity(w.Cond) + ">" + identity(w.Then)
		}
		if x.Else != nil {
			s += "|" + identity(x.Else)
		}
		return s
	case *expr.Field:
		return fmt.Sprintf("%s.%d", identity(x.X), x.Index)
	}
	return fmt.Sprintf("%p", x)
}

// Written is a constant as a message quotes it.
func Written(x sql.Expr) string {
	switch x := x.(type) {
	case *sql.Literal:
		return x.Text
	case *sql.Ident:
		parts := make([]string, len(x.Parts))
		for i, p := range x.Parts {
			parts[i] = p.Text
		}
		return strings.Join(parts, ".")
	}
	return "expression"
}
