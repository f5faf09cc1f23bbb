package interop_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// dial connects for the time of the test, at most for patience.
func dial(t *testing.T, addr string) *net.TCPConn {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return nc.(*net.TCPConn)
}

// exchange sends in over TCP, closes the sending side, and returns all that comes back.
func exchange(t *testing.T, addr, in string) string {
	t.Helper()
	nc := dial(t, addr)
	if _, err := io.WriteString(nc, in); err != nil {
		t.Fatal(err)
	}
	nc.CloseWrite()
	out, err := io.ReadAll(nc)
	if err != nil {
		t.Fatalf("after %q: %v", out, err)
	}
	return string(out)
}

// post sends body as JSON over HTTP and returns the body of the answer, whose status must be 200, or 204 when empty.
func post(t *testing.T, addr, body string) string {
	t.Helper()
	res, err := http.Post("http://"+addr+"/", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return answer(t, res)
}

func answer(t *testing.T, res *http.Response) string {
	t.Helper()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	switch {
	case len(out) == 0 && res.StatusCode == http.StatusNoContent:
	case res.StatusCode == http.StatusOK && res.Header.Get("Content-Type") == "application/json":
	default:
		t.Fatalf("status %s, content type %q: %q", res.Status, res.Header.Get("Content-Type"), out)
	}
	return string(out)
}
