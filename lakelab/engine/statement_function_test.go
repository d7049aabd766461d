package engine_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestSQLFunctions runs functions with SQL bodies. The answers are those that Spark gives while its session catalog is current
// (its own test sql-udf.sql has each form); with an Iceberg catalog current Spark makes none, so that no scenario can record them.
func TestSQLFunctions(t *testing.T) {
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "test", "")
	for _, c := range []struct{ query, want, class string }{
		{query: "CREATE TEMPORARY FUNCTION tip(fare DOUBLE, share DOUBLE DEFAULT 0.2) RETURNS DOUBLE RETURN fare * share"},
		{query: "SELECT tip(10), tip(10, 0.5), tip(share => 0.1, fare => 20)", want: "[[2 5 2]]"},
		{query: "SELECT tip()", class: "WRONG_NUM_ARGS.WITHOUT_SUGGESTION"},
		{query: "CREATE TEMPORARY FUNCTION tip(x INT) RETURN x", class: "ROUTINE_ALREADY_EXISTS"},
		{query: "CREATE TEMPORARY FUNCTION longest(a STRING) RETURNS STRING RETURN SELECT max(b) FROM VALUES ('x'), ('yy') AS t(b) WHERE b > longest.a"},
		{query: "SELECT a, longest(a) FROM VALUES ('a'), ('z') AS t(a) ORDER BY a", want: "[[a yy] [z <nil>]]"},
		{query: "CREATE TEMPORARY FUNCTION upto(n INT) RETURNS TABLE (k INT) RETURN SELECT id FROM range(10) WHERE id < n"},
		{query: "SELECT * FROM upto(3)", want: "[[0] [1] [2]]"},
		{query: "SELECT x, k FROM VALUES (1), (2) AS t(x), LATERAL upto(x) ORDER BY x, k", want: "[[1 0] [2 0] [2 1]]"},
		{query: "SELECT upto(3)", class: "NOT_A_SCALAR_FUNCTION"},
		{query: "SELECT * FROM tip(3)", class: "NOT_A_TABLE_FUNCTION"},
		{query: "CREATE TEMPORARY FUNCTION bad(a INT, A INT) RETURN 1", class: "DUPLICATE_ROUTINE_PARAMETER_NAMES"},
		{query: "CREATE TEMPORARY FUNCTION bad(a INT DEFAULT 1, b INT) RETURN 1", class: "USER_DEFINED_FUNCTIONS.NOT_A_VALID_DEFAULT_PARAMETER_POSITION"},
		{query: "CREATE TEMPORARY FUNCTION bad(a INT) RETURN sum(a)", class: "USER_DEFINED_FUNCTIONS.CANNOT_CONTAIN_COMPLEX_FUNCTIONS"},
		{query: "CREATE TEMPORARY FUNCTION outer1(a INT) RETURN tip(a) + 1"},
		{query: "CREATE OR REPLACE TEMPORARY FUNCTION tip(a INT) RETURN outer1(a)", class: "CYCLIC_FUNCTION_REFERENCE"},
		{query: "DROP TEMPORARY FUNCTION tip"},
		{query: "DROP TEMPORARY FUNCTION tip", class: "ROUTINE_NOT_FOUND"},
		{query: "DROP TEMPORARY FUNCTION IF EXISTS tip"},
	} {
		var rows [][]any
		r, err := s.Execute(t.Context(), sql.Spark, c.query, plan.Params{})
		if err == nil {
			rows, err = s.Collect(t.Context(), r, -1)
		}
		var known *errclass.Error
		switch {
		case c.class != "" && (!errors.As(err, &known) || known.Class != c.class):
			t.Errorf("%s: got %v, want %s", c.query, err, c.class)
		case c.class == "" && err != nil:
			t.Errorf("%s: %v", c.query, err)
		case c.want != "" && fmt.Sprint(rows) != c.want:
			t.Errorf("%s: got %v, want %s", c.query, rows, c.want)
		}
	}
}
