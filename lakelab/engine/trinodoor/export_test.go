package trinodoor

import "time"

// Abandon makes the door end queries that no client has asked for since, and forget the ended ones at once.
func (d *Door) Abandon(after time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.abandonedAfter, d.forgetAfter = after, 0
}

// Forget makes the door forget the queries that have ended.
func (d *Door) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, q := range d.queries {
		if q.finished.Load() {
			delete(d.queries, id)
		}
	}
}

// Queries counts those that the door still knows.
func (d *Door) Queries() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queries)
}
