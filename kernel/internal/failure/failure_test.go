package failure

import (
	"syscall"
	"testing"

	"mini-lakehouse-lab/kernel/internal/supervisor"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct{ head, name, value string }{
		{"panic: AssertionError: Ожидалось\n\tвторая\n\n", "AssertionError", "Ожидалось\nвторая"},
		{"panic: boom [recovered, repanicked]\n\n", "panic", "boom"},
		{"panic: first [recovered]\n\tpanic: ValueError: second\n\n", "ValueError", "second"},
		{"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1]\n\n", "runtime error", "invalid memory address or nil pointer dereference"},
		{"runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n", "fatal error", "stack overflow"},
		{"panic: java.lang.IllegalArgumentException: x\n\n", "java.lang.IllegalArgumentException", "x"},
	} {
		if name, value := describe(c.head); name != c.name || value != c.value {
			t.Errorf("%q: %q, %q", c.head, name, value)
		}
	}
}

func TestFatal(t *testing.T) {
	dump := "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n"
	for _, c := range []struct {
		text string
		end  supervisor.Exit
		want bool
	}{
		{dump, supervisor.Exit{Code: 2}, true},
		{dump, supervisor.Exit{Code: 1}, false}, // printed by the program, which then left by os.Exit
		{dump, supervisor.Exit{Signal: syscall.SIGABRT}, true},
		{"panic: x\n", supervisor.Exit{Code: 2}, false},
	} {
		if got := Fatal(c.text, c.end); got != c.want {
			t.Errorf("%q, %+v: %v", c.text, c.end, got)
		}
	}
}
