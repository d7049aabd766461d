package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func itoa(n int) string { return strconv.Itoa(n) }

func typeName(x any) string { return fmt.Sprintf("%T", x) }

func init() { functions.Name = func(x expr.Expr) string { return NameOf(sql.Spark, x) } }

// NameOf is the name Spark generates for an expression without an alias: implicit casts are invisible, a reference is its column's name.
func NameOf(d sql.Dialect, x expr.Expr) string { return namer{}.name(x) }

// SQLOf is an expression as some of Spark's messages show it: columns with their qualifiers, implicit casts visible, text quoted.
func SQLOf(x expr.Expr) string { return namer{full: true}.name(x) }

type namer struct{ full bool }

func (n namer) name(x expr.Expr) string {
	switch x := x.(type) {
	case *expr.Ref:
		return n.ref(x)
	case *expr.Alias:
		if n.full {
			return n.name(x.X)
		}
		return x.Name
	case *expr.Lit:
		if s, ok := x.Value.(string); ok && n.full {
			return "'" + strings.ReplaceAll(s, "'", `\\'`) + "'"
		}
		return literalName(x)
	case *expr.Cast:
		if x.Implicit && !n.full || x.T.Kind >= types.Array {
			return n.name(x.X) // so Spark names casts to nested types, too
		}
		name := "CAST"
		if x.Try {
			name = "TRY_CAST"
		}
		return name + "(" + n.name(x.X) + " AS " + x.T.SQL() + ")"
	case *expr.Call:
		return n.call(x)
	case *expr.Case:
		s := "CASE"
		for _, w := range x.Whens {
			s += " WHEN " + n.name(w.Cond) + " THEN " + n.name(w.Then)
		}
		if x.Else != nil {
			s += " ELSE " + n.name(x.Else)
		}
		return s + " END"
	case *expr.Field:
		if n.full {
			return n.name(x.X) + "." + types.Quote(x.Name)
		}
		return n.name(x.X) + "." + x.Name
	case *expr.Window:
		return n.name(x.Call) + " OVER (" + n.window(x) + ")"
	case *expr.Lambda:
		return n.lambda(x)
	case *expr.Subquery:
		return n.subquery(x)
	}
	return ""
}

func (n namer) ref(x *expr.Ref) string {
	if x.Column.Param {
		return lambdaVariable
	}
	if x.Outer > 0 {
		return "outer(" + qualifiedName(x.Column) + ")"
	}
	if n.full {
		return qualifiedName(x.Column)
	}
	if x.Spelled != "" {
		return x.Spelled
	}
	return x.Column.Name
}

func qualifiedName(c *expr.Column) string {
	parts := append(append([]string{}, c.Qualifier...), c.Name)
	for i, p := range parts {
		parts[i] = types.QuoteIfNeeded(p)
	}
	return strings.Join(parts, ".")
}

// lambdaVariable is what Spark calls every parameter of a lambda.
const lambdaVariable = "namedlambdavariable()"

// lambda is lambdafunction(body, parameters).
func (n namer) lambda(x *expr.Lambda) string {
	s := "lambdafunction(" + n.name(x.Body)
	if x.Written {
		for _, p := range x.Params {
			s += ", " + p.Name
		}
		return s + ")"
	}
	s += strings.Repeat(", "+lambdaVariable, len(x.Params))
	return s + ")"
}

func (n namer) subquery(x *expr.Subquery) string {
	outer := n.names(x.Outer)
	s := "exists(" + outer + ")"
	switch x.Kind {
	case "SCALAR":
		return "scalarsubquery(" + outer + ")"
	case "IN":
		s = "(" + n.names(x.Left) + " IN (listquery(" + outer + ")))"
	}
	if x.Not {
		return "(NOT " + s + ")"
	}
	return s
}

func names(d sql.Dialect, xs []expr.Expr) string { return namer{}.names(xs) }

func (n namer) names(xs []expr.Expr) string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = n.name(x)
	}
	return strings.Join(out, ", ")
}

func (n namer) call(c *expr.Call) string {
	args := make([]string, len(c.Args))
	for i, x := range c.Args {
		args[i] = n.name(x)
		if al, ok := x.(*expr.Alias); ok && c.Func.Name == "struct" {
			args[i] = n.name(al.X) + " AS " + al.Name
		}
	}
	s := ""
	switch {
	case daysAdded(c):
		date, days := 0, 1
		if c.Args[1].Type().Kind == types.Date {
			date, days = 1, 0
		}
		s = map[string]string{"+": "date_add(", "-": "date_sub("}[c.Func.Name] + args[date] + ", " + args[days] + ")"
	case c.Func.Pretty != nil:
		s = c.Func.Pretty(c, args)
	case c.Func.Kind == expr.WindowOnly && strings.HasSuffix(c.Func.Name, "rank"):
		s = strings.ToUpper(c.Func.Name) + "()" // so Spark writes the ranks
	default:
		s = strings.Join(args, ", ")
		if c.Distinct {
			s = "DISTINCT " + s
		}
		s = strings.ToLower(c.Name) + "(" + s + ")"
	}
	if c.Filter != nil && !strings.Contains(s, " FILTER (WHERE ") {
		s += " FILTER (WHERE " + n.name(c.Filter) + ")"
	}
	return s
}

// daysAdded reports whether a call is date + days or date - days, which Spark turns into the functions.
func daysAdded(c *expr.Call) bool {
	if c.Func.Dialect != sql.Spark || c.Func.Name != "+" && c.Func.Name != "-" || len(c.Args) != 2 {
		return false
	}
	l, r := c.Args[0].Type(), c.Args[1].Type()
	return l.Kind == types.Date && r.IsIntegral() || c.Func.Name == "+" && l.IsIntegral() && r.Kind == types.Date
}

func (n namer) window(w *expr.Window) string {
	var parts []string
	if len(w.Partition) > 0 {
		parts = append(parts, "PARTITION BY "+n.names(w.Partition))
	}
	if len(w.OrderBy) > 0 {
		parts = append(parts, "ORDER BY "+n.keys(w.OrderBy))
	}
	unit, lo, hi := "ROWS", "UNBOUNDED PRECEDING", "UNBOUNDED FOLLOWING"
	switch {
	case w.Frame != nil:
		unit, lo, hi = w.Frame.Unit, n.bound(w.Frame.Start), n.bound(w.Frame.End)
	case w.Call.Func.Name == "lag" || w.Call.Func.Name == "lead":
		at := "-1"
		if len(w.Call.Args) > 1 {
			at = n.name(w.Call.Args[1])
			if l, ok := w.Call.Args[1].(*expr.Lit); ok && l.Name != "" {
				at = types.Text(l.T, l.Value, nil) // the frame shows what was computed
			}
			if w.Call.Func.Name == "lag" {
				if at = "-" + at; at == "-0" {
					at = "0"
				}
				at = strings.TrimPrefix(at, "--")
			}
		} else if w.Call.Func.Name == "lead" {
			at = "1"
		}
		lo, hi = at+" FOLLOWING", at+" FOLLOWING"
	case w.Call.Func.Kind == expr.WindowOnly && w.Call.Func.Name != "cume_dist" && w.Call.Func.Name != "nth_value":
		hi = "CURRENT ROW"
	case len(w.OrderBy) > 0:
		unit, hi = "RANGE", "CURRENT ROW"
	}
	return strings.Join(append(parts, unit+" BETWEEN "+lo+" AND "+hi), " ")
}

func (n namer) key(k expr.SortKey) string {
	return n.name(k.X) + direction(k)
}

// direction is what stands behind a sort key.
func direction(k expr.SortKey) string {
	dir, nulls := "ASC", "LAST"
	if k.Desc {
		dir = "DESC"
	}
	if k.NullsFirst {
		nulls = "FIRST"
	}
	return " " + dir + " NULLS " + nulls
}

func (n namer) keys(keys []expr.SortKey) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = n.key(k)
	}
	return strings.Join(out, ", ")
}

func (n namer) bound(b expr.Bound) string {
	if b.N == nil {
		return b.Kind
	}
	if c, ok := b.N.(*expr.Cast); ok && c.Implicit && b.Kind == "PRECEDING" {
		// Spark sees a cast there, not the minus that PRECEDING stands for.
		return "(- " + n.name(c.X) + ") FOLLOWING"
	}
	return n.name(b.N) + " " + b.Kind
}

func literalName(l *expr.Lit) string {
	if l.Name != "" {
		return l.Name
	}
	if l.Text == "*" {
		return l.Text
	}
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
	case types.Decimal:
		return functions.PlainOrScientific(types.Text(l.T, l.Value, nil))
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
		if commutative[x.Func.Name] {
			slices.Sort(parts)
		}
		s := fmt.Sprintf("%s(%v %s)", x.Func.Name, x.Distinct, strings.Join(parts, ","))
		if x.Filter != nil {
			s += "filter" + identity(x.Filter)
		}
		if flag, ok := x.Extra.(bool); ok {
			s += fmt.Sprint(flag)
		}
		if functions.Descending(x) {
			s += "desc"
		}
		for _, k := range x.OrderBy {
			s += fmt.Sprintf("order%s%v", identity(k.X), k.Desc)
		}
		if x.Func.NonDeterministic {
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

// commutative are the operators whose operands Spark puts in order before it compares expressions.
var commutative = map[string]bool{"+": true, "*": true, "&": true, "|": true, "^": true, "=": true, "<=>": true, "and": true, "or": true}

// Formatted is an expression as Trino's messages write it.
func Formatted(x sql.Expr) string { return sql.FormatTrinoExpr(x) }

// Written is a constant as a message quotes it.
func Written(x sql.Expr) string {
	switch x := x.(type) {
	case *sql.Literal:
		if x.Kind == sql.NullLit {
			return "NULL"
		}
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
