// Command fuzz compares the embedded engine with real Spark on random expressions and queries. `make fuzz` calls it.
//
// It knows no types and no signatures: it starts from literals and columns, puts what Spark accepted into the functions and
// operators of the engine's table, asks both engines, and keeps what Spark accepted, with the type that Spark gave, to build on
// (grow.go). Some expressions go into query templates (query.go), and queries are built upon queries in the same way (relation.go).
// An answer that differs (compare.go) is cut down as long as it still differs (shrink.go) and written to the output as a statement
// to be added to the recorded suite. Known differences, one statement pattern each, are listed in known.go.
//
// Real Spark is a Python with PySpark that LAKELAB_PYSPARK_ENV, a shell script, puts on PATH.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
)

func main() {
	minutes := flag.Float64("minutes", 10, "how long")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "where the random numbers start")
	out := flag.String("out", "runs/fuzz.sql", "file for the statements whose answers differ")
	zone := flag.String("zone", "UTC", "time zone of the sessions")
	queries := flag.Int("queries", 30, "how many of a hundred statements are queries, not expressions")
	only := flag.String("only", "", "grow expressions of this function only")
	keep := flag.String("keep", "", "only write statements and Spark's answers into this file")
	kept := flag.String("again", "", "only ask the engine the statements of such a file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := run{limit: time.Duration(*minutes * float64(time.Minute)), seed: *seed, out: *out, only: *only, zone: *zone, queries: *queries, keep: *keep, again: *kept}
	found, err := run.fuzz(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(2)
	}
	if found > 0 {
		fmt.Printf("%d differences: %s\n", found, *out)
		os.Exit(1)
	}
}

// batch is how many statements go to Spark at once.
const batch = 50

// run is what the command was asked for.
type run struct {
	limit                        time.Duration
	seed                         uint64
	out, only, zone, keep, again string
	queries                      int
}

// fuzz tells how many differences were found.
func (r run) fuzz(ctx context.Context) (found int, err error) {
	dir, err := os.MkdirTemp("", "lakelab-fuzz")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	made := append([]string{"SET spark.sql.session.timeZone = " + r.zone}, tables()...)
	e, err := engine.Open(ctx, filepath.Join(dir, "lakehouse"))
	if err != nil {
		return 0, err
	}
	defer e.Close()
	ours := embedded{e.Session("", "fuzz", dir)}
	for _, s := range made {
		if a := ours.ask(ctx, s); a.Error != nil {
			return 0, fmt.Errorf("%s: %s", s, a.Error.Message)
		}
	}
	report, err := create(r.out)
	if err != nil {
		return 0, err
	}
	defer report.Close()
	if r.again != "" {
		return again(ctx, ours, r.again, report)
	}
	env := os.Getenv("LAKELAB_PYSPARK_ENV")
	if env == "" {
		return 0, fmt.Errorf("LAKELAB_PYSPARK_ENV does not name a script that sets real Spark up")
	}
	spark, err := startSpark(ctx, env, dir)
	if err != nil {
		return 0, err
	}
	defer spark.close()
	if answers, err := spark.ask(made); err != nil {
		return 0, err
	} else if bad := firstError(answers); bad != nil {
		return 0, fmt.Errorf("real Spark: %s", bad.Message)
	}
	fmt.Printf("seed %d, %s\n", r.seed, r.limit)
	g := newGarden(rand.New(rand.NewPCG(r.seed, 1)), r.only)
	g.queries = r.queries
	for _, name := range []string{"t", "u", "w"} {
		text := "SELECT * FROM " + name
		answers, err := spark.ask([]string{text})
		if err != nil {
			return 0, err
		}
		g.keep(&relation{name: name, size: 1}, answers[0])
	}
	if r.keep != "" {
		return 0, r.collect(ctx, g, spark)
	}
	f := &fuzzer{ours: ours, spark: spark, garden: g, seen: map[string]bool{}, report: report}
	err = f.run(ctx, r.limit)
	return f.found, err
}

// collect writes statements and Spark's answers until the time is over.
func (r run) collect(ctx context.Context, g *garden, spark *sparkProcess) error {
	file, err := create(r.keep)
	if err != nil {
		return err
	}
	defer file.Close()
	into := json.NewEncoder(file)
	n := 0
	for end := time.Now().Add(r.limit); ctx.Err() == nil && time.Now().Before(end); n += batch {
		if err := collect(g, spark, g.grow(batch), into); err != nil {
			return err
		}
	}
	fmt.Printf("%d statements\n", n)
	return ctx.Err()
}

// create makes a file and its folder.
func create(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.Create(path)
}

// run asks both engines until the time is over. While ours computes, Spark has the next statements already.
func (f *fuzzer) run(ctx context.Context, limit time.Duration) error {
	asked, agreed := 0, 0
	end, tick := time.Now().Add(limit), time.Now()
	next := f.ahead()
	for ctx.Err() == nil && time.Now().Before(end) {
		now := <-next
		if now.err != nil {
			return now.err
		}
		for i, c := range now.cases {
			f.garden.learn(c, now.answers[i])
		}
		next = f.ahead()
		var differ []query
		var diffs []string
		for i, c := range now.cases {
			asked++
			if diff := compare(f.ours.ask(ctx, now.texts[i]), now.answers[i]); diff == "" {
				agreed++
			} else {
				differ, diffs = append(differ, c), append(diffs, diff)
			}
		}
		then := <-next // Spark is asked by one at a time
		for i, c := range differ {
			if ctx.Err() != nil {
				break
			}
			if err := f.differs(ctx, c, diffs[i]); err != nil {
				return err
			}
		}
		next <- then
		if time.Since(tick) > 10*time.Second {
			tick = time.Now()
			fmt.Printf("%s left: %d statements, %d agree, %d differences of %d refused\n", time.Until(end).Round(time.Second), asked, agreed, f.found, f.refused)
		}
	}
	<-next
	fmt.Printf("%d statements, %d agree, %d differences, %d refused by name\n", asked, agreed, f.found, f.refused)
	return ctx.Err()
}

// turn are statements and what Spark answered.
type turn struct {
	cases   []query
	texts   []string
	answers []answer
	err     error
}

// ahead grows the next statements and asks Spark.
func (f *fuzzer) ahead() chan turn {
	a := turn{cases: f.garden.grow(batch)}
	for _, c := range a.cases {
		a.texts = append(a.texts, c.sql())
	}
	out := make(chan turn, 1)
	go func() {
		a.answers, a.err = f.spark.ask(a.texts)
		out <- a
	}()
	return out
}

func firstError(answers []answer) *failure {
	for _, a := range answers {
		if a.Error != nil {
			return a.Error
		}
	}
	return nil
}
