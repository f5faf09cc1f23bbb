package anywire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// httpRequest makes a request with fields such as "Name: value".
func httpRequest(t *testing.T, verb, url, body string, fields ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(clientContext(t), verb, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ": ")
		r.Header.Add(name, value)
	}
	return r
}

// httpDo sends r on a connection of its own and returns the response and its whole body.
func httpDo(t *testing.T, r *http.Request) (*http.Response, string) {
	t.Helper()
	r.Close = true
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v after %q", r.Method, r.URL, err, body)
	}
	return res, string(body)
}

// httpOrder is a result with parts of several places.
type httpOrder struct {
	ID   string `json:"id"`
	Size int    `json:"size" default:"1"`
}

func httpServer(opts ...anywire.ServerOption) *anywire.Server {
	srv := sumServer(opts...)
	srv.Handle("add", sum, anywire.Params("a", "b"))
	srv.Handle("nothing", func() {})
	srv.Handle("math.neg", func(n int) int { return -n }, anywire.Params("n"), anywire.ReadOnly())
	srv.Handle("total", func(n []int) (t int) {
		for _, v := range n {
			t += v
		}
		return t
	}, anywire.Params("n"), anywire.ReadOnly())
	srv.Handle("order", func(o httpOrder) httpOrder { return o }, anywire.ReadOnly(), anywire.Route("GET /orders/{id}"))
	srv.Handle("remove", func(id string) string { return "removed " + id }, anywire.Params("id"), anywire.Route("DELETE /orders/{id}"))
	srv.Handle("file", func(path string) string { return path }, anywire.Params("path"), anywire.ReadOnly(), anywire.Route("GET /files/{path...}"))
	srv.Handle("size", func(b []byte, scale int) int { return len(b) * scale }, anywire.Params("b", "scale"), anywire.Default("scale", 1))
	srv.Handle("read", func(r io.Reader) (string, error) {
		b, err := io.ReadAll(r)
		return string(b), err
	})
	srv.Handle("reverse", func(b []byte) []byte {
		slices.Reverse(b)
		return b
	})
	return srv
}

const (
	httpJSON = "Content-Type: application/json"
	httpForm = "Content-Type: application/x-www-form-urlencoded"
	httpRaw  = "Content-Type: application/octet-stream"
)

func TestHTTPRequests(t *testing.T) {
	addr := serve(t, httpServer())
	envelope := `{"jsonrpc":"2.0","id":7,"method":"sum","params":[2,3]}`
	answer := `{"jsonrpc":"2.0","id":7,"result":5}`
	tests := []struct {
		verb, path, body string
		fields           []string
		status           int
		want             string // "" for a status that is no success: the body is a problem document
	}{
		{"GET", "/sum?a=2&b=3", "", nil, 200, "5"},
		{"GET", "/sum?b=3&a=%32", "", nil, 200, "5"},
		{"HEAD", "/sum?a=2&b=3", "", nil, 200, ""},
		{"POST", "/sum", `{"a":2,"b":3}`, []string{httpJSON}, 200, "5"},
		{"POST", "/sum", `[2,3]`, []string{httpJSON}, 200, "5"},
		{"POST", "/sum", `[2,3]`, nil, 200, "5"},
		{"POST", "/sum", `a=2&b=3`, []string{httpForm}, 200, "5"},
		{"POST", "/sum?a=2", `{"b":3}`, []string{httpJSON}, 200, "5"},
		{"POST", "/sum", `[2,3]`, []string{"Content-Type: Application/JSON; charset=UTF-8"}, 200, "5"},
		{"GET", "/math/neg?n=5", "", nil, 200, "-5"},
		{"GET", "/total?n=1&n=2&n=3", "", nil, 200, "6"},
		{"POST", "/nothing", "", nil, 204, ""},
		{"GET", "/healthz", "", nil, 200, `{"status":"ok"}`},
		{"GET", "/readyz", "", nil, 200, `{"status":"ok"}`},

		{"POST", "/sum", `[2,"x"]`, []string{httpJSON}, 400, ""},
		{"POST", "/sum", `{"a":2}`, []string{httpJSON}, 400, ""},
		{"POST", "/sum", `{"a":2,`, []string{httpJSON}, 400, ""},
		{"GET", "/sum?a=2", "", nil, 400, ""},
		{"GET", "/sum?a=2&b=3&c=4", "", nil, 400, ""},
		{"GET", "/sum?a=2&a=2&b=3", "", nil, 400, ""},
		{"GET", "/sum?a=%zz&b=3", "", nil, 400, ""},
		{"GET", "/nosuch", "", nil, 404, ""},
		{"POST", "/nosuch", `{"a":1}`, []string{httpJSON}, 404, ""},
		{"GET", "/sum/", "", nil, 404, ""},
		{"GET", "/SUM?a=2&b=3", "", nil, 404, ""},
		{"PUT", "/sum", "", nil, 405, ""},
		{"GET", "/add?a=2&b=3", "", nil, 405, ""},
		{"GET", "/", "", nil, 405, ""},
		{"POST", "/healthz", "", nil, 405, ""},
		{"POST", "/add", "<a/>", []string{"Content-Type: text/xml"}, 415, ""},
		{"POST", "/add", "x", []string{"Content-Type: multipart/form-data; boundary=x"}, 415, ""},
		{"POST", "/add", "[2,3]", []string{"Content-Type: application/json; charset=latin1"}, 415, ""},

		{"GET", "/orders/17", "", nil, 200, `{"id":"17","size":1}`},
		{"GET", "/orders/a%2Fb%20c%C3%A9?size=2", "", nil, 200, `{"id":"a/b cé","size":2}`},
		{"GET", "/orders/17?id=17", "", nil, 400, ""},
		{"GET", "/orders/%ff", "", nil, 400, ""},
		{"DELETE", "/orders/17", "", nil, 200, `"removed 17"`},
		{"PATCH", "/orders/17", "", nil, 405, ""},
		{"GET", "/orders/", "", nil, 404, ""},
		{"GET", "/files/a/b%2Fc//d", "", nil, 200, `"a/b/c//d"`},

		{"POST", "/size", "12345", []string{httpRaw}, 200, "5"},
		{"POST", "/size?scale=3", "12345", []string{"Content-Type: image/png"}, 200, "15"},
		{"POST", "/size", `{"b":"aGVsbG8=","scale":2}`, []string{httpJSON}, 200, "10"},
		{"POST", "/read", "[1", []string{httpRaw}, 200, ""},
		{"POST", "/read", `["aGVsbG8="]`, []string{httpJSON}, 200, `"hello"`},
		{"POST", "/add", "12345", []string{httpRaw}, 400, ""},

		{"POST", "/", envelope, []string{httpJSON}, 200, answer},
		{"POST", "/any/path", envelope, []string{httpJSON}, 200, answer},
		{"POST", "/any/path", "[" + envelope + "]", []string{httpJSON}, 200, "[" + answer + "]"},
		{"POST", "/healthz/x", envelope, []string{"Content-Type: application/json-rpc"}, 200, answer},
		{"POST", "/sum", envelope, []string{httpJSON}, 400, ""}, // a path that names a method is REST, whatever the body
		{"POST", "/", `{"jsonrpc":"2.0","method":"sum","params":[2,3]}`, []string{httpJSON}, 204, ""},
		{"POST", "/", `[{"jsonrpc":"2.0","method":"sum","params":[2,3]}]`, []string{httpJSON}, 204, ""},
		{"POST", "/", envelope, []string{"Content-Type: text/xml"}, 415, ""},
	}
	for _, tt := range tests {
		t.Run(tt.verb+tt.path, func(t *testing.T) {
			res, body := httpDo(t, httpRequest(t, tt.verb, "http://"+addr+tt.path, tt.body, tt.fields...))
			if res.StatusCode != tt.status || tt.want != "" && body != tt.want {
				t.Fatalf("%d %s, want %d %s", res.StatusCode, body, tt.status, tt.want)
			}
			if tt.status >= 400 && (res.Header.Get("Content-Type") != "application/problem+json" || !json.Valid([]byte(body))) {
				t.Errorf("type %q, body %s", res.Header.Get("Content-Type"), body)
			}
		})
	}
}

func TestHTTPVerbs(t *testing.T) {
	addr := serve(t, httpServer())
	tests := []struct {
		verb, path string
		status     int
		allow      string
		words      string
	}{
		{"GET", "/add", 405, "POST, OPTIONS", "ReadOnly()"},
		{"PUT", "/add", 405, "POST, OPTIONS", "PUT"},
		{"PUT", "/sum", 405, "GET, HEAD, POST, OPTIONS", "PUT"},
		{"OPTIONS", "/sum", 204, "GET, HEAD, POST, OPTIONS", ""},
		{"OPTIONS", "/add", 204, "POST, OPTIONS", ""},
		{"PUT", "/orders/1", 405, "GET, HEAD, DELETE, OPTIONS", ""},
		{"OPTIONS", "/nosuch", 204, "POST, OPTIONS", ""},
		{"GET", "/", 405, "POST, OPTIONS", ""},
	}
	for _, tt := range tests {
		res, body := httpDo(t, httpRequest(t, tt.verb, "http://"+addr+tt.path, ""))
		if res.StatusCode != tt.status || res.Header.Get("Allow") != tt.allow || !strings.Contains(body, tt.words) {
			t.Errorf("%s %s: %d, Allow %q, %s", tt.verb, tt.path, res.StatusCode, res.Header.Get("Allow"), body)
		}
	}
}

func TestHTTPTooLarge(t *testing.T) {
	srv := httpServer(anywire.WithLimits(anywire.Limits{MessageBytes: 1000}))
	srv.Handle("big", func(b []byte) int { return len(b) }, anywire.MaxMessage(5000))
	addr := serve(t, srv)
	body := strings.Repeat("x", 3000)
	for path, status := range map[string]int{"/size": 413, "/big": 200, "/": 413} {
		res, got := httpDo(t, httpRequest(t, "POST", "http://"+addr+path, body, httpRaw))
		if path == "/" && res.StatusCode == 415 { // the type is refused before the size, which is as good
			continue
		}
		if res.StatusCode != status {
			t.Errorf("%s: %d %s, want %d", path, res.StatusCode, got, status)
		}
	}
	chunked := httpRequest(t, "POST", "http://"+addr+"/size", "", httpRaw)
	chunked.Body, chunked.ContentLength = io.NopCloser(strings.NewReader(body)), -1
	if res, got := httpDo(t, chunked); res.StatusCode != 413 {
		t.Errorf("chunked: %d %s", res.StatusCode, got)
	}
}

// TestHTTPOrigins sends what pages of other origins can send without being asked.
func TestHTTPOrigins(t *testing.T) {
	const page, good = "Origin: https://evil.example", "Origin: https://good.example"
	closed, open := serve(t, httpServer()), serve(t, httpServer(anywire.CORS("https://good.example")))
	envelope := `{"jsonrpc":"2.0","id":7,"method":"sum","params":[2,3]}`
	tests := []struct {
		addr, path, body string
		fields           []string
		status           int
		allow            string // Access-Control-Allow-Origin
	}{
		{closed, "/add", "[2,3]", []string{"Content-Type: text/plain"}, 200, ""},
		{closed, "/add", "[2,3]", []string{page, "Content-Type: text/plain"}, 415, ""},
		{closed, "/add", "a=2&b=3", []string{page, httpForm}, 403, ""},
		{closed, "/add", "[2,3]", []string{page, httpJSON}, 200, ""}, // a browser asks first, and is not let
		{closed, "/add", "[2,3]", []string{"Origin: http://" + closed, "Content-Type: text/plain"}, 415, ""},
		{closed, "/", envelope, []string{page, "Content-Type: text/plain"}, 415, ""},
		{closed, "/", envelope, []string{"Content-Type: text/plain"}, 200, ""},
		{open, "/add", "[2,3]", []string{good, "Content-Type: text/plain"}, 200, "https://good.example"},
		{open, "/add", "[2,3]", []string{good, httpJSON}, 200, "https://good.example"},
		{open, "/add", "[2,3]", []string{page, "Content-Type: text/plain"}, 415, ""},
		{open, "/", envelope, []string{good, httpJSON}, 200, "https://good.example"},
		{open, "/nosuch", "[2,3]", []string{good, httpJSON}, 404, "https://good.example"},
		{open, "/add", `["x"]`, []string{good, httpJSON}, 400, "https://good.example"},
	}
	for _, tt := range tests {
		res, body := httpDo(t, httpRequest(t, "POST", "http://"+tt.addr+tt.path, tt.body, tt.fields...))
		if res.StatusCode != tt.status || res.Header.Get("Access-Control-Allow-Origin") != tt.allow {
			t.Errorf("%s %v: %d, allows %q, %s", tt.path, tt.fields, res.StatusCode, res.Header.Get("Access-Control-Allow-Origin"), body)
		}
	}
	asks := []string{good, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type"}
	for _, path := range []string{"/add", "/", "/nosuch"} {
		res, _ := httpDo(t, httpRequest(t, "OPTIONS", "http://"+open+path, "", asks...))
		if res.StatusCode != 204 || res.Header.Get("Access-Control-Allow-Headers") != "content-type" ||
			!strings.Contains(res.Header.Get("Access-Control-Allow-Methods"), "POST") {
			t.Errorf("preflight of %s: %d %v", path, res.StatusCode, res.Header)
		}
		res, _ = httpDo(t, httpRequest(t, "OPTIONS", "http://"+closed+path, "", asks...))
		if got := res.Header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("preflight of %s without the option: %q", path, got)
		}
	}
}

var httpStatus = regexp.MustCompile(`HTTP/1\.1 [2-5][0-9][0-9] `)

// TestHTTPBytes sends requests that clients of net/http never would, and looks at the bytes that come back.
func TestHTTPBytes(t *testing.T) {
	addr := serve(t, httpServer())
	const get = "GET /sum?a=2&b=3 HTTP/1.1\r\nHost: x\r\n"
	const post = "POST /sum HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	tests := []struct {
		name, in string
		answers  int      // how many responses come
		words    []string // in what comes back
		lacks    string   // and not this
	}{
		{"plain", get + "\r\n", 1, []string{"HTTP/1.1 200 OK\r\n", "\r\nContent-Length: 1\r\n", "\r\nContent-Type: application/json\r\n", "\r\nDate: ", "\r\n\r\n5"}, "onnection:"},
		{"lower case", "GET /sum?a=2&b=3 HTTP/1.1\r\nhOST: x\r\n\r\n", 1, []string{"200 OK", "\r\n\r\n5"}, ""},
		{"odd case", "POST /sum HTTP/1.1\r\nHOST: x\r\ncONTENT-tYPE: application/json\r\nCONTENT-LENGTH: 5\r\n\r\n[2,3]", 1, []string{"\r\n\r\n5"}, ""},
		{"blank lines between", get + "\r\n\r\n" + get + "\r\n", 2, []string{"200 OK"}, ""},
		{"1.0", "GET /sum?a=2&b=3 HTTP/1.0\r\n\r\n", 1, []string{"HTTP/1.1 200 OK", "Connection: close\r\n", "\r\n\r\n5"}, ""},
		{"1.0 kept", strings.Repeat("GET /sum?a=2&b=3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 2), 2, []string{"Connection: keep-alive\r\n"}, "close"},
		{"kept", strings.Repeat(get+"\r\n", 3), 3, []string{"\r\n\r\n5HTTP/1.1 200"}, "onnection:"},
		{"closed", get + "Connection: close\r\n\r\n" + get + "\r\n", 1, []string{"Connection: close\r\n"}, ""},
		{"pipelined", get + "\r\n" + post + "Content-Length: 5\r\n\r\n[4,5]" + "GET /nosuch HTTP/1.1\r\nHost: x\r\n\r\n" + get + "\r\n", 4,
			[]string{"\r\n\r\n5HTTP", "\r\n\r\n9HTTP/1.1 404"}, ""},
		{"expect", post + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n[2,3]", 1, []string{"\r\n\r\n5"}, ""},
		{"chunked", post + "Transfer-Encoding: chunked\r\n\r\n2\r\n[2\r\n3;x=y\r\n,3]\r\n0\r\nTrailer: z\r\n\r\n", 1, []string{"\r\n\r\n5"}, ""},
		{"HEAD", "HEAD /sum?a=2&b=3 HTTP/1.1\r\nHost: x\r\n\r\n", 1, []string{"\r\nContent-Length: 1\r\n"}, "\r\n\r\n5"},
		{"no content", "POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 1, []string{"HTTP/1.1 204 No Content\r\n"}, "Content-Length"},
		{"absolute", "GET http://x/sum?a=2&b=3 HTTP/1.1\r\nHost: y\r\n\r\n", 1, []string{"\r\n\r\n5"}, ""},
		{"no host", "GET /sum?a=2&b=3 HTTP/1.1\r\n\r\n", 1, []string{"400 Bad Request", "Host"}, ""},
		{"both lengths", post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get + "\r\n", 1, []string{"400 Bad Request", "Connection: close"}, ""},
		{"split name", post + "Content-Length : 5\r\n\r\n[2,3]", 1, []string{"400 Bad Request"}, ""},
		{"2.0", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", 1, []string{"505 "}, ""},
		{"connect", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 1, []string{"501 "}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := exchange(t, addr, tt.in)
			if n := len(httpStatus.FindAllString(out, -1)); n != tt.answers {
				t.Errorf("%d responses: %q", n, out)
			}
			for _, word := range tt.words {
				if !strings.Contains(out, word) {
					t.Errorf("%q is not in %q", word, out)
				}
			}
			if tt.lacks != "" && strings.Contains(out, tt.lacks) {
				t.Errorf("%q is in %q", tt.lacks, out)
			}
		})
	}
}

// TestHTTPContinue waits for leave before it sends the body, as curl does.
func TestHTTPContinue(t *testing.T) {
	addr := serve(t, httpServer())
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(clientPatience))
	io.WriteString(nc, "POST /sum HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
	leave := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	if _, err := io.ReadFull(nc, leave); err != nil || string(leave) != "HTTP/1.1 100 Continue\r\n\r\n" {
		t.Fatalf("%q, %v", leave, err)
	}
	io.WriteString(nc, "[2,3]")
	answer := make([]byte, 200)
	if n, err := io.ReadAtLeast(nc, answer, 50); err != nil || !bytes.HasSuffix(answer[:n], []byte("\r\n\r\n5")) {
		t.Errorf("%q, %v", answer[:n], err)
	}
}

func TestHTTPMeta(t *testing.T) {
	srv := anywire.NewServer()
	srv.Handle("m", func(ctx context.Context) string {
		c := anywire.CallFrom(ctx)
		c.Trailer.Add("X-Seen", c.Meta.Get("x-token"))
		c.Trailer.Add("X-Seen", "again")
		c.Trailer.Add("Bad Name", "1")
		c.Trailer.Add("X-Bad", "a\r\nX-Injected: 1")
		c.Trailer.Add("Content-Length", "99")
		return fmt.Sprint(c.Wire, " ", c.Meta.Has("host"), " ", slices.Collect(c.Meta.Values("x-token")))
	}, anywire.ReadOnly())
	addr := serve(t, srv)
	res, body := httpDo(t, httpRequest(t, "GET", "http://"+addr+"/m", "", "X-Token: a b", "X-Token: c"))
	if body != `"rest true [a b c]"` {
		t.Errorf("body %s", body)
	}
	if got := res.Header.Values("X-Seen"); !slices.Equal(got, []string{"a b", "again"}) {
		t.Errorf("X-Seen: %q", got)
	}
	for _, name := range []string{"X-Injected", "X-Bad", "Bad Name"} {
		if _, there := res.Header[name]; there {
			t.Errorf("%s travels", name)
		}
	}
	envelope := `{"jsonrpc":"2.0","id":7,"method":"m","meta":{"x-token":"e"}}`
	_, body = httpDo(t, httpRequest(t, "POST", "http://"+addr+"/", envelope, httpJSON, "X-Token: h"))
	if !strings.Contains(body, `"result":"jsonrpc true [e h]"`) || !strings.Contains(body, `"x-seen":["e","again"]`) {
		t.Errorf("JSON-RPC: %s", body)
	}
}

func TestHTTPTimeout(t *testing.T) {
	srv := anywire.NewServer()
	srv.Handle("hang", func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}, anywire.ReadOnly())
	addr := serve(t, srv)
	res, body := httpDo(t, httpRequest(t, "GET", "http://"+addr+"/hang", "", "Request-Timeout: 0.05"))
	if res.StatusCode != 504 || !strings.Contains(body, "deadline_exceeded") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if res, body := httpDo(t, httpRequest(t, "GET", "http://"+addr+"/hang", "", "Request-Timeout: soon")); res.StatusCode != 400 {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

// TestHTTPRawResult wants a body that is what its type says: bytes as they are, or JSON.
func TestHTTPRawResult(t *testing.T) {
	addr := serve(t, httpServer())
	tests := []struct{ path, body, field, want string }{
		{"/reverse", `["AAEC"]`, httpJSON, `"AgEA"`},
		{"/reverse", "\x00\x01\x02", httpRaw, "\x02\x01\x00"},
		{"/size", "12345", httpRaw, "5"},
	}
	for _, tt := range tests {
		res, body := httpDo(t, httpRequest(t, "POST", "http://"+addr+tt.path, tt.body, tt.field))
		switch kind := res.Header.Get("Content-Type"); {
		case kind == "application/json" && json.Valid([]byte(body)):
		case kind == "application/octet-stream" && body == tt.want:
		default:
			t.Errorf("%s %q: %q of type %q", tt.path, tt.body, body, kind)
		}
	}
}
