package jsonrpc_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/jsonrpc"
)

func safePeer() *peer {
	return &peer{m: jsonrpc.NewStream(limits(wire.Limits{MessageBytes: 1 << 16}))}
}

// Any bytes in any pieces: no panic, and whatever comes back is JSON. How the bytes were cut changes nothing.
func FuzzStream(f *testing.F) {
	for _, v := range vectors {
		f.Add([]byte(v.in), uint8(3))
	}
	f.Add([]byte("Content-Length: 2\r\n\r\n[]"), uint8(5))
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		in = bytes.ReplaceAll(bytes.ReplaceAll(in, []byte("sum"), []byte("som")), []byte("subtract"), []byte("sobtract"))
		in = bytes.ReplaceAll(in, []byte{0}, []byte(" ")) // a cut before NUL may change the end of one answer
		whole, cut := safePeer(), safePeer()
		want := whole.feed(string(in), 1<<20)
		if got := cut.feed(string(in), int(size)+1); got != want {
			t.Fatalf("%q in pieces of %d: %q, whole: %q", in, int(size)+1, got, want)
		}
		if strings.HasPrefix(want, "Content-Length") {
			return
		}
		for line := range strings.Lines(want) {
			if json.Valid([]byte(line), 0) != nil {
				t.Fatalf("%q: wrote %q", in, line)
			}
		}
	})
}

// A client reads whatever a server sends without a panic.
func FuzzResponses(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":5}`))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":{},"status":"internal"},"meta":{"a":"b"}}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		p := newStream()
		p.m.Send(open(1, "sum", "[]", false), &p.out)
		p.feed(string(in), 1<<20)

		x := (&jsonrpc.Caller{Limits: wire.Limits{}.WithDefaults()}).Call()
		x.Send(open(1, "sum", "[]", false), discard{})
		x.Respond(200, nil)
		answers := 0
		for {
			var f wire.Frame
			n, _, err := x.Recv(in, true, discard{}, &f)
			if err != nil || n == len(in) && f.Kind == wire.None {
				break
			}
			answers++
		}
		if answers != 1 {
			t.Fatalf("%q: one call got %d answers", in, answers)
		}
	})
}

func FuzzError(f *testing.F) {
	f.Add(uint8(5), int32(-32005), "m", []byte(`{"a":1}`))
	f.Fuzz(func(t *testing.T, code uint8, app int32, message string, details []byte) {
		e := &call.Error{Code: call.Code(code%16 + 1), App: app, Message: strings.ToValidUTF8(message, "")}
		if e.Message == "" {
			e.Message = "m"
		}
		if json.Valid(details, 0) == nil {
			e.Details = details
		}
		got, ok := jsonrpc.ParseError(jsonrpc.AppendError(nil, e))
		if !ok || got.Code != e.Code || got.App != e.App || got.Message != e.Message ||
			!bytes.Equal(bytes.TrimSpace(got.Details), bytes.Trim(e.Details, " \t\r\n")) {
			t.Fatalf("%+v came back as %+v", e, got)
		}
	})
}

func FuzzHeaders(f *testing.F) {
	f.Add([]byte("Content-Length: 5\r\nContent-Type: x\r\n\r\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		size, n, err := jsonrpc.ParseHeaders(in)
		if err == nil && n > 0 && (size <= 0 || n > len(in)) {
			t.Fatalf("%q: size %d of %d bytes", in, size, n)
		}
	})
}

// discard is a wire.Writer that keeps nothing.
type discard struct{}

func (discard) Begin(*wire.Start)           {}
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteBuf([]byte, *mem.Buf)   {}
func (discard) End(...call.Field)           {}
