package lakelab

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// server speaks the wire protocol for tests of the client's own work: connection, progress, interrupts, display. What
// statements mean is tested elsewhere, against the engine.
type server struct {
	mu       sync.Mutex
	requests []map[string]any
	answer   func(req map[string]any, send func(map[string]any)) map[string]any
}

// startServer serves a new lakehouse, in a folder too deep for a socket address, and points the client at it.
func startServer(t *testing.T, answer func(req map[string]any, send func(map[string]any)) map[string]any) *server {
	t.Helper()
	lakehouse := filepath.Join(t.TempDir(), strings.Repeat("deep", 30), "lakehouse")
	dir := filepath.Join(lakehouse, ".lakelab")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", "engine.sock")
	if cerr := os.Chdir(here); cerr != nil {
		t.Fatal(cerr)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &server{answer: answer}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(c)
		}
	}()
	t.Setenv("LAKELAB_LAKEHOUSE", lakehouse)
	t.Setenv("LAKELAB_SESSION", "test-session")
	engine.close()
	t.Cleanup(func() {
		engine.close()
		l.Close()
	})
	return s
}

func (s *server) serve(c net.Conn) {
	defer c.Close()
	for {
		v, err := wire.ReadFrame(c)
		if err != nil {
			return
		}
		req := v.(map[string]any)
		s.mu.Lock()
		s.requests = append(s.requests, req)
		s.mu.Unlock()
		send := func(m map[string]any) { _ = wire.WriteFrame(c, m) }
		switch req["op"] {
		case wire.OpHello:
			send(map[string]any{"t": "ok", "timeZone": "Europe/Moscow"})
		case wire.OpCancel:
		default:
			reply := s.answer(req, send)
			if reply == nil {
				return // the connection breaks
			}
			if reply["t"] == nil {
				reply["t"] = "ok"
			}
			send(reply)
		}
	}
}

// last returns the last request.
func (s *server) last() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[len(s.requests)-1]
}

func (s *server) saw(op string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if r["op"] == op {
			return true
		}
	}
	return false
}

var oneColumn = types.StructOf(types.Field{Name: "n", Type: types.Of(types.Long), Nullable: true})

// analysed answers as an engine for which every relation has one column.
func analysed(req map[string]any, send func(map[string]any)) map[string]any {
	switch req["op"] {
	case wire.OpCollect:
		send(map[string]any{"t": "rows", "rows": []any{[]any{int64(1)}, []any{nil}}})
		send(map[string]any{"t": "rows", "rows": [][]any{{int64(3)}}})
		return map[string]any{"schema": oneColumn, "timeZone": "UTC"}
	case wire.OpSQL:
		return map[string]any{"schema": oneColumn, "relation": map[string]any{"n": "sql", "text": req["text"]}}
	}
	return map[string]any{"schema": oneColumn}
}
