package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
