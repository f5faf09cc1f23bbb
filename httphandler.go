package anywire

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/problem"
)

// ServeHTTP answers one request of a net/http server, so that a Server can be mounted in one: calls by REST and JSON-RPC
// under the same rules as on its own port, mounted handlers, then 404.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.leaves(r) {
		s.mounts.mux.ServeHTTP(w, r)
		return
	}
	s.forward(w, r)
}

// leaves asks the bindings whether r is for a mounted handler.
func (s *Server) leaves(r *http.Request) bool {
	p := s.port.Load()
	q := requestOf(r)
	for _, b := range p.bindings {
		x, verdict := b.Accept(q, nil, false)
		if verdict == wire.Whole {
			x, verdict = b.Accept(q, peek(r, p.message), true)
		}
		if x != nil {
			x.Release()
		}
		if verdict != wire.No {
			return verdict == wire.Leave
		}
	}
	return false
}

func requestOf(r *http.Request) *wire.Request {
	q := &wire.Request{
		Verb: []byte(r.Method), Path: []byte(r.URL.EscapedPath()), Query: []byte(r.URL.RawQuery), Size: r.ContentLength,
		Fields: []call.Field{{Name: []byte("Host"), Value: []byte(r.Host)}},
	}
	for name, values := range r.Header {
		for _, v := range values {
			q.Fields = append(q.Fields, call.Field{Name: []byte(name), Value: []byte(v)})
		}
	}
	return q
}

// peek reads the body and puts it back. It returns nil for one that is larger than limit or broken.
func peek(r *http.Request, limit int) []byte {
	if r.ContentLength > int64(limit) {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(limit)+1))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	if err != nil || len(body) > limit {
		return nil
	}
	return body
}

// forward sends r through a connection in memory to the machine that answers HTTP on the server's own port, so that every
// rule holds here too.
func (s *Server) forward(w http.ResponseWriter, r *http.Request) {
	near, far := net.Pipe()
	defer near.Close()
	defer context.AfterFunc(r.Context(), func() { near.Close() })()
	if !s.attach(far, peerOfRequest(r)) {
		refuse(w, http.StatusServiceUnavailable, "the server is shutting down")
		return
	}
	body := &watchedBody{ReadCloser: r.Body}
	body.over.Store(r.ContentLength == 0)
	r.Body = body
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		forwarded(r).Write(near)
	}()
	defer func() {
		if !body.over.Load() { // answered already: what is left of the body is of no use
			http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
		}
		<-sent
	}()
	res, err := http.ReadResponse(bufio.NewReader(near), r)
	if err != nil {
		near.Close()
		refuse(w, http.StatusBadGateway, "the connection was lost")
		return
	}
	header := w.Header()
	for name, values := range res.Header {
		header[name] = values
	}
	header.Del("Connection")
	w.WriteHeader(res.StatusCode)
	io.Copy(w, res.Body)
	near.Close()
}

// watchedBody is a body that tells whether all of it was read.
type watchedBody struct {
	io.ReadCloser
	over atomic.Bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.over.Store(true)
	}
	return n, err
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", problem.MediaType)
	w.WriteHeader(status)
	w.Write(problem.Append(nil, status, call.Errorf(Unavailable, "%s", text)))
}

// forwarded returns r without what concerned only the connection it came by.
func forwarded(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	out.Close = true
	for _, name := range []string{"Connection", "Expect", "Keep-Alive", "Proxy-Connection", "Te", "Upgrade"} {
		out.Header.Del(name)
	}
	if _, told := out.Header["User-Agent"]; !told {
		out.Header["User-Agent"] = nil // else one is made up
	}
	return out
}

func peerOfRequest(r *http.Request) call.Peer {
	p := call.Peer{Addr: addr(r.RemoteAddr)}
	p.Local, _ = r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return p
}

// addr is an address that is known only as text.
type addr string

func (addr) Network() string  { return "tcp" }
func (a addr) String() string { return string(a) }
