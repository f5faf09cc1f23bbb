package anywire_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// patience bounds what a test waits for anything that must happen.
const patience = 10 * time.Second

// scaled is n, or the smaller number where the race detector makes n take too long.
func scaled(n, smaller int) int {
	if race {
		return smaller
	}
	return n
}

// quiet keeps the reports of deliberate failures out of the output of the tests.
func quiet() anywire.ServerOption { return anywire.WithLogger(slog.New(slog.DiscardHandler)) }

// echoServer has sum, and echo, which gives any value back.
func echoServer(opts ...anywire.ServerOption) *anywire.Server {
	srv := sumServer(append([]anywire.ServerOption{quiet()}, opts...)...)
	srv.Handle("echo", func(v json.RawMessage) json.RawMessage { return v }, anywire.Params("v"))
	srv.Handle("text", func(s string) string { return s }, anywire.Params("s"))
	return srv
}

// call renders a JSON-RPC call; params may be empty.
func call(id any, method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	quoted, _ := json.Marshal(id)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, quoted, method, params)
}

// response is a JSON-RPC response.
type response struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

func (r response) code() int {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

// peer is a connection whose bytes a test writes itself.
type peer struct {
	net.Conn
	t *testing.T
	r *bufio.Reader
}

func dial(t *testing.T, addr string) *peer {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return &peer{nc, t, bufio.NewReader(nc)}
}

// send writes s. A server that refuses the rest may have gone, so that is no failure.
func (p *peer) send(s string) { io.WriteString(p.Conn, s) }

// end closes the sending direction.
func (p *peer) end() { p.Conn.(interface{ CloseWrite() error }).CloseWrite() }

// line reads one line, without its end.
func (p *peer) line() string {
	p.t.Helper()
	s, err := p.r.ReadString('\n')
	if err != nil {
		p.t.Fatalf("reading a line: %v (after %.200q)", err, s)
	}
	return strings.TrimRight(s, "\r\n")
}

// response reads one line as a response.
func (p *peer) response() response {
	p.t.Helper()
	return parse(p.t, p.line())
}

func parse(t *testing.T, line string) (r response) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("the answer %.200q is no response: %v", line, err)
	}
	return r
}

// rest reads until the server ends the connection. A reset counts as an end.
func (p *peer) rest() string {
	p.t.Helper()
	b, err := io.ReadAll(p.r)
	if nerr, ok := err.(net.Error); ok && nerr.Timeout() {
		p.t.Fatalf("the server did not end the connection (after %.200q)", b)
	}
	return string(b)
}

// ends fails the test unless the server ends the connection, with nothing more said, within d.
func (p *peer) ends(d time.Duration) {
	p.t.Helper()
	p.SetDeadline(time.Now().Add(d))
	if s := p.rest(); s != "" {
		p.t.Errorf("before the end came %.200q", s)
	}
}

// post sends one HTTP POST on a connection of its own and returns the status and the body.
func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	return do(t, "POST", url, body, "Content-Type", "application/json")
}

// do sends one HTTP request, with header fields in pairs.
func do(t *testing.T, verb, url, body string, fields ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, verb, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	r.Close = true
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", verb, url, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: reading the answer: %v", verb, url, err)
	}
	return res.StatusCode, string(b)
}

// client dials addr and closes the client when the test ends.
func client(t *testing.T, addr string, opts ...anywire.ClientOption) *anywire.Client {
	t.Helper()
	c, err := anywire.Dial(t.Context(), addr, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// honest makes one call on a new connection and fails the test unless it is answered within d.
func honest(t *testing.T, addr string, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	c, err := anywire.Dial(ctx, addr)
	if err != nil {
		t.Errorf("an honest client cannot connect: %v", err)
		return
	}
	defer c.Close()
	if n, err := anywire.Call[int64](ctx, c, "sum", []int{2, 3}); n != 5 || err != nil {
		t.Errorf("an honest client got %d, %v", n, err)
	}
}

// soon waits until ok holds.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not happen: %s", what)
		}
	}
}
