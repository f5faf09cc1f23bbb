package anywire_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

func TestLimitHeaderBytes(t *testing.T) {
	const limit = 1024
	addr := limited(t, anywire.Limits{HeaderBytes: limit})
	head := func(n int) string {
		const begin, end = "GET /sum?a=2&b=3 HTTP/1.1\r\nHost: x\r\nX-Pad: ", "\r\n\r\n"
		return begin + strings.Repeat("x", n-len(begin)-len(end)) + end
	}
	if got := exchange(t, addr, head(limit)); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("at the limit: %q", got)
	}
	for name, in := range map[string]string{"whole": head(limit + 1), "begun": head(2 * limit)[:limit+1]} {
		p := dial(t, addr)
		p.send(in)
		if got := p.rest(); !strings.HasPrefix(got, "HTTP/1.1 431 ") {
			t.Errorf("over the limit, %s: %q", name, got)
		}
	}
	p := dial(t, addr)
	p.send("GET /" + strings.Repeat("x", limit))
	if got := p.rest(); !strings.HasPrefix(got, "HTTP/1.1 414 ") {
		t.Errorf("request line over the limit: %q", got)
	}
}

func TestLimitHeaderBytesOfLSP(t *testing.T) {
	const limit = 1024
	addr := limited(t, anywire.Limits{HeaderBytes: limit})
	message := call(1, "sum", "[2,3]")
	head := func(n int) string {
		begin, end := fmt.Sprintf("Content-Length: %d\r\nX-Pad: ", len(message)), "\r\n\r\n"
		return begin + strings.Repeat("x", n-len(begin)-len(end)) + end
	}
	if got := exchange(t, addr, head(limit)+message); !strings.Contains(got, `"result":5`) {
		t.Errorf("at the limit: %q", got)
	}
	for name, in := range map[string]string{"whole": head(limit+1) + message, "begun": head(2 * limit)[:limit+1]} {
		p := dial(t, addr)
		p.send(in)
		p.SetDeadline(time.Now().Add(time.Second))
		if got := p.rest(); got != "" {
			t.Errorf("over the limit, %s: %q", name, got)
		}
	}
}

func TestLimitHeaders(t *testing.T) {
	const limit = 10
	addr := limited(t, anywire.Limits{Headers: limit})
	for n, status := range map[int]string{limit: "200", limit + 1: "431"} {
		in := "GET /sum?a=2&b=3 HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: y\r\n", n-1) + "\r\n"
		if got := exchange(t, addr, in); !strings.HasPrefix(got, "HTTP/1.1 "+status+" ") {
			t.Errorf("%d fields: %q", n, got)
		}
	}
}

// A message that drips is cut, wherever it stopped.
func TestLimitMessageTime(t *testing.T) {
	addr := limited(t, anywire.Limits{MessageTime: 200 * time.Millisecond})
	for name, in := range map[string]string{
		"stream": `{"jsonrpc":"2.0","id":1,"method":"text","params":["`,
		"batch":  `[{"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]},`,
		"LSP":    "Content-Length: 1000\r\n\r\n{",
		"head":   "POST / HTTP/1.1\r\nHost: x\r\nX: ",
		"body":   "POST /sum HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n[",
		"chunk":  "POST /sum HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n[",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := dial(t, addr)
			begin := time.Now()
			p.send(in)
			stop := make(chan struct{})
			defer close(stop)
			go drip(p, stop)
			if got := p.rest(); got != "" && !strings.HasPrefix(got, "HTTP/1.1 408 ") {
				t.Errorf("it got %q", got)
			}
			if d := time.Since(begin); d < 190*time.Millisecond || d > 2*time.Second {
				t.Errorf("it ended after %v", d)
			}
		})
	}
	t.Run("others", func(t *testing.T) {
		p := dial(t, addr)
		for range 3 { // each message has its own time
			time.Sleep(100 * time.Millisecond)
			p.send(call(1, "sum", "[2,3]"))
			if r := p.response(); string(r.Result) != "5" {
				t.Errorf("%+v", r)
			}
		}
	})
}

// drip sends a byte now and then.
func drip(p *peer, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(20 * time.Millisecond):
			p.send("1")
		}
	}
}
