package lake_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/lake"
)

// failing runs random commits, each of them under a hindrance that is undone after it, and checks that what failed has changed nothing and
// left no file, and that the rest has happened. A file may be left once: a COPY that is interrupted has been seen to make its file late.
func (e *env) failing(times int, hinder func() (ctx context.Context, undo func())) (failures map[string]int) {
	e.Helper()
	s := &stressed{l: e.l, db: e.db, mine: map[int]int{}, log: io.Discard, report: func(_, _ map[int]int) {}}
	failures = map[string]int{}
	late := 0
	for i := range times {
		e.must(s.step(e.Context())) // so that there is something to change
		ctx, undo := hinder()
		err := s.step(ctx)
		undo()
		if err != nil {
			failures[lastError(err)]++
		}
		e.equal("rows", e.rowsNow(), rowsText(s.mine))
		files, oerr := e.l.Orphans(e.Context(), e.load("d.s"), lake.Orphaned{Before: farFuture, Trial: false})
		e.must(oerr)
		// An expiry that is stopped behind its commit leaves files to the removal of orphans.
		if len(files) == 0 || err != nil && s.op == stressExpire {
			continue
		}
		if late++; err == nil || late > 1 || len(files) > 1 {
			e.Fatalf("step %d, op %d (%v) left %q", i, s.op, err, files)
		}
	}
	return failures
}

// lastError says in few words what failed.
func lastError(err error) string {
	for _, known := range []error{syscall.ENOSPC, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	head, _, _ := strings.Cut(err.Error(), "\n")
	head, _, _ = strings.Cut(head, ` "`)
	return head
}

func TestCancelled(t *testing.T) {
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		e := setup(t)
		e.stressTable(mode)
		failures := e.failing(25, func() (context.Context, func()) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.Int64N(int64(60*time.Millisecond))))
			return ctx, cancel
		})
		t.Log(mode, failures)
		if len(failures) == 0 {
			t.Error("no statement was cancelled")
		}
	}
}

// fill writes a file until there is no space left.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for b := make([]byte, 4096); err == nil; {
		_, err = f.Write(b)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// TestFullDisk lets commits run out of space at random points, on a file system of its own.
func TestFullDisk(t *testing.T) {
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		dir := t.TempDir()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
			t.Skip("no file system can be mounted: ", err)
		}
		e := setup(t)
		e.must(e.l.Close())
		e.dir = filepath.Join(dir, "lakehouse")
		var err error
		e.l, err = lake.Open(t.Context(), e.dir, lake.Options{})
		e.must(err)
		t.Cleanup(func() {
			e.l.Close()
			if err := syscall.Unmount(dir, 0); err != nil {
				t.Error(err)
			}
		})
		e.stressTable(mode)
		filler := filepath.Join(dir, "filler")
		failures := e.failing(40, func() (context.Context, func()) {
			var disk syscall.Statfs_t
			e.must(syscall.Statfs(dir, &disk))
			free := int64(disk.Bavail)*disk.Bsize - rand.Int64N(48<<10)
			e.must(os.WriteFile(filler, make([]byte, max(free, 0)), 0o600))
			return t.Context(), func() { e.must(os.Remove(filler)) }
		})
		t.Log(mode, failures)
		if len(failures) == 0 {
			t.Error("no statement ran out of space")
		}
		before := e.rowsNow()
		e.must(e.l.Close())
		fill(t, filler)
		e.l, err = lake.Open(t.Context(), e.dir, lake.Options{})
		e.must(err)
		e.equal("rows on a full disk", e.rowsNow(), before)
		if err := e.l.CreateNamespace(t.Context(), "late", nil); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a namespace on a full disk: %v", err)
		}
		e.must(e.l.Close())
		e.must(os.Remove(filler))
	}
}
