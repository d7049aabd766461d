// Package services starts the real services that tests and checks talk to, each on a free port of the loopback address: PostgreSQL, an
// S3 server (versitygw), an Iceberg REST catalog; package trinoserver has Trino. What they leave goes when they are stopped; who starts
// one, stops it.
//
// They come from where their users get them: PostgreSQL is installed (Debian's postgresql), the others are fetched once into a cache
// folder with Go and Maven. ErrMissing says that something is not here, so that a test can be skipped.
package services

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// ErrMissing says that a program that a service needs is not installed.
var ErrMissing = errors.New("not installed")

// FreePort is a port of the loopback address that nobody uses now.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Process is a service's process, with all that it started.
type Process struct {
	cmd   *exec.Cmd
	log   string
	ended chan struct{}
}

// Start runs a program in a process group of its own, its output in a log file. An interrupt of the terminal is for whoever started it, and
// he stops it.
func Start(cmd *exec.Cmd, log string) (*Process, error) {
	f, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr = f, f
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{cmd, log, make(chan struct{})}
	go func() {
		cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// Wait waits until the service answers, as ready says.
func (p *Process) Wait(ctx context.Context, limit time.Duration, ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("%s ended: %s", filepath.Base(p.cmd.Path), p.tail())
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer (%w): %s", filepath.Base(p.cmd.Path), err, p.tail())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// tail is the end of the log.
func (p *Process) tail() string {
	b, _ := os.ReadFile(p.log)
	return string(b[max(0, len(b)-2000):])
}

// PID is the process's number.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stop ends the process group: with a signal, and after twenty seconds for good.
func (p *Process) Stop(signal syscall.Signal) {
	_ = syscall.Kill(-p.cmd.Process.Pid, signal)
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.ended
	}
}
