package trinodoor

import (
	"encoding/json"
	"strconv"
	"time"
)

// queryResults is a page as clients read it. A statement without a result has an empty list of columns, a page that comes
// before the columns are known has none.
type queryResults struct {
	ID          string          `json:"id"`
	InfoURI     string          `json:"infoUri"`
	NextURI     string          `json:"nextUri,omitempty"`
	Columns     []column        `json:"columns,omitzero"`
	Data        json.RawMessage `json:"data,omitempty"`
	Stats       stats           `json:"stats"`
	Error       *queryError     `json:"error,omitempty"`
	Warnings    []struct{}      `json:"warnings"`
	UpdateType  string          `json:"updateType,omitempty"`
	UpdateCount *int64          `json:"updateCount,omitempty"`
}

// stats are Trino's fields as far as they are known here: a statement is one split on one node, its wall time the backend's.
type stats struct {
	State              string  `json:"state"`
	Queued             bool    `json:"queued"`
	Scheduled          bool    `json:"scheduled"`
	ProgressPercentage float64 `json:"progressPercentage"`
	Nodes              int     `json:"nodes"`
	TotalSplits        int     `json:"totalSplits"`
	QueuedSplits       int     `json:"queuedSplits"`
	RunningSplits      int     `json:"runningSplits"`
	CompletedSplits    int     `json:"completedSplits"`
	WallTimeMillis     int64   `json:"wallTimeMillis"`
	QueuedTimeMillis   int64   `json:"queuedTimeMillis"`
	ElapsedTimeMillis  int64   `json:"elapsedTimeMillis"`
	ProcessedRows      int64   `json:"processedRows"`
}

func (q *query) stats(state string, rows int64) stats {
	s := stats{
		State: state, Queued: state == "QUEUED", Scheduled: state != "QUEUED", Nodes: 1, TotalSplits: 1,
		WallTimeMillis: time.Duration(q.worked.Load()).Milliseconds(), ElapsedTimeMillis: time.Since(q.began).Milliseconds(), ProcessedRows: rows,
	}
	switch state {
	case "QUEUED":
		s.QueuedSplits = 1
	case "RUNNING":
		s.RunningSplits, s.ProgressPercentage = 1, q.progress()
	case "FINISHED":
		s.CompletedSplits, s.ProgressPercentage = 1, 100
	}
	return s
}

func (q *query) next(base string, token int) string {
	return base + "/v1/statement/executing/" + q.id + "/" + q.slug + "/" + strconv.Itoa(token)
}

func (q *query) head(base string, s stats) *queryResults {
	return &queryResults{ID: q.id, InfoURI: base + "/v1/query/" + q.id, Stats: s, Warnings: []struct{}{}}
}

// queued answers the POST. It never carries rows: trino-go-client would lose them.
func (q *query) queued(base string) *queryResults {
	out := q.head(base, q.stats("QUEUED", 0))
	out.NextURI = q.next(base, 0)
	return out
}

// waiting is a page without anything new but the columns, as soon as they are known: JDBC hands its result set out then. The client asks
// for n again. The caller holds the lock.
func (q *query) waiting(base string, n int) *queryResults {
	var rows int64
	if q.page != nil {
		rows = q.page.rows
	}
	out := q.head(base, q.stats("RUNNING", rows))
	out.NextURI = q.next(base, n)
	if columns := q.columns.Load(); columns != nil {
		out.Columns = *columns
	}
	return out
}

// results is the page now handed over. The caller holds the lock.
func (q *query) results(base string, c *content) *queryResults {
	out := q.head(base, c.stats)
	out.Columns, out.Data, out.Error, out.UpdateType, out.UpdateCount = c.columns, c.data, c.err, c.update, c.count
	if !c.last {
		out.NextURI = q.next(base, q.token+1)
	}
	return out
}
