package proxy

import "syscall"

// ownGroup keeps Jupyter's signals to the kernel's process group away from GoNB, which ends with the kernel all the same.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
