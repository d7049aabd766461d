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

// TestMain is also the program of the processes that other tests start and kill: it appends to d.t again and again, or changes d.m.
func TestMain(m *testing.M) {
	for variable, run := range processes {
		if dir := os.Getenv(variable); dir != "" {
			if err := run(dir); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// processes are what this program does in the place of tests when one of them starts it again: by the variable that names the lakehouse.
var processes = map[string]func(dir string) error{
	"LAKE_TEST_STRESS": func(dir string) error {
		me, _ := strconv.Atoi(os.Getenv("LAKE_TEST_ME"))
		return stress(dir, me, timesOf())
	},
	"LAKE_TEST_CRASH":  crash,
	"LAKE_TEST_LOCKS":  func(dir string) error { return locks(dir, os.Getenv("LAKE_TEST_ME")) },
	"LAKE_TEST_CHANGE": changeAgain,
	"LAKE_TEST_APPEND": func(dir string) error { return appendAgain(dir, timesOf(), os.Getenv("LAKE_TEST_QUERY")) },
}

func timesOf() int {
	times, _ := strconv.Atoi(os.Getenv("LAKE_TEST_TIMES"))
	return times
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

// appendTogether has a process for each query append it so many times, all at once, and waits for them.
func appendTogether(t *testing.T, dir string, times int, queries ...string) {
	t.Helper()
	var started []*exec.Cmd
	var begins []func()
	for _, query := range queries {
		c, begin := appender(t, dir, times, query)
		started, begins = append(started, c), append(begins, begin)
	}
	for _, begin := range begins {
		begin()
	}
	for _, c := range started {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTwoProcesses(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 0", lake.CreateOptions{})
	appendTogether(t, e.dir, 20, "SELECT 1", "SELECT 2")
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

// changeAgain changes d.m in every way that leaves the sum of its values as it is: it moves amounts between rows, by copy-on-write and
// merge-on-read, overwrites a partition by itself, compacts, rewrites manifests, expires.
func changeAgain(dir string) error {
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
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
		return err
	}
	for i := 0; ; i++ {
		if err := changeOnce(ctx, l, db, i); err != nil {
			return err
		}
	}
}

// changeOnce makes the i-th change.
func changeOnce(ctx context.Context, l *lake.Lakehouse, db duck, i int) error {
	far := farFuture.UnixMilli()
	t, err := l.Load(ctx, name("d.m"))
	if err != nil {
		return err
	}
	q, err := t.ScanSQL(ctx, nil, []string{"k", "p", "v", lake.FileColumn, lake.PositionColumn}, nil)
	if err != nil {
		return err
	}
	switch i % 6 {
	case 0, 1, 3:
		mode := map[string]string{"write.update.mode": []string{"copy-on-write", "merge-on-read"}[i%2]}
		if err := l.SetProperties(ctx, t, mode); err != nil {
			return err
		}
		if t, err = l.Load(ctx, name("d.m")); err != nil {
			return err
		}
		a, b := rand.IntN(40), rand.IntN(40)
		amount := rand.IntN(100)
		_, err = l.ChangeRows(ctx, t, lake.RowChanges{Command: "update", Query: fmt.Sprintf("SELECT _file AS file, _pos AS pos, %d AS action, k AS v0, p AS v1, v + CASE k WHEN %d THEN %d ELSE 0 END - CASE k WHEN %d THEN %d ELSE 0 END AS v2 FROM (%s) WHERE k IN (%d, %d)",
			lake.RowUpdated, a, amount, b, amount, q, a, b)}, db)
	case 2:
		_, err = l.Overwrite(ctx, t, lake.Overwriting{Dynamic: true}, "SELECT k, p, v FROM ("+q+") WHERE p = 'p1'", db)
	case 4:
		_, err = l.Rewrite(ctx, t, lake.Rewriting{Options: map[string]string{"rewrite-all": "true"}}, db)
	case 5:
		if _, _, err = l.RewriteManifests(ctx, t, nil); err == nil {
			last := 3
			_, err = l.Expire(ctx, t, lake.Expiring{OlderThan: &far, RetainLast: &last})
		}
	}
	return err
}

// TestNothingLeftOver makes every change several times in peace: all files that lie there are the table's.
func TestNothingLeftOver(t *testing.T) {
	e := setup(t)
	e.ctas("d.m", types.StructOf(col("k", long), col("p", str), col("v", long)), "SELECT i, 'p' || i % 4, 100 FROM range(40) r(i)", byP)
	for i := range 12 {
		e.must(changeOnce(t.Context(), e.l, e.db, i))
		files, err := e.l.Orphans(t.Context(), e.load("d.m"), lake.Orphaned{Before: farFuture, Trial: true})
		e.must(err)
		if len(files) > 0 {
			t.Fatalf("after change %d (%d): %q", i, i%6, files)
		}
	}
}

// TestKillChanges kills a process at random moments while it changes a partitioned table in every way: each time the table is whole, as it
// was before or after the change, and what is left over is found by the removal of orphans.
func TestKillChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about 20 seconds")
	}
	e := setup(t)
	e.ctas("d.m", types.StructOf(col("k", long), col("p", str), col("v", long)), "SELECT i, 'p' || i % 4, 100 FROM range(40) r(i)", byP)
	total := func() string {
		q, err := e.load("d.m").ScanSQL(t.Context(), nil, []string{"k", "v"}, nil)
		e.must(err)
		_, rows, err := e.db.Query(t.Context(), "SELECT count(*), count(DISTINCT k), CAST(sum(v) AS BIGINT) FROM ("+q+")")
		e.must(err)
		return fmt.Sprint(rows[0]...)
	}
	commits := 0
	for range 15 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "LAKE_TEST_CHANGE="+e.dir)
		c.Stderr = os.Stderr
		in, err := c.StdinPipe()
		e.must(err)
		out, err := c.StdoutPipe()
		e.must(err)
		e.must(c.Start())
		if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
			t.Fatal(err)
		}
		_, err = in.Write([]byte("\n"))
		e.must(err)
		time.Sleep(time.Duration(rand.Int64N(int64(900 * time.Millisecond))))
		e.must(c.Process.Kill())
		c.Wait()
		e.equal("rows, keys, sum", total(), "40 40 4000")
		if n := len(e.meta("d.m", "metadata_log_entries")); n > commits {
			commits = n
		}
	}
	t.Log("metadata files in the log:", commits)
	left, err := e.l.Orphans(t.Context(), e.load("d.m"), lake.Orphaned{Before: farFuture, Trial: false})
	e.must(err)
	t.Log("files left over by the kills:", len(left))
	e.equal("rows, keys, sum after the removal", total(), "40 40 4000")
	again, err := e.l.Orphans(t.Context(), e.load("d.m"), lake.Orphaned{Before: farFuture, Trial: true})
	e.must(err)
	e.equal("orphans", len(again), 0)
}
