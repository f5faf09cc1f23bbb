package rest

import (
	"errors"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

func TestReplies(t *testing.T) {
	const head = `{"type":"about:blank","title":`
	for _, test := range []struct {
		name, request string
		reply         wire.Frame
		want          string
	}{
		{"result", "POST /ping", wire.Frame{Body: []byte("3")}, "200 Content-Type: application/json 3"},
		{"null", "POST /ping", wire.Frame{Body: []byte("null")}, "200 Content-Type: application/json null"},
		{"no result", "POST /ping", wire.Frame{}, "204"},
		{"metadata", "POST /ping", wire.Frame{Body: []byte("3"), Meta: call.Meta{{Name: "x-a", Value: "1"}, {Name: "x-a", Value: "é\t2"}}},
			"200 x-a: 1; x-a: é\t2; Content-Type: application/json 3"},
		{"metadata without result", "POST /ping", wire.Frame{Meta: call.Meta{{Name: "x-a", Value: "1"}}}, "204 x-a: 1"},
		{"metadata that makes no field", "POST /ping", wire.Frame{Body: []byte("3"), Meta: call.Meta{
			{Name: "Content-Length", Value: "9"}, {Name: "transfer-encoding", Value: "chunked"}, {Name: "date", Value: "x"},
			{Name: "connection", Value: "close"}, {Name: "", Value: "x"}, {Name: "a b", Value: "x"}, {Name: "é", Value: "x"},
			{Name: "x", Value: "a\r\nSet-Cookie: b"}, {Name: "y", Value: "\x7f"}}},
			"200 Content-Type: application/json 3"},
		{"own type", "POST /ping", wire.Frame{Body: []byte("<b>"), Meta: call.Meta{{Name: "content-type", Value: "text/html"}}},
			"200 content-type: text/html <b>"},
		{"error", "POST /ping", wire.Frame{Err: call.Errorf(call.NotFound, "no order 7"), Meta: call.Meta{{Name: "content-type", Value: "a/b"}}},
			"404 Content-Type: application/problem+json " + head + `"Not Found","status":404,"detail":"no order 7","code":"not_found"}`},
		{"unauthenticated", "POST /ping", wire.Frame{Err: &call.Error{Code: call.Unauthenticated}},
			"401 Content-Type: application/problem+json; WWW-Authenticate: Bearer " +
				head + `"Unauthorized","status":401,"code":"unauthenticated"}`},
		{"unavailable", "POST /ping", wire.Frame{Err: &call.Error{Code: call.Unavailable}},
			"503 Content-Type: application/problem+json; Retry-After: 1 " +
				head + `"Service Unavailable","status":503,"code":"unavailable"}`},
		{"exhausted, told when", "POST /ping", wire.Frame{Err: &call.Error{Code: call.ResourceExhausted}, Meta: call.Meta{{Name: "retry-after", Value: "9"}}},
			"429 Content-Type: application/problem+json; retry-after: 9 " +
				head + `"Too Many Requests","status":429,"code":"resource_exhausted"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			x, _, w := exchanged(t, New(testConfig()), request(test.request), "")
			test.reply.Kind, test.reply.ID = wire.Reply, callID
			if err := x.Send(&test.reply, w); err != nil {
				t.Fatal(err)
			}
			if w.String() != test.want || !w.ended || w.size != len(w.body) {
				t.Errorf("got  %q, size %d, ended %t\nwant %q", w, w.size, w.ended, test.want)
			}
		})
	}
}

func TestRawReply(t *testing.T) {
	x, _, w := exchanged(t, New(testConfig()), request("POST /ping", "Content-Type: image/png"), "PNG")
	if err := x.Send(&wire.Frame{Kind: wire.Reply, ID: callID, Body: []byte("\x00")}, w); err != nil {
		t.Fatal(err)
	}
	if want := "200 Content-Type: application/json \x00"; w.String() != want {
		t.Errorf("got %q, want %q", w, want)
	}
}

// TestReuse has a driver look for more frames before and after the reply: in neither order may an exchange serve another
// request while the driver can still touch it.
func TestReuse(t *testing.T) {
	b, reply := New(testConfig()), &wire.Frame{Kind: wire.Reply, ID: callID, Body: []byte("3")}
	more := func(x wire.Exchange) {
		f, w := new(wire.Frame), new(recorder)
		if n, want, err := x.Recv(nil, true, w, f); n != 0 || want != 0 || err != nil || f.Kind != wire.None || w.ended {
			t.Fatalf("after the call: %d, %d, %v, frame %d, answered %t", n, want, err, f.Kind, w.ended)
		}
	}
	for _, replyFirst := range []bool{true, false} {
		x, f, w := exchanged(t, b, request("POST /math/add"), "[1]")
		if !replyFirst {
			more(x)
		}
		y, _, _ := exchanged(t, b, request("POST /ping"), "[2]")
		if got := show(f); got != "math.add [1]" {
			t.Errorf("the call became %s", got)
		}
		x.Send(reply, w)
		if replyFirst {
			z, _, _ := exchanged(t, b, request("POST /ping"), "[3]")
			if z == x || z == y {
				t.Error("an exchange serves two requests")
			}
			more(x)
		}
		if w.String() != "200 Content-Type: application/json 3" {
			t.Errorf("answered %s", w)
		}
	}
}

func TestOtherFrames(t *testing.T) {
	x, _, w := exchanged(t, New(testConfig()), request("POST /ping"), "")
	if err := x.Send(&wire.Frame{Kind: wire.Msg, ID: callID}, w); !errors.Is(err, ErrStream) {
		t.Errorf("a message: %v, want %v", err, ErrStream)
	}
	if err := x.Send(&wire.Frame{Kind: wire.Credit, ID: callID}, w); err != nil || w.ended {
		t.Errorf("credit: %v, answered %t", err, w.ended)
	}
}

func TestTimeout(t *testing.T) {
	for _, test := range []struct {
		in   string
		want time.Duration // 0: malformed
	}{
		{"1", time.Second},
		{"0.25", 250 * time.Millisecond},
		{"007.5", 7500 * time.Millisecond},
		{"0.0000000019", 1},
		{"0", 1},
		{"99999999999999999999", longest * time.Second},
		{"", 0}, {".5", 0}, {"1.", 0}, {"-1", 0}, {"1e3", 0}, {"1s", 0}, {" 1", 0}, {"1.2.3", 0},
	} {
		got, ok := parseTimeout([]byte(test.in))
		if got != test.want || ok != (test.want != 0) {
			t.Errorf("%q = %v, %t; want %v", test.in, got, ok, test.want)
		}
	}
}
