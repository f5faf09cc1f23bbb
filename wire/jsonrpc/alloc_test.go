//go:build !race

package jsonrpc_test

import (
	"testing"

	"github.com/anywire/anywire/wire"
)

// TestHTTPAllocates makes one call after the other on a connection that has its memory.
func TestHTTPAllocates(t *testing.T) {
	m := newHTTP().m
	in := []byte(post("/", `{"jsonrpc":"2.0","method":"get_data","id":7}`, "Content-Type: application/json"))
	body := []byte("5")
	var out wire.Out
	var f, reply wire.Frame
	n := testing.AllocsPerRun(200, func() {
		f.Reset()
		m.Recv(in, false, &out, &f)
		reply.Reset()
		reply.Kind, reply.ID, reply.Body = wire.Reply, f.ID, body
		m.Send(&reply, &out)
		f.Reset()
		if n, _, _ := m.Recv(in, false, &out, &f); n != len(in) {
			t.Fatalf("consumed %d of %d", n, len(in))
		}
		out.Reset()
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
