package trinodoor_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/trinodb/trino-go-client/trino" // the driver "trino"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
)

// Load on the engine's door. The whole of it is run on demand (make load-trino sets LAKELAB_TRINO_LOAD): a few minutes; go test runs a
// small part of it.

// amount picks the size of a test.
func amount(small, whole int) int {
	if os.Getenv("LAKELAB_TRINO_LOAD") != "" {
		return whole
	}
	return small
}

// openEngine serves a lakehouse with the schema load and in it a table of the numbers from 1 to 10000.
func openEngine(t *testing.T) (*trinodoor.Door, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lakehouse")
	e, err := engine.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := trinodoor.Listen("127.0.0.1:0", e.Trino())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(d.Close(), e.Close()); err != nil {
			t.Error(err)
		}
	})
	db := connect(t, d)
	do(t, db, "CREATE SCHEMA lakehouse.load")
	do(t, db, "CREATE TABLE numbers AS SELECT x FROM UNNEST(sequence(1, 10000)) t(x)")
	return d, dir
}

func connect(t *testing.T, d *trinodoor.Door) *sql.DB {
	t.Helper()
	db, err := sql.Open("trino", strings.Replace(d.URL(), "http://", "http://load@", 1)+"?catalog=lakehouse&schema=load&source=load")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func do(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// resident is the process's memory, DuckDB's and Go's together, in bytes. Garbage is collected and given back first.
func resident(t *testing.T) int64 {
	t.Helper()
	debug.FreeOSMemory()
	return memory(t)
}

// settled is the process's memory when it gets less no more: DuckDB's allocator gives back what was freed some ten seconds later.
func settled(t *testing.T) int64 {
	t.Helper()
	quiet := time.Duration(amount(1, 15)) * time.Second
	least, since := resident(t), time.Now()
	for end := time.Now().Add(time.Minute); time.Since(since) < quiet && time.Now().Before(end); time.Sleep(time.Second) {
		if now := resident(t); now < least-1<<20 {
			least, since = now, time.Now()
		}
	}
	return least
}

// memory is the process's memory as it is.
func memory(t *testing.T) int64 {
	t.Helper()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("memory is read from /proc")
	}
	pages, err := strconv.ParseInt(strings.Fields(string(b))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// loadRounds is in how many rounds TestLoad's queries are made. After the first, in which pools and caches fill, memory stays.
const loadRounds = 4

// TestLoad lets many clients query and commit at once. No statement fails; every commit is there; memory stays where it was after the
// first round. Between rounds the table is compacted and its snapshots expire: what is kept for each file and snapshot of a table is not
// what a query leaves behind.
func TestLoad(t *testing.T) {
	clients, queries := amount(8, 50), amount(12, 200)
	d, _ := openEngine(t)
	admin := connect(t, d)
	do(t, admin, "CREATE TABLE trips (client bigint, n bigint, fare decimal(10, 2), note varchar)")
	do(t, admin, "INSERT INTO trips SELECT -1, x, x * DECIMAL '0.25', 'a trip' FROM UNNEST(sequence(1, 10000)) t(x)")
	do(t, admin, "CREATE TABLE commits (client bigint, n bigint)")
	dbs := make([]*sql.DB, clients)
	for c := range dbs {
		dbs[c] = connect(t, d)
	}
	work := func(from, to int) {
		var wg sync.WaitGroup
		failed := make(chan error, clients)
		for c, db := range dbs {
			wg.Go(func() {
				for n := from; n < to; n++ {
					if err := one(t.Context(), db, c, n); err != nil {
						failed <- fmt.Errorf("client %d, query %d: %w", c, n, err)
						return
					}
				}
			})
		}
		wg.Wait()
		close(failed)
		for err := range failed {
			t.Error(err)
		}
	}
	var took time.Duration
	var used, heap [loadRounds]int64
	for round := range loadRounds {
		began := time.Now()
		work(queries*round/loadRounds, queries*(round+1)/loadRounds)
		took += time.Since(began)
		do(t, admin, "ALTER TABLE commits EXECUTE optimize")
		do(t, admin, "ALTER TABLE commits EXECUTE expire_snapshots(retention_threshold => '0s')")
		d.Forget() // their answers would stay for a minute
		used[round] = settled(t)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap[round] = int64(m.HeapAlloc)
	}
	mib := func(of [loadRounds]int64) (out []int64) {
		for _, n := range of {
			out = append(out, n>>20)
		}
		return out
	}
	t.Logf("%d clients x %d queries in %v; memory after each round %d MiB, of it Go's heap %d", clients, queries, took.Round(time.Second), mib(used), mib(heap))
	if grown := used[loadRounds-1] - used[0]; grown > 32<<20 {
		t.Errorf("memory grew by %d MiB", grown>>20)
	}
	var commits, distinct int
	if err := admin.QueryRow("SELECT count(*), count(DISTINCT ROW(client, n)) FROM commits").Scan(&commits, &distinct); err != nil {
		t.Fatal(err)
	}
	want := 0
	for n := range queries {
		if n%commitEvery == 0 {
			want += clients
		}
	}
	if commits != want || distinct != want {
		t.Errorf("%d commits, %d different ones: want %d", commits, distinct, want)
	}
}

// commitEvery says which of a client's queries is a commit.
const commitEvery = 10

// one is a client's n-th statement.
func one(ctx context.Context, db *sql.DB, client, n int) error {
	if n%commitEvery == 0 {
		_, err := db.ExecContext(ctx, fmt.Sprintf("INSERT INTO commits VALUES (%d, %d)", client, n))
		return err
	}
	var got int
	query, want := "SELECT 1", 1
	switch n % 4 {
	case 1:
		query, want = "SELECT count(*) FROM trips WHERE client = -1 AND fare > 10.0", 9960
	case 2:
		query, want = fmt.Sprintf("SELECT count(*) FROM commits WHERE client = %d AND n < %d", client, n), (n+commitEvery-1)/commitEvery
	case 3:
		rows, err := db.QueryContext(ctx, "SELECT n, fare, note FROM trips WHERE n <= 500")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			got++
		}
		if err := rows.Err(); err != nil || got != 500 {
			return errors.Join(err, fmt.Errorf("%d rows", got))
		}
		return nil
	}
	if err := db.QueryRowContext(ctx, query).Scan(&got); err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%s: %d, want %d", query, got, want)
	}
	return nil
}

// heavy runs for a very long time, and big has a big result.
const (
	heavy = "SELECT count(*) FROM numbers a, numbers b, numbers c WHERE a.x * b.x % (c.x + 1) = 7"
	big   = "SELECT a.x, b.x, 'some text to fill the page' FROM numbers a, numbers b WHERE b.x <= 100"
)

// TestAbandoned lets clients go away: before the first page, after it, and in the middle of a long query. Nothing of their queries stays.
func TestAbandoned(t *testing.T) {
	n := amount(30, 1000)
	d, dir := openEngine(t)
	leavesNothing(t, d, dir, func() {
		d.Abandon(time.Hour) // until all of the round are there
		var wg sync.WaitGroup
		for worker := range 10 {
			wg.Go(func() {
				for i := worker; i < n; i += 10 {
					next := statement(t, d, []string{big, heavy, "SELECT 1"}[i%3])
					if i%2 == 0 {
						read(t, next)
					}
				}
			})
		}
		wg.Wait()
		d.Abandon(0)
	})
}

// TestCancelled cancels queries in each client's way: DELETE of the next page (Python, JDBC, the command line) and of the query (Go).
func TestCancelled(t *testing.T) {
	n := amount(30, 1000)
	d, dir := openEngine(t)
	db := connect(t, d)
	leavesNothing(t, d, dir, func() {
		d.Abandon(time.Hour)
		var wg sync.WaitGroup
		for worker := range 10 {
			wg.Go(func() {
				for i := worker; i < n; i += 10 {
					if i%2 == 0 {
						next := statement(t, d, []string{big, heavy}[i/2%2])
						r, _ := http.NewRequest(http.MethodDelete, next, nil)
						resp, err := http.DefaultClient.Do(r)
						if err != nil || resp.StatusCode != http.StatusNoContent {
							t.Error(resp, err)
							return
						}
						resp.Body.Close()
						continue
					}
					ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
					rows, err := db.QueryContext(ctx, heavy)
					if err == nil {
						for rows.Next() {
						}
						err = rows.Err()
						rows.Close()
					}
					cancel()
					if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
						t.Errorf("a cancelled query: %v", err)
					}
				}
			})
		}
		wg.Wait()
		d.Abandon(0)
	})
}

// leavesNothing runs some work twice: what is there after the first time may stay, such as pools and caches; the second adds nothing: no
// query, goroutine, file that was spilled, or memory.
func leavesNothing(t *testing.T, d *trinodoor.Door, dir string, work func()) {
	t.Helper()
	var goroutines [2]int
	var used, heap [2]int64
	before := runtime.NumGoroutine()
	for round := range 2 {
		began := time.Now()
		work()
		worked := time.Since(began)
		for end := time.Now().Add(30 * time.Second); d.Queries() > 0 && time.Now().Before(end); {
			time.Sleep(50 * time.Millisecond)
		}
		http.DefaultClient.CloseIdleConnections()
		for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before+20 && time.Now().Before(end); { // DuckDB lets go of what it did
			time.Sleep(50 * time.Millisecond)
		}
		t.Logf("round %d: %v, gone %v later", round+1, worked.Round(time.Millisecond), (time.Since(began) - worked).Round(time.Millisecond))
		goroutines[round], used[round] = runtime.NumGoroutine(), settled(t)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap[round] = int64(m.HeapAlloc)
		if q := d.Queries(); q != 0 {
			t.Fatalf("%d queries are left", q)
		}
	}
	t.Logf("goroutines %v, memory %d and %d MiB, Go's heap %d and %d KiB", goroutines, used[0]>>20, used[1]>>20, heap[0]>>10, heap[1]>>10)
	if goroutines[1] > before+20 {
		buf := make([]byte, 1<<20)
		t.Errorf("goroutines %v:\n%s", goroutines, buf[:runtime.Stack(buf, true)])
	}
	if grown := heap[1] - heap[0]; grown > 8<<20 {
		t.Errorf("Go's heap grew by %d MiB", grown>>20)
	}
	if grown := used[1] - used[0]; grown > 100<<20 { // DuckDB's allocator keeps some, now more, now less
		t.Errorf("memory grew by %d MiB", grown>>20)
	}
	spilled, err := filepath.Glob(filepath.Join(dir, ".lakelab", "spill", "*", "*"))
	if err != nil || len(spilled) > 0 {
		t.Errorf("files that were spilled: %v, %v", spilled, err)
	}
}

// statement posts a statement and returns the first page's address.
func statement(t *testing.T, d *trinodoor.Door, text string) string {
	r, err := http.NewRequest(http.MethodPost, d.URL()+"/v1/statement", strings.NewReader(text))
	if err != nil {
		t.Error(err)
		return ""
	}
	for name, value := range map[string]string{"User": "load", "Catalog": "lakehouse", "Schema": "load"} {
		r.Header.Set("X-Trino-"+name, value)
	}
	return nextOf(t, r)
}

func read(t *testing.T, url string) string {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Error(err)
		return ""
	}
	return nextOf(t, r)
}

func nextOf(t *testing.T, r *http.Request) string {
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	var page struct {
		NextURI string
		Error   *struct{ Message string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil {
		t.Error(err)
	}
	if page.Error != nil {
		t.Error(page.Error.Message)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	return page.NextURI
}

// bigQuery has so many rows, a multiple of 10,000.
func bigQuery(rows int) string {
	return fmt.Sprintf("SELECT a.x * 1000 + b.x, CAST(a.x AS varchar), a.x / 7e0 FROM numbers a, numbers b WHERE b.x <= %d", rows/10000)
}

// TestBigResult reads a result of many rows through the Go client. The process, client and engine together, needs no more memory in the
// middle than for the first tenth.
func TestBigResult(t *testing.T) {
	rows := amount(300_000, 10_000_000)
	d, _ := openEngine(t)
	db := connect(t, d)
	began := time.Now()
	r, err := db.QueryContext(t.Context(), bigQuery(rows))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n, first, most := 0, int64(0), int64(0)
	for r.Next() {
		var (
			id   int64
			text string
			f    float64
		)
		if err := r.Scan(&id, &text, &f); err != nil {
			t.Fatal(err)
		}
		n++
		if n == rows/10 {
			first = resident(t)
		}
		if n > rows/10 && n%(rows/20) == 0 {
			most = max(most, resident(t))
		}
	}
	if err := r.Err(); err != nil || n != rows {
		t.Fatalf("%d rows, %v", n, err)
	}
	t.Logf("%d rows in %v; memory %d MiB after a tenth, %d at most", n, time.Since(began).Round(time.Millisecond), first>>20, most>>20)
	if most-first > 150<<20 {
		t.Errorf("memory grew from %d to %d MiB", first>>20, most>>20)
	}
}
