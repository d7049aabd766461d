package supervisor

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// Exit is how a program ended.
type Exit struct {
	Code    int
	Signal  syscall.Signal // 0: it ended by itself
	Text    string         // why it could not be started
	Dropped int            // bytes of output that an interrupt left behind
}

// OK reports whether the program succeeded.
func (e Exit) OK() bool { return e.Code == 0 && e.Signal == 0 }

// Server is the kernel's side. Its functions are called from several goroutines.
type Server struct {
	MayStart func(Kind) (run bool, args []string) // asked before a program starts
	Ended    func(Kind, Exit)                     // told before GoNB learns it

	listener net.Listener
	mu       sync.Mutex
	running  map[*program]bool
}

// program is one that runs.
type program struct {
	conn  net.Conn
	taken int64
}

// Listen accepts the supervisors of the kernel whose folder is run.
func (s *Server) Listen(run string) error {
	l, err := net.Listen("unix", Socket(run))
	if err != nil {
		return err
	}
	s.listener, s.running = l, map[*program]bool{}
	go func() {
		for {
			conn, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // out of file descriptors, say
				time.Sleep(10 * time.Millisecond)
				continue
			}
			go s.serve(&program{conn: conn})
		}
	}()
	return os.Chmod(Socket(run), 0o600)
}

// Close ends the listening.
func (s *Server) Close() { _ = s.listener.Close() }

// Taken tells the program that runs that n more bytes of its output have left, so that more may come.
func (s *Server) Taken(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.running {
		p.taken += int64(n)
		p.say(answer{Taken: p.taken})
	}
}

// say sends an answer. A supervisor reads at once; one that is stopped is not waited for.
func (p *program) say(a answer) {
	_ = p.conn.SetWriteDeadline(time.Now().Add(time.Second))
	_ = json.NewEncoder(p.conn).Encode(a)
}

func (s *Server) serve(p *program) {
	defer p.conn.Close()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, p)
	}()
	in := json.NewDecoder(p.conn)
	var kind Kind
	pid, asked := 0, false
	for {
		var r report
		if err := in.Decode(&r); err != nil {
			// The supervisor is gone without a report: it was killed, and the program goes with it.
			if asked {
				if pid > 0 {
					_ = syscall.Kill(-pid, syscall.SIGKILL)
				}
				s.Ended(kind, Exit{Signal: syscall.SIGKILL})
			}
			return
		}
		switch r.Event {
		case "start":
			kind = r.Kind
			run, args := s.MayStart(kind)
			asked = run
			s.mu.Lock()
			p.say(answer{Run: run, Args: args})
			s.running[p] = run
			s.mu.Unlock()
			if !run {
				return
			}
		case "started":
			pid = r.PID
		case "exit":
			s.Ended(kind, Exit{Code: r.Code, Signal: syscall.Signal(r.Signal), Text: r.Text, Dropped: r.Dropped})
			return // hanging up tells the supervisor
		}
	}
}
