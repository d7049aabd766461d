// Package hive holds the plain-file tables of one lakehouse: Spark's catalog spark_catalog, over the entries of package metastore.
//
// A table's files lie at its location, in a folder col=value/… for each partition, or wherever a partition's own location says; managed
// tables lie under <lakehouse>/spark-warehouse/<database>.db/<table>. What comes in are names, types and functions that write files;
// what goes out are lists of files to read, and changes of files and entries that are whole or not there (write.go). No statement
// deletes what the lakehouse does not own (own.go). Only package engine calls this package.
package hive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	lakesql "mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/store"
	"mini-lakehouse-lab/lakelab/types"
)

// providerKey and versionKey are where Spark keeps a table's format and the version that made it.
const (
	providerKey = "spark.sql.sources.provider"
	versionKey  = "spark.sql.create.version"
)

// Warehouse is the plain-file tables of a lakehouse. It is safe for concurrent use.
type Warehouse struct {
	Store *metastore.Store
	dir   string // the lakehouse

	files    sync.RWMutex // held for writing while a change's files are moved
	mu       sync.Mutex
	listings map[int64]listing       // by table; see listing.go
	asked    int64                   // how often Refresh was called
	parts    map[int64]partitionList // by table; see prune.go
}

// Open opens the metastore in the lakehouse's catalog database and ends what a killed process left half done.
func Open(ctx context.Context, dir string, db *store.DB) (*Warehouse, error) {
	w := &Warehouse{dir: dir, listings: map[int64]listing{}, parts: map[int64]partitionList{}}
	var err error
	if w.Store, err = metastore.Open(ctx, db, URI(w.Dir()), Owner()); err != nil {
		return nil, err
	}
	return w, w.settleAll(ctx)
}

// Dir is the folder of managed databases (spark.sql.warehouse.dir).
func (w *Warehouse) Dir() string { return filepath.Join(w.dir, "spark-warehouse") }

// Owner is the user whose tables new ones are.
func Owner() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// URI is a path as the metastore keeps it: file:/… .
func URI(path string) string { return "file:" + path }

// Path is the local path of a location; it may be written without a scheme, or with several slashes.
func Path(uri string) string {
	p := strings.TrimPrefix(uri, "file:")
	if strings.HasPrefix(p, "//") {
		p = "/" + strings.TrimLeft(p, "/")
	}
	return filepath.Clean(p)
}

// Table is a table with its types.
type Table struct {
	*metastore.Table
	Provider string // as it was written; "hive" for STORED AS
	Format   string // of its files: parquet, csv or json
	Data     []types.Field
	Keys     []types.Field
	defaults map[string]Default
	Roots    []string // the folders, without links in their paths, that whoever uses the table may use; set by the caller
}

// IsNoTable reports whether err says that a table does not exist.
func IsNoTable(err error) bool { return errors.Is(err, metastore.ErrNoTable) }

// Load finds a table. metastore.ErrNoTable.
func (w *Warehouse) Load(ctx context.Context, database, name string) (*Table, error) {
	m, err := w.Store.Table(ctx, database, name)
	if err != nil {
		return nil, err
	}
	return typed(m)
}

// typed reads an entry's types.
func typed(m *metastore.Table) (*Table, error) {
	t := &Table{Table: m, Provider: m.Params[providerKey]}
	var err error
	if t.defaults, err = readDefaults(m); err != nil {
		return nil, err
	}
	if t.Provider == "" {
		t.Provider = "hive"
	}
	t.Format = strings.ToLower(t.Provider)
	if t.Provider == "hive" {
		t.Format = "parquet"
	}
	for _, c := range []struct {
		from []metastore.Column
		to   *[]types.Field
	}{{m.Columns, &t.Data}, {m.PartitionKeys, &t.Keys}} {
		for _, col := range c.from {
			n, err := lakesql.ParseType(col.Type)
			if err != nil {
				return nil, fmt.Errorf("the type of %s.%s.%s: %w", m.Database, m.Name, col.Name, err)
			}
			ty, err := functions.TypeOf(lakesql.Spark, n)
			if err != nil {
				return nil, err
			}
			*c.to = append(*c.to, types.Field{Name: col.Name, Type: ty, Nullable: true, Comment: col.Comment, Lengths: functions.Lengths(n, ty)})
		}
	}
	return t, nil
}

// Schema is the table's columns, partition keys last.
func (t *Table) Schema() types.Type {
	return types.StructOf(append(t.Data[:len(t.Data):len(t.Data)], t.Keys...)...)
}

// Managed reports whether the table's files are the lakehouse's.
func (t *Table) Managed() bool { return t.Type == metastore.Managed }

// Location is the table's folder.
func (t *Table) Location() string { return Path(t.Storage.Location) }

// UserParams are a table's properties without those that say what kind of table it is.
func (t *Table) UserParams() map[string]string {
	out := map[string]string{}
	for k, v := range t.Params {
		if !strings.HasPrefix(k, "spark.sql.") && k != "EXTERNAL" && k != "comment" && k != filesKey && k != sizeKey {
			out[k] = v
		}
	}
	if t.Provider != "hive" {
		delete(out, ddlTimeKey)
	}
	return out
}

// Options are the options of the table's format.
func (t *Table) Options() map[string]string {
	out := map[string]string{}
	for k, v := range t.Storage.SerdeParams {
		if t.Provider == "hive" || k != "path" && k != "serialization.format" {
			out[k] = v
		}
	}
	return out
}

// Convertible reports whether the classes of a table that was made with STORED AS are those of a format that Spark has, too.
func (t *Table) Convertible() bool {
	f := formats[t.Format]
	return t.Storage.InputFormat == f.InputFormat && t.Storage.OutputFormat == f.OutputFormat && t.Storage.Serde == f.Serde
}

// Parameters in which Spark keeps the statistics of ANALYZE TABLE.
const (
	statisticsSize = "spark.sql.statistics.totalSize"
	statisticsRows = "spark.sql.statistics.numRows"
)

// Statistics are the statistics of ANALYZE TABLE as DESCRIBE shows them; empty if there are none.
func (t *Table) Statistics() string {
	if st := PartitionStatistics(t.Params); st != "" && t.Params[statisticsSize] != "" {
		return st
	}
	if size := t.Params[sizeKey]; size != "" && size != "0" {
		return size + " bytes, 0 rows" // Hive's own: it measures a table without partitions at every change of its entry
	}
	return ""
}

// PartitionStatistics are the statistics in a partition's parameters, as DESCRIBE shows them; empty if there are none.
func PartitionStatistics(params map[string]string) string {
	size, ok := params[statisticsSize]
	if !ok {
		if size, ok = params[sizeKey]; !ok {
			return ""
		}
	}
	size += " bytes"
	if rows, ok := params[statisticsRows]; ok {
		size += ", " + rows + " rows"
	}
	return size
}

// Analyzed reports whether parameters hold the statistics of ANALYZE TABLE.
func Analyzed(params map[string]string) bool { return params[statisticsSize] != "" }

// columns writes types as the metastore keeps them.
func columns(fields []types.Field) []metastore.Column {
	out := make([]metastore.Column, len(fields))
	for i, f := range fields {
		out[i] = metastore.Column{Name: f.Name, Type: f.Declared(), Comment: f.Comment}
	}
	return out
}

// exists reports whether there is anything at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
