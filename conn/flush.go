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
		c.spare, c.out = c.out, nil
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
		c.recycleOut()
	}
}

// output returns what collects the connection's output. The mutex is held.
func (c *Conn) output() *wire.Out {
	if c.out == nil {
		c.out = newOut()
	}
	return c.out
}

// borrow takes the loop's for it. The mutex is held.
func (c *Conn) borrow(l *Loop) {
	if c.out == nil {
		c.out, l.out = l.out, nil
	}
}

// writeOn is write at the end of Feed: when everything goes at once, as it does most of the time, the loop gets its output
// back. The mutex is held.
func (c *Conn) writeOn(l *Loop) {
	var back *wire.Out
	switch {
	case c.out.Len() == 0:
		back, c.out = c.out, nil
	case c.spare == nil && !c.over && c.carrier != nil:
		back = c.writeAtOnce()
	}
	switch {
	case l.out == nil && back == nil:
		l.out = newOut()
	case l.out == nil:
		l.out = back
	case back != nil:
		recycle(back)
	}
}

// writeAtOnce returns the output if all of it went. The mutex is held on entry and on return.
func (c *Conn) writeAtOnce() (back *wire.Out) {
	c.spare, c.out = c.out, nil
	c.stallsFrom(c.timers.fed)
	c.mu.Unlock()
	done, err := c.carrier.Write(c.spare)
	c.mu.Lock()
	switch {
	case err != nil:
		c.sent(err)
	case done:
		back, c.spare = c.spare, nil
		back.Reset()
		c.wrote()
		c.write() // what came meanwhile
	}
	return back
}

// stallsFrom notes that a write begins. The mutex is held.
func (c *Conn) stallsFrom(now wire.Time) {
	c.timers.stalled = now
	c.arm(now.Add(c.cfg.Limits.WriteTime))
}

// outs are for connections that have something to send: those that are idle need none.
var outs = sync.Pool{New: func() any { return new(wire.Out) }}

func newOut() *wire.Out {
	o := outs.Get().(*wire.Out)
	o.Ready()
	return o
}

func recycle(o *wire.Out) {
	o.Release()
	outs.Put(o)
}

// recycleOut drops the output. The mutex is held.
func (c *Conn) recycleOut() {
	if c.out != nil {
		recycle(c.out)
		c.out = nil
	}
}

// Sent tells that what Write could not send at once is sent, or why it is not. The carrier calls it.
func (c *Conn) Sent(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent(err)
	c.write()
}

// sent ends a write. The mutex is held.
func (c *Conn) sent(err error) {
	recycle(c.spare)
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
