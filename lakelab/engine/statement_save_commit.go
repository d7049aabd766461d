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
		if kept, err := w.session.engine.Hive.TrashFolder(path, tables); kept || err != nil {
			return err
		}
		return old.take(path)
	}
	if w.dynamic {
		err = w.move(aside, target, replace)
	} else if err = replace(target); err == nil {
		err = w.move(aside, target, nil)
	}
	if err != nil {
		return errors.Join(err, old.undo())
	}
	return old.finish()
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
	o := &setAside{dir: aside + replacedSuffix, lock: lock}
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

// take moves a path away.
func (o *setAside) take(path string) error {
	o.n++
	at := filepath.Join(o.dir, strconv.Itoa(o.n))
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

// finish deletes what was replaced.
func (o *setAside) finish() error {
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

// undoSaves puts back what overwrites in a folder had set aside when their process was killed, and deletes what done ones left. What
// can't be put back stays where it is, for the next time.
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
		switch filepath.Ext(path) {
		case replacedSuffix:
			if lock, err := lockFolder(path); err == nil {
				_ = (&setAside{dir: path, lock: lock}).undo()
			}
		case doneSuffix:
			_ = os.RemoveAll(path)
		}
	}
}

// asidePrefix begins the names of the folders that saves write to, beside their targets.
const asidePrefix = "._temporary-"
