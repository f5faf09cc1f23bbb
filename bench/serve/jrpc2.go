package serve

import (
	"context"
	"net"

	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"
	"github.com/creachadair/jrpc2/server"
)

func jrpc2Lines(addr string, _ Options) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	methods := handler.Map{
		"sum":     handler.New(func(_ context.Context, t terms) int64 { return sum(t.A, t.B) }),
		"nap":     handler.New(func(_ context.Context, t terms) int64 { return nap(t.A, t.B) }),
		"measure": handler.New(func(_ context.Context, b blob) int { return measure(b.Data) }),
	}
	return server.Loop(context.Background(), server.NetAccepter(l, channel.Line), server.Static(methods), nil)
}
