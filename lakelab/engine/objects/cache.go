package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"
)

// cache is a folder of files that stay while there is room. When it is full, those that were not used for the longest time go, but none
// that work under way may read.
type cache struct {
	dir   string
	limit int64

	mu      sync.Mutex
	files   map[string]*cached
	size    int64
	running map[int]time.Time // the beginning of each piece of work
	next    int
}

// cached is a file of the cache.
type cached struct {
	size  int64
	used  time.Time
	ready chan struct{} // closed when the file is there, or err says why not
	err   error
}

// partial begins the name of a file that is being fetched.
const partial = ".lakelab-fetch-"

// openCache takes over what an earlier process left, as far as there is room.
func openCache(dir string, limit int64) (*cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	removeLeftovers(dir)
	c := &cache{dir: dir, limit: limit, files: map[string]*cached{}, running: map[int]time.Time{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			c.files[path] = &cached{size: info.Size(), used: info.ModTime(), ready: closed}
			c.size += info.Size()
		}
		return err
	})
	c.shrink()
	return c, err
}

// closed is the channel of files that are there.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// fetch makes the file at a path unless it is there. Several callers at once make it once; ctx is the caller's own.
func (c *cache) fetch(ctx context.Context, path string, write func(io.Writer) error) error {
	for {
		f, mine := c.entry(path)
		if mine {
			c.fill(path, f, write)
			return f.err
		}
		select {
		case <-f.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if errors.Is(f.err, context.Canceled) || errors.Is(f.err, context.DeadlineExceeded) {
			continue // the other caller's, not this one's
		}
		if f.err != nil {
			return f.err
		}
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		c.forget(path) // somebody emptied the folder
	}
}

// entry is a path's entry; mine says that it is new, for the caller to fill.
func (c *cache) entry(path string) (f *cached, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.files[path]; ok {
		f.used = time.Now()
		return f, false
	}
	f = &cached{used: time.Now(), ready: make(chan struct{})}
	c.files[path] = f
	return f, true
}

// fill makes an entry's file.
func (c *cache) fill(path string, f *cached, write func(io.Writer) error) {
	size, err := download(path, write)
	c.mu.Lock()
	switch {
	case c.files[path] != f: // forgotten, or written by somebody else meanwhile
	case err != nil:
		delete(c.files, path)
	default:
		f.size = size
		c.size += size
		c.shrink()
	}
	c.mu.Unlock()
	f.err = err
	close(f.ready)
}

// download writes a file that appears at its path when it is whole.
func download(path string, write func(io.Writer) error) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), partial)
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	if err = write(f); err == nil {
		err = f.Sync() // a later process trusts what is there under the name
	}
	size, serr := f.Seek(0, io.SeekCurrent)
	if err := errors.Join(err, serr, f.Close()); err != nil {
		return 0, err
	}
	return size, os.Rename(f.Name(), path)
}

// added takes in a file that somebody else wrote.
func (c *cache) added(path string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.files[path]; ok {
		c.size -= old.size
	}
	c.files[path] = &cached{size: size, used: time.Now(), ready: closed}
	c.size += size
	c.shrink()
}

// forget deletes a file.
func (c *cache) forget(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(path)
}

func (c *cache) remove(path string) {
	if f, ok := c.files[path]; ok {
		c.size -= f.size
		delete(c.files, path)
	}
	os.Remove(path) // its folder stays: somebody may be about to write there
}

func (c *cache) begin() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := c.next
	c.next++
	c.running[id] = time.Now()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, id)
		c.shrink()
	}
}

// shrink makes room: files go that were last used before all work under way began.
func (c *cache) shrink() {
	if c.size <= c.limit {
		return
	}
	begun := time.Now()
	for _, t := range c.running {
		if t.Before(begun) {
			begun = t
		}
	}
	var paths []string
	for path, f := range c.files {
		select {
		case <-f.ready:
			if f.used.Before(begun) {
				paths = append(paths, path)
			}
		default: // being fetched
		}
	}
	sort.Slice(paths, func(i, j int) bool { return c.files[paths[i]].used.Before(c.files[paths[j]].used) })
	for _, path := range paths {
		if c.size <= c.limit {
			return
		}
		c.remove(path)
	}
}
