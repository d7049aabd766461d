//go:build !linux

package proxy

import "syscall"

// ownGroup keeps Jupyter's signals to the kernel's process group away from GoNB; the watchdog ends it with the kernel.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
