package failure

import (
	"strings"
	"syscall"
	"testing"

	"mini-lakehouse-lab/kernel/internal/cell"
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

func TestAccount(t *testing.T) {
	dump := "\n\ngoroutine 1 [running]:\nmain.main()\n\tcell/main.go:7 +0x1\n"
	died := supervisor.Exit{Code: 2}
	for _, c := range []struct {
		name, stderr string
		end          supervisor.Exit
		want         string // how the account begins; "": none
	}{
		{"panic", "panic: x" + dump, died, "panic: x\n"},
		{"left by os.Exit", "panic: x" + dump, supervisor.Exit{Code: 1}, ""},
		{"a signal", "panic: x" + dump, supervisor.Exit{Signal: syscall.SIGABRT}, "panic: x\n"},
		{"no dump", "panic: x\n", died, ""},
		{"unfinished line", "loading... panic: ValueError: x" + dump, died, "panic: ValueError: x\n"},
		{"text of its own before", "panic: mine\ngoroutine 9 [running]:\nx\npanic: real" + dump, died, "panic: real\n"},
		{"nested", "panic: first [recovered]\n\tpanic: second" + dump, died, "panic: first"},
		{"Goexit", "a... fatal error: no goroutines (main called runtime.Goexit) - deadlock!\n", died, "fatal error: no goroutines"},
		{"signal from outside", "SIGSEGV: segmentation violation\nPC=0x1 m=0" + dump, died, "SIGSEGV: segmentation violation\n"},
		{"exit 2 with a word about it", "2026 fatal: panic: no\n", died, ""},
	} {
		got, ok := Account(c.stderr, c.end)
		if ok != (c.want != "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, %v", c.name, got, ok)
		}
	}
}

// TestTail: of very long accounts beginning and end stay.
func TestTail(t *testing.T) {
	var tail Tail
	tail.Add("before\nunfinished panic: ValueError: ")
	for range 20 << 10 {
		tail.Add(strings.Repeat("x", 1<<10))
	}
	tail.Add("\n\ngoroutine 1 [running]:\nmain.main()\n\tcell/main.go:7 +0x1\n")
	account, ok := Account(tail.String(), supervisor.Exit{Code: 2})
	if !ok {
		t.Fatal("no account")
	}
	f := Panic(account, cell.Map{}, 1)
	if f.Name != "ValueError" || !strings.HasPrefix(f.Value, "xxx") || len(f.Value) > valueLimit+10 {
		t.Errorf("%s: %d bytes", f.Name, len(f.Value))
	}
	if frames := userFrames(account[strings.Index(account, "goroutine 1"):]); len(frames) != 1 || frames[0].line != 7 {
		t.Errorf("frames %v", frames)
	}
}
