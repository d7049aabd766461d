package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A file that is rewritten within a second, no larger and no smaller, is read as it is now: DuckDB knows a file that it has in memory by its
// size and whole seconds only.
func TestFilesRewrittenAtOnce(t *testing.T) {
	data := t.TempDir()
	t.Setenv("LAKELAB_DATA_ROOTS", data)
	e, run := hiveSession(t)
	parquet := func(query string) []byte {
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := e.DB.Exec(t.Context(), "COPY ("+query+") TO '"+path+"' (FORMAT parquet)"); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	at := time.Now().Truncate(time.Second)
	for _, c := range []struct {
		format   string
		contents [2][]byte
		want     [2]string
	}{
		{"parquet", [2][]byte{parquet("SELECT 1::INTEGER a, 2::INTEGER b"), parquet("SELECT 3::INTEGER b, 4::INTEGER a")}, [2]string{"1,2", "4,3"}},
		{"json", [2][]byte{[]byte(`{"a":1,"b":2}`), []byte(`{"b":3,"a":4}`)}, [2]string{"1,2", "4,3"}},
		{"csv", [2][]byte{[]byte("1,2\n"), []byte("4,3\n")}, [2]string{"1,2", "4,3"}},
	} {
		if len(c.contents[0]) != len(c.contents[1]) {
			t.Fatalf("%s: %d and %d bytes", c.format, len(c.contents[0]), len(c.contents[1]))
		}
		folder := filepath.Join(data, c.format)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		query := "SELECT * FROM " + c.format + "_table"
		for i := range 6 {
			path := filepath.Join(folder, "part-0."+c.format)
			if err := os.WriteFile(path, c.contents[i%2], 0o644); err != nil {
				t.Fatal(err)
			}
			now := at.Add(time.Duration(i) * time.Millisecond)
			if err := os.Chtimes(path, now, now); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				if got := run("CREATE TABLE " + c.format + "_table (a INT, b INT) USING " + c.format + " LOCATION '" + folder + "'"); got != "" {
					t.Fatal(got)
				}
			}
			run("REFRESH TABLE " + c.format + "_table")
			if got := run(query); got != c.want[i%2] {
				t.Errorf("%s, written %d times: %s, want %s", c.format, i+1, got, c.want[i%2])
			}
			if got := run("SELECT CAST(" + map[bool]string{true: "_c0", false: "a"}[c.format == "csv"] + " AS INT) FROM " + c.format + ".`" + folder + "`"); got != c.want[i%2][:1] {
				t.Errorf("%s by path, written %d times: %s", c.format, i+1, got)
			}
		}
	}
}
