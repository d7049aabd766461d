package plan

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Analyzer makes plans for one statement of one session.
type Analyzer struct {
	Dialect  sql.Dialect
	Catalog  Catalog
	Eval     Eval
	Params   Params
	Settings Settings
	// Variables finds a session variable; nil: there are none.
	Variables func(name string) *Variable
	// Functions finds a function of the cell's (a UDF); nil: there are none.
	Functions func(name string) *expr.Func
	// Routines finds a SQL function of the session; nil: there are none.
	Routines func(name string) *Routine
	brought  map[string]*Routine // those of WITH FUNCTION, by lower-case name
	calling  []string            // the functions whose bodies are being analyzed
	// Hidden offers the hidden columns of tables. It is off where the statement names none, so that most plans don't carry them.
	Hidden bool

	chars      bool                     // a table with CHAR(n) is read
	frames     map[int64][]*expr.Column // columns of the DataFrames that df.Col refers to
	attributes int64                    // the last expr.Column.Attribute given
}

// Params are the values of ? and :name.
type Params struct {
	Positional []sql.Expr
	Named      map[string]sql.Expr
	// Unbound lets ? stand without values, so that ParamTypes can tell what each would have to be.
	Unbound bool
}

// Settings are what the analyzer needs of a session.
type Settings struct {
	TimeZone         string
	CurrentCatalog   string
	CurrentNamespace string
	CurrentPath      string // Trino's SET PATH
	User             string
	// TimestampNTZ lets functions that make timestamps make those without a time zone.
	TimestampNTZ bool
	// BinaryStyle is how to_csv writes bytes (types.Format.Binary).
	BinaryStyle string
	// RecursionDepth is how often the step of a recursive query may give rows; 0: as often as it does.
	RecursionDepth int
}

// Query analyzes a query.
func (a *Analyzer) Query(ctx context.Context, q *sql.Query) (Node, error) {
	n, err := a.query(ctx, q, nil)
	if err != nil {
		return nil, err
	}
	return a.optimized(narrowed(n))
}

// narrowed leaves out the columns that * leaves out.
func narrowed(n Node) Node {
	if out := n.Output(); len(visible(out)) < len(out) {
		return &Narrow{Columns: visible(out), Child: n}
	}
	return n
}

// Relation analyzes what stands in FROM: the DataFrame API's door.
func (a *Analyzer) Relation(ctx context.Context, rel sql.Relation) (Node, error) {
	n, err := a.relation(ctx, rel, nil)
	if err != nil {
		return nil, err
	}
	return a.optimized(narrowed(n))
}

// optimized leaves out columns that nobody reads, gives conditions to the scans, and puts calls that count rows where they can be
// computed.
func (a *Analyzer) optimized(n Node) (Node, error) {
	if a.Dialect == sql.Spark && has(n, isTimeWindow) {
		var err error
		if n, err = a.liftTimeWindows(n); err != nil {
			return nil, err
		}
	}
	if err := a.padComparisons(n); err != nil {
		return nil, err
	}
	pushFilters(a.Dialect, n)
	n = Prune(n)
	if a.Dialect == sql.Spark && has(n, countsRows) {
		return liftRows(n)
	}
	return n, nil
}

// Constant resolves an expression that reads no columns, cast to a type.
func (a *Analyzer) Constant(ctx context.Context, x sql.Expr, to types.Type) (expr.Expr, error) {
	e, err := a.expr(ctx, x, &scope{})
	if err != nil {
		return nil, err
	}
	if e.Type().Equal(to) {
		return e, nil
	}
	return functions.Cast(a.Dialect, e, to, false, x.Span())
}

// DefaultType is the type of a column's default value, and whether it differs from one evaluation to the next.
func (a *Analyzer) DefaultType(ctx context.Context, x sql.Expr) (t types.Type, random bool, err error) {
	e, err := a.expr(ctx, x, &scope{})
	if err != nil {
		return types.Type{}, false, err
	}
	return e.Type(), anyExpr(e, isNonDeterministic), nil
}

// NewItem names an expression.
func NewItem(name string, x expr.Expr) Item {
	c := &expr.Column{Name: name, T: x.Type(), Null: x.Nullable()}
	if r, ok := x.(*expr.Ref); ok && r.Column.Lengths != nil {
		c.Comment, c.Lengths = r.Column.Comment, r.Column.Lengths // as Spark keeps a column's metadata under an alias
	}
	return Item{Column: c, X: x}
}

// ref reads a column.
func ref(c *expr.Column) *expr.Ref {
	r := &expr.Ref{Column: c}
	r.T, r.Null = c.T, c.Null
	return r
}

// unsupported refuses, by name, what the grammar has and the analyzer has not.
func (a *Analyzer) unsupported(what string, n sql.Node) error {
	return errclass.UnsupportedStatement(a.Dialect, what).At(n.Span())
}

// Value resolves an expression that reads no columns.
func (a *Analyzer) Value(ctx context.Context, x sql.Expr) (expr.Expr, error) {
	return a.expr(ctx, x, &scope{})
}
