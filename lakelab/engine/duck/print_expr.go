package duck

import (
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func (p *printer) expr(x expr.Expr) (string, error) {
	switch x := x.(type) {
	case *expr.Ref:
		if x.Outer > 0 && !slices.Contains(p.outer, x.Column) {
			p.outer = append(p.outer, x.Column)
		}
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
		return functions.PrintCast(x, s), nil
	case *expr.Case:
		return p.caseOf(x)
	case *expr.Field:
		s, err := p.expr(x.X)
		return "struct_extract_at(" + s + ", " + fmt.Sprint(x.Index+1) + ")", err
	case *expr.Window:
		return p.window(x)
	case *expr.Subquery:
		if x.Definite && rowIn(x) {
			return p.existsRow(x)
		}
		s, err := p.subquery(x)
		if x.Definite && x.Kind == "IN" {
			s = "coalesce(" + s + ", false)"
		}
		return s, err
	case *expr.Lambda:
		return p.lambda(x, nil)
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

// lambda prints x -> body. With parts, its parameters are the parts, from 1, of one element.
func (p *printer) lambda(x *expr.Lambda, parts []string) (string, error) {
	names := make([]string, len(x.Params))
	for i, c := range x.Params {
		names[i] = p.name(c)
	}
	if parts != nil {
		element := "e" + names[0]
		for i, c := range x.Params {
			p.names[c] = "struct_extract_at(" + element + ", " + parts[i] + ")"
		}
		names = []string{element}
	}
	s, err := p.expr(x.Body)
	return "lambda " + strings.Join(names, ", ") + ": " + s, err
}

func (p *printer) arguments(c *expr.Call) ([]string, error) {
	parts := functions.PairParams(c.Func)
	out := make([]string, len(c.Args))
	for i, x := range c.Args {
		var err error
		if l, ok := x.(*expr.Lambda); ok {
			if len(parts) != len(l.Params) {
				parts = nil
			}
			// The place counts from 0 in Spark's lambdas, from 1 in DuckDB's.
			if len(l.Params) == 2 && parts == nil && (c.Func.Name == "transform" || c.Func.Name == "filter") {
				p.names[l.Params[1]] = p.name(l.Params[1]) + "_1"
				index := p.names[l.Params[1]]
				head := "lambda " + p.name(l.Params[0]) + ", " + index + ": "
				p.names[l.Params[1]] = "CAST(" + index + " - 1 AS INTEGER)"
				s, err := p.expr(l.Body)
				if err != nil {
					return nil, err
				}
				out[i] = head + s
				continue
			}
			out[i], err = p.lambda(l, parts)
		} else {
			out[i], err = p.expr(x)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// semijoins lets IN be NULL where a condition is a conjunction, where that is the same: DuckDB makes a join of it then. One of rows must not
// be NULL for that.
func semijoins(cond expr.Expr) expr.Expr {
	switch x := cond.(type) {
	case *expr.Subquery:
		k := *x
		k.Definite = rowIn(x)
		return &k
	case *expr.Call:
		if x.Func.Name == "and" {
			k := *x
			k.Args = []expr.Expr{semijoins(x.Args[0]), semijoins(x.Args[1])}
			return &k
		}
	}
	return cond
}

func (p *printer) call(c *expr.Call) (string, error) {
	if c.Func.Name == "not" && len(c.Args) == 1 {
		if q, ok := c.Args[0].(*expr.Subquery); ok && q.Kind == "IN" && q.Definite {
			k := *q
			k.Not = !q.Not
			return p.expr(&k)
		}
		if x, ok := moved(c); ok {
			return p.expr(x)
		}
	}
	if m, ok := madeMap(c); ok && !p.written {
		return p.chosen(m, c.Args[1])
	}
	args, err := p.arguments(c)
	if err != nil {
		return "", err
	}
	if p.careful && c.Func.Kind != expr.Aggregate {
		return functions.Careful(c, args, p.written), nil
	}
	if c.Func.Kind != expr.Aggregate {
		return c.Func.Duck(c, args), nil
	}
	order, filter, err := p.clauses(c)
	if err != nil {
		return "", err
	}
	if filter != "" && c.Func.Dialect == sql.Spark {
		guard(c, args, filter)
	}
	return functions.Finish(c.Func.Duck(c, args), order, filter, ""), nil
}

// moved brings a NOT to the parts of a conjunction or disjunction that holds IN over a query: what is neither in nor not in it for NULLs
// is false both ways, and Spark asks when NOT stands at the IN.
func moved(not *expr.Call) (expr.Expr, bool) {
	other := map[string]string{"and": "or", "or": "and"}
	x, ok := not.Args[0].(*expr.Call)
	if !ok || other[x.Func.Name] == "" || x.Func.Dialect != sql.Spark || !slices.ContainsFunc(x.Args, holdsIn) {
		return nil, false
	}
	k := *x
	k.Func, k.Name = functions.Lookup(sql.Spark, other[x.Func.Name]), other[x.Func.Name]
	k.Args = make([]expr.Expr, len(x.Args))
	for i, part := range x.Args {
		n := *not
		n.Args = []expr.Expr{part}
		k.Args[i] = &n
	}
	return &k, true
}

// holdsIn reports whether IN over a query is a part of a condition.
func holdsIn(x expr.Expr) bool {
	switch x := x.(type) {
	case *expr.Subquery:
		return x.Kind == "IN" && x.Definite
	case *expr.Call:
		switch x.Func.Name {
		case "and", "or", "not":
			return slices.ContainsFunc(x.Args, holdsIn)
		}
	}
	return false
}

// madeMap is the map of map(k, v, …)[key]. Spark makes none there, so that its keys may be NULL or the same; one of constants, or over
// rows that are written in the query, it has made before.
func madeMap(c *expr.Call) (*expr.Call, bool) {
	if c.Func.Name != "subscript" || c.Func.Dialect != sql.Spark {
		return nil, false
	}
	m, ok := c.Args[0].(*expr.Call)
	return m, ok && m.Func.Name == "map" && len(m.Args) > 0 && m.T.Key.Kind < types.Array && !functions.Foldable(m)
}

// chosen prints the value of a key among the arguments of map.
func (p *printer) chosen(m *expr.Call, key expr.Expr) (string, error) {
	parts, err := p.exprs(append([]expr.Expr{key}, m.Args...))
	if err != nil {
		return "", err
	}
	s := "CASE " + parts[0]
	for i := 1; i < len(parts); i += 2 {
		s += " WHEN " + parts[i] + " THEN " + parts[i+1]
	}
	return s + " END", nil
}

// guard keeps an aggregate's arguments from being computed on rows that its FILTER leaves out, where they might fail: DuckDB
// computes them first.
func guard(c *expr.Call, args []string, filter string) {
	for i, x := range c.Args {
		switch expr.Uncast(x).(type) {
		case *expr.Call, *expr.Case:
			args[i] = "CASE WHEN " + filter + " THEN " + args[i] + " END"
		}
	}
}

// clauses prints an aggregate's order and filter.
func (p *printer) clauses(c *expr.Call) (order, filter string, err error) {
	if len(c.OrderBy) > 0 {
		if order, err = p.order(c.OrderBy); err != nil {
			return "", "", err
		}
	}
	if c.Filter != nil {
		filter, err = p.expr(c.Filter)
	}
	return order, filter, err
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
	if c.Func.Kind == expr.Aggregate && c.Extra == nil {
		c.Extra = functions.OverWindow
	}
	s := c.Func.Duck(&c, args)
	order, filter, err := p.clauses(&c)
	if err != nil {
		return "", err
	}
	if c.IgnoreNulls && order == "" {
		order = " IGNORE NULLS"
	}
	var spec []string
	// What is the same for all rows parts nothing, and Spark does not compute it.
	if by := slices.DeleteFunc(slices.Clone(w.Partition), functions.Computable); len(by) > 0 {
		parts, err := p.exprs(by)
		if err != nil {
			return "", err
		}
		for i, x := range by {
			parts[i] = functions.InstantOf(x.Type(), parts[i])
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
		lo, err := p.bound(w, w.Frame.Start)
		if err != nil {
			return "", err
		}
		hi, err := p.bound(w, w.Frame.End)
		if err != nil {
			return "", err
		}
		spec = append(spec, w.Frame.Unit+" BETWEEN "+lo+" AND "+hi)
	}
	return functions.Finish(s, order, filter, " OVER ("+strings.Join(spec, " ")+")"), nil
}

func (p *printer) bound(w *expr.Window, b expr.Bound) (string, error) {
	if b.N == nil {
		return b.Kind, nil
	}
	if w.Call.Func.Dialect == sql.Trino {
		n, err := p.expr(b.N)
		if err != nil {
			return "", err
		}
		return functions.TrinoOffset(w, b, n) + " " + b.Kind, nil
	}
	kind := b.Kind
	x := b.N
	if l, ok := x.(*expr.Lit); ok {
		if v, ok := l.Value.(int64); ok && v < 0 { // the DataFrame API's -1 FOLLOWING
			k := *l
			k.Value = -v
			x, kind = &k, map[string]string{"FOLLOWING": "PRECEDING", "PRECEDING": "FOLLOWING"}[kind]
		}
	}
	n, err := p.expr(x)
	switch x.Type().Kind {
	case types.DayTimeInterval:
		n = "to_microseconds(" + n + ")"
	case types.YearMonthInterval:
		n = "to_months(CAST(" + n + " AS INTEGER))"
	}
	return n + " " + kind, err
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
		cols := n.Output()
		for i, c := range cols {
			left[i] = functions.InstantOf(c.T, left[i])
		}
		if len(left) > 1 {
			return "(" + not + p.inRows(left, n.Output(), body) + ")", nil
		}
		if keys, own := p.sameKeys(cols); own {
			q = "(SELECT " + keys + " FROM (" + body + "))"
		}
		return "(" + left[0] + " " + not + "IN " + q + ")", nil
	}
	return q, nil
}

// rowIn reports whether a subquery is (a, b) IN (query).
func rowIn(x *expr.Subquery) bool { return x.Kind == "IN" && len(x.Left) > 1 && !x.Not }

// existsRow prints (a, b) IN (query): true if a row is equal, else false.
func (p *printer) existsRow(x *expr.Subquery) (string, error) {
	n := x.Plan.(plan.Node)
	body, err := p.node(n)
	if err != nil {
		return "", err
	}
	left, err := p.exprs(x.Left)
	return "(EXISTS (SELECT 1 FROM (" + body + ") WHERE " + p.sameRow(left, n.Output()) + "))", err
}

// sameRow is the condition that a row is equal to a query's.
func (p *printer) sameRow(left []string, cols []*expr.Column) string {
	equal := make([]string, len(left))
	for i, l := range left {
		equal[i] = l + " = " + functions.InstantOf(cols[i].T, p.name(cols[i]))
	}
	return "(" + strings.Join(equal, " AND ") + ")"
}

// inRows prints (a, b) IN (query): true if a row is equal, else NULL if one might be, else false. DuckDB compares rows with NULL
// in them otherwise, and takes no correlated query there.
func (p *printer) inRows(left []string, cols []*expr.Column, body string) string {
	same := p.sameRow(left, cols)
	return "CASE WHEN EXISTS (SELECT 1 FROM (" + body + ") WHERE " + same + ") THEN true WHEN EXISTS (SELECT 1 FROM (" + body + ") WHERE " + same + " IS NULL) THEN NULL ELSE false END"
}
