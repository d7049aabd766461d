package trinodoor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

func ask(t *testing.T, d *Door, sql string) (*Rows, error) {
	t.Helper()
	c := d.Client()
	defer c.Close()
	return c.Query(context.Background(), Query{SQL: sql, User: "alice", State: State{Catalog: "lakehouse", Schema: "demo"}})
}

func TestClientValues(t *testing.T) {
	d, b := open(t)
	r, err := ask(t, d, "SELECT every type;\n")
	if err != nil {
		t.Fatal(err)
	}
	if s := <-b.sessions; s.User != "alice" || s.Catalog != "lakehouse" || s.Schema != "demo" {
		t.Errorf("%+v", s)
	}
	want := []any{
		int64(9007199254740993), int64(7), true, "Осло <&>", "12.50", "2024-01-01", "2024-01-01 10:00:00.123456", "2024-01-01 10:00:00.123456 UTC",
		"10:11:12.123456", 0.1, 1.0, inf, []byte{0xca, 0xfe}, "12151fd2-7586-11e9-8f9e-2a86e4085a59", "1 00:00:00.000", "2-0",
		[]any{"a", nil}, []any{"2024-01-01 10:00:00.123456"},
		[]types.Entry{{Key: "k", Value: nil}, {Key: "z", Value: int64(1)}}, []types.Entry{{Key: int64(1), Value: "a"}},
		[]any{59.9, 10.7},
	}
	for i, f := range everyType {
		if r.Columns[i] != f.Name || r.Types[i] != recorded[i][0] {
			t.Errorf("column %s %s, want %s %s", r.Columns[i], r.Types[i], f.Name, recorded[i][0])
		}
		if !reflect.DeepEqual(r.Rows[0][i], want[i]) {
			t.Errorf("%s: %#v, want %#v", f.Name, r.Rows[0][i], want[i])
		}
		if r.Rows[1][i] != nil {
			t.Errorf("%s: NULL is %#v", f.Name, r.Rows[1][i])
		}
	}
}

func TestClientResults(t *testing.T) {
	d, b := openWith(t, 40_000) // some pages for the large result
	for sql, want := range map[string]*Rows{
		"SELECT pages":    {Columns: []string{"n"}, Types: []string{"bigint"}, Rows: [][]any{{int64(1)}, {int64(2)}, {int64(3)}, {int64(4)}}},
		"SELECT nothing":  {Columns: []string{"n"}, Types: []string{"bigint"}},
		"SELECT slowly":   {Columns: []string{"n"}, Types: []string{"bigint"}, Rows: [][]any{{int64(1)}}},
		"CREATE SCHEMA s": {UpdateType: "CREATE SCHEMA"},
		"INSERT":          {Columns: []string{"rows"}, Types: []string{"bigint"}, Rows: [][]any{{int64(2)}}, UpdateType: "INSERT"},
	} {
		r, err := ask(t, d, sql)
		if r != nil {
			r.State = State{} // TestClientState
		}
		if err != nil || !reflect.DeepEqual(r, want) {
			t.Errorf("%s: %+v, %v; want %+v", sql, r, err, want)
		}
	}
	if r, err := ask(t, d, "SELECT many"); err != nil || len(r.Rows) != 200_000 {
		t.Errorf("many pages: %v", err)
	}
	if n := b.closed.Load(); n != 6 {
		t.Errorf("%d results closed", n)
	}
}

// What a statement changes in the session comes back, and goes along with the next.
func TestClientState(t *testing.T) {
	d, b := open(t)
	c := d.Client()
	defer c.Close()
	state := State{Catalog: "c", Schema: "s", Properties: map[string]string{"a.b": "1", "c": "2"}, Prepared: map[string]string{"q+": "SELECT 1"}}
	for _, sql := range []string{"USE lakehouse.demo", "START TRANSACTION", "SELECT nothing"} {
		r, err := c.Query(t.Context(), Query{SQL: sql, User: "alice", State: state})
		if err != nil {
			t.Fatal(sql, err)
		}
		state = r.State
		if s := <-b.sessions; sql == "SELECT nothing" && (s.Catalog != "lakehouse" || s.Schema != "demo" || s.Transaction != transactionID ||
			!reflect.DeepEqual(s.Properties, map[string]string{"a.b": "x, y"}) || !reflect.DeepEqual(s.Prepared, map[string]string{"мой p": "SELECT ?"})) {
			t.Errorf("%+v", s)
		}
	}
	if r, err := c.Query(t.Context(), Query{SQL: "COMMIT", User: "alice", State: state}); err != nil || r.State.Transaction != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestClientErrors(t *testing.T) {
	d, _ := open(t)
	_, err := ask(t, d, "SELECT pickup_borough FROM trips")
	var e *errclass.Error
	if !errors.As(err, &e) || e.Exception != "TrinoUserError" || e.Class != "COLUMN_NOT_FOUND" || e.Code != 47 || e.Text() != "line 1:8: Column 'pickup_borough' cannot be resolved" {
		t.Errorf("%#v", err)
	}
	if _, err := ask(t, d, "SELECT late error"); !errors.As(err, &e) || e.Class != "DIVISION_BY_ZERO" || e.Text() != "Division by zero" {
		t.Errorf("%#v", err)
	}
	if _, err := ask(t, d, "SELECT defect"); !errors.As(err, &e) || e.Exception != "TrinoQueryError" || e.Code != 65536 {
		t.Errorf("%#v", err)
	}
	d.Close()
	began := time.Now()
	if _, err := ask(t, d, "SELECT pages"); !errors.As(err, &e) || e.Exception != "TrinoConnectionError" {
		t.Errorf("the door is closed: %v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the door is closed: noticed after %v", took)
	}
}

func TestClientProgress(t *testing.T) {
	d, _ := open(t)
	var seen []float64 // Query has ended when it is read
	_, err := d.Client().Query(context.Background(), Query{
		SQL: "SELECT slowly", User: "alice", State: State{Catalog: "lakehouse"}, Progress: func(percent float64) { seen = append(seen, percent) },
	})
	if err != nil || len(seen) == 0 || seen[0] != 0 || slices.Max(seen) > 100 || !slices.IsSorted(seen) {
		t.Errorf("%v, %v", seen, err)
	}
}

func TestClientCancels(t *testing.T) {
	d, b := open(t)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := d.Client().Query(ctx, Query{SQL: "SELECT endlessly", User: "alice", State: State{Catalog: "lakehouse"}})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 2*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	wait(t, func() bool { return b.closed.Load() == 1 })
}

// Python's trino is what other people's notebooks and Superset use.
func TestPythonClient(t *testing.T) {
	python, err := filepath.Abs("../../../.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if p := os.Getenv("LAKELAB_PYTHON"); p != "" {
		python = p
	}
	if err := exec.Command(python, "-c", "import trino").Run(); err != nil {
		t.Fatalf("no trino package in %s (make test installs it): %v", python, err)
	}
	d, _ := openWith(t, 40_000)
	port := d.URL()[strings.LastIndexByte(d.URL(), ':')+1:]
	out, err := exec.Command(python, "testdata/client.py", port).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile("testdata/client.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != string(want) {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

func TestClientOrderOfKeys(t *testing.T) {
	s := clientSignature{raw: "map", inside: []clientSignature{{raw: "bigint"}, {raw: "varchar"}}}
	got := s.plain(map[string]any{"10": "b", "2": "a", "-1": nil})
	if want := []types.Entry{{Key: int64(-1), Value: nil}, {Key: int64(2), Value: "a"}, {Key: int64(10), Value: "b"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%#v", got)
	}
}

func TestClientOffsets(t *testing.T) {
	s := clientSignature{raw: "timestamp with time zone", digits: 3}
	for text, want := range map[string]string{"2024-01-01T10:00:00+03:00": "2024-01-01 10:00:00.000 +03:00", "2024-01-01T10:00:00-00:30": "2024-01-01 10:00:00.000 -00:30"} {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.plain(at); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
