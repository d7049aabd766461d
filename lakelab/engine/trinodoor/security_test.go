package trinodoor

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/internal/certificate"
)

// secured makes the three files for the users alice (password "open sesame") and bob ("bob's").
func secured(t *testing.T) Security {
	t.Helper()
	dir := t.TempDir()
	s := Security{Passwords: filepath.Join(dir, "passwords")}
	var err error
	if s.Certificate, s.Key, err = certificate.Write(dir); err != nil {
		t.Fatal(err)
	}
	write(t, s.Passwords, "alice:"+hash(t, "open sesame", minCost)+"\n\nbob:"+hash(t, "bob's", minCost)+"\n")
	return s
}

func hash(t *testing.T, password string, cost int) string {
	t.Helper()
	h, err := bcrypt.GenerateFromPassword([]byte(password), cost)
	if err != nil {
		t.Fatal(err)
	}
	return "$2y$" + string(h[4:]) // as htpasswd writes it
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// openSecurely opens a door with passwords, and returns a client that trusts its certificate.
func openSecurely(t *testing.T) (*Door, Security, *http.Client) {
	t.Helper()
	s := secured(t)
	d, err := ListenSecurely("127.0.0.1:0", &statements{sessions: make(chan Session, 1)}, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	pem, err := os.ReadFile(s.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(transport.CloseIdleConnections)
	return d, s, &http.Client{Transport: transport}
}

func TestPasswords(t *testing.T) {
	d, s, c := openSecurely(t)
	ask := func(method, url string, headers ...string) (int, string) {
		t.Helper()
		r, err := http.NewRequest(method, url, strings.NewReader("SELECT pages"))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			if headers[i] == "user" {
				name, password, _ := strings.Cut(headers[i+1], ":")
				r.SetBasicAuth(name, password)
				continue
			}
			r.Header.Set(headers[i], headers[i+1])
		}
		resp, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if want := `Basic realm="Trino"`; resp.StatusCode == 401 && resp.Header.Get("WWW-Authenticate") != want {
			t.Errorf("WWW-Authenticate: %q", resp.Header.Get("WWW-Authenticate"))
		}
		var p page
		if resp.StatusCode == 200 && resp.Header.Get("Content-Type") == "application/json" {
			p = decoded(t, resp.Body)
		}
		return resp.StatusCode, p.NextURI
	}
	at := d.URL() + "/v1/statement"
	for _, c := range []struct {
		status  int
		headers []string
	}{
		{401, nil},
		{401, []string{"X-Trino-User", "alice"}},
		{401, []string{"user", "alice:wrong"}},
		{401, []string{"user", "nobody:open sesame"}},
		{401, []string{"user", "alice:"}},
		{401, []string{"Authorization", "Bearer x", "X-Trino-User", "alice"}},
		{403, []string{"user", "alice:open sesame", "X-Trino-User", "bob"}},
		{200, []string{"user", "alice:open sesame", "X-Trino-User", "alice"}},
		{200, []string{"user", "bob:bob's"}},
	} {
		for range 2 { // the second time from memory
			if status, _ := ask("POST", at, c.headers...); status != c.status {
				t.Errorf("%q: %d, want %d", c.headers, status, c.status)
			}
		}
	}
	// The address of a page is the client's secret; a query's id is not, and serves every user, as in Trino.
	_, next := ask("POST", at, "user", "alice:open sesame")
	if !strings.HasPrefix(next, "https://127.0.0.1:") {
		t.Errorf("the next page is at %s", next)
	}
	id := strings.Split(next, "/")[6]
	for _, c := range []struct {
		method, url string
		status      int
		headers     []string
	}{
		{"DELETE", d.URL() + "/v1/query/" + id, 401, nil},
		{"GET", d.URL() + "/v1/query/" + id, 401, nil},
		{"GET", d.URL() + "/v1/query/" + id, 200, []string{"user", "bob:bob's"}},
		{"GET", d.URL() + "/v1/query/" + id, 200, []string{"user", "alice:open sesame"}},
		{"GET", next, 200, nil},
		{"DELETE", d.URL() + "/v1/query/" + id, 204, []string{"user", "bob:bob's"}},
		{"GET", d.URL() + "/v1/info", 200, nil},
		{"HEAD", at, 401, nil},
		{"HEAD", at, 401, []string{"user", "alice:wrong"}},
		{"HEAD", at, 200, []string{"user", "alice:open sesame"}}, // JDBC with validateConnection, trino-go-client's Ping
	} {
		if status, _ := ask(c.method, c.url, c.headers...); status != c.status {
			t.Errorf("%s %s %q: %d, want %d", c.method, c.url, c.headers, status, c.status)
		}
	}
	// A changed file counts a few seconds later.
	write(t, s.Passwords, "alice:"+hash(t, "another", minCost))
	d.guard.passwords.mu.Lock()
	d.guard.passwords.read = time.Now().Add(-passwordsReread - time.Second)
	d.guard.passwords.mu.Unlock()
	for password, want := range map[string]int{"open sesame": 401, "another": 200} {
		if status, _ := ask("POST", at, "user", "alice:"+password); status != want {
			t.Errorf("after the change, %q: %d", password, status)
		}
	}
}

// A file that can't be read, or not to its end, lets nobody in for as long as it stays so.
func TestBrokenPasswordFile(t *testing.T) {
	good := "alice:" + hash(t, "x", minCost) + "\n"
	for name, text := range map[string]string{"no hash": good + "bob\n", "a line without end": good + strings.Repeat("b", 1<<17)} {
		path := filepath.Join(t.TempDir(), "passwords")
		write(t, path, good)
		p := &passwords{path: path, checked: map[[sha256.Size]byte]struct{}{}}
		if ok, err := p.valid("alice", "x"); !ok {
			t.Fatal(err)
		}
		write(t, path, text)
		for i := range 3 {
			if i != 1 { // once between two readings
				p.read = time.Time{}
			}
			if ok, err := p.valid("alice", "x"); ok || err == nil {
				t.Errorf("%s: let in", name)
			}
		}
		write(t, path, good)
		p.read = time.Time{}
		if ok, err := p.valid("alice", "x"); !ok {
			t.Errorf("%s: mended: %v", name, err)
		}
	}
}

// Who guesses neither keeps the others waiting nor makes the door forget them.
func TestGuessesHinderNobody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "passwords")
	write(t, path, "alice:"+hash(t, "x", minCost)+"\nslow:"+hash(t, "y", 13)+"\n")
	p := &passwords{path: path, checked: map[[sha256.Size]byte]struct{}{}}
	if ok, err := p.valid("alice", "x"); !ok {
		t.Fatal(err)
	}
	guessed := make(chan struct{})
	go func() {
		defer close(guessed)
		_, _ = p.valid("slow", "guess")
	}()
	time.Sleep(20 * time.Millisecond)
	if ok, err := p.valid("alice", "x"); !ok {
		t.Error(err)
	}
	select {
	case <-guessed:
		t.Error("a login waited for another one's guess")
	default:
	}
	<-guessed
	if len(p.checked) != 1 {
		t.Errorf("%d digests are kept", len(p.checked))
	}
}

func TestClientsOfASecureDoor(t *testing.T) {
	d, s, _ := openSecurely(t)
	pem, err := os.ReadFile(s.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	for _, c := range []struct {
		name, user string
		target     Target
		fails      string
	}{
		{"a password", "alice", Target{Password: "open sesame", TLS: &tls.Config{RootCAs: pool}}, ""},
		{"the wrong password", "alice", Target{Password: "open", TLS: &tls.Config{RootCAs: pool}}, "401"},
		{"no password", "alice", Target{TLS: &tls.Config{RootCAs: pool}}, "401"},
		{"a certificate that nobody vouches for", "alice", Target{Password: "open sesame"}, "certificate"},
		{"a token that is none", "alice", Target{Token: "x", TLS: &tls.Config{RootCAs: pool}}, "401"},
	} {
		c.target.Address = d.URL()
		client := NewClient(c.target)
		r, err := client.Query(t.Context(), Query{SQL: "SELECT pages", User: c.user})
		client.Close()
		var e *errclass.Error
		switch {
		case c.fails == "" && (err != nil || len(r.Rows) != 4):
			t.Errorf("%s: %v", c.name, err)
		case c.fails != "" && (!errors.As(err, &e) || e.Exception != "TrinoConnectionError" || !strings.Contains(e.Message, c.fails)):
			t.Errorf("%s: %v", c.name, err)
		}
	}
	own := d.Client() // the engine's own comes without a password, as any user
	defer own.Close()
	if r, err := own.Query(t.Context(), Query{SQL: "SELECT pages", User: "jupyter"}); err != nil || len(r.Rows) != 4 {
		t.Errorf("the engine's own client: %v", err)
	}
}

func TestSecurityFiles(t *testing.T) {
	s := secured(t)
	good := hash(t, "x", minCost)
	for name, change := range map[string]func(*Security){
		"all three or none": func(s *Security) { s.Key = "" },
		"certificate":       func(s *Security) { s.Certificate = s.Passwords },
		"no such file":      func(s *Security) { s.Passwords += "x" },
		"line 1":            func(s *Security) { write(t, s.Passwords, "alice:secret") },
		"line 2":            func(s *Security) { write(t, s.Passwords, "alice:"+good+"\nbob") },
		"cost must be 8":    func(s *Security) { write(t, s.Passwords, "alice:"+hash(t, "x", 4)) },
		"twice":             func(s *Security) { write(t, s.Passwords, "alice:"+good+"\nalice:"+good) },
	} {
		c := s
		change(&c)
		if d, err := ListenSecurely("127.0.0.1:0", &statements{}, c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
			if err == nil {
				d.Close()
			}
		}
	}
	// With the files, any address will do.
	d, err := ListenSecurely("0.0.0.0:0", &statements{sessions: make(chan Session, 1)}, secured(t))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Client()
	defer c.Close()
	if _, err := c.Query(t.Context(), Query{SQL: "SELECT pages", User: "jupyter"}); err != nil {
		t.Error(err)
	}
}
