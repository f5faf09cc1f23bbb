package jsonrpc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/jsonrpc"
)

func newStream() *peer { return &peer{m: jsonrpc.NewStream(limits(wire.Limits{}))} }

// frames feeds in and returns the frames that come out, copied.
func frames(t *testing.T, m wire.Machine, in string) (all []*wire.Frame, out string) {
	t.Helper()
	p := &peer{m: m}
	rest := []byte(in)
	for {
		f := new(wire.Frame)
		n, _, err := m.Recv(rest, false, &p.out, f)
		if err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
		if f.Kind == wire.None && n == 0 {
			return all, p.written()
		}
		switch {
		case f.Kind == wire.Open:
			all = append(all, own(f))
		case f.Kind != wire.None:
			f.Body = append([]byte(nil), f.Body...)
			all = append(all, f)
		}
	}
}

func open(id uint64, method, params string, more bool) *wire.Frame {
	return &wire.Frame{Kind: wire.Open, Ours: true, End: true, More: more, ID: id, Head: &call.Head{Method: []byte(method)}, Body: []byte(params)}
}

func TestRequests(t *testing.T) {
	p := newStream()
	p.m.Send(open(1, "sum", "[1,2]", false), &p.out)
	p.m.Send(open(0, "update", "", false), &p.out)
	p.m.Send(open(2, "sum", "[1,2]", true), &p.out)
	p.m.Send(open(0, "update", "", true), &p.out)
	p.m.Send(open(3, "a\"b", `{"x":1}`, false), &p.out)
	f := open(4, "sum", "", false)
	f.Head.Timeout = 1500*time.Millisecond + time.Microsecond
	f.Meta = call.Meta{{Name: "traceparent", Value: "00-1"}, {Name: "k", Value: "v"}, {Name: "k", Value: "w"}}
	p.m.Send(f, &p.out)
	p.m.Send(&wire.Frame{Kind: wire.Cancel, Ours: true, ID: 4}, &p.out)
	want := `{"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]}
{"jsonrpc":"2.0","method":"update"}
[{"jsonrpc":"2.0","id":2,"method":"sum","params":[1,2]},{"jsonrpc":"2.0","method":"update"},{"jsonrpc":"2.0","id":3,"method":"a\"b","params":{"x":1}}]
{"jsonrpc":"2.0","id":4,"method":"sum","meta":{"timeout_ms":1501,"traceparent":"00-1","k":["v","w"]}}
{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4}}
`
	if got := p.written(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestResponses(t *testing.T) {
	for _, test := range []struct {
		in   string
		id   uint64
		body string
		err  string // part of the error; empty: none
	}{
		{`{"jsonrpc":"2.0","id":3,"result":5}`, 3, "5", ""},
		{`{"jsonrpc":"2.0","id":3,"result":null}`, 3, "null", ""},
		{`{"jsonrpc":"2.0","id":3,"error":{"code":-32005,"message":"gone"}}`, 3, "", "not_found: gone"},
		{`{"jsonrpc":"2.0","id":3,"result":1,"error":{"code":1,"message":"x"}}`, 3, "", "both a result and an error"},
		{`{"jsonrpc":"2.0","id":3}`, 3, "", "neither a result nor an error"},
		{`{"jsonrpc":"2.0","id":3,"error":null}`, 3, "", "no object"},
		{`{"jsonrpc":"2.0","id":3,"error":{"message":"x"}}`, 3, "", "no object"},
		{`{"jsonrpc":"2.0","id":3,"error":{"code":"x"}}`, 3, "", "no object"},
		{`{"jsonrpc":"2.0","id":4,"result":5}`, 0, "", "never made"},
		{`{"jsonrpc":"2.0","id":"3","result":5}`, 0, "", "never made"},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`, 0, "", "bad"},
	} {
		p := newStream()
		p.m.Send(open(3, "sum", "", false), &p.out)
		all, _ := frames(t, p.m, test.in)
		if len(all) != 1 {
			t.Errorf("%s: %d frames", test.in, len(all))
			continue
		}
		f := all[0]
		if f.Kind != wire.Reply || !f.Ours || f.ID != test.id || string(f.Body) != test.body {
			t.Errorf("%s: got %+v", test.in, f)
		}
		if (f.Err == nil) != (test.err == "") || f.Err != nil && !strings.Contains(f.Err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", test.in, f.Err, test.err)
		}
	}
}

func TestMeta(t *testing.T) {
	m := newStream().m
	all, _ := frames(t, m, `{"jsonrpc":"2.0","id":1,"method":"m","meta":{"timeout_ms":0.5,"a":"1","b":["2","3"],"c":4,"d":{}}}`)
	h := all[0].Head
	if h.Timeout != 500*time.Microsecond {
		t.Errorf("timeout %v", h.Timeout)
	}
	var got []string
	for _, f := range h.Fields {
		got = append(got, string(f.Name)+"="+string(f.Value))
	}
	if strings.Join(got, " ") != "a=1 b=2 b=3" {
		t.Errorf("fields %v", got)
	}

	p := &peer{m: m}
	m.Send(&wire.Frame{Kind: wire.Reply, ID: all[0].ID, Body: []byte("1"), Meta: call.Meta{{Name: "k", Value: "v"}}}, &p.out)
	if got := p.written(); got != `{"jsonrpc":"2.0","id":1,"result":1,"meta":{"k":"v"}}`+"\n" {
		t.Errorf("reply %q", got)
	}
	all, _ = frames(t, m, `{"jsonrpc":"2.0","id":2,"method":"m"}`)
	m.Send(&wire.Frame{Kind: wire.Reply, ID: all[0].ID, Body: []byte("1"), Meta: call.Meta{{Name: "k", Value: "v"}}}, &p.out)
	if got := p.written(); got != `{"jsonrpc":"2.0","id":2,"result":1}`+"\n" {
		t.Errorf("a caller without meta got %q", got)
	}
}

func TestCancel(t *testing.T) {
	for _, request := range []string{
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"x"}}`,
		`{"jsonrpc":"2.0","method":"rpc.cancel","params":["x"]}`,
	} {
		m := newStream().m
		all, _ := frames(t, m, `{"jsonrpc":"2.0","id":"x","method":"m"}`)
		canceled, out := frames(t, m, request)
		if len(canceled) != 1 || canceled[0].Kind != wire.Cancel || canceled[0].ID != all[0].ID || out != "" {
			t.Errorf("%s: %v, %q", request, canceled, out)
		}
	}
	m := newStream().m
	frames(t, m, `{"jsonrpc":"2.0","id":"x","method":"m"}`)
	all, out := frames(t, m, `{"jsonrpc":"2.0","id":9,"method":"rpc.cancel","params":{"id":"y"}}`)
	if len(all) != 0 || out != result("9", "false")+"\n" {
		t.Errorf("cancel of an unknown call: %v, %q", all, out)
	}
}

func TestSameID(t *testing.T) {
	m := newStream().m
	const call = `{"jsonrpc":"2.0","id":"x","method":"m"}`
	all, out := frames(t, m, call+call)
	if len(all) != 1 || plain(t, out) != failure(`"x"`, -32600)+"\n" {
		t.Errorf("second call with an id in flight: %d frames, %q", len(all), out)
	}
	p := &peer{m: m}
	m.Send(&wire.Frame{Kind: wire.Reply, ID: all[0].ID, Body: []byte("1")}, &p.out)
	m.Send(&wire.Frame{Kind: wire.Reply, ID: all[0].ID, Body: []byte("2")}, &p.out) // late: dropped
	if got := p.written(); got != result(`"x"`, "1")+"\n" {
		t.Errorf("got %q", got)
	}
	if all, _ = frames(t, m, call); len(all) != 1 {
		t.Error("the id was not free again")
	}
}

func TestFraming(t *testing.T) {
	const call = `{"jsonrpc":"2.0","method":"get_data","id":7}`
	ok := result("7", `["hello",5]`)
	for _, test := range []struct{ name, in, out string }{
		{"newlines", call + "\n" + call + "\n", ok + "\n" + ok + "\n"},
		{"back to back", call + call, ok + "\n" + ok + "\n"},
		{"NUL", call + "\x00" + call + "\x00", ok + "\x00" + ok + "\x00"},
		{"LSP", "Content-Length: 44\r\n\r\n" + call + "content-length:44\r\nContent-Type: x\r\n\r\n" + call,
			"Content-Length: 45\r\n\r\n" + ok + "Content-Length: 45\r\n\r\n" + ok},
		{"LSP with the type first", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 44\r\n\r\n" + call, "Content-Length: 45\r\n\r\n" + ok},
		{"LSP goes on after invalid JSON", "Content-Length: 1\r\n\r\n{Content-Length: 44\r\n\r\n" + call,
			"Content-Length: 104\r\n\r\n" + `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Invalid JSON was received by the server."}}` +
				"Content-Length: 45\r\n\r\n" + ok},
		{"LSP batch", "Content-Length: 48\r\n\r\n [" + call + "] ", "Content-Length: 47\r\n\r\n[" + ok + "]"},
	} {
		for _, size := range []int{1 << 20, 9} {
			if got := newStream().feed(test.in, size); got != test.out {
				t.Errorf("%s, pieces of %d:\n got %q\nwant %q", test.name, size, got, test.out)
			}
		}
	}
}

func TestDrain(t *testing.T) {
	p := newStream()
	all, _ := frames(t, p.m, `{"jsonrpc":"2.0","id":1,"method":"m"}`)
	if p.m.Drain(&p.out) {
		t.Error("drained with a call in flight")
	}
	refused, out := frames(t, p.m, `{"jsonrpc":"2.0","id":2,"method":"m"}[{"jsonrpc":"2.0","id":3,"method":"m"}]`)
	if len(refused) != 0 || plain(t, out) != failure("2", -32014)+"\n["+failure("3", -32014)+"]\n" {
		t.Errorf("%v, %q", refused, out)
	}
	p.m.Send(&wire.Frame{Kind: wire.Reply, ID: all[0].ID}, &p.out)
	if !p.m.Drain(&p.out) || p.written() != result("1", "null")+"\n" {
		t.Error("not drained after the last answer")
	}
}

func TestBatchLimits(t *testing.T) {
	l := wire.Limits{BatchItems: 2, BatchReplyBytes: 120}.WithDefaults()
	const call = `{"jsonrpc":"2.0","method":"get_data","id":7}`
	p := &peer{m: jsonrpc.NewStream(&l)}
	if got := plain(t, p.feed("["+call+","+call+","+call+"]", 1<<20)); got != "["+failure("null", -32600)+"]\n" {
		t.Errorf("three of two: %q", got)
	}
	p = &peer{m: jsonrpc.NewStream(limits(wire.Limits{BatchReplyBytes: 60}))}
	ok := result("7", `["hello",5]`)
	if got := plain(t, p.feed("["+call+","+call+"]", 1<<20)); got != "["+ok+","+failure("7", -32008)+"]\n" {
		t.Errorf("answers over the limit: %q", got)
	}
}

func TestMessageLimit(t *testing.T) {
	l := wire.Limits{MessageBytes: 100}.WithDefaults()
	long := `{"jsonrpc":"2.0","method":"get_data","id":7,"x":"` + strings.Repeat("x", 100) + `"}`
	for _, in := range []string{long, "Content-Length: 151\r\n\r\n" + long} {
		p := &peer{m: jsonrpc.NewStream(&l)}
		out := p.feed(in, 10)
		if !strings.Contains(out, `"id":null,"error":{"code":-32600`) || p.err == nil {
			t.Errorf("%q: %q, %v", in, out, p.err)
		}
	}
}

func TestMatch(t *testing.T) {
	for in, want := range map[string]wire.Match{
		"{": wire.Matches, "[": wire.Matches, " ": wire.Matches, "\n": wire.Matches, "-": wire.Matches, "7": wire.Matches, `"`: wire.Matches,
		"\r": wire.Perhaps, "\r\n": wire.Perhaps, "\r\n{": wire.Matches, "\r\nPOST ": wire.Differs,
		"C": wire.Perhaps, "CONNECT ": wire.Differs, "content-length:": wire.Matches, "Content-Type:": wire.Matches, "Content-Text": wire.Differs,
		"\xEF": wire.Perhaps, "\xEF\xBB\xBF": wire.Matches, "nul": wire.Perhaps, "null": wire.Matches, "not": wire.Differs, "GET": wire.Differs,
	} {
		if got := jsonrpc.Match([]byte(in)); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}
