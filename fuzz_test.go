package anywire_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// FuzzPort sends arbitrary bytes in arbitrary pieces to a whole server. Whatever they are, the connection ends soon after
// the peer stopped sending, and the server goes on to answer others.
func FuzzPort(f *testing.F) {
	for _, in := range []string{
		call(1, "sum", "[2,3]"),
		call("a", "text", `{"s":"x"}`) + "\x00" + call(1, "echo", `[{"a":[null]}]`),
		"[" + call(1, "sum", "[2,3]") + "," + `{"jsonrpc":"2.0","method":"sum","params":[1,2]},1]`,
		lsp(call(1, "sum", "[2,3]")) + lsp("{nonsense"),
		"GET /sum?a=2&b=3 HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 56\r\n\r\n" + call(1, "sum", "[2,3]"),
		"POST /text HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[\"x\"]\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n",
		`{"jsonrpc":"2.0","id":1,"method":"rpc.discover","meta":{"timeout_ms":1}}{"jsonrpc":"2.0","method":"$/cancelRequest","params":[1]}`,
		`{"jsonrpc":"2.0","id":1,"result":5}{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`,
		"\x16\x03\x01\x00", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\xEF\xBB\xBF{}", "C", "[[[[", "",
	} {
		f.Add([]byte(in), uint16(7))
		f.Add([]byte(in), uint16(1))
	}
	srv := echoServer(anywire.WithLimits(anywire.Limits{HalfOpen: 500 * time.Millisecond}))
	l := servePipes(f, srv)
	c := srv.Client()
	f.Cleanup(func() { c.Close() })
	f.Fuzz(func(t *testing.T, in []byte, split uint16) {
		nc := l.dial()
		defer nc.Close()
		nc.SetDeadline(time.Now().Add(5 * time.Second))
		go sendPieces(nc, in, int(split%64)+1)
		ended := make(chan error, 1)
		go func() {
			_, err := io.Copy(io.Discard, nc)
			ended <- err
		}()
		if err := <-ended; err != nil {
			t.Fatalf("the connection did not end: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if n, err := anywire.Call[int](ctx, c, "sum", []int{2, 3}); n != 5 || err != nil {
			t.Fatalf("an honest call: %d, %v", n, err)
		}
	})
}

// sendPieces writes in pieces and closes the direction; the server may have closed the connection before.
func sendPieces(nc *duplex, in []byte, size int) {
	for len(in) > 0 {
		n := min(size, len(in))
		if _, err := nc.Write(in[:n]); err != nil {
			break
		}
		in = in[n:]
	}
	nc.CloseWrite()
}
