package errclass

import (
	"strings"

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

// NotPartitioned is a statement on partitions of a table that has none.
func NotPartitioned(table []string) *Error {
	return analysis("INVALID_PARTITION_OPERATION.PARTITION_SCHEMA_IS_EMPTY", "42601", "The partition command is invalid. Table "+quoted(table)+" is not partitioned.",
		map[string]string{"name": quoted(table)})
}

// PartitionSpecDiffers is a PARTITION clause without all keys.
func PartitionSpecDiffers(given, keys []string, table []string) *Error {
	spec := strings.Join(given, ", ")
	return analysis("_LEGACY_ERROR_TEMP_1232", "", "Partition spec is invalid. The spec ("+spec+") must match the partition spec ("+strings.Join(keys, ", ")+") defined in table '"+quoted(table)+"'.",
		map[string]string{"specKeys": spec, "partitionColumnNames": strings.Join(keys, ", "), "tableName": quoted(table)})
}

// partitionList writes partitions as Spark's messages do.
func partitionList(keys []string, parts [][]string) string {
	list := make([]string, len(parts))
	for i, values := range parts {
		pairs := make([]string, len(values))
		for j, v := range values {
			pairs[j] = types.Quote(keys[j]) + " = " + v
		}
		list[i] = "PARTITION (" + strings.Join(pairs, ", ") + ")"
	}
	return strings.Join(list, ", ")
}

// PartitionsExist is ADD or RENAME TO of partitions that are there.
func PartitionsExist(keys []string, parts [][]string, table []string) *Error {
	list := partitionList(keys, parts)
	return &Error{Exception: "AnalysisException", Class: "PARTITIONS_ALREADY_EXIST", SQLState: "428FT",
		Message: "Cannot ADD or RENAME TO partition(s) " + list + " in table " + quoted(table) + " because they already exist.\nChoose a different name, drop the existing partition, or add the IF NOT EXISTS clause to tolerate a pre-existing partition.",
		Params:  map[string]string{"partitionList": list, "tableName": quoted(table)}}
}

// PartitionsNotFound is a partition that is not there.
func PartitionsNotFound(keys []string, parts [][]string, table []string) *Error {
	return partitionsNotFound(partitionList(keys, parts), table)
}

func partitionsNotFound(list string, table []string) *Error {
	return &Error{Exception: "AnalysisException", Class: "PARTITIONS_NOT_FOUND", SQLState: "428FT",
		Message: "The partition(s) " + list + " cannot be found in table " + quoted(table) + ".\nVerify the partition specification and table name.\nTo tolerate the error on drop use ALTER TABLE … DROP IF EXISTS PARTITION.",
		Params:  map[string]string{"partitionList": list, "tableName": quoted(table)}}
}

// TruncateExternal is TRUNCATE TABLE on an external table.
func TruncateExternal(table []string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1266", Message: "Operation not allowed: TRUNCATE TABLE on external tables: " + quoted(table) + ".",
		Params: map[string]string{"tableIdentWithDB": quoted(table)}}
}

// ShowCreateSerde is SHOW CREATE TABLE of a table with classes that Spark has no format for.
func ShowCreateSerde(table []string, serde, input, output string) *Error {
	configs := " SERDE: " + serde + " INPUTFORMAT: " + input + " OUTPUTFORMAT: " + output
	return analysis("UNSUPPORTED_SHOW_CREATE_TABLE.WITH_UNSUPPORTED_SERDE_CONFIGURATION", "0A000",
		"Unsupported a SHOW CREATE TABLE command. Failed to execute the command against the table "+quoted(table)+" which is created by Hive and uses the following unsupported serde configuration\n"+configs+
			"\nPlease use SHOW CREATE TABLE "+quoted(table)+" AS SERDE to show Hive DDL instead.", map[string]string{"tableName": quoted(table), "configs": configs})
}

// PreservedProperty is SET TBLPROPERTIES of one that the catalog keeps to itself.
func PreservedProperty(key string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_3087", Message: "Cannot set or change the preserved property key: '" + key + "'"}
}

// ReservedProperty is SET TBLPROPERTIES of one of Spark's own.
func ReservedProperty(table []string, key string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_3086",
		Message: "Cannot persist " + strings.Join(table, ".") + " into Hive metastore as table property keys may not start with 'spark.sql.': [" + key + "]"}
}

// AddNotNullColumn is ADD COLUMN … NOT NULL.
func AddNotNullColumn() *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1052", Message: "ADD COLUMN with v1 tables cannot specify NOT NULL."}
}

// AlterPartitionColumn is ALTER COLUMN of a partition key.
func AlterPartitionColumn(column string, table []string) *Error {
	return analysis("CANNOT_ALTER_PARTITION_COLUMN", "428FR", "ALTER TABLE (ALTER|CHANGE) COLUMN is not supported for partition columns, but found the partition column "+
		types.Quote(column)+" in the table "+quoted(table)+".", map[string]string{"columnName": types.Quote(column), "tableName": quoted(table)})
}

// AlterDatabaseLocation is ALTER DATABASE … SET LOCATION.
func AlterDatabaseLocation() *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1219", Message: "Hive metastore does not support altering database location."}
}

// RenameAcross is RENAME TO with another database.
func RenameAcross(from, to string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1073", Message: "RENAME TABLE source and destination databases do not match: '" + from + "' != '" + to + "'."}
}

// HiveColumnType is ALTER COLUMN … TYPE.
func HiveColumnType(from, to types.Field, table []string) *Error {
	return analysis("NOT_SUPPORTED_CHANGE_COLUMN", "0A000", "ALTER TABLE ALTER/CHANGE COLUMN is not supported for changing "+quoted(table)+"'s column "+types.Quote(from.Name)+" with type \""+
		from.DeclaredSQL()+"\" to "+types.Quote(to.Name)+" with type \""+to.DeclaredSQL()+"\".", map[string]string{"table": quoted(table), "originName": types.Quote(from.Name),
		"originType": `"` + from.DeclaredSQL() + `"`, "newName": types.Quote(to.Name), "newType": `"` + to.DeclaredSQL() + `"`})
}

// UpdateUnsupported is UPDATE on a table of plain files.
func UpdateUnsupported() *Error {
	return &Error{Exception: "UnsupportedOperationException", Class: "_LEGACY_ERROR_TEMP_2096", Message: "UPDATE TABLE is not supported temporarily."}
}

// MergeUnsupported is MERGE INTO a table of plain files.
func MergeUnsupported() *Error {
	return &Error{Exception: "UnsupportedOperationException", Class: "_LEGACY_ERROR_TEMP_2096", Message: "MERGE INTO TABLE is not supported temporarily."}
}

// FileVanished is a data file that was listed and is not there any more.
func FileVanished(path string) *Error {
	return &Error{Exception: "SparkException", Class: fileVanished, SQLState: "KD001",
		Message: "Encountered error while reading file file://" + path + ". File does not exist. It is possible the underlying files have been updated.\n" +
			"You can explicitly invalidate the cache in Spark by running 'REFRESH TABLE tableName' command in SQL or by recreating the Dataset/DataFrame involved.",
		Params: map[string]string{"path": "file://" + path}}
}

const fileVanished = "FAILED_READ_FILE.FILE_NOT_EXIST"

// IsFileVanished reports whether an error says that a file is gone that was there when its folder was listed.
func IsFileVanished(err error) bool { return Is(err, fileVanished) }

// TwoDirectories is INSERT OVERWRITE DIRECTORY with a path and an option path.
func TwoDirectories(path, option string) *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0049", Message: "Directory path and 'path' in OPTIONS should be specified one, but not both: " + path + ", " + option + "."}
}

// DuplicatePartition is ADD PARTITION with one partition twice; Hive's message goes on with all that it knows of the partition.
func DuplicatePartition(name string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_3065",
		Message: "org.apache.hadoop.hive.ql.metadata.HiveException: MetaException(message:java.io.IOException: Duplicate partitions in the list: " + name + ")"}
}

// NoDirectory is INSERT OVERWRITE DIRECTORY without a path.
func NoDirectory() *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0049", Message: "Directory path and 'path' in OPTIONS should be specified one, but not both."}
}

// PartitionNotFoundIn is INSERT's PARTITION clause with a column that is no partition key.
func PartitionNotFoundIn(column string, table []string) *Error {
	return analysis("PARTITIONS_NOT_FOUND", "428FT", "The partition(s) "+types.Quote(column)+" cannot be found in table "+quoted(table)+
		".\nVerify the partition specification and table name.\nTo tolerate the error on drop use ALTER TABLE … DROP IF EXISTS PARTITION.",
		map[string]string{"partitionList": types.Quote(column), "tableName": quoted(table)})
}

// PartitionOrder is INSERT's PARTITION clause with a value behind a key that has none.
func PartitionOrder(keys []string) *Error {
	list := strings.Join(keys, ",")
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1147", Message: "The ordering of partition columns is [" + list +
		"]. All partition columns having constant values need to appear before other partition columns that do not have an assigned constant value."}
}

// OverwriteOfSource is a table overwritten by a query that reads it.
func OverwriteOfSource(table []string) *Error {
	return analysis("UNSUPPORTED_OVERWRITE.TABLE", "42902", "Can't overwrite the target that is also being read from. The target table is "+quoted(table)+".",
		map[string]string{"table": quoted(table)})
}

// EmptyPartitionValue is a PARTITION clause with a key and no value where each must have one.
func EmptyPartitionValue(key string) *Error {
	return &Error{Exception: "ParseException", Class: "INVALID_SQL_SYNTAX.EMPTY_PARTITION_VALUE", SQLState: "42000",
		Message: "Invalid SQL syntax: Partition key " + types.Quote(key) + " must set value.", Params: map[string]string{"partKey": types.Quote(key)}}
}

// DescribeColumnOfPartition is DESCRIBE t PARTITION (…) column.
func DescribeColumnOfPartition() *Error {
	return &Error{Exception: "ParseException", Class: "UNSUPPORTED_FEATURE.DESC_TABLE_COLUMN_PARTITION", SQLState: "0A000",
		Message: "The feature is not supported: DESC TABLE COLUMN for a specific partition."}
}

// NoPartitionsKept is a change of partitions of a table that has none.
func NoPartitionsKept(operation, table string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1251", Message: operation + " is not allowed on " + table +
		" since its partition metadata is not stored in the Hive metastore. To import this information into the metastore, run `msck repair table " + table + "`."}
}

// NotPartitionedTable is MSCK REPAIR TABLE on a table that has no partitions.
func NotPartitionedTable(operation string, table []string) *Error {
	return analysis("NOT_A_PARTITIONED_TABLE", "42809", "Operation "+operation+" is not allowed for "+quoted(table)+" because it is not a partitioned table.",
		map[string]string{"operation": operation, "tableIdentWithDB": quoted(table)})
}

// TruncatePartition is TRUNCATE TABLE … PARTITION on a table that has no partitions.
func TruncatePartition(table []string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1267",
		Message: "Operation not allowed: TRUNCATE TABLE ... PARTITION is not supported for tables that are not partitioned: " + quoted(table) + "."}
}

// ParquetType is a file's column of a type that can't be read as the table's.
func ParquetType(path, column string, want types.Type, physical string) *Error {
	if physical == "BYTE_ARRAY" {
		physical = "BINARY"
	}
	return &Error{Exception: "SparkException", Class: "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH", SQLState: "KD001",
		Message: "Encountered error while reading file file://" + path + ". Data type mismatches when reading Parquet column [" + column + "]. Expected Spark type " +
			want.SimpleString() + ", actual Parquet type " + physical + ".", Params: map[string]string{"path": "file://" + path, "column": column}}
}

// UnreadableFile is a file that is not of the table's format.
func UnreadableFile(path string, cause error) *Error {
	return &Error{Exception: "SparkException", Class: "FAILED_READ_FILE.NO_HINT", SQLState: "KD001", Message: "Encountered error while reading file file://" + path + ". ",
		Params: map[string]string{"path": "file://" + path}, Cause: cause}
}

// UnreadableFooter is a file that is no Parquet file, or a damaged one.
func UnreadableFooter(path string) *Error {
	e := UnreadableFile(path, nil)
	e.Class = "FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER"
	e.Message += "Could not read footer. Please ensure that the file is in either ORC or Parquet format.\n" +
		"If not, please convert it to a valid format. If the file is in the valid format, please check if it is corrupt.\nIf it is, you can choose to either ignore it or fix the corruption."
	return e
}

// sources are the names by which Spark calls formats.
var sources = map[string]string{"parquet": "ParquetDataSourceV2", "csv": "CSVDataSourceV2", "json": "JsonDataSourceV2", "text": "TextDataSourceV2", "orc": "OrcDataSourceV2"}

// SavedFormat is saveAsTable with another format than the table's.
func SavedFormat(table []string, have, got string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1159", Message: "The format of the existing table " + strings.Join(table, ".") + " is `" + sources[have] +
		"`. It doesn't match the specified format `" + sources[strings.ToLower(got)] + "`."}
}

// SavedLocation is saveAsTable to another place than the table's.
func SavedLocation(table []string, have, got string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1160",
		Message: "The location of the existing table " + types.Quote(table[0]) + "." + types.Quote(table[1]) + "." + types.Quote(table[2]) + " is `file:" + have + "`. It doesn't match the specified location `file://" + got + "`."}
}

// SavedColumns is saveAsTable of another number of columns than the table's.
func SavedColumns(table []string, have, got types.Type) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1161", Message: "The column number of the existing table " + strings.Join(table, ".") + " (" + have.SimpleString() +
		") doesn't match the data schema (" + got.SimpleString() + ")."}
}

// SavedPartitioning is saveAsTable with another partitioning than the table's.
func SavedPartitioning(table, got, have []string) *Error {
	list := func(names []string) string { return "[" + strings.Join(names, ", ") + "]" }
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1163", Message: "Specified partitioning does not match that of the existing table " + strings.Join(table, ".") +
		".\nSpecified partition columns: " + list(got) + ".\nExisting partition columns: " + list(have) + "."}
}

// FolderMissing is MSCK REPAIR TABLE on a table whose folder is not there.
func FolderMissing(path string) *Error {
	return &Error{Exception: "FileNotFoundException", Message: "File file:" + path + " does not exist"}
}

// ReservedByClause is SET TBLPROPERTIES of what a clause of CREATE TABLE says.
func ReservedByClause(key, clause string) *Error {
	return ReservedTableProperty(key, "please use the "+clause+" clause to specify it")
}

// ReservedTableProperty is a table's property that is set in another way.
func ReservedTableProperty(key, how string) *Error {
	return &Error{Exception: "ParseException", Class: "UNSUPPORTED_FEATURE.SET_TABLE_PROPERTY", SQLState: "0A000",
		Message: "The feature is not supported: " + key + " is a reserved table property, " + how + ".",
		Params:  map[string]string{"property": key, "msg": how}}
}

// DescribeNested is DESCRIBE of a field of a column of a table of plain files.
func DescribeNested(path []string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1060", Message: "DESC TABLE COLUMN does not support nested column: " + strings.Join(path, ".") + "."}
}

// SavedColumn is saveAsTable of rows that lack a column of the table that is there.
func SavedColumn(column string, got types.Type) *Error {
	names := make([]string, len(got.Fields))
	for i, f := range got.Fields {
		names[i] = f.Name
	}
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1162", Message: "Cannot resolve '" + column + "' given input columns: [" + strings.Join(names, ", ") + "]."}
}

// WriteIntoV1 is INSERT … REPLACE WHERE, and a write by condition, on a table of plain files.
func WriteIntoV1(table []string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1012", Message: "Cannot write into v1 table: " + quoted(table) + "."}
}

// EmptyPartition is a partition value that is the empty text; spec is the clause.
func EmptyPartition(spec []string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1076", Message: "Partition spec is invalid. The spec ([" + strings.Join(spec, ", ") + "]) contains an empty partition column value."}
}

// AnalyzeNoPartitionColumn is ANALYZE TABLE … PARTITION with a column that is no key of the table.
func AnalyzeNoPartitionColumn(name string, table []string) *Error {
	return partitionsNotFound(types.Quote(name), table)
}

// SerdeOfDataSource is SET SERDE on a table made with USING.
func SerdeOfDataSource(table []string) *Error {
	return analysis("UNSUPPORTED_FEATURE.ALTER_TABLE_SERDE_FOR_DATASOURCE_TABLE", "0A000", "The feature is not supported: ALTER TABLE SET SERDE is not supported for table "+
		quoted(table)+" created with the datasource API. Consider using an external Hive table or updating the table properties with compatible options for your table format.",
		map[string]string{"tableName": quoted(table)})
}

// SerdeOfPartition is SET SERDE or SERDEPROPERTIES on a partition of a table made with USING.
func SerdeOfPartition() *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1247",
		Message: "Operation not allowed: ALTER TABLE SET [SERDE | SERDEPROPERTIES] for a specific partition is not supported for tables created with the datasource API."}
}

// CodecNotAvailable is a compression that a format's files can't have.
func CodecNotAvailable(codec string, known ...string) *Error {
	return &Error{Exception: "IllegalArgumentException", Class: "CODEC_NOT_AVAILABLE.WITH_AVAILABLE_CODECS_SUGGESTION", SQLState: "56038",
		Message: "The codec " + codec + " is not available. Available codecs are " + strings.Join(known, ", ") + ".", Params: map[string]string{"codecName": codec}}
}

// ShowCreateDataSource is SHOW CREATE TABLE … AS SERDE of a table made with USING.
func ShowCreateDataSource(table []string) *Error {
	return analysis("UNSUPPORTED_SHOW_CREATE_TABLE.ON_DATA_SOURCE_TABLE_WITH_AS_SERDE", "0A000", "Unsupported a SHOW CREATE TABLE command. The table "+quoted(table)+
		" is a Spark data source table. Please use SHOW CREATE TABLE without AS SERDE instead.", map[string]string{"tableName": quoted(table)})
}

// AnalyzeColumnType is ANALYZE TABLE … FOR COLUMNS of a column of a type that has no statistics.
func AnalyzeColumnType(t types.Type, column string, table []string) *Error {
	return analysis("UNSUPPORTED_FEATURE.ANALYZE_UNSUPPORTED_COLUMN_TYPE", "0A000", "The feature is not supported: The ANALYZE TABLE FOR COLUMNS command does not support the type \""+
		t.SQL()+"\" of the column "+types.Quote(column)+" in the table "+quoted(table)+".", map[string]string{"columnName": types.Quote(column), "tableName": quoted(table)})
}

// ColumnNotThere is ANALYZE TABLE … FOR COLUMNS of a column that the table does not have.
func ColumnNotThere(column string) *Error {
	return analysis("COLUMN_NOT_FOUND", "42703", "The column "+types.Quote(column)+" cannot be found. Verify the spelling and correctness of the column name according to the SQL config \"spark.sql.caseSensitive\".",
		map[string]string{"colName": types.Quote(column)})
}

// ViewExpected is ALTER VIEW on a table; command is empty for RENAME TO.
func ViewExpected(table []string, command string) *Error {
	class, what, hint := "USE_ALTER_TABLE", "ALTER VIEW", "Please use ALTER TABLE instead."
	if command != "" {
		what += " ... " + command
	}
	if command == "AS" {
		class, hint = "NO_ALTERNATIVE", ""
	}
	return analysis("EXPECT_VIEW_NOT_TABLE."+class, "42809", "The table "+quoted(table)+" does not support "+what+". "+hint, map[string]string{"tableName": quoted(table), "operation": what})
}

// NoCatalogFor is a name that a DataFrame is to be saved as and whose first part is no catalog.
func NoCatalogFor(name []string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1310", Message: "Couldn't find a catalog to handle the identifier " + strings.Join(name, ".") + "."}
}
