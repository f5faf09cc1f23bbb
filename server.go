package anywire

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/method"
	"github.com/anywire/anywire/transport"
	"github.com/anywire/anywire/wire/rest"
)

// ErrServerClosed is returned by Serve and ListenAndServe after Shutdown or Close.
var ErrServerClosed = errors.New("anywire: the server is closed")

// Server holds functions and answers calls to them, by every protocol, on any number of listeners. Its methods may be
// called concurrently; functions may be registered while it serves.
type Server struct {
	cfg     serverConfig
	methods method.Registry
	router  rest.Router
	mounts  mounts
	port    atomic.Pointer[port]
	dates   clock
	engine  transport.Engine
	conns   conn.Config
	stop    context.CancelCauseFunc // ends the contexts of all calls

	registering sync.Mutex     // serializes registrations
	serving     sync.WaitGroup // Serve under way; Add with mu held and not closed

	draining atomic.Bool
	done     chan struct{} // closed when no more connections are accepted

	mu     sync.Mutex
	open   map[*conn.Conn]struct{} // guarded by mu
	closed bool                    // guarded by mu: no more listeners and connections
	empty  chan struct{}           // guarded by mu: closed when open becomes empty; nil: nobody waits
}

// NewServer returns a server without functions.
func NewServer(opts ...ServerOption) *Server {
	s := &Server{
		done: make(chan struct{}),
		open: make(map[*conn.Conn]struct{}),
	}
	s.cfg = serverConfig{
		logger: slog.Default(), mapper: method.SnakeCase, without: make(map[string]bool),
		title: "Anywire", version: "1.0.0",
	}
	for _, o := range opts {
		o.applyServer(&s.cfg)
	}
	s.cfg.limits = s.cfg.limits.WithDefaults()
	ctx, stop := context.WithCancelCause(context.Background())
	s.stop = stop
	engine, ok := transport.New(s.cfg.engine, mem.NewBudget(s.cfg.limits.InputBytes), s.cfg.spin)
	if !ok {
		panic(fmt.Sprintf("anywire: WithEngine(%q): this system has no such engine; leave the option out, or use \"net\"", s.cfg.engine))
	}
	s.engine = engine
	s.conns = conn.Config{Methods: &s.methods, Limits: s.cfg.limits, Context: ctx, Closed: s.forget, Epoch: time.Now()}
	s.mounts.init(s)
	s.buildPort(s.cfg.limits.MessageBytes)
	s.discoverable()
	return s
}

// Handle registers the function f under a name, segments joined by dots as in "math.add". f may take a context first, then
// arguments of any type that has a JSON form, and may return a result, an error, both or neither. A single argument of
// struct type gives its fields as named parameters; otherwise Params names them.
//
// Mistakes panic, naming the function, the parameter and the cure.
func (s *Server) Handle(name string, f any, opts ...MethodOption) {
	c := s.methodConfig(opts)
	s.add(method.New(name, f, c.Config), c.routes)
}

// HandleRaw registers a function that reads its arguments by name or position from the call, without Go types, and
// writes its result to it.
func (s *Server) HandleRaw(name string, f func(c *CallInfo), opts ...MethodOption) {
	c := s.methodConfig(opts)
	s.add(method.NewRaw(name, f, c.Config), c.routes)
}

// Service registers every exported method of v under names that begin with prefix: AddTwo of a service "math" is
// "math.add_two". When v is a func() *T, each call gets a fresh instance from it.
func (s *Server) Service(prefix string, v any, opts ...MethodOption) {
	for _, m := range method.Service(prefix, v, s.cfg.mapper) {
		s.Handle(m.Name, m.Fn, opts...)
	}
}

// Route binds a verb and path, as in "GET /orders/{id}", to a method that is registered. GET and HEAD need ReadOnly.
func (s *Server) Route(pattern, name string) {
	m := s.methods.Find([]byte(name))
	if m == nil {
		panic(fmt.Sprintf("anywire: route %q: no method %q is registered; call Handle first", pattern, name))
	}
	s.registering.Lock()
	defer s.registering.Unlock()
	s.checkRoute(pattern, m.(*method.Method))
	s.router.Add(pattern, name)
}

// Mount serves a net/http handler at a pattern of http.ServeMux on the same port. Methods and JSON-RPC envelopes come
// first; see the table of precedence in the documentation.
func (s *Server) Mount(pattern string, h http.Handler) { s.mounts.add(pattern, h) }

func (s *Server) methodConfig(opts []MethodOption) *methodConfig {
	c := &methodConfig{}
	c.RawDepth = s.cfg.limits.RawDepth
	c.Report = s.report
	c.Interceptors = slices.Clone(s.cfg.interceptors)
	c.Admits = slices.Clone(s.cfg.admits)
	for _, o := range opts {
		o.applyMethod(c)
	}
	return c
}

// add registers m with its routes. Everything is checked before anything is changed.
func (s *Server) add(m *method.Method, routes []string) {
	s.registering.Lock()
	defer s.registering.Unlock()
	for _, pattern := range routes {
		s.checkRoute(pattern, m)
	}
	s.methods.Add(m)
	if limit := m.Traits().MaxMessage + envelope; limit > s.port.Load().message+envelope {
		s.buildPort(limit)
	}
	for _, pattern := range routes {
		s.router.Add(pattern, m.Name())
	}
}

// checkRoute panics when pattern cannot lead to m.
func (s *Server) checkRoute(pattern string, m *method.Method) {
	wildcards, err := s.router.Check(pattern)
	if err != nil {
		panic(fmt.Sprintf("anywire: route %q: %v", pattern, err))
	}
	if rest.Safe(pattern) && !m.Traits().ReadOnly {
		panic(fmt.Sprintf("anywire: route %q: method %q may change something; mark it ReadOnly() or use another verb", pattern, m.Name()))
	}
	params := m.Params()
	for _, name := range wildcards {
		known := slices.ContainsFunc(params, func(p method.Param) bool { return p.Name == name })
		if !known && !m.Raw() {
			panic(fmt.Sprintf("anywire: route %q: method %q has no parameter %q; name the wildcard like a parameter", pattern, m.Name(), name))
		}
	}
}

// ListenAndServe listens at addr and serves until Shutdown or Close. addr is "host:port", or an address with a scheme:
// "tcp://127.0.0.1:8545", "unix:///run/app.sock".
func (s *Server) ListenAndServe(addr string) error {
	a, err := transport.ParseAddress(addr)
	if err != nil {
		return err
	}
	l, err := transport.Listen(context.Background(), a)
	if err != nil {
		return fmt.Errorf("anywire: %w", err)
	}
	return s.Serve(l)
}

// Serve serves connections that l accepts until Shutdown or Close, which close l; then it returns ErrServerClosed.
func (s *Server) Serve(l net.Listener) error {
	if !s.begin() {
		l.Close()
		return ErrServerClosed
	}
	err := s.engine.Serve(l, s.done, s.connection)
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	l.Close()
	s.serving.Done()
	if closed {
		return ErrServerClosed
	}
	return fmt.Errorf("anywire: accepting connections: %w", err)
}

func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.serving.Add(1)
	return true
}

// connection makes the Conn for a peer, or returns nil when there is no room for it.
func (s *Server) connection(peer call.Peer) *conn.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connectionLocked(peer)
}

func (s *Server) connectionLocked(peer call.Peer) *conn.Conn {
	if s.closed || len(s.open) >= s.cfg.limits.Connections {
		return nil
	}
	c := conn.New(&s.conns, s.port.Load().detector, peer)
	s.open[c] = struct{}{}
	return c
}

// attach serves a connection that no listener accepted, and reports whether there was room for it.
func (s *Server) attach(nc net.Conn, peer call.Peer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.connectionLocked(peer)
	if c == nil {
		nc.Close()
		return false
	}
	s.engine.Attach(nc, c) // with the mutex held: the engine is not told to end meanwhile
	return true
}

// forget is called when a connection is over.
func (s *Server) forget(c *conn.Conn) {
	s.mu.Lock()
	delete(s.open, c)
	if len(s.open) == 0 && s.empty != nil {
		close(s.empty)
		s.empty = nil
	}
	s.mu.Unlock()
	if err := c.Err(); err != nil {
		s.cfg.logger.Debug("anywire: connection ended", "peer", c.Peer().Addr, "why", err)
	}
}

// Shutdown ends gracefully: listeners close, /readyz says no, calls that run are answered, later ones are refused with
// unavailable, then connections close. It waits for that until ctx ends, cuts what is left, and returns ctx's error then.
func (s *Server) Shutdown(ctx context.Context) error {
	s.draining.Store(true)
	if d := s.cfg.drainDelay; d > 0 {
		sleep(ctx, d)
	}
	for _, c := range s.shut() {
		c.Drain()
	}
	err := s.mounts.shutdown(ctx)
	select {
	case <-s.emptied():
		s.stop(ErrServerClosed)
		s.engine.Close()
		return err
	case <-ctx.Done():
		s.Close()
		return ctx.Err()
	}
}

// Close ends at once: calls lose their answers. It returns when no connection is left; functions that ignore their
// context may still run.
func (s *Server) Close() error {
	s.draining.Store(true)
	for _, c := range s.shut() { // before the contexts end, or calls would be answered as canceled
		c.Abort(ErrServerClosed)
	}
	s.stop(ErrServerClosed)
	s.mounts.close()
	s.engine.Close()
	return nil
}

// shut waits until the listeners are closed and returns the connections that are open.
func (s *Server) shut() []*conn.Conn {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
	s.mu.Unlock()
	s.serving.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.open))
}

// emptied returns a channel that is closed once no connection is open.
func (s *Server) emptied() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := make(chan struct{})
	if len(s.open) == 0 {
		close(done)
		return done
	}
	if s.empty == nil {
		s.empty = done
	}
	return s.empty
}
