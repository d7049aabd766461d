package hive

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// move renames a file or folder, making the folders above. Between file systems a file is copied first. It is done already if the one name is
// not there and the other is; fs.ErrNotExist if neither is.
func move(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	err := os.Rename(from, to)
	switch {
	case os.IsNotExist(err) && exists(to):
		return nil
	case errors.Is(err, syscall.EXDEV):
		return moveFar(from, to)
	}
	return err
}

func moveFar(from, to string) error {
	info, err := os.Lstat(from)
	if os.IsNotExist(err) && exists(to) { // another process moved it
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := os.ReadDir(from)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := move(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				return err
			}
		}
		return os.Remove(from)
	}
	if info.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err == nil {
			err = os.Symlink(target, to)
		}
		if err != nil {
			return err
		}
		return os.Remove(from)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	half := filepath.Join(filepath.Dir(to), "."+filepath.Base(to)+".copy")
	out, err := os.Create(half)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(half, to)
	}
	if err != nil {
		os.Remove(half)
		return err
	}
	return os.Remove(from)
}

// flush writes a file to disk.
func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
