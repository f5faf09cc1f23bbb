package interop_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A call as UCall's clients make it, and the bytes with which UCall's server answers.
const (
	sumCall   = `{"jsonrpc":"2.0","method":"sum","params":{"a":2,"b":3},"id":1}`
	sumAnswer = `{"jsonrpc":"2.0","id":1,"result":5}`
)

// ucallVectors are messages with the answers of UCall 0.5, or where those break JSON-RPC 2.0, with what that demands.
// Details that we add to errors as "data" are left out.
var ucallVectors = []struct{ name, in, out string }{
	{"by name", sumCall, sumAnswer},
	{"by position", `{"jsonrpc":"2.0","method":"sum","params":[2,3],"id":7}`, `{"jsonrpc":"2.0","id":7,"result":5}`},
	{"negative id", `{"jsonrpc":"2.0","method":"sum","params":[2,3],"id":-5}`, `{"jsonrpc":"2.0","id":-5,"result":5}`},
	{"base64", `{"jsonrpc":"2.0","method":"echo","params":{"value":"aGVsbG8hIQ=="},"id":1}`,
		`{"jsonrpc":"2.0","id":1,"result":"aGVsbG8hIQ=="}`},

	{"unknown method", `{"jsonrpc":"2.0","method":"nope","id":1}`, failed(1, -32601, "Method not found.")},
	{"missing param", `{"jsonrpc":"2.0","method":"sum","params":{"a":2},"id":1}`, badParams},
	{"float for an integer", `{"jsonrpc":"2.0","method":"sum","params":{"a":2.0,"b":3},"id":1}`, badParams},
	{"text for an integer", `{"jsonrpc":"2.0","method":"sum","params":{"a":"2","b":3},"id":1}`, badParams},
	{"no params", `{"jsonrpc":"2.0","method":"sum","id":1}`, badParams},

	// UCall answers these with the id of an earlier request, of another client even.
	{"scalar params", `{"jsonrpc":"2.0","method":"sum","params":5,"id":1}`,
		failed(1, -32600, "Parameters can only be passed in arrays or objects.")},
	{"method a number", `{"jsonrpc":"2.0","method":1,"id":1}`, failed(1, -32600, "The method must be a string.")},
	{"no method", `{"jsonrpc":"2.0","id":1}`, failed(1, -32600, "The method must be a string.")},
	{"no version", `{"method":"sum","params":[2,3],"id":1}`, failed(1, -32600, "The request doesn't specify the 2.0 version.")},
	{"version 1.0", `{"jsonrpc":"1.0","method":"sum","params":[2,3],"id":1}`,
		failed(1, -32600, "The request doesn't specify the 2.0 version.")},
	{"cut off", `{"jsonrpc"`, failed(nil, -32700, "Invalid JSON was received by the server.")},

	{"batch", "[" + sumCall + `,{"jsonrpc":"2.0","method":"sum","params":[10,20],"id":2}]`,
		"[" + sumAnswer + `,{"jsonrpc":"2.0","id":2,"result":30}]`},
	{"batch that ends with a notification", "[" + sumCall + "," + notification + "]", "[" + sumAnswer + "]"},
	{"batch that begins with a notification", "[" + notification + "," + sumCall + "]", "[" + sumAnswer + "]"},

	// UCall sends text ids back without quotes, answers notifications, and breaks the brackets of these batches.
	{"text id", `{"jsonrpc":"2.0","method":"sum","params":[2,3],"id":"abc"}`, `{"jsonrpc":"2.0","id":"abc","result":5}`},
	{"notification", notification, ""},
	{"batch of notifications", "[" + notification + "]", ""},
	{"empty batch", "[]", failed(nil, -32600, "The batch is empty.")},
	{"batch of numbers", "[1,2," + sumCall + "]", "[" + noRequest + "," + noRequest + "," + sumAnswer + "]"},

	// UCall is lax here. We take null params as none, and guess at nothing that is ambiguous or misspelt.
	{"unknown member", `{"jsonrpc":"2.0","method":"sum","params":{"a":2,"b":3},"id":1,"x":1}`, sumAnswer},
	{"null params", `{"jsonrpc":"2.0","method":"hello_world","params":null,"id":1}`, `{"jsonrpc":"2.0","id":1,"result":"hello world"}`},
	{"null params, some required", `{"jsonrpc":"2.0","method":"sum","params":null,"id":1}`, badParams},
	{"unknown param", `{"jsonrpc":"2.0","method":"sum","params":{"a":2,"b":3,"c":4},"id":1}`, badParams},
	{"one param too many", `{"jsonrpc":"2.0","method":"sum","params":[2,3,4],"id":1}`, badParams},
	{"param twice", `{"jsonrpc":"2.0","method":"sum","params":{"a":2,"a":4,"b":3},"id":1}`, badParams},
	{"member twice", `{"jsonrpc":"2.0","method":"sum","method":"nope","params":[2,3],"id":1}`,
		failed(1, -32600, "A member of the request appears twice.")},
}

const notification = `{"jsonrpc":"2.0","method":"sum","params":[2,3]}`

var (
	badParams = failed(1, -32602, "Invalid method param(s).")
	noRequest = failed(nil, -32600, "The JSON sent is not a valid request object.")
)

func failed(id any, code int, message string) string {
	text, _ := json.Marshal(response{"2.0", id, nil, &failure{code, message}})
	return string(text)
}

// response has its members in UCall's order.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      any             `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func TestUCallVectors(t *testing.T) {
	addr := startDemo(t)
	for _, v := range ucallVectors {
		t.Run(v.name, func(t *testing.T) {
			for _, end := range []string{"", "\n"} {
				if got := withoutData(t, exchange(t, addr, v.in+end)); got != v.out {
					t.Errorf("TCP, ended with %q:\n got %s\nwant %s", end, got, v.out)
				}
				if got := withoutData(t, post(t, addr, v.in+end)); got != v.out {
					t.Errorf("HTTP, ended with %q:\n got %s\nwant %s", end, got, v.out)
				}
			}
		})
	}
}

// withoutData leaves out the details of errors.
func withoutData(t *testing.T, answer string) string {
	t.Helper()
	answer = strings.TrimSuffix(answer, "\n")
	if !strings.Contains(answer, `"data":`) {
		return answer
	}
	var r response
	if err := json.Unmarshal([]byte(answer), &r); err != nil {
		t.Fatalf("%q: %v", answer, err)
	}
	text, _ := json.Marshal(r)
	return string(text)
}

// A client made for UCall sends one value without an end mark and waits. The later UCall ends messages with NUL.
func TestUCallTCPAnswersAtOnce(t *testing.T) {
	nc := dial(t, startDemo(t))
	answers := bufio.NewReader(nc)
	for range 3 {
		io.WriteString(nc, sumCall)
		if got, err := answers.ReadString('\n'); got != sumAnswer+"\n" {
			t.Fatalf("%q, %v", got, err)
		}
	}
	io.WriteString(nc, sumCall+"\x00")
	if got, err := answers.ReadString(0); got != sumAnswer+"\x00" {
		t.Fatalf("ended with NUL: %q, %v", got, err)
	}
}

// Heads of HTTP requests that UCall takes; the length is that of sumCall. The first is that of UCall's Python client.
var ucallHeads = []struct{ name, head string }{
	{"ucall", "POST / HTTP/1.1\r\nHost: 127.0.0.1:8545\r\nUser-Agent: py-ucall\r\nAccept: */*\r\nConnection: keep-alive\r\n" +
		"Content-Length: 62\r\nContent-Type: application/json\r\n\r\n"},
	{"any path", "POST /any?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 62\r\nContent-Type: application/json\r\n\r\n"},
	{"lower case", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 62\r\ncontent-type: application/json\r\n\r\n"},
	{"plain text", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 62\r\nContent-Type: text/plain\r\n\r\n"},
	{"no type", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 62\r\n\r\n"},
	{"HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 62\r\nContent-Type: application/json\r\n\r\n"},
	{"40 more fields", "POST / HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("X-Field: value\r\n", 40) + "Content-Length: 62\r\n\r\n"},
}

func TestUCallHTTP(t *testing.T) {
	addr := startDemo(t)
	for _, h := range ucallHeads {
		t.Run(h.name, func(t *testing.T) {
			reply := exchange(t, addr, h.head+sumCall)
			// UCall's client knows an HTTP answer by its first four bytes, and the length by this spelling of the field.
			if !strings.HasPrefix(reply, "HTTP") || !strings.Contains(reply, "\r\nContent-Length: 35\r\n") {
				t.Errorf("the head of %q", reply)
			}
			if !strings.HasSuffix(reply, "\r\n\r\n"+sumAnswer) {
				t.Errorf("the body of %q", reply)
			}
		})
	}
}

// Two requests on one connection: each byte in a segment of its own, then head and body apart.
func TestUCallHTTPSegments(t *testing.T) {
	nc := dial(t, startDemo(t))
	nc.SetNoDelay(true)
	answers := bufio.NewReader(nc)
	head := ucallHeads[0].head
	for _, segments := range [][]string{strings.Split(head+sumCall, ""), {head, sumCall}} {
		for _, s := range segments {
			fmt.Fprint(nc, s)
		}
		res, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := answer(t, res); got != sumAnswer {
			t.Errorf("%d segments: %q", len(segments), got)
		}
	}
}
