package functions

import (
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestSparkFunctions: every function of the table that Spark lists is described, and what is not described is missing by name.
func TestSparkFunctions(t *testing.T) {
	described := map[string]bool{}
	for _, f := range SparkFunctions() {
		described[f.Name] = true
		if f.Usage == "" || strings.HasSuffix(f.Usage, " - ") {
			t.Errorf("%s: usage %q", f.Name, f.Usage)
		}
	}
	for line := range strings.Lines(sparkClasses) {
		name, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if f := Lookup(sql.Spark, name); !described[name] && (f == nil || f.Missing == "") {
			t.Errorf("%s is neither described nor missing", name)
		}
	}
	if len(described) < 400 {
		t.Errorf("%d functions", len(described))
	}
}
