package proxy

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/go-zeromq/zmq4"

	"mini-lakehouse-lab/kernel/internal/jupyter"
	"mini-lakehouse-lab/kernel/internal/rundir"
	"mini-lakehouse-lab/kernel/internal/supervisor"
)

// gonb is the stock GoNB behind the kernel, with its sockets.
type gonb struct {
	cmd                          *exec.Cmd
	shell, control, stdin, iopub zmq4.Socket
	ended                        chan error // its exit
	connected                    chan error // nil: the sockets are there
	logPath                      string
}

// standins are the programs that GoNB finds first on its PATH; each is this program under another name.
var standins = []string{"go", "goimports", "gopls"}

// startGoNB starts GoNB on unix sockets in the run folder.
func startGoNB(o Options, run *rundir.Dir, front jupyter.Connection, env []string) (*gonb, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(rundir.Bin(run.Path), 0o700); err != nil {
		return nil, err
	}
	for _, name := range standins {
		if err := os.Symlink(self, filepath.Join(rundir.Bin(run.Path), name)); err != nil {
			return nil, err
		}
	}
	if err := os.Symlink(self, supervisor.Runner(run.Path)); err != nil {
		return nil, err
	}
	back := jupyter.Connection{SignatureScheme: "hmac-sha256", Transport: "ipc", IP: run.File("z"), Key: front.Key,
		ShellPort: 1, ControlPort: 2, StdinPort: 3, IOPubPort: 4, HBPort: 5}
	// GoNB parses the kernel's id out of this name, for the widgets' websocket.
	name := filepath.Base(o.ConnectionFile)
	if !strings.HasPrefix(name, "kernel-") {
		name = "kernel-" + jupyter.NewID() + ".json"
	}
	connection := run.File(name)
	if err := back.Write(connection); err != nil {
		return nil, err
	}
	g := &gonb{ended: make(chan error, 1), connected: make(chan error, 1), logPath: run.File("gonb.log")}
	log, err := os.OpenFile(g.logPath, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	g.cmd = exec.Command(filepath.Join(filepath.Dir(self), "gonb"), "--kernel", connection, "-raw_error=true", "-go_work="+o.Project)
	g.cmd.Env = append(env,
		"TMPDIR="+run.Path,
		"PATH="+rundir.Bin(run.Path)+string(os.PathListSeparator)+os.Getenv("PATH"))
	g.cmd.Stdout, g.cmd.Stderr = log, log
	g.cmd.SysProcAttr = ownGroup()
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the death signal belongs to the thread, which therefore has to stay
		err := g.cmd.Start()
		started <- err
		if err == nil {
			g.ended <- g.cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("GoNB does not start (run make build): %w", err)
	}
	if err := rundir.AddGroup(run.Path, g.cmd.Process.Pid); err != nil {
		return nil, err
	}
	go func() { g.connected <- g.connect(back) }()
	return g, nil
}

// connect dials GoNB's sockets. The three dealers share one identity: GoNB asks for input by that of the shell request.
func (g *gonb) connect(back jupyter.Connection) error {
	ctx := context.Background()
	id := zmq4.WithID(zmq4.SocketIdentity("lakelab"))
	retry, retries := zmq4.WithDialerRetry(5*time.Millisecond), zmq4.WithDialerMaxRetries(4000)
	g.shell = zmq4.NewDealer(ctx, id, retry, retries)
	g.control = zmq4.NewDealer(ctx, id, retry, retries)
	g.stdin = zmq4.NewDealer(ctx, id, retry, retries)
	g.iopub = zmq4.NewSub(ctx, retry, retries)
	for _, s := range []struct {
		socket zmq4.Socket
		port   int
	}{{g.shell, back.ShellPort}, {g.control, back.ControlPort}, {g.stdin, back.StdinPort}, {g.iopub, back.IOPubPort}} {
		if err := s.socket.Dial(back.Endpoint(s.port)); err != nil {
			return err
		}
	}
	return g.iopub.SetOption(zmq4.OptionSubscribe, "")
}

// lastWords is the end of GoNB's log.
func (g *gonb) lastWords() string {
	text, err := os.ReadFile(g.logPath)
	if err != nil {
		return ""
	}
	return string(text[max(0, len(text)-2000):])
}

// folder is where GoNB writes main.go.
func folder(run *rundir.Dir) string {
	dirs, _ := filepath.Glob(run.File("gonb_*"))
	if len(dirs) == 0 {
		return ""
	}
	return dirs[0]
}
