package sql

// Query is a whole query expression: WITH … body ORDER BY … LIMIT ….
type Query struct {
	At
	With         *With
	Body         Body
	OrderBy      []SortItem
	SortBy       []SortItem
	DistributeBy []Expr
	ClusterBy    []Expr
	Windows      []NamedWindow // Spark: WINDOW clause
	Limit        Expr          // nil: none, or LIMIT ALL
	Offset       Expr
	WithTies     bool // Trino: FETCH FIRST n ROWS WITH TIES
	LimitAt      At   // Trino: the LIMIT or FETCH clause
}

// With is a WITH clause.
type With struct {
	Recursive bool
	Functions []Routine // Trino: WITH FUNCTION
	CTEs      []CTE
}

// Routine is a function that a query brings along (Trino). Strict gives NULL for arguments of which one is NULL.
type Routine struct {
	At
	Name    Name
	Params  []ColumnDef
	Returns *TypeName
	Strict  bool
	Body    []RoutineStep
}

// RoutineStep is a statement of a function's body: RETURN Value; SET Name = Value; DECLARE Names Type DEFAULT Value; or IF, whose
// branches are in Whens with the ELSE branch last, its condition nil.
type RoutineStep struct {
	At
	Kind  string // RETURN, SET, DECLARE, IF
	Names []Name
	Type  *TypeName
	Value Expr
	Whens []RoutineBranch
}

// RoutineBranch is a branch of IF.
type RoutineBranch struct {
	Cond  Expr
	Steps []RoutineStep
}

// CTE is one named query.
type CTE struct {
	Name    Name
	Columns []Name
	Query   *Query
}

// NamedWindow is WINDOW name AS (…).
type NamedWindow struct {
	Name Name
	Spec WindowSpec
}

// Body is *Select, *SetOp, *Values, *Table or a parenthesised *Query.
type Body interface {
	Node
	body()
}

type (
	// Select is one SELECT block. Spark's FROM t SELECT a arrives in the same form.
	Select struct {
		At
		Hints        []Call
		Distinct     bool
		Items        []Expr // *Aliased where a name was given
		From         []Relation
		Laterals     []LateralView
		Where        Expr
		GroupBy      []Expr // items, with *Grouping among them
		GroupByAll   bool
		GroupByEmpty bool // GROUP BY ()
		Having       Expr
		Windows      []NamedWindow
		// Pipe is the operator of Spark's |> that this SELECT stands for: SELECT, EXTEND, AGGREGATE, or empty.
		Pipe string
		// Below lets WHERE and ORDER BY read columns that FROM's projections left out: DataFrame.filter and sort.
		Below bool
	}
	// SetOp is UNION | INTERSECT | EXCEPT, ALL or DISTINCT. ByName is the DataFrame's unionByName.
	SetOp struct {
		At
		Op           string
		All          bool
		ByName       bool
		AllowMissing bool
		L, R         Body
		OpAt         At // the word UNION, EXCEPT or INTERSECT
	}
	// Values is VALUES (…), (…). A row of one column may come without parentheses: Rows still has one item.
	Values struct {
		At
		Rows [][]Expr
	}
	// Table is TABLE name.
	Table struct {
		At
		Rel *TableRef
	}
)

func (*Query) body()  {}
func (*Select) body() {}
func (*SetOp) body()  {}
func (*Values) body() {}
func (*Table) body()  {}

// LateralView is LATERAL VIEW [OUTER] f(x) tbl AS a, b.
type LateralView struct {
	At
	Outer   bool
	Call    *Call
	Table   *Name
	Columns []Name
}

// Relation is an item of FROM.
type Relation interface {
	Node
	relation()
}

// Alias names a relation and, optionally, its columns.
type Alias struct {
	Name    *Name
	Columns []Name
}

// TimeTravel is [FOR] VERSION | TIMESTAMP AS OF e.
type TimeTravel struct {
	At
	Version bool
	X       Expr
}

// Sample is TABLESAMPLE.
type Sample struct {
	Kind      string // PERCENT, ROWS, BUCKET; Trino: BERNOULLI, SYSTEM (percent)
	X         Expr
	Out, Of   int // BUCKET x OUT OF y
	Seed      Expr
	Repeatble bool
}

type (
	// TableRef is a table, view, metadata table (t.snapshots, "t$snapshots") or file (parquet.`path`).
	TableRef struct {
		At
		Name    []Name
		Travel  *TimeTravel
		Options map[string]string // WITH (k = v) on a Spark table, or DataFrameReader options
		Sample  *Sample
		Alias   Alias
	}
	// Derived is a subquery in FROM. Transparent ones come from the DataFrame API and pipes: their columns keep
	// their qualifiers, as after df.alias("a").select("x").
	Derived struct {
		At
		Query       *Query
		Lateral     bool
		Transparent bool
		// Meta names columns of the query that are a table's hidden ones, such as _metadata.
		Meta   []string
		Sample *Sample
		Alias  Alias
	}
	// Join joins two relations.
	Join struct {
		At
		Kind    string // INNER, LEFT, RIGHT, FULL, SEMI, ANTI, CROSS
		Natural bool
		Lateral bool
		L, R    Relation
		On      Expr
		Using   []Name
	}
	// TableFunc is a table-valued function: range(10), explode(…), TABLE(sequence(…)).
	TableFunc struct {
		At
		Call    *Call
		Alias   Alias
		Lateral bool
	}
	// ValuesRel is VALUES … AS t(a, b) in FROM.
	ValuesRel struct {
		At
		Values *Values
		Alias  Alias
	}
	// Unnest is Trino's UNNEST(…) [WITH ORDINALITY].
	Unnest struct {
		At
		Exprs      []Expr
		Ordinality bool
		Alias      Alias
	}
	// Pivot is rel PIVOT (aggs FOR cols IN (values)).
	Pivot struct {
		At
		Rel    Relation
		Aggs   []Expr
		For    []Expr
		In     []Expr // *Aliased for named values; *Tuple for several columns
		Alias  Alias
		Groups []Expr // DataFrame: groupBy(…).pivot(…)
	}
	// PipeSet is Spark's rel |> SET a = e: it replaces columns that exist, one after the other.
	PipeSet struct {
		At
		Rel Relation
		Set []Assignment
	}
	// Unpivot is rel UNPIVOT [INCLUDE NULLS] (v FOR n IN (…)).
	Unpivot struct {
		At
		Rel          Relation
		IncludeNulls bool
		Values       []Name
		NameColumn   Name
		Columns      []UnpivotItem
		Alias        Alias
	}
)

// UnpivotItem is one IN entry of UNPIVOT.
type UnpivotItem struct {
	Columns []Ident
	Alias   *Name
}

func (*TableRef) relation()  {}
func (*Derived) relation()   {}
func (*Join) relation()      {}
func (*TableFunc) relation() {}
func (*ValuesRel) relation() {}
func (*Unnest) relation()    {}
func (*Pivot) relation()     {}
func (*Unpivot) relation()   {}
func (*PipeSet) relation()   {}
