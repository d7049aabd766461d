package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// tr makes a row of Trino's table: its types come from trino_signatures.tsv. There is a template for each number of arguments;
// the greatest $n says which.
func tr(name, doc string, templates ...string) *expr.Func {
	byCount := map[int]func(*expr.Call, []string) string{}
	for _, t := range templates {
		n := 0
		for i := 1; i <= 9; i++ {
			if strings.Contains(t, "$"+itoa(i)) {
				n = i
			}
		}
		byCount[n] = tmpl(t)
	}
	return tp(name, doc, func(c *expr.Call, a []string) string {
		f := byCount[len(a)]
		if f == nil {
			f = byCount[len(byCount)]
		}
		return f(c, a)
	})
}

// tp makes a row of Trino's table whose call is printed by code.
func tp(name, doc string, duck func(*expr.Call, []string) string) *expr.Func {
	return &expr.Func{Name: name, Signature: name + "(…)", Doc: doc, Duck: duck, Dialect: sql.Trino}
}

// ta makes an aggregate of Trino's table.
func ta(name, doc string, duck func(*expr.Call, []string) string) *expr.Func {
	f := tp(name, doc, duck)
	f.Kind = expr.Aggregate
	return f
}

// badArgument is INVALID_FUNCTION_ARGUMENT from inside a UDF.
func badArgument(message string) error { return raise("TRINO", "INVALID_FUNCTION_ARGUMENT", message) }
