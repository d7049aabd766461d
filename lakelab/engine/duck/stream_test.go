package duck

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// streamed starts a query on a connection of its own, which is closed at the end of the test.
func streamed(t *testing.T, ctx context.Context, query string) (*stream, *conn, error) {
	t.Helper()
	db, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	c, err := db.conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	s, err := c.stream(ctx, query)
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, c, err
}

// numbers reads up to n rows of one bigint each, and checks that they are 0, 1, 2 …
func numbers(t *testing.T, s *stream, n int) int {
	t.Helper()
	for i := range n {
		if !s.Next() {
			return i
		}
		var v any
		if err := s.Scan(&v); err != nil || v != int64(i) {
			t.Fatalf("row %d: %v, %v", i, v, err)
		}
	}
	return n
}

func TestStream(t *testing.T) {
	const many = 1 << 62
	for name, c := range map[string]struct {
		query string
		read  int // as many rows are read
		rows  int // and there are so many
		fails string
	}{
		"all":                            {"SELECT i FROM range(100000) r(i)", many, 100000, ""},
		"none":                           {"SELECT i FROM range(100000) r(i) WHERE i < 0", many, 0, ""},
		"some of more than memory holds": {"SELECT i FROM range(1000000000000) r(i)", 100000, 100000, ""},
		"a failure after many rows":      {"SELECT CASE WHEN i = 200000 THEN error('too late') ELSE i END FROM range(300000) r(i)", many, -1, "too late"},
	} {
		t.Run(name, func(t *testing.T) {
			s, conn, err := streamed(t, t.Context(), c.query)
			if err != nil {
				t.Fatal(err)
			}
			got := numbers(t, s, c.read)
			if c.rows >= 0 && got != c.rows || c.rows < 0 && (got < aheadChunks*2048 || got > 200000) {
				t.Errorf("%d rows", got)
			}
			err = s.Err()
			if err != nil && strings.Contains(err.Error(), interrupted) { // as Result finds the cause
				s.Close()
				err = (&Result{ctx: t.Context(), conn: conn, query: c.query, stream: true}).cause(err)
			}
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("the end: %v", err)
			}
			if err := errors.Join(s.Close(), s.Close()); err != nil {
				t.Error(err)
			}
			if _, err := conn.ExecContext(t.Context(), "SELECT 1"); err != nil {
				t.Errorf("the connection afterwards: %v", err)
			}
		})
	}
}

// The interruption of other threads hides an error no longer than until the query is run again; a query that does not fail again keeps
// it, and so does one that was cancelled.
func TestCause(t *testing.T) {
	_, conn, err := streamed(t, t.Context(), "SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	told := errors.New(interrupted + ": Interrupted!")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	const fails = "SELECT CASE WHEN i = 200000 THEN error('too late') ELSE i END FROM range(300000) r(i)"
	for _, stream := range []bool{true, false} {
		for _, c := range []struct {
			ctx   context.Context
			query string
			err   error
			want  string
		}{
			{t.Context(), fails, told, "too late"}, {t.Context(), "SELECT 1", told, "Interrupted!"}, {cancelled, fails, told, "Interrupted!"},
			{t.Context(), fails, errors.New("another"), "another"},
		} {
			if err := (&Result{ctx: c.ctx, conn: conn, query: c.query, stream: stream}).cause(c.err); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.query, err, c.want)
			}
		}
	}
}

// A failure within the first rows is one of the start: nothing was handed out.
func TestStreamFailsAtStart(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT CASE WHEN i = 5000 THEN error('early') ELSE i END FROM range(300000) r(i)":          "early",
		"SELECT sum(CASE WHEN i = 200000 THEN error('grouped') ELSE i END) FROM range(300000) r(i)": "Invalid Input Error: grouped",
		"SELECT nosuch":  "Binder Error",
		"SELECT 1 FROM ": "Parser Error",
	} {
		_, conn, err := streamed(t, t.Context(), query)
		if err = (&Result{ctx: t.Context(), conn: conn, query: query, stream: true}).cause(err); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "unsuccessful") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// A cancelled query ends soon, whether it has given rows or not, and its connection goes on.
func TestStreamCancelled(t *testing.T) {
	const heavy = "SELECT count(*) FROM range(10000000) a(x), range(10000000) b(y) WHERE x * y % 7 = 3"
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, _, err := streamed(t, ctx, heavy); err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("before the first row: %v after %v", err, time.Since(began))
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	s, conn, err := streamed(t, ctx, "SELECT i FROM range(1000000000000) r(i)")
	if err != nil {
		t.Fatal(err)
	}
	numbers(t, s, 10)
	cancel()
	for s.Next() { // what was fetched already
	}
	if !errors.Is(failure(ctx, s.Err()), context.Canceled) {
		t.Errorf("after some rows: %v", s.Err())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := conn.ExecContext(t.Context(), "SELECT 1"); err != nil {
		t.Errorf("the connection afterwards: %v", err)
	}
}
