package daemon

import (
	"net"
	"syscall"
	"testing"
)

// scarce is a listener of a process that is out of file descriptors now and then.
type scarce struct {
	net.Listener
	answers []error
}

func (s *scarce) Accept() (net.Conn, error) {
	err := s.answers[0]
	s.answers = s.answers[1:]
	if err != nil {
		return nil, &net.OpError{Op: "accept", Err: err}
	}
	c, _ := net.Pipe()
	return c, nil
}

// TestAcceptGoesOn: connections are served after an Accept that failed, until the listener is closed.
func TestAcceptGoesOn(t *testing.T) {
	served := 0
	accept(t.Context(), &scarce{answers: []error{nil, syscall.EMFILE, syscall.ECONNABORTED, nil, net.ErrClosed}}, func(net.Conn) { served++ })
	if served != 2 {
		t.Errorf("%d connections were served", served)
	}
}
