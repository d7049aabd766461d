package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
)

// saveAsTable with overwrite leaves the table as it was if the query fails, and takes away the partitions' files that it replaces.
func TestHiveSaveOverwrite(t *testing.T) {
	e, run := hiveSession(t)
	s := e.Session("", "save", t.TempDir())
	s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	save := func(table, query string, keys ...string) error {
		st := step{fileStep: fileStep{SaveAsTable: table, Query: query, Mode: "overwrite", PartitionBy: keys}}
		return st.write(t.Context(), s, func(text string) string { return text })
	}
	for _, q := range []string{"CREATE TABLE t (a INT, p INT) USING parquet PARTITIONED BY (p)", "INSERT INTO t VALUES (1, 1), (2, 2)"} {
		if got := run(q); got != "" {
			t.Fatal(got)
		}
	}
	if err := save("t", "SELECT id, id % (id - 1) x FROM range(3)"); err == nil {
		t.Fatal("the query did not fail")
	}
	if got := run("SELECT * FROM t ORDER BY a"); got != "1,1\n2,2" {
		t.Error("after a failed query:", got)
	}
	if err := save("t", "SELECT 3 a, 1 p", "p"); err != nil {
		t.Fatal(err)
	}
	if got := run("SELECT * FROM t ORDER BY a"); got != "3,1" {
		t.Error("partitions:", got)
	}
	if got := run("SHOW PARTITIONS t"); got != "p=1" {
		t.Error(got)
	}
	keep := filepath.Join(e.Hive.Dir(), "foreign", "keep")
	if err := os.MkdirAll(filepath.Dir(keep), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keep, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := save("foreign", "SELECT 1 a"); err == nil {
		t.Error("a folder that is no table's was overwritten")
	}
	if _, err := os.Stat(keep); err != nil {
		t.Error(err)
	}
}
