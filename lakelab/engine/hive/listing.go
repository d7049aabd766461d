package hive

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// File is a data file with the values of the partition it belongs to.
type File struct {
	Path   string
	Size   int64
	Values []string // one for each partition key; metastore.NullPartition for NULL
}

// Spark lists a folder once and keeps the list until the table is changed through it, or refreshed; so does a Warehouse. A file that
// another program adds shows after REFRESH TABLE, one that it removes is missed when it is read.

// Refresh forgets what a table's folders held.
func (w *Warehouse) Refresh(table int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.listings, table)
}

// RefreshBelow forgets what the folders at a path, and below it, held.
func (w *Warehouse) RefreshBelow(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, folders := range w.listings {
		for folder := range folders {
			if folder == path || strings.HasPrefix(folder, path+string(filepath.Separator)) {
				delete(folders, folder)
			}
		}
	}
}

// Files lists the data files of partitions (of the table itself if it has no keys).
func (w *Warehouse) Files(ctx context.Context, t *Table, parts []metastore.Partition) ([]File, error) {
	if err := w.settle(ctx, t.ID); err != nil {
		return nil, err
	}
	w.files.RLock()
	defer w.files.RUnlock()
	if len(t.Keys) == 0 {
		return w.listed(t.ID, t.Location())
	}
	found := make([][]File, len(parts))
	errs := make([]error, len(parts))
	var group sync.WaitGroup
	next := make(chan int)
	for range min(8, len(parts)) {
		group.Go(func() {
			for i := range next {
				found[i], errs[i] = w.listed(t.ID, Path(parts[i].Location))
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

// listed is list, once for a table's folder.
func (w *Warehouse) listed(table int64, dir string) ([]File, error) {
	w.mu.Lock()
	files, ok := w.listings[table][dir]
	w.mu.Unlock()
	if ok {
		return files, nil
	}
	files, err := list(dir)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listings[table] == nil {
		w.listings[table] = map[string][]File{}
	}
	w.listings[table][dir] = files
	return files, nil
}

// list finds the files in a folder that are data: those whose names begin neither with _ nor with a dot. Folders in it are not entered. A
// folder that is not there has none.
func list(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	var out []File
	for _, e := range entries {
		if hivepath.Hidden(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			out = append(out, File{Path: path, Size: info.Size()})
		}
	}
	return out, err
}
