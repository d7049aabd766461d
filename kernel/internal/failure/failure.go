// Package failure turns the end of a cell that failed into Jupyter's error: ename, evalue, traceback.
//
// In come a compiler's messages, or an exit status with what the program wrote to stderr since its panic, and the map from
// main.go to cells; out comes a Failure that names the cell's own line, shows it and its neighbours, and lists the frames
// in other cells. Package proxy is the only caller.
package failure

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/kernel/internal/cell"
)

// Failure is the content of an error message.
type Failure struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// No colours: JupyterLab shows errors on red, light or dark as its theme is, and no colour reads well on both.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

// New is a failure without a place.
func New(name, value string) *Failure {
	return &Failure{Name: name, Value: value, Traceback: []string{headline(name, value)}}
}

// at adds a place: the line, its neighbours and an arrow.
func (f *Failure) at(o cell.Origin, current int, label string, column int) {
	if o.Line < 0 || o.Line >= len(o.Source) {
		return
	}
	where := fmt.Sprintf("Cell line %d", o.Line+1)
	if o.Cell != current {
		where = fmt.Sprintf("Cell [%d] line %d", o.Cell, o.Line+1)
	}
	f.Traceback = append(f.Traceback, bold+where+reset+label)
	first, last := max(o.Line-2, 0), min(o.Line+2, len(o.Source)-1)
	for n := first; n <= last; n++ {
		text := strings.TrimRight(o.Source[n], "\r")
		if n != o.Line {
			f.Traceback = append(f.Traceback, fmt.Sprintf("%s     %3d  %s%s", dim, n+1, text, reset))
			continue
		}
		f.Traceback = append(f.Traceback, fmt.Sprintf("%s---> %3d  %s%s", bold, n+1, text, reset))
		if column > 0 {
			f.Traceback = append(f.Traceback, bold+strings.Repeat(" ", 10)+caretPad(text, column)+"^"+reset)
		}
	}
}

// advise adds a hint about the message for a line, if there is one.
func (f *Failure) advise(message, line string, locals Locals) {
	if h := hintFor(message, line, locals); h != "" {
		f.Traceback = append(f.Traceback, bold+"Подсказка:"+reset+" "+h)
	}
}

// caretPad is blank space as wide as the text before a column (in bytes, from 1), with its tabs.
func caretPad(text string, column int) string {
	var b strings.Builder
	for _, r := range text[:min(column-1, len(text))] {
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

func headline(name, value string) string {
	if value == "" {
		return bold + name + reset
	}
	return bold + name + reset + ": " + value
}
