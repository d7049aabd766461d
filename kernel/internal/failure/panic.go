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

// valueLimit bounds a failure's value: clients show it on one page.
const valueLimit = 16 << 10

// Panic is the failure of a program that the runtime ended, of which text is its Account.
func Panic(text string, m cell.Map, current int) *Failure {
	dump := goroutine.FindStringIndex(text)
	head, stack := text, ""
	if dump != nil {
		head, stack = text[:dump[0]], text[dump[0]:]
	}
	name, value := describe(head)
	if len(value) > valueLimit {
		value = strings.ToValidUTF8(value[:valueLimit], "") + "…"
	}
	f := New(name, value)
	f.frames(stack, m, current, !strings.HasPrefix(head, "panic: "))
	return f
}

// describe finds name and value in the lines before the first goroutine.
func describe(head string) (name, value string) {
	name = "panic"
	if i := strings.Index(head, "fatal error: "); i >= 0 && !strings.HasPrefix(head, "panic: ") {
		line, _, _ := strings.Cut(head[i+len("fatal error: "):], "\n")
		return "fatal error", line
	}
	if sig, rest, ok := strings.Cut(head, ": "); ok && strings.HasPrefix(sig, "SIG") {
		what, _, _ := strings.Cut(rest, "\n")
		return "Signal", what + " (" + sig + ")"
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
// The first goroutine is the one that panicked; when the runtime stopped them all, another one may be the cell's.
func (f *Failure) frames(stack string, m cell.Map, current int, all bool) {
	var own *cell.Origin
	var others []cell.Origin
	var names []string
	for _, one := range strings.Split(stack, "\n\n") {
		for _, fr := range userFrames(one) {
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
		if !all || own != nil {
			break
		}
	}
	if own != nil {
		f.at(*own, current, "", 0)
	}
	for i, o := range others {
		f.at(o, current, " in "+names[i], 0)
	}
}

// ownFrame matches a place in the cell's program: it is built in GoNB's folder, or under the name "cell".
var ownFrame = regexp.MustCompile(`^\t(?:.*/gonb_[^/]*|cell)/main(?:_test)?\.go:(\d+)`)

// userFrames are a goroutine's frames in the cell's program, deepest first; the line that started it comes last.
func userFrames(stack string) []frame {
	lines := strings.Split(stack, "\n")
	var out []frame
	for i := 1; i < len(lines); i++ {
		place := ownFrame.FindStringSubmatch(lines[i])
		if place == nil {
			continue
		}
		n, err := strconv.Atoi(place[1])
		if err != nil {
			continue
		}
		function, _, _ := strings.Cut(strings.TrimPrefix(lines[i-1], "created by "), " in goroutine")
		if p := strings.LastIndexByte(function, '('); p > 0 {
			function = function[:p]
		}
		_, function, _ = strings.Cut(function, ".") // main, or the module's name in a test
		out = append(out, frame{function, n})
	}
	return out
}

// Ended is the failure of a program that ended without a panic.
func Ended(kind supervisor.Kind, end supervisor.Exit, test bool) *Failure {
	switch {
	case end.Text != "":
		return New("StartError", end.Text)
	case end.Signal != 0:
		return New("Signal", fmt.Sprintf("%v (%s)", end.Signal, signalName(end.Signal)))
	case kind == supervisor.Script:
		return New("CalledProcessError", fmt.Sprintf("exit status %d", end.Code))
	case test && end.Code == 1:
		return New("TestFailure", "exit status 1")
	}
	return New("SystemExit", fmt.Sprintf("exit status %d", end.Code))
}

// Unreported is the failure of a cell whose program told nobody how it ended.
func Unreported() *Failure {
	return New("KernelError", "the kernel was not told how the cell's program ended; restart the kernel")
}

// NoInput is the failure of a cell that asks for input where there is nobody to answer.
func NoInput() *Failure {
	return New("StdinNotImplementedError", "the cell asks for input, but this front end does not support input requests")
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
