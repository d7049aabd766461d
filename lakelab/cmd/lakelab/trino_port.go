package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"

	"mini-lakehouse-lab/lakelab/engine/daemon"
	"mini-lakehouse-lab/lakelab/engine/trino"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
)

// usualTrino is where a Trino server is unless somebody says otherwise.
const usualTrino = "127.0.0.1:8080"

// openTrino opens the Trino door of a lakehouse at an address. Without one it is where the door was the first time, so that a client's
// settings hold from one start to the next; the first time that is Trino's usual port. If both are taken it is a free one, and it says so.
func openTrino(p daemon.Paths, address string, b trino.Backend, s trinodoor.Security, say io.Writer) (*trinodoor.Door, error) {
	if address != "" {
		d, err := trinodoor.ListenSecurely(address, b, s)
		if _, port, _ := net.SplitHostPort(address); err == nil && port != "0" {
			err = remember(p, address)
		}
		return d, err
	}
	remembered, err := os.ReadFile(p.Trino)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	candidates := []string{usualTrino}
	if before := strings.TrimSpace(string(remembered)); local(before) && before != usualTrino {
		candidates = slices.Insert(candidates, 0, before)
	}
	for _, c := range append(candidates, "127.0.0.1:0") {
		d, err := trinodoor.ListenSecurely(c, b, s)
		if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EACCES) {
			continue
		}
		if err != nil {
			return nil, err
		}
		_, at, _ := strings.Cut(d.URL(), "://")
		if c != candidates[0] {
			fmt.Fprintf(say, "%s is taken: Trino clients come to %s; --trino names another address\n", candidates[0], at)
		}
		if len(remembered) == 0 {
			err = remember(p, at)
		}
		return d, err
	}
	return nil, errors.New("there is no free port for Trino clients")
}

// remember notes where the door of a lakehouse is.
func remember(p daemon.Paths, address string) error {
	return os.WriteFile(p.Trino, []byte(address+"\n"), 0o600)
}

// local reports whether an address is a port of this machine's own.
func local(address string) bool {
	host, port, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && ip != nil && ip.IsLoopback() && port != "0"
}
