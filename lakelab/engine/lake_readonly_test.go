package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/store"
)

// outcomeOf runs a statement and returns the text of its rows or, behind "error: ", of its error.
func outcomeOf(ctx context.Context, s *engine.Session, q string) string {
	got := perform(ctx, s, step{SQL: q}, nil)
	if got.Error != nil {
		return "error: " + got.Error.Message
	}
	return got.Text
}

// withTables is a lakehouse with a table in each catalog, closed again.
func withTables(t *testing.T, dir string) {
	t.Helper()
	e, err := engine.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "test", dir)
	for _, q := range []string{
		"CREATE TABLE lakehouse.default.t USING iceberg AS SELECT 41 AS k", "CREATE TABLE spark_catalog.default.h USING parquet AS SELECT 42 AS k",
	} {
		if got := outcomeOf(t.Context(), s, q); strings.HasPrefix(got, "error") {
			t.Fatal(q, got)
		}
	}
}

// readable checks that both tables of withTables can be read.
func readable(t *testing.T, s *engine.Session) {
	t.Helper()
	for q, want := range map[string]string{"SELECT * FROM lakehouse.default.t": " 41|", "SELECT * FROM spark_catalog.default.h": " 42|", "SELECT count(*) FROM lakehouse.default.t.snapshots": "1"} {
		if got := outcomeOf(t.Context(), s, q); !strings.Contains(got, want) {
			t.Error(q, got)
		}
	}
}

// TestReadOnly reads a lakehouse on a file system that can't be written; writes are refused with the reason, and nothing is made.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skip("no file system can be mounted: ", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	withTables(t, filepath.Join(dir, "lakehouse"))
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), filepath.Join(dir, "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "test", t.TempDir())
	readable(t, s)
	for _, q := range []string{
		"INSERT INTO lakehouse.default.t VALUES (1)", "DELETE FROM lakehouse.default.t", "UPDATE lakehouse.default.t SET k = 1 WHERE k = 0", "DROP TABLE lakehouse.default.t",
		"ALTER TABLE lakehouse.default.t ADD COLUMN z INT", "CREATE TABLE lakehouse.default.u (a INT) USING iceberg", "CREATE TABLE lakehouse.default.u USING iceberg AS SELECT 1 AS a",
		"CREATE NAMESPACE lakehouse.n", "CREATE VIEW lakehouse.default.v AS SELECT 1 AS a", "INSERT INTO spark_catalog.default.h VALUES (1)", "DROP TABLE spark_catalog.default.h",
	} {
		if got := outcomeOf(t.Context(), s, q); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, syscall.EROFS.Error()) && !strings.Contains(got, "TASK_WRITE_FAILED") {
			t.Error(q, got)
		}
	}
	readable(t, s)
}

// TestReadBesideWriter opens a lakehouse and reads it while another process is in a transaction that writes.
func TestReadBesideWriter(t *testing.T) {
	dir := t.TempDir()
	withTables(t, dir)
	db, err := store.Open(t.Context(), "sqlite:"+filepath.Join(dir, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	begun, end := make(chan bool), make(chan bool)
	done := make(chan error)
	go func() {
		done <- db.InTransaction(t.Context(), func(*store.Tx) error {
			begun <- true
			<-end
			return errors.New("rolled back")
		})
	}()
	<-begun
	start := time.Now()
	e, err := engine.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	readable(t, e.Session("", "test", dir))
	if took := time.Since(start); took > 20*time.Second { // a reader that waits gives up after 30
		t.Error("it took ", took)
	}
	close(end)
	<-done
}

// TestEmptiedCatalog does not take what is left of a catalog for a new one.
func TestEmptiedCatalog(t *testing.T) {
	dir := t.TempDir()
	withTables(t, dir)
	if err := os.Truncate(filepath.Join(dir, "catalog.db"), 0); err != nil {
		t.Fatal(err)
	}
	if e, err := engine.Open(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "0 bytes") {
		t.Error(err)
		if e != nil {
			e.Close()
		}
	}
}

// TestRewriteTablePath copies a table by the list of rewrite_table_path; the copy stands without the original.
func TestRewriteTablePath(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "test", dir)
	run := func(q string) string {
		t.Helper()
		got := outcomeOf(t.Context(), s, q)
		if strings.HasPrefix(got, "error") {
			t.Fatal(q, got)
		}
		return got
	}
	folder, copied, stage := filepath.Join(dir, "warehouse", "default", "t"), filepath.Join(dir, "copies", "t"), filepath.Join(dir, "stage")
	run("CREATE TABLE lakehouse.default.t (id INT, v STRING) USING iceberg PARTITIONED BY (v) TBLPROPERTIES ('write.delete.mode'='merge-on-read')")
	run("INSERT INTO lakehouse.default.t VALUES (1, 'a'), (2, 'b'), (4, 'a')")
	run("DELETE FROM lakehouse.default.t WHERE id = 1")
	run("UPDATE lakehouse.default.t SET id = 20 WHERE id = 2")
	want := run("SELECT * FROM lakehouse.default.t ORDER BY id")
	history := run("SELECT operation FROM lakehouse.default.t.snapshots ORDER BY committed_at")
	run("CALL lakehouse.system.rewrite_table_path(table => 'default.t', source_prefix => '" + folder + "', target_prefix => '" + copied + "', staging_location => '" + stage + "')")
	list, err := os.ReadFile(filepath.Join(stage, "file-list"))
	if err != nil {
		t.Fatal(err)
	}
	newest := ""
	for line := range strings.Lines(string(list)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), ",")
		b, err := os.ReadFile(from)
		if err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, b, 0o644)); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(to, ".metadata.json") {
			newest = max(newest, to)
		}
		if strings.Contains(string(b), folder) {
			t.Error(from, "names the old place")
		}
	}
	if err := errors.Join(os.Rename(folder, folder+".gone"), os.RemoveAll(stage)); err != nil {
		t.Fatal(err)
	}
	run("CALL lakehouse.system.register_table('default.c', '" + newest + "')")
	if got := run("SELECT * FROM lakehouse.default.c ORDER BY id"); got != want {
		t.Error(got)
	}
	if got := run("SELECT operation FROM lakehouse.default.c.snapshots ORDER BY committed_at"); got != history {
		t.Error(got)
	}
	run("INSERT INTO lakehouse.default.c VALUES (9, 'z')")
	run("CALL lakehouse.system.rewrite_data_files(table => 'default.c', options => map('rewrite-all', 'true'))")
	if got := run("SELECT count(*) FROM lakehouse.default.c"); !strings.Contains(got, "3") {
		t.Error(got)
	}
}
