//go:build !race

package rest

// The race detector makes pools forget at random, so what they save is measured without it.

import (
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// nullWriter is a Writer that drops everything.
type nullWriter struct{}

func (nullWriter) Begin(*wire.Start)           {}
func (nullWriter) Write(p []byte) (int, error) { return len(p), nil }
func (nullWriter) WriteBuf([]byte, *mem.Buf)   {}
func (nullWriter) End(...call.Field)           {}

func TestAllocations(t *testing.T) {
	b := New(testConfig())
	result := &wire.Frame{Kind: wire.Reply, ID: callID, Body: []byte("3")}
	for _, test := range []struct {
		line, body string
		fields     []string
	}{
		{"POST /math/add", `{"a":1,"b":2}`, []string{typeIsJSON}},
		{"POST /math/add", "a=1&b=x+y", []string{typeIsForm}},
		{"GET /math/get?a=1&b=%41", "", nil},
		{"GET /orders/7", "", nil},
	} {
		r, body, w, f := request(test.line, test.fields...), []byte(test.body), nullWriter{}, new(wire.Frame)
		run := func() {
			x, _ := b.Accept(r, nil, false)
			x.Recv(body, true, w, f)
			f.Reset()
			x.Send(result, w)
			x.Recv(nil, true, w, f)
			x.Release()
		}
		if n := testing.AllocsPerRun(200, run); n != 0 {
			t.Errorf("%s: %v allocations", test.line, n)
		}
	}
}

func TestRouterAllocatesNothing(t *testing.T) {
	r := testRouter("GET /orders/{id}/items", "GET /files/{path...}")
	params := r.Match([]byte("GET"), []byte("/orders/7/items"), nil).Params
	for _, path := range []string{"/nothing/here", "/orders/7/nothing", "/orders/%37/nothing", "/orders/7/items"} {
		verb, path := []byte("GET"), []byte(path)
		if n := testing.AllocsPerRun(100, func() { r.Match(verb, path, params[:0]) }); n != 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
	}
}
