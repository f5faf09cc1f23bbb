// Package conn joins a protocol to an engine: a Conn holds one connection's machine, its output, its exchanges in flight in
// both directions and the one mutex that guards them. It knows neither sockets nor protocols.
//
// The engine calls Feed with received bytes and Tick when the time it was asked for has come; the Conn calls its Carrier.
// Calls of the peer are decoded on the goroutine that feeds, since their bytes are borrowed, and run in goroutines of
// their own; answers are appended under the mutex and leave together.
package conn

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// Carrier is what a Conn asks of the engine. Its methods may be called from any goroutine.
type Carrier interface {
	// Write sends what goes without waiting for the peer. done says that this was all and out is empty; otherwise the
	// carrier goes on by itself and calls Sent once. No second Write comes before that. The mutex is not held.
	Write(out *wire.Out) (done bool, err error)
	// Written counts the bytes that went, so that a stall can be told from slowness.
	Written() int64
	// Wake makes the engine call Feed soon, whether or not bytes arrived.
	Wake()
	// Arm makes the engine call Tick once, after d. A later Arm replaces an earlier one.
	Arm(d time.Duration)
	// Abort ends the connection at once. The engine calls Closed when it has.
	Abort()
}

// Config is what connections of one server or client share.
type Config struct {
	Methods call.Dispatcher // answers the peer's calls
	Limits  wire.Limits     // after WithDefaults
	Context context.Context // parent of the contexts of calls
	Closed  func(*Conn)     // called once, when the connection is over

	// Settled is called when no call of ours is left without an answer and what the peer sent is consumed, so that the
	// next may begin on an exclusive connection; nil: nobody asks.
	Settled func(*Conn)

	// Exclusive says that the machine answers one exchange of ours after the other, so that even a notification is
	// followed by something to wait for (HTTP/1.1).
	Exclusive bool
}

// Step tells the engine what Feed made of its bytes.
type Step struct {
	N     int            // consumed
	Want  int            // call again with at least so many bytes in one piece; 0: with any more; wire.Hold: after Wake
	Done  bool           // the connection is over: say goodbye and close
	Leave func(net.Conn) // the connection goes on elsewhere, unread bytes in front
}

// Conn is one connection. All methods may be called concurrently, except Feed, which has one caller at a time.
type Conn struct {
	cfg    *Config
	peer   call.Peer
	ctx    context.Context // parent of the calls; ends with the connection
	cancel context.CancelCauseFunc
	epoch  time.Time  // of the clock
	frame  wire.Frame // of Feed

	mu      sync.Mutex
	carrier Carrier // guarded by mu, like all below; nil before Start
	machine wire.Machine
	out     wire.Out // what the next write sends
	spare   wire.Out // being written, or empty
	writing bool
	feeding bool // Feed flushes at its end
	held    bool // Feed waits for Wake with bytes it could not use
	leaving bool // Feed waits until everything is written

	calls   map[uint64]*exchange // of the peer, unanswered
	running int                  // of the peer, answered or not
	change  *sync.Cond           // a running call ended, or a write did
	serial  []*exchange          // notifications that run one after another; the first is running

	nextID  uint64
	pending map[uint64]Awaiter // ours, unanswered

	timers  timers
	eof     bool  // the peer sends nothing more
	ending  bool  // no new exchanges; over once the last is answered
	drained bool  // Drain was called
	over    bool  // Closed or Abort
	err     error // why it ended
}

// ErrDraining ends a connection after a graceful shutdown.
var ErrDraining = errors.New("conn: shut down")

// New returns a Conn that begins with machine m. The engine calls Start before anything else.
func New(cfg *Config, m wire.Machine, peer call.Peer) *Conn {
	c := &Conn{
		cfg: cfg, machine: m, peer: peer, epoch: time.Now(),
		calls: make(map[uint64]*exchange), pending: make(map[uint64]Awaiter),
	}
	c.change = sync.NewCond(&c.mu)
	c.ctx, c.cancel = context.WithCancelCause(cfg.Context)
	return c
}

// Start gives the Conn its carrier and begins the protocol. The engine calls it once, before the first Feed. What was sent
// before waits until then.
func (c *Conn) Start(carrier Carrier) {
	c.mu.Lock()
	c.carrier = carrier
	if c.over {
		carrier.Abort()
	} else {
		c.begin()
	}
	c.mu.Unlock()
	c.flush()
}

// begin is called when a machine takes over; the mutex is held.
func (c *Conn) begin() {
	now := c.now()
	c.timers.active = now
	c.timers.sniff = 0
	if _, ok := c.machine.(*wire.Detector); ok {
		c.timers.sniff = now.Add(c.cfg.Limits.SniffTime)
	}
	next, err := c.machine.Tick(now, &c.out)
	c.timers.machine = next
	if err != nil {
		c.end(err)
	}
	c.arm(c.next())
}

// Peer returns the other end.
func (c *Conn) Peer() *call.Peer { return &c.peer }

// Feed takes the bytes received and not yet consumed. eof says that no more will come.
func (c *Conn) Feed(in []byte, eof bool) (s Step) {
	c.mu.Lock()
	c.feeding, c.held = true, false
	c.eof = c.eof || eof
	for c.recv(in, &s) {
	}
	c.feeding = false
	c.progress(len(in)-s.N, s.Want, s.N)
	c.held = s.Want == wire.Hold && (s.N < len(in) || c.eof)
	settled := len(c.pending) == 0 && !c.over
	c.write()
	if s.Leave != nil {
		c.leave()
	}
	s.Done = c.finished()
	c.mu.Unlock()
	if settled && c.cfg.Settled != nil {
		c.cfg.Settled(c)
	}
	return s
}

// leave waits until everything is written; the carrier is about to serve someone else. The mutex is held.
func (c *Conn) leave() {
	c.leaving = true
	for c.writing {
		c.change.Wait()
	}
}

// recv lets the machine read once and handles its frame. It reports whether to go on. The mutex is held, except while a
// frame is handled.
func (c *Conn) recv(in []byte, s *Step) bool {
	if c.over || c.err != nil { // what comes after an error is no longer understood
		s.N, s.Want = len(in), wire.Hold
		return false
	}
	f := &c.frame
	f.Reset()
	n, want, err := c.machine.Recv(in[s.N:], c.eof, &c.out, f)
	s.N += n
	if err != nil {
		c.end(err)
		return true
	}
	if f.Kind == wire.None {
		s.Want = want
		if n == 0 && c.eof {
			c.ending = true
			s.Want = wire.Hold
		}
		return n > 0
	}
	c.timers.active = c.now()
	c.mu.Unlock()
	s.Leave = c.handle(f)
	c.mu.Lock()
	return s.Leave == nil
}

// handle acts on a frame of the machine. The mutex is not held.
func (c *Conn) handle(f *wire.Frame) (leave func(net.Conn)) {
	switch {
	case f.Kind == wire.Upgrade && f.Next == nil:
		return f.Leave
	case f.Kind == wire.Upgrade:
		c.mu.Lock()
		c.machine = f.Next
		c.begin()
		c.mu.Unlock()
	case f.Kind == wire.Open:
		c.open(f)
	case f.Kind == wire.Cancel && !f.Ours:
		c.cancelCall(f.ID)
	case f.Kind == wire.Reply && f.Ours:
		c.deliver(f)
	}
	return nil
}

// end begins the end: nothing more is read, what is in flight is still answered. The mutex is held.
func (c *Conn) end(err error) {
	if c.err == nil {
		c.err = err
	}
	c.ending = true
}

// finished reports whether nothing is left to do but to close. The mutex is held.
func (c *Conn) finished() bool {
	return c.over || c.ending && len(c.calls) == 0 && c.running == 0 && !c.writing && c.out.Len() == 0
}

// Drain begins the graceful end: calls in flight are answered, new ones are refused.
func (c *Conn) Drain() {
	c.mu.Lock()
	c.drained = true
	c.drain()
	c.mu.Unlock()
	c.flush()
}

// drain goes on with the graceful end; the mutex is held.
func (c *Conn) drain() {
	if !c.drained || c.over || !c.machine.Drain(&c.out) {
		return
	}
	c.end(ErrDraining)
	c.wake()
}

// wake makes the engine feed again if Feed could now go on or end. The mutex is held.
func (c *Conn) wake() {
	if c.carrier != nil && (c.held || c.finished()) {
		c.held = false
		c.carrier.Wake()
	}
}

// Abort ends the connection at once: contexts of its calls end, answers are lost.
func (c *Conn) Abort(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abort(err)
}

// abort is Abort with the mutex held.
func (c *Conn) abort(err error) {
	c.end(err)
	c.over = true
	if c.carrier != nil {
		c.carrier.Abort()
	}
}

// Closed tells that the carrier is closed. The engine calls it once; err is what ended reading or writing, or nil.
func (c *Conn) Closed(err error) {
	c.mu.Lock()
	if err != nil {
		c.end(err)
	}
	c.over = true
	cause := c.err
	c.out.Reset()
	c.mu.Unlock()

	c.cancel(call.Errorf(call.Canceled, "the connection ended"))
	c.lose(cause)
	if c.cfg.Closed != nil {
		c.cfg.Closed(c)
	}
}

// Err returns why the connection ended, or nil while it goes on or when the peer just left.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
