package anywire_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

func TestConstrain(t *testing.T) {
	srv := anywire.NewServer()
	ran := false
	srv.Handle("order", func(n int, name string) { ran = true }, anywire.Params("n", "name"),
		anywire.Constrain("n", `min:"1" max:"9"`), anywire.Constrain("name", `pattern:"^[a-z]+$"`))
	c := srv.Client()
	defer c.Close()
	defer srv.Close()
	err := c.Call(clientContext(t), "order", map[string]any{"n": 10, "name": "A"}, nil)
	var e *anywire.Error
	if !errors.As(err, &e) || !errors.Is(err, anywire.InvalidArgument) || ran {
		t.Fatalf("%v, ran %v", err, ran)
	}
	for _, word := range []string{`"n"`, `"name"`, "10", "9"} {
		if !strings.Contains(string(e.Details), word) {
			t.Errorf("%s is not in %s", word, e.Details)
		}
	}
	if err := c.Call(clientContext(t), "order", []any{9, "a"}, nil); err != nil {
		t.Error(err)
	}
}

// The calls of an ordered method run one after another, whatever they wait for; those of a blocking one run beside each
// other on either engine.
func TestOrderedAndBlocking(t *testing.T) {
	for _, engine := range []string{"", "net"} {
		srv := anywire.NewServer(anywire.WithEngine(engine))
		var mu sync.Mutex
		var seen []int
		srv.Handle("ordered", func(i int) {
			time.Sleep(time.Duration(5-i%5) * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, i)
		}, anywire.Ordered())
		var both sync.WaitGroup
		both.Add(2)
		srv.Handle("meet", func() { both.Done(); both.Wait() }, anywire.Blocking())
		c := clientDial(t, "tcp://"+serve(t, srv))
		var requests []*anywire.Request
		for i := range 10 {
			requests = append(requests, &anywire.Request{Method: "ordered", In: i})
		}
		for _, r := range requests { // notifications and calls alike
			r.Notify = r.In.(int)%2 == 0
			done := make(chan *anywire.Request, 1)
			if r.Notify {
				if err := c.Notify(clientContext(t), r.Method, r.In); err != nil {
					t.Fatal(err)
				}
				continue
			}
			c.Go(clientContext(t), r, done)
			if r = <-done; r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		mu.Lock()
		if !slices.Equal(seen, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("engine %q: %v", engine, seen)
		}
		mu.Unlock()
		done := make(chan *anywire.Request, 2)
		for range 2 {
			c.Go(clientContext(t), &anywire.Request{Method: "meet"}, done)
		}
		for range 2 {
			if r := <-done; r.Err != nil {
				t.Errorf("engine %q: two blocking calls did not meet: %v", engine, r.Err)
			}
		}
	}
}

// Concurrent notifications run beside each other; others would wait here for ever.
func TestConcurrentNotifications(t *testing.T) {
	srv := anywire.NewServer()
	var both sync.WaitGroup
	both.Add(2)
	met := make(chan struct{}, 2)
	srv.Handle("meet", func() { both.Done(); both.Wait(); met <- struct{}{} }, anywire.Concurrent(), anywire.Blocking())
	c := clientDial(t, "tcp://"+serve(t, srv))
	for range 2 {
		if err := c.Notify(clientContext(t), "meet", nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		select {
		case <-met:
		case <-time.After(5 * time.Second):
			t.Fatal("the notifications waited for each other")
		}
	}
}

func TestWithout(t *testing.T) {
	const call = `{"jsonrpc":"2.0","method":"sum","params":[2,3],"id":1}`
	addr := serve(t, sumServer(anywire.Without("jsonrpc")))
	if got := exchange(t, addr, call); got != "" {
		t.Errorf("the bare stream is off and answered %q", got)
	}
	const get = "GET /sum?a=2&b=3 HTTP/1.1\r\nHost: x\r\n\r\n"
	if got := exchange(t, addr, get); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("HTTP is on: %q", got)
	}
	addr = serve(t, sumServer(anywire.Without("http1")))
	if got := exchange(t, addr, get); got != "" {
		t.Errorf("HTTP is off and answered %q", got)
	}
	if got := exchange(t, addr, call); !strings.Contains(got, `"result":5`) {
		t.Errorf("the bare stream is on: %q", got)
	}
}

func TestUnknownEngine(t *testing.T) {
	if message := registerPanic(t, func() { anywire.NewServer(anywire.WithEngine("steam")) }); !strings.Contains(message, "steam") {
		t.Error(message)
	}
}
