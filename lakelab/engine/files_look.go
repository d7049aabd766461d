package engine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
)

// What spark.Files() asks: looking at folders, moving and deleting, inside the session's roots. A symbolic link counts as the place it
// leads to when something is read there; moved and deleted is the link itself, never what it points to.

// FileInfo is a file or a folder.
type FileInfo struct {
	Path, Name string
	Size       int64 // of a file
	Dir        bool
	Modified   time.Time
}

// ListFiles lists what a folder holds, by name, hidden files too; for a file, the file itself.
func (s *Session) ListFiles(path string) ([]FileInfo, error) {
	full, err := s.userPath(path)
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(full)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return []FileInfo{fileInfo(full, st)}, nil
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		return nil, err
	}
	var out []FileInfo
	for _, e := range entries {
		st, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		out = append(out, fileInfo(filepath.Join(full, e.Name()), st))
	}
	return out, nil
}

func fileInfo(path string, st fs.FileInfo) FileInfo {
	f := FileInfo{Path: path, Name: st.Name(), Dir: st.IsDir(), Modified: st.ModTime()}
	if !f.Dir {
		f.Size = st.Size()
	}
	return f
}

// WalkFiles lists all files below a folder, in the order of their paths. Links are not followed.
func (s *Session) WalkFiles(path string) ([]FileInfo, error) {
	full, err := s.userPath(path)
	if err != nil {
		return nil, err
	}
	var out []FileInfo
	err = filepath.WalkDir(full, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if errors.Is(err, fs.ErrNotExist) && p != full {
				return nil
			}
			return err
		}
		st, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		out = append(out, fileInfo(p, st))
		return nil
	})
	return out, err
}

// FileExists reports whether there is anything at a path.
func (s *Session) FileExists(path string) (bool, error) {
	_, err := s.userPath(path)
	if errclass.Is(err, "PATH_NOT_FOUND") {
		_, err = s.userTarget(path) // the folder it would lie in must be ours too
		return false, err
	}
	return err == nil, err
}

// MoveFile moves a file or a folder; what is at the target, if anything, is not replaced.
func (s *Session) MoveFile(from, to string) error {
	source, err := s.changeable(from)
	if err != nil {
		return err
	}
	target, err := s.userTarget(to)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(target); err == nil {
		return errclass.PathExists(target)
	}
	if s.internal(target) {
		return errclass.PathProtected(target)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if err := os.Rename(source, target); err != nil {
		return err
	}
	s.engine.Hive.RefreshBelow(filepath.Dir(source))
	s.engine.Hive.RefreshBelow(filepath.Dir(target))
	return nil
}

// DeleteFile deletes a file, or a folder with all it holds. It is false if there is nothing.
func (s *Session) DeleteFile(path string) (bool, error) {
	full, err := s.changeable(path)
	if errclass.Is(err, "PATH_NOT_FOUND") {
		_, err = s.userTarget(path)
		return false, err
	}
	if err != nil {
		return false, err
	}
	defer s.engine.Hive.RefreshBelow(filepath.Dir(full))
	return true, os.RemoveAll(full)
}

// changeable is userPath for something that is moved or deleted: its folder is resolved, the name itself is not. A root stays where it
// is, and so do the engine's own files.
func (s *Session) changeable(path string) (string, error) {
	p := s.absolute(path)
	dir, err := s.userPath(filepath.Dir(p))
	if err != nil {
		if _, inside := s.userPath(p); inside == nil {
			return "", errclass.PathProtected(p) // a root
		}
		return "", err
	}
	full := filepath.Join(dir, filepath.Base(p))
	if _, err := os.Lstat(full); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", errclass.PathNotFound(full)
		}
		return "", err
	}
	if s.protected(full) {
		return "", errclass.PathProtected(full)
	}
	return full, nil
}

// protected reports whether a path is one that nothing may take the place of: a root or a warehouse, a folder that holds one, or the
// engine's own.
func (s *Session) protected(path string) bool {
	for _, root := range append(s.roots(), s.engine.warehouses()...) {
		if hive.Within(path, root) {
			return true
		}
	}
	return s.internal(path)
}

// warehouses are the folders below which tables get theirs, and where dropped ones go, without symbolic links.
func (e *Engine) warehouses() []string {
	var out []string
	for _, dir := range []string{e.Lake.Warehouse(), e.Hive.Dir(), e.Hive.TrashDir()} {
		if !filepath.IsAbs(dir) {
			continue // in a remote store
		}
		// The folder itself may not be there yet.
		if parent, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
			dir = filepath.Join(parent, filepath.Base(dir))
		}
		out = append(out, dir)
		if r, err := filepath.EvalSymlinks(dir); err == nil && r != dir {
			out = append(out, r)
		}
	}
	return out
}

// userPlace is userTarget for the folder of a table or of files that are written: none that is protected.
func (s *Session) userPlace(path string) (string, error) {
	if path == "" {
		return "", errclass.EmptyPath()
	}
	full, err := s.userTarget(path)
	switch {
	case err != nil:
	case s.protected(full):
		err = errclass.PathProtected(full)
	case hive.Within(s.engine.Hive.TrashDir(), full):
		err = errclass.PathTrash(full)
	}
	return full, err
}

// replaceable refuses a folder whose files can't be replaced: a protected one, and one that lies in an Iceberg table or holds one, whose
// files its metadata names.
func (s *Session) replaceable(path string) error {
	if s.protected(path) {
		return errclass.PathProtected(path)
	}
	if err := inTable(path); err != nil {
		return err
	}
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && icebergFolder(p) {
			err = errclass.PathOfTable(path, p)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// writable refuses the folder of a table of plain files in which an Iceberg table lies, whose metadata would not know the files; for an
// overwrite a protected one too.
func (s *Session) writable(location string, overwrite bool) error {
	if real, err := filepath.EvalSymlinks(location); err == nil {
		location = real
	}
	if overwrite && s.protected(location) {
		return errclass.PathProtected(location)
	}
	return inTable(location)
}

// inTable refuses a path that lies in an Iceberg table's folder.
func inTable(path string) error {
	for dir := path; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if icebergFolder(dir) {
			return errclass.PathOfTable(path, dir)
		}
	}
	return nil
}

// icebergFolder reports whether a folder is an Iceberg table's, of whatever catalog: it has metadata files.
func icebergFolder(dir string) bool {
	entries, err := os.ReadDir(filepath.Join(dir, "metadata"))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".metadata.json") })
}

// internal reports whether a path, without links, is the engine's own: its socket and lock, the catalog's database, and the settings, which
// may hold passwords, of this lakehouse or another one.
func (s *Session) internal(path string) bool {
	rel, err := filepath.Rel(s.engine.Dir, path)
	first, _, _ := strings.Cut(rel, string(filepath.Separator))
	if err == nil && strings.HasPrefix(first, "catalog.db") {
		return true
	}
	return strings.HasPrefix(filepath.Base(path), config.File) || slices.Contains(strings.Split(path, string(filepath.Separator)), ".lakelab")
}

// readPath is userPath for a file or folder whose content is read.
func (s *Session) readPath(path string) (string, error) {
	full, err := s.userPath(path)
	if err == nil && s.internal(full) {
		err = errclass.PathSecret(full)
	}
	return full, err
}
