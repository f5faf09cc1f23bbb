package interop_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"
)

// caller is what the clients of go.lsp.dev have in common.
type caller interface {
	Call(ctx context.Context, method string, params, result any) (jsonrpc2.ID, error)
	Notify(ctx context.Context, method string, params any) error
	Go(ctx context.Context, h jsonrpc2.Handler)
	Close() error
}

var lspdevStreams = map[string]jsonrpc2.Framer{
	"lines":   jsonrpc2.NewNDJSONStream,
	"headers": jsonrpc2.NewHeaderStream,
}

var lspdevClients = map[string]func(jsonrpc2.Stream) caller{
	"peer":     func(s jsonrpc2.Stream) caller { return jsonrpc2.NewConn(s) },
	"pipeline": func(s jsonrpc2.Stream) caller { return jsonrpc2.NewPipelineClient(s) },
}

func TestLSPDev(t *testing.T) {
	addr := startDemo(t)
	for framing, stream := range lspdevStreams {
		for kind, client := range lspdevClients {
			t.Run(framing+" "+kind, func(t *testing.T) {
				testLSPDev(t, client(stream(dial(t, addr))))
			})
		}
	}
}

func testLSPDev(t *testing.T, client caller) {
	ctx := t.Context()
	client.Go(ctx, jsonrpc2.MethodNotFoundHandler)
	defer client.Close()

	for _, params := range []any{[]int{2, 3}, map[string]int{"a": 2, "b": 3}} {
		var n int
		if _, err := client.Call(ctx, "sum", params, &n); err != nil || n != 5 {
			t.Errorf("sum %v: %d, %v", params, n, err)
		}
	}
	for code, method := range map[jsonrpc2.Code]string{jsonrpc2.InvalidParams: "sum", jsonrpc2.MethodNotFound: "nope"} {
		_, err := client.Call(ctx, method, nil, nil)
		if e, ok := errors.AsType[*jsonrpc2.Error](err); !ok || e.Code != code {
			t.Errorf("%s without params: %v, want code %d", method, err, code)
		}
	}
	if err := client.Notify(ctx, "hello", nil); err != nil {
		t.Error(err)
	}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			var n int
			if _, err := client.Call(ctx, "sum", []int{i, 1}, &n); err != nil || n != i+1 {
				t.Errorf("sum of %d and 1: %d, %v", i, n, err)
			}
		})
	}
	wg.Wait()
}

func TestLSPDevBatch(t *testing.T) {
	addr := startDemo(t)
	for framing, stream := range lspdevStreams {
		t.Run(framing, func(t *testing.T) {
			client, err := jsonrpc2.NewBatchClient(stream(dial(t, addr)))
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			if _, err := client.WriteFrame(t.Context(), []byte("["+sumCall+","+notification+"]")); err != nil {
				t.Fatal(err)
			}
			frame, _, err := client.ReadFrame(t.Context())
			if got := string(frame); err != nil || got != "["+sumAnswer+"]" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
