//go:build !anywire_net

package transport

import (
	"sync/atomic"
	"time"
)

// monitor looks at the loops now and then, and gives a loop whose call does not end to another goroutine. When nothing
// happens for a while it sleeps until a loop wakes it.
type monitor struct {
	asleep atomic.Bool
	wake   chan struct{}
	stop   chan struct{}
}

const (
	lookEvery = 10 * time.Millisecond
	idleLooks = 20
)

func newMonitor() monitor {
	return monitor{wake: make(chan struct{}, 1), stop: make(chan struct{})}
}

// notice is called by a loop that has something to do.
func (m *monitor) notice() {
	if m.asleep.Load() && m.asleep.CompareAndSwap(true, false) {
		m.wake <- struct{}{}
	}
}

func (m *monitor) close() { close(m.stop) }

func (m *monitor) run(loops []*loop) {
	words := make([]uint64, len(loops))
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for idle := 0; ; {
		select {
		case <-m.stop:
			return
		case <-ticker.C:
		}
		if m.look(loops, words) {
			idle = 0
			continue
		}
		if idle++; idle < idleLooks {
			continue
		}
		idle = 0
		if !m.rest(loops, words, ticker) {
			return
		}
	}
}

// rest sleeps until a loop has something to do. It looks once more after it has said so, or a loop that was stuck just
// before would not be seen. It reports false when the monitor has to end.
func (m *monitor) rest(loops []*loop, words []uint64, ticker *time.Ticker) bool {
	m.asleep.Store(true)
	select {
	case <-m.stop:
		return false
	case <-m.wake:
		return true
	case <-ticker.C:
	}
	if m.look(loops, words) && m.asleep.CompareAndSwap(true, false) {
		return true
	}
	ticker.Stop()
	defer ticker.Reset(lookEvery)
	select {
	case <-m.wake:
		return true
	case <-m.stop:
		return false
	}
}

// look looks at every loop once and reports whether any has run a call since the last time.
func (m *monitor) look(loops []*loop, words []uint64) (busy bool) {
	for i, l := range loops {
		word, stuck := l.turn.Stuck(words[i])
		busy = busy || word != words[i] || stuck
		words[i] = word
		if stuck {
			l.takeOver(word)
		}
	}
	return busy
}

// takeOver gives the loop to a new goroutine, if its call still runs.
func (l *loop) takeOver(word uint64) {
	rest, ok := l.turn.Take(word)
	if !ok {
		return
	}
	s := l.socket
	if err := s.lost(rest); err != nil {
		s.Abort()
	}
	l.buf = make([]byte, inputSize) // the stuck goroutine keeps the old one, which its arguments may lie in
	go l.resume()
}
