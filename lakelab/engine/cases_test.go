package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// TestTimeTravelFiltersByOldNames reads a snapshot from before a column was renamed: its columns have the names that they had. Real Spark
// 4.0.1 with Iceberg 1.10.1 shows the old name in SELECT * and dies on a filter by it (apache/iceberg#11162), so this is not recorded.
func TestTimeTravelFiltersByOldNames(t *testing.T) {
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "cases", t.TempDir())
	ask := func(text string) (string, error) {
		r, err := s.Execute(t.Context(), sql.Spark, text, plan.Params{})
		if err != nil {
			return "", err
		}
		rows, err := s.Collect(t.Context(), r, -1)
		if err != nil {
			return "", err
		}
		var out strings.Builder
		for i, f := range r.Schema.Fields {
			if i > 0 {
				out.WriteString(", ")
			}
			out.WriteString(f.Name)
		}
		for _, row := range rows {
			out.WriteString(" |")
			for i, v := range row {
				out.WriteString(" " + types.Text(r.Schema.Fields[i].Type, v, s.Location()))
			}
		}
		return out.String(), nil
	}
	must := func(text string) string {
		t.Helper()
		out, err := ask(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return out
	}
	must("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
	must("CREATE TABLE lakehouse.default.t (id INT, col DOUBLE) USING iceberg")
	must("INSERT INTO lakehouse.default.t VALUES (1, 1.0), (2, 2.0)")
	id := strings.TrimPrefix(must("SELECT snapshot_id FROM lakehouse.default.t.snapshots"), "snapshot_id | ")
	must("ALTER TABLE lakehouse.default.t RENAME COLUMN col TO value")
	must("INSERT INTO lakehouse.default.t VALUES (3, 3.0)")
	for text, want := range map[string]string{
		"SELECT * FROM lakehouse.default.t VERSION AS OF " + id + " ORDER BY id":             "id, col | 1 1.0 | 2 2.0",
		"SELECT col FROM lakehouse.default.t VERSION AS OF " + id + " WHERE col = 1.0":       "col | 1.0",
		"SELECT value FROM lakehouse.default.t WHERE value > 1.0 ORDER BY value":             "value | 2.0 | 3.0",
		"SELECT count(*) AS n FROM lakehouse.default.t VERSION AS OF " + id + " WHERE col>9": "n | 0",
	} {
		if got := must(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if _, err := ask("SELECT value FROM lakehouse.default.t VERSION AS OF " + id); err == nil || !strings.Contains(err.Error(), "UNRESOLVED_COLUMN") {
		t.Errorf("the new name in an old snapshot: %v", err)
	}
}

// TestTravelNeedsForInTrino parses VERSION AS OF in both dialects: Trino's grammar has it only behind FOR.
func TestTravelNeedsForInTrino(t *testing.T) {
	for text, fine := range map[string]bool{"SELECT * FROM t VERSION AS OF 1": false, "SELECT * FROM t FOR VERSION AS OF 1": true} {
		if _, err := sql.Parse(sql.Trino, text); (err == nil) != fine {
			t.Errorf("Trino, %s: %v", text, err)
		}
		if _, err := sql.Parse(sql.Spark, text); err != nil {
			t.Errorf("Spark, %s: %v", text, err)
		}
	}
}
