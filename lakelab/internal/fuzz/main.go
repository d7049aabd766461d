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
	"bufio"
	"context"
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
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	found, err := fuzz(ctx, time.Duration(*minutes*float64(time.Minute)), *seed, *out, *only, *zone, *queries)
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

func fuzz(ctx context.Context, limit time.Duration, seed uint64, out, only, zone string, queries int) (found int, err error) {
	env := os.Getenv("LAKELAB_PYSPARK_ENV")
	if env == "" {
		return 0, fmt.Errorf("LAKELAB_PYSPARK_ENV does not name a script that sets real Spark up")
	}
	dir, err := os.MkdirTemp("", "lakelab-fuzz")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	spark, err := startSpark(ctx, env, dir)
	if err != nil {
		return 0, err
	}
	defer spark.close()
	e, err := engine.Open(ctx, filepath.Join(dir, "lakehouse"))
	if err != nil {
		return 0, err
	}
	defer e.Close()
	ours := embedded{e.Session("", "fuzz", dir)}
	made := append([]string{"SET spark.sql.session.timeZone = " + zone}, tables()...)
	for _, s := range made {
		if a := ours.ask(ctx, s); a.Error != nil {
			return 0, fmt.Errorf("%s: %s", s, a.Error.Message)
		}
	}
	if answers, err := spark.ask(made); err != nil {
		return 0, err
	} else if bad := firstError(answers); bad != nil {
		return 0, fmt.Errorf("real Spark: %s", bad.Message)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return 0, err
	}
	file, err := os.Create(out)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	report := bufio.NewWriter(file)
	defer report.Flush()
	fmt.Printf("seed %d, %s\n", seed, limit)
	g := newGarden(rand.New(rand.NewPCG(seed, 1)), only)
	g.queries = queries
	for _, name := range []string{"t", "u"} {
		text := "SELECT * FROM " + name
		answers, err := spark.ask([]string{text})
		if err != nil {
			return 0, err
		}
		g.keep(&relation{name: name, size: 1}, answers[0])
	}
	f := &fuzzer{ours: ours, spark: spark, garden: g, seen: map[string]bool{}, report: report}
	asked, agreed := 0, 0
	end, tick := time.Now().Add(limit), time.Now()
	for ctx.Err() == nil && time.Now().Before(end) {
		cases := g.grow(batch)
		texts := make([]string, len(cases))
		for i, c := range cases {
			texts[i] = c.sql()
		}
		answers, err := spark.ask(texts)
		if err != nil {
			return f.found, err
		}
		for i, c := range cases {
			g.learn(c, answers[i])
			got := ours.ask(ctx, texts[i])
			asked++
			if diff := compare(got, answers[i]); diff == "" {
				agreed++
			} else if ctx.Err() == nil {
				if err := f.differs(ctx, c, diff); err != nil {
					return f.found, err
				}
			}
		}
		if time.Since(tick) > 10*time.Second {
			tick = time.Now()
			fmt.Printf("%s left: %d statements, %d agree, %d differences of %d refused\n", time.Until(end).Round(time.Second), asked, agreed, f.found, f.refused)
		}
	}
	fmt.Printf("%d statements, %d agree, %d differences, %d refused by name\n", asked, agreed, f.found, f.refused)
	return f.found, ctx.Err()
}

func firstError(answers []answer) *failure {
	for _, a := range answers {
		if a.Error != nil {
			return a.Error
		}
	}
	return nil
}
