//go:build !linux

package build

import "syscall"

// dieWithParent has no counterpart here; the watchdog ends the process group.
func dieWithParent() {}

func childDiesToo() *syscall.SysProcAttr { return nil }
