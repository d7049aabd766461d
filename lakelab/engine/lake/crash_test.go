package lake_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/lake"
)

// crashPoints are the named points of a write.
var crashPoints = []string{"data file written", "data file in place", "file written", "flushed", "before the swap", "after the swap",
	"before the removal of expired files", "file removed"}

// crash is the program of TestCrash's and TestPowerCut's processes: it reads the table's rows, makes commits and tells about each before
// it makes it. At a named point that is reached for the n-th time it kills itself.
func crash(dir string) error {
	point := os.Getenv("LAKE_TEST_POINT")
	n, _ := strconv.ParseInt(os.Getenv("LAKE_TEST_TIMES"), 10, 64)
	var d *disk
	if os.Getenv("LAKE_TEST_POWER") == "cut" {
		var err error
		if d, err = newDisk(dir); err != nil {
			return err
		}
		lake.OnFlushed(d.flushed)
	}
	var times atomic.Int64
	lake.OnReached(func(p string) {
		if p == point && times.Add(1) == n {
			if d != nil {
				if err := d.cut(dir + ".cut"); err != nil {
					panic(err)
				}
			}
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	s, err := newStressed(dir, io.Discard)
	if err != nil {
		return err
	}
	if err := json.NewDecoder(os.Stdin).Decode(&s.mine); err != nil {
		return err
	}
	if s.next, err = strconv.Atoi(os.Getenv("LAKE_TEST_NEXT")); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	s.report = func(before, after map[int]int) {
		if err := out.Encode([]map[int]int{before, after}); err != nil {
			panic(err)
		}
	}
	for range 40 {
		if err := s.step(context.Background()); err != nil {
			return err
		}
	}
	return out.Encode([]map[int]int{s.mine, s.mine})
}

// TestCrash kills a process with SIGKILL while it changes a table, at random moments and at every named point of a write. Each time the
// table has the rows from before the last commit or those from after it, all that was acknowledged is there, and every snapshot can be
// read; what is left over is found by the removal of orphans. LAKELAB_KILLS=n kills n times in each mode.
func TestCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about 10 seconds")
	}
	kills := 2 * len(crashPoints)
	if n, err := strconv.Atoi(os.Getenv("LAKELAB_KILLS")); err == nil {
		kills = n
	}
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		t.Run(mode, func(t *testing.T) {
			e := setup(t)
			e.stressTable(mode)
			e.crashAgain(kills, false)
		})
	}
}

// crashAgain lets processes that change d.s die, by kill or by power cut.
func (e *env) crashAgain(kills int, power bool) {
	rows := map[int]int{}
	happened, inside := 0, 0
	for i := range kills {
		point, times := "", 0
		switch {
		case power:
			point, times = crashPoints[i%len(crashPoints)], 1+rand.IntN(9)
		case i%3 > 0:
			point, times = crashPoints[(i/3*2+i%3-1)%len(crashPoints)], 1+rand.IntN(9)
		}
		before, after := e.crashOnce(rows, (i+1)*1000, point, times, power)
		got := e.rowsNow()
		switch {
		case got == rowsText(before) && got != rowsText(after):
			rows, inside = before, inside+1
		case got == rowsText(after):
			rows, happened = after, happened+1
		default:
			e.Fatalf("kill %d at %q (%d): the rows are\n%s\nneither\n%s\nnor\n%s", i, point, times, got, rowsText(before), rowsText(after))
		}
		for _, s := range e.meta("d.s", "snapshots") {
			at, err := e.load("d.s").SnapshotByID(s[1].(int64))
			e.must(err)
			e.read(e.load("d.s"), at, "k")
		}
	}
	e.Logf("the last commit had happened %d times, and not %d times", happened, inside)
	left, err := e.l.Orphans(e.Context(), e.load("d.s"), lake.Orphaned{Before: farFuture, Trial: false})
	e.must(err)
	e.Log("files left over by the kills:", len(left))
	if len(left) == 0 {
		e.Error("no kill left a file: none hit a commit")
	}
	e.equal("rows after the removal", e.rowsNow(), rowsText(rows))
	again, err := e.l.Orphans(e.Context(), e.load("d.s"), lake.Orphaned{Before: farFuture, Trial: true})
	e.must(err)
	e.equal("orphans", len(again), 0)
}

// rowsNow is rowsText of the table as it is.
func (e *env) rowsNow() string {
	e.Helper()
	got := e.read(e.load("d.s"), nil, "k", "v")
	rows := map[int]int{}
	for _, r := range got {
		var k, v int
		_, err := fmt.Sscanf(r, "%d|%d", &k, &v)
		e.must(err)
		rows[k] = v
	}
	if len(rows) != len(got) {
		e.Fatal("doubled rows:", strings.Join(slices.Sorted(slices.Values(got)), " "))
	}
	return rowsText(rows)
}

// crashOnce runs a process until it is killed: at a point, or at a random moment if there is none. It returns the rows from before and
// after the commit that was under way.
func (e *env) crashOnce(rows map[int]int, next int, point string, times int, power bool) (before, after map[int]int) {
	e.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "LAKE_TEST_CRASH="+e.dir, "LAKE_TEST_POINT="+point, "LAKE_TEST_TIMES="+strconv.Itoa(times), "LAKE_TEST_NEXT="+strconv.Itoa(next))
	if power {
		c.Env = append(c.Env, "LAKE_TEST_POWER=cut")
	}
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	e.must(err)
	out, err := c.StdoutPipe()
	e.must(err)
	e.must(c.Start())
	e.must(json.NewEncoder(in).Encode(rows))
	e.must(in.Close())
	before, after = maps.Clone(rows), maps.Clone(rows)
	lines := bufio.NewScanner(out)
	for first := true; lines.Scan(); first = false {
		if first && point == "" {
			time.AfterFunc(time.Duration(rand.Int64N(int64(300*time.Millisecond))), func() { _ = c.Process.Kill() })
		}
		var both []map[int]int
		if json.Unmarshal(lines.Bytes(), &both) != nil { // cut off by the kill
			break
		}
		before, after = both[0], both[1]
	}
	err = c.Wait()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		e.Errorf("kill at %q: %v", point, err)
	}
	if err != nil && power {
		e.swapDisks()
	}
	return before, after
}
