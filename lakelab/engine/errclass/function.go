package errclass

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Errors of CREATE FUNCTION and of calls of SQL functions (Spark's "USER_DEFINED_FUNCTIONS" conditions).

// FunctionRule is a rule of CREATE FUNCTION; sub is its subclass.
func FunctionRule(sub, message string) *Error {
	return analysis("USER_DEFINED_FUNCTIONS."+sub, "42601", "User defined function is invalid: "+message, nil)
}

// DefaultPosition is a parameter without a default behind one that has it.
func DefaultPosition(function []string, before, parameter string) *Error {
	e := FunctionRule("NOT_A_VALID_DEFAULT_PARAMETER_POSITION", "In routine "+quoted(function)+" parameter "+types.Quote(before)+" with DEFAULT must not be followed by parameter "+
		types.Quote(parameter)+" without DEFAULT.")
	e.Params = map[string]string{"functionName": quoted(function), "parameterName": types.Quote(before), "nextParameterName": types.Quote(parameter)}
	return e
}

// DuplicateParameterNames is a function with two parameters of one name.
func DuplicateParameterNames(function []string, name string) *Error {
	return analysis("DUPLICATE_ROUTINE_PARAMETER_NAMES", "42734", "Found duplicate name(s) in the parameter list of the user-defined routine "+quoted(function)+": "+types.Quote(name)+".",
		map[string]string{"routineName": quoted(function), "names": types.Quote(name)})
}

// DuplicateReturnsColumns is a table function with two columns of one name.
func DuplicateReturnsColumns(function []string, name string) *Error {
	return analysis("DUPLICATE_ROUTINE_RETURNS_COLUMNS", "42711", "Found duplicate column(s) in the RETURNS clause column list of the user-defined routine "+quoted(function)+": "+
		types.Quote(name)+".", map[string]string{"routineName": quoted(function), "columns": types.Quote(name)})
}

// ReturnColumns is a table function whose query has another number of columns than RETURNS lists.
func ReturnColumns(function string, have, want int) *Error {
	return FunctionRule("RETURN_COLUMN_COUNT_MISMATCH", fmt.Sprintf("The number of columns produced by the RETURN clause (num: `%d`) does not match the number of column names specified by the RETURNS clause (num: `%d`) of %s.",
		have, want, types.Quote(function)))
}

// CyclicFunction is a function that calls itself, perhaps through others.
func CyclicFunction(path []string) *Error {
	return analysis("CYCLIC_FUNCTION_REFERENCE", "42887", "Cyclic function reference detected: "+strings.Join(path, " -> ")+".", map[string]string{"path": strings.Join(path, " -> ")})
}

// RoutineExists is CREATE FUNCTION on a name that is taken.
func RoutineExists(kind, name string) *Error {
	return analysis("ROUTINE_ALREADY_EXISTS", "42723", "Cannot create the "+kind+" "+types.Quote(name)+" because a "+kind+" of that name already exists.\nChoose a different name, drop or replace the existing "+
		kind+", or add the IF NOT EXISTS clause to tolerate a pre-existing "+kind+".", map[string]string{"newRoutineType": kind, "routineName": types.Quote(name), "existingRoutineType": kind})
}

// NotTableFunction is a scalar function in FROM.
func NotTableFunction(name string) *Error {
	return analysis("NOT_A_TABLE_FUNCTION", "42887", types.Quote(name)+" appears as a table function here, but the function was defined as a scalar function. Please update the query to move the function call outside the FROM clause, or redefine "+
		types.Quote(name)+" as a table function instead.", map[string]string{"functionName": types.Quote(name)})
}

// NotScalarFunction is a table function outside of FROM.
func NotScalarFunction(name string) *Error {
	return analysis("NOT_A_SCALAR_FUNCTION", "42887", types.Quote(name)+" appears as a scalar expression here, but the function was defined as a table function. Please update the query to move the function call into the FROM clause, or redefine "+
		types.Quote(name)+" as a scalar function instead.", map[string]string{"functionName": types.Quote(name)})
}

// TempFunctionDatabase is a temporary function with a qualified name. verb is CREATE or DROP.
func TempFunctionDatabase(verb, database string) *Error {
	return &Error{Exception: "ParseException", Class: "INVALID_SQL_SYNTAX." + verb + "_TEMP_FUNC_WITH_DATABASE", SQLState: "42000",
		Message: "Invalid SQL syntax: " + verb + " TEMPORARY FUNCTION with specifying a database(" + types.Quote(database) + ") is not allowed.", Params: map[string]string{"database": types.Quote(database)}}
}

// TableFunctionDatabase is a table function with a qualified name.
func TableFunctionDatabase(name []string) *Error {
	return &Error{Exception: "ParseException", Class: "INVALID_SQL_SYNTAX.INVALID_TABLE_VALUED_FUNC_NAME", SQLState: "42000",
		Message: "Invalid SQL syntax: Table valued function cannot specify database name: " + quoted(name) + ".", Params: map[string]string{"funcName": quoted(name)}}
}

// NoFunctionCatalog is CREATE FUNCTION in a catalog that keeps none.
func NoFunctionCatalog(catalog string) *Error {
	return analysis("MISSING_CATALOG_ABILITY.CREATE_FUNCTION", "0A000", "Catalog "+types.Quote(catalog)+" does not support CREATE FUNCTION.",
		map[string]string{"plugin": types.Quote(catalog)})
}

// NotPersistentFunction is DROP FUNCTION of one that is built in or temporary.
func NotPersistentFunction(name string) *Error {
	return analysis("_LEGACY_ERROR_TEMP_1017", "", name+" is a built-in/temporary function. 'DROP FUNCTION' expects a persistent function. Please use fully qualified identifier to drop the persistent function..",
		map[string]string{"name": name, "cmd": "DROP FUNCTION", "hintStr": " Please use fully qualified identifier to drop the persistent function."})
}

// BuiltinFunction is DROP TEMPORARY FUNCTION of one that is built in.
func BuiltinFunction(name string) *Error {
	return analysis("_LEGACY_ERROR_TEMP_1255", "", "Cannot drop built-in function '"+name+"'.", map[string]string{"functionName": name})
}

// FunctionNotFound is DROP TEMPORARY FUNCTION of one that is not there.
func FunctionNotFound(name []string) *Error {
	return analysis("ROUTINE_NOT_FOUND", "42883", "The routine "+quoted(name)+" cannot be found. Verify the spelling and correctness of the schema and catalog.\n"+
		"If you did not qualify the name with a schema and catalog, verify the current_schema() output, or qualify the name with the correct schema and catalog.\n"+
		"To tolerate the error on drop use DROP ... IF EXISTS.", map[string]string{"routineName": quoted(name)})
}
