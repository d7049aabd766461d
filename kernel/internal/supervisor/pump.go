package supervisor

import (
	"encoding/json"
	"os"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

const (
	// chunk is what GoNB reads at most at once. It makes one message of what it reads, so that a chunk which ends with a
	// whole letter, written while GoNB's pipe is empty, leaves no broken letters behind.
	chunk = 32 << 10

	// window is how much output may be on its way to the kernel. What is more waits in the program's own pipe, and in the
	// end the program waits.
	window = 512 << 10

	// A program that writes often is read less often: after so many small chunks in a period, the next one gathers what
	// comes until the period's end.
	period         = 40 * time.Millisecond
	chunksInPeriod = 8

	// afterInterrupt bounds how long output is passed on when an interrupted program has ended.
	afterInterrupt = time.Second
)

// pump passes a program's standard output and error on. What waits, waits in the program's own pipe, so that a program can
// see whether its output was taken, as lakelab does before it shows a display.
type pump struct {
	from, in    [2]*os.File // the program's pipes
	to          [2]*os.File // GoNB's
	rest        [2][]byte   // the beginning of a letter
	sent        int64
	taken       atomic.Int64
	interrupted atomic.Bool
	ended       atomic.Bool
	hungUp      chan bool    // closed when the kernel has hung up
	deadline    atomic.Int64 // in Unix nanoseconds; 0: none
}

func newPump() (*pump, error) {
	p := &pump{to: [2]*os.File{os.Stdout, os.Stderr}, hungUp: make(chan bool)}
	for i := range p.from {
		var err error
		if p.from[i], p.in[i], err = os.Pipe(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *pump) closeInputs() {
	for _, f := range p.in {
		f.Close()
	}
}

// listen reads how much the kernel has taken.
func (p *pump) listen(in *json.Decoder) {
	for {
		var a answer
		if in.Decode(&a) != nil {
			p.taken.Store(1 << 62) // nobody to wait for
			close(p.hungUp)
			return
		}
		p.taken.Store(max(a.Taken, p.taken.Load()))
	}
}

// limit sets the deadline if the program was interrupted and has ended: its children may keep the pipes open.
func (p *pump) limit() {
	if p.ended.Load() && p.interrupted.Load() {
		p.deadline.CompareAndSwap(0, time.Now().Add(afterInterrupt).UnixNano())
	}
}

func (p *pump) late() bool {
	d := p.deadline.Load()
	return d > 0 && time.Now().UnixNano() > d
}

// run passes output on until both pipes are closed.
func (p *pump) run() {
	buf := make([]byte, chunk)
	open := [2]bool{true, true}
	var since time.Time
	small := 0
	for open[0] || open[1] {
		ready := p.poll(open, 100*time.Millisecond)
		if p.late() {
			return
		}
		for i := range ready {
			if !ready[i] {
				continue
			}
			if !p.room() {
				return
			}
			if time.Since(since) > period {
				since, small = time.Now(), 0
			}
			if small >= chunksInPeriod {
				p.gather(i, since.Add(period))
			}
			n := copy(buf, p.rest[i])
			got, err := unix.Read(int(p.from[i].Fd()), buf[n:])
			if err == unix.EINTR || err == unix.EAGAIN {
				continue
			}
			if got <= 0 {
				open[i] = false
				p.write(i, p.rest[i])
				p.rest[i] = nil
				continue
			}
			if small++; got > chunk/2 {
				small = 0
			}
			text := buf[:n+got]
			whole := wholeLetters(text)
			p.rest[i] = append([]byte(nil), text[whole:]...)
			p.write(i, text[:whole])
		}
	}
}

// poll waits for output.
func (p *pump) poll(open [2]bool, wait time.Duration) (ready [2]bool) {
	var fds []unix.PollFd
	var which []int
	for i := range open {
		if open[i] {
			fds = append(fds, unix.PollFd{Fd: int32(p.from[i].Fd()), Events: unix.POLLIN})
			which = append(which, i)
		}
	}
	if n, _ := unix.Poll(fds, int(wait.Milliseconds())); n <= 0 {
		return ready
	}
	for k, i := range which {
		ready[i] = fds[k].Revents != 0
	}
	return ready
}

// gather waits until the time, for a large chunk, or until the other stream has something.
func (p *pump) gather(i int, until time.Time) {
	for time.Now().Before(until) && pending(p.from[i]) < chunk/2 && pending(p.from[1-i]) == 0 && !p.late() {
		time.Sleep(2 * time.Millisecond)
		if p.deadline.Load() > 0 {
			return
		}
	}
}

// room waits until the kernel and GoNB are ready for more, and reports whether they became so in time.
func (p *pump) room() bool {
	for wait := 20 * time.Microsecond; p.sent-p.taken.Load() > window || pending(p.to[0]) > 0 || pending(p.to[1]) > 0; wait = min(2*wait, 2*time.Millisecond) {
		if p.late() {
			return false
		}
		time.Sleep(wait)
	}
	return true
}

func (p *pump) write(i int, text []byte) {
	if len(text) > 0 {
		_, _ = p.to[i].Write(text)
		p.sent += int64(len(text))
	}
}

// left is how much was not passed on.
func (p *pump) left() int { return pending(p.from[0]) + pending(p.from[1]) }

// pending is how many bytes are in a pipe.
func pending(f *os.File) int {
	n, err := unix.IoctlGetInt(int(f.Fd()), fionread)
	if err != nil {
		return 0
	}
	return n
}

// wholeLetters is the length of text without the beginning of a letter at its end.
func wholeLetters(text []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(text)); n++ {
		if at := len(text) - n; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}
