package http1

import (
	"bytes"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// fake is a binding by path:
//
//	/echo   one call with the body
//	/batch  a call for each part between commas, answered in order of the parts
//	/whole  wants to see the body: "{…" is echoed, "leave" leaves, the rest is not its own
//	/leave  leaves
//	/none   reads and never answers
//	/wrong  announces more than it writes
//	/stream answers without a size
//	/empty  answers 204 by itself
//	/serial is a batch that opens a call when the one before is answered
//	/refuse answers 400 by itself and returns an error for the log
//	/broken returns an error and answers nothing
type fake struct {
	verbs *[]string     // of the requests that it was asked about, once each
	again bool          // the next question is about the same request
	ex    *fakeExchange // used again for each request when set
}

func (b *fake) Accept(r *wire.Request, body []byte, whole bool) (wire.Exchange, wire.Verdict) {
	if b.verbs != nil && !b.again {
		*b.verbs = append(*b.verbs, string(r.Verb))
	}
	b.again = string(r.Path) == "/whole" && !whole
	path := string(r.Path)
	switch path {
	case "/leave":
		return nil, wire.Leave
	case "/whole":
		switch {
		case !whole:
			return nil, wire.Whole
		case string(body) == "leave" || body == nil:
			return nil, wire.Leave
		case !bytes.HasPrefix(body, []byte("{")):
			return nil, wire.No
		}
	case "/echo", "/batch", "/none", "/wrong", "/stream", "/empty", "/serial", "/refuse", "/broken":
	default:
		return nil, wire.No
	}
	ex := b.ex
	if ex == nil {
		ex = &fakeExchange{}
	}
	ex.reset(r)
	return ex, wire.Yes
}

type fakeExchange struct {
	kind    string
	head    call.Head
	opened  uint64
	missing int
	read    bool
	parts   [][]byte
	start   wire.Start

	released bool
}

func (e *fakeExchange) reset(r *wire.Request) {
	*e = fakeExchange{kind: e.kind, head: call.Head{Fields: r.Fields}, parts: e.parts[:0]}
	if string(r.Path[1:]) != e.kind { // the test of allocations asks for the same again and again
		e.kind = string(r.Path[1:])
	}
}

func (e *fakeExchange) Recv(in []byte, end bool, w wire.Writer, f *wire.Frame) (n, want int, err error) {
	if e.released {
		panic("used after its release")
	}
	if e.read {
		return 0, 0, nil
	}
	part := in
	switch e.kind {
	case "refuse":
		w.Begin(&wire.Start{Status: 400})
		w.End()
		return 0, 0, errFake
	case "broken":
		return 0, 0, errFake
	case "serial":
		if e.missing > 0 {
			return 0, wire.Hold, nil
		}
		part, _, _ = bytes.Cut(in, []byte(","))
	case "none":
		return len(in), 0, nil
	case "empty":
		e.read = true
		w.Begin(&wire.Start{Status: 204})
		w.End()
		return len(in), 0, nil
	case "batch":
		part, _, _ = bytes.Cut(in, []byte(","))
	}
	n = min(len(part)+1, len(in))
	e.read = n == len(in)
	e.opened++
	e.missing++
	e.parts = slices.Grow(e.parts, 1)[:e.opened] // keeps the memory of earlier parts
	e.parts[e.opened-1] = e.parts[e.opened-1][:0]
	f.Kind, f.ID, f.Head, f.Body, f.End = wire.Open, e.opened, &e.head, part, true
	return n, 0, nil
}

func (e *fakeExchange) Send(f *wire.Frame, w wire.Writer) error {
	e.parts[f.ID-1] = append(e.parts[f.ID-1], f.Body...)
	if e.missing--; e.missing > 0 || !e.read {
		return nil
	}
	size := len(e.parts) - 1
	for _, p := range e.parts {
		size += len(p)
	}
	e.start = wire.Start{Status: 200, Size: size}
	switch e.kind {
	case "wrong":
		e.start.Size++
	case "stream":
		e.start.Size = -1
	}
	w.Begin(&e.start)
	for i, p := range e.parts {
		if i > 0 {
			w.Write(comma)
		}
		w.Write(p)
	}
	w.End()
	return nil
}

// Release must come once, after everything else.
func (e *fakeExchange) Release() {
	if e.released {
		panic("released twice")
	}
	e.released = true
}

var errFake = errors.New("wrong on purpose")

var comma = []byte(",")

// driver drives a machine as a connection does, but unkindly: each Recv sees the bytes at another place, and the old place
// is overwritten.
type driver struct {
	m      wire.Machine
	out    wire.Out
	buf    []byte // received, not consumed
	last   []byte // what the last Recv saw
	wait   int    // bytes that the machine asked for
	eof    bool
	err    error
	left   bool         // the connection left
	frames []wire.Frame // kept when answers are late
	late   bool         // answers come when the test says so
}

// feed gives p to the machine and lets it run until it waits.
func (d *driver) feed(t testing.TB, p string) {
	d.buf = append(d.buf, p...)
	d.run(t)
}

func (d *driver) run(t testing.TB) {
	if len(d.buf) < d.wait && !d.eof {
		return
	}
	for steps := 0; d.err == nil && !d.left; steps++ {
		if steps > 10_000 {
			t.Fatalf("the machine does not come to an end with %q", d.buf)
		}
		if !d.step(t) {
			return
		}
	}
}

// step calls Recv once and reports whether to call it again at once.
func (d *driver) step(t testing.TB) bool {
	in := bytes.Clone(d.buf)
	for i := range d.last {
		d.last[i] = '~'
	}
	d.last = in
	var f wire.Frame
	n, want, err := d.m.Recv(in, d.eof, &d.out, &f)
	if n < 0 || n > len(in) || want < wire.Hold || want > 0 && want <= len(in)-n {
		t.Fatalf("Recv of %d bytes returned n = %d, want = %d", len(in), n, want)
	}
	d.buf = d.buf[n:]
	d.wait, d.err = max(want, 0), err
	switch f.Kind {
	case wire.Upgrade:
		d.left = true
		return false
	case wire.None:
		return false
	}
	d.frames = append(d.frames, keep(&f))
	if f.Kind == wire.Open && !d.late {
		d.answer(t, len(d.frames)-1)
	}
	return true
}

// keep copies what f borrows. The body becomes the answer of a test: the value of the field X and the body.
func keep(f *wire.Frame) wire.Frame {
	k := *f
	if f.Head != nil {
		k.Body = append([]byte(f.Head.Get("x")), f.Body...)
		k.Head = nil
	} else {
		k.Body = bytes.Clone(f.Body)
	}
	return k
}

// answer replies to the frame i.
func (d *driver) answer(t testing.TB, i int) {
	_, err := d.m.Send(&wire.Frame{Kind: wire.Reply, ID: d.frames[i].ID, Body: d.frames[i].Body, End: true}, &d.out)
	if err != nil && err != wire.ErrEnd {
		t.Fatalf("Send: %v", err)
	}
}

// sent returns what was sent since the last call.
func (d *driver) sent() string {
	var b strings.Builder
	d.out.WriteTo(&b)
	return b.String()
}

func testConfig() *Config {
	return &Config{
		Limits:   wire.Limits{HeaderBytes: 512, Headers: 12, MessageBytes: 4096}.WithDefaults(),
		Bindings: []wire.Binding{&fake{}},
		Leave:    func(net.Conn) {},
	}
}

func newDriver(c *Config) *driver { return &driver{m: NewServer(c)} }
