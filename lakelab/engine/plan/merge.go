package plan

import (
	"context"
	"slices"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// merge is a MERGE in the making. The target and the source are joined as the clauses need it; there marks which sides a row has, the
// first clause whose condition holds picks the row's action, and the values follow from the clause.
type merge struct {
	a              *Analyzer
	t              *target
	source         []*expr.Column // as the statement sees them
	inTarget       *expr.Column   // not NULL where the row has a target row
	inSource       *expr.Column
	matched, other *scope // the scopes of ON and of NOT MATCHED
	clauses        []mergeClause
	at             token.Span // the statement
}

// mergeClause is a WHEN clause, resolved.
type mergeClause struct {
	kind   string
	cond   expr.Expr // nil: always
	action int
	values []expr.Expr // nil for DELETE
}

// Merge analyzes MERGE INTO (Spark's "MERGE INTO" page).
func (a *Analyzer) Merge(ctx context.Context, st *sql.Merge) (*RowActions, error) {
	t, err := a.rowTarget(ctx, st.Target, st.With)
	if err != nil {
		return nil, err
	}
	src, err := a.relation(ctx, st.Source, t.with)
	if err != nil {
		return nil, err
	}
	m := &merge{a: a, t: t, at: st.Span()}
	l, r := m.marked(t.node), m.marked(src)
	m.inTarget, m.inSource = l.Items[len(l.Items)-1].Column, r.Items[len(r.Items)-1].Column
	targetColumns, sourceColumns := columnsOf(l.Items[:len(l.Items)-1]), columnsOf(r.Items[:len(r.Items)-1])
	n := len(t.fields)
	t.columns, t.hidden = targetColumns[:n], targetColumns[n+2:]
	for i, c := range t.node.Output() {
		if c == t.file {
			t.file = targetColumns[i]
		} else if c == t.pos {
			t.pos = targetColumns[i]
		}
	}
	m.source = visible(sourceColumns)
	if a.Dialect == sql.Trino {
		m.source = sourceColumns // hidden ones, too: nothing stands for all columns here
	}
	m.matched = &scope{columns: concat(concat(m.source, t.columns), t.hidden), outer: t.with} // in Spark's order, which messages show
	m.other = &scope{columns: m.source, outer: t.with}
	clause := "JOIN"
	if a.Dialect == sql.Trino {
		clause = "MERGE ON"
	}
	on, err := a.condition(ctx, st.On, m.matched, clause)
	if err == nil && a.Dialect == sql.Trino {
		err = a.checkScalar(on, "MERGE", st.On)
	}
	if err != nil {
		return nil, err
	}
	if a.Dialect == sql.Spark && anyExpr(on, isNonDeterministic) {
		return nil, errclass.NonDeterministicMerge("SEARCH", NameOf(a.Dialect, on)).At(st.On.Span())
	}
	for i := range st.When {
		if a.Dialect == sql.Trino {
			c, err := m.trinoClause(ctx, &st.When[i], i)
			if err != nil {
				return nil, err
			}
			m.clauses = append(m.clauses, *c)
		} else if err := m.clause(ctx, &st.When[i]); err != nil {
			return nil, err
		}
	}
	join := &Join{Kind: m.joinKind(), L: l, R: r, On: on}
	if join.Kind != "INNER" {
		optional(join)
	}
	out, err := m.actions(join)
	if err == nil {
		out.Inserts = !slices.ContainsFunc(m.clauses, func(c mergeClause) bool { return c.kind != "NOT MATCHED" })
	}
	return out, err
}

// marked adds a column that is never NULL, so that an outer join shows which rows have this side.
func (m *merge) marked(n Node) *Project {
	return &Project{Items: append(pass(n.Output()), NewItem("there", lit(true, types.Of(types.Boolean)))), Child: n}
}

// optional makes the columns of the sides that an outer join may leave out nullable, in place: nobody else has seen them.
func optional(j *Join) {
	for _, side := range []struct {
		n     Node
		kinds string
	}{{j.L, "RIGHT FULL"}, {j.R, "LEFT FULL"}} {
		if strings.Contains(side.kinds, j.Kind) {
			for _, c := range side.n.Output() {
				c.Null = true
			}
		}
	}
}

// joinKind is INNER for matched rows alone; NOT MATCHED needs every row of the source, NOT MATCHED BY SOURCE every row of the target.
func (m *merge) joinKind() string {
	insert, bySource := false, false
	for _, c := range m.clauses {
		insert = insert || c.kind == "NOT MATCHED"
		bySource = bySource || c.kind == "NOT MATCHED BY SOURCE"
	}
	switch {
	case insert && bySource:
		return "FULL"
	case insert:
		return "RIGHT"
	case bySource:
		return "LEFT"
	}
	return "INNER"
}

func (m *merge) clause(ctx context.Context, w *sql.MergeWhen) error {
	s := m.matched
	switch w.Kind {
	case "NOT MATCHED":
		s = m.other
	case "NOT MATCHED BY SOURCE":
		s = &scope{columns: m.t.columns, outer: m.t.with}
	}
	c := mergeClause{kind: w.Kind}
	var err error
	if w.Cond != nil {
		if c.cond, err = m.a.condition(ctx, w.Cond, s, "MERGE"); err != nil {
			return err
		}
		if anyExpr(c.cond, isNonDeterministic) {
			return errclass.NonDeterministicMerge(w.Action, NameOf(m.a.Dialect, c.cond)).At(w.Cond.Span())
		}
	}
	switch w.Action {
	case "DELETE":
		c.action = rowDeleted
	case "UPDATE":
		c.action = rowUpdated
		if w.Star {
			c.values, err = m.byName(w)
		} else {
			c.values, err = m.a.assignments(ctx, m.t, unresolvedIn, w.Set, &scope{columns: m.t.columns}, s, w)
		}
	default:
		c.action = rowInserted
		if w.Star {
			c.values, err = m.byName(w)
		} else {
			c.values, err = m.inserted(ctx, w, s)
		}
	}
	m.clauses = append(m.clauses, c)
	return err
}

// unresolvedIn lists, as Spark does in MERGE, all columns of a scope by their names where one was not found.
func unresolvedIn(err error, s *scope) error {
	e, ok := err.(*errclass.Error)
	if !ok || !strings.HasPrefix(e.Class, "UNRESOLVED_COLUMN.") {
		return err
	}
	names := columnNames(s.columns)
	sort.Strings(names)
	return errclass.UnresolvedAmong(e, names)
}

// byName takes every column of the target from the source's column of the same name.
func (m *merge) byName(at sql.Node) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(m.t.fields))
	for i, f := range m.t.fields {
		id := &sql.Ident{Parts: []sql.Name{{Text: f.Name, Quoted: true}}}
		id.Pos = at.Span()
		x, err := m.a.column(id, m.other)
		if err != nil {
			return nil, unresolvedIn(err, m.other)
		}
		if out[i], err = m.a.assigned(nil, nil, x, f.Name, f.Type); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inserted are the values of INSERT (columns) VALUES (…); columns that are not named become NULL.
func (m *merge) inserted(ctx context.Context, w *sql.MergeWhen, s *scope) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(m.t.fields))
	if len(w.Columns) != len(w.Values) {
		return nil, errclass.MergeInsertArity().At(w.Span())
	}
	set := make([]sql.Assignment, len(w.Columns))
	for i := range w.Columns {
		set[i] = sql.Assignment{Column: w.Columns[i], Value: w.Values[i]}
	}
	keys := &scope{columns: m.t.columns}
	missing := func(_ sql.Ident, err error) error { return unresolvedIn(err, keys) }
	list, err := m.a.resolved(ctx, m.t, missing, unresolvedIn, set, keys, s)
	if err != nil {
		return nil, err
	}
	var problems []string
	if nested := filtered(list, func(s assignment) bool { return len(s.path) > 0 }); len(nested) > 0 {
		problems = append(problems, "INSERT assignment keys cannot be nested fields: "+joined(nested, assignment.sql))
	}
	whole := filtered(list, func(s assignment) bool { return len(s.path) == 0 })
	problems = append(problems, m.t.conflicts(whole)...)
	if problems = append(problems, m.t.unassigned(whole)...); problems != nil {
		return nil, errclass.InvalidAssignments(spelled(list), problems).At(w.Span())
	}
	for _, s := range whole {
		f := m.t.fields[s.column]
		if out[s.column], err = m.a.assigned(nil, nil, s.value, f.Name, f.Type); err != nil {
			return nil, err
		}
	}
	for i, f := range m.t.fields {
		if out[i] == nil {
			out[i] = null(f.Type)
		}
	}
	return out, nil
}

// once reports whether a target row may match one source row only: in Spark unless all that is done to matched rows is to delete them,
// in Trino always; there, a row counts for each clause anew.
func (m *merge) once() bool {
	if m.a.Dialect == sql.Trino {
		return true
	}
	var matched []mergeClause
	for _, c := range m.clauses {
		if c.kind == "MATCHED" {
			matched = append(matched, c)
		}
	}
	return len(matched) > 1 || len(matched) == 1 && (matched[0].action != rowDeleted || matched[0].cond != nil)
}

// actions computes which clause applies to each row of the join and what comes of it.
func (m *merge) actions(join *Join) (*RowActions, error) {
	resolve := func(name string, args ...expr.Expr) (expr.Expr, error) {
		return functions.Resolve(m.a.Dialect, name, args, token.Span{})
	}
	there := func(c *expr.Column, yes bool) (expr.Expr, error) {
		r := ref(c)
		r.Null = true
		if yes {
			return resolve("isnotnull", r)
		}
		return resolve("isnull", r)
	}
	pick := &expr.Case{} // the number of the clause
	pick.T, pick.Null = types.Of(types.Int), true
	for i, c := range m.clauses {
		t, err := there(m.inTarget, c.kind != "NOT MATCHED")
		if err != nil {
			return nil, err
		}
		s, err := there(m.inSource, c.kind != "NOT MATCHED BY SOURCE")
		if err != nil {
			return nil, err
		}
		cond, err := resolve("and", t, s)
		if err != nil {
			return nil, err
		}
		if c.cond != nil {
			if cond, err = resolve("and", cond, c.cond); err != nil {
				return nil, err
			}
		}
		pick.Whens = append(pick.Whens, expr.When{Cond: cond, Then: lit(int64(i), types.Of(types.Int))})
	}
	picked := NewItem("clause", pick)
	below := &Project{Items: append(pass(join.Output()), picked), Child: join}
	// Above the projection, columns go by its identities.
	above := map[*expr.Column]*expr.Column{}
	for _, it := range below.Items {
		if r, ok := it.X.(*expr.Ref); ok {
			above[r.Column] = it.Column
		}
	}
	lift := func(x expr.Expr) expr.Expr {
		y, _ := rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
			if r, ok := e.(*expr.Ref); ok && above[r.Column] != nil {
				c := *r
				c.Column = above[r.Column]
				return &c, true, nil
			}
			return nil, false, nil
		})
		return y
	}
	byClause := func(t types.Type, value func(c mergeClause) expr.Expr, otherwise expr.Expr) expr.Expr {
		x := &expr.Case{Else: otherwise}
		x.T, x.Null = t, true
		for i, c := range m.clauses {
			v := value(c)
			if v == nil {
				continue
			}
			is, err := resolve("=", ref(picked.Column), lit(int64(i), types.Of(types.Int)))
			if err != nil {
				continue // two numbers always compare
			}
			x.Whens = append(x.Whens, expr.When{Cond: is, Then: v})
		}
		if len(x.Whens) == 0 {
			return otherwise
		}
		return x
	}
	m.t.file, m.t.pos = above[m.t.file], above[m.t.pos]
	once := m.once()
	none := null(types.Of(types.Int))
	if once {
		// Matched rows without an action are kept for the check that a target row comes once.
		t, err := there(above[m.inTarget], true)
		if err != nil {
			return nil, err
		}
		s, err := there(above[m.inSource], true)
		if err != nil {
			return nil, err
		}
		both, err := resolve("and", t, s)
		if err != nil {
			return nil, err
		}
		kept := &expr.Case{Whens: []expr.When{{Cond: both, Then: lit(int64(rowKept), types.Of(types.Int))}}}
		kept.T, kept.Null = types.Of(types.Int), true
		none = kept
	}
	action := NewItem("action", byClause(types.Of(types.Int), func(c mergeClause) expr.Expr { return lit(int64(c.action), types.Of(types.Int)) }, none))
	values := make([]expr.Expr, len(m.t.fields))
	for i, f := range m.t.fields {
		values[i] = byClause(f.Type, func(c mergeClause) expr.Expr {
			if c.values == nil {
				return nil
			}
			return lift(c.values[i])
		}, null(f.Type))
	}
	acting := &Project{Items: append(pass(below.Output()), action), Child: below}
	concerned, err := resolve("isnotnull", ref(action.Column))
	if err != nil {
		return nil, err
	}
	return m.finish(acting, concerned, action, picked, values, once)
}

// finish selects the rows that have an action.
func (m *merge) finish(acting *Project, concerned expr.Expr, action, picked Item, values []expr.Expr, once bool) (*RowActions, error) {
	through := map[*expr.Column]*expr.Column{}
	for _, it := range acting.Items {
		if r, ok := it.X.(*expr.Ref); ok {
			through[r.Column] = it.Column
		}
	}
	for i, v := range values {
		values[i], _ = rewrite(v, func(e expr.Expr) (expr.Expr, bool, error) {
			if r, ok := e.(*expr.Ref); ok && through[r.Column] != nil {
				c := *r
				c.Column = through[r.Column]
				return &c, true, nil
			}
			return nil, false, nil
		})
	}
	m.t.file, m.t.pos = through[m.t.file], through[m.t.pos]
	var clause expr.Expr
	if once && m.a.Dialect == sql.Trino {
		clause = ref(through[picked.Column])
	}
	out, err := m.a.actions(m.t, &Filter{Cond: concerned, Child: acting}, ref(action.Column), clause, values)
	if err != nil {
		return nil, err
	}
	out.Once, out.ByClause = once, clause != nil
	return out, nil
}
