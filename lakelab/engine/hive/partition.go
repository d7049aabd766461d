package hive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// Parameters of partitions that say what their folders hold.
const (
	filesKey = "numFiles"
	sizeKey  = "totalSize"
)

// partitionFolder is the folder that a partition gets in the table's.
func (t *Table) partitionFolder(values []string) string {
	return filepath.Join(t.Location(), t.PartitionName(values))
}

// NewPartition is a partition to add; an empty location is a folder of the table's.
func (t *Table) NewPartition(values []string, location string) metastore.Partition {
	if location == "" {
		location = t.partitionFolder(values)
	}
	return metastore.Partition{Values: values, Location: URI(location), Params: map[string]string{ddlTimeKey: now()}}
}

// measure notes how many files a folder holds, and their size.
func measure(dir string, params map[string]string) error {
	files, err := list(dir)
	if err != nil {
		return err
	}
	size := int64(0)
	for _, f := range files {
		size += f.Size
	}
	params[filesKey], params[sizeKey] = fmt.Sprint(len(files)), fmt.Sprint(size)
	return nil
}

// AddPartitions adds partitions and makes their folders. metastore.ErrPartitionExists, unless ifNotExists is set.
func (w *Warehouse) AddPartitions(ctx context.Context, t *Table, parts []metastore.Partition, ifNotExists bool) error {
	for i := range parts {
		dir := Path(parts[i].Location)
		if err := errors.Join(t.partitionFits(parts[i].Values, dir), t.reach(dir)); err != nil {
			return err
		}
		if err := measure(dir, parts[i].Params); err != nil {
			return err
		}
	}
	if err := w.Store.AddPartitions(ctx, t.Table, parts, ifNotExists); err != nil {
		return err
	}
	w.Refresh(t.ID)
	for _, p := range parts {
		if err := os.MkdirAll(Path(p.Location), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// DropPartitions removes partitions. A managed table's folders go into the trash, or are deleted if purge is set; what lies outside of the
// table's own folder stays.
func (w *Warehouse) DropPartitions(ctx context.Context, t *Table, parts []metastore.Partition, purge bool) error {
	return w.remove(ctx, t, parts, func(db *metastore.Database, change *metastore.Write) error {
		change.Root = t.Location()
		for _, p := range parts {
			dir := Path(p.Location)
			if dir == t.Location() || !owned(t, db, dir) {
				continue
			}
			if err := w.takeAway(dir, nil, purge, change); err != nil { // what lies in a partition's folder is the partition's
				return err
			}
		}
		return nil
	})
}

// remove drops partitions and takes away the files that find notes in the change: what is there at the time of the change.
func (w *Warehouse) remove(ctx context.Context, t *Table, drop []metastore.Partition, find func(*metastore.Database, *metastore.Write) error) error {
	db, err := w.Store.Database(ctx, t.Database)
	if err != nil {
		return err
	}
	w.files.Lock()
	defer w.files.Unlock()
	change := &metastore.Write{}
	err = w.again(ctx, t.ID, func(seen int64) error {
		*change = metastore.Write{Seen: seen}
		if err := find(db, change); err != nil {
			return err
		}
		if err := able(change); err != nil {
			return errclass.MetaException(err)
		}
		return w.Store.Commit(ctx, t.Table, change, nil, drop)
	})
	if err != nil {
		return err
	}
	reached("committed")
	return w.finish(context.WithoutCancel(ctx), change)
}

// RenamePartition gives a partition other values. A managed table's folder, where it has its usual name, is renamed with it. A LocationError if
// something is there already.
func (w *Warehouse) RenamePartition(ctx context.Context, t *Table, p *metastore.Partition, values []string) error {
	db, err := w.Store.Database(ctx, t.Database)
	if err != nil {
		return err
	}
	w.files.Lock()
	defer w.files.Unlock()
	from, to := Path(p.Location), Path(p.Location)
	if owned(t, db, from) && from == t.partitionFolder(p.Values) {
		to = t.partitionFolder(values)
	}
	if err := errors.Join(t.partitionFits(values, to), t.reach(from), t.reach(to)); err != nil {
		return err
	}
	change := &metastore.Write{}
	err = w.again(ctx, t.ID, func(seen int64) error {
		*change = metastore.Write{Seen: seen, Root: t.Location()}
		if from == to {
			return w.Store.RenamePartition(ctx, t.Table, p, values, URI(to))
		}
		err := moving(change, from, to, func() error {
			if _, err := w.Store.Partition(ctx, t.Table, values); err == nil {
				return metastore.ErrPartitionExists
			}
			return nil
		})
		if err != nil {
			return err
		}
		return w.Store.RenamePartitionWritten(ctx, t.Table, p, values, URI(to), change)
	})
	w.Refresh(t.ID)
	if err != nil || from == to {
		return err
	}
	reached("committed")
	ctx = context.WithoutCancel(ctx) // the entry and the folder change together
	if err := w.finish(ctx, change); err != nil {
		if exists(from) && !exists(to) {
			err = errors.Join(err, w.Store.UndoRenamePartition(ctx, t.Table, p, change))
		}
		return err
	}
	return nil
}

// Repair adds the partitions whose folders are in the table's and that the metastore does not have, and drops those whose folders are gone
// (MSCK REPAIR TABLE). Files are not touched.
func (w *Warehouse) Repair(ctx context.Context, t *Table, add, drop bool) error {
	if err := t.reach(t.Location()); err != nil {
		return err
	}
	parts, err := w.Store.Partitions(ctx, t.Table, nil)
	if err != nil {
		return err
	}
	w.Refresh(t.ID)
	known := make(map[string]bool, len(parts))
	var gone []metastore.Partition
	for _, p := range parts {
		if drop && !exists(Path(p.Location)) {
			gone = append(gone, p)
			continue // a folder in its usual place is found below
		}
		known[t.PartitionName(p.Values)] = true
	}
	if drop {
		if err := w.Store.DropPartitions(ctx, t.Table, gone); err != nil {
			return err
		}
	}
	if !add {
		return nil
	}
	var found []metastore.Partition
	if err := w.discover(ctx, t, t.Location(), nil, func(dir string, values []string) error {
		if known[t.PartitionName(values)] {
			return nil
		}
		p := t.NewPartition(values, dir)
		found = append(found, p)
		return measure(dir, p.Params)
	}); err != nil {
		return err
	}
	return w.Store.AddPartitions(ctx, t.Table, found, true)
}

// discover walks a table's folders key by key.
func (w *Warehouse) discover(ctx context.Context, t *Table, dir string, values []string, found func(dir string, values []string) error) error {
	if len(values) == len(t.Keys) {
		return found(dir, values)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return LinkError(dir, err)
	}
	key := t.Keys[len(values)].Name
	for _, e := range entries {
		name := e.Name()
		if hivepath.Hidden(name) {
			continue
		}
		column, value, ok := hivepath.Parse(name)
		if !ok || !strings.EqualFold(column, key) {
			continue
		}
		sub := filepath.Join(dir, name)
		if !e.IsDir() {
			if info, err := os.Stat(sub); err != nil || !info.IsDir() { // a link to a folder is one
				continue
			}
			if err := t.reach(sub); err != nil {
				return err
			}
		}
		v := metastore.NullPartition
		if value != nil {
			v = *value
		}
		if err := w.discover(ctx, t, sub, append(values[:len(values):len(values)], v), found); err != nil {
			return err
		}
	}
	return nil
}

// Truncate removes all data files of a managed table, or of partitions of it, as Write replaces files: whole or not at all. Its folders stay.
func (w *Warehouse) Truncate(ctx context.Context, t *Table, parts []metastore.Partition) error {
	dirs := []string{t.Location()}
	if len(t.Keys) > 0 {
		dirs = nil
		for _, p := range parts {
			dirs = append(dirs, Path(p.Location))
		}
	}
	return w.remove(ctx, t, nil, func(db *metastore.Database, change *metastore.Write) error {
		for _, dir := range dirs {
			if err := t.reach(dir); err != nil {
				return err
			}
			files, err := list(dir)
			if err != nil {
				return err
			}
			for _, f := range files {
				if owned(t, db, f.Path) {
					change.Gone = append(change.Gone, [2]string{f.Path, ""})
				}
			}
		}
		return nil
	})
}
