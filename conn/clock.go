package conn

import (
	"errors"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// Errors that end a connection whose peer is too slow.
var (
	// ErrSilent: the first bytes did not come, or did not decide on a protocol, within Limits.SniffTime.
	ErrSilent = errors.New("conn: no protocol was recognised in time")
	// ErrSlowMessage: a message began and was not whole within Limits.MessageTime.
	ErrSlowMessage = errors.New("conn: a message did not arrive in time")
	// ErrIdle: nothing happened for Limits.IdleTime.
	ErrIdle = errors.New("conn: idle")
	// ErrStalled: the peer took no answer for Limits.WriteTime.
	ErrStalled = errors.New("conn: the peer does not read its answers")
	// ErrHalfOpen: calls were still running Limits.HalfOpen after the peer had stopped sending.
	ErrHalfOpen = errors.New("conn: the peer stopped sending and its calls did not end")
)

// slowest is the pace, in bytes per second, that a message must keep once it has used up Limits.MessageTime.
const slowest = 16 << 10

// timers are the moments at which a connection needs looking after; 0: none. One timer of the carrier serves them all and
// is moved only when something falls due earlier than it is set to.
type timers struct {
	due     wire.Time // what the carrier is armed for
	sniff   wire.Time // the first bytes must have decided
	machine wire.Time // the machine asked for it
	fed     wire.Time // when Feed was called last
	active  wire.Time // when something happened last

	begun    wire.Time // since when a message is partly here
	consumed int64     // bytes that the machine took
	before   int64     // of these, taken when the message began
	arrived  int64     // bytes of the message

	stalled wire.Time // since when no byte was written
	written int64     // Carrier.Written then
	closed  wire.Time // when the peer stopped sending

	patience wire.Time // until when reading waits because the connection is crowded
	progress int64     // Carrier.Written when that began
}

func (c *Conn) now() wire.Time { return wire.Time(time.Since(c.cfg.Epoch)) }

// progress notes what one Feed leaves behind: rest bytes that wait for more. The mutex is held.
func (c *Conn) progress(rest, want, n int) {
	t := &c.timers
	t.consumed += int64(n)
	if c.eof && t.closed == 0 {
		t.closed = c.now()
		c.arm(t.closed.Add(c.cfg.Limits.HalfOpen))
	}
	if want <= 0 {
		t.begun = 0
		return
	}
	starts := t.begun == 0
	if starts {
		t.begun = c.now()
		t.before = t.consumed
	}
	t.arrived = t.consumed - t.before + int64(rest)
	if starts {
		c.arm(c.messageDue())
	}
}

// arm asks the carrier for a Tick at that moment unless there will be one earlier. The mutex is held.
func (c *Conn) arm(at wire.Time) {
	if c.over || c.carrier == nil || at == 0 || c.timers.due != 0 && c.timers.due <= at {
		return
	}
	c.timers.due = at
	c.carrier.Arm(max(time.Millisecond, time.Duration(at-c.now())))
}

// nextDue returns the earliest moment at which anything is due. The mutex is held.
func (c *Conn) nextDue() (next wire.Time) {
	t, l := &c.timers, &c.cfg.Limits
	earliest := func(at wire.Time) {
		if next == 0 || at < next {
			next = at
		}
	}
	if t.sniff > 0 {
		earliest(t.sniff)
	} else {
		earliest(t.active.Add(l.IdleTime))
	}
	if t.machine > 0 {
		earliest(t.machine)
	}
	if t.begun > 0 {
		earliest(c.messageDue())
	}
	if c.spare != nil {
		earliest(t.stalled.Add(l.WriteTime))
	}
	if t.closed > 0 {
		earliest(t.closed.Add(l.HalfOpen))
	}
	if t.patience > 0 {
		earliest(t.patience)
	}
	for _, x := range c.calls {
		if x.deadline > 0 {
			earliest(x.deadline)
		}
	}
	return next
}

func (c *Conn) messageDue() wire.Time {
	earned := time.Duration(c.timers.arrived/slowest) * time.Second
	return c.timers.begun.Add(c.cfg.Limits.MessageTime).Add(earned)
}

// Tick looks after what is due. The engine calls it when Arm asked for it.
func (c *Conn) Tick() {
	c.mu.Lock()
	now := c.now()
	c.timers.due = 0
	err := c.overdue(now)
	c.expire(now)
	c.tire(now)
	c.arm(c.nextDue())
	c.mu.Unlock()
	if err != nil {
		c.Abort(err)
		return
	}
	c.flush()
}

// overdue returns why the connection must be cut, or nil. The mutex is held.
func (c *Conn) overdue(now wire.Time) error {
	t, l := &c.timers, &c.cfg.Limits
	if t.sniff > 0 && now >= t.sniff {
		return c.silent()
	}
	if t.machine > 0 && now >= t.machine {
		next, err := c.machine.Tick(now, c.output())
		t.machine = next
		if err != nil {
			return err
		}
	}
	if written := c.carrier.Written(); written != t.written || c.spare == nil {
		t.written, t.stalled = written, now
	}
	idle := c.running == 0 && len(c.pending) == 0 && c.spare == nil
	switch {
	case t.begun > 0 && now >= c.messageDue():
		return ErrSlowMessage
	case c.spare != nil && now >= t.stalled.Add(l.WriteTime):
		return ErrStalled
	case t.closed > 0 && now >= t.closed.Add(l.HalfOpen):
		return ErrHalfOpen
	case idle && t.sniff == 0 && now >= t.active.Add(l.IdleTime):
		return ErrIdle
	case !idle && now >= t.active.Add(l.IdleTime):
		t.active = now
	}
	return nil
}

// silent gives a peer that waits for us the protocol of the fallback. The mutex is held.
func (c *Conn) silent() error {
	d, ok := c.machine.(*wire.Detector)
	if !ok {
		return nil
	}
	m := d.Silent()
	if m == nil {
		return ErrSilent
	}
	c.machine = m
	c.begin()
	return nil
}

// expire answers the calls whose deadline has passed, whether or not their functions noticed. The mutex is held.
func (c *Conn) expire(now wire.Time) {
	for _, x := range c.calls {
		if x.deadline > 0 && now >= x.deadline {
			delete(c.calls, x.id)
			c.reply(&wire.Frame{ID: x.id, Err: call.Errorf(call.DeadlineExceeded, "the deadline passed")})
		}
	}
}
