package duck_test

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// samples is a value of every type. They are no constants, so that nothing is computed while planning.
var samples = []string{
	"NULL", "nullif(true, false)", "nullif(3Y, 1Y)", "nullif(3S, 1S)", "nullif(2, 1)", "nullif(2L, 1L)", "nullif(1.5F, 0F)", "nullif(1.5D, 0D)", "nullif(1.50BD, 0BD)", "nullif('abc', '')", "nullif(X'41', X'')",
	"nullif(DATE'2024-01-05', DATE'2024-01-01')", "nullif(TIMESTAMP'2024-01-05 06:07:08', TIMESTAMP'2024-01-01 00:00:00')", "nullif(TIMESTAMP_NTZ'2024-01-05 06:07:08', TIMESTAMP_NTZ'2024-01-01 00:00:00')",
	"nullif(INTERVAL '1' DAY, INTERVAL '2' DAY)", "nullif(INTERVAL '1' MONTH, INTERVAL '2' MONTH)", "make_interval(1)", "array(1, 2)", "array('a')", "array(array(1))", "map('a', 1)", "named_struct('a', 1)", "2", "'a'",
	"x -> x", "(x, y) -> x", "(x, y, z) -> 1",
}

// TestEveryFunctionWithEveryType calls every function with arguments of all types: whatever comes, it is an answer or an error
// of Spark's, never a panic nor a query that DuckDB cannot read.
func TestEveryFunctionWithEveryType(t *testing.T) {
	db := open(t)
	random := rand.New(rand.NewSource(1))
	leaks := map[string]int{}
	for _, f := range functions.All(sql.Spark) {
		if f.Missing != "" {
			continue
		}
		lists := [][]string{nil}
		for _, a := range samples {
			lists = append(lists, []string{a})
		}
		for range 250 {
			args := make([]string, 2+random.Intn(3))
			for i := range args {
				args[i] = samples[random.Intn(len(samples))]
			}
			lists = append(lists, args)
		}
		for _, args := range lists {
			text := "SELECT " + f.Name + "(" + strings.Join(args, ", ") + ")"
			if f.Kind == expr.WindowOnly {
				text += " OVER (ORDER BY 1)"
			}
			if msg := tryOut(t, db, text); msg != "" {
				if leaks[f.Name]++; leaks[f.Name] <= 3 {
					t.Errorf("%s\n\t%s", text, msg)
				}
			}
		}
	}
}

// tryOut says what is wrong with how a query is planned, printed and bound.
func tryOut(t *testing.T, db *duck.DB, text string) (msg string) {
	defer func() {
		if r := recover(); r != nil {
			msg = fmt.Sprint("panic: ", r)
		}
	}()
	n, err := analyze(t.Context(), db, text)
	if err != nil {
		var e *errclass.Error
		if !errors.As(err, &e) {
			return "not an error of Spark's: " + err.Error()
		}
		return ""
	}
	q, err := duck.SQL(t.Context(), n, duck.PrintOptions{})
	if err != nil {
		return "not printed: " + err.Error()
	}
	if _, _, err := db.Query(t.Context(), "EXPLAIN "+q); err != nil && leaked(err) {
		return "not bound: " + err.Error() + "\n\t" + q
	}
	return ""
}

// leaked tells DuckDB's own complaints about a query from Spark's errors, which constant folding may raise.
func leaked(err error) bool {
	for _, s := range []string{"Binder Error", "Parser Error", "Catalog Error", "Internal Error", "INTERNAL Error", "Not implemented"} {
		if strings.Contains(err.Error(), s) {
			return true
		}
	}
	return false
}
