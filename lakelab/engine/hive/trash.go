package hive

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// TrashDir is the folder into which dropped files go, under the path that they had. Its first folder is the time of the deletion, so that a
// name can be deleted twice.
func (w *Warehouse) TrashDir() string { return filepath.Join(w.dir, ".Trash") }

const trashTime = "20060102150405.000000"

// inTrash is the place that a path gets in the trash.
func (w *Warehouse) inTrash(path string, at time.Time) string {
	rel, err := filepath.Rel(w.dir, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		rel = strings.TrimPrefix(path, string(filepath.Separator))
	}
	return filepath.Join(w.TrashDir(), at.UTC().Format(trashTime), rel)
}

// TrashFrom puts what was at a path and lies somewhere else by now into the trash.
func (w *Warehouse) TrashFrom(now, path string) error {
	if !exists(now) {
		return nil
	}
	return move(now, w.inTrash(path, time.Now()))
}

// Trashed is a file in the trash.
type Trashed struct {
	Path    string // where it is
	From    string // where it was; inside the lakehouse relative to it
	Deleted time.Time
	Size    int64
}

// Trash lists the files in the trash, oldest first.
func (w *Warehouse) Trash() ([]Trashed, error) {
	var out []Trashed
	err := filepath.WalkDir(w.TrashDir(), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if os.IsNotExist(err) {
				return nil
			}
			return err
		}
		rel, err := filepath.Rel(w.TrashDir(), p)
		if err != nil {
			return err
		}
		stamp, from, ok := strings.Cut(rel, string(filepath.Separator))
		at, terr := time.Parse(trashTime, stamp)
		if !ok || terr != nil {
			return nil
		}
		info, err := d.Info()
		if os.IsNotExist(err) { // another one expunges
			return nil
		}
		if err != nil {
			return err
		}
		out = append(out, Trashed{Path: p, From: from, Deleted: at, Size: info.Size()})
		return nil
	})
	sort.SliceStable(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out, err
}

// Expunge deletes what has been in the trash since before a time. It returns how many files that were.
func (w *Warehouse) Expunge(before time.Time) (int64, error) {
	list, err := w.Trash()
	if err != nil {
		return 0, err
	}
	n := int64(0)
	for _, f := range list {
		if f.Deleted.After(before) {
			continue
		}
		err := os.Remove(f.Path)
		if os.IsNotExist(err) { // another one expunges
			continue
		}
		if err != nil {
			return n, err
		}
		removeEmpty(filepath.Dir(f.Path), w.TrashDir())
		n++
	}
	return n, w.expungeFolders(before)
}

// expungeFolders removes the folders that went into the trash before a time and hold no files.
func (w *Warehouse) expungeFolders(before time.Time) error {
	entries, err := os.ReadDir(w.TrashDir())
	if os.IsNotExist(err) {
		return nil
	}
	for _, e := range entries {
		if at, terr := time.Parse(trashTime, e.Name()); terr == nil && e.IsDir() && !at.After(before) {
			removeHollow(filepath.Join(w.TrashDir(), e.Name()))
		}
	}
	return err
}

// removeHollow removes a folder and those in it as far as there are no files in them.
func removeHollow(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			removeHollow(filepath.Join(dir, e.Name()))
		}
	}
	os.Remove(dir) // it stays if anything is in it
}
