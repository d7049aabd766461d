package lake_test

import (
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// A name is a folder's name: it must not lead elsewhere.
func TestNamesStayInside(t *testing.T) {
	e := setup(t)
	schema := types.StructOf(col("k", integ))
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	e.ctas("d.t", schema, "SELECT 1", lake.CreateOptions{})
	before := files(t, e.dir)
	for _, bad := range []string{"../../../esc", "a/b", "..", ".", "a\x00b", "/etc"} {
		refused := func(what string, err error) {
			if err == nil || !strings.Contains(err.Error(), "for a table or a namespace") {
				t.Errorf("%s %q: %v", what, bad, err)
			}
		}
		refused("create", e.l.Create(t.Context(), lake.Ident{Namespace: "d", Name: bad}, schema, lake.CreateOptions{}))
		refused("rename", e.l.Rename(t.Context(), name("d.t"), lake.Ident{Namespace: "d", Name: bad}))
		refused("namespace", e.l.CreateNamespace(t.Context(), bad, nil))
	}
	e.equal("files", files(t, e.dir), before)
}

// The last column may be dropped, as in Spark; the rows stay and can be counted.
func TestNoColumns(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", integ)), "SELECT 1 UNION ALL SELECT 2", lake.CreateOptions{})
	e.must(e.l.DropColumns(t.Context(), e.load("d.t"), [][]string{{"k"}}, false))
	e.equal("rows", e.read(e.load("d.t"), nil), []string{"1", "1"})
}
