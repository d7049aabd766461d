package jupyter

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/transport"
)

// zmq4 shakes hands inside its accept loop without a deadline, so one silent connection would lock out every later client,
// and a publisher writes to its subscribers one after another, so one stopped subscriber would freeze all. The transports
// here hand a connection on only after its greeting has begun, and limit the handshake and every write.
const (
	greetingSize     = 64
	handshakeTimeout = 3 * time.Second
	writeStall       = 30 * time.Second
)

func init() {
	for name, network := range map[string]string{"jtcp": "tcp", "jipc": "unix"} {
		if err := zmq4.RegisterTransport(name, guarded{transport.New(network)}); err != nil {
			panic(err)
		}
	}
}

// Listen binds a socket to an endpoint of a connection file through the guarded transports.
func Listen(s zmq4.Socket, endpoint string) error {
	if err := s.Listen("j" + endpoint); err != nil {
		return fmt.Errorf("jupyter: %w", err)
	}
	return nil
}

type guarded struct{ transport.Transport }

func (g guarded) Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := g.Transport.Listen(ctx, addr)
	if err != nil {
		return nil, err
	}
	if u, ok := l.(*net.UnixListener); ok {
		if err := os.Chmod(u.Addr().String(), 0o600); err != nil {
			l.Close()
			return nil, err
		}
	}
	gl := &listener{Listener: l, ready: make(chan net.Conn), done: make(chan struct{})}
	go gl.run()
	return gl, nil
}

type listener struct {
	net.Listener
	ready chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (l *listener) run() {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			select {
			case <-l.done:
				return
			case <-time.After(10 * time.Millisecond): // out of file descriptors, say
				continue
			}
		}
		go l.greet(c)
	}
}

// greet waits for the first bytes of the greeting: libzmq sends ten of them and waits for ours before it sends the rest.
func (l *listener) greet(c net.Conn) {
	first := make([]byte, 10)
	_ = c.SetReadDeadline(time.Now().Add(handshakeTimeout))
	for n := 0; n < len(first); {
		k, err := c.Read(first[n:])
		if err != nil {
			c.Close()
			return
		}
		n += k
	}
	_ = c.SetReadDeadline(time.Now().Add(handshakeTimeout))
	select {
	case l.ready <- &conn{Conn: c, pending: first}:
	case <-l.done:
		c.Close()
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.ready:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

// conn gives its first bytes back, lifts the read deadline after the handshake and limits writes.
type conn struct {
	net.Conn
	pending []byte
	seen    int  // bytes of the handshake read so far
	ready   int  // where the READY command ends, 0 if unknown yet
	shaken  bool // the handshake is over
}

func (c *conn) Read(p []byte) (int, error) {
	var n int
	var err error
	if len(c.pending) > 0 {
		n = copy(p, c.pending)
		c.pending = c.pending[n:]
	} else {
		n, err = c.Conn.Read(p)
	}
	if !c.shaken {
		// The READY command follows the greeting: a flag byte, a size byte, the body.
		if size := greetingSize + 1 - c.seen; c.ready == 0 && size >= 0 && size < n {
			c.ready = greetingSize + 2 + int(p[size])
		}
		c.seen += n
		if c.ready > 0 && c.seen >= c.ready {
			c.shaken = true
			_ = c.Conn.SetReadDeadline(time.Time{})
		}
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	_ = c.Conn.SetWriteDeadline(time.Now().Add(writeStall))
	n, err := c.Conn.Write(p)
	if err != nil {
		// A message was cut; whatever came next would be taken for its rest.
		c.Conn.Close()
	}
	return n, err
}
