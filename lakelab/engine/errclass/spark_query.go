package errclass

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Analysis errors of single clauses of a query, in Spark's words.

// NestedGenerator is explode(…) inside another expression.
func NestedGenerator(expression string) *Error {
	return analysis("UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS", "42K0E",
		"The generator is not supported: nested in expressions \""+expression+"\".", map[string]string{"expression": `"` + expression + `"`})
}

// GeneratorAliases is a generator with too many or too few names.
func GeneratorAliases(columns int, names []string) *Error {
	list := strings.Join(names, ",")
	return analysis("UDTF_ALIAS_NUMBER_MISMATCH", "42802",
		fmt.Sprintf("The number of aliases supplied in the AS clause does not match the number of columns output by the UDTF.\nExpected %d aliases, but got %s.\nPlease ensure that the number of aliases provided matches the number of columns output by the UDTF.", columns, list),
		map[string]string{"aliasesSize": fmt.Sprint(columns), "aliasesNames": list})
}

// AmbiguousLateralAlias is a name that several select items further left have.
func AmbiguousLateralAlias(name []string, n int) *Error {
	return analysis("AMBIGUOUS_LATERAL_COLUMN_ALIAS", "42702", fmt.Sprintf("Lateral column alias %s is ambiguous and has %d matches.", quoted(name), n),
		map[string]string{"name": quoted(name), "n": fmt.Sprint(n)})
}

// AmbiguousField is a struct's field name that occurs several times.
func AmbiguousField(name string, n int) *Error {
	return analysis("AMBIGUOUS_REFERENCE_TO_FIELDS", "42000", fmt.Sprintf("Ambiguous reference to the field %s. It appears %d times in the schema.", types.Quote(name), n),
		map[string]string{"field": types.Quote(name), "count": fmt.Sprint(n)})
}

// GroupByPosAggregate is GROUP BY 2 where the second item is an aggregate.
func GroupByPosAggregate(d int, index, expression string) *Error {
	if d != 0 {
		return TrinoNotScalar("GROUP BY", expression)
	}
	return analysis("GROUP_BY_POS_AGGREGATE", "42903",
		fmt.Sprintf("GROUP BY %s refers to an expression %s that contains an aggregate function. Aggregate functions are not allowed in GROUP BY.", index, expression),
		map[string]string{"index": index, "aggExpr": expression})
}

// UnsupportedGrouping is grouping() or grouping_id() without grouping sets.
func UnsupportedGrouping(d int) *Error {
	if d != 0 {
		return trinoUser("MISSING_GROUP_BY", "A GROUPING() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause")
	}
	return analysis("UNSUPPORTED_GROUPING_EXPRESSION", "42K0E", "grouping()/grouping_id() can only be used with GroupingSets/Cube/Rollup.", nil)
}

// GroupingMismatch is grouping(x) of what is not grouped.
func GroupingMismatch(function, columns, groups string) *Error {
	if function == "grouping" {
		return analysis("GROUPING_COLUMN_MISMATCH", "42803", "Column of grouping ("+columns+") can't be found in grouping columns "+groups+".",
			map[string]string{"grouping": `"` + columns + `"`, "groupingColumns": `"` + groups + `"`})
	}
	return analysis("GROUPING_ID_COLUMN_MISMATCH", "42803", "Columns of grouping_id ("+columns+") does not match grouping columns ("+groups+").",
		map[string]string{"groupingIdColumn": `"` + columns + `"`, "groupByColumns": `"` + groups + `"`})
}

// PivotNotAggregate is PIVOT of an expression without an aggregate.
func PivotNotAggregate(expression string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1006", Params: map[string]string{"sql": expression},
		Message: "Aggregate expression required for pivot, but '" + expression + "' did not appear in any aggregate function."}
}

// PivotValueType is a value in PIVOT's IN list of another type than FOR's column.
func PivotValueType(value, got, want string) *Error {
	return analysis("PIVOT_VALUE_DATA_TYPE_MISMATCH", "42K09",
		fmt.Sprintf("Invalid pivot value '%s': value data type %s does not match pivot column data type %s.", value, got, want),
		map[string]string{"value": value, "valueType": got, "pivotType": want})
}

// NonLiteralPivot is a value in PIVOT's IN list that is no constant.
func NonLiteralPivot(expression string) *Error {
	return analysis("NON_LITERAL_PIVOT_VALUES", "42K08", "Literal expressions required for pivot values, found \""+expression+"\".", map[string]string{"expression": `"` + expression + `"`})
}

// UnpivotSize is UNPIVOT with an entry of another width than the value columns.
func UnpivotSize() *Error {
	return analysis("UNPIVOT_VALUE_SIZE_MISMATCH", "428C4", "All unpivot value columns must have the same size as there are value column names (<names>).", nil)
}

// UnpivotTypes is UNPIVOT of columns without a type in common.
func UnpivotTypes(labels []string, ts []types.Type) *Error {
	list := make([]string, len(ts))
	for i, t := range ts {
		list[i] = `"` + t.SQL() + "\" (" + types.Quote(labels[i]) + ")"
	}
	return analysis("UNPIVOT_VALUE_DATA_TYPE_MISMATCH", "42K09",
		"Unpivot value columns must share a least common type, some types do not: ["+strings.Join(list, ", ")+"].", map[string]string{"types": strings.Join(list, ", ")})
}

// SampleFraction is TABLESAMPLE of less than nothing or more than all.
func SampleFraction(fraction float64) *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0064", Message: fmt.Sprintf("Sampling fraction (%v) must be on interval [0, 1].", fraction),
		Params: map[string]string{"msg": fmt.Sprintf("Sampling fraction (%v) must be on interval [0, 1]", fraction)}}
}

// UnexpectedLambda is x -> … where no function takes it.
func UnexpectedLambda(d int) *Error {
	if d != 0 {
		return trinoMismatch("Lambda expression should always be used inside a function")
	}
	return analysis("INVALID_LAMBDA_FUNCTION_CALL.NON_HIGHER_ORDER_FUNCTION", "42K0D", "Invalid lambda function call. A lambda function should only be used in a higher order function.", nil)
}

// LambdaParams is a lambda with a number of parameters that its function does not hand out.
func LambdaParams(d int, want, got int) *Error {
	if d != 0 {
		return trinoUser("INVALID_PARAMETER_USAGE", fmt.Sprintf("Expected a lambda that takes %d argument(s) but got %d", want, got))
	}
	return analysis("INVALID_LAMBDA_FUNCTION_CALL.NUM_ARGS_MISMATCH", "42K0D",
		fmt.Sprintf("Invalid lambda function call. A higher order function expects %d arguments, but got %d.", got, want),
		map[string]string{"expectedNumArgs": fmt.Sprint(got), "actualNumArgs": fmt.Sprint(want)})
}

// DuplicateLambdaParam is (x, x) -> ….
func DuplicateLambdaParam(names []string) *Error {
	list := quotedEach(names, ", ")
	return analysis("INVALID_LAMBDA_FUNCTION_CALL.DUPLICATE_ARG_NAMES", "42K0D",
		"Invalid lambda function call. The lambda function has duplicate arguments "+list+". Please, consider to rename the argument names or set \"spark.sql.caseSensitive\" to \"true\".",
		map[string]string{"args": list, "caseSensitiveConfig": "\"spark.sql.caseSensitive\""})
}

// UnsupportedExpressions are aggregates or window functions where none may stand: in a join's condition, in a sort above HAVING.
func UnsupportedExpressions(d int, calls []string) *Error {
	if d != 0 {
		return TrinoNotScalar("JOIN", calls...)
	}
	list := strings.Join(calls, ", ")
	return analysis("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E",
		"A query operator contains one or more unsupported expressions.\nConsider to rewrite it to avoid window functions, aggregate functions, and generator functions in the WHERE clause.\nInvalid expressions: ["+list+"]",
		map[string]string{"invalidExprSqls": list})
}

// DistinctOnScalar is f(DISTINCT x) of a function that does not aggregate.
func DistinctOnScalar(d int, name string) *Error {
	if d != 0 {
		return trinoUser("FUNCTION_NOT_AGGREGATE", "DISTINCT is not supported for non-aggregation functions")
	}
	return functionWithout(name, "DISTINCT")
}

// FilterOnScalar is f(x) FILTER (WHERE …) of a function that does not aggregate.
func FilterOnScalar(d int, name string) *Error {
	if d != 0 {
		return trinoUser("FUNCTION_NOT_AGGREGATE", "Filter is only valid for aggregation functions")
	}
	return functionWithout(name, "FILTER clause")
}

func functionWithout(name, syntax string) *Error {
	return analysis("INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX", "42000", "Invalid SQL syntax: The function "+types.Quote(name)+" does not support "+syntax+".",
		map[string]string{"prettyName": types.Quote(name), "syntax": syntax})
}

// RoutineNotResolved is a call of a function that does not exist. current are the session's catalog and namespace.
func RoutineNotResolved(name, current []string) *Error {
	path := "[`system`.`builtin`, `system`.`session`, " + quoted(current) + "]"
	return analysis("UNRESOLVED_ROUTINE", "42883", "Cannot resolve routine "+quoted(name)+" on search path "+path+".",
		map[string]string{"routineName": quoted(name), "searchPath": path})
}

// InSubqueryTypes is x IN a query of another type.
func InSubqueryTypes(expression string, left, right types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.IN_SUBQUERY_DATA_TYPE_MISMATCH", "42K09",
		fmt.Sprintf("Cannot resolve \"%s\" due to data type mismatch: The data type of one or more elements in the left hand side of an IN subquery is not compatible with the data type of the output of the subquery. Mismatched columns: [], left side: [\"%s\"], right side: [\"%s\"].", expression, left.SQL(), right.SQL()),
		map[string]string{"sqlExpr": `"` + expression + `"`, "mismatchedColumns": "", "leftType": `"` + left.SQL() + `"`, "rightType": `"` + right.SQL() + `"`})
}

// UnexpectedInputTypes is UnexpectedInputType for a parameter that takes several types; want is quoted already.
func UnexpectedInputTypes(function string, arg int, got types.Type, want string) *Error {
	e := UnexpectedInputType(function, arg, got, types.Type{})
	e.Message = strings.Replace(e.Message, `"VOID"`, want, 1)
	e.Params["requiredType"] = want
	return e
}

// Input names the argument that an UnexpectedInputType means, where it is none of the call's.
func (e *Error) Input(text string) *Error {
	c := *e
	text = `"` + text + `"`
	c.Message = strings.Replace(e.Message, "however the argument has", "however "+text+" has", 1)
	c.Params = maps.Clone(e.Params)
	c.Params["inputSql"] = text
	delete(c.Params, "function")
	return &c
}

// UnresolvedAll is GROUP BY ALL beside an item that mixes columns and aggregates.
func UnresolvedAll() *Error {
	return analysis("UNRESOLVED_ALL_IN_GROUP_BY", "42803", "Cannot infer grouping columns for GROUP BY ALL based on the select clause. Please explicitly specify the grouping columns.", nil)
}

// TableFunctionAliases is a table function with an alias list of the wrong length.
func TableFunctionAliases(function string, names, columns int) *Error {
	return analysis("NUM_TABLE_VALUE_ALIASES_MISMATCH", "42826", fmt.Sprintf("Number of given aliases does not match number of output columns. Function name: %s; number of aliases: %d; number of output columns: %d.", types.Quote(function), names, columns),
		map[string]string{"funcName": types.Quote(function), "aliasesNum": fmt.Sprint(names), "outColsNum": fmt.Sprint(columns)})
}

// Position is the number of an ordinal word, as messages count parameters; 0 for a word that is none.
func Position(word string) int {
	for i := 1; i <= 3; i++ {
		if ordinal(i) == word {
			return i
		}
	}
	n, _ := strconv.Atoi(strings.TrimSuffix(word, "th"))
	return n
}

// docs is where Spark's messages send the reader.
const docs = "https://spark.apache.org/docs/latest"

func inlineTable(sub, message string, params map[string]string) *Error {
	return &Error{Exception: "ParseException", Class: "INVALID_INLINE_TABLE." + sub, SQLState: "42000", Message: message, Params: params}
}

// WindowInWhere is a window function in WHERE. Spark has no condition for it, only a number.
func WindowInWhere() *Error {
	return analysis("_LEGACY_ERROR_TEMP_1034", "", "It is not allowed to use window functions inside WHERE clause.", map[string]string{"clauseName": "WHERE"})
}

// BinaryOpWrongType is an operator whose sides are both of a type that it does not take. The analyzer adds the expression's text.
func BinaryOpWrongType(want string, got types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE", "42K09",
		fmt.Sprintf("due to data type mismatch: the binary operator requires the input type \"%s\", not \"%s\".", want, got.SQL()),
		map[string]string{"inputType": `"` + want + `"`, "actualDataType": `"` + got.SQL() + `"`})
}

// CaseTypes is CASE with results that have no type in common. The analyzer adds the expression's text.
func CaseTypes(ts []types.Type) *Error {
	q := make([]string, len(ts))
	for i, t := range ts {
		q[i] = `"` + t.SQL() + `"`
	}
	list := "[" + strings.Join(q, ", ") + "]"
	return analysis("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", "due to data type mismatch: Input to `casewhen` should all be the same type, but it's "+list+".",
		map[string]string{"functionName": "`casewhen`", "dataType": list})
}

// ValueOutOfRange is a constant argument beyond what a function takes.
func ValueOutOfRange(name, within, value string) *Error {
	return analysis("DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "42K09", fmt.Sprintf("due to data type mismatch: The %s must be between %s (current value = %s).", name, within, value),
		map[string]string{"exprName": name, "valueRange": within, "currentValue": value})
}

// UnexpectedNull is NULL for an argument that must be a value.
func UnexpectedNull(name string) *Error {
	return analysis("DATATYPE_MISMATCH.UNEXPECTED_NULL", "42K09", fmt.Sprintf("due to data type mismatch: The %s must not be null.", name), map[string]string{"exprName": name})
}

// NonFoldableInput is an argument, known by its name, that has to be a constant. The analyzer adds its text.
func NonFoldableInput(name string, arg int, want types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "42K09",
		fmt.Sprintf("due to data type mismatch: the input `%s` should be a foldable \"%s\" expression; however, got %s.", name, want.SQL(), argumentMark),
		map[string]string{"inputName": types.Quote(name), "inputType": `"` + want.SQL() + `"`, "paramIndex": ordinal(arg)})
}

// NonFoldableKind is NonFoldableInput where Spark names a kind of expression instead of a type.
func NonFoldableKind(name string, arg int, what string) *Error {
	return analysis("DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "42K09",
		fmt.Sprintf("due to data type mismatch: the input `%s` should be a foldable %s expression; however, got %s.", name, what, argumentMark),
		map[string]string{"inputName": types.Quote(name), "inputType": what, "paramIndex": ordinal(arg)})
}

// SeedUnfoldable is a seed that reads a row. The analyzer adds the texts.
func SeedUnfoldable(arg int) *Error {
	return analysis("SEED_EXPRESSION_IS_UNFOLDABLE", "42K08", "The seed expression "+argumentMark+" of the expression "+callMark+" must be foldable.", map[string]string{"paramIndex": ordinal(arg)})
}

// InvalidEscapeChar is LIKE … ESCAPE with something else than one character.
func InvalidEscapeChar(t types.Type, v any) *Error {
	text := types.Text(t, v, nil)
	return analysis("INVALID_ESCAPE_CHAR", "42604", fmt.Sprintf("`EscapeChar` should be a string literal of length one, but got \"%s\".", text), map[string]string{"sqlExpr": `"` + text + `"`})
}

// argumentMark stands in a message where the analyzer puts the text of the argument that paramIndex counts.
const argumentMark = "\x00argument\x00"

// callMark stands where it puts the text of the call.
const callMark = "\x00call\x00"

// WithCall puts the call's text in.
func (e *Error) WithCall(text string) *Error {
	if !strings.Contains(e.Message, callMark) {
		return e
	}
	c := *e
	c.Message = strings.ReplaceAll(e.Message, callMark, text)
	return &c
}

// WithArgument puts an argument's text where a message wants it.
func (e *Error) WithArgument(text string) *Error {
	c := *e
	c.Message = strings.ReplaceAll(e.Message, argumentMark, text)
	c.Params = maps.Clone(e.Params)
	delete(c.Params, "paramIndex")
	c.Params["inputExpr"] = text
	return &c
}

// WantsArgument reports whether the message has a place for an argument's text.
func (e *Error) WantsArgument() bool { return strings.Contains(e.Message, argumentMark) }

// OptionsNotMap is a function's options that are no map() of constants.
func OptionsNotMap() *Error {
	return analysis("INVALID_OPTIONS.NON_MAP_FUNCTION", "42K06", "Invalid options: Must use the `map()` function for options.", nil)
}

// OptionsNotStrings is a function's options with other things than text.
func OptionsNotStrings(t types.Type) *Error {
	return analysis("INVALID_OPTIONS.NON_STRING_TYPE", "42K06", fmt.Sprintf("Invalid options: A type of keys and values in `map()` must be string, but got \"%s\".", t.SQL()), map[string]string{"mapType": `"` + t.SQL() + `"`})
}

// SchemaNotString is a schema that is no constant text. The analyzer puts its text in.
func SchemaNotString(arg int) *Error {
	return analysis("INVALID_SCHEMA.NON_STRING_LITERAL", "42K07", "The input schema "+argumentMark+" is not a valid schema string. The input expression must be string literal and not null.",
		map[string]string{"paramIndex": ordinal(arg)})
}

// SchemaNotStruct is a schema that is no struct's, for a function that reads only such. The analyzer puts its text in.
func SchemaNotStruct(got types.Type) *Error {
	return analysis("INVALID_SCHEMA.NON_STRUCT_TYPE", "42K07", "The input schema "+argumentMark+" is not a valid schema string. The input expression should be evaluated to struct type, but got \""+got.SQL()+"\".",
		map[string]string{"paramIndex": ordinal(2), "dataType": `"` + got.SQL() + `"`})
}

// InvalidJSONSchema is to_json of a scalar.
func InvalidJSONSchema(t types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.INVALID_JSON_SCHEMA", "42K09", fmt.Sprintf("due to data type mismatch: Input schema \"%s\" must be a struct, an array, a map or a variant.", t.SQL()), map[string]string{"schema": `"` + t.SQL() + `"`})
}

// UnsupportedInput is an argument of a type that a function cannot take.
func UnsupportedInput(function string, t types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.UNSUPPORTED_INPUT_TYPE", "42K09", fmt.Sprintf("due to data type mismatch: The input of `%s` can't be \"%s\" type data.", function, t.SQL()),
		map[string]string{"functionName": types.Quote(function), "dataType": `"` + t.SQL() + `"`})
}

// NonStringType is a function all of whose arguments must be text.
func NonStringType(function string) *Error {
	return analysis("DATATYPE_MISMATCH.NON_STRING_TYPE", "42K09", fmt.Sprintf("due to data type mismatch: all arguments of the function `%s` must be strings.", function), map[string]string{"funcName": types.Quote(function)})
}

// InvalidOrdering is a comparison, or a sort, of a type that has no order.
func InvalidOrdering(function string, t types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "42K09", fmt.Sprintf("due to data type mismatch: The `%s` does not support ordering on type \"%s\".", function, t.SQL()),
		map[string]string{"functionName": types.Quote(function), "dataType": `"` + t.SQL() + `"`})
}

// SequenceTypes is sequence() of types that do not go together.
func SequenceTypes() *Error {
	return analysis("DATATYPE_MISMATCH.SEQUENCE_WRONG_INPUT_TYPES", "42K09", "due to data type mismatch: `sequence` uses the wrong parameter type. The parameter type must conform to:\n1. The start and stop expressions must resolve to the same type.\n2. If start and stop expressions resolve to the (\"TIMESTAMP\" or \"TIMESTAMP_NTZ\" or \"DATE\") type, then the step expression must resolve to the (\"INTERVAL\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL DAY TO SECOND\") type.\n3. Otherwise, if start and stop expressions resolve to the \"INTEGRAL\" type, then the step expression must resolve to the same type.", nil)
}

// MapZipTypes is map_zip_with of two maps whose keys have no common type.
func MapZipTypes(a, b types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.MAP_ZIP_WITH_DIFF_TYPES", "42K09", "due to data type mismatch: Input to the `map_zip_with` should have been two maps with compatible key types, but it's "+typeList([]types.Type{a, b})+".", nil)
}

// MapKeyKind is a map whose keys are or hold maps.
func MapKeyKind(t types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.INVALID_MAP_KEY_TYPE", "42K09", fmt.Sprintf("due to data type mismatch: The key of map cannot be/contain \"%s\".", t.SQL()), map[string]string{"keyType": `"` + t.SQL() + `"`})
}

// LambdaReturn is a lambda that has to give another type.
func LambdaReturn(want, got types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.UNEXPECTED_RETURN_TYPE", "42K09", fmt.Sprintf("due to data type mismatch: The `lambdafunction` requires return \"%s\" type, but the actual is \"%s\" type.", want.SQL(), got.SQL()),
		map[string]string{"functionName": "`lambdafunction`", "expectedType": `"` + want.SQL() + `"`, "actualType": `"` + got.SQL() + `"`})
}

// Plainly is an error of the analyzer that has a number in place of a class.
func Plainly(number, text string) *Error {
	return analysis("_LEGACY_ERROR_TEMP_"+number, "", text, nil)
}

// CountNothing is count() without arguments.
func CountNothing(trino bool) *Error {
	if trino {
		return WrongNumArgs("count", "> 0", 0)
	}
	return analysis("WRONG_NUM_ARGS.WITH_SUGGESTION", "42605", "The `count` requires  >= 1 parameters but the actual number is 0. If you have to call this function with 0 parameters, set the legacy configuration \"spark.sql.legacy.allowParameterlessCount\" to \"true\".", nil).Nowhere()
}

// CollectSetOfMaps is collect_set of what is or holds a map.
func CollectSetOfMaps() *Error {
	return analysis("DATATYPE_MISMATCH.UNSUPPORTED_INPUT_TYPE", "42K09", "due to data type mismatch: The input of `collect_set` can't be \"MAP\" or \"COLLATED STRING\" type data.", nil)
}

// InputSize is a text of mask() that is no single character.
func InputSize(name string) *Error {
	return analysis("DATATYPE_MISMATCH.INPUT_SIZE_NOT_ONE", "42K09", "due to data type mismatch: Length of "+name+" should be 1.", map[string]string{"exprName": name})
}

// BooleanLiteral is an argument that has to be true or false.
func BooleanLiteral(parameter, function, got string) *Error {
	return analysis("INVALID_PARAMETER_VALUE.BOOLEAN", "22023", fmt.Sprintf("The value of parameter(s) %s in %s is invalid: expects a boolean literal, but got \"%s\".", types.Quote(parameter), types.Quote(function), got), map[string]string{"parameter": types.Quote(parameter), "functionName": types.Quote(function), "invalidValue": `"` + got + `"`})
}

// EltTypes is elt() with a value that is no text and no bytes. The message names them all.
func EltTypes(names, kinds []string) *Error {
	return analysis("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09", "due to data type mismatch: The second... parameter requires the \"STRING\" or \"BINARY\" type, however \""+strings.Join(names, `","`)+"\" has the type \""+strings.Join(kinds, `","`)+"\".", map[string]string{"paramIndex": "second...", "inputSql": `"` + strings.Join(names, `","`) + `"`})
}

// StackTypes is stack() whose column has values of several types.
func StackTypes(column, left, right int, a, b types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.STACK_COLUMN_DIFF_TYPES", "42K09", fmt.Sprintf("due to data type mismatch: The data type of the column (%d) do not have the same type: \"%s\" (%d) <> \"%s\" (%d).", column, a.SQL(), left, b.SQL(), right), nil)
}

// InvalidNumberFormat is a format of to_number or to_char that is none.
func InvalidNumberFormat(sub, format, detail string) *Error {
	format = "'" + strings.ReplaceAll(format, "'", `\'`) + "'"
	return analysis("INVALID_FORMAT."+sub, "42601", "The format is invalid: "+format+". "+detail, map[string]string{"format": format})
}

// BinaryFormat is a format of bytes that does not exist.
func BinaryFormat(function, format string) *Error {
	return analysis("INVALID_PARAMETER_VALUE.BINARY_FORMAT", "22023", fmt.Sprintf("The value of parameter(s) `format` in `%s` is invalid: expects one of binary formats 'base64', 'hex', 'utf-8', but got '%s'.", function, format),
		map[string]string{"parameter": "`format`", "functionName": types.Quote(function), "invalidFormat": "'" + format + "'"})
}

// InvalidArgValue is a constant argument that is none of those that a function takes.
func InvalidArgValue(name, required, got string) *Error {
	return analysis("DATATYPE_MISMATCH.INVALID_ARG_VALUE", "42K09", fmt.Sprintf("due to data type mismatch: The %s value must to be a %s, but got %s.", name, required, got),
		map[string]string{"inputName": name, "requireType": required, "inputValue": got})
}

// ArraysDiffer is a function of two arrays alike that were given others.
func ArraysDiffer(function string, l, r types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.BINARY_ARRAY_DIFF_TYPES", "42K09",
		fmt.Sprintf("due to data type mismatch: Input to function `%s` should have been two \"ARRAY\" with same element type, but it's [\"%s\", \"%s\"].", function, l.SQL(), r.SQL()),
		map[string]string{"functionName": types.Quote(function), "arrayType": `"ARRAY"`, "leftType": `"` + l.SQL() + `"`, "rightType": `"` + r.SQL() + `"`})
}

// NullTyped is NULL for an argument whose type decides.
func NullTyped(function string) *Error {
	return analysis("DATATYPE_MISMATCH.NULL_TYPE", "42K09", fmt.Sprintf("due to data type mismatch: Null typed values cannot be used as arguments of `%s`.", function), map[string]string{"functionName": types.Quote(function)})
}

// NamesNotStrings is named_struct with a name that is no constant text. The analyzer puts the names in.
func NamesNotStrings() *Error {
	return analysis("DATATYPE_MISMATCH.CREATE_NAMED_STRUCT_WITHOUT_FOLDABLE_STRING", "42K09", "due to data type mismatch: Only foldable `STRING` expressions are allowed to appear at odd position, but they are ["+argumentMark+"].",
		map[string]string{"paramIndex": "odd"})
}

// NamesNull is named_struct with a name that is NULL. The analyzer puts all its names in.
func NamesNull() *Error {
	return analysis("DATATYPE_MISMATCH.UNEXPECTED_NULL", "42K09", "due to data type mismatch: The ["+argumentMark+"] must not be null.", map[string]string{"paramIndex": "names"})
}

// typeList writes types as [..., ...].
func typeList(ts []types.Type) string {
	q := make([]string, len(ts))
	for i, t := range ts {
		q[i] = `"` + t.SQL() + `"`
	}
	return "[" + strings.Join(q, ", ") + "]"
}

// MapDiffTypes is map() with keys, or values, that have no type in common.
func MapDiffTypes(which, words string, ts []types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.CREATE_MAP_"+which+"_DIFF_TYPES", "42K09", fmt.Sprintf("due to data type mismatch: The given %s of function `map` should all be the same type, but they are %s.", words, typeList(ts)),
		map[string]string{"functionName": "`map`", "dataType": typeList(ts)})
}

// MapConcatTypes is map_concat of something else than maps.
func MapConcatTypes(ts []types.Type) *Error {
	return analysis("DATATYPE_MISMATCH.MAP_CONCAT_DIFF_TYPES", "42K09", fmt.Sprintf("due to data type mismatch: The `map_concat` should all be of type map, but it's %s.", typeList(ts)),
		map[string]string{"functionName": "`map_concat`", "dataType": typeList(ts)})
}

// NonFoldableArgument is an argument that has to be a constant for a function to be resolved at all.
func NonFoldableArgument(function, parameter string, t types.Type) *Error {
	return analysis("NON_FOLDABLE_ARGUMENT", "42K08", fmt.Sprintf("The function `%s` requires the parameter `%s` to be a foldable expression of the type \"%s\", but the actual argument is a non-foldable.", function, parameter, t.SQL()),
		map[string]string{"funcName": types.Quote(function), "paramName": types.Quote(parameter), "paramType": `"` + t.SQL() + `"`})
}

func subqueryCategory(sub, message string, params map[string]string) *Error {
	return analysis("UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY."+sub, "0A000", "Unsupported subquery expression: "+message, params)
}

// CorrelatedReference is a column of the query around where a subquery can't have it.
func CorrelatedReference(expression string) *Error {
	return subqueryCategory("CORRELATED_REFERENCE", `Expressions referencing the outer query are not supported outside of WHERE/HAVING clauses: "`+expression+`".`,
		map[string]string{"sqlExprs": `"` + expression + `"`})
}

// MixedReferences is an aggregate over columns of its own query and of the one around.
func MixedReferences(function string) *Error {
	return subqueryCategory("AGGREGATE_FUNCTION_MIXED_OUTER_LOCAL_REFERENCES", "Found an aggregate function in a correlated predicate that has both outer and local references, which is not supported: "+function+".",
		map[string]string{"function": function})
}

// CorrelatedJoinCondition is a subquery in a join's condition that reads columns of both sides.
func CorrelatedJoinCondition(expression string) *Error {
	return subqueryCategory("UNSUPPORTED_CORRELATED_EXPRESSION_IN_JOIN_CONDITION", "Correlated subqueries in the join predicate cannot reference both join inputs:\n"+expression,
		map[string]string{"subqueryExpression": expression})
}

// IncomparablePivot is PIVOT FOR a column whose values can't be compared.
func IncomparablePivot(column string) *Error {
	return analysis("INCOMPARABLE_PIVOT_COLUMN", "42818", "Invalid pivot column "+types.Quote(column)+". Pivot columns must be comparable.", map[string]string{"columnName": types.Quote(column)})
}
