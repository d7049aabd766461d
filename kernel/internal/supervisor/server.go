package supervisor

import (
	"encoding/json"
	"net"
	"os"
	"syscall"
)

// Exit is how a cell's program ended.
type Exit struct {
	Code   int
	Signal syscall.Signal // 0: it ended by itself
	Text   string         // why it could not be started
}

// OK reports whether the program succeeded.
func (e Exit) OK() bool { return e.Code == 0 && e.Signal == 0 }

// Server is the kernel's side. Its functions are called from several goroutines.
type Server struct {
	MayStart func() bool // asked before a program starts
	Ended    func(Exit)  // told before GoNB learns it

	listener net.Listener
}

// Listen accepts the supervisors of the kernel whose folder is run.
func (s *Server) Listen(run string) error {
	l, err := net.Listen("unix", Socket(run))
	if err != nil {
		return err
	}
	s.listener = l
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return os.Chmod(Socket(run), 0o600)
}

// Close ends the listening.
func (s *Server) Close() { _ = s.listener.Close() }

func (s *Server) serve(conn net.Conn) {
	defer conn.Close()
	in, out := json.NewDecoder(conn), json.NewEncoder(conn)
	pid, asked := 0, false
	for {
		var r report
		if err := in.Decode(&r); err != nil {
			// The supervisor is gone without a report: it was killed, and the cell goes with it.
			if asked {
				if pid > 0 {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
				s.Ended(Exit{Signal: syscall.SIGKILL})
			}
			return
		}
		switch r.Event {
		case "start":
			run := s.MayStart()
			asked = run
			_ = out.Encode(answer{Run: run})
			if !run {
				return
			}
		case "started":
			pid = r.PID
		case "exit":
			s.Ended(Exit{Code: r.Code, Signal: syscall.Signal(r.Signal), Text: r.Text})
			_ = out.Encode(answer{})
			return
		}
	}
}
