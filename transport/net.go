package transport

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// Net is the engine for every net.Conn on every system: a goroutine reads each connection. The zero value is ready and
// has no bound on memory.
type Net struct {
	Budget *mem.Budget // for input that is larger than inputSize; nil: no bound

	wg sync.WaitGroup // of the reading and writing goroutines
}

const (
	// firstSize is what a connection reads with until it proves busy.
	firstSize = 4 << 10
	// inputSize is what a busy connection reads with. A message that needs more takes it from the Budget, and only after
	// so much of it has arrived.
	inputSize = 64 << 10
	// pieceSize is how much is written at a time, so that a slow reader is seen to make progress.
	pieceSize = 256 << 10
	// farewell bounds how long and how much a closing connection still reads, so that the peer gets the last answers:
	// closing with unread input would reset the connection.
	farewellTime  = 500 * time.Millisecond
	farewellBytes = 1 << 20
)

// ErrMemory ends a connection whose large message found no room in the Budget.
var ErrMemory = errors.New("transport: the memory for unfinished large messages is used up")

// Serve implements Engine. It closes l when done is closed.
func (e *Net) Serve(l net.Listener, done <-chan struct{}, open func(call.Peer) *conn.Conn) error {
	over := make(chan struct{})
	defer close(over)
	e.wg.Go(func() {
		select {
		case <-done:
			l.Close()
		case <-over:
		}
	})
	var delay time.Duration
	for {
		nc, err := l.Accept()
		switch {
		case err == nil:
			delay = 0
		case passing(err): // out of descriptors, or the peer left already
			delay = min(max(5*time.Millisecond, 2*delay), time.Second)
			time.Sleep(delay)
			continue
		default:
			return err
		}
		if c := open(call.Peer{Addr: nc.RemoteAddr(), Local: nc.LocalAddr()}); c != nil {
			e.Attach(nc, c)
		} else {
			nc.Close()
		}
	}
}

// passing reports whether accepting may work again later.
func passing(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

// Attach implements Engine.
func (e *Net) Attach(nc net.Conn, c *conn.Conn) {
	p := &pipe{nc: nc, raw: rawConn(nc), conn: c, wg: &e.wg, woken: make(chan struct{}, 1), turn: conn.NewLoop(false)}
	p.in.budget = e.Budget
	e.wg.Go(p.run)
}

// Close implements Engine.
func (e *Net) Close() { e.wg.Wait() }

// pipe is one connection of the Net engine and the Carrier of its Conn.
type pipe struct {
	nc      net.Conn
	raw     syscall.RawConn // for writes that do not wait; nil: there are none
	conn    *conn.Conn
	wg      *sync.WaitGroup
	written atomic.Int64
	woken   chan struct{} // a Wake that Feed has not followed yet

	in    input // of the reading goroutine
	turn  *conn.Loop
	eof   bool
	stale error // what ended reading

	mu      sync.Mutex
	timer   *time.Timer // guarded by mu
	reading bool        // guarded by mu: a Read may be under way, so a Wake must interrupt it
	ended   bool        // guarded by mu: the reading goroutine is about to end
}

func (p *pipe) run() {
	p.conn.Start(p)
	leave := p.loop()
	if leave != nil {
		p.stop()
		leave(&leftConn{Conn: p.nc, unread: p.in.rest()})
		p.in.release()
		p.conn.Closed(nil)
		return
	}
	p.in.release()
	if p.stale == nil {
		p.farewell()
	}
	p.stop()
	p.nc.Close()
	p.conn.Closed(p.stale)
}

// loop feeds the Conn until it is done or leaves.
func (p *pipe) loop() (leave func(net.Conn)) {
	for {
		step := p.conn.Feed(p.in.bytes(), p.in.buf, p.eof, p.turn)
		p.in.consume(step.N)
		switch {
		case step.Leave != nil:
			return step.Leave
		case step.Done || p.stale != nil:
			return nil
		case p.eof || step.Want == wire.Hold && p.in.full():
			<-p.woken
			continue
		}
		p.read(step.Want)
	}
}

// read gets more bytes, at least one, or is interrupted by Wake.
func (p *pipe) read(want int) {
	room, err := p.in.room(want)
	if err != nil {
		p.stale = err
		return
	}
	if !p.beginRead() {
		return
	}
	n, err := p.nc.Read(room)
	interrupted := p.endRead()
	p.in.add(n)
	switch {
	case err == nil:
	case interrupted && errors.Is(err, os.ErrDeadlineExceeded):
	case errors.Is(err, io.EOF):
		p.eof = true
	default:
		p.stale = err
	}
}

// beginRead reports whether to read: not when a Wake came first.
func (p *pipe) beginRead() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.woken:
		return false
	default:
	}
	p.reading = true
	return true
}

// endRead undoes the deadline of a Wake and reports whether there was one.
func (p *pipe) endRead() (interrupted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reading = false
	select {
	case <-p.woken:
		p.nc.SetReadDeadline(time.Time{})
		return true
	default:
		return false
	}
}

// longAgo is a deadline that has passed.
var longAgo = time.Unix(1, 0)

// Wake implements conn.Carrier.
func (p *pipe) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.woken <- struct{}{}:
	default:
	}
	if p.reading {
		p.nc.SetReadDeadline(longAgo)
	}
}

// Write implements conn.Carrier. What the socket does not take at once goes out from a goroutine of its own, so that
// neither a function nor the reading waits for the peer.
func (p *pipe) Write(out *wire.Out) (done bool, err error) {
	if p.raw != nil {
		if done, err = p.try(out); done || err != nil {
			return done, err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return false, net.ErrClosed
	}
	p.wg.Go(func() { // the reading goroutine is still counted, so nobody can be waiting for none
		_, err := out.WriteTo((*pieces)(p))
		p.conn.Sent(err)
	})
	return false, nil
}

// Written implements conn.Carrier.
func (p *pipe) Written() int64 { return p.written.Load() }

// Arm implements conn.Carrier.
func (p *pipe) Arm(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		p.timer = time.AfterFunc(d, p.conn.Tick)
		return
	}
	p.timer.Reset(d)
}

// stop stops the timer and further writes for good.
func (p *pipe) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.timer != nil {
		p.timer.Stop()
	}
}

// Abort implements conn.Carrier. The reading goroutine notices and ends.
func (p *pipe) Abort() {
	p.nc.Close()
	p.Wake()
}

// farewell closes our direction and reads until the peer has closed its own, within bounds.
func (p *pipe) farewell() {
	half, ok := p.nc.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil || p.eof {
		return
	}
	p.nc.SetReadDeadline(time.Now().Add(farewellTime))
	io.CopyN(io.Discard, p.nc, farewellBytes)
}

// leftConn is a connection that leaves the engine, with the bytes that were read and not consumed in front.
type leftConn struct {
	net.Conn
	unread []byte
}

func (c *leftConn) Read(p []byte) (int, error) {
	if len(c.unread) > 0 {
		n := copy(p, c.unread)
		c.unread = c.unread[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

// CloseWrite closes the sending direction where the connection has one of its own.
func (c *leftConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Conn.Close()
}
