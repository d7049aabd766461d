//go:build !linux

package supervisor

import "syscall"

// dieWithParent has no counterpart here: the kernel kills a cell whose supervisor is gone.
func dieWithParent() *syscall.SysProcAttr { return nil }
