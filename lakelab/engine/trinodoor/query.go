package trinodoor

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// query is one statement from POST to its last page. A goroutine of its own runs it and hands over one batch at a time, when
// the client asks for the next page; the last page is kept, because clients ask again after a lost answer.
type query struct {
	id, slug   string
	parametric bool
	stop       context.CancelFunc
	stopped    <-chan struct{} // closed by stop
	began      time.Time
	batches    chan batch

	cancelled atomic.Bool
	finished  atomic.Bool  // the last page is made
	used      atomic.Int64 // when the client asked last, in Unix nanoseconds

	mu      sync.Mutex // held while a page is awaited and made
	rows    int64
	token   int // of page
	page    map[string]any
	headers http.Header
}

// batch is what the backend gives at a time: some rows, an error, or the end.
type batch struct {
	schema  types.Type
	rows    [][]any
	err     error
	end     bool
	changes Changes
	update  string
	count   int64
	counted bool
}

// run executes the statement until it ends or the query is stopped. It alone touches the result, and frees it.
func (q *query) run(ctx context.Context, b Backend, s Session, text string) {
	give := func(b batch) bool {
		select {
		case q.batches <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	r, err := b.Execute(ctx, s, text)
	if err != nil {
		give(batch{err: err})
		return
	}
	closed := false
	free := func() error {
		if closed {
			return nil
		}
		closed = true
		return r.Close()
	}
	defer func() { _ = free() }()
	for {
		rows, err := r.Next()
		if err != nil {
			give(batch{err: err})
			return
		}
		out := batch{schema: r.Schema(), rows: rows, end: rows == nil, update: r.UpdateType()}
		out.count, out.counted = r.UpdateCount()
		if out.end {
			out.changes = r.Changes()
			// A client that saw the last page may drop the table at once: nothing of the result may still hold it.
			if out.err = free(); out.err != nil {
				out.end = false
			}
		}
		if !give(out) || out.end || out.err != nil {
			return
		}
	}
}

// cancel ends the query; its next page says so.
func (q *query) cancel() {
	q.cancelled.Store(true)
	q.stop()
}

// touch notes that the client is there.
func (q *query) touch() { q.used.Store(time.Now().UnixNano()) }

// idle is for how long the client has not asked.
func (q *query) idle() time.Duration { return time.Since(time.Unix(0, q.used.Load())) }

func (q *query) next(base string, token int) string {
	return base + "/v1/statement/executing/" + q.id + "/" + q.slug + "/" + strconv.Itoa(token)
}

// head is what every page begins with.
func (q *query) head(base, state, next string) map[string]any {
	elapsed := time.Since(q.began).Milliseconds()
	done := 0
	if state == "FINISHED" {
		done = 1
	}
	m := map[string]any{
		"id": q.id, "infoUri": base + "/ui/query.html?" + q.id, "warnings": []any{},
		"stats": map[string]any{
			"state": state, "queued": state == "QUEUED", "scheduled": state != "QUEUED", "nodes": 1, "totalSplits": 1, "queuedSplits": 0,
			"runningSplits": 1 - done, "completedSplits": done, "cpuTimeMillis": elapsed, "wallTimeMillis": elapsed, "queuedTimeMillis": 0,
			"elapsedTimeMillis": elapsed, "processedRows": q.rows, "processedBytes": 0, "physicalInputBytes": 0, "peakMemoryBytes": 0, "spilledBytes": 0,
		},
	}
	if next != "" {
		m["nextUri"] = next
	}
	return m
}

// longPoll bounds how long a page waits for the backend.
const longPoll = time.Second

// answer is page n, made or kept. Without a page in time there is one that sends the client here again; gone says that the
// page can't be had any more, or not yet. A client that went away gets nothing.
func (q *query) answer(ctx context.Context, base string, n int) (page map[string]any, headers http.Header, gone bool) {
	q.touch()
	q.mu.Lock()
	defer q.mu.Unlock()
	defer q.touch()
	switch {
	case q.page != nil && n == q.token:
		return q.page, q.headers, false
	case q.page == nil && n != 0, q.page != nil && (n != q.token+1 || q.finished.Load()):
		return nil, nil, true
	}
	var b batch
	timeout := time.NewTimer(longPoll)
	defer timeout.Stop()
	select {
	case <-q.stopped:
	case b = <-q.batches:
	case <-timeout.C:
		return q.head(base, "RUNNING", q.next(base, n)), nil, false
	case <-ctx.Done():
		return nil, nil, false
	}
	if q.cancelled.Load() {
		b = batch{err: &errclass.Error{Exception: "TrinoUserError", Class: "USER_CANCELED", Code: 3, Message: "Query was canceled"}}
	}
	q.page, q.headers = q.make(b, base, n)
	q.token = n
	return q.page, q.headers, false
}

// make builds a page from a batch.
func (q *query) make(b batch, base string, n int) (map[string]any, http.Header) {
	if b.err != nil {
		return q.failed(base, b.err), nil
	}
	columns := columnsOf(b.schema, q.parametric)
	enc := encoder{parametric: q.parametric}
	data := make([]any, 0, len(b.rows))
	for _, row := range b.rows {
		data = append(data, enc.row(b.schema, row))
	}
	if enc.err != nil {
		q.stop()
		return q.failed(base, enc.err), nil
	}
	if b.counted && b.end && n == 0 {
		columns = columnsOf(types.StructOf(types.Field{Name: "rows", Type: types.Of(types.Long)}), q.parametric)
		data = append(data, []any{b.count})
	}
	q.rows += int64(len(data))
	var page map[string]any
	var headers http.Header
	if b.end {
		page, headers = q.head(base, "FINISHED", ""), changes(b.changes)
		q.finished.Store(true)
		q.stop()
	} else {
		page = q.head(base, "RUNNING", q.next(base, n+1))
	}
	page["columns"] = columns
	if len(data) > 0 {
		page["data"] = data
	}
	if b.update != "" {
		page["updateType"] = b.update
		if b.counted {
			page["updateCount"] = b.count
		}
	}
	return page, headers
}

// failed is the last page of a query that failed.
func (q *query) failed(base string, err error) map[string]any {
	page := q.head(base, "FAILED", "")
	page["error"] = errorOf(err)
	q.finished.Store(true)
	q.stop()
	return page
}
