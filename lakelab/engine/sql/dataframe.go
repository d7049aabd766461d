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
	// DropColumns drops columns that exist and ignores others (DataFrame.drop).
	DropColumns struct {
		At
		Rel   Relation
		Names []string
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
