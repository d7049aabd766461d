package lake_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// meanwhile lets another process do something between a commit's look at the table and its swap, once.
func meanwhile(t *testing.T, do func()) {
	t.Helper()
	did := false
	lake.OnReached(func(point string) {
		if point == "before the swap" && !did {
			did = true
			do()
		}
	})
	t.Cleanup(func() {
		lake.OnReached(func(string) {})
		if !did {
			t.Error("nothing happened meanwhile")
		}
	})
}

// TestPartitionsOfOddValues overwrites partitions whose values look alike when they are printed.
func TestPartitionsOfOddValues(t *testing.T) {
	e := setup(t)
	values := []string{"NULL", "'<nil>'", "'nil'", "'a 1001:b'", "'a'", "''", "'\"'"}
	opts := lake.CreateOptions{Partitioning: []lake.PartitionField{{Transform: "identity", Column: []string{"p"}}, {Transform: "identity", Column: []string{"q"}}}}
	var rows []string
	for _, p := range values {
		for _, q := range values {
			rows = append(rows, fmt.Sprintf("(%s, %s)", p, q))
		}
	}
	e.ctas("d.t", types.StructOf(col("k", long), col("p", str), col("q", str)), "SELECT 0, * FROM (VALUES "+strings.Join(rows, ", ")+") v(p, q)", opts)
	for i, row := range rows {
		_, err := e.l.Overwrite(t.Context(), e.load("d.t"), lake.Overwriting{Dynamic: true}, fmt.Sprintf("SELECT %d, * FROM (VALUES %s) v(p, q)", i+1, row), e.db)
		e.must(err)
	}
	got := e.read(e.load("d.t"), nil, "k")
	e.equal("rows", len(got), len(rows))
	slices.Sort(got)
	e.equal("rows written once", len(slices.Compact(got)), len(rows))
}

// TestCompactionIsNoConflict compacts another partition between the reading and the commit of an update; rows that were added before it, which
// the compaction has moved, are a conflict still.
func TestCompactionIsNoConflict(t *testing.T) {
	for _, added := range []bool{false, true} {
		e := setup(t)
		e.ctas("d.t", types.StructOf(col("k", long), col("p", str)), "SELECT i, 'a' FROM range(4) r(i) UNION ALL SELECT 10, 'b'", byP)
		e.append("d.t", "SELECT 11, 'b'")
		stale := e.load("d.t")
		query := e.changed(stale, lake.RowUpdated, "k + 100", "k = 0")
		if added {
			e.append("d.t", "SELECT 12, 'b'")
		}
		did, err := e.l.Rewrite(t.Context(), e.load("d.t"), lake.Rewriting{Options: map[string]string{"rewrite-all": "true"},
			Where: &lake.Condition{Op: "=", Column: []string{"p"}, Values: []any{"b"}}}, e.db)
		e.must(err)
		e.equal("compacted into", did.Added, int64(1))
		_, err = e.l.ChangeRows(t.Context(), stale, lake.RowChanges{Command: "update", Query: query}, e.db)
		if added != conflict(err, "Found conflicting files") || !added && err != nil {
			t.Errorf("rows were added: %v; %v", added, err)
		}
	}
}

// TestFilesTakenTwice takes a file in while another process does.
func TestFilesTakenTwice(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 1", lake.CreateOptions{Properties: map[string]string{"schema.name-mapping.default": `[{"field-id": 1, "names": ["k"]}]`}})
	path := filepath.Join(t.TempDir(), "theirs.parquet")
	e.must(e.db.Exec(ctx, "COPY (SELECT 2::BIGINT AS k) TO '"+path+"' (FORMAT parquet)"))
	source := []lake.SourceFile{{Path: path}}
	other, err := lake.Open(ctx, e.dir, lake.Options{})
	e.must(err)
	defer other.Close()
	meanwhile(t, func() {
		tab, err := other.Load(ctx, name("d.t"))
		e.must(err)
		_, err = other.AddFiles(ctx, tab, 0, source, true)
		e.must(err)
	})
	_, err = e.l.AddFiles(ctx, e.load("d.t"), 0, source, true)
	refused(t, err, "already exist within the target table")
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 2)
}

// TestPurgeAndStatistics leaves no file of a table that is dropped with PURGE.
func TestPurgeAndStatistics(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 1", lake.CreateOptions{})
	_, err := e.l.ComputeStats(t.Context(), e.load("d.t"), nil, nil, e.db)
	e.must(err)
	e.must(e.l.Drop(t.Context(), name("d.t"), true))
	e.equal("files", files(t, e.dir), []string(nil))
}

// TestFilesThatStay does not count what an expiry could not delete.
func TestFilesThatStay(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 1", lake.CreateOptions{})
	data := e.files("d.t")[0]
	e.append("d.t", "SELECT 2")
	_, err := e.l.Overwrite(t.Context(), e.load("d.t"), lake.Overwriting{}, "SELECT 3", e.db)
	e.must(err)
	e.must(os.Remove(data))
	e.must(os.MkdirAll(filepath.Join(data, "in the way"), 0o755))
	far := farFuture.UnixMilli()
	did, err := e.l.Expire(t.Context(), e.load("d.t"), lake.Expiring{OlderThan: &far})
	e.must(err)
	e.equal("data files deleted", did.Data, int64(1))
}

// dataFile describes a Parquet file of one of the table's specs, as another writer would.
func (e *env) dataFile(table, path string, content iceberg.ManifestEntryContent, rows int64) *iceberg.DataFileBuilder {
	e.Helper()
	info, err := os.Stat(path)
	e.must(err)
	b, err := iceberg.NewDataFileBuilder(e.load(table).Spec(0), content, path, iceberg.ParquetFile, nil, nil, nil, rows, info.Size())
	e.must(err)
	return b
}

// TestFilesWithoutIDs reads files without field ids in a table without a name mapping: their columns have the ids of their places.
func TestFilesWithoutIDs(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	e.ctas("d.t", types.StructOf(col("k", long), col("v", str)), "SELECT 1, 'a'", lake.CreateOptions{})
	folder := e.load("d.t").Location()
	var theirs []iceberg.DataFile
	for i := range 2 {
		path := filepath.Join(folder, "data", fmt.Sprintf("plain-%d.parquet", i))
		e.must(e.db.Exec(ctx, fmt.Sprintf("COPY (SELECT %d::BIGINT AS x, 'b' AS y) TO '%s' (FORMAT parquet)", i+2, path)))
		theirs = append(theirs, e.dataFile("d.t", path, iceberg.EntryContentData, 1).Build())
	}
	for i, want := range []string{"1|a 2|b", "1|a 2|b 3|b"} {
		e.must(e.l.CommitFiles(ctx, e.load("d.t"), theirs[i:i+1], nil))
		got := e.read(e.load("d.t"), nil)
		slices.Sort(got)
		e.equal("rows", strings.Join(got, " "), want)
	}
	e.must(e.l.RenameColumn(ctx, e.load("d.t"), []string{"v"}, "name"))
	e.equal("renamed", len(e.read(e.load("d.t"), nil, "name")), 3)
	e.equal("without a value", slices.Contains(e.read(e.load("d.t"), nil, "name"), "<nil>"), false)
}

// TestYoungerThanItsDeletes takes in a data file of which there are deletes already: they are about what was there before. Deletes that come
// later count, also where a delete file takes earlier ones in.
func TestYoungerThanItsDeletes(t *testing.T) {
	for _, several := range []bool{false, true} {
		e := setup(t)
		ctx := t.Context()
		e.ctas("d.t", types.StructOf(col("k", long), col("p", str)), "SELECT 0, 'a'", lake.CreateOptions{Properties: map[string]string{"write.delete.mode": "merge-on-read"}})
		folder := filepath.Join(e.load("d.t").Location(), "data")
		first, data, deletes := e.files("d.t")[0], filepath.Join(folder, "theirs.parquet"), filepath.Join(folder, "deletes.parquet")
		e.must(e.db.Exec(ctx, fmt.Sprintf("COPY (SELECT i AS k, 'b' AS p FROM range(1, 5) r(i)) TO '%s' (FORMAT parquet, FIELD_IDS {k: 1, p: 2})", data)))
		query := fmt.Sprintf("SELECT '%s' AS file_path, 1::BIGINT AS pos", data)
		if several {
			query += fmt.Sprintf(" UNION ALL SELECT '%s', 0", first)
		}
		e.must(e.db.Exec(ctx, fmt.Sprintf("COPY (%s) TO '%s' (FORMAT parquet, FIELD_IDS {file_path: 2147483546, pos: 2147483545})", query, deletes)))
		b := e.dataFile("d.t", deletes, iceberg.EntryContentPosDeletes, 1)
		want := []string{"0", "1", "2", "3", "4"}
		if several {
			want = want[1:]
		} else {
			b = b.ReferencedDataFile(data)
		}
		e.must(e.l.CommitFiles(ctx, e.load("d.t"), nil, []iceberg.DataFile{b.Build()}))
		e.must(e.l.CommitFiles(ctx, e.load("d.t"), []iceberg.DataFile{e.dataFile("d.t", data, iceberg.EntryContentData, 4).Build()}, nil))
		rows := func() []string {
			got := e.read(e.load("d.t"), nil, "k")
			slices.Sort(got)
			return got
		}
		e.equal(fmt.Sprint("rows, a delete file of several data files: ", several), rows(), want)
		tab := e.load("d.t")
		_, err := e.l.ChangeRows(ctx, tab, lake.RowChanges{Command: "delete", Query: e.changed(tab, lake.RowDeleted, "NULL", "k = 4")}, e.db)
		e.must(err)
		e.equal("rows after a delete", rows(), want[:len(want)-1])
		_, err = e.l.RewritePositions(ctx, e.load("d.t"), lake.Rewriting{Options: map[string]string{"rewrite-all": "true"}}, e.db)
		e.must(err)
		e.equal("rows after a rewrite of the deletes", rows(), want[:len(want)-1])
	}
}

// TestRewriteOptions honours how large groups of files may be, and removes delete files that delete nothing.
func TestRewriteOptions(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	e.ctas("d.t", types.StructOf(col("k", long), col("p", str)), "SELECT 1, 'a' UNION ALL SELECT 2, 'b'", byP)
	e.deleteEqual("d.t", "SELECT 1::BIGINT AS k", []string{"k"}, []int{1}, 0, map[int]any{1000: "a"})
	did, err := e.l.Rewrite(ctx, e.load("d.t"), lake.Rewriting{Options: map[string]string{"rewrite-all": "true", "remove-dangling-deletes": "true"},
		Where: &lake.Condition{Op: "=", Column: []string{"p"}, Values: []any{"a"}}}, e.db)
	e.must(err)
	e.equal("delete files removed", did.RemovedDeletes, int64(1))
	e.equal("delete files", len(e.meta("d.t", "delete_files")), 0)
	e.equal("rows", e.read(e.load("d.t"), nil), []string{"2|b"})

	for _, group := range []string{"1", "107374182400"} {
		e.ctas("d.g", types.StructOf(col("k", long)), "SELECT 0", lake.CreateOptions{Replace: true})
		for i := range 3 {
			e.append("d.g", fmt.Sprintf("SELECT %d", i))
		}
		did, err := e.l.Rewrite(ctx, e.load("d.g"), lake.Rewriting{Options: map[string]string{"rewrite-all": "true", "max-file-group-size-bytes": group}}, e.db)
		e.must(err)
		e.equal("files made with groups of "+group, did.Added, map[string]int64{"1": 4, "107374182400": 1}[group])
	}
}
