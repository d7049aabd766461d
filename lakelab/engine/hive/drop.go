package hive

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// Drop removes a table. A managed one's folder goes into the trash, or is deleted if purge is set; files anywhere else stay, and so do
// those of other tables in it. A process that is killed meanwhile leaves all of the table, or a folder that the next one takes away.
func (w *Warehouse) Drop(ctx context.Context, t *Table, purge bool) error {
	db, err := w.Store.Database(ctx, t.Database)
	if err != nil {
		return err
	}
	w.files.Lock()
	defer w.files.Unlock()
	_ = w.settleLocked(ctx, t.ID) // a table with a change that cannot be finished can be dropped
	change := &metastore.Write{}
	if root := t.Location(); owned(t, db, root) {
		if err := w.takeTable(ctx, t, purge, change); err != nil {
			return err
		}
	}
	if err := able(change); err != nil {
		return errclass.MetaException(err)
	}
	if err := w.Store.DropWritten(ctx, t.Table, change); err != nil {
		return err
	}
	reached("committed")
	return w.finish(context.WithoutCancel(ctx), change)
}

// takeTable has a change take a table's folder into the trash, or delete it. Folders in it that other tables or their partitions have as
// their locations stay.
func (w *Warehouse) takeTable(ctx context.Context, t *Table, purge bool, change *metastore.Write) error {
	keep, err := w.foreign(ctx, t, t.Location())
	if err != nil {
		return err
	}
	return w.takeAway(t.Location(), keep, purge, change)
}

// takeAway has a change take a folder into the trash, or delete it, but not the folders in it that are to be kept.
func (w *Warehouse) takeAway(dir string, keep []string, purge bool, change *metastore.Write) error {
	if !exists(dir) {
		return nil
	}
	now := time.Now()
	var take func(path string) error
	take = func(path string) error {
		switch {
		case slices.Contains(keep, path):
			return nil
		case slices.ContainsFunc(keep, func(k string) bool { return Within(path, k) }):
			entries, err := os.ReadDir(path)
			for _, e := range entries {
				err = errors.Join(err, take(filepath.Join(path, e.Name())))
			}
			return err
		}
		place := ""
		if !purge {
			place = w.inTrash(path, now)
		}
		change.Gone = append(change.Gone, [2]string{path, place})
		return nil
	}
	return take(dir)
}

// foreign lists the folders below one that are other tables' and their partitions' locations, but not where the table's own partitions lie.
func (w *Warehouse) foreign(ctx context.Context, t *Table, dir string) ([]string, error) {
	found, err := w.Store.Inside(ctx, URI(dir), t.ID)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	parts, err := w.Store.Partitions(ctx, t.Table, nil)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range found {
		path := Path(f)
		if !slices.ContainsFunc(parts, func(p metastore.Partition) bool {
			return Within(Path(p.Location), path) || Within(path, Path(p.Location))
		}) {
			out = append(out, path)
		}
	}
	return out, nil
}

// DropDatabase removes a database, with its tables (as Drop does, with purge) if cascade is set, and its folder if that is empty then. metastore.ErrNotEmpty.
func (w *Warehouse) DropDatabase(ctx context.Context, name string, cascade, purge bool) error {
	db, err := w.Store.Database(ctx, name)
	if err != nil {
		return err
	}
	if cascade {
		for _, views := range []bool{false, true} {
			names, err := w.Store.Tables(ctx, name, views)
			if err != nil {
				return err
			}
			for _, n := range names {
				t, err := w.Load(ctx, name, n)
				if err == nil {
					err = w.Drop(ctx, t, purge)
				}
				if err != nil && !errors.Is(err, metastore.ErrNoTable) {
					return err
				}
			}
		}
	}
	if err := w.Store.DropDatabase(ctx, name); err != nil {
		return err
	}
	dir := Path(db.Location)
	removeEmpty(dir, filepath.Dir(dir))
	return nil
}
