package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/duck"
)

// shownRows are the rows of an answer's table: cells with | between them, rows with commas.
func shownRows(a answer) string {
	var rows []string
	for _, line := range strings.Split(a.Text, "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return strings.Join(rows[min(1, len(rows)):], ",")
}

// answers runs statements and compares the rows of those that come with some.
func answers(t *testing.T, run func(string) answer, statements ...[2]string) {
	t.Helper()
	for _, s := range statements {
		got := run(s[0])
		if got.Error != nil {
			t.Fatalf("%s: %s", s[0], got.Error.Message)
		}
		if rows := shownRows(got); s[1] != "" && rows != s[1] {
			t.Errorf("%s: %s, want %s", s[0], rows, s[1])
		}
	}
}

// TestLakehouseNamedLikePattern has a lakehouse whose folder's name is a pattern that a copy's folder matches: neither reads the other's files.
func TestLakehouseNamedLikePattern(t *testing.T) {
	for pattern, twin := range map[string]string{"g*": "g1", "h[12]": "h1", "i?": "i1"} {
		dir := t.TempDir()
		home := filepath.Join(dir, pattern)
		e, _, run := pathSession(t, home)
		done(t, run, "CREATE TABLE lakehouse.default.t (id INT NOT NULL, v STRING) USING iceberg PARTITIONED BY (v) TBLPROPERTIES ('write.delete.mode'='merge-on-read')",
			"INSERT INTO lakehouse.default.t SELECT id, concat('v', id % 2) FROM range(6)", "DELETE FROM lakehouse.default.t WHERE id = 0",
			"CREATE TABLE h (id INT, p STRING) USING parquet PARTITIONED BY (p)", "INSERT INTO h VALUES (1, 'a'), (2, 'b*')",
			"CREATE TABLE c (id INT, s STRING) USING csv", "INSERT INTO c VALUES (1, 'x')")
		must0(t, e.Close(), os.CopyFS(filepath.Join(dir, twin), os.DirFS(home)))
		_, _, run = pathSession(t, home)
		answers(t, run, [2]string{"SELECT id, v FROM lakehouse.default.t ORDER BY id", "1|v1,2|v0,3|v1,4|v0,5|v1"},
			[2]string{"SELECT count(*) FROM lakehouse.default.t", "5"}, [2]string{"SELECT count(*) FROM lakehouse.default.t.position_deletes", "1"},
			[2]string{"SELECT id, p FROM h ORDER BY id", "1|a,2|b*"}, [2]string{"SELECT count(*) FROM c", "1"},
			[2]string{"ANALYZE TABLE h COMPUTE STATISTICS", ""}, [2]string{"INSERT INTO h VALUES (3, 'a')", ""}, [2]string{"SELECT count(*), max(id) FROM h WHERE p = 'a'", "2|3"},
			[2]string{"DELETE FROM lakehouse.default.t WHERE id = 1", ""}, [2]string{"UPDATE lakehouse.default.t SET v = 'w' WHERE id = 2", ""},
			[2]string{"CALL lakehouse.system.rewrite_data_files(table => 'default.t', options => map('rewrite-all', 'true'))", ""},
			[2]string{"SELECT id, v FROM lakehouse.default.t ORDER BY id", "2|w,3|v1,4|v0,5|v1"})
	}
}

// TestFilesNamedLikePatterns reads a folder with files whose names are patterns that others match: each file is one file. Spark's own patterns
// go on to find what they match, whatever the notebook's folder is called.
func TestFilesNamedLikePatterns(t *testing.T) {
	e, err := engine.Open(t.Context(), newHome(t))
	must0(t, err)
	defer e.Close()
	cwd := filepath.Join(t.TempDir(), "n[1]*")
	must0(t, os.MkdirAll(filepath.Join(cwd, "f"), 0o755), os.MkdirAll(filepath.Join(cwd, "c"), 0o755))
	for i, name := range []string{"a1", "a2", "a*", "b1", "b[1]"} {
		must0(t, e.DB.Exec(t.Context(), "COPY (SELECT CAST("+string(rune('1'+i))+" AS INTEGER) AS i) TO "+duck.String(filepath.Join(cwd, "f", name+".parquet"))+" (FORMAT parquet)"),
			os.WriteFile(filepath.Join(cwd, "c", name+".csv"), []byte(string(rune('1'+i))+"\n"), 0o644))
	}
	s := e.Session("", "patterns", cwd)
	s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	run := func(q string) answer {
		return perform(t.Context(), s, step{SQL: strings.ReplaceAll(q, "${dir}", cwd)}, nil)
	}
	answers(t, run, [2]string{"SELECT count(*), sum(i) FROM parquet.`${dir}/f`", "5|15"}, [2]string{"SELECT count(*), sum(i) FROM parquet.`f`", "5|15"},
		[2]string{"SELECT count(*), sum(_c0) FROM csv.`f/../c`", "5|15.0"}, [2]string{"SELECT count(*) FROM text.`c`", "5"}, [2]string{"SELECT count(*) FROM json.`c`", "5"},
		[2]string{"SELECT count(*), sum(i) FROM parquet.`f/a?.parquet`", "3|6"}, [2]string{"SELECT count(*), sum(i) FROM parquet.`f/b[1]*`", "1|4"},
		[2]string{"SELECT i FROM parquet.`f/b[1].parquet`", "5"},
		[2]string{"CREATE TABLE lakehouse.default.t (i INT) USING iceberg", ""}, [2]string{"CALL lakehouse.system.add_files(table => 'default.t', source_table => '`parquet`.`${dir}/f`')", ""},
		[2]string{"SELECT count(*), sum(i) FROM lakehouse.default.t", "5|15"}, [2]string{"DELETE FROM lakehouse.default.t WHERE i = 3", ""},
		[2]string{"SELECT count(*), sum(i) FROM lakehouse.default.t", "4|12"},
		[2]string{"CREATE TABLE h (i INT) USING parquet LOCATION '${dir}/f'", ""}, [2]string{"SELECT count(*), sum(i) FROM h", "5|15"})
}
