package supervisor

import "syscall"

// dieWithParent kills the cell when the supervisor dies, also by SIGKILL.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
