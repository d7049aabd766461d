package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/trino"
	"mini-lakehouse-lab/lakelab/types"
)

// trinoBackend runs what comes through the Trino door. Trino's sessions live in the client's headers, so each statement
// gets a session of its own.
type trinoBackend struct{ engine *Engine }

// Trino is the engine as the Trino door sees it.
func (e *Engine) Trino() trino.Backend { return trinoBackend{e} }

// Execute runs a statement in a session made of the client's headers.
func (b trinoBackend) Execute(ctx context.Context, ts trino.Session, text string) (result trino.Result, err error) {
	s := b.engine.Session("", "trino", "")
	s.catalog, s.namespace = strings.ToLower(ts.Catalog), strings.ToLower(ts.Schema)
	s.trino = trinoState{user: ts.User, path: ts.Path, followsPath: ts.FollowsPath, properties: ts.Properties, prepared: ts.Prepared, transaction: ts.Transaction, url: ts.URL, queries: ts.Queries, streams: true}
	if err := s.checkProperties(); err != nil {
		return nil, err
	}
	if ts.Path != "" {
		if err := sql.CheckPath(ts.Path); err != nil {
			return nil, errclass.InText(err, ts.Path)
		}
	}
	zone := ts.TimeZone
	if z := s.trino.properties[timeZoneProperty]; z != "" {
		zone = z
	}
	if zone != "" {
		if err := s.trinoZone(zone); err != nil {
			return nil, err
		}
	}
	var timers []*time.Timer
	for _, l := range s.timeLimits() {
		timers = append(timers, time.AfterFunc(l.after, func() { ts.Fail(l.err) }))
	}
	stop := func() {
		for _, t := range timers {
			t.Stop()
		}
	}
	progress := &duck.Progress{}
	ctx = duck.WithProgress(ctx, progress)
	ts.Follow(progress.Percent)
	out := &trinoResult{session: s, text: text, done: b.engine.busy(), ctx: ctx, stop: stop}
	defer func() {
		if result == nil { // it failed, or panicked, which the door makes an internal error
			out.end()
		}
	}()
	if out.result, err = s.Execute(ctx, sql.Trino, text, plan.Params{}); err != nil {
		return nil, errclass.InText(out.failed(err), text)
	}
	return out, nil
}

type trinoResult struct {
	session *Session
	result  *Result
	text    string
	rows    Rows            // nil until they are asked for: the columns are told before
	ctx     context.Context // its cause is why it was killed
	done    func()          // no longer busy
	stop    func()
}

// failed notes in the transaction, if there is one, that a running query has failed, and says why if somebody made it fail.
func (r *trinoResult) failed(err error) error {
	if err != nil && r.result != nil { // without a result the statement did not get that far
		r.session.abort()
	}
	var killed *errclass.Error
	if err != nil && errors.As(context.Cause(r.ctx), &killed) {
		return killed
	}
	return err
}

func (r *trinoResult) end() {
	if r.done != nil {
		r.done()
		r.stop()
		r.done = nil
	}
}

func (r *trinoResult) Schema() types.Type { return r.result.Schema }
func (r *trinoResult) UpdateType() string { return r.result.UpdateType }
func (r *trinoResult) Next() ([][]any, error) {
	if r.rows == nil {
		rows, err := r.session.Open(r.ctx, r.result)
		if err != nil {
			return nil, errclass.InText(r.failed(err), r.text)
		}
		r.rows = rows
	}
	rows, err := r.rows.Next()
	return rows, r.failed(err)
}
func (r *trinoResult) UpdateCount() (int64, bool) {
	return r.result.UpdateCount, r.result.UpdateCount >= 0
}

func (r *trinoResult) Changes() trino.Changes { return r.result.Changes }

func (r *trinoResult) Close() error {
	defer r.end()
	if r.rows == nil {
		return nil
	}
	return r.rows.Close()
}
