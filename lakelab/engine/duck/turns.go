package duck

import (
	"context"
	"sync"
	"time"
)

// turns lets as many queries compute at once as there are processors to do it, a slice at a time. The one that has computed least so
// far goes first: a short query is answered soon, however many long ones there are. Without it every query would have a thread of the
// operating system compute for it, and a short one among hundreds would get its hundredth part of a processor.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting []*turn
}

// turn is a query that waits.
type turn struct {
	used  time.Duration // what it has computed so far
	given chan struct{}
}

// take waits for a turn. Return it with give.
func (t *turns) take(ctx context.Context, used time.Duration) error {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	w := &turn{used, make(chan struct{})}
	t.waiting = append(t.waiting, w)
	t.mu.Unlock()
	select {
	case <-w.given:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	for i, x := range t.waiting {
		if x == w {
			t.remove(i)
			t.mu.Unlock()
			return ctx.Err()
		}
	}
	t.mu.Unlock()
	t.give() // it came all the same
	return ctx.Err()
}

// give returns a turn.
func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.free++
		return
	}
	least := 0
	for i, w := range t.waiting {
		if w.used < t.waiting[least].used {
			least = i
		}
	}
	close(t.waiting[least].given)
	t.remove(least)
}

// remove takes one out of those that wait, in order: among equals the first has waited longest. The caller holds the lock.
func (t *turns) remove(i int) { t.waiting = append(t.waiting[:i], t.waiting[i+1:]...) }
