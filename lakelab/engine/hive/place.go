package hive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Where links lead. A table's location is free of symbolic links when it is given, so a link in it was put there since. It may lead within
// the folders that the table's user may use (Table.Roots), no further: what lies outside is neither read nor written.

// Real is the place that a path leads to, links followed as far as there is anything. A loop of links is an error.
func Real(path string) (string, error) {
	rest := ""
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		real, err := filepath.EvalSymlinks(p)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", LinkError(p, err)
		}
		if st, err := os.Lstat(p); err == nil && st.Mode()&os.ModeSymlink != 0 {
			return "", errclass.PathNotFound(p) // what a link leads to is not there
		}
		if p == filepath.Dir(p) {
			return filepath.Clean(path), nil
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}

// LinkError gives an error of following a path's links Spark's words; for a path that can't be there it is PATH_NOT_FOUND.
func LinkError(path string, err error) error {
	_, system := errors.AsType[*os.PathError](err)
	switch {
	case !system:
		return errclass.PathLoop(path) // has none of the system's words
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		return errclass.PathNotFound(path)
	}
	return errclass.UnreadableFile(path, err)
}

// Within reports whether a path is a folder or lies below it; both are absolute and clean.
func Within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// reach refuses a path of the table's, its folder or a partition's, that leads out of where its user may be.
func (t *Table) reach(path string) error {
	path = filepath.Clean(path)
	real, err := Real(path)
	if err != nil || real == path {
		return err
	}
	return t.inside(path, real)
}

// inside refuses a link's target that is neither in the table's folder nor in one of its user's.
func (t *Table) inside(path, real string) error {
	if home, err := filepath.EvalSymlinks(t.Location()); err == nil && home == t.Location() && Within(home, real) {
		return nil
	}
	for _, root := range t.Roots {
		if Within(root, real) {
			return nil
		}
	}
	return errclass.PathOutsideRoots(path)
}

// readable refuses a file that can't be read as data: a link that leads out, a pipe or a device.
func (t *Table) readable(f *File) error {
	if f.special {
		return errclass.NotRegularFile(f.Path)
	}
	if !f.link {
		return nil
	}
	var err error
	if f.Real, err = Real(f.Path); err != nil {
		return err
	}
	return t.inside(f.Path, f.Real)
}

// Limits of names and paths that the file systems and Hive's metastore have.
const (
	longestName      = 255
	longestPath      = 4000
	longestPartition = 767
)

// Fits refuses a path that can't be made because a name in it, or it itself, is too long: before anything is written.
func Fits(path string) error {
	for name := range strings.SplitSeq(path, string(filepath.Separator)) {
		if len(name) > longestName {
			return errclass.NameTooLong(path, name, longestName)
		}
	}
	if len(path) > longestPath {
		return errclass.NameTooLong(path, path, longestPath)
	}
	return nil
}

// partitionFits is Fits for a partition's folder and its name in the metastore.
func (t *Table) partitionFits(values []string, dir string) error {
	name := t.PartitionName(values)
	if n := len([]rune(name)); n > longestPartition {
		return errclass.NameTooLong(dir, name, longestPartition)
	}
	if err := Fits(filepath.Join(t.Location(), name)); err != nil {
		return err
	}
	return Fits(dir)
}
