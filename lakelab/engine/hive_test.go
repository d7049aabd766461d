package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
)

// hiveSession opens a lakehouse and a session in spark_catalog whose statements run with run, which gives rows as text, a line each.
func hiveSession(t *testing.T) (e *engine.Engine, run func(statement string) string) {
	t.Helper()
	return hiveSessionIn(t, filepath.Join(t.TempDir(), "lakehouse"))
}

// hiveSessionIn is hiveSession in the lakehouse of a folder.
func hiveSessionIn(t *testing.T, dir string) (e *engine.Engine, run func(statement string) string) {
	t.Helper()
	e, err := engine.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	s := e.Session("", "hive", t.TempDir())
	run = func(statement string) string {
		a := perform(t.Context(), s, step{SQL: statement, Truncate: new(int)}, nil)
		if a.Error != nil {
			return "error: " + a.Error.Message
		}
		lines := strings.Split(strings.TrimRight(a.Text, "\n"), "\n")
		var out []string
		for _, l := range lines[3 : len(lines)-1] {
			var cells []string
			for _, c := range strings.Split(strings.Trim(l, "|"), "|") {
				cells = append(cells, strings.TrimSpace(c))
			}
			out = append(out, strings.Join(cells, ","))
		}
		return strings.Join(out, "\n")
	}
	if got := run("USE spark_catalog"); got != "" {
		t.Fatal(got)
	}
	return e, run
}

// A partition whose value the conditions cannot be decided on is read, whatever they are.
func TestHivePartitionsOfOtherTexts(t *testing.T) {
	e, run := hiveSession(t)
	for _, c := range []struct{ statement, want string }{
		{"CREATE TABLE d (a INT, k DATE) USING parquet PARTITIONED BY (k)", ""},
		{"INSERT INTO d VALUES (1, DATE'2024-01-05'), (2, DATE'+10000-01-01')", ""},
		{"SELECT a FROM d WHERE k <> DATE'2024-01-05'", "2"},
		{"SELECT a FROM d WHERE NOT (k < DATE'2024-01-06')", "2"},
		{"SELECT a FROM d WHERE k = DATE'2024-01-05'", "1"},
		{"SELECT a FROM d WHERE k < DATE'+10000-01-01'", "1"},
		{"CREATE TABLE n (a INT, k INT) USING parquet PARTITIONED BY (k)", ""},
		{"INSERT INTO n VALUES (1, 1)", ""},
	} {
		if got := run(c.statement); got != c.want {
			t.Errorf("%s\ngot  %q\nwant %q", c.statement, got, c.want)
		}
	}
	if err := os.Mkdir(filepath.Join(e.Hive.Dir(), "n", "k=x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := run("MSCK REPAIR TABLE n"); got != "" {
		t.Fatal(got)
	}
	for _, where := range []string{"k = 1", "k <> 1", "NOT (k > 1)", "k IN (1, 2)"} {
		if got := run("SELECT a FROM n WHERE " + where); !strings.Contains(got, "CAST_INVALID_INPUT") {
			t.Errorf("%s: %s", where, got)
		}
	}
}

func TestHiveTables(t *testing.T) {
	e, run := hiveSession(t)
	for _, c := range []struct{ statement, want string }{
		{"CREATE DATABASE demo", ""},
		{"USE demo", ""},
		{"CREATE TABLE t (a INT, p STRING) USING parquet PARTITIONED BY (p)", ""},
		{"INSERT INTO t VALUES (1, 'x'), (2, 'y/z'), (3, NULL), (4, 'привет мир'), (5, '')", ""},
		{"SELECT a, p FROM t ORDER BY a", "1,x\n2,y/z\n3,NULL\n4,привет мир\n5,NULL"},
		{"SELECT a FROM t WHERE p = 'x'", "1"},
		{"SELECT count(*) FROM t WHERE p IS NULL", "2"},
		{"SELECT count(*) FROM t WHERE length(p) > 2", "2"},
		{"SELECT count(*) FROM t", "5"},
		{"SHOW TABLES", "demo,t,false"},
		{"SELECT TBL_NAME, TBL_TYPE FROM sys.TBLS", "t,MANAGED_TABLE"},
		{"INSERT OVERWRITE t PARTITION (p = 'x') VALUES (10)", ""},
		{"SELECT a, p FROM t ORDER BY a", "2,y/z\n3,NULL\n4,привет мир\n5,NULL\n10,x"},
		{"CREATE TABLE u USING parquet AS SELECT a, upper(p) q FROM t", ""},
		{"SELECT * FROM u ORDER BY a LIMIT 2", "2,Y/Z\n3,NULL"},
		{"DROP TABLE t", ""},
		{"SHOW TABLES", "demo,u,false"},
	} {
		if got := run(c.statement); got != c.want {
			t.Errorf("%s\ngot  %q\nwant %q", c.statement, got, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(e.Hive.Dir(), "demo.db", "t")); !os.IsNotExist(err) {
		t.Error("a dropped table's folder is there", err)
	}
}
