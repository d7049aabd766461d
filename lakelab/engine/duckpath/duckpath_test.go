package duckpath_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/duckpath"
)

// TestQuote reads files whose names are patterns that other files match, too: each by itself, and all at once.
func TestQuote(t *testing.T) {
	db, err := duck.Open(t.Context(), duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	dir := t.TempDir()
	var all []string
	for i, name := range []string{"a*", "a1", "b[12]", "b1", "c?", "c1", "d]x[", `e\*`, `f\x`, "g**", "**", "h[!a]", "h1", "k{a,b}", "l[]]", "m%20*", "n[a-z]*", "~x*", `o\[x]`, "p[^a]", "[*]", "it's [1]"} {
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"x.parquet", name + ".parquet"} {
			path := filepath.Join(folder, file)
			if err := db.Exec(t.Context(), fmt.Sprintf("COPY (SELECT %d AS i) TO %s (FORMAT parquet)", i, duck.String(path))); err != nil {
				t.Fatal(err)
			}
			_, rows, err := db.Query(t.Context(), "SELECT i, filename FROM read_parquet("+duckpath.Quote(path)+", filename = true)")
			if err != nil || len(rows) != 1 || rows[0][0] != int32(i) || rows[0][1] != path {
				t.Errorf("%s: %v, %v", path, rows, err)
			}
			if got := duckpath.Plain(strings.ReplaceAll(strings.Trim(duckpath.Quote(path), "'"), "''", "'")); got != path && !strings.Contains(path, "[*]") {
				t.Errorf("%s is plain %s", path, got)
			}
			all = append(all, path)
		}
	}
	if got := duckpath.Parquet("SELECT * FROM read_parquet(" + duckpath.List(all) + ", x = 1) JOIN read_parquet(" + duckpath.Quote(all[0]) + ")"); len(got) != len(all) || got[len(got)-1] != all[len(all)-1] {
		t.Errorf("the files of a query: %q", got)
	}
	_, rows, err := db.Query(t.Context(), "SELECT file_name FROM parquet_file_metadata("+duckpath.List(all)+")")
	if err != nil || len(rows) != len(all) {
		t.Fatalf("%d files, %v; want %d", len(rows), err, len(all))
	}
	_, _, err = db.Query(t.Context(), "FROM read_parquet("+duckpath.Quote(filepath.Join(dir, "a*", "gone[1].parquet"))+")")
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "a*", "gone[1].parquet")) {
		t.Errorf("a file that is gone: %v", err)
	}
}
