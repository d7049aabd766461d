package errclass

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Analysis errors in Spark's words. A function that serves both dialects takes the dialect, 0 for Spark.

// UnsupportedStatement refuses, by name, what the dialect has and this engine has not.
func UnsupportedStatement[D ~int](d D, what string) *Error {
	e := Unsupported(what)
	if d != 0 {
		f := trinoUser("NOT_SUPPORTED", what+" is not supported")
		f.Hint = e.Hint
		return f
	}
	return e
}

// TableNotFound is a name in FROM that is neither a table nor a view.
func TableNotFound[D ~int](d D, name []string) *Error {
	if d != 0 {
		return trinoUser("TABLE_NOT_FOUND", "Table '"+trinoParts(name)+"' does not exist")
	}
	return noTable(quoted(name))
}

// NoSuchTable is TableNotFound of a DataFrame's writer, which quotes names only where that is needed.
func NoSuchTable(name []string) *Error {
	shown := make([]string, len(name))
	for i, n := range name {
		shown[i] = types.QuoteIfNeeded(n)
	}
	return noTable(strings.Join(shown, "."))
}

func noTable(name string) *Error {
	return analysis("TABLE_OR_VIEW_NOT_FOUND", "42P01",
		"The table or view "+name+" cannot be found. Verify the spelling and correctness of the schema and catalog.\nIf you did not qualify the name with a schema, verify the current_schema() output, or qualify the name with the correct schema and catalog.\nTo tolerate the error on drop use DROP VIEW IF EXISTS or DROP TABLE IF EXISTS.",
		map[string]string{"relationName": name})
}

// ViewNotFound is DROP VIEW on a view that is not there.
func ViewNotFound[D ~int](d D, name []string) *Error {
	if d != 0 {
		return trinoUser("TABLE_NOT_FOUND", "View '"+strings.Join(name, ".")+"' does not exist")
	}
	return analysis("VIEW_NOT_FOUND", "42P01",
		"The view "+quoted(name)+" cannot be found. Verify the spelling and correctness of the schema and catalog.\nIf you did not qualify the name with a schema, verify the current_schema() output, or qualify the name with the correct schema and catalog.\nTo tolerate the error on drop use DROP VIEW IF EXISTS.",
		map[string]string{"relationName": quoted(name)})
}

// TableExists is CREATE TABLE on a name that is taken.
func TableExists[D ~int](d D, namespace, name string) *Error {
	if d != 0 {
		return trinoUser("TABLE_ALREADY_EXISTS", "Table 'lakehouse."+namespace+"."+name+"' already exists")
	}
	q := quoted([]string{namespace, name})
	return analysis("TABLE_OR_VIEW_ALREADY_EXISTS", "42P07",
		"Cannot create table or view "+q+" because it already exists.\nChoose a different name, drop or replace the existing object, or add the IF NOT EXISTS clause to tolerate pre-existing objects.",
		map[string]string{"relationName": q})
}

// SchemaNotFound is a namespace that is not there.
func SchemaNotFound[D ~int](d D, name []string) *Error {
	if d != 0 {
		return TrinoSchemaNotFound(name[len(name)-1])
	}
	return analysis("SCHEMA_NOT_FOUND", "42704",
		"The schema "+quoted(name)+" cannot be found. Verify the spelling and correctness of the schema and catalog.\nIf you did not qualify the name with a catalog, verify the current_schema() output, or qualify the name with the correct catalog.\nTo tolerate the error on drop use DROP SCHEMA IF EXISTS.",
		map[string]string{"schemaName": quoted(name)})
}

// SchemaExists is CREATE NAMESPACE on a name that is taken.
func SchemaExists[D ~int](d D, name string) *Error {
	if d != 0 {
		return trinoUser("SCHEMA_ALREADY_EXISTS", "Schema 'lakehouse."+name+"' already exists")
	}
	return analysis("SCHEMA_ALREADY_EXISTS", "42P06",
		"Cannot create schema "+types.Quote(name)+" because it already exists.\nChoose a different name, drop the existing schema, or add the IF NOT EXISTS clause to tolerate pre-existing schema.",
		map[string]string{"schemaName": types.Quote(name)})
}

// SchemaNotEmpty is DROP NAMESPACE RESTRICT on one that holds tables.
func SchemaNotEmpty[D ~int](d D, name string) *Error {
	if d != 0 {
		return trinoUser("SCHEMA_NOT_EMPTY", "Cannot drop non-empty schema '"+name+"'")
	}
	return analysis("SCHEMA_NOT_EMPTY", "2BP01", "Cannot drop a schema "+types.Quote(name)+" because it contains objects.\nUse DROP SCHEMA ... CASCADE to drop the schema and all its objects.",
		map[string]string{"schemaName": types.Quote(name)})
}

// CatalogNotFound is a catalog that is not there.
func CatalogNotFound[D ~int](d D, name string) *Error {
	if d != 0 {
		return trinoUser("CATALOG_NOT_FOUND", "Catalog '"+name+"' not found")
	}
	return &Error{Exception: "CatalogNotFoundException", Class: "CATALOG_NOT_FOUND", SQLState: "42P08",
		Message: "The catalog " + types.Quote(name) + " not found. Consider to set the SQL config \"spark.sql.catalog." + name + "\" to a catalog plugin.",
		Params:  map[string]string{"catalogName": types.Quote(name), "config": "\"spark.sql.catalog." + name + "\""}}
}

// UnsupportedType is a type name that does not exist.
func UnsupportedType(name string) *Error {
	t := strings.ToUpper(name)
	return &Error{Exception: "ParseException", Class: "UNSUPPORTED_DATATYPE", SQLState: "0A000", Message: `Unsupported data type "` + t + `".`,
		Params: map[string]string{"typeName": `"` + t + `"`}, Context: true}
}

// UnresolvedColumn is a name that no column has; the candidates are ordered by likeness, five at most.
func UnresolvedColumn(name []string, candidates [][]string) *Error {
	q := quoted(name)
	// The double space is Spark's.
	e := analysis("UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703", "A column, variable, or function parameter with name "+q+" cannot be resolved. ", map[string]string{"objectName": q})
	if len(candidates) > 0 {
		p := Proposal(name, candidates)
		e.Class = "UNRESOLVED_COLUMN.WITH_SUGGESTION"
		e.Message += "Did you mean one of the following? [" + p + "]."
		e.Params["proposal"] = p
	}
	return e
}

// Proposal lists the five candidates that are most like a name.
func Proposal(name []string, candidates [][]string) string {
	like := ranked(name, candidates)
	return strings.Join(like[:min(5, len(like))], ", ")
}

// ranked quotes candidates and orders them by likeness to a name as Spark does: by the edit distance of the quoted candidate, then by its
// text; leading parts that all candidates share are cut off.
func ranked(name []string, candidates [][]string) []string {
	keep := 0
	switch {
	case len(name) == 1 && sharedPrefix(candidates, 1):
		keep = 1
	case len(name) <= 2 && sharedPrefix(candidates, 2):
		keep = 2
	}
	type scored struct {
		text string
		d    int
	}
	base := strings.Join(name, ".")
	list := make([]scored, len(candidates))
	for i, c := range candidates {
		if keep > 0 && len(c) > keep {
			c = c[len(c)-keep:]
		}
		q := quoted(c)
		list[i] = scored{q, distance(base, q)}
	}
	sort.SliceStable(list, func(i, j int) bool {
		if list[i].d != list[j].d {
			return list[i].d < list[j].d
		}
		return list[i].text < list[j].text
	})
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.text
	}
	return out
}

// sharedPrefix reports whether all candidates are the same but for their last n parts.
func sharedPrefix(candidates [][]string, n int) bool {
	cut := func(c []string) string { return strings.Join(c[:max(len(c)-n, 0)], ".") }
	for _, c := range candidates {
		if cut(c) != cut(candidates[0]) {
			return false
		}
	}
	return true
}

// distance is Levenshtein's.
func distance(a, b string) int {
	r, s := []rune(a), []rune(b)
	row := make([]int, len(s)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(r); i++ {
		prev := row[0]
		row[0] = i
		for j := 1; j <= len(s); j++ {
			cost := 1
			if r[i-1] == s[j-1] {
				cost = 0
			}
			cur := min(row[j]+1, row[j-1]+1, prev+cost)
			prev, row[j] = row[j], cur
		}
	}
	return row[len(s)]
}

// AmbiguousReference is a name that several columns have.
func AmbiguousReference(name []string, found [][]string) *Error {
	refs := make([]string, len(found))
	for i, f := range found {
		refs[i] = quoted(f)
	}
	slices.Sort(refs)
	list := "[" + strings.Join(refs, ", ") + "]"
	return analysis("AMBIGUOUS_REFERENCE", "42704", "Reference "+quoted(name)+" is ambiguous, could be: "+list+".",
		map[string]string{"name": quoted(name), "referenceNames": list})
}

// StructFieldNotFound is x.name where the struct x has no such field.
func StructFieldNotFound(name string, t types.Type) *Error {
	fields := quotedFields(t.Fields)
	return analysis("FIELD_NOT_FOUND", "42704", "No such struct field "+types.Quote(name)+" in "+fields+".",
		map[string]string{"fieldName": types.Quote(name), "fields": fields})
}

// InvalidStar is * where it can't stand.
func InvalidStar() *Error {
	return analysis("INVALID_USAGE_OF_STAR_OR_REGEX", "42000", "Invalid usage of '*' in expression.", map[string]string{"elem": "'*'", "prettyName": "expression"})
}

// CountOfTable is count(t.*).
func CountOfTable(table string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1021",
		Message: "count(" + table + ".*) is not allowed. Please use count(*) or expand the columns manually, e.g. count(col1, col2)."}
}

// CannotResolveStar is t.* without a t.
func CannotResolveStar(target, columns []string) *Error {
	columns = slices.Sorted(slices.Values(columns))
	input := quotedEach(columns, ", ")
	return analysis("CANNOT_RESOLVE_STAR_EXPAND", "42704",
		"Cannot resolve "+quoted(target)+".* given input columns "+input+". Please check that the specified table or struct exists and is accessible in the input columns.",
		map[string]string{"targetString": quoted(target), "columns": input})
}

// MissingGroupBy is an aggregate beside a plain column without GROUP BY.
func MissingGroupBy() *Error {
	return analysis("MISSING_GROUP_BY", "42803", "The query does not include a GROUP BY clause. Add GROUP BY or turn it into the window functions using OVER clauses.", nil)
}

// MissingAggregation is a column that is neither grouped nor aggregated.
func MissingAggregation(name string) *Error {
	return analysis("MISSING_AGGREGATION", "42803",
		fmt.Sprintf("The non-aggregating expression \"%s\" is based on columns which are not participating in the GROUP BY clause.\nAdd the columns or the expression to the GROUP BY, aggregate the expression, or use \"any_value(%s)\" if you do not care which of the values within a group is returned.", name, name),
		map[string]string{"expression": `"` + name + `"`, "expressionAnyValue": `"any_value(` + name + `)"`})
}

// GroupByAggregate is GROUP BY of an aggregate.
func GroupByAggregate(d int, name string, calls []string) *Error {
	if d != 0 {
		return TrinoNotScalar("GROUP BY", calls...)
	}
	return analysis("GROUP_BY_AGGREGATE", "42903", "Aggregate functions are not allowed in GROUP BY, but found "+name+".", map[string]string{"sqlExpr": name})
}

// AggregateNotAllowed is an aggregate function where none can stand.
func AggregateNotAllowed(d int, clause, name string) *Error {
	if d != 0 {
		return trinoUser("EXPRESSION_NOT_SCALAR", clause+" clause cannot contain aggregations, window functions or grouping operations: ["+name+"]")
	}
	switch clause {
	case "NESTED":
		return analysis("NESTED_AGGREGATE_FUNCTION", "42607", "It is not allowed to use an aggregate function in the argument of another aggregate function. Please use the inner aggregate function in a sub-query.", nil)
	}
	return Unsupported("the aggregate function " + name + " in " + clause)
}

// InvalidWhere is an aggregate function in WHERE.
func InvalidWhere(d int, condition string, calls []string) *Error {
	list := strings.Join(calls, ", ")
	if d != 0 {
		return trinoUser("EXPRESSION_NOT_SCALAR", "WHERE clause cannot contain aggregations, window functions or grouping operations: ["+list+"]")
	}
	return analysis("INVALID_WHERE_CONDITION", "42903", "The WHERE condition \""+condition+"\" contains invalid expressions: "+list+".\nRewrite the query to avoid window functions, aggregate functions, and generator functions in the WHERE clause.",
		map[string]string{"condition": `"` + condition + `"`, "expressionList": list})
}

// FilterNotBoolean is a condition that is not boolean.
func FilterNotBoolean(d int, clause, text string, t types.Type) *Error {
	if d != 0 {
		if clause == "FILTER" {
			return trinoUser("TYPE_MISMATCH", "Filter expression must evaluate to a boolean (actual: "+trinoName(t)+")")
		}
		what := map[string]string{"JOIN": "JOIN ON clause", "MERGE ON": "The MERGE predicate", "MERGE": "WHERE clause predicate"}[clause]
		return trinoUser("TYPE_MISMATCH", cmp.Or(what, clause+" clause")+" must evaluate to a boolean: actual type "+trinoName(t))
	}
	if clause == "JOIN" {
		return analysis("JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE", "42K0E", "The join condition \""+text+"\" has the invalid type \""+t.SQL()+"\", expected \"BOOLEAN\".",
			map[string]string{"joinCondition": `"` + text + `"`, "conditionType": `"` + t.SQL() + `"`})
	}
	return analysis("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09", "Cannot resolve \""+text+"\" due to data type mismatch: Filter expression \""+text+"\" of type \""+t.SQL()+"\" is not a boolean.",
		map[string]string{"sqlExpr": `"` + text + `"`, "filter": `"` + text + `"`, "type": `"` + t.SQL() + `"`})
}

// OrdinalOutOfRange is ORDER BY 7 of three columns.
func OrdinalOutOfRange(d int, clause string, i, size int) *Error {
	if d != 0 {
		return trinoUser("INVALID_COLUMN_REFERENCE", fmt.Sprintf("%s position %d is not in select list", strings.ReplaceAll(clause, "_", " "), i))
	}
	return analysis(clause+"_POS_OUT_OF_RANGE", "42805", fmt.Sprintf("%s position %d is not in select list (valid range is [1, %d]).", strings.ReplaceAll(clause, "_", " "), i, size),
		map[string]string{"index": fmt.Sprint(i), "size": fmt.Sprint(size)})
}

// InvalidLimit is LIMIT or OFFSET with a value that none can have.
func InvalidLimit(name, expression, value string) *Error {
	e := "\"" + expression + "\""
	if value == "NULL" {
		return analysis("INVALID_LIMIT_LIKE_EXPRESSION.IS_NULL", "42K0E", "The limit like expression "+e+" is invalid. The evaluated "+name+" expression must not be null.",
			map[string]string{"name": name, "expr": e})
	}
	return analysis("INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE", "42K0E", fmt.Sprintf("The limit like expression %s is invalid. The %s expression must be equal to or greater than 0, but got %s.", e, name, value),
		map[string]string{"name": name, "expr": e, "v": value})
}

// LimitNotConstant is LIMIT or OFFSET of an expression that reads columns.
func LimitNotConstant(name, expression string) *Error {
	e := "\"" + expression + "\""
	return analysis("INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE", "42K0E", "The limit like expression "+e+" is invalid. The "+name+" expression must evaluate to a constant value.",
		map[string]string{"name": name, "expr": e})
}

// LimitType is LIMIT or OFFSET of another type than an integer.
func LimitType(name, expression string, t types.Type) *Error {
	e := "\"" + expression + "\""
	return analysis("INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE", "42K0E", "The limit like expression "+e+" is invalid. The "+name+" expression must be integer type, but got \""+t.SQL()+"\".",
		map[string]string{"name": name, "expr": e, "dataType": `"` + t.SQL() + `"`})
}

// ColumnsMismatch is a set operation on sides of different width.
func ColumnsMismatch(op string, first, column, got int) *Error {
	return analysis("NUM_COLUMNS_MISMATCH", "42826",
		fmt.Sprintf("%s can only be performed on inputs with the same number of columns, but the first input has %d columns and the %s input has %d columns.", op, first, ordinal(column), got),
		map[string]string{"operator": op, "firstNumColumns": fmt.Sprint(first), "invalidOrdinalNum": ordinal(column), "invalidNumColumns": fmt.Sprint(got)})
}

// IncompatibleColumnType is a set operation on columns without a common type.
func IncompatibleColumnType(op string, column int, got, want types.Type) *Error {
	n := ordinal(column)
	return analysis("INCOMPATIBLE_COLUMN_TYPE", "42825",
		fmt.Sprintf("%s can only be performed on tables with compatible column types. The %s column of the second table is \"%s\" type which is not compatible with \"%s\" at the same column of the first table..", op, n, got.SQL(), want.SQL()),
		map[string]string{"operator": op, "columnOrdinalNumber": n, "tableOrdinalNumber": "second", "dataType1": `"` + got.SQL() + `"`, "dataType2": `"` + want.SQL() + `"`, "hint": ""})
}

// AliasColumns is an alias list of the wrong length; Spark counts the columns as targets.
func AliasColumns(names, columns int) *Error {
	return analysis("ASSIGNMENT_ARITY_MISMATCH", "42802", fmt.Sprintf("The number of columns or variables assigned or aliased: %d does not match the number of source expressions: %d.", columns, names),
		map[string]string{"numTarget": fmt.Sprint(columns), "numExpr": fmt.Sprint(names)})
}

// InlineTableColumns is VALUES with rows of different length.
func InlineTableColumns(want, got, row int) *Error {
	return inlineTable("NUM_COLUMNS_MISMATCH", fmt.Sprintf("Invalid inline table. Inline table expected %d columns but found %d columns in row %d.", want, got, row),
		map[string]string{"expectedNumCols": fmt.Sprint(want), "actualNumCols": fmt.Sprint(got), "rowIndex": fmt.Sprint(row)})
}

// InlineTableExpression is an expression of VALUES that has no value without rows.
func InlineTableExpression(expression string) *Error {
	return inlineTable("CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE", `Invalid inline table. Cannot evaluate the expression "`+expression+`" in inline table definition.`,
		map[string]string{"expr": `"` + expression + `"`})
}

// InlineTableTypes is VALUES with a column of types without a common one.
func InlineTableTypes(column string) *Error {
	return analysis("INVALID_INLINE_TABLE.INCOMPATIBLE_TYPES_IN_INLINE_TABLE", "42000", "Invalid inline table. Found incompatible types in the column "+types.Quote(column)+" for inline table.",
		map[string]string{"colName": types.Quote(column)})
}

// InSubqueryArity is (a, b) IN a query of another width.
func InSubqueryArity(expression string, left, right []string) *Error {
	list := func(names []string) string {
		q := make([]string, len(names))
		for i, n := range names {
			q[i] = `"` + n + `"`
		}
		return strings.Join(q, ", ")
	}
	return analysis("DATATYPE_MISMATCH.IN_SUBQUERY_LENGTH_MISMATCH", "42K09",
		fmt.Sprintf("Cannot resolve \"%s\" due to data type mismatch: The number of columns in the left hand side of an IN subquery does not match the number of columns in the output of subquery. Left hand side columns(length: %d): [%s], right hand side columns(length: %d): [%s].", expression, len(left), list(left), len(right), list(right)),
		map[string]string{"sqlExpr": `"` + expression + `"`, "leftLength": fmt.Sprint(len(left)), "leftColumns": list(left), "rightLength": fmt.Sprint(len(right)), "rightColumns": list(right)})
}

// ScalarSubqueryColumns is a scalar subquery of several columns.
func ScalarSubqueryColumns(n int) *Error {
	return analysis("INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN", "42823",
		fmt.Sprintf("Invalid subquery: Scalar subquery must return only one column, but got %d.", n), map[string]string{"number": fmt.Sprint(n)})
}

// UnboundParameter is :name without a value.
func UnboundParameter(name string) *Error {
	return analysis("UNBOUND_SQL_PARAMETER", "42P02", "Found the unbound parameter: "+name+". Please, fix `args` and provide a mapping of the parameter to either a SQL literal or collection constructor functions such as `map()`, `array()`, `struct()`.",
		map[string]string{"name": name})
}

// WindowFunctionWithoutOver is rank() without OVER.
func WindowFunctionWithoutOver(call string) *Error {
	return analysis("WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", "42601", "Window function \""+call+"\" requires an OVER clause.", map[string]string{"funcName": `"` + call + `"`})
}

// WindowNotDefined is OVER w without a WINDOW w.
func WindowNotDefined(name string) *Error {
	return &Error{Exception: "AnalysisException", Class: "MISSING_WINDOW_SPECIFICATION", SQLState: "42P20",
		Message: "Window specification is not defined in the WINDOW clause for " + name + ". For more information about WINDOW clauses, please refer to 'https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-window.html'.",
		Params:  map[string]string{"windowName": name, "docroot": docs}}
}

// SortConflict is ORDER BY beside SORT BY and kin.
func SortConflict() *Error {
	return &Error{Exception: "ParseException", Class: "UNSUPPORTED_FEATURE.COMBINATION_QUERY_RESULT_CLAUSES", SQLState: "0A000", Message: "The feature is not supported: Combination of ORDER BY/SORT BY/DISTRIBUTE BY/CLUSTER BY."}
}

// DistinctOrder is ORDER BY of something that SELECT DISTINCT does not have.
func DistinctOrder(d int) *Error {
	if d != 0 {
		return trinoUser("EXPRESSION_NOT_IN_DISTINCT", "For SELECT DISTINCT, ORDER BY expressions must appear in select list")
	}
	return Unsupported("ORDER BY an expression that is not in the SELECT DISTINCT list")
}

// UsingColumn is JOIN … USING a column that one side lacks.
func UsingColumn(name, side string, have []string) *Error {
	suggestion := quotedEach(have, ", ")
	return analysis("UNRESOLVED_USING_COLUMN_FOR_JOIN", "42703",
		"USING column "+types.Quote(name)+" cannot be resolved on the "+side+" side of the join. The "+side+"-side columns: ["+suggestion+"].",
		map[string]string{"colName": types.Quote(name), "side": side, "suggestion": suggestion})
}

// UnresolvableTableFunction is a table function that does not exist.
func UnresolvableTableFunction(name string) *Error {
	return analysis("UNRESOLVABLE_TABLE_VALUED_FUNCTION", "42883",
		"Could not resolve "+types.Quote(name)+" to a table-valued function.\nPlease make sure that "+types.Quote(name)+" is defined as a table-valued function and that all required parameters are provided correctly.\nIf "+types.Quote(name)+" is not defined, please create the table-valued function before using it.\nFor more information about defining table-valued functions, please refer to the Apache Spark documentation.",
		map[string]string{"name": types.Quote(name)})
}

func insertPlace(table []string) string {
	return "Cannot write incompatible data for the table " + quoted(table) + ": "
}

// InsertArity is INSERT with too few or too many columns.
func InsertArity(d int, table, target, data []string, few bool) *Error {
	if d != 0 {
		return trinoUser("TYPE_MISMATCH", fmt.Sprintf("Insert query has mismatched column types: Table: [%s], Query: [%s]", strings.Join(target, ", "), strings.Join(data, ", ")))
	}
	sub, reason := "TOO_MANY_DATA_COLUMNS", "too many data columns"
	if few {
		sub, reason = "NOT_ENOUGH_DATA_COLUMNS", "not enough data columns"
	}
	list := func(names []string) string { return quotedEach(names, ", ") }
	return analysis("INSERT_COLUMN_ARITY_MISMATCH."+sub, "21S01",
		fmt.Sprintf("Cannot write to %s, the reason is %s:\nTable columns: %s.\nData columns: %s.", quoted(table), reason, list(target), list(data)),
		map[string]string{"tableName": quoted(table), "tableColumns": list(target), "dataColumns": list(data)})
}

// CannotFindData is INSERT BY NAME without a column of the table.
func CannotFindData(table []string, column ...string) *Error {
	return analysis("INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_FIND_DATA", "KD000", insertPlace(table)+"Cannot find data for the output column "+quoted(column)+".",
		map[string]string{"tableName": quoted(table), "colName": quoted(column)})
}

// ExtraColumn is INSERT BY NAME with a column that the table lacks.
func ExtraColumn(table []string, column string, _ []string) *Error {
	return analysis("INCOMPATIBLE_DATA_FOR_TABLE.EXTRA_COLUMNS", "KD000", insertPlace(table)+"Cannot write extra columns "+types.Quote(column)+".",
		map[string]string{"tableName": quoted(table), "extraColumns": types.Quote(column)})
}

// CannotSafelyCast is INSERT of a value that does not fit into the column.
func CannotSafelyCast(table []string, column string, from, to types.Type) *Error {
	source, target := strings.ToUpper(from.SimpleString()), strings.ToUpper(to.SimpleString())
	return analysis("INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_SAFELY_CAST", "KD000",
		fmt.Sprintf("%sCannot safely cast %s \"%s\" to \"%s\".", insertPlace(table), types.Quote(column), source, target),
		map[string]string{"tableName": quoted(table), "colName": types.Quote(column), "srcType": `"` + source + `"`, "targetType": `"` + target + `"`})
}

// InvalidTimeTravel is TIMESTAMP AS OF something that is no timestamp.
func InvalidTimeTravel[D ~int](d D, text string, cause error) *Error {
	if d != 0 {
		f := trinoUser("INVALID_ARGUMENTS", "Pointer value is not a point in time")
		f.Cause = cause
		return f
	}
	return analysis("INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.INPUT", "42K0E", "The time travel timestamp expression \""+text+"\" is invalid. Cannot be casted to the \"TIMESTAMP\" type.",
		map[string]string{"expr": `"` + text + `"`})
}

// TravelColumn is TIMESTAMP AS OF a column.
func TravelColumn() *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0056", Message: "Invalid time travel spec: timestamp expression cannot refer to any columns.", Context: true}
}

// ColumnNotFoundIn is DESCRIBE of a column that is not there.
func ColumnNotFoundIn(name []string, fields []types.Field) *Error {
	return analysis("COLUMN_NOT_FOUND", "42703", "The column "+quoted(name)+" cannot be found. Verify the spelling and correctness of the column name according to the SQL config \"spark.sql.caseSensitive\".",
		map[string]string{"colName": quoted(name), "caseSensitiveConfig": "\"spark.sql.caseSensitive\""})
}

// CreateViewArity is CREATE VIEW with a column list of the wrong length.
func CreateViewArity(view string, names []string, got int) *Error {
	sub := "TOO_MANY_DATA_COLUMNS"
	if got < len(names) {
		sub = "NOT_ENOUGH_DATA_COLUMNS"
	}
	return analysis("CREATE_VIEW_COLUMN_ARITY_MISMATCH."+sub, "21S01", fmt.Sprintf("Cannot create view %s: %d columns are named, the query has %d.", types.Quote(view), len(names), got), nil)
}
