package proxy

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"mini-lakehouse-lab/kernel/internal/cell"
	"mini-lakehouse-lab/kernel/internal/failure"
	"mini-lakehouse-lab/kernel/internal/jupyter"
	"mini-lakehouse-lab/kernel/internal/rundir"
	"mini-lakehouse-lab/kernel/internal/supervisor"
)

// execution is one execute request. GoNB's reply and its idle are held until both are there; only then is it known what
// happened, and the client sees, in this order: output, error, reply, idle.
type execution struct {
	request *jupyter.Message
	content map[string]any
	plan    *cell.Plan
	decls   cell.Declarations
	count   int

	reply, idle *jupyter.Message
	gonbError   *failure.Failure
	verdict     *failure.Failure // known before the end
	end         *programEnd      // of the cell's program or script, if one ran
	commands    int              // shell commands and scripts that ended
	out         output
	stderr      stderrFilter
	stderrOf    *jupyter.Message // a stderr message, to make others like it
	sent        bool             // GoNB has the request
}

// programEnd is how a program of the cell ended.
type programEnd struct {
	kind supervisor.Kind
	supervisor.Exit
}

func (e *execution) id() string { return e.request.Header.ID }

func (e *execution) flag(name string, otherwise bool) bool {
	if v, ok := e.content[name].(bool); ok {
		return v
	}
	return otherwise
}

// next starts the next request of the queue. GoNB gets one at a time: it would run on past a failure.
func (k *kernel) next() {
	for (k.ready || k.broken != nil) && k.current == nil && len(k.queue) > 0 {
		m := k.queue[0]
		k.queue = k.queue[1:]
		k.execute(m)
	}
}

func (k *kernel) execute(m *jupyter.Message) {
	e := &execution{request: m, content: map[string]any{}}
	if err := m.Decode(&e.content); err != nil { // nobody can wait for ever
		k.front.status("busy", m)
		k.front.answer(k.front.shell, jupyter.New("execute_reply", m, map[string]any{
			"status": "error", "execution_count": k.count, "ename": kernelError, "evalue": "execute_request: " + err.Error(), "traceback": []string{},
		}))
		k.front.status("idle", m)
		return
	}
	code, _ := e.content["code"].(string)
	// GoNB takes these for given.
	e.content["silent"] = e.flag("silent", false)
	e.content["store_history"] = e.flag("store_history", !e.flag("silent", false))
	e.content["allow_stdin"] = e.flag("allow_stdin", false)
	if e.flag("store_history", true) {
		k.count++
	}
	e.count = k.count
	e.plan = cell.New(code)
	k.stopped.Store(false)
	k.testing.Store(e.plan.Test)
	k.current = e
	if k.broken != nil {
		k.refuse(e, failure.New(kernelError, k.broken.Error()))
		return
	}
	if err := e.plan.CheckMagics(); err != nil {
		k.refuse(e, failure.Refused(err, e.plan.Source, e.count))
		return
	}
	e.plan.Supervise(supervisor.Runner(k.run.Path))
	var err error
	if e.decls, err = e.plan.Declarations(e.count); err != nil {
		k.refuse(e, failure.Refused(err, e.plan.Source, e.count))
		return
	}
	e.content["code"] = e.plan.Code()
	e.sent = true
	k.forward(k.back.shell, m.WithContent(e.content))
}

// refuse answers a cell that can't run. GoNB does not see it.
func (k *kernel) refuse(e *execution, f *failure.Failure) {
	k.front.status("busy", e.request)
	if !e.flag("silent", false) {
		k.front.publish(jupyter.New("execute_input", e.request, map[string]any{"code": source(e.request), "execution_count": e.count}))
	}
	k.conclude(e, f)
	k.front.status("idle", e.request)
	k.current = nil
}

const kernelError = "KernelError"

// refusal answers a request that can't be handled.
func refusal(m *jupyter.Message, text string) *jupyter.Message {
	return jupyter.New(strings.TrimSuffix(m.Header.Type, "_request")+"_reply", m, map[string]any{
		"status": "error", "ename": kernelError, "evalue": text, "traceback": []string{},
	})
}

// brokeDown answers for an event that was not handled to its end.
func (k *kernel) brokeDown(request *jupyter.Message, text string) {
	f := failure.New(kernelError, "a defect of the kernel: "+text)
	e := k.current
	switch {
	case e != nil && (request == nil || request == e.request):
		if e.sent && (e.reply == nil || e.idle == nil) {
			e.verdict = f // the cell goes on
			return
		}
		k.conclude(e, f)
		k.front.status("idle", e.request)
		k.current = nil
		k.do(nil, k.next)
	case request != nil:
		k.front.answer(k.front.shell, refusal(request, text))
		k.front.status("idle", request)
	}
}

func source(m *jupyter.Message) string {
	var content struct {
		Code string `json:"code"`
	}
	_ = m.Decode(&content)
	return content.Code
}

// published handles what GoNB publishes about the current request.
func (k *kernel) published(m *jupyter.Message) {
	e := k.current
	switch m.Header.Type {
	case "status":
		var status struct {
			State string `json:"execution_state"`
		}
		if _ = m.Decode(&status); status.State == "idle" {
			e.idle = m
			k.finishIfOver()
			return
		}
	case "execute_input":
		m = m.WithContent(map[string]any{"code": source(e.request), "execution_count": e.count})
	case "error":
		e.gonbError = &failure.Failure{}
		_ = m.Decode(e.gonbError)
		return
	case "stream":
		var stream struct {
			Name string `json:"name"`
			Text string `json:"text"`
		}
		_ = m.Decode(&stream)
		k.took(e, len(stream.Text))
		if stream.Name == "stderr" {
			e.stderrOf = m
			holding := e.stderr.holding
			stream.Text = e.stderr.pass(stream.Text)
			if !holding && e.stderr.holding {
				time.AfterFunc(holdPatience, func() { k.do(nil, func() { k.release(e) }) })
			}
		}
		k.say(e, stream.Name, stream.Text, m)
		return
	}
	k.flush(e, true)
	k.front.publish(m)
}

// holdPatience is how long stderr is held that looks like a program's death while the program lives.
const holdPatience = 3 * time.Second

// release passes on what was held, unless the runtime is still writing: millions of frames take it a while.
func (k *kernel) release(e *execution) {
	if failure.Dumping(e.stderr.held.String()) {
		return
	}
	if held := e.stderr.take(); k.current == e && held != "" {
		k.say(e, "stderr", held, e.stderrOf)
	}
}

// finishIfOver ends the current request when GoNB has said all it has to say.
func (k *kernel) finishIfOver() {
	e := k.current
	if e.reply == nil || e.idle == nil {
		return
	}
	held := e.stderr.take()
	f, shown := k.judge(e)
	if held != "" && !shown {
		k.say(e, "stderr", held, e.stderrOf)
	}
	k.flush(e, true)
	k.sayDropped(e)
	if f == nil || f.Name != failure.CompileError {
		k.sources.Add(e.decls)
		for name := range e.plan.Locals {
			k.locals[name] = e.count
		}
	}
	k.conclude(e, f)
	k.front.publish(e.idle)
	k.current = nil
	k.next()
}

// judge finds out whether and how the request failed; shown tells that the failure says what the runtime wrote.
func (k *kernel) judge(e *execution) (f *failure.Failure, shown bool) {
	account, died := "", false
	if e.end != nil {
		account, died = failure.Account(e.stderr.tail.String(), e.end.Exit)
	}
	stopped := k.stopped.Load()
	switch {
	case e.verdict != nil:
		return e.verdict, false
	case stopped && (e.end == nil || !e.end.OK()):
		return failure.Interrupted(), died
	case e.gonbError != nil:
		return failure.Compile(e.gonbError.Value, k.mainGo(e), e.count, k.local), false
	case e.end == nil && e.plan.Runs(), e.commands < e.plan.Commands:
		return failure.Unreported(), false
	case e.end == nil || e.end.OK():
		return nil, false
	case died:
		return failure.Panic(account, k.mainGo(e), e.count), true
	}
	return failure.Ended(e.end.kind, e.end.Exit, e.plan.Test), false
}

// local is the cell whose main declared a name.
func (k *kernel) local(name string) (cell int, ok bool) {
	cell, ok = k.locals[name]
	return cell, ok
}

// mainGo maps the program of the current request. GoNB leaves it there until the next one.
func (k *kernel) mainGo(e *execution) cell.Map {
	dir := folder(k.run)
	for _, name := range []string{"main.go", "main_test.go"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return k.sources.With(e.decls).Map(text)
		}
	}
	return cell.Map{}
}

// conclude publishes the failure (nil: none), answers, and aborts what waits behind a failed cell.
func (k *kernel) conclude(e *execution, f *failure.Failure) {
	content := map[string]any{"status": "ok", "execution_count": e.count, "user_expressions": map[string]any{}, "payload": []any{}}
	if f != nil {
		content = map[string]any{"status": "error", "execution_count": e.count, "ename": f.Name, "evalue": f.Value, "traceback": f.Traceback}
		k.front.publish(jupyter.New("error", e.request, f))
	}
	k.front.answer(k.front.shell, jupyter.New("execute_reply", e.request, content))
	if f == nil || !e.flag("stop_on_error", true) {
		return
	}
	k.abortQueue()
}

// abortQueue answers the requests that wait.
func (k *kernel) abortQueue() {
	for _, m := range k.queue {
		k.front.status("busy", m)
		k.front.answer(k.front.shell, jupyter.New("execute_reply", m, map[string]any{"status": "aborted", "execution_count": k.count}))
		k.front.status("idle", m)
	}
	k.queue = nil
}

// failAll answers the running and the waiting requests when GoNB is gone.
func (k *kernel) failAll(err error) {
	if e := k.current; e != nil {
		k.conclude(e, failure.New(kernelError, err.Error()))
		k.front.status("idle", e.request)
		k.current = nil
	}
	k.abortQueue()
}

// interrupt stops the current request: its program, or the build that comes before it.
func (k *kernel) interrupt() {
	if k.current == nil {
		return
	}
	k.stopped.Store(true)
	rundir.StopBuild(k.run.Path)
	k.toGoNB(k.back.control, jupyter.New("interrupt_request", nil, map[string]any{}))
}

// mayStart is asked by a supervisor, for the cell's program after the build.
func (k *kernel) mayStart(kind supervisor.Kind) (run bool, args []string) {
	if kind == supervisor.Cell && k.testing.Load() {
		args = []string{"-test.paniconexit0"} // as `go test` does: os.Exit(0) is no success
	}
	return !k.stopped.Load(), args
}

// programEnded is told by a supervisor; the loop has to know it before GoNB can answer.
func (k *kernel) programEnded(kind supervisor.Kind, end supervisor.Exit) {
	heard := make(chan bool)
	k.do(nil, func() {
		defer close(heard)
		e := k.current
		if e == nil {
			return
		}
		e.out.dropped += end.Dropped
		if kind != supervisor.Cell {
			e.commands++
		}
		if kind != supervisor.Shell { // as in IPython, a shell command's status is shown and no more
			e.end = &programEnd{kind, end}
		}
	})
	<-heard
}
