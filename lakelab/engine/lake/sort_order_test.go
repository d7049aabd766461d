package lake_test

import (
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestSortedFiles writes enough rows for several threads into a table with a sort order, with partitions and without: every file is sorted.
func TestSortedFiles(t *testing.T) {
	e := setup(t)
	schema := types.StructOf(col("k", long), col("p", str))
	for table, opts := range map[string]lake.CreateOptions{"d.plain": {}, "d.parts": byP} {
		e.must(e.l.Create(t.Context(), name(table), schema, opts))
		e.must(e.l.SetWriteOrder(t.Context(), e.load(table), []lake.SortField{{PartitionField: lake.PartitionField{Transform: "identity", Column: []string{"k"}}, Descending: true}}, "range"))
		e.append(table, "SELECT hash(i) % 1000000, 'p' || i % 3 FROM range(1000000) r(i)")
		q, err := e.load(table).ScanSQL(t.Context(), nil, []string{"k", lake.FileColumn, lake.PositionColumn}, nil)
		e.must(err)
		_, rows, err := e.db.Query(t.Context(), "SELECT count(*), count(*) FILTER (WHERE k > before) FROM (SELECT k, lag(k) OVER (PARTITION BY _file ORDER BY _pos) AS before FROM ("+q+"))")
		e.must(err)
		e.equal(table+": rows, and rows out of order", rows[0], []any{int64(1000000), int64(0)})
		e.equal(table+": sort order of the files", e.meta(table, "files")[0][len(e.meta(table, "files")[0])-6], any(int64(1)))
	}
}
