package http1

import (
	"errors"
	"strings"
	"testing"

	"github.com/anywire/anywire/wire"
)

// TestServer runs each exchange whole, in two parts split at every byte, and byte by byte.
func TestServer(t *testing.T) {
	for _, x := range exchanges {
		t.Run(x.name, func(t *testing.T) {
			for i := range len(x.in) {
				runServer(t, x.in[:i], x.in[i:], x.out, x.err)
			}
			d := newDriver(testConfig())
			for i := range len(x.in) {
				d.feed(t, x.in[i:i+1])
			}
			verify(t, d, x.out, x.err)
		})
	}
}

func runServer(t *testing.T, first, second, out string, err error) {
	t.Helper()
	d := newDriver(testConfig())
	d.feed(t, first)
	d.feed(t, second)
	verify(t, d, out, err)
}

func verify(t *testing.T, d *driver, out string, err error) {
	t.Helper()
	if got := d.sent(); got != out {
		t.Fatalf("sent\n%q, want\n%q", got, out)
	}
	if !errors.Is(d.err, err) || (err == nil) != (d.err == nil) {
		t.Fatalf("Recv returned %v, want %v", d.err, err)
	}
	if err == nil && (len(d.buf) > 0 || !d.m.Drain(&d.out)) {
		t.Fatalf("left over: %q", d.buf)
	}
}

func TestServerExpect(t *testing.T) {
	const head = "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
	const proceed = "HTTP/1.1 100 Continue\r\n\r\n"
	tests := []struct{ name, head, body, first, second string }{
		{"waits", head, "ab", proceed, ok("ab")},
		{"has begun", head + "a", "b", "", ok("ab")},
		{"is here", head + "ab", "", ok("ab"), ""},
		{"chunked", "POST /whole HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n",
			"1\r\n{\r\n0\r\n\r\n", proceed, ok("{")},
		{"1.0", "POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", "ab", "", ok("ab", closes)},
		{"nobody", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", "ab", refused(errNotFound), ""},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			d := newDriver(testConfig())
			d.feed(t, x.head)
			if got := d.sent(); got != x.first {
				t.Fatalf("after the head: %q, want %q", got, x.first)
			}
			d.feed(t, x.body)
			if got := d.sent(); got != x.second {
				t.Fatalf("after the body: %q, want %q", got, x.second)
			}
		})
	}
}

// TestServerLeave looks that the request that leaves is whole in front of what was not consumed.
func TestServerLeave(t *testing.T) {
	large := strings.Repeat("x", 5000)
	requests := map[string]string{
		"at once":       "GET /leave HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n\r\nbehind",
		"with body":     "POST /leave HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc",
		"body seen":     "POST /whole HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nleave",
		"chunks seen":   "POST /whole HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nleave\r\n0\r\n\r\n",
		"too large":     "POST /whole HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n" + large,
		"large chunk":   "POST /whole HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n" + large + "\r\n0\r\n\r\n",
		"large, leaves": "POST /leave HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n" + large,
	}
	for name, in := range requests {
		t.Run(name, func(t *testing.T) {
			for _, cut := range []int{0, 1, len(in) / 2, len(in) - 1} {
				d := newDriver(testConfig())
				d.feed(t, echo5+in[:cut])
				d.feed(t, in[cut:])
				if got := d.sent(); !d.left || got != ok("hello") || string(d.buf) != in {
					t.Fatalf("cut at %d: left = %v, err = %v, sent %q, unread %.80q", cut, d.left, d.err, got, d.buf)
				}
			}
		})
	}
	c := testConfig()
	c.Leave = nil
	d := newDriver(c)
	d.feed(t, "GET /leave HTTP/1.1\r\nHost: h\r\n\r\n")
	verify(t, d, problem(errNotFound), nil)
}

// TestServerHolds looks at the order of requests: the next one waits for the answer to the one before.
func TestServerHolds(t *testing.T) {
	d := newDriver(testConfig())
	d.late = true
	d.feed(t, "POST /batch HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na,b"+echo5)
	if len(d.frames) != 2 || d.frames[0].ID != 1<<32|1 || d.frames[1].ID != 1<<32|2 {
		t.Fatalf("frames: %+v", d.frames)
	}
	if _, want, _ := d.m.Recv(d.buf, false, &d.out, &wire.Frame{}); want != wire.Hold {
		t.Fatalf("want = %d", want)
	}
	d.answer(t, 1)
	d.run(t)
	d.answer(t, 0)
	d.run(t)
	if got := d.sent(); got != ok("a,b") {
		t.Fatalf("sent %q", got)
	}
	if len(d.frames) != 3 || d.frames[2].ID != 2<<32|1 {
		t.Fatalf("frames: %+v", d.frames)
	}
	d.answer(t, 0) // of the exchange before: dropped
	if got := d.sent(); got != "" {
		t.Fatalf("a late reply sent %q", got)
	}
	d.answer(t, 2)
	d.run(t)
	verify(t, d, ok("hello"), nil)
}

// TestServerSerial lets an exchange hold back its next call.
func TestServerSerial(t *testing.T) {
	d := newDriver(testConfig())
	d.late = true
	d.feed(t, "POST /serial HTTP/1.1\r\nHost: h\r\nX: =\r\nContent-Length: 3\r\n\r\na,b")
	if len(d.frames) != 1 {
		t.Fatalf("frames: %+v", d.frames)
	}
	d.answer(t, 0)
	d.eof = true
	d.run(t)
	if len(d.frames) != 3 || d.frames[1].Kind != wire.Open || d.frames[2].Kind != wire.Cancel {
		t.Fatalf("frames: %+v", d.frames)
	}
	d.answer(t, 1)
	d.run(t)
	verify(t, d, ok("=a,=b"), nil)
}

func TestServerEOF(t *testing.T) {
	for i := 1; i < len(echo5); i++ {
		d := newDriver(testConfig())
		d.feed(t, echo5[:i])
		d.eof = true
		d.run(t)
		if d.err != wire.ErrTruncated || d.sent() != "" {
			t.Fatalf("eof after %q: %v", echo5[:i], d.err)
		}
	}
	d := newDriver(testConfig())
	d.late = true
	d.feed(t, "POST /batch HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na,b")
	d.eof = true
	d.run(t)
	if len(d.frames) != 4 || d.frames[2].Kind != wire.Cancel || d.frames[2].ID != d.frames[0].ID || d.frames[3].ID != d.frames[1].ID {
		t.Fatalf("frames: %+v", d.frames)
	}
	d.answer(t, 0)
	d.answer(t, 1)
	d.run(t)
	verify(t, d, ok("a,b"), nil)
}

func TestServerDrain(t *testing.T) {
	d := newDriver(testConfig())
	d.late = true
	d.feed(t, echo5+echo5)
	if d.m.Drain(&d.out) {
		t.Fatal("drained with a call in flight")
	}
	d.answer(t, 0)
	if !d.m.Drain(&d.out) {
		t.Fatal("not drained after the reply")
	}
	d.run(t)
	verify(t, d, ok("hello", closes), wire.ErrEnd)

	d = newDriver(testConfig())
	if !d.m.Drain(&d.out) {
		t.Fatal("not drained while idle")
	}
	d.feed(t, echo5)
	verify(t, d, problem(errDraining, "Retry-After: 1", closes), errDraining)

	c := testConfig()
	end := false
	c.Draining = func() bool { return end }
	d = newDriver(c)
	d.late = true
	d.feed(t, echo5)
	end = true
	d.answer(t, 0)
	d.run(t)
	verify(t, d, ok("hello", closes), wire.ErrEnd)
}

func TestServerDate(t *testing.T) {
	c := testConfig()
	c.Date = func(dst []byte) []byte { return append(dst, "Sun, 06 Nov 1994 08:49:37 GMT"...) }
	d := newDriver(c)
	d.feed(t, echo5)
	verify(t, d, ok("hello", "Date: Sun, 06 Nov 1994 08:49:37 GMT"), nil)
}

func TestServerRole(t *testing.T) {
	m := NewServer(testConfig())
	var out wire.Out
	if _, err := m.Send(&wire.Frame{Kind: wire.Open, Ours: true, ID: 1}, &out); !errors.Is(err, ErrRole) {
		t.Fatalf("a call by the server: %v", err)
	}
}

// TestServerAllocates runs one request after the other with memory that is there already.
func TestServerAllocates(t *testing.T) {
	c := testConfig()
	c.Bindings = []wire.Binding{&fake{ex: &fakeExchange{}}}
	for _, request := range []string{
		echo5,
		chunked5,
	} {
		m, in := NewServer(c), []byte(request)
		var out wire.Out
		var f, reply wire.Frame
		body := []byte("hello")
		n := testing.AllocsPerRun(200, func() {
			f.Reset()
			m.Recv(in, false, &out, &f)
			reply = wire.Frame{Kind: wire.Reply, ID: f.ID, Body: body}
			m.Send(&reply, &out)
			f.Reset()
			if n, _, _ := m.Recv(in, false, &out, &f); n != len(in) {
				t.Fatalf("consumed %d", n)
			}
			out.Reset()
		})
		if n != 0 {
			t.Errorf("%v allocations for %.60q", n, request)
		}
	}
}

func BenchmarkServer(b *testing.B) {
	c := testConfig()
	c.Bindings = []wire.Binding{&fake{ex: &fakeExchange{}}}
	m := NewServer(c)
	in := []byte("POST /echo HTTP/1.1\r\nHost: localhost:8545\r\nUser-Agent: py-ucall\r\nAccept: */*\r\nConnection: keep-alive\r\n" +
		"Content-Length: 5\r\nContent-Type: application/json\r\n\r\nhello")
	var out wire.Out
	var f wire.Frame
	reply := wire.Frame{Kind: wire.Reply, Body: []byte("hello")}
	b.ReportAllocs()
	for b.Loop() {
		f.Reset()
		m.Recv(in, false, &out, &f)
		reply.ID = f.ID
		m.Send(&reply, &out)
		f.Reset()
		m.Recv(in, false, &out, &f)
		out.Reset()
	}
}
