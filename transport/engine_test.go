package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/internal/lines"
)

// calls renders the calls 1 to n.
func calls(n int, name, arg string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(lines.Call(i+1, name, arg))
	}
	return b.String()
}

// A peer that stops sending still gets every answer: to calls that run in goroutines, and to those that run on a loop.
func TestHalfClose(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		brief := func(_ context.Context, arg string) (string, error) { time.Sleep(time.Millisecond); return arg, nil }
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{
			"apart": &lines.Method{Is: call.Traits{Mode: call.Blocking}, F: brief},
			"auto":  &lines.Method{F: echo},
		})
		var clients sync.WaitGroup
		slots := make(chan struct{}, 50)
		for i := range 200 {
			slots <- struct{}{}
			clients.Go(func() {
				defer func() { <-slots }()
				p := h.dial(t)
				defer p.Close()
				p.send(calls(200, []string{"apart", "auto"}[i%2], "x"))
				p.CloseWrite()
				p.expectAll(200, "x")
				p.ends()
			})
		}
		clients.Wait()
		soon(t, "all connections ended", func() bool { return h.connections() == 0 })
	})
}

// A server that ends gives its port to the next at once, and nobody who connects to that is turned away.
func TestRestart(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		addr := "127.0.0.1:0"
		for i := range 50 {
			h := newHost(t, name, addr, lines.Methods{"echo": &lines.Method{F: echo}})
			addr = h.addr
			for range 4 {
				p := h.dial(t)
				p.send(lines.Call(i+1, "echo", "x"))
				p.expect(i+1, "x")
			}
			h.close()
		}
	})
}

// A connection that is reset while its calls run ends, and so do the contexts of its calls.
func TestReset(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		started, ended := make(chan struct{}, 10), make(chan error, 10)
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{"watch": &lines.Method{
			Is: call.Traits{Context: true, Mode: call.Blocking},
			F: func(ctx context.Context, _ string) (string, error) {
				started <- struct{}{}
				<-ctx.Done()
				ended <- context.Cause(ctx)
				return "", nil
			},
		}})
		p := h.dial(t)
		p.send(calls(10, "watch", ""))
		for range 10 {
			<-started
		}
		p.SetLinger(0)
		p.Close()
		for range 10 {
			select {
			case err := <-ended:
				if !errors.Is(err, call.Canceled) {
					t.Errorf("the call ended with %v", err)
				}
			case <-time.After(bound):
				t.Fatal("a call goes on")
			}
		}
		soon(t, "the connection ended", func() bool { return h.connections() == 0 })
	})
}

// Many connections at once are all accepted and answered.
func TestAcceptStorm(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{"echo": &lines.Method{F: echo}})
		const n = 2000
		var peers [n]*peer
		var dialers sync.WaitGroup
		for d := range 20 {
			dialers.Go(func() {
				for i := d; i < n; i += 20 {
					peers[i] = h.dial(t)
					peers[i].send(lines.Call(i+1, "echo", "x"))
				}
			})
		}
		dialers.Wait()
		for i, p := range peers {
			p.expect(i+1, "x")
			p.Close()
		}
		soon(t, "all connections ended", func() bool { return h.connections() == 0 })
	})
}

// A peer that reads nothing for a while gets everything once it does, whole and unmixed.
func TestPeerReadsLate(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{
			"auto":  &lines.Method{F: echo},
			"apart": &lines.Method{Is: call.Traits{Mode: call.Blocking}, F: echo},
		})
		for _, method := range []string{"auto", "apart"} {
			p := h.dial(t)
			const n, size = 80, 256 << 10 // far more than the buffers of both sockets take
			body := strings.Repeat("x", size)
			go p.send(calls(n, method, body))
			time.Sleep(100 * time.Millisecond)
			p.expectAll(n, body)
			p.send(lines.Call(1, method, "behind it"))
			p.expect(1, "behind it")
			p.Close()
		}
	})
}

// Whoever takes a connection from the engine gets the bytes that were received and not consumed, then those that follow.
func TestLeave(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{"echo": &lines.Method{F: echo}})
		h.onLeave(func(nc net.Conn) {
			defer nc.Close()
			b, err := io.ReadAll(nc)
			fmt.Fprintf(nc, "[%s %v]", b, err)
		})
		for _, size := range []int{0, 10, 10_000, 200_000} {
			p := h.dial(t)
			tail := strings.Repeat("t", size)
			p.send(lines.Call(1, "echo", "x"), lines.Call(0, "leave", ""), tail)
			p.expect(1, "x")
			p.send("more")
			p.CloseWrite()
			got, err := io.ReadAll(p.r)
			if want := "[" + tail + "more <nil>]"; string(got) != want || err != nil {
				t.Errorf("with %d bytes: got %d, want %d; %v", size, len(got), len(want), err)
			}
		}
		soon(t, "all connections left", func() bool { return h.connections() == 0 })
	})
}

// A function may call its own caller, and wait for the answer, on the same connection.
func TestCallBack(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		answers := make(chan string)
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{
			"ask":  &lines.Method{F: func(context.Context, string) (string, error) { return <-answers, nil }},
			"tell": &lines.Method{F: func(_ context.Context, arg string) (string, error) { answers <- arg; return "", nil }},
		})
		p := h.dial(t)
		for range 5 {
			p.send(lines.Call(1, "ask", "") + lines.Call(2, "tell", "x"))
			p.answer()
			p.answer()
		}
	})
}

// Calls and notifications that run in order do so wherever they run: on the loop, or apart behind one that is slow.
func TestOrder(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		var last, disorder atomic.Int64
		note := func(_ context.Context, arg string) (string, error) {
			var n int64
			fmt.Sscan(arg, &n)
			if n%100 == 50 {
				time.Sleep(30 * time.Millisecond) // long enough for the loop to be taken
			}
			if !last.CompareAndSwap(n-1, n) {
				disorder.Add(1)
			}
			return arg, nil
		}
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{
			"call":   &lines.Method{Is: call.Traits{Ordered: true}, F: note},
			"inline": &lines.Method{Is: call.Traits{Ordered: true, Mode: call.Inline}, F: note},
			"notify": &lines.Method{F: note},
		})
		for round, pattern := range [][]string{{"call"}, {"inline"}, {"notify"}, {"call", "notify", "inline"}} {
			last.Store(0)
			p := h.dial(t)
			const n = 400
			for i := range n {
				id, method := i+1, pattern[i%len(pattern)]
				if method == "notify" {
					id = 0
				}
				p.send(lines.Call(id, method, fmt.Sprint(i+1)))
			}
			soon(t, "all ran", func() bool { return last.Load() == n || disorder.Load() > 0 })
			if disorder.Load() > 0 {
				t.Errorf("round %d: out of order", round)
			}
		}
	})
}

// large is a method whose arguments are counted and not copied.
type large struct {
	lines.Method
	got atomic.Int64
}

// A large message is read into memory that serves the next one as well: even where pools forget a part of what they are
// given, as they do under the race detector, a call costs the heap less than the message.
func TestLargeMessages(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		m := &large{}
		m.F = echo
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{"large": m})
		p := h.dial(t)
		const size, n = 1600 << 10, 40
		message := []byte(lines.Call(1, "large", strings.Repeat("x", size)))
		one := func() {
			p.Write(message)
			p.expect(1, "")
		}
		one()
		if per := allocated(func() {
			for range n {
				one()
			}
		}) / n; per > size {
			t.Errorf("a message of %d bytes allocates %d", size, per)
		}
		if got := m.got.Load(); got != (n+1)*size {
			t.Errorf("%d bytes came, want %d", got, (n+1)*size)
		}
	})
}

// What is split anywhere arrives whole, also where it grows beyond the buffer of a loop.
func TestSplitMessages(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{"echo": &lines.Method{Is: call.Traits{Ordered: true}, F: echo}})
		p := h.dial(t)
		for i, size := range []int{0, 10, 5000, 70_000, 300_000} {
			body := strings.Repeat("0123456789", size/10)
			m := lines.Call(i+1, "echo", body) + lines.Call(i+100, "echo", "next")
			for _, at := range []int{1, 5, len(m) / 2, len(m) - 3} {
				p.send(m[:at])
				time.Sleep(2 * time.Millisecond)
				p.send(m[at:])
				p.expect(i+1, body)
				p.expect(i+100, "next")
			}
		}
	})
}
