package lake_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
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

// TestLongPartitionValues: a text may be as long as the name of its folder in the table lets it, also where the table has columns of the names
// under which such values are written.
func TestLongPartitionValues(t *testing.T) {
	e := setup(t)
	long := strings.Repeat("x", 252)
	e.ctas("d.t", types.StructOf(col("k", str), col("A", str), col("b", str)), "SELECT '"+long+"', 'a', 'b' UNION ALL SELECT NULL, 'c', 'd'",
		lake.CreateOptions{Partitioning: []lake.PartitionField{{Transform: "identity", Column: []string{"k"}}, {Transform: "identity", Column: []string{"A"}}}})
	got := e.read(e.load("d.t"), nil)
	slices.Sort(got)
	want := []string{"<nil>|c|d", long + "|a|b"}
	e.equal("rows", got, want)
}

// TestPropertiesThatAreNoNumbers: a table can be given them, and fails where they are asked for.
func TestPropertiesThatAreNoNumbers(t *testing.T) {
	e := setup(t)
	schema := types.StructOf(col("k", long))
	e.ctas("d.other", schema, "SELECT 1", lake.CreateOptions{})
	insert := func(table string) error { return second(e.l.Append(t.Context(), e.load(table), "SELECT 1", e.db)) }
	expire := func(table string) error { return second(e.l.Expire(t.Context(), e.load(table), lake.Expiring{})) }
	rewrite := func(table string) error {
		return second(e.l.Rewrite(t.Context(), e.load(table), lake.Rewriting{}, e.db))
	}
	for i, c := range []struct {
		key, value string
		run        func(string) error
		fails      bool
	}{
		{"write.target-file-size-bytes", "abc", insert, true},
		{"write.target-file-size-bytes", "abc", rewrite, true},
		{"write.target-file-size-bytes", "abc", expire, false},
		{"write.target-file-size-bytes", "0", insert, false},
		{"write.parquet.compression-level", "abc", insert, true},
		{"write.parquet.row-group-size-bytes", "abc", insert, true},
		{"commit.manifest.min-count-to-merge", "abc", insert, true},
		{"commit.manifest.min-count-to-merge", "3000000000", insert, true},
		{"commit.manifest.min-count-to-merge", "-5", insert, false},
		{"commit.manifest.target-size-bytes", "1.5", insert, true},
		{"write.metadata.previous-versions-max", "abc", insert, true},
		{"history.expire.max-snapshot-age-ms", "abc", insert, false},
		{"history.expire.max-snapshot-age-ms", "abc", expire, true},
		{"history.expire.min-snapshots-to-keep", "abc", expire, true},
	} {
		table := fmt.Sprintf("d.t%d", i)
		e.must(e.l.Create(t.Context(), name(table), schema, lake.CreateOptions{Properties: map[string]string{c.key: c.value}}))
		err := c.run(table)
		if failed := err != nil && strings.Contains(err.Error(), fmt.Sprintf("For input string: %q", c.value)); failed != c.fails || err != nil && !failed {
			t.Errorf("%s = %s: %v", c.key, c.value, err)
		}
	}
}
