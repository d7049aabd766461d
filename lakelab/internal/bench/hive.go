//go:build linux

package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
)

// hivePartitions is how many partitions the table has; LAKELAB_PARTITIONS says otherwise.
const hivePartitions = 50_000

//go:embed hive_pyspark.py
var hiveScript []byte

// hiveTimes is what one side took, in seconds.
type hiveTimes struct{ Repair, Pruned, PrunedAgain, Range float64 }

// hive repairs an external table of many partitions of one small file each, and reads few of them, on the engine and in PySpark.
func (b *suite) hive(ctx context.Context) error {
	n := hivePartitions
	if s := os.Getenv("LAKELAB_PARTITIONS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			return err
		}
	}
	dir := filepath.Join(b.dir, "partitions")
	if err := b.makePartitions(ctx, dir, n); err != nil {
		return err
	}
	fmt.Printf("\n| spark_catalog, %d partitions | MSCK REPAIR, s | one partition, s | again, s | a range of 100, s | wall, s | CPU, s | peak memory, MiB |\n|---|---|---|---|---|---|---|---|\n", n)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := b.hiveSide(ctx, "lakelab", b.command(ctx, self, "-partitions", dir)); err != nil {
		return err
	}
	env := os.Getenv("LAKELAB_PYSPARK_ENV")
	if env == "" {
		fmt.Println("\nPySpark was not measured: LAKELAB_PYSPARK_ENV is not set.")
		return nil
	}
	script := filepath.Join(b.dir, "hive_pyspark.py")
	if err := os.WriteFile(script, hiveScript, 0o644); err != nil {
		return err
	}
	c := b.command(ctx, "bash", "-c", ". "+env+" && python "+script+" "+dir)
	var quiet bytes.Buffer
	c.Stderr = &quiet
	if err := b.hiveSide(ctx, "PySpark", c); err != nil {
		return fmt.Errorf("%w\n%s", err, quiet.Bytes())
	}
	return nil
}

func (b *suite) hiveSide(ctx context.Context, name string, c *exec.Cmd) error {
	var out bytes.Buffer
	c.Stdout = &out
	u, err := measure(ctx, fmt.Sprint("hive", time.Now().UnixNano()), c, func() error { return nil })
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var t hiveTimes
	if err := json.Unmarshal(bytes.TrimSpace(out.Bytes()), &t); err != nil {
		return fmt.Errorf("%s: %w in %s", name, err, out.Bytes())
	}
	fmt.Printf("| %s | %.2f | %.3f | %.3f | %.2f | %.1f | %.1f | %d |\n", name, t.Repair, t.Pruned, t.PrunedAgain, t.Range, u.wall.Seconds(), u.cpu.Seconds(), u.peak>>20)
	return nil
}

// makePartitions writes one file with the engine and links it into every partition's folder.
func (b *suite) makePartitions(ctx context.Context, dir string, n int) error {
	file := filepath.Join(b.dir, "one")
	if err := onEngine(ctx, filepath.Join(b.dir, "seed"), b.dir, func(ask func(string) error) error {
		return ask("INSERT OVERWRITE DIRECTORY '" + file + "' USING parquet SELECT id AS a, id * 0.5D AS b FROM range(100)")
	}); err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(file, "*.parquet"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("one file was to be written: %v %w", found, err)
	}
	for i := range n {
		folder := filepath.Join(dir, fmt.Sprintf("p=%d", i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.Link(found[0], filepath.Join(folder, "part-00000.parquet")); err != nil {
			return err
		}
	}
	return nil
}

// hiveOnEngine is this program with -partitions: it times the statements and prints hiveTimes.
func hiveOnEngine(ctx context.Context, dir string) error {
	home, err := os.MkdirTemp("", "lakelab-partitions")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	return onEngine(ctx, home, filepath.Dir(dir), func(ask func(string) error) error {
		var t hiveTimes
		timed := func(into *float64, statement string) error {
			start := time.Now()
			err := ask(statement)
			*into = time.Since(start).Seconds()
			return err
		}
		var made float64
		for _, step := range []struct {
			into      *float64
			statement string
		}{
			{&made, "CREATE TABLE t (a BIGINT, b DOUBLE, p INT) USING parquet PARTITIONED BY (p) LOCATION '" + dir + "'"},
			{&t.Repair, "MSCK REPAIR TABLE t"},
			{&t.Pruned, "SELECT count(*), sum(a) FROM t WHERE p = 4711"},
			{&t.PrunedAgain, "SELECT count(*), sum(a) FROM t WHERE p = 4712"},
			{&t.Range, "SELECT count(*), sum(a) FROM t WHERE p BETWEEN 100 AND 199"},
		} {
			if err := timed(step.into, step.statement); err != nil {
				return fmt.Errorf("%s: %w", step.statement, err)
			}
		}
		return json.NewEncoder(os.Stdout).Encode(t)
	})
}

// onEngine runs statements in spark_catalog of a lakehouse.
func onEngine(ctx context.Context, lakehouse, cwd string, do func(ask func(string) error) error) error {
	e, err := engine.Open(ctx, lakehouse)
	if err != nil {
		return err
	}
	defer e.Close()
	s := e.Session("", "bench", cwd)
	s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	return do(func(statement string) error {
		_, err := askEngine(ctx, s, statement)
		return err
	})
}
