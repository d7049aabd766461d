// Package expr holds resolved, typed expressions: what package plan makes of the AST.
//
// Every column is an identity (*Column), so that two columns of one name never mix. Types are final:
// implicit casts stand in the tree, marked as such, because Spark leaves them out of generated names.
// Package functions fills in calls (type rules), package duck prints them for DuckDB.
package expr

import (
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Expr is a resolved expression.
type Expr interface {
	Type() types.Type
	Nullable() bool
	Span() token.Span
}

// Column is an attribute: one output column of one plan node. The pointer is its identity.
type Column struct {
	Name      string
	Qualifier []string // catalog, namespace …, table; or an alias
	T         types.Type
	Null      bool
	Comment   string
	Lengths   *types.Type // as types.Field's
	// Hidden columns are reached by their qualified name only, and * leaves them out: the side of JOIN … USING that the merged
	// column does not show.
	Hidden bool
	// Meta marks a table's hidden column, such as _file: reached by its name, but * leaves it out.
	Meta bool
	// Param marks a lambda's parameter.
	Param bool
	// Attribute is what a column keeps while operators pass it on unchanged, as Spark's expression id: df.Col("a") finds its
	// column above a filter or a join by it. 0 until a DataFrame that columns refer to marks it.
	Attribute int64
}

// Base carries what every node has.
type Base struct {
	T    types.Type
	Null bool
	At   token.Span
}

// Type returns the type.
func (b Base) Type() types.Type { return b.T }

// Nullable reports whether the value may be NULL.
func (b Base) Nullable() bool { return b.Null }

// Span returns the place in the statement.
func (b Base) Span() token.Span { return b.At }

type (
	// Ref reads a column. Outer is how many query levels up it belongs (correlated subqueries); 0 is the query itself.
	Ref struct {
		Base
		Column *Column
		Outer  int
		// Spelled is the name as the query writes it; Spark names a selected column that way.
		Spelled string
	}
	// Lit is a constant; Value as documented in package types.
	Lit struct {
		Base
		Value any
		// Text is the literal as written where a generated name shows it that way; else empty.
		Text string
		// Name is the name of the expression that gave the value, if that was another.
		Name string
	}
	// Call applies a function or an operator of the function table.
	Call struct {
		Base
		Func     *Func
		Name     string // as the user spelled it, for generated names
		Args     []Expr
		Distinct bool
		Filter   Expr
		OrderBy  []SortKey
		// IgnoreNulls is set for IGNORE NULLS.
		IgnoreNulls bool
		// Extra is for a function's Resolve to leave what its printer needs.
		Extra any
	}
	// Cast changes a type. Implicit ones were put in by the type rules.
	Cast struct {
		Base
		X        Expr
		Try      bool
		Implicit bool
		// Into is the table's column that the value is written to, which an overflow names; else empty.
		Into    string
		Dialect sql.Dialect
	}
	// Case is both CASE forms (a simple CASE is resolved to equality tests).
	Case struct {
		Base
		Operand Expr // kept for naming only; nil for a searched CASE
		Whens   []When
		Else    Expr
	}
	// Field reads a struct's field by its position.
	Field struct {
		Base
		X     Expr
		Index int
		Name  string
	}
	// Lambda is an argument of a higher-order function.
	Lambda struct {
		Base
		Params []*Column
		Body   Expr
		// Written is set for one that an error shows with its parameters' own names.
		Written bool
	}
	// Window is a call over a window.
	Window struct {
		Base
		Call      *Call
		Partition []Expr
		OrderBy   []SortKey
		Frame     *Frame // nil: the default frame
	}
	// Subquery is a scalar, EXISTS or IN subquery; Plan is a plan.Node.
	Subquery struct {
		Base
		Kind string // SCALAR, EXISTS, IN
		Not  bool   // IN, EXISTS
		Left []Expr // IN
		Plan any
		// Outer are the columns of the queries around it that it reads, in the order of its plan; Spark shows them in names.
		Outer []Expr
		// Definite makes IN false where it would be NULL: so Spark computes it, but for a condition of WHERE, where it is the same.
		Definite bool
	}
	// Alias names an expression; it stands only at the top of a select item.
	Alias struct {
		Base
		X    Expr
		Name string
	}
)

// Uncast is what is under an expression's casts.
func Uncast(x Expr) Expr {
	for {
		c, ok := x.(*Cast)
		if !ok {
			return x
		}
		x = c.X
	}
}

// When is a branch of CASE.
type When struct{ Cond, Then Expr }

// SortKey is an expression with its order; NullsFirst is always decided.
type SortKey struct {
	X          Expr
	Desc       bool
	NullsFirst bool
	// InnerNullsLowest is set where a NULL inside of an array or struct is its smallest value, as Spark has it.
	InnerNullsLowest bool
}

// Frame is a resolved window frame. A nil bound value means UNBOUNDED or CURRENT ROW, as the kinds say.
type Frame struct {
	Unit       string // ROWS, RANGE, GROUPS
	Start, End Bound
}

// Bound is one end of a frame; Kind as in sql.Bound.
type Bound struct {
	Kind string
	N    Expr
}

// FuncKind tells what a function may be used for.
type FuncKind int

// The kinds.
const (
	Scalar FuncKind = iota
	Aggregate
	WindowOnly
	Generator
)

// Func is one row of the function table (package functions).
type Func struct {
	Name      string // canonical, lower case; operators have their symbol
	Aliases   []string
	Kind      FuncKind
	Dialect   sql.Dialect
	Signature string // as the docs page shows it: `substring(str, pos[, len])`
	Doc       string // one line
	// Resolve checks arity and types, coerces c.Args in place and sets c.T and c.Null. It returns an *errclass.Error.
	Resolve func(c *Call) error
	// Duck says the call in DuckDB's SQL; args are printed already.
	Duck func(c *Call, args []string) string
	// Pretty overrides the generated column name; args are the arguments' names.
	Pretty func(c *Call, args []string) string
	// InErrors is the name by which type errors call the function, if it is another: Spark has rewritten some by then.
	InErrors string
	// Remote marks a function that runs outside of DuckDB, in a cell: plan.Remote computes its calls.
	Remote bool
	// ByRow tells the calls that count the rows of their input; they can be computed in a projection only (plan.LiftRows).
	ByRow func(c *Call) bool
	// TimeWindow marks window and session_window: their calls stand for a column that plan makes below.
	TimeWindow bool
	// Missing is the reason why a built-in of the dialect is not here; such a function is refused by name.
	Missing string
	// Moment is true for current_date(), now(), …: the same for a whole query, another in the next.
	Moment bool
	// NonDeterministic is true for rand(), uuid(), …
	NonDeterministic bool
}
