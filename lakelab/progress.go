package lakelab

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// progressDelay keeps short requests quiet.
const progressDelay = 700 * time.Millisecond

// progressPeriod bounds how often the picture changes.
const progressPeriod = 150 * time.Millisecond

// progress is the bar of one request: a line of HTML in a notebook, a line that is overwritten on a terminal, nothing
// elsewhere. The zero value is ready to use. Its methods may be called from several goroutines.
type progress struct {
	mu      sync.Mutex
	percent float64 // below 0, or nothing reported yet: unknown
	known   bool
	text    string
	shown   bool
	removed bool
	id      string
	drawn   time.Time
	width   int // terminal: characters of the last line
}

// set takes what the engine reports.
func (p *progress) set(percent float64, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.percent, p.text, p.known = percent, text, percent >= 0
	if p.shown && time.Since(p.drawn) >= progressPeriod {
		p.draw()
	}
}

// show makes the bar appear.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.removed || p.shown {
		return
	}
	p.shown = true
	p.draw()
}

// remove makes it disappear for good.
func (p *progress) remove() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.removed = true
	if !p.shown {
		return
	}
	p.shown = false
	if inNotebook() {
		// The notebook's format knows no removal of one output; an output without text takes no room.
		sendDisplay(bundle{id: p.id})
	} else if onTerminal() {
		fmt.Print("\r" + strings.Repeat(" ", p.width) + "\r")
	}
}

func (p *progress) draw() {
	p.drawn = time.Now()
	text := p.text
	if text == "" {
		text = "выполняется запрос…"
	}
	line := text
	if p.known {
		line = strconv.Itoa(int(math.Round(min(p.percent, 100)))) + " % · " + text
	}
	switch {
	case inNotebook():
		if p.id == "" {
			p.id = newDisplayID()
		}
		value := ""
		if p.known {
			value = fmt.Sprintf(` value="%.1f" max="100"`, min(p.percent, 100))
		}
		sendDisplay(bundle{
			html:  `<div style="display:flex;align-items:center;gap:.6em"><progress` + value + ` style="width:16em"></progress><span>` + escapeHTML(line) + `</span></div>`,
			plain: line, id: p.id,
		})
	case onTerminal():
		n := len([]rune(line))
		fmt.Print("\r" + line + strings.Repeat(" ", max(0, p.width-n)))
		p.width = n
	}
}

// onTerminal reports whether somebody watches standard output.
func onTerminal() bool {
	st, err := os.Stdout.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}
