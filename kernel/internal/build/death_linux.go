package build

import (
	"syscall"
)

// dieWithGoNB makes this process, and the program it becomes, end with GoNB.
func dieWithGoNB() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
}
