package hive

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// CreateAs makes a table of a query's rows, in the place of old unless that is nil. What lies in the new table's folder is replaced; old's
// own folder, if it is another one, goes into the trash. The rows are written aside first: if that or anything before the transaction fails,
// entries and files are as they were. metastore.ErrNoDatabase, metastore.ErrTableExists.
func (w *Warehouse) CreateAs(ctx context.Context, n NewTable, old *Table, produce func(*Table) Producer) (*Table, int64, error) {
	db, err := w.Store.Database(ctx, n.Database)
	if err != nil {
		return nil, 0, err
	}
	t, err := w.entry(ctx, n)
	if err != nil {
		return nil, 0, err
	}
	if old != nil {
		if err := w.settle(ctx, old.ID); err != nil {
			return nil, 0, err
		}
	}
	root := t.Location()
	made := !exists(root)
	aside, written, err := w.produced(ctx, t, produce(t))
	if err == nil {
		reached("produced")
		w.files.Lock()
		defer w.files.Unlock()
		change := &metastore.Write{Aside: aside, Root: root}
		var add []metastore.Partition
		add, _, err = places(t, nil, change, written)
		if err == nil {
			err = w.replaced(ctx, t, old, db, change)
		}
		if err == nil {
			err = errclass.Unwritable(root, able(change))
		}
		if err == nil {
			err = w.Store.CreateWritten(ctx, t.Table, tableOf(old), change, add)
		}
		if errors.Is(err, metastore.ErrLocation) {
			err = &LocationError{root}
		}
		err = w.committed(ctx, change, aside, err)
	}
	if err != nil && made {
		os.Remove(root) // it stays if anything is in it
	}
	return t, total(written), err
}

func tableOf(t *Table) *metastore.Table {
	if t == nil {
		return nil
	}
	return t.Table
}

// replaced has a change take away what a new table's folder holds, in folders too, and the folder of the table that had the name.
func (w *Warehouse) replaced(ctx context.Context, t, old *Table, db *metastore.Database, change *metastore.Write) error {
	now, root := time.Now(), t.Location()
	if old != nil {
		if dir := old.Location(); dir != root && owned(old, db, dir) && exists(dir) && !strings.HasPrefix(root, dir+string(filepath.Separator)) {
			if err := w.takeTable(ctx, old, false, change); err != nil {
				return err
			}
		}
	}
	owner := t
	if old != nil {
		owner = old
	}
	keep, err := w.foreign(ctx, owner, root)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == root:
			return err
		case hivepath.Hidden(d.Name()) && d.IsDir(), slices.Contains(keep, path) && d.IsDir():
			return fs.SkipDir
		case hivepath.Hidden(d.Name()) || d.IsDir():
			return nil
		}
		place := ""
		if !owned(t, db, path) {
			place = w.inTrash(path, now)
		}
		change.Gone = append(change.Gone, [2]string{path, place})
		return nil
	})
}
