package lake_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// metadataFiles are the names in a table's metadata folder that are no manifests.
func metadataFiles(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(folder, "metadata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".avro") {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestHadoop keeps tables without a catalog: two processes append to one, the numbered files are whole and none is left over.
func TestHadoop(t *testing.T) {
	t.Setenv(config.Variable(config.Catalog), config.Hadoop)
	e := setup(t)
	ctx := t.Context()
	e.must(e.l.CreateNamespace(ctx, "d", nil))
	if err := e.l.CreateNamespace(ctx, "d", nil); !errors.Is(err, lake.ErrNamespaceExists) {
		t.Errorf("a namespace twice: %v", err)
	}
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 0", lake.CreateOptions{})
	folder := e.load("d.t").Location()
	e.equal("files", metadataFiles(t, folder), []string{"v1.metadata.json", "version-hint.text"})
	if err := e.l.Create(ctx, name("d.t"), types.StructOf(col("k", long)), lake.CreateOptions{}); !errors.Is(err, lake.ErrTableExists) {
		t.Errorf("a table twice: %v", err)
	}
	appendTogether(t, e.dir, 10, "SELECT 1", "SELECT 2")
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 21)
	e.equal("metadata files", len(metadataFiles(t, folder)), 22)
	hint, err := os.ReadFile(filepath.Join(folder, "metadata", "version-hint.text"))
	e.must(err)
	e.equal("hint", string(hint), "21")

	// A hint that lags behind, or is gone, does not hide what was committed.
	for _, hint := range []string{"3", "1000", "none", ""} {
		path := filepath.Join(folder, "metadata", "version-hint.text")
		if hint == "" {
			e.must(os.Remove(path))
		} else {
			e.must(os.WriteFile(path, []byte(hint), 0o644))
		}
		e.equal("rows with the hint "+hint, len(e.read(e.load("d.t"), nil)), 21)
	}
	tables, err := e.l.Tables(ctx, "d")
	e.must(err)
	spaces, err := e.l.Namespaces(ctx)
	e.must(err)
	e.equal("names", fmt.Sprint(tables, spaces), "[t] [d]")
	for space, want := range map[string]bool{"d": true, "d.t": false, "x": false, ".d": false, "": false, "d/t": false, "..": false} {
		ok, err := e.l.NamespaceExists(ctx, space)
		e.must(err)
		e.equal("the namespace "+space+" is there", ok, want)
	}
	if err := e.l.DropNamespace(ctx, "d", false); !errors.Is(err, lake.ErrNamespaceNotEmpty) {
		t.Errorf("a namespace with a table: %v", err)
	}
	refused(t, e.l.Rename(ctx, name("d.t"), name("d.u")), "renaming a table without a catalog")
	refused(t, e.l.SetNamespaceProperties(ctx, "d", map[string]string{"a": "b"}, nil), "properties of a namespace")
	refused(t, e.l.CreateView(ctx, name("d.v"), lake.NewView{Schema: types.StructOf(col("k", long)), Query: "SELECT 1 AS k"}), "views in a Hadoop catalog")
	refused(t, e.l.Create(ctx, name("d.u"), types.StructOf(col("k", long)), lake.CreateOptions{Location: "/elsewhere"}), "Cannot set a custom location")

	// A lakehouse with a catalog reads and writes it by its folder.
	t.Setenv(config.Variable(config.Catalog), "")
	other := setup(t)
	byPath := lake.PathIdent(folder)
	tab, err := other.l.Load(ctx, byPath)
	other.must(err)
	_, err = other.l.Append(ctx, tab, "SELECT 5", other.db)
	other.must(err)
	tab, err = other.l.Load(ctx, byPath)
	other.must(err)
	other.equal("rows by path", len(other.read(tab, nil)), 22)
	state, err := other.l.Load(ctx, lake.PathIdent(filepath.Join(folder, "metadata", "v2.metadata.json")))
	other.must(err)
	other.equal("rows of one state", len(other.read(state, nil)), 2)
	_, err = other.l.Append(ctx, state, "SELECT 5", other.db)
	refused(t, err, "writing to one state of a table")
	if _, err := other.l.Load(ctx, lake.PathIdent(other.dir)); !lake.IsNoTable(err) {
		t.Errorf("a folder that is no table: %v", err)
	}
	e.must(e.l.Drop(ctx, name("d.t"), false))
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the dropped table's folder: %v", err)
	}
	e.must(e.l.DropNamespace(ctx, "d", false))
}

func refused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// TestHadoopOnS3 reads a table without a catalog on S3, and refuses to write it.
func TestHadoopOnS3(t *testing.T) {
	s3 := onS3(t, "1G")
	e := setup(t)
	ctx := t.Context()
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 1", lake.CreateOptions{})
	// The server keeps objects as files: the metadata file gets the name that a table without a catalog has for it.
	folder := s3.Path("lab/d/t/metadata")
	found, err := filepath.Glob(filepath.Join(folder, "*.metadata.json"))
	e.must(err)
	e.must(os.Rename(found[0], filepath.Join(folder, "v7.metadata.json")))
	e.must(os.WriteFile(filepath.Join(folder, "version-hint.text"), []byte("7\n"), 0o644))
	tab, err := e.l.Load(ctx, lake.PathIdent("s3a://warehouse/lab/d/t/"))
	e.must(err)
	e.equal("rows", e.read(tab, nil), []string{"1"})
	_, err = e.l.Append(ctx, tab, "SELECT 2", e.db)
	refused(t, err, "an object store has no atomic rename")
	left, err := e.l.Orphans(ctx, tab, lake.Orphaned{Folder: "", Before: farFuture, Trial: true})
	e.must(err)
	e.equal("files left by the refused write", len(left), 0)
}
