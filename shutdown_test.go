package anywire_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// start serves on a free port until the test itself ends the server, and returns the error of Serve.
func start(t *testing.T, srv *anywire.Server) (addr string, served <-chan error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	return l.Addr().String(), done
}

// ledger notes for each call how often it ran and how it ended for its caller.
type ledger struct {
	next atomic.Int64
	mu   sync.Mutex
	ran  map[int64]int
	ends map[int64][]error
}

func (l *ledger) run(id int64) int64 {
	l.mu.Lock()
	l.ran[id]++
	l.mu.Unlock()
	time.Sleep(time.Duration(id%5) * time.Millisecond)
	return id
}

// client calls until a call fails.
func (l *ledger) client(t *testing.T, c *anywire.Client) {
	for {
		id := l.next.Add(1)
		got, err := anywire.Call[int64](t.Context(), c, "run", []int64{id})
		if err == nil && got != id {
			t.Errorf("call %d got the answer %d", id, got)
		}
		l.mu.Lock()
		l.ends[id] = append(l.ends[id], err)
		l.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (l *ledger) check(t *testing.T) {
	t.Helper()
	answered, refused := 0, 0
	for id, ends := range l.ends {
		ran := l.ran[id]
		switch err := ends[0]; {
		case len(ends) != 1 || ran > 1:
			t.Errorf("call %d ran %d times and ended %v", id, ran, ends)
		case err == nil && ran == 1:
			answered++
		case errors.Is(err, anywire.Unavailable) && ran == 0:
			refused++
		default:
			t.Errorf("call %d ran %d times, and its caller got %v", id, ran, err)
		}
	}
	t.Logf("%d answered, %d refused", answered, refused)
	if answered == 0 {
		t.Error("nothing was answered")
	}
}

// Whatever runs when the server shuts down is answered, whatever does not run is refused, and nothing runs twice.
func TestShutdownUnderLoad(t *testing.T) {
	for range 3 {
		l := &ledger{ran: map[int64]int{}, ends: map[int64][]error{}}
		srv := echoServer()
		srv.Handle("run", l.run, anywire.Params("id"))
		addr, served := start(t, srv)
		var clients sync.WaitGroup
		for i := range 40 {
			scheme := "tcp://"
			if i%5 == 0 {
				scheme = "http://"
			}
			c, err := anywire.Dial(t.Context(), scheme+addr)
			if err != nil {
				t.Fatal(err)
			}
			clients.Go(func() {
				defer c.Close()
				var callers sync.WaitGroup
				callers.Go(func() { l.client(t, c) })
				callers.Go(func() { l.client(t, c) })
				callers.Wait()
			})
		}
		time.Sleep(100 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		if err := srv.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		cancel()
		if err := <-served; !errors.Is(err, anywire.ErrServerClosed) {
			t.Errorf("Serve: %v", err)
		}
		if nc, err := net.Dial("tcp", addr); err == nil {
			nc.Close()
			t.Error("the listener still accepts")
		}
		clients.Wait()
		l.check(t)
	}
}

// While a call keeps the drain from its end, health checks hear that no more should come, and new calls are refused.
func TestShutdownDrains(t *testing.T) {
	w := newWaiter()
	gate := make(chan struct{})
	srv := echoServer()
	srv.Handle("hold", func() string { w.begun <- struct{}{}; <-gate; return "kept" })
	addr, served := start(t, srv)
	p := dial(t, addr)
	idle := dial(t, addr)
	idle.send("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
	if got := idle.line(); got != "HTTP/1.1 200 OK" {
		t.Errorf("before: %q", got)
	}
	p.send(call(1, "hold", ""))
	w.expectBegun(t)
	ended := make(chan error, 1)
	go func() { ended <- srv.Shutdown(t.Context()) }()
	soon(t, "readyz says no", func() bool {
		rec := httptest.NewRecorder()
		srv.ServeHTTP(rec, httptest.NewRequest("GET", "/readyz", nil))
		return rec.Code == http.StatusServiceUnavailable
	})
	idle.rest() // idle connections end at once
	p.send(call(2, "sum", "[2,3]"))
	if r := p.response(); string(r.ID) != "2" || r.code() != -32014 {
		t.Errorf("a call during the drain: %+v", r)
	}
	select {
	case err := <-ended:
		t.Errorf("Shutdown ended before the call: %v", err)
	default:
	}
	close(gate)
	if r := p.response(); string(r.Result) != `"kept"` {
		t.Errorf("the call that was kept: %+v", r)
	}
	p.ends(2 * time.Second)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, anywire.ErrServerClosed) {
		t.Error(err)
	}
}

// An answer that its peer reads slowly is whole before the connection ends.
func TestShutdownFinishesWriting(t *testing.T) {
	const size = 8 << 20
	for name, in := range map[string]string{
		"stream": call(1, "large", ""),
		"HTTP":   "POST /large HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			srv := echoServer()
			srv.Handle("large", func() string { return strings.Repeat("x", size) })
			addr, served := start(t, srv)
			p := dial(t, addr)
			p.send(in)
			time.Sleep(200 * time.Millisecond)
			ended := make(chan error, 1)
			go func() { ended <- srv.Shutdown(t.Context()) }()
			time.Sleep(200 * time.Millisecond)
			if got := p.rest(); len(got) < size {
				t.Errorf("%d bytes of the answer came", len(got))
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			<-served
		})
	}
}

// A call that does not end is cut when the context ends, even if it ignores its own.
func TestShutdownGivesUp(t *testing.T) {
	w := newWaiter()
	gate := make(chan struct{})
	defer close(gate)
	srv := echoServer()
	srv.Handle("stuck", func() { w.begun <- struct{}{}; <-gate })
	addr, served := start(t, srv)
	p := dial(t, addr)
	p.send(call(1, "stuck", ""))
	w.expectBegun(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if err := srv.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Shutdown: %v", err)
	}
	if d := time.Since(begin); d > time.Second {
		t.Errorf("it took %v", d)
	}
	p.ends(time.Second)
	<-served
}

// Close ends everything at once, and what comes after it fails cleanly.
func TestCloseAtOnce(t *testing.T) {
	w := newWaiter()
	srv := echoServer()
	srv.Handle("wait", w.wait)
	addr, served := start(t, srv)
	c := client(t, addr)
	failed := make(chan error, 1)
	go func() { failed <- c.Call(t.Context(), "wait", nil, nil) }()
	w.expectBegun(t)
	silent := dial(t, addr)
	if err := srv.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; !errors.Is(err, anywire.Unavailable) {
		t.Errorf("the call: %v", err)
	}
	w.expectEnded(t)
	silent.ends(time.Second)
	if err := <-served; !errors.Is(err, anywire.ErrServerClosed) {
		t.Errorf("Serve: %v", err)
	}
	if err := srv.ListenAndServe("127.0.0.1:0"); !errors.Is(err, anywire.ErrServerClosed) {
		t.Errorf("serving again: %v", err)
	}
	if err := srv.Client().Call(t.Context(), "sum", []int{2, 3}, nil); !errors.Is(err, anywire.Unavailable) {
		t.Errorf("a client of it: %v", err)
	}
	if err := errors.Join(srv.Close(), srv.Shutdown(t.Context())); err != nil {
		t.Errorf("again: %v", err)
	}
}

// Connections that arrive while the server closes are neither leaked nor raced for.
func TestCloseWhileAccepting(t *testing.T) {
	for range 100 {
		srv := sumServer(quiet())
		addr, served := start(t, srv)
		var dialers sync.WaitGroup
		for range 8 {
			dialers.Go(func() {
				if nc, err := net.Dial("tcp", addr); err == nil {
					nc.Close()
				}
			})
		}
		srv.Close()
		<-served
		dialers.Wait()
	}
}

// Close returns even when peers leave at that very moment.
func TestCloseWhilePeersLeave(t *testing.T) {
	for range scaled(300, 100) {
		srv := sumServer(quiet())
		addr, served := start(t, srv)
		var leaving sync.WaitGroup
		for range 4 {
			p := dial(t, addr)
			p.send(call(1, "sum", "[2,3]"))
			p.response()
			leaving.Go(func() { p.Close() })
		}
		closed := make(chan struct{})
		go func() {
			srv.Close()
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(patience):
			t.Fatal("Close does not return")
		}
		<-served
		leaving.Wait()
	}
}
