package serve

import (
	"context"
	"net"

	"go.lsp.dev/jsonrpc2"
)

func lspDevLines(addr string, _ Options) error {
	return eachConn(addr, func(nc net.Conn) {
		conn := jsonrpc2.NewConn(jsonrpc2.NewNDJSONStream(nc))
		conn.Go(context.Background(), func(_ context.Context, r *jsonrpc2.Request) (any, error) {
			return invoke(r.Method(), func(v any) error { return jsonrpc2.DefaultCodec.Unmarshal(r.Params(), v) })
		})
		<-conn.Done()
		conn.Close()
	})
}
