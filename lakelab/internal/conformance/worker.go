package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

const (
	queryLimit  = 10 * time.Second
	memoryLimit = 2 << 30  // of DuckDB, and of Go's heap
	addressSize = 24 << 30 // of a worker's process: far more than it needs, less than would hurt the machine
)

// A file runs in a process of its own: a query that crashes or hangs ends that process, and a new one runs the file again
// without that query.

// report is a line that a worker writes: before a query without an answer, behind it with one.
type report struct {
	Query  int
	Answer *answer
}

// runFile runs a file's queries in workers and returns an answer for each.
func runFile(ctx context.Context, dir string, f *file) ([]answer, error) {
	answers := make([]answer, len(f.Queries))
	var skip []string
	for {
		at, done, err := runWorker(ctx, dir, f, skip, answers)
		if err != nil || done {
			return answers, err
		}
		skip = append(skip, strconv.Itoa(at))
	}
}

// runWorker starts a worker and takes its reports. If it ends early, at is the query that was running.
func runWorker(ctx context.Context, dir string, f *file, skip []string, answers []answer) (at int, done bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, false, err
	}
	cmd := exec.CommandContext(ctx, self, "-worker", "-skip", strings.Join(skip, ","), "-dir", dir, f.Name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, false, err
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return 0, false, err
	}
	hung := false
	watch := time.AfterFunc(time.Minute, func() { hung = true; cmd.Process.Kill() })
	at = -1
	lines := bufio.NewReaderSize(out, 1<<16)
	for {
		l, rerr := lines.ReadBytes('\n')
		if rerr != nil {
			break
		}
		var r report
		if err := json.Unmarshal(l, &r); err != nil {
			return 0, false, fmt.Errorf("%s: a worker wrote %q", f.Name, l)
		}
		watch.Reset(2 * queryLimit)
		at = r.Query
		if r.Answer != nil {
			answers[at] = *r.Answer
		}
	}
	watch.Stop()
	werr := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return 0, false, ctx.Err()
	case werr == nil:
		return 0, true, nil
	case at < 0:
		return 0, false, fmt.Errorf("%s: the worker did not start: %w\n%s", f.Name, werr, stderr.String())
	}
	answers[at] = answer{Verdict: crashed, Error: head(stderr.String())}
	if hung {
		answers[at].Verdict = tooLong
	}
	return at, false, nil
}

// head is the beginning of a crash's message: what comes after are other goroutines.
func head(s string) string { return s[:min(len(s), 2000)] }

// work is a worker: it runs a file in a fresh session of a fresh lakehouse.
func work(ctx context.Context, dir, name, skip string) error {
	debug.SetMemoryLimit(memoryLimit)
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: addressSize, Max: addressSize}); err != nil {
		return err
	}
	f, err := readFile(dir, name)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	if err := os.Setenv("LAKELAB_DATA_ROOTS", dir); err != nil {
		return err
	}
	e, err := engine.Open(ctx, filepath.Join(home, "lakehouse"))
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.DB.Exec(ctx, "SET memory_limit = '"+strconv.Itoa(memoryLimit>>20)+"MiB'"); err != nil {
		return err
	}
	s := e.Session("", "conformance", dir)
	if err := makeTables(ctx, s, dir, f); err != nil {
		return err
	}
	var refused error
	style := ""
	for _, kv := range append(folderSettings(name), f.Settings...) {
		if isExecution(kv[0]) {
			continue
		}
		if kv[0] == "spark.sql.binaryOutputStyle" {
			style = kv[1]
		}
		refused = errors.Join(refused, s.SetConf(kv[0], kv[1]))
	}
	skipped := map[string]bool{}
	for _, n := range strings.Split(skip, ",") {
		skipped[n] = true
	}
	out := json.NewEncoder(os.Stdout)
	for i, g := range f.Queries {
		if skipped[strconv.Itoa(i)] {
			continue
		}
		if err := out.Encode(report{Query: i}); err != nil {
			return err
		}
		var a answer
		if isPassedOver(g.SQL) {
			a.Verdict = passedOver
		} else if refused == nil {
			a = ask(ctx, s, g, style)
		} else {
			a = judge(g, answered{err: refused})
		}
		if err := out.Encode(report{Query: i, Answer: &a}); err != nil {
			return err
		}
	}
	return nil
}

// ask runs one query and judges the answer.
func ask(ctx context.Context, s *engine.Session, g golden, binary string) (out answer) {
	ctx, cancel := context.WithTimeout(ctx, queryLimit)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			out = answer{Verdict: crashed, Error: head(fmt.Sprintf("panic: %v\n%s", r, debug.Stack()))}
		}
	}()
	a := answered{format: format{s.Location(), binary}}
	if a.result, a.err = s.Execute(ctx, sql.Spark, ofIceberg(g.SQL), plan.Params{}); a.err == nil {
		a.rows, a.err = s.Collect(ctx, a.result, -1)
	}
	if errors.Is(a.err, context.DeadlineExceeded) {
		return answer{Verdict: tooLong, Error: a.err.Error()}
	}
	return judge(g, a)
}
