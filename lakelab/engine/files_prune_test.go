package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Reads by path leave out the files of partitions that a condition rules out, and EXPLAIN says how many.
func TestFilesPruned(t *testing.T) {
	root := t.TempDir()
	t.Setenv("LAKELAB_DATA_ROOTS", root)
	lines := map[string]string{"csv": "1,a\n", "json": "{\"v\":1}\n", "text": "a line\n"}
	for format, line := range lines {
		for _, k := range []string{"1", "2", "3"} {
			dir := filepath.Join(root, format, "k="+k)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "part"), []byte(line), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, run := hiveSession(t)
	for format := range lines {
		from := format + ".`" + filepath.Join(root, format) + "`"
		for where, want := range map[string]string{
			"k = 2":                     "3 considered, 2 skipped, 1 read",
			"k > 1 AND length('x') = 1": "3 considered, 1 skipped, 2 read",
			"k = 9":                     "3 considered, 3 skipped, 0 read",
		} {
			if got := run("EXPLAIN SELECT * FROM " + from + " WHERE " + where); !strings.Contains(got, want) {
				t.Errorf("%s WHERE %s\ngot  %s\nwant %s", format, where, got, want)
			}
		}
		if got := run("SELECT count(*) FROM " + from + " WHERE k >= 2"); got != "2" {
			t.Error(format, got)
		}
	}
}
