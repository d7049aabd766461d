package main

import (
	"bytes"
	"net"
	"os"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/daemon"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
)

// TestTrinoAddress opens the doors of lakehouses again and again: each is where it was before, unless somebody else is there.
func TestTrinoAddress(t *testing.T) {
	lakehouse := func() daemon.Paths {
		p := daemon.PathsOf(t.TempDir())
		if err := os.MkdirAll(p.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		return p
	}
	open := func(p daemon.Paths, address string) (at, said string, end func()) {
		t.Helper()
		var say bytes.Buffer
		d, err := openTrino(p, address, nil, trinodoor.Security{}, &say)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimPrefix(d.URL(), "http://"), say.String(), func() { _ = d.Close() }
	}
	a, b := lakehouse(), lakehouse()
	first, _, end := open(a, "")
	other, said, endOther := open(b, "")
	if other == first || !strings.Contains(said, usualTrino+" is taken") || !strings.Contains(said, other) {
		t.Errorf("beside %s: %s, %q", first, other, said)
	}
	end()
	endOther()
	for _, c := range []struct {
		p    daemon.Paths
		want string
	}{{a, first}, {b, other}, {a, first}} {
		at, said, end := open(c.p, "")
		if at != c.want || c.want == usualTrino && said != "" {
			t.Errorf("again: %s instead of %s, %q", at, c.want, said)
		}
		end()
	}
	// Somebody else has the port for once: it stays the lakehouse's own.
	l, err := net.Listen("tcp", other)
	if err != nil {
		t.Fatal(err)
	}
	at, said, end := open(b, "")
	if at == other || !strings.Contains(said, other+" is taken") {
		t.Errorf("%s, %q", at, said)
	}
	end()
	l.Close()
	if at, _, end := open(b, ""); at != other {
		t.Errorf("%s instead of %s", at, other)
	} else {
		end()
	}
	// What is named holds for later, unless it names no port.
	_, _, end = open(a, "127.0.0.1:0")
	end()
	if at, _, end := open(a, ""); at != first {
		t.Errorf("%s instead of %s", at, first)
	} else {
		end()
	}
	_, _, end = open(a, other)
	end()
	if at, _, end := open(a, ""); at != other {
		t.Errorf("%s instead of %s", at, other)
	} else {
		end()
	}
	if err := os.WriteFile(a.Trino, []byte("0.0.0.0:9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if at, _, end := open(a, ""); !local(at) {
		t.Errorf("%s", at)
	} else {
		end()
	}
}
