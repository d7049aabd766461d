package lakelab

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// drainStdout waits, for a moment, until the kernel has taken what was printed so far: the display pipe and standard
// output are two channels, and their order is otherwise a matter of luck.
func drainStdout() {
	if st, err := os.Stdout.Stat(); err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		return
	}
	for range 50 {
		var n int32
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, os.Stdout.Fd(), syscall.TIOCINQ, uintptr(unsafe.Pointer(&n)))
		if errno != 0 {
			return
		}
		time.Sleep(time.Millisecond) // once more after the last byte: it still has to be passed on
		if n == 0 {
			return
		}
	}
}
