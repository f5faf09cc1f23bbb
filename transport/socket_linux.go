//go:build !anywire_net

package transport

import (
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// socket is one connection of a loop and the Carrier of its Conn. What is not guarded belongs to the goroutine that owns the
// loop.
type socket struct {
	loop *loop
	fd   int
	mark int32
	conn *conn.Conn

	in    input // unfinished input; without any, the loop's buffer serves
	eof   bool
	bye   bool  // everything is said: what still comes is read and dropped; written with mu held
	heard int   // how much, so far
	stale error // why reading or writing ended

	written atomic.Int64
	alarm   alarm

	mu       sync.Mutex
	interest uint32    // guarded by mu, like all below
	added    bool      // the poller knows of it
	out      *wire.Out // waits for the socket to take more; nil: nothing does
	closed   bool
	aborted  bool
}

const (
	reading = unix.EPOLLIN | unix.EPOLLRDHUP
	writing = unix.EPOLLOUT
)

func newSocket(l *loop, fd int, c *conn.Conn) *socket {
	s := &socket{loop: l, fd: fd, mark: l.marks.Add(1) & 0x7FFFFFFF, conn: c, interest: reading}
	s.in.budget = l.engine.net.Budget
	s.alarm.fire = s.ring
	return s
}

// ring is called when the time that Arm was given has come.
func (s *socket) ring() {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if !closed {
		s.conn.Tick()
	}
}

// readable reads once. Level-triggered, the poller tells again if there is more.
func (l *loop) readable(s *socket, events uint32) (ours bool) {
	switch {
	case s.bye:
		l.listenOut(s)
		return true
	case s.eof: // nothing more can come but the news that the connection is dead
		if events&(unix.EPOLLERR|unix.EPOLLHUP) != 0 {
			s.stale = unix.ECONNRESET
			l.finish(s)
		}
		return true
	}
	buf := l.buf
	if s.in.buf != nil {
		var err error
		if buf, err = s.in.room(s.in.want); err != nil {
			s.stale = err
			l.finish(s)
			return true
		}
	}
	n, err := sysRead(s.fd, buf)
	switch {
	case err == unix.EAGAIN:
		return true
	case err != nil:
		s.stale = os.NewSyscallError("read", err)
		l.finish(s)
		return true
	case n == 0:
		s.eof = true
		s.watch(0, reading)
	}
	if s.in.buf == nil {
		return l.feed(s, buf[:n], nil)
	}
	s.in.add(n)
	return l.feed(s, s.in.bytes(), s.in.buf)
}

// nudge feeds s because its Conn asked for it.
func (l *loop) nudge(s *socket) (ours bool) {
	s.mu.Lock()
	closed, aborted := s.closed, s.aborted
	s.mu.Unlock()
	switch {
	case closed:
		return true
	case aborted, s.bye:
		l.finish(s)
		return true
	}
	return l.feed(s, s.in.bytes(), s.in.buf)
}

// feed gives s what it has received and keeps what it does not consume.
func (l *loop) feed(s *socket, in []byte, memory *mem.Buf) (ours bool) {
	l.socket = s
	step := s.conn.Feed(in, memory, s.eof, l.turn)
	if step.Lost {
		return false
	}
	if err := s.in.keep(in, step.N, step.Want); err != nil {
		s.stale = err
		l.finish(s)
		return true
	}
	switch {
	case step.Leave != nil:
		l.detach(s, step.Leave)
	case step.Done:
		l.farewell(s)
	case step.Want == wire.Hold && s.in.full():
		s.watch(0, reading)
	case !s.eof:
		s.watch(reading, 0)
	}
	return true
}

// lost is called by the monitor when the loop was taken while it fed s: rest is what s had received behind the call.
func (s *socket) lost(rest []byte) error {
	if s.in.buf != nil {
		s.in.r = s.in.w - len(rest)
		return nil
	}
	return s.in.keep(rest, 0, 0)
}

// watch changes what the poller tells of s.
func (s *socket) watch(add, drop uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchLocked(add, drop)
}

func (s *socket) watchLocked(add, drop uint32) {
	next := (s.interest | add) &^ drop
	if next == s.interest || s.closed {
		return
	}
	s.interest = next
	if !s.added {
		return
	}
	s.loop.control(unix.EPOLL_CTL_MOD, s.fd, next, s.mark)
}

// Write implements conn.Carrier.
func (s *socket) Write(out *wire.Out) (done bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if done, err = s.send(out); done || err != nil {
		return done, err
	}
	s.out = out
	s.watchLocked(writing, 0)
	return false, nil
}

// send writes until everything is gone or the socket takes no more. The mutex is held.
func (s *socket) send(out *wire.Out) (done bool, err error) {
	if s.closed {
		return false, net.ErrClosed
	}
	for out.Len() > 0 {
		n := 0
		if next := out.Next(); len(next) == out.Len() {
			n, err = sysWrite(s.fd, next)
		} else {
			n, err = sysWritev(s.fd, out.Pieces())
		}
		switch {
		case err == unix.EAGAIN:
			return false, nil
		case err != nil:
			return false, os.NewSyscallError("write", err)
		}
		s.written.Add(int64(n))
		out.Advance(n)
	}
	out.Reset()
	return true, nil
}

// writable goes on with what the socket did not take.
func (s *socket) writable() {
	s.mu.Lock()
	if s.out == nil {
		s.watchLocked(0, writing)
		s.mu.Unlock()
		return
	}
	done, err := s.send(s.out)
	if !done && err == nil {
		s.mu.Unlock()
		return
	}
	s.out = nil
	s.watchLocked(0, writing)
	s.mu.Unlock()
	s.conn.Sent(err)
}

// Written implements conn.Carrier.
func (s *socket) Written() int64 { return s.written.Load() }

// Wake implements conn.Carrier.
func (s *socket) Wake() { s.loop.post(s) }

// Arm implements conn.Carrier.
func (s *socket) Arm(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.bye { // then the alarm is for the farewell
		s.loop.wheel.set(&s.alarm, d)
	}
}

// Abort implements conn.Carrier.
func (s *socket) Abort() {
	s.mu.Lock()
	s.aborted = true
	s.mu.Unlock()
	s.loop.post(s)
}

// farewell says that nothing more will be sent, and listens a little longer: closing with unread input would reset the
// connection and lose the last answers.
func (l *loop) farewell(s *socket) {
	s.mu.Lock()
	aborted := s.aborted
	s.mu.Unlock()
	if s.eof || aborted || unix.Shutdown(s.fd, unix.SHUT_WR) != nil {
		l.finish(s)
		return
	}
	s.in.release()
	s.mu.Lock()
	s.bye = true
	l.wheel.setTo(&s.alarm, farewellTime, s.Wake)
	s.watchLocked(reading, writing)
	s.mu.Unlock()
}

// listenOut reads and drops what comes after the farewell.
func (l *loop) listenOut(s *socket) {
	n, err := sysRead(s.fd, l.buf)
	s.heard += n
	if err != unix.EAGAIN && (err != nil || n == 0 || s.heard > farewellBytes) {
		l.finish(s)
	}
}

// finish closes s.
func (l *loop) finish(s *socket) {
	s.leave()
	unix.Close(s.fd)
	s.conn.Closed(s.stale)
	l.engine.open.Done()
}

// leave takes s out of the loop; its descriptor is open still.
func (s *socket) leave() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.loop.wheel.clear(&s.alarm)
	s.in.release()
	s.loop.engine.table.set(s.fd, nil)
}

// detach gives the connection to take, with what it had received in front.
func (l *loop) detach(s *socket, take func(net.Conn)) {
	rest := s.in.rest()
	s.leave()
	l.control(unix.EPOLL_CTL_DEL, s.fd, 0, 0)
	f := os.NewFile(uintptr(s.fd), "socket")
	nc, err := net.FileConn(f)
	err = errors.Join(err, f.Close())
	if err == nil {
		l.engine.running.Go(func() { take(&leftConn{Conn: nc, unread: rest}) })
	}
	s.conn.Closed(err)
	l.engine.open.Done()
}
