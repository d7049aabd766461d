package lake_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestOrphansOfOthers looks for orphans in folders where other tables' and views' files are: of a renamed table whose folder has its old name's
// new table, one made in another's folder, one without a catalog, and one of another catalog in the same database. None of theirs goes.
func TestOrphansOfOthers(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	schema := types.StructOf(col("k", long))
	e.must(e.l.CreateNamespace(ctx, "d", nil))
	e.ctas("d.t", schema, "SELECT 1", lake.CreateOptions{})
	folder := e.load("d.t").Location()
	e.must(e.l.Rename(ctx, name("d.t"), name("d.old")))
	e.ctas("d.t", schema, "SELECT 2", lake.CreateOptions{})
	if e.load("d.t").Location() == folder {
		t.Error("a new table has its folder where another one lives")
	}
	e.ctas("d.same", schema, "SELECT 3", lake.CreateOptions{Location: folder})
	e.ctas("d.in", schema, "SELECT 4", lake.CreateOptions{Location: filepath.Join(folder, "data", "in")})
	e.must(e.l.CreateView(ctx, name("d.v"), lake.NewView{Schema: schema, Query: "SELECT 1 AS k", Dialect: "spark"}))

	_, err := e.l.CreateAs(ctx, lake.PathIdent(filepath.Join(e.dir, "warehouse", "d", "p")), schema, lake.CreateOptions{}, "SELECT 5", e.db)
	e.must(err)
	e.ctas("d.foreign", schema, "SELECT 6", lake.CreateOptions{})
	_, err = e.l.Database().Exec(ctx, "UPDATE iceberg_tables SET catalog_name = 'another' WHERE table_name = 'foreign'")
	e.must(err)

	stray := filepath.Join(folder, "data", "stray.parquet")
	e.must(os.WriteFile(stray, []byte("x"), 0o644))
	before := files(t, e.dir)
	for _, where := range []struct{ table, folder string }{{"d.t", ""}, {"d.old", ""}, {"d.same", ""}, {"d.in", ""}, {"d.t", filepath.Join(e.dir, "warehouse", "d")}, {"d.old", filepath.Join(e.dir, "warehouse")}} {
		found, err := e.l.Orphans(ctx, e.load(where.table), lake.Orphaned{Folder: where.folder, Before: farFuture, Trial: true})
		e.must(err)
		for _, f := range found {
			if f != stray {
				t.Errorf("%s in %q: %s is an orphan", where.table, where.folder, f)
			}
		}
		if where.table == "d.old" && len(found) != 1 {
			t.Errorf("%s in %q: %v", where.table, where.folder, found)
		}
	}
	found, err := e.l.Orphans(ctx, e.load("d.same"), lake.Orphaned{Before: farFuture})
	e.must(err)
	e.equal("orphans", found, []string{stray})
	e.equal("files left", len(files(t, e.dir)), len(before)-1)
	for table, want := range map[string]string{"d.t": "2", "d.old": "1", "d.same": "3", "d.in": "4"} {
		e.equal("rows of "+table, e.read(e.load(table), nil), []string{want})
	}

	// A table whose files can't be known: nothing goes where it may have some.
	e.must(os.WriteFile(stray, []byte("x"), 0o644))
	for _, f := range glob(t, filepath.Join(folder, "data", "in", "metadata", "*.metadata.json")) {
		e.must(os.WriteFile(f, []byte("{"), 0o644))
	}
	again, err := lake.Open(ctx, e.dir, lake.Options{})
	e.must(err)
	defer again.Close()
	old, err := again.Load(ctx, name("d.old"))
	e.must(err)
	_, err = again.Orphans(ctx, old, lake.Orphaned{Before: farFuture})
	refused(t, err, "it is not known which files in")
}

// TestOrphansOfHadoop looks for orphans in a Hadoop catalog, where namespaces lie in others.
func TestOrphansOfHadoop(t *testing.T) {
	t.Setenv(config.Variable(config.Catalog), config.Hadoop)
	e := setup(t)
	ctx := t.Context()
	for _, space := range []string{"a", "a.b"} {
		e.must(e.l.CreateNamespace(ctx, space, nil))
	}
	schema := types.StructOf(col("k", long))
	e.ctas("a.t", schema, "SELECT 1", lake.CreateOptions{})
	inner := lake.Ident{Namespace: "a.b", Name: "t"}
	_, err := e.l.CreateAs(ctx, inner, schema, lake.CreateOptions{}, "SELECT 2", e.db)
	e.must(err)
	found, err := e.l.Orphans(ctx, e.load("a.t"), lake.Orphaned{Folder: filepath.Join(e.dir, "warehouse"), Before: farFuture, Trial: true})
	e.must(err)
	e.equal("orphans", len(found), 0)

	// The same names come back with another table's files when others drop the table and make it anew.
	dropped := e.load("a.t")
	other, err := lake.Open(ctx, e.dir, lake.Options{})
	e.must(err)
	defer other.Close()
	e.must(other.Drop(ctx, name("a.t"), false))
	_, err = other.CreateAs(ctx, name("a.t"), types.StructOf(col("v", str)), lake.CreateOptions{}, "SELECT 'new'", e.db)
	e.must(err)
	e.equal("rows", e.read(e.load("a.t"), nil), []string{"new"})
	_, err = e.l.Append(ctx, dropped, "SELECT 3", e.db)
	refused(t, err, "was changed while its rows were written")
	_, err = e.l.Orphans(ctx, dropped, lake.Orphaned{Before: farFuture})
	refused(t, err, "is another table now")
	_, err = e.l.Expire(ctx, dropped, lake.Expiring{})
	refused(t, err, "is another table now")
	e.equal("rows", e.read(e.load("a.t"), nil), []string{"new"})

	// A drop that is killed leaves no half of a table.
	lake.OnReached(func(point string) {
		if point == "folder hidden" {
			panic(point)
		}
	})
	func() {
		defer func() {
			lake.OnReached(func(string) {})
			e.equal("stopped at", recover(), "folder hidden")
		}()
		_ = e.l.Drop(ctx, name("a.t"), false)
	}()
	if _, err := e.l.Load(ctx, name("a.t")); !lake.IsNoTable(err) {
		t.Errorf("a table whose folder is gone: %v", err)
	}
	tables, err := e.l.Tables(ctx, "a")
	e.must(err)
	e.equal("tables", len(tables), 0)
}

// TestHadoopCompressed writes metadata as Java compresses it, and is not first where a writer with another compression was.
func TestHadoopCompressed(t *testing.T) {
	t.Setenv(config.Variable(config.Catalog), config.Hadoop)
	e := setup(t)
	ctx := t.Context()
	e.must(e.l.CreateNamespace(ctx, "d", nil))
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 1", lake.CreateOptions{})
	e.must(e.l.SetProperties(ctx, e.load("d.t"), map[string]string{"write.metadata.compression-codec": "gzip"}))
	e.append("d.t", "SELECT 2")
	folder := e.load("d.t").Location()
	e.equal("files", metadataFiles(t, folder), []string{"v1.metadata.json", "v2.gz.metadata.json", "v3.gz.metadata.json", "version-hint.text"})
	b, err := os.ReadFile(filepath.Join(folder, "metadata", "v3.gz.metadata.json"))
	e.must(err)
	if !strings.HasPrefix(string(b), "\x1f\x8b") {
		t.Error("v3.gz.metadata.json is not compressed")
	}
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 2)
	// Another writer has made number 4 without compression, between this one's look and its commit.
	once := false
	lake.OnReached(func(point string) {
		if point == "before the swap" && !once {
			once = true
			h, err := lake.Open(ctx, e.dir, lake.Options{})
			e.must(err)
			defer h.Close()
			tab, err := h.Load(ctx, name("d.t"))
			e.must(err)
			e.must(h.SetProperties(ctx, tab, map[string]string{"write.metadata.compression-codec": "none"}))
		}
	})
	defer lake.OnReached(func(string) {})
	e.append("d.t", "SELECT 3")
	e.equal("files", metadataFiles(t, folder), []string{"v1.metadata.json", "v2.gz.metadata.json", "v3.gz.metadata.json", "v4.metadata.json", "v5.metadata.json", "version-hint.text"})
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 3)
	e.equal("property", e.load("d.t").Properties()["write.metadata.compression-codec"], "none")
}

// TestLostAnswer tells a writer that others were faster after its commit has happened: it must see that, and keep the files.
func TestLostAnswer(t *testing.T) {
	for _, mode := range []string{"append", "create", "empty", "delete", "pick"} {
		t.Run(mode, func(t *testing.T) {
			e := setup(t)
			ctx := context.WithoutCancel(t.Context())
			schema := types.StructOf(col("k", long))
			if mode != "create" && mode != "empty" {
				e.ctas("d.t", schema, "SELECT 1", lake.CreateOptions{})
			}
			lost := 0
			lake.OnSwapped(func() bool { lost++; return lost > 1 })
			defer lake.OnSwapped(func() bool { return true })
			var rows int
			switch mode {
			case "append":
				rows = 2
				_, err := e.l.Append(ctx, e.load("d.t"), "SELECT 2", e.db)
				e.must(err)
			case "create":
				rows = 1
				_, err := e.l.CreateAs(ctx, name("d.t"), schema, lake.CreateOptions{}, "SELECT 1", e.db)
				e.must(err)
			case "empty":
				e.must(e.l.Create(ctx, name("d.t"), schema, lake.CreateOptions{}))
			case "delete":
				_, _, err := e.l.DeleteFiles(ctx, e.load("d.t"), nil, false)
				e.must(err)
			case "pick":
				lost = 2
				e.must(e.l.SetProperties(ctx, e.load("d.t"), map[string]string{"write.wap.enabled": "true"}))
				_, err := e.l.Append(ctx, e.load("d.t").Staged("w"), "SELECT 2", e.db)
				e.must(err)
				e.append("d.t", "SELECT 3")
				lost, rows = 0, 3
				_, _, err = e.l.Publish(ctx, e.load("d.t"), "w")
				e.must(err)
			}
			if lost == 0 {
				t.Error("no answer was lost")
			}
			again, err := lake.Open(ctx, e.dir, lake.Options{})
			e.must(err)
			defer again.Close()
			tab, err := again.Load(ctx, name("d.t"))
			e.must(err)
			e.equal("rows", len(e.read(tab, nil)), rows)
			found, err := again.Orphans(ctx, tab, lake.Orphaned{Before: farFuture, Trial: true})
			e.must(err)
			e.equal("orphans", len(found), 0)
		})
	}
}
