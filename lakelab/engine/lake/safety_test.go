package lake_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// A name is a folder's name: it must not lead elsewhere.
func TestNamesStayInside(t *testing.T) {
	e := setup(t)
	schema := types.StructOf(col("k", integ))
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	e.ctas("d.t", schema, "SELECT 1", lake.CreateOptions{})
	before := files(t, e.dir)
	for _, bad := range []string{"../../../esc", "a/b", "..", ".", "a\x00b", "/etc"} {
		refused := func(what string, err error) {
			if err == nil || !strings.Contains(err.Error(), "for a table or a namespace") {
				t.Errorf("%s %q: %v", what, bad, err)
			}
		}
		refused("create", e.l.Create(t.Context(), lake.Ident{Namespace: "d", Name: bad}, schema, lake.CreateOptions{}))
		refused("rename", e.l.Rename(t.Context(), name("d.t"), lake.Ident{Namespace: "d", Name: bad}))
		refused("namespace", e.l.CreateNamespace(t.Context(), bad, nil))
	}
	e.equal("files", files(t, e.dir), before)
}

// A path in the place of a table's name finds no table, and nothing is deleted there, whatever the catalog.
func TestPathsAreNoNames(t *testing.T) {
	for _, catalog := range []string{"", config.Hadoop} {
		outside := setup(t)
		t.Setenv(config.Variable(config.Catalog), config.Hadoop)
		h := setup(t)
		h.must(h.l.CreateNamespace(t.Context(), "d", nil))
		h.ctas("d.t", types.StructOf(col("k", integ)), "SELECT 1", lake.CreateOptions{})
		folder := h.load("d.t").Location()
		t.Setenv(config.Variable(config.Catalog), catalog)
		e := setup(t)
		e.must(e.l.CreateNamespace(t.Context(), "d", nil))
		before := files(t, h.dir)
		up, err := filepath.Rel(filepath.Join(e.dir, "warehouse", "d"), folder)
		e.must(err)
		for _, path := range []string{folder, folder + "/", up, filepath.Join(folder, "metadata", "v1.metadata.json"), outside.dir} {
			for _, id := range []lake.Ident{{Namespace: "d", Name: path}, {Name: path}, {Namespace: filepath.Dir(path), Name: filepath.Base(path)}} {
				for what, err := range map[string]error{"drop": e.l.Drop(t.Context(), id, false), "purge": e.l.Drop(t.Context(), id, true)} {
					if !lake.IsNoTable(err) {
						t.Errorf("%s %q: %v", what, id, err)
					}
				}
				if _, err := e.l.Load(t.Context(), id); !lake.IsNoTable(err) {
					t.Errorf("load %q: %v", id, err)
				}
			}
			if err := e.l.DropNamespace(t.Context(), path, false); !errors.Is(err, lake.ErrNoNamespace) {
				t.Errorf("drop the namespace %q: %v", path, err)
			}
		}
		// Even one that names a path deletes no more than a table's folder.
		refused(t, e.l.Drop(t.Context(), lake.PathIdent(filepath.Join(folder, "metadata", "v1.metadata.json")), false), "dropping one state of a table")
		fake := filepath.Join(t.TempDir(), "metadata")
		e.must(os.MkdirAll(fake, 0o755))
		e.must(os.WriteFile(filepath.Join(fake, "v1.metadata.json"), []byte("{}"), 0o644))
		if err := e.l.Drop(t.Context(), lake.PathIdent(filepath.Dir(fake)), false); err == nil {
			t.Error("a folder that is no table's was dropped")
		}
		e.equal("files", files(t, h.dir), before)
		_, err = os.Stat(filepath.Join(fake, "v1.metadata.json"))
		e.must(err)
	}
}

// The last column may be dropped, as in Spark; the rows stay and can be counted.
func TestNoColumns(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", integ)), "SELECT 1 UNION ALL SELECT 2", lake.CreateOptions{})
	e.must(e.l.DropColumns(t.Context(), e.load("d.t"), [][]string{{"k"}}, false))
	e.equal("rows", e.read(e.load("d.t"), nil), []string{"1", "1"})
}
