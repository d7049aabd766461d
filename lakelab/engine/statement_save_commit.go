package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"mini-lakehouse-lab/lakelab/engine/hive"
)

// commit moves what was written to its place. What an overwrite replaces is set aside first, put back if the rest fails, and deleted at
// the end; where tables lie, it goes into the trash.
func (w *fileWrite) commit(ctx context.Context, aside, target string) error {
	if w.Mode != "overwrite" {
		return w.move(aside, target, nil)
	}
	tables, err := w.session.engine.Hive.Around(ctx, target)
	if err != nil {
		return err
	}
	old, err := newSetAside(aside)
	if err != nil {
		return err
	}
	replaced := map[string]bool{}
	replace := func(path string) error {
		if replaced[path] {
			return nil
		}
		replaced[path] = true
		if err := w.session.replaceable(path); err != nil {
			return err
		}
		return old.take(path, hive.Touches(path, tables))
	}
	if w.dynamic {
		err = w.move(aside, target, replace)
	} else if err = replace(target); err == nil {
		err = w.move(aside, target, nil)
	}
	if err != nil {
		return errors.Join(err, old.undo())
	}
	return old.finish(w.session.engine.Hive.TrashFrom)
}

// move moves the files that were written; replace, if any, makes room for those of a folder.
func (w *fileWrite) move(aside, target string, replace func(string) error) error {
	err := filepath.WalkDir(aside, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(aside, p)
		if err != nil {
			return err
		}
		to := filepath.Join(target, rel)
		if replace != nil {
			if err := replace(filepath.Dir(to)); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.Rename(p, to)
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(target, "_SUCCESS"), nil, 0o644)
}

// Ends of the names of the folders that hold what an overwrite replaces: while it runs, and when it is done.
const (
	replacedSuffix = ".replaced"
	doneSuffix     = ".done"
)

// setAside is the folder of what an overwrite replaces, beside its target. The overwrite holds a lock on it, so that one whose process
// was killed can be told and undone (undoSaves). For each path n.path is written first, which says where it was, then the path is moved
// to n; n.new is a path at which nothing was.
type setAside struct {
	dir  string
	lock *os.File
	n    int
	kept map[string]string // what goes into the trash: where it lies here, and where it was
}

// newSetAside makes the folder for an overwrite that wrote its files to aside. It gets its name when it is locked.
func newSetAside(aside string) (*setAside, error) {
	dir := aside + ".old"
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	o := &setAside{dir: aside + replacedSuffix, lock: lock, kept: map[string]string{}}
	return o, os.Rename(dir, o.dir)
}

// lockFolder fails if another one holds the lock.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// take moves a path away; in the end it is put into the trash if it is to be kept.
func (o *setAside) take(path string, kept bool) error {
	o.n++
	at := filepath.Join(o.dir, strconv.Itoa(o.n))
	if kept {
		o.kept[at] = path
	}
	rel, err := filepath.Rel(filepath.Dir(o.dir), path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(at+".new", []byte(rel), 0o644)
	}
	if err := os.WriteFile(at+".path", []byte(rel), 0o644); err != nil {
		return err
	}
	return os.Rename(path, at)
}

// finish puts what is kept of what was replaced into the trash, and deletes the rest.
func (o *setAside) finish(trash func(now, path string) error) error {
	for at, path := range o.kept {
		if err := trash(at, path); err != nil {
			return errors.Join(err, o.undo())
		}
	}
	defer o.lock.Close()
	done := strings.TrimSuffix(o.dir, replacedSuffix) + doneSuffix
	if err := os.Rename(o.dir, done); err != nil {
		return err
	}
	return os.RemoveAll(done)
}

// undo puts everything back. It can be begun again after it was killed.
func (o *setAside) undo() error {
	defer o.lock.Close()
	entries, err := os.ReadDir(o.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		n, kind, ok := strings.Cut(e.Name(), ".")
		if !ok || !e.Type().IsRegular() {
			continue
		}
		rel, err := os.ReadFile(filepath.Join(o.dir, e.Name()))
		if err != nil {
			return err
		}
		if !filepath.IsLocal(string(rel)) || rel == nil || string(rel) == "." {
			continue // killed while it was written: nothing was moved
		}
		path, at := filepath.Join(filepath.Dir(o.dir), string(rel)), filepath.Join(o.dir, n)
		if kind == "path" {
			if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
				continue // not moved yet, or already back
			}
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		if kind == "path" {
			if err := os.Rename(at, path); err != nil {
				return err
			}
		}
	}
	if err := os.RemoveAll(strings.TrimSuffix(o.dir, replacedSuffix)); err != nil {
		return err
	}
	return os.RemoveAll(o.dir)
}

// undoSaves puts back what overwrites in a folder had set aside when their process was killed, and deletes what done ones left and what
// killed saves had written. What can't be put back stays where it is, for the next time.
func undoSaves(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), asidePrefix) || !e.IsDir() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch filepath.Ext(strings.TrimPrefix(e.Name(), asidePrefix)) {
		case replacedSuffix:
			if lock, err := lockFolder(path); err == nil {
				_ = (&setAside{dir: path, lock: lock}).undo()
			}
		case doneSuffix:
			_ = os.RemoveAll(path)
		case "": // what a save writes, as long as it holds the lock
			if lock, err := lockFolder(path); err == nil {
				_ = os.RemoveAll(path)
				lock.Close()
			}
		}
	}
}

// newAside makes the folder that a save writes to, beside its target. It gets its name when it is locked; without a lock it is what a killed
// save left (undoSaves).
func newAside(target string) (dir string, lock *os.File, err error) {
	fresh, err := os.MkdirTemp(filepath.Dir(target), asidePrefix+"*.new")
	if err != nil {
		return "", nil, err
	}
	if lock, err = lockFolder(fresh); err == nil {
		dir = strings.TrimSuffix(fresh, ".new")
		err = os.Rename(fresh, dir)
	}
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(fresh))
	}
	return dir, lock, nil
}

// asidePrefix begins the names of the folders that saves write to, beside their targets.
const asidePrefix = "._temporary-"
