package lake_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// While rows are deleted, updated or moved to other files, others take back what was read: by a rollback, or by setting the branch elsewhere. The
// statement must not bring it in again.
func TestRolledBackMeanwhile(t *testing.T) {
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		e := setup(t)
		ctx := t.Context()
		e.must(e.l.CreateNamespace(ctx, "d", nil))
		e.ctas("d.t", types.StructOf(col("k", integ), col("p", integ)), "SELECT i::INT, 0 FROM range(10) r(i)", lake.CreateOptions{Properties: map[string]string{"write.delete.mode": "merge-on-read", "write.update.mode": mode}})
		other, err := lake.Open(ctx, e.dir, lake.Options{})
		e.must(err)
		defer other.Close()
		before := e.meta("d.t", "snapshots")[0][1].(int64)
		remove := func(where string) error {
			tab := e.load("d.t")
			return second(e.l.ChangeRows(ctx, tab, lake.RowChanges{Command: "delete", Query: e.changed(tab, lake.RowDeleted, "NULL", where)}, e.db))
		}
		e.must(remove("k % 2 = 0"))
		after := e.meta("d.t", "snapshots")[1][1].(int64)
		for what, run := range map[string]func() error{
			"delete": func() error { return remove("k = 1") },
			"update": func() error {
				tab := e.load("d.t")
				return second(e.l.ChangeRows(ctx, tab, lake.RowChanges{Command: "update", Query: e.changed(tab, lake.RowUpdated, "77", "k = 3")}, e.db))
			},
			"rewrite": func() error {
				return second(e.l.Rewrite(ctx, e.load("d.t"), lake.Rewriting{Options: map[string]string{"rewrite-all": "true"}}, e.db))
			},
		} {
			did := false
			lake.OnReached(func(point string) {
				if point == "before the swap" && !did {
					did = true
					_, _, err := other.SetCurrentSnapshot(ctx, e.load("d.t"), before, "")
					e.must(err)
				}
			})
			err := run()
			lake.OnReached(func(string) {})
			if err == nil || !strings.Contains(err.Error(), "Cannot determine history between starting snapshot") {
				t.Errorf("%s, %s: %v", mode, what, err)
			}
			e.equal(what+": rows", len(e.read(e.load("d.t"), nil)), 10)
			_, _, err = e.l.SetCurrentSnapshot(ctx, e.load("d.t"), after, "")
			e.must(err)
		}
	}
}

// A table is upgraded to format version 3 while a DELETE writes position deletes for version 2, which version 3 does not take.
func TestUpgradedMeanwhile(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	e.must(e.l.CreateNamespace(ctx, "d", nil))
	e.ctas("d.t", types.StructOf(col("k", integ), col("p", integ)), "SELECT i::INT, 0 FROM range(10) r(i)", lake.CreateOptions{Properties: map[string]string{"format-version": "2", "write.delete.mode": "merge-on-read"}})
	other, err := lake.Open(ctx, e.dir, lake.Options{})
	e.must(err)
	defer other.Close()
	remove := func() error {
		tab := e.load("d.t")
		return second(e.l.ChangeRows(ctx, tab, lake.RowChanges{Command: "delete", Query: e.changed(tab, lake.RowDeleted, "NULL", "k = 1")}, e.db))
	}
	did := false
	lake.OnReached(func(point string) {
		if point == "before the swap" && !did {
			did = true
			e.must(other.SetProperties(ctx, e.load("d.t"), map[string]string{"format-version": "3"}))
		}
	})
	err = remove()
	lake.OnReached(func(string) {})
	if err == nil || !strings.Contains(err.Error(), "Must use DVs for position deletes in V3") {
		t.Errorf("position deletes in a table of version 3: %v", err)
	}
	e.equal("delete files", len(e.meta("d.t", "delete_files")), 0)
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 10)
	e.must(remove()) // begun anew
	e.equal("format", e.meta("d.t", "delete_files")[0][2], "PUFFIN")
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 9)
}

// Orphans are sought in a folder in which another table lives that was made by way of a symbolic link.
func TestOrphansBehindLinks(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	store, alias := filepath.Join(e.dir, "store"), filepath.Join(e.dir, "alias")
	e.must(os.MkdirAll(store, 0o755))
	e.must(os.Symlink(store, alias))
	e.must(e.l.CreateNamespace(ctx, "d", nil))
	schema := types.StructOf(col("k", integ))
	e.ctas("d.linked", schema, "SELECT 3", lake.CreateOptions{Location: filepath.Join(alias, "linked")})
	e.ctas("d.t", schema, "SELECT 1", lake.CreateOptions{Location: filepath.Join(store, "t")})
	stray := filepath.Join(store, "linked", "data", "stray.parquet")
	e.must(os.WriteFile(stray, []byte("x"), 0o644))
	found, err := e.l.Orphans(ctx, e.load("d.t"), lake.Orphaned{Folder: store, Before: farFuture})
	e.must(err)
	e.equal("orphans", found, []string{stray})
	e.equal("rows", e.read(e.load("d.linked"), nil), []string{"3"})
	found, err = e.l.Orphans(ctx, e.load("d.linked"), lake.Orphaned{Before: farFuture})
	e.must(err)
	e.equal("orphans", len(found), 0)
}
