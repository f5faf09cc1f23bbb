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

// ErrFlooded: the peer's unsent answers exceed Limits.OutputHard.
var ErrFlooded = errors.New("conn: the peer's unsent answers exceed the limit")

// exchange is one call of the peer.
type exchange struct {
	call.Call
	conn     *Conn
	id       uint64 // of the frame; 0: a notification
	method   call.Method
	traits   *call.Traits
	deadline wire.Time // 0: none
	ctx      context.Context
	cancel   context.CancelCauseFunc // nil: the call has no context of its own

	reply   wire.Frame // of a call with a goroutine of its own
	scratch wire.Scratch
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

var errNoMethod = &call.Error{Code: call.Unimplemented, Message: "Method not found."}

// open begins a call of the peer: it is decoded here, where its bytes are, and runs here or in a goroutine of its own. rest
// is what was received behind it. The mutex is held on entry, and on return unless the loop is lost.
func (c *Conn) open(f *wire.Frame, rest []byte, l *Loop) (lost bool) {
	if err := c.admit(); err != nil {
		c.refuse(f.ID, err)
		return false
	}
	c.running++
	first := len(c.serial) == 0 // nothing that runs in order is before it
	c.mu.Unlock()
	x, err := c.accept(f, l)
	if err != nil {
		c.mu.Lock()
		c.refuse(f.ID, err)
		c.left()
		return false
	}
	if (first || !x.ordered()) && x.inline(l) {
		return c.run(x, rest, l)
	}
	c.mu.Lock()
	c.start(x)
	l.forked = true
	return false
}

// ordered reports whether the call runs in order with others of its connection.
func (x *exchange) ordered() bool {
	t := x.traits
	return t.Ordered || x.id == 0 && !t.Concurrent
}

// inline reports whether the goroutine that feeds runs the call.
func (x *exchange) inline(l *Loop) bool {
	switch t := x.traits; t.Mode {
	case call.Inline:
		return true
	case call.Auto:
		return l.watched && !t.Pace.Demoted()
	}
	return false
}

// accept finds the method of a call, asks whether it may run, and decodes its arguments. The mutex is not held.
func (c *Conn) accept(f *wire.Frame, l *Loop) (*exchange, error) {
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
	x := take(l)
	x.conn, x.id, x.method, x.traits = c, f.ID, m, t
	x.Method, x.Wire, x.Notify, x.Peer, x.Codec = t.Name, h.Wire, f.ID == 0, &c.peer, h.Codec
	if err := m.Decode(&x.Call, h, f.Body); err != nil {
		x.recycle(l)
		return nil, err
	}
	x.setContext(t, h)
	return x, nil
}

// take returns an exchange to use, the loop's own where there is one.
func take(l *Loop) *exchange {
	if l.spare != nil {
		x := l.spare
		l.spare = nil
		return x
	}
	return exchanges.Get().(*exchange)
}

// recycle gives x back, to the loop where there is one, once its call is over.
func (x *exchange) recycle(l *Loop) {
	if x.traits.Context { // the function may have kept its context, which leads to the call
		x.Body.Release()
		return
	}
	x.Call.Reset()
	x.conn, x.method, x.traits, x.ctx, x.cancel = nil, nil, nil, nil, nil
	x.reply.Reset()
	if l != nil {
		l.spare = x
		return
	}
	exchanges.Put(x)
}

func (c *Conn) messageLimit(t *call.Traits) int {
	if t.MaxMessage > 0 {
		return t.MaxMessage
	}
	return c.cfg.Limits.MessageBytes
}

var (
	errUnread = &call.Error{Code: call.ResourceExhausted, Message: "too many answers wait to be read; read them before calling again"}
	errBusy   = &call.Error{Code: call.ResourceExhausted, Message: "too many calls are running on this connection"}
)

// admit says why there is no room for another call, or nil. The mutex is held.
func (c *Conn) admit() *call.Error {
	switch {
	case c.unsent() > c.cfg.Limits.OutputBytes:
		return errUnread
	case c.running >= c.cfg.Limits.Calls:
		return errBusy
	}
	return nil
}

// unsent is how many bytes of answers wait. The mutex is held.
func (c *Conn) unsent() int { return c.out.Len() + c.machine.Held() }

// setContext gives the call its deadline, and a context of its own where someone looks at it.
func (x *exchange) setContext(t *call.Traits, h *call.Head) {
	c := x.conn
	x.ctx, x.cancel, x.deadline = c.cfg.Context, nil, 0
	if h.Timeout > 0 && x.id != 0 {
		x.deadline = c.now().Add(h.Timeout)
	}
	if t.Context || t.Meta {
		x.Meta = call.MetaOf(h.Fields)
	}
	if !t.Context {
		return
	}
	ctx, cancel := context.WithCancelCause(call.NewContext(c.context(), &x.Call))
	x.ctx, x.cancel = ctx, cancel
	if h.Timeout > 0 {
		deadline, stop := context.WithTimeout(ctx, h.Timeout)
		x.ctx, x.cancel = deadline, func(err error) { cancel(err); stop() }
	}
}

// run runs a call on the goroutine that feeds. The mutex is held on return unless the loop is lost.
func (c *Conn) run(x *exchange, rest []byte, l *Loop) (lost bool) {
	err, ours := l.run(x, rest)
	if x.cancel != nil {
		x.cancel(nil)
	}
	if !ours {
		c.finish(x, err)
		return true
	}
	c.mu.Lock()
	if x.id != 0 {
		c.reply(x.result(&l.reply, err))
	}
	c.left()
	x.recycle(l)
	return false
}

// taken is told that the loop was taken from the call x, which goes on as one with a goroutine of its own.
func (c *Conn) taken(x *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.register(x)
	c.feeding = false
	c.write()
}

// start runs a call in a goroutine of its own, at once or when those before it have run. The mutex is held.
func (c *Conn) start(x *exchange) {
	c.register(x)
	switch {
	case !x.ordered():
		go x.runApart()
	case len(c.serial) == 1:
		go c.runSerial()
	}
}

// register makes a call known to those who may answer it before it ends. The mutex is held.
func (c *Conn) register(x *exchange) {
	if x.id != 0 {
		if c.calls == nil {
			c.calls = make(map[uint64]*exchange)
		}
		c.calls[x.id] = x
		c.arm(x.deadline)
	}
	if x.ordered() {
		c.serial = append(c.serial, x)
	}
}

// runApart runs a call in a goroutine of its own and answers it.
func (x *exchange) runApart() {
	pace := &x.traits.Pace
	var start time.Time
	timed := pace.Demoted()
	if timed {
		start = time.Now()
	}
	err := x.method.Serve(x.ctx, &x.Call)
	if timed {
		pace.Apart(time.Since(start))
	}
	if x.cancel != nil {
		x.cancel(nil)
	}
	x.conn.finish(x, err)
}

// runSerial runs the calls that wait for their turn, the first of which is known to be ready.
func (c *Conn) runSerial() {
	c.mu.Lock()
	x := c.serial[0]
	c.mu.Unlock()
	x.runApart()
}

// finish sends the answer of a call that ended in a goroutine of its own, unless its deadline did already.
func (c *Conn) finish(x *exchange, err error) {
	c.mu.Lock()
	c.waitForSpace()
	if x.id != 0 && c.calls[x.id] == x {
		c.timers.active = c.now()
		delete(c.calls, x.id)
		x.reply.Lend(&x.scratch)
		c.reply(x.result(&x.reply, err))
	}
	c.left()
	c.next(x)
	others := c.running > 0
	c.mu.Unlock()
	x.recycle(nil)
	if others {
		runtime.Gosched() // calls that are about to end as well share the write
	}
	c.flush()
}

// waitForSpace keeps the answer of a call that ended until the peer has read those before it. The mutex is held on entry and
// on return.
func (c *Conn) waitForSpace() {
	for c.out.Len() > c.cfg.Limits.OutputBytes && !c.over {
		if c.spare == nil && !c.feeding {
			c.write()
			continue
		}
		if c.written == nil {
			c.written = sync.NewCond(&c.mu)
		}
		c.written.Wait()
	}
}

// next lets the call behind x run, when x ran in order. The mutex is held.
func (c *Conn) next(x *exchange) {
	if len(c.serial) == 0 || c.serial[0] != x {
		return
	}
	c.serial[0] = nil
	c.serial = c.serial[1:]
	if len(c.serial) > 0 {
		go c.runSerial()
		return
	}
	c.serial = nil
}

// result fills f with the reply to a call that ended.
func (x *exchange) result(f *wire.Frame, err error) *wire.Frame {
	f.Reset()
	f.ID, f.Err, f.Meta = x.id, public(err), x.Trailer
	if x.Body != nil {
		f.Body, f.Buf = x.Body.B, x.Body
	}
	return f
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

// left counts a call that no longer runs. The mutex is held.
func (c *Conn) left() {
	c.running--
	c.relieve()
	c.wake()
}

// refuse answers a call that does not run. The mutex is held.
func (c *Conn) refuse(id uint64, err error) {
	if id != 0 {
		c.reply(&wire.Frame{ID: id, Err: public(err)})
	}
}

// reply gives an answer to the machine. The mutex is held.
func (c *Conn) reply(f *wire.Frame) {
	if c.over {
		return
	}
	if c.unsent() > c.cfg.Limits.OutputHard {
		c.abort(ErrFlooded)
		return
	}
	f.Kind, f.End = wire.Reply, true
	if _, err := c.machine.Send(f, c.output()); err != nil {
		c.end(err)
	}
	c.drain()
	c.wake()
}

// cancelCall ends the context of a call. The function decides what becomes of it. The mutex is held.
func (c *Conn) cancelCall(id uint64) {
	if x := c.calls[id]; x != nil && x.cancel != nil {
		x.cancel(call.Errorf(call.Canceled, "the caller gave up"))
	}
}
