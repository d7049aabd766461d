package lake_test

import (
	"fmt"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestManifestMerge appends until manifests are put together: the table stays readable, at every snapshot, and its files keep the
// snapshot that added them.
func TestManifestMerge(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 0", lake.CreateOptions{Properties: map[string]string{"commit.manifest.min-count-to-merge": "4"}})
	for i := 1; i < 10; i++ {
		e.append("d.t", fmt.Sprintf("SELECT %d", i))
	}
	tab := e.load("d.t")
	e.equal("rows", len(e.read(tab, nil)), 10)
	manifests := e.meta("d.t", "manifests")
	if len(manifests) >= 5 {
		t.Errorf("%d manifests after 10 appends that merge every 4", len(manifests))
	}
	added := map[any]bool{}
	for _, r := range e.meta("d.t", "entries") {
		added[r[1]] = true
	}
	e.equal("snapshots that added files", len(added), 10)
	for i, r := range e.meta("d.t", "snapshots") {
		at, err := tab.SnapshotByID(r[1].(int64))
		e.must(err)
		e.equal("rows at a snapshot", len(e.read(tab, at)), i+1)
	}
	files, err := e.l.Orphans(t.Context(), tab, lake.Orphaned{Before: farFuture, Trial: true})
	e.must(err)
	e.equal("orphans", len(files), 0)
}

// TestEmptyPartitionValue writes a partition whose value is the empty text: its manifest's summary must say so, since Java's readers take a
// missing bound for NULLs alone.
func TestEmptyPartitionValue(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long), col("p", str)), "SELECT 1, '' UNION ALL SELECT 2, 'x' UNION ALL SELECT 3, NULL", byP)
	summaries := e.meta("d.t", "manifests")[0][11].([]any)
	e.equal("contains_null, contains_nan, bounds", summaries[0], []any{true, false, "", "x"})
}
