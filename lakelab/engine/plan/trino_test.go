package plan_test

import (
	"errors"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestTrinoColumns checks Trino's rules for names: as they are written, _col and the position where there is none.
// The suite of package engine has more, recorded from a real Trino.
func TestTrinoColumns(t *testing.T) {
	a := analyzer(t, sql.Trino)
	for query, want := range map[string]string{
		"SELECT 1e0/0": "_col0",
		"SELECT pickup_borough AS city, count(*) AS n, sum(fare_amount) FROM trips GROUP BY pickup_borough": "city n _col2",
		"SELECT A, T1.b, a + 1 FROM T1":                                              "A b _col2",
		`SELECT a AS "Big", a AS Small FROM t1`:                                      "Big Small",
		"SELECT *, 1 FROM t1":                                                        "a b c _col3",
		"SELECT p.home.city, home.geo.lat FROM people p":                             "city lat",
		"SELECT x, n FROM people CROSS JOIN UNNEST(tags) WITH ORDINALITY AS u(x, n)": "x n",
		"SELECT k, v FROM people, UNNEST(attrs) AS u(k, v)":                          "k v",
		"SELECT * FROM t1 JOIN t2 USING (a)":                                         "a b c b d",
		"SELECT a, count(*) FROM t1 GROUP BY 1 ORDER BY 2 DESC":                      "a _col1",
		"SELECT grouping(a) FROM t1 GROUP BY ROLLUP (a)":                             "_col0",
		"VALUES (1, 'x')":                                                            "_col0 _col1",
	} {
		o := a.query(t.Context(), query)
		if o.err != nil {
			t.Errorf("%s: %v", query, o.err)
			continue
		}
		var names []string
		for _, c := range o.node.Output() {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
		}
	}
}

// TestTrinoErrors holds messages, codes and places that a real Trino 476 gave for the same queries on a table of its own.
func TestTrinoErrors(t *testing.T) {
	a := analyzer(t, sql.Trino)
	for _, c := range []struct {
		query, class string
		code         int
		message      string
	}{
		{"SELECT city FROM lakehouse.default.trips", "COLUMN_NOT_FOUND", 47, "line 1:8: Column 'city' cannot be resolved"},
		{"SELECT t.city FROM lakehouse.default.trips t", "COLUMN_NOT_FOUND", 47, "line 1:8: Column 't.city' cannot be resolved"},
		{"SELECT * FROM lakehouse.default.nosuch", "TABLE_NOT_FOUND", 46, "line 1:15: Table 'lakehouse.default.nosuch' does not exist"},
		{"SELECT nosuchfn(1)", "FUNCTION_NOT_FOUND", 6, "line 1:8: Function 'nosuchfn' not registered"},
		{"SELECT pickup_borough, count(*) FROM lakehouse.default.trips", "EXPRESSION_NOT_AGGREGATE", 73, "line 1:8: 'pickup_borough' must be an aggregate expression or appear in GROUP BY clause"},
		{"SELECT trip_id FROM lakehouse.default.trips WHERE pickup_borough", "TYPE_MISMATCH", 58, "line 1:51: WHERE clause must evaluate to a boolean: actual type varchar"},
		{"SELECT a.trip_id FROM trips a, trips b WHERE trip_id = 1", "AMBIGUOUS_NAME", 62, "line 1:46: Column 'trip_id' is ambiguous"},
	} {
		var e *errclass.Error
		if o := a.query(t.Context(), c.query); !errors.As(o.err, &e) {
			t.Errorf("%s: got %v", c.query, o.err)
			continue
		}
		if e.Class != c.class || e.Code != c.code || e.TrinoMessage() != c.message {
			t.Errorf("%s\ngot  %s %d %s\nwant %s %d %s", c.query, e.Class, e.Code, e.TrinoMessage(), c.class, c.code, c.message)
		}
	}
}
