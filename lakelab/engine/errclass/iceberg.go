package errclass

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Errors of Iceberg tables, in the words of Spark 4.0 and Iceberg 1.10.

// Validation is Iceberg's ValidationException.
func Validation(format string, args ...any) *Error {
	return &Error{Exception: "ValidationException", Message: fmt.Sprintf(format, args...)}
}

// OverwriteUnsupported is an overwrite under a condition that Iceberg can't judge by whole files.
func OverwriteUnsupported(table []string) *Error {
	return &Error{Exception: "SparkException", Message: "Table does not support overwrite by expression: " + strings.Join(table, ".") + "."}
}

// OverwriteUntranslatable is an overwrite under a condition that is no filter.
func OverwriteUntranslatable(condition string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1109", Message: "Exec update failed: cannot translate expression to source filter: " + condition + "."}
}

// OverwriteBySubquery is an overwrite under a condition that asks another query.
func OverwriteBySubquery() *Error {
	return analysis("UNSUPPORTED_FEATURE.OVERWRITE_BY_SUBQUERY", "0A000", "The feature is not supported: INSERT OVERWRITE with a subquery condition.", nil)
}

// TableChange is what Iceberg refuses in an ALTER TABLE.
func TableChange(format string, args ...any) *Error {
	return &Error{Exception: "SparkException", Message: "Unsupported table change: " + fmt.Sprintf(format, args...)}
}

// NumberFormat is what Java reads as a number and is none, or too large.
func NumberFormat(v string) *Error {
	return &Error{Exception: "NumberFormatException", Message: fmt.Sprintf("For input string: %q", v)}
}

// EmptyGroup is a write of rows with a struct that has no fields; group is Parquet's text of it.
func EmptyGroup(group string) *Error {
	return &Error{Exception: "InvalidSchemaException", Message: "Cannot write a schema with an empty group: " + group}
}

// ReplaceNotNull is REPLACE COLUMNS with a column that is NOT NULL.
func ReplaceNotNull() *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0046", Message: "NOT NULL is not supported in Hive-style REPLACE COLUMNS.", Context: true}
}

// InsertIfNotExists is INSERT … PARTITION (…) IF NOT EXISTS.
func InsertIfNotExists(table []string) *Error {
	return analysis("UNSUPPORTED_FEATURE.INSERT_PARTITION_SPEC_IF_NOT_EXISTS", "0A000", "The feature is not supported: INSERT INTO "+quoted(table)+" with IF NOT EXISTS in the PARTITION spec.",
		map[string]string{"tableName": quoted(table)})
}

// EmptyIdentifier is a procedure's argument that names nothing.
func EmptyIdentifier(arg string) *Error {
	return IllegalArgument("Cannot handle an empty identifier for parameter '" + arg + "'")
}

// ProcedureSource is a table that a procedure takes files from and that is not there.
func ProcedureSource(message, namespace, name string) *Error {
	return &Error{Exception: "NoSuchTableException", Message: fmt.Sprintf(message, namespace, name)}
}

// SnapshotExists is the procedure snapshot where there is a table.
func SnapshotExists(name string) *Error {
	return &Error{Exception: "AlreadyExistsException", Message: "Cannot create table " + name + " as it already exists"}
}

// FilesTaken are files that add_files would add a second time.
func FilesTaken(paths []string) *Error {
	return &Error{Exception: "IllegalStateException", Message: "Cannot complete import because data files to be imported already exist within the target table: " + strings.Join(paths, ",") +
		".  This is disabled by default as Iceberg is not designed for multiple references to the same file within the same table.  " +
		"If you are sure, you may set 'check_duplicate_files' to false to force the import."}
}

// ColumnDefaults is DEFAULT in a new Iceberg table's columns, which Spark's catalog does not take.
func ColumnDefaults(spark bool, table []string) *Error {
	if !spark {
		return Unsupported("DEFAULT")
	}
	quoted := make([]string, len(table))
	for i, p := range table {
		quoted[i] = types.Quote(p)
	}
	return analysis("UNSUPPORTED_FEATURE.TABLE_OPERATION", "0A000", "The feature is not supported: Table "+strings.Join(quoted, ".")+
		" does not support column default value. Please check the current catalog and namespace to make sure the qualified table name is expected, "+
		"and also check the catalog implementation which is configured by \"spark.sql.catalog\".", nil)
}

// NoStructField is a column that a procedure's view lacks.
func NoStructField(name string, columns types.Type) *Error {
	names := make([]string, len(columns.Fields))
	for i, f := range columns.Fields {
		names[i] = types.Quote(f.Name)
	}
	e := analysis("FIELD_NOT_FOUND", "42704", "No such struct field "+types.Quote(name)+" in "+strings.Join(names, ", ")+".", nil)
	e.Exception = "IllegalArgumentException"
	return e
}

// SnapshotNotFound is VERSION AS OF an id that the table does not have.
func SnapshotNotFound(id int64) *Error {
	return IllegalArgument(fmt.Sprintf("Cannot find snapshot with ID %d", id))
}

// NoSnapshotBefore is TIMESTAMP AS OF a time before the table's first snapshot, given as Iceberg prints it.
func NoSnapshotBefore(at string) *Error {
	return IllegalArgument("Cannot find a snapshot older than " + at)
}

// RefNotFound is VERSION AS OF a text that is neither a branch nor a tag.
func RefNotFound(version string) *Error {
	return Validation("Cannot find matching snapshot ID or reference name for version %s", version)
}

// NotNullAssert is NULL in a field that is NOT NULL; path leads to it.
func NotNullAssert(path []string) *Error {
	walked := "\n" + strings.Join(path, "\n") + "\n"
	return &Error{Exception: "SparkRuntimeException", Class: "NOT_NULL_ASSERT_VIOLATION", SQLState: "42000",
		Message: "NULL value appeared in non-nullable field: " + walked + "If the schema is inferred from a Scala tuple/case class, or a Java bean, " +
			"please try to use scala.Option[_] or other nullable types (such as java.lang.Integer instead of int/scala.Int).",
		Params: map[string]string{"walkedTypePath": walked}}
}

// UnsupportedTableType is a type that no Iceberg table has.
func UnsupportedTableType(t types.Type) *Error {
	if t.Kind == types.CalendarInterval {
		return &Error{Exception: "AnalysisException", Message: `Cannot use "INTERVAL" type in the table schema.`}
	}
	return &Error{Exception: "UnsupportedOperationException", Message: "Not a supported type: " + t.SimpleString()}
}

// UnknownColumnType is a column of type VOID, which format v2 does not have.
func UnknownColumnType(schema types.Type) *Error {
	m := "Invalid schema for v2:"
	for _, f := range schema.Fields {
		if f.Type.Kind == types.Null {
			m += "\n- Invalid type for " + f.Name + ": unknown is not supported until v3"
		}
	}
	return &Error{Exception: "IllegalStateException", Message: m}
}

// NoOlderSnapshot is a changelog since a time before the oldest snapshot that is left.
func NoOlderSnapshot(than string) *Error {
	return &Error{Exception: "IllegalStateException", Message: "Cannot find snapshot older than " + than}
}

// FieldExists is ALTER TABLE that would give two fields one name. op is add or rename.
func FieldExists(op string, path []string, table types.Type) *Error {
	s := `"` + table.SQL() + `"`
	return analysis("FIELD_ALREADY_EXISTS", "42710", "Cannot "+op+" column, because "+quoted(path)+" already exists in "+s+".",
		map[string]string{"op": op, "fieldNames": quoted(path), "struct": s})
}

// FieldUnresolved is ALTER TABLE on a column that the table does not have.
func FieldUnresolved(path []string, table types.Type) *Error {
	if len(table.Fields) == 0 {
		return analysis("UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703",
			"A column, variable, or function parameter with name "+quoted(path)+" cannot be resolved.", map[string]string{"objectName": quoted(path)})
	}
	proposal := quotedFields(table.Fields)
	return analysis("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703",
		"A column, variable, or function parameter with name "+quoted(path)+" cannot be resolved. Did you mean one of the following? ["+proposal+"].",
		map[string]string{"objectName": quoted(path), "proposal": proposal})
}

// NotAStruct is a nested column in a column that is no struct.
func NotAStruct(path []string) *Error {
	parent := quoted(path[:len(path)-1])
	return analysis("INVALID_FIELD_NAME", "42000", "Field name "+quoted(path)+" is invalid: "+parent+" is not a struct.",
		map[string]string{"fieldName": quoted(path), "path": parent})
}

// NoFieldAfter is ADD COLUMN … AFTER a column that the struct does not have; Spark names the new column in it.
func NoFieldAfter(name string, in types.Type) *Error {
	names := make([]string, len(in.Fields))
	for i, f := range in.Fields {
		names[i] = f.Name
	}
	fields := strings.Join(names, ", ")
	return analysis("FIELD_NOT_FOUND", "42704", "No such struct field "+types.Quote(name)+" in "+fields+".",
		map[string]string{"fieldName": types.Quote(name), "fields": fields})
}

// AddRequiredColumn is ADD COLUMN … NOT NULL.
func AddRequiredColumn(path []string) *Error {
	return TableChange("Incompatible change: cannot add required column: %s", strings.Join(path, "."))
}

// ChangeColumnType is a change of type that Spark rules out: the values would not all fit.
func ChangeColumnType(table, path []string, from, to types.Type) *Error {
	f, t := `"`+from.SQL()+`"`, `"`+to.SQL()+`"`
	return analysis("NOT_SUPPORTED_CHANGE_COLUMN", "0A000",
		fmt.Sprintf("ALTER TABLE ALTER/CHANGE COLUMN is not supported for changing %s's column %s with type %s to %s with type %s.", quoted(table), quoted(path), f, quoted(path), t),
		map[string]string{"table": quoted(table), "originName": quoted(path), "originType": f, "newName": quoted(path), "newType": t})
}

// PromoteColumnType is a change of type that Spark allows and Iceberg does not. from and to are Iceberg's type names.
func PromoteColumnType(path []string, from, to string) *Error {
	return TableChange("Cannot change column type: %s: %s -> %s", strings.Join(path, "."), from, to)
}

// UpdateNested is ALTER COLUMN … TYPE on a struct, an array or a map. kind is one of those.
func UpdateNested(table, path []string, kind types.Kind) *Error {
	class, advice := "STRUCT_TYPE", "Update a struct by updating its fields."
	switch kind {
	case types.Array:
		class, advice = "ARRAY_TYPE", "Update the element by updating "+quoted(append(path[:len(path):len(path)], "element"))+"."
	case types.Map:
		n := len(path)
		class = "MAP_TYPE"
		advice = "Update a map by updating " + quoted(append(path[:n:n], "key")) + " or " + quoted(append(path[:n:n], "value")) + "."
	}
	return analysis("CANNOT_UPDATE_FIELD."+class, "0A000", "Cannot update "+quoted(table)+" field "+quoted(path)+" type: "+advice,
		map[string]string{"table": quoted(table), "fieldName": quoted(path)})
}

// RenameTarget is RENAME TO a table that exists, which Spark names without quotes here.
func RenameTarget(namespace, name string) *Error {
	to := namespace + "." + name
	return analysis("TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", "Cannot create table or view "+to+
		" because it already exists.\nChoose a different name, drop or replace the existing object, or add the IF NOT EXISTS clause to tolerate pre-existing objects.",
		map[string]string{"relationName": to})
}

// NoSuchNamespace is Iceberg's exception for a missing namespace.
func NoSuchNamespace(namespace string) *Error {
	return &Error{Exception: "NoSuchNamespaceException", Message: "Namespace does not exist: " + namespace}
}

// MergeCardinality is a MERGE that matches one row of the target with several of the source.
func MergeCardinality() *Error {
	return &Error{Exception: "SparkRuntimeException", Class: "MERGE_CARDINALITY_VIOLATION", SQLState: "23K01",
		Message: "The ON search condition of the MERGE statement matched a single row from the target table with multiple rows of the source table.\n" +
			"This could result in the target row being operated on more than once with an update or delete operation and is not allowed."}
}

// InvalidAssignments is UPDATE or MERGE that assigns a column twice, or both it and a field in it, or inserts no value into a column that
// takes no NULL; all lists the assignments, problems what is
// wrong with them, as Spark writes both.
func InvalidAssignments(all, problems []string) *Error {
	list := `"` + strings.Join(all, `", "`) + `"`
	reasons := "\n- " + strings.Join(problems, "\n- ")
	return analysis("DATATYPE_MISMATCH.INVALID_ROW_LEVEL_OPERATION_ASSIGNMENTS", "42K09",
		"Cannot resolve "+list+" due to data type mismatch: "+reasons, map[string]string{"sqlExpr": list, "errors": reasons})
}

// NonDeterministicRows is DELETE or UPDATE under a condition that is not the same each time it is asked.
func NonDeterministicRows(command, condition string) *Error {
	return analysis("INVALID_NON_DETERMINISTIC_EXPRESSIONS", "42K0E",
		"The operator expects a deterministic expression, but the actual expression is \""+condition+"\", \""+condition+"\".", map[string]string{"sqlExprs": `"` + condition + `"`})
}

// NonDeterministicMerge is MERGE under a condition that is not the same each time it is asked: the SEARCH condition behind ON, or that of an action.
func NonDeterministicMerge(which, condition string) *Error {
	return analysis("UNSUPPORTED_MERGE_CONDITION.NON_DETERMINISTIC", "42K0E",
		"MERGE operation contains unsupported "+which+" condition. Non-deterministic expressions are not allowed: \""+condition+"\".", map[string]string{"condName": which, "cond": `"` + condition + `"`})
}

// NonDeterministic is a random expression where the operator takes none.
func NonDeterministic(x string) *Error {
	return analysis("INVALID_NON_DETERMINISTIC_EXPRESSIONS", "42K0E",
		"The operator expects a deterministic expression, but the actual expression is \""+x+"\".", map[string]string{"sqlExprs": `"` + x + `"`})
}

// NonDeterministicAggregate is a random expression as an aggregate function's argument.
func NonDeterministicAggregate(call string) *Error {
	return analysis("AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION", "42845",
		"Non-deterministic expression \""+call+"\" should not appear in the arguments of an aggregate function.", map[string]string{"sqlExpr": `"` + call + `"`})
}

// MergeInsertArity is MERGE's INSERT with more or fewer values than columns.
func MergeInsertArity() *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0006", Message: "The number of inserted values cannot match the fields."}
}

// UnresolvedAmong is a column that was not found, with other columns to propose.
func UnresolvedAmong(e *Error, names []string) *Error {
	c := *e
	proposal := quotedEach(names, ", ")
	c.Class = "UNRESOLVED_COLUMN.WITH_SUGGESTION"
	c.Message = "A column, variable, or function parameter with name " + e.Params["objectName"] + " cannot be resolved. Did you mean one of the following? [" + proposal + "]."
	c.Params = map[string]string{"objectName": e.Params["objectName"], "proposal": proposal}
	return &c
}

// NotPurgeable is DROP TABLE … PURGE of a table whose files can't be deleted.
func NotPurgeable(table, folder string, err error) *Error {
	return &Error{Exception: "RuntimeIOException", Message: fmt.Sprintf("Cannot purge table %s: %s can't be written: %v", table, folder, err)}
}

// FilesLeft is DROP TABLE … PURGE that did not delete all files.
func FilesLeft(table string, n int, first string) *Error {
	return &Error{Exception: "RuntimeIOException", Message: fmt.Sprintf("The table %s is dropped, but %d of its files could not be deleted, %s is one", table, n, first)}
}

// NamespaceNotEmpty is DROP NAMESPACE of one that holds tables or views.
func NamespaceNotEmpty(name string, n int, what string) *Error {
	return &Error{Exception: "NamespaceNotEmptyException", Message: fmt.Sprintf("Namespace %s is not empty. Contains %d %s(s).", name, n, what)}
}

// CherryPickAncestor is a cherry-pick of a snapshot that is part of the current state already.
func CherryPickAncestor(id int64) *Error {
	return &Error{Exception: "CherrypickAncestorCommitException", Message: fmt.Sprintf("Cannot cherrypick snapshot %d: already an ancestor", id)}
}

// CherryPickTwice is a cherry-pick of a snapshot that was picked before.
func CherryPickTwice(id, by int64) *Error {
	return &Error{Exception: "CherrypickAncestorCommitException", Message: fmt.Sprintf("Cannot cherrypick snapshot %d: already picked to create ancestor %d", id, by)}
}

// DuplicateWAP is a publication of changes that were published before.
func DuplicateWAP(id string) *Error {
	return &Error{Exception: "DuplicateWAPCommitException", Message: "Duplicate request to cherry pick wap id that was published already: " + id}
}

// RewriteOptions are options that a rewriting procedure does not have.
func RewriteOptions(unknown []string, rewriter string) *Error {
	return IllegalArgument("Cannot use options [" + strings.Join(unknown, ", ") + "], they are not supported by the action or the rewriter " + rewriter)
}

// OrphanInterval is remove_orphan_files for files that may be part of a commit under way.
func OrphanInterval() *Error {
	return IllegalArgument("Cannot remove orphan files with an interval less than 24 hours. Executing this procedure with a short interval may corrupt the table if other operations are happening at the same time. " +
		"If you are absolutely confident that no concurrent operations will be affected by removing orphan files with such a short interval, you can use the Action API to remove orphan files with an arbitrary interval.")
}

// ProcedureIdentifier is a procedure's argument that names a table and is no name.
func ProcedureIdentifier(arg, text string) *Error {
	return &Error{Exception: "IllegalArgumentException", Message: "Cannot parse identifier for arg " + arg + ": " + text}
}

// ViewExists is CREATE VIEW where there is a table or a view.
func ViewExists[D ~int](d D, namespace, name string) *Error {
	full := namespace + "." + name
	if d != 0 {
		return trinoUser("ALREADY_EXISTS", "View already exists: '"+full+"'")
	}
	return analysis("VIEW_ALREADY_EXISTS", "42P07", "Cannot create view "+full+
		" because it already exists.\nChoose a different name, drop or replace the existing object, or add the IF NOT EXISTS clause to tolerate pre-existing objects.",
		map[string]string{"relationName": full})
}

// LastingViewNotFound is DROP VIEW of a view that the catalog does not have.
func LastingViewNotFound(namespace, name string) *Error {
	e := *ViewNotFound(0, []string{namespace, name})
	full := namespace + "." + name
	e.Message = strings.Replace(e.Message, e.Params["relationName"], full, 1)
	e.Params = map[string]string{"relationName": full}
	return &e
}

// ViewOnTemporary is CREATE VIEW over temporary views, which other sessions do not have.
func ViewOnTemporary(view string, temporary []string) *Error {
	return &Error{Exception: "AnalysisException", Message: "Cannot create view " + view + " that references temporary view: [" + strings.Join(temporary, ", ") + "]"}
}

// CreateViewColumns is CREATE VIEW with more or fewer names than its query has columns.
func CreateViewColumns(view string, named, got []string) *Error {
	class, reason := "TOO_MANY_DATA_COLUMNS", "too many data columns"
	if len(got) < len(named) {
		class, reason = "NOT_ENOUGH_DATA_COLUMNS", "not enough data columns"
	}
	return analysis("CREATE_VIEW_COLUMN_ARITY_MISMATCH."+class, "21S01", "Cannot create view "+view+", the reason is "+reason+":\nView columns: "+
		strings.Join(named, ", ")+".\nData columns: "+strings.Join(got, ", ")+".",
		map[string]string{"viewName": view, "viewColumns": strings.Join(named, ", "), "dataColumns": strings.Join(got, ", ")})
}

// UnsetViewProperty is ALTER VIEW … UNSET TBLPROPERTIES of one that is not set.
func UnsetViewProperty(key string) *Error {
	return &Error{Exception: "AnalysisException", Message: "Cannot remove property that is not set: '" + key + "'"}
}

// RecursiveView is a view that stands on itself.
func RecursiveView(view []string) *Error {
	return analysis("RECURSIVE_VIEW", "42K0H", "Recursive view "+quoted(view)+" detected (cycle: "+quoted(view)+" -> "+quoted(view)+").",
		map[string]string{"viewIdent": quoted(view)})
}

// ViewSchemaChanged is a view whose query does not give the columns any more that it gave when the view was made.
func ViewSchemaChanged(view, columns []string, got int) *Error {
	return analysis("INCOMPATIBLE_VIEW_SCHEMA_CHANGE", "51024", fmt.Sprintf("The SQL query of view %s has an incompatible schema change: it had the columns %s, and has %d columns now.",
		quoted(view), quotedEach(columns, ", "), got), map[string]string{"viewName": quoted(view)})
}

// AlreadyExists is Iceberg's exception for a table that is there already.
func AlreadyExists(table string) *Error {
	return &Error{Exception: "AlreadyExistsException", Message: "Table already exists: " + table}
}
