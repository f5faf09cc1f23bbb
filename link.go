package anywire

import (
	"context"
	"net"
	"sync"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/transport"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/http1"
	"github.com/anywire/anywire/wire/jsonrpc"
)

// link is one connection of a client.
type link struct {
	conn *conn.Conn
	pool *pool // which the link returns to when its calls have their answers; nil: it is shared

	mu       sync.Mutex
	answered []*pending // guarded by mu: of an exclusive link, answered but not told before the link is free
	dead     bool       // guarded by mu
}

func (l *link) exclusive() bool { return l.pool != nil }

// send begins calls and stores their ids.
func (l *link) send(calls []conn.Outgoing, idle *pending, ids ...*uint64) error {
	err := l.conn.Send(calls, idle)
	for i := range calls {
		*ids[i] = calls[i].ID
	}
	if err != nil && l.exclusive() {
		l.pool.drop(l)
	}
	return err
}

// completed is told that p has its answer. On an exclusive link the caller hears of it when the link is free again, so that
// its next call finds it.
func (l *link) completed(p *pending) {
	if !l.exclusive() {
		close(p.done)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		close(p.done)
		return
	}
	l.answered = append(l.answered, p)
}

// settled is called when every call of the link has its answer.
func (l *link) settled() {
	l.mu.Lock()
	answered := l.answered
	l.answered = nil
	l.mu.Unlock()
	if len(answered) > 0 {
		l.pool.put(l)
	}
	for _, p := range answered {
		close(p.done)
	}
}

// closed is called when the connection is over.
func (l *link) closed() {
	l.mu.Lock()
	l.dead = true
	answered := l.answered
	l.answered = nil
	l.mu.Unlock()
	if l.exclusive() {
		l.pool.drop(l)
	}
	for _, p := range answered {
		close(p.done)
	}
}

// forget gives up on a call. An exclusive link cannot be used after that, since its answer may still come.
func (l *link) forget(id uint64) {
	if l.exclusive() {
		l.conn.Abort(context.Canceled)
		return
	}
	l.conn.Forget(id)
}

func (l *link) alive() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.dead && l.conn.Err() == nil
}

// dialer makes links.
type dialer struct {
	address transport.Address
	dial    func(ctx context.Context) (net.Conn, error)
	engine  *transport.Net
	work    *tasks
	cfg     conn.Config

	mu     sync.Mutex
	open   map[*link]struct{} // guarded by mu
	closed bool               // guarded by mu
}

// connect dials and returns a new link, of p unless that is nil.
func (d *dialer) connect(ctx context.Context, p *pool) (*link, error) {
	nc, err := d.dial(ctx)
	switch {
	case d.cfg.Context.Err() != nil:
		if err == nil {
			nc.Close()
		}
		return nil, errClosed
	case err != nil:
		return nil, unreachable(d.address, err)
	}
	l := &link{pool: p}
	cfg := d.cfg
	cfg.Closed = func(*conn.Conn) { d.forget(l) }
	if l.exclusive() {
		cfg.Settled = func(*conn.Conn) { l.settled() }
	}
	l.conn = conn.New(&cfg, d.machine(), call.Peer{Addr: nc.RemoteAddr(), Local: nc.LocalAddr()})
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		nc.Close()
		return nil, errClosed
	}
	if d.open == nil {
		d.open = make(map[*link]struct{})
	}
	d.open[l] = struct{}{}
	d.engine.Attach(nc, l.conn)
	return l, nil
}

func (d *dialer) machine() wire.Machine {
	if d.address.Scheme != "http" {
		return jsonrpc.NewStream(&d.cfg.Limits)
	}
	return http1.NewClient(&http1.ClientConfig{
		Limits: d.cfg.Limits, Host: d.address.Host, UserAgent: "anywire",
		Caller: &jsonrpc.Caller{Path: d.address.Path, Limits: d.cfg.Limits},
	})
}

func (d *dialer) forget(l *link) {
	d.mu.Lock()
	delete(d.open, l)
	d.mu.Unlock()
	l.closed()
}

// closeAll ends every link, and every one that is being dialed.
func (d *dialer) closeAll() {
	d.mu.Lock()
	d.closed = true
	var open []*link
	for l := range d.open {
		open = append(open, l)
	}
	d.mu.Unlock()
	for _, l := range open {
		l.conn.Abort(ErrClientClosed)
	}
}
