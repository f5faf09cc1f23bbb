// Package conn joins a protocol to an engine: a Conn holds one connection's machine, its output, its exchanges in flight in
// both directions and the one mutex that guards them. It knows neither sockets nor protocols.
//
// The engine calls Feed with received bytes and Tick when the time it was asked for has come; the Conn calls its Carrier.
// Calls of the peer are decoded on the goroutine that feeds, since their bytes are borrowed. They run there as well while
// their method proves quick, otherwise in goroutines of their own; answers are appended under the mutex and leave together.
package conn

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// Carrier is what a Conn asks of the engine. Its methods may be called from any goroutine, all but Write with the mutex of
// the Conn held, so they must not call into it.
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
	Epoch   time.Time       // of the clock of the connections

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
	Lost  bool           // the Loop was taken over: the goroutine that called Feed must touch nothing more
}

// Conn is one connection. All methods may be called concurrently, except Feed, which has one caller at a time.
type Conn struct {
	cfg  *Config
	peer call.Peer

	mu      sync.Mutex
	carrier Carrier // guarded by mu, like all below; nil before Start
	machine wire.Machine
	out     *wire.Out      // what the next write sends; nil: nothing
	spare   *wire.Out      // being written; nil: nothing is
	feeding bool           // Feed flushes at its end
	memory  *mem.Buf       // that Feed's bytes lie in
	leaving func(net.Conn) // takes the connection when everything is written
	held    bool           // Feed waits for Wake with bytes it could not use
	refuses bool           // the connection is crowded, and waiting took too long

	calls   map[uint64]*exchange // of the peer, unanswered
	running int                  // of the peer, answered or not
	serial  []*exchange          // calls that run one after another; the first is running
	written *sync.Cond           // a write ended; nil: nobody has waited for that yet

	ctx    context.Context // parent of the calls' contexts; nil: none was needed yet
	cancel context.CancelCauseFunc

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

var errGone = call.Errorf(call.Canceled, "the connection ended")

// New returns a Conn that begins with machine m. The engine calls Start before anything else.
func New(cfg *Config, m wire.Machine, peer call.Peer) *Conn {
	return &Conn{cfg: cfg, machine: m, peer: peer}
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
	c.timers.fed = now
	c.timers.active = now
	c.timers.sniff = 0
	if _, ok := c.machine.(*wire.Detector); ok {
		c.timers.sniff = now.Add(c.cfg.Limits.SniffTime)
	}
	c.tick()
	c.arm(c.nextDue())
}

// context returns the parent of the contexts of calls, which ends with the connection.
func (c *Conn) context() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		c.ctx, c.cancel = context.WithCancelCause(c.cfg.Context)
		if c.over {
			c.cancel(errGone)
		}
	}
	return c.ctx
}

// Peer returns the other end.
func (c *Conn) Peer() *call.Peer { return &c.peer }

// end begins the end: nothing more is read, what is in flight is still answered. The mutex is held.
func (c *Conn) end(err error) {
	if c.err == nil {
		c.err = err
	}
	c.ending = true
}

// finished reports whether nothing is left to do but to close. The mutex is held.
func (c *Conn) finished() bool {
	return c.over || c.ending && len(c.calls) == 0 && c.running == 0 && c.spare == nil && c.out.Len() == 0
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
	if !c.drained || c.over || !c.machine.Drain(c.output()) {
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
	if c.written != nil {
		c.written.Broadcast()
	}
	cause, cancel := c.err, c.cancel
	c.recycleOut()
	c.mu.Unlock()

	if cancel != nil {
		cancel(errGone)
	}
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
