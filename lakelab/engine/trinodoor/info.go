package trinodoor

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/trino"
)

// queryInfo is what GET /v1/query tells of each query and GET of infoUri of one: Trino's fields as far as they are known here.
type queryInfo struct {
	QueryID       string       `json:"queryId"`
	Session       infoSession  `json:"session"`
	ResourceGroup []string     `json:"resourceGroupId"`
	State         string       `json:"state"`
	Scheduled     bool         `json:"scheduled"`
	Self          string       `json:"self"`
	Query         string       `json:"query"`
	Stats         infoStats    `json:"queryStats"`
	FailureInfo   *infoFailure `json:"failureInfo,omitempty"`
	ErrorType     string       `json:"errorType,omitempty"`
	ErrorCode     *infoError   `json:"errorCode,omitempty"`
}

type infoSession struct {
	User    string `json:"user"`
	Source  string `json:"source,omitempty"`
	Catalog string `json:"catalog,omitempty"`
	Schema  string `json:"schema,omitempty"`
}

type infoStats struct {
	Created   string `json:"createTime"`
	Started   string `json:"executionStartTime,omitempty"`
	Heartbeat string `json:"lastHeartbeat"`
	Ended     string `json:"endTime,omitempty"`
	Queued    string `json:"queuedTime"`
	Elapsed   string `json:"elapsedTime"`
	Execution string `json:"executionTime"`
}

type infoFailure struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

type infoError struct {
	Code int    `json:"code"`
	Name string `json:"name"`
	Type string `json:"type"`
}

// infoOf describes a query that is reached at an address.
func infoOf(q trino.Query, base string) queryInfo {
	out := queryInfo{
		QueryID: q.ID, Session: infoSession{q.User, q.Source, q.Catalog, q.Schema}, ResourceGroup: []string{"global"}, State: q.State,
		Scheduled: !q.Started.IsZero(), Self: base + "/v1/query/" + q.ID, Query: q.Text,
	}
	end := time.Now()
	if q.Done() {
		end = q.Ended
	}
	started := q.Started
	if started.IsZero() {
		started = end
	}
	out.Stats = infoStats{
		Created: instant(q.Created), Started: instant(q.Started), Heartbeat: instant(q.Seen), Ended: instant(q.Ended),
		Queued: trino.Duration(started.Sub(q.Created)), Elapsed: trino.Duration(end.Sub(q.Created)), Execution: trino.Duration(end.Sub(started)),
	}
	if f := q.Failure; f != nil {
		out.FailureInfo = &infoFailure{"io.trino.spi.TrinoException", f.Message}
		out.ErrorType, out.ErrorCode = f.Type, &infoError{f.Code, f.Name, f.Type}
	}
	return out
}

// instant is a time as Trino's JSON has it; empty for none.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// queryList answers GET /v1/query: all queries that are known, or those of a state (?state=FAILED).
func (d *Door) queryList(w http.ResponseWriter, r *http.Request) {
	if _, ok := d.guard.user(w, r); !ok {
		return
	}
	states := r.URL.Query()["state"]
	for i, s := range states {
		states[i] = strings.ToUpper(s)
	}
	out := []queryInfo{}
	for _, q := range d.history.All() {
		if len(states) == 0 || slices.Contains(states, q.State) {
			out = append(out, infoOf(q, base(r)))
		}
	}
	reply(w, out)
}

// queryInfo tells what infoUri promises, for as long as the query is remembered.
func (d *Door) queryInfo(w http.ResponseWriter, r *http.Request) {
	_, ok := d.guard.user(w, r)
	q, known := d.history.Find(r.PathValue("id"))
	switch {
	case !ok:
	case !known:
		gone(w)
	default:
		reply(w, infoOf(q, base(r)))
	}
}
