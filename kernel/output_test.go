package main

import (
	"fmt"
	"strings"
	"testing"
)

const forever = "for i := 0; ; i++ {\n\tfmt.Println(i)\n}"

// TestFlood: output without an end comes in few messages, fills no memory, and ends soon after an interrupt.
func TestFlood(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": forever, "during": "interrupt", "after": 4},
		step{"run": "!yes", "during": "interrupt", "after": 2},
		step{"run": "%%bash\nyes", "during": "interrupt", "after": 2},
		step{"run": "x := strings.Repeat(\"x\", 1<<16)\nfor {\n\tfmt.Println(x)\n}", "pause": 10, "during": "interrupt"},
		// The client still reads nothing when the interrupt comes.
		step{"run": "x := strings.Repeat(\"x\", 1<<16)\nfor {\n\tfmt.Println(x)\n}", "pause": 12, "during": "interrupt", "at_once": true, "after": 8},
		step{"run": "fmt.Println(1)"},
	)
	for i, one := range r[:5] {
		wantInterrupt(t, one)
		if one.Waited > 4 {
			t.Errorf("step %d goes on for %.1f s after the interrupt", i, one.Waited)
		}
		if one.Streams > 100 && one.StdoutSize/one.Streams < 4<<10 {
			t.Errorf("step %d: %d messages for %d bytes", i, one.Streams, one.StdoutSize)
		}
		if one.RSS > 300 {
			t.Errorf("step %d: %d MB of memory", i, one.RSS)
		}
		t.Logf("step %d: %.1f s, %d messages, %d bytes, %d MB, %q", i, one.Waited, one.Streams, one.StdoutSize, one.RSS, one.StderrEnd)
	}
	if !strings.Contains(r[4].Stderr, "вывода отброшено") {
		t.Errorf("nobody says that output was dropped: %q", r[4].StderrEnd)
	}
	wantOK(t, r[5], "1\n")
}

// TestOutputIsWhole: of a cell that isn't interrupted nothing gets lost, cut or into another order.
func TestOutputIsWhole(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "for i := range 200_000 {\n\tfmt.Println(i)\n}\npanic(\"ValueError: end\")"},
		step{"run": "fmt.Print(\"x\" + strings.Repeat(\"я\", 1_000_000) + \"😀\")"},
		step{"run": "for _, b := range []byte(\"слово\") {\n\tos.Stdout.Write([]byte{b})\n\ttime.Sleep(20 * time.Millisecond)\n}\nos.Stdout.Write([]byte{0xd1})"},
		step{"run": "for i := range 200 {\n\tfmt.Println(i)\n\tfmt.Fprintln(os.Stderr, i)\n}"},
		step{"run": "fmt.Println(\"a\")\ntime.Sleep(200 * time.Millisecond)\nfmt.Fprintln(os.Stderr, \"b\")\ntime.Sleep(200 * time.Millisecond)\nfmt.Println(\"c\")"},
	)
	size := 0
	for i := range 200_000 {
		size += len(fmt.Sprintln(i))
	}
	wantError(t, r[0], "ValueError", "end")
	if r[0].StdoutSize != size || !strings.HasSuffix(r[0].StdoutEnd, "\n199999\n") {
		t.Errorf("%d bytes, want %d; end %q", r[0].StdoutSize, size, r[0].StdoutEnd)
	}
	if r[1].StdoutSize != 1_000_002 || r[1].Broken > 0 {
		t.Errorf("%d letters, %d broken", r[1].StdoutSize, r[1].Broken)
	}
	if r[2].Stdout != "слово\ufffd" {
		t.Errorf("%q", r[2].Stdout)
	}
	if r[3].Status != "ok" || !strings.HasSuffix(r[3].StdoutEnd, "\n199\n") || !strings.HasSuffix(r[3].StderrEnd, "\n199\n") {
		t.Errorf("%q, %q", r[3].StdoutEnd, r[3].StderrEnd)
	}
	if want := []string{"busy", "execute_input", "stream", "stream", "stream", "idle"}; fmt.Sprint(r[4].Order) != fmt.Sprint(want) {
		t.Errorf("messages %v", r[4].Order)
	}
}

// TestShellChildren: an interrupt reaches what a shell started.
func TestShellChildren(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "!echo on; sleep 20; echo x", "during": "interrupt"},
		step{"run": "%%bash\necho on\nsleep 20\necho x", "during": "interrupt"},
		step{"run": "c := exec.Command(\"sleep\", \"20\")\nc.Stdout = os.Stdout\nfmt.Println(\"on\")\nc.Run()", "during": "interrupt"},
		step{"run": "!echo on; trap '' INT; (sleep 20; echo y) & wait; echo x", "during": "interrupt"},
		step{"run": "!echo on; sleep 20\n!echo next\nfmt.Println(\"after\")", "during": "interrupt"},
	)
	for i, one := range r {
		wantInterrupt(t, one)
		if limit := map[bool]float64{true: 8, false: 4}[i == 3]; one.Waited > limit {
			t.Errorf("step %d goes on for %.1f s after the interrupt", i, one.Waited)
		}
		if one.Stdout != "on\n" {
			t.Errorf("step %d: stdout %q", i, one.Stdout)
		}
	}
}
