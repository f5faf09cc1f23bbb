package conn

import (
	"net"
	"time"

	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// Feed takes the bytes received and not yet consumed. They lie in memory, unless that is nil; when it is shared afterwards,
// the engine must not write to it again. eof says that no more will come. l is the loop whose goroutine feeds.
func (c *Conn) Feed(in []byte, memory *mem.Buf, eof bool, l *Loop) (s Step) {
	c.mu.Lock()
	c.feeding, c.held, c.memory = true, false, memory
	c.eof = c.eof || eof
	c.timers.fed = c.clock(l)
	c.borrow(l)
	for c.recv(in, &s, l) {
	}
	if s.Lost {
		return s // without the mutex
	}
	c.feeding, c.memory = false, nil
	c.progress(len(in)-s.N, s.Want, s.N)
	c.tick()
	c.drain()
	settled := len(c.pending) == 0 && !c.over
	c.held = s.Want == wire.Hold && (s.N < len(in) || c.eof) // before the mutex is given up for writing
	c.writeOn(l)
	s.Leave = c.leave()
	s.Done = c.finished()
	c.mu.Unlock()
	if settled && c.cfg.Settled != nil {
		c.cfg.Settled(c)
	}
	return s
}

// tick lets the machine do what a batch of bytes brought about. The mutex is held.
func (c *Conn) tick() {
	if c.over || c.err != nil {
		return
	}
	next, err := c.machine.Tick(c.timers.fed, c.output())
	c.timers.machine = next
	if err != nil {
		c.end(err)
	}
	c.arm(next)
}

// clock returns the time of the loop's batch.
func (c *Conn) clock(l *Loop) wire.Time {
	if !l.watched {
		return c.now()
	}
	return wire.Time(l.epoch.Sub(c.cfg.Epoch) + l.now)
}

// recv lets the machine read once and acts on its frame. It reports whether to go on. The mutex is held on entry, and on
// return unless the loop is lost.
func (c *Conn) recv(in []byte, s *Step, l *Loop) (more bool) {
	switch {
	case c.over, c.err != nil: // what comes after an error is no longer understood
		s.N, s.Want = len(in), wire.Hold
		return false
	case c.leaving != nil, c.crowded():
		s.Want = wire.Hold
		return false
	}
	f := &l.frame
	f.Reset()
	n, want, err := c.machine.Recv(in[s.N:], c.eof, c.output(), f)
	s.N += n
	if err != nil {
		c.end(err)
		return true
	}
	if f.Kind == wire.None {
		s.Want = want
		if n == 0 && c.eof && want != wire.Hold {
			c.ending = true
			s.Want = wire.Hold
		}
		return n > 0
	}
	c.timers.active = c.timers.fed
	if f.Buf == nil && len(f.Body) > 0 {
		f.Buf = c.memory
	}
	if f.Kind == wire.Open {
		s.Lost = c.open(f, in[s.N:], l)
		return !s.Lost
	}
	c.handle(f)
	return true
}

// handle acts on any frame but Open. The mutex is held on entry and on return.
func (c *Conn) handle(f *wire.Frame) {
	switch {
	case f.Kind == wire.Upgrade && f.Next == nil:
		c.leaving = f.Leave
	case f.Kind == wire.Upgrade:
		c.machine = f.Next
		if f.Peer != nil {
			c.peer = *f.Peer
		}
		c.begin()
	case f.Kind == wire.Cancel && !f.Ours:
		c.cancelCall(f.ID)
	case f.Kind == wire.Reply && f.Ours:
		c.deliver(f)
	}
}

// patience is how long reading waits for running calls to end, or for the peer to read its answers, before it goes on and
// refuses calls. A peer that sends many quick calls at once, or reads slowly, is slowed down by it; one whose calls are
// stuck, or that does not read at all, is refused.
const patience = 100 * time.Millisecond

// crowded reports whether reading should wait. The mutex is held.
func (c *Conn) crowded() bool {
	if c.refuses || c.admit() == nil {
		return false
	}
	if c.timers.patience == 0 {
		c.timers.patience = c.now().Add(patience)
		c.timers.progress = c.carrier.Written()
		c.arm(c.timers.patience)
	}
	return true
}

// relieve lets reading go on when it waited and there is room again. The mutex is held.
func (c *Conn) relieve() {
	if (c.refuses || c.timers.patience > 0) && c.admit() == nil {
		c.refuses, c.timers.patience = false, 0
		c.wake()
	}
}

// tire ends the waiting of crowded at its time, unless the peer has read something meanwhile. The mutex is held.
func (c *Conn) tire(now wire.Time) {
	t := &c.timers
	if t.patience == 0 || now < t.patience {
		return
	}
	if written := c.carrier.Written(); written != t.progress && c.running < c.cfg.Limits.Calls {
		t.progress, t.patience = written, now.Add(patience)
		return
	}
	c.refuses, t.patience = true, 0
	c.wake()
}

// leave returns who takes the connection once everything is written, because the carrier is about to serve him. The mutex
// is held.
func (c *Conn) leave() func(net.Conn) {
	if c.leaving == nil || c.spare != nil || c.out.Len() > 0 || c.over {
		return nil
	}
	return c.leaving
}
