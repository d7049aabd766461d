// Package trinodoor speaks Trino's client protocol: POST /v1/statement and what belongs to it. On loopback it takes users at their
// word; elsewhere it wants TLS and passwords (security.go).
//
// Real Trino clients talk to it unchanged (trino-go-client, Python's trino, trino-cli, JDBC). Statements go to a Backend,
// which the engine is; the door knows no SQL. query.go holds a query's life, results.go its pages, names.go and values.go types
// and values on the wire, errors.go and changes.go what else a page carries, client.go the client that TrinoQuery uses.
package trinodoor

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/trino"
)

// What the engine and the door say to each other.
type (
	Backend = trino.Backend
	Session = trino.Session
	Result  = trino.Result
	Changes = trino.Changes
)

// version is the Trino version that the door speaks for.
const version = "476"

// maxHeader bounds a request's headers, with room for prepared statements as long as a statement may be, in letters that are encoded
// with nine characters.
const maxHeader = 16 << 20

// Door is an open door.
type Door struct {
	backend   Backend
	server    *http.Server
	listener  net.Listener
	guard     *guard // nil: on loopback, without passwords
	started   time.Time
	pageBytes int // the size of a page

	mu                          sync.Mutex
	queries                     map[string]*query
	history                     trino.Queries
	closed                      bool // no query begins any more
	count                       int
	abandonedAfter, forgetAfter time.Duration
	stop                        chan struct{}
	once                        sync.Once
	running                     sync.WaitGroup
}

// Listen opens the door on a loopback address; port 0 picks a free one.
func Listen(addr string, b Backend) (*Door, error) { return listen(addr, b, nil, pageBytes) }

// ListenSecurely opens the door on any address, for users with passwords. Without security it is Listen.
func ListenSecurely(addr string, b Backend, s Security) (*Door, error) {
	g, err := s.open()
	if err != nil {
		return nil, err
	}
	return listen(addr, b, g, pageBytes)
}

func listen(addr string, b Backend, g *guard, pageBytes int) (*Door, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); g == nil && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("without TLS and passwords the Trino door listens on loopback only, not on %q", host)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if g == nil && !l.Addr().(*net.TCPAddr).IP.IsLoopback() { // localhost is what the machine's hosts file says
		l.Close()
		return nil, fmt.Errorf("without TLS and passwords the Trino door listens on loopback only, and %s is %s here", host, l.Addr())
	}
	d := &Door{
		backend: b, listener: l, guard: g, started: time.Now(), pageBytes: pageBytes, queries: map[string]*query{}, stop: make(chan struct{}),
		abandonedAfter: abandonedAfter, forgetAfter: forgetAfter,
	}
	handler := http.NewCrossOriginProtection().Handler(notForwarded(d.routes())) // a page of another site can post, with a user in the address
	d.server = &http.Server{Handler: ownHost(handler), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: maxHeader}
	if g != nil {
		// The certificate's names say where a client is: no need to look at the Host header.
		d.server.Handler = handler
		l = g.listener(l)
	}
	go d.server.Serve(l)
	go d.sweep()
	return d, nil
}

// URL is the door's address, as this machine reaches it.
func (d *Door) URL() string {
	addr := d.listener.Addr().(*net.TCPAddr)
	host := addr.IP.String()
	if addr.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http"
	if d.guard != nil {
		scheme = "https"
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(addr.Port))
}

// Client is a client of this door that needs no password: the engine's own, for TrinoQuery.
func (d *Door) Client() *Client {
	if d.guard == nil {
		return NewClient(Target{Address: d.URL()})
	}
	return NewClient(Target{Address: d.URL(), Token: d.guard.token, TLS: d.guard.pinned()})
}

// closeWait bounds how long Close waits for queries to free what they hold.
const closeWait = 5 * time.Second

// Close ends the door and its queries. A second Close does nothing.
func (d *Door) Close() error {
	var err error
	d.once.Do(func() {
		close(d.stop)
		err = d.server.Close()
		_ = d.listener.Close() // the server does not know it yet if it has just begun
		d.mu.Lock()
		d.closed = true
		for _, q := range d.queries {
			q.cancel()
		}
		d.mu.Unlock()
		freed := make(chan struct{})
		go func() {
			d.running.Wait()
			close(freed)
		}()
		select {
		case <-freed:
		case <-time.After(closeWait):
			err = errors.Join(err, errors.New("a query did not stop in time"))
		}
	})
	return err
}

func (d *Door) routes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("POST /v1/statement", d.post)
	m.HandleFunc("HEAD /v1/statement", d.head)
	m.HandleFunc("/v1/statement", others("HEAD,POST,OPTIONS"))
	m.HandleFunc("GET /v1/statement/executing/{id}/{slug}/{token}", d.page)
	m.HandleFunc("DELETE /v1/statement/executing/{id}/{slug}/{token}", d.cancel)
	m.HandleFunc("GET /v1/query", d.queryList)
	m.HandleFunc("GET /v1/query/{id}", d.queryInfo)
	m.HandleFunc("DELETE /v1/query/{id}", d.kill)
	m.HandleFunc("GET /v1/info", d.info)
	m.HandleFunc("/v1/info", others("GET,OPTIONS"))
	m.HandleFunc("GET /v1/info/state", func(w http.ResponseWriter, _ *http.Request) { reply(w, "ACTIVE") })
	m.HandleFunc("GET /v1/info/coordinator", func(http.ResponseWriter, *http.Request) {})
	m.HandleFunc("GET /{$}", browser)
	m.HandleFunc("GET /ui", browser)
	m.HandleFunc("GET /ui/{$}", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, d.Connect()) })
	m.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		plain(w, http.StatusNotFound, "Error 404 Not Found: HTTP 404 Not Found")
	})
	return m
}

// others answers the methods that an address does not have, and OPTIONS.
func others(allow string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allow)
		if r.Method != http.MethodOptions {
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}
}

// browser sends one to where Trino's web interface is; here it finds how to connect a client.
func browser(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/ui/", http.StatusSeeOther)
}

// head answers a client that only looks whether it may come in. On loopback it may, named or not: JDBC with validateConnection does not
// name its user.
func (d *Door) head(w http.ResponseWriter, r *http.Request) {
	if d.guard != nil {
		_, _ = d.guard.user(w, r)
	}
}

// ownHost refuses a host name that is not this machine's. A web page elsewhere could point its own name at 127.0.0.1 and would
// then speak to the door as if from the same origin; it can't do that with an address or with localhost.
func ownHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u := url.URL{Host: r.Host}
		if r.Host == "" { // HTTP/1.0, which no browser speaks
			next.ServeHTTP(w, r)
			return
		}
		if host := u.Hostname(); !strings.EqualFold(host, "localhost") && net.ParseIP(host) == nil {
			plain(w, http.StatusForbidden, "Error 403 Forbidden: the Trino door answers to localhost and to addresses, not to "+strconv.Quote(host))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// notForwarded refuses what a proxy says of its client, as Trino does by default (http-server.process-forwarded): any client could say it.
func notForwarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var said []string
		for name := range r.Header {
			if strings.HasPrefix(name, "X-Forwarded-") {
				said = append(said, name)
			}
		}
		if len(said) > 0 {
			message := "Server configuration does not allow processing of the " + slices.Min(said) + " header"
			plain(w, http.StatusNotAcceptable, "HTTP ERROR 406 "+message+"\nURI: "+base(r)+r.URL.EscapedPath()+"\nSTATUS: 406\nMESSAGE: "+message+"\n")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain;charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, text)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
}

func (d *Door) info(w http.ResponseWriter, _ *http.Request) {
	reply(w, map[string]any{
		"nodeVersion": map[string]string{"version": version}, "environment": "lakelab", "coordinator": true, "starting": false,
		"uptime": fmt.Sprintf("%.2fm", time.Since(d.started).Minutes()),
	})
}

func (d *Door) post(w http.ResponseWriter, r *http.Request) {
	user, ok := d.guard.user(w, r)
	if !ok {
		return
	}
	text, length, err := statementText(r)
	if err != nil {
		plain(w, http.StatusBadRequest, "Error 400 Bad Request: "+err.Error())
		return
	}
	if length == 0 {
		plain(w, http.StatusBadRequest, "Error 400 Bad Request: SQL statement is empty")
		return
	}
	if fault := resourceEstimates(r.Header.Values("X-Trino-Resource-Estimate")); fault != "" {
		plain(w, http.StatusBadRequest, "Error 400 Bad Request: "+fault)
		return
	}
	lists := map[string]map[string]string{}
	for _, header := range []string{"X-Trino-Session", "X-Trino-Prepared-Statement", "X-Trino-Role", "X-Trino-Extra-Credential"} {
		list, ok := pairs(r.Header.Values(header), header == "X-Trino-Prepared-Statement")
		if !ok || header == "X-Trino-Role" && !roles(list) {
			plain(w, http.StatusBadRequest, "Error 400 Bad Request: Invalid "+header+" header")
			return
		}
		lists[header] = list
	}
	if role := lists["X-Trino-Role"][systemRoles]; strings.HasPrefix(role, "ROLE{") {
		plain(w, http.StatusInternalServerError, "Access Denied: Cannot set role "+strings.TrimSuffix(role[len("ROLE{"):], "}"))
		return
	}
	transaction := r.Header.Get("X-Trino-Transaction-Id")
	if _, sent := r.Header["X-Trino-Transaction-Id"]; sent && transaction == "" {
		transaction = "NONE"
	}
	if transaction != "" && !strings.EqualFold(transaction, "NONE") && !isUUID(transaction) {
		plain(w, http.StatusBadRequest, "Error 400 Bad Request: Invalid UUID string: "+transaction)
		return
	}
	if r.Header.Get("X-Trino-Schema") != "" && r.Header.Get("X-Trino-Catalog") == "" {
		plain(w, http.StatusBadRequest, "Error 400 Bad Request: Schema is set but catalog is not")
		return
	}
	if strings.EqualFold(transaction, "NONE") {
		transaction = "NONE"
	}
	s := Session{
		User: user, Source: header(r, "X-Trino-Source"), URL: d.URL(), Catalog: header(r, "X-Trino-Catalog"), Schema: header(r, "X-Trino-Schema"),
		Path: header(r, "X-Trino-Path"), FollowsPath: capable(r, "PATH"), TimeZone: header(r, "X-Trino-Time-Zone"),
		Properties: lists["X-Trino-Session"], Prepared: lists["X-Trino-Prepared-Statement"], Transaction: transaction,
	}
	backend := d.backend
	switch original := original(r); {
	case length > maxStatement:
		backend = refusing{errclass.TrinoTextTooLong(length, maxStatement)}
	case s.TimeZone == "" && len(r.Header.Values("X-Trino-Time-Zone")) > 0:
		backend = refusing{errclass.TrinoInternal("Zone id is an empty string")}
	case d.guard == nil && original != "" && original != user:
		backend = refusing{errclass.TrinoDenied("Access Denied: User " + original + " cannot impersonate user " + user)}
	}
	q := d.start(backend, s, text, capable(r, "PARAMETRIC_DATETIME"))
	if q == nil {
		plain(w, http.StatusServiceUnavailable, "Error 503 Service Unavailable: the Trino door is closed")
		return
	}
	reply(w, q.queued(base(r)))
}

// refusing is a backend for a statement that is refused before it is read.
type refusing struct{ err error }

func (b refusing) Execute(context.Context, Session, string) (Result, error) { return nil, b.err }

// base is the address by which the client reached us.
func base(r *http.Request) string {
	host := r.Host
	if addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && host == "" {
		host = addr.String()
	}
	if r.TLS != nil {
		return "https://" + host
	}
	return "http://" + host
}

// pairs reads a header of name=urlencoded entries, comma joined; false if it is none. Names may be encoded too.
func pairs(values []string, encodedNames bool) (map[string]string, bool) {
	out := map[string]string{}
	for _, v := range values {
		for _, p := range strings.Split(v, ",") {
			if p = strings.TrimSpace(p); p == "" {
				continue
			}
			name, encoded, ok := strings.Cut(p, "=")
			value, err := url.QueryUnescape(encoded)
			if err == nil && encodedNames {
				name, err = url.QueryUnescape(name)
			}
			if !ok || err != nil || name == "" && !encodedNames || strings.Contains(encoded, "=") {
				return nil, false
			}
			out[name] = value
		}
	}
	return out, true
}

// header is a header's text. Go's clients write UTF-8 there; what is none is ISO 8859-1, as HTTP has it.
func header(r *http.Request, name string) string {
	text := r.Header.Get(name)
	if utf8.ValidString(text) {
		return text
	}
	out := make([]rune, len(text))
	for i, b := range []byte(text) {
		out[i] = rune(b)
	}
	return string(out)
}

// capable reports whether a client says that it can do something.
func capable(r *http.Request, what string) bool {
	for _, list := range r.Header.Values("X-Trino-Client-Capabilities") {
		for c := range strings.SplitSeq(list, ",") {
			if strings.TrimSpace(c) == what {
				return true
			}
		}
	}
	return false
}

// roles reports whether each catalog's role is one: ALL, NONE or ROLE{name}.
func roles(list map[string]string) bool {
	for _, role := range list {
		name, named := strings.CutPrefix(role, "ROLE{")
		if role != "ALL" && role != "NONE" && !(named && strings.HasSuffix(name, "}")) {
			return false
		}
	}
	return true
}

// systemRoles is the catalog whose roles are those of all catalogs.
const systemRoles = "system"

// estimates are the forms of what resourceEstimates reads.
var estimates = map[string]*regexp.Regexp{"EXECUTION_TIME": timeSpan, "CPU_TIME": timeSpan, "PEAK_MEMORY": regexp.MustCompile(`^\s*\d+(\.\d+)?\s*(B|kB|MB|GB|TB|PB)\s*$`)}

var timeSpan = regexp.MustCompile(`^\s*\d+(\.\d+)?\s*(ns|us|ms|s|m|h|d)\s*$`)

// resourceEstimates says what is wrong with estimates of what a statement will need: name=value, comma joined; empty if nothing is. Nothing
// is done with them.
func resourceEstimates(values []string) string {
	for _, v := range values {
		for p := range strings.SplitSeq(v, ",") {
			name, value, ok := strings.Cut(strings.TrimSpace(p), "=")
			form := estimates[strings.ToUpper(name)]
			switch {
			case !ok && name == "":
			case !ok || name == "":
				return "Invalid X-Trino-Resource-Estimate header"
			case form == nil:
				return "Unsupported resource name " + name
			case !form.MatchString(value):
				return "Unsupported format for resource estimate '" + value + "'"
			}
		}
	}
	return ""
}

// isUUID tells a transaction's id from anything else.
func isUUID(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)):
			return false
		}
	}
	return len(s) == 36
}

func secret(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// start begins a query; nil if the door is closed.
func (d *Door) start(b Backend, s Session, text string, parametric bool) *query {
	ctx, cancel := context.WithCancel(context.Background())
	working, kill := context.WithCancelCause(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		kill(nil)
		cancel()
		return nil
	}
	d.count++
	id := fmt.Sprintf("%s_%05d_%s", time.Now().UTC().Format("20060102_150405"), d.count%100000, secret(3)[:5])
	q := &query{
		history: &d.history, id: id, slug: "y" + secret(16), user: s.User, parametric: parametric, pageBytes: d.pageBytes,
		stop: cancel, stopped: ctx.Done(), made: make(chan content), failed: make(chan struct{}), began: time.Now(),
	}
	s.Queries, s.Follow, s.Fail = &d.history, q.follow, func(why error) {
		q.fail(why)
		kill(why)
	}
	d.history.Begin(trino.Query{ID: id, User: s.User, Source: s.Source, Catalog: s.Catalog, Schema: s.Schema, Text: text}, s.Fail)
	q.touch()
	d.queries[id] = q
	d.running.Go(func() { q.run(working, b, s, text) })
	return q
}

// find returns the query of a page's address, or answers 404. The address is a secret between the door and the client.
func (d *Door) find(w http.ResponseWriter, r *http.Request) *query {
	d.mu.Lock()
	q := d.queries[r.PathValue("id")]
	d.mu.Unlock()
	if q == nil || r.PathValue("slug") != q.slug {
		notFound(w)
		return nil
	}
	return q
}

func notFound(w http.ResponseWriter) {
	plain(w, http.StatusNotFound, "Error 404 Not Found: Query not found")
}

func gone(w http.ResponseWriter) { plain(w, http.StatusGone, "Error 410 Gone: HTTP 410 Gone") }

// page answers GET nextUri.
func (d *Door) page(w http.ResponseWriter, r *http.Request) {
	q := d.find(w, r)
	if q == nil {
		return
	}
	n, err := strconv.Atoi(r.PathValue("token"))
	if err != nil {
		notFound(w)
		return
	}
	page, headers, there := q.answer(r.Context(), base(r), n)
	switch {
	case there == past:
		gone(w)
		return
	case there == future:
		notFound(w)
		return
	case page == nil:
		return
	}
	for k, v := range headers {
		w.Header()[k] = v
	}
	reply(w, page)
}

func (d *Door) cancel(w http.ResponseWriter, r *http.Request) {
	if q := d.find(w, r); q != nil {
		q.cancel()
		w.WriteHeader(http.StatusNoContent)
	}
}

// kill answers DELETE of a query by its id alone. Every user may kill, and see, the queries of all, as with kill_query and
// system.runtime.queries: Trino's default access control allows it.
func (d *Door) kill(w http.ResponseWriter, r *http.Request) {
	_, ok := d.guard.user(w, r)
	if !ok {
		return
	}
	d.mu.Lock()
	q := d.queries[r.PathValue("id")]
	d.mu.Unlock()
	if q != nil {
		q.cancel()
	}
	w.WriteHeader(http.StatusNoContent)
}

// Abandoned queries are cancelled, finished ones forgotten, after a client has not asked for that long.
const (
	abandonedAfter = 5 * time.Minute
	forgetAfter    = time.Minute
)

const sweepPeriod = time.Second

func (d *Door) sweep() {
	t := time.NewTicker(sweepPeriod)
	defer t.Stop()
	for {
		select {
		case <-d.stop:
			return
		case <-t.C:
		}
		d.forget()
	}
}

func (d *Door) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, q := range d.queries {
		if idle := q.idle(); (q.finished.Load() || q.cancelled.Load()) && idle > d.forgetAfter || idle > d.abandonedAfter {
			d.history.End(id, failureOf(abandoned))
			q.cancel()
			delete(d.queries, id)
		}
	}
}
