package engine_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/config"
)

// TestNoWayOut names folders outside the session's roots in every place where a table's name or folder stands: none is touched.
func TestNoWayOut(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(config.Variable(config.Catalog), config.Hadoop)
	other, err := engine.Open(t.Context(), filepath.Join(dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	s := other.Session("", "other", dir)
	if err := other.Lake.CreateNamespace(t.Context(), "d", nil); err != nil {
		t.Fatal(err)
	}
	if got := perform(t.Context(), s, step{SQL: "CREATE TABLE lakehouse.d.t USING iceberg AS SELECT 1 AS k"}, nil); got.Error != nil {
		t.Fatal(got.Error)
	}
	folder := filepath.Join(dir, "other", "warehouse", "d", "t")
	t.Setenv(config.Variable(config.Catalog), "")
	e, err := engine.Open(t.Context(), filepath.Join(dir, "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	cwd := t.TempDir()
	s = e.Session("", "safety", cwd)
	before := dataFiles(t, folder)
	for _, q := range []string{
		"DROP TABLE lakehouse.d.`${path}`", "DROP TABLE lakehouse.d.`${path}` PURGE", "DROP TABLE `${path}`", "SELECT * FROM lakehouse.d.`${path}`", "SELECT * FROM lakehouse.d.`${path}`.files",
		"INSERT INTO lakehouse.d.`${path}` VALUES (2)", "DELETE FROM lakehouse.d.`${path}`", "ALTER TABLE lakehouse.d.`${path}` ADD COLUMN z INT",
		"CREATE TABLE lakehouse.default.u (a INT) USING iceberg LOCATION '${path}/u'",
		"CALL lakehouse.system.register_table(table => 'default.r', metadata_file => '${path}/metadata/v1.metadata.json')",
		"CALL lakehouse.system.register_table(table => 'default.r', metadata_file => '${lakehouse}/../other/warehouse/d/t/metadata/v1.metadata.json')",
	} {
		for _, path := range []string{folder, filepath.Join(folder, "metadata", "v1.metadata.json")} {
			got := perform(t.Context(), s, step{SQL: strings.ReplaceAll(strings.ReplaceAll(q, "${path}", path), "${lakehouse}", e.Dir)}, nil)
			if got.Error == nil {
				t.Error(q, "succeeded")
			}
		}
	}
	after := dataFiles(t, folder)
	if len(before) != 1 || len(after) != 1 {
		t.Error(before, after)
	}
	if names, err := os.ReadDir(filepath.Join(folder, "metadata")); err != nil || len(names) < 4 {
		t.Error(names, err)
	}
}

// TestOrphansOfTheLakehouse asks for the removal of orphans in folders that hold more than a table: the lakehouse, a warehouse, the session's.
func TestOrphansOfTheLakehouse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lakehouse")
	e, err := engine.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	cwd := t.TempDir()
	s := e.Session("", "safety", cwd)
	run := func(q string) answer { return perform(t.Context(), s, step{SQL: q}, nil) }
	for _, q := range []string{
		"CREATE TABLE lakehouse.default.t USING iceberg AS SELECT 1 AS k",
		"ALTER TABLE lakehouse.default.t RENAME TO default.old",
		"CREATE TABLE lakehouse.default.t USING iceberg AS SELECT 2 AS k",
	} {
		if got := run(q); got.Error != nil {
			t.Fatal(q, got.Error)
		}
	}
	old := time.Now().Add(-240 * time.Hour)
	stray := filepath.Join(dir, "warehouse", "default", "t", "data", "stray.parquet")
	if err := os.WriteFile(stray, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Chtimes(path, old, old)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".lakelab"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, location := range []string{dir, filepath.Join(dir, "warehouse"), filepath.Join(dir, ".lakelab"), cwd, filepath.Join(dir, "warehouse", "default", "..")} {
		got := run("CALL lakehouse.system.remove_orphan_files(table => 'default.t', location => '" + location + "')")
		if got.Error == nil || got.Error.Exception != "SecurityException" {
			t.Error(location, got.Error, got.Text)
		}
	}
	for _, call := range []string{"table => 'default.t'", "table => 'default.old'", "table => 'default.t', location => '" + filepath.Join(dir, "warehouse", "default") + "'"} {
		if got := run("CALL lakehouse.system.remove_orphan_files(" + call + ")"); got.Error != nil {
			t.Error(call, got.Error)
		}
	}
	if _, err := os.Stat(stray); !os.IsNotExist(err) {
		t.Error("the orphan is there", err)
	}
	for _, table := range []string{"t", "old"} {
		if got := run("SELECT k FROM lakehouse.default." + table); got.Error != nil {
			t.Error(table, got.Error)
		}
	}
}

// TestReadOptions names what is read in options of a table: each is honoured or refused.
func TestReadOptions(t *testing.T) {
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "options", t.TempDir())
	run := func(q string) answer { return perform(t.Context(), s, step{SQL: q}, nil) }
	for _, q := range []string{"CREATE TABLE lakehouse.default.t USING iceberg AS SELECT 1 AS k", "ALTER TABLE lakehouse.default.t CREATE TAG first", "INSERT INTO lakehouse.default.t VALUES (2)"} {
		if got := run(q); got.Error != nil {
			t.Fatal(q, got.Error)
		}
	}
	want := run("SELECT count(*) AS n FROM lakehouse.default.t VERSION AS OF 'first'")
	if got := run("SELECT count(*) AS n FROM lakehouse.default.t WITH ('tag' = 'first')"); got.Error != nil || got.Text != want.Text {
		t.Error(got.Error, got.Text)
	}
	if got := run("SELECT count(*) AS n FROM lakehouse.default.t WITH ('split-size' = '5')"); got.Error != nil || got.Text == want.Text {
		t.Error(got.Error, got.Text)
	}
	for _, option := range []string{"'start-snapshot-id' = '1'", "'snapshot-id' = 'x'", "'tag' = 'none'", "'tag' = 'first', 'branch' = 'main'"} {
		if got := run("SELECT * FROM lakehouse.default.t WITH (" + option + ")"); got.Error == nil {
			t.Error(option, "is ignored")
		}
	}
}
