package interop_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/jhttp"
)

// jrpc2Channels are the framings of jrpc2 that the server speaks.
var jrpc2Channels = map[string]func(net.Conn) channel.Channel{
	"lines":       func(nc net.Conn) channel.Channel { return channel.Line(nc, nc) },
	"bare values": func(nc net.Conn) channel.Channel { return channel.RawJSON(nc, nc) },
	"LSP":         func(nc net.Conn) channel.Channel { return channel.LSP(nc, nc) },
	"headers":     func(nc net.Conn) channel.Channel { return channel.Header("")(nc, nc) },
}

func TestJRPC2(t *testing.T) {
	addr := startDemo(t)
	for name, open := range jrpc2Channels {
		t.Run(name, func(t *testing.T) {
			testJRPC2(t, open(dial(t, addr)))
			testJRPC2Cancel(t, open(dial(t, addr)))
		})
	}
	t.Run("HTTP", func(t *testing.T) {
		testJRPC2(t, jhttp.NewChannel("http://"+addr, nil))
	})
}

func testJRPC2(t *testing.T, ch channel.Channel) {
	ctx := t.Context()
	client := jrpc2.NewClient(ch, nil)
	defer client.Close()

	for _, params := range []any{[]int{2, 3}, map[string]int{"a": 2, "b": 3}} {
		var n int
		if err := client.CallResult(ctx, "sum", params, &n); err != nil || n != 5 {
			t.Errorf("sum %v: %d, %v", params, n, err)
		}
	}
	for code, method := range map[jrpc2.Code]string{jrpc2.InvalidParams: "sum", jrpc2.MethodNotFound: "nope", jrpc2.InternalError: "panic"} {
		if _, err := client.Call(ctx, method, nil); jrpc2.ErrorCode(err) != code {
			t.Errorf("%s without params: %v, want code %d", method, err, code)
		}
	}
	if err := client.Notify(ctx, "hello", nil); err != nil {
		t.Error(err)
	}
	testJRPC2Batch(t, client)

	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			var n int
			if err := client.CallResult(ctx, "sum", []int{i, 1}, &n); err != nil || n != i+1 {
				t.Errorf("sum of %d and 1: %d, %v", i, n, err)
			}
		})
	}
	wg.Wait()
}

func testJRPC2Batch(t *testing.T, client *jrpc2.Client) {
	answers, err := client.Batch(t.Context(), []jrpc2.Spec{
		{Method: "sum", Params: []int{2, 3}},
		{Method: "hello", Notify: true},
		{Method: "nope"},
	})
	if err != nil || len(answers) != 2 {
		t.Fatalf("batch: %v, %v", answers, err)
	}
	var n int
	if err := answers[0].UnmarshalResult(&n); err != nil || n != 5 {
		t.Errorf("first of the batch: %d, %v", n, err)
	}
	if err := answers[1].Error(); err == nil || err.Code != jrpc2.MethodNotFound {
		t.Errorf("last of the batch: %v", err)
	}
}

// A client that gives up tells the server with rpc.cancel. Asked twice, the server still has the call the first time only.
func testJRPC2Cancel(t *testing.T, ch channel.Channel) {
	given := make(chan string, 1)
	client := jrpc2.NewClient(ch, &jrpc2.ClientOptions{
		OnCancel: func(_ *jrpc2.Client, rsp *jrpc2.Response) { given <- rsp.ID() },
	})
	defer client.Close()
	ctx, cancel := context.WithCancel(t.Context())
	slept := make(chan error, 1)
	go func() {
		_, err := client.Call(ctx, "sleep", []int{60_000})
		slept <- err
	}()
	// The answer of a later call tells that sleep was sent.
	if _, err := client.Call(t.Context(), "hello_world", nil); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-slept; !errors.Is(err, context.Canceled) {
		t.Errorf("the call given up: %v", err)
	}
	var found bool
	if err := client.CallResult(t.Context(), "rpc.cancel", []jsonText{jsonText(<-given)}, &found); err != nil || !found {
		t.Errorf("rpc.cancel: %t, %v", found, err)
	}
}

// jsonText is JSON as it is.
type jsonText string

func (j jsonText) MarshalJSON() ([]byte, error) { return []byte(j), nil }
