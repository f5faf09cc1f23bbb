package conn_test

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/internal/lines"
	"github.com/anywire/anywire/wire"
)

// carrier is a Carrier whose peer reads only as much as the test lets it.
type carrier struct {
	conn *conn.Conn

	mu      sync.Mutex
	blocked bool      // the peer reads nothing
	fails   error     // what writing fails with
	waiting *wire.Out // is not written yet
	sent    strings.Builder
	written int64
	wakes   int
	aborts  int
	timer   *time.Timer
}

func (k *carrier) Write(out *wire.Out) (done bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.fails != nil:
		return false, k.fails
	case k.blocked:
		k.waiting = out
		return false, nil
	}
	k.take(out)
	return true, nil
}

func (k *carrier) take(out *wire.Out) {
	n, _ := out.WriteTo(&k.sent)
	k.written += n
}

func (k *carrier) Written() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.written
}

func (k *carrier) Wake() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wakes++
}

func (k *carrier) Arm(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.timer != nil {
		k.timer.Stop()
	}
	k.timer = time.AfterFunc(d, k.conn.Tick)
}

func (k *carrier) Abort() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.aborts++
}

// block makes the peer stop reading.
func (k *carrier) block() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.blocked = true
}

// trickle lets the peer read n bytes of what waits.
func (k *carrier) trickle(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sent.Write(k.waiting.Next()[:n])
	k.waiting.Advance(n)
	k.written += int64(n)
}

// unblock makes the peer read again.
func (k *carrier) unblock() {
	k.mu.Lock()
	k.blocked = false
	out := k.waiting
	k.waiting = nil
	if out != nil {
		k.take(out)
	}
	k.mu.Unlock()
	if out != nil {
		k.conn.Sent(nil)
	}
}

// woken reports whether Wake was called since the last time.
func (k *carrier) woken() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := k.wakes
	k.wakes = 0
	return n > 0
}

func (k *carrier) aborted() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.aborts > 0
}

// said returns what was sent since the last time.
func (k *carrier) said() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.sent.String()
	k.sent.Reset()
	return s
}

// rig is a connection with everything around it.
type rig struct {
	*carrier
	t      *testing.T
	loop   *conn.Loop
	unread []byte
	ended  chan struct{}
}

// machine is the one that the connections of these tests begin with.
func machine(serial bool) *lines.Machine {
	return &lines.Machine{Serial: serial, Leave: func(net.Conn) {}}
}

func newRig(t *testing.T, m wire.Machine, limits wire.Limits, methods lines.Methods) *rig {
	r := &rig{carrier: &carrier{}, t: t, loop: conn.NewLoop(true), ended: make(chan struct{})}
	r.conn = conn.New(&conn.Config{
		Methods: methods, Limits: limits.WithDefaults(), Context: context.Background(), Epoch: time.Now().Add(-time.Hour),
		Closed: func(*conn.Conn) { close(r.ended) },
	}, m, call.Peer{})
	r.conn.Start(r.carrier)
	t.Cleanup(func() {
		r.mu.Lock()
		if r.timer != nil {
			r.timer.Stop()
		}
		r.mu.Unlock()
	})
	return r
}

// feed gives the connection more bytes in new memory, as an engine does.
func (r *rig) feed(in string) conn.Step { return r.give(in, false) }

// end tells the connection that the peer stopped sending.
func (r *rig) end() conn.Step { return r.give("", true) }

func (r *rig) give(in string, eof bool) conn.Step {
	buf := append(append([]byte(nil), r.unread...), in...)
	r.loop.Begin()
	step := r.conn.Feed(buf, nil, eof, r.loop)
	if step.Lost {
		return step
	}
	r.loop.End()
	r.unread = append([]byte(nil), buf[step.N:]...)
	clear(buf) // whoever still looks at it sees what he deserves
	return step
}

func (r *rig) expect(what, want string) {
	r.t.Helper()
	if got := r.said(); got != want {
		r.t.Errorf("%s: sent %q, want %q", what, got, want)
	}
}

// gate is a function that waits until it is opened, and then gives its argument back.
type gate chan struct{}

func (g gate) pass(_ context.Context, arg string) (string, error) {
	<-g
	return arg, nil
}

func echo(_ context.Context, arg string) (string, error) { return arg, nil }

// methods are echo, which runs on the loop, and wait, which passes g in a goroutine of its own.
func methods(g gate) lines.Methods {
	return lines.Methods{
		"echo": &lines.Method{F: echo},
		"wait": &lines.Method{Is: call.Traits{Mode: call.Blocking}, F: g.pass},
	}
}
