package trinodoor

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// FuzzHTTP sends any request to the door: what comes back is one of the protocol's statuses, JSON where it says so, and the page that
// a query's next address names. Longer: make load-trino, without the load tests' files, with which the whole engine would be compiled
// anew for fuzzing.
func FuzzHTTP(f *testing.F) {
	for _, seed := range [][5]string{
		{"POST", "/v1/statement", "SELECT pages", "X-Trino-User", "alice"},
		{"POST", "/v1/statement", "SELECT every type", "X-Trino-Session", "a=1%2C2,b=x+y"},
		{"POST", "/v1/statement", "SELECT every type", "X-Trino-Client-Capabilities", "PATH,PARAMETRIC_DATETIME"},
		{"POST", "/v1/statement", "INSERT", "X-Trino-Prepared-Statement", "p=SELECT+%3F,q=%zz"},
		{"POST", "/v1/statement", "SELECT nothing", "X-Trino-Transaction-Id", "NONE"},
		{"POST", "/v1/statement", "USE lakehouse.demo", "X-Forwarded-Host", "lab.example"},
		{"POST", "/v1/statement", "SELECT '\xff\u0416'", "Content-Type", "text/plain; charset=iso-8859-1"},
		{"POST", "/v1/statement", "SELECT nothing", "X-Trino-Original-User", "bob"},
		{"POST", "/v1/statement", "SELECT panic", "Authorization", "Basic YWxpY2U6cGFzcw=="},
		{"POST", "/v1/statement", "", "X-Trino-Role", "system=ROLE{admin}"},
		{"HEAD", "/v1/statement", "", "", ""},
		{"GET", "/v1/statement", "", "", ""},
		{"GET", "/v1/info", "", "", ""},
		{"GET", "/v1/statement/executing/20240101_000000_00000_aaaaa/y0/0", "", "", ""},
		{"DELETE", "/v1/statement/executing/20240101_000000_00000_aaaaa/y0/-1", "", "", ""},
		{"GET", "/v1/query/20240101_000000_00000_aaaaa", "", "", ""},
		{"DELETE", "/v1/query/x", "", "", ""},
		{"PUT", "/v1/../v1/statement?x=%00", "", "X-Trino-User", "\u0416"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], seed[4])
	}
	d, _ := open(f)
	allowed := []int{200, 204, 301, 307, 308, 400, 401, 403, 404, 405, 406, 410}
	f.Fuzz(func(t *testing.T, method, path, body, header, value string) {
		r, err := http.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
		if err != nil || strings.Contains(body, "slowly") || strings.Contains(body, "endlessly") || strings.Contains(body, "million") {
			return
		}
		r.Header.Set("X-Trino-User", "alice")
		if header != "" {
			r.Header[http.CanonicalHeaderKey(header)] = []string{value}
		}
		for range 1000 { // pages
			w := httptest.NewRecorder()
			d.server.Handler.ServeHTTP(w, r)
			if !slices.Contains(allowed, w.Code) {
				t.Fatalf("%s %s: %d %s", r.Method, r.URL, w.Code, w.Body)
			}
			if w.Header().Get("Content-Type") != "application/json" {
				return
			}
			var page struct{ ID, NextURI, State string }
			if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil {
				t.Fatalf("%s %s: %v in %s", r.Method, r.URL, err, w.Body)
			}
			if page.NextURI == "" {
				return
			}
			next, err := http.NewRequest(http.MethodGet, page.NextURI, nil)
			if err != nil {
				t.Fatalf("the next address %q: %v", page.NextURI, err)
			}
			next.Host = "127.0.0.1"
			r = next
		}
		t.Fatal("a query without an end")
	})
}
