package celldoor

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// client speaks to a door as a cell does.
type client struct {
	t    *testing.T
	conn net.Conn
}

func open(t *testing.T) (*Door, *engine.Engine) {
	t.Helper()
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	d := New(e, "build-1", nil, "", func() error { return nil })
	t.Cleanup(func() { d.Close() })
	return d, e
}

func dial(t *testing.T, d *Door) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	served := make(chan struct{})
	go func() { d.ServeConn(t.Context(), theirs); theirs.Close(); close(served) }()
	t.Cleanup(func() { ours.Close(); <-served })
	return &client{t, ours}
}

func (c *client) send(req map[string]any) {
	c.t.Helper()
	if err := wire.WriteFrame(c.conn, req); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a request and returns its reply; events on the way are passed over.
func (c *client) ask(req map[string]any) map[string]any {
	c.t.Helper()
	c.send(req)
	return c.reply()
}

func (c *client) reply() map[string]any {
	c.t.Helper()
	for {
		v, err := wire.ReadFrame(c.conn)
		if err != nil {
			c.t.Fatal(err)
		}
		if m := v.(map[string]any); m["t"] == "ok" || m["t"] == "error" {
			return m
		}
	}
}

func hi(session string) map[string]any {
	return map[string]any{"op": wire.OpHello, "version": int64(wire.Version), "session": session, "cwd": "/", "build": "build-1"}
}

func TestSkew(t *testing.T) {
	d, _ := open(t)
	for name, change := range map[string]map[string]any{
		"a newer cell":  {"version": int64(wire.Version + 1)},
		"another build": {"build": "build-2"},
	} {
		req := hi("s")
		for k, v := range change {
			req[k] = v
		}
		r := dial(t, d).ask(req)
		if text, _ := r["message"].(string); r["exception"] != "VersionMismatchException" || !strings.Contains(text, "lakelab engine stop") {
			t.Errorf("%s: %v", name, r)
		}
	}
	unknown := hi("s")
	delete(unknown, "build")
	if r := dial(t, d).ask(unknown); r["t"] != "ok" {
		t.Errorf("a cell that doesn't know its build: %v", r)
	}
}

// A cancel that comes right behind its request must not be lost.
func TestCancelAtOnce(t *testing.T) {
	d, _ := open(t)
	c := dial(t, d)
	c.ask(hi("s"))
	for range 20 {
		c.send(map[string]any{"op": wire.OpCount, "relation": map[string]any{"n": "sql", "text": "SELECT * FROM range(1000000000000) a WHERE hash(id) = 1"}})
		c.send(map[string]any{"op": wire.OpCancel})
		began := time.Now()
		if r := c.reply(); r["t"] != "error" || time.Since(began) > 30*time.Second {
			t.Fatalf("%v after %s", r, time.Since(began))
		}
	}
}

// A session without a kernel that ends it goes with its process.
func TestOwner(t *testing.T) {
	d, e := open(t)
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	for session, owner := range map[string]int{"dead": gone.Process.Pid, "alive": os.Getpid(), "kernel's": 0} {
		req := hi(session)
		req["owner"] = int64(owner)
		dial(t, d).ask(req)
	}
	if e.Idle() != 0 || e.Sessions() != 2 {
		t.Errorf("%d sessions, idle %s, want 2", e.Sessions(), e.Idle())
	}
	c := dial(t, d)
	if r := c.ask(map[string]any{"op": wire.OpShutdown, "idle": true}); r["stopped"] != false {
		t.Errorf("an engine in use stops: %v", r)
	}
	e.EndSession("alive")
	e.EndSession("kernel's")
	if r := c.ask(map[string]any{"op": wire.OpShutdown, "idle": true}); r["stopped"] != true {
		t.Errorf("an idle engine goes on: %v", r)
	}
}

// What fits into no message is refused, and the connection goes on.
func TestTooLarge(t *testing.T) {
	d, _ := open(t)
	c := dial(t, d)
	c.ask(hi("s"))
	r := c.ask(map[string]any{"op": wire.OpShow, "n": int64(1), "truncate": int64(0), "relation": map[string]any{"n": "sql", "text": "SELECT repeat('x', 70000000) AS x"}})
	if text, _ := r["message"].(string); r["t"] != "error" || !strings.Contains(text, "64 MiB") {
		t.Errorf("%.200v", r)
	}
	if r := c.ask(map[string]any{"op": wire.OpCount, "relation": map[string]any{"n": "sql", "text": "SELECT 1"}}); r["count"] != int64(1) {
		t.Errorf("afterwards: %v", r)
	}
}

// A notebook must not go on without a word when its session's state went with an engine: in another namespace, for example.
func TestLostSession(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lakehouse")
	// engineLife is one engine's life with two sessions; the one with state is told first what happened to the engine before.
	engineLife := func(set bool) (stateful, plain map[string]any) {
		e, err := engine.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		d := New(e, "build-1", nil, "", func() error { return nil })
		defer d.Close()
		c := dial(t, d)
		if stateful = c.ask(hi("kernel/1")); stateful["t"] != "ok" {
			c = dial(t, d)
			if again := c.ask(hi("kernel/1")); again["t"] != "ok" {
				t.Errorf("told twice: %v", again)
			}
		}
		if set {
			c.ask(map[string]any{"op": wire.OpSQL, "text": "SET spark.sql.session.timeZone = Asia/Tokyo"})
		}
		c2 := dial(t, d)
		plain = c2.ask(hi("kernel/2"))
		c2.ask(map[string]any{"op": wire.OpSQL, "text": "SELECT 1"})
		return stateful, plain
	}
	if s, p := engineLife(true); s["t"] != "ok" || p["t"] != "ok" {
		t.Errorf("new sessions: %v, %v", s, p)
	}
	if s, p := engineLife(false); s["exception"] != "SessionLostException" || p["t"] != "ok" {
		t.Errorf("after the engine's end: %v, %v", s, p)
	}
	if s, p := engineLife(false); s["t"] != "ok" || p["t"] != "ok" {
		t.Errorf("nothing was lost: %v, %v", s, p)
	}
}
