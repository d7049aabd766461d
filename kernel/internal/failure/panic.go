package failure

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"mini-lakehouse-lab/kernel/internal/cell"
	"mini-lakehouse-lab/kernel/internal/supervisor"
)

// named matches a panic whose text begins with an exception's name, as lakelab's do.
var named = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.]*(?:Error|Exception|Interrupt)): `)

var goroutine = regexp.MustCompile(`(?m)^goroutine \d+ .*\[.*\]:$`)

// Starts reports whether a line of stderr begins what Go's runtime writes when a program dies.
func Starts(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") ||
		strings.HasPrefix(line, "runtime: goroutine stack exceeds")
}

// MayStart reports whether an unfinished line can still become one that Starts.
func MayStart(partial string) bool {
	for _, start := range []string{"panic: ", "fatal error: ", "runtime: goroutine stack exceeds"} {
		if strings.HasPrefix(start, partial) || strings.HasPrefix(partial, start) {
			return true
		}
	}
	return false
}

// Fatal reports whether text, which begins with a line that Starts, is the runtime's account of this end of a program.
// A program may print such text itself and end well or by os.Exit.
func Fatal(text string, end supervisor.Exit) bool {
	return (end.Code == 2 || end.Signal != 0) && goroutine.MatchString(text)
}

// Panic is the failure of a program that the runtime ended.
func Panic(text string, m cell.Map, current int) *Failure {
	dump := goroutine.FindStringIndex(text)
	head, stack := text, ""
	if dump != nil {
		head, stack = text[:dump[0]], text[dump[0]:]
	}
	name, value := describe(head)
	f := New(name, value)
	f.frames(stack, m, current)
	return f
}

// describe finds name and value in the lines before the first goroutine.
func describe(head string) (name, value string) {
	name = "panic"
	if i := strings.Index(head, "fatal error: "); i >= 0 && !strings.HasPrefix(head, "panic: ") {
		line, _, _ := strings.Cut(head[i+len("fatal error: "):], "\n")
		return "fatal error", line
	}
	// A panic during the handling of a panic: the last one ended the program.
	for {
		i := strings.LastIndex(head, "\tpanic: ")
		if i < 0 || i > 0 && head[i-1] != '\n' {
			break
		}
		head = head[i+1:]
	}
	head = strings.TrimPrefix(head, "panic: ")
	if i := strings.Index(head, "\n[signal "); i >= 0 {
		head = head[:i]
	}
	lines := strings.Split(strings.TrimRight(head, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "\t") // the runtime indents all but the first
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	text = strings.TrimSuffix(strings.TrimSuffix(text, " [recovered, repanicked]"), " [recovered]")
	if match := named.FindStringSubmatch(text); match != nil {
		return match[1], text[len(match[0]):]
	}
	if rest, ok := strings.CutPrefix(text, "runtime error: "); ok {
		return "runtime error", rest
	}
	return name, text
}

type frame struct {
	function string
	line     int
}

// frames shows where the program stopped: the deepest line of the cell itself, then the functions of other cells on the way.
func (f *Failure) frames(stack string, m cell.Map, current int) {
	var own *cell.Origin
	var others []cell.Origin
	var names []string
	for _, fr := range userFrames(stack) {
		o, ok := m.At(fr.line)
		switch {
		case !ok:
		case o.Cell == current && own == nil:
			own = &o
		case o.Cell != current && own == nil:
			others = append(others, o)
			names = append(names, fr.function)
		}
	}
	if own != nil {
		f.at(*own, current, "", 0)
	}
	for i, o := range others {
		f.at(o, current, " in "+names[i], 0)
	}
}

// userFrames are the first goroutine's frames in main.go, deepest first; the line that started the goroutine comes last.
func userFrames(stack string) []frame {
	if end := strings.Index(stack, "\n\n"); end >= 0 {
		stack = stack[:end]
	}
	lines := strings.Split(stack, "\n")
	var out []frame
	for i := 1; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "\t") {
			continue
		}
		_, place, ok := strings.Cut(lines[i], "/main.go:")
		if !ok {
			_, place, ok = strings.Cut(lines[i], "/main_test.go:")
		}
		if !ok {
			continue
		}
		number, _, _ := strings.Cut(place, " ")
		n, err := strconv.Atoi(number)
		function := strings.TrimPrefix(lines[i-1], "created by ")
		if err != nil || !strings.HasPrefix(function, "main.") {
			continue
		}
		function, _, _ = strings.Cut(function, " in goroutine")
		if p := strings.LastIndexByte(function, '('); p > 0 {
			function = function[:p]
		}
		out = append(out, frame{strings.TrimPrefix(function, "main."), n})
	}
	return out
}

// Ended is the failure of a program that ended without a panic.
func Ended(end supervisor.Exit, test bool) *Failure {
	switch {
	case end.Text != "":
		return New("StartError", end.Text)
	case end.Signal != 0:
		return New("Signal", fmt.Sprintf("%v (%s)", end.Signal, signalName(end.Signal)))
	case test && end.Code == 1:
		return New("TestFailure", "exit status 1")
	}
	return New("SystemExit", fmt.Sprintf("exit status %d", end.Code))
}

// Interrupted is the failure of a cell that the user stopped.
func Interrupted() *Failure { return New("KeyboardInterrupt", "interrupted") }

func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGKILL:
		return "SIGKILL"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGSEGV:
		return "SIGSEGV"
	case syscall.SIGABRT:
		return "SIGABRT"
	case syscall.SIGINT:
		return "SIGINT"
	}
	return fmt.Sprintf("signal %d", int(s))
}
