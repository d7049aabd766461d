//go:build linux

package main

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
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
	return icebergSizes{n(3_000_000), n(1000), n(1_000_000), n(10_000), slices.Compact([]int{n(100), n(10_000), n(100_000)})}
}

// iceberg measures what a team does to tables: CREATE TABLE AS and a scan of many rows beside plain Parquet in DuckDB, many small
// commits and their compaction, MERGE, and planning on tables of many files; and the same in PyIceberg and, where it is set up, in Spark.
// What was measured is printed even if an engine fails.
func (b *suite) iceberg(ctx context.Context) (err error) {
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
	r := &icebergRun{size: size, dir: dir, lakehouse: filepath.Join(dir, "lakehouse"), trips: filepath.Join(dir, "trips.parquet"), db: db,
		ours: figures{}, duckdb: figures{}, others: map[string]figures{}}
	defer r.print()
	type step struct {
		name string
		do   func(context.Context) error
	}
	steps := []step{{"data", r.data}, {"the disk", r.disk}, {"DuckDB", r.duck}, {"lakelab", r.tables}, {"lakelab, planning", r.planning},
		{"PyIceberg", func(ctx context.Context) error { return r.other(ctx, b, "PyIceberg", "") }}}
	if env := os.Getenv("LAKELAB_PYSPARK_ENV"); env != "" {
		steps = append(steps, step{"Spark", func(ctx context.Context) error { return r.other(ctx, b, "Spark", env) }})
	}
	for _, step := range steps {
		begun := time.Now()
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Fprintf(os.Stderr, "iceberg: %s took %.0f s\n", step.name, time.Since(begun).Seconds())
	}
	return nil
}

// figures are an engine's results by name: seconds, and MiB under names that end in ", MiB".
type figures map[string]float64

// icebergRun is one run of the Iceberg part.
type icebergRun struct {
	size                  icebergSizes
	dir, lakehouse, trips string
	folders, plans        []string // of the tables on which planning is measured: the files, and the current metadata file
	db                    *sql.DB
	ours, duckdb          figures
	others                map[string]figures
}

// namesOfFile is how many names the files for planning have each: file systems bound the number of a file's links.
const namesOfFile = 10_000

// data makes the rows, and the files for planning: many names of a few small files.
func (r *icebergRun) data(ctx context.Context) error {
	_, err := r.db.ExecContext(ctx, fmt.Sprintf(`COPY (SELECT i AS id, TIMESTAMP '2024-01-01' + to_seconds(i * 7 %% 2678400) AS pickup, TIMESTAMP '2024-01-01' + to_seconds(i * 7 %% 2678400 + 60 + hash(i) %% 3600) AS dropoff,
		CAST(1 + hash(i) %% 6 AS INTEGER) AS passengers, round(hash(i * 3) %% 3000 / 100, 2) AS distance, round(3 + hash(i * 5) %% 9000 / 100, 2) AS fare,
		CAST(1 + hash(i * 11) %% 263 AS INTEGER) AS location, 'zone ' || (hash(i * 13) %% 263) AS zone FROM range(%d) r(i)) TO '%s' (FORMAT parquet, COMPRESSION zstd)`, r.size.rows, r.trips))
	if err != nil {
		return err
	}
	seed := func(n int) string { return filepath.Join(r.dir, fmt.Sprintf("seed-%d.parquet", n)) }
	for n := range slices.Max(r.size.plans)/namesOfFile + 1 {
		if _, err := r.db.ExecContext(ctx, "COPY (SELECT i AS id FROM range(10) r(i)) TO '"+seed(n)+"' (FORMAT parquet)"); err != nil {
			return err
		}
	}
	for _, files := range r.size.plans {
		folder := filepath.Join(r.dir, fmt.Sprintf("files-%d", files))
		r.folders = append(r.folders, folder)
		for i := range files {
			in := filepath.Join(folder, fmt.Sprintf("p=%d", i%1000))
			if err := os.MkdirAll(in, 0o755); err != nil {
				return err
			}
			if err := os.Link(seed(i/namesOfFile), filepath.Join(in, fmt.Sprintf("%d.parquet", i))); err != nil {
				return err
			}
		}
	}
	return nil
}

// disk times what a commit waits for: a small new file, flushed.
func (r *icebergRun) disk(context.Context) error {
	const times = 100
	begun := time.Now()
	for i := range times {
		f, err := os.Create(filepath.Join(r.dir, fmt.Sprintf("flushed-%d", i)))
		if err != nil {
			return err
		}
		_, err = f.Write(make([]byte, 4096))
		if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	r.ours["flush"] = time.Since(begun).Seconds() / times
	return nil
}

const tripsQuery = "SELECT sum(fare), avg(distance), max(zone) FROM "

// duck times plain Parquet in DuckDB.
func (r *icebergRun) duck(ctx context.Context) error {
	plain := filepath.Join(r.dir, "plain.parquet")
	_, took, err := fastest(func() ([][]string, error) {
		_, err := r.db.ExecContext(ctx, "COPY (SELECT * FROM read_parquet('"+r.trips+"')) TO '"+plain+"' (FORMAT parquet, COMPRESSION zstd)")
		return nil, err
	})
	if err != nil {
		return err
	}
	r.duckdb["ctas"] = took.Seconds()
	_, took, err = fastest(func() ([][]string, error) { return askDuck(ctx, r.db, tripsQuery+"read_parquet('"+plain+"')") })
	r.duckdb["scan"] = took.Seconds()
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
			r.ours[name] = took.Seconds()
			return err
		}
		begun := time.Now()
		_, err := run()
		r.ours[name] = time.Since(begun).Seconds()
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
	r.ours["commits"], r.ours["first commits"], r.ours["last commits"] = sum(took), sum(took[:tenth])/float64(tenth), sum(took[len(took)-tenth:])/float64(tenth)
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

// planning times a query of one partition on tables of many files: first in an engine that has just begun, then again.
func (r *icebergRun) planning(ctx context.Context) error {
	for i, folder := range r.folders {
		e, err := engine.Open(ctx, r.lakehouse)
		if err != nil {
			return err
		}
		s := e.Session("", "bench", r.dir)
		var rows [][]string
		for _, text := range []string{fmt.Sprintf("CREATE TABLE lakehouse.bench.plan%d (id BIGINT, p INT) USING iceberg PARTITIONED BY (p)", i),
			fmt.Sprintf("CALL lakehouse.system.add_files(table => 'bench.plan%d', source_table => '`parquet`.`%s`')", i, folder),
			fmt.Sprintf("SELECT file FROM lakehouse.bench.plan%d.metadata_log_entries ORDER BY timestamp DESC LIMIT 1", i)} {
			if rows, err = askEngine(ctx, s, text); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		}
		r.plans = append(r.plans, rows[0][0])
		if err := e.Close(); err != nil {
			return err
		}
		if e, err = engine.Open(ctx, r.lakehouse); err != nil {
			return err
		}
		s = e.Session("", "bench", r.dir)
		name := fmt.Sprintf("planning, %d files", r.size.plans[i])
		query := fmt.Sprintf("SELECT sum(id) FROM lakehouse.bench.plan%d WHERE p = 7", i)
		debug.FreeOSMemory()
		grown, err := growth("self")
		if err != nil {
			return err
		}
		begun := time.Now()
		if _, err := askEngine(ctx, s, query); err != nil {
			return err
		}
		r.ours[name+", first"] = time.Since(begun).Seconds()
		if r.ours[name+", MiB"], err = grown(); err != nil {
			return err
		}
		_, took, err := fastest(func() ([][]string, error) { return askEngine(ctx, s, query) })
		if err != nil {
			return err
		}
		r.ours[name] = took.Seconds()
		if err := e.Close(); err != nil {
			return err
		}
	}
	return nil
}

// growth returns a function that says by how many MiB a process's resident memory rose at most since.
func growth(pid string) (func() (float64, error), error) {
	if err := os.WriteFile("/proc/"+pid+"/clear_refs", []byte("5"), 0); err != nil { // VmHWM begins anew
		return nil, err
	}
	read := func(key string) (float64, error) {
		b, err := os.ReadFile("/proc/" + pid + "/status")
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); f[0] == key+":" {
				n, err := strconv.ParseFloat(f[1], 64)
				return n / 1024, err
			}
		}
		return 0, errors.New("no " + key)
	}
	before, err := read("VmRSS")
	return func() (float64, error) {
		peak, err := read("VmHWM")
		return peak - before, err
	}, err
}

func sum(list []float64) (total float64) {
	for _, x := range list {
		total += x
	}
	return total
}

// othersLimit bounds what another engine may take.
const othersLimit = 20 * time.Minute

// other runs the steps in another engine's Python; env is a shell script that puts it on PATH, empty for this repository's own.
func (r *icebergRun) other(ctx context.Context, b *suite, name, env string) error {
	ctx, cancel := context.WithTimeout(ctx, othersLimit)
	defer cancel()
	plans := map[int]string{}
	for i, metadata := range r.plans {
		plans[r.size.plans[i]] = metadata
	}
	steps, err := json.Marshal(map[string]any{"trips": r.trips, "commits": r.size.commits, "merge": []int{r.size.mergeInto, r.size.mergeFrom}, "plans": plans})
	if err != nil {
		return err
	}
	args := []string{"iceberg.py", strings.ToLower(name), r.dir, string(steps)}
	c := b.command(ctx, b.python(), args...)
	if env != "" {
		c = b.command(ctx, "bash", append([]string{"-c", ". " + env + ` && exec python "$@"`, "bash"}, args...)...)
	}
	var out, messages bytes.Buffer
	c.Stdout, c.Stderr = &out, &messages
	err = c.Run()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	seen := figures{}
	if jerr := json.Unmarshal([]byte(lines[len(lines)-1]), &seen); err == nil {
		err = jerr
	}
	r.others[name] = seen
	if err != nil {
		return fmt.Errorf("%w\n%s", err, messages.String())
	}
	return nil
}

// print prints the table.
func (r *icebergRun) print() {
	columns := []figures{r.ours, r.duckdb, r.others["PyIceberg"], r.others["Spark"]}
	fmt.Println("\n| Iceberg | lakelab | DuckDB on Parquet | PyIceberg | Spark |\n|---|---|---|---|---|")
	row := func(title, name, format string) {
		line := "| " + title + " |"
		for _, c := range columns {
			if v, ok := c[name]; ok {
				line += fmt.Sprintf(" "+format+" |", v)
			} else {
				line += " |"
			}
		}
		fmt.Println(line)
	}
	seconds := func(title, name string) { row(title+", s", name, "%.3f") }
	seconds(fmt.Sprintf("CREATE TABLE AS, %d rows", r.size.rows), "ctas")
	seconds("scan of three columns of it", "scan")
	seconds("a new file of 4 KiB, flushed to this disk", "flush")
	seconds(fmt.Sprintf("%d commits of one row", r.size.commits), "commits")
	seconds("one of the first tenth of them", "first commits")
	seconds("one of the last tenth", "last commits")
	seconds("compaction of their files", "compaction")
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		seconds(fmt.Sprintf("MERGE of %d rows, half matching, into %d, %s", r.size.mergeFrom, r.size.mergeInto, mode), "merge, "+mode)
	}
	for _, files := range r.size.plans {
		name := fmt.Sprintf("planning, %d files", files)
		seconds(fmt.Sprintf("query of one partition of a table of %d files, first", files), name+", first")
		seconds("the same again", name)
		row("memory that the first one took at most, MiB", name+", MiB", "%.0f")
	}
	if c, d := r.ours["ctas"], r.duckdb["ctas"]; c > 0 && d > 0 {
		fmt.Printf("\nlakelab / DuckDB: CREATE TABLE AS %.2f, scan %.2f\n", c/d, r.ours["scan"]/r.duckdb["scan"])
	}
}
