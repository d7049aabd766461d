package duck

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
)

// Who has computed least goes first, and who stops waiting takes no turn along.
func TestTurns(t *testing.T) {
	turns := &turns{free: 1}
	if err := turns.take(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { left <- turns.take(gone, 0) }()
	wait := func(n int) {
		for {
			turns.mu.Lock()
			there := len(turns.waiting)
			turns.mu.Unlock()
			if there == n {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
	wait(1)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var wg sync.WaitGroup
	var order []time.Duration
	for i, used := range []time.Duration{3, 1, 2} {
		wg.Go(func() {
			if err := turns.take(t.Context(), used); err != nil {
				t.Error(err)
			}
			order = append(order, used)
			turns.give()
		})
		wait(i + 1)
	}
	turns.give()
	wg.Wait()
	if fmt.Sprint(order) != "[1ns 2ns 3ns]" || turns.free != 1 || len(turns.waiting) != 0 {
		t.Errorf("order %v, %d free, %d wait", order, turns.free, len(turns.waiting))
	}
}

// A short query among many long ones is answered soon.
func TestShortAmongLong(t *testing.T) {
	db, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for range 200 {
		wg.Go(func() {
			c, err := db.conn(ctx)
			if err != nil {
				return
			}
			defer c.Close()
			if _, err := c.stream(ctx, "SELECT count(*) FROM range(10000000) a(x), range(10000000) b(y) WHERE x * y % 7 = 3"); err == nil || ctx.Err() == nil {
				t.Errorf("a long query ends: %v", err)
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	began := time.Now()
	for range 20 {
		c, err := db.conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.stream(t.Context(), "SELECT 0::BIGINT")
		if err != nil {
			t.Fatal(err)
		}
		numbers(t, s, 1)
		s.Close()
		c.Close()
	}
	took := time.Since(began)
	t.Logf("20 short queries in %v", took)
	if took > 20*time.Second { // 200 threads that compute would need minutes
		t.Errorf("20 short queries took %v", took)
	}
}
