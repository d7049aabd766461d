// Command interop checks that this engine and others use the same tables: real Spark, real Trino and PyIceberg, over one PostgreSQL catalog
// with an S3 warehouse, over one SQLite catalog with a local folder, over a REST catalog, and in a Hadoop catalog.
//
// For each scenario (scenarios.go), each peer and each lake it lets one side write and then asks both: the rows must be the scenario's, and
// both sides must describe the table in the same way: columns with their types, partition fields, snapshots with their operations and row
// counts, refs, files. The result is a table, interop.md. `make test-interop` runs it; the exit status is 1 if a cell failed.
//
// It starts all services itself, on free ports of the loopback address, and stops them. PostgreSQL, Java (17 for Spark, 24 or newer for
// Trino) and Maven must be installed; Spark, Trino and the S3 server are fetched the first time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/internal/services"
	"mini-lakehouse-lab/lakelab/internal/trinoserver"
)

// limit bounds a run; ten minutes are usual on an idle machine, and some more where everything is fetched first.
const limit = time.Hour

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	which := flag.String("peers", strings.Join(peers, ","), "the engines to check against; Notebooks are the course's, on the services")
	only := flag.String("scenario", "", "the only scenario to run; interop.md stays as it is then")
	flag.Parse()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ok, err := run(ctx, strings.Split(*which, ","), *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "interop:", err)
	}
	if err != nil || !ok {
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string, only string) (ok bool, err error) {
	dir, err := os.MkdirTemp("", "lakelab-interop-")
	if err != nil {
		return false, err
	}
	defer func() {
		if ok && err == nil {
			err = os.RemoveAll(dir)
		} else {
			fmt.Fprintln(os.Stderr, "logs and lakes are in", dir)
		}
	}()
	pg, err := services.StartPostgres(ctx)
	if err != nil {
		return false, err
	}
	defer pg.Stop()
	s3, err := services.StartS3(ctx)
	if err != nil {
		return false, err
	}
	defer s3.Stop()
	rest, err := services.StartREST(ctx, filepath.Join(dir, served, "warehouse"))
	if err != nil {
		return false, err
	}
	defer rest.Stop()
	lakes := map[string]lake{}
	if lakes[shared], err = sharedLake(dir, pg, s3); err != nil {
		return false, err
	}
	if lakes[local], err = localLake(dir); err != nil {
		return false, err
	}
	if lakes[served], err = servedLake(dir, rest); err != nil {
		return false, err
	}
	if lakes[plain], err = plainLake(dir); err != nil {
		return false, err
	}
	sessions := map[string]*engine.Session{}
	for name, l := range lakes {
		e, err := l.open(ctx)
		if err != nil {
			return false, err
		}
		defer e.Close()
		sessions[name] = e.Session("", "interop", "")
	}
	results := map[string]string{}
	ok = true
	var errs []error             // of a peer that does not run: the others are asked all the same
	for _, name := range names { // one after another: each wants its share of memory
		begun := time.Now()
		text, good, err := section(ctx, name, dir, lakes, sessions, only, pg, s3)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		results[name], ok = text, ok && good
		fmt.Print(text)
		fmt.Fprintf(os.Stderr, "%s took %.0f s\n", name, time.Since(begun).Seconds())
	}
	if only == "" {
		errs = append(errs, save(results))
	}
	return ok, errors.Join(errs...)
}

// section is what the document says about a peer, and whether all cells are good.
func section(ctx context.Context, name, dir string, lakes map[string]lake, sessions map[string]*engine.Session, only string, pg *services.Postgres, s3 *services.S3) (string, bool, error) {
	if name == "Notebooks" {
		text, err := notebooks(ctx, dir, pg, s3)
		return text, true, err
	}
	t := table{peer: name}
	for i, group := range groups(name, lakes) {
		if err := t.run(ctx, filepath.Join(dir, fmt.Sprintf("%s-%d", name, i)), group, sessions, only); err != nil {
			return "", false, err
		}
	}
	for _, l := range lakeNames { // those that it has no catalog for
		if reads := name + " reads"; unable[reads+", "+l] != "" && !slices.ContainsFunc(t.cells, func(c cell) bool { return c.lake == lakes[l].Title }) {
			for _, s := range scenarios {
				t.add(lakes[l], l, s, nil, nil, reads)
				t.add(lakes[l], l, s, nil, nil, name+" writes")
			}
		}
	}
	return t.String(), !slices.ContainsFunc(t.cells, func(c cell) bool { return c.failure != "" }), nil
}

// run runs all scenarios with the table's peer on lakes that one process of it serves; its files go to dir.
func (t *table) run(ctx context.Context, dir string, lakes map[string]lake, sessions map[string]*engine.Session, only string) (err error) {
	name, us := t.peer, ours{ctx, sessions, sql.Spark}
	var them peer
	log := filepath.Join(dir, "log")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	begun := time.Now()
	switch name {
	case "Spark":
		interpreter, err := sparkPython(ctx, dir)
		if err != nil {
			return err
		}
		p, err := startPython(ctx, "spark", interpreter, log, lakes)
		if err != nil {
			return err
		}
		them = spark{p}
	case "Trino":
		us.dialect = sql.Trino
		catalogs := map[string]string{}
		for _, l := range lakes {
			catalogs["lakehouse"] = l.properties
		}
		server, err := trinoserver.Start(ctx, trinoserver.Options{Dir: filepath.Join(dir, "trino"), Catalogs: catalogs, Heap: "1500M"})
		if err != nil {
			return err
		}
		defer server.Stop()
		for n, l := range lakes {
			l.TrinoPort = server.Port
			lakes[n] = l
		}
		p, err := startPython(ctx, "trino", venv, log, lakes)
		if err != nil {
			return err
		}
		them = trino{p}
	case "PyIceberg":
		p, err := startPython(ctx, "pyiceberg", venv, log, lakes)
		if err != nil {
			return err
		}
		them = pyiceberg{p}
	default:
		return errors.New("no such peer")
	}
	defer func() { err = errors.Join(err, them.close()) }()
	fmt.Fprintf(os.Stderr, "%s answers after %.0f s\n", name, time.Since(begun).Seconds())
	for _, s := range scenarios {
		if only != "" && s.name != only {
			continue
		}
		for _, l := range lakeNames {
			if _, ok := lakes[l]; ok {
				t.add(lakes[l], l, s, us, them, name+" reads")
				t.add(lakes[l], l, s, them, us, name+" writes")
			}
		}
	}
	return ctx.Err()
}

// venv are the words that start the project's Python.
var venv = []string{filepath.Join(".venv", "bin", "python")}
