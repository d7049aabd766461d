package hive

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// File is a data file with the values of the partition it belongs to.
type File struct {
	Path     string
	Size     int64
	Modified time.Time
	Values   []string // one for each partition key; metastore.NullPartition for NULL
	Real     string   // where a symbolic link leads; empty for a file that is none

	link    bool // a symbolic link
	special bool // a pipe, a socket or a device
}

// Spark lists a folder once and keeps the list until the table is changed through it, or refreshed; so does a Warehouse. A file that
// another program adds shows after REFRESH TABLE, one that it removes is missed when it is read. Changes of other processes' Warehouses
// are seen: they are counted in the metastore.

// listing is what a table's folders held after a number of changes.
type listing struct {
	changes int64
	folders map[string][]File
}

// Refresh forgets what a table's folders held.
func (w *Warehouse) Refresh(table int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	delete(w.listings, table)
}

// RefreshBelow forgets what the folders at a path, and below it, held.
func (w *Warehouse) RefreshBelow(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	for _, l := range w.listings {
		for folder := range l.folders {
			if Within(path, folder) {
				delete(l.folders, folder)
			}
		}
	}
}

// tries is how often a list of files, or a change of them, is made again because another process was faster.
const tries = 100

// Files lists the data files of partitions (of the table itself if it has no keys), as one change left them.
func (w *Warehouse) Files(ctx context.Context, t *Table, parts []metastore.Partition) ([]File, error) {
	return w.Scan(ctx, t, func(context.Context) ([]metastore.Partition, error) { return parts, nil })
}

// Scan lists the data files of the partitions that choose picks, both as one change left them. metastore.ErrNoTable if the table is gone.
func (w *Warehouse) Scan(ctx context.Context, t *Table, choose func(context.Context) ([]metastore.Partition, error)) ([]File, error) {
	for range tries {
		before, err := w.Store.FileChanges(ctx, t.ID) // before the look at the journal: a change after it shows at the end
		if err != nil {
			return nil, err
		}
		if err := w.settle(ctx, t.ID); err != nil {
			return nil, err
		}
		parts, err := choose(ctx)
		var files []File
		if err == nil {
			reached("chosen")
			files, err = w.allListed(ctx, t, parts, before)
		}
		after, counted := w.Store.FileChanges(ctx, t.ID)
		if after == before || counted != nil {
			return files, cmp.Or(counted, err)
		}
		w.Refresh(t.ID)
	}
	return nil, fmt.Errorf("the files of %s.%s are changed faster than they can be listed", t.Database, t.Name)
}

// allListed lists the folders of partitions, several at a time.
func (w *Warehouse) allListed(ctx context.Context, t *Table, parts []metastore.Partition, changes int64) ([]File, error) {
	w.files.RLock()
	defer w.files.RUnlock()
	if len(t.Keys) == 0 {
		return w.listed(t, t.Location(), changes)
	}
	found := make([][]File, len(parts))
	errs := make([]error, len(parts))
	var group sync.WaitGroup
	next := make(chan int)
	for range min(8, len(parts)) {
		group.Go(func() {
			for i := range next {
				found[i], errs[i] = w.listed(t, Path(parts[i].Location), changes)
			}
		})
	}
	for i := range parts {
		next <- i
	}
	close(next)
	group.Wait()
	var out []File
	for i, list := range found {
		if errs[i] != nil {
			return nil, errs[i]
		}
		for _, f := range list {
			f.Values = parts[i].Values
			out = append(out, f)
		}
	}
	return out, ctx.Err()
}

// listed is list, once for a table's folder after a number of changes. Files that may not be read are refused, also if they have taken the
// place of others since.
func (w *Warehouse) listed(t *Table, dir string, changes int64) ([]File, error) {
	if err := t.reach(dir); err != nil {
		return nil, err
	}
	w.mu.Lock()
	l, asked := w.listings[t.ID], w.asked
	files, ok := l.folders[dir]
	w.mu.Unlock()
	if ok = ok && l.changes == changes; !ok {
		var err error
		if files, err = list(dir); err != nil {
			return nil, err
		}
		reached("listed")
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.asked == asked { // else the list may be older than REFRESH
			if l := w.listings[t.ID]; l.folders == nil || l.changes != changes {
				w.listings[t.ID] = listing{changes, map[string][]File{}}
			}
			w.listings[t.ID].folders[dir] = files
		}
	}
	files = slices.Clone(files)
	for i := range files {
		if ok {
			if err := files[i].look(); err != nil {
				return nil, err
			}
		}
		if err := t.readable(&files[i]); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// look sees what a file is that was listed before.
func (f *File) look() error {
	info, err := os.Lstat(f.Path)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		f.link = true
		info, err = os.Stat(f.Path)
	}
	if os.IsNotExist(err) {
		return errclass.FileVanished(f.Path)
	}
	if err != nil {
		return err
	}
	f.Size, f.Modified, f.special = info.Size(), info.ModTime(), !info.Mode().IsRegular()
	return nil
}

// list finds the files in a folder that are data: those whose names begin neither with _ nor with a dot. Folders in it are not entered. A
// folder that is not there has none.
func list(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, LinkError(dir, err)
	}
	var out []File
	for _, e := range entries {
		if hivepath.Hidden(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			out = append(out, File{Path: path, Size: info.Size(), Modified: info.ModTime(), link: e.Type()&os.ModeSymlink != 0, special: !info.Mode().IsRegular()})
		}
	}
	return out, nil
}
