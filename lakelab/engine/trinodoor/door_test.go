package trinodoor

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// page is a QueryResults page.
type page struct {
	ID, InfoURI, NextURI, UpdateType string
	UpdateCount                      *int64
	Columns                          *[]struct {
		Name, Type    string
		TypeSignature json.RawMessage
	}
	Data  [][]json.RawMessage
	Stats struct{ State string }
	Error *struct {
		Message, ErrorName, ErrorType string
		ErrorCode                     int
		ErrorLocation                 *struct{ LineNumber, ColumnNumber int }
		FailureInfo                   struct{ Suppressed, Stack []string }
	}
	Warnings []any
}

func request(t *testing.T, method, url, body string, headers ...string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

func decoded(t *testing.T, r io.Reader) (p page) {
	t.Helper()
	if err := json.NewDecoder(r).Decode(&p); err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t *testing.T, status int, body string) page {
	t.Helper()
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	var p page
	if err := json.Unmarshal([]byte(body), &p); err != nil {
		t.Fatal(err, body)
	}
	return p
}

func post(t *testing.T, d *Door, sql string, headers ...string) page {
	t.Helper()
	status, _, body := request(t, "POST", d.URL()+"/v1/statement", sql, append([]string{"X-Trino-User", "alice"}, headers...)...)
	return read(t, status, body)
}

func get(t *testing.T, url string) (page, http.Header) {
	t.Helper()
	status, h, body := request(t, "GET", url, "")
	return read(t, status, body), h
}

// pagesOf runs a statement to its end: all of its pages behind the POST's answer, and the last one's headers.
func pagesOf(t *testing.T, d *Door, sql string, headers ...string) ([]page, http.Header) {
	t.Helper()
	p := post(t, d, sql, headers...)
	if p.Data != nil || p.Columns != nil || p.NextURI == "" || p.Warnings == nil || p.InfoURI == "" {
		t.Fatalf("POST answered %+v", p)
	}
	var out []page
	var h http.Header
	for p.NextURI != "" {
		p, h = get(t, p.NextURI)
		out = append(out, p)
	}
	return out, h
}

func TestListensOnLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "10.0.0.1:0", "example.org:0", "127.0.0.1"} {
		if d, err := Listen(addr, &statements{}); err == nil {
			d.Close()
			t.Errorf("listened on %q", addr)
		}
	}
}

func TestEveryTypeOnTheWire(t *testing.T) {
	d, _ := open(t)
	pages, _ := pagesOf(t, d, "SELECT every type", "X-Trino-Client-Capabilities", "PATH,PARAMETRIC_DATETIME")
	first := pages[0]
	for i, want := range recorded {
		c := (*first.Columns)[i]
		if got := [3]string{c.Type, string(c.TypeSignature), string(first.Data[0][i])}; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.Name, got, want)
		}
		if v := first.Data[1][i]; string(v) != "null" {
			t.Errorf("%s: NULL is %s", c.Name, v)
		}
	}
	if len(pages) != 1 || first.Stats.State != "FINISHED" {
		t.Errorf("%d pages, the first is %s: a small result needs one", len(pages), first.Stats.State)
	}
}

func TestTimesOfOldClients(t *testing.T) {
	d, _ := open(t)
	pages, _ := pagesOf(t, d, "SELECT every type")
	for i, want := range map[int][2]string{
		6: {"timestamp", `"2024-01-01 10:00:00.123"`}, 7: {"timestamp with time zone", `"2024-01-01 10:00:00.123 UTC"`},
		8: {"time", `"10:11:12.123"`}, 17: {"array(timestamp)", `["2024-01-01 10:00:00.123"]`},
	} {
		if c := (*pages[0].Columns)[i]; c.Type != want[0] || string(pages[0].Data[0][i]) != want[1] {
			t.Errorf("%s %s, want %s", c.Type, pages[0].Data[0][i], want)
		}
	}
}

func TestPages(t *testing.T) {
	d, b := openWith(t, 1)
	p := post(t, d, "SELECT pages")
	var data []string
	for p.NextURI != "" {
		url := p.NextURI
		var h http.Header
		_, _, before := request(t, "GET", url, "")
		if p, h = get(t, url); h.Get("Content-Type") != "application/json" {
			t.Error(h)
		}
		if _, _, again := request(t, "GET", url, ""); again != before {
			t.Errorf("asked again, the page is\n%s\nnot\n%s", again, before)
		}
		for _, r := range p.Data {
			data = append(data, string(r[0]))
		}
	}
	if got := strings.Join(data, " "); got != "1 2 3 4" {
		t.Error(got)
	}
	if n := b.closed.Load(); n != 1 {
		t.Errorf("closed %d times", n)
	}
	if pages, _ := pagesOf(t, d, "SELECT nothing"); len(pages) != 1 || pages[0].Data != nil || len(*pages[0].Columns) != 1 {
		t.Errorf("%+v", pages)
	}
}

func TestPagesThatAreGone(t *testing.T) {
	d, _ := openWith(t, 1)
	p := post(t, d, "SELECT pages")
	first := p.NextURI
	p, _ = get(t, first)
	get(t, p.NextURI)
	if status, _, _ := request(t, "GET", first, ""); status != http.StatusGone {
		t.Errorf("an old page: %d", status)
	}
	for _, url := range []string{
		d.URL() + "/v1/statement/executing/20240101_000000_00000_aaaaa/y0/0",
		d.URL() + "/v1/statement/executing/" + p.ID + "/y0/0",
		first + "x",
	} {
		if status, _, body := request(t, "GET", url, ""); status != http.StatusNotFound || body != "Error 404 Not Found: Query not found" {
			t.Errorf("%s: %d %s", url, status, body)
		}
	}
}

func TestLongPoll(t *testing.T) {
	d, _ := open(t)
	began := time.Now()
	p, _ := get(t, post(t, d, "SELECT slowly").NextURI)
	if took := time.Since(began); p.Stats.State != "RUNNING" || p.NextURI == "" || p.Columns == nil || len(*p.Columns) != 1 || took < longPoll || took > longPoll+400*time.Millisecond {
		t.Errorf("%v: %+v", took, p)
	}
	if p, _ = get(t, p.NextURI); len(p.Data) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestStatementsWithoutRows(t *testing.T) {
	d, _ := open(t)
	pages, _ := pagesOf(t, d, "CREATE SCHEMA s")
	if p := pages[0]; p.Columns == nil || len(*p.Columns) != 0 || p.UpdateType != "CREATE SCHEMA" || p.UpdateCount != nil || p.Data != nil {
		t.Errorf("%+v", p)
	}
	pages, _ = pagesOf(t, d, "INSERT")
	if p := pages[0]; p.UpdateType != "INSERT" || *p.UpdateCount != 2 || (*p.Columns)[0].Name != "rows" || (*p.Columns)[0].Type != "bigint" || string(p.Data[0][0]) != "2" {
		t.Errorf("%+v", p)
	}
}

func TestSessionHeaders(t *testing.T) {
	d, b := open(t)
	_, h := pagesOf(t, d, "USE lakehouse.demo", "X-Trino-Catalog", "c", "X-Trino-Schema", "s", "X-Trino-Time-Zone", "Europe/Oslo",
		"X-Trino-Session", "a=1%2C2,b=x+y", "X-Trino-Prepared-Statement", "%D0%BC%D0%BE%D0%B9+p=SELECT+%3F")
	s := <-b.sessions
	if s.User != "alice" || s.Catalog != "c" || s.Schema != "s" || s.TimeZone != "Europe/Oslo" || s.Properties["a"] != "1,2" || s.Properties["b"] != "x y" || s.Prepared["мой p"] != "SELECT ?" {
		t.Errorf("%+v", s)
	}
	for k, want := range map[string]string{
		"X-Trino-Set-Catalog": "lakehouse", "X-Trino-Set-Schema": "demo", "X-Trino-Set-Session": "a.b=x%2C+y", "X-Trino-Clear-Session": "c",
		"X-Trino-Added-Prepare": "%D0%BC%D0%BE%D0%B9+p=SELECT+%3F", "X-Trino-Deallocated-Prepare": "q%2B",
	} {
		if h.Get(k) != want {
			t.Errorf("%s: %q, want %q", k, h.Get(k), want)
		}
	}
}

func TestErrors(t *testing.T) {
	d, _ := open(t)
	for sql, want := range map[string]struct {
		message, name, kind string
		code                int
	}{
		"SELECT pickup_borough FROM trips": {"line 1:8: Column 'pickup_borough' cannot be resolved", "COLUMN_NOT_FOUND", "USER_ERROR", 47},
		"SELECT defect":                    {"context deadline exceeded", "GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", 65536},
		"SELECT late error":                {"Division by zero", "DIVISION_BY_ZERO", "USER_ERROR", 8},
		"SELECT panic":                     {"internal error: a defect of the engine", "GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", 65536},
		"SELECT interval":                  {"interval {1 1 0} has no form in Trino", "GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", 65536},
	} {
		pages, _ := pagesOf(t, d, sql)
		p := pages[len(pages)-1]
		e := p.Error
		if e == nil || e.Message != want.message || e.ErrorName != want.name || e.ErrorType != want.kind || e.ErrorCode != want.code || p.Stats.State != "FAILED" || e.FailureInfo.Stack == nil {
			t.Errorf("%s: %+v", sql, e)
		}
		if at := e.ErrorLocation; (at != nil) != strings.HasPrefix(want.message, "line ") || at != nil && (at.LineNumber != 1 || at.ColumnNumber != 8) {
			t.Errorf("%s: at %+v", sql, at)
		}
	}
}

func TestRefusals(t *testing.T) {
	d, _ := open(t)
	at := d.URL() + "/v1/statement"
	status, h, body := request(t, "POST", at, "SELECT 1")
	if status != 401 || body != "Basic authentication or X-Trino-Original-User or X-Trino-User must be sent" || h.Get("WWW-Authenticate") != `Basic realm="Trino"` {
		t.Error(status, h, body)
	}
	if status, _, body := request(t, "POST", at, "", "X-Trino-User", "alice"); status != 400 || body != "Error 400 Bad Request: SQL statement is empty" {
		t.Error(status, body)
	}
	if status, h, _ := request(t, "GET", at, ""); status != 405 || h.Get("Allow") != "HEAD,POST,OPTIONS" {
		t.Error(status, h)
	}
	if status, _, _ := request(t, "HEAD", at, ""); status != 200 {
		t.Error(status)
	}
	if status, _, body := request(t, "GET", d.URL()+"/v1/info", ""); status != 200 || !strings.Contains(body, `"nodeVersion":{"version":"476"}`) || !strings.Contains(body, `"starting":false`) {
		t.Error(status, body)
	}
}

func TestCancel(t *testing.T) {
	for name, urlOf := range map[string]func(d *Door, p page) string{
		"next page": func(_ *Door, p page) string { return p.NextURI },
		"query":     func(d *Door, p page) string { return d.URL() + "/v1/query/" + p.ID },
	} {
		t.Run(name, func(t *testing.T) {
			d, b := open(t)
			p := post(t, d, "SELECT endlessly")
			p, _ = get(t, p.NextURI)
			if status, _, body := request(t, "DELETE", urlOf(d, p), "", "X-Trino-User", "alice"); status != 204 || body != "" {
				t.Fatal(status, body)
			}
			p, _ = get(t, p.NextURI)
			if p.Error == nil || p.Error.ErrorName != "USER_CANCELED" || p.Error.ErrorCode != 3 || p.Stats.State != "FAILED" {
				t.Errorf("%+v", p)
			}
			wait(t, func() bool { return b.closed.Load() == 1 })
		})
	}
}

// Queries that a client polls stay; those that it left are cancelled and freed.
// A query that is killed has failed at once, for its client and in the list, while the backend still works for it.
func TestKilledAtOnce(t *testing.T) {
	d, b := open(t)
	p := post(t, d, "SELECT deaf")
	wait(t, func() bool { return b.began.Load() == 1 })
	began := time.Now()
	session := <-b.sessions
	if _, ok := session.Queries.Kill(p.ID, errclass.TrinoKilled("enough")); !ok {
		t.Fatal("the query is not known")
	}
	if q, _ := session.Queries.Find(p.ID); q.State != "FAILED" || q.Failure == nil || q.Failure.Name != "ADMINISTRATIVELY_KILLED" {
		t.Errorf("in the list: %+v", q)
	}
	p, _ = get(t, p.NextURI)
	if took := time.Since(began); took > time.Second || p.Error == nil || p.Error.ErrorName != "ADMINISTRATIVELY_KILLED" || p.NextURI != "" {
		t.Errorf("after %v: %+v", took, p)
	}
}

func TestAbandonedQueries(t *testing.T) {
	d, b := open(t)
	kept, left := post(t, d, "SELECT endlessly"), post(t, d, "SELECT endlessly")
	d.mu.Lock()
	long := time.Now().Add(-abandonedAfter - time.Second).UnixNano()
	d.queries[kept.ID].used.Store(long)
	d.queries[left.ID].used.Store(long)
	d.mu.Unlock()
	polled := make(chan page)
	go func() {
		p, _ := get(t, kept.NextURI)
		polled <- p
	}()
	wait(t, func() bool { return d.queries[kept.ID].idle() < time.Minute })
	d.forget()
	if p := <-polled; p.Stats.State != "RUNNING" {
		t.Errorf("%+v", p)
	}
	if status, _, _ := request(t, "GET", left.NextURI, ""); status != 404 {
		t.Error(status)
	}
	wait(t, func() bool { return b.closed.Load() == 1 })
}

func TestClose(t *testing.T) {
	d, b := open(t)
	p := post(t, d, "SELECT endlessly")
	get(t, p.NextURI)
	for range 2 {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := b.closed.Load(); n != 1 {
		t.Errorf("%d results freed", n)
	}
}

func wait(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited for nothing")
		}
	}
}
