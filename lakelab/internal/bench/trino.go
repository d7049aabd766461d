//go:build linux

package main

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/trinodb/trino-go-client/trino" // the driver "trino"

	"mini-lakehouse-lab/lakelab/internal/trinoserver"
)

// trinoRounds is how often the trivial query runs on a warm server; the median counts.
const trinoRounds = 200

// trinoWarm is how often every query runs before it is measured: Java compiles what it has seen often.
const trinoWarm = 5

// trino asks the engine's Trino door and a real Trino 476, by trino-go-client, about the same Iceberg tables in one lakehouse: SELECT 1, a
// count of 200,000 rows, TPC-H. The rows must be the same.
func (b *suite) trino(ctx context.Context) error {
	scale := cmp.Or(os.Getenv("LAKELAB_TPCH_SCALE"), "0.1")
	data, lakehouse := filepath.Join(b.dir, "tpch-trino"), filepath.Join(b.dir, "trino-lakehouse")
	if err := b.command(ctx, filepath.Join(b.root, ".venv", "bin", "tpchgen-cli"), "parquet", "-s", scale, "--output-dir", data).Run(); err != nil {
		return fmt.Errorf("tpchgen-cli: %w", err)
	}
	address, pid, stop, err := b.serveTrino(ctx, lakehouse, data)
	if err != nil {
		return err
	}
	defer stop()
	statements := []string{"CREATE SCHEMA IF NOT EXISTS lakehouse.tpch", "CREATE TABLE lakehouse.tpch.numbers AS SELECT id FROM range(200000)"}
	for _, t := range tpchTables {
		statements = append(statements, fmt.Sprintf("CREATE TABLE lakehouse.tpch.%s AS SELECT * FROM parquet.`%s`", t, filepath.Join(data, t+".parquet")))
	}
	for _, s := range statements {
		c := b.command(ctx, filepath.Join(b.root, "bin", "lakelab"), "sql", "--lakehouse", lakehouse, "-e", s)
		c.Env = append(c.Env, "LAKELAB_DATA_ROOTS="+data)
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	real, err := trinoserver.Start(ctx, trinoserver.Options{
		Dir: filepath.Join(b.dir, "trino"), Catalogs: map[string]string{"lakehouse": trinoserver.Lakehouse(lakehouse)},
	})
	if err != nil {
		return err
	}
	defer real.Stop()
	java, err := childOf(real.PID())
	if err != nil {
		return err
	}
	var ours, theirs *sql.DB
	for db, at := range map[**sql.DB]string{&ours: address, &theirs: real.URL} {
		if *db, err = connectTrino(at); err != nil {
			return err
		}
		defer (*db).Close()
	}
	fmt.Printf("\n| Trino's protocol, TPC-H at scale %s | lakelab, ms | Trino 476, ms | times faster | rows |\n|---|---|---|---|---|\n", scale)
	var sums [2]time.Duration
	row := func(name, text string, times int) error {
		got, t1, err := warm(ctx, ours, text, times)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		want, t2, err := warm(ctx, theirs, text, times)
		if err != nil {
			return fmt.Errorf("%s, a real Trino: %w", name, err)
		}
		verdict := strconv.Itoa(len(got))
		if diff := differ(got, want); diff != "" {
			verdict = "differ: " + diff
		}
		if times == rounds {
			sums[0], sums[1] = sums[0]+t1, sums[1]+t2
		}
		fmt.Printf("| %s | %s | %s | %.1f | %s |\n", name, millis(t1), millis(t2), t2.Seconds()/t1.Seconds(), verdict)
		return nil
	}
	if err := row("SELECT 1", "SELECT 1", trinoRounds); err != nil {
		return err
	}
	if err := row("count(*), 200,000 rows", "SELECT count(*) FROM numbers WHERE id % 7 < 5", trinoRounds/4); err != nil {
		return err
	}
	for _, q := range strings.Split(tpchQueries, "-- q")[1:] {
		name, text, _ := strings.Cut(q, "\n")
		if err := row("q"+name, strings.TrimRight(text, "; \n"), rounds); err != nil {
			return err
		}
	}
	fmt.Printf("| all of TPC-H | %s | %s | %.1f | |\n", millis(sums[0]), millis(sums[1]), sums[1].Seconds()/sums[0].Seconds())
	fmt.Printf("\nMemory afterwards: lakelab %d MiB, Trino %d MiB\n", pss(strconv.Itoa(pid))>>20, pss(strconv.Itoa(java))>>20)
	return nil
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }

// serveTrino starts the engine in the foreground and returns the address of its Trino door.
func (b *suite) serveTrino(ctx context.Context, lakehouse, data string) (address string, pid int, stop func(), err error) {
	c := b.command(ctx, filepath.Join(b.root, "bin", "lakelab"), "serve", "--lakehouse", lakehouse)
	c.Env = append(c.Env, "LAKELAB_DATA_ROOTS="+data)
	c.Stderr = nil
	out, err := c.StdoutPipe()
	if err != nil {
		return "", 0, nil, err
	}
	if err := c.Start(); err != nil {
		return "", 0, nil, err
	}
	stop = func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var ready struct{ Trino string }
	if err = errors.Join(err, json.Unmarshal(line, &ready)); err != nil {
		stop()
		return "", 0, nil, fmt.Errorf("lakelab serve: %w", err)
	}
	return ready.Trino, c.Process.Pid, stop, nil
}

func connectTrino(address string) (*sql.DB, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	u.User = url.User("bench")
	u.RawQuery = "catalog=lakehouse&schema=tpch&source=bench"
	return sql.Open("trino", u.String())
}

// warm runs a query until it is warm, then measures it; the median counts.
func warm(ctx context.Context, db *sql.DB, text string, n int) (rows [][]string, median time.Duration, err error) {
	var times []time.Duration
	for i := range trinoWarm + n {
		begun := time.Now()
		if rows, err = askDuck(ctx, db, text); err != nil {
			return nil, 0, err
		}
		if i >= trinoWarm {
			times = append(times, time.Since(begun))
		}
	}
	slices.Sort(times)
	return rows, times[len(times)/2], nil
}

// childOf is the process under a launcher, which is the process itself if it has replaced the launcher.
func childOf(pid int) (int, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0, err
	}
	if f := strings.Fields(string(b)); len(f) > 0 {
		return strconv.Atoi(f[0])
	}
	return pid, nil
}
