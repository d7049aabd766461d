package engine_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trinodb/trino-go-client/trino"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
)

// trinoAnswer is what Trino answers to a statement; testdata/record_trino.py documents the fields and records them.
type trinoAnswer struct {
	SQL         string            `json:"sql"`
	Columns     [][2]string       `json:"columns"`
	Rows        [][]any           `json:"rows"`
	UpdateType  string            `json:"updateType"`
	UpdateCount *int64            `json:"updateCount"`
	Changes     map[string]string `json:"changes"`
	Error       *trinoFailure     `json:"error"`
}

type trinoFailure struct {
	Name    string `json:"name"`
	Code    int    `json:"code"`
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

// TestTrinoSuite runs the statements of testdata/trino through trino-go-client against the engine's Trino door, and compares with
// what a real Trino 476 answered. LAKELAB_TRINO names a real Trino to run them against instead, which shows that the recorded
// answers hold. known.txt lists the statements on which the engine is known to disagree: the test fails for any other, and for one
// listed that agrees. A line that begins with # says why those behind it differ. LAKELAB_TRINO_KNOWN=write brings the list up to date.
func TestTrinoSuite(t *testing.T) {
	paths := suitePaths(t)
	real := os.Getenv("LAKELAB_TRINO")
	known := knownDisagreements(t)
	var disagree []string
	total := 0
	for _, path := range paths {
		name := suiteName(path)
		t.Run(name, func(t *testing.T) {
			answers := recordedAnswers(t, path)
			address := real
			if address == "" {
				address = openDoor(t)
			}
			c := newTrinoSuiteClient(t, address)
			if real != "" {
				c.empty(t)
			}
			keyOf := suiteKeys(name)
			for _, want := range answers {
				total++
				key := keyOf(want.SQL)
				msg := compareTrino(c.run(t, want.SQL), want)
				switch {
				case msg != "" && os.Getenv("LAKELAB_TRINO_KNOWN") == "write":
					disagree = append(disagree, key)
					t.Logf("%s\n%s", want.SQL, msg)
				case msg != "" && (real != "" || !known[key]):
					t.Errorf("%s\n%s", want.SQL, msg)
				case msg == "" && real == "" && known[key] && os.Getenv("LAKELAB_TRINO_KNOWN") != "write":
					t.Errorf("%s\nagrees: take it out of known.txt", want.SQL)
				}
			}
		})
	}
	t.Logf("%d statements, %d known to disagree", total, max(len(disagree), len(known)))
	if os.Getenv("LAKELAB_TRINO_KNOWN") == "write" {
		if err := os.WriteFile(knownPath, []byte(knownAnew(t, disagree)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// knownAnew is known.txt without what agrees by now, and with what disagrees anew at its end.
func knownAnew(t *testing.T, disagree []string) string {
	b, err := os.ReadFile(knownPath)
	if err != nil {
		t.Fatal(err)
	}
	var out, reason []string
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		switch {
		case strings.HasPrefix(line, "#"):
			reason = []string{line}
		case slices.Contains(disagree, line):
			out = append(append(out, reason...), line)
			reason, disagree = nil, slices.DeleteFunc(disagree, func(s string) bool { return s == line })
		}
	}
	if len(disagree) > 0 {
		out = append(append(out, "# without a reason yet"), disagree...)
	}
	return strings.Join(out, "\n") + "\n"
}

// suitePaths are the files of recorded answers. What takes a minute is left to those who ask for it.
func suitePaths(t *testing.T) []string {
	paths, err := filepath.Glob("testdata/trino/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recorded answers", err)
	}
	return slices.DeleteFunc(paths, func(p string) bool {
		return strings.HasSuffix(suiteName(p), "_large") && os.Getenv("LAKELAB_LARGE") == ""
	})
}

// suiteName is the name of a file of recorded answers.
func suiteName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".json") }

func recordedAnswers(t *testing.T, path string) (answers []trinoAnswer) {
	b, err := os.ReadFile(path)
	if err == nil {
		err = decodeExactly(b, &answers)
	}
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

// suiteKeys gives the names under which known.txt lists a file's statements, which may stand there more than once.
func suiteKeys(name string) func(sql string) string {
	times := map[string]int{}
	return func(sql string) string {
		key := name + ": " + sql
		if times[sql]++; times[sql] > 1 {
			key += fmt.Sprintf(" -- %d", times[sql])
		}
		return key
	}
}

const knownPath = "testdata/trino/known.txt"

func knownDisagreements(t *testing.T) map[string]bool {
	b, err := os.ReadFile(knownPath)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	return known
}

// openDoor serves an empty lakehouse with the schema `suite`.
func openDoor(t *testing.T) string { return openDoorAt(t, filepath.Join(t.TempDir(), "lakehouse")) }

func openDoorAt(t *testing.T, dir string) string {
	address, end := serveLakehouse(t, dir)
	t.Cleanup(end)
	return address
}

// serveLakehouse serves a folder as a lakehouse, with the schema `suite`, until the result is called.
func serveLakehouse(t *testing.T, dir string) (address string, end func()) {
	e, err := engine.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := trinodoor.Listen("127.0.0.1:0", e.Trino())
	if err != nil {
		t.Fatal(err)
	}
	c := newTrinoSuiteClient(t, d.URL())
	if a := c.run(t, "CREATE SCHEMA IF NOT EXISTS lakehouse.suite"); a.Error != nil {
		t.Fatal(a.Error)
	}
	return d.URL(), func() {
		if err := errors.Join(d.Close(), e.Close()); err != nil {
			t.Error(err)
		}
	}
}

// trinoSuiteClient is trino-go-client, whose pages are read on their way: it hides type names and the wire's values. It keeps the
// session as other clients do, transactions and prepared statements included.
type trinoSuiteClient struct {
	db                                 *sql.DB
	catalog, schema, path, transaction string
	properties, prepared               map[string]string
	headers                            map[string]string // in place of those that are made of the rest
	seen                               trinoAnswer
}

func newTrinoSuiteClient(t *testing.T, address string) *trinoSuiteClient {
	c := &trinoSuiteClient{catalog: "lakehouse", schema: "suite", transaction: "NONE", properties: map[string]string{}, prepared: map[string]string{}}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User("suite")
	connector, err := trino.NewConnector(&trino.Config{ServerURI: u.String(), Source: "suite", HTTPClient: &http.Client{Transport: c}})
	if err != nil {
		t.Fatal(err)
	}
	c.db = sql.OpenDB(connector)
	t.Cleanup(func() { c.db.Close() })
	return c
}

func pairsOf(m map[string]string) string {
	var out []string
	for k, v := range m {
		out = append(out, k+"="+url.QueryEscape(v))
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// empty takes away what the schema has, as the recording script does.
func (c *trinoSuiteClient) empty(t *testing.T) {
	must := func(sql string) trinoAnswer {
		a := c.run(t, sql)
		if a.Error != nil {
			t.Fatal(sql, a.Error)
		}
		return a
	}
	must("CREATE SCHEMA IF NOT EXISTS lakehouse.suite")
	for _, r := range must("SHOW TABLES FROM lakehouse.suite").Rows {
		name := fmt.Sprintf(`lakehouse.suite."%v"`, r[0])
		if c.run(t, "DROP TABLE "+name).Error != nil {
			must("DROP VIEW " + name)
		}
	}
}

// RoundTrip sends the session along, and notes what a page says.
func (c *trinoSuiteClient) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for k, v := range map[string]string{
		"X-Trino-Catalog": c.catalog, "X-Trino-Schema": c.schema, "X-Trino-Path": c.path, "X-Trino-Transaction-Id": c.transaction, "X-Trino-Session": pairsOf(c.properties),
		"X-Trino-Prepared-Statement": pairsOf(c.prepared), "X-Trino-Time-Zone": "UTC",
		"X-Trino-Client-Capabilities": "PATH,PARAMETRIC_DATETIME,SESSION_AUTHORIZATION",
	} {
		r.Header.Del(k)
		if v != "" {
			r.Header.Set(k, v)
		}
	}
	for k, v := range c.headers {
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	var page struct {
		Columns []struct {
			Name string `json:"name"`
			Type string `json:"type"`
		} `json:"columns"`
		Data        [][]any `json:"data"`
		UpdateType  string  `json:"updateType"`
		UpdateCount *int64  `json:"updateCount"`
		Error       *struct {
			Message  string `json:"message"`
			Code     int    `json:"errorCode"`
			Name     string `json:"errorName"`
			Location *struct {
				Line   int `json:"lineNumber"`
				Column int `json:"columnNumber"`
			} `json:"errorLocation"`
		} `json:"error"`
	}
	if err := decodeExactly(body, &page); err != nil {
		return resp, nil
	}
	if page.Columns != nil && c.seen.Columns == nil {
		c.seen.Columns = [][2]string{}
		for _, k := range page.Columns {
			c.seen.Columns = append(c.seen.Columns, [2]string{k.Name, k.Type})
		}
	}
	c.seen.Rows = append(c.seen.Rows, page.Data...)
	if page.UpdateType != "" {
		c.seen.UpdateType = page.UpdateType
	}
	if page.UpdateCount != nil {
		c.seen.UpdateCount = page.UpdateCount
	}
	if e := page.Error; e != nil {
		f := &trinoFailure{Name: e.Name, Code: e.Code, Message: e.Message}
		if c.transaction != "NONE" {
			f.Message = strings.ReplaceAll(f.Message, c.transaction, "<id>")
		}
		if e.Location != nil {
			f.Line, f.Column = e.Location.Line, e.Location.Column
		}
		c.seen.Error = f
	}
	c.follow(resp.Header)
	return resp, nil
}

func (c *trinoSuiteClient) follow(h http.Header) {
	note := func(name string, apply func(key, value string) string) {
		for _, v := range h.Values("X-Trino-" + name) {
			key, encoded, _ := strings.Cut(v, "=")
			text, _ := url.QueryUnescape(encoded)
			shown := apply(key, text)
			if shown == "" {
				shown = v
			}
			if c.seen.Changes == nil {
				c.seen.Changes = map[string]string{}
			}
			shown, _ = url.QueryUnescape(shown)
			c.seen.Changes[name] = shown
		}
	}
	note("Set-Catalog", func(k, _ string) string { c.catalog = k; return "" })
	note("Set-Schema", func(k, _ string) string { c.schema = k; return "" })
	note("Set-Path", func(k, _ string) string { c.path = k; return "" })
	note("Set-Session", func(k, v string) string { c.properties[k] = v; return "" })
	note("Clear-Session", func(k, _ string) string { delete(c.properties, k); return "" })
	note("Added-Prepare", func(k, v string) string { c.prepared[k] = v; return k })
	note("Deallocated-Prepare", func(k, _ string) string { delete(c.prepared, k); return "" })
	note("Started-Transaction-Id", func(k, _ string) string { c.transaction = k; return "<id>" })
	note("Clear-Transaction-Id", func(string, string) string { c.transaction = "NONE"; return "" })
}

// run sends a statement and reads all rows as a Go program would.
func (c *trinoSuiteClient) run(t *testing.T, statement string) trinoAnswer {
	c.seen = trinoAnswer{SQL: statement}
	rows, err := c.db.QueryContext(t.Context(), statement)
	n := 0
	if err == nil {
		var columns []string
		if columns, err = rows.Columns(); err == nil {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			for rows.Next() {
				n++
				if err = rows.Scan(values...); err != nil {
					break
				}
			}
		}
		err = errors.Join(err, rows.Err(), rows.Close())
	}
	if err != nil && c.seen.Error == nil {
		c.seen.Error = &trinoFailure{Name: "CLIENT", Message: err.Error()}
	}
	if err == nil && n != len(c.seen.Rows) {
		c.seen.Error = &trinoFailure{Name: "CLIENT", Message: fmt.Sprintf("%d rows for the program, %d on the wire", n, len(c.seen.Rows))}
	}
	return c.seen
}

// compareTrino says how an answer differs from the recorded one; empty if it does not.
func compareTrino(got, want trinoAnswer) string {
	if strings.HasPrefix(want.SQL, "SHOW FUNCTIONS") || strings.HasPrefix(want.SQL, "SHOW SESSION") { // the descriptions are our own
		got, want = withoutLast(got), withoutLast(want)
	}
	got, want = portable(got), portable(want)
	if want.Error != nil || got.Error != nil {
		if want.Error == nil || got.Error == nil || want.Error.sorted() != got.Error.sorted() {
			return fmt.Sprintf("got  %s\nwant %s", showTrino(got), showTrino(want))
		}
		return ""
	}
	count := func(n *int64) int64 {
		if n == nil {
			return -1
		}
		return *n
	}
	if !slices.Equal(got.Columns, want.Columns) || got.UpdateType != want.UpdateType || count(got.UpdateCount) != count(want.UpdateCount) ||
		fmt.Sprint(got.Changes) != fmt.Sprint(want.Changes) || !sameValue(rowsAsValue(got.Rows), rowsAsValue(want.Rows)) {
		return fmt.Sprintf("got  %s\nwant %s", showTrino(got), showTrino(want))
	}
	return ""
}

// withoutLast takes the last column away.
func withoutLast(a trinoAnswer) trinoAnswer {
	if len(a.Columns) == 0 {
		return a
	}
	a.Columns = a.Columns[:len(a.Columns)-1]
	a.Rows = slices.Clone(a.Rows)
	for i, r := range a.Rows {
		a.Rows[i] = r[:len(r)-1]
	}
	return a
}

// portable takes out where the lakehouse lies. SHOW CREATE SCHEMA and TABLE say it, in a column that is as wide as its value.
func portable(a trinoAnswer) trinoAnswer {
	if a.Error != nil {
		e := *a.Error
		e.Message = regexp.MustCompile(`location: \S*/([^/-]+)-[0-9a-f]{32},`).ReplaceAllString(e.Message, "location: <warehouse>/$1,")
		e.Message = regexp.MustCompile(`location: \S*/([^/]+),`).ReplaceAllString(e.Message, "location: <warehouse>/$1,")
		a.Error = &e
	}
	if len(a.Columns) == 1 && (a.Columns[0][0] == "Create Schema" || a.Columns[0][0] == "Create Table") && len(a.Rows) == 1 {
		text := fmt.Sprint(a.Rows[0][0])
		width := fmt.Sprintf("varchar(%d)", len([]rune(text)))
		if a.Columns[0][1] == width {
			a.Columns = [][2]string{{a.Columns[0][0], "varchar(its width)"}}
		}
		text = regexp.MustCompile(`location = '.*/`).ReplaceAllString(text, "location = '<warehouse>/")
		a.Rows = [][]any{{regexp.MustCompile(`(location = '[^']*)-[0-9a-f]{32}'`).ReplaceAllString(text, "$1'")}}
	}
	return a
}

// sorted orders the candidates of an ambiguous call, whose order changes from one start of Trino to the next.
func (f trinoFailure) sorted() trinoFailure {
	if head, list, ok := strings.Cut(f.Message, "Candidates are:\n"); ok {
		lines := strings.Split(list, "\n")
		slices.Sort(lines)
		f.Message = head + strings.Join(lines, "\n")
	}
	return f
}

func rowsAsValue(rows [][]any) any {
	out := make([]any, len(rows))
	for i, r := range rows {
		out[i] = r
	}
	return out
}

// sameValue compares values of the wire; floating-point numbers may differ in the last digits, as the two libraries of functions do.
func sameValue(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, sameValue)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, ok := y[k]; !ok || !sameValue(v, w) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		if !ok || x == y {
			return ok
		}
		f, err1 := x.Float64()
		g, err2 := y.Float64()
		whole := !strings.ContainsAny(string(x)+string(y), ".eE")
		return err1 == nil && err2 == nil && !whole && math.Abs(f-g) <= 1e-14*math.Max(math.Abs(f), math.Abs(g))
	}
	return a == b
}

func showTrino(a trinoAnswer) string {
	if a.Error != nil {
		return fmt.Sprintf("error %s %d at %d:%d: %s", a.Error.Name, a.Error.Code, a.Error.Line, a.Error.Column, a.Error.Message)
	}
	rows, _ := json.Marshal(a.Rows)
	count := ""
	if a.UpdateCount != nil {
		count = fmt.Sprint(" ", *a.UpdateCount)
	}
	return fmt.Sprintf("%v %s %s%s %v", a.Columns, rows, a.UpdateType, count, a.Changes)
}

// decodeExactly reads JSON with its numbers as they are written.
func decodeExactly(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(v)
}
