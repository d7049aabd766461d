//go:build linux

package main

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine"
)

// icebergSizes says how much the Iceberg part does.
type icebergSizes struct {
	rows, commits, mergeInto, mergeFrom int
	plans                               []int // data files of the tables on which planning is measured
}

// sizesOf are the sizes at a scale; 1 is the whole.
func sizesOf(scale float64) icebergSizes {
	n := func(whole int) int { return max(10, int(float64(whole)*scale)) }
	return icebergSizes{n(3_000_000), n(1000), n(1_000_000), n(10_000), []int{n(100), n(10_000), n(100_000)}}
}

// iceberg measures what a team does to tables: CREATE TABLE AS and a scan of many rows beside plain Parquet in DuckDB, many small
// commits and their compaction, MERGE, and planning on tables of many files; and the same in PyIceberg and, where it is set up, in Spark.
func (b *suite) iceberg(ctx context.Context) error {
	scale, err := strconv.ParseFloat(cmp.Or(os.Getenv("LAKELAB_ICEBERG_SCALE"), "1"), 64)
	if err != nil {
		return fmt.Errorf("LAKELAB_ICEBERG_SCALE: %w", err)
	}
	size := sizesOf(scale)
	dir := filepath.Join(b.dir, "iceberg")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.Setenv("LAKELAB_DATA_ROOTS", dir); err != nil {
		return err
	}
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	r := &icebergRun{size: size, dir: dir, lakehouse: filepath.Join(dir, "lakehouse"), trips: filepath.Join(dir, "trips.parquet"), db: db, seconds: map[string]float64{}}
	if err := r.data(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{r.duck, r.tables, r.planning} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	others := map[string]map[string]float64{}
	if others["PyIceberg"], err = r.other(ctx, b, "pyiceberg", ""); err != nil {
		return err
	}
	if env := os.Getenv("LAKELAB_PYSPARK_ENV"); env != "" {
		if others["Spark"], err = r.other(ctx, b, "spark", env); err != nil {
			return err
		}
	}
	r.print(others)
	return nil
}

// icebergRun is one run of the Iceberg part.
type icebergRun struct {
	size                  icebergSizes
	dir, lakehouse, trips string
	plans                 []string // folders of the tables on which planning is measured
	db                    *sql.DB
	seconds               map[string]float64
	memory                map[string]uint64
	duckSeconds           map[string]float64
}

// data makes the rows, and the files for planning: many names of one small file.
func (r *icebergRun) data(ctx context.Context) error {
	_, err := r.db.ExecContext(ctx, fmt.Sprintf(`COPY (SELECT i AS id, TIMESTAMP '2024-01-01' + to_seconds(i * 7 %% 2678400) AS pickup, TIMESTAMP '2024-01-01' + to_seconds(i * 7 %% 2678400 + 60 + hash(i) %% 3600) AS dropoff,
		CAST(1 + hash(i) %% 6 AS INTEGER) AS passengers, round(hash(i * 3) %% 3000 / 100, 2) AS distance, round(3 + hash(i * 5) %% 9000 / 100, 2) AS fare,
		CAST(1 + hash(i * 11) %% 263 AS INTEGER) AS location, 'zone ' || (hash(i * 13) %% 263) AS zone FROM range(%d) r(i)) TO '%s' (FORMAT parquet, COMPRESSION zstd)`, r.size.rows, r.trips))
	if err != nil {
		return err
	}
	seed := filepath.Join(r.dir, "seed.parquet")
	if _, err := r.db.ExecContext(ctx, "COPY (SELECT i AS id FROM range(10) r(i)) TO '"+seed+"' (FORMAT parquet)"); err != nil {
		return err
	}
	for _, files := range r.size.plans {
		folder := filepath.Join(r.dir, fmt.Sprintf("files-%d", files))
		r.plans = append(r.plans, folder)
		for i := range files {
			in := filepath.Join(folder, fmt.Sprintf("p=%d", i%1000))
			if err := os.MkdirAll(in, 0o755); err != nil {
				return err
			}
			if err := os.Link(seed, filepath.Join(in, fmt.Sprintf("%d.parquet", i))); err != nil {
				return err
			}
		}
	}
	return nil
}

const tripsQuery = "SELECT sum(fare), avg(distance), max(zone) FROM "

// duck times plain Parquet in DuckDB.
func (r *icebergRun) duck(ctx context.Context) error {
	r.duckSeconds = map[string]float64{}
	plain := filepath.Join(r.dir, "plain.parquet")
	_, took, err := fastest(func() ([][]string, error) {
		_, err := r.db.ExecContext(ctx, "COPY (SELECT * FROM read_parquet('"+r.trips+"')) TO '"+plain+"' (FORMAT parquet, COMPRESSION zstd)")
		return nil, err
	})
	if err != nil {
		return err
	}
	r.duckSeconds["ctas"] = took.Seconds()
	_, took, err = fastest(func() ([][]string, error) { return askDuck(ctx, r.db, tripsQuery+"read_parquet('"+plain+"')") })
	r.duckSeconds["scan"] = took.Seconds()
	return err
}

// tables times what is done to tables.
func (r *icebergRun) tables(ctx context.Context) error {
	e, err := engine.Open(ctx, r.lakehouse)
	if err != nil {
		return err
	}
	defer e.Close()
	s := e.Session("", "bench", r.dir)
	timed := func(name, text string, best bool) error {
		run := func() ([][]string, error) { return askEngine(ctx, s, text) }
		if best {
			_, took, err := fastest(run)
			r.seconds[name] = took.Seconds()
			return err
		}
		begun := time.Now()
		_, err := run()
		r.seconds[name] = time.Since(begun).Seconds()
		return err
	}
	must := func(texts ...string) error {
		for _, t := range texts {
			if _, err := askEngine(ctx, s, t); err != nil {
				return fmt.Errorf("%s: %w", t, err)
			}
		}
		return nil
	}
	if err := must("CREATE NAMESPACE lakehouse.bench"); err != nil {
		return err
	}
	if err := timed("ctas", "CREATE OR REPLACE TABLE lakehouse.bench.trips USING iceberg AS SELECT * FROM parquet.`"+r.trips+"`", true); err != nil {
		return err
	}
	if err := timed("scan", tripsQuery+"lakehouse.bench.trips", true); err != nil {
		return err
	}
	if err := must("CREATE TABLE lakehouse.bench.events (id BIGINT, v STRING) USING iceberg"); err != nil {
		return err
	}
	took := make([]float64, r.size.commits)
	for i := range took {
		begun := time.Now()
		if err := must(fmt.Sprintf("INSERT INTO lakehouse.bench.events VALUES (%d, 'x')", i)); err != nil {
			return err
		}
		took[i] = time.Since(begun).Seconds()
	}
	tenth := max(1, len(took)/10)
	r.seconds["commits"], r.seconds["first commits"], r.seconds["last commits"] = sum(took), sum(took[:tenth])/float64(tenth), sum(took[len(took)-tenth:])/float64(tenth)
	if err := timed("compaction", "CALL lakehouse.system.rewrite_data_files('bench.events')", false); err != nil {
		return err
	}
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		if err := must(fmt.Sprintf("CREATE OR REPLACE TABLE lakehouse.bench.target USING iceberg TBLPROPERTIES ('write.merge.mode' = '%s') AS SELECT id, concat('v', id) AS v FROM range(%d)", mode, r.size.mergeInto)); err != nil {
			return err
		}
		merge := fmt.Sprintf("MERGE INTO lakehouse.bench.target AS t USING (SELECT id + %d - %d / 2 AS id, 'new' AS v FROM range(%d)) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
			r.size.mergeInto, r.size.mergeFrom, r.size.mergeFrom)
		if err := timed("merge, "+mode, merge, false); err != nil {
			return err
		}
	}
	return nil
}

// planning times a query of one partition on tables of many files: cold in an engine that has just begun, and again.
func (r *icebergRun) planning(ctx context.Context) error {
	r.memory = map[string]uint64{}
	for i, folder := range r.plans {
		e, err := engine.Open(ctx, r.lakehouse)
		if err != nil {
			return err
		}
		s := e.Session("", "bench", r.dir)
		for _, text := range []string{fmt.Sprintf("CREATE TABLE lakehouse.bench.plan%d (id BIGINT, p INT) USING iceberg PARTITIONED BY (p)", i),
			fmt.Sprintf("CALL lakehouse.system.add_files(table => 'bench.plan%d', source_table => '`parquet`.`%s`')", i, folder)} {
			if _, err := askEngine(ctx, s, text); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		}
		if err := e.Close(); err != nil {
			return err
		}
		if e, err = engine.Open(ctx, r.lakehouse); err != nil {
			return err
		}
		s = e.Session("", "bench", r.dir)
		name := fmt.Sprintf("planning, %d files", r.size.plans[i])
		query := fmt.Sprintf("SELECT sum(id) FROM lakehouse.bench.plan%d WHERE p = 17", i)
		before := heap()
		begun := time.Now()
		if _, err := askEngine(ctx, s, query); err != nil {
			return err
		}
		r.seconds[name+", cold"] = time.Since(begun).Seconds()
		r.memory[name] = max(heap(), before) - before
		_, took, err := fastest(func() ([][]string, error) { return askEngine(ctx, s, query) })
		if err != nil {
			return err
		}
		r.seconds[name] = took.Seconds()
		if err := e.Close(); err != nil {
			return err
		}
	}
	return nil
}

// heap is how many bytes Go's memory holds.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func sum(list []float64) (total float64) {
	for _, x := range list {
		total += x
	}
	return total
}

// other runs the steps in another engine's Python; env is a shell script that puts it on PATH, empty for this repository's own.
func (r *icebergRun) other(ctx context.Context, b *suite, kind, env string) (map[string]float64, error) {
	steps, err := json.Marshal(map[string]any{"trips": r.trips, "commits": r.size.commits, "merge": []int{r.size.mergeInto, r.size.mergeFrom}, "plans": r.plans[:2]})
	if err != nil {
		return nil, err
	}
	c := b.command(ctx, b.python(), "iceberg.py", kind, r.dir, string(steps))
	if env != "" {
		c = b.command(ctx, "bash", "-c", ". "+env+" && python iceberg.py \"$@\"", "bash", kind, r.dir, string(steps))
	}
	var out, messages bytes.Buffer
	c.Stdout, c.Stderr = &out, &messages
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", kind, err, messages.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	seconds := map[string]float64{}
	return seconds, json.Unmarshal([]byte(lines[len(lines)-1]), &seconds)
}

// print prints the table.
func (r *icebergRun) print(others map[string]map[string]float64) {
	fmt.Println("\n| Iceberg | lakelab, s | DuckDB on Parquet, s | PyIceberg, s | Spark, s |\n|---|---|---|---|---|")
	cell := func(m map[string]float64, name string) string {
		if s, ok := m[name]; ok {
			return fmt.Sprintf("%.3f", s)
		}
		return ""
	}
	row := func(title, name string) {
		fmt.Printf("| %s | %s | %s | %s | %s |\n", title, cell(r.seconds, name), cell(r.duckSeconds, name), cell(others["PyIceberg"], name), cell(others["Spark"], name))
	}
	row(fmt.Sprintf("CREATE TABLE AS, %d rows", r.size.rows), "ctas")
	row("scan of three columns of it", "scan")
	row(fmt.Sprintf("%d commits of one row", r.size.commits), "commits")
	row("one of the first tenth of them", "first commits")
	row("one of the last tenth", "last commits")
	row("compaction of their files", "compaction")
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		row(fmt.Sprintf("MERGE of %d rows, half matching, into %d, %s", r.size.mergeFrom, r.size.mergeInto, mode), "merge, "+mode)
	}
	for _, files := range r.size.plans {
		name := fmt.Sprintf("planning, %d files", files)
		row(fmt.Sprintf("query of one partition, %d files, first (%d MiB of memory)", files, r.memory[name]>>20), name+", cold")
		row(fmt.Sprintf("the same again, %d files", files), name)
	}
}
