package lake_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestMain is also the program of the processes that TestTwoProcesses and TestKill start: it appends to d.t again and again.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LAKE_TEST_APPEND"); dir != "" {
		times, _ := strconv.Atoi(os.Getenv("LAKE_TEST_TIMES"))
		if err := appendAgain(dir, times, os.Getenv("LAKE_TEST_QUERY")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func appendAgain(dir string, times int, query string) error {
	ctx := context.Background()
	db, err := openDuck()
	if err != nil {
		return err
	}
	l, err := lake.Open(ctx, dir, lake.Options{})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil { // the parent starts all at once
		return err
	}
	for range times {
		t, err := l.Load(ctx, name("d.t"))
		if err != nil {
			return err
		}
		if _, err := l.Append(ctx, t, query, db); err != nil {
			return err
		}
	}
	return l.Close()
}

// appender starts a process that appends; go starts its work.
func appender(t *testing.T, dir string, times int, query string) (c *exec.Cmd, begin func()) {
	t.Helper()
	c = exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "LAKE_TEST_APPEND="+dir, "LAKE_TEST_TIMES="+strconv.Itoa(times), "LAKE_TEST_QUERY="+query)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
		t.Fatal(err)
	}
	return c, func() {
		if _, err := in.Write([]byte("\n")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTwoProcesses(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 0", lake.CreateOptions{})
	a, beginA := appender(t, e.dir, 20, "SELECT 1")
	b, beginB := appender(t, e.dir, 20, "SELECT 2")
	beginA()
	beginB()
	for _, c := range []*exec.Cmd{a, b} {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	count := map[string]int{}
	for _, r := range e.read(e.load("d.t"), nil) {
		count[r]++
	}
	e.equal("rows", count, map[string]int{"0": 1, "1": 20, "2": 20})
	e.equal("snapshots", len(e.meta("d.t", "snapshots")), 41)
	for _, r := range e.meta("d.t", "history") {
		if r[3] != true {
			t.Error("a snapshot is no ancestor of the current one: its rows would be lost")
		}
	}
}

// TestKill kills a process while it appends 1000 rows at a time, at a random moment, again and again.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about 20 seconds")
	}
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT i FROM range(1000) r(i)", lake.CreateOptions{})
	last := 1000
	for range 25 {
		c, begin := appender(t, e.dir, 1_000_000, "SELECT i FROM range(1000) r(i)")
		begin()
		time.Sleep(time.Duration(rand.Int64N(int64(120 * time.Millisecond))))
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		c.Wait()
		n := len(e.read(e.load("d.t"), nil))
		if n%1000 != 0 || n < last || n != 1000*len(e.meta("d.t", "snapshots")) {
			t.Fatalf("%d rows after %d", n, last)
		}
		last = n
	}
	t.Log("appends that landed between the kills:", last/1000-1)
	e.append("d.t", "SELECT 1")
	e.equal("rows after one more append", len(e.read(e.load("d.t"), nil)), last+1)
}
