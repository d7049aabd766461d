package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// RowActions is what DELETE, UPDATE and MERGE come to: a plan with a row for each row of the target that goes, changes or comes. Its
// columns are file and pos (of the row as it is; NULL for a new one), action, v0, v1 … for the target's columns as they become, and perhaps
// clause, the number of MERGE's clause.
type RowActions struct {
	Plan Node
	// Target is the table whose rows change, as Plan reads it.
	Target Source
	// Once says that a row of the target may come only once; ByClause, that it may come so for each value of the column clause.
	Once, ByClause bool
	// Inserts is a MERGE that only inserts.
	Inserts bool
	// Where is the condition on the target's columns under which its rows were read; nil: all of them.
	Where expr.Expr
	// Whole is a DELETE's condition over the target's columns, nil if it has none; it may read more than the table.
	Whole expr.Expr
}

// Actions on a row, as package lake numbers them.
const (
	rowKept = iota
	rowDeleted
	rowUpdated
	rowInserted
)

// Hiding is a source whose rows have a place: hidden columns behind those of its schema, _file and _pos among them.
type Hiding interface {
	Source
	Hidden() []types.Field
}

// target is the table that a statement changes.
type target struct {
	node      Node // its columns under the statement's alias
	scan      *Scan
	file, pos *expr.Column
	columns   []*expr.Column // the table's own, as node has them
	hidden    []*expr.Column // those of Trino's names that expressions may read
	fields    []types.Field
	name      []string // for messages
	with      *scope   // what the statement's WITH names
	defs      []*CTE
}

// rowTarget analyzes the table that a statement changes.
func (a *Analyzer) rowTarget(ctx context.Context, ref *sql.TableRef, with *sql.With) (*target, error) {
	plain := *ref
	plain.Alias = sql.Alias{}
	n, err := a.named(ctx, &plain, nil)
	if err != nil {
		return nil, err
	}
	scan, ok := n.(*Scan)
	var source Hiding
	if ok {
		source, ok = scan.Source.(Hiding)
	}
	if !ok {
		return nil, a.unsupported("changing rows of what is no table", ref)
	}
	t := &target{scan: scan, name: scan.Name, fields: source.Schema().Fields}
	scan.Columns, scan.Indexes = scan.Columns[:len(t.fields)], scan.Indexes[:len(t.fields)]
	for i, f := range source.Hidden() {
		if f.Name == "_file" || f.Name == "_pos" {
			c := &expr.Column{Name: f.Name, T: f.Type, Qualifier: scan.Name, Meta: true}
			scan.Columns, scan.Indexes = append(scan.Columns, c), append(scan.Indexes, len(t.fields)+i)
		}
	}
	for i, f := range source.Hidden() {
		if a.Dialect == sql.Trino && a.Hidden && !strings.HasPrefix(f.Name, "_") {
			c := &expr.Column{Name: f.Name, T: f.Type, Null: f.Nullable, Qualifier: scan.Name, Meta: true}
			scan.Columns, scan.Indexes = append(scan.Columns, c), append(scan.Indexes, len(t.fields)+i)
		}
	}
	items := pass(scan.Columns)
	for i := range items {
		if ref.Alias.Name != nil {
			items[i].Column.Qualifier = a.texts([]sql.Name{*ref.Alias.Name})
		}
	}
	if len(items) < len(t.fields)+2 || items[len(t.fields)].Column.Name != "_file" {
		return nil, a.unsupported("changing rows of what is no table", ref)
	}
	t.node = &Project{Items: items, Child: scan}
	t.columns, t.hidden = columnsOf(items)[:len(t.fields)], columnsOf(items)[len(t.fields)+2:]
	t.file, t.pos = items[len(t.fields)].Column, items[len(t.fields)+1].Column
	if t.file.Name != "_file" {
		t.file, t.pos = t.pos, t.file
	}
	t.with, t.defs, err = a.ctes(ctx, with, nil)
	return t, err
}

// Delete analyzes DELETE FROM.
func (a *Analyzer) Delete(ctx context.Context, st *sql.Delete) (*RowActions, error) {
	t, err := a.rowTarget(ctx, st.Table, st.With)
	if err != nil {
		return nil, err
	}
	n, cond, err := a.filtered(ctx, t.node, t, st.Where, "DELETE", st)
	if err != nil {
		return nil, err
	}
	out, err := a.actions(t, n, lit(int64(rowDeleted), types.Of(types.Int)), nil, nil)
	if err != nil {
		return nil, err
	}
	out.Whole = cond
	return out, nil
}

// Update analyzes UPDATE … SET.
func (a *Analyzer) Update(ctx context.Context, st *sql.Update) (*RowActions, error) {
	t, err := a.rowTarget(ctx, st.Table, st.With)
	if err != nil {
		return nil, err
	}
	s := &scope{columns: t.columns, outer: t.with}
	values, err := a.assignments(ctx, t, func(err error, _ *scope) error { return err }, st.Set, s, &scope{columns: concat(t.columns, t.hidden), outer: t.with}, st)
	if err != nil {
		return nil, err
	}
	n, _, err := a.filtered(ctx, t.node, t, st.Where, "UPDATE", st)
	if err != nil {
		return nil, err
	}
	return a.actions(t, n, lit(int64(rowUpdated), types.Of(types.Int)), nil, values)
}

// NonDeterministic reports whether an expression is not the same each time it is asked.
func NonDeterministic(x expr.Expr) bool { return anyExpr(x, isNonDeterministic) }

// ConditionOn resolves a condition over the columns of a source.
func (a *Analyzer) ConditionOn(ctx context.Context, source Source, x sql.Expr) (expr.Expr, error) {
	s := &scope{}
	for _, f := range source.Schema().Fields {
		s.columns = append(s.columns, &expr.Column{Name: f.Name, T: f.Type, Null: f.Nullable})
	}
	if h, ok := source.(Hiding); ok && a.Hidden {
		for _, f := range h.Hidden() {
			s.columns = append(s.columns, &expr.Column{Name: f.Name, T: f.Type, Null: f.Nullable, Meta: true})
		}
	}
	return a.condition(ctx, x, s, "WHERE")
}

// filtered puts a statement's WHERE above its table.
func (a *Analyzer) filtered(ctx context.Context, n Node, t *target, where sql.Expr, command string, st sql.Node) (Node, expr.Expr, error) {
	if where == nil {
		return n, nil, nil
	}
	c, err := a.condition(ctx, where, &scope{columns: concat(t.columns, t.hidden), outer: t.with}, "WHERE")
	if err != nil {
		return nil, nil, err
	}
	if a.Dialect == sql.Trino {
		if err := a.checkScalar(c, "WHERE", where); err != nil {
			return nil, nil, err
		}
	}
	if a.Dialect == sql.Spark && anyExpr(c, isNonDeterministic) {
		return nil, nil, errclass.NonDeterministicRows(command, NameOf(a.Dialect, c)).At(st.Span())
	}
	return &Filter{Cond: c, Child: n}, c, nil
}

// checkScalar refuses aggregates and window functions in a clause of Trino's DELETE, UPDATE and MERGE.
func (a *Analyzer) checkScalar(x expr.Expr, clause string, at sql.Node) error {
	var calls []string
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if isAggregate(e) || isWindow(e) {
			calls = append(calls, NameOf(a.Dialect, e))
			return e, true, nil
		}
		return nil, false, nil
	})
	if len(calls) == 0 {
		return nil
	}
	return errclass.TrinoNotScalar(clause, calls...).At(at.Span())
}

// actions puts the columns of RowActions together; values nil stands for a deleted row. There may be no clause.
func (a *Analyzer) actions(t *target, n Node, action, clause expr.Expr, values []expr.Expr) (*RowActions, error) {
	items := []Item{NewItem("file", ref(t.file)), NewItem("pos", ref(t.pos)), NewItem("action", action)}
	for i, f := range t.fields {
		var x expr.Expr = null(f.Type)
		if values != nil {
			x = values[i]
		}
		it := NewItem(fmt.Sprintf("v%d", i), x)
		it.Column.T = f.Type
		items = append(items, it)
	}
	if clause != nil {
		items = append(items, NewItem("clause", clause))
	}
	body, err := a.optimized(&Project{Items: items, Child: n})
	if err != nil {
		return nil, err
	}
	out := &RowActions{Plan: t.plan(body), Target: t.scan.Source}
	out.Where = t.scan.Filter
	return out, nil
}

// plan puts the statement's common table expressions above its plan.
func (t *target) plan(n Node) Node {
	if len(t.defs) == 0 {
		return n
	}
	return &With{Defs: t.defs, Child: n}
}

func lit(v any, t types.Type) *expr.Lit {
	l := &expr.Lit{Value: v}
	l.T, l.Null = t, v == nil
	return l
}

func null(t types.Type) expr.Expr { return lit(nil, t) }

// assignByName casts a value to a column's type; fields of structs go by their names.
func (a *Analyzer) assignByName(x expr.Expr, path []string, to types.Type) (expr.Expr, error) {
	from := x.Type()
	if from.Equal(to) || from.Kind != types.Struct || to.Kind != types.Struct {
		return a.assign([]string{""}, x, types.Field{Name: strings.Join(path, "."), Type: to, Nullable: true})
	}
	args := make([]expr.Expr, 0, 2*len(to.Fields))
	for _, f := range to.Fields {
		inner := append(path[:len(path):len(path)], f.Name)
		at := slices.IndexFunc(from.Fields, func(o types.Field) bool { return strings.EqualFold(o.Name, f.Name) })
		if at < 0 {
			return nil, errclass.CannotFindData([]string{""}, inner...)
		}
		field := &expr.Field{X: x, Index: at, Name: from.Fields[at].Name}
		field.T, field.Null = from.Fields[at].Type, true
		v, err := a.assignByName(field, inner, f.Type)
		if err != nil {
			return nil, err
		}
		args = append(args, lit(f.Name, types.Of(types.String)), v)
	}
	built, err := functions.Resolve(a.Dialect, "named_struct", args, x.Span())
	if err != nil {
		return nil, err
	}
	is, err := functions.Resolve(a.Dialect, "isnotnull", []expr.Expr{x}, x.Span())
	if err != nil {
		return nil, err
	}
	c := &expr.Case{Whens: []expr.When{{Cond: is, Then: built}}}
	c.T, c.Null = built.Type(), true
	return c, nil
}

// assigned gives a column, or a field in it, a value.
func (a *Analyzer) assigned(old expr.Expr, path []string, x expr.Expr, name string, to types.Type) (expr.Expr, error) {
	if len(path) == 0 {
		return a.assignByName(x, []string{name}, to)
	}
	args := make([]expr.Expr, 0, 2*len(to.Fields))
	for i, f := range to.Fields {
		field := &expr.Field{X: old, Index: i, Name: f.Name}
		field.T, field.Null = f.Type, true
		var v expr.Expr = field
		if strings.EqualFold(f.Name, path[0]) {
			var err error
			if v, err = a.assigned(v, path[1:], x, name+"."+f.Name, f.Type); err != nil {
				return nil, err
			}
		}
		args = append(args, lit(f.Name, types.Of(types.String)), v)
	}
	return functions.Resolve(a.Dialect, "named_struct", args, token.Span{})
}
