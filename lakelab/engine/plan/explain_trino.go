package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Explained is an operator of a plan as Trino's EXPLAIN shows one ("EXPLAIN"): our operators under the names that Trino has for their like.
type Explained struct {
	Name string
	// Of are the operator's own words: table = …, filterPredicate = ….
	Of []Detail
	// Outputs are the columns with the types that Trino calls them by.
	Outputs []Detail
	// Details are further lines, such as name := expression.
	Details  []string
	Children []*Explained
}

// Detail is a name and what stands behind it.
type Detail struct{ Name, Text string }

// ExplainTrino describes a plan in Trino's words, with the operator Output above it. Every column gets a symbol of its own; above are the
// operators that write what the plan gives, of whose rows Output shows the number.
func ExplainTrino(ctx context.Context, n Node, above ...*Explained) *Explained {
	e := &explainer{ctx: ctx, names: map[*expr.Column]string{}, taken: map[string]bool{}}
	tree := e.node(n)
	out := &Explained{Name: "Output"}
	var names []string
	for _, c := range n.Output() {
		name, symbol := c.Name, e.symbol(c)
		names = append(names, name)
		out.Outputs = append(out.Outputs, Detail{symbol, c.T.Trino()})
		if name != symbol {
			out.Details = append(out.Details, name+" := "+symbol)
		}
	}
	for _, w := range slices.Backward(above) {
		names, out.Outputs, out.Details = []string{"rows"}, []Detail{{"rows", types.Of(types.Long).Trino()}}, nil
		w.Outputs, w.Children = out.Outputs, []*Explained{tree}
		tree = w
	}
	out.Of, out.Children = []Detail{{"columnNames", "[" + strings.Join(names, ", ") + "]"}}, []*Explained{tree}
	return out
}

type explainer struct {
	ctx   context.Context
	names map[*expr.Column]string
	taken map[string]bool
}

// symbol is the name of a column: its own, with a number behind it if another one has that.
func (e *explainer) symbol(c *expr.Column) string {
	if name, ok := e.names[c]; ok {
		return name
	}
	base := strings.ToLower(c.Name)
	if i := strings.IndexFunc(base, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }); i >= 0 {
		base = base[:i] // of count(*), its function
	}
	if base == "" || strings.HasPrefix(base, "_col") {
		base = "expr"
	}
	name := base
	for i := 0; e.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	e.names[c], e.taken[name] = name, true
	return name
}

func (e *explainer) symbols(cols []*expr.Column) string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = e.symbol(c)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func (e *explainer) node(n Node) *Explained {
	out := &Explained{}
	for _, c := range children(n) { // first, so that the columns that come from below have their plain names
		out.Children = append(out.Children, e.node(c))
	}
	switch n := n.(type) {
	case *Narrow:
		return out.Children[0]
	case *Project:
		if e.passes(n) {
			return out.Children[0]
		}
	}
	e.operator(n, out)
	for _, x := range expressions(n) {
		subqueries(x, func(q *expr.Subquery) {
			below := e.node(q.Plan.(Node))
			out.Children = append(out.Children, &Explained{Name: "Subquery", Of: []Detail{{"kind", q.Kind}}, Outputs: below.Outputs, Children: []*Explained{below}})
		})
	}
	for _, c := range n.Output() {
		out.Outputs = append(out.Outputs, Detail{e.symbol(c), c.T.Trino()})
	}
	return out
}

// passes reports whether a projection only passes columns on, perhaps under other names: they keep their first one.
func (e *explainer) passes(p *Project) bool {
	for _, it := range p.Items {
		if _, ok := it.X.(*expr.Ref); !ok {
			return false
		}
	}
	for _, it := range p.Items {
		if from := it.X.(*expr.Ref).Column; e.names[it.Column] == "" {
			e.names[it.Column] = e.symbol(from)
		}
	}
	return true
}

// joins are Trino's names of the kinds of joins.
var joins = map[string]string{"INNER": "InnerJoin", "LEFT": "LeftJoin", "RIGHT": "RightJoin", "FULL": "FullJoin", "SEMI": "SemiJoin", "ANTI": "AntiJoin", "CROSS": "CrossJoin"}

// operator fills in the name of an operator, and what it says about itself.
func (e *explainer) operator(n Node, out *Explained) {
	say := func(name, text string) { out.Of = append(out.Of, Detail{name, text}) }
	switch n := n.(type) {
	case *Scan:
		out.Name = "TableScan"
		say("table", tableHandle(n.Name))
		if n.Filter != nil {
			say("constraint", e.text(n.Filter))
		}
		for i, c := range n.Columns {
			out.Details = append(out.Details, e.symbol(c)+" := "+e.column(n, i))
		}
		if x, ok := n.Source.(Explaining); ok {
			out.Details = append(out.Details, x.Explain(e.ctx, n.Filter))
		}
	case *Rows:
		out.Name = "Values"
		for _, r := range n.Rows {
			out.Details = append(out.Details, "("+e.list(r)+")")
		}
	case *Local:
		out.Name = "Values"
		say("rows", i64(int64(len(n.Rows))))
	case *OneRow:
		out.Name = "Values"
		out.Details = []string{"()"}
	case *Project:
		out.Name = "Project"
		out.Details = e.assigned(n.Items)
	case *Filter:
		out.Name = "Filter"
		say("filterPredicate", e.text(n.Cond))
	case *Aggregate:
		out.Name = "Aggregate"
		out.Details = append(e.assigned(n.Groups), e.assigned(n.Aggs)...)
		if len(n.Groups) > 0 {
			say("keys", e.symbols(columnsOf(n.Groups)))
		}
		if n.Sets != nil {
			say("groupingSets", e.sets(n))
		}
	case *Window:
		out.Name = "Window"
		out.Details = e.assigned(n.Items)
	case *Remote:
		out.Name = "Project"
		out.Details = e.assigned(n.Items)
	case *Join:
		out.Name = joins[n.Kind]
		if n.On != nil {
			say("criteria", e.text(n.On))
		}
		if n.Lateral {
			out.Name = "CorrelatedJoin"
			say("type", n.Kind)
		}
	case *SetOp:
		out.Name = map[string]string{"UNION": "Union", "INTERSECT": "Intersect", "EXCEPT": "Except"}[n.Op]
		if !n.All {
			say("distinct", "true")
		}
	case *Distinct:
		out.Name = "Aggregate"
		keys := n.On
		if keys == nil {
			keys = n.Child.Output()
		}
		say("keys", e.symbols(keys))
	case *Sort:
		out.Name = "Sort"
		say("orderBy", "["+e.keys(n.Keys)+"]")
	case *Limit:
		out.Name = "Limit"
		if n.N >= 0 {
			say("count", i64(n.N))
		}
		if n.Offset > 0 {
			say("offset", i64(n.Offset))
		}
	case *Generate:
		out.Name = "Unnest"
		say("unnest", "["+e.list(n.Call.Args)+"]")
	case *Sample:
		out.Name = "Sample"
		say("ratio", fmt.Sprint(n.Percent/100))
	case *With:
		out.Name = "With"
		names := make([]string, len(n.Defs))
		for i, d := range n.Defs {
			names[i] = d.Name
		}
		say("names", "["+strings.Join(names, ", ")+"]")
	case *CTERef:
		out.Name = "WithReference"
		say("name", n.Def.Name)
	}
}

// tableHandle is a table's name as Trino's plans have it: catalog:schema.table.
func tableHandle(name []string) string {
	if len(name) < 2 {
		return strings.Join(name, ".")
	}
	return name[0] + ":" + strings.Join(name[1:], ".")
}

// column is a source's column with its type.
func (e *explainer) column(n *Scan, i int) string {
	c := n.Columns[i]
	if fields := n.Source.Schema().Fields; n.Indexes[i] < len(fields) {
		return strings.ToLower(fields[n.Indexes[i]].Name) + ":" + c.T.Trino()
	}
	return c.Name + ":" + c.T.Trino()
}

// sets are the columns of each grouping set.
func (e *explainer) sets(n *Aggregate) string {
	parts := make([]string, len(n.Sets))
	for i, set := range n.Sets {
		var cols []*expr.Column
		for _, at := range set {
			cols = append(cols, n.Groups[at].Column)
		}
		parts[i] = e.symbols(cols)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// assigned are the items that compute something: name := expression.
func (e *explainer) assigned(items []Item) []string {
	var out []string
	for _, it := range items {
		if r, ok := it.X.(*expr.Ref); ok {
			if e.names[it.Column] == "" {
				e.names[it.Column] = e.symbol(r.Column)
			}
			if e.symbol(it.Column) == e.symbol(r.Column) {
				continue
			}
		}
		out = append(out, e.symbol(it.Column)+" := "+e.text(it.X))
	}
	return out
}

func (e *explainer) list(xs []expr.Expr) string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = e.text(x)
	}
	return strings.Join(out, ", ")
}

func (e *explainer) keys(keys []expr.SortKey) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = e.text(k.X) + direction(k)
	}
	return strings.Join(out, ", ")
}

// text is an expression as Trino's plans write it.
func (e *explainer) text(x expr.Expr) string {
	switch x := x.(type) {
	case *expr.Ref:
		if x.Column.Param {
			return x.Column.Name
		}
		return e.symbol(x.Column)
	case *expr.Alias:
		return e.text(x.X)
	case *expr.Lit:
		if x.Value == nil {
			return "null::" + x.T.Trino()
		}
		return x.T.Trino() + " '" + strings.ReplaceAll(types.TrinoValue(x.T, x.Value), "'", "''") + "'"
	case *expr.Cast:
		if x.X.Type().Equal(x.T) {
			return e.text(x.X)
		}
		if l, ok := x.X.(*expr.Lit); ok && l.Value != nil && keepsText(l.T, x.T) {
			c := *l
			c.T = x.T
			return e.text(&c)
		}
		name := "CAST"
		if x.Try {
			name = "TRY_CAST"
		}
		return name + "(" + e.text(x.X) + " AS " + x.T.Trino() + ")"
	case *expr.Case:
		var b strings.Builder
		b.WriteString("(CASE")
		for _, w := range x.Whens {
			b.WriteString(" WHEN " + e.text(w.Cond) + " THEN " + e.text(w.Then))
		}
		if x.Else != nil {
			b.WriteString(" ELSE " + e.text(x.Else))
		}
		return b.String() + " END)"
	case *expr.Field:
		return e.text(x.X) + "." + x.Name
	case *expr.Lambda:
		params := make([]string, len(x.Params))
		for i, p := range x.Params {
			params[i] = p.Name
		}
		return "(" + strings.Join(params, ", ") + ") -> " + e.text(x.Body)
	case *expr.Call:
		return e.call(x)
	case *expr.Window:
		return e.window(x)
	case *expr.Subquery:
		s := x.Kind
		if x.Kind == "IN" {
			s = e.list(x.Left) + " IN"
		}
		s += " (subquery)"
		if x.Not {
			return "(NOT " + s + ")"
		}
		return "(" + s + ")"
	}
	return fmt.Sprintf("%T", x)
}

// keepsText reports whether a constant reads the same after a cast.
func keepsText(from, to types.Type) bool {
	n, bounded := to.Length()
	m, short := from.Length()
	return from.IsIntegral() && to.IsIntegral() && from.Kind <= to.Kind ||
		from.Kind == types.String && to.Kind == types.String && (!bounded || short && m <= n)
}

// infix are the operators that stand between their arguments.
var infix = []string{"=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "and", "or", "like", "||"}

func (e *explainer) call(c *expr.Call) string {
	name := strings.ToLower(c.Func.Name)
	args := make([]string, len(c.Args))
	for i, x := range c.Args {
		args[i] = e.text(x)
	}
	switch {
	case slices.Contains(infix, name) && len(args) == 2:
		return "(" + args[0] + " " + strings.ToUpper(name) + " " + args[1] + ")"
	case name == "not":
		return "(NOT " + args[0] + ")"
	case name == "isnull":
		return "(" + args[0] + " IS NULL)"
	case name == "isnotnull":
		return "(" + args[0] + " IS NOT NULL)"
	case name == "between" && len(args) == 3:
		return "(" + args[0] + " BETWEEN " + args[1] + " AND " + args[2] + ")"
	case name == "in":
		return "(" + args[0] + " IN (" + strings.Join(args[1:], ", ") + "))"
	case name == "negative":
		return "(-" + args[0] + ")"
	}
	if c.Name != "" {
		name = strings.ToLower(c.Name)
	}
	s := strings.Join(args, ", ")
	if c.Distinct {
		s = "DISTINCT " + s
	}
	if len(c.OrderBy) > 0 {
		s += " ORDER BY " + e.keys(c.OrderBy)
	}
	s = name + "(" + s + ")"
	if c.Filter != nil {
		s += " FILTER (WHERE " + e.text(c.Filter) + ")"
	}
	return s
}

func (e *explainer) window(w *expr.Window) string {
	var parts []string
	if len(w.Partition) > 0 {
		parts = append(parts, "PARTITION BY "+e.list(w.Partition))
	}
	if len(w.OrderBy) > 0 {
		parts = append(parts, "ORDER BY "+e.keys(w.OrderBy))
	}
	if w.Frame != nil {
		parts = append(parts, w.Frame.Unit+" BETWEEN "+e.bound(w.Frame.Start)+" AND "+e.bound(w.Frame.End))
	}
	return e.call(w.Call) + " OVER (" + strings.Join(parts, " ") + ")"
}

func (e *explainer) bound(b expr.Bound) string {
	if b.N == nil {
		return b.Kind
	}
	return e.text(b.N) + " " + b.Kind
}
