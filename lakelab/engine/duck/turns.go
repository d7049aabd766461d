package duck

import (
	"context"
	"slices"
	"sync"
	"time"
)

// turns lets as many queries compute at once as there are processors to do it, a slice at a time. The one that has computed least so
// far goes first: a short query is answered soon, however many long ones there are. Without it every query would have a thread of the
// operating system compute for it, and a short one among hundreds would get its hundredth part of a processor.
type turns struct {
	mu      sync.Mutex
	free    int // below 0: so many more compute than there should
	waiting []*turn
	given   time.Time // when the last turn was given or taken
}

// stuck is after how long without a change another one may compute: a slice is milliseconds, but for functions that take their time for
// a single row, and nothing else would be answered for as long.
const stuck = 200 * time.Millisecond

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
		t.given = time.Now()
		t.mu.Unlock()
		return nil
	}
	w := &turn{used, make(chan struct{})}
	t.waiting = append(t.waiting, w)
	t.mu.Unlock()
	patience := time.NewTicker(stuck)
	defer patience.Stop()
	for {
		select {
		case <-w.given:
			return nil
		case <-patience.C:
			t.unstick()
			continue
		case <-ctx.Done():
		}
		break
	}
	t.mu.Lock()
	if i := slices.Index(t.waiting, w); i >= 0 {
		t.remove(i)
		t.mu.Unlock()
		return ctx.Err()
	}
	t.mu.Unlock()
	t.give() // it came all the same
	return ctx.Err()
}

// unstick lets one more compute if nobody has finished a slice for long.
func (t *turns) unstick() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) > 0 && time.Since(t.given) >= stuck {
		t.free--
		t.next()
	}
}

// give returns a turn.
func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 || t.free < 0 {
		t.free++
		t.given = time.Now()
		return
	}
	t.next()
}

// next gives the turn to one that waits. The caller holds the lock.
func (t *turns) next() {
	t.given = time.Now()
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
