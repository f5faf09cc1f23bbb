package jsonrpc_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/http1"
	"github.com/anywire/anywire/wire/jsonrpc"
)

func newHTTP() *peer {
	l := wire.Limits{}.WithDefaults()
	return &peer{m: http1.NewServer(&http1.Config{Limits: l, Bindings: []wire.Binding{jsonrpc.NewBinding(&l, nil)}})}
}

func post(path, body string, fields ...string) string {
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n", path, len(body))
	for _, f := range fields {
		head += f + "\r\n"
	}
	return head + "\r\n" + body
}

// response parses what the machine wrote for one request.
func response(t *testing.T, out string) (status int, body string) {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(strings.NewReader(out)), nil)
	if err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return res.StatusCode, string(b)
}

// Every vector over HTTP, the body in pieces of several sizes, answered at once and late.
func TestHTTPVectors(t *testing.T) {
	for _, v := range vectors {
		status := 200
		if v.out == "" {
			status = 204
		}
		for _, late := range []bool{false, true} {
			for _, size := range []int{1, 7, 1 << 20} {
				p := newHTTP()
				p.late = late
				got, body := response(t, p.feed(post("/", v.in, "Content-Type: application/json"), size))
				if got != status || plain(t, body) != v.out {
					t.Errorf("%s, pieces of %d, late %v:\n got %d %q\nwant %d %q", v.name, size, late, got, body, status, v.out)
				}
			}
		}
	}
}

func TestHTTP(t *testing.T) {
	const call = `{"jsonrpc":"2.0","method":"get_data","id":7}`
	ok := result("7", `["hello",5]`)
	for _, test := range []struct {
		name, in string
		status   int
		body     string // empty: not looked at
	}{
		{"empty body", post("/", ""), 200, failure("null", -32700)},
		{"only spaces", post("/", "  "), 200, failure("null", -32700)},
		{"a response", post("/", `{"jsonrpc":"2.0","result":5,"id":5}`), 200, failure("5", -32600)},
		{"no type", post("/", call), 200, ok},
		{"text", post("/", call, "Content-Type: text/plain; charset=utf-8"), 200, ok},
		{"type of curl -d", post("/", call, "Content-Type: application/x-www-form-urlencoded"), 200, ok},
		{"type of the old draft", post("/", call, "Content-Type: application/json-rpc"), 200, ok},
		{"other type", post("/", call, "Content-Type: application/xml"), 415, ""},
		{"text from a foreign page", post("/", call, "Content-Type: text/plain", "Origin: https://evil.example"), 415, ""},
		{"no type from a foreign page", post("/", call, "Origin: https://evil.example"), 415, ""},
		{"form from a foreign page", post("/", call, "Content-Type: application/x-www-form-urlencoded", "Origin: null"), 415, ""},
		{"JSON from a foreign page", post("/", call, "Content-Type: application/json", "Origin: https://evil.example"), 200, ok},
		{"envelope at any path", post("/any?x=1", call), 200, ok},
		{"batch at any path", post("/any", "["+call+"]"), 200, "[" + ok + "]"},
		{"no envelope at any path", post("/any", `{"method":"get_data","id":7}`), 404, ""},
		{"empty batch at any path", post("/any", `[]`), 404, ""},
		{"not all envelopes", post("/any", `[`+call+`,1]`), 404, ""},
		{"invalid JSON at any path", post("/any", `{"jsonrpc":"2.0",}`), 404, ""},
	} {
		status, body := response(t, newHTTP().feed(test.in, 1<<20))
		if status != test.status || test.body != "" && plain(t, body) != test.body {
			t.Errorf("%s: %d %q, want %d %q", test.name, status, body, test.status, test.body)
		}
	}
}

// A connection carries one exchange after the other, notifications among them.
func TestHTTPPipelined(t *testing.T) {
	call := post("/", `{"jsonrpc":"2.0","method":"get_data","id":7}`)
	notification := post("/", `{"jsonrpc":"2.0","method":"update"}`)
	out := newHTTP().feed(call+notification+call, 1<<20)
	r := bufio.NewReader(strings.NewReader(out))
	for _, want := range []int{200, 204, 200} {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		if res.StatusCode != want {
			t.Errorf("status %d, want %d", res.StatusCode, want)
		}
	}
}
