package engine_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestTrinoBesideSpark shows Trino's clients what Spark has made: a view, which Trino knows of but does not read, and branches and tags of a
// table whose columns changed afterwards. The answers are those of Trino 476 on the same files.
func TestTrinoBesideSpark(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lakehouse")
	c := newTrinoSuiteClient(t, openDoorAt(t, dir))
	e, err := engine.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	spark := e.Session("", "spark", "")
	for _, text := range []string{
		"CREATE NAMESPACE lakehouse.sv", "CREATE TABLE lakehouse.sv.t (id INT, name STRING, n BIGINT)", "INSERT INTO lakehouse.sv.t VALUES (1, 'a', 10), (2, 'b', 20)",
		"ALTER TABLE lakehouse.sv.t CREATE BRANCH dev", "ALTER TABLE lakehouse.sv.t CREATE TAG tg", "ALTER TABLE lakehouse.sv.t ADD COLUMN extra DOUBLE",
		"ALTER TABLE lakehouse.sv.t RENAME COLUMN name TO label", "ALTER TABLE lakehouse.sv.t DROP COLUMN n", "ALTER TABLE lakehouse.sv.t ALTER COLUMN id TYPE BIGINT",
		"CREATE VIEW lakehouse.sv.v COMMENT 'spark view' AS SELECT id, upper(label) AS up FROM lakehouse.sv.t",
	} {
		if _, err := spark.Execute(t.Context(), sql.Spark, text, plan.Params{}); err != nil {
			t.Fatal(text, err)
		}
	}
	const refused = "ICEBERG_UNSUPPORTED_VIEW_DIALECT: Cannot read unsupported dialect 'spark' for view 'sv.v'"
	before, now := "[[1,\"a\",10],[2,\"b\",20]]", "[[1,\"a\",null],[2,\"b\",null]]"
	for _, q := range []struct{ text, want string }{
		{"SELECT * FROM sv.v", refused}, {"SHOW CREATE VIEW sv.v", refused}, {"SHOW STATS FOR sv.v", refused}, {"CREATE VIEW sv.vv AS SELECT * FROM sv.v", refused},
		{"COMMENT ON COLUMN sv.v.id IS 'x'", refused}, {"EXPLAIN SELECT * FROM sv.v", refused},
		{"DESCRIBE sv.v", "[]"}, {"SELECT column_name FROM information_schema.columns WHERE table_name = 'v'", "[]"}, {"SELECT view_definition FROM information_schema.views", "[]"},
		{"SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'sv' ORDER BY 1", `[["t","BASE TABLE"],["v","VIEW"]]`},
		{"SELECT * FROM system.iceberg_tables WHERE table_schema = 'sv'", `[["sv","t"]]`},
		{"CREATE OR REPLACE VIEW sv.v AS SELECT 1 a", "GENERIC_INTERNAL_ERROR: Cannot replace view due to loss of view dialects (replace.drop-dialect.allowed=false):\nPrevious dialects: [spark]\nNew dialects: [trino]"},
		{"CREATE OR REPLACE TABLE sv.v (a integer)", "TABLE_ALREADY_EXISTS: line 1:1: Table 'lakehouse.sv.v' already exists"},
		{"SELECT * FROM sv.t FOR VERSION AS OF 'dev' ORDER BY 1", before}, {"SELECT * FROM sv.t FOR VERSION AS OF 'tg' ORDER BY 1", before},
		{"SELECT * FROM sv.t FOR VERSION AS OF 'main' ORDER BY 1", before}, {"SELECT name, n FROM sv.t FOR VERSION AS OF 'dev' ORDER BY 1", `[["a",10],["b",20]]`},
		{"SELECT * FROM sv.t ORDER BY 1", now},
		{"ALTER VIEW sv.v RENAME TO sv.v2", "[]"}, {"DROP VIEW sv.v2", "[]"},
	} {
		a := c.run(t, q.text)
		got := rowsText(a.Rows)
		if a.Error != nil {
			got = a.Error.Name + ": " + a.Error.Message
		}
		if got != q.want {
			t.Errorf("%s\n got  %s\n want %s", q.text, got, q.want)
		}
	}
}

// TestTrinoSessionWrites has session properties of the catalog steer how files are written.
func TestTrinoSessionWrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lakehouse")
	c := newTrinoSuiteClient(t, openDoorAt(t, dir))
	ask := func(text string) string {
		a := c.run(t, text)
		if a.Error != nil {
			t.Fatal(text, a.Error.Message)
		}
		return rowsText(a.Rows)
	}
	ask("CREATE SCHEMA IF NOT EXISTS suite")
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for codec, want := range map[string]string{"NONE": "UNCOMPRESSED", "SNAPPY": "SNAPPY", "GZIP": "GZIP", "ZSTD": "ZSTD"} {
		ask("SET SESSION lakehouse.compression_codec = '" + codec + "'")
		ask("CREATE TABLE suite." + codec + " AS SELECT 1 a")
		ask("INSERT INTO suite." + codec + " VALUES 2")
		path := ask(`SELECT array_join(array_agg(file_path), ''',''') FROM suite."` + strings.ToLower(codec) + `$files"`)
		path = strings.Trim(path, `[]"`)
		_, rows, err := e.DB.Query(t.Context(), "SELECT DISTINCT compression FROM parquet_metadata(['"+path+"'])")
		if err != nil || fmt.Sprint(rows) != "[["+want+"]]" {
			t.Errorf("%s: %v %v", codec, rows, err)
		}
	}
	ask("RESET SESSION lakehouse.compression_codec")
	ask("SET SESSION lakehouse.target_max_file_size = '100kB'")
	ask("CREATE TABLE suite.big AS SELECT orderkey, comment FROM tpch.tiny.lineitem")
	if got := ask(`SELECT count(*) > 3, max(file_size_in_bytes) < 200000, sum(record_count) FROM suite."big$files"`); got != "[[true,true,60175]]" {
		t.Errorf("target_max_file_size: %s", got)
	}
	ask("CREATE TABLE suite.so (a integer) WITH (sorted_by = ARRAY['a'])")
	ask("SET SESSION lakehouse.sorted_writing_enabled = false")
	ask("INSERT INTO suite.so VALUES 9, 7, 8")
	if got := ask("SELECT a FROM suite.so"); got != "[[9],[7],[8]]" {
		t.Errorf("unsorted: %s", got)
	}
	ask("RESET SESSION lakehouse.sorted_writing_enabled")
	ask("DELETE FROM suite.so")
	ask("INSERT INTO suite.so VALUES 9, 7, 8")
	if got := ask("SELECT a FROM suite.so"); got != "[[7],[8],[9]]" {
		t.Errorf("sorted: %s", got)
	}
}

// rowsText is rows as JSON.
func rowsText(rows [][]any) string {
	if rows == nil {
		return "[]"
	}
	text, _ := json.Marshal(rows)
	return string(text)
}
