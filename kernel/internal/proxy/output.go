package proxy

import (
	"fmt"
	"strings"
	"time"

	"mini-lakehouse-lab/kernel/internal/jupyter"
)

// A cell's output goes to the clients in few messages: a browser draws anew at each. The first text goes at once, what
// follows within outputPeriod or when outputSize is there.
const (
	outputPeriod = 50 * time.Millisecond
	outputSize   = 64 << 10
)

// output is text of the current request that was not published yet.
type output struct {
	stream  string // stdout or stderr
	text    strings.Builder
	like    *jupyter.Message // a message of GoNB's to make others like
	last    time.Time        // when something was published
	waiting bool             // a flush is on its way
	owed    int              // bytes whose arrival the supervisor was not told yet
	dropped int              // bytes that an interrupt left behind
}

// say takes text of a stream.
func (k *kernel) say(e *execution, stream, text string, like *jupyter.Message) {
	o := &e.out
	if o.stream != stream {
		k.flush(e, true)
		o.stream = stream
	}
	o.like = like
	o.text.WriteString(text)
	if o.text.Len() == 0 {
		return
	}
	if wait := outputPeriod - time.Since(o.last); wait > 0 && o.text.Len() < outputSize {
		if !o.waiting {
			o.waiting = true
			time.AfterFunc(wait, func() {
				k.do(nil, func() {
					o.waiting = false
					if k.current == e {
						k.flush(e, false)
					}
				})
			})
		}
		return
	}
	k.flush(e, false)
}

// flush publishes the text, unless the clients are behind: then it waits, or after an interrupt is dropped. Before another
// kind of message it must go.
func (k *kernel) flush(e *execution, must bool) {
	o := &e.out
	if o.text.Len() == 0 {
		return
	}
	if k.front.flow.behind() {
		if k.stopped.Load() {
			o.dropped += o.text.Len()
			o.text.Reset()
			return
		}
		if !must {
			return
		}
	}
	k.front.publish(o.like.WithContent(map[string]any{"name": o.stream, "text": o.text.String()}))
	o.text.Reset()
	o.last = time.Now()
}

// took tells the supervisor that output arrived here, when there is room for more.
func (k *kernel) took(e *execution, n int) {
	e.out.owed += n
	if e.out.owed > 0 && (k.stopped.Load() || !k.front.flow.behind()) {
		k.server.Taken(e.out.owed)
		e.out.owed = 0
	}
}

// room goes on when the clients have caught up.
func (k *kernel) room() {
	if e := k.current; e != nil {
		k.flush(e, false)
		k.took(e, 0)
	}
}

// sayDropped tells how much an interrupt left behind.
func (k *kernel) sayDropped(e *execution) {
	if e.out.dropped == 0 {
		return
	}
	text := fmt.Sprintf("\nПрервано: %s вывода отброшено.\n", amount(e.out.dropped))
	k.front.publish(jupyter.New("stream", e.request, map[string]any{"name": "stderr", "text": text}))
}

func amount(n int) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d Б", n)
	case n < 10<<20:
		return fmt.Sprintf("%d КБ", n>>10)
	}
	return fmt.Sprintf("%d МБ", n>>20)
}
