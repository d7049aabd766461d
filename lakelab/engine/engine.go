// Package engine is the lakehouse itself: one DuckDB, one lake, and sessions that run statements.
//
// A door (celldoor for notebook cells, trinodoor for Trino clients, the sql command) opens a Session and calls Execute
// with a dialect and a text, or Plan with a relation of the DataFrame API. A session parses (package sql), plans
// (package plan) and then either runs a query on DuckDB (package duck) or a command on the lake (package lake); the
// statement_*.go files hold the commands, catalog.go and source_*.go what a name in FROM can be.
package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// CatalogName is the name of the Iceberg catalog, in SQL and in the catalog database.
const CatalogName = "lakehouse"

// DefaultNamespace is where a new session is.
const DefaultNamespace = "default"

// Engine serves one lakehouse folder.
type Engine struct {
	Dir  string
	Lake *lake.Lakehouse
	Hive *hive.Warehouse // the tables of spark_catalog
	DB   *duck.DB

	mu           sync.Mutex
	sessions     map[string]*Session
	running      int
	transactions map[string]*transaction // of Trino's clients, by their ids
	active       time.Time
	files        fileSchemas
	parquet      parquetTypes
	globals      *tempViews // global temporary views
}

// Open opens a lakehouse folder, creating it if it does not exist.
func Open(ctx context.Context, dir string) (*Engine, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if _, err := config.Roots(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // once: paths of files are compared with it
		return nil, err
	}
	l, err := lake.Open(ctx, dir, lake.Options{})
	if err != nil {
		return nil, fmt.Errorf("open the lakehouse %s: %w", dir, err)
	}
	h, err := hive.Open(ctx, dir, l.Database())
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("open the metastore of %s: %w", dir, err)
	}
	l.Others(h.Locations)
	removeOldNotes(dir)
	spill := filepath.Join(wire.RunFolder(dir), "spill")
	db, err := duck.Open(ctx, duck.Options{TempDir: spill})
	if err != nil {
		l.Close()
		return nil, err
	}
	return &Engine{Dir: dir, Lake: l, Hive: h, DB: db, sessions: map[string]*Session{}, globals: newTempViews(), active: time.Now()}, nil
}

// Close ends the engine.
func (e *Engine) Close() error {
	err := e.DB.Close()
	if lerr := e.Lake.Close(); err == nil {
		err = lerr
	}
	return err
}

// Session returns the session with that id, making it if there is none. An empty id makes one that nobody else finds.
func (e *Engine) Session(id, app, cwd string) *Session {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.active = time.Now()
	if s, ok := e.sessions[id]; ok && id != "" {
		s.touch(app, cwd)
		return s
	}
	s := newSession(e, id, app, cwd)
	if id != "" {
		e.sessions[id] = s
	}
	return s
}

// EndSession forgets a session: its temporary views, settings and kept values.
func (e *Engine) EndSession(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, id)
	_ = os.Remove(wire.SessionFile(e.Dir, id))
	e.active = time.Now()
}

// Sessions counts the living sessions.
func (e *Engine) Sessions() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.sessions)
}

// Idle returns for how long nothing has needed the engine: 0 while a session lives or a statement runs.
func (e *Engine) Idle() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running > 0 {
		return 0
	}
	for id, s := range e.sessions {
		if s.dead() {
			delete(e.sessions, id)
			_ = os.Remove(wire.SessionFile(e.Dir, id))
			e.active = time.Now()
		}
	}
	if len(e.sessions) > 0 {
		return 0
	}
	return time.Since(e.active)
}

// busy marks a running statement; call the result when it has ended.
func (e *Engine) busy() func() {
	e.mu.Lock()
	e.running++
	e.mu.Unlock()
	end := e.Lake.Begin()
	return func() {
		end()
		e.mu.Lock()
		e.running--
		e.active = time.Now()
		e.mu.Unlock()
	}
}
