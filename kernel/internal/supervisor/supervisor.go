// Package supervisor runs a cell's program in GoNB's place, because GoNB throws the exit status away.
//
// The stand-in for `go build` puts a link to this program where GoNB expects the cell's program, and the program itself
// beside it (Program). The supervisor inherits GoNB's pipes, forwards signals, asks the kernel whether to start at all (no
// after an interrupt during the build), reports how the program ended and exits only after the kernel has acknowledged, so
// that the kernel knows of a failure before GoNB can answer. Server is the kernel's side of the conversation.
package supervisor

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Environment variables of a kernel's processes.
const (
	EnvRun  = "LAKELAB_KERNEL_RUN"  // the kernel's private folder
	EnvTmp  = "LAKELAB_KERNEL_TMP"  // TMPDIR as it was
	EnvPath = "LAKELAB_KERNEL_PATH" // PATH as it was
)

// Socket is the address of a kernel's Server.
func Socket(run string) string { return filepath.Join(run, "supervisor") }

// Program is where the cell's program stands when GoNB runs path.
func Program(path string) string { return path + ".cell" }

// report is one line from the supervisor. The kernel answers the first and the last one.
type report struct {
	Event  string `json:"event"` // start, started, exit
	PID    int    `json:"pid,omitempty"`
	Code   int    `json:"code,omitempty"`
	Signal int    `json:"signal,omitempty"`
	Text   string `json:"text,omitempty"` // why the program could not be started
}

type answer struct {
	Run bool `json:"run"`
}

// Run supervises the program beside args[0] and does not return.
func Run(args []string) {
	conn, err := net.Dial("unix", Socket(os.Getenv(EnvRun)))
	if err != nil {
		fmt.Fprintln(os.Stderr, "the kernel is gone:", err)
		os.Exit(1)
	}
	in, out := json.NewDecoder(conn), json.NewEncoder(conn)
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)

	var a answer
	if out.Encode(report{Event: "start"}) != nil || in.Decode(&a) != nil || !a.Run {
		os.Exit(0)
	}
	cmd := exec.Command(Program(args[0]), args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = cellEnv(os.Environ())
	cmd.SysProcAttr = dieWithParent()
	runtime.LockOSThread() // the death signal belongs to the thread
	last := report{Event: "exit"}
	if err := cmd.Start(); err != nil {
		last.Code, last.Text = 1, err.Error()
	} else {
		_ = out.Encode(report{Event: "started", PID: cmd.Process.Pid})
		go func() {
			for s := range signals {
				_ = cmd.Process.Signal(s)
			}
		}()
		_ = cmd.Wait()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if status.Signaled() {
			last.Signal = int(status.Signal())
		} else {
			last.Code = status.ExitStatus()
		}
	}
	if out.Encode(last) != nil || in.Decode(&a) != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// cellEnv gives the cell the user's own TMPDIR and PATH back.
func cellEnv(env []string) []string {
	var out []string
	restored := map[string]string{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case EnvTmp:
			restored["TMPDIR"] = value
		case EnvPath:
			restored["PATH"] = value
		case EnvRun, "TMPDIR", "PATH":
		default:
			out = append(out, e)
		}
	}
	for name, value := range restored {
		if value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}
