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

// deleteEqual commits an equality delete file as Flink writes it: the query's columns go under ids, in a partition of a spec.
func (e *env) deleteEqual(table, query string, columns []string, ids []int, spec int, partition map[int]any) {
	e.Helper()
	t := e.load(table)
	path := filepath.Join(t.Location(), "data", fmt.Sprintf("eq-%d.parquet", len(e.files(table))))
	entries := make([]string, len(ids))
	for i, id := range ids {
		entries[i] = fmt.Sprintf("%s: %d", columns[i], id)
	}
	_, rows, err := e.db.Query(e.Context(), fmt.Sprintf("COPY (%s) TO '%s' (FORMAT parquet, FIELD_IDS {%s})", query, path, strings.Join(entries, ", ")))
	e.must(err)
	info, err := os.Stat(path)
	e.must(err)
	b, err := iceberg.NewDataFileBuilder(t.Spec(spec), iceberg.EntryContentEqDeletes, path, iceberg.ParquetFile, partition, nil, nil, rows[0][0].(int64), info.Size())
	e.must(err)
	e.must(e.l.CommitFiles(e.Context(), t, nil, []iceberg.DataFile{b.EqualityFieldIDs(ids).Build()}))
}

// TestOrphansAsOthersNameThem keeps a file that metadata names with a scheme and doubled slashes, and deletes nothing in a folder where no
// file of the table is.
func TestOrphansAsOthersNameThem(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", integ)), "SELECT 1", lake.CreateOptions{})
	tab := e.load("d.t")
	folder := tab.Location()
	path := filepath.Join(folder, "data", "theirs.parquet")
	e.must(e.db.Exec(t.Context(), "COPY (SELECT 2::INTEGER AS k) TO '"+path+"' (FORMAT parquet, FIELD_IDS {k: 1})"))
	info, err := os.Stat(path)
	e.must(err)
	b, err := iceberg.NewDataFileBuilder(tab.Spec(0), iceberg.EntryContentData, "file:"+folder+"//data/./theirs.parquet", iceberg.ParquetFile, nil, nil, nil, 1, info.Size())
	e.must(err)
	e.must(e.l.CommitFiles(t.Context(), tab, []iceberg.DataFile{b.Build()}, nil))
	found, err := e.l.Orphans(t.Context(), e.load("d.t"), lake.Orphaned{Before: farFuture})
	e.must(err)
	e.equal("orphans", len(found), 0)
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 2)

	link := filepath.Join(t.TempDir(), "link")
	e.must(os.Symlink(filepath.Dir(folder), link))
	found, err = e.l.Orphans(t.Context(), e.load("d.t"), lake.Orphaned{Folder: filepath.Join(link, "t"), Before: farFuture})
	e.must(err)
	e.equal("orphans behind a link", len(found), 0)
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 2)
}

// TestOneVector makes vectors of position deletes in a file that has a vector already, which is of the right size: the file has one then.
func TestOneVector(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT i FROM range(9000) r(i)", lake.CreateOptions{Properties: map[string]string{"format-version": "3", "write.delete.mode": "merge-on-read"}})
	tab := e.load("d.t")
	q, err := tab.ScanSQL(ctx, nil, []string{"k", lake.FileColumn, lake.PositionColumn}, nil)
	e.must(err)
	_, err = e.l.ChangeRows(ctx, tab, lake.RowChanges{Command: "delete", Query: fmt.Sprintf("SELECT _file AS file, _pos AS pos, %d AS action, NULL AS v0 FROM (%s) WHERE k = 3", lake.RowDeleted, q)}, e.db)
	e.must(err)
	_, files, err := e.db.Query(ctx, "SELECT DISTINCT _file FROM ("+q+")")
	e.must(err)
	path := filepath.Join(tab.Location(), "data", "deletes.parquet")
	_, rows, err := e.db.Query(ctx, fmt.Sprintf("COPY (SELECT '%s' AS file_path, i AS pos FROM range(10, 8000) r(i)) TO '%s' (FORMAT parquet, FIELD_IDS {file_path: 2147483546, pos: 2147483545})", files[0][0], path))
	e.must(err)
	info, err := os.Stat(path)
	e.must(err)
	b, err := iceberg.NewDataFileBuilder(tab.Spec(0), iceberg.EntryContentPosDeletes, path, iceberg.ParquetFile, nil, nil, nil, rows[0][0].(int64), info.Size())
	e.must(err)
	e.must(e.l.CommitFiles(ctx, e.load("d.t"), nil, []iceberg.DataFile{b.ReferencedDataFile(files[0][0].(string)).Build()}))
	puffins, err := filepath.Glob(filepath.Join(tab.Location(), "data", "*.puffin"))
	e.must(err)
	vector, err := os.Stat(puffins[0])
	e.must(err)
	e.must(e.l.SetProperties(ctx, e.load("d.t"), map[string]string{"write.delete.target-file-size-bytes": fmt.Sprint(vector.Size())}))
	did, err := e.l.RewritePositions(ctx, e.load("d.t"), lake.Rewriting{}, e.db)
	e.must(err)
	e.equal("delete files rewritten and added", []int64{did.Files, did.Added}, []int64{2, 1})
	e.equal("delete files", len(e.meta("d.t", "delete_files")), 1)
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 9000-1-7990)
}

// TestEqualityDeletes reads tables with equality deletes: which rows they reach is a matter of age, partition and NULLs.
func TestEqualityDeletes(t *testing.T) {
	schema := types.StructOf(col("k", integ), col("v", str), col("p", str))
	rows := func(e *env, want ...string) {
		t.Helper()
		got := e.read(e.load("d.t"), nil, "k", "v")
		slices.Sort(got)
		e.equal("rows", got, want)
	}
	t.Run("age", func(t *testing.T) {
		e := setup(t)
		e.ctas("d.t", schema, "VALUES (1, 'a', 'x'), (2, 'b', 'x'), (3, NULL, 'y')", lake.CreateOptions{})
		e.deleteEqual("d.t", "SELECT * FROM (VALUES (1::INTEGER), (3)) AS q(k)", []string{"k"}, []int{1}, 0, nil)
		e.append("d.t", "VALUES (1, 'new', 'x')") // younger than the delete: it stays
		rows(e, "1|new", "2|b")
		got := e.read(e.load("d.t"), nil, "v")
		slices.Sort(got) // two files are read at a time, and a join keeps no order
		e.equal("only the column asked for", got, []string{"b", "new"})
	})
	t.Run("null and two columns", func(t *testing.T) {
		e := setup(t)
		e.ctas("d.t", schema, "VALUES (1, 'a', 'x'), (1, NULL, 'x'), (2, NULL, 'y')", lake.CreateOptions{})
		e.deleteEqual("d.t", "SELECT 1::INTEGER AS k, NULL::VARCHAR AS v", []string{"k", "v"}, []int{1, 2}, 0, nil)
		rows(e, "1|a", "2|<nil>")
	})
	t.Run("partition", func(t *testing.T) {
		e := setup(t)
		e.ctas("d.t", schema, "VALUES (1, 'a', 'x'), (1, 'b', 'y')", lake.CreateOptions{Partitioning: []lake.PartitionField{{Transform: "identity", Column: []string{"p"}}}})
		e.deleteEqual("d.t", "SELECT 1::INTEGER AS k", []string{"k"}, []int{1}, 0, map[int]any{1000: "x"})
		rows(e, "1|b")
		e.append("d.t", "VALUES (1, 'c', 'x')")
		rows(e, "1|b", "1|c")
	})
	t.Run("renamed, widened and dropped keys", func(t *testing.T) {
		e := setup(t)
		e.ctas("d.t", schema, "VALUES (1, 'a', 'x'), (2, 'b', 'y')", lake.CreateOptions{})
		e.deleteEqual("d.t", "SELECT 1::INTEGER AS k", []string{"k"}, []int{1}, 0, nil)
		e.deleteEqual("d.t", "SELECT 'y' AS p", []string{"p"}, []int{3}, 0, nil)
		e.append("d.t", "VALUES (3, 'c', 'y')")
		e.must(e.l.DropColumns(t.Context(), e.load("d.t"), [][]string{{"p"}}, false))
		e.must(e.l.RenameColumn(t.Context(), e.load("d.t"), []string{"k"}, "key"))
		e.equal("rows", e.read(e.load("d.t"), nil, "key"), []string{"3"})
	})
	t.Run("row-level changes and compaction", func(t *testing.T) {
		e := setup(t)
		e.ctas("d.t", schema, "SELECT i::INTEGER, 'r', 'x' FROM range(6) r(i)", lake.CreateOptions{Properties: map[string]string{"write.delete.mode": "merge-on-read"}})
		e.deleteEqual("d.t", "SELECT 1::INTEGER AS k", []string{"k"}, []int{1}, 0, nil)
		stale := e.load("d.t")
		q, err := stale.ScanSQL(t.Context(), nil, []string{"k", "v", "p", lake.FileColumn, lake.PositionColumn}, nil)
		e.must(err)
		_, err = e.l.ChangeRows(t.Context(), stale, lake.RowChanges{Command: "delete",
			Query: fmt.Sprintf("SELECT _file AS file, _pos AS pos, %d AS action, k AS v0, v AS v1, p AS v2 FROM (%s) WHERE k < 3", lake.RowDeleted, q)}, e.db)
		e.must(err)
		rows(e, "3|r", "4|r", "5|r")
		_, err = e.l.Rewrite(t.Context(), e.load("d.t"), lake.Rewriting{Options: map[string]string{"rewrite-all": "true"}}, e.db)
		e.must(err)
		rows(e, "3|r", "4|r", "5|r")
	})
}
