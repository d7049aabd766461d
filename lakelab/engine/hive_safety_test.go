package engine_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
)

// TestExternalFilesAreKept runs every statement that changes something against external tables: what their folders held is there after it,
// in its place or in the trash.
func TestExternalFilesAreKept(t *testing.T) {
	for _, statement := range []string{
		"DROP TABLE e", "DROP TABLE e PURGE", "DROP TABLE f", "DROP DATABASE x CASCADE", "TRUNCATE TABLE e", "TRUNCATE TABLE e PARTITION (p = 'a')", "TRUNCATE TABLE f",
		"ALTER TABLE e DROP PARTITION (p = 'a')", "ALTER TABLE e DROP PARTITION (p = 'a') PURGE", "ALTER TABLE e PARTITION (p = 'a') RENAME TO PARTITION (p = 'c')",
		"ALTER TABLE e PARTITION (p = 'a') SET LOCATION '${dir}/other'", "ALTER TABLE e SET LOCATION '${dir}/other'", "ALTER TABLE f SET LOCATION '${dir}/other'",
		"ALTER TABLE e RENAME TO g", "ALTER TABLE e ADD COLUMNS (z INT)", "ALTER TABLE e SET TBLPROPERTIES ('k' = 'v')", "ALTER TABLE e SET TBLPROPERTIES ('EXTERNAL' = 'FALSE')",
		"ALTER TABLE e RECOVER PARTITIONS", "MSCK REPAIR TABLE e", "MSCK REPAIR TABLE e DROP PARTITIONS", "MSCK REPAIR TABLE e SYNC PARTITIONS", "REFRESH TABLE e",
		"ANALYZE TABLE e COMPUTE STATISTICS", "INSERT INTO e VALUES (9, 'a')", "INSERT OVERWRITE e VALUES (9, 'a')", "INSERT OVERWRITE e PARTITION (p = 'a') VALUES (9)",
		"INSERT OVERWRITE e SELECT 1, 'a' WHERE false", "INSERT OVERWRITE f VALUES (9)", "INSERT OVERWRITE f SELECT 1 WHERE false",
		"INSERT OVERWRITE DIRECTORY '${dir}/f' USING parquet SELECT 1 a", "INSERT OVERWRITE DIRECTORY '${dir}/e' USING parquet SELECT 1 a",
		"INSERT OVERWRITE DIRECTORY '${dir}/e/p=a' USING parquet SELECT 1 a", "INSERT OVERWRITE DIRECTORY '${dir}' USING parquet SELECT 1 a",
		"CREATE TABLE h USING parquet LOCATION '${dir}/f' AS SELECT 1 a", "CREATE TABLE h (a INT) USING parquet LOCATION '${dir}/f'",
		"CREATE TABLE m (a INT, p STRING) USING parquet PARTITIONED BY (p); ALTER TABLE m ADD PARTITION (p = 'a') LOCATION '${dir}/e/p=a'; DROP TABLE m",
		"CREATE TABLE m (a INT, p STRING) USING parquet PARTITIONED BY (p); ALTER TABLE m ADD PARTITION (p = 'a') LOCATION '${dir}/e/p=a'; ALTER TABLE m DROP PARTITION (p = 'a') PURGE",
		"CREATE TABLE m (a INT, p STRING) USING parquet PARTITIONED BY (p); ALTER TABLE m ADD PARTITION (p = 'a') LOCATION '${dir}/e/p=a'; TRUNCATE TABLE m",
		"CREATE TABLE m (a INT, p STRING) USING parquet PARTITIONED BY (p); ALTER TABLE m ADD PARTITION (p = 'a') LOCATION '${dir}/e/p=a'; INSERT OVERWRITE m VALUES (1, 'a')",
		"CREATE TABLE m (a INT) USING parquet; ALTER TABLE m SET LOCATION '${dir}/f'; DROP TABLE m PURGE",
		"CREATE TABLE m (a INT) USING parquet; ALTER TABLE m SET LOCATION '${dir}/f'; TRUNCATE TABLE m",
		"SET fs.trash.interval = 0; INSERT OVERWRITE f VALUES (9); DROP TABLE f",
	} {
		t.Run(statement, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "files")
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			s := e.Session("", "safety", dir)
			s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
			run := func(statement string) {
				_ = perform(t.Context(), s, step{SQL: statement}, map[string]string{"dir": dir}) // some are refused
			}
			for _, q := range []string{"CREATE DATABASE x", "USE x", "CREATE TABLE e (a INT, p STRING) USING parquet PARTITIONED BY (p) LOCATION '${dir}/e'",
				"INSERT INTO e VALUES (1, 'a'), (2, 'b')", "CREATE TABLE f (a INT) USING parquet LOCATION '${dir}/f'", "INSERT INTO f VALUES (1)"} {
				run(q)
			}
			before := dataFiles(t, dir)
			if len(before) != 3 {
				t.Fatal(before)
			}
			for _, q := range strings.Split(statement, "; ") {
				run(q)
			}
			after := dataFiles(t, dir, e.Hive.TrashDir())
			for name := range before {
				if !after[name] {
					t.Error("gone:", name)
				}
			}
		})
	}
}

// dataFiles are the names of the Parquet files below folders; every file has a name of its own.
func dataFiles(t *testing.T, dirs ...string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".parquet") {
				out[filepath.Base(p)] = true
			}
			if os.IsNotExist(err) {
				return nil
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
