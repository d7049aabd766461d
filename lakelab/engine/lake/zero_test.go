package lake_test

import (
	"fmt"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestZeroBounds: whichever zeros a FLOAT or DOUBLE column has, its lower bound is -0.0 and its upper bound 0.0, in files and in the summaries of
// partitions. Readers for whom -0.0 is less than 0.0 would pass over rows otherwise.
func TestZeroBounds(t *testing.T) {
	e := setup(t)
	schema := types.StructOf(col("f", types.Of(types.Float)), col("d", types.Of(types.Double)))
	for i, rows := range []string{"(-0.0::FLOAT, -0.0::DOUBLE), (0.0, 0.0)", "(0.0::FLOAT, 0.0::DOUBLE), (-0.0, -0.0)", "(0.0::FLOAT, 0.0::DOUBLE)", "(-0.0::FLOAT, -0.0::DOUBLE)"} {
		plain, parts := fmt.Sprintf("d.t%d", i), fmt.Sprintf("d.p%d", i)
		query := "SELECT f, d FROM (VALUES " + rows + ") AS v(f, d)"
		e.ctas(plain, schema, query, lake.CreateOptions{})
		e.ctas(parts, schema, query, lake.CreateOptions{Partitioning: []lake.PartitionField{{Transform: "identity", Column: []string{"f"}}, {Transform: "identity", Column: []string{"d"}}}})
		file, manifest := e.meta(plain, "files")[0], e.meta(parts, "manifests")[0]
		e.equal(rows+": lower bounds", fmt.Sprint(file[10]), "[{1 [0 0 0 128]} {2 [0 0 0 0 0 0 0 128]}]")
		e.equal(rows+": upper bounds", fmt.Sprint(file[11]), "[{1 [0 0 0 0]} {2 [0 0 0 0 0 0 0 0]}]")
		e.equal(rows+": summaries", fmt.Sprint(manifest[len(manifest)-1]), "[[false false -0.0 0.0] [false false -0.0 0.0]]")
	}
}
