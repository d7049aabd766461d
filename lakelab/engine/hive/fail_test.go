package hive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// A file that cannot be moved after the transaction keeps its rows: whoever looks at the table once it can be has them.
func TestMoveFails(t *testing.T) {
	w, _ := setup(t)
	table := create(t, w, "")
	_, err := w.Write(t.Context(), table, hive.Writing{}, content("one", "a"))
	must(t, err)
	blocked := filepath.Join(table.Location(), "p=b")
	must(t, os.WriteFile(blocked, nil, 0o644)) // where the partition's folder will be
	if _, err := w.Write(t.Context(), table, hive.Writing{Overwrite: true}, content("two", "a", "b")); err == nil {
		t.Fatal("the write did not fail")
	}
	if _, err := read(t.Context(), w); err == nil {
		t.Error("the table was read without the rows")
	}
	must(t, os.Remove(blocked))
	got, err := read(t.Context(), w)
	must(t, err)
	if len(got) != 2 || !slices.Equal(got["a"], []string{"two"}) || !slices.Equal(got["b"], []string{"two"}) {
		t.Error(got)
	}
}

// A write whose table is dropped, renamed or moved while its rows are made fails and leaves nothing behind.
func TestTableGoneMeanwhile(t *testing.T) {
	for name, spoil := range map[string]func(w *hive.Warehouse) error{
		"dropped": func(w *hive.Warehouse) error {
			table, err := w.Load(t.Context(), "default", "t")
			return errors.Join(err, w.Store.DropTable(t.Context(), table.Database, table.Name))
		},
		"moved": func(w *hive.Warehouse) error {
			table, err := w.Load(t.Context(), "default", "t")
			return errors.Join(err, w.SetLocation(t.Context(), table, t.TempDir()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := setup(t)
			table := create(t, w, "")
			_, err := w.Write(t.Context(), table, hive.Writing{}, func(ctx context.Context, dir string) ([]hive.Written, error) {
				out, err := content("one", "a")(ctx, dir)
				return out, errors.Join(err, spoil(w))
			})
			if !errors.Is(err, metastore.ErrNoTable) {
				t.Error(err)
			}
			if left, err := os.ReadDir(table.Location()); err != nil || len(left) > 0 {
				t.Error(left, err)
			}
		})
	}
}
