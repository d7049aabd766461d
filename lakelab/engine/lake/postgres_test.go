package lake_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/store"
	"mini-lakehouse-lab/lakelab/internal/services/servicestest"
	"mini-lakehouse-lab/lakelab/types"
)

// Every test of this package runs on a PostgreSQL catalog when LAKELAB_TEST_POSTGRES holds a database's URI: each in a schema of its own.

var schemas atomic.Int64

// onPostgres gives the lakehouse in dir a catalog in a new schema of a database.
func onPostgres(t *testing.T, dir, uri string) {
	t.Helper()
	schema := fmt.Sprintf("t%d_%d", os.Getpid(), schemas.Add(1))
	db, err := store.Open(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	mark := "?"
	if strings.Contains(uri, "?") {
		mark = "&"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, config.File), []byte("catalog = "+uri+mark+"search_path="+schema+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPostgres(t *testing.T) {
	p := servicestest.Postgres(t)
	t.Setenv("LAKELAB_TEST_POSTGRES", p.URI(true))
	e := setup(t)
	ctx := t.Context()
	e.must(e.l.CreateNamespace(ctx, "d", map[string]string{"a": "1", "b": "2"}))
	if err := e.l.CreateNamespace(ctx, "d", nil); !errors.Is(err, lake.ErrNamespaceExists) {
		t.Errorf("a namespace twice: %v", err)
	}
	e.must(e.l.SetNamespaceProperties(ctx, "d", map[string]string{"a": "9"}, []string{"b"}))
	props, err := e.l.NamespaceProperties(ctx, "d")
	e.must(err)
	delete(props, "location")
	e.equal("properties", props, map[string]string{"a": "9"})

	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 0", lake.CreateOptions{})
	e.ctas("d.u", types.StructOf(col("k", long)), "SELECT 1", lake.CreateOptions{})
	if err := e.l.Create(ctx, name("d.t"), types.StructOf(col("k", long)), lake.CreateOptions{}); !errors.Is(err, lake.ErrTableExists) {
		t.Errorf("a table twice: %v", err)
	}
	if err := e.l.Rename(ctx, name("d.u"), name("d.t")); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a rename onto a table: %v", err)
	}
	e.must(e.l.CreateView(ctx, name("d.v"), lake.NewView{Schema: types.StructOf(col("k", long)), Query: "SELECT k FROM t", Dialect: "spark", Catalog: "lakehouse", Space: "d"}))
	e.must(e.l.RenameView(ctx, name("d.v"), name("d.w")))
	v, err := e.l.LoadView(ctx, name("d.w"))
	e.must(err)
	e.must(e.l.AlterView(ctx, v, map[string]string{"x": "y"}, nil))
	if err := e.l.AlterView(ctx, v, map[string]string{"x": "z"}, nil); !errors.Is(err, lake.ErrCommitFailed) {
		t.Errorf("a view that has moved on: %v", err)
	}
	views, err := e.l.Views(ctx, "d")
	e.must(err)
	tables, err := e.l.Tables(ctx, "d")
	e.must(err)
	e.equal("tables and views", fmt.Sprint(tables, views), "[t u] [w]")
	if err := e.l.DropNamespace(ctx, "d", false); !errors.Is(err, lake.ErrNamespaceNotEmpty) {
		t.Errorf("a namespace with tables: %v", err)
	}
	e.must(e.l.DropView(ctx, name("d.w")))
	e.must(e.l.Drop(ctx, name("d.u"), true))

	// Two processes at once, as with SQLite.
	appendTogether(t, e.dir, 20, "SELECT 1", "SELECT 2")
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 41)
	e.must(e.l.Drop(ctx, name("d.t"), false))
	e.must(e.l.DropNamespace(ctx, "d", false))
	if err := e.l.DropNamespace(ctx, "d", false); !errors.Is(err, lake.ErrNoNamespace) {
		t.Errorf("a namespace dropped twice: %v", err)
	}
}

// TestPostgresRefused asks for catalogs that are not there: the errors say what is wrong, and no password.
func TestPostgresRefused(t *testing.T) {
	p := servicestest.Postgres(t)
	wrong := *p
	wrong.Password = "not-the-secret"
	for uri, want := range map[string]string{
		wrong.URI(true):                      "password authentication failed",
		p.URI(true) + "x":                    `database "icebergx" does not exist`,
		"postgresql://u:hidden@127.0.0.1:1/": "refused",
		"mysql://u:hidden@h/d":               "no database at",
		"postgresql://u:hid den@[h/d":        "cannot parse",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := store.Open(ctx, uri)
		cancel()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hid") || strings.Contains(err.Error(), "not-the-secret") {
			t.Errorf("%s: %v", uri, err)
		}
	}
}
