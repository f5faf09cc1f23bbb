package anywire

import (
	"context"
	"sync"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
)

// Batch makes several calls at once, as one batch where the protocol has them, and waits for all. Each request gets its own
// Err; the returned error is the first of them.
func (c *Client) Batch(ctx context.Context, requests ...*Request) error {
	b := &batch{client: c, missing: len(requests), ready: make(chan struct{})}
	var wg sync.WaitGroup
	for _, r := range requests {
		wg.Go(func() {
			joined := false
			r.Err = c.run(ctx, r, nil, func(ctx context.Context, info *call.Call, cfg callConfig) error {
				if joined { // an interceptor tries again
					return c.send(ctx, info, cfg)
				}
				joined = true
				return b.join(ctx, info)
			})
			if !joined { // an interceptor answered in our place
				b.leave(ctx)
			}
		})
	}
	wg.Wait()
	for _, r := range requests {
		if r.Err != nil {
			return r.Err
		}
	}
	return nil
}

// batch gathers calls until all of them have passed their interceptors, then sends them together.
type batch struct {
	client *Client
	ready  chan struct{} // closed when the calls were sent, or could not be

	mu      sync.Mutex
	missing int             // guarded by mu: calls that have not arrived
	calls   []conn.Outgoing // guarded by mu
	waiters []*pending      // guarded by mu: by call
	err     error           // set before ready is closed
}

// join adds a call and waits for its answer.
func (b *batch) join(ctx context.Context, info *call.Call) error {
	out, err := b.client.outgoing(ctx, info)
	if err != nil {
		b.leave(ctx)
		return err
	}
	p := &pending{info: info, done: make(chan struct{})}
	if !info.Notify {
		out.Waiter = p
	}
	b.mu.Lock()
	b.calls = append(b.calls, out)
	b.waiters = append(b.waiters, p)
	b.mu.Unlock()
	b.leave(ctx)
	<-b.ready
	if b.err != nil {
		return b.err
	}
	if info.Notify {
		return nil
	}
	return p.wait(ctx)
}

// leave counts a call that needs no more waiting for; the last one sends.
func (b *batch) leave(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.missing--
	if b.missing == 0 {
		b.err = b.send(ctx)
		close(b.ready)
	}
}

// send sends what has gathered. The mutex is held.
func (b *batch) send(ctx context.Context) error {
	if len(b.calls) == 0 {
		return nil
	}
	l, err := b.client.links.get(ctx, false)
	if err != nil {
		return err
	}
	for _, p := range b.waiters {
		p.link = l
	}
	idle := &pending{info: new(call.Call), done: make(chan struct{}), link: l}
	ids := make([]*uint64, len(b.waiters))
	for i, p := range b.waiters {
		ids[i] = &p.id
	}
	if err := l.send(b.calls, idle, ids...); err != nil {
		return lost(err)
	}
	return nil
}
