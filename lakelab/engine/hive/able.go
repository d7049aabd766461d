package hive

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// able refuses a change whose files could not be moved, before it is made: after it nobody can use the table until they can be. The error is a
// fs.PathError.
func able(change *metastore.Write) error {
	seen := map[string]bool{}
	check := func(dir string) error {
		if seen[dir] {
			return nil
		}
		seen[dir] = true
		return alterable(dir)
	}
	for _, g := range change.Gone {
		if err := check(filepath.Dir(g[0])); err != nil {
			return err
		}
		if st, err := os.Lstat(g[0]); err == nil && st.IsDir() { // its parent is noted in it
			if err := check(g[0]); err != nil {
				return err
			}
		}
		if g[1] == "" {
			continue
		}
		if err := check(filepath.Dir(g[1])); err != nil {
			return err
		}
	}
	for _, m := range change.Moves {
		for _, path := range m {
			if err := check(filepath.Dir(path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// moving adds the move of a folder to a change, if there is one to move. If the place is taken, by what taken tells or by files that are
// nobody's, that is an error.
func moving(change *metastore.Write, from, to string, taken func() error) error {
	if exists(to) {
		if err := taken(); err != nil {
			return err
		}
		return &LocationError{to}
	}
	if exists(from) {
		change.Moves = [][2]string{{from, to}}
	}
	if err := able(change); err != nil {
		return errclass.MetaException(err)
	}
	return nil
}

// alterable reports why this process can make and remove no names in a folder, or in the nearest one above it that is there.
func alterable(dir string) error {
	const mayWrite, mayEnter = 2, 1
	st, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err) && dir != filepath.Dir(dir):
		return alterable(filepath.Dir(dir))
	case err != nil:
		return err
	case !st.IsDir():
		err = syscall.ENOTDIR
	default:
		err = syscall.Access(dir, mayWrite|mayEnter)
	}
	switch {
	case os.IsNotExist(err) && dir != filepath.Dir(dir): // another process moved it meanwhile
		return alterable(filepath.Dir(dir))
	case err != nil:
		return &fs.PathError{Op: "write", Path: dir, Err: err}
	}
	return nil
}
