package sql

import "mini-lakehouse-lab/lakelab/types"

// Nodes that only the DataFrame API makes: relations that need the child's schema before they mean anything.
type (
	// WithColumns adds or replaces columns, in place (DataFrame.withColumns).
	WithColumns struct {
		At
		Rel   Relation
		Names []string
		Exprs []Expr
	}
	// RenameColumns renames columns that exist and ignores others (DataFrame.withColumnsRenamed).
	RenameColumns struct {
		At
		Rel      Relation
		Old, New []string
	}
	// DropColumns drops columns that exist and ignores others (DataFrame.drop): by name, or by what a column resolves to.
	DropColumns struct {
		At
		Rel     Relation
		Names   []string
		Columns []Expr
	}
	// Identified is a DataFrame that columns refer to: Ident.Frame is its Frame.
	Identified struct {
		At
		Rel   Relation
		Frame int64
	}
	// ToDF renames all columns by position.
	ToDF struct {
		At
		Rel   Relation
		Names []string
	}
	// DropDuplicates keeps one row for each combination of the named columns; no names means all.
	DropDuplicates struct {
		At
		Rel   Relation
		Names []string
	}
	// UpdateField is Column.withField, or Column.dropFields where Value is nil. A path goes into nested structs.
	UpdateField struct {
		At
		X     Expr
		Paths [][]Name
		Value Expr
	}
	// Files are files that a DataFrameReader reads, or FROM format.`path` and USING format. Option names are in lower case.
	Files struct {
		At
		Format  string
		Paths   []string
		Options map[string]string
		Schema  *types.Type // Struct; nil: found in the files
	}
	// SaveFiles is DataFrameWriter.save: the query's rows as files in a folder.
	SaveFiles struct {
		At
		Path, Format, Mode string // Mode: error, append, overwrite, ignore
		Options            map[string]string
		PartitionBy        []string
		Query              *Query
	}
	// Opened is a source at hand: Source is a plan.Source.
	Opened struct {
		At
		Source any
	}
	// LocalRows are rows that a client or a command brought along.
	LocalRows struct {
		At
		Schema types.Type // Struct
		Rows   [][]any
	}
)

func (*WithColumns) relation()    {}
func (*RenameColumns) relation()  {}
func (*DropColumns) relation()    {}
func (*ToDF) relation()           {}
func (*DropDuplicates) relation() {}
func (*LocalRows) relation()      {}
func (*Identified) relation()     {}
func (*Files) relation()          {}
func (*Opened) relation()         {}

func (*UpdateField) expr() {}

func (*SaveFiles) statement() {}
