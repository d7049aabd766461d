package errclass

import (
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Errors of PARTITIONED BY and of partition fields, in the words of Spark 4.0 and Iceberg 1.10.

// UnsupportedOperation is a plain Java UnsupportedOperationException.
func UnsupportedOperation(message string) *Error {
	return &Error{Exception: "UnsupportedOperationException", Message: message}
}

// UnknownTransform is a partition transform that Iceberg does not have, given as Spark prints it.
func UnknownTransform(text string) *Error {
	return UnsupportedOperation("Transform is not supported: " + text)
}

// TransformWidth is a bucket or truncate transform without a positive width.
func TransformWidth(text string) *Error {
	return IllegalArgument("Unsupported width for transform: " + text)
}

// PartitionColumnMissing is a partition transform of a column that the new table does not have.
func PartitionColumnMissing(path []string, schema types.Type) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_3060",
		Message: "Couldn't find column " + strings.Join(path, ".") + " in:\n" + types.TreeString(schema, 0)}
}

// DuplicatePartitionColumn is a transform that PARTITIONED BY has twice.
func DuplicatePartitionColumn(text string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_3058", Message: "Found duplicate column(s) in the partitioning: " + text}
}

// TypedPartitionOfCTAS is PARTITIONED BY with types in front of AS and a query.
func TypedPartitionOfCTAS() *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0035",
		Message: "Operation not allowed: Partition column types may not be specified in Create Table As Select (CTAS)."}
}

// NonPartitionColumn is a column in INSERT's PARTITION clause that the table is not partitioned by.
func NonPartitionColumn(name string) *Error {
	return analysis("NON_PARTITION_COLUMN", "42000", "PARTITION clause cannot contain the non-partition column: "+types.Quote(name)+".",
		map[string]string{"columnName": types.Quote(name)})
}
