package lake_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/internal/services"
	"mini-lakehouse-lab/lakelab/types"
)

// onREST gives the lakehouses of a test a catalog behind a real REST server.
func onREST(t *testing.T) *services.REST {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Java")
	}
	r, err := services.StartREST(t.Context(), filepath.Join(t.TempDir(), "warehouse"))
	if errors.Is(err, services.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Stop)
	t.Setenv(config.Variable(config.Catalog), r.URI)
	return r
}

// TestREST makes every kind of change to tables of a REST catalog, two processes at once among them.
func TestREST(t *testing.T) {
	onREST(t)
	e := setup(t)
	ctx := t.Context()
	e.must(e.l.CreateNamespace(ctx, "d", map[string]string{"a": "1"}))
	if err := e.l.CreateNamespace(ctx, "d", nil); !errors.Is(err, lake.ErrNamespaceExists) {
		t.Errorf("a namespace twice: %v", err)
	}
	e.must(e.l.SetNamespaceProperties(ctx, "d", map[string]string{"b": "2"}, []string{"a"}))
	if err := e.l.SetNamespaceProperties(ctx, "none", map[string]string{"b": "2"}, nil); !errors.Is(err, lake.ErrNoNamespace) {
		t.Errorf("properties of a namespace that is not there: %v", err)
	}
	if _, err := e.l.NamespaceProperties(ctx, "none"); !errors.Is(err, lake.ErrNoNamespace) {
		t.Errorf("properties of a namespace that is not there: %v", err)
	}
	props, err := e.l.NamespaceProperties(ctx, "d")
	e.must(err)
	e.equal("properties", props["a"]+props["b"], "2")

	e.ctas("d.m", types.StructOf(col("k", long), col("p", str), col("v", long)), "SELECT i, 'p' || i % 4, 100 FROM range(40) r(i)", byP)
	for i := range 12 { // copy-on-write, merge-on-read, overwrites, compaction, manifests, expiry
		e.must(changeOnce(ctx, e.l, e.db, i))
	}
	q, err := e.load("d.m").ScanSQL(ctx, nil, []string{"k", "v"}, nil)
	e.must(err)
	_, rows, err := e.db.Query(ctx, "SELECT count(*), CAST(sum(v) AS BIGINT) FROM ("+q+")")
	e.must(err)
	e.equal("rows and their sum", rows[0], []any{int64(40), int64(4000)})
	if err := e.l.Create(ctx, name("d.m"), types.StructOf(col("k", long)), lake.CreateOptions{}); !errors.Is(err, lake.ErrTableExists) {
		t.Errorf("a table twice: %v", err)
	}

	e.ctas("d.t", types.StructOf(col("k", integ), col("v", str)), "SELECT 0, 'a'", lake.CreateOptions{})
	tab := e.load("d.t")
	e.must(e.l.RenameColumn(ctx, tab, []string{"v"}, "name"))
	e.must(e.l.AlterType(ctx, tab, []string{"k"}, long))
	e.must(e.l.AddColumns(ctx, tab, []lake.NewColumn{{Field: col("x", str)}}))
	e.must(e.l.SetProperties(ctx, e.load("d.t"), map[string]string{"a": "b", "commit.manifest.min-count-to-merge": "5"}))
	appendTogether(t, e.dir, 10, "SELECT 1, 'b', 'c'", "SELECT 2, 'b', 'c'")
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 21)
	e.equal("snapshots", len(e.meta("d.t", "snapshots")), 21)
	e.equal("property", e.load("d.t").Properties()["a"], "b")
	n := e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 7", lake.CreateOptions{Replace: true})
	e.equal("rows of the replaced table", n, int64(1))
	e.equal("rows", e.read(e.load("d.t"), nil), []string{"7"})

	e.mustViews()
	e.must(e.l.Rename(ctx, name("d.t"), name("d.u")))
	refused(t, e.l.Rename(ctx, name("d.u"), name("d.m")), "already exists")
	tables, err := e.l.Tables(ctx, "d")
	e.must(err)
	e.equal("tables", tables, []string{"m", "u"})
	if err := e.l.DropNamespace(ctx, "d", false); !errors.Is(err, lake.ErrNamespaceNotEmpty) {
		t.Errorf("a namespace with tables: %v", err)
	}
	e.must(e.l.Drop(ctx, name("d.u"), true))
	e.must(e.l.Drop(ctx, name("d.m"), false))
	if _, err := e.l.Load(ctx, name("d.m")); !lake.IsNoTable(err) {
		t.Errorf("a dropped table: %v", err)
	}
	e.must(e.l.DropNamespace(ctx, "d", false))
}

// mustViews makes, replaces, changes, renames and drops a view.
func (e *env) mustViews() {
	e.Helper()
	ctx := e.Context()
	seen := func(id, query, property string) *lake.View {
		e.Helper()
		v, err := e.l.LoadView(ctx, name(id))
		e.must(err)
		e.equal("the view", []string{v.Query, v.Dialect, v.Space, v.Schema.SimpleString(), v.Properties["x"]}, []string{query, "spark", "d", "struct<k:bigint>", property})
		return v
	}
	n := lake.NewView{Schema: types.StructOf(col("k", long)), Query: "SELECT k FROM t", Dialect: "spark", Catalog: "lakehouse", Space: "d", Properties: map[string]string{"x": "1"}}
	e.must(e.l.CreateView(ctx, name("d.v"), n))
	seen("d.v", n.Query, "1")
	if err := e.l.CreateView(ctx, name("d.v"), n); !errors.Is(err, lake.ErrTableExists) {
		e.Errorf("a view twice: %v", err)
	}
	if err := e.l.CreateView(ctx, name("d.m"), n); !errors.Is(err, lake.ErrTableExists) {
		e.Errorf("a view of a table's name: %v", err)
	}
	n.Query, n.Replace, n.Properties = "SELECT k + 1 AS k FROM t", true, map[string]string{"x": "2"}
	e.must(e.l.CreateView(ctx, name("d.v"), n))
	v := seen("d.v", n.Query, "2")
	e.must(e.l.AlterView(ctx, v, map[string]string{"x": "3"}, nil))
	e.must(e.l.AlterView(ctx, seen("d.v", n.Query, "3"), nil, []string{"x"}))
	e.must(e.l.RenameView(ctx, name("d.v"), name("d.w")))
	seen("d.w", n.Query, "")
	if err := e.l.AlterView(ctx, v, map[string]string{"x": "4"}, nil); !errors.Is(err, lake.ErrNoView) {
		e.Errorf("a view that has another name now: %v", err)
	}
	list, err := e.l.Views(ctx, "d")
	e.must(err)
	e.equal("views", list, []string{"w"})
	e.must(e.l.DropView(ctx, name("d.w")))
	if _, err := e.l.LoadView(ctx, name("d.w")); !errors.Is(err, lake.ErrNoView) {
		e.Errorf("a dropped view: %v", err)
	}
}

// TestRESTCredentials looks at what the server is shown: a token as it is, or one that it gave for a credential.
func TestRESTCredentials(t *testing.T) {
	r := onREST(t)
	target, err := url.Parse(r.URI)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	shown := map[string]bool{}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		shown[q.Header.Get("Authorization")] = true
		mu.Unlock()
		httputil.NewSingleHostReverseProxy(target).ServeHTTP(w, q)
	}))
	defer proxy.Close()
	t.Setenv(config.Variable(config.Catalog), proxy.URL)
	for setting, want := range map[string]string{config.Token + "=open-sesame": "Bearer open-sesame", config.Credential + "=me:my-secret": "Bearer client-credentials-token:"} {
		k, v, _ := strings.Cut(setting, "=")
		t.Run(k, func(t *testing.T) {
			t.Setenv(config.Variable(k), v)
			l, err := lake.Open(t.Context(), t.TempDir(), lake.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if _, err := l.Namespaces(t.Context()); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for s := range shown {
				if strings.HasPrefix(s, want) {
					return
				}
			}
			t.Errorf("the server saw %v", shown)
		})
	}
	proxy.Close()
	if _, err := lake.Open(t.Context(), t.TempDir(), lake.Options{}); err == nil || !strings.Contains(err.Error(), "the REST catalog at "+proxy.URL) {
		t.Errorf("no server: %v", err)
	}
}
