package anywire_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// A peer that half-closes and reads late still gets every answer: the connection must not end behind the last call while
// the answer before it is still being written.
func TestHalfCloseLosesNoAnswer(t *testing.T) {
	const size = 8 << 20 // more than the buffers of the sockets take
	srv := echoServer()
	srv.Handle("large", func() string { return strings.Repeat("x", size) })
	srv.Handle("later", func() { time.Sleep(200 * time.Millisecond) })
	p := dial(t, serve(t, srv))
	p.send(call(1, "large", ""))
	time.Sleep(200 * time.Millisecond) // now the goroutine of that call is writing its answer
	p.send(call(2, "later", ""))
	p.end()
	time.Sleep(500 * time.Millisecond)
	sizes := map[string]int{"1": size + 2, "2": len("null")}
	for range 2 {
		if r := p.response(); r.code() != 0 || len(r.Result) != sizes[string(r.ID)] {
			t.Errorf("answer %s: code %d, %d bytes", r.ID, r.code(), len(r.Result))
		}
	}
	p.ends(patience)
}

// Both directions are full at once; neither end may stop reading because it cannot write.
func TestLargeBothWaysDoesNotStall(t *testing.T) {
	unbounded := anywire.WithLimits(anywire.Limits{OutputBytes: -1, OutputHard: -1})
	c := client(t, serve(t, echoServer(unbounded)), unbounded)
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	text := strings.Repeat("x", 1<<20)
	var wg sync.WaitGroup
	for range scaled(64, 24) {
		wg.Go(func() {
			got, err := anywire.Call[string](ctx, c, "text", text)
			if err != nil || len(got) != len(text) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	wg.Wait()
}

// A peer that writes all its calls before it reads any answer.
func TestWriteAllThenRead(t *testing.T) {
	srv := echoServer(anywire.WithLimits(anywire.Limits{OutputBytes: -1, OutputHard: -1}))
	p := dial(t, serve(t, srv))
	calls, size := scaled(64, 32), 512<<10
	text := `["` + strings.Repeat("x", size) + `"]`
	for i := range calls {
		if _, err := io.WriteString(p.Conn, call(i, "text", text)); err != nil {
			t.Fatalf("writing call %d: %v", i, err)
		}
	}
	p.end()
	for range calls {
		if r := p.response(); r.code() != 0 || len(r.Result) != size+2 {
			t.Fatalf("answer %s: code %d, %d bytes", r.ID, r.code(), len(r.Result))
		}
	}
	p.ends(patience)
}

// Reading goes on while nothing can be written: what a peer sends before it reads still takes effect.
func TestReadingDoesNotWaitForWriting(t *testing.T) {
	w := newWaiter()
	srv := echoServer()
	srv.Handle("wait", w.wait)
	p := servePipes(t, srv).peer(t) // which buffers nothing
	p.send(call(1, "no such method", ""))
	p.send(call(2, "wait", ""))
	w.expectBegun(t)
	p.send(`{"jsonrpc":"2.0","method":"rpc.cancel","params":[2]}`)
	w.expectEnded(t)
	if r := p.response(); r.code() != -32601 {
		t.Errorf("%+v", r)
	}
	if r := p.response(); r.code() != -32001 {
		t.Errorf("%+v", r)
	}
}

// One write, then half-close: every call is answered, in any order, then the connection ends.
func TestPipelinedThenHalfClose(t *testing.T) {
	p := dial(t, serve(t, echoServer()))
	const calls = 1000
	var b strings.Builder
	for i := range calls {
		b.WriteString(call(i, "sum", fmt.Sprintf("[%d,1]", i)))
	}
	p.send(b.String())
	p.end()
	expectSums(t, p.r, calls)
	p.ends(time.Second)
}

// The same over HTTP/1.1, where the order is that of the requests.
func TestPipelinedHTTPThenHalfClose(t *testing.T) {
	const requests = 500
	var in strings.Builder
	for i := range requests {
		fmt.Fprintf(&in, "GET /sum?a=%d&b=0 HTTP/1.1\r\nHost: x\r\n\r\n", i)
	}
	p := dial(t, serve(t, echoServer()))
	p.send(in.String())
	p.end()
	for i := range requests {
		res, err := http.ReadResponse(p.r, nil)
		if err != nil {
			t.Fatalf("answer %d: %v", i, err)
		}
		if body, err := io.ReadAll(res.Body); string(body) != fmt.Sprint(i) || err != nil {
			t.Fatalf("answer %d: %q, %v", i, body, err)
		}
	}
	p.ends(time.Second)
}

// expectSums reads the answers to sum(i, 1) for i in [0, n).
func expectSums(t *testing.T, r *bufio.Reader, n int) {
	t.Helper()
	seen := make([]bool, n)
	for k := range n {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("after %d answers: %v", k, err)
		}
		var a struct {
			ID     int
			Result int
			Error  json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.Error != nil {
			t.Fatalf("answer %q: %v", line, err)
		}
		if a.Result != a.ID+1 || seen[a.ID] {
			t.Fatalf("answer %q is wrong or came twice", line)
		}
		seen[a.ID] = true
	}
}

// What `nc host port < file` does while the reader behind it lags.
func TestFileThroughNetcat(t *testing.T) {
	p := dial(t, serve(t, echoServer()))
	calls := scaled(100_000, 20_000)
	go func() {
		w := bufio.NewWriterSize(p.Conn, 32<<10)
		for i := range calls {
			w.WriteString(call(i, "sum", fmt.Sprintf("[%d,1]", i)) + "\n")
		}
		w.Flush()
		p.end()
	}()
	expectSums(t, bufio.NewReaderSize(&lagging{Reader: p.Conn}, 16<<10), calls)
	p.ends(time.Second)
}

// lagging stops now and then, so that its peer has to wait.
type lagging struct {
	io.Reader
	left int // bytes until the next stop
}

func (l *lagging) Read(b []byte) (int, error) {
	if l.left <= 0 {
		time.Sleep(20 * time.Millisecond)
		l.left = 64 << 10
	}
	n, err := l.Reader.Read(b)
	l.left -= n
	return n, err
}

// Every framing, one byte at a time.
func TestByteByByte(t *testing.T) {
	addr := serve(t, echoServer())
	one, two := call(1, "sum", "[2,3]"), call(2, "sum", "[2,4]")
	const first, second = `{"jsonrpc":"2.0","id":1,"result":5}`, `{"jsonrpc":"2.0","id":2,"result":6}`
	post := func(body string) string {
		return fmt.Sprintf("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	for _, v := range []struct {
		name, in string
		want     []string // in any order
	}{
		{"bare", one + two, []string{first + "\n", second + "\n"}},
		{"lines", one + "\r\n" + two + "\r\n", []string{first + "\n", second + "\n"}},
		{"NUL", " \x00" + one + "\x00" + two + "\x00", []string{first + "\x00", second + "\x00"}},
		{"LSP", lsp(one) + lsp(two), []string{lsp(first), lsp(second)}},
		{"HTTP", post(one) + post(two), []string{"\r\n\r\n" + first, "\r\n\r\n" + second}},
	} {
		p := dial(t, addr)
		for i := range len(v.in) {
			p.send(v.in[i : i+1])
		}
		p.end()
		got := p.rest()
		for _, want := range v.want {
			if strings.Count(got, want) != 1 {
				t.Errorf("%s: %q is not in %q", v.name, want, got)
			}
		}
	}
}

func lsp(message string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message)
}

// An id that is in flight is refused, and free again once it is answered.
func TestSameIDTwiceInFlight(t *testing.T) {
	gate := make(chan struct{})
	srv := echoServer()
	srv.Handle("wait", func() { <-gate })
	p := dial(t, serve(t, srv))
	p.send(call(1, "wait", "") + call(1, "sum", "[2,3]"))
	if r := p.response(); r.code() != -32600 || string(r.ID) != "1" {
		t.Errorf("the second got %d for id %s", r.code(), r.ID)
	}
	close(gate)
	if r := p.response(); r.code() != 0 || string(r.Result) != "null" {
		t.Errorf("the first got %d, %s", r.code(), r.Result)
	}
	p.send(call(1, "sum", "[2,3]"))
	if r := p.response(); string(r.Result) != "5" {
		t.Errorf("the id was not free again: %d", r.code())
	}
}

// The framing of the peer's messages is the framing of the answers, for refusals too.
func TestFramings(t *testing.T) {
	addr := serve(t, echoServer())
	sum, bad := call(1, "sum", "[2,3]"), `{"jsonrpc":"2.0","id":2,"method":1}`
	const answer = `{"jsonrpc":"2.0","id":1,"result":5}`
	for _, v := range []struct{ in, separator string }{
		{bad + "\n", "\n"},
		{bad + "\x00", "\x00"},
		{sum + "\x00", "\x00"},
	} {
		if got := exchange(t, addr, v.in); !strings.HasSuffix(got, v.separator) || strings.Count(got, v.separator) != 1 {
			t.Errorf("%q is answered by %q", v.in, got)
		}
	}
	// LSP tells where a message ends, so what is no JSON disturbs nothing behind it.
	got := exchange(t, addr, lsp("{nonsense")+"content-length:"+fmt.Sprint(len(sum))+"\r\nContent-Type: x\r\n\r\n"+sum)
	if !strings.HasPrefix(got, "Content-Length: ") || !strings.Contains(got, "-32700") || !strings.HasSuffix(got, lsp(answer)) {
		t.Errorf("LSP: %q", got)
	}
}
