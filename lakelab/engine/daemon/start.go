package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// StartTimeout bounds the wait for a new engine.
const StartTimeout = 60 * time.Second

// idleLimit ends an engine that nobody started in the foreground, after that long without a session.
const idleLimit = time.Minute

// Start makes sure that an engine of this build, with the catalog and files that the settings name, serves the lakehouse and returns who
// it is. Another one is replaced if it has no sessions; else Start fails and says what to do.
func Start(ctx context.Context, lakehouse string) (Info, error) {
	p := PathsOf(lakehouse)
	ctx, cancel := context.WithTimeout(ctx, StartTimeout)
	defer cancel()
	settings, err := config.Load(lakehouse)
	if err != nil {
		return Info{}, err
	}
	in, err := ping(p)
	if err == nil {
		same := in.Build == Build() && in.Protocol == wire.Version
		if same && in.Settings == settings.Digest() {
			return in, nil
		}
		other := "движок другой сборки"
		if same {
			other = "движок с другими настройками (" + in.Services + ")"
			if in.Services == settings.String() {
				other = "движок с другими учётными данными или регионом (" + in.Services + ")"
			}
		}
		if sessions, err := Sessions(p); err != nil || sessions > 0 {
			return in, fmt.Errorf("%s уже обслуживает %s (сессий: %d); остановите его: lakelab engine stop --lakehouse %s, затем перезапустите ядро ноутбука",
				other, p.Lakehouse, sessions, p.Lakehouse)
		}
		if err := Stop(ctx, lakehouse); err != nil {
			return in, err
		}
	}
	return spawn(ctx, p)
}

// maxLog is the size from which on a new engine's log begins anew.
const maxLog = 4 << 20

// spawn starts a detached `lakelab serve` and waits until it, or the winner of a race, answers.
func spawn(ctx context.Context, p Paths) (Info, error) {
	if err := os.MkdirAll(p.Dir, 0o700); err != nil {
		return Info{}, err
	}
	exe, err := os.Executable()
	if err != nil {
		return Info{}, err
	}
	logFile, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return Info{}, err
	}
	defer logFile.Close()
	var from int64
	if st, err := logFile.Stat(); err == nil {
		from = st.Size()
	}
	if from > maxLog && logFile.Truncate(0) == nil {
		from = 0
	}
	cmd := exec.Command(exe, "serve", "--lakehouse", p.Lakehouse, "--idle", idleLimit.String())
	cmd.Stdout, cmd.Stderr = logFile, logFile
	cmd.Dir = "/" // the engine must not keep a notebook's folder busy; sessions bring their own
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return Info{}, err
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return Info{}, fmt.Errorf("the engine did not answer in time; see %s", p.Log)
		case err := <-exited:
			exited = nil
			if !locked(p) {
				return Info{}, fmt.Errorf("the engine could not start (%v): %s", err, logTail(p, from))
			}
			// Somebody else won the race; wait for that one.
		case <-tick.C:
			if in, err := ping(p); err == nil {
				return in, nil
			}
		}
	}
}

// ping says who answers on the socket.
func ping(p Paths) (Info, error) {
	c, err := Dial(p)
	if err != nil {
		return Info{}, err
	}
	c.Close()
	return ReadInfo(p)
}

// Running reports whether an engine serves the lakehouse.
func Running(lakehouse string) (Info, bool) {
	p := PathsOf(lakehouse)
	in, err := ping(p)
	return in, err == nil && locked(p)
}

// Stop ends the engine of a lakehouse and waits until the lakehouse is free. No engine is no error.
func Stop(ctx context.Context, lakehouse string) error { return stop(ctx, lakehouse, false) }

// StopIdle is Stop, but an engine that somebody uses goes on.
func StopIdle(ctx context.Context, lakehouse string) error { return stop(ctx, lakehouse, true) }

func stop(ctx context.Context, lakehouse string, onlyIdle bool) error {
	p := PathsOf(lakehouse)
	r, err := Call(p, map[string]any{"op": wire.OpShutdown, "idle": onlyIdle})
	if err != nil {
		if !locked(p) {
			return nil
		}
		return fmt.Errorf("the engine of %s does not answer: %w", p.Lakehouse, err)
	}
	if onlyIdle && r["stopped"] != true {
		return nil
	}
	for locked(p) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// EndSession ends one session: its kernel is gone. Without an engine only its trace is removed.
func EndSession(lakehouse, session string) error {
	if _, running := Running(lakehouse); !running {
		_ = os.Remove(wire.SessionFile(lakehouse, session))
		return nil
	}
	_, err := Call(PathsOf(lakehouse), map[string]any{"op": wire.OpEndSession, "session": session})
	return err
}

// Sessions counts the living sessions.
func Sessions(p Paths) (int64, error) {
	r, err := Call(p, map[string]any{"op": wire.OpStatus})
	if err != nil {
		return 0, err
	}
	n, _ := r["sessions"].(int64)
	return n, nil
}

// Call sends one request outside of any session and returns the reply.
func Call(p Paths, request map[string]any) (map[string]any, error) {
	c, err := Dial(p)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return nil, err
	}
	if err := wire.WriteFrame(c, request); err != nil {
		return nil, err
	}
	v, err := wire.ReadFrame(c)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("the engine's reply is not a map")
	}
	if m["t"] == "error" {
		return nil, fmt.Errorf("%v", m["text"])
	}
	return m, nil
}
