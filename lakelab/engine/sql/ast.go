// Package sql reads Spark's and Trino's SQL: one lexer, one expression core, two dialects, one AST.
//
// Text comes in (Parse), statements with positions go out. The parser knows grammar only: names are
// resolved and types are given by package plan. Syntax that it does not know is an error that names
// the place, in the dialect's own words. The AST is the union of both dialects; a node says which
// one has it where that matters. DataFrame calls become the same nodes (dataframe.go).
//
// Grammar that has no node is refused by name. Spark: COLLATE, CREATE FUNCTION of Java classes, SQL scripting, TRANSFORM,
// LOAD DATA, ADD | LIST JAR, indexes, TABLE
// arguments, generated columns, bucketing, ROW FORMAT, view schema binding, TABLESAMPLE of
// buckets ON a column. Trino: GRANT and roles, materialized views, functions, catalogs, JSON_* constructors, JSON_TABLE,
// MATCH_RECOGNIZE, TABLE and DESCRIPTOR arguments, column properties.
package sql

import "mini-lakehouse-lab/lakelab/engine/sql/token"

// Dialect chooses a grammar.
type Dialect int

// The two dialects.
const (
	Spark Dialect = iota
	Trino
)

// Node is anything with a place in the text.
type Node interface{ Span() token.Span }

// At is embedded by every node; it carries its place.
type At struct{ Pos token.Span }

// Span returns the node's place.
func (a At) Span() token.Span { return a.Pos }

// Name is one part of a possibly dotted identifier. Text has no quotes.
type Name struct {
	At
	Text   string
	Quoted bool
}

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

// LiteralKind tells literals apart.
type LiteralKind int

// Literal kinds. Integer and fraction literals keep their text: the analyzer gives them a type by dialect and suffix.
const (
	NullLit   LiteralKind = iota
	BoolLit               // Text true | false
	NumberLit             // Text without suffix; Suffix one of "", L, S, Y, F, D, BD (upper case)
	StringLit             // Text with escapes resolved
	BinaryLit             // X'1F': Text in hex
	TypedLit              // TypeName 'text': DATE, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_LTZ, TIME, DECIMAL, CHAR, JSON, UUID …
)

type (
	// Ident is a column or field reference of one or more parts.
	Ident struct {
		At
		Parts []Name
		// Frame is the Identified relation whose column it is (df.Col); 0: any relation in scope.
		Frame int64
	}
	// Star is * or t.*, with Spark's EXCEPT list.
	Star struct {
		At
		Qualifier []Name
		Row       Expr // Trino: row.*, of an expression that is no name
		Except    []Ident
		Frame     int64 // as in Ident: df.Col("*")
	}
	// Literal is a constant.
	Literal struct {
		At
		Kind     LiteralKind
		Text     string
		Suffix   string
		TypeName string
	}
	// Interval is INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH, INTERVAL 3 DAYS 2 HOURS, INTERVAL '3 days'.
	Interval struct {
		At
		Parts []IntervalPart
		// To is set for 'x' FROM TO TO forms; Text holds a quoted text without units.
		To   string
		Text string
	}
	// Unary is -x, +x, ~x, NOT x (Op "NOT").
	Unary struct {
		At
		Op string
		X  Expr
	}
	// Binary is an infix operator: + - * / % DIV || & | ^ << >> >>> = <> < <= > >= <=> AND OR. "==" and "!=" arrive as = and <>.
	Binary struct {
		At
		Op   string
		L, R Expr
	}
	// Between is x [NOT] BETWEEN lo AND hi.
	Between struct {
		At
		X, Lo, Hi Expr
		Not       bool
	}
	// In is x [NOT] IN (list | query). A left side of several columns is a Tuple.
	In struct {
		At
		X     Expr
		List  []Expr
		Query *Query
		Not   bool
	}
	// Like is x [NOT] LIKE | ILIKE | RLIKE pattern [ESCAPE e], or LIKE ANY | ALL (patterns).
	Like struct {
		At
		Op         string // LIKE, ILIKE, RLIKE
		X, Pattern Expr
		Escape     Expr
		Quantifier string // "", ANY, ALL
		Patterns   []Expr
		Not        bool
	}
	// Is is x IS [NOT] NULL | TRUE | FALSE | UNKNOWN.
	Is struct {
		At
		X    Expr
		What string // NULL, TRUE, FALSE, UNKNOWN
		Not  bool
	}
	// IsDistinct is l IS [NOT] DISTINCT FROM r.
	IsDistinct struct {
		At
		L, R Expr
		Not  bool
	}
	// Quantified is x op ANY|ALL (query) (Trino).
	Quantified struct {
		At
		Op, Quantifier string
		X              Expr
		Query          *Query
	}
	// Case is both CASE forms.
	Case struct {
		At
		Operand Expr
		Whens   []When
		Else    Expr
	}
	// Cast is CAST, TRY_CAST and x::type.
	Cast struct {
		At
		X    Expr
		Type *TypeName
		Try  bool
		Call bool // written as a function of the type's name: int(x)
	}
	// Call is a function call. count(*) has one Star argument. Forms with words of their own arrive as plain calls: substring, trim |
	// ltrim | rtrim (Spark: characters, text; Trino: text, characters), overlay, locate (Spark's POSITION), strpos (Trino's),
	// timestampadd and timestampdiff with the unit as a StringLit of TypeName UNIT, Trino's current_date and its like. In Spark
	// current_date without parentheses is an Ident, which a column of that name may shadow.
	Call struct {
		At
		Name        []Name
		Args        []Arg
		Distinct    bool
		OrderBy     []SortItem // inside the parentheses (Trino), or WITHIN GROUP
		WithinGroup bool
		Filter      Expr
		Nulls       string // "", IGNORE, RESPECT
		Over        *WindowSpec
	}
	// Lambda is x -> e or (x, y) -> e.
	Lambda struct {
		At
		Params []Name
		Body   Expr
	}
	// Subscript is x[i].
	Subscript struct {
		At
		X, Index Expr
	}
	// Field is x.name where x is not a plain name: f(x).name, arr[0].name.
	Field struct {
		At
		X    Expr
		Name Name
	}
	// JSONPath is col:path (Spark 4 has it for VARIANT only; refused by the analyzer).
	JSONPath struct {
		At
		X    Expr
		Path string
	}
	// Subquery is a scalar subquery.
	Subquery struct {
		At
		Query *Query
	}
	// Exists is EXISTS (query).
	Exists struct {
		At
		Query *Query
	}
	// Tuple is (a, b); ROW(a, b) in Trino has Row set.
	Tuple struct {
		At
		Items []Expr
		Row   bool
	}
	// ArrayLit is Trino's ARRAY[…].
	ArrayLit struct {
		At
		Items []Expr
	}
	// AtTimeZone is x AT TIME ZONE z (Trino).
	AtTimeZone struct {
		At
		X, Zone Expr
	}
	// JSONFunc is one of the SQL standard's JSON functions (Trino): JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT or JSON_ARRAY.
	JSONFunc struct {
		At
		Name string // lower case
		// Input is what Path is looked for in, Passing the path's variables.
		Input   JSONItem
		Path    *Literal
		Passing []JSONItem
		// Items are an object's members or an array's elements. AbsentNull leaves out those that are NULL; Unique forbids two of one key.
		Items              []JSONItem
		AbsentNull, Unique bool
		Returning          *TypeName // nil: the function's own
		// Wrapper is CONDITIONAL or UNCONDITIONAL, or empty; OmitQuotes gives a lone text as it is.
		Wrapper          string
		OmitQuotes       bool
		OnEmpty, OnError JSONAnswer
	}
	// Extract is EXTRACT(field FROM x).
	Extract struct {
		At
		Field string
		X     Expr
	}
	// Param is ? (Name empty, Index from 0) or :name.
	Param struct {
		At
		Name  string
		Index int
	}
	// Aliased is a select item with a name: e AS a, or e AS (a, b) for generators.
	Aliased struct {
		At
		X     Expr
		Names []Name
	}
	// Grouping is ROLLUP(…), CUBE(…), GROUPING SETS(…) inside GROUP BY. Exprs are those of Spark's GROUP BY a, b GROUPING SETS (…):
	// all of them are groups.
	Grouping struct {
		At
		Kind  string
		Exprs []Expr
		Sets  [][]Expr
	}
	// SortKey is an expression with an order, where the DataFrame API passes one as a column.
	SortKey struct {
		At
		Item SortItem
	}
	// Default is DEFAULT in VALUES or SET.
	Default struct{ At }
)

// IntervalPart is one value and its unit (singular, upper case).
type IntervalPart struct {
	Value Expr
	Unit  string
}

// When is a branch of CASE.
type When struct{ Cond, Then Expr }

// Arg is an argument, named (name => e) or not.
type Arg struct {
	Name *Name
	X    Expr
}

// SortItem is an ORDER BY item. Nulls is "", FIRST or LAST.
type SortItem struct {
	X     Expr
	Desc  bool
	Nulls string
}

// WindowSpec is OVER name, or OVER (…): Body is the place of what stands in the parentheses, OrderAt that of ORDER BY.
type WindowSpec struct {
	At
	Body, OrderAt At
	Ref           *Name
	PartitionBy   []Expr
	OrderBy       []SortItem
	Frame         *Frame
}

// Frame is ROWS | RANGE | GROUPS BETWEEN start AND end.
type Frame struct {
	At
	Unit       string
	Start, End Bound
}

// Bound is UNBOUNDED PRECEDING | n PRECEDING | CURRENT ROW | n FOLLOWING | UNBOUNDED FOLLOWING.
type Bound struct {
	Kind string // "UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"
	N    Expr
}

// TypeName is a type as written. Name is upper case; Args are precision and scale; nested types hang below.
type TypeName struct {
	At
	Name   string // INT, DECIMAL, ARRAY, MAP, STRUCT (ROW), "TIMESTAMP WITH TIME ZONE", "INTERVAL DAY TO SECOND" …
	Args   []int
	Elems  []*TypeName // ARRAY: 1, MAP: 2
	Fields []ColumnDef // STRUCT / ROW (Trino: fields may lack a name)
}

// ColumnDef is a column of a table or a field of a struct.
type ColumnDef struct {
	At
	Name    Name   // of a nested column in ALTER: the last part
	Path    []Name // ALTER TABLE ADD COLUMN a.b: the whole path; else nil
	Type    *TypeName
	NotNull bool
	Comment *string
	Default Expr
	// DefaultText is Default as it is written.
	DefaultText string
	// Generated is "generated columns" or "identity columns" for a column GENERATED ….
	Generated string
	First     bool
	After     *Name
}

func (*Ident) expr()      {}
func (*Star) expr()       {}
func (*Literal) expr()    {}
func (*Interval) expr()   {}
func (*Unary) expr()      {}
func (*Binary) expr()     {}
func (*Between) expr()    {}
func (*In) expr()         {}
func (*Like) expr()       {}
func (*Is) expr()         {}
func (*IsDistinct) expr() {}
func (*Quantified) expr() {}
func (*Case) expr()       {}
func (*Cast) expr()       {}
func (*Call) expr()       {}
func (*Lambda) expr()     {}
func (*Subscript) expr()  {}
func (*Field) expr()      {}
func (*JSONPath) expr()   {}
func (*Subquery) expr()   {}
func (*Exists) expr()     {}
func (*Tuple) expr()      {}
func (*ArrayLit) expr()   {}
func (*AtTimeZone) expr() {}
func (*JSONFunc) expr()   {}
func (*Extract) expr()    {}
func (*Param) expr()      {}
func (*Aliased) expr()    {}
func (*Grouping) expr()   {}
func (*SortKey) expr()    {}
func (*Default) expr()    {}

// JSONItem is a value that goes into a JSON function.
type JSONItem struct {
	X   Expr
	Key Expr // of an object's member
	// Name is that of a path's variable.
	Name *Name
	// Format is empty, JSON for a text that holds JSON, or the encoding of bytes that do: UTF8, UTF16, UTF32.
	Format string
}

// JSONAnswer is what a JSON function gives where there is nothing to give: NULL, ERROR, DEFAULT, TRUE, FALSE, UNKNOWN, EMPTY ARRAY or
// EMPTY OBJECT; empty: the function's own.
type JSONAnswer struct {
	What    string
	Default Expr
}
