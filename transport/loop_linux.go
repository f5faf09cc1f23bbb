//go:build !anywire_net

package transport

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/anywire/anywire/conn"
)

// Marks in the events of what is no connection. A connection's mark is a count, from 0.
const (
	markAcceptor = -1
	markWake     = -2
)

// loop is one epoll instance and the goroutine that owns it. When a call keeps the goroutine, the monitor gives the loop to
// another; that is why all state of a batch lies here and not on a stack.
type loop struct {
	engine *Epoll
	epfd   int
	file   *os.File // of epfd, for the runtime's poller
	raw    syscall.RawConn
	look   func(epfd uintptr) (found bool) // for raw.Read; made once, not for each park
	wakefd int
	wheel  *wheel
	turn   *conn.Loop

	buf    []byte // what sockets without unfinished input are read into
	events [128]unix.EpollEvent
	n, i   int       // events[i:n] are to be handled
	work   []*socket // what was posted
	w      int       // work[w:] is to be fed
	socket *socket   // being fed

	acceptors sync.Map // by descriptor
	marks     atomic.Int32

	gap    time.Duration // that the last events took to come; only while the engine spins
	parked atomic.Bool
	ended  atomic.Bool
	posts  atomic.Int32 // len(posted)

	mu     sync.Mutex
	posted []*socket // guarded by mu: to be fed though nothing arrived
}

func newLoop(e *Epoll) (*loop, error) {
	epfd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	l := &loop{engine: e, epfd: epfd, wheel: newWheel(), turn: conn.NewLoop(true), buf: make([]byte, inputSize)}
	l.look = func(uintptr) bool {
		l.n = epollWait(l.epfd, l.events[:])
		return l.n > 0
	}
	unix.SetNonblock(epfd, true) // or os.NewFile would not put it into the poller
	l.file = os.NewFile(uintptr(epfd), "epoll")
	if l.raw, err = l.file.SyscallConn(); err != nil {
		l.file.Close()
		return nil, err
	}
	if l.wakefd, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		l.file.Close()
		return nil, os.NewSyscallError("eventfd", err)
	}
	return l, l.control(unix.EPOLL_CTL_ADD, l.wakefd, unix.EPOLLIN, markWake)
}

func (l *loop) control(op, fd int, events uint32, mark int32) error {
	ev := unix.EpollEvent{Events: events, Fd: int32(fd), Pad: mark}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(l.epfd, op, fd, &ev))
}

// listen makes the loop accept for a.
func (l *loop) listen(a *acceptor) error {
	l.acceptors.Store(int32(a.fd), a)
	return l.control(unix.EPOLL_CTL_ADD, a.fd, unix.EPOLLIN|unix.EPOLLEXCLUSIVE, markAcceptor)
}

// adopt makes the loop drive a connection. Any goroutine may call it.
func (l *loop) adopt(fd int, c *conn.Conn) {
	l.engine.open.Add(1)
	s := newSocket(l, fd, c)
	l.engine.table.set(fd, s)
	c.Start(s)
	s.mu.Lock()
	var err error
	if !s.closed { // or the descriptor may be another's already
		s.added = true
		err = l.control(unix.EPOLL_CTL_ADD, fd, s.interest, s.mark)
	}
	s.mu.Unlock()
	if err != nil {
		s.Abort()
	}
}

// run drives the loop until it ends, or until another goroutine has taken it.
func (l *loop) run() {
	for l.wait() {
		l.turn.Begin()
		if !l.batch() {
			return
		}
		if l.turn.End() {
			runtime.Gosched() // a loop that never parks would starve what it started
		}
	}
	l.engine.running.Done() // here, in whichever goroutine has the loop at last
}

// resume goes on where the goroutine before was stuck.
func (l *loop) resume() {
	l.turn.Begin()
	if l.feed(l.socket, l.socket.in.bytes(), l.socket.in.buf) && l.batch() {
		l.run()
	}
}

// batch handles everything that the last look at the poller brought. It reports false when the loop is lost. The counters
// move on before an element is handled, so that who resumes begins with the next.
func (l *loop) batch() (ours bool) {
	for l.i < l.n {
		ev := &l.events[l.i]
		l.i++
		if !l.handle(ev) {
			return false
		}
	}
	for l.w < len(l.work) {
		s := l.work[l.w]
		l.work[l.w] = nil
		l.w++
		if !l.nudge(s) {
			return false
		}
	}
	return true
}

// wait parks until there is something to do and reports false when the loop has ended.
func (l *loop) wait() bool {
	l.collect()
	if len(l.work) > 0 {
		l.n = epollWait(l.epfd, l.events[:])
	} else {
		l.park()
		l.collect()
	}
	l.i = 0
	l.engine.monitor.notice()
	return !l.ended.Load()
}

// spin looks for events without parking, where the engine was told to and the last ones came quickly. It reports whether
// there is something to do.
func (l *loop) spin() bool {
	limit := l.engine.spin
	if limit == 0 || l.gap > limit {
		return false
	}
	for start := time.Now(); time.Since(start) < limit; {
		if l.n = epollWait(l.epfd, l.events[:]); l.n > 0 || l.posts.Load() > 0 || l.ended.Load() {
			return true
		}
	}
	return false
}

// park waits in the runtime's poller. Whoever posts or ends the loop after parked is set sends a signal that is not read
// before, and whoever did earlier is seen.
func (l *loop) park() {
	l.n = 0
	if l.spin() {
		return
	}
	if l.engine.spin > 0 {
		defer func(start time.Time) { l.gap = time.Since(start) }(time.Now())
	}
	l.parked.Store(true)
	if l.posts.Load() == 0 && !l.ended.Load() {
		if l.raw.Read(l.look) != nil {
			l.ended.Store(true)
		}
	}
	l.parked.Store(false)
}

// collect takes what was posted as the work of this batch.
func (l *loop) collect() {
	if l.posts.Load() == 0 {
		l.work, l.w = l.work[:0], 0
		return
	}
	l.mu.Lock()
	l.work, l.posted, l.w = l.posted, l.work[:0], 0
	l.posts.Store(0)
	l.mu.Unlock()
}

// post makes the loop feed s although nothing arrived. Any goroutine may call it.
func (l *loop) post(s *socket) {
	l.mu.Lock()
	l.posted = append(l.posted, s)
	l.posts.Store(int32(len(l.posted)))
	l.mu.Unlock()
	if l.parked.Load() {
		l.signal()
	}
}

func (l *loop) signal() {
	one := [8]byte{1}
	sysWrite(l.wakefd, one[:])
}

func (l *loop) handle(ev *unix.EpollEvent) (ours bool) {
	switch ev.Pad {
	case markWake:
		var count [8]byte
		sysRead(l.wakefd, count[:])
		return true
	case markAcceptor:
		if a, ok := l.acceptors.Load(ev.Fd); ok {
			a.(*acceptor).accept()
		}
		return true
	}
	s := l.engine.table.get(int(ev.Fd))
	if s == nil || s.mark != ev.Pad || s.loop != l {
		return true // of a connection that is gone
	}
	if ev.Events&unix.EPOLLOUT != 0 {
		s.writable()
	}
	if ev.Events&^unix.EPOLLOUT == 0 {
		return true
	}
	return l.readable(s, ev.Events)
}

// close ends the loop, which has no connections left.
func (l *loop) close() {
	l.ended.Store(true)
	l.signal()
}

// dispose gives back what the loop holds, once its goroutine has ended.
func (l *loop) dispose() {
	l.wheel.close()
	l.file.Close()
	unix.Close(l.wakefd)
}
