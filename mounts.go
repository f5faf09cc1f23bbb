package anywire

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"

	"github.com/anywire/anywire/wire"
)

// mounts are the net/http handlers of a server. A connection with a request for one of them leaves the engine and is
// served by net/http from then on, through Server.ServeHTTP, so that it can still call methods.
type mounts struct {
	mux    http.ServeMux
	server http.Server
	queue  chan net.Conn // connections on their way to server
	closed chan struct{}
	once   sync.Once // of closed

	mu      sync.Mutex
	serving chan struct{} // guarded by mu: closed when server has ended; nil: it was never needed
}

func (m *mounts) init(s *Server) {
	l := &s.cfg.limits
	m.queue, m.closed = make(chan net.Conn), make(chan struct{})
	m.server = http.Server{
		Handler:           s,
		ReadHeaderTimeout: l.MessageTime,
		IdleTimeout:       l.IdleTime,
		MaxHeaderBytes:    l.HeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.cfg.logger.Handler(), slog.LevelDebug),
	}
}

func (m *mounts) add(pattern string, h http.Handler) { m.mux.Handle(pattern, h) }

// matches reports whether a handler is mounted for r.
func (m *mounts) matches(r *wire.Request) bool {
	u, err := url.ParseRequestURI(string(r.Path))
	if err != nil {
		return false
	}
	_, pattern := m.mux.Handler(&http.Request{Method: string(r.Verb), URL: u, Host: string(r.Get("Host"))})
	return pattern != ""
}

// take serves a connection that left the engine.
func (m *mounts) take(nc net.Conn) {
	m.start()
	select {
	case m.queue <- nc:
	case <-m.closed:
		nc.Close()
	}
}

// start runs the net/http server once there is something for it to do.
func (m *mounts) start() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.serving != nil {
		return
	}
	done := make(chan struct{})
	m.serving = done
	go func() {
		defer close(done)
		m.server.Serve(handedOver{m})
	}()
}

func (m *mounts) shutdown(ctx context.Context) error {
	m.end()
	err := m.server.Shutdown(ctx)
	m.wait()
	return err
}

func (m *mounts) close() {
	m.end()
	m.server.Close()
	m.wait()
}

func (m *mounts) end() { m.once.Do(func() { close(m.closed) }) }

func (m *mounts) wait() {
	m.mu.Lock()
	serving := m.serving
	m.mu.Unlock()
	if serving != nil {
		<-serving
	}
}

// handedOver is the listener whose connections are the ones that left the engine.
type handedOver struct{ m *mounts }

func (l handedOver) Accept() (net.Conn, error) {
	select {
	case nc := <-l.m.queue:
		return nc, nil
	case <-l.m.closed:
		return nil, errors.New("anywire: the server is closed")
	}
}

func (l handedOver) Close() error {
	l.m.end()
	return nil
}

func (l handedOver) Addr() net.Addr { return &net.TCPAddr{} }
