package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// newDefault checks the DEFAULT clause of a column and computes its value as of now. command is the statement's name in errors.
func (s *Session) newDefault(ctx context.Context, a *plan.Analyzer, command string, f types.Field, x sql.Expr, text string) (hive.Default, error) {
	d := hive.Default{Current: text}
	if _, ok := x.(*sql.Subquery); ok {
		return d, errclass.DefaultSubquery(command, f.Name, text)
	}
	t, random, err := a.DefaultType(ctx, x)
	switch {
	case err != nil && command == "CREATE TABLE":
		return d, errclass.DefaultNotConstant(command, f.Name, text)
	case err != nil:
		return d, errclass.DefaultUnresolved(command, f.Name, text)
	case random:
		return d, errclass.DefaultNotConstant(command, f.Name, text)
	}
	switch f.Type.Kind {
	case types.Array, types.Map, types.Struct, types.Binary:
		return d, errclass.UnsupportedStatement(a.Dialect, "DEFAULT of a column of the type "+f.Type.SQL()).At(x.Span())
	}
	wrong := errclass.DefaultType(command, f.Name, text, f.Type, t)
	if t.Kind == types.String && f.Type.Kind != types.String || t.Kind != types.Null && !functions.StoreAssignment(t, f.Type) {
		return d, wrong
	}
	v, err := a.Eval(ctx, x, f.Type)
	if err != nil {
		return d, wrong
	}
	if v != nil {
		value := types.Text(f.Type, v, time.UTC)
		if f.Type.Kind == types.Timestamp {
			value += "+00"
		}
		d.Exists = &value
	}
	return d, nil
}

// newDefaults checks the DEFAULT clauses of CREATE TABLE's columns.
func (s *Session) newDefaults(ctx context.Context, a *plan.Analyzer, defs []sql.ColumnDef, fields []types.Field) (map[string]hive.Default, error) {
	out := map[string]hive.Default{}
	for _, c := range defs {
		if c.Default == nil {
			continue
		}
		i := slices.IndexFunc(fields, func(f types.Field) bool { return strings.EqualFold(f.Name, c.Name.Text) })
		d, err := s.newDefault(ctx, a, "CREATE TABLE", fields[i], c.Default, c.DefaultText)
		if err != nil {
			return nil, err
		}
		out[strings.ToLower(c.Name.Text)] = d
	}
	return out, nil
}

// columnDefaults are the expressions that a table's columns get where INSERT gives no value, by the columns' names in lower case.
func columnDefaults(t *hive.Table) (map[string]sql.Expr, error) {
	out := map[string]sql.Expr{}
	for _, f := range t.Schema().Fields {
		text := t.Default(f.Name).Current
		if text == "" {
			continue
		}
		x, err := sql.ParseExpr(sql.Spark, text)
		if err != nil {
			return nil, err
		}
		out[strings.ToLower(f.Name)] = x
	}
	return out, nil
}

// fillDefaults puts the columns' defaults, or NULL, in the place of DEFAULT in the rows of INSERT's query.
func fillDefaults(st *sql.Insert, target []types.Field, by map[string]sql.Expr) error {
	var columns []string
	for _, c := range st.Columns {
		columns = append(columns, c.Text)
	}
	if len(columns) == 0 {
		given := map[string]bool{}
		for _, p := range st.Partition {
			given[strings.ToLower(p.Name.Text)] = p.Value != nil
		}
		for _, f := range target {
			if !given[strings.ToLower(f.Name)] {
				columns = append(columns, f.Name)
			}
		}
	}
	return replaceDefaults(st.Query, func(i int, at sql.At) sql.Expr {
		if i < len(columns) {
			if x := by[strings.ToLower(columns[i])]; x != nil {
				return x
			}
		}
		return &sql.Literal{At: at, Kind: sql.NullLit}
	})
}

// replaceDefaults puts value in the place of each DEFAULT that is a whole value in a query's rows.
func replaceDefaults(q *sql.Query, value func(i int, at sql.At) sql.Expr) error {
	isDefault := func(x sql.Expr) bool {
		id, ok := x.(*sql.Ident)
		return ok && len(id.Parts) == 1 && !id.Parts[0].Quoted && strings.EqualFold(id.Parts[0].Text, "default")
	}
	switch b := q.Body.(type) {
	case *sql.Select:
		for i, x := range b.Items {
			if isDefault(x) {
				name := x.(*sql.Ident).Parts[0]
				b.Items[i] = &sql.Aliased{At: x.(*sql.Ident).At, X: value(i, x.(*sql.Ident).At), Names: []sql.Name{name}}
			}
		}
	case *sql.Values:
		for _, row := range b.Rows {
			for i, x := range row {
				if isDefault(x) {
					row[i] = value(i, x.(*sql.Ident).At)
					continue
				}
				if op, ok := x.(*sql.Binary); ok && (isDefault(op.L) || isDefault(op.R)) {
					return errclass.DefaultPlacement()
				}
			}
		}
	case *sql.Query:
		return replaceDefaults(b, value)
	}
	return nil
}
