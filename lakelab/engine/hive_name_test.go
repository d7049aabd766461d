package engine_test

import (
	"path/filepath"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestHiveNamesAreFolders: a name becomes a folder's, so that none may lead anywhere else, whatever statement gives it.
func TestHiveNamesAreFolders(t *testing.T) {
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "names", t.TempDir())
	s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	if _, err := s.Execute(t.Context(), sql.Spark, "CREATE TABLE m (a INT) USING parquet", plan.Params{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../../out", "..", ".", "a/b", "catalog.db", "it's", "таблица", "a b"} {
		for _, statement := range []string{
			"CREATE TABLE `" + name + "` (a INT) USING parquet", "CREATE TABLE `" + name + "` USING parquet AS SELECT 1 a", "CREATE TABLE `" + name + "` LIKE m",
			"CREATE DATABASE `" + name + "`", "ALTER TABLE m RENAME TO `" + name + "`",
		} {
			_, err := s.Execute(t.Context(), sql.Spark, statement, plan.Params{})
			if e, ok := err.(*errclass.Error); !ok || e.Class != "INVALID_SCHEMA_OR_RELATION_NAME" {
				t.Errorf("%s: %v", statement, err)
			}
		}
	}
}
