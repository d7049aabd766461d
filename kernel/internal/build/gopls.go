package build

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"mini-lakehouse-lab/kernel/internal/rundir"
)

// Gopls stands between GoNB and gopls, as `gopls -listen unix;PATH`. GoNB starts gopls with every kernel, where it reads the
// whole project: seconds of CPU and hundreds of megabytes, of which a headless run never sees a completion. So GoNB is
// answered here at first, and gopls is started when somebody works with the notebook (WakeGopls) or asks something. It is
// told to look at the cell only, not at the project's other packages. It does not return.
func Gopls(args []string) {
	if len(args) != 2 || args[0] != "-listen" || !strings.HasPrefix(args[1], "unix;") {
		runReal("gopls", args, goEnv(os.Environ()))
	}
	socket := strings.TrimPrefix(args[1], "unix;")
	run := filepath.Dir(filepath.Dir(socket))
	// GoNB gives it a process group of its own and forgets it when it is killed itself.
	if err := rundir.AddGroup(run, syscall.Getpgrp()); err != nil {
		fail(err)
	}
	dieWithParent()
	listener, err := net.Listen("unix", socket)
	if err != nil {
		fail(err)
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		fail(err)
	}
	dir := filepath.Dir(socket)
	server := &gopls{dir: dir, run: run}
	go func(first *gopls) {
		for {
			if _, err := os.Stat(wakeFile(run)); err == nil {
				_ = first.start()
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}(server)
	for {
		client, err := listener.Accept()
		if err != nil {
			fail(err)
		}
		server.serve(client)
		// The next client expects a server that knows nothing yet.
		server.stop()
		server = &gopls{dir: dir, run: run}
	}
}

func wakeFile(run string) string { return filepath.Join(run, "interactive") }

func readyFile(run string) string { return filepath.Join(run, "gopls-ready") }

// GoplsReady reports whether gopls has read what it needs. GoNB gives it eight seconds for an answer, which is not enough
// for the first one on a busy machine.
func GoplsReady(run string) bool {
	_, err := os.Stat(readyFile(run))
	return err == nil
}

// WakeGopls says that completions are to be expected.
func WakeGopls(run string) {
	if _, err := os.Stat(wakeFile(run)); err != nil {
		_ = os.WriteFile(wakeFile(run), nil, 0o600)
	}
}

// gopls is one gopls process, started on demand and initialized by us.
type gopls struct {
	dir  string // the cell's
	run  string // the kernel's
	once sync.Once
	err  error
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

const ourInit = `"lakelab-initialize"`

// start starts gopls and says the first words, which are GoNB's but for the options.
func (g *gopls) start() error {
	g.once.Do(func() { g.err = g.begin() })
	return g.err
}

func (g *gopls) begin() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	program := filepath.Join(filepath.Dir(self), "gopls")
	if _, err := os.Stat(program); err != nil {
		if program, err = RealTool("gopls"); err != nil {
			return err
		}
	}
	g.cmd = exec.Command(program)
	g.cmd.Dir = g.dir
	g.cmd.Env = goEnv(os.Environ(), "PWD="+g.dir)
	g.cmd.SysProcAttr = childDiesToo()
	if g.in, err = g.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := g.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	g.out = bufio.NewReader(out)
	if err := g.cmd.Start(); err != nil {
		return err
	}
	uri := (&url.URL{Scheme: "file", Path: g.dir}).String()
	if err := writeFrame(g.in, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"initialize","params":{"processId":0,"rootUri":%s,"capabilities":{},`+
		`"workspaceFolders":[{"uri":%s,"name":"cell"}],`+
		`"initializationOptions":{"expandWorkspaceToModule":false,"completeUnimported":false,"diagnosticsTrigger":"Save","analyses":{},"vulncheck":"Off"}}}`, ourInit, jsonText(uri), jsonText(uri))); err != nil {
		return err
	}
	if err := g.await(ourInit); err != nil {
		return err
	}
	if err := writeFrame(g.in, []byte(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)); err != nil {
		return err
	}
	// A completion in a file of our own takes what the first one takes: reading and checking all that cells import.
	file := jsonText(uri + "/main.go")
	for _, m := range []string{
		fmt.Sprintf(`"method":"textDocument/didOpen","params":{"textDocument":{"uri":%s,"languageId":"go","version":1,"text":%s}}`, file, jsonText(warmUp)),
		fmt.Sprintf(`"id":%s,"method":"textDocument/completion","params":{"textDocument":{"uri":%s},"position":{"line":%d,"character":9}}`, ourInit, file, strings.Count(warmUp, "\n")-2),
		fmt.Sprintf(`"method":"textDocument/didClose","params":{"textDocument":{"uri":%s}}`, file),
	} {
		if err := writeFrame(g.in, []byte(`{"jsonrpc":"2.0",`+m+`}`)); err != nil {
			return err
		}
	}
	if err := g.await(ourInit); err != nil {
		return err
	}
	return os.WriteFile(readyFile(g.run), nil, 0o600)
}

// warmUp imports what most cells do. The cursor stands behind the dot.
const warmUp = `package main

import (
	"flag"
	"fmt"

	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

var _, _, _ = flag.Parse, fmt.Println, F.Col

func main() {
	lakelab.
}
`

// jsonText is a string in JSON.
func jsonText(s string) []byte {
	b, _ := json.Marshal(s) // a string never fails
	return b
}

// await reads until the answer to a request of our own.
func (g *gopls) await(id string) error {
	for {
		frame, err := readFrame(g.out)
		if err != nil {
			return err
		}
		var m struct {
			ID json.RawMessage `json:"id"`
		}
		if json.Unmarshal(frame, &m) == nil && string(m.ID) == id {
			return nil
		}
	}
}

// serve passes GoNB's requests on for as long as it stays connected. Only initialize is answered here.
func (g *gopls) serve(client net.Conn) {
	defer client.Close()
	in := bufio.NewReader(client)
	passing := false
	for {
		frame, err := readFrame(in)
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.Unmarshal(frame, &m); err != nil {
			return
		}
		switch m.Method {
		case "initialize":
			if writeFrame(client, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"capabilities":{}}}`, m.ID)) != nil {
				return
			}
			continue
		case "initialized":
			continue
		}
		if err := g.start(); err != nil {
			fmt.Fprintln(os.Stderr, "gopls:", err)
			return
		}
		if !passing {
			passing = true
			go func() {
				_, _ = io.Copy(client, g.out)
				client.Close()
			}()
		}
		if writeFrame(g.in, frame) != nil {
			return
		}
	}
}

func (g *gopls) stop() {
	g.once.Do(func() { g.err = os.ErrClosed }) // waits for a start that is under way, prevents a later one
	_ = os.Remove(readyFile(g.run))
	if g.cmd != nil && g.cmd.Process != nil {
		_ = g.cmd.Process.Kill()
		_ = g.cmd.Wait()
	}
}

// frameLimit bounds a message between GoNB and gopls.
const frameLimit = 64 << 20

func readFrame(r *bufio.Reader) ([]byte, error) {
	size := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Content-Length") {
			if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return nil, err
			}
		}
	}
	if size < 0 || size > frameLimit {
		return nil, fmt.Errorf("gopls: a message of %d bytes", size)
	}
	frame := make([]byte, size)
	_, err := io.ReadFull(r, frame)
	return frame, err
}

func writeFrame(w io.Writer, frame []byte) error {
	_, err := w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(frame)), frame...))
	return err
}
