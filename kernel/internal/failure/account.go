package failure

import (
	"regexp"
	"strings"

	"mini-lakehouse-lab/kernel/internal/supervisor"
)

// starts are the beginnings of what Go's runtime writes when a program dies.
var starts = []string{"panic: ", "fatal error: ", "runtime: goroutine stack exceeds"}

var (
	signalLine = regexp.MustCompile(`^SIG[A-Z]+: [a-z /]+$`) // of a signal from outside
	goroutine  = regexp.MustCompile(`(?m)^goroutine \d+ .*\[.*\]:$`)
)

// Starts is where in a line of stderr the account of a program's death may begin; -1 if nowhere. It may stand behind what
// the program left unfinished; a line that begins with a tab belongs to the panic before it.
func Starts(line string) int {
	if strings.HasPrefix(line, "\t") {
		return -1
	}
	at := -1
	for _, s := range starts {
		if i := strings.Index(line, s); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if i := strings.LastIndex(line, "SIG"); at < 0 && i >= 0 && signalLine.MatchString(line[i:]) {
		at = i
	}
	return at
}

// places are the offsets in text where an account may begin.
func places(text string) []int {
	var out []int
	for from := 0; from < len(text); {
		line, _, _ := strings.Cut(text[from:], "\n")
		if at := Starts(line); at >= 0 {
			out = append(out, from+at)
		}
		from += len(line) + 1
	}
	return out
}

// MayStart reports whether an unfinished line can still become one that Starts.
func MayStart(partial string) bool {
	for _, start := range starts {
		if strings.HasPrefix(start, partial) {
			return true
		}
	}
	return false
}

// Dumping reports whether text that Starts is more than a program's own words about a panic.
func Dumping(text string) bool {
	return goroutine.MatchString(text) || strings.HasPrefix(text, starts[2])
}

// Account is the runtime's account of this end of a program, out of what it wrote to stderr last. ok is false if there is
// none: a program may print such text itself and end well or by os.Exit.
func Account(stderr string, end supervisor.Exit) (account string, ok bool) {
	if end.Code != 2 && end.Signal == 0 {
		return "", false
	}
	at := places(stderr)
	for i := len(at) - 1; i >= 0; i-- {
		text := stderr[at[i]:]
		if goroutine.MatchString(text) || strings.HasPrefix(text, "fatal error: ") {
			return text, true
		}
	}
	return "", false
}

const (
	tailSize = 1 << 20
	headSize = 64 << 10
)

// Tail remembers the end of a program's stderr, and of a long account also how it began.
type Tail struct {
	head string
	rest strings.Builder
}

// Add takes more text.
func (t *Tail) Add(text string) {
	t.rest.WriteString(text)
	if t.rest.Len() < 2*tailSize {
		return
	}
	all := t.String()
	t.head = ""
	cut := len(all) - tailSize
	if at := places(all); len(at) > 0 {
		if last := at[len(at)-1]; last < cut {
			t.head = all[last:min(last+headSize, cut)]
		}
	}
	t.rest.Reset()
	t.rest.WriteString(all[cut:])
}

func (t *Tail) String() string { return t.head + t.rest.String() }
