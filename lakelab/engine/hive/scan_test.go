package hive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// A scan that another process overwrites between its look at the partitions and that at their files has the new partitions; one whose table is
// dropped then says so.
func TestScanMeanwhile(t *testing.T) {
	for name, change := range map[string]func(w *hive.Warehouse, table *hive.Table) error{
		"overwritten": func(w *hive.Warehouse, table *hive.Table) error {
			_, err := w.Write(t.Context(), table, hive.Writing{Overwrite: true}, content("new", "c"))
			return err
		},
		"dropped": func(w *hive.Warehouse, table *hive.Table) error { return w.Drop(t.Context(), table, false) },
	} {
		t.Run(name, func(t *testing.T) {
			w, dir := setup(t)
			table := create(t, w, "")
			_, err := w.Write(t.Context(), table, hive.Writing{}, content("old", "a", "b"))
			must(t, err)
			other, err := open(t.Context(), dir)
			must(t, err)
			hive.AtPoint(func(point string) {
				if point == "chosen" {
					hive.AtPoint(func(string) {})
					must(t, change(other, table))
				}
			})
			defer hive.AtPoint(func(string) {})
			files, err := w.Scan(t.Context(), table, func(ctx context.Context) ([]metastore.Partition, error) { return w.Partitions(ctx, table) })
			if name == "dropped" {
				if !errors.Is(err, metastore.ErrNoTable) {
					t.Error(files, err)
				}
				return
			}
			must(t, err)
			if len(files) != 1 || files[0].Values[0] != "c" {
				t.Error(files)
			}
		})
	}
}

// An entry that is dropped and made anew, with other columns, all the time is read whole.
func TestTableMadeAnew(t *testing.T) {
	w, _ := setup(t)
	stop, end := make(chan bool), make(chan error, 1)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				end <- nil
				return
			default:
			}
			table := &metastore.Table{Database: "default", Name: "x", Type: metastore.External, Params: map[string]string{"i": fmt.Sprint(i % 2)},
				Columns: []metastore.Column{{Name: fmt.Sprint("c", i%2), Type: "int"}}, Storage: metastore.Storage{Location: "file:/x"}}
			if err := errors.Join(w.Store.CreateTable(t.Context(), table), w.Store.DropTable(t.Context(), "default", "x")); err != nil {
				end <- err
				return
			}
		}
	}()
	for read := 0; read < 100; {
		table, err := w.Store.Table(t.Context(), "default", "x")
		if errors.Is(err, metastore.ErrNoTable) {
			continue
		}
		must(t, err)
		if len(table.Columns) != 1 || table.Columns[0].Name != "c"+table.Params["i"] {
			t.Fatal(table.Columns, table.Params)
		}
		read++
	}
	close(stop)
	must(t, <-end)
}

// What a killed CREATE TABLE AS wrote aside goes before a table is made there; what a living one writes stays.
func TestTidy(t *testing.T) {
	w, _ := setup(t)
	root := filepath.Join(w.Dir(), "t")
	dead, living := filepath.Join(root, ".staging-99999999-x"), filepath.Join(root, fmt.Sprintf(".staging-%d-x", os.Getpid()))
	for _, dir := range []string{dead, living} {
		must(t, os.MkdirAll(dir, 0o755))
		must(t, os.WriteFile(filepath.Join(dir, "0"), nil, 0o644))
	}
	must(t, w.Tidy(t.Context(), root))
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Error(err)
	}
	if _, err := os.Stat(living); err != nil {
		t.Error(err)
	}
	must(t, w.Tidy(t.Context(), filepath.Join(root, "none")))
}
