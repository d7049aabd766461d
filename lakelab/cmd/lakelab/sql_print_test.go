package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestTrinoFormats prints the statements of testdata/trino.sql in the formats that trino-cli has, too, and compares with what that printed
// at a real Trino 476; the values of the format json are those of the CSV.
func TestTrinoFormats(t *testing.T) {
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	statements, err := statementsOf(sql.Trino, "", "testdata/trino.sql")
	if err != nil {
		t.Fatal(err)
	}
	var aligned, csv, fromJSON bytes.Buffer
	s := e.Session("", "formats", "")
	s.Use("lakehouse", "")
	for _, st := range statements {
		o := runStatement(t.Context(), s, sql.Trino, st)
		if o.err != nil {
			t.Fatal(st, o.err)
		}
		if o.update == "" { // what trino-cli says of others goes elsewhere
			if err := printAligned(&aligned, o); err != nil {
				t.Fatal(err)
			}
		}
		j := jsonOf(o)
		if err := printTrinoCSV(&csv, o); err != nil {
			t.Fatal(err)
		}
		o.rows = j.Rows
		if err := printTrinoCSV(&fromJSON, o); err != nil {
			t.Fatal(err)
		}
	}
	for name, got := range map[string]string{"ALIGNED": aligned.String(), "CSV_HEADER": csv.String()} {
		b, err := os.ReadFile("testdata/trino." + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		g, w := strings.Split(got, "\n"), strings.Split(string(b), "\n")
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Errorf("%s, line %d:\ngot  %q\nwant %q", name, i+1, at(g, i), at(w, i))
				break
			}
		}
	}
	if fromJSON.String() != csv.String() {
		t.Error("json has other values than csv")
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(the end)"
}
