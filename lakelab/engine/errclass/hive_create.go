package errclass

import (
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Errors of CREATE TABLE in spark_catalog, in Spark's words.

// InvalidRelationName is a name that Hive does not take.
func InvalidRelationName(name string) *Error {
	return analysis("INVALID_SCHEMA_OR_RELATION_NAME", "42602", types.Quote(name)+" is not a valid name for tables/schemas. Valid names only contain alphabet characters, numbers and _.",
		map[string]string{"name": types.Quote(name)})
}

// TwoTablePaths is CREATE TABLE with LOCATION and OPTIONS (path …).
func TwoTablePaths(location, path string) *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0032", Message: "Duplicated table paths found: '" + path + "' and '" + location +
		"'. LOCATION and the case insensitive key 'path' in OPTIONS are all used to indicate the custom table path, you can only specify one of them."}
}

// ExternalWithoutLocation is CREATE EXTERNAL TABLE without a place.
func ExternalWithoutLocation() *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1069", Message: "CREATE EXTERNAL TABLE must be accompanied by LOCATION."}
}

// StoredAsInvalid is STORED AS with an unknown format.
func StoredAsInvalid(format string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1059", Message: "STORED AS with file format '" + format + "' is invalid."}
}

// SerdeWithFormat is ROW FORMAT SERDE beside a format that has a SerDe of its own.
func SerdeWithFormat(format string) *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0035",
		Message: "Operation not allowed: ROW FORMAT SERDE is incompatible with format '" + format + "', which also specifies a serde."}
}

// CannotInfer is a table without columns, at a place without files.
func CannotInfer(format string) *Error {
	name := map[string]string{"parquet": "Parquet", "csv": "CSV", "json": "JSON"}[format]
	return analysis("UNABLE_TO_INFER_SCHEMA", "42KD9", "Unable to infer schema for "+name+". It must be specified manually.", map[string]string{"format": name})
}

// PartitionTransform is PARTITIONED BY an expression.
func PartitionTransform(text string) *Error {
	return &Error{Exception: "UnsupportedOperationException", Class: "UNSUPPORTED_PARTITION_TRANSFORM", SQLState: "0A000", Message: "Unsupported partition transform: " + types.Quote(text) +
		". The supported transforms are `identity`, `bucket`, and `clusterBy`. Ensure your transform expression uses one of these.", Params: map[string]string{"transform": types.Quote(text)}}
}

// PartitionColumnType is PARTITIONED BY a column whose values are no texts.
func PartitionColumnType(t types.Type) *Error {
	return analysis("INVALID_PARTITION_COLUMN_DATA_TYPE", "0A000", "Cannot use \""+t.SQL()+"\" for partition column.", map[string]string{"type": `"` + t.SQL() + `"`})
}

// MixedPartitioning is PARTITIONED BY with names and definitions.
func MixedPartitioning(named, defined []string) *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0035", Message: "Operation not allowed: PARTITION BY: Cannot mix partition expressions and partition columns:\nExpressions: " +
		strings.Join(named, ", ") + "\nColumns: " + strings.Join(defined, ", ") + "."}
}

// CTASNotEmpty is CREATE TABLE … AS SELECT at a place that holds files.
func CTASNotEmpty(location string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1241", Message: "CREATE-TABLE-AS-SELECT cannot create table with location to a non-empty directory " + location +
		". To allow overwriting the existing non-empty directory, set 'spark.sql.legacy.allowNonEmptyLocationInCTAS' to true."}
}

// WrongCommand is DROP VIEW on a table, or DROP TABLE on a view.
func WrongCommand(operation, required, table, found, alternative string) *Error {
	return analysis("WRONG_COMMAND_FOR_OBJECT_TYPE", "42809", "The operation "+operation+" requires a "+required+". But "+table+" is a "+found+". Use "+alternative+" instead.",
		map[string]string{"operation": operation, "requiredType": required, "objectName": table, "foundType": found, "alternative": alternative})
}

// DropDefaultDatabase is DROP DATABASE default.
func DropDefaultDatabase(name []string) *Error {
	return analysis("UNSUPPORTED_FEATURE.DROP_DATABASE", "0A000", "The feature is not supported: Drop the default database "+quoted(name)+".", map[string]string{"database": quoted(name)})
}
