package anywire_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// serve starts a server with a few functions on a free port and returns its address.
func serve(t *testing.T, srv *anywire.Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	t.Cleanup(func() {
		srv.Close()
		if err := <-done; !errors.Is(err, anywire.ErrServerClosed) {
			t.Errorf("Serve ended with %v", err)
		}
	})
	return l.Addr().String()
}

func sum(a, b int64) int64 { return a + b }

func sumServer(opts ...anywire.ServerOption) *anywire.Server {
	srv := anywire.NewServer(opts...)
	srv.Handle("sum", sum, anywire.Params("a", "b"), anywire.ReadOnly())
	return srv
}

// exchange sends raw bytes, closes the sending side, and returns all that comes back.
func exchange(t *testing.T, addr, in string) string {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(nc, in); err != nil {
		t.Fatal(err)
	}
	nc.(*net.TCPConn).CloseWrite()
	out, err := io.ReadAll(nc)
	if err != nil {
		t.Fatalf("reading the answer: %v (after %q)", err, out)
	}
	return string(out)
}

func TestOneFunctionManyClients(t *testing.T) {
	addr := serve(t, sumServer())
	const call = `{"jsonrpc":"2.0","method":"sum","params":{"a":2,"b":3},"id":1}`
	const answer = `{"jsonrpc":"2.0","id":1,"result":5}`

	if got := exchange(t, addr, call); got != answer+"\n" {
		t.Errorf("bare stream: %q", got)
	}
	if got := exchange(t, addr, call+"\x00"); got != answer+"\x00" {
		t.Errorf("NUL: %q", got)
	}
	if got := exchange(t, addr, "Content-Length: 62\r\n\r\n"+call); got != "Content-Length: 35\r\n\r\n"+answer {
		t.Errorf("LSP: %q", got)
	}
	res, err := http.Post("http://"+addr+"/", "application/json", strings.NewReader(call))
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(res.Body); string(body) != answer {
		t.Errorf("HTTP: %q", body)
	}
	res, err = http.Get("http://" + addr + "/sum?a=2&b=3")
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(res.Body); string(body) != "5" {
		t.Errorf("REST: %q", body)
	}
	for _, scheme := range []string{"tcp://", "http://"} {
		c, err := anywire.Dial(t.Context(), scheme+addr)
		if err != nil {
			t.Fatal(err)
		}
		n, err := anywire.Call[int64](context.Background(), c, "sum", []int{2, 3})
		if n != 5 || err != nil {
			t.Errorf("%s: %d, %v", scheme, n, err)
		}
		c.Close()
	}
	c := sumServer().Client()
	defer c.Close()
	if n, err := anywire.Call[int64](t.Context(), c, "sum", map[string]int{"a": 2, "b": 3}); n != 5 || err != nil {
		t.Errorf("in memory: %d, %v", n, err)
	}
}
