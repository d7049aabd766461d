// Package daemon keeps one engine process for a lakehouse folder: how it is found, started, watched and ended.
//
// Everything stands in <lakehouse>/.lakelab (mode 0700; for a read-only lakehouse see wire.RunFolder): engine.lock, held by flock for as long as the process lives, so
// that a crash releases it; engine.sock, the unix socket; engine.json, who is running; engine.log; trino.address, where Trino's clients
// come. `lakelab serve` calls
// Serve; every other command and every kernel calls Start, which starts a detached `lakelab serve` unless one answers.
package daemon

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

// Paths of a lakehouse's run-time folder.
type Paths struct{ Lakehouse, Dir, Lock, Socket, Info, Log, Trino string }

// PathsOf returns the paths for a lakehouse folder.
func PathsOf(lakehouse string) Paths {
	d := wire.RunFolder(lakehouse)
	return Paths{
		Lakehouse: lakehouse, Dir: d, Lock: filepath.Join(d, "engine.lock"), Socket: filepath.Join(d, "engine.sock"),
		Info: filepath.Join(d, "engine.json"), Log: filepath.Join(d, "engine.log"), Trino: filepath.Join(d, "trino.address"),
	}
}

// Info says who serves a lakehouse. It is advice for people and for Start; the lock is what counts.
type Info struct {
	PID      int       `json:"pid"`
	Build    string    `json:"build"`
	Protocol int       `json:"protocol"`
	Trino    string    `json:"trino,omitempty"`
	Services string    `json:"services"` // where the catalog and the files are
	Settings string    `json:"settings"` // a digest of how it reaches them
	Started  time.Time `json:"started"`
}

// Build names the running executable, as it was when the process began.
func Build() string { return build }

var build = func() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	return wire.Build(exe)
}()

// ReadInfo reads engine.json.
func ReadInfo(p Paths) (Info, error) {
	var in Info
	b, err := os.ReadFile(p.Info)
	if err == nil {
		err = json.Unmarshal(b, &in)
	}
	return in, err
}

func writeInfo(p Paths, in Info) error {
	b, err := json.Marshal(in)
	if err != nil {
		return err
	}
	tmp := p.Info + ".tmp"
	if err := os.WriteFile(tmp, b, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, p.Info)
}

// ErrRunning says that another process holds the lakehouse.
var ErrRunning = errors.New("an engine already serves this lakehouse")

// logTail returns the end of the engine's log, for error messages.
func logTail(p Paths, from int64) string {
	f, err := os.Open(p.Log)
	if err != nil {
		return ""
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return ""
	}
	b, _ := io.ReadAll(io.LimitReader(f, 1<<20))
	s := strings.TrimSpace(string(b))
	if len(s) > 2000 {
		s = "…" + s[len(s)-2000:]
	}
	return s
}
