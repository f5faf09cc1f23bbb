//go:build !anywire_net

package anywire_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// processor returns how much processor time the program has used.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A server with connections on which nothing happens does nothing.
func TestIdleServerCostsNothing(t *testing.T) {
	addr := serve(t, sumServer())
	for range 100 {
		p := dial(t, addr)
		p.send(call(1, "sum", "[2,3]"))
		p.line()
	}
	runtime.GC()
	best := time.Hour // what else the program does must not count, so the quietest second does
	for range 3 {
		time.Sleep(300 * time.Millisecond) // until the monitor of the loops has gone to sleep
		before := processor(t)
		time.Sleep(time.Second)
		best = min(best, processor(t)-before)
		if best < 10*time.Millisecond {
			return
		}
	}
	t.Errorf("a second of idleness with 100 connections costs %v", best)
}

// caller sends one call again and again without allocating.
type caller struct {
	net.Conn
	in, out []byte
}

// newCaller makes the call for the first time. Its answer comes in one piece, and all others are as long.
func newCaller(t *testing.T, addr, in string) *caller {
	c := &caller{dial(t, addr).Conn, []byte(in), make([]byte, 4096)}
	c.Write(c.in)
	n, err := c.Read(c.out)
	if err != nil {
		t.Fatal(err)
	}
	c.out = c.out[:n]
	return c
}

func (c *caller) call() error {
	if _, err := c.Write(c.in); err != nil {
		return err
	}
	_, err := io.ReadFull(c.Conn, c.out)
	return err
}

// A call costs the server no allocation, by any of the wires.
func TestCallAllocatesNothing(t *testing.T) {
	if race {
		return // its bookkeeping allocates
	}
	body := call(1, "sum", "[2,3]")
	for name, in := range map[string]string{
		"stream": body,
		"HTTP":   fmt.Sprintf("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body),
		"REST":   "POST /sum HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n[2,3]",
	} {
		t.Run(name, func(t *testing.T) {
			c := newCaller(t, serve(t, sumServer()), in)
			const n = 10_000
			best := 1 << 30
			for range 5 { // what others of the program allocate meanwhile must not count
				best = min(best, mallocs(func() {
					for range n {
						if err := c.call(); err != nil {
							t.Fatal(err)
						}
					}
				}))
			}
			if best > n/100 {
				t.Errorf("%d calls allocate %d times", n, best)
			}
		})
	}
}

func mallocs(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}

// inUse returns the memory of the heap and of stacks that is in use.
func inUse() int {
	runtime.GC()
	runtime.GC() // empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapInuse + m.StackInuse)
}

// An idle connection that has made a call takes little memory of the server. The clients live in another process, so that
// only the server's side counts.
func TestMemoryOfIdleConnections(t *testing.T) {
	if race {
		return // its shadow memory is not what a connection takes
	}
	const n, limit = 2000, 1 << 10
	best := 1 << 30
	for round := 0; round < 10 && best > limit; round++ { // half empty spans add up to 10 % either way
		t.Run("server", func(t *testing.T) {
			addr := serve(t, sumServer())
			honest(t, addr, patience)
			before := inUse()
			stop := dialElsewhere(t, addr, n)
			defer stop()
			best = min(best, (inUse()-before)/n)
		})
	}
	t.Logf("%d bytes a connection", best)
	if best > limit {
		t.Errorf("an idle connection takes %d bytes, more than %d", best, limit)
	}
}

const dialVariable = "ANYWIRE_TEST_DIAL"

// dialElsewhere opens n connections from another process, each of which has made a call when it returns.
func dialElsewhere(t *testing.T, addr string, n int) (stop func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestDialing$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", dialVariable, addr, n))
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, len("ready"))
	if _, err := io.ReadFull(out, ready); err != nil || string(ready) != "ready" {
		t.Errorf("the other process said %q, %v", ready, err)
	}
	return func() {
		in.Close()
		cmd.Wait()
	}
}

// TestDialing is what dialElsewhere runs; by itself it tests nothing but that.
func TestDialing(t *testing.T) {
	var addr string
	var n int
	if _, err := fmt.Sscan(os.Getenv(dialVariable), &addr, &n); err != nil {
		return
	}
	for range n {
		p := dial(t, addr)
		p.send(call(1, "sum", "[2,3]"))
		p.line()
	}
	os.Stdout.WriteString("ready")
	io.Copy(io.Discard, os.Stdin)
}

// The arguments of a call that keeps its loop waiting stay as they are while its connection goes on, wherever they lie:
// in the memory of the loop, or in that of the connection, when the call came in pieces.
func TestStuckCallKeepsItsArguments(t *testing.T) {
	gate := make(chan struct{})
	srv := echoServer()
	srv.Handle("late", func(v json.RawMessage, s string) string { <-gate; return string(v) + s }, anywire.Params("v", "s"), anywire.Inline())
	srv.HandleRaw("late_raw", func(c *anywire.CallInfo) {
		<-gate
		c.ReplyString(string(c.Raw("v", 0)) + c.String("s", 1))
	}, anywire.Inline())
	addr := serve(t, srv)
	for _, method := range []string{"late", "late_raw"} {
		for _, at := range []int{0, 20} {
			p := dial(t, addr)
			message := call("late", method, `{"v":[1,2,3],"s":"precious"}`)
			p.send(message[:at])
			time.Sleep(20 * time.Millisecond)
			p.send(message[at:])
			for i := range 20 {
				noise := call(i, "text", `["`+strings.Repeat("!", 100)+`"]`)
				p.send(noise[:30])
				time.Sleep(time.Millisecond)
				p.send(noise[30:])
				p.line()
			}
			gate <- struct{}{}
			if got := p.line(); !strings.Contains(got, `"[1,2,3]precious"`) {
				t.Errorf("%s: %s", method, got)
			}
		}
	}
}
