package engine_test

import (
	"os"
	"path/filepath"
	"strings"
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

// Statements show no secrets that stand in properties and options, as Spark 4.0.1 does not.
func TestSecretsAreHidden(t *testing.T) {
	_, run := hiveSession(t)
	for _, q := range []string{"CREATE TABLE s (a INT) USING csv OPTIONS ('password' = 'p4ss', 'url' = 'jdbc:x', 'sep' = ';') TBLPROPERTIES ('aws.secret' = 'p4ss', 'k' = 'http://x?token=p4ss', 'plain' = 'v')",
		"CREATE DATABASE d WITH DBPROPERTIES ('password' = 'p4ss', 'a' = 'b')"} {
		if got := run(q); got != "" {
			t.Fatal(got)
		}
	}
	_ = run("SET my.password = p4ss")
	for _, c := range [][2]string{
		{"DESCRIBE EXTENDED s", "Table Properties,[aws.secret=*********(redacted), k=*********(redacted), plain=v]"},
		{"DESCRIBE EXTENDED s", "sep=;"},
		{"SHOW CREATE TABLE s", `'url' = '*********(redacted)')\nTBLPROPERTIES (\n  'aws.secret' = '*********(redacted)',\n  'k' = '*********(redacted)',\n  'plain' = 'v')`},
		{"SHOW TBLPROPERTIES s", "aws.secret,*********(redacted)\nk,*********(redacted)\noption.password,*********(redacted)\noption.sep,;\noption.url,*********(redacted)\nplain,v"},
		{"SHOW TBLPROPERTIES s('k')", "k,*********(redacted)"},
		{"SHOW TABLE EXTENDED LIKE 's'", "Table Properties: [aws.secret=*********(redacted), k=*********(redacted), plain=v]"},
		{"DESCRIBE DATABASE EXTENDED d", "Properties,((a,b), (password,*********(redacted)))"},
		{"SET my.password", "my.password,*********(redacted)"},
		{"SET", "my.password,*********(redacted)"},
	} {
		if got := run(c[0]); !strings.Contains(got, c[1]) || strings.Contains(got, "p4ss") {
			t.Errorf("%s:\n%s", c[0], got)
		}
	}
}

// A file that is no Parquet file, and a line that is no text, are told by Spark's classes.
func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("LAKELAB_DATA_ROOTS", dir)
	_, run := hiveSession(t)
	for name, text := range map[string]string{"no.parquet": "PAR1 and nothing else of it", "short.parquet": "PAR1", "binary.csv": "1,\xff\n", "long.csv": strings.Repeat("x", 3_000_000) + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		class := "[FAILED_READ_FILE.NO_HINT]"
		if strings.HasSuffix(name, ".parquet") {
			class = "[FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER]"
		}
		if got := run("SELECT * FROM " + filepath.Ext(name)[1:] + ".`" + filepath.Join(dir, name) + "`"); !strings.Contains(got, class) || len(got) > 1000 {
			t.Errorf("%s: %.2000s", name, got)
		}
	}
}

// A view in spark_catalog is refused by name.
func TestViewInSparkCatalog(t *testing.T) {
	_, run := hiveSession(t)
	if got := run("CREATE VIEW v AS SELECT 1 a"); !strings.Contains(got, "CREATE VIEW in spark_catalog") {
		t.Error(got)
	}
}
