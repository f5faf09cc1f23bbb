package anywire_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// hostile are peers that cost a server as much as they can: each sends what it does and then behaves as it is named.
var hostile = map[string]func(p net.Conn, stop <-chan struct{}){
	"silent":    func(p net.Conn, stop <-chan struct{}) { <-stop },
	"slow head": func(p net.Conn, stop <-chan struct{}) { dripInto(p, "POST / HTTP/1.1\r\nHost: x\r\nX: ", stop) },
	"slow call": func(p net.Conn, stop <-chan struct{}) {
		dripInto(p, `{"jsonrpc":"2.0","id":1,"method":"text","params":["`, stop)
	},
	"garbage": func(p net.Conn, stop <-chan struct{}) {
		io.WriteString(p, "\x16\x03\x01\xff\x00\x80garbage\r\n\r\n")
		<-stop
	},
	"half open": func(p net.Conn, stop <-chan struct{}) {
		io.WriteString(p, call(1, "wait", "")+`{"jsonrpc":`)
		p.(*net.TCPConn).CloseWrite()
		<-stop
	},
	"not reading": func(p net.Conn, stop <-chan struct{}) {
		p.SetWriteDeadline(time.Now().Add(3 * time.Second))
		in := call(1, "text", `["`+strings.Repeat("x", 32<<10)+`"]`)
		for i := range 100 {
			if _, err := io.WriteString(p, strings.Replace(in, `"id":1`, fmt.Sprintf(`"id":%d`, i), 1)); err != nil {
				break
			}
		}
		<-stop
	},
	"not reading HTTP": func(p net.Conn, stop <-chan struct{}) {
		p.SetWriteDeadline(time.Now().Add(3 * time.Second))
		body := `["` + strings.Repeat("x", 32<<10) + `"]`
		for range 100 {
			if _, err := fmt.Fprintf(p, "POST /text HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
				break
			}
		}
		<-stop
	},
}

func dripInto(p net.Conn, begin string, stop <-chan struct{}) {
	io.WriteString(p, begin)
	for {
		select {
		case <-stop:
			return
		case <-time.After(50 * time.Millisecond):
			io.WriteString(p, "x")
		}
	}
}

// Many of each at once; honest clients notice nothing, and when the others are gone everything they took is back.
func TestHostilePeersCostOthersNothing(t *testing.T) {
	each := scaled(20, 10)
	srv := echoServer(anywire.WithLimits(anywire.Limits{HalfOpen: 3 * time.Second}))
	srv.Handle("wait", func(ctx context.Context) { <-ctx.Done() })
	addr := serve(t, srv)
	honest(t, addr, time.Second)
	goroutines, heap := runtime.NumGoroutine(), heapInUse()

	stop := make(chan struct{})
	var enemies sync.WaitGroup
	for _, behave := range hostile {
		for range each {
			enemies.Go(func() {
				nc, err := net.Dial("tcp", addr)
				if err != nil {
					t.Error(err)
					return
				}
				defer nc.Close()
				behave(nc, stop)
			})
		}
	}
	slowest := crowd(t, addr, 2*time.Second)
	t.Logf("the slowest honest call took %v", slowest)
	close(stop)
	enemies.Wait()

	soon(t, "goroutines are back", func() bool { return runtime.NumGoroutine() <= goroutines })
	soon(t, "memory is back", func() bool { return heapInUse() <= heap+8<<20 })
}

// crowd lets honest clients call for d, over both protocols, and returns the longest time that a call took.
func crowd(t *testing.T, addr string, d time.Duration) (slowest time.Duration) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	end := time.Now().Add(d)
	for _, scheme := range []string{"tcp://", "http://", "tcp://", "http://"} {
		c, err := anywire.Dial(t.Context(), scheme+addr)
		if err != nil {
			t.Error(err)
			continue
		}
		wg.Go(func() {
			defer c.Close()
			for time.Now().Before(end) {
				begin := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				n, err := anywire.Call[int](ctx, c, "sum", []int{2, 3})
				cancel()
				if n != 5 || err != nil {
					t.Errorf("%s: %d, %v", scheme, n, err)
					return
				}
				mu.Lock()
				slowest = max(slowest, time.Since(begin))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return slowest
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // the pools forget in two rounds
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A million brackets are a parse error, in little time and memory.
func TestDeepNesting(t *testing.T) {
	const many = 1_000_000
	for _, limits := range []anywire.Limits{{MessageBytes: 8 << 20}, {MessageBytes: 8 << 20, Depth: -1}} {
		addr := limited(t, limits)
		for _, piece := range []string{"[", `{"a":`} {
			in := strings.Repeat(piece, many)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()

			p := dial(t, addr)
			go func() {
				p.send(in)
				p.end()
			}()
			line, err := p.r.ReadString('\n')
			if err != nil || parse(t, line).code() != -32700 {
				t.Errorf("stream, %s, limit %d: %q, %v", piece, limits.Depth, line, err)
			}
			if status, body := post(t, "http://"+addr+"/", in); status != 200 || parse(t, body).code() != -32700 {
				t.Errorf("HTTP, %s, limit %d: %d %s", piece, limits.Depth, status, body)
			}
			if d := time.Since(begin); d > 5*time.Second {
				t.Errorf("%s, limit %d: it took %v", piece, limits.Depth, d)
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
				t.Errorf("%s, limit %d: it took %d MiB", piece, limits.Depth, took>>20)
			}
		}
	}
}

// A peer that writes a message far over the limit before it reads still hears why it is refused.
func TestRefusalReachesWriter(t *testing.T) {
	addr := limited(t, anywire.Limits{MessageBytes: 64 << 10})
	large := `["` + strings.Repeat("x", 4<<20) + `"]`
	p := dial(t, addr)
	p.send(call(1, "text", large))
	if got := p.rest(); !strings.Contains(got, "-32600") {
		t.Errorf("stream: %q", got)
	}
	p = dial(t, addr)
	p.send(fmt.Sprintf("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(large), large))
	if got := p.rest(); !strings.HasPrefix(got, "HTTP/1.1 413 ") {
		t.Errorf("HTTP: %q", got)
	}
}

func TestLargeMessages(t *testing.T) {
	size := scaled(64<<20, 8<<20)
	limits := anywire.WithLimits(anywire.Limits{MessageBytes: size + 1000, OutputHard: -1})
	addr := serve(t, echoServer(limits))
	text := strings.Repeat("x", size)
	for _, scheme := range []string{"tcp://", "http://"} {
		ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
		begin := time.Now()
		got, err := anywire.Call[string](ctx, client(t, scheme+addr, limits), "text", text)
		if err != nil || got != text {
			t.Errorf("%s: %d bytes, %v", scheme, len(got), err)
		}
		t.Logf("%s: %v", scheme, time.Since(begin))
		cancel()
	}
}

// Mounted in a net/http server the same rules hold; a refusal does not wait for a body that nobody reads.
func TestMountedInNetHTTP(t *testing.T) {
	srv := echoServer(anywire.WithLimits(anywire.Limits{MessageBytes: 64 << 10}))
	defer srv.Close()
	outer := httptest.NewServer(srv)
	defer outer.Close()
	if status, body := post(t, outer.URL+"/", call(1, "sum", "[2,3]")); status != 200 || !strings.Contains(body, `"result":5`) {
		t.Errorf("%d %s", status, body)
	}
	p := dial(t, outer.Listener.Addr().String())
	defer p.Close()
	p.SetDeadline(time.Now().Add(2 * time.Second))
	p.send("POST /text HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n[")
	res, err := http.ReadResponse(p.r, nil)
	if err != nil {
		t.Fatalf("a body over the limit that has not come: %v", err)
	}
	res.Body.Close()
	if res.StatusCode != 413 {
		t.Errorf("a body over the limit: %d", res.StatusCode)
	}
}
