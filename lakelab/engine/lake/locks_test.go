package lake_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// locks is the program of TestLocks' processes: several sessions at once, each with tables of its own and one that all share.
func locks(dir, me string) error {
	ctx := context.Background()
	db, err := openDuck()
	if err != nil {
		return err
	}
	if _, err := io.ReadAll(os.Stdin); err != nil { // the parent starts all at once
		return err
	}
	l, err := lake.Open(ctx, dir, lake.Options{})
	if err != nil {
		return err
	}
	defer l.Close()
	schema := types.StructOf(col("k", long))
	if err := l.CreateNamespace(ctx, "d", nil); err != nil && !errors.Is(err, lake.ErrNamespaceExists) {
		return err
	}
	if err := l.Create(ctx, name("d.all"), schema, lake.CreateOptions{IfNotExists: true}); err != nil && !errors.Is(err, lake.ErrTableExists) {
		return err
	}
	session := func(i int) error {
		for n := range 8 {
			own := name(fmt.Sprintf("d.p%s_%d_%d", me, i, n))
			if _, err := l.CreateAs(ctx, own, schema, lake.CreateOptions{}, "SELECT 1", db); err != nil {
				return err
			}
			for _, id := range []lake.Ident{own, name("d.all")} {
				t, err := l.Load(ctx, id)
				if err != nil {
					return err
				}
				if _, err := l.Append(ctx, t, "SELECT 2", db); err != nil {
					return err
				}
			}
			if _, err := l.Tables(ctx, "d"); err != nil {
				return err
			}
			if err := l.SetNamespaceProperties(ctx, "d", map[string]string{own.Name: "x"}, nil); err != nil {
				return err
			}
			if n%2 == 0 {
				if err := l.Drop(ctx, own, true); err != nil {
					return err
				}
			}
		}
		return nil
	}
	errs := make([]error, 4)
	var sessions sync.WaitGroup
	for i := range errs {
		sessions.Go(func() { errs[i] = session(i) })
	}
	sessions.Wait()
	return errors.Join(errs...)
}

// TestLocks has three processes open a new lakehouse at once and work with many tables: no lock of the catalog surfaces as an error.
func TestLocks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lakehouse")
	var processes []*exec.Cmd
	var stderr [3]strings.Builder
	var starts []io.Closer
	for i := range stderr {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "LAKE_TEST_LOCKS="+dir, fmt.Sprintf("LAKE_TEST_ME=%d", i))
		c.Stderr = &stderr[i]
		in, err := c.StdinPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		processes, starts = append(processes, c), append(starts, in)
	}
	for _, s := range starts {
		s.Close()
	}
	for i, c := range processes {
		if err := c.Wait(); err != nil {
			t.Errorf("process %d: %v\n%s", i, err, stderr[i].String())
		}
	}
	l, err := lake.Open(t.Context(), dir, lake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tables, err := l.Tables(t.Context(), "d")
	if err != nil || len(tables) != 3*4*4+1 {
		t.Errorf("%d tables: %v", len(tables), err)
	}
	all, err := l.Load(t.Context(), name("d.all"))
	if err != nil || all.Records() != 3*4*8 {
		t.Errorf("%d rows in the table that all share: %v", all.Records(), err)
	}
}
