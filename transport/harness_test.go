package transport

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/internal/lines"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// bound is how long a test waits for anything that must happen.
const bound = 10 * time.Second

// eachEngine runs test with every engine of this system.
func eachEngine(t *testing.T, test func(t *testing.T, name string)) {
	for _, name := range []string{"epoll", "net"} {
		if _, ok := New(name, nil, 0); !ok {
			continue
		}
		t.Run(name, func(t *testing.T) { test(t, name) })
	}
}

// host is an engine that serves methods by the protocol of package lines.
type host struct {
	engine  Engine
	addr    string
	methods lines.Methods

	done   chan struct{}
	served chan error
	cfg    conn.Config

	mu    sync.Mutex
	open  map[*conn.Conn]bool // guarded by mu
	leave func(net.Conn)      // guarded by mu
}

// newHost serves on addr until the test ends, or until close.
func newHost(t *testing.T, engine, addr string, m lines.Methods) *host {
	t.Helper()
	e, ok := New(engine, mem.NewBudget(1<<30), 0)
	if !ok {
		t.Fatalf("no engine %q", engine)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	h := &host{
		engine: e, addr: l.Addr().String(), methods: m, leave: func(nc net.Conn) { nc.Close() },
		done: make(chan struct{}), served: make(chan error, 1), open: map[*conn.Conn]bool{},
	}
	h.cfg = conn.Config{
		Methods: m, Limits: wire.Limits{}.WithDefaults(), Context: context.Background(), Closed: h.closed,
		Epoch: time.Now(),
	}
	go func() { h.served <- e.Serve(l, h.done, h.accept) }()
	t.Cleanup(h.close)
	return h
}

func (h *host) accept(peer call.Peer) *conn.Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.done:
		return nil
	default:
	}
	c := conn.New(&h.cfg, &lines.Machine{Leave: h.leave}, peer)
	h.open[c] = true
	return c
}

// onLeave sets who takes the connections that leave, of those that begin from now on.
func (h *host) onLeave(take func(net.Conn)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leave = take
}

func (h *host) closed(c *conn.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, c)
}

// connections counts the open ones.
func (h *host) connections() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.open)
}

// close ends everything; a second time it does nothing.
func (h *host) close() {
	h.mu.Lock()
	select {
	case <-h.done:
		h.mu.Unlock()
		return
	default:
	}
	close(h.done)
	for c := range h.open {
		c.Abort(net.ErrClosed)
	}
	h.mu.Unlock()
	<-h.served
	h.engine.Close()
}

// peer is the other end of a connection to a host.
type peer struct {
	*net.TCPConn
	t *testing.T
	r *bufio.Reader
}

func (h *host) dial(t *testing.T) *peer {
	t.Helper()
	nc, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(bound))
	return &peer{nc.(*net.TCPConn), t, bufio.NewReader(nc)}
}

func (p *peer) send(messages ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p, strings.Join(messages, "")); err != nil {
		p.t.Errorf("sending: %v", err)
	}
}

// answer reads one answer.
func (p *peer) answer() (id int, word, body string) {
	p.t.Helper()
	id, word, body, err := p.read()
	if err != nil {
		p.t.Errorf("reading an answer: %v", err)
	}
	return id, word, body
}

func (p *peer) read() (id int, word, body string, err error) {
	line, err := p.r.ReadString('\n')
	if err != nil {
		return 0, "", "", fmt.Errorf("after %q: %w", line, err)
	}
	var size int
	if _, err := fmt.Sscanf(line, "%d %s %d\n", &id, &word, &size); err != nil {
		return 0, "", "", fmt.Errorf("%q: %w", line, err)
	}
	b := make([]byte, size)
	_, err = io.ReadFull(p.r, b)
	return id, word, string(b), err
}

// expect reads one answer and compares it.
func (p *peer) expect(id int, result string) {
	p.t.Helper()
	if got, word, body := p.answer(); got != id || word != "ok" || body != result {
		p.t.Errorf("got %d %s %.100q, want %d ok %.100q", got, word, body, id, result)
	}
}

// expectAll reads the answers of the calls 1 to n in any order and fails unless each comes once, with result.
func (p *peer) expectAll(n int, result string) {
	p.t.Helper()
	seen := make([]bool, n+1)
	for range n {
		id, word, body, err := p.read()
		if err != nil || id < 1 || id > n || seen[id] || word != "ok" || body != result {
			p.t.Errorf("got %d %s %.100q, %v", id, word, body, err)
			return
		}
		seen[id] = true
	}
}

// ends fails the test unless the connection ends with nothing more said.
func (p *peer) ends() {
	p.t.Helper()
	if b, err := io.ReadAll(p.r); len(b) > 0 || err != nil {
		p.t.Errorf("at the end came %.100q, %v", b, err)
	}
}

// soon waits until ok holds.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(bound); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not happen: %s", what)
		}
	}
}

func echo(_ context.Context, arg string) (string, error) { return arg, nil }

// gate is a function that waits until it is opened, and then gives its argument back.
type gate chan struct{}

func (g gate) pass(_ context.Context, arg string) (string, error) {
	<-g
	return arg, nil
}
