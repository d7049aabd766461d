package duck

import (
	"context"
	"testing"
	"time"
)

// A query that takes a while reports numbers that grow; before and after it there are none.
func TestProgress(t *testing.T) {
	db, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p := &Progress{}
	if p.Percent() != -1 {
		t.Error("progress without a query")
	}
	if err := db.Exec(t.Context(), "CREATE TABLE big AS SELECT range AS i FROM range(3000000)"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(WithProgress(t.Context(), p))
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- db.Exec(ctx, "CREATE TABLE t AS SELECT count(*) AS n FROM big WHERE md5(md5(md5(md5(CAST(i AS VARCHAR))))) LIKE 'a%'")
	}()
	var seen []float64
	for deadline := time.Now().Add(20 * time.Second); len(seen) < 2 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if x := p.Percent(); x > 0 && x <= 100 && (len(seen) == 0 || x > seen[len(seen)-1]) {
			seen = append(seen, x)
		}
	}
	cancel()
	if err := <-done; len(seen) < 2 {
		t.Errorf("progress %v, then %v", seen, err)
	}
	if p.Percent() != -1 {
		t.Error("progress after the query")
	}
}
