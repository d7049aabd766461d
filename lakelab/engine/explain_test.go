package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestExplainFiles asks EXPLAIN how many files a filter leaves to be read: by partition, by bucket, by the columns' bounds, and not at all.
func TestExplainFiles(t *testing.T) {
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "explain", "")
	run := func(q string) string {
		t.Helper()
		r, err := s.Execute(t.Context(), sql.Spark, q, plan.Params{})
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		rows, err := s.Collect(t.Context(), r, -1)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		if len(rows) == 0 {
			return ""
		}
		return rows[0][0].(string)
	}
	run("CREATE TABLE days (id BIGINT, ts TIMESTAMP, v DOUBLE, s STRING) USING iceberg PARTITIONED BY (days(ts))")
	run("INSERT INTO days SELECT id, timestamp_seconds(id * 86400), id / 2, concat('name', id) FROM range(10)")
	run("CREATE TABLE buckets (id BIGINT, name STRING) USING iceberg PARTITIONED BY (bucket(8, name))")
	run("INSERT INTO buckets SELECT id, concat('n', id) FROM range(100)")
	for _, c := range []struct{ where, want string }{
		{"days WHERE ts >= TIMESTAMP'1970-01-08 12:00:00'", "files: 10 considered, 8 skipped, 2 read"},
		{"days WHERE CAST('1970-01-03' AS DATE) = ts", "files: 10 considered, 9 skipped, 1 read"},
		{"days WHERE v < 0.6 AND s IS NOT NULL", "files: 10 considered, 8 skipped, 2 read"},
		{"days WHERE v < 0.6 OR s LIKE 'name9'", "files: 10 considered, 7 skipped, 3 read"},
		{"days WHERE v < 0.6 OR s LIKE '%9'", "files: 10 considered, 0 skipped, 10 read"},
		{"days WHERE NOT (id <= 7)", "files: 10 considered, 8 skipped, 2 read"},
		{"days WHERE id IN (1, 5, 77) AND ts IS NOT NULL", "files: 10 considered, 8 skipped, 2 read"},
		{"days WHERE startswith(s, 'name3')", "files: 10 considered, 9 skipped, 1 read"},
		{"days WHERE v IS NULL", "files: 10 considered, 10 skipped, 0 read"},
		{"days WHERE id % 2 = 0", "files: 10 considered, 0 skipped, 10 read"},
		{"days", "files: 10 considered, 0 skipped, 10 read"},
		{"buckets WHERE name = 'n42'", "files: 8 considered, 7 skipped, 1 read"},
	} {
		if got := run("EXPLAIN SELECT * FROM " + c.where); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s\nwant %s", c.where, got, c.want)
		}
	}
	if got := run("EXPLAIN DELETE FROM days WHERE id = 3"); !strings.Contains(got, "1 read") {
		t.Errorf("DELETE:\n%s", got)
	}
}
