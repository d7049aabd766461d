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

// Insert analyzes INSERT's query and gives it the table's columns: by position, by name or by the column list, each cast
// to the column's type as ANSI store assignment allows. Columns with a value in the PARTITION clause take that value, and the query
// gives the others.
func (a *Analyzer) Insert(ctx context.Context, table []string, target []types.Field, st *sql.Insert) (Node, error) {
	return a.insert(ctx, table, target, st, a.Dialect == sql.Trino)
}

// InsertFilling is Insert for tables in which columns that a column list leaves out have their default value, by their names in lower case,
// or NULL.
func (a *Analyzer) InsertFilling(ctx context.Context, table []string, target []types.Field, defaults map[string]sql.Expr, st *sql.Insert) (Node, error) {
	return a.insertWith(ctx, table, target, st, true, defaults)
}

func (a *Analyzer) insert(ctx context.Context, table []string, target []types.Field, st *sql.Insert, fill bool) (Node, error) {
	return a.insertWith(ctx, table, target, st, fill, nil)
}

func (a *Analyzer) insertWith(ctx context.Context, table []string, target []types.Field, st *sql.Insert, fill bool, defaults map[string]sql.Expr) (Node, error) {
	n, err := a.query(ctx, st.Query, nil)
	if err != nil {
		return nil, err
	}
	given := len(n.Output())
	n, source, err := a.staticPartition(ctx, n, target, st)
	if err != nil {
		return nil, err
	}
	names, static := columnNames(source), len(source)-given
	if len(st.Columns) > 0 {
		listed := a.texts(st.Columns)
		if err := a.checkColumnList(st, listed, target); err != nil {
			return nil, err
		}
		names = slices.Concat(names[:static], listed) // the PARTITION clause's values stand first
	}
	if a.Dialect == sql.Trino {
		if err := trinoInsert(st, names, source, target); err != nil {
			return nil, err
		}
	}
	byName := st.ByName || len(st.Columns) > 0
	if len(st.Columns) > 0 && len(names) != len(source) {
		return nil, errclass.InsertArity(int(a.Dialect), table, names, columnNames(source), len(source) < len(names))
	}
	if byName && a.Dialect == sql.Spark && len(source) > len(target) {
		return nil, errclass.InsertArity(int(a.Dialect), table, fieldNames(target), names, false)
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
			if x := defaults[strings.ToLower(f.Name)]; x != nil {
				e, err := a.expr(ctx, x, &scope{})
				if err != nil {
					return nil, err
				}
				if e, err = a.assign(table, e, f); err != nil {
					return nil, err
				}
				items[i] = Item{Column: column(f), X: e}
				continue
			}
			if fill {
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
	return a.optimized(&Project{Items: items, Child: n})
}

// trinoInsert refuses what does not fit the table, as Trino does.
func trinoInsert(st *sql.Insert, names []string, source []*expr.Column, target []types.Field) error {
	into := target
	if len(st.Columns) > 0 {
		into = nil
		seen := map[string]bool{}
		for _, n := range names {
			i := slices.IndexFunc(target, func(f types.Field) bool { return strings.EqualFold(f.Name, n) })
			if i < 0 {
				return errclass.TrinoInsertColumn(n).At(st.Span())
			}
			if seen[target[i].Name] {
				return errclass.TrinoInsertTwice(n).At(st.Span())
			}
			seen[target[i].Name] = true
			into = append(into, target[i])
		}
	}
	fits := len(into) == len(source)
	given := make([]types.Type, len(source))
	for i, c := range source {
		given[i] = c.T
		fits = fits && functions.TrinoInsertable(c.T, into[i].Type)
	}
	if fits {
		return nil
	}
	wanted := make([]types.Type, len(into))
	for i, f := range into {
		wanted[i] = f.Type
	}
	return errclass.TrinoInsertTypes(wanted, given).At(st.Span())
}

// staticPartition puts the values of the PARTITION clause among the query's columns.
func (a *Analyzer) staticPartition(ctx context.Context, n Node, target []types.Field, st *sql.Insert) (Node, []*expr.Column, error) {
	fixed := map[string]sql.Expr{}
	for _, p := range st.Partition {
		if p.Value != nil {
			fixed[strings.ToLower(a.texts([]sql.Name{p.Name})[0])] = p.Value
		}
	}
	if len(fixed) == 0 {
		return n, n.Output(), nil
	}
	given := n.Output()
	var items []Item
	next := 0
	for _, f := range target {
		v := fixed[strings.ToLower(f.Name)]
		if v == nil {
			if !st.ByName && len(st.Columns) == 0 && next < len(given) {
				items = append(items, pass(given[next:next+1])...)
				next++
			}
			continue
		}
		x, err := a.expr(ctx, v, &scope{})
		if err != nil {
			return nil, nil, err
		}
		// A partition's value is cast as in SQL, not as a query's columns are assigned.
		if x, err = functions.Cast(a.Dialect, x, f.Type, false, v.Span()); err != nil {
			return nil, nil, err
		}
		items = append(items, NewItem(f.Name, x))
	}
	items = append(items, pass(given[next:])...)
	p := &Project{Items: items, Child: n}
	return p, p.Output(), nil
}

// checkColumnList refuses INSERT's column list if it has a column twice, or one that the table does not have.
func (a *Analyzer) checkColumnList(st *sql.Insert, names []string, target []types.Field) error {
	if a.Dialect != sql.Spark {
		return nil
	}
	seen := map[string]bool{}
	for i, n := range names {
		k := strings.ToLower(n)
		known := false
		for _, f := range target {
			known = known || strings.EqualFold(f.Name, n)
		}
		if !known {
			return errclass.FieldUnresolved([]string{n}, types.StructOf(target...)).At(st.Columns[i].Span())
		}
		if seen[k] {
			return errclass.ColumnAlreadyExists(k).At(st.Columns[i].Span())
		}
		seen[k] = true
	}
	return nil
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

// assign makes a value one of a column: of its type and no longer than it may be.
func (a *Analyzer) assign(table []string, x expr.Expr, f types.Field) (expr.Expr, error) {
	y, err := a.assignType(table, x, f)
	if err != nil || f.Lengths == nil {
		return y, err
	}
	return functions.FitLengths(y, *f.Lengths), nil
}

// assignType casts a value to a column's type.
func (a *Analyzer) assignType(table []string, x expr.Expr, f types.Field) (expr.Expr, error) {
	if x.Type().Equal(f.Type) {
		return x, nil
	}
	if a.Dialect == sql.Spark && !functions.StoreAssignment(x.Type(), f.Type) {
		return nil, errclass.CannotSafelyCast(table, f.Name, x.Type(), f.Type)
	}
	y, err := functions.Cast(a.Dialect, x, f.Type, false, x.Span())
	if c, ok := y.(*expr.Cast); ok && a.Dialect == sql.Spark {
		c.Into = f.Name
	}
	return y, err
}
