package proxy

import (
	"strings"

	"mini-lakehouse-lab/kernel/internal/failure"
)

// heldLimit bounds what is held back.
const heldLimit = 8 << 20

// stderrFilter passes a cell's stderr on, but for what the runtime writes when a program dies: that belongs into the error's
// traceback. It is held from a place on that begins so, until it is known how the program ended, or for a moment if the
// program goes on. How it ended is judged by the tail in any case, also by what was passed on.
type stderrFilter struct {
	tail    failure.Tail
	partial string // the unfinished last line, as far as it may begin a panic
	held    strings.Builder
	holding bool
	midline bool // the last text passed on did not end a line
}

// pass takes text that arrived and returns what goes on at once.
func (f *stderrFilter) pass(text string) string {
	f.tail.Add(text)
	if f.holding {
		f.held.WriteString(text)
		if f.held.Len() > heldLimit {
			return f.take()
		}
		return ""
	}
	text = f.partial + text
	f.partial = ""
	var out strings.Builder
	for text != "" {
		line, rest, whole := strings.Cut(text, "\n")
		if at := failure.Starts(line); at >= 0 {
			out.WriteString(line[:at])
			f.holding = true
			f.held.WriteString(text[at:])
			return out.String()
		}
		if !whole && !f.midline && failure.MayStart(line) {
			f.partial = line
			return out.String()
		}
		out.WriteString(line)
		if whole {
			out.WriteByte('\n')
		}
		f.midline = !whole
		text = rest
	}
	return out.String()
}

// take returns what is held and begins anew.
func (f *stderrFilter) take() string {
	text := f.partial + f.held.String()
	f.partial, f.holding = "", false
	f.midline = text != "" && !strings.HasSuffix(text, "\n") || text == "" && f.midline
	f.held.Reset()
	return text
}
