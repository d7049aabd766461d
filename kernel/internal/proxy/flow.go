package proxy

import (
	"bytes"
	"context"
	"sync"

	"github.com/go-zeromq/zmq4"
)

// behindLimit is how much may be on its way to the clients before output waits.
const behindLimit = 2 << 20

// flow measures what is published and has not left yet. The publisher's queue has no limit and tells nothing, so the kernel
// subscribes to itself: what it hears was written to all clients that came before it.
type flow struct {
	mu       sync.Mutex
	inFlight []sent
	size     int
	live     bool   // the own subscription is heard
	wasFull  bool   // somebody was told so
	drained  func() // called when there is room again
}

type sent struct {
	header []byte
	size   int
}

// unheardLimit bounds the list until the own subscription is heard.
const unheardLimit = 1000

func (f *flow) published(header []byte, size int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.inFlight = append(f.inFlight, sent{header, size})
	f.size += size
	if !f.live && len(f.inFlight) > unheardLimit {
		f.forget(1)
	}
}

// forget removes the n oldest messages.
func (f *flow) forget(n int) {
	for _, s := range f.inFlight[:n] {
		f.size -= s.size
	}
	f.inFlight = f.inFlight[n:]
}

func (f *flow) heard(header []byte) {
	f.mu.Lock()
	f.live = true
	for i, s := range f.inFlight {
		if bytes.Equal(s.header, header) {
			f.forget(i + 1)
			break
		}
	}
	var tell func()
	if f.wasFull && f.size <= behindLimit/2 {
		f.wasFull, tell = false, f.drained
	}
	f.mu.Unlock()
	if tell != nil {
		tell()
	}
}

// behind reports whether the clients are behind. If they are, drained is called later.
func (f *flow) behind() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	full := f.live && f.size > behindLimit
	f.wasFull = f.wasFull || full
	return full
}

// stop gives up measuring.
func (f *flow) stop() {
	f.mu.Lock()
	f.live, f.inFlight, f.size = false, nil, 0
	tell := f.drained
	f.mu.Unlock()
	if tell != nil {
		tell()
	}
}

// listenToSelf subscribes to the front's own iopub. Where that fails, nothing is measured and nothing waits.
func (f *front) listenToSelf(endpoint string, option zmq4.Option) {
	f.self = zmq4.NewSub(context.Background(), option, zmq4.WithDialerMaxRetries(1))
	if f.self.Dial(endpoint) != nil || f.self.SetOption(zmq4.OptionSubscribe, "") != nil {
		return
	}
	go func() {
		defer f.flow.stop()
		for {
			m, err := f.self.Recv()
			if err != nil {
				return
			}
			if len(m.Frames) > headerFrame {
				f.flow.heard(m.Frames[headerFrame])
			}
		}
	}()
}

// headerFrame is where a published message's header stands, behind topic, delimiter and signature.
const headerFrame = 3
