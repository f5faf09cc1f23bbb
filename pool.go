package anywire

import (
	"context"
	"slices"
	"sync"
	"time"
)

// dialTime bounds one attempt to connect that several callers may wait for.
const dialTime = 20 * time.Second

// shared is the links of a protocol that carries any number of calls at once: one connection.
type shared struct {
	dialer *dialer
	gate   gate

	mu      sync.Mutex
	link    *link    // guarded by mu
	attempt *attempt // guarded by mu: under way; nil: none
}

// attempt is one attempt to connect.
type attempt struct {
	done chan struct{} // closed when link and err are set
	link *link
	err  error
}

func (s *shared) get(ctx context.Context, patient bool) (*link, error) {
	if l := s.current(); l != nil {
		return l, nil
	}
	if s.dialer.cfg.Context.Err() != nil {
		return nil, errClosed
	}
	if err := s.gate.pass(ctx, patient); err != nil {
		return nil, err
	}
	a := s.join()
	select {
	case <-a.done:
		return a.link, a.err
	case <-ctx.Done():
		return nil, ctxError(ctx)
	}
}

func (s *shared) current() *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link != nil && s.link.alive() {
		return s.link
	}
	return nil
}

// join returns the attempt under way or begins one, which does not depend on the context of a single caller.
func (s *shared) join() *attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.link != nil && s.link.alive():
		a := &attempt{done: make(chan struct{}), link: s.link}
		close(a.done)
		return a
	case s.attempt == nil:
		s.attempt = &attempt{done: make(chan struct{})}
		if a := s.attempt; !s.dialer.work.begin(s.connect) {
			a.err = errClosed
			close(a.done)
			s.attempt = nil
			return a
		}
	}
	return s.attempt
}

func (s *shared) connect() {
	ctx, cancel := context.WithTimeout(s.dialer.cfg.Context, dialTime)
	defer cancel()
	l, err := s.dialer.connect(ctx, nil)
	s.gate.record(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.attempt
	a.link, a.err = l, err
	s.link, s.attempt = l, nil
	close(a.done)
}

// pool is the links of a protocol that carries one exchange at a time on a connection: as many as are in use, at most a
// maximum.
type pool struct {
	dialer *dialer
	gate   gate
	room   chan struct{} // holds a token for each link in use

	mu   sync.Mutex
	idle []*link            // guarded by mu; the one used last is taken first
	busy map[*link]struct{} // guarded by mu
}

func newPool(d *dialer, max int) *pool {
	return &pool{dialer: d, room: make(chan struct{}, max), busy: make(map[*link]struct{})}
}

func (p *pool) get(ctx context.Context, patient bool) (*link, error) {
	select {
	case p.room <- struct{}{}:
	case <-ctx.Done():
		return nil, ctxError(ctx)
	}
	l, err := p.take(ctx, patient)
	if err != nil {
		<-p.room
		return nil, err
	}
	return l, nil
}

func (p *pool) take(ctx context.Context, patient bool) (*link, error) {
	if l := p.pop(); l != nil {
		return l, nil
	}
	if err := p.gate.pass(ctx, patient); err != nil {
		return nil, err
	}
	l, err := p.dialer.connect(ctx, p)
	if err != nil && ctx.Err() != nil {
		return nil, ctxError(ctx)
	}
	p.gate.record(err)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy[l] = struct{}{}
	return l, nil
}

// pop takes an idle link that is still good, or returns nil.
func (p *pool) pop() *link {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		l := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		if l.alive() {
			p.busy[l] = struct{}{}
			return l
		}
	}
	return nil
}

// put takes back a link whose exchange has ended.
func (p *pool) put(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.release(l) {
		p.idle = append(p.idle, l)
	}
}

// drop forgets a link that is no longer good.
func (p *pool) drop(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.release(l)
	p.idle = slices.DeleteFunc(p.idle, func(other *link) bool { return other == l })
}

// release gives back the token of a link that was in use, and reports whether it was. The mutex is held.
func (p *pool) release(l *link) bool {
	if _, busy := p.busy[l]; !busy {
		return false
	}
	delete(p.busy, l)
	<-p.room
	return true
}
