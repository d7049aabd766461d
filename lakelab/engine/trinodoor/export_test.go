package trinodoor

import "time"

// Abandon makes the door end queries that no client has asked for since, and forget the ended ones at once.
func (d *Door) Abandon(after time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.abandonedAfter, d.forgetAfter = after, 0
}

// Queries counts those that the door still knows.
func (d *Door) Queries() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queries)
}
