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

// discard puts a file or a folder into the trash, or deletes it.
func (w *Warehouse) discard(path string, purge bool) error {
	if purge {
		return os.RemoveAll(path)
	}
	if !exists(path) {
		return nil
	}
	return move(path, w.inTrash(path, time.Now()))
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
		if err := os.Remove(f.Path); err != nil {
			return n, err
		}
		removeEmpty(filepath.Dir(f.Path), w.TrashDir())
		n++
	}
	return n, nil
}
