package conn

import (
	"sync"

	"github.com/anywire/anywire/wire"
)

// flush sends what waits, unless a write is under way, which takes it along when it ends, or Feed is running, which flushes
// at its end. The mutex is not held.
func (c *Conn) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.write()
}

// write is flush with the mutex held; it is not held while the carrier works.
func (c *Conn) write() {
	for c.spare == nil && !c.feeding && !c.over && c.carrier != nil && c.out.Len() > 0 {
		c.spare = outs.Get().(*wire.Out)
		c.spare.Swap(&c.out)
		c.stallsFrom(c.now())
		c.mu.Unlock()
		done, err := c.carrier.Write(c.spare)
		c.mu.Lock()
		if !done && err == nil {
			return // Sent goes on
		}
		c.sent(err)
	}
	if c.out.Len() == 0 {
		c.out.Release()
	}
}

// borrow gives the connection the loop's memory for its output. The mutex is held.
func (c *Conn) borrow(l *Loop) {
	if c.out.B == nil {
		l.out.Ready()
		c.out.Swap(l.out)
	}
}

// writeOn is write at the end of Feed: when everything goes at once, as it does most of the time, the loop has its memory
// back. The mutex is held.
func (c *Conn) writeOn(l *Loop) {
	switch {
	case c.out.Len() == 0 && l.out.B == nil:
		c.out.Swap(l.out)
		return
	case c.spare != nil || c.over || c.out.Len() == 0 || c.carrier == nil:
		return
	}
	l.out.Swap(&c.out)
	c.spare = l.out
	c.stallsFrom(c.timers.fed)
	c.mu.Unlock()
	done, err := c.carrier.Write(c.spare)
	c.mu.Lock()
	if done {
		l.out.Reset()
		c.spare = nil
		c.wrote()
		c.write() // what came meanwhile
		return
	}
	l.out = outs.Get().(*wire.Out)
	if err != nil {
		c.sent(err)
	}
}

// stallsFrom notes that a write begins. The mutex is held.
func (c *Conn) stallsFrom(now wire.Time) {
	c.timers.stalled = now
	c.arm(now.Add(c.cfg.Limits.WriteTime))
}

// outs are for what is being written: connections that are idle need none.
var outs = sync.Pool{New: func() any { return new(wire.Out) }}

// Sent tells that what Write could not send at once is sent, or why it is not. The carrier calls it.
func (c *Conn) Sent(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent(err)
	c.write()
}

// sent ends a write. The mutex is held.
func (c *Conn) sent(err error) {
	c.spare.Release()
	outs.Put(c.spare)
	c.spare = nil
	if err != nil {
		c.abort(err)
	}
	c.wrote()
}

// wrote lets those go on who waited for a write to end. The mutex is held.
func (c *Conn) wrote() {
	c.relieve()
	if c.leaving != nil {
		c.held = true
	}
	c.wake()
	if c.written != nil {
		c.written.Broadcast()
	}
}
