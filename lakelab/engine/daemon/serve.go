package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// Service is what the process serves: the engine behind its cell door.
type Service interface {
	// ServeConn answers one connection until it closes. ctx ends when the process stops.
	ServeConn(ctx context.Context, c net.Conn)
	// Idle returns how long nothing has needed the engine: 0 while a session is alive or a request runs.
	Idle() time.Duration
	// Done is closed when a client asked the engine to stop.
	Done() <-chan struct{}
	// TrinoURL is the address of the Trino door.
	TrinoURL() string
	Close() error
}

// Options of Serve.
type Options struct {
	// IdleLimit ends the process after that long without sessions; 0 means never.
	IdleLimit time.Duration
	// Ready gets one JSON line when the engine answers: {"socket":…,"trino":…}.
	Ready io.Writer
}

// Serve runs the engine of a lakehouse until ctx ends, a client stops it, or it has been idle for long enough.
// It returns ErrRunning if another process serves the lakehouse.
func Serve(ctx context.Context, p Paths, opts Options, open func() (Service, error)) error {
	l, lock, err := listen(p)
	if err != nil {
		return err
	}
	defer lock.Close() // last: releases the lakehouse
	defer os.Remove(p.Info)
	defer os.Remove(p.Socket)
	defer l.Close()
	settings, err := config.Load(p.Lakehouse)
	if err != nil {
		return err
	}
	svc, err := open()
	if err != nil {
		return err
	}
	defer svc.Close()
	if err := writeInfo(p, Info{PID: os.Getpid(), Build: Build(), Protocol: wire.Version, Trino: svc.TrinoURL(), Services: settings.String(), Settings: settings.Digest(), Started: time.Now()}); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var conns sync.WaitGroup
	defer func() {
		// Stop accepting before the requests that still run are cancelled and waited for.
		l.Close()
		cancel()
		conns.Wait()
	}()
	go accept(ctx, l, func(c net.Conn) {
		conns.Go(func() {
			defer c.Close()
			svc.ServeConn(ctx, c)
		})
	})
	if opts.Ready != nil {
		if err := json.NewEncoder(opts.Ready).Encode(map[string]string{"socket": p.Socket, "trino": svc.TrinoURL()}); err != nil {
			return err
		}
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
		case <-svc.Done():
		case <-tick.C:
			if opts.IdleLimit == 0 || svc.Idle() < opts.IdleLimit {
				if _, err := os.Stat(p.Lock); !errors.Is(err, os.ErrNotExist) {
					continue
				}
				// The lakehouse was deleted under us: nobody can find this process any more.
			}
		}
		return nil
	}
}

// accept hands on connections until the listener is closed. Any other error passes: the process may be out of file descriptors, say, until
// somebody closes some.
func accept(ctx context.Context, l net.Listener, serve func(net.Conn)) {
	for {
		c, err := l.Accept()
		switch {
		case err == nil:
			serve(c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			select {
			case <-ctx.Done():
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}
