package proxy

import (
	"context"
	"io"
	"log"

	"github.com/go-zeromq/zmq4"

	"mini-lakehouse-lab/kernel/internal/jupyter"
)

// front is Jupyter's side: the five sockets of the connection file.
type front struct {
	shell, control, stdin, iopub, heartbeat zmq4.Socket
	self                                    zmq4.Socket // hears iopub
	flow                                    flow
	key                                     []byte
}

func listen(c jupyter.Connection) (*front, error) {
	ctx := context.Background()
	quiet := zmq4.WithLogger(log.New(io.Discard, "", 0)) // a port scanner's greeting is no news
	f := &front{
		shell: zmq4.NewRouter(ctx, quiet), control: zmq4.NewRouter(ctx, quiet), stdin: zmq4.NewRouter(ctx, quiet),
		iopub: zmq4.NewPub(ctx, quiet), heartbeat: zmq4.NewRouter(ctx, quiet), key: []byte(c.Key),
	}
	for _, s := range []struct {
		socket zmq4.Socket
		port   int
	}{{f.shell, c.ShellPort}, {f.control, c.ControlPort}, {f.stdin, c.StdinPort}, {f.iopub, c.IOPubPort}, {f.heartbeat, c.HBPort}} {
		if err := jupyter.Listen(s.socket, c.Endpoint(s.port)); err != nil {
			return nil, err
		}
	}
	go f.echo()
	f.listenToSelf(c.Endpoint(c.IOPubPort), quiet)
	return f, nil
}

// echo answers heartbeats.
func (f *front) echo() {
	for {
		m, err := f.heartbeat.Recv()
		if err != nil {
			return
		}
		_ = f.heartbeat.SendMulti(m)
	}
}

// publish sends a message to all clients.
func (f *front) publish(m *jupyter.Message) {
	frames := m.Frames([][]byte{[]byte("kernel." + m.Header.Type)}, f.key)
	size := 0
	for _, frame := range frames {
		size += len(frame)
	}
	f.flow.published(frames[headerFrame], size)
	_ = f.iopub.SendMulti(zmq4.NewMsgFrom(frames...))
}

// status publishes busy or idle for a request.
func (f *front) status(state string, parent *jupyter.Message) {
	f.publish(jupyter.New("status", parent, map[string]any{"execution_state": state}))
}

// answer sends a reply to the client whose identity the message carries.
func (f *front) answer(s zmq4.Socket, m *jupyter.Message) {
	_ = s.SendMulti(zmq4.NewMsgFrom(m.Frames(m.Identities, f.key)...))
}

func (f *front) close() {
	for _, s := range []zmq4.Socket{f.self, f.shell, f.control, f.stdin, f.iopub, f.heartbeat} {
		_ = s.Close()
	}
}

// receive reads a socket for as long as it lives. Messages that don't parse, or whose signature is wrong, are dropped.
func receive(s zmq4.Socket, key []byte, to func(*jupyter.Message)) {
	for {
		raw, err := s.Recv()
		if err != nil {
			return
		}
		if m, err := jupyter.Parse(raw.Frames, key); err == nil {
			to(m)
		}
	}
}
