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
		c.timers.stalled = c.timers.fed
		c.arm(c.timers.stalled.Add(c.cfg.Limits.WriteTime))
		c.mu.Unlock()
		done, err := c.carrier.Write(c.spare)
		c.mu.Lock()
		if !done && err == nil {
			c.timers.stalled = c.now()
			return // Sent goes on
		}
		c.sent(err)
	}
	if c.out.Len() == 0 {
		c.out.Release()
	}
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
	c.relieve()
	if c.leaving != nil {
		c.held = true
	}
	c.wake()
	if c.written != nil {
		c.written.Broadcast()
	}
}
