package plan

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// SET of UPDATE and MERGE, and INSERT of MERGE: which columns and fields get which values.

// assignment gives a column of the target, or a field in it, a value.
type assignment struct {
	source     sql.Expr // of the value
	column     int
	path       []string // of the field, from the column on
	spelled    string   // the column as it is written, without a qualifier
	key, value expr.Expr
}

// resolved are assignments with what they name. Columns are resolved in the scope of keys, values in that of values; missing words the error
// of a column that is not found, unresolved that of one in a value.
func (a *Analyzer) resolved(ctx context.Context, t *target, missing func(sql.Ident, error) error, unresolved func(error, *scope) error, set []sql.Assignment, keys, values *scope) ([]assignment, error) {
	out := make([]assignment, len(set))
	for i, s := range set {
		k, err := a.expr(ctx, &s.Column, keys)
		if err != nil {
			return nil, missing(s.Column, err)
		}
		x, err := a.expr(ctx, s.Value, values)
		if err != nil {
			return nil, unresolved(err, values)
		}
		column, path := t.key(k)
		if column < 0 {
			return nil, errclass.FieldUnresolved(a.texts(s.Column.Parts), types.StructOf(t.fields...)).At(s.Column.Span())
		}
		parts := a.texts(s.Column.Parts)
		out[i] = assignment{s.Value, column, path, strings.Join(parts[len(parts)-1-len(path):], "."), k, x}
	}
	return out, nil
}

// assignments are the values of the target's columns after SET: those assigned, and the others as they are.
func (a *Analyzer) assignments(ctx context.Context, t *target, unresolved func(error, *scope) error, set []sql.Assignment, keys, values *scope, at sql.Node) ([]expr.Expr, error) {
	missing := func(c sql.Ident, err error) error {
		if a.Dialect == sql.Trino {
			return errclass.TrinoUpdateColumn(strings.Join(a.texts(c.Parts), ".")).At(c.Span())
		}
		return unresolved(err, keys)
	}
	list, err := a.resolved(ctx, t, missing, unresolved, set, keys, values)
	if err != nil {
		return nil, err
	}
	if a.Dialect == sql.Trino {
		return a.trinoAssignments(t, list, at)
	}
	if problems := t.conflicts(list); problems != nil {
		return nil, errclass.InvalidAssignments(spelled(list), problems).At(at.Span())
	}
	out := t.unchanged()
	for _, s := range list {
		f := t.fields[s.column]
		if out[s.column], err = a.assigned(out[s.column], s.path, s.value, f.Name, f.Type); err != nil {
			return nil, errclass.Place(err, at.Span())
		}
	}
	return out, nil
}

// trinoAssignments are assignments by Trino's rules: columns as a whole, values by position.
func (a *Analyzer) trinoAssignments(t *target, list []assignment, at sql.Node) ([]expr.Expr, error) {
	out := t.unchanged()
	given := map[int]bool{}
	var into, from []types.Type
	fits := true
	for _, s := range list {
		f := t.fields[s.column]
		if given[s.column] {
			return nil, errclass.TrinoUpdateTwice(f.Name)
		}
		given[s.column] = true
		if err := a.checkScalar(s.value, "UPDATE SET", s.source); err != nil {
			return nil, err
		}
		into, from = append(into, f.Type), append(from, s.value.Type())
		if !functions.TrinoInsertable(s.value.Type(), f.Type) {
			fits = false
			continue
		}
		var err error
		if out[s.column], err = a.assign(t.name, s.value, f); err != nil {
			return nil, err
		}
	}
	if !fits {
		return nil, errclass.TrinoUpdateTypes(into, from).At(at.Span())
	}
	return out, nil
}

// unchanged are the target's columns as they are.
func (t *target) unchanged() []expr.Expr {
	out := make([]expr.Expr, len(t.columns))
	for i, c := range t.columns {
		out[i] = ref(c)
	}
	return out
}

// conflicts are, in Spark's words, the columns and fields that are assigned twice, or both whole and in part.
func (t *target) conflicts(list []assignment) []string {
	var out []string
	var check func(name string, depth int, of types.Type, list []assignment)
	check = func(name string, depth int, of types.Type, list []assignment) {
		var whole, parts []assignment
		for _, s := range list {
			if len(s.path) == depth {
				whole = append(whole, s)
			} else {
				parts = append(parts, s)
			}
		}
		switch {
		case len(whole) > 1:
			out = append(out, "Multiple assignments for '"+name+"': "+joined(whole, func(s assignment) string { return SQLOf(s.value) }))
		case len(whole) > 0 && len(parts) > 0:
			out = append(out, "Conflicting assignments for '"+name+"': "+joined(append(whole, parts...), assignment.sql))
		case len(whole) == 0:
			for _, f := range of.Fields {
				check(name+"."+types.QuoteIfNeeded(f.Name), depth+1, f.Type, filtered(parts, func(s assignment) bool { return strings.EqualFold(s.path[depth], f.Name) }))
			}
		}
	}
	for i, f := range t.fields {
		check(types.QuoteIfNeeded(f.Name), 0, f.Type, filtered(list, func(s assignment) bool { return s.column == i }))
	}
	return out
}

func filtered(list []assignment, keep func(assignment) bool) []assignment {
	return slices.DeleteFunc(slices.Clone(list), func(s assignment) bool { return !keep(s) })
}

func (s assignment) sql() string { return SQLOf(s.key) + " = " + SQLOf(s.value) }

func joined(list []assignment, text func(assignment) string) string {
	return strings.Join(texts(list, text), ", ")
}

func texts(list []assignment, text func(assignment) string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// unassigned are the columns that take no NULL and get no value, as Spark's message of MERGE has them.
func (t *target) unassigned(set []assignment) []string {
	var problems []string
	for i, f := range t.fields {
		if !f.Nullable && !slices.ContainsFunc(set, func(s assignment) bool { return s.column == i }) {
			problems = append(problems, "No assignment for '"+f.Name+"'")
		}
	}
	return problems
}

// spelled are assignments as Spark's messages list them.
func spelled(list []assignment) []string {
	return texts(list, func(s assignment) string { return s.spelled + " = " + NameOf(sql.Spark, s.value) })
}

// key is the position of an assigned column among the target's, and the path to the field in it.
func (t *target) key(x expr.Expr) (int, []string) {
	switch x := x.(type) {
	case *expr.Ref:
		for i, c := range t.columns {
			if c == x.Column {
				return i, nil
			}
		}
	case *expr.Field:
		if i, path := t.key(x.X); i >= 0 && x.X.Type().Kind == types.Struct {
			return i, append(path, x.Name)
		}
	}
	return -1, nil
}
