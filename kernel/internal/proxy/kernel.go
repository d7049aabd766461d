// Package proxy is the kernel: it stands between Jupyter and a stock GoNB and makes a cell that failed fail.
//
// Messages from Jupyter come in on the front's sockets; most go to GoNB behind and its answers go back unchanged. The kernel
// itself answers what must not wait for GoNB or what GoNB does not know (kernel_info, is_complete, history, shutdown,
// interrupt), runs one execute request at a time (execute.go), and maps cursors for completion and inspection (assist.go).
// One goroutine, loop, owns all state; sockets, supervisors and signals only send it events.
// The kernel's main calls Run.
package proxy

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-zeromq/zmq4"

	"mini-lakehouse-lab/kernel/internal/build"
	"mini-lakehouse-lab/kernel/internal/cell"
	"mini-lakehouse-lab/kernel/internal/failure"
	"mini-lakehouse-lab/kernel/internal/jupyter"
	"mini-lakehouse-lab/kernel/internal/rundir"
	"mini-lakehouse-lab/kernel/internal/supervisor"
)

// Options say what a kernel needs to know.
type Options struct {
	ConnectionFile string // Jupyter's
	Project        string // the checkout whose packages cells import
}

type kernel struct {
	options Options
	run     *rundir.Dir
	front   *front
	back    *gonb
	server  supervisor.Server
	events  chan event
	broken  error // why cells can't run, if they can't
	session string

	ready   bool               // GoNB answers and its iopub is heard
	own     map[string]bool    // ids of requests that the kernel itself sent to GoNB
	assists map[string]*assist // completions and inspections on their way
	waiting []*jupyter.Message // requests for GoNB until it is ready
	queue   []*jupyter.Message // execute requests
	current *execution         // the one that runs
	stopped atomic.Bool        // the current one was interrupted
	testing atomic.Bool        // it is a %test
	count   int                // execution number
	sources cell.Sources
	locals  map[string]int // names that a cell had in main, and which
	done    chan error
}

// event is something for the loop to do, and the client's request that it is about, if any.
type event struct {
	request *jupyter.Message
	do      func()
}

// Run is a kernel from start to end. It returns nil after a shutdown request.
func Run(o Options) error {
	connection, err := jupyter.ReadConnection(o.ConnectionFile)
	if err != nil {
		return err
	}
	k := &kernel{options: o, session: jupyter.NewID(), events: make(chan event, 1024), own: map[string]bool{},
		assists: map[string]*assist{}, locals: map[string]int{}, done: make(chan error, 1)}
	if k.front, err = listen(connection); err != nil {
		return err
	}
	k.front.flow.drained = func() { k.do(nil, k.room) }
	// Cells that can't run are answered with the reason: a kernel that just dies shows it to nobody.
	dismiss, err := k.start(connection)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		k.broken = err
	}
	defer dismiss() // cleans up, at a regular end as well
	k.front.publish(jupyter.New("status", nil, map[string]any{"execution_state": "starting"}))
	go receive(k.front.shell, k.front.key, func(m *jupyter.Message) { k.do(m, func() { k.fromShell(m) }) })
	go receive(k.front.control, k.front.key, func(m *jupyter.Message) { k.do(m, func() { k.fromControl(m) }) })
	go receive(k.front.stdin, k.front.key, func(m *jupyter.Message) { k.do(nil, func() { k.fromStdin(m) }) })
	go k.signals()
	go k.watchParent()
	if k.back != nil {
		go k.watchGoNB()
	}
	err = k.loop()
	k.close()
	return err
}

// start starts everything behind the front. dismiss is never nil.
func (k *kernel) start(connection jupyter.Connection) (dismiss func(), err error) {
	dismiss = func() {}
	if _, err := build.RealTool("go"); err != nil {
		return dismiss, fmt.Errorf("the go command is not on the PATH that Jupyter was started with: %w", err)
	}
	rundir.Sweep()
	if k.run, err = rundir.Create(); err != nil {
		return dismiss, err
	}
	env, facts, err := k.environment()
	if err != nil {
		return dismiss, err
	}
	if err := rundir.SetFacts(k.run.Path, facts); err != nil {
		return dismiss, err
	}
	self, err := os.Executable()
	if err != nil {
		return dismiss, err
	}
	if dismiss, err = rundir.StartWatchdog(self, k.run.Path); err != nil {
		return func() { _ = rundir.Clean(k.run.Path) }, err
	}
	k.server = supervisor.Server{MayStart: k.mayStart, Ended: k.programEnded}
	if err := k.server.Listen(k.run.Path); err != nil {
		return dismiss, err
	}
	if k.back, err = startGoNB(k.options, k.run, connection, env); err != nil {
		return dismiss, err
	}
	go func() { _, _ = build.Prepare(k.options.Project, io.Discard) }()
	k.startEngine(facts)
	return dismiss, nil
}

// environment is GoNB's environment, and what the kernel's programs read in their folder.
func (k *kernel) environment() (env []string, facts rundir.Facts, err error) {
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "GOWORK", "GOFLAGS", "TMPDIR", "PATH", "LAKELAB_LAKEHOUSE", "LAKELAB_SESSION", "LAKELAB_BIN", "LAKELAB_KERNEL":
		default:
			env = append(env, e)
		}
	}
	lakehouse := os.Getenv("LAKELAB_LAKEHOUSE")
	if lakehouse == "" {
		lakehouse = filepath.Join(k.options.Project, "lakehouse")
	}
	// A cell may change its folder, and the watchdog has another one.
	if lakehouse, err = filepath.Abs(lakehouse); err != nil {
		return nil, facts, err
	}
	bin := filepath.Join(k.options.Project, "bin", "lakelab")
	facts = rundir.Facts{
		Project: k.options.Project,
		Tmp:     os.Getenv("TMPDIR"),
		Env:     []string{"LAKELAB_SESSION=" + k.session, "LAKELAB_BIN=" + bin, "LAKELAB_KERNEL=1"},
		Goodbye: []string{bin, "engine", "end-session", "--lakehouse", lakehouse, "--session", k.session},
		Hello:   []string{bin, "engine", "start", "--lakehouse", lakehouse},
	}
	return append(env, "LAKELAB_LAKEHOUSE="+lakehouse), facts, nil
}

// startEngine starts the lakehouse's engine early. A failure is not reported here: the first cell that needs the engine
// starts it itself and reports.
func (k *kernel) startEngine(facts rundir.Facts) {
	if _, err := os.Stat(facts.Hello[0]); err != nil {
		return
	}
	cmd := exec.Command(facts.Hello[0], facts.Hello[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the engine outlives this kernel
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

// do runs f in the loop. A client's request that f is about is answered even if f breaks down.
func (k *kernel) do(request *jupyter.Message, f func()) { k.events <- event{request, f} }

func (k *kernel) loop() error {
	for {
		select {
		case e := <-k.events:
			k.handle(e)
		case err := <-k.done:
			return err
		}
	}
}

// handle does what an event asks for. A defect in it costs the request, not the session with all its declarations.
func (k *kernel) handle(e event) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "lakelab-kernel: %v\n%s\n", r, debug.Stack())
			k.brokeDown(e.request, fmt.Sprint(r))
		}
	}()
	e.do()
}

func (k *kernel) end(err error) {
	select {
	case k.done <- err:
	default:
	}
}

// close ends GoNB, first politely.
func (k *kernel) close() {
	if k.back == nil {
		time.Sleep(20 * time.Millisecond)
		k.front.close()
		return
	}
	if k.back.control != nil {
		k.toGoNB(k.back.control, jupyter.New("shutdown_request", nil, map[string]any{"restart": false}))
	}
	select {
	case <-k.back.ended:
	case <-time.After(time.Second):
	}
	k.server.Close()
	// Clients get what is still on its way to them.
	time.Sleep(20 * time.Millisecond)
	k.front.close()
}

// watchGoNB connects to GoNB and waits for its end. A dead GoNB has lost all declarations, so the kernel ends with it and
// Jupyter starts a new one.
func (k *kernel) watchGoNB() {
	for {
		select {
		case err := <-k.back.connected:
			if err != nil {
				k.do(nil, func() { k.lostGoNB(err) })
				return
			}
			k.do(nil, k.connected)
		case err := <-k.back.ended:
			k.back.ended <- err
			if err == nil {
				err = fmt.Errorf("exit status 0")
			}
			k.do(nil, func() { k.lostGoNB(err) })
			return
		}
	}
}

// connected begins to read GoNB's sockets and asks GoNB until its iopub is heard: a subscription takes a moment.
func (k *kernel) connected() {
	b := k.back
	go receive(b.iopub, k.front.key, func(m *jupyter.Message) { k.do(nil, func() { k.fromIOPub(m) }) })
	go receive(b.shell, k.front.key, func(m *jupyter.Message) { k.do(nil, func() { k.fromGoNB(m) }) })
	go receive(b.control, k.front.key, func(m *jupyter.Message) { k.do(nil, func() { k.fromGoNB(m) }) })
	go receive(b.stdin, k.front.key, func(m *jupyter.Message) { k.do(nil, func() { k.asksForInput(m) }) })
	go func() {
		for wait := 10 * time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
			heard := make(chan bool)
			k.do(nil, func() {
				if !k.ready {
					k.toGoNB(b.shell, jupyter.New("kernel_info_request", nil, map[string]any{}))
				}
				heard <- k.ready
			})
			if <-heard {
				return
			}
			time.Sleep(wait)
		}
	}()
}

// becomeReady sends what waited for GoNB.
func (k *kernel) becomeReady() {
	k.ready = true
	for _, m := range k.waiting {
		k.fromShell(m)
	}
	k.waiting = nil
	k.next()
}

// toGoNB sends a request of the kernel's own.
func (k *kernel) toGoNB(s zmq4.Socket, m *jupyter.Message) {
	k.own[m.Header.ID] = true
	k.forward(s, m)
}

// forward passes a client's request on; its identity travels along.
func (k *kernel) forward(s zmq4.Socket, m *jupyter.Message) {
	routing := m.Identities
	if len(routing) == 0 {
		routing = [][]byte{[]byte("kernel")}
	}
	_ = s.SendMulti(zmq4.NewMsgFrom(m.Frames(routing, k.front.key)...))
}

// fromShell handles a client's request.
func (k *kernel) fromShell(m *jupyter.Message) {
	k.wake(m)
	switch m.Header.Type {
	case "kernel_info_request", "history_request", "is_complete_request":
		k.front.status("busy", m)
		k.front.answer(k.front.shell, k.reply(m))
		k.front.status("idle", m)
	case "execute_request":
		k.queue = append(k.queue, m)
		k.next()
	case "shutdown_request", "interrupt_request":
		k.control(k.front.shell, m)
	default:
		if k.broken != nil {
			k.front.status("busy", m)
			k.front.answer(k.front.shell, refusal(m, k.broken.Error()))
			k.front.status("idle", m)
			return
		}
		if !k.ready {
			k.waiting = append(k.waiting, m)
			return
		}
		if m.Header.Type == "complete_request" || m.Header.Type == "inspect_request" {
			k.whenGoplsIsReady(m, func() { k.forward(k.back.shell, k.assist(m)) })
			return
		}
		k.forward(k.back.shell, m)
	}
}

// wake starts gopls, which takes its time, when a person works here. Headless runs only introduce themselves and execute;
// browsers leave the user's name in the header empty, which jupyter_client fills in.
func (k *kernel) wake(m *jupyter.Message) {
	switch m.Header.Type {
	case "kernel_info_request":
		if m.Header.Username != "" {
			return
		}
	case "execute_request", "shutdown_request", "interrupt_request":
		return
	}
	if k.broken == nil {
		build.WakeGopls(k.run.Path)
	}
}

func (k *kernel) fromControl(m *jupyter.Message) {
	switch m.Header.Type {
	case "kernel_info_request":
		k.front.answer(k.front.control, k.reply(m))
	default:
		k.control(k.front.control, m)
	}
}

// control handles the requests that don't wait in the queue.
func (k *kernel) control(s zmq4.Socket, m *jupyter.Message) {
	switch m.Header.Type {
	case "shutdown_request":
		var request struct {
			Restart bool `json:"restart"`
		}
		_ = m.Decode(&request)
		reply := jupyter.New("shutdown_reply", m, map[string]any{"status": "ok", "restart": request.Restart})
		k.front.answer(s, reply)
		k.front.publish(reply)
		k.end(nil)
	case "interrupt_request":
		k.front.status("busy", m)
		k.interrupt()
		k.front.answer(s, jupyter.New("interrupt_reply", m, map[string]any{"status": "ok"}))
		k.front.status("idle", m)
	}
}

// asksForInput passes GoNB's request for input on, if there is somebody to answer.
func (k *kernel) asksForInput(m *jupyter.Message) {
	if e := k.current; e != nil && !e.flag("allow_stdin", false) {
		e.verdict = failure.NoInput()
		k.interrupt()
		return
	}
	k.front.answer(k.front.stdin, m)
}

// fromStdin passes a client's input on.
func (k *kernel) fromStdin(m *jupyter.Message) {
	if k.ready {
		k.forward(k.back.stdin, m)
	}
}

// fromGoNB handles a reply on GoNB's shell socket; GoNB answers there, too, what it was asked on the control socket.
func (k *kernel) fromGoNB(m *jupyter.Message) {
	switch {
	case k.own[m.ParentID]:
	case k.current != nil && k.current.id() == m.ParentID:
		k.current.reply = m
		k.finishIfOver()
	default:
		if a := k.assists[m.ParentID]; a != nil {
			k.assisted(a, m)
			return
		}
		k.front.answer(k.front.shell, m)
	}
}

// fromIOPub handles what GoNB publishes.
func (k *kernel) fromIOPub(m *jupyter.Message) {
	if !k.ready {
		k.becomeReady()
	}
	switch {
	case k.own[m.ParentID]:
	case k.current != nil && k.current.id() == m.ParentID:
		k.published(m)
	case k.assisting(m):
	default:
		k.front.publish(m)
	}
}

// lostGoNB reports the end of GoNB to whoever waits and ends the kernel.
func (k *kernel) lostGoNB(err error) {
	err = fmt.Errorf("GoNB ended: %w", err)
	fmt.Fprintln(os.Stderr, err, "\n"+k.back.lastWords())
	k.failAll(err)
	time.Sleep(50 * time.Millisecond) // for the messages to leave
	k.end(err)
}

// signals: Jupyter's interrupt, if it comes as a signal, and a polite end.
func (k *kernel) signals() {
	c := make(chan os.Signal, 8)
	signal.Notify(c, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	for s := range c {
		if s == syscall.SIGINT {
			k.do(nil, k.interrupt)
			continue
		}
		k.end(nil)
	}
}

// watchParent ends the kernel when the program that started it died without a word, as a grader that was killed.
func (k *kernel) watchParent() {
	parent := os.Getppid()
	if parent == 1 || os.Getenv("JPY_PARENT_PID") != strconv.Itoa(parent) {
		return // started some other way
	}
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
	k.end(nil)
}
