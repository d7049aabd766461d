package errclass

import (
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Errors of session variables, EXECUTE IMMEDIATE and the IDENTIFIER clause (Spark's "SQL Syntax" pages of the same names).

// variablePath is where Spark looks for variables.
const variablePath = "`system`.`session`"

// UnresolvedVariable is a name that no variable can have, or has. SET writes the path in upper case.
func UnresolvedVariable(name []string, set bool) *Error {
	path := variablePath
	if set {
		path = strings.ToUpper(path)
	}
	return analysis("UNRESOLVED_VARIABLE", "42883", "Cannot resolve variable "+quoted(name)+" on search path "+path+".",
		map[string]string{"variableName": quoted(name), "searchPath": path})
}

func variableName(name string) string { return variablePath + "." + types.Quote(name) }

// VariableNotFound is DROP of a variable that is not there.
func VariableNotFound(name string) *Error {
	return analysis("VARIABLE_NOT_FOUND", "42883", "The variable "+variableName(name)+" cannot be found. Verify the spelling and correctness of the schema and catalog.\n"+
		"If you did not qualify the name with a schema and catalog, verify the current_schema() output, or qualify the name with the correct schema and catalog.\n"+
		"To tolerate the error on drop use DROP VARIABLE IF EXISTS.", map[string]string{"variableName": variableName(name)})
}

// VariableExists is DECLARE of a variable that is there.
func VariableExists(name string) *Error {
	return analysis("VARIABLE_ALREADY_EXISTS", "42723", "Cannot create the variable "+variableName(name)+" because it already exists.\n"+
		"Choose a different name, or drop or replace the existing variable.", map[string]string{"variableName": variableName(name)})
}

// VariableDefault is a DEFAULT that is not a constant expression. sub is SUBQUERY_EXPRESSION, UNRESOLVED_EXPRESSION or NOT_CONSTANT.
func VariableDefault(sub, name, text string) *Error {
	why := map[string]string{
		"SUBQUERY_EXPRESSION":   "which contains subquery expressions",
		"UNRESOLVED_EXPRESSION": "which fails to resolve as a valid expression",
		"NOT_CONSTANT":          "which is not a constant expression whose equivalent value is known at query planning time",
	}[sub]
	return analysis("INVALID_DEFAULT_VALUE."+sub, "42623", "Failed to execute DECLARE VARIABLE command because the destination column or variable "+
		variableName(name)+" has a DEFAULT value "+text+", "+why+".",
		map[string]string{"statement": "DECLARE VARIABLE", "colName": variableName(name), "defaultValue": text})
}

// DuplicateAssignments is SET VARIABLE of one variable twice.
func DuplicateAssignments(name string) *Error {
	return analysis("DUPLICATE_ASSIGNMENTS", "42701", "The columns or variables "+types.Quote(name)+" appear more than once as assignment targets.",
		map[string]string{"nameList": types.Quote(name)})
}

// AssignmentArity is a row of another width than the list of variables that takes it.
func AssignmentArity(values, targets int) *Error {
	return analysis("ASSIGNMENT_ARITY_MISMATCH", "42802", "The number of columns or variables assigned or aliased: "+strconv.Itoa(targets)+
		" does not match the number of source expressions: "+strconv.Itoa(values)+".", map[string]string{"numTarget": strconv.Itoa(targets), "numExpr": strconv.Itoa(values)})
}

// RowSubqueryRows is a query with several rows where variables take one.
func RowSubqueryRows() *Error {
	return &Error{Exception: "SparkException", Class: "ROW_SUBQUERY_TOO_MANY_ROWS", SQLState: "21000", Message: "More than one row returned by a subquery used as a row."}
}

// DefaultPlacement is DEFAULT inside of an expression.
func DefaultPlacement() *Error {
	return analysis("DEFAULT_PLACEMENT_INVALID", "42608", "A DEFAULT keyword in a MERGE, INSERT, UPDATE, or SET VARIABLE command could not be directly assigned to a target column because it was part of an expression.\n"+
		"For example: `UPDATE SET c1 = DEFAULT` is allowed, but `UPDATE T SET c1 = DEFAULT + 1` is not allowed.", nil)
}

// SetOfVariable is SET x = … where x is a variable.
func SetOfVariable(name []string) *Error {
	return analysis("UNSUPPORTED_FEATURE.SET_VARIABLE_USING_SET", "0A000", "The feature is not supported: "+quoted(name)+
		" is a VARIABLE and cannot be updated using the SET statement. Use SET VARIABLE "+quoted(name)+" = ... instead.", map[string]string{"variableName": quoted(name)})
}

// ExecuteVariableType is EXECUTE IMMEDIATE of a variable that is no string.
func ExecuteVariableType(t types.Type) *Error {
	return analysis("INVALID_VARIABLE_TYPE_FOR_QUERY_EXECUTE_IMMEDIATE", "42K09", "Variable type must be string type but got \""+t.SQL()+"\".",
		map[string]string{"varType": `"` + t.SQL() + `"`})
}

// ExecuteNull is EXECUTE IMMEDIATE of a variable that is NULL.
func ExecuteNull(name []string) *Error {
	return analysis("NULL_QUERY_STRING_EXECUTE_IMMEDIATE", "22004", "Execute immediate requires a non-null variable as the query string, but the provided variable "+
		quoted(name)+" is null.", map[string]string{"varName": quoted(name)})
}

// ExecuteInto is EXECUTE IMMEDIATE … INTO of something else than a query.
func ExecuteInto(text string) *Error {
	return analysis("INVALID_STATEMENT_FOR_EXECUTE_INTO", "07501", "The INTO clause of EXECUTE IMMEDIATE is only valid for queries but the given statement is not a query: "+
		strings.ToUpper(text)+".", map[string]string{"sqlString": strings.ToUpper(text)})
}

// NestedExecute is EXECUTE IMMEDIATE of an EXECUTE IMMEDIATE.
func NestedExecute(text string) *Error {
	return analysis("NESTED_EXECUTE_IMMEDIATE", "07501", "Nested EXECUTE IMMEDIATE commands are not allowed. Please ensure that the SQL query provided ("+
		strings.ToUpper(text)+") does not contain another EXECUTE IMMEDIATE command.", map[string]string{"sqlString": strings.ToUpper(text)})
}

// ExecuteParameter is an argument of USING that is neither a constant nor a variable.
func ExecuteParameter(expression string) *Error {
	return analysis("UNSUPPORTED_EXPR_FOR_PARAMETER", "42K0E", "A query parameter contains unsupported expression.\nParameters can either be variables or literals.\n"+
		`Invalid expression: ["`+expression+`"]`, map[string]string{"invalidExprSql": `"` + expression + `"`})
}

// ParametersMustBeNamed is USING with arguments of which only some have a name.
func ParametersMustBeNamed(expressions []string) *Error {
	list := `"` + strings.Join(expressions, `", "`) + `"`
	return analysis("ALL_PARAMETERS_MUST_BE_NAMED", "07001", "Using name parameterized queries requires all parameters to be named. Parameters missing names: "+list+".",
		map[string]string{"exprs": list})
}

// MixedParameters is a query with both ? and :name.
func MixedParameters() *Error {
	return analysis("INVALID_QUERY_MIXED_QUERY_PARAMETERS", "42613", "Parameterized query must either use positional, or named parameters, but not both.", nil)
}

// DuplicateArgumentAliases is USING with two arguments of one name.
func DuplicateArgumentAliases(name string) *Error {
	return &Error{Exception: "ParseException", Class: "EXEC_IMMEDIATE_DUPLICATE_ARGUMENT_ALIASES", SQLState: "42701",
		Message: "The USING clause of this EXECUTE IMMEDIATE command contained multiple arguments with same alias (" + types.Quote(name) +
			"), which is invalid; please update the command to specify unique aliases and then try it again.", Params: map[string]string{"aliases": types.Quote(name)}}
}

func notConstantString(sub, expression, why string) *Error {
	return analysis("NOT_A_CONSTANT_STRING."+sub, "42601", "The expression "+expression+" used for the routine or clause `IDENTIFIER` must be a constant STRING which is NOT NULL.\n"+why,
		map[string]string{"expr": expression, "name": "IDENTIFIER"})
}

// IdentifierNotConstant is IDENTIFIER of an expression whose value depends on rows.
func IdentifierNotConstant(expression string) *Error {
	return notConstantString("NOT_CONSTANT", expression, "To be considered constant the expression must not depend on any columns, contain a subquery, or invoke a non deterministic function such as rand().")
}

// IdentifierNull is IDENTIFIER of NULL.
func IdentifierNull(expression string) *Error {
	return notConstantString("NULL", expression, "The expression evaluates to NULL.")
}

// IdentifierType is IDENTIFIER of something else than a string.
func IdentifierType(expression string, t types.Type) *Error {
	e := notConstantString("WRONG_TYPE", expression, "The data type of the expression is "+t.SimpleString()+".")
	e.Params["dataType"] = t.SimpleString()
	return e
}
