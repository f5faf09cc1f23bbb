package http1

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

func TestMatch(t *testing.T) {
	tests := map[string]wire.Match{
		"P": wire.Perhaps, "POST": wire.Perhaps, "POST ": wire.Matches, "GET / HTTP/1.1": wire.Matches, "OPTIONS * ": wire.Matches,
		"PR": wire.Differs, "PRI * HTTP/2.0": wire.Differs, "post ": wire.Differs, "{": wire.Differs, "GETS ": wire.Differs,
	}
	for in, want := range tests {
		if got := Match([]byte(in)); got != want {
			t.Errorf("Match(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestParseRequestTarget(t *testing.T) {
	tests := []struct{ target, path, query, host string }{
		{"/", "/", "", "h"},
		{"/a/b?c=d?e", "/a/b", "c=d?e", "h"},
		{"//a%20b?", "//a%20b", "", "h"},
		{"/\xC3\xA9", "/\xC3\xA9", "", "h"},
		{"http://x:8/p?q", "/p", "q", "x:8"},
		{"HTTPS://x", "/", "", "x"},
		{"http://[::1]:8?q", "/", "q", "[::1]:8"},
	}
	for _, x := range tests {
		var h Head
		in := "GET " + x.target + " HTTP/1.1\r\nHost: h\r\n\r\n"
		n, err := ParseRequest([]byte(in), &h, 1)
		if err != nil || n != len(in) {
			t.Errorf("%q: n = %d, %v", x.target, n, err)
			continue
		}
		if string(h.Path) != x.path || string(h.Query) != x.query || string(h.Get("host")) != x.host {
			t.Errorf("%q: path %q, query %q, host %q", x.target, h.Path, h.Query, h.Get("host"))
		}
	}
}

func TestParseChunk(t *testing.T) {
	tests := []struct {
		in   string
		size int64
		n    int
		err  error
	}{
		{"", 0, 0, nil}, {"1", 0, 0, nil}, {"1\r", 0, 0, nil}, {"1\r\n", 1, 3, nil}, {"00aF\r\nx", 175, 6, nil},
		{"1;\r\n", 1, 4, nil}, {"1\t;a=\"b\"\r\n", 1, 10, nil}, {"fffffffffffffff\r\n", 1<<60 - 1, 17, nil},
		{"\r\n", 0, 0, errChunk}, {"1\n", 0, 0, errChunk}, {"1 \r\n", 0, 0, errChunk}, {"-1\r\n", 0, 0, errChunk}, {"0x1\r\n", 0, 0, errChunk},
		{"1;\x00\r\n", 0, 0, errChunk}, {"1000000000000000\r\n", 0, 0, errChunk}, {"1;" + strings.Repeat("x", maxChunkLine), 0, 0, errChunk},
	}
	for _, x := range tests {
		size, n, err := ParseChunk([]byte(x.in))
		if size != x.size || n != x.n || err != x.err && (err != nil) != (x.err != nil) {
			t.Errorf("ParseChunk(%q) = %d, %d, %v", x.in, size, n, err)
		}
	}
}

func TestAppendChunk(t *testing.T) {
	for size, want := range map[int]string{0: "0\r\n", 1: "1\r\n", 15: "f\r\n", 16: "10\r\n", 0xABCDE: "abcde\r\n"} {
		if got := string(AppendChunk(nil, size)); got != want {
			t.Errorf("AppendChunk(%d) = %q", size, got)
		}
	}
}

// TestAppendField looks that a value cannot begin a field or a body.
func TestAppendField(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"A", "b", "A: b\r\n"},
		{"A", "b\r\nSet-Cookie: c\x00\t\xFF", "A: b  Set-Cookie: c \t\xFF\r\n"},
		{"A: b\r\nC", "d", ""},
		{"", "d", ""},
	}
	for _, x := range tests {
		if got := string(AppendField(nil, []byte(x.name), []byte(x.value))); got != x.want {
			t.Errorf("AppendField(%q, %q) = %q", x.name, x.value, got)
		}
	}
}

// TestReplyFields looks that an exchange cannot contradict the framing.
func TestReplyFields(t *testing.T) {
	var out wire.Out
	r := reply{content: content{out: &out}, cfg: &Config{}, minor: 1}
	r.Begin(&wire.Start{Status: 1, Size: 0, Fields: []call.Field{
		{Name: []byte("content-length"), Value: []byte("9")},
		{Name: []byte("Transfer-Encoding"), Value: []byte("chunked")},
		{Name: []byte("Connection"), Value: []byte("x")},
		{Name: []byte("Allow"), Value: []byte("GET")},
	}})
	r.End()
	if got := string(out.B); got != "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nAllow: GET\r\n\r\n" || r.wrong {
		t.Errorf("sent %q", got)
	}
}

// TestContentMisuse looks that a writer that breaks its promise cannot break the framing.
func TestContentMisuse(t *testing.T) {
	tests := map[string]func(r *reply){
		"too much":       func(r *reply) { r.Begin(&wire.Start{Status: 200, Size: 1}); r.Write([]byte("ab")); r.End() },
		"too little":     func(r *reply) { r.Begin(&wire.Start{Status: 200, Size: 1}); r.End() },
		"no beginning":   func(r *reply) { r.Write([]byte("a")); r.End() },
		"two beginnings": func(r *reply) { r.Begin(&wire.Start{Status: 200}); r.Begin(&wire.Start{Status: 200}); r.End() },
		"after the end":  func(r *reply) { r.Begin(&wire.Start{Status: 200, Size: -1}); r.End(); r.WriteBuf([]byte("a"), nil) },
	}
	for name, f := range tests {
		var out wire.Out
		r := reply{content: content{out: &out}, cfg: &Config{}, minor: 1}
		if f(&r); !r.wrong || !r.ended {
			t.Errorf("%s: wrong = %v, ended = %v, sent %q", name, r.wrong, r.ended, out.B)
		}
	}
}

func TestTrailers(t *testing.T) {
	var out wire.Out
	r := reply{content: content{out: &out}, cfg: &Config{}, minor: 1}
	r.Begin(&wire.Start{Status: 200, Size: -1})
	r.WriteBuf([]byte("a"), nil)
	r.End(call.Field{Name: []byte("Grpc-Status"), Value: []byte("0")})
	r.End()
	if got := string(out.B); got != "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nGrpc-Status: 0\r\n\r\n" {
		t.Errorf("sent %q", got)
	}
}

// TestProblems looks that each refusal is a problem document that needs no escaping.
func TestProblems(t *testing.T) {
	for _, e := range []*Error{errLine, errRequest, errTarget, errField, errHost, errLength, errBoth, errOldCoding, errChunk, errNotFound,
		errLargeBody, errLongLine, errExpect, errLargeHead, errCoding, errConnect, errVersion, errDraining, errNoAnswer, errStatus} {
		var p struct {
			Type, Title, Detail string
			Status              int
		}
		if err := json.Unmarshal(appendProblem(nil, e), &p); err != nil || p.Status != e.Status || p.Detail != e.Detail || p.Title == "" {
			t.Errorf("%v: %+v, %v", e, p, err)
		}
	}
}
