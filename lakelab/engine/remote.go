package engine

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// Cell is the program behind a connection, whose functions (UDFs) queries may call.
type Cell interface {
	// Function finds one by name, in any case; nil if there is none.
	Function(name string) *expr.Func
	// Call computes it for a batch of rows of arguments; the error is what the function failed with.
	Call(ctx context.Context, name string, rows [][]any) ([]any, error)
}

type cellKey struct{}

// WithCell lets the statements that run under the context call a cell's functions.
func WithCell(ctx context.Context, c Cell) context.Context {
	return context.WithValue(ctx, cellKey{}, c)
}

func cellOf(ctx context.Context) Cell {
	c, _ := ctx.Value(cellKey{}).(Cell)
	return c
}

// functionsOf gives the analyzer a cell's functions.
func functionsOf(ctx context.Context) func(string) *expr.Func {
	if c := cellOf(ctx); c != nil {
		return c.Function
	}
	return nil
}

// materialized computes the calls of a cell's functions: each Remote node becomes a table that holds its child's rows and the results.
// Call drop when the plan has run.
func (s *Session) materialized(ctx context.Context, n plan.Node) (out plan.Node, drop func(), err error) {
	if cellOf(ctx) == nil || !plan.HasRemote(n) {
		return n, func() {}, nil
	}
	m := &materializer{session: s, cell: cellOf(ctx)}
	drop = func() {
		for _, t := range m.tables {
			_ = s.engine.DB.Exec(context.WithoutCancel(ctx), "DROP TABLE IF EXISTS "+t)
		}
	}
	if n, err = plan.LiftRemote(n); err == nil {
		plan.Visit(n, func(n plan.Node) {
			if l, ok := n.(*plan.Limit); ok {
				plan.LimitRemote(l)
			}
		})
		n, err = plan.Replace(n, func(n plan.Node) (plan.Node, error) {
			if r, ok := n.(*plan.Remote); ok {
				return m.table(ctx, r)
			}
			return n, nil
		})
	}
	if err != nil {
		drop()
		return nil, nil, err
	}
	return n, drop, nil
}

// droppingRows ends with the tables that the query was materialized in.
type droppingRows struct {
	Rows
	drop func()
}

func (r droppingRows) Close() error {
	defer r.drop()
	return r.Rows.Close()
}

type temporariesKey struct{}

// withTemporaries collects what atEnd is given, for finish.
func withTemporaries(ctx context.Context) (_ context.Context, finish func()) {
	drops := &[]func(){}
	return context.WithValue(ctx, temporariesKey{}, drops), func() {
		for _, drop := range *drops {
			drop()
		}
	}
}

// atEnd runs drop when the statement has ended.
func atEnd(ctx context.Context, drop func()) {
	if drops, ok := ctx.Value(temporariesKey{}).(*[]func()); ok {
		*drops = append(*drops, drop)
	}
}

type materializer struct {
	session *Session
	cell    Cell
	tables  []string
}

var lastTable atomic.Int64

// table runs the child, calls the functions for its rows, and keeps both in tables that are read side by side.
func (m *materializer) table(ctx context.Context, r *plan.Remote) (plan.Node, error) {
	id := fmt.Sprintf("udf_%d", lastTable.Add(1))
	m.tables = append(m.tables, id+"_in", id+"_out")
	db := m.session.engine.DB.In(m.session.Conf(confTimeZone))
	child := r.Child.Output()
	in := &plan.Project{Child: r.Child}
	for _, c := range child {
		k := *c
		in.Items = append(in.Items, plan.Item{Column: &k, X: &expr.Ref{Base: expr.Base{T: c.T, Null: c.Null}, Column: c}})
	}
	for _, it := range r.Items {
		for _, a := range it.X.(*expr.Call).Args {
			in.Items = append(in.Items, plan.NewItem("arg", a))
		}
	}
	query, err := duck.SQL(ctx, in, duck.PrintOptions{})
	if err != nil {
		return nil, err
	}
	names := make([]string, max(len(in.Items), 1))
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	if err := db.Exec(ctx, "CREATE TABLE "+id+"_in AS SELECT * FROM ("+query+") AS t("+strings.Join(names, ", ")+")"); err != nil {
		return nil, err
	}
	for i, it := range r.Items {
		if err := m.results(ctx, db, id, i, r.Items, names[len(child):], it); err != nil {
			return nil, err
		}
	}
	return m.scan(id, r, names[:len(child)]), nil
}

// results computes one function into a table of its own.
func (m *materializer) results(ctx context.Context, db *duck.DB, id string, i int, items []plan.Item, args []string, it plan.Item) error {
	call := it.X.(*expr.Call)
	first := 0
	for _, before := range items[:i] {
		first += len(before.X.(*expr.Call).Args)
	}
	columns := args[first : first+len(call.Args)]
	argTypes := make([]types.Type, len(call.Args))
	for j, a := range call.Args {
		argTypes[j] = a.Type()
	}
	out := fmt.Sprintf("%s_out%d", id, i)
	m.tables = append(m.tables, out)
	in := "SELECT " + strings.Join(columns, ", ") + " FROM " + id + "_in"
	if len(columns) == 0 {
		in = "SELECT 1 FROM " + id + "_in"
	}
	return db.Fill(ctx, out, call.T, in, argTypes, func(rows [][]any) ([]any, error) {
		values, err := m.cell.Call(ctx, call.Func.Name, rows)
		if err == nil && len(values) != len(rows) {
			err = fmt.Errorf("%d results for %d rows", len(values), len(rows))
		}
		if err != nil && ctx.Err() == nil {
			return nil, errclass.FailedUDF(call.Func.Name, argTypes, call.T, err)
		}
		return values, err
	})
}

// scan reads the rows and the results, line by line.
func (m *materializer) scan(id string, r *plan.Remote, names []string) plan.Node {
	from := id + "_in AS i"
	n := &plan.Scan{Name: []string{"udf"}, Columns: r.Output()}
	src := &remoteSource{}
	for j, c := range r.Child.Output() {
		src.columns = append(src.columns, "i."+names[j])
		src.fields = append(src.fields, types.Field{Name: fmt.Sprintf("c%d", j), Type: c.T, Nullable: c.Null})
	}
	for i, it := range r.Items {
		from += fmt.Sprintf(" POSITIONAL JOIN %s_out%d AS o%d", id, i, i)
		src.columns = append(src.columns, fmt.Sprintf("o%d.value", i))
		src.fields = append(src.fields, types.Field{Name: fmt.Sprintf("r%d", i), Type: it.Column.T, Nullable: true})
	}
	src.from, n.Source = from, src
	for i := range n.Columns {
		n.Indexes = append(n.Indexes, i)
	}
	return n
}

// remoteSource reads the tables that materialized made.
type remoteSource struct {
	from    string
	columns []string
	fields  []types.Field
}

func (r *remoteSource) Schema() types.Type { return types.StructOf(r.fields...) }

func (r *remoteSource) SQL(_ context.Context, columns []int, _ expr.Expr) (string, error) {
	if len(columns) == 0 {
		return "SELECT 1 AS one FROM " + r.from, nil
	}
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = r.columns[c] + " AS " + r.fields[c].Name
	}
	return "SELECT " + strings.Join(parts, ", ") + " FROM " + r.from, nil
}
