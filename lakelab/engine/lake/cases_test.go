package lake_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// metadataOf is a table's metadata file, decoded.
func (e *env) metadataOf(table string) (m map[string]any) {
	e.Helper()
	_, rows, err := e.load(table).MetadataTable(e.Context(), "metadata_log_entries", nil)
	e.must(err)
	b, err := os.ReadFile(strings.TrimPrefix(rows[len(rows)-1][1].(string), "file:"))
	e.must(err)
	e.must(json.Unmarshal(b, &m))
	return m
}

// TestTransformsAreSpelledAsInTheSpec looks at the names of transforms in metadata: plural ones cost other readers their pruning.
func TestTransformsAreSpelledAsInTheSpec(t *testing.T) {
	e := setup(t)
	field := func(transform string, n int, column string) lake.PartitionField {
		return lake.PartitionField{Transform: transform, Width: n, Column: []string{column}}
	}
	e.must(e.db.Exec(t.Context(), "CREATE MACRO iceberg_hash_long(x) AS CAST(x AS INTEGER)")) // the engine brings its own
	e.ctas("d.t", types.StructOf(col("k", long), col("v", str), col("d", types.Of(types.Timestamp))), "SELECT 1, 'v', TIMESTAMPTZ '2024-01-01'",
		lake.CreateOptions{Partitioning: []lake.PartitionField{field("day", 0, "d"), field("bucket", 16, "k"), field("truncate", 4, "v")}})
	var names []string
	for _, s := range e.metadataOf("d.t")["partition-specs"].([]any) {
		for _, f := range s.(map[string]any)["fields"].([]any) {
			names = append(names, f.(map[string]any)["transform"].(string))
		}
	}
	e.equal("transforms", names, []string{"day", "bucket[16]", "truncate[4]"})
}

// TestWriterFromEmptyTable lets a writer that began at a table without snapshots commit after another one.
func TestWriterFromEmptyTable(t *testing.T) {
	e := setup(t)
	e.must(e.l.Create(t.Context(), name("d.t"), types.StructOf(col("k", long), col("p", str)), lake.CreateOptions{}))
	stale := e.load("d.t")
	e.append("d.t", "SELECT 1, 'a'")
	_, err := e.l.ChangeRows(t.Context(), stale, lake.RowChanges{Command: "merge",
		Query: fmt.Sprintf("SELECT NULL::VARCHAR AS file, NULL::BIGINT AS pos, %d AS action, 1::BIGINT AS v0, 'b' AS v1", lake.RowInserted)}, e.db)
	if !conflict(err, "Found conflicting files that can contain records matching the condition") && !errors.Is(err, lake.ErrCommitFailed) {
		t.Errorf("a MERGE that read an empty table was committed on top of a row that it did not see: %v", err)
	}
	e.equal("rows", e.read(e.load("d.t"), nil), []string{"1|a"})
	e.append("d.t", "SELECT 2, 'c'") // an append of the same age has no conflict
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 2)
}

// TestTimeTravelInUnorderedLog asks for a time in a table whose snapshot log is out of order: the entry with the greatest time up to it counts.
func TestTimeTravelInUnorderedLog(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 1", lake.CreateOptions{})
	e.append("d.t", "SELECT 2")
	e.append("d.t", "SELECT 3")
	path := e.newest("metadata", ".metadata.json")
	var m map[string]any
	b, err := os.ReadFile(path)
	e.must(err)
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // ids are longer than a float64's digits
	e.must(d.Decode(&m))
	log := m["snapshot-log"].([]any)
	log[0], log[1] = log[1], log[0]
	second := log[0].(map[string]any)
	at, err := second["timestamp-ms"].(json.Number).Int64()
	e.must(err)
	b, err = json.Marshal(m)
	e.must(err)
	e.must(os.WriteFile(path, b, 0o644))
	l, err := lake.Open(t.Context(), e.dir, lake.Options{})
	e.must(err)
	defer l.Close()
	table, err := l.Load(t.Context(), name("d.t"))
	e.must(err)
	s, err := table.SnapshotAsOf(types.Micros(at * 1000))
	e.must(err)
	e.equal("snapshot", fmt.Sprint(s.ID), second["snapshot-id"].(json.Number).String())
}
