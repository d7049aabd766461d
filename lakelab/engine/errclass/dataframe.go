package errclass

import (
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Errors that only the DataFrame API can cause.

// AmbiguousSelfJoin is df.Col of a DataFrame that the query reads more than once.
func AmbiguousSelfJoin(name string) *Error {
	return &Error{
		Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1182",
		Message: "Column " + name + " are ambiguous. It's probably because you joined several Datasets together, and some of these Datasets are the same. " +
			"This column points to one of the Datasets but Spark is unable to figure out which one. Please alias the Datasets with different names via `Dataset.as` before joining them, " +
			"and specify the column using qualified name, e.g. `df.as(\"a\").join(df.as(\"b\"), $\"a.id\" > $\"b.id\")`. You can also set spark.sql.analyzer.failAmbiguousSelfJoin to false to disable this check.",
		Hint: "Дайте обеим сторонам имена: a := df.Alias(\"a\"), b := df.Alias(\"b\") — и пишите F.Col(\"a.id\").",
	}
}

// MissingAttribute is df.Col of a DataFrame whose column is not among those at hand; same says that another column has its name.
func MissingAttribute(name string, have []string, same bool) *Error {
	quote := func(s string) string { return `"` + s + `"` }
	input := make([]string, len(have))
	for i, h := range have {
		input[i] = quote(h)
	}
	missing, list := quote(name), strings.Join(input, ", ")
	params := map[string]string{"missingAttributes": missing, "input": list}
	e := analysis("MISSING_ATTRIBUTES.RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT", "XX000",
		"Resolved attribute(s) "+missing+" missing from "+list+" in operator.", params)
	if same {
		params["operation"] = missing
		e = analysis("MISSING_ATTRIBUTES.RESOLVED_ATTRIBUTE_APPEAR_IN_OPERATION", "XX000",
			"Resolved attribute(s) "+missing+" missing from "+list+" in operator. Attribute(s) with the same name appear in the operation: "+missing+".\nPlease check if the right attribute(s) are used.", params)
	}
	e.Hint = "Колонка взята из другого DataFrame: df.Col(…) годится только там, где этот df участвует."
	return e
}

// ColumnAmongFields is a method's column name that the DataFrame lacks.
func ColumnAmongFields(name string, have []string) *Error {
	list := strings.Join(have, ", ")
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1201", Params: map[string]string{"colName": name, "fieldNames": list},
		Message: `Cannot resolve column name "` + name + `" among (` + list + `).`}
}

// CannotDropAllFields is Column.dropFields of every field.
func CannotDropAllFields() *Error {
	return &Error{Exception: "AnalysisException", Class: "DATATYPE_MISMATCH.CANNOT_DROP_ALL_FIELDS", SQLState: "42K09",
		Message: "due to data type mismatch: Cannot drop all fields in struct."}
}

// FailedUDF is a function of a cell that returned an error or panicked.
func FailedUDF(name string, params []types.Type, result types.Type, cause error) *Error {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.SimpleString()
	}
	signature := strings.Join(names, ", ")
	return &Error{Exception: "SparkException", Class: "FAILED_EXECUTE_UDF", SQLState: "39000", Cause: cause,
		Message: "User defined function (`" + name + "`: (" + signature + ") => " + result.SimpleString() + ") failed due to: " + cause.Error() + ".",
		Params:  map[string]string{"functionName": "`" + name + "`", "signature": signature, "result": result.SimpleString(), "reason": cause.Error()}}
}

// StarInPivot is count(*) in a DataFrame's pivot.
func StarInPivot() *Error {
	return analysis("INVALID_USAGE_OF_STAR_OR_REGEX", "42000", "Invalid usage of '*' in Pivot.", map[string]string{"elem": "'*'", "prettyName": "Pivot"})
}

// SetOperationOnMap is DISTINCT, INTERSECT or EXCEPT of a column that holds a map.
func SetOperationOnMap(column string, t types.Type) *Error {
	return analysis("UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE", "0A000",
		"The feature is not supported: Cannot have MAP type columns in DataFrame which calls set operations (INTERSECT, EXCEPT, etc.), but the type of column "+types.Quote(column)+" is \""+t.SQL()+"\".",
		map[string]string{"colName": types.Quote(column), "dataType": `"` + t.SQL() + `"`})
}

// TypeNotOrderable is a partition of a window by what has no order.
func TypeNotOrderable(text string, t types.Type) *Error {
	return &Error{Exception: "AnalysisException", Class: "EXPRESSION_TYPE_IS_NOT_ORDERABLE", SQLState: "42822",
		Message: "Column expression \"" + text + "\" cannot be sorted because its type \"" + t.SQL() + "\" is not orderable.",
		Params:  map[string]string{"expr": `"` + text + `"`, "exprType": `"` + t.SQL() + `"`}}
}

// NotOrderable is a sort by what has no order.
func NotOrderable(key string, t types.Type) *Error {
	return &Error{Exception: "AnalysisException", Class: "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", SQLState: "42K09",
		Message: "Cannot resolve \"" + key + "\" due to data type mismatch: The `sortorder` does not support ordering on type \"" + t.SQL() + "\".",
		Params:  map[string]string{"sqlExpr": `"` + key + `"`, "functionName": "`sortorder`", "dataType": `"` + t.SQL() + `"`}}
}
