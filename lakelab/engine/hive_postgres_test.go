package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/internal/services/servicestest"
)

// TestHiveOnPostgres runs the life of a partitioned table with the metastore in PostgreSQL; skipped where none is installed.
func TestHiveOnPostgres(t *testing.T) {
	p := servicestest.Postgres(t)
	dir := filepath.Join(t.TempDir(), "lakehouse")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, config.File), []byte("catalog = "+p.URI(true)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, run := hiveSessionIn(t, dir)
	folder := filepath.Join(e.Hive.Dir(), "demo.db", "t")
	check := func(statement, want string) {
		t.Helper()
		if got := run(statement); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", statement, got, want)
		}
	}
	check("CREATE DATABASE demo COMMENT 'one' WITH DBPROPERTIES ('k' = 'v')", "")
	check("USE demo", "")
	check("CREATE TABLE t (a INT COMMENT 'number', p STRING, d DATE) USING parquet PARTITIONED BY (p, d) TBLPROPERTIES ('k' = 'v?')", "")
	check("CREATE TABLE T (a INT) USING parquet", "error: [TABLE_OR_VIEW_ALREADY_EXISTS] Cannot create table or view `spark_catalog`.`demo`.`t` because it already exists.\nChoose a different name, drop or replace the existing object, or add the IF NOT EXISTS clause to tolerate pre-existing objects. SQLSTATE: 42P07")
	check("INSERT INTO t VALUES (1, 'x', DATE'2024-01-01'), (2, 'y/z', NULL), (3, NULL, DATE'2024-01-02'), (4, 'привет', DATE'2024-01-02'), (5, 'Ы', NULL)", "")
	check("SELECT a, p, d FROM t ORDER BY a", "1,x,2024-01-01\n2,y/z,NULL\n3,NULL,2024-01-02\n4,привет,2024-01-02\n5,Ы,NULL")
	check("SHOW PARTITIONS t", "p=__HIVE_DEFAULT_PARTITION__/d=2024-01-02\np=x/d=2024-01-01\np=y%2Fz/d=__HIVE_DEFAULT_PARTITION__\np=Ы/d=__HIVE_DEFAULT_PARTITION__\np=привет/d=2024-01-02")

	check("SET spark.sql.sources.partitionOverwriteMode = dynamic", "spark.sql.sources.partitionOverwriteMode,dynamic")
	check("INSERT OVERWRITE t VALUES (10, 'x', DATE'2024-01-01'), (11, 'new', DATE'2024-01-03')", "")
	check("SELECT a, p FROM t ORDER BY a", "2,y/z\n3,NULL\n4,привет\n5,Ы\n10,x\n11,new")

	// Folders that came without the metastore, and one that went.
	for _, f := range []string{"p=copied/d=2024-02-01", "p=a b/d=2024-02-02"} {
		if err := os.MkdirAll(filepath.Join(folder, f), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "p=x", "d=2024-01-01", "*.parquet"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "p=copied", "d=2024-02-01", "f.parquet"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(folder, "p=Ы")); err != nil {
		t.Fatal(err)
	}
	check("SELECT count(*) FROM t WHERE p = 'copied'", "0")
	check("MSCK REPAIR TABLE t SYNC PARTITIONS", "")
	check("SELECT a, d FROM t WHERE p = 'copied'", "10,2024-02-01")
	check("SELECT count(*) FROM t", "6")
	check("SELECT count(*) FROM sys.PARTITIONS", "7")

	check("ALTER TABLE t DROP PARTITION (p = 'copied'), PARTITION (p = 'a b')", "")
	check("ALTER TABLE t ADD IF NOT EXISTS PARTITION (p = 'x', d = DATE'2024-01-01') PARTITION (p = 'late', d = DATE'2024-03-01')", "")
	check("ALTER TABLE t PARTITION (p = 'late', d = DATE'2024-03-01') RENAME TO PARTITION (p = 'later', d = DATE'2024-03-01')", "")
	check("SELECT PART_NAME FROM sys.PARTITIONS ORDER BY PART_NAME",
		"p=__HIVE_DEFAULT_PARTITION__/d=2024-01-02\np=later/d=2024-03-01\np=new/d=2024-01-03\np=x/d=2024-01-01\np=y%2Fz/d=__HIVE_DEFAULT_PARTITION__\np=привет/d=2024-01-02")
	check("SELECT NAME FROM sys.DBS ORDER BY DB_ID", "default\ndemo")
	check("SELECT t.TBL_NAME, t.TBL_TYPE, d.NAME, s.LOCATION LIKE '%demo.db/t', s.IS_COMPRESSED FROM sys.TBLS t JOIN sys.DBS d ON t.DB_ID = d.DB_ID JOIN sys.SDS s ON t.SD_ID = s.SD_ID",
		"t,MANAGED_TABLE,demo,true,false")
	check("SELECT c.COLUMN_NAME, c.TYPE_NAME, c.COMMENT FROM sys.COLUMNS_V2 c", "a,int,number")
	check("SELECT PKEY_NAME, PKEY_TYPE, INTEGER_IDX FROM sys.PARTITION_KEYS ORDER BY INTEGER_IDX", "p,string,0\nd,date,1")
	check("SELECT PARAM_VALUE FROM sys.TABLE_PARAMS WHERE PARAM_KEY = 'k'", "v?")
	check("SELECT count(*), count(DISTINCT PART_ID) FROM sys.PARTITION_KEY_VALS", "12,6")

	check("ANALYZE TABLE t COMPUTE STATISTICS", "")
	check("ALTER TABLE t ADD COLUMNS (z STRING)", "")
	check("INSERT INTO t VALUES (12, 'zed', 'x', DATE'2024-01-01')", "")
	check("SELECT a, z FROM t WHERE p = 'x' ORDER BY a", "10,NULL\n12,zed")
	check("ALTER TABLE t RENAME TO u", "")
	check("TRUNCATE TABLE u PARTITION (p = 'x')", "")
	check("SELECT a FROM u ORDER BY a", "2\n3\n4\n11")
	check("TRUNCATE TABLE u", "")
	check("SELECT count(*) FROM u", "0")

	// Another engine on the same database sees the same.
	_, other := hiveSessionIn(t, dir)
	if got := other("SELECT count(*) FROM sys.TBLS"); got != "1" {
		t.Error("another engine:", got)
	}
	check("DROP TABLE u", "")
	for _, name := range metastoreTables {
		check("SELECT count(*) FROM sys."+name, "0")
	}
	check("DROP DATABASE demo", "")
	check("SELECT count(*) FROM sys.DBS", "1")
}

// metastoreTables hold nothing once the last table is dropped.
var metastoreTables = []string{"TBLS", "TABLE_PARAMS", "SDS", "SERDES", "SERDE_PARAMS", "COLUMNS_V2", "PARTITION_KEYS", "PARTITIONS", "PARTITION_PARAMS", "PARTITION_KEY_VALS"}
