package engine_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A client's header can name a prepared statement that PREPARE would refuse. The answers are Trino 476's.
func TestTrinoNestedExecute(t *testing.T) {
	c := newTrinoSuiteClient(t, openDoor(t))
	for prepared, want := range map[string]string{
		"EXECUTE p":                    "Unsupported statement type: Execute",
		"EXECUTE IMMEDIATE 'SELECT 1'": "Unsupported statement type: ExecuteImmediate",
		"SELECT ?":                     "line 1:1: Incorrect number of parameters: expected 1 but found 0",
	} {
		c.prepared = map[string]string{"p": prepared}
		if a := c.run(t, "EXECUTE p"); a.Error == nil || a.Error.Message != want {
			t.Errorf("%s: %+v", prepared, a.Error)
		}
	}
	c.prepared = map[string]string{"p": "EXECUTE IMMEDIATE 'SELECT ?' USING ?"}
	if a := c.run(t, "EXECUTE p USING 1"); a.Error == nil || a.Error.Message != "line 1:1: Incorrect number of parameters: expected 0 but found 1" {
		t.Errorf("%+v", a.Error)
	}
}

// The error of a killed query is Trino 476's.
func TestTrinoKillQuery(t *testing.T) {
	address := openDoor(t)
	killer := newTrinoSuiteClient(t, address)
	answer := make(chan trinoAnswer, 1)
	victim := newTrinoSuiteClient(t, address)
	go func() {
		answer <- victim.run(t, "SELECT count(*) FROM UNNEST(sequence(1, 10000)) a(x), UNNEST(sequence(1, 10000)) b(y), UNNEST(sequence(1, 10000)) c(z) WHERE (x * y + z) % 7 = 1")
	}()
	id := ""
	for deadline := time.Now().Add(30 * time.Second); id == "" && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if a := killer.run(t, "SELECT query_id FROM system.runtime.queries WHERE query LIKE 'SELECT count%'"); len(a.Rows) > 0 {
			id = a.Rows[0][0].(string)
		}
	}
	if a := killer.run(t, "CALL system.runtime.kill_query(query_id => '"+id+"', message => 'too much')"); a.Error != nil {
		t.Fatal(a.Error)
	}
	if a := <-answer; a.Error == nil || a.Error.Name != "ADMINISTRATIVELY_KILLED" || a.Error.Code != 38 || a.Error.Message != "Query killed. Message: too much" {
		t.Errorf("%+v", a.Error)
	}
}

// Whose metadata file is gone is left out of lists, and the other tables are there.
func TestTrinoListsWithoutBrokenTables(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lakehouse")
	c := newTrinoSuiteClient(t, openDoorAt(t, dir))
	for _, s := range []string{"CREATE TABLE broken (a integer)", "CREATE TABLE whole (b integer)"} {
		if a := c.run(t, s); a.Error != nil {
			t.Fatal(a.Error)
		}
	}
	paths, err := filepath.Glob(filepath.Join(dir, "warehouse", "suite", "broken*", "metadata", "*.metadata.json"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, p := range paths {
		if err := os.WriteFile(p, []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Another engine opens the folder anew: this one may still know what it has written.
	c = newTrinoSuiteClient(t, openDoorAt(t, dir))
	for _, s := range []string{"SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'suite'", "SELECT table_name, column_name FROM system.jdbc.columns WHERE table_schem = 'suite'"} {
		if a := c.run(t, s); a.Error != nil || len(a.Rows) != 1 || a.Rows[0][0] != "whole" {
			t.Errorf("%s: %+v %+v", s, a.Rows, a.Error)
		}
	}
	if a := c.run(t, "SELECT * FROM broken"); a.Error == nil || !strings.Contains(a.Error.Message, "metadata.json") {
		t.Errorf("%+v", a.Error)
	}
}

// Hidden columns are there in prepared statements and in views, as anywhere else.
func TestTrinoHiddenColumnsInside(t *testing.T) {
	c := newTrinoSuiteClient(t, openDoor(t))
	for _, s := range []string{"CREATE TABLE h (a integer)", "INSERT INTO h VALUES 1", `CREATE VIEW v AS SELECT "$path" AS p FROM h`} {
		if a := c.run(t, s); a.Error != nil {
			t.Fatal(s, a.Error)
		}
	}
	c.prepared = map[string]string{"p": `SELECT "$path" FROM h WHERE a = ?`}
	for _, s := range []string{"EXECUTE p USING 1", `EXECUTE IMMEDIATE 'SELECT "$path" FROM h WHERE a = ?' USING 1`, "SELECT p FROM v"} {
		if a := c.run(t, s); a.Error != nil || len(a.Rows) != 1 || !strings.HasSuffix(a.Rows[0][0].(string), ".parquet") {
			t.Errorf("%s: %+v %+v", s, a.Rows, a.Error)
		}
	}
	if a := c.run(t, "DESCRIBE OUTPUT p"); a.Error != nil || len(a.Rows) != 1 {
		t.Errorf("%+v %+v", a.Rows, a.Error)
	}
}

// What odd headers are answered is Trino 476's answer.
func TestTrinoOddHeaders(t *testing.T) {
	c := newTrinoSuiteClient(t, openDoor(t))
	for _, e := range []struct {
		header, value, statement string
		want                     any // the value, or the error's name and message
	}{
		{"X-Trino-Path", "a.b.c", "SELECT current_path", "SYNTAX_ERROR: line 1:4: mismatched input '.'. Expecting: ',', <EOF>"},
		{"X-Trino-Path", `"a`, "SELECT current_path", "SYNTAX_ERROR: line 1:1: mismatched input '\"'. Expecting: <identifier>"},
		{"X-Trino-Path", "tpch.tiny", "SELECT current_path", "tpch.tiny"},
		{"X-Trino-Time-Zone", "", "SELECT 1", "GENERIC_INTERNAL_ERROR: Zone id is an empty string"},
		{"X-Trino-Time-Zone", "+03:30", "SELECT current_timezone()", "+03:30"},
		{"X-Trino-Schema", "", "SELECT current_schema", nil},
		{"X-Trino-Session", "a.b.c=1", "SELECT 1", "CATALOG_NOT_FOUND: Catalog 'a.b' not found"},
	} {
		c.headers = map[string]string{e.header: e.value}
		var got any
		switch a := c.run(t, e.statement); {
		case a.Error != nil:
			got = a.Error.Name + ": " + a.Error.Message
		case len(a.Rows) == 1:
			got = a.Rows[0][0]
		default:
			got = a
		}
		if got != e.want {
			t.Errorf("%s: %s\ngot  %v\nwant %v", e.header, e.value, got, e.want)
		}
	}
}

// JDBC hands its result set out when it knows the columns, and can cancel from then on: they come while the rows are still being made.
func TestTrinoColumnsBeforeRows(t *testing.T) {
	type page struct {
		NextURI string            `json:"nextUri"`
		Columns []json.RawMessage `json:"columns"`
	}
	ask := func(method, address, text string) (p page) {
		r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Trino-User", "suite")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := json.NewDecoder(resp.Body).Decode(&p); err != nil && method != http.MethodDelete {
			t.Fatal(err)
		}
		return p
	}
	p := ask(http.MethodPost, openDoor(t)+"/v1/statement", "SELECT count(*) FROM UNNEST(sequence(1, 10000)) a(x), UNNEST(sequence(1, 10000)) b(y), UNNEST(sequence(1, 10000)) c(z) WHERE (x * y + z) % 7 = 1")
	for range 5 {
		if p = ask(http.MethodGet, p.NextURI, ""); p.NextURI == "" || p.Columns != nil {
			break
		}
	}
	if p.NextURI == "" || len(p.Columns) != 1 {
		t.Fatalf("%+v", p)
	}
	ask(http.MethodDelete, p.NextURI, "")
}
