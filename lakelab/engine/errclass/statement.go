package errclass

import (
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/redact"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Errors of commands, in Spark's words unless the name says Trino.

// quoted puts every part of a name in backticks.
func quoted(parts []string) string { return quotedEach(parts, ".") }

// quotedEach puts every name in backticks and joins them.
func quotedEach(names []string, sep string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = types.Quote(n)
	}
	return strings.Join(q, sep)
}

// quotedFields lists a struct's field names in backticks.
func quotedFields(fields []types.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return quotedEach(names, ", ")
}

func analysis(class, state, message string, params map[string]string) *Error {
	return &Error{Exception: "AnalysisException", Class: class, SQLState: state, Message: message, Params: params}
}

// Place points an *Error at a place; other errors stay as they are.
func Place(err error, s token.Span) error {
	if e, ok := err.(*Error); ok {
		return e.At(s)
	}
	return err
}

// IllegalArgument is a plain Java IllegalArgumentException.
func IllegalArgument(message string) *Error {
	return &Error{Exception: "IllegalArgumentException", Message: message}
}

// Unsupported refuses, by name, something that Spark has and this engine has not yet.
func Unsupported(what string) *Error {
	return &Error{Exception: "AnalysisException", Class: "UNSUPPORTED_FEATURE", SQLState: "0A000",
		Message: "The feature is not supported: " + what + ".", Params: map[string]string{"feature": what},
		Hint: "Эта возможность есть в Spark, но встроенный движок её пока не умеет."}
}

// SettingValue is a value that a setting cannot have: one that is true or false, or one of a list.
func SettingValue(key, value string, allowed []string) *Error {
	if slices.Contains(allowed, "true") {
		return IllegalArgument(key + " should be boolean, but was " + value)
	}
	return IllegalArgument("The value of " + key + " should be one of " + strings.Join(allowed, ", ") + ", but was " + strings.ToUpper(value))
}

// UnsupportedSetting refuses a setting, or a value of it.
func UnsupportedSetting(key, value string) *Error { return Unsupported("SET " + key + " = " + value) }

// NoTableAtLocation is a folder that is read as an Iceberg table and is none.
func NoTableAtLocation(path string) *Error {
	return &Error{Exception: "NoSuchTableException", Message: "Table does not exist at location: " + path}
}

// SavedTransforms refuses to save rows into a table that is partitioned otherwise than the writer says.
func SavedTransforms(provided, table []string) *Error {
	return IllegalArgument("requirement failed: The provided partitioning or clustering columns do not match the existing table's.\n - provided: " +
		strings.Join(provided, ", ") + "\n - table: " + strings.Join(table, ", "))
}

// UnsupportedOption refuses a reader's option.
func UnsupportedOption(format, option string) *Error {
	return Unsupported("the option " + option + " of the data source " + format)
}

// InvalidTimeZone refuses a session time zone.
func InvalidTimeZone(zone string) *Error {
	return &Error{Exception: "IllegalArgumentException", Class: "INVALID_CONF_VALUE.TIME_ZONE", SQLState: "22022",
		Message: fmt.Sprintf("The value '%s' in the config \"spark.sql.session.timeZone\" is invalid. Cannot resolve the given timezone.", zone),
		Params:  map[string]string{"confValue": zone, "confName": "spark.sql.session.timeZone"}}
}

// ColumnAlreadyExists is a column that stands twice in a schema.
func ColumnAlreadyExists(name string) *Error {
	return analysis("COLUMN_ALREADY_EXISTS", "42711", "The column "+types.Quote(name)+" already exists. Choose another name or rename the existing column.",
		map[string]string{"columnName": types.Quote(name)})
}

// AddColumnDefault is Iceberg's refusal of ALTER TABLE … ADD COLUMN … DEFAULT.
func AddColumnDefault(name string) *Error {
	return &Error{Exception: "UnsupportedOperationException", Message: "Cannot add column " + name + " since setting default values in Spark is currently unsupported"}
}

// SetNotNull is Spark's refusal of ALTER COLUMN … SET NOT NULL.
func SetNotNull(path []string) *Error {
	return &Error{Exception: "AnalysisException", Message: "Cannot change nullable column to non-nullable: " + strings.Join(path, ".") + ".",
		Params: map[string]string{"fieldName": strings.Join(path, ".")}}
}

// RoutineNotFound is a procedure that does not exist.
func RoutineNotFound(name []string) *Error {
	return analysis("FAILED_TO_LOAD_ROUTINE", "38000", "Failed to load routine "+quoted(name)+".", map[string]string{"routineName": quoted(name)})
}

// ProcedureCatalog is a procedure's table that lies in another catalog than the procedure.
func ProcedureCatalog(catalog, table, other string) *Error {
	return IllegalArgument(fmt.Sprintf("Cannot run procedure in catalog '%s': '%s' is a table in catalog '%s'", catalog, table, other))
}

// NoProcedures is CALL in a catalog that has none.
func NoProcedures(catalog string) *Error {
	return &Error{Class: "_LEGACY_ERROR_TEMP_1184", Exception: "AnalysisException", Message: "Catalog " + catalog + " does not support procedures."}
}

// ProcedureTable is a procedure's table that does not exist.
func ProcedureTable(table, catalog string) *Error {
	return &Error{Exception: "RuntimeException", Message: fmt.Sprintf("Couldn't load table '%s' in catalog '%s'", table, catalog)}
}

// UnrecognizedParameter is a named argument that the routine does not have; the three likeliest that it has are proposed.
func UnrecognizedParameter(routine, arg string, known []string) *Error {
	candidates := make([][]string, len(known))
	for i, k := range known {
		candidates[i] = []string{k}
	}
	like := ranked([]string{arg}, candidates)
	proposal := strings.Join(like[:min(3, len(like))], " ")
	return analysis("UNRECOGNIZED_PARAMETER_NAME", "4274K",
		fmt.Sprintf("Cannot invoke routine `%s` because the routine call included a named argument reference for the argument named `%s`, but this routine does not include any signature containing an argument with this name. Did you mean one of the following? [%s].", routine, arg, proposal),
		map[string]string{"routineName": types.Quote(routine), "argumentName": types.Quote(arg), "proposal": proposal})
}

// RequiredParameter is an argument that was not given.
func RequiredParameter(routine, param string, index int) *Error {
	return analysis("REQUIRED_PARAMETER_NOT_FOUND", "4274K",
		fmt.Sprintf("Cannot invoke routine `%s` because the parameter named `%s` is required, but the routine call did not supply a value. Please update the routine call to supply an argument value (either positionally at index %d or by name) and retry the query again.", routine, param, index),
		map[string]string{"routineName": types.Quote(routine), "parameterName": types.Quote(param), "index": fmt.Sprint(index)})
}

// ProcedureArgument is an argument of a procedure, counted from 0, whose type is not the parameter's.
func ProcedureArgument(index int, argument string, got, want types.Type) *Error {
	n := ordinal(index + 1)
	return analysis("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09",
		fmt.Sprintf("Cannot resolve CALL due to data type mismatch: The %s parameter requires the \"%s\" type, however \"%s\" has the type \"%s\".", n, want.SQL(), argument, got.SQL()),
		map[string]string{"sqlExpr": "CALL", "paramIndex": n, "requiredType": `"` + want.SQL() + `"`, "inputSql": `"` + argument + `"`, "inputType": `"` + got.SQL() + `"`})
}

// DuplicateParameter is an argument that was given twice.
func DuplicateParameter(routine, param string) *Error {
	return analysis("DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.DOUBLE_NAMED_ARGUMENT_REFERENCE", "4274K",
		fmt.Sprintf("Call to routine `%s` is invalid because it includes multiple argument assignments to the same parameter name `%s`. More than one named argument referred to the same parameter. Please assign a value only once.", routine, param),
		map[string]string{"routineName": types.Quote(routine), "parameterName": types.Quote(param)})
}

// UnexpectedPositional is a positional argument behind a named one.
func UnexpectedPositional(routine, param string) *Error {
	return analysis("UNEXPECTED_POSITIONAL_ARGUMENT", "4274K",
		fmt.Sprintf("Cannot invoke routine `%s` because it contains positional argument(s) following the named argument assigned to `%s`; please rearrange them so the positional arguments come first and then retry the query again.", routine, param),
		map[string]string{"routineName": types.Quote(routine), "parameterName": types.Quote(param)})
}

// NoPartitionManagement is SHOW PARTITIONS on an Iceberg table.
func NoPartitionManagement(table []string) *Error {
	return analysis("INVALID_PARTITION_OPERATION.PARTITION_MANAGEMENT_IS_UNSUPPORTED", "42601",
		"The partition command is invalid. Table "+quoted(table)+" does not support partition management.", map[string]string{"name": quoted(table)})
}

// SinglePartNamespace is a name whose first part is no catalog.
func SinglePartNamespace(namespace []string) *Error {
	return analysis("REQUIRES_SINGLE_PART_NAMESPACE", "42K05", "spark_catalog requires a single-part namespace, but got "+quoted(namespace)+".",
		map[string]string{"sessionCatalog": "spark_catalog", "namespace": quoted(namespace)})
}

// TempViewNameTooManyParts is a temporary view with a qualified name.
func TempViewNameTooManyParts(name []string) *Error {
	return analysis("TEMP_VIEW_NAME_TOO_MANY_NAME_PARTS", "428EK",
		"CREATE TEMPORARY VIEW or the corresponding Dataset APIs only accept single-part view names, but got: "+strings.Join(name, ".")+".",
		map[string]string{"actualName": strings.Join(name, ".")})
}

// TempViewExists is a temporary view that is there already.
func TempViewExists(name string) *Error {
	return analysis("TEMP_TABLE_OR_VIEW_ALREADY_EXISTS", "42P07",
		"Cannot create the temporary view "+types.Quote(name)+" because it already exists.\nChoose a different name, drop or replace the existing view,  or add the IF NOT EXISTS clause to tolerate pre-existing views.",
		map[string]string{"relationName": types.Quote(name)})
}

// TimeTravelOnView is VERSION AS OF on a temporary view.
func TimeTravelOnView(name string) *Error {
	return analysis("UNSUPPORTED_FEATURE.TIME_TRAVEL", "0A000", "The feature is not supported: Time travel on the relation: "+types.Quote(name)+".",
		map[string]string{"relationId": types.Quote(name)})
}

// DataSourceNotFound is USING with an unknown format.
func DataSourceNotFound(provider string) *Error {
	return &Error{Exception: "SparkClassNotFoundException", Class: "DATA_SOURCE_NOT_FOUND", SQLState: "42K02",
		Message: "Failed to find the data source: " + provider + ". Make sure the provider name is correct and the package is properly registered and compatible with your Spark version.",
		Params:  map[string]string{"provider": provider}}
}

// PathNotFound is a file that is not there.
func PathNotFound(path string) *Error {
	path = redact.Text(path)
	return analysis("PATH_NOT_FOUND", "42K03", "Path does not exist: file:"+path+".", map[string]string{"path": "file:" + path})
}

// PathExists is a folder that a writer was told not to touch.
func PathExists(path string) *Error {
	return analysis("PATH_ALREADY_EXISTS", "42K04", "Path file:"+path+" already exists. Set mode as \"overwrite\" to overwrite the existing path.", map[string]string{"outputPath": "file:" + path})
}

// FilePartitionMissing is partitionBy of a column that is not there.
func FilePartitionMissing(name string, schema types.Type) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1155", Message: "Partition column " + types.Quote(name) + " not found in schema " + schema.SimpleString() + ".",
		Params: map[string]string{"col": types.Quote(name), "schemaCatalog": schema.SimpleString()}}
}

// AllPartitionColumns is partitionBy of all columns.
func AllPartitionColumns() *Error {
	return analysis("ALL_PARTITION_COLUMNS_NOT_ALLOWED", "KD005", "Cannot use all columns for partition columns.", nil)
}

// FormatType is a column of a type that a file format has no form for.
func FormatType(format, column string, t types.Type) *Error {
	return analysis("UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE", "0A000", "The "+format+" datasource doesn't support the column "+types.Quote(column)+" of the type \""+t.SQL()+"\".",
		map[string]string{"format": format, "columnName": types.Quote(column), "columnType": `"` + t.SQL() + `"`})
}

// TextSchema is a schema for text files that is not one STRING.
func TextSchema(columns int) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1193", Message: fmt.Sprintf("Text data source supports only a single column, and you have %d columns.", columns)}
}

// PathMissing is a file source without a path.
func PathMissing(format string) *Error {
	name := map[string]string{"parquet": "Parquet", "text": "Text"}[format]
	if name == "" {
		name = strings.ToUpper(format)
	}
	e := analysis("UNABLE_TO_INFER_SCHEMA", "42KD9", "Unable to infer schema for "+name+". It must be specified manually.", map[string]string{"format": name})
	e.Hint = "Укажите путь: OPTIONS (path '…')."
	return e
}

// PathOutsideRoots refuses a path outside the folders that a session may read.
func PathOutsideRoots(path string) *Error {
	path = redact.Text(path)
	return &Error{Exception: "SecurityException", Message: "Reading " + path + " is not allowed: it is outside the notebook's folder and the lakehouse.",
		Hint: "Положите файл рядом с ноутбуком или в папку data внутри lakehouse; другие папки разрешает переменная LAKELAB_DATA_ROOTS."}
}

// NotForV2Tables is a statement that Spark has for Hive's tables only.
func NotForV2Tables(command string) *Error {
	return analysis("NOT_SUPPORTED_COMMAND_FOR_V2_TABLE", "0A000", command+" is not supported for v2 tables.", map[string]string{"cmd": command})
}
