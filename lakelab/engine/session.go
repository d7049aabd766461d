package engine

import (
	"context"
	"strings"
	"sync"
	"syscall"
	"time"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Session is what one notebook, command or Trino client has for itself: where it is, its settings, its temporary views
// and the values kept between its cells. Its methods may be called from several goroutines.
type Session struct {
	engine *Engine
	ID     string

	mu        sync.Mutex
	app       string
	cwd       string
	catalog   string
	namespace string
	conf      map[string]string
	views     *tempViews
	vars      map[string]any              // values kept between cells
	variables map[string]*sessionVariable // SQL's, by lower-case name
	routines  map[string]*plan.Routine    // SQL functions, by lower-case name
	trino     trinoState
	used      time.Time
	owner     int
	noted     bool            // see Remember
	cached    map[string]bool // tables that cacheTable was called for
	depth     int             // how many views are being read through
}

func newSession(e *Engine, id, app, cwd string) *Session {
	return &Session{
		engine: e, ID: id, app: app, cwd: cwd, catalog: CatalogName, namespace: DefaultNamespace,
		conf: map[string]string{}, views: newTempViews(), vars: map[string]any{}, variables: map[string]*sessionVariable{},
		routines: map[string]*plan.Routine{}, trino: trinoState{user: "lakelab", followsPath: true, transaction: noTransaction}, used: time.Now(),
	}
}

func (s *Session) touch(app, cwd string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = time.Now()
	if app != "" {
		s.app = app
	}
	if cwd != "" {
		s.cwd = cwd
	}
}

// SetOwner names the process with which the session ends; 0 is none.
func (s *Session) SetOwner(pid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owner = pid
}

// abandoned is after how long a session that nobody used is taken for dead (its kernel was killed, watchdog and all).
const abandoned = 12 * time.Hour

// dead reports whether nobody can use the session any more.
func (s *Session) dead() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.owner > 0 && syscall.Kill(s.owner, 0) == syscall.ESRCH || time.Since(s.used) > abandoned
}

// Use moves the session to a catalog and a namespace; an empty argument leaves that part.
func (s *Session) Use(catalog, namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if catalog != "" {
		s.catalog = catalog
	}
	if namespace != "" {
		s.namespace = namespace
	}
}

// Current returns the session's catalog and namespace.
func (s *Session) Current() (catalog, namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.catalog, s.namespace
}

// Var returns a value kept by SetVar.
func (s *Session) Var(name string) (any, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.vars[name]
	return v, ok
}

// SetVar keeps a value between cells; nil removes it.
func (s *Session) SetVar(name string, v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v == nil {
		delete(s.vars, name)
		return
	}
	s.vars[name] = v
}

// Reset drops everything the session holds (SparkSession.stop).
func (s *Session) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catalog, s.namespace = CatalogName, DefaultNamespace
	s.conf, s.views, s.vars, s.variables = map[string]string{}, newTempViews(), map[string]any{}, map[string]*sessionVariable{}
	s.routines = map[string]*plan.Routine{}
	s.cached = nil
}

// Location is the session's time zone.
func (s *Session) Location() *time.Location { return types.Location(s.Conf(confTimeZone)) }

// Format is how the session's values are shown.
func (s *Session) Format() types.Format {
	return types.Format{Zone: s.Location(), Binary: s.Conf(confBinaryStyle)}
}

// analyzer makes the analyzer for one statement.
func (s *Session) analyzer(d sql.Dialect, params plan.Params) *plan.Analyzer {
	catalog, namespace := s.Current()
	a := &plan.Analyzer{
		Dialect: d, Catalog: sessionCatalog{s: s, d: d}, Params: params,
		Settings: plan.Settings{TimeZone: s.Conf(confTimeZone), CurrentCatalog: catalog, CurrentNamespace: namespace, CurrentPath: s.trino.path, User: s.trino.user,
			TimestampNTZ: d == sql.Spark && strings.EqualFold(s.Conf(confTimestampType), "TIMESTAMP_NTZ"), BinaryStyle: s.Conf(confBinaryStyle)},
	}
	if d == sql.Trino {
		a.Settings.RecursionDepth = s.recursionLimit()
	}
	if d == sql.Spark {
		a.Routines = s.routine
		a.Variables = func(name string) *plan.Variable {
			if v := s.variable(name); v != nil {
				return &v.Variable
			}
			return nil
		}
	}
	a.Eval = func(ctx context.Context, x sql.Expr, to types.Type) (any, error) { return s.eval(ctx, a, x, to) }
	return a
}

// Plan analyzes a relation of the DataFrame API.
func (s *Session) Plan(ctx context.Context, rel sql.Relation) (plan.Node, error) {
	a := s.analyzer(sql.Spark, plan.Params{})
	a.Functions = functionsOf(ctx)
	a.Hidden = namesHidden(ctx)
	return a.Relation(ctx, rel)
}

// rereads is how often a query is begun again because files that it reads were replaced meanwhile.
const rereads = 10

// Run starts a planned query.
func (s *Session) Run(ctx context.Context, n plan.Node) (Rows, error) {
	end := s.engine.Lake.Begin() // the files that it reads stay at hand until its rows are read
	n, drop, err := s.materialized(ctx, n)
	if err != nil {
		end()
		return nil, err
	}
	options := duck.RunOptions{TimeZone: s.Conf(confTimeZone), Stream: s.trino.streams}
	rows, err := duck.Run(ctx, s.engine.DB, n, options)
	for range rereads { // a file is gone by another statement: tables list their files anew
		if !errclass.IsFileVanished(err) {
			break
		}
		rows, err = duck.Run(ctx, s.engine.DB, n, options)
	}
	if err != nil {
		drop()
		end()
		return nil, err
	}
	return droppingRows{rows, func() { drop(); end() }}, nil
}
