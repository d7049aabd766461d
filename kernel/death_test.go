package main

import (
	"strconv"
	"strings"
	"testing"
)

// deaths are cells that the runtime ends after output that makes its account hard to find.
var deaths = []struct {
	name, code, ename, evalue string
	line                      int
	stderr                    string // a part
}{
	{"unfinished line", "print(\"loading... \")\npanic(\"ValueError: x\")", "ValueError", "x", 2, "loading... "},
	{"unfinished line long before", "print(\"loading... \")\ntime.Sleep(time.Second)\npanic(\"ValueError: x\\ny\")", "ValueError", "x\ny", 3, "loading... "},
	{"Goexit", "print(\"a... \")\nruntime.Goexit()", "fatal error", "no goroutines (main called runtime.Goexit)", 0, "a... "},
	{"SIGSEGV from outside", "print(\"b... \")\ngo func() {\n\ttime.Sleep(300 * time.Millisecond)\n\tsyscall.Kill(os.Getpid(), syscall.SIGSEGV)\n}()\nselect {}", "Signal", "SIGSEGV", -1, "b... "},
	{"20 MB of text", "fmt.Fprintln(os.Stderr, \"before\")\npanic(\"ValueError: \" + strings.Repeat(\"x\", 20<<20))", "ValueError", "xxx", 2, "before\n"},
	{"20 MB before", "for range 20 << 10 {\n\tfmt.Fprint(os.Stderr, strings.Repeat(\"panic: y\\n\", 128))\n}\npanic(\"ValueError: z\")", "ValueError", "z", 4, "panic: y"},
	{"a word about panic, later a panic", "log.Print(\"panic: no\")\ntime.Sleep(4 * time.Second)\npanic(\"ValueError: yes\")", "ValueError", "yes", 3, "panic: no\n"},
	{"a printed stack", "fmt.Fprintf(os.Stderr, \"panic: mine\\n\\n%s\", debug.Stack())\nfunc() {\n\tpanic(\"ValueError: real\")\n}()", "ValueError", "real", 3, ""},
	{"map in two goroutines", "m := map[int]int{}\nfor g := range 4 {\n\tgo func() {\n\t\tfor {\n\t\t\tm[g]++\n\t\t}\n\t}()\n}\nselect {}", "fatal error", "concurrent map", 5, ""},
	{"panic in a test", "import \"testing\"\n\n%test\nfunc TestX(t *testing.T) {\n\tvar m map[string]int\n\tm[\"a\"] = 1\n}", "panic", "assignment to entry in nil map", 6, ""},
	{"os.Exit(0) in a test", "import (\"os\"; \"testing\")\n\n%test\nfunc TestX(t *testing.T) {\n\tos.Exit(0)\n}", "panic", "unexpected call to os.Exit(0) during test", 5, ""},
}

func TestDeaths(t *testing.T) {
	t.Parallel()
	var steps []step
	for _, c := range deaths {
		steps = append(steps, step{"run": c.code}, step{"run": "%reset"})
	}
	for i, r := range drive(t, steps...) {
		if i%2 == 1 {
			continue
		}
		c := deaths[i/2]
		if r.Error == nil || r.Error.Name != c.ename || !strings.Contains(r.Error.Value, c.evalue) {
			t.Errorf("%s: %+v, want %s: …%s…", c.name, r.Error, c.ename, c.evalue)
			continue
		}
		trace := ansi.ReplaceAllString(strings.Join(r.Error.Traceback, "\n"), "")
		if len(trace) > 1<<16 {
			t.Errorf("%s: a traceback of %d bytes", c.name, len(trace))
		}
		switch m := ownLine.FindStringSubmatch(trace); {
		case c.line == 0 && m != nil, c.line > 0 && (m == nil || m[1] != strconv.Itoa(c.line)), c.line < 0 && m == nil:
			t.Errorf("%s: %v, want line %d:\n%s", c.name, m, c.line, trace)
		}
		if !strings.Contains(r.Stderr, c.stderr) || strings.Contains(r.Stderr, "main.main()") && c.name != "a printed stack" {
			t.Errorf("%s: stderr %q", c.name, r.Stderr)
		}
	}
}
