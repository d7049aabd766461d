package duck_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/duck"
)

// TestCancelledCopy cancels COPY at random moments: once it has failed it makes no file any more.
func TestCancelledCopy(t *testing.T) {
	db, err := duck.Open(t.Context(), duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	dir, failed := t.TempDir(), 0
	for i := range 2000 {
		path := filepath.Join(dir, fmt.Sprint(i))
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.Int64N(int64(2*time.Millisecond))))
		_, _, err := db.Query(ctx, "COPY (SELECT DISTINCT i FROM range(20) r(i) ORDER BY i) TO "+duck.String(path)+" (FORMAT parquet)")
		cancel()
		if rerr := os.Remove(path); rerr != nil && (err == nil || !errors.Is(rerr, fs.ErrNotExist)) {
			t.Fatal(rerr)
		}
		if err != nil {
			failed++
			time.Sleep(300 * time.Microsecond)
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("COPY %d made its file late", i)
		}
	}
	if failed == 0 {
		t.Error("no statement was cancelled")
	}
}
