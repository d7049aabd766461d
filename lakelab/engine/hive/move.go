package hive

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// move renames a file or folder, making the folders above. Between file systems a file is copied first. It is done already if the one name is
// not there and the other is; fs.ErrNotExist if neither is.
func move(from, to string) error {
	for range tries {
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		if err == nil {
			err = os.Rename(from, to)
		}
		switch {
		case os.IsNotExist(err) && exists(to):
			return nil
		case os.IsNotExist(err) && exists(from): // a folder is gone again: Expunge found it empty
			continue
		case errors.Is(err, syscall.EXDEV):
			return moveFar(from, to)
		}
		return err
	}
	return fmt.Errorf("move %s: the folder of %s is removed again and again", from, to)
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
		return removeMoved(from)
	}
	if info.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err == nil {
			err = os.Symlink(target, to)
		}
		if err != nil {
			return err
		}
		return removeMoved(from)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), "."+filepath.Base(to)+".copy-*") // two processes may copy it at the same time
	if err != nil {
		return err
	}
	half := out.Name()
	_, err = io.Copy(out, in)
	err = errors.Join(err, out.Chmod(info.Mode().Perm()), out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(half, to)
	}
	if err != nil {
		os.Remove(half)
		return err
	}
	if err := flush(filepath.Dir(to)); err != nil { // the copy is there to stay before the file goes
		return err
	}
	return removeMoved(from)
}

// removeMoved removes what was copied, unless another process that copied it has.
func removeMoved(path string) error {
	if err := os.Remove(path); !os.IsNotExist(err) {
		return err
	}
	return nil
}

// above notes the folders above a path, up to root; only the next one if root is not above it.
func above(folders map[string]bool, path, root string) {
	dir := filepath.Dir(path)
	folders[dir] = true
	for dir != root && strings.HasPrefix(dir, root+string(filepath.Separator)) && root != "" {
		dir = filepath.Dir(dir)
		folders[dir] = true
	}
}

// flushAll writes folders' names to disk; one that is gone has none.
func flushAll(folders map[string]bool) error {
	for dir := range folders {
		if err := flush(dir); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// flush writes a file, or the names in a folder, to disk.
func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
