package http1

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// fakeCaller joins the bodies of calls by commas, and reads a response as their answers, joined likewise.
type fakeCaller struct{ verb, path string }

func (c *fakeCaller) Call() wire.CallExchange { return &fakeCall{caller: c} }

type fakeCall struct {
	caller *fakeCaller
	ids    []uint64
	body   []byte
	prefix string // the status and the field X of the response

	released bool
}

func (c *fakeCall) Send(f *wire.Frame, w wire.Writer) error {
	if string(f.Body) == "bad" {
		return errors.New("bad call")
	}
	if len(c.body) > 0 {
		c.body = append(c.body, ',')
	}
	c.body = append(c.body, f.Body...)
	if f.ID != 0 {
		c.ids = append(c.ids, f.ID)
	}
	if f.More {
		return nil
	}
	w.Begin(&wire.Start{Verb: c.caller.verb, Path: c.caller.path, Size: len(c.body)})
	w.Write(c.body)
	w.End()
	return nil
}

func (c *fakeCall) Respond(status int, fields []call.Field) {
	h := call.Head{Fields: fields}
	c.prefix = strconv.Itoa(status) + h.Get("x")
}

func (c *fakeCall) Release() {
	if c.released {
		panic("released twice")
	}
	c.released = true
}

func (c *fakeCall) Recv(in []byte, end bool, w wire.Writer, f *wire.Frame) (n, want int, err error) {
	if len(c.ids) == 0 || len(in) == 0 && c.prefix == "" {
		return len(in), 0, nil
	}
	part, _, _ := bytes.Cut(in, comma)
	f.Kind, f.ID, f.Body = wire.Reply, c.ids[0], append([]byte(c.prefix), part...)
	if n = min(len(part)+1, len(in)); n == len(in) {
		c.prefix = ""
	}
	c.ids = c.ids[1:]
	return n, 0, nil
}

func clientConfig() *ClientConfig {
	return &ClientConfig{
		Limits:    wire.Limits{HeaderBytes: 512, Headers: 12, MessageBytes: 4096}.WithDefaults(),
		Host:      "h:1",
		UserAgent: "test",
		Caller:    &fakeCaller{verb: "POST", path: "/"},
		Fields:    []call.Field{{Name: []byte("A"), Value: []byte("b")}},
	}
}

const request5 = "POST / HTTP/1.1\r\nHost: h:1\r\nUser-Agent: test\r\nContent-Length: 5\r\nA: b\r\n\r\na,b,c"

// callThree sends a request of three calls, of which the second is a notification.
func callThree(t testing.TB, d *driver) {
	t.Helper()
	for i, f := range []wire.Frame{{ID: 7, More: true}, {ID: 0, More: true}, {ID: 9}} {
		f.Kind, f.Ours, f.Body = wire.Open, true, []byte{"abc"[i]}
		if _, err := d.m.Send(&f, &d.out); err != nil {
			t.Fatalf("Send: %v", err)
		}
	}
}

var responses = []struct {
	name, in string
	want     string // the replies
	err      error
}{
	{"length", ok("1,2"), "7=2001 9=2002", nil},
	{"field", ok("1,2", "X: :"), "7=200:1 9=200:2", nil},
	{"error status", response("500 Oh dear", "1,2"), "7=5001 9=5002", nil},
	{"no reason", response("200", "1,2"), "7=2001 9=2002", nil},
	{"interim", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok("1,2"), "7=2001 9=2002", nil},
	{"chunked", "HTTP/1.1 200 OK\r\nX: :\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n1\r\n2\r\n,2\r\n0\r\n\r\n", "7=200:1 9=200:2", nil},
	{"close", ok("1,2", closes), "7=2001 9=2002", wire.ErrEnd},
	{"1.0", strings.Replace(ok("1,2"), "1.1", "1.0", 1), "7=2001 9=2002", wire.ErrEnd},
	{"host in a response", ok("1,2", "Host: ?", "Host: ?"), "7=2001 9=2002", nil},
	{"unanswered", response("204 No Content", "", "X: y")[:len("HTTP/1.1 204 No Content\r\n")] + "\r\n", "7=204", ErrUnanswered},

	{"status", "HTTP/1.1 2000 OK\r\n\r\n", "", errStatus},
	{"not HTTP", "SSH-2.0-x\r\n\r\n", "", errStatus},
	{"version", "HTTP/2.0 200 OK\r\n\r\n", "", errVersion},
	{"switching", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "", errStatus},
	{"bare LF", "HTTP/1.1 200 OK\n\n", "", errLine},
	{"both framings", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "", errBoth},
	{"large body", "HTTP/1.1 200 OK\r\nContent-Length: 4097\r\n\r\n", "", errLargeBody},
	{"large head", "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 600), "", errLargeHead},
	{"long line", "HTTP/1.1 200 " + strings.Repeat("x", 600), "", errLongLine},
	{"more than asked", ok("1,2") + "x", "7=2001 9=2002", ErrUnsolicited},
}

// TestClient runs each response split at every byte, and byte by byte.
func TestClient(t *testing.T) {
	for _, x := range responses {
		t.Run(x.name, func(t *testing.T) {
			for i := range len(x.in) {
				runClient(t, x.want, x.err, x.in[:i], x.in[i:])
			}
			runClient(t, x.want, x.err, strings.Split(x.in, "")...)
		})
	}
}

func runClient(t *testing.T, want string, err error, parts ...string) {
	t.Helper()
	d := &driver{m: NewClient(clientConfig()), late: true}
	callThree(t, d)
	if got := d.sent(); got != request5 {
		t.Fatalf("sent %q", got)
	}
	for _, p := range parts {
		d.feed(t, p)
	}
	if _, _, again := d.m.Recv(nil, false, &d.out, &wire.Frame{}); d.err != nil && again != wire.ErrEnd {
		t.Fatalf("Recv after the end: %v", again)
	}
	if got := replies(d); got != want {
		t.Fatalf("replies %q, want %q", got, want)
	}
	if !errors.Is(d.err, err) || (err == nil) != (d.err == nil) {
		t.Fatalf("Recv returned %v, want %v", d.err, err)
	}
	if err == nil && !d.m.Drain(&d.out) {
		t.Fatal("still busy")
	}
}

func replies(d *driver) string {
	var all []string
	for _, f := range d.frames {
		all = append(all, strconv.Itoa(int(f.ID))+"="+string(f.Body))
	}
	return strings.Join(all, " ")
}

func TestClientUntilEOF(t *testing.T) {
	const in = "HTTP/1.1 200 OK\r\n\r\n1,2"
	for i := range len(in) {
		d := &driver{m: NewClient(clientConfig())}
		callThree(t, d)
		d.feed(t, in[:i])
		d.feed(t, in[i:])
		d.eof = true
		d.run(t)
		if got := replies(d); got != "7=2001 9=2002" || d.err != wire.ErrEnd {
			t.Fatalf("cut at %d: %q, %v", i, got, d.err)
		}
	}
	d := &driver{m: NewClient(clientConfig())}
	callThree(t, d)
	if d.feed(t, "HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("x", 5000)); d.err != errLargeBody {
		t.Fatalf("an endless body: %v", d.err)
	}
}

func TestClientTruncated(t *testing.T) {
	in := ok("1,2")
	for i := range len(in) {
		d := &driver{m: NewClient(clientConfig())}
		callThree(t, d)
		d.feed(t, in[:i])
		d.eof = true
		if d.run(t); d.err != wire.ErrTruncated {
			t.Fatalf("eof after %q: %v", in[:i], d.err)
		}
	}
}

func TestClientBusy(t *testing.T) {
	d := &driver{m: NewClient(clientConfig())}
	open := wire.Frame{Kind: wire.Open, Ours: true, Body: []byte("n")}
	if _, err := d.m.Send(&open, &d.out); err != nil || d.m.Drain(&d.out) {
		t.Fatalf("a notification: %v", err)
	}
	if _, err := d.m.Send(&open, &d.out); !errors.Is(err, ErrBusy) {
		t.Fatalf("a second request: %v", err)
	}
	d.feed(t, "HTTP/1.1 204 No Content\r\n\r\n")
	if d.err != nil || !d.m.Drain(&d.out) {
		t.Fatalf("after the response: %v", d.err)
	}
	if _, err := d.m.Send(&open, &d.out); err != nil {
		t.Fatalf("the next request: %v", err)
	}
}

func TestClientCancel(t *testing.T) {
	d := &driver{m: NewClient(clientConfig())}
	callThree(t, d)
	d.m.Send(&wire.Frame{Kind: wire.Cancel, Ours: true, ID: 7}, &d.out)
	d.wait = 0
	if d.run(t); d.err != nil {
		t.Fatalf("one of two calls: %v", d.err)
	}
	if _, err := d.m.Send(&wire.Frame{Kind: wire.Cancel, Ours: true, ID: 9}, &d.out); err != wire.ErrEnd {
		t.Fatalf("Send: %v", err)
	}
	d.wait = 0
	if d.run(t); d.err != wire.ErrEnd {
		t.Fatalf("the last call: %v", d.err)
	}
}

func TestClientBadRequest(t *testing.T) {
	d := &driver{m: NewClient(clientConfig())}
	if _, err := d.m.Send(&wire.Frame{Kind: wire.Open, ID: 1, Body: []byte("bad")}, &d.out); err == nil || !d.m.Drain(&d.out) {
		t.Fatalf("a call that cannot be encoded: %v", err)
	}
	if _, err := d.m.Send(&wire.Frame{Kind: wire.Msg, ID: 1}, &d.out); !errors.Is(err, ErrRole) {
		t.Fatalf("a stray message: %v", err)
	}
	for _, c := range []fakeCaller{{"GET", "/a b"}, {"GET", ""}, {"", "/"}, {"GET", "/\r\nA: b"}} {
		config := clientConfig()
		config.Caller = &c
		d := &driver{m: NewClient(config)}
		_, err := d.m.Send(&wire.Frame{Kind: wire.Open, ID: 1}, &d.out)
		if got := d.sent(); !errors.Is(err, ErrRequest) || got != "" || !d.m.Drain(&d.out) {
			t.Errorf("%+v: %v, sent %q", c, err, got)
		}
	}
}

func TestClientHead(t *testing.T) {
	for _, framing := range []string{"Content-Length: 3", "Transfer-Encoding: chunked"} {
		config := clientConfig()
		config.Caller = &fakeCaller{"HEAD", "/"}
		d := &driver{m: NewClient(config)}
		if _, err := d.m.Send(&wire.Frame{Kind: wire.Open, ID: 1}, &d.out); err != nil {
			t.Fatal(err)
		}
		if got := d.sent(); got != "HEAD / HTTP/1.1\r\nHost: h:1\r\nUser-Agent: test\r\nA: b\r\n\r\n" {
			t.Fatalf("sent %q", got)
		}
		d.feed(t, "HTTP/1.1 200 OK\r\n"+framing+"\r\n\r\n")
		if got := replies(d); got != "1=200" || d.err != nil || !d.m.Drain(&d.out) {
			t.Fatalf("%s: %q, %v", framing, got, d.err)
		}
	}
}
