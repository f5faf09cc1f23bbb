package jsonrpc

import (
	"strings"
	"testing"

	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/http1"
	"github.com/anywire/anywire/wire/rest"
	"github.com/anywire/anywire/call"
)

type zzNone struct{}

func (zzNone) Find([]byte) call.Method { return nil }

func BenchmarkZZ(b *testing.B) {
	l := wire.Limits{}.WithDefaults()
	body := `{"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]}`
	one := "POST / HTTP/1.1\r\nHost: 127.0.0.1:9555\r\nContent-Type: application/json\r\nContent-Length: 54\r\n\r\n" + body
	in := []byte(strings.Repeat(one, 16))
	rc := &rest.Config{Methods: zzNone{}, Limits: l}
	m := http1.NewServer(&http1.Config{Limits: l, Bindings: []wire.Binding{rest.New(rc), NewBinding(&l, nil)},
		Draining: func() bool { return false },
		Date: func(d []byte) []byte { return append(d, "Mon, 02 Jan 2006 15:04:05 GMT"...) }})
	var out wire.Out
	out.Ready()
	f := new(wire.Frame)
	f.Lend(new(wire.Scratch))
	b.ReportAllocs()
	for i := 0; i < b.N; i += 16 {
		out.Reset()
		at := 0
		for at < len(in) {
			f.Reset()
			n, _, err := m.Recv(in[at:], false, &out, f)
			if err != nil {
				b.Fatal(err)
			}
			at += n
			if f.Kind == wire.Open {
				id := f.ID
				f.Reset()
				f.Kind, f.ID, f.Body, f.End = wire.Reply, id, []byte("3"), true
				if _, err := m.Send(f, &out); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

func BenchmarkZZParse(b *testing.B) {
	one := []byte("POST / HTTP/1.1\r\nHost: 127.0.0.1:9555\r\nContent-Type: application/json\r\nContent-Length: 54\r\n\r\n")
	var h http1.Head
	for i := 0; i < b.N; i++ {
		if _, err := http1.ParseRequest(one, &h, 100); err != nil {
			b.Fatal(err)
		}
	}
}
