//go:build !anywire_net

package transport

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/internal/lines"
)

// oneLoop makes engines that start during the test have one loop, which all connections share.
func oneLoop(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// A call that never ends delays the other connections of its loop for a moment, whether its method can be demoted or not,
// and the connection that it came by goes on as well.
func TestStuckCall(t *testing.T) {
	oneLoop(t)
	for name, mode := range map[string]call.Mode{"auto": call.Auto, "inline": call.Inline} {
		t.Run(name, func(t *testing.T) {
			g := make(gate)
			stuck := &lines.Method{Is: call.Traits{Mode: mode}, F: g.pass}
			h := newHost(t, "epoll", "127.0.0.1:0", lines.Methods{"stuck": stuck, "echo": &lines.Method{F: echo}})
			t.Cleanup(func() { close(g) })
			p, other := h.dial(t), h.dial(t)
			best := time.Hour // the machine may be busy: what counts is what is possible
			const rounds = 5
			for i := range rounds {
				p.send(lines.Call(i+1, "stuck", ""))
				time.Sleep(2 * time.Millisecond)
				begin := time.Now()
				other.send(lines.Call(1, "echo", "x"))
				other.expect(1, "x")
				best = min(best, time.Since(begin))
				p.send(lines.Call(100, "echo", "y"))
				p.expect(100, "y")
			}
			if best > 100*time.Millisecond {
				t.Errorf("others waited at least %v", best)
			}
			if demoted := stuck.Is.Pace.Demoted(); demoted != (mode == call.Auto) {
				t.Errorf("demoted: %v", demoted)
			}
			for range rounds {
				g <- struct{}{}
			}
			p.expectAll(rounds, "")
		})
	}
}

// A call that computes without end is taken over like one that waits.
func TestBusyCall(t *testing.T) {
	oneLoop(t)
	var stop atomic.Bool
	h := newHost(t, "epoll", "127.0.0.1:0", lines.Methods{
		"echo": &lines.Method{F: echo},
		"busy": &lines.Method{F: func(context.Context, string) (string, error) {
			for !stop.Load() {
			}
			return "", nil
		}},
	})
	p, other := h.dial(t), h.dial(t)
	p.send(lines.Call(1, "busy", ""))
	other.send(lines.Call(1, "echo", "x"))
	other.expect(1, "x")
	stop.Store(true)
	p.expect(1, "")
}

// A loop survives many calls that wait for each other: the last one lets all of them go.
func TestManyStuckCalls(t *testing.T) {
	oneLoop(t)
	const n = 100
	var waiting atomic.Int32
	all := make(chan struct{})
	h := newHost(t, "epoll", "127.0.0.1:0", lines.Methods{"meet": &lines.Method{F: func(_ context.Context, arg string) (string, error) {
		if waiting.Add(1) == n {
			close(all)
		}
		<-all
		return arg, nil
	}}})
	first, second := h.dial(t), h.dial(t)
	first.send(calls(n/2, "meet", "x"))
	second.send(calls(n/2, "meet", "x"))
	first.expectAll(n/2, "x")
	second.expectAll(n/2, "x")
}

// The loop is taken each time a call that is declared never to wait waits all the same.
func TestInlineIsTakenEachTime(t *testing.T) {
	oneLoop(t)
	h := newHost(t, "epoll", "127.0.0.1:0", lines.Methods{
		"echo": &lines.Method{F: echo},
		"lies": &lines.Method{Is: call.Traits{Mode: call.Inline}, F: func(context.Context, string) (string, error) {
			time.Sleep(60 * time.Millisecond)
			return "", nil
		}},
	})
	p, other := h.dial(t), h.dial(t)
	taken := 0
	for range 10 {
		p.send(lines.Call(1, "lies", "") + lines.Call(2, "echo", ""))
		other.send(lines.Call(1, "echo", ""))
		other.expect(1, "")
		if id, _, _ := p.answer(); id == 2 {
			taken++
		}
		p.answer()
	}
	if taken < 8 { // a monitor that gets no processor for 50 ms takes nothing
		t.Errorf("taken %d times of 10", taken)
	}
}

// A method of which 1 % of the calls are slow is demoted, and promoted when it has proved quick.
func TestSlowMethod(t *testing.T) {
	m := &lines.Method{F: func(_ context.Context, arg string) (string, error) {
		if arg == "slow" {
			time.Sleep(time.Millisecond)
		}
		return "", nil
	}}
	h := newHost(t, "epoll", "127.0.0.1:0", lines.Methods{"m": m})
	p := h.dial(t)
	round := func(slow string) {
		p.send(calls(99, "m", "quick") + lines.Call(100, "m", slow))
		p.expectAll(100, "")
	}
	until := func(what string, slow string, ok func() bool) {
		for n, end := 0, time.Now().Add(bound); !ok(); n++ {
			if round(slow); time.Now().After(end) {
				t.Fatalf("not %s within %d calls", what, 100*n)
			}
		}
	}
	until("demoted", "slow", m.Is.Pace.Demoted)
	until("promoted", "quick", func() bool { return !m.Is.Pace.Demoted() })
}

// The end of sending that comes with the last bytes is seen.
func TestEndWithData(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		h := newHost(t, name, "127.0.0.1:0", lines.Methods{
			"echo":  &lines.Method{F: echo},
			"apart": &lines.Method{Is: call.Traits{Mode: call.Blocking}, F: echo},
		})
		for i := range 200 {
			p := h.dial(t)
			raw, err := p.SyscallConn()
			if err != nil {
				t.Fatal(err)
			}
			raw.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CORK, 1) })
			if err != nil {
				t.Fatal(err)
			}
			p.send(calls(3, []string{"echo", "apart"}[i%2], "x"))
			p.CloseWrite() // one segment carries both
			p.expectAll(3, "x")
			p.ends()
			p.Close()
		}
		soon(t, "all connections ended", func() bool { return h.connections() == 0 })
	})
}

// descriptors counts what the process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// An engine gives back every descriptor, also when connections left it, were reset, or were open at its end.
func TestDescriptorsComeBack(t *testing.T) {
	eachEngine(t, func(t *testing.T, name string) {
		before := descriptors(t)
		for range 5 {
			h := newHost(t, name, "127.0.0.1:0", lines.Methods{"echo": &lines.Method{F: echo}})
			var peers []*peer
			for i := range 40 {
				p := h.dial(t)
				peers = append(peers, p)
				p.send(lines.Call(1, "echo", "x"))
				p.expect(1, "x")
				switch i % 4 {
				case 0:
					p.Close()
				case 1:
					p.SetLinger(0)
					p.Close()
				case 2:
					p.send(lines.Call(0, "leave", ""))
					p.ends()
				}
			}
			h.close()
			for _, p := range peers {
				p.Close()
			}
		}
		soon(t, "the descriptors are closed", func() bool { return descriptors(t) <= before })
	})
}
