package hive_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/store"
	"mini-lakehouse-lab/lakelab/types"
)

// open opens the warehouse of a lakehouse folder.
func open(ctx context.Context, dir string) (*hive.Warehouse, error) {
	db, err := store.Open(ctx, "sqlite:"+filepath.Join(dir, "catalog.db"))
	if err != nil {
		return nil, err
	}
	return hive.Open(ctx, dir, db)
}

func setup(t *testing.T) (*hive.Warehouse, string) {
	t.Helper()
	dir := t.TempDir()
	w, err := open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return w, dir
}

var (
	column = types.Field{Name: "a", Type: types.Of(types.String), Nullable: true}
	key    = types.Field{Name: "p", Type: types.Of(types.String), Nullable: true}
)

// create makes a table default.t with a key p; an empty location is a managed table.
func create(t *testing.T, w *hive.Warehouse, location string) *hive.Table {
	t.Helper()
	table, err := w.Create(t.Context(), hive.NewTable{Database: "default", Name: "t", Provider: "parquet", Location: location,
		Data: []types.Field{column}, Keys: []types.Field{key}})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// content is a producer of one file with a text in each partition.
func content(text string, values ...string) hive.Producer {
	return func(_ context.Context, dir string) ([]hive.Written, error) {
		var out []hive.Written
		for i, v := range values {
			path := filepath.Join(dir, fmt.Sprint(i))
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return nil, err
			}
			out = append(out, hive.Written{Path: path, Name: fmt.Sprintf("part-%s-%d.parquet", text, i), Values: []string{v}, Rows: 1})
		}
		return out, nil
	}
}

// read gives each partition's texts.
func read(ctx context.Context, w *hive.Warehouse) (map[string][]string, error) {
	t, err := w.Load(ctx, "default", "t")
	if err != nil {
		return nil, err
	}
	parts, err := w.Partitions(ctx, t)
	if err != nil {
		return nil, err
	}
	files, err := w.Files(ctx, t, parts)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, f := range files {
		b, err := os.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		out[f.Values[0]] = append(out[f.Values[0]], string(b))
	}
	return out, nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What stands outside of a managed table's own folder is not deleted when the table is dropped: not through a partition's location with ..
// in it, not through symbolic links in the table's place, above it or in it.
func TestDropKeepsToItsFolder(t *testing.T) {
	outside := func(t *testing.T) string {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "keep"), []byte("x"), 0o644))
		return dir
	}
	for name, spoil := range map[string]func(t *testing.T, w *hive.Warehouse, table *hive.Table, keep string){
		"a partition elsewhere": func(t *testing.T, w *hive.Warehouse, table *hive.Table, keep string) {
			must(t, w.AddPartitions(t.Context(), table, []metastore.Partition{table.NewPartition([]string{"e"}, keep)}, false))
		},
		"a partition by ..": func(t *testing.T, w *hive.Warehouse, table *hive.Table, keep string) {
			up := table.Location() + strings.Repeat("/..", strings.Count(table.Location(), "/")) + keep
			must(t, w.AddPartitions(t.Context(), table, []metastore.Partition{table.NewPartition([]string{"e"}, up)}, false))
		},
		"a link in the table": func(t *testing.T, w *hive.Warehouse, table *hive.Table, keep string) {
			must(t, os.Symlink(keep, filepath.Join(table.Location(), "p=link")))
			if err := w.Repair(t.Context(), table, true, false); err == nil {
				t.Error("a folder outside became a partition")
			}
			must(t, w.Store.AddPartitions(t.Context(), table.Table, []metastore.Partition{table.NewPartition([]string{"link"}, "")}, false))
		},
		"a link in the table's place": func(t *testing.T, w *hive.Warehouse, table *hive.Table, keep string) {
			must(t, os.RemoveAll(table.Location()))
			must(t, os.Symlink(keep, table.Location()))
		},
		"a link above": func(t *testing.T, w *hive.Warehouse, table *hive.Table, keep string) {
			must(t, os.Mkdir(filepath.Join(keep, "t"), 0o755))
			must(t, os.WriteFile(filepath.Join(keep, "t", "keep"), []byte("x"), 0o644))
			must(t, os.RemoveAll(w.Dir()))
			must(t, os.Symlink(keep, w.Dir()))
		},
		"a location elsewhere": func(t *testing.T, w *hive.Warehouse, table *hive.Table, keep string) {
			must(t, w.SetLocation(t.Context(), table, keep))
		},
	} {
		for _, purge := range []bool{false, true} {
			t.Run(fmt.Sprint(name, purge), func(t *testing.T) {
				w, _ := setup(t)
				table, keep := create(t, w, ""), outside(t)
				_, err := w.Write(t.Context(), table, hive.Writing{}, content("one", "a", "b"))
				must(t, err)
				spoil(t, w, table, keep)
				parts, err := w.Partitions(t.Context(), table)
				must(t, err)
				if _, err := w.Files(t.Context(), table, parts); (err != nil) != strings.Contains(name, "link") {
					t.Error("read:", err)
				}
				_, err = w.Write(t.Context(), table, hive.Writing{Overwrite: true, Dynamic: true}, content("two", "a", "link"))
				if (err != nil) != strings.Contains(name, "link") {
					t.Error("overwritten:", err)
				}
				parts, err = w.Partitions(t.Context(), table)
				must(t, err)
				if err := w.Truncate(t.Context(), table, parts); (err != nil) != strings.Contains(name, "link") {
					t.Error("truncated:", err)
				}
				must(t, w.DropPartitions(t.Context(), table, parts[1:], purge))
				must(t, w.Drop(t.Context(), table, purge))
				if _, err := os.Stat(filepath.Join(keep, "keep")); err != nil {
					t.Error("a file outside is gone:", err)
				}
			})
		}
	}
}

// An external table's files are there after a write that replaces them, too: in the trash.
func TestOverwrittenExternalFiles(t *testing.T) {
	w, _ := setup(t)
	table := create(t, w, filepath.Join(t.TempDir(), "t"))
	for _, text := range []string{"one", "two"} {
		_, err := w.Write(t.Context(), table, hive.Writing{Overwrite: true}, content(text, "a", "b"))
		must(t, err)
	}
	got, err := read(t.Context(), w)
	must(t, err)
	if len(got) != 2 || !slices.Equal(got["a"], []string{"two"}) {
		t.Error(got)
	}
	trash, err := w.Trash()
	must(t, err)
	if len(trash) != 2 || !strings.HasSuffix(trash[0].From, "p=a/part-one-0.parquet") {
		t.Error(trash)
	}
	n, err := w.Expunge(time.Now())
	must(t, err)
	if left, _ := os.ReadDir(w.TrashDir()); n != 2 || len(left) != 0 {
		t.Error(n, left)
	}
}

func TestRepair(t *testing.T) {
	w, _ := setup(t)
	dir := filepath.Join(t.TempDir(), "t")
	table := create(t, w, dir)
	for _, sub := range []string{"p=a", "p=two words", "p=a%2Fb", "p=" + metastore.NullPartition, "P=upper", "other=1", "_p=hidden", ".p=hidden"} {
		must(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	must(t, os.WriteFile(filepath.Join(dir, "p=file"), nil, 0o644))
	names := func() string {
		parts, err := w.Partitions(t.Context(), table)
		must(t, err)
		var out []string
		for _, p := range parts {
			out = append(out, p.Values[0])
		}
		slices.Sort(out)
		return strings.Join(out, ",")
	}
	must(t, w.Repair(t.Context(), table, true, false))
	if got, want := names(), metastore.NullPartition+",a,a/b,two words,upper"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "p=a")))
	must(t, os.MkdirAll(filepath.Join(dir, "p=new"), 0o755))
	must(t, w.Repair(t.Context(), table, false, true))
	if got, want := names(), metastore.NullPartition+",a/b,two words,upper"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	must(t, w.Repair(t.Context(), table, true, true))
	if got, want := names(), metastore.NullPartition+",a/b,new,two words,upper"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}

	// A partition whose folder elsewhere is gone is found where it usually lies.
	must(t, w.AddPartitions(t.Context(), table, []metastore.Partition{table.NewPartition([]string{"far"}, filepath.Join(dir, "far"))}, false))
	must(t, os.Remove(filepath.Join(dir, "far")))
	must(t, os.MkdirAll(filepath.Join(dir, "p=far"), 0o755))
	must(t, w.Repair(t.Context(), table, true, true))
	if got, want := names(), metastore.NullPartition+",a/b,far,new,two words,upper"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Files that an overwrite takes away while the trash is emptied are gone all the same, and so are folders without files in the trash.
func TestExpungeMeanwhile(t *testing.T) {
	w, _ := setup(t)
	table := create(t, w, filepath.Join(t.TempDir(), "t"))
	done, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-done:
				ended <- nil
				return
			default:
			}
			if _, err := w.Expunge(time.Now()); err != nil {
				ended <- err
				return
			}
		}
	}()
	for i := range 30 {
		want := fmt.Sprint("text ", i)
		_, err := w.Write(t.Context(), table, hive.Writing{Overwrite: true}, content(want, "a", "b"))
		must(t, err)
		got, err := read(t.Context(), w)
		must(t, err)
		if !slices.Equal(got["a"], []string{want}) || !slices.Equal(got["b"], []string{want}) {
			t.Fatalf("the table holds %v, want %s", got, want)
		}
	}
	close(done)
	must(t, <-ended)
	must(t, os.MkdirAll(filepath.Join(w.TrashDir(), time.Now().UTC().Format("20060102150405.000000"), "t", "p=empty"), 0o755))
	_, err := w.Expunge(time.Now())
	must(t, err)
	if left, err := os.ReadDir(w.TrashDir()); err != nil || len(left) != 0 {
		t.Error(left, err)
	}
}
