package anywire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// clientPatience bounds what should take no time at all, so that a hang is a failure and not a timeout of the whole run.
const clientPatience = 5 * time.Second

func clientContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientPatience)
	t.Cleanup(cancel)
	return ctx
}

func clientDial(t *testing.T, addr string, opts ...anywire.ClientOption) *anywire.Client {
	t.Helper()
	c, err := anywire.Dial(clientContext(t), addr, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// clientUnix makes srv listen at a socket of the file system, too, and returns its address.
func clientUnix(t *testing.T, srv *anywire.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	go srv.Serve(l)
	return "unix://" + path
}

// clientEach runs f with a client of srv for each way to reach it.
func clientEach(t *testing.T, srv *anywire.Server, f func(t *testing.T, c *anywire.Client), opts ...anywire.ClientOption) {
	t.Helper()
	addr := serve(t, srv)
	for _, target := range []string{"tcp://" + addr, "http://" + addr, clientUnix(t, srv)} {
		scheme, _, _ := strings.Cut(target, ":")
		t.Run(scheme, func(t *testing.T) { f(t, clientDial(t, target, opts...)) })
	}
	t.Run("memory", func(t *testing.T) {
		c := srv.Client(opts...)
		t.Cleanup(func() { c.Close() })
		f(t, c)
	})
}

// clientWant fails the test unless err has the code and its text all of the words.
func clientWant(t *testing.T, err error, code anywire.Code, words ...string) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("got error %v, want code %s", err, code)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in the error %q", word, err)
		}
	}
}

type clientPoint struct {
	A string `json:"a"`
	B int    `json:"b"`
}

func TestClientArguments(t *testing.T) {
	srv := anywire.NewServer()
	srv.Handle("join", func(a string, b int) string { return fmt.Sprint(a, b) }, anywire.Params("a", "b"))
	srv.Handle("double", func(n int) int { return 2 * n }, anywire.Params("n"))
	srv.Handle("upper", strings.ToUpper, anywire.Params("s"))
	srv.Handle("none", func() string { return "none" })
	tests := []struct {
		name, method string
		in           any
		want         string
	}{
		{"map", "join", map[string]any{"a": "x", "b": 1}, `"x1"`},
		{"struct", "join", clientPoint{"x", 2}, `"x2"`},
		{"pointer", "join", &clientPoint{"x", 3}, `"x3"`},
		{"slice", "join", []any{"x", 4}, `"x4"`},
		{"array", "join", [2]any{"x", 5}, `"x5"`},
		{"raw object", "join", json.RawMessage(` {"b":6,"a":"x"} `), `"x6"`},
		{"raw array", "join", json.RawMessage("[\"x\",\n7]"), `"x7"`},
		{"integer", "double", 21, `42`},
		{"string", "upper", "a\"\né", `"A\"\nÉ"`},
		{"nothing", "none", nil, `"none"`},
		{"nil pointer", "none", (*clientPoint)(nil), `"none"`},
		{"empty slice", "none", []int{}, `"none"`},
		{"empty struct", "none", struct{}{}, `"none"`},
	}
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		for _, tt := range tests {
			got, err := anywire.Call[json.RawMessage](clientContext(t), c, tt.method, tt.in)
			if string(got) != tt.want || err != nil {
				t.Errorf("%s: %s, %v, want %s", tt.name, got, err, tt.want)
			}
		}
		clientWant(t, c.Call(clientContext(t), "none", make(chan int), nil), anywire.InvalidArgument, `"none"`)
		clientWant(t, c.Call(clientContext(t), "double", json.RawMessage(`{`), nil), anywire.InvalidArgument, `"double"`)
		clientWant(t, c.Call(clientContext(t), "nosuch", nil, nil), anywire.Unimplemented)
	})
}

func TestClientTyped(t *testing.T) {
	srv := anywire.NewServer()
	srv.Handle("swap", func(p clientPoint) (clientPoint, error) { return clientPoint{p.A + "!", -p.B}, nil })
	srv.Handle("list", func(n int) []int { return make([]int, n) })
	srv.Handle("nothing", func() {})
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		ctx := clientContext(t)
		p, err := anywire.Call[clientPoint](ctx, c, "swap", clientPoint{"x", 1})
		if want := (clientPoint{"x!", -1}); p != want || err != nil {
			t.Errorf("struct: %+v, %v", p, err)
		}
		q, err := anywire.Call[*clientPoint](ctx, c, "swap", clientPoint{"y", 2})
		if err != nil || q == nil || q.A != "y!" {
			t.Errorf("pointer: %+v, %v", q, err)
		}
		if list, err := anywire.Call[[]int](ctx, c, "list", 3); len(list) != 3 || err != nil {
			t.Errorf("slice: %v, %v", list, err)
		}
		if v, err := anywire.Call[any](ctx, c, "nothing", nil); v != nil || err != nil {
			t.Errorf("nothing: %v, %v", v, err)
		}
		if err := c.Call(ctx, "swap", clientPoint{"x", 1}, nil); err != nil {
			t.Errorf("dropped: %v", err)
		}
	})
}

// TestClientGo has many calls outstanding at once and lets them end in the reverse of the order in which they began.
func TestClientGo(t *testing.T) {
	const calls = 40
	var gates [calls + 1]chan struct{}
	for i := range gates {
		gates[i] = make(chan struct{})
	}
	var running atomic.Int32
	all := make(chan struct{})
	srv := anywire.NewServer()
	srv.Handle("wait", func(ctx context.Context, n int) (int, error) {
		if running.Add(1) == calls {
			close(all)
		}
		select {
		case <-gates[n]:
			return n, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	})
	c := clientDial(t, serve(t, srv))
	ctx := clientContext(t)
	done := make(chan *anywire.Request, calls)
	for i := range calls {
		c.Go(ctx, &anywire.Request{Method: "wait", In: i, Out: new(int)}, done)
	}
	<-all
	for i := calls - 1; i >= 0; i-- {
		close(gates[i])
		r := <-done
		if got := *r.Out.(*int); got != i || r.Err != nil {
			t.Fatalf("got the answer of call %d (%v), want %d", got, r.Err, i)
		}
	}
}

// TestClientCloseDespiteGo closes a client whose finished call nobody receives.
func TestClientCloseDespiteGo(t *testing.T) {
	srv := sumServer()
	defer srv.Close()
	c := srv.Client()
	c.Go(context.Background(), &anywire.Request{Method: "sum", In: []int{1, 2}}, make(chan *anywire.Request))
	closed := make(chan struct{})
	go func() {
		c.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(clientPatience):
		t.Error("Close waits for a receiver of a call that has ended")
	}
}

func TestClientNotify(t *testing.T) {
	got := make(chan int, 10)
	srv := anywire.NewServer()
	srv.Handle("note", func(n int) { got <- n })
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		for i := range 5 {
			if err := c.Notify(clientContext(t), "note", i); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 5 {
			if n := <-got; n != i {
				t.Errorf("notification %d came when %d was due", n, i)
			}
		}
		if err := c.Notify(clientContext(t), "nosuch", nil); err != nil {
			t.Errorf("a notification gets no answer, not even an error: %v", err)
		}
	})
}

func TestClientBatch(t *testing.T) {
	noted := make(chan int, 1)
	srv := sumServer()
	srv.Handle("note", func(n int) { noted <- n })
	srv.Handle("fail", func() error { return anywire.Errorf(anywire.NotFound, "no such thing") })
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		var sum, other int
		requests := []*anywire.Request{
			{Method: "sum", In: []int{1, 2}, Out: &sum},
			{Method: "note", In: 7, Notify: true},
			{Method: "fail"},
			{Method: "sum", In: map[string]int{"a": 3, "b": 4}, Out: &other},
			{Method: "sum", In: []int{1, 2}, Out: new(string)},
			{Method: "nosuch"},
			{Method: "sum", In: make(chan int)},
		}
		err := c.Batch(clientContext(t), requests...)
		clientWant(t, err, anywire.NotFound, "no such thing")
		if sum != 3 || other != 7 || <-noted != 7 {
			t.Errorf("sums %d and %d", sum, other)
		}
		for i, code := range []anywire.Code{2: anywire.NotFound, 4: anywire.Internal, 5: anywire.Unimplemented, 6: anywire.InvalidArgument} {
			if code == 0 && requests[i].Err != nil {
				t.Errorf("request %d: %v", i, requests[i].Err)
			} else if code != 0 {
				clientWant(t, requests[i].Err, code)
			}
		}
		if err := c.Batch(clientContext(t), &anywire.Request{Method: "note", In: 8, Notify: true}); err != nil || <-noted != 8 {
			t.Errorf("a batch of one notification: %v", err)
		}
		if err := c.Batch(clientContext(t)); err != nil {
			t.Errorf("an empty batch: %v", err)
		}
	})
}

func TestClientConcurrent(t *testing.T) {
	const workers, rounds = 64, 50
	srv := anywire.NewServer()
	srv.Handle("echo", func(n int) int {
		if n%7 == 0 {
			time.Sleep(time.Duration(n%3) * time.Millisecond)
		}
		return n
	})
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		ctx := clientContext(t)
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := range rounds {
					want := w*rounds + i
					if got, err := anywire.Call[int](ctx, c, "echo", want); got != want || err != nil {
						t.Errorf("got %d, %v, want %d", got, err, want)
						return
					}
				}
			})
		}
		wg.Wait()
	})
}

// TestClientContext ends contexts of calls whose functions would run on: the caller returns at once, and the function
// hears of it.
func TestClientContext(t *testing.T) {
	begun, ended := make(chan bool, 1), make(chan error, 1)
	srv := anywire.NewServer()
	srv.Handle("hang", func(ctx context.Context) error {
		_, limited := ctx.Deadline()
		begun <- limited
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	within := func(t *testing.T, what string, wait func() error) error {
		t.Helper()
		start := time.Now()
		err := wait()
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s took %v", what, took)
		}
		return err
	}
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		err := within(t, "the deadline", func() error { return c.Call(ctx, "hang", nil, nil) })
		clientWant(t, err, anywire.DeadlineExceeded)
		if !<-begun {
			t.Error("the function saw no deadline")
		}
		within(t, "the function after the deadline", func() error { return <-ended })

		ctx, cancel = context.WithCancel(t.Context())
		go func() {
			if <-begun {
				t.Error("a deadline out of nowhere")
			}
			cancel()
		}()
		err = within(t, "canceling", func() error { return c.Call(ctx, "hang", nil, nil) })
		clientWant(t, err, anywire.Canceled)
		if err := within(t, "the function after canceling", func() error { return <-ended }); !errors.Is(err, context.Canceled) {
			t.Errorf("the function's context ended with %v", err)
		}
		clientWant(t, c.Call(ctx, "hang", nil, nil), anywire.Canceled)
	})
}

func TestClientAnswerOfWrongType(t *testing.T) {
	clientEach(t, sumServer(), func(t *testing.T, c *anywire.Client) {
		_, err := anywire.Call[string](clientContext(t), c, "sum", []int{1, 2})
		clientWant(t, err, anywire.Internal, `"sum"`, "string")
		_, err = anywire.Call[struct{ X int }](clientContext(t), c, "sum", []int{1, 2})
		clientWant(t, err, anywire.Internal, `"sum"`, "struct")
		if n, err := anywire.Call[int](clientContext(t), c, "sum", []int{1, 2}); n != 3 || err != nil {
			t.Errorf("the call after that: %d, %v", n, err)
		}
	})
}

// TestClientAnswerWithMore: a server may add members to its results without breaking the clients that it has.
func TestClientAnswerWithMore(t *testing.T) {
	srv := anywire.NewServer()
	srv.Handle("m", func() map[string]any { return map[string]any{"a": "x", "b": 1, "new": []int{1}} })
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		got, err := anywire.Call[clientPoint](clientContext(t), c, "m", nil)
		if want := (clientPoint{"x", 1}); got != want || err != nil {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
