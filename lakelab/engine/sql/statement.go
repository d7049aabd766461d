package sql

import "mini-lakehouse-lab/lakelab/engine/sql/token"

// Statement is anything Parse returns.
type Statement interface {
	Node
	statement()
}

// Property is a key and its value in TBLPROPERTIES, OPTIONS or WITH (…).
type Property struct {
	At
	Key   string
	Value Expr
}

// Transform is a partition transform: identity (Name ""), years, months, days, hours, bucket, truncate.
type Transform struct {
	At
	Name   string
	Args   []Expr // columns as *Ident, numbers as *Literal
	Column *ColumnDef
	Alias  *Name
}

type (
	// QueryStmt is a query.
	QueryStmt struct {
		At
		Query *Query
	}
	// CreateTable is CREATE [OR REPLACE] TABLE, with a query (CTAS, RTAS) or columns. Replace alone is REPLACE TABLE.
	CreateTable struct {
		At
		Name          []Name
		OrReplace     bool
		ReplaceOnly   bool
		IfNotExists   bool
		External      bool
		Like          []Name
		Columns       []ColumnDef
		Using         string
		PartitionedBy []Transform
		SortedBy      []SortItem // Trino's property sorted_by
		Properties    []Property
		Options       []Property
		Write         []Property // the options of the writer of AsQuery's rows (DataFrameWriterV2.option)
		Location      *string
		Comment       *string
		AsQuery       *Query
		WithNoData    bool   // Trino
		StoredAs      string // STORED AS format (Hive)
		InputFormat   string // STORED AS INPUTFORMAT … OUTPUTFORMAT …: classes
		OutputFormat  string
		Serde         string // ROW FORMAT SERDE: a class
		ColumnNames   []Name // Trino: CREATE TABLE t (a, b) AS query
		Saved         bool   // by DataFrameWriter.saveAsTable: OrReplace is its mode overwrite
		LikeTables    []TableLike
	}
	// CreateView is CREATE [OR REPLACE] [TEMP] VIEW AS query, or CREATE TEMP VIEW USING format OPTIONS (…).
	CreateView struct {
		At
		Name        []Name
		OrReplace   bool
		IfNotExists bool
		Temporary   bool
		Global      bool
		Columns     []ColumnDef
		Comment     *string
		Properties  []Property
		AsQuery     *Query
		QueryText   string
		Security    string // Trino: DEFINER, INVOKER
		Using       string
		Options     []Property
	}
	// CreateNamespace is CREATE SCHEMA | DATABASE | NAMESPACE.
	CreateNamespace struct {
		At
		Name        []Name
		IfNotExists bool
		Comment     *string
		Location    *string
		Properties  []Property
		Owner       string // Trino's AUTHORIZATION; empty: whoever makes it
		OwnedByRole bool   // Owner is a role
	}
	// Drop is DROP TABLE | VIEW | NAMESPACE.
	Drop struct {
		At
		Kind     string // TABLE, VIEW, NAMESPACE
		Name     []Name
		IfExists bool
		Purge    bool
		Cascade  bool
	}
	// Insert is INSERT INTO | OVERWRITE.
	Insert struct {
		At
		Table     []Name
		Overwrite bool
		ByName    bool
		Columns   []Name
		Partition []PartitionValue
		// IfNotExists is OVERWRITE … PARTITION (…) IF NOT EXISTS (Spark).
		IfNotExists bool
		// Dynamic replaces the partitions that the rows fall into, whatever the session says (DataFrameWriterV2.overwritePartitions).
		Dynamic bool
		// ReplaceWhere is INSERT INTO t REPLACE WHERE condition (Spark).
		ReplaceWhere Expr
		Options      []Property
		Query        *Query
		// Saved is what DataFrameWriter.saveAsTable said of a table that is there already; nil for any other INSERT.
		Saved *SavedTable
	}
	// MultiInsert is FROM t INSERT … SELECT … INSERT … SELECT …: one source, several targets (Spark).
	MultiInsert struct {
		At
		Parts []Statement // Insert or InsertDirectory; their queries have the same FROM
	}
	// InsertDirectory is INSERT OVERWRITE [LOCAL] DIRECTORY, which writes files of a format.
	InsertDirectory struct {
		At
		Path    *string // nil: it is in Options
		Using   string
		Options []Property
		Query   *Query
	}
	// Delete is DELETE FROM t WHERE.
	Delete struct {
		At
		With  *With
		Table *TableRef
		Where Expr
	}
	// Update is UPDATE t SET … WHERE.
	Update struct {
		At
		With  *With
		Table *TableRef
		Set   []Assignment
		Where Expr
	}
	// Merge is MERGE INTO.
	Merge struct {
		At
		With   *With
		Target *TableRef
		Source Relation
		On     Expr
		When   []MergeWhen
	}
	// Truncate is TRUNCATE TABLE.
	Truncate struct {
		At
		Table     []Name
		Partition []PartitionValue
	}
	// AlterNamespace is ALTER NAMESPACE SET | UNSET PROPERTIES, SET LOCATION; Trino's RENAME TO.
	AlterNamespace struct {
		At
		Name       []Name
		Properties []Property
		UnsetKeys  []string
		Location   *string
		RenameTo   *Name
	}
	// AlterTable is ALTER TABLE (or VIEW) with its actions.
	AlterTable struct {
		At
		Name     []Name
		View     bool
		IfExists bool
		Actions  []AlterAction
	}
	// CallProc is CALL cat.system.proc(…).
	CallProc struct {
		At
		Name []Name
		Args []Arg
	}
	// Describe is DESCRIBE [TABLE] [EXTENDED] t [col], DESCRIBE QUERY, NAMESPACE, FUNCTION; Trino's INPUT, OUTPUT.
	Describe struct {
		At
		What     string // TABLE, QUERY, NAMESPACE, FUNCTION, INPUT, OUTPUT
		Name     []Name
		Column   []Name
		Extended bool
		// Formatted is DESCRIBE FORMATTED: the same as EXTENDED, but for its name in plans.
		Formatted bool
		Partition []PartitionValue
		JSON      bool // AS JSON
		Query     *Query
	}
	// Show is SHOW what …: TABLES, VIEWS, NAMESPACES, CATALOGS, COLUMNS, CREATE TABLE, CREATE VIEW, TBLPROPERTIES, PARTITIONS,
	// FUNCTIONS, SESSION, STATS.
	Show struct {
		At
		What string
		Name []Name // IN | FROM, or the object
		Like *string
		Key  string // SHOW TBLPROPERTIES t ('key'); SHOW USER | SYSTEM | ALL FUNCTIONS
		// Escape is Trino's LIKE … ESCAPE.
		Escape    *string
		Partition []PartitionValue // SHOW PARTITIONS t PARTITION (…), SHOW TABLE EXTENDED
		Query     *Query           // SHOW STATS FOR (query)
		Serde     bool             // SHOW CREATE TABLE t AS SERDE
	}
	// Use is USE [CATALOG|NAMESPACE] name.
	Use struct {
		At
		What string // "", CATALOG, NAMESPACE
		Name []Name
	}
	// Set is SET key[=value], SET, SET TIME ZONE; Trino's SET SESSION. Reset is RESET.
	Set struct {
		At
		Key      string
		Value    *string
		X        Expr // Trino: SET SESSION k = e
		Reset    bool
		Trino    bool
		TimeZone bool // Trino: SET TIME ZONE
		Listed   bool // SET alone, or SET -v
	}
	// Explain is EXPLAIN [mode] statement.
	Explain struct {
		At
		Mode      string // Spark: "", EXTENDED, CODEGEN, COST, FORMATTED
		Type      string // Trino: "", LOGICAL, DISTRIBUTED, VALIDATE, IO
		Format    string // Trino: "", TEXT, GRAPHVIZ, JSON
		Analyze   bool
		Verbose   bool
		Statement Statement
		Text      string // Trino: the statement as written
	}
	// Cache is CACHE [LAZY] TABLE name [AS query] | UNCACHE TABLE | CLEAR CACHE | REFRESH TABLE.
	Cache struct {
		At
		What     string // CACHE, UNCACHE, CLEAR, REFRESH
		Name     []Name
		Path     *string // REFRESH 'path'
		Lazy     bool
		IfExists bool
		Options  []Property
		Query    *Query
	}
	// Comment is Trino's COMMENT ON TABLE | COLUMN | VIEW … IS.
	Comment struct {
		At
		On   string
		Name []Name
		Text *string
	}
	// Prepare, Execute and Deallocate are Trino's prepared statements.
	Prepare struct {
		At
		Name      Name
		Statement Statement
		Text      string
	}
	// Execute runs a prepared statement, or a text (IMMEDIATE), which in Spark may be a variable's value.
	Execute struct {
		At
		Name        *Name
		Immediate   *string
		ImmediateAt token.Pos // where the text begins, after its quote
		Variable    []Name    // Spark
		Into        [][]Name  // Spark: the variables that take the row
		Using       []Expr
	}
	// DeclareVariable is Spark's DECLARE [OR REPLACE] [VARIABLE] name [type] [DEFAULT e].
	DeclareVariable struct {
		At
		Name      []Name
		OrReplace bool
		Type      *TypeName
		Default   Expr
	}
	// CreateFunction is Spark's CREATE [OR REPLACE] [TEMPORARY] FUNCTION name(parameters) RETURNS type RETURN body. Query is set
	// where the body is a query alone; Body then holds it as a scalar subquery.
	CreateFunction struct {
		At
		Name        []Name
		OrReplace   bool
		IfNotExists bool
		Temporary   bool
		Params      []ColumnDef
		Returns     *TypeName // nil: what the body gives
		Table       bool
		Columns     []ColumnDef // of a table; nil: what the query gives
		Comment     *string
		Body        Expr
		Query       *Query
		// ParamsText and BodyText are these as written; DESCRIBE FUNCTION shows them, and the characteristics.
		ParamsText, BodyText string
		NotDeterministic     bool
		SQLAccess            string // CONTAINS, READS; else empty
	}
	// DropFunction is Spark's DROP [TEMPORARY] FUNCTION [IF EXISTS] name.
	DropFunction struct {
		At
		Name      []Name
		Temporary bool
		IfExists  bool
	}
	// SetVariable is Spark's SET VARIABLE a = e, b = DEFAULT, or SET VARIABLE (a, b) = (query): then Query is set and no Value.
	SetVariable struct {
		At
		Set   []Assignment
		Query *Query
	}
	// DropVariable is Spark's DROP TEMPORARY VARIABLE [IF EXISTS] name.
	DropVariable struct {
		At
		Name     []Name
		IfExists bool
	}
	// Deallocate forgets a prepared statement.
	Deallocate struct {
		At
		Name Name
	}
	// Transaction is START TRANSACTION | COMMIT | ROLLBACK (Trino).
	Transaction struct {
		At
		What     string
		ReadOnly bool // START TRANSACTION READ ONLY
	}
	// Analyze is ANALYZE TABLE, or ANALYZE TABLES.
	Analyze struct {
		At
		Table      []Name // of Tables: their namespace; nil: the session's
		Tables     bool
		Partition  []PartitionValue
		NoScan     bool
		Columns    []Name
		AllColumns bool
		Properties []Property // Trino: WITH (…)
	}
	// Repair is MSCK REPAIR TABLE (Hive tables only).
	Repair struct {
		At
		Table []Name
		Mode  string
	}
)

// SavedTable is the format (empty: any) and the partitioning that saveAsTable gives a table, and whether it gives it buckets.
type SavedTable struct {
	Format      string
	PartitionBy []string
	Bucketed    bool
}

// TableLike is LIKE t [INCLUDING PROPERTIES] among the columns of a CREATE TABLE (Trino); Before counts the columns in front of it.
type TableLike struct {
	At
	Name       []Name
	Properties bool
	Before     int
}

// PartitionValue is d = 'x' (static) or d (dynamic) in a PARTITION clause.
type PartitionValue struct {
	Name  Name
	Value Expr
}

// Assignment is column = value.
type Assignment struct {
	Column Ident
	Value  Expr
}

// MergeWhen is one WHEN clause.
type MergeWhen struct {
	At
	Kind    string // MATCHED, NOT MATCHED, NOT MATCHED BY SOURCE
	Cond    Expr
	Action  string // UPDATE, DELETE, INSERT
	Star    bool
	Set     []Assignment
	Columns []Ident
	Values  []Expr
}

// AlterAction is one change; Kind names it and says which fields are used.
type AlterAction struct {
	At
	// Kind: ADD COLUMNS (Columns), DROP COLUMNS (Paths), RENAME COLUMN (Path, To), ALTER COLUMN (Path and one of Type, Comment,
	// SetNotNull, DropNotNull, First, After, Default), RENAME TO (NewName), SET PROPERTIES (Properties), UNSET PROPERTIES (Keys),
	// ADD PARTITION FIELD (Transform), DROP PARTITION FIELD (Transform), REPLACE PARTITION FIELD (Transform, With),
	// WRITE ORDER (Order, Distribution, Locally, Unordered), SET IDENTIFIER FIELDS, DROP IDENTIFIER FIELDS (Paths),
	// CREATE BRANCH, CREATE TAG, DROP BRANCH, DROP TAG, REPLACE … (Ref), SET LOCATION (Text, Partitions), EXECUTE (To, Args, Where),
	// ADD PARTITION (Partitions, Locations), DROP PARTITION (Partitions, Purge), RENAME PARTITION (Partitions: from, to),
	// RECOVER PARTITIONS, REPLACE COLUMNS (Columns), AS QUERY (Query, QueryText); Trino: SET DATA TYPE arrives as ALTER COLUMN.
	Kind         string
	IfExists     bool
	IfNotExists  bool
	Columns      []ColumnDef
	Path         []Name
	Paths        [][]Name
	To           Name
	NewName      []Name
	Type         *TypeName
	Comment      *string
	SetNotNull   bool
	DropNotNull  bool
	First        bool
	After        *Name
	Default      Expr
	Properties   []Property
	Keys         []string
	Transform    *Transform
	With         *Transform
	Order        []SortItem
	Distribution string
	Locally      bool
	Unordered    bool
	Ref          *RefSpec
	Text         string
	Args         []Arg
	Where        Expr
	Partitions   [][]PartitionValue
	Locations    []*string // one for each of Partitions; nil: none
	Purge        bool
	DropDefault  bool
	Query        *Query
	QueryText    string
}

// RefSpec is a branch or a tag with its retention.
type RefSpec struct {
	Name         Name
	OrReplace    bool
	AsOf         Expr
	RetainMillis *int64 // nil: not said, as with the others
	KeepMillis   *int64
	KeepCount    *int
}

func (*QueryStmt) statement()       {}
func (*CreateTable) statement()     {}
func (*CreateView) statement()      {}
func (*CreateNamespace) statement() {}
func (*Drop) statement()            {}
func (*Insert) statement()          {}
func (*InsertDirectory) statement() {}
func (*MultiInsert) statement()     {}
func (*Delete) statement()          {}
func (*Update) statement()          {}
func (*Merge) statement()           {}
func (*Truncate) statement()        {}
func (*AlterTable) statement()      {}
func (*AlterNamespace) statement()  {}
func (*CallProc) statement()        {}
func (*Describe) statement()        {}
func (*Show) statement()            {}
func (*Use) statement()             {}
func (*Set) statement()             {}
func (*Explain) statement()         {}
func (*Cache) statement()           {}
func (*Comment) statement()         {}
func (*Prepare) statement()         {}
func (*Execute) statement()         {}
func (*Deallocate) statement()      {}
func (*DeclareVariable) statement() {}
func (*SetVariable) statement()     {}
func (*CreateFunction) statement()  {}
func (*DropFunction) statement()    {}
func (*DropVariable) statement()    {}
func (*Transaction) statement()     {}
func (*Analyze) statement()         {}
func (*Repair) statement()          {}

// Access is a statement about roles, privileges, owners or functions (Trino). There are none here: it is refused as Trino refuses it, or
// has nothing to show.
type Access struct {
	At
	// Kind is CREATE ROLE, DROP ROLE, GRANT, REVOKE, DENY, GRANT ROLES, REVOKE ROLES, SET ROLE, SET PATH, SET AUTHORIZATION,
	// [RE]SET SESSION AUTHORIZATION, SHOW ROLES, SHOW CURRENT ROLES, SHOW ROLE GRANTS, SHOW GRANTS, FUNCTION, CREATE CATALOG or DROP CATALOG.
	Kind     string
	Role     *Name    // or the user of SET SESSION AUTHORIZATION; nil: ALL or NONE
	Path     [][]Name // of SET PATH: schemas, perhaps with their catalogs
	Text     string   // of SET PATH: the path as it was written
	Catalog  *Name
	On       string // TABLE, SCHEMA or VIEW
	Name     []Name // of what the privileges are on, or of CREATE FUNCTION
	IfExists bool
}

// Materialized is a statement about a materialized view (Trino).
type Materialized struct {
	At
	Kind       string // CREATE, REFRESH, DROP, RENAME, SET PROPERTIES, SET AUTHORIZATION or SHOW CREATE
	Name       []Name
	IfExists   bool // or IF NOT EXISTS
	Properties []Property
}

func (*Access) statement()       {}
func (*Materialized) statement() {}
