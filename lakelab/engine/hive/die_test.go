package hive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// changes are the statements that a process is killed in: each on default.t with the partitions a, b and c, whose files say "old".
var changes = map[string]func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error{
	"drop":       func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error { return w.Drop(ctx, t, false) },
	"drop purge": func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error { return w.Drop(ctx, t, true) },
	"drop partitions": func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error {
		parts, err := w.Partitions(ctx, t)
		return errors.Join(err, w.DropPartitions(ctx, t, parts[:2], false))
	},
	"drop partitions purge": func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error {
		parts, err := w.Partitions(ctx, t)
		return errors.Join(err, w.DropPartitions(ctx, t, parts[:2], true))
	},
	"rename": func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error {
		return w.Rename(ctx, t, "default", "u")
	},
	"rename partition": func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error {
		p, err := w.Store.Partition(ctx, t.Table, []string{"a"})
		return errors.Join(err, w.RenamePartition(ctx, t, p, []string{"z"}))
	},
	"overwrite": func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error {
		_, err := w.Write(ctx, t, hive.Writing{Overwrite: true}, content("new", "a", "b", "d"))
		return err
	},
	"create as": func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error {
		_, _, err := w.CreateAs(ctx, hive.NewTable{Database: "default", Name: "t", Provider: "parquet", Data: t.Data, Keys: t.Keys}, t,
			func(*hive.Table) hive.Producer { return content("new", "a", "e") })
		return err
	},
	"truncate": func(ctx context.Context, w *hive.Warehouse, t *hive.Table) error {
		parts, err := w.Partitions(ctx, t)
		return errors.Join(err, w.Truncate(ctx, t, parts))
	},
}

// dieAt makes a change and kills this process when it reaches a point for the n-th time: "point n".
func dieAt(ctx context.Context, dir, change, point string) error {
	w, err := open(ctx, dir)
	if err != nil {
		return err
	}
	t, err := w.Load(ctx, "default", "t")
	if err != nil {
		return err
	}
	count := map[string]int{}
	hive.AtPoint(func(name string) {
		count[name]++
		if fmt.Sprint(name, " ", count[name]) == point {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	return changes[change](ctx, w, t)
}

// state is the whole database: tables, their partitions and what their files say; and the files below its folder and in the trash.
func state(t *testing.T, dir string) string {
	t.Helper()
	w, err := open(t.Context(), dir)
	must(t, err)
	var out []string
	names, err := w.Store.Tables(t.Context(), "default", false)
	must(t, err)
	for _, name := range names {
		table, err := w.Load(t.Context(), "default", name)
		must(t, err)
		parts, err := w.Partitions(t.Context(), table)
		must(t, err)
		files, err := w.Files(t.Context(), table, parts)
		must(t, err)
		for _, p := range parts {
			text := []string{name, p.Values[0], strings.TrimPrefix(hive.Path(p.Location), dir)}
			for _, f := range files {
				if f.Values[0] == p.Values[0] {
					b, err := os.ReadFile(f.Path)
					must(t, err)
					text = append(text, string(b))
				}
			}
			out = append(out, strings.Join(text, " "))
		}
	}
	must(t, filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		if err != nil || d.IsDir() || strings.HasPrefix(rel, "catalog.db") || strings.HasPrefix(rel, ".lakelab") {
			return err
		}
		parts := strings.Split(rel, string(filepath.Separator))
		if parts[0] == ".Trash" {
			parts[1] = "TIME"
		}
		if strings.HasPrefix(parts[len(parts)-2], ".staging-") && parts[0] != ".Trash" {
			return nil // of a write that did not happen; the next one removes it
		}
		out = append(out, strings.Join(parts, "/"))
		return nil
	}))
	if list, err := w.Store.Unfinished(t.Context()); err != nil || len(list) > 0 {
		t.Error("unfinished:", list, err)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// A process that is killed at any point of any change leaves the state before it or the one after it, entries and files alike.
func TestDieAtPoints(t *testing.T) {
	fresh := func() string {
		w, dir := setup(t)
		dir, err := filepath.EvalSymlinks(dir)
		must(t, err)
		_, err = w.Write(t.Context(), create(t, w, ""), hive.Writing{}, content("old", "a", "b", "c"))
		must(t, err)
		return dir
	}
	die := func(dir, change, point string) bool {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "HIVE_TEST_DIE="+dir, "HIVE_TEST_CHANGE="+change, "HIVE_TEST_POINT="+point)
		c.Stderr = os.Stderr
		err := c.Run()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signal() == syscall.SIGKILL {
				return true
			}
		}
		must(t, err)
		return false
	}
	for name := range changes {
		t.Run(name, func(t *testing.T) {
			before := state(t, fresh())
			after := fresh()
			die(after, name, "")
			want := state(t, after)
			if before == want {
				t.Fatal("the change changes nothing")
			}
			points := 0
			for _, point := range []string{"produced", "committed", "gone", "move", "moved"} {
				for n := 1; ; n++ {
					dir := fresh()
					if !die(dir, name, fmt.Sprint(point, " ", n)) {
						break
					}
					points++
					expected := want
					if point == "produced" {
						expected = before
					}
					if got := state(t, dir); got != expected {
						t.Errorf("killed at %s %d:\n%s\nwant\n%s", point, n, got, expected)
					}
				}
			}
			if points < 3 {
				t.Error("the change has only", points, "points")
			}
		})
	}
}

// What a killed DROP TABLE left unfinished is finished before a table of that name is made again, by a process that was running all the time:
// the new table's files are not taken for the old one's.
func TestCreateAfterKilledDrop(t *testing.T) {
	for _, purge := range []string{"drop", "drop purge"} {
		w, dir := setup(t)
		_, err := w.Write(t.Context(), create(t, w, ""), hive.Writing{}, content("old", "a"))
		must(t, err)
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "HIVE_TEST_DIE="+dir, "HIVE_TEST_CHANGE="+purge, "HIVE_TEST_POINT=committed 1")
		_ = c.Run()
		if list, err := w.Store.Unfinished(t.Context()); err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		table := create(t, w, "")
		if entries, err := os.ReadDir(table.Location()); err == nil {
			t.Error("the old folder is there:", entries)
		}
		_, err = w.Write(t.Context(), table, hive.Writing{}, content("new", "b"))
		must(t, err)
		again, err := open(t.Context(), dir)
		must(t, err)
		got, err := read(t.Context(), again)
		must(t, err)
		if len(got) != 1 || !slices.Equal(got["b"], []string{"new"}) {
			t.Error(got)
		}
	}
}

// Two warehouses, as two processes have them, overwrite the same partitions dynamically while a third reads: every state that is read is
// one overwrite's.
func TestTwoWriters(t *testing.T) {
	w, dir := setup(t)
	table := create(t, w, "")
	_, err := w.Write(t.Context(), table, hive.Writing{}, content("first", partitions[:6]...))
	must(t, err)
	end := time.Now().Add(3 * time.Second)
	fail := make(chan error, 2)
	for _, name := range []string{"x", "y"} {
		go func() {
			fail <- func() error {
				own, err := open(context.Background(), dir)
				if err != nil {
					return err
				}
				table, err := own.Load(context.Background(), "default", "t")
				if err != nil {
					return err
				}
				for i := 0; time.Now().Before(end); i++ {
					how := hive.Writing{Overwrite: true, Dynamic: true}
					if _, err := own.Write(context.Background(), table, how, content(fmt.Sprint(name, i), partitions[:6]...)); err != nil {
						return err
					}
				}
				return nil
			}()
		}()
	}
	states := map[string]bool{}
	for time.Now().Before(end) {
		parts, err := w.Partitions(t.Context(), table)
		must(t, err)
		files, err := w.Files(t.Context(), table, parts)
		must(t, err)
		if len(files) != 6 {
			t.Fatalf("%d files: %v", len(files), files)
		}
		text := func(f hive.File) string { return strings.Split(filepath.Base(f.Path), "-")[1] }
		for _, f := range files {
			if text(f) != text(files[0]) {
				t.Fatalf("a mix: %v", files)
			}
		}
		states[text(files[0])] = true
	}
	must(t, <-fail)
	must(t, <-fail)
	if len(states) < 5 {
		t.Error("only", len(states), "states were read")
	}
}

// INSERT … IF NOT EXISTS writes nothing if another process adds the partition while its rows are made.
func TestIfAbsentAtCommit(t *testing.T) {
	w, dir := setup(t)
	table := create(t, w, "")
	how := hive.Writing{Overwrite: true, IfAbsent: true, Static: metastore.Spec{{"a"}}}
	rows, err := w.Write(t.Context(), table, how, func(ctx context.Context, aside string) ([]hive.Written, error) {
		other, err := open(ctx, dir)
		must(t, err)
		_, err = other.Write(ctx, table, hive.Writing{}, content("theirs", "a"))
		must(t, err)
		return content("ours", "a")(ctx, aside)
	})
	if err != nil || rows != 0 {
		t.Error(rows, err)
	}
	got, err := read(t.Context(), w)
	must(t, err)
	if !slices.Equal(got["a"], []string{"theirs"}) {
		t.Error(got)
	}
}

// A change of an entry that another one made meanwhile is not written over.
func TestAlterOutrun(t *testing.T) {
	w, _ := setup(t)
	one := create(t, w, "")
	two, err := w.Load(t.Context(), "default", "t")
	must(t, err)
	one.Params["one"] = "1"
	must(t, w.Alter(t.Context(), one))
	two.Params["two"] = "2"
	if err := w.Alter(t.Context(), two); !errors.Is(err, metastore.ErrOutrun) {
		t.Error(err)
	}
	one.Params["three"] = "3"
	must(t, w.Alter(t.Context(), one))
}

// Nor is one of a database's.
func TestAlterDatabaseOutrun(t *testing.T) {
	w, _ := setup(t)
	one, err := w.Store.Database(t.Context(), "default")
	must(t, err)
	two, err := w.Store.Database(t.Context(), "default")
	must(t, err)
	one.Params["one"] = "1"
	must(t, w.Store.AlterDatabase(t.Context(), one))
	two.Params["two"] = "2"
	if err := w.Store.AlterDatabase(t.Context(), two); !errors.Is(err, metastore.ErrOutrun) {
		t.Error(err)
	}
	two, err = w.Store.Database(t.Context(), "default")
	must(t, err)
	two.Params["two"] = "2"
	must(t, w.Store.AlterDatabase(t.Context(), two))
	two, err = w.Store.Database(t.Context(), "default")
	must(t, err)
	if two.Params["one"] != "1" || two.Params["two"] != "2" {
		t.Error(two.Params)
	}
	must(t, w.Store.CreateDatabase(t.Context(), metastore.Database{Name: "gone"}))
	gone, err := w.Store.Database(t.Context(), "gone")
	must(t, err)
	must(t, w.Store.DropDatabase(t.Context(), "gone"))
	if err := w.Store.AlterDatabase(t.Context(), gone); !errors.Is(err, metastore.ErrNoDatabase) {
		t.Error(err)
	}
}

// A list of files that was begun before REFRESH does not outlive it.
func TestRefreshWhileListing(t *testing.T) {
	w, _ := setup(t)
	table := create(t, w, t.TempDir())
	must(t, os.Mkdir(filepath.Join(table.Location(), "p=a"), 0o755))
	must(t, w.Repair(t.Context(), table, true, false))
	hive.AtPoint(func(point string) {
		if point == "listed" {
			hive.AtPoint(func(string) {})
			must(t, os.WriteFile(filepath.Join(table.Location(), "p=a", "f"), []byte("x"), 0o644))
			w.Refresh(table.ID)
		}
	})
	defer hive.AtPoint(func(string) {})
	if got, err := read(t.Context(), w); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
	if got, err := read(t.Context(), w); err != nil || len(got) != 1 {
		t.Error("after REFRESH:", got, err)
	}
}
