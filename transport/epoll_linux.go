//go:build !anywire_net

package transport

import (
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/mem"
)

// Epoll is the engine for TCP and Unix sockets on Linux: a few loops, each with an epoll instance that is itself parked in
// the runtime's poller, so that an idle loop is an ordinary parked goroutine. A readiness costs one read and one write for
// everything that it brought, and quick calls run on the loop. Listeners of other kinds, and connections that it did not
// accept, go to the engine Net.
type Epoll struct {
	net     Net
	spin    time.Duration // that a loop looks for events before it parks, while they come quickly; 0: not at all
	table   table
	monitor monitor

	once    sync.Once // of the loops
	err     error     // why there are none
	loops   []*loop
	turn    atomic.Uint32 // of the loop that gets the next connection
	running sync.WaitGroup
	open    sync.WaitGroup // connections
	closing sync.Once
}

// NewEpoll returns the engine. budget is for input larger than the loops' buffers; nil: no bound. With spin, loops look for
// events so long before they park, while they come quickly: a lone client is answered sooner, for more processor time.
func NewEpoll(budget *mem.Budget, spin time.Duration) *Epoll {
	return &Epoll{net: Net{Budget: budget}, spin: spin, monitor: newMonitor()}
}

// begin starts the loops when they are first needed: one for each processor that the program may use.
func (e *Epoll) begin() error {
	e.once.Do(func() {
		for range runtime.GOMAXPROCS(0) {
			l, err := newLoop(e)
			if err != nil {
				e.err = err
				return
			}
			e.loops = append(e.loops, l)
		}
		e.running.Add(len(e.loops))
		for _, l := range e.loops {
			go l.run()
		}
		e.running.Go(func() { e.monitor.run(e.loops) })
	})
	return e.err
}

// Serve implements Engine. A listener that someone else closes is noticed within a second.
func (e *Epoll) Serve(l net.Listener, done <-chan struct{}, open func(call.Peer) *conn.Conn) error {
	raw := listenerOf(l)
	if raw == nil || e.begin() != nil {
		return e.net.Serve(l, done, open)
	}
	a, err := newAcceptor(e, l, raw, open)
	if err != nil {
		return err
	}
	for _, loop := range e.loops {
		if err := loop.listen(a); err != nil {
			l.Close()
			return err
		}
	}
	alive := time.NewTicker(time.Second)
	defer alive.Stop()
	for {
		select {
		case <-done:
			a.close(l)
			return net.ErrClosed
		case <-alive.C:
			if raw.Control(func(uintptr) {}) != nil {
				return net.ErrClosed
			}
		}
	}
}

// listenerOf returns the descriptor of a listener that the loops can accept from, or nil.
func listenerOf(l net.Listener) syscall.RawConn {
	switch l := l.(type) {
	case *net.TCPListener:
		raw, _ := l.SyscallConn()
		return raw
	case *net.UnixListener:
		raw, _ := l.SyscallConn()
		return raw
	}
	return nil
}

// Attach implements Engine.
func (e *Epoll) Attach(nc net.Conn, c *conn.Conn) { e.net.Attach(nc, c) }

// Close implements Engine.
func (e *Epoll) Close() {
	e.net.Close()
	e.open.Wait()
	e.closing.Do(func() {
		e.once.Do(func() {}) // no loop starts from here on
		for _, l := range e.loops {
			l.close()
		}
		e.monitor.close()
		e.running.Wait()
		for _, l := range e.loops {
			l.dispose()
		}
	})
}

// next returns the loop for a new connection: each in turn.
func (e *Epoll) next() *loop { return e.loops[int(e.turn.Add(1))%len(e.loops)] }

// table finds the connection of a descriptor. Reading takes no lock; only the loop that owns a connection removes it.
type table struct {
	chunks [1 << 10]atomic.Pointer[chunk]
}

const chunkBits = 10

type chunk [1 << chunkBits]atomic.Pointer[socket]

func (t *table) get(fd int) *socket {
	c := t.chunks[fd>>chunkBits].Load()
	if c == nil {
		return nil
	}
	return c[fd&(1<<chunkBits-1)].Load()
}

// fits reports whether the table has a place for fd; the limit is a million descriptors.
func (t *table) fits(fd int) bool { return fd>>chunkBits < len(t.chunks) }

func (t *table) set(fd int, s *socket) {
	at := &t.chunks[fd>>chunkBits]
	if at.Load() == nil {
		at.CompareAndSwap(nil, new(chunk))
	}
	at.Load()[fd&(1<<chunkBits-1)].Store(s)
}
