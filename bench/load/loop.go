//go:build linux

package load

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/anywire/anywire/bench/proc"
	"golang.org/x/sys/unix"
)

const (
	patience = 5 * time.Second        // for an answer that is missing
	settle   = 300 * time.Millisecond // for a server to become idle
	readSize = 256 << 10
)

// loop drives all connections of a run.
type loop struct {
	cfg     Config
	addr    netip.AddrPort
	framing framing
	payload payload
	epoll   int
	ready   []unix.EpollEvent
	conns   []conn
	buf     []byte // what was read
	body    []byte // the request that is being made

	opened   int // connections, closed ones included
	flying   int // calls without an answer
	patience time.Duration
	draining bool // no new calls
	counting bool // the measurement is on
	latency  histogram
}

// Run makes the calls of c. An answer that is wrong, late or missing is an error.
func Run(c Config) (Result, error) {
	l, err := newLoop(c)
	if err != nil {
		return Result{}, err
	}
	defer l.close()
	if c.Idle {
		return l.idle()
	}
	return l.busy()
}

func newLoop(c Config) (*loop, error) {
	addr, err := netip.ParseAddrPort(c.Addr)
	if err != nil {
		return nil, fmt.Errorf("address: %w", err)
	}
	l := &loop{cfg: c, addr: addr, payload: payloadOf(c), framing: lines{}, buf: make([]byte, readSize), patience: patience}
	if c.HTTP {
		l.framing = posts{c.Addr}
	}
	if l.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, fmt.Errorf("epoll_create1: %w", err)
	}
	l.ready = make([]unix.EpollEvent, 1024)
	l.conns = make([]conn, c.Conns)
	for i := range l.conns {
		l.conns[i] = conn{loop: l, index: i, fd: -1, slots: l.slots(i)}
		l.conns[i].next = l.conns[i].slots[0].id + uint64(c.Depth)
	}
	return l, nil
}

func payloadOf(c Config) payload {
	var p payload = sum{methods: uint64(c.Methods), napEvery: uint64(c.NapEvery)}
	if c.Bulk > 0 {
		p = newBulk(c.Bulk)
	}
	if c.Fixed != "" {
		p = fixed{p, []byte(c.Fixed)}
	}
	return p
}

// slots starts the ids of every connection elsewhere, so that not all of them nap or change methods at once.
func (l *loop) slots(index int) []slot {
	slots := make([]slot, l.cfg.Depth)
	for s := range slots {
		slots[s].id = uint64(37*index*len(slots) + s)
	}
	return slots
}

func (l *loop) close() {
	for i := range l.conns {
		unix.Close(l.conns[i].fd)
	}
	unix.Close(l.epoll)
}

// busy measures a server under load.
func (l *loop) busy() (Result, error) {
	if err := l.start(); err != nil {
		return Result{}, err
	}
	if err := l.during(l.cfg.Warm); err != nil {
		return Result{}, err
	}
	began := time.Now()
	before, err := proc.CPU(l.cfg.PID)
	if err != nil {
		return Result{}, err
	}
	l.counting = true
	if err := l.during(l.cfg.Time); err != nil {
		return Result{}, err
	}
	l.counting = false
	after, err := proc.CPU(l.cfg.PID)
	r := Result{
		Calls: l.latency.count, Elapsed: time.Since(began), CPU: after - before,
		P50: l.latency.quantile(0.5), P99: l.latency.quantile(0.99),
	}
	if err != nil {
		return r, err
	}
	return r, l.drain()
}

// idle measures what connections cost that have made one call and are quiet.
func (l *loop) idle() (Result, error) {
	before, err := proc.RSS(l.cfg.PID)
	if err != nil {
		return Result{}, err
	}
	l.draining, l.counting = true, true
	if err := l.start(); err != nil {
		return Result{}, err
	}
	if err := l.drain(); err != nil {
		return Result{}, err
	}
	time.Sleep(settle)
	after, err := proc.RSS(l.cfg.PID)
	return Result{Calls: l.latency.count, Elapsed: settle, PerConn: float64(after-before) / float64(len(l.conns))}, err
}

func (l *loop) start() error {
	for i := range l.conns {
		if err := l.conns[i].start(); err != nil {
			return err
		}
	}
	return nil
}

// drain waits for the answers that are missing.
func (l *loop) drain() error {
	l.draining = true
	for end := time.Now().Add(l.patience); l.flying > 0; {
		if time.Now().After(end) {
			return fmt.Errorf("%d calls were never answered", l.flying)
		}
		if err := l.turn(); err != nil {
			return err
		}
	}
	return nil
}

// during goes on for d, and longer when a measurement has no answer yet.
func (l *loop) during(d time.Duration) error {
	end := time.Now().Add(d)
	for now := time.Now(); now.Before(end) || l.counting && l.latency.count == 0; now = time.Now() {
		if now.After(end.Add(l.patience)) {
			return fmt.Errorf("no answer within %v", d+l.patience)
		}
		if err := l.turn(); err != nil {
			return err
		}
	}
	return nil
}

// turn handles one batch of events.
func (l *loop) turn() error {
	n, err := wait(l.epoll, l.ready, 10)
	if err != nil {
		return err
	}
	for _, e := range l.ready[:n] {
		if err := l.conns[e.Fd].handle(e.Events); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) handle(events uint32) error {
	if events&unix.EPOLLOUT != 0 {
		if err := c.flush(); err != nil {
			return err
		}
	}
	if events&^uint32(unix.EPOLLOUT) == 0 {
		return nil
	}
	return c.readable()
}

// book counts an answer.
func (l *loop) book(id uint64, took time.Duration) {
	naps := l.cfg.NapEvery > 0 && id%uint64(l.cfg.NapEvery) == 0
	if l.counting && !naps {
		l.latency.add(took)
	}
}
