package trinodoor

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// canned answers with rows of every type, an error, DDL, or something slow; the protocol is what is tested.
type canned struct{}

type cannedResult struct {
	schema types.Type
	rows   [][]any
	pages  int
	update string
	count  int64
}

func (canned) Execute(ctx context.Context, s Session, sql string) (Result, error) {
	switch {
	case strings.HasPrefix(sql, "SELECT city"):
		at := token.Span{Start: token.Pos{Offset: 7, Line: 1, Col: 7}}
		return nil, errclass.TrinoColumnNotFound("city").At(at)
	case strings.HasPrefix(sql, "DROP"):
		return &cannedResult{schema: types.StructOf(), update: "DROP TABLE", count: -1}, nil
	case strings.HasPrefix(sql, "INSERT"):
		return &cannedResult{schema: types.StructOf(), update: "INSERT", count: 2}, nil
	case strings.HasPrefix(sql, "SLOW"):
		<-ctx.Done()
		return nil, ctx.Err()
	case strings.HasPrefix(sql, "MANY"):
		rows := make([][]any, 1000)
		for i := range rows {
			rows[i] = []any{int64(i)}
		}
		return &cannedResult{schema: types.StructOf(types.Field{Name: "n", Type: types.Of(types.Long)}), rows: rows, pages: 200, count: -1}, nil
	case strings.HasPrefix(sql, "EMPTY"):
		return &cannedResult{schema: types.StructOf(types.Field{Name: "n", Type: types.Of(types.Long)}), count: -1}, nil
	}
	str := types.Of(types.String)
	return &cannedResult{schema: types.StructOf(
		types.Field{Name: "l", Type: types.Of(types.Long)}, types.Field{Name: "i", Type: types.Of(types.Int)}, types.Field{Name: "d", Type: types.Of(types.Double)},
		types.Field{Name: "dec", Type: types.DecimalOf(10, 2)}, types.Field{Name: "s", Type: str}, types.Field{Name: "b", Type: types.Of(types.Boolean)},
		types.Field{Name: "dt", Type: types.Of(types.Date)}, types.Field{Name: "tsn", Type: types.Of(types.TimestampNTZ)}, types.Field{Name: "ts", Type: types.Of(types.Timestamp)},
		types.Field{Name: "arr", Type: types.ArrayOf(str, true)}, types.Field{Name: "m", Type: types.MapOf(str, types.Of(types.Int), true)},
		types.Field{Name: "r", Type: types.StructOf(types.Field{Name: "x", Type: types.Of(types.Int)}, types.Field{Name: "y", Type: str})},
		types.Field{Name: "nul", Type: str},
	), rows: [][]any{{
		int64(9007199254740993), int64(-1), 1.5, types.Dec("12.50"), "Привет", true, types.Days(19723), types.Micros(1704103200123456), types.Micros(1704103200123456),
		[]any{"a", nil}, []types.Entry{{Key: "k", Value: int64(1)}}, []any{int64(1), "y"}, nil,
	}}, pages: 1, count: -1}, nil
}

func (r *cannedResult) Schema() types.Type { return r.schema }
func (r *cannedResult) Next() ([][]any, error) {
	if r.pages == 0 {
		return nil, nil
	}
	r.pages--
	return r.rows, nil
}
func (r *cannedResult) Close() error               { return nil }
func (r *cannedResult) UpdateType() string         { return r.update }
func (r *cannedResult) UpdateCount() (int64, bool) { return r.count, r.count >= 0 }
func (r *cannedResult) Changes() Changes           { return Changes{} }

func open(t *testing.T) *Door {
	t.Helper()
	d, err := Listen("127.0.0.1:0", canned{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestRefusesOtherAddresses(t *testing.T) {
	if d, err := Listen("0.0.0.0:0", canned{}); err == nil {
		d.Close()
		t.Fatal("the door opened on every address")
	}
}

func TestGoClient(t *testing.T) {
	c := NewClient(open(t).URL())
	run := func(sql string) (*Rows, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		return c.Query(ctx, Query{SQL: sql, User: "test", Catalog: "lakehouse"})
	}
	r, err := run("TYPES")
	if err != nil {
		t.Fatal(err)
	}
	got := r.Rows[0]
	for i, want := range []any{int64(9007199254740993), int64(-1), 1.5, "12.50", "Привет", true, "2024-01-01", "2024-01-01 10:00:00.123456", "2024-01-01 10:00:00.123456 UTC"} {
		if got[i] != want {
			t.Errorf("column %s: got %v (%T), want %v", r.Columns[i], got[i], got[i], want)
		}
	}
	if got[12] != nil {
		t.Errorf("NULL arrived as %v", got[12])
	}
	if _, err := run("SELECT city FROM t"); err == nil || err.Error() != "line 1:8: Column 'city' cannot be resolved" {
		t.Errorf("got error %v", err)
	}
	var e *errclass.Error
	if _, err := run("SELECT city FROM t"); !errors.As(err, &e) || e.Class != "COLUMN_NOT_FOUND" || e.Code != 47 {
		t.Errorf("the error lost its name: %#v", e)
	}
	if r, err := run("DROP TABLE t"); err != nil || len(r.Columns) != 0 {
		t.Errorf("DDL: %v %v", r, err)
	}
	if r, err := run("MANY"); err != nil || len(r.Rows) != 200_000 {
		t.Errorf("200 pages: %d rows, %v", len(r.Rows), err)
	}
	if r, err := run("EMPTY"); err != nil || len(r.Rows) != 0 || len(r.Columns) != 1 {
		t.Errorf("no rows: %v %v", r, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := c.Query(ctx, Query{SQL: "SLOW", User: "test", Catalog: "lakehouse"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancel: %v", err)
	}
}

func TestHTTP(t *testing.T) {
	d := open(t)
	do := func(method, path, body, user string) (int, string) {
		req, err := http.NewRequest(method, d.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if user != "" {
			req.Header.Set("X-Trino-User", user)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(b)
	}
	for _, c := range []struct {
		method, path, body, user string
		status                   int
		text                     string
	}{
		{"POST", "/v1/statement", "", "u", 400, "SQL statement is empty"},
		{"POST", "/v1/statement", "SELECT 1", "", 401, "X-Trino-User must be sent"},
		{"HEAD", "/v1/statement", "", "", 200, ""},
		{"GET", "/v1/statement", "", "", 405, ""},
		{"GET", "/v1/statement/executing/x/y/0", "", "u", 404, "Query not found"},
		{"GET", "/v1/info", "", "", 200, `"starting":false`},
	} {
		if status, text := do(c.method, c.path, c.body, c.user); status != c.status || !strings.Contains(text, c.text) {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.path, status, text, c.status, c.text)
		}
	}
}

// TestPythonClient runs Python's trino client against the door.
func TestPythonClient(t *testing.T) {
	python, err := filepath.Abs("../../../.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if exec.Command(python, "-c", "import trino").Run() != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the test environment lacks Python's trino client")
		}
		t.Skip("Python's trino client is not installed: make test does it")
	}
	d := open(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(d.URL(), "http://"), ":")
	script := `
import sys, trino
cur = trino.dbapi.connect(host="127.0.0.1", port=int(sys.argv[1]), user="u", catalog="lakehouse").cursor()
cur.execute("TYPES"); print(cur.fetchall())
cur.execute("MANY"); print(len(cur.fetchall()))
cur.execute("DROP TABLE t"); print(cur.fetchall())
try:
    cur.execute("SELECT city FROM t"); cur.fetchall()
except trino.exceptions.TrinoUserError as e:
    print(e.error_name, e.message)
`
	out, err := exec.Command(python, "-c", script, port).CombinedOutput()
	want := "[[9007199254740993, -1, 1.5, Decimal('12.50'), 'Привет', True, datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1, 10, 0, 0, 123456), " +
		"datetime.datetime(2024, 1, 1, 10, 0, 0, 123456, tzinfo=zoneinfo.ZoneInfo(key='UTC')), ['a', None], {'k': 1}, (x: 1, y: 'y'), None]]\n200000\n[]\n" +
		"COLUMN_NOT_FOUND line 1:8: Column 'city' cannot be resolved\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n got %s\nwant %s", err, out, want)
	}
}
