// Package duck runs logical plans: it prints them as DuckDB's SQL (print_*.go) and reads the rows back as Go values (run.go).
//
// The session hands it plans, package lake hands it COPY statements through DB. DuckDB is an executor only: its tables stay
// empty, names and types come from the plan, and its errors are turned into Spark's by errclass.
package duck

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/types"
)

// Options of Open.
type Options struct {
	// TempDir is where DuckDB spills; a folder of this process is made inside and removed by Close.
	TempDir string
}

// DB is one DuckDB in memory with a pool of connections.
type DB struct {
	pool  *sql.DB
	spill string
	zone  string
	zones *zones
	// generated holds TPC-H's tables.
	generated *generated
	turns     *turns
}

// Open starts a DuckDB.
func Open(ctx context.Context, opts Options) (*DB, error) {
	threads := max(2, runtime.GOMAXPROCS(0)) // a laptop has to stay usable
	db := &DB{zone: "UTC", zones: &zones{}, generated: newGenerated(), turns: &turns{free: threads}}
	// Settings of the whole instance: made once, because DuckDB refuses some of them when they are in use.
	set := []string{
		"SET threads = " + strconv.Itoa(threads),
		"SET preserve_insertion_order = true",
		"SET allocator_background_threads = true", // give freed memory back to the system, also when no query runs
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		// A file is known there by its size and whole seconds: one rewritten at once would be read by the old file's layout.
		"SET enable_external_file_cache = false",
	}
	if opts.TempDir != "" {
		removeStale(opts.TempDir)
		db.spill = filepath.Join(opts.TempDir, strconv.Itoa(os.Getpid()))
		set = append(set, "SET temp_directory = "+String(db.spill))
	}
	c, err := duckdb.NewConnector("", nil)
	if err != nil {
		return nil, err
	}
	db.pool = sql.OpenDB(c)
	for _, setting := range set {
		if err := db.Exec(ctx, setting); err != nil {
			db.pool.Close()
			return nil, fmt.Errorf("%s: %w", setting, err)
		}
	}
	if err := errors.Join(db.register(ctx), db.Exec(ctx, functions.FailMacro)); err != nil {
		db.pool.Close()
		return nil, err
	}
	return db, nil
}

// removeStale removes what killed processes spilled; a folder's name is its process's id.
func removeStale(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// Close ends the DuckDB.
func (db *DB) Close() error {
	err := db.pool.Close()
	if db.spill != "" {
		os.RemoveAll(db.spill)
	}
	return err
}

// TimeZone is a session time zone under DuckDB's name: a region, or an offset of whole hours, whose region has the sign turned. It is
// empty if DuckDB has none: it takes UTC+05:45 and forgets the minutes.
func TimeZone(zone string) string {
	if _, ok := types.Region(zone); ok {
		return zone
	}
	loc, ok := types.Zone(zone)
	if !ok {
		return ""
	}
	_, sec := time.Unix(0, 0).In(loc).Zone()
	switch hours := sec / 3600; {
	case sec%3600 != 0 || hours > 14 || hours < -12:
		return ""
	case hours == 0:
		return "UTC"
	default:
		return fmt.Sprintf("Etc/GMT%+d", -hours)
	}
}

// In returns the same DuckDB in a session's time zone.
func (db *DB) In(zone string) *DB {
	c := *db
	c.zone = zone
	return &c
}

// conn takes a connection with the time zone set. Release it with Close.
func (db *DB) conn(ctx context.Context) (*conn, error) {
	c, err := db.pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if err := db.zones.set(ctx, c, db.zone); err != nil {
		c.Close()
		return nil, err
	}
	return &conn{c, followed(ctx, c), db.turns}, nil
}

// zones are the time zones that connections have been given: setting it is a statement of its own.
type zones struct {
	mu sync.Mutex
	of map[any]string // by the driver's connection
}

// zonesLimit bounds the map, in which connections that the pool has closed are left behind; a full one is emptied.
const zonesLimit = 100

// set gives a connection a time zone, if it has another one.
func (z *zones) set(ctx context.Context, c *sql.Conn, zone string) error {
	var key any
	err := c.Raw(func(d any) error {
		key = d
		return nil
	})
	if err != nil {
		return err
	}
	z.mu.Lock()
	now, ok := z.of[key]
	z.mu.Unlock()
	if ok && now == zone {
		return nil
	}
	name, minutes := TimeZone(zone), 0
	if name == "" {
		name = "UTC"
		minutes, _ = types.ZoneOffset(zone)
	}
	if zone == "" {
		zone = name
	}
	if _, err := c.ExecContext(ctx, fmt.Sprintf("SET TimeZone = %s; SET VARIABLE %s = %s; SET VARIABLE %s = %d",
		String(name), functions.ZoneVariable, String(zone), functions.MinutesVariable, minutes)); err != nil {
		return err
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.of == nil || len(z.of) >= zonesLimit {
		z.of = map[any]string{}
	}
	z.of[key] = zone
	return nil
}

// Exec runs a statement without rows.
func (db *DB) Exec(ctx context.Context, query string) error {
	c, err := db.conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.ExecContext(ctx, query)
	c.end(ctx)
	return c.blame(ctx, query, failure(ctx, err))
}

// Query runs a statement and returns its rows as the driver gives them.
func (db *DB) Query(ctx context.Context, query string) (columns []string, out [][]any, err error) {
	c, err := db.conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	rows, err := c.QueryContext(ctx, query)
	if err != nil {
		c.end(ctx)
		return nil, nil, c.blame(ctx, query, failure(ctx, err))
	}
	defer rows.Close()
	if columns, err = rows.Columns(); err != nil {
		return nil, nil, err
	}
	for rows.Next() {
		r := make([]any, len(columns))
		p := make([]any, len(columns))
		for i := range r {
			p[i] = &r[i]
		}
		if err := rows.Scan(p...); err != nil {
			return nil, nil, err
		}
		out = append(out, r)
	}
	err = failure(ctx, rows.Err())
	rows.Close() // the connection runs one query at a time
	return columns, out, c.blame(ctx, query, err)
}

// end waits until nothing of a cancelled statement runs any more, such as a COPY that is about to make its file. The driver leaves a
// statement that is cancelled when DuckDB has just begun it; the next one on the connection ends it.
func (c *conn) end(ctx context.Context) {
	if ctx.Err() != nil {
		_, _ = c.ExecContext(context.WithoutCancel(ctx), "SELECT 1")
	}
}

// failure gives a query's error its Spark class; a cancelled query fails with the context's error.
func failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errclass.FromDuck(err)
}

// Ident quotes a name for DuckDB.
func Ident(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// String quotes a text for DuckDB.
func String(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
