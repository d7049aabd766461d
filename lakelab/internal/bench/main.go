//go:build linux

// Command bench measures the course's speed and memory, side by side with PySpark in the same run: warm cells, and module 7
// through nbconvert, TPC-H, what is done to Iceberg tables, a table of 50,000 partitions, and Trino's protocol beside a real Trino 476. `make bench` calls it; the
// last table stands in bench.md. It reads /proc, so it runs on Linux.
//
// PySpark is measured if LAKELAB_PYSPARK_ENV names a shell script that puts a python with PySpark, Iceberg's runtime and
// nbconvert on PATH, with an Iceberg catalog `lakehouse` in its configuration.
package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

//go:embed cells.py pyspark_module7.py prepare_pyspark.py iceberg.py
var scripts embed.FS

func main() {
	only := flag.String("only", "", "cells, module7, tpch, hive, iceberg or trino; empty: all of them but trino, which needs Maven and Java 24")
	partitions := flag.String("partitions", "", "time the engine's statements on the partitions of a folder, and nothing else")
	flag.Parse()
	if *partitions != "" {
		if err := hiveOnEngine(context.Background(), *partitions); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := bench(context.Background(), *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, only string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "lakelab-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"cells.py", "pyspark_module7.py", "prepare_pyspark.py", "iceberg.py"} {
		b, err := scripts.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			return err
		}
	}
	b := &suite{root: root, dir: dir, lakehouse: filepath.Join(dir, "lakehouse")}
	if only != "tpch" && only != "hive" && only != "iceberg" && only != "trino" {
		if err := b.prepare(ctx); err != nil {
			return err
		}
		defer b.lakelab(ctx, "engine", "stop").Run()
	}
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{{"cells", b.cells}, {"module7", b.module7}, {"tpch", b.tpch}, {"hive", b.hive}, {"iceberg", b.iceberg}, {"trino", b.trino}} {
		if only == "" && part.name != "trino" || only == part.name {
			if err := part.run(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

type suite struct{ root, dir, lakehouse string }

func (b *suite) python() string { return filepath.Join(b.root, ".venv", "bin", "python") }

func (b *suite) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = b.dir
	c.Env = append(os.Environ(), "LAKELAB_LAKEHOUSE="+b.lakehouse)
	c.Stderr = os.Stderr
	return c
}

func (b *suite) lakelab(ctx context.Context, args ...string) *exec.Cmd {
	return b.command(ctx, filepath.Join(b.root, "bin", "lakelab"), append(args, "--lakehouse", b.lakehouse)...)
}

// prepare makes the data and runs the lessons that module 7 needs.
func (b *suite) prepare(ctx context.Context) error {
	if err := b.lakelab(ctx, "data").Run(); err != nil {
		return fmt.Errorf("data: %w", err)
	}
	for _, nb := range []string{"04_bronze", "05_silver"} {
		if err := b.nbconvert(ctx, filepath.Join(b.root, "notebooks", "solutions", nb+".ipynb")).Run(); err != nil {
			return fmt.Errorf("%s: %w", nb, err)
		}
	}
	return nil
}

func (b *suite) nbconvert(ctx context.Context, notebook string) *exec.Cmd {
	c := b.command(ctx, b.python(), "-m", "nbconvert", "--to", "notebook", "--execute", "--log-level", "ERROR", "--output-dir", b.dir, notebook)
	return c
}

// cells times warm cells.
func (b *suite) cells(ctx context.Context) error {
	out, err := b.command(ctx, b.python(), filepath.Join(b.dir, "cells.py"), "lakelab", b.dir).Output()
	if err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	var times map[string][]float64
	if err := json.Unmarshal(out, &times); err != nil {
		return err
	}
	fmt.Println("| warm cell | median, s | p95, s |\n|---|---|---|")
	for _, kind := range []string{"fmt, new", "fmt, reused", "SQL, new", "SQL, reused"} {
		t := times[kind]
		slices.Sort(t)
		fmt.Printf("| %s | %.3f | %.3f |\n", kind, t[len(t)/2], t[len(t)*95/100])
	}
	fmt.Println()
	return nil
}

// module7 runs the lesson, Trino cells left out, with new cells and again with its builds reused, and the same in PySpark.
func (b *suite) module7(ctx context.Context) error {
	lesson, err := withoutTrino(filepath.Join(b.root, "notebooks", "solutions", "07_safe_table_changes.ipynb"), filepath.Join(b.dir, "module7.ipynb"))
	if err != nil {
		return err
	}
	fmt.Println("| module 7 through nbconvert | wall, s | CPU, s | peak memory, MiB |\n|---|---|---|---|")
	row := func(name string, u usage) {
		fmt.Printf("| %s | %.1f | %.1f | %d |\n", name, u.wall.Seconds(), u.cpu.Seconds(), u.peak>>20)
	}
	var ours []usage
	for i, name := range []string{"lakelab, new cells", "lakelab, builds reused"} {
		if err := b.lakelab(ctx, "engine", "stop").Run(); err != nil {
			return err
		}
		c := b.nbconvert(ctx, lesson)
		if i == 0 {
			c.Env = append(c.Env, "LAKELAB_NO_REUSE=1")
		} else if err := b.nbconvert(ctx, lesson).Run(); err != nil {
			return err
		}
		u, err := measure(ctx, fmt.Sprint("ours", i, time.Now().UnixNano()), c, b.lakelab(ctx, "engine", "stop").Run)
		if err != nil {
			return fmt.Errorf("module 7: %w", err)
		}
		ours = append(ours, u)
		row(name, u)
	}
	env := os.Getenv("LAKELAB_PYSPARK_ENV")
	if env == "" {
		fmt.Println("\nPySpark was not measured: LAKELAB_PYSPARK_ENV is not set.")
		return nil
	}
	shell := func(line string) *exec.Cmd {
		c := b.command(ctx, "bash", "-c", ". "+env+" && "+line)
		var quiet bytes.Buffer
		c.Stderr = &quiet
		return c
	}
	if err := shell("python prepare_pyspark.py " + filepath.Join(b.lakehouse, "data") + " && python pyspark_module7.py pyspark.ipynb").Run(); err != nil {
		return fmt.Errorf("prepare PySpark: %w", err)
	}
	u, err := measure(ctx, fmt.Sprint("spark", time.Now().UnixNano()), shell("python -m nbconvert --to notebook --execute --log-level ERROR --output out.ipynb pyspark.ipynb"), func() error { return nil })
	if err != nil {
		return fmt.Errorf("PySpark: %w", err)
	}
	row("PySpark", u)
	fmt.Printf("\nPySpark / lakelab: wall %.1f with new cells, %.1f with reused builds; CPU %.1f; memory %.1f\n",
		u.wall.Seconds()/ours[0].wall.Seconds(), u.wall.Seconds()/ours[1].wall.Seconds(), u.cpu.Seconds()/ours[0].cpu.Seconds(), float64(u.peak)/float64(ours[0].peak))
	return nil
}

// withoutTrino copies a notebook without the cells that ask Trino.
func withoutTrino(from, to string) (string, error) {
	b, err := os.ReadFile(from)
	if err != nil {
		return "", err
	}
	var nb map[string]any
	if err := json.Unmarshal(b, &nb); err != nil {
		return "", err
	}
	cells, _ := nb["cells"].([]any)
	var kept []any
	for _, c := range cells {
		text, _ := json.Marshal(c)
		if !bytes.Contains(text, []byte("TrinoQuery(")) {
			kept = append(kept, c)
		}
	}
	nb["cells"] = kept
	if b, err = json.Marshal(nb); err != nil {
		return "", err
	}
	return to, os.WriteFile(to, b, 0o644)
}
