package duck

import (
	"context"
	"errors"
	"time"
	_ "unsafe" // for go:linkname

	bindings "github.com/duckdb/duckdb-go-bindings"
	duckdb "github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// rows are what a running query gives, as database/sql's Rows.
type rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close() error
}

// stream is a running query whose rows come as DuckDB makes them; it stops making them while a small buffer of its is full. The
// driver's own rows are all made, and held in memory, before it hands out the first.
//
// Like them it is for one goroutine, but for the context's end.
type stream struct {
	ctx     context.Context
	turns   *turns
	conn    mapping.Connection
	stmt    mapping.PreparedStatement
	res     mapping.Result
	fetched []mapping.DataChunk // not read yet
	ended   bool                // there are no more to fetch
	err     error
	forget  func() // has the driver forget the context

	chunk duckdb.DataChunk // of the row that Scan reads
	held  mapping.DataChunk
	row   int
}

// A query fails as a whole, without a row, if it does so within that many chunks (of 2,048 rows) or that time: it can be run again
// then, carefully.
const (
	aheadChunks = 8
	aheadTime   = 250 * time.Millisecond
)

// stream starts a query. The connection is for it alone until Close.
func (c *conn) stream(ctx context.Context, query string) (*stream, error) {
	s := &stream{ctx: ctx, turns: c.turns}
	if err := c.Raw(func(d any) error {
		h := handle(d)
		if h == nil {
			return errors.New("DuckDB's driver keeps its connection elsewhere")
		}
		s.conn, s.forget = *h, setContext(d.(*duckdb.Conn), ctx)
		return nil
	}); err != nil {
		return nil, err
	}
	if s.err = s.start(query); s.err == nil {
		for began := time.Now(); len(s.fetched) < aheadChunks && time.Since(began) < aheadTime && s.fetch(); {
		}
	}
	if s.err != nil {
		return nil, errors.Join(s.err, s.Close())
	}
	return s, nil
}

// start prepares the query and lets it run until its first rows are there.
func (s *stream) start(query string) (err error) {
	return s.interruptible(func() error {
		var pending mapping.PendingResult
		defer func() { mapping.DestroyPending(&pending) }()
		if err := s.prepare(query, &pending); err != nil {
			return err
		}
		if err := s.compute(pending); err != nil {
			return err
		}
		if mapping.ExecutePending(pending, &s.res) == mapping.StateError {
			return errors.New(mapping.ResultError(&s.res))
		}
		return nil
	})
}

// prepare plans the query, in a turn of its own.
func (s *stream) prepare(query string, pending *mapping.PendingResult) error {
	if err := s.turns.take(s.ctx, 0); err != nil {
		return err
	}
	defer s.turns.give()
	if mapping.Prepare(s.conn, query, &s.stmt) == mapping.StateError {
		return errors.New(mapping.PrepareError(s.stmt))
	}
	// Deprecated, but DuckDB has no other way to a result that it does not hold in memory.
	if bindings.PendingPreparedStreaming(s.stmt, pending) == mapping.StateError {
		return errors.New(mapping.PendingError(*pending))
	}
	return nil
}

// noTasks bounds the pauses of a query whose work others do.
const noTasks = time.Millisecond

// compute lets the query compute, one turn after another, until it has failed or its first rows are there.
func (s *stream) compute(pending mapping.PendingResult) error {
	var used, pause time.Duration
	for {
		if err := s.turns.take(s.ctx, used); err != nil {
			return err
		}
		began := time.Now()
		state := mapping.PendingExecuteTask(pending)
		used += time.Since(began)
		s.turns.give()
		switch {
		case state == mapping.PendingStateError:
			return errors.New(mapping.PendingError(pending))
		case mapping.PendingExecutionIsFinished(state):
			return nil
		case state == mapping.PendingStateNoTasksAvailable: // DuckDB's own threads are at it
			time.Sleep(pause)
			pause = min(pause+noTasks/20, noTasks)
		default:
			pause = 0
		}
	}
}

// fetch asks for the next chunk; false if there is none, at the end or after an error.
func (s *stream) fetch() bool {
	if s.ended || s.err != nil {
		return false
	}
	var chunk mapping.DataChunk
	err := s.interruptible(func() error {
		if chunk = mapping.FetchChunk(s.res); chunk.Ptr == nil {
			s.ended = true
			if text := mapping.ResultError(&s.res); text != "" {
				return errors.New(text)
			}
		}
		return nil
	})
	if s.err = err; err != nil || s.ended {
		return false
	}
	s.fetched = append(s.fetched, chunk)
	return true
}

// interruptAgain is how often a query that goes on is interrupted: DuckDB forgets an interrupt when it begins with a statement.
const interruptAgain = 50 * time.Millisecond

// interruptible runs what calls DuckDB, and interrupts it when the context ends.
func (s *stream) interruptible(call func() error) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	return s.interrupted(s.ctx, call)
}

// interrupted runs what calls DuckDB, and interrupts it for as long as it goes on after the context's end.
func (s *stream) interrupted(ctx context.Context, call func() error) error {
	returned, done := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		for {
			mapping.Interrupt(s.conn)
			select {
			case <-returned:
				return
			case <-time.After(interruptAgain):
			}
		}
	})
	err := call()
	close(returned)
	if !stop() {
		<-done // else it could meet the connection's next query
	}
	return err
}

// Next goes to the next row.
func (s *stream) Next() bool {
	for s.row++; s.held.Ptr == nil || s.row >= s.chunk.GetSize(); s.row = 0 {
		s.release()
		if len(s.fetched) == 0 && !s.fetch() {
			return false
		}
		s.held, s.fetched = s.fetched[0], s.fetched[1:]
		if err := initChunk(&s.chunk, s.held, false); err != nil {
			s.err = err
			return false
		}
	}
	return true
}

// Scan puts the row's values where dest points to, each a *any.
func (s *stream) Scan(dest ...any) error {
	for i, d := range dest {
		v, err := s.chunk.GetValue(i, s.row)
		if err != nil {
			return err
		}
		*d.(*any) = v
	}
	return nil
}

// Err is what ended the rows, if that was not their end.
func (s *stream) Err() error { return s.err }

// release frees the chunk that was read.
func (s *stream) release() {
	if s.held.Ptr != nil {
		mapping.DestroyDataChunk(&s.held)
	}
}

// Close ends the query and frees what it holds. It may be called again.
func (s *stream) Close() error {
	s.release()
	for i := range s.fetched {
		mapping.DestroyDataChunk(&s.fetched[i])
	}
	s.fetched = nil
	defer s.forget()
	if s.stmt.Ptr == nil {
		return nil
	}
	if !s.ended { // freeing may take a while: hundreds of queries that were abandoned do it one after the other
		if err := s.turns.take(context.Background(), 0); err != nil {
			return err
		}
		defer s.turns.give()
	}
	mapping.DestroyResult(&s.res)
	mapping.DestroyPrepare(&s.stmt)
	if s.ended {
		return nil
	}
	s.ended = true
	// DuckDB ends a query whose rows were not all fetched when the connection is used again, not before. That statement may well fail by
	// the interrupts that end the query.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return s.interrupted(ctx, func() error {
		var res mapping.Result
		defer mapping.DestroyResult(&res)
		mapping.Query(s.conn, "SELECT 1", &res)
		return nil
	})
}

// initChunk lets a driver's chunk read DuckDB's, as its rows do.
//
//go:linkname initChunk github.com/duckdb/duckdb-go/v2.(*DataChunk).initFromDuckDataChunk
func initChunk(chunk *duckdb.DataChunk, from mapping.DataChunk, writable bool) error

// setContext notes with the driver what context a connection's statements have: functions in Go ask for it (udf.Executor). What it returns
// has the driver forget it.
//
//go:linkname setContext github.com/duckdb/duckdb-go/v2.(*Conn).setContext
func setContext(c *duckdb.Conn, ctx context.Context) func()
