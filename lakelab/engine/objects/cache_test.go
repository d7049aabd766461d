package objects

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Whoever waits for a file that another one fetches waits no longer than its own context.
func TestFetchWaits(t *testing.T) {
	c, err := openCache(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.dir, "bucket", "key")
	begun, release, fetched := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		fetched <- c.fetch(t.Context(), path, func(w io.Writer) error {
			close(begun)
			<-release
			_, err := io.WriteString(w, "file")
			return err
		})
	}()
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.fetch(ctx, path, func(io.Writer) error { return errors.New("fetched twice") }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	if err := <-fetched; err != nil {
		t.Error(err)
	}
	if err := c.fetch(t.Context(), path, func(io.Writer) error { return errors.New("fetched twice") }); err != nil {
		t.Error(err)
	}
}

// A file that is forgotten or written while it is fetched is counted once at the most.
func TestFetchMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(c *cache, path string)
		size      int64
	}{
		"forgotten": {func(c *cache, path string) { c.forget(path) }, 0},
		"written":   {func(c *cache, path string) { c.added(path, 3) }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			files, err := openCache(t.TempDir(), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(files.dir, "key")
			if err := files.fetch(t.Context(), path, func(w io.Writer) error {
				c.meanwhile(files, path)
				_, err := io.WriteString(w, "file")
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if files.size != c.size {
				t.Errorf("the cache holds %d bytes, want %d", files.size, c.size)
			}
		})
	}
}

// When the cache is full the file goes that was not used for the longest time, but none that work under way may read; another process with less
// room takes over the newest.
func TestEviction(t *testing.T) {
	dir := t.TempDir()
	c, err := openCache(dir, 10)
	if err != nil {
		t.Fatal(err)
	}
	use := func(name string) {
		t.Helper()
		time.Sleep(2 * time.Millisecond) // the order is that of times
		if err := c.fetch(t.Context(), filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, "four")
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(when, want string) {
		t.Helper()
		found, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range found {
			got += f.Name()
		}
		if got != want || c.size != int64(4*len(want)) {
			t.Errorf("%s: the cache holds %s, %d bytes, want %s", when, got, c.size, want)
		}
	}
	use("a")
	use("b")
	use("a")
	use("c")
	holds("full", "ac")
	end := c.begin()
	use("c")
	use("d")
	use("e")
	holds("under work", "cde")
	end()
	holds("after work", "de")
	if c, err = openCache(dir, 5); err != nil {
		t.Fatal(err)
	}
	holds("with less room", "e")
}
