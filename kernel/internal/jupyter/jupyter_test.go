package jupyter

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

func TestSignature(t *testing.T) {
	key := []byte("key")
	m := New("execute_request", nil, map[string]any{"code": "слово"})
	frames := m.Frames([][]byte{[]byte("client")}, key)
	back, err := Parse(frames, key)
	if err != nil || back.Header != m.Header || string(back.Content) != string(m.Content) || string(back.Identities[0]) != "client" {
		t.Errorf("%v: %+v", err, back)
	}
	if _, err := Parse(frames, []byte("other")); err == nil {
		t.Error("a message signed with another key is taken")
	}
	frames[len(frames)-1] = []byte(`{"code":"other"}`)
	if _, err := Parse(frames, key); err == nil {
		t.Error("a changed message is taken")
	}
	if _, err := Parse([][]byte{[]byte("x")}, key); err == nil {
		t.Error("half a message is taken")
	}
}

// TestSilentClients: connections that say nothing, or stop in the middle of the handshake, lock nobody out.
func TestSilentClients(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	router := zmq4.NewRouter(context.Background())
	defer router.Close()
	endpoint := fmt.Sprintf("tcp://127.0.0.1:%d", port)
	if err := Listen(router, endpoint); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"", "", "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f", "GET / HTTP/1.1\r\n\r\n"} {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Write([]byte(words)); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond)
	dealer := zmq4.NewDealer(context.Background())
	defer dealer.Close()
	if err := dealer.Dial(endpoint); err != nil {
		t.Fatal(err)
	}
	if err := dealer.Send(zmq4.NewMsgString("hello")); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		m, err := router.Recv()
		if err == nil {
			got <- string(m.Frames[len(m.Frames)-1])
		}
	}()
	select {
	case text := <-got:
		if text != "hello" {
			t.Errorf("got %q", text)
		}
	case <-time.After(2*handshakeTimeout + time.Second):
		t.Error("the silent clients lock the next one out")
	}
}
