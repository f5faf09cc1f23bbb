package conn

import (
	"errors"
	"slices"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// Awaiter waits for the answer to a call of ours.
type Awaiter interface {
	// Deliver hands over the Reply frame, whose Body is borrowed, so it is decoded before Deliver returns. It is called
	// once, from the goroutine that reads the connection or the one that ends it, and must not block.
	Deliver(f *wire.Frame)
}

// ErrEnded: the connection accepts no more calls.
var ErrEnded = errors.New("conn: the connection has ended")

// Outgoing is one call of ours.
type Outgoing struct {
	Head   call.Head
	Meta   call.Meta
	Body   []byte  // the encoded arguments; borrowed until Send returns
	Waiter Awaiter // gets the answer; nil: a notification
	ID     uint64  // set by Send, for Forget
}

// Send begins calls; the wire puts several into one batch. On an exclusive connection idle hears when an exchange of
// notifications alone has ended and the next one may begin; elsewhere it hears nothing.
//
// After ErrEnded nothing was sent and no waiter will hear of it.
func (c *Conn) Send(calls []Outgoing, idle Awaiter) error {
	c.mu.Lock()
	if c.ending || c.over || c.eof {
		c.mu.Unlock()
		return ErrEnded
	}
	c.timers.active = c.now()
	c.timers.fed = c.timers.active
	var err error
	for i := range calls {
		o := &calls[i]
		c.number(o)
		f := wire.Frame{Kind: wire.Open, Ours: true, End: true, More: i < len(calls)-1, ID: o.ID, Head: &o.Head, Meta: o.Meta, Body: o.Body}
		if _, sendErr := c.machine.Send(&f, c.output()); sendErr != nil {
			err = sendErr
		}
	}
	if c.cfg.Exclusive && !slices.ContainsFunc(calls, func(o Outgoing) bool { return o.Waiter != nil }) {
		c.await(0, idle)
	}
	c.mu.Unlock()
	c.flush()
	return err
}

func (c *Conn) number(o *Outgoing) {
	if o.Waiter == nil {
		return
	}
	c.nextID++
	o.ID = c.nextID
	c.await(o.ID, o.Waiter)
}

func (c *Conn) await(id uint64, w Awaiter) {
	if c.pending == nil {
		c.pending = make(map[uint64]Awaiter)
	}
	c.pending[id] = w
}

// Forget gives up on a call of ours: its answer is dropped, and the peer is told where the wire can tell it.
func (c *Conn) Forget(id uint64) {
	c.mu.Lock()
	_, waiting := c.pending[id]
	delete(c.pending, id)
	if waiting && !c.over {
		c.machine.Send(&wire.Frame{Kind: wire.Cancel, Ours: true, ID: id}, c.output())
	}
	c.mu.Unlock()
	c.flush()
}

// deliver hands an answer to who waits for it. Without an id it speaks of the connection, or of an exchange without calls.
// The mutex is held on entry and on return.
func (c *Conn) deliver(f *wire.Frame) {
	w, ok := c.pending[f.ID]
	delete(c.pending, f.ID)
	switch {
	case ok && w != nil:
		c.mu.Unlock()
		w.Deliver(f)
		c.mu.Lock()
	case f.ID == 0 && len(c.pending) > 0:
		c.abort(f.Err)
	}
}

// lose answers every call of ours that has no answer, because the connection is over.
func (c *Conn) lose(cause error) {
	c.mu.Lock()
	lost := c.pending
	c.pending = nil
	c.mu.Unlock()
	e := call.Errorf(call.Unavailable, "the connection was lost before the answer came").WithCause(cause)
	for id, w := range lost {
		if w != nil {
			w.Deliver(&wire.Frame{Kind: wire.Reply, Ours: true, End: true, ID: id, Err: e})
		}
	}
}
