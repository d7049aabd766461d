package hive

import (
	"context"
	"errors"
	"path/filepath"

	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// Drop removes a table. A managed one's folder goes into the trash, or is deleted if purge is set; files anywhere else stay.
func (w *Warehouse) Drop(ctx context.Context, t *Table, purge bool) error {
	db, err := w.Store.Database(ctx, t.Database)
	if err != nil {
		return err
	}
	w.files.Lock()
	defer w.files.Unlock()
	_ = w.settleLocked(ctx, t.ID) // a table with a change that cannot be finished can be dropped
	if err := w.Store.DropTable(ctx, t.Database, t.Name); err != nil {
		return err
	}
	w.Refresh(t.ID)
	if root := t.Location(); owned(t, db, root) {
		return w.discard(root, purge)
	}
	return nil
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
