package anywire_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// explosive panics while it is decoded.
type explosive struct{}

func (*explosive) UnmarshalJSON([]byte) error { panic("secret of decoding") }

// What a function does wrong is an internal error without a word about the inside, and the connection goes on.
func TestFaultsOfFunctions(t *testing.T) {
	srv := echoServer()
	srv.Handle("panic", func() { panic("secret of the function") })
	var nilMap map[string]int
	srv.Handle("nilmap", func() { nilMap["secret"] = 1 })
	srv.Handle("decode", func(explosive) {}, anywire.Params("x"))
	srv.Handle("admit", func() {}, anywire.Admit(func(*anywire.Head) error { panic("secret of admission") }))
	srv.Handle("nan", math.NaN)
	srv.HandleRaw("raw", func(*anywire.CallInfo) { panic("secret of the raw function") })
	srv.Handle("wrapped", func() {}, anywire.Use(func(anywire.Handler) anywire.Handler {
		return func(context.Context, *anywire.CallInfo) error { panic("secret of an interceptor") }
	}))
	addr := serve(t, srv)
	p := dial(t, addr)
	for method, params := range map[string]string{
		"panic": "", "nilmap": "", "decode": "[1]", "admit": "", "nan": "", "raw": "", "wrapped": "",
	} {
		p.send(call(1, method, params))
		line := p.line()
		if r := parse(t, line); r.code() != -32603 || strings.Contains(line, "secret") || strings.Contains(line, "goroutine") {
			t.Errorf("%s: %s", method, line)
		}
		status, body := post(t, "http://"+addr+"/"+method, params)
		if status != 500 || strings.Contains(body, "secret") || strings.Contains(body, "goroutine") {
			t.Errorf("%s over HTTP: %d %s", method, status, body)
		}
	}
	p.send(call(2, "sum", "[2,3]"))
	if r := p.response(); string(r.Result) != "5" {
		t.Errorf("afterwards: %+v", r)
	}
}

// Functions that never return hinder nobody, not even on their own connection.
func TestBlockedFunctions(t *testing.T) {
	gate := make(chan struct{})
	srv := echoServer()
	srv.Handle("block", func() { <-gate })
	addr := serve(t, srv)
	t.Cleanup(func() { close(gate) })
	p := dial(t, addr)
	for i := range 100 {
		p.send(call(1000+i, "block", ""))
	}
	for i := range 200 {
		p.send(call(i, "sum", "[2,3]"))
		if r := p.response(); string(r.Result) != "5" {
			t.Fatalf("call %d: %+v", i, r)
		}
	}
	honest(t, addr, time.Second)
}

// A caller hears of its deadline at its time, whatever the function does.
func TestDeadlineOfIgnorantFunction(t *testing.T) {
	gate := make(chan struct{})
	srv := echoServer()
	srv.Handle("block", func() { <-gate })
	addr := serve(t, srv)
	t.Cleanup(func() { close(gate) })
	inTime := func(t *testing.T, begin time.Time) {
		if d := time.Since(begin); d < 90*time.Millisecond || d > time.Second {
			t.Errorf("the answer came after %v", d)
		}
	}
	t.Run("stream", func(t *testing.T) {
		p := dial(t, addr)
		begin := time.Now()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"block","meta":{"timeout_ms":100}}`)
		if r := p.response(); r.code() != -32004 {
			t.Errorf("%+v", r)
		}
		inTime(t, begin)
		p.send(call(1, "sum", "[2,3]"))
		if r := p.response(); string(r.Result) != "5" {
			t.Errorf("afterwards: %+v", r)
		}
	})
	t.Run("REST", func(t *testing.T) {
		begin := time.Now()
		if status, body := do(t, "POST", "http://"+addr+"/block", "", "Request-Timeout", "0.1"); status != 504 {
			t.Errorf("%d %s", status, body)
		}
		inTime(t, begin)
	})
	for _, scheme := range []string{"tcp://", "http://"} {
		t.Run(scheme, func(t *testing.T) {
			c := client(t, scheme+addr)
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			begin := time.Now()
			if err := c.Call(ctx, "block", nil, nil); !errors.Is(err, anywire.DeadlineExceeded) {
				t.Error(err)
			}
			inTime(t, begin)
			if n, err := anywire.Call[int](t.Context(), c, "sum", []int{2, 3}); n != 5 || err != nil {
				t.Errorf("afterwards: %d, %v", n, err)
			}
		})
	}
}

// A function may call its own server through the connection that it is called by.
func TestCallBackOnTheSameConnection(t *testing.T) {
	srv := echoServer()
	c := srv.Client()
	t.Cleanup(func() { c.Close(); srv.Close() })
	srv.Handle("back", func(ctx context.Context, depth int) (int, error) {
		if depth == 0 {
			return anywire.Call[int](ctx, c, "sum", []int{2, 3})
		}
		return anywire.Call[int](ctx, c, "back", []int{depth - 1})
	}, anywire.Params("depth"))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			if n, err := anywire.Call[int](ctx, c, "back", []int{8}); n != 5 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	wg.Wait()
}

// Notifications of one connection run one after another in their order, and calls do not wait for them.
func TestNotificationsInOrder(t *testing.T) {
	const many = 2000
	var got []int // without a mutex: the race detector sees whether they overlap
	done, gate := make(chan struct{}), make(chan struct{})
	srv := echoServer()
	srv.Handle("note", func(i int) {
		if i == 0 {
			<-gate
		}
		if got = append(got, i); len(got) == many {
			close(done)
		}
	}, anywire.Params("i"))
	p := dial(t, serve(t, srv))
	var b strings.Builder
	for i := range many {
		b.WriteString(`{"jsonrpc":"2.0","method":"note","params":[` + strconv.Itoa(i) + `]}`)
	}
	p.send(b.String() + call(1, "sum", "[2,3]"))
	if r := p.response(); string(r.Result) != "5" {
		t.Errorf("a call behind them: %+v", r)
	}
	close(gate)
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("they did not all run")
	}
	if !slices.IsSorted(got) {
		t.Error("they ran in another order")
	}
}

// Both ways to cancel reach the context of the call, which is still answered.
func TestCancelRequest(t *testing.T) {
	for _, cancel := range []string{
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}`,
		`{"jsonrpc":"2.0","method":"rpc.cancel","params":["a"]}`,
	} {
		w := newWaiter()
		srv := echoServer()
		srv.Handle("wait", w.wait)
		p := dial(t, serve(t, srv))
		p.send(call("a", "wait", ""))
		w.expectBegun(t)
		p.send(cancel)
		if r := p.response(); r.code() != -32001 || string(r.ID) != `"a"` {
			t.Errorf("%s: %+v", cancel, r)
		}
		w.expectEnded(t)
	}
}

// Who hangs up cancels its calls.
func TestDisconnectCancels(t *testing.T) {
	for name, in := range map[string]string{
		"stream": call(1, "wait", ""),
		"HTTP":   "POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWaiter()
			srv := echoServer(anywire.WithLimits(anywire.Limits{HalfOpen: 100 * time.Millisecond}))
			srv.Handle("wait", w.wait)
			p := dial(t, serve(t, srv))
			p.send(in)
			w.expectBegun(t)
			p.Close()
			w.expectEnded(t)
		})
	}
	t.Run("net/http", func(t *testing.T) {
		w := newWaiter()
		srv := echoServer()
		srv.Handle("wait", w.wait)
		addr := serve(t, srv)
		ctx, cancel := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, "POST", "http://"+addr+"/wait", nil)
		go func() {
			w.expectBegun(t)
			cancel()
		}()
		if _, err := http.DefaultClient.Do(r); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		w.expectEnded(t)
	})
}

// waiter is a function that waits for the end of its context, and tells of its begin and end.
type waiter struct{ begun, ended chan struct{} }

func newWaiter() *waiter { return &waiter{make(chan struct{}, 100), make(chan struct{}, 100)} }

func (w *waiter) wait(ctx context.Context) error {
	w.begun <- struct{}{}
	<-ctx.Done()
	w.ended <- struct{}{}
	return ctx.Err()
}

func (w *waiter) expectBegun(t *testing.T) { expect(t, w.begun, "the call did not begin") }
func (w *waiter) expectEnded(t *testing.T) { expect(t, w.ended, "the context did not end") }

func expect(t *testing.T, c <-chan struct{}, otherwise string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Error(otherwise)
	}
}
