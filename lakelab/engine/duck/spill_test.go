package duck_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/duck"
)

// After a query has spilled to disk, more connections than before still open; what a killed process spilled is removed.
func TestSpill(t *testing.T) {
	dir := t.TempDir()
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(dir, strconv.Itoa(gone.Process.Pid), "x")
	if err := os.MkdirAll(stale, 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(t.Context(), duck.Options{TempDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := os.Stat(stale); err == nil {
		t.Error("a dead process's folder stays")
	}
	if err := db.Exec(t.Context(), "SET memory_limit = '100MB'"); err != nil {
		t.Fatal(err)
	}
	spilling := "SELECT count(*) FROM (SELECT DISTINCT i, hash(i), hash(i + 1) FROM range(5_000_000) r(i))"
	spilled := make(chan bool, 1)
	stop := make(chan struct{})
	go func() {
		seen := false
		for {
			if files, _ := filepath.Glob(filepath.Join(dir, strconv.Itoa(os.Getpid()), "*")); len(files) > 0 {
				seen = true
			}
			select {
			case <-stop:
				spilled <- seen
				return
			default:
			}
		}
	}()
	if _, _, err := db.Query(t.Context(), spilling); err != nil {
		t.Fatal(err)
	}
	close(stop)
	if !<-spilled {
		t.Fatal("the query did not spill: it tests nothing")
	}
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			_, rows, err := db.Query(t.Context(), fmt.Sprintf("SELECT count(*) + %d FROM range(3000000) r(i)", i))
			if err != nil || rows[0][0] != int64(3000000+i) {
				t.Errorf("%v, %v", rows, err)
			}
		})
	}
	wg.Wait()
}
