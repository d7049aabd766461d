// Package celldoor answers notebook cells: frames of package wire on the engine's unix socket.
//
// A connection begins with hello, which names the session, and then carries one request at a time. The door decodes
// relations and columns (package decode), calls the session (package engine) and renders what the cell shows (packages
// types and render). It knows no SQL of its own.
package celldoor

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// Door serves connections for one engine.
type Door struct {
	engine *engine.Engine
	trino  TrinoClient
	url    string
	build  string       // of this program
	close  func() error // the Trino door
	done   chan struct{}
	once   sync.Once
}

// New makes a door of a program's build. trino runs TrinoQuery statements; url is the address of the Trino door, closed with this
// one by close.
func New(e *engine.Engine, build string, trino TrinoClient, url string, close func() error) *Door {
	return &Door{engine: e, build: build, trino: trino, url: url, close: close, done: make(chan struct{})}
}

// Idle is how long nothing has needed the engine.
func (d *Door) Idle() time.Duration { return d.engine.Idle() }

// Done is closed when a client asked the engine to stop.
func (d *Door) Done() <-chan struct{} { return d.done }

// TrinoURL is the address of the Trino door.
func (d *Door) TrinoURL() string { return d.url }

// Close ends the Trino door and the engine.
func (d *Door) Close() error {
	err := d.close()
	if eerr := d.engine.Close(); err == nil {
		err = eerr
	}
	return err
}

// conn is one connection.
type conn struct {
	door     *Door
	net      net.Conn
	session  *engine.Session
	trino    atomic.Pointer[float64] // how far the running statement is, in percent, as Trino's client is told; nil for the engine's own
	udfs     map[string]*expr.Func   // the cell's functions, by lower-case name
	calls    sync.Mutex
	results  chan map[string]any // answers to calls
	relation []byte              // the running request's, encoded
	// kept is what the running request leaves for the next one, before what the last one left.
	kept, before *kept
}

// ServeConn answers requests until the peer closes the connection or ctx ends.
func (d *Door) ServeConn(ctx context.Context, nc net.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &conn{door: d, net: nc, results: make(chan map[string]any, 1)}
	// request is one with the context that a cancel frame ends. The reader makes it, so that no cancel comes too early.
	type request struct {
		body map[string]any
		ctx  context.Context
		stop context.CancelFunc
	}
	requests := make(chan request)
	go func() {
		current := func() {}
		defer close(requests)
		r := bufio.NewReader(nc)
		for {
			v, err := wire.ReadFrame(r)
			if err != nil {
				cancel()
				return
			}
			req, ok := v.(map[string]any)
			if !ok {
				cancel()
				return
			}
			switch req["op"] {
			case wire.OpCancel:
				current()
				continue
			case wire.OpResult:
				select {
				case c.results <- req:
				default: // nobody waits any more
				}
				continue
			}
			rctx, stop := context.WithCancel(ctx)
			current = stop
			select {
			case requests <- request{req, rctx, stop}:
			case <-ctx.Done():
				stop()
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case req, ok := <-requests:
			if !ok {
				return
			}
			reply := c.answer(engine.WithCell(req.ctx, c), req.body)
			req.stop()
			err := c.send(reply)
			if errors.Is(err, wire.ErrTooLarge) {
				err = c.send(errorReply(errors.New("the result is larger than 64 MiB: ask for fewer rows or columns")))
			}
			if err != nil {
				return
			}
			if req.body["op"] == wire.OpShutdown && reply["stopped"] == true {
				d.once.Do(func() { close(d.done) })
			}
		}
	}
}

func (c *conn) send(v map[string]any) error {
	if err := c.net.SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	return wire.WriteFrame(c.net, v)
}

// answer runs one request; whatever goes wrong becomes an error reply.
func (c *conn) answer(ctx context.Context, req map[string]any) (reply map[string]any) {
	defer func() {
		if p := recover(); p != nil {
			reply = errorReply(fmt.Errorf("internal error: %v\n%s", p, debug.Stack()))
		}
	}()
	op, _ := req["op"].(string)
	h, ok := handlers[op]
	if !ok {
		return errorReply(fmt.Errorf("unknown request %q: the cell library is newer than the engine; run `lakelab engine stop` and restart the kernel", op))
	}
	if c.session == nil && h.session {
		return errorReply(errors.New("the connection has not said hello"))
	}
	c.relation = nil
	if r := req["relation"]; r != nil {
		if b, err := wire.Append(nil, r); err == nil {
			c.relation = b
			ctx = engine.Naming(ctx, string(b))
		}
	}
	r, err := c.run(ctx, h, req)
	if err != nil {
		return errorReply(err)
	}
	if r == nil {
		r = map[string]any{}
	}
	r["t"] = "ok"
	return r
}

// run runs a handler; no progress is sent once it has ended, or panicked.
func (c *conn) run(ctx context.Context, h handler, req map[string]any) (map[string]any, error) {
	c.before, c.kept = c.kept, nil
	ctx, stop := c.progress(ctx, h.slow)
	defer stop()
	r, err := h.run(ctx, c, req)
	if c.session != nil {
		c.session.Remember()
	}
	return r, err
}

// progress sends events while a slow request runs; call the result when it has ended.
func (c *conn) progress(ctx context.Context, slow bool) (_ context.Context, stop func()) {
	if !slow {
		return ctx, func() {}
	}
	p := &duck.Progress{}
	quit := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		t := time.NewTicker(250 * time.Millisecond)
		defer t.Stop()
		for {
			select {
			case <-quit:
				return
			case <-ctx.Done():
				return
			case <-t.C:
				percent := p.Percent()
				if trino := c.trino.Load(); trino != nil {
					percent = *trino
				}
				if c.send(map[string]any{"t": "progress", "percent": percent, "text": ""}) != nil {
					return
				}
			}
		}
	})
	return duck.WithProgress(ctx, p), func() { close(quit); wg.Wait() }
}
