package hive

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"time"

	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/types"
)

// LocationError is a folder that a table or partition is to get and that is there already.
type LocationError struct{ Path string }

func (e *LocationError) Error() string { return "the location already exists: " + URI(e.Path) }

// Rename gives a table another name. A managed table's folder is renamed with it. metastore.ErrTableExists, metastore.ErrNoDatabase; a
// LocationError if something is in the folder's new place.
func (w *Warehouse) Rename(ctx context.Context, t *Table, database, name string) error {
	db, err := w.Store.Database(ctx, t.Database)
	if err != nil {
		return err
	}
	to, err := w.ManagedLocation(ctx, database, name)
	if err != nil {
		return err
	}
	from := t.Location()
	moves := owned(t, db, from) && filepath.Dir(from) == Path(db.Location)
	if !moves {
		to = from
	}
	if err := Fits(to); err != nil {
		return err
	}
	if err := w.settleAt(ctx, to); err != nil {
		return err
	}
	w.files.Lock()
	defer w.files.Unlock()
	change := &metastore.Write{}
	err = w.again(ctx, t.ID, func(seen int64) error {
		*change = metastore.Write{Seen: seen}
		if !moves {
			return w.Store.Rename(ctx, t.Table, database, name, URI(to))
		}
		err := moving(change, from, to, func() error {
			there, err := w.Store.Exists(ctx, database, name)
			if err == nil && there {
				err = metastore.ErrTableExists
			}
			return err
		})
		if err != nil {
			return err
		}
		return w.Store.RenameWritten(ctx, t.Table, database, name, URI(to), change)
	})
	w.Refresh(t.ID)
	if errors.Is(err, metastore.ErrLocation) {
		err = &LocationError{to}
	}
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // the entry and the folder change together
	if moves {
		reached("committed")
		if err := w.finish(ctx, change); err != nil {
			if exists(from) && !exists(to) {
				err = errors.Join(err, w.Store.UndoRename(ctx, t.Table, URI(to), change))
			}
			return err
		}
	}
	for range tries {
		if t, err = w.Load(ctx, database, name); err != nil {
			return err
		}
		if err = w.relocate(ctx, t, to); !errors.Is(err, metastore.ErrOutrun) {
			break
		}
	}
	return err
}

// Alter writes a table that was changed. metastore.ErrOutrun if it was changed by another one since it was read.
func (w *Warehouse) Alter(ctx context.Context, t *Table) error {
	t.Columns, t.PartitionKeys = columns(t.Data), columns(t.Keys)
	t.Params[ddlTimeKey] = now()
	w.Refresh(t.ID)
	if len(t.Keys) == 0 && t.Type != metastore.View {
		if err := measure(t.Location(), t.Params); err != nil {
			return err
		}
	}
	return w.Store.AlterTable(ctx, t.Table)
}

// SetLocation moves a table to another folder; the files stay where they are.
func (w *Warehouse) SetLocation(ctx context.Context, t *Table, path string) error {
	if err := w.settle(ctx, t.ID); err != nil {
		return err
	}
	return w.relocate(ctx, t, path)
}

func (w *Warehouse) relocate(ctx context.Context, t *Table, path string) error {
	t.Storage.Location = URI(path)
	if _, ok := t.Storage.SerdeParams["path"]; ok {
		t.Storage.SerdeParams["path"] = URI(path)
	}
	return w.Alter(ctx, t)
}

// SetPartitionLocation moves a partition to another folder; the files stay where they are.
func (w *Warehouse) SetPartitionLocation(ctx context.Context, t *Table, p *metastore.Partition, path string) error {
	p.Location = URI(path)
	w.Refresh(t.ID)
	return w.Store.AlterPartition(ctx, t.Table, p)
}

// AddColumns adds columns behind the data columns.
func (w *Warehouse) AddColumns(ctx context.Context, t *Table, fields []types.Field) error {
	t.Data = append(t.Data, fields...)
	return w.Alter(ctx, t)
}

func now() string { return strconv.FormatInt(time.Now().Unix(), 10) }

// Analyze notes how large a table's files are and, unless it is negative, how many rows they hold.
func (w *Warehouse) Analyze(ctx context.Context, t *Table, rows int64) error {
	parts, err := w.Partitions(ctx, t)
	if err != nil {
		return err
	}
	files, err := w.Files(ctx, t, parts)
	if err != nil {
		return err
	}
	size := int64(0)
	for _, f := range files {
		size += f.Size
	}
	t.Params[statisticsSize] = strconv.FormatInt(size, 10)
	if rows >= 0 {
		t.Params[statisticsRows] = strconv.FormatInt(rows, 10)
	}
	return w.Alter(ctx, t)
}

// AnalyzePartition notes how large a partition's files are and, unless it is negative, how many rows they hold.
func (w *Warehouse) AnalyzePartition(ctx context.Context, t *Table, values []string, rows int64) error {
	p, err := w.Store.Partition(ctx, t.Table, values)
	if err != nil {
		return err
	}
	if err := measure(Path(p.Location), p.Params); err != nil {
		return err
	}
	p.Params[ddlTimeKey], p.Params[statisticsSize] = now(), p.Params[sizeKey]
	if rows >= 0 {
		p.Params[statisticsRows] = strconv.FormatInt(rows, 10)
	}
	return w.Store.AlterPartition(ctx, t.Table, p)
}
