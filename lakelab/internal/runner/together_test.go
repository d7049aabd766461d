package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/daemon"
)

// goNotebook writes a notebook for the course's kernel.
func goNotebook(t *testing.T, dir, name string, cells ...string) string {
	t.Helper()
	path := notebook(t, filepath.Join(dir, name+".ipynb"), nil, cells...)
	n := load(t, path)
	n.m["metadata"].(map[string]any)["kernelspec"] = map[string]string{"name": "lakelab", "display_name": "Go (lakelab)"}
	n.save(t, path)
	return path
}

const together = `import (
	"fmt"

	"mini-lakehouse-lab/lakelab"
)

var spark = lakelab.NewSession("together")
`

// query asks a lakehouse by the command and returns the rows.
func query(t *testing.T, opts Options, text string) [][]string {
	t.Helper()
	out, err := exec.Command(opts.Bin, "sql", "--lakehouse", opts.Lakehouse, "--format", "json", "-e", text).Output()
	var reply struct{ Rows [][]string }
	if err == nil {
		err = json.Unmarshal(out, &reply)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", text, err, out)
	}
	return reply.Rows
}

func given(t *testing.T) Options {
	t.Helper()
	_, opts := built(t)
	opts.Lakehouse = filepath.Join(t.TempDir(), "lake")
	t.Cleanup(func() {
		if err := daemon.Stop(context.Background(), opts.Lakehouse); err != nil {
			t.Error(err)
		}
	})
	return opts
}

// Two notebooks at once in one lakehouse: every append of both is there, and the one that ends first leaves the other its engine.
func TestTwoNotebooksAtOnce(t *testing.T) {
	opts := given(t)
	dir := t.TempDir()
	if err := (&run{Options: opts}).data(context.Background(), opts.Lakehouse); err != nil {
		t.Fatal(err)
	}
	appends := func(name string, n int) string {
		return goNotebook(t, dir, name, together+`
%%
spark.SQL("CREATE TABLE IF NOT EXISTS lakehouse.default.shared (who STRING, i INT) USING iceberg")`, fmt.Sprintf(`%%%%
for i := range %d {
	spark.SQL(fmt.Sprintf("INSERT INTO lakehouse.default.shared SELECT '%s', %%d FROM range(10)", i))
}`, n, name), `%%
spark.SQL("CREATE OR REPLACE TEMPORARY VIEW mine AS SELECT * FROM lakehouse.default.shared WHERE who = '`+name+`'")`, fmt.Sprintf(`%%%%
lakelab.AssertEqual(spark.Table("mine").Count(), %d, "rows of %s")`, 10*n, name))
	}
	var wg sync.WaitGroup
	for _, nb := range []string{appends("short", 10), appends("long", 25)} {
		wg.Go(func() {
			opts := opts
			opts.Notebooks = []string{nb}
			if results, err := Run(context.Background(), opts); err != nil {
				t.Errorf("%v: %v", err, results[0].Failure)
			}
		})
	}
	wg.Wait()
	if got := fmt.Sprint(query(t, opts, "SELECT who, count(*), count(DISTINCT i) FROM lakehouse.default.shared GROUP BY who ORDER BY who")); got != "[[long 250 25] [short 100 10]]" {
		t.Errorf("rows %s", got)
	}
}

// kill -9 of the engine while a notebook inserts: the cell fails and says so, the lakehouse opens at the next cell, and every
// INSERT is there wholly or not at all.
func TestEngineKilledDuringInsert(t *testing.T) {
	opts := given(t)
	dir := t.TempDir()
	create := goNotebook(t, dir, "make", together+`
%%
spark.SQL("CREATE OR REPLACE TABLE lakehouse.default.killed (i INT, x STRING) USING iceberg")`)
	after := goNotebook(t, dir, "after", together+`
%%
fmt.Println(spark.Table("lakehouse.default.killed").Count())
spark.SQL("INSERT INTO lakehouse.default.killed SELECT -1, 'after' FROM range(20000)")`)
	opts.Notebooks = []string{create}
	mustRun(t, opts)
	for round := range 3 {
		insert := goNotebook(t, dir, fmt.Sprint("insert", round), together, fmt.Sprintf(`%%%%
for i := range 1000 {
	spark.SQL(fmt.Sprintf("INSERT INTO lakehouse.default.killed SELECT %d + %%d, repeat('x', 20) FROM range(20000)", i))
}`, 1000*round))
		opts.Notebooks = []string{insert}
		before := len(query(t, opts, "SELECT snapshot_id FROM lakehouse.default.killed.snapshots"))
		killed := killWhenWriting(t, opts, before+2+round)
		results, err := Run(context.Background(), opts)
		<-killed
		if !errors.Is(err, ErrFailed) || results[0].Failure == nil || results[0].Failure.Cell != 2 {
			t.Fatalf("the cell did not fail: %v, %+v", err, results)
		}
		if f := results[0].Failure; !strings.Contains(f.Message, "движок") {
			t.Errorf("the failure doesn't say that the engine is gone: %s: %s", f.Name, f.Message)
		}
		opts.Notebooks = []string{after}
		mustRun(t, opts)
		for _, row := range query(t, opts, "SELECT i, count(*) FROM lakehouse.default.killed GROUP BY i") {
			if i, n := row[0], row[1]; n != "20000" && i != "-1" {
				t.Errorf("half an INSERT: %s rows of %s", n, i)
			}
		}
	}
	left, _ := filepath.Glob(filepath.Join(opts.Lakehouse, ".lakelab", "*"))
	for _, f := range left {
		if strings.Contains(f, "spill") {
			if files, _ := os.ReadDir(f); len(files) > 1 {
				t.Errorf("a dead engine's spill folders stay: %v", files)
			}
		}
	}
}

// killWhenWriting kills the engine once the table has some snapshots, in the middle of what comes next.
func killWhenWriting(t *testing.T, opts Options, snapshots int) <-chan struct{} {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			in, running := daemon.Running(opts.Lakehouse)
			files, _ := filepath.Glob(filepath.Join(opts.Lakehouse, "warehouse", "default", "killed*", "metadata", "snap-*.avro"))
			if !running || len(files) < snapshots {
				continue
			}
			p, err := os.FindProcess(in.PID)
			if err == nil {
				err = p.Kill()
			}
			if err != nil {
				t.Error(err)
			}
			return
		}
		t.Error("the notebook wrote nothing in a minute")
	}()
	return done
}
