package trinodoor

import (
	"encoding/json"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A result is never held whole: while a million rows pass, the heap stays within some pages.
func TestMillionRowsInFlatMemory(t *testing.T) {
	d, b := open(t)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most := heap(), uint64(0)
	rows, pages, bytes := 0, 0, 0
	for next := post(t, d, "SELECT a million").NextURI; next != ""; pages++ {
		_, _, body := request(t, "GET", next, "")
		var p struct {
			NextURI string
			Data    []json.RawMessage
			Stats   struct{ ProcessedRows int }
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			t.Fatal(err)
		}
		rows, next = rows+len(p.Data), p.NextURI
		bytes += len(body)
		if p.Stats.ProcessedRows != rows {
			t.Fatalf("page %d: %d rows processed, %d came", pages, p.Stats.ProcessedRows, rows)
		}
		if pages%10 == 5 {
			most = max(most, heap())
		}
	}
	if rows != 1_000_000 || b.closed.Load() != 1 {
		t.Errorf("%d rows, closed %d times", rows, b.closed.Load())
	}
	if grown := int64(most) - int64(before); grown > 16*pageBytes {
		t.Errorf("%d bytes in %d pages need %d bytes of heap", bytes, pages, grown)
	}
	t.Logf("%d bytes in %d pages; heap %d -> %d", bytes, pages, before, most)
}

// A batch larger than a page is divided; an empty one is not the end.
func TestBigBatch(t *testing.T) {
	d, _ := open(t)
	pages, _ := pagesOf(t, d, "SELECT one batch")
	rows := 0
	for _, p := range pages {
		if len(p.Data) > pageBytes/100_000+1 {
			t.Errorf("a page of %d rows, 100 kB each", len(p.Data))
		}
		rows += len(p.Data)
	}
	if rows != 50 {
		t.Errorf("%d rows", rows)
	}
}

func TestStats(t *testing.T) {
	d, _ := open(t)
	p := post(t, d, "SELECT slowly")
	if p.Stats.State != "QUEUED" {
		t.Errorf("POST: %s", p.Stats.State)
	}
	read := func(next string) (stats, string) {
		_, _, body := request(t, "GET", next, "")
		var p queryResults
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			t.Fatal(err)
		}
		return p.Stats, p.NextURI
	}
	s, next := read(p.NextURI)
	if s.State != "RUNNING" || s.RunningSplits != 1 || s.ProgressPercentage != 0 || s.ElapsedTimeMillis < 900 {
		t.Errorf("running: %+v", s)
	}
	for next != "" {
		s, next = read(next)
	}
	if s.State != "FINISHED" || s.CompletedSplits != 1 || s.ProgressPercentage != 100 || s.ProcessedRows != 1 || s.WallTimeMillis < 2900 || s.WallTimeMillis > s.ElapsedTimeMillis {
		t.Errorf("finished: %+v", s)
	}
}

// What infoUri and the list of queries tell, while queries run and when they have ended.
func TestQueryInfo(t *testing.T) {
	d, _ := open(t)
	read := func(path string, v any) {
		t.Helper()
		status, _, body := request(t, "GET", d.URL()+path, "", "X-Trino-User", "alice")
		if err := json.Unmarshal([]byte(body), v); err != nil || status != http.StatusOK {
			t.Fatal(path, status, err, body)
		}
	}
	failed := post(t, d, "SELECT pickup_borough FROM trips")
	get(t, failed.NextURI)
	pagesOf(t, d, "SELECT pages")
	cancelled := post(t, d, "SELECT endlessly")
	endless := post(t, d, "SELECT endlessly")
	request(t, "DELETE", d.URL()+"/v1/query/"+cancelled.ID, "", "X-Trino-User", "alice")
	var one queryInfo
	read(strings.TrimPrefix(failed.InfoURI, d.URL()), &one)
	if one.QueryID != failed.ID || one.State != "FAILED" || one.Session.User != "alice" || one.Query != "SELECT pickup_borough FROM trips" || one.ErrorType != "USER_ERROR" ||
		one.ErrorCode.Name != "COLUMN_NOT_FOUND" || one.ErrorCode.Code != 47 || one.FailureInfo.Message == "" || one.Stats.Ended == "" || one.Self != failed.InfoURI {
		t.Errorf("%+v", one)
	}
	var all, some []queryInfo
	read("/v1/query", &all)
	var states []string
	for _, q := range all {
		state := q.State
		if q.ErrorCode != nil {
			state += " " + q.ErrorCode.Name
		}
		states = append(states, state)
	}
	if want := []string{"FAILED COLUMN_NOT_FOUND", "FINISHED", "FAILED USER_CANCELED", "RUNNING"}; !slices.Equal(states, want) {
		t.Errorf("states %q, want %q", states, want)
	}
	read("/v1/query?state=running&state=FINISHED", &some)
	if len(some) != 2 || some[1].QueryID != endless.ID || some[1].Stats.Ended != "" {
		t.Errorf("%+v", some)
	}
	// What the door has let go of, the history still knows.
	d.mu.Lock()
	d.forgetAfter, d.abandonedAfter = 0, 0
	d.mu.Unlock()
	d.forget()
	read("/v1/query/"+endless.ID, &one)
	if one.State != "FAILED" || one.ErrorCode.Name != "ABANDONED_QUERY" {
		t.Errorf("%+v", one)
	}
	read("/v1/query/"+failed.ID, &one)
	if one.ErrorCode.Name != "COLUMN_NOT_FOUND" {
		t.Errorf("%+v", one)
	}
	if status, _, _ := request(t, "GET", d.URL()+"/v1/query/20240101_000000_00000_aaaaa", "", "X-Trino-User", "alice"); status != http.StatusGone {
		t.Errorf("an unknown query: %d", status)
	}
}

func TestTransactionHeaders(t *testing.T) {
	d, b := open(t)
	_, h := pagesOf(t, d, "START TRANSACTION", "X-Trino-Transaction-Id", "NONE")
	if s := <-b.sessions; s.Transaction != "NONE" || h.Get("X-Trino-Started-Transaction-Id") != transactionID {
		t.Errorf("%+v %v", s, h)
	}
	_, h = pagesOf(t, d, "COMMIT", "X-Trino-Transaction-Id", transactionID)
	if s := <-b.sessions; s.Transaction != transactionID || h.Get("X-Trino-Clear-Transaction-Id") != "true" {
		t.Errorf("%+v %v", s, h)
	}
}

// hosted sends a request under another host name.
func hosted(t *testing.T, d *Door, host string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("POST", d.URL()+"/v1/statement", strings.NewReader("SELECT nothing"))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("X-Trino-User", "alice")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var p page
	if resp.StatusCode == http.StatusOK {
		if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
			t.Fatal(err)
		}
	}
	return resp.StatusCode, p.NextURI
}

func TestHosts(t *testing.T) {
	d, _ := open(t)
	for _, host := range []string{"evil.example:8080", "evil.example", "localhost.evil.example", ""} {
		// An empty Host sends the URL's own: allowed.
		if status, _ := hosted(t, d, host); (status == http.StatusForbidden) == (host == "") {
			t.Errorf("host %q: %d", host, status)
		}
	}
	for _, host := range []string{"localhost:8080", "localhost", "127.0.0.1:1", "[::1]:8080"} {
		if status, next := hosted(t, d, host); status != http.StatusOK || !strings.HasPrefix(next, "http://"+host+"/v1/statement/") {
			t.Errorf("host %q: %d %s", host, status, next)
		}
	}
}

// A browser says where a request comes from; what another site's page sends is refused.
func TestOtherSites(t *testing.T) {
	d, _ := open(t)
	for _, c := range []struct {
		status  int
		headers []string
	}{
		{http.StatusOK, nil},
		{http.StatusOK, []string{"Sec-Fetch-Site", "same-origin"}},
		{http.StatusOK, []string{"Origin", "http://localhost"}},
		{http.StatusForbidden, []string{"Sec-Fetch-Site", "cross-site"}},
		{http.StatusForbidden, []string{"Sec-Fetch-Site", "same-site"}},
		{http.StatusForbidden, []string{"Origin", "http://evil.example"}},
		{http.StatusForbidden, []string{"Origin", "null"}},
	} {
		if status, _ := hosted(t, d, "localhost", c.headers...); status != c.status {
			t.Errorf("%q: %d", c.headers, status)
		}
	}
}

func TestMalformedHeaders(t *testing.T) {
	d, _ := open(t)
	for _, h := range [][2]string{{"X-Trino-Session", "a"}, {"X-Trino-Prepared-Statement", "p=%zz"}, {"X-Trino-Prepared-Statement", "%zz=p"}, {"X-Trino-Transaction-Id", "nonsense"}, {"X-Trino-Schema", "s"}} {
		status, _, body := request(t, "POST", d.URL()+"/v1/statement", "SELECT nothing", "X-Trino-User", "alice", h[0], h[1])
		if status != http.StatusBadRequest || !strings.HasPrefix(body, "Error 400 Bad Request: ") {
			t.Errorf("%s: %d %s", h, status, body)
		}
	}
	post(t, d, "SELECT nothing", "X-Trino-Session", "") // Python's client always sends it
}

func TestErrorTypes(t *testing.T) {
	// Codes as Trino numbers them: SYNTAX_ERROR, GENERIC_INTERNAL_ERROR, EXCEEDED_TIME_LIMIT, ICEBERG_COMMIT_ERROR.
	for code, want := range map[int]string{1: "USER_ERROR", 65536: "INTERNAL_ERROR", 131075: "INSUFFICIENT_RESOURCES", 84148230: "EXTERNAL"} {
		if got := errorType(code); got != want {
			t.Errorf("%d is %s, want %s", code, got, want)
		}
	}
}
