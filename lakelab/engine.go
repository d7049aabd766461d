package lakelab

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// engine is this process's one connection. Sessions of a process share it, because a cell is one session's program.
var engine link

type link struct {
	mu   sync.Mutex
	conn *os.File
	app  string
	zone *time.Location // the session's time zone
}

// request sends one request and waits for the reply, which it returns. Rows on the way go to onRows. A failure panics.
func (l *link) request(req map[string]any, onRows func([][]any)) map[string]any {
	if answering.Load() {
		raise("EngineError", "Посчитайте нужное до запроса и сохраните в переменной.", "внутри UDF нельзя обращаться к spark: движок как раз ждёт её ответа")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		l.connect()
	}
	return l.exchange(req, onRows)
}

// exchange is request on an open connection, with progress and interrupts.
func (l *link) exchange(req map[string]any, onRows func([][]any)) map[string]any {
	var bar progress
	defer bar.remove()
	defer l.watch(&bar)()
	if err := wire.WriteFrame(l.conn, req); err != nil {
		l.lost(err)
	}
	for {
		v, err := wire.ReadFrame(l.conn)
		if err != nil {
			l.lost(err)
		}
		m, _ := v.(map[string]any)
		switch m["t"] {
		case "progress":
			percent, _ := m["percent"].(float64)
			bar.set(percent, str(m["text"]))
		case "rows":
			if onRows == nil {
				l.lost(errors.New("rows that nobody asked for"))
			}
			onRows(rowsOf(m["rows"]))
		case "call":
			if err := wire.WriteFrame(l.conn, answerUDF(m)); err != nil {
				l.lost(err)
			}
		case "ok":
			return m
		case "error":
			bar.remove()
			panic(failure{errorOf(m)})
		default:
			l.lost(fmt.Errorf("an unknown message %v", m["t"]))
		}
	}
}

// watch shows the bar when the request takes long and cancels it on Ctrl-C or the notebook's stop button. The signal is
// caught only while a request runs, so that a cell's own handling of signals is left alone. It returns what ends it.
func (l *link) watch(bar *progress) (stop func()) {
	conn := l.conn
	done := make(chan struct{})
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		timer := time.NewTimer(progressDelay)
		defer timer.Stop()
		for {
			select {
			case <-done:
				return
			case <-timer.C:
				bar.show()
			case <-interrupted:
				// The process ends here by the same signal, as it would without lakelab.
				_ = wire.WriteFrame(conn, wire.Node{"op": wire.OpCancel})
				bar.remove()
				signal.Reset(os.Interrupt)
				_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
			}
		}
	}()
	return func() {
		signal.Stop(interrupted)
		close(done)
	}
}

// lost reports a broken connection; the next request makes a new one.
func (l *link) lost(err error) {
	l.close()
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		_ = os.Remove(wire.SessionFile(lakehouseDir(), sessionID())) // said here, so that the next cell needn't
		raise("EngineError", "Выполните ячейку ещё раз: движок запустится заново. Если она писала в таблицу, сначала посмотрите, не записано ли уже (… .snapshots). "+
			"Текущая схема, настройки, временные представления и значения lakelab.Var потеряны: их ячейки выполните снова.",
			"движок lakelab остановился во время запроса")
	}
	raise("EngineError", "", "связь с движком lakelab прервалась: %v", err)
}

func (l *link) close() {
	if l.conn != nil {
		l.conn.Close()
		l.conn = nil
	}
}

// connect finds or starts the engine and says hello.
func (l *link) connect() {
	lakehouse := lakehouseDir()
	socket := filepath.Join(wire.RunFolder(lakehouse), "engine.sock")
	conn, err := dial(socket)
	if err != nil {
		startEngine(lakehouse)
		if conn, err = dial(socket); err != nil {
			raise("EngineError", "", "движок запущен, но не отвечает на %s: %v", socket, err)
		}
	}
	l.conn = conn
	cwd, _ := os.Getwd()
	defer func() {
		if p := recover(); p != nil {
			l.close() // a connection without a hello is of no use
			panic(p)
		}
	}()
	reply := l.exchange(wire.Node{
		"op": wire.OpHello, "version": wire.Version, "session": sessionID(), "app": l.app, "cwd": cwd, "owner": sessionOwner(), "build": wire.Build(engineFile()),
	}, nil)
	l.setZone(str(reply["timeZone"]))
	udfsMu.Lock()
	known := slices.Clone(udfs)
	udfsMu.Unlock()
	for _, u := range known {
		l.exchange(u.registration(), nil)
	}
}

// setZone keeps the session's time zone for Row.Time. An unknown name leaves the old one.
func (l *link) setZone(name string) {
	if name == "" || l.zone != nil && l.zone.String() == name {
		return
	}
	if zone, ok := types.Zone(name); ok {
		l.zone = zone
	}
}

// dial connects to a unix socket without package net, which would double a cell's link time.
func dial(path string) (*os.File, error) {
	address := path
	if len(path) > maxSocketPath {
		// The path does not fit into a socket address; on Linux an open folder has a short name.
		if runtime.GOOS != "linux" {
			return nil, fmt.Errorf("путь %s слишком длинный для сокета (не больше %d байт): выберите папку lakehouse с более коротким путём", path, maxSocketPath)
		}
		dir, err := os.Open(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		address = "/proc/self/fd/" + strconv.Itoa(int(dir.Fd())) + "/" + filepath.Base(path)
	}
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: address})
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// maxSocketPath fits into sockaddr_un on Linux (108) and macOS (104).
const maxSocketPath = 100

// startEngine runs `lakelab engine start`, which returns when the engine answers.
func startEngine(lakehouse string) {
	bin := engineBinary()
	r, w, err := os.Pipe()
	if err != nil {
		raise("EngineError", "", "не удалось запустить движок: %v", err)
	}
	defer r.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		raise("EngineError", "", "не удалось запустить движок: %v", err)
	}
	defer null.Close()
	proc, err := os.StartProcess(bin, []string{bin, "engine", "start", "--lakehouse", lakehouse}, &os.ProcAttr{Files: []*os.File{null, null, w}})
	w.Close()
	if err != nil {
		raise("EngineError", "Соберите проект: make build.", "не удалось запустить движок %s: %v", bin, err)
	}
	said, _ := io.ReadAll(io.LimitReader(r, 1<<16))
	state, err := proc.Wait()
	if err != nil {
		raise("EngineError", "", "не удалось запустить движок: %v", err)
	}
	if !state.Success() {
		raise("EngineError", "", "движок не запустился (%v):\n%s", state, strings.TrimSpace(string(said)))
	}
}

// engineBinary is the engine's program.
func engineBinary() string {
	bin := engineFile()
	if bin == "" {
		raise("EngineError", "Соберите проект: make build.", "программа lakelab не найдена")
	}
	return bin
}

// engineFile is LAKELAB_BIN, else bin/lakelab of the project, else lakelab on the PATH, else nothing.
func engineFile() string {
	if bin := os.Getenv("LAKELAB_BIN"); bin != "" {
		return bin
	}
	if project := projectDir(); project != "" {
		if bin := filepath.Join(project, "bin", "lakelab"); isExecutable(bin) {
			return bin
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if bin := filepath.Join(dir, "lakelab"); filepath.IsAbs(dir) && isExecutable(bin) {
			return bin
		}
	}
	return ""
}

func isExecutable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0
}

// lakehouseDir is LAKELAB_LAKEHOUSE, else the folder lakehouse of the project.
func lakehouseDir() string {
	dir := os.Getenv("LAKELAB_LAKEHOUSE")
	if dir == "" {
		project := projectDir()
		if project == "" {
			raise("EngineError", "", "папка lakehouse не найдена: задайте переменную окружения LAKELAB_LAKEHOUSE")
		}
		dir = filepath.Join(project, "lakehouse")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		raise("EngineError", "", "папка lakehouse %s: %v", dir, err)
	}
	return abs
}

// projectDir is the folder that holds this package's folder, or "" if the program was built with -trimpath.
func projectDir() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	return filepath.Dir(filepath.Dir(file))
}

// sessionID names the session: all cells of one kernel share it. Without a kernel it is this process.
func sessionID() string {
	if id := os.Getenv("LAKELAB_SESSION"); id != "" {
		return id
	}
	if dir := os.Getenv("GONB_TMP_DIR"); dir != "" {
		return filepath.Base(dir)
	}
	return "pid-" + strconv.Itoa(os.Getpid())
}

// sessionOwner is the process with which the session ends: GoNB, or this one. Our own kernel ends it itself.
func sessionOwner() int {
	switch {
	case os.Getenv("LAKELAB_KERNEL") != "":
		return 0
	case os.Getenv("GONB_TMP_DIR") != "":
		return os.Getppid()
	case os.Getenv("LAKELAB_SESSION") != "":
		return 0 // whoever set it knows when it ends
	}
	return os.Getpid()
}

// errorOf reads an error reply.
func errorOf(m map[string]any) *Error {
	e := &Error{
		Exception: str(m["exception"]), Class: str(m["class"]), SQLState: str(m["sqlState"]),
		Message: str(m["message"]), Hint: str(m["hint"]), text: str(m["text"]),
	}
	if e.Exception == "" {
		e.Exception = "EngineError"
	}
	if params, _ := m["params"].(map[string]any); len(params) > 0 {
		e.Params = make(map[string]string, len(params))
		for k, v := range params {
			e.Params[k] = str(v)
		}
	}
	return e
}

// call sends a request without rows.
func call(req wire.Node) map[string]any { return engine.request(req, nil) }

// str reads an optional string of a reply.
func str(v any) string {
	s, _ := v.(string)
	return s
}

// schemaOf reads the schema of a reply.
func schemaOf(reply map[string]any) types.Type {
	t, _ := reply["schema"].(types.Type)
	return t
}
