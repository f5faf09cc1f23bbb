package anywire_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

func TestClientAfterClose(t *testing.T) {
	clientEach(t, sumServer(), func(t *testing.T, c *anywire.Client) {
		if err := c.Call(clientContext(t), "sum", []int{1, 2}, nil); err != nil {
			t.Fatal(err)
		}
		c.Close()
		c.Close()
		r := &anywire.Request{Method: "sum", In: []int{1, 2}}
		done := make(chan *anywire.Request, 1)
		c.Go(clientContext(t), r, done)
		for what, err := range map[string]error{
			"Call":       c.Call(clientContext(t), "sum", []int{1, 2}, nil),
			"Idempotent": c.Call(clientContext(t), "sum", []int{1, 2}, nil, anywire.Idempotent()),
			"Notify":     c.Notify(clientContext(t), "sum", []int{1, 2}),
			"Batch":      c.Batch(clientContext(t), &anywire.Request{Method: "sum"}),
			"Go":         (<-done).Err,
		} {
			if !errors.Is(err, anywire.Unavailable) || !errors.Is(err, anywire.ErrClientClosed) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// TestClientCloseWhileCalling is for the race detector, and for calls that never end.
func TestClientCloseWhileCalling(t *testing.T) {
	addr := serve(t, sumServer())
	for _, scheme := range []string{"tcp://", "http://"} {
		c := clientDial(t, scheme+addr)
		ctx := clientContext(t)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for {
					n, err := anywire.Call[int](ctx, c, "sum", []int{1, 2})
					if err != nil {
						clientWant(t, err, anywire.Unavailable)
						return
					}
					if n != 3 {
						t.Errorf("got %d", n)
					}
				}
			})
		}
		time.Sleep(20 * time.Millisecond)
		c.Close()
		wg.Wait()
	}
}

// TestClientCloseWhileConnecting is for the race detector, too.
func TestClientCloseWhileConnecting(t *testing.T) {
	srv := sumServer()
	defer srv.Close()
	for range 20 {
		c := srv.Client()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if err := c.Call(clientContext(t), "sum", []int{1, 2}, nil); err != nil {
					clientWant(t, err, anywire.Unavailable)
				}
			})
		}
		c.Close()
		wg.Wait()
	}
}

func TestDialErrors(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close() // nobody listens there now
	nobody := free.Addr().String()
	tests := []struct {
		addr  string
		words []string
	}{
		{"", []string{"no host"}},
		{"tcp://", []string{"tcp://", "no host"}},
		{"http://", []string{"http://", "no host"}},
		{"http:///rpc", []string{"no host"}},
		{"unix://", []string{"unix://"}},
		{"ftp://127.0.0.1:1", []string{`unknown scheme "ftp"`, "use tcp://"}},
		{"tcp://127.0.0.1:1/path", []string{"has a path"}},
		{"tcp://" + nobody, []string{"unavailable", "cannot connect to tcp://" + nobody, "refused"}},
		{nobody, []string{"unavailable", "cannot connect to tcp://" + nobody, "refused"}},
		{"http://" + nobody + "/rpc", []string{"unavailable", "cannot connect to http://" + nobody, "refused"}},
		{"unix://" + filepath.Join(t.TempDir(), "nosuch"), []string{"unavailable", "nosuch", "no such file"}},
		{"127.0.0.1:notaport", []string{"notaport"}},
	}
	for _, tt := range tests {
		c, err := anywire.Dial(clientContext(t), tt.addr)
		if err == nil {
			c.Close()
			t.Errorf("%q: no error", tt.addr)
			continue
		}
		for _, word := range tt.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q: %q is not in the error %q", tt.addr, word, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, scheme := range []string{"tcp://", "http://"} {
		_, err := anywire.Dial(ctx, scheme+serve(t, sumServer()))
		clientWant(t, err, anywire.Canceled)
	}
}

func TestClientMaxConns(t *testing.T) {
	const most, calls = 3, 30
	var now, peak atomic.Int32
	var peers sync.Map
	srv := anywire.NewServer()
	srv.Handle("slow", func(ctx context.Context) {
		n := now.Add(1)
		for old := peak.Load(); n > old && !peak.CompareAndSwap(old, n); old = peak.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		now.Add(-1)
		peers.Store(anywire.CallFrom(ctx).Peer.Addr.String(), true)
	})
	c := clientDial(t, "http://"+serve(t, srv), anywire.MaxConns(most))
	var wg sync.WaitGroup
	for range calls {
		wg.Go(func() {
			if err := c.Call(clientContext(t), "slow", nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if peak.Load() != most {
		t.Errorf("%d calls ran at once, want %d", peak.Load(), most)
	}
	connections := 0
	for range peers.Range {
		connections++
	}
	if connections > most {
		t.Errorf("%d connections, want at most %d", connections, most)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond) // a canceled call gives its place back
	defer cancel()
	for range 2 * most {
		c.Call(ctx, "slow", nil, nil)
	}
	if err := c.Call(clientContext(t), "sum", nil, nil); !errors.Is(err, anywire.Unimplemented) {
		t.Errorf("after canceled calls: %v", err)
	}
}

func TestClientMetaTravels(t *testing.T) {
	srv := anywire.NewServer()
	srv.Handle("meta", func(ctx context.Context) []string {
		return slices.Collect(anywire.CallFrom(ctx).Meta.Values("Tenant"))
	})
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		got, err := anywire.Call[[]string](clientContext(t), c, "meta", nil,
			anywire.WithMeta("tenant", "a \"b\" é"), anywire.WithMeta("Tenant", "c"))
		if want := []string{"a \"b\" é", "c"}; !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	})
}
