package trinodoor

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// query is one statement from POST to its last page. Pages are made one at a time, when the client asks; the last one is kept,
// because clients ask again after a lost answer.
type query struct {
	id, slug   string
	parametric bool
	stop       context.CancelFunc
	began      time.Time

	ready chan struct{} // closed when the backend has answered

	mu        sync.Mutex
	result    Result
	err       error
	cancelled bool
	finished  bool
	rows      int64
	token     int // of page
	page      map[string]any
	headers   http.Header
	used      time.Time
}

func (q *query) run(ctx context.Context, b Backend, s Session, text string) {
	r, err := b.Execute(ctx, s, text)
	q.mu.Lock()
	q.result, q.err = r, err
	q.mu.Unlock()
	close(q.ready)
}

// cancel ends the query; its next page says so.
func (q *query) cancel() {
	q.stop()
	go func() {
		<-q.ready
		q.mu.Lock()
		defer q.mu.Unlock()
		if !q.finished {
			q.cancelled = true
		}
		q.close()
	}()
}

// close frees the result; the caller holds the lock.
func (q *query) close() {
	if q.result != nil {
		_ = q.result.Close()
		q.result = nil
	}
	q.stop()
}

func (q *query) idle() (time.Duration, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return time.Since(q.used), q.finished
}

func (q *query) next(base string, token int) string {
	return base + "/v1/statement/executing/" + q.id + "/" + q.slug + "/" + strconv.Itoa(token)
}

// head is what every page begins with.
func (q *query) head(base, state, next string) map[string]any {
	elapsed := time.Since(q.began).Milliseconds()
	m := map[string]any{
		"id": q.id, "infoUri": base + "/ui/query.html?" + q.id, "warnings": []any{},
		"stats": map[string]any{
			"state": state, "queued": state == "QUEUED", "scheduled": state != "QUEUED", "nodes": 1, "totalSplits": 1, "queuedSplits": 0,
			"runningSplits": 0, "completedSplits": 0, "cpuTimeMillis": elapsed, "wallTimeMillis": elapsed, "queuedTimeMillis": 0,
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

// page answers GET nextUri.
func (d *Door) page(w http.ResponseWriter, r *http.Request) {
	q := d.find(w, r)
	if q == nil {
		return
	}
	n, err := strconv.Atoi(r.PathValue("token"))
	if err != nil {
		plain(w, http.StatusNotFound, "Error 404 Not Found: Query not found")
		return
	}
	select {
	case <-q.ready:
	case <-time.After(longPoll):
		reply(w, q.head(base(r), "RUNNING", q.next(base(r), n)))
		return
	case <-r.Context().Done():
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used = time.Now()
	switch {
	case q.page != nil && n == q.token:
	case q.page == nil && n == 0, q.page != nil && n == q.token+1 && !q.finished:
		q.page, q.headers = q.make(base(r), n)
		q.token = n
	default:
		plain(w, http.StatusGone, "Error 410 Gone: the page is gone")
		return
	}
	for k, v := range q.headers {
		w.Header()[k] = v
	}
	reply(w, q.page)
}

// make builds the next page; the caller holds the lock.
func (q *query) make(base string, n int) (map[string]any, http.Header) {
	if q.cancelled {
		return q.failed(base, &errclass.Error{Class: "USER_CANCELED", Code: 3, Message: "Query was canceled"}), nil
	}
	if q.err != nil {
		return q.failed(base, q.err), nil
	}
	schema := q.result.Schema()
	rows, err := q.result.Next()
	if err != nil {
		return q.failed(base, err), nil
	}
	update := q.result.UpdateType()
	count, counted := q.result.UpdateCount()
	columns := columnsOf(schema, q.parametric)
	var data []any
	for _, row := range rows {
		data = append(data, jsonRow(schema, row))
	}
	if counted && rows == nil && n == 0 {
		columns = columnsOf(types.StructOf(types.Field{Name: "rows", Type: types.Of(types.Long)}), q.parametric)
		data = []any{[]any{count}}
	}
	q.rows += int64(len(data))
	var page map[string]any
	var headers http.Header
	if rows == nil {
		q.finished = true
		headers = changes(q.result.Changes())
		page = q.head(base, "FINISHED", "")
		q.close()
	} else {
		page = q.head(base, "RUNNING", q.next(base, n+1))
	}
	page["columns"] = columns
	if len(data) > 0 {
		page["data"] = data
	}
	if update != "" {
		page["updateType"] = update
		if counted {
			page["updateCount"] = count
		}
	}
	return page, headers
}

// failed is the last page of a query that failed; the caller holds the lock.
func (q *query) failed(base string, err error) map[string]any {
	q.finished = true
	page := q.head(base, "FAILED", "")
	page["error"] = errorOf(err)
	q.close()
	return page
}

// errorOf is Trino's error object. What has no Trino error of its own is an internal error.
func errorOf(err error) map[string]any {
	name, code, kind, message := "GENERIC_INTERNAL_ERROR", 65536, "INTERNAL_ERROR", err.Error()
	var e *errclass.Error
	isOurs := errors.As(err, &e)
	switch {
	case errors.Is(err, context.Canceled):
		name, code, kind, message = "USER_CANCELED", 3, "USER_ERROR", "Query was canceled"
	case isOurs && e.Code != 0:
		name, code, message = e.Class, e.Code, e.TrinoMessage()
		if code < 65536 {
			kind = "USER_ERROR"
		}
	case isOurs && e.Class == "DIVIDE_BY_ZERO":
		name, code, kind, message = "DIVISION_BY_ZERO", 8, "USER_ERROR", "Division by zero"
	case isOurs && e.Class == "CAST_INVALID_INPUT":
		name, code, kind, message = "INVALID_CAST_ARGUMENT", 9, "USER_ERROR", "Cannot cast "+e.Params["expression"]+" to "+e.Params["targetType"]
	case isOurs && e.Class == "ARITHMETIC_OVERFLOW":
		name, code, kind = "NUMERIC_VALUE_OUT_OF_RANGE", 19, "USER_ERROR"
	}
	failure := map[string]any{"type": "io.trino.spi.TrinoException", "message": message, "suppressed": []any{}, "stack": []any{}}
	out := map[string]any{"message": message, "errorCode": code, "errorName": name, "errorType": kind, "failureInfo": failure}
	if isOurs && e.HasSpan && e.Code != 0 && e.Span.Start.Line > 0 {
		at := map[string]any{"lineNumber": e.Span.Start.Line, "columnNumber": e.Span.Start.Col + 1}
		out["errorLocation"], failure["errorLocation"] = at, at
	}
	return out
}

// changes are the headers that tell the client what became of its session.
func changes(c Changes) http.Header {
	h := http.Header{}
	if c.Catalog != "" {
		h.Set("X-Trino-Set-Catalog", c.Catalog)
	}
	if c.Schema != "" {
		h.Set("X-Trino-Set-Schema", c.Schema)
	}
	for k, v := range c.SetSession {
		h.Add("X-Trino-Set-Session", k+"="+url.QueryEscape(v))
	}
	for _, k := range c.ClearSession {
		h.Add("X-Trino-Clear-Session", k)
	}
	for k, v := range c.AddedPrepare {
		h.Add("X-Trino-Added-Prepare", k+"="+url.QueryEscape(v))
	}
	for _, k := range c.DeallocatedPrepare {
		h.Add("X-Trino-Deallocated-Prepare", k)
	}
	return h
}
