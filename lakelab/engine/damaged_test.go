package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamagedDataFile breaks pages of one of a table's files: whatever reads it fails with an error that names the file.
func TestDamagedDataFile(t *testing.T) {
	e, _, run := pathSession(t, newHome(t))
	done(t, run, "CREATE TABLE lakehouse.default.t (id BIGINT, v STRING) USING iceberg", "INSERT INTO lakehouse.default.t SELECT id, concat('value ', id * 7919) FROM range(3000)",
		"INSERT INTO lakehouse.default.t VALUES (-1, 'x')")
	var files []string
	must0(t, filepath.WalkDir(e.Dir, func(path string, _ os.DirEntry, err error) error {
		if st, serr := os.Stat(path); serr == nil && strings.HasSuffix(path, ".parquet") && st.Size() > 5000 {
			files = append(files, path)
		}
		return err
	}))
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	whole, err := os.ReadFile(files[0])
	must0(t, err)
	failures := 0
	for at := 4; at < 2000; at += 37 {
		b := append([]byte{}, whole...)
		for i := range 8 {
			b[at+i] ^= 0xff
		}
		must0(t, os.WriteFile(files[0], b, 0o644))
		for _, q := range []string{"SELECT max(id), max(v) FROM lakehouse.default.t", "CREATE OR REPLACE TABLE lakehouse.default.u USING iceberg AS SELECT * FROM lakehouse.default.t"} {
			got := run(q)
			if got.Error == nil {
				continue // values that are others
			}
			failures++
			if !strings.Contains(got.Error.Message, filepath.Base(files[0])) {
				t.Error(fmt.Sprintf("byte %d, %s: ", at, q), got.Error.Exception, got.Error.Message)
			}
		}
	}
	if failures == 0 {
		t.Error("no damage was noticed")
	}
}
