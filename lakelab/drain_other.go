//go:build !linux

package lakelab

import "time"

// drainStdout gives the kernel a moment to take what was printed so far; only Linux tells when it has.
func drainStdout() { time.Sleep(2 * time.Millisecond) }
