package anywire_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// reviver is a server that can be killed and started again on the same port.
type reviver struct {
	t    *testing.T
	addr string
	make func() *anywire.Server
	srv  *anywire.Server
	done chan error
}

func newReviver(t *testing.T, make func() *anywire.Server) *reviver {
	r := &reviver{t: t, addr: "127.0.0.1:0", make: make}
	r.start()
	t.Cleanup(func() { r.srv.Close() })
	return r
}

func (r *reviver) start() {
	r.t.Helper()
	l, err := net.Listen("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	srv, done := r.make(), make(chan error, 1)
	r.addr, r.srv, r.done = l.Addr().String(), srv, done
	go func() { done <- srv.Serve(l) }()
}

func (r *reviver) kill() {
	r.t.Helper()
	r.srv.Close()
	if err := <-r.done; !errors.Is(err, anywire.ErrServerClosed) {
		r.t.Errorf("Serve ended with %v", err)
	}
}

// reconnectEach runs f for both kinds of connection: shared by all calls, and exclusive to one.
func reconnectEach(t *testing.T, f func(t *testing.T, scheme string)) {
	for _, scheme := range []string{"tcp://", "http://"} {
		t.Run(scheme[:4], func(t *testing.T) { f(t, scheme) })
	}
}

func TestReconnect(t *testing.T) {
	reconnectEach(t, func(t *testing.T, scheme string) {
		running := make(chan bool, 10)
		r := newReviver(t, func() *anywire.Server {
			srv := sumServer()
			srv.Handle("hang", func(ctx context.Context) error {
				running <- true
				<-ctx.Done()
				return ctx.Err()
			})
			return srv
		})
		c := clientDial(t, scheme+r.addr)
		done := make(chan *anywire.Request, 3)
		for range cap(done) {
			c.Go(clientContext(t), &anywire.Request{Method: "hang"}, done)
			<-running
		}
		r.kill()
		for range cap(done) {
			clientWant(t, (<-done).Err, anywire.Unavailable)
		}
		clientWant(t, c.Call(clientContext(t), "sum", []int{1, 2}, nil), anywire.Unavailable)
		r.start()
		reconnectEventually(t, c)
	})
}

// reconnectEventually calls until it works, as it must once the back-off is over.
func reconnectEventually(t *testing.T, c *anywire.Client) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		n, err := anywire.Call[int](clientContext(t), c, "sum", []int{1, 2})
		if n == 3 && err == nil {
			return
		}
		clientWant(t, err, anywire.Unavailable)
		if t.Failed() || time.Since(start) > clientPatience {
			t.Fatalf("the server is back, but calls fail: %v", err)
		}
	}
}

// TestReconnectIdle kills the server while nothing is in flight: the first call after its return must work, since the
// client has had time to see that the connection is gone.
func TestReconnectIdle(t *testing.T) {
	reconnectEach(t, func(t *testing.T, scheme string) {
		r := newReviver(t, func() *anywire.Server { return sumServer() })
		c := clientDial(t, scheme+r.addr)
		if err := c.Call(clientContext(t), "sum", []int{1, 2}, nil); err != nil {
			t.Fatal(err)
		}
		r.kill()
		r.start()
		time.Sleep(50 * time.Millisecond)
		if n, err := anywire.Call[int](clientContext(t), c, "sum", []int{1, 2}); n != 3 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	})
}

func TestRetryAcrossRestart(t *testing.T) {
	reconnectEach(t, func(t *testing.T, scheme string) {
		var runs atomic.Int32
		running := make(chan bool, 10)
		r := newReviver(t, func() *anywire.Server {
			srv := anywire.NewServer()
			srv.Handle("read", func(ctx context.Context) (int32, error) {
				n := runs.Add(1)
				running <- true
				if n == 1 { // until the server is killed
					<-ctx.Done()
				}
				return n, nil
			}, anywire.ReadOnly())
			return srv
		})
		c := clientDial(t, scheme+r.addr)
		n := new(int32)
		done := make(chan *anywire.Request, 1)
		c.Go(clientContext(t), &anywire.Request{Method: "read", Out: n}, done, anywire.Idempotent())
		<-running
		r.kill()
		time.Sleep(50 * time.Millisecond)
		r.start()
		if q := <-done; q.Err != nil || *n != 2 {
			t.Errorf("%v after %d runs, %d came back", q.Err, runs.Load(), *n)
		}
	})
}

// TestRetryWithinBudget calls a server that is never there again.
func TestRetryWithinBudget(t *testing.T) {
	reconnectEach(t, func(t *testing.T, scheme string) {
		r := newReviver(t, func() *anywire.Server { return sumServer() })
		c := clientDial(t, scheme+r.addr)
		r.kill()
		start := time.Now()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				clientWant(t, c.Call(clientContext(t), "sum", []int{1, 2}, nil, anywire.Idempotent()), anywire.Unavailable)
			})
		}
		wg.Wait()
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("giving up took %v", took)
		}
	})
}

// TestNeverTwice kills the server again and again under calls that must not be repeated.
func TestNeverTwice(t *testing.T) {
	reconnectEach(t, func(t *testing.T, scheme string) {
		var mu sync.Mutex
		runs := map[int]int{}
		r := newReviver(t, func() *anywire.Server {
			srv := anywire.NewServer()
			srv.Handle("pay", func(id int) {
				mu.Lock()
				runs[id]++
				mu.Unlock()
			})
			return srv
		})
		c := clientDial(t, scheme+r.addr)
		stop := make(chan struct{})
		var next, paid atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if err := c.Call(clientContext(t), "pay", int(next.Add(1)), nil); err == nil {
						paid.Add(1)
					} else {
						clientWant(t, err, anywire.Unavailable)
						time.Sleep(time.Millisecond)
					}
				}
			})
		}
		for range 5 {
			time.Sleep(40 * time.Millisecond)
			r.kill()
			r.start()
		}
		time.Sleep(100 * time.Millisecond)
		close(stop)
		wg.Wait()
		mu.Lock()
		defer mu.Unlock()
		for id, n := range runs {
			if n > 1 {
				t.Errorf("call %d ran %d times", id, n)
			}
		}
		if int64(len(runs)) < paid.Load() || paid.Load() == 0 {
			t.Errorf("%d ran, but %d succeeded", len(runs), paid.Load())
		}
	})
}

// TestReconnectTogether has many calls of one client find their connection gone: they share one new one.
func TestReconnectTogether(t *testing.T) {
	r := newReviver(t, func() *anywire.Server { return sumServer() })
	c := clientDial(t, "tcp://"+r.addr)
	r.kill()
	var mu sync.Mutex
	peers := map[string]bool{}
	r.make = func() *anywire.Server {
		srv := anywire.NewServer()
		srv.Handle("who", func(ctx context.Context) {
			mu.Lock()
			defer mu.Unlock()
			peers[anywire.CallFrom(ctx).Peer.Addr.String()] = true
		})
		return srv
	}
	r.start()
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if err := c.Call(clientContext(t), "who", nil, nil, anywire.Idempotent()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	if len(peers) != 1 {
		t.Errorf("%d connections for one client", len(peers))
	}
}
