package errclass

import (
	"mini-lakehouse-lab/lakelab/types"
)

// Errors of spark_catalog, in Spark's words.

// TimeTravelOnTable is VERSION AS OF on a table of plain files.
func TimeTravelOnTable(name []string) *Error {
	return analysis("UNSUPPORTED_FEATURE.TIME_TRAVEL", "0A000", "The feature is not supported: Time travel on the relation: "+quoted(name)+".",
		map[string]string{"relationId": quoted(name)})
}

// TableOperation is a statement that tables of plain files can't do.
func TableOperation(table []string, operation string) *Error {
	return analysis("UNSUPPORTED_FEATURE.TABLE_OPERATION", "0A000", "The feature is not supported: Table "+quoted(table)+" does not support "+operation+
		". Please check the current catalog and namespace to make sure the qualified table name is expected, and also check the catalog implementation which is configured by \"spark.sql.catalog\".",
		map[string]string{"tableName": quoted(table), "operation": operation})
}

// AlreadyExistsIn is CREATE TABLE on a name that is taken; the name has its catalog.
func AlreadyExistsIn(table []string) *Error {
	return analysis("TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", "Cannot create table or view "+quoted(table)+
		" because it already exists.\nChoose a different name, drop or replace the existing object, or add the IF NOT EXISTS clause to tolerate pre-existing objects.",
		map[string]string{"relationName": quoted(table)})
}

// PartitionColumnUndefined is PARTITIONED BY a column that the table does not have.
func PartitionColumnUndefined(table []string, column string, columns []types.Field) *Error {
	return analysis("COLUMN_NOT_DEFINED_IN_TABLE", "42703", "partition column "+types.Quote(column)+" is not defined in table "+quoted(table)+
		", defined table columns are: "+quotedFields(columns)+".",
		map[string]string{"colType": "partition", "colName": types.Quote(column), "tableName": quoted(table), "tableCols": quotedFields(columns)})
}

// LocationExists is a managed table whose folder is there already.
func LocationExists(table []string, location string) *Error {
	return &Error{Exception: "SparkRuntimeException", Class: "LOCATION_ALREADY_EXISTS", SQLState: "42710",
		Message: "Cannot name the managed table as " + quoted(table) + ", as its associated location '" + location +
			"' already exists. Please pick a different table name, or remove the existing location first.",
		Params: map[string]string{"location": "'" + location + "'", "identifier": quoted(table)}}
}
