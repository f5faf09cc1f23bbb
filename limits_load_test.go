package anywire_test

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

func TestLimitConnections(t *testing.T) {
	addr := limited(t, anywire.Limits{Connections: 2})
	first, second := dial(t, addr), dial(t, addr)
	for _, p := range []*peer{first, second} {
		p.send(call(1, "sum", "[2,3]"))
		p.response()
	}
	dial(t, addr).ends(time.Second)
	first.Close()
	soon(t, "room for another connection", func() bool {
		p := dial(t, addr)
		defer p.Close()
		p.send(call(1, "sum", "[2,3]"))
		p.end()
		return strings.Contains(p.rest(), `"result":5`)
	})
	second.send(call(2, "sum", "[2,3]"))
	if r := second.response(); string(r.Result) != "5" {
		t.Errorf("the other connection: %+v", r)
	}
}

func TestLimitCalls(t *testing.T) {
	gate := make(chan struct{})
	srv := echoServer(anywire.WithLimits(anywire.Limits{Calls: 2}))
	srv.Handle("wait", func() { <-gate })
	srv.Handle("short", func(i, j int) int { time.Sleep(time.Millisecond); return i + j })
	addr := serve(t, srv)
	p := dial(t, addr)
	p.send(call(1, "wait", "") + call(2, "wait", "") + call(3, "sum", "[2,3]"))
	if r := p.response(); string(r.ID) != "3" || r.code() != -32008 {
		t.Errorf("beyond the limit: %+v", r)
	}
	close(gate)
	p.response()
	p.response()
	const many = 200
	for i := range many { // quick ones are slowed down, not refused
		p.send(call(i, "short", fmt.Sprintf("[%d,1]", i)))
	}
	expectSums(t, p.r, many)
}

func TestLimitCallsOfHTTP(t *testing.T) {
	gate := make(chan struct{})
	srv := echoServer(anywire.WithLimits(anywire.Limits{Calls: 2}))
	srv.Handle("wait", func() { <-gate })
	addr := serve(t, srv)
	time.AfterFunc(300*time.Millisecond, func() { close(gate) })
	_, got := post(t, "http://"+addr+"/", "["+call(1, "wait", "")+","+call(2, "wait", "")+","+call(3, "sum", "[2,3]")+"]")
	if strings.Count(got, `"result":null`) != 2 || !strings.Contains(got, `"id":3,"error":{"code":-32008`) {
		t.Error(got)
	}
}

// Unfinished large messages share a budget; who exceeds it is cut, and what they took comes back.
func TestLimitInputBytes(t *testing.T) {
	addr := limited(t, anywire.Limits{InputBytes: 4 << 20, MessageBytes: 8 << 20})
	begun := `{"jsonrpc":"2.0","id":1,"method":"text","params":["` + strings.Repeat("x", 1<<20)
	ended := make(chan *peer, 8)
	var all []*peer
	for range 8 {
		p := dial(t, addr)
		all = append(all, p)
		go func() {
			p.send(begun)
			p.r.ReadByte()
			ended <- p
		}()
	}
	select {
	case <-ended:
	case <-time.After(patience):
		t.Error("8 times 1 MiB fit into 4 MiB")
	}
	honest(t, addr, time.Second)
	for _, p := range all {
		p.Close()
	}
	for range 7 {
		<-ended
	}
	soon(t, "the budget came back", func() bool {
		p := dial(t, addr)
		defer p.Close()
		p.send(begun + `"]}`)
		p.end()
		return strings.Contains(p.rest(), `"result":"xxx`)
	})
}

// lazy has the function blob, whose answer of size bytes comes a little later, so that whoever reads is not who writes.
func lazy(size int, l anywire.Limits) *anywire.Server {
	srv := echoServer(anywire.WithLimits(l))
	srv.Handle("blob", func() string { time.Sleep(20 * time.Millisecond); return strings.Repeat("x", size) })
	return srv
}

func TestLimitOutputBytes(t *testing.T) {
	p := servePipes(t, lazy(20_000, anywire.Limits{OutputBytes: 10_000})).peer(t)
	for i := range 4 { // the first is being written, the second waits
		p.send(call(i, "blob", ""))
		time.Sleep(60 * time.Millisecond)
	}
	codes := map[string]int{}
	for range 4 {
		r := p.response()
		codes[string(r.ID)] = r.code()
	}
	if got := fmt.Sprint(codes); got != "map[0:0 1:0 2:-32008 3:-32008]" {
		t.Error(got)
	}
	p.send(call(4, "sum", "[2,3]"))
	if r := p.response(); string(r.Result) != "5" {
		t.Errorf("after reading: %+v", r)
	}
}

// HTTP/1.1 has no place for a refusal that would not lengthen the queue: no request is read until the answers are.
func TestLimitOutputBytesOfHTTP(t *testing.T) {
	p := servePipes(t, lazy(20_000, anywire.Limits{OutputBytes: 10_000})).peer(t)
	go p.send(strings.Repeat("POST /blob HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 5) + "GET /sum?a=2&b=3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	time.Sleep(300 * time.Millisecond)
	if got := p.rest(); strings.Count(got, "HTTP/1.1 200 ") != 6 {
		t.Errorf("%d of 6 were answered; 429 came %d times", strings.Count(got, "HTTP/1.1 200 "), strings.Count(got, "HTTP/1.1 429 "))
	}
}

func TestLimitOutputHard(t *testing.T) {
	for calls, survives := range map[int]bool{3: true, 10: false} {
		p := servePipes(t, lazy(20_000, anywire.Limits{OutputBytes: -1, OutputHard: 50_000})).peer(t)
		for i := range calls {
			p.send(call(i, "blob", ""))
		}
		time.Sleep(200 * time.Millisecond)
		p.end()
		if got := strings.Count(p.rest(), "\n"); (got == calls) != survives {
			t.Errorf("%d of %d answers came", got, calls)
		}
	}
}

func TestLimitWriteTime(t *testing.T) {
	l := servePipes(t, lazy(20_000, anywire.Limits{WriteTime: 200 * time.Millisecond}))
	p := l.peer(t)
	p.send(call(1, "blob", ""))
	time.Sleep(100 * time.Millisecond)
	if r := p.response(); r.code() != 0 {
		t.Errorf("in time: %+v", r)
	}
	p.send(call(1, "blob", ""))
	time.Sleep(600 * time.Millisecond)
	if got := p.rest(); strings.HasSuffix(got, "\n") {
		t.Error("a peer that does not read was not cut")
	}
}

func TestLimitIdleTime(t *testing.T) {
	srv := echoServer(anywire.WithLimits(anywire.Limits{IdleTime: 200 * time.Millisecond}))
	canceled := make(chan error, 1)
	srv.Handle("slow", func(ctx context.Context) error {
		select {
		case <-ctx.Done():
		case <-time.After(700 * time.Millisecond):
		}
		canceled <- ctx.Err()
		return nil
	})
	addr := serve(t, srv)
	for name, in := range map[string]string{
		"stream":       call(1, "slow", "") + "\n",
		"HTTP":         "POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
		"notification": `{"jsonrpc":"2.0","method":"slow"}` + call(1, "sum", "[2,3]") + "\n",
	} {
		p := dial(t, addr)
		p.send(in)
		if err := <-canceled; err != nil {
			t.Errorf("%s: a connection with a running call is not idle: %v", name, err)
		}
		p.line()
		begin := time.Now()
		if name != "HTTP" {
			p.ends(2 * time.Second)
		}
		p.rest()
		if d := time.Since(begin); d < 100*time.Millisecond || d > time.Second {
			t.Errorf("%s: it ended after %v", name, d)
		}
	}
	p := dial(t, addr) // white space is no message
	stop := make(chan struct{})
	defer close(stop)
	p.send(call(1, "sum", "[2,3]"))
	p.line()
	go func() {
		for range time.Tick(50 * time.Millisecond) {
			select {
			case <-stop:
				return
			default:
				p.send("\n")
			}
		}
	}()
	p.ends(2 * time.Second)
}

func TestLimitHalfOpen(t *testing.T) {
	w := newWaiter()
	srv := echoServer(anywire.WithLimits(anywire.Limits{HalfOpen: 200 * time.Millisecond}))
	srv.Handle("wait", w.wait)
	srv.Handle("short", func() { time.Sleep(50 * time.Millisecond) })
	addr := serve(t, srv)
	p := dial(t, addr)
	begin := time.Now()
	p.send(call(1, "wait", "") + call(2, "short", ""))
	p.end()
	if r := p.response(); string(r.ID) != "2" || r.code() != 0 {
		t.Errorf("within the time: %+v", r)
	}
	w.expectEnded(t)
	if d := time.Since(begin); d < 190*time.Millisecond || d > time.Second {
		t.Errorf("the call was canceled after %v", d)
	}
	p.r = bufio.NewReader(p)
	p.rest()
}
