package functions

import (
	_ "embed"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// spark_classes.tsv holds the names that SHOW FUNCTIONS of Spark 4.0 lists, in its order, each with the class that DESCRIBE FUNCTION
// shows; ~ stands for the package of Spark's expressions, and some have no class.
//
//go:embed spark_classes.tsv
var sparkClasses string

// SparkFunction is what SHOW FUNCTIONS and DESCRIBE FUNCTION say about a built-in function of Spark. The usage is the function table's:
// its signature and a few words of our own.
type SparkFunction struct{ Name, Class, Usage string }

// SparkFunctions lists the built-in functions and operators that are here, in Spark's order.
func SparkFunctions() []SparkFunction {
	var out []SparkFunction
	for line := range strings.Lines(sparkClasses) {
		name, class, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		usage, ok := usageOf(name)
		if !ok {
			continue
		}
		if rest, short := strings.CutPrefix(class, "~"); short {
			class = "org.apache.spark.sql.catalyst.expressions." + rest
		}
		out = append(out, SparkFunction{name, class, usage})
	}
	return out
}

// SparkFunctionNamed finds one by name, in any case.
func SparkFunctionNamed(name string) (SparkFunction, bool) {
	list := SparkFunctions()
	i := slices.IndexFunc(list, func(f SparkFunction) bool { return f.Name == strings.ToLower(name) })
	if i < 0 {
		return SparkFunction{}, false
	}
	return list[i], true
}

// usageOf says how a function is called; false if it is not here.
func usageOf(name string) (string, bool) {
	if u, ok := grammar[name]; ok {
		return u, true
	}
	f := Lookup(sql.Spark, name)
	if f == nil || f.Missing != "" {
		return "", false
	}
	if f.Signature == "" {
		return usageOfOperator(f, name), true
	}
	call := f.Signature
	if _, args, ok := strings.Cut(call, "("); ok {
		call = name + "(" + args
	}
	return strings.TrimSuffix(call+" - "+f.Doc, " - "), true
}

// usageOfOperator is that of what stands between or before its operands.
func usageOfOperator(f *expr.Func, name string) string {
	if one := name == "~" || name == "!" || name == "not"; one {
		return name + " expr"
	}
	return "expr1 " + name + " expr2"
}

// grammar holds the usage of what Spark lists among its functions and the parser reads itself.
var grammar = map[string]string{
	"!=": "expr1 != expr2", "<>": "expr1 <> expr2", "||": "expr1 || expr2", "==": "expr1 == expr2", "!": "! expr",
	"between": "expr [NOT] BETWEEN lower AND upper", "in": "expr [NOT] IN (expr1, ...)", "like": "str [NOT] LIKE pattern [ESCAPE escape]",
	"ilike": "str [NOT] ILIKE pattern [ESCAPE escape]", "case": "CASE expr WHEN value THEN result [WHEN ...] [ELSE result] END",
	"when": "CASE WHEN condition THEN result [WHEN ...] [ELSE result] END", "range": "range([start, ]end[, step[, numSlices]]) - a table of numbers",
	"boolean": "boolean(expr) - expr as a boolean", "tinyint": "tinyint(expr) - expr as a tinyint", "smallint": "smallint(expr) - expr as a smallint",
	"int": "int(expr) - expr as an int", "bigint": "bigint(expr) - expr as a bigint", "float": "float(expr) - expr as a float", "double": "double(expr) - expr as a double",
	"decimal": "decimal(expr) - expr as a decimal", "date": "date(expr) - expr as a date", "timestamp": "timestamp(expr) - expr as a timestamp",
	"cast": "CAST(expr AS type)", "current_catalog": "current_catalog() - the current catalog", "current_database": "current_database() - the current schema",
	"current_schema": "current_schema() - the current schema", "current_user": "current_user() - the session's user", "session_user": "session_user() - the session's user",
	"user": "user() - the session's user", "sql_keywords": "sql_keywords() - a table of the keywords",
	"binary": "binary(expr) - expr as a binary", "string": "string(expr) - expr as a string",
}
