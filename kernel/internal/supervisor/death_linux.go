package supervisor

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// ownGroup gives a program a process group of its own, and kills it when the supervisor dies, also by SIGKILL.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// fionread asks how many bytes are in a pipe.
const fionread = unix.TIOCINQ
