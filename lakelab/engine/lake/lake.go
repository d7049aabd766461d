// Package lake holds the Iceberg tables of one lakehouse folder: the catalog, commits, history and scans.
//
// A folder has catalog.db (SQLite, the schema of Iceberg's Java JDBC catalog, V1; or a PostgreSQL elsewhere, see package config) and
// warehouse/<namespace>/<table>/ with data and metadata, all under plain paths, so that Spark, PyIceberg and this engine open the same tables. What comes in are types,
// identifiers and DuckDB queries that yield rows to write; what goes out are snapshots, metadata tables and DuckDB queries that
// read a table as it was at a snapshot. DuckDB writes and reads Parquet, iceberg-go holds the metadata model and the Avro files.
//
// Every change goes the same way: files first, flushed to disk, then one compare-and-swap of the table's row in the catalog
// (commit.go). A change that fails or is cancelled removes what it wrote; one that is killed leaves files nobody refers to.
// Only package engine calls this package.
package lake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/store"
	"mini-lakehouse-lab/lakelab/types"
)

// CatalogName is the catalog's name in catalog.db; engines that share the folder must use the same one.
const CatalogName = "lakehouse"

// DB runs DuckDB SQL.
type DB interface {
	Exec(ctx context.Context, sql string) error
	// Query returns the rows as the DuckDB driver gives them.
	Query(ctx context.Context, sql string) (columns []string, rows [][]any, err error)
}

// Ident names a table in the catalog; one that PathIdent makes names a table without a catalog. No text of a user turns the one into the other.
type Ident struct {
	Namespace, Name string

	path string // the folder or metadata file of a table without a catalog
}

func (id Ident) String() string {
	if id.path != "" {
		return id.path
	}
	return id.Namespace + "." + id.Name
}

// Path is the folder or metadata file of a table without a catalog; empty for any other.
func (id Ident) Path() string { return id.path }

// check refuses a name that no table in a catalog has. Catalogs make folders and addresses of names, so that one with a slash leads elsewhere.
func (id Ident) check() error {
	if id.path != "" {
		return nil
	}
	return checkName(append(strings.Split(id.Namespace, "."), id.Name)...)
}

// Errors of the catalog. The engine gives them the dialect's words, with the place in the statement.
var (
	ErrNoTable           = errors.New("table does not exist")
	ErrTableExists       = errors.New("table already exists")
	ErrNoNamespace       = errors.New("namespace does not exist")
	ErrNamespaceExists   = errors.New("namespace already exists")
	ErrNamespaceNotEmpty = errors.New("namespace is not empty")
	// ErrCommitFailed is a commit that lost against others until it gave up.
	ErrCommitFailed = table.ErrCommitFailed
)

// IsNoTable reports whether err says that a table does not exist.
func IsNoTable(err error) bool { return errors.Is(err, ErrNoTable) }

// Options of Open.
type Options struct {
	// AppID goes into snapshot summaries as app-id and spark.app.id. Empty: lakelab-<process id>.
	AppID string
}

// Lakehouse is an open lakehouse folder. It is safe for concurrent use, and other processes may use the folder meanwhile.
type Lakehouse struct {
	dir       string
	warehouse string        // the location below which new tables have theirs
	hadoop    bool          // tables have no catalog but their folders
	rest      *rest.Catalog // nil: the catalog is not behind a REST server
	appID     string
	db        *store.DB
	others    func(context.Context) ([]string, error) // see Others

	commits chan struct{} // holds one: one commit at a time in a process, so that contention is left to other processes
	cache   *cache
}

// Open opens the lakehouse in dir, making the folder and its catalog if they do not exist.
func Open(ctx context.Context, dir string, opts Options) (*Lakehouse, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	settings, err := config.Load(dir)
	if err != nil {
		return nil, err
	}
	server, err := openREST(ctx, dir, settings)
	if err != nil {
		return nil, err
	}
	warehouse, err := openWarehouse(ctx, dir, settings)
	if err != nil {
		return nil, err
	}
	if err := emptied(settings.Database(), warehouse); err != nil {
		return nil, err
	}
	db, err := openCatalog(ctx, settings.Database())
	if err != nil {
		return nil, fmt.Errorf("open the catalog of %s: %w", dir, err)
	}
	if opts.AppID == "" {
		opts.AppID = fmt.Sprintf("lakelab-%d", os.Getpid())
	}
	return &Lakehouse{dir: dir, warehouse: warehouse, hadoop: settings.Get(config.Catalog) == config.Hadoop, rest: server, appID: opts.AppID, db: db, commits: make(chan struct{}, 1), cache: newCache()}, nil
}

// emptied refuses a catalog's file of no bytes beside a warehouse with tables: it is what is left of a catalog, not a new one.
func emptied(uri, warehouse string) error {
	path, ok := strings.CutPrefix(uri, "sqlite:")
	if !ok {
		return nil
	}
	st, err := os.Stat(path)
	if err != nil || st.Size() > 0 {
		return nil
	}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return nil
	}
	if tables, err := os.ReadDir(warehouse); err != nil || len(tables) == 0 {
		return nil
	}
	return fmt.Errorf("the catalog %s is empty (0 bytes), though %s holds tables: put a copy of the file back, or delete it to begin with an empty catalog "+
		"(CALL lakehouse.system.register_table takes a table in by its newest metadata file)", path, warehouse)
}

// Database is the database that the catalog stands in; tables of its own prefix may stand beside it. It closes with the lakehouse.
func (l *Lakehouse) Database() *store.DB { return l.db }

// Close closes the catalog.
func (l *Lakehouse) Close() error { return l.db.Close() }

// Table is a table as it was when it was loaded: later commits do not show in it.
type Table struct {
	id     Ident
	lake   *Lakehouse
	meta   *metadata
	schema types.Type
	branch string    // what is read and written; empty: main
	fresh  bool      // the branch may not be there yet
	wap    string    // the id under which writes are staged
	at     *Snapshot // what metadata tables show; nil: the current one

	options WriteOptions // of what is written
}

// Load reads a table's current metadata. It fails with ErrNoTable if there is no such table.
func (l *Lakehouse) Load(ctx context.Context, id Ident) (*Table, error) {
	m, err := l.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Table{id: id, lake: l, meta: m, schema: m.types(m.CurrentSchema())}, nil
}

// load reads the metadata that the catalog's row names now.
func (l *Lakehouse) load(ctx context.Context, id Ident) (*metadata, error) {
	location, err := l.location(ctx, id)
	if err != nil {
		return nil, err
	}
	return l.cache.metadata(ctx, location)
}

// Ident is the table's name.
func (t *Table) Ident() Ident { return t.id }

// Schema is the table's current schema.
func (t *Table) Schema() types.Type { return t.schema }

// Location is the table's folder.
func (t *Table) Location() string { return t.meta.Location() }

// FormatVersion is "1", "2" or "3".
func (t *Table) FormatVersion() string { return fmt.Sprint(t.meta.Version()) }

// CurrentSnapshotID is the current snapshot's id, "none" for a table that has no snapshot.
func (t *Table) CurrentSnapshotID() string {
	if s := t.meta.CurrentSnapshot(); s != nil {
		return fmt.Sprint(s.SnapshotID)
	}
	return "none"
}

// Properties are the table's properties, as SHOW TBLPROPERTIES shows them. Java's catalog keeps `owner` apart.
func (t *Table) Properties() map[string]string {
	props := map[string]string{}
	for k, v := range t.meta.Properties() {
		if k != "owner" {
			props[k] = v
		}
	}
	return props
}

// Owner is who made the table; empty if that was not written down.
func (t *Table) Owner() string { return t.meta.Properties()["owner"] }

// Records is how many rows the current snapshot's summary counts; 0 if it does not say.
func (t *Table) Records() int64 {
	s := t.meta.CurrentSnapshot()
	if s == nil || s.Summary == nil {
		return 0
	}
	return whole(s.Summary.Properties["total-records"])
}
