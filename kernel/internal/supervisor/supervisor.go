// Package supervisor runs what a cell runs in GoNB's place: GoNB throws exit statuses away, signals the first process only
// and takes output without a limit.
//
// The stand-in for `go build` puts a link to this program where GoNB expects the cell's program, and the program itself
// beside it (Program); the kernel writes `!…` and `%%bash` lines so that they start the link Runner. The supervisor gives
// the program a process group of its own, forwards signals to all of it, asks the kernel whether to start at all (no after
// an interrupt during the build), passes its output on at the pace at which the kernel takes it (pump.go), reports how it
// ended and exits only after the kernel has acknowledged, so that the kernel knows of a failure before GoNB can answer.
// Server is the kernel's side of the conversation.
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
	"syscall"
	"time"

	"mini-lakehouse-lab/kernel/internal/rundir"
)

// Kind is what runs.
type Kind string

// The kinds of programs.
const (
	Cell   Kind = "cell"   // the cell's Go program
	Shell  Kind = "shell"  // a line `!…`
	Script Kind = "script" // a cell `%%bash` and the like
)

// Socket is the address of a kernel's Server.
func Socket(run string) string { return filepath.Join(run, "supervisor") }

// Program is where the cell's program stands when GoNB runs path.
func Program(path string) string { return path + ".cell" }

const runnerName = "gonb_run"

// Runner is the link that supervises a command: Runner KIND PROGRAM ARGUMENTS….
func Runner(run string) string { return filepath.Join(rundir.Bin(run), runnerName) }

// report is one line from the supervisor. The kernel answers the first and the last one.
type report struct {
	Event   string `json:"event"` // start, started, exit
	Kind    Kind   `json:"kind,omitempty"`
	PID     int    `json:"pid,omitempty"`
	Code    int    `json:"code,omitempty"`
	Signal  int    `json:"signal,omitempty"`
	Text    string `json:"text,omitempty"`    // why the program could not be started
	Dropped int    `json:"dropped,omitempty"` // bytes of output that an interrupt left behind
}

// answer is one line from the kernel.
type answer struct {
	Run   bool     `json:"run,omitempty"`
	Args  []string `json:"args,omitempty"`  // more arguments for the program
	Taken int64    `json:"taken,omitempty"` // output taken, in bytes, since the start
}

// Run supervises the program beside args[0], or the command of a Runner, and does not return.
func Run(args []string) {
	run := filepath.Dir(filepath.Dir(args[0]))
	kind, program := Cell, Program(args[0])
	if filepath.Base(args[0]) == runnerName {
		if len(args) < 3 {
			giveUp(fmt.Errorf("%s: nothing to run", runnerName))
		}
		kind, args = Kind(args[1]), args[2:]
		program = args[0]
	}
	facts, err := rundir.ReadFacts(run)
	if err != nil {
		giveUp(err)
	}
	conn, err := net.Dial("unix", Socket(run))
	if err != nil {
		giveUp(err)
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	in, out := json.NewDecoder(conn), json.NewEncoder(conn)
	var a answer
	if err := out.Encode(report{Event: "start", Kind: kind}); err != nil {
		giveUp(err)
	}
	if err := in.Decode(&a); err != nil {
		giveUp(err)
	}
	if !a.Run {
		os.Exit(0)
	}
	p, err := newPump()
	if err != nil {
		giveUp(err)
	}
	go p.listen(in)
	last := p.supervise(run, program, append(args, a.Args...), facts.CellEnv(run, os.Environ()), signals, out)
	last.Event, last.Kind = "exit", kind
	if err := out.Encode(last); err != nil {
		giveUp(err)
	}
	<-p.hungUp         // the kernel has understood
	if kind == Shell { // GoNB prints it
		if last.Text != "" {
			fmt.Fprintln(os.Stderr, last.Text)
		}
		os.Exit(last.Code + last.Signal) // at most one is set; a shell says 128+n itself
	}
	os.Exit(0)
}

// supervise runs the program to its end.
func (p *pump) supervise(run, program string, args, env []string, signals <-chan os.Signal, out *json.Encoder) (end report) {
	cmd := &exec.Cmd{Path: program, Args: args, Env: env, Stdin: os.Stdin, Stdout: p.in[0], Stderr: p.in[1], SysProcAttr: ownGroup()}
	if filepath.Base(program) == program {
		var err error
		if cmd.Path, err = lookPath(program, env); err != nil {
			return report{Code: 1, Text: err.Error()}
		}
	}
	runtime.LockOSThread() // the death signal belongs to the thread
	if err := cmd.Start(); err != nil {
		return report{Code: 1, Text: err.Error()}
	}
	p.closeInputs()
	group := cmd.Process.Pid
	_ = rundir.AddGroup(run, group)
	_ = out.Encode(report{Event: "started", PID: group})
	go func() {
		for s := range signals {
			_ = syscall.Kill(-group, s.(syscall.Signal))
			p.interrupted.Store(true)
			p.limit()
		}
	}()
	done := make(chan bool)
	go func() {
		p.run()
		close(done)
	}()
	_ = cmd.Wait()
	p.ended.Store(true)
	p.limit()
	<-done
	end.Dropped = p.left()
	rundir.DropGroup(run, group)
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		end.Signal = int(status.Signal())
	} else {
		end.Code = status.ExitStatus()
	}
	return end
}

// lookPath finds a program on the PATH of env.
func lookPath(name string, env []string) (string, error) {
	for _, e := range env {
		if len(e) > 5 && e[:5] == "PATH=" {
			_ = os.Setenv("PATH", e[5:])
		}
	}
	return exec.LookPath(name)
}

// giveUp ends without a report, which the kernel takes for a failure of the cell.
func giveUp(err error) {
	fmt.Fprintln(os.Stderr, "the kernel does not answer, restart it:", err)
	time.Sleep(10 * time.Millisecond) // for GoNB to read it
	os.Exit(1)
}
