package anywire_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// limited starts echoServer with these limits.
func limited(t *testing.T, l anywire.Limits) string {
	t.Helper()
	return serve(t, echoServer(anywire.WithLimits(l)))
}

func TestLimitSniffTime(t *testing.T) {
	addr := limited(t, anywire.Limits{SniffTime: 100 * time.Millisecond})
	for _, in := range []string{"", "G", "Content-Le"} {
		p := dial(t, addr)
		begin := time.Now()
		p.send(in)
		p.ends(2 * time.Second)
		if d := time.Since(begin); d < 90*time.Millisecond {
			t.Errorf("%q was given up after %v", in, d)
		}
	}
}

func TestLimitSniffBytes(t *testing.T) {
	addr := limited(t, anywire.Limits{SniffBytes: 4})
	p := dial(t, addr)
	p.send("CON") // CONNECT or Content-Length
	time.Sleep(50 * time.Millisecond)
	message := call(1, "sum", "[2,3]")
	p.send("TENT-LENGTH: " + fmt.Sprint(len(message)) + "\r\n\r\n" + message)
	p.end()
	if got := p.rest(); !strings.HasSuffix(got, `"result":5}`) {
		t.Errorf("below the limit: %q", got)
	}
	p = dial(t, addr)
	p.send("CONT")
	p.ends(time.Second)
}

func TestLimitMessageBytes(t *testing.T) {
	const limit = 1000
	addr := limited(t, anywire.Limits{MessageBytes: limit})
	exact := padded(limit)
	over := padded(limit + 1)

	p := dial(t, addr)
	for range 2 {
		p.send(exact)
		if r := p.response(); r.code() != 0 {
			t.Errorf("stream, at the limit: %+v", r)
		}
	}
	for name, in := range map[string]string{"whole": over, "begun": over[:limit+1], "LSP": lsp(over), "LSP header": lsp(over)[:24]} {
		p := dial(t, addr)
		p.send(in)
		got := p.rest()
		if !strings.Contains(got, `"id":null,"error":{"code":-32600`) {
			t.Errorf("stream, %s over the limit: %q", name, got)
		}
	}
	for _, v := range []struct {
		path, body string
		status     int
	}{
		{"/", exact, 200}, {"/", over, 413},
		{"/text", `["` + strings.Repeat("x", limit-4) + `"]`, 200}, {"/text", `["` + strings.Repeat("x", limit-3) + `"]`, 413},
	} {
		if status, body := post(t, "http://"+addr+v.path, v.body); status != v.status {
			t.Errorf("HTTP, %d bytes to %s: %d %.100s, want %d", len(v.body), v.path, status, body, v.status)
		}
	}
	chunked := fmt.Sprintf("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(over), over)
	if got := exchange(t, addr, chunked); !strings.HasPrefix(got, "HTTP/1.1 413 ") {
		t.Errorf("HTTP, in chunks: %.100q", got)
	}
}

// padded returns a valid call of exactly n bytes.
func padded(n int) string {
	empty := call(1, "text", `[""]`)
	return call(1, "text", `["`+strings.Repeat("x", n-len(empty))+`"]`)
}

// One method takes more than the others.
func TestMaxMessageOfOneMethod(t *testing.T) {
	srv := echoServer(anywire.WithLimits(anywire.Limits{MessageBytes: 1000}))
	srv.Handle("large", func(s string) int { return len(s) }, anywire.MaxMessage(5000))
	addr := serve(t, srv)
	args := func(n int) string { return `["` + strings.Repeat("x", n-4) + `"]` } // of n bytes
	for _, v := range []struct {
		method       string
		size         int
		code, status int
	}{
		{"large", 3000, 0, 200},
		{"large", 5000, 0, 200},
		{"text", 1000, 0, 200},
		{"text", 1001, -32008, 413},
		{"text", 3000, -32008, 413},
	} {
		p := dial(t, addr)
		p.send(call(1, v.method, args(v.size)) + call(2, "sum", "[2,3]"))
		p.end()
		answers := p.rest()
		if line, _, _ := strings.Cut(answers, "\n"); v.code != 0 && !strings.Contains(answers, fmt.Sprintf(`"id":1,"error":{"code":%d`, v.code)) ||
			v.code == 0 && strings.Contains(answers, `"error"`) || !strings.Contains(answers, `"id":2,"result":5`) {
			t.Errorf("stream, %s with %d bytes: %.150s", v.method, v.size, line)
		}
		if status, body := post(t, "http://"+addr+"/", call(1, v.method, args(v.size))); status != 200 || parse(t, body).code() != v.code {
			t.Errorf("JSON-RPC over HTTP, %s with %d bytes: %d %.150s", v.method, v.size, status, body)
		}
		if status, body := post(t, "http://"+addr+"/"+v.method, args(v.size)); status != v.status {
			t.Errorf("REST, %s with %d bytes: %d %.150s, want %d", v.method, v.size, status, body, v.status)
		}
	}
	p := dial(t, addr)
	p.send(call(1, "large", args(5001)))
	if r := p.response(); r.code() != -32008 {
		t.Errorf("beyond its own limit: %+v", r)
	}
	p.send(call(1, "large", args(100_000)))
	if got := p.rest(); !strings.Contains(got, `"id":null,"error":{"code":-32600`) {
		t.Errorf("far beyond its own limit: %.150q", got)
	}
}

func TestLimitDepth(t *testing.T) {
	const limit = 20
	addr := limited(t, anywire.Limits{Depth: limit})
	for depth, code := range map[int]int{limit: 0, limit + 1: -32700} {
		message := call(1, "echo", nested(depth-1)) // the envelope is one more
		p := dial(t, addr)
		p.send(message)
		if r := p.response(); r.code() != code {
			t.Errorf("stream, %d deep: %+v", depth, r)
		}
		if status, body := post(t, "http://"+addr+"/", message); status != 200 || parse(t, body).code() != code {
			t.Errorf("HTTP, %d deep: %d %s", depth, status, body)
		}
	}
}

// nested returns n arrays in each other.
func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func TestLimitRawDepth(t *testing.T) {
	const limit = 5
	srv := echoServer(anywire.WithLimits(anywire.Limits{RawDepth: limit}))
	srv.Handle("typed", func(v any) any { return v }, anywire.Params("v"))
	addr := serve(t, srv)
	for _, v := range []struct {
		method       string
		depth        int
		code, status int
	}{{"echo", limit, 0, 200}, {"echo", limit + 1, -32602, 400}, {"typed", limit + 1, 0, 200}} {
		params := "[" + nested(v.depth) + "]"
		p := dial(t, addr)
		p.send(call(1, v.method, params))
		if r := p.response(); r.code() != v.code {
			t.Errorf("stream, %s, %d deep: %+v", v.method, v.depth, r)
		}
		if status, body := post(t, "http://"+addr+"/"+v.method, params); status != v.status {
			t.Errorf("REST, %s, %d deep: %d %s", v.method, v.depth, status, body)
		}
	}
}

func TestLimitBatchItems(t *testing.T) {
	var ran atomic.Int32
	srv := echoServer(anywire.WithLimits(anywire.Limits{BatchItems: 3}))
	srv.Handle("count", func() { ran.Add(1) })
	addr := serve(t, srv)
	batch := func(n int) string {
		return "[" + strings.Repeat(call(1, "count", "")+",", n-1) + call(1, "count", "") + "]"
	}
	for n, want := range map[int]int32{3: 3, 4: 0} {
		for _, over := range []string{"stream", "HTTP"} {
			ran.Store(0)
			var got string
			if over == "HTTP" {
				_, got = post(t, "http://"+addr+"/", batch(n))
			} else {
				got = strings.TrimSpace(exchange(t, addr, batch(n)))
			}
			if ran.Load() != want {
				t.Errorf("%s, %d requests: %d ran", over, n, ran.Load())
			}
			refused := strings.HasPrefix(got, `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`) && strings.Count(got, "jsonrpc") == 1
			if refused != (want == 0) {
				t.Errorf("%s, %d requests: %s", over, n, got)
			}
		}
	}
}

func TestLimitBatchReplyBytes(t *testing.T) {
	const limit = 300
	addr := limited(t, anywire.Limits{BatchReplyBytes: limit})
	item := call(1, "text", `["`+strings.Repeat("x", 90)+`"]`) // answered by about 130 bytes
	batch := "[" + strings.Repeat(item+",", 4) + item + "]"
	_, overHTTP := post(t, "http://"+addr+"/", batch)
	for _, got := range []string{exchange(t, addr, batch), overHTTP} {
		if strings.Count(got, `"result"`) != 2 || strings.Count(got, `"code":-32008`) != 3 {
			t.Errorf("%s", got)
		}
	}
}
