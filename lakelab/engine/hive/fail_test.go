package hive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// block puts a file in a folder's place once the next change is made, and before its files are moved.
func block(t *testing.T, path string) {
	hive.AtPoint(func(point string) {
		if point == "committed" {
			hive.AtPoint(func(string) {})
			must(t, os.WriteFile(path, nil, 0o644))
		}
	})
	t.Cleanup(func() { hive.AtPoint(func(string) {}) })
}

// A change whose files could not be moved is refused, and leaves the table as it was.
func TestUnable(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, w *hive.Warehouse, table *hive.Table){
		"a file in a folder's place": func(t *testing.T, w *hive.Warehouse, table *hive.Table) {
			must(t, os.WriteFile(filepath.Join(table.Location(), "p=b"), nil, 0o644))
		},
		"a file in the trash's place": func(t *testing.T, w *hive.Warehouse, table *hive.Table) {
			must(t, os.WriteFile(w.TrashDir(), nil, 0o644))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := setup(t)
			table := create(t, w, "")
			_, err := w.Write(t.Context(), table, hive.Writing{}, content("one", "a"))
			must(t, err)
			spoil(t, w, table)
			if name == "a file in the trash's place" {
				parts, err := w.Partitions(t.Context(), table)
				must(t, err)
				for what, err := range map[string]error{"drop": w.Drop(t.Context(), table, false), "drop partitions": w.DropPartitions(t.Context(), table, parts, false)} {
					if err == nil {
						t.Error(what, "did not fail")
					}
				}
			} else if _, err := w.Write(t.Context(), table, hive.Writing{Overwrite: true}, content("two", "b")); !errclass.Is(err, "TASK_WRITE_FAILED") {
				t.Error(err)
			}
			got, err := read(t.Context(), w)
			must(t, err)
			if len(got) != 1 || !slices.Equal(got["a"], []string{"one"}) {
				t.Error(got)
			}
			if left, err := filepath.Glob(filepath.Join(table.Location(), ".staging-*")); err != nil || len(left) > 0 {
				t.Error(left, err)
			}
		})
	}
}

// A file that cannot be moved after the transaction keeps its rows: whoever looks at the table once it can be has them.
func TestMoveFails(t *testing.T) {
	w, _ := setup(t)
	table := create(t, w, "")
	_, err := w.Write(t.Context(), table, hive.Writing{}, content("one", "a"))
	must(t, err)
	blocked := filepath.Join(table.Location(), "p=b")
	block(t, blocked) // where the partition's folder will be
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

// A change that cannot be finished stops its own table only, not the lakehouse.
func TestUnfinishedElsewhere(t *testing.T) {
	w, dir := setup(t)
	table := create(t, w, "")
	must(t, os.MkdirAll(table.Location(), 0o755))
	block(t, filepath.Join(table.Location(), "p=a"))
	if _, err := w.Write(t.Context(), table, hive.Writing{}, content("one", "a")); err == nil {
		t.Fatal("the write did not fail")
	}
	again, err := open(t.Context(), dir)
	must(t, err)
	other, err := again.Create(t.Context(), hive.NewTable{Database: "default", Name: "other", Provider: "parquet", Data: table.Data, Keys: table.Keys})
	must(t, err)
	_, err = again.Write(t.Context(), other, hive.Writing{}, content("two", "a"))
	must(t, err)
	parts, err := again.Partitions(t.Context(), other)
	must(t, err)
	files, err := again.Files(t.Context(), other, parts)
	if err != nil || len(files) != 1 {
		t.Error(files, err)
	}
	must(t, again.Drop(t.Context(), table, false))
	if list, err := again.Store.Unfinished(t.Context()); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
}

// A write moves the files of one that was killed after its transaction, instead of removing them as left behind, and an overwrite replaces
// them.
func TestWriteAfterKilled(t *testing.T) {
	for _, overwrite := range []bool{false, true} {
		w, _ := setup(t)
		table := create(t, w, "")
		aside := filepath.Join(table.Location(), ".staging-99999999-x") // no process has that id
		must(t, os.MkdirAll(aside, 0o755))
		file := filepath.Join(aside, "0")
		must(t, os.WriteFile(file, []byte("one"), 0o644))
		change := &metastore.Write{Aside: aside, Moves: [][2]string{{file, filepath.Join(table.Location(), "p=a", "one.parquet")}}}
		must(t, w.Store.Commit(t.Context(), table.Table, change, []metastore.Partition{table.NewPartition([]string{"a"}, "")}, nil))
		_, err := w.Write(t.Context(), table, hive.Writing{Overwrite: overwrite}, content("two", "a"))
		must(t, err)
		got, err := read(t.Context(), w)
		must(t, err)
		slices.Sort(got["a"])
		want := []string{"one", "two"}
		if overwrite {
			want = want[1:]
		}
		if !slices.Equal(got["a"], want) {
			t.Errorf("overwrite %v: %v", overwrite, got)
		}
	}
}

// Renaming to where something is already is refused, and changes nothing.
func TestRenameOntoFolder(t *testing.T) {
	w, _ := setup(t)
	table := create(t, w, "")
	_, err := w.Write(t.Context(), table, hive.Writing{}, content("one", "a"))
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(w.Dir(), "u"), 0o755))
	must(t, os.MkdirAll(filepath.Join(table.Location(), "p=b"), 0o755))
	var there *hive.LocationError
	if err := w.Rename(t.Context(), table, "default", "u"); !errors.As(err, &there) {
		t.Error(err)
	}
	parts, err := w.Partitions(t.Context(), table)
	must(t, err)
	if err := w.RenamePartition(t.Context(), table, &parts[0], []string{"b"}); !errors.As(err, &there) {
		t.Error(err)
	}
	got, err := read(t.Context(), w)
	must(t, err)
	if len(got) != 1 || !slices.Equal(got["a"], []string{"one"}) {
		t.Error(got)
	}
}
