package engine_test

import (
	"os"
	"path/filepath"
	"testing"
)

// A table can be made where a killed CREATE TABLE AS left nothing but rows that it wrote aside.
func TestCreateAfterKilledCreate(t *testing.T) {
	e, run := hiveSession(t)
	for _, statement := range []string{"CREATE TABLE t USING parquet AS SELECT 1 a", "CREATE TABLE u (a INT) USING parquet"} {
		left := filepath.Join(e.Hive.Dir(), statement[13:14], ".staging-99999999-x")
		if err := os.MkdirAll(left, 0o755); err != nil {
			t.Fatal(err)
		}
		if got := run(statement); got != "" {
			t.Error(got)
		}
		if _, err := os.Stat(left); !os.IsNotExist(err) {
			t.Error(err)
		}
	}
}

// Lines of JSON, CSV and text files are read without a byte order mark, and what is no text as Spark shows it.
func TestMarkedFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("LAKELAB_DATA_ROOTS", dir)
	_, run := hiveSession(t)
	for name, text := range map[string]string{"m.json": "\ufeff{\"a\":\"x\"}\n{\"a\":\"\xff\"}\n", "m.txt": "\ufeffx\n\xff\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, query := range []string{"SELECT * FROM json.`" + dir + "/m.json`", "SELECT * FROM text.`" + dir + "/m.txt`"} {
		if got := run(query); got != "x\n\ufffd" {
			t.Errorf("%s: %q", query, got)
		}
	}
}
