package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Insert analyzes INSERT's query and gives it the table's columns: by position, by name or by the column list, each cast
// to the column's type as ANSI store assignment allows.
func (a *Analyzer) Insert(ctx context.Context, table []string, target []types.Field, st *sql.Insert) (Node, error) {
	n, err := a.query(ctx, st.Query, nil)
	if err != nil {
		return nil, err
	}
	source := n.Output()
	names := make([]string, len(source))
	for i, c := range source {
		names[i] = c.Name
	}
	if len(st.Columns) > 0 {
		names = a.texts(st.Columns)
	}
	byName := st.ByName || len(st.Columns) > 0
	if len(st.Columns) > 0 && len(names) != len(source) {
		return nil, errclass.InsertArity(int(a.Dialect), table, names, columnNames(source), len(source) < len(names))
	}
	if !byName && len(source) != len(target) {
		return nil, errclass.InsertArity(int(a.Dialect), table, fieldNames(target), columnNames(source), len(source) < len(target))
	}
	used := make([]bool, len(source))
	items := make([]Item, len(target))
	for i, f := range target {
		at := i
		if byName {
			at = -1
			for j, name := range names {
				if strings.EqualFold(name, f.Name) {
					at = j
				}
			}
		}
		if at < 0 {
			if a.Dialect == sql.Trino {
				lit := &expr.Lit{}
				lit.T, lit.Null = f.Type, true
				items[i] = Item{Column: column(f), X: lit}
				continue
			}
			return nil, errclass.CannotFindData(table, f.Name)
		}
		used[at] = true
		x, err := a.assign(table, ref(source[at]), f)
		if err != nil {
			return nil, err
		}
		items[i] = Item{Column: column(f), X: x}
	}
	for j, ok := range used {
		if !ok {
			return nil, errclass.ExtraColumn(table, names[j], fieldNames(target))
		}
	}
	return a.optimized(&Project{Items: items, Child: n}), nil
}

func column(f types.Field) *expr.Column {
	return &expr.Column{Name: f.Name, T: f.Type, Null: f.Nullable}
}

func columnNames(cols []*expr.Column) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = c.Name
	}
	return out
}

func fieldNames(fields []types.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// assign casts a value to a column's type.
func (a *Analyzer) assign(table []string, x expr.Expr, f types.Field) (expr.Expr, error) {
	if x.Type().Equal(f.Type) {
		return x, nil
	}
	if !functions.StoreAssignment(x.Type(), f.Type) {
		return nil, errclass.CannotSafelyCast(int(a.Dialect), table, f.Name, x.Type(), f.Type)
	}
	return functions.Cast(a.Dialect, x, f.Type, false, x.Span())
}
