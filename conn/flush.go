package conn

// flush sends what waits, unless a write is under way, which takes it along when it ends, or Feed is running, which flushes
// at its end. The mutex is not held.
func (c *Conn) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.write()
}

// write is flush with the mutex held; it is not held while the carrier works.
func (c *Conn) write() {
	for !c.writing && !c.feeding && !c.over && c.carrier != nil && c.out.Len() > 0 {
		c.out, c.spare = c.spare, c.out
		c.writing = true
		c.timers.stalled = c.now()
		c.arm(c.timers.stalled.Add(c.cfg.Limits.WriteTime))
		c.mu.Unlock()
		done, err := c.carrier.Write(&c.spare)
		c.mu.Lock()
		if !done && err == nil {
			return // Sent goes on
		}
		c.sent(err)
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
	c.writing = false
	if err != nil {
		c.abort(err)
	}
	c.wake()
	if c.leaving {
		c.change.Broadcast()
	}
}
