package conn

// flush writes what waits, unless someone else is writing, who then takes it along, or Feed is running, which flushes at
// its end. The mutex is not held.
func (c *Conn) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writing || c.feeding || c.over || c.carrier == nil {
		return
	}
	for c.out.Len() > 0 && !c.over {
		c.writeOnce()
	}
}

// writeOnce writes what has collected so far. The mutex is held on entry and on return, not while writing.
func (c *Conn) writeOnce() {
	c.out, c.spare = c.spare, c.out
	c.writing = true
	c.timers.stalled = c.now()
	c.arm(c.timers.stalled.Add(c.cfg.Limits.WriteTime))
	c.mu.Unlock()
	err := c.carrier.Write(&c.spare)
	c.mu.Lock()
	c.writing = false
	if err != nil {
		c.abort(err)
	}
	if c.held {
		c.wake()
	}
	if c.leaving {
		c.change.Broadcast()
	}
}
