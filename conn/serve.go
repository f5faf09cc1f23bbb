package conn

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// patience is how long reading waits for a running call to end before it refuses one over Limits.Calls. A peer that sends
// many quick calls at once is slowed down by it; one whose calls are stuck is refused.
const patience = 100 * time.Millisecond

// ErrFlooded: the peer's unsent answers exceed Limits.OutputHard.
var ErrFlooded = errors.New("conn: the peer's unsent answers exceed the limit")

// exchange is one call of the peer.
type exchange struct {
	call.Call
	conn     *Conn
	id       uint64 // of the frame; 0: a notification
	method   call.Method
	deadline wire.Time // 0: none
	ctx      context.Context
	cancel   context.CancelCauseFunc // nil: the call has no context of its own
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

var errNoMethod = &call.Error{Code: call.Unimplemented, Message: "Method not found."}

// open begins a call of the peer: it is decoded here, where its bytes are, and run elsewhere.
func (c *Conn) open(f *wire.Frame) {
	x, err := c.accept(f)
	if err != nil {
		c.refuse(f.ID, err)
		return
	}
	c.mu.Lock()
	if x.id != 0 {
		c.calls[x.id] = x
		c.arm(x.deadline)
	}
	inTurn := x.id == 0 && !x.method.Traits().Concurrent
	if inTurn {
		c.serial = append(c.serial, x)
	}
	first := len(c.serial) == 1
	c.mu.Unlock()
	switch {
	case !inTurn:
		go x.run()
	case first:
		go c.runSerial()
	}
}

// accept finds the method of a call, asks whether it may run, and decodes its arguments.
func (c *Conn) accept(f *wire.Frame) (*exchange, error) {
	h := f.Head
	h.Peer = &c.peer
	m := c.cfg.Methods.Find(h.Method)
	if m == nil {
		return nil, errNoMethod
	}
	if err := m.Admit(h); err != nil {
		return nil, err
	}
	t := m.Traits()
	if limit := c.messageLimit(t); len(f.Body) > limit {
		return nil, call.Errorf(call.ResourceExhausted, "the arguments take %d bytes, more than the %d that the method allows", len(f.Body), limit)
	}
	if err := c.admit(); err != nil {
		return nil, err
	}
	x := exchanges.Get().(*exchange)
	x.conn, x.id, x.method = c, f.ID, m
	x.Method, x.Wire, x.Notify, x.Peer, x.Codec = t.Name, h.Wire, f.ID == 0, &c.peer, h.Codec
	if err := m.Decode(&x.Call, h, f.Body); err != nil {
		c.left(x)
		return nil, err
	}
	x.setContext(t, h)
	return x, nil
}

func (c *Conn) messageLimit(t *call.Traits) int {
	if t.MaxMessage > 0 {
		return t.MaxMessage
	}
	return c.cfg.Limits.MessageBytes
}

// admit counts one more running call, or says why there is no room for it.
func (c *Conn) admit() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out.Len() > c.cfg.Limits.OutputBytes {
		return call.Errorf(call.ResourceExhausted, "too many answers wait to be read; read them before calling again")
	}
	if c.running >= c.cfg.Limits.Calls && !c.waitForRoom() {
		return call.Errorf(call.ResourceExhausted, "more than %d calls are running on this connection", c.cfg.Limits.Calls)
	}
	c.running++
	return nil
}

// waitForRoom waits a little for a running call to end, with the answers so far sent, and reports whether one did. The
// mutex is held on entry and on return, not between.
func (c *Conn) waitForRoom() bool {
	c.mu.Unlock()
	c.flush()
	c.mu.Lock()
	late := false
	timer := time.AfterFunc(patience, func() {
		c.mu.Lock()
		late = true
		c.mu.Unlock()
		c.change.Broadcast()
	})
	defer timer.Stop()
	c.feeding = false // answers that come meanwhile must not wait for Feed to end
	for c.running >= c.cfg.Limits.Calls && !late && !c.over {
		c.change.Wait()
	}
	c.feeding = true
	return c.running < c.cfg.Limits.Calls
}

// setContext gives the call its deadline, and a context of its own where someone looks at it.
func (x *exchange) setContext(t *call.Traits, h *call.Head) {
	c := x.conn
	x.ctx, x.cancel, x.deadline = c.ctx, nil, 0
	if h.Timeout > 0 && x.id != 0 {
		x.deadline = max(1, c.now()).Add(h.Timeout)
	}
	if !t.Context {
		return
	}
	x.Meta = call.MetaOf(h.Fields)
	ctx, cancel := context.WithCancelCause(call.NewContext(c.ctx, &x.Call))
	x.ctx, x.cancel = ctx, cancel
	if h.Timeout > 0 {
		deadline, stop := context.WithTimeout(ctx, h.Timeout)
		x.ctx, x.cancel = deadline, func(err error) { cancel(err); stop() }
	}
}

// run runs the call and answers it.
func (x *exchange) run() {
	err := x.method.Serve(x.ctx, &x.Call)
	if x.cancel != nil {
		x.cancel(nil)
	}
	x.conn.finish(x, err)
}

// runSerial runs the notifications of the connection in the order in which they came.
func (c *Conn) runSerial() {
	c.mu.Lock()
	for len(c.serial) > 0 {
		x := c.serial[0]
		c.mu.Unlock()
		x.run()
		c.mu.Lock()
		c.serial = c.serial[1:]
	}
	c.serial = nil
	c.mu.Unlock()
}

// finish sends the answer of a call that ended, unless its deadline did already.
func (c *Conn) finish(x *exchange, err error) {
	c.mu.Lock()
	if c.calls[x.id] == x {
		f := wire.Frame{Err: public(err), Meta: x.Trailer}
		if x.Body != nil {
			f.Body, f.Buf = x.Body.B, x.Body
		}
		c.answer(x, &f)
	}
	others := c.running > 1
	c.mu.Unlock()
	c.left(x)
	if others {
		runtime.Gosched() // calls that are about to end as well share the write
	}
	c.flush()
}

// left forgets a call that no longer runs.
func (c *Conn) left(x *exchange) {
	c.mu.Lock()
	c.running--
	if c.running+1 >= c.cfg.Limits.Calls {
		c.change.Broadcast()
	}
	if c.ending {
		c.wake()
	}
	c.mu.Unlock()
	x.Call.Reset()
	if x.method.Traits().Context { // the function may have kept its context, which leads to the call
		return
	}
	*x = exchange{Call: x.Call}
	exchanges.Put(x)
}

// public makes sure that an error is one for the wire.
func public(err error) *call.Error {
	if err == nil {
		return nil
	}
	if e := call.Public(err); e != nil {
		return e
	}
	return &call.Error{Code: call.Unknown, Message: "the call failed"}
}

// answer sends the reply f to x, whose call may still run. The mutex is held.
func (c *Conn) answer(x *exchange, f *wire.Frame) {
	delete(c.calls, x.id)
	f.ID = x.id
	c.reply(f)
}

// refuse answers a call that does not run.
func (c *Conn) refuse(id uint64, err error) {
	c.mu.Lock()
	if id != 0 {
		c.reply(&wire.Frame{ID: id, Err: public(err)})
	}
	c.mu.Unlock()
}

// reply gives an answer to the machine. The mutex is held.
func (c *Conn) reply(f *wire.Frame) {
	if c.over {
		return
	}
	flooded := c.out.Len() > c.cfg.Limits.OutputHard
	f.Kind, f.End = wire.Reply, true
	_, err := c.machine.Send(f, &c.out)
	switch {
	case flooded:
		c.abort(ErrFlooded)
		return
	case err != nil:
		c.end(err)
	}
	c.timers.active = c.now()
	c.drain()
	c.wake()
}

// cancelCall ends the context of a call. The function decides what becomes of it.
func (c *Conn) cancelCall(id uint64) {
	c.mu.Lock()
	x := c.calls[id]
	var cancel context.CancelCauseFunc
	if x != nil {
		cancel = x.cancel
	}
	c.mu.Unlock()
	if cancel != nil {
		cancel(call.Errorf(call.Canceled, "the caller gave up"))
	}
}
