package trinodoor

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// Requests that no good client makes. The answers are those of a real Trino 476.
func TestOddRequests(t *testing.T) {
	d, _ := open(t)
	forwarded := func(path, header string) string {
		message := "Server configuration does not allow processing of the " + header + " header"
		return "HTTP ERROR 406 " + message + "\nURI: " + d.URL() + path + "\nSTATUS: 406\nMESSAGE: " + message + "\n"
	}
	const noUser = "Basic authentication or X-Trino-Original-User or X-Trino-User must be sent"
	for _, c := range []struct {
		method, path string
		headers      []string
		status       int
		body         string
	}{
		{"GET", "/v1/info", []string{"X-Forwarded-For", "1.2.3.4"}, 406, forwarded("/v1/info", "X-Forwarded-For")},
		{"GET", "/v1/info", []string{"x-forwarded-for", ""}, 406, forwarded("/v1/info", "X-Forwarded-For")},
		{"GET", "/v1/info", []string{"X-Forwarded-Anything", "x"}, 406, forwarded("/v1/info", "X-Forwarded-Anything")},
		{"GET", "/nosuch", []string{"X-Forwarded-Host", "h", "X-Forwarded-Proto", "https"}, 406, forwarded("/nosuch", "X-Forwarded-Host")},
		{"POST", "/v1/statement", []string{"X-Trino-User", "alice", "X-Forwarded-Proto", "https"}, 406, forwarded("/v1/statement", "X-Forwarded-Proto")},
		{"GET", "/v1/info/state", []string{"Forwarded", "for=1.2.3.4", "X-Real-Ip", "1.2.3.4", "Via", "x"}, 200, "\"ACTIVE\"\n"},
		{"GET", "/v1/info/coordinator", nil, 200, ""},
		{"GET", "/nosuch", nil, 404, "Error 404 Not Found: HTTP 404 Not Found"},
		{"PUT", "/v1/statement", nil, 405, ""},
		{"DELETE", "/v1/statement", nil, 405, ""},
		{"GET", "/v1/query/x", []string{"X-Trino-User", "alice"}, 410, "Error 410 Gone: HTTP 410 Gone"},
		{"DELETE", "/v1/query/x", []string{"X-Trino-User", "alice"}, 204, ""},
		{"DELETE", "/v1/query/x", nil, 401, noUser},
		{"POST", "/v1/statement", []string{"Authorization", "Bearer x"}, 401, noUser},
		{"POST", "/v1/statement", []string{"Authorization", "Basic dTpw"}, 401, "Password not allowed for insecure authentication"},
		{"POST", "/v1/statement", []string{"Authorization", "Basic !!!", "X-Trino-User", "alice"}, 401, "Invalid base64 encoded credentials"},
		{"POST", "/v1/statement", []string{"Authorization", "Basic Og=="}, 401, "Malformed credentials: user is empty"},
		{"POST", "/v1/statement", []string{"X-Trino-User", "alice", "X-Trino-Session", "a=b=c"}, 400, "Error 400 Bad Request: Invalid X-Trino-Session header"},
		{"POST", "/v1/statement", []string{"X-Trino-User", "alice", "X-Trino-Resource-Estimate", "EXECUTION_TIME"}, 400, "Error 400 Bad Request: Invalid X-Trino-Resource-Estimate header"},
		{"POST", "/v1/statement", []string{"X-Trino-User", "alice", "X-Trino-Resource-Estimate", "CPU_TIME=5m,SPEED=5m"}, 400, "Error 400 Bad Request: Unsupported resource name SPEED"},
		{"OPTIONS", "/v1/statement", nil, 200, ""},
		{"POST", "/v1/statement", []string{"X-Trino-User", "alice", "X-Trino-Session", "=b"}, 400, "Error 400 Bad Request: Invalid X-Trino-Session header"},
		{"POST", "/v1/statement", []string{"X-Trino-User", "alice", "X-Trino-Role", "lakehouse=x"}, 400, "Error 400 Bad Request: Invalid X-Trino-Role header"},
		{"POST", "/v1/statement", []string{"X-Trino-User", "alice", "X-Trino-Extra-Credential", "a"}, 400, "Error 400 Bad Request: Invalid X-Trino-Extra-Credential header"},
	} {
		body := ""
		if c.method == "POST" {
			body = "SELECT nothing"
		}
		if status, h, got := request(t, c.method, d.URL()+c.path, body, c.headers...); status != c.status || got != c.body || status == 405 && h.Get("Allow") != "HEAD,POST,OPTIONS" {
			t.Errorf("%s %s %q: %d %q, want %d %q", c.method, c.path, c.headers, status, got, c.status, c.body)
		}
	}
}

// Where Trino has its web interface, a browser finds how to connect a client.
func TestBrowser(t *testing.T) {
	d, _ := open(t)
	for _, path := range []string{"/", "/ui", "/ui/"} {
		if status, _, body := request(t, "GET", d.URL()+path, ""); status != http.StatusOK || body != d.Connect() {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

// Health checks may speak HTTP/1.0 and name no host; the client's own address for the next page is the door's then.
func TestNoHost(t *testing.T) {
	d, _ := open(t)
	c, err := net.Dial("tcp", strings.TrimPrefix(d.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST /v1/statement HTTP/1.0\r\nX-Trino-User: alice\r\nContent-Length: 14\r\n\r\nSELECT nothing"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.0 200 OK") || !strings.Contains(string(answer), `"nextUri":"`+d.URL()+"/v1/statement/") {
		t.Errorf("%v %s", err, answer)
	}
}

// Prepared statements may be long, and travel encoded in a header.
func TestLongPreparedStatement(t *testing.T) {
	d, b := open(t)
	text := strings.Repeat("я", 900_000)
	post(t, d, "SELECT nothing", "X-Trino-Prepared-Statement", "p="+url.QueryEscape(text))
	if s := <-b.sessions; s.Prepared["p"] != text {
		t.Errorf("%d bytes came", len(s.Prepared["p"]))
	}
}

// Roles of all catalogs do not exist here: who asks for one is refused as Trino does it.
func TestSystemRole(t *testing.T) {
	d, _ := open(t)
	status, _, body := request(t, "POST", d.URL()+"/v1/statement", "SELECT nothing", "X-Trino-User", "alice", "X-Trino-Role", "system=ROLE%7Badmin%7D")
	if status != http.StatusInternalServerError || body != "Access Denied: Cannot set role admin" {
		t.Errorf("%d %s", status, body)
	}
	post(t, d, "SELECT nothing", "X-Trino-Role", "system=ALL")
}

// Statements that fail before they are read: the answers are those of a real Trino 476.
func TestRefusedStatements(t *testing.T) {
	d, _ := open(t)
	for _, c := range []struct {
		sql           string
		headers       []string
		name, message string
	}{
		{"SELECT nothing", []string{"X-Trino-Original-User", "bob"}, "PERMISSION_DENIED", "Access Denied: User bob cannot impersonate user alice"},
		{"SELECT nothing", []string{"Authorization", "Basic dTo="}, "PERMISSION_DENIED", "Access Denied: User u cannot impersonate user alice"},
		{strings.Repeat("x", 1_000_001), nil, "QUERY_TEXT_TOO_LARGE", "Query text length (1000001) exceeds the maximum length (1000000)"},
		{strings.Repeat("ж", 2_000_000), nil, "QUERY_TEXT_TOO_LARGE", "Query text length (2000000) exceeds the maximum length (1000000)"},
		{strings.Repeat("😀", 600_000), nil, "QUERY_TEXT_TOO_LARGE", "Query text length (1200000) exceeds the maximum length (1000000)"},
	} {
		p, _ := get(t, post(t, d, c.sql, c.headers...).NextURI)
		if p.Error == nil || p.Error.ErrorName != c.name || p.Error.Message != c.message || p.Error.ErrorType != "USER_ERROR" {
			t.Errorf("%.40s %q: %+v", c.sql, c.headers, p.Error)
		}
	}
	if p, _ := get(t, post(t, d, "SELECT nothing", "X-Trino-Original-User", "alice").NextURI); p.Error != nil {
		t.Errorf("the same user twice: %+v", p.Error)
	}
}

// Headers in UTF-8 and in ISO 8859-1, and a transaction that is none in other letters.
func TestHeaderTexts(t *testing.T) {
	d, b := open(t)
	post(t, d, "SELECT nothing", "X-Trino-User", "\xfc\xff", "X-Trino-Catalog", "каталог", "X-Trino-Transaction-Id", "none")
	if s := <-b.sessions; s.User != "üÿ" || s.Catalog != "каталог" || s.Transaction != "NONE" {
		t.Errorf("%+v", s)
	}
}

// The text of a statement, as its content type says it is written.
func TestStatementText(t *testing.T) {
	for _, c := range []struct{ contentType, body, want string }{
		{"", "SELECT 'ж😀'", "SELECT 'ж😀'"},
		{"text/plain; charset=utf-8", "ж", "ж"},
		{"text/plain; charset=ISO-8859-1", "\xfc", "ü"},
		{"application/json", "\xff\xfeж", "\ufffd\ufffdж"},
		{"nonsense; =", "x", ""},
		{"text/plain; charset=koi8-r", "x", ""},
	} {
		r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1/", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", c.contentType)
		got, n, err := statementText(r)
		if got != c.want || err == nil == (c.want == "") || err == nil && n < utf8.RuneCountInString(got) {
			t.Errorf("%q as %q: %q of %d, %v", c.body, c.contentType, got, n, err)
		}
	}
}

// Pages that are not there: those gone are 410, those that never were 404.
func TestPagesThatAreNotThere(t *testing.T) {
	d, _ := openWith(t, 1)
	p := post(t, d, "SELECT pages")
	first := p.NextURI
	p, _ = get(t, first)
	second := p.NextURI
	get(t, second)
	base := strings.TrimSuffix(first, "0")
	for url, want := range map[string]int{first: 410, base + "5": 404, base + "-1": 404, base + "x": 404, base + "99999999999": 404, second: 200} {
		if status, _, body := request(t, "GET", url, ""); status != want {
			t.Errorf("%s: %d %s, want %d", strings.TrimPrefix(url, base), status, body, want)
		}
	}
}

// Closing while statements come in leaves none of them running.
func TestCloseWhileStatementsCome(t *testing.T) {
	for range 20 {
		d, b := open(t)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				r, err := http.NewRequest(http.MethodPost, d.URL()+"/v1/statement", strings.NewReader("SELECT endlessly"))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("X-Trino-User", "alice")
				if resp, err := http.DefaultClient.Do(r); err == nil {
					resp.Body.Close()
				}
			})
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if q := d.start(b, Session{}, "SELECT endlessly", false); q != nil {
			t.Error("a closed door begins a query")
		}
		if began, ended := b.began.Load(), b.closed.Load(); began != ended {
			t.Errorf("%d statements began, %d ended", began, ended)
		}
	}
}
