package lake_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestInitialDefaults reads columns that another engine added with initial defaults (format v3) from files that were there before. Real Spark
// 4.0.1 with Iceberg 1.10.1, which cannot add them itself, shows the same rows for such a table.
func TestInitialDefaults(t *testing.T) {
	e := setup(t)
	inner := types.StructOf(col("a", integ))
	e.ctas("d.t", types.StructOf(col("k", long), col("s", inner)), "SELECT 1, {'a': 1}", lake.CreateOptions{Properties: map[string]string{"format-version": "3"}})
	e.must(e.l.AddColumns(t.Context(), e.load("d.t"), []lake.NewColumn{
		{Field: col("w", integ)}, {Field: col("d", types.Of(types.Date))}, {Field: col("ts", types.Of(types.Timestamp))}, {Field: col("n", types.DecimalOf(9, 2))},
		{Field: col("t", str)}, {Field: col("b", types.Of(types.Binary))}, {Path: []string{"s"}, Field: col("z", long)},
	}))
	path := e.newest("metadata", ".metadata.json")
	b, err := os.ReadFile(path)
	e.must(err)
	defaults := map[string]any{"w": 5, "d": "2024-02-03", "ts": "2024-02-03T04:05:06+00:00", "n": "1.50", "t": "it's", "b": "00ff", "z": 7}
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	e.must(d.Decode(&m))
	var fill func(fields any)
	fill = func(fields any) {
		for _, f := range fields.([]any) {
			f := f.(map[string]any)
			if v, ok := defaults[f["name"].(string)]; ok {
				f["initial-default"], f["write-default"] = v, v
			}
			if inner, ok := f["type"].(map[string]any); ok {
				fill(inner["fields"])
			}
		}
	}
	schemas := m["schemas"].([]any)
	fill(schemas[len(schemas)-1].(map[string]any)["fields"])
	b, err = json.Marshal(m)
	e.must(err)
	e.must(os.WriteFile(path, b, 0o644))
	l, err := lake.Open(t.Context(), e.dir, lake.Options{})
	e.must(err)
	defer l.Close()
	table, err := l.Load(t.Context(), name("d.t"))
	e.must(err)
	q, err := table.ScanSQL(t.Context(), nil, nil, nil)
	e.must(err)
	_, rows, err := e.db.Query(t.Context(), "SELECT k, s::VARCHAR, w, d::VARCHAR, epoch_us(ts), n::VARCHAR, t, hex(b) FROM ("+q+")")
	e.must(err)
	e.equal("row", rows[0], []any{int64(1), "{'a': 1, 'z': 7}", int32(5), "2024-02-03", int64(1706933106000000), "1.50", "it's", "00FF"})
}
