package trinodoor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"mini-lakehouse-lab/lakelab/engine/trino"
	"mini-lakehouse-lab/lakelab/types"
)

// query is one statement from POST to its last page. A goroutine of its own runs it and makes one page ahead, which it hands
// over when the client asks; the last one handed over is kept, because clients ask again after a lost answer.
type query struct {
	history    *trino.Queries
	id, slug   string
	user       string
	parametric bool
	pageBytes  int
	stop       context.CancelFunc
	stopped    <-chan struct{} // closed by stop
	began      time.Time
	made       chan content
	failed     chan struct{} // closed by fail

	cancelled atomic.Bool
	finished  atomic.Bool  // the last page is handed over
	used      atomic.Int64 // when the client asked last, in Unix nanoseconds
	worked    atomic.Int64 // nanoseconds that the backend took
	percent   atomic.Pointer[func() float64]
	failure   atomic.Pointer[queryError] // that it was made to fail with
	columns   atomic.Pointer[[]column]   // of rows that are being made; nil until they are known

	mu       sync.Mutex // held while a page is awaited
	furthest float64    // the most that progress said
	token    int        // of page
	page     *content
}

// content is what a page carries, but for the addresses: those hang on how the client reached us.
type content struct {
	columns []column
	data    json.RawMessage // nil without rows
	rows    int64           // of the query until here
	err     *queryError
	last    bool
	update  string
	count   *int64
	headers http.Header
	stats   stats // from when it was handed over
}

// A page ends when it has that many bytes of rows (Trino's own target), or when rows are at hand and making it took so long.
const (
	pageBytes = 1 << 20
	pageTime  = 500 * time.Millisecond
)

// run executes the statement until it ends or the query is stopped. It alone touches the result, and frees it.
// The context may end before the query is stopped: it was made to fail.
func (q *query) run(ctx context.Context, b Backend, s Session, text string) {
	q.history.Start(q.id)
	give := func(c content) bool {
		select {
		case q.made <- c:
			return true
		case <-q.stopped:
			return false
		}
	}
	var r Result
	err := q.work(func() (err error) {
		r, err = b.Execute(ctx, s, text)
		return err
	})
	if err != nil {
		give(content{err: errorOf(err), last: true})
		return
	}
	closed := false
	free := func() (err error) {
		if closed {
			return nil
		}
		closed = true
		defer recovered(&err)
		return r.Close()
	}
	defer func() { _ = free() }()
	if schema := r.Schema(); len(schema.Fields) > 0 && r.UpdateType() == "" {
		known := columnsOf(schema, q.parametric)
		q.columns.Store(&known)
	}
	in := source{query: q, result: r, enc: encoder{parametric: q.parametric}}
	for {
		c, err := in.fill()
		if c.last && err == nil {
			// A client that saw the last page may drop the table at once: nothing of the result may still hold it.
			c.headers = changes(r.Changes())
			err = free()
		}
		if err != nil {
			c = content{err: errorOf(err), rows: in.rows, last: true}
		}
		if !give(c) || c.last {
			return
		}
	}
}

// work measures the backend's time.
func (q *query) work(f func() error) (err error) {
	began := time.Now()
	defer func() { q.worked.Add(int64(time.Since(began))) }()
	defer recovered(&err)
	return f()
}

// recovered makes a panic the failure of one query, not of the engine, whose log gets the stack. Defer it.
func recovered(err *error) {
	if p := recover(); p != nil {
		fmt.Fprintf(os.Stderr, "panic: %v\n%s", p, debug.Stack())
		*err = fmt.Errorf("internal error: %v", p)
	}
}

// source turns a result into pages: batches are put together, large ones divided.
type source struct {
	query  *query
	result Result
	enc    encoder
	rest   [][]any // of the last batch
	rows   int64
}

// fill makes the next page.
func (s *source) fill() (c content, err error) {
	defer recovered(&err)
	schema := s.result.Schema()
	c = content{columns: columnsOf(schema, s.query.parametric), update: s.result.UpdateType()}
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	began := time.Now()
	for data.Len() < s.query.pageBytes && (data.Len() == 0 || time.Since(began) < pageTime) {
		if len(s.rest) == 0 {
			err := s.query.work(func() (err error) {
				s.rest, err = s.result.Next()
				return err
			})
			if err != nil {
				return c, err
			}
			if s.rest == nil {
				c.last = true
				break
			}
			continue
		}
		row := s.enc.row(schema, s.rest[0])
		s.rest = s.rest[1:]
		if s.enc.err != nil {
			return c, s.enc.err
		}
		data.WriteByte(separator(data.Len()))
		if err := enc.Encode(row); err != nil {
			return c, err
		}
		s.rows++
	}
	if n, counted := s.result.UpdateCount(); counted {
		c.count = &n
		if c.last && s.rows == 0 {
			c.columns = columnsOf(types.StructOf(types.Field{Name: "rows", Type: types.Of(types.Long)}), s.query.parametric)
			data.WriteString("[[" + strconv.FormatInt(n, 10) + "]")
			s.rows++
		}
	}
	if data.Len() > 0 {
		data.WriteByte(']')
		c.data = data.Bytes()
	}
	c.rows = s.rows
	return c, nil
}

// separator opens the list of rows, or divides them.
func separator(before int) byte {
	if before == 0 {
		return '['
	}
	return ','
}

// follow takes what tells the backend's progress.
func (q *query) follow(percent func() float64) { q.percent.Store(&percent) }

// progress is how far the backend is, from 0 to 100. It never goes back, though a statement may be several queries to the backend.
// The caller holds the lock.
func (q *query) progress() float64 {
	if f := q.percent.Load(); f != nil {
		q.furthest = max(q.furthest, min((*f)(), 100))
	}
	return q.furthest
}

// cancel ends the query; its next page says so. The rows that it kept are let go of: who cancels does not ask for them again.
func (q *query) cancel() {
	q.history.End(q.id, failureOf(cancelled))
	q.cancelled.Store(true)
	q.stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.page != nil && !q.page.last {
		kept := *q.page
		kept.data = nil
		q.page = &kept
	}
}

// fail ends the query with an error, of which its client is told at once: what works for it may take a while to notice. The first error
// counts, and none after the query's end.
func (q *query) fail(why error) {
	e := errorOf(why)
	if !q.finished.Load() && q.failure.CompareAndSwap(nil, e) {
		q.history.End(q.id, failureOf(e))
		close(q.failed)
	}
}

// touch notes that the client is there.
func (q *query) touch() {
	q.used.Store(time.Now().UnixNano())
	q.history.Touch(q.id)
}

// idle is for how long the client has not asked.
func (q *query) idle() time.Duration { return time.Since(time.Unix(0, q.used.Load())) }

// longPoll bounds how long a page waits for the backend.
const longPoll = time.Second

// where says whether a page can be had.
type where int

const (
	here   where = iota
	past         // not any more
	future       // not yet, or never
)

// answer is page n, new or kept. Without a page in time there is one that sends the client here again. A client that went away gets
// nothing.
func (q *query) answer(ctx context.Context, base string, n int) (*queryResults, http.Header, where) {
	q.touch()
	q.mu.Lock()
	defer q.mu.Unlock()
	defer q.touch()
	switch {
	case q.page != nil && n == q.token:
		return q.results(base, q.page), q.page.headers, here
	case q.page != nil && n >= 0 && n < q.token:
		return nil, nil, past
	case q.page == nil && n != 0, q.page != nil && (n != q.token+1 || q.finished.Load()):
		return nil, nil, future
	}
	var c content
	timeout := time.NewTimer(longPoll)
	defer timeout.Stop()
	select {
	case <-q.stopped:
	case <-q.failed:
	case c = <-q.made:
	case <-timeout.C:
		return q.waiting(base, n), nil, here
	case <-ctx.Done():
		return nil, nil, here
	}
	switch failure := q.failure.Load(); {
	case q.cancelled.Load():
		c = content{err: cancelled, last: true}
	case failure != nil:
		c = content{err: failure, last: true}
	}
	switch {
	case c.err != nil:
		c.stats = q.stats("FAILED", c.rows)
	case c.last:
		c.stats = q.stats("FINISHED", c.rows)
	default:
		c.stats = q.stats("RUNNING", c.rows)
	}
	if c.last {
		q.history.End(q.id, failureOf(c.err))
		q.finished.Store(true)
		q.stop()
	}
	q.page, q.token = &c, n
	return q.results(base, q.page), c.headers, here
}
