package anywire_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/anywire/anywire"
)

// interceptorTrace returns an interceptor that notes when it begins and ends.
func interceptorTrace(trace *[]string, name string) anywire.Interceptor {
	return func(next anywire.Handler) anywire.Handler {
		return func(ctx context.Context, c *anywire.CallInfo) error {
			*trace = append(*trace, name)
			err := next(ctx, c)
			*trace = append(*trace, "/"+name)
			return err
		}
	}
}

func TestInterceptorOrder(t *testing.T) {
	var trace []string
	srv := anywire.NewServer(anywire.Use(interceptorTrace(&trace, "server1"), interceptorTrace(&trace, "server2")))
	defer srv.Close()
	srv.Handle("m", func() { trace = append(trace, "function") },
		anywire.Use(interceptorTrace(&trace, "method1")), anywire.Use(interceptorTrace(&trace, "method2")))
	c := srv.Client(anywire.Use(interceptorTrace(&trace, "client1")), anywire.Use(interceptorTrace(&trace, "client2")))
	defer c.Close()
	if err := c.Call(clientContext(t), "m", nil, nil); err != nil {
		t.Fatal(err)
	}
	want := "client1 client2 server1 server2 method1 method2 function /method2 /method1 /server2 /server1 /client2 /client1"
	if got := strings.Join(trace, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// interceptorBomb tells when it is decoded.
type interceptorBomb struct{ X int }

var interceptorDecoded atomic.Int32

func (b *interceptorBomb) UnmarshalJSON([]byte) error {
	interceptorDecoded.Add(1)
	return nil
}

func TestAdmit(t *testing.T) {
	var log errorsLog
	var order []string
	token := func(h *anywire.Head) error {
		order = append(order, "server")
		switch h.Get("Authorization") {
		case "good":
			return nil
		case "odd":
			return errors.New(errorsSecret)
		}
		return anywire.Errorf(anywire.Unauthenticated, "who are you?")
	}
	srv := anywire.NewServer(log.option(), anywire.Admit(token))
	srv.Handle("m", func(b interceptorBomb) int { return 5 }, anywire.Params("b"), anywire.Admit(func(h *anywire.Head) error {
		order = append(order, "method")
		if string(h.Method) != "m" || h.Peer == nil || h.Peer.Addr == nil {
			t.Errorf("the head says %q of %v", h.Method, h.Peer)
		}
		return nil
	}))
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		interceptorDecoded.Store(0)
		order = nil
		in := map[string]int{"b": 1}
		clientWant(t, c.Call(clientContext(t), "m", in, nil), anywire.Unauthenticated, "who are you?")
		err := c.Call(clientContext(t), "m", in, nil, anywire.WithMeta("authorization", "odd"))
		clientWant(t, err, anywire.PermissionDenied)
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("leaks: %v", err)
		}
		clientWant(t, c.Call(clientContext(t), "m", "wrong in any case", nil), anywire.Unauthenticated)
		if n := interceptorDecoded.Load(); n != 0 {
			t.Errorf("arguments of refused calls were decoded %d times", n)
		}
		n, err := anywire.Call[int](clientContext(t), c, "m", in, anywire.WithMeta("authorization", "good"))
		if n != 5 || err != nil || interceptorDecoded.Load() == 0 {
			t.Errorf("%d, %v", n, err)
		}
		if got := strings.Join(order, " "); got != "server server server server method" {
			t.Errorf("order %s", got)
		}
	})
}

// TestInterceptorMeta sends metadata both ways, between interceptors of a client and of a server.
func TestInterceptorMeta(t *testing.T) {
	srv := anywire.NewServer(anywire.Use(func(next anywire.Handler) anywire.Handler {
		return func(ctx context.Context, c *anywire.CallInfo) error {
			c.Trailer.Add("Seen", c.Meta.Get("Token"))
			c.Trailer.Add("Seen", "twice")
			return next(ctx, c)
		}
	}))
	srv.Handle("m", func(ctx context.Context) string {
		c := anywire.CallFrom(ctx)
		c.Trailer.Set("by", c.Method+" "+c.Meta.Get("token"))
		return c.Wire
	}, anywire.ReadOnly())
	var by string
	var seen []string
	tokens := anywire.Use(func(next anywire.Handler) anywire.Handler {
		return func(ctx context.Context, c *anywire.CallInfo) error {
			if anywire.CallFrom(ctx) != c {
				t.Error("CallFrom does not find the call of a client")
			}
			c.Meta.Set("Token", "t1")
			err := next(ctx, c)
			by, seen = c.Trailer.Get("By"), slices.Collect(c.Trailer.Values("seen"))
			return err
		}
	})
	addr := serve(t, srv)
	res, _ := httpDo(t, httpRequest(t, "GET", "http://"+addr+"/m", "", "Token: t2"))
	if res.Header.Get("By") != "m t2" || !slices.Equal(res.Header.Values("Seen"), []string{"t2", "twice"}) {
		t.Errorf("header fields %v", res.Header)
	}
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		wire, err := anywire.Call[string](clientContext(t), c, "m", nil)
		if wire != "jsonrpc" || err != nil {
			t.Fatalf("%q, %v", wire, err)
		}
		if by != "m t1" || !slices.Equal(seen, []string{"t1", "twice"}) {
			t.Errorf("the client's interceptor saw by %q and seen %q", by, seen)
		}
	}, tokens)
}

func TestInterceptorChangesCalls(t *testing.T) {
	var tries atomic.Int32
	use := func(around func(ctx context.Context, c *anywire.CallInfo, next anywire.Handler) error) anywire.UseOption {
		return anywire.Use(func(next anywire.Handler) anywire.Handler {
			return func(ctx context.Context, c *anywire.CallInfo) error { return around(ctx, c, next) }
		})
	}
	srv := anywire.NewServer()
	flaky := func() (int32, error) {
		if n := tries.Add(1); n%3 == 0 {
			return n, nil
		}
		return 0, anywire.Errorf(anywire.Aborted, "again")
	}
	srv.Handle("answered", func() string { t.Error("the function ran"); return "" },
		use(func(_ context.Context, c *anywire.CallInfo, _ anywire.Handler) error {
			c.Out = "from the interceptor"
			return nil
		}))
	srv.Handle("retried", flaky, use(func(ctx context.Context, c *anywire.CallInfo, next anywire.Handler) (err error) {
		for range 3 {
			if err = next(ctx, c); err == nil {
				break
			}
		}
		return err
	}))
	srv.Handle("flaky", flaky)
	srv.Handle("changed", func(n int) int { return n }, anywire.Params("n"), use(
		func(ctx context.Context, c *anywire.CallInfo, next anywire.Handler) error {
			if args := c.Args(); args.Len() != 1 || args.Name(0) != "n" || args.Value(0) != 20 {
				t.Errorf("arguments %v", args)
			}
			err := next(ctx, c)
			c.Out = c.Out.(int) + 1
			return err
		}))
	srv.Handle("forgiven", func() error { return anywire.NotFound }, use(
		func(ctx context.Context, c *anywire.CallInfo, next anywire.Handler) error {
			if err := next(ctx, c); !errors.Is(err, anywire.NotFound) {
				t.Errorf("the interceptor saw %v", err)
			}
			c.Out = "nothing"
			return nil
		}))
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		tries.Store(0)
		for _, tt := range []struct {
			method string
			in     any
			want   any
		}{{"answered", nil, "from the interceptor"}, {"retried", nil, 3.0}, {"changed", 20, 21.0}, {"forgiven", nil, "nothing"}} {
			if got, err := anywire.Call[any](clientContext(t), c, tt.method, tt.in); got != tt.want || err != nil {
				t.Errorf("%s: %v, %v, want %v", tt.method, got, err, tt.want)
			}
		}
	})
	t.Run("client", func(t *testing.T) { interceptorClient(t, srv, &tries) })
}

// interceptorClient does the same on the client's side.
func interceptorClient(t *testing.T, srv *anywire.Server, tries *atomic.Int32) {
	c := srv.Client(anywire.Use(func(next anywire.Handler) anywire.Handler {
		return func(ctx context.Context, c *anywire.CallInfo) error {
			switch c.Method {
			case "cached":
				*c.Out.(*any) = "from the cache"
				return nil
			case "old":
				c.Method, c.In = "changed", 20
			}
			err := next(ctx, c)
			for errors.Is(err, anywire.Aborted) {
				err = next(ctx, c)
			}
			return err
		}
	}))
	defer c.Close()
	tries.Store(0)
	tests := []struct {
		method string
		want   any
	}{{"cached", "from the cache"}, {"old", 21.0}, {"flaky", 3.0}}
	var batch []*anywire.Request
	for _, tt := range tests {
		if got, err := anywire.Call[any](clientContext(t), c, tt.method, nil); got != tt.want || err != nil {
			t.Errorf("%s: %v, %v, want %v", tt.method, got, err, tt.want)
		}
		batch = append(batch, &anywire.Request{Method: tt.method, Out: new(any)})
	}
	tests[2].want = 6.0
	if err := c.Batch(clientContext(t), batch...); err != nil {
		t.Errorf("batch: %v", err)
	}
	for i, r := range batch {
		if got := *r.Out.(*any); got != tests[i].want {
			t.Errorf("batch: %s: %v, want %v", r.Method, got, tests[i].want)
		}
	}
}

func TestWithoutMeta(t *testing.T) {
	srv := anywire.NewServer()
	srv.Handle("m", func(ctx context.Context) string {
		_, limited := ctx.Deadline()
		if limited {
			return "limited"
		}
		return anywire.CallFrom(ctx).Meta.Get("token")
	})
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		got, err := anywire.Call[string](clientContext(t), c, "m", nil, anywire.WithMeta("token", "t"))
		if got != "" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}, anywire.WithoutMeta())
}

// TestRawCallSeesMeta: a raw function gets the call itself, metadata included.
func TestRawCallSeesMeta(t *testing.T) {
	srv := anywire.NewServer()
	srv.HandleRaw("m", func(c *anywire.CallInfo) { c.ReplyString(c.Meta.Get("token")) })
	addr := serve(t, srv)
	got, err := anywire.Call[string](clientContext(t), clientDial(t, addr), "m", nil, anywire.WithMeta("token", "t"))
	if got != "t" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
