package proxy

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"mini-lakehouse-lab/kernel/internal/cell"
	"mini-lakehouse-lab/kernel/internal/jupyter"
)

// TestDefect: an event that breaks down costs its request, which is answered, and not the session.
func TestDefect(t *testing.T) {
	var ports []int
	for range 5 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		l.Close()
	}
	c := jupyter.Connection{Transport: "tcp", IP: "127.0.0.1", Key: "key", ShellPort: ports[0], ControlPort: ports[1], StdinPort: ports[2], IOPubPort: ports[3], HBPort: ports[4]}
	f, err := listen(c)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	k := &kernel{front: f, events: make(chan event, 10), own: map[string]bool{}, assists: map[string]*assist{}, locals: map[string]int{}, done: make(chan error, 1)}
	go receive(f.shell, f.key, func(m *jupyter.Message) {
		k.do(m, func() {
			if m.Header.Type == "execute_request" { // after it became the current one
				k.current = &execution{request: m, content: map[string]any{}, plan: cell.New("")}
			}
			panic("a defect")
		})
	})
	go func() { _ = k.loop() }()
	defer k.end(nil)

	dealer := zmq4.NewDealer(context.Background(), zmq4.WithID(zmq4.SocketIdentity("client")))
	defer dealer.Close()
	if err := dealer.Dial(c.Endpoint(c.ShellPort)); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"complete", "execute", "is_complete", "execute"} {
		request := jupyter.New(kind+"_request", nil, map[string]any{"code": "x"})
		if err := dealer.SendMulti(zmq4.NewMsgFrom(request.Frames(nil, []byte(c.Key))...)); err != nil {
			t.Fatal(err)
		}
		got := make(chan *jupyter.Message, 1)
		go func() {
			raw, err := dealer.Recv()
			if err != nil {
				return
			}
			if m, err := jupyter.Parse(raw.Frames, []byte(c.Key)); err == nil {
				got <- m
			}
		}()
		select {
		case m := <-got:
			if m.Header.Type != kind+"_reply" || m.ParentID != request.Header.ID || !strings.Contains(string(m.Content), "KernelError") || !strings.Contains(string(m.Content), "a defect") {
				t.Errorf("%s: %s %s", kind, m.Header.Type, m.Content)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: no answer", kind)
		}
	}
}

// TestFlow: what was published counts until it is heard, and room is told of once.
func TestFlow(t *testing.T) {
	drained := 0
	f := flow{drained: func() { drained++ }}
	f.published([]byte("a"), 3<<20)
	if f.behind() {
		t.Error("behind before anything is measured")
	}
	f.heard([]byte("a"))
	for _, name := range []string{"b", "c", "d"} {
		f.published([]byte(name), 1<<20)
	}
	if !f.behind() {
		t.Error("not behind with 3 MB")
	}
	f.heard([]byte("c")) // b is lost, or was heard before
	f.heard([]byte("d"))
	if f.behind() || drained != 1 {
		t.Errorf("behind %v, told %d times", f.behind(), drained)
	}
}
