package lake_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// damage is a way to break a file.
var damage = map[string]func([]byte) []byte{
	"empty":     func([]byte) []byte { return nil },
	"truncated": func(b []byte) []byte { return b[:len(b)*2/3] },
	"garbage":   func(b []byte) []byte { return bytes.Repeat([]byte{0xa5}, len(b)) },
	"tail": func(b []byte) []byte { // the lengths that formats keep at the end become absurd
		out := bytes.Clone(b)
		for i := max(0, len(out)-12); i < len(out)-4; i++ {
			out[i] = 0xff
		}
		return out
	},
}

// TestBrokenFiles damages each kind of file that a table consists of. A query fails with an error that names the file, nothing is lost, and
// once the file is whole again the table is as it was.
func TestBrokenFiles(t *testing.T) {
	kinds := map[string]func(*env) string{
		"metadata":      func(e *env) string { return e.newest("metadata", ".metadata.json") },
		"manifest list": func(e *env) string { return e.newest("metadata", "snap-*.avro") },
		"manifest":      func(e *env) string { return e.newest("metadata", "*-m0.avro") },
		"data":          func(e *env) string { return e.newest("data", "*-00001.parquet") },
		"vector":        func(e *env) string { return e.newest("data", "*.puffin") },
	}
	for kind, find := range kinds {
		e := setup(t)
		schema := types.StructOf(col("k", long), col("v", str))
		e.ctas("d.t", schema, "SELECT i, 'v' || i FROM range(1000) r(i)", lake.CreateOptions{Properties: map[string]string{"format-version": "3", "write.delete.mode": "merge-on-read"}})
		e.delete("d.t", "k < 10", []string{"k", "v"})
		path := find(e)
		whole, err := os.ReadFile(path)
		e.must(err)
		for how, broken := range damage {
			e.must(os.WriteFile(path, broken(whole), 0o644))
			err := e.readAfresh("d.t")
			if kind == "metadata" && err == nil || kind != "data" && err == nil {
				t.Errorf("%s, %s: the table was read", kind, how)
			} else if err == nil {
				t.Errorf("%s, %s: the rows were read", kind, how)
			} else if !strings.Contains(err.Error(), filepath.Base(path)) {
				t.Errorf("%s, %s: the error does not name the file %s: %v", kind, how, filepath.Base(path), err)
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s, %s: %v", kind, how, err)
			}
		}
		e.must(os.Remove(path))
		if err := e.readAfresh("d.t"); err == nil || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s, missing: %v", kind, err)
		}
		e.must(os.WriteFile(path, whole, 0o644))
		if err := e.readAfresh("d.t"); err != nil {
			t.Errorf("%s, whole again: %v", kind, err)
		}
	}
}

// newest is the file of a name in the folder of d.t that was written last.
func (e *env) newest(folder, pattern string) string {
	e.Helper()
	found, err := filepath.Glob(filepath.Join(e.dir, "warehouse", "d", "t", folder, "*"))
	e.must(err)
	var path string
	var last time.Time
	for _, f := range found {
		if ok, _ := filepath.Match("*"+strings.TrimPrefix(pattern, "*"), filepath.Base(f)); ok {
			info, err := os.Stat(f)
			e.must(err)
			if info.ModTime().After(last) {
				path, last = f, info.ModTime()
			}
		}
	}
	if path == "" {
		e.Fatalf("no %s in %s", pattern, folder)
	}
	return path
}

// delete deletes rows of a table, row by row.
func (e *env) delete(table, where string, columns []string) {
	e.Helper()
	t := e.load(table)
	q, err := t.ScanSQL(e.Context(), nil, append(columns, lake.FileColumn, lake.PositionColumn), nil)
	e.must(err)
	values := ""
	for i, c := range columns {
		values += fmt.Sprintf(", %s AS v%d", c, i)
	}
	_, err = e.l.ChangeRows(e.Context(), t, lake.RowChanges{Command: "delete",
		Query: fmt.Sprintf("SELECT _file AS file, _pos AS pos, %d AS action%s FROM (%s) WHERE %s", lake.RowDeleted, values, q, where)}, e.db)
	e.must(err)
}

// readAfresh reads a table's rows with nothing kept from before.
func (e *env) readAfresh(table string) error {
	e.Helper()
	l, err := lake.Open(e.Context(), e.dir, lake.Options{})
	e.must(err)
	defer l.Close()
	t, err := l.Load(e.Context(), name(table))
	if err != nil {
		return err
	}
	q, err := t.ScanSQL(e.Context(), nil, nil, nil)
	if err != nil {
		return err
	}
	db, err := openDuck()
	e.must(err)
	defer db.Close()
	_, _, err = db.Query(e.Context(), "SELECT count(*), sum(k), max(v) FROM ("+q+")")
	return err
}

// TestAbsurdSizes reads files that claim to hold more than there is: an error, and not the memory that they ask for.
func TestAbsurdSizes(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long), col("v", str)), "SELECT i, 'v' FROM range(10) r(i)", lake.CreateOptions{})
	for _, pattern := range []string{"snap-*.avro", "*-m0.avro"} {
		path := e.newest("metadata", pattern)
		whole, err := os.ReadFile(path)
		e.must(err)
		// The last block's number of objects and its length stand behind the first sync marker.
		sync := whole[len(whole)-16:]
		at := bytes.Index(whole, sync) + 16
		huge := binary.AppendVarint(binary.AppendVarint(bytes.Clone(whole[:at]), 1<<40), 1<<40)
		e.must(os.WriteFile(path, append(huge, whole[at+4:]...), 0o644))
		if err := e.readAfresh("d.t"); err == nil || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s: %v", pattern, err)
		}
		e.must(os.WriteFile(path, whole, 0o644))
	}
	path := e.newest("metadata", ".metadata.json")
	whole, err := os.ReadFile(path)
	e.must(err)
	deep := bytes.Repeat([]byte(`{"a":`), 1_000_000)
	for _, b := range [][]byte{deep, regexp.MustCompile(`"manifest-list":"[^"]*"`).ReplaceAll(whole, []byte(`"manifest-list":"/etc/passwd"`))} {
		e.must(os.WriteFile(path, b, 0o644))
		if err := e.readAfresh("d.t"); err == nil {
			t.Errorf("read: %.80s", b)
		}
	}
}

// TestDeepMetadata reads metadata with a type that is nested without end: an error that names the file, at once.
func TestDeepMetadata(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long), col("v", str)), "SELECT 1, 'v'", lake.CreateOptions{})
	path := e.newest("metadata", ".metadata.json")
	whole, err := os.ReadFile(path)
	e.must(err)
	deep := strings.Repeat(`{"type":"list","element-id":9,"element-required":false,"element":`, 3000) + `"long"` + strings.Repeat("}", 3000)
	broken := bytes.ReplaceAll(whole, []byte(`"type":"long"`), []byte(`"type":`+deep))
	e.must(os.WriteFile(path, broken, 0o644))
	if err := e.readAfresh("d.t"); err == nil || !strings.Contains(err.Error(), "nested deeper than 1000 levels") || !strings.Contains(err.Error(), filepath.Base(path)) {
		t.Errorf("%.300v", err)
	}
}
