package lake_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestPyIceberg lets PyIceberg read the same folder after all kinds of changes: it must see the rows and snapshots that we see.
func TestPyIceberg(t *testing.T) {
	python, err := filepath.Abs("../../../.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(python, "-c", "import pyiceberg, pyarrow, sqlalchemy").Run(); err != nil {
		t.Fatalf("no PyIceberg in %s (make test installs it): %v", python, err)
	}
	e := setup(t)
	ctx := t.Context()
	e.must(e.l.CreateNamespace(ctx, "empty", nil))
	e.ctas("d.t", types.StructOf(col("k", integ), col("v", str), col("x", types.DecimalOf(10, 2)), col("s", types.StructOf(col("a", integ)))),
		"SELECT i, 'v' || i, i * 1.25, {'a': i} FROM range(5) r(i)", lake.CreateOptions{})
	tab := e.load("d.t")
	e.append("d.t", "SELECT 100, repeat('long ', 10), -1, NULL")
	first := e.meta("d.t", "snapshots")[0][1].(int64)
	_, _, err = e.l.RollbackToSnapshot(ctx, tab, first)
	e.must(err)
	e.must(e.l.RenameColumn(ctx, tab, []string{"v"}, "name"))
	e.must(e.l.RenameColumn(ctx, tab, []string{"s", "a"}, "b"))
	e.must(e.l.AlterType(ctx, tab, []string{"k"}, long))
	e.must(e.l.AddColumns(ctx, tab, []lake.NewColumn{{Field: col("ts", types.Of(types.TimestampNTZ)), First: true}}))
	e.append("d.t", "SELECT TIMESTAMP '2024-01-31 12:00:00', 5000000000, 'n', 2.5, {'b': 9}")

	cmd := exec.Command(python, "testdata/read.py", e.dir, "d.t")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	e.must(err)
	var seen struct {
		Namespaces  []string
		Rows, First []map[string]any
		Snapshots   [][]any
		History     []json.Number
		Filtered    int
	}
	if err := json.Unmarshal(out, &seen); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	e.equal("namespaces", seen.Namespaces, []string{"d", "empty"})
	show := func(rows []map[string]any, columns ...string) (out []string) {
		for _, r := range rows {
			line := ""
			for _, c := range columns {
				line += fmt.Sprint(r[c]) + "|"
			}
			out = append(out, line)
		}
		return out
	}
	e.equal("rows", show(seen.Rows, "ts", "k", "name", "x", "s"), []string{
		"2024-01-31 12:00:00|5e+09|n|2.50|map[b:9]|", "<nil>|0|v0|0.00|map[b:0]|", "<nil>|1|v1|1.25|map[b:1]|", "<nil>|2|v2|2.50|map[b:2]|",
		"<nil>|3|v3|3.75|map[b:3]|", "<nil>|4|v4|5.00|map[b:4]|"})
	e.equal("ours", e.read(e.load("d.t"), nil, "k", "name")[:2], []string{"5000000000|n", "0|v0"})
	e.equal("the first snapshot", show(seen.First, "k", "v", "s")[4], "4|v4|map[a:4]|")
	e.equal("rows by the files' bounds", seen.Filtered, 3)
	e.equal("snapshots", len(seen.Snapshots), len(e.meta("d.t", "snapshots")))
	e.equal("history", fmt.Sprint(seen.History), fmt.Sprint(column(e.meta("d.t", "history"), 1)))
}
