// Command conformance runs Apache Spark's own SQL tests on the embedded engine and counts how many answers agree. `make
// conformance` calls it; conformance.md is its table of results.
//
//	go run ./lakelab/internal/conformance                      all files; ends with status 1 if a file got worse than the table
//	go run ./lakelab/internal/conformance -v cte.sql           one file, with each disagreement
//	go run ./lakelab/internal/conformance -groups postgreSQL/* the failures of some files by our error message
//
// The tests come from the Maven artifact of Spark's test classes and are not part of this repository. Each file runs in a
// process of its own (worker.go), its queries are taken from the recorded answers (golden.go), scope.go says what is left out.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"sync"
)

const tablePath = "lakelab/internal/conformance/conformance.md"

func main() {
	verbose := flag.Bool("v", false, "show each disagreement")
	groups := flag.Bool("groups", false, "group the failures by our error message")
	worker := flag.Bool("worker", false, "run one file and write reports (started by this command itself)")
	skip := flag.String("skip", "", "queries that a worker leaves out, by number")
	dir := flag.String("dir", "", "the folder of the tests, for a worker")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *worker {
		err = work(ctx, *dir, flag.Arg(0), *skip)
	} else {
		err = conform(ctx, flag.Args(), *verbose, *groups)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// outcome is a file with the answers to its queries.
type outcome struct {
	file    *file
	answers []answer
	err     error
}

func conform(ctx context.Context, patterns []string, verbose, groups bool) error {
	dir, err := fetch(ctx, filepath.Join(".cache", "spark-sql-tests"))
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	files, err := chosen(dir, patterns)
	if err != nil {
		return err
	}
	before, err := readTable(tablePath)
	if err != nil {
		return err
	}
	total := count{Name: "all"}
	var counts []count
	var worse []string
	var outcomes []outcome
	fmt.Printf("%-52s %7s %6s %9s %6s %11s\n", "file", "queries", "agree", "rows only", "errors", "right class")
	for o := range runAll(ctx, dir, files) {
		if o.err != nil {
			return o.err
		}
		c := countOf(o.file, o.answers)
		fmt.Printf("%-52s %7d %6d %9d %6d %11d\n", c.Name, c.Queries, c.Agree, c.RowsOnly, c.Errors, c.Class)
		total.add(c)
		counts = append(counts, c)
		if w := c.worse(before[c.Name]); w != "" {
			worse = append(worse, c.Name+": "+w)
		}
		if verbose {
			disagreements(o)
		}
		outcomes = append(outcomes, o)
	}
	if groups {
		printGroups(outcomes)
	}
	fmt.Printf("\nin all: %d of %d queries agree (%s), %d more in rows only (%s); %d of %d errors have Spark's class (%s)\n",
		total.Agree, total.Queries, percent(total.Agree, total.Queries), total.RowsOnly, percent(total.RowsOnly, total.Queries),
		total.Class, total.Errors, percent(total.Class, total.Errors))
	if len(worse) > 0 {
		return fmt.Errorf("worse than %s:\n  %s", tablePath, strings.Join(worse, "\n  "))
	}
	if len(patterns) > 0 {
		return nil
	}
	sort.Slice(counts, func(i, j int) bool { return counts[i].Name < counts[j].Name })
	return writeTable(tablePath, total, counts)
}

// chosen reads the files in scope that match one of the patterns; all, if there are none.
func chosen(dir string, patterns []string) ([]*file, error) {
	names, err := listFiles(dir)
	if err != nil {
		return nil, err
	}
	var out []*file
	for _, name := range names {
		wanted := len(patterns) == 0
		for _, p := range patterns {
			ok, err := path.Match(p, name)
			if err != nil {
				return nil, err
			}
			wanted = wanted || ok
		}
		if !wanted || reasonLeftOut(name) != "" {
			continue
		}
		f, err := readFile(dir, name)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no file in scope is called %s", strings.Join(patterns, ", "))
	}
	return out, nil
}

// runAll runs the files, some at a time, and yields them as they end.
func runAll(ctx context.Context, dir string, files []*file) <-chan outcome {
	todo, done := make(chan *file), make(chan outcome)
	go func() {
		defer close(todo)
		for _, f := range files {
			todo <- f
		}
	}()
	var wg sync.WaitGroup
	for range max(1, runtime.NumCPU()) {
		wg.Go(func() {
			for f := range todo {
				a, err := runFile(ctx, dir, f)
				done <- outcome{f, a, err}
			}
		})
	}
	go func() {
		wg.Wait()
		close(done)
	}()
	return done
}

// disagreements prints every query whose answer is not Spark's.
func disagreements(o outcome) {
	for i, g := range o.file.Queries {
		a := o.answers[i]
		if a.Verdict == agrees || a.Verdict == passedOver {
			continue
		}
		fmt.Printf("\n--- %s #%d: %s\n%s\n", o.file.Name, i, a.Verdict, g.SQL)
		fmt.Printf("· Spark: %s\n%s\n", g.Schema, g.Output)
		if a.Error != "" {
			fmt.Printf("· ours: %s\n", a.Error)
		} else {
			fmt.Printf("· ours: %s\n%s\n", a.Schema, a.Output)
		}
	}
}

// Names and numbers in a message, which differ from query to query.
var particular = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|'[^']*'|\\d+")

// printGroups counts the disagreements by verdict and message, the largest group first.
func printGroups(outcomes []outcome) {
	type group struct {
		n     int
		first string
	}
	all := map[string]*group{}
	for _, o := range outcomes {
		for i, a := range o.answers {
			if a.Verdict == agrees || a.Verdict == passedOver {
				continue
			}
			message, _, _ := strings.Cut(a.Error, "\n")
			key := string(a.Verdict) + ": " + particular.ReplaceAllString(message, "…")
			if all[key] == nil {
				all[key] = &group{first: fmt.Sprintf("%s #%d", o.file.Name, i)}
			}
			all[key].n++
		}
	}
	keys := make([]string, 0, len(all))
	for k := range all {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return all[keys[i]].n > all[keys[j]].n || all[keys[i]].n == all[keys[j]].n && keys[i] < keys[j]
	})
	fmt.Println()
	for _, k := range keys {
		fmt.Printf("%5d  %s  (%s)\n", all[k].n, k, all[k].first)
	}
}
