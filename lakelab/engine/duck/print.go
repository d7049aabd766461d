package duck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
)

// PrintOptions of SQL.
type PrintOptions struct {
	// Named gives the result columns their own names and exact DuckDB types, for COPY; else they are c1, c2, ….
	Named bool
	// Careful computes in Spark's order, and lets arithmetic on whole numbers say where it overflowed, at a price: for a second run
	// after a failure.
	Careful bool
}

// SQL prints a plan as one DuckDB query.
func SQL(ctx context.Context, n plan.Node, opts PrintOptions) (string, error) {
	p := &printer{ctx: ctx, careful: opts.Careful, names: map[*expr.Column]string{}, ctes: map[*plan.CTE]string{}}
	body, err := p.node(n)
	if err != nil {
		return "", err
	}
	out := n.Output()
	items := make([]string, len(out))
	for i, c := range out {
		items[i] = p.name(c)
		if !opts.Named && functions.HasEntries(c.T) {
			items[i] = functions.Entries(c.T, items[i])
		}
		if opts.Named {
			items[i] = "CAST(" + items[i] + " AS " + functions.DuckType(c.T) + ") AS " + Ident(c.Name)
		}
	}
	if len(items) == 0 {
		items = []string{"1 AS one"}
	}
	order := ""
	if keys := sortOf(n); keys != nil && !opts.Named {
		// The order of a subquery is kept by DuckDB only as long as nothing above reorders; say it again at the top.
		if o, err := p.order(keys); err == nil && visible(n, keys) {
			order = o
		}
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM (" + body + ")" + order, nil
}

// sortOf finds the order that a plan's result has, if its top is a sort (perhaps below a limit).
func sortOf(n plan.Node) []expr.SortKey {
	switch n := n.(type) {
	case *plan.Sort:
		return n.Keys
	case *plan.Limit:
		return sortOf(n.Child)
	}
	return nil
}

// visible reports whether the keys read only output columns.
func visible(n plan.Node, keys []expr.SortKey) bool {
	out := map[*expr.Column]bool{}
	for _, c := range n.Output() {
		out[c] = true
	}
	for _, k := range keys {
		r, ok := k.X.(*expr.Ref)
		if !ok || !out[r.Column] {
			return false
		}
	}
	return true
}

type printer struct {
	ctx     context.Context
	careful bool
	names   map[*expr.Column]string
	ctes    map[*plan.CTE]string
	tables  int
	written bool           // what is being printed stands over rows that are written in the query
	outer   []*expr.Column // columns of the queries around that the expressions being printed read
}

// name is a column's internal name: unique in the query, so that names never collide.
func (p *printer) name(c *expr.Column) string {
	s, ok := p.names[c]
	if !ok {
		s = "c" + strconv.Itoa(len(p.names)+1)
		p.names[c] = s
	}
	return s
}

func (p *printer) columns(cs []*expr.Column) string {
	if len(cs) == 0 {
		return "1 AS one"
	}
	s := make([]string, len(cs))
	for i, c := range cs {
		s[i] = p.name(c)
	}
	return strings.Join(s, ", ")
}

func (p *printer) items(items []plan.Item) (string, error) {
	if len(items) == 0 {
		return "1 AS one", nil
	}
	s := make([]string, len(items))
	for i, it := range items {
		x, err := p.expr(it.X)
		if err != nil {
			return "", err
		}
		s[i] = x + " AS " + p.name(it.Column)
	}
	return strings.Join(s, ", "), nil
}

func (p *printer) node(n plan.Node) (string, error) {
	switch n := n.(type) {
	case *plan.Scan:
		return p.scan(n)
	case *plan.OneRow:
		return "SELECT 1 AS one", nil
	case *plan.Rows:
		return p.rows(n)
	case *plan.Local:
		return p.local(n)
	case *plan.Project:
		return p.over(n.Child, func(from string) (string, error) {
			before := p.written
			p.written = plan.OverLiterals(n)
			from, items, err := p.capturing(from, func() (string, error) { return p.items(n.Items) })
			p.written = before
			return "SELECT " + items + " FROM " + from, err
		})
	case *plan.Filter:
		return p.over(n.Child, func(from string) (string, error) {
			before := p.written
			p.written = plan.OverLiterals(n)
			from, x, err := p.capturing(from, func() (string, error) { return p.expr(semijoins(n.Cond)) })
			p.written = before
			return "SELECT " + p.columns(n.Output()) + " FROM " + from + " WHERE " + x, err
		})
	case *plan.Aggregate:
		return p.aggregate(n)
	case *plan.Window:
		return p.apart(n.Child, func(from string) (string, error) {
			items, err := p.items(n.Items)
			return "SELECT *, " + items + " FROM " + from, err
		})
	case *plan.Join:
		return p.join(n)
	case *plan.SetOp:
		return p.setOp(n)
	case *plan.Distinct:
		return p.over(n.Child, func(from string) (string, error) {
			on := "DISTINCT "
			if len(n.On) > 0 {
				on = "DISTINCT ON (" + p.columns(n.On) + ") "
			} else if keys, own := p.sameKeys(n.Output()); own {
				on = "DISTINCT ON (" + keys + ") "
			}
			return "SELECT " + on + p.columns(n.Output()) + " FROM " + from, nil
		})
	case *plan.Sort:
		return p.over(n.Child, func(from string) (string, error) {
			o, err := p.order(n.Keys)
			return "SELECT " + p.columns(n.Output()) + " FROM " + from + o, err
		})
	case *plan.Limit:
		return p.limit(n)
	case *plan.Sample:
		return p.apart(n.Child, func(from string) (string, error) {
			size := strconv.FormatInt(n.Rows, 10) + " ROWS"
			if n.Percent > 0 {
				size = strconv.FormatFloat(n.Percent, 'f', -1, 64) + " PERCENT (bernoulli"
				if n.Seed != nil {
					size += ", " + strconv.FormatInt(*n.Seed, 10)
				}
				size += ")"
			}
			return "SELECT " + p.columns(n.Output()) + " FROM " + from + " USING SAMPLE " + size, nil
		})
	case *plan.Narrow:
		return p.over(n.Child, func(from string) (string, error) { return "SELECT " + p.columns(n.Columns) + " FROM " + from, nil })
	case *plan.With:
		return p.with(n)
	case *plan.Generate:
		return p.generate(n)
	case *plan.CTERef:
		return "SELECT " + p.cteColumns(n) + " FROM " + p.ctes[n.Def], nil
	}
	return "", fmt.Errorf("duck: cannot print %T", n)
}

// over prints a child as it stands behind FROM and hands it to build, which names the columns that it takes.
func (p *printer) over(child plan.Node, build func(from string) (string, error)) (string, error) {
	s, err := p.from(child)
	if err != nil {
		return "", err
	}
	return build(s)
}

// capturing prints expressions that stand over from. A lambda of DuckDB's does not see the columns of a query around the one that it
// stands in: where the expressions hold both, those columns become columns of from.
func (p *printer) capturing(from string, print func() (string, error)) (in, text string, err error) {
	before := p.outer
	defer func() { p.outer = before }()
	p.outer = nil
	if text, err = print(); len(p.outer) == 0 || !strings.Contains(text, "lambda ") {
		return from, text, err
	}
	columns, old := "", map[*expr.Column]string{}
	for _, c := range p.outer {
		old[c] = p.names[c]
		p.names[c] = p.table()
		columns += ", " + old[c] + " AS " + p.names[c]
	}
	text, err = print()
	maps.Copy(p.names, old)
	return "(SELECT *" + columns + " FROM " + from + ") AS " + p.table(), text, err
}

// apart is over for what needs a table of its own there.
func (p *printer) apart(child plan.Node, build func(from string) (string, error)) (string, error) {
	s, err := p.node(child)
	if err != nil {
		return "", err
	}
	return build("(" + s + ")")
}

// atHand is a source whose rows are Go values, in place of its SQL. As there, the filter may be used to make less; it is applied again above.
type atHand interface {
	LocalRows(ctx context.Context, filter expr.Expr) ([][]any, error)
}

func (p *printer) scan(n *plan.Scan) (string, error) {
	if l, ok := n.Source.(atHand); ok {
		rows, err := l.LocalRows(p.ctx, n.Filter)
		if err != nil {
			return "", err
		}
		cut := make([][]any, len(rows))
		for i, r := range rows {
			for _, x := range n.Indexes {
				cut[i] = append(cut[i], r[x])
			}
		}
		return p.local(&plan.Local{Columns: n.Columns, Rows: cut})
	}
	from, err := n.Source.SQL(p.ctx, n.Indexes, n.Filter)
	if err != nil {
		return "", err
	}
	if len(n.Columns) == 0 {
		return "SELECT 1 AS one FROM (" + from + ")", nil
	}
	names := make([]string, len(n.Columns))
	for i, c := range n.Columns {
		names[i] = p.name(c)
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM (" + from + ") AS s(" + strings.Join(names, ", ") + ")", nil
}

func (p *printer) rows(n *plan.Rows) (string, error) {
	lines := make([]string, len(n.Rows))
	for i, r := range n.Rows {
		cells := make([]string, len(r))
		for j, x := range r {
			s, err := p.expr(x)
			if err != nil {
				return "", err
			}
			cells[j] = "CAST(" + s + " AS " + functions.DuckType(n.Columns[j].T) + ")"
		}
		lines[i] = "(" + strings.Join(cells, ", ") + ")"
	}
	return "SELECT * FROM (VALUES " + strings.Join(lines, ", ") + ") AS v(" + p.columns(n.Columns) + ")", nil
}

func (p *printer) local(n *plan.Local) (string, error) {
	if len(n.Columns) == 0 {
		if len(n.Rows) == 0 {
			return "SELECT 1 AS one WHERE false", nil
		}
		return "SELECT 1 AS one FROM range(" + strconv.Itoa(len(n.Rows)) + ")", nil
	}
	if len(n.Rows) == 0 {
		items := make([]string, len(n.Columns))
		for i, c := range n.Columns {
			items[i] = "CAST(NULL AS " + functions.DuckType(c.T) + ") AS " + p.name(c)
		}
		return "SELECT " + strings.Join(items, ", ") + " WHERE false", nil
	}
	if len(n.Rows) > manyRows {
		return p.byColumn(n), nil
	}
	lines := make([]string, len(n.Rows))
	for i, r := range n.Rows {
		cells := make([]string, len(r))
		for j, v := range r {
			cells[j] = Value(n.Columns[j].T, v)
		}
		lines[i] = "(" + strings.Join(cells, ", ") + ")"
	}
	return "SELECT * FROM (VALUES " + strings.Join(lines, ", ") + ") AS v(" + p.columns(n.Columns) + ")", nil
}

func (p *printer) aggregate(n *plan.Aggregate) (string, error) {
	return p.over(n.Child, func(from string) (string, error) {
		groups := make([]string, len(n.Groups))
		items := make([]string, 0, len(n.Groups)+len(n.Aggs))
		for i, g := range n.Groups {
			x, err := p.expr(g.X)
			if err != nil {
				return "", err
			}
			if _, ok := g.X.(*expr.Lit); ok { // a bare number would be a position
				x = "CAST(" + x + " AS " + functions.DuckType(g.Column.T) + ")"
			}
			groups[i] = x
			if key := functions.InstantOf(g.X.Type(), x); key != x {
				groups[i] = key
				x = "CASE WHEN grouping(" + key + ") = 0 THEN first(" + x + ") END"
			}
			if n.Sets != nil && !inSets(n.Sets, i) {
				x = "CAST(NULL AS " + functions.DuckType(g.Column.T) + ")"
			}
			items = append(items, x+" AS "+p.name(g.Column))
		}
		for _, a := range n.Aggs {
			x, err := p.expr(a.X)
			if err != nil {
				return "", err
			}
			items = append(items, x+" AS "+p.name(a.Column))
		}
		if len(items) == 0 {
			items = []string{"1 AS one"}
		}
		s := "SELECT " + strings.Join(items, ", ") + " FROM " + from
		switch {
		case n.Sets != nil:
			sets := make([]string, len(n.Sets))
			for i, set := range n.Sets {
				parts := make([]string, len(set))
				for j, g := range set {
					parts[j] = groups[g]
				}
				sets[i] = "(" + strings.Join(parts, ", ") + ")"
			}
			s += " GROUP BY GROUPING SETS (" + strings.Join(sets, ", ") + ")"
			if n.SkipEmpty {
				s += " HAVING count(*) > 0"
			}
		case len(groups) > 0:
			s += " GROUP BY " + strings.Join(groups, ", ")
		case len(n.Aggs) == 0:
			s += " LIMIT 1"
		}
		return s, nil
	})
}

// inSets reports whether a group stands in one of the grouping sets.
func inSets(sets [][]int, group int) bool {
	for _, set := range sets {
		if slices.Contains(set, group) {
			return true
		}
	}
	return false
}

// sides prints a node's two children.
func (p *printer) sides(left, right plan.Node) (l, r string, err error) {
	if l, err = p.node(left); err != nil {
		return "", "", err
	}
	r, err = p.node(right)
	return l, r, err
}

func (p *printer) join(n *plan.Join) (string, error) {
	from, err := p.joined(n)
	return "SELECT " + p.columns(n.Output()) + " FROM " + from, err
}

// joined is a join as it stands behind FROM.
func (p *printer) joined(n *plan.Join) (string, error) {
	l, err := p.from(n.L)
	if err != nil {
		return "", err
	}
	var r string
	if n.Lateral {
		if r, err = p.node(n.R); err == nil {
			r = "LATERAL (" + r + ") AS " + p.table()
		}
	} else if r, err = p.from(n.R); joinUnder(n.R) != nil {
		r = "(" + r + ")"
	}
	if err != nil {
		return "", err
	}
	kind := map[string]string{"INNER": "JOIN", "LEFT": "LEFT JOIN", "RIGHT": "RIGHT JOIN", "FULL": "FULL JOIN", "SEMI": "SEMI JOIN", "ANTI": "ANTI JOIN", "CROSS": "CROSS JOIN"}[n.Kind]
	s := l + " " + kind + " " + r
	if n.Kind != "CROSS" {
		on := "true"
		if n.On != nil {
			if on, err = functions.JoinOn(n.On, p.expr); err != nil {
				return "", err
			}
		}
		s += " ON " + on
	}
	return s, nil
}

// from is a node as it stands behind FROM. Joins stand there themselves, not as derived tables: DuckDB puts into a better order only
// those that it sees together. Names are unique in the query, so no column needs its table.
func (p *printer) from(n plan.Node) (string, error) {
	if j := joinUnder(n); j != nil {
		return p.joined(j)
	}
	s, err := p.node(n)
	return "(" + s + ") AS " + p.table(), err
}

// joinUnder is the join that a node is, but for columns that are left out; nil if it is another node.
func joinUnder(n plan.Node) *plan.Join {
	for {
		switch x := n.(type) {
		case *plan.Join:
			return x
		case *plan.Narrow:
			n = x.Child
		default:
			return nil
		}
	}
}

// table is a new name for a derived table.
func (p *printer) table() string {
	p.tables++
	return "t" + strconv.Itoa(p.tables)
}

func (p *printer) setOp(n *plan.SetOp) (string, error) {
	l, r, err := p.sides(n.L, n.R)
	if err != nil {
		return "", err
	}
	all := ""
	if n.All {
		all = " ALL"
	}
	side := func(s string, child plan.Node) string {
		return "(SELECT " + p.columns(child.Output()) + " FROM (" + s + "))"
	}
	if keys, own := p.sameKeys(n.Columns); own && (n.Op != "UNION" || !n.All) {
		return p.setOpByKeys(n, side(l, n.L), side(r, n.R), keys), nil
	}
	return "SELECT * FROM (" + side(l, n.L) + " " + n.Op + all + " " + side(r, n.R) + ") AS u(" + p.columns(n.Columns) + ")", nil
}

// setOpByKeys is a set operation whose rows are told apart by keys, which are not all columns themselves. ALL numbers the rows that
// are the same, so that each has its own partner.
func (p *printer) setOpByKeys(n *plan.SetOp, l, r, keys string) string {
	columns := p.columns(n.Columns)
	if n.Op == "UNION" {
		return "SELECT DISTINCT ON (" + keys + ") " + columns + " FROM (" + l + " UNION ALL " + r + ") AS u(" + columns + ")"
	}
	key := "row(" + keys + ")"
	if n.All {
		key = "row(" + keys + ", row_number() OVER (PARTITION BY " + keys + "))"
	}
	side := func(s string) string {
		return "(SELECT *, " + key + " AS same FROM " + s + " AS u(" + columns + "))"
	}
	distinct := ""
	if !n.All {
		distinct = "DISTINCT ON (l.same) "
	}
	kind := map[string]string{"INTERSECT": "SEMI", "EXCEPT": "ANTI"}[n.Op]
	return "SELECT " + columns + " FROM (SELECT " + distinct + "l.* FROM " + side(l) + " AS l " + kind + " JOIN " + side(r) + " AS r ON l.same IS NOT DISTINCT FROM r.same)"
}

// sameKeys are what tells rows of columns apart; own says that these are not the columns themselves.
func (p *printer) sameKeys(columns []*expr.Column) (keys string, own bool) {
	list := make([]string, len(columns))
	for i, c := range columns {
		name := p.name(c)
		list[i] = functions.InstantOf(c.T, name)
		own = own || list[i] != name
	}
	return strings.Join(list, ", "), own
}

func (p *printer) order(keys []expr.SortKey) (string, error) {
	s := make([]string, len(keys))
	for i, k := range keys {
		x, err := p.expr(k.X)
		if err != nil {
			return "", err
		}
		if k.InnerNullsLowest {
			x = functions.OrderKey(k.X.Type(), x)
		}
		x = functions.InstantOf(k.X.Type(), x)
		s[i] = x + direction(k)
	}
	return " ORDER BY " + strings.Join(s, ", "), nil
}

func direction(k expr.SortKey) string {
	d := " ASC"
	if k.Desc {
		d = " DESC"
	}
	if k.NullsFirst {
		return d + " NULLS FIRST"
	}
	return d + " NULLS LAST"
}

func (p *printer) limit(n *plan.Limit) (string, error) {
	tail := ""
	if n.N >= 0 {
		tail += " LIMIT " + strconv.FormatInt(n.N, 10)
	}
	if n.Offset > 0 {
		tail += " OFFSET " + strconv.FormatInt(n.Offset, 10)
	}
	if s, ok := n.Child.(*plan.Sort); ok {
		// One SELECT for both: DuckDB then runs a top-N.
		return p.over(s.Child, func(from string) (string, error) {
			o, err := p.order(s.Keys)
			return "SELECT " + p.columns(n.Output()) + " FROM " + from + o + tail, err
		})
	}
	if c, ok := n.Child.(*plan.Project); ok && plan.SortedBelow(c.Child) {
		// The rows are taken where they are sorted: in a correlated query DuckDB forgets the order otherwise.
		below, above := *n, *c
		below.Child = c.Child
		above.Child = &below
		return p.node(&above)
	}
	if c, ok := n.Child.(*plan.Narrow); ok && plan.SortedBelow(c.Child) {
		below, above := *n, *c
		below.Child = c.Child
		above.Child = &below
		return p.node(&above)
	}
	return p.over(n.Child, func(from string) (string, error) {
		return "SELECT " + p.columns(n.Output()) + " FROM " + from + tail, nil
	})
}

func (p *printer) with(n *plan.With) (string, error) {
	var defs []string
	recursive := ""
	for _, d := range n.Defs {
		name := "t" + strconv.Itoa(len(p.ctes)+1)
		p.ctes[d] = name
		s, err := p.node(d.Plan)
		if err != nil {
			return "", err
		}
		cols := make([]string, len(d.Plan.Output()))
		for i, c := range d.Plan.Output() {
			cols[i] = p.name(c)
		}
		head := name
		if len(cols) > 0 {
			head += "(" + strings.Join(cols, ", ") + ")"
		}
		s = "SELECT " + p.columns(d.Plan.Output()) + " FROM (" + s + ")"
		if d.Recursive && d.All && d.Depth > 0 {
			steps, err := p.unrolled(d, name, strings.TrimPrefix(head, name), s)
			if err != nil {
				return "", err
			}
			defs = append(defs, steps...)
			continue
		}
		if d.Recursive {
			recursive = "RECURSIVE "
			step, err := p.node(d.Step)
			if err != nil {
				return "", err
			}
			union := " UNION "
			if d.All {
				union = " UNION ALL "
			}
			s += union + "SELECT " + p.columns(d.Step.Output()) + " FROM (" + step + ")"
		}
		defs = append(defs, head+" AS ("+s+")")
	}
	body, err := p.node(n.Child)
	if err != nil {
		return "", err
	}
	if len(defs) == 0 {
		return body, nil
	}
	return "WITH " + recursive + strings.Join(defs, ", ") + " " + body, nil
}

// unrolled prints a recursive query as a table for each step, and all of them together; the step after the last fails if it has
// rows. Trino does it that way.
func (p *printer) unrolled(d *plan.CTE, name, columns, anchor string) (defs []string, err error) {
	all := "SELECT * FROM " + name + "_0"
	body := anchor
	for n := range d.Depth + 1 {
		at := name + "_" + strconv.Itoa(n)
		defs = append(defs, at+columns+" AS MATERIALIZED ("+body+")")
		if n > 0 {
			all += " UNION ALL SELECT * FROM " + at
		}
		p.ctes[d] = at
		step, err := p.node(d.Step)
		if err != nil {
			return nil, err
		}
		body = "SELECT " + p.columns(d.Step.Output()) + " FROM (" + step + ")"
	}
	p.ctes[d] = name
	return append(defs, name+columns+" AS ("+all+" UNION ALL "+body+" WHERE "+functions.TrinoRecursion(d.Depth)+")"), nil
}

// cteColumns renames a common table expression's columns to the reference's own.
func (p *printer) cteColumns(n *plan.CTERef) string {
	out := n.Def.Plan.Output()
	if len(out) == 0 {
		return "1 AS one"
	}
	s := make([]string, len(out))
	for i, c := range out {
		s[i] = p.name(c) + " AS " + p.name(n.Columns[i])
	}
	return strings.Join(s, ", ")
}
