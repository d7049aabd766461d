package engine

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestLikePrefix reads what patterns begin with.
func TestLikePrefix(t *testing.T) {
	for _, c := range []struct {
		pattern []string
		prefix  string
		whole   bool
		ok      bool
	}{
		{[]string{"demo"}, "demo", true, true}, {[]string{"de%"}, "de", false, true}, {[]string{"d_mo"}, "d", false, true}, {[]string{"%"}, "", false, true},
		{[]string{"a\\_b%", "\\"}, "a_b", false, true}, {[]string{"a\\_b", "\\"}, "a_b", true, true}, {[]string{"a\\_b"}, "a\\", false, true},
		{[]string{"a\\b", "\\"}, "", false, false}, {[]string{"a\\", "\\"}, "a", false, false}, {[]string{"a", ""}, "", false, false},
	} {
		if prefix, whole, ok := likePrefix(c.pattern); ok != c.ok || ok && (prefix != c.prefix || whole != c.whole) {
			t.Errorf("%q: %q %v %v", c.pattern, prefix, whole, ok)
		}
	}
}

// TestListingsOpenFewTables asks listings of columns about some tables. A table whose metadata file is gone shows, by what the log says of it,
// which questions open it.
func TestListingsOpenFewTables(t *testing.T) {
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "listings", "")
	run := func(q string) [][]any {
		t.Helper()
		r, err := s.Execute(t.Context(), sql.Trino, q, plan.Params{})
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		rows, err := s.Collect(t.Context(), r, -1)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		return rows
	}
	for _, q := range []string{"CREATE SCHEMA lakehouse.one", "CREATE SCHEMA lakehouse.other", "CREATE TABLE lakehouse.one.t (a integer, b varchar)",
		"CREATE TABLE lakehouse.one.u (c integer)", "CREATE TABLE lakehouse.other.broken (x integer)"} {
		run(q)
	}
	broken, err := filepath.Glob(filepath.Join(e.Dir, "warehouse", "other", "broken*", "metadata", "*.metadata.json"))
	if err != nil || len(broken) == 0 {
		t.Fatal(broken, err)
	}
	e.Close()
	if e, err = Open(t.Context(), e.Dir); err != nil { // nothing is at hand any more
		t.Fatal(err)
	}
	s = e.Session("", "listings", "")
	for _, f := range broken {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	log.SetOutput(&said)
	defer log.SetOutput(os.Stderr)
	for _, c := range []struct {
		query string
		rows  int
		all   bool
	}{
		{"SELECT * FROM lakehouse.information_schema.columns WHERE table_schema = 'one'", 3, false},
		{"SELECT * FROM lakehouse.information_schema.columns WHERE table_schema = 'one' AND table_name = 't'", 2, false},
		{"SELECT * FROM lakehouse.information_schema.columns WHERE 'one' = table_schema AND table_name IN ('u', 'v')", 1, false},
		{"SELECT * FROM lakehouse.information_schema.columns c JOIN (VALUES 't') v(n) ON c.table_name = v.n WHERE table_schema LIKE 'on%'", 2, false},
		{"SELECT * FROM lakehouse.information_schema.columns WHERE table_schema LIKE 'o%' AND table_name LIKE '_'", 3, true},
		{"SELECT * FROM lakehouse.information_schema.columns WHERE table_schema = 'one' OR table_schema = 'other'", 3, true},
		{"SELECT * FROM lakehouse.information_schema.columns WHERE table_schema <> 'information_schema'", 5, true},
		{"SELECT * FROM system.jdbc.columns WHERE TABLE_CAT = 'lakehouse' AND TABLE_SCHEM LIKE 'one' ESCAPE '\\' AND TABLE_NAME LIKE '%' ESCAPE '\\'", 3, false},
		{"SELECT * FROM system.jdbc.columns WHERE TABLE_CAT = 'tpch' AND table_schem = 'tiny' AND table_name = 'region'", 3, false},
		{"SELECT * FROM system.metadata.table_comments WHERE catalog_name = 'lakehouse' AND schema_name = 'one'", 2, false},
		{"SELECT * FROM system.metadata.table_comments WHERE schema_name = 'one' AND schema_name = 'other'", 0, false},
		{"SELECT * FROM system.metadata.table_comments WHERE catalog_name = 'tpch'", 0, false},
	} {
		said.Reset()
		if got := len(run(c.query)); got != c.rows {
			t.Errorf("%s: %d rows, want %d", c.query, got, c.rows)
		}
		if got := strings.Contains(said.String(), "broken"); got != c.all {
			t.Errorf("%s: opened the other schema's table: %v, want %v\n%s", c.query, got, c.all, said.String())
		}
	}
}

// BenchmarkListings is what a tool asks of a lakehouse with many tables.
func BenchmarkListings(b *testing.B) {
	e, err := Open(b.Context(), filepath.Join(b.TempDir(), "lakehouse"))
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "listings", "")
	run := func(q string) int {
		r, err := s.Execute(b.Context(), sql.Trino, q, plan.Params{})
		if err != nil {
			b.Fatal(err)
		}
		rows, err := s.Collect(b.Context(), r, -1)
		if err != nil {
			b.Fatal(err)
		}
		return len(rows)
	}
	columns := make([]string, 20)
	for i := range columns {
		columns[i] = fmt.Sprintf("column_%d varchar", i)
	}
	for i := range 10 {
		run(fmt.Sprintf("CREATE SCHEMA lakehouse.s%d", i))
		for j := range 50 {
			run(fmt.Sprintf("CREATE TABLE lakehouse.s%d.t%d (%s)", i, j, strings.Join(columns, ", ")))
		}
	}
	for name, q := range map[string]string{
		"table":  "SELECT * FROM system.jdbc.columns WHERE table_cat = 'lakehouse' AND table_schem LIKE 's3' ESCAPE '\\' AND table_name LIKE 't7' ESCAPE '\\'",
		"schema": "SELECT * FROM lakehouse.information_schema.columns WHERE table_schema = 's3'",
		"all":    "SELECT * FROM lakehouse.information_schema.columns",
		"jdbc":   "SELECT * FROM system.jdbc.columns WHERE table_cat = 'lakehouse'",
		"tables": "SELECT * FROM system.jdbc.tables WHERE table_cat = 'lakehouse'",
		"notes":  "SELECT * FROM system.metadata.table_comments WHERE catalog_name = 'lakehouse' AND schema_name = 's3'",
	} {
		b.Run(name, func(b *testing.B) {
			began, rows := time.Now(), 0
			for b.Loop() {
				rows = run(q)
			}
			b.ReportMetric(float64(time.Since(began).Milliseconds())/float64(b.N), "ms/query")
			b.ReportMetric(float64(rows), "rows")
		})
	}
}
