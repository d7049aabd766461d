package lake_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

var farFuture = time.Now().AddDate(100, 0, 0)

// changed is the query of a row-level change: scan reads the table with _file and _pos.
func (e *env) changed(t *lake.Table, action int, value, where string) string {
	e.Helper()
	q, err := t.ScanSQL(e.Context(), nil, []string{"k", "p", lake.FileColumn, lake.PositionColumn}, nil)
	e.must(err)
	return fmt.Sprintf("SELECT _file AS file, _pos AS pos, %d AS action, %s AS v0, p AS v1 FROM (%s) WHERE %s", action, value, q, where)
}

// files lists what lies in a table's data folder.
func (e *env) files(table string) (out []string) {
	e.Helper()
	e.must(filepath.WalkDir(filepath.Join(e.load(table).Location(), "data"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	}))
	return out
}

func conflict(err error, message string) bool {
	var x *errclass.Error
	return errors.As(err, &x) && x.Exception == "ValidationException" && strings.HasPrefix(x.Message, message)
}

var byP = lake.CreateOptions{Partitioning: []lake.PartitionField{{Transform: "identity", Column: []string{"p"}}}}

// TestRowConflicts lets another writer commit between the reading and the commit of a row-level change.
func TestRowConflicts(t *testing.T) {
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		for _, isolation := range []string{"serializable", "snapshot"} {
			e := setup(t)
			opts := byP
			opts.Properties = map[string]string{"write.update.mode": mode, "write.update.isolation-level": isolation}
			schema := types.StructOf(col("k", long), col("p", str))
			e.ctas("d.t", schema, "SELECT i, 'a' FROM range(4) r(i) UNION ALL SELECT 10, 'b'", opts)
			update := func(where string, cond *lake.Condition, meanwhile func()) error {
				stale := e.load("d.t")
				query := e.changed(stale, lake.RowUpdated, "k + 100", where)
				meanwhile()
				before := len(e.files("d.t"))
				_, err := e.l.ChangeRows(t.Context(), stale, lake.RowChanges{Command: "update", Query: query, Where: cond}, e.db)
				if err != nil {
					e.equal(mode+": files after a refused change", len(e.files("d.t")), before)
				}
				return err
			}
			inA := &lake.Condition{Op: "=", Column: []string{"p"}, Values: []any{"a"}}
			e.must(update("p = 'a' AND k = 0", inA, func() { e.append("d.t", "SELECT 20, 'b'") })) // another partition: no conflict

			err := update("p = 'a' AND k = 1", inA, func() { e.append("d.t", "SELECT 21, 'a'") })
			if serial := isolation == "serializable"; serial && !conflict(err, "Found conflicting files") || !serial && err != nil {
				t.Errorf("%s %s: a row was added that the update should have seen: %v", mode, isolation, err)
			}
			err = update("p = 'a' AND k = 2", inA, func() {
				e.must(update("p = 'a' AND k = 3", inA, func() {}))
			})
			switch {
			case mode == "copy-on-write" && !conflict(err, "Missing required files to delete"):
				t.Errorf("%s %s: the file was rewritten meanwhile: %v", mode, isolation, err)
			case mode == "merge-on-read" && err == nil:
				t.Errorf("%s %s: another delete of the same file was lost", mode, isolation)
			}
			rows := map[string]int{}
			for _, r := range e.read(e.load("d.t"), nil) {
				rows[r]++
			}
			for r, n := range rows {
				if n > 1 {
					t.Errorf("%s %s: %d times %s", mode, isolation, n, r)
				}
			}
			e.equal(mode+" "+isolation+": rows", len(rows), 7)
		}
	}
}

// TestFailedWriteLeavesNothing makes writes fail after their files were made: a NULL where none may be, in one partition of many.
func TestFailedWriteLeavesNothing(t *testing.T) {
	e := setup(t)
	required := col("k", long)
	required.Nullable = false
	e.must(e.l.Create(t.Context(), name("d.t"), types.StructOf(required, col("p", str)), byP))
	e.append("d.t", "SELECT i, 'p' || i FROM range(5) r(i)")
	before := e.files("d.t")
	if _, err := e.l.Append(t.Context(), e.load("d.t"), "SELECT CASE WHEN i < 9 THEN i END, 'p' || i FROM range(10) r(i)", e.db); err == nil {
		t.Fatal("NULL in a column that is NOT NULL")
	}
	e.equal("files", e.files("d.t"), before)
	if _, err := e.l.Append(t.Context(), e.load("d.t"), "SELECT CAST(error('no more') AS BIGINT), 'x'", e.db); err == nil {
		t.Fatal("a failing query")
	}
	e.equal("files", e.files("d.t"), before)
	if _, err := e.l.CreateAs(t.Context(), name("d.new"), types.StructOf(required, col("p", str)), byP, "SELECT NULL, 'x'", e.db); err == nil {
		t.Fatal("NULL in a column that is NOT NULL")
	}
	if ok, err := e.l.Exists(t.Context(), name("d.new")); ok || err != nil {
		t.Error("a failed CTAS left a table", err)
	}
	e.equal("snapshots", len(e.meta("d.t", "snapshots")), 1)
}

// TestOrphansSpareTheLiving deletes what no snapshot needs, and nothing else: neither what only old snapshots need nor, by its age, what
// somebody may be about to commit.
func TestOrphansSpareTheLiving(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long), col("p", str)), "SELECT i, 'a' FROM range(3) r(i)", byP)
	first := e.meta("d.t", "snapshots")[0][1].(int64)
	_, err := e.l.Overwrite(t.Context(), e.load("d.t"), lake.Overwriting{}, "SELECT 9, 'b'", e.db)
	e.must(err)
	stray := filepath.Join(e.load("d.t").Location(), "data", "p=a", "stray.parquet")
	e.must(e.db.Exec(t.Context(), "COPY (SELECT 1) TO '"+stray+"' (FORMAT parquet)"))
	young, err := e.l.Orphans(t.Context(), e.load("d.t"), lake.Orphaned{Before: time.Now().Add(-time.Hour), Trial: false})
	e.must(err)
	e.equal("too young", young, []string(nil))
	found, err := e.l.Orphans(t.Context(), e.load("d.t"), lake.Orphaned{Before: farFuture, Trial: false})
	e.must(err)
	e.equal("orphans", found, []string{stray})
	at, err := e.load("d.t").SnapshotByID(first)
	e.must(err)
	e.equal("the first snapshot", e.read(e.load("d.t"), at, "k"), []string{"0", "1", "2"})
	e.equal("now", e.read(e.load("d.t"), nil, "k"), []string{"9"})
}
