package trino

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Queries are a door's statements: those that run, and of those that have ended the last ones. The door keeps them; system.runtime.queries
// and GET /v1/query show them.
//
// Of those that have ended, as many are kept as Trino keeps (query.max-history), and all of the last minutes (query.min-expire-age). In
// those minutes a program can run more than a shell's user ever could: there is a bound on their number and on the length of their
// texts, which Trino does not have.
type Queries struct {
	mu      sync.Mutex
	running map[string]*Query
	ended   []*Query // the one that ended first is the first
	texts   int      // the bytes of their texts
}

// What is kept of the queries that have ended.
const (
	historyLeast = 100
	historyAge   = 15 * time.Minute
	historyMost  = 2_000
	historyTexts = 4 << 20
)

// The states of a query, by Trino's names.
const (
	Queued   = "QUEUED"
	Running  = "RUNNING"
	Finished = "FINISHED"
	Failed   = "FAILED"
)

// Query is what is known of a statement.
type Query struct {
	ID, User, Source, Catalog, Schema, Text string
	State                                   string
	// Created is when it came, Started when it began to run, Seen when its client asked last, Ended when it had ended.
	Created, Started, Seen, Ended time.Time
	Failure                       *Failure

	kill func(error)
}

// Failure is why a query failed: Trino's error, whose type is such as USER_ERROR.
type Failure struct {
	Code                int
	Name, Type, Message string
}

// Done reports whether the query has ended.
func (q *Query) Done() bool { return !q.Ended.IsZero() }

// size is the bytes of its texts.
func (q *Query) size() int {
	n := len(q.Text)
	if q.Failure != nil {
		n += len(q.Failure.Message)
	}
	return n
}

// Begin notes a new query; kill must end it with an error.
func (l *Queries) Begin(q Query, kill func(error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q.State, q.Created, q.kill = Queued, time.Now(), kill
	q.Seen = q.Created
	if l.running == nil {
		l.running = map[string]*Query{}
	}
	l.running[q.ID] = &q
}

// Start notes that a query begins to run.
func (l *Queries) Start(id string) {
	l.change(id, func(q *Query) { q.State, q.Started = Running, time.Now() })
}

// Touch notes that a query's client has asked.
func (l *Queries) Touch(id string) { l.change(id, func(q *Query) { q.Seen = time.Now() }) }

// change changes a query, unless it has ended.
func (l *Queries) change(id string, f func(*Query)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q := l.running[id]; q != nil {
		f(q)
	}
}

// End notes that a query has ended, and forgets what is too old. Only the first End of a query counts.
func (l *Queries) End(id string, why *Failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.running[id]
	if q == nil {
		return
	}
	delete(l.running, id)
	q.State, q.Failure, q.Ended, q.kill = Finished, why, time.Now(), nil
	q.Seen = q.Ended
	if why != nil {
		q.State = Failed
	}
	l.ended = append(l.ended, q)
	l.texts += q.size()
	n := 0
	for ; n < len(l.ended)-1; n++ {
		kept, old := len(l.ended)-n, l.ended[n]
		if l.texts <= historyTexts && kept <= historyMost && (kept <= historyLeast || time.Since(old.Ended) < historyAge) {
			break
		}
		l.texts -= old.size()
	}
	if n > 0 {
		l.ended = slices.Delete(l.ended, 0, n)
	}
}

// Kill ends a running query with an error: it has failed at once, whatever still works for it. It returns the query as it was, and false
// if none of that id is known.
func (l *Queries) Kill(id string, why error) (Query, bool) {
	q, ok := l.Find(id)
	if ok && q.kill != nil {
		q.kill(why)
	}
	return q, ok
}

// Find returns a query by its id.
func (l *Queries) Find(id string) (Query, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q := l.running[id]; q != nil {
		return *q, true
	}
	for _, q := range slices.Backward(l.ended) {
		if q.ID == id {
			return *q, true
		}
	}
	return Query{}, false
}

// All are the queries in the order in which they came.
func (l *Queries) All() []Query {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Query
	for _, q := range l.ended {
		out = append(out, *q)
	}
	for _, q := range l.running {
		out = append(out, *q)
	}
	slices.SortFunc(out, func(a, b Query) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	return out
}
