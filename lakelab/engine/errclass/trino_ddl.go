package errclass

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Trino's errors about tables, columns and schemas.

// TrinoNoSchema is CREATE TABLE in a schema that does not exist.
func TrinoNoSchema(name string) *Error {
	return trinoUser("NOT_FOUND", "Schema "+name+" not found").Nowhere()
}

// TrinoConnector is something that a catalog does not do.
func TrinoConnector(what string) *Error {
	return trinoUser("NOT_SUPPORTED", "This connector does not support "+what)
}

// TrinoTableExists is CREATE TABLE of a table that is there; asQuery says that it was CREATE TABLE AS.
func TrinoTableExists(name []string, asQuery bool) *Error {
	what := "Table"
	if asQuery {
		what = "Destination table"
	}
	return trinoUser("TABLE_ALREADY_EXISTS", what+" '"+strings.Join(name, ".")+"' already exists")
}

// TrinoLikeTable is a LIKE among the columns of CREATE TABLE whose table is not there.
func TrinoLikeTable(name []string) *Error {
	return trinoUser("TABLE_NOT_FOUND", "LIKE table '"+strings.Join(name, ".")+"' does not exist")
}

// TrinoLocationTaken is a new table's location that is not empty.
func TrinoLocationTaken(location string) *Error {
	return trinoUser("ICEBERG_FILESYSTEM_ERROR", "Cannot create a table on a non-empty location: "+location+", set 'iceberg.unique-table-location=true' in your Iceberg catalog properties to use unique table locations for every table.").Nowhere()
}

// TrinoLikeCatalog is one whose catalog is not there.
func TrinoLikeCatalog(name string) *Error {
	return trinoUser("CATALOG_NOT_FOUND", "LIKE table catalog '"+name+"' not found")
}

// TrinoTargetExists is RENAME TO a table that is there.
func TrinoTargetExists(name []string) *Error {
	return trinoUser("TABLE_ALREADY_EXISTS", "Target table '"+strings.Join(name, ".")+"' already exists")
}

// TrinoTargetIsView is RENAME TO a name that a view has.
func TrinoTargetIsView(name []string) *Error {
	return trinoUser("GENERIC_USER_ERROR", "Target table '"+strings.Join(name, ".")+"' does not exist, but a view with that name exists.")
}

// TrinoTargetCatalog is RENAME TO a catalog that does not exist.
func TrinoTargetCatalog(name string) *Error {
	return trinoUser("CATALOG_NOT_FOUND", "Target catalog '"+name+"' not found")
}

// TrinoViewDialect is a view whose query is kept in another engine's dialect only.
func TrinoViewDialect(dialect, view string) *Error {
	return trinoUser("ICEBERG_UNSUPPORTED_VIEW_DIALECT", "Cannot read unsupported dialect '"+dialect+"' for view '"+view+"'").Nowhere()
}

// TrinoViewProperty is a property of a view, of which Iceberg's catalogs have none.
func TrinoViewProperty(catalog, name string) *Error {
	return trinoUser("INVALID_VIEW_PROPERTY", "Catalog '"+catalog+"' view property '"+name+"' does not exist")
}

// TrinoNegativeRows is a LIMIT, OFFSET or FETCH FIRST of less than no rows.
func TrinoNegativeRows(clause string, n int64) *Error {
	return trinoUser("NUMERIC_VALUE_OUT_OF_RANGE", fmt.Sprintf("%s row count must be greater or equal to 0 (actual value: %d)", clause, n))
}

// TrinoCodec is a compression that Trino has, but not in Parquet files.
func TrinoCodec(name string) *Error {
	return TrinoUnsupported("Compression codec " + name + " not supported for Parquet").Nowhere()
}

// TrinoTooManyPartitions is a write into more partitions than a writer may have open.
func TrinoTooManyPartitions(most int) *Error {
	return trinoUser("ICEBERG_TOO_MANY_OPEN_PARTITIONS", fmt.Sprintf("Exceeded limit of %d open writers for partitions: %d", most, most+1)).Nowhere()
}

// TrinoNotRenamed is RENAME TO a schema that does not exist.
func TrinoNotRenamed(from, to string) *Error {
	return trinoUser("ICEBERG_CATALOG_ERROR", "Failed to rename table from "+from+" to "+to).Nowhere()
}

// TrinoNoView is DROP VIEW of a view that does not exist.
func TrinoNoView(name []string) *Error {
	return trinoUser("GENERIC_USER_ERROR", "View '"+strings.Join(name, ".")+"' does not exist")
}

// TrinoDuplicateColumn is a column that stands twice in a table.
func TrinoDuplicateColumn(name string) *Error {
	return trinoUser("DUPLICATE_COLUMN_NAME", "Column name '"+name+"' specified more than once")
}

// TrinoUnnamedColumn is CREATE TABLE AS a query with a column that has no name.
func TrinoUnnamedColumn(place int) *Error {
	return trinoUser("MISSING_COLUMN_NAME", fmt.Sprintf("Column name not specified at position %d", place))
}

// TrinoColumnType is a column of a type that does not exist.
func TrinoColumnType(typ, column string) *Error {
	return trinoUser("TYPE_NOT_FOUND", "Unknown type '"+strings.ToLower(typ)+"' for column '"+column+"'")
}

// TrinoColumnUntyped is a new table's or view's column of which nothing but NULL is known.
func TrinoColumnUntyped(name string) *Error {
	return trinoUser("COLUMN_TYPE_UNKNOWN", "Column type is unknown: "+name)
}

// TrinoNotChanged is a change of the schema that Iceberg's library refuses; what it is: add column, drop column, set column type …
func TrinoNotChanged(what string, err *Error) *Error {
	e := trinoUser("ICEBERG_COMMIT_ERROR", "Failed to "+what+": "+strings.TrimPrefix(err.Message, "Unsupported table change: ")).Nowhere()
	e.Cause = err
	return e
}

// TrinoUnnamedField is a row with a field that has no name, as a column's type.
func TrinoUnnamedField(row types.Type) *Error {
	return trinoUser("NOT_SUPPORTED", "Row type field does not have a name: "+trinoName(row)).Nowhere()
}

// TrinoNoField is a field that a row does not have.
func TrinoNoField(name string, row types.Type) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Field '"+name+"' does not exist within "+trinoName(row))
}

// TrinoNoFieldAtAll is RENAME COLUMN of a field that is not there; Trino names the column.
func TrinoNoFieldAtAll(column string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Field '"+column+"' does not exist")
}

// TrinoFieldOfNoRow is a field of what is no row.
func TrinoFieldOfNoRow(t types.Type) *Error {
	return trinoUser("NOT_SUPPORTED", "Unsupported type: "+trinoName(t)).Nowhere()
}

// TrinoFieldExists is ADD or RENAME COLUMN to a field that is there.
func TrinoFieldExists(name string) *Error {
	return trinoUser("COLUMN_ALREADY_EXISTS", "Field '"+name+"' already exists")
}

// TrinoNoColumnAfter is ADD COLUMN … AFTER a column that is not there, in Trino's words.
func TrinoNoColumnAfter(name string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Column '"+name+"' does not")
}

// TrinoOnlyColumn is DROP COLUMN of a table's last one.
func TrinoOnlyColumn() *Error {
	return trinoUser("NOT_SUPPORTED", "Cannot drop the only column in a table")
}

// TrinoOnlyField is DROP COLUMN of a row's last field.
func TrinoOnlyField() *Error {
	return trinoUser("NOT_SUPPORTED", "Cannot drop the only field in a row type")
}

// TrinoDropPartition is DROP COLUMN of one by which the table is partitioned.
func TrinoDropPartition(name string) *Error {
	return trinoUser("NOT_SUPPORTED", "Cannot drop partition field: "+name).Nowhere()
}

// TrinoDropOldPartition is DROP COLUMN of one by which files of the table may be partitioned.
func TrinoDropOldPartition(name string) *Error {
	return trinoUser("NOT_SUPPORTED", "Cannot drop column which is used by an old partition spec: "+name).Nowhere()
}

// TrinoDropNoField is DROP COLUMN of a field that is not there: in is where it was looked for, path the way to it from a column of the type top.
func TrinoDropNoField(name string, in types.Type, path []string, top types.Type) *Error {
	return trinoUser("NOT_SUPPORTED", "Cannot resolve field '"+name+"' within "+trinoName(in)+" type when dropping ["+strings.Join(path, ", ")+"] in "+trinoName(top))
}

// TrinoStoredDigits is a temporal type whose digits Iceberg does not have, where Trino does not change them by itself.
func TrinoStoredDigits(t types.Type) *Error {
	name, _, _ := strings.Cut(t.TrinoBase(), " ")
	return trinoUser("NOT_SUPPORTED", fmt.Sprintf("%s%s precision (%d) not supported for Iceberg. Use \"%s\" instead.", strings.ToUpper(name[:1]), name[1:],
		t.Digits(), types.TemporalOf(t.Kind, 6).Trino())).Nowhere()
}

// TrinoStoredType is a column of a type that Iceberg tables don't have.
func TrinoStoredType(t types.Type) *Error {
	return trinoUser("NOT_SUPPORTED", "Type not supported for Iceberg: "+trinoName(t)).Nowhere()
}

// TrinoNoTableProperty is a property that tables don't have.
func TrinoNoTableProperty(catalog, name string) *Error {
	return trinoUser("INVALID_TABLE_PROPERTY", "Catalog '"+catalog+"' table property '"+name+"' does not exist")
}

// TrinoPropertyRefused is a value that a table's or a schema's property does not take, and why.
func TrinoPropertyRefused(catalog, of, name, value, why string) *Error {
	return trinoUser("INVALID_"+strings.ToUpper(of)+"_PROPERTY", "Unable to set catalog '"+catalog+"' "+of+" property '"+name+"' to ["+value+"]: "+why)
}

// TrinoNullProperty is NULL as such a value.
func TrinoNullProperty(catalog, of, name, value string) *Error {
	return trinoUser("INVALID_"+strings.ToUpper(of)+"_PROPERTY", "Invalid null value for catalog '"+catalog+"' "+of+" property '"+name+"' from ["+value+"]")
}

// TrinoPropertyOfType is such a value of a type that the property does not have.
func TrinoPropertyOfType(catalog, of, name, value string, want types.Type) *Error {
	return trinoUser("INVALID_"+strings.ToUpper(of)+"_PROPERTY", "Invalid value for catalog '"+catalog+"' "+of+" property '"+name+"': Cannot convert ["+value+"] to "+trinoName(want))
}

// TrinoNotSet are properties that Iceberg does not take.
func TrinoNotSet() *Error {
	return trinoUser("ICEBERG_COMMIT_ERROR", "Failed to set new property values").Nowhere()
}

// TrinoSortField is an item of sorted_by that is no sort field.
func TrinoSortField(text string) *Error {
	return trinoUser("INVALID_TABLE_PROPERTY", "Unable to parse sort field: ["+text+"]").Nowhere()
}

// TrinoPartitioning is a partitioning that does not fit the table.
func TrinoPartitioning(why string) *Error {
	return trinoUser("INVALID_TABLE_PROPERTY", "Unable to parse partitioning value: "+why).Nowhere()
}

// TrinoColumnExists is ADD or RENAME COLUMN to a name that is there.
func TrinoColumnExists(name string) *Error {
	return trinoUser("COLUMN_ALREADY_EXISTS", "Column '"+name+"' already exists")
}

// TrinoNoColumn is ALTER TABLE of a column that does not exist.
func TrinoNoColumn(name string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Column '"+name+"' does not exist")
}

// TrinoAlreadyNullable is DROP NOT NULL of a column that may be NULL.
func TrinoAlreadyNullable() *Error { return trinoUser("NOT_SUPPORTED", "Column is already nullable") }

// TrinoCommentTable is COMMENT ON TABLE of a table that does not exist.
func TrinoCommentTable(name string) *Error {
	return trinoUser("TABLE_NOT_FOUND", "Table does not exist: "+name)
}

// TrinoCommentColumn is COMMENT ON COLUMN of a column that does not exist.
func TrinoCommentColumn(name string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Column does not exist: "+name)
}

// TrinoMissingTable is COMMENT ON COLUMN without a table.
func TrinoMissingTable() *Error {
	return trinoUser("MISSING_TABLE", "Table must be specified")
}

// TrinoNoTableProcedure is ALTER TABLE … EXECUTE of a procedure that does not exist.
func TrinoNoTableProcedure(name string) *Error {
	return trinoUser("PROCEDURE_NOT_FOUND", "Table procedure not registered: "+name).Nowhere()
}

// TrinoNoProcedure is CALL of a procedure that does not exist.
func TrinoNoProcedure(name string) *Error {
	return trinoUser("PROCEDURE_NOT_FOUND", "Procedure not registered: "+name).Nowhere()
}

// TrinoProcedureArgument is a table procedure's argument with a text that it cannot have, and why.
func TrinoProcedureArgument(catalog, procedure, name, value, why string) *Error {
	return trinoUser("INVALID_PROCEDURE_ARGUMENT", "Unable to set catalog '"+catalog+"' table procedure '"+procedure+"' property '"+name+"' to ['"+value+"']: "+why)
}

// TrinoRollback is a rollback to a snapshot that the table does not have.
func TrinoRollback(id int64, code int, cause error) *Error {
	name := "GENERIC_INTERNAL_ERROR"
	if code != trinoCodes[name] {
		name = "PROCEDURE_CALL_FAILED"
	}
	e := trinoUser(name, fmt.Sprintf("Cannot roll back to unknown snapshot id: %d", id)).Nowhere()
	e.Cause = cause
	return e
}

// TrinoInsertTypes is INSERT of columns whose types do not fit the table's.
func TrinoInsertTypes(table, query []types.Type) *Error {
	return trinoMismatch("Insert query has mismatched column types: Table: " + trinoList(table) + ", Query: " + trinoList(query))
}

func trinoList(ts []types.Type) string {
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = trinoName(t)
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// TrinoUpdateTypes is UPDATE of columns whose types do not fit the values.
func TrinoUpdateTypes(table, values []types.Type) *Error {
	return trinoMismatch("UPDATE table column types don't match SET expressions: Table: " + trinoList(table) + ", Expressions: " + trinoList(values))
}

// TrinoMergeTypes is a clause of MERGE whose columns' types do not fit the values; n is the clause's number.
func TrinoMergeTypes(n int, table, values []types.Type) *Error {
	return trinoMismatch(fmt.Sprintf("MERGE table column types don't match for MERGE case %d, SET expressions: Table: %s, Expressions: %s", n, trinoList(table), trinoList(values)))
}

// TrinoMergeColumn is a clause of MERGE with a column that the table does not have.
func TrinoMergeColumn(name string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Merge column name does not exist in target table: "+name)
}

// TrinoMergeTwice is a clause of MERGE that assigns a column twice.
func TrinoMergeTwice(name string) *Error {
	return trinoUser("DUPLICATE_COLUMN_NAME", "Merge column name is specified more than once: "+name)
}

// TrinoUpdateTwice is UPDATE that assigns a column twice, in the words of the library that Trino keeps assignments in.
func TrinoUpdateTwice(name string) *Error {
	return TrinoInternal("Multiple entries with same key: " + name + "=[] and " + name + "=[]")
}

// TrinoUpdateColumn is UPDATE of a column that the table does not have.
func TrinoUpdateColumn(name string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "The UPDATE SET target column "+name+" doesn't exist")
}

// TrinoPartitionColumn is a partitioning by a column that the table does not have.
func TrinoPartitionColumn(name string) *Error {
	return TrinoPartitioning("Cannot find source column: " + name)
}

// TrinoInsertColumn is INSERT into a column that the table does not have.
func TrinoInsertColumn(name string) *Error {
	return trinoUser("COLUMN_NOT_FOUND", "Insert column name does not exist in target table: "+name)
}

// TrinoInsertTwice is INSERT into a column that is named twice.
func TrinoInsertTwice(name string) *Error {
	return trinoUser("DUPLICATE_COLUMN_NAME", "Insert column name is specified more than once: "+name)
}

// TrinoAborted is a statement in a transaction that has failed.
func TrinoAborted() *Error {
	return trinoUser("TRANSACTION_ALREADY_ABORTED", "Current transaction is aborted, commands ignored until end of transaction block")
}
