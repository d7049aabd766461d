package lake_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
)

// disk knows what a power cut would leave of a folder: of a file, the content that it had when it was last flushed; of a folder, the
// names that it had then. What was never flushed is lost, or cut off. The files of SQLite, which flushes its own, are left alone.
type disk struct {
	root  string
	mu    sync.Mutex
	files map[string][]byte
	names map[string]map[string]bool
}

// newDisk takes everything that is there for flushed.
func newDisk(root string) (*disk, error) {
	d := &disk{root: root, files: map[string][]byte{}, names: map[string]map[string]bool{}}
	return d, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			d.flushed(path)
		}
		return err
	})
}

func (d *disk) flushed(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if entries, err := os.ReadDir(path); err == nil {
		names := map[string]bool{}
		for _, e := range entries {
			names[e.Name()] = true
		}
		d.names[path] = names
	} else if b, err := os.ReadFile(path); err == nil {
		d.files[path] = b
	}
}

// cut writes to a folder what a power cut would leave now.
func (d *disk) cut(to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == d.root {
			return os.Mkdir(to, 0o755)
		}
		rel, err := filepath.Rel(d.root, path)
		if err != nil {
			return err
		}
		if sqlite := strings.HasPrefix(rel, "catalog.db"); !sqlite && !d.names[filepath.Dir(path)][e.Name()] {
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		} else if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		} else if b, ok := d.files[path]; ok && !sqlite {
			return os.WriteFile(filepath.Join(to, rel), b, 0o644)
		} else if b, err := os.ReadFile(path); err == nil {
			if !sqlite {
				b = b[:len(b)/2]
			}
			return os.WriteFile(filepath.Join(to, rel), b, 0o644)
		}
		return nil
	})
}

// TestPowerCut ends a process at named points of its commits and takes from the disk what it had not flushed by then: each time the table
// has the rows from before the commit or those from after it. LAKELAB_KILLS=n cuts n times in each mode.
func TestPowerCut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about 10 seconds")
	}
	cuts := len(crashPoints)
	if n, err := strconv.Atoi(os.Getenv("LAKELAB_KILLS")); err == nil {
		cuts = n
	}
	for _, mode := range []string{"copy-on-write", "merge-on-read", "vectors"} {
		t.Run(mode, func(t *testing.T) {
			e := setup(t)
			if v, err := e.l.Pragma(t.Context(), "synchronous"); err == nil && v != "2" {
				t.Errorf("SQLite does not flush each commit: synchronous = %s", v)
			}
			e.stressTable(mode)
			e.crashAgain(cuts, true)
		})
	}
}

// swapDisks puts what the power cut left in the place of the lakehouse.
func (e *env) swapDisks() {
	e.Helper()
	e.must(e.l.Close())
	e.must(os.RemoveAll(e.dir))
	e.must(os.Rename(e.dir+".cut", e.dir))
	l, err := lake.Open(e.Context(), e.dir, lake.Options{})
	e.must(err)
	e.l = l
}
