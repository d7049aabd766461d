// Package plan turns statements into one typed logical plan, whatever door they came through.
//
// The analyzer resolves names by Spark's or Trino's rules, asks package functions for types, and
// reports what cannot be resolved in the dialect's own words. A plan says what to compute, never
// how: package duck prints it for DuckDB. Sources (Iceberg tables, files, rows) come in through Catalog.
package plan

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Node is a relational operator.
type Node interface {
	// Output lists the columns, in order.
	Output() []*expr.Column
}

// Item computes one output column.
type Item struct {
	Column *expr.Column
	X      expr.Expr
}

// Source is a relation whose rows come from outside the plan.
type Source interface {
	// Schema is the struct of all its columns.
	Schema() types.Type
	// SQL is a DuckDB query that yields the columns at these positions of the schema, in this order, under the schema's
	// names. filter may be used to read less; it is applied again above.
	SQL(ctx context.Context, columns []int, filter expr.Expr) (string, error)
}

// Relation is what a name in FROM stands for: a source, or a view's query (analyzed in place).
type Relation struct {
	// Name is the qualifier of its columns: catalog, namespace, table; one part for a temporary view.
	Name   []string
	Source Source
	View   sql.Relation
	// Hidden says that View may name hidden columns.
	Hidden bool
	// Plan is a view's query, analyzed already.
	Plan Node
	// Columns renames a view's columns, if given; Comments are their comments.
	Columns  []string
	Comments []types.Field
	// Fields are the columns of a View that is a table, if it is one.
	Fields []types.Field
}

// Catalog finds relations. It is the session's view of the lake: current namespace, temporary views, files, metadata tables.
type Catalog interface {
	// Resolve returns nil without an error where nothing has that name; the analyzer reports it. Time travel is
	// given in ref.Travel; its expression is evaluated by eval.
	Resolve(ctx context.Context, ref *sql.TableRef, eval Eval) (*Relation, error)
	// Files opens files for a reader.
	Files(ctx context.Context, f *sql.Files) (*Relation, error)
}

// Eval computes a constant expression (resolved, cast to a type) to a Go value.
type Eval func(ctx context.Context, x sql.Expr, to types.Type) (any, error)

type (
	// Scan reads columns of a source.
	Scan struct {
		Name    []string
		Source  Source
		Columns []*expr.Column // one for each entry of Indexes
		Indexes []int          // positions in Source.Schema()
		Filter  expr.Expr      // a hint for the source, over Columns; nil
	}
	// Rows is VALUES: expressions.
	Rows struct {
		Columns []*expr.Column
		Rows    [][]expr.Expr
	}
	// Local is rows at hand: Go values.
	Local struct {
		Columns []*expr.Column
		Rows    [][]any
	}
	// OneRow is the relation without columns that a SELECT without FROM reads.
	OneRow struct{}
	// Project computes columns.
	Project struct {
		Items []Item
		Child Node
	}
	// Filter keeps rows for which the condition is true.
	Filter struct {
		Cond  expr.Expr
		Child Node
	}
	// Aggregate groups; its output is Groups, then Aggs. Sets lists, for GROUPING SETS, the positions in Groups of each set
	// (nil: one set of all). Aggs' expressions may combine aggregate calls, group columns and constants. With SkipEmpty the empty
	// grouping set makes no row of no rows, as in Spark.
	Aggregate struct {
		Groups    []Item
		Aggs      []Item
		Sets      [][]int
		SkipEmpty bool
		Child     Node
	}
	// Window adds columns computed over windows to the child's output.
	Window struct {
		Items []Item
		Child Node
	}
	// Join joins. Output is L then R (SEMI, ANTI: L only); nullability is adjusted in fresh columns by a Project above.
	Join struct {
		Kind    string // INNER, LEFT, RIGHT, FULL, SEMI, ANTI, CROSS
		Lateral bool
		L, R    Node
		On      expr.Expr
	}
	// SetOp combines by position; Columns are its own.
	SetOp struct {
		Op      string // UNION, INTERSECT, EXCEPT
		All     bool
		Columns []*expr.Column
		L, R    Node
	}
	// Distinct removes duplicate rows; On (if any) names the columns that decide.
	Distinct struct {
		On    []*expr.Column
		Child Node
	}
	// Sort orders rows.
	Sort struct {
		Keys  []expr.SortKey
		Child Node
	}
	// Limit cuts; N < 0 means no limit.
	Limit struct {
		N, Offset int64
		Child     Node
	}
	// Generate calls a generator for every row: explode, posexplode, inline, stack, UNNEST. Output is the child's, then Columns.
	// Call's type is the struct of Columns, and it prints as a list of structs {c1, c2, …}. Cond keeps some of the rows that it
	// makes, before Outer looks whether there are any (nil: all).
	Generate struct {
		Call    *expr.Call
		Cond    expr.Expr
		Outer   bool
		Columns []*expr.Column
		Child   Node
	}
	// Remote adds columns that functions of a cell compute; their arguments are in the calls. Output is the child's, then Items'. The
	// session computes it before it runs the plan.
	Remote struct {
		Items []Item
		Child Node
	}
	// Sample keeps a part of the rows.
	Sample struct {
		Percent float64
		Rows    int64 // used if Percent is 0
		Seed    *int64
		Child   Node
	}
	// With makes common table expressions known to Child.
	With struct {
		Defs  []*CTE
		Child Node
	}
	// CTERef reads a common table expression; Columns are fresh, by position.
	CTERef struct {
		Def     *CTE
		Columns []*expr.Column
	}
)

// CTE is a common table expression. A recursive one has an Anchor and a Step that refers to it.
type CTE struct {
	Name      string
	Plan      Node
	Recursive bool
	Step      Node
	All       bool
	Depth     int // how often the step may give rows (Trino); 0: as often as it does
}

// Narrow keeps some of the child's columns, with their identity.
type Narrow struct {
	Columns []*expr.Column
	Child   Node
}
