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
		"SET fs.trash.interval = 0; INSERT OVERWRITE e PARTITION (p = 'a') VALUES (9); ALTER TABLE e DROP PARTITION (p = 'b'); DROP DATABASE x CASCADE",
		"INSERT OVERWRITE e PARTITION (p) VALUES (9, 'a')", "INSERT OVERWRITE e PARTITION (p = 'a') IF NOT EXISTS VALUES (9)",
		"SET spark.sql.sources.partitionOverwriteMode = dynamic; INSERT OVERWRITE e VALUES (9, 'a')", "INSERT INTO f VALUES (9)", "INSERT INTO e PARTITION (p = 'z') VALUES (9)",
		"ALTER TABLE e UNSET TBLPROPERTIES ('k')", "ALTER TABLE e CHANGE COLUMN a a INT COMMENT 'c'", "ALTER TABLE e ALTER COLUMN a COMMENT 'c'", "COMMENT ON TABLE e IS 'c'",
		"ALTER TABLE e ADD PARTITION (p = 'z')", "ALTER TABLE e ADD PARTITION (p = 'z') LOCATION '${dir}/f'; ALTER TABLE e DROP PARTITION (p = 'z') PURGE",
		"ALTER TABLE e ADD IF NOT EXISTS PARTITION (p = 'a') LOCATION '${dir}/f'", "ALTER TABLE e DROP PARTITION (p = 'a'), PARTITION (p = 'b')", "ALTER TABLE e DROP COLUMN a",
		"ALTER TABLE e RENAME COLUMN a TO b", "ALTER TABLE e REPLACE COLUMNS (b INT)", "MSCK REPAIR TABLE e ADD PARTITIONS", "ANALYZE TABLE e PARTITION (p = 'a') COMPUTE STATISTICS",
		"ANALYZE TABLE f COMPUTE STATISTICS NOSCAN", "CACHE TABLE e; UNCACHE TABLE e; CLEAR CACHE", "REFRESH '${dir}/e'", "DELETE FROM e", "DELETE FROM e WHERE a = 1", "UPDATE e SET a = 2",
		"MERGE INTO e USING f ON e.a = f.a WHEN MATCHED THEN DELETE", "CREATE OR REPLACE TABLE e (a INT) USING parquet", "CREATE OR REPLACE TABLE f USING parquet AS SELECT 1 a", "REPLACE TABLE f (a INT) USING parquet",
		"CREATE TABLE f (a INT) USING parquet", "CREATE TABLE IF NOT EXISTS f (a INT) USING parquet", "CREATE TABLE h LIKE e LOCATION '${dir}/e'; DROP TABLE h PURGE", "CREATE TABLE h LIKE e; DROP TABLE h PURGE",
		"CREATE VIEW v AS SELECT * FROM e; DROP VIEW v", "DROP VIEW e", "DROP TABLE e; CREATE TABLE e (a INT, p STRING) USING parquet PARTITIONED BY (p) LOCATION '${dir}/e'; MSCK REPAIR TABLE e; DROP TABLE e",
		"DROP TABLE e; CALL spark_catalog.system.expunge()", "INSERT INTO f VALUES (9); CALL spark_catalog.system.expunge()", "CALL spark_catalog.system.list_trash()",
		"DROP DATABASE x", "DROP DATABASE x RESTRICT", "ALTER DATABASE x SET DBPROPERTIES ('a' = 'b')", "ALTER DATABASE x SET LOCATION '${dir}'", "COMMENT ON DATABASE x IS 'c'",
		"CREATE DATABASE y LOCATION '${dir}'; DROP DATABASE y CASCADE", "CREATE DATABASE y LOCATION '${dir}/e'; DROP DATABASE y CASCADE", "CREATE DATABASE y LOCATION '${dir}/e/p=a'; DROP DATABASE y CASCADE",
		"CREATE DATABASE y LOCATION '${dir}/y'; CREATE TABLE y.t (a INT) USING parquet; INSERT INTO y.t VALUES (1); DROP DATABASE y CASCADE",
		"CREATE TABLE m (a INT) USING parquet; CREATE TABLE n (a INT) USING parquet LOCATION '${lakehouse}/spark-warehouse/x.db/m/n'; INSERT INTO n SELECT * FROM f; DROP TABLE m PURGE",
		"INSERT OVERWRITE DIRECTORY '${dir}/e' USING csv SELECT 1 a", "INSERT OVERWRITE DIRECTORY '${dir}/../files/f' USING json SELECT 1 a",
		"CREATE TABLE lakehouse.default.i USING iceberg LOCATION '${dir}/f' AS SELECT 1 a; DROP TABLE lakehouse.default.i PURGE",
		"CREATE TABLE lakehouse.default.i (a INT) USING iceberg; CALL lakehouse.system.add_files(table => 'lakehouse.default.i', source_table => 'x.f'); DROP TABLE lakehouse.default.i PURGE",
		"CREATE TABLE lakehouse.default.i (a INT) USING iceberg; CALL lakehouse.system.add_files(table => 'lakehouse.default.i', source_table => '`parquet`.`${dir}/f`'); DELETE FROM lakehouse.default.i; " +
			"CALL lakehouse.system.expire_snapshots(table => 'lakehouse.default.i', older_than => TIMESTAMP '2100-01-01', retain_last => 1)",
		"CREATE TABLE lakehouse.default.i (a INT) USING iceberg; CALL lakehouse.system.add_files(table => 'lakehouse.default.i', source_table => 'x.f'); INSERT OVERWRITE lakehouse.default.i VALUES (2); " +
			"CALL lakehouse.system.expire_snapshots(table => 'lakehouse.default.i', older_than => TIMESTAMP '2100-01-01', retain_last => 1)",
		"CREATE TABLE lakehouse.default.i (a INT) USING iceberg; CALL lakehouse.system.add_files(table => 'lakehouse.default.i', source_table => 'x.f'); CALL lakehouse.system.rewrite_data_files(table => 'lakehouse.default.i', options => map('rewrite-all', 'true')); " +
			"CALL lakehouse.system.expire_snapshots(table => 'lakehouse.default.i', older_than => TIMESTAMP '2100-01-01', retain_last => 1)",
		"CREATE TABLE lakehouse.default.i (a INT) USING iceberg; INSERT INTO lakehouse.default.i VALUES (1); CALL lakehouse.system.remove_orphan_files(table => 'lakehouse.default.i', location => '${dir}', older_than => TIMESTAMP '2020-01-01')",
		"CREATE TABLE lakehouse.default.i (a INT) USING iceberg; CALL lakehouse.system.add_files(table => 'lakehouse.default.i', source_table => 'x.f'); CALL lakehouse.system.remove_orphan_files(table => 'lakehouse.default.i', location => '${dir}')",
		"CALL lakehouse.system.snapshot(source_table => 'spark_catalog.x.f', table => 'lakehouse.default.s'); DROP TABLE lakehouse.default.s PURGE", "CALL lakehouse.system.migrate(table => 'spark_catalog.x.f')",
	} {
		// Names of folders come of it: no ${…} in them, which a statement would read as a setting.
		t.Run(strings.ReplaceAll(statement, "$", ""), func(t *testing.T) {
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
				if got := perform(t.Context(), s, step{SQL: statement}, map[string]string{"dir": dir, "lakehouse": e.Dir}); got.Error != nil {
					t.Logf("%s is refused: %s", statement, got.Error.Message)
				}
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

// TestExternalFilesAreKeptBySaves is TestExternalFilesAreKept for the writes of DataFrames.
func TestExternalFilesAreKeptBySaves(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), newHome(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "saves", dir)
	s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	for _, st := range []fileStep{
		{SaveAsTable: "f", Mode: "overwrite"}, {SaveAsTable: "f", Mode: "append"}, {SaveAsTable: "f", Mode: "overwrite", Options: map[string]string{"path": "${dir}/f"}},
		{SaveAsTable: "g", Mode: "overwrite", Options: map[string]string{"path": "${dir}/f"}}, {InsertInto: "f", Mode: "overwrite"}, {Write: "${dir}/f", Mode: "overwrite"},
		{Write: "${dir}/f", Mode: "append"}, {Write: "${dir}", Mode: "overwrite"}, {SaveAsTable: "f", Mode: "overwrite", PartitionBy: []string{"b"}},
	} {
		for _, q := range []string{"DROP TABLE IF EXISTS f", "DROP TABLE IF EXISTS g", "CREATE TABLE f (a INT, b INT) USING parquet LOCATION '${dir}/f'", "INSERT INTO f VALUES (1, 1)"} {
			if got := perform(t.Context(), s, step{SQL: q}, map[string]string{"dir": dir}); got.Error != nil {
				t.Fatal(q, got.Error)
			}
		}
		before := dataFiles(t, dir)
		st.Query, st.Format = "SELECT 2 a, 2 b", "parquet"
		if got := perform(t.Context(), s, step{fileStep: st}, map[string]string{"dir": dir}); got.Error != nil {
			t.Logf("%+v is refused: %s", st, got.Error.Message)
		}
		after := dataFiles(t, dir, e.Hive.TrashDir())
		for name := range before {
			if !after[name] {
				t.Errorf("%+v: gone: %s", st, name)
			}
		}
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
