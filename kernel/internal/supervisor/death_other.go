//go:build !linux

package supervisor

import "syscall"

// ownGroup gives a program a process group of its own. The kernel kills it if its supervisor is gone.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// fionread asks how many bytes are in a pipe.
const fionread = 0x4004667f
